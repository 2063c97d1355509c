#include "knowledge/embedded.h"

#include "base/str.h"
#include "knowledge/embedded_table.h"

static struct lw_str path_at(size_t index)
{
    return lw_str_n(lw_embedded_rows[index].path, lw_embedded_rows[index].path_length);
}

size_t lw_embedded_first(struct lw_str prefix)
{
    size_t low = 0, high = lw_embedded_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lw_str_cmp(path_at(middle), prefix) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool lw_embedded_at(size_t index, struct lw_str *path, struct lw_str *content)
{
    if (index >= lw_embedded_count)
        return false;
    const struct lw_embedded_row *row = &lw_embedded_rows[index];
    *path = path_at(index);
    *content = lw_str_n(lw_embedded_bytes + row->offset, row->size);
    return true;
}

bool lw_embedded_find(struct lw_str path, struct lw_str *content)
{
    struct lw_str found;
    return lw_embedded_at(lw_embedded_first(path), &found, content) && lw_str_eq(found, path);
}

struct lw_str lw_embedded_digest(void)
{
    return lw_str(lw_embedded_sha256);
}
