/*
 * git_api - libgit2, opened on first use.
 *
 * Linking libgit2 costs every command 3.5 ms of loading (Kerberos, SSH and two TLS libraries
 * come with it), so the program does not: the functions we call are looked up when the first
 * repository is opened. It stays loaded and initialised until the process ends, so that
 * further handles are cheap. We use its object database and its line diff only; no part of it
 * that reads configuration, runs hooks or opens connections.
 *
 * Internal to src/source/git_*.
 */
#ifndef LW_SOURCE_GIT_API_H
#define LW_SOURCE_GIT_API_H

#include <git2.h>
#include <git2/sys/alloc.h>
#include <git2/sys/odb_backend.h>

#include "lacewing.h"

/* Every function of libgit2 we call, without its "git_". */
#define GT_FUNCTIONS(X)     \
    X(libgit2_init)         \
    X(libgit2_opts)         \
    X(error_last)           \
    X(odb_new)              \
    X(odb_free)             \
    X(odb_add_backend)      \
    X(odb_backend_pack)     \
    X(odb_backend_one_pack) \
    X(odb_backend_loose)    \
    X(odb_read)             \
    X(odb_read_header)      \
    X(odb_exists_prefix)    \
    X(odb_foreach)          \
    X(odb_object_dup)       \
    X(odb_object_free)      \
    X(odb_object_id)        \
    X(odb_object_data)      \
    X(odb_object_size)      \
    X(odb_object_type)      \
    X(diff_buffers)         \
    X(diff_options_init)

struct gt_api {
#define GT_MEMBER(name) __typeof__(&git_##name) name;
    GT_FUNCTIONS(GT_MEMBER)
#undef GT_MEMBER
};

/* Loads libgit2 of the version we were compiled for; LW_EMISSING when it is not installed. May
 * be called from any thread, any number of times. */
int gt_api_load(struct gt_api *api, struct lw_err *err);

/* How libgit2 gets memory: see git_alloc.c. */
git_allocator gt_allocator(void);

#endif
