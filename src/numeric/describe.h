/*
 * describe - descriptive statistics of a stream of numbers.
 *
 * Moments are gathered in one pass over memory, in fixed blocks, and two gatherings can be
 * merged: statistics of shards, layers or epochs add up. NaN policy: NaN values are counted in
 * `nan` and take part in nothing else; infinities take part in min and max and make the moments
 * NaN or infinite, as arithmetic has it. Nothing allocates.
 *
 * The result for the same values fed in the same pieces is the same on every machine.
 */
#ifndef LW_NUMERIC_DESCRIBE_H
#define LW_NUMERIC_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

struct lw_moments {
    uint64_t n;        /* values, without the NaN ones */
    uint64_t nan;      /* NaN values seen */
    uint64_t zeros;    /* values equal to 0 */
    double min, max;   /* +inf, -inf when n == 0 */
    double mean;       /* 0 when n == 0 */
    double mean_low;   /* what mean + mean_low is nearer to the mean: values far from zero */
    double m2, m3, m4; /* sums of powers of (x - (mean + mean_low)) */
};

void lw_moments_init(struct lw_moments *m);
void lw_moments_add(struct lw_moments *m, const double *x, size_t n);
void lw_moments_add_f32(struct lw_moments *m, const float *x, size_t n);

/* As if the values of `other` had been fed to `m` too. */
void lw_moments_merge(struct lw_moments *m, const struct lw_moments *other);

/* With `ddof` taken from n in the divisor (1: the sample variance); NaN when n <= ddof. */
double lw_moments_variance(const struct lw_moments *m, unsigned ddof);
double lw_moments_sd(const struct lw_moments *m, unsigned ddof);

/* Population skewness g1 and excess kurtosis g2; NaN when n == 0 or all values are equal. */
double lw_moments_skewness(const struct lw_moments *m);
double lw_moments_kurtosis(const struct lw_moments *m);

/* Share of values that are 0; NaN when n == 0. */
double lw_moments_sparsity(const struct lw_moments *m);

/* Exact median and quantile of a whole sample; `x` is reordered; NaN when n == 0 or when a NaN
 * is among the values. The quantile interpolates linearly between order statistics (type 7). */
double lw_median(double *x, size_t n);
double lw_quantile(double *x, size_t n, double p);

#endif
