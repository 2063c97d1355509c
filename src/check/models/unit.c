#include "check/models/unit.h"

#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"

enum { MAX_STEPS = 12 };

/* x / norm(x), x / sqrt(sum(x ** 2)); a small number may be added below. */
static bool is_by_length(struct ck *c, const struct ck_origin *quotient)
{
    static const char *const lengths[] = {"norm",      "vector_norm", "sqrt", "maximum",
                                          "clamp_min", "clamp",       "+",    "rsqrt",
                                          "expand_as", "clip",        "max"};
    struct lw_value v = quotient->in_count == 2 ? quotient->in[1] : lw_v_absent();
    for (unsigned i = 0; i < 4; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *o =
            lineage_made_by(c, v, lengths, sizeof lengths / sizeof *lengths);
        if (!o || o->in_count == 0)
            return false;
        struct lw_str tail = text_tail(o->op);
        if (text_is(tail, "norm") || text_is(tail, "vector_norm") || text_is(tail, "sqrt"))
            return true;
        v = o->in[0];
    }
    return false;
}

/* The first tensor of a list or tuple that was joined. */
static struct lw_value first_of(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR || !ck_sequence(c, v, &seq) || seq.n == 0)
        return v;
    return seq.items[0];
}

/* Was it made one of vectors of length 1, and only turned, picked from or joined since? */
static bool is_unit(struct ck *c, struct lw_value v)
{
    static const char *const units[] = {"normalize", "l2_normalize", "UnitNormalization"};
    static const char *const moves[] = {
        "t",      "T",     "transpose", "permute",  "cat",    "concat", "concatenate",
        "stack",  "[]",    "gather",    "chunk",    "split",  "clone",  "index_select",
        "expand", "mT",    "unbind",    "swapaxes", "repeat", "tile",   "all_gather",
        "roll",   "vstack"};
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        v = lineage_through(c, first_of(c, v));
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || o->in_count == 0)
            return false;
        struct lw_str tail = text_tail(o->op);
        if (text_is_any(tail, units, 3) ||
            ((text_is(tail, "/") || text_is(tail, "div") || text_is(tail, "divide")) &&
             is_by_length(c, o)))
            return true;
        if (!text_is_any(tail, moves, sizeof moves / sizeof *moves))
            return false;
        v = o->in[0];
    }
    return false;
}

void ck_unit_product(struct ck *c, struct lw_value a, struct lw_value b, struct lw_value *value)
{
    if (value->kind != LW_V_TENSOR || value->tensor->range.hi <= 1.001 || !is_unit(c, a) ||
        !is_unit(c, b))
        return;
    struct lw_tensor t = *value->tensor;
    double least = t.range.lo > -1 ? t.range.lo : -1;
    t.range = lw_iv_as(lw_iv_between(least, 1), t.dtype);
    *value = ck_tensor(c, &t);
}

static struct lw_value argument(const struct ck_call *call, size_t i)
{
    if (call->self.kind != LW_V_ABSENT)
        return i == 0 ? call->self : i - 1 < call->n ? call->args[i - 1].value : lw_v_absent();
    return i < call->n ? call->args[i].value : lw_v_absent();
}

static void multiply(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    ck_unit_product(c, argument(call, 0), argument(call, 1), value);
}

/* einsum('nc,ck->nk', a, b) */
static void contract(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    ck_unit_product(c, argument(call, 1), argument(call, 2), value);
}

/* sum(a * b, axis) */
static void sum(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    static const char *const products[] = {"*", "mul", "multiply"};
    const struct ck_origin *o = lineage_made_by(c, argument(call, 0), products, 3);
    const struct lw_tensor *a = o && o->in_count == 2 ? ck_tensor_of(o->in[0]) : NULL;
    const struct lw_tensor *b = a ? ck_tensor_of(o->in[1]) : NULL;
    if (a && b && a->id != b->id)
        ck_unit_product(c, o->in[0], o->in[1], value);
}

const struct ck_handler ck_handlers_unit[] = {
    {"keras.backend.dot", multiply},
    {"keras.backend.sum", sum},
    {"numpy.dot", multiply},
    {"numpy.matmul", multiply},
    {"numpy.sum", sum},
    {"tensorflow.linalg.matmul", multiply},
    {"tensorflow.math.reduce_sum", sum},
    {"torch.bmm", multiply},
    {"torch.einsum", contract},
    {"torch.matmul", multiply},
    {"torch.mm", multiply},
    {"torch.sum", sum},
    {NULL, NULL},
};
