#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool lw_parse_double(struct lw_str text, double *out)
{
    char copy[512];
    if (parse_special(text, out))
        return true;
    if (text.n == 0 || text.n >= sizeof copy)
        return false;
    bool digits = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c >= '0' && c <= '9')
            digits = true;
        else if (!memchr("+-.eE", c, 5))
            return false;
    }
    if (!digits)
        return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    char *end;
    double value = strtod(copy, &end); /* the program never calls setlocale: C locale */
    if (end != copy + text.n)
        return false;
    *out = value;
    return true;
}

const char *lw_print_double(double x, char out[LW_DOUBLE_TEXT])
{
    if (isnan(x))
        return memcpy(out, "nan", 4);
    if (isinf(x))
        return x > 0 ? memcpy(out, "inf", 4) : memcpy(out, "-inf", 5);
    /* 17 significant digits always suffice; most numbers need fewer. */
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, LW_DOUBLE_TEXT, "%.*g", digits, x);
        if (strtod(out, NULL) == x)
            break;
    }
    return out;
}
