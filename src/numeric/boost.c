#include "numeric/boost.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "numeric/bins.h"
#include "numeric/rank.h"
#include "numeric/simd.h"

/* Histograms of this many features fit into the first-level cache together. */
enum { GROUP = 6, MOST_LEAVES = 4096 };

/* First and second derivative; one vector, so that a histogram is filled by one addition. */
typedef lw_v2d pair;

struct leaf {
    uint32_t node;
    size_t from, n;
    pair *hist; /* (d, LW_BINS) */
    pair sum;
    double gain; /* of its best split; <= 0: none */
    uint32_t feature;
    int step;
};

struct booster {
    const struct lw_boost_options *o;
    struct lw_trees *out;
    struct lw_bins bins;
    uint8_t *step; /* (n, d) */
    uint32_t *row, *spare;
    pair *gh;      /* (n) derivatives */
    pair *ordered; /* the same in the order of a node's rows */
    size_t n, d, max_leaves;
    double min_leaf, rate, l2;
    struct leaf *leaf;
    pair *hist; /* (max_leaves + 1, d, LW_BINS) */
};

static pair *hist_of(struct booster *b, size_t i)
{
    return b->hist + i * b->d * LW_BINS;
}

static void fill(struct booster *b, const uint32_t *row, size_t n, pair *hist)
{
    memset(hist, 0, b->d * LW_BINS * sizeof *hist);
    for (size_t i = 0; i < n; i++)
        b->ordered[i] = b->gh[row[i]];
    for (size_t f = 0; f < b->d; f += GROUP) {
        size_t width = b->d - f < GROUP ? b->d - f : GROUP;
        pair *h = hist + f * LW_BINS;
        if (width < GROUP) {
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < width; j++)
                    h[j * LW_BINS + b->step[row[i] * b->d + f + j]] += b->ordered[i];
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            const uint8_t *s = b->step + row[i] * b->d + f;
            pair v = b->ordered[i];
            h[s[0]] += v;
            h[LW_BINS + s[1]] += v;
            h[2 * LW_BINS + s[2]] += v;
            h[3 * LW_BINS + s[3]] += v;
            h[4 * LW_BINS + s[4]] += v;
            h[5 * LW_BINS + s[5]] += v;
        }
    }
}

static double score(pair sum, double l2)
{
    return sum[0] * sum[0] / (sum[1] + l2);
}

/* The gain of the best split of a leaf: XGBoost's (T. Chen & C. Guestrin 2016, equation 7).
 * Rows are counted through the second derivatives, in proportion, as LightGBM does. */
static void find_best(struct booster *b, struct leaf *l)
{
    double per_row = l->sum[1] > 0 ? (double)l->n / l->sum[1] : 0;
    double parent = score(l->sum, b->l2);
    l->gain = 0;
    l->step = -1;
    if ((double)l->n < 2 * b->min_leaf)
        return;
    for (uint32_t f = 0; f < b->d; f++) {
        const pair *h = l->hist + f * LW_BINS;
        pair left = {0, 0};
        for (int s = 0; s <= b->bins.edges[f]; s++) {
            left += h[s];
            pair right = l->sum - left;
            if (left[1] * per_row < b->min_leaf || !(left[1] > 1e-12))
                continue;
            if (right[1] * per_row < b->min_leaf || !(right[1] > 1e-12))
                break;
            double gain = score(left, b->l2) + score(right, b->l2) - parent;
            if (gain > l->gain * (1 + 1e-12) + 1e-12) {
                l->gain = gain;
                l->feature = f;
                l->step = s;
            }
        }
    }
}

static size_t partition(struct booster *b, const struct leaf *l)
{
    uint32_t *row = b->row + l->from;
    size_t left = 0, right = 0;
    for (size_t i = 0; i < l->n; i++) {
        uint32_t r = row[i];
        bool goes_left = b->step[r * b->d + l->feature] <= l->step;
        row[left] = r;
        b->spare[right] = r;
        left += goes_left;
        right += !goes_left;
    }
    memcpy(row + left, b->spare, right * sizeof *row);
    return left;
}

static pair sum_of(const struct booster *b, const uint32_t *row, size_t n)
{
    pair s = {0, 0};
    for (size_t i = 0; i < n; i++)
        s += b->gh[row[i]];
    return s;
}

/* Splits leaf `at`; the new leaf is number `count`. The smaller side is counted, the other is
 * what remains of the parent. */
static int split_leaf(struct booster *b, size_t at, size_t count)
{
    struct lw_trees *t = b->out;
    struct leaf *l = &b->leaf[at], *r = &b->leaf[count];
    size_t left = partition(b, l);
    uint32_t child = (uint32_t)t->node.n;
    if (lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0 ||
        lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0)
        return LW_ENOMEM;
    double threshold = l->step < b->bins.edges[l->feature]
                           ? b->bins.edge[l->feature * LW_BIN_EDGES + (size_t)l->step]
                           : INFINITY;
    t->node.v[l->node] = (struct lw_tree_node){threshold, (int32_t)l->feature, child};
    pair *parent = l->hist, *fresh = hist_of(b, count);
    *r = (struct leaf){.node = child + 1, .from = l->from + left, .n = l->n - left};
    l->node = child;
    l->n = left;
    bool left_small = l->n <= r->n;
    struct leaf *small = left_small ? l : r, *large = left_small ? r : l;
    fill(b, b->row + small->from, small->n, fresh);
    for (size_t i = 0; i < b->d * LW_BINS; i++)
        parent[i] -= fresh[i];
    small->hist = fresh;
    large->hist = parent;
    l->sum = sum_of(b, b->row + l->from, l->n);
    r->sum = sum_of(b, b->row + r->from, r->n);
    find_best(b, l);
    find_best(b, r);
    return 0;
}

/* Grows one tree on b->gh, and adds its steps to score[row * stride]. */
static int grow(struct booster *b, double *score_out, size_t stride)
{
    struct lw_trees *t = b->out;
    uint32_t root = (uint32_t)t->node.n;
    if (lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0 ||
        lw_vec_push(t->mem, &t->root, root) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < b->n; i++)
        b->row[i] = (uint32_t)i;
    b->leaf[0] = (struct leaf){.node = root, .n = b->n, .hist = hist_of(b, 0)};
    fill(b, b->row, b->n, b->leaf[0].hist);
    b->leaf[0].sum = sum_of(b, b->row, b->n);
    find_best(b, &b->leaf[0]);
    size_t count = 1;
    for (; count < b->max_leaves; count++) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            best = b->leaf[i].gain > b->leaf[best].gain ? i : best;
        if (b->leaf[best].step < 0)
            break;
        if (split_leaf(b, best, count) < 0)
            return LW_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        struct leaf *l = &b->leaf[i];
        double value = l->sum[1] + b->l2 > 0 ? -b->rate * l->sum[0] / (l->sum[1] + b->l2) : 0;
        t->node.v[l->node] = (struct lw_tree_node){0, -1, (uint32_t)t->value.n};
        if (lw_vec_push(t->mem, &t->value, value) < 0)
            return LW_ENOMEM;
        for (size_t k = 0; k < l->n; k++)
            score_out[b->row[l->from + k] * stride] += value;
    }
    return 0;
}

/* ---- Losses
 * ------------------------------------------------------------------------------------- */

static double sigmoid(double t)
{
    return 1 / (1 + exp(-t));
}

static void softmax_derivatives(struct booster *b, const double *y, const double *f, size_t k,
                                size_t c)
{
    for (size_t i = 0; i < b->n; i++) {
        double most = f[i * k], sum = 0;
        for (size_t j = 1; j < k; j++)
            most = fmax(most, f[i * k + j]);
        for (size_t j = 0; j < k; j++)
            sum += exp(f[i * k + j] - most);
        double p = exp(f[i * k + c] - most) / sum;
        b->gh[i] = (pair){p - (y[i] == (double)c), fmax(p * (1 - p), 1e-16)};
    }
}

/* One list of LambdaMART: each pair of different relevance pulls apart with the change of NDCG
 * that swapping it would make (Burges 2010, section 7). */
static int lambda_list(struct booster *b, struct lw_mem *mem, const double *y, const double *f,
                       size_t from, size_t n)
{
    size_t bytes = n * (sizeof(uint32_t) + 3 * sizeof(double));
    double *discount = lw_mem_alloc(mem, bytes);
    if (!discount)
        return LW_ENOMEM;
    double *gain = discount + n, *ideal = gain + n, best = 0;
    uint32_t *order = (uint32_t *)(ideal + n);
    int rc = lw_sort_order(mem, f + from, n, order);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        discount[order[i]] = 1 / log2((double)(n - i) + 1); /* order is ascending */
        gain[i] = exp2(y[from + i]) - 1;
        ideal[i] = gain[i];
    }
    if (rc == 0)
        lw_sort(ideal, n);
    for (size_t i = 0; i < n; i++)
        best += ideal[n - 1 - i] / log2((double)i + 2);
    for (size_t i = 0; rc == 0 && best > 0 && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (!(y[from + i] > y[from + j]))
                continue;
            double swap = fabs((gain[i] - gain[j]) * (discount[i] - discount[j])) / best;
            double rho = sigmoid(f[from + j] - f[from + i]);
            pair up = {-rho * swap, rho * (1 - rho) * swap}, down = {rho * swap, up[1]};
            b->gh[from + i] += up;
            b->gh[from + j] += down;
        }
    lw_mem_free(mem, discount, bytes);
    return rc;
}

static int derivatives(struct booster *b, struct lw_mem *mem, const double *y, const double *f,
                       size_t k, size_t c)
{
    switch (b->o->loss) {
    case LW_BOOST_SQUARED:
        for (size_t i = 0; i < b->n; i++)
            b->gh[i] = (pair){f[i] - y[i], 1};
        return 0;
    case LW_BOOST_LOGISTIC:
        for (size_t i = 0; i < b->n; i++) {
            double p = sigmoid(f[i]);
            b->gh[i] = (pair){p - y[i], fmax(p * (1 - p), 1e-16)};
        }
        return 0;
    case LW_BOOST_SOFTMAX: softmax_derivatives(b, y, f, k, c); return 0;
    case LW_BOOST_LAMBDA: break;
    }
    for (size_t i = 0; i < b->n; i++)
        b->gh[i] = (pair){0, 1e-16};
    int rc = 0;
    for (size_t g = 0; rc == 0 && g < b->o->group_count; g++)
        rc = lambda_list(b, mem, y, f, b->o->groups[g], b->o->groups[g + 1] - b->o->groups[g]);
    return rc;
}

/* Where the sum starts: the constant that minimises the loss. */
static void set_base(struct lw_trees *out, const struct lw_boost_options *o, const double *y,
                     size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    if (o->loss == LW_BOOST_SQUARED)
        out->base[0] = mean;
    else if (o->loss == LW_BOOST_LOGISTIC)
        out->base[0] = log(fmax(mean, 1e-9) / fmax(1 - mean, 1e-9));
    else if (o->loss == LW_BOOST_SOFTMAX)
        for (size_t c = 0; c < out->outputs; c++) {
            double share = 0;
            for (size_t i = 0; i < n; i++)
                share += (y[i] == (double)c) / (double)n;
            out->base[c] = log(fmax(share, 1e-9));
        }
}

/* ---- Faces
 * ------------------------------------------------------------------------------------------ */

static int check(const double *y, size_t n, size_t d, const struct lw_boost_options *o,
                 struct lw_err *err)
{
    if (n == 0 || d == 0 || n >= UINT32_MAX || d >= INT32_MAX)
        return lw_err_set(err, LW_EINVAL, "there are no rows or no columns, or too many");
    double most = o->loss == LW_BOOST_SOFTMAX    ? (double)o->classes - 1
                  : o->loss == LW_BOOST_LOGISTIC ? 1
                  : o->loss == LW_BOOST_LAMBDA   ? 30
                                                 : INFINITY;
    bool whole = o->loss == LW_BOOST_SOFTMAX || o->loss == LW_BOOST_LOGISTIC;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(y[i]) || y[i] > most || (most < INFINITY && y[i] < 0) ||
            (whole && y[i] != floor(y[i])))
            return lw_err_set(err, LW_EINVAL, "row %zu: the target is out of range", i + 1);
    if (o->loss == LW_BOOST_SOFTMAX && (o->classes < 2 || o->classes > 10000))
        return lw_err_set(err, LW_EINVAL, "the number of classes must be 2 to 10000");
    if (o->loss != LW_BOOST_LAMBDA)
        return 0;
    bool sound = o->group_count > 0 && o->groups[0] == 0 && o->groups[o->group_count] == n;
    for (size_t g = 0; sound && g < o->group_count; g++)
        sound = o->groups[g] <= o->groups[g + 1];
    return sound ? 0 : lw_err_set(err, LW_EINVAL, "the lists do not cover the rows in order");
}

static int prepare(struct booster *b, struct lw_arena *arena, const double *x,
                   struct lw_err *err)
{
    b->step = lw_arena_array(arena, b->n * b->d, 1);
    b->row = lw_arena_array(arena, b->n, sizeof *b->row);
    b->spare = lw_arena_array(arena, b->n, sizeof *b->spare);
    b->gh = lw_arena_array(arena, b->n, sizeof *b->gh);
    b->ordered = lw_arena_array(arena, b->n, sizeof *b->ordered);
    b->leaf = lw_arena_array(arena, b->max_leaves + 1, sizeof *b->leaf);
    b->hist = lw_arena_array(arena, (b->max_leaves + 1) * b->d * LW_BINS, sizeof *b->hist);
    if (!b->step || !b->row || !b->spare || !b->gh || !b->ordered || !b->leaf || !b->hist)
        return lw_err_nomem(err);
    if (lw_bins_fit(&b->bins, arena, x, b->n, b->d, err) < 0)
        return err->code;
    lw_bins_apply(&b->bins, x, b->n, false, b->step);
    return 0;
}

int lw_boost_fit(struct lw_trees *out, struct lw_mem *mem, const double *x, const double *y,
                 size_t n, size_t d, const struct lw_boost_options *o, struct lw_err *err)
{
    lw_trees_init(out, mem);
    if (check(y, n, d, o, err) < 0)
        return err->code;
    size_t k = o->loss == LW_BOOST_SOFTMAX ? o->classes : 1;
    struct booster b = {.o = o, .out = out, .n = n, .d = d, .l2 = o->l2};
    b.max_leaves = o->max_leaves ? o->max_leaves : 31;
    b.max_leaves = b.max_leaves < MOST_LEAVES ? b.max_leaves : MOST_LEAVES;
    b.min_leaf = o->min_leaf ? (double)o->min_leaf : 20;
    b.rate = o->learning_rate > 0 ? o->learning_rate : 0.1;
    *out = (struct lw_trees){.mem = mem, .features = d, .outputs = k, .single = true};
    out->base = lw_mem_alloc(mem, k * sizeof *out->base);
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *f = lw_arena_array(&arena, n * k, sizeof *f);
    int rc = out->base && f ? prepare(&b, &arena, x, err) : lw_err_nomem(err);
    if (rc == 0) {
        set_base(out, o, y, n);
        for (size_t i = 0; i < n * k; i++)
            f[i] = out->base[i % k];
    }
    size_t rounds = o->rounds ? o->rounds : 100;
    for (size_t r = 0; rc == 0 && r < rounds * k; r++) {
        rc = derivatives(&b, mem, y, f, k, r % k);
        if (rc == 0)
            rc = grow(&b, f + r % k, k);
        if (rc < 0)
            lw_err_nomem(err);
    }
    lw_arena_release(&arena);
    if (rc < 0)
        lw_trees_release(out);
    return rc;
}
