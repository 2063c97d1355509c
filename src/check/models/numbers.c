/* Numbers out of tensors: tolist(), sizes of batches, single random numbers. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"

enum { MAX_LISTED = 64 }; /* elements that are told apart */

static struct lw_value element_of(const struct lw_tensor *t)
{
    if (lw_set_within(t->dtype, LW_BOOL) == LW_TRI_YES)
        return lw_v_tri(LW_TRI_MAYBE);
    if (lw_set_within(t->dtype, LW_INTS) == LW_TRI_YES)
        return lw_v_dim(LW_DIM_UNKNOWN);
    if (lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES)
        return lw_v_interval(t->range);
    return lw_v_unknown();
}

static struct lw_value listed(struct ck *c, const struct lw_tensor *t, uint32_t axis,
                              uint32_t node)
{
    int64_t n;
    if (axis >= t->shape.n)
        return element_of(t);
    struct lw_value item = listed(c, t, axis + 1, node);
    if (!lw_dim_is_int(c->dims, t->shape.d[axis], &n) || n > MAX_LISTED || n < 0) {
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &item, 1, true);
        if (one.kind != LW_V_LIST)
            return lw_v_unknown();
        one.seq.length = t->shape.d[axis];
        return ck_new_list(c, CK_LIST, one.seq, node);
    }
    struct lw_value *items = ck_values(c, (size_t)n);
    if (!items)
        return lw_v_unknown();
    for (int64_t i = 0; i < n; i++)
        items[i] = item;
    return ck_new_list(c, CK_LIST, (struct lw_seq){.items = items, .n = (uint32_t)n}, node);
}

static void tolist(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_tensor *t = ck_tensor_of(call->self);
    *value = lw_v_unknown();
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n <= 4)
        *value = listed(c, t, 0, call->node);
}

/* Without a size the generators give a number of Python, not an array of numpy: TensorFlow
 * makes float32 of it. */
static void draw(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_tensor *t = ck_tensor_of(*value);
    (void)c;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n == 0 &&
        ck_slot_value(call, "size").kind == LW_V_NONE &&
        lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES)
        *value = lw_v_interval(t->range);
}

const struct ck_handler ck_handlers_numbers[] = {
    {"numpy.ndarray.tolist", tolist},
    {"numpy.random.normal", draw},
    {"numpy.random.random", draw},
    {"numpy.random.random_sample", draw},
    {"numpy.random.uniform", draw},
    {"torch.Tensor.tolist", tolist},
    {NULL, NULL},
};
