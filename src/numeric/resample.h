/*
 * resample - what is drawn by chance, and what many tests need together: corrections for
 * several p-values, bootstrap intervals, sample sizes, samples.
 *
 * Everything random depends on the seed alone. NaN policy: p-values outside 0…1 and samples
 * with values that are not finite are refused with LW_EINVAL.
 */
#ifndef LW_NUMERIC_RESAMPLE_H
#define LW_NUMERIC_RESAMPLE_H

#include "numeric/hypothesis.h"

/* Adjusted p-values in the order given (step-down Holm, step-up Benjamini-Hochberg). */
int lw_holm(struct lw_mem *mem, const double *p, size_t n, double *adjusted,
            struct lw_err *err);
int lw_benjamini_hochberg(struct lw_mem *mem, const double *p, size_t n, double *adjusted,
                          struct lw_err *err);

/* Interval of a statistic by resampling with replacement. */
struct lw_bootstrap {
    size_t replicates; /* 0 = 9,999 */
    double level;      /* 0 = 0.95 */
    uint64_t seed;
    bool percentile; /* else bias-corrected and accelerated (B. Efron 1987) */
    unsigned jobs;   /* threads; the result does not depend on it */
    /* May reorder x. Called from several threads. */
    double (*statistic)(double *x, size_t n, void *data);
    void *data;
};

struct lw_interval {
    double value, low, high;
};

int lw_bootstrap(struct lw_interval *out, struct lw_mem *mem, struct lw_sample s,
                 const struct lw_bootstrap *how, struct lw_err *err);

/* Statistics for lw_bootstrap. */
double lw_statistic_mean(double *x, size_t n, void *data);
double lw_statistic_median(double *x, size_t n, void *data);

/* Cochran's size for estimating a share p within `margin` at `confidence` (0…1), rounded up;
 * `population` of 0 is infinite, else the finite correction applies. */
int lw_cochran(double *out, double confidence, double margin, double p, double population,
               struct lw_err *err);

/* `k` different places of 0…n-1, ascending. k <= n. */
int lw_sample_simple(struct lw_mem *mem, size_t n, size_t k, uint64_t seed, uint32_t *out,
                     struct lw_err *err);

/* `k` of n places, each stratum in proportion (largest remainder; every stratum that is not
 * empty gets at least one while k allows). stratum[i] < strata. Ascending. */
int lw_sample_stratified(struct lw_mem *mem, const uint32_t *stratum, size_t n, size_t strata,
                         size_t k, uint64_t seed, uint32_t *out, struct lw_err *err);

#endif
