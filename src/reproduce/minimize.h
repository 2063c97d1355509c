/*
 * minimize - shrinks a failing program while the same failure remains.
 *
 * Delta debugging on the tree: statements from the last to the first (what a statement uses is
 * before it, so one pass goes far), then keyword arguments, layers in a row, numbers, comments.
 * A candidate that leaves a name without its binding is not even run.
 */
#ifndef LW_REPRODUCE_MINIMIZE_H
#define LW_REPRODUCE_MINIMIZE_H

#include "reproduce/program.h"

/* Does the program still fail in the same way? `*out_of_time` ends the search. */
typedef int (*rp_still_fn)(void *data, struct lw_str text, bool *still, bool *out_of_time,
                           struct lw_err *err);

/* Replaces `*text` by a smaller program, in the arena of `p`. */
int rp_minimize(struct rp_program *p, struct lw_str *text, rp_still_fn still, void *data,
                struct lw_err *err);

/* Lines that are neither blank nor comment. */
uint32_t rp_code_lines(struct lw_str text);

#endif
