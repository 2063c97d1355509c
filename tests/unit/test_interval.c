#include "check.h"

#include <math.h>

#include "base/buf.h"
#include "knowledge/interval.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double pick(uint64_t *rng, double lo, double hi)
{
    double u = (double)(next_random(rng) >> 11) / 9007199254740992.0;
    uint64_t how = next_random(rng) % 8;
    double x = how == 0 ? lo : how == 1 ? hi : lo + u * (hi - lo);
    return (double)(float)x;
}

static bool holds(struct lw_interval r, double y)
{
    if (isnan(y))
        return (r.flags & LW_IV_NAN) != 0;
    if (isinf(y))
        return (r.flags & LW_IV_INF) != 0 || r.lo == y || r.hi == y;
    double slack = 1e-5 * fmax(1, fabs(y));
    return y >= r.lo - slack && y <= r.hi + slack;
}

static struct lw_interval random_interval(uint64_t *rng)
{
    static const double ends[] = {-200, -90, -5, -1, -1e-3, 0,  1e-30,
                                  1e-3, 0.5, 1,  3,  20,    90, 300};
    double a = ends[next_random(rng) % 14], b = ends[next_random(rng) % 14];
    return lw_iv_between((double)(float)fmin(a, b), (double)(float)fmax(a, b));
}

static float f_sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

static float f_relu(float x)
{
    return x > 0 ? x : 0;
}

static float f_square(float x)
{
    return x * x;
}

static float f_softplus(float x)
{
    return x > 20 ? x : log1pf(expf(x));
}

static float f_rsqrt(float x)
{
    return 1 / sqrtf(x);
}

static float f_reciprocal(float x)
{
    return 1 / x;
}

/* Whatever value goes in, what float32 gives lies in the interval, or NaN and infinity are
 * told. */
static void functions_are_sound(void **state)
{
    static const struct {
        const char *name;
        float (*f)(float);
    } table[] = {{"exp", expf},
                 {"log", logf},
                 {"sqrt", sqrtf},
                 {"sigmoid", f_sigmoid},
                 {"tanh", tanhf},
                 {"relu", f_relu},
                 {"square", f_square},
                 {"abs", fabsf},
                 {"log1p", log1pf},
                 {"expm1", expm1f},
                 {"softplus", f_softplus},
                 {"rsqrt", f_rsqrt},
                 {"reciprocal", f_reciprocal},
                 {"floor", floorf},
                 {"ceil", ceilf},
                 {"sin", sinf},
                 {"cos", cosf},
                 {"log2", log2f},
                 {"log10", log10f},
                 {"atan", atanf},
                 {"acos", acosf},
                 {"asin", asinf},
                 {"cosh", coshf},
                 {"sinh", sinhf}};
    uint64_t rng = 99991;
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        lw_iv_function *f = lw_iv_find(lw_str(table[k].name));
        assert_non_null(f);
        for (int i = 0; i < 3000; i++) {
            struct lw_interval a = random_interval(&rng), r = f(a);
            double x = pick(&rng, a.lo, a.hi), y = (double)table[k].f((float)x);
            if (!holds(r, y))
                fail_msg("%s(%g) = %g, interval [%g, %g] of [%g, %g]", table[k].name, x, y,
                         r.lo, r.hi, a.lo, a.hi);
        }
    }
}

typedef struct lw_interval binary(struct lw_interval a, struct lw_interval b);

static void arithmetic_is_sound(void **state)
{
    static binary *const ops[] = {lw_iv_add, lw_iv_sub, lw_iv_mul, lw_iv_div,
                                  lw_iv_min, lw_iv_max, lw_iv_pow};
    uint64_t rng = 77777;
    (void)state;
    for (int k = 0; k < 7; k++) {
        for (int i = 0; i < 20000; i++) {
            struct lw_interval a = random_interval(&rng), b = random_interval(&rng);
            if (k == 6 && i % 2) /* mostly constant exponents */
                b = lw_iv_number((double)((int)(next_random(&rng) % 7) - 3) / 2);
            float x = (float)pick(&rng, a.lo, a.hi), y = (float)pick(&rng, b.lo, b.hi);
            float z[] = {x + y, x - y, x * y, x / y, fminf(x, y), fmaxf(x, y), powf(x, y)};
            struct lw_interval r = ops[k](a, b);
            if (!holds(r, (double)z[k]) && !(k == 6 && r.lo == -INFINITY))
                fail_msg("op %d: %g, %g gives %g, interval [%g, %g]", k, (double)x, (double)y,
                         (double)z[k], r.lo, r.hi);
        }
    }
}

static void a_lost_epsilon_is_lost(void **state)
{
    (void)state;
    struct lw_interval p = lw_iv_between(0, 1), one = lw_iv_number(1), e = lw_iv_number(1e-10);
    /* 1e-10 + 1 - p: the epsilon vanishes in float32, 0 can be reached */
    struct lw_interval lost = lw_iv_sub(lw_iv_as(lw_iv_add(e, one), LW_F32), p);
    assert_int_equal(lw_iv_above(lost, 0, false), LW_TRI_NO);
    struct lw_interval kept = lw_iv_add(lw_iv_sub(one, p), e);
    assert_int_equal(lw_iv_above(kept, 0, false), LW_TRI_YES);
    /* in float64 it is kept both ways */
    struct lw_interval q = lw_iv_as(p, LW_F64);
    struct lw_interval sum = lw_iv_sub(lw_iv_as(lw_iv_add(e, one), LW_F64), q);
    assert_int_equal(lw_iv_above(sum, 0, false), LW_TRI_YES);
}

static void limits_of_float32_are_reached(void **state)
{
    (void)state;
    lw_iv_function *sigmoid = lw_iv_find(LW_S("sigmoid")),
                   *exponential = lw_iv_find(LW_S("exp"));
    struct lw_interval any = lw_iv_unbounded(LW_WHY_NETWORK, 7);
    struct lw_interval p = sigmoid(any);
    assert_true(p.lo == 0 && p.hi == 1);
    assert_int_equal(lw_iv_above(p, 0, false), LW_TRI_NO);
    assert_int_equal(p.line, 7);
    assert_int_equal(lw_iv_above(sigmoid(lw_iv_between(-10, 10)), 0, false), LW_TRI_YES);
    assert_int_equal(lw_iv_below(sigmoid(lw_iv_between(-30, 30)), 1, false), LW_TRI_NO);
    struct lw_interval big = exponential(lw_iv_between(0, 100));
    assert_true(isinf(big.hi) && (big.flags & LW_IV_INF));
    /* Logits of which nothing is known saturate as others do; exp of them is not reported. */
    assert_int_equal(lw_iv_above(sigmoid(lw_iv_unknown()), 0, false), LW_TRI_NO);
    assert_int_equal(lw_iv_below(exponential(lw_iv_unknown()), 88, true), LW_TRI_MAYBE);
    assert_int_equal(lw_iv_above(lw_iv_max(lw_iv_unknown(), lw_iv_number(1e-7)), 0, false),
                     LW_TRI_YES);
}

/* 0 comes up where values are cut off there, whatever else they are. */
static void a_zero_goes_on(void **state)
{
    (void)state;
    struct lw_interval any = lw_iv_unknown(), one = lw_iv_number(1);
    struct lw_interval cut = lw_iv_find(LW_S("relu"))(any);
    struct lw_interval square = lw_iv_find(LW_S("square"))(any);
    assert_int_equal(lw_iv_avoids(cut, 0), LW_TRI_NO);
    assert_int_equal(lw_iv_avoids(lw_iv_max(any, lw_iv_number(0)), 0), LW_TRI_NO);
    assert_int_equal(lw_iv_avoids(square, 0), LW_TRI_MAYBE);
    assert_int_equal(lw_iv_avoids(any, 0), LW_TRI_MAYBE);
    struct lw_interval product = lw_iv_mul(cut, square);
    assert_int_equal(lw_iv_above(product, 0, false), LW_TRI_NO);
    assert_int_equal(lw_iv_above(product, 0, true), LW_TRI_YES);
    assert_int_equal(lw_iv_below(product, 1e6, true), LW_TRI_MAYBE);
    assert_int_equal(lw_iv_avoids(lw_iv_find(LW_S("sqrt"))(product), 0), LW_TRI_NO);
    assert_int_equal(lw_iv_avoids(lw_iv_sum(product, 1, 9), 0), LW_TRI_NO);
    /* not behind an epsilon, exp, or a factor of unknown sign */
    assert_int_equal(lw_iv_avoids(lw_iv_add(product, lw_iv_number(1e-6)), 0), LW_TRI_YES);
    assert_int_equal(lw_iv_avoids(lw_iv_find(LW_S("exp"))(cut), 0), LW_TRI_YES);
    assert_int_equal(lw_iv_avoids(lw_iv_sub(one, lw_iv_mul(cut, any)), 0), LW_TRI_MAYBE);
    assert_int_equal(lw_iv_avoids(lw_iv_mul(cut, any), 0), LW_TRI_MAYBE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_sound),
        cmocka_unit_test(arithmetic_is_sound),
        cmocka_unit_test(a_lost_epsilon_is_lost),
        cmocka_unit_test(limits_of_float32_are_reached),
        cmocka_unit_test(a_zero_goes_on),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
