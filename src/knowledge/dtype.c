#include "knowledge/dtype.h"

#include <string.h>

#include "base/str.h"

static const char *const names[LW_DTYPE_COUNT] = {
    "bool",    "uint8",     "int8",       "uint16",  "int16",    "uint32",
    "int32",   "uint64",    "int64",      "float16", "bfloat16", "float32",
    "float64", "complex64", "complex128", "string",  "object"};

static int index_of(lw_dtypes one)
{
    return __builtin_ctz(one);
}

const char *lw_dtype_name(lw_dtypes one)
{
    return lw_set_is_one(one) && one < LW_DTYPE_UNKNOWN ? names[index_of(one)] : "?";
}

static const struct {
    const char *name;
    lw_dtypes dtype;
} spellings[] = {
    {"double", LW_F64},      {"half", LW_F16},
    {"long", LW_I64},        {"short", LW_I16},
    {"byte", LW_U8},         {"char", LW_I8},
    {"cfloat", LW_C64},      {"cdouble", LW_C128},
    {"complex", LW_C128},    {"bool_", LW_BOOL},
    {"bool8", LW_BOOL},      {"float_", LW_F64},
    {"int_", LW_I64},        {"single", LW_F32},
    {"intc", LW_I32},        {"intp", LW_I64},
    {"longlong", LW_I64},    {"ubyte", LW_U8},
    {"str", LW_TEXT},        {"str_", LW_TEXT},
    {"object_", LW_OBJECT},  {"complex_", LW_C128},
    {"b", LW_BOOL},          {"f", LW_F32},
    {"d", LW_F64},           {"i", LW_I32},
    {"l", LW_I64},           {"f2", LW_F16},
    {"f4", LW_F32},          {"f8", LW_F64},
    {"i1", LW_I8},           {"i2", LW_I16},
    {"i4", LW_I32},          {"i8", LW_I64},
    {"u1", LW_U8},           {"u2", LW_U16},
    {"u4", LW_U32},          {"u8", LW_U64},
    {"FloatTensor", LW_F32}, {"DoubleTensor", LW_F64},
    {"HalfTensor", LW_F16},  {"LongTensor", LW_I64},
    {"IntTensor", LW_I32},   {"ShortTensor", LW_I16},
    {"ByteTensor", LW_U8},   {"CharTensor", LW_I8},
    {"BoolTensor", LW_BOOL}, {"BFloat16Tensor", LW_BF16},
};

lw_dtypes lw_dtype_parse(struct lw_str name, uint32_t framework)
{
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (dot >= 0)
        name = lw_str_from(name, (size_t)dot + 1);
    if (name.n && (name.p[0] == '<' || name.p[0] == '>' || name.p[0] == '='))
        name = lw_str_from(name, 1);
    for (size_t i = 0; i < LW_DTYPE_COUNT; i++)
        if (lw_str_eq(name, lw_str(names[i])))
            return 1u << i;
    if (lw_str_eq(name, LW_S("float"))) /* torch.float is 32 bits, Python's and numpy's is 64 */
        return framework & (LW_TORCH | LW_TF) ? LW_F32 : LW_F64;
    if (lw_str_eq(name, LW_S("int")))
        return framework & (LW_TORCH | LW_TF) ? LW_I32 : LW_I64;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (lw_str_eq(name, lw_str(spellings[i].name)))
            return spellings[i].dtype;
    return 0;
}

void lw_dtypes_print(lw_dtypes mask, struct lw_buf *out)
{
    mask &= LW_DTYPE_UNKNOWN;
    if (mask == LW_DTYPE_UNKNOWN || !mask)
        lw_buf_add_char(out, '?');
    else if (mask == LW_FLOATS)
        lw_buf_addz(out, "float");
    else if (mask == LW_INTS)
        lw_buf_addz(out, "int");
    else
        for (bool first = true; mask; mask &= mask - 1, first = false)
            lw_buf_addf(out, "%s%s", first ? "" : " or ", names[index_of(mask)]);
}

/* ---- Promotion ------------------------------------------------------------------------------
 */

/* 0 bool, 1 unsigned, 2 signed, 3 float, 4 complex, 5 other. */
static int kind_of(lw_dtypes one)
{
    if (one == LW_BOOL)
        return 0;
    if (one & (LW_U8 | LW_U16 | LW_U32 | LW_U64))
        return 1;
    if (one & LW_INTS)
        return 2;
    if (one & LW_FLOATS)
        return 3;
    return one & LW_COMPLEX ? 4 : 5;
}

static int bytes_of(lw_dtypes one)
{
    static const int8_t size[LW_DTYPE_COUNT] = {1, 1, 1, 2, 2, 4, 4,  8,
                                                8, 2, 2, 4, 8, 8, 16, 0};
    return size[index_of(one)];
}

static lw_dtypes signed_of(int bytes)
{
    return bytes <= 1 ? LW_I8 : bytes <= 2 ? LW_I16 : bytes <= 4 ? LW_I32 : LW_I64;
}

static lw_dtypes complex_for(lw_dtypes other)
{
    return other == LW_F64 || ((other & LW_INTS) && bytes_of(other) >= 4) ? LW_C128 : LW_C64;
}

/* Both ways that mix signs need the next larger signed type; 64 bits become a float in numpy.
 */
static lw_dtypes mix_signs(lw_dtypes u, lw_dtypes s, bool numpy)
{
    if (bytes_of(u) < bytes_of(s))
        return s;
    return bytes_of(u) >= 8 && numpy ? LW_F64 : signed_of(bytes_of(u) * 2);
}

static lw_dtypes mix_floats(lw_dtypes a, lw_dtypes b)
{
    if ((a | b) == (LW_F16 | LW_BF16))
        return LW_F32;
    return bytes_of(a) >= bytes_of(b) ? a : b;
}

/* An integer beside a numpy float needs a float that holds it. */
static lw_dtypes float_for(lw_dtypes integer, lw_dtypes floating)
{
    int need = bytes_of(integer) == 1 ? 2 : bytes_of(integer) == 2 ? 4 : 8;
    if (bytes_of(floating) >= need)
        return floating;
    return need == 4 ? LW_F32 : LW_F64;
}

static lw_dtypes promote_pair(lw_dtypes a, lw_dtypes b, bool numpy)
{
    if (a == b)
        return a;
    if (kind_of(a) > kind_of(b)) {
        lw_dtypes t = a;
        a = b;
        b = t;
    }
    int ka = kind_of(a), kb = kind_of(b);
    if (kb == 5)
        return LW_OBJECT | LW_TEXT;
    if (ka == 0)
        return b;
    if (kb == 4) {
        if (ka == 4)
            return LW_C128;
        if (!numpy) /* torch: only a float64 widens */
            return b == LW_C128 || a == LW_F64 ? LW_C128 : LW_C64;
        return b == LW_C128 ? b : complex_for(a);
    }
    if (kb == 3)
        return ka == 3 ? mix_floats(a, b) : numpy ? float_for(a, b) : b;
    if (ka == kb)
        return bytes_of(a) > bytes_of(b) ? a : b;
    return mix_signs(a, b, numpy);
}

/* Categories: bool, integer, float, complex. A weaker operand counts only if its category is
 * higher. */
static int category(lw_dtypes one)
{
    int k = kind_of(one);
    return k == 0 ? 0 : k <= 2 ? 1 : k == 3 ? 2 : k == 4 ? 3 : 4;
}

static lw_dtypes promote_weak(uint32_t fw, lw_dtypes strong, lw_dtypes weak, enum lw_weak how)
{
    if (category(weak) <= category(strong))
        return strong;
    if (fw == LW_NUMPY)
        return promote_pair(strong, weak, true);
    if (category(weak) == 1 || how == LW_WEAK_ZERO_DIM)
        return weak; /* a bool tensor and an int; a tensor of its own type */
    /* torch: the default float type, a complex one of it */
    if (category(weak) == 2)
        return lw_set_is_one(weak) && weak != LW_F64 ? weak : LW_F32;
    return strong == LW_F64 ? LW_C128 : LW_C64;
}

static lw_dtypes promote_one(uint32_t fw, lw_dtypes a, enum lw_weak wa, lw_dtypes b,
                             enum lw_weak wb)
{
    if (fw == LW_TF || fw == LW_KERAS) {
        if (wa == LW_WEAK_NUMBER && category(a) <= category(b))
            return b;
        if (wb == LW_WEAK_NUMBER && category(b) <= category(a))
            return a;
        return a == b ? a : 0;
    }
    bool zero_dim = wa == LW_WEAK_ZERO_DIM || wb == LW_WEAK_ZERO_DIM;
    if (fw == LW_NUMPY && zero_dim && wa != wb) {
        /* numpy 1 looks at the value, numpy 2 at the type: either may come out */
        lw_dtypes strong = wa < wb ? a : b, weak = wa < wb ? b : a;
        return promote_weak(fw, strong, weak, LW_WEAK_ZERO_DIM) | promote_pair(a, b, true);
    }
    if (wa == wb || (fw != LW_TORCH && wa != LW_WEAK_NUMBER && wb != LW_WEAK_NUMBER))
        return promote_pair(a, b, fw != LW_TORCH);
    return wa < wb ? promote_weak(fw, a, b, wb) : promote_weak(fw, b, a, wa);
}

lw_dtypes lw_dtype_promote(uint32_t framework, lw_dtypes a, enum lw_weak wa, lw_dtypes b,
                           enum lw_weak wb)
{
    lw_dtypes out = 0;
    if (a == LW_DTYPE_UNKNOWN || b == LW_DTYPE_UNKNOWN || !lw_set_is_one(framework))
        return framework == LW_TF || framework == LW_KERAS
                   ? (a == LW_DTYPE_UNKNOWN ? (wb == LW_STRONG ? b : a)
                                            : (wa == LW_STRONG ? a : b))
                   : LW_DTYPE_UNKNOWN;
    for (lw_dtypes x = a; x; x &= x - 1)
        for (lw_dtypes y = b; y; y &= y - 1)
            out |= promote_one(framework, x & -x, wa, y & -y, wb);
    return out;
}

lw_dtypes lw_dtype_to_float(uint32_t framework, lw_dtypes a)
{
    lw_dtypes out = a & (LW_FLOATS | LW_COMPLEX);
    if (a == LW_DTYPE_UNKNOWN)
        return LW_DTYPE_UNKNOWN;
    if (!(a & (LW_INTS | LW_BOOL)))
        return out ? out : LW_DTYPE_UNKNOWN;
    if (framework == LW_NUMPY) { /* 8 bits: float16, 16 bits: float32, else float64 */
        if (a & (LW_BOOL | LW_U8 | LW_I8))
            out |= LW_F16;
        if (a & (LW_U16 | LW_I16))
            out |= LW_F32;
        if (a & (LW_U32 | LW_I32 | LW_U64 | LW_I64))
            out |= LW_F64;
        return out;
    }
    if (framework == LW_TORCH)
        return out | LW_F32;
    return framework == LW_TF || framework == LW_KERAS ? out | LW_F32 | LW_F64
                                                       : out | LW_F32 | LW_F64 | LW_F16;
}

bool lw_dtype_limits(lw_dtypes one, double *least, double *most)
{
    static const double top[LW_DTYPE_COUNT] = {1,
                                               255,
                                               127,
                                               65535,
                                               32767,
                                               4294967295.0,
                                               2147483647.0,
                                               18446744073709551615.0,
                                               9223372036854775807.0,
                                               65504,
                                               3.3895313892515355e38,
                                               3.4028234663852886e38,
                                               1.7976931348623157e308};
    if (!lw_set_is_one(one) || one > LW_F64)
        return false;
    int i = index_of(one);
    *most = top[i];
    *least = kind_of(one) <= 1 ? 0 : one & LW_INTS ? -top[i] - 1 : -top[i];
    return true;
}

const char *lw_device_name(uint32_t device)
{
    switch (device) {
    case LW_CPU: return "cpu";
    case LW_CUDA: return "cuda";
    case LW_OTHER_DEVICE: return "another device";
    case LW_CHOSEN_DEVICE: return "the chosen device";
    default: return "?";
    }
}
