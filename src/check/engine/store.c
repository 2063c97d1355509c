/* Items of tensors that are assigned: what the tensor is afterwards. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/syntax.h"

/* std[std == 0] = 1: values are put where a test asked for it, so that those that were in the
 * way are gone. */
static bool is_chosen(struct lw_value index)
{
    return index.kind == LW_V_UNKNOWN ||
           (index.kind == LW_V_TENSOR && (index.tensor->dtype & LW_BOOL));
}

/* The range of old and new elements. An array of zeros is a vessel: the zeros are not what it
 * is made for, so that what is divided by or taken the logarithm of is what was put in. */
static struct lw_interval filled(struct lw_interval old, struct lw_interval item)
{
    struct lw_interval r = lw_iv_join(old, item);
    if (old.lo != 0 || old.hi != 0)
        return r;
    if (item.lo > 0 || (item.flags & LW_IV_LO_OPEN))
        r.flags |= r.lo == 0 ? LW_IV_LO_OPEN : 0;
    if (item.hi < 0 || (item.flags & LW_IV_HI_OPEN))
        r.flags |= r.hi == 0 ? LW_IV_HI_OPEN : 0;
    return r;
}

/* The tensor with the value's elements among its own. */
static struct lw_value with_item(struct ck *c, struct lw_value owner, struct lw_value index,
                                 struct lw_value v, uint32_t node)
{
    struct lw_tensor t = *owner.tensor, item;
    bool known = ck_to_tensor(c, v, &item);
    bool torch = t.framework == LW_TORCH && !c->models->grad_off(c);
    t.range = known ? filled(t.range, lw_iv_as(item.range, t.dtype)) : lw_iv_unknown();
    /* What is computed item by item hangs together in ways that ranges do not show. */
    bool computed =
        known && item.range.lo != item.range.hi && !(item.range.flags & LW_IV_WHOLE);
    if (is_chosen(index) || (t.framework == LW_NUMPY && computed))
        t.range.flags &= (uint8_t)~LW_IV_KNOWN;
    if (torch && t.grad != LW_TRI_YES && v.kind == LW_V_TENSOR)
        t.grad = item.framework & LW_TORCH ? item.grad : LW_TRI_NO;
    else if (torch && t.grad == LW_TRI_NO && !known)
        t.grad = LW_TRI_MAYBE;
    if (t.grad == owner.tensor->grad) {
        struct lw_value same = lw_v_tensor(c->arena, &t);
        same.line = owner.line;
        return same;
    }
    t.variable = LW_TRI_NO;
    t.id = 0;
    struct ck_origin origin = {
        .op = LW_S("[]="), .node = node, .graph = c->models->current_graph(c)};
    return ck_made(c, lw_v_tensor(c->arena, &t), &origin, (struct lw_value[]){owner, v}, 2);
}

void ck_store_item(struct ck *c, uint32_t target, struct lw_value index, struct lw_value v)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t holder = syntax_holder(t, target);
    if (holder == LW_NO_NODE)
        return;
    if (lw_tree_kind(t, holder) == LW_NODE_NAME) {
        struct ck_slot *s = ck_bound_slot(c, holder);
        if (s && s->value.kind == LW_V_TENSOR)
            heap_set(&c->heap, s, with_item(c, s->value, index, v, target));
    } else if (lw_tree_kind(t, holder) == LW_NODE_ATTRIBUTE) {
        uint32_t object = lw_tree_get(t, holder, LW_ROLE_VALUE);
        struct ck_object *o = lw_tree_kind(t, object) == LW_NODE_NAME
                                  ? ck_as(ck_eval(c, object), CK_INSTANCE)
                                  : NULL;
        struct ck_slot *s = o ? ck_field_slot(c, o, lw_tree_name(t, holder)) : NULL;
        if (s && s->value.kind == LW_V_TENSOR)
            heap_set(&c->heap, s, with_item(c, s->value, index, v, target));
    }
}
