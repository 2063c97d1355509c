/* Many bugs at once: threads run them, one thread at a time talks to the store. */
#include <pthread.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/str.h"
#include "verify/verify.h"

/* One bug on its way from the store through a run to its delivery. */
struct item {
    struct lw_arena arena;
    struct lw_bug bug;
    struct lw_verification verification;
    struct store_run runs[2];
};

struct many {
    const struct lw_verifier *verifier;
    const struct lw_str *ids;
    lw_verified_fn each;
    void *data;
    pthread_mutex_t store_lock;
    struct lw_progress progress;
    struct item *items;
};

static int load(struct many *m, struct item *item, struct lw_str id, lw_file_vec *files,
                struct lw_err *err)
{
    lw_catalog *catalog = m->verifier->catalog;
    pthread_mutex_lock(&m->store_lock);
    int rc = catalog->store->ops->find(catalog->store, id, &item->arena, &item->bug, err);
    if (rc == 0)
        rc = catalog_files(catalog, id, &item->arena, files, err);
    pthread_mutex_unlock(&m->store_lock);
    return rc;
}

static int work(void *data, size_t index, unsigned worker, struct lw_err *err)
{
    (void)worker;
    struct many *m = data;
    struct item *item = &m->items[index];
    struct lw_mem *mem = m->verifier->ctx.mem;
    lw_file_vec files = {0};
    lw_arena_init(&item->arena, mem, 0);
    int rc = load(m, item, m->ids[index], &files, err);
    if (rc == 0)
        rc = lw_verifier_bug(m->verifier, &item->bug, &files, &item->arena, &item->verification,
                             item->runs, err);
    lw_vec_release(mem, &files);
    lw_progress_step(&m->progress, 1, m->ids[index]);
    return rc;
}

static int store_verdict(struct many *m, const struct item *item, struct lw_err *err)
{
    const struct lw_ctx *ctx = &m->verifier->ctx;
    const struct lw_verification *v = &item->verification;
    struct store_verification row = {
        .bug_id = v->id,
        .backend = v->backend,
        .isolation = v->isolation,
        .verdict = lw_str(lw_verdict_name(v->verdict)),
        .reason = v->reason,
        .at = ctx->clock.wall(ctx->clock.data),
        .times = v->times,
        .agreed = v->agreed,
        .runs = item->runs,
        .run_count = v->verdict == LW_UNAVAILABLE ? 0 : 2,
    };
    pthread_mutex_lock(&m->store_lock);
    int rc = catalog_put_verification(m->verifier->catalog, &row, err);
    pthread_mutex_unlock(&m->store_lock);
    return rc;
}

static int deliver(void *data, size_t index, struct lw_err *err)
{
    struct many *m = data;
    struct item *item = &m->items[index];
    int rc = store_verdict(m, item, err);
    if (rc == 0 && m->each) {
        lw_progress_hide(&m->progress);
        rc = m->each(m->data, &item->bug, &item->verification);
    }
    lw_arena_release(&item->arena);
    return rc;
}

int lw_verifier_many(const struct lw_verifier *v, const struct lw_str *ids, size_t count,
                     lw_verified_fn each, void *data, struct lw_err *err)
{
    struct many m = {.verifier = v, .ids = ids, .each = each, .data = data};
    m.items = lw_mem_alloc(v->ctx.mem, count * sizeof *m.items);
    if (!m.items)
        return lw_err_nomem(err);
    pthread_mutex_init(&m.store_lock, NULL);
    lw_progress_init(&m.progress, v->ctx.talk, v->ctx.clock, "verify", count);
    struct lw_pool pool = {
        .count = count,
        .jobs = v->ctx.jobs,
        .window = 256,
        .cancel = v->ctx.cancel,
        .data = &m,
        .work = work,
        .deliver = deliver,
    };
    int rc = lw_pool_run(&pool, err);
    lw_progress_finish(&m.progress);
    pthread_mutex_destroy(&m.store_lock);
    for (size_t i = 0; i < count; i++)
        lw_arena_release(&m.items[i].arena); /* those that were never delivered */
    lw_mem_free(v->ctx.mem, m.items, count * sizeof *m.items);
    return rc;
}

struct one {
    struct lw_arena *arena;
    struct lw_verification *out;
};

/* The texts of a verification end with its delivery: keep them. */
static int keep(void *data, const struct lw_bug *bug, const struct lw_verification *v)
{
    (void)bug;
    struct one *one = data;
    struct lw_verification *out = one->out;
    *out = *v;
    struct lw_str *texts[] = {&out->id,     &out->backend,         &out->isolation,
                              &out->reason, &out->side[0].failure, &out->side[1].failure};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = lw_arena_copy(one->arena, *texts[i]);
        if (!texts[i]->p)
            return LW_ENOMEM;
    }
    return 0;
}

int lw_catalog_verify(lw_catalog *catalog, struct lw_str id, bool allow_weak,
                      struct lw_verification *verification, struct lw_err *err)
{
    const struct lw_bug *bug;
    struct lw_verifier v;
    if (lw_catalog_find(catalog, id, &bug, err) < 0 ||
        lw_verifier_init(&v, &catalog->ctx, catalog, err) < 0)
        return err->code;
    v.allow_weak = allow_weak;
    struct lw_str found = bug->id;
    struct one one = {&catalog->found, verification};
    int rc = lw_verifier_many(&v, &found, 1, keep, &one, err);
    lw_verifier_release(&v);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}
