#include "knowledge/shape.h"

#include <string.h>

#include "base/str.h"

struct lw_shape lw_shape_unknown(void)
{
    return (struct lw_shape){.n = 0, .gap = 0};
}

struct lw_shape lw_shape_of_rank(size_t n)
{
    struct lw_shape s = {.n = (uint8_t)n, .gap = -1};
    return n > LW_SHAPE_MAX ? lw_shape_unknown() : s;
}

struct lw_shape lw_shape_make(const lw_dim *dims, size_t n)
{
    struct lw_shape s = lw_shape_of_rank(n);
    if (lw_shape_has_rank(&s) && n)
        memcpy(s.d, dims, n * sizeof *dims);
    return s;
}

/* The place of `axis` among the written dimensions, or -1. */
static int place(const struct lw_shape *s, int64_t axis)
{
    int64_t before = s->gap < 0 ? s->n : s->gap;
    int64_t after = s->gap < 0 ? s->n : s->n - s->gap;
    if (axis >= 0)
        return axis < before ? (int)axis : -1;
    return -axis <= after ? (int)(s->n + axis) : -1;
}

lw_dim lw_shape_at(const struct lw_shape *s, int64_t axis)
{
    int at = place(s, axis);
    return at < 0 ? LW_DIM_UNKNOWN : s->d[at];
}

lw_tri lw_shape_has_axis(const struct lw_shape *s, int64_t axis)
{
    if (axis >= 0 ? axis < s->n : axis >= -(int64_t)s->n)
        return LW_TRI_YES;
    return s->gap < 0 ? LW_TRI_NO : LW_TRI_MAYBE;
}

void lw_shape_push(struct lw_shape *s, lw_dim d)
{
    if (s->n < LW_SHAPE_MAX)
        s->d[s->n++] = d;
    else if (s->gap < 0)
        s->gap = (int8_t)s->n; /* keep the head, lose the tail */
}

struct lw_shape lw_shape_concat(const struct lw_shape *a, const struct lw_shape *b)
{
    struct lw_shape r = *a;
    if (b->gap >= 0) { /* two gaps: what lies between them is lost */
        int from = a->gap < 0 ? 0 : b->gap;
        r.gap = a->gap < 0 ? (int8_t)(a->n + b->gap) : a->gap;
        if (a->gap >= 0)
            r.n = (uint8_t)a->gap;
        for (int i = from; i < b->n; i++)
            lw_shape_push(&r, b->d[i]);
        return r.gap > LW_SHAPE_MAX ? lw_shape_unknown() : r;
    }
    for (int i = 0; i < b->n; i++)
        lw_shape_push(&r, b->d[i]);
    return r;
}

static struct lw_shape slice_known(const struct lw_shape *s, int64_t from, int64_t to)
{
    int64_t n = s->n;
    from = from < 0 ? from + n : from;
    to = to < 0 ? to + n : to;
    from = from < 0 ? 0 : from > n ? n : from;
    to = to > n ? n : to;
    return lw_shape_make(s->d + from, to > from ? (size_t)(to - from) : 0);
}

struct lw_shape lw_shape_slice(const struct lw_shape *s, int64_t from, int64_t to)
{
    if (s->gap < 0)
        return slice_known(s, from, to);
    int64_t after = s->n - s->gap;
    struct lw_shape r = *s;
    if (from >= 0 && to > 0 && to != INT64_MAX) { /* in the head */
        if (to <= s->gap)
            return lw_shape_make(s->d + from, to > from ? (size_t)(to - from) : 0);
        return lw_shape_unknown();
    }
    if (from < 0 && -from <= after && (to == INT64_MAX || to < 0)) { /* in the tail */
        int64_t end = to == INT64_MAX ? s->n : s->n + to;
        int64_t n = end - (s->n + from);
        return lw_shape_make(s->d + s->n + from, n > 0 ? (size_t)n : 0);
    }
    if (from < 0 || from > s->gap || (to != INT64_MAX && -to > after))
        return lw_shape_unknown();
    if (to != INT64_MAX)
        r.n = (uint8_t)(r.n + to);
    memmove(r.d, r.d + from, (size_t)(r.n - from) * sizeof *r.d);
    r.n = (uint8_t)(r.n - from);
    r.gap = (int8_t)(r.gap - from);
    return r;
}

struct lw_shape lw_shape_drop(const struct lw_shape *s, int64_t axis)
{
    struct lw_shape r = *s;
    int at = place(s, axis);
    if (at < 0)
        return lw_shape_unknown();
    memmove(r.d + at, r.d + at + 1, (size_t)(r.n - at - 1) * sizeof *r.d);
    r.n--;
    if (r.gap > at)
        r.gap--;
    return r;
}

struct lw_shape lw_shape_insert(const struct lw_shape *s, int64_t axis, lw_dim d)
{
    struct lw_shape r = *s;
    int64_t before = s->gap < 0 ? s->n : s->gap;
    int64_t after = s->gap < 0 ? s->n : s->n - s->gap;
    if (s->n >= LW_SHAPE_MAX || (axis >= 0 && axis > before) || (axis < 0 && -axis - 1 > after))
        return lw_shape_unknown();
    int at = axis >= 0 ? (int)axis : (int)(s->n + axis + 1);
    memmove(r.d + at + 1, r.d + at, (size_t)(r.n - at) * sizeof *r.d);
    r.d[at] = d;
    r.n++;
    if (r.gap > at || (r.gap == at && axis >= 0))
        r.gap++;
    return r;
}

struct lw_shape lw_shape_set(const struct lw_shape *s, int64_t axis, lw_dim d)
{
    struct lw_shape r = *s;
    int at = place(s, axis);
    if (at >= 0)
        r.d[at] = d;
    else if (s->gap >= 0) { /* any of those on the other side of the gap may be the one */
        int from = axis >= 0 ? s->gap : 0, to = axis >= 0 ? s->n : s->gap;
        for (int i = from; i < to; i++)
            r.d[i] = LW_DIM_UNKNOWN;
    }
    return r;
}

lw_dim lw_shape_count(struct lw_dims *c, const struct lw_shape *s)
{
    lw_dim product = lw_dim_int(1);
    if (s->gap >= 0)
        return LW_DIM_UNKNOWN;
    for (int i = 0; i < s->n; i++)
        product = lw_dim_mul(c, product, s->d[i]);
    return product;
}

lw_tri lw_shape_eq(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b)
{
    lw_tri all = LW_TRI_YES;
    if (a->gap < 0 && b->gap < 0) {
        if (a->n != b->n)
            return LW_TRI_NO;
        for (int i = 0; i < a->n; i++)
            all = lw_tri_and(all, lw_dim_eq(c, a->d[i], b->d[i]));
        return all;
    }
    if ((a->gap < 0 && a->n < b->n) || (b->gap < 0 && b->n < a->n))
        return LW_TRI_NO;
    for (int i = 0; i < LW_SHAPE_MAX; i++) { /* the common head and tail */
        all = lw_tri_and(all, lw_dim_eq(c, lw_shape_at(a, i), lw_shape_at(b, i)));
        all = lw_tri_and(all, lw_dim_eq(c, lw_shape_at(a, -1 - i), lw_shape_at(b, -1 - i)));
    }
    return all == LW_TRI_NO ? all : LW_TRI_MAYBE;
}

struct lw_shape lw_shape_join(struct lw_dims *c, const struct lw_shape *a,
                              const struct lw_shape *b)
{
    struct lw_shape r = *a;
    if (a->gap == b->gap && a->n == b->n) {
        for (int i = 0; i < a->n; i++)
            r.d[i] = lw_dim_join(c, a->d[i], b->d[i]);
        return r;
    }
    /* Different ranks: what agrees at the head and at the tail stays. */
    int shorter = a->n < b->n ? a->n : b->n, head = 0, tail = 0;
    while (head < shorter && lw_shape_at(a, head) &&
           lw_dim_join(c, lw_shape_at(a, head), lw_shape_at(b, head)))
        head++;
    while (head + tail < shorter && lw_shape_at(a, -1 - tail) &&
           lw_dim_join(c, lw_shape_at(a, -1 - tail), lw_shape_at(b, -1 - tail)))
        tail++;
    r.n = (uint8_t)(head + tail);
    r.gap = (int8_t)head;
    for (int i = 0; i < tail; i++)
        r.d[head + i] = lw_shape_at(a, i - tail);
    return r;
}

/* ---- Broadcasting --------------------------------------------------------------------------
 */

static lw_tri broadcast_dim(struct lw_dims *c, lw_dim a, lw_dim b, lw_dim *out)
{
    lw_tri same = lw_dim_eq(c, a, b);
    if (same == LW_TRI_YES) {
        *out = a;
        return LW_TRI_YES;
    }
    lw_dim one = lw_dim_int(1);
    lw_tri a1 = lw_dim_eq(c, a, one), b1 = lw_dim_eq(c, b, one);
    if (a1 == LW_TRI_YES || b1 == LW_TRI_YES) {
        *out = a1 == LW_TRI_YES ? b : a;
        return LW_TRI_YES;
    }
    /* One is certainly not 1: where the operation works the result has that size. */
    *out = a1 == LW_TRI_NO ? a : b1 == LW_TRI_NO ? b : LW_DIM_UNKNOWN;
    if (a1 == LW_TRI_NO && b1 == LW_TRI_NO) {
        if (!lw_dim_is_literal(a) && lw_dim_is_literal(b))
            *out = b;
        return same;
    }
    return LW_TRI_MAYBE;
}

lw_tri lw_shape_broadcast(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                          struct lw_shape *out)
{
    lw_tri ok = LW_TRI_YES;
    bool gap = a->gap >= 0 || b->gap >= 0;
    int known_a = a->gap < 0 ? LW_SHAPE_MAX : a->n - a->gap;
    int known_b = b->gap < 0 ? LW_SHAPE_MAX : b->n - b->gap;
    int n = gap ? (known_a < known_b ? known_a : known_b) : (a->n > b->n ? a->n : b->n);
    if (gap && n > (a->n > b->n ? a->n : b->n))
        n = a->n > b->n ? a->n : b->n;
    *out = lw_shape_of_rank((size_t)n);
    out->gap = gap ? 0 : -1;
    for (int i = 1; i <= n; i++) {
        bool in_a = a->gap >= 0 ? i <= known_a : i <= a->n;
        bool in_b = b->gap >= 0 ? i <= known_b : i <= b->n;
        lw_dim d = in_a ? lw_shape_at(a, -i) : lw_shape_at(b, -i);
        if (in_a && in_b)
            ok = lw_tri_and(ok, broadcast_dim(c, lw_shape_at(a, -i), lw_shape_at(b, -i), &d));
        out->d[n - i] = d;
    }
    return gap && ok == LW_TRI_YES ? LW_TRI_MAYBE : ok;
}

lw_tri lw_shape_expands(struct lw_dims *c, const struct lw_shape *from,
                        const struct lw_shape *to)
{
    lw_tri ok = LW_TRI_YES;
    if (to->gap >= 0 || from->gap >= 0)
        return LW_TRI_MAYBE;
    if (from->n > to->n)
        return LW_TRI_NO;
    for (int i = 1; i <= from->n; i++) {
        lw_tri same = lw_dim_eq(c, lw_shape_at(from, -i), lw_shape_at(to, -i));
        lw_tri one = lw_dim_eq(c, lw_shape_at(from, -i), lw_dim_int(1));
        ok = lw_tri_and(ok, lw_tri_or(same, one));
    }
    return ok;
}

lw_tri lw_shape_matmul(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                       struct lw_shape *out)
{
    *out = lw_shape_unknown();
    if ((a->gap < 0 && a->n == 0) || (b->gap < 0 && b->n == 0))
        return LW_TRI_NO;
    /* Not known whether the right side is a vector: nothing can be said. */
    if ((b->gap >= 0 && b->n < 2) || (a->gap >= 0 && a->n < 2 && b->gap >= 0))
        return LW_TRI_MAYBE;
    bool row = a->gap < 0 && a->n == 1, column = b->gap < 0 && b->n == 1;
    lw_dim inner_a = lw_shape_at(a, -1), inner_b = lw_shape_at(b, column ? -1 : -2);
    lw_tri ok = lw_dim_eq(c, inner_a, inner_b);
    struct lw_shape head_a = row ? lw_shape_of_rank(0) : lw_shape_slice(a, 0, -2);
    struct lw_shape head_b = column ? lw_shape_of_rank(0) : lw_shape_slice(b, 0, -2);
    lw_tri heads = lw_shape_broadcast(c, &head_a, &head_b, out);
    if (!row && (a->gap < 0 || a->n >= 2))
        lw_shape_push(out, lw_shape_at(a, -2));
    if (!column)
        lw_shape_push(out, lw_shape_at(b, -1));
    return lw_tri_and(ok, heads);
}

/* ---- Reshape -------------------------------------------------------------------------------
 */

/* Takes factors that both sides have away, so that unknown dimensions on both sides cancel. */
static void cancel(struct lw_dims *c, struct lw_shape *a, struct lw_shape *b)
{
    for (int i = 0; i < a->n; i++) {
        for (int k = 0; k < b->n; k++) {
            if (a->d[i] && a->d[i] != lw_dim_int(0) &&
                lw_dim_eq(c, a->d[i], b->d[k]) == LW_TRI_YES) {
                *a = lw_shape_drop(a, i--);
                *b = lw_shape_drop(b, k);
                break;
            }
        }
    }
}

lw_tri lw_shape_reshape(struct lw_dims *c, const struct lw_shape *from,
                        const struct lw_shape *want, struct lw_shape *out)
{
    int hole = -1;
    *out = *want;
    if (want->gap >= 0)
        return LW_TRI_MAYBE;
    for (int i = 0; i < want->n; i++) {
        int64_t v;
        if (!lw_dim_is_int(c, want->d[i], &v) || v >= 0)
            continue;
        if (v < -1 || hole >= 0)
            return LW_TRI_NO;
        hole = i;
        out->d[i] = LW_DIM_UNKNOWN;
    }
    if (from->gap >= 0)
        return LW_TRI_MAYBE;
    struct lw_shape rest = *from, others = *want;
    if (hole >= 0)
        others = lw_shape_drop(&others, hole);
    cancel(c, &rest, &others);
    lw_dim have = lw_shape_count(c, &rest), need = lw_shape_count(c, &others);
    if (hole < 0)
        return lw_dim_eq(c, have, need);
    lw_dim size = lw_dim_divide_exactly(c, have, need);
    out->d[hole] = size;
    if (size)
        return LW_TRI_YES;
    int64_t divisor;
    if (lw_dim_is_int(c, need, &divisor) && divisor == 0)
        return LW_TRI_NO;
    out->d[hole] = lw_dim_floordiv(c, have, need);
    return lw_dim_divisible(c, have, need) == LW_TRI_NO ? LW_TRI_NO : LW_TRI_MAYBE;
}

lw_tri lw_shape_cat(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                    int64_t axis, struct lw_shape *out)
{
    lw_tri ok = LW_TRI_YES;
    *out = *a;
    if (a->gap >= 0 || b->gap >= 0) {
        *out = lw_shape_unknown();
        return LW_TRI_MAYBE;
    }
    if (a->n != b->n || lw_shape_has_axis(a, axis) != LW_TRI_YES)
        return LW_TRI_NO;
    int at = (int)(axis < 0 ? axis + a->n : axis);
    for (int i = 0; i < a->n; i++) {
        if (i == at) {
            out->d[i] = lw_dim_add(c, a->d[i], b->d[i]);
            continue;
        }
        ok = lw_tri_and(ok, lw_dim_eq(c, a->d[i], b->d[i]));
        if (!lw_dim_is_literal(a->d[i]) && lw_dim_is_literal(b->d[i]))
            out->d[i] = b->d[i];
    }
    return ok;
}

/* Marks the places of `axes`; NO when one is out of range or twice. */
static lw_tri mark_axes(const struct lw_shape *s, const int64_t *axes, size_t n, bool *marked)
{
    for (size_t i = 0; i < n; i++) {
        if (lw_shape_has_axis(s, axes[i]) == LW_TRI_NO)
            return LW_TRI_NO;
        int at = place(s, axes[i]);
        if (at < 0)
            return LW_TRI_MAYBE;
        if (marked[at])
            return LW_TRI_NO;
        marked[at] = true;
    }
    return LW_TRI_YES;
}

lw_tri lw_shape_reduce(const struct lw_shape *s, const int64_t *axes, size_t n, bool keep,
                       struct lw_shape *out)
{
    bool marked[LW_SHAPE_MAX] = {false};
    lw_tri ok = mark_axes(s, axes, n, marked);
    *out = lw_shape_unknown();
    if (ok == LW_TRI_NO && s->gap < 0 && n <= s->n) /* a guess to go on with */
        *out = keep ? lw_shape_of_rank(s->n) : lw_shape_of_rank(s->n - n);
    if (ok != LW_TRI_YES)
        return ok;
    *out = (struct lw_shape){.n = 0, .gap = s->gap};
    for (int i = 0; i < s->n; i++) {
        if (s->gap == i)
            out->gap = (int8_t)out->n;
        if (!marked[i] || keep)
            lw_shape_push(out, marked[i] ? lw_dim_int(1) : s->d[i]);
    }
    if (s->gap == s->n)
        out->gap = (int8_t)out->n;
    return LW_TRI_YES;
}

lw_tri lw_shape_permute(const struct lw_shape *s, const int64_t *axes, size_t n,
                        struct lw_shape *out)
{
    bool marked[LW_SHAPE_MAX] = {false};
    *out = lw_shape_of_rank(n);
    if (s->gap >= 0)
        return LW_TRI_MAYBE;
    if (s->n != n || mark_axes(s, axes, n, marked) != LW_TRI_YES)
        return LW_TRI_NO;
    for (size_t i = 0; i < n; i++)
        out->d[i] = lw_shape_at(s, axes[i]);
    return LW_TRI_YES;
}

/* ---- einsum --------------------------------------------------------------------------------
 */

struct einsum {
    lw_dim size[256];
    bool seen[256];
    uint8_t count[256];
    lw_tri ok;
    char letter;
};

/* One operand's letters against its shape; no ellipsis here. */
static void read_operand(struct lw_dims *c, struct einsum *e, struct lw_str letters,
                         const struct lw_shape *s)
{
    size_t n = 0;
    for (size_t i = 0; i < letters.n; i++)
        n += letters.p[i] != ' ';
    if (s->gap < 0 && n != s->n)
        e->ok = LW_TRI_NO;
    int64_t axis = 0;
    for (size_t i = 0; i < letters.n; i++) {
        unsigned char l = (unsigned char)letters.p[i];
        if (l == ' ')
            continue;
        lw_dim d = lw_shape_at(s, axis++);
        if (e->seen[l]) {
            lw_tri same = lw_dim_eq(c, e->size[l], d), one = LW_TRI_NO;
            if (same == LW_TRI_NO) /* torch broadcasts a 1 here */
                one = lw_tri_or(lw_dim_eq(c, d, lw_dim_int(1)),
                                lw_dim_eq(c, e->size[l], lw_dim_int(1)));
            if (same == LW_TRI_NO && one == LW_TRI_NO && e->ok != LW_TRI_NO) {
                e->ok = LW_TRI_NO;
                e->letter = (char)l;
            } else {
                e->ok = lw_tri_and(e->ok, lw_tri_or(same, one));
            }
        }
        if (!e->seen[l] || (!lw_dim_is_literal(e->size[l]) && lw_dim_is_literal(d)))
            e->size[l] = d;
        e->seen[l] = true;
        e->count[l] = (uint8_t)(e->count[l] + (e->count[l] < 2));
    }
}

static void write_result(const struct einsum *e, struct lw_str letters, bool implicit,
                         struct lw_shape *out)
{
    *out = lw_shape_of_rank(0);
    if (implicit) { /* letters that occur once, in alphabetical order */
        for (int l = 'A'; l <= 'z'; l++)
            if (e->seen[l] && e->count[l] == 1)
                lw_shape_push(out, e->size[l]);
        return;
    }
    for (size_t i = 0; i < letters.n; i++)
        if (letters.p[i] != ' ')
            lw_shape_push(out, e->size[(unsigned char)letters.p[i]]);
}

lw_tri lw_shape_einsum(struct lw_dims *c, struct lw_str equation, const struct lw_shape *shapes,
                       size_t n, struct lw_shape *out, char *letter)
{
    struct einsum e = {.ok = LW_TRI_YES};
    *letter = 0;
    *out = lw_shape_unknown();
    if (lw_str_find(equation, LW_S("...")) != LW_NPOS)
        return LW_TRI_MAYBE;
    ptrdiff_t arrow = lw_str_find(equation, LW_S("->"));
    struct lw_str left = arrow < 0 ? equation : lw_str_part(equation, 0, (size_t)arrow);
    struct lw_str right = arrow < 0 ? LW_S("") : lw_str_from(equation, (size_t)arrow + 2);
    struct lw_str operand;
    size_t i = 0;
    while (lw_str_split(&left, ',', &operand)) {
        if (i >= n)
            return LW_TRI_NO;
        read_operand(c, &e, operand, &shapes[i++]);
    }
    if (i != n)
        return LW_TRI_NO;
    for (size_t k = 0; k < right.n; k++)
        if (right.p[k] != ' ' && !e.seen[(unsigned char)right.p[k]])
            return LW_TRI_NO;
    write_result(&e, right, arrow < 0, out);
    *letter = e.letter;
    return e.ok;
}

void lw_shape_print(struct lw_dims *c, const struct lw_shape *s, struct lw_buf *out)
{
    lw_buf_add_char(out, '(');
    for (int i = 0; i <= s->n; i++) {
        bool gap_here = s->gap == i;
        if (i && (gap_here || i < s->n))
            lw_buf_addz(out, ", ");
        if (gap_here)
            lw_buf_addz(out, i < s->n ? "..., " : "...");
        if (i < s->n)
            lw_dim_print(c, s->d[i], out);
    }
    lw_buf_addz(out, s->n == 1 && s->gap < 0 ? ",)" : ")");
}
