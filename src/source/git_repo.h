/*
 * git_repo - a git repository, bare or ordinary, read without a checkout and without the git
 * program.
 *
 * In comes the path of a repository; out come objects, revisions and the `lw_git` handle that
 * git_commit.h, git_tree.h, git_walk.h, git_diff.h, git_history.h and git_blame.h work on.
 *
 * Trust. A repository is untrusted input. Nothing outside its folder is read: no alternates, no
 * linked work trees (".git" as a file), no symbolic link anywhere on the way to a file of it,
 * no configuration of the user, the system or an include. Of its own `config` only the object
 * format is looked at. Hooks, filters, attributes, replace refs and the network do not exist
 * here. Objects larger than stated limits are skipped, trees that repeat themselves
 * endlessly end in LW_ELIMIT.
 *
 * Damage. An object that is missing (partial mirrors), corrupt or too large is noted (see
 * lw_git_on_trouble), each once, and what needs it is skipped; a function fails with
 * LW_ENOENT, LW_ECORRUPT or LW_ELIMIT only when the very thing asked for cannot be given.
 *
 * Threads. A handle belongs to one thread at a time; handles are independent of each other, and
 * opening one takes about a tenth of a millisecond after the first. It is a snapshot: what
 * is added to the repository later may not be seen.
 *
 * Memory. The handle owns what it caches (commits seen: about 130 bytes each; up to 64 MB of
 * trees, up to 32 MB of similarity data). Results live in the caller's arena.
 */
#ifndef LW_SOURCE_GIT_REPO_H
#define LW_SOURCE_GIT_REPO_H

#include "base/arena.h"
#include "base/ctx.h"
#include "lacewing.h"

typedef struct lw_git lw_git;

/* ---- Names of objects -------------------------------------------------------------------- */

enum { LW_GIT_ID_BYTES = 20, LW_GIT_ID_TEXT = 41 };

struct lw_git_id {
    uint8_t b[LW_GIT_ID_BYTES];
};

bool lw_git_id_eq(const struct lw_git_id *a, const struct lw_git_id *b);
/* All bytes zero: no object. */
bool lw_git_id_is_zero(const struct lw_git_id *id);
/* 40 hexadecimal digits, and only these. */
bool lw_git_id_parse(struct lw_str text, struct lw_git_id *id);
/* 40 lower-case digits, NUL-terminated; returns `out`. */
const char *lw_git_id_print(const struct lw_git_id *id, char out[LW_GIT_ID_TEXT]);

/* ---- The repository ---------------------------------------------------------------------- */

/*
 * Opens `dir`: itself a repository, or with `repo`, `repo/.git` or `.git` inside. `ctx` is
 * borrowed as long as the handle lives; its cancel flag ends every longer call with LW_ECANCEL.
 * LW_ENOENT: there is none. LW_EINVAL: one of a kind that is not read (see above; also object
 * names of SHA-256 and reftables). LW_EMISSING: libgit2 is not installed (said when the first
 * object is asked for, since refs are read without it).
 */
int lw_git_open(lw_git **out, const struct lw_ctx *ctx, const char *dir, struct lw_err *err);
/* NULL is fine. */
void lw_git_close(lw_git *git);

/* The history was cut when it was fetched. */
bool lw_git_is_shallow(const lw_git *git);
/* It wants objects from outside, which are not followed. */
bool lw_git_has_alternates(const lw_git *git);

/* ---- What had to be skipped ---------------------------------------------------------- */

enum lw_git_trouble {
    LW_GIT_MISSING, /* not in the repository */
    LW_GIT_CORRUPT, /* cannot be unpacked, or is not what it should be */
    LW_GIT_LARGE    /* beyond a limit */
};
enum { LW_GIT_TROUBLES = 3 };

/* "missing", "corrupt", "too large". */
const char *lw_git_trouble_name(enum lw_git_trouble kind);

typedef void lw_git_trouble_fn(void *data, enum lw_git_trouble kind,
                               const struct lw_git_id *id);

/* `fn` is called once per object that is skipped (may be NULL). */
void lw_git_on_trouble(lw_git *git, lw_git_trouble_fn *fn, void *data);

/* How many different objects were skipped so far. */
uint64_t lw_git_trouble_count(const lw_git *git, enum lw_git_trouble kind);

/* ---- Blobs ------------------------------------------------------------------------------- */

/* The content, NUL-terminated, in `arena`. More than `max` bytes is LW_ELIMIT. */
int lw_git_blob(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id, size_t max,
                struct lw_str *content, struct lw_err *err);

/* Its size without unpacking it. */
int lw_git_blob_size(lw_git *git, const struct lw_git_id *id, uint64_t *size,
                     struct lw_err *err);

/* As git decides it: a NUL byte in the first 8000. */
bool lw_git_is_binary(struct lw_str content);

/* ---- Revisions --------------------------------------------------------------------------- */

/* What HEAD, a branch or a tag names, be it a commit or not: no object is looked at. LW_ENOENT:
 * there is no such ref. */
int lw_git_ref(lw_git *git, struct lw_str name, struct lw_git_id *id, struct lw_err *err);

/*
 * The commit that `rev` means: a full or shortened object name, HEAD, a branch or tag by short
 * or full name, each followed by any number of ~N, ^N, ^{}, ^{commit}. Tags are followed to
 * their commit. LW_ENOENT: no such revision. LW_EINVAL: not understood, or ambiguous (a
 * shortened name that fits one commit and other objects means the commit).
 */
int lw_git_resolve(lw_git *git, struct lw_str rev, struct lw_git_id *commit,
                   struct lw_err *err);

struct lw_git_ref {
    struct lw_str name;  /* "refs/heads/main" */
    struct lw_git_id id; /* of a commit, tag, … */
};

struct lw_git_refs {
    const struct lw_git_ref *v; /* in byte order of the names */
    size_t n;
};

/* All refs below refs/, broken ones left out; in `arena`. */
int lw_git_refs(lw_git *git, struct lw_arena *arena, struct lw_git_refs *refs,
                struct lw_err *err);

#endif
