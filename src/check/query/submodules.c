/* Going through a module and all that is in it. */
#include "base/err.h"
#include "check/query/submodules.h"

#include "check/engine/traits.h"
#include "check/query/look.h"

enum { MAX_NESTING = 6 };

static bool any_inside(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                       const void *data, unsigned depth);

static bool any_in_list(struct ck *c, struct lw_value list, submodules_visit *visit,
                        const void *data, unsigned depth)
{
    struct lw_seq seq;
    if (list.kind != CK_LIST || !ck_sequence(c, list, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        if (o && any_inside(c, o, visit, data, depth))
            return true;
    }
    return false;
}

static bool any_inside(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                       const void *data, unsigned depth)
{
    if (depth > MAX_NESTING)
        return true; /* not known: as if it held */
    if (visit(c, module, data) ||
        any_in_list(c, ck_trait(module, TRAIT_ITEMS), visit, data, depth + 1))
        return true;
    for (const struct ck_slot *s = module->fields.first; s; s = s->next) {
        const struct ck_object *o = ck_as(s->value, CK_INSTANCE);
        if ((o && any_inside(c, o, visit, data, depth + 1)) ||
            any_in_list(c, s->value, visit, data, depth + 1))
            return true;
    }
    return false;
}

bool submodules_any(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                    const void *data)
{
    LW_BUG_ON(!module || !visit);
    return any_inside(c, module, visit, data, 0);
}

bool submodules_is_weighty(const struct ck_object *o)
{
    struct lw_str role = !o->of && o->api ? lw_api_fact(o->api, "role") : (struct lw_str){0};
    return text_is(role, "dense") || text_is(role, "conv") || text_is(role, "recurrent");
}
