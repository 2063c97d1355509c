/*
 * ranktest - tests on ranks: Mann-Whitney, Wilcoxon, Kruskal-Wallis; Cliff's delta.
 *
 * NaN policy and ownership: see hypothesis.h. Ties get average ranks. The exact p-values are
 * those of the permutation distribution given the ties, so they are exact with ties too.
 */
#ifndef LW_NUMERIC_RANKTEST_H
#define LW_NUMERIC_RANKTEST_H

#include "numeric/hypothesis.h"

/* statistic = U of the first sample, estimate = Cliff's delta (2U/(n1 n2) - 1). The
 * approximation corrects for ties and continuity. AUTO is exact up to 60 values in all. */
int lw_mann_whitney(struct lw_test *out, struct lw_mem *mem, struct lw_sample a,
                    struct lw_sample b, enum lw_tail tail, enum lw_exactness exact,
                    struct lw_err *err);

/* Signed ranks of a - b, zero differences left out. statistic = W+ (sum of the positive
 * ranks), estimate = matched-pairs rank-biserial correlation. AUTO is exact up to 50 pairs; the
 * approximation corrects for ties, and for continuity when asked. df = pairs that count. */
int lw_wilcoxon(struct lw_test *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
                enum lw_tail tail, enum lw_exactness exact, bool continuity,
                struct lw_err *err);

/* H corrected for ties against chi-square; estimate = epsilon squared. */
int lw_kruskal(struct lw_test *out, struct lw_mem *mem, const struct lw_sample *groups,
               size_t count, struct lw_err *err);

/* P(a > b) - P(a < b) with the 95 % interval of N. Cliff (1993), in O(n log n). */
struct lw_cliff {
    double delta;
    double low, high;
};
int lw_cliff(struct lw_cliff *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
             struct lw_err *err);

/* "negligible", "small", "medium", "large" by Romano et al. (2006): 0.147, 0.33, 0.474. */
const char *lw_cliff_reading(double delta);

#endif
