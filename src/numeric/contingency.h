/*
 * contingency - counts in tables: chi-square, Fisher, McNemar, odds ratio, Cohen's kappa.
 *
 * Tables are row after row, counts as doubles (non-negative integers; anything else, NaN
 * included, is refused with LW_EINVAL). Nothing is kept.
 */
#ifndef LW_NUMERIC_CONTINGENCY_H
#define LW_NUMERIC_CONTINGENCY_H

#include "numeric/hypothesis.h"

/* Independence in a (rows, columns) table; estimate = Cramér's V. `yates` corrects 2x2 tables
 * for continuity. Empty rows or columns are refused. `*least_expected` may be NULL. */
int lw_chi2_table(struct lw_test *out, const double *table, size_t rows, size_t columns,
                  bool yates, double *least_expected, struct lw_err *err);

/* Goodness of fit: counts against expected shares (NULL: all equal). */
int lw_chi2_fit(struct lw_test *out, const double *counts, const double *shares, size_t n,
                struct lw_err *err);

/* Fisher's exact test of a 2x2 table a b / c d. estimate = ad/bc (may be 0 or inf). Two-sided
 * p sums all tables no more likely than this one. */
int lw_fisher(struct lw_test *out, const double table[4], enum lw_tail tail,
              struct lw_err *err);

/* McNemar on the discordant pairs b and c; exact (binomial), or chi-square with continuity
 * correction. estimate = b/c. b + c = 0 is refused. */
int lw_mcnemar(struct lw_test *out, double b, double c, bool exact, struct lw_err *err);

/* ad/bc with Woolf's 95 % interval; with a zero cell, 1/2 is added to all (Haldane) and
 * `corrected` says so. */
struct lw_odds {
    double ratio, low, high, p; /* p: of log ratio = 0 (Wald) */
    bool corrected;
};
int lw_odds_ratio(struct lw_odds *out, const double table[4], struct lw_err *err);

enum lw_kappa_weights { LW_KAPPA_PLAIN, LW_KAPPA_LINEAR, LW_KAPPA_QUADRATIC };

/* Agreement of two raters over k categories from their (k, k) table. se and the 95 % interval
 * by J. Fleiss, J. Cohen & B. Everitt (1969). */
struct lw_kappa {
    double kappa, se, low, high;
    double agreement; /* observed share */
};
int lw_kappa(struct lw_kappa *out, const double *table, size_t k, enum lw_kappa_weights weights,
             struct lw_err *err);

/* "poor", "slight", "fair", "moderate", "substantial", "almost perfect" (Landis & Koch). */
const char *lw_kappa_reading(double kappa);

#endif
