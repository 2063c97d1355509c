#include "numeric/contingency.h"

#include <math.h>

#include "base/err.h"
#include "numeric/dist.h"

static int check_counts(const double *t, size_t n, struct lw_err *err)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(t[i] >= 0 && t[i] == floor(t[i]) && t[i] < 1e15))
            return lw_err_set(err, LW_EINVAL, "cell %zu is not a count", i + 1);
        sum += t[i];
    }
    return sum > 0 ? 0 : lw_err_set(err, LW_EINVAL, "the table is empty");
}

static double row_sum(const double *t, size_t columns, size_t r)
{
    double s = 0;
    for (size_t c = 0; c < columns; c++)
        s += t[r * columns + c];
    return s;
}

static double column_sum(const double *t, size_t rows, size_t columns, size_t c)
{
    double s = 0;
    for (size_t r = 0; r < rows; r++)
        s += t[r * columns + c];
    return s;
}

int lw_chi2_table(struct lw_test *out, const double *t, size_t rows, size_t columns, bool yates,
                  double *least_expected, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (rows < 2 || columns < 2)
        return lw_err_set(err, LW_EINVAL, "a table needs at least two rows and two columns");
    if (check_counts(t, rows * columns, err) < 0)
        return err->code;
    double n = 0, least = INFINITY;
    for (size_t i = 0; i < rows * columns; i++)
        n += t[i];
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            double e = row_sum(t, columns, r) * column_sum(t, rows, columns, c) / n;
            if (e == 0)
                return lw_err_set(err, LW_EINVAL, "a row or a column of the table is empty");
            double gap = fabs(t[r * columns + c] - e);
            if (yates && rows == 2 && columns == 2)
                gap -= fmin(0.5, gap);
            out->statistic += gap * gap / e;
            least = fmin(least, e);
        }
    out->df = (double)((rows - 1) * (columns - 1));
    out->p = lw_dist_upper(lw_dist_chi2(out->df), out->statistic);
    out->estimate =
        sqrt(out->statistic / (n * (double)((rows < columns ? rows : columns) - 1)));
    if (least_expected)
        *least_expected = least;
    return 0;
}

int lw_chi2_fit(struct lw_test *out, const double *counts, const double *shares, size_t n,
                struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (n < 2)
        return lw_err_set(err, LW_EINVAL, "at least two categories are needed");
    if (check_counts(counts, n, err) < 0)
        return err->code;
    double total = 0, share_sum = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
        if (shares && !(shares[i] > 0))
            return lw_err_set(err, LW_EINVAL, "share %zu is not positive", i + 1);
        share_sum += shares ? shares[i] : 1;
    }
    for (size_t i = 0; i < n; i++) {
        double e = total * (shares ? shares[i] : 1) / share_sum;
        out->statistic += (counts[i] - e) * (counts[i] - e) / e;
    }
    out->df = (double)n - 1;
    out->p = lw_dist_upper(lw_dist_chi2(out->df), out->statistic);
    out->estimate = sqrt(out->statistic / total); /* Cohen's w */
    return 0;
}

/* ---- Fisher ---------------------------------------------------------------------------------
 */

/* Tables on the other side of the mode that are no more likely than `limit`: the tail from the
 * outermost one inwards. The density rises towards the mode, so the border is found by
 * bisection. */
static double other_tail(struct lw_dist d, double limit, bool upper, double low, double mode,
                         double high)
{
    double out = upper ? high : low, in = mode;
    if (lw_dist_density(d, out) > limit)
        return 0;
    while (fabs(in - out) > 1) {
        double mid = floor((in + out) / 2);
        if (lw_dist_density(d, mid) <= limit)
            out = mid;
        else
            in = mid;
    }
    return upper ? lw_dist_upper(d, out - 1) : lw_dist_lower(d, out);
}

int lw_fisher(struct lw_test *out, const double t[4], enum lw_tail tail, struct lw_err *err)
{
    *out = (struct lw_test){.exact = true};
    if (check_counts(t, 4, err) < 0)
        return err->code;
    double n = t[0] + t[1] + t[2] + t[3], row = t[0] + t[1], column = t[0] + t[2], k = t[0];
    struct lw_dist d = lw_dist_hypergeometric(n, row, column);
    double lower = lw_dist_lower(d, k), upper = k > 0 ? lw_dist_upper(d, k - 1) : 1;
    out->estimate = t[0] * t[3] / (t[1] * t[2]);
    out->statistic = out->estimate;
    if (tail != LW_TAIL_TWO) {
        out->p = lw_tail_p(tail, lower, upper);
        return 0;
    }
    double low = fmax(0, row + column - n), high = fmin(row, column);
    double mode = floor((row + 1) * (column + 1) / (n + 2));
    /* Equally likely tables count as equal in spite of rounding. */
    double limit = lw_dist_density(d, k) * (1 + 1e-12);
    if (lw_dist_density(d, mode) <= limit)
        out->p = 1;
    else if (k < mode)
        out->p = fmin(1, lower + other_tail(d, limit, true, low, mode, high));
    else
        out->p = fmin(1, upper + other_tail(d, limit, false, low, mode, high));
    return 0;
}

int lw_mcnemar(struct lw_test *out, double b, double c, bool exact, struct lw_err *err)
{
    *out = (struct lw_test){.exact = exact};
    if (check_counts((double[]){b, c}, 2, err) < 0)
        return lw_err_context(err, "the pairs that differ");
    out->estimate = b / c;
    if (exact) {
        out->statistic = fmin(b, c);
        out->p = fmin(1, 2 * lw_dist_lower(lw_dist_binomial(b + c, 0.5), out->statistic));
        return 0;
    }
    double gap = fmax(0, fabs(b - c) - 1);
    out->statistic = gap * gap / (b + c);
    out->df = 1;
    out->p = lw_dist_upper(lw_dist_chi2(1), out->statistic);
    return 0;
}

int lw_odds_ratio(struct lw_odds *out, const double t[4], struct lw_err *err)
{
    *out = (struct lw_odds){0};
    if (check_counts(t, 4, err) < 0)
        return err->code;
    out->corrected = t[0] == 0 || t[1] == 0 || t[2] == 0 || t[3] == 0;
    double add = out->corrected ? 0.5 : 0;
    double a = t[0] + add, b = t[1] + add, c = t[2] + add, d = t[3] + add;
    double log_ratio = log(a) + log(d) - log(b) - log(c);
    double se = sqrt(1 / a + 1 / b + 1 / c + 1 / d);
    struct lw_dist normal = lw_dist_normal(0, 1);
    double z = lw_dist_quantile(normal, 0.975);
    out->ratio = exp(log_ratio);
    out->low = exp(log_ratio - z * se);
    out->high = exp(log_ratio + z * se);
    out->p = 2 * lw_dist_upper(normal, fabs(log_ratio) / se);
    return 0;
}

/* ---- Kappa
 * ----------------------------------------------------------------------------------- */

static double agreement_weight(enum lw_kappa_weights w, size_t i, size_t j, size_t k)
{
    double gap = fabs((double)i - (double)j) / (double)(k - 1);
    switch (w) {
    case LW_KAPPA_LINEAR: return 1 - gap;
    case LW_KAPPA_QUADRATIC: return 1 - gap * gap;
    case LW_KAPPA_PLAIN: break;
    }
    return i == j;
}

/* Mean weight of row i against the columns' shares, or of column i against the rows'. */
static double mean_weight(const double *t, size_t k, enum lw_kappa_weights w, size_t i,
                          bool of_row, double n)
{
    double sum = 0;
    for (size_t j = 0; j < k; j++)
        sum += agreement_weight(w, i, j, k) *
               (of_row ? column_sum(t, k, k, j) : row_sum(t, k, j)) / n;
    return sum;
}

/* Equation 13 of Fleiss, Cohen & Everitt (1969). */
static double kappa_variance(const double *t, size_t k, enum lw_kappa_weights w, double n,
                             double kappa, double expected)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
        double of_row = mean_weight(t, k, w, i, true, n);
        for (size_t j = 0; j < k; j++) {
            double of_column = mean_weight(t, k, w, j, false, n);
            double d = agreement_weight(w, i, j, k) - (of_row + of_column) * (1 - kappa);
            sum += t[i * k + j] / n * d * d;
        }
    }
    double shift = kappa - expected * (1 - kappa);
    return (sum - shift * shift) / (n * (1 - expected) * (1 - expected));
}

int lw_kappa(struct lw_kappa *out, const double *t, size_t k, enum lw_kappa_weights w,
             struct lw_err *err)
{
    *out = (struct lw_kappa){0};
    if (k < 2 || k > 1000)
        return lw_err_set(err, LW_EINVAL, "kappa needs 2 to 1000 categories, not %zu", k);
    if (check_counts(t, k * k, err) < 0)
        return err->code;
    double n = 0, observed = 0, expected = 0, same = 0;
    for (size_t i = 0; i < k * k; i++)
        n += t[i];
    for (size_t i = 0; i < k; i++) {
        same += t[i * k + i] / n;
        for (size_t j = 0; j < k; j++) {
            double weight = agreement_weight(w, i, j, k);
            observed += weight * t[i * k + j] / n;
            expected += weight * row_sum(t, k, i) / n * (column_sum(t, k, k, j) / n);
        }
    }
    if (!(expected < 1))
        return lw_err_set(err, LW_EINVAL,
                          "both raters used one category only: kappa is not defined");
    out->agreement = same;
    out->kappa = (observed - expected) / (1 - expected);
    out->se = sqrt(fmax(0, kappa_variance(t, k, w, n, out->kappa, expected)));
    double z = lw_dist_quantile(lw_dist_normal(0, 1), 0.975);
    out->low = out->kappa - z * out->se;
    out->high = fmin(1, out->kappa + z * out->se);
    return 0;
}

const char *lw_kappa_reading(double kappa)
{
    if (kappa < 0)
        return "poor";
    return kappa <= 0.2   ? "slight"
           : kappa <= 0.4 ? "fair"
           : kappa <= 0.6 ? "moderate"
           : kappa <= 0.8 ? "substantial"
                          : "almost perfect";
}
