#include "source/cpg.h"

#include "base/err.h"
#include "base/str.h"

void lw_cpg_init(struct lw_cpg *g, struct lw_mem *mem)
{
    memset(g, 0, sizeof *g);
    g->mem = mem;
}

void lw_cpg_release(struct lw_cpg *g)
{
    lw_vec_release(g->mem, &g->edges);
}

const char *lw_cpg_edge_name(enum lw_cpg_edge_kind kind)
{
    static const char *const names[] = {"syntax", "control", "depends", "data", "calls"};
    return names[kind];
}

static int add(struct lw_cpg *g, uint32_t from, uint32_t to, enum lw_cpg_edge_kind kind,
               uint32_t detail)
{
    struct lw_cpg_edge e = {from, to, detail, (uint8_t)kind};
    return lw_vec_push(g->mem, &g->edges, e);
}

static int add_syntax(struct lw_cpg *g)
{
    const struct lw_tree *t = g->f->names->tree;
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false))
        if (i != t->root &&
            add(g, lw_tree_node(t, i)->parent, i, LW_CPG_SYNTAX, lw_tree_node(t, i)->role) < 0)
            return LW_ENOMEM;
    return 0;
}

/* ---- Control ---------------------------------------------------------------------------- */

/* The first node run in the block or, if it is empty, in the one behind it; an exit is its own
 * node. Empty blocks have one way out; a circle of them ends the search. */
static uint32_t first_node(const struct lw_cpg *g, uint32_t block)
{
    const struct lw_flow *f = g->f;
    for (uint32_t steps = 0; steps <= f->blocks.n; steps++) {
        const struct lw_flow_block *k = &f->blocks.v[block];
        const struct lw_flow_graph *fg = &f->graphs.v[k->graph];
        if (k->point_count > 0)
            return f->points.v[k->first_point].node;
        if (block == fg->first_block + fg->block_count - 1 || k->out_count == 0)
            return g->tree_nodes + k->graph;
        block = f->edges.v[k->first_out].to;
    }
    return g->tree_nodes + f->blocks.v[block].graph;
}

static uint32_t last_node(const struct lw_cpg *g, uint32_t block)
{
    const struct lw_flow_block *k = &g->f->blocks.v[block];
    if (k->point_count == 0)
        return LW_NO_NODE;
    return g->f->points.v[k->first_point + k->point_count - 1].node;
}

static int add_block(struct lw_cpg *g, uint32_t block)
{
    const struct lw_flow *f = g->f;
    const struct lw_flow_block *k = &f->blocks.v[block];
    uint32_t last = last_node(g, block);
    for (uint32_t p = 0; p + 1 < k->point_count; p++) {
        uint32_t from = f->points.v[k->first_point + p].node;
        uint32_t to = f->points.v[k->first_point + p + 1].node;
        if (add(g, from, to, LW_CPG_CONTROL, LW_FLOW_NEXT) < 0)
            return LW_ENOMEM;
    }
    if (f->graphs.v[k->graph].first_block == block &&
        add(g, f->graphs.v[k->graph].node, first_node(g, block), LW_CPG_CONTROL, LW_FLOW_NEXT) <
            0)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < k->out_count && last != LW_NO_NODE; i++) {
        const struct lw_flow_edge *e = &f->edges.v[k->first_out + i];
        if (add(g, last, first_node(g, e->to), LW_CPG_CONTROL, e->kind) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int add_depends(struct lw_cpg *g, uint32_t block)
{
    const struct lw_flow_block *k = &g->f->blocks.v[block];
    for (uint32_t i = 0; i < k->control_count && k->point_count > 0; i++) {
        const struct lw_flow_control *c = &g->f->controls.v[k->first_control + i];
        uint32_t from = last_node(g, c->on);
        if (from != LW_NO_NODE &&
            add(g, from, first_node(g, block), LW_CPG_DEPENDS, c->kind) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* ---- Data ------------------------------------------------------------------------------- */

static int add_data(struct lw_cpg *g)
{
    const struct lw_flow *f = g->f;
    struct lw_flow_walk w = {0};
    lw_flow_list defs = {0};
    int rc = 0;
    for (uint32_t i = 0; i < f->events.n && rc == 0; i++) {
        const struct lw_flow_event *e = &f->events.v[i];
        if (e->kind != LW_FLOW_USE)
            continue;
        defs.n = 0;
        rc = lw_flow_reaching(f, &w, i, &defs);
        g->partial += w.more;
        for (size_t d = 0; d < defs.n && rc == 0; d++)
            rc = add(g, f->events.v[defs.v[d]].node, e->node, LW_CPG_DATA, e->symbol);
    }
    lw_flow_walk_release(f, &w);
    lw_vec_release(g->mem, &defs);
    return rc;
}

static int add_all(struct lw_cpg *g, const struct lw_calls *calls)
{
    const struct lw_flow *f = g->f;
    if (add_syntax(g) < 0)
        return LW_ENOMEM;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        if (add_block(g, b) < 0)
            return LW_ENOMEM;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        if (add_depends(g, b) < 0)
            return LW_ENOMEM;
    if (add_data(g) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < calls->v.n; i++)
        if (calls->v.v[i].callee != LW_NO_NODE &&
            add(g, calls->v.v[i].node, calls->v.v[i].callee, LW_CPG_CALLS, 0) < 0)
            return LW_ENOMEM;
    return 0;
}

int lw_cpg_build(struct lw_cpg *g, const struct lw_calls *calls, struct lw_err *err)
{
    g->f = calls->f;
    g->edges.n = 0;
    g->partial = 0;
    g->tree_nodes = (uint32_t)g->f->names->tree->nodes.n;
    g->node_count = g->tree_nodes + (uint32_t)g->f->graphs.n;
    return add_all(g, calls) < 0 ? lw_err_nomem(err) : 0;
}

/* ---- View ------------------------------------------------------------------------------- */

/* Numbers in the view are in text order, which the tree's own are not. */
static void view_nodes(struct lw_view *v, const struct lw_cpg *g, struct lw_tree *t,
                       uint32_t *number)
{
    for (uint32_t i = t->root; i != LW_NO_NODE && !v->failed;
         i = lw_tree_next(t, t->root, i, false)) {
        struct lw_position at = lw_view_place(t, i);
        uint32_t token = lw_tree_name_token(t, i);
        struct lw_str text = {"", 0};
        if (token != LW_NO_TOKEN)
            text = lw_tree_token_text(t, token);
        else if (lw_tree_kind(t, i) == LW_NODE_NUMBER || lw_tree_kind(t, i) == LW_NODE_CONSTANT)
            text = lw_tree_text(t, i);
        number[i] = (uint32_t)v->nodes.n;
        struct lw_view_node n = {lw_arena_printf(&v->arena, "n%zu", v->nodes.n),
                                 lw_node_kind_name(lw_tree_kind(t, i)), text, at.line,
                                 at.column};
        (void)lw_view_node(v, n);
    }
    for (uint32_t i = g->tree_nodes; i < g->node_count && !v->failed; i++) {
        number[i] = (uint32_t)v->nodes.n;
        struct lw_view_node n = {
            lw_arena_printf(&v->arena, "x%u", i - g->tree_nodes), "exit", {"", 0}, 0, 0};
        (void)lw_view_node(v, n);
    }
}

static struct lw_str edge_text(const struct lw_cpg *g, const struct lw_cpg_edge *e,
                               struct lw_tree *t)
{
    switch (e->kind) {
    case LW_CPG_SYNTAX: return lw_str(lw_role_name((enum lw_role)e->detail));
    case LW_CPG_CONTROL:
    case LW_CPG_DEPENDS: return lw_str(lw_flow_edge_name((enum lw_flow_edge_kind)e->detail));
    case LW_CPG_DATA:
        return lw_tree_kind(t, e->to) == LW_NODE_ATTRIBUTE
                   ? lw_tree_text(t, e->to)
                   : g->f->names->symbols.v[e->detail].name;
    default: return (struct lw_str){"", 0};
    }
}

void lw_view_cpg(struct lw_view *v, const struct lw_cpg *g, struct lw_tree *t)
{
    uint32_t *number = lw_arena_array(&v->arena, g->node_count, sizeof *number);
    v->failed |= !number;
    if (v->failed)
        return;
    view_nodes(v, g, t, number);
    for (size_t i = 0; i < g->edges.n && !v->failed; i++) {
        const struct lw_cpg_edge *e = &g->edges.v[i];
        lw_view_edge(v, number[e->from], number[e->to],
                     lw_cpg_edge_name((enum lw_cpg_edge_kind)e->kind), edge_text(g, e, t));
    }
}
