/* The functions of the rule language that work on element types. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "knowledge/rule.h"
#include "knowledge/rule_functions.h"

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

lw_dtypes rule_dtype(struct rule_env *env, struct lw_value v)
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

/* TensorFlow converts an array of numpy to the type of the tensor beside it. */
static enum lw_weak weakness_in(uint32_t framework, struct lw_value v)
{
    bool array = v.kind == LW_V_TENSOR && v.tensor->framework == LW_NUMPY;
    return array && (framework == LW_TF || framework == LW_KERAS) ? LW_WEAK_NUMBER
                                                                  : weakness(v);
}

struct lw_value rule_promote(struct rule_env *env, const struct lw_value *args, size_t n)
{
    uint32_t fw = owner_of(env, args, n);
    if (!fw && weakness(args[0]) == LW_WEAK_NUMBER &&
        (n < 2 || weakness(args[1]) == LW_WEAK_NUMBER))
        fw = LW_NUMPY;
    lw_dtypes d = rule_dtype(env, args[0]);
    enum lw_weak w = weakness_in(fw, args[0]);
    for (size_t i = 1; i < n; i++) {
        lw_dtypes other = rule_dtype(env, args[i]);
        enum lw_weak wi = weakness_in(fw, args[i]);
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
struct lw_value rule_mixes(struct rule_env *env, const struct lw_value *args, size_t n)
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

struct lw_value rule_to_float(struct rule_env *env, const struct lw_value *args, size_t n)
{
    return lw_v_dtype(lw_dtype_to_float(owner_of(env, args, n), rule_dtype(env, args[0])));
}

/* as_dtype(v[, otherwise]): a dtype out of a dtype or its name; `otherwise` for None. */
struct lw_value rule_as_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value v = args[0];
    if (v.kind == LW_V_DTYPE)
        return v;
    if (v.kind == LW_V_STR && v.str.p) {
        lw_dtypes d = lw_dtype_parse(v.str, env->framework);
        return lw_v_dtype(d ? d : LW_DTYPE_UNKNOWN);
    }
    if (rule_is_none(v) && n > 1)
        return args[1].kind == LW_V_DTYPE ? args[1] : lw_v_dtype(rule_dtype(env, args[1]));
    return lw_v_dtype(LW_DTYPE_UNKNOWN);
}

/* div_dtype(x, y): of a true division; numpy makes float64 of integers of any size. */
struct lw_value rule_div_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value d = rule_promote(env, args, n);
    lw_dtypes whole = d.dtypes & (lw_dtypes)(LW_INTS | LW_BOOL);
    uint32_t fw = owner_of(env, args, n);
    if (fw != LW_NUMPY)
        return lw_v_dtype(lw_dtype_to_float(fw, d.dtypes));
    if (d.dtypes == LW_DTYPE_UNKNOWN)
        return d;
    return lw_v_dtype((d.dtypes & ~(lw_dtypes)(LW_INTS | LW_BOOL)) | (whole ? LW_F64 : 0));
}

/* sum_dtype(x): bools and small integers become int64 when summed. */
struct lw_value rule_sum_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes d = rule_dtype(env, args[0]),
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

/* torch_default(v): the type torch.tensor gives to data: Python floats become float32. */
struct lw_value rule_torch_default(struct rule_env *env, const struct lw_value *args, size_t n)
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
struct lw_value rule_tf_default(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_tensor t = rule_tensor(env, args[0]);
    (void)n;
    if (args[0].kind == LW_V_TENSOR || !(t.framework & LW_PYTHON))
        return lw_v_dtype(t.dtype);
    if (t.framework != LW_PYTHON) /* tensors among the numbers */
        return lw_v_dtype(t.dtype);
    return lw_v_dtype(t.dtype & LW_F64 ? LW_F32 : t.dtype & LW_I64 ? LW_I32 : t.dtype);
}

/* same_dtype(x, y): the types are equal. */
struct lw_value rule_same_dtype(struct rule_env *env, const struct lw_value *args, size_t n)
{
    lw_dtypes a = rule_dtype(env, args[0]), b = rule_dtype(env, args[1]);
    (void)n;
    if (!(a & b))
        return lw_v_tri(LW_TRI_NO);
    return lw_v_tri(a == b && lw_set_is_one(a) ? LW_TRI_YES : LW_TRI_MAYBE);
}

/* as_device(v[, like]): a device out of its name; None: where `like` is, else the CPU. */
struct lw_value rule_as_device(struct rule_env *env, const struct lw_value *args, size_t n)
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
    } else if (v.kind == LW_V_STR) {
        r.device = LW_CHOSEN_DEVICE;
    } else if (v.kind == LW_V_INT) {
        r.device = LW_CUDA;
    } else if (rule_is_none(v)) {
        r.device = n > 1 ? rule_tensor(env, args[1]).device : LW_CPU;
    } else if (v.kind == LW_V_TENSOR) {
        r.device = v.tensor->device;
    }
    return r;
}
