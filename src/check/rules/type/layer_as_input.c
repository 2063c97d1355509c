/* Rules about layers that stand where a tensor belongs. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void watch_layer_as_input(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_LAYER_AS_INPUT)
        ck_find(c, e->node, "type/layer-as-input", &e->a, 1,
                "the model gets the layer or model of %.*s instead of a tensor: call it on a "
                "tensor first, or use its output",
                LW_F(ck_show_place(c, c->frame->file, ck_object_of(e->a)->place)));
}

/* A layer or model of Keras or PyTorch; of the program's own classes only those that are. */
static bool is_layer(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    return o && o->api && !o->open && (ck_is_keras_layer(c, o) || ck_is_torch_module(c, o));
}

/* The layer itself, or one in a list; ABSENT: none. */
static struct lw_value layer_in(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    if (is_layer(c, v))
        return v;
    if ((v.kind == CK_LIST || v.kind == LW_V_TUPLE) && ck_sequence(c, v, &seq))
        for (uint32_t i = 0; i < seq.n && i < 16; i++)
            if (is_layer(c, seq.items[i]))
                return seq.items[i];
    return lw_v_absent();
}

static void complain(struct ck *c, uint32_t node, struct lw_str taker, struct lw_value layer)
{
    const struct ck_object *o = ck_object_of(layer);
    ck_find(c, node, "type/layer-as-input", &layer, 1,
            "%.*s gets the layer %.*s of %.*s instead of a tensor: call the layer on a tensor "
            "first",
            LW_F(text_tail(taker)), LW_F(text_tail(o->of ? o->of->name : o->name)),
            LW_F(ck_show_place(c, c->frame->file, o->place)));
}

static void watch_layer_call(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    if (!o || o->of || !o->api || !e->call->n || e->call->args[0].star || c->frame->guarded ||
        !is_layer(c, ck_value(o)))
        return;
    struct lw_value layer = layer_in(c, e->call->args[0].value);
    if (layer.kind != LW_V_ABSENT)
        complain(c, e->node, o->name, layer);
}

/* F.relu(self.fc), concatenate([a, b]) of models. */
static void watch_function_call(struct ck *c, const struct ck_event *e)
{
    static const char *const modules[] = {"torch.nn.functional.", "keras.backend.",
                                          "keras.activations.", "tensorflow.nn."};
    static const char *const merges[] = {"concatenate", "add",     "multiply", "average",
                                         "maximum",     "minimum", "dot",      "subtract"};
    struct lw_str name = e->call->name, tail = text_tail(name);
    bool takes = lw_str_has_prefix(name, LW_S("keras.layers.")) &&
                 text_is_any(tail, merges, sizeof merges / sizeof *merges);
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        takes |= lw_str_has_prefix(name, lw_str(modules[i]));
    if (!takes || !e->call->n || e->call->args[0].star || c->frame->guarded)
        return;
    struct lw_value layer = layer_in(c, e->call->args[0].value);
    if (layer.kind != LW_V_ABSENT)
        complain(c, e->node, name, layer);
}

static void watch_model_ends(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = layer_in(c, model_trait(e->object, MODEL_OUTPUT));
    if (out.kind != LW_V_ABSENT && !c->frame->guarded)
        complain(c, e->node, LW_S("the output of the Model"), out);
}

const struct ck_rule rules_type_layer_as_input[] = {
    {"type/layer-as-input", CK_EV_FAULT, watch_layer_as_input, .pure = true},
    {"type/layer-as-input", CK_EV_MODEL, watch_model_ends},
    {"type/layer-as-input", CK_EV_LAYER, watch_layer_call},
    {"type/layer-as-input", CK_EV_CALL, watch_function_call,
     .calls = "torch.nn.functional.* keras.* tensorflow.nn.*"},
    {0},
};
