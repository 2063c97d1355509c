#include "numeric/bins.h"

#include <math.h>

#include "base/err.h"
#include "numeric/rank.h"

/* A threshold strictly between a < b, or a itself where there is no number between. */
static double between(double a, double b)
{
    double mid = a / 2 + b / 2;
    return mid < b ? fmax(mid, a) : a;
}

/* Edges from sorted values without NaN. */
static uint16_t cut(const double *v, size_t n, double *edge)
{
    size_t different = n > 0;
    for (size_t i = 1; i < n; i++)
        different += v[i] != v[i - 1];
    uint16_t edges = 0;
    if (different <= LW_BIN_EDGES + 1) {
        for (size_t i = 1; i < n; i++)
            if (v[i] != v[i - 1])
                edge[edges++] = between(v[i - 1], v[i]);
        return edges;
    }
    for (size_t q = 1; q <= LW_BIN_EDGES; q++) {
        size_t at = q * n / (LW_BIN_EDGES + 1);
        if (v[at] == v[at - 1])
            continue;
        double e = between(v[at - 1], v[at]);
        if (edges == 0 || e > edge[edges - 1])
            edge[edges++] = e;
    }
    return edges;
}

int lw_bins_fit(struct lw_bins *out, struct lw_arena *arena, const double *x, size_t n,
                size_t d, struct lw_err *err)
{
    enum { ENOUGH = 200000 }; /* rows that place 254 quantiles well */
    size_t step = n > ENOUGH ? n / ENOUGH : 1;
    *out = (struct lw_bins){.d = d};
    out->edges = lw_arena_array(arena, d, sizeof *out->edges);
    out->edge = lw_arena_array(arena, d * LW_BIN_EDGES, sizeof *out->edge);
    size_t bytes = (n / step + 1) * sizeof(double);
    double *v = lw_mem_alloc(arena->mem, bytes);
    int rc = out->edges && out->edge && v ? 0 : lw_err_nomem(err);
    for (size_t j = 0; rc == 0 && j < d; j++) {
        size_t k = 0;
        for (size_t i = 0; i < n; i += step)
            if (!isnan(x[i * d + j]))
                v[k++] = x[i * d + j];
        if (lw_sort_fast(arena->mem, v, k) < 0)
            rc = lw_err_nomem(err);
        else
            out->edges[j] = cut(v, k, out->edge + j * LW_BIN_EDGES);
    }
    lw_mem_free(arena->mem, v, bytes);
    return rc;
}

static uint8_t step_of(const double *edge, uint16_t edges, double x)
{
    if (isnan(x))
        return LW_BIN_NAN;
    /* How many edges lie below x: a search without branches. */
    const double *base = edge;
    size_t n = edges;
    while (n > 1) {
        size_t half = n / 2;
        base += base[half - 1] < x ? half : 0;
        n -= half;
    }
    return (uint8_t)((size_t)(base - edge) + (n == 1 && *base < x ? 1 : 0));
}

void lw_bins_apply(const struct lw_bins *bins, const double *x, size_t n, bool by_column,
                   uint8_t *out)
{
    size_t d = bins->d;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            out[by_column ? j * n + i : i * d + j] =
                step_of(bins->edge + j * LW_BIN_EDGES, bins->edges[j], x[i * d + j]);
}
