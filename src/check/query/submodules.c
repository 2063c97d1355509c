/* Going through a module and all that is in it. */
#include "check/query/submodules.h"

#include "check/query/look.h"

enum { MAX_NESTING = 6 };

static bool any_inside(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                       const void *data, unsigned depth)
{
    struct lw_seq seq;
    if (depth > MAX_NESTING)
        return true; /* not known: as if it held */
    if (visit(c, module, data))
        return true;
    for (const struct ck_slot *s = module->fields.first; s; s = s->next) {
        const struct ck_object *o = ck_as(s->value, CK_INSTANCE);
        if (o && any_inside(c, o, visit, data, depth + 1))
            return true;
        if (s->value.kind != CK_LIST || !ck_sequence(c, s->value, &seq))
            continue;
        for (uint32_t i = 0; i < seq.n; i++) {
            o = ck_as(seq.items[i], CK_INSTANCE);
            if (o && any_inside(c, o, visit, data, depth + 1))
                return true;
        }
    }
    return false;
}

bool submodules_any(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                    const void *data)
{
    return any_inside(c, module, visit, data, 0);
}

bool submodules_is_weighty(const struct ck_object *o)
{
    struct lw_str role = !o->of && o->api ? lw_api_fact(o->api, "role") : (struct lw_str){0};
    return text_is(role, "dense") || text_is(role, "conv") || text_is(role, "recurrent");
}
