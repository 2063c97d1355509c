#include "numeric/knn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "numeric/simd.h"

/* Beyond this many columns a tree visits nearly all points. */
enum {
    TREE_COLUMNS = 12,
    LEAF = 16,
    PANEL = 16,
    QUERIES = 4,
    QUERY_BLOCK = 64,
    TREE_DEPTH = 64
};

struct kd_node {
    double split;
    uint32_t axis;
    uint32_t right;    /* the left child follows its parent; 0 = leaf */
    uint32_t from, to; /* points */
};

struct lw_knn {
    struct lw_mem *mem;
    struct lw_arena arena;
    size_t n, d;
    double *x;     /* (n, d); in the order of the leaves when there is a tree */
    uint32_t *row; /* the caller's number of a point, for the tree */
    struct kd_node *node;
    size_t nodes;
    float *panel;   /* (panels, d, PANEL): points side by side, about the mean */
    float *norm;    /* (panels * PANEL): squared lengths, huge for the padding */
    double *mean;   /* (d) */
    double largest; /* squared length of the longest point about the mean */
};

/* ---- Candidates
 * ------------------------------------------------------------------------------ */

/* The k best so far, worst on top. Order: distance, then row. */
struct best {
    double *dist;
    uint32_t *row;
    size_t n, k;
};

static bool is_worse(double da, uint32_t ra, double db, uint32_t rb)
{
    return da > db || (da == db && ra > rb);
}

static void sink(struct best *b, size_t i, double dist, uint32_t row)
{
    for (size_t c; (c = 2 * i + 1) < b->n; i = c) {
        if (c + 1 < b->n && is_worse(b->dist[c + 1], b->row[c + 1], b->dist[c], b->row[c]))
            c++;
        if (!is_worse(b->dist[c], b->row[c], dist, row))
            break;
        b->dist[i] = b->dist[c];
        b->row[i] = b->row[c];
    }
    b->dist[i] = dist;
    b->row[i] = row;
}

static void offer(struct best *b, double dist, uint32_t row)
{
    if (b->n == b->k) {
        if (is_worse(b->dist[0], b->row[0], dist, row))
            sink(b, 0, dist, row);
        return;
    }
    size_t i = b->n++;
    while (i > 0 && is_worse(dist, row, b->dist[(i - 1) / 2], b->row[(i - 1) / 2])) {
        b->dist[i] = b->dist[(i - 1) / 2];
        b->row[i] = b->row[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    b->dist[i] = dist;
    b->row[i] = row;
}

/* Takes the heap apart: nearest first. */
static void settle(struct best *b)
{
    for (size_t n = b->n; n > 1; n--) {
        double dist = b->dist[0], last = b->dist[n - 1];
        uint32_t row = b->row[0], last_row = b->row[n - 1];
        b->n = n - 1;
        sink(b, 0, last, last_row);
        b->dist[n - 1] = dist;
        b->row[n - 1] = row;
    }
}

static double exact_distance(const double *a, const double *b, size_t d)
{
    double s0 = 0, s1 = 0;
    size_t j = 0;
    for (; j + 2 <= d; j += 2) {
        double u = a[j] - b[j], v = a[j + 1] - b[j + 1];
        s0 += u * u;
        s1 += v * v;
    }
    if (j < d)
        s0 += (a[j] - b[j]) * (a[j] - b[j]);
    return s0 + s1;
}

/* ---- Tree
 * --------------------------------------------------------------------------------------- */

struct kd_build {
    struct lw_knn *k;
    const double *x; /* the caller's rows */
    uint32_t *order;
};

static uint32_t widest_axis(const struct kd_build *b, uint32_t from, uint32_t to)
{
    uint32_t best = 0;
    double width = -1;
    for (uint32_t a = 0; a < b->k->d; a++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = from; i < to; i++) {
            double v = b->x[b->order[i] * b->k->d + a];
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (high - low > width) {
            width = high - low;
            best = a;
        }
    }
    return width > 0 ? best : UINT32_MAX;
}

/* Puts the middle of order[from, to) by column `axis` to its place. */
static void split_middle(const struct kd_build *b, uint32_t from, uint32_t to, uint32_t mid,
                         uint32_t axis)
{
    while (to - from > 1) {
        double pivot = b->x[b->order[from + (to - from) / 2] * b->k->d + axis];
        uint32_t less = from, i = from, more = to;
        while (i < more) {
            double v = b->x[b->order[i] * b->k->d + axis];
            uint32_t t = b->order[i];
            if (v < pivot) {
                b->order[i++] = b->order[less];
                b->order[less++] = t;
            } else if (v > pivot) {
                b->order[i] = b->order[--more];
                b->order[more] = t;
            } else {
                i++;
            }
        }
        if (mid < less)
            to = less;
        else if (mid >= more)
            from = more;
        else
            return;
    }
}

/* Halving n < 2^31 points nests at most 31 deep. */
static uint32_t build_node(struct kd_build *b, uint32_t from, uint32_t to)
{
    uint32_t at = (uint32_t)b->k->nodes++;
    struct kd_node node = {.from = from, .to = to};
    uint32_t axis = to - from > LEAF ? widest_axis(b, from, to) : UINT32_MAX;
    if (axis != UINT32_MAX) {
        uint32_t mid = from + (to - from) / 2;
        split_middle(b, from, to, mid, axis);
        node.axis = axis;
        node.split = b->x[b->order[mid] * b->k->d + axis];
        build_node(b, from, mid);
        node.right = build_node(b, mid, to);
    }
    b->k->node[at] = node;
    return at;
}

static int build_tree(struct lw_knn *k, const double *x, struct lw_err *err)
{
    struct kd_build b = {k, x, lw_arena_array(&k->arena, k->n, sizeof(uint32_t))};
    k->node = lw_arena_array(&k->arena, 4 * (k->n / LEAF) + 8, sizeof *k->node);
    k->row = b.order;
    if (!b.order || !k->node)
        return lw_err_nomem(err);
    for (uint32_t i = 0; i < k->n; i++)
        b.order[i] = i;
    build_node(&b, 0, (uint32_t)k->n);
    for (size_t i = 0; i < k->n; i++)
        memcpy(k->x + i * k->d, x + b.order[i] * k->d, k->d * sizeof *x);
    return 0;
}

/* A part of the tree still to look at: how far its cell is from the query, by axis. */
struct pending {
    uint32_t node;
    double dist;
    double off[TREE_COLUMNS];
};

/* S. Arya & D. Mount (1993): the distance to a cell grows by one axis at a time. */
static void search_tree(const struct lw_knn *k, const double *q, struct best *best)
{
    struct pending stack[TREE_DEPTH];
    size_t depth = 1;
    memset(&stack[0], 0, sizeof stack[0]);
    while (depth > 0) {
        struct pending p = stack[--depth];
        if (best->n == best->k && p.dist > best->dist[0])
            continue;
        const struct kd_node *node = &k->node[p.node];
        while (node->right) {
            double gap = q[node->axis] - node->split;
            uint32_t left = (uint32_t)(node - k->node) + 1;
            uint32_t near = gap < 0 ? left : node->right;
            struct pending *far = &stack[depth];
            double old = p.off[node->axis];
            double dist = p.dist - old * old + gap * gap;
            if ((best->n < best->k || dist <= best->dist[0]) && depth < TREE_DEPTH) {
                *far = p;
                far->node = gap < 0 ? node->right : left;
                far->dist = dist;
                far->off[node->axis] = gap;
                depth++;
            }
            node = &k->node[near];
        }
        for (uint32_t i = node->from; i < node->to; i++)
            offer(best, exact_distance(q, k->x + i * k->d, k->d), k->row[i]);
    }
}

/* ---- All distances
 * --------------------------------------------------------------------------------- */

static int build_panels(struct lw_knn *k, struct lw_err *err)
{
    size_t panels = (k->n + PANEL - 1) / PANEL;
    k->panel = lw_arena_array(&k->arena, panels * k->d * PANEL, sizeof *k->panel);
    k->norm = lw_arena_array(&k->arena, panels * PANEL, sizeof *k->norm);
    k->mean = lw_arena_array(&k->arena, k->d, sizeof *k->mean);
    if (!k->panel || !k->norm || !k->mean)
        return lw_err_nomem(err);
    for (size_t i = 0; i < k->n; i++)
        for (size_t j = 0; j < k->d; j++)
            k->mean[j] += k->x[i * k->d + j] / (double)k->n;
    for (size_t i = 0; i < panels * PANEL; i++) {
        double norm = 0;
        for (size_t j = 0; i < k->n && j < k->d; j++) {
            double v = k->x[i * k->d + j] - k->mean[j];
            norm += v * v;
            k->panel[(i / PANEL * k->d + j) * PANEL + i % PANEL] = (float)v;
        }
        k->norm[i] = i < k->n ? (float)norm : INFINITY;
        k->largest = fmax(k->largest, norm);
    }
    return 0;
}

/* est (QUERIES, n): norm - 2 q.x for QUERIES queries at once; `q` is (d, QUERIES). */
LW_SIMD_BODY void estimate_body(const struct lw_knn *k, const float *q, float *est)
{
    size_t panels = (k->n + PANEL - 1) / PANEL, width = panels * PANEL, d = k->d;
    for (size_t p = 0; p < panels; p++) {
        const float *x = k->panel + p * d * PANEL;
        lw_v8f s[QUERIES][2] = {0};
        for (size_t j = 0; j < d; j++) {
            lw_v8f a, b;
            LW_LOAD8F(a, x + j * PANEL);
            LW_LOAD8F(b, x + j * PANEL + 8);
            for (size_t r = 0; r < QUERIES; r++) {
                float f = q[j * QUERIES + r];
                lw_v8f v = {f, f, f, f, f, f, f, f};
                s[r][0] += v * a;
                s[r][1] += v * b;
            }
        }
        lw_v8f na, nb;
        LW_LOAD8F(na, k->norm + p * PANEL);
        LW_LOAD8F(nb, k->norm + p * PANEL + 8);
        for (size_t r = 0; r < QUERIES; r++) {
            lw_v8f u = na - s[r][0] - s[r][0], v = nb - s[r][1] - s[r][1];
            memcpy(est + r * width + p * PANEL, &u, sizeof u);
            memcpy(est + r * width + p * PANEL + 8, &v, sizeof v);
        }
    }
}
LW_SIMD(estimate, (const struct lw_knn *k, const float *q, float *est), (k, q, est))

/* The k-th smallest estimate: a heap of k floats, which most values do not pass. */
static float kth_estimate(const float *est, size_t n, float *heap, size_t k)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        float v = est[i];
        if (m == k && !(v < heap[0]))
            continue;
        size_t at;
        if (m < k) {
            at = m++;
            for (; at > 0 && heap[(at - 1) / 2] < v; at = (at - 1) / 2)
                heap[at] = heap[(at - 1) / 2];
        } else {
            at = 0;
            for (size_t c; (c = 2 * at + 1) < k; at = c) {
                c += c + 1 < k && heap[c + 1] > heap[c];
                if (heap[c] <= v)
                    break;
                heap[at] = heap[c];
            }
        }
        heap[at] = v;
    }
    return heap[0];
}

/* Exact distances of all that the estimate cannot rule out. The estimate's error is at most
 * (d + 8) 2^-24 (|q| + |x|)^2: rounding of the inputs, of d products and of their sums. */
static void refine(const struct lw_knn *k, const double *q, const float *est, float *heap,
                   struct best *best)
{
    double length = 0;
    for (size_t j = 0; j < k->d; j++)
        length += (q[j] - k->mean[j]) * (q[j] - k->mean[j]);
    double reach = sqrt(length) + sqrt(k->largest);
    double error = ((double)k->d + 8) * 0x1p-24 * reach * reach;
    float limit = (float)((double)kth_estimate(est, k->n, heap, best->k) + 2 * error);
    limit = nextafterf(limit, INFINITY);
    for (uint32_t i = 0; i < k->n; i++)
        if (!(est[i] > limit))
            offer(best, exact_distance(q, k->x + (size_t)i * k->d, k->d), i);
}

/* ---- Faces
 * -------------------------------------------------------------------------------------------
 */

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

int lw_knn_new(struct lw_knn **out, struct lw_mem *mem, const double *x, size_t n, size_t d,
               struct lw_err *err)
{
    *out = NULL;
    if (n == 0 || d == 0 || n >= INT32_MAX)
        return lw_err_set(err, LW_EINVAL, "there are no points, or too many");
    if (!all_finite(x, n * d))
        return lw_err_set(err, LW_EINVAL, "a value is not a finite number");
    struct lw_knn *k = lw_mem_alloc(mem, sizeof *k);
    if (!k)
        return lw_err_nomem(err);
    k->mem = mem;
    k->n = n;
    k->d = d;
    lw_arena_init(&k->arena, mem, 0);
    k->x = lw_arena_array(&k->arena, n * d, sizeof *k->x);
    int rc = k->x ? 0 : lw_err_nomem(err);
    if (rc == 0 && d <= TREE_COLUMNS)
        rc = build_tree(k, x, err);
    else if (rc == 0) {
        memcpy(k->x, x, n * d * sizeof *x);
        rc = build_panels(k, err);
    }
    if (rc < 0)
        lw_knn_free(k);
    else
        *out = k;
    return rc;
}

void lw_knn_free(struct lw_knn *k)
{
    if (!k)
        return;
    lw_arena_release(&k->arena);
    lw_mem_free(k->mem, k, sizeof *k);
}

struct search {
    const struct lw_knn *k;
    const double *q;
    size_t m, want;
    uint32_t *near;
    double *dist;
};

static struct best best_of(const struct search *s, size_t query)
{
    return (struct best){s->dist + query * s->want, s->near + query * s->want, 0, s->want};
}

static int search_all(const struct search *s, size_t from, size_t to, struct lw_err *err)
{
    const struct lw_knn *k = s->k;
    size_t width = (k->n + PANEL - 1) / PANEL * PANEL;
    struct lw_arena arena;
    lw_arena_init(&arena, k->mem, 0);
    float *est = lw_arena_array(&arena, QUERIES * width, sizeof *est);
    float *q = lw_arena_array(&arena, QUERIES * k->d, sizeof *q);
    float *heap = lw_arena_array(&arena, s->want, sizeof *heap);
    int rc = est && q && heap ? 0 : lw_err_nomem(err);
    for (size_t i = from; rc == 0 && i < to; i += QUERIES) {
        for (size_t r = 0; r < QUERIES; r++)
            for (size_t j = 0; j < k->d; j++)
                q[j * QUERIES + r] =
                    i + r < to ? (float)(s->q[(i + r) * k->d + j] - k->mean[j]) : 0;
        estimate(k, q, est);
        for (size_t r = 0; r < QUERIES && i + r < to; r++) {
            struct best b = best_of(s, i + r);
            refine(k, s->q + (i + r) * k->d, est + r * width, heap, &b);
            settle(&b);
        }
    }
    lw_arena_release(&arena);
    return rc;
}

static int search_block(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    const struct search *s = data;
    size_t from = item * QUERY_BLOCK,
           to = from + QUERY_BLOCK < s->m ? from + QUERY_BLOCK : s->m;
    if (!s->k->node)
        return search_all(s, from, to, err);
    for (size_t i = from; i < to; i++) {
        struct best b = best_of(s, i);
        search_tree(s->k, s->q + i * s->k->d, &b);
        settle(&b);
    }
    return 0;
}

int lw_knn_search(const struct lw_knn *knn, const double *q, size_t m, size_t k, unsigned jobs,
                  uint32_t *near, double *dist, struct lw_err *err)
{
    if (k == 0 || k > knn->n)
        return lw_err_set(err, LW_EINVAL, "cannot find %zu neighbours among %zu points", k,
                          knn->n);
    if (!all_finite(q, m * knn->d))
        return lw_err_set(err, LW_EINVAL, "a value is not a finite number");
    struct search s = {knn, q, m, k, near, dist};
    struct lw_pool pool = {.count = (m + QUERY_BLOCK - 1) / QUERY_BLOCK,
                           .jobs = jobs ? jobs : 1,
                           .data = &s,
                           .work = search_block};
    return lw_pool_run(&pool, err);
}
