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

uint32_t uses_next(const struct ck_file *f, uint32_t symbol, uint32_t after)
{
    LW_BUG_ON(symbol == LW_NO_SYMBOL);
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = lw_tree_next(t, t->root, after, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && uses_symbol(f, n) == symbol &&
            !is_target(t, n))
            return n;
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
