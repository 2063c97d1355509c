#include "verify/accept.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "knowledge/vocabulary.h"

static int read_folder(const struct lw_verifier *v, const char *folder, struct lw_arena *arena,
                       lw_file_vec *files, struct lw_bug *bug, struct lw_err *err)
{
    struct lw_vocabulary words;
    if (lw_file_kind(folder) != LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL, "'%s' is not a folder with a bug.ini in it", folder);
    if (lw_vocabulary_load(&words, v->ctx.mem, err) < 0)
        return err->code;
    int rc = lw_specimen_load(files, arena, v->ctx.mem, folder, err);
    if (rc == 0)
        rc = lw_specimen_read(bug, arena, files, lw_str(folder), LW_S(""), &words, err);
    lw_vocabulary_release(&words);
    return rc;
}

static int check_free(const struct lw_verifier *v, const struct lw_bug *bug, struct lw_err *err)
{
    struct store *store = v->catalog->store;
    struct lw_arena arena;
    struct lw_bug taken;
    lw_arena_init(&arena, v->ctx.mem, 0);
    int rc = store->ops->find(store, bug->id, &arena, &taken, err);
    if (rc == 0)
        rc = lw_err_set(err, LW_EINVAL,
                        "there is a bug '%.*s' already; ids are never reused, choose another",
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

static int store_bug(const struct lw_verifier *v, const struct lw_bug *bug,
                     const lw_file_vec *files, const struct lw_verification *e,
                     const struct store_run runs[2], struct lw_err *err)
{
    struct store *store = v->catalog->store;
    struct store_verification row = {
        .bug_id = bug->id,
        .backend = e->backend,
        .isolation = e->isolation,
        .verdict = lw_str(lw_verdict_name(e->verdict)),
        .at = v->ctx.clock.wall(v->ctx.clock.data),
        .runs = runs,
        .run_count = 2,
    };
    if (store->ops->begin(store, err) < 0)
        return err->code;
    int rc = store->ops->put_bug(store, bug, files, err);
    if (rc == 0)
        rc = store->ops->put_verification(store, &row, err);
    if (rc == 0)
        return store->ops->commit(store, err);
    store->ops->rollback(store);
    return rc;
}

int lw_accept_folder(const struct lw_verifier *v, const char *folder, struct lw_arena *arena,
                     struct lw_verification *verification, struct lw_err *err)
{
    lw_file_vec files = {0};
    struct lw_bug bug;
    struct store_run runs[2];
    memset(runs, 0, sizeof runs);
    int rc = read_folder(v, folder, arena, &files, &bug, err);
    if (rc == 0)
        rc = check_free(v, &bug, err);
    if (rc == 0)
        rc = lw_verifier_bug(v, &bug, &files, arena, verification, runs, err);
    if (rc == 0)
        rc = judge_evidence(v, verification, err);
    if (rc == 0)
        rc = store_bug(v, &bug, &files, verification, runs, err);
    lw_vec_release(v->ctx.mem, &files);
    return rc;
}
