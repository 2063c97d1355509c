/* Rules about how layers are put together: what a model is made from, what layers are called
 * with, how many inputs and outputs there are. */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/rules.h"

/* ---- a model between inputs and outputs ---------------------------------------------------
 */

enum { MOST_SEEN = 512, MOST_INPUTS = 32, MOST_DEPTH = 200 };

struct graph {
    const struct ck_origin *inputs[MOST_INPUTS];
    uint32_t input_ids[MOST_INPUTS];
    uint32_t input_count;
    uint32_t seen[MOST_SEEN];
    uint32_t seen_count;
    struct lw_value missing; /* an Input() that the model does not have; ABSENT: none */
};

static bool is_input(const struct ck_origin *o)
{
    return look_is(look_tail(o->op), "Input") && lw_str_has_prefix(o->op, LW_S("keras."));
}

/* False: what the model is made for is not known. */
static bool add_inputs(struct ck *c, struct graph *g, struct lw_value v, unsigned depth)
{
    const struct lw_dict *d;
    struct lw_seq seq;
    const struct ck_origin *o = ck_origin_of(c, v);
    if (v.kind == LW_V_TENSOR) {
        if (!o || g->input_count == MOST_INPUTS)
            return false;
        g->input_ids[g->input_count] = v.tensor->id;
        g->inputs[g->input_count++] = o;
        return true;
    }
    bool dict = ck_pairs(v, &d);
    if (depth > 3 || (dict ? d->open : !ck_sequence(c, v, &seq) || seq.open))
        return false;
    bool whole = true;
    for (uint32_t i = 0; i < (dict ? d->n : seq.n); i++)
        whole &= add_inputs(c, g, dict ? d->values[i] : seq.items[i], depth + 1);
    return whole;
}

/* Tensors that branches of the program joined keep the origin of one of them. */
static bool is_given(const struct graph *g, uint32_t id, const struct ck_origin *o)
{
    for (uint32_t i = 0; i < g->input_count; i++)
        if (g->input_ids[i] == id || g->inputs[i] == o)
            return true;
    return false;
}

static void walk(struct ck *c, struct graph *g, struct lw_value v, unsigned depth)
{
    struct lw_seq seq;
    const struct ck_origin *o = ck_origin_of(c, v);
    if (depth > MOST_DEPTH || g->seen_count == MOST_SEEN || g->missing.kind != LW_V_ABSENT)
        return;
    if (v.kind != LW_V_TENSOR) {
        if ((lw_v_is_seq(v) || v.kind == CK_LIST) && ck_sequence(c, v, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                walk(c, g, seq.items[i], depth + 1);
        return;
    }
    for (uint32_t i = 0; i < g->seen_count; i++)
        if (g->seen[i] == v.tensor->id)
            return;
    g->seen[g->seen_count++] = v.tensor->id;
    if (!o || is_given(g, v.tensor->id, o))
        return;
    if (is_input(o))
        g->missing = v;
    for (uint32_t i = 0; i < o->in_count; i++)
        walk(c, g, o->in[i], depth + 1);
}

static void watch_model(struct ck *c, const struct ck_event *e)
{
    static const char key;
    struct graph *g = ck_state(c, &key, sizeof *g);
    if (!g || c->frame->guarded)
        return;
    *g = (struct graph){.missing = lw_v_absent()};
    struct lw_value in = ck_field(c, e->object, "(input)");
    if (!add_inputs(c, g, in, 0))
        return;
    walk(c, g, ck_field(c, e->object, "(output)"), 0);
    if (g->missing.kind == LW_V_TENSOR)
        ck_find(c, e->node, "api/graph-disconnected", &g->missing, 1,
                "the outputs are computed from an Input() of %.*s that is not among the "
                "inputs of the model",
                LW_F(ck_show_place(c, c->frame->file, ck_origin_of(c, g->missing)->place)));
}

/* ---- layers where tensors belong ----------------------------------------------------------
 */

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
            "%.*s gets the layer %.*s of %.*s, not a tensor: call the layer on one first",
            LW_F(look_tail(taker)), LW_F(look_tail(o->of ? o->of->name : o->name)),
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
    struct lw_str name = e->call->name, tail = look_tail(name);
    bool takes = lw_str_has_prefix(name, LW_S("keras.layers.")) &&
                 look_is_any(tail, merges, sizeof merges / sizeof *merges);
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
    struct lw_value out = layer_in(c, ck_field(c, e->object, "(output)"));
    if (out.kind != LW_V_ABSENT && !c->frame->guarded)
        complain(c, e->node, LW_S("the output of the Model"), out);
}

/* ---- as many targets as outputs -----------------------------------------------------------
 */

/* tf.keras gives a single target to every output; Keras on its own does not. */
static bool is_own_keras(const struct ck_object *o)
{
    return lw_str_has_prefix(o->spelt, LW_S("keras."));
}

static void watch_targets(struct ck *c, const struct ck_event *e)
{
    struct lw_seq outs, targets;
    struct lw_value out = ck_field(c, e->object, "(output)"), y = e->b;
    struct lw_value loss = ck_field(c, e->object, "(loss)");
    if (e->object->of || out.kind == LW_V_TENSOR || !ck_sequence(c, out, &outs) || outs.open ||
        outs.n < 2 || c->frame->guarded || (loss.kind != LW_V_STR && loss.kind != CK_NAME))
        return;
    if (y.kind == LW_V_TENSOR && is_own_keras(e->object) && y.tensor->framework != LW_PANDAS)
        ck_find(c, e->node, "shape/target-count", &y, 1,
                "the model has %u outputs, it gets one array of targets: give a list of %u",
                outs.n, outs.n);
    else if (y.kind == LW_V_TUPLE && ck_sequence(c, y, &targets) && !targets.open &&
             targets.n != outs.n && targets.n > 1 && targets.items[0].kind == LW_V_TENSOR)
        ck_find(c, e->node, "shape/target-count", &targets.items[0], 1,
                "the model has %u outputs, it gets %u arrays of targets", outs.n, targets.n);
}

const struct ck_rule ck_rules_graph[] = {
    {CK_EV_MODEL, watch_model},      {CK_EV_MODEL, watch_model_ends},
    {CK_EV_LAYER, watch_layer_call}, {CK_EV_CALL, watch_function_call},
    {CK_EV_FIT, watch_targets},      {0, NULL},
};
