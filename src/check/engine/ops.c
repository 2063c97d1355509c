/* Operators, subscripts and iteration over values. */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/square.h"

/* ---- numbers ------------------------------------------------------------------------------
 */

static struct lw_interval as_interval(struct ck *c, struct lw_value v)
{
    int64_t n, least, most;
    if (v.kind == LW_V_FLOAT)
        return v.interval;
    if (ck_int_of(c, v, &n))
        return lw_iv_number((double)n);
    if (v.kind == LW_V_INT && v.dim != LW_DIM_UNKNOWN) {
        lw_dim_bounds(c->dims, v.dim, &least, &most);
        if (least != LW_DIM_LEAST && most != LW_DIM_MOST)
            return lw_iv_between((double)least, (double)most);
    }
    return lw_iv_unknown();
}

static struct lw_value as_int(struct lw_value v)
{
    if (v.kind == LW_V_BOOL)
        return lw_v_dim(v.tri == LW_TRI_MAYBE ? LW_DIM_UNKNOWN
                                              : lw_dim_int(v.tri == LW_TRI_YES));
    return v;
}

static bool power(int64_t a, int64_t b, int64_t *out)
{
    int64_t n = 1;
    if (b < 0 || b > 62)
        return false;
    for (; b > 0; b--)
        if (!lw_mul_i64(n, a, &n))
            return false;
    *out = n;
    return true;
}

static struct lw_value int_binary(struct ck *c, enum lw_op op, struct lw_value a,
                                  struct lw_value b)
{
    int64_t x, y, n;
    bool known = ck_int_of(c, a, &x) && ck_int_of(c, b, &y);
    switch (op) {
    case LW_OP_ADD: return lw_v_dim(lw_dim_add(c->dims, a.dim, b.dim));
    case LW_OP_SUB: return lw_v_dim(lw_dim_sub(c->dims, a.dim, b.dim));
    case LW_OP_MULT: return lw_v_dim(lw_dim_mul(c->dims, a.dim, b.dim));
    case LW_OP_FLOOR_DIV: return lw_v_dim(lw_dim_floordiv(c->dims, a.dim, b.dim));
    case LW_OP_MOD: return lw_v_dim(lw_dim_mod(c->dims, a.dim, b.dim));
    case LW_OP_DIV:
        if (known && y != 0)
            return lw_v_float((double)x / (double)y);
        return lw_v_interval(lw_iv_unknown());
    case LW_OP_POW:
        if (known && power(x, y, &n))
            return ck_int(c, n);
        if (known && y < 0)
            return lw_v_float(pow((double)x, (double)y));
        return lw_v_dim(LW_DIM_UNKNOWN);
    case LW_OP_LSHIFT:
        if (known && y >= 0 && y < 62 && power(2, y, &n) && lw_mul_i64(x, n, &n))
            return ck_int(c, n);
        return lw_v_dim(LW_DIM_UNKNOWN);
    default: return lw_v_dim(LW_DIM_UNKNOWN);
    }
}

static struct lw_value float_binary(struct ck *c, enum lw_op op, struct lw_value a,
                                    struct lw_value b)
{
    struct lw_interval x = as_interval(c, a), y = as_interval(c, b);
    switch (op) {
    case LW_OP_ADD: return lw_v_interval(lw_iv_add(x, y));
    case LW_OP_SUB: return lw_v_interval(lw_iv_sub(x, y));
    case LW_OP_MULT: return lw_v_interval(lw_iv_mul(x, y));
    case LW_OP_DIV: return lw_v_interval(lw_iv_div(x, y));
    case LW_OP_FLOOR_DIV: return lw_v_interval(lw_iv_floordiv(x, y));
    case LW_OP_MOD: return lw_v_interval(lw_iv_mod(x, y));
    case LW_OP_POW: return lw_v_interval(lw_iv_pow(x, y));
    default: return lw_v_interval(lw_iv_unknown());
    }
}

static bool is_number(struct lw_value v)
{
    return v.kind == LW_V_INT || v.kind == LW_V_FLOAT || v.kind == LW_V_BOOL;
}

/* ---- sequences ----------------------------------------------------------------------------
 */

static struct lw_value repeat(struct ck *c, struct lw_value v, struct lw_value times,
                              uint32_t node)
{
    struct lw_seq seq;
    int64_t n;
    if (!ck_sequence(c, v, &seq))
        return lw_v_unknown();
    bool list = v.kind == CK_LIST;
    bool known = ck_int_of(c, times, &n);
    if (!known || seq.open || n < 0 || (uint64_t)n * seq.n > CK_MAX_ITEMS) {
        struct lw_value any = ck_join_items(c, seq);
        struct lw_value open = ck_make_seq(c, LW_V_LIST, &any, seq.n ? 1 : 0, true);
        if (open.kind != LW_V_LIST)
            return open;
        if (known && n > 0 && !seq.open)
            open.seq.length = lw_dim_big(c->dims, n * seq.n);
        else if (times.kind == LW_V_INT && seq.n == 1)
            open.seq.length = times.dim;
        if (list)
            return ck_new_list(c, CK_LIST, open.seq, node);
        open.kind = LW_V_TUPLE;
        return open;
    }
    struct lw_value *items = ck_values(c, (size_t)n * seq.n);
    if (!items)
        return lw_v_unknown();
    for (int64_t i = 0; i < n * (int64_t)seq.n; i++)
        items[i] = seq.items[i % seq.n];
    struct lw_seq all = {.items = items, .n = (uint32_t)((uint64_t)n * seq.n)};
    if (list)
        return ck_new_list(c, CK_LIST, all, node);
    return (struct lw_value){.kind = LW_V_TUPLE, .seq = all};
}

static struct lw_value chain(struct ck *c, struct lw_value a, struct lw_value b, uint32_t node)
{
    struct lw_seq s, t;
    if (!ck_sequence(c, a, &s) || !ck_sequence(c, b, &t))
        return a.kind == CK_LIST ? ck_new_list(c, CK_LIST, (struct lw_seq){.open = true}, node)
                                 : lw_v_unknown();
    struct lw_seq all = {.open = s.open || t.open};
    if (all.open) {
        struct lw_value any = s.n ? ck_join_items(c, s) : ck_join_items(c, t);
        if (s.n && t.n)
            any = ck_join(c, any, ck_join_items(c, t));
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &any, s.n || t.n, true);
        all = one.kind == LW_V_LIST ? one.seq : all;
    } else {
        struct lw_value *items = ck_values(c, (size_t)s.n + t.n);
        if (!items)
            return lw_v_unknown();
        for (uint32_t i = 0; i < s.n; i++)
            items[i] = s.items[i];
        for (uint32_t i = 0; i < t.n; i++)
            items[s.n + i] = t.items[i];
        all.items = items;
        all.n = s.n + t.n;
    }
    if (a.kind == CK_LIST)
        return ck_new_list(c, CK_LIST, all, node);
    return (struct lw_value){.kind = LW_V_TUPLE, .seq = all};
}

static bool is_seq_like(struct lw_value v)
{
    return v.kind == LW_V_TUPLE || v.kind == CK_LIST || v.kind == LW_V_SHAPE ||
           v.kind == LW_V_LIST;
}

/* ---- tensors ------------------------------------------------------------------------------
 */

static struct lw_value plain_for(void *engine, struct lw_value v)
{
    return ck_plain_rows(engine, v);
}

/* What is not known may be a tensor of another library, which the result belongs to then. */
static struct lw_value without_owner(struct ck *c, struct lw_value v, struct lw_value a,
                                     struct lw_value b)
{
    if (v.kind != LW_V_TENSOR || v.tensor->framework != LW_NUMPY ||
        (a.kind != LW_V_UNKNOWN && b.kind != LW_V_UNKNOWN))
        return v;
    struct lw_tensor t = *v.tensor;
    t.framework = LW_FRAMEWORK_UNKNOWN;
    t.device = LW_DEVICE_UNKNOWN;
    t.grad = LW_TRI_MAYBE;
    return ck_tensor(c, &t);
}

static struct lw_value tensor_binary(struct ck *c, enum lw_op op, struct lw_value a,
                                     struct lw_value b, uint32_t node)
{
    struct lw_api_result r = {0};
    struct lw_err err = {0};
    struct lw_api_call where = {
        .arena = c->arena, .line = ck_place(c, node), .plain = plain_for, .engine = c};
    struct lw_str spelt = lw_str(lw_op_text(op));
    if (lw_api_operator(c->apis, spelt, ck_plain(c, a), ck_plain(c, b), &where, &r, &err) < 0) {
        c->stopped = true;
        return lw_v_unknown();
    }
    struct lw_value causes[2] = {a, b};
    struct lw_arg args[2] = {{.value = a, .node = node}, {.value = b, .node = node}};
    struct ck_problems problems = {
        .v = r.problems, .n = r.problem_count, .args = args, .arg_count = 2, .name = spelt};
    if (r.problem_count)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_PROBLEMS,
                                      .node = node,
                                      .op = op,
                                      .a = a,
                                      .b = b,
                                      .problems = &problems});
    struct lw_value v = without_owner(c, r.value, a, b);
    if (op == LW_OP_MAT_MULT)
        c->models->product(c, a, b, &v);
    if (r.problem_count && v.kind == LW_V_TENSOR &&
        r.problems[0].severity == LW_SEVERITY_ERROR) {
        struct lw_tensor t = *v.tensor;
        t.shape = lw_shape_unknown();
        v = ck_tensor(c, &t);
    }
    struct lw_interval squares;
    if (op == LW_OP_MULT && v.kind == LW_V_TENSOR && v.tensor->range.lo < 0 &&
        v.tensor->range.hi > 0 && ck_range_of_squares(c, node, &squares)) {
        struct lw_tensor t = *v.tensor;
        t.range = lw_iv_as(squares, t.dtype);
        v = ck_tensor(c, &t);
    }
    struct ck_origin origin = {.op = spelt, .node = node, .graph = c->models->current_graph(c)};
    v = ck_made(c, c->models->without_grad(c, v), &origin, causes,
                b.kind == LW_V_ABSENT ? 1 : 2);
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_OPERATOR, .node = node, .op = op, .a = a, .b = b, .value = v});
    return v;
}

static const char *const method_names[][3] = {
    [LW_OP_ADD] = {"__add__", "__radd__", "__iadd__"},
    [LW_OP_SUB] = {"__sub__", "__rsub__", "__isub__"},
    [LW_OP_MULT] = {"__mul__", "__rmul__", "__imul__"},
    [LW_OP_DIV] = {"__truediv__", "__rtruediv__", "__itruediv__"},
    [LW_OP_MAT_MULT] = {"__matmul__", "__rmatmul__", "__imatmul__"},
};

static struct lw_value object_binary(struct ck *c, enum lw_op op, struct lw_value a,
                                     struct lw_value b, uint32_t node)
{
    if ((size_t)op >= sizeof method_names / sizeof *method_names || !method_names[op][0])
        return lw_v_unknown();
    struct lw_arg arg = {.value = b, .node = node};
    struct lw_value v = ck_call_method(c, a, method_names[op][0], &arg, 1, node);
    if (v.kind == LW_V_ABSENT) {
        arg.value = a;
        v = ck_call_method(c, b, method_names[op][1], &arg, 1, node);
    }
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

struct lw_value ck_binary(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b,
                          uint32_t node)
{
    struct lw_value v = lw_v_unknown();
    if (a.kind == LW_V_TENSOR || b.kind == LW_V_TENSOR) {
        v = tensor_binary(c, op, a, b, node);
    } else if (is_number(a) && is_number(b)) {
        a = as_int(a);
        b = as_int(b);
        if (op == LW_OP_DIV || op == LW_OP_FLOOR_DIV || op == LW_OP_MOD)
            ck_emit(c, &(struct ck_event){.kind = CK_EV_DIVISOR, .node = node, .a = b});
        v = a.kind == LW_V_INT && b.kind == LW_V_INT ? int_binary(c, op, a, b)
                                                     : float_binary(c, op, a, b);
    } else if (op == LW_OP_MOD && a.kind == LW_V_STR) {
        v = lw_v_str((struct lw_str){0});
    } else if (op == LW_OP_ADD && a.kind == LW_V_STR && b.kind == LW_V_STR) {
        v = a.str.p && b.str.p ? lw_v_str(ck_text(c, "%.*s%.*s", LW_F(a.str), LW_F(b.str)))
                               : lw_v_str((struct lw_str){0});
    } else if (op == LW_OP_ADD && is_seq_like(a) && is_seq_like(b)) {
        v = chain(c, a, b, node);
    } else if (op == LW_OP_MULT && is_seq_like(a) && is_number(b)) {
        v = repeat(c, a, b, node);
    } else if (op == LW_OP_MULT && is_seq_like(b) && is_number(a)) {
        v = repeat(c, b, a, node);
    } else if (a.kind == CK_INSTANCE || b.kind == CK_INSTANCE) {
        v = object_binary(c, op, a, b, node);
    }
    if (a.kind != b.kind && op == LW_OP_ADD)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_ADDITION, .node = node, .a = a, .b = b});
    v.line = ck_place(c, node);
    return v;
}

struct lw_value ck_unary(struct ck *c, enum lw_op op, struct lw_value a, uint32_t node)
{
    if (op == LW_OP_NOT)
        return lw_v_tri(lw_tri_not(ck_truth(c, a)));
    if (a.kind == LW_V_TENSOR)
        return tensor_binary(c, op, a, lw_v_absent(), node);
    if (a.kind == LW_V_BOOL)
        a = as_int(a);
    if (op == LW_OP_UADD)
        return a;
    if (op == LW_OP_USUB && a.kind == LW_V_INT)
        return lw_v_dim(lw_dim_neg(c->dims, a.dim));
    if (op == LW_OP_USUB && a.kind == LW_V_FLOAT)
        return lw_v_interval(lw_iv_neg(a.interval));
    return lw_v_unknown();
}

/* ---- comparing ----------------------------------------------------------------------------
 */

static lw_tri order(struct ck *c, struct lw_value a, struct lw_value b, bool or_equal)
{
    double x, y;
    if (ck_number_of(c, a, &x) && ck_number_of(c, b, &y))
        return lw_tri_of(or_equal ? x <= y : x < y);
    if (a.kind == LW_V_INT && b.kind == LW_V_INT)
        return or_equal ? lw_dim_less_eq(c->dims, a.dim, b.dim)
                        : lw_dim_less(c->dims, a.dim, b.dim);
    return LW_TRI_MAYBE;
}

static lw_tri contains(struct ck *c, struct lw_value item, struct lw_value in)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    lw_tri any = LW_TRI_NO;
    if (in.kind == LW_V_STR && item.kind == LW_V_STR && in.str.p && item.str.p)
        return lw_tri_of(lw_str_find(in.str, item.str) != LW_NPOS);
    if (ck_pairs(in, &d)) {
        for (uint32_t i = 0; i < d->n; i++)
            any = lw_tri_or(any, ck_equal(c, item, d->keys[i]));
        return d->open && any != LW_TRI_YES ? LW_TRI_MAYBE : any;
    }
    if (!ck_sequence(c, in, &seq))
        return LW_TRI_MAYBE;
    for (uint32_t i = 0; i < seq.n; i++)
        any = lw_tri_or(any, ck_equal(c, item, seq.items[i]));
    return seq.open ? LW_TRI_MAYBE : any;
}

static lw_tri identical(struct lw_value a, struct lw_value b)
{
    if (a.kind == LW_V_UNKNOWN || b.kind == LW_V_UNKNOWN)
        return LW_TRI_MAYBE;
    /* Sizes that are not known yet are None in TensorFlow and Keras. */
    if ((a.kind == LW_V_INT && !lw_dim_is_literal(a.dim) && b.kind == LW_V_NONE) ||
        (b.kind == LW_V_INT && !lw_dim_is_literal(b.dim) && a.kind == LW_V_NONE))
        return LW_TRI_MAYBE;
    if (a.kind == LW_V_NONE || b.kind == LW_V_NONE)
        return lw_tri_of(a.kind == b.kind);
    if (a.kind == LW_V_BOOL && b.kind == LW_V_BOOL && a.tri != LW_TRI_MAYBE &&
        b.tri != LW_TRI_MAYBE)
        return lw_tri_of(a.tri == b.tri);
    if (ck_is_object(a) && ck_is_object(b) && a.opaque == b.opaque)
        return LW_TRI_YES;
    return LW_TRI_MAYBE;
}

lw_tri ck_compare(struct ck *c, enum lw_op op, struct lw_value a, struct lw_value b)
{
    switch (op) {
    case LW_OP_EQ: return ck_equal(c, a, b);
    case LW_OP_NOT_EQ: return lw_tri_not(ck_equal(c, a, b));
    case LW_OP_LT: return order(c, a, b, false);
    case LW_OP_LT_E: return order(c, a, b, true);
    case LW_OP_GT: return order(c, b, a, false);
    case LW_OP_GT_E: return order(c, b, a, true);
    case LW_OP_IS: return identical(a, b);
    case LW_OP_IS_NOT: return lw_tri_not(identical(a, b));
    case LW_OP_IN: return contains(c, a, b);
    case LW_OP_NOT_IN: return lw_tri_not(contains(c, a, b));
    default: return LW_TRI_MAYBE;
    }
}

/* ---- subscripts ---------------------------------------------------------------------------
 */

/* Bounds of a slice over `n` items; false when they are not known. */
static bool slice_bounds(struct ck *c, struct lw_value slice, int64_t n, int64_t *from,
                         int64_t *to, int64_t *step)
{
    const struct lw_value *p = slice.seq.items;
    *step = 1;
    if (p[2].kind != LW_V_NONE && !ck_int_of(c, p[2], step))
        return false;
    if (*step == 0)
        return false;
    *from = *step > 0 ? 0 : n - 1;
    *to = *step > 0 ? n : -1;
    if (p[0].kind != LW_V_NONE) {
        if (!ck_int_of(c, p[0], from))
            return false;
        *from += *from < 0 ? n : 0;
        *from = *from < 0 ? (*step > 0 ? 0 : -1) : *from > n ? n : *from;
    }
    if (p[1].kind != LW_V_NONE) {
        if (!ck_int_of(c, p[1], to))
            return false;
        *to += *to < 0 ? n : 0;
        *to = *to < 0 ? (*step > 0 ? 0 : -1) : *to > n ? n : *to;
    }
    if (*step < 0 && *from >= n)
        *from = n - 1;
    return true;
}

static struct lw_value slice_items(struct ck *c, struct lw_value v, struct lw_seq seq,
                                   struct lw_value slice, uint32_t node)
{
    int64_t from, to, step;
    struct lw_seq out = {.open = true};
    if (!seq.open && slice_bounds(c, slice, seq.n, &from, &to, &step)) {
        struct lw_value *items = ck_values(c, seq.n);
        if (!items)
            return lw_v_unknown();
        out = (struct lw_seq){.items = items};
        for (int64_t i = from; step > 0 ? i < to : i > to; i += step)
            if (i >= 0 && i < seq.n)
                items[out.n++] = seq.items[i];
    } else {
        struct lw_value any = ck_join_items(c, seq);
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &any, seq.n ? 1 : 0, true);
        if (one.kind == LW_V_LIST)
            out = one.seq;
    }
    if (v.kind == CK_LIST)
        return ck_new_list(c, CK_LIST, out, node);
    return (struct lw_value){.kind = LW_V_TUPLE, .line = v.line, .seq = out};
}

static struct lw_value index_items(struct ck *c, struct lw_value v, struct lw_seq seq,
                                   struct lw_value index, uint32_t node)
{
    int64_t at;
    if (index.kind == LW_V_SLICE)
        return slice_items(c, v, seq, index, node);
    if (!ck_int_of(c, index, &at))
        return index.kind == LW_V_INT ? ck_join_items(c, seq) : lw_v_unknown();
    if (seq.open)
        return at >= 0 && at + 1 < seq.n ? seq.items[at] : ck_join_items(c, seq);
    int64_t real = at < 0 ? at + seq.n : at;
    if (real >= 0 && real < seq.n)
        return seq.items[real];
    ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                  .fault = CK_FAULT_ITEM_RANGE,
                                  .node = node,
                                  .a = v,
                                  .at = at,
                                  .count = seq.n});
    return lw_v_unknown();
}

/* How many columns there are at least when those that the index names are there. */
static int64_t named_columns(struct ck *c, struct lw_value index)
{
    int64_t n = 0;
    if (index.kind == LW_V_INT && ck_int_of(c, index, &n))
        return n >= 0 ? n + 1 : -n;
    if (index.kind == LW_V_SLICE && index.seq.n > 1 && index.seq.items[1].kind == LW_V_INT &&
        ck_int_of(c, index.seq.items[1], &n))
        return n >= 0 ? n : -n;
    return 0;
}

/* np.loadtxt gives at most two axes: where two are indexed it has two. */
static struct lw_value as_table(struct ck *c, struct lw_value v, struct lw_value index)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    if (lw_shape_has_rank(&v.tensor->shape) || !o || index.kind != LW_V_TUPLE ||
        index.seq.n != 2 || index.seq.open ||
        !(lw_str_eq(o->op, LW_S("numpy.loadtxt")) ||
          lw_str_eq(o->op, LW_S("numpy.genfromtxt"))))
        return v;
    struct lw_tensor t = *v.tensor;
    int64_t least = named_columns(c, index.seq.items[1]);
    lw_dim d[2] = {lw_dim_symbol(c->dims, LW_S("rows"), 0, LW_DIM_MOST),
                   lw_dim_symbol(c->dims, LW_S("columns"), least, LW_DIM_MOST)};
    t.shape = lw_shape_make(d, 2);
    return ck_tensor(c, &t);
}

struct lw_value ck_part_of(struct ck *c, struct lw_value part, struct lw_value whole,
                           struct lw_value index, uint32_t node)
{
    struct ck_origin origin = {.op = LW_S("[]"), .node = node};
    return ck_made(c, part, &origin, (struct lw_value[]){whole, index}, 2);
}

static struct lw_value index_tensor(struct ck *c, struct lw_value v, struct lw_value index,
                                    uint32_t node)
{
    struct lw_tensor out;
    struct lw_buf message;
    lw_buf_init(&message, c->mem, 1024);
    struct lw_value plain = ck_plain(c, index);
    if (lw_v_is_seq(plain)) { /* lists inside the index are objects */
        struct lw_value copy = ck_make_seq(c, (enum lw_value_kind)plain.kind, plain.seq.items,
                                           plain.seq.n, plain.seq.open);
        if (lw_v_is_seq(copy)) {
            struct lw_value *items = (struct lw_value *)(uintptr_t)copy.seq.items;
            for (uint32_t i = 0; i < copy.seq.n; i++)
                items[i] = ck_plain(c, items[i]);
            plain = copy;
        }
    }
    v = as_table(c, v, plain);
    /* What is in an array of objects, and what has names, is anything. */
    bool objects = v.tensor->dtype == LW_OBJECT;
    lw_tri ok = lw_tensor_index(c->dims, v.tensor, plain, &out, &message);
    /* x[(...,) + (None,) * n]: how long the index is is not known. */
    bool open = plain.kind == LW_V_TUPLE && plain.seq.open;
    if (ok == LW_TRI_NO && !objects && !open)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_INDEX,
                                      .node = node,
                                      .a = v,
                                      .name = lw_buf_str(&message)});
    lw_buf_release(&message);
    if (ok == LW_TRI_NO || (objects && lw_shape_has_rank(&out.shape) && out.shape.n == 0))
        return lw_v_unknown();
    out.id = 0;
    out.line = v.tensor->line;
    if (index.kind == LW_V_TENSOR && (index.tensor->dtype & LW_BOOL))
        out.range.flags &= (uint8_t)~LW_IV_ZERO; /* a choice, most often of what is not 0 */
    c->models->range_chosen(c, v, index, &out.range);
    struct lw_value r = ck_part_of(c, ck_tensor(c, &out), v, index, node);
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_INDEX, .node = node, .a = v, .b = index, .value = r});
    return r;
}

static struct lw_value index_dict(struct ck *c, struct lw_value v, struct lw_value key)
{
    struct lw_value out;
    const struct lw_dict *d;
    if (ck_dict_get(c, v, key, &out))
        return out;
    bool vague = key.kind == LW_V_UNKNOWN || (key.kind == LW_V_STR && !key.str.p) ||
                 (key.kind == LW_V_INT && lw_dim_resolve(c->dims, key.dim) == LW_DIM_UNKNOWN);
    if (!ck_pairs(v, &d) || d->n == 0 || !vague || d->open)
        return lw_v_unknown();
    return ck_join_items(c, (struct lw_seq){.items = d->values, .n = d->n});
}

/* np.r_[a, b] and np.c_[a, b] are calls in brackets. */
static struct lw_value subscript_name(struct ck *c, const struct ck_object *name,
                                      struct lw_value index, uint32_t node)
{
    bool rows = lw_str_eq(name->name, LW_S("numpy.r_"));
    if ((!rows && !lw_str_eq(name->name, LW_S("numpy.c_"))) || index.kind != LW_V_TUPLE)
        return lw_v_unknown();
    for (uint32_t i = 0; i < index.seq.n; i++)
        if (index.seq.items[i].kind != LW_V_TENSOR)
            return lw_v_unknown();
    struct lw_arg arg = {.value = index, .node = node};
    return ck_call(
        c, ck_new_name(c, rows ? LW_S("numpy.concatenate") : LW_S("numpy.column_stack")), &arg,
        1, node);
}

struct lw_value ck_subscript(struct ck *c, struct lw_value v, struct lw_value index,
                             uint32_t node)
{
    struct lw_seq seq;
    struct lw_value out;
    struct ck_object *o = ck_object_of(v);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_SUBSCRIPT, .node = node, .a = v, .b = index});
    switch ((int)v.kind) {
    case LW_V_TENSOR:
        if (v.tensor->framework == LW_PANDAS)
            return c->models->frame_part(c, v, index, node);
        if (index.kind == LW_V_STR)
            return lw_v_unknown(); /* a field of a structured array, or no array at all */
        return index_tensor(c, v, index, node);
    case CK_DICT:
    case LW_V_DICT: return index_dict(c, v, index);
    case LW_V_SHAPE:
        if (!lw_shape_has_rank(v.shape)) {
            int64_t at;
            struct lw_shape unknown = lw_shape_unknown();
            if (index.kind == LW_V_SLICE)
                return lw_v_shape(c->arena, &unknown);
            if (!ck_int_of(c, index, &at))
                return lw_v_unknown();
            return lw_v_dim(lw_shape_at(v.shape, at));
        }
        break;
    case LW_V_STR: return lw_v_str((struct lw_str){0});
    case CK_NAME: return subscript_name(c, o, index, node);
    case CK_INSTANCE: {
        struct lw_arg arg = {.value = index, .node = node};
        out = ck_call_method(c, v, "__getitem__", &arg, 1, node);
        if (out.kind != LW_V_ABSENT)
            return out;
        if (c->models->subscript(c, o, index, node, &out))
            return out;
        break;
    }
    default: break;
    }
    if (!ck_sequence(c, v, &seq))
        return lw_v_unknown();
    return index_items(c, v, seq, index, node);
}

/* ---- iteration ----------------------------------------------------------------------------
 */

static struct lw_seq one_of(struct ck *c, struct lw_value any)
{
    struct lw_value *one = ck_values(c, 1);
    if (!one)
        return (struct lw_seq){.open = true};
    *one = any;
    return (struct lw_seq){.items = one, .n = 1, .open = true};
}

/* The rows of a tensor. */
static struct lw_seq rows(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct lw_tensor *t = v.tensor;
    int64_t n;
    if (t->shape.n == 0 && lw_shape_has_rank(&t->shape)) {
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_SCALAR_ITERATION,
                                      .node = node,
                                      .a = v});
        return (struct lw_seq){.open = true};
    }
    if (lw_dim_is_int(c->dims, lw_shape_at(&t->shape, 0), &n) && n == 0)
        return (struct lw_seq){0};
    struct lw_value first = index_tensor(c, v, ck_int(c, 0), node);
    if (first.kind == LW_V_TENSOR) {
        struct ck_origin *origin = lw_arena_alloc(c->arena, sizeof *origin);
        const struct ck_origin *made = ck_origin_of(c, first);
        if (origin && made) {
            *origin = *made;
            origin->op = LW_S("unbind");
            first = ck_originate(c, first, origin);
        }
    }
    lw_dim d = lw_shape_at(&t->shape, 0);
    if (!lw_dim_is_int(c->dims, d, &n) || n > CK_MAX_UNROLL || n < 0)
        return one_of(c, first);
    struct lw_value *items = ck_values(c, (size_t)n);
    if (!items)
        return (struct lw_seq){.open = true};
    for (int64_t i = 0; i < n; i++)
        items[i] = first;
    return (struct lw_seq){.items = items, .n = (uint32_t)n};
}

struct lw_seq ck_iterate(struct ck *c, struct lw_value v, uint32_t node)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    struct ck_object *o = ck_object_of(v);
    if (v.kind == LW_V_TENSOR && v.tensor->framework == LW_PANDAS) /* its column names */
        return (struct lw_seq){.open = true};
    if (v.kind == LW_V_TENSOR)
        return rows(c, v, node);
    if (v.kind == CK_INSTANCE && c->models->iterate(c, o, node, &seq))
        return seq;
    if (ck_sequence(c, v, &seq))
        return seq;
    if (ck_pairs(v, &d))
        return (struct lw_seq){.items = d->keys, .n = d->n, .open = d->open};
    if (v.kind == CK_ITERATOR)
        return one_of(c, o->contents.value);
    if (v.kind == CK_INSTANCE && o->of) {
        struct lw_value it = ck_call_method(c, v, "__iter__", NULL, 0, node);
        if (it.kind != LW_V_ABSENT && !ck_same(it, v) && it.kind != CK_INSTANCE)
            return ck_iterate(c, it, node);
        struct lw_value next = ck_call_method(c, v, "__next__", NULL, 0, node);
        if (next.kind != LW_V_ABSENT)
            return one_of(c, next);
        struct lw_arg arg = {
            .value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), 0, LW_DIM_MOST)), .node = node};
        next = ck_call_method(c, v, "__getitem__", &arg, 1, node);
        if (next.kind != LW_V_ABSENT)
            return one_of(c, next);
    }
    if (v.kind == LW_V_STR)
        return one_of(c, lw_v_str((struct lw_str){0}));
    return (struct lw_seq){.open = true};
}
