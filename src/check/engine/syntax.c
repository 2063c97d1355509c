#include "check/engine/syntax.h"

#include "base/str.h"
#include "check/engine/text.h"

uint32_t syntax_owner(const struct lw_tree *t, uint32_t call)
{
    uint32_t f =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    return f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE
               ? lw_tree_get(t, f, LW_ROLE_VALUE)
               : LW_NO_NODE;
}

uint32_t syntax_next_call(const struct lw_tree *t, uint32_t top, uint32_t after,
                          const char *name)
{
    for (uint32_t n = lw_tree_next(t, top, after, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && syntax_owner(t, n) != LW_NO_NODE &&
            text_is(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_FUNC)), name))
            return n;
    return LW_NO_NODE;
}

uint32_t syntax_method_call(const struct lw_tree *t, uint32_t top, const char *name)
{
    return syntax_next_call(t, top, top, name);
}

uint32_t syntax_loop_around(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_FOR || kind == LW_NODE_WHILE)
            return n;
        if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS || kind == LW_NODE_LAMBDA)
            break;
    }
    return LW_NO_NODE;
}

bool syntax_is_name(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
        if (!letter && !(i > 0 && ch >= '0' && ch <= '9'))
            return false;
    }
    return s.n > 0;
}

bool syntax_inside(const struct lw_tree *t, uint32_t node, uint32_t top)
{
    return lw_tree_start(t, node) >= lw_tree_start(t, top) &&
           lw_tree_end(t, node) <= lw_tree_end(t, top);
}

bool syntax_is_never_read(const struct lw_tree *t, uint32_t call)
{
    uint32_t assign = lw_tree_parent(t, call), module = assign;
    if (assign == LW_NO_NODE || lw_tree_kind(t, assign) != LW_NODE_ASSIGN)
        return false;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_NAME)
        return false;
    while (lw_tree_parent(t, module) != LW_NO_NODE)
        module = lw_tree_parent(t, module);
    for (uint32_t n = lw_tree_next(t, module, module, false); n != LW_NO_NODE;
         n = lw_tree_next(t, module, n, false))
        if (n != target && lw_tree_kind(t, n) == LW_NODE_NAME &&
            lw_str_eq(lw_tree_name(t, n), lw_tree_name(t, target)))
            return false;
    return true;
}

bool syntax_is_first_result(const struct lw_tree *t, uint32_t name, uint32_t call)
{
    if (name == LW_NO_NODE || lw_tree_kind(t, name) != LW_NODE_NAME || call == LW_NO_NODE ||
        lw_tree_enclosing(t, name, LW_NODE_FUNCTION) !=
            lw_tree_enclosing(t, call, LW_NODE_FUNCTION))
        return false;
    uint32_t s = lw_tree_statement(t, call);
    uint32_t target =
        lw_tree_kind(t, s) == LW_NODE_ASSIGN ? lw_tree_get(t, s, LW_ROLE_TARGETS) : LW_NO_NODE;
    return target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_TUPLE &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_ELTS)),
                     lw_tree_name(t, name));
}

bool syntax_has_name(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

uint32_t syntax_keyword(const struct lw_tree *t, uint32_t call, struct lw_str name)
{
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (lw_str_eq(lw_tree_name(t, k), name))
            return lw_tree_get(t, k, LW_ROLE_VALUE);
    return LW_NO_NODE;
}

bool syntax_has_star(const struct lw_tree *t, uint32_t call)
{
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        if (lw_tree_kind(t, a) == LW_NODE_STARRED)
            return true;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (!lw_tree_name(t, k).n)
            return true;
    return false;
}

bool syntax_has_keyword(const struct lw_tree *t, uint32_t call, const char *name)
{
    return syntax_keyword(t, call, lw_str(name)) != LW_NO_NODE;
}

uint32_t syntax_holder(const struct lw_tree *t, uint32_t part)
{
    uint32_t n = lw_tree_get(t, part, LW_ROLE_VALUE);
    for (unsigned i = 0; i < 8 && lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT; i++)
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    return n;
}

bool syntax_is_of_self(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE &&
           text_is(lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_VALUE)), "self");
}

/* What `target = value` gives the name: of a, b = x, y its own part. LW_NO_NODE: nothing that
 * is written there. */
static uint32_t given_to(const struct lw_tree *t, uint32_t target, uint32_t value,
                         struct lw_str name)
{
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        return lw_str_eq(lw_tree_name(t, target), name) ? value : LW_NO_NODE;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, value) != LW_NODE_TUPLE ||
        lw_tree_count(t, target, LW_ROLE_ELTS) != lw_tree_count(t, value, LW_ROLE_ELTS))
        return LW_NO_NODE;
    uint32_t a = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
    uint32_t b = lw_tree_each(t, value, LW_ROLE_ELTS, LW_NO_NODE);
    while (a != LW_NO_NODE && b != LW_NO_NODE) {
        if (lw_tree_kind(t, a) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, a), name))
            return b;
        a = lw_tree_each(t, target, LW_ROLE_ELTS, a);
        b = lw_tree_each(t, value, LW_ROLE_ELTS, b);
    }
    return LW_NO_NODE;
}

static uint32_t assigned(const struct lw_tree *t, uint32_t name, bool first)
{
    uint32_t top = lw_tree_enclosing(t, name, LW_NODE_FUNCTION), found = LW_NO_NODE;
    uint32_t here = lw_tree_statement(t, name);
    if (top == LW_NO_NODE)
        top = t->root;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, lw_tree_kind(t, n) == LW_NODE_FUNCTION)) {
        if (n == here || lw_tree_start(t, n) >= lw_tree_start(t, name))
            break;
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN || lw_tree_count(t, n, LW_ROLE_TARGETS) != 1)
            continue;
        uint32_t value = given_to(t, lw_tree_get(t, n, LW_ROLE_TARGETS),
                                  lw_tree_get(t, n, LW_ROLE_VALUE), lw_tree_name(t, name));
        if (value == LW_NO_NODE)
            continue;
        found = value;
        if (first)
            break;
    }
    return found;
}

uint32_t syntax_assigned(const struct lw_tree *t, uint32_t name)
{
    return assigned(t, name, false);
}

uint32_t syntax_first_assigned(const struct lw_tree *t, uint32_t name)
{
    return assigned(t, name, true);
}

struct lw_str syntax_called_name(const struct lw_tree *t, uint32_t call)
{
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    enum lw_node_kind kind = f == LW_NO_NODE ? LW_NODE_MISSING : lw_tree_kind(t, f);
    return kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE ? lw_tree_name(t, f)
                                                             : (struct lw_str){0};
}
