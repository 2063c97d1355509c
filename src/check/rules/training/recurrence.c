/* Rules about recurrent layers whose state has no bound. */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

enum { MANY_STEPS = 8 };

/* The state of an LSTM or GRU is bounded by tanh. With relu it is added up or multiplied from
 * step to step. */
static void watch_recurrent(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    struct lw_value x = e->call->n ? e->call->args[0].value : lw_v_unknown();
    const struct lw_tensor *t = ck_tensor_of(x);
    bool opaque = false;
    int64_t steps = 0;
    struct ck_object *inner =
        o && !o->of && o->api ? ck_as(ck_config(o, "layer"), CK_INSTANCE) : NULL;
    if (inner && text_is(text_tail(o->api->name), "Bidirectional"))
        o = inner;
    if (!o || o->of || !o->api)
        return;
    struct lw_str name = text_tail(o->api->name);
    struct lw_str act = mv_activation(c, ck_config(o, "activation"), &opaque);
    bool grows = text_is(act, "exp");
    if ((!text_is(name, "LSTM") && !text_is(name, "GRU")) || (!grows && !text_is(act, "relu")))
        return;
    bool known = t && lw_shape_has_rank(&t->shape) && t->shape.n == 3 &&
                 lw_dim_is_int(c->dims, t->shape.d[1], &steps);
    if (known && steps < MANY_STEPS && !grows)
        return;
    ck_find_at(c, o->file, o->node, "training/unbounded-recurrence", NULL, 0,
               "%s in a recurrent layer does not bound its state from step to step: values "
               "explode or stay at 0; keep the default tanh",
               grows ? "an exponential" : "relu");
}

static void make_bounded(struct fix *f)
{
    fix_drop_argument(f, "activation");
}

const struct ck_rule rules_training_recurrence[] = {
    {"training/unbounded-recurrence", CK_EV_LAYER, watch_recurrent, make_bounded},
    {0},
};
