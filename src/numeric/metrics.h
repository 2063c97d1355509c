/*
 * metrics - how good predictions and rankings are.
 *
 * NaN policy: a metric that is not defined for the data (no positive, no relevant item, an
 * empty list) is NaN; scores must not be NaN. Labels are class numbers 0…classes-1.
 */
#ifndef LW_NUMERIC_METRICS_H
#define LW_NUMERIC_METRICS_H

#include "base/mem.h"
#include "lacewing.h"

double lw_accuracy(const uint32_t *truth, const uint32_t *guess, size_t n);

/* Mean of the F1 of all classes that occur in truth or guess. 0 or LW_ENOMEM. */
int lw_macro_f1(struct lw_mem *mem, const uint32_t *truth, const uint32_t *guess, size_t n,
                size_t classes, double *out);

/* Area under the ROC curve; equal scores count by half. 0 or LW_ENOMEM. */
int lw_auc(struct lw_mem *mem, const double *score, const uint8_t *positive, size_t n,
           double *out);

/* Sum over thresholds of (recall gained) x precision; equal scores share a threshold. */
int lw_average_precision(struct lw_mem *mem, const double *score, const uint8_t *positive,
                         size_t n, double *out);

/* Of a ranking: relevant[i] says whether place i (0 = first) is right. */
double lw_reciprocal_rank(const uint8_t *relevant, size_t n); /* 0 when none is */
bool lw_top_k(const uint8_t *relevant, size_t n, size_t k);
double lw_ranking_ap(const uint8_t *relevant, size_t n, size_t all_relevant);

/* Gains in ranked order, cut at k (0 = all); exponential gains are 2^g - 1. `ideal` holds the
 * gains of the best order (falling). */
double lw_dcg(const double *gain, size_t n, size_t k, bool exponential);
double lw_ndcg(const double *gain, const double *ideal, size_t n, size_t k, bool exponential);

#endif
