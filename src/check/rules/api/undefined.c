/* Names that nothing binds: Python raises NameError where they are used. */
#include "base/map.h"
#include "base/str.h"
#include "check/query/bindings.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum {
    MOST_NAMES = 256,  /* uses that are reported in a file */
    MOST_USES = 64,    /* of one name that are looked at: each costs a walk through the file */
    LEAST_LETTERS = 4, /* of names that are compared with others */
    LEAST_LINES = 60,  /* of a file that is taken for a whole program */
};

struct uses {
    struct bindings bindings;
    struct lw_map looked_at; /* name to how often */
    uint32_t v[MOST_NAMES];
    size_t n;
};

/* ---- uses ---------------------------------------------------------------------------------
 */

static bool is_bound(const struct lw_names *n, uint32_t node)
{
    uint32_t s = n->symbol_of.v[node];
    return s != LW_NO_SYMBOL && (n->symbols.v[s].flags & LW_SYMBOL_BOUND);
}

/* Was the name met in the same function before? One fault, one report. */
static bool is_known(const struct ck_file *f, const struct uses *u, uint32_t node)
{
    uint32_t function = lw_tree_enclosing(&f->tree, node, LW_NODE_FUNCTION);
    struct lw_str name = lw_tree_name(&f->tree, node);
    for (size_t i = 0; i < u->n; i++)
        if (lw_str_eq(lw_tree_name(&f->tree, u->v[i]), name) &&
            lw_tree_enclosing(&f->tree, u->v[i], LW_NODE_FUNCTION) == function)
            return true;
    return false;
}

static void add_use(struct ck *c, struct ck_file *f, struct uses *u, uint32_t node)
{
    struct lw_str name = lw_tree_name(&f->tree, node);
    if (!name.n || text_is(name, "_") || bindings_is_builtin(name))
        return;
    struct lw_map_entry *met = lw_map_put(&u->looked_at, name, NULL);
    if (!met || met->value == MOST_USES)
        return;
    met->value++;
    if (bindings_has(&u->bindings, name) != LW_TRI_NO || bindings_excuse(c, f, node) ||
        is_known(f, u, node))
        return;
    u->v[u->n++] = node;
}

static void collect(struct ck *c, struct ck_file *f, struct uses *u)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = t->root; n != LW_NO_NODE && u->n < MOST_NAMES;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && !is_bound(&f->names, n))
            add_use(c, f, u, n);
}

/* ---- what was meant -----------------------------------------------------------------------
 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Are they the same but for a digit, or for one more? */
static bool differ_by_digit(struct lw_str a, struct lw_str b)
{
    struct lw_str longer = a.n >= b.n ? a : b, other = a.n >= b.n ? b : a;
    size_t i = 0;
    while (i < other.n && longer.p[i] == other.p[i])
        i++;
    return i < longer.n && is_digit(longer.p[i]) && (a.n != b.n || is_digit(other.p[i]));
}

/* A slip of the pen: one letter more, less or other, or two that changed places. x_train and
 * y_train differ on purpose. */
static bool is_slip(struct lw_str name, struct lw_str other)
{
    if (other.n < LEAST_LETTERS || name.n < LEAST_LETTERS || differ_by_digit(name, other))
        return false;
    if (text_is_swapped(name, other))
        return true;
    bool ends = name.p[0] == other.p[0] && name.p[name.n - 1] == other.p[other.n - 1];
    return (other.n != name.n || ends) && lw_str_distance(name, other, 1) == 1;
}

/* for name in names: one of them is meant, and so is the other. */
static bool is_item_of(const struct lw_names *n, const struct lw_symbol *s, struct lw_str name)
{
    const struct lw_binding *b = &n->bindings.v[s->first_binding];
    return b->kind == LW_BIND_FOR && name.n == s->name.n + 1 &&
           lw_str_has_prefix(name, s->name);
}

/* The name in scope that is meant: of the scopes around the use, innermost first. */
static struct lw_str near_symbol(const struct ck_file *f, uint32_t node, struct lw_str name)
{
    const struct lw_names *n = &f->names;
    for (uint32_t scope = n->scope_of.v[node];; scope = n->scopes.v[scope].parent) {
        for (uint32_t s = n->scopes.v[scope].first_symbol; s != LW_NO_SYMBOL;
             s = n->symbols.v[s].next) {
            const struct lw_symbol *sym = &n->symbols.v[s];
            if ((sym->flags & LW_SYMBOL_BOUND) && is_slip(name, sym->name) &&
                !is_item_of(n, sym, name))
                return sym->name;
        }
        if (scope == 0)
            return (struct lw_str){0};
    }
}

/* Is self.name assigned in the class around? */
static bool is_of_self(const struct ck_file *f, uint32_t node, struct lw_str name)
{
    const struct lw_tree *t = &f->tree;
    uint32_t class = lw_tree_enclosing(t, node, LW_NODE_CLASS);
    for (uint32_t n = class; n != LW_NO_NODE; n = lw_tree_next(t, class, n, false))
        if (syntax_is_of_self(t, n) && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

/* NotEmplementedError */
static struct lw_str near_builtin(struct lw_str name)
{
    for (size_t i = 0; i < bindings_builtin_count; i++)
        if (is_slip(name, lw_str(bindings_builtins[i])))
            return lw_str(bindings_builtins[i]);
    return (struct lw_str){0};
}

/* Is it used in a function, and bound by an assignment of another one? */
static bool is_bound_elsewhere(const struct ck_file *f, uint32_t node, struct lw_str name)
{
    const struct lw_names *n = &f->names;
    if (lw_tree_enclosing(&f->tree, node, LW_NODE_FUNCTION) == LW_NO_NODE)
        return false;
    for (size_t i = 0; i < n->symbols.n; i++) {
        const struct lw_symbol *s = &n->symbols.v[i];
        if ((s->flags & LW_SYMBOL_BOUND) && lw_str_eq(s->name, name) &&
            n->scopes.v[s->scope].kind == LW_SCOPE_FUNCTION &&
            n->bindings.v[s->first_binding].kind == LW_BIND_ASSIGN)
            return true;
    }
    return false;
}

/* ---- reports ------------------------------------------------------------------------------
 */

/* A piece of a program, whose names are bound elsewhere: it imports nothing, or has few lines.
 */
static bool is_fragment(const struct ck_file *f)
{
    const struct lw_names *n = &f->names;
    bool imports = n->stars.n > 0;
    for (size_t i = 0; i < n->symbols.n && !imports; i++)
        imports = (n->symbols.v[i].flags & LW_SYMBOL_IMPORTED) != 0;
    return !imports || f->tree.lines.n < LEAST_LINES;
}

static void report(struct ck *c, struct ck_file *f, uint32_t node, bool fragment)
{
    struct lw_str name = lw_tree_name(&f->tree, node), near = near_symbol(f, node, name);
    if (!near.n)
        near = near_builtin(name);
    if (near.n) {
        ck_hint(c, (struct ck_hint){.meant = near, .was = name});
        ck_find(c, node, "api/undefined-name", NULL, 0,
                "'%.*s' is not defined; did you mean '%.*s'?", LW_F(name), LW_F(near));
    } else if (is_of_self(f, node, name)) {
        ck_find(c, node, "api/undefined-name", NULL, 0,
                "'%.*s' is not defined; did you mean 'self.%.*s'?", LW_F(name), LW_F(name));
    } else if (!fragment || is_bound_elsewhere(f, node, name)) {
        ck_find(c, node, "api/undefined-name", NULL, 0, "'%.*s' is not defined", LW_F(name));
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct uses *u = lw_arena_alloc(c->arena, sizeof *u);
    if (!u)
        return;
    u->n = 0;
    bindings_init(&u->bindings, c, f);
    if (u->bindings.open)
        return;
    lw_map_init(&u->looked_at, c->mem);
    collect(c, f, u);
    lw_map_release(&u->looked_at);
    for (size_t i = 0; i < u->n; i++)
        report(c, f, u->v[i], is_fragment(f));
}

const struct ck_rule rules_api_undefined[] = {
    {"api/undefined-name", CK_EV_END, watch_end, fix_spelling},
    {0},
};
