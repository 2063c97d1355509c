/*
 * knn - the k nearest neighbours by Euclidean distance, exact.
 *
 * With few columns a k-d tree (J. Bentley 1975) is searched; with many, all distances are
 * estimated in single precision, and those that can be among the nearest are computed again in
 * double precision, so the result is that of the plain method. Equal distances go by row
 * number. NaN policy: values that are not finite are refused.
 */
#ifndef LW_NUMERIC_KNN_H
#define LW_NUMERIC_KNN_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_knn; /* owned; borrows nothing */

/* x (n, d); 1 <= n < 2^31. */
int lw_knn_new(struct lw_knn **out, struct lw_mem *mem, const double *x, size_t n, size_t d,
               struct lw_err *err);
void lw_knn_free(struct lw_knn *k);

/* For each of m rows of q (m, d): the numbers and squared distances of its k nearest rows,
 * nearest first; near and dist are (m, k). k <= n. The result does not depend on `jobs`. */
int lw_knn_search(const struct lw_knn *knn, const double *q, size_t m, size_t k, unsigned jobs,
                  uint32_t *near, double *dist, struct lw_err *err);

#endif
