/*
 * rank - sorting numbers and giving them ranks.
 *
 * NaN policy: NaN sorts after everything; the rank functions are for values without NaN.
 * The order of equal values is that of their places (stable), so results do not depend on the
 * machine. -0 and 0 are equal.
 */
#ifndef LW_NUMERIC_RANK_H
#define LW_NUMERIC_RANK_H

#include "base/mem.h"
#include "lacewing.h"

/* Ascending, in place, no memory. */
void lw_sort(double *x, size_t n);

/* Ascending with scratch memory: for large n several times faster. 0 or LW_ENOMEM. */
int lw_sort_fast(struct lw_mem *mem, double *x, size_t n);

/* `order` gets the places of the values in ascending order; n < 2^32. 0 or LW_ENOMEM. */
int lw_sort_order(struct lw_mem *mem, const double *x, size_t n, uint32_t *order);

/* Average ranks from 1; `ties` (may be NULL) gets the sum of t^3 - t over groups of equals. */
int lw_ranks(struct lw_mem *mem, const double *x, size_t n, double *ranks, double *ties);

#endif
