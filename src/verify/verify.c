#include "verify/verify.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/scratch.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/checkout.h"
#include "catalog/sides.h"
#include "verify/guard.h"
#include "verify/judge.h"

const char *lw_verdict_name(enum lw_verdict verdict)
{
    static const char *const names[] = {"reproduced", "not-reproduced", "flaky", "unavailable"};
    return names[verdict];
}

int lw_verifier_init(struct lw_verifier *v, const struct lw_ctx *ctx, lw_catalog *catalog,
                     struct lw_err *err)
{
    *v = (struct lw_verifier){.ctx = *ctx, .catalog = catalog, .repeat = 1};
    lw_scratch_sweep(); /* what a killed run left would stay for ever */
    v->making = lw_mem_alloc(ctx->mem, sizeof *v->making);
    if (!v->making)
        return lw_err_nomem(err);
    pthread_mutex_init(v->making, NULL);
    if (lw_sandbox_new(&v->sandbox, ctx->mem, err) < 0 ||
        lw_available_new(&v->available, ctx, err) < 0) {
        lw_verifier_release(v);
        return err->code;
    }
    return 0;
}

void lw_verifier_release(struct lw_verifier *v)
{
    lw_available_free(v->available);
    lw_sandbox_free(v->sandbox);
    if (v->making) {
        pthread_mutex_destroy(v->making);
        lw_mem_free(v->ctx.mem, v->making, sizeof *v->making);
    }
    v->making = NULL;
    v->available = NULL;
    v->sandbox = NULL;
}

/* Limits as the bug states them; what came with the program may run where confinement cannot.
 */
static void set_policy(struct lw_policy *p, const struct lw_verifier *v,
                       const struct lw_bug *bug, const struct python *python,
                       const char *folder)
{
    lw_policy_init(p);
    p->dir = folder;
    p->binds = python->binds;
    p->bind_count = python->bind_count;
    p->wall_seconds = (double)bug->seconds;
    p->cpu_seconds = (uint64_t)bug->seconds * 2;
    p->memory_bytes = (uint64_t)bug->memory_mb << 20;
    p->cancel = v->ctx.cancel;
    p->allow_weak = bug->trusted || v->allow_weak;
}

/* The interpreter of the back end, in `*python`. */
static int find_python(const struct lw_verifier *v, const struct lw_bug *bug,
                       struct lw_arena *arena, struct python *python, struct lw_err *err)
{
    const struct python *base = NULL;
    struct lw_bug any = *bug;
    /* What wheels will bring need not be on the machine. */
    if (v->options.wheels)
        any.modules = LW_S("json"), any.framework_version = LW_S("");
    if (v->backend != LW_BACKEND_CONDA &&
        lw_available_python(v->available, &any, &base, err) < 0)
        return err->code;
    if (v->backend == LW_BACKEND_HOST) {
        *python = *base;
        return 0;
    }
    pthread_mutex_lock(v->making);
    int rc = lw_backend_python(&v->ctx, v->backend, &v->options, bug, base, arena, python, err);
    pthread_mutex_unlock(v->making);
    return rc;
}

/* Shows `name` of the working directory read-only to the program. */
static int add_fixed(struct lw_policy *policy, struct lw_bind *binds, struct lw_arena *arena,
                     struct lw_str name)
{
    struct lw_str from = lw_arena_printf(arena, "%s/%.*s", policy->dir, LW_F(name));
    struct lw_str to = lw_arena_printf(arena, LW_SANDBOX_DIR "/%.*s", LW_F(name));
    if (!from.p || !to.p)
        return LW_ENOMEM;
    if (lw_file_kind(from.p) != LW_FILE_NONE)
        binds[policy->bind_count++] = (struct lw_bind){from.p, to.p};
    return 0;
}

/* In the sandbox, with some interpreter. The test and its data are not the program's to change.
 */
static int run_confined(const struct lw_verifier *v, const struct lw_bug *bug,
                        const struct python *python, const char *folder, struct lw_arena *arena,
                        struct lw_run *run, struct lw_err *err)
{
    struct lw_policy policy;
    struct lw_bind binds[PYTHON_BINDS + 2];
    struct guard guard;
    if (guard_init(&guard, arena, bug, python->path, err) < 0)
        return err->code;
    set_policy(&policy, v, bug, python, folder);
    for (size_t i = 0; i < policy.bind_count; i++)
        binds[i] = policy.binds[i];
    policy.binds = binds;
    policy.env = guard.env;
    if (add_fixed(&policy, binds, arena, bug->test) < 0 ||
        add_fixed(&policy, binds, arena, LW_S("data")) < 0)
        return lw_err_nomem(err);
    int rc = lw_sandbox_run(run, arena, v->sandbox, &policy, guard.argv, err);
    guard_read(&guard, run);
    return rc;
}

static bool in_container(const struct lw_verifier *v)
{
    return v->backend == LW_BACKEND_PODMAN || v->backend == LW_BACKEND_DOCKER;
}

static int run_contained(const struct lw_verifier *v, const struct lw_bug *bug,
                         struct lw_str image, const char *folder, struct lw_arena *arena,
                         struct lw_run *run, struct lw_err *err)
{
    struct guard guard;
    if (guard_init(&guard, arena, bug, "python3", err) < 0)
        return err->code;
    int rc =
        lw_backend_container(&v->ctx, v->backend, image, bug, folder, &guard, arena, run, err);
    guard_read(&guard, run);
    return rc;
}

int lw_verifier_run(const struct lw_verifier *v, const struct lw_bug *bug,
                    const lw_file_vec *files, enum lw_side side, struct lw_arena *arena,
                    struct lw_run *run, struct lw_err *err)
{
    struct python python;
    struct lw_str image = {0};
    struct lw_scratch scratch;
    int rc = 0;
    *run = (struct lw_run){0};
    if (in_container(v)) {
        pthread_mutex_lock(v->making);
        rc = lw_backend_image(&v->ctx, v->backend, &v->options, bug, arena, &image, err);
        pthread_mutex_unlock(v->making);
    } else {
        rc = find_python(v, bug, arena, &python, err);
    }
    if (rc < 0)
        return rc;
    rc = lw_scratch_make(&scratch, v->ctx.mem, err);
    if (rc == 0) {
        const char *folder = lw_buf_z(&scratch.path);
        rc = lw_checkout_for_run(files, bug, side, folder, v->ctx.mem, err);
        if (rc == 0)
            rc = in_container(v) ? run_contained(v, bug, image, folder, arena, run, err)
                                 : run_confined(v, bug, &python, folder, arena, run, err);
    }
    lw_scratch_release(&scratch);
    if (rc == 0 && run->end == LW_RUN_CANCELED)
        rc = lw_err_set(err, LW_ECANCEL, "interrupted");
    return rc;
}

static struct store_run for_store(enum lw_side side, const struct lw_run *run,
                                  const struct lw_side_result *result)
{
    return (struct store_run){
        .side = side,
        .ended = lw_str(lw_run_end_name(run->end)),
        .exit = run->exit,
        .signal = run->signal,
        .seconds = run->seconds,
        .cpu_seconds = run->cpu_seconds,
        .peak_bytes = run->peak_bytes,
        .isolation = run->isolation,
        .failure = result->failure,
    };
}

/* Why the two sides together are no reproduction. */
static struct lw_str reason_of(struct lw_arena *arena, const struct lw_verification *v)
{
    const struct lw_side_result *buggy = &v->side[LW_BUGGY], *fixed = &v->side[LW_FIXED];
    if (!buggy->as_stated && buggy->exit == 0)
        return lw_arena_printf(arena, "buggy passes%s%.*s", buggy->failure.n ? ": " : "",
                               LW_F(buggy->failure));
    if (!buggy->as_stated)
        return lw_arena_printf(arena, "buggy fails for another reason: %.*s",
                               LW_F(buggy->failure));
    return lw_arena_printf(arena, "fixed fails: %.*s", LW_F(fixed->failure));
}

static int verify_once(const struct lw_verifier *v, const struct lw_bug *bug,
                       const lw_file_vec *files, struct lw_arena *arena,
                       struct lw_verification *out, struct store_run runs[2],
                       struct lw_err *err)
{
    for (enum lw_side side = LW_BUGGY; side <= LW_FIXED; side++) {
        struct lw_run run;
        if (lw_verifier_run(v, bug, files, side, arena, &run, err) < 0 ||
            lw_judge(&out->side[side], arena, bug, side, &run, err) < 0)
            return err->code;
        out->isolation = run.isolation;
        runs[side] = for_store(side, &run, &out->side[side]);
    }
    bool same, both = out->side[LW_BUGGY].as_stated && out->side[LW_FIXED].as_stated;
    if (lw_sides_same(files, v->ctx.mem, &same, err) < 0)
        return err->code;
    out->verdict = both && !same ? LW_REPRODUCED : LW_NOT_REPRODUCED;
    if (same)
        out->reason = LW_S("buggy and fixed are the same program");
    else
        out->reason = both ? LW_S("") : reason_of(arena, out);
    return out->reason.p ? 0 : lw_err_nomem(err);
}

static int cannot_run(struct lw_arena *arena, const struct lw_bug *bug,
                      const lw_file_vec *files, struct lw_verification *out, struct lw_err *err)
{
    out->verdict = LW_UNAVAILABLE;
    if (bug->git_url.n && lw_str_eq(bug->buggy_commit, bug->fixed_commit))
        out->reason = LW_S("buggy and fixed are the same commit");
    else if (bug->git_url.n)
        out->reason = lw_arena_printf(
            arena, "its program is in the repository %.*s ('bugs checkout' writes it)",
            LW_F(bug->git_url));
    else if (bug->expect == LW_EXPECT_NONE)
        out->reason = LW_S("the bug states no failure to look for");
    else if (files->n == 0)
        out->reason = LW_S("the catalogue has no files of it");
    else
        out->reason = lw_arena_copy(arena, lw_str(err->text));
    return out->reason.p ? 0 : lw_err_nomem(err);
}

/* Some runs behaved as stated and some did not. */
static int say_flaky(struct lw_arena *arena, struct lw_verification *out, struct lw_err *err)
{
    out->verdict = LW_FLAKY;
    out->reason = lw_arena_printf(
        arena, "%llu of %llu runs behaved as stated%s%.*s", (unsigned long long)out->agreed,
        (unsigned long long)out->times, out->reason.n ? ": " : "", LW_F(out->reason));
    return out->reason.p ? 0 : lw_err_nomem(err);
}

int lw_verifier_bug(const struct lw_verifier *v, const struct lw_bug *bug,
                    const lw_file_vec *files, struct lw_arena *arena,
                    struct lw_verification *out, struct store_run runs[2], struct lw_err *err)
{
    bool runnable = bug->expect != LW_EXPECT_NONE && files->n > 0 && bug->git_url.n == 0;
    *out =
        (struct lw_verification){.id = bug->id, .backend = lw_str(lw_backend_name(v->backend))};
    bool steady = true;
    for (unsigned i = 0; i < v->repeat; i++) {
        int rc = runnable ? verify_once(v, bug, files, arena, out, runs, err) : LW_EMISSING;
        if (rc == LW_EMISSING)
            return cannot_run(arena, bug, files, out, err);
        if (rc < 0)
            return rc;
        out->times++;
        out->agreed += out->verdict == LW_REPRODUCED;
        steady = out->agreed == 0 || out->agreed == out->times;
        if (!steady && !v->measure)
            break;
    }
    return steady ? 0 : say_flaky(arena, out, err);
}
