/*
 * git_tree - the files of a commit.
 *
 * Paths are bytes as git stores them, `/` between folders, usually UTF-8. Entries whose name
 * cannot be one of a file ("", ".", "..", with a slash) are noted as corrupt and left out;
 * other names are as the repository has them: who writes files must still join them with
 * lw_path_join.
 */
#ifndef LW_SOURCE_GIT_TREE_H
#define LW_SOURCE_GIT_TREE_H

#include "source/git_repo.h"

enum lw_git_kind {
    LW_GIT_NOTHING,
    LW_GIT_FILE,
    LW_GIT_LINK,      /* a symbolic link; its blob holds the target. Never followed. */
    LW_GIT_SUBMODULE, /* a commit of another repository. Never entered. */
    LW_GIT_FOLDER
};

struct lw_git_entry {
    struct lw_str path;
    enum lw_git_kind kind;
    uint32_t mode; /* 0100644, 0100755, 0120000, 0160000 or 0040000 */
    struct lw_git_id id;
};

enum lw_git_kind lw_git_kind_of(uint32_t mode);

struct lw_git_tree_options {
    struct lw_str under; /* only this folder or file; empty = all */
    /* Is the folder worth entering, the file worth reporting? NULL = all. */
    bool (*wants)(void *data, const struct lw_git_entry *entry);
    void *data;
    uint64_t max_entries; /* LW_ELIMIT beyond; 0 = ten million */
};

/* Gets each file, link and submodule in byte order of the paths; `entry` lives during the call.
 * 0 goes on, positive ends the walk, negative fails it. */
typedef int lw_git_entry_fn(void *data, const struct lw_git_entry *entry);

/* Walks the tree of `commit`. Folders that cannot be read are noted and skipped. */
int lw_git_tree_walk(lw_git *git, const struct lw_git_id *commit,
                     const struct lw_git_tree_options *options, lw_git_entry_fn *fn, void *data,
                     struct lw_err *err);

/* What is at `path` (a folder too) in the tree of `commit`; LW_ENOENT when nothing is. The
 * entry's path is borrowed from `path`. */
int lw_git_tree_find(lw_git *git, const struct lw_git_id *commit, struct lw_str path,
                     struct lw_git_entry *entry, struct lw_err *err);

#endif
