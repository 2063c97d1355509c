/*
 * What interval.c (arithmetic) and interval_function.c (functions of one interval) share.
 */
#ifndef LW_KNOWLEDGE_INTERVAL_INTERNAL_H
#define LW_KNOWLEDGE_INTERVAL_INTERNAL_H

#include "knowledge/interval.h"

static inline bool iv_lo_open(struct lw_interval a)
{
    return (a.flags & LW_IV_LO_OPEN) != 0;
}

static inline bool iv_hi_open(struct lw_interval a)
{
    return (a.flags & LW_IV_HI_OPEN) != 0;
}

/* 0 is a value that comes up: what is cut off there, counts, truth values; not just one of all
 * numbers. */
bool iv_reaches_zero(struct lw_interval a);

/* The ends rounded outwards to the precision, overflow and NaN noted. */
struct lw_interval iv_settle(struct lw_interval r);

/* f of the ends, for an f that only rises (or, with `falling`, only falls). */
struct lw_interval iv_monotone(struct lw_interval a, double (*f)(double), bool falling);

/* All numbers, with what else is known of r. */
struct lw_interval iv_everything(struct lw_interval r);

#endif
