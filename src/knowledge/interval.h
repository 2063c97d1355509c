/*
 * interval - which values the elements of a tensor can take, aware of float32.
 *
 * [lo, hi] with open ends, "may be NaN", "whole numbers only", and - what a checker needs -
 * whether the interval was derived from known things (`known`) or is just the lack of
 * knowledge. The ends are rounded to the value's precision after every operation, so that 1 +
 * 1e-10 is 1 in float32 and exp(-200) is 0: an epsilon that is lost is lost here too. Infinite
 * ends are open: values are finite unless MAY_INF says otherwise.
 */
#ifndef LW_KNOWLEDGE_INTERVAL_H
#define LW_KNOWLEDGE_INTERVAL_H

#include "base/buf.h"
#include "knowledge/dtype.h"
#include "knowledge/tri.h"
#include "lacewing.h"

enum { /* flags */
       LW_IV_LO_OPEN = 1,
       LW_IV_HI_OPEN = 2,
       LW_IV_NAN = 4,    /* some element may be NaN */
       LW_IV_WHOLE = 8,  /* whole numbers only */
       LW_IV_KNOWN = 16, /* derived from known sources: its ends may be reached */
       LW_IV_INF = 32,   /* some element may be infinite (overflow, division by 0) */
       LW_IV_ZERO = 64   /* 0 is reached, though the ends may not be known: relu(x) * y */
};

/* Why an end is unbounded. */
enum lw_iv_why {
    LW_WHY_NONE,
    LW_WHY_WEIGHT,   /* a trained variable */
    LW_WHY_INPUT,    /* a placeholder or data read from outside */
    LW_WHY_NETWORK,  /* an output of a linear layer */
    LW_WHY_NORMAL,   /* drawn from an unbounded distribution */
    LW_WHY_OVERFLOW, /* an operation that can overflow */
    LW_WHY_COUNT
};

enum lw_precision { LW_PREC_WEAK, LW_PREC_16, LW_PREC_BF16, LW_PREC_32, LW_PREC_64 };

struct lw_interval {
    double lo, hi;
    uint8_t flags;
    uint8_t why;       /* enum lw_iv_why */
    uint8_t precision; /* enum lw_precision; WEAK for plain numbers */
    uint32_t line;     /* of the source named by `why`; 0 = none */
};

struct lw_interval lw_iv_unknown(void);                 /* nothing is known */
struct lw_interval lw_iv_number(double x);              /* a plain number */
struct lw_interval lw_iv_between(double lo, double hi); /* closed, known, float32 */
struct lw_interval lw_iv_unbounded(enum lw_iv_why why, uint32_t line);

/* As elements of type `dtypes`: precision set, ends rounded, whole for integers. */
struct lw_interval lw_iv_as(struct lw_interval a, lw_dtypes dtypes);

static inline bool lw_iv_is_number(struct lw_interval a)
{
    return a.lo == a.hi;
}

struct lw_interval lw_iv_join(struct lw_interval a, struct lw_interval b);
/* An end that moved since `old` becomes infinite, of unknown origin. */
struct lw_interval lw_iv_widen(struct lw_interval old, struct lw_interval now);
struct lw_interval lw_iv_meet(struct lw_interval a, struct lw_interval b);

struct lw_interval lw_iv_add(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_sub(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_mul(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_div(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_floordiv(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_mod(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_pow(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_neg(struct lw_interval a);
struct lw_interval lw_iv_min(struct lw_interval a, struct lw_interval b);
struct lw_interval lw_iv_max(struct lw_interval a, struct lw_interval b);
/* Sum of between `least` and `most` values of `a`. */
struct lw_interval lw_iv_sum(struct lw_interval a, double least, double most);

/* "exp", "log", "sigmoid", "tanh", "relu", "abs", "square", "sqrt", …; NULL when unknown. */
typedef struct lw_interval lw_iv_function(struct lw_interval a);
lw_iv_function *lw_iv_find(struct lw_str name);

/* Every value is > x (>= x, …): YES; NO only when the interval is known and a value breaks it;
 * MAYBE when the interval is not known. */
lw_tri lw_iv_above(struct lw_interval a, double x, bool or_equal);
lw_tri lw_iv_below(struct lw_interval a, double x, bool or_equal);
/* No value is x. */
lw_tri lw_iv_avoids(struct lw_interval a, double x);

/* For people, with rounded ends: "[0, 1]", "(0, inf)", "3". */
void lw_iv_print(struct lw_interval a, struct lw_buf *out);

#endif
