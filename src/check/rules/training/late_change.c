/*
 * Rules about optimisers and schedulers in the order of the text: layers that are replaced
 * after the optimizer was given the old ones, schedulers that nothing steps.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/query/uses.h"
#include "check/rules/rules.h"

enum { MOST_LOOKS = 64 };

/* ---- layers that the optimizer does not know ----------------------------------------------
 */

/* torch.optim.Adam(net.parameters()): net; LW_NO_NODE for other calls. */
static uint32_t trained_by(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    uint32_t given = program_argument(t, call, "params", 0);
    struct lw_str name = trace_library(c, f, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (!lw_str_has_prefix(name, LW_S("torch.optim.")) ||
        lw_tree_kind(t, given) != LW_NODE_CALL ||
        !text_is(syntax_called_name(t, given), "parameters"))
        return LW_NO_NODE;
    return syntax_owner(t, given);
}

/* Is the target a layer inside of the network: net.fc, net.head[1]? */
static bool is_part_of(const struct lw_tree *t, uint32_t target, struct lw_str net)
{
    for (unsigned i = 0; i < 8; i++) {
        enum lw_node_kind kind = lw_tree_kind(t, target);
        if (kind != LW_NODE_ATTRIBUTE && kind != LW_NODE_SUBSCRIPT)
            return false;
        target = lw_tree_get(t, target, LW_ROLE_VALUE);
        if (lw_str_eq(lw_tree_text(t, target), net))
            return true;
    }
    return false;
}

static bool makes_layer(struct ck *c, struct ck_file *f, uint32_t value)
{
    static const char *const layers[] = {"Linear", "Conv1d", "Conv2d", "Sequential",
                                         "Embedding"};
    struct lw_str name = lw_tree_kind(&f->tree, value) == LW_NODE_CALL
                             ? trace_library(c, f, lw_tree_get(&f->tree, value, LW_ROLE_FUNC))
                             : (struct lw_str){0};
    return lw_str_has_prefix(name, LW_S("torch.nn.")) &&
           text_is_any(text_tail(name), layers, sizeof layers / sizeof *layers);
}

/* Is the optimizer made anew, or told of more parameters, behind the place? */
static bool is_told(const struct lw_tree *t, uint32_t top, uint32_t behind,
                    struct lw_str optimizer)
{
    for (uint32_t n = lw_tree_next(t, top, behind, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), optimizer))
            return true;
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            text_is(syntax_called_name(t, n), "add_param_group"))
            return true;
    }
    return false;
}

static void report_replaced(struct ck *c, struct ck_file *f, uint32_t assign, struct lw_str net,
                            struct lw_str optimizer)
{
    if (ck_is_told(c, f, assign, "training/optimizer-misses-layer"))
        return;
    ck_find_at(c, f, assign, "training/layer-replaced-late", NULL, 0,
               "'%.*s' was created before this layer of '%.*s' and never trains it: replace "
               "the layer first, then create the optimizer",
               LW_F(optimizer), LW_F(net));
}

/* What is assigned behind the optimizer in its own block. */
static void look_behind(struct ck *c, struct ck_file *f, uint32_t made, struct lw_str net,
                        struct lw_str optimizer)
{
    const struct lw_tree *t = &f->tree;
    uint32_t block = lw_tree_parent(t, made);
    for (uint32_t s = lw_tree_each(t, block, LW_ROLE_BODY, made); s != LW_NO_NODE;
         s = lw_tree_each(t, block, LW_ROLE_BODY, s)) {
        if (lw_tree_kind(t, s) != LW_NODE_ASSIGN)
            continue;
        struct lw_str target = lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS));
        if (lw_str_eq(target, net) || lw_str_eq(target, optimizer))
            return;
        if (is_part_of(t, lw_tree_get(t, s, LW_ROLE_TARGETS), net) &&
            makes_layer(c, f, lw_tree_get(t, s, LW_ROLE_VALUE)) &&
            !is_told(t, block, s, optimizer)) {
            report_replaced(c, f, s, net, optimizer);
            return;
        }
    }
}

/* Does __init__ call the method before it makes the optimizer? */
static bool is_called_before(const struct lw_tree *t, uint32_t init, uint32_t made,
                             struct lw_str method)
{
    for (uint32_t n = init; n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, made);
         n = lw_tree_next(t, init, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && lw_str_eq(syntax_called_name(t, n), method))
            return true;
    return false;
}

/* self.net.head = Linear(…) in another method of the class whose __init__ made self.opt. */
static void look_in_methods(struct ck *c, struct ck_file *f, uint32_t made, struct lw_str net,
                            struct lw_str optimizer)
{
    const struct lw_tree *t = &f->tree;
    uint32_t own = lw_tree_parent(t, made), class_node = lw_tree_parent(t, own);
    if (lw_tree_kind(t, class_node) != LW_NODE_CLASS ||
        !text_is(lw_tree_name(t, own), "__init__") || !lw_str_has_prefix(net, LW_S("self.")) ||
        !lw_str_has_prefix(optimizer, LW_S("self.")))
        return;
    for (uint32_t m = lw_tree_each(t, class_node, LW_ROLE_BODY, LW_NO_NODE); m != LW_NO_NODE;
         m = lw_tree_each(t, class_node, LW_ROLE_BODY, m))
        for (uint32_t s = lw_tree_each(t, m, LW_ROLE_BODY, LW_NO_NODE);
             m != own && lw_tree_kind(t, m) == LW_NODE_FUNCTION && s != LW_NO_NODE;
             s = lw_tree_each(t, m, LW_ROLE_BODY, s))
            if (lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
                is_part_of(t, lw_tree_get(t, s, LW_ROLE_TARGETS), net) &&
                makes_layer(c, f, lw_tree_get(t, s, LW_ROLE_VALUE)) &&
                !is_told(t, m, m, optimizer) &&
                !is_called_before(t, own, made, lw_tree_name(t, m))) {
                report_replaced(c, f, s, net, optimizer);
                return;
            }
}

static void look_at_optimizer(struct ck *c, struct ck_file *f, uint32_t assign)
{
    const struct lw_tree *t = &f->tree;
    uint32_t call = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t net = lw_tree_kind(t, call) == LW_NODE_CALL ? trained_by(c, f, call) : LW_NO_NODE;
    if (net == LW_NO_NODE || !look_again(c, look_at_optimizer, MOST_LOOKS))
        return;
    struct lw_str optimizer = lw_tree_text(t, lw_tree_get(t, assign, LW_ROLE_TARGETS));
    look_behind(c, f, assign, lw_tree_text(t, net), optimizer);
    look_in_methods(c, f, assign, lw_tree_text(t, net), optimizer);
}

/* ---- schedulers ---------------------------------------------------------------------------
 */

static bool makes_scheduler(struct ck *c, struct ck_file *f, uint32_t call)
{
    return lw_tree_kind(&f->tree, call) == LW_NODE_CALL &&
           lw_str_has_prefix(trace_library(c, f, lw_tree_get(&f->tree, call, LW_ROLE_FUNC)),
                             LW_S("torch.optim.lr_scheduler."));
}

/* scheduler = StepLR(…), and nothing reads the name. */
static void look_at_scheduler(struct ck *c, struct ck_file *f, uint32_t assign)
{
    const struct lw_tree *t = &f->tree;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t call = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t id =
        lw_tree_kind(t, target) == LW_NODE_NAME ? f->names.symbol_of.v[target] : LW_NO_SYMBOL;
    if (id == LW_NO_SYMBOL || !makes_scheduler(c, f, call) || !uses_never_read(f, id) ||
        f->source.notebook.cell_count || !program_calls_of(c, "step").n)
        return;
    ck_find_at(c, f, call, "training/scheduler-unused", NULL, 0,
               "'%.*s' is never stepped, so the learning rate does not change: call "
               "%.*s.step() after each epoch",
               LW_F(lw_tree_name(t, target)), LW_F(lw_tree_name(t, target)));
}

/* Does the loop train batch by batch in a loop of its own? */
static bool trains_inside(const struct lw_tree *t, uint32_t loop, uint32_t before)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false);
         n != LW_NO_NODE && lw_tree_start(t, n) < before; n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            text_is(syntax_called_name(t, n), "backward") && syntax_loop_around(t, n) != loop)
            return true;
    return false;
}

/* OneCycleLR(…, steps_per_epoch=len(loader)) counts batches. */
static void look_at_step(struct ck *c, struct ck_file *f, uint32_t step)
{
    const struct lw_tree *t = &f->tree;
    uint32_t owner = syntax_owner(t, step), loop = syntax_loop_around(t, step);
    uint32_t made =
        owner == LW_NO_NODE || loop == LW_NO_NODE ? LW_NO_NODE : trace_value(c, f, owner);
    if (made == LW_NO_NODE || !makes_scheduler(c, f, made) ||
        !syntax_has_keyword(t, made, "steps_per_epoch") ||
        text_is(lw_tree_text(t, syntax_keyword(t, made, LW_S("steps_per_epoch"))), "1") ||
        !trains_inside(t, loop, lw_tree_start(t, step)))
        return;
    ck_find_at(c, f, step, "training/scheduler-each-epoch", NULL, 0,
               "this scheduler counts batches (steps_per_epoch), but step() is called once per "
               "epoch: call it after each batch");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct places_list steps = program_calls_of(c, "step");
    for (uint32_t n = 0; n < f->tree.nodes.n && steps.n; n++)
        if (lw_tree_kind(&f->tree, n) == LW_NODE_ASSIGN) {
            look_at_optimizer(c, f, n);
            look_at_scheduler(c, f, n);
        }
    for (size_t i = 0; i < steps.n && i < MOST_LOOKS; i++)
        look_at_step(c, f, steps.v[i]);
}

const struct ck_rule rules_training_late_change[] = {
    {"training/layer-replaced-late training/scheduler-each-epoch training/scheduler-unused",
     CK_EV_END, watch_end},
    {0},
};
