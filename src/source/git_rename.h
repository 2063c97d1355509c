/*
 * git_rename - which added file came from which other file.
 *
 * The decisions are those of git's diffcore-rename, so that histories agree; the text is ours.
 * How similar two blobs are is kept with the handle: sizes and signatures by object name, so
 * that no blob is read twice. Internal to src/source/git_*.
 */
#ifndef LW_SOURCE_GIT_RENAME_H
#define LW_SOURCE_GIT_RENAME_H

#include "source/git_internal.h"

/* Similarities are integers from 0 to GT_SAME, as git's, so that the same pairs win. */
enum { GT_SAME = 60000, GT_RENAME_LIMIT = 1000 };

/* A file that may have been the origin of another. */
struct gt_origin {
    struct lw_str path;
    struct gt_spot spot;
    bool stays; /* it is still there: would be a copy */
    bool used;  /* it has become something already */
};

/* A file that is new. */
struct gt_target {
    struct lw_str path;
    struct gt_spot spot;
    uint32_t origin; /* the answer: an index, or GT_NONE */
    unsigned score;  /* 0…GT_SAME */
};

struct gt_rename {
    struct gt_origin *origins; /* in byte order of the paths */
    size_t origin_count;
    struct gt_target *targets; /* in byte order of the paths */
    size_t target_count;
    unsigned least; /* score */
    size_t limit;   /* the product of both counts may reach its square */
    bool copies;    /* origins that stay count too */
    bool skipped;   /* out: beyond the limit */
};

/* Fills `origin` and `score` of the targets. Blobs that cannot be read are similar to nothing.
 */
int gt_rename_find(lw_git *git, struct gt_rename *r, struct lw_err *err);

/* Where the file `path`, which is in `new_tree` but not in `old_tree`, came from. */
struct gt_source {
    const struct lw_git_id *old_tree, *new_tree; /* the old one NULL: nothing */
    struct lw_str path;
    bool copies;         /* also from a file that stays */
    struct lw_str from;  /* out, in the arena; empty = nowhere */
    struct gt_spot spot; /* out */
    unsigned score;      /* out */
    bool is_copy;        /* out */
};

/* As git's --follow and blame look at it: this file alone, whatever else was renamed. */
int gt_rename_source(lw_git *git, struct lw_arena *arena, struct gt_source *source,
                     struct lw_err *err);

void gt_similar_free(lw_git *git);

#endif
