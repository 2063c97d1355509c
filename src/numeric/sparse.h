/*
 * sparse - sparse rows, and the weights of words in documents: TF-IDF and BM25.
 *
 * A sparse matrix is borrowed arrays in the usual row form. NaN policy: values must be finite;
 * term counts must not be negative.
 */
#ifndef LW_NUMERIC_SPARSE_H
#define LW_NUMERIC_SPARSE_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_sparse {
    size_t n, d;            /* rows, columns */
    const size_t *start;    /* (n + 1) */
    const uint32_t *column; /* ascending within a row */
    const double *value;
};

/* LW_EINVAL when the arrays do not form a matrix or a value is not finite. */
int lw_sparse_check(const struct lw_sparse *x, struct lw_err *err);

/* df (d): in how many rows each column is not zero. */
void lw_document_counts(const struct lw_sparse *x, uint32_t *df);

/* log((1 + n)/(1 + df)) + 1, the smoothed inverse document frequency; idf has d values. */
void lw_idf(const uint32_t *df, size_t d, size_t n, double *idf);

/* out (as x->value): tf * idf, tf = 1 + log count when `sublinear`; rows of length 1 when
 * `unit`. Zero rows stay zero. */
void lw_tfidf(const struct lw_sparse *x, const double *idf, bool sublinear, bool unit,
              double *out);

/* BM25 weights (S. Robertson & H. Zaragoza 2009) with k1 and b, and the idf
 * log(1 + (n - df + 0.5)/(df + 0.5)), which is never negative. */
void lw_bm25(const struct lw_sparse *x, const uint32_t *df, double k1, double b, double *out);

#endif
