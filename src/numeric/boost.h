/*
 * boost - gradient boosted trees (J. Friedman 2001), with LambdaMART for rankings
 * (C. Burges 2010).
 *
 * Trees are grown leaf by leaf, best gain first, on histograms of first and second derivatives.
 * The result is a struct lw_trees whose outputs are raw scores: log odds, log odds per class, a
 * value, or a ranking score. NaN policy as for trees; NaN in the targets is refused.
 */
#ifndef LW_NUMERIC_BOOST_H
#define LW_NUMERIC_BOOST_H

#include "numeric/trees.h"

enum lw_boost_loss {
    LW_BOOST_SQUARED,  /* y: any number */
    LW_BOOST_LOGISTIC, /* y: 0 or 1 */
    LW_BOOST_SOFTMAX,  /* y: class number; one tree per class and round */
    LW_BOOST_LAMBDA    /* y: relevance 0, 1, 2…; needs groups */
};

struct lw_boost_options {
    enum lw_boost_loss loss;
    size_t classes;       /* of SOFTMAX */
    const size_t *groups; /* LAMBDA: (group_count + 1) first rows of the lists */
    size_t group_count;
    size_t rounds;        /* 0 = 100 */
    double learning_rate; /* 0 = 0.1 */
    size_t max_leaves;    /* 0 = 31 */
    size_t min_leaf;      /* rows in a leaf; 0 = 20 */
    double l2;
};

int lw_boost_fit(struct lw_trees *out, struct lw_mem *mem, const double *x, const double *y,
                 size_t n, size_t d, const struct lw_boost_options *options,
                 struct lw_err *err);

#endif
