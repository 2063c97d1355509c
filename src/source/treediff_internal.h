/*
 * treediff_internal - what labels, matching and the script of a tree difference share.
 */
#ifndef LW_SOURCE_TREEDIFF_INTERNAL_H
#define LW_SOURCE_TREEDIFF_INTERNAL_H

#include "source/treediff.h"

/* Labels of all nodes of the tree, in the arena; NULL when memory ran out. */
struct lw_label *treediff_labels(struct lw_arena *arena, const struct lw_tree *t);

/* Whether the token counts as a word of the node (see treediff.h). */
bool treediff_is_word(const struct lw_tree *t, const struct lw_node *n, uint32_t token);

int treediff_match(struct lw_treediff *d);
int treediff_script(struct lw_treediff *d);

static inline bool treediff_is_below(const struct lw_label *labels, uint32_t node, uint32_t top)
{
    uint32_t at = labels[node].order, first = labels[top].order;
    return at >= first && at < first + labels[top].size;
}

#endif
