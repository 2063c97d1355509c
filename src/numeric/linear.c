#include "numeric/linear.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "numeric/rng.h"

static double row_dot(const struct lw_sparse *x, size_t i, const double *w)
{
    double s = 0;
    for (size_t j = x->start[i]; j < x->start[i + 1]; j++)
        s += x->value[j] * w[x->column[j]];
    return s;
}

static void row_add(const struct lw_sparse *x, size_t i, double f, double *w)
{
    for (size_t j = x->start[i]; j < x->start[i + 1]; j++)
        w[x->column[j]] += f * x->value[j];
}

static double dot(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

/* ---- Logistic regression -------------------------------------------------------------------
 */

/* Newton's method with conjugate gradients for the step (C. Lin, R. Weng & S. Keerthi 2008) and
 * a backtracking line search. The last component of every vector is the bias. */
struct newton {
    const struct lw_sparse *x;
    const double *y;                           /* -1 or 1 */
    const double *cost;                        /* (n): C times the weight of the row */
    size_t d;                                  /* components: features + 1 */
    double *w, *g, *s, *r, *p, *hp, *diagonal; /* (d) */
    double *margin, *step, *curve;             /* (n): w.x, s.x, c sigma' */
};

/* log(1 + e^-t) without overflow. */
static double log_loss(double t)
{
    return t > 0 ? log1p(exp(-t)) : log1p(exp(t)) - t;
}

static double objective(const struct newton *m, double along)
{
    double sum = 0, ww = 0;
    for (size_t i = 0; i < m->x->n; i++)
        sum += m->cost[i] * log_loss(m->y[i] * (m->margin[i] + along * m->step[i]));
    for (size_t j = 0; j + 1 < m->d; j++) {
        double w = m->w[j] + along * m->s[j];
        ww += w * w;
    }
    return ww / 2 + sum;
}

/* Gradient, curvature and the Hessian's diagonal at w. */
static double gradient(struct newton *m)
{
    size_t last = m->d - 1;
    memcpy(m->g, m->w, last * sizeof *m->g);
    m->g[last] = 0;
    for (size_t j = 0; j < last; j++)
        m->diagonal[j] = 1;
    m->diagonal[last] = 1e-12;
    for (size_t i = 0; i < m->x->n; i++) {
        double p = 1 / (1 + exp(m->y[i] * m->margin[i])); /* of being wrong */
        double slope = -m->cost[i] * m->y[i] * p;
        m->curve[i] = m->cost[i] * p * (1 - p);
        row_add(m->x, i, slope, m->g);
        m->g[last] += slope;
        m->diagonal[last] += m->curve[i];
        for (size_t j = m->x->start[i]; j < m->x->start[i + 1]; j++)
            m->diagonal[m->x->column[j]] += m->curve[i] * m->x->value[j] * m->x->value[j];
    }
    double most = 0;
    for (size_t j = 0; j < m->d; j++)
        most = fmax(most, fabs(m->g[j]));
    return most;
}

static void hessian_times(const struct newton *m, const double *v, double *out)
{
    size_t last = m->d - 1;
    memcpy(out, v, last * sizeof *out);
    out[last] = 0;
    for (size_t i = 0; i < m->x->n; i++) {
        if (m->curve[i] == 0)
            continue;
        double t = m->curve[i] * (row_dot(m->x, i, v) + v[last]);
        row_add(m->x, i, t, out);
        out[last] += t;
    }
}

/* Solves H s = -g to the relative residual `share`, preconditioned by the diagonal. */
static void newton_step(struct newton *m, double share)
{
    size_t d = m->d;
    memset(m->s, 0, d * sizeof *m->s);
    double rz = 0, norm = 0;
    for (size_t j = 0; j < d; j++) {
        m->r[j] = -m->g[j];
        m->p[j] = m->r[j] / m->diagonal[j];
        rz += m->r[j] * m->p[j];
        norm += m->r[j] * m->r[j];
    }
    double goal = share * share * norm;
    for (int i = 0; i < 500 && norm > goal && rz > 0; i++) {
        hessian_times(m, m->p, m->hp);
        double curvature = dot(m->p, m->hp, d);
        if (!(curvature > 0))
            break;
        double alpha = rz / curvature, next = 0;
        norm = 0;
        for (size_t j = 0; j < d; j++) {
            m->s[j] += alpha * m->p[j];
            m->r[j] -= alpha * m->hp[j];
            norm += m->r[j] * m->r[j];
            next += m->r[j] * m->r[j] / m->diagonal[j];
        }
        for (size_t j = 0; j < d; j++)
            m->p[j] = m->r[j] / m->diagonal[j] + next / rz * m->p[j];
        rz = next;
    }
}

static void minimise(struct newton *m, const struct lw_linear_options *o)
{
    double tolerance = o->tolerance > 0 ? o->tolerance : 1e-4;
    size_t most = o->max_iterations ? o->max_iterations : 200, last = m->d - 1;
    double value = objective(m, 0), first = 0;
    for (size_t it = 0; it < most; it++) {
        double size = gradient(m);
        first = it == 0 ? size : first;
        if (size <= tolerance)
            break;
        /* A rough step is enough far from the goal; near it, the goal decides. */
        newton_step(m, fmax(fmin(0.25, sqrt(size / first)), 0.3 * tolerance / size));
        for (size_t i = 0; i < m->x->n; i++)
            m->step[i] = row_dot(m->x, i, m->s) + m->s[last];
        double slope = dot(m->g, m->s, m->d), along = 1, next;
        while ((next = objective(m, along)) > value + 1e-4 * along * slope && along > 1e-10)
            along /= 2;
        if (!(next <= value))
            break; /* nothing more to gain in double precision */
        value = next;
        for (size_t j = 0; j < m->d; j++)
            m->w[j] += along * m->s[j];
        for (size_t i = 0; i < m->x->n; i++)
            m->margin[i] += along * m->step[i];
    }
}

/* ---- Support vectors
 * -------------------------------------------------------------------------- */

/* Dual coordinate descent for the squared hinge loss (C. Hsieh et al. 2008, algorithm 1). */
static void descend(const struct lw_sparse *x, const double *y,
                    const struct lw_linear_options *o, double *w, double *bias, double *alpha,
                    double *q, uint32_t *order)
{
    double c = o->c > 0 ? o->c : 1, add = 1 / (2 * c);
    double tolerance = o->tolerance > 0 ? o->tolerance : 1e-4;
    size_t most = o->max_iterations ? o->max_iterations : 1000;
    struct lw_rng rng;
    lw_rng_init(&rng, o->seed, 0);
    *bias = 0;
    for (size_t i = 0; i < x->n; i++) {
        order[i] = (uint32_t)i;
        alpha[i] = 0;
        q[i] = 1 + add; /* the bias is a column of ones */
        for (size_t j = x->start[i]; j < x->start[i + 1]; j++)
            q[i] += x->value[j] * x->value[j];
    }
    for (size_t it = 0; it < most; it++) {
        double worst = 0;
        lw_rng_shuffle(&rng, order, x->n);
        for (size_t k = 0; k < x->n; k++) {
            size_t i = order[k];
            double g = y[i] * (row_dot(x, i, w) + *bias) - 1 + add * alpha[i];
            double projected = alpha[i] == 0 ? fmin(g, 0) : g;
            worst = fmax(worst, fabs(projected));
            if (projected == 0)
                continue;
            double old = alpha[i];
            alpha[i] = fmax(0, old - g / q[i]);
            row_add(x, i, (alpha[i] - old) * y[i], w);
            *bias += (alpha[i] - old) * y[i];
        }
        if (worst <= tolerance)
            break;
    }
}

/* ---- Faces
 * --------------------------------------------------------------------------------------- */

static int begin(struct lw_linear *out, struct lw_arena *arena, const struct lw_sparse *x,
                 const uint32_t *label, size_t classes, struct lw_err *err)
{
    if (x->n == 0 || classes < 2)
        return lw_err_set(err, LW_EINVAL, "rows of at least two classes are needed");
    if (lw_sparse_check(x, err) < 0)
        return err->code;
    for (size_t i = 0; i < x->n; i++)
        if (label[i] >= classes)
            return lw_err_set(err, LW_EINVAL, "row %zu has no class", i + 1);
    *out = (struct lw_linear){.features = x->d, .outputs = classes == 2 ? 1 : classes};
    out->weight = lw_arena_array(arena, out->outputs * x->d, sizeof *out->weight);
    out->bias = lw_arena_array(arena, out->outputs, sizeof *out->bias);
    return out->weight && out->bias ? 0 : lw_err_nomem(err);
}

/* -1 and 1 for output k: class k against the rest, or class 1 against 0. */
static void signs(const struct lw_linear *m, const uint32_t *label, size_t n, size_t k,
                  double *y)
{
    uint32_t positive = m->outputs == 1 ? 1 : (uint32_t)k;
    for (size_t i = 0; i < n; i++)
        y[i] = label[i] == positive ? 1 : -1;
}

int lw_logistic_fit(struct lw_linear *out, struct lw_arena *arena, const struct lw_sparse *x,
                    const uint32_t *label, size_t classes, const struct lw_linear_options *o,
                    struct lw_err *err)
{
    if (begin(out, arena, x, label, classes, err) < 0)
        return err->code;
    size_t d = x->d + 1, n = x->n;
    struct lw_arena scratch;
    lw_arena_init(&scratch, arena->mem, 0);
    double *v = lw_arena_array(&scratch, 7 * d, sizeof *v);
    double *rows = lw_arena_array(&scratch, 5 * n, sizeof *rows);
    int rc = v && rows ? 0 : lw_err_nomem(err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rows[4 * n + i] = (o->c > 0 ? o->c : 1) * (o->weight ? o->weight[i] : 1);
    for (size_t k = 0; rc == 0 && k < out->outputs; k++) {
        struct newton m = {.x = x,
                           .y = rows,
                           .cost = rows + 4 * n,
                           .d = d,
                           .w = v,
                           .g = v + d,
                           .s = v + 2 * d,
                           .r = v + 3 * d,
                           .p = v + 4 * d,
                           .hp = v + 5 * d,
                           .diagonal = v + 6 * d,
                           .margin = rows + n,
                           .step = rows + 2 * n,
                           .curve = rows + 3 * n};
        memset(v, 0, 7 * d * sizeof *v);
        memset(rows, 0, 4 * n * sizeof *rows);
        signs(out, label, n, k, rows);
        minimise(&m, o);
        memcpy(out->weight + k * x->d, m.w, x->d * sizeof *m.w);
        out->bias[k] = m.w[x->d];
    }
    lw_arena_release(&scratch);
    return rc;
}

int lw_svm_fit(struct lw_linear *out, struct lw_arena *arena, const struct lw_sparse *x,
               const uint32_t *label, size_t classes, const struct lw_linear_options *o,
               struct lw_err *err)
{
    if (begin(out, arena, x, label, classes, err) < 0)
        return err->code;
    struct lw_arena scratch;
    lw_arena_init(&scratch, arena->mem, 0);
    double *rows = lw_arena_array(&scratch, 3 * x->n, sizeof *rows);
    uint32_t *order = lw_arena_array(&scratch, x->n, sizeof *order);
    int rc = rows && order ? 0 : lw_err_nomem(err);
    for (size_t k = 0; rc == 0 && k < out->outputs; k++) {
        signs(out, label, x->n, k, rows);
        descend(x, rows, o, out->weight + k * x->d, &out->bias[k], rows + x->n, rows + 2 * x->n,
                order);
    }
    lw_arena_release(&scratch);
    return rc;
}
