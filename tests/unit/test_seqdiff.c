#include "check.h"

#include "base/seqdiff.h"

static uint32_t pick(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* The length of a longest common subsequence, by the textbook table. */
static size_t longest(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
    static uint32_t row[4096];
    assert_true(m < 4095);
    memset(row, 0, sizeof row);
    for (size_t i = 0; i < n; i++) {
        uint32_t corner = 0;
        for (size_t j = 0; j < m; j++) {
            uint32_t above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? corner + 1 : above > row[j] ? above : row[j];
            corner = above;
        }
    }
    return row[m];
}

/* Marked elements are equal in order; returns how many there are. */
static size_t common(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
    static bool keep_a[100000], keep_b[100000];
    size_t count = 0;
    assert_true(n < 100000 && m < 100000);
    assert_int_equal(lw_seqdiff(NULL, a, n, b, m, keep_a, keep_b), 0);
    size_t j = 0;
    for (size_t i = 0; i < n; i++) {
        if (!keep_a[i])
            continue;
        while (j < m && !keep_b[j])
            j++;
        assert_true(j < m);
        assert_int_equal(a[i], b[j]);
        j++;
        count++;
    }
    for (; j < m; j++)
        assert_false(keep_b[j]);
    return count;
}

static void short_ones_are_longest(void **state)
{
    (void)state;
    uint64_t seed = 5, a[64], b[64];
    for (int round = 0; round < 20000; round++) {
        size_t n = pick(&seed, 40), m = pick(&seed, 40);
        uint32_t letters = 1 + pick(&seed, 12);
        for (size_t i = 0; i < n; i++)
            a[i] = pick(&seed, letters);
        for (size_t i = 0; i < m; i++)
            b[i] = pick(&seed, letters);
        assert_int_equal(common(a, n, b, m), longest(a, n, b, m));
    }
}

static void edited_ones_are_longest(void **state)
{
    (void)state;
    static uint64_t a[4000], b[4000];
    uint64_t seed = 9;
    for (int round = 0; round < 20; round++) {
        size_t n = 3000, m = 0;
        for (size_t i = 0; i < n; i++)
            a[i] = pick(&seed, 500);
        for (size_t i = 0; i < n; i++) {
            uint32_t what = pick(&seed, 60);
            if (what == 0)
                b[m++] = pick(&seed, 500);
            if (what != 1)
                b[m++] = a[i];
        }
        assert_int_equal(common(a, n, b, m), longest(a, n, b, m));
    }
}

/* Beyond the cost the result is still common and in order, and most of what there is. */
static void expensive_ones_are_common(void **state)
{
    (void)state;
    static uint64_t a[90000], b[90000];
    uint64_t seed = 3;
    for (size_t i = 0; i < 90000; i++) {
        a[i] = pick(&seed, 40);
        b[i] = pick(&seed, 40);
    }
    assert_true(common(a, 90000, b, 90000) > 9000);
    assert_true(common(a, 3500, b, 3500) * 10 > longest(a, 3500, b, 3500) * 7);
    assert_int_equal(common(a, 90000, a, 90000), 90000);
    assert_int_equal(common(a, 90000, a, 0), 0);
    assert_int_equal(common(a, 0, a, 0), 0);
}

static int compare(struct lw_mem *mem, void *data)
{
    (void)data;
    static const uint64_t a[] = {1, 2, 3, 4, 5, 6, 7}, b[] = {2, 9, 4, 3, 6, 5, 8};
    bool x[7], y[7];
    return lw_seqdiff(mem, a, 7, b, 7, x, y);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(compare, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(short_ones_are_longest),
    cmocka_unit_test(edited_ones_are_longest),
    cmocka_unit_test(expensive_ones_are_common),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
