/* Rules about Keras and TensorFlow programs. */
#include "base/str.h"
#include "check/lib.h"
#include "check/model_view.h"
#include "check/rules.h"

/* ---- compile and fit ----------------------------------------------------------------------
 */

static bool is_loaded(struct ck *c, const struct ck_object *o)
{
    (void)c;
    return !o->api || o->open;
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    if (ck_field(c, o, "(compiled)").kind != LW_V_ABSENT || is_loaded(c, o) ||
        (o->of && ck_class_member(c, o->of, LW_S("compile"), NULL).kind != LW_V_ABSENT) ||
        (o->of && ck_class_member(c, o->of, LW_S("fit"), NULL).kind != LW_V_ABSENT) ||
        c->frame->guarded)
        return;
    /* Compiled somewhere that was not followed? */
    for (size_t i = 0; i < c->files.n; i++)
        if (o->of && lw_str_find(c->files.v[i]->source.text, LW_S(".compile(")) != LW_NPOS)
            return;
    ck_find(c, e->node, "api/fit-before-compile", NULL, 0,
            "the model is trained but never compiled: call compile() before fit()");
}

/* A tf.data set whose elements are single samples. */
static void watch_unbatched(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct ck_object *o = ck_as(x, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || ck_field(c, o, "(unbatched)").kind != LW_V_BOOL ||
        ck_field(c, o, "(unbatched)").tri != LW_TRI_YES)
        return;
    struct lw_value element = ck_field(c, o, "(element)");
    if (element.kind != LW_V_TUPLE || !ck_sequence(c, element, &seq) || seq.n < 2 ||
        seq.items[1].kind != LW_V_TENSOR || !lw_shape_has_rank(&seq.items[1].tensor->shape) ||
        seq.items[1].tensor->shape.n > 0)
        return;
    ck_find(c, e->node, "type/unbatched-dataset", &seq.items[1], 1,
            "the data set yields single samples: call batch() before it goes to the model");
}

/* ---- keras and tf.keras -------------------------------------------------------------------
 */

static int family(struct lw_str spelt)
{
    if (lw_str_has_prefix(spelt, LW_S("keras.")))
        return 1;
    if (lw_str_has_prefix(spelt, LW_S("tensorflow.keras.")) ||
        lw_str_has_prefix(spelt, LW_S("tensorflow.python.keras.")))
        return 2;
    return 0;
}

static void watch_mixture(struct ck *c, const struct ck_event *e)
{
    struct ck_object *model = ck_as(e->call->self, CK_INSTANCE);
    struct ck_object *layer = ck_as(ck_arg(e->call, 0, "layer"), CK_INSTANCE);
    if (!lw_str_has_suffix(e->call->name, LW_S(".add")) || !model || !layer)
        return;
    int a = family(model->spelt), b = family(layer->spelt);
    if (a && b && a != b)
        ck_find(c, e->node, "api/mixed-keras", NULL, 0,
                "the model is made by '%.*s', the layer by '%.*s': objects of keras and "
                "tf.keras do not work together",
                LW_F(model->spelt), LW_F(layer->spelt));
}

/* ---- logits and probabilities -------------------------------------------------------------
 */

/* A loss that wants logits and gets what was activated already. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    const struct ck_call *call = e->call;
    const struct lw_api *api = call->api ? call->api : e->object ? e->object->api : NULL;
    if (!api || api->kind != LW_API_LOSS)
        return;
    struct lw_str wants = lw_api_fact(api, "wants");
    if (e->kind == CK_EV_CALL && api->side[LW_API_CALL].present && !e->object)
        return; /* only made; the call comes as LAYER */
    struct lw_value input = lw_v_absent();
    static const char *const names[] = {"input", "logits", "y_pred", "output", "predictions"};
    for (size_t i = 0; i < sizeof names / sizeof *names && input.kind == LW_V_ABSENT; i++)
        input = ck_slot_value(call, names[i]);
    struct lw_value from_logits =
        e->object ? ck_config(e->object, "from_logits") : ck_slot_value(call, "from_logits");
    bool logits = lw_str_eq(wants, LW_S("logits")) ||
                  (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES);
    struct lw_str act = mv_last_activation(c, input);
    if (!logits || !act.n)
        return;
    if (lw_str_eq(act, LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &input, 1,
                "the loss applies a softmax of its own to what is a softmax already: give it "
                "the values before the activation");
    else if (lw_str_eq(act, LW_S("sigmoid")))
        ck_find(c, e->node, "architecture/double-sigmoid", &input, 1,
                "the loss applies a sigmoid of its own to what is a sigmoid already: give it "
                "the values before the activation");
}

/* softmax(softmax(x)), also as a layer behind a layer. */
static void watch_activation(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    if (!api || (e->object && e->object->of))
        return;
    struct lw_str own = lw_api_fact(api, "activation");
    if (!lw_str_eq(own, LW_S("softmax")) || e->value.kind != LW_V_TENSOR)
        return;
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!o || o->in_count == 0)
        return;
    if (lw_str_eq(mv_last_activation(c, o->in[0]), LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &o->in[0], 1,
                "softmax of a softmax: the probabilities become nearly equal");
}

/* ---- layers that cannot be saved ----------------------------------------------------------
 */

static void watch_lambda(struct ck *c, const struct ck_event *e)
{
    const struct lw_dict *d;
    if (!lw_str_eq(e->call->name, LW_S("keras.layers.Lambda")) ||
        !ck_pairs(ck_slot_value(e->call, "arguments"), &d))
        return;
    if (!ck_mentions(c, "ModelCheckpoint") && !ck_mentions(c, ".save("))
        return;
    for (uint32_t i = 0; i < d->n; i++)
        if (d->values[i].kind == LW_V_TENSOR && (d->values[i].tensor->framework == LW_TF ||
                                                 d->values[i].tensor->framework == LW_KERAS)) {
            ck_find(
                c, e->node, "api/unserialisable-layer", &d->values[i], 1,
                "the arguments of the Lambda layer hold tensors: the model cannot be saved; "
                "use plain numbers, or a layer of its own class");
            return;
        }
}

const struct ck_rule ck_rules_keras[] = {
    {CK_EV_FIT, watch_fit},
    {CK_EV_FIT, watch_unbatched},
    {CK_EV_CALL, watch_mixture},
    {CK_EV_CALL | CK_EV_LAYER, watch_loss},
    {CK_EV_CALL | CK_EV_LAYER, watch_activation},
    {CK_EV_CALL, watch_lambda},
    {0, NULL},
};
