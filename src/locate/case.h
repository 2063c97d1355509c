/*
 * case - one report against one commit: all that a technique may look at.
 */
#ifndef LW_LOCATE_CASE_H
#define LW_LOCATE_CASE_H

#include "locate/history.h"
#include "locate/index.h"

/* A bug report as it came in, its markup resolved (dataset.h), with its terms. */
struct lw_ticket {
    struct lw_str project, id;
    struct lw_str summary;     /* plain text: markup tags gone, character references resolved */
    struct lw_str description; /* the same */
    struct lw_str raw_summary; /* as it came: the links are still in it */
    struct lw_str raw_description;
    int64_t open_date; /* seconds since 1970; INT64_MAX: unknown, everything is earlier */
    struct lw_bag summary_terms, description_terms;
    struct lw_bag terms; /* of both */
};

/* A report of the same project that was fixed (date of the fix commit) before this one was
 * opened. */
struct lw_fixed {
    const struct lw_ticket *ticket;
    int64_t fix_date;
    const struct lw_str *files; /* what the fix changed */
    size_t file_count;
};

/* Where the texts of candidates come from; the repository is opened when the first is asked
 * for. Belongs to one thread. */
struct lw_texts {
    const struct lw_ctx *ctx;
    struct lw_str folder; /* NUL-terminated */
    lw_git *git;          /* NULL before the first use; owned */
};

struct lw_case {
    const lw_index *index;
    const struct lw_snapshot *snapshot; /* files, with statistics */
    const struct lw_ticket *ticket;
    const struct lw_fixed *earlier; /* in order of their fix dates */
    size_t earlier_count;
    const struct lw_past *past; /* NULL unless the technique needs the history */
    struct lw_texts *texts;     /* for lw_case_text */
    struct lw_mem *mem;         /* scratch of the thread */
    struct lw_arena *arena;     /* the same; empty again after the case */
    void *shared;               /* what the technique's `share` made, or NULL */
    struct lw_words *spelling;  /* the report's words, read when first asked for; NULL: each
                                 * time anew */
};

/* The bytes of a candidate's blob, in `arena`. */
int lw_case_text(const struct lw_case *c, struct lw_arena *arena, struct lw_doc doc,
                 struct lw_str *text, struct lw_err *err);
void lw_texts_release(struct lw_texts *texts);

#endif
