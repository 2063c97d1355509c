/*
 * Rules about gradients that are clipped: too early, too late, those of something else, or for
 * nothing.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/query/uses.h"
#include "check/rules/rules.h"

/* The first call of a method in the loop that stands in the same block as `node`. */
static uint32_t beside(const struct lw_tree *t, uint32_t loop, uint32_t node, const char *name)
{
    uint32_t block = lw_tree_parent(t, lw_tree_statement(t, node));
    uint32_t call = syntax_method_call(t, loop, name);
    while (call != LW_NO_NODE && lw_tree_parent(t, lw_tree_statement(t, call)) != block)
        call = syntax_next_call(t, loop, call, name);
    return call;
}

/* clip, backward(), step(): what is clipped was cleared; backward(), step(), clip: it was used.
 */
static void check_order(struct ck *c, uint32_t clip)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = syntax_loop_around(t, clip);
    uint32_t back = loop == LW_NO_NODE ? loop : syntax_method_call(t, loop, "backward");
    uint32_t step = loop == LW_NO_NODE ? loop : beside(t, loop, clip, "step");
    if (back == LW_NO_NODE || step == LW_NO_NODE ||
        lw_tree_start(t, back) > lw_tree_start(t, step))
        return;
    if (lw_tree_start(t, clip) < lw_tree_start(t, back) &&
        beside(t, loop, clip, "backward") == back)
        ck_find(c, clip, "training/clip-before-backward", NULL, 0,
                "the gradients are clipped before backward() computes them: clip between "
                "backward() and step()");
    else if (lw_tree_start(t, step) < lw_tree_start(t, clip) &&
             syntax_next_call(t, loop, clip, "step") == LW_NO_NODE)
        ck_find(c, clip, "training/clip-after-step", NULL, 0,
                "the gradients are clipped after the step has used them: clip between "
                "backward() and step()");
}

static void make_clip_before(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), clip = fix_statement(f, f->node);
    uint32_t step = loop == LW_NO_NODE ? LW_NO_NODE : syntax_method_call(f->t, loop, "step");
    uint32_t place = fix_in_block_of(f, fix_statement(f, step), clip);
    if (place == LW_NO_NODE || fix_kind(f, clip) != LW_NODE_EXPR)
        return;
    fix_say(f, "move the clipping before optimizer.step()");
    fix_move_before(f, clip, place);
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
            "this is a computed tensor, which has no .grad to clip: pass model.parameters()");
}

static void watch_clipping(struct ck *c, const struct ck_event *e)
{
    if (lw_str_find(text_tail(e->call->name), LW_S("clip_grad_")) == LW_NPOS)
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
        !ck_shows(c, "call apply_gradients"))
        return;
    ck_find(c, e->node, "training/gradient-clip", NULL, 0,
            "the clipped gradients '%.*s' are never used: pass them to apply_gradients()",
            LW_F(lw_tree_name(t, e->node)));
}

/* clip_grad_norm_(…) as a statement between two places; LW_NO_NODE: none. */
static uint32_t clip_between(const struct lw_tree *t, uint32_t from, uint32_t to)
{
    uint32_t first = lw_tree_statement(t, from), last = lw_tree_statement(t, to);
    uint32_t block = lw_tree_parent(t, first);
    for (uint32_t s = lw_tree_each(t, block, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, block, LW_ROLE_BODY, s))
        if (lw_tree_start(t, s) > lw_tree_start(t, first) &&
            lw_tree_start(t, s) < lw_tree_start(t, last) &&
            lw_tree_kind(t, s) == LW_NODE_EXPR && text_says(lw_tree_text(t, s), "clip_grad"))
            return s;
    return LW_NO_NODE;
}

/* zero_grad(), clip, backward(), step() in one block, and no other clip. */
static void check_clip(const struct protocol_program *r, size_t zero)
{
    const struct protocol *p = &r->all;
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, zero);
    size_t step = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, back);
    if (step == p->n ||
        !protocol_is_same_block(r->t, p->calls[zero].node, p->calls[back].node) ||
        !protocol_is_same_block(r->t, p->calls[back].node, p->calls[step].node))
        return;
    uint32_t early = clip_between(r->t, p->calls[zero].node, p->calls[back].node);
    if (early == LW_NO_NODE ||
        clip_between(r->t, p->calls[back].node, p->calls[step].node) != LW_NO_NODE)
        return;
    ck_find_at(r->c, r->file, lw_tree_get(r->t, early, LW_ROLE_VALUE),
               "training/clip-before-backward", NULL, 0,
               "the gradients are clipped before backward() computes them: clip between "
               "backward() and step()");
}

/* Where the model and the optimiser come from elsewhere. */
static void watch_protocol(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of_steps(c);
    (void)e;
    for (size_t i = 0; r && i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_ZERO)
            check_clip(r, i);
}

const struct ck_rule rules_training_clipping[] = {
    {"training/clip-after-step training/clip-before-backward training/gradient-clip",
     CK_EV_CALL, watch_clipping, .calls = ".clip_grad_*"},
    {"training/gradient-clip", CK_EV_ASSIGN, watch_assigned},
    {"training/clip-before-backward", CK_EV_END, watch_protocol},
    {"training/clip-after-step", .fix = make_clip_before},
    {0},
};
