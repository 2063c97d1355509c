/*
 * trees - decision trees, random forests, and what boosted trees are made of.
 *
 * Trees are grown on steps (bins.h) and asked with numbers. All of them are one type: a list of
 * trees whose leaves hold `outputs` numbers, averaged or summed. NaN policy: NaN in x is
 * allowed and goes right at every split; NaN in the targets is refused.
 */
#ifndef LW_NUMERIC_TREES_H
#define LW_NUMERIC_TREES_H

#include "base/mem.h"
#include "base/vec.h"
#include "lacewing.h"

/* x[feature] <= threshold goes to `left`, else to left + 1. A leaf has feature -1 and its
 * numbers at value[left * outputs]. */
struct lw_tree_node {
    double threshold;
    int32_t feature;
    uint32_t left;
};

struct lw_trees {
    struct lw_mem *mem; /* borrowed */
    LW_VEC(struct lw_tree_node) node;
    LW_VEC(uint32_t) root;
    LW_VEC(double) value;
    size_t features, outputs;
    bool average; /* else the trees add up; tree t adds to output t % outputs when `single` */
    bool single;  /* leaves hold one number although outputs may be more (boosting) */
    double *base; /* (outputs) added to the sum; owned */
};

void lw_trees_init(struct lw_trees *t, struct lw_mem *mem);
void lw_trees_release(struct lw_trees *t);

struct lw_forest_options {
    size_t trees;     /* 0 = 100; 1 without bootstrap is a decision tree */
    size_t max_depth; /* 0 = no limit (64) */
    size_t min_leaf;  /* 0 = 1 */
    size_t features;  /* tried per split; 0 = square root of all */
    bool no_bootstrap;
    uint64_t seed;
    unsigned jobs; /* the result does not depend on it */
};

/* Classification: label (n) < classes; the outputs are class probabilities. */
int lw_forest_classify(struct lw_trees *out, struct lw_mem *mem, const double *x,
                       const uint32_t *label, size_t n, size_t d, size_t classes,
                       const struct lw_forest_options *options, struct lw_err *err);

/* Regression: one output. */
int lw_forest_regress(struct lw_trees *out, struct lw_mem *mem, const double *x,
                      const double *y, size_t n, size_t d,
                      const struct lw_forest_options *options, struct lw_err *err);

/* out (m, outputs) for x (m, features). */
void lw_trees_predict(const struct lw_trees *t, const double *x, size_t m, double *out);

/* Is the structure sound: features and children in range, every path ends? For models read from
 * files. */
int lw_trees_check(const struct lw_trees *t, struct lw_err *err);

#endif
