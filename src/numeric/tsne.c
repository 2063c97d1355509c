#include "numeric/tsne.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "numeric/knn.h"
#include "numeric/simd.h"
#include "numeric/svd.h"

enum { EXPLORE = 250, BLOCK = 512, DEPTH = 16, MOST_EXACT = 5000, LANES = 4 };

/* The joint probabilities of neighbours, symmetric, as sparse rows that add up to 1 in all. */
struct joint {
    size_t *start;
    uint32_t *to;
    double *p;
};

/* A square of the plane: its points' centre of mass; nodes are in depth-first order, so that
 * the first child follows its parent and `next` skips the whole branch. */
struct cell {
    double x, y;
    double size2; /* squared width over squared angle; 0 for a leaf: always taken as a whole */
    double count;
    uint32_t next;
};

struct embedding {
    struct lw_mem *mem;
    const struct lw_tsne_options *o;
    size_t n;
    struct joint joint;
    double *y;               /* (n, 2) */
    double *attract, *repel; /* (n, 2) */
    double *step, *gain;     /* (n, 2) */
    double *q_part;          /* (blocks) sums of q */
    double *kl_part;         /* (blocks) */
    double inv_angle2;
    struct cell *cell;
    size_t cells;
    uint64_t *key, *key2; /* place of a point on the Morton curve, and its number */
    double *sx, *sy;      /* points in that order, padded to LANES */
    double *fx, *fy, *fq; /* forces in that order */
    double q_sum, exaggeration;
    bool want_kl;
};

/* ---- Similarities
 * -------------------------------------------------------------------------------- */

/* p_j ~ exp(-beta d_j) with the beta whose entropy is log(perplexity), by bisection. */
static void row_probabilities(const double *dist, size_t k, double perplexity, double *p)
{
    double beta = 1, low = 0, high = INFINITY, goal = log(perplexity);
    double nearest = INFINITY;
    for (size_t j = 0; j < k; j++)
        nearest = fmin(nearest, dist[j]);
    for (int i = 0; i < 200; i++) {
        double sum = 0, weighted = 0;
        for (size_t j = 0; j < k; j++) {
            p[j] = exp(-beta * (dist[j] - nearest));
            sum += p[j];
            weighted += p[j] * (dist[j] - nearest);
        }
        double gap = log(sum) + beta * weighted / sum - goal;
        for (size_t j = 0; j < k; j++)
            p[j] /= sum;
        if (fabs(gap) < 1e-10)
            break;
        if (gap > 0)
            low = beta;
        else
            high = beta;
        beta = isinf(high) ? beta * 2 : (low + high) / 2;
    }
}

/* P + P^T over 2n, as sparse rows: first how many, then where. near (n, k). */
static int symmetrise(struct embedding *e, struct lw_arena *arena, const uint32_t *near,
                      const double *p, size_t k)
{
    size_t n = e->n;
    size_t *start = lw_arena_array(arena, n + 1, sizeof *start);
    size_t *fill = lw_arena_array(arena, n, sizeof *fill);
    uint32_t *to = lw_arena_array(arena, 2 * n * k, sizeof *to);
    double *v = lw_arena_array(arena, 2 * n * k, sizeof *v);
    double *dense = lw_arena_array(arena, n, sizeof *dense);
    if (!start || !fill || !to || !v || !dense)
        return LW_ENOMEM;
    for (size_t i = 0; i < n * k; i++) {
        fill[i / k]++;
        fill[near[i]]++;
    }
    for (size_t i = 0; i < n; i++) {
        start[i + 1] = start[i] + fill[i];
        fill[i] = start[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            uint32_t other = near[i * k + j];
            double half = p[i * k + j] / (2 * (double)n);
            v[fill[i]] = half;
            to[fill[i]++] = other;
            v[fill[other]] = half;
            to[fill[other]++] = (uint32_t)i;
        }
    /* A pair that is near both ways appears twice in a row: add the two. */
    size_t out = 0;
    for (size_t i = 0; i < n; i++) {
        size_t from = start[i], end = fill[i];
        for (size_t j = from; j < end; j++)
            dense[to[j]] += v[j];
        start[i] = out;
        for (size_t j = from; j < end; j++)
            if (dense[to[j]] > 0) {
                v[out] = dense[to[j]];
                dense[to[j]] = 0;
                to[out++] = to[j];
            }
    }
    start[n] = out;
    e->joint = (struct joint){start, to, v};
    return 0;
}

static int similarities(struct embedding *e, struct lw_arena *arena, const double *x, size_t d,
                        struct lw_err *err)
{
    size_t n = e->n;
    double perplexity = e->o->perplexity > 0 ? e->o->perplexity : 30;
    size_t k = e->o->exact ? n - 1 : (size_t)(3 * perplexity + 1);
    k = k < n - 1 ? k : n - 1;
    struct lw_arena scratch;
    lw_arena_init(&scratch, e->mem, 0);
    uint32_t *near = lw_arena_array(&scratch, n * (k + 1), sizeof *near);
    double *dist = lw_arena_array(&scratch, n * (k + 1), sizeof *dist);
    double *p = lw_arena_array(&scratch, n * k, sizeof *p);
    uint32_t *others = lw_arena_array(&scratch, n * k, sizeof *others);
    struct lw_knn *knn = NULL;
    int rc = near && dist && p && others ? lw_knn_new(&knn, e->mem, x, n, d, err)
                                         : lw_err_nomem(err);
    if (rc == 0)
        rc = lw_knn_search(knn, x, n, k + 1, e->o->jobs, near, dist, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        /* A point is its own nearest, or one of several at distance 0. */
        double *kept = dist + i * (k + 1);
        size_t m = 0;
        bool met = false;
        for (size_t j = 0; j < k + 1 && m < k; j++) {
            if (!met && near[i * (k + 1) + j] == i) {
                met = true;
                continue;
            }
            others[i * k + m] = near[i * (k + 1) + j];
            kept[m++] = dist[i * (k + 1) + j];
        }
        row_probabilities(kept, k, perplexity, p + i * k);
    }
    if (rc == 0 && symmetrise(e, arena, others, p, k) < 0)
        rc = lw_err_nomem(err);
    lw_knn_free(knn);
    lw_arena_release(&scratch);
    return rc;
}

/* ---- The tree of squares
 * --------------------------------------------------------------------------- */

static uint64_t spread_bits(uint64_t v)
{
    v &= 0xffff;
    v = (v | v << 8) & 0x00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

/* Radix sort of key >> 32, 16 bits a time would waste counters: four passes of 8. */
static void sort_keys(struct embedding *e)
{
    for (int pass = 0; pass < 4; pass++) {
        size_t count[257] = {0};
        int shift = 32 + 8 * pass;
        for (size_t i = 0; i < e->n; i++)
            count[(e->key[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++)
            count[d + 1] += count[d];
        for (size_t i = 0; i < e->n; i++)
            e->key2[count[e->key[i] >> shift & 255]++] = e->key[i];
        uint64_t *t = e->key;
        e->key = e->key2;
        e->key2 = t;
    }
}

/* Squares of points [from, to) of the sorted order; halving the square nests DEPTH deep. */
static void build_cell(struct embedding *e, size_t from, size_t to, int level, double size)
{
    uint32_t at = (uint32_t)e->cells++;
    struct cell c = {.count = (double)(to - from)};
    if (to - from == 1 || level == DEPTH) {
        for (size_t i = from; i < to; i++) {
            c.x += e->sx[i];
            c.y += e->sy[i];
        }
    } else {
        int shift = 32 + 2 * (DEPTH - 1 - level);
        c.size2 = size * size * e->inv_angle2;
        for (size_t i = from; i < to;) {
            uint64_t quarter = e->key[i] >> shift & 3;
            size_t j = i;
            while (j < to && (e->key[j] >> shift & 3) == quarter)
                j++;
            uint32_t child = (uint32_t)e->cells;
            build_cell(e, i, j, level + 1, size / 2);
            c.x += e->cell[child].x * e->cell[child].count;
            c.y += e->cell[child].y * e->cell[child].count;
            i = j;
        }
    }
    c.x /= c.count;
    c.y /= c.count;
    c.next = (uint32_t)e->cells;
    e->cell[at] = c;
}

static void build_tree(struct embedding *e)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * e->n; i++) {
        low[i % 2] = fmin(low[i % 2], e->y[i]);
        high[i % 2] = fmax(high[i % 2], e->y[i]);
    }
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-300) * 1.0000001;
    for (size_t i = 0; i < e->n; i++) {
        uint64_t a = (uint64_t)((e->y[2 * i] - low[0]) / size * 65536);
        uint64_t b = (uint64_t)((e->y[2 * i + 1] - low[1]) / size * 65536);
        e->key[i] = (spread_bits(a) | spread_bits(b) << 1) << 32 | i;
    }
    sort_keys(e);
    for (size_t i = 0; i < e->n; i++) {
        uint32_t from = (uint32_t)e->key[i];
        e->sx[i] = e->y[2 * (size_t)from];
        e->sy[i] = e->y[2 * (size_t)from + 1];
    }
    for (size_t i = e->n; i % LANES; i++) { /* the last vector is filled up */
        e->sx[i] = e->sx[e->n - 1];
        e->sy[i] = e->sy[e->n - 1];
    }
    e->cells = 0;
    build_cell(e, 0, e->n, 0, size);
}

/* Four neighbours on the curve walk the tree together: a square is opened when one of them is
 * too near to take it as a whole. */
LW_SIMD_BODY void walk_body(const struct embedding *e, size_t from, size_t to)
{
    const struct cell *cell = e->cell;
    uint32_t end = (uint32_t)e->cells;
    for (size_t i = from; i < to; i += LANES) {
        lw_v4d x, y, fx = {0}, fy = {0}, fq = {0};
        LW_LOAD4D(x, e->sx + i);
        LW_LOAD4D(y, e->sy + i);
        for (uint32_t at = 0; at < end;) {
            const struct cell *c = &cell[at];
            lw_v4d dx = x - c->x, dy = y - c->y, d2 = dx * dx + dy * dy;
            lw_v4i near = (lw_v4i)(d2 <= c->size2);
            if ((near[0] | near[1] | near[2] | near[3]) && c->size2 > 0) {
                at++;
                continue;
            }
            lw_v4d q = 1.0 / (1.0 + d2), m = q * c->count;
            fq += m;
            m *= q;
            fx += m * dx;
            fy += m * dy;
            at = c->next;
        }
        memcpy(e->fx + i, &fx, sizeof fx);
        memcpy(e->fy + i, &fy, sizeof fy);
        memcpy(e->fq + i, &fq, sizeof fq);
    }
}
LW_SIMD(walk, (const struct embedding *e, size_t from, size_t to), (e, from, to))

static int repel_block(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    (void)err;
    struct embedding *e = data;
    size_t from = item * BLOCK, to = from + BLOCK < e->n ? from + BLOCK : e->n;
    double sum = 0;
    walk(e, from, to);
    for (size_t i = from; i < to; i++) {
        size_t point = (uint32_t)e->key[i];
        e->repel[2 * point] = e->fx[i];
        e->repel[2 * point + 1] = e->fy[i];
        sum += e->fq[i] - 1; /* without the point itself */
    }
    e->q_part[item] = sum;
    return 0;
}

static int repel_exactly(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    (void)err;
    struct embedding *e = data;
    size_t from = item * BLOCK, to = from + BLOCK < e->n ? from + BLOCK : e->n;
    double sum = 0;
    for (size_t i = from; i < to; i++) {
        double fx = 0, fy = 0, fq = 0;
        for (size_t j = 0; j < e->n; j++) {
            double dx = e->y[2 * i] - e->y[2 * j], dy = e->y[2 * i + 1] - e->y[2 * j + 1];
            double q = 1 / (1 + dx * dx + dy * dy);
            fq += q;
            fx += q * q * dx;
            fy += q * q * dy;
        }
        e->repel[2 * i] = fx;
        e->repel[2 * i + 1] = fy;
        sum += fq - 1;
    }
    e->q_part[item] = sum;
    return 0;
}

/* ---- Attraction and steps
 * ----------------------------------------------------------------------------- */

LW_SIMD_BODY void pull_body(const struct embedding *e, size_t i, double *force)
{
    const struct joint *w = &e->joint;
    const double *y = e->y;
    double px = y[2 * i], py = y[2 * i + 1];
    lw_v4d x = {px, px, px, px}, z = {py, py, py, py}, fx = {0}, fy = {0};
    size_t j = w->start[i], end = w->start[i + 1];
    for (; j + LANES <= end; j += LANES) {
        const uint32_t *t = w->to + j;
        lw_v4d ax = {y[2 * (size_t)t[0]], y[2 * (size_t)t[1]], y[2 * (size_t)t[2]],
                     y[2 * (size_t)t[3]]};
        lw_v4d ay = {y[2 * (size_t)t[0] + 1], y[2 * (size_t)t[1] + 1], y[2 * (size_t)t[2] + 1],
                     y[2 * (size_t)t[3] + 1]};
        lw_v4d p, dx = x - ax, dy = z - ay;
        LW_LOAD4D(p, w->p + j);
        p /= 1.0 + dx * dx + dy * dy;
        fx += p * dx;
        fy += p * dy;
    }
    force[0] = (fx[0] + fx[2]) + (fx[1] + fx[3]);
    force[1] = (fy[0] + fy[2]) + (fy[1] + fy[3]);
    for (; j < end; j++) {
        double dx = px - y[2 * (size_t)w->to[j]], dy = py - y[2 * (size_t)w->to[j] + 1];
        double p = w->p[j] / (1 + dx * dx + dy * dy);
        force[0] += p * dx;
        force[1] += p * dy;
    }
}
LW_SIMD(pull, (const struct embedding *e, size_t i, double *force), (e, i, force))

static double divergence_of(const struct embedding *e, size_t i)
{
    const struct joint *w = &e->joint;
    double sum = 0;
    for (size_t j = w->start[i]; j < w->start[i + 1]; j++) {
        double dx = e->y[2 * i] - e->y[2 * (size_t)w->to[j]];
        double dy = e->y[2 * i + 1] - e->y[2 * (size_t)w->to[j] + 1];
        double q = 1 / (1 + dx * dx + dy * dy) / e->q_sum;
        sum += w->p[j] * log(fmax(w->p[j], 1e-300) / fmax(q, 1e-300));
    }
    return sum;
}

static int pull_block(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    (void)err;
    struct embedding *e = data;
    size_t from = item * BLOCK, to = from + BLOCK < e->n ? from + BLOCK : e->n;
    double sum = 0;
    for (size_t i = from; i < to; i++) {
        pull(e, i, e->attract + 2 * i);
        if (e->want_kl)
            sum += divergence_of(e, i);
    }
    e->kl_part[item] = sum;
    return 0;
}

static int forces(struct embedding *e, struct lw_err *err)
{
    size_t blocks = (e->n + BLOCK - 1) / BLOCK;
    struct lw_pool pool = {.count = blocks,
                           .jobs = e->o->jobs ? e->o->jobs : 1,
                           .data = e,
                           .work = e->o->exact ? repel_exactly : repel_block};
    if (!e->o->exact)
        build_tree(e);
    int rc = lw_pool_run(&pool, err);
    e->q_sum = 0;
    for (size_t b = 0; b < blocks; b++)
        e->q_sum += e->q_part[b];
    pool.work = pull_block;
    return rc == 0 ? lw_pool_run(&pool, err) : rc;
}

/* Gradient descent with momentum and a gain per coordinate (R. Jacobs 1988). */
static void move(struct embedding *e, double rate, double momentum)
{
    for (size_t i = 0; i < 2 * e->n; i++) {
        double g = 4 * (e->exaggeration * e->attract[i] - e->repel[i] / e->q_sum);
        e->gain[i] = fmax(0.01, e->step[i] * g < 0 ? e->gain[i] + 0.2 : e->gain[i] * 0.8);
        e->step[i] = momentum * e->step[i] - rate * e->gain[i] * g;
        e->y[i] += e->step[i];
    }
}

static int descend(struct embedding *e, double *kl, struct lw_err *err)
{
    double n = (double)e->n, factor = e->o->exaggeration > 0 ? e->o->exaggeration : 12;
    double rate = e->o->learning_rate > 0 ? e->o->learning_rate : fmax(n / factor / 4, 50);
    size_t most = e->o->iterations ? e->o->iterations : 1000;
    for (size_t it = 0; it < most; it++) {
        bool early = it < EXPLORE;
        if (it == 0 || it == EXPLORE) {
            memset(e->step, 0, 2 * e->n * sizeof *e->step);
            for (size_t i = 0; i < 2 * e->n; i++)
                e->gain[i] = 1;
        }
        e->exaggeration = early ? factor : 1;
        if (forces(e, err) < 0)
            return err->code;
        move(e, rate, early ? 0.5 : 0.8);
    }
    e->want_kl = true;
    if (forces(e, err) < 0)
        return err->code;
    *kl = 0;
    for (size_t b = 0; b < (e->n + BLOCK - 1) / BLOCK; b++)
        *kl += e->kl_part[b];
    return 0;
}

/* ---- Faces
 * -------------------------------------------------------------------------------------------------
 */

static int start_places(struct embedding *e, const double *x, size_t d, struct lw_err *err)
{
    if (e->o->start) {
        memcpy(e->y, e->o->start, 2 * e->n * sizeof *e->y);
        return 0;
    }
    struct lw_arena arena;
    lw_arena_init(&arena, e->mem, 0);
    struct lw_svd pca;
    size_t k = d > 1 ? 2 : 1;
    double *to = lw_arena_array(&arena, k * e->n, sizeof *to);
    int rc = to ? lw_pca(&pca, &arena, x, e->n, d, k, e->o->seed, err) : lw_err_nomem(err);
    if (rc == 0) {
        lw_svd_project(&pca, x, e->n, to);
        double sd = pca.singular[0] / sqrt((double)e->n);
        for (size_t i = 0; i < e->n; i++)
            for (size_t c = 0; c < 2; c++)
                e->y[2 * i + c] = c < k && sd > 0 ? to[i * k + c] / sd * 1e-4 : 0;
    }
    lw_arena_release(&arena);
    return rc;
}

static bool reserve(struct embedding *e, struct lw_arena *arena)
{
    size_t n = e->n, padded = n + LANES, blocks = n / BLOCK + 1;
    e->attract = lw_arena_array(arena, 2 * n, sizeof(double));
    e->repel = lw_arena_array(arena, 2 * n, sizeof(double));
    e->step = lw_arena_array(arena, 2 * n, sizeof(double));
    e->gain = lw_arena_array(arena, 2 * n, sizeof(double));
    e->q_part = lw_arena_array(arena, blocks, sizeof(double));
    e->kl_part = lw_arena_array(arena, blocks, sizeof(double));
    /* Every level of the tree has at most n squares. */
    e->cell = lw_arena_array(arena, n * (DEPTH + 1), sizeof *e->cell);
    e->key = lw_arena_array(arena, n, sizeof *e->key);
    e->key2 = lw_arena_array(arena, n, sizeof *e->key2);
    e->sx = lw_arena_array(arena, 5 * padded, sizeof(double));
    if (!e->sx)
        return false;
    e->sy = e->sx + padded;
    e->fx = e->sy + padded;
    e->fy = e->fx + padded;
    e->fq = e->fy + padded;
    return e->attract && e->repel && e->step && e->gain && e->q_part && e->kl_part && e->cell &&
           e->key && e->key2;
}

int lw_tsne(double *y, double *kl, struct lw_mem *mem, const double *x, size_t n, size_t d,
            const struct lw_tsne_options *options, struct lw_err *err)
{
    double perplexity = options->perplexity > 0 ? options->perplexity : 30;
    if (n < 4 || d == 0 || !(perplexity < (double)n) || n >= INT32_MAX)
        return lw_err_set(err, LW_EINVAL, "%zu points are too few for a perplexity of %g", n,
                          perplexity);
    if (options->exact && n > MOST_EXACT)
        return lw_err_set(err, LW_ELIMIT, "the exact method takes up to %d points", MOST_EXACT);
    double angle = options->angle > 0 ? options->angle : 0.5;
    struct embedding e = {
        .mem = mem, .o = options, .n = n, .y = y, .inv_angle2 = 1 / (angle * angle)};
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    int rc = reserve(&e, &arena) ? similarities(&e, &arena, x, d, err) : lw_err_nomem(err);
    if (rc == 0)
        rc = start_places(&e, x, d, err);
    if (rc == 0)
        rc = descend(&e, kl, err);
    lw_arena_release(&arena);
    return rc;
}
