/*
 * dist - probability distributions: density, both tails, quantiles.
 *
 * A distribution is a small value. Parameters outside the domain, or a NaN anywhere, give NaN;
 * nothing fails otherwise and nothing allocates. Each tail is computed directly, so that
 * lw_dist_upper is accurate where 1 - lw_dist_lower would be rounding noise.
 */
#ifndef LW_NUMERIC_DIST_H
#define LW_NUMERIC_DIST_H

enum lw_dist_kind {
    LW_DIST_NORMAL,         /* mean, standard deviation */
    LW_DIST_T,              /* degrees of freedom, may be infinite */
    LW_DIST_F,              /* two degrees of freedom */
    LW_DIST_CHI2,           /* degrees of freedom */
    LW_DIST_BINOMIAL,       /* trials, probability */
    LW_DIST_HYPERGEOMETRIC, /* population, marked, drawn */
    LW_DIST_RANGE           /* studentised range: groups, degrees of freedom */
};

struct lw_dist {
    enum lw_dist_kind kind;
    double a, b, c;
};

struct lw_dist lw_dist_normal(double mean, double sd);
struct lw_dist lw_dist_t(double df);
struct lw_dist lw_dist_f(double df1, double df2);
struct lw_dist lw_dist_chi2(double df);
struct lw_dist lw_dist_binomial(double trials, double p);
struct lw_dist lw_dist_hypergeometric(double population, double marked, double drawn);
/* Of `groups` means with `df` for the error; tails to 1e-8 absolute, no density. */
struct lw_dist lw_dist_range(double groups, double df);

/* Density, or probability mass for the two discrete ones (0 between the integers). */
double lw_dist_density(struct lw_dist d, double x);

/* P(X <= x). */
double lw_dist_lower(struct lw_dist d, double x);

/* P(X > x). */
double lw_dist_upper(struct lw_dist d, double x);

/* The smallest x with P(X <= x) >= p; -inf/inf or the ends of the support for p of 0 and 1. */
double lw_dist_quantile(struct lw_dist d, double p);

/* The smallest x with P(X > x) <= p: lw_dist_quantile(d, 1 - p) for tiny p. */
double lw_dist_upper_quantile(struct lw_dist d, double p);

#endif
