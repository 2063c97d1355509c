/*
 * Graphs of PyTorch that are recorded or kept for nothing: in an evaluation, with losses that
 * are collected, from step to step.
 */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/losses.h"
#include "check/rules/rules.h"

/* ---- gradients that nobody uses ------------------------------------------------------------
 */

static bool is_without_gradients(const struct ck *c)
{
    return ck_shows(c, "name *no_grad*") || ck_shows(c, "name *inference_mode*") ||
           ck_shows(c, "name set_grad_enabled") || ck_shows(c, "name volatile");
}

/* A model in evaluation mode goes over data and records a graph for each batch. */
static void watch_evaluation(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t callee = lw_tree_kind(t, e->node) == LW_NODE_CALL
                          ? lw_tree_get(t, e->node, LW_ROLE_FUNC)
                          : LW_NO_NODE;
    if (callee == LW_NO_NODE || lw_tree_kind(t, callee) != LW_NODE_NAME)
        return;
    uint32_t function = lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION);
    if (function != LW_NO_NODE && text_is(lw_tree_name(t, function), "forward"))
        return; /* who calls it may want its gradients */
    struct ck_object *o = ck_as(ck_lookup(c, callee), CK_INSTANCE);
    struct lw_value mode = o ? ck_field(c, o, "training") : lw_v_absent();
    if (!o || !ck_is_torch_module(c, o) || mode.kind != LW_V_BOOL || mode.tri != LW_TRI_NO ||
        e->value.kind != LW_V_TENSOR)
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR ||
        syntax_method_call(t, loop, "backward") != LW_NO_NODE ||
        syntax_method_call(t, loop, "step") != LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, loop), LW_S("grad")) != LW_NPOS || is_without_gradients(c))
        return;
    ck_find(c, e->node, "performance/missing-no-grad", NULL, 0,
            "the model is only evaluated here, but every batch records a graph for gradients: "
            "put the loop into torch.no_grad()");
}

/* model.eval() and a loop over data behind it, in a program that knows no no_grad(). */
static void check_evaluation(struct ck *c, struct ck_file *file, uint32_t eval)
{
    static const char *const words[] = {"name *no_grad*",        "name *inference_mode*",
                                        "name set_grad_enabled", "name volatile",
                                        "name autograd.grad",    "name requires_grad*"};
    const struct lw_tree *t = &file->tree;
    if (!text_is(calls_name(t, eval), "eval"))
        return;
    uint32_t owner = syntax_owner(t, eval), top = lw_tree_enclosing(t, eval, LW_NODE_FUNCTION);
    if (ck_shows_any(c, words, sizeof words / sizeof *words) || owner == LW_NO_NODE ||
        top == LW_NO_NODE || lw_tree_count(t, eval, LW_ROLE_ARGS) > 0 ||
        syntax_method_call(t, top, "backward") != LW_NO_NODE)
        return;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f == LW_NO_NODE || lw_tree_start(t, n) < lw_tree_start(t, eval) ||
            !lw_str_eq(lw_tree_text(t, f), lw_tree_text(t, owner)))
            continue;
        uint32_t loop = syntax_loop_around(t, n);
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR)
            continue;
        ck_find_at(c, file, n, "performance/missing-no-grad", NULL, 0,
                   "the model is only evaluated here, but every batch records a graph for "
                   "gradients: put the loop into torch.no_grad()");
        return;
    }
}

static void make_no_grad_loop(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node);
    if (loop != LW_NO_NODE)
        fix_without_gradients(f, loop);
}

static void watch_no_grad(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name *torch*", check_evaluation);
}

/* ---- losses that are collected -------------------------------------------------------------
 */

/* total += loss where nothing goes back: the graphs of all batches stay in memory. */
static void watch_total(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = syntax_loop_around(t, e->node);
    uint32_t target = lw_tree_get(t, e->node, LW_ROLE_TARGET);
    const struct ck_origin *o = ck_origin_of(c, e->b);
    if (loop == LW_NO_NODE || target == LW_NO_NODE || !o || !e->b.tensor ||
        e->b.tensor->framework != LW_TORCH || e->b.tensor->grad != LW_TRI_YES ||
        lw_tree_kind(t, target) != LW_NODE_NAME ||
        syntax_method_call(t, loop, "backward") != LW_NO_NODE || is_without_gradients(c))
        return;
    uint32_t function = lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION);
    uint32_t top = function == LW_NO_NODE ? t->root : function;
    struct lw_str whole = lw_tree_text(t, top), name = lw_tree_text(t, target);
    const struct lw_api *api = o->api;
    if (!api || api->kind != LW_API_LOSS ||
        lw_str_find(whole, ck_text(c, "%.*s.backward", LW_F(name))) != LW_NPOS ||
        lw_str_find(whole, LW_S("backward(")) != LW_NPOS)
        return;
    ck_find(c, e->node, "performance/graph-kept", &e->b, 1,
            "'%.*s' adds up losses with their graphs, and no backward() uses them: all batches "
            "stay in memory; add loss.item()",
            LW_F(name));
}

/* The place of a parameter that the method adds to or keeps in its object; -1: none. */
static int kept_parameter(const struct lw_tree *t, uint32_t method)
{
    uint32_t params = lw_tree_get(t, method, LW_ROLE_ARGS);
    uint32_t self = params == LW_NO_NODE ? params : lw_tree_get(t, params, LW_ROLE_ARGS);
    int place = 0;
    for (uint32_t p = self == LW_NO_NODE ? self : lw_tree_each(t, params, LW_ROLE_ARGS, self);
         p != LW_NO_NODE; p = lw_tree_each(t, params, LW_ROLE_ARGS, p), place++)
        for (uint32_t n = method; n != LW_NO_NODE; n = lw_tree_next(t, method, n, false)) {
            if (lw_tree_kind(t, n) != LW_NODE_AUG_ASSIGN || lw_tree_node(t, n)->op != LW_OP_ADD)
                continue;
            struct lw_str target = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET));
            uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
            if (lw_str_has_prefix(target, LW_S("self.")) &&
                syntax_has_name(t, value, lw_tree_name(t, p)) &&
                lw_str_find(lw_tree_text(t, value), LW_S("item()")) == LW_NPOS &&
                lw_str_find(lw_tree_text(t, value), LW_S("detach()")) == LW_NPOS &&
                lw_str_find(lw_tree_text(t, value), LW_S("float(")) == LW_NPOS)
                return place;
        }
    return -1;
}

/* A method of the program of this name that keeps its argument number `place`. */
static bool keeps(const struct lw_tree *t, struct lw_str name, int place)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION && lw_str_eq(lw_tree_name(t, n), name) &&
            lw_tree_enclosing(t, n, LW_NODE_CLASS) != LW_NO_NODE)
            return kept_parameter(t, n) == place;
    return false;
}

/* losses.append(loss), meter.update(loss) after loss.backward() */
static void check_keeping(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    if (lw_tree_kind(t, call) != LW_NODE_CALL || text_is(calls_name(t, call), "eval"))
        return;
    uint32_t owner = syntax_owner(t, call);
    struct lw_str name = calls_name(t, call);
    int place = 0;
    if (owner == LW_NO_NODE || !ck_shows(c, "call backward"))
        return;
    uint32_t loop = syntax_loop_around(t, call);
    if (loop == LW_NO_NODE)
        return;
    uint32_t function = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, function == LW_NO_NODE ? t->root : function);
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a), place++) {
        struct lw_str term = lw_tree_text(t, a);
        if (lw_tree_kind(t, a) != LW_NODE_NAME || !losses_goes_back(t, loop, term) ||
            losses_is_plain(c, whole, term) ||
            (!text_is(name, "append") && !keeps(t, name, place)))
            continue;
        if (text_is(name, "append") && lw_tree_kind(t, owner) == LW_NODE_NAME) {
            uint32_t list = syntax_assigned(t, owner);
            if (list != LW_NO_NODE && syntax_inside(t, list, loop))
                return; /* a list of one step */
        }
        ck_find_at(c, file, call, "performance/graph-kept", NULL, 0,
                   "'%.*s' keeps the losses of all steps with their graphs, so memory grows "
                   "with every step: use %.*s.item(), or %.*s.detach()",
                   LW_F(lw_tree_text(t, owner)), LW_F(term), LW_F(term));
        return;
    }
}

static void watch_keeping(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name *torch*", check_keeping);
}

/* ---- from step to step ---------------------------------------------------------------------
 */

/* backward(retain_graph=True) in a loop of one backward pass. */
static void watch_retained(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_value keep = ck_arg(e->call, 1, "retain_graph");
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || keep.kind != LW_V_BOOL || keep.tri != LW_TRI_YES ||
        syntax_next_call(t, loop, syntax_method_call(t, loop, "backward"), "backward") !=
            LW_NO_NODE)
        return;
    ck_find(c, e->node, "performance/retain-graph", NULL, 0,
            "the graph of each step is kept, although a single backward pass uses it: if state "
            "is carried from step to step, detach it");
}

/* `x, state = model(inputs, state)`: the name that goes in and comes out. */
static bool is_carried(const struct lw_tree *t, uint32_t loop, struct lw_str *name)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        uint32_t value = lw_tree_kind(t, n) == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        uint32_t target = value == LW_NO_NODE ? value : lw_tree_get(t, n, LW_ROLE_TARGETS);
        if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_CALL ||
            lw_tree_kind(t, target) != LW_NODE_TUPLE)
            continue;
        for (uint32_t a = lw_tree_each(t, value, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
             a = lw_tree_each(t, value, LW_ROLE_ARGS, a))
            if (lw_tree_kind(t, a) == LW_NODE_NAME &&
                syntax_has_name(t, target, lw_tree_name(t, a))) {
                *name = lw_tree_name(t, a);
                return true;
            }
    }
    return false;
}

/* torch.autograd.grad(…, retain_graph=True) with a state that is never cut off. */
static void watch_kept_history(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name;
    if (!text_is(e->call->name, "torch.autograd.grad"))
        return;
    struct lw_value keep = ck_slot_value(e->call, "retain_graph");
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || keep.kind != LW_V_BOOL || keep.tri != LW_TRI_YES ||
        text_says(lw_tree_text(t, loop), "detach") ||
        text_says(lw_tree_text(t, loop), "repackage") || !is_carried(t, loop, &name))
        return;
    ck_find(
        c, e->node, "performance/retain-graph", NULL, 0,
        "'%.*s' is carried from step to step with its graph, and retain_graph=True keeps all "
        "of it: every step is slower and needs more memory; detach it before the next step",
        LW_F(name));
}

const struct ck_rule rules_performance_kept_graphs[] = {
    {"performance/missing-no-grad", CK_EV_LAYER, watch_evaluation},
    {"performance/missing-no-grad", CK_EV_END, watch_no_grad},
    {"performance/graph-kept", CK_EV_AUGMENTED, watch_total},
    {"performance/graph-kept", CK_EV_END, watch_keeping},
    {"performance/retain-graph", CK_EV_BACKWARD, watch_retained},
    {"performance/retain-graph", CK_EV_CALL, watch_kept_history,
     .calls = "torch.autograd.grad"},
    {"performance/graph-kept", .fix = fix_add_number},
    {"performance/missing-no-grad", .fix = make_no_grad_loop},
    {0},
};
