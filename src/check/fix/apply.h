/*
 * apply - the fixes of findings, put into the text of a file.
 *
 * In: the bytes of a Python file or notebook, and the findings of a check of just these bytes.
 * Out: the bytes with the fixes applied; everything that no edit names stays as it is, byte by
 * byte. Fixes that overlap one before them wait for the next time. lw_fix_file works until
 * nothing more can be fixed and looks at each result again: a fix that does not make its
 * finding go away, or that brings a new error or warning, is left out.
 */
#ifndef LW_CHECK_FIX_APPLY_H
#define LW_CHECK_FIX_APPLY_H

#include "base/buf.h"
#include "check/types.h"

/* Applies the fixes of those findings whose `chosen` is set (NULL: of all) to the bytes of the
 * file `path`. `applied`, one per finding, says which were; may be NULL. Returns how many, or
 * LW_ENOMEM; LW_EINVAL when the bytes are none of a file that can be edited (in UTF-16, or a
 * notebook of another shape) and `err` says why. */
int lw_fix_apply(struct lw_buf *out, struct lw_mem *mem, struct lw_str path,
                 struct lw_str bytes, const struct lw_finding *findings, size_t count,
                 const bool *chosen, bool *applied, struct lw_err *err);

/* What was done to a file. */
struct lw_fixed {
    struct lw_str path;
    struct lw_str before, after;        /* bytes; equal when nothing could be done */
    LW_VEC(struct lw_finding) findings; /* that were fixed, as found; text in `arena` */
    size_t fixable;                     /* findings that had a fix at the beginning */
    size_t left_out;                    /* fixes that did not stand the test */
};

/* Who checks: lw_check_run and lw_check_text, which sit above. */
struct lw_fix_checker {
    int (*run)(struct lw_check_result *out, const struct lw_ctx *ctx,
               const struct lw_check_rules *rules, const struct lw_check_options *options,
               const struct lw_str *paths, size_t count, struct lw_err *err);
    int (*text)(struct lw_check_result *out, const struct lw_ctx *ctx,
                const struct lw_check_rules *rules, const struct lw_check_options *options,
                struct lw_str path, struct lw_str text, struct lw_err *err);
};

/* Fixes one file whose bytes are given; texts go to `arena`. It is checked alone or, with
 * `paths`, as one of all these files, so that what shows only where it is used is fixed too.
 * LW_ENOMEM, LW_EINVAL as above. */
int lw_fix_file(struct lw_fixed *out, struct lw_arena *arena, const struct lw_ctx *ctx,
                const struct lw_fix_checker *checker, const struct lw_check_rules *rules,
                const struct lw_check_options *options, struct lw_str path, struct lw_str bytes,
                const struct lw_str *paths, size_t path_count, struct lw_err *err);
void lw_fixed_release(struct lw_fixed *f, struct lw_mem *mem);

/* ---- notebooks (notebook.c) -----------------------------------------------------------------
 */

/* A byte of a cell's code, as it stands in the JSON of a notebook. */
struct lw_fix_cell {
    uint32_t number;   /* among all cells, from 1 */
    size_t first, end; /* of `map` */
};
/* Where every byte of the code cells stands: map[k] is the offset in the JSON of byte k, and
 * behind the last byte of each cell that of its end. */
struct lw_fix_notebook {
    LW_VEC(struct lw_fix_cell) cells;
    LW_VEC(uint32_t) map;
    LW_VEC(char) text; /* the code itself */
};

/* LW_EINVAL when the JSON is not a notebook as Jupyter writes it. */
int lw_fix_notebook_read(struct lw_fix_notebook *nb, struct lw_mem *mem, struct lw_str json,
                         struct lw_err *err);
void lw_fix_notebook_release(struct lw_fix_notebook *nb, struct lw_mem *mem);

#endif
