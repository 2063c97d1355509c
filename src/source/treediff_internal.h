/*
 * treediff_internal - what labels, matching and the script of a tree difference share.
 *
 * Matching is one struct treediff_matcher that lives as long as treediff_match() runs:
 * treediff_match.c has its life and the steps over whole trees, treediff_align.c the children
 * of one matched pair, treediff_tokens.c what is done beyond the bound on the work.
 */
#ifndef LW_SOURCE_TREEDIFF_INTERNAL_H
#define LW_SOURCE_TREEDIFF_INTERNAL_H

#include "source/treediff.h"

/* Labels of all nodes of the tree, in the arena; NULL when memory ran out. `words` gets the
 * hash of each token that is a word of its node, 0 for the others. */
struct lw_label *treediff_labels(struct lw_arena *arena, const struct lw_tree *t,
                                 uint64_t **words);

/* Whether the token counts as a word of the node (see treediff.h). */
bool treediff_is_word(const struct lw_tree *t, const struct lw_node *n, uint32_t token);

uint64_t treediff_mix(uint64_t h, uint64_t x);

int treediff_match(struct lw_treediff *d);
int treediff_script(struct lw_treediff *d);

static inline bool treediff_is_below(const struct lw_label *labels, uint32_t node, uint32_t top)
{
    uint32_t at = labels[node].order, first = labels[top].order;
    return at >= first && at < first + labels[top].size;
}

/* ---- Matching --------------------------------------------------------------------------- */

struct treediff_pair {
    uint32_t old_node;
    uint32_t new_node;
};

struct treediff_matcher {
    struct lw_treediff *d;
    const struct lw_tree *a;           /* old */
    const struct lw_tree *b;           /* new */
    LW_VEC(struct treediff_pair) work; /* matched pairs whose children are to be aligned */
    LW_VEC(uint32_t) left_list;        /* unmatched nodes of a pair, scratch */
    LW_VEC(uint32_t) right_list;
    LW_VEC(uint32_t) by_token; /* old leaves that were matched by their tokens only */
    struct lw_arena scratch;
    uint64_t limit;
    bool failed; /* memory ran out */
};

/* Counts steps; beyond the limit the difference is coarse. */
static inline void treediff_spend(struct treediff_matcher *m, uint64_t steps)
{
    m->d->work += steps;
    if (m->d->work > m->limit)
        m->d->coarse = true;
}

static inline bool treediff_is_free(const struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    return m->d->to_new[x] == LW_NO_NODE && m->d->to_old[y] == LW_NO_NODE;
}

static inline bool treediff_same_kind(const struct treediff_matcher *m, uint32_t x, uint32_t y)
{
    return m->a->nodes.v[x].kind == m->b->nodes.v[y].kind;
}

/* Matches two nodes; their children are looked at later. */
void treediff_match_nodes(struct treediff_matcher *m, uint32_t x, uint32_t y);
/* Matches two equal subtrees. What is below and has a partner already keeps it. */
void treediff_match_equal(struct treediff_matcher *m, uint32_t x, uint32_t y);

/* Matches what is equal in both lists of subtrees or below them, the largest first, several
 * equal ones in order; expressions of at least `least` nodes. */
void treediff_match_parts(struct treediff_matcher *m, const uint32_t *x, size_t n,
                          const uint32_t *y, size_t k, uint32_t least);

/* The children of a matched pair, and so on down. */
void treediff_align(struct treediff_matcher *m, uint32_t x, uint32_t y);

/* Statements that are left over anywhere, by likeness, in order. */
void treediff_align_moved(struct treediff_matcher *m);

/* Matches by the longest common subsequence of tokens. */
int treediff_match_tokens(struct treediff_matcher *m);

#endif
