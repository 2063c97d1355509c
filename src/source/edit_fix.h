/*
 * edit_fix - which hunks of a change are the fix: code, and not what comes along with it.
 *
 * In: a path and both versions with their tree difference, borrowed. Out: the hunks of the line
 * difference, each with what it is, owned until release. A hunk with several sorts of change is
 * the most telling of them, in this order: code, import, docstring, comment, formatting. All
 * hunks of a test file are test, of a file that is not Python other.
 */
#ifndef LW_SOURCE_EDIT_FIX_H
#define LW_SOURCE_EDIT_FIX_H

#include "source/treediff.h"

enum lw_fix_sort {
    LW_FIX_CODE,
    LW_FIX_IMPORT,
    LW_FIX_DOCSTRING,
    LW_FIX_COMMENT,
    LW_FIX_FORMATTING,
    LW_FIX_TEST,
    LW_FIX_OTHER,
};

struct lw_fix_hunk {
    uint32_t old_first; /* lines from 1; count 0: behind that line */
    uint32_t old_count;
    uint32_t new_first;
    uint32_t new_count;
    uint32_t sort; /* enum lw_fix_sort */
};

typedef LW_VEC(struct lw_fix_hunk) lw_fix_vec;

/* Appends the hunks (released with lw_vec_release). `d` must be of the two trees. */
int lw_fix_hunks(lw_fix_vec *out, struct lw_mem *mem, struct lw_str path,
                 const struct lw_treediff *d, struct lw_tree *old_tree,
                 struct lw_tree *new_tree, struct lw_err *err);

/* Whether a path component says that the file is a test. */
bool lw_fix_is_test(struct lw_str path);

const char *lw_fix_sort_name(enum lw_fix_sort sort); /* "code"; static */

#endif
