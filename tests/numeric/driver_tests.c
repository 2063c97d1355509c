#include "driver.h"

#include <math.h>

#include "numeric/contingency.h"
#include "numeric/describe.h"
#include "numeric/fit.h"
#include "numeric/glm.h"
#include "numeric/means.h"
#include "numeric/ranktest.h"
#include "numeric/resample.h"
#include "numeric/sketch.h"

static struct lw_sample sample(const struct call *c, size_t i)
{
    return i < c->n ? (struct lw_sample){c->arg[i].v, c->arg[i].n} : (struct lw_sample){0};
}

static enum lw_tail tail_of(const struct call *c, size_t i)
{
    struct lw_str w = call_word(c, i);
    return lw_str_eq(w, LW_S("less"))      ? LW_TAIL_LESS
           : lw_str_eq(w, LW_S("greater")) ? LW_TAIL_GREATER
                                           : LW_TAIL_TWO;
}

static enum lw_exactness exactness_of(const struct call *c, size_t i)
{
    struct lw_str w = call_word(c, i);
    return lw_str_eq(w, LW_S("exact"))        ? LW_EXACT_YES
           : lw_str_eq(w, LW_S("asymptotic")) ? LW_EXACT_NO
                                              : LW_EXACT_AUTO;
}

static int put_test(int rc, const struct lw_test *t)
{
    if (rc == 0)
        put_all((double[]){t->statistic, t->p, t->estimate, t->df, t->df2}, 5);
    return rc;
}

/* moments X [PIECE]  ->  n nan zeros min max mean var1 skew kurt sparsity median, in pieces
 * that are merged */
static int moments(struct call *c)
{
    struct lw_sample s = sample(c, 0);
    size_t piece = c->n > 1 ? call_count(c, 1) : s.n + 1;
    struct lw_moments all;
    lw_moments_init(&all);
    struct lw_sketch sketch, part_sketch;
    lw_sketch_init(&sketch, NULL);
    for (size_t i = 0; i < s.n; i += piece) {
        struct lw_moments part;
        size_t k = s.n - i < piece ? s.n - i : piece;
        lw_moments_init(&part);
        lw_moments_add(&part, s.x + i, k);
        lw_moments_merge(&all, &part);
        lw_sketch_init(&part_sketch, NULL);
        lw_sketch_add(&part_sketch, s.x + i, k);
        lw_sketch_merge(&sketch, &part_sketch);
        lw_sketch_release(&part_sketch);
    }
    double median;
    lw_sketch_quantile(&sketch, 0.5, &median);
    lw_sketch_release(&sketch);
    put_all((double[]){(double)all.n, (double)all.nan, (double)all.zeros, all.min, all.max,
                       all.mean, lw_moments_variance(&all, 1), lw_moments_skewness(&all),
                       lw_moments_kurtosis(&all), lw_moments_sparsity(&all), median},
            11);
    return 0;
}

static int moments_f32(struct call *c)
{
    struct lw_sample s = sample(c, 0);
    float *f = lw_arena_array(c->arena, s.n, sizeof *f);
    for (size_t i = 0; i < s.n; i++)
        f[i] = (float)s.x[i];
    struct lw_moments m;
    lw_moments_init(&m);
    lw_moments_add_f32(&m, f, s.n);
    put_all((double[]){(double)m.n, m.mean, lw_moments_variance(&m, 0)}, 3);
    return 0;
}

static int sketch_quantiles(struct call *c)
{
    struct lw_sample s = sample(c, 0), at = sample(c, 1);
    struct lw_sketch sketch;
    lw_sketch_init(&sketch, NULL);
    lw_sketch_add(&sketch, s.x, s.n);
    for (size_t i = 0; i < at.n; i++) {
        double q;
        lw_sketch_quantile(&sketch, at.x[i], &q);
        put(q);
    }
    lw_sketch_release(&sketch);
    return 0;
}

static int exact_quantile(struct call *c)
{
    put(lw_quantile(c->arg[0].v, c->arg[0].n, call_num(c, 1)));
    return 0;
}

static int ttest(struct call *c)
{
    struct lw_test t;
    bool welch = lw_str_eq(call_word(c, 2), LW_S("welch"));
    return put_test(lw_ttest(&t, sample(c, 0), sample(c, 1), welch, tail_of(c, 3), &c->err),
                    &t);
}

static int ttest_paired(struct call *c)
{
    struct lw_test t;
    return put_test(lw_ttest_paired(&t, sample(c, 0), sample(c, 1), tail_of(c, 2), &c->err),
                    &t);
}

static int ttest_one(struct call *c)
{
    struct lw_test t;
    return put_test(lw_ttest_one(&t, sample(c, 0), call_num(c, 1), tail_of(c, 2), &c->err), &t);
}

static size_t groups_of(const struct call *c, struct lw_sample out[MAX_ARGS])
{
    for (size_t i = 0; i < c->n; i++)
        out[i] = sample(c, i);
    return c->n;
}

static int anova(struct call *c)
{
    struct lw_sample g[MAX_ARGS];
    struct lw_test t;
    size_t n = groups_of(c, g);
    return put_test(lw_anova(&t, g, n, &c->err), &t);
}

static int rm_anova(struct call *c)
{
    struct lw_sample g[MAX_ARGS];
    struct lw_rm_anova t;
    size_t n = groups_of(c, g);
    int rc = put_test(lw_rm_anova(&t, NULL, g, n, &c->err), &t.test);
    if (rc == 0)
        put_all((double[]){t.epsilon, t.p_corrected}, 2);
    return rc;
}

static int kruskal(struct call *c)
{
    struct lw_sample g[MAX_ARGS];
    struct lw_test t;
    size_t n = groups_of(c, g);
    return put_test(lw_kruskal(&t, NULL, g, n, &c->err), &t);
}

static int mann_whitney(struct call *c)
{
    struct lw_test t;
    return put_test(lw_mann_whitney(&t, NULL, sample(c, 0), sample(c, 1), tail_of(c, 2),
                                    exactness_of(c, 3), &c->err),
                    &t);
}

static int wilcoxon(struct call *c)
{
    struct lw_test t;
    return put_test(lw_wilcoxon(&t, NULL, sample(c, 0), sample(c, 1), tail_of(c, 2),
                                exactness_of(c, 3), call_num(c, 4) == 1, &c->err),
                    &t);
}

static int cliff(struct call *c)
{
    struct lw_cliff k;
    int rc = lw_cliff(&k, NULL, sample(c, 0), sample(c, 1), &c->err);
    if (rc == 0)
        put_all((double[]){k.delta, k.low, k.high}, 3);
    return rc;
}

static int cohen(struct call *c)
{
    struct lw_effect d, g;
    int rc = lw_cohen_d(&d, &g, sample(c, 0), sample(c, 1), &c->err);
    if (rc == 0)
        put_all((double[]){d.value, d.low, d.high, g.value}, 4);
    return rc;
}

static int shapiro(struct call *c)
{
    struct lw_test t;
    return put_test(lw_shapiro(&t, NULL, sample(c, 0), &c->err), &t);
}

static int ks_normal(struct call *c)
{
    struct lw_test t;
    return put_test(lw_ks_normal(&t, NULL, sample(c, 0), call_num(c, 1), call_num(c, 2),
                                 tail_of(c, 3), &c->err),
                    &t);
}

static int ks_two(struct call *c)
{
    struct lw_test t;
    return put_test(
        lw_ks_two(&t, NULL, sample(c, 0), sample(c, 1), exactness_of(c, 2), &c->err), &t);
}

/* chi2 TABLE ROWS YATES */
static int chi2(struct call *c)
{
    struct lw_test t;
    double least = 0;
    size_t rows = call_count(c, 1);
    int rc = put_test(lw_chi2_table(&t, c->arg[0].v, rows, c->arg[0].n / rows,
                                    call_num(c, 2) == 1, &least, &c->err),
                      &t);
    if (rc == 0)
        put(least);
    return rc;
}

static int chi2_fit(struct call *c)
{
    struct lw_test t;
    return put_test(
        lw_chi2_fit(&t, c->arg[0].v, c->n > 1 ? c->arg[1].v : NULL, c->arg[0].n, &c->err), &t);
}

static int fisher(struct call *c)
{
    struct lw_test t;
    return put_test(lw_fisher(&t, c->arg[0].v, tail_of(c, 1), &c->err), &t);
}

static int mcnemar(struct call *c)
{
    struct lw_test t;
    return put_test(
        lw_mcnemar(&t, call_num(c, 0), call_num(c, 1), call_num(c, 2) == 1, &c->err), &t);
}

static int odds(struct call *c)
{
    struct lw_odds o;
    int rc = lw_odds_ratio(&o, c->arg[0].v, &c->err);
    if (rc == 0)
        put_all((double[]){o.ratio, o.low, o.high, o.p}, 4);
    return rc;
}

/* kappa TABLE K plain|linear|quadratic */
static int kappa(struct call *c)
{
    struct lw_kappa k;
    struct lw_str w = call_word(c, 2);
    enum lw_kappa_weights weights = lw_str_eq(w, LW_S("linear"))      ? LW_KAPPA_LINEAR
                                    : lw_str_eq(w, LW_S("quadratic")) ? LW_KAPPA_QUADRATIC
                                                                      : LW_KAPPA_PLAIN;
    int rc = lw_kappa(&k, c->arg[0].v, call_count(c, 1), weights, &c->err);
    if (rc == 0)
        put_all((double[]){k.kappa, k.se, k.low, k.high, k.agreement}, 5);
    return rc;
}

static int adjust(struct call *c)
{
    struct lw_sample s = sample(c, 0);
    double *out = lw_arena_array(c->arena, s.n, sizeof *out);
    int rc = lw_str_eq(call_word(c, 1), LW_S("holm"))
                 ? lw_holm(NULL, s.x, s.n, out, &c->err)
                 : lw_benjamini_hochberg(NULL, s.x, s.n, out, &c->err);
    if (rc == 0)
        put_all(out, s.n);
    return rc;
}

/* bootstrap X mean|median percentile|bca REPLICATES SEED JOBS */
static int bootstrap(struct call *c)
{
    struct lw_bootstrap how = {
        .statistic = lw_str_eq(call_word(c, 1), LW_S("median")) ? lw_statistic_median
                                                                : lw_statistic_mean,
        .percentile = lw_str_eq(call_word(c, 2), LW_S("percentile")),
        .replicates = call_count(c, 3),
        .seed = call_count(c, 4),
        .jobs = (unsigned)call_count(c, 5),
    };
    struct lw_interval i;
    int rc = lw_bootstrap(&i, NULL, sample(c, 0), &how, &c->err);
    if (rc == 0)
        put_all((double[]){i.value, i.low, i.high}, 3);
    return rc;
}

static int cochran(struct call *c)
{
    double n;
    int rc =
        lw_cochran(&n, call_num(c, 0), call_num(c, 1), call_num(c, 2), call_num(c, 3), &c->err);
    if (rc == 0)
        put(n);
    return rc;
}

/* sample N K SEED, or sample-strata STRATA K SEED */
static int draw(struct call *c)
{
    size_t n = call_count(c, 0), k = call_count(c, 1);
    uint32_t *out = lw_arena_array(c->arena, k, sizeof *out);
    int rc = lw_sample_simple(NULL, n, k, call_count(c, 2), out, &c->err);
    for (size_t i = 0; rc == 0 && i < k; i++)
        put(out[i]);
    return rc;
}

static int draw_strata(struct call *c)
{
    struct lw_sample s = sample(c, 0);
    size_t k = call_count(c, 1), strata = 0;
    uint32_t *out = lw_arena_array(c->arena, k, sizeof *out);
    uint32_t *stratum = lw_arena_array(c->arena, s.n, sizeof *stratum);
    for (size_t i = 0; i < s.n; i++) {
        stratum[i] = (uint32_t)s.x[i];
        strata = stratum[i] + 1 > strata ? stratum[i] + 1 : strata;
    }
    int rc =
        lw_sample_stratified(NULL, stratum, s.n, strata, k, call_count(c, 2), out, &c->err);
    for (size_t i = 0; rc == 0 && i < k; i++)
        put(out[i]);
    return rc;
}

/* glm|lsq X Y  ->  ll separated r2 df, then estimate se z p for each coefficient */
static int regression(struct call *c, bool logit)
{
    struct lw_glm g;
    size_t n = c->arg[1].n, columns = n ? c->arg[0].n / n : 0;
    int rc =
        logit ? lw_glm_logit(&g, c->arena, c->arg[0].v, c->arg[1].v, n, columns, &c->err)
              : lw_least_squares(&g, c->arena, c->arg[0].v, c->arg[1].v, n, columns, &c->err);
    if (rc < 0)
        return rc;
    put_all((double[]){g.log_likelihood, g.separated, g.r2, g.df}, 4);
    for (size_t j = 0; j < g.count; j++)
        put_all((double[]){g.coef[j].estimate, g.coef[j].se, g.coef[j].z, g.coef[j].p}, 4);
    return 0;
}

static int glm(struct call *c)
{
    return regression(c, true);
}

static int lsq(struct call *c)
{
    return regression(c, false);
}

/* time WHAT REPEATS X Y  ->  the least processor time of one call */
static int time_test(struct call *c)
{
    struct lw_test t;
    double best = INFINITY;
    int rc = 0;
    bool rank = lw_str_eq(call_word(c, 0), LW_S("mann-whitney"));
    for (size_t i = 0; rc == 0 && i < call_count(c, 1); i++) {
        double start = cpu_seconds();
        if (rank)
            rc = lw_mann_whitney(&t, NULL, sample(c, 2), sample(c, 3), LW_TAIL_TWO,
                                 LW_EXACT_AUTO, &c->err);
        else
            rc = lw_shapiro(&t, NULL, sample(c, 2), &c->err);
        best = fmin(best, cpu_seconds() - start);
    }
    if (rc == 0)
        put_all((double[]){best, t.p}, 2);
    return rc;
}

/* bandwidth VALUES REPEATS  ->  bytes per second of a plain sum, and of the streaming pass */
static int bandwidth(struct call *c)
{
    size_t n = call_count(c, 0);
    double *x = lw_arena_array(c->arena, n, sizeof *x);
    if (!x)
        return lw_err_nomem(&c->err);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(i * 7919 % 1000) - 500;
    double plain = INFINITY, ours = INFINITY, sink = 0;
    for (size_t r = 0; r < call_count(c, 1); r++) {
        double t0 = cpu_seconds();
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += x[i];
        sink += sum;
        double t1 = cpu_seconds();
        struct lw_moments m;
        lw_moments_init(&m);
        lw_moments_add(&m, x, n);
        double t2 = cpu_seconds();
        sink += m.mean;
        plain = fmin(plain, t1 - t0);
        ours = fmin(ours, t2 - t1);
    }
    put_all((double[]){8 * (double)n / plain, 8 * (double)n / ours, sink}, 3);
    return 0;
}

const struct command test_commands[] = {{"moments", moments},
                                        {"moments-f32", moments_f32},
                                        {"sketch", sketch_quantiles},
                                        {"exact-quantile", exact_quantile},
                                        {"ttest", ttest},
                                        {"ttest-paired", ttest_paired},
                                        {"ttest-one", ttest_one},
                                        {"anova", anova},
                                        {"rm-anova", rm_anova},
                                        {"kruskal", kruskal},
                                        {"mann-whitney", mann_whitney},
                                        {"wilcoxon", wilcoxon},
                                        {"cliff", cliff},
                                        {"cohen", cohen},
                                        {"shapiro", shapiro},
                                        {"ks-normal", ks_normal},
                                        {"ks-two", ks_two},
                                        {"chi2", chi2},
                                        {"chi2-fit", chi2_fit},
                                        {"fisher", fisher},
                                        {"mcnemar", mcnemar},
                                        {"odds", odds},
                                        {"kappa", kappa},
                                        {"adjust", adjust},
                                        {"bootstrap", bootstrap},
                                        {"cochran", cochran},
                                        {"sample", draw},
                                        {"sample-strata", draw_strata},
                                        {"glm", glm},
                                        {"lsq", lsq},
                                        {"time", time_test},
                                        {"bandwidth", bandwidth},
                                        {0}};
