/*
 * svd - principal components, truncated singular values, symmetric eigenvalues.
 *
 * Plain C: with one side of at most 256 the other is folded away and the small matrix is
 * diagonalised exactly; larger ones use subspace iteration from a random start until the
 * singular values stand still (N. Halko, P. Martinsson & J. Tropp 2011, algorithm 4.4). The
 * sign of a component is chosen so that its largest entry is positive. NaN policy: values that
 * are not finite are refused. Results are in the arena.
 */
#ifndef LW_NUMERIC_SVD_H
#define LW_NUMERIC_SVD_H

#include "base/arena.h"
#include "numeric/sparse.h"

/* Eigenvalues, falling, and eigenvectors (rows of v) of the symmetric a (n, n), which is
 * destroyed. Jacobi's method: accurate to the last digits. */
void lw_symmetric_eigen(double *a, size_t n, double *value, double *v);

struct lw_svd {
    size_t k, d;
    double *mean;      /* (d); zeros for lw_truncated_svd */
    double *component; /* (k, d): rows of length 1 */
    double *singular;  /* (k), falling */
    double *variance;  /* (k) explained: singular^2 / (n - 1), PCA */
    double total_variance;
};

/* Principal components of x (n, d): k of them. */
int lw_pca(struct lw_svd *out, struct lw_arena *arena, const double *x, size_t n, size_t d,
           size_t k, uint64_t seed, struct lw_err *err);

/* Without centring, for sparse rows. */
int lw_truncated_svd(struct lw_svd *out, struct lw_arena *arena, const struct lw_sparse *x,
                     size_t k, uint64_t seed, struct lw_err *err);

/* to (n, k): the rows of x (n, d) in the components. */
void lw_svd_project(const struct lw_svd *s, const double *x, size_t n, double *to);

#endif
