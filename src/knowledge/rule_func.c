/* The functions of the rule language that work on values and make results; constants. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "knowledge/rule.h"
#include "knowledge/rule_functions.h"

/* ---- Values ------------------------------------------------------------------------------ */

struct lw_value rule_isnone(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(rule_equal(env, args[0], lw_v_none()));
}

/* given(x): the argument was written and is not None. */
struct lw_value rule_given(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return lw_v_tri(lw_tri_not(rule_equal(env, args[0], lw_v_none())));
}

/* default(x, y): x, or y where x is None. */
struct lw_value rule_default(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    lw_tri none = rule_equal(env, args[0], lw_v_none());
    if (none == LW_TRI_MAYBE)
        return lw_v_unknown();
    return none == LW_TRI_YES ? args[1] : args[0];
}

struct lw_value rule_len(struct rule_env *env, const struct lw_value *args, size_t n)
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

struct lw_value rule_first(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)env;
    (void)n;
    return lw_v_is_seq(args[0]) && args[0].seq.n ? args[0].seq.items[0] : lw_v_unknown();
}

/* list(x): a sequence as it is, anything else as a list of one. */
struct lw_value rule_list(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_repeat(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_pieces(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_total(struct rule_env *env, const struct lw_value *args, size_t n)
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

struct lw_value rule_min(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)n;
    return extreme(env, args, false);
}

struct lw_value rule_max(struct rule_env *env, const struct lw_value *args, size_t n)
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
        {"size", 1u << LW_V_SHAPE},
        {"seq", 1u << LW_V_TUPLE | 1u << LW_V_LIST | 1u << LW_V_SHAPE},
        {"tensor", 1u << LW_V_TENSOR},
        {"dtype", 1u << LW_V_DTYPE},
        {"device", 1u << LW_V_DEVICE},
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

struct lw_value rule_is_a(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_tri any = LW_TRI_NO;
    (void)env;
    for (size_t i = 1; i < n; i++)
        any = lw_tri_or(any, args[i].kind == LW_V_STR ? kind_is(args[0], args[i].str)
                                                      : LW_TRI_MAYBE);
    return lw_v_tri(any);
}

/* ---- Results ----------------------------------------------------------------------------- */

/* tensor(shape, dtype[, range[, owner]]) */
struct lw_value rule_value_tensor(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_like(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_related(struct rule_env *env, const struct lw_value *args, size_t n)
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

/* Too many pieces to tell apart: the first one, any other one, and how many there are. */
static struct lw_value many_chunks(struct rule_env *env, const struct lw_tensor *t,
                                   int64_t axis, int64_t size, int64_t whole)
{
    struct lw_value *items = lw_arena_array(env->arena, 2, sizeof *items);
    if (!items)
        return lw_v_unknown();
    struct lw_tensor piece = *t;
    piece.id = 0;
    piece.variable = LW_TRI_NO;
    piece.shape = lw_shape_set(&t->shape, axis, lw_dim_big(env->dims, size));
    items[0] = items[1] = lw_v_tensor(env->arena, &piece);
    if (whole % size) {
        piece.shape = lw_shape_set(&t->shape, axis, LW_DIM_UNKNOWN);
        items[1] = lw_v_tensor(env->arena, &piece);
    }
    struct lw_value r = lw_v_seq(LW_V_LIST, items, 2);
    r.seq.open = true;
    r.seq.length = lw_dim_big(env->dims, whole / size + (whole % size != 0));
    return r;
}

/* chunks(x, axis, size): pieces of this size along the axis, the last one smaller. */
struct lw_value rule_chunks(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    int64_t axis, size, whole;
    struct lw_value sizes = lw_v_unknown();
    (void)n;
    if (rule_int(env, args[1], &axis) && rule_int(env, args[2], &size) && size > 0 &&
        lw_dim_is_int(env->dims, lw_shape_at(&t.shape, axis), &whole)) {
        int64_t count = whole / size + (whole % size != 0);
        if (count > LW_SHAPE_MAX)
            return many_chunks(env, &t, axis, size, whole);
        struct lw_value *items = lw_arena_array(env->arena, (size_t)count, sizeof *items);
        if (!items)
            return lw_v_unknown();
        for (int64_t i = 0; i < count; i++)
            items[i] = lw_v_dim(lw_dim_big(env->dims, i + 1 < count ? size : whole - i * size));
        sizes = lw_v_seq(LW_V_LIST, items, (size_t)count);
    }
    struct lw_value all[3] = {args[0], args[1], sizes};
    return rule_pieces(env, all, 3);
}

/* ragged(v): nested lists of different lengths. */
struct lw_value rule_ragged(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t;
    lw_tri ragged = LW_TRI_MAYBE;
    (void)n;
    if (!lw_v_is_seq(args[0]))
        return lw_v_tri(LW_TRI_NO);
    return lw_v_tri(lw_v_to_tensor(env->dims, args[0], &t, &ragged) ? ragged : LW_TRI_MAYBE);
}

/* none_sizes(shape): None in it is a batch or another size that is not known. */
struct lw_value rule_none_sizes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]);
    (void)n;
    for (int i = 0; i < s.n; i++)
        if (lw_v_is_seq(args[0]) && args[0].seq.items[i].kind == LW_V_NONE)
            s.d[i] = lw_dim_symbol(env->dims, LW_S("None"), 1, LW_DIM_MOST);
    return lw_v_shape(env->arena, &s);
}

/* apply(layer, x): what the layer makes of x. */
struct lw_value rule_apply(struct rule_env *env, const struct lw_value *args, size_t n)
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
    env->inner = result.problems;
    env->inner_count = result.problem_count;
    return result.value;
}

/* batch_symbol(): a batch size that is not known yet. */
struct lw_value rule_batch_symbol(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)args;
    (void)n;
    return lw_v_dim(lw_dim_symbol(env->dims, LW_S("None"), 1, LW_DIM_MOST));
}

/* class_symbol(): a number of classes that is not known yet. */
struct lw_value rule_class_symbol(struct rule_env *env, const struct lw_value *args, size_t n)
{
    (void)args;
    (void)n;
    return lw_v_dim(lw_dim_symbol(env->dims, LW_S("classes"), 2, LW_DIM_MOST));
}

/* flat_keep(shape): all axes but the first become one. */
struct lw_value rule_flat_keep(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]), r = lw_shape_of_rank(2);
    (void)n;
    r.d[0] = lw_shape_at(&s, 0);
    struct lw_shape rest = lw_shape_slice(&s, 1, INT64_MAX);
    r.d[1] = lw_shape_count(env->dims, &rest);
    return lw_v_shape(env->arena, &r);
}

/* with(object, 'name', value): the object with one constructor argument changed. */
struct lw_value rule_with(struct rule_env *env, const struct lw_value *args, size_t n)
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
    {"above", 1, 1, rule_above},
    {"activated", 2, 2, rule_activated},
    {"apply", 2, 5, rule_apply},
    {"as_device", 1, 2, rule_as_device},
    {"as_dtype", 1, 2, rule_as_dtype},
    {"as_type", 2, 2, rule_as_type},
    {"avoids", 2, 2, rule_avoids},
    {"axis", 2, 2, rule_axis},
    {"batch_symbol", 0, 0, rule_batch_symbol},
    {"below", 2, 2, rule_below},
    {"between", 2, 2, rule_between},
    {"broadcast", 1, 8, rule_broadcast},
    {"broadcasts", 1, 8, rule_broadcasts},
    {"cat", 2, 2, rule_cat},
    {"cats", 2, 2, rule_cats},
    {"chunks", 3, 3, rule_chunks},
    {"class_symbol", 0, 0, rule_class_symbol},
    {"clip", 3, 3, rule_clip},
    {"common", 1, 1, rule_common},
    {"default", 2, 2, rule_default},
    {"div_dtype", 2, 2, rule_div_dtype},
    {"div_range", 2, 2, rule_div_range},
    {"drop", 2, 2, rule_drop},
    {"dtypes", 1, 1, rule_dtypes},
    {"einsum", 2, 2, rule_einsum},
    {"einsum_letter", 2, 2, rule_einsum_letter},
    {"einsums", 2, 2, rule_einsums},
    {"exp_limit", 1, 1, rule_exp_limit},
    {"exp_shift", 1, 1, rule_exp_shift},
    {"expand", 2, 2, rule_expand},
    {"expands", 2, 2, rule_expands},
    {"first", 1, 1, rule_first},
    {"flat", 3, 3, rule_flat},
    {"flat_keep", 1, 1, rule_flat_keep},
    {"given", 1, 1, rule_given},
    {"has_axes", 2, 2, rule_has_axes},
    {"insert", 2, 3, rule_insert},
    {"is_a", 2, 6, rule_is_a},
    {"isnone", 1, 1, rule_isnone},
    {"join", 2, 8, rule_value_join},
    {"known", 1, 1, rule_known},
    {"len", 1, 1, rule_len},
    {"like", 2, 2, rule_like},
    {"list", 1, 1, rule_list},
    {"matmul", 2, 2, rule_matmul},
    {"matmul_range", 2, 2, rule_matmul_range},
    {"matmuls", 2, 2, rule_matmuls},
    {"max", 2, 2, rule_max},
    {"min", 2, 2, rule_min},
    {"mixes", 2, 2, rule_mixes},
    {"moveaxis", 3, 3, rule_moveaxis},
    {"mul_range", 2, 2, rule_mul_range},
    {"none_sizes", 1, 1, rule_none_sizes},
    {"of_rank", 1, 1, rule_of_rank},
    {"pad_pairs", 2, 2, rule_pad_pairs},
    {"padded", 2, 2, rule_padded},
    {"parts", 1, 1, rule_parts},
    {"permute", 2, 2, rule_permute},
    {"permutes", 2, 2, rule_permutes},
    {"pieces", 3, 3, rule_pieces},
    {"positive", 1, 1, rule_positive},
    {"pow", 2, 2, rule_pow},
    {"prefix_range", 2, 2, rule_prefix_range},
    {"prod_range", 2, 2, rule_prod_range},
    {"promote", 1, 8, rule_promote},
    {"ragged", 1, 1, rule_ragged},
    {"ranges", 1, 1, rule_ranges},
    {"reduce", 2, 3, rule_reduce},
    {"related", 3, 3, rule_related},
    {"repeat", 2, 2, rule_repeat},
    {"reshape", 2, 2, rule_reshape},
    {"reshapes", 2, 2, rule_reshapes},
    {"reverse", 1, 1, rule_reverse},
    {"rows", 1, 1, rule_rows},
    {"same", 1, 1, rule_same},
    {"same_dtype", 2, 2, rule_same_dtype},
    {"scale", 2, 2, rule_scale},
    {"set", 3, 3, rule_set},
    {"shapes", 1, 1, rule_shapes},
    {"squeeze", 2, 2, rule_squeeze},
    {"sub_range", 2, 2, rule_sub_range},
    {"sub_shift", 2, 2, rule_sub_shift},
    {"sum_dtype", 1, 1, rule_sum_dtype},
    {"sum_range", 2, 2, rule_sum_range},
    {"swap", 3, 3, rule_swap},
    {"tconv", 6, 6, rule_tconv},
    {"tensor", 2, 4, rule_value_tensor},
    {"tf_default", 1, 1, rule_tf_default},
    {"times", 2, 2, rule_times},
    {"to_float", 1, 1, rule_to_float},
    {"torch_default", 1, 1, rule_torch_default},
    {"total", 1, 1, rule_total},
    {"tuple", 2, 2, rule_ntuple},
    {"unbounded", 1, 1, rule_unbounded},
    {"whole", 2, 2, rule_whole},
    {"window", 4, 6, rule_window},
    {"with", 3, 3, rule_with},
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
