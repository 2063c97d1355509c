/* "print BITS" gives what lw_print_double prints for the double of those bits in hexadecimal;
 * "parse xHEX" gives the bits of what lw_parse_double reads, or "refused". */
#include "lines.h"

#include <inttypes.h>

#include "base/num.h"

static void print(struct lw_str bits, struct lw_sink *out)
{
    char text[LW_DOUBLE_TEXT];
    uint64_t n = 0;
    double x;
    for (size_t i = 0; i < bits.n; i++)
        n = n << 4 | hex_value(bits.p[i]);
    memcpy(&x, &n, sizeof x);
    lw_putz(out, lw_print_double(x, text));
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str word;
    lw_str_split(&line, ' ', &word);
    double x;
    uint64_t n;
    if (lw_str_eq(word, LW_S("print"))) {
        print(line, out);
    } else if (lw_parse_double(from_hex(arena, line), &x)) {
        memcpy(&n, &x, sizeof n);
        lw_putf(out, "%016" PRIx64, n);
    } else {
        lw_putz(out, "refused");
    }
}

int main(void)
{
    return each_line(handle);
}
