#include "numeric/means.h"

#include <math.h>

#include "base/arena.h"
#include "base/err.h"
#include "numeric/describe.h"
#include "numeric/dist.h"
#include "numeric/special.h"

static struct lw_moments moments_of(struct lw_sample s)
{
    struct lw_moments m;
    lw_moments_init(&m);
    lw_moments_add(&m, s.x, s.n);
    return m;
}

static void finish_t(struct lw_test *out, enum lw_tail tail)
{
    struct lw_dist t = lw_dist_t(out->df);
    out->statistic = out->estimate / out->se;
    out->p =
        lw_tail_p(tail, lw_dist_lower(t, out->statistic), lw_dist_upper(t, out->statistic));
}

int lw_ttest(struct lw_test *out, struct lw_sample a, struct lw_sample b, bool welch,
             enum lw_tail tail, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 2, "the first sample", err) < 0 ||
        lw_sample_check(b, 2, "the second sample", err) < 0)
        return err->code;
    struct lw_moments ma = moments_of(a), mb = moments_of(b);
    if (ma.min == ma.max && mb.min == mb.max)
        return lw_err_set(err, LW_EINVAL, "both samples are constant: t is not defined");
    double na = (double)a.n, nb = (double)b.n;
    double va = lw_moments_variance(&ma, 1), vb = lw_moments_variance(&mb, 1);
    if (welch) {
        double ea = va / na, eb = vb / nb;
        out->se = sqrt(ea + eb);
        out->df = (ea + eb) * (ea + eb) / (ea * ea / (na - 1) + eb * eb / (nb - 1));
    } else {
        out->df = na + nb - 2;
        out->se = sqrt((ma.m2 + mb.m2) / out->df * (1 / na + 1 / nb));
    }
    out->estimate = ma.mean - mb.mean;
    finish_t(out, tail);
    return 0;
}

/* From the mean and the squares of n differences. */
static int t_of_differences(struct lw_test *out, const struct lw_moments *m, enum lw_tail tail,
                            struct lw_err *err)
{
    if (m->min == m->max)
        return lw_err_set(err, LW_EINVAL, "all differences are equal: t is not defined");
    double n = (double)m->n;
    out->df = n - 1;
    out->estimate = m->mean;
    out->se = lw_moments_sd(m, 1) / sqrt(n);
    finish_t(out, tail);
    return 0;
}

int lw_ttest_paired(struct lw_test *out, struct lw_sample a, struct lw_sample b,
                    enum lw_tail tail, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 2, "the first sample", err) < 0 ||
        lw_sample_check(b, 2, "the second sample", err) < 0)
        return err->code;
    if (a.n != b.n)
        return lw_err_set(err, LW_EINVAL, "pairs need samples of equal length, not %zu and %zu",
                          a.n, b.n);
    struct lw_moments m;
    lw_moments_init(&m);
    for (size_t i = 0; i < a.n;) {
        double d[256];
        size_t k = 0;
        for (; k < 256 && i < a.n; k++, i++)
            d[k] = a.x[i] - b.x[i];
        lw_moments_add(&m, d, k);
    }
    return t_of_differences(out, &m, tail, err);
}

int lw_ttest_one(struct lw_test *out, struct lw_sample a, double mean, enum lw_tail tail,
                 struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 2, "the sample", err) < 0)
        return err->code;
    struct lw_moments m = moments_of(a);
    m.mean -= mean;
    return t_of_differences(out, &m, tail, err);
}

int lw_anova(struct lw_test *out, const struct lw_sample *groups, size_t count,
             struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (count < 2)
        return lw_err_set(err, LW_EINVAL, "ANOVA needs at least two groups");
    double within = 0, total_n = 0;
    struct lw_moments all;
    lw_moments_init(&all);
    for (size_t g = 0; g < count; g++) {
        if (lw_sample_check(groups[g], 1, "a group", err) < 0)
            return err->code;
        struct lw_moments m = moments_of(groups[g]);
        within += m.m2;
        total_n += (double)m.n;
        lw_moments_merge(&all, &m);
    }
    /* Summed about the grand mean, not total - within: that would cancel. */
    double between = 0;
    for (size_t g = 0; g < count; g++) {
        struct lw_moments m = moments_of(groups[g]);
        double d = m.mean - all.mean;
        between += (double)m.n * d * d;
    }
    out->df = (double)count - 1;
    out->df2 = total_n - (double)count;
    if (out->df2 < 1)
        return lw_err_set(err, LW_EINVAL, "ANOVA needs more values than groups");
    if (within == 0)
        return lw_err_set(err, LW_EINVAL, "every group is constant: F is not defined");
    out->statistic = (between / out->df) / (within / out->df2);
    out->p = lw_dist_upper(lw_dist_f(out->df, out->df2), out->statistic);
    out->estimate = between / (between + within);
    return 0;
}

/* ---- Repeated measures ------------------------------------------------------------------- */

static int check_conditions(const struct lw_sample *c, size_t count, struct lw_err *err)
{
    if (count < 2)
        return lw_err_set(err, LW_EINVAL, "repeated measures need at least two conditions");
    for (size_t j = 0; j < count; j++) {
        if (lw_sample_check(c[j], 2, "a condition", err) < 0)
            return err->code;
        if (c[j].n != c[0].n)
            return lw_err_set(err, LW_EINVAL,
                              "each subject needs a value in every condition: %zu and %zu",
                              c[0].n, c[j].n);
    }
    return 0;
}

/* S. Greenhouse & S. Geisser (1959) from the double-centred covariance matrix c (k,k):
 * (trace c)^2 / ((k-1) sum c_ij^2). */
static double greenhouse_geisser(const double *cov, size_t k)
{
    double grand = 0, trace = 0, squares = 0;
    for (size_t i = 0; i < k * k; i++)
        grand += cov[i];
    grand /= (double)(k * k);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) {
            double row = 0, column = 0;
            for (size_t l = 0; l < k; l++) {
                row += cov[i * k + l];
                column += cov[l * k + j];
            }
            double c = cov[i * k + j] - row / (double)k - column / (double)k + grand;
            squares += c * c;
            if (i == j)
                trace += c;
        }
    return fmin(1, trace * trace / ((double)(k - 1) * squares));
}

int lw_rm_anova(struct lw_rm_anova *out, struct lw_mem *mem, const struct lw_sample *c,
                size_t k, struct lw_err *err)
{
    *out = (struct lw_rm_anova){0};
    if (check_conditions(c, k, err) < 0)
        return err->code;
    size_t n = c[0].n;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *subject = lw_arena_array(&arena, n, sizeof *subject);
    double *condition = lw_arena_array(&arena, k, sizeof *condition);
    double *cov = lw_arena_array(&arena, k * k, sizeof *cov);
    if (!subject || !condition || !cov) {
        lw_arena_release(&arena);
        return lw_err_nomem(err);
    }
    double grand = 0;
    for (size_t j = 0; j < k; j++) {
        condition[j] = moments_of(c[j]).mean;
        grand += condition[j] / (double)k;
        for (size_t i = 0; i < n; i++)
            subject[i] += c[j].x[i] / (double)k;
    }
    double effect = 0, error = 0;
    for (size_t j = 0; j < k; j++) {
        effect += (double)n * (condition[j] - grand) * (condition[j] - grand);
        for (size_t i = 0; i < n; i++) {
            double rest = c[j].x[i] - condition[j] - subject[i] + grand;
            error += rest * rest;
        }
        for (size_t l = 0; l < k; l++)
            for (size_t i = 0; i < n; i++)
                cov[j * k + l] += (c[j].x[i] - condition[j]) * (c[l].x[i] - condition[l]);
    }
    struct lw_test *t = &out->test;
    t->df = (double)k - 1;
    t->df2 = t->df * (double)(n - 1);
    if (!(error > 0)) {
        lw_arena_release(&arena);
        return lw_err_set(err, LW_EINVAL,
                          "the conditions differ by constants only: F is not "
                          "defined");
    }
    t->statistic = (effect / t->df) / (error / t->df2);
    t->p = lw_dist_upper(lw_dist_f(t->df, t->df2), t->statistic);
    t->estimate = effect / (effect + error);
    out->epsilon = greenhouse_geisser(cov, k);
    out->p_corrected =
        lw_dist_upper(lw_dist_f(t->df * out->epsilon, t->df2 * out->epsilon), t->statistic);
    lw_arena_release(&arena);
    return 0;
}

/* ---- Effect sizes -------------------------------------------------------------------------
 */

static struct lw_effect with_interval(double value, double na, double nb)
{
    /* L. Hedges & I. Olkin (1985), equation 5.15: the large-sample variance of d. */
    double se = sqrt((na + nb) / (na * nb) + value * value / (2 * (na + nb)));
    double z = lw_dist_quantile(lw_dist_normal(0, 1), 0.975);
    return (struct lw_effect){value, value - z * se, value + z * se};
}

int lw_cohen_d(struct lw_effect *d, struct lw_effect *g, struct lw_sample a, struct lw_sample b,
               struct lw_err *err)
{
    if (lw_sample_check(a, 2, "the first sample", err) < 0 ||
        lw_sample_check(b, 2, "the second sample", err) < 0)
        return err->code;
    struct lw_moments ma = moments_of(a), mb = moments_of(b);
    double na = (double)a.n, nb = (double)b.n, df = na + nb - 2;
    double pooled = sqrt((ma.m2 + mb.m2) / df);
    if (!(pooled > 0))
        return lw_err_set(err, LW_EINVAL, "both samples are constant: d is not defined");
    double value = (ma.mean - mb.mean) / pooled;
    /* Hedges (1981): J(df) = Gamma(df/2) / (sqrt(df/2) Gamma((df-1)/2)). */
    double j =
        df > 1 ? exp(lw_log_gamma(df / 2) - lw_log_gamma((df - 1) / 2)) / sqrt(df / 2) : NAN;
    *d = with_interval(value, na, nb);
    if (g)
        *g = with_interval(value * j, na, nb);
    return 0;
}

const char *lw_cohen_reading(double d)
{
    d = fabs(d);
    return d < 0.2 ? "negligible" : d < 0.5 ? "small" : d < 0.8 ? "medium" : "large";
}
