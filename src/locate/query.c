#include "locate/query.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/evaluate.h"
#include "locate/functions.h"

/* Everything open while one report is looked at. */
struct query {
    const struct lw_ctx *ctx;
    const struct lw_query_options *options;
    struct lw_found *found;
    struct lw_arena arena;
    lw_index *index;
    struct lw_history *history;
    struct lw_snapshot snapshot;
    struct lw_past past;
    struct lw_case c;
    struct lw_texts texts;
    struct lw_words spelling;
    struct lw_features features;
    void *shared;
    void *model;
};

/* ---- Earlier reports --------------------------------------------------------------------- */

static bool is_earlier(const struct query *q, const struct lw_set_line *line, int64_t *date)
{
    *date = line->fix_date;
    (void)lw_index_commit_date(q->index, line->fix_commit, date);
    return line->truth_count && *date != INT64_MAX && *date < q->c.ticket->open_date &&
           !(line->ticket.id.n && lw_str_eq(line->ticket.id, q->c.ticket->id));
}

static int collect_earlier(struct query *q, struct lw_err *err)
{
    const struct lw_set *set = q->options->earlier;
    size_t n = set ? set->lines.n : 0;
    struct lw_ticket *tickets = lw_arena_array(&q->arena, n + 1, sizeof *tickets);
    struct lw_fixed *fixed = lw_arena_array(&q->arena, n + 1, sizeof *fixed);
    int rc = tickets && fixed ? 0 : lw_err_nomem(err);
    q->c.earlier = fixed;
    for (size_t i = 0; i < n && rc == 0; i++) {
        const struct lw_set_line *line = &set->lines.v[i];
        int64_t date;
        if (!is_earlier(q, line, &date))
            continue;
        struct lw_ticket *t = &tickets[q->c.earlier_count];
        *t = line->ticket;
        rc = lw_ticket_terms(t, q->index, &q->arena, err);
        fixed[q->c.earlier_count++] =
            (struct lw_fixed){t, date, line->truth, line->truth_count};
    }
    return rc;
}

/* ---- Scores ------------------------------------------------------------------------------ */

static int score_learnt(struct query *q, double *scores, struct lw_err *err)
{
    const struct lw_setup *setup = q->options->setup;
    const struct lw_learner *learner = setup->technique->learner;
    struct lw_str text;
    if (!learner->model_path || !lw_embedded_find(lw_str(learner->model_path), &text))
        return lw_err_set(err, LW_EMISSING, "no model of %s is in the program",
                          setup->technique->name);
    int rc = learner->load(q->ctx->mem, text, &q->model, err);
    if (rc == 0)
        rc = learner->describe(setup, &q->c, &q->features, err);
    return rc < 0 ? rc
                  : learner->score(setup, q->model, &q->features, q->ctx->mem, scores, err);
}

static int score(struct query *q, double *scores, struct lw_err *err)
{
    const struct lw_technique *t = q->options->setup->technique;
    int rc = t->share ? t->share(q->options->setup, q->index, &q->shared, err) : 0;
    q->c.shared = q->shared;
    if (rc < 0)
        return rc;
    return t->learner ? score_learnt(q, scores, err)
                      : t->score(q->options->setup, &q->c, scores, err);
}

static struct lw_str reason(struct query *q, size_t file)
{
    const struct lw_technique *t = q->options->setup->technique;
    struct lw_buf why;
    lw_buf_init(&why, q->ctx->mem, 4096);
    if (t->explain)
        t->explain(q->options->setup, &q->c, &q->features, file, &why);
    struct lw_str text = lw_arena_copy(&q->found->arena, lw_buf_str(&why));
    lw_buf_release(&why);
    return text;
}

static int place_files(struct query *q, const double *scores, const uint32_t *order,
                       struct lw_err *err)
{
    const struct lw_files *files = &q->snapshot.files;
    size_t n = files->n;
    if (q->options->top && q->options->top < n)
        n = q->options->top;
    struct lw_place *places = lw_arena_array(&q->found->arena, n + 1, sizeof *places);
    if (!places)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        places[i].path = lw_arena_copy(&q->found->arena, files->v[order[i]].path);
        places[i].score = scores[order[i]];
        places[i].why = reason(q, order[i]);
        if (!places[i].path.p || !places[i].why.p)
            return lw_err_nomem(err);
    }
    q->found->places = places;
    q->found->n = n;
    return 0;
}

static int rank(struct query *q, struct lw_err *err)
{
    size_t n = q->snapshot.files.n;
    double *scores = lw_arena_array(&q->arena, n + 1, sizeof *scores);
    uint32_t *order = lw_arena_array(&q->arena, n + 1, sizeof *order);
    int rc = scores && order ? score(q, scores, err) : lw_err_nomem(err);
    if (rc < 0)
        return rc;
    lw_rank(scores, n, order);
    if (!q->options->functions)
        return place_files(q, scores, order, err);
    return lw_rank_functions(&q->c, scores, order, q->options->top, &q->found->arena,
                             &q->found->places, &q->found->n, err);
}

/* ---- The whole --------------------------------------------------------------------------- */

static int prepare(struct query *q, struct lw_ticket *ticket, struct lw_err *err)
{
    uint32_t commit;
    int rc = lw_index_open(&q->index, q->ctx, q->options->repo, &q->options->index, err);
    if (rc == 0)
        rc = lw_index_commit(q->index, q->options->rev, &commit, err);
    if (rc == 0)
        rc = lw_index_load(q->index, err);
    if (rc == 0)
        rc = lw_ticket_terms(ticket, q->index, &q->arena, err);
    if (rc < 0)
        return rc;
    q->texts = (struct lw_texts){q->ctx, lw_index_folder(q->index), NULL};
    lw_words_init(&q->spelling, q->ctx->mem, lw_index_stopwords(q->index));
    q->found->commit = lw_index_commit_id(q->index, commit);
    q->c = (struct lw_case){.index = q->index,
                            .snapshot = &q->snapshot,
                            .ticket = ticket,
                            .texts = &q->texts,
                            .spelling = &q->spelling,
                            .mem = q->ctx->mem,
                            .arena = &q->arena};
    rc = collect_earlier(q, err);
    if (rc == 0 && q->options->setup->technique->needs & LW_NEEDS_HISTORY) {
        rc = lw_history_open(&q->history, q->index, err);
        if (rc == 0)
            rc = lw_past_make(q->history, &q->arena, q->index, commit, ticket->open_date,
                              &q->past, err);
        q->c.past = &q->past;
    }
    lw_snapshot_init(&q->snapshot, q->index, q->ctx->mem);
    if (rc == 0)
        rc = lw_snapshot_set(&q->snapshot, commit, err);
    return rc;
}

static void query_release(struct query *q)
{
    const struct lw_technique *t = q->options->setup->technique;
    if (q->model)
        t->learner->discard(q->ctx->mem, q->model);
    if (q->shared && t->unshare)
        t->unshare(q->ctx->mem, q->shared);
    lw_texts_release(&q->texts);
    lw_words_release(&q->spelling);
    lw_snapshot_release(&q->snapshot);
    lw_history_close(q->history);
    lw_index_close(q->index);
    lw_arena_release(&q->features.arena);
    lw_arena_release(&q->arena);
}

int lw_query_run(struct lw_found *found, const struct lw_ctx *ctx, struct lw_ticket *ticket,
                 const struct lw_query_options *options, struct lw_err *err)
{
    struct query q = {.ctx = ctx, .options = options, .found = found};
    double start = ctx->clock.seconds(ctx->clock.data);
    memset(found, 0, sizeof *found);
    lw_arena_init(&found->arena, ctx->mem, 0);
    lw_arena_init(&q.arena, ctx->mem, 0);
    lw_arena_init(&q.features.arena, ctx->mem, 0);
    lw_snapshot_init(&q.snapshot, NULL, ctx->mem);
    int rc = prepare(&q, ticket, err);
    if (rc == 0 && q.snapshot.files.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "commit '%.*s' has no files to rank",
                        LW_F(options->rev));
    if (rc == 0)
        rc = rank(&q, err);
    found->candidates = q.snapshot.files.n;
    if (q.index)
        found->index = lw_index_figures(q.index);
    query_release(&q);
    found->seconds = ctx->clock.seconds(ctx->clock.data) - start;
    return rc;
}

void lw_found_release(struct lw_found *found)
{
    lw_arena_release(&found->arena);
}
