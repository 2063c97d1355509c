/*
 * git_blame - which commit wrote each line of a file.
 *
 * The answer is that of `git blame`: lines are handed to the parents of a commit as long as a
 * parent has them, through renames of the whole file; lines moved between files are not
 * followed.
 */
#ifndef LW_SOURCE_GIT_BLAME_H
#define LW_SOURCE_GIT_BLAME_H

#include "source/git_diff.h"

/* Lines that came from the same commit in one stretch. */
struct lw_git_blame_span {
    uint32_t line; /* first line in the file asked about, from 1 */
    uint32_t count;
    struct lw_git_id commit;
    struct lw_str path;   /* of the file in that commit */
    uint32_t origin_line; /* first line there */
};

struct lw_git_blame {
    const struct lw_git_blame_span *v; /* by line, without gaps */
    size_t n;
};

struct lw_git_blame_options {
    uint32_t first, last; /* lines, from 1; 0 = from the start, to the end */
};

/* The file `path` as it is in `commit`; everything in `arena`. `options` may be NULL.
 * LW_ENOENT: no such file there. LW_EINVAL: the lines are not in it. Where a parent's version
 * cannot be read, lines stay with the commit that can be. */
int lw_git_blame(lw_git *git, struct lw_arena *arena, const struct lw_git_id *commit,
                 struct lw_str path, const struct lw_git_blame_options *options,
                 struct lw_git_blame *blame, struct lw_err *err);

#endif
