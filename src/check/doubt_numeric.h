/*
 * doubt_numeric - numeric problems that the ranges show and that do not come up.
 *
 * A range says what one value can be. That two values belong together (a share of a sum, a
 * vector and its length), that the program has asked before it divides, or that it puts
 * something in the place of what went wrong, is seen here.
 */
#ifndef LW_CHECK_DOUBT_NUMERIC_H
#define LW_CHECK_DOUBT_NUMERIC_H

#include "check/lib.h"

/* Is the problem of a rule numeric/… of a call or operator with these arguments none? */
bool ck_numeric_is_fine(struct ck *c, const struct lw_problem *p, const struct lw_arg *args,
                        size_t n, uint32_t node);

#endif
