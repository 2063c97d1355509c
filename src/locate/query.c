#include "locate/query.h"

#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/evaluate.h"
#include "locate/functions.h"
#include "locate/view.h"

/* A view is used, rebuilt because it is damaged, or not used because its date does not fit. */
enum view_use { VIEW_USE, VIEW_MAKE, VIEW_NONE };

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
    uint32_t commit;
    enum view_use use;
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
        return lw_err_set(err, LW_EMISSING, "this program contains no model of %s",
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

static int find_past(struct query *q, int64_t until, struct lw_err *err)
{
    struct lw_view *view = lw_index_view(q->index);
    int rc = 0;
    q->c.past = &q->past;
    if (view) {
        if (!lw_view_past(view, &q->arena, until, &q->past, &rc))
            q->use = VIEW_NONE;
        return rc < 0 ? lw_err_nomem(err) : 0;
    }
    rc = lw_history_open(&q->history, q->index, err);
    return rc < 0
               ? rc
               : lw_past_make(q->history, &q->arena, q->index, q->commit, until, &q->past, err);
}

/* There is a view, but it does not do. */
static bool turned_down(const struct query *q)
{
    return lw_index_view(q->index) && q->use != VIEW_USE;
}

static int prepare(struct query *q, struct lw_ticket *ticket, struct lw_err *err)
{
    struct lw_index_options options = q->options->index;
    options.views = q->use == VIEW_USE;
    int rc = lw_index_open(&q->index, q->ctx, q->options->repo, &options, err);
    if (rc == 0)
        rc = lw_index_commit(q->index, q->options->rev, &q->commit, err);
    if (rc == 0)
        rc = lw_index_load(q->index, err);
    if (rc == 0)
        rc = lw_ticket_terms(ticket, q->index, &q->arena, err);
    if (rc < 0)
        return rc;
    q->texts = (struct lw_texts){q->ctx, lw_index_folder(q->index), NULL};
    lw_words_init(&q->spelling, q->ctx->mem, lw_index_stopwords(q->index));
    q->found->commit = lw_index_commit_id(q->index, q->commit);
    q->c = (struct lw_case){.index = q->index,
                            .snapshot = &q->snapshot,
                            .ticket = ticket,
                            .texts = &q->texts,
                            .spelling = &q->spelling,
                            .mem = q->ctx->mem,
                            .arena = &q->arena};
    rc = collect_earlier(q, err);
    if (rc == 0 && q->options->setup->technique->needs & LW_NEEDS_HISTORY)
        rc = find_past(q, ticket->open_date, err);
    lw_snapshot_init(&q->snapshot, q->index, q->ctx->mem);
    if (rc == 0 && !turned_down(q))
        rc = lw_snapshot_set(&q->snapshot, q->commit, err);
    return rc;
}

/* Keeps a view for the next query on the commit. Without a cache there is nowhere to, and where
 * blobs are missing they may come yet. */
static int keep_view(struct query *q, struct lw_err *err)
{
    struct lw_past all;
    if (q->use == VIEW_NONE || !q->history || lw_index_view(q->index) || !q->snapshot.files.n ||
        lw_index_figures(q->index).absent)
        return 0;
    int rc = lw_past_make(q->history, &q->arena, q->index, q->commit, INT64_MAX, &all, err);
    return rc < 0 ? rc : lw_index_keep_view(q->index, q->commit, &all, err);
}

static int look(struct query *q, struct lw_ticket *ticket, struct lw_err *err)
{
    int rc = prepare(q, ticket, err);
    if (rc < 0 || turned_down(q))
        return rc;
    if (q->snapshot.files.n == 0)
        return lw_err_set(err, LW_EINVAL, "commit '%.*s' has no files to rank",
                          LW_F(q->options->rev));
    rc = rank(q, err);
    struct lw_view *view = lw_index_view(q->index);
    if (rc == 0 && view && view->damaged) {
        lw_index_drop_view(q->index);
        q->use = VIEW_MAKE;
    }
    return rc < 0 ? rc : keep_view(q, err);
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

/* A query fills a few MB once, and half of its time would be page faults: a large page is asked
 * for. Only a hint: where there are none, small ones come one by one as ever. */
static void reserve(struct lw_arena *a)
{
    enum { LARGE_PAGE = 2 << 20 };
    char *p = lw_arena_bytes(a, 2 * LARGE_PAGE);
    size_t before = (LARGE_PAGE - (uintptr_t)p % LARGE_PAGE) % LARGE_PAGE;
    lw_arena_clear(a);
    if (p && madvise(p + before, LARGE_PAGE, MADV_HUGEPAGE) == 0)
        (void)lw_arena_bytes(a, before); /* begin with it */
}

/* Makes `*use` another than VIEW_USE when it has to be done again without the view. */
static int run_once(struct lw_found *found, const struct lw_ctx *ctx, struct lw_ticket *ticket,
                    const struct lw_query_options *options, enum view_use *use,
                    struct lw_err *err)
{
    struct query q = {.ctx = ctx, .options = options, .found = found, .use = *use};
    lw_arena_init(&q.arena, ctx->mem, 0);
    lw_arena_init(&q.features.arena, ctx->mem, 0);
    reserve(&q.arena);
    reserve(&q.features.arena);
    lw_snapshot_init(&q.snapshot, NULL, ctx->mem);
    int rc = look(&q, ticket, err);
    found->candidates = q.snapshot.files.n;
    if (q.index)
        found->index = lw_index_figures(q.index);
    query_release(&q);
    *use = q.use;
    return rc;
}

int lw_query_run(struct lw_found *found, const struct lw_ctx *ctx, struct lw_ticket *ticket,
                 const struct lw_query_options *options, struct lw_err *err)
{
    enum view_use use = VIEW_USE;
    double start = ctx->clock.seconds(ctx->clock.data);
    memset(found, 0, sizeof *found);
    lw_arena_init(&found->arena, ctx->mem, 0);
    int rc = run_once(found, ctx, ticket, options, &use, err);
    if (rc == 0 && use != VIEW_USE)
        rc = run_once(found, ctx, ticket, options, &use, err);
    found->seconds = ctx->clock.seconds(ctx->clock.data) - start;
    return rc;
}

void lw_found_release(struct lw_found *found)
{
    lw_arena_release(&found->arena);
}
