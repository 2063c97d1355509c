/* Items of tensors that are assigned: what the tensor is afterwards. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/lib_module.h"
#include "check/rules.h"

enum { MAX_SUBSCRIPTS = 8 };

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
    bool torch = t.framework == LW_TORCH && !ck_grad_off(c);
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
    struct lw_value *in = ck_values(c, 2);
    struct ck_origin *origin = lw_arena_alloc(c->arena, sizeof *origin);
    if (!in || !origin)
        return lw_v_unknown();
    in[0] = owner;
    in[1] = v;
    *origin = (struct ck_origin){.op = LW_S("[]="),
                                 .in = in,
                                 .in_count = 2,
                                 .node = node,
                                 .file = c->frame->file,
                                 .place = ck_place(c, node),
                                 .graph = ck_current_graph(c)};
    return ck_originate(c, lw_v_tensor(c->arena, &t), origin);
}

/* The variable or attribute whose tensor `target` is a part of; LW_NO_NODE: something else. */
static uint32_t holder_of(const struct lw_tree *t, uint32_t target)
{
    uint32_t n = lw_tree_get(t, target, LW_ROLE_VALUE);
    for (unsigned i = 0; i < MAX_SUBSCRIPTS && n != LW_NO_NODE; i++) {
        if (lw_tree_kind(t, n) != LW_NODE_SUBSCRIPT)
            break;
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    }
    return n;
}

void ck_store_item(struct ck *c, uint32_t target, struct lw_value index, struct lw_value v)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t holder = holder_of(t, target);
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
        struct ck_slot *s =
            o ? fields_find(&o->fields, heap_intern(&c->heap, lw_tree_name(t, holder))) : NULL;
        if (s && s->value.kind == LW_V_TENSOR)
            heap_set(&c->heap, s, with_item(c, s->value, index, v, target));
    }
}

/* ---- what other methods store -------------------------------------------------------------
 */

static void forget_range(struct ck *c, const struct ck_object *o, struct lw_str name)
{
    struct ck_slot *s = fields_find(&o->fields, heap_intern(&c->heap, name));
    if (!s || s->value.kind != LW_V_TENSOR)
        return;
    struct lw_tensor t = *s->value.tensor;
    t.range = lw_iv_unknown();
    if (t.framework == LW_TORCH && t.grad == LW_TRI_NO)
        t.grad = LW_TRI_MAYBE;
    heap_set(&c->heap, s, lw_v_tensor(c->arena, &t));
}

void ck_forget_stored(struct ck *c, const struct ck_object *f, struct lw_value self)
{
    const struct ck_object *o = ck_as(self, CK_INSTANCE);
    const struct lw_tree *t = &f->file->tree;
    if (!o || !f->of || f->of->file != f->file)
        return;
    for (uint32_t n = f->of->node; n != LW_NO_NODE;
         n = lw_tree_next(t, f->of->node, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGET)
                          : lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_each(t, n, LW_ROLE_TARGETS, LW_NO_NODE)
                              : LW_NO_NODE;
        if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_SUBSCRIPT)
            continue;
        uint32_t holder = holder_of(t, target);
        if (holder != LW_NO_NODE && lw_tree_kind(t, holder) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, holder, LW_ROLE_VALUE)), LW_S("self")))
            forget_range(c, o, lw_tree_name(t, holder));
    }
}
