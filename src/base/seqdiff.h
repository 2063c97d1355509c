/*
 * seqdiff - which elements two sequences of numbers have in common, in order.
 *
 * In: two arrays, equal numbers being equal elements. Out: for each element whether it belongs
 * to the common subsequence; the marked ones of both sides, taken in order, are equal.
 *
 * The subsequence is a longest one (Myers 1986, dividing at the middle of an optimal path) as
 * long as a part needs at most LW_SEQDIFF_COST edits from each of its ends. Beyond that the
 * part is divided at the furthest point reached: still common and in order, perhaps not
 * longest. Time is at most proportional to LW_SEQDIFF_COST elements, memory to elements.
 */
#ifndef LW_BASE_SEQDIFF_H
#define LW_BASE_SEQDIFF_H

#include "base/mem.h"
#include "lacewing.h"

enum { LW_SEQDIFF_COST = 256 };

/* `keep_a` and `keep_b` have room for n and m. Only failure: LW_ENOMEM. */
int lw_seqdiff(struct lw_mem *mem, const uint64_t *a, size_t n, const uint64_t *b, size_t m,
               bool *keep_a, bool *keep_b);

#endif
