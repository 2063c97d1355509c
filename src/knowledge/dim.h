/*
 * dim - symbolic dimensions: integers, named symbols, and arithmetic over them.
 *
 * A `lw_dim` is a 32-bit handle. 0 is "unknown" (every unknown stands for itself: two of them
 * are never known to be equal). Small integers are encoded in the handle itself, so lw_dim_int
 * needs no table. All else is a polynomial with integer coefficients over atoms (symbols, floor
 * divisions, minima, maxima), kept in canonical form and shared: equal polynomials have equal
 * handles. `a % b` is a - b * (a // b).
 *
 * Facts: a symbol has bounds (a dimension is >= 0, a batch >= 1), and `assume` records that two
 * dimensions are equal by binding a symbol. Facts made after lw_dims_mark are undone by
 * lw_dims_rewind (branches of a program).
 *
 * Failure sticks: where memory runs out or an expression grows beyond the limits, the result is
 * "unknown", which is always sound; `failed` in lw_dims tells of memory. One thread at a time.
 */
#ifndef LW_KNOWLEDGE_DIM_H
#define LW_KNOWLEDGE_DIM_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "knowledge/tri.h"
#include "lacewing.h"

typedef uint32_t lw_dim;

#define LW_DIM_UNKNOWN ((lw_dim)0)
#define LW_DIM_LITERAL ((lw_dim)0x80000000u)
#define LW_DIM_BIAS    0x40000000

enum { LW_DIM_MAX_TERMS = 40, LW_DIM_MAX_WEIGHT = 120 };
#define LW_DIM_LEAST INT64_MIN /* "no bound below" and "no bound above" of a symbol */
#define LW_DIM_MOST  INT64_MAX

struct lw_dim_term {
    int64_t coef;
    uint32_t mono; /* 0 is the constant 1 */
};

struct lw_dim_table { /* hash to index + 1; see dim.c */
    uint32_t *slots;
    size_t room, n;
};

enum lw_dim_atom_kind { LW_DIM_SYMBOL, LW_DIM_DIV, LW_DIM_MIN, LW_DIM_MAX };

struct lw_dim_atom {
    enum lw_dim_atom_kind kind;
    lw_dim a, b;        /* operands of DIV, MIN, MAX */
    struct lw_str name; /* SYMBOL; borrowed */
    int64_t least, most;
    lw_dim bound;    /* SYMBOL: what it is known to equal, or unknown */
    uint32_t weight; /* atoms in it, with repetition: bounds the work of every walk */
};

struct lw_dim_span {
    uint32_t first, n;
};

struct lw_dim_factor {
    uint32_t atom, power;
};

struct lw_dim_undo {
    uint32_t atom;
    int64_t least, most;
    lw_dim bound;
};

struct lw_dims {
    struct lw_mem *mem; /* borrowed */
    LW_VEC(struct lw_dim_atom) atoms;
    LW_VEC(struct lw_dim_span) monos; /* into factors */
    LW_VEC(struct lw_dim_factor) factors;
    LW_VEC(struct lw_dim_span) polys; /* into terms */
    LW_VEC(struct lw_dim_term) terms;
    LW_VEC(struct lw_dim_undo) undo;
    struct lw_dim_table atom_table, mono_table, poly_table;
    uint32_t bindings; /* symbols that are bound now */
    int failed;        /* 0 or LW_ENOMEM, sticky */
};

void lw_dims_init(struct lw_dims *c, struct lw_mem *mem);
void lw_dims_release(struct lw_dims *c);

/* An integer; beyond 30 bits it needs lw_dim_big. */
static inline lw_dim lw_dim_int(int32_t v)
{
    return LW_DIM_LITERAL | (uint32_t)(v + LW_DIM_BIAS);
}

static inline bool lw_dim_is_literal(lw_dim a)
{
    return (a & LW_DIM_LITERAL) != 0;
}

/* Any integer. */
lw_dim lw_dim_big(struct lw_dims *c, int64_t v);

/* A new symbol, different from all others even of the same name. `name` is borrowed for the
 * life of `c`. A dimension has least 0, a batch 1; LW_DIM_LEAST/LW_DIM_MOST for no bound. */
lw_dim lw_dim_symbol(struct lw_dims *c, struct lw_str name, int64_t least, int64_t most);

/* True when `a` is a known integer (after facts). */
bool lw_dim_is_int(struct lw_dims *c, lw_dim a, int64_t *out);

lw_dim lw_dim_add(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_sub(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_mul(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_neg(struct lw_dims *c, lw_dim a);
lw_dim lw_dim_floordiv(struct lw_dims *c, lw_dim a, lw_dim b); /* by 0: unknown */
lw_dim lw_dim_ceildiv(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_mod(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_min(struct lw_dims *c, lw_dim a, lw_dim b);
lw_dim lw_dim_max(struct lw_dims *c, lw_dim a, lw_dim b);

/* a / b when it is known to divide without rest, else unknown. */
lw_dim lw_dim_divide_exactly(struct lw_dims *c, lw_dim a, lw_dim b);

/* For every value of the symbols within their bounds, or for none, or it depends. */
lw_tri lw_dim_eq(struct lw_dims *c, lw_dim a, lw_dim b);
lw_tri lw_dim_less(struct lw_dims *c, lw_dim a, lw_dim b);
lw_tri lw_dim_less_eq(struct lw_dims *c, lw_dim a, lw_dim b);
/* `a` is a multiple of the integer `b` > 0. */
lw_tri lw_dim_divisible(struct lw_dims *c, lw_dim a, lw_dim b);

/* Bounds of the values; LW_DIM_LEAST/LW_DIM_MOST where there is none. */
void lw_dim_bounds(struct lw_dims *c, lw_dim a, int64_t *least, int64_t *most);

/* With all facts applied: what the handle stands for now. */
lw_dim lw_dim_resolve(struct lw_dims *c, lw_dim a);

/* Records a == b. NO: they are known to differ (nothing recorded); YES: they were equal or a
 * symbol was bound; MAYBE: could not be recorded. */
lw_tri lw_dim_assume_eq(struct lw_dims *c, lw_dim a, lw_dim b);
/* Records a >= k, where `a` is a symbol plus a constant. */
void lw_dim_assume_least(struct lw_dims *c, lw_dim a, int64_t k);

/* Undo point of the facts. */
size_t lw_dims_mark(const struct lw_dims *c);
void lw_dims_rewind(struct lw_dims *c, size_t mark);

/* One of two ways was taken: the common value, or unknown. */
lw_dim lw_dim_join(struct lw_dims *c, lw_dim a, lw_dim b);

/* "32", "B", "2*n + 1", "(h - 3)//2 + 1", "?". */
void lw_dim_print(struct lw_dims *c, lw_dim a, struct lw_buf *out);

/* The value when symbol number i (in order of creation) has value values[i]; false when it is
 * unknown, overflows or divides by zero. For tests. */
bool lw_dim_eval(struct lw_dims *c, lw_dim a, const int64_t *values, int64_t *out);

#endif
