/* Archives of submissions: whatever comes in, names stay inside and sums within their limits.
 */
#include <stdlib.h>

#include "base/str.h"
#include "catalog/archive.h"

static const struct lw_archive_limits limits = {64, 1 << 20, 256 << 10};

struct seen {
    uint64_t files, bytes;
};

static int look(void *data, struct lw_str path, struct lw_str content, struct lw_err *err)
{
    struct seen *s = data;
    (void)err;
    s->files++;
    s->bytes += content.n;
    struct lw_str rest = path, part;
    if (path.n == 0 || path.p[0] == '/' || s->files > limits.members ||
        content.n > limits.file_bytes || s->bytes > limits.bytes)
        abort();
    while (lw_str_split(&rest, '/', &part))
        if (part.n == 0 || lw_str_eq(part, LW_S("..")) || lw_str_eq(part, LW_S(".")))
            abort();
    for (size_t i = 0; i < path.n; i++)
        if ((unsigned char)path.p[i] < 0x20 || (unsigned char)path.p[i] >= 0x7f)
            abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen s = {0};
    struct lw_err err;
    struct lw_mem mem;
    lw_mem_init(&mem, 64 << 20);
    lw_archive_read_bytes(&mem, LW_S("fuzz"), lw_str_n((const char *)data, size), &limits, look,
                          &s, &err);
    if (atomic_load(&mem.used) != 0)
        abort();
    return 0;
}
