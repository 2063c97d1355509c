/* The attributes of an object as a dictionary: obj.__dict__.update(options), vars(args),
 * locals().
 */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/library.h"
#include "check/engine/traits.h"

static void forget_slots(struct ck *c, struct ck_slot *first)
{
    for (struct ck_slot *s = first; s; s = s->next)
        if (s->value.kind != LW_V_ABSENT)
            heap_set(&c->heap, s, lw_v_unknown());
}

/* Anything may have been set. */
static void forget_all(struct ck *c, struct ck_object *o)
{
    forget_slots(c, o->fields.first);
    forget_slots(c, o->traits);
    o->open = true;
}

void ck_set_fields(struct ck *c, struct ck_object *o, struct lw_value pairs)
{
    LW_BUG_ON(!o);
    const struct lw_dict *d;
    if (!ck_pairs(pairs, &d)) {
        forget_all(c, o);
        return;
    }
    bool known = !d->open;
    for (uint32_t i = 0; i < d->n; i++)
        known &= d->keys[i].kind == LW_V_STR && d->keys[i].str.p;
    if (!known)
        forget_all(c, o);
    for (uint32_t i = 0; i < d->n; i++)
        if (d->keys[i].kind == LW_V_STR && d->keys[i].str.p)
            ck_set_attr(c, ck_value(o), d->keys[i].str,
                        known ? d->values[i] : ck_join(c, d->values[i], lw_v_unknown()));
}

/* Only what `update` is called on is worth an object of its own: what is read, printed or
 * unpacked is not followed. */
struct lw_value ck_fields_of(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t use = node == LW_NO_NODE ? LW_NO_NODE : lw_tree_parent(t, node);
    if (v.kind != CK_INSTANCE || use == LW_NO_NODE ||
        lw_tree_kind(t, use) != LW_NODE_ATTRIBUTE ||
        !lw_str_eq(lw_tree_name(t, use), LW_S("update")))
        return lw_v_unknown();
    struct ck_object *fields = ck_new(c, CK_INSTANCE, node);
    if (!fields)
        return lw_v_unknown();
    fields->name = LW_S("object.__dict__");
    fields->open = true;
    ck_set_trait(c, fields, TRAIT_OWNER, v);
    return ck_value(fields);
}

static void fields_update(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_object *fields = ck_as(call->self, CK_INSTANCE);
    struct ck_object *o = fields ? ck_as(ck_trait(fields, TRAIT_OWNER), CK_INSTANCE) : NULL;
    *value = lw_v_none();
    for (size_t i = 0; o && i < call->n; i++) {
        const struct lw_arg *a = &call->args[i];
        if (a->name.n && !a->star)
            ck_set_attr(c, ck_value(o), a->name, a->value);
        else
            ck_set_fields(c, o, a->value);
    }
}

static void fn_vars(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    if (call->n == 1)
        *value = ck_fields_of(c, ck_arg(call, 0, NULL), call->node);
}

static void fn_locals(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_fields *vars = &c->frame->env->vars;
    struct lw_value *keys = ck_values(c, vars->n), *values = ck_values(c, vars->n);
    struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
    if (!keys || !values || !d || !c->frame->function)
        return; /* those of a module are too many, and nobody wants them */
    *d = (struct lw_dict){.keys = keys, .values = values};
    for (const struct ck_slot *s = vars->first; s && d->n < vars->n; s = s->next)
        if (s->value.kind != LW_V_ABSENT) {
            keys[d->n] = lw_v_str(heap_name(&c->heap, s->name));
            values[d->n++] = s->value;
        }
    *value = ck_new_dict(c, d, call->node);
}

const struct ck_handler ck_handlers_fields[] = {
    {"builtins.locals", fn_locals},
    {"builtins.vars", fn_vars},
    {"object.__dict__.update", fields_update},
    {NULL, NULL},
};
