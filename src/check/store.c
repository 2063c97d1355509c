#include "check/store.h"

#include "base/str.h"
#include "check/rules.h"

enum { MAX_SUBSCRIPTS = 4 };

/* The name or attribute below x[i][j]; LW_NO_NODE: something else. */
static uint32_t holder_of(const struct lw_tree *t, uint32_t target)
{
    uint32_t n = target;
    for (unsigned i = 0;
         i < MAX_SUBSCRIPTS && n != LW_NO_NODE && lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT; i++)
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    if (n == LW_NO_NODE ||
        (lw_tree_kind(t, n) != LW_NODE_NAME && lw_tree_kind(t, n) != LW_NODE_ATTRIBUTE))
        return LW_NO_NODE;
    return n;
}

/* All variables of the function that hold it, and the attribute it is written through. */
static void replace(struct ck *c, uint32_t holder, struct lw_value old, struct lw_value now)
{
    const struct lw_tree *t = &c->frame->file->tree;
    for (struct ck_slot *s = c->frame->env->vars.first; s; s = s->next)
        if (s->value.kind == LW_V_TENSOR && ck_same(s->value, old))
            heap_set(&c->heap, s, now);
    if (lw_tree_kind(t, holder) == LW_NODE_NAME) {
        struct ck_slot *slot = ck_slot_of(c, holder);
        if (slot && slot->value.kind == LW_V_TENSOR && ck_same(slot->value, old))
            heap_set(&c->heap, slot, now);
        return;
    }
    uint32_t owner = lw_tree_get(t, holder, LW_ROLE_VALUE);
    if (lw_tree_kind(t, owner) == LW_NODE_NAME)
        ck_set_attr(c, ck_eval(c, owner), lw_tree_name(t, holder), now);
}

/* What the elements can be, and whether gradients go through it, after `v` was put in. */
static struct lw_tensor filled(struct ck *c, const struct lw_tensor *x, struct lw_value index,
                               struct lw_value v)
{
    struct lw_tensor now = *x, given;
    bool known = ck_to_tensor(c, v, &given);
    struct lw_interval rest = x->range;
    ck_where_rest(c, index, x, &rest);
    now.range = lw_iv_as(known ? lw_iv_join(rest, given.range) : lw_iv_unknown(), x->dtype);
    if (x->range.lo == x->range.hi) /* zeros() to be filled: whether any is left is not known */
        now.range.flags &= (uint8_t) ~(LW_IV_KNOWN | LW_IV_ZERO);
    now.relation = LW_REL_NONE;
    if (x->framework == LW_TORCH && x->grad == LW_TRI_NO)
        now.grad = (uint8_t)(v.kind == LW_V_TENSOR ? given.grad
                             : known               ? LW_TRI_NO
                                                   : LW_TRI_MAYBE);
    return now;
}

void ck_store_item(struct ck *c, uint32_t target, struct lw_value owner, struct lw_value index,
                   struct lw_value v)
{
    uint32_t holder = holder_of(&c->frame->file->tree, target);
    ck_on_store(c, target, owner, index, v);
    struct lw_value whole = holder == LW_NO_NODE ? lw_v_unknown() : ck_eval(c, holder);
    if (whole.kind != LW_V_TENSOR || whole.tensor->variable == LW_TRI_YES ||
        whole.tensor->framework == LW_PANDAS)
        return;
    struct lw_tensor now = filled(c, whole.tensor, index, v);
    replace(c, holder, whole, lw_v_tensor(c->arena, &now));
}
