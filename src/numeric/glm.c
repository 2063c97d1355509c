#include "numeric/glm.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "numeric/dist.h"

/*
 * Weighted least squares by Householder reflections on [sqrt(w) X | sqrt(w) z], with columns
 * that add nothing skipped (limited pivoting, as LINPACK's dqrdc2 in spirit): the order of
 * the user's columns decides which of several dependent ones stays.
 */
struct lsq {
    size_t n, k;     /* rows, columns with the intercept */
    const double *x; /* (n, k) row after row */
    double *a;       /* (k + 1, n) column after column: weighted copy, then Q and R */
    double *scale;   /* column norms before elimination */
    size_t *pivot;   /* columns in use, in order */
    size_t rank;
    double *beta; /* (k) */
    double *cov;  /* (k, k): inverse of R^T R in the order of pivot */
};

static double *column(struct lsq *q, size_t j)
{
    return q->a + j * q->n;
}

static double dot(const double *a, const double *b, size_t from, size_t n)
{
    double s = 0;
    for (size_t i = from; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static void reflect(const double *v, double *x, size_t from, size_t n, double vv)
{
    double f = 2 * dot(v, x, from, n) / vv;
    for (size_t i = from; i < n; i++)
        x[i] -= f * v[i];
}

/* Solves for beta with row weights w (NULL: 1) and response z. The Householder vector of each
 * step is used at once and only R is kept, above the diagonal of the columns in use. */
static void solve(struct lsq *q, const double *w, const double *z, double *v)
{
    size_t n = q->n, k = q->k;
    for (size_t j = 0; j <= k; j++)
        for (size_t i = 0; i < n; i++)
            column(q, j)[i] = (w ? sqrt(w[i]) : 1) * (j < k ? q->x[i * k + j] : z[i]);
    for (size_t j = 0; j < k; j++)
        q->scale[j] = sqrt(dot(column(q, j), column(q, j), 0, n));
    q->rank = 0;
    for (size_t j = 0; j < k && q->rank < n; j++) {
        double *c = column(q, j);
        size_t r = q->rank;
        double norm = sqrt(dot(c, c, r, n));
        if (!(norm > 1e-7 * q->scale[j]))
            continue; /* depends on the columns before it */
        memcpy(v + r, c + r, (n - r) * sizeof *v);
        v[r] += c[r] >= 0 ? norm : -norm;
        double vv = dot(v, v, r, n);
        for (size_t l = j; l <= k; l++)
            reflect(v, column(q, l), r, n, vv);
        q->pivot[q->rank++] = j;
    }
    for (size_t j = 0; j < k; j++)
        q->beta[j] = NAN;
    for (size_t r = q->rank; r-- > 0;) {
        double s = column(q, k)[r];
        for (size_t l = r + 1; l < q->rank; l++)
            s -= column(q, q->pivot[l])[r] * q->beta[q->pivot[l]];
        q->beta[q->pivot[r]] = s / column(q, q->pivot[r])[r];
    }
}

/* Diagonal of (R^T R)^-1: squared row norms of R^-1. */
static void unscaled_variances(struct lsq *q, double *variance)
{
    size_t m = q->rank;
    double *inv = q->cov; /* (m, m), upper triangle */
    memset(inv, 0, q->k * q->k * sizeof *inv);
    for (size_t c = 0; c < m; c++) {
        inv[c * m + c] = 1 / column(q, q->pivot[c])[c];
        for (size_t r = c; r-- > 0;) {
            double s = 0;
            for (size_t l = r + 1; l <= c; l++)
                s -= column(q, q->pivot[l])[r] * inv[l * m + c];
            inv[r * m + c] = s / column(q, q->pivot[r])[r];
        }
    }
    for (size_t r = 0; r < m; r++) {
        double s = 0;
        for (size_t c = r; c < m; c++)
            s += inv[r * m + c] * inv[r * m + c];
        variance[q->pivot[r]] = s;
    }
}

static int prepare(struct lsq *q, struct lw_arena *arena, const double *x, const double *y,
                   size_t n, size_t columns, struct lw_err *err)
{
    if (n < 2)
        return lw_err_set(err, LW_EINVAL, "at least two rows are needed");
    for (size_t i = 0; i < n * columns; i++)
        if (!isfinite(x[i]))
            return lw_err_set(err, LW_EINVAL, "row %zu, predictor %zu is not a finite number",
                              i / columns + 1, i % columns + 1);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(y[i]))
            return lw_err_set(err, LW_EINVAL, "row %zu: the outcome is not a finite number",
                              i + 1);
    size_t k = columns + 1;
    double *with_one = lw_arena_array(arena, n * k, sizeof *with_one);
    *q = (struct lsq){.n = n, .k = k, .x = with_one};
    q->a = lw_arena_array(arena, n * (k + 1), sizeof *q->a);
    q->scale = lw_arena_array(arena, k, sizeof *q->scale);
    q->pivot = lw_arena_array(arena, k, sizeof *q->pivot);
    q->beta = lw_arena_array(arena, k, sizeof *q->beta);
    q->cov = lw_arena_array(arena, k * k, sizeof *q->cov);
    if (!with_one || !q->a || !q->scale || !q->pivot || !q->beta || !q->cov)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        with_one[i * k] = 1;
        memcpy(with_one + i * k + 1, x + i * columns, columns * sizeof *x);
    }
    return 0;
}

static double predict(const struct lsq *q, size_t i)
{
    double eta = 0;
    for (size_t r = 0; r < q->rank; r++)
        eta += q->x[i * q->k + q->pivot[r]] * q->beta[q->pivot[r]];
    return eta;
}

/* log(1 + e^t) without overflow. */
static double softplus(double t)
{
    return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

static double log_likelihood(const double *eta, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum -= y[i] > 0 ? softplus(-eta[i]) : softplus(eta[i]);
    return sum;
}

/* Iteratively reweighted least squares (P. McCullagh & J. Nelder 1989, 2.5), which for the
 * canonical link is Newton's method; a step that lowers the likelihood is halved. */
static void iterate(struct lsq *q, struct lw_glm *out, const double *y, double *work)
{
    size_t n = q->n;
    double *eta = work, *w = work + n, *z = work + 2 * n, *v = work + 3 * n,
           *next = work + 4 * n;
    double before = log_likelihood(eta, y, n);
    for (out->iterations = 1; out->iterations <= 60; out->iterations++) {
        for (size_t i = 0; i < n; i++) {
            double p = 1 / (1 + exp(-eta[i]));
            w[i] = fmax(p * (1 / (1 + exp(eta[i]))), 1e-300);
            z[i] = eta[i] + (y[i] - p) / w[i];
        }
        solve(q, w, z, v);
        for (size_t i = 0; i < n; i++)
            next[i] = predict(q, i);
        double now = log_likelihood(next, y, n);
        for (int half = 0; half < 20 && !(now >= before - 1e-12 * fabs(before)); half++) {
            for (size_t i = 0; i < n; i++)
                next[i] = 0.5 * (next[i] + eta[i]);
            now = log_likelihood(next, y, n);
        }
        memcpy(eta, next, n * sizeof *eta);
        bool done = fabs(now - before) <= 1e-14 * (fabs(now) + 1e-3);
        before = now;
        if (done || now > -1e-9)
            break;
    }
    out->log_likelihood = before;
}

/* One class's fitted probabilities run to 0 or 1: |eta| beyond 15 is p < 3e-7. */
static bool is_separated(const double *eta, size_t n, double ll)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(eta[i]));
    return ll > -1e-6 || most > 15;
}

static void fill_coefficients(struct lw_glm *out, struct lsq *q, const double *variance,
                              double sigma2, struct lw_dist d, bool odds)
{
    double z975 = lw_dist_quantile(lw_dist_normal(0, 1), 0.975);
    for (size_t j = 0; j < q->k; j++)
        out->coef[j] = (struct lw_coefficient){NAN, NAN, NAN, NAN, NAN, NAN, NAN, true};
    for (size_t r = 0; r < q->rank; r++) {
        struct lw_coefficient *c = &out->coef[q->pivot[r]];
        c->aliased = false;
        c->estimate = q->beta[q->pivot[r]];
        c->se = sqrt(variance[q->pivot[r]] * sigma2);
        c->z = c->estimate / c->se;
        c->p = fmin(1, 2 * lw_dist_upper(d, fabs(c->z)));
        if (odds) {
            c->odds_ratio = exp(c->estimate);
            c->odds_low = exp(c->estimate - z975 * c->se);
            c->odds_high = exp(c->estimate + z975 * c->se);
        }
    }
}

int lw_glm_logit(struct lw_glm *out, struct lw_arena *arena, const double *x, const double *y,
                 size_t n, size_t columns, struct lw_err *err)
{
    *out = (struct lw_glm){.count = columns + 1};
    struct lsq q;
    if (prepare(&q, arena, x, y, n, columns, err) < 0)
        return err->code;
    double ones = 0;
    for (size_t i = 0; i < n; i++) {
        if (y[i] != 0 && y[i] != 1)
            return lw_err_set(err, LW_EINVAL, "row %zu: the outcome is neither 0 nor 1", i + 1);
        ones += y[i];
    }
    if (ones == 0 || ones == (double)n)
        return lw_err_set(err, LW_EINVAL, "the outcome is the same in every row");
    out->coef = lw_arena_array(arena, q.k, sizeof *out->coef);
    double *work = lw_arena_array(arena, 5 * n, sizeof *work);
    double *variance = lw_arena_array(arena, q.k, sizeof *variance);
    if (!out->coef || !work || !variance)
        return lw_err_nomem(err);
    iterate(&q, out, y, work);
    out->separated = is_separated(work, n, out->log_likelihood);
    unscaled_variances(&q, variance);
    fill_coefficients(out, &q, variance, 1, lw_dist_normal(0, 1), true);
    double share = ones / (double)n;
    out->null_log_likelihood = ones * log(share) + ((double)n - ones) * log1p(-share);
    out->df = (double)(n - q.rank);
    out->aic = 2 * (double)q.rank - 2 * out->log_likelihood;
    out->r2 = 1 - out->log_likelihood / out->null_log_likelihood;
    return 0;
}

int lw_least_squares(struct lw_glm *out, struct lw_arena *arena, const double *x,
                     const double *y, size_t n, size_t columns, struct lw_err *err)
{
    *out = (struct lw_glm){.count = columns + 1, .iterations = 1};
    struct lsq q;
    if (prepare(&q, arena, x, y, n, columns, err) < 0)
        return err->code;
    out->coef = lw_arena_array(arena, q.k, sizeof *out->coef);
    double *v = lw_arena_array(arena, n, sizeof *v);
    double *variance = lw_arena_array(arena, q.k, sizeof *variance);
    if (!out->coef || !v || !variance)
        return lw_err_nomem(err);
    solve(&q, NULL, y, v);
    double mean = 0, total = 0, rest = 0;
    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        double e = y[i] - predict(&q, i);
        rest += e * e;
        total += (y[i] - mean) * (y[i] - mean);
    }
    out->df = (double)(n - q.rank);
    out->r2 = total > 0 ? 1 - rest / total : NAN;
    unscaled_variances(&q, variance);
    fill_coefficients(out, &q, variance, out->df > 0 ? rest / out->df : NAN, lw_dist_t(out->df),
                      false);
    return 0;
}
