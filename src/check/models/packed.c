/* Sequences of different lengths as torch packs them: pack_padded_sequence, recurrent modules
 * that take and give packed ones, pad_packed_sequence. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/traits.h"

static const char packed_name[] = "torch.nn.utils.rnn.PackedSequence";

static struct ck_object *as_packed(struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    return o && !o->of && lw_str_eq(o->name, lw_str(packed_name)) ? o : NULL;
}

/* (batch, time, features) to (time, batch, features) and back. */
static struct lw_value swapped(struct ck *c, struct lw_value v)
{
    if (v.kind != LW_V_TENSOR)
        return v;
    struct lw_tensor t = *v.tensor;
    if (lw_shape_has_rank(&t.shape) && t.shape.n >= 2) {
        lw_dim first = t.shape.d[0];
        t.shape.d[0] = t.shape.d[1];
        t.shape.d[1] = first;
    }
    return lw_v_tensor(c->arena, &t);
}

/* A packed sequence; `padded` is what was packed, the batch first. */
static struct lw_value pack(struct ck *c, struct lw_value padded, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (!o)
        return lw_v_unknown();
    o->name = lw_str(packed_name);
    o->open = true; /* batch_sizes and more */
    model_set_trait(c, o, SEQUENCE_PADDED, padded);
    if (padded.kind == LW_V_TENSOR && lw_shape_has_rank(&padded.tensor->shape) &&
        padded.tensor->shape.n == 3) {
        struct lw_tensor t = *padded.tensor;
        lw_dim d[2] = {LW_DIM_UNKNOWN, t.shape.d[2]};
        t.shape = lw_shape_make(d, 2);
        t.id = 0;
        ck_set_field(c, o, "data", ck_tensor(c, &t));
    }
    return ck_value(o);
}

static void pack_padded(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value in = ck_slot_value(call, "input");
    lw_tri first = ck_truth(c, ck_slot_value(call, "batch_first"));
    struct ck_origin origin = {.op = call->name, .node = call->node};
    if (in.kind != LW_V_TENSOR || first == LW_TRI_MAYBE)
        return;
    struct lw_value padded = first == LW_TRI_YES ? in : swapped(c, in);
    *value = pack(c, ck_made(c, padded, &origin, &in, 1), call->node);
}

/* Padded to the longest: shorter than before, or not. */
static void pad_packed(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = as_packed(ck_slot_value(call, "sequence"));
    struct lw_value padded = o ? model_trait(o, SEQUENCE_PADDED) : lw_v_absent();
    lw_tri first = ck_truth(c, ck_slot_value(call, "batch_first"));
    if (padded.kind != LW_V_TENSOR || !lw_shape_has_rank(&padded.tensor->shape) ||
        padded.tensor->shape.n < 2 || first == LW_TRI_MAYBE)
        return;
    struct lw_tensor t = *padded.tensor, lengths = lw_tensor_unknown(LW_TORCH);
    t.shape.d[1] = LW_DIM_UNKNOWN;
    t.id = 0;
    lengths.shape = lw_shape_make(t.shape.d, 1);
    lengths.dtype = LW_I64;
    struct lw_value out = ck_tensor(c, &t);
    struct lw_value pair[2] = {first == LW_TRI_YES ? out : swapped(c, out),
                               ck_tensor(c, &lengths)};
    *value = ck_tuple(c, pair, 2);
}

/* A recurrent module works on what was packed, and packs its output. */
static struct lw_value run_packed(struct ck *c, struct ck_object *o, struct ck_object *packed,
                                  const struct lw_arg *args, size_t n, uint32_t node)
{
    struct lw_value in = model_trait(packed, SEQUENCE_PADDED);
    lw_tri first = ck_truth(c, ck_config(o, "batch_first"));
    struct lw_arg *plain = lw_arena_array(c->arena, n, sizeof *plain);
    struct lw_seq seq;
    if (!plain || in.kind != LW_V_TENSOR || first == LW_TRI_MAYBE)
        return lw_v_unknown();
    for (size_t i = 0; i < n; i++)
        plain[i] = args[i];
    plain[0].value = first == LW_TRI_YES ? in : swapped(c, in);
    struct lw_value out = ck_call_instance(c, o, plain, n, node);
    if (out.kind != LW_V_TUPLE || !ck_sequence(c, out, &seq) || seq.n != 2)
        return lw_v_unknown();
    struct lw_value both[2] = {
        pack(c, first == LW_TRI_YES ? seq.items[0] : swapped(c, seq.items[0]), node),
        seq.items[1]};
    return ck_tuple(c, both, 2);
}

bool ck_packed_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                    uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    struct ck_object *packed = n ? as_packed(args[0].value) : NULL;
    if (!packed || o->of || !o->api || !lw_str_has_prefix(o->api->name, LW_S("torch.nn.")))
        return false;
    *out = lw_v_unknown();
    struct lw_str role = lw_api_fact(o->api, "role");
    if (lw_str_eq(role, LW_S("recurrent")))
        *out = run_packed(c, o, packed, args, n, node);
    else if (lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")))
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_PACKED_INPUT,
                                      .node = node,
                                      .object = o});
    return true;
}

const struct ck_handler ck_handlers_packed[] = {
    {"torch.nn.utils.rnn.pack_padded_sequence", pack_padded},
    {"torch.nn.utils.rnn.pad_packed_sequence", pad_packed},
    {NULL, NULL},
};
