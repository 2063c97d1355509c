/*
 * Blocks, points and edges. Blocks are first labels with edges between them; when a graph is
 * complete they are numbered in the order in which they were filled, which is text order but
 * for the `else` of a `try`, which follows its body.
 */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "source/flow_internal.h"

enum { MOST_DEPTH = 160 }; /* of nested statements; what is deeper is taken as a sequence */

enum frame_kind { FRAME_LOOP, FRAME_TRY, FRAME_FINALLY, FRAME_WITH };
enum jump_kind {
    JUMP_NEXT,
    JUMP_BREAK,
    JUMP_CONTINUE,
    JUMP_RETURN,
    JUMP_RAISE,
    JUMP_EXCEPT, /* an exception that no statement of the function raises itself */
    JUMP_COUNT
};

struct frame {
    enum frame_kind kind;
    uint32_t head;    /* of a loop: where `continue` goes */
    uint32_t target;  /* where `break`, an exception, or everything goes */
    unsigned pending; /* of a finally: bits of the jumps that go through it */
};

struct label {
    uint32_t number; /* in order of filling, or LW_FLOW_NONE */
    uint32_t first_point;
    uint32_t point_count;
    uint32_t in;        /* last edge into it, then through `links` */
    uint32_t raises_to; /* it has an `except` edge there already */
};

/* A function to be built. */
struct later {
    uint32_t first; /* token */
    uint32_t node;
};

struct builder {
    struct lw_flow *f;
    struct flow_events events;
    LW_VEC(struct label) labels;
    LW_VEC(struct lw_flow_edge) edges; /* between labels */
    LW_VEC(uint32_t) links;            /* by edge: the one before it into the same label */
    LW_VEC(struct frame) frames;
    LW_VEC(struct later) queue; /* functions to be built */
    uint32_t current;           /* label being filled; LW_FLOW_NONE after a jump */
    uint32_t exit;
    uint32_t filled;
    int failed; /* sticks */
};

/* ---- Labels and edges ------------------------------------------------------------------- */

static uint32_t new_label(struct builder *b)
{
    struct label l = {LW_FLOW_NONE, 0, 0, LW_FLOW_NONE, LW_FLOW_NONE};
    if (lw_vec_push(b->f->mem, &b->labels, l) < 0) {
        b->failed = LW_ENOMEM;
        return 0;
    }
    return (uint32_t)b->labels.n - 1;
}

static void edge(struct builder *b, uint32_t from, uint32_t to, enum lw_flow_edge_kind kind)
{
    struct lw_flow_edge e = {from, to, (uint32_t)kind};
    if (b->failed || from == LW_FLOW_NONE)
        return;
    if (lw_vec_push(b->f->mem, &b->edges, e) < 0 ||
        lw_vec_push(b->f->mem, &b->links, b->labels.v[to].in) < 0) {
        b->failed = LW_ENOMEM;
        return;
    }
    b->labels.v[to].in = (uint32_t)b->edges.n - 1;
}

static void fill(struct builder *b, uint32_t label)
{
    if (b->failed)
        return;
    b->labels.v[label].number = b->filled++;
    b->labels.v[label].first_point = (uint32_t)b->f->points.n;
    b->current = label;
}

/* Goes on in a new block after the current one. */
static void fill_next(struct builder *b, enum lw_flow_edge_kind kind)
{
    uint32_t l = new_label(b);
    edge(b, b->current, l, kind);
    fill(b, l);
}

/* Goes on at `label`, unless nothing leads there. */
static void join(struct builder *b, uint32_t label)
{
    edge(b, b->current, label, LW_FLOW_NEXT);
    if (!b->failed && b->labels.v[label].in == LW_FLOW_NONE)
        b->current = LW_FLOW_NONE;
    else
        fill(b, label);
}

static void push_frame(struct builder *b, enum frame_kind kind, uint32_t head, uint32_t target)
{
    struct frame fr = {kind, head, target, 0};
    if (lw_vec_push(b->f->mem, &b->frames, fr) < 0)
        b->failed = LW_ENOMEM;
}

static unsigned pop_frame(struct builder *b)
{
    return b->failed ? 0 : b->frames.v[--b->frames.n].pending;
}

/* ---- Jumps ------------------------------------------------------------------------------ */

static enum lw_flow_edge_kind jump_edge(enum jump_kind kind)
{
    static const uint8_t kinds[] = {LW_FLOW_NEXT,   LW_FLOW_BREAK, LW_FLOW_CONTINUE,
                                    LW_FLOW_RETURN, LW_FLOW_RAISE, LW_FLOW_EXCEPT};
    return (enum lw_flow_edge_kind)kinds[kind];
}

/* An edge from `from` to where the jump leads: outwards through the frames. */
static void jump(struct builder *b, uint32_t from, enum jump_kind kind)
{
    enum lw_flow_edge_kind ek = jump_edge(kind);
    for (size_t i = b->frames.n; i-- > 0 && !b->failed;) {
        struct frame *fr = &b->frames.v[i];
        if (fr->kind == FRAME_LOOP && kind == JUMP_BREAK)
            return edge(b, from, fr->target, ek);
        if (fr->kind == FRAME_LOOP && kind == JUMP_CONTINUE)
            return edge(b, from, fr->head, ek);
        if (fr->kind == FRAME_TRY && kind >= JUMP_RAISE)
            return edge(b, from, fr->target, ek);
        if (fr->kind == FRAME_WITH && kind == JUMP_RAISE)
            edge(b, from, fr->target, LW_FLOW_EXCEPT);
        if (fr->kind == FRAME_FINALLY) {
            fr->pending |= 1u << kind;
            return edge(b, from, fr->target, ek);
        }
    }
    edge(b, from, b->exit, ek);
}

/* The frame that an exception raised here goes to, or NULL. */
static struct frame *catcher(struct builder *b)
{
    for (size_t i = b->frames.n; i-- > 0;)
        if (b->frames.v[i].kind == FRAME_TRY || b->frames.v[i].kind == FRAME_FINALLY)
            return &b->frames.v[i];
    return NULL;
}

static void may_raise(struct builder *b, uint32_t label, struct frame *to)
{
    if (b->failed || label == LW_FLOW_NONE || b->labels.v[label].raises_to == to->target)
        return;
    b->labels.v[label].raises_to = to->target;
    to->pending |= 1u << JUMP_EXCEPT;
    edge(b, label, to->target, LW_FLOW_EXCEPT);
}

/* ---- Points ----------------------------------------------------------------------------- */

static bool raises(enum lw_node_kind kind)
{
    return kind != LW_NODE_PASS && kind != LW_NODE_BREAK && kind != LW_NODE_CONTINUE &&
           kind != LW_NODE_GLOBAL && kind != LW_NODE_NONLOCAL && kind != LW_NODE_PARAM &&
           kind != LW_NODE_HANDLER;
}

static bool defines(const struct lw_flow *f, size_t first)
{
    for (size_t i = first; i < f->events.n; i++)
        if (f->events.v[i].kind != LW_FLOW_USE)
            return true;
    return false;
}

/* The exception that the statement may raise leaves with what was defined before it. */
static void raise_before(struct builder *b, struct frame *to)
{
    struct label *l = &b->labels.v[b->current];
    if (l->point_count > 0) {
        may_raise(b, b->current, to);
        fill_next(b, LW_FLOW_NEXT);
        return;
    }
    for (uint32_t i = l->in; i != LW_FLOW_NONE; i = b->links.v[i]) {
        uint32_t from = b->edges.v[i].from;
        if (b->edges.v[i].kind != LW_FLOW_EXCEPT && from != b->current)
            may_raise(b, from, to);
    }
}

static void point(struct builder *b, uint32_t node, enum lw_flow_part part)
{
    struct lw_flow *f = b->f;
    if (b->failed)
        return;
    if (b->current == LW_FLOW_NONE)
        fill(b, new_label(b)); /* never reached */
    size_t first = f->events.n;
    if (b->failed || flow_collect(&b->events, node, part) < 0) {
        b->failed = LW_ENOMEM;
        return;
    }
    enum lw_node_kind kind = lw_tree_kind(f->names->tree, node);
    struct frame *to = raises(kind) ? catcher(b) : NULL;
    bool defs = defines(f, first);
    if (to && defs)
        raise_before(b, to);
    struct lw_flow_point p = {node, b->current, (uint32_t)first,
                              (uint32_t)(f->events.n - first), (uint8_t)part};
    if (b->failed || lw_vec_push(f->mem, &f->points, p) < 0) {
        b->failed = LW_ENOMEM;
        return;
    }
    b->labels.v[b->current].point_count++;
    if (part == LW_FLOW_STATEMENT)
        f->point_of.v[node] = (uint32_t)f->points.n - 1;
    if (to && !defs)
        may_raise(b, b->current, to);
}

/* ---- Statements ------------------------------------------------------------------------- */

static void statement(struct builder *b, uint32_t node, int depth);

static void body(struct builder *b, uint32_t node, enum lw_role role, int depth)
{
    const struct lw_tree *t = b->f->names->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t c = n->child; c < n->child + n->count && !b->failed; c++) {
        const struct lw_node *x = lw_tree_node(t, c);
        if (x->role == role && lw_node_is_statement((enum lw_node_kind)x->kind))
            statement(b, c, depth);
    }
}

static void function(struct builder *b, uint32_t node)
{
    point(b, node, LW_FLOW_STATEMENT);
    struct later l = {lw_tree_node(b->f->names->tree, node)->first, node};
    if (lw_vec_push(b->f->mem, &b->queue, l) < 0)
        b->failed = LW_ENOMEM;
}

static bool has(struct builder *b, uint32_t node, enum lw_role role)
{
    return lw_tree_get(b->f->names->tree, node, role) != LW_NO_NODE;
}

/* A test and what follows when it holds; control then is at `after`, or in the head's false
 * way, which is left for the caller to continue. */
static uint32_t branch(struct builder *b, uint32_t node, uint32_t after, int depth)
{
    point(b, node, LW_FLOW_STATEMENT);
    uint32_t head = b->current;
    fill_next(b, LW_FLOW_TRUE);
    body(b, node, LW_ROLE_BODY, depth);
    edge(b, b->current, after, LW_FLOW_NEXT);
    return head;
}

static void if_statement(struct builder *b, uint32_t node, int depth)
{
    const struct lw_tree *t = b->f->names->tree;
    uint32_t after = new_label(b);
    uint32_t head = branch(b, node, after, depth);
    bool otherwise = false;
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t c = n->child; c < n->child + n->count && !b->failed; c++) {
        const struct lw_node *x = lw_tree_node(t, c);
        if (x->role == LW_ROLE_ORELSE && x->kind == LW_NODE_ELIF) {
            b->current = head;
            fill_next(b, LW_FLOW_FALSE);
            head = branch(b, c, after, depth);
        } else if (x->role == LW_ROLE_ORELSE) {
            otherwise = true;
        }
    }
    b->current = head;
    if (otherwise) {
        fill_next(b, LW_FLOW_FALSE);
        body(b, node, LW_ROLE_ORELSE, depth);
    } else {
        edge(b, head, after, LW_FLOW_FALSE);
        b->current = LW_FLOW_NONE;
    }
    join(b, after);
}

/* The body of a loop whose test is in the current block, its else, and what follows. */
static void loop(struct builder *b, uint32_t node, bool endless, int depth)
{
    uint32_t head = b->current, after = new_label(b);
    push_frame(b, FRAME_LOOP, head, after);
    fill_next(b, LW_FLOW_TRUE);
    if (lw_tree_kind(b->f->names->tree, node) == LW_NODE_FOR)
        point(b, node, LW_FLOW_BIND);
    body(b, node, LW_ROLE_BODY, depth);
    edge(b, b->current, head, LW_FLOW_BACK);
    (void)pop_frame(b);
    b->current = head;
    if (has(b, node, LW_ROLE_ORELSE)) {
        if (endless)
            b->current = LW_FLOW_NONE;
        fill_next(b, LW_FLOW_FALSE);
        body(b, node, LW_ROLE_ORELSE, depth);
    } else {
        if (!endless)
            edge(b, head, after, LW_FLOW_FALSE);
        b->current = LW_FLOW_NONE;
    }
    join(b, after);
}

static void for_statement(struct builder *b, uint32_t node, int depth)
{
    point(b, node, LW_FLOW_BEFORE);
    fill_next(b, LW_FLOW_NEXT);
    point(b, node, LW_FLOW_STATEMENT);
    loop(b, node, false, depth);
}

/* `while True`, `while 1` */
static bool is_always(const struct lw_tree *t, uint32_t node)
{
    uint32_t test = lw_tree_get(t, node, LW_ROLE_TEST);
    if (test == LW_NO_NODE)
        return false;
    struct lw_str s = lw_tree_text(t, test);
    enum lw_node_kind kind = lw_tree_kind(t, test);
    return (kind == LW_NODE_CONSTANT && lw_str_eq(s, LW_S("True"))) ||
           (kind == LW_NODE_NUMBER && lw_str_eq(s, LW_S("1")));
}

static void while_statement(struct builder *b, uint32_t node, int depth)
{
    if (b->current == LW_FLOW_NONE || b->labels.v[b->current].point_count > 0)
        fill_next(b, LW_FLOW_NEXT);
    point(b, node, LW_FLOW_STATEMENT);
    loop(b, node, is_always(b->f->names->tree, node), depth);
}

/* One handler in the current block; its false way leads to `next`, or outwards. */
static void handler(struct builder *b, uint32_t node, uint32_t next, uint32_t after, bool star,
                    int depth)
{
    const struct lw_tree *t = b->f->names->tree;
    point(b, node, LW_FLOW_STATEMENT);
    uint32_t head = b->current;
    bool named = lw_tree_name_token(t, node) != LW_NO_TOKEN || has(b, node, LW_ROLE_TARGET);
    fill_next(b, LW_FLOW_TRUE);
    if (named)
        point(b, node, LW_FLOW_BIND);
    body(b, node, LW_ROLE_BODY, depth);
    if (star && next != LW_FLOW_NONE)
        edge(b, b->current, next, LW_FLOW_NEXT);
    edge(b, b->current, after, LW_FLOW_NEXT);
    if (next != LW_FLOW_NONE)
        edge(b, head, next, LW_FLOW_FALSE);
    else if (has(b, node, LW_ROLE_TYPE))
        jump(b, head, JUMP_EXCEPT);
}

static void handlers(struct builder *b, uint32_t node, uint32_t dispatch, uint32_t after,
                     int depth)
{
    const struct lw_tree *t = b->f->names->tree;
    bool star = (lw_tree_node(t, node)->flags & LW_NODE_MARK) != 0;
    uint32_t h = lw_tree_get(t, node, LW_ROLE_HANDLERS);
    while (h != LW_NO_NODE && !b->failed) {
        uint32_t following = lw_tree_each(t, node, LW_ROLE_HANDLERS, h);
        uint32_t next = following == LW_NO_NODE ? LW_FLOW_NONE : new_label(b);
        fill(b, dispatch);
        handler(b, h, next, after, star, depth);
        dispatch = next;
        h = following;
    }
    b->current = LW_FLOW_NONE;
}

/* After a finally: on to wherever the ways into it were bound for. */
static void finish_finally(struct builder *b, uint32_t node, uint32_t entry, uint32_t after,
                           unsigned pending, int depth)
{
    fill(b, entry);
    body(b, node, LW_ROLE_FINALBODY, depth);
    uint32_t from = b->current;
    for (unsigned k = JUMP_BREAK; k < JUMP_COUNT; k++)
        if (pending & 1u << k)
            jump(b, from, (enum jump_kind)k);
    if (pending & 1u << JUMP_NEXT)
        edge(b, from, after, LW_FLOW_NEXT);
    b->current = LW_FLOW_NONE;
}

static void try_statement(struct builder *b, uint32_t node, int depth)
{
    bool final = has(b, node, LW_ROLE_FINALBODY), caught = has(b, node, LW_ROLE_HANDLERS);
    uint32_t after = new_label(b), entry = final ? new_label(b) : after;
    uint32_t dispatch = caught ? new_label(b) : LW_FLOW_NONE;
    point(b, node, LW_FLOW_STATEMENT);
    if (final)
        push_frame(b, FRAME_FINALLY, 0, entry);
    if (caught)
        push_frame(b, FRAME_TRY, 0, dispatch);
    struct frame *to = b->failed ? NULL : catcher(b);
    if (to)
        may_raise(b, b->current, to);
    fill_next(b, LW_FLOW_NEXT);
    body(b, node, LW_ROLE_BODY, depth);
    if (caught)
        (void)pop_frame(b);
    if (has(b, node, LW_ROLE_ORELSE)) {
        if (b->current != LW_FLOW_NONE)
            fill_next(b, LW_FLOW_NEXT);
        body(b, node, LW_ROLE_ORELSE, depth);
    }
    edge(b, b->current, entry, LW_FLOW_NEXT);
    b->current = LW_FLOW_NONE;
    if (caught)
        handlers(b, node, dispatch, entry, depth);
    if (final) {
        unsigned pending = pop_frame(b);
        for (uint32_t i = b->failed ? LW_FLOW_NONE : b->labels.v[entry].in; i != LW_FLOW_NONE;
             i = b->links.v[i])
            if (b->edges.v[i].kind == LW_FLOW_NEXT)
                pending |= 1u << JUMP_NEXT;
        finish_finally(b, node, entry, after, pending, depth);
    }
    join(b, after);
}

static void with_statement(struct builder *b, uint32_t node, int depth)
{
    uint32_t after = new_label(b);
    point(b, node, LW_FLOW_STATEMENT);
    push_frame(b, FRAME_WITH, 0, after);
    body(b, node, LW_ROLE_BODY, depth);
    (void)pop_frame(b);
    if (!b->failed && b->labels.v[after].in != LW_FLOW_NONE)
        join(b, after);
}

/* A capture or wildcard without a guard always fits. */
static bool fits_always(const struct lw_tree *t, uint32_t node)
{
    uint32_t p = lw_tree_get(t, node, LW_ROLE_PATTERN);
    return p != LW_NO_NODE && lw_tree_kind(t, p) == LW_NODE_MATCH_AS &&
           lw_tree_node(t, p)->count == 0 && lw_tree_get(t, node, LW_ROLE_GUARD) == LW_NO_NODE;
}

static void match_statement(struct builder *b, uint32_t node, int depth)
{
    const struct lw_tree *t = b->f->names->tree;
    uint32_t after = new_label(b);
    enum lw_flow_edge_kind kind = LW_FLOW_NEXT;
    point(b, node, LW_FLOW_STATEMENT);
    for (uint32_t c = lw_tree_get(t, node, LW_ROLE_CASES); c != LW_NO_NODE && !b->failed;
         c = lw_tree_each(t, node, LW_ROLE_CASES, c)) {
        fill_next(b, kind);
        uint32_t head = branch(b, c, after, depth);
        b->current = fits_always(t, c) ? LW_FLOW_NONE : head;
        kind = LW_FLOW_FALSE;
    }
    edge(b, b->current, after, kind);
    b->current = LW_FLOW_NONE;
    join(b, after);
}

/* An `else:` or the like without its statement: it may or may not be run. */
static void orphan(struct builder *b, uint32_t node, int depth)
{
    uint32_t after = new_label(b);
    uint32_t head = branch(b, node, after, depth);
    edge(b, head, after, LW_FLOW_FALSE);
    b->current = LW_FLOW_NONE;
    join(b, after);
}

static void class_statement(struct builder *b, uint32_t node, int depth)
{
    point(b, node, LW_FLOW_STATEMENT);
    body(b, node, LW_ROLE_BODY, depth);
    point(b, node, LW_FLOW_BIND);
}

/* Too deep: everything below as one sequence. */
static void flat(struct builder *b, uint32_t top)
{
    const struct lw_tree *t = b->f->names->tree;
    for (uint32_t i = top; i != LW_NO_NODE && !b->failed;) {
        enum lw_node_kind kind = lw_tree_kind(t, i);
        if (kind == LW_NODE_FUNCTION)
            function(b, i);
        else if (lw_node_is_statement(kind) || kind == LW_NODE_ELIF ||
                 kind == LW_NODE_HANDLER || kind == LW_NODE_CASE)
            point(b, i, LW_FLOW_STATEMENT);
        if (kind == LW_NODE_FOR || kind == LW_NODE_CLASS || kind == LW_NODE_HANDLER)
            point(b, i, LW_FLOW_BIND);
        i = lw_tree_next(t, top, i, kind == LW_NODE_FUNCTION);
    }
}

static void statement(struct builder *b, uint32_t node, int depth)
{
    if (depth > MOST_DEPTH)
        return flat(b, node);
    enum jump_kind leave = JUMP_NEXT;
    switch (lw_tree_kind(b->f->names->tree, node)) {
    case LW_NODE_FUNCTION: return function(b, node);
    case LW_NODE_CLASS: return class_statement(b, node, depth + 1);
    case LW_NODE_IF: return if_statement(b, node, depth + 1);
    case LW_NODE_FOR: return for_statement(b, node, depth + 1);
    case LW_NODE_WHILE: return while_statement(b, node, depth + 1);
    case LW_NODE_TRY: return try_statement(b, node, depth + 1);
    case LW_NODE_WITH: return with_statement(b, node, depth + 1);
    case LW_NODE_MATCH: return match_statement(b, node, depth + 1);
    case LW_NODE_ORPHAN: return orphan(b, node, depth + 1);
    case LW_NODE_RETURN: leave = JUMP_RETURN; break;
    case LW_NODE_RAISE: leave = JUMP_RAISE; break;
    case LW_NODE_BREAK: leave = JUMP_BREAK; break;
    case LW_NODE_CONTINUE: leave = JUMP_CONTINUE; break;
    default: break;
    }
    point(b, node, LW_FLOW_STATEMENT);
    if (leave != JUMP_NEXT) {
        jump(b, b->current, leave);
        b->current = LW_FLOW_NONE;
    }
}

/* ---- Graphs ----------------------------------------------------------------------------- */

static void parameters(struct builder *b, uint32_t node)
{
    const struct lw_tree *t = b->f->names->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        const struct lw_node *x = lw_tree_node(t, c);
        if (x->role == LW_ROLE_TYPE_PARAMS && n->kind == LW_NODE_FUNCTION)
            point(b, c, LW_FLOW_STATEMENT);
        if (x->kind != LW_NODE_PARAMS)
            continue;
        for (uint32_t p = x->child; p < x->child + x->count; p++)
            if (lw_tree_kind(t, p) == LW_NODE_PARAM)
                point(b, p, LW_FLOW_STATEMENT);
    }
}

/* Blocks and edges of the labels, numbered as they were filled. */
static int place_blocks(struct builder *b, uint32_t graph, uint32_t base)
{
    struct lw_flow *f = b->f;
    if (lw_vec_reserve(f->mem, &f->blocks, b->filled) < 0)
        return LW_ENOMEM;
    memset(f->blocks.v + base, 0, b->filled * sizeof *f->blocks.v);
    f->blocks.n += b->filled;
    for (size_t i = 0; i < b->labels.n; i++) {
        const struct label *l = &b->labels.v[i];
        if (l->number == LW_FLOW_NONE)
            continue;
        struct lw_flow_block *k = &f->blocks.v[base + l->number];
        *k = (struct lw_flow_block){.graph = graph,
                                    .first_point = l->first_point,
                                    .point_count = l->point_count,
                                    .first_merge = LW_FLOW_NONE};
        for (uint32_t p = 0; p < l->point_count; p++)
            f->points.v[l->first_point + p].block = base + l->number;
    }
    return 0;
}

/* Edges sorted by the block they leave, stable; then the lists of edges into each block. */
static int place_edges(struct builder *b, uint32_t base)
{
    struct lw_flow *f = b->f;
    uint32_t first = (uint32_t)f->edges.n, count = (uint32_t)b->edges.n;
    struct lw_flow_block *blocks = f->blocks.v;
    if (lw_vec_reserve(f->mem, &f->edges, count) < 0 ||
        lw_vec_reserve(f->mem, &f->ins, count) < 0)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_flow_edge *e = &b->edges.v[i];
        e->from = base + b->labels.v[e->from].number;
        e->to = base + b->labels.v[e->to].number;
        blocks[e->from].out_count++;
        blocks[e->to].in_count++;
    }
    uint32_t out = first, in = first;
    for (uint32_t i = base; i < f->blocks.n; i++) {
        blocks[i].first_out = out;
        blocks[i].first_in = in;
        out += blocks[i].out_count;
        in += blocks[i].in_count;
        blocks[i].out_count = blocks[i].in_count = 0;
    }
    f->edges.n = f->ins.n = first + count;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_flow_block *k = &blocks[b->edges.v[i].from];
        f->edges.v[k->first_out + k->out_count++] = b->edges.v[i];
    }
    for (uint32_t i = first; i < first + count; i++) {
        struct lw_flow_block *k = &blocks[f->edges.v[i].to];
        f->ins.v[k->first_in + k->in_count++] = i;
    }
    return 0;
}

static int build_graph(struct builder *b, uint32_t node)
{
    struct lw_flow *f = b->f;
    struct lw_flow_graph g = {.node = node,
                              .first_block = (uint32_t)f->blocks.n,
                              .first_point = (uint32_t)f->points.n};
    b->labels.n = b->edges.n = b->links.n = b->frames.n = 0;
    b->filled = 0;
    b->exit = new_label(b);
    fill(b, new_label(b));
    parameters(b, node);
    body(b, node, LW_ROLE_BODY, 0);
    edge(b, b->current, b->exit, LW_FLOW_NEXT);
    fill(b, b->exit);
    if (b->failed)
        return b->failed;
    g.block_count = b->filled;
    g.point_count = (uint32_t)f->points.n - g.first_point;
    uint32_t index = (uint32_t)f->graphs.n;
    if (place_blocks(b, index, g.first_block) < 0 || place_edges(b, g.first_block) < 0 ||
        lw_vec_push(f->mem, &f->graphs, g) < 0)
        return LW_ENOMEM;
    return 0;
}

static int by_text(const void *p, const void *q)
{
    const struct later *x = p, *y = q;
    return x->first > y->first ? -1 : x->first < y->first;
}

/* The functions of one graph are taken from the end, the first in the text first: graphs are in
 * the order of the scopes of names.h, which place_scopes() relies on. They were met in another
 * order where the `else` of a `try` was built before its handlers. */
static void sort_queue(struct builder *b, size_t from)
{
    if (b->queue.n - from > 1)
        qsort(b->queue.v + from, b->queue.n - from, sizeof *b->queue.v, by_text);
}

/* The graph that the code of each scope runs in, which must be known before its events. */
static int place_scopes(struct lw_flow *f)
{
    const struct lw_names *n = f->names;
    uint32_t graph = 0;
    if (lw_vec_reserve(f->mem, &f->graph_of, n->scopes.n) < 0)
        return LW_ENOMEM;
    f->graph_of.n = n->scopes.n;
    for (uint32_t i = 0; i < n->scopes.n; i++) {
        const struct lw_scope *s = &n->scopes.v[i];
        if (s->kind == LW_SCOPE_FUNCTION)
            f->graph_of.v[i] = ++graph;
        else
            f->graph_of.v[i] = s->kind == LW_SCOPE_MODULE ? 0 : f->graph_of.v[s->parent];
    }
    return 0;
}

static int build_all(struct builder *b)
{
    struct lw_flow *f = b->f;
    if (place_scopes(f) < 0 || flow_events_init(&b->events, f) < 0 ||
        lw_vec_push(f->mem, &b->queue, (struct later){0, f->names->tree->root}) < 0)
        return LW_ENOMEM;
    while (b->queue.n > 0) {
        uint32_t node = b->queue.v[--b->queue.n].node;
        size_t from = b->queue.n;
        if (build_graph(b, node) < 0)
            return LW_ENOMEM;
        sort_queue(b, from);
        if (flow_order(f, (uint32_t)f->graphs.n - 1) < 0)
            return LW_ENOMEM;
    }
    return flow_values(f);
}

static int prepare(struct lw_flow *f, const struct lw_names *names)
{
    size_t nodes = names->tree->nodes.n;
    f->names = names;
    f->graphs.n = f->blocks.n = f->edges.n = f->ins.n = f->points.n = f->events.n = 0;
    f->merges.n = f->operands.n = f->controls.n = f->first_def.n = f->point_of.n = 0;
    f->symbol_count = (uint32_t)names->symbols.n;
    lw_map_clear(&f->fields);
    lw_arena_clear(&f->arena);
    if (lw_vec_reserve(f->mem, &f->point_of, nodes) < 0)
        return LW_ENOMEM;
    f->point_of.n = nodes;
    memset(f->point_of.v, 0xff, nodes * sizeof *f->point_of.v);
    return 0;
}

int lw_flow_build(struct lw_flow *f, const struct lw_names *names, struct lw_err *err)
{
    struct builder b = {.f = f};
    b.events.f = f;
    int rc = prepare(f, names);
    if (rc == 0)
        rc = build_all(&b);
    flow_events_release(&b.events);
    lw_vec_release(f->mem, &b.labels);
    lw_vec_release(f->mem, &b.edges);
    lw_vec_release(f->mem, &b.links);
    lw_vec_release(f->mem, &b.frames);
    lw_vec_release(f->mem, &b.queue);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Life ------------------------------------------------------------------------------- */

void lw_flow_init(struct lw_flow *f, struct lw_mem *mem)
{
    memset(f, 0, sizeof *f);
    f->mem = mem;
    lw_map_init(&f->fields, mem);
    lw_arena_init(&f->arena, mem, 0);
}

void lw_flow_release(struct lw_flow *f)
{
    lw_vec_release(f->mem, &f->graphs);
    lw_vec_release(f->mem, &f->blocks);
    lw_vec_release(f->mem, &f->edges);
    lw_vec_release(f->mem, &f->ins);
    lw_vec_release(f->mem, &f->points);
    lw_vec_release(f->mem, &f->events);
    lw_vec_release(f->mem, &f->merges);
    lw_vec_release(f->mem, &f->operands);
    lw_vec_release(f->mem, &f->controls);
    lw_vec_release(f->mem, &f->graph_of);
    lw_vec_release(f->mem, &f->first_def);
    lw_vec_release(f->mem, &f->point_of);
    lw_map_release(&f->fields);
    lw_arena_release(&f->arena);
}

const char *lw_flow_edge_name(enum lw_flow_edge_kind kind)
{
    static const char *const names[] = {"next",     "true",   "false", "back",   "break",
                                        "continue", "return", "raise", "except", "never"};
    return names[kind];
}

struct lw_str lw_flow_event_name(const struct lw_flow *f, uint32_t event)
{
    const struct lw_flow_event *e = &f->events.v[event];
    const struct lw_tree *t = f->names->tree;
    if (e->flags & LW_FLOW_FIELD)
        return lw_tree_text(t, e->node);
    if (e->symbol != LW_NO_SYMBOL)
        return f->names->symbols.v[e->symbol].name;
    return lw_tree_name(t, e->node);
}
