/*
 * What names stand for: dotted names of imports, definitions that calls reach.
 */
#include "source/names.h"

#include "base/str.h"

enum {
    MOST_STEPS = 8,    /* aliases of aliases */
    MOST_CLASSES = 64, /* base classes looked at for one method */
};

static void add_tokens(const struct lw_tree *t, uint32_t first, uint32_t end,
                       struct lw_buf *out)
{
    for (uint32_t i = first; i < end; i++)
        (void)lw_buf_add(out, lw_tree_token_text(t, i));
}

void lw_names_import_target(const struct lw_tree *t, uint32_t alias, struct lw_buf *out)
{
    const struct lw_node *a = lw_tree_node(t, alias);
    uint32_t end = lw_tree_alias_end(t, alias), first, stop;
    if (lw_tree_kind(t, a->parent) == LW_NODE_IMPORT) {
        /* `import a.b` binds a, with `as` the whole */
        add_tokens(t, a->first, end <= a->last ? end : a->first + 1, out);
        return;
    }
    uint32_t dots = lw_tree_import_module(t, a->parent, &first, &stop);
    (void)lw_buf_fill(out, '.', dots);
    add_tokens(t, first, stop, out);
    if (t->lexed.tokens.v[a->first].kind == LW_TOK_STAR)
        return;
    if (first < stop)
        (void)lw_buf_add_char(out, '.');
    add_tokens(t, a->first, end, out);
}

/* The value of a name that is assigned exactly once, by `name = value`. */
static uint32_t only_value(const struct lw_names *n, uint32_t symbol)
{
    const struct lw_symbol *s = &n->symbols.v[symbol];
    if (s->first_binding == LW_NO_SYMBOL || s->first_binding != s->last_binding)
        return LW_NO_NODE;
    const struct lw_binding *b = &n->bindings.v[s->first_binding];
    uint32_t parent = lw_tree_node(n->tree, b->node)->parent;
    if (b->kind != LW_BIND_ASSIGN || lw_tree_kind(n->tree, parent) != LW_NODE_ASSIGN)
        return LW_NO_NODE;
    return lw_tree_get(n->tree, parent, LW_ROLE_VALUE);
}

/* `from x import *` is the only place an unknown name can come from when there is one. */
static bool add_star(const struct lw_names *n, struct lw_str name, struct lw_buf *out)
{
    static const char *const builtins[] = {
        "abs",          "all",         "any",       "bool",       "bytes",
        "callable",     "dict",        "dir",       "enumerate",  "filter",
        "float",        "format",      "getattr",   "hasattr",    "hash",
        "id",           "input",       "int",       "isinstance", "issubclass",
        "iter",         "len",         "list",      "map",        "max",
        "min",          "next",        "object",    "open",       "ord",
        "print",        "property",    "range",     "repr",       "reversed",
        "round",        "set",         "setattr",   "slice",      "sorted",
        "staticmethod", "classmethod", "str",       "sum",        "super",
        "tuple",        "type",        "vars",      "zip",        "xrange",
        "unicode",      "reduce",      "raw_input", "exit",       "quit",
        "eval",         "exec",        "globals",   "locals",     "chr",
        "divmod",       "pow",         "complex",   "frozenset",  NULL};
    size_t len = name.n;
    if (n->stars.n != 1 || (len >= 5 && lw_str_has_suffix(name, LW_S("Error"))) ||
        lw_str_has_prefix(name, LW_S("__")))
        return false;
    for (const char *const *b = builtins; *b; b++)
        if (lw_str_eq(name, lw_str(*b)))
            return false;
    lw_names_import_target(n->tree, n->stars.v[0], out);
    (void)lw_buf_add_char(out, '.');
    (void)lw_buf_add(out, name);
    return true;
}

/* Adds the dotted name of the bare name that the chain begins with. */
static bool add_base(const struct lw_names *n, uint32_t node, struct lw_buf *out, int steps);

static bool add_chain(const struct lw_names *n, uint32_t node, struct lw_buf *out, int steps)
{
    const struct lw_tree *t = n->tree;
    uint32_t base = node;
    while (lw_tree_kind(t, base) == LW_NODE_ATTRIBUTE)
        base = lw_tree_get(t, base, LW_ROLE_VALUE);
    if (lw_tree_kind(t, base) != LW_NODE_NAME || !add_base(n, base, out, steps))
        return false;
    /* Outwards again: the attributes in text order. */
    while (base != node) {
        base = lw_tree_node(t, base)->parent;
        (void)lw_buf_add_char(out, '.');
        (void)lw_buf_add(out, lw_tree_name(t, base));
    }
    return true;
}

static bool add_base(const struct lw_names *n, uint32_t node, struct lw_buf *out, int steps)
{
    uint32_t symbol = n->symbol_of.v[node];
    if (symbol == LW_NO_SYMBOL)
        return add_star(n, lw_tree_name(n->tree, node), out);
    /* The first one, since later ones are what programs fall back to. */
    uint32_t alias = n->symbols.v[symbol].first_import;
    if (alias != LW_NO_NODE) {
        lw_names_import_target(n->tree, alias, out);
        return true;
    }
    uint32_t value = only_value(n, symbol);
    return value != LW_NO_NODE && steps > 0 && add_chain(n, value, out, steps - 1);
}

bool lw_names_dotted(const struct lw_names *n, uint32_t node, struct lw_buf *out)
{
    size_t before = out->n;
    if (add_chain(n, node, out, MOST_STEPS))
        return true;
    lw_buf_cut(out, before);
    return false;
}

/* ---- Definitions ------------------------------------------------------------------------ */

static uint32_t scope_opened_by(const struct lw_names *n, uint32_t node)
{
    /* Scopes are in text order, which for the tree's array means no order of nodes. */
    const struct lw_node *d = lw_tree_node(n->tree, node);
    for (uint32_t c = d->child; c < d->child + d->count; c++)
        if (lw_tree_node(n->tree, c)->role == LW_ROLE_BODY)
            return n->scope_of.v[c];
    return LW_NO_SYMBOL;
}

/* `budget` bounds the classes visited: hierarchies may be wide, or broken into circles. */
static uint32_t method_in(const struct lw_names *n, uint32_t class_node, struct lw_str name,
                          bool own, int *budget)
{
    const struct lw_tree *t = n->tree;
    uint32_t scope = scope_opened_by(n, class_node);
    if (own && scope != LW_NO_SYMBOL) {
        uint32_t s = lw_names_find(n, scope, name);
        uint32_t d = s == LW_NO_SYMBOL ? LW_NO_NODE : n->symbols.v[s].last_definition;
        if (d != LW_NO_NODE)
            return d;
    }
    for (uint32_t b = lw_tree_get(t, class_node, LW_ROLE_BASES); b != LW_NO_NODE && *budget > 0;
         b = lw_tree_each(t, class_node, LW_ROLE_BASES, b)) {
        uint32_t base = lw_names_definition(n, b);
        if (base == LW_NO_NODE || lw_tree_kind(t, base) != LW_NODE_CLASS)
            continue;
        --*budget;
        uint32_t found = method_in(n, base, name, true, budget);
        if (found != LW_NO_NODE)
            return found;
    }
    return LW_NO_NODE;
}

uint32_t lw_names_method(const struct lw_names *n, uint32_t class_node, struct lw_str name)
{
    int budget = MOST_CLASSES;
    return method_in(n, class_node, name, true, &budget);
}

/* The class whose method the node is in, and the method. */
static uint32_t class_around(const struct lw_names *n, uint32_t node, uint32_t *method)
{
    for (uint32_t i = n->scope_of.v[node]; i != 0; i = n->scopes.v[i].parent) {
        const struct lw_scope *s = &n->scopes.v[i], *around = &n->scopes.v[s->parent];
        if (s->kind == LW_SCOPE_FUNCTION && around->kind == LW_SCOPE_CLASS) {
            *method = s->node;
            return around->node;
        }
    }
    return LW_NO_NODE;
}

bool lw_names_decorated(const struct lw_names *n, uint32_t definition, struct lw_str name)
{
    const struct lw_tree *t = n->tree;
    for (uint32_t d = lw_tree_get(t, definition, LW_ROLE_DECORATORS); d != LW_NO_NODE;
         d = lw_tree_each(t, definition, LW_ROLE_DECORATORS, d))
        if (lw_tree_kind(t, d) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, d), name))
            return true;
    return false;
}

/* Whether the NAME is the first parameter of the method: the object, or the class. */
static bool is_self(const struct lw_names *n, uint32_t name, uint32_t method)
{
    uint32_t params = lw_tree_get(n->tree, method, LW_ROLE_ARGS);
    if (params == LW_NO_NODE || lw_names_decorated(n, method, LW_S("staticmethod")))
        return false;
    uint32_t first = lw_tree_get(n->tree, params, LW_ROLE_ARGS);
    return first != LW_NO_NODE &&
           lw_str_eq(lw_tree_name(n->tree, first), lw_tree_name(n->tree, name));
}

static bool is_super_call(const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_CALL)
        return false;
    uint32_t f = lw_tree_get(t, node, LW_ROLE_FUNC);
    return lw_tree_kind(t, f) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, f), LW_S("super"));
}

static uint32_t attribute_definition(const struct lw_names *n, uint32_t node)
{
    const struct lw_tree *t = n->tree;
    uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE), method = LW_NO_NODE;
    struct lw_str name = lw_tree_name(t, node);
    if (is_super_call(t, value)) {
        uint32_t c = class_around(n, node, &method);
        int budget = MOST_CLASSES;
        return c == LW_NO_NODE ? LW_NO_NODE : method_in(n, c, name, false, &budget);
    }
    if (lw_tree_kind(t, value) != LW_NODE_NAME)
        return LW_NO_NODE;
    uint32_t class_node = lw_names_definition(n, value);
    if (class_node == LW_NO_NODE) {
        class_node = class_around(n, node, &method);
        if (class_node == LW_NO_NODE || !is_self(n, value, method))
            return LW_NO_NODE;
    }
    if (lw_tree_kind(t, class_node) != LW_NODE_CLASS)
        return LW_NO_NODE;
    return lw_names_method(n, class_node, name);
}

uint32_t lw_names_definition(const struct lw_names *n, uint32_t expression)
{
    switch (lw_tree_kind(n->tree, expression)) {
    case LW_NODE_NAME: {
        uint32_t s = n->symbol_of.v[expression];
        return s == LW_NO_SYMBOL ? LW_NO_NODE : n->symbols.v[s].last_definition;
    }
    case LW_NODE_ATTRIBUTE: return attribute_definition(n, expression);
    default: return LW_NO_NODE;
    }
}

/* `cls` of a class method is the class. */
static uint32_t class_of_cls(const struct lw_names *n, uint32_t name)
{
    uint32_t method = LW_NO_NODE;
    uint32_t c = class_around(n, name, &method);
    bool cls = c != LW_NO_NODE && lw_names_decorated(n, method, LW_S("classmethod")) &&
               is_self(n, name, method);
    return cls ? c : LW_NO_NODE;
}

uint32_t lw_names_callee(const struct lw_names *n, uint32_t call)
{
    uint32_t f = lw_tree_get(n->tree, call, LW_ROLE_FUNC);
    uint32_t d = lw_names_definition(n, f);
    if (d == LW_NO_NODE && lw_tree_kind(n->tree, f) == LW_NODE_NAME)
        return class_of_cls(n, f);
    return d;
}
