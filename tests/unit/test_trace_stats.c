/* Statistics of tensors against plain sums over all values. */
#include "trace/stats.h"

#include <math.h>

#include "check.h"

enum { MANY = 100000 };

static float *some_values(size_t n)
{
    float *v = malloc(n * sizeof *v);
    uint32_t x = 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        v[i] = (float)(x >> 8) / (1 << 24) * 4 - 1; /* evenly in [-1, 3) */
    }
    return v;
}

static void near(double actual, double expected, double share)
{
    if (!(fabs(actual - expected) <= share * (1 + fabs(expected))))
        fail_msg("%.9g instead of %.9g", actual, expected);
}

static double power_sum(const float *v, size_t n, double from, int power)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow((double)v[i] - from, power);
    return sum / (double)n;
}

static void every_value_counts(void **state)
{
    (void)state;
    float *v = some_values(MANY);
    v[0] = 0, v[1] = 1e-9f, v[2] = NAN, v[3] = INFINITY, v[4] = -INFINITY;
    struct lw_tensor_stats s;
    lw_tensor_describe(&s, (struct lw_tensor){v, MANY, LW_DTYPE_F32}, 0);
    assert_int_equal(s.n, MANY);
    assert_int_equal(s.seen, MANY);
    assert_int_equal(s.nan, 1);
    assert_int_equal(s.inf, 2);
    assert_int_equal(s.zeros, 1);
    v[2] = v[MANY - 1], v[3] = v[MANY - 2], v[4] = v[MANY - 3]; /* the finite ones */
    size_t n = MANY - 3;
    double mean = power_sum(v, n, 0, 1), var = power_sum(v, n, mean, 2);
    near(s.mean, mean, 1e-6);
    near(s.sd, sqrt(var), 1e-6);
    near(s.skewness, power_sum(v, n, mean, 3) / pow(var, 1.5), 1e-4);
    near(s.kurtosis, power_sum(v, n, mean, 4) / (var * var) - 3, 1e-4);
    near(s.norm, sqrt(power_sum(v, n, 0, 2) * MANY * ((double)n / MANY)), 1e-4);
    near(s.median, 1, 0.1);
    near(s.sparsity, 2.0 / (double)n, 1e-9);
    assert_true(s.min >= -1 && s.max <= 3 && s.min < -0.99f && s.max > 2.99f);
    for (size_t b = 0; b < LW_STATS_BINS; b++)
        assert_in_range(s.bins[b], 15, 17);
    free(v);
}

static void a_sample_is_close(void **state)
{
    (void)state;
    float *v = some_values(MANY), sample[8192];
    struct lw_tensor t = {v, MANY, LW_DTYPE_F32};
    struct lw_tensor_stats all, some;
    lw_tensor_describe(&all, t, 0);
    lw_tensor_describe(&some, t, 8192);
    assert_int_equal(some.n, MANY);
    assert_int_equal(some.seen, 8192);
    near(some.mean, all.mean, 0.03);
    near(some.sd, all.sd, 0.03);
    near(some.norm, all.norm, 0.03);
    assert_int_equal(lw_tensor_sample(sample, t, 8192), 8192);
    assert_true(sample[0] == v[0] && sample[63] == v[63]);
    free(v);
}

static void few_values_and_none(void **state)
{
    (void)state;
    const float three[] = {3, 1, 2}, same[] = {5, 5}, bad[] = {NAN, INFINITY};
    struct lw_tensor_stats s;
    lw_tensor_describe(&s, (struct lw_tensor){three, 3, LW_DTYPE_F32}, 8192);
    assert_true(s.median == 2 && s.min == 1 && s.max == 3 && s.mean == 2);
    assert_int_equal(s.bins[0], 85);
    assert_int_equal(s.bins[LW_STATS_BINS - 1], 85);
    lw_tensor_describe(&s, (struct lw_tensor){same, 2, LW_DTYPE_F32}, 0);
    assert_true(s.sd == 0 && isnan(s.skewness) && s.bins[0] == 255);
    lw_tensor_describe(&s, (struct lw_tensor){bad, 2, LW_DTYPE_F32}, 0);
    assert_true(isnan(s.mean) && isnan(s.min) && isnan(s.median) && isnan(s.norm));
    assert_int_equal(s.nan, 1);
    assert_int_equal(s.inf, 1);
    lw_tensor_describe(&s, (struct lw_tensor){NULL, 0, LW_DTYPE_F32}, 0);
    assert_int_equal(s.seen, 0);
    assert_true(isnan(s.mean) && isnan(s.sparsity));
}

static void types_are_converted(void **state)
{
    (void)state;
    const double f64[] = {1, -2.5, 4};
    const uint16_t f16[] = {0x3c00, 0xc100, 0x4400, 0x7c00, 0x0001}; /* 1 -2.5 4 inf 2^-24 */
    const uint16_t bf16[] = {0x3f80, 0xc020, 0x4080};
    const int64_t i64[] = {1, -3, 4};
    const int32_t i32[] = {1, -3, 4};
    const int16_t i16[] = {1, -3, 4};
    const int8_t i8[] = {1, -3, 4};
    const uint8_t u8[] = {1, 253, 4};
    const struct {
        struct lw_tensor tensor;
        float values[5];
    } cases[] = {
        {{f64, 3, LW_DTYPE_F64}, {1, -2.5f, 4}},
        {{f16, 5, LW_DTYPE_F16}, {1, -2.5f, 4, INFINITY, 0x1p-24f}},
        {{bf16, 3, LW_DTYPE_BF16}, {1, -2.5f, 4}},
        {{i64, 3, LW_DTYPE_I64}, {1, -3, 4}},
        {{i32, 3, LW_DTYPE_I32}, {1, -3, 4}},
        {{i16, 3, LW_DTYPE_I16}, {1, -3, 4}},
        {{i8, 3, LW_DTYPE_I8}, {1, -3, 4}},
        {{u8, 3, LW_DTYPE_U8}, {1, 253, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float got[5];
        size_t n = lw_tensor_sample(got, cases[i].tensor, 64);
        assert_int_equal(n, cases[i].tensor.n);
        assert_memory_equal(got, cases[i].values, n * sizeof *got);
    }
}

static void a_change_is_described(void **state)
{
    (void)state;
    float before[5000], after[5000];
    struct lw_tensor_stats s;
    for (size_t i = 0; i < 5000; i++) {
        before[i] = (float)i;
        after[i] = (float)i + (i % 2 ? 0.5f : 0);
    }
    lw_tensor_describe_change(&s, before, after, 5000, 20000);
    assert_int_equal(s.n, 20000);
    assert_int_equal(s.zeros, 2500);
    near(s.mean, 0.25, 1e-7);
    near(s.norm, sqrt(0.25 * 10000), 1e-6);
    assert_int_equal(s.bins[0], 128);
    assert_int_equal(s.bins[LW_STATS_BINS - 1], 128);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_value_counts),    cmocka_unit_test(a_sample_is_close),
    cmocka_unit_test(few_values_and_none),   cmocka_unit_test(types_are_converted),
    cmocka_unit_test(a_change_is_described),
};

CHECK_MAIN(tests)
