/* Where an expression comes from. */
#include "base/err.h"
#include "check/query/trace.h"

#include "base/buf.h"
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/members.h"
#include "check/query/places.h"

/* A name that is bound more often is not followed: each look walks over its bindings. */
enum { TRACE_BINDINGS = 48, TRACE_STEPS = 8, TRACE_DEPTH = 64 };

/* ---- bindings -----------------------------------------------------------------------------
 */

/* The statement whose block has to be entered for the binding to hold. */
static uint32_t holder_of(const struct lw_tree *t, uint32_t statement)
{
    return lw_tree_parent(t, statement);
}

/* Is the node in the same block as the statement, or further inside behind it? The branches of
 * an `if` are different blocks. */
static bool is_behind(const struct lw_tree *t, uint32_t statement, uint32_t node)
{
    uint32_t block = holder_of(t, statement);
    enum lw_role role = (enum lw_role)lw_tree_node(t, statement)->role;
    uint32_t n = node;
    while (n != LW_NO_NODE && lw_tree_parent(t, n) != block)
        n = lw_tree_parent(t, n);
    if (n == LW_NO_NODE)
        return false;
    enum lw_node_kind kind = lw_tree_kind(t, block);
    return kind == LW_NODE_WITH || kind == LW_NODE_MODULE || kind == LW_NODE_FUNCTION ||
           lw_tree_node(t, n)->role == role;
}

/* Does the assignment of statement `s` hold at `use`: on every way? A `with` is always run. */
static bool reaches(const struct lw_tree *t, uint32_t s, uint32_t use)
{
    while (lw_tree_kind(t, holder_of(t, s)) == LW_NODE_WITH && !is_behind(t, s, use))
        s = holder_of(t, s);
    return is_behind(t, s, use);
}

/* Which item of a tuple the target is; TRACE_WHOLE: it is the target itself. */
static bool part_of(const struct lw_tree *t, uint32_t assign, uint32_t target, uint32_t *part)
{
    uint32_t up = lw_tree_parent(t, target);
    *part = TRACE_WHOLE;
    if (up == assign)
        return true;
    if (lw_tree_parent(t, up) != assign ||
        (lw_tree_kind(t, up) != LW_NODE_TUPLE && lw_tree_kind(t, up) != LW_NODE_LIST))
        return false;
    *part = 0;
    for (uint32_t e = lw_tree_each(t, up, LW_ROLE_ELTS, LW_NO_NODE); e != target;
         e = lw_tree_each(t, up, LW_ROLE_ELTS, e)) {
        if (e == LW_NO_NODE || lw_tree_kind(t, e) == LW_NODE_STARRED)
            return false;
        ++*part;
    }
    return true;
}

/* a, b = x, y: the item itself. */
static struct trace_source given(const struct lw_tree *t, const struct lw_binding *b)
{
    struct trace_source none = {LW_NO_NODE, TRACE_WHOLE}, out = none;
    uint32_t s = lw_tree_statement(t, b->node);
    if (b->kind != LW_BIND_ASSIGN || lw_tree_kind(t, s) != LW_NODE_ASSIGN ||
        !part_of(t, s, b->node, &out.part))
        return none;
    out.value = lw_tree_get(t, s, LW_ROLE_VALUE);
    if (out.part == TRACE_WHOLE || lw_tree_kind(t, out.value) != LW_NODE_TUPLE)
        return out;
    uint32_t item = LW_NO_NODE;
    for (uint32_t i = 0; i <= out.part; i++) {
        item = lw_tree_each(t, out.value, LW_ROLE_ELTS, item);
        if (item == LW_NO_NODE || lw_tree_kind(t, item) == LW_NODE_STARRED)
            return none;
    }
    return (struct trace_source){item, TRACE_WHOLE};
}

/* Is the name bound again behind its use, in the loop around, which comes back to the use? */
static bool comes_again(const struct lw_tree *t, const struct lw_binding *b, uint32_t last,
                        uint32_t use)
{
    uint32_t loop = syntax_loop_around(t, use);
    return loop != LW_NO_NODE && syntax_inside(t, b->node, loop) &&
           (last == LW_NO_NODE || !syntax_inside(t, last, loop));
}

/* The statement around; LW_NO_NODE inside of a very long chain of operators, where looking for
 * it from each name would take the square. */
static uint32_t statement_near(const struct lw_tree *t, uint32_t node)
{
    for (unsigned i = 0; i < TRACE_DEPTH && node != LW_NO_NODE; i++) {
        if (lw_node_is_statement(lw_tree_kind(t, node)))
            return node;
        node = lw_tree_parent(t, node);
    }
    return LW_NO_NODE;
}

struct trace_source trace_name(const struct ck_file *f, uint32_t name)
{
    const struct lw_tree *t = &f->tree;
    const struct lw_names *n = &f->names;
    struct trace_source none = {LW_NO_NODE, TRACE_WHOLE};
    LW_BUG_ON(name == LW_NO_NODE);
    uint32_t id = n->symbol_of.v[name], here = statement_near(t, name), count = 0;
    const struct lw_binding *last = NULL;
    if (lw_tree_kind(t, name) != LW_NODE_NAME || id == LW_NO_SYMBOL || here == LW_NO_NODE ||
        n->scope_of.v[name] != n->symbols.v[id].scope)
        return none;
    for (uint32_t i = n->symbols.v[id].first_binding; i != LW_NO_SYMBOL;
         i = n->bindings.v[i].next) {
        const struct lw_binding *b = &n->bindings.v[i];
        uint32_t s = lw_tree_statement(t, b->node);
        if (++count > TRACE_BINDINGS)
            return none;
        bool before = lw_tree_start(t, b->node) < lw_tree_start(t, name) && s != here;
        if (before)
            last = b;
        else if (s != here && comes_again(t, b, last ? last->node : LW_NO_NODE, name))
            return none;
    }
    if (!last || !reaches(t, lw_tree_statement(t, last->node), name))
        return none;
    return given(t, last);
}

uint32_t trace_attribute(struct ck *c, struct ck_file *f, uint32_t attribute)
{
    const struct lw_tree *t = &f->tree;
    uint32_t class = lw_tree_enclosing(t, attribute, LW_NODE_CLASS), found = LW_NO_NODE;
    struct places_list all = places_of(c, f, PLACES_ATTRIBUTE, lw_tree_name(t, attribute));
    if (class == LW_NO_NODE || !syntax_is_of_self(t, attribute) || all.n > TRACE_BINDINGS)
        return LW_NO_NODE;
    for (size_t i = 0; i < all.n; i++) {
        uint32_t s = lw_tree_statement(t, all.v[i]);
        if (!syntax_is_of_self(t, all.v[i]) || !members_is_target(t, all.v[i]) ||
            lw_tree_enclosing(t, all.v[i], LW_NODE_CLASS) != class)
            continue;
        if (found != LW_NO_NODE || lw_tree_kind(t, s) != LW_NODE_ASSIGN ||
            lw_tree_parent(t, all.v[i]) != s)
            return LW_NO_NODE;
        found = lw_tree_get(t, s, LW_ROLE_VALUE);
    }
    return found;
}

/* ---- expressions --------------------------------------------------------------------------
 */

/* One step back; the expression itself where there is none. */
static uint32_t step_back(struct ck *c, struct ck_file *f, uint32_t n)
{
    if (lw_tree_kind(&f->tree, n) == LW_NODE_NAME) {
        struct trace_source s = trace_name(f, n);
        return s.value != LW_NO_NODE && s.part == TRACE_WHOLE ? s.value : n;
    }
    if (lw_tree_kind(&f->tree, n) == LW_NODE_ATTRIBUTE && syntax_is_of_self(&f->tree, n)) {
        uint32_t value = trace_attribute(c, f, n);
        return value != LW_NO_NODE ? value : n;
    }
    return n;
}

uint32_t trace_value(struct ck *c, struct ck_file *f, uint32_t expression)
{
    for (unsigned i = 0; i < TRACE_STEPS && expression != LW_NO_NODE; i++) {
        uint32_t next = step_back(c, f, expression);
        if (next == expression)
            break;
        expression = next;
    }
    return expression;
}

uint32_t trace_through(struct ck *c, struct ck_file *f, uint32_t expression,
                       const char *const *methods, size_t n)
{
    for (unsigned i = 0; i < TRACE_STEPS; i++) {
        expression = trace_value(c, f, expression);
        if (lw_tree_kind(&f->tree, expression) != LW_NODE_CALL ||
            syntax_owner(&f->tree, expression) == LW_NO_NODE ||
            !text_is_any(syntax_called_name(&f->tree, expression), methods, n))
            break;
        expression = syntax_owner(&f->tree, expression);
    }
    return expression;
}

struct lw_str trace_library(struct ck *c, const struct ck_file *f, uint32_t expression)
{
    struct lw_buf dotted;
    struct lw_str out = {0};
    if (lw_tree_kind(&f->tree, expression) != LW_NODE_NAME &&
        lw_tree_kind(&f->tree, expression) != LW_NODE_ATTRIBUTE)
        return out;
    lw_buf_init(&dotted, c->mem, 1024);
    if (lw_names_dotted(&f->names, expression, &dotted))
        out = ck_text(c, "%.*s", LW_F(lw_buf_str(&dotted)));
    lw_buf_release(&dotted);
    return out;
}

struct lw_str trace_called(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    uint32_t func = lw_tree_get(t, call, LW_ROLE_FUNC);
    struct lw_str name = trace_library(c, f, func);
    if (name.n || func == LW_NO_NODE)
        return name;
    uint32_t made = trace_value(c, f, func);
    if (lw_tree_kind(t, made) != LW_NODE_CALL || made == call)
        return name;
    return trace_library(c, f, lw_tree_get(t, made, LW_ROLE_FUNC));
}

struct lw_str trace_called_last(struct ck *c, struct ck_file *f, uint32_t call)
{
    return text_tail(trace_called(c, f, call));
}

bool trace_has_call(const struct lw_tree *t, uint32_t top, const char *const *names, size_t n)
{
    for (uint32_t i = top; i != LW_NO_NODE; i = lw_tree_next(t, top, i, false))
        if (lw_tree_kind(t, i) == LW_NODE_CALL &&
            text_is_any(syntax_called_name(t, i), names, n))
            return true;
    return false;
}

/* ---- uses ---------------------------------------------------------------------------------
 */

uint32_t trace_next_use(const struct ck_file *f, uint32_t top, uint32_t after, uint32_t symbol)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = lw_tree_next(t, top, after, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && f->names.symbol_of.v[n] == symbol &&
            !members_is_target(t, n))
            return n;
    return LW_NO_NODE;
}

static bool says(const struct lw_tree *t, uint32_t test, struct lw_str text)
{
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_NAME || lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE) &&
            lw_str_eq(lw_tree_text(t, n), text))
            return true;
    return false;
}

/* Does the `if` leave the block in one of its branches? */
static bool leaves(const struct lw_tree *t, uint32_t branch)
{
    for (uint32_t n = branch; n != LW_NO_NODE; n = lw_tree_next(t, branch, n, false))
        switch (lw_tree_kind(t, n)) {
        case LW_NODE_RETURN:
        case LW_NODE_RAISE:
        case LW_NODE_CONTINUE:
        case LW_NODE_BREAK: return true;
        default: break;
        }
    return false;
}

static bool is_test_of(const struct lw_tree *t, uint32_t n, struct lw_str text)
{
    switch (lw_tree_kind(t, n)) {
    case LW_NODE_IF:
        for (uint32_t e = lw_tree_each(t, n, LW_ROLE_ORELSE, LW_NO_NODE); e != LW_NO_NODE;
             e = lw_tree_each(t, n, LW_ROLE_ORELSE, e))
            if (lw_tree_kind(t, e) == LW_NODE_ELIF &&
                says(t, lw_tree_get(t, e, LW_ROLE_TEST), text))
                return true;
        return says(t, lw_tree_get(t, n, LW_ROLE_TEST), text);
    case LW_NODE_ELIF:
    case LW_NODE_WHILE:
    case LW_NODE_ASSERT:
    case LW_NODE_IF_EXP: return says(t, lw_tree_get(t, n, LW_ROLE_TEST), text);
    case LW_NODE_BOOL_OP:
    case LW_NODE_COMPREHENSION: return says(t, n, text);
    default: return false;
    }
}

bool trace_is_below_test(const struct lw_tree *t, uint32_t node, uint32_t top,
                         struct lw_str text)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        if (is_test_of(t, n, text) || lw_tree_kind(t, n) == LW_NODE_TRY)
            return true;
        if (n == top)
            break;
    }
    return false;
}

bool trace_is_guarded(const struct lw_tree *t, uint32_t node, uint32_t top, struct lw_str text)
{
    if (trace_is_below_test(t, node, top, text))
        return true;
    for (uint32_t n = top; n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, node);
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_ASSERT && is_test_of(t, n, text))
            return true;
        if (lw_tree_kind(t, n) == LW_NODE_IF && is_test_of(t, n, text) && leaves(t, n))
            return true;
    }
    return false;
}
