/* Local names that are read where no assignment of theirs has been run. */
#include "check/query/bindings.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum { FIT_UNKNOWN, FIT_YES, FIT_NO };

struct search {
    struct ck *c;
    struct ck_file *f;
    const struct lw_tree *t;
    const struct lw_names *n;
    bool *binds;     /* by node: it binds a name */
    uint32_t *first; /* by symbol: the byte where its first binding takes effect */
    uint8_t *fit;    /* by symbol: can it be judged? */
    bool *in_if;     /* by node: it stands in an `if` of its function */
};

/* `k, d[k] = f()`: targets are bound from left to right once the value is known, so that those
 * that follow may read it. */
static bool is_read_by_target(const struct search *s, uint32_t bound, uint32_t use)
{
    uint32_t top = lw_tree_parent(s->t, bound);
    return top != LW_NO_NODE && lw_tree_kind(s->t, top) == LW_NODE_TUPLE &&
           lw_tree_start(s->t, bound) < lw_tree_start(s->t, use) &&
           syntax_inside(s->t, use, top);
}

/* The byte behind which the binding holds: `x = x + 1` reads before it assigns. */
static uint32_t effect_of(const struct search *s, const struct lw_binding *b)
{
    uint32_t statement = lw_tree_statement(s->t, b->node);
    switch (b->kind) {
    case LW_BIND_ASSIGN:
    case LW_BIND_AUGMENT:
    case LW_BIND_ANNOTATE: return lw_tree_end(s->t, statement);
    case LW_BIND_FOR:
        if (lw_tree_kind(s->t, statement) != LW_NODE_FOR)
            return 0; /* of a comprehension */
        return lw_tree_end(s->t, lw_tree_get(s->t, statement, LW_ROLE_ITER));
    case LW_BIND_PARAM: return 0;
    default: return lw_tree_start(s->t, b->node);
    }
}

static bool make(struct search *s)
{
    s->binds = lw_arena_array(s->c->arena, s->t->nodes.n, sizeof *s->binds);
    s->first = lw_arena_array(s->c->arena, s->n->symbols.n + 1, sizeof *s->first);
    s->fit = lw_arena_array(s->c->arena, s->n->symbols.n + 1, sizeof *s->fit);
    s->in_if = lw_arena_array(s->c->arena, s->t->nodes.n, sizeof *s->in_if);
    if (!s->binds || !s->first || !s->fit || !s->in_if)
        return false;
    for (size_t i = 0; i < s->n->symbols.n; i++)
        s->first[i] = UINT32_MAX;
    for (size_t i = 0; i < s->n->bindings.n; i++) {
        const struct lw_binding *b = &s->n->bindings.v[i];
        uint32_t at = effect_of(s, b);
        s->binds[b->node] = true;
        if (at < s->first[b->symbol])
            s->first[b->symbol] = at;
    }
    return true;
}

/* ---- which bindings reach a use -----------------------------------------------------------
 */

static bool is_loop(enum lw_node_kind kind)
{
    return kind == LW_NODE_FOR || kind == LW_NODE_WHILE;
}

/* The child of `top` that holds the node. */
static uint32_t child_towards(const struct lw_tree *t, uint32_t top, uint32_t node)
{
    while (node != LW_NO_NODE && lw_tree_parent(t, node) != top)
        node = lw_tree_parent(t, node);
    return node;
}

/* The nearest node around both. */
static uint32_t common(const struct lw_tree *t, uint32_t a, uint32_t b)
{
    while (a != LW_NO_NODE && !syntax_inside(t, b, a))
        a = lw_tree_parent(t, a);
    return a;
}

static bool in_loop(const struct search *s, uint32_t node, uint32_t scope)
{
    for (; node != LW_NO_NODE && node != scope; node = lw_tree_parent(s->t, node))
        if (is_loop(lw_tree_kind(s->t, node)))
            return true;
    return false;
}

/* Do they stand in different branches of one `if`? */
static bool are_exclusive(const struct lw_tree *t, uint32_t top, uint32_t a, uint32_t b)
{
    if (lw_tree_kind(t, top) != LW_NODE_IF)
        return false;
    const struct lw_node *x = lw_tree_node(t, child_towards(t, top, a));
    const struct lw_node *y = lw_tree_node(t, child_towards(t, top, b));
    if (x->role == LW_ROLE_TEST || y->role == LW_ROLE_TEST)
        return false;
    return x->role != y->role ||
           (x != y && (x->kind == LW_NODE_ELIF || y->kind == LW_NODE_ELIF));
}

static bool reaches(const struct search *s, const struct lw_binding *b, uint32_t use,
                    uint32_t scope)
{
    uint32_t top = common(s->t, b->node, use);
    if (in_loop(s, top, scope) || is_read_by_target(s, b->node, use))
        return true;
    if (effect_of(s, b) > lw_tree_start(s->t, use))
        return false;
    return !are_exclusive(s->t, top, b->node, use);
}

static bool is_reached(const struct search *s, const struct lw_symbol *symbol, uint32_t use,
                       uint32_t scope)
{
    for (uint32_t b = symbol->first_binding; b != LW_NO_SYMBOL; b = s->n->bindings.v[b].next)
        if (reaches(s, &s->n->bindings.v[b], use, scope))
            return true;
    return false;
}

/* ---- what is reported ---------------------------------------------------------------------
 */

/* Names that others bind as well: by `global`, by a star import, as a builtin of the module. */
static bool is_shared(const struct search *s, const struct lw_symbol *symbol)
{
    const struct lw_scope *scope = &s->n->scopes.v[symbol->scope];
    if (scope->kind != LW_SCOPE_MODULE)
        return false;
    for (uint32_t b = symbol->first_binding; b != LW_NO_SYMBOL; b = s->n->bindings.v[b].next)
        if (s->n->scope_of.v[s->n->bindings.v[b].node] != symbol->scope &&
            s->n->bindings.v[b].kind != LW_BIND_WALRUS)
            return true;
    return s->n->stars.n || bindings_is_builtin(symbol->name) || bindings_are_hidden(s->f) ||
           s->f->source.notebook.cell_count;
}

/* x = scale(x) in the few lines of a fragment, whose data are bound elsewhere. */
static bool is_of_fragment(const struct search *s, const struct lw_symbol *symbol, uint32_t use)
{
    enum { LEAST_LINES = 60 }; /* of a file that is taken for a whole program */
    uint32_t first = s->n->bindings.v[symbol->first_binding].node;
    return symbol->scope == 0 && s->t->lines.n < LEAST_LINES &&
           lw_tree_statement(s->t, first) == lw_tree_statement(s->t, use);
}

static bool is_other_kind(const struct search *s, const struct lw_symbol *symbol)
{
    enum lw_scope_kind kind = (enum lw_scope_kind)s->n->scopes.v[symbol->scope].kind;
    for (uint32_t b = symbol->first_binding; b != LW_NO_SYMBOL; b = s->n->bindings.v[b].next)
        if (s->n->bindings.v[b].kind == LW_BIND_DELETE)
            return true;
    return (kind != LW_SCOPE_FUNCTION && kind != LW_SCOPE_MODULE) ||
           (symbol->flags & (LW_SYMBOL_GLOBAL | LW_SYMBOL_NONLOCAL));
}

/* Is the symbol one that this rule can judge? Asked once for all its uses: it walks over its
 * bindings. */
static bool is_fit(struct search *s, uint32_t id)
{
    const struct lw_symbol *symbol = &s->n->symbols.v[id];
    if (s->fit[id] == FIT_UNKNOWN)
        s->fit[id] = is_other_kind(s, symbol) || is_shared(s, symbol) ? FIT_NO : FIT_YES;
    return s->fit[id] == FIT_YES;
}

static void look_at(struct search *s, uint32_t node)
{
    uint32_t id = s->n->symbol_of.v[node];
    if (id == LW_NO_SYMBOL || s->n->scope_of.v[node] != s->n->symbols.v[id].scope)
        return;
    const struct lw_symbol *symbol = &s->n->symbols.v[id];
    uint32_t scope = s->n->scopes.v[symbol->scope].node;
    bool early = lw_tree_start(s->t, node) < s->first[id];
    if (!(symbol->flags & LW_SYMBOL_BOUND) || (!early && !s->in_if[node]) || !is_fit(s, id) ||
        is_of_fragment(s, symbol, node) || is_reached(s, symbol, node, scope) ||
        bindings_excuse(s->c, s->f, node))
        return;
    ck_find(s->c, node, "api/unbound-name", NULL, 0,
            early ? "'%.*s' is read before it is assigned"
                  : "'%.*s' is read here, but assigned only in another branch",
            LW_F(symbol->name));
    s->first[id] = 0; /* one fault, one report */
}

/* Nodes come after their parents, so one look up is enough. */
static bool stands_in_if(const struct search *s, uint32_t node)
{
    uint32_t up = lw_tree_parent(s->t, node);
    if (up == LW_NO_NODE)
        return false;
    switch (lw_tree_kind(s->t, up)) {
    case LW_NODE_IF: return true;
    case LW_NODE_FUNCTION:
    case LW_NODE_LAMBDA:
    case LW_NODE_CLASS: return false;
    default: return s->in_if[up];
    }
}

static bool is_use(const struct search *s, uint32_t node)
{
    return lw_tree_kind(s->t, node) == LW_NODE_NAME &&
           (!s->binds[node] ||
            lw_tree_kind(s->t, lw_tree_parent(s->t, node)) == LW_NODE_AUG_ASSIGN);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct search s = {.c = c, .f = f, .t = &f->tree, .n = &f->names};
    for (size_t i = 0; i < f->tree.lexed.errors.n; i++)
        if (f->tree.lexed.errors.v[i].severity == LW_SYNTAX_ERROR)
            return;
    if (!make(&s))
        return;
    for (uint32_t n = f->tree.root; n != LW_NO_NODE;
         n = lw_tree_next(&f->tree, f->tree.root, n, false)) {
        s.in_if[n] = stands_in_if(&s, n);
        if (is_use(&s, n))
            look_at(&s, n);
    }
}

const struct ck_rule rules_api_unbound[] = {
    {"api/unbound-name", CK_EV_END, watch_end},
    {0},
};
