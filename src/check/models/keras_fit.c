/* Keras: compile, fit, predict and their like. */
#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/models/keras.h"
#include "check/models/traits.h"

/* One batch of data as the model gets it; `size` rows of it. */
static struct lw_value one_batch(struct ck *c, struct lw_value v, int64_t size)
{
    struct lw_tensor t;
    struct lw_seq seq;
    int64_t rows;
    if (v.kind == LW_V_NONE || v.kind == LW_V_ABSENT || v.kind == LW_V_UNKNOWN)
        return v;
    if (v.kind != LW_V_TENSOR && ck_sequence(c, v, &seq) && seq.n && !seq.open &&
        seq.items[0].kind == LW_V_TENSOR) {
        struct lw_value *items = ck_values(c, seq.n);
        for (uint32_t i = 0; items && i < seq.n; i++)
            items[i] = one_batch(c, seq.items[i], size);
        return items ? ck_make_seq(c, LW_V_TUPLE, items, seq.n, false) : v;
    }
    if (!ck_to_tensor(c, v, &t) || !lw_shape_has_rank(&t.shape) || t.shape.n == 0)
        return v.kind == LW_V_TENSOR ? v : lw_v_unknown();
    bool known = lw_dim_is_int(c->dims, t.shape.d[0], &rows);
    if (known && size > 0 && rows > size)
        t.shape.d[0] = lw_dim_big(c->dims, size);
    else if (!known || size <= 0)
        t.shape.d[0] = keras_batch_symbol(c);
    t.framework = LW_TF;
    if (t.dtype == LW_F64)
        t.dtype = LW_F32; /* Keras casts floats to its own type */
    if (t.shape.n == 1)   /* Keras makes a column of it */
        lw_shape_push(&t.shape, lw_dim_int(1));
    t.id = 0;
    if (!t.line)
        t.line = v.line;
    return ck_tensor(c, &t);
}

/* The sizes of batch dimensions are one: the model's and the data's. */
static void same_batch(struct ck *c, struct lw_value *out, struct lw_value x)
{
    lw_dim batch = keras_batch_of(c, x);
    if (out->kind == LW_V_TENSOR && batch != LW_DIM_UNKNOWN)
        *out = keras_rebatch(c, *out, batch);
}

/* A loss function of the program: its result must depend on the output in a way that has a
 * gradient. */
static void run_own_loss(struct ck *c, struct lw_value loss, struct lw_arg args[2],
                         uint32_t node)
{
    struct ck_origin origin = {.op = LW_S("output"), .node = node};
    args[1].value = ck_made(c, args[1].value, &origin, NULL, 0);
    model_set_trait(c, ck_object_of(loss), FUNCTION_WRAPPED, lw_v_str(LW_S("loss")));
    struct lw_value made = ck_call(c, loss, args, 2, node);
    const struct ck_origin *cut = lineage_gradient_cut(c, made, args[1].value);
    if (cut)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_GRADIENT_CUT,
                                      .file = cut->file,
                                      .node = cut->node,
                                      .a = made,
                                      .name = text_tail(cut->op)});
}

/* The function of the program that is the model's loss, also as the only one of a list. */
static struct lw_value own_loss(struct ck *c, const struct ck_object *o)
{
    struct lw_value loss = model_trait(o, MODEL_LOSS);
    struct lw_seq seq;
    if (loss.kind == CK_LIST && ck_sequence(c, loss, &seq) && seq.n == 1 && !seq.open)
        loss = seq.items[0];
    return loss.kind == CK_FUNCTION ? loss : lw_v_absent();
}

/* Before any targets are known: what the loss does to an output of the model. */
static void try_on(struct ck *c, struct lw_value loss, struct lw_value out, uint32_t node)
{
    struct lw_tensor y = lw_tensor_unknown(LW_TF);
    y.dtype = out.tensor->dtype;
    const struct lw_interval *range = &out.tensor->range;
    if ((range->flags & LW_IV_KNOWN) && range->lo >= 0 && range->hi <= 1)
        y.range = lw_iv_between(0, 1); /* what probabilities are compared with */
    struct lw_arg args[2] = {{.value = ck_tensor(c, &y), .node = node},
                             {.value = out, .node = node}};
    run_own_loss(c, loss, args, node);
}

enum { MAX_OUTPUTS = 4 };

/* One function is the loss of each output. */
static void try_own_loss(struct ck *c, struct ck_object *o, uint32_t node)
{
    struct lw_value loss = own_loss(c, o), out = model_trait(o, MODEL_OUTPUT);
    struct lw_seq seq;
    if (loss.kind == LW_V_ABSENT)
        return;
    if (out.kind == LW_V_TENSOR)
        try_on(c, loss, out, node);
    else if ((out.kind == CK_LIST || out.kind == LW_V_LIST || out.kind == LW_V_TUPLE) &&
             model_trait(o, MODEL_LOSS).kind == CK_FUNCTION && ck_sequence(c, out, &seq) &&
             !seq.open && seq.n <= MAX_OUTPUTS)
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                try_on(c, loss, seq.items[i], node);
}

static void compile(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = lw_v_none();
    if (!o)
        return;
    model_set_trait(c, o, MODEL_COMPILED, lw_v_tri(LW_TRI_YES));
    ck_settle(c, ck_value(o), 0);
    model_set_trait(c, o, MODEL_OPTIMIZER, ck_slot_value(call, "optimizer"));
    model_set_trait(c, o, MODEL_LOSS, ck_slot_value(call, "loss"));
    model_set_trait(c, o, MODEL_METRICS, ck_slot_value(call, "metrics"));
    try_own_loss(c, o, call->node);
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_COMPILE, .node = call->node, .object = o, .call = call});
}

static void run_loss(struct ck *c, struct ck_object *o, const struct ck_call *call,
                     struct lw_value y, struct lw_value out)
{
    struct lw_value own = own_loss(c, o);
    struct lw_value loss = own.kind == LW_V_ABSENT ? model_trait(o, MODEL_LOSS) : own;
    struct lw_arg args[2] = {{.value = y, .node = call->node},
                             {.value = out, .node = call->node}};
    if (out.kind != LW_V_TENSOR || y.kind != LW_V_TENSOR)
        return;
    if (loss.kind != LW_V_STR && lw_set_is_one(out.tensor->dtype)) {
        struct lw_tensor t = *y.tensor; /* losses get targets of the type of the output */
        t.dtype = out.tensor->dtype;
        args[0].value = ck_tensor(c, &t);
    }
    if (loss.kind == LW_V_STR && loss.str.p) {
        const struct lw_api *api = lw_api_find_choice(c->apis, LW_S("loss"), loss.str);
        if (api && api->side[LW_API_CALL].present)
            ck_eval_api(c, api, LW_API_CALL, NULL, args, 2, call->node);
        else if (api)
            ck_eval_api(c, api, LW_API_CONSTRUCT, NULL, args, 2, call->node);
    } else if (loss.kind == CK_FUNCTION) {
        run_own_loss(c, loss, args, call->node);
    } else if (loss.kind == CK_INSTANCE || loss.kind == CK_NAME || loss.kind == CK_METHOD) {
        struct lw_value made = loss;
        if (loss.kind == CK_NAME && ck_object_of(loss)->api &&
            ck_object_of(loss)->api->side[LW_API_CALL].present)
            made = ck_call(c, loss, NULL, 0, call->node);
        ck_call(c, made, args, 2, call->node);
    }
}

/* What one step of a data set, a Sequence or a generator of the program yields; ABSENT: it is
 * none of them. */
static struct lw_value step_of(struct ck *c, struct lw_value data, uint32_t node)
{
    static const char *const sequences[] = {"keras.utils.Sequence", "keras.utils.PyDataset",
                                            NULL};
    struct ck_object *o = ck_as(data, CK_INSTANCE), *list = ck_as(data, CK_LIST);
    struct lw_seq seq;
    if (list && ck_trait(list, TRAIT_ONCE).kind != LW_V_ABSENT)
        return ck_sequence(c, data, &seq) && seq.n ? ck_join_items(c, seq) : lw_v_unknown();
    struct lw_value element = o ? model_trait(o, DATA_ELEMENT) : lw_v_absent();
    if (!o || element.kind != LW_V_ABSENT || !o->of || !ck_is_a_any(c, data, sequences))
        return element;
    struct lw_arg arg = {.value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), 0, LW_DIM_MOST)),
                         .node = LW_NO_NODE};
    return ck_call_method(c, data, "__getitem__", &arg, 1, node);
}

/* An array that a generator yields, as the model gets it: floats of its own type, a column of a
 * flat one. */
static struct lw_value yielded(struct ck *c, struct lw_value v, unsigned depth)
{
    if (v.kind == LW_V_TUPLE && depth < 3) {
        struct lw_value *items = ck_values(c, v.seq.n);
        for (uint32_t i = 0; items && i < v.seq.n; i++)
            items[i] = yielded(c, v.seq.items[i], depth + 1);
        return items ? ck_make_seq(c, LW_V_TUPLE, items, v.seq.n, v.seq.open) : v;
    }
    if (v.kind != LW_V_TENSOR || v.tensor->framework != LW_NUMPY)
        return v;
    struct lw_tensor t = *v.tensor;
    t.framework = LW_TF;
    t.dtype = t.dtype == LW_F64 ? LW_F32 : t.dtype;
    if (lw_shape_has_rank(&t.shape) && t.shape.n == 1)
        lw_shape_push(&t.shape, lw_dim_int(1));
    t.id = 0;
    return ck_tensor(c, &t);
}

/* fit(generator), fit(dataset): what each step yields. */
static bool split_data(struct ck *c, struct lw_value *x, struct lw_value *y, uint32_t node)
{
    struct lw_value element = yielded(c, step_of(c, *x, node), 0);
    struct lw_seq seq;
    const struct ck_object *steps = ck_as(*x, CK_LIST);
    if (steps && ck_trait(steps, TRAIT_ONCE).kind != LW_V_ABSENT && ck_sequence(c, *x, &seq) &&
        seq.n)
        element = ck_join_items(c, seq); /* a generator: of batches */
    if (element.kind == LW_V_ABSENT)
        return false;
    if (element.kind != LW_V_TENSOR && ck_sequence(c, element, &seq) && !seq.open &&
        seq.n >= 2) {
        *x = seq.items[0];
        *y = seq.items[1];
    } else
        *x = element;
    return true;
}

struct lw_value ck_inputs_of(struct ck *c, struct lw_value data, uint32_t node)
{
    struct lw_value targets = lw_v_absent();
    (void)split_data(c, &data, &targets, node);
    return data;
}

/* Keras makes a column of flat targets, also of those that a generator yields. */
static struct lw_value as_column(struct ck *c, struct lw_value x, struct lw_value y)
{
    if (x.kind != LW_V_TENSOR || y.kind != LW_V_TENSOR ||
        !lw_shape_has_rank(&x.tensor->shape) || !lw_shape_has_rank(&y.tensor->shape) ||
        x.tensor->shape.n == 0 || y.tensor->shape.n != 1 ||
        lw_dim_eq(c->dims, x.tensor->shape.d[0], y.tensor->shape.d[0]) != LW_TRI_YES)
        return y;
    struct lw_tensor t = *y.tensor;
    lw_shape_push(&t.shape, lw_dim_int(1));
    return lw_v_tensor(c->arena, &t);
}

/* A model with a train_step() of its own: what it does with the data is its own affair. */
static bool trains_itself(struct ck *c, const struct ck_object *o)
{
    return o->of && ck_class_member(c, o->of, LW_S("train_step"), NULL).kind != LW_V_ABSENT;
}

/* What is kept back is compared with the model as well: fit(x, y, validation_data=(x, y)). */
static void try_validation(struct ck *c, struct ck_object *o, const struct ck_call *call,
                           struct lw_value out, int64_t rows)
{
    struct lw_value in = model_trait(o, MODEL_INPUT), pair = ck_arg(call, 7, "validation_data");
    struct lw_seq seq;
    if (in.kind == LW_V_ABSENT || !ck_sequence(c, pair, &seq) || seq.n < 2 || seq.open)
        return;
    struct lw_value x = one_batch(c, seq.items[0], rows);
    keras_check_input(c, o, in, x, call->node);
    same_batch(c, &out, x);
    run_loss(c, o, call, one_batch(c, seq.items[1], rows), out);
}

static bool is_prediction(struct lw_str name)
{
    return lw_str_has_suffix(name, LW_S(".predict")) ||
           lw_str_has_suffix(name, LW_S(".predict_classes")) ||
           lw_str_has_suffix(name, LW_S(".predict_proba")) ||
           lw_str_has_suffix(name, LW_S(".predict_generator"));
}

static bool is_training(struct lw_str name)
{
    return lw_str_find(name, LW_S(".fit")) >= 0 ||
           lw_str_has_suffix(name, LW_S(".train_on_batch"));
}

/* What a call gives the model: its data as it stands there, and one batch of it. */
struct given {
    struct lw_value x, y;
    struct lw_value batch_x, batch_y;
    bool from_set; /* a data set or generator, which makes the batches */
    int64_t rows;  /* of a batch; 0: not known */
};

static struct given given_data(struct ck *c, const struct ck_call *call)
{
    struct given g = {.x = ck_arg(call, 0, "x"), .y = ck_arg(call, 1, "y"), .rows = 32};
    struct lw_value size = ck_arg(call, 2, "batch_size");
    if (lw_str_has_suffix(call->name, LW_S("_generator")))
        g.x = ck_arg(call, 0, "generator");
    if (size.kind != LW_V_ABSENT && size.kind != LW_V_NONE && !ck_int_of(c, size, &g.rows))
        g.rows = 0;
    if (is_prediction(call->name))
        g.y = lw_v_absent();
    g.from_set = split_data(c, &g.x, &g.y, call->node);
    g.batch_x = g.from_set ? g.x : one_batch(c, g.x, g.rows);
    g.batch_y = g.from_set ? as_column(c, g.x, g.y) : one_batch(c, g.y, g.rows);
    return g;
}

/* What the model makes of a batch. */
static struct lw_value output_for(struct ck *c, struct ck_object *o, const struct ck_call *call,
                                  const struct given *g)
{
    struct lw_value in = model_trait(o, MODEL_INPUT), out = model_trait(o, MODEL_OUTPUT);
    struct lw_arg arg = {.value = g->batch_x, .node = call->node};
    if (in.kind != LW_V_ABSENT && out.kind != LW_V_ABSENT) {
        keras_check_input(
            c, o, in, g->x.kind == LW_V_TENSOR && !g->from_set ? g->x : g->batch_x, call->node);
        same_batch(c, &out, g->batch_x);
        return out;
    }
    if (is_training(call->name) && trains_itself(c, o))
        return lw_v_unknown();
    if (g->batch_x.kind != LW_V_TENSOR && g->batch_x.kind != LW_V_TUPLE)
        return out;
    out = ck_call_instance(c, o, &arg, 1, call->node);
    if (!o->of && g->batch_x.kind == LW_V_TENSOR && out.kind == LW_V_TENSOR) {
        model_set_trait(c, o, MODEL_INPUT, g->batch_x);
        model_set_trait(c, o, MODEL_OUTPUT, out);
    }
    return out;
}

/* predict() gives arrays, of all rows that it got. */
static struct lw_value predictions(struct ck *c, const struct given *g, struct lw_value out)
{
    struct lw_tensor t = *out.tensor;
    t.framework = LW_NUMPY;
    t.id = 0;
    if (lw_shape_has_rank(&t.shape) && t.shape.n && !g->from_set)
        t.shape.d[0] = keras_batch_of(c, g->x); /* all of them, batch by batch */
    return ck_tensor(c, &t);
}

static void fit(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = lw_v_unknown();
    if (!o)
        return;
    struct given g = given_data(c, call);
    if (g.x.kind == LW_V_INT || g.x.kind == LW_V_FLOAT)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_NUMBER_INPUT,
                                      .node = call->node,
                                      .a = g.x});
    struct lw_value out = output_for(c, o, call, &g);
    bool passing = o->of && out.kind == LW_V_TENSOR &&
                   model_trait(o, MODEL_OUTPUT).kind == LW_V_ABSENT; /* of a model of its own */
    if (passing)
        model_set_trait(c, o, MODEL_OUTPUT, out);
    ck_emit(c, &(struct ck_event){.kind = is_training(call->name) ? CK_EV_FIT : CK_EV_PREDICT,
                                  .node = call->node,
                                  .object = o,
                                  .call = call,
                                  .a = g.batch_x,
                                  .b = g.batch_y,
                                  .value = out});
    if (passing)
        model_set_trait(c, o, MODEL_OUTPUT, lw_v_absent());
    if (g.batch_y.kind != LW_V_ABSENT)
        run_loss(c, o, call, g.batch_y, out);
    if (lw_str_has_suffix(call->name, LW_S(".fit")))
        try_validation(c, o, call, out, g.rows);
    if (is_prediction(call->name) && out.kind == LW_V_TENSOR)
        *value = predictions(c, &g, out);
}

/* clang-format off */
#define TRAINING(prefix)                    \
    {prefix ".compile", compile},           \
    {prefix ".evaluate", fit},              \
    {prefix ".evaluate_generator", fit},    \
    {prefix ".fit", fit},                   \
    {prefix ".fit_generator", fit},         \
    {prefix ".predict", fit},               \
    {prefix ".predict_classes", fit},       \
    {prefix ".predict_generator", fit},     \
    {prefix ".predict_proba", fit},         \
    {prefix ".test_on_batch", fit},         \
    {prefix ".train_on_batch", fit}

const struct ck_handler ck_handlers_keras_fit[] = {
    TRAINING("keras.Model"),
    TRAINING("keras.models.Model"),
    TRAINING("keras.Sequential"),
    TRAINING("keras.models.Sequential"),
    {NULL, NULL},
};
/* clang-format on */
