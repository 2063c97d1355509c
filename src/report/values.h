/*
 * values - numbers, shapes and the like as reports write them. Not for other folders.
 *
 * Each function looks at the start of a text and returns how many bytes it took, 0 when there
 * is no such thing. Nothing here allocates.
 */
#ifndef LW_REPORT_VALUES_H
#define LW_REPORT_VALUES_H

#include "lacewing.h"

/* 32, 1e-3, -0.5, .5, 60,000, 5k (5000), nan, inf. Not the start of a longer word or number:
 * "1.2.3" and "3x3" are none. A per cent sign behind it is taken too and `*value` is then as
 * written (50, not 0.5). */
size_t report_number(struct lw_str s, double *value);

/* As report_number, but nan and inf are none, and no letter is a multiplier. */
size_t report_plain_number(struct lw_str s, double *value);

struct report_shape {
    int64_t *dims; /* room for `max`; -1: not a number */
    uint32_t max, rank;
    bool open;  /* a size is None, ? or -1: only shapes say that */
    bool names; /* a size is a name or a calculation */
};

/* "(32, 3)", "[None, 10]", "[32 x 10]", "32x3x224", "torch.Size([3])"; at least one number. */
size_t report_shape(struct lw_str s, struct report_shape *shape);

/* "[0, 1]", "(0,255)", "0 and 255", "-1 to 1", "0-255", "0..1". */
size_t report_range(struct lw_str s, double *low, double *high);

#endif
