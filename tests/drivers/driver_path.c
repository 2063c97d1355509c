/* "xROOT xREL" gives the joined path in hexadecimal, or "refused". */
#include "lines.h"

#include "base/path.h"

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str root;
    struct lw_err err = {0};
    struct lw_buf path;
    lw_str_split(&line, ' ', &root);
    lw_buf_init(&path, NULL, 0);
    if (lw_path_join(&path, from_hex(arena, root), from_hex(arena, line), &err) < 0)
        lw_putz(out, "refused");
    else
        put_hex(out, lw_buf_str(&path));
    lw_buf_release(&path);
}

int main(void)
{
    return each_line(handle);
}
