/* The functions of the rule language that work on shapes. */
#include "base/str.h"
#include "knowledge/rule.h"
#include "knowledge/rule_functions.h"

static struct lw_value shape_value(struct rule_env *env, struct lw_shape s)
{
    return lw_v_shape(env->arena, &s);
}

/* A shape out of a shape, a tuple, or the shape of a tensor. */
static struct lw_shape shape_of(struct rule_env *env, struct lw_value v)
{
    return v.kind == LW_V_TENSOR ? v.tensor->shape : rule_shape(env, v);
}

bool rule_int(struct rule_env *env, struct lw_value v, int64_t *out)
{
    if (v.kind == LW_V_BOOL && v.tri != LW_TRI_MAYBE) {
        *out = v.tri == LW_TRI_YES;
        return true;
    }
    return v.kind == LW_V_INT && lw_dim_is_int(env->dims, v.dim, out);
}

/* ---- Pairs: f gives the result, f-s whether it is allowed -------------------------------- */

static lw_tri broadcast_all(struct rule_env *env, const struct lw_value *args, size_t n,
                            struct lw_shape *out)
{
    lw_tri ok = LW_TRI_YES;
    *out = shape_of(env, args[0]);
    for (size_t i = 1; i < n; i++) {
        struct lw_shape b = shape_of(env, args[i]), r;
        ok = lw_tri_and(ok, lw_shape_broadcast(env->dims, out, &b, &r));
        *out = r;
    }
    return ok;
}

struct lw_value rule_broadcast(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    broadcast_all(env, args, n, &s);
    return shape_value(env, s);
}

struct lw_value rule_broadcasts(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    return lw_v_tri(broadcast_all(env, args, n, &s));
}

typedef lw_tri pair(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                    struct lw_shape *out);

static lw_tri pair_of(struct rule_env *env, const struct lw_value *args, pair *f,
                      struct lw_shape *out)
{
    struct lw_shape a = shape_of(env, args[0]), b = shape_of(env, args[1]);
    return f(env->dims, &a, &b, out);
}

struct lw_value rule_matmul(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    pair_of(env, args, lw_shape_matmul, &s);
    return shape_value(env, s);
}

struct lw_value rule_matmuls(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    return lw_v_tri(pair_of(env, args, lw_shape_matmul, &s));
}

struct lw_value rule_reshape(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    struct lw_shape from = shape_of(env, args[0]), want = rule_shape(env, args[1]);
    (void)n;
    lw_shape_reshape(env->dims, &from, &want, &s);
    return shape_value(env, s);
}

struct lw_value rule_reshapes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    struct lw_shape from = shape_of(env, args[0]), want = rule_shape(env, args[1]);
    (void)n;
    return lw_v_tri(lw_shape_reshape(env->dims, &from, &want, &s));
}

struct lw_value rule_expands(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape a = shape_of(env, args[0]), b = rule_shape(env, args[1]);
    (void)n;
    return lw_v_tri(lw_shape_expands(env->dims, &a, &b));
}

/* torch.expand: -1 keeps the size, missing leading dimensions are new. */
struct lw_value rule_expand(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape a = shape_of(env, args[0]), b = rule_shape(env, args[1]);
    int64_t v;
    (void)n;
    for (int i = 1; b.gap < 0 && i <= b.n; i++)
        if (lw_dim_is_int(env->dims, b.d[b.n - i], &v) && v == -1)
            b.d[b.n - i] = lw_shape_at(&a, -i);
    return shape_value(env, b);
}

/* ---- Axes -------------------------------------------------------------------------------- */

/* Axes out of an int or a sequence of ints; false when one is not known. */
static bool axes_of(struct rule_env *env, struct lw_value v, int64_t *axes, size_t *n)
{
    *n = 0;
    if (v.kind == LW_V_INT || v.kind == LW_V_BOOL)
        return rule_int(env, v, &axes[(*n)++]);
    struct lw_shape s;
    if (!lw_v_to_shape(env->dims, v, &s) || s.gap >= 0)
        return false;
    for (int i = 0; i < s.n; i++)
        if (!lw_dim_is_int(env->dims, s.d[i], &axes[(*n)++]))
            return false;
    return true;
}

static lw_tri reduce(struct rule_env *env, const struct lw_value *args, size_t n,
                     struct lw_shape *out)
{
    struct lw_shape s = shape_of(env, args[0]);
    lw_tri keep = n > 2 ? rule_truth(env, args[2]) : LW_TRI_NO;
    int64_t axes[LW_SHAPE_MAX];
    size_t count;
    *out = lw_shape_unknown();
    if (rule_is_none(args[1])) { /* all of them */
        if (keep == LW_TRI_NO)
            *out = lw_shape_of_rank(0);
        if (keep == LW_TRI_YES && s.gap < 0) {
            *out = s;
            for (int i = 0; i < s.n; i++)
                out->d[i] = lw_dim_int(1);
        }
        return LW_TRI_YES;
    }
    if (axes_of(env, args[1], axes, &count)) {
        struct lw_shape kept;
        if (s.gap < 0 && s.n == 0 && count == 1 && (axes[0] == 0 || axes[0] == -1)) {
            *out = s; /* a number has one axis when asked politely */
            return LW_TRI_YES;
        }
        lw_tri ok = lw_shape_reduce(&s, axes, count, keep != LW_TRI_NO, &kept);
        if (keep != LW_TRI_MAYBE)
            *out = kept;
        return ok;
    }
    if (s.gap < 0 && args[1].kind == LW_V_INT && keep != LW_TRI_MAYBE && s.n > 0)
        *out = lw_shape_of_rank(keep == LW_TRI_YES ? s.n : s.n - 1u);
    return LW_TRI_MAYBE;
}

struct lw_value rule_reduce(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    reduce(env, args, n, &s);
    return shape_value(env, s);
}

/* has_axes(shape, axis or axes or none): all in range and different. */
struct lw_value rule_has_axes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    return lw_v_tri(reduce(env, args, n, &s));
}

/* axis(shape, i): the axis counted from the front. */
struct lw_value rule_axis(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t i;
    (void)n;
    if (!rule_int(env, args[1], &i))
        return lw_v_dim(LW_DIM_UNKNOWN);
    if (i >= 0)
        return args[1];
    return lw_v_dim(s.gap < 0 ? lw_dim_int((int32_t)(i + s.n)) : LW_DIM_UNKNOWN);
}

struct lw_value rule_drop(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t i;
    (void)n;
    if (rule_int(env, args[1], &i))
        return shape_value(env, lw_shape_drop(&s, i));
    return shape_value(env, s.gap < 0 && s.n ? lw_shape_of_rank(s.n - 1u) : lw_shape_unknown());
}

struct lw_value rule_insert(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t axes[LW_SHAPE_MAX];
    size_t count;
    lw_dim d = n > 2 && args[2].kind == LW_V_INT ? args[2].dim
               : n > 2                           ? LW_DIM_UNKNOWN
                                                 : lw_dim_int(1);
    if (!axes_of(env, args[1], axes, &count))
        return shape_value(env, s.gap < 0 ? lw_shape_of_rank(s.n + 1u) : lw_shape_unknown());
    for (size_t i = 0; i < count; i++)
        s = lw_shape_insert(&s, axes[i], d);
    return shape_value(env, s);
}

struct lw_value rule_set(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t i;
    lw_dim d = args[2].kind == LW_V_INT ? args[2].dim : LW_DIM_UNKNOWN;
    (void)n;
    if (rule_int(env, args[1], &i))
        return shape_value(env, lw_shape_set(&s, i, d));
    return shape_value(env, s.gap < 0 ? lw_shape_of_rank(s.n) : lw_shape_unknown());
}

static lw_tri permute(struct rule_env *env, const struct lw_value *args, struct lw_shape *out)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t axes[LW_SHAPE_MAX];
    size_t count;
    if (axes_of(env, args[1], axes, &count))
        return lw_shape_permute(&s, axes, count, out);
    *out = s.gap < 0 ? lw_shape_of_rank(s.n) : lw_shape_unknown();
    return LW_TRI_MAYBE;
}

struct lw_value rule_permute(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    permute(env, args, &s);
    return shape_value(env, s);
}

struct lw_value rule_permutes(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    return lw_v_tri(permute(env, args, &s));
}

struct lw_value rule_reverse(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]), r = s;
    (void)n;
    for (int i = 0; i < s.n; i++)
        r.d[i] = s.d[s.n - 1 - i];
    if (s.gap >= 0)
        r.gap = (int8_t)(s.n - s.gap);
    return shape_value(env, r);
}

/* swap(shape, a, b) */
struct lw_value rule_swap(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t a, b;
    (void)n;
    if (!rule_int(env, args[1], &a) || !rule_int(env, args[2], &b))
        return shape_value(env, s.gap < 0 ? lw_shape_of_rank(s.n) : lw_shape_unknown());
    lw_dim x = lw_shape_at(&s, a), y = lw_shape_at(&s, b);
    if (lw_shape_has_axis(&s, a) != LW_TRI_YES || lw_shape_has_axis(&s, b) != LW_TRI_YES)
        return shape_value(env, lw_shape_unknown());
    s = lw_shape_set(&s, a, y);
    return shape_value(env, lw_shape_set(&s, b, x));
}

/* moveaxis(shape, from, to), ints or sequences of ints */
struct lw_value rule_moveaxis(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]), r;
    int64_t from[LW_SHAPE_MAX], to[LW_SHAPE_MAX], order[LW_SHAPE_MAX];
    bool used[LW_SHAPE_MAX] = {false}, filled[LW_SHAPE_MAX] = {false};
    size_t a, b;
    (void)n;
    if (s.gap >= 0 || !axes_of(env, args[1], from, &a) || !axes_of(env, args[2], to, &b) ||
        a != b)
        return shape_value(env, s.gap < 0 ? lw_shape_of_rank(s.n) : lw_shape_unknown());
    for (size_t i = 0; i < a; i++) {
        if (lw_shape_has_axis(&s, from[i]) != LW_TRI_YES ||
            lw_shape_has_axis(&s, to[i]) != LW_TRI_YES)
            return shape_value(env, lw_shape_unknown());
        int64_t x = from[i] < 0 ? from[i] + s.n : from[i], y = to[i] < 0 ? to[i] + s.n : to[i];
        order[y] = x;
        used[x] = filled[y] = true;
    }
    for (int i = 0, k = 0; i < s.n; i++) {
        if (filled[i])
            continue;
        while (k < s.n && used[k])
            k++;
        order[i] = k++;
    }
    return lw_shape_permute(&s, order, s.n, &r) == LW_TRI_YES
               ? shape_value(env, r)
               : shape_value(env, lw_shape_unknown());
}

/* ---- Several tensors --------------------------------------------------------------------- */

static lw_tri cat(struct rule_env *env, const struct lw_value *args, struct lw_shape *out)
{
    lw_tri ok = LW_TRI_YES;
    int64_t axis = 0;
    *out = lw_shape_unknown();
    if (!lw_v_is_seq(args[0]) || args[0].seq.n == 0)
        return LW_TRI_MAYBE;
    struct lw_seq s = args[0].seq;
    bool known = rule_int(env, args[1], &axis);
    *out = rule_tensor(env, s.items[0]).shape;
    if (!known) {
        *out = out->gap < 0 ? lw_shape_of_rank(out->n) : *out;
        return LW_TRI_MAYBE;
    }
    if (lw_shape_has_axis(out, axis) == LW_TRI_NO)
        return LW_TRI_NO;
    for (uint32_t i = 1; i < s.n; i++) {
        struct lw_shape b = rule_tensor(env, s.items[i]).shape, r;
        ok = lw_tri_and(ok, lw_shape_cat(env->dims, out, &b, axis, &r));
        *out = r;
    }
    if (s.open)
        *out = lw_shape_set(out, axis, LW_DIM_UNKNOWN);
    return s.open && ok == LW_TRI_YES ? LW_TRI_MAYBE : ok;
}

struct lw_value rule_cat(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    cat(env, args, &s);
    return shape_value(env, s);
}

struct lw_value rule_cats(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    return lw_v_tri(cat(env, args, &s));
}

static bool is_empty_row(struct rule_env *env, struct lw_value v)
{
    struct lw_shape s = rule_tensor(env, v).shape;
    int64_t size;
    return s.gap < 0 && s.n == 1 && lw_dim_is_int(env->dims, s.d[0], &size) && size == 0;
}

/* parts(list): without tensors of shape (0,), which torch.cat skips whatever the shapes
 * of the others are. */
struct lw_value rule_parts(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value list = args[0];
    uint32_t kept = 0;
    (void)n;
    if (!lw_v_is_seq(list) || list.seq.n == 0)
        return list;
    struct lw_value *items = lw_arena_array(env->arena, list.seq.n, sizeof *items);
    for (uint32_t i = 0; items && i < list.seq.n; i++)
        if (!is_empty_row(env, list.seq.items[i]))
            items[kept++] = list.seq.items[i];
    if (!items || kept == 0)
        return list;
    list.seq.items = items;
    list.seq.n = kept;
    return list;
}

/* rows(list): each tensor with at least two axes, as vstack takes them; (n,) is one row. */
struct lw_value rule_rows(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_value list = args[0];
    (void)n;
    if (!lw_v_is_seq(list))
        return list;
    struct lw_value *items = lw_arena_array(env->arena, list.seq.n, sizeof *items);
    for (uint32_t i = 0; items && i < list.seq.n; i++) {
        struct lw_tensor t = rule_tensor(env, list.seq.items[i]);
        while (t.shape.gap < 0 && t.shape.n < 2) {
            t.shape.d[1] = t.shape.d[0];
            t.shape.d[0] = lw_dim_int(1);
            t.shape.n++;
        }
        items[i] = lw_v_tensor(env->arena, &t);
    }
    if (!items)
        return lw_v_unknown();
    list.seq.items = items;
    return list;
}

static lw_tri same_shapes(struct rule_env *env, struct lw_value v, struct lw_shape *common)
{
    lw_tri ok = LW_TRI_YES;
    *common = lw_shape_unknown();
    if (!lw_v_is_seq(v) || v.seq.n == 0)
        return LW_TRI_MAYBE;
    *common = rule_tensor(env, v.seq.items[0]).shape;
    for (uint32_t i = 1; i < v.seq.n; i++) {
        struct lw_shape b = rule_tensor(env, v.seq.items[i]).shape;
        ok = lw_tri_and(ok, lw_shape_eq(env->dims, common, &b));
        if (common->gap >= 0)
            *common = b;
    }
    return v.seq.open && ok == LW_TRI_YES ? LW_TRI_MAYBE : ok;
}

/* same(list): all tensors of the list have one shape; common(list): that shape. */
struct lw_value rule_same(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    return lw_v_tri(same_shapes(env, args[0], &s));
}

struct lw_value rule_common(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    (void)n;
    same_shapes(env, args[0], &s);
    return shape_value(env, s);
}

static lw_tri einsum(struct rule_env *env, const struct lw_value *args, struct lw_shape *out,
                     char *letter)
{
    struct lw_shape shapes[16];
    *out = lw_shape_unknown();
    *letter = 0;
    if (args[0].kind != LW_V_STR || !args[0].str.p || !lw_v_is_seq(args[1]) ||
        args[1].seq.open || args[1].seq.n > 16)
        return LW_TRI_MAYBE;
    for (uint32_t i = 0; i < args[1].seq.n; i++)
        shapes[i] = rule_tensor(env, args[1].seq.items[i]).shape;
    return lw_shape_einsum(env->dims, args[0].str, shapes, args[1].seq.n, out, letter);
}

struct lw_value rule_einsum(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    char letter;
    (void)n;
    einsum(env, args, &s, &letter);
    return shape_value(env, s);
}

struct lw_value rule_einsums(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    char letter;
    (void)n;
    return lw_v_tri(einsum(env, args, &s, &letter));
}

/* The letter with two sizes, as text. */
struct lw_value rule_einsum_letter(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s;
    char letter;
    (void)n;
    einsum(env, args, &s, &letter);
    struct lw_str text = lw_arena_copy(env->arena, lw_str_n(&letter, letter != 0));
    return text.p ? lw_v_str(text) : lw_v_unknown();
}

/* ---- Windows: convolution and pooling ---------------------------------------------------- */

/* Number i of an int or a tuple of ints; a tuple of another length gives unknown. */
static lw_dim nth(struct rule_env *env, struct lw_value v, int i, int n)
{
    if (v.kind == LW_V_INT)
        return v.dim;
    struct lw_shape s = rule_shape(env, v);
    if (s.gap >= 0 || (s.n != n && s.n != 1))
        return LW_DIM_UNKNOWN;
    return s.d[s.n == 1 ? 0 : i];
}

static bool is_text(struct lw_value v, const char *text)
{
    return v.kind == LW_V_STR && v.str.p && lw_str_eq_nocase(v.str, lw_str(text));
}

/* dilation * (kernel - 1) + 1 */
static lw_dim reach(struct lw_dims *c, lw_dim kernel, lw_dim dilation)
{
    lw_dim one = lw_dim_int(1);
    return lw_dim_add(c, lw_dim_mul(c, dilation, lw_dim_sub(c, kernel, one)), one);
}

/* ceil mode: the last window must start inside the input or the left padding. */
static lw_dim ceil_windows(struct lw_dims *c, lw_dim size, lw_dim span, lw_dim stride,
                           lw_dim pad)
{
    int64_t n, s, p, w;
    lw_dim windows = lw_dim_add(c, lw_dim_ceildiv(c, span, stride), lw_dim_int(1));
    if (!lw_dim_is_int(c, size, &n) || !lw_dim_is_int(c, stride, &s) ||
        !lw_dim_is_int(c, pad, &p) || !lw_dim_is_int(c, windows, &w))
        return LW_DIM_UNKNOWN;
    return (w - 1) * s >= n + p ? lw_dim_big(c, w - 1) : windows;
}

struct lw_value rule_window(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_dims *c = env->dims;
    struct lw_shape s = rule_shape(env, args[0]);
    struct lw_value stride_arg = rule_is_none(args[2]) ? args[1] : args[2];
    lw_tri ceil_mode = n > 5 ? rule_truth(env, args[5]) : LW_TRI_NO;
    bool same = is_text(args[3], "same") || is_text(args[3], "causal");
    struct lw_value zero = lw_v_dim(lw_dim_int(0)), one = lw_v_dim(lw_dim_int(1));
    struct lw_value pad_arg = args[3].kind == LW_V_STR && args[3].str.p ? zero : args[3];
    for (int i = 0; i < s.n; i++) {
        lw_dim stride = nth(env, stride_arg, i, s.n), pad = nth(env, pad_arg, i, s.n);
        lw_dim span =
            reach(c, nth(env, args[1], i, s.n), nth(env, n > 4 ? args[4] : one, i, s.n));
        lw_dim room = lw_dim_add(c, s.d[i], lw_dim_mul(c, lw_dim_int(2), pad));
        lw_dim free_room = lw_dim_sub(c, room, span);
        if (same)
            s.d[i] = lw_dim_ceildiv(c, s.d[i], stride);
        else if (ceil_mode == LW_TRI_NO)
            s.d[i] = lw_dim_add(c, lw_dim_floordiv(c, free_room, stride), lw_dim_int(1));
        else
            s.d[i] = ceil_mode == LW_TRI_YES ? ceil_windows(c, s.d[i], free_room, stride, pad)
                                             : LW_DIM_UNKNOWN;
    }
    return shape_value(env, s);
}

/* tconv(spatial, kernel, stride, padding, output_padding, dilation) */
struct lw_value rule_tconv(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_dims *c = env->dims;
    struct lw_shape s = rule_shape(env, args[0]);
    (void)n;
    for (int i = 0; i < s.n; i++) {
        lw_dim k = nth(env, args[1], i, s.n), stride = nth(env, args[2], i, s.n);
        lw_dim extra = rule_is_none(args[4]) ? lw_dim_int(0) : nth(env, args[4], i, s.n);
        lw_dim grown = lw_dim_mul(c, s.d[i], stride);
        if (args[3].kind == LW_V_STR) {
            lw_dim more = lw_dim_max(c, lw_dim_sub(c, k, stride), lw_dim_int(0));
            s.d[i] = is_text(args[3], "same")    ? grown
                     : is_text(args[3], "valid") ? lw_dim_add(c, grown, more)
                                                 : LW_DIM_UNKNOWN;
            continue;
        }
        lw_dim pad = nth(env, args[3], i, s.n);
        lw_dim span = reach(c, k, nth(env, args[5], i, s.n));
        lw_dim sum = lw_dim_add(c, lw_dim_sub(c, grown, stride), lw_dim_add(c, span, extra));
        s.d[i] = lw_dim_sub(c, sum, lw_dim_mul(c, lw_dim_int(2), pad));
    }
    return shape_value(env, s);
}

/* positive(shape): every dimension is at least 1. */
struct lw_value rule_positive(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = rule_shape(env, args[0]);
    lw_tri all = s.gap >= 0 ? LW_TRI_MAYBE : LW_TRI_YES;
    (void)n;
    for (int i = 0; i < s.n; i++)
        all = lw_tri_and(all, lw_dim_less(env->dims, lw_dim_int(0), s.d[i]));
    return lw_v_tri(all);
}

/* ---- Others ------------------------------------------------------------------------------ */

/* flat(shape, first, last): these axes become one. */
struct lw_value rule_flat(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    int64_t from, to;
    (void)n;
    if (s.gap >= 0 || !rule_int(env, args[1], &from) || !rule_int(env, args[2], &to)) {
        bool head = rule_int(env, args[1], &from) && from == 1 && s.gap != 0;
        struct lw_shape r = lw_shape_of_rank(2);
        if (!head || !rule_int(env, args[2], &to) || to != -1)
            return shape_value(env, lw_shape_unknown());
        r.d[0] = s.d[0];
        return shape_value(env, r);
    }
    from = from < 0 ? from + s.n : from;
    to = to < 0 ? to + s.n : to;
    if (s.n == 0) {
        s = lw_shape_of_rank(1);
        s.d[0] = lw_dim_int(1);
        return shape_value(env, s);
    }
    if (from > to || from < 0 || to >= s.n)
        return shape_value(env, lw_shape_unknown());
    struct lw_shape middle = lw_shape_make(s.d + from, (size_t)(to - from + 1));
    struct lw_shape head = lw_shape_make(s.d, (size_t)from);
    struct lw_shape tail = lw_shape_make(s.d + to + 1, (size_t)(s.n - to - 1));
    lw_shape_push(&head, lw_shape_count(env->dims, &middle));
    return shape_value(env, lw_shape_concat(&head, &tail));
}

/* times(shape, repeats): aligned at the end, as tile and repeat do. */
struct lw_value rule_times(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]), by = rule_shape(env, args[1]);
    (void)n;
    if (s.gap >= 0 || by.gap >= 0)
        return shape_value(env, lw_shape_unknown());
    struct lw_shape r = lw_shape_of_rank(s.n > by.n ? s.n : by.n);
    for (int i = 1; r.gap < 0 && i <= r.n; i++) {
        lw_dim a = i <= s.n ? lw_shape_at(&s, -i) : lw_dim_int(1);
        lw_dim b = i <= by.n ? lw_shape_at(&by, -i) : lw_dim_int(1);
        r.d[r.n - i] = lw_dim_mul(env->dims, a, b);
    }
    return shape_value(env, r);
}

/* scale(shape, factor or factors): each dimension times its factor; not whole: unknown. */
struct lw_value rule_scale(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    (void)n;
    for (int i = 0; i < s.n; i++) {
        struct lw_value f = args[1];
        if (lw_v_is_seq(f))
            f = (int)f.seq.n == s.n ? f.seq.items[i] : lw_v_unknown();
        int64_t size;
        if (f.kind == LW_V_INT)
            s.d[i] = lw_dim_mul(env->dims, s.d[i], f.dim);
        else if (f.kind == LW_V_FLOAT && f.interval.lo == f.interval.hi &&
                 lw_dim_is_int(env->dims, s.d[i], &size) && size < 1000000 &&
                 f.interval.lo >= 0 && f.interval.lo < 1000)
            s.d[i] = lw_dim_big(env->dims, (int64_t)((double)size * f.interval.lo));
        else
            s.d[i] = LW_DIM_UNKNOWN;
    }
    return shape_value(env, s);
}

/* squeeze(shape, axis or axes or none) */
struct lw_value rule_squeeze(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]), r = lw_shape_of_rank(0);
    int64_t axes[LW_SHAPE_MAX], v;
    size_t count = 0;
    (void)n;
    bool all = rule_is_none(args[1]);
    if (s.gap >= 0 || (!all && !axes_of(env, args[1], axes, &count)))
        return shape_value(env, lw_shape_unknown());
    for (int i = 0; i < s.n; i++) {
        bool chosen = all;
        for (size_t k = 0; k < count; k++)
            chosen |= axes[k] == i || axes[k] == i - s.n;
        if (!chosen) {
            lw_shape_push(&r, s.d[i]);
        } else if (!lw_dim_is_int(env->dims, s.d[i], &v)) {
            lw_tri one = lw_dim_eq(env->dims, s.d[i], lw_dim_int(1));
            if (all && one == LW_TRI_MAYBE && s.d[i])
                lw_shape_push(&r, s.d[i]); /* a symbolic size is meant to stay */
            else if (one != LW_TRI_YES)
                return shape_value(env, lw_shape_unknown());
        } else if (v != 1) {
            lw_shape_push(&r, s.d[i]);
        }
    }
    return shape_value(env, r);
}

/* tuple(v, n): n copies of an int; sequences stay. */
struct lw_value rule_ntuple(struct rule_env *env, const struct lw_value *args, size_t n)
{
    int64_t count;
    (void)n;
    if (is_shapely_value(args[0]))
        return shape_value(env, rule_shape(env, args[0]));
    if (!rule_int(env, args[1], &count) || count < 0 || count > LW_SHAPE_MAX)
        return shape_value(env, lw_shape_unknown());
    struct lw_shape s = lw_shape_of_rank((size_t)count);
    for (int i = 0; i < s.n; i++)
        s.d[i] = args[0].kind == LW_V_INT ? args[0].dim : LW_DIM_UNKNOWN;
    return shape_value(env, s);
}

/* of_rank(n): n unknown dimensions. */
struct lw_value rule_of_rank(struct rule_env *env, const struct lw_value *args, size_t n)
{
    int64_t count;
    (void)n;
    if (!rule_int(env, args[0], &count) || count < 0 || count > LW_SHAPE_MAX)
        return shape_value(env, lw_shape_unknown());
    return shape_value(env, lw_shape_of_rank((size_t)count));
}

/* padded(shape, pads): torch's F.pad: pairs from the last axis backwards. */
struct lw_value rule_padded(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]), pads = rule_shape(env, args[1]);
    (void)n;
    if (s.gap >= 0)
        return shape_value(env, lw_shape_unknown());
    if (pads.gap >= 0 || pads.n % 2 || pads.n / 2 > s.n)
        return shape_value(env, lw_shape_of_rank(s.n));
    for (int i = 0; i < pads.n / 2; i++) {
        lw_dim both = lw_dim_add(env->dims, pads.d[2 * i], pads.d[2 * i + 1]);
        s.d[s.n - 1 - i] = lw_dim_add(env->dims, s.d[s.n - 1 - i], both);
    }
    return shape_value(env, s);
}

/* pad_pairs(shape, pairs): numpy's and tf's pad: one (before, after) or number per axis. */
struct lw_value rule_pad_pairs(struct rule_env *env, const struct lw_value *args, size_t n)
{
    struct lw_shape s = shape_of(env, args[0]);
    struct lw_value pads = args[1];
    (void)n;
    for (int i = 0; i < s.n; i++) {
        struct lw_value p = pads;
        if (lw_v_is_seq(pads))
            p = (int)pads.seq.n == s.n ? pads.seq.items[i] : lw_v_unknown();
        lw_dim sum = LW_DIM_UNKNOWN;
        struct lw_shape pair_shape;
        if (p.kind == LW_V_INT)
            sum = lw_dim_mul(env->dims, lw_dim_int(2), p.dim);
        else if (lw_v_to_shape(env->dims, p, &pair_shape) && pair_shape.gap < 0 &&
                 pair_shape.n == 2)
            sum = lw_dim_add(env->dims, pair_shape.d[0], pair_shape.d[1]);
        s.d[i] = lw_dim_add(env->dims, s.d[i], sum);
    }
    return shape_value(env, s);
}
