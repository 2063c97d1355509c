/*
 * mirror - local copies of the repositories in which git-based bugs live.
 *
 * In: a bug with `git_url` and its two commits, and a folder. The folder is the repository
 * itself, or holds `owner+name`, `owner+name/repo` or `name` (whatever the case of letters) for
 * the bug's repository or the one its fix was made in. Out: an open repository that has both
 * commits. Nothing touches the network unless `lw_mirror_fetch` is called.
 */
#ifndef LW_CATALOG_MIRROR_H
#define LW_CATALOG_MIRROR_H

#include "base/buf.h"
#include "base/ctx.h"
#include "catalog/specimen.h"
#include "lacewing.h"
#include "source/git_repo.h"

/*
 * `folder` NULL: $LACEWING_MIRROR, else the folder lw_mirror_fetch fills. LW_EMISSING when no
 * repository there has both commits: the text says how to get one. Close it with lw_git_close.
 */
int lw_mirror_open(lw_git **git, const struct lw_ctx *ctx, const struct lw_bug *bug,
                   const char *folder, struct lw_err *err);

/* Clones the bug's repository into $XDG_CACHE_HOME/lacewing/mirrors unless it is there. Needs
 * the git program and a network. */
int lw_mirror_fetch(const struct lw_ctx *ctx, const struct lw_bug *bug, struct lw_err *err);

/* One file of both sides; a text with p == NULL is not there. */
struct lw_change {
    struct lw_str path;
    struct lw_str text[2]; /* by side */
};

typedef LW_VEC(struct lw_change) lw_change_vec;

/* The files that differ between the two commits, in byte order of the paths (binary ones and
 * those over 4 MiB left out); texts in `arena`, list in `mem`. */
int lw_mirror_changes(lw_git *git, const struct lw_bug *bug, struct lw_arena *arena,
                      struct lw_mem *mem, lw_change_vec *changes, struct lw_err *err);

/* The same of a bug whose files are in the catalogue: buggy/ against fixed/. */
int lw_specimen_changes(const lw_file_vec *files, struct lw_mem *mem, lw_change_vec *changes,
                        struct lw_err *err);

/*
 * Leaves only the fix: changes of tests and of files that are not Python go, and of the rest
 * the hunks that touch comments, docstrings and layout alone. A change that would leave
 * nothing at all is left as it is.
 */
int lw_changes_isolate(lw_change_vec *changes, struct lw_arena *arena, struct lw_mem *mem,
                       struct lw_err *err);

/* Writes the tree of one side below `folder` (which exists): regular files only; `*passed_over`
 * counts links, submodules and files that the mirror lacks. */
int lw_mirror_write(lw_git *git, const struct lw_bug *bug, enum lw_side side,
                    const char *folder, struct lw_mem *mem, size_t *count, size_t *passed_over,
                    struct lw_err *err);

#endif
