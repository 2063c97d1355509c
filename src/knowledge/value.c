#include "knowledge/value.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "knowledge/api.h"

struct lw_tensor lw_tensor_unknown(uint32_t framework)
{
    return (struct lw_tensor){.shape = lw_shape_unknown(),
                              .dtype = LW_DTYPE_UNKNOWN,
                              .range = lw_iv_unknown(),
                              .device = framework & LW_TORCH ? LW_DEVICE_UNKNOWN : LW_CPU,
                              .framework = (uint8_t)framework,
                              .grad = LW_TRI_MAYBE,
                              .variable = LW_TRI_MAYBE};
}

struct lw_value lw_v_tensor(struct lw_arena *arena, const struct lw_tensor *t)
{
    struct lw_tensor *copy = lw_arena_alloc(arena, sizeof *copy);
    if (!copy)
        return lw_v_unknown();
    *copy = *t;
    return (struct lw_value){.kind = LW_V_TENSOR, .line = t->line, .tensor = copy};
}

struct lw_value lw_v_shape(struct lw_arena *arena, const struct lw_shape *s)
{
    struct lw_shape *copy = lw_arena_alloc(arena, sizeof *copy);
    if (!copy)
        return lw_v_unknown();
    *copy = *s;
    return (struct lw_value){.kind = LW_V_SHAPE, .shape = copy};
}

static struct lw_tensor merge(struct lw_dims *c, const struct lw_tensor *a,
                              const struct lw_tensor *b, bool widen)
{
    struct lw_tensor r = *a;
    r.shape = lw_shape_join(c, &a->shape, &b->shape);
    r.dtype |= b->dtype;
    r.device |= b->device;
    r.framework |= b->framework;
    r.range = widen ? lw_iv_widen(a->range, b->range) : lw_iv_join(a->range, b->range);
    r.grad = (uint8_t)lw_tri_join(a->grad, b->grad);
    r.variable = (uint8_t)lw_tri_join(a->variable, b->variable);
    if (a->relation != b->relation || a->of != b->of)
        r.relation = LW_REL_NONE;
    r.id = a->id == b->id ? a->id : 0;
    r.line = a->line == b->line ? a->line : 0;
    return r;
}

struct lw_tensor lw_tensor_join(struct lw_dims *c, const struct lw_tensor *a,
                                const struct lw_tensor *b)
{
    return merge(c, a, b, false);
}

struct lw_tensor lw_tensor_widen(struct lw_dims *c, const struct lw_tensor *old,
                                 const struct lw_tensor *now)
{
    return merge(c, old, now, true);
}

/* A whole number as a dimension. */
static bool to_dim(struct lw_value v, lw_dim *out)
{
    if (v.kind == LW_V_INT) {
        *out = v.dim;
        return true;
    }
    if (v.kind == LW_V_BOOL && v.tri != LW_TRI_MAYBE) {
        *out = lw_dim_int(v.tri == LW_TRI_YES);
        return true;
    }
    if (v.kind == LW_V_FLOAT && v.interval.lo == v.interval.hi &&
        v.interval.lo == floor(v.interval.lo) && fabs(v.interval.lo) < LW_DIM_BIAS) {
        *out = lw_dim_int((int32_t)v.interval.lo);
        return true;
    }
    *out = LW_DIM_UNKNOWN;
    return v.kind == LW_V_UNKNOWN || v.kind == LW_V_NONE || v.kind >= LW_V_OPAQUE ||
           (v.kind == LW_V_TENSOR && v.tensor->shape.gap < 0 && v.tensor->shape.n == 0);
}

bool lw_v_to_shape(struct lw_dims *c, struct lw_value v, struct lw_shape *out)
{
    (void)c;
    lw_dim d;
    *out = lw_shape_of_rank(0);
    if (v.kind == LW_V_SHAPE) {
        *out = *v.shape;
        return true;
    }
    if (v.kind == LW_V_INT) {
        lw_shape_push(out, v.dim);
        return true;
    }
    if (!lw_v_is_seq(v))
        return false;
    for (uint32_t i = 0; i < v.seq.n; i++) {
        if (!to_dim(v.seq.items[i], &d))
            return false;
        lw_shape_push(out, d);
    }
    if (v.seq.open)
        *out = lw_shape_unknown();
    return true;
}

/* ---- Array-likes ------------------------------------------------------------------------- */

enum { MAX_NESTING = 12 };

static bool scalar_tensor(struct lw_dims *c, struct lw_value v, struct lw_tensor *out)
{
    *out = lw_tensor_unknown(LW_PYTHON);
    out->shape = lw_shape_of_rank(0);
    out->grad = LW_TRI_NO;
    out->variable = LW_TRI_NO;
    switch (v.kind) {
    case LW_V_BOOL:
        out->dtype = LW_BOOL;
        out->range = lw_iv_between(v.tri == LW_TRI_YES, v.tri != LW_TRI_NO);
        out->range.flags |= LW_IV_WHOLE;
        return true;
    case LW_V_INT: {
        int64_t least, most;
        out->dtype = LW_I64;
        lw_dim_bounds(c, v.dim, &least, &most);
        out->range = lw_iv_between(least == LW_DIM_LEAST ? -INFINITY : (double)least,
                                   most == LW_DIM_MOST ? INFINITY : (double)most);
        out->range.flags |= LW_IV_WHOLE;
        out->range.precision = LW_PREC_WEAK;
        if (least != most)
            out->range.flags &= (uint8_t)~LW_IV_KNOWN;
        return true;
    }
    case LW_V_FLOAT:
        out->dtype = LW_F64;
        out->range = v.interval;
        return true;
    case LW_V_STR: out->dtype = LW_TEXT; return true;
    case LW_V_UNKNOWN: out->shape = lw_shape_unknown(); return true;
    default: return false;
    }
}

static bool nested_tensor(struct lw_dims *c, struct lw_value v, struct lw_tensor *out,
                          lw_tri *ragged, int depth);

/* A number that counts from a to b, or is drawn between them, is one of these alone; in a list
 * that holds many of them all are met. */
static void spread_out(struct lw_value v, struct lw_interval *range)
{
    if ((v.kind == LW_V_INT || v.kind == LW_V_FLOAT) && isfinite(range->lo) &&
        isfinite(range->hi))
        range->flags |= LW_IV_KNOWN;
}

/* A sequence: the items' common shape with the length in front. */
static bool sequence_tensor(struct lw_dims *c, struct lw_seq s, struct lw_tensor *out,
                            lw_tri *ragged, int depth)
{
    struct lw_tensor item;
    *out = lw_tensor_unknown(LW_PYTHON);
    out->grad = LW_TRI_NO;
    for (uint32_t i = 0; i < s.n; i++) {
        if (!nested_tensor(c, s.items[i], &item, ragged, depth - 1))
            return false;
        spread_out(s.items[i], &item.range);
        if (i == 0) {
            *out = item;
            continue;
        }
        lw_tri same = lw_shape_eq(c, &out->shape, &item.shape);
        *ragged = lw_tri_or(*ragged, lw_tri_not(same));
        lw_dtypes dtype =
            lw_dtype_promote(LW_NUMPY, out->dtype, LW_STRONG, item.dtype, LW_STRONG);
        *out = lw_tensor_join(c, out, &item);
        out->dtype = dtype;
    }
    if (s.n == 0)
        out->shape = s.open ? lw_shape_unknown() : lw_shape_of_rank(0);
    lw_dim length = s.open ? s.length : lw_dim_int((int32_t)s.n);
    if (s.n == 0 && !s.open)
        out->dtype = LW_F64;
    if (s.n || !s.open)
        out->shape = lw_shape_insert(&out->shape, 0, length);
    out->framework |= LW_PYTHON;
    out->id = 0;
    return true;
}

static bool nested_tensor(struct lw_dims *c, struct lw_value v, struct lw_tensor *out,
                          lw_tri *ragged, int depth)
{
    if (depth <= 0)
        return false;
    if (v.kind == LW_V_TENSOR) {
        *out = *v.tensor;
        return true;
    }
    if (lw_v_is_seq(v))
        return sequence_tensor(c, v.seq, out, ragged, depth);
    if (v.kind == LW_V_SHAPE) {
        *out = lw_tensor_unknown(LW_PYTHON);
        out->dtype = LW_I64;
        out->shape = lw_shape_of_rank(1);
        out->shape.d[0] = v.shape->gap < 0 ? lw_dim_int(v.shape->n) : LW_DIM_UNKNOWN;
        return true;
    }
    return scalar_tensor(c, v, out);
}

bool lw_v_to_tensor(struct lw_dims *c, struct lw_value v, struct lw_tensor *out, lw_tri *ragged)
{
    *ragged = LW_TRI_NO;
    return nested_tensor(c, v, out, ragged, MAX_NESTING);
}

/* ---- Indexing ---------------------------------------------------------------------------- */

/* State of walking over the indices of x[i, j, …]. */
struct walk {
    struct lw_dims *c;
    struct lw_shape in, out;
    int64_t axis;    /* next axis of `in`, counted from the front */
    bool advanced;   /* an index array was seen */
    int advanced_at; /* where its dimensions go in `out` */
    bool apart;      /* another index stood between two index arrays: they go to the front */
    bool closed;     /* something else came after the first index array */
    struct lw_shape fancy; /* broadcast shape of the index arrays */
    lw_tri ok;
    bool lost; /* the rank of the result is not known */
    struct lw_buf *message;
};

/* "index", 3, "is out of range for", axis 0 of size 3 */
static void complain(struct walk *w, const char *what, lw_dim a, const char *how, int64_t axis,
                     lw_dim b)
{
    if (w->ok == LW_TRI_NO)
        return;
    w->ok = LW_TRI_NO;
    lw_buf_addf(w->message, "%s ", what);
    lw_dim_print(w->c, a, w->message);
    lw_buf_addf(w->message, " %s axis %lld of size ", how, (long long)axis);
    lw_dim_print(w->c, b, w->message);
}

static void complain_shapes(struct walk *w, const char *what, const struct lw_shape *a,
                            const struct lw_shape *b)
{
    if (w->ok == LW_TRI_NO)
        return;
    w->ok = LW_TRI_NO;
    lw_buf_addz(w->message, what);
    lw_shape_print(w->c, a, w->message);
    if (b) {
        lw_buf_addz(w->message, " and ");
        lw_shape_print(w->c, b, w->message);
    }
}

/* One end of a slice, clamped to 0..size as Python does. */
static lw_dim clamp_end(struct lw_dims *c, struct lw_value v, lw_dim size, lw_dim otherwise)
{
    int64_t least, most;
    lw_dim d;
    if (v.kind == LW_V_NONE || v.kind == LW_V_ABSENT)
        return otherwise;
    if (v.kind != LW_V_INT || !to_dim(v, &d) || !d)
        return LW_DIM_UNKNOWN;
    lw_dim_bounds(c, d, &least, &most);
    if (most < 0)
        return lw_dim_max(c, lw_dim_add(c, size, d), lw_dim_int(0));
    return least >= 0 ? lw_dim_min(c, d, size) : LW_DIM_UNKNOWN;
}

static lw_dim slice_size(struct lw_dims *c, struct lw_seq s, lw_dim size)
{
    struct lw_value absent = lw_v_absent();
    struct lw_value step = s.n > 2 ? s.items[2] : absent;
    int64_t by = 1;
    if (step.kind == LW_V_INT && !lw_dim_is_int(c, step.dim, &by))
        return LW_DIM_UNKNOWN;
    if (step.kind != LW_V_INT && step.kind != LW_V_NONE && step.kind != LW_V_ABSENT)
        return LW_DIM_UNKNOWN;
    struct lw_value start = s.n ? s.items[0] : absent, stop = s.n > 1 ? s.items[1] : absent;
    bool all = (start.kind == LW_V_NONE || start.kind == LW_V_ABSENT) &&
               (stop.kind == LW_V_NONE || stop.kind == LW_V_ABSENT);
    if (by == -1 && all)
        return size;
    if (by <= 0)
        return LW_DIM_UNKNOWN;
    lw_dim from = clamp_end(c, start, size, lw_dim_int(0)), to = clamp_end(c, stop, size, size);
    lw_dim n = lw_dim_sub(c, to, from);
    if (lw_dim_less_eq(c, from, to) != LW_TRI_YES)
        n = lw_dim_max(c, n, lw_dim_int(0));
    return by == 1 ? n : lw_dim_ceildiv(c, n, lw_dim_big(c, by));
}

static void index_int(struct walk *w, lw_dim d)
{
    int64_t i, size;
    lw_dim have = lw_shape_at(&w->in, w->axis);
    if (lw_dim_is_int(w->c, d, &i) && lw_dim_is_int(w->c, have, &size) &&
        (i >= size || i < -size))
        complain(w, "index", d, "is out of range for", w->axis, have);
    w->axis++;
}

/* An array of indices or a mask. */
static void index_array(struct walk *w, const struct lw_tensor *t)
{
    struct lw_shape s = t->shape;
    if (t->dtype == LW_BOOL) {
        if (s.gap >= 0) {
            w->lost = true;
            return;
        }
        for (int i = 0; i < s.n; i++) {
            lw_dim have = lw_shape_at(&w->in, w->axis + i);
            if (lw_dim_eq(w->c, have, s.d[i]) == LW_TRI_NO)
                complain(w, "a mask of size", s.d[i], "does not match", w->axis + i, have);
        }
        w->axis += s.n;
        s = lw_shape_of_rank(1);
        s.d[0] = LW_DIM_UNKNOWN;
    } else if (t->dtype & LW_BOOL) {
        w->lost = true; /* a mask takes as many axes as it has, indices take one */
        return;
    } else {
        w->axis++;
    }
    if (!w->advanced) {
        w->advanced_at = w->out.n;
        w->fancy = s;
        w->advanced = true;
        return;
    }
    w->apart |= w->closed;
    struct lw_shape both;
    if (lw_shape_broadcast(w->c, &w->fancy, &s, &both) == LW_TRI_NO)
        complain_shapes(w, "index arrays cannot be broadcast together: ", &w->fancy, &s);
    w->fancy = both;
}

static void index_one(struct walk *w, struct lw_value v, int64_t rest)
{
    struct lw_tensor t;
    lw_tri ragged;
    if (v.kind == LW_V_NONE) {
        lw_shape_push(&w->out, lw_dim_int(1));
        w->closed |= w->advanced;
        return;
    }
    if (v.kind == LW_V_ELLIPSIS) {
        if (w->in.gap >= 0) {
            w->lost = true;
            return;
        }
        for (int64_t end = w->in.n - rest; w->axis < end; w->axis++)
            lw_shape_push(&w->out, w->in.d[w->axis]);
        w->closed |= w->advanced;
        return;
    }
    bool mask = v.kind == LW_V_TENSOR && (v.tensor->dtype & LW_BOOL) &&
                (!lw_shape_has_rank(&v.tensor->shape) || v.tensor->shape.n == 0);
    if (mask || v.kind == LW_V_BOOL) { /* a truth value takes all or nothing, and no axis */
        w->lost = true;
        return;
    }
    if (lw_shape_has_axis(&w->in, w->axis) == LW_TRI_NO) {
        complain_shapes(w, "too many indices for shape ", &w->in, NULL);
        return;
    }
    if (v.kind == LW_V_SLICE) {
        lw_shape_push(&w->out, slice_size(w->c, v.seq, lw_shape_at(&w->in, w->axis++)));
        w->closed |= w->advanced;
    } else if (v.kind == LW_V_INT) {
        index_int(w, v.dim);
    } else if (v.kind == LW_V_TENSOR || v.kind == LW_V_LIST) {
        if (lw_v_to_tensor(w->c, v, &t, &ragged)) {
            bool scalar = t.shape.gap < 0 && t.shape.n == 0;
            if (scalar && !(t.dtype & LW_BOOL))
                w->axis++;
            else
                index_array(w, &t);
        } else {
            w->lost = true;
        }
    } else {
        w->lost = true;
    }
}

/* How many axes the indices after number `i` use. */
static int64_t axes_after(const struct lw_seq *s, uint32_t i)
{
    int64_t n = 0;
    while (++i < s->n) {
        const struct lw_value *v = &s->items[i];
        if (v->kind == LW_V_NONE)
            continue;
        n += v->kind == LW_V_TENSOR && v->tensor->dtype == LW_BOOL && v->tensor->shape.gap < 0
                 ? v->tensor->shape.n
                 : 1;
    }
    return n;
}

static void finish(struct walk *w)
{
    struct lw_shape rest = lw_shape_slice(&w->in, w->axis, INT64_MAX);
    w->out = lw_shape_concat(&w->out, &rest);
    if (!w->advanced)
        return;
    int at = w->apart ? 0 : w->advanced_at;
    struct lw_shape head = lw_shape_make(w->out.d, (size_t)at), tail = w->out;
    memmove(tail.d, tail.d + at, (size_t)(tail.n - at) * sizeof *tail.d);
    tail.n = (uint8_t)(tail.n - at);
    if (tail.gap >= 0)
        tail.gap = (int8_t)(tail.gap - at);
    head = lw_shape_concat(&head, &w->fancy);
    w->out = lw_shape_concat(&head, &tail);
}

lw_tri lw_tensor_index(struct lw_dims *c, const struct lw_tensor *x, struct lw_value index,
                       struct lw_tensor *out, struct lw_buf *message)
{
    struct walk w = {.c = c,
                     .in = x->shape,
                     .out = lw_shape_of_rank(0),
                     .ok = LW_TRI_YES,
                     .message = message};
    struct lw_seq all = {&index, 1, false, 0};
    if (index.kind == LW_V_TUPLE)
        all = index.seq;
    for (uint32_t i = 0; i < all.n && !w.lost && w.ok != LW_TRI_NO; i++)
        index_one(&w, all.items[i], axes_after(&all, i));
    *out = *x;
    out->variable = LW_TRI_NO;
    out->id = 0;
    if (all.open || w.lost || w.ok == LW_TRI_NO) {
        out->shape = lw_shape_unknown();
        return w.ok == LW_TRI_NO ? w.ok : LW_TRI_MAYBE;
    }
    finish(&w);
    out->shape = w.out;
    return x->shape.gap >= 0 ? LW_TRI_MAYBE : LW_TRI_YES;
}

/* ---- Printing ---------------------------------------------------------------------------- */

static void print_value(struct lw_dims *c, struct lw_value v, struct lw_buf *out, int depth);

static void print_items(struct lw_dims *c, struct lw_value v, struct lw_buf *out, int depth)
{
    bool tuple = v.kind == LW_V_TUPLE;
    lw_buf_add_char(out, tuple ? '(' : '[');
    for (uint32_t i = 0; i < v.seq.n && i < 8; i++) {
        lw_buf_addz(out, i ? ", " : "");
        print_value(c, v.seq.items[i], out, depth - 1);
    }
    if (v.seq.open || v.seq.n > 8)
        lw_buf_addz(out, v.seq.n ? ", ..." : "...");
    lw_buf_addz(out, tuple ? (v.seq.n == 1 && !v.seq.open ? ",)" : ")") : "]");
}

static void print_tensor(struct lw_dims *c, const struct lw_tensor *t, struct lw_buf *out)
{
    if (t->dtype != LW_DTYPE_UNKNOWN) {
        lw_dtypes_print(t->dtype, out);
        lw_buf_add_char(out, ' ');
    }
    lw_shape_print(c, &t->shape, out);
}

static void print_value(struct lw_dims *c, struct lw_value v, struct lw_buf *out, int depth)
{
    if (depth <= 0) {
        lw_buf_addz(out, "...");
        return;
    }
    switch (v.kind) {
    case LW_V_NONE: lw_buf_addz(out, "None"); break;
    case LW_V_BOOL:
        lw_buf_addz(out, v.tri == LW_TRI_YES ? "True" : v.tri == LW_TRI_NO ? "False" : "?");
        break;
    case LW_V_INT: lw_dim_print(c, v.dim, out); break;
    case LW_V_FLOAT: lw_iv_print(v.interval, out); break;
    case LW_V_STR:
        if (v.str.p)
            lw_buf_addf(out, "'%.*s'", LW_F(v.str));
        else
            lw_buf_addz(out, "a string");
        break;
    case LW_V_TUPLE:
    case LW_V_LIST: print_items(c, v, out, depth); break;
    case LW_V_TENSOR: print_tensor(c, v.tensor, out); break;
    case LW_V_SHAPE: lw_shape_print(c, v.shape, out); break;
    case LW_V_DTYPE: lw_dtypes_print(v.dtypes, out); break;
    case LW_V_DEVICE: lw_buf_addz(out, lw_device_name(v.device)); break;
    case LW_V_ELLIPSIS: lw_buf_addz(out, "..."); break;
    case LW_V_API: lw_buf_add(out, v.api->name); break;
    case LW_V_OBJECT: lw_buf_add(out, v.object->api->name); break;
    default: lw_buf_add_char(out, '?');
    }
}

void lw_v_print(struct lw_dims *c, struct lw_value v, struct lw_buf *out)
{
    print_value(c, v, out, 5);
}
