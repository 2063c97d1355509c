/*
 * The ranker: linear, in two stages.
 *
 * Stage one minimises |w|^2/2 + strength * sum over reports of
 *
 *     mean over changed c of log(1 + sum over others o of exp(s_o - s_c))     the top counts
 *   + pairs * mean over (c, o) of log(1 + exp(s_o - s_c))                     the whole counts
 *
 * by L-BFGS. Stage two sees the same features and what the first stage's best files bring
 * along: files that changed together with them, import them or are imported by them, share
 * their folder or name. Half of what is lost on fixes of several files is there.
 *
 * What a report says is evidence for a file, so most weights of stage one are not below 0.
 * Stage two is the mean of several models, half of them without that bound.
 *
 * Stage two must learn from scores as they are on unseen projects, so the scores of its lessons
 * come from models that were learnt on other projects than the lesson's (FOLDS of them).
 */
#include "locate/tech_lacewing.h"

#include <math.h>

#include "base/ctx.h"
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "numeric/rank.h"
#include "numeric/simd.h"

enum { FOLDS = 4, TOPS = 3, MEMORY = 8, ITERATIONS = 150 };
enum { SECOND_COLUMNS = ALL_COLUMNS - FIRST_COLUMNS }; /* what stage two adds */

/* What a report says of a file is evidence for it, however little: its weight is not below 0.
 * Learnt freely from some hundred reports, a third of the weights were, each cancelling another
 * of much the same meaning, and not on other projects. These are no evidence by themselves. */
static const enum lacewing_column any_sign[] = {
    COL_TRACE_COUNT, COL_REPORTED,  COL_CHANGES, COL_FIXES, COL_RECENT_CHANGES, COL_LAST_CHANGE,
    COL_LINES,       COL_FUNCTIONS, COL_IS_INIT, COL_ASIDE, COL_DEPTH,          COL_FIRST_SCORE,
};

/* ---- The objective ----------------------------------------------------------------------- */

struct list {
    const float *rows; /* (n, columns) */
    size_t n;
    const uint32_t *truth;
    size_t truth_count;
};

struct problem {
    const struct list *lists;
    size_t count, columns;
    double strength, pairs;
    double *scores, *pull; /* room for the longest list */
    const bool *off;       /* (columns): left out */
    const bool *any_sign;  /* (columns): the others' weights are not below 0 */
};

static double best_other(const struct list *l, const double *scores)
{
    double most = -INFINITY;
    for (size_t i = 0, t = 0; i < l->n; i++) {
        if (t < l->truth_count && l->truth[t] == i)
            t++;
        else if (scores[i] > most)
            most = scores[i];
    }
    return most;
}

/* Adds `weight` times the mean over (changed, other) pairs of log(1 + exp(other - changed)). */
static double pair_loss(const struct list *l, const double *scores, double weight, double *pull)
{
    double share = weight / (double)((l->n - l->truth_count) * l->truth_count), loss = 0;
    for (size_t i = 0, t = 0; i < l->n; i++) {
        if (t < l->truth_count && l->truth[t] == i) {
            t++;
            continue;
        }
        for (size_t k = 0; k < l->truth_count; k++) {
            double behind = scores[i] - scores[l->truth[k]];
            double slope = share / (1 + exp(-behind));
            loss += share * (behind > 30 ? behind : log1p(exp(behind)));
            pull[i] += slope;
            pull[l->truth[k]] -= slope;
        }
    }
    return loss;
}

/* The loss of one list: for each changed file, how far the others together outweigh it.
 * `pull` gets its derivative by each score. */
static double list_loss(const struct list *l, const double *scores, double pairs, double *pull)
{
    memset(pull, 0, l->n * sizeof *pull);
    if (!l->truth_count || l->n == l->truth_count)
        return 0;
    double share = 1.0 / (double)l->truth_count, loss = 0, sum = 0, others = 0;
    double most = best_other(l, scores);
    for (size_t i = 0, t = 0; i < l->n; i++) {
        if (t < l->truth_count && l->truth[t] == i)
            t++;
        else
            sum += pull[i] = exp(scores[i] - most);
    }
    for (size_t k = 0; k < l->truth_count; k++) {
        double own = scores[l->truth[k]], high = own > most ? own : most;
        double rest = sum * exp(most - high), all = exp(own - high) + rest;
        loss += share * (log(all) + high - own);
        others += share * exp(most - high) / all;
        pull[l->truth[k]] = -share * rest / all;
    }
    for (size_t i = 0, t = 0; i < l->n; i++) {
        if (t < l->truth_count && l->truth[t] == i)
            t++;
        else
            pull[i] *= others;
    }
    return loss + pair_loss(l, scores, pairs, pull);
}

/* s + row (n) w (n) */
static double add_dot(double s, const float *row, const double *w, size_t n)
{
    for (size_t k = 0; k < n; k++)
        s += row[k] * w[k];
    return s;
}

/* scores (n) = rows (n, columns) w, in single precision: the features are no better. */
LW_SIMD_BODY void score_rows_body(const float *rows, size_t n, size_t columns, const float *w,
                                  double *scores)
{
    for (size_t r = 0; r < n; r++) {
        const float *row = &rows[r * columns];
        lw_v8f sum = {0}, a, b;
        size_t k = 0;
        for (; k + 8 <= columns; k += 8) {
            LW_LOAD8F(a, row + k);
            LW_LOAD8F(b, w + k);
            sum += a * b;
        }
        float s =
            ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
        for (; k < columns; k++)
            s += row[k] * w[k];
        scores[r] = s;
    }
}
LW_SIMD(score_rows,
        (const float *rows, size_t n, size_t columns, const float *w, double *scores),
        (rows, n, columns, w, scores))

/* out (columns) += pull (n) rows (n, columns) */
LW_SIMD_BODY void pull_rows_body(const float *rows, size_t n, size_t columns,
                                 const double *pull, float *out)
{
    for (size_t r = 0; r < n; r++) {
        const float *row = &rows[r * columns];
        float p = (float)pull[r];
        lw_v8f a, b;
        size_t k = 0;
        for (; k + 8 <= columns; k += 8) {
            LW_LOAD8F(a, row + k);
            LW_LOAD8F(b, out + k);
            b += a * p;
            memcpy(out + k, &b, sizeof b);
        }
        for (; k < columns; k++)
            out[k] += row[k] * p;
    }
}
LW_SIMD(pull_rows,
        (const float *rows, size_t n, size_t columns, const double *pull, float *out),
        (rows, n, columns, pull, out))

/* The objective at `w`; `gradient` gets its derivative. */
static double objective(const struct problem *p, const double *w, double *gradient)
{
    double value = 0, weight = p->strength;
    for (size_t k = 0; k < p->columns; k++) {
        value += w[k] * w[k] / 2;
        gradient[k] = w[k];
    }
    float narrow[ALL_COLUMNS], slope[ALL_COLUMNS];
    for (size_t k = 0; k < p->columns; k++)
        narrow[k] = (float)w[k];
    for (size_t i = 0; i < p->count; i++) {
        const struct list *l = &p->lists[i];
        score_rows(l->rows, l->n, p->columns, narrow, p->scores);
        value += weight * list_loss(l, p->scores, p->pairs, p->pull);
        memset(slope, 0, sizeof slope);
        pull_rows(l->rows, l->n, p->columns, p->pull, slope);
        for (size_t k = 0; k < p->columns; k++)
            gradient[k] += weight * slope[k];
    }
    for (size_t k = 0; p->off && k < p->columns; k++)
        if (p->off[k])
            gradient[k] = w[k];
    return value;
}

/* ---- L-BFGS (Liu and Nocedal 1989) ------------------------------------------------------- */

static double dot(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

struct lbfgs {
    double step[MEMORY][ALL_COLUMNS], change[MEMORY][ALL_COLUMNS], rho[MEMORY];
    size_t n; /* pairs seen */
};

/* The direction of descent for gradient `g`. */
static void direction(const struct lbfgs *m, const double *g, double *d, size_t n)
{
    double alpha[MEMORY] = {0};
    size_t kept = m->n < MEMORY ? m->n : MEMORY;
    for (size_t i = 0; i < n; i++)
        d[i] = -g[i];
    for (size_t k = 0; k < kept; k++) {
        size_t at = (m->n - 1 - k) % MEMORY;
        alpha[at] = m->rho[at] * dot(m->step[at], d, n);
        for (size_t i = 0; i < n; i++)
            d[i] -= alpha[at] * m->change[at][i];
    }
    size_t last = (m->n - 1) % MEMORY;
    double scale = kept ? 1 / (m->rho[last] * dot(m->change[last], m->change[last], n))
                        : 1 / (1 + sqrt(dot(g, g, n)));
    for (size_t i = 0; i < n; i++)
        d[i] *= scale;
    for (size_t k = kept; k-- > 0;) {
        size_t at = (m->n - 1 - k) % MEMORY;
        double beta = m->rho[at] * dot(m->change[at], d, n);
        for (size_t i = 0; i < n; i++)
            d[i] += (alpha[at] - beta) * m->step[at][i];
    }
}

/* At the bound, and descent would lead beyond it. */
static bool is_stuck(const struct problem *p, const double *w, const double *g, size_t k)
{
    return !p->any_sign[k] && w[k] <= 0 && g[k] > 0;
}

/* The direction in the columns that can move; steps in others are cut at the bound
 * (Bertsekas 1982: the bound columns must not take part in the curvature). */
static void free_direction(const struct problem *p, const struct lbfgs *m, const double *w,
                           const double *g, double *d)
{
    double free[ALL_COLUMNS];
    for (size_t k = 0; k < p->columns; k++)
        free[k] = is_stuck(p, w, g, k) ? 0 : g[k];
    direction(m, free, d, p->columns);
    for (size_t k = 0; k < p->columns; k++)
        if (is_stuck(p, w, g, k))
            d[k] = 0;
    if (dot(free, d, p->columns) < 0)
        return;
    for (size_t k = 0; k < p->columns; k++)
        d[k] = -free[k];
}

/* Backtracks from a full step until the value falls enough; false when it does not. */
static bool line_search(const struct problem *p, const double *w, const double *g,
                        const double *d, double value, double *next, double *gradient,
                        double *next_value)
{
    double t = 1;
    for (int tries = 0; tries < 30; tries++, t /= 2) {
        double descent = 0;
        for (size_t i = 0; i < p->columns; i++) {
            next[i] = w[i] + t * d[i];
            if (next[i] < 0 && !p->any_sign[i])
                next[i] = 0;
            descent += g[i] * (next[i] - w[i]);
        }
        *next_value = objective(p, next, gradient);
        if (*next_value <= value + 1e-4 * descent && descent < 0)
            return true;
    }
    return false;
}

static void remember(struct lbfgs *m, const double *w, const double *next, const double *g,
                     const double *next_g, size_t n)
{
    size_t at = m->n % MEMORY;
    for (size_t i = 0; i < n; i++) {
        m->step[at][i] = next[i] - w[i];
        m->change[at][i] = next_g[i] - g[i];
    }
    double curve = dot(m->step[at], m->change[at], n);
    if (curve > 1e-12) {
        m->rho[at] = 1 / curve;
        m->n++;
    }
}

/* `w` (columns) holds the start and gets the minimum. */
static int minimise(const struct problem *p, struct lw_mem *mem, double *w)
{
    size_t n = p->columns;
    struct lbfgs *m = lw_mem_alloc(mem, sizeof *m);
    if (!m)
        return LW_ENOMEM;
    double g[ALL_COLUMNS], next_g[ALL_COLUMNS], next[ALL_COLUMNS], d[ALL_COLUMNS], next_value;
    double value = objective(p, w, g);
    for (int i = 0; i < ITERATIONS; i++) {
        free_direction(p, m, w, g, d);
        if (dot(g, d, n) > -1e-9 || !line_search(p, w, g, d, value, next, next_g, &next_value))
            break;
        remember(m, w, next, g, next_g, n);
        bool done = value - next_value < 1e-6 * (1 + fabs(value));
        value = next_value;
        memcpy(w, next, n * sizeof *w);
        memcpy(g, next_g, n * sizeof *g);
        if (done)
            break;
    }
    lw_mem_free(mem, m, sizeof *m);
    return 0;
}

/* ---- Stage two --------------------------------------------------------------------------- */

/* The files with the best scores, ties by number. */
static size_t best_files(const double *scores, size_t n, uint32_t *top)
{
    size_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t at = kept;
        while (at > 0 && scores[top[at - 1]] < scores[i])
            at--;
        if (at >= TOPS)
            continue;
        for (size_t k = kept < TOPS ? kept : TOPS - 1; k > at; k--)
            top[k] = top[k - 1];
        top[at] = i;
        kept += kept < TOPS;
    }
    return kept;
}

static void raise_to(float *cell, double value)
{
    if (value > *cell)
        *cell = (float)value;
}

static float *cell(float *rows, size_t file, int column)
{
    return &rows[file * SECOND_COLUMNS + (size_t)(column - FIRST_COLUMNS)];
}

/* What changed together with the file `top`: of its commits, the share that changed each. */
static void add_together(const struct lacewing_extra *x, uint32_t top, double weight,
                         float *rows, double *share, size_t n)
{
    uint32_t commits = x->touch_start[top + 1] - x->touch_start[top];
    memset(share, 0, n * sizeof *share);
    for (uint32_t k = x->touch_start[top]; k < x->touch_start[top + 1]; k++) {
        uint32_t commit = x->touches[k];
        uint32_t from = x->commit_start[commit], to = x->commit_start[commit + 1];
        for (uint32_t i = from; i < to; i++)
            share[x->commits[i]] += 1 / log2(1.0 + (to - from));
    }
    for (size_t i = 0; i < n; i++) {
        if (i == top || share[i] <= 0)
            continue;
        double s = share[i] / (commits + 3.0);
        raise_to(cell(rows, i, COL_TOGETHER_BEST), s);
        *cell(rows, i, COL_TOGETHER) += (float)(weight * s);
    }
}

static void add_neighbours(const struct lacewing_extra *x, uint32_t top, double weight,
                           float *rows, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i == top)
            continue;
        for (uint32_t k = x->import_start[i]; k < x->import_start[i + 1]; k++)
            if (x->imports[k] == top)
                raise_to(cell(rows, i, COL_IMPORTS_TOP), weight);
        if (x->folder[i] == x->folder[top])
            raise_to(cell(rows, i, COL_SAME_FOLDER), weight);
        if (x->base[i] == x->base[top] && x->base[top] != UINT32_MAX)
            raise_to(cell(rows, i, COL_SAME_NAME), weight);
    }
    for (uint32_t k = x->import_start[top]; k < x->import_start[top + 1]; k++)
        raise_to(cell(rows, x->imports[k], COL_IMPORTED_BY_TOP), weight);
}

/* The score, mean 0 and deviation 1 (a report with little in it is not blown up: then as it
 * is), and 1 / rank. */
static int add_scores(const double *scores, size_t n, float *rows, struct lw_mem *mem)
{
    double mean = 0, square = 0;
    uint32_t *order = lw_mem_alloc(mem, (n + 1) * sizeof *order);
    if (!order)
        return LW_ENOMEM;
    for (size_t i = 0; i < n; i++)
        mean += scores[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (scores[i] - mean) * (scores[i] - mean) / (double)n;
    double deviation = square > 1 ? sqrt(square) : 1;
    int rc = lw_sort_order(mem, scores, n, order);
    for (size_t i = 0; i < n && rc == 0; i++) {
        *cell(rows, i, COL_FIRST_SCORE) = (float)((scores[i] - mean) / deviation);
        *cell(rows, order[n - 1 - i], COL_FIRST_RANK) = 1 / (float)(1 + i);
    }
    lw_mem_free(mem, order, (n + 1) * sizeof *order);
    return rc;
}

/* What stage two adds to the rows, for scores of stage one. (n, SECOND_COLUMNS) zeroed room. */
static int second_rows(const struct lw_features *f, const double *scores, struct lw_mem *mem,
                       float *rows)
{
    size_t n = f->n;
    uint32_t top[TOPS];
    double *share = lw_mem_alloc(mem, (n + 1) * sizeof *share), sum = 0;
    if (!share)
        return LW_ENOMEM;
    size_t tops = best_files(scores, n, top);
    for (size_t i = 0; i < n; i++)
        sum += exp(scores[i] - scores[top[0]]);
    int rc = n ? add_scores(scores, n, rows, mem) : 0;
    for (size_t k = 0; k < tops; k++) {
        double weight = exp(scores[top[k]] - scores[top[0]]) / sum;
        add_together(f->extra, top[k], weight, rows, share, n);
        add_neighbours(f->extra, top[k], weight, rows, n);
    }
    lw_mem_free(mem, share, (n + 1) * sizeof *share);
    return rc;
}

/* Rows of both stages, (n, ALL_COLUMNS) in the arena; NULL when memory ran out. */
static float *whole_rows(const struct lw_features *f, const double *scores, struct lw_mem *mem,
                         struct lw_arena *arena)
{
    size_t size = (f->n * SECOND_COLUMNS + 1) * sizeof(float);
    float *rows = lw_arena_array(arena, f->n * ALL_COLUMNS + 1, sizeof *rows);
    float *added = lw_mem_alloc(mem, size);
    int rc = rows && added ? second_rows(f, scores, mem, added) : LW_ENOMEM;
    for (size_t i = 0; i < f->n && rc == 0; i++) {
        float *row = &rows[i * ALL_COLUMNS];
        memcpy(row, &f->rows[i * FIRST_COLUMNS], FIRST_COLUMNS * sizeof *row);
        memcpy(row + FIRST_COLUMNS, &added[i * SECOND_COLUMNS], SECOND_COLUMNS * sizeof *row);
    }
    lw_mem_free(mem, added, size);
    return rc == 0 ? rows : NULL;
}

static void first_scores(const struct lw_features *f, const double *w, double *scores)
{
    for (size_t i = 0; i < f->n; i++)
        scores[i] = add_dot(0, &f->rows[i * FIRST_COLUMNS], w, FIRST_COLUMNS);
}

/* ---- Learning ---------------------------------------------------------------------------- */

struct learning {
    const struct lw_lesson *lessons;
    size_t n;
    struct lw_mem *mem;
    struct lw_arena arena;
    double strength, pairs;
    struct list *lists;
    double *scores, *pull;
    bool off[ALL_COLUMNS], any_sign[ALL_COLUMNS];
    const bool *signs; /* the bounds in force */
};

static int fold_of(const struct lw_lesson *l)
{
    return (int)(l->project % FOLDS);
}

/* Learns on the lists; those of fold `without` (-1: none) are left out. */
static int fit(struct learning *g, const struct list *all, size_t columns, int without,
               double *w)
{
    struct problem p = {g->lists,  0,       columns, g->strength, g->pairs,
                        g->scores, g->pull, g->off,  g->signs};
    for (size_t i = 0; i < g->n; i++)
        if (without < 0 || fold_of(&g->lessons[i]) != without)
            g->lists[p.count++] = all[i];
    return p.count ? minimise(&p, g->mem, w) : 0;
}

/* The lists of stage two: each scored by a model that has not seen its fold. */
static int second_lists(struct learning *g, const struct list *first, const double *start,
                        struct list *second)
{
    for (int fold = 0; fold < FOLDS; fold++) {
        double w[ALL_COLUMNS] = {0};
        memcpy(w, start, FIRST_COLUMNS * sizeof *w);
        if (fit(g, first, FIRST_COLUMNS, fold, w) < 0)
            return LW_ENOMEM;
        for (size_t i = 0; i < g->n; i++) {
            const struct lw_features *f = g->lessons[i].features;
            if (fold_of(&g->lessons[i]) != fold)
                continue;
            first_scores(f, w, g->scores);
            second[i] = first[i];
            second[i].rows = whole_rows(f, g->scores, g->mem, &g->arena);
            if (!second[i].rows)
                return LW_ENOMEM;
        }
    }
    return 0;
}

/* Stage two as the mean of several: learnt with bounds and without, on all lessons and without
 * those of each fold. What only some projects say, or only the cancelling of columns, is
 * damped. `w` holds the start. */
static int fit_mean(struct learning *g, const struct list *lists, double *w)
{
    bool all[ALL_COLUMNS];
    const bool *bounds[] = {g->any_sign, all};
    double sum[ALL_COLUMNS] = {0};
    memset(all, true, sizeof all);
    for (size_t i = 0; i < 2; i++) {
        g->signs = bounds[i];
        for (int fold = -1; fold < FOLDS; fold++) {
            double one[ALL_COLUMNS];
            memcpy(one, w, sizeof one);
            if (fit(g, lists, ALL_COLUMNS, fold, one) < 0)
                return LW_ENOMEM;
            for (size_t k = 0; k < ALL_COLUMNS; k++)
                sum[k] += one[k] / (2 * (FOLDS + 1));
        }
    }
    memcpy(w, sum, sizeof sum);
    return 0;
}

static int learn_stages(struct learning *g, struct lacewing_model *m)
{
    struct list *first = lw_arena_array(&g->arena, g->n + 1, sizeof *first);
    struct list *second = lw_arena_array(&g->arena, g->n + 1, sizeof *second);
    size_t longest = 0;
    for (size_t i = 0; i < g->n; i++)
        longest = g->lessons[i].features->n > longest ? g->lessons[i].features->n : longest;
    g->lists = lw_arena_array(&g->arena, g->n + 1, sizeof *g->lists);
    g->scores = lw_arena_array(&g->arena, longest + 1, sizeof *g->scores);
    g->pull = lw_arena_array(&g->arena, longest + 1, sizeof *g->pull);
    if (!first || !second || !g->lists || !g->scores || !g->pull)
        return LW_ENOMEM;
    for (size_t i = 0; i < g->n; i++) {
        const struct lw_lesson *l = &g->lessons[i];
        first[i] = (struct list){l->features->rows, l->features->n, l->truth, l->truth_count};
    }
    if (fit(g, first, FIRST_COLUMNS, -1, m->first) < 0)
        return LW_ENOMEM;
    memcpy(m->second, m->first, sizeof m->first); /* a good place to start */
    if (g->off[COL_FIRST_RANK])
        return 0;
    if (second_lists(g, first, m->first, second) < 0)
        return LW_ENOMEM;
    return fit_mean(g, second, m->second);
}

int lacewing_learn(const struct lw_setup *setup, const struct lw_ctx *ctx,
                   const struct lw_lesson *lessons, size_t n, void **model, struct lw_err *err)
{
    struct lacewing_model *m = lw_mem_alloc(ctx->mem, sizeof *m);
    struct learning g = {.lessons = lessons, .n = n, .mem = ctx->mem};
    unsigned without = (unsigned)lw_setup_value(setup, "without");
    if (!m)
        return lw_err_nomem(err);
    lw_arena_init(&m->arena, ctx->mem, 0);
    lw_arena_init(&g.arena, ctx->mem, 0);
    g.strength = lw_setup_value(setup, "strength");
    g.pairs = lw_setup_value(setup, "pairs");
    g.signs = g.any_sign;
    for (size_t i = 0; i < sizeof any_sign / sizeof *any_sign; i++)
        g.any_sign[any_sign[i]] = true;
    for (size_t k = 0; k < ALL_COLUMNS; k++)
        g.off[k] = without >> lacewing_columns[k].group & 1;
    int rc = learn_stages(&g, m);
    lw_arena_release(&g.arena);
    if (rc < 0) {
        lacewing_discard(ctx->mem, m);
        return lw_err_nomem(err);
    }
    *model = m;
    return 0;
}

int lacewing_score(const struct lw_setup *setup, const void *model, const struct lw_features *f,
                   struct lw_mem *mem, double *scores, struct lw_err *err)
{
    (void)setup;
    const struct lacewing_model *m = model;
    size_t size = (f->n * SECOND_COLUMNS + 1) * sizeof(float);
    float *rows = lw_mem_alloc(mem, size);
    if (!rows)
        return lw_err_nomem(err);
    first_scores(f, m->first, scores);
    int rc = f->n ? second_rows(f, scores, mem, rows) : 0;
    for (size_t i = 0; i < f->n && rc == 0; i++)
        scores[i] =
            add_dot(add_dot(0, &f->rows[i * FIRST_COLUMNS], m->second, FIRST_COLUMNS),
                    &rows[i * SECOND_COLUMNS], m->second + FIRST_COLUMNS, SECOND_COLUMNS);
    lw_mem_free(mem, rows, size);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- The model as a table ---------------------------------------------------------------- */

int lacewing_save(const void *model, const struct lw_str *projects, size_t project_count,
                  struct lw_buf *out, struct lw_err *err)
{
    const struct lacewing_model *m = model;
    (void)lw_buf_addz(out, "lacewing-ranker 1\n# the projects it was learnt on\n");
    for (size_t i = 0; i < project_count; i++)
        (void)lw_buf_addf(out, "project %.*s\n", LW_F(projects[i]));
    (void)lw_buf_addz(out, "# weights: column, first stage, second stage\n");
    for (size_t k = 0; k < ALL_COLUMNS; k++)
        (void)lw_buf_addf(out, "%s %.6g %.6g\n", lacewing_columns[k].name,
                          k < FIRST_COLUMNS ? m->first[k] : 0.0, m->second[k]);
    return out->failed ? lw_err_nomem(err) : 0;
}

static int read_weights(struct lacewing_model *m, struct lw_str line, bool *seen)
{
    struct lw_str name, first, second;
    double a, b;
    if (!lw_str_split(&line, ' ', &name) || !lw_str_split(&line, ' ', &first) ||
        !lw_str_split(&line, ' ', &second) || !lw_parse_double(first, &a) ||
        !lw_parse_double(second, &b))
        return LW_ECORRUPT;
    for (size_t k = 0; k < ALL_COLUMNS; k++) {
        if (!lw_str_eq(lw_str(lacewing_columns[k].name), name))
            continue;
        if (seen[k])
            return LW_ECORRUPT;
        seen[k] = true;
        if (k < FIRST_COLUMNS)
            m->first[k] = a;
        m->second[k] = b;
        return 0;
    }
    return LW_ECORRUPT;
}

static int read_model(struct lacewing_model *m, struct lw_str text, struct lw_err *err)
{
    struct lw_str line, rest = text;
    bool seen[ALL_COLUMNS] = {0};
    size_t number = 0, rows = 0;
    m->projects = lw_arena_array(&m->arena, text.n / 8 + 1, sizeof *m->projects);
    if (!m->projects)
        return lw_err_nomem(err);
    while (lw_str_line(&rest, &line)) {
        number++;
        if (number == 1 ? lw_str_eq(line, LW_S("lacewing-ranker 1"))
                        : !line.n || line.p[0] == '#')
            continue;
        if (number > 1 && lw_str_has_prefix(line, LW_S("project "))) {
            struct lw_str name = lw_arena_copy(&m->arena, lw_str_from(line, 8));
            if (!name.p)
                return lw_err_nomem(err);
            m->projects[m->project_count++] = name;
        } else if (number == 1 || read_weights(m, line, seen) < 0) {
            return lw_err_set(err, LW_ECORRUPT, "model of lacewing, line %zu: cannot be read",
                              number);
        } else {
            rows++;
        }
    }
    if (rows != ALL_COLUMNS)
        return lw_err_set(err, LW_ECORRUPT, "model of lacewing: %zu of %d columns", rows,
                          ALL_COLUMNS);
    return 0;
}

int lacewing_load(struct lw_mem *mem, struct lw_str text, void **model, struct lw_err *err)
{
    struct lacewing_model *m = lw_mem_alloc(mem, sizeof *m);
    if (!m)
        return lw_err_nomem(err);
    lw_arena_init(&m->arena, mem, 0);
    int rc = read_model(m, text, err);
    if (rc < 0) {
        lacewing_discard(mem, m);
        return rc;
    }
    *model = m;
    return 0;
}

bool lacewing_knows(const void *model, struct lw_str project)
{
    const struct lacewing_model *m = model;
    for (size_t i = 0; i < m->project_count; i++)
        if (lw_str_eq_nocase(m->projects[i], project))
            return true;
    return false;
}

void lacewing_discard(struct lw_mem *mem, void *model)
{
    struct lacewing_model *m = model;
    if (!m)
        return;
    lw_arena_release(&m->arena);
    lw_mem_free(mem, m, sizeof *m);
}
