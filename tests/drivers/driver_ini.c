/* "print xKEY:xVALUE,..." gives the text of these keys, "read xHEX" the entries of an INI text
 * as "xSECTION:xKEY:xVALUE:LINE,..." or "error MESSAGE". */
#include "lines.h"

#include "base/ini.h"

static void print_keys(struct lw_arena *arena, struct lw_str pairs, struct lw_sink *out)
{
    struct lw_buf text;
    lw_buf_init(&text, NULL, 0);
    struct lw_sink to = lw_sink_buf(&text);
    struct lw_str pair, key;
    while (lw_str_split(&pairs, ',', &pair)) {
        lw_str_split(&pair, ':', &key);
        struct lw_str name = lw_arena_copy(arena, from_hex(arena, key));
        lw_ini_print(&to, name.p, from_hex(arena, pair));
    }
    put_hex(out, lw_buf_str(&text));
    lw_buf_release(&text);
}

static void read_entries(struct lw_arena *arena, struct lw_str text, struct lw_sink *out)
{
    struct lw_ini ini;
    struct lw_err err = {0};
    if (lw_ini_parse(&ini, arena, LW_S("ini"), text, &err) < 0) {
        lw_putz(out, "error ");
        lw_put_safe(out, lw_str(err.text), false);
        return;
    }
    for (size_t i = 0; i < ini.n; i++) {
        if (i)
            lw_put_char(out, ',');
        put_hex(out, ini.entries[i].section);
        lw_put_char(out, ':');
        put_hex(out, ini.entries[i].key);
        lw_put_char(out, ':');
        put_hex(out, ini.entries[i].value);
        lw_putf(out, ":%u", ini.entries[i].line);
    }
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str word;
    lw_str_split(&line, ' ', &word);
    if (lw_str_eq(word, LW_S("print")))
        print_keys(arena, line, out);
    else
        read_entries(arena, from_hex(arena, line), out);
}

int main(void)
{
    return each_line(handle);
}
