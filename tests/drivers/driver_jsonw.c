/* Words "c" (compact), "o", "a", "e", "kxHEX", "sxHEX", "iNUMBER", "dBITS", "t", "f", "n" give
 * the document in hexadecimal. */
#include "lines.h"

#include "base/jsonw.h"
#include "base/num.h"

static void put_number(struct lw_jsonw *w, struct lw_str word)
{
    struct lw_str digits = lw_str_from(word, 1);
    int64_t n = 0;
    if (word.p[0] == 'i') {
        lw_parse_i64(digits, &n);
        lw_json_int(w, n);
        return;
    }
    uint64_t bits = 0;
    double x;
    for (size_t i = 0; i < digits.n; i++)
        bits = bits << 4 | hex_value(digits.p[i]);
    memcpy(&x, &bits, sizeof x);
    lw_json_double(w, x);
}

static void put_word(struct lw_arena *arena, struct lw_jsonw *w, struct lw_str word)
{
    switch (word.p[0]) {
    case 'c': w->compact = true; break;
    case 'o': lw_json_object(w); break;
    case 'a': lw_json_array(w); break;
    case 'e': lw_json_end(w); break;
    case 'k':
        lw_json_key(w, lw_arena_copy(arena, from_hex(arena, lw_str_from(word, 1))).p);
        break;
    case 's': lw_json_text(w, from_hex(arena, lw_str_from(word, 1))); break;
    case 't': lw_json_bool(w, true); break;
    case 'f': lw_json_bool(w, false); break;
    case 'n': lw_json_null(w); break;
    default: put_number(w, word);
    }
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_buf text;
    struct lw_jsonw w;
    lw_buf_init(&text, NULL, 0);
    struct lw_sink to = lw_sink_buf(&text);
    lw_jsonw_init(&w, &to, false);
    struct lw_str word;
    while (lw_str_split(&line, ' ', &word))
        put_word(arena, &w, word);
    put_hex(out, lw_buf_str(&text));
    lw_buf_release(&text);
}

int main(void)
{
    return each_line(handle);
}
