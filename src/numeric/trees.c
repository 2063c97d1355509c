#include "numeric/trees.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "numeric/bins.h"
#include "numeric/rng.h"

enum { MOST_DEPTH = 64, FEW = 40 };

void lw_trees_init(struct lw_trees *t, struct lw_mem *mem)
{
    *t = (struct lw_trees){.mem = mem};
}

void lw_trees_release(struct lw_trees *t)
{
    lw_vec_release(t->mem, &t->node);
    lw_vec_release(t->mem, &t->root);
    lw_vec_release(t->mem, &t->value);
    lw_mem_free(t->mem, t->base, t->outputs * sizeof *t->base);
    lw_trees_init(t, t->mem);
}

/* ---- Growing one tree
 * -------------------------------------------------------------------------- */

/* What all trees of a forest share; read-only while they grow. */
struct forest {
    struct lw_mem *mem;
    const struct lw_forest_options *o;
    struct lw_bins bins;
    uint8_t *step;         /* (d, n) */
    const uint32_t *label; /* NULL for regression */
    const double *y;
    size_t n, d, classes; /* classes of 0: regression */
    size_t try_features, max_depth, min_leaf;
    struct lw_trees *tree; /* (trees), one each */
};

struct grower {
    const struct forest *f;
    struct lw_rng rng;
    uint32_t *row;     /* rows in use; a node owns a stretch */
    uint32_t *spare;   /* for partitioning */
    uint32_t *weight;  /* (n) how often the bootstrap drew a row */
    uint32_t *feature; /* (d) permuted as features are drawn */
    uint32_t *hist;    /* (LW_BINS, classes) */
    double *sums;      /* (LW_BINS, 2): weight and weighted y, regression */
    uint32_t *left;    /* (classes) */
    struct lw_trees *out;
};

struct node_stats {
    uint32_t *count; /* (classes) */
    double weight, sum, squares;
};

struct split {
    double gain; /* sum of l_c^2/l + r_c^2/r, or the same with sums */
    uint32_t feature;
    int step; /* -1: none */
};

static void offer_split(struct split *best, double gain, uint32_t feature, int step)
{
    if (gain > best->gain) {
        *best = (struct split){gain, feature, step};
    }
}

/* Walks the steps of one feature in order; `hist` has the class counts of each. */
static void scan_classes(struct grower *g, const struct node_stats *s, uint32_t feature,
                         int steps, struct split *best)
{
    size_t k = g->f->classes;
    double least = (double)g->f->min_leaf, left = 0, left_squares = 0, right_squares = 0;
    memset(g->left, 0, k * sizeof *g->left);
    for (size_t c = 0; c < k; c++)
        right_squares += (double)s->count[c] * s->count[c];
    for (int b = 0; b < steps; b++) {
        const uint32_t *h = g->hist + (size_t)b * k;
        uint32_t here = 0;
        for (size_t c = 0; c < k; c++) {
            if (h[c] == 0)
                continue;
            /* (l+h)^2 - l^2 and (r-h)^2 - r^2 */
            double l = g->left[c], r = (double)s->count[c] - l, w = h[c];
            left_squares += w * (2 * l + w);
            right_squares -= w * (2 * r - w);
            g->left[c] += h[c];
            here += h[c];
        }
        if (here == 0)
            continue;
        left += here;
        double right = s->weight - left;
        if (right < least || right <= 0)
            break;
        if (left >= least)
            offer_split(best, left_squares / left + right_squares / right, feature, b);
    }
}

static void scan_sums(struct grower *g, const struct node_stats *s, uint32_t feature, int steps,
                      struct split *best)
{
    double least = (double)g->f->min_leaf, left = 0, sum = 0;
    for (int b = 0; b < steps; b++) {
        if (g->sums[2 * b] == 0)
            continue;
        left += g->sums[2 * b];
        sum += g->sums[2 * b + 1];
        double right = s->weight - left, rest = s->sum - sum;
        if (right < least || right <= 0)
            break;
        if (left >= least)
            offer_split(best, sum * sum / left + rest * rest / right, feature, b);
    }
}

/* A node of few rows: sort them by step instead of clearing and walking all steps. */
static void scan_few(struct grower *g, const struct node_stats *s, const uint32_t *row,
                     size_t n, uint32_t feature, struct split *best)
{
    const struct forest *f = g->f;
    const uint8_t *step = f->step + feature * f->n;
    uint32_t sorted[FEW];
    uint8_t key[FEW];
    for (size_t i = 0; i < n; i++) {
        uint8_t v = step[row[i]];
        size_t j = i;
        for (; j > 0 && key[j - 1] > v; j--) {
            key[j] = key[j - 1];
            sorted[j] = sorted[j - 1];
        }
        key[j] = v;
        sorted[j] = row[i];
    }
    double least = (double)f->min_leaf, left = 0, sum = 0, ls = 0, rs = 0;
    memset(g->left, 0, f->classes * sizeof *g->left);
    for (size_t c = 0; c < f->classes; c++)
        rs += (double)s->count[c] * s->count[c];
    for (size_t i = 0; i + 1 < n; i++) {
        double w = g->weight[sorted[i]];
        left += w;
        if (f->classes) {
            uint32_t c = f->label[sorted[i]];
            double l = g->left[c], r = (double)s->count[c] - l;
            ls += w * (2 * l + w);
            rs -= w * (2 * r - w);
            g->left[c] += (uint32_t)w;
        } else {
            sum += w * f->y[sorted[i]];
        }
        double right = s->weight - left;
        if (key[i] == key[i + 1] || left < least || right < least)
            continue;
        double rest = s->sum - sum;
        double gain =
            f->classes ? ls / left + rs / right : sum * sum / left + rest * rest / right;
        offer_split(best, gain, feature, key[i]);
    }
}

/* Tries one feature; false when it is constant in the node. */
static bool try_feature(struct grower *g, const struct node_stats *s, const uint32_t *row,
                        size_t n, uint32_t feature, struct split *best)
{
    const struct forest *f = g->f;
    const uint8_t *step = f->step + feature * f->n;
    uint8_t first = step[row[0]], low = first, high = first;
    for (size_t i = 1; i < n; i++) {
        uint8_t v = step[row[i]];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    if (low == high)
        return false;
    if (n <= FEW) {
        scan_few(g, s, row, n, feature, best);
        return true;
    }
    size_t k = f->classes, steps = (size_t)high + 1;
    if (k) {
        memset(g->hist + low * k, 0, (steps - low) * k * sizeof *g->hist);
        if (low)
            memset(g->hist, 0, low * k * sizeof *g->hist);
        for (size_t i = 0; i < n; i++)
            g->hist[step[row[i]] * k + f->label[row[i]]] += g->weight[row[i]];
        scan_classes(g, s, feature, high, best);
    } else {
        memset(g->sums, 0, steps * 2 * sizeof *g->sums);
        for (size_t i = 0; i < n; i++) {
            double w = g->weight[row[i]];
            g->sums[2 * step[row[i]]] += w;
            g->sums[2 * step[row[i]] + 1] += w * f->y[row[i]];
        }
        scan_sums(g, s, feature, high, best);
    }
    return true;
}

static void sum_node(struct grower *g, const uint32_t *row, size_t n, struct node_stats *s)
{
    const struct forest *f = g->f;
    memset(s->count, 0, f->classes * sizeof *s->count);
    s->weight = s->sum = s->squares = 0;
    for (size_t i = 0; i < n; i++) {
        double w = g->weight[row[i]];
        s->weight += w;
        if (f->classes)
            s->count[f->label[row[i]]] += (uint32_t)w;
        else {
            s->sum += w * f->y[row[i]];
            s->squares += w * f->y[row[i]] * f->y[row[i]];
        }
    }
}

static bool is_pure(const struct forest *f, const struct node_stats *s)
{
    if (!f->classes)
        return s->squares - s->sum * s->sum / s->weight <= 1e-14 * s->squares;
    for (size_t c = 0; c < f->classes; c++)
        if (s->count[c] > 0)
            return s->count[c] == s->weight;
    return true;
}

/* The best split over a random choice of features; constant ones do not count as tried. */
static struct split find_split(struct grower *g, const struct node_stats *s,
                               const uint32_t *row, size_t n)
{
    const struct forest *f = g->f;
    struct split best = {-INFINITY, 0, -1};
    size_t tried = 0;
    for (size_t i = 0; i < f->d && tried < f->try_features; i++) {
        size_t j = i + (size_t)lw_rng_below(&g->rng, f->d - i);
        uint32_t feature = g->feature[j];
        g->feature[j] = g->feature[i];
        g->feature[i] = feature;
        tried += try_feature(g, s, row, n, feature, &best);
    }
    return best;
}

static int add_leaf(struct grower *g, uint32_t at, const struct node_stats *s)
{
    struct lw_trees *t = g->out;
    size_t k = g->f->classes;
    t->node.v[at] = (struct lw_tree_node){0, -1, (uint32_t)(t->value.n / t->outputs)};
    for (size_t c = 0; c < t->outputs; c++) {
        double v = k ? s->count[c] / s->weight : s->sum / s->weight;
        if (lw_vec_push(t->mem, &t->value, v) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* Rows that go left to the front, in order; returns how many. */
static size_t partition(struct grower *g, uint32_t *row, size_t n, const struct split *s)
{
    const uint8_t *step = g->f->step + s->feature * g->f->n;
    size_t left = 0, right = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t r = row[i];
        bool goes_left = step[r] <= s->step;
        row[left] = r;
        g->spare[right] = r;
        left += goes_left;
        right += !goes_left;
    }
    memcpy(row + left, g->spare, right * sizeof *row);
    return left;
}

struct todo {
    uint32_t node, depth;
    size_t from, n;
};

static int grow(struct grower *g, size_t rows, struct node_stats *s)
{
    const struct forest *f = g->f;
    struct lw_trees *t = g->out;
    struct todo stack[MOST_DEPTH + 2] = {{0, 0, 0, rows}};
    size_t depth = 1;
    if (lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0 ||
        lw_vec_push(t->mem, &t->root, 0) < 0)
        return LW_ENOMEM;
    while (depth > 0) {
        struct todo w = stack[--depth];
        uint32_t *row = g->row + w.from;
        sum_node(g, row, w.n, s);
        struct split best = {0, 0, -1};
        if (w.depth < f->max_depth && s->weight >= 2 * (double)f->min_leaf && !is_pure(f, s))
            best = find_split(g, s, row, w.n);
        if (best.step < 0) {
            if (add_leaf(g, w.node, s) < 0)
                return LW_ENOMEM;
            continue;
        }
        size_t left = partition(g, row, w.n, &best);
        uint32_t child = (uint32_t)t->node.n;
        if (lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0 ||
            lw_vec_push(t->mem, &t->node, (struct lw_tree_node){0}) < 0)
            return LW_ENOMEM;
        /* Step 254 splits off the NaN values alone: everything finite goes left. */
        double threshold = best.step < f->bins.edges[best.feature]
                               ? f->bins.edge[best.feature * LW_BIN_EDGES + (size_t)best.step]
                               : INFINITY;
        t->node.v[w.node] = (struct lw_tree_node){threshold, (int32_t)best.feature, child};
        stack[depth++] = (struct todo){child + 1, w.depth + 1, w.from + left, w.n - left};
        stack[depth++] = (struct todo){child, w.depth + 1, w.from, left};
    }
    return 0;
}

/* One tree, on any thread: everything random comes from the tree's own stream. */
static int grow_tree(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    const struct forest *f = data;
    struct lw_arena arena;
    lw_arena_init(&arena, f->mem, 0);
    struct grower g = {.f = f, .out = &f->tree[item]};
    size_t k = f->classes ? f->classes : 1;
    g.row = lw_arena_array(&arena, f->n, sizeof *g.row);
    g.spare = lw_arena_array(&arena, f->n, sizeof *g.spare);
    g.weight = lw_arena_array(&arena, f->n, sizeof *g.weight);
    g.feature = lw_arena_array(&arena, f->d, sizeof *g.feature);
    g.hist = lw_arena_array(&arena, LW_BINS * k, sizeof *g.hist);
    g.sums = lw_arena_array(&arena, (size_t)LW_BINS * 2, sizeof *g.sums);
    g.left = lw_arena_array(&arena, k, sizeof *g.left);
    struct node_stats s = {.count = lw_arena_array(&arena, k, sizeof *s.count)};
    int rc = LW_ENOMEM;
    if (g.row && g.spare && g.weight && g.feature && g.hist && g.sums && g.left && s.count) {
        lw_rng_init(&g.rng, f->o->seed, item);
        size_t rows = 0;
        for (size_t i = 0; i < f->n; i++) {
            if (f->o->no_bootstrap)
                g.weight[i] = 1;
            else
                g.weight[lw_rng_below(&g.rng, f->n)]++;
        }
        for (size_t i = 0; i < f->n; i++)
            if (g.weight[i])
                g.row[rows++] = (uint32_t)i;
        for (size_t j = 0; j < f->d; j++)
            g.feature[j] = (uint32_t)j;
        rc = grow(&g, rows, &s);
    }
    lw_arena_release(&arena);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Forests
 * ------------------------------------------------------------------------------------ */

/* Joins the trees in order. */
static int join(struct lw_trees *out, const struct lw_trees *tree, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        uint32_t shift = (uint32_t)out->node.n;
        uint32_t values = (uint32_t)(out->value.n / out->outputs);
        if (lw_vec_reserve(out->mem, &out->node, tree[t].node.n) < 0 ||
            lw_vec_reserve(out->mem, &out->value, tree[t].value.n) < 0 ||
            lw_vec_push(out->mem, &out->root, shift) < 0)
            return LW_ENOMEM;
        for (size_t i = 0; i < tree[t].node.n; i++) {
            struct lw_tree_node node = tree[t].node.v[i];
            node.left += node.feature < 0 ? values : shift;
            out->node.v[out->node.n++] = node;
        }
        memcpy(out->value.v + out->value.n, tree[t].value.v,
               tree[t].value.n * sizeof *out->value.v);
        out->value.n += tree[t].value.n;
    }
    return 0;
}

static int grow_forest(struct lw_trees *out, struct forest *f, const double *x,
                       struct lw_err *err)
{
    size_t count = f->o->trees ? f->o->trees : 100, outputs = f->classes ? f->classes : 1;
    struct lw_arena arena;
    lw_arena_init(&arena, f->mem, 0);
    f->try_features = f->o->features ? f->o->features : (size_t)sqrt((double)f->d);
    f->max_depth =
        f->o->max_depth && f->o->max_depth < MOST_DEPTH ? f->o->max_depth : MOST_DEPTH;
    f->min_leaf = f->o->min_leaf ? f->o->min_leaf : 1;
    f->tree = lw_arena_array(&arena, count, sizeof *f->tree);
    f->step = lw_arena_array(&arena, f->n * f->d, 1);
    *out =
        (struct lw_trees){.mem = f->mem, .features = f->d, .outputs = outputs, .average = true};
    out->base = lw_mem_alloc(f->mem, outputs * sizeof *out->base);
    int rc = f->tree && f->step && out->base ? 0 : lw_err_nomem(err);
    if (rc == 0)
        rc = lw_bins_fit(&f->bins, &arena, x, f->n, f->d, err);
    if (rc == 0) {
        lw_bins_apply(&f->bins, x, f->n, true, f->step);
        for (size_t t = 0; t < count; t++)
            f->tree[t] = (struct lw_trees){.mem = f->mem, .outputs = outputs};
        struct lw_pool pool = {
            .count = count, .jobs = f->o->jobs ? f->o->jobs : 1, .data = f, .work = grow_tree};
        rc = lw_pool_run(&pool, err);
        if (rc == 0 && join(out, f->tree, count) < 0)
            rc = lw_err_nomem(err);
        for (size_t t = 0; t < count; t++)
            lw_trees_release(&f->tree[t]);
    }
    lw_arena_release(&arena);
    if (rc < 0)
        lw_trees_release(out);
    return rc;
}

static int check_shape(size_t n, size_t d, struct lw_err *err)
{
    if (n == 0 || d == 0 || n >= UINT32_MAX || d >= INT32_MAX)
        return lw_err_set(err, LW_EINVAL, "there are no rows or no columns, or too many");
    return 0;
}

int lw_forest_classify(struct lw_trees *out, struct lw_mem *mem, const double *x,
                       const uint32_t *label, size_t n, size_t d, size_t classes,
                       const struct lw_forest_options *options, struct lw_err *err)
{
    lw_trees_init(out, mem);
    if (check_shape(n, d, err) < 0)
        return err->code;
    if (classes == 0 || classes > 100000)
        return lw_err_set(err, LW_EINVAL, "there are no classes, or too many");
    for (size_t i = 0; i < n; i++)
        if (label[i] >= classes)
            return lw_err_set(err, LW_EINVAL, "row %zu has no class", i + 1);
    struct forest f = {
        .mem = mem, .o = options, .label = label, .n = n, .d = d, .classes = classes};
    return grow_forest(out, &f, x, err);
}

int lw_forest_regress(struct lw_trees *out, struct lw_mem *mem, const double *x,
                      const double *y, size_t n, size_t d,
                      const struct lw_forest_options *options, struct lw_err *err)
{
    lw_trees_init(out, mem);
    if (check_shape(n, d, err) < 0)
        return err->code;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(y[i]))
            return lw_err_set(err, LW_EINVAL, "row %zu: the target is not a finite number",
                              i + 1);
    struct forest f = {.mem = mem, .o = options, .y = y, .n = n, .d = d};
    return grow_forest(out, &f, x, err);
}

/* ---- Asking
 * --------------------------------------------------------------------------------------- */

/* Rows go down a tree side by side: each step waits for memory, and the waits of different rows
 * overlap. A row that has arrived stays where it is; whether all have is asked every few steps.
 */
enum { SIDE_BY_SIDE = 8, STEPS = 4 };

static inline __attribute__((always_inline)) uint32_t step_down(const struct lw_tree_node *node,
                                                                uint32_t at, const double *x)
{
    struct lw_tree_node n = node[at];
    /* 0 for a leaf, all ones inside: no branch to guess wrong. */
    uint32_t inner = ~(uint32_t)(n.feature >> 31);
    uint32_t next = n.left + (uint32_t) !(x[(uint32_t)n.feature & inner] <= n.threshold);
    return (next & inner) | (at & ~inner);
}

static void leaves_of(const struct lw_trees *t, uint32_t root, const double *x, uint32_t *leaf)
{
    const struct lw_tree_node *node = t->node.v;
    size_t d = t->features;
    uint32_t a0 = root, a1 = root, a2 = root, a3 = root;
    uint32_t a4 = root, a5 = root, a6 = root, a7 = root;
    int32_t arrived;
    do {
        for (int step = 0; step < STEPS; step++) {
            a0 = step_down(node, a0, x);
            a1 = step_down(node, a1, x + d);
            a2 = step_down(node, a2, x + 2 * d);
            a3 = step_down(node, a3, x + 3 * d);
            a4 = step_down(node, a4, x + 4 * d);
            a5 = step_down(node, a5, x + 5 * d);
            a6 = step_down(node, a6, x + 6 * d);
            a7 = step_down(node, a7, x + 7 * d);
        }
        arrived = node[a0].feature & node[a1].feature & node[a2].feature & node[a3].feature &
                  node[a4].feature & node[a5].feature & node[a6].feature & node[a7].feature;
    } while (arrived >= 0); /* a leaf's feature is -1: only all of them keep the sign */
    const uint32_t at[SIDE_BY_SIDE] = {a0, a1, a2, a3, a4, a5, a6, a7};
    for (size_t r = 0; r < SIDE_BY_SIDE; r++)
        leaf[r] = node[at[r]].left;
}

static uint32_t leaf_of(const struct lw_tree_node *node, uint32_t at, const double *x)
{
    while (node[at].feature >= 0)
        at = node[at].left + (x[node[at].feature] <= node[at].threshold ? 0 : 1);
    return node[at].left;
}

/* Adds tree r's answer for one row. */
static void add_answer(const struct lw_trees *t, size_t r, uint32_t leaf, double *out)
{
    size_t k = t->outputs;
    if (t->single) {
        out[r % k] += t->value.v[leaf];
        return;
    }
    const double *v = t->value.v + (size_t)leaf * k;
    for (size_t c = 0; c < k; c++)
        out[c] += v[c];
}

/* A tree stays in the cache while a block of rows passes. The rows come in order, which memory
 * is good at; the trees do not: the fewer blocks, the better, as long as both have room. */
static size_t rows_at_once(size_t features)
{
    enum { BYTES = 128 << 10 };
    size_t rows = BYTES / (features * sizeof(double)) / SIDE_BY_SIDE * SIDE_BY_SIDE;
    return rows > SIDE_BY_SIDE ? rows : SIDE_BY_SIDE;
}

void lw_trees_predict(const struct lw_trees *t, const double *x, size_t m, double *out)
{
    size_t k = t->outputs, d = t->features, rows = rows_at_once(d);
    for (size_t i = 0; i < m; i++)
        memcpy(out + i * k, t->base, k * sizeof *out);
    for (size_t from = 0; from < m; from += rows) {
        size_t to = rows < m - from ? from + rows : m;
        for (size_t r = 0; r < t->root.n; r++) {
            size_t i = from;
            for (; i + SIDE_BY_SIDE <= to; i += SIDE_BY_SIDE) {
                uint32_t leaf[SIDE_BY_SIDE];
                leaves_of(t, t->root.v[r], x + i * d, leaf);
                for (size_t s = 0; s < SIDE_BY_SIDE; s++)
                    add_answer(t, r, leaf[s], out + (i + s) * k);
            }
            for (; i < to; i++)
                add_answer(t, r, leaf_of(t->node.v, t->root.v[r], x + i * d), out + i * k);
        }
    }
    if (t->average && t->root.n)
        for (size_t i = 0; i < m * k; i++)
            out[i] /= (double)t->root.n;
}

int lw_trees_check(const struct lw_trees *t, struct lw_err *err)
{
    size_t rows = t->single ? t->value.n : t->outputs ? t->value.n / t->outputs : 0;
    if (t->outputs == 0 || t->features == 0)
        return lw_err_set(err, LW_ECORRUPT, "trees without outputs or features");
    for (size_t i = 0; i < t->node.n; i++) {
        const struct lw_tree_node *n = &t->node.v[i];
        bool leaf = n->feature < 0;
        /* Children come after their parent, so every path ends. */
        if (leaf ? n->feature != -1 || n->left >= rows
                 : (size_t)n->feature >= t->features || n->left <= i ||
                       (size_t)n->left + 1 >= t->node.n)
            return lw_err_set(err, LW_ECORRUPT, "node %zu is out of range", i);
    }
    for (size_t r = 0; r < t->root.n; r++)
        if (t->root.v[r] >= t->node.n)
            return lw_err_set(err, LW_ECORRUPT, "root %zu is out of range", r);
    return 0;
}
