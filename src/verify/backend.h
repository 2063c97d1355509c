/*
 * backend - where the programs of bugs run.
 *
 *   host    this machine's Python, in the sandbox
 *   venv    a virtual environment: with the machine's own packages, or from a folder of wheels;
 *           in the sandbox
 *   conda   an environment made by conda, mamba or micromamba from the bug's environment.yml;
 *           in the sandbox
 *   podman, docker   an image built from the bug's Containerfile
 *
 * Environments are made once and kept in $XDG_CACHE_HOME/lacewing/environments, images in the
 * engine's own store; both are named by a hash of everything they are made from. What is
 * missing is LW_EMISSING with how to get it.
 */
#ifndef LW_VERIFY_BACKEND_H
#define LW_VERIFY_BACKEND_H

#include "base/arena.h"
#include "base/ctx.h"
#include "lacewing.h"
#include "sandbox/sandbox.h"
#include "verify/guard.h"
#include "verify/pythons.h"

enum lw_backend {
    LW_BACKEND_HOST,
    LW_BACKEND_VENV,
    LW_BACKEND_CONDA,
    LW_BACKEND_PODMAN,
    LW_BACKEND_DOCKER
};
enum { LW_BACKENDS = 5 };

/* "host", …; static. */
const char *lw_backend_name(enum lw_backend backend);
bool lw_backend_parse(struct lw_str name, enum lw_backend *backend);

struct lw_backend_options {
    const char *wheels; /* venv: install from this folder only; NULL: the machine's packages */
    const char
        *image; /* podman, docker: an image that has what the bug needs; NULL: build one */
};

/* The interpreter of the bug's environment, made if need be; `base` is what it starts from
 * (venv). Texts in `arena`. One thread at a time. */
int lw_backend_python(const struct lw_ctx *ctx, enum lw_backend backend,
                      const struct lw_backend_options *options, const struct lw_bug *bug,
                      const struct python *base, struct lw_arena *arena, struct python *python,
                      struct lw_err *err);

/* The image of the bug, built if need be; in `arena`. One thread at a time. */
int lw_backend_image(const struct lw_ctx *ctx, enum lw_backend backend,
                     const struct lw_backend_options *options, const struct lw_bug *bug,
                     struct lw_arena *arena, struct lw_str *image, struct lw_err *err);

/* Runs the bug's test, as `guard` says, in a container: no network, no capabilities, read-only
 * but for `folder`, which is /bug, without the test and its data. Any thread. */
int lw_backend_container(const struct lw_ctx *ctx, enum lw_backend backend, struct lw_str image,
                         const struct lw_bug *bug, const char *folder,
                         const struct guard *guard, struct lw_arena *arena, struct lw_run *run,
                         struct lw_err *err);

#endif
