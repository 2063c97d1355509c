/*
 * means - tests about means: Student, Welch, paired t; one-way and repeated-measures ANOVA.
 *
 * NaN policy and ownership: see hypothesis.h.
 */
#ifndef LW_NUMERIC_MEANS_H
#define LW_NUMERIC_MEANS_H

#include "numeric/hypothesis.h"

/* Two independent samples; estimate = difference of means, se = its standard error. With
 * `welch` the variances may differ. Two constant samples are refused. */
int lw_ttest(struct lw_test *out, struct lw_sample a, struct lw_sample b, bool welch,
             enum lw_tail tail, struct lw_err *err);

/* Pairs; the lengths must be equal. */
int lw_ttest_paired(struct lw_test *out, struct lw_sample a, struct lw_sample b,
                    enum lw_tail tail, struct lw_err *err);

/* One sample against a mean. */
int lw_ttest_one(struct lw_test *out, struct lw_sample a, double mean, enum lw_tail tail,
                 struct lw_err *err);

/* One-way ANOVA; df and df2 are set, estimate = eta squared. */
int lw_anova(struct lw_test *out, const struct lw_sample *groups, size_t count,
             struct lw_err *err);

/* Repeated measures: every sample has one value per subject, in the same order. estimate =
 * partial eta squared; epsilon = Greenhouse-Geisser's, p_corrected uses it. */
struct lw_rm_anova {
    struct lw_test test;
    double epsilon;
    double p_corrected;
};

/* The k conditions are samples of one size: the same subjects in the same order. */
int lw_rm_anova(struct lw_rm_anova *out, struct lw_mem *mem, const struct lw_sample *c,
                size_t k, struct lw_err *err);

/* Effect sizes of two samples: Cohen's d with the pooled deviation, Hedges' g with the exact
 * correction, each with its usual large-sample standard error. */
struct lw_effect {
    double value;
    double low, high; /* 95 % interval */
};

int lw_cohen_d(struct lw_effect *d, struct lw_effect *g, struct lw_sample a, struct lw_sample b,
               struct lw_err *err);

/* "negligible", "small", "medium", "large" by Cohen (1988): 0.2, 0.5, 0.8. */
const char *lw_cohen_reading(double d);

#endif
