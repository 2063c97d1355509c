/* Choosing by a condition: where() and masked_fill() take values out of a range. */
#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/models/models.h"

/* x OP k, as a comparison of a tensor with a number. */
struct condition {
    uint32_t id; /* of x; 0: not known */
    const struct lw_tensor *of;
    enum lw_op op;
    double k;
};

static enum lw_op op_of(struct lw_str name)
{
    static const struct {
        const char *name;
        enum lw_op op;
    } ops[] = {
        {">", LW_OP_GT},      {"gt", LW_OP_GT},     {"greater", LW_OP_GT},
        {">=", LW_OP_GT_E},   {"ge", LW_OP_GT_E},   {"greater_equal", LW_OP_GT_E},
        {"<", LW_OP_LT},      {"lt", LW_OP_LT},     {"less", LW_OP_LT},
        {"<=", LW_OP_LT_E},   {"le", LW_OP_LT_E},   {"less_equal", LW_OP_LT_E},
        {"==", LW_OP_EQ},     {"eq", LW_OP_EQ},     {"equal", LW_OP_EQ},
        {"!=", LW_OP_NOT_EQ}, {"ne", LW_OP_NOT_EQ}, {"not_equal", LW_OP_NOT_EQ},
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (text_is(name, ops[i].name))
            return ops[i].op;
    return LW_OP_NONE;
}

static enum lw_op opposite(enum lw_op op)
{
    switch ((int)op) {
    case LW_OP_GT: return LW_OP_LT_E;
    case LW_OP_GT_E: return LW_OP_LT;
    case LW_OP_LT: return LW_OP_GT_E;
    case LW_OP_LT_E: return LW_OP_GT;
    case LW_OP_EQ: return LW_OP_NOT_EQ;
    case LW_OP_NOT_EQ: return LW_OP_EQ;
    default: return LW_OP_NONE;
    }
}

static struct condition condition_of(struct ck *c, struct lw_value v)
{
    struct condition out = {0};
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!o || o->in_count < 2 || o->in[0].kind != LW_V_TENSOR)
        return out;
    out.op = op_of(text_tail(o->op));
    if (out.op != LW_OP_NONE && ck_number_of(c, o->in[1], &out.k)) {
        out.id = o->in[0].tensor->id;
        out.of = o->in[0].tensor;
    }
    return out;
}

/* The values of the range for which `x OP k` holds. */
static struct lw_interval keep(struct lw_interval a, enum lw_op op, double k)
{
    if ((op == LW_OP_GT || op == LW_OP_GT_E) && a.lo <= k) {
        a.lo = k;
        a.flags = (uint8_t)(op == LW_OP_GT ? a.flags | LW_IV_LO_OPEN
                                           : a.flags & ~(unsigned)LW_IV_LO_OPEN);
    } else if ((op == LW_OP_LT || op == LW_OP_LT_E) && a.hi >= k) {
        a.hi = k;
        a.flags = (uint8_t)(op == LW_OP_LT ? a.flags | LW_IV_HI_OPEN
                                           : a.flags & ~(unsigned)LW_IV_HI_OPEN);
    } else if (op == LW_OP_NOT_EQ) {
        if (a.lo == k)
            a.flags |= LW_IV_LO_OPEN;
        if (a.hi == k)
            a.flags |= LW_IV_HI_OPEN;
    }
    return a;
}

static bool range_of(struct ck *c, struct lw_value v, struct lw_interval *out, uint32_t *id)
{
    struct lw_tensor t;
    if (!ck_to_tensor(c, v, &t))
        return false;
    *out = t.range;
    *id = v.kind == LW_V_TENSOR ? v.tensor->id : 0;
    return true;
}

static void set_range(struct ck *c, struct lw_value *value, struct lw_interval range)
{
    struct lw_tensor t = *value->tensor;
    t.range = lw_iv_as(range, t.dtype);
    *value = ck_tensor(c, &t);
}

static void choose(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct condition is = condition_of(c, ck_arg(call, 0, "condition"));
    struct lw_interval a, b;
    uint32_t id_a, id_b;
    if (!is.id || value->kind != LW_V_TENSOR || call->n < 3 ||
        !range_of(c, call->args[1].value, &a, &id_a) ||
        !range_of(c, call->args[2].value, &b, &id_b) || (id_a != is.id && id_b != is.id))
        return;
    if (id_a == is.id)
        a = keep(a, is.op, is.k);
    if (id_b == is.id)
        b = keep(b, opposite(is.op), is.k);
    if (a.lo <= a.hi && b.lo <= b.hi)
        set_range(c, value, lw_iv_join(a, b));
}

static void fill(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct condition is = condition_of(c, ck_slot_value(call, "mask"));
    struct lw_value x =
        call->self.kind == LW_V_TENSOR ? call->self : ck_slot_value(call, "input");
    struct lw_interval a, b;
    uint32_t id, other;
    if (!is.id || value->kind != LW_V_TENSOR || !range_of(c, x, &a, &id) || id != is.id ||
        !range_of(c, ck_slot_value(call, "value"), &b, &other))
        return;
    a = keep(a, opposite(is.op), is.k);
    if (a.lo <= a.hi)
        set_range(c, value, lw_iv_join(a, b));
}

/* ---- rows that are picked by their values -------------------------------------------------
 */

/* The same array: by its name, or as it was loaded. */
static bool is_same(const struct lw_tensor *a, const struct lw_tensor *b)
{
    return a && (a == b || (a->id && a->id == b->id));
}

struct search {
    const struct lw_tensor *of;
    bool found;
};

static bool visit(void *data, struct lw_value v, const struct ck_origin *o)
{
    struct search *s = data;
    (void)o;
    s->found |= v.kind == LW_V_TENSOR && is_same(v.tensor, s->of);
    return !s->found;
}

static bool is_made_of(struct ck *c, struct lw_value index, const struct lw_tensor *of)
{
    struct search s = {.of = of};
    struct lw_seq seq;
    if (index.kind == LW_V_TENSOR)
        lineage_walk(c, index, visit, &s);
    else if (ck_sequence(c, index, &seq))
        for (uint32_t i = 0; i < seq.n && !s.found; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                lineage_walk(c, seq.items[i], visit, &s);
    return s.found;
}

void ck_range_chosen(struct ck *c, struct lw_value v, struct lw_value index,
                     struct lw_interval *range)
{
    bool whole = (range->flags & LW_IV_KNOWN) && (range->flags & LW_IV_WHOLE);
    struct condition is = condition_of(c, index);
    if (!(range->flags & LW_IV_KNOWN))
        return;
    if (is_same(is.of, v.tensor)) {
        if (whole && (is.op == LW_OP_LT || is.op == LW_OP_GT)) {
            is.k += is.op == LW_OP_LT ? -1 : 1;
            is.op = is.op == LW_OP_LT ? LW_OP_LT_E : LW_OP_GT_E;
        }
        struct lw_interval kept = keep(*range, is.op, is.k);
        if (is.op == LW_OP_EQ)
            kept.lo = kept.hi = is.k;
        if (kept.lo <= kept.hi)
            *range = kept;
    } else if (whole && is_made_of(c, index, v.tensor)) {
        range->flags &= (uint8_t)~LW_IV_KNOWN; /* some classes, nobody knows which */
    }
}

const struct ck_handler ck_handlers_where[] = {
    {"numpy.where", choose},
    {"tensorflow.where", choose},
    {"torch.masked_fill", fill},
    {"torch.where", choose},
    {NULL, NULL},
};
