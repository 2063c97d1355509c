/*
 * git_walk - commits, from one or more on to their ancestors.
 */
#ifndef LW_SOURCE_GIT_WALK_H
#define LW_SOURCE_GIT_WALK_H

#include "source/git_repo.h"

enum lw_git_order {
    LW_GIT_BY_DATE,    /* newest first among those reached; streams */
    LW_GIT_TOPOLOGICAL /* no commit before its children, branches not mixed; reads all first */
};

struct lw_git_walk_options {
    const struct lw_git_id *from;
    size_t from_count;
    const struct lw_git_id *hide; /* neither these nor their ancestors */
    size_t hide_count;
    enum lw_git_order order;
    bool first_parent; /* of merges follow the first parent only */
    uint64_t limit;    /* at most so many; 0 = all */
};

struct lw_git_step {
    struct lw_git_id id;
    struct lw_git_id tree;
    int64_t date; /* of the committer, seconds since 1970-01-01 UTC */
    size_t parent_count;
    struct lw_git_id parent; /* the first; zero when there is none */
};

/* 0 goes on, positive ends the walk, negative fails it. `step` lives during the call. */
typedef int lw_git_step_fn(void *data, const struct lw_git_step *step);

/* The orders are those of `git rev-list` and `git rev-list --topo-order`. A commit that cannot
 * be read is skipped with what only it leads to; LW_ENOENT when it is one of `from`. */
int lw_git_walk(lw_git *git, const struct lw_git_walk_options *options, lw_git_step_fn *fn,
                void *data, struct lw_err *err);

#endif
