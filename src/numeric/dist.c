#include "numeric/dist.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "numeric/special.h"

struct lw_dist lw_dist_normal(double mean, double sd)
{
    return (struct lw_dist){LW_DIST_NORMAL, mean, sd, 0};
}

struct lw_dist lw_dist_t(double df)
{
    return (struct lw_dist){LW_DIST_T, df, 0, 0};
}

struct lw_dist lw_dist_f(double df1, double df2)
{
    return (struct lw_dist){LW_DIST_F, df1, df2, 0};
}

struct lw_dist lw_dist_chi2(double df)
{
    return (struct lw_dist){LW_DIST_CHI2, df, 0, 0};
}

struct lw_dist lw_dist_binomial(double trials, double p)
{
    return (struct lw_dist){LW_DIST_BINOMIAL, trials, p, 0};
}

struct lw_dist lw_dist_hypergeometric(double population, double marked, double drawn)
{
    return (struct lw_dist){LW_DIST_HYPERGEOMETRIC, population, marked, drawn};
}

struct lw_dist lw_dist_range(double groups, double df)
{
    return (struct lw_dist){LW_DIST_RANGE, groups, df, 0};
}

static const struct lw_tails NO_TAILS = {NAN, NAN};

static bool is_count(double x)
{
    return x >= 0 && x == floor(x) && x <= 9007199254740992.0;
}

static bool is_valid(struct lw_dist d)
{
    switch (d.kind) {
    case LW_DIST_NORMAL: return isfinite(d.a) && d.b > 0 && isfinite(d.b);
    case LW_DIST_T: return d.a > 0;
    case LW_DIST_F: return d.a > 0 && d.b > 0 && isfinite(d.a) && isfinite(d.b);
    case LW_DIST_CHI2: return d.a > 0 && isfinite(d.a);
    case LW_DIST_BINOMIAL: return is_count(d.a) && d.b >= 0 && d.b <= 1;
    case LW_DIST_HYPERGEOMETRIC:
        return is_count(d.a) && is_count(d.b) && is_count(d.c) && d.b <= d.a && d.c <= d.a;
    case LW_DIST_RANGE: return d.a >= 2 && d.a <= 1000 && d.b >= 1;
    }
    return false;
}

static bool is_discrete(struct lw_dist d)
{
    return d.kind == LW_DIST_BINOMIAL || d.kind == LW_DIST_HYPERGEOMETRIC;
}

/* ---- Normal ----------------------------------------------------------------------------- */

static struct lw_tails normal_tails(double z)
{
    return (struct lw_tails){0.5 * erfc(-z * M_SQRT1_2), 0.5 * erfc(z * M_SQRT1_2)};
}

static double normal_density(double z)
{
    return exp(-0.5 * z * z) * 0.398942280401432677939946059934;
}

/* z >= 0 with upper tail p <= 1/2: AS 241, then one of Halley's steps on the logarithm of the
 * tail, for the far tails beyond its range (p < 1e-316). */
static double normal_upper_quantile(double p)
{
    if (p == 0.5)
        return 0;
    double z = lw_normal_upper_quantile(p);
    double upper = normal_tails(z).upper;
    double hazard = normal_density(z) / upper;
    double step = log(upper / p) / hazard; /* g' = -hazard; g'' = -hazard (hazard - z) */
    return z + step / (1 + 0.5 * step * (hazard - z));
}

/* ---- Student's t, F, chi-square ---------------------------------------------------------- */

/* Where t^2 overflows the tail is its leading term, (sqrt(n)/t)^n / (n B(n/2, 1/2)). */
static double t_far_tail(double df, double t)
{
    double log_beta = lw_log_gamma(df / 2) + lw_log_gamma(0.5) - lw_log_gamma(df / 2 + 0.5);
    return exp(df * (0.5 * log(df) - log(t)) - log_beta) / df;
}

static struct lw_tails t_tails(double df, double t)
{
    if (isinf(df))
        return normal_tails(t);
    double t2 = t * t, outer, inner;
    if (t2 > 1e300) {
        outer = isinf(t) ? 0 : t_far_tail(df, fabs(t));
        inner = 1 - outer;
    } else {
        struct lw_tails both = lw_beta_tails(df / 2, 0.5, 1 / (1 + t2 / df), t2 / (df + t2));
        outer = both.lower / 2;
        inner = 0.5 + both.upper / 2;
    }
    return t < 0 ? (struct lw_tails){outer, inner} : (struct lw_tails){inner, outer};
}

/* Gamma((n+1)/2) / (sqrt(n pi) Gamma(n/2)) (1+t^2/n)^(-(n+1)/2), written with the binomial
 * density at k = n/2 of n/2 + 1/2 so that large n keeps its digits. */
static double t_density(double df, double t)
{
    if (isinf(df))
        return normal_density(t);
    double t2 = t * t, a = df / 2;
    if (t2 > 1e300)
        return t_far_tail(df, fabs(t)) * (df / fabs(t));
    double x = 1 / (1 + t2 / df), y = t2 / (df + t2);
    if (t == 0)
        return exp(lw_log_gamma(a + 0.5) - lw_log_gamma(a)) / sqrt(df * M_PI);
    /* x^a y^b / B(a,b) with b = 1/2, then dx/dt: density = that / |t|. */
    return lw_binomial_density(a, a + 0.5, x, y) * a * 0.5 / (a + 0.5) / fabs(t);
}

/* The point of the beta distribution that belongs to x of an F distribution. */
static void f_to_beta(struct lw_dist d, double x, double *u, double *v)
{
    double r = d.a * x / d.b;
    *u = r / (1 + r);
    *v = 1 / (1 + r);
    if (isinf(r)) {
        *u = 1;
        *v = 0;
    }
}

static struct lw_tails f_tails(struct lw_dist d, double x)
{
    if (x <= 0)
        return (struct lw_tails){0, 1};
    double u, v;
    f_to_beta(d, x, &u, &v);
    return lw_beta_tails(d.a / 2, d.b / 2, u, v);
}

static double f_density(struct lw_dist d, double x)
{
    if (x < 0)
        return 0;
    double a = d.a / 2, b = d.b / 2;
    if (x == 0)
        return a < 1 ? INFINITY : a == 1 ? 1 : 0;
    double u, v;
    f_to_beta(d, x, &u, &v);
    return v == 0 ? 0 : lw_binomial_density(a, a + b, u, v) * a * b / (a + b) / x;
}

static struct lw_tails chi2_tails(double df, double x)
{
    return x <= 0 ? (struct lw_tails){0, 1} : lw_gamma_tails(df / 2, x / 2);
}

static double chi2_density(double df, double x)
{
    if (x < 0)
        return 0;
    double a = df / 2;
    if (x == 0)
        return a < 1 ? INFINITY : a == 1 ? 0.5 : 0;
    return lw_poisson_density(a, x / 2) * a / x;
}

/* ---- Binomial, hypergeometric ------------------------------------------------------------ */

static struct lw_tails binomial_tails(struct lw_dist d, double k)
{
    if (k < 0)
        return (struct lw_tails){0, 1};
    if (k >= d.a)
        return (struct lw_tails){1, 0};
    struct lw_tails t = lw_beta_tails(k + 1, d.a - k, d.b, 1 - d.b);
    return (struct lw_tails){t.upper, t.lower};
}

static double hyper_low(struct lw_dist d)
{
    return fmax(0, d.b + d.c - d.a);
}

static double hyper_high(struct lw_dist d)
{
    return fmin(d.b, d.c);
}

/* Loader's product of three binomial densities, with success rate drawn/population. */
static double hyper_density(struct lw_dist d, double k)
{
    if (k < hyper_low(d) || k > hyper_high(d))
        return 0;
    if (d.c == 0 || d.a == d.c)
        return 1; /* the support is one point */
    double p = d.c / d.a, q = (d.a - d.c) / d.a;
    return lw_binomial_density(k, d.b, p, q) * lw_binomial_density(d.c - k, d.a - d.b, p, q) /
           lw_binomial_density(d.c, d.a, p, q);
}

/* P(X = k+1) / P(X = k). */
static double hyper_ratio(struct lw_dist d, double k)
{
    return (d.b - k) / (k + 1) * ((d.c - k) / (d.a - d.b - d.c + k + 1));
}

/* Sums the density from k away from the mode, as multiples of the density at k, until the rest
 * cannot count: beyond the mode the terms fall at least geometrically. */
static double hyper_sum_up(struct lw_dist d, double k)
{
    double sum = 1, term = 1;
    for (double i = k; i < hyper_high(d); i++) {
        double ratio = hyper_ratio(d, i);
        term *= ratio;
        sum += term;
        if (ratio < 1 && term < 1e-17 * sum * (1 - ratio))
            break;
    }
    return sum;
}

static double hyper_sum_down(struct lw_dist d, double k)
{
    double sum = 1, term = 1;
    for (double i = k; i > hyper_low(d); i--) {
        double ratio = 1 / hyper_ratio(d, i - 1);
        term *= ratio;
        sum += term;
        if (ratio < 1 && term < 1e-17 * sum * (1 - ratio))
            break;
    }
    return sum;
}

static struct lw_tails hyper_tails(struct lw_dist d, double k)
{
    if (k < hyper_low(d))
        return (struct lw_tails){0, 1};
    if (k >= hyper_high(d))
        return (struct lw_tails){1, 0};
    double mode = floor((d.b + 1) * (d.c + 1) / (d.a + 2));
    if (k < mode) {
        double lower = fmin(1, hyper_density(d, k) * hyper_sum_down(d, k));
        return (struct lw_tails){lower, 1 - lower};
    }
    double upper = fmin(1, hyper_density(d, k + 1) * hyper_sum_up(d, k + 1));
    return (struct lw_tails){1 - upper, upper};
}

/* ---- Studentised range ---------------------------------------------------------------------
 */

/* Gauss-Legendre on [-1, 1], 16 points (Abramowitz & Stegun 25.4.30), the positive half. */
static const double GL_X[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                               0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                               0.9445750230732326, 0.9894009349916499};
static const double GL_W[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                               0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                               0.0622535239386479, 0.0271524594117541};

static double range_inner_at(double z, double w, double groups)
{
    double inside = normal_tails(z).lower - normal_tails(z - w).lower;
    return normal_density(z) * pow(fmax(inside, 0), groups - 1);
}

/* P(range of `groups` normal values <= w) = k int phi(z) (Phi(z) - Phi(z-w))^(k-1) dz. */
static double range_inner(double w, double groups)
{
    double sum = 0;
    const double width = 0.5;
    for (double left = -8; left < 8 + fmin(w, 8); left += width) {
        double mid = left + width / 2, half = width / 2;
        for (int i = 0; i < 8; i++)
            sum += GL_W[i] * half *
                   (range_inner_at(mid + half * GL_X[i], w, groups) +
                    range_inner_at(mid - half * GL_X[i], w, groups));
    }
    return fmin(1, groups * sum);
}

/* The density of s = sqrt(chi2(df)/df). */
static double scale_density(double df, double s)
{
    return chi2_density(df, df * s * s) * 2 * df * s;
}

static struct lw_tails range_tails(struct lw_dist d, double q)
{
    if (q <= 0)
        return (struct lw_tails){0, 1};
    if (isinf(d.b) || d.b > 1e6) {
        double p = range_inner(q, d.a);
        return (struct lw_tails){p, 1 - p};
    }
    /* s has mean near 1 and deviation 1/sqrt(2 df): ten deviations hold all of it. */
    double spread = 1 / sqrt(2 * d.b);
    double low = fmax(0, 1 - 10 * spread), high = 1 + 12 * spread;
    enum { PANELS = 24 };
    double width = (high - low) / PANELS, half = width / 2, lower = 0;
    for (int panel = 0; panel < PANELS; panel++) {
        double mid = low + (panel + 0.5) * width;
        for (int i = 0; i < 8; i++) {
            double s1 = mid + half * GL_X[i], s2 = mid - half * GL_X[i];
            lower += GL_W[i] * half *
                     (scale_density(d.b, s1) * range_inner(q * s1, d.a) +
                      scale_density(d.b, s2) * range_inner(q * s2, d.a));
        }
    }
    lower = fmin(1, lower);
    return (struct lw_tails){lower, 1 - lower};
}

/* ---- Faces --------------------------------------------------------------------------------
 */

static struct lw_tails tails(struct lw_dist d, double x)
{
    if (!is_valid(d) || isnan(x))
        return NO_TAILS;
    switch (d.kind) {
    case LW_DIST_NORMAL: return normal_tails((x - d.a) / d.b);
    case LW_DIST_T: return t_tails(d.a, x);
    case LW_DIST_F: return f_tails(d, x);
    case LW_DIST_CHI2: return chi2_tails(d.a, x);
    case LW_DIST_BINOMIAL: return binomial_tails(d, floor(x));
    case LW_DIST_HYPERGEOMETRIC: return hyper_tails(d, floor(x));
    case LW_DIST_RANGE: return range_tails(d, x);
    }
    return NO_TAILS;
}

double lw_dist_lower(struct lw_dist d, double x)
{
    return tails(d, x).lower;
}

double lw_dist_upper(struct lw_dist d, double x)
{
    return tails(d, x).upper;
}

double lw_dist_density(struct lw_dist d, double x)
{
    if (!is_valid(d) || isnan(x))
        return NAN;
    if (is_discrete(d) && x != floor(x))
        return 0;
    if (isinf(x))
        return 0;
    switch (d.kind) {
    case LW_DIST_NORMAL: return normal_density((x - d.a) / d.b) / d.b;
    case LW_DIST_T: return t_density(d.a, x);
    case LW_DIST_F: return f_density(d, x);
    case LW_DIST_CHI2: return chi2_density(d.a, x);
    case LW_DIST_BINOMIAL:
        return x < 0 || x > d.a ? 0 : lw_binomial_density(x, d.a, d.b, 1 - d.b);
    case LW_DIST_HYPERGEOMETRIC: return hyper_density(d, x);
    case LW_DIST_RANGE: break;
    }
    return NAN;
}

/* ---- Quantiles -----------------------------------------------------------------------------
 */

static double tail_of(struct lw_dist d, double x, bool upper)
{
    struct lw_tails t = tails(d, x);
    return upper ? t.upper : t.lower;
}

/*
 * x > 0 with tail(x) = p, by Newton's method on log tail against u = log x: both tails of t, F
 * and chi-square are nearly straight lines there. The bracket makes it safe; where a step
 * leaves it, or the tail has underflown, the bracket is halved.
 */
static double positive_quantile(struct lw_dist d, double p, bool upper, double start)
{
    double low = -745, high = 709.7, u = fmin(fmax(log(start), -700), 700);
    for (int i = 0; i < 200 && high - low > 1e-15; i++) {
        double x = exp(u), tail = tail_of(d, x, upper);
        double gap = log(tail / p);
        if (gap == 0)
            break;
        if ((gap > 0) == upper)
            low = u;
        else
            high = u;
        double slope = d.kind == LW_DIST_RANGE ? 0 : lw_dist_density(d, x) * x / tail;
        double next = u - gap / (upper ? -slope : slope);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - u) <= 2e-16 * (1 + fabs(u))) {
            u = next;
            break;
        }
        u = next;
    }
    return exp(u);
}

/* Wilson & Hilferty: the cube root of chi-square/df is nearly normal. */
static double chi2_start(double df, double p, bool upper)
{
    double z = normal_upper_quantile(fmin(p, 1 - p));
    if ((p > 0.5) == upper)
        z = -z;
    double s = 2 / (9 * df), c = 1 - s + z * sqrt(s);
    return c > 0.05 ? df * c * c * c : df * 1e-3;
}

static double continuous_quantile(struct lw_dist d, double p, bool upper)
{
    switch (d.kind) {
    case LW_DIST_NORMAL: {
        double z = p <= 0.5 ? normal_upper_quantile(p) : -normal_upper_quantile(1 - p);
        return d.a + d.b * (upper ? z : -z);
    }
    case LW_DIST_T: {
        if (p == 0.5)
            return 0;
        bool flip = p > 0.5;
        double tail = flip ? 1 - p : p;
        double z = normal_upper_quantile(tail);
        double t = isinf(d.a) ? z : positive_quantile(d, tail, true, z);
        return upper != flip ? t : -t;
    }
    case LW_DIST_CHI2: return positive_quantile(d, p, upper, chi2_start(d.a, p, !upper));
    default: return positive_quantile(d, p, upper, 1.0);
    }
}

/* The smallest integer k for which the wanted inequality holds, by bisection on the support. */
static double discrete_quantile(struct lw_dist d, double p, bool upper)
{
    bool hyper = d.kind == LW_DIST_HYPERGEOMETRIC;
    double low = (hyper ? hyper_low(d) : 0) - 1, high = hyper ? hyper_high(d) : d.a;
    /* Rounding of the sums must not push the answer one step up. */
    double slack = p * 64 * DBL_EPSILON;
    while (high - low > 1) {
        double mid = floor(0.5 * (low + high));
        struct lw_tails t = tails(d, mid);
        if (upper ? t.upper <= p + slack : t.lower >= p - slack)
            high = mid;
        else
            low = mid;
    }
    return high;
}

static double support_end(struct lw_dist d, bool high)
{
    switch (d.kind) {
    case LW_DIST_NORMAL:
    case LW_DIST_T: return high ? INFINITY : -INFINITY;
    case LW_DIST_BINOMIAL: return high ? d.a : -1;
    case LW_DIST_HYPERGEOMETRIC: return high ? hyper_high(d) : hyper_low(d) - 1;
    default: return high ? INFINITY : 0;
    }
}

static double quantile(struct lw_dist d, double p, bool upper)
{
    if (!is_valid(d) || !(p >= 0 && p <= 1))
        return NAN;
    if (p == 0 || p == 1)
        return support_end(d, (p == 1) != upper);
    if (is_discrete(d))
        return discrete_quantile(d, p, upper);
    /* Solve in the smaller tail, where p has all its digits. */
    if (p > 0.5 && d.kind != LW_DIST_NORMAL && d.kind != LW_DIST_T)
        return continuous_quantile(d, 1 - p, !upper);
    return continuous_quantile(d, p, upper);
}

double lw_dist_quantile(struct lw_dist d, double p)
{
    return quantile(d, p, false);
}

double lw_dist_upper_quantile(struct lw_dist d, double p)
{
    return quantile(d, p, true);
}
