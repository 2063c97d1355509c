/* "columns xHEX" gives lw_utf8_columns; "diff CONTEXT xOLD xNEW" the unified difference in
 * hexadecimal. */
#include "lines.h"

#include "base/linediff.h"
#include "base/num.h"
#include "base/utf8.h"

static void put_diff(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str context, old_text;
    uint64_t n = 0;
    lw_str_split(&line, ' ', &context);
    lw_parse_u64(context, &n);
    lw_str_split(&line, ' ', &old_text);
    struct lw_buf text;
    struct lw_err err = {0};
    struct lw_term term = {0};
    bool changed;
    lw_buf_init(&text, NULL, 0);
    struct lw_sink to = lw_sink_buf(&text);
    if (lw_linediff_print(&to, &term, NULL, LW_S("a"), from_hex(arena, old_text), LW_S("b"),
                          from_hex(arena, line), n, &changed, &err) < 0)
        lw_putf(&to, "error %s", err.text);
    put_hex(out, lw_buf_str(&text));
    lw_buf_release(&text);
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str word;
    lw_str_split(&line, ' ', &word);
    if (lw_str_eq(word, LW_S("columns")))
        lw_putf(out, "%zu", lw_utf8_columns(from_hex(arena, line)));
    else
        put_diff(arena, line, out);
}

int main(void)
{
    return each_line(handle);
}
