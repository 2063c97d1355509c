#include "check/engine/forget.h"

#include "base/str.h"
#include "check/engine/syntax.h"

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
    uint32_t members; /* CLASS: how many when it was read */
    uint32_t held_by; /* FUNCTION: number of the forget_self that counts it; 0: none */
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

/* ---- one object ---------------------------------------------------------------------------
 */

static struct forget_field *field_of(struct ck *c, struct forget_self *s, uint32_t name)
{
    bool is_new = false;
    struct lw_map_entry *e = lw_map_put(&s->names, heap_name(&c->heap, name), &is_new);
    if (e && is_new) {
        e->value = s->fields.n;
        struct forget_field field = {.slot = fields_find(&s->object->fields, name)};
        if (lw_vec_push(c->mem, &s->fields, field) < 0)
            e = NULL;
    }
    c->heap.failed |= !e;
    return e && e->value < s->fields.n ? &s->fields.v[e->value] : NULL;
}

static void forget_field(struct ck *c, struct forget_field *f, struct ck_slot *slot)
{
    f->slot = slot;
    f->known = slot->value;
    heap_set(&c->heap, slot, lw_v_unknown());
}

/* What a method that was not run leaves, if it ran before, is not known. */
static void hold(struct ck *c, struct forget_self *s, struct ck_object *method)
{
    struct effects *own = effects_of(c, method);
    if (!own || method->called || own->held_by == s->number)
        return;
    own->held_by = s->number;
    for (uint32_t i = 0; i < own->sum_count; i++) {
        struct forget_field *f = field_of(c, s, own->sums[i]);
        if (f && f->methods++ == 0 && f->slot)
            forget_field(c, f, f->slot);
    }
}

/* The method is run: what it assigns is what it leaves there. */
static void release(struct ck *c, struct forget_self *s, const struct ck_object *method)
{
    struct effects *own = method->extra;
    if (!own || own->held_by != s->number)
        return;
    own->held_by = 0;
    for (uint32_t i = 0; i < own->sum_count; i++) {
        struct forget_field *f = field_of(c, s, own->sums[i]);
        if (f && --f->methods == 0)
            heap_set(&c->heap, f->slot, f->known);
    }
}

/* model.name = … somewhere in the program: what __init__ left there is not what a method finds.
 */
static bool is_written_outside(struct ck *c, const struct ck_slot *s)
{
    bool plain = s->value.kind == LW_V_INT || s->value.kind == LW_V_FLOAT ||
                 s->value.kind == LW_V_NONE || s->value.kind == LW_V_BOOL ||
                 s->value.kind == LW_V_STR || s->value.kind == LW_V_TUPLE;
    return plain && ck_stores_outside(&c->shared->stores, heap_name(&c->heap, s->name));
}

/* Attributes that the object got since the last look, and its traits, which are few. */
static void forget_new(struct ck *c, struct forget_self *s)
{
    for (struct ck_slot *trait = s->object->traits; trait; trait = trait->next)
        if (ck_is_vacant(trait->value))
            heap_set(&c->heap, trait, lw_v_unknown());
    struct ck_slot *slot = s->last ? s->last->next : s->object->fields.first;
    for (; slot; slot = slot->next) {
        s->last = slot;
        if (ck_is_vacant(slot->value) || is_written_outside(c, slot))
            heap_set(&c->heap, slot, lw_v_unknown());
        const struct lw_map_entry *e = lw_map_find(&s->names, heap_name(&c->heap, slot->name));
        struct forget_field *f = e ? &s->fields.v[e->value] : NULL;
        if (f && !f->slot && f->methods)
            forget_field(c, f, slot);
    }
}

static void forget_begin(struct ck *c, struct forget_self *s, const struct ck_object *o,
                         struct ck_object *cls)
{
    *s = (struct forget_self){.object = o, .cls = cls, .number = s->number + 1};
    s->mark = heap_mark(&c->heap);
    s->calls = c->called.n;
    lw_map_init(&s->names, c->mem);
    forget_new(c, s);
    const struct effects *e = cls ? effects_of_class(c, cls) : NULL;
    for (uint32_t i = 0; e && i < e->range_count; i++)
        forget_range(c, fields_find(&o->fields, e->ranges[i]));
    for (uint32_t i = 0; e && i < e->sum_count; i++)
        forget_sum(c, fields_find(&o->fields, e->sums[i]));
    for (uint32_t i = 0; e && i < e->slot_count; i++) {
        struct ck_object *method = method_in(e->slots[i]);
        if (method && assigned_by(c, method))
            hold(c, s, method);
    }
}

void forget_end(struct ck *c, struct forget_self *s)
{
    if (!s->object)
        return;
    heap_undo(&c->heap, s->mark);
    lw_map_release(&s->names);
    lw_vec_release(c->mem, &s->fields);
    s->object = NULL;
}

void forget_before(struct ck *c, struct forget_self *s, struct ck_object *f,
                   struct lw_value self)
{
    const struct ck_object *o = ck_as(self, CK_INSTANCE);
    if (o != s->object || f->of != s->cls) {
        forget_end(c, s);
        if (o)
            forget_begin(c, s, o, f->of);
    }
    if (!o)
        return;
    for (; s->calls < c->called.n; s->calls++)
        release(c, s, c->called.v[s->calls]);
    release(c, s, f);
    forget_new(c, s);
}

/* ---- until it is undone -------------------------------------------------------------------
 */

static void forget_slot(struct ck *c, struct ck_slot *s, forget_changes *out)
{
    if (lw_vec_push(c->mem, out, (struct ck_change){s, s->value}) < 0)
        c->heap.failed = true;
    else
        heap_set(&c->heap, s, lw_v_unknown());
}

void forget_globals(struct ck *c, struct ck_file *f, forget_changes *out)
{
    for (struct ck_slot *s = f->env->vars.first; s; s = s->next)
        if (ck_is_vacant(s->value))
            forget_slot(c, s, out);
}

void forget_written(struct ck *c, const struct ck_object *o, forget_changes *out)
{
    for (struct ck_slot *s = o->fields.first; s; s = s->next)
        if (is_written_outside(c, s))
            forget_slot(c, s, out);
}

void forget_undo(struct ck *c, const forget_changes *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        if (changes->v[i].slot->value.kind == LW_V_UNKNOWN)
            heap_set(&c->heap, changes->v[i].slot, changes->v[i].value);
}
