/*
 * fit - does a sample follow a distribution: Shapiro-Wilk, Kolmogorov-Smirnov.
 *
 * NaN policy and ownership: see hypothesis.h.
 */
#ifndef LW_NUMERIC_FIT_H
#define LW_NUMERIC_FIT_H

#include "numeric/hypothesis.h"

/* Normality, by P. Royston's algorithm (Applied Statistics 44, 1995), for 3 to 5,000 values;
 * beyond that p is an extrapolation, up to 2^31. statistic = W. */
int lw_shapiro(struct lw_test *out, struct lw_mem *mem, struct lw_sample s, struct lw_err *err);

/* Against a normal distribution with the given mean and deviation. statistic = D (of the tail
 * asked for: LESS is D-, GREATER is D+). Exact p for up to 5,000 values or large D. */
int lw_ks_normal(struct lw_test *out, struct lw_mem *mem, struct lw_sample s, double mean,
                 double sd, enum lw_tail tail, struct lw_err *err);

/* Two samples, two-sided; exact up to 10,000 x 10,000 by counting lattice paths. */
int lw_ks_two(struct lw_test *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
              enum lw_exactness exact, struct lw_err *err);

#endif
