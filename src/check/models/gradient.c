/* Gradients that are asked for: torch.autograd.grad. */
#include "check/models/models.h"

/* The gradient by a tensor has its shape and type. */
static struct lw_value gradient_by(struct ck *c, struct lw_value x)
{
    struct lw_tensor t = x.kind == LW_V_TENSOR ? *x.tensor : lw_tensor_unknown(LW_TORCH);
    t.range = lw_iv_unknown();
    t.id = 0;
    t.relation = 0;
    t.variable = LW_TRI_NO;
    t.grad = LW_TRI_MAYBE; /* with create_graph */
    return ck_tensor(c, &t);
}

/* grad(outputs, inputs): one for each input, in a tuple; those that were not used may be None.
 */
static void gradients(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value outputs = ck_arg(call, 0, "outputs"), inputs = ck_arg(call, 1, "inputs");
    struct lw_value unused = ck_arg(call, SIZE_MAX, "allow_unused");
    struct lw_seq seq = {.items = &inputs, .n = 1};
    *value = lw_v_unknown();
    if (unused.kind != LW_V_ABSENT && ck_truth(c, unused) != LW_TRI_NO)
        return;
    if (inputs.kind != LW_V_TENSOR && (!ck_sequence(c, inputs, &seq) || seq.n == 0))
        return;
    struct lw_value *items = ck_values(c, seq.n);
    if (!items)
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        items[i] = gradient_by(c, seq.items[i]);
    struct ck_origin origin = {.op = call->name, .api = call->api, .node = call->node};
    struct lw_value all = ck_make_seq(c, LW_V_TUPLE, items, seq.n, seq.open);
    *value = ck_made(c, all, &origin, &outputs, 1);
}

const struct ck_handler ck_handlers_gradient[] = {
    {"torch.autograd.grad", gradients},
    {NULL, NULL},
};
