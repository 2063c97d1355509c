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
static const char *find_folder(struct project *p, struct lw_str name)
{
    const struct evaluation *v = p->v;
    for (size_t i = 0; name.n && i < v->folders.n; i++)
        if (lw_str_eq_nocase(v->folders.v[i], name))
            return lw_arena_printf(&p->arena, "%s/%.*s", v->options->repos,
                                   LW_F(v->folders.v[i]))
                .p;
    return NULL;
}

static const char *find_repository(struct project *p)
{
    const struct lw_set_line *line = p->v->e->reports[p->reports[0]].line;
    const char *path = find_folder(p, line->ticket.project);
    return path ? path : find_folder(p, line->mirror);
}

/* Adds the commits of the reports; those that are not there are skipped with a line. */
static int add_commits(struct project *p, struct lw_err *err)
{
    const struct evaluation *v = p->v;
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
                lw_log(&v->ctx->log, LW_LOG_WARNING, "%.*s %.*s skipped: %s",
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

static const struct lw_set_line *line_of(const struct project *p, size_t item)
{
    return p->v->e->reports[p->reports[item]].line;
}

/* All reports of the project that say when they were fixed, by that date. */
static int collect_fixed(struct project *p, struct lw_err *err)
{
    p->fixed = lw_arena_array(&p->arena, p->count + 1, sizeof *p->fixed);
    if (!p->fixed)
        return lw_err_nomem(err);
    for (size_t i = 0; i < p->count; i++) {
        const struct lw_set_line *line = line_of(p, i);
        struct lw_fixed f = {&p->tickets[i], line->fix_date, line->truth, line->truth_count};
        (void)lw_index_commit_date(p->index, line->fix_commit, &f.fix_date);
        if (f.fix_date != INT64_MAX && line->truth_count)
            p->fixed[p->fixed_count++] = f;
    }
    if (p->fixed_count > 1)
        qsort(p->fixed, p->fixed_count, sizeof *p->fixed, by_fix_date);
    return 0;
}

static int make_tickets(struct project *p, struct lw_err *err)
{
    int rc = 0;
    p->tickets = lw_arena_array(&p->arena, p->count + 1, sizeof *p->tickets);
    if (!p->tickets)
        return lw_err_nomem(err);
    for (size_t i = 0; i < p->count && rc == 0; i++) {
        p->tickets[i] = line_of(p, i)->ticket;
        rc = lw_ticket_terms(&p->tickets[i], p->index, &p->arena, err);
    }
    return rc < 0 ? rc : collect_fixed(p, err);
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

static void worker_ready(struct project *p, struct worker *w)
{
    if (w->ready)
        return;
    w->texts = (struct lw_texts){&p->v->inner, lw_index_folder(p->index), NULL};
    lw_snapshot_init(&w->snapshot, p->index, p->v->ctx->mem);
    lw_arena_init(&w->arena, p->v->ctx->mem, 0);
    w->ready = true;
}

static void worker_release(struct worker *w)
{
    if (!w->ready)
        return;
    lw_snapshot_release(&w->snapshot);
    lw_arena_release(&w->arena);
    lw_texts_release(&w->texts);
    w->ready = false;
}

/* Candidates that the fix changed. */
static int find_truth(struct project *p, size_t item, const struct lw_files *files,
                      struct lw_err *err)
{
    const struct lw_set_line *line = line_of(p, item);
    struct lesson *lesson = &p->v->lessons[p->reports[item]];
    lesson->truth = lw_mem_alloc(p->v->ctx->mem, line->truth_count * sizeof *lesson->truth);
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

/* The features of a report are kept until models are learnt, unless one is there already. */
static int describe(struct project *p, struct lw_case *c, size_t technique, size_t report,
                    struct lw_err *err)
{
    const struct lw_setup *setup = &p->v->e->setups[technique];
    struct lw_features *f = lw_mem_alloc(p->v->ctx->mem, sizeof *f);
    if (!f)
        return lw_err_nomem(err);
    lw_arena_init(&f->arena, p->v->ctx->mem, 0);
    p->v->lessons[report].features[technique] = f;
    int rc = setup->technique->learner->describe(setup, c, f, err);
    if (rc < 0 || !p->v->at_once)
        return rc;
    rc = ev_judge_by(p->v, technique, report, p->v->shipped[technique], err);
    ev_forget(p->v, technique, report);
    return rc;
}

static int run_technique(struct project *p, struct lw_case *c, size_t technique, size_t report,
                         double *scores, struct lw_err *err)
{
    const struct lw_setup *setup = &p->v->e->setups[technique];
    c->shared = p->shared[technique];
    return setup->technique->learner ? describe(p, c, technique, report, err)
                                     : setup->technique->score(setup, c, scores, err);
}

static int judge_report(struct project *p, struct worker *w, size_t item, struct lw_case *c,
                        struct lw_err *err)
{
    struct lw_eval *e = p->v->e;
    struct lw_clock clock = p->v->ctx->clock;
    size_t n = c->snapshot->files.n, report = p->reports[item];
    struct lesson *lesson = &p->v->lessons[report];
    int rc = find_truth(p, item, &c->snapshot->files, err);
    e->reports[report].candidates = (uint32_t)n;
    for (size_t t = 0; t < e->setup_count && rc == 0; t++) {
        struct lw_arena_mark mark = lw_arena_mark(&w->arena);
        double *scores = lw_arena_array(&w->arena, n + 1, sizeof *scores);
        double start = clock.seconds(clock.data);
        rc = scores ? run_technique(p, c, t, report, scores, err) : lw_err_nomem(err);
        w->seconds[t] += clock.seconds(clock.data) - start;
        if (rc == 0 && !e->setups[t].technique->learner)
            ev_judge(&e->reports[report].outcomes[t], lesson->ranks + t * lesson->rank_room,
                     scores, n, lesson->truth, lesson->truth_count);
        lw_arena_rewind(&w->arena, mark);
    }
    return rc;
}

static int work(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct project *p = data;
    struct worker *w = &p->workers[worker];
    struct lw_past past = {0};
    if (p->v->e->reports[p->reports[item]].skipped)
        return 0;
    worker_ready(p, w);
    int rc = lw_snapshot_set(&w->snapshot, p->commits[item], err);
    if (rc < 0)
        return rc;
    struct lw_case c = {.index = p->index,
                        .snapshot = &w->snapshot,
                        .ticket = &p->tickets[item],
                        .texts = &w->texts,
                        .mem = p->v->ctx->mem,
                        .arena = &w->arena};
    lw_arena_clear(&w->arena);
    rc = earlier_of(p, &c, err);
    if (rc == 0 && p->history) {
        rc = lw_past_make(p->history, &w->arena, p->index, p->commits[item],
                          c.ticket->open_date, &past, err);
        c.past = &past;
    }
    if (rc == 0)
        rc = judge_report(p, w, item, &c, err);
    lw_progress_step(&p->v->progress, 1, p->v->e->projects[p->number]);
    return rc;
}

/* ---- A project from end to end ----------------------------------------------------------- */

static bool needs_history(const struct lw_eval *e)
{
    for (size_t t = 0; t < e->setup_count; t++)
        if (e->setups[t].technique->needs & LW_NEEDS_HISTORY)
            return true;
    return false;
}

static int share_all(struct project *p, struct lw_err *err)
{
    const struct lw_eval *e = p->v->e;
    int rc = 0;
    for (size_t t = 0; t < e->setup_count && rc == 0; t++)
        if (e->setups[t].technique->share)
            rc = e->setups[t].technique->share(&e->setups[t], p->index, &p->shared[t], err);
    return rc;
}

static int prepare(struct project *p, const char *repository, struct lw_err *err)
{
    struct evaluation *v = p->v;
    int rc = lw_index_open(&p->index, &v->inner, repository, &v->options->index, err);
    if (rc == 0)
        rc = add_commits(p, err);
    if (rc == 0)
        rc = lw_index_load(p->index, err);
    if (rc == 0)
        rc = make_tickets(p, err);
    if (rc == 0 && needs_history(v->e))
        rc = lw_history_open(&p->history, p->index, err);
    if (rc == 0)
        rc = share_all(p, err);
    if (p->index)
        p->figures = lw_index_figures(p->index);
    return rc;
}

static void project_close(struct project *p)
{
    const struct lw_eval *e = p->v->e;
    for (unsigned i = 0; i < p->v->inner.jobs; i++) {
        for (size_t t = 0; t < e->setup_count; t++)
            p->seconds[t] += p->workers[i].seconds[t];
        worker_release(&p->workers[i]);
    }
    for (size_t t = 0; t < e->setup_count; t++)
        if (p->shared[t] && e->setups[t].technique->unshare)
            e->setups[t].technique->unshare(p->v->ctx->mem, p->shared[t]);
    lw_history_close(p->history);
    lw_index_close(p->index);
    lw_arena_release(&p->arena);
}

static void skip_project(const struct project *p, const char *why)
{
    struct lw_eval *e = p->v->e;
    lw_log(&p->v->ctx->log, LW_LOG_WARNING, "%zu report%s of %.*s skipped: %s", p->count,
           p->count == 1 ? "" : "s", LW_F(e->projects[p->number]), why);
    for (size_t i = 0; i < p->count; i++)
        e->reports[p->reports[i]].skipped = true;
}

static int run_project(void *data, size_t item, unsigned outer, struct lw_err *err)
{
    struct evaluation *v = data;
    struct project *p = &v->projects[item];
    struct lw_clock clock = v->ctx->clock;
    double start = clock.seconds(clock.data);
    const char *repository = find_repository(p);
    struct lw_err why = {0};
    (void)outer;
    int rc = repository
                 ? prepare(p, repository, &why)
                 : lw_err_set(&why, LW_ENOENT, "no repository in '%s'", v->options->repos);
    p->seconds_index = clock.seconds(clock.data) - start;
    if (rc == LW_ENOENT || rc == LW_EINVAL || rc == LW_ECORRUPT) {
        skip_project(p, why.text);
        rc = 0;
    } else if (rc == 0) {
        struct lw_pool pool = {.count = p->count,
                               .jobs = v->inner.jobs,
                               .cancel = v->ctx->cancel,
                               .data = p,
                               .work = work};
        rc = lw_pool_run(&pool, &why);
    }
    if (rc < 0)
        *err = why;
    project_close(p);
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
        return lw_err_set(err, LW_EINVAL, "the dataset has no report of the selected projects");
    return 0;
}

static int by_opening(const void *a, const void *b, void *data)
{
    const struct lw_judged *reports = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int64_t p = reports[x].line->ticket.open_date, q = reports[y].line->ticket.open_date;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

/* The project's reports by opening date, so that neighbours are alike. */
static int gather(struct project *p, struct lw_err *err)
{
    struct lw_eval *e = p->v->e;
    size_t n = e->report_count;
    p->reports = lw_arena_array(&p->arena, p->count + 1, sizeof *p->reports);
    p->commits = lw_arena_array(&p->arena, p->count + 1, sizeof *p->commits);
    p->shared = lw_arena_array(&p->arena, e->setup_count + 1, sizeof *p->shared);
    p->workers = lw_arena_array(&p->arena, p->v->inner.jobs, sizeof *p->workers);
    if (!p->reports || !p->commits || !p->shared || !p->workers)
        return lw_err_nomem(err);
    for (size_t i = 0, k = 0; i < n; i++)
        if (e->reports[i].project == p->number)
            p->reports[k++] = (uint32_t)i;
    qsort_r(p->reports, p->count, sizeof *p->reports, by_opening, e->reports);
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const struct project *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Projects side by side, the largest first; what is left of the threads works inside them. */
static int make_projects(struct evaluation *v, struct lw_pool *pool, struct lw_err *err)
{
    struct lw_eval *e = v->e;
    unsigned jobs = v->ctx->jobs ? v->ctx->jobs : 1;
    v->projects = lw_arena_array(&v->scratch, e->project_count + 1, sizeof *v->projects);
    if (!v->projects)
        return lw_err_nomem(err);
    pool->count = e->project_count;
    pool->jobs = e->project_count < jobs ? (unsigned)e->project_count : jobs;
    v->inner = *v->ctx;
    v->inner.jobs = jobs / pool->jobs;
    for (size_t i = 0; i < e->project_count; i++) {
        v->projects[i] = (struct project){.v = v, .number = (uint32_t)i};
        lw_arena_init(&v->projects[i].arena, v->ctx->mem, 0);
    }
    for (size_t i = 0; i < e->report_count; i++)
        v->projects[e->reports[i].project].count++;
    qsort(v->projects, e->project_count, sizeof *v->projects, by_size);
    int rc = 0;
    for (size_t i = 0; i < e->project_count && rc == 0; i++)
        rc = gather(&v->projects[i], err);
    return rc;
}

static void add_figures(struct lw_eval *e, const struct project *p)
{
    struct lw_index_figures *sum = &e->index;
    const struct lw_index_figures *f = &p->figures;
    sum->blobs += f->blobs;
    sum->blobs_read += f->blobs_read;
    sum->bytes_read += f->bytes_read;
    sum->segments += f->segments;
    sum->segments_damaged += f->segments_damaged;
    sum->commits_listed += f->commits_listed;
    sum->absent += f->absent;
    sum->large += f->large;
    sum->binary += f->binary;
    sum->seconds_read += f->seconds_read;
    sum->seconds_write += f->seconds_write;
    e->seconds_index += p->seconds_index;
    for (size_t t = 0; t < e->setup_count; t++)
        e->seconds[t] += p->seconds[t];
}

static int run_all(struct evaluation *v, struct lw_err *err)
{
    struct lw_pool pool = {.cancel = v->ctx->cancel, .data = v, .work = run_project};
    int rc = make_projects(v, &pool, err);
    if (rc == 0)
        rc = lw_pool_run(&pool, err);
    for (size_t i = 0; v->projects && i < v->e->project_count; i++) {
        add_figures(v->e, &v->projects[i]);
        lw_arena_release(&v->projects[i].arena); /* of those that were never begun */
    }
    return rc;
}

static void release_lessons(struct evaluation *v)
{
    for (size_t i = 0; v->lessons && i < v->e->report_count; i++) {
        struct lesson *l = &v->lessons[i];
        lw_mem_free(v->ctx->mem, l->truth, l->rank_room * sizeof *l->truth);
        for (size_t t = 0; l->features && t < v->e->setup_count; t++)
            ev_forget(v, t, i);
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
        rc = make_reports(&v, err);
    if (rc == 0)
        rc = ev_load_models(&v, err);
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
    ev_release_models(&v);
    lw_vec_release(ctx->mem, &v.folders);
    lw_arena_release(&v.scratch);
    e->seconds_total = ctx->clock.seconds(ctx->clock.data) - start;
    return rc;
}

void lw_eval_release(struct lw_eval *e)
{
    lw_arena_release(&e->arena);
}
