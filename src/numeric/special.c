#include "numeric/special.h"

#include <math.h>

/*
 * Why densities do not come from exp(lgamma…): for n = 1e9 the logarithms are about 1e10, and
 * their rounding alone is a relative error of 1e-6 in the result. C. Loader, "Fast and accurate
 * computation of binomial probabilities" (2000), splits the density into Stirling's remainder
 * and a deviance, both small where the density is not.
 */

static const double LOG_SQRT_2PI = 0.918938533204672741780329736406;
static const double TWO_PI = 6.283185307179586476925286766559;

/* A continued fraction is followed until a step changes it by less than this. */
static const double STEP_EPS = 1e-16;
/* Convergence needs about the square root of the parameters; 1e6 steps serve up to 1e12. */
enum { MAX_STEPS = 2000000 };

double lw_log_gamma(double x)
{
    int sign;
    return x > 0 ? lgamma_r(x, &sign) : NAN;
}

/* log z! - log(sqrt(2 pi z) (z/e)^z): what Stirling's formula leaves out (DLMF 5.11.1). */
static double stirling_rest(double z)
{
    if (z < 15.0)
        return lw_log_gamma(z + 1.0) - (z + 0.5) * log(z) + z - LOG_SQRT_2PI;
    double r = 1.0 / (z * z);
    return (1.0 / 12 -
            r * (1.0 / 360 -
                 r * (1.0 / 1260 -
                      r * (1.0 / 1680 - r * (1.0 / 1188 - r * (691.0 / 360360 - r / 156)))))) /
           z;
}

/* x log(x/m) + m - x, Loader's D0, without cancellation where x is near m: with
 * v = (x-m)/(x+m), log(x/m) = 2 (v + v^3/3 + v^5/5 + …). */
static double deviance(double x, double m)
{
    if (fabs(x - m) > 0.1 * (x + m))
        return x > 0 ? x * log(x / m) + m - x : m;
    double v = (x - m) / (x + m);
    double sum = (x - m) * v;
    double term = 2 * x * v;
    for (int j = 3; j < 1000; j += 2) {
        term *= v * v;
        double next = sum + term / j;
        if (next == sum)
            break;
        sum = next;
    }
    return sum;
}

double lw_log_choose(double n, double k)
{
    if (!(k >= 0 && k <= n))
        return NAN;
    double rest = n - k;
    if (k == 0 || rest == 0)
        return 0;
    /* The density at p = k/n, where both deviances vanish, without its powers. */
    return stirling_rest(n) - stirling_rest(k) - stirling_rest(rest) +
           0.5 * log(n / (TWO_PI * k * rest)) - k * log(k / n) - rest * log1p(-k / n);
}

double lw_binomial_density(double k, double n, double p, double q)
{
    if (!(k >= 0 && k <= n) || !(p >= 0 && q >= 0))
        return NAN;
    if (p == 0)
        return k == 0;
    if (q == 0)
        return k == n;
    if (k == 0)
        return exp(p < 0.1 ? n * log1p(-p) : n * log(q));
    if (k == n)
        return exp(q < 0.1 ? n * log1p(-q) : n * log(p));
    double rest = n - k;
    double log_main = stirling_rest(n) - stirling_rest(k) - stirling_rest(rest) -
                      deviance(k, n * p) - deviance(rest, n * q);
    return exp(log_main) * sqrt(n / (TWO_PI * k) / rest);
}

double lw_poisson_density(double a, double x)
{
    if (!(a >= 0 && x >= 0))
        return NAN;
    if (x == 0)
        return a == 0;
    if (a == 0)
        return exp(-x);
    if (isinf(x))
        return 0;
    return exp(-stirling_rest(a) - deviance(a, x)) / sqrt(TWO_PI * a);
}

/* One step of the modified Lentz algorithm (Thompson & Barnett 1986) for a fraction whose
 * partial numerator is `num` and partial denominator `den`. */
struct lentz {
    double value, c, d;
};

static double lentz_guard(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

static double lentz_step(struct lentz *f, double num, double den)
{
    f->d = 1.0 / lentz_guard(den + num * f->d);
    f->c = lentz_guard(den + num / f->c);
    double factor = f->c * f->d;
    f->value *= factor;
    return factor;
}

/* x^a y^b / (a B(a,b)); a and b small enough for the plain gamma functions are also fine. */
static double beta_front(double a, double b, double x, double y)
{
    return lw_binomial_density(a, a + b, x, y) * b / (a + b);
}

/* I_x(a,b) by DLMF 8.17.22; converges quickly for x < (a+1)/(a+b+2). */
static double beta_fraction(double a, double b, double x, double y)
{
    struct lentz f = {1.0, 1.0, 0.0};
    f.d = 1.0 / lentz_guard(1.0 - (a + b) * x / (a + 1));
    f.value = f.d;
    for (int i = 1; i < MAX_STEPS; i++) {
        double m = i;
        lentz_step(&f, m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0);
        double change =
            lentz_step(&f, -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0);
        if (fabs(change - 1.0) <= STEP_EPS)
            break;
    }
    return beta_front(a, b, x, y) * f.value;
}

/* The same by a series in y where a is huge and b moderate: the fraction would need about
 * sqrt(a) steps there. DLMF 8.17.8: I_x = x^a y^b/(a B) * sum (a+b)_n/(a+1)_n x^n. All terms
 * are positive; it is used where x is small. */
static double beta_series(double a, double b, double x, double y)
{
    double sum = 1.0, term = 1.0;
    for (int n = 0; n < MAX_STEPS; n++) {
        term *= (a + b + n) / (a + 1 + n) * x;
        sum += term;
        if (term <= STEP_EPS * sum)
            break;
    }
    return beta_front(a, b, x, y) * sum;
}

struct lw_tails lw_beta_tails(double a, double b, double x, double y)
{
    if (!(a > 0 && b > 0 && x >= 0 && y >= 0) || isinf(a) || isinf(b))
        return (struct lw_tails){NAN, NAN};
    if (x == 0 || y == 0)
        return (struct lw_tails){x == 0 ? 0 : 1, x == 0 ? 1 : 0};
    int swapped = x > (a + 1) / (a + b + 2);
    if (swapped) {
        double t = a;
        a = b;
        b = t;
        t = x;
        x = y;
        y = t;
    }
    double part =
        x < 0.1 && (a + b) * x < 1 + a ? beta_series(a, b, x, y) : beta_fraction(a, b, x, y);
    part = fmin(part, 1.0);
    struct lw_tails t = {part, 1.0 - part};
    return swapped ? (struct lw_tails){t.upper, t.lower} : t;
}

/* P(a,x) by DLMF 8.11.4, all terms positive; used for x < a + 1. */
static double gamma_series(double a, double x)
{
    double sum = 1.0, term = 1.0;
    for (int n = 1; n < MAX_STEPS; n++) {
        term *= x / (a + n);
        sum += term;
        if (term <= STEP_EPS * sum)
            break;
    }
    return lw_poisson_density(a, x) * sum;
}

/* Q(a,x) by the fraction DLMF 8.9.2 in its contracted form; used for x >= a + 1. */
static double gamma_fraction(double a, double x)
{
    double den = x + 1 - a;
    struct lentz f = {1.0 / lentz_guard(den), 1e300, 1.0 / lentz_guard(den)};
    for (int i = 1; i < MAX_STEPS; i++) {
        den += 2;
        double change = lentz_step(&f, -i * (i - a), den);
        if (fabs(change - 1.0) <= STEP_EPS)
            break;
    }
    return a * lw_poisson_density(a, x) * f.value;
}

struct lw_tails lw_gamma_tails(double a, double x)
{
    if (!(a > 0 && x >= 0) || isinf(a))
        return (struct lw_tails){NAN, NAN};
    if (x == 0 || isinf(x))
        return (struct lw_tails){x == 0 ? 0 : 1, x == 0 ? 1 : 0};
    if (x < a + 1) {
        double p = fmin(gamma_series(a, x), 1.0);
        return (struct lw_tails){p, 1.0 - p};
    }
    double q = fmin(gamma_fraction(a, x), 1.0);
    return (struct lw_tails){1.0 - q, q};
}

/* P. Acklam's rational approximation of the inverse normal distribution function (2003): one
 * quotient for the middle, one in sqrt(-2 log p) for the tail. */
double lw_normal_approx_upper(double p)
{
    if (p < 0.02425) {
        double q = sqrt(-2 * log(p));
        double num = 2.938163982698783 +
                     q * (4.374664141464968 +
                          q * (-2.549732539343734 +
                               q * (-2.400758277161838 +
                                    q * (-0.3223964580411365 + q * -0.007784894002430293))));
        double den =
            1 +
            q * (3.754408661907416 +
                 q * (2.445134137142996 + q * (0.3224671290700398 + q * 0.007784695709041462)));
        return -num / den;
    }
    double q = 0.5 - p, r = q * q;
    double num =
        2.506628277459239 +
        r * (-30.66479806614716 +
             r * (138.3577518672690 +
                  r * (-275.9285104469687 + r * (220.9460984245205 + r * -39.69683028665376))));
    double den =
        1 +
        r * (-13.28068155288572 +
             r * (66.80131188771972 +
                  r * (-155.6989798598866 + r * (161.5858368580409 + r * -54.47609879822406))));
    return q * num / den;
}
