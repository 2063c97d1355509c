/* Slips of plain Python: what is written is legal and does something else than it says. */
#include "check/query/look.h"
#include "check/rules/rules.h"

static bool is_call_of(const struct lw_tree *t, uint32_t node, const char *name)
{
    uint32_t func = lw_tree_get(t, node, LW_ROLE_FUNC);
    return lw_tree_kind(t, node) == LW_NODE_CALL && lw_tree_kind(t, func) == LW_NODE_NAME &&
           text_is(lw_tree_name(t, func), name);
}

static bool is_literal(const struct lw_tree *t, uint32_t node)
{
    enum lw_node_kind kind = lw_tree_kind(t, node);
    if (kind == LW_NODE_UNARY_OP)
        kind = lw_tree_kind(t, lw_tree_get(t, node, LW_ROLE_OPERAND));
    return kind == LW_NODE_NUMBER || kind == LW_NODE_STRING;
}

/* ---- comparisons --------------------------------------------------------------------------
 */

/* x is 'a': whether two equal texts are the same object is up to Python. */
static void look_at_comparison(struct ck *c, const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t op = n->child + 1; op + 1 < n->child + n->count; op += 2) {
        enum lw_op kind = (enum lw_op)lw_tree_node(t, op)->op;
        if ((kind != LW_OP_IS && kind != LW_OP_IS_NOT) ||
            (!is_literal(t, op - 1) && !is_literal(t, op + 1)))
            continue;
        ck_find(c, node, "api/identity-of-literal", NULL, 0,
                "'%s' compares objects, not values: use '%s'", lw_op_text(kind),
                kind == LW_OP_IS ? "==" : "!=");
        return;
    }
}

/* ---- assertions ---------------------------------------------------------------------------
 */

/* Never false: a number but 0, a text but '', a tuple of items, torch.float64. */
static bool is_always_true(const struct lw_tree *t, uint32_t node)
{
    struct lw_str text = lw_tree_text(t, node);
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_TUPLE: return lw_tree_node(t, node)->count > 0;
    case LW_NODE_STRING: return text.n > 2;
    case LW_NODE_NUMBER: return text.p[0] >= '1' && text.p[0] <= '9';
    default: return false;
    }
}

/* torch.double, np.float32: a dtype, which is true as any object is. */
static bool is_dtype(struct ck *c, const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_ATTRIBUTE ||
        lw_tree_kind(t, lw_tree_get(t, node, LW_ROLE_VALUE)) != LW_NODE_NAME)
        return false;
    return ck_eval(c, node).kind == LW_V_DTYPE;
}

static void look_at_assertion(struct ck *c, const struct lw_tree *t, uint32_t node)
{
    uint32_t test = lw_tree_get(t, node, LW_ROLE_TEST);
    if (lw_tree_kind(t, test) == LW_NODE_TUPLE && is_always_true(t, test)) {
        ck_find(c, test, "api/assert-always-true", NULL, 0,
                "the assertion tests a tuple, which is always true: write 'assert condition, "
                "message' without parentheses");
        return;
    }
    const struct lw_node *n = lw_tree_node(t, test);
    if (n->kind != LW_NODE_BOOL_OP || n->op != LW_OP_OR)
        return;
    for (uint32_t part = n->child + 1; part < n->child + n->count; part++)
        if (is_always_true(t, part) || is_dtype(c, t, part)) {
            ck_find(c, test, "api/assert-always-true", NULL, 0,
                    "the assertion is always true, because '%.*s' is always true: compare it "
                    "with a value",
                    LW_F(lw_tree_text(t, part)));
            return;
        }
}

/* ---- calls --------------------------------------------------------------------------------
 */

/* sys.stderr or sys.stdout */
static bool is_stream(const struct lw_tree *t, uint32_t node)
{
    struct lw_str name = lw_tree_name(t, node);
    return lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE &&
           text_is(lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_VALUE)), "sys") &&
           (text_is(name, "stderr") || text_is(name, "stdout"));
}

static void look_at_print(struct ck *c, const struct lw_tree *t, uint32_t call)
{
    uint32_t last = LW_NO_NODE;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        last = a;
    if (lw_tree_count(t, call, LW_ROLE_ARGS) > 1 && is_stream(t, last))
        ck_find(c, last, "api/print-argument", NULL, 0,
                "print() prints the object '%.*s' instead of writing to it: write file=%.*s",
                LW_F(lw_tree_text(t, last)), LW_F(lw_tree_text(t, last)));
}

/* enumerate(len(x)), for i in len(x): a number has no items. */
static void look_at_items(struct ck *c, const struct lw_tree *t, uint32_t items)
{
    if (is_call_of(t, items, "len") && lw_tree_count(t, items, LW_ROLE_ARGS) == 1)
        ck_find(c, items, "api/items-of-number", NULL, 0,
                "len() returns an int, which cannot be iterated over: write range(%.*s)",
                LW_F(lw_tree_text(t, items)));
}

static void look_at_call(struct ck *c, const struct lw_tree *t, uint32_t call)
{
    if (is_call_of(t, call, "print"))
        look_at_print(c, t, call);
    else if (is_call_of(t, call, "enumerate"))
        look_at_items(c, t, lw_tree_get(t, call, LW_ROLE_ARGS));
}

/* ---- slices -------------------------------------------------------------------------------
 */

static bool is_number(const struct lw_tree *t, uint32_t node, const char *text)
{
    return lw_tree_kind(t, node) == LW_NODE_NUMBER && text_is(lw_tree_text(t, node), text);
}

/* x[-2:0] ends before it begins. */
static void look_at_slice(struct ck *c, const struct lw_tree *t, uint32_t node)
{
    uint32_t lower = lw_tree_get(t, node, LW_ROLE_LOWER);
    if (!is_number(t, lw_tree_get(t, node, LW_ROLE_UPPER), "0") || lower == LW_NO_NODE ||
        lw_tree_get(t, node, LW_ROLE_STEP) != LW_NO_NODE)
        return;
    const struct lw_node *n = lw_tree_node(t, lower);
    bool negative = n->kind == LW_NODE_UNARY_OP && n->op == LW_OP_USUB &&
                    lw_tree_kind(t, lw_tree_get(t, lower, LW_ROLE_OPERAND)) == LW_NODE_NUMBER;
    if (negative || (n->kind == LW_NODE_NUMBER && !is_number(t, lower, "0")))
        ck_find(c, node, "api/empty-slice", NULL, 0,
                "the slice %.*s is always empty, because it ends at 0%s",
                LW_F(lw_tree_text(t, node)), negative ? ": leave out the end" : "");
}

/* ---- loops --------------------------------------------------------------------------------
 */

/* Is it `name.append(…)` or `name += …` at the top of the loop's body? */
static struct lw_str grown_name(const struct lw_tree *t, uint32_t statement)
{
    uint32_t value = lw_tree_get(t, statement, LW_ROLE_VALUE), holder = LW_NO_NODE;
    static const char *const growing[] = {"append", "extend", "add", "update"};
    if (lw_tree_kind(t, statement) == LW_NODE_AUG_ASSIGN)
        holder = lw_tree_get(t, statement, LW_ROLE_TARGET);
    else if (lw_tree_kind(t, value) == LW_NODE_CALL &&
             text_is_any(syntax_called_name(t, value), growing, 4))
        holder = syntax_owner(t, value);
    return lw_tree_kind(t, holder) == LW_NODE_NAME ? lw_tree_name(t, holder)
                                                   : (struct lw_str){0};
}

static bool has_continue(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CONTINUE)
            return true;
    return false;
}

/* A loop that collects, and returns what it has in its first pass. */
static void look_at_return(struct ck *c, const struct lw_tree *t, uint32_t loop)
{
    uint32_t last = LW_NO_NODE;
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s))
        last = s;
    if (lw_tree_kind(t, last) != LW_NODE_RETURN || has_continue(t, loop))
        return;
    uint32_t value = lw_tree_get(t, last, LW_ROLE_VALUE);
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != last;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s)) {
        struct lw_str name = grown_name(t, s);
        if (name.n && syntax_has_name(t, value, name)) {
            ck_find(c, last, "api/return-in-loop", NULL, 0,
                    "the loop returns '%.*s' in its first iteration, so later items are never "
                    "added: move the return after the loop",
                    LW_F(name));
            return;
        }
    }
}

/* The body's first `self.name` of that name. */
static uint32_t attribute_called(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s))
        for (uint32_t n = s; n != LW_NO_NODE; n = lw_tree_next(t, s, n, false))
            if (syntax_is_of_self(t, n) && lw_str_eq(lw_tree_name(t, n), name))
                return n;
    return LW_NO_NODE;
}

/* for conv in self.layers: self.conv.clear() */
static void look_at_variable(struct ck *c, const struct lw_tree *t, uint32_t loop)
{
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    struct lw_str name = lw_tree_name(t, target);
    if (lw_tree_kind(t, target) != LW_NODE_NAME ||
        syntax_has_name(t, lw_tree_get(t, loop, LW_ROLE_ITER), name))
        return;
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s))
        if (syntax_has_name(t, s, name))
            return;
    uint32_t used = attribute_called(t, loop, name);
    if (used != LW_NO_NODE)
        ck_find(c, used, "api/loop-variable-unused", NULL, 0,
                "the loop never uses its variable '%.*s' but reads 'self.%.*s' in every "
                "iteration: write '%.*s'",
                LW_F(name), LW_F(name), LW_F(name));
}

/* ---- parameters ---------------------------------------------------------------------------
 */

/* The plain assignment of a literal that the statement is: to which name? */
static struct lw_str set_to_literal(const struct lw_tree *t, uint32_t statement)
{
    uint32_t target = lw_tree_get(t, statement, LW_ROLE_TARGETS);
    if (lw_tree_kind(t, statement) != LW_NODE_ASSIGN ||
        lw_tree_count(t, statement, LW_ROLE_TARGETS) != 1 ||
        lw_tree_kind(t, target) != LW_NODE_NAME ||
        !is_literal(t, lw_tree_get(t, statement, LW_ROLE_VALUE)))
        return (struct lw_str){0};
    return lw_tree_name(t, target);
}

static bool is_parameter(const struct lw_tree *t, uint32_t function, struct lw_str name)
{
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    if (params == LW_NO_NODE)
        return false;
    const struct lw_node *n = lw_tree_node(t, params);
    for (uint32_t p = n->child; p < n->child + n->count; p++)
        if (lw_tree_kind(t, p) == LW_NODE_PARAM && lw_str_eq(lw_tree_name(t, p), name))
            return true;
    return false;
}

/* def f(budget): …; budget = 100: whatever the caller gives is lost. */
static void look_at_function(struct ck *c, const struct lw_tree *t, uint32_t function)
{
    for (uint32_t s = lw_tree_each(t, function, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, function, LW_ROLE_BODY, s)) {
        struct lw_str name = set_to_literal(t, s);
        bool read = !name.n || !is_parameter(t, function, name);
        for (uint32_t b = lw_tree_get(t, function, LW_ROLE_BODY); !read && b != s;
             b = lw_tree_each(t, function, LW_ROLE_BODY, b))
            read = syntax_has_name(t, b, name);
        if (!read)
            ck_find(c, s, "api/parameter-overwritten", NULL, 0,
                    "the parameter '%.*s' is overwritten before it is read, so the caller's "
                    "value has no effect: remove the assignment",
                    LW_F(name));
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    const struct lw_tree *t = &c->files.v[0]->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++)
        switch (lw_tree_kind(t, n)) {
        case LW_NODE_COMPARE: look_at_comparison(c, t, n); break;
        case LW_NODE_ASSERT: look_at_assertion(c, t, n); break;
        case LW_NODE_CALL: look_at_call(c, t, n); break;
        case LW_NODE_SLICE: look_at_slice(c, t, n); break;
        case LW_NODE_FUNCTION: look_at_function(c, t, n); break;
        case LW_NODE_COMPREHENSION: look_at_items(c, t, lw_tree_get(t, n, LW_ROLE_ITER)); break;
        case LW_NODE_FOR:
            look_at_items(c, t, lw_tree_get(t, n, LW_ROLE_ITER));
            look_at_return(c, t, n);
            look_at_variable(c, t, n);
            break;
        default: break;
        }
}

const struct ck_rule rules_api_slips[] = {
    {"api/assert-always-true api/empty-slice api/identity-of-literal api/items-of-number "
     "api/loop-variable-unused api/parameter-overwritten api/print-argument "
     "api/return-in-loop",
     CK_EV_END, watch_end},
    {0},
};
