/*
 * sketch - quantiles of a stream in bounded memory, mergeable.
 *
 * Values are kept in levels; a value on level h stands for 2^h values. A full level is sorted
 * and every second value moves up (J. Munro & M. Paterson 1980; the mergeable form of
 * G. Manku et al., SIGMOD 1998), first the odd places, next time the even ones, so there is no
 * chance in it. Each such step moves a rank by at most 2^h, in all at most n * levels /
 * LW_SKETCH_ROOM: below 1 % of n for up to 10^14 values, and much less in practice.
 *
 * NaN policy: NaN values are counted in `nan` and left out. Memory is owned; free with release.
 */
#ifndef LW_NUMERIC_SKETCH_H
#define LW_NUMERIC_SKETCH_H

#include "base/mem.h"
#include "lacewing.h"

enum { LW_SKETCH_ROOM = 4096, LW_SKETCH_LEVELS = 48 };

struct lw_sketch_level {
    double *v; /* room for LW_SKETCH_ROOM; NULL before the first use */
    size_t n;
    bool odd; /* which half moves up next */
};

struct lw_sketch {
    struct lw_mem *mem; /* borrowed */
    struct lw_sketch_level level[LW_SKETCH_LEVELS];
    uint64_t n;
    uint64_t nan;
};

void lw_sketch_init(struct lw_sketch *s, struct lw_mem *mem);
void lw_sketch_release(struct lw_sketch *s);

/* 0 or LW_ENOMEM (then some of the values may be in). */
int lw_sketch_add(struct lw_sketch *s, const double *x, size_t n);
int lw_sketch_merge(struct lw_sketch *s, const struct lw_sketch *other);

/* The value at share p (0…1) of the sorted stream; NaN when it is empty. LW_ENOMEM. */
int lw_sketch_quantile(const struct lw_sketch *s, double p, double *out);

#endif
