/*
 * pythons - the Python interpreters of this machine and where their modules are.
 *
 * An interpreter is asked once for its version and module folders; the answer is remembered in
 * $XDG_CACHE_HOME/lacewing/pythons.csv for as long as the interpreter's file does not change.
 * So a listing that says what can run starts no Python at all.
 */
#ifndef LW_VERIFY_PYTHONS_H
#define LW_VERIFY_PYTHONS_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/vec.h"
#include "lacewing.h"
#include "sandbox/sandbox.h"

enum { PYTHON_BINDS = 3 };

struct python {
    const char *path;                   /* the real executable */
    struct lw_str version;              /* "3.11.2" */
    struct lw_str folders;              /* sys.path, one a line */
    struct lw_bind binds[PYTHON_BINDS]; /* what the sandbox must show of it beside /usr */
    size_t bind_count;
};

struct pythons {
    struct lw_arena arena;
    LW_VEC(struct python) all; /* in the order of preference */
};

int pythons_load(struct pythons *p, const struct lw_ctx *ctx, struct lw_err *err);
void pythons_release(struct pythons *p);

/* Can it import the top-level module? Looked up in its folders, nothing runs. */
bool python_has(const struct python *python, struct lw_str module);

/* The version of an installed package from its metadata, in `arena`; empty when unknown. */
struct lw_str python_package_version(const struct python *python, struct lw_str package,
                                     struct lw_arena *arena);

#endif
