/*
 * verify - runs bugs and says whether they reproduce.
 *
 * A bug is verified by running its test on the buggy and on the fixed side, each in the
 * sandbox, and judging both runs against what the bug states.
 */
#ifndef LW_VERIFY_VERIFY_H
#define LW_VERIFY_VERIFY_H

#include <pthread.h>

#include "base/ctx.h"
#include "catalog/catalog.h"
#include "lacewing.h"
#include "sandbox/sandbox.h"
#include "verify/available.h"
#include "verify/backend.h"

struct lw_verifier {
    struct lw_ctx ctx;
    lw_catalog *catalog; /* borrowed */
    lw_sandbox *sandbox;
    lw_available *available;
    bool allow_weak; /* bugs that did not come with the program may run without bubblewrap */
    unsigned repeat; /* how often each bug is run; more than 1 can find it flaky */
    enum lw_backend backend;
    struct lw_backend_options options;
    pthread_mutex_t *making; /* one thread at a time makes environments and images */
    bool measure; /* run all of these also after two of them differed: gives the rate */
};

int lw_verifier_init(struct lw_verifier *v, const struct lw_ctx *ctx, lw_catalog *catalog,
                     struct lw_err *err);
void lw_verifier_release(struct lw_verifier *v);

/* Runs the test of one side; texts of the run in `arena`. LW_EMISSING: something is not here.
 */
int lw_verifier_run(const struct lw_verifier *v, const struct lw_bug *bug,
                    const lw_file_vec *files, enum lw_side side, struct lw_arena *arena,
                    struct lw_run *run, struct lw_err *err);

/* Both sides of one bug; texts in `arena`. Thread-safe: touches no store. `runs` (2) are what
 * the store wants to know. */
int lw_verifier_bug(const struct lw_verifier *v, const struct lw_bug *bug,
                    const lw_file_vec *files, struct lw_arena *arena,
                    struct lw_verification *out, struct store_run runs[2], struct lw_err *err);

/* Called for each verification in the order of the ids, on the calling thread, after it has
 * been stored. Non-zero stops. */
typedef int (*lw_verified_fn)(void *data, const struct lw_bug *bug,
                              const struct lw_verification *v);

/* Verifies many bugs, ctx.jobs at a time, with a progress bar. LW_ECANCEL when interrupted. */
int lw_verifier_many(const struct lw_verifier *v, const struct lw_str *ids, size_t count,
                     lw_verified_fn each, void *data, struct lw_err *err);

#endif
