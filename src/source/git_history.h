/*
 * git_history - the commits that changed a path.
 *
 * Three ways to look at it, each the same as a call of git:
 *   - followed (the default): `git log --follow`. Every commit is looked at, newest first;
 * where the file appears, its origin is looked for among what was deleted or is still there,
 * and from then on the origin's path is followed. Merges are skipped. As in git, one path
 * is followed at a time, and an empty file may be taken for the copy of another empty one.
 *   - `no_follow`: `git log -- PATH`. Of a merge that leaves the path as one of its parents has
 *     it, only that parent is followed. For folders too.
 *   - `full` (and `no_follow`): `git log --full-history --no-merges -- PATH`: commits of all
 *     branches that touched the path.
 */
#ifndef LW_SOURCE_GIT_HISTORY_H
#define LW_SOURCE_GIT_HISTORY_H

#include "source/git_diff.h"

struct lw_git_history_options {
    bool no_follow;
    bool no_copies;    /* follow renames only: the origin must be gone */
    bool full;         /* with no_follow */
    bool first_parent; /* follow, and compare with, first parents only */
    uint64_t limit;    /* at most so many; 0 = all */
};

struct lw_git_touch {
    struct lw_git_id commit;
    size_t parent_count;
    struct lw_git_change change; /* of the path, to the first parent */
};

/* `touch` lives during the call. 0 goes on, positive ends it, negative fails it. */
typedef int lw_git_touch_fn(void *data, const struct lw_git_touch *touch);

/* From `commit` back. A path that never existed has an empty history. Commits that cannot be
 * compared are noted and skipped. `options` may be NULL. */
int lw_git_history(lw_git *git, const struct lw_git_id *commit, struct lw_str path,
                   const struct lw_git_history_options *options, lw_git_touch_fn *fn,
                   void *data, struct lw_err *err);

#endif
