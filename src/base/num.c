#include "base/num.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

bool lw_parse_u64(struct lw_str text, uint64_t *out)
{
    uint64_t value = 0;
    if (text.n == 0)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned digit = (unsigned)(unsigned char)text.p[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *out = value;
    return true;
}

bool lw_parse_i64(struct lw_str text, int64_t *out)
{
    bool negative = text.n > 0 && text.p[0] == '-';
    if (text.n > 0 && (negative || text.p[0] == '+'))
        text = lw_str_from(text, 1);
    uint64_t magnitude;
    if (!lw_parse_u64(text, &magnitude))
        return false;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1u : 0u))
        return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

static bool parse_special(struct lw_str text, double *out)
{
    bool negative = text.n > 0 && text.p[0] == '-';
    if (text.n > 0 && (negative || text.p[0] == '+'))
        text = lw_str_from(text, 1);
    double value;
    if (lw_str_eq_nocase(text, LW_S("nan")))
        value = (double)NAN;
    else if (lw_str_eq_nocase(text, LW_S("inf")) || lw_str_eq_nocase(text, LW_S("infinity")))
        value = (double)INFINITY;
    else
        return false;
    *out = negative ? -value : value;
    return true;
}

/* Only what decimal forms are made of: strtod also takes blanks, hexadecimal and names. */
static bool is_decimal(struct lw_str text)
{
    bool digits = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c >= '0' && c <= '9')
            digits = true;
        else if (!memchr("+-.eE", c, 5))
            return false;
    }
    return digits;
}

bool lw_parse_double(struct lw_str text, double *out)
{
    char small[64];
    if (parse_special(text, out))
        return true;
    if (!is_decimal(text))
        return false;
    char *copy = text.n < sizeof small ? small : lw_mem_alloc(NULL, text.n + 1);
    /* A program that embeds us may have set a locale with a decimal comma. */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool whole = false;
    if (copy && c) {
        memcpy(copy, text.p, text.n);
        copy[text.n] = '\0';
        char *end;
        double value = strtod_l(copy, &end, c);
        whole = end == copy + text.n;
        if (whole)
            *out = value;
    }
    if (c)
        freelocale(c);
    if (copy != small)
        lw_mem_free(NULL, copy, text.n + 1);
    return whole;
}

enum { MOST_DIGITS = 17 }; /* always suffice */

/* digits[0].digits[1]… times ten to the exponent. */
struct decimal {
    char digits[MOST_DIGITS + 1];
    int count;
    int exponent;
};

static bool reads_back(const struct decimal *d, double x)
{
    char text[MOST_DIGITS + 16]; /* without a point, which depends on the locale */
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->exponent - d->count + 1);
    return strtod(text, NULL) == x;
}

/* The nearest decimal of `count` digits. */
static void round_to(double x, int count, struct decimal *d)
{
    char text[MOST_DIGITS + 16];
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    d->count = 0;
    const char *p = text;
    for (; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            d->digits[d->count++] = *p;
    d->exponent = (int)strtol(p + 1, NULL, 10);
}

/* The next decimal of as many digits, away from zero. */
static void bump(struct decimal *d)
{
    int i = d->count - 1;
    while (i >= 0 && d->digits[i] == '9')
        d->digits[i--] = '0';
    if (i >= 0) {
        d->digits[i]++;
    } else {
        d->digits[0] = '1';
        d->exponent++;
    }
}

/* The fewest digits that read back as `x`, which is finite and above zero. */
static void shortest(double x, struct decimal *d)
{
    int power;
    bool is_power_of_two = frexp(x, &power) == 0.5;
    /* Any 15 digits survive the way through a normal double, so fewer need not be tried. */
    int count = x < DBL_MIN ? 1 : DBL_DIG;
    for (; count <= MOST_DIGITS; count++) {
        round_to(x, count, d);
        if (reads_back(d, x))
            break;
        /* Below a power of two doubles lie twice as close: the nearest decimal may miss while
         * the next one above still hits. */
        bump(d);
        if (is_power_of_two && reads_back(d, x))
            break;
    }
}

/* The decimal without the zeros at its end. */
static const char *write_decimal(const struct decimal *d, const char *sign,
                                 char out[LW_DOUBLE_TEXT])
{
    const char *p = d->digits;
    int e = d->exponent, n = d->count;
    while (n > 1 && p[n - 1] == '0')
        n--;
    if (e < -4 || e >= 16)
        snprintf(out, LW_DOUBLE_TEXT, "%s%c%s%.*se%c%02d", sign, p[0], n > 1 ? "." : "", n - 1,
                 p + 1, e < 0 ? '-' : '+', e < 0 ? -e : e);
    else if (e < 0)
        snprintf(out, LW_DOUBLE_TEXT, "%s0.%.*s%.*s", sign, -e - 1, "000", n, p);
    else if (n <= e + 1)
        snprintf(out, LW_DOUBLE_TEXT, "%s%.*s%.*s", sign, n, p, e + 1 - n, "000000000000000");
    else
        snprintf(out, LW_DOUBLE_TEXT, "%s%.*s.%.*s", sign, e + 1, p, n - e - 1, p + e + 1);
    return out;
}

/* What has no digits: nan, inf and 0. */
static bool is_special(double x, const char *sign, char out[LW_DOUBLE_TEXT])
{
    if (isfinite(x) && x != 0)
        return false;
    snprintf(out, LW_DOUBLE_TEXT, "%s%s", isnan(x) ? "" : sign,
             isnan(x) ? "nan"
             : x == 0 ? "0"
                      : "inf");
    return true;
}

const char *lw_print_double(double x, char out[LW_DOUBLE_TEXT])
{
    const char *sign = signbit(x) ? "-" : "";
    if (is_special(x, sign, out))
        return out;
    struct decimal d;
    shortest(fabs(x), &d);
    return write_decimal(&d, sign, out);
}

static bool is_whole(const struct decimal *d)
{
    for (int i = d->exponent < 0 ? 0 : d->exponent + 1; i < d->count; i++)
        if (d->digits[i] != '0')
            return false;
    return true;
}

const char *lw_print_rounded(double x, char out[LW_DOUBLE_TEXT])
{
    enum { FEW = 4, LARGEST = 16 };
    const char *sign = x < 0 ? "-" : "";
    if (is_special(x, sign, out))
        return out;
    struct decimal d;
    round_to(fabs(x), FEW, &d);
    bool is_small = d.exponent < FEW - 1;
    if (!is_small && d.exponent < LARGEST)
        round_to(fabs(x), d.exponent + 1, &d);
    for (int n = FEW + 1; is_small && n <= MOST_DIGITS && x != trunc(x) && is_whole(&d); n++)
        round_to(fabs(x), n, &d);
    return write_decimal(&d, sign, out);
}
