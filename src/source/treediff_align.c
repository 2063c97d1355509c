/*
 * The children of a matched pair of nodes: which of them correspond, and what of the rest is
 * still there somewhere below the rest of the other side.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/str.h"
#include "source/treediff_internal.h"

enum {
    MOST_CELLS = 40000,   /* of one alignment of two lists of nodes */
    LEAST_LIKENESS = 350, /* for two statements to be the same one changed */
    LEAST_MOVED = 500,    /* the same, wherever they stand */
    OTHER_KIND = 50,      /* more, when they are of different kinds */
    LEAST_PART = 2,       /* nodes of an expression that is found again elsewhere */
};

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

/* The words of all nodes below, without dots, and the kinds of what has children, sorted. What
 * is matched outside counts too. */
static struct bag bag_of(struct treediff_matcher *m, bool old, uint32_t top)
{
    const struct lw_tree *t = old ? m->a : m->b;
    const struct lw_label *l = old ? m->d->old_label : m->d->new_label;
    const uint64_t *words = old ? m->d->old_words : m->d->new_words;
    const struct lw_node *n = lw_tree_node(t, top);
    size_t tokens = n->flags & LW_NODE_EMPTY ? 0 : n->last - n->first + 1;
    struct bag b = {lw_arena_array(&m->scratch, l[top].size + tokens, sizeof(uint64_t)), 0};
    treediff_spend(m, l[top].size + tokens);
    if (!b.v) {
        m->failed = true;
        return b;
    }
    for (size_t i = n->first; i < n->first + tokens; i++)
        if (words[i] && t->lexed.tokens.v[i].kind != LW_TOK_DOT)
            b.v[b.n++] = words[i];
    for (uint32_t i = top; i != LW_NO_NODE; i = lw_tree_next(t, top, i, false)) {
        n = lw_tree_node(t, i);
        if (n->count > 0)
            b.v[b.n++] = treediff_mix(n->kind, n->op);
    }
    qsort(b.v, b.n, sizeof *b.v, by_value);
    return b;
}

/* Dice's coefficient of two bags, in thousandths. */
static uint32_t likeness(struct treediff_matcher *m, const struct bag *x, const struct bag *y)
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
    treediff_spend(m, x->n + y->n);
    return x->n + y->n ? (uint32_t)(2000 * both / (x->n + y->n)) : 0;
}

/* ---- Lists of unmatched nodes ----------------------------------------------------------- */

typedef LW_VEC(uint32_t) node_list;

static void list_children(struct treediff_matcher *m, const struct lw_tree *t, uint32_t node,
                          const uint32_t *partner, void *list)
{
    node_list *out = list;
    const struct lw_node *n = lw_tree_node(t, node);
    out->n = 0;
    for (uint32_t c = n->child; c < n->child + n->count; c++)
        if (partner[c] == LW_NO_NODE && lw_vec_push(m->d->mem, out, c) < 0)
            m->failed = true;
}

/* Whether both sides have children left over. */
static bool list_both(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    list_children(m, m->a, x, m->d->to_new, &m->left_list);
    list_children(m, m->b, y, m->d->to_old, &m->right_list);
    return m->left_list.n > 0 && m->right_list.n > 0 && !m->failed;
}

/* Two lists of nodes, and the words of each where similarity is asked for. */
struct lists {
    const uint32_t *x; /* old */
    const uint32_t *y; /* new */
    size_t n;
    size_t k;
    struct bag *old_bag;
    struct bag *new_bag;
    uint32_t least; /* likeness of a pair */
    bool anywhere;  /* a pair need not stand in the same role */
};

static bool same_role(const struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    return m->a->nodes.v[x].role == m->b->nodes.v[y].role;
}

static bool is_equal(const struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    return m->d->old_label[x].tree == m->d->new_label[y].tree && same_role(m, x, y) &&
           treediff_same_kind(m, x, y);
}

/* Statements without a body, one of which may become another: a value returned that was
 * assigned, a name that gets a type. */
static bool is_simple(enum lw_node_kind kind)
{
    switch (kind) {
    case LW_NODE_RETURN:
    case LW_NODE_DELETE:
    case LW_NODE_ASSIGN:
    case LW_NODE_AUG_ASSIGN:
    case LW_NODE_ANN_ASSIGN:
    case LW_NODE_RAISE:
    case LW_NODE_ASSERT:
    case LW_NODE_IMPORT:
    case LW_NODE_IMPORT_FROM:
    case LW_NODE_EXPR:
    case LW_NODE_PRINT: return true;
    default: return false;
    }
}

/* How much two nodes are wanted as a pair, 0 for never. */
static uint32_t weigh(struct treediff_matcher *m, const struct lists *l, size_t i, size_t k)
{
    uint32_t x = l->x[i], y = l->y[k], least = l->least;
    if (!l->old_bag)
        return is_equal(m, x, y);
    if (!l->anywhere && !same_role(m, x, y))
        return 0;
    if (lw_tree_kind(m->a, x) == LW_NODE_KEYWORD) /* another name: another argument */
        return 0;
    if (!treediff_same_kind(m, x, y)) {
        if (!is_simple(lw_tree_kind(m->a, x)) || !is_simple(lw_tree_kind(m->b, y)))
            return 0;
        least += OTHER_KIND;
    }
    uint32_t like = likeness(m, &l->old_bag[i], &l->new_bag[k]);
    return like >= least ? like : 0;
}

static bool too_long(struct treediff_matcher *m, size_t n, size_t k)
{
    if (n > MOST_CELLS / k)
        m->d->coarse = true;
    return m->d->coarse;
}

/* The pairs of the best alignment of two lists in order: dynamic programming over sums of
 * weights. */
static void align(struct treediff_matcher *m, const struct lists *l)
{
    struct lw_arena_mark mark = lw_arena_mark(&m->scratch);
    size_t n = l->n, k = l->k, width = k + 1;
    if (n == 0 || k == 0 || too_long(m, n, k))
        return;
    uint32_t *best = lw_arena_array(&m->scratch, (n + 1) * width, sizeof *best);
    uint32_t *gain = lw_arena_array(&m->scratch, n * k, sizeof *gain);
    if (!best || !gain) {
        m->failed = true;
        return;
    }
    treediff_spend(m, n * k);
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
            if (l->old_bag)
                treediff_match_nodes(m, l->x[i], l->y[j]);
            else
                treediff_match_equal(m, l->x[i], l->y[j]);
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

/* The two scratch lists by likeness. */
static void align_lists(struct treediff_matcher *m, bool anywhere, uint32_t least)
{
    struct lw_arena_mark mark = lw_arena_mark(&m->scratch);
    size_t n = m->left_list.n, k = m->right_list.n;
    if (n == 0 || k == 0 || m->failed || too_long(m, n, k))
        return;
    struct lists l = {m->left_list.v, m->right_list.v, n, k, NULL, NULL, least, anywhere};
    l.old_bag = lw_arena_array(&m->scratch, n, sizeof(struct bag));
    l.new_bag = lw_arena_array(&m->scratch, k, sizeof(struct bag));
    m->failed |= !l.old_bag || !l.new_bag;
    for (size_t i = 0; i < n && !m->failed; i++)
        l.old_bag[i] = bag_of(m, true, l.x[i]);
    for (size_t i = 0; i < k && !m->failed; i++)
        l.new_bag[i] = bag_of(m, false, l.y[i]);
    if (!m->failed)
        align(m, &l);
    lw_arena_rewind(&m->scratch, mark);
}

/* ---- Steps, in order -------------------------------------------------------------------- */

/* Equal children in order: common ends first, then the longest common subsequence. */
static void align_equal(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (!list_both(m, x, y))
        return;
    size_t n = m->left_list.n, k = m->right_list.n, i = 0;
    const uint32_t *l = m->left_list.v, *r = m->right_list.v;
    for (; i < n && i < k && is_equal(m, l[i], r[i]); i++)
        treediff_match_equal(m, l[i], r[i]);
    while (n > i && k > i && is_equal(m, l[n - 1], r[k - 1])) {
        n--;
        k--;
        treediff_match_equal(m, l[n], r[k]);
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

static void align_keys(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    struct lw_map keys;
    bool any = false;
    if (!list_both(m, x, y))
        return;
    for (size_t i = 0; i < m->left_list.n && !any; i++)
        any = key_of(m->a, m->left_list.v[i]).n > 0;
    if (!any)
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
        if (e && treediff_is_free(m, m->left_list.v[i], other) &&
            treediff_same_kind(m, m->left_list.v[i], other))
            treediff_match_nodes(m, m->left_list.v[i], other);
    }
    lw_map_release(&keys);
}

static void align_alike(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (list_both(m, x, y))
        align_lists(m, false, LEAST_LIKENESS);
}

/* A node below `top`, free and equal to the subtree, the first in text order. */
static uint32_t find_equal(struct treediff_matcher *m, bool old, uint32_t top, uint64_t hash,
                           uint32_t size)
{
    const struct lw_tree *t = old ? m->a : m->b;
    const struct lw_label *l = old ? m->d->old_label : m->d->new_label;
    const uint32_t *partner = old ? m->d->to_new : m->d->to_old;
    for (uint32_t i = lw_tree_next(t, top, top, false); i != LW_NO_NODE;) {
        bool may = l[i].size >= size;
        treediff_spend(m, 1);
        if (may && l[i].tree == hash && partner[i] == LW_NO_NODE)
            return i;
        i = lw_tree_next(t, top, i, !may);
    }
    return LW_NO_NODE;
}

/* One node stands where another stood: was it put around it, or taken from around it? */
static bool zoom(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    const struct lw_label *old = &m->d->old_label[x], *new = &m->d->new_label[y];
    if (m->d->coarse)
        return false;
    uint32_t in = find_equal(m, false, y, old->tree, old->size);
    if (in != LW_NO_NODE) {
        treediff_match_equal(m, x, in);
        return true;
    }
    in = find_equal(m, true, x, new->tree, new->size);
    if (in != LW_NO_NODE)
        treediff_match_equal(m, in, y);
    return in != LW_NO_NODE;
}

/* The child among the list from `from` on in the role; its place, or the length. */
static size_t in_role(const struct treediff_matcher *m, size_t from, uint8_t role)
{
    while (from < m->right_list.n && m->b->nodes.v[m->right_list.v[from]].role != role)
        from++;
    return from;
}

static void align_around(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (!list_both(m, x, y))
        return;
    for (size_t i = 0, k = 0; i < m->left_list.n; i++) {
        uint32_t l = m->left_list.v[i];
        size_t at = in_role(m, k, m->a->nodes.v[l].role);
        if (at == m->right_list.n || lw_node_is_statement(lw_tree_kind(m->a, l)))
            continue;
        if (treediff_is_free(m, l, m->right_list.v[at]))
            (void)zoom(m, l, m->right_list.v[at]);
        k = at + 1;
    }
}

/* What of the left-over children is found again below others. */
static void align_parts(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (list_both(m, x, y) && !m->d->coarse)
        treediff_match_parts(m, m->left_list.v, m->left_list.n, m->right_list.v,
                             m->right_list.n, LEAST_PART);
}

/* Unmatched statements at or below the unmatched children of `top`, or with `all` below any, in
 * text order. Whether there are some that are not its children. */
static bool list_nested(struct treediff_matcher *m, bool old, uint32_t top, bool all)
{
    const struct lw_tree *t = old ? m->a : m->b;
    const uint32_t *partner = old ? m->d->to_new : m->d->to_old;
    node_list *out = old ? (void *)&m->left_list : (void *)&m->right_list;
    bool deeper = false;
    out->n = 0;
    for (uint32_t i = lw_tree_next(t, top, top, false); i != LW_NO_NODE;) {
        enum lw_node_kind kind = lw_tree_kind(t, i);
        bool child = t->nodes.v[i].parent == top, free = partner[i] == LW_NO_NODE;
        bool statement = lw_node_is_statement(kind);
        if (statement && free && lw_vec_push(m->d->mem, out, i) < 0)
            m->failed = true;
        deeper |= statement && free && !child;
        treediff_spend(m, 1);
        bool skip = is_simple(kind) || kind >= LW_NODE_ITEM || (child && !free && !all);
        i = lw_tree_next(t, top, i, skip);
    }
    return deeper;
}

/* Statements that a block was put around, or taken from around, and that changed besides. */
static void align_nested(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (m->d->coarse || !list_both(m, x, y))
        return;
    bool left = list_nested(m, true, x, false), right = list_nested(m, false, y, false);
    if (left || right)
        align_lists(m, true, LEAST_LIKENESS);
}

void treediff_align_moved(struct treediff_matcher *m)
{
    (void)list_nested(m, true, m->a->root, true);
    (void)list_nested(m, false, m->b->root, true);
    if (m->left_list.n == 0 || m->right_list.n == 0 ||
        m->left_list.n > MOST_CELLS / m->right_list.n)
        return;
    align_lists(m, true, LEAST_MOVED);
}

/* Whether the nodes have a word of their own in common. */
static bool share_word(const struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    struct lw_own_walk wx = {0};
    for (uint32_t i; (i = lw_own_token(m->a, x, &wx)) != LW_NO_TOKEN;) {
        struct lw_own_walk wy = {0};
        uint64_t word = m->d->old_words[i];
        if (!word || m->a->lexed.tokens.v[i].kind == LW_TOK_DOT)
            continue;
        for (uint32_t k; (k = lw_own_token(m->b, y, &wy)) != LW_NO_TOKEN;)
            if (m->d->new_words[k] == word)
                return true;
        return false; /* of the first word: lists of words are not compared */
    }
    return false;
}

/* What is left in the same role: changed, if it is of the same kind or says the same. */
static void align_roles(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (!list_both(m, x, y))
        return;
    for (size_t i = 0, k = 0; i < m->left_list.n; i++) {
        uint32_t l = m->left_list.v[i];
        size_t at = in_role(m, k, m->a->nodes.v[l].role);
        if (at == m->right_list.n || lw_node_is_statement(lw_tree_kind(m->a, l)))
            continue;
        uint32_t r = m->right_list.v[at];
        if (treediff_is_free(m, l, r) && (treediff_same_kind(m, l, r) || share_word(m, l, r)))
            treediff_match_nodes(m, l, r);
        k = at + 1;
    }
}

void treediff_align(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    if (m->a->nodes.v[x].count == 0 || m->b->nodes.v[y].count == 0)
        return;
    align_equal(m, x, y);
    align_keys(m, x, y);
    align_around(m, x, y);
    align_alike(m, x, y);
    align_parts(m, x, y);
    align_nested(m, x, y);
    align_roles(m, x, y);
}
