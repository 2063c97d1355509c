/*
 * Numbers, shapes and ranges as people and programs write them.
 */
#include "report/values.h"

#include "base/num.h"
#include "base/str.h"
#include "report/internal.h"

enum { NUMBER_MAX = 40, SIZE_MAX_LENGTH = 40 };

/* "60,000": groups of three digits. */
static size_t grouped(struct lw_str s, size_t i)
{
    size_t n = report_digits(s, i);
    if (n == 0 || n > 3)
        return n;
    while (i + n + 3 < s.n && s.p[i + n] == ',' && report_digits(s, i + n + 1) == 3)
        n += 4;
    return n;
}

static size_t mantissa(struct lw_str s, size_t i)
{
    size_t from = i;
    size_t whole = grouped(s, i);
    i += whole;
    size_t part = 0;
    if (i < s.n && s.p[i] == '.') {
        part = report_digits(s, i + 1);
        i += part ? part + 1 : 0;
    }
    return whole || part ? i - from : 0;
}

static size_t exponent(struct lw_str s, size_t i)
{
    if (i >= s.n || (s.p[i] != 'e' && s.p[i] != 'E'))
        return 0;
    size_t sign = i + 1 < s.n && (s.p[i + 1] == '-' || s.p[i + 1] == '+') ? 1 : 0;
    size_t n = report_digits(s, i + 1 + sign);
    return n ? 1 + sign + n : 0;
}

static bool to_double(struct lw_str s, double *value)
{
    char plain[NUMBER_MAX];
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == ',')
            continue;
        if (n == sizeof plain)
            return false;
        plain[n++] = s.p[i];
    }
    return lw_parse_double(lw_str_n(plain, n), value);
}

/* Nothing behind a number makes it a part of something else. */
static bool ends_number(struct lw_str s, size_t i)
{
    if (i >= s.n)
        return true;
    if (s.p[i] == '.' && i + 1 < s.n && report_is_digit(s.p[i + 1]))
        return false;
    return !report_is_word(s.p[i]);
}

static size_t not_finite(struct lw_str s, double *value)
{
    static const char *const words[] = {"nan", "infinity", "inf"};
    size_t sign = s.n && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct lw_str w = lw_str(words[i]);
        if (s.n >= w.n + sign && lw_str_eq_nocase(lw_str_part(s, sign, w.n), w) &&
            (s.n == w.n + sign || !report_is_word(s.p[w.n + sign]))) {
            (void)lw_parse_double(lw_str_part(s, i ? 0 : sign, w.n + (i ? sign : 0)), value);
            return w.n + sign;
        }
    }
    return 0;
}

size_t report_plain_number(struct lw_str s, double *value)
{
    size_t sign = s.n && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;
    size_t n = mantissa(s, sign);
    if (!n)
        return 0;
    n += sign;
    n += exponent(s, n);
    if (!to_double(lw_str_part(s, 0, n), value))
        return 0;
    if (n < s.n && s.p[n] == '%')
        return n + 1;
    return ends_number(s, n) ? n : 0;
}

/* 5k, 1.2M */
static size_t multiplied(struct lw_str s, double *value)
{
    size_t n = mantissa(s, 0);
    if (!n || n >= s.n || (s.p[n] != 'k' && s.p[n] != 'K' && s.p[n] != 'M') ||
        !ends_number(s, n + 1) || !to_double(lw_str_part(s, 0, n), value))
        return 0;
    *value *= s.p[n] == 'M' ? 1e6 : 1e3;
    return n + 1;
}

size_t report_number(struct lw_str s, double *value)
{
    size_t n = report_plain_number(s, value);
    if (!n)
        n = multiplied(s, value);
    return n ? n : not_finite(s, value);
}

/* ---- Shapes ------------------------------------------------------------------------------ */

static bool add_size(struct report_shape *shape, struct lw_str size)
{
    int64_t v = -1;
    if (!size.n || size.n > SIZE_MAX_LENGTH)
        return false;
    if (lw_str_eq(size, LW_S("None")) || lw_str_eq(size, LW_S("?")) ||
        lw_str_eq(size, LW_S("-1"))) {
        shape->open = true;
    } else if (!lw_parse_i64(size, &v) || v < 0) {
        v = -1;
        for (size_t i = 0; i < size.n; i++)
            if (!report_is_word(size.p[i]) && !strchr(" .*/+-", size.p[i]))
                return false;
        if (report_is_digit(size.p[0]) || lw_str_find_char(size, ' ') >= 0)
            return false;
        shape->names = true;
    }
    if (shape->rank < shape->max)
        shape->dims[shape->rank] = v;
    shape->rank++;
    return true;
}

/* Sizes up to the closing bracket at `end`, separated by commas or " x ". */
static bool add_sizes(struct report_shape *shape, struct lw_str inside)
{
    struct lw_str rest = inside, size;
    bool commas = lw_str_find_char(inside, ',') >= 0;
    while (commas ? lw_str_split(&rest, ',', &size) : lw_str_split(&rest, 'x', &size)) {
        size = lw_str_trim(size);
        if (!size.n && !lw_str_trim(rest).n)
            break; /* "(3,)" */
        if (!add_size(shape, size))
            return false;
    }
    return shape->rank > 0;
}

static bool has_number(const struct report_shape *shape)
{
    for (uint32_t i = 0; i < shape->rank && i < shape->max; i++)
        if (shape->dims[i] >= 0)
            return true;
    return shape->open;
}

static size_t bracketed(struct lw_str s, struct report_shape *shape)
{
    enum { LONGEST = 120 };
    char close = s.p[0] == '(' ? ')' : ']';
    ptrdiff_t end = lw_str_find_char(lw_str_part(s, 0, LONGEST), close);
    if (end < 2)
        return 0;
    struct lw_str inside = lw_str_part(s, 1, (size_t)end - 1);
    return add_sizes(shape, inside) && has_number(shape) ? (size_t)end + 1 : 0;
}

/* 3x224x224, 28 x 28, 28*28, 28×28 */
static size_t crossed(struct lw_str s, struct report_shape *shape)
{
    size_t i = 0, end = 0;
    for (;;) {
        size_t n = report_digits(s, i);
        if (!n || n > 9)
            break;
        (void)add_size(shape, lw_str_part(s, i, n));
        end = i + n;
        i = report_skip_blanks(s, end);
        size_t cross = i < s.n && (s.p[i] == 'x' || s.p[i] == 'X' || s.p[i] == '*') ? 1
                       : lw_str_has_prefix(lw_str_from(s, i), LW_S("\xc3\x97"))     ? 2
                                                                                    : 0;
        if (!cross)
            break;
        i = report_skip_blanks(s, i + cross);
    }
    return shape->rank >= 2 && (end == s.n || !report_is_word(s.p[end])) ? end : 0;
}

size_t report_shape(struct lw_str s, struct report_shape *shape)
{
    static const char *const wraps[] = {"torch.Size(", "TensorShape(", "Size(", "Dimension("};
    shape->rank = 0;
    shape->open = shape->names = false;
    if (!s.n)
        return 0;
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        struct lw_str wrap = lw_str(wraps[i]);
        if (!lw_str_has_prefix(s, wrap))
            continue;
        struct lw_str inner = lw_str_from(s, wrap.n);
        size_t n = inner.n && inner.p[0] == '[' ? bracketed(inner, shape) : 0;
        return n && n < inner.n && inner.p[n] == ')' ? wrap.n + n + 1 : 0;
    }
    if (s.p[0] == '(' || s.p[0] == '[')
        return bracketed(s, shape);
    return report_is_digit(s.p[0]) ? crossed(s, shape) : 0;
}

/* ---- Ranges ------------------------------------------------------------------------------ */

static size_t range_middle(struct lw_str s)
{
    static const char *const words[] = {"and", "to", "..", ",", "-", "~"};
    size_t i = report_skip_blanks(s, 0);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (lw_str_has_prefix(lw_str_from(s, i), lw_str(words[k])))
            return report_skip_blanks(s, i + strlen(words[k]));
    return 0;
}

/* A number of a range: the digits only, since '-' and '..' may follow at once. */
static size_t range_end(struct lw_str s, double *value)
{
    size_t sign = s.n && s.p[0] == '-' ? 1 : 0;
    size_t n = report_digits(s, sign);
    if (!n)
        return 0;
    n += sign;
    if (n + 1 < s.n && s.p[n] == '.' && report_is_digit(s.p[n + 1]))
        n += 1 + report_digits(s, n + 1);
    else if (n + 1 < s.n && s.p[n] == '.' && strchr(",])", s.p[n + 1]))
        n++; /* "[0., 1.]" */
    return lw_parse_double(lw_str_part(s, 0, n), value) ? n : 0;
}

size_t report_range(struct lw_str s, double *low, double *high)
{
    bool open = s.n && (s.p[0] == '[' || s.p[0] == '(');
    size_t i = open ? report_skip_blanks(s, 1) : 0, n = range_end(lw_str_from(s, i), low);
    if (!n)
        return 0;
    i += n;
    size_t middle = range_middle(lw_str_from(s, i));
    if (!middle)
        return 0;
    i += middle;
    n = range_end(lw_str_from(s, i), high);
    if (!n || *low >= *high)
        return 0;
    i += n;
    if (open) {
        i = report_skip_blanks(s, i);
        return i < s.n && (s.p[i] == ']' || s.p[i] == ')') ? i + 1 : 0;
    }
    return i == s.n || !report_is_word(s.p[i]) ? i : 0;
}
