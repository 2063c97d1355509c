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

/* c[0] + c[1] x + ... + c[7] x^7 */
static inline double poly7(const double c[8], double x)
{
    double low = (c[3] * x + c[2]) * (x * x) + (c[1] * x + c[0]);
    double high = (c[7] * x + c[6]) * (x * x) + (c[5] * x + c[4]);
    double x2 = x * x;
    return high * (x2 * x2) + low;
}

/* M. Wichura's algorithm AS 241 (1988): a quotient for the middle, and two in sqrt(-log p) for
 * the tail, each to about 1e-16. */
double lw_normal_upper_quantile(double p)
{
    static const double MIDDLE[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
         3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
         2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
         5.2264952788528545610e+3}};
    static const double NEAR[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double FAR[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};
    if (p >= 0.075) {
        double q = 0.5 - p, r = 0.180625 - q * q;
        return q * poly7(MIDDLE[0], r) / poly7(MIDDLE[1], r);
    }
    double r = sqrt(-log(p));
    return r <= 5 ? poly7(NEAR[0], r - 1.6) / poly7(NEAR[1], r - 1.6)
                  : poly7(FAR[0], r - 5) / poly7(FAR[1], r - 5);
}
