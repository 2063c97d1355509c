/*
 * Beyond the bound on the work: the tokens of both files are compared as sequences, which costs
 * the same a token whatever the files look like, and leaves whose tokens stayed are matched.
 */
#include <string.h>

#include "base/err.h"
#include "base/seqdiff.h"
#include "source/treediff_internal.h"

/* The tokens of one side that count, in order. */
struct tokens {
    uint64_t *ids;  /* what is compared: the word, or the kind of token */
    uint32_t *leaf; /* the leaf that the token begins, or LW_NO_NODE */
    bool *keep;
    size_t n;
};

static int list_tokens(struct tokens *s, struct lw_arena *arena, const struct lw_tree *t,
                       const uint64_t *words, const uint32_t *partner)
{
    size_t n = t->lexed.tokens.n;
    uint32_t *leaf = lw_arena_array(arena, n, sizeof *leaf);
    s->ids = lw_arena_array(arena, n, sizeof *s->ids);
    s->leaf = lw_arena_array(arena, n, sizeof *s->leaf);
    s->keep = lw_arena_array(arena, n, sizeof *s->keep);
    if (!leaf || !s->ids || !s->leaf || !s->keep)
        return LW_ENOMEM;
    memset(leaf, 0xff, n * sizeof *leaf);
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false)) {
        const struct lw_node *x = lw_tree_node(t, i);
        if (x->count == 0 && !(x->flags & LW_NODE_EMPTY) && partner[i] == LW_NO_NODE)
            leaf[x->first] = i;
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t kind = t->lexed.tokens.v[i].kind;
        if (kind <= LW_TOK_DEDENT)
            continue;
        s->ids[s->n] = words[i] ? words[i] : kind;
        s->leaf[s->n++] = leaf[i];
    }
    return 0;
}

int treediff_match_tokens(struct treediff_matcher *m)
{
    struct lw_treediff *d = m->d;
    struct tokens a = {0}, b = {0};
    if (list_tokens(&a, &m->scratch, m->a, d->old_words, d->to_new) < 0 ||
        list_tokens(&b, &m->scratch, m->b, d->new_words, d->to_old) < 0 ||
        lw_seqdiff(d->mem, a.ids, a.n, b.ids, b.n, a.keep, b.keep) < 0)
        return LW_ENOMEM;
    for (size_t i = 0, k = 0; i < a.n && k < b.n; i++, k++) {
        while (i < a.n && !a.keep[i])
            i++;
        while (k < b.n && !b.keep[k])
            k++;
        if (i == a.n || k == b.n)
            break;
        uint32_t x = a.leaf[i], y = b.leaf[k];
        if (x != LW_NO_NODE && y != LW_NO_NODE && treediff_is_free(m, x, y) &&
            treediff_same_kind(m, x, y)) {
            treediff_match_nodes(m, x, y);
            m->failed |= lw_vec_push(d->mem, &m->by_token, x) < 0;
        }
    }
    return 0;
}
