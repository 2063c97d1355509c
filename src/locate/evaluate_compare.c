/* Are the differences between techniques more than chance? */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "locate/evaluate.h"
#include "numeric/means.h"
#include "numeric/ranktest.h"
#include "numeric/resample.h"

/* The metric of all reports that were judged; `*n` of them. NULL: no memory. */
static double *values_of(const struct lw_eval *e, struct lw_arena *arena, size_t technique,
                         enum lw_eval_metric metric, size_t *n)
{
    double *v = lw_arena_array(arena, e->report_count + 1, sizeof *v);
    *n = 0;
    for (size_t i = 0; v && i < e->report_count; i++) {
        const struct lw_outcome *o = &e->reports[i].outcomes[technique];
        if (!e->reports[i].skipped)
            v[(*n)++] = metric == LW_METRIC_AP ? o->ap : o->rr;
    }
    return v;
}

/* Mean over deviation of the differences. */
static void describe(struct lw_comparison *c, const double *a, const double *b, size_t n)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] - b[i];
    double mean = n ? sum / (double)n : 0;
    for (size_t i = 0; i < n; i++)
        square += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    double deviation = n > 1 ? sqrt(square / (double)(n - 1)) : 0;
    c->difference = mean;
    c->cohen_d = deviation > 0 ? mean / deviation : 0;
}

/* Techniques that agree on every report (or too few reports) do not differ: p is 1. */
static int compare(const struct lw_eval *e, struct lw_arena *arena, struct lw_comparison *c,
                   struct lw_err *err)
{
    size_t n;
    struct lw_test test;
    struct lw_err ignored = {0};
    const double *a = values_of(e, arena, c->a, c->metric, &n);
    const double *b = values_of(e, arena, c->b, c->metric, &n);
    if (!a || !b)
        return lw_err_nomem(err);
    struct lw_sample x = {a, n}, y = {b, n};
    c->p = c->p_t = 1;
    describe(c, a, b, n);
    int rc = lw_wilcoxon(&test, e->mem, x, y, LW_TAIL_TWO, LW_EXACT_AUTO, false, &ignored);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    if (rc == 0) {
        c->p = test.p;
        c->effect = test.estimate;
    }
    if (lw_ttest_paired(&test, x, y, LW_TAIL_TWO, &ignored) == 0)
        c->p_t = test.p;
    return 0;
}

/* Both kinds of p-values, each over all comparisons. */
static int adjust(const struct lw_eval *e, struct lw_arena *arena, struct lw_comparison *v,
                  size_t n, struct lw_err *err)
{
    double *p = lw_arena_array(arena, n + 1, sizeof *p),
           *out = lw_arena_array(arena, n + 1, sizeof *out);
    int rc = 0;
    if (!p || !out)
        return lw_err_nomem(err);
    for (int kind = 0; kind < 2 && rc == 0 && n; kind++) {
        for (size_t i = 0; i < n; i++)
            p[i] = kind ? v[i].p_t : v[i].p;
        rc = lw_holm(e->mem, p, n, out, err);
        for (size_t i = 0; i < n && rc == 0; i++)
            *(kind ? &v[i].p_t : &v[i].p) = out[i];
    }
    return rc;
}

int lw_eval_compare(const struct lw_eval *e, struct lw_arena *arena,
                    const struct lw_comparison **out, size_t *n, struct lw_err *err)
{
    size_t k = e->setup_count, count = 0;
    struct lw_comparison *v = lw_arena_array(arena, k * k + 1, sizeof *v);
    int rc = v ? 0 : lw_err_nomem(err);
    for (int metric = LW_METRIC_AP; metric <= LW_METRIC_RR; metric++)
        for (size_t a = 0; a < k; a++)
            for (size_t b = a + 1; b < k && rc == 0; b++) {
                struct lw_comparison *c = &v[count++];
                c->a = a;
                c->b = b;
                c->metric = (enum lw_eval_metric)metric;
                rc = compare(e, arena, c, err);
            }
    if (rc == 0)
        rc = adjust(e, arena, v, count, err);
    *out = v;
    *n = count;
    return rc;
}

static int interval(const struct lw_ctx *ctx, const double *v, size_t n, double *low,
                    double *high, struct lw_err *err)
{
    struct lw_bootstrap how = {.replicates = 2000,
                               .seed = ctx->seed,
                               .jobs = ctx->jobs,
                               .percentile = true,
                               .statistic = lw_statistic_mean};
    struct lw_interval result;
    struct lw_err ignored = {0};
    int rc = lw_bootstrap(&result, ctx->mem, (struct lw_sample){v, n}, &how, &ignored);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    *low = rc == 0 ? result.low : NAN; /* too few reports have no interval */
    *high = rc == 0 ? result.high : NAN;
    return 0;
}

int lw_eval_intervals(const struct lw_eval *e, const struct lw_ctx *ctx, size_t technique,
                      struct lw_eval_interval *out, struct lw_err *err)
{
    struct lw_arena arena;
    size_t n;
    lw_arena_init(&arena, ctx->mem, 0);
    double *ap = values_of(e, &arena, technique, LW_METRIC_AP, &n);
    double *rr = values_of(e, &arena, technique, LW_METRIC_RR, &n);
    int rc =
        ap && rr ? interval(ctx, ap, n, &out->map_low, &out->map_high, err) : lw_err_nomem(err);
    if (rc == 0)
        rc = interval(ctx, rr, n, &out->mrr_low, &out->mrr_high, err);
    for (size_t i = 0; rr && i < n; i++)
        rr[i] = rr[i] >= 1;
    if (rc == 0)
        rc = interval(ctx, rr, n, &out->top1_low, &out->top1_high, err);
    lw_arena_release(&arena);
    return rc;
}
