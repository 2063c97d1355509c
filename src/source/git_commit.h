/*
 * git_commit - what a commit says about itself.
 *
 * All text is UTF-8: where the commit names another encoding it is converted; bytes that are
 * not what they should be are read as Windows-1252, which is what old tools wrote. Damaged
 * lines give empty fields; only a commit without a tree is corrupt.
 */
#ifndef LW_SOURCE_GIT_COMMIT_H
#define LW_SOURCE_GIT_COMMIT_H

#include "source/git_repo.h"

struct lw_git_person {
    struct lw_str name;
    struct lw_str email;
    int64_t time; /* seconds since 1970-01-01 UTC; 0 when it cannot be read */
    int zone;     /* minutes east of Greenwich */
};

struct lw_git_commit {
    struct lw_git_id id;
    struct lw_git_id tree;
    const struct lw_git_id *parents;
    size_t parent_count; /* 0 also where a shallow clone was cut */
    struct lw_git_person author;
    struct lw_git_person committer;
    struct lw_str message;
    struct lw_str encoding; /* as the commit names it; usually empty */
};

/* Everything is in `arena`. */
int lw_git_commit(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id,
                  struct lw_git_commit *commit, struct lw_err *err);

/* The first line that is not empty; borrowed from the message. */
struct lw_str lw_git_subject(const struct lw_git_commit *commit);

#endif
