#include "verify/accept.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sink.h"
#include "base/str.h"
#include "catalog/archive.h"
#include "catalog/group.h"
#include "knowledge/vocabulary.h"

/* Where a bug comes from: a path, or an archive in memory. */
struct origin {
    const char *path; /* NULL: */
    struct lw_str bytes;
};

static int load_files(const struct origin *from, struct lw_arena *arena, struct lw_mem *mem,
                      lw_file_vec *files, struct lw_err *err)
{
    if (!from->path || lw_file_kind(from->path) == LW_FILE_REGULAR)
        return lw_archive_specimen(files, arena, mem, from->path, from->bytes, err);
    if (lw_file_kind(from->path) != LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL,
                          "'%s' is neither a folder with a bug.ini in it nor an archive of one",
                          from->path);
    return lw_specimen_load(files, arena, mem, from->path, err);
}

static int read_origin(const struct lw_ctx *ctx, const struct origin *from,
                       struct lw_arena *arena, lw_file_vec *files, struct lw_bug *bug,
                       struct lw_err *err)
{
    struct lw_vocabulary words;
    if (lw_vocabulary_load(&words, ctx->mem, err) < 0)
        return err->code;
    int rc = load_files(from, arena, ctx->mem, files, err);
    if (rc == 0)
        rc = lw_specimen_read(bug, arena, files, lw_str(from->path ? from->path : "submission"),
                              LW_S(""), &words, err);
    bug->source = LW_S("submission"); /* whatever it says itself */
    bug->support_level = 1;
    lw_vocabulary_release(&words);
    return rc;
}

static int check_free(lw_catalog *catalog, const struct lw_bug *bug, struct lw_err *err)
{
    struct store *store = catalog->store;
    struct lw_arena arena;
    struct lw_bug taken;
    lw_arena_init(&arena, catalog->ctx.mem, 0);
    int rc = store->ops->find(store, bug->id, &arena, &taken, err);
    if (rc == 0)
        rc = lw_err_set(err, LW_EINVAL,
                        "bug '%.*s' already exists; ids are never reused, choose another",
                        LW_F(bug->id));
    else if (rc == LW_ENOENT)
        rc = 0;
    lw_arena_release(&arena);
    return rc;
}

static int judge_evidence(const struct lw_verifier *v, const struct lw_verification *e,
                          struct lw_err *err)
{
    if (e->verdict == LW_REPRODUCED)
        return 0;
    if (e->verdict == LW_UNAVAILABLE)
        return lw_err_set(err, LW_EMISSING, "'%.*s' cannot be verified here: %.*s", LW_F(e->id),
                          LW_F(e->reason));
    return lw_err_set(err, LW_EINVAL, "'%.*s' is not accepted: %s in %u run%s: %.*s",
                      LW_F(e->id), lw_verdict_name(e->verdict), v->repeat,
                      v->repeat == 1 ? "" : "s", LW_F(e->reason));
}

/* The bug, its evidence and what became of its submission, or nothing at all. */
static int store_bug(const struct lw_verifier *v, const struct lw_bug *bug,
                     const lw_file_vec *files, const struct lw_verification *e,
                     const struct store_run runs[2], uint64_t submission, struct lw_err *err)
{
    struct store *store = v->catalog->store;
    struct store_verification row = {
        .bug_id = bug->id,
        .backend = e->backend,
        .isolation = e->isolation,
        .verdict = lw_str(lw_verdict_name(e->verdict)),
        .at = v->ctx.clock.wall(v->ctx.clock.data),
        .times = e->times,
        .agreed = e->agreed,
        .runs = runs,
        .run_count = 2,
    };
    if (store->ops->begin(store, err) < 0)
        return err->code;
    /* Another process may have taken the id while the runs took place. */
    int rc = check_free(v->catalog, bug, err);
    if (rc == 0)
        rc = store->ops->put_bug(store, bug, files, err);
    if (rc == 0)
        rc = store->ops->put_verification(store, &row, err);
    if (rc == 0)
        rc = lw_regroup(v->catalog, err);
    if (rc == 0 && submission)
        rc = store->ops->decide(store, submission, LW_S("accepted"), LW_S(""), err);
    if (rc == 0)
        return store->ops->commit(store, err);
    store->ops->rollback(store);
    return rc;
}

static int accept_origin(const struct lw_verifier *v, const struct origin *from,
                         uint64_t submission, struct lw_arena *arena,
                         struct lw_verification *verification, struct lw_err *err)
{
    lw_file_vec files = {0};
    struct lw_bug bug;
    struct store_run runs[2];
    memset(runs, 0, sizeof runs);
    int rc = read_origin(&v->ctx, from, arena, &files, &bug, err);
    if (rc == 0)
        rc = check_free(v->catalog, &bug, err);
    if (rc == 0)
        rc = lw_verifier_bug(v, &bug, &files, arena, verification, runs, err);
    if (rc == 0)
        rc = judge_evidence(v, verification, err);
    if (rc == 0)
        rc = store_bug(v, &bug, &files, verification, runs, submission, err);
    lw_vec_release(v->ctx.mem, &files);
    return rc;
}

int lw_accept_path(const struct lw_verifier *v, const char *path, struct lw_arena *arena,
                   struct lw_verification *verification, struct lw_err *err)
{
    const struct origin from = {.path = path};
    return accept_origin(v, &from, 0, arena, verification, err);
}

/* ---- The queue ----------------------------------------------------------------------------
 */

struct keeping {
    struct lw_arena *arena;
    struct origin *to;
    struct lw_err *err;
};

static int keep_archive(void *data, const struct store_submission *sub)
{
    struct keeping *k = data;
    if (!lw_str_eq(sub->state, LW_S("waiting")))
        return lw_err_set(k->err, LW_EINVAL, "submission %llu was already %.*s",
                          (unsigned long long)sub->number, LW_F(sub->state));
    k->to->bytes = lw_arena_copy(k->arena, sub->archive);
    return k->to->bytes.p ? 0 : lw_err_nomem(k->err);
}

int lw_accept_submission(const struct lw_verifier *v, uint64_t number, struct lw_arena *arena,
                         struct lw_verification *verification, struct lw_err *err)
{
    struct store *store = v->catalog->store;
    struct origin from = {0};
    struct keeping k = {arena, &from, err};
    int rc = store->ops->submissions(store, number, keep_archive, &k, err);
    return rc < 0 ? rc : accept_origin(v, &from, number, arena, verification, err);
}

static int pack(lw_catalog *catalog, const lw_file_vec *files, struct lw_buf *bytes,
                struct lw_err *err)
{
    lw_archive_writer *w = NULL;
    struct lw_sink out = lw_sink_buf(bytes);
    int rc = lw_archive_writer_new(&w, catalog->ctx.mem, &out, err);
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = lw_archive_put(w, files->v[i].path, files->v[i].content, err);
    if (rc == 0)
        rc = lw_archive_finish(w, err);
    lw_archive_writer_free(w);
    return rc;
}

static int put_submission(lw_catalog *catalog, const struct store_submission *sub,
                          uint64_t *number, struct lw_err *err)
{
    struct store *store = catalog->store;
    int rc = store->ops->begin(store, err);
    if (rc < 0)
        return rc;
    rc = store->ops->submit(store, sub, number, err);
    if (rc == 0)
        return store->ops->commit(store, err);
    store->ops->rollback(store);
    return rc;
}

int lw_propose_path(lw_catalog *catalog, const char *path, struct lw_arena *arena,
                    struct lw_str *id, uint64_t *number, struct lw_err *err)
{
    const struct origin from = {.path = path};
    lw_file_vec files = {0};
    struct lw_bug bug;
    struct lw_buf bytes;
    lw_buf_init(&bytes, catalog->ctx.mem, 0);
    int rc = read_origin(&catalog->ctx, &from, arena, &files, &bug, err);
    if (rc == 0)
        rc = check_free(catalog, &bug, err);
    if (rc == 0)
        rc = pack(catalog, &files, &bytes, err);
    if (rc == 0) {
        struct store_submission sub = {.bug_id = bug.id,
                                       .state = LW_S("waiting"),
                                       .archive = lw_buf_str(&bytes),
                                       .at = catalog->ctx.clock.wall(catalog->ctx.clock.data)};
        *id = bug.id;
        rc = put_submission(catalog, &sub, number, err);
    }
    lw_buf_release(&bytes);
    lw_vec_release(catalog->ctx.mem, &files);
    return rc;
}
