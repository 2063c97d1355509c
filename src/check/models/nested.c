#include "check/models/nested.h"

#include "check/models/models.h"

enum {
    MAX_INSIDE = 64, /* containers inside each other: the stack is not endless */
    ALL_RUN = 64,    /* layers that are run even if they are known, for rules that count */
};

bool nested_alike(struct lw_value a, struct lw_value b)
{
    const struct lw_tensor *x = ck_tensor_of(a), *y = ck_tensor_of(b);
    if (!x || !y)
        return a.kind == b.kind && a.kind == LW_V_UNKNOWN;
    bool same = x->shape.n == y->shape.n && x->shape.gap == y->shape.gap;
    for (uint32_t i = 0; same && i < x->shape.n; i++)
        same = x->shape.d[i] == y->shape.d[i];
    return same && x->dtype == y->dtype && x->device == y->device &&
           x->framework == y->framework && x->grad == y->grad && x->variable == y->variable &&
           x->range.lo == y->range.lo && x->range.hi == y->range.hi &&
           x->range.flags == y->range.flags;
}

/* The objects of an engine are numbered: the number is the key. */
static struct lw_str key_of(const struct ck_object *o)
{
    return (struct lw_str){(const char *)&o->id, sizeof o->id};
}

bool nested_enter(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value *out)
{
    struct ck_nested *s = &c->nested;
    if (s->depth == 0) {
        lw_map_clear(&s->known);
        s->runs.n = 0;
        s->layers = 0;
    }
    *out = lw_v_unknown();
    if (s->depth >= MAX_INSIDE || !ck_step(c))
        return false;
    const struct lw_map_entry *e =
        s->layers >= ALL_RUN ? lw_map_find(&s->known, key_of(o)) : NULL;
    if (e && nested_alike(s->runs.v[e->value].in, in)) {
        *out = s->runs.v[e->value].out;
        return false;
    }
    s->depth++;
    return true;
}

void nested_leave(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value out)
{
    struct ck_nested *s = &c->nested;
    bool is_new;
    if (--s->depth == 0) /* it is over, and nothing is asked again */
        return;
    struct lw_map_entry *e = lw_map_put(&s->known, key_of(o), &is_new);
    if (e && is_new) {
        e->value = s->runs.n;
        if (lw_vec_push(c->mem, &s->runs, (struct ck_run_of){0}) < 0)
            e = NULL;
    }
    if (e)
        s->runs.v[e->value] = (struct ck_run_of){.in = in, .out = out};
    else
        c->stopped = true;
}

struct lw_value nested_apply(struct ck *c, struct lw_value module, struct lw_value in,
                             uint32_t node)
{
    if (!ck_step(c))
        return lw_v_unknown();
    c->nested.layers++;
    return ck_apply(c, module, in, node);
}
