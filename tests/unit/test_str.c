#include "check.h"

#include "base/str.h"

static void comparing(void **state)
{
    (void)state;
    struct lw_str none = {NULL, 0};
    assert_true(lw_str_eq(none, LW_S("")));
    assert_false(lw_str_eq(LW_S("a"), LW_S("b")));
    assert_false(lw_str_eq(LW_S("a"), LW_S("ab")));
    assert_true(lw_str_eq_nocase(LW_S("NaN@["), LW_S("nAn@[")));
    assert_false(lw_str_eq_nocase(LW_S("@"), LW_S("`"))); /* 32 apart, no letters */
    assert_false(lw_str_eq_nocase(LW_S("a"), LW_S("ab")));
    assert_true(lw_str_cmp(LW_S("a"), LW_S("b")) < 0);
    assert_true(lw_str_cmp(LW_S("b"), LW_S("a")) > 0);
    assert_true(lw_str_cmp(LW_S("a"), LW_S("ab")) < 0);
    assert_true(lw_str_cmp(LW_S("ab"), LW_S("a")) > 0);
    assert_true(lw_str_cmp(LW_S("a"), LW_S("\xc3\xa9")) < 0); /* bytes are unsigned */
    assert_int_equal(lw_str_cmp(none, LW_S("")), 0);
    assert_true(lw_str_has_prefix(LW_S("abc"), LW_S("ab")));
    assert_false(lw_str_has_prefix(LW_S("a"), LW_S("ab")));
    assert_true(lw_str_has_suffix(LW_S("abc"), LW_S("bc")));
    assert_false(lw_str_has_suffix(LW_S("c"), LW_S("bc")));
    assert_true(lw_str_has_prefix(none, none) && lw_str_has_suffix(none, none));
    assert_int_equal(lw_str(NULL).n, 0);
}

static void finding(void **state)
{
    (void)state;
    struct lw_str none = {NULL, 0};
    assert_int_equal(lw_str_find(LW_S("abcabc"), LW_S("ca")), 2);
    assert_int_equal(lw_str_find(LW_S("abc"), LW_S("")), 0);
    assert_int_equal(lw_str_find(LW_S("abc"), LW_S("abcd")), LW_NPOS);
    assert_int_equal(lw_str_find(LW_S("abc"), LW_S("x")), LW_NPOS);
    assert_int_equal(lw_str_find(none, LW_S("x")), LW_NPOS);
    assert_int_equal(lw_str_find_char(LW_S("a/b/c"), '/'), 1);
    assert_int_equal(lw_str_find_last_char(LW_S("a/b/c"), '/'), 3);
    assert_int_equal(lw_str_find_char(none, 'a'), LW_NPOS);
    assert_int_equal(lw_str_find_last_char(LW_S("abc"), 'x'), LW_NPOS);
}

static void cutting(void **state)
{
    (void)state;
    struct lw_str none = {NULL, 0};
    assert_str(lw_str_from(LW_S("abc"), 1), "bc");
    assert_str(lw_str_from(LW_S("abc"), 9), "");
    assert_str(lw_str_from(none, 3), "");
    assert_str(lw_str_part(LW_S("abcdef"), 1, 3), "bcd");
    assert_str(lw_str_part(LW_S("abc"), 2, SIZE_MAX), "c");
    assert_str(lw_str_part(LW_S("abc"), 7, 2), "");
    assert_str(lw_str_trim(LW_S(" \t\r\n a b \n")), "a b");
    assert_str(lw_str_trim(LW_S(" \t\r\n ")), "");
    assert_str(lw_str_trim(none), "");
}

static void splitting(void **state)
{
    (void)state;
    struct lw_str rest = LW_S("a,,b"), piece;
    assert_true(lw_str_split(&rest, ',', &piece));
    assert_str(piece, "a");
    assert_true(lw_str_split(&rest, ',', &piece));
    assert_str(piece, "");
    assert_true(lw_str_split(&rest, ',', &piece));
    assert_str(piece, "b");
    assert_false(lw_str_split(&rest, ',', &piece));
    rest = LW_S("a,");
    assert_true(lw_str_split(&rest, ',', &piece));
    assert_false(lw_str_split(&rest, ',', &piece));
    rest = LW_S("");
    assert_false(lw_str_split(&rest, ',', &piece));
}

static void lines(void **state)
{
    (void)state;
    struct lw_str rest = LW_S("one\r\ntwo\n\n\r\nlast\r"), line;
    static const char *const expected[] = {"one", "two", "", "", "last"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(lw_str_line(&rest, &line));
        assert_str(line, expected[i]);
    }
    assert_false(lw_str_line(&rest, &line));
}

/* The plain recursive definition of optimal string alignment, as a reference. */
static size_t plain_distance(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t best = plain_distance(a, m - 1, b, n) + 1;
    size_t d = plain_distance(a, m, b, n - 1) + 1;
    best = d < best ? d : best;
    d = plain_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    best = d < best ? d : best;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        d = plain_distance(a, m - 2, b, n - 2) + 1;
        best = d < best ? d : best;
    }
    return best;
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(lw_str_distance(LW_S("verify"), LW_S("VERIFY"), 3), 0);
    assert_int_equal(lw_str_distance(LW_S("verfiy"), LW_S("verify"), 3), 1);
    assert_int_equal(lw_str_distance(LW_S("ca"), LW_S("abc"), 9), 3); /* alignment, not full */
    assert_int_equal(lw_str_distance(LW_S(""), LW_S("abc"), 9), 3);
    assert_int_equal(lw_str_distance(LW_S("abc"), LW_S("xyz"), 1), 2);
    char longest[65];
    memset(longest, 'a', sizeof longest);
    assert_int_equal(lw_str_distance(lw_str_n(longest, 64), lw_str_n(longest, 63), 3), 1);
    assert_int_equal(lw_str_distance(lw_str_n(longest, 65), lw_str_n(longest, 65), 3), 4);
    uint64_t seed = 1;
    for (int round = 0; round < 400; round++) {
        char a[6], b[6];
        for (int i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            a[i] = (char)('a' + (seed >> 60) % 3);
            b[i] = (char)('a' + (seed >> 40) % 3);
        }
        size_t m = (seed >> 33) % 7, n = (seed >> 37) % 7;
        assert_int_equal(lw_str_distance(lw_str_n(a, m), lw_str_n(b, n), 20),
                         plain_distance(a, m, b, n));
    }
}

/* Neighbouring keys must spread, or the maps crawl; and the value must not drift. */
static void hashing(void **state)
{
    (void)state;
    unsigned buckets[256] = {0};
    char key[16];
    for (int i = 0; i < 25600; i++) {
        int n = snprintf(key, sizeof key, "key%d", i);
        buckets[lw_str_hash(lw_str_n(key, (size_t)n)) & 255]++;
    }
    for (int i = 0; i < 256; i++)
        assert_in_range(buckets[i], 50, 170); /* mean 100, deviation 10 */
    assert_true(lw_str_hash(LW_S("")) != lw_str_hash(LW_S("\0")));
    assert_true(lw_str_hash(LW_S("12345678")) != lw_str_hash(LW_S("12345678\0")));
    assert_true(lw_str_hash((struct lw_str){NULL, 0}) == lw_str_hash(LW_S("")));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(comparing), cmocka_unit_test(finding), cmocka_unit_test(cutting),
    cmocka_unit_test(splitting), cmocka_unit_test(lines),   cmocka_unit_test(distances),
    cmocka_unit_test(hashing),
};
CHECK_MAIN(tests)
