#include "numeric/fit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "numeric/dist.h"
#include "numeric/rank.h"
#include "numeric/special.h"

/* ---- Shapiro-Wilk -------------------------------------------------------------------------
 */

static double poly(const double *c, size_t n, double x)
{
    double sum = 0;
    while (n-- > 0)
        sum = sum * x + c[n];
    return sum;
}

/* Royston (1995), section 2: the two largest weights are polynomials in 1/sqrt(n). */
static const double WEIGHT_LAST[] = {0, 0.221157, -0.147981, -2.071190, 4.434685, -2.706056};
static const double WEIGHT_NEXT[] = {0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
/* Section 3: mean and log deviation of the transformed W. */
static const double SMALL_GAMMA[] = {-2.273, 0.459};
static const double SMALL_MEAN[] = {0.5440, -0.39978, 0.025054, -0.0006714};
static const double SMALL_SD[] = {1.3822, -0.77857, 0.062767, -0.0020322};
static const double LARGE_MEAN[] = {-1.5861, -0.31082, -0.083751, 0.0038915};
static const double LARGE_SD[] = {-0.4803, -0.082676, 0.0030302};

/* Weights of the upper half, largest first; a has room for n/2. */
static void shapiro_weights(double *a, size_t n)
{
    size_t half = n / 2;
    if (n == 3) {
        a[0] = M_SQRT1_2;
        return;
    }
    double sum = 0;
    for (size_t i = 0; i < half; i++) {
        a[i] = lw_normal_upper_quantile(((double)i + 1 - 0.375) / ((double)n + 0.25));
        sum += 2 * a[i] * a[i];
    }
    double root = sqrt(sum), r = 1 / sqrt((double)n);
    double last = poly(WEIGHT_LAST, 6, r) + a[0] / root;
    size_t fixed = n > 5 ? 2 : 1;
    double next = n > 5 ? poly(WEIGHT_NEXT, 6, r) + a[1] / root : 0;
    double left = sum - 2 * a[0] * a[0] - (n > 5 ? 2 * a[1] * a[1] : 0);
    double scale = sqrt(left / (1 - 2 * last * last - 2 * next * next));
    a[0] = last;
    if (n > 5)
        a[1] = next;
    for (size_t i = fixed; i < half; i++)
        a[i] /= scale;
}

static double shapiro_p(double w, double rest, size_t count)
{
    double n = (double)count, y = log(rest), mean, sd;
    if (count == 3)
        return fmax(0, 6 / M_PI * (asin(sqrt(w)) - asin(sqrt(0.75))));
    if (count <= 11) {
        double gamma = poly(SMALL_GAMMA, 2, n);
        if (y >= gamma)
            return 0;
        y = -log(gamma - y);
        mean = poly(SMALL_MEAN, 4, n);
        sd = exp(poly(SMALL_SD, 4, n));
    } else {
        mean = poly(LARGE_MEAN, 4, log(n));
        sd = exp(poly(LARGE_SD, 3, log(n)));
    }
    return lw_dist_upper(lw_dist_normal(mean, sd), y);
}

int lw_shapiro(struct lw_test *out, struct lw_mem *mem, struct lw_sample s, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(s, 3, "the sample", err) < 0)
        return err->code;
    size_t n = s.n, half = n / 2;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *x = lw_arena_array(&arena, n, sizeof *x);
    double *a = lw_arena_array(&arena, half, sizeof *a);
    int rc = x && a ? 0 : lw_err_nomem(err);
    if (rc == 0) {
        memcpy(x, s.x, n * sizeof *x);
        if (lw_sort_fast(mem, x, n) < 0)
            rc = lw_err_nomem(err);
    }
    if (rc == 0 && !(x[n - 1] - x[0] > 0))
        rc = lw_err_set(err, LW_EINVAL, "all values are equal: W is not defined");
    if (rc == 0) {
        shapiro_weights(a, n);
        /* Values are scaled by the range, so that nothing overflows. 1 - W comes from the
         * residuals of the regression on the weights: W itself is near 1. */
        double range = x[n - 1] - x[0], middle = x[n / 2], mean = 0, fit = 0, total = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (x[i] - middle) / range;
            mean += x[i] / (double)n;
        }
        for (size_t i = 0; i < half; i++)
            fit += a[i] * (x[n - 1 - i] - x[i]);
        double rest = 0;
        for (size_t i = 0; i < n; i++) {
            size_t from_top = n - 1 - i;
            double weight = i < half ? -a[i] : from_top < half ? a[from_top] : 0;
            double d = x[i] - mean;
            total += d * d;
            rest += (d - fit * weight) * (d - fit * weight);
        }
        /* |a| = 1, so that total = fit^2 + rest up to rounding. */
        rest = fmax(rest / total, 0);
        out->statistic = 1 - rest;
        out->p = shapiro_p(out->statistic, rest, n);
    }
    lw_arena_release(&arena);
    return rc;
}

/* ---- Kolmogorov-Smirnov, one sample ---------------------------------------------------------
 */

/* P(D+ >= d), exact: Smirnov's sum d * sum_j C(n,j) (d+j/n)^(j-1) (1-d-j/n)^(n-j), written with
 * binomial densities so that nothing overflows. */
static double smirnov_upper(double n, double d)
{
    if (d <= 0)
        return 1;
    if (d >= 1)
        return 0;
    double sum = 0;
    double last = floor(n * (1 - d));
    for (double j = 0; j <= last; j++) {
        double p = d + j / n, q = 1 - d - j / n;
        if (q <= 0)
            continue;
        sum += lw_binomial_density(j, n, p, q) / p;
    }
    return fmin(1, d * sum);
}

/* (m,m) product with the exponent of ten kept apart, so that it cannot overflow. */
struct scaled {
    double *v;
    int exponent;
};

static void multiply(const struct scaled *a, const struct scaled *b, struct scaled *c, size_t m)
{
    memset(c->v, 0, m * m * sizeof *c->v);
    for (size_t i = 0; i < m; i++)
        for (size_t l = 0; l < m; l++) {
            double f = a->v[i * m + l];
            if (f == 0)
                continue;
            for (size_t j = 0; j < m; j++)
                c->v[i * m + j] += f * b->v[l * m + j];
        }
    c->exponent = a->exponent + b->exponent;
    if (c->v[(m / 2) * m + m / 2] > 1e140) {
        for (size_t i = 0; i < m * m; i++)
            c->v[i] *= 1e-140;
        c->exponent += 140;
    }
}

/* Durbin's matrix (G. Marsaglia, W. Tsang & J. Wang 2003, section 1) for h = k - n d. */
static void durbin_matrix(double *H, size_t m, double h)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            H[i * m + j] = i + 1 >= j ? 1 : 0;
    double power = 1;
    for (size_t i = 0; i < m; i++) {
        power *= h;
        H[i * m] -= power;
        H[(m - 1) * m + (m - 1 - i)] -= power;
    }
    if (2 * h - 1 > 0)
        H[(m - 1) * m] += pow(2 * h - 1, (double)m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++)
            for (size_t g = 2; g <= i + 1 - j; g++)
                H[i * m + j] /= (double)g;
}

/* P(D < d), exact, by the n-th power of Durbin's matrix. */
static int kolmogorov_lower(struct lw_mem *mem, size_t n, double d, double *out,
                            struct lw_err *err)
{
    size_t k = (size_t)((double)n * d) + 1, m = 2 * k - 1;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct scaled power = {lw_arena_array(&arena, m * m, sizeof(double)), 0};
    struct scaled result = {lw_arena_array(&arena, m * m, sizeof(double)), 0};
    struct scaled scratch = {lw_arena_array(&arena, m * m, sizeof(double)), 0};
    if (!power.v || !result.v || !scratch.v) {
        lw_arena_release(&arena);
        return lw_err_nomem(err);
    }
    durbin_matrix(power.v, m, (double)k - (double)n * d);
    for (size_t i = 0; i < m; i++)
        result.v[i * m + i] = 1;
    for (size_t e = n; e > 0; e >>= 1) {
        if (e & 1) {
            multiply(&result, &power, &scratch, m);
            struct scaled t = result;
            result = scratch;
            scratch = t;
        }
        if (e > 1) {
            multiply(&power, &power, &scratch, m);
            struct scaled t = power;
            power = scratch;
            scratch = t;
        }
    }
    double s = result.v[(k - 1) * m + k - 1];
    for (size_t i = 1; i <= n; i++) { /* n! / n^n */
        s = s * (double)i / (double)n;
        if (s < 1e-140) {
            s *= 1e140;
            result.exponent -= 140;
        }
    }
    *out = s * pow(10, result.exponent);
    lw_arena_release(&arena);
    return 0;
}

/* Kolmogorov's limit 2 sum (-1)^(k-1) exp(-2 k^2 t^2). */
static double kolmogorov_limit(double t)
{
    if (t < 0.2)
        return 1;
    double sum = 0;
    for (int k = 1; k < 100; k++) {
        double term = exp(-2.0 * k * k * t * t);
        sum += k % 2 ? term : -term;
        if (term < 1e-17 * sum)
            break;
    }
    return fmin(1, 2 * sum);
}

static int ks_two_sided_p(struct lw_test *out, struct lw_mem *mem, size_t n, double d,
                          struct lw_err *err)
{
    double count = (double)n, t2 = count * d * d;
    out->exact = true;
    if (count * d <= 0.5)
        out->p = 1; /* D cannot be smaller */
    else if (t2 >= 4)
        /* Both sides exceed together only with about exp(-8 n d^2): 2e-11 of p at most. */
        out->p = fmin(1, 2 * smirnov_upper(count, d));
    else if (n <= 5000) {
        double lower = 0;
        if (kolmogorov_lower(mem, n, d, &lower, err) < 0)
            return err->code;
        out->p = fmax(0, 1 - lower);
    } else {
        out->exact = false;
        /* The first-order correction of Stephens (1970). */
        out->p = kolmogorov_limit(d * (sqrt(count) + 0.12 + 0.11 / sqrt(count)));
    }
    return 0;
}

int lw_ks_normal(struct lw_test *out, struct lw_mem *mem, struct lw_sample s, double mean,
                 double sd, enum lw_tail tail, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(s, 1, "the sample", err) < 0)
        return err->code;
    if (!(isfinite(mean) && sd > 0 && isfinite(sd)))
        return lw_err_set(err, LW_EINVAL, "the standard deviation must be positive");
    double *x = lw_mem_alloc(mem, s.n * sizeof *x);
    if (!x)
        return lw_err_nomem(err);
    memcpy(x, s.x, s.n * sizeof *x);
    int rc = lw_sort_fast(mem, x, s.n) < 0 ? lw_err_nomem(err) : 0;
    double above = 0, below = 0, n = (double)s.n;
    for (size_t i = 0; i < s.n; i++) {
        double f = lw_dist_lower(lw_dist_normal(mean, sd), x[i]);
        above = fmax(above, (double)(i + 1) / n - f);
        below = fmax(below, f - (double)i / n);
    }
    lw_mem_free(mem, x, s.n * sizeof *x);
    if (rc < 0)
        return rc;
    out->statistic = tail == LW_TAIL_LESS      ? below
                     : tail == LW_TAIL_GREATER ? above
                                               : fmax(above, below);
    if (tail == LW_TAIL_TWO)
        return ks_two_sided_p(out, mem, s.n, out->statistic, err);
    out->exact = true;
    out->p = smirnov_upper(n, out->statistic);
    return 0;
}

/* ---- Two samples
 * ------------------------------------------------------------------------------ */

/* Largest |i/n - j/m| along the merged order, as an integer multiple of 1/(n m). */
static uint64_t two_sample_gap(const double *a, size_t n, const double *b, size_t m)
{
    uint64_t most = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        double v = fmin(a[i], b[j]);
        while (i < n && a[i] == v)
            i++;
        while (j < m && b[j] == v)
            j++;
        uint64_t x = (uint64_t)i * m, y = (uint64_t)j * n, gap = x > y ? x - y : y - x;
        most = gap > most ? gap : most;
    }
    return most;
}

/*
 * P(D >= gap/(n m)): paths from (0,0) to (n,m) that touch the forbidden region, divided by all.
 * u[j] is the share of paths to (i,j) that have touched it: the step to (i,j) came from the
 * left with probability i/(i+j), from below with j/(i+j) (a path to (i,j) chosen uniformly), so
 * every number is a probability and nothing cancels. J. Hodges (1957).
 */
static double path_share(double *u, size_t n, size_t m, uint64_t gap)
{
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            uint64_t x = (uint64_t)i * m, y = (uint64_t)j * n;
            if ((x > y ? x - y : y - x) >= gap)
                u[j] = 1;
            else if (i == 0 || j == 0)
                u[j] = 0;
            else
                u[j] = ((double)i * u[j] + (double)j * u[j - 1]) / (double)(i + j);
        }
    return u[m];
}

int lw_ks_two(struct lw_test *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
              enum lw_exactness exact, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 1, "the first sample", err) < 0 ||
        lw_sample_check(b, 1, "the second sample", err) < 0)
        return err->code;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *x = lw_arena_array(&arena, a.n, sizeof *x);
    double *y = lw_arena_array(&arena, b.n, sizeof *y);
    double *u = lw_arena_array(&arena, b.n + 1, sizeof *u);
    int rc = x && y && u ? 0 : lw_err_nomem(err);
    if (rc == 0) {
        memcpy(x, a.x, a.n * sizeof *x);
        memcpy(y, b.x, b.n * sizeof *y);
        if (lw_sort_fast(mem, x, a.n) < 0 || lw_sort_fast(mem, y, b.n) < 0)
            rc = lw_err_nomem(err);
    }
    if (rc == 0) {
        double n = (double)a.n, m = (double)b.n;
        uint64_t gap = two_sample_gap(x, a.n, y, b.n);
        out->statistic = (double)gap / (n * m);
        out->exact =
            exact == LW_EXACT_YES || (exact == LW_EXACT_AUTO && a.n <= 10000 && b.n <= 10000);
        if (gap == 0)
            out->p = 1;
        else if (out->exact)
            out->p = path_share(u, a.n, b.n, gap);
        else
            out->p = kolmogorov_limit(sqrt(n * m / (n + m)) * out->statistic);
    }
    lw_arena_release(&arena);
    return rc;
}
