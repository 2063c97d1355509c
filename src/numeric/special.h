/*
 * special - the special functions behind the distributions.
 *
 * Plain doubles in and out, no state, no allocation. A NaN argument, or one outside the stated
 * domain, gives NaN. Both tails are computed directly, so a tail of 1e-300 is as accurate as
 * one of 0.3; the relative error is below 1e-12 for parameters up to about 1e9.
 */
#ifndef LW_NUMERIC_SPECIAL_H
#define LW_NUMERIC_SPECIAL_H

/* Lower and upper tail of one distribution at one place; they add up to 1. */
struct lw_tails {
    double lower;
    double upper;
};

/* log Gamma(x) for x > 0, safe in threads (the C library's lgamma writes a global). */
double lw_log_gamma(double x);

/* log of the binomial coefficient n over k, for real n >= k >= 0. */
double lw_log_choose(double n, double k);

/* P(k; n, p) = n over k * p^k q^(n-k) for real 0 <= k <= n, with q = 1 - p given so that
 * neither loses digits. */
double lw_binomial_density(double k, double n, double p, double q);

/* x^a e^-x / Gamma(a + 1), a >= 0, x >= 0: the Poisson density at a real count a. */
double lw_poisson_density(double a, double x);

/* Regularised incomplete beta I_x(a, b) and its complement; a, b > 0, x + y = 1, both given. */
struct lw_tails lw_beta_tails(double a, double b, double x, double y);

/* Regularised incomplete gamma P(a, x) and Q(a, x); a > 0, x >= 0. */
struct lw_tails lw_gamma_tails(double a, double x);

/* z with upper normal tail p, 0 < p <= 1/2, to about 15 digits without any call of erfc: where
 * many are needed. lw_dist_quantile takes one more step from it. */
double lw_normal_upper_quantile(double p);

#endif
