/*
 * Functions of TensorFlow that are traced anew again and again: made in a loop, or called with
 * a number of Python that changes.
 */
#include "base/str.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* The decorator @tf.function without anything that limits the tracing; LW_NO_NODE: none. */
static uint32_t tracing(const struct lw_tree *t, uint32_t function)
{
    for (uint32_t d = lw_tree_each(t, function, LW_ROLE_DECORATORS, LW_NO_NODE);
         d != LW_NO_NODE; d = lw_tree_each(t, function, LW_ROLE_DECORATORS, d)) {
        uint32_t name =
            lw_tree_kind(t, d) == LW_NODE_CALL ? lw_tree_get(t, d, LW_ROLE_FUNC) : d;
        if (lw_str_has_suffix(lw_tree_text(t, name), LW_S(".function")) &&
            !syntax_has_keyword(t, d, "input_signature"))
            return d;
    }
    return LW_NO_NODE;
}

/* The loop around, inside the same function. */
static uint32_t loop_around_definition(const struct lw_tree *t, uint32_t function)
{
    uint32_t up = lw_tree_parent(t, function);
    return up == LW_NO_NODE ? up
           : lw_tree_kind(t, up) == LW_NODE_FOR || lw_tree_kind(t, up) == LW_NODE_WHILE
               ? up
               : syntax_loop_around(t, up);
}

/* Is the name the number that a loop counts with? */
static bool is_counter(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    if (iter == LW_NO_NODE || lw_tree_kind(t, iter) != LW_NODE_CALL ||
        lw_tree_kind(t, lw_tree_get(t, iter, LW_ROLE_FUNC)) != LW_NODE_NAME)
        return false; /* tf.range() gives tensors */
    struct lw_str over = calls_name(t, iter);
    if (text_is(over, "range") || text_is(over, "trange"))
        return lw_tree_kind(t, target) == LW_NODE_NAME &&
               lw_str_eq(lw_tree_name(t, target), name);
    uint32_t first = lw_tree_kind(t, target) == LW_NODE_TUPLE
                         ? lw_tree_get(t, target, LW_ROLE_ELTS)
                         : LW_NO_NODE;
    return text_is(over, "enumerate") && first != LW_NO_NODE &&
           lw_tree_kind(t, first) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, first), name);
}

/* Is it counted up in the loop: step += 1? */
static bool is_counted(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN &&
            lw_str_eq(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_TARGET)), name) &&
            lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_VALUE)) == LW_NODE_NUMBER)
            return true;
    return false;
}

/* Does the call give a number of Python when it gets some: min(), float(), a function of the
 * program whose results are such? */
static bool gives_number(const struct lw_tree *t, uint32_t call, unsigned depth)
{
    static const char *const names[] = {"min", "max", "float", "int", "round", "abs", "pow"};
    if (lw_tree_kind(t, lw_tree_get(t, call, LW_ROLE_FUNC)) != LW_NODE_NAME || depth == 0)
        return false;
    if (text_is_any(calls_name(t, call), names, sizeof names / sizeof *names))
        return true;
    bool any = false;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t f = lw_tree_kind(t, n) == LW_NODE_RETURN
                         ? lw_tree_enclosing(t, n, LW_NODE_FUNCTION)
                         : LW_NO_NODE;
        uint32_t value = lw_tree_get(t, f == LW_NO_NODE ? f : n, LW_ROLE_VALUE);
        if (value == LW_NO_NODE || !lw_str_eq(lw_tree_name(t, f), calls_name(t, call)))
            continue;
        any = true;
        if (lw_tree_kind(t, value) != LW_NODE_NUMBER &&
            lw_tree_kind(t, value) != LW_NODE_BIN_OP &&
            !(lw_tree_kind(t, value) == LW_NODE_CALL && gives_number(t, value, depth - 1)))
            return false;
    }
    return any;
}

/* Is it a number of Python that changes with the loops around: i, i / n, beta = i / n? */
static bool is_changing_number(const struct lw_tree *t, uint32_t expr, uint32_t call,
                               unsigned depth)
{
    if (expr == LW_NO_NODE || depth == 0)
        return false;
    if (lw_tree_kind(t, expr) == LW_NODE_BIN_OP) {
        uint32_t a = lw_tree_get(t, expr, LW_ROLE_LEFT),
                 b = lw_tree_get(t, expr, LW_ROLE_RIGHT);
        return is_changing_number(t, a, call, depth - 1) ||
               (lw_tree_kind(t, a) == LW_NODE_NUMBER &&
                is_changing_number(t, b, call, depth - 1));
    }
    if (lw_tree_kind(t, expr) == LW_NODE_CALL && gives_number(t, expr, 3))
        for (uint32_t a = lw_tree_each(t, expr, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
             a = lw_tree_each(t, expr, LW_ROLE_ARGS, a))
            if (is_changing_number(t, a, call, depth - 1))
                return true;
    if (lw_tree_kind(t, expr) != LW_NODE_NAME)
        return false;
    for (uint32_t loop = syntax_loop_around(t, call); loop != LW_NO_NODE;
         loop = syntax_loop_around(t, loop)) {
        if ((lw_tree_kind(t, loop) == LW_NODE_FOR &&
             is_counter(t, loop, lw_tree_name(t, expr))) ||
            is_counted(t, loop, lw_tree_name(t, expr)))
            return true;
        uint32_t made = syntax_assigned(t, expr);
        if (made != LW_NO_NODE && syntax_inside(t, made, loop) &&
            is_changing_number(t, made, call, depth - 1))
            return true;
    }
    return false;
}

/* step(x, y, i): a number of Python is part of the trace, so that each i makes a new one. */
static void check_traced_call(struct ck *c, struct ck_file *file, uint32_t call,
                              struct lw_str function)
{
    const struct lw_tree *t = &file->tree;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (!is_changing_number(t, a, call, 4))
            continue;
        ck_find_at(c, file, call, "performance/retracing", NULL, 0,
                   "%.*s() is a tf.function and gets '%.*s', a Python number: it is retraced "
                   "for each value; pass tf.constant(%.*s)",
                   LW_F(function), LW_F(lw_tree_text(t, a)), LW_F(lw_tree_text(t, a)));
        return;
    }
}

static void check_traced(struct ck *c, struct ck_file *file, uint32_t function)
{
    const struct lw_tree *t = &file->tree;
    if (lw_tree_kind(t, function) != LW_NODE_FUNCTION)
        return;
    uint32_t decorator = tracing(t, function);
    struct lw_str name = lw_tree_name(t, function);
    if (decorator == LW_NO_NODE)
        return;
    if (loop_around_definition(t, function) != LW_NO_NODE) {
        ck_find_at(c, file, decorator, "performance/retracing", NULL, 0,
                   "%.*s() becomes a tf.function in each iteration of the loop and is traced "
                   "each time: define it before the loop",
                   LW_F(name));
        return;
    }
    bool method = lw_tree_enclosing(t, function, LW_NODE_CLASS) != LW_NO_NODE;
    enum lw_node_kind form = method ? LW_NODE_ATTRIBUTE : LW_NODE_NAME;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_FUNC)) == form &&
            lw_str_eq(calls_name(t, n), name))
            check_traced_call(c, file, n, name);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "attribute function", check_traced);
}

const struct ck_rule rules_performance_retracing[] = {
    {"performance/retracing", CK_EV_END, watch_end},
    {0},
};
