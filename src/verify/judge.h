/*
 * judge - from what a program printed to whether it failed for the stated reason.
 *
 * Pure text work: nothing runs here.
 */
#ifndef LW_VERIFY_JUDGE_H
#define LW_VERIFY_JUDGE_H

#include "base/arena.h"
#include "lacewing.h"

/* The exception a Python program ended with. */
struct lw_exception {
    struct lw_str type;    /* as printed: "RuntimeError", "torch.cuda.OutOfMemoryError" */
    struct lw_str message; /* all its lines; may be empty */
};

/* Finds the last traceback in the text; borrowed from it. False when there is none. */
bool lw_exception_find(struct lw_str text, struct lw_exception *out);

/* The text with numbers, paths and addresses replaced, so that two runs of the same failure
 * compare equal. Digits that belong to a name (float32, conv2d) stay. p == NULL: no memory. */
struct lw_str lw_message_mask(struct lw_arena *arena, struct lw_str text);

/* Same type (with or without its module) and, line by line, the same masked message; `stated`
 * may state fewer lines than there are, or none. */
int lw_exception_matches(struct lw_arena *arena, const struct lw_exception *seen,
                         struct lw_str type, struct lw_str stated, bool *matches,
                         struct lw_err *err);

/* Judges one side of `bug` by its run: fills `as_stated` and `failure` (text in `arena`). */
int lw_judge(struct lw_side_result *result, struct lw_arena *arena, const struct lw_bug *bug,
             enum lw_side side, const struct lw_run *run, struct lw_err *err);

#endif
