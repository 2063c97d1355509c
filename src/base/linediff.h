/*
 * linediff - what changed between two texts, line by line: as hunks, or in the unified form
 * people know.
 *
 * The common lines are those of seqdiff.h: a shortest script, except that very different texts
 * may get a longer one, which is right as well.
 */
#ifndef LW_BASE_LINEDIFF_H
#define LW_BASE_LINEDIFF_H

#include "base/mem.h"
#include "base/sink.h"
#include "base/term.h"
#include "lacewing.h"

/* Lines old_first … old_first + old_count - 1, counted from 0, became those of the new text;
 * with a count of 0 the place is before line `first`. */
struct lw_line_hunk {
    size_t old_first;
    size_t old_count;
    size_t new_first;
    size_t new_count;
};

/* Gets the hunks in order; a negative result ends the walk. */
typedef int lw_linediff_fn(void *data, const struct lw_line_hunk *hunk);

/* Calls `hunk` for every hunk with `context` lines around it, hunks that then touch being one.
 * What it returns when negative, else 0; LW_ENOMEM with `err` set. */
int lw_linediff(struct lw_mem *mem, struct lw_str old_text, struct lw_str new_text,
                size_t context, lw_linediff_fn *hunk, void *data, struct lw_err *err);

/* Prints "--- old_name", "+++ new_name" and the hunks with `context` lines around each; nothing
 * when the texts are equal (`*changed` false). Names and texts are printed terminal-safe. */
int lw_linediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                      struct lw_str old_name, struct lw_str old_text, struct lw_str new_name,
                      struct lw_str new_text, size_t context, bool *changed,
                      struct lw_err *err);

#endif
