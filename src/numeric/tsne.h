/*
 * tsne - points of many dimensions in the plane (L. van der Maaten & G. Hinton 2008).
 *
 * Exact for few points, else with the Barnes-Hut approximation (van der Maaten 2014). The start
 * is the first two principal components, so that equal input gives equal output. NaN policy:
 * values that are not finite are refused.
 */
#ifndef LW_NUMERIC_TSNE_H
#define LW_NUMERIC_TSNE_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_tsne_options {
    double perplexity;    /* 0 = 30 */
    size_t iterations;    /* 0 = 1,000, of which 250 exaggerated */
    double exaggeration;  /* 0 = 12 */
    double learning_rate; /* 0 = max(n / exaggeration / 4, 50) */
    double angle;         /* Barnes-Hut's trade-off; 0 = 0.5 */
    bool exact;           /* all pairs: n at most 5,000 */
    uint64_t seed;
    unsigned jobs;       /* the result does not depend on it */
    const double *start; /* (n, 2), NULL = principal components */
};

/* y (n, 2) gets the places; *kl the Kullback-Leibler divergence of the result. n >= 4 and the
 * perplexity below n. */
int lw_tsne(double *y, double *kl, struct lw_mem *mem, const double *x, size_t n, size_t d,
            const struct lw_tsne_options *options, struct lw_err *err);

#endif
