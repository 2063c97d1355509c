/* Expressions over abstract values. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "knowledge/rule.h"

bool rule_bind(struct rule_env *env, struct lw_str name, struct lw_value value)
{
    if (env->n >= RULE_MAX_NAMES)
        return false;
    env->names[env->n++] = (struct rule_name){name, value};
    return true;
}

static struct lw_value plain(struct rule_env *env, struct lw_value v)
{
    bool rows = lw_v_is_seq(v) && v.seq.n && v.seq.items[0].kind >= LW_V_OPAQUE;
    if (v.kind < LW_V_OPAQUE && !rows)
        return v;
    return env->plain ? env->plain(env->engine, v) : v;
}

/* TensorFlow gives a number the type of the tensor beside it, else its own default; numpy's
 * type is what it would be for numpy only. */
static lw_dtypes of_number(const struct rule_env *env, lw_dtypes d)
{
    if (env->framework != LW_TF && env->framework != LW_KERAS)
        return d;
    return d == LW_F64 ? LW_F64 | LW_F32 : d == LW_I64 ? LW_I64 | LW_I32 : d;
}

struct lw_tensor rule_tensor(struct rule_env *env, struct lw_value v)
{
    struct lw_tensor t;
    lw_tri ragged;
    v = plain(env, v);
    if (v.kind == LW_V_TENSOR)
        return *v.tensor;
    if (v.kind != LW_V_UNKNOWN && v.kind < LW_V_OPAQUE &&
        lw_v_to_tensor(env->dims, v, &t, &ragged)) {
        if (ragged != LW_TRI_NO)
            t.shape = lw_shape_unknown();
        if (t.framework & LW_PYTHON)
            t.dtype = of_number(env, t.dtype);
        return t;
    }
    return lw_tensor_unknown(LW_FRAMEWORK_UNKNOWN);
}

struct lw_interval rule_interval(struct rule_env *env, struct lw_value v)
{
    v = plain(env, v);
    if (v.kind == LW_V_FLOAT)
        return v.interval;
    if (v.kind == LW_V_TENSOR)
        return v.tensor->range;
    if (v.kind == LW_V_INT || v.kind == LW_V_BOOL || lw_v_is_seq(v))
        return rule_tensor(env, v).range;
    return lw_iv_unknown();
}

struct lw_shape rule_shape(struct rule_env *env, struct lw_value v)
{
    struct lw_shape s;
    v = plain(env, v);
    if (v.kind == LW_V_TENSOR) { /* a shape computed at run time: its length may be known */
        int64_t n;
        if (v.tensor->shape.gap < 0 && v.tensor->shape.n == 1 &&
            lw_dim_is_int(env->dims, v.tensor->shape.d[0], &n) && n >= 0 && n <= LW_SHAPE_MAX)
            return lw_shape_of_rank((size_t)n);
        return lw_shape_unknown();
    }
    return lw_v_to_shape(env->dims, v, &s) ? s : lw_shape_unknown();
}

lw_tri rule_truth(struct rule_env *env, struct lw_value v)
{
    int64_t n;
    v = plain(env, v);
    switch (v.kind) {
    case LW_V_BOOL: return v.tri;
    case LW_V_NONE:
    case LW_V_ABSENT: return LW_TRI_NO;
    case LW_V_INT:
        return lw_dim_is_int(env->dims, v.dim, &n) ? lw_tri_of(n != 0) : LW_TRI_MAYBE;
    case LW_V_STR: return v.str.p ? lw_tri_of(v.str.n != 0) : LW_TRI_MAYBE;
    case LW_V_TUPLE:
    case LW_V_LIST: return v.seq.open ? LW_TRI_MAYBE : lw_tri_of(v.seq.n != 0);
    case LW_V_API:
    case LW_V_OBJECT: return LW_TRI_YES;
    default: return LW_TRI_MAYBE;
    }
}

/* ---- Comparison -------------------------------------------------------------------------- */

static bool is_number(struct lw_value v)
{
    return v.kind == LW_V_INT || v.kind == LW_V_FLOAT || v.kind == LW_V_BOOL;
}

static lw_tri sets_equal(uint32_t a, uint32_t b)
{
    if (!(a & b))
        return LW_TRI_NO;
    return a == b && lw_set_is_one(a) ? LW_TRI_YES : LW_TRI_MAYBE;
}

static lw_tri numbers_equal(struct rule_env *env, struct lw_value a, struct lw_value b)
{
    if (a.kind == LW_V_INT && b.kind == LW_V_INT)
        return lw_dim_eq(env->dims, a.dim, b.dim);
    if (a.kind == LW_V_BOOL && b.kind == LW_V_BOOL)
        return a.tri == LW_TRI_MAYBE || b.tri == LW_TRI_MAYBE ? LW_TRI_MAYBE
                                                              : lw_tri_of(a.tri == b.tri);
    struct lw_interval x = rule_interval(env, a), y = rule_interval(env, b);
    if (x.lo > y.hi || x.hi < y.lo)
        return LW_TRI_NO;
    return x.lo == x.hi && y.lo == y.hi ? LW_TRI_YES : LW_TRI_MAYBE;
}

static bool is_shapely(struct lw_value v)
{
    return v.kind == LW_V_SHAPE || lw_v_is_seq(v);
}

static lw_tri seqs_equal(struct rule_env *env, struct lw_seq a, struct lw_seq b)
{
    lw_tri all = LW_TRI_YES;
    if (a.open || b.open)
        return LW_TRI_MAYBE;
    if (a.n != b.n)
        return LW_TRI_NO;
    if (++env->depth > RULE_MAX_DEPTH)
        all = LW_TRI_MAYBE;
    else
        for (uint32_t i = 0; i < a.n; i++)
            all = lw_tri_and(all, rule_equal(env, a.items[i], b.items[i]));
    env->depth--;
    return all;
}

lw_tri rule_equal(struct rule_env *env, struct lw_value a, struct lw_value b)
{
    a = plain(env, a);
    b = plain(env, b);
    if (a.kind == LW_V_UNKNOWN || b.kind == LW_V_UNKNOWN || a.kind >= LW_V_OPAQUE ||
        b.kind >= LW_V_OPAQUE) {
        /* An opaque thing is a thing: it is not None. */
        bool thing = a.kind >= LW_V_OPAQUE || b.kind >= LW_V_OPAQUE;
        return thing && (a.kind == LW_V_NONE || b.kind == LW_V_NONE) ? LW_TRI_NO : LW_TRI_MAYBE;
    }
    if (is_number(a) && is_number(b))
        return numbers_equal(env, a, b);
    if (a.kind == LW_V_STR && b.kind == LW_V_STR)
        return a.str.p && b.str.p ? lw_tri_of(lw_str_eq(a.str, b.str)) : LW_TRI_MAYBE;
    if (a.kind == LW_V_DTYPE && b.kind == LW_V_DTYPE)
        return sets_equal(a.dtypes, b.dtypes);
    if (a.kind == LW_V_DEVICE && b.kind == LW_V_DEVICE)
        return sets_equal(a.device, b.device);
    if (lw_v_is_seq(a) && lw_v_is_seq(b))
        return seqs_equal(env, a.seq, b.seq);
    if (is_shapely(a) && is_shapely(b)) {
        struct lw_shape x = rule_shape(env, a), y = rule_shape(env, b);
        return lw_shape_eq(env->dims, &x, &y);
    }
    if (a.kind == LW_V_TENSOR || b.kind == LW_V_TENSOR)
        return a.kind == LW_V_NONE || b.kind == LW_V_NONE ? LW_TRI_NO : LW_TRI_MAYBE;
    if (a.kind == b.kind)
        return a.kind == LW_V_NONE || a.kind == LW_V_ABSENT ? LW_TRI_YES : LW_TRI_MAYBE;
    if ((a.kind == LW_V_NONE && b.kind == LW_V_ABSENT) ||
        (a.kind == LW_V_ABSENT && b.kind == LW_V_NONE))
        return LW_TRI_YES;
    return LW_TRI_NO;
}

/* a < b or a <= b, for every value. */
static lw_tri less(struct rule_env *env, struct lw_value a, struct lw_value b, bool or_equal)
{
    a = plain(env, a);
    b = plain(env, b);
    if (a.kind == LW_V_INT && b.kind == LW_V_INT)
        return or_equal ? lw_dim_less_eq(env->dims, a.dim, b.dim)
                        : lw_dim_less(env->dims, a.dim, b.dim);
    bool comparable =
        (is_number(a) || a.kind == LW_V_TENSOR) && (is_number(b) || b.kind == LW_V_TENSOR);
    if (!comparable)
        return LW_TRI_MAYBE;
    struct lw_interval x = rule_interval(env, a), y = rule_interval(env, b);
    if (y.lo == y.hi)
        return lw_iv_below(x, y.lo, or_equal);
    if (x.lo == x.hi)
        return lw_iv_above(y, x.lo, or_equal);
    return x.hi < y.lo || (or_equal && x.hi == y.lo) ? LW_TRI_YES : LW_TRI_MAYBE;
}

static lw_tri contains(struct rule_env *env, struct lw_value a, struct lw_value b)
{
    lw_tri any = LW_TRI_NO;
    if (a.kind == LW_V_DTYPE && b.kind == LW_V_DTYPE)
        return lw_set_within(a.dtypes, b.dtypes);
    if (b.kind == LW_V_SHAPE) {
        for (int i = 0; i < b.shape->n; i++)
            any = lw_tri_or(any, rule_equal(env, a, lw_v_dim(b.shape->d[i])));
        return b.shape->gap >= 0 && any == LW_TRI_NO ? LW_TRI_MAYBE : any;
    }
    if (!lw_v_is_seq(b))
        return LW_TRI_MAYBE;
    for (uint32_t i = 0; i < b.seq.n; i++)
        any = lw_tri_or(any, rule_equal(env, a, b.seq.items[i]));
    return b.seq.open && any == LW_TRI_NO ? LW_TRI_MAYBE : any;
}

/* ---- Arithmetic -------------------------------------------------------------------------- */

static struct lw_value seqs_joined(struct rule_env *env, struct lw_value a, struct lw_value b)
{
    uint32_t n = a.seq.n + b.seq.n;
    struct lw_value *items = lw_arena_array(env->arena, n, sizeof *items);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < n; i++)
        items[i] = i < a.seq.n ? a.seq.items[i] : b.seq.items[i - a.seq.n];
    struct lw_value r = lw_v_seq(a.kind, items, n);
    r.seq.open = a.seq.open || b.seq.open;
    return r;
}

static struct lw_value dims_combined(struct rule_env *env, enum rule_op op, lw_dim a, lw_dim b)
{
    struct lw_dims *c = env->dims;
    switch (op) {
    case RULE_ADD: return lw_v_dim(lw_dim_add(c, a, b));
    case RULE_SUB: return lw_v_dim(lw_dim_sub(c, a, b));
    case RULE_MUL: return lw_v_dim(lw_dim_mul(c, a, b));
    case RULE_FLOORDIV: return lw_v_dim(lw_dim_floordiv(c, a, b));
    default: return lw_v_dim(lw_dim_mod(c, a, b));
    }
}

static struct lw_value intervals_combined(enum rule_op op, struct lw_interval a,
                                          struct lw_interval b)
{
    switch (op) {
    case RULE_ADD: return lw_v_interval(lw_iv_add(a, b));
    case RULE_SUB: return lw_v_interval(lw_iv_sub(a, b));
    case RULE_MUL: return lw_v_interval(lw_iv_mul(a, b));
    case RULE_DIV: return lw_v_interval(lw_iv_div(a, b));
    case RULE_FLOORDIV: return lw_v_interval(lw_iv_floordiv(a, b));
    default: return lw_v_interval(lw_iv_mod(a, b));
    }
}

static struct lw_value arithmetic(struct rule_env *env, enum rule_op op, struct lw_value a,
                                  struct lw_value b)
{
    a = plain(env, a);
    b = plain(env, b);
    if (op == RULE_ADD && lw_v_is_seq(a) && lw_v_is_seq(b))
        return seqs_joined(env, a, b);
    if (op == RULE_ADD && (is_shapely(a) || is_shapely(b))) {
        struct lw_shape x = rule_shape(env, a), y = rule_shape(env, b);
        x = lw_shape_concat(&x, &y);
        return lw_v_shape(env->arena, &x);
    }
    if (a.kind == LW_V_INT && b.kind == LW_V_INT && op != RULE_DIV)
        return dims_combined(env, op, a.dim, b.dim);
    bool tensor = a.kind == LW_V_TENSOR || b.kind == LW_V_TENSOR;
    if ((is_number(a) || a.kind == LW_V_TENSOR) && (is_number(b) || b.kind == LW_V_TENSOR))
        return intervals_combined(op, rule_interval(env, a), rule_interval(env, b));
    if (tensor || a.kind == LW_V_FLOAT || b.kind == LW_V_FLOAT)
        return lw_v_interval(lw_iv_unknown());
    if (a.kind == LW_V_INT || b.kind == LW_V_INT)
        return lw_v_dim(LW_DIM_UNKNOWN);
    return lw_v_unknown();
}

/* ---- Parts of values --------------------------------------------------------------------- */

static struct lw_value at_index(struct rule_env *env, struct lw_value a, struct lw_value i)
{
    int64_t n;
    a = plain(env, a);
    if (i.kind != LW_V_INT || !lw_dim_is_int(env->dims, i.dim, &n))
        return a.kind == LW_V_SHAPE ? lw_v_dim(LW_DIM_UNKNOWN) : lw_v_unknown();
    if (a.kind == LW_V_SHAPE)
        return lw_v_dim(lw_shape_at(a.shape, n));
    if (!lw_v_is_seq(a) || (n < 0 && a.seq.open))
        return lw_v_unknown();
    if (n < 0)
        n += a.seq.n;
    return n >= 0 && n < a.seq.n ? a.seq.items[n] : lw_v_unknown();
}

static bool constant_or(struct rule_env *env, struct lw_value v, int64_t otherwise,
                        int64_t *out)
{
    *out = otherwise;
    if (v.kind == LW_V_ABSENT)
        return true;
    return v.kind == LW_V_INT && lw_dim_is_int(env->dims, v.dim, out);
}

static struct lw_value slice(struct rule_env *env, struct lw_value a, struct lw_value from,
                             struct lw_value to)
{
    int64_t x, y;
    bool known = constant_or(env, from, 0, &x) && constant_or(env, to, INT64_MAX, &y);
    a = plain(env, a);
    if (a.kind == LW_V_SHAPE || a.kind == LW_V_UNKNOWN) {
        struct lw_shape s = lw_shape_unknown();
        if (known && a.kind == LW_V_SHAPE)
            s = lw_shape_slice(a.shape, x, y);
        return lw_v_shape(env->arena, &s);
    }
    if (!known || !lw_v_is_seq(a) || a.seq.open)
        return lw_v_unknown();
    int64_t n = a.seq.n;
    x = x < 0 ? x + n : x;
    y = y < 0 ? y + n : y > n ? n : y;
    x = x < 0 ? 0 : x > n ? n : x;
    return lw_v_seq(a.kind, a.seq.items + x, y > x ? (size_t)(y - x) : 0);
}

static struct lw_value tensor_part(struct rule_env *env, const struct lw_tensor *t,
                                   struct lw_str name)
{
    if (lw_str_eq(name, LW_S("shape")))
        return lw_v_shape(env->arena, &t->shape);
    if (lw_str_eq(name, LW_S("dtype")))
        return lw_v_dtype(t->dtype);
    if (lw_str_eq(name, LW_S("range")))
        return lw_v_interval(t->range);
    if (lw_str_eq(name, LW_S("rank")))
        return lw_v_dim(t->shape.gap < 0 ? lw_dim_int(t->shape.n) : LW_DIM_UNKNOWN);
    if (lw_str_eq(name, LW_S("count")))
        return lw_v_dim(lw_shape_count(env->dims, &t->shape));
    if (lw_str_eq(name, LW_S("device")))
        return (struct lw_value){.kind = LW_V_DEVICE, .device = t->device};
    if (lw_str_eq(name, LW_S("grad")))
        return lw_v_tri(t->grad);
    if (lw_str_eq(name, LW_S("variable")))
        return lw_v_tri(t->variable);
    if (lw_str_eq(name, LW_S("owner")))
        return lw_v_dim(lw_dim_int(t->framework));
    return lw_v_unknown();
}

static struct lw_value object_part(const struct lw_object *o, struct lw_str name)
{
    const struct lw_api_part *part = &o->api->side[LW_API_CONSTRUCT];
    for (uint32_t i = 0; o->config && i < part->param_count; i++)
        if (lw_str_eq(part->params[i].name, name))
            return o->config[i];
    return lw_v_unknown();
}

static struct lw_value attribute(struct rule_env *env, struct lw_value a, struct lw_str name)
{
    a = plain(env, a);
    if (a.kind == LW_V_SHAPE) {
        if (lw_str_eq(name, LW_S("rank")))
            return lw_v_dim(a.shape->gap < 0 ? lw_dim_int(a.shape->n) : LW_DIM_UNKNOWN);
        if (lw_str_eq(name, LW_S("count")))
            return lw_v_dim(lw_shape_count(env->dims, a.shape));
    }
    if (a.kind == LW_V_OBJECT)
        return object_part(a.object, name);
    struct lw_tensor t = rule_tensor(env, a);
    return tensor_part(env, &t, name);
}

/* ---- Joining ----------------------------------------------------------------------------- */

struct lw_value rule_join(struct rule_env *env, struct lw_value a, struct lw_value b)
{
    a = plain(env, a);
    b = plain(env, b);
    if (is_shapely(a) && is_shapely(b) && (a.kind == LW_V_SHAPE || b.kind == LW_V_SHAPE)) {
        struct lw_shape x = rule_shape(env, a), y = rule_shape(env, b);
        x = lw_shape_join(env->dims, &x, &y);
        return lw_v_shape(env->arena, &x);
    }
    if (is_number(a) && is_number(b) && (a.kind == LW_V_FLOAT || b.kind == LW_V_FLOAT))
        return lw_v_interval(lw_iv_join(rule_interval(env, a), rule_interval(env, b)));
    if (a.kind != b.kind)
        return lw_v_unknown();
    switch (a.kind) {
    case LW_V_BOOL: return lw_v_tri(lw_tri_join(a.tri, b.tri));
    case LW_V_INT: return lw_v_dim(lw_dim_join(env->dims, a.dim, b.dim));
    case LW_V_DTYPE: return lw_v_dtype(a.dtypes | b.dtypes);
    case LW_V_NONE: return a;
    case LW_V_TENSOR: {
        struct lw_tensor t = lw_tensor_join(env->dims, a.tensor, b.tensor);
        return lw_v_tensor(env->arena, &t);
    }
    default: return rule_equal(env, a, b) == LW_TRI_YES ? a : lw_v_unknown();
    }
}

/* ---- Expressions ------------------------------------------------------------------------- */

static struct lw_value eval_name(struct rule_env *env, struct lw_str name)
{
    struct lw_value v;
    for (size_t i = env->n; i-- > 0;)
        if (lw_str_eq(env->names[i].name, name))
            return plain(env, env->names[i].value);
    return rule_constant(name, &v) ? v : lw_v_unknown();
}

static struct lw_value eval_items(struct rule_env *env, const struct rule_expr *e)
{
    struct lw_value *items = lw_arena_array(env->arena, e->n, sizeof *items);
    bool dots = false;
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < e->n; i++) {
        items[i] = rule_eval(env, e->items[i]);
        dots |= e->items[i]->op == RULE_DOTS;
    }
    if (!dots)
        return lw_v_seq(e->op == RULE_LIST ? LW_V_LIST : LW_V_TUPLE, items, e->n);
    struct lw_shape s = lw_shape_of_rank(0);
    for (uint32_t i = 0; i < e->n; i++) {
        if (e->items[i]->op == RULE_DOTS)
            s.gap = (int8_t)s.n;
        else
            lw_shape_push(&s, items[i].kind == LW_V_INT ? items[i].dim : LW_DIM_UNKNOWN);
    }
    return lw_v_shape(env->arena, &s);
}

static struct lw_value eval_call(struct rule_env *env, const struct rule_expr *e)
{
    struct lw_value *args = lw_arena_array(env->arena, e->n, sizeof *args);
    if (!args)
        return lw_v_unknown();
    for (uint32_t i = 0; i < e->n; i++)
        args[i] = rule_eval(env, e->items[i]);
    if (e->function)
        return e->function->call(env, args, e->n);
    return lw_v_interval(e->interval(rule_interval(env, args[0])));
}

static struct lw_value eval_if(struct rule_env *env, const struct rule_expr *e)
{
    lw_tri condition = rule_truth(env, rule_eval(env, e->a));
    if (condition != LW_TRI_MAYBE)
        return rule_eval(env, condition == LW_TRI_YES ? e->b : e->c);
    struct lw_value a = rule_eval(env, e->b);
    return rule_join(env, a, rule_eval(env, e->c));
}

static struct lw_value eval_logic(struct rule_env *env, const struct rule_expr *e)
{
    lw_tri a = rule_truth(env, rule_eval(env, e->a));
    if (e->op == RULE_AND)
        return lw_v_tri(a == LW_TRI_NO ? a
                                       : lw_tri_and(a, rule_truth(env, rule_eval(env, e->b))));
    return lw_v_tri(a == LW_TRI_YES ? a : lw_tri_or(a, rule_truth(env, rule_eval(env, e->b))));
}

static struct lw_value eval_binary(struct rule_env *env, const struct rule_expr *e)
{
    struct lw_value a = rule_eval(env, e->a), b = rule_eval(env, e->b);
    switch (e->op) {
    case RULE_EQ: return lw_v_tri(rule_equal(env, a, b));
    case RULE_NE: return lw_v_tri(lw_tri_not(rule_equal(env, a, b)));
    case RULE_LT: return lw_v_tri(less(env, a, b, false));
    case RULE_LE: return lw_v_tri(less(env, a, b, true));
    case RULE_GT: return lw_v_tri(less(env, b, a, false));
    case RULE_GE: return lw_v_tri(less(env, b, a, true));
    case RULE_IN: return lw_v_tri(contains(env, a, b));
    case RULE_INDEX: return at_index(env, a, b);
    default: return arithmetic(env, e->op, a, b);
    }
}

static struct lw_value negated(struct rule_env *env, struct lw_value a)
{
    if (a.kind == LW_V_INT)
        return lw_v_dim(lw_dim_neg(env->dims, a.dim));
    if (a.kind == LW_V_FLOAT || a.kind == LW_V_TENSOR)
        return lw_v_interval(lw_iv_neg(rule_interval(env, a)));
    return lw_v_unknown();
}

static struct lw_value eval(struct rule_env *env, const struct rule_expr *e)
{
    switch (e->op) {
    case RULE_INT: return lw_v_dim(lw_dim_big(env->dims, e->whole));
    case RULE_FLOAT: return lw_v_float(e->real);
    case RULE_STR: return lw_v_str(e->text);
    case RULE_NAME: return eval_name(env, e->text);
    case RULE_TUPLE:
    case RULE_LIST: return eval_items(env, e);
    case RULE_DOTS: return (struct lw_value){.kind = LW_V_ELLIPSIS};
    case RULE_CALL: return eval_call(env, e);
    case RULE_ATTR: return attribute(env, rule_eval(env, e->a), e->text);
    case RULE_SLICE:
        return slice(env, rule_eval(env, e->a), e->b ? rule_eval(env, e->b) : lw_v_absent(),
                     e->c ? rule_eval(env, e->c) : lw_v_absent());
    case RULE_NEG: return negated(env, rule_eval(env, e->a));
    case RULE_NOT: return lw_v_tri(lw_tri_not(rule_truth(env, rule_eval(env, e->a))));
    case RULE_AND:
    case RULE_OR: return eval_logic(env, e);
    case RULE_IF: return eval_if(env, e);
    default: return eval_binary(env, e);
    }
}

struct lw_value rule_eval(struct rule_env *env, const struct rule_expr *e)
{
    struct lw_value v = lw_v_unknown();
    if (++env->depth <= RULE_MAX_DEPTH)
        v = eval(env, e);
    env->depth--;
    return v;
}
