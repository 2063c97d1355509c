/*
 * shape - shapes of tensors: known dimensions, perhaps with a gap of unknown length.
 *
 * (B, 3, ...) has a gap after two dimensions; the wholly unknown shape is (...). Shapes are
 * plain values of fixed size; more than LW_SHAPE_MAX dimensions become unknown.
 *
 * Operations give a result and a verdict: LW_TRI_YES the operation is fine, LW_TRI_NO it is
 * certainly wrong (the result is then the best guess, for going on), LW_TRI_MAYBE cannot tell.
 */
#ifndef LW_KNOWLEDGE_SHAPE_H
#define LW_KNOWLEDGE_SHAPE_H

#include "knowledge/dim.h"

enum { LW_SHAPE_MAX = 8 };

struct lw_shape {
    uint8_t n;  /* dimensions that are written down */
    int8_t gap; /* unknown dimensions stand before d[gap] (gap == n: at the end); -1: none */
    lw_dim d[LW_SHAPE_MAX];
};

struct lw_shape lw_shape_unknown(void);
/* `n` dimensions, all unknown. */
struct lw_shape lw_shape_of_rank(size_t n);
/* `n` above LW_SHAPE_MAX gives the unknown shape. */
struct lw_shape lw_shape_make(const lw_dim *dims, size_t n);

static inline bool lw_shape_has_rank(const struct lw_shape *s)
{
    return s->gap < 0;
}

/* Dimension `axis`, negative from the end; unknown where it lies in or behind the gap. */
lw_dim lw_shape_at(const struct lw_shape *s, int64_t axis);
/* -rank <= axis < rank. */
lw_tri lw_shape_has_axis(const struct lw_shape *s, int64_t axis);
/* Appends; a full shape becomes unknown. */
void lw_shape_push(struct lw_shape *s, lw_dim d);
/* b behind a. */
struct lw_shape lw_shape_concat(const struct lw_shape *a, const struct lw_shape *b);
/* Python's s[from:to] for a known rank or where the gap allows; else unknown. */
struct lw_shape lw_shape_slice(const struct lw_shape *s, int64_t from, int64_t to);
/* Without dimension `axis`, or with `d` put at `axis` (axis counted in the result). */
struct lw_shape lw_shape_drop(const struct lw_shape *s, int64_t axis);
struct lw_shape lw_shape_insert(const struct lw_shape *s, int64_t axis, lw_dim d);
struct lw_shape lw_shape_set(const struct lw_shape *s, int64_t axis, lw_dim d);

/* Product of all dimensions; unknown with a gap. */
lw_dim lw_shape_count(struct lw_dims *c, const struct lw_shape *s);
lw_tri lw_shape_eq(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b);
/* Equal shapes could be meant: ranks fit and no dimension is known to differ. */
struct lw_shape lw_shape_join(struct lw_dims *c, const struct lw_shape *a,
                              const struct lw_shape *b);

/* numpy's broadcasting. */
lw_tri lw_shape_broadcast(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                          struct lw_shape *out);
/* `from` can be broadcast to exactly `to`. */
lw_tri lw_shape_expands(struct lw_dims *c, const struct lw_shape *from,
                        const struct lw_shape *to);
/* a @ b; NO when a rank is 0 or the inner sizes differ. */
lw_tri lw_shape_matmul(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                       struct lw_shape *out);
/* The elements of `from` as shape `want`, in which -1 (at most one) is found out. */
lw_tri lw_shape_reshape(struct lw_dims *c, const struct lw_shape *from,
                        const struct lw_shape *want, struct lw_shape *out);
/* `a` and `b` joined along `axis`; chain it over many. */
lw_tri lw_shape_cat(struct lw_dims *c, const struct lw_shape *a, const struct lw_shape *b,
                    int64_t axis, struct lw_shape *out);
/* Axes (in any order, negative allowed) removed, or kept as 1. NO: out of range or twice. */
lw_tri lw_shape_reduce(const struct lw_shape *s, const int64_t *axes, size_t n, bool keep,
                       struct lw_shape *out);
lw_tri lw_shape_permute(const struct lw_shape *s, const int64_t *axes, size_t n,
                        struct lw_shape *out);

/* einsum: `shapes` of `n` operands; on NO `*letter` is the letter with two sizes (or 0 where
 * the number of letters or operands does not fit). */
lw_tri lw_shape_einsum(struct lw_dims *c, struct lw_str equation, const struct lw_shape *shapes,
                       size_t n, struct lw_shape *out, char *letter);

/* "(32, 10)", "(B, ..., 768)", "()". */
void lw_shape_print(struct lw_dims *c, const struct lw_shape *s, struct lw_buf *out);

#endif
