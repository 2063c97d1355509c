/*
 * git_internal - what the files behind git_*.h share: the handle, raw objects, parsed commits
 * as a graph, raw trees. Everything is borrowed from the handle unless said otherwise.
 */
#ifndef LW_SOURCE_GIT_INTERNAL_H
#define LW_SOURCE_GIT_INTERNAL_H

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "source/git_api.h"
#include "source/git_repo.h"
#include "source/git_tree.h"

enum {
    GT_MAX_COMMIT = 16 << 20, /* bytes of one commit or tag */
    GT_MAX_TREE = 64 << 20,   /* bytes of one tree */
    GT_MAX_BLOB = 64 << 20,   /* bytes of a blob that is compared with others */
    GT_MAX_DEPTH = 256,       /* folders in folders */
    GT_MAX_PATH = 1 << 16,    /* bytes of a path */
    GT_RECENT = 1024,        /* commits kept: a walk reads one for its parents, then gives it */
    GT_MAX_RECENT = 16 << 10 /* bytes of one of them */
};

/* No commit, no origin. */
#define GT_NONE UINT32_MAX

/* ---- The handle -------------------------------------------------------------------------- */

enum gt_state { GT_UNREAD, GT_READ, GT_BROKEN };

/* A commit as the walks see it. Lives as long as the handle. */
struct gt_node {
    struct lw_git_id id;
    struct lw_git_id tree;
    int64_t date; /* of the committer */
    uint32_t index;
    uint32_t parent_count;
    const uint32_t *parents; /* indices; without those cut off by a shallow clone */
    enum gt_state state;
};

/* Where a node is. */
struct gt_place {
    struct gt_node *node;
};

struct gt_similar; /* git_rename.c */

struct lw_git {
    struct gt_api api;
    const struct lw_ctx *ctx; /* borrowed */
    struct lw_mem *mem;       /* ctx->mem */
    struct lw_arena arena;    /* lives as long as the handle: paths, nodes, refs */
    struct lw_str folder;     /* NUL-terminated */
    git_odb *odb;             /* owned; NULL before the first object is asked for */
    bool has_alternates;
    lw_str_vec packs;   /* indices of packs that are sound; NUL-terminated, in `arena` */
    bool pick_packs;    /* not all files in objects/pack are to be used */
    uint64_t map_bytes; /* of the largest pack and its index, which libgit2 maps */

    struct lw_map shallow; /* ids of commits whose parents were cut off */

    struct lw_map packed; /* name to index in packed_ids */
    LW_VEC(struct lw_git_id) packed_ids;
    bool packed_loaded;

    struct lw_map node_of; /* id to index */
    LW_VEC(struct gt_place) nodes;

    struct lw_map trees; /* id to git_odb_object, owned */
    size_t tree_bytes;
    git_odb_object *commits[GT_RECENT]; /* owned or NULL: read lately, by id */

    struct gt_similar *similar; /* owned; NULL before the first use */

    struct lw_map troubled; /* id to kind */
    uint64_t troubles[LW_GIT_TROUBLES];
    lw_git_trouble_fn *trouble_fn;
    void *trouble_data;
};

/* LW_ECANCEL with the error set when the user has interrupted, else 0. */
int gt_canceled(const lw_git *git, struct lw_err *err);

/* Notes the trouble and returns its code: LW_ENOENT, LW_ECORRUPT or LW_ELIMIT (or LW_ENOMEM).
 */
int gt_trouble(lw_git *git, enum lw_git_trouble kind, const struct lw_git_id *id,
               const char *what, struct lw_err *err);

/* For a call of libgit2 that failed: 0 when it is about the repository, else a negative code
 * with the lack of memory or open files that made it fail. `errno` must have been 0 before the
 * call. */
int gt_lack(const lw_git *git, struct lw_err *err);

/* Is `code` one of those, so that the thing may be skipped? */
bool gt_is_trouble(int code);

struct lw_str gt_id_key(const struct lw_git_id *id);

/* ---- Objects (git_repo.c) ---------------------------------------------------------------- */

/* Reads an object of the given type; free it with gt_object_free. Troubles are noted. */
int gt_object_read(lw_git *git, const struct lw_git_id *id, git_object_t type, size_t max,
                   git_odb_object **object, struct lw_err *err);
/* The same when header and size were looked at before. */
int gt_object_read_known(lw_git *git, const struct lw_git_id *id, git_object_t type,
                         git_odb_object **object, struct lw_err *err);
/* The same for a commit, which is kept for the next who asks. */
int gt_commit_read(lw_git *git, const struct lw_git_id *id, git_odb_object **object,
                   struct lw_err *err);
/* NULL is fine. */
void gt_object_free(lw_git *git, git_odb_object *object);
struct lw_str gt_object_text(lw_git *git, git_odb_object *object);

/* Type and size; troubles are noted. */
int gt_object_header(lw_git *git, const struct lw_git_id *id, git_object_t *type, size_t *size,
                     struct lw_err *err);

/* ---- Files of the repository (git_files.c) ------------------------------------------------
 */

/* The file below the repository's folder, NUL-terminated in `arena`; no symbolic link is
 * followed on the way. LW_ENOENT also when it is no regular file. */
int gt_file_read(const lw_git *git, struct lw_arena *arena, struct lw_str relative, size_t max,
                 struct lw_str *content, struct lw_err *err);

/* Finds the repository in `dir` and sets git->folder. */
int gt_files_find(lw_git *git, const char *dir, struct lw_err *err);
/* Refuses formats we cannot read and packs that are links; reads `shallow`. */
int gt_files_check(lw_git *git, struct lw_err *err);
/* Whether all that the index of a pack points to is inside the pack: 1 or 0, or negative when
 * that cannot be found out now. `*bytes` becomes the size of both. */
int gt_pack_is_sound(const char *index, const char *pack, uint64_t *bytes, struct lw_err *err);
/* Loads libgit2 and opens the object database, once: before every use of `odb` or `api` that is
 * not about an object at hand. */
int gt_objects_open(lw_git *git, struct lw_err *err);
/* Opens the object database over the repository's own objects only. */
int gt_odb_open(lw_git *git, struct lw_err *err);

/* ---- Commits (git_commit.c) ---------------------------------------------------------------
 */

/* The node of the commit, read if it was not yet. Troubles are noted. */
int gt_node_get(lw_git *git, const struct lw_git_id *id, struct gt_node **node,
                struct lw_err *err);
/* The same by index. */
int gt_node_at(lw_git *git, uint32_t index, struct gt_node **node, struct lw_err *err);
/* The parent number `n`; with GT_BROKEN state when it cannot be read. */
int gt_node_parent(lw_git *git, const struct gt_node *node, uint32_t n, struct gt_node **parent,
                   struct lw_err *err);

/* Follows a tag to what it names; `*id` is changed. */
int gt_tag_follow(lw_git *git, struct lw_git_id *id, struct lw_err *err);

/* ---- Trees (git_tree.c) ------------------------------------------------------------------ */

/* A raw entry; name and id are borrowed from the tree. */
struct gt_entry {
    uint32_t mode; /* canonical: 0100644, 0100755, 0120000, 0160000, 040000 */
    struct lw_str name;
    const struct lw_git_id *id;
};

/* The raw content of a tree, to be given back with gt_object_free. */
int gt_tree_read(lw_git *git, const struct lw_git_id *id, git_odb_object **tree,
                 struct lw_err *err);

/* Cuts the next entry off the front of `*rest`. 1, 0 at the end, or LW_ECORRUPT. */
int gt_tree_next(struct lw_str *rest, struct gt_entry *entry);

static inline bool gt_is_tree(uint32_t mode)
{
    return (mode & 0170000) == 0040000;
}

static inline bool gt_is_file(uint32_t mode)
{
    return (mode & 0170000) == 0100000;
}

/* What is at a path: mode 0 = nothing. */
struct gt_spot {
    uint32_t mode;
    struct lw_git_id id;
};

bool gt_spot_eq(const struct gt_spot *a, const struct gt_spot *b);

/* The entry at `path` below the tree; nothing (mode 0) is no failure, a folder on the way that
 * cannot be read is. */
int gt_tree_find(lw_git *git, const struct lw_git_id *tree, struct lw_str path,
                 struct gt_spot *spot, struct lw_err *err);

/* Both at once; where the folders above are the same in both, they are not read further and
 * `*same` is true (the spots are then nothing at all). NULL tree: nothing there. */
int gt_tree_find_both(lw_git *git, const struct lw_git_id *old_tree,
                      const struct lw_git_id *new_tree, struct lw_str path,
                      struct gt_spot *old_spot, struct gt_spot *new_spot, bool *same,
                      struct lw_err *err);

/* Called for each file, link or submodule that differs (or, if asked, every one); an absent
 * side has mode 0. */
typedef int gt_differ_fn(void *data, struct lw_str path, const struct gt_spot *old_spot,
                         const struct gt_spot *new_spot, struct lw_err *err);

struct gt_compare {
    const struct lw_git_id *old_tree, *new_tree; /* NULL: the empty tree */
    struct lw_str under;                         /* only this path; empty = all */
    bool unchanged;                              /* also what is the same */
    uint64_t max_entries;                        /* LW_ELIMIT beyond; 0 = ten million */
    /* Is the folder worth entering? NULL = yes. */
    bool (*enter)(void *data, struct lw_str path, const struct lw_git_id *id);
    gt_differ_fn *fn;
    void *data;
};

/* In byte order of the paths. Folders that cannot be read are skipped, except the top. A
 * result of `fn` other than 0 ends it and is returned. */
int gt_tree_compare(lw_git *git, const struct gt_compare *compare, struct lw_err *err);

#endif
