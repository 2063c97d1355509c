/* Rules about a softmax over one unit. */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

static const char *const ONE_UNIT =
    "softmax over one unit is always 1, so nothing is learned: use sigmoid for two classes, or "
    "one unit per class for more";

/* return softmax(…): what a network answers with, and not weights of something. */
static bool is_returned(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    return node != LW_NO_NODE && lw_tree_kind(t, lw_tree_parent(t, node)) == LW_NODE_RETURN;
}

/* Is the axis that the softmax runs over of size 1? Of data that is not known it is taken to be
 * the features: axis 1 or the last. */
static bool one_unit(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *t = ck_tensor_of(e->value);
    static const char *const names[] = {"dim", "axis"};
    int64_t axis = -1, size;
    bool known = t && lw_shape_has_rank(&t->shape);
    if (!t || (known && t->shape.n < 2))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_value v =
            e->object ? ck_config(e->object, names[i]) : ck_slot_value(e->call, names[i]);
        if (v.kind == LW_V_UNKNOWN)
            return false;
        if (v.kind != LW_V_ABSENT && v.kind != LW_V_NONE && !ck_int_of(c, v, &axis))
            return false;
    }
    /* Behind pooling and the like axis 1 need not be the last. */
    const struct ck_origin *o = known ? NULL : ck_origin_of(c, lineage_operand(e->call));
    bool dense =
        o && o->layer && o->layer->api && text_is(lw_api_fact(o->layer->api, "role"), "dense");
    if (!known)
        return (axis == -1 || (axis == 1 && dense && is_returned(c, e->node))) &&
               e->call->name.n && lw_str_has_prefix(e->call->name, LW_S("torch.")) &&
               lw_dim_is_int(c->dims, lw_shape_at(&t->shape, -1), &size) && size == 1;
    axis += axis < 0 ? t->shape.n : 0;
    return axis > 0 && axis < t->shape.n && t->shape.n == 2 &&
           lw_dim_is_int(c->dims, t->shape.d[axis], &size) && size == 1;
}

/* `Dense(1, activation='softmax')`, seen where it is made; the others where they are applied.
 */
static void watch_softmax(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    bool opaque = false;
    int64_t units;
    if (!api || (e->object && e->object->of))
        return;
    struct lw_str name = lw_api_fact(api, "activation");
    struct lw_str role = lw_api_fact(api, "role");
    if (!name.n && e->kind == CK_EV_LAYER)
        name = mv_activation(c, ck_config(e->object, "activation"), &opaque);
    else if (!name.n && (text_is(role, "dense") || text_is(role, "activation")))
        name = mv_activation(c, ck_slot_value(e->call, "activation"), &opaque);
    if (!text_is(name, "softmax"))
        return;
    if (one_unit(c, e) || (e->kind == CK_EV_CALL && text_is(role, "dense") &&
                           ck_int_of(c, ck_slot_value(e->call, "units"), &units) && units == 1))
        ck_find(c, e->node, "architecture/softmax-one-unit", &e->value, 1, "%s", ONE_UNIT);
}

static void make_sigmoid(struct fix *f)
{
    fix_swap_activation(f, fix_layer_call(f), LW_S("softmax"), LW_S("sigmoid"));
    if (!f->n && fix_is_call(f, f->node))
        fix_swap_function(f, f->node, "softmax", "sigmoid");
}

const struct ck_rule rules_architecture_softmax_one_unit[] = {
    {"architecture/softmax-one-unit", CK_EV_CALL | CK_EV_LAYER, watch_softmax, make_sigmoid},
    {0},
};
