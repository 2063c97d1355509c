/*
 * Rules about what training loops carry from one pass to the next, read off the text: the state
 * of a recurrent network with its graph, sums that begin at 0 once for all epochs.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/members.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_LOOKS = 128 };

/* ---- states with their graph --------------------------------------------------------------
 */

static bool is_in_targets(const struct lw_tree *t, uint32_t assign, uint32_t name)
{
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    return lw_tree_kind(t, target) == LW_NODE_TUPLE &&
           syntax_has_name(t, target, lw_tree_name(t, name));
}

/* out, h = model(x, h): the argument that is also a result; LW_NO_NODE: none. */
static uint32_t carried_in(const struct lw_tree *t, uint32_t assign)
{
    uint32_t call = lw_tree_kind(t, assign) == LW_NODE_ASSIGN
                        ? lw_tree_get(t, assign, LW_ROLE_VALUE)
                        : LW_NO_NODE;
    uint32_t func =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    if (lw_tree_kind(t, func) != LW_NODE_NAME && !syntax_is_of_self(t, func))
        return LW_NO_NODE; /* env.step(state) gives another state, not one with a graph */
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        if (lw_tree_kind(t, a) == LW_NODE_NAME && is_in_targets(t, assign, a))
            return a;
    return LW_NO_NODE;
}

/* Is the state given only by this assignment inside the loop, read only by its call, and by an
 * assignment before the loop? */
static bool is_carried(const struct ck_file *f, uint32_t loop, uint32_t assign, uint32_t state)
{
    const struct lw_tree *t = &f->tree;
    uint32_t id = f->names.symbol_of.v[state], inside = 0, before = 0, looks = 0;
    if (id == LW_NO_SYMBOL)
        return false;
    for (uint32_t b = f->names.symbols.v[id].first_binding; b != LW_NO_SYMBOL;
         b = f->names.bindings.v[b].next) {
        uint32_t node = f->names.bindings.v[b].node;
        if (++looks > MOST_LOOKS)
            return false;
        if (syntax_inside(t, node, loop))
            inside++;
        else
            before += lw_tree_start(t, node) < lw_tree_start(t, loop) &&
                      f->names.bindings.v[b].kind == LW_BIND_ASSIGN;
    }
    if (inside != 1 || !before)
        return false;
    for (uint32_t use = trace_next_use(f, loop, loop, id); use != LW_NO_NODE;
         use = trace_next_use(f, loop, use, id))
        if (lw_tree_statement(t, use) != assign)
            return false;
    return true;
}

static void look_at_backward(struct ck *c, struct ck_file *f, uint32_t backward)
{
    const struct lw_tree *t = &f->tree;
    uint32_t loop = syntax_loop_around(t, backward);
    if (loop == LW_NO_NODE || syntax_has_keyword(t, backward, "retain_graph") ||
        !look_again(c, look_at_backward, MOST_LOOKS))
        return;
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s)) {
        uint32_t state = carried_in(t, s);
        if (state == LW_NO_NODE || !is_carried(f, loop, s, state) ||
            lw_tree_start(t, s) > lw_tree_start(t, backward) ||
            ck_is_told(c, f, backward, "api/backward-twice"))
            continue;
        ck_find_at(c, f, s, "training/state-carried", NULL, 0,
                   "'%.*s' keeps the graph of the previous batch, and backward() runs through "
                   "it a second time: call detach() on it at the start of each batch",
                   LW_F(lw_tree_name(t, state)));
        return;
    }
}

/* out, self.state = self.rnn(x, self.state), which nothing else sets or detaches. */
static void look_at_kept_state(struct ck *c, struct ck_file *f, uint32_t assign)
{
    const struct lw_tree *t = &f->tree;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t call = lw_tree_get(t, assign, LW_ROLE_VALUE), state = LW_NO_NODE, sets = 0;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, call) != LW_NODE_CALL)
        return;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        for (uint32_t e = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
             e != LW_NO_NODE && syntax_is_of_self(t, a);
             e = lw_tree_each(t, target, LW_ROLE_ELTS, e))
            if (lw_str_eq(lw_tree_text(t, e), lw_tree_text(t, a)))
                state = a;
    if (state == LW_NO_NODE)
        return;
    struct places_list all = places_of(c, f, PLACES_ATTRIBUTE, lw_tree_name(t, state));
    uint32_t class_node = lw_tree_enclosing(t, assign, LW_NODE_CLASS);
    for (size_t i = 0; i < all.n && i < MOST_LOOKS; i++) {
        uint32_t in = lw_tree_enclosing(t, all.v[i], LW_NODE_FUNCTION);
        bool start = in != LW_NO_NODE && text_is(lw_tree_name(t, in), "__init__") &&
                     lw_tree_enclosing(t, all.v[i], LW_NODE_CLASS) == class_node;
        if (lw_tree_statement(t, all.v[i]) != assign && !start)
            return;
        sets += start;
    }
    struct places_list calls = program_calls_of(c, "backward");
    if (!sets || class_node == LW_NO_NODE || !calls.n ||
        ck_is_told(c, f, calls.v[0], "api/backward-twice"))
        return;
    ck_find_at(c, f, assign, "training/state-carried", NULL, 0,
               "'%.*s' keeps the graph of the previous batch, and backward() runs through it a "
               "second time: store it with detach()",
               LW_F(lw_tree_text(t, state)));
}

static void watch_states(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct places_list calls = program_calls_of(c, "backward");
    for (size_t i = 0; i < calls.n; i++)
        look_at_backward(c, f, calls.v[i]);
    for (uint32_t n = 0; calls.n && n < f->tree.nodes.n; n++)
        if (lw_tree_kind(&f->tree, n) == LW_NODE_ASSIGN)
            look_at_kept_state(c, f, n);
}

/* ---- sums of all epochs -------------------------------------------------------------------
 */

/* name = 0, name = 0.0 */
static bool begins_at_zero(const struct lw_tree *t, const struct lw_binding *b)
{
    uint32_t s = lw_tree_statement(t, b->node);
    uint32_t value =
        lw_tree_kind(t, s) == LW_NODE_ASSIGN ? lw_tree_get(t, s, LW_ROLE_VALUE) : LW_NO_NODE;
    if (lw_tree_kind(t, value) == LW_NODE_TUPLE)
        value = lw_tree_get(t, value, LW_ROLE_ELTS);
    struct lw_str text = lw_tree_text(t, value);
    return b->kind == LW_BIND_ASSIGN &&
           (text_is(text, "0") || text_is(text, "0.0") || text_is(text, "0."));
}

/* The loop over epochs around the loop over batches in which the name grows: both of them know
 * it only from before. */
static uint32_t loop_of_epochs(const struct ck_file *f, const struct lw_symbol *s,
                               uint32_t grows)
{
    const struct lw_tree *t = &f->tree;
    uint32_t inner = syntax_loop_around(t, grows);
    uint32_t outer = inner == LW_NO_NODE ? inner : syntax_loop_around(t, inner);
    uint32_t looks = 0, before = 0;
    if (outer == LW_NO_NODE || lw_tree_kind(t, outer) != LW_NODE_FOR ||
        syntax_loop_around(t, outer) != LW_NO_NODE)
        return LW_NO_NODE;
    for (uint32_t b = s->first_binding; b != LW_NO_SYMBOL; b = f->names.bindings.v[b].next) {
        const struct lw_binding *x = &f->names.bindings.v[b];
        if (++looks > MOST_LOOKS)
            return LW_NO_NODE;
        if (x->node == grows)
            continue;
        if (syntax_inside(t, x->node, outer) || !begins_at_zero(t, x))
            return LW_NO_NODE;
        before++;
    }
    return before == 1 ? outer : LW_NO_NODE;
}

/* Is it the number of items that the loop goes over: len(loader), len(loader.dataset)? */
static bool counts_passes(const struct lw_tree *t, uint32_t call, uint32_t loop)
{
    uint32_t of =
        lw_tree_kind(t, call) == LW_NODE_CALL && text_is(syntax_called_name(t, call), "len")
            ? lw_tree_get(t, call, LW_ROLE_ARGS)
            : LW_NO_NODE;
    if (lw_tree_kind(t, of) == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, of), "dataset"))
        of = lw_tree_get(t, of, LW_ROLE_VALUE);
    uint32_t over = lw_tree_get(t, loop, LW_ROLE_ITER);
    for (uint32_t n = over; n != LW_NO_NODE && of != LW_NO_NODE;
         n = lw_tree_next(t, over, n, false))
        if (lw_str_eq(lw_tree_text(t, n), lw_tree_text(t, of)))
            return true;
    return false;
}

/* name / len(loader) behind the inner loop: a mean of one epoch. */
static uint32_t mean_in(const struct ck_file *f, uint32_t epochs, uint32_t batches, uint32_t id)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t use = trace_next_use(f, epochs, epochs, id); use != LW_NO_NODE;
         use = trace_next_use(f, epochs, use, id)) {
        uint32_t up = lw_tree_parent(t, use);
        uint32_t by = lw_tree_get(t, up, LW_ROLE_RIGHT);
        if (lw_tree_kind(t, up) == LW_NODE_BIN_OP && lw_tree_node(t, up)->op == LW_OP_DIV &&
            lw_tree_get(t, up, LW_ROLE_LEFT) == use && !syntax_inside(t, use, batches) &&
            counts_passes(t, by, batches))
            return up;
    }
    return LW_NO_NODE;
}

static void watch_sums(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGET)
                              : LW_NO_NODE;
        uint32_t id = lw_tree_kind(t, target) == LW_NODE_NAME ? f->names.symbol_of.v[target]
                                                              : LW_NO_SYMBOL;
        if (id == LW_NO_SYMBOL || lw_tree_node(t, n)->op != LW_OP_ADD)
            continue;
        uint32_t epochs = loop_of_epochs(f, &f->names.symbols.v[id], target);
        if (epochs == LW_NO_NODE || !look_again(c, mean_in, MOST_LOOKS))
            continue;
        uint32_t mean = mean_in(f, epochs, syntax_loop_around(t, target), id);
        const struct lw_binding *first =
            &f->names.bindings.v[f->names.symbols.v[id].first_binding];
        if (mean == LW_NO_NODE)
            continue;
        ck_blame(c, ck_file_place(f, first->node));
        ck_find_at(c, f, mean, "training/sum-not-reset", NULL, 0,
                   "'%.*s' sums over all epochs, because it is set to 0 only before the loop, "
                   "but is divided by the batches of one epoch: set it to 0 in each epoch",
                   LW_F(lw_tree_name(t, target)));
    }
}

const struct ck_rule rules_training_carried[] = {
    {"training/state-carried", CK_EV_END, watch_states},
    {"training/sum-not-reset", CK_EV_END, watch_sums},
    {0},
};
