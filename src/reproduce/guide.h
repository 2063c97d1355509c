/*
 * guide - from the way a candidate failed to the next one.
 *
 * A run that fails otherwise than reported tells what is still missing: a module, a file, a
 * shape, a type of number, one more value. Each of these changes one thing in the candidate.
 */
#ifndef LW_REPRODUCE_GUIDE_H
#define LW_REPRODUCE_GUIDE_H

#include "reproduce/build.h"
#include "verify/judge.h"

/* Changes the candidate by the error; false: nothing is known to do about it. */
bool rp_guide_error(struct rp_program *p, struct rp_candidate *c,
                    const struct lw_exception *seen);
/* The same after a run that ended well and did not show what the report states. */
bool rp_guide_success(const struct rp_program *p, struct rp_candidate *c);

#endif
