/* Rules about results of layers that nothing takes. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/uses.h"
#include "check/rules/rules.h"

/* ---- the result of a layer that nothing gets ------------------------------------------------
 */

/* Does it write into what it gets? Not if it says so and the truth is known. */
static bool is_in_place(struct ck *c, const struct ck_origin *o)
{
    struct lw_value v = o->layer ? ck_config(o->layer, "inplace") : lineage_slot(o, "inplace");
    return v.kind != LW_V_ABSENT && ck_truth(c, v) != LW_TRI_NO;
}

/* A layer of a library, or a function that only computes. */
static bool is_step(struct ck *c, const struct ck_origin *o)
{
    if (o->layer)
        return !o->layer->of && !is_in_place(c, o);
    return o->api && !lw_str_has_suffix(o->op, LW_S("_")) && !is_in_place(c, o) &&
           (lw_str_has_prefix(o->op, LW_S("torch.nn.functional.")) ||
            lw_str_has_prefix(o->op, LW_S("tensorflow.nn.")) || text_is(o->op, "torch.relu") ||
            text_is(o->op, "torch.tanh") || text_is(o->op, "torch.sigmoid") ||
            text_is(o->op, "torch.softmax"));
}

/* The tensor is made by layers that all stand in the expression. */
static bool is_made_here(struct ck *c, struct lw_value v, uint32_t expression)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_origin *o = ck_origin_of(c, v);
    bool layer = false;
    for (unsigned i = 0; i < 8 && o && o->file == c->frame->file &&
                         syntax_inside(t, o->node, expression) && is_step(c, o);
         i++) {
        layer = true;
        o = o->in_count ? ck_origin_of(c, o->in[0]) : NULL;
    }
    return layer;
}

/* x of layer(x), relu(layer(x)) and layer(x, more). */
static uint32_t fed_name(const struct lw_tree *t, uint32_t call)
{
    while (call != LW_NO_NODE && lw_tree_kind(t, call) == LW_NODE_CALL)
        call = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    return call != LW_NO_NODE && lw_tree_kind(t, call) == LW_NODE_NAME ? call : LW_NO_NODE;
}

/* Is a network being put together: in forward() or call(), or of inputs of Keras? */
static bool builds_network(struct ck *c, struct lw_value v)
{
    const struct ck_object *f = c->frame->function;
    return (f && f->of && (text_is(f->name, "forward") || text_is(f->name, "call"))) ||
           v.tensor->framework == LW_KERAS;
}

/* The place behind the expression where the next step gets what this one got. */
static uint32_t goes_around(struct ck *c, uint32_t expression)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    uint32_t x = fed_name(t, expression);
    if (x == LW_NO_NODE || uses_symbol(f, x) == LW_NO_SYMBOL)
        return LW_NO_NODE;
    uint32_t on = uses_next(c, f, uses_symbol(f, x), x);
    return on != LW_NO_NODE && uses_call(t, on) != LW_NO_NODE ? on : LW_NO_NODE;
}

/* h = self.norm(x), and the next line takes x. */
static void watch_result(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    if (e->value.kind != LW_V_TENSOR || f->index != 0 ||
        lw_tree_kind(t, e->node) != LW_NODE_NAME || uses_symbol(f, e->node) == LW_NO_SYMBOL ||
        !uses_never_read(f, uses_symbol(f, e->node)))
        return;
    uint32_t assign = lw_tree_parent(t, e->node);
    uint32_t call = assign != LW_NO_NODE && lw_tree_kind(t, assign) == LW_NODE_ASSIGN
                        ? lw_tree_get(t, assign, LW_ROLE_VALUE)
                        : LW_NO_NODE;
    if (call == LW_NO_NODE || lw_tree_kind(t, call) != LW_NODE_CALL ||
        !is_made_here(c, e->value, call))
        return;
    uint32_t on = goes_around(c, call);
    if (on != LW_NO_NODE)
        ck_find(c, e->node, "architecture/unused-result", &e->value, 1,
                "'%.*s' is never used: the next layer gets '%.*s', so this layer has no effect",
                LW_F(lw_tree_name(t, e->node)), LW_F(lw_tree_name(t, on)));
}

/* The statement of `block` that the node is in; LW_NO_NODE: it is elsewhere. */
static uint32_t statement_of(const struct lw_tree *t, uint32_t block, uint32_t node)
{
    while (node != LW_NO_NODE && lw_tree_parent(t, node) != block)
        node = lw_tree_parent(t, node);
    return node;
}

/* The next statement of the same block that speaks of the name; LW_NO_NODE: none. */
static uint32_t next_with_name(struct ck *c, uint32_t statement, uint32_t name)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    uint32_t block = lw_tree_parent(t, statement), symbol = uses_symbol(f, name);
    unsigned role = lw_tree_node(t, statement)->role; /* of if and else, just one */
    struct uses_list uses =
        symbol == LW_NO_SYMBOL ? (struct uses_list){0} : uses_behind(c, f, symbol, name);
    for (size_t i = 0; i < uses.n; i++) {
        uint32_t other = statement_of(t, block, uses.v[i]);
        if (other != statement)
            return other != LW_NO_NODE && lw_tree_node(t, other)->role == role ? other
                                                                               : LW_NO_NODE;
    }
    return LW_NO_NODE;
}

/* x = dense(inputs), …, x = other(inputs): what was made of x before is lost. */
static void watch_overwritten(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    uint32_t first = lw_tree_parent(t, e->node);
    if (e->value.kind != LW_V_TENSOR || f->index != 0 || c->frame->guarded ||
        lw_tree_kind(t, e->node) != LW_NODE_NAME || lw_tree_kind(t, first) != LW_NODE_ASSIGN ||
        lw_tree_count(t, first, LW_ROLE_TARGETS) != 1 || !builds_network(c, e->value))
        return;
    struct lw_str name = lw_tree_name(t, e->node);
    uint32_t call = lw_tree_get(t, first, LW_ROLE_VALUE);
    uint32_t next = next_with_name(c, first, e->node);
    uint32_t value = lw_tree_kind(t, next) == LW_NODE_ASSIGN
                         ? lw_tree_get(t, next, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    uint32_t target = value == LW_NO_NODE ? value : lw_tree_get(t, next, LW_ROLE_TARGETS);
    if (lw_tree_kind(t, call) != LW_NODE_CALL || lw_tree_kind(t, value) != LW_NODE_CALL ||
        lw_tree_kind(t, target) != LW_NODE_NAME || !is_made_here(c, e->value, call) ||
        syntax_has_name(t, value, name) || fed_name(t, value) == LW_NO_NODE)
        return;
    ck_find(c, target, "architecture/unused-result", &e->value, 1,
            "'%.*s' of line %u is overwritten before it is used, so the layers up to there "
            "have no effect: pass '%.*s' here",
            LW_F(name), ck_place(c, first) & CK_PLACE_LINE, LW_F(name));
}

/* self.norm(x) on a line of its own. */
static void watch_lost(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t call = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    if (e->value.kind != LW_V_TENSOR || c->frame->guarded || call == LW_NO_NODE ||
        lw_tree_kind(t, call) != LW_NODE_CALL || !builds_network(c, e->value) ||
        !is_made_here(c, e->value, call))
        return;
    uint32_t on = goes_around(c, call);
    if (on != LW_NO_NODE)
        ck_find(c, e->node, "architecture/unused-result", &e->value, 1,
                "the result is discarded, and the next layer gets '%.*s', so this layer has no "
                "effect: assign the result",
                LW_F(lw_tree_name(t, on)));
}

/* Dropout(0.5) on a line of its own: a layer that was made and that nothing has. */
static void watch_made(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t call = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    const struct ck_object *f = c->frame->function;
    if (!o || o->of || !o->api || c->frame->guarded || call == LW_NO_NODE ||
        lw_tree_kind(t, call) != LW_NODE_CALL || o->node != call ||
        !lw_str_eq(syntax_called_name(t, call), text_tail(o->api->name)) ||
        c->frame->file->source.notebook.cell_count ||
        (f && lw_str_find(f->name, LW_S("test")) != LW_NPOS))
        return;
    if (lw_str_find(o->api->name, LW_S("keras.layers.")) == LW_NPOS &&
        !(lw_str_has_prefix(o->api->name, LW_S("torch.nn.")) && ck_is_torch_module(c, o)))
        return;
    ck_find(c, e->node, "architecture/unused-result", NULL, 0,
            "the layer is created but never used, so it is not part of the network");
}

const struct ck_rule rules_architecture_unused[] = {
    {"architecture/unused-result", CK_EV_ASSIGN, watch_result},
    {"architecture/unused-result", CK_EV_ASSIGN, watch_overwritten},
    {"architecture/unused-result", CK_EV_EXPRESSION, watch_lost},
    {"architecture/unused-result", CK_EV_EXPRESSION, watch_made},
    {0},
};
