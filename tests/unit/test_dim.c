#include "check.h"

#include "base/buf.h"
#include "knowledge/dim.h"
#include "knowledge/shape.h"

/* A small generator of our own: the same numbers on every run. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(next_random(state) % (uint64_t)n);
}

static void assert_prints(struct lw_dims *c, lw_dim d, const char *expected)
{
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    lw_dim_print(c, d, &b);
    assert_string_equal(lw_buf_z(&b), expected);
    lw_buf_release(&b);
}

static void integers_are_exact(void **state)
{
    (void)state;
    struct lw_dims c;
    int64_t v;
    lw_dims_init(&c, NULL);
    lw_dim big = lw_dim_big(&c, INT64_C(1) << 40);
    assert_true(lw_dim_is_int(&c, big, &v));
    assert_int_equal(v, INT64_C(1) << 40);
    assert_true(lw_dim_is_int(&c, lw_dim_floordiv(&c, lw_dim_int(-7), lw_dim_int(2)), &v));
    assert_int_equal(v, -4);
    assert_true(lw_dim_is_int(&c, lw_dim_mod(&c, lw_dim_int(-7), lw_dim_int(3)), &v));
    assert_int_equal(v, 2);
    assert_int_equal(lw_dim_floordiv(&c, big, lw_dim_int(0)), LW_DIM_UNKNOWN);
    assert_int_equal(lw_dim_mul(&c, big, lw_dim_mul(&c, big, big)), LW_DIM_UNKNOWN);
    lw_dims_release(&c);
}

static void equal_expressions_are_one(void **state)
{
    (void)state;
    struct lw_dims c;
    lw_dims_init(&c, NULL);
    lw_dim n = lw_dim_symbol(&c, LW_S("n"), 1, LW_DIM_MOST);
    lw_dim h = lw_dim_symbol(&c, LW_S("h"), 0, LW_DIM_MOST);
    lw_dim a = lw_dim_mul(&c, lw_dim_add(&c, n, h), lw_dim_add(&c, n, h));
    lw_dim b = lw_dim_add(&c, lw_dim_mul(&c, n, n),
                          lw_dim_add(&c, lw_dim_mul(&c, h, h),
                                     lw_dim_mul(&c, lw_dim_int(2), lw_dim_mul(&c, h, n))));
    assert_int_equal(a, b);
    assert_int_equal(lw_dim_floordiv(&c, lw_dim_mul(&c, n, lw_dim_int(400)), n),
                     lw_dim_int(400));
    /* Two strided layers in a row are one division. */
    lw_dim half = lw_dim_floordiv(&c, h, lw_dim_int(2));
    assert_int_equal(lw_dim_floordiv(&c, half, lw_dim_int(3)),
                     lw_dim_floordiv(&c, h, lw_dim_int(6)));
    assert_int_equal(lw_dim_eq(&c, n, lw_dim_int(0)), LW_TRI_NO);
    assert_int_equal(lw_dim_eq(&c, h, lw_dim_int(0)), LW_TRI_MAYBE);
    assert_int_equal(lw_dim_eq(&c, lw_dim_mul(&c, h, lw_dim_int(2)), lw_dim_int(7)), LW_TRI_NO);
    assert_int_equal(lw_dim_less(&c, h, lw_dim_add(&c, h, n)), LW_TRI_YES);
    assert_prints(&c, lw_dim_add(&c, half, lw_dim_int(1)), "h//2 + 1");
    assert_prints(&c, lw_dim_sub(&c, lw_dim_mul(&c, lw_dim_int(2), n), h), "2*n - h");
    assert_prints(&c, LW_DIM_UNKNOWN, "?");
    lw_dims_release(&c);
}

static void facts_bind_and_are_undone(void **state)
{
    (void)state;
    struct lw_dims c;
    int64_t v;
    lw_dims_init(&c, NULL);
    lw_dim n = lw_dim_symbol(&c, LW_S("n"), 1, LW_DIM_MOST);
    lw_dim m = lw_dim_symbol(&c, LW_S("m"), 1, LW_DIM_MOST);
    size_t mark = lw_dims_mark(&c);
    assert_int_equal(lw_dim_assume_eq(&c, lw_dim_add(&c, m, lw_dim_int(1)), n), LW_TRI_YES);
    assert_int_equal(lw_dim_assume_eq(&c, n, lw_dim_int(8)), LW_TRI_YES);
    assert_true(lw_dim_is_int(&c, lw_dim_mul(&c, m, n), &v));
    assert_int_equal(v, 56);
    assert_int_equal(lw_dim_assume_eq(&c, m, lw_dim_int(9)), LW_TRI_NO);
    lw_dims_rewind(&c, mark);
    assert_false(lw_dim_is_int(&c, n, &v));
    assert_int_equal(lw_dim_eq(&c, n, lw_dim_int(3)), LW_TRI_MAYBE);
    lw_dim_assume_least(&c, n, 5);
    assert_int_equal(lw_dim_eq(&c, n, lw_dim_int(3)), LW_TRI_NO);
    lw_dims_release(&c);
}

/* A random expression, built symbolically and evaluated with plain integers side by side. */
struct pair {
    lw_dim d;
    int64_t v;
    bool known;
};

enum { SYMBOLS = 4 };

static struct pair random_pair(struct lw_dims *c, uint64_t *rng, const lw_dim *symbols,
                               const int64_t *values, int depth)
{
    if (depth == 0 || below(rng, 4) == 0) {
        int64_t i = below(rng, SYMBOLS + 2);
        if (i < SYMBOLS)
            return (struct pair){symbols[i], values[i], true};
        int64_t k = below(rng, 21) - 10;
        return (struct pair){lw_dim_int((int32_t)k), k, true};
    }
    struct pair a = random_pair(c, rng, symbols, values, depth - 1);
    struct pair b = random_pair(c, rng, symbols, values, depth - 1);
    struct pair r = {.known = a.known && b.known};
    switch (below(rng, 7)) {
    case 0: r.d = lw_dim_add(c, a.d, b.d), r.v = a.v + b.v; break;
    case 1: r.d = lw_dim_sub(c, a.d, b.d), r.v = a.v - b.v; break;
    case 2: r.d = lw_dim_mul(c, a.d, b.d), r.v = a.v * b.v; break;
    case 3: {
        int64_t k = 1 + below(rng, 9);
        r.d = lw_dim_floordiv(c, a.d, lw_dim_int((int32_t)k));
        r.v = a.v / k - (a.v % k < 0);
        break;
    }
    case 4: {
        int64_t k = 1 + below(rng, 9);
        r.d = lw_dim_mod(c, a.d, lw_dim_int((int32_t)k));
        r.v = (a.v % k + k) % k;
        break;
    }
    case 5: r.d = lw_dim_min(c, a.d, b.d), r.v = a.v < b.v ? a.v : b.v; break;
    default: r.d = lw_dim_max(c, a.d, b.d), r.v = a.v > b.v ? a.v : b.v; break;
    }
    return r;
}

static void check_pair(struct lw_dims *c, struct pair p, struct pair q, const int64_t *values)
{
    int64_t v, least, most;
    if (!p.d)
        return;
    assert_true(lw_dim_eval(c, p.d, values, &v));
    assert_int_equal(v, p.v);
    lw_dim_bounds(c, p.d, &least, &most);
    assert_true(least <= p.v && p.v <= most);
    if (!q.d)
        return;
    lw_tri equal = lw_dim_eq(c, p.d, q.d), less = lw_dim_less(c, p.d, q.d);
    assert_false(equal == LW_TRI_YES && p.v != q.v);
    assert_false(equal == LW_TRI_NO && p.v == q.v);
    assert_false(less == LW_TRI_YES && p.v >= q.v);
    assert_false(less == LW_TRI_NO && p.v < q.v);
}

static void algebra_agrees_with_numbers(void **state)
{
    (void)state;
    uint64_t rng = 88172645463325252u;
    for (int round = 0; round < 400; round++) {
        struct lw_dims c;
        lw_dim symbols[SYMBOLS];
        int64_t values[SYMBOLS];
        lw_dims_init(&c, NULL);
        for (int i = 0; i < SYMBOLS; i++) {
            values[i] = below(&rng, 12);
            symbols[i] = lw_dim_symbol(&c, LW_S("s"), 0, i == 0 ? 11 : LW_DIM_MOST);
        }
        for (int k = 0; k < 30; k++) {
            struct pair p = random_pair(&c, &rng, symbols, values, 4);
            struct pair q = random_pair(&c, &rng, symbols, values, 4);
            check_pair(&c, p, q, values);
        }
        assert_int_equal(c.failed, 0);
        lw_dims_release(&c);
    }
}

/* Facts that are true of the numbers never make an answer false. */
static void facts_keep_answers_true(void **state)
{
    (void)state;
    uint64_t rng = 1234567891234567u;
    for (int round = 0; round < 400; round++) {
        struct lw_dims c;
        lw_dim symbols[SYMBOLS];
        int64_t values[SYMBOLS];
        lw_dims_init(&c, NULL);
        for (int i = 0; i < SYMBOLS; i++) {
            values[i] = below(&rng, 6);
            symbols[i] = lw_dim_symbol(&c, LW_S("s"), 0, LW_DIM_MOST);
        }
        for (int k = 0; k < 20; k++) {
            struct pair p = random_pair(&c, &rng, symbols, values, 3);
            struct pair q = random_pair(&c, &rng, symbols, values, 3);
            if (p.v == q.v && p.d && q.d)
                assert_int_not_equal(lw_dim_assume_eq(&c, p.d, q.d), LW_TRI_NO);
            check_pair(&c, p, q, values);
        }
        lw_dims_release(&c);
    }
}

static int use_dims(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_dims c;
    lw_dims_init(&c, mem);
    lw_dim n = lw_dim_symbol(&c, LW_S("n"), 1, LW_DIM_MOST);
    lw_dim m = lw_dim_floordiv(&c, lw_dim_add(&c, n, lw_dim_int(3)), lw_dim_int(2));
    for (int i = 0; i < 100; i++)
        m = lw_dim_add(&c, lw_dim_mul(&c, m, lw_dim_int(1)), n);
    lw_dim_assume_eq(&c, n, lw_dim_int(4));
    lw_dim_eq(&c, m, lw_dim_int(5));
    int rc = c.failed;
    lw_dims_release(&c);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(use_dims, NULL);
}

/* ---- Shapes ------------------------------------------------------------------------------ */

static struct lw_shape ints(int n, int a, int b, int d)
{
    lw_dim dims[3] = {lw_dim_int(a), lw_dim_int(b), lw_dim_int(d)};
    return lw_shape_make(dims, (size_t)n);
}

static void assert_shape(struct lw_dims *c, const struct lw_shape *s, const char *expected)
{
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    lw_shape_print(c, s, &b);
    assert_string_equal(lw_buf_z(&b), expected);
    lw_buf_release(&b);
}

static void shapes_with_gaps_keep_what_they_know(void **state)
{
    (void)state;
    struct lw_dims c;
    lw_dims_init(&c, NULL);
    struct lw_shape any = lw_shape_unknown(), s = any, r;
    assert_shape(&c, &any, "(...)");
    lw_shape_push(&s, lw_dim_int(10));
    assert_shape(&c, &s, "(..., 10)");
    s = lw_shape_insert(&s, 0, lw_dim_int(32));
    assert_shape(&c, &s, "(32, ..., 10)");
    assert_int_equal(lw_shape_at(&s, -1), lw_dim_int(10));
    assert_int_equal(lw_shape_at(&s, 0), lw_dim_int(32));
    assert_int_equal(lw_shape_at(&s, 1), LW_DIM_UNKNOWN);
    r = lw_shape_slice(&s, 0, -1);
    assert_shape(&c, &r, "(32, ...)");
    r = lw_shape_drop(&s, -1);
    assert_shape(&c, &r, "(32, ...)");
    struct lw_shape a = ints(3, 32, 5, 10), b = ints(2, 32, 10, 0);
    r = lw_shape_join(&c, &a, &b);
    assert_shape(&c, &r, "(32, ..., 10)");
    assert_int_equal(lw_shape_eq(&c, &a, &b), LW_TRI_NO);
    assert_int_equal(lw_shape_eq(&c, &a, &s), LW_TRI_MAYBE);
    struct lw_shape one = ints(1, 7, 0, 0);
    assert_shape(&c, &one, "(7,)");
    assert_int_equal(lw_shape_eq(&c, &one, &s), LW_TRI_NO);
    lw_dims_release(&c);
}

static void reshape_solves_and_refuses(void **state)
{
    (void)state;
    struct lw_dims c;
    lw_dims_init(&c, NULL);
    lw_dim n = lw_dim_symbol(&c, LW_S("n"), 1, LW_DIM_MOST);
    struct lw_shape x = ints(3, 0, 5, 5), want, r;
    x.d[0] = lw_dim_mul(&c, n, lw_dim_int(16));
    want = ints(2, -1, 400, 0);
    assert_int_equal(lw_shape_reshape(&c, &x, &want, &r), LW_TRI_YES);
    assert_shape(&c, &r, "(n, 400)");
    struct lw_shape fixed = ints(2, 4, 6, 0);
    want = ints(2, -1, 5, 0);
    assert_int_equal(lw_shape_reshape(&c, &fixed, &want, &r), LW_TRI_NO);
    want = ints(2, -1, -1, 0);
    assert_int_equal(lw_shape_reshape(&c, &fixed, &want, &r), LW_TRI_NO);
    want = ints(3, 2, 3, 4);
    assert_int_equal(lw_shape_reshape(&c, &fixed, &want, &r), LW_TRI_YES);
    lw_dims_release(&c);
}

static void broadcasting_is_three_valued(void **state)
{
    (void)state;
    struct lw_dims c;
    lw_dims_init(&c, NULL);
    lw_dim n = lw_dim_symbol(&c, LW_S("n"), 2, LW_DIM_MOST);
    struct lw_shape a = ints(2, 4, 1, 0), b = ints(1, 3, 0, 0), r;
    assert_int_equal(lw_shape_broadcast(&c, &a, &b, &r), LW_TRI_YES);
    assert_shape(&c, &r, "(4, 3)");
    b.d[0] = n;
    struct lw_shape three = ints(1, 3, 0, 0), four = ints(1, 4, 0, 0);
    assert_int_equal(lw_shape_broadcast(&c, &three, &b, &r), LW_TRI_MAYBE);
    assert_shape(&c, &r, "(3,)");
    assert_int_equal(lw_shape_broadcast(&c, &three, &four, &r), LW_TRI_NO);
    struct lw_shape any = lw_shape_unknown();
    assert_int_equal(lw_shape_broadcast(&c, &any, &four, &r), LW_TRI_MAYBE);
    lw_dims_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(equal_expressions_are_one),
        cmocka_unit_test(facts_bind_and_are_undone),
        cmocka_unit_test(algebra_agrees_with_numbers),
        cmocka_unit_test(facts_keep_answers_true),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(shapes_with_gaps_keep_what_they_know),
        cmocka_unit_test(reshape_solves_and_refuses),
        cmocka_unit_test(broadcasting_is_three_valued),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
