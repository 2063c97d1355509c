#include "check/engine/forget.h"

#include "base/str.h"
#include "check/engine/syntax.h"

static void forget_vacant(struct ck *c, const struct ck_object *o)
{
    for (struct ck_slot *s = o->fields.first; s; s = s->next)
        if (ck_is_vacant(s->value))
            heap_set(&c->heap, s, lw_v_unknown());
}

/* ---- what the class does to its objects ---------------------------------------------------
 */

/* self.total += …: counters and sums are not what __init__ or reset() left. */
static void forget_sum(struct ck *c, struct ck_slot *s)
{
    if (s && (s->value.kind == LW_V_TENSOR || s->value.kind == LW_V_INT ||
              s->value.kind == LW_V_FLOAT))
        heap_set(&c->heap, s, lw_v_unknown());
}

/* self.table[i] = v: the tensor has other values than __init__ put in. */
static void forget_range(struct ck *c, struct ck_slot *s)
{
    if (!s || s->value.kind != LW_V_TENSOR)
        return;
    struct lw_tensor t = *s->value.tensor;
    t.range = lw_iv_unknown();
    if (t.framework == LW_TORCH && t.grad == LW_TRI_NO)
        t.grad = LW_TRI_MAYBE;
    heap_set(&c->heap, s, lw_v_tensor(c->arena, &t));
}

/* What a class or a method does to fields of self, read once from its text. */
struct effects {
    uint32_t *sums;         /* CLASS: names that something is added to; FUNCTION: assigned */
    uint32_t *ranges;       /* CLASS: names of which items are set */
    struct ck_slot **slots; /* CLASS: its methods that assign something */
    uint32_t sum_count, range_count, slot_count;
    uint32_t members; /* of the class, when it was read */
};

typedef LW_VEC(uint32_t) name_list;

static void note(struct ck *c, name_list *list, struct lw_str name)
{
    if (lw_vec_push(c->mem, list, heap_intern(&c->heap, name)) < 0)
        c->heap.failed = true;
}

static uint32_t *keep_names(struct ck *c, name_list *list, uint32_t *count)
{
    uint32_t *v = lw_arena_array(c->arena, list->n + 1, sizeof *v);
    *count = v ? (uint32_t)list->n : 0;
    for (uint32_t i = 0; i < *count; i++)
        v[i] = list->v[i];
    c->heap.failed |= !v;
    lw_vec_release(c->mem, list);
    return v;
}

static void read_updated(struct ck *c, const struct ck_object *cls, struct effects *out)
{
    const struct lw_tree *t = &cls->file->tree;
    name_list sums = {0}, ranges = {0};
    for (uint32_t n = cls->node; n != LW_NO_NODE; n = lw_tree_next(t, cls->node, n, false)) {
        bool added = lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN;
        if (!added && lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        uint32_t target = lw_tree_get(t, n, added ? LW_ROLE_TARGET : LW_ROLE_TARGETS);
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT) {
            uint32_t holder = syntax_holder(t, target);
            if (syntax_is_of_self(t, holder))
                note(c, &ranges, lw_tree_name(t, holder));
        } else if (added && lw_tree_kind(t, target) == LW_NODE_ATTRIBUTE)
            note(c, &sums, lw_tree_name(t, target));
    }
    out->sums = keep_names(c, &sums, &out->sum_count);
    out->ranges = keep_names(c, &ranges, &out->range_count);
}

static struct effects *effects_of(struct ck *c, struct ck_object *o)
{
    if (!o->extra)
        o->extra = lw_arena_alloc(c->arena, sizeof(struct effects));
    c->heap.failed |= !o->extra;
    return o->extra;
}

/* `self.drop = …` in a method. */
static const struct effects *assigned_by(struct ck *c, struct ck_object *method)
{
    const struct lw_tree *t = &method->file->tree;
    name_list names = {0};
    struct effects *e = effects_of(c, method);
    if (!e || e->sums)
        return e;
    for (uint32_t n = method->node; n != LW_NO_NODE;
         n = lw_tree_next(t, method->node, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        for (uint32_t target = lw_tree_each(t, n, LW_ROLE_TARGETS, LW_NO_NODE);
             target != LW_NO_NODE; target = lw_tree_each(t, n, LW_ROLE_TARGETS, target))
            if (syntax_is_of_self(t, target))
                note(c, &names, lw_tree_name(t, target));
    }
    e->sums = keep_names(c, &names, &e->sum_count);
    return e;
}

static struct ck_object *method_in(const struct ck_slot *s)
{
    struct ck_object *method = ck_as(s->value, CK_FUNCTION);
    return method && method->file && !lw_str_eq(method->name, LW_S("__init__")) ? method : NULL;
}

/* The effects of a class; its methods are looked through again when it got more. */
static const struct effects *effects_of_class(struct ck *c, struct ck_object *cls)
{
    struct effects *e = effects_of(c, cls);
    if (!e || (e->slots && e->members == cls->fields.n))
        return e;
    if (!e->sums && cls->file)
        read_updated(c, cls, e);
    e->members = cls->fields.n;
    e->slot_count = 0;
    e->slots = lw_arena_array(c->arena, cls->fields.n + 1u, sizeof *e->slots);
    for (struct ck_slot *s = cls->fields.first; e->slots && s; s = s->next) {
        struct ck_object *method = method_in(s);
        const struct effects *own = method ? assigned_by(c, method) : NULL;
        if (own && own->sum_count)
            e->slots[e->slot_count++] = s;
    }
    return e;
}

void forget_before(struct ck *c, const struct ck_object *f, struct lw_value self)
{
    const struct ck_object *o = ck_as(self, CK_INSTANCE);
    if (!o)
        return;
    forget_vacant(c, o);
    const struct effects *e = f->of ? effects_of_class(c, f->of) : NULL;
    for (uint32_t i = 0; e && f->of->file == f->file && i < e->range_count; i++)
        forget_range(c, fields_find(&o->fields, e->ranges[i]));
    for (uint32_t i = 0; e && f->of->file == f->file && i < e->sum_count; i++)
        forget_sum(c, fields_find(&o->fields, e->sums[i]));
    /* what a method that was not run leaves, if it ran before, is not known */
    for (uint32_t i = 0; e && i < e->slot_count; i++) {
        struct ck_object *method = method_in(e->slots[i]);
        const struct effects *own =
            method && method != f && !method->called ? assigned_by(c, method) : NULL;
        for (uint32_t k = 0; own && k < own->sum_count; k++) {
            struct ck_slot *s = fields_find(&o->fields, own->sums[k]);
            if (s)
                heap_set(&c->heap, s, lw_v_unknown());
        }
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
