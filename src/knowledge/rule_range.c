/* The functions of the rule language that work on ranges of values. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "knowledge/rule.h"
#include "knowledge/rule_functions.h"

/* between(lo, hi): a bound that says nothing about how far the values go when it is infinite:
 * norms and losses of unknown things are >= 0, but whether 0 is reached is not known. */
struct lw_value rule_between(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    struct lw_interval a = rule_interval(env, args[0]), b = rule_interval(env, args[1]);
    struct lw_interval r = lw_iv_between(a.lo, b.hi);
    if (!(a.flags & b.flags & LW_IV_KNOWN) || isinf(r.lo) || isinf(r.hi))
        r.flags &= (uint8_t)~LW_IV_KNOWN;
    return lw_v_interval(r);
}

struct lw_value rule_whole(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = rule_between(env, args, n);
    v.interval.flags |= LW_IV_WHOLE;
    v.interval.precision = LW_PREC_64;
    return v;
}

/* below(lo, hi): hi itself is not reached. */
struct lw_value rule_below(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = rule_between(env, args, n);
    v.interval.flags |= LW_IV_HI_OPEN;
    return v;
}

/* above(lo): greater than lo, unbounded. */
struct lw_value rule_above(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    struct lw_interval r = lw_iv_between(rule_interval(env, args[0]).lo, INFINITY);
    r.flags |= LW_IV_LO_OPEN;
    return lw_v_interval(r);
}

struct lw_value rule_unbounded(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_clip(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[0]);
    (void)n;
    if (!rule_is_none(args[1]))
        r = lw_iv_max(r, rule_interval(env, args[1]));
    if (!rule_is_none(args[2]))
        r = lw_iv_min(r, rule_interval(env, args[2]));
    return lw_v_interval(r);
}

struct lw_value rule_value_join(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value r = args[0];
    for (size_t i = 1; i < n; i++)
        r = rule_join(env, r, args[i]);
    return r;
}

/* all(list): the joined ranges of the tensors of a list. */
struct lw_value rule_ranges(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_dtypes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    if (!lw_v_is_seq(args[0]) || args[0].seq.n == 0)
        return lw_v_dtype(LW_DTYPE_UNKNOWN);
    return rule_promote(env, args[0].seq.items, args[0].seq.n);
}

/* sum_range(x, axis): times the number of elements summed. */
struct lw_value rule_sum_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    struct lw_shape gone = t.shape;
    int64_t least = 1, most = LW_DIM_MOST, axis;
    (void)n;
    if (!rule_is_none(args[1])) {
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

/* How many elements lie along the axis, or in all: false when it is not known. */
static bool count_along(struct rule_env *env, const struct lw_value *args, double *most)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    struct lw_shape along = t.shape;
    int64_t least, highest, axis;
    if (!rule_is_none(args[1])) {
        along = lw_shape_of_rank(1);
        if (!rule_int(env, args[1], &axis))
            return false;
        along.d[0] = lw_shape_at(&t.shape, axis);
    }
    lw_dim_bounds(env->dims, lw_shape_count(env->dims, &along), &least, &highest);
    *most = highest < 1 ? 1 : (double)highest;
    return highest != LW_DIM_MOST;
}

/* prefix_range(x, axis): sums of the first elements, as cumsum gives them. */
struct lw_value rule_prefix_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    double most = 1e6;
    (void)n;
    bool known = count_along(env, args, &most);
    struct lw_interval r = lw_iv_sum(rule_tensor(env, args[0]).range, 1, known ? most : 1e6);
    if (!known)
        r.flags &= (uint8_t)~LW_IV_KNOWN;
    return lw_v_interval(r);
}

/* prod_range(x, axis): products of so many elements; unknown when their number is, unless all
 * lie within -1..1. */
struct lw_value rule_prod_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval x = rule_tensor(env, args[0]).range;
    double most = 1, size = fmax(fabs(x.lo), fabs(x.hi));
    (void)n;
    lw_dtypes dtype = rule_tensor(env, args[0]).dtype;
    if ((!count_along(env, args, &most) && size > 1) || (dtype & ~(lw_dtypes)LW_FLOATS))
        return lw_v_interval(lw_iv_unknown());
    double top = size > 1 ? pow(size, most) : size;
    struct lw_interval r = x;
    r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN | LW_IV_ZERO);
    r.hi = top;
    r.lo = x.lo < 0 ? -top : x.lo >= 1 ? x.lo : 0;
    return lw_v_interval(lw_iv_as(r, dtype));
}

/* x - y, where y may be the maximum of x. */
struct lw_value rule_sub_range(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_mul_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    (void)n;
    if (a.id && a.id == b.id)
        return lw_v_interval(lw_iv_find(LW_S("square"))(a.range));
    return lw_v_interval(lw_iv_mul(a.range, b.range));
}

/* x / y, where y may be the sum or the maximum of x. */
struct lw_value rule_div_range(struct rule_env *env, const struct lw_value *args, size_t n)
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

struct lw_value rule_pow(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_interval(lw_iv_pow(rule_interval(env, args[0]), rule_interval(env, args[1])));
}

/* avoids(r, x): no value is x. */
struct lw_value rule_avoids(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(lw_iv_avoids(rule_interval(env, args[0]), rule_interval(env, args[1]).lo));
}

/* as_type(r, dtype): rounded to that precision. */
struct lw_value rule_as_type(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_interval(lw_iv_as(rule_interval(env, args[0]), rule_dtype(env, args[1])));
}

/* matmul_range(x, y): products summed over the inner size. */
struct lw_value rule_matmul_range(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    int64_t least, most;
    (void)n;
    lw_dim_bounds(env->dims, lw_shape_at(&a.shape, -1), &least, &most);
    double low = least < 1 ? 1 : (double)least, high = most == LW_DIM_MOST ? 1e6 : (double)most;
    struct lw_interval r = lw_iv_sum(lw_iv_mul(a.range, b.range), low, high);
    bool trained = a.range.why == LW_WHY_WEIGHT || b.range.why == LW_WHY_WEIGHT;
    if (trained && r.lo == -INFINITY &&
        r.hi == INFINITY) /* whatever the weights are applied to */
        r.flags |= LW_IV_KNOWN;
    return lw_v_interval(r);
}

/* shapes(list): the shapes of its tensors, for messages. */
struct lw_value rule_shapes(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_sub_shift(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor a = rule_tensor(env, args[0]), b = rule_tensor(env, args[1]);
    (void)n;
    return a.id && b.of == a.id && b.relation == LW_REL_MAX ? args[0] : lw_v_none();
}

/* exp_shift(x): x where it was shifted so. */
struct lw_value rule_exp_shift(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return rule_tensor(env, args[0]).relation == LW_REL_SHIFTED ? args[0] : lw_v_none();
}

/* activated(f, r): the range behind an activation given by name, function or layer. */
struct lw_value rule_activated(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[1]);
    struct lw_value f = args[0];
    struct lw_str name = f.kind == LW_V_STR ? f.str : (struct lw_str){NULL, 0};
    (void)n;
    if (rule_is_none(f))
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
struct lw_value rule_known(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_interval r = rule_interval(env, args[0]);
    (void)n;
    r.flags |= LW_IV_KNOWN;
    return lw_v_interval(r);
}

/* largest(dtype): where exp overflows: 88.7 for float32, 11 for float16, 709 for float64. */
struct lw_value rule_exp_limit(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes d = rule_dtype(env, args[0]);
    (void)n;
    return lw_v_float(d == LW_F64 ? 709.78 : d == LW_F16 ? 11.09 : 88.72);
}
