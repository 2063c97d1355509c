#include "source/names.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

const char *lw_scope_kind_name(enum lw_scope_kind kind)
{
    static const char *const names[] = {"module", "class", "function", "lambda",
                                        "comprehension"};
    return names[kind];
}

const char *lw_binding_kind_name(enum lw_binding_kind kind)
{
    static const char *const names[] = {"assign", "augment", "annotate", "for",   "with",
                                        "except", "walrus",  "delete",   "param", "function",
                                        "class",  "import",  "pattern",  "type"};
    return names[kind];
}

void lw_names_init(struct lw_names *n, struct lw_mem *mem)
{
    memset(n, 0, sizeof *n);
    n->mem = mem;
}

void lw_names_release(struct lw_names *n)
{
    lw_vec_release(n->mem, &n->scopes);
    lw_vec_release(n->mem, &n->symbols);
    lw_vec_release(n->mem, &n->bindings);
    lw_vec_release(n->mem, &n->scope_of);
    lw_vec_release(n->mem, &n->symbol_of);
    lw_vec_release(n->mem, &n->stars);
    lw_vec_release(n->mem, &n->slots);
}

void lw_names_trim(struct lw_names *n)
{
    lw_vec_trim(n->mem, &n->scopes);
    lw_vec_trim(n->mem, &n->symbols);
    lw_vec_trim(n->mem, &n->bindings);
    lw_vec_trim(n->mem, &n->scope_of);
    lw_vec_trim(n->mem, &n->symbol_of);
    lw_vec_trim(n->mem, &n->stars);
}

size_t lw_names_bytes(const struct lw_names *n)
{
    return n->scopes.n * sizeof *n->scopes.v + n->symbols.n * sizeof *n->symbols.v +
           n->bindings.n * sizeof *n->bindings.v + n->scope_of.n * sizeof *n->scope_of.v +
           n->symbol_of.n * sizeof *n->symbol_of.v + n->slots.cap * sizeof *n->slots.v;
}

/* ---- Symbols ---------------------------------------------------------------------------- */

static size_t slot_of(const struct lw_names *n, uint32_t scope, struct lw_str name)
{
    uint64_t h = lw_str_hash(name) ^ ((uint64_t)scope * 0x9e3779b97f4a7c15u);
    size_t mask = n->slots.n - 1, i = (size_t)(h ^ h >> 32) & mask;
    while (n->slots.v[i]) {
        const struct lw_symbol *s = &n->symbols.v[n->slots.v[i] - 1];
        if (s->scope == scope && lw_str_eq(s->name, name))
            break;
        i = (i + 1) & mask;
    }
    return i;
}

uint32_t lw_names_find(const struct lw_names *n, uint32_t scope, struct lw_str name)
{
    if (n->slots.n == 0)
        return LW_NO_SYMBOL;
    return n->slots.v[slot_of(n, scope, name)] - 1; /* 0 - 1 is LW_NO_SYMBOL */
}

enum { FIRST_SLOTS = 256 };

static int grow_slots(struct lw_names *n)
{
    size_t want = n->slots.n ? n->slots.n * 2 : FIRST_SLOTS;
    n->slots.n = 0;
    if (lw_vec_reserve(n->mem, &n->slots, want) < 0)
        return LW_ENOMEM;
    n->slots.n = want;
    memset(n->slots.v, 0, want * sizeof *n->slots.v);
    for (uint32_t i = 0; i < n->symbols.n; i++)
        n->slots.v[slot_of(n, n->symbols.v[i].scope, n->symbols.v[i].name)] = i + 1;
    return 0;
}

/* Finds or adds the symbol of the scope. LW_NO_SYMBOL: out of memory. */
static uint32_t put_symbol(struct lw_names *n, uint32_t scope, struct lw_str name)
{
    if ((n->symbols.n + 1) * 2 > n->slots.n && grow_slots(n) < 0)
        return LW_NO_SYMBOL;
    size_t slot = slot_of(n, scope, name);
    if (n->slots.v[slot])
        return n->slots.v[slot] - 1;
    uint32_t index = (uint32_t)n->symbols.n;
    struct lw_symbol s = {.name = name,
                          .scope = scope,
                          .next = LW_NO_SYMBOL,
                          .first_binding = LW_NO_SYMBOL,
                          .last_binding = LW_NO_SYMBOL,
                          .first_import = LW_NO_NODE,
                          .last_definition = LW_NO_NODE};
    if (lw_vec_push(n->mem, &n->symbols, s) < 0)
        return LW_NO_SYMBOL;
    struct lw_scope *sc = &n->scopes.v[scope];
    if (sc->first_symbol == LW_NO_SYMBOL)
        sc->first_symbol = index;
    else
        n->symbols.v[sc->last_symbol].next = index;
    sc->last_symbol = index;
    n->slots.v[slot] = index + 1;
    return index;
}

static int bind(struct lw_names *n, uint32_t scope, uint32_t node, uint32_t token,
                enum lw_binding_kind kind)
{
    if (token == LW_NO_TOKEN)
        return 0;
    uint32_t symbol = put_symbol(n, scope, lw_tree_token_text(n->tree, token));
    struct lw_binding b = {symbol, node, token, (uint8_t)kind, LW_NO_SYMBOL};
    if (symbol == LW_NO_SYMBOL || lw_vec_push(n->mem, &n->bindings, b) < 0)
        return LW_ENOMEM;
    uint32_t index = (uint32_t)n->bindings.n - 1;
    struct lw_symbol *s = &n->symbols.v[symbol];
    if (s->first_binding == LW_NO_SYMBOL)
        s->first_binding = index;
    else
        n->bindings.v[s->last_binding].next = index;
    s->last_binding = index;
    s->flags |= LW_SYMBOL_BOUND | (kind == LW_BIND_IMPORT ? LW_SYMBOL_IMPORTED : 0u);
    if (kind == LW_BIND_IMPORT && s->first_import == LW_NO_NODE)
        s->first_import = node;
    else if (kind == LW_BIND_FUNCTION || kind == LW_BIND_CLASS)
        s->last_definition = node;
    n->symbol_of.v[node] = symbol;
    return 0;
}

/* ---- Scopes ----------------------------------------------------------------------------- */

static int scope_kind_of(enum lw_node_kind kind)
{
    switch (kind) {
    case LW_NODE_MODULE: return LW_SCOPE_MODULE;
    case LW_NODE_CLASS: return LW_SCOPE_CLASS;
    case LW_NODE_FUNCTION: return LW_SCOPE_FUNCTION;
    case LW_NODE_LAMBDA: return LW_SCOPE_LAMBDA;
    case LW_NODE_LIST_COMP:
    case LW_NODE_SET_COMP:
    case LW_NODE_DICT_COMP:
    case LW_NODE_GENERATOR: return LW_SCOPE_COMPREHENSION;
    default: return -1;
    }
}

/* Whether a child with the role is evaluated inside the scope that its parent opens. */
static bool is_inside(const struct lw_node *child, int kind)
{
    if (kind == LW_SCOPE_FUNCTION || kind == LW_SCOPE_LAMBDA)
        return child->role == LW_ROLE_BODY || child->role == LW_ROLE_ARGS ||
               child->role == LW_ROLE_TYPE_PARAMS;
    if (kind == LW_SCOPE_CLASS)
        return child->role == LW_ROLE_BODY || child->role == LW_ROLE_TYPE_PARAMS;
    return true;
}

/* The scope that each child of `node` is evaluated in. `own` is what the node opens, or the
 * scope around when it opens none. */
static void place_children(struct lw_names *n, uint32_t node, uint32_t own)
{
    const struct lw_node *p = lw_tree_node(n->tree, node);
    uint32_t around = n->scope_of.v[node];
    int kind = scope_kind_of((enum lw_node_kind)p->kind);
    for (uint32_t c = p->child; c < p->child + p->count; c++) {
        const struct lw_node *child = lw_tree_node(n->tree, c);
        uint32_t scope = own;
        if (kind >= 0 && !is_inside(child, kind))
            scope = around;
        else if (p->kind == LW_NODE_PARAM && child->role != LW_ROLE_PATTERN)
            scope = n->scopes.v[around].parent; /* annotations and defaults */
        else if (p->kind == LW_NODE_COMPREHENSION && child->role == LW_ROLE_ITER &&
                 lw_tree_get(n->tree, p->parent, LW_ROLE_GENERATORS) == node)
            scope = n->scopes.v[around].parent; /* the first iterable */
        n->scope_of.v[c] = scope;
    }
}

static int open_scope(struct lw_names *n, uint32_t node, uint32_t *own)
{
    int kind = scope_kind_of(lw_tree_kind(n->tree, node));
    *own = n->scope_of.v[node];
    if (kind < 0)
        return 0;
    struct lw_scope s = {(uint8_t)kind, node, *own, LW_NO_SYMBOL, LW_NO_SYMBOL};
    *own = (uint32_t)n->scopes.n;
    if (kind == LW_SCOPE_MODULE)
        s.parent = *own;
    return lw_vec_push(n->mem, &n->scopes, s);
}

/* ---- Bindings --------------------------------------------------------------------------- */

/* How the NAME is bound where it stands, or -1 when it is only read. Targets nest in tuples,
 * lists and stars. */
static int binding_of_name(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node), *p;
    for (;; n = p) {
        p = lw_tree_node(t, n->parent);
        bool nest = ((p->kind == LW_NODE_TUPLE || p->kind == LW_NODE_LIST) &&
                     n->role == LW_ROLE_ELTS) ||
                    (p->kind == LW_NODE_STARRED && n->role == LW_ROLE_VALUE);
        if (!nest)
            break;
    }
    switch (p->kind) {
    case LW_NODE_ASSIGN: return n->role == LW_ROLE_TARGETS ? LW_BIND_ASSIGN : -1;
    case LW_NODE_AUG_ASSIGN: return n->role == LW_ROLE_TARGET ? LW_BIND_AUGMENT : -1;
    case LW_NODE_ANN_ASSIGN: return n->role == LW_ROLE_TARGET ? LW_BIND_ANNOTATE : -1;
    case LW_NODE_FOR:
    case LW_NODE_COMPREHENSION: return n->role == LW_ROLE_TARGET ? LW_BIND_FOR : -1;
    case LW_NODE_ITEM: return n->role == LW_ROLE_VARS ? LW_BIND_WITH : -1;
    case LW_NODE_NAMED: return n->role == LW_ROLE_TARGET ? LW_BIND_WALRUS : -1;
    case LW_NODE_DELETE: return LW_BIND_DELETE;
    case LW_NODE_HANDLER: return n->role == LW_ROLE_TARGET ? LW_BIND_EXCEPT : -1;
    case LW_NODE_TYPE_ALIAS: return n->role == LW_ROLE_NAME ? LW_BIND_TYPE : -1;
    case LW_NODE_PARAM: return n->role == LW_ROLE_PATTERN ? LW_BIND_PARAM : -1;
    default: return -1;
    }
}

static int bind_name(struct lw_names *n, uint32_t node)
{
    int kind = binding_of_name(n->tree, node);
    if (kind < 0)
        return 0;
    uint32_t scope = n->scope_of.v[node];
    while (kind == LW_BIND_WALRUS && n->scopes.v[scope].kind == LW_SCOPE_COMPREHENSION)
        scope = n->scopes.v[scope].parent;
    return bind(n, scope, node, lw_tree_name_token(n->tree, node), (enum lw_binding_kind)kind);
}

/* `import a.b` binds a; `import a.b as c` and `from m import c` bind c. */
static int bind_import(struct lw_names *n, uint32_t node)
{
    const struct lw_node *a = lw_tree_node(n->tree, node);
    const struct lw_token *tok = n->tree->lexed.tokens.v;
    if (a->flags & LW_NODE_EMPTY)
        return 0;
    if (tok[a->first].kind == LW_TOK_STAR)
        return lw_vec_push(n->mem, &n->stars, node);
    bool as = lw_tree_alias_end(n->tree, node) <= a->last;
    uint32_t token = as ? lw_tree_name_token(n->tree, node) : a->first;
    return bind(n, n->scope_of.v[node], node, token, LW_BIND_IMPORT);
}

/* global and nonlocal: the names of the line mean symbols of other scopes. */
static int declare(struct lw_names *n, uint32_t node, uint32_t flag)
{
    const struct lw_node *s = lw_tree_node(n->tree, node);
    for (uint32_t i = s->first + 1; i <= s->last; i++) {
        if (n->tree->lexed.tokens.v[i].kind != LW_TOK_NAME)
            continue;
        struct lw_str name = lw_tree_token_text(n->tree, i);
        uint32_t symbol = put_symbol(n, n->scope_of.v[node], name);
        if (symbol == LW_NO_SYMBOL)
            return LW_ENOMEM;
        n->symbols.v[symbol].flags |= flag;
    }
    return 0;
}

static int bind_node(struct lw_names *n, uint32_t node)
{
    uint32_t scope = n->scope_of.v[node], token = LW_NO_TOKEN;
    enum lw_binding_kind kind = LW_BIND_ASSIGN;
    switch (lw_tree_kind(n->tree, node)) {
    case LW_NODE_NAME: return bind_name(n, node);
    case LW_NODE_ALIAS: return bind_import(n, node);
    case LW_NODE_GLOBAL: return declare(n, node, LW_SYMBOL_GLOBAL);
    case LW_NODE_NONLOCAL: return declare(n, node, LW_SYMBOL_NONLOCAL);
    case LW_NODE_FUNCTION: kind = LW_BIND_FUNCTION; break;
    case LW_NODE_CLASS: kind = LW_BIND_CLASS; break;
    case LW_NODE_PARAM: kind = LW_BIND_PARAM; break;
    case LW_NODE_HANDLER: kind = LW_BIND_EXCEPT; break;
    case LW_NODE_MATCH_AS:
    case LW_NODE_MATCH_STAR:
    case LW_NODE_MATCH_REST: kind = LW_BIND_PATTERN; break;
    case LW_NODE_TYPE_PARAM: kind = LW_BIND_TYPE; break;
    default: return 0;
    }
    token = lw_tree_name_token(n->tree, node);
    if (kind == LW_BIND_PATTERN && token != LW_NO_TOKEN &&
        lw_str_eq(lw_tree_token_text(n->tree, token), LW_S("_")))
        return 0;
    return bind(n, scope, node, token, kind);
}

/* ---- Lookup ----------------------------------------------------------------------------- */

static uint32_t lookup_nonlocal(const struct lw_names *n, uint32_t scope, struct lw_str name)
{
    for (scope = n->scopes.v[scope].parent; scope != 0; scope = n->scopes.v[scope].parent) {
        if (n->scopes.v[scope].kind == LW_SCOPE_CLASS)
            continue;
        uint32_t s = lw_names_find(n, scope, name);
        if (s != LW_NO_SYMBOL && (n->symbols.v[s].flags & LW_SYMBOL_BOUND) &&
            !(n->symbols.v[s].flags & (LW_SYMBOL_GLOBAL | LW_SYMBOL_NONLOCAL)))
            return s;
    }
    return LW_NO_SYMBOL;
}

uint32_t lw_names_lookup(const struct lw_names *n, uint32_t scope, struct lw_str name)
{
    for (bool own = true;; own = false) {
        const struct lw_scope *sc = &n->scopes.v[scope];
        uint32_t s = LW_NO_SYMBOL;
        if (own || sc->kind != LW_SCOPE_CLASS)
            s = lw_names_find(n, scope, name);
        if (s != LW_NO_SYMBOL) {
            uint32_t flags = n->symbols.v[s].flags;
            if (scope != 0 && (flags & LW_SYMBOL_GLOBAL))
                return lw_names_find(n, 0, name);
            if (flags & LW_SYMBOL_NONLOCAL)
                return lookup_nonlocal(n, scope, name);
            if (flags & LW_SYMBOL_BOUND)
                return s;
        }
        if (scope == 0)
            return LW_NO_SYMBOL;
        /* What a comprehension in a class body sees of the class is only its first iterable,
         * which scope_of has placed there already. */
        scope = sc->parent;
    }
}

/* A binding in a scope that declares the name global or nonlocal is one of the other scope. */
static int redirect(struct lw_names *n)
{
    size_t count = n->bindings.n;
    for (size_t i = 0; i < count; i++) {
        struct lw_binding b = n->bindings.v[i];
        struct lw_symbol s = n->symbols.v[b.symbol];
        uint32_t target = LW_NO_SYMBOL;
        if (s.scope == 0 || !(s.flags & (LW_SYMBOL_GLOBAL | LW_SYMBOL_NONLOCAL)))
            continue;
        if (s.flags & LW_SYMBOL_GLOBAL)
            target = put_symbol(n, 0, s.name);
        else
            target = lookup_nonlocal(n, s.scope, s.name);
        if (target == LW_NO_SYMBOL && (s.flags & LW_SYMBOL_GLOBAL))
            return LW_ENOMEM;
        if (target != LW_NO_SYMBOL && bind(n, n->symbols.v[target].scope, b.node, b.token,
                                           (enum lw_binding_kind)b.kind) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int declare_globals(struct lw_names *n)
{
    /* A name that is only declared global still exists in the module. */
    size_t count = n->symbols.n;
    for (size_t i = 0; i < count; i++) {
        struct lw_symbol s = n->symbols.v[i];
        if (s.scope != 0 && (s.flags & LW_SYMBOL_GLOBAL) &&
            put_symbol(n, 0, s.name) == LW_NO_SYMBOL)
            return LW_ENOMEM;
    }
    return 0;
}

static void resolve_uses(struct lw_names *n)
{
    for (uint32_t i = 0; i < n->tree->nodes.n; i++) {
        if (lw_tree_kind(n->tree, i) != LW_NODE_NAME)
            continue;
        bool binds = n->symbol_of.v[i] != LW_NO_SYMBOL;
        uint32_t s = lw_names_lookup(n, n->scope_of.v[i], lw_tree_name(n->tree, i));
        if (s == LW_NO_SYMBOL)
            continue;
        if (!binds || binding_of_name(n->tree, i) == LW_BIND_AUGMENT)
            n->symbols.v[s].flags |= LW_SYMBOL_USED;
        if (!binds)
            n->symbol_of.v[i] = s;
    }
}

static int reserve_maps(struct lw_names *n, size_t count)
{
    n->scope_of.n = n->symbol_of.n = 0;
    if (lw_vec_reserve(n->mem, &n->scope_of, count) < 0 ||
        lw_vec_reserve(n->mem, &n->symbol_of, count) < 0)
        return LW_ENOMEM;
    n->scope_of.n = n->symbol_of.n = count;
    memset(n->scope_of.v, 0, count * sizeof *n->scope_of.v);
    memset(n->symbol_of.v, 0xff, count * sizeof *n->symbol_of.v);
    return 0;
}

int lw_names_build(struct lw_names *n, const struct lw_tree *tree, struct lw_err *err)
{
    n->tree = tree;
    n->scopes.n = n->symbols.n = n->bindings.n = n->stars.n = n->slots.n = 0;
    int rc = reserve_maps(n, tree->nodes.n);
    for (uint32_t i = tree->root; rc == 0 && i != LW_NO_NODE;
         i = lw_tree_next(tree, tree->root, i, false)) {
        uint32_t own;
        rc = open_scope(n, i, &own);
        if (rc == 0) {
            place_children(n, i, own);
            rc = bind_node(n, i);
        }
    }
    if (rc == 0)
        rc = declare_globals(n);
    if (rc == 0)
        rc = redirect(n);
    if (rc < 0)
        return lw_err_nomem(err);
    resolve_uses(n);
    return 0;
}
