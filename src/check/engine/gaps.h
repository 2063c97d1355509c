/*
 * gaps - places where a program is not written yet.
 *
 * In: the tokens of a file. Out: the offsets of its gaps, in an arena. A gap is a syntax error,
 * `...` where a value or a statement belongs, or what exercises leave to the reader ("YOUR CODE
 * HERE", `x = None  # TODO`, in a notebook also an __init__ of comments). What a function with a gap does is not known.
 */
#ifndef LW_CHECK_ENGINE_GAPS_H
#define LW_CHECK_ENGINE_GAPS_H

#include "base/arena.h"
#include "source/tree.h"

/* In the order of the text; borrowed from the arena of the parsed file. */
struct ck_gaps {
    const uint32_t *at;
    size_t n;
};

/* In a notebook every TODO counts: it is there for who works through it. False: no memory. */
bool ck_gaps_find(struct ck_gaps *out, struct lw_arena *arena, const struct lw_lexed *lx,
                  bool notebook);

/* Has the function or class a gap? Comments that stand below its last statement, further to the
 * right than its first word, belong to it. */
bool ck_gaps_within(const struct ck_gaps *g, const struct lw_tree *t, uint32_t node);

#endif
