/*
 * linear - linear classifiers on sparse rows: logistic regression and support vectors.
 *
 * The same objectives as LIBLINEAR's and scikit-learn's, so that C means the same:
 *   logistic: |w|^2/2 + C sum log(1 + exp(-y (w.x + b)))      b is not penalised
 *   svm:      (|w|^2 + b^2)/2 + C sum max(0, 1 - y (w.x + b))^2
 * More than two classes are told apart one against the rest. NaN policy: values that are not
 * finite are refused. (Linear regression is lw_least_squares in glm.h.)
 */
#ifndef LW_NUMERIC_LINEAR_H
#define LW_NUMERIC_LINEAR_H

#include "base/arena.h"
#include "numeric/sparse.h"

struct lw_linear {
    size_t features, outputs; /* outputs: 1 for two classes, else one a class */
    double *weight;           /* (outputs, features), in the arena */
    double *bias;             /* (outputs) */
};

struct lw_linear_options {
    double c;              /* 0 = 1 */
    double tolerance;      /* largest component of the gradient at the end; 0 = 1e-4 */
    size_t max_iterations; /* 0 = 200 */
    uint64_t seed;         /* of the order in which the SVM visits rows */
    const double *weight;  /* (n) of the rows, factors of C; NULL = all 1; logistic only */
};

int lw_logistic_fit(struct lw_linear *out, struct lw_arena *arena, const struct lw_sparse *x,
                    const uint32_t *label, size_t classes, const struct lw_linear_options *o,
                    struct lw_err *err);
int lw_svm_fit(struct lw_linear *out, struct lw_arena *arena, const struct lw_sparse *x,
               const uint32_t *label, size_t classes, const struct lw_linear_options *o,
               struct lw_err *err);

#endif
