/* Who reads a name. */
#include "base/err.h"
#include "check/query/uses.h"

#include "base/str.h"

uint32_t uses_symbol(const struct ck_file *f, uint32_t name)
{
    return f->names.symbol_of.v[name];
}

/* Is the name assigned to here, not read? */
static bool is_target(const struct lw_tree *t, uint32_t name)
{
    uint32_t n = name, up = lw_tree_parent(t, n);
    while (lw_tree_kind(t, up) == LW_NODE_TUPLE || lw_tree_kind(t, up) == LW_NODE_LIST ||
           lw_tree_kind(t, up) == LW_NODE_STARRED) {
        n = up;
        up = lw_tree_parent(t, n);
    }
    enum lw_role role = (enum lw_role)lw_tree_node(t, n)->role;
    return role == LW_ROLE_TARGETS || role == LW_ROLE_TARGET || role == LW_ROLE_VARS;
}

/* The names of a file by symbol, as they stand in its text. */
struct ck_uses {
    uint32_t *order; /* by node: its place in the text */
    uint32_t *first; /* by symbol: of its nodes; one more at the end */
    uint32_t *node;
};

static struct ck_uses *new_index(struct ck *c, const struct ck_file *f)
{
    struct ck_uses *u = lw_arena_alloc(c->arena, sizeof *u);
    if (u) {
        u->order = lw_arena_array(c->arena, f->tree.nodes.n, sizeof *u->order);
        u->node = lw_arena_array(c->arena, f->tree.nodes.n, sizeof *u->node);
        u->first = lw_arena_array(c->arena, f->names.symbols.n + 2, sizeof *u->first);
    }
    return u && u->order && u->node && u->first ? u : NULL;
}

static bool is_use(const struct ck_file *f, uint32_t node)
{
    return lw_tree_kind(&f->tree, node) == LW_NODE_NAME && uses_symbol(f, node) != LW_NO_SYMBOL;
}

/* Sorts by counting: first[s + 2] counts the uses of s, then first[s + 1] is where the next one
 * goes, and in the end where those of s + 1 begin. */
static void fill_index(struct ck_uses *u, const struct ck_file *f)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++)
        if (is_use(f, n))
            u->first[uses_symbol(f, n) + 2]++;
    for (size_t s = 1; s < f->names.symbols.n + 2; s++)
        u->first[s] += u->first[s - 1];
    uint32_t order = 0;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        u->order[n] = order++;
        if (is_use(f, n))
            u->node[u->first[uses_symbol(f, n) + 1]++] = n;
    }
}

static const struct ck_uses *index_of(struct ck *c, struct ck_file *f)
{
    if (!f->uses) {
        f->uses = new_index(c, f);
        if (f->uses)
            fill_index(f->uses, f);
        else
            c->heap.failed = true;
    }
    return f->uses;
}

struct uses_list uses_behind(struct ck *c, struct ck_file *f, uint32_t symbol, uint32_t after)
{
    LW_BUG_ON(symbol == LW_NO_SYMBOL);
    const struct ck_uses *u = index_of(c, f);
    if (!u)
        return (struct uses_list){0};
    uint32_t low = u->first[symbol], end = u->first[symbol + 1], high = end;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (u->order[u->node[mid]] > u->order[after])
            high = mid;
        else
            low = mid + 1;
    }
    return (struct uses_list){u->node + low, end - low};
}

uint32_t uses_next(struct ck *c, struct ck_file *f, uint32_t symbol, uint32_t after)
{
    struct uses_list list = uses_behind(c, f, symbol, after);
    for (size_t i = 0; i < list.n; i++)
        if (!is_target(&f->tree, list.v[i]))
            return list.v[i];
    return LW_NO_NODE;
}

bool uses_bound_once(const struct ck_file *f, uint32_t symbol)
{
    LW_BUG_ON(symbol == LW_NO_SYMBOL);
    const struct lw_symbol *s = &f->names.symbols.v[symbol];
    return s->first_binding == s->last_binding;
}

bool uses_never_read(const struct ck_file *f, uint32_t symbol)
{
    LW_BUG_ON(symbol == LW_NO_SYMBOL);
    const struct lw_symbol *s = &f->names.symbols.v[symbol];
    enum lw_scope_kind scope = (enum lw_scope_kind)f->names.scopes.v[s->scope].kind;
    return uses_bound_once(f, symbol) && !(s->flags & (LW_SYMBOL_USED | LW_SYMBOL_NONLOCAL)) &&
           !(s->flags & LW_SYMBOL_GLOBAL) && !lw_str_has_prefix(s->name, LW_S("_")) &&
           (scope == LW_SCOPE_MODULE || scope == LW_SCOPE_FUNCTION);
}

uint32_t uses_call(const struct lw_tree *t, uint32_t argument)
{
    uint32_t up = lw_tree_parent(t, argument);
    if (up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_KEYWORD)
        up = lw_tree_parent(t, up);
    return up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_CALL &&
                   lw_tree_get(t, up, LW_ROLE_FUNC) != argument
               ? up
               : LW_NO_NODE;
}
