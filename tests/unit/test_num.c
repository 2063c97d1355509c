#include "check.h"

#include <float.h>
#include <locale.h>
#include <math.h>

#include "base/num.h"

static void sums_and_products_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    size_t n = 7;
    assert_true(lw_add_size(SIZE_MAX - 1, 1, &n) && n == SIZE_MAX);
    assert_false(lw_add_size(SIZE_MAX, 1, &n));
    assert_true(n == SIZE_MAX);
    assert_true(lw_mul_size(SIZE_MAX / 2, 2, &n) && n == SIZE_MAX - 1);
    assert_false(lw_mul_size(SIZE_MAX / 2 + 1, 2, &n));
    int64_t i = 7;
    assert_true(lw_add_i64(INT64_MAX, INT64_MIN, &i) && i == -1);
    assert_false(lw_add_i64(INT64_MAX, 1, &i));
    assert_false(lw_add_i64(INT64_MIN, -1, &i));
    assert_true(lw_mul_i64(INT64_MIN / 2, 2, &i) && i == INT64_MIN);
    assert_false(lw_mul_i64(INT64_MIN, -1, &i));
    assert_true(i == INT64_MIN);
}

static void whole_numbers_are_read_strictly(void **state)
{
    (void)state;
    uint64_t u = 5;
    assert_true(lw_parse_u64(lw_str("18446744073709551615"), &u) && u == UINT64_MAX);
    assert_true(lw_parse_u64(lw_str("000"), &u) && u == 0);
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "1.0",
                                      "0x1",
                                      "1e3",
                                      "a",
                                      "\xb2",
                                      "1_",
                                      "18446744073709551616",
                                      "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lw_parse_u64(lw_str(bad[i]), &u));
    assert_false(lw_parse_u64(lw_str_n("1\0", 2), &u));
    int64_t s = 5;
    assert_true(lw_parse_i64(lw_str("-9223372036854775808"), &s) && s == INT64_MIN);
    assert_true(lw_parse_i64(lw_str("+9223372036854775807"), &s) && s == INT64_MAX);
    assert_true(lw_parse_i64(lw_str("-0"), &s) && s == 0);
    static const char *const bad_signed[] = {
        "", "-", "+", "--1", "+-1", " 1", "1-", "9223372036854775808", "-9223372036854775809"};
    for (size_t i = 0; i < sizeof bad_signed / sizeof *bad_signed; i++)
        assert_false(lw_parse_i64(lw_str(bad_signed[i]), &s));
    assert_true(s == 0);
}

static double read_back(const char *text)
{
    double x = -77;
    assert_true(lw_parse_double(lw_str(text), &x));
    return x;
}

static void doubles_are_read_strictly(void **state)
{
    (void)state;
    assert_true(read_back("1") == 1 && read_back("-1.5e3") == -1500 && read_back(".5") == 0.5);
    assert_true(read_back("5.") == 5 && read_back("+1E-2") == 0.01);
    assert_true(read_back("1e999") == (double)INFINITY && read_back("1e-999") == 0);
    assert_true(signbit(read_back("-0")) && !signbit(read_back("0")));
    assert_true(isnan(read_back("nan")) && isnan(read_back("-NaN")));
    assert_true(read_back("inf") == (double)INFINITY);
    assert_true(read_back("+Infinity") == (double)INFINITY);
    assert_true(read_back("-INF") == -(double)INFINITY);
    assert_true(read_back("4.9e-324") == 4.9e-324);
    static const char *const bad[] = {"",     " ",       " 1",   "1 ",  "1e",    "e5",
                                      ".",    "-",       "+",    "--1", "1.2.3", "0x1p3",
                                      "0X10", "1,5",     "1d3",  "na",  "nan()", "infin",
                                      "i",    "nan(12)", "1e5.", "1f",  "1e+",   "-.e1"};
    double x = 3;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (lw_parse_double(lw_str(bad[i]), &x))
            fail_msg("'%s' was read as %g", bad[i], x);
    assert_false(lw_parse_double(lw_str_n("1\0", 2), &x));
    assert_false(lw_parse_double(lw_str_n(NULL, 0), &x));
    assert_true(x == 3);
    /* The text need not end with a NUL, and may be long. */
    assert_true(lw_parse_double(lw_str_n("12345", 2), &x) && x == 12);
    char digits[1200];
    memset(digits, '0', sizeof digits);
    memcpy(digits, "1.", 2);
    assert_true(lw_parse_double(lw_str_n(digits, sizeof digits), &x) && x == 1);
}

static void check_print(double x, const char *expected)
{
    char text[LW_DOUBLE_TEXT];
    assert_string_equal(lw_print_double(x, text), expected);
    double back = 0;
    assert_true(lw_parse_double(lw_str(text), &back));
    assert_memory_equal(&back, &x, sizeof x);
}

/* The expected texts are those of Python's repr, less ".0". */
static void doubles_are_printed_shortest(void **state)
{
    (void)state;
    check_print(0, "0");
    check_print(-0.0, "-0");
    check_print(0.1, "0.1");
    check_print(10, "10");
    check_print(-100, "-100");
    check_print(123456, "123456");
    check_print(1e15, "1000000000000000");
    check_print(1e16, "1e+16");
    check_print(1e300, "1e+300");
    check_print(1.5e300, "1.5e+300");
    check_print(0.0001, "0.0001");
    check_print(0.00001, "1e-05");
    check_print(0.000123456, "0.000123456");
    check_print(1.0 / 3, "0.3333333333333333");
    check_print(12.75, "12.75");
    check_print(DBL_MAX, "1.7976931348623157e+308");
    check_print(DBL_MIN, "2.2250738585072014e-308");
    check_print(5e-324, "5e-324");
    check_print(-1.2345678901234567e-310, "-1.23456789012346e-310");
    check_print(9007199254740993.0, "9007199254740992");
    /* Below a power of two doubles lie closer: here the nearest 16 digits do not read back,
     * but other 16 digits do. */
    check_print(5.684341886080802e-14, "5.684341886080802e-14");
    char text[LW_DOUBLE_TEXT];
    assert_string_equal(lw_print_double((double)INFINITY, text), "inf");
    assert_string_equal(lw_print_double(-(double)INFINITY, text), "-inf");
    assert_string_equal(lw_print_double((double)NAN, text), "nan");
}

static void check_rounded(double x, const char *expected)
{
    char text[LW_DOUBLE_TEXT];
    assert_string_equal(lw_print_rounded(x, text), expected);
}

static void doubles_are_rounded_for_people(void **state)
{
    (void)state;
    check_rounded(0.49916666666666665, "0.4992");
    check_rounded(0.0033333333333333335, "0.003333");
    check_rounded(0.14000000059604645, "0.14");
    check_rounded(-8.034338653453842, "-8.034");
    check_rounded(9.99996, "9.99996");
    check_rounded(0.00001, "1e-05");
    check_rounded(1.23456e-7, "1.235e-07");
    /* Digits in front of the point stay. */
    check_rounded(34865198, "34865198");
    check_rounded(247974.25, "247974");
    check_rounded(1e15, "1000000000000000");
    check_rounded(1.23456e20, "1.235e+20");
    check_rounded(DBL_MAX, "1.798e+308");
    /* A value next to a whole number must not look like it: log(1 - p) depends on it. */
    check_rounded(0.9999999403953552, "0.9999999");
    check_rounded(1.0000009536743164, "1.000001");
    check_rounded(100.00004, "100.00004");
    check_rounded(0.4999999, "0.5");
    check_rounded(0, "0");
    check_rounded(-0.0, "0");
    check_rounded((double)INFINITY, "inf");
    check_rounded(-(double)INFINITY, "-inf");
    check_rounded((double)NAN, "nan");
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                        "fr_FR.utf8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++)
        set = setlocale(LC_ALL, names[i]);
    if (!set)
        print_message("# no locale with a decimal comma is installed: compared in C only\n");
    check_print(-1234.5, "-1234.5");
    check_print(1.5e-9, "1.5e-09");
    double x;
    assert_false(lw_parse_double(lw_str("1,5"), &x));
    setlocale(LC_ALL, "C");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums_and_products_that_do_not_fit_are_refused),
    cmocka_unit_test(whole_numbers_are_read_strictly),
    cmocka_unit_test(doubles_are_read_strictly),
    cmocka_unit_test(doubles_are_printed_shortest),
    cmocka_unit_test(doubles_are_rounded_for_people),
    cmocka_unit_test(the_locale_does_not_matter),
};
CHECK_MAIN(tests)
