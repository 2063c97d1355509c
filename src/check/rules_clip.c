/*
 * Rules about gradients that are clipped: too early, too late, those of something else, or for
 * nothing.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"
#include "check/uses.h"

/* The first call of a method in the loop that stands in the same block as `node`. */
static uint32_t beside(const struct lw_tree *t, uint32_t loop, uint32_t node, const char *name)
{
    uint32_t block = lw_tree_parent(t, lw_tree_statement(t, node));
    uint32_t call = look_method_call(t, loop, name);
    while (call != LW_NO_NODE && lw_tree_parent(t, lw_tree_statement(t, call)) != block)
        call = look_next_call(t, loop, call, name);
    return call;
}

/* clip, backward(), step(): what is clipped was cleared; backward(), step(), clip: it was used.
 */
static void check_order(struct ck *c, uint32_t clip)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = look_loop_around(t, clip);
    uint32_t back = loop == LW_NO_NODE ? loop : look_method_call(t, loop, "backward");
    uint32_t step = loop == LW_NO_NODE ? loop : beside(t, loop, clip, "step");
    if (back == LW_NO_NODE || step == LW_NO_NODE ||
        lw_tree_start(t, back) > lw_tree_start(t, step))
        return;
    if (lw_tree_start(t, clip) < lw_tree_start(t, back) &&
        beside(t, loop, clip, "backward") == back)
        ck_find(c, clip, "training/clip-before-backward", NULL, 0,
                "the gradients are clipped before backward() makes them: clip between "
                "backward() and step()");
    else if (lw_tree_start(t, step) < lw_tree_start(t, clip) &&
             look_next_call(t, loop, clip, "step") == LW_NO_NODE)
        ck_find(c, clip, "training/clip-after-step", NULL, 0,
                "the gradients are clipped after the step that used them: clip between "
                "backward() and step()");
}

/* clip_grad_norm_(loss, 1): the loss has no gradient of its own. */
static void check_object(struct ck *c, const struct ck_event *e)
{
    struct lw_value v = ck_arg(e->call, 0, "parameters");
    const struct ck_origin *o = ck_origin_of(c, v);
    if (v.kind != LW_V_TENSOR || v.tensor->variable == LW_TRI_YES || !o || !o->in_count ||
        !lw_shape_has_rank(&v.tensor->shape) || v.tensor->shape.n)
        return;
    ck_find(c, e->node, "training/gradient-clip", &v, 1,
            "this is computed, it has no gradient to clip: give it model.parameters()");
}

static void watch_clipping(struct ck *c, const struct ck_event *e)
{
    if (lw_str_find(look_tail(e->call->name), LW_S("clip_grad_")) == LW_NPOS)
        return;
    check_object(c, e);
    check_order(c, e->node);
}

/* clipped = [tf.clip_by_norm(g, 1.0) for g in grads], and grads are applied. */
static void watch_assigned(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    if (f->index != 0 || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        uses_symbol(f, e->node) == LW_NO_SYMBOL || !uses_never_read(f, uses_symbol(f, e->node)))
        return;
    uint32_t assign = lw_tree_parent(t, e->node);
    uint32_t value = assign != LW_NO_NODE && lw_tree_kind(t, assign) == LW_NODE_ASSIGN
                         ? lw_tree_get(t, assign, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (value == LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, value), LW_S("clip_by_")) == LW_NPOS ||
        !ck_mentions(c, "apply_gradients("))
        return;
    ck_find(c, e->node, "training/gradient-clip", NULL, 0,
            "'%.*s' is never used: the gradients are applied as they were",
            LW_F(lw_tree_name(t, e->node)));
}

const struct ck_rule ck_rules_clip[] = {
    {CK_EV_CALL, watch_clipping},
    {CK_EV_ASSIGN, watch_assigned},
    {0, NULL},
};
