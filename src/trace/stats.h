/*
 * stats - what a trace keeps of a tensor: a row of numbers instead of its values.
 *
 * In: the values where they lie, of any of the types below, contiguous in any order (statistics
 * do not depend on it). Out: one `struct lw_tensor_stats`. Nothing allocates and nothing is
 * changed. Values that are NaN or infinite are counted and take part in nothing else.
 *
 * A large tensor is looked at in parts: at most `most` values in runs of 64 at even distances,
 * always the same ones, so that two looks at a tensor can be compared. `seen` says how many
 * they were; the norm is scaled up to all `n`.
 */
#ifndef LW_TRACE_STATS_H
#define LW_TRACE_STATS_H

#include <stddef.h>
#include <stdint.h>

enum lw_dtype {
    LW_DTYPE_F32,
    LW_DTYPE_F64,
    LW_DTYPE_F16,
    LW_DTYPE_BF16,
    LW_DTYPE_I64,
    LW_DTYPE_I32,
    LW_DTYPE_I16,
    LW_DTYPE_I8,
    LW_DTYPE_U8, /* and truth values */
    LW_DTYPES
};

size_t lw_dtype_size(enum lw_dtype dtype);

struct lw_tensor {
    const void *p;
    uint64_t n; /* values */
    enum lw_dtype dtype;
};

enum { LW_STATS_BINS = 16, LW_STATS_RUN = 64, LW_STATS_MEDIAN_OF = 1023 };

/* Nearer to zero than this counts as sparse ("zero or close to zero", without a figure in the
 * study of data bugs; DeepDiagnosis calls gradients below it vanished). */
#define LW_STATS_NEAR_ZERO 1e-7f

struct lw_tensor_stats {
    uint64_t n;               /* values of the tensor */
    uint32_t seen;            /* values looked at */
    uint32_t nan, inf, zeros; /* among them */
    /* Of the finite values among them; NaN where there are none. Deviation and shape are those
     * of a population; skewness and excess kurtosis of equal values are NaN. */
    float min, max, mean, sd, skewness, kurtosis;
    float median;                /* of at most LW_STATS_MEDIAN_OF of them at even distances */
    float norm;                  /* Euclidean, of the whole tensor */
    float sparsity;              /* share nearer to zero than LW_STATS_NEAR_ZERO */
    uint8_t bins[LW_STATS_BINS]; /* shares of 255 in equal parts of [min, max] */
};

/* `most` of 0 looks at every value. */
void lw_tensor_describe(struct lw_tensor_stats *out, struct lw_tensor tensor, uint64_t most);

/* The values that lw_tensor_describe looks at, as floats: at most `most` (> 0). How many. */
size_t lw_tensor_sample(float *out, struct lw_tensor tensor, size_t most);

/* The same for what has become of `before`, a sample of the same tensor with the same `most`:
 * statistics of the differences of `count` sampled values, with `n` the values of the tensor.
 */
void lw_tensor_describe_change(struct lw_tensor_stats *out, const float *before,
                               const float *after, size_t count, uint64_t n);

#endif
