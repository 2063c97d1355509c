#include "numeric/svd.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "numeric/rng.h"

enum { SMALL_SIDE = 256, OVERSAMPLE = 10, MOST_ROUNDS = 200 };

/* ---- Symmetric eigenvalues ------------------------------------------------------------------
 */

/* One Jacobi rotation that makes a[p][q] zero (G. Golub & C. Van Loan 2013, 8.5.2). */
static void rotate(double *a, double *v, size_t n, size_t p, size_t q)
{
    double apq = a[p * n + q];
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (size_t i = 0; i < n; i++) {
        double x = a[i * n + p], y = a[i * n + q];
        a[i * n + p] = c * x - s * y;
        a[i * n + q] = s * x + c * y;
    }
    for (size_t i = 0; i < n; i++) {
        double x = a[p * n + i], y = a[q * n + i];
        a[p * n + i] = c * x - s * y;
        a[q * n + i] = s * x + c * y;
        x = v[p * n + i];
        y = v[q * n + i];
        v[p * n + i] = c * x - s * y;
        v[q * n + i] = s * x + c * y;
    }
}

void lw_symmetric_eigen(double *a, size_t n, double *value, double *v)
{
    memset(v, 0, n * n * sizeof *v);
    double scale = 0;
    for (size_t i = 0; i < n; i++)
        v[i * n + i] = 1;
    for (size_t i = 0; i < n * n; i++)
        scale = fmax(scale, fabs(a[i]));
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double size = fabs(a[p * n + q]);
                off = fmax(off, size);
                if (size > 1e-17 * scale)
                    rotate(a, v, n, p, q);
            }
        if (off <= 1e-16 * scale)
            break;
    }
    for (size_t i = 0; i < n; i++)
        value[i] = a[i * n + i];
    for (size_t i = 0; i < n; i++) { /* selection sort, falling; vectors travel along */
        size_t most = i;
        for (size_t j = i + 1; j < n; j++)
            most = value[j] > value[most] ? j : most;
        double t = value[i];
        value[i] = value[most];
        value[most] = t;
        for (size_t k = 0; most != i && k < n; k++) {
            t = v[i * n + k];
            v[i * n + k] = v[most * n + k];
            v[most * n + k] = t;
        }
    }
}

/* ---- A matrix that can be multiplied
 * ------------------------------------------------------------ */

/* Dense and centred, or sparse. Blocks of vectors are (rows, l) row after row. */
struct operand {
    size_t n, d;
    const double *x, *mean;         /* dense */
    const struct lw_sparse *sparse; /* or this */
};

/* Row i of the matrix times f added to `to` for each of l vectors: to (d, l) += x_i^T f. */
static void row_outer(const struct operand *a, size_t i, const double *f, size_t l, double *to)
{
    if (a->sparse) {
        for (size_t j = a->sparse->start[i]; j < a->sparse->start[i + 1]; j++)
            for (size_t c = 0; c < l; c++)
                to[a->sparse->column[j] * l + c] += a->sparse->value[j] * f[c];
        return;
    }
    for (size_t j = 0; j < a->d; j++) {
        double x = a->x[i * a->d + j] - a->mean[j];
        for (size_t c = 0; c < l; c++)
            to[j * l + c] += x * f[c];
    }
}

/* to (l) = x_i v for v (d, l). */
static void row_inner(const struct operand *a, size_t i, const double *v, size_t l, double *to)
{
    memset(to, 0, l * sizeof *to);
    if (a->sparse) {
        for (size_t j = a->sparse->start[i]; j < a->sparse->start[i + 1]; j++)
            for (size_t c = 0; c < l; c++)
                to[c] += a->sparse->value[j] * v[a->sparse->column[j] * l + c];
        return;
    }
    for (size_t j = 0; j < a->d; j++) {
        double x = a->x[i * a->d + j] - a->mean[j];
        for (size_t c = 0; c < l; c++)
            to[c] += x * v[j * l + c];
    }
}

/* v (d, l) := A^T A v, in one pass over the rows. */
static void apply(const struct operand *a, double *v, double *next, double *row, size_t l)
{
    memset(next, 0, a->d * l * sizeof *next);
    for (size_t i = 0; i < a->n; i++) {
        row_inner(a, i, v, l, row);
        row_outer(a, i, row, l, next);
    }
    memcpy(v, next, a->d * l * sizeof *v);
}

/* Columns of v (d, l) made orthonormal by Gram-Schmidt, twice; size[c] = length before. */
static void orthonormalise(double *v, size_t d, size_t l, double *size)
{
    for (size_t c = 0; c < l; c++) {
        double first = 0;
        for (int twice = 0; twice < 2; twice++) {
            for (size_t b = 0; b < c; b++) {
                double s = 0;
                for (size_t j = 0; j < d; j++)
                    s += v[j * l + b] * v[j * l + c];
                for (size_t j = 0; j < d; j++)
                    v[j * l + c] -= s * v[j * l + b];
            }
            double norm = 0;
            for (size_t j = 0; j < d; j++)
                norm += v[j * l + c] * v[j * l + c];
            norm = sqrt(norm);
            first = twice == 0 ? norm : first;
            for (size_t j = 0; j < d; j++)
                v[j * l + c] = norm > 0 ? v[j * l + c] / norm : 0;
        }
        size[c] = first;
    }
}

/* ---- The two ways
 * ----------------------------------------------------------------------------------- */

static void fix_sign(double *row, size_t d)
{
    size_t most = 0;
    for (size_t j = 1; j < d; j++)
        most = fabs(row[j]) > fabs(row[most]) ? j : most;
    bool flip = row[most] < 0;
    for (size_t j = 0; flip && j < d; j++)
        row[j] = 0 - row[j];
}

/* Eigenvectors of the small Gram matrix b^T b of a rotated basis: v (d, l) with A^T A v known
 * as av (d, l). Fills components and singular values. */
static void rayleigh(struct lw_svd *out, const double *v, const double *av, size_t l,
                     double *small, double *value, double *vectors)
{
    for (size_t a = 0; a < l; a++)
        for (size_t b = 0; b < l; b++) {
            double s = 0;
            for (size_t j = 0; j < out->d; j++)
                s += v[j * l + a] * av[j * l + b];
            small[a * l + b] = s;
        }
    for (size_t a = 0; a < l; a++)
        for (size_t b = 0; b < a; b++)
            small[a * l + b] = small[b * l + a] = (small[a * l + b] + small[b * l + a]) / 2;
    lw_symmetric_eigen(small, l, value, vectors);
    for (size_t c = 0; c < out->k; c++) {
        double *row = out->component + c * out->d;
        for (size_t j = 0; j < out->d; j++) {
            row[j] = 0;
            for (size_t a = 0; a < l; a++)
                row[j] += vectors[c * l + a] * v[j * l + a];
        }
        out->singular[c] = sqrt(fmax(0, value[c]));
        fix_sign(row, out->d);
    }
}

static int by_subspace(struct lw_svd *out, struct lw_arena *arena, const struct operand *a,
                       uint64_t seed, struct lw_err *err)
{
    size_t least = a->n < a->d ? a->n : a->d;
    size_t l = out->k + OVERSAMPLE < least ? out->k + OVERSAMPLE : least;
    l = least <= SMALL_SIDE ? least : l;
    struct lw_arena scratch;
    lw_arena_init(&scratch, arena->mem, 0);
    double *v = lw_arena_array(&scratch, a->d * l, sizeof *v);
    double *av = lw_arena_array(&scratch, a->d * l, sizeof *av);
    double *keep = lw_arena_array(&scratch, a->d * l, sizeof *keep);
    double *row = lw_arena_array(&scratch, l, sizeof *row);
    double *size = lw_arena_array(&scratch, l, sizeof *size);
    double *small = lw_arena_array(&scratch, 2 * l * l, sizeof *small);
    double *last = lw_arena_array(&scratch, out->k, sizeof *last);
    if (!v || !av || !keep || !row || !size || !small || !last) {
        lw_arena_release(&scratch);
        return lw_err_nomem(err);
    }
    struct lw_rng rng;
    lw_rng_init(&rng, seed, 0);
    bool whole = l == a->d; /* the basis spans everything: one step is exact */
    for (size_t i = 0; i < a->d * l; i++)
        v[i] = whole ? i / l == i % l : lw_rng_normal(&rng);
    for (int round = 0; round < (whole ? 1 : MOST_ROUNDS); round++) {
        if (!whole) {
            apply(a, v, av, row, l);
            orthonormalise(v, a->d, l, size);
        }
        memcpy(keep, v, a->d * l * sizeof *v);
        apply(a, v, av, row, l);
        rayleigh(out, keep, v, l, small, size, small + l * l);
        double change = 0;
        for (size_t c = 0; c < out->k; c++) {
            change = fmax(change, fabs(out->singular[c] - last[c]));
            last[c] = out->singular[c];
        }
        if (change <= 1e-13 * out->singular[0])
            break;
        orthonormalise(v, a->d, l, size);
    }
    lw_arena_release(&scratch);
    return 0;
}

static int prepare(struct lw_svd *out, struct lw_arena *arena, size_t n, size_t d, size_t k,
                   struct lw_err *err)
{
    if (k == 0 || k > n || k > d)
        return lw_err_set(err, LW_EINVAL, "cannot find %zu components of %zu x %zu", k, n, d);
    *out = (struct lw_svd){.k = k, .d = d};
    out->mean = lw_arena_array(arena, d, sizeof *out->mean);
    out->component = lw_arena_array(arena, k * d, sizeof *out->component);
    out->singular = lw_arena_array(arena, k, sizeof *out->singular);
    out->variance = lw_arena_array(arena, k, sizeof *out->variance);
    return out->mean && out->component && out->singular && out->variance ? 0
                                                                         : lw_err_nomem(err);
}

int lw_pca(struct lw_svd *out, struct lw_arena *arena, const double *x, size_t n, size_t d,
           size_t k, uint64_t seed, struct lw_err *err)
{
    if (prepare(out, arena, n, d, k, err) < 0)
        return err->code;
    for (size_t i = 0; i < n * d; i++) {
        if (!isfinite(x[i]))
            return lw_err_set(err, LW_EINVAL, "row %zu has a value that is not finite",
                              i / d + 1);
        out->mean[i % d] += x[i] / (double)n;
    }
    struct operand a = {.n = n, .d = d, .x = x, .mean = out->mean};
    if (by_subspace(out, arena, &a, seed, err) < 0)
        return err->code;
    double rows = n > 1 ? (double)(n - 1) : 1;
    for (size_t i = 0; i < n * d; i++) {
        double v = x[i] - out->mean[i % d];
        out->total_variance += v * v / rows;
    }
    for (size_t c = 0; c < k; c++)
        out->variance[c] = out->singular[c] * out->singular[c] / rows;
    return 0;
}

int lw_truncated_svd(struct lw_svd *out, struct lw_arena *arena, const struct lw_sparse *x,
                     size_t k, uint64_t seed, struct lw_err *err)
{
    if (lw_sparse_check(x, err) < 0 || prepare(out, arena, x->n, x->d, k, err) < 0)
        return err->code;
    struct operand a = {.n = x->n, .d = x->d, .sparse = x};
    return by_subspace(out, arena, &a, seed, err);
}

void lw_svd_project(const struct lw_svd *s, const double *x, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < s->k; c++) {
            double sum = 0;
            for (size_t j = 0; j < s->d; j++)
                sum += (x[i * s->d + j] - s->mean[j]) * s->component[c * s->d + j];
            to[i * s->k + c] = sum;
        }
}
