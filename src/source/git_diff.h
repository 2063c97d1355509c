/*
 * git_diff - what changed between two commits: files, with renames, and lines.
 *
 * Renames are those that `git diff -M` finds: first files whose content is the same, then those
 * of the same name, then the most similar of the rest, where similarity is the share of bytes
 * in lines (or 64-byte pieces) that both have. Hunks are those of `git diff` (Myers, moved to
 * where the indentation suggests). Everything is in the caller's arena unless said otherwise.
 */
#ifndef LW_SOURCE_GIT_DIFF_H
#define LW_SOURCE_GIT_DIFF_H

#include "source/git_tree.h"

enum lw_git_status {
    LW_GIT_ADDED = 'A',
    LW_GIT_DELETED = 'D',
    LW_GIT_MODIFIED = 'M', /* content or mode */
    LW_GIT_RENAMED = 'R',  /* and perhaps modified: see `similarity` */
    LW_GIT_COPIED = 'C',   /* only in histories (git_history.h) */
    LW_GIT_TYPE = 'T'      /* a file became a link, and so on */
};

struct lw_git_change {
    enum lw_git_status status;
    unsigned similarity;     /* percent; of renames */
    struct lw_str old_path;  /* empty when added */
    struct lw_str path;      /* the new path; the old one when deleted */
    uint32_t old_mode, mode; /* 0 on the side where it is not */
    struct lw_git_id old_id, id;
};

struct lw_git_changes {
    const struct lw_git_change *v; /* in byte order of `path` */
    size_t n;
    bool renames_skipped; /* too many candidates: only files of the same content or name */
};

struct lw_git_diff_options {
    struct lw_str under; /* only this file or folder; renames are looked for inside it */
    bool no_renames;
    unsigned similarity; /* least percent; 0 = 50 */
    size_t rename_limit; /* added and deleted files to compare, each; 0 = 1000, as git */
};

/* The changes from `old_commit` (NULL: from nothing) to `new_commit`. `options` may be NULL. */
int lw_git_diff(lw_git *git, struct lw_arena *arena, const struct lw_git_id *old_commit,
                const struct lw_git_id *new_commit, const struct lw_git_diff_options *options,
                struct lw_git_changes *changes, struct lw_err *err);

/* What a commit did to its first parent, or to nothing when it has none. LW_ENOENT when the
 * parent is missing. */
int lw_git_diff_commit(lw_git *git, struct lw_arena *arena, const struct lw_git_id *commit,
                       const struct lw_git_diff_options *options,
                       struct lw_git_changes *changes, struct lw_err *err);

/* ---- Lines ------------------------------------------------------------------------------- */

/* Lines from 1; where a side has none, its start is the line before, as in a patch. */
struct lw_git_hunk {
    uint32_t old_start, old_count;
    uint32_t new_start, new_count;
};

struct lw_git_line {
    char origin;             /* ' ', '-' or '+' */
    uint32_t old_line, line; /* 0 on the side where it is not */
    struct lw_str text;      /* with its line end, if it has one */
};

/* Each may be NULL. 0 goes on, positive ends it, negative fails it. */
struct lw_git_patch_fns {
    int (*hunk)(void *data, const struct lw_git_hunk *hunk);
    int (*line)(void *data, const struct lw_git_line *line); /* text lives during the call */
    void *data;
};

enum lw_git_content {
    LW_GIT_TEXT,
    LW_GIT_BINARY,    /* one side is; no hunks */
    LW_GIT_NO_CONTENT /* a submodule, or missing, corrupt, too large; no hunks */
};

/* The hunks of one change with `context` lines around, streamed. */
int lw_git_patch(lw_git *git, const struct lw_git_change *change, unsigned context,
                 const struct lw_git_patch_fns *fns, enum lw_git_content *content,
                 struct lw_err *err);

/* The same between two texts. */
int lw_git_patch_texts(lw_git *git, struct lw_str old_text, struct lw_str new_text,
                       unsigned context, const struct lw_git_patch_fns *fns,
                       struct lw_err *err);

#endif
