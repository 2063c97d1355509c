/*
 * Dominators by semi-dominators (Georgiadis's SNCA), post-dominators the same on the edges
 * turned round, and control dependence from them.
 */
#include <string.h>

#include "base/err.h"
#include "source/flow_internal.h"

/* One direction of one graph; vertices are blocks less the first one. */
struct order {
    struct lw_flow *f;
    uint32_t base;
    uint32_t count;
    bool backward;
    uint32_t *number;   /* by vertex: preorder number, from 0 for the root */
    uint32_t *vertex;   /* by number */
    uint32_t *parent;   /* by number: number */
    uint32_t *semi;     /* by number */
    uint32_t *best;     /* by number: the one with the least semi on its compressed path */
    uint32_t *ancestor; /* by number */
    uint32_t *idom;     /* by number */
    uint32_t *stack;
    uint8_t *artificial; /* by vertex: an edge from the root was made up */
    uint32_t found;
};

static uint32_t degree(const struct order *o, uint32_t v, bool forward)
{
    const struct lw_flow_block *b = &o->f->blocks.v[o->base + v];
    return forward != o->backward ? b->out_count : b->in_count;
}

/* An exception that leaves the graph without being raised in it. Almost every statement can
 * fail; if that counted, everything behind a `try` would depend on it. */
static bool is_escape(const struct lw_flow *f, const struct lw_flow_edge *e)
{
    const struct lw_flow_graph *g = &f->graphs.v[f->blocks.v[e->from].graph];
    return e->kind == LW_FLOW_EXCEPT && e->to == g->first_block + g->block_count - 1;
}

/* The i-th neighbour along (or, not forward, against) the direction; LW_FLOW_NONE for an edge
 * that does not count. */
static uint32_t neighbour(const struct order *o, uint32_t v, uint32_t i, bool forward)
{
    const struct lw_flow_block *b = &o->f->blocks.v[o->base + v];
    bool out = forward != o->backward;
    uint32_t edge = out ? b->first_out + i : o->f->ins.v[b->first_in + i];
    const struct lw_flow_edge *e = &o->f->edges.v[edge];
    if (o->backward && is_escape(o->f, e))
        return LW_FLOW_NONE;
    return (out ? e->to : e->from) - o->base;
}

static void visit(struct order *o, uint32_t v, uint32_t parent)
{
    uint32_t k = o->found++;
    o->number[v] = k;
    o->vertex[k] = v;
    o->parent[k] = parent;
    o->semi[k] = k;
    o->best[k] = k;
    o->ancestor[k] = LW_FLOW_NONE;
    o->stack[k] = 0; /* next neighbour to look at */
}

/* Depth first from v without recursion: the way back is through parents. */
static void search(struct order *o, uint32_t v, uint32_t parent)
{
    visit(o, v, parent);
    uint32_t start = o->found - 1;
    for (uint32_t k = start;;) {
        uint32_t x = o->vertex[k], i = o->stack[k]++;
        if (i < degree(o, x, true)) {
            uint32_t to = neighbour(o, x, i, true);
            if (to != LW_FLOW_NONE && o->number[to] == LW_FLOW_NONE) {
                visit(o, to, k);
                k = o->found - 1;
            }
        } else if (k == start) {
            return;
        } else {
            k = o->parent[k];
        }
    }
}

/* Where the made-up edge of a part that never ends begins: the head of the loop that `v`
 * closes, or `v` itself. */
static uint32_t loop_head(const struct order *o, uint32_t v)
{
    const struct lw_flow_block *b = &o->f->blocks.v[o->base + v];
    for (uint32_t i = 0; i < b->out_count; i++) {
        const struct lw_flow_edge *e = &o->f->edges.v[b->first_out + i];
        uint32_t to = e->to - o->base;
        if ((e->kind == LW_FLOW_BACK || e->kind == LW_FLOW_CONTINUE) &&
            o->number[to] == LW_FLOW_NONE)
            return to;
    }
    return v;
}

static void search_all(struct order *o, uint32_t root)
{
    search(o, root, 0);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t v = o->backward ? o->count - 1 - i : i;
        while (o->number[v] == LW_FLOW_NONE) {
            uint32_t head = o->backward ? loop_head(o, v) : v;
            o->artificial[head] = 1;
            search(o, head, 0);
        }
    }
}

/* Best of the path from k to its root in the forest of linked vertices, compressing it. */
static uint32_t eval(struct order *o, uint32_t k)
{
    uint32_t depth = 0;
    for (uint32_t i = k; o->ancestor[i] != LW_FLOW_NONE; i = o->ancestor[i])
        o->stack[depth++] = i;
    /* stack[depth - 1] hangs directly below a root */
    for (uint32_t d = depth; d-- > 0;) {
        uint32_t i = o->stack[d], a = o->ancestor[i];
        if (o->ancestor[a] == LW_FLOW_NONE)
            continue;
        if (o->semi[o->best[a]] < o->semi[o->best[i]])
            o->best[i] = o->best[a];
        o->ancestor[i] = o->ancestor[a];
    }
    return o->best[k];
}

static void dominators(struct order *o)
{
    for (uint32_t k = o->found; k-- > 1;) {
        uint32_t v = o->vertex[k];
        for (uint32_t i = 0, n = degree(o, v, false); i < n; i++) {
            uint32_t from = neighbour(o, v, i, false);
            if (from == LW_FLOW_NONE)
                continue;
            uint32_t u = eval(o, o->number[from]);
            if (o->semi[u] < o->semi[k])
                o->semi[k] = o->semi[u];
        }
        if (o->artificial[v])
            o->semi[k] = 0;
        o->ancestor[k] = o->parent[k];
    }
    for (uint32_t k = 1; k < o->found; k++) {
        uint32_t d = o->parent[k];
        while (d > o->semi[k])
            d = o->idom[d];
        o->idom[k] = d;
    }
}

static int make_order(struct order *o, struct lw_arena *arena, struct lw_flow *f,
                      uint32_t graph, bool backward)
{
    const struct lw_flow_graph *g = &f->graphs.v[graph];
    uint32_t n = g->block_count;
    *o = (struct order){.f = f, .base = g->first_block, .count = n, .backward = backward};
    uint32_t *space = lw_arena_array(arena, (size_t)n * 8, sizeof *space);
    o->artificial = lw_arena_array(arena, n, 1);
    if (!space || !o->artificial)
        return LW_ENOMEM;
    o->number = space;
    o->vertex = space + n;
    o->parent = space + (size_t)2 * n;
    o->semi = space + (size_t)3 * n;
    o->best = space + (size_t)4 * n;
    o->ancestor = space + (size_t)5 * n;
    o->idom = space + (size_t)6 * n;
    o->stack = space + (size_t)7 * n;
    memset(o->number, 0xff, n * sizeof *o->number);
    search_all(o, backward ? n - 1 : 0);
    dominators(o);
    return 0;
}

/* ---- Control dependence ----------------------------------------------------------------- */

struct dependence {
    uint32_t block; /* depends */
    struct lw_flow_control on;
};

struct dependences {
    struct lw_mem *mem;
    LW_VEC(struct dependence) v;
};

/* Everything from `to` up to the post-dominator of `from` depends on the edge. */
static int depend(struct lw_flow *f, struct dependences *d, uint32_t from, uint32_t to,
                  uint32_t kind)
{
    uint32_t stop = f->blocks.v[from].post_dominator;
    for (uint32_t b = to; b != stop; b = f->blocks.v[b].post_dominator) {
        struct dependence x = {b, {from, kind}};
        if (lw_vec_push(d->mem, &d->v, x) < 0)
            return LW_ENOMEM;
        if (f->blocks.v[b].post_dominator == b)
            break;
    }
    return 0;
}

static int find_dependences(struct lw_flow *f, struct dependences *d,
                            const struct lw_flow_graph *g, const uint8_t *endless)
{
    for (uint32_t b = g->first_block; b < g->first_block + g->block_count; b++) {
        const struct lw_flow_block *k = &f->blocks.v[b];
        bool ends = endless[b - g->first_block] != 0;
        if (k->out_count + ends < 2)
            continue;
        for (uint32_t i = 0; i < k->out_count; i++) {
            const struct lw_flow_edge *e = &f->edges.v[k->first_out + i];
            if (!is_escape(f, e) && depend(f, d, b, e->to, e->kind) < 0)
                return LW_ENOMEM;
        }
    }
    return 0;
}

/* By block, in the order found. */
static int place_dependences(struct lw_flow *f, const struct dependences *d,
                             const struct lw_flow_graph *g)
{
    uint32_t at = (uint32_t)f->controls.n;
    if (lw_vec_reserve(f->mem, &f->controls, d->v.n) < 0)
        return LW_ENOMEM;
    f->controls.n += d->v.n;
    for (size_t i = 0; i < d->v.n; i++)
        f->blocks.v[d->v.v[i].block].control_count++;
    for (uint32_t b = g->first_block; b < g->first_block + g->block_count; b++) {
        f->blocks.v[b].first_control = at;
        at += f->blocks.v[b].control_count;
        f->blocks.v[b].control_count = 0;
    }
    for (size_t i = 0; i < d->v.n; i++) {
        struct lw_flow_block *k = &f->blocks.v[d->v.v[i].block];
        f->controls.v[k->first_control + k->control_count++] = d->v.v[i].on;
    }
    return 0;
}

static int both_orders(struct lw_flow *f, struct lw_arena *arena, struct dependences *d,
                       uint32_t graph)
{
    const struct lw_flow_graph *g = &f->graphs.v[graph];
    struct order o;
    if (make_order(&o, arena, f, graph, false) < 0)
        return LW_ENOMEM;
    for (uint32_t v = 0; v < o.count; v++) {
        f->blocks.v[o.base + v].dominator = o.base + o.vertex[o.idom[o.number[v]]];
        f->blocks.v[o.base + v].reachable = true;
    }
    /* Made-up roots come last in preorder, with everything that only they reach. */
    bool live = true;
    for (uint32_t k = 0; k < o.found; k++) {
        live = live && !o.artificial[o.vertex[k]];
        f->blocks.v[o.base + o.vertex[k]].reachable = live;
    }
    if (make_order(&o, arena, f, graph, true) < 0)
        return LW_ENOMEM;
    for (uint32_t v = 0; v < o.count; v++)
        f->blocks.v[o.base + v].post_dominator = o.base + o.vertex[o.idom[o.number[v]]];
    if (find_dependences(f, d, g, o.artificial) < 0)
        return LW_ENOMEM;
    return place_dependences(f, d, g);
}

int flow_order(struct lw_flow *f, uint32_t graph)
{
    struct lw_arena arena;
    struct dependences d = {.mem = f->mem};
    lw_arena_init(&arena, f->mem, 0);
    int rc = both_orders(f, &arena, &d, graph);
    lw_vec_release(f->mem, &d.v);
    lw_arena_release(&arena);
    return rc;
}
