/* The functions of the rule language that work on values, types and ranges; constants. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "knowledge/rule.h"
#include "knowledge/rule_functions.h"

/* ---- Values
 * ---------------------------------------------------------------------------------- */

static bool is_none(struct lw_value v)
{
    return v.kind == LW_V_NONE || v.kind == LW_V_ABSENT;
}

static struct lw_value f_isnone(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(rule_equal(env, args[0], lw_v_none()));
}

/* given(x): the argument was written and is not None. */
static struct lw_value f_given(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(lw_tri_not(rule_equal(env, args[0], lw_v_none())));
}

/* default(x, y): x, or y where x is None. */
static struct lw_value f_default(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    lw_tri none = rule_equal(env, args[0], lw_v_none());
    if (none == LW_TRI_MAYBE)
        return lw_v_unknown();
    return none == LW_TRI_YES ? args[1] : args[0];
}

static struct lw_value f_len(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = args[0];
    (void)n;
    if (v.kind == LW_V_SHAPE)
        return lw_v_dim(v.shape->gap < 0 ? lw_dim_int(v.shape->n) : LW_DIM_UNKNOWN);
    if (lw_v_is_seq(v))
        return lw_v_dim(v.seq.open ? v.seq.length : lw_dim_int((int32_t)v.seq.n));
    if (v.kind == LW_V_TENSOR)
        return lw_v_dim(lw_shape_at(&v.tensor->shape, 0));
    if (v.kind == LW_V_STR && v.str.p)
        return lw_v_dim(lw_dim_int((int32_t)v.str.n));
    (void)env;
    return lw_v_dim(LW_DIM_UNKNOWN);
}

static struct lw_value f_first(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)env;
    (void)n;
    return lw_v_is_seq(args[0]) && args[0].seq.n ? args[0].seq.items[0] : lw_v_unknown();
}

/* list(x): a sequence as it is, anything else as a list of one. */
static struct lw_value f_list(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (lw_v_is_seq(args[0]) || args[0].kind == LW_V_UNKNOWN)
        return args[0];
    struct lw_value *item = lw_arena_alloc(env->arena, sizeof *item);
    if (!item)
        return lw_v_unknown();
    *item = args[0];
    return lw_v_seq(LW_V_LIST, item, 1);
}

/* repeat(v, n): a list of n times v; open where n is not known. */
static struct lw_value f_repeat(struct rule_env *env, const struct lw_value *args, size_t n)
{
    int64_t count;
    (void)n;
    bool known = rule_int(env, args[1], &count) && count >= 0 && count <= 1000;
    struct lw_value *items =
        lw_arena_array(env->arena, known ? (size_t)count : 1, sizeof *items);
    if (!items)
        return lw_v_unknown();
    for (int64_t i = 0; i < (known ? count : 1); i++)
        items[i] = args[0];
    struct lw_value r = lw_v_seq(LW_V_LIST, items, known ? (size_t)count : 1);
    r.seq.open = !known;
    r.seq.length = args[1].kind == LW_V_INT ? args[1].dim : LW_DIM_UNKNOWN;
    return r;
}

/* pieces(x, axis, sizes): a list of tensors like x, with these sizes along the axis. */
static struct lw_value f_pieces(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    struct lw_shape sizes = rule_shape(env, args[2]);
    int64_t axis;
    (void)n;
    t.id = 0;
    t.variable = LW_TRI_NO;
    bool known = rule_int(env, args[1], &axis);
    uint32_t count = sizes.gap < 0 ? sizes.n : 1;
    struct lw_value *items = lw_arena_array(env->arena, count, sizeof *items);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < count; i++) {
        struct lw_tensor piece = t;
        lw_dim d = sizes.gap < 0 ? sizes.d[i] : LW_DIM_UNKNOWN;
        if (known)
            piece.shape = lw_shape_set(&t.shape, axis, d);
        else
            piece.shape = t.shape.gap < 0 ? lw_shape_of_rank(t.shape.n) : t.shape;
        items[i] = lw_v_tensor(env->arena, &piece);
    }
    struct lw_value r = lw_v_seq(LW_V_LIST, items, count);
    r.seq.open = sizes.gap >= 0;
    return r;
}

/* total(list of ints): their sum. */
static struct lw_value f_total(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]);
    lw_dim sum = s.gap < 0 ? lw_dim_int(0) : LW_DIM_UNKNOWN;
    (void)n;
    for (int i = 0; i < s.n; i++)
        sum = lw_dim_add(env->dims, sum, s.d[i]);
    return lw_v_dim(sum);
}

static struct lw_value extreme(struct rule_env *env, const struct lw_value *args, bool max)
{
    if (args[0].kind == LW_V_INT && args[1].kind == LW_V_INT)
        return lw_v_dim(max ? lw_dim_max(env->dims, args[0].dim, args[1].dim)
                            : lw_dim_min(env->dims, args[0].dim, args[1].dim));
    struct lw_interval a = rule_interval(env, args[0]), b = rule_interval(env, args[1]);
    return lw_v_interval(max ? lw_iv_max(a, b) : lw_iv_min(a, b));
}

static struct lw_value f_min(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return extreme(env, args, false);
}

static struct lw_value f_max(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return extreme(env, args, true);
}

/* is_a(x, 'int', …): its kind; unknown things may be anything. */
static lw_tri kind_is(struct lw_value v, struct lw_str kind)
{
    static const struct {
        const char *name;
        uint32_t kinds;
    } table[] = {
        {"int", 1u << LW_V_INT},
        {"float", 1u << LW_V_FLOAT},
        {"number", 1u << LW_V_INT | 1u << LW_V_FLOAT | 1u << LW_V_BOOL},
        {"bool", 1u << LW_V_BOOL},
        {"str", 1u << LW_V_STR},
        {"none", 1u << LW_V_NONE | 1u << LW_V_ABSENT},
        {"seq", 1u << LW_V_TUPLE | 1u << LW_V_LIST | 1u << LW_V_SHAPE},
        {"tensor", 1u << LW_V_TENSOR},
        {"dtype", 1u << LW_V_DTYPE},
        {"dict", 1u << LW_V_DICT},
        {"object", 1u << LW_V_OBJECT},
    };
    if (v.kind == LW_V_UNKNOWN || v.kind >= LW_V_OPAQUE)
        return LW_TRI_MAYBE;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (lw_str_eq(kind, lw_str(table[i].name)))
            return lw_tri_of((table[i].kinds >> v.kind & 1) != 0);
    return LW_TRI_MAYBE;
}

static struct lw_value f_is_a(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_tri any = LW_TRI_NO;
    (void)env;
    for (size_t i = 1; i < n; i++)
        any = lw_tri_or(any, args[i].kind == LW_V_STR ? kind_is(args[0], args[i].str)
                                                      : LW_TRI_MAYBE);
    return lw_v_tri(any);
}

/* ---- Types
 * ------------------------------------------------------------------------------------ */

static enum lw_weak weakness(struct lw_value v)
{
    if (v.kind == LW_V_INT || v.kind == LW_V_FLOAT || v.kind == LW_V_BOOL)
        return LW_WEAK_NUMBER;
    if (v.kind == LW_V_TENSOR && v.tensor->shape.gap < 0 && v.tensor->shape.n == 0)
        return LW_WEAK_ZERO_DIM;
    return LW_STRONG;
}

/* A tensor of unknown rank may weigh less than it seems: then any of both may come out. */
static bool may_be_weak(struct lw_value v)
{
    return v.kind == LW_V_TENSOR && v.tensor->shape.gap >= 0 && v.tensor->shape.n == 0;
}

static lw_dtypes dtype_of(struct rule_env *env, struct lw_value v)
{
    if (v.kind == LW_V_DTYPE)
        return v.dtypes;
    return rule_tensor(env, v).dtype;
}

/* Which rules hold: those of the entry, unless a value belongs to another library. */
static uint32_t owner_of(struct rule_env *env, const struct lw_value *args, size_t n)
{
    uint32_t seen = 0;
    for (size_t i = 0; i < n; i++)
        if (args[i].kind == LW_V_TENSOR)
            seen |= args[i].tensor->framework;
    if (env->framework)
        return env->framework;
    if (!(seen & ~(uint32_t)(LW_PYTHON | LW_NUMPY | LW_PANDAS)) && seen)
        return LW_NUMPY;
    seen &= ~(uint32_t)(LW_PYTHON | LW_NUMPY);
    if (seen == (LW_TF | LW_KERAS))
        return LW_TF;
    return lw_set_is_one(seen) ? seen : 0;
}

static struct lw_value f_promote(struct rule_env *env, const struct lw_value *args, size_t n)
{
    uint32_t fw = owner_of(env, args, n);
    if (!fw && weakness(args[0]) == LW_WEAK_NUMBER &&
        (n < 2 || weakness(args[1]) == LW_WEAK_NUMBER))
        fw = LW_NUMPY;
    lw_dtypes d = dtype_of(env, args[0]);
    enum lw_weak w = weakness(args[0]);
    for (size_t i = 1; i < n; i++) {
        lw_dtypes other = dtype_of(env, args[i]);
        enum lw_weak wi = weakness(args[i]);
        lw_dtypes both = lw_dtype_promote(fw, d, w, other, wi);
        if ((may_be_weak(args[i]) || (i == 1 && may_be_weak(args[0]))) && d != other &&
            fw != LW_TF && fw != LW_KERAS)
            both |= lw_dtype_promote(fw, d, LW_STRONG, other, LW_WEAK_ZERO_DIM) |
                    lw_dtype_promote(fw, d, LW_WEAK_ZERO_DIM, other, LW_STRONG);
        d = both;
        w = wi < w ? wi : w;
    }
    if (fw == LW_NUMPY && w == LW_STRONG) /* a number that does not fit widens the type */
        return lw_v_dtype(d);
    return lw_v_dtype(d ? d : LW_DTYPE_UNKNOWN);
}

/* same_type(x, y): the types can be mixed (TensorFlow never promotes). */
static struct lw_value f_mixes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    uint32_t fw = owner_of(env, args, n);
    if (fw != LW_TF && fw != LW_KERAS)
        return lw_v_tri(LW_TRI_YES);
    /* Numbers, lists and arrays are converted to the tensor's type: only two tensors clash. */
    const uint32_t tensors = LW_TF | LW_KERAS;
    for (size_t i = 0; i < 2; i++)
        if (args[i].kind != LW_V_TENSOR || (args[i].tensor->framework & ~tensors))
            return lw_v_tri(LW_TRI_MAYBE);
    lw_dtypes a = args[0].tensor->dtype, b = args[1].tensor->dtype;
    if (!(a & b))
        return lw_v_tri(LW_TRI_NO);
    return lw_v_tri(a == b && lw_set_is_one(a) ? LW_TRI_YES : LW_TRI_MAYBE);
}

static struct lw_value f_to_float(struct rule_env *env, const struct lw_value *args, size_t n)
{
    return lw_v_dtype(lw_dtype_to_float(owner_of(env, args, n), dtype_of(env, args[0])));
}

/* as_dtype(v[, otherwise]): a dtype out of a dtype or its name; `otherwise` for None. */
static struct lw_value f_as_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = args[0];
    if (v.kind == LW_V_DTYPE)
        return v;
    if (v.kind == LW_V_STR && v.str.p) {
        lw_dtypes d = lw_dtype_parse(v.str, env->framework);
        return lw_v_dtype(d ? d : LW_DTYPE_UNKNOWN);
    }
    if (is_none(v) && n > 1)
        return args[1].kind == LW_V_DTYPE ? args[1] : lw_v_dtype(dtype_of(env, args[1]));
    return lw_v_dtype(LW_DTYPE_UNKNOWN);
}

/* div_dtype(x, y): of a true division; numpy makes float64 of integers of any size. */
static struct lw_value f_div_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value d = f_promote(env, args, n);
    lw_dtypes whole = d.dtypes & (lw_dtypes)(LW_INTS | LW_BOOL);
    uint32_t fw = owner_of(env, args, n);
    if (fw != LW_NUMPY)
        return lw_v_dtype(lw_dtype_to_float(fw, d.dtypes));
    if (d.dtypes == LW_DTYPE_UNKNOWN)
        return d;
    return lw_v_dtype((d.dtypes & ~(lw_dtypes)(LW_INTS | LW_BOOL)) | (whole ? LW_F64 : 0));
}

/* sum_dtype(x): bools and small integers become int64 when summed. */
static struct lw_value f_sum_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes d = dtype_of(env, args[0]),
              out = d & (LW_FLOATS | LW_COMPLEX | LW_OBJECT | LW_TEXT);
    uint32_t fw = owner_of(env, args, n);
    if (d == LW_DTYPE_UNKNOWN)
        return lw_v_dtype(d);
    if (fw == LW_TF || fw == LW_KERAS)
        return lw_v_dtype(d);
    if (d & (LW_BOOL | LW_I8 | LW_I16 | LW_I32 | LW_I64))
        out |= LW_I64;
    if (d & (LW_U8 | LW_U16 | LW_U32 | LW_U64))
        out |= fw == LW_NUMPY ? LW_U64 : fw == LW_TORCH ? LW_I64 : (LW_U64 | LW_I64);
    return lw_v_dtype(out);
}

/* ---- Ranges
 * ------------------------------------------------------------------------------------ */

static struct lw_value f_between(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    struct lw_interval a = rule_interval(env, args[0]), b = rule_interval(env, args[1]);
    struct lw_interval r = lw_iv_between(a.lo, b.hi);
    if (!(a.flags & b.flags & LW_IV_KNOWN))
        r.flags &= (uint8_t)~LW_IV_KNOWN;
    return lw_v_interval(r);
}

static struct lw_value f_whole(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = f_between(env, args, n);
    v.interval.flags |= LW_IV_WHOLE;
    v.interval.precision = LW_PREC_64;
    return v;
}

/* below(lo, hi): hi itself is not reached. */
static struct lw_value f_below(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = f_between(env, args, n);
    v.interval.flags |= LW_IV_HI_OPEN;
    return v;
}

/* above(lo): greater than lo, unbounded. */
static struct lw_value f_above(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    struct lw_interval r = lw_iv_between(rule_interval(env, args[0]).lo, INFINITY);
    r.flags |= LW_IV_LO_OPEN;
    return lw_v_interval(r);
}

static struct lw_value f_unbounded(struct rule_env *env, const struct lw_value *args, size_t n)
{
    static const char *const words[LW_WHY_COUNT] = {"",        "weight", "input",
                                                    "network", "normal", "overflow"};
    (void)n;
    for (int i = 1; i < LW_WHY_COUNT; i++)
        if (args[0].kind == LW_V_STR && lw_str_eq(args[0].str, lw_str(words[i])))
            return lw_v_interval(lw_iv_unbounded((enum lw_iv_why)i, env->line));
    return lw_v_interval(lw_iv_unknown());
}

/* clip(r, lo, hi); None leaves an end open. */
static struct lw_value f_clip(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[0]);
    (void)n;
    if (!is_none(args[1]))
        r = lw_iv_max(r, rule_interval(env, args[1]));
    if (!is_none(args[2]))
        r = lw_iv_min(r, rule_interval(env, args[2]));
    return lw_v_interval(r);
}

static struct lw_value f_join(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value r = args[0];
    for (size_t i = 1; i < n; i++)
        r = rule_join(env, r, args[i]);
    return r;
}

/* all(list): the joined ranges of the tensors of a list. */
static struct lw_value f_ranges(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (!lw_v_is_seq(args[0]) || args[0].seq.n == 0)
        return lw_v_interval(lw_iv_unknown());
    struct lw_interval r = rule_tensor(env, args[0].seq.items[0]).range;
    for (uint32_t i = 1; i < args[0].seq.n; i++)
        r = lw_iv_join(r, rule_tensor(env, args[0].seq.items[i]).range);
    return lw_v_interval(r);
}

/* dtypes(list): the promoted type of the tensors of a list. */
static struct lw_value f_dtypes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (!lw_v_is_seq(args[0]) || args[0].seq.n == 0)
        return lw_v_dtype(LW_DTYPE_UNKNOWN);
    return f_promote(env, args[0].seq.items, args[0].seq.n);
}

/* sum_range(x, axis): times the number of elements summed. */
static struct lw_value f_sum_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    struct lw_shape gone = t.shape;
    int64_t least = 1, most = LW_DIM_MOST, axis;
    (void)n;
    if (!is_none(args[1])) {
        gone = lw_shape_of_rank(1);
        if (rule_int(env, args[1], &axis))
            gone.d[0] = lw_shape_at(&t.shape, axis);
    }
    lw_dim count = lw_shape_count(env->dims, &gone);
    lw_dim_bounds(env->dims, count, &least, &most);
    if (least < 1)
        least = 1;
    double high = most == LW_DIM_MOST ? 1e6 : (double)most;
    struct lw_interval r = lw_iv_sum(t.range, (double)least, high);
    bool shifted = t.relation == LW_REL_EXP_SHIFTED;
    if (shifted && r.lo < 1) { /* the largest element is exp(0) */
        r.lo = 1;
        r.flags &= (uint8_t)~LW_IV_LO_OPEN;
    }
    return lw_v_interval(r);
}

/* x - y, where y may be the maximum of x. */
static struct lw_value f_sub_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    struct lw_interval r = lw_iv_sub(a.range, b.range);
    (void)n;
    if (a.id && b.of == a.id && b.relation == LW_REL_MAX) {
        struct lw_interval top = lw_iv_between(-INFINITY, 0);
        r = lw_iv_meet(r, top);
    } else if (a.id && a.id == b.id) {
        r = lw_iv_between(0, 0);
    }
    return lw_v_interval(r);
}

/* x * y, where y may be x itself. */
static struct lw_value f_mul_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    (void)n;
    if (a.id && a.id == b.id)
        return lw_v_interval(lw_iv_find(LW_S("square"))(a.range));
    return lw_v_interval(lw_iv_mul(a.range, b.range));
}

/* x / y, where y may be the sum or the maximum of x. */
static struct lw_value f_div_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    struct lw_interval r = lw_iv_div(a.range, b.range);
    (void)n;
    bool part = a.id && b.of == a.id && (b.relation == LW_REL_SUM || b.relation == LW_REL_MAX);
    if (part && a.range.lo >= 0)
        r = lw_iv_meet(r, lw_iv_between(0, 1));
    if (a.id && b.of == a.id && b.relation == LW_REL_NORM)
        r = lw_iv_meet(r, lw_iv_between(-1, 1));
    return lw_v_interval(r);
}

static struct lw_value f_pow(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_interval(lw_iv_pow(rule_interval(env, args[0]), rule_interval(env, args[1])));
}

/* avoids(r, x): no value is x. */
static struct lw_value f_avoids(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(lw_iv_avoids(rule_interval(env, args[0]), rule_interval(env, args[1]).lo));
}

/* as_type(r, dtype): rounded to that precision. */
static struct lw_value f_as_type(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_interval(lw_iv_as(rule_interval(env, args[0]), dtype_of(env, args[1])));
}

/* matmul_range(x, y): products summed over the inner size. */
static struct lw_value f_matmul_range(struct rule_env *env, const struct lw_value *args,
                                      size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    int64_t least, most;
    (void)n;
    lw_dim_bounds(env->dims, lw_shape_at(&a.shape, -1), &least, &most);
    double low = least < 1 ? 1 : (double)least, high = most == LW_DIM_MOST ? 1e6 : (double)most;
    return lw_v_interval(lw_iv_sum(lw_iv_mul(a.range, b.range), low, high));
}

/* shapes(list): the shapes of its tensors, for messages. */
static struct lw_value f_shapes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (!lw_v_is_seq(args[0]))
        return lw_v_unknown();
    struct lw_value *items = lw_arena_array(env->arena, args[0].seq.n, sizeof *items);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < args[0].seq.n; i++) {
        struct lw_shape s = rule_tensor(env, args[0].seq.items[i]).shape;
        items[i] = lw_v_shape(env->arena, &s);
    }
    return lw_v_seq(LW_V_LIST, items, args[0].seq.n);
}

/* sub_shift(x, y): x where y is its maximum, so that x - y has 0 as its largest element. */
static struct lw_value f_sub_shift(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    (void)n;
    return a.id && b.of == a.id && b.relation == LW_REL_MAX ? args[0] : lw_v_none();
}

/* exp_shift(x): x where it was shifted so. */
static struct lw_value f_exp_shift(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return rule_tensor(env, args[0]).relation == LW_REL_SHIFTED ? args[0] : lw_v_none();
}

/* activated(f, r): the range behind an activation given by name, function or layer. */
static struct lw_value f_activated(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[1]);
    struct lw_value f = args[0];
    struct lw_str name = f.kind == LW_V_STR ? f.str : (struct lw_str){NULL, 0};
    (void)n;
    if (is_none(f))
        return lw_v_interval(r);
    const struct lw_api *api = f.kind == LW_V_API      ? f.api
                               : f.kind == LW_V_OBJECT ? f.object->api
                               : name.p
                                   ? lw_api_find_choice(env->apis, LW_S("activation"), name)
                                   : NULL;
    struct lw_str fact = api ? lw_api_fact(api, "activation") : (struct lw_str){NULL, 0};
    lw_iv_function *curve = fact.n ? lw_iv_find(fact) : NULL;
    if (lw_str_eq(fact, LW_S("linear")))
        return lw_v_interval(r);
    return lw_v_interval(curve ? curve(r) : lw_iv_unknown());
}

/* known(r): the same interval, taken as derived from known things. */
static struct lw_value f_known(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[0]);
    (void)n;
    r.flags |= LW_IV_KNOWN;
    return lw_v_interval(r);
}

/* largest(dtype): where exp overflows: 88.7 for float32, 11 for float16, 709 for float64. */
static struct lw_value f_exp_limit(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes d = dtype_of(env, args[0]);
    (void)n;
    return lw_v_float(d == LW_F64 ? 709.78 : d == LW_F16 ? 11.09 : 88.72);
}

/* ---- Results
 * ------------------------------------------------------------------------------------ */

/* tensor(shape, dtype[, range[, owner]]) */
static struct lw_value f_tensor(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = lw_tensor_unknown(env->framework ? env->framework : LW_NUMPY);
    int64_t owner;
    t.shape = rule_shape(env, args[0]);
    if (args[1].kind == LW_V_DTYPE)
        t.dtype = args[1].dtypes;
    t.range = n > 2 ? rule_interval(env, args[2]) : lw_iv_unknown();
    if (n > 3 && rule_int(env, args[3], &owner))
        t.framework = (uint8_t)owner;
    if (t.dtype != LW_DTYPE_UNKNOWN)
        t.range = lw_iv_as(t.range, t.dtype);
    t.grad = LW_TRI_MAYBE;
    t.variable = LW_TRI_NO;
    t.line = env->line;
    return lw_v_tensor(env->arena, &t);
}

/* like(x, shape): x's type, range and owner in another shape. */
static struct lw_value f_like(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    (void)n;
    t.shape = rule_shape(env, args[1]);
    t.id = 0;
    t.variable = LW_TRI_NO;
    t.line = env->line;
    return lw_v_tensor(env->arena, &t);
}

/* related(t, 'max', x): t, remembered as the maximum (sum, norm…) of x. */
static struct lw_value f_related(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (args[0].kind != LW_V_TENSOR || args[2].kind != LW_V_TENSOR || args[1].kind != LW_V_STR)
        return args[0];
    struct lw_tensor t = *args[0].tensor;
    bool max = lw_str_eq(args[1].str, LW_S("max")), min = lw_str_eq(args[1].str, LW_S("min"));
    t.relation = max ? LW_REL_MAX : min ? LW_REL_MIN : LW_REL_SUM;
    t.of = args[2].tensor->id;
    return lw_v_tensor(env->arena, &t);
}

/* chunks(x, axis, size): pieces of this size along the axis, the last one smaller. */
static struct lw_value f_chunks(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    int64_t axis, size, whole;
    struct lw_value sizes = lw_v_unknown();
    (void)n;
    if (rule_int(env, args[1], &axis) && rule_int(env, args[2], &size) && size > 0 &&
        lw_dim_is_int(env->dims, lw_shape_at(&t.shape, axis), &whole)) {
        int64_t count = (whole + size - 1) / size;
        struct lw_value *items = lw_arena_array(env->arena, (size_t)count, sizeof *items);
        if (!items || count > LW_SHAPE_MAX)
            return lw_v_unknown();
        for (int64_t i = 0; i < count; i++)
            items[i] = lw_v_dim(lw_dim_big(env->dims, i + 1 < count ? size : whole - i * size));
        sizes = lw_v_seq(LW_V_LIST, items, (size_t)count);
    }
    struct lw_value all[3] = {args[0], args[1], sizes};
    return f_pieces(env, all, 3);
}

/* as_device(v[, like]): a device out of its name; None: where `like` is, else the CPU. */
static struct lw_value f_as_device(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = args[0], r = {.kind = LW_V_DEVICE, .device = LW_DEVICE_UNKNOWN};
    if (v.kind == LW_V_DEVICE)
        return v;
    if (v.kind == LW_V_STR && v.str.p) {
        r.device = lw_str_has_prefix(v.str, LW_S("cuda"))  ? LW_CUDA
                   : lw_str_has_prefix(v.str, LW_S("cpu")) ? LW_CPU
                                                           : LW_OTHER_DEVICE;
        if (n > 1 && lw_dtype_parse(v.str, LW_TORCH))
            r.device = rule_tensor(env, args[1]).device;
    } else if (v.kind == LW_V_INT) {
        r.device = LW_CUDA;
    } else if (is_none(v)) {
        r.device = n > 1 ? rule_tensor(env, args[1]).device : LW_CPU;
    } else if (v.kind == LW_V_TENSOR) {
        r.device = v.tensor->device;
    }
    return r;
}

/* ragged(v): nested lists of different lengths. */
static struct lw_value f_ragged(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t;
    lw_tri ragged = LW_TRI_MAYBE;
    (void)n;
    if (!lw_v_is_seq(args[0]))
        return lw_v_tri(LW_TRI_NO);
    return lw_v_tri(lw_v_to_tensor(env->dims, args[0], &t, &ragged) ? ragged : LW_TRI_MAYBE);
}

/* torch_default(v): the type torch.tensor gives to data: Python floats become float32. */
static struct lw_value f_torch_default(struct rule_env *env, const struct lw_value *args,
                                       size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    (void)n;
    if (args[0].kind == LW_V_TENSOR)
        return lw_v_dtype(t.dtype);
    if (t.framework != LW_PYTHON) /* a list of arrays or tensors */
        return lw_v_dtype(t.dtype == LW_F64 ? LW_F64 | LW_F32 : t.dtype);
    return lw_v_dtype(t.dtype == LW_F64 ? LW_F32 : t.dtype);
}

/* tf_default(v): the type TensorFlow gives to Python numbers: float32 and int32. */
static struct lw_value f_tf_default(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    (void)n;
    if (args[0].kind == LW_V_TENSOR || !(t.framework & LW_PYTHON))
        return lw_v_dtype(t.dtype);
    if (t.framework != LW_PYTHON)
        return lw_v_dtype(t.dtype == LW_F64 ? LW_F64 | LW_F32 : t.dtype);
    return lw_v_dtype(t.dtype == LW_F64 ? LW_F32 : t.dtype == LW_I64 ? LW_I32 : t.dtype);
}

/* none_sizes(shape): None in it is a batch or another size that is not known. */
static struct lw_value f_none_sizes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]);
    (void)n;
    for (int i = 0; i < s.n; i++)
        if (lw_v_is_seq(args[0]) && args[0].seq.items[i].kind == LW_V_NONE)
            s.d[i] = lw_dim_symbol(env->dims, LW_S("None"), 1, LW_DIM_MOST);
    return lw_v_shape(env->arena, &s);
}

/* same_dtype(x, y): the types are equal. */
static struct lw_value f_same_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes a = dtype_of(env, args[0]), b = dtype_of(env, args[1]);
    (void)n;
    if (!(a & b))
        return lw_v_tri(LW_TRI_NO);
    return lw_v_tri(a == b && lw_set_is_one(a) ? LW_TRI_YES : LW_TRI_MAYBE);
}

/* apply(layer, x): what the layer makes of x. */
static struct lw_value f_apply(struct rule_env *env, const struct lw_value *args, size_t n)
{
    if (args[0].kind != LW_V_OBJECT || env->depth > RULE_MAX_DEPTH / 2)
        return lw_v_unknown();
    const struct lw_object *o = args[0].object;
    struct lw_arg inner[4];
    for (size_t i = 1; i < n && i <= 4; i++)
        inner[i - 1] = (struct lw_arg){.value = args[i]};
    struct lw_api_call call = {.api = o->api,
                               .side = LW_API_CALL,
                               .config = o->config,
                               .args = inner,
                               .arg_count = n - 1,
                               .arena = env->arena,
                               .line = env->line,
                               .plain = env->plain,
                               .engine = env->engine};
    struct lw_api_result result;
    struct lw_err err = {0};
    if (!o->api->side[LW_API_CALL].present || lw_api_call(env->apis, &call, &result, &err) < 0)
        return lw_v_unknown();
    return result.value;
}

/* batch_symbol(): a batch size that is not known yet. */
static struct lw_value f_batch_symbol(struct rule_env *env, const struct lw_value *args,
                                      size_t n)
{
    (void)args;
    (void)n;
    return lw_v_dim(lw_dim_symbol(env->dims, LW_S("None"), 1, LW_DIM_MOST));
}

/* flat_keep(shape): all axes but the first become one. */
static struct lw_value f_flat_keep(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]), r = lw_shape_of_rank(2);
    (void)n;
    r.d[0] = lw_shape_at(&s, 0);
    struct lw_shape rest = lw_shape_slice(&s, 1, INT64_MAX);
    r.d[1] = lw_shape_count(env->dims, &rest);
    return lw_v_shape(env->arena, &r);
}

/* with(object, 'name', value): the object with one constructor argument changed. */
static struct lw_value f_with(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (args[0].kind != LW_V_OBJECT || args[1].kind != LW_V_STR)
        return lw_v_unknown();
    const struct lw_object *o = args[0].object;
    const struct lw_api_part *part = &o->api->side[LW_API_CONSTRUCT];
    struct lw_object *copy = lw_arena_alloc(env->arena, sizeof *copy);
    struct lw_value *config = lw_arena_array(env->arena, part->param_count, sizeof *config);
    if (!copy || !config || !o->config)
        return lw_v_unknown();
    for (uint32_t i = 0; i < part->param_count; i++)
        config[i] = lw_str_eq(part->params[i].name, args[1].str) ? args[2] : o->config[i];
    *copy = *o;
    copy->config = config;
    return (struct lw_value){.kind = LW_V_OBJECT, .object = copy};
}

static const struct rule_function functions[] = {
    {"above", 1, 1, f_above},
    {"activated", 2, 2, f_activated},
    {"apply", 2, 5, f_apply},
    {"as_device", 1, 2, f_as_device},
    {"as_dtype", 1, 2, f_as_dtype},
    {"as_type", 2, 2, f_as_type},
    {"avoids", 2, 2, f_avoids},
    {"axis", 2, 2, rule_axis},
    {"batch_symbol", 0, 0, f_batch_symbol},
    {"below", 2, 2, f_below},
    {"between", 2, 2, f_between},
    {"broadcast", 1, 8, rule_broadcast},
    {"broadcasts", 1, 8, rule_broadcasts},
    {"cat", 2, 2, rule_cat},
    {"cats", 2, 2, rule_cats},
    {"chunks", 3, 3, f_chunks},
    {"clip", 3, 3, f_clip},
    {"common", 1, 1, rule_common},
    {"default", 2, 2, f_default},
    {"div_dtype", 2, 2, f_div_dtype},
    {"div_range", 2, 2, f_div_range},
    {"drop", 2, 2, rule_drop},
    {"dtypes", 1, 1, f_dtypes},
    {"einsum", 2, 2, rule_einsum},
    {"einsum_letter", 2, 2, rule_einsum_letter},
    {"einsums", 2, 2, rule_einsums},
    {"exp_limit", 1, 1, f_exp_limit},
    {"exp_shift", 1, 1, f_exp_shift},
    {"expand", 2, 2, rule_expand},
    {"expands", 2, 2, rule_expands},
    {"first", 1, 1, f_first},
    {"flat", 3, 3, rule_flat},
    {"flat_keep", 1, 1, f_flat_keep},
    {"given", 1, 1, f_given},
    {"has_axes", 2, 2, rule_has_axes},
    {"insert", 2, 3, rule_insert},
    {"is_a", 2, 6, f_is_a},
    {"isnone", 1, 1, f_isnone},
    {"join", 2, 8, f_join},
    {"known", 1, 1, f_known},
    {"len", 1, 1, f_len},
    {"like", 2, 2, f_like},
    {"list", 1, 1, f_list},
    {"matmul", 2, 2, rule_matmul},
    {"matmul_range", 2, 2, f_matmul_range},
    {"matmuls", 2, 2, rule_matmuls},
    {"max", 2, 2, f_max},
    {"min", 2, 2, f_min},
    {"mixes", 2, 2, f_mixes},
    {"moveaxis", 3, 3, rule_moveaxis},
    {"mul_range", 2, 2, f_mul_range},
    {"none_sizes", 1, 1, f_none_sizes},
    {"of_rank", 1, 1, rule_of_rank},
    {"pad_pairs", 2, 2, rule_pad_pairs},
    {"padded", 2, 2, rule_padded},
    {"permute", 2, 2, rule_permute},
    {"permutes", 2, 2, rule_permutes},
    {"pieces", 3, 3, f_pieces},
    {"positive", 1, 1, rule_positive},
    {"pow", 2, 2, f_pow},
    {"promote", 1, 8, f_promote},
    {"ragged", 1, 1, f_ragged},
    {"ranges", 1, 1, f_ranges},
    {"reduce", 2, 3, rule_reduce},
    {"related", 3, 3, f_related},
    {"repeat", 2, 2, f_repeat},
    {"reshape", 2, 2, rule_reshape},
    {"reshapes", 2, 2, rule_reshapes},
    {"reverse", 1, 1, rule_reverse},
    {"same", 1, 1, rule_same},
    {"same_dtype", 2, 2, f_same_dtype},
    {"scale", 2, 2, rule_scale},
    {"set", 3, 3, rule_set},
    {"shapes", 1, 1, f_shapes},
    {"squeeze", 2, 2, rule_squeeze},
    {"sub_range", 2, 2, f_sub_range},
    {"sub_shift", 2, 2, f_sub_shift},
    {"sum_dtype", 1, 1, f_sum_dtype},
    {"sum_range", 2, 2, f_sum_range},
    {"swap", 3, 3, rule_swap},
    {"tconv", 6, 6, rule_tconv},
    {"tensor", 2, 4, f_tensor},
    {"tf_default", 1, 1, f_tf_default},
    {"times", 2, 2, rule_times},
    {"to_float", 1, 1, f_to_float},
    {"torch_default", 1, 1, f_torch_default},
    {"total", 1, 1, f_total},
    {"tuple", 2, 2, rule_ntuple},
    {"unbounded", 1, 1, f_unbounded},
    {"whole", 2, 2, f_whole},
    {"window", 4, 6, rule_window},
    {"with", 3, 3, f_with},
};

const struct rule_function *rule_function_find(struct lw_str name)
{
    size_t low = 0, high = sizeof functions / sizeof *functions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lw_str_cmp(lw_str(functions[middle].name), name);
        if (order == 0)
            return &functions[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool rule_constant(struct lw_str name, struct lw_value *out)
{
    static const struct {
        const char *name;
        int owner;
    } owners[] = {{"numpy", LW_NUMPY}, {"torch", LW_TORCH},   {"tf", LW_TF},
                  {"keras", LW_KERAS}, {"python", LW_PYTHON}, {"pandas", LW_PANDAS}};
    static const struct {
        const char *name;
        lw_dtypes mask;
    } sets[] = {{"floats", LW_FLOATS},
                {"ints", LW_INTS},
                {"reals", LW_INTS | LW_FLOATS},
                {"indices", LW_INTS},
                {"complexes", LW_COMPLEX},
                {"any_dtype", LW_DTYPE_UNKNOWN},
                {"float_or_double", LW_F32 | LW_F64},
                {"int_or_long", LW_I32 | LW_I64}};
    if (lw_str_eq(name, LW_S("none")) || lw_str_eq(name, LW_S("None")))
        return *out = lw_v_none(), true;
    if (lw_str_eq(name, LW_S("true")) || lw_str_eq(name, LW_S("True")))
        return *out = lw_v_tri(LW_TRI_YES), true;
    if (lw_str_eq(name, LW_S("false")) || lw_str_eq(name, LW_S("False")))
        return *out = lw_v_tri(LW_TRI_NO), true;
    if (lw_str_eq(name, LW_S("maybe")))
        return *out = lw_v_tri(LW_TRI_MAYBE), true;
    if (lw_str_eq(name, LW_S("some_int")))
        return *out = lw_v_dim(LW_DIM_UNKNOWN), true;
    if (lw_str_eq(name, LW_S("some_float")))
        return *out = lw_v_interval(lw_iv_unknown()), true;
    if (lw_str_eq(name, LW_S("some_str")))
        return *out = lw_v_str((struct lw_str){NULL, 0}), true;
    if (lw_str_eq(name, LW_S("unknown")))
        return *out = lw_v_unknown(), true;
    if (lw_str_eq(name, LW_S("absent")))
        return *out = lw_v_absent(), true;
    if (lw_str_eq(name, LW_S("inf")))
        return *out = lw_v_float(INFINITY), true;
    if (lw_str_eq(name, LW_S("newaxis")))
        return *out = lw_v_none(), true;
    if (lw_str_eq(name, LW_S("cpu")) || lw_str_eq(name, LW_S("cuda"))) {
        *out = (struct lw_value){.kind = LW_V_DEVICE,
                                 .device = name.p[1] == 'p' ? LW_CPU : LW_CUDA};
        return true;
    }
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (lw_str_eq(name, lw_str(owners[i].name)))
            return *out = lw_v_dim(lw_dim_int(owners[i].owner)), true;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (lw_str_eq(name, lw_str(sets[i].name)))
            return *out = lw_v_dtype(sets[i].mask), true;
    for (lw_dtypes d = 1; d < LW_DTYPE_UNKNOWN; d <<= 1)
        if (lw_str_eq(name, lw_str(lw_dtype_name(d))))
            return *out = lw_v_dtype(d), true;
    return false;
}
