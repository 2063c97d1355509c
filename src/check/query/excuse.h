/*
 * excuse - reasons not to report what the ranges of numbers seem to show.
 *
 * The tables know what one value can be, each by itself. What they cannot see is looked at
 * here: values that belong together (a share of a sum, a vector and its length), numbers that
 * were just drawn or written down, one fault that shows in two operations, and what the program
 * asks or mends before it divides. Nothing is changed or reported; values and nodes are
 * borrowed.
 */
#ifndef LW_CHECK_QUERY_EXCUSE_H
#define LW_CHECK_QUERY_EXCUSE_H

#include "check/engine/engine.h"

/* A number that an operator or a call of a library may not be able to take. */
struct ck_alarm {
    struct lw_str rule;       /* what is not numeric/… is never excused */
    const struct lw_api *api; /* of the call; NULL: an operator */
    uint32_t node;            /* the operation; LW_NO_NODE: not in the text */
    struct lw_value first;    /* its first operand: what is divided */
    struct lw_value value;    /* what is to blame: the divisor, the base, the argument */
    uint32_t operand;         /* where that is written, at worst the operation as a whole */
};

/* Is there a reason not to report it? `*severity` may become less where there is none. */
bool ck_is_excused(struct ck *c, const struct ck_alarm *a, enum lw_severity *severity);

#endif
