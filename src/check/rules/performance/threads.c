/*
 * Rules about threads and processes that a program starts itself. What they do is not followed
 * in time; that several consumers wait for one sign of the end can be read from the program.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* The last name of `self.raw` or `raw`. */
static struct lw_str last_name(const struct lw_tree *t, uint32_t node)
{
    enum lw_node_kind kind = node == LW_NO_NODE ? LW_NODE_MODULE : lw_tree_kind(t, node);
    return kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE ? lw_tree_name(t, node)
                                                             : (struct lw_str){0};
}

static bool is_none(const struct lw_tree *t, uint32_t node)
{
    return node != LW_NO_NODE && lw_str_eq(lw_tree_text(t, node), LW_S("None"));
}

/* How often a comprehension or loop around runs it, as far as that is written: 1 for
 * range(1), 0 outside of all. */
static int times_around(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        uint32_t part = kind == LW_NODE_LIST_COMP || kind == LW_NODE_GENERATOR
                            ? lw_tree_get(t, n, LW_ROLE_GENERATORS)
                        : kind == LW_NODE_FOR ? n
                                              : LW_NO_NODE;
        if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS || kind == LW_NODE_MODULE)
            return 0;
        if (kind == LW_NODE_WHILE)
            return 2;
        if (part == LW_NO_NODE)
            continue;
        uint32_t iter = lw_tree_get(t, part, LW_ROLE_ITER);
        return iter != LW_NO_NODE && lw_str_eq(lw_tree_text(t, iter), LW_S("range(1)")) ? 1 : 2;
    }
    return 0;
}

static uint32_t function_called(const struct lw_tree *t, struct lw_str name)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION && lw_str_eq(lw_tree_name(t, n), name))
            return n;
    return LW_NO_NODE;
}

/* Is it left when `name` is None, with nothing put back for the others? */
static bool ends_at_none(struct ck *c, const struct lw_tree *t, uint32_t loop,
                         struct lw_str name)
{
    struct lw_str one = ck_text(c, "%.*s is None", LW_F(name));
    struct lw_str other = ck_text(c, "%.*s == None", LW_F(name));
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_IF)
            continue;
        struct lw_str test = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST));
        if (!lw_str_eq(test, one) && !lw_str_eq(test, other))
            continue;
        for (uint32_t b = n; b != LW_NO_NODE; b = lw_tree_next(t, n, b, false))
            if (lw_tree_kind(t, b) == LW_NODE_BREAK || lw_tree_kind(t, b) == LW_NODE_RETURN)
                return true;
    }
    return false;
}

/* The queue that the function takes things from until it gets None; LW_NO_NODE: none. */
static uint32_t queue_of(struct ck *c, const struct lw_tree *t, uint32_t function)
{
    for (uint32_t call = syntax_method_call(t, function, "get"); call != LW_NO_NODE;
         call = syntax_next_call(t, function, call, "get")) {
        uint32_t statement = lw_tree_statement(t, call);
        uint32_t loop = syntax_loop_around(t, call);
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_WHILE ||
            lw_tree_kind(t, statement) != LW_NODE_ASSIGN ||
            lw_tree_get(t, statement, LW_ROLE_VALUE) != call)
            continue;
        struct lw_str name = last_name(t, lw_tree_get(t, statement, LW_ROLE_TARGETS));
        if (name.n && ends_at_none(c, t, loop, name))
            return syntax_owner(t, call);
    }
    return LW_NO_NODE;
}

/* What the thread passes for a parameter of its function; the queue itself otherwise. */
static struct lw_str queue_outside(const struct lw_tree *t, uint32_t function, uint32_t queue,
                                   uint32_t thread)
{
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    uint32_t args = syntax_keyword(t, thread, LW_S("args"));
    struct lw_str name = last_name(t, queue);
    if (lw_tree_kind(t, queue) != LW_NODE_NAME || params == LW_NO_NODE)
        return name;
    uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE);
    if (p != LW_NO_NODE && text_is(lw_tree_name(t, p), "self"))
        p = lw_tree_each(t, params, LW_ROLE_ARGS, p);
    uint32_t a = args == LW_NO_NODE || lw_tree_kind(t, args) != LW_NODE_TUPLE
                     ? LW_NO_NODE
                     : lw_tree_each(t, args, LW_ROLE_ELTS, LW_NO_NODE);
    while (p != LW_NO_NODE && a != LW_NO_NODE) {
        if (lw_str_eq(lw_tree_name(t, p), name))
            return last_name(t, a);
        p = lw_tree_each(t, params, LW_ROLE_ARGS, p);
        a = lw_tree_each(t, args, LW_ROLE_ELTS, a);
    }
    return name;
}

/* The only place where None is put into the queue, when it is run once; LW_NO_NODE: there is
 * none, or there are more. */
static uint32_t only_sentinel(const struct lw_tree *t, struct lw_str queue, uint32_t consumer)
{
    uint32_t only = LW_NO_NODE;
    for (uint32_t n = syntax_method_call(t, t->root, "put"); n != LW_NO_NODE;
         n = syntax_next_call(t, t->root, n, "put")) {
        uint32_t what = lw_tree_get(t, n, LW_ROLE_ARGS);
        if (!is_none(t, what) || !lw_str_eq(last_name(t, syntax_owner(t, n)), queue))
            continue;
        if (only != LW_NO_NODE || times_around(t, n) > 0 || syntax_inside(t, n, consumer))
            return LW_NO_NODE;
        only = n;
    }
    return only;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL)
            continue;
        struct lw_str made = last_name(t, lw_tree_get(t, n, LW_ROLE_FUNC));
        if ((!text_is(made, "Thread") && !text_is(made, "Process")) || times_around(t, n) < 2)
            continue;
        uint32_t f = function_called(t, last_name(t, syntax_keyword(t, n, LW_S("target"))));
        uint32_t queue = f == LW_NO_NODE ? f : queue_of(c, t, f);
        if (queue == LW_NO_NODE)
            continue;
        uint32_t put = only_sentinel(t, queue_outside(t, f, queue, n), f);
        if (put != LW_NO_NODE)
            ck_find_at(
                c, file, put, "performance/one-sentinel", NULL, 0,
                "several workers wait for None in this queue, but only one is put there: the "
                "first worker takes it and the others wait forever; put one None per worker");
    }
}

const struct ck_rule rules_performance_threads[] = {
    {"performance/one-sentinel", CK_EV_END, watch_end},
    {0},
};
