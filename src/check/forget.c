#include "check/forget.h"

#include "base/str.h"
#include "check/look.h"

static void forget_vacant(struct ck *c, const struct ck_object *o)
{
    for (struct ck_slot *s = o->fields.first; s; s = s->next)
        if (ck_is_vacant(s->value))
            heap_set(&c->heap, s, lw_v_unknown());
}

/* ---- what the class does to its objects ---------------------------------------------------
 */

/* self.total += …: counters and sums are not what __init__ or reset() left. */
static void forget_sum(struct ck *c, const struct ck_object *o, struct lw_str name)
{
    struct ck_slot *s = ck_field_slot(c, o, name);
    if (s && (s->value.kind == LW_V_TENSOR || s->value.kind == LW_V_INT ||
              s->value.kind == LW_V_FLOAT))
        heap_set(&c->heap, s, lw_v_unknown());
}

/* self.table[i] = v: the tensor has other values than __init__ put in. */
static void forget_range(struct ck *c, const struct ck_object *o, struct lw_str name)
{
    struct ck_slot *s = ck_field_slot(c, o, name);
    if (!s || s->value.kind != LW_V_TENSOR)
        return;
    struct lw_tensor t = *s->value.tensor;
    t.range = lw_iv_unknown();
    if (t.framework == LW_TORCH && t.grad == LW_TRI_NO)
        t.grad = LW_TRI_MAYBE;
    heap_set(&c->heap, s, lw_v_tensor(c->arena, &t));
}

static void forget_updated(struct ck *c, const struct ck_object *cls, const struct ck_object *o)
{
    const struct lw_tree *t = &cls->file->tree;
    for (uint32_t n = cls->node; n != LW_NO_NODE; n = lw_tree_next(t, cls->node, n, false)) {
        bool added = lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN;
        if (!added && lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        uint32_t target = lw_tree_get(t, n, added ? LW_ROLE_TARGET : LW_ROLE_TARGETS);
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT) {
            uint32_t holder = look_holder(t, target);
            if (look_is_of_self(t, holder))
                forget_range(c, o, lw_tree_name(t, holder));
        } else if (added && lw_tree_kind(t, target) == LW_NODE_ATTRIBUTE)
            forget_sum(c, o, lw_tree_name(t, target));
    }
}

/* `self.drop = …` in a method that was not run: what it left, if it ran before, is not known.
 */
static void forget_assigned(struct ck *c, const struct ck_object *method,
                            const struct ck_object *o)
{
    const struct lw_tree *t = &method->file->tree;
    for (uint32_t n = method->node; n != LW_NO_NODE;
         n = lw_tree_next(t, method->node, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        for (uint32_t target = lw_tree_each(t, n, LW_ROLE_TARGETS, LW_NO_NODE);
             target != LW_NO_NODE; target = lw_tree_each(t, n, LW_ROLE_TARGETS, target)) {
            if (!look_is_of_self(t, target))
                continue;
            struct ck_slot *s = ck_field_slot(c, o, lw_tree_name(t, target));
            if (s)
                heap_set(&c->heap, s, lw_v_unknown());
        }
    }
}

void forget_before(struct ck *c, const struct ck_object *f, struct lw_value self)
{
    const struct ck_object *o = ck_as(self, CK_INSTANCE);
    if (!o)
        return;
    forget_vacant(c, o);
    if (!f->of)
        return;
    if (f->of->file == f->file)
        forget_updated(c, f->of, o);
    for (struct ck_slot *s = f->of->fields.first; s; s = s->next) {
        const struct ck_object *method = ck_as(s->value, CK_FUNCTION);
        if (method && method != f && !method->called && method->file &&
            !lw_str_eq(method->name, LW_S("__init__")))
            forget_assigned(c, method, o);
    }
}

/* ---- the module ---------------------------------------------------------------------------
 */

void forget_globals(struct ck *c, struct ck_file *f, forget_changes *out)
{
    for (struct ck_slot *s = f->env->vars.first; s; s = s->next) {
        if (!ck_is_vacant(s->value))
            continue;
        if (lw_vec_push(c->mem, out, (struct ck_change){s, s->value}) < 0)
            c->heap.failed = true;
        else
            heap_set(&c->heap, s, lw_v_unknown());
    }
}

void forget_undo(struct ck *c, const forget_changes *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        if (changes->v[i].slot->value.kind == LW_V_UNKNOWN)
            heap_set(&c->heap, changes->v[i].slot, changes->v[i].value);
}
