#include "numeric/sparse.h"

#include <math.h>
#include <string.h>

#include "base/err.h"

int lw_sparse_check(const struct lw_sparse *x, struct lw_err *err)
{
    for (size_t i = 0; i < x->n; i++) {
        if (x->start[i] > x->start[i + 1])
            return lw_err_set(err, LW_EINVAL, "row %zu ends before it begins", i + 1);
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++) {
            if (x->column[j] >= x->d || (j > x->start[i] && x->column[j - 1] >= x->column[j]))
                return lw_err_set(err, LW_EINVAL, "row %zu: its columns are not in order",
                                  i + 1);
            if (!isfinite(x->value[j]))
                return lw_err_set(err, LW_EINVAL, "row %zu: a value is not a finite number",
                                  i + 1);
        }
    }
    return 0;
}

void lw_document_counts(const struct lw_sparse *x, uint32_t *df)
{
    memset(df, 0, x->d * sizeof *df);
    for (size_t j = 0; j < x->start[x->n]; j++)
        df[x->column[j]] += x->value[j] != 0;
}

void lw_idf(const uint32_t *df, size_t d, size_t n, double *idf)
{
    for (size_t c = 0; c < d; c++)
        idf[c] = log((1 + (double)n) / (1 + (double)df[c])) + 1;
}

void lw_tfidf(const struct lw_sparse *x, const double *idf, bool sublinear, bool unit,
              double *out)
{
    for (size_t i = 0; i < x->n; i++) {
        double squares = 0;
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++) {
            double tf = x->value[j];
            if (sublinear && tf > 0)
                tf = 1 + log(tf);
            out[j] = tf * idf[x->column[j]];
            squares += out[j] * out[j];
        }
        double scale = unit && squares > 0 ? 1 / sqrt(squares) : 1;
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++)
            out[j] *= scale;
    }
}

void lw_bm25(const struct lw_sparse *x, const uint32_t *df, double k1, double b, double *out)
{
    double total = 0, n = (double)x->n;
    for (size_t j = 0; j < x->start[x->n]; j++)
        total += x->value[j];
    double mean = total > 0 ? total / n : 1;
    for (size_t i = 0; i < x->n; i++) {
        double length = 0;
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++)
            length += x->value[j];
        double norm = k1 * (1 - b + b * length / mean);
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++) {
            double count = df[x->column[j]], tf = x->value[j];
            out[j] = log1p((n - count + 0.5) / (count + 0.5)) * tf * (k1 + 1) / (tf + norm);
        }
    }
}
