/*
 * Which nodes of two trees correspond: the steps that look at whole trees. All steps are
 * described in treediff.h.
 */
#include <stdlib.h>

#include "base/err.h"
#include "source/treediff_internal.h"

enum {
    MIN_UNIQUE = 12,     /* nodes of an expression that is matched wherever it stands */
    FREE_WORK = 2000000, /* steps that any file may take */
};

void treediff_match_nodes(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    struct treediff_pair p = {x, y};
    m->d->to_new[x] = y;
    m->d->to_old[y] = x;
    if (lw_vec_push(m->d->mem, &m->work, p) < 0)
        m->failed = true;
}

void treediff_match_equal(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    uint32_t i = x, k = y;
    while (i != LW_NO_NODE && k != LW_NO_NODE) {
        if (treediff_is_free(m, i, k)) {
            m->d->to_new[i] = k;
            m->d->to_old[k] = i;
        }
        i = lw_tree_next(m->a, x, i, false);
        k = lw_tree_next(m->b, y, k, false);
    }
    treediff_spend(m, m->d->old_label[x].size);
}

/* ---- Equal subtrees --------------------------------------------------------------------- */

struct candidate {
    uint64_t hash; /* of a pair: its size */
    uint32_t node; /* of a pair: the old node */
    uint32_t side; /* 0 old, 1 new; of a pair: the new node */
};

typedef LW_VEC(struct candidate) candidate_vec;

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
    const struct candidate *x = p, *y = q;
    if (x->hash != y->hash)
        return x->hash > y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void collect(struct treediff_matcher *m, candidate_vec *out, uint32_t side, uint32_t top,
                    uint32_t least)
{
    const struct lw_tree *t = side ? m->b : m->a;
    const struct lw_label *l = side ? m->d->new_label : m->d->old_label;
    const uint32_t *partner = side ? m->d->to_old : m->d->to_new;
    for (uint32_t i = top; i != LW_NO_NODE;) {
        enum lw_node_kind kind = lw_tree_kind(t, i);
        bool large = lw_node_is_statement(kind)
                         ? l[i].size > 2 || kind == LW_NODE_IMPORT_FROM
                         : l[i].size + (kind == LW_NODE_KEYWORD) >= least;
        struct candidate c = {l[i].tree, i, side};
        if (large && i != t->root && partner[i] == LW_NO_NODE && kind != LW_NODE_PARAMS &&
            lw_vec_push(m->d->mem, out, c) < 0)
            m->failed = true;
        i = lw_tree_next(t, top, i, l[i].size < 3);
    }
    treediff_spend(m, l[top].size);
}

/* The pairs of equal candidates, the largest first; with `unique`, only of those that occur
 * once on each side. Returns how many there are, in the place of the candidates. */
static size_t pair_up(struct treediff_matcher *m, candidate_vec *c, bool unique)
{
    size_t kept = 0;
    if (c->n > 1)
        qsort(c->v, c->n, sizeof *c->v, by_hash);
    for (size_t i = 0, mid, end; i < c->n; i = end) {
        for (mid = i; mid < c->n && c->v[mid].hash == c->v[i].hash && !c->v[mid].side; mid++)
            ;
        for (end = mid; end < c->n && c->v[end].hash == c->v[i].hash; end++)
            ;
        if (unique && (mid - i != 1 || end - mid != 1))
            continue;
        for (size_t k = 0; i + k < mid && mid + k < end; k++) {
            uint32_t x = c->v[i + k].node, y = c->v[mid + k].node;
            if (treediff_same_kind(m, x, y))
                c->v[kept++] = (struct candidate){m->d->old_label[x].size, x, y};
        }
    }
    if (kept > 1)
        qsort(c->v, kept, sizeof *c->v, by_size);
    return kept;
}

static void match_candidates(struct treediff_matcher *m, candidate_vec *c, bool unique)
{
    size_t kept = m->failed ? 0 : pair_up(m, c, unique);
    for (size_t i = 0; i < kept; i++)
        if (treediff_is_free(m, c->v[i].node, c->v[i].side))
            treediff_match_equal(m, c->v[i].node, c->v[i].side);
    lw_vec_release(m->d->mem, c);
}

void treediff_match_parts(struct treediff_matcher *m, const uint32_t *x, size_t n,
                          const uint32_t *y, size_t k, uint32_t least)
{
    candidate_vec c = {0};
    for (size_t i = 0; i < n; i++)
        collect(m, &c, 0, x[i], least);
    for (size_t i = 0; i < k; i++)
        collect(m, &c, 1, y[i], least);
    match_candidates(m, &c, false);
}

/* What is large enough to be the same wherever it stands. */
static void match_everywhere(struct treediff_matcher *m, bool unique)
{
    candidate_vec c = {0};
    collect(m, &c, 0, m->a->root, MIN_UNIQUE);
    collect(m, &c, 1, m->b->root, MIN_UNIQUE);
    match_candidates(m, &c, unique);
}

/* ---- Down and up ------------------------------------------------------------------------ */

static void work_down(struct treediff_matcher *m)
{
    while (m->work.n > 0 && !m->failed) {
        struct treediff_pair p = m->work.v[--m->work.n];
        treediff_align(m, p.old_node, p.new_node);
    }
}

/* The unmatched node of the new tree, of the same kind, that most children lead to. */
static uint32_t likely_partner(const struct treediff_matcher *m, uint32_t x)
{
    const struct lw_treediff *d = m->d;
    const struct lw_node *n = lw_tree_node(m->a, x);
    uint32_t best = LW_NO_NODE, votes = 0;
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        uint32_t y = d->to_new[c];
        if (y == LW_NO_NODE || y == m->b->root)
            continue;
        y = m->b->nodes.v[y].parent;
        if (d->to_old[y] != LW_NO_NODE || !treediff_same_kind(m, x, y))
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
static uint32_t agreement(struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    const struct lw_treediff *d = m->d;
    uint32_t both = 0, all = d->old_label[x].size + d->new_label[y].size - 2;
    for (uint32_t i = lw_tree_next(m->a, x, x, false); i != LW_NO_NODE;
         i = lw_tree_next(m->a, x, i, false))
        both += d->to_new[i] != LW_NO_NODE && treediff_is_below(d->new_label, d->to_new[i], y);
    treediff_spend(m, d->old_label[x].size);
    return all ? (uint32_t)(2000ull * both / all) : 0;
}

enum {
    LEAST_AGREEMENT = 500,
    LEAST_BY_TOKEN = 350, /* when leaves were matched by their tokens */
};

/* Unmatched nodes with the parents of what their children matched, if at least so much of them
 * agrees. */
static int work_up(struct treediff_matcher *m, uint32_t least)
{
    size_t n = m->a->nodes.n;
    uint32_t *order = lw_arena_array(&m->scratch, n, sizeof *order);
    if (!order)
        return LW_ENOMEM;
    uint32_t count = 0;
    for (uint32_t i = m->a->root; i != LW_NO_NODE; i = lw_tree_next(m->a, m->a->root, i, false))
        order[count++] = i;
    /* Backwards in preorder: children before their parents. */
    for (uint32_t i = count; i-- > 0 && !m->failed && (!m->d->coarse || least == 0);) {
        uint32_t x = order[i];
        if (m->d->to_new[x] != LW_NO_NODE || m->a->nodes.v[x].count == 0)
            continue;
        uint32_t y = likely_partner(m, x);
        if (y == LW_NO_NODE || (least > 0 && agreement(m, x, y) < least))
            continue;
        treediff_match_nodes(m, x, y);
        work_down(m);
    }
    return 0;
}

/* Tokens that both files have in order say nothing when all around them is new: leaves that
 * were matched for them alone, and whose parents are not matched, come and go. */
static void drop_stray(struct treediff_matcher *m)
{
    struct lw_treediff *d = m->d;
    for (size_t i = 0; i < m->by_token.n; i++) {
        uint32_t x = m->by_token.v[i], y = d->to_new[x];
        if (d->to_new[m->a->nodes.v[x].parent] == m->b->nodes.v[y].parent)
            continue;
        d->to_new[x] = LW_NO_NODE;
        d->to_old[y] = LW_NO_NODE;
    }
    lw_vec_release(d->mem, &m->by_token);
}

int treediff_match(struct lw_treediff *d)
{
    struct treediff_matcher m = {.d = d, .a = d->old_tree, .b = d->new_tree};
    size_t nodes = d->old_tree->nodes.n + d->new_tree->nodes.n;
    m.limit = d->most_work ? d->most_work : FREE_WORK + (uint64_t)LW_TREEDIFF_WORK * nodes;
    lw_arena_init(&m.scratch, d->mem, 0);
    match_everywhere(&m, true);
    treediff_match_nodes(&m, m.a->root, m.b->root);
    work_down(&m);
    match_everywhere(&m, false);
    if (!d->coarse)
        treediff_align_moved(&m);
    work_down(&m);
    int rc = work_up(&m, LEAST_AGREEMENT);
    if (rc == 0 && !m.failed)
        rc = treediff_match_tokens(&m);
    if (rc == 0)
        rc = work_up(&m, d->coarse ? 0 : LEAST_BY_TOKEN);
    drop_stray(&m);
    lw_vec_release(d->mem, &m.work);
    lw_vec_release(d->mem, &m.left_list);
    lw_vec_release(d->mem, &m.right_list);
    lw_arena_release(&m.scratch);
    return m.failed ? LW_ENOMEM : rc;
}
