/*
 * Uses and definitions of a point, in order of evaluation. Text order is that order, except
 * that targets of assignments come last, a `:=` binds after its value, and objects are changed
 * after everything is read.
 */
#include "base/err.h"
#include "base/str.h"
#include "source/flow_internal.h"

/* ---- Scopes ----------------------------------------------------------------------------- */

static uint32_t first_parameter(const struct lw_names *n, uint32_t function)
{
    uint32_t params = lw_tree_get(n->tree, function, LW_ROLE_ARGS);
    if (params == LW_NO_NODE || lw_names_decorated(n, function, LW_S("staticmethod")))
        return LW_NO_SYMBOL;
    const struct lw_node *p = lw_tree_node(n->tree, params);
    return p->count > 0 ? n->symbol_of.v[p->child] : LW_NO_SYMBOL;
}

/* Parents have smaller indices, so one pass hands down what is around. */
static void read_scopes(struct flow_events *e)
{
    const struct lw_names *n = e->f->names;
    for (uint32_t i = 0; i < n->scopes.n; i++) {
        const struct lw_scope *s = &n->scopes.v[i];
        const struct lw_scope *around = &n->scopes.v[s->parent];
        e->in_lambda.v[i] = s->kind == LW_SCOPE_LAMBDA ||
                            (s->kind == LW_SCOPE_COMPREHENSION && e->in_lambda.v[s->parent]);
        e->self_of.v[i] = i ? e->self_of.v[s->parent] : LW_NO_SYMBOL;
        e->class_of.v[i] = i ? e->class_of.v[s->parent] : LW_NO_NODE;
        if (s->kind == LW_SCOPE_FUNCTION && around->kind == LW_SCOPE_CLASS) {
            e->self_of.v[i] = first_parameter(n, s->node);
            e->class_of.v[i] = around->node;
        } else if (s->kind == LW_SCOPE_CLASS) {
            e->self_of.v[i] = LW_NO_SYMBOL;
        }
    }
}

int flow_events_init(struct flow_events *e, struct lw_flow *f)
{
    const struct lw_names *n = f->names;
    struct lw_mem *mem = f->mem;
    size_t nodes = n->tree->nodes.n, scopes = n->scopes.n;
    memset(e, 0, sizeof *e);
    e->f = f;
    if (lw_vec_reserve(mem, &e->binds, nodes) < 0 ||
        lw_vec_reserve(mem, &e->in_lambda, scopes) < 0 ||
        lw_vec_reserve(mem, &e->self_of, scopes) < 0 ||
        lw_vec_reserve(mem, &e->class_of, scopes) < 0)
        return LW_ENOMEM;
    memset(e->binds.v, 0, nodes);
    for (size_t i = 0; i < n->bindings.n; i++)
        e->binds.v[n->bindings.v[i].node] = (uint8_t)(n->bindings.v[i].kind + 1);
    read_scopes(e);
    return 0;
}

void flow_events_release(struct flow_events *e)
{
    struct lw_mem *mem = e->f->mem;
    lw_vec_release(mem, &e->binds);
    lw_vec_release(mem, &e->in_lambda);
    lw_vec_release(mem, &e->self_of);
    lw_vec_release(mem, &e->class_of);
    lw_vec_release(mem, &e->late);
    lw_vec_release(mem, &e->pending);
}

/* ---- Adding ----------------------------------------------------------------------------- */

/* Whether paths decide what reaches a use of the symbol at the node. */
static bool is_sensitive(const struct flow_events *e, uint32_t node, uint32_t symbol)
{
    const struct lw_flow *f = e->f;
    const struct lw_names *n = f->names;
    uint32_t here = n->scope_of.v[node], home = n->symbols.v[symbol].scope;
    uint8_t kind = n->scopes.v[home].kind;
    return !e->in_lambda.v[here] && f->graph_of.v[here] == f->graph_of.v[home] &&
           kind != LW_SCOPE_LAMBDA && kind != LW_SCOPE_COMPREHENSION;
}

static struct lw_flow_event make_event(const struct flow_events *e, uint32_t node,
                                       uint32_t symbol, enum lw_flow_event_kind kind,
                                       unsigned flags)
{
    struct lw_flow_event ev = {.node = node,
                               .symbol = symbol,
                               .point = (uint32_t)e->f->points.n,
                               .value = LW_FLOW_NONE,
                               .next = LW_FLOW_NONE,
                               .kind = (uint8_t)kind,
                               .flags = (uint8_t)flags};
    if (flags & LW_FLOW_FIELD)
        ev.flags |= LW_FLOW_WIDE;
    else if (symbol == LW_NO_SYMBOL)
        ev.flags |= LW_FLOW_FREE;
    else if (!is_sensitive(e, node, symbol))
        ev.flags |= LW_FLOW_WIDE;
    return ev;
}

static int add_now(struct flow_events *e, uint32_t node, uint32_t symbol,
                   enum lw_flow_event_kind kind, unsigned flags)
{
    return lw_vec_push(e->f->mem, &e->f->events, make_event(e, node, symbol, kind, flags));
}

static int add_late(struct flow_events *e, uint32_t node, uint32_t symbol,
                    enum lw_flow_event_kind kind, unsigned flags)
{
    return lw_vec_push(e->f->mem, &e->late, make_event(e, node, symbol, kind, flags));
}

static int flush_late(struct flow_events *e)
{
    for (size_t i = 0; i < e->late.n; i++)
        if (lw_vec_push(e->f->mem, &e->f->events, e->late.v[i]) < 0)
            return LW_ENOMEM;
    e->late.n = 0;
    return 0;
}

/* The `:=` whose text ends before `token` have bound their names. */
static int flush_pending(struct flow_events *e, uint32_t token)
{
    const struct lw_tree *t = e->f->names->tree;
    while (e->pending.n > 0) {
        struct lw_flow_event ev = e->pending.v[e->pending.n - 1];
        if (lw_tree_node(t, ev.next)->last >= token)
            return 0;
        e->pending.n--;
        ev.next = LW_FLOW_NONE;
        if (lw_vec_push(e->f->mem, &e->f->events, ev) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* ---- Names ------------------------------------------------------------------------------ */

/* Whether the node stands where something is assigned or deleted. */
static bool is_target(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    const struct lw_node *p = lw_tree_node(t, n->parent);
    while (
        (p->kind == LW_NODE_TUPLE || p->kind == LW_NODE_LIST || p->kind == LW_NODE_STARRED) &&
        (n->role == LW_ROLE_ELTS || n->role == LW_ROLE_VALUE)) {
        n = p;
        p = lw_tree_node(t, n->parent);
    }
    return n->role == LW_ROLE_TARGET || n->role == LW_ROLE_TARGETS || n->role == LW_ROLE_VARS ||
           p->kind == LW_NODE_DELETE;
}

/* A method called and its result thrown away: it was called for what it does. */
static bool is_effect(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    const struct lw_node *call = lw_tree_node(t, n->parent);
    if (n->kind != LW_NODE_ATTRIBUTE || n->role != LW_ROLE_FUNC || call->kind != LW_NODE_CALL)
        return false;
    if (lw_tree_kind(t, call->parent) == LW_NODE_AWAIT)
        call = lw_tree_node(t, call->parent);
    return lw_tree_kind(t, call->parent) == LW_NODE_EXPR;
}

/* The longest chain x.a[i].b that begins with the node. */
static uint32_t chain_top(const struct lw_tree *t, uint32_t node)
{
    for (;;) {
        const struct lw_node *n = lw_tree_node(t, node);
        uint8_t parent = lw_tree_node(t, n->parent)->kind;
        if (n->role != LW_ROLE_VALUE ||
            (parent != LW_NODE_ATTRIBUTE && parent != LW_NODE_SUBSCRIPT))
            return node;
        node = n->parent;
    }
}

/* The symbol of self.name, made on first sight. */
static int field_symbol(struct flow_events *e, uint32_t attribute, uint32_t class_node,
                        uint32_t *symbol)
{
    struct lw_flow *f = e->f;
    struct lw_str name = lw_tree_name(f->names->tree, attribute);
    struct lw_arena_mark mark = lw_arena_mark(&f->arena);
    struct lw_str key = lw_arena_printf(&f->arena, "%u.%.*s", class_node, LW_F(name));
    bool is_new;
    struct lw_map_entry *entry = key.p ? lw_map_put(&f->fields, key, &is_new) : NULL;
    if (!entry)
        return LW_ENOMEM;
    if (is_new)
        entry->value = f->symbol_count++;
    else
        lw_arena_rewind(&f->arena, mark);
    *symbol = (uint32_t)entry->value;
    return 0;
}

static int add_field(struct flow_events *e, uint32_t name, uint32_t top, bool changes)
{
    const struct lw_tree *t = e->f->names->tree;
    uint32_t attribute = lw_tree_node(t, name)->parent, symbol;
    uint32_t scope = e->f->names->scope_of.v[name];
    if (field_symbol(e, attribute, e->class_of.v[scope], &symbol) < 0)
        return LW_ENOMEM;
    if (attribute == top && is_target(t, attribute)) {
        uint8_t parent = lw_tree_node(t, lw_tree_node(t, attribute)->parent)->kind;
        if (parent == LW_NODE_AUG_ASSIGN &&
            add_now(e, attribute, symbol, LW_FLOW_USE, LW_FLOW_FIELD) < 0)
            return LW_ENOMEM;
        return add_late(e, attribute, symbol, LW_FLOW_DEF, LW_FLOW_FIELD);
    }
    if (add_now(e, attribute, symbol, LW_FLOW_USE, LW_FLOW_FIELD) < 0)
        return LW_ENOMEM;
    if (!changes || attribute == top)
        return 0;
    return add_late(e, attribute, symbol, LW_FLOW_DEF, LW_FLOW_FIELD | LW_FLOW_WEAK);
}

static int add_use(struct flow_events *e, uint32_t node)
{
    const struct lw_names *n = e->f->names;
    const struct lw_tree *t = n->tree;
    uint32_t symbol = n->symbol_of.v[node], scope = n->scope_of.v[node];
    if (add_now(e, node, symbol, LW_FLOW_USE, 0) < 0)
        return LW_ENOMEM;
    uint32_t top = chain_top(t, node);
    if (top == node || symbol == LW_NO_SYMBOL)
        return 0;
    bool changes = is_target(t, top) || is_effect(t, top);
    uint32_t parent = lw_tree_node(t, node)->parent;
    if (symbol == e->self_of.v[scope] && lw_tree_kind(t, parent) == LW_NODE_ATTRIBUTE &&
        add_field(e, node, top, changes) < 0)
        return LW_ENOMEM;
    return changes ? add_late(e, node, symbol, LW_FLOW_DEF, LW_FLOW_WEAK) : 0;
}

/* A `:=` that need not be reached when its statement runs. */
static bool is_conditional(const struct lw_tree *t, uint32_t node)
{
    for (;;) {
        const struct lw_node *n = lw_tree_node(t, node);
        const struct lw_node *p = lw_tree_node(t, n->parent);
        if (!lw_node_is_expression((enum lw_node_kind)p->kind) &&
            p->kind != LW_NODE_COMPREHENSION && p->kind != LW_NODE_KEYWORD)
            return false;
        if ((p->kind == LW_NODE_BOOL_OP && node != p->child) || p->kind == LW_NODE_COMPARE ||
            (p->kind == LW_NODE_IF_EXP && n->role != LW_ROLE_TEST) ||
            p->kind == LW_NODE_COMPREHENSION || n->role == LW_ROLE_ELT)
            return p->kind != LW_NODE_COMPARE || node > p->child + 2;
        node = n->parent;
    }
}

static int add_walrus(struct flow_events *e, uint32_t node)
{
    const struct lw_names *n = e->f->names;
    uint32_t named = lw_tree_node(n->tree, node)->parent;
    unsigned weak = is_conditional(n->tree, named) ? LW_FLOW_WEAK : 0;
    struct lw_flow_event ev = make_event(e, node, n->symbol_of.v[node], LW_FLOW_DEF, weak);
    ev.next = named;
    return lw_vec_push(e->f->mem, &e->pending, ev);
}

static int add_name(struct flow_events *e, uint32_t node)
{
    const struct lw_names *n = e->f->names;
    uint32_t symbol = n->symbol_of.v[node];
    uint32_t parent = lw_tree_node(n->tree, node)->parent;
    switch ((int)e->binds.v[node] - 1) {
    case -1: return add_use(e, node);
    case LW_BIND_WALRUS: return add_walrus(e, node);
    case LW_BIND_ANNOTATE:
        if (lw_tree_get(n->tree, parent, LW_ROLE_VALUE) == LW_NO_NODE)
            return 0;
        return add_late(e, node, symbol, LW_FLOW_DEF, 0);
    case LW_BIND_AUGMENT:
        if (add_now(e, node, symbol, LW_FLOW_USE, 0) < 0)
            return LW_ENOMEM;
        return add_late(e, node, symbol, LW_FLOW_DEF, 0);
    case LW_BIND_DELETE:
        if (add_now(e, node, symbol, LW_FLOW_USE, 0) < 0)
            return LW_ENOMEM;
        return add_late(e, node, symbol, LW_FLOW_KILL, 0);
    case LW_BIND_ASSIGN: return add_late(e, node, symbol, LW_FLOW_DEF, 0);
    default: return add_now(e, node, symbol, LW_FLOW_DEF, 0);
    }
}

/* ---- Points ----------------------------------------------------------------------------- */

static int add_node(struct flow_events *e, uint32_t node)
{
    const struct lw_names *n = e->f->names;
    const struct lw_node *x = lw_tree_node(n->tree, node);
    if (e->pending.n > 0 && flush_pending(e, x->first) < 0)
        return LW_ENOMEM;
    if (x->kind == LW_NODE_NAME)
        return (x->flags & LW_NODE_EMPTY) ? 0 : add_name(e, node);
    return e->binds.v[node] ? add_now(e, node, n->symbol_of.v[node], LW_FLOW_DEF, 0) : 0;
}

/* Everything below `top`, itself included. */
static int add_subtree(struct flow_events *e, uint32_t top)
{
    const struct lw_tree *t = e->f->names->tree;
    for (uint32_t i = top; i != LW_NO_NODE; i = lw_tree_next(t, top, i, false))
        if (add_node(e, i) < 0)
            return LW_ENOMEM;
    return flush_pending(e, UINT32_MAX);
}

/* Defaults and annotations are evaluated where the function is defined; the parameters
 * themselves are points of the function. */
static int add_signature(struct flow_events *e, uint32_t params)
{
    const struct lw_tree *t = e->f->names->tree;
    for (uint32_t i = lw_tree_next(t, params, params, false); i != LW_NO_NODE;
         i = lw_tree_next(t, params, i, false)) {
        const struct lw_node *x = lw_tree_node(t, i);
        bool inside = x->role == LW_ROLE_PATTERN && lw_tree_kind(t, x->parent) == LW_NODE_PARAM;
        if (x->kind == LW_NODE_PARAM && x->parent == params)
            continue;
        if (inside) { /* def f((a, b)): the names belong to the function */
            i = lw_tree_next(t, params, i, true);
            if (i == LW_NO_NODE)
                break;
            x = lw_tree_node(t, i);
            if (x->kind == LW_NODE_PARAM && x->parent == params)
                continue;
        }
        if (add_node(e, i) < 0)
            return LW_ENOMEM;
    }
    return flush_pending(e, UINT32_MAX);
}

/* Whether the child is evaluated by that part of its statement. */
static bool belongs(const struct lw_node *n, const struct lw_node *child,
                    enum lw_flow_part part)
{
    if (lw_node_is_statement((enum lw_node_kind)child->kind) || child->kind == LW_NODE_ELIF ||
        child->kind == LW_NODE_HANDLER || child->kind == LW_NODE_CASE)
        return false;
    switch (n->kind) {
    case LW_NODE_FOR:
        return child->role == (part == LW_FLOW_BEFORE ? LW_ROLE_ITER : LW_ROLE_TARGET) &&
               part != LW_FLOW_STATEMENT;
    case LW_NODE_HANDLER:
        return child->role == (part == LW_FLOW_BIND ? LW_ROLE_TARGET : LW_ROLE_TYPE);
    case LW_NODE_PARAM: return child->role == LW_ROLE_PATTERN;
    case LW_NODE_FUNCTION: return child->role != LW_ROLE_TYPE_PARAMS;
    default: return part == LW_FLOW_STATEMENT;
    }
}

/* The name that the node itself binds, if that part of it does. */
static int add_own(struct flow_events *e, uint32_t node, enum lw_flow_part part)
{
    const struct lw_names *n = e->f->names;
    enum lw_node_kind kind = lw_tree_kind(n->tree, node);
    bool binds = e->binds.v[node] != 0 && kind != LW_NODE_NAME;
    if ((kind == LW_NODE_CLASS || kind == LW_NODE_HANDLER) && part != LW_FLOW_BIND)
        binds = false;
    return binds ? add_now(e, node, n->symbol_of.v[node], LW_FLOW_DEF, 0) : 0;
}

int flow_collect(struct flow_events *e, uint32_t node, enum lw_flow_part part)
{
    const struct lw_tree *t = e->f->names->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        const struct lw_node *child = lw_tree_node(t, c);
        if (!belongs(n, child, part))
            continue;
        int rc = n->kind == LW_NODE_FUNCTION && child->kind == LW_NODE_PARAMS
                     ? add_signature(e, c)
                     : add_subtree(e, c);
        if (rc < 0)
            return rc;
    }
    if (flush_late(e) < 0)
        return LW_ENOMEM;
    return add_own(e, node, part);
}
