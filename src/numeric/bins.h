/*
 * bins - columns of numbers cut into at most 255 steps, which is what trees are grown on.
 *
 * A column with few different values gets one step each; others get steps of about equal
 * numbers of rows. x <= edge[b] means a step of at most b, so a split on steps is a split on
 * the numbers. NaN policy: NaN is step 255, above every edge, here and in lw_trees_predict.
 */
#ifndef LW_NUMERIC_BINS_H
#define LW_NUMERIC_BINS_H

#include "base/arena.h"
#include "lacewing.h"

enum { LW_BINS = 256, LW_BIN_NAN = 255, LW_BIN_EDGES = 254 };

struct lw_bins {
    size_t d;
    uint16_t *edges; /* (d) how many edges a column has */
    double *edge;    /* (d, LW_BIN_EDGES) ascending */
};

/* From x (n, d); everything in the arena. */
int lw_bins_fit(struct lw_bins *out, struct lw_arena *arena, const double *x, size_t n,
                size_t d, struct lw_err *err);

/* Steps of x (n, d): (n, d) row after row, or (d, n) column after column. */
void lw_bins_apply(const struct lw_bins *bins, const double *x, size_t n, bool by_column,
                   uint8_t *out);

#endif
