/* PyTorch: tools that run a model on an input of a given size, and batches of unlike items. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"

/* ---- summaries, traces, exports -----------------------------------------------------------
 */

enum { MOST_INPUTS = 8 };

static struct lw_value input_of(struct ck *c, struct lw_value size, bool batched, uint32_t node)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    if (!lw_v_to_shape(c->dims, ck_plain(c, size), &t.shape))
        return lw_v_unknown();
    if (!batched)
        t.shape = lw_shape_insert(&t.shape, 0, lw_dim_int(2)); /* torchsummary takes two */
    t.dtype = LW_F32;
    t.line = ck_place(c, node);
    return ck_tensor(c, &t);
}

static bool is_size(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    return ck_sequence(c, v, &seq) && !seq.open && seq.n > 0 && seq.items[0].kind == LW_V_INT;
}

static void run_model(struct ck *c, struct lw_value model, const struct lw_arg *args, size_t n,
                      uint32_t node)
{
    const struct ck_object *o = ck_as(model, CK_INSTANCE);
    bool known = o && ck_is_torch_module(c, o);
    for (size_t i = 0; i < n; i++)
        known &= args[i].value.kind != LW_V_UNKNOWN;
    if (known && n > 0)
        ck_call(c, model, args, n, node);
}

/* The sizes of one input, or of several. */
static void run_sizes(struct ck *c, const struct ck_call *call, struct lw_value model,
                      struct lw_value sizes, bool batched)
{
    struct lw_arg args[MOST_INPUTS];
    struct lw_seq seq;
    size_t n = 0;
    if (is_size(c, sizes)) {
        args[n++] = (struct lw_arg){.value = input_of(c, sizes, batched, call->node),
                                    .node = call->node};
    } else if (ck_sequence(c, sizes, &seq) && !seq.open && seq.n <= MOST_INPUTS) {
        for (uint32_t i = 0; i < seq.n; i++)
            args[n++] =
                (struct lw_arg){.value = is_size(c, seq.items[i])
                                             ? input_of(c, seq.items[i], batched, call->node)
                                             : lw_v_unknown(),
                                .node = call->node};
    }
    run_model(c, model, args, n, call->node);
}

/* An input, or a tuple of the inputs. */
static void run_inputs(struct ck *c, const struct ck_call *call, struct lw_value model,
                       struct lw_value inputs)
{
    struct lw_arg args[MOST_INPUTS];
    struct lw_seq seq;
    size_t n = 0;
    if (inputs.kind == LW_V_TENSOR)
        args[n++] = (struct lw_arg){.value = inputs, .node = call->node};
    else if (inputs.kind == LW_V_TUPLE && ck_sequence(c, inputs, &seq) && !seq.open &&
             seq.n <= MOST_INPUTS)
        for (uint32_t i = 0; i < seq.n; i++)
            args[n++] = (struct lw_arg){.value = seq.items[i], .node = call->node};
    run_model(c, model, args, n, call->node);
}

static void summary(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_unknown();
    run_sizes(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "input_size"), false);
}

static void info(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value data = ck_arg(call, 2, "input_data");
    *value = lw_v_unknown();
    if (data.kind != LW_V_ABSENT && data.kind != LW_V_NONE)
        run_inputs(c, call, ck_arg(call, 0, "model"), data);
    else
        run_sizes(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "input_size"), true);
}

static void complexity(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_unknown();
    run_sizes(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "input_res"), false);
}

static void trace(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value model = ck_arg(call, 0, "func");
    run_inputs(c, call, model, ck_arg(call, 1, "example_inputs"));
    *value = lw_v_unknown();
}

static void export_model(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_none();
    run_inputs(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "args"));
}

static void profile(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_unknown();
    run_inputs(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "inputs"));
}

static void add_graph(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_none();
    run_inputs(c, call, ck_arg(call, 0, "model"), ck_arg(call, 1, "input_to_model"));
}

/* ---- items of a data set ------------------------------------------------------------------
 */

/* Tensors at the same place of two items that cannot be stacked; false: they can, or it is not
 * known. */
static bool unlike(struct ck *c, struct lw_value a, struct lw_value b, struct lw_value out[2])
{
    if (a.kind != b.kind)
        return false;
    if (a.kind == LW_V_TUPLE) {
        for (uint32_t i = 0; i < a.seq.n && i < b.seq.n; i++)
            if (unlike(c, a.seq.items[i], b.seq.items[i], out))
                return true;
        return false;
    }
    out[0] = a;
    out[1] = b;
    return a.kind == LW_V_TENSOR && lw_shape_has_rank(&a.tensor->shape) &&
           lw_shape_has_rank(&b.tensor->shape) &&
           lw_shape_eq(c->dims, &a.tensor->shape, &b.tensor->shape) == LW_TRI_NO;
}

static struct lw_value item_at(struct ck *c, struct lw_value dataset, int64_t i, uint32_t node)
{
    struct lw_arg arg = {.value = ck_int(c, i), .node = LW_NO_NODE};
    struct lw_value v = ck_call_method(c, dataset, "__getitem__", &arg, 1, node);
    struct lw_seq seq;
    if (v.kind == LW_V_ABSENT && dataset.kind == CK_LIST && ck_sequence(c, dataset, &seq) &&
        !seq.open && i < seq.n)
        v = seq.items[i];
    return v;
}

/* Some item of unknown size: are the first three of one shape? */
void ck_check_items(struct ck *c, struct lw_value dataset, uint32_t node)
{
    struct lw_value items[3], pair[2];
    if (c->quiet || c->ways.probing || c->frame->guarded)
        return;
    size_t mark = heap_mark(&c->heap), facts = lw_dims_mark(c->dims);
    size_t instances = c->instances.n;
    c->quiet++;
    for (int64_t i = 0; i < 3; i++)
        items[i] = item_at(c, dataset, i, node);
    c->quiet--;
    c->instances.n = instances;
    lw_dims_rewind(c->dims, facts);
    heap_undo(&c->heap, mark);
    if (unlike(c, items[0], items[1], pair) || unlike(c, items[0], items[2], pair))
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_ITEMS_DIFFER,
                                      .node = node,
                                      .a = pair[0],
                                      .b = pair[1]});
}

const struct ck_handler ck_handlers_torch_run[] = {
    {"ptflops.get_model_complexity_info", complexity},
    {"tensorboardX.SummaryWriter.add_graph", add_graph},
    {"thop.profile", profile},
    {"torch.jit.trace", trace},
    {"torch.onnx.export", export_model},
    {"torch.utils.tensorboard.SummaryWriter.add_graph", add_graph},
    {"torchinfo.summary", info},
    {"torchsummary.summary", summary},
    {NULL, NULL},
};
