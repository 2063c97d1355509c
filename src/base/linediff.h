/*
 * linediff - what changed between two texts, line by line, in the unified form people know.
 *
 * Shortest edit scripts by Myers' greedy method after the common ends are taken off; beyond a
 * bound on the work the middle is shown as replaced whole, which is right, only longer.
 */
#ifndef LW_BASE_LINEDIFF_H
#define LW_BASE_LINEDIFF_H

#include "base/mem.h"
#include "base/sink.h"
#include "base/term.h"
#include "lacewing.h"

/* Prints "--- old_name", "+++ new_name" and the hunks with `context` lines around each; nothing
 * when the texts are equal (`*changed` false). Names and texts are printed terminal-safe. */
int lw_linediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                      struct lw_str old_name, struct lw_str old_text, struct lw_str new_name,
                      struct lw_str new_text, size_t context, bool *changed,
                      struct lw_err *err);

#endif
