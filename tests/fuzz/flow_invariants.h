/*
 * What must hold for the flow of every text: used by the fuzz target and by the driver of the
 * property test. Each check ends the program with a message when it fails.
 */
#ifndef LW_FUZZ_FLOW_INVARIANTS_H
#define LW_FUZZ_FLOW_INVARIANTS_H

#include "source/slice.h"
#include "source_invariants.h"

/* Every statement is in exactly one block, as one point. */
static inline void check_points(const struct lw_flow *f)
{
    const struct lw_tree *t = f->names->tree;
    size_t points = 0, statements = 0;
    for (uint32_t p = 0; p < f->points.n; p++) {
        const struct lw_flow_point *pt = &f->points.v[p];
        const struct lw_flow_block *b = &f->blocks.v[pt->block];
        INVARIANT(p >= b->first_point && p < b->first_point + b->point_count);
        bool counts =
            pt->part == LW_FLOW_STATEMENT && lw_node_is_statement(lw_tree_kind(t, pt->node));
        points += counts;
        INVARIANT(!counts || f->point_of.v[pt->node] == p);
    }
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false)) {
        if (!lw_node_is_statement(lw_tree_kind(t, i)))
            continue;
        statements++;
        INVARIANT(f->point_of.v[i] != LW_FLOW_NONE);
    }
    INVARIANT(points == statements);
}

/* Each graph belongs to the scope that names.h made for it, blocks and edges to one graph. */
static inline void check_graphs(const struct lw_flow *f)
{
    uint32_t block = 0, edges = 0;
    for (uint32_t s = 0; s < f->names->scopes.n; s++)
        if (f->names->scopes.v[s].kind <= LW_SCOPE_FUNCTION &&
            f->names->scopes.v[s].kind != LW_SCOPE_CLASS)
            INVARIANT(f->graphs.v[f->graph_of.v[s]].node == f->names->scopes.v[s].node);
    for (uint32_t g = 0; g < f->graphs.n; g++) {
        const struct lw_flow_graph *x = &f->graphs.v[g];
        INVARIANT(x->first_block == block && x->block_count >= 2);
        block += x->block_count;
        INVARIANT(f->blocks.v[block - 1].out_count == 0);
        for (uint32_t b = x->first_block; b < block; b++) {
            const struct lw_flow_block *k = &f->blocks.v[b];
            INVARIANT(k->graph == g && k->first_out == edges);
            edges += k->out_count;
            for (uint32_t i = k->first_out; i < edges; i++)
                INVARIANT(f->edges.v[i].from == b && f->edges.v[i].to >= x->first_block &&
                          f->edges.v[i].to < block);
            INVARIANT(k->dominator >= x->first_block && k->dominator < block);
        }
    }
    INVARIANT(block == f->blocks.n && edges == f->edges.n);
}

/* Every use has a definition or is marked free or unbound, and only then has none. */
static inline void check_uses(const struct lw_flow *f)
{
    struct lw_flow_walk w = {0};
    lw_flow_list defs = {0};
    for (uint32_t i = 0; i < f->events.n; i++) {
        const struct lw_flow_event *e = &f->events.v[i];
        if (e->kind != LW_FLOW_USE)
            continue;
        defs.n = 0;
        if (lw_flow_reaching(f, &w, i, &defs) < 0)
            break;
        bool none = (e->flags & (LW_FLOW_FREE | LW_FLOW_UNBOUND)) != 0;
        INVARIANT(none == (defs.n == 0));
        for (size_t d = 0; d < defs.n; d++) {
            INVARIANT(f->events.v[defs.v[d]].kind == LW_FLOW_DEF);
            INVARIANT(f->events.v[defs.v[d]].symbol == e->symbol);
        }
    }
    lw_flow_walk_release(f, &w);
    lw_vec_release(f->mem, &defs);
}

static inline void check_flow(const struct lw_flow *f)
{
    check_points(f);
    check_graphs(f);
    check_uses(f);
}

#endif
