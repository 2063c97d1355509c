/*
 * Which nodes of two trees correspond; the steps are told in treediff.h.
 */
#include <stdlib.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "source/treediff_internal.h"

enum {
    MIN_UNIQUE = 12,     /* nodes of an expression that is matched wherever it stands */
    MOST_CELLS = 40000,  /* of one alignment of two lists of children */
    FREE_WORK = 2000000, /* steps that any file may take */
};

struct pair {
    uint32_t old_node;
    uint32_t new_node;
};

struct matcher {
    struct lw_treediff *d;
    const struct lw_tree *a;    /* old */
    const struct lw_tree *b;    /* new */
    LW_VEC(struct pair) work;   /* matched pairs whose children are to be aligned */
    LW_VEC(uint32_t) left_list; /* unmatched children of a pair, scratch */
    LW_VEC(uint32_t) right_list;
    struct lw_arena scratch;
    uint64_t limit;
    bool failed;
};

static void spend(struct matcher *m, uint64_t steps)
{
    m->d->work += steps;
    if (m->d->work > m->limit)
        m->d->coarse = true;
}

static bool is_free(const struct matcher *m, uint32_t x, uint32_t y)
{
    return m->d->to_new[x] == LW_NO_NODE && m->d->to_old[y] == LW_NO_NODE;
}

/* Matches two nodes; their children are looked at later. */
static void match(struct matcher *m, uint32_t x, uint32_t y)
{
    struct pair p = {x, y};
    m->d->to_new[x] = y;
    m->d->to_old[y] = x;
    if (lw_vec_push(m->d->mem, &m->work, p) < 0)
        m->failed = true;
}

/* Matches two equal subtrees. What is below may have been matched with something else: that
 * stays. */
static void match_equal(struct matcher *m, uint32_t x, uint32_t y)
{
    uint32_t i = x, k = y;
    while (i != LW_NO_NODE && k != LW_NO_NODE) {
        if (is_free(m, i, k)) {
            m->d->to_new[i] = k;
            m->d->to_old[k] = i;
        }
        i = lw_tree_next(m->a, x, i, false);
        k = lw_tree_next(m->b, y, k, false);
    }
    spend(m, m->d->old_label[x].size);
}

/* Kinds and flags that an update may not change. */
static bool same_kind(const struct matcher *m, uint32_t x, uint32_t y)
{
    return m->a->nodes.v[x].kind == m->b->nodes.v[y].kind;
}

/* ---- 1. Equal and unique ---------------------------------------------------------------- */

struct candidate {
    uint64_t hash;
    uint32_t node;
    uint32_t side; /* 0 old, 1 new */
};

static int by_hash(const void *p, const void *q)
{
    const struct candidate *x = p, *y = q;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_size(const void *p, const void *q)
{
    const struct candidate *x = p, *y = q; /* hash holds the size here */
    if (x->hash != y->hash)
        return x->hash > y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static bool is_candidate(const struct lw_tree *t, const struct lw_label *l, uint32_t node)
{
    enum lw_node_kind kind = lw_tree_kind(t, node);
    if (lw_node_is_statement(kind))
        return l[node].size > 2 || kind == LW_NODE_IMPORT_FROM;
    return l[node].size >= MIN_UNIQUE && lw_node_is_expression(kind);
}

static size_t collect(const struct lw_tree *t, const struct lw_label *l, uint32_t side,
                      struct candidate *out, size_t n)
{
    for (uint32_t i = 0; i < t->nodes.n; i++)
        if (i != t->root && l[i].size > 0 && is_candidate(t, l, i))
            out[n++] = (struct candidate){l[i].tree, i, side};
    return n;
}

static int match_unique(struct matcher *m)
{
    struct lw_treediff *d = m->d;
    size_t room = m->a->nodes.n + m->b->nodes.n, n = 0, kept = 0;
    struct candidate *c = lw_arena_array(&m->scratch, room, sizeof *c);
    struct candidate *pairs = lw_arena_array(&m->scratch, room / 2 + 1, sizeof *pairs);
    if (!c || !pairs)
        return LW_ENOMEM;
    n = collect(m->a, d->old_label, 0, c, n);
    n = collect(m->b, d->new_label, 1, c, n);
    qsort(c, n, sizeof *c, by_hash);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && c[j].hash == c[i].hash; j++)
            ;
        if (j - i == 2 && c[i].side == 0 && c[i + 1].side == 1 &&
            same_kind(m, c[i].node, c[i + 1].node))
            pairs[kept++] =
                (struct candidate){d->old_label[c[i].node].size, c[i].node, c[i + 1].node};
    }
    qsort(pairs, kept, sizeof *pairs, by_size);
    for (size_t i = 0; i < kept; i++)
        if (is_free(m, pairs[i].node, pairs[i].side))
            match_equal(m, pairs[i].node, pairs[i].side);
    return 0;
}

/* ---- Similarity ------------------------------------------------------------------------- */

static int by_value(const void *p, const void *q)
{
    uint64_t x = *(const uint64_t *)p, y = *(const uint64_t *)q;
    return x < y ? -1 : x > y;
}

struct bag {
    uint64_t *v;
    size_t n;
};

/* The labels of all leaves below the node, sorted; what is matched outside counts too. */
static struct bag bag_of(struct matcher *m, const struct lw_tree *t, const struct lw_label *l,
                         uint32_t node)
{
    struct bag b = {lw_arena_array(&m->scratch, l[node].size, sizeof(uint64_t)), 0};
    if (!b.v) {
        m->failed = true;
        return b;
    }
    for (uint32_t i = node; i != LW_NO_NODE; i = lw_tree_next(t, node, i, false))
        b.v[b.n++] = l[i].hash;
    qsort(b.v, b.n, sizeof *b.v, by_value);
    spend(m, b.n);
    return b;
}

/* Dice's coefficient of two bags, in thousandths. */
static uint32_t likeness(struct matcher *m, const struct bag *x, const struct bag *y)
{
    size_t i = 0, k = 0, both = 0;
    while (i < x->n && k < y->n) {
        if (x->v[i] == y->v[k]) {
            both++;
            i++;
            k++;
        } else if (x->v[i] < y->v[k]) {
            i++;
        } else {
            k++;
        }
    }
    spend(m, x->n + y->n);
    return x->n + y->n ? (uint32_t)(2000 * both / (x->n + y->n)) : 0;
}

/* ---- 2. Children of matched pairs ------------------------------------------------------- */

typedef LW_VEC(uint32_t) node_list;

static void list_children(struct matcher *m, const struct lw_tree *t, uint32_t node,
                          const uint32_t *partner, void *list)
{
    node_list *out = list;
    const struct lw_node *n = lw_tree_node(t, node);
    out->n = 0;
    for (uint32_t c = n->child; c < n->child + n->count; c++)
        if (partner[c] == LW_NO_NODE && lw_vec_push(m->d->mem, out, c) < 0)
            m->failed = true;
}

static void list_both(struct matcher *m, uint32_t x, uint32_t y)
{
    list_children(m, m->a, x, m->d->to_new, &m->left_list);
    list_children(m, m->b, y, m->d->to_old, &m->right_list);
}

/* Two lists of children, and the words of each where similarity is asked for. */
struct lists {
    const uint32_t *x; /* old */
    const uint32_t *y; /* new */
    size_t n;
    size_t k;
    struct bag *old_bag;
    struct bag *new_bag;
};

static bool same_place(const struct matcher *m, uint32_t x, uint32_t y)
{
    return same_kind(m, x, y) && m->a->nodes.v[x].role == m->b->nodes.v[y].role;
}

static bool is_equal(const struct matcher *m, uint32_t x, uint32_t y)
{
    return m->d->old_label[x].tree == m->d->new_label[y].tree && same_place(m, x, y);
}

enum { LEAST_LIKENESS = 350 }; /* for two statements to be the same one changed */

/* How much two children are wanted as a pair, 0 for never. */
static uint32_t weigh(struct matcher *m, const struct lists *l, size_t i, size_t k)
{
    if (!l->old_bag)
        return is_equal(m, l->x[i], l->y[k]);
    if (!same_place(m, l->x[i], l->y[k]))
        return 0;
    uint32_t like = likeness(m, &l->old_bag[i], &l->new_bag[k]);
    return like >= LEAST_LIKENESS ? like : 0;
}

/* The pairs of the best alignment of two lists in order: dynamic programming over sums of
 * weights. Lists too long for it are paired from both ends only. */
static void align(struct matcher *m, const struct lists *l)
{
    struct lw_arena_mark mark = lw_arena_mark(&m->scratch);
    size_t n = l->n, k = l->k, width = k + 1;
    if (n == 0 || k == 0 || n > MOST_CELLS / k || m->d->coarse)
        return;
    uint32_t *best = lw_arena_array(&m->scratch, (n + 1) * width, sizeof *best);
    uint32_t *gain = lw_arena_array(&m->scratch, n * k, sizeof *gain);
    if (!best || !gain) {
        m->failed = true;
        return;
    }
    spend(m, n * k);
    for (size_t i = n; i-- > 0;)
        for (size_t j = k; j-- > 0;) {
            uint32_t down = best[(i + 1) * width + j], right = best[i * width + j + 1];
            uint32_t g = gain[i * k + j] = weigh(m, l, i, j);
            uint32_t both = g ? best[(i + 1) * width + j + 1] + g : 0;
            uint32_t most = down > right ? down : right;
            best[i * width + j] = both > most ? both : most;
        }
    for (size_t i = 0, j = 0; i < n && j < k;) {
        uint32_t here = best[i * width + j], g = gain[i * k + j];
        if (g && here == best[(i + 1) * width + j + 1] + g) {
            (l->old_bag ? match : match_equal)(m, l->x[i], l->y[j]);
            i++;
            j++;
        } else if (here == best[(i + 1) * width + j]) {
            i++;
        } else {
            j++;
        }
    }
    lw_arena_rewind(&m->scratch, mark);
}

/* Equal children in order: common ends first, then the longest common subsequence. */
static void align_equal(struct matcher *m, uint32_t x, uint32_t y)
{
    list_both(m, x, y);
    size_t n = m->left_list.n, k = m->right_list.n, i = 0;
    const uint32_t *l = m->left_list.v, *r = m->right_list.v;
    for (; i < n && i < k && is_equal(m, l[i], r[i]); i++)
        match_equal(m, l[i], r[i]);
    while (n > i && k > i && is_equal(m, l[n - 1], r[k - 1])) {
        n--;
        k--;
        match_equal(m, l[n], r[k]);
    }
    if (n > i && k > i)
        align(m, &(struct lists){.x = l + i, .y = r + i, .n = n - i, .k = k - i});
}

/* The name that makes a child the same whatever else changed: of definitions and keywords. */
static struct lw_str key_of(const struct lw_tree *t, uint32_t node)
{
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_FUNCTION:
    case LW_NODE_CLASS:
    case LW_NODE_PARAM:
    case LW_NODE_KEYWORD: return lw_tree_name(t, node);
    case LW_NODE_ALIAS: return lw_tree_text(t, node);
    default: return (struct lw_str){"", 0};
    }
}

static void align_keys(struct matcher *m, uint32_t x, uint32_t y)
{
    struct lw_map keys;
    bool any = false;
    list_both(m, x, y);
    for (size_t i = 0; i < m->left_list.n && !any; i++)
        any = key_of(m->a, m->left_list.v[i]).n > 0;
    if (!any || m->right_list.n == 0)
        return;
    lw_map_init(&keys, m->d->mem);
    /* From the end, so that of several with one name the first stays in the map. */
    for (size_t i = m->right_list.n; i-- > 0;) {
        struct lw_str key = key_of(m->b, m->right_list.v[i]);
        struct lw_map_entry *e = key.n ? lw_map_put(&keys, key, NULL) : NULL;
        if (e)
            e->value = m->right_list.v[i];
        m->failed |= key.n && !e;
    }
    for (size_t i = 0; i < m->left_list.n; i++) {
        struct lw_str key = key_of(m->a, m->left_list.v[i]);
        struct lw_map_entry *e = key.n ? lw_map_find(&keys, key) : NULL;
        uint32_t other = e ? (uint32_t)e->value : LW_NO_NODE;
        if (e && is_free(m, m->left_list.v[i], other) && same_kind(m, m->left_list.v[i], other))
            match(m, m->left_list.v[i], other);
    }
    lw_map_release(&keys);
}

static void align_alike(struct matcher *m, uint32_t x, uint32_t y)
{
    struct lw_arena_mark mark = lw_arena_mark(&m->scratch);
    list_both(m, x, y);
    size_t n = m->left_list.n, k = m->right_list.n;
    if (n == 0 || k == 0 || n > MOST_CELLS / k || m->d->coarse || m->failed)
        return;
    struct lists l = {.x = m->left_list.v, .y = m->right_list.v, .n = n, .k = k};
    l.old_bag = lw_arena_array(&m->scratch, n, sizeof(struct bag));
    l.new_bag = lw_arena_array(&m->scratch, k, sizeof(struct bag));
    m->failed |= !l.old_bag || !l.new_bag;
    for (size_t i = 0; i < n && !m->failed; i++)
        l.old_bag[i] = bag_of(m, m->a, m->d->old_label, l.x[i]);
    for (size_t i = 0; i < k && !m->failed; i++)
        l.new_bag[i] = bag_of(m, m->b, m->d->new_label, l.y[i]);
    if (!m->failed)
        align(m, &l);
    lw_arena_rewind(&m->scratch, mark);
}

/* ---- Around and inside ------------------------------------------------------------------ */

/* A node below `top`, free and equal to the subtree, the first in text order. */
static uint32_t find_equal(struct matcher *m, const struct lw_tree *t, const struct lw_label *l,
                           const uint32_t *partner, uint32_t top, uint64_t hash, uint32_t size)
{
    for (uint32_t i = lw_tree_next(t, top, top, false); i != LW_NO_NODE;) {
        bool may = l[i].size >= size;
        spend(m, 1);
        if (may && l[i].tree == hash && partner[i] == LW_NO_NODE)
            return i;
        i = lw_tree_next(t, top, i, !may);
    }
    return LW_NO_NODE;
}

/* One expression stands where another stood: was it put around it, or taken from around it? */
static void zoom(struct matcher *m, uint32_t x, uint32_t y)
{
    struct lw_treediff *d = m->d;
    if (m->d->coarse)
        return;
    uint32_t in = find_equal(m, m->b, d->new_label, d->to_old, y, d->old_label[x].tree,
                             d->old_label[x].size);
    if (in != LW_NO_NODE) {
        match_equal(m, x, in);
        return;
    }
    in = find_equal(m, m->a, d->old_label, d->to_new, x, d->new_label[y].tree,
                    d->new_label[y].size);
    if (in != LW_NO_NODE) {
        match_equal(m, in, y);
        return;
    }
    /* Neither whole: their own largest parts. */
    const struct lw_node *n = lw_tree_node(m->a, x);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        if (d->to_new[c] != LW_NO_NODE || d->old_label[c].size < 2)
            continue;
        in = find_equal(m, m->b, d->new_label, d->to_old, y, d->old_label[c].tree,
                        d->old_label[c].size);
        if (in != LW_NO_NODE && in != y)
            match_equal(m, c, in);
    }
}

/* What is left in the same role: the same kind changed, or something put around. */
static void align_roles(struct matcher *m, uint32_t x, uint32_t y)
{
    list_both(m, x, y);
    const uint32_t *l = m->left_list.v, *r = m->right_list.v;
    size_t k = 0;
    for (size_t i = 0; i < m->left_list.n && k < m->right_list.n; i++) {
        uint8_t role = m->a->nodes.v[l[i]].role;
        size_t at = k;
        while (at < m->right_list.n && m->b->nodes.v[r[at]].role != role)
            at++;
        if (at == m->right_list.n)
            continue;
        bool statement = lw_node_is_statement(lw_tree_kind(m->a, l[i]));
        if (!is_free(m, l[i], r[at]))
            continue;
        if (same_kind(m, l[i], r[at]) && !statement)
            match(m, l[i], r[at]);
        else if (!statement)
            zoom(m, l[i], r[at]);
        else
            continue;
        k = at + 1;
    }
}

static void align_children(struct matcher *m, uint32_t x, uint32_t y)
{
    if (m->a->nodes.v[x].count == 0 || m->b->nodes.v[y].count == 0)
        return;
    align_equal(m, x, y);
    align_keys(m, x, y);
    align_alike(m, x, y);
    align_roles(m, x, y);
}

static void work_down(struct matcher *m)
{
    while (m->work.n > 0 && !m->failed) {
        struct pair p = m->work.v[--m->work.n];
        align_children(m, p.old_node, p.new_node);
    }
}

/* ---- 3. From the leaves up -------------------------------------------------------------- */

/* The unmatched node of the new tree, of the same kind, that most children lead to. */
static uint32_t likely_partner(const struct matcher *m, uint32_t x)
{
    const struct lw_treediff *d = m->d;
    const struct lw_node *n = lw_tree_node(m->a, x);
    uint32_t best = LW_NO_NODE, votes = 0;
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        uint32_t y = d->to_new[c];
        if (y == LW_NO_NODE || y == m->b->root)
            continue;
        y = m->b->nodes.v[y].parent;
        if (d->to_old[y] != LW_NO_NODE || !same_kind(m, x, y))
            continue;
        /* Majority vote by pairing off (Boyer and Moore). */
        if (votes == 0)
            best = y;
        if (y == best)
            votes++;
        else
            votes--;
    }
    return best;
}

/* Thousandths of the descendants of both that are partners of each other. */
static uint32_t agreement(struct matcher *m, uint32_t x, uint32_t y)
{
    const struct lw_treediff *d = m->d;
    uint32_t both = 0, all = d->old_label[x].size + d->new_label[y].size - 2;
    for (uint32_t i = lw_tree_next(m->a, x, x, false); i != LW_NO_NODE;
         i = lw_tree_next(m->a, x, i, false))
        both += d->to_new[i] != LW_NO_NODE && treediff_is_below(d->new_label, d->to_new[i], y);
    spend(m, d->old_label[x].size);
    return all ? (uint32_t)(2000ull * both / all) : 0;
}

enum { LEAST_AGREEMENT = 500 };

static int work_up(struct matcher *m)
{
    size_t n = m->a->nodes.n;
    uint32_t *order = lw_arena_array(&m->scratch, n, sizeof *order);
    if (!order)
        return LW_ENOMEM;
    uint32_t count = 0;
    for (uint32_t i = m->a->root; i != LW_NO_NODE; i = lw_tree_next(m->a, m->a->root, i, false))
        order[count++] = i;
    /* Backwards in preorder: children before their parents. */
    for (uint32_t i = count; i-- > 0 && !m->failed && !m->d->coarse;) {
        uint32_t x = order[i];
        if (m->d->to_new[x] != LW_NO_NODE || m->a->nodes.v[x].count == 0)
            continue;
        uint32_t y = likely_partner(m, x);
        if (y == LW_NO_NODE || agreement(m, x, y) < LEAST_AGREEMENT)
            continue;
        match(m, x, y);
        work_down(m);
    }
    return 0;
}

int treediff_match(struct lw_treediff *d)
{
    struct matcher m = {.d = d, .a = d->old_tree, .b = d->new_tree};
    m.limit =
        FREE_WORK + (uint64_t)LW_TREEDIFF_WORK * (d->old_tree->nodes.n + d->new_tree->nodes.n);
    lw_arena_init(&m.scratch, d->mem, 0);
    int rc = match_unique(&m);
    if (rc == 0) {
        match(&m, m.a->root, m.b->root);
        work_down(&m);
        rc = work_up(&m);
    }
    lw_vec_release(d->mem, &m.work);
    lw_vec_release(d->mem, &m.left_list);
    lw_vec_release(d->mem, &m.right_list);
    lw_arena_release(&m.scratch);
    return m.failed ? LW_ENOMEM : rc;
}
