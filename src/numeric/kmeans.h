/*
 * kmeans - k groups of points around their means.
 *
 * Starts by k-means++ (D. Arthur & S. Vassilvitskii 2007), then Lloyd's iterations; the best of
 * several starts is kept. NaN policy: values that are not finite are refused.
 */
#ifndef LW_NUMERIC_KMEANS_H
#define LW_NUMERIC_KMEANS_H

#include "base/arena.h"
#include "lacewing.h"

struct lw_kmeans {
    size_t k, d;
    double *centre;    /* (k, d), in the arena */
    uint32_t *group;   /* (n) */
    double inertia;    /* sum of squared distances to the centres */
    size_t iterations; /* of the start that was kept */
};

/* starts of 0 = 10, max_iterations of 0 = 300. */
int lw_kmeans(struct lw_kmeans *out, struct lw_arena *arena, const double *x, size_t n,
              size_t d, size_t k, size_t starts, size_t max_iterations, uint64_t seed,
              struct lw_err *err);

#endif
