/*
 * num - integer arithmetic that cannot wrap, and strict reading of numbers.
 *
 * The arithmetic functions return false and leave the result alone when it would not fit.
 */
#ifndef LW_BASE_NUM_H
#define LW_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lacewing.h"

static inline bool lw_add_size(size_t a, size_t b, size_t *out)
{
    size_t r;
    if (__builtin_add_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool lw_mul_size(size_t a, size_t b, size_t *out)
{
    size_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool lw_add_i64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    if (__builtin_add_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

static inline bool lw_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *out = r;
    return true;
}

/* The whole text must be the number, in the C locale whatever the process has set; no blanks.
 */
bool lw_parse_i64(struct lw_str text, int64_t *out);
bool lw_parse_u64(struct lw_str text, uint64_t *out);

/* Decimal or exponent form, nan, inf, infinity with an optional sign; no hexadecimal form. */
bool lw_parse_double(struct lw_str text, double *out);

enum { LW_DOUBLE_TEXT = 32 };

/* The fewest digits that read back as the same double, in the C locale whatever the process has
 * set: plain from 0.0001 to below 1e16 ("0.1", "100"), else with an exponent ("1e+300"); "nan",
 * "inf", "-0". As Python's repr, but without ".0". Returns `out`. */
const char *lw_print_double(double x, char out[LW_DOUBLE_TEXT]);

/* For people: rounded to four significant digits, but never in front of the point ("0.4992",
 * "247974"), and with more digits where four would make a whole number of a fraction
 * ("0.999999", "1.000001"). Else as lw_print_double(). Returns `out`. */
const char *lw_print_rounded(double x, char out[LW_DOUBLE_TEXT]);

#endif
