#include "locate/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/str.h"
#include "locate/evaluate_internal.h"

/* ---- Ranking ----------------------------------------------------------------------------- */

static int by_score(const void *a, const void *b, void *data)
{
    const double *scores = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (scores[x] != scores[y])
        return scores[x] > scores[y] ? -1 : 1;
    return (x > y) - (x < y);
}

void lw_rank(const double *scores, size_t n, uint32_t *order)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    if (n > 1)
        qsort_r(order, n, sizeof *order, by_score, (void *)(uintptr_t)scores);
}

/* The place of one file: how many are better, or as good and before it. */
static uint32_t place_of(const double *scores, size_t n, size_t file)
{
    uint32_t place = 1;
    for (size_t i = 0; i < n; i++)
        place += scores[i] > scores[file] || (scores[i] == scores[file] && i < file);
    return place;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void ev_judge(struct lw_outcome *o, uint32_t *ranks, const double *scores, size_t n,
              const uint32_t *truth, size_t truth_count)
{
    for (size_t i = 0; i < truth_count; i++)
        ranks[i] = place_of(scores, n, truth[i]);
    if (truth_count > 1)
        qsort(ranks, truth_count, sizeof *ranks, by_number);
    *o = (struct lw_outcome){.ranks = ranks, .rank_count = (uint32_t)truth_count};
    for (size_t i = 0; i < truth_count; i++)
        o->ap += (double)(i + 1) / ranks[i];
    o->ap = truth_count ? o->ap / (double)truth_count : 0;
    o->rr = truth_count ? 1.0 / ranks[0] : 0;
}

struct lw_figures lw_eval_figures(const struct lw_eval *e, size_t technique,
                                  bool (*wants)(const struct lw_judged *r, const void *data),
                                  const void *data)
{
    struct lw_figures f = {0};
    for (size_t i = 0; i < e->report_count; i++) {
        const struct lw_judged *r = &e->reports[i];
        if (r->skipped || (wants && !wants(r, data)))
            continue;
        const struct lw_outcome *o = &r->outcomes[technique];
        uint32_t first = o->rank_count ? o->ranks[0] : UINT32_MAX;
        f.top1 += first <= 1;
        f.top5 += first <= 5;
        f.top10 += first <= 10;
        f.mrr += o->rr;
        f.map += o->ap;
        f.reports++;
    }
    double n = f.reports ? (double)f.reports : 1;
    f.top1 /= n;
    f.top5 /= n;
    f.top10 /= n;
    f.mrr /= n;
    f.map /= n;
    return f;
}

/* ---- One project ------------------------------------------------------------------------- */

static bool is_asked(struct lw_str projects, struct lw_str project)
{
    struct lw_str one;
    if (!projects.n)
        return true;
    while (lw_str_split(&projects, ',', &one))
        if (lw_str_eq_nocase(lw_str_trim(one), project))
            return true;
    return false;
}

/* DIR/name whatever its case, or NULL. */
static const char *find_folder(struct evaluation *v, struct lw_str name)
{
    for (size_t i = 0; name.n && i < v->folders.n; i++)
        if (lw_str_eq_nocase(v->folders.v[i], name))
            return lw_arena_printf(&v->scratch, "%s/%.*s", v->options->repos,
                                   LW_F(v->folders.v[i]))
                .p;
    return NULL;
}

static const char *find_repository(struct evaluation *v, const struct project *p)
{
    const struct lw_set_line *line = v->e->reports[p->reports[0]].line;
    const char *path = find_folder(v, line->ticket.project);
    return path ? path : find_folder(v, line->mirror);
}

/* Adds the commits of the reports; those that are not there are passed over with a line. */
static int add_commits(struct evaluation *v, struct project *p, struct lw_err *err)
{
    size_t missing = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct lw_judged *r = &v->e->reports[p->reports[i]];
        struct lw_err why = {0};
        int rc = lw_index_commit(p->index, r->line->buggy_commit, &p->commits[i], &why);
        if (rc == LW_ENOMEM || rc == LW_ECANCEL) {
            *err = why;
            return rc;
        }
        if (rc < 0) {
            if (missing++ == 0)
                lw_log(&v->ctx->log, LW_LOG_WARNING, "%.*s %.*s passed over: %s",
                       LW_F(r->line->ticket.project), LW_F(r->line->ticket.id), why.text);
            r->skipped = true;
        }
    }
    if (missing > 1)
        lw_log(&v->ctx->log, LW_LOG_WARNING, "… and %zu more reports of %.*s", missing - 1,
               LW_F(v->e->projects[p->number]));
    return 0;
}

static int by_fix_date(const void *a, const void *b)
{
    const struct lw_fixed *x = a, *y = b;
    if (x->fix_date != y->fix_date)
        return x->fix_date < y->fix_date ? -1 : 1;
    return (x->ticket > y->ticket) - (x->ticket < y->ticket); /* the order of the set */
}

/* All reports of the project that say when they were fixed, by that date. */
static int collect_fixed(struct project *p, struct lw_arena *arena, struct lw_err *err)
{
    p->fixed = lw_arena_array(arena, p->line_count + 1, sizeof *p->fixed);
    if (!p->fixed)
        return lw_err_nomem(err);
    for (size_t i = 0; i < p->line_count; i++) {
        const struct lw_set_line *line = p->lines[i];
        struct lw_fixed f = {&p->tickets[i], line->fix_date, line->truth, line->truth_count};
        (void)lw_index_commit_date(p->index, line->fix_commit, &f.fix_date);
        if (f.fix_date != INT64_MAX && line->truth_count)
            p->fixed[p->fixed_count++] = f;
    }
    if (p->fixed_count > 1)
        qsort(p->fixed, p->fixed_count, sizeof *p->fixed, by_fix_date);
    return 0;
}

static int make_tickets(struct evaluation *v, struct project *p, struct lw_err *err)
{
    int rc = 0;
    p->tickets = lw_arena_array(&p->arena, p->line_count + 1, sizeof *p->tickets);
    if (!p->tickets)
        return lw_err_nomem(err);
    for (size_t i = 0; i < p->line_count && rc == 0; i++) {
        p->tickets[i] = p->lines[i]->ticket;
        rc = lw_ticket_terms(&p->tickets[i], p->index, &p->arena, err);
    }
    (void)v;
    return rc < 0 ? rc : collect_fixed(p, &p->arena, err);
}

/* Those fixed before the report was opened, in the worker's arena when it must be left out
 * itself. */
static int earlier_of(const struct project *p, struct lw_case *c, struct lw_err *err)
{
    size_t n = 0, self = SIZE_MAX;
    if (c->ticket->open_date == INT64_MAX)
        return 0;
    for (; n < p->fixed_count && p->fixed[n].fix_date < c->ticket->open_date; n++)
        if (p->fixed[n].ticket == c->ticket)
            self = n;
    c->earlier = p->fixed;
    c->earlier_count = n;
    if (self == SIZE_MAX)
        return 0;
    struct lw_fixed *others = lw_arena_array(c->arena, n, sizeof *others);
    if (!others)
        return lw_err_nomem(err);
    for (size_t i = 0, k = 0; i < n; i++)
        if (i != self)
            others[k++] = p->fixed[i];
    c->earlier = others;
    c->earlier_count = n - 1;
    return 0;
}

/* ---- One report -------------------------------------------------------------------------- */

static int worker_ready(struct evaluation *v, struct worker *w, struct lw_err *err)
{
    if (w->ready)
        return 0;
    lw_snapshot_init(&w->snapshot, v->now->index, v->ctx->mem);
    lw_arena_init(&w->arena, v->ctx->mem, 0);
    w->ready = true;
    return lw_git_open(&w->git, v->ctx, lw_index_folder(v->now->index).p, err);
}

static void worker_release(struct worker *w)
{
    if (!w->ready)
        return;
    lw_snapshot_release(&w->snapshot);
    lw_arena_release(&w->arena);
    lw_git_close(w->git);
    w->git = NULL;
    w->ready = false;
}

/* Candidates that the fix changed. */
static int find_truth(struct evaluation *v, size_t item, const struct lw_files *files,
                      struct lw_err *err)
{
    struct project *p = v->now;
    const struct lw_set_line *line = v->e->reports[p->reports[item]].line;
    struct lesson *lesson = &v->lessons[p->reports[item]];
    lesson->truth = lw_mem_alloc(v->ctx->mem, line->truth_count * sizeof *lesson->truth);
    if (!lesson->truth)
        return lw_err_nomem(err);
    for (size_t i = 0; i < line->truth_count; i++) {
        size_t file = lw_files_find(files, line->truth[i]);
        if (file != SIZE_MAX)
            lesson->truth[lesson->truth_count++] = (uint32_t)file;
    }
    if (lesson->truth_count > 1)
        qsort(lesson->truth, lesson->truth_count, sizeof *lesson->truth, by_number);
    return 0;
}

static int run_technique(struct evaluation *v, struct lw_case *c, size_t technique,
                         struct lesson *lesson, double *scores, struct lw_err *err)
{
    const struct lw_setup *setup = &v->e->setups[technique];
    c->shared = v->now->shared[technique];
    if (!setup->technique->learner)
        return setup->technique->score(setup, c, scores, err);
    struct lw_features *f = lw_mem_alloc(v->ctx->mem, sizeof *f);
    if (!f)
        return lw_err_nomem(err);
    lw_arena_init(&f->arena, v->ctx->mem, 0);
    lesson->features[technique] = f;
    return setup->technique->learner->describe(setup, c, f, err);
}

static int judge_report(struct evaluation *v, struct worker *w, size_t item, struct lw_case *c,
                        struct lw_err *err)
{
    size_t n = c->snapshot->files.n;
    size_t report = v->now->reports[item];
    struct lesson *lesson = &v->lessons[report];
    int rc = find_truth(v, item, &c->snapshot->files, err);
    v->e->reports[report].candidates = (uint32_t)n;
    for (size_t t = 0; t < v->e->setup_count && rc == 0; t++) {
        struct lw_arena_mark mark = lw_arena_mark(&w->arena);
        double *scores = lw_arena_array(&w->arena, n + 1, sizeof *scores);
        double start = v->ctx->clock.seconds(v->ctx->clock.data);
        rc = scores ? run_technique(v, c, t, lesson, scores, err) : lw_err_nomem(err);
        w->seconds[t] += v->ctx->clock.seconds(v->ctx->clock.data) - start;
        if (rc == 0 && !v->e->setups[t].technique->learner)
            ev_judge(&v->e->reports[report].outcomes[t], lesson->ranks + t * lesson->rank_room,
                     scores, n, lesson->truth, lesson->truth_count);
        lw_arena_rewind(&w->arena, mark);
    }
    return rc;
}

static int work(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct evaluation *v = data;
    struct project *p = v->now;
    struct worker *w = &v->workers[worker];
    struct lw_past past = {0};
    if (v->e->reports[p->reports[item]].skipped)
        return 0;
    int rc = worker_ready(v, w, err);
    if (rc == 0)
        rc = lw_snapshot_set(&w->snapshot, p->commits[item], err);
    if (rc < 0)
        return rc;
    struct lw_case c = {.index = p->index,
                        .snapshot = &w->snapshot,
                        .ticket = &p->tickets[p->ticket_of[item]],
                        .git = w->git,
                        .mem = v->ctx->mem,
                        .arena = &w->arena};
    lw_arena_clear(&w->arena);
    rc = earlier_of(p, &c, err);
    if (rc == 0 && p->history) {
        rc = lw_past_make(p->history, &w->arena, p->index, p->commits[item],
                          c.ticket->open_date, &past, err);
        c.past = &past;
    }
    return rc < 0 ? rc : judge_report(v, w, item, &c, err);
}

static int delivered(void *data, size_t item, struct lw_err *err)
{
    struct evaluation *v = data;
    (void)item, (void)err;
    lw_progress_step(&v->progress, 1, v->e->projects[v->now->number]);
    return 0;
}

/* ---- A project from end to end ----------------------------------------------------------- */

static bool needs_history(const struct lw_eval *e)
{
    for (size_t t = 0; t < e->setup_count; t++)
        if (e->setups[t].technique->needs & LW_NEEDS_HISTORY)
            return true;
    return false;
}

static int share_all(struct evaluation *v, struct project *p, struct lw_err *err)
{
    int rc = 0;
    for (size_t t = 0; t < v->e->setup_count && rc == 0; t++)
        if (v->e->setups[t].technique->share)
            rc = v->e->setups[t].technique->share(&v->e->setups[t], p->index, &p->shared[t],
                                                  err);
    return rc;
}

static void add_index_figures(struct lw_index_figures *sum, struct lw_index_figures f)
{
    sum->blobs += f.blobs;
    sum->blobs_read += f.blobs_read;
    sum->bytes_read += f.bytes_read;
    sum->segments += f.segments;
    sum->segments_damaged += f.segments_damaged;
    sum->commits_listed += f.commits_listed;
    sum->absent += f.absent;
    sum->large += f.large;
    sum->binary += f.binary;
    sum->seconds_read += f.seconds_read;
    sum->seconds_write += f.seconds_write;
}

static int prepare(struct evaluation *v, struct project *p, const char *repository,
                   struct lw_err *err)
{
    int rc = lw_index_open(&p->index, v->ctx, repository, &v->options->index, err);
    if (rc == 0)
        rc = add_commits(v, p, err);
    if (rc == 0)
        rc = lw_index_load(p->index, err);
    if (rc == 0)
        rc = make_tickets(v, p, err);
    if (rc == 0 && needs_history(v->e))
        rc = lw_history_open(&p->history, p->index, err);
    if (rc == 0)
        rc = share_all(v, p, err);
    if (p->index)
        add_index_figures(&v->e->index, lw_index_figures(p->index));
    return rc;
}

static void project_close(struct evaluation *v, struct project *p)
{
    for (unsigned i = 0; i < v->worker_count; i++)
        worker_release(&v->workers[i]);
    for (size_t t = 0; t < v->e->setup_count; t++)
        if (p->shared[t] && v->e->setups[t].technique->unshare)
            v->e->setups[t].technique->unshare(v->ctx->mem, p->shared[t]);
    lw_history_close(p->history);
    lw_index_close(p->index);
    lw_arena_release(&p->arena);
}

static void skip_project(struct evaluation *v, const struct project *p, const char *why)
{
    lw_log(&v->ctx->log, LW_LOG_WARNING, "%zu report%s of %.*s passed over: %s", p->count,
           p->count == 1 ? "" : "s", LW_F(v->e->projects[p->number]), why);
    for (size_t i = 0; i < p->count; i++)
        v->e->reports[p->reports[i]].skipped = true;
}

static void add_seconds(struct evaluation *v)
{
    for (unsigned i = 0; i < v->worker_count; i++)
        for (size_t t = 0; t < v->e->setup_count; t++) {
            v->e->seconds[t] += v->workers[i].seconds[t];
            v->workers[i].seconds[t] = 0;
        }
}

static int run_project(struct evaluation *v, struct project *p, struct lw_err *err)
{
    struct lw_clock clock = v->ctx->clock;
    double start = clock.seconds(clock.data);
    const char *repository = find_repository(v, p);
    struct lw_err why = {0};
    v->now = p;
    int rc = repository
                 ? prepare(v, p, repository, &why)
                 : lw_err_set(&why, LW_ENOENT, "no repository in '%s'", v->options->repos);
    v->e->seconds_index += clock.seconds(clock.data) - start;
    if (rc == LW_ENOENT || rc == LW_EINVAL || rc == LW_ECORRUPT) {
        skip_project(v, p, why.text);
        rc = 0;
    } else if (rc == 0) {
        struct lw_pool pool = {.count = p->count,
                               .jobs = v->worker_count,
                               .cancel = v->ctx->cancel,
                               .data = v,
                               .work = work,
                               .deliver = delivered};
        rc = lw_pool_run(&pool, &why);
    }
    if (rc < 0)
        *err = why;
    add_seconds(v);
    project_close(v, p);
    return rc;
}

/* ---- The whole --------------------------------------------------------------------------- */

static uint32_t project_number(struct evaluation *v, struct lw_str name)
{
    for (size_t i = 0; i < v->e->project_count; i++)
        if (lw_str_eq(v->e->projects[i], name))
            return (uint32_t)i;
    v->e->projects[v->e->project_count] = name;
    return (uint32_t)v->e->project_count++;
}

/* Results and what learning needs, for every report. */
static int make_reports(struct evaluation *v, struct lw_err *err)
{
    struct lw_eval *e = v->e;
    size_t n = e->set->lines.n;
    e->reports = lw_arena_array(&e->arena, n + 1, sizeof *e->reports);
    e->projects = lw_arena_array(&e->arena, n + 1, sizeof *e->projects);
    e->seconds = lw_arena_array(&e->arena, e->setup_count + 1, sizeof *e->seconds);
    v->lessons = lw_arena_array(&v->scratch, n + 1, sizeof *v->lessons);
    if (!e->reports || !e->projects || !e->seconds || !v->lessons)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const struct lw_set_line *line = &e->set->lines.v[i];
        if (!is_asked(v->options->projects, line->ticket.project))
            continue;
        struct lesson *lesson = &v->lessons[e->report_count];
        struct lw_judged *r = &e->reports[e->report_count++];
        r->line = line;
        r->project = project_number(v, line->ticket.project);
        r->outcomes = lw_arena_array(&e->arena, e->setup_count + 1, sizeof *r->outcomes);
        lesson->rank_room = line->truth_count;
        lesson->ranks = lw_arena_array(&e->arena, line->truth_count * e->setup_count + 1,
                                       sizeof *lesson->ranks);
        lesson->features =
            lw_arena_array(&v->scratch, e->setup_count + 1, sizeof *lesson->features);
        if (!r->outcomes || !lesson->ranks || !lesson->features)
            return lw_err_nomem(err);
    }
    if (!e->report_count)
        return lw_err_set(err, LW_EINVAL, "the set has no report of the projects asked for");
    return 0;
}

static int by_opening(const void *a, const void *b, void *data)
{
    const struct lw_judged *reports = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int64_t p = reports[x].line->ticket.open_date, q = reports[y].line->ticket.open_date;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* The project's reports by opening date, so that neighbours are alike; and all its lines. */
static int gather(struct evaluation *v, struct project *p, struct lw_err *err)
{
    struct lw_eval *e = v->e;
    size_t n = e->report_count;
    lw_arena_init(&p->arena, v->ctx->mem, 0);
    p->reports = lw_arena_array(&p->arena, n + 1, sizeof *p->reports);
    p->commits = lw_arena_array(&p->arena, n + 1, sizeof *p->commits);
    p->ticket_of = lw_arena_array(&p->arena, n + 1, sizeof *p->ticket_of);
    p->lines = lw_arena_array(&p->arena, n + 1, sizeof *p->lines);
    p->shared = lw_arena_array(&p->arena, e->setup_count + 1, sizeof *p->shared);
    if (!p->reports || !p->commits || !p->ticket_of || !p->lines || !p->shared)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        if (e->reports[i].project == p->number)
            p->reports[p->count++] = (uint32_t)i;
    qsort_r(p->reports, p->count, sizeof *p->reports, by_opening, e->reports);
    for (size_t i = 0; i < p->count; i++) {
        p->ticket_of[i] = (uint32_t)i;
        p->lines[p->line_count++] = e->reports[p->reports[i]].line;
    }
    return 0;
}

static int run_all(struct evaluation *v, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; i < v->e->project_count && rc == 0; i++) {
        struct project p = {.number = (uint32_t)i};
        rc = gather(v, &p, err);
        if (rc == 0)
            rc = run_project(v, &p, err);
        else
            lw_arena_release(&p.arena);
    }
    return rc;
}

static int make_workers(struct evaluation *v, struct lw_err *err)
{
    v->worker_count = v->ctx->jobs ? v->ctx->jobs : 1;
    v->workers = lw_arena_array(&v->scratch, v->worker_count, sizeof *v->workers);
    return v->workers ? 0 : lw_err_nomem(err);
}

static void release_lessons(struct evaluation *v)
{
    for (size_t i = 0; v->lessons && i < v->e->report_count; i++) {
        struct lesson *l = &v->lessons[i];
        lw_mem_free(v->ctx->mem, l->truth, l->rank_room * sizeof *l->truth);
        for (size_t t = 0; l->features && t < v->e->setup_count; t++)
            if (l->features[t]) {
                lw_arena_release(&l->features[t]->arena);
                lw_mem_free(v->ctx->mem, l->features[t], sizeof *l->features[t]);
            }
    }
}

int lw_eval_run(struct lw_eval *e, const struct lw_ctx *ctx, const struct lw_set *set,
                const struct lw_eval_options *options, struct lw_err *err)
{
    struct evaluation v = {.e = e, .ctx = ctx, .options = options};
    double start = ctx->clock.seconds(ctx->clock.data);
    memset(e, 0, sizeof *e);
    e->mem = ctx->mem;
    e->set = set;
    e->setups = options->setups;
    e->setup_count = options->setup_count;
    lw_arena_init(&e->arena, ctx->mem, 0);
    lw_arena_init(&v.scratch, ctx->mem, 0);
    int rc = lw_dir_list(&v.scratch, ctx->mem, options->repos, &v.folders, err);
    if (rc == 0)
        rc = make_workers(&v, err);
    if (rc == 0)
        rc = make_reports(&v, err);
    lw_progress_init(&v.progress, ctx->talk, ctx->clock, "locate", e->report_count);
    if (rc == 0)
        rc = run_all(&v, err);
    if (rc == 0)
        rc = ev_learn(&v, err);
    lw_progress_finish(&v.progress);
    for (size_t i = 0; i < e->report_count; i++)
        e->skipped += e->reports[i].skipped;
    if (rc == 0 && e->skipped == e->report_count)
        rc = lw_err_set(err, LW_EINVAL, "none of the %zu reports could be evaluated",
                        e->report_count);
    release_lessons(&v);
    lw_vec_release(ctx->mem, &v.folders);
    lw_arena_release(&v.scratch);
    e->seconds_total = ctx->clock.seconds(ctx->clock.data) - start;
    return rc;
}

void lw_eval_release(struct lw_eval *e)
{
    lw_arena_release(&e->arena);
}
