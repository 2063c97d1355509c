/*
 * glm - binomial regression with logit link, and ordinary least squares.
 *
 * NaN policy: a value that is not finite is refused with LW_EINVAL. Columns that depend
 * linearly on earlier ones are left out (`aliased`, estimates NaN), as R has it. Complete or
 * quasi-complete separation, where the likelihood has no maximum, is reported, not hidden
 * behind huge numbers.
 */
#ifndef LW_NUMERIC_GLM_H
#define LW_NUMERIC_GLM_H

#include "base/arena.h"
#include "numeric/hypothesis.h"

struct lw_coefficient {
    double estimate, se;
    double z, p; /* z of the normal for the GLM, t for least squares */
    double odds_ratio, odds_low, odds_high; /* GLM only */
    bool aliased;
};

struct lw_glm {
    struct lw_coefficient *coef; /* in the arena; [0] is the intercept */
    size_t count;
    double log_likelihood, null_log_likelihood;
    double aic;
    double df; /* residual */
    unsigned iterations;
    bool separated; /* some fitted probabilities are 0 or 1 */
    double r2;      /* least squares; McFadden's for the GLM */
};

/* y (n) of 0 and 1, x (n, columns) row after row without the intercept, which is added. */
int lw_glm_logit(struct lw_glm *out, struct lw_arena *arena, const double *x, const double *y,
                 size_t n, size_t columns, struct lw_err *err);

/* y (n) any numbers. */
int lw_least_squares(struct lw_glm *out, struct lw_arena *arena, const double *x,
                     const double *y, size_t n, size_t columns, struct lw_err *err);

#endif
