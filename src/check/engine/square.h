/*
 * square - products in which a factor stands twice.
 *
 * The range of x * x, taken as that of two numbers, reaches below 0. Here the text is asked
 * whether they are the same.
 */
#ifndef LW_CHECK_ENGINE_SQUARE_H
#define LW_CHECK_ENGINE_SQUARE_H

#include "check/engine/engine.h"

/* The range of a product with a factor that stands in it twice: (x - m) * (x - m) is not
 * negative. False: there is none. */
bool ck_range_of_squares(struct ck *c, uint32_t node, struct lw_interval *out);

#endif
