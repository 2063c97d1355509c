#include "numeric/assoc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "numeric/simd.h"

enum { MOST_LENGTH = 64 };

void lw_itemsets_release(struct lw_itemsets *s)
{
    lw_vec_release(s->mem, &s->set);
    lw_vec_release(s->mem, &s->item);
    *s = (struct lw_itemsets){.mem = s->mem};
}

/* What both algorithms carry around. */
struct miner {
    struct lw_itemsets *out;
    const struct lw_transactions *t;
    uint32_t least; /* count needed */
    size_t max_length, max_sets;
    struct lw_arena arena;
    struct lw_err *err;
};

static int check_transactions(const struct lw_transactions *t, struct lw_err *err)
{
    if (t->n == 0 || t->n >= UINT32_MAX || t->items >= UINT32_MAX)
        return lw_err_set(err, LW_EINVAL, "there are no transactions, or too many");
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = t->start[i]; j < t->start[i + 1]; j++)
            if (t->item[j] >= t->items || (j > t->start[i] && t->item[j - 1] >= t->item[j]))
                return lw_err_set(err, LW_EINVAL, "transaction %zu is not in order", i + 1);
    return 0;
}

static int begin(struct miner *m, struct lw_itemsets *out, struct lw_mem *mem,
                 const struct lw_transactions *t, const struct lw_assoc_options *o,
                 struct lw_err *err)
{
    *out = (struct lw_itemsets){.mem = mem};
    if (!(o->min_support > 0 && o->min_support <= 1))
        return lw_err_set(err, LW_EINVAL, "the support must be above 0 and at most 1");
    if (check_transactions(t, err) < 0)
        return err->code;
    double least = ceil(o->min_support * (double)t->n - 1e-9);
    *m = (struct miner){.out = out, .t = t, .err = err};
    m->least = least < 1 ? 1 : (uint32_t)least;
    m->max_length = o->max_length && o->max_length < MOST_LENGTH ? o->max_length : MOST_LENGTH;
    m->max_sets = o->max_sets ? o->max_sets : 10000000;
    lw_arena_init(&m->arena, mem, 0);
    return 0;
}

/* Adds prefix + last (last may be UINT32_MAX for none). */
static int emit(struct miner *m, const uint32_t *item, size_t n, uint32_t last, uint32_t count)
{
    if (m->out->set.n == m->max_sets)
        return lw_err_set(m->err, LW_ELIMIT,
                          "more than %zu frequent sets; raise the support or limit the length",
                          m->max_sets);
    size_t more = last == UINT32_MAX ? 0 : 1;
    struct lw_itemset s = {m->out->item.n, (uint32_t)(n + more), count};
    if (lw_vec_reserve(m->out->mem, &m->out->item, n + more) < 0 ||
        lw_vec_push(m->out->mem, &m->out->set, s) < 0)
        return lw_err_nomem(m->err);
    memcpy(m->out->item.v + s.at, item, n * sizeof *item);
    if (more)
        m->out->item.v[s.at + n] = last;
    m->out->item.n += n + more;
    return 0;
}

static uint32_t *count_items(struct miner *m)
{
    uint32_t *count = lw_arena_array(&m->arena, m->t->items, sizeof *count);
    for (size_t j = 0; count && j < m->t->start[m->t->n]; j++)
        count[m->t->item[j]]++;
    return count;
}

/* ---- Apriori
 * --------------------------------------------------------------------------------- */

LW_SIMD_BODY void count_both_body(const uint64_t *a, const uint64_t *b, size_t n, uint32_t *out)
{
    uint64_t c0 = 0, c1 = 0;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        c0 += (uint64_t)__builtin_popcountll(a[i] & b[i]);
        c1 += (uint64_t)__builtin_popcountll(a[i + 1] & b[i + 1]);
    }
    for (; i < n; i++)
        c0 += (uint64_t)__builtin_popcountll(a[i] & b[i]);
    *out = (uint32_t)(c0 + c1);
}
LW_SIMD(count_both, (const uint64_t *a, const uint64_t *b, size_t n, uint32_t *out),
        (a, b, n, out))

/* Which transactions hold each frequent item: (frequent, words). */
struct bits {
    uint64_t *v;
    size_t words;
    uint32_t *row; /* of an item, UINT32_MAX when it is not frequent */
};

static const uint64_t *bits_of(const struct bits *b, uint32_t item)
{
    return b->v + b->row[item] * b->words;
}

static int first_level(struct miner *m, struct bits *b)
{
    uint32_t *count = count_items(m);
    b->row = lw_arena_array(&m->arena, m->t->items, sizeof *b->row);
    if (!count || !b->row)
        return lw_err_nomem(m->err);
    uint32_t frequent = 0;
    for (uint32_t i = 0; i < m->t->items; i++) {
        b->row[i] = UINT32_MAX;
        if (count[i] < m->least)
            continue;
        b->row[i] = frequent++;
        if (emit(m, &i, 1, UINT32_MAX, count[i]) < 0)
            return m->err->code;
    }
    b->words = (m->t->n + 63) / 64;
    b->v = lw_arena_array(&m->arena, frequent * b->words, sizeof *b->v);
    if (!b->v)
        return lw_err_nomem(m->err);
    for (size_t t = 0; t < m->t->n; t++)
        for (size_t j = m->t->start[t]; j < m->t->start[t + 1]; j++)
            if (b->row[m->t->item[j]] != UINT32_MAX)
                b->v[b->row[m->t->item[j]] * b->words + t / 64] |= (uint64_t)1 << (t % 64);
    return 0;
}

/* Pairs by counting in a triangle: each transaction adds its own pairs, which for short
 * transactions is far less than all pairs of frequent items. */
static int second_level(struct miner *m, const struct bits *b)
{
    size_t f = m->out->set.n;
    uint32_t *pair = f < 8192 ? lw_arena_array(&m->arena, f * f, sizeof *pair) : NULL;
    uint32_t *kept = lw_arena_array(&m->arena, f + 1, sizeof *kept);
    if (!kept || (f < 8192 && !pair))
        return lw_err_nomem(m->err);
    for (size_t t = 0; pair && t < m->t->n; t++) {
        size_t n = 0;
        for (size_t j = m->t->start[t]; j < m->t->start[t + 1]; j++)
            if (b->row[m->t->item[j]] != UINT32_MAX)
                kept[n++] = b->row[m->t->item[j]];
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                pair[kept[i] * f + kept[j]]++;
    }
    for (size_t i = 0; i < f; i++)
        for (size_t j = i + 1; j < f; j++) {
            uint32_t count, x = m->out->item.v[i], y = m->out->item.v[j];
            if (pair)
                count = pair[i * f + j];
            else
                count_both(bits_of(b, x), bits_of(b, y), b->words, &count);
            if (count >= m->least && emit(m, &x, 1, y, count) < 0)
                return m->err->code;
        }
    return 0;
}

static int compare_items(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Binary search among sets [from, to) of size n, which are in order. */
static ptrdiff_t find_set(const struct lw_itemsets *s, size_t from, size_t to,
                          const uint32_t *item, size_t n)
{
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        int c = compare_items(s->item.v + s->set.v[mid].at, item, n);
        if (c == 0)
            return (ptrdiff_t)mid;
        if (c < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return -1;
}

/* Apriori's pruning: every subset one smaller has to be frequent. The two that were joined are;
 * the others leave out one of the first n - 1 items. `set` has n + 1 items. */
static bool subsets_are_frequent(const struct lw_itemsets *s, size_t from, size_t to,
                                 const uint32_t *set, size_t n)
{
    uint32_t sub[MOST_LENGTH];
    for (size_t leave = 0; leave + 2 < n + 1; leave++) {
        memcpy(sub, set, leave * sizeof *sub);
        memcpy(sub + leave, set + leave + 1, (n - leave) * sizeof *sub);
        if (find_set(s, from, to, sub, n) < 0)
            return false;
    }
    return true;
}

/* Joins set `a` with the later sets of the same prefix; `rows` is scratch for its bits. */
static int join_from(struct miner *m, const struct bits *b, size_t a, size_t from, size_t to,
                     uint64_t *both)
{
    size_t n = m->out->set.v[a].n;
    uint32_t set[MOST_LENGTH + 1];
    memcpy(set, m->out->item.v + m->out->set.v[a].at, n * sizeof *set);
    bool ready = false;
    for (size_t c = a + 1; c < to; c++) {
        const uint32_t *other = m->out->item.v + m->out->set.v[c].at;
        if (compare_items(set, other, n - 1) != 0)
            break;
        set[n] = other[n - 1];
        if (!subsets_are_frequent(m->out, from, to, set, n))
            continue;
        if (!ready) {
            memcpy(both, bits_of(b, set[0]), b->words * sizeof *both);
            for (size_t i = 1; i < n; i++) {
                const uint64_t *row = bits_of(b, set[i]);
                for (size_t w = 0; w < b->words; w++)
                    both[w] &= row[w];
            }
            ready = true;
        }
        uint32_t count;
        count_both(both, bits_of(b, set[n]), b->words, &count);
        if (count >= m->least && emit(m, set, n, set[n], count) < 0)
            return m->err->code;
    }
    return 0;
}

int lw_apriori(struct lw_itemsets *out, struct lw_mem *mem, const struct lw_transactions *t,
               const struct lw_assoc_options *options, struct lw_err *err)
{
    struct miner m;
    if (begin(&m, out, mem, t, options, err) < 0)
        return err->code;
    struct bits b = {0};
    int rc = first_level(&m, &b);
    uint64_t *both = rc == 0 ? lw_arena_array(&m.arena, b.words, sizeof *both) : NULL;
    if (rc == 0 && !both)
        rc = lw_err_nomem(err);
    size_t from = 0, to = out->set.n;
    if (rc == 0 && m.max_length > 1)
        rc = second_level(&m, &b);
    for (size_t level = 2; rc == 0 && level < m.max_length; level++) {
        from = to;
        to = out->set.n;
        for (size_t a = from; rc == 0 && a < to; a++)
            rc = join_from(&m, &b, a, from, to, both);
    }
    lw_arena_release(&m.arena);
    if (rc < 0)
        lw_itemsets_release(out);
    return rc;
}

/* ---- FP-growth
 * -------------------------------------------------------------------------------- */

struct fp_node {
    uint32_t item, count, parent, next; /* next: same item; 0 = none (node 0 is the root) */
    uint32_t child, sibling;
};

struct fp_tree {
    LW_VEC(struct fp_node) node;
    uint32_t *head;  /* first node of an item */
    uint32_t *total; /* count of an item */
    size_t items;    /* ranks: 0 is the most frequent item */
};

static int fp_init(struct fp_tree *tree, struct miner *m, size_t items)
{
    memset(tree, 0, sizeof *tree);
    tree->items = items;
    tree->head = lw_arena_array(&m->arena, items, sizeof *tree->head);
    tree->total = lw_arena_array(&m->arena, items, sizeof *tree->total);
    if (!tree->head || !tree->total ||
        lw_vec_push(m->out->mem, &tree->node, (struct fp_node){0}) < 0)
        return lw_err_nomem(m->err);
    return 0;
}

/* Inserts a path of ranks in ascending order with a count. */
static int fp_insert(struct fp_tree *tree, struct miner *m, const uint32_t *path, size_t n,
                     uint32_t count)
{
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = tree->node.v[at].child;
        while (c && tree->node.v[c].item != path[i])
            c = tree->node.v[c].sibling;
        if (!c) {
            c = (uint32_t)tree->node.n;
            struct fp_node fresh = {
                path[i], 0, at, tree->head[path[i]], 0, tree->node.v[at].child};
            if (lw_vec_push(m->out->mem, &tree->node, fresh) < 0)
                return lw_err_nomem(m->err);
            tree->node.v[at].child = c;
            tree->head[path[i]] = c;
        }
        tree->node.v[c].count += count;
        tree->total[path[i]] += count;
        at = c;
    }
    return 0;
}

/* The ranks above node `at` that are frequent in the conditional base, ascending. */
static size_t fp_path(const struct fp_tree *tree, uint32_t at, const uint32_t *total,
                      uint32_t least, uint32_t *path)
{
    size_t n = 0;
    for (uint32_t p = tree->node.v[at].parent; p; p = tree->node.v[p].parent)
        if (total[tree->node.v[p].item] >= least)
            path[n++] = tree->node.v[p].item;
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t t = path[i];
        path[i] = path[n - 1 - i];
        path[n - 1 - i] = t;
    }
    return n;
}

struct fp_state {
    const uint32_t *item_of; /* rank to item */
    uint32_t suffix[MOST_LENGTH];
    size_t n;
};

/* Emits the suffix with its items in order (insertion sort: it is short). */
static int fp_emit(struct miner *m, const struct fp_state *s, uint32_t count)
{
    uint32_t sorted[MOST_LENGTH];
    for (size_t i = 0; i < s->n; i++) {
        uint32_t item = s->item_of[s->suffix[i]];
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > item; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = item;
    }
    return emit(m, sorted, s->n, UINT32_MAX, count);
}

static int fp_mine(struct miner *m, const struct fp_tree *tree, struct fp_state *s);

/* The tree of everything that occurs above `rank`, and its sets. */
static int fp_condition(struct miner *m, const struct fp_tree *tree, uint32_t rank,
                        struct fp_state *s)
{
    struct lw_arena_mark mark = lw_arena_mark(&m->arena);
    struct fp_tree below;
    uint32_t *total = lw_arena_array(&m->arena, rank + 1, sizeof *total);
    uint32_t *path = lw_arena_array(&m->arena, rank + 1, sizeof *path);
    if (!total || !path)
        return lw_err_nomem(m->err);
    for (uint32_t at = tree->head[rank]; at; at = tree->node.v[at].next)
        for (uint32_t p = tree->node.v[at].parent; p; p = tree->node.v[p].parent)
            total[tree->node.v[p].item] += tree->node.v[at].count;
    int rc = fp_init(&below, m, rank);
    for (uint32_t at = tree->head[rank]; rc == 0 && at; at = tree->node.v[at].next) {
        size_t n = fp_path(tree, at, total, m->least, path);
        rc = fp_insert(&below, m, path, n, tree->node.v[at].count);
    }
    if (rc == 0)
        rc = fp_mine(m, &below, s);
    lw_vec_release(m->out->mem, &below.node);
    lw_arena_rewind(&m->arena, mark);
    return rc;
}

/* Calls nest at most max_length (64) deep. */
static int fp_mine(struct miner *m, const struct fp_tree *tree, struct fp_state *s)
{
    int rc = 0;
    for (uint32_t rank = (uint32_t)tree->items; rc == 0 && rank-- > 0;) {
        if (tree->total[rank] < m->least)
            continue;
        s->suffix[s->n++] = rank;
        rc = fp_emit(m, s, tree->total[rank]);
        if (rc == 0 && s->n < m->max_length && rank > 0)
            rc = fp_condition(m, tree, rank, s);
        s->n--;
    }
    return rc;
}

/* qsort has no argument for data, so that sets carry a pointer to their items. */
struct sortable {
    const uint32_t *item;
    struct lw_itemset set;
};

static int by_size_then_items(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    if (x->set.n != y->set.n)
        return x->set.n < y->set.n ? -1 : 1;
    return compare_items(x->item, y->item, x->set.n);
}

static int sort_sets(struct miner *m)
{
    struct lw_itemsets *s = m->out;
    struct sortable *all = lw_arena_array(&m->arena, s->set.n, sizeof *all);
    uint32_t *items = lw_arena_array(&m->arena, s->item.n, sizeof *items);
    if (!all || !items)
        return lw_err_nomem(m->err);
    for (size_t i = 0; i < s->set.n; i++)
        all[i] = (struct sortable){s->item.v + s->set.v[i].at, s->set.v[i]};
    qsort(all, s->set.n, sizeof *all, by_size_then_items);
    size_t at = 0;
    for (size_t i = 0; i < s->set.n; i++) {
        memcpy(items + at, all[i].item, all[i].set.n * sizeof *items);
        s->set.v[i] = all[i].set;
        s->set.v[i].at = at;
        at += all[i].set.n;
    }
    memcpy(s->item.v, items, at * sizeof *items);
    return 0;
}

/* Frequent items by falling count (then by number): rank and back. */
static int rank_items(struct miner *m, uint32_t **rank_of, uint32_t **item_of, size_t *frequent)
{
    uint32_t *count = count_items(m);
    *rank_of = lw_arena_array(&m->arena, m->t->items, sizeof **rank_of);
    *item_of = lw_arena_array(&m->arena, m->t->items, sizeof **item_of);
    /* A counting sort: counts are at most the number of transactions. */
    size_t *place = lw_arena_array(&m->arena, m->t->n + 2, sizeof *place);
    if (!count || !*rank_of || !*item_of || !place)
        return lw_err_nomem(m->err);
    *frequent = 0;
    for (size_t i = 0; i < m->t->items; i++)
        if (count[i] >= m->least) {
            place[m->t->n - count[i] + 1]++;
            ++*frequent;
        }
    for (size_t c = 1; c < m->t->n + 2; c++)
        place[c] += place[c - 1];
    for (uint32_t i = 0; i < m->t->items; i++) {
        (*rank_of)[i] = UINT32_MAX;
        if (count[i] >= m->least) {
            uint32_t r = (uint32_t)place[m->t->n - count[i]]++;
            (*rank_of)[i] = r;
            (*item_of)[r] = i;
        }
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int grow(struct miner *m)
{
    uint32_t *rank_of, *item_of;
    size_t frequent = 0;
    if (rank_items(m, &rank_of, &item_of, &frequent) < 0)
        return m->err->code;
    struct fp_tree tree = {0};
    uint32_t *path = lw_arena_array(&m->arena, frequent + 1, sizeof *path);
    int rc = path ? fp_init(&tree, m, frequent) : lw_err_nomem(m->err);
    for (size_t t = 0; rc == 0 && t < m->t->n; t++) {
        size_t n = 0;
        for (size_t j = m->t->start[t]; j < m->t->start[t + 1]; j++)
            if (rank_of[m->t->item[j]] != UINT32_MAX)
                path[n++] = rank_of[m->t->item[j]];
        qsort(path, n, sizeof *path, by_number);
        rc = fp_insert(&tree, m, path, n, 1);
    }
    struct fp_state state = {.item_of = item_of};
    if (rc == 0)
        rc = fp_mine(m, &tree, &state);
    lw_vec_release(m->out->mem, &tree.node);
    return rc == 0 ? sort_sets(m) : rc;
}

int lw_fp_growth(struct lw_itemsets *out, struct lw_mem *mem, const struct lw_transactions *t,
                 const struct lw_assoc_options *options, struct lw_err *err)
{
    struct miner m;
    if (begin(&m, out, mem, t, options, err) < 0)
        return err->code;
    int rc = grow(&m);
    lw_arena_release(&m.arena);
    if (rc < 0)
        lw_itemsets_release(out);
    return rc;
}

/* ---- Rules ------------------------------------------------------------------------------ */

/* The first set of more than `size` items, from `a` on; sizes ascend. */
static size_t first_above(const struct lw_itemsets *s, size_t a, size_t size)
{
    size_t b = s->set.n;
    while (a < b) {
        size_t mid = a + (b - a) / 2;
        if (s->set.v[mid].n <= size)
            a = mid + 1;
        else
            b = mid;
    }
    return a;
}

uint32_t lw_itemsets_count(const struct lw_itemsets *s, const uint32_t *item, size_t n)
{
    if (n == 0)
        return 0;
    size_t from = first_above(s, 0, n - 1);
    ptrdiff_t at = find_set(s, from, first_above(s, from, n), item, n);
    return at < 0 ? 0 : s->set.v[at].count;
}

static int by_confidence(const void *a, const void *b)
{
    const struct lw_rule *x = a, *y = b;
    /* Exact: c1/l1 against c2/l2 as whole numbers. */
    uint64_t left = (uint64_t)x->count * y->left_count,
             right = (uint64_t)y->count * x->left_count;
    if (left != right)
        return left > right ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return x->right < y->right ? -1 : x->right > y->right;
}

int lw_rules(lw_rule_vec *out, const struct lw_itemsets *sets, const struct lw_transactions *t,
             double min_confidence, const bool *allowed, struct lw_err *err)
{
    double n = (double)t->n;
    for (size_t i = 0; i < sets->set.n; i++) {
        const struct lw_itemset *s = &sets->set.v[i];
        const uint32_t *item = sets->item.v + s->at;
        for (size_t right = 0; s->n > 1 && right < s->n; right++) {
            uint32_t left[MOST_LENGTH];
            bool fits = true;
            size_t k = 0;
            for (size_t j = 0; j < s->n; j++)
                if (j != right) {
                    left[k++] = item[j];
                    fits = fits && (!allowed || allowed[item[j]]);
                }
            uint32_t left_count = fits ? lw_itemsets_count(sets, left, k) : 0;
            uint32_t right_count = fits ? lw_itemsets_count(sets, item + right, 1) : 0;
            if (!fits || left_count == 0 || right_count == 0)
                continue;
            struct lw_rule rule = {i,          item[right],  s->count,
                                   left_count, s->count / n, (double)s->count / left_count,
                                   0};
            rule.lift = rule.confidence * n / right_count;
            if (rule.confidence >= min_confidence - 1e-12 &&
                lw_vec_push(sets->mem, out, rule) < 0)
                return lw_err_nomem(err);
        }
    }
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_confidence);
    return 0;
}
