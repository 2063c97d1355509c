/* TensorFlow 1: graphs are built, sessions run them. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/traits.h"

/* What a fetch gives: arrays for tensors, in the structure that was asked for. */
static struct lw_value fetched(struct ck *c, struct lw_value v, unsigned depth)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    if (v.kind == LW_V_TENSOR) {
        struct lw_tensor t = *v.tensor;
        t.framework = LW_NUMPY;
        t.id = 0;
        t.variable = LW_TRI_NO;
        return ck_tensor(c, &t);
    }
    if (depth < 8 && ck_pairs(v, &d) && !d->open) {
        struct lw_value *values = ck_values(c, d->n);
        struct lw_dict *now = lw_arena_alloc(c->arena, sizeof *now);
        for (uint32_t i = 0; values && i < d->n; i++)
            values[i] = fetched(c, d->values[i], depth + 1);
        if (!values || !now)
            return lw_v_unknown();
        *now = (struct lw_dict){d->keys, values, d->n, false};
        return ck_new_dict(c, now, LW_NO_NODE);
    }
    if (depth >= 8 || v.kind == CK_INSTANCE || !ck_sequence(c, v, &seq) || seq.open)
        return lw_v_unknown();
    struct lw_value *items = ck_values(c, seq.n);
    for (uint32_t i = 0; items && i < seq.n; i++)
        items[i] = fetched(c, seq.items[i], depth + 1);
    if (!items)
        return lw_v_unknown();
    struct lw_value out = ck_make_seq(c, LW_V_LIST, items, seq.n, false);
    if (v.kind != CK_LIST) {
        out.kind = LW_V_TUPLE;
        return out;
    }
    return out.kind == LW_V_LIST ? ck_new_list(c, CK_LIST, out.seq, LW_NO_NODE) : out;
}

static void session_run(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value fetches = ck_arg(call, 0, "fetches");
    *value = fetched(c, fetches, 0);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_SESSION_RUN,
                                  .node = call->node,
                                  .object = ck_as(call->self, CK_INSTANCE),
                                  .call = call,
                                  .a = fetches});
}

const struct ck_object *ck_current_graph(struct ck *c)
{
    for (size_t i = c->contexts.n; i-- > 0;) {
        const struct ck_object *o = ck_as(c->contexts.v[i].value, CK_INSTANCE);
        if (o && lw_str_eq(o->name, LW_S("tensorflow.Graph")))
            return o;
    }
    return NULL;
}

/* What graph a session runs: that given, else the default one where it is made. */
static void session_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value graph = ck_slot_value(call, "graph");
    if (!o)
        return;
    const struct ck_object *around = ck_current_graph(c);
    if (graph.kind == LW_V_NONE || graph.kind == LW_V_ABSENT)
        graph = around ? (struct lw_value){.kind = CK_INSTANCE, .opaque = around} : lw_v_none();
    else if (graph.kind != CK_INSTANCE)
        graph = lw_v_unknown();
    model_set_trait(c, o, SESSION_GRAPH, graph);
}

static void graph_as_default(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    *value = call->self;
}

static void tensor_eval(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = fetched(c, call->self, 0);
}

/* An operation that only has effects: init, train. Its kind is kept as a name. */
static void make_op(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, call->node);
    if (!o)
        return;
    o->name = LW_S("tensorflow.Operation");
    o->open = true;
    model_set_trait(c, o, GRAPH_OP, lw_v_str(call->name));
    *value = ck_value(o);
}

/* A training step depends on all that its loss does. */
static void make_step(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    make_op(c, call, value);
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value loss = ck_arg(call, 0, "loss");
    if (o && loss.kind == LW_V_TENSOR)
        model_set_trait(c, o, GRAPH_LOSS, loss);
}

/* ---- recurrent nets -----------------------------------------------------------------------
 */

/* How many features a cell gives; through wrappers, and of the last of several. */
static lw_dim cell_units(struct ck *c, struct lw_value cell, unsigned depth)
{
    const struct ck_object *o = ck_as(cell, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || o->of || depth > 8)
        return LW_DIM_UNKNOWN;
    struct lw_value projected = ck_config(o, "num_proj"), units = ck_config(o, "num_units");
    if (projected.kind == LW_V_INT)
        return projected.dim;
    if (units.kind == LW_V_INT)
        return units.dim;
    struct lw_value cells = ck_config(o, "cells");
    if (cells.kind != LW_V_ABSENT && ck_sequence(c, cells, &seq) && seq.n > 0)
        return cell_units(c, seq.items[seq.n - 1], depth + 1);
    return cell_units(c, ck_config(o, "cell"), depth + 1);
}

/* The inputs with the features of the cell; the state begins in type `dtype`. */
static struct lw_value unrolled(struct ck *c, const struct ck_call *call, struct lw_value cell,
                                struct lw_value in)
{
    struct lw_value dtype = ck_slot_value(call, "dtype");
    if (in.kind != LW_V_TENSOR)
        return lw_v_unknown();
    struct lw_tensor t = *in.tensor;
    if (dtype.kind == LW_V_DTYPE && lw_set_is_one(dtype.dtypes) && lw_set_is_one(t.dtype) &&
        dtype.dtypes != t.dtype)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_STATE_DTYPE,
                                      .node = call->node,
                                      .a = in,
                                      .b = dtype});
    lw_dim units = cell_units(c, cell, 0);
    if (!lw_shape_has_rank(&t.shape) || t.shape.n != 3)
        t.shape = lw_shape_of_rank(3);
    t.shape.d[2] = units;
    t.framework = LW_TF;
    t.id = 0;
    t.range = lw_iv_between(-1, 1);
    t.line = ck_place(c, call->node);
    return ck_tensor(c, &t);
}

static void dynamic_rnn(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value pair[2] = {
        unrolled(c, call, ck_slot_value(call, "cell"), ck_slot_value(call, "inputs")),
        lw_v_unknown()};
    *value = ck_tuple(c, pair, 2);
}

static void bidirectional_rnn(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value in = ck_slot_value(call, "inputs");
    struct lw_value both[2] = {unrolled(c, call, ck_slot_value(call, "cell_fw"), in),
                               unrolled(c, call, ck_slot_value(call, "cell_bw"), in)};
    struct lw_value pair[2] = {ck_tuple(c, both, 2), lw_v_unknown()};
    *value = ck_tuple(c, pair, 2);
}

const struct ck_handler ck_handlers_tf1[] = {
    {"tensorflow.Graph.as_default", graph_as_default},
    {"tensorflow.InteractiveSession", session_new},
    {"tensorflow.InteractiveSession.run", session_run},
    {"tensorflow.Session", session_new},
    {"tensorflow.Session.run", session_run},
    {"tensorflow.Tensor.eval", tensor_eval},
    {"tensorflow.global_variables_initializer", make_op},
    {"tensorflow.initialize_all_variables", make_op},
    {"tensorflow.initialize_variables", make_op},
    {"tensorflow.local_variables_initializer", make_op},
    {"tensorflow.nn.bidirectional_dynamic_rnn", bidirectional_rnn},
    {"tensorflow.nn.dynamic_rnn", dynamic_rnn},
    {"tensorflow.train.Optimizer.apply_gradients", make_op},
    {"tensorflow.train.Optimizer.minimize", make_step},
    {"tensorflow.variables_initializer", make_op},
    {NULL, NULL},
};
