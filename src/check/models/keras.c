/* Keras: models of layers. */
#include "base/err.h"
#include "check/models/keras.h"

#include "base/num.h"
#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/text.h"
#include "check/models/nested.h"
#include "check/models/traits.h"

bool ck_is_keras_layer(struct ck *c, const struct ck_object *o)
{
    static const char *const bases[] = {"keras.layers.Layer",
                                        "keras.Layer",
                                        "keras.Model",
                                        "keras.models.Model",
                                        "keras.Sequential",
                                        "keras.models.Sequential",
                                        NULL};
    struct lw_value v = {.kind = o->kind, .opaque = o};
    return ck_is_a_any(c, v, bases);
}

static bool is_model(struct ck *c, const struct ck_object *o)
{
    static const char *const bases[] = {"keras.Model", "keras.models.Model", "keras.Sequential",
                                        "keras.models.Sequential", NULL};
    struct lw_value v = {.kind = o->kind, .opaque = o};
    return ck_is_a_any(c, v, bases);
}

/* ---- inputs -------------------------------------------------------------------------------
 */

lw_dim keras_batch_symbol(struct ck *c)
{
    return lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
}

static struct lw_value input_tensor(struct ck *c, const struct lw_shape *s, uint32_t place)
{
    struct lw_tensor t = lw_tensor_unknown(LW_KERAS);
    t.shape = *s;
    t.dtype = LW_F32;
    t.range = lw_iv_unbounded(LW_WHY_INPUT, place);
    t.line = place;
    return ck_tensor(c, &t);
}

/* (None, 5) where None is a size of its own. */
static bool shape_of(struct ck *c, struct lw_value v, bool with_batch, struct lw_shape *out)
{
    struct lw_seq seq;
    struct lw_shape s = lw_shape_make(NULL, 0);
    if (!with_batch)
        lw_shape_push(&s, keras_batch_symbol(c));
    if (v.kind == LW_V_INT) {
        lw_shape_push(&s, v.dim);
        *out = s;
        return true;
    }
    if (!ck_sequence(c, v, &seq) || seq.open)
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct lw_value d = seq.items[i];
        if (d.kind == LW_V_INT)
            lw_shape_push(&s, d.dim);
        else if (d.kind == LW_V_NONE)
            lw_shape_push(&s, lw_dim_symbol(c->dims, LW_S("None"), 0, LW_DIM_MOST));
        else
            lw_shape_push(&s, LW_DIM_UNKNOWN);
    }
    *out = s;
    return true;
}

/* What a layer says about its own input: input_shape, batch_input_shape, input_dim. */
static bool declared_input(struct ck *c, const struct ck_object *layer, struct lw_shape *out)
{
    struct lw_value batch = ck_config(layer, "batch_input_shape");
    struct lw_value shape = ck_config(layer, "input_shape");
    struct lw_value dim = ck_config(layer, "input_dim");
    struct lw_value length = ck_config(layer, "input_length");
    bool embedding = lw_str_eq(lw_api_fact(layer->api, "role"), LW_S("embedding"));
    if (batch.kind == LW_V_ABSENT || batch.kind == LW_V_NONE)
        batch = ck_config(layer, "batch_shape");
    if (shape.kind == LW_V_ABSENT || shape.kind == LW_V_NONE)
        shape = lw_str_has_suffix(layer->api->name, LW_S("InputLayer"))
                    ? ck_config(layer, "shape")
                    : shape;
    if (batch.kind != LW_V_ABSENT && batch.kind != LW_V_NONE)
        return shape_of(c, batch, true, out);
    if (shape.kind != LW_V_ABSENT && shape.kind != LW_V_NONE)
        return shape_of(c, shape, false, out);
    if (embedding || (dim.kind != LW_V_INT && length.kind == LW_V_INT)) {
        struct lw_shape s = lw_shape_make(NULL, 0);
        if (!embedding)
            return false;
        lw_shape_push(&s, keras_batch_symbol(c));
        lw_shape_push(&s, length.kind == LW_V_INT
                              ? length.dim
                              : lw_dim_symbol(c->dims, LW_S("length"), 0, LW_DIM_MOST));
        *out = s;
        return true;
    }
    if (dim.kind != LW_V_INT)
        return false;
    struct lw_shape s = lw_shape_make(NULL, 0);
    lw_shape_push(&s, keras_batch_symbol(c));
    if (length.kind == LW_V_INT)
        lw_shape_push(&s, length.dim);
    else if (lw_str_eq(lw_api_fact(layer->api, "role"), LW_S("recurrent")))
        lw_shape_push(&s, lw_dim_symbol(c->dims, LW_S("time"), 0, LW_DIM_MOST));
    lw_shape_push(&s, dim.dim);
    *out = s;
    return true;
}

/* ---- Sequential ---------------------------------------------------------------------------
 */

/* Findings about a layer stand where it was made, when that is in the file being run. */
static uint32_t node_of(struct ck *c, struct lw_value layer, uint32_t otherwise)
{
    const struct ck_object *o = ck_object_of(layer);
    return o && o->file == c->frame->file && o->node != LW_NO_NODE ? o->node : otherwise;
}

/* The same as an Input() of its own, which the outputs lead back to. */
static struct lw_value source_tensor(struct ck *c, const struct lw_shape *s,
                                     struct ck_object *layer)
{
    struct ck_origin *origin = lw_arena_alloc(c->arena, sizeof *origin);
    struct lw_value v = input_tensor(c, s, layer->place);
    if (!origin)
        return v;
    *origin = (struct ck_origin){.op = LW_S("keras.Input"),
                                 .node = layer->node,
                                 .file = layer->file ? layer->file : c->frame->file,
                                 .place = layer->place};
    return ck_originate(c, v, origin);
}

static struct lw_value first_input(struct ck *c, struct lw_value layer)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_shape s;
    if (layer.kind == LW_V_TENSOR)
        return layer;
    if (!o)
        return lw_v_absent();
    struct lw_value own = model_trait(o, MODEL_INPUT);
    if (own.kind == LW_V_TENSOR)
        return own;
    if (o->api && o->items && declared_input(c, o, &s))
        return source_tensor(c, &s, o);
    return lw_v_absent();
}

static bool is_input_layer(struct lw_value layer)
{
    const struct ck_object *o = ck_as(layer, CK_INSTANCE);
    return o && o->api && lw_str_has_suffix(o->api->name, LW_S(".InputLayer"));
}

static void sequential_push(struct ck *c, struct ck_object *o, struct lw_value layer,
                            uint32_t node)
{
    struct lw_value current = model_trait(o, MODEL_OUTPUT);
    struct ck_object *list = ck_as(ck_trait(o, TRAIT_ITEMS), CK_LIST);
    if (list && layer.kind != LW_V_TENSOR) {
        struct lw_arg arg = {.value = layer, .node = node};
        struct ck_call add = {
            .name = LW_S("append"), .self = ck_value(list), .args = &arg, .n = 1, .node = node};
        struct lw_value none;
        ck_list_method(c, &add, &none);
    }
    bool is_input = layer.kind == LW_V_TENSOR || is_input_layer(layer);
    if (current.kind == LW_V_ABSENT) {
        current = first_input(c, layer);
        if (current.kind == LW_V_ABSENT)
            return;
        model_set_trait(c, o, MODEL_INPUT, current);
        model_set_trait(c, o, MODEL_OUTPUT, current);
    }
    if (is_input || current.kind != LW_V_TENSOR)
        return;
    struct lw_value out = ck_apply(c, layer, current, node_of(c, layer, node));
    model_set_trait(c, o, MODEL_OUTPUT, out);
}

static void sequential_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value layers = ck_slot_value(call, "layers");
    struct lw_seq seq = {0};
    if (!o)
        return;
    ck_set_trait(c, o, TRAIT_ITEMS, ck_new_list(c, CK_LIST, (struct lw_seq){0}, call->node));
    if (layers.kind == LW_V_ABSENT || layers.kind == LW_V_NONE)
        return;
    if (!ck_sequence(c, layers, &seq) || seq.open) {
        ck_set_trait(c, o, TRAIT_ITEMS,
                     ck_new_list(c, CK_LIST, (struct lw_seq){.open = true}, call->node));
        model_set_trait(c, o, MODEL_OUTPUT, lw_v_unknown());
        return;
    }
    for (uint32_t i = 0; i < seq.n; i++)
        sequential_push(c, o, seq.items[i], call->node);
}

static void sequential_add(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = lw_v_none();
    if (o && call->n)
        sequential_push(c, o, ck_arg(call, 0, "layer"), call->node);
}

static void sequential_pop(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = lw_v_none();
    if (!o)
        return;
    struct ck_object *list = ck_as(ck_trait(o, TRAIT_ITEMS), CK_LIST);
    if (list) {
        struct ck_call pop = {.name = LW_S("pop"), .self = ck_value(list), .node = call->node};
        ck_list_method(c, &pop, value);
    }
    model_set_trait(c, o, MODEL_OUTPUT, lw_v_unknown());
}

static void model_build(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_shape s;
    *value = lw_v_none();
    if (!o || o->of || model_trait(o, MODEL_OUTPUT).kind != LW_V_ABSENT ||
        !shape_of(c, ck_arg(call, 0, "input_shape"), true, &s))
        return;
    struct lw_value in = input_tensor(c, &s, ck_place(c, call->node));
    struct lw_value out = lw_v_unknown();
    struct lw_arg arg = {.value = in, .node = call->node};
    model_set_trait(c, o, MODEL_INPUT, in);
    if (ck_keras_call(c, o, &arg, 1, call->node, &out))
        model_set_trait(c, o, MODEL_OUTPUT, out);
}

/* ---- functional models --------------------------------------------------------------------
 */

/* Layers between the output and the inputs, in the order of the graph. */
struct layer_walk {
    LW_VEC(struct lw_value) layers;
    uint32_t seen[512];
    size_t seen_count;
    bool open; /* more layers than these, or others */
};

/* Model(vgg.input, top(vgg.output)): all layers of the base are layers of the model, which
 * stands for each of them. 1 for what is one layer. */
static size_t count_inside(struct layer_walk *w, const struct ck_origin *o, struct lw_value v)
{
    struct lw_value out = model_trait(o->layer, MODEL_OUTPUT);
    int64_t n;
    if (out.kind != LW_V_TENSOR || out.tensor->id != v.tensor->id || o->layer->of ||
        !lw_str_has_prefix(o->layer->name, LW_S("keras.applications.")))
        return 1;
    if (o->layer->api && lw_parse_i64(lw_api_fact(o->layer->api, "layers"), &n) && n > 0)
        return (size_t)n;
    w->open = true;
    return 1;
}

static void collect_layers(struct ck *c, struct layer_walk *w, struct lw_value v,
                           unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    struct lw_seq seq;
    w->open |= depth > 200 || w->seen_count >= 512;
    if (w->open)
        return;
    if (v.kind != LW_V_TENSOR) {
        if (ck_sequence(c, v, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                collect_layers(c, w, seq.items[i], depth + 1);
        return;
    }
    for (size_t i = 0; i < w->seen_count; i++)
        if (w->seen[i] == v.tensor->id)
            return;
    w->seen[w->seen_count++] = v.tensor->id;
    w->open |= !o;
    if (!o)
        return;
    for (uint32_t i = 0; i < o->in_count; i++)
        collect_layers(c, w, o->in[i], depth + 1);
    for (size_t n = o->layer ? count_inside(w, o, v) : 0; n > 0 && !c->stopped; n--)
        if (lw_vec_push(c->mem, &w->layers, ck_value(o->layer)) < 0)
            c->stopped = true;
}

static void model_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value in = ck_slot_value(call, "inputs"), out = ck_slot_value(call, "outputs");
    if (in.kind == LW_V_ABSENT || in.kind == LW_V_NONE)
        in = ck_arg(call, 0, "input");
    if (out.kind == LW_V_ABSENT || out.kind == LW_V_NONE)
        out = ck_arg(call, 1, "output");
    if (!o || in.kind == LW_V_ABSENT || out.kind == LW_V_ABSENT)
        return;
    struct lw_seq seq;
    if (in.kind != LW_V_TENSOR && ck_sequence(c, in, &seq) && seq.n == 1 && !seq.open)
        in = seq.items[0];
    if (out.kind != LW_V_TENSOR && ck_sequence(c, out, &seq) && seq.n == 1 && !seq.open)
        out = seq.items[0];
    model_set_trait(c, o, MODEL_INPUT, in);
    model_set_trait(c, o, MODEL_OUTPUT, out);
    struct layer_walk *w = lw_arena_alloc(c->arena, sizeof *w);
    if (!w)
        return;
    collect_layers(c, w, out, 0);
    struct lw_value list = ck_make_seq(c, LW_V_LIST, w->layers.v, w->layers.n, false);
    lw_vec_release(c->mem, &w->layers);
    if (list.kind == LW_V_LIST)
        model_set_trait(c, o, MODEL_LAYERS,
                        w->open ? lw_v_unknown()
                                : ck_new_list(c, CK_LIST, list.seq, call->node));
    ck_emit(c, &(struct ck_event){.kind = CK_EV_MODEL, .node = call->node, .object = o});
}

/* The data against what the model was built for. Keras makes a column of a flat list of
 * numbers; since TensorFlow 2.2 it also adds and drops a last dimension of 1, which `lenient`
 * allows. */
static bool same_input(struct ck *c, const struct lw_shape *is, const struct lw_shape *want,
                       bool lenient)
{
    if (!lw_shape_has_rank(is) || !lw_shape_has_rank(want))
        return true;
    if (!lenient && is->n != want->n && !(is->n == 1 && want->n == 2))
        return false;
    if (is->n + 1 == want->n || want->n + 1 == is->n) {
        const struct lw_shape *longer = is->n > want->n ? is : want;
        const struct lw_shape *other = is->n > want->n ? want : is;
        if (lw_dim_eq(c->dims, longer->d[longer->n - 1], lw_dim_int(1)) == LW_TRI_NO)
            return false;
        for (uint32_t i = 1; i < other->n; i++)
            if (lw_dim_eq(c->dims, longer->d[i], other->d[i]) == LW_TRI_NO)
                return false;
        return true;
    }
    if (is->n != want->n)
        return false;
    for (uint32_t i = 1; i < is->n; i++)
        if (lw_dim_eq(c->dims, is->d[i], want->d[i]) == LW_TRI_NO)
            return false;
    return true;
}

void keras_check_input(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value x,
                       uint32_t node)
{
    LW_BUG_ON(!o);
    struct lw_seq a, b;
    if (in.kind == LW_V_TENSOR && x.kind == LW_V_TENSOR) {
        const struct lw_shape *is = &x.tensor->shape, *want = &in.tensor->shape;
        if (same_input(c, is, want, false))
            return;
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_MODEL_INPUT,
                                      .node = node,
                                      .a = x,
                                      .b = in,
                                      .flag = same_input(c, is, want, true)});
        return;
    }
    (void)o;
    bool many = in.kind != LW_V_TENSOR && ck_sequence(c, in, &a) && !a.open && a.n > 1;
    bool parts = x.kind != LW_V_TENSOR && x.kind != CK_INSTANCE && ck_sequence(c, x, &b) &&
                 !b.open && b.n > 0 && b.items[0].kind == LW_V_TENSOR;
    if (many && (x.kind == LW_V_TENSOR || (parts && b.n != a.n))) {
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_MODEL_INPUTS,
                                      .node = node,
                                      .a = x,
                                      .count = a.n,
                                      .given = x.kind == LW_V_TENSOR ? 1 : b.n});
        return;
    }
    if (in.kind != LW_V_TENSOR && x.kind != LW_V_TENSOR && ck_sequence(c, in, &a) &&
        ck_sequence(c, x, &b) && !a.open && !b.open && a.n == b.n)
        for (uint32_t i = 0; i < a.n; i++)
            keras_check_input(c, o, a.items[i], b.items[i], node);
}

enum { MAX_NESTED = 4 };

/* Is there a symbolic tensor in it? What is computed of one is symbolic, too. */
static bool is_symbolic(struct ck *c, struct lw_value x, unsigned depth)
{
    struct lw_seq seq;
    if (x.kind == LW_V_TENSOR)
        return (x.tensor->framework & LW_KERAS) != 0 && lw_set_is_one(x.tensor->framework);
    if (depth < MAX_NESTED && x.kind != CK_INSTANCE && ck_sequence(c, x, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            if (is_symbolic(c, seq.items[i], depth + 1))
                return true;
    return false;
}

/* model(data): the outputs have values. */
static struct lw_value evaluated(struct ck *c, struct lw_value out, unsigned depth)
{
    struct lw_seq seq;
    if (out.kind == LW_V_TENSOR && out.tensor->framework == LW_KERAS) {
        struct lw_tensor t = *out.tensor;
        t.framework = LW_KERAS | LW_TF;
        t.id = 0;
        return ck_tensor(c, &t);
    }
    if (depth >= MAX_NESTED || (out.kind != CK_LIST && out.kind != LW_V_TUPLE) ||
        !ck_sequence(c, out, &seq) || seq.open)
        return out;
    struct lw_value *items = ck_values(c, seq.n);
    for (uint32_t i = 0; items && i < seq.n; i++)
        items[i] = evaluated(c, seq.items[i], depth + 1);
    if (!items)
        return lw_v_unknown();
    if (out.kind == LW_V_TUPLE)
        return ck_tuple(c, items, seq.n);
    struct lw_seq now = {.items = items, .n = seq.n};
    return ck_new_list(c, CK_LIST, now, LW_NO_NODE);
}

struct lw_value keras_rebatch(struct ck *c, struct lw_value out, lw_dim batch)
{
    if (out.kind != LW_V_TENSOR || !lw_shape_has_rank(&out.tensor->shape) ||
        out.tensor->shape.n == 0)
        return out;
    struct lw_tensor t = *out.tensor;
    t.shape.d[0] = batch;
    return ck_tensor(c, &t);
}

/* What a model of several outputs gives when it is called: tensors of their own, not those it
 * was made of. */
static struct lw_value outputs_anew(struct ck *c, struct lw_value made)
{
    struct lw_seq seq;
    if (made.kind != CK_LIST || !ck_sequence(c, made, &seq) || seq.open || !seq.n)
        return made;
    struct lw_value *items = ck_values(c, seq.n);
    for (uint32_t i = 0; items && i < seq.n; i++)
        items[i] = seq.items[i];
    return items ? ck_make_seq(c, LW_V_TUPLE, items, seq.n, false) : lw_v_unknown();
}

lw_dim keras_batch_of(struct ck *c, struct lw_value x)
{
    struct lw_seq seq;
    if (x.kind == LW_V_TENSOR && lw_shape_has_rank(&x.tensor->shape) && x.tensor->shape.n)
        return x.tensor->shape.d[0];
    if (x.kind != LW_V_TENSOR && ck_sequence(c, x, &seq) && seq.n)
        return keras_batch_of(c, seq.items[0]);
    return LW_DIM_UNKNOWN;
}

enum { MAX_LAMBDA_ARGS = 8 };

/* Lambda(f)(x) is f(x, **arguments). */
static bool call_lambda(struct ck *c, struct ck_object *o, struct lw_value x, uint32_t node,
                        struct lw_value *out)
{
    struct lw_value f = ck_config(o, "function"), more = ck_config(o, "arguments");
    struct lw_arg args[MAX_LAMBDA_ARGS] = {{.value = x, .node = node}};
    const struct lw_dict *d = NULL;
    size_t n = 1;
    if (!lw_str_eq(o->api->name, LW_S("keras.layers.Lambda")) || f.kind != CK_FUNCTION ||
        (more.kind != LW_V_NONE && more.kind != LW_V_ABSENT && !ck_pairs(more, &d)))
        return false;
    for (uint32_t i = 0; d && i < d->n; i++) {
        if (n == MAX_LAMBDA_ARGS || d->keys[i].kind != LW_V_STR || !d->keys[i].str.p)
            return false;
        args[n++] =
            (struct lw_arg){.name = d->keys[i].str, .value = d->values[i], .node = LW_NO_NODE};
    }
    model_set_trait(c, ck_object_of(f), FUNCTION_WRAPPED, lw_v_str(LW_S("lambda")));
    *out = ck_call(c, f, args, n, node);
    struct ck_call call = {
        .name = o->api->name, .api = o->api, .self = ck_value(o), .args = args, .n = n};
    call.node = node;
    ck_emit(c,
            &(struct ck_event){
                .kind = CK_EV_LAYER, .node = node, .object = o, .call = &call, .value = *out});
    return true;
}

/* The layers of a Sequential in order. */
static struct lw_value call_layers(struct ck *c, struct ck_object *o, struct lw_seq seq,
                                   struct lw_value x, uint32_t node)
{
    struct lw_value v = x;
    if (!nested_enter(c, o, x, &v))
        return v;
    v = x;
    for (uint32_t i = 0; i < seq.n; i++)
        if (!is_input_layer(seq.items[i]))
            v = nested_apply(c, seq.items[i], v, node_of(c, seq.items[i], node));
    nested_leave(c, o, x, v);
    return v;
}

enum { MAX_BUILT = 2 };

/* Deep inside other models, on an input of the shape that it was built for: its layers were run
 * then, and it counts as one layer, as a functional model does. */
static bool is_one_layer(const struct ck *c, struct lw_value in, struct lw_value made,
                         struct lw_value x)
{
    if (c->nested.depth <= MAX_BUILT || made.kind != LW_V_TENSOR || in.kind != LW_V_TENSOR ||
        x.kind != LW_V_TENSOR || in.tensor->shape.n != x.tensor->shape.n ||
        in.tensor->shape.gap != x.tensor->shape.gap)
        return false;
    for (uint32_t i = 1; i < x.tensor->shape.n; i++)
        if (in.tensor->shape.d[i] != x.tensor->shape.d[i])
            return false;
    return true;
}

bool ck_keras_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                   uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    struct lw_seq seq;
    struct lw_value x = n && !args[0].star ? args[0].value : lw_v_unknown();
    if (o->api && !o->of && call_lambda(c, o, x, node, out))
        return true;
    if (!o->api || !is_model(c, o))
        return false;
    struct lw_value in = model_trait(o, MODEL_INPUT), made = model_trait(o, MODEL_OUTPUT);
    const struct ck_object *layer = ck_as(x, CK_INSTANCE);
    if (layer && layer->api && !layer->open && ck_is_keras_layer(c, layer))
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_LAYER_AS_INPUT,
                                      .node = node,
                                      .a = x});
    else if (in.kind != LW_V_ABSENT)
        keras_check_input(c, o, in, x, node);
    if (ck_trait(o, TRAIT_ITEMS).kind == CK_LIST && ck_sequence(c, ck_value(o), &seq) &&
        !seq.open && !is_one_layer(c, in, made, x)) {
        *out = call_layers(c, o, seq, x, node);
        return true;
    }
    if (made.kind == LW_V_ABSENT)
        return false;
    *out = keras_rebatch(c, outputs_anew(c, made), keras_batch_of(c, x));
    if (!is_symbolic(c, x, 0))
        *out = evaluated(c, *out, 0);
    struct lw_value *inputs = ck_values(c, n);
    for (size_t i = 0; inputs && i < n; i++)
        inputs[i] = args[i].value;
    struct ck_origin origin = {.op = o->api->name, .api = o->api, .layer = o, .node = node};
    if (inputs)
        *out = ck_made(c, *out, &origin, inputs, n);
    if (out->kind == LW_V_TUPLE && made.kind == CK_LIST)
        *out = ck_new_list(c, CK_LIST, out->seq, node);
    return true;
}

/* A model of the same layers, or read from text: not compiled. */
static void model_again(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_api *api = lw_api_find(c->apis, LW_S("keras.models.Model"), NULL);
    if (api)
        *value = ck_new_instance(c, api, NULL, 0, call->node);
}

#define MODEL_METHODS(prefix)                                        \
    {prefix ".add", sequential_add}, {prefix ".build", model_build}, \
    {                                                                \
        prefix ".pop", sequential_pop                                \
    }

/* clang-format off */
const struct ck_handler ck_handlers_keras[] = {
    {"keras.Model", model_new},
    {"keras.models.Model", model_new},
    {"keras.models.clone_model", model_again},
    {"keras.models.model_from_config", model_again},
    {"keras.models.model_from_json", model_again},
    {"keras.models.model_from_yaml", model_again},
    {"keras.Sequential", sequential_new},
    {"keras.models.Sequential", sequential_new},
    MODEL_METHODS("keras.Model"),
    MODEL_METHODS("keras.models.Model"),
    MODEL_METHODS("keras.Sequential"),
    MODEL_METHODS("keras.models.Sequential"),
    {NULL, NULL},
};
/* clang-format on */
