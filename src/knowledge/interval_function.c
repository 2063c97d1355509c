/* Functions of one interval, by the names that the API tables use. */
#include "knowledge/interval_internal.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

static double sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

static double elu(double x)
{
    return x > 0 ? x : expm1(x);
}

static double selu(double x)
{
    return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * expm1(x));
}

static double softsign(double x)
{
    return isinf(x) ? copysign(1, x) : x / (1 + fabs(x));
}

static double log_sigmoid(double x)
{
    return -softplus(-x);
}

static double hard_sigmoid(double x)
{
    return fmin(1, fmax(0, x / 6 + 0.5));
}

static double relu6(double x)
{
    return fmin(6, fmax(0, x));
}

static double hardtanh(double x)
{
    return fmin(1, fmax(-1, x));
}

static double cube_root(double x)
{
    return cbrt(x);
}

static double safe_log(double x)
{
    return x <= 0 ? -INFINITY : log(x);
}

static double safe_log2(double x)
{
    return x <= 0 ? -INFINITY : log2(x);
}

static double safe_log10(double x)
{
    return x <= 0 ? -INFINITY : log10(x);
}

static double safe_log1p(double x)
{
    return x <= -1 ? -INFINITY : log1p(x);
}

static double safe_sqrt(double x)
{
    return x <= 0 ? 0 : sqrt(x);
}

static double safe_rsqrt(double x)
{
    return x <= 0 ? INFINITY : isinf(x) ? 0 : 1 / sqrt(x);
}

#define RISING(name, f)                                       \
    static struct lw_interval iv_##name(struct lw_interval a) \
    {                                                         \
        return iv_monotone(a, f, false);                      \
    }
RISING(exp, exp)
RISING(exp2, exp2)
RISING(expm1, expm1)
RISING(tanh, tanh)
RISING(sinh, sinh)
RISING(atan, atan)
RISING(erf, erf)
RISING(softplus, softplus)
RISING(elu, elu)
RISING(selu, selu)
RISING(softsign, softsign)
RISING(log_sigmoid, log_sigmoid)
RISING(hard_sigmoid, hard_sigmoid)
RISING(hardtanh, hardtanh)
RISING(asinh, asinh)
RISING(cbrt, cube_root)
#undef RISING

/* What goes in may be anything, as logits are: the ends are reached as soon as they are large.
 */
static struct lw_interval saturated(struct lw_interval a, struct lw_interval r)
{
    if (a.lo == -INFINITY && a.hi == INFINITY)
        r.flags |= LW_IV_KNOWN;
    return r;
}

static struct lw_interval iv_sigmoid(struct lw_interval a)
{
    return saturated(a, iv_monotone(a, sigmoid, false));
}

/* Rising functions that keep whole numbers whole. */
static struct lw_interval whole_steps(struct lw_interval a, double (*f)(double), bool keep)
{
    struct lw_interval r = a;
    r.lo = f(a.lo);
    r.hi = f(a.hi);
    if (r.lo != a.lo)
        r.flags &= (uint8_t)~LW_IV_LO_OPEN;
    if (r.hi != a.hi)
        r.flags &= (uint8_t)~LW_IV_HI_OPEN;
    if (!keep)
        r.flags |= LW_IV_WHOLE;
    return iv_settle(r);
}

/* The negative half, which any layer can give, becomes 0. */
static struct lw_interval cut_at_zero(struct lw_interval a, double (*f)(double))
{
    struct lw_interval r = whole_steps(a, f, true);
    if (a.lo < 0 && !(r.flags & LW_IV_KNOWN))
        r.flags |= LW_IV_ZERO;
    return iv_settle(r);
}

static struct lw_interval iv_relu(struct lw_interval a)
{
    return cut_at_zero(a, relu);
}

static struct lw_interval iv_relu6(struct lw_interval a)
{
    return cut_at_zero(a, relu6);
}

static struct lw_interval iv_floor(struct lw_interval a)
{
    return whole_steps(a, floor, false);
}

static struct lw_interval iv_ceil(struct lw_interval a)
{
    return whole_steps(a, ceil, false);
}

static struct lw_interval iv_round(struct lw_interval a)
{
    return whole_steps(a, nearbyint, false);
}

static struct lw_interval iv_trunc(struct lw_interval a)
{
    return whole_steps(a, trunc, false);
}

/* Functions defined above `from`: below it the result is NaN, at it perhaps infinite. */
static struct lw_interval above(struct lw_interval a, double from, bool pole,
                                double (*f)(double), bool falling)
{
    bool below = a.lo < from, touches = a.lo <= from && !(a.lo == from && iv_lo_open(a));
    struct lw_interval r = iv_monotone(a, f, falling);
    if (below)
        r.flags |= LW_IV_NAN;
    if (touches && pole)
        r.flags |= LW_IV_INF;
    if (below)
        r.flags &= (uint8_t)~LW_IV_LO_OPEN;
    return iv_settle(r);
}

static struct lw_interval iv_log(struct lw_interval a)
{
    return above(a, 0, true, safe_log, false);
}

static struct lw_interval iv_log2(struct lw_interval a)
{
    return above(a, 0, true, safe_log2, false);
}

static struct lw_interval iv_log10(struct lw_interval a)
{
    return above(a, 0, true, safe_log10, false);
}

static struct lw_interval iv_log1p(struct lw_interval a)
{
    return above(a, -1, true, safe_log1p, false);
}

static struct lw_interval iv_sqrt(struct lw_interval a)
{
    return above(a, 0, false, safe_sqrt, false);
}

static struct lw_interval iv_rsqrt(struct lw_interval a)
{
    return above(a, 0, true, safe_rsqrt, true);
}

static struct lw_interval iv_abs(struct lw_interval a)
{
    struct lw_interval r = a;
    if (a.lo >= 0)
        return a;
    if (a.hi <= 0)
        return lw_iv_neg(a);
    r.lo = 0;
    r.hi = fmax(-a.lo, a.hi);
    r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN);
    if ((r.hi == a.hi ? iv_hi_open(a) : true) && (r.hi == -a.lo ? iv_lo_open(a) : true))
        r.flags |= LW_IV_HI_OPEN;
    return iv_settle(r);
}

static struct lw_interval iv_square(struct lw_interval a)
{
    struct lw_interval m = iv_abs(a);
    return lw_iv_mul(m, m);
}

static struct lw_interval iv_reciprocal(struct lw_interval a)
{
    return lw_iv_div(lw_iv_number(1), a);
}

/* Whatever goes in, the result lies between two numbers. */
static struct lw_interval within(struct lw_interval a, double lo, double hi)
{
    struct lw_interval r = a;
    r.lo = lo;
    r.hi = hi;
    r.flags &=
        (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN | LW_IV_WHOLE | LW_IV_INF | LW_IV_ZERO);
    if (r.precision == LW_PREC_WEAK)
        r.precision = LW_PREC_64;
    return iv_settle(r);
}

static struct lw_interval iv_sin(struct lw_interval a)
{
    return within(a, -1, 1);
}

static struct lw_interval iv_sign(struct lw_interval a)
{
    struct lw_interval r = within(a,
                                  a.lo > 0    ? 1
                                  : a.lo == 0 ? 0
                                              : -1,
                                  a.hi < 0    ? -1
                                  : a.hi == 0 ? 0
                                              : 1);
    r.flags |= LW_IV_WHOLE;
    return r;
}

/* softmax: a value is 0 or 1 as soon as the logits are far apart (104 in float32). */
static struct lw_interval iv_softmax(struct lw_interval a)
{
    struct lw_interval r = within(a, 0, 1);
    double spread = a.hi - a.lo;
    if (isfinite(spread) && spread < 80) {
        r.flags |= LW_IV_LO_OPEN;
        if (spread < 10)
            r.flags |= LW_IV_HI_OPEN;
    }
    return saturated(a, r);
}

static struct lw_interval iv_log_softmax(struct lw_interval a)
{
    struct lw_interval r = within(a, -INFINITY, 0);
    if (isfinite(a.lo) && isfinite(a.hi))
        r.lo = a.lo - a.hi - 50; /* log of the number of classes is far below 50 */
    return iv_settle(r);
}

static struct lw_interval iv_cosh(struct lw_interval a)
{
    struct lw_interval m = iv_abs(a);
    return iv_monotone(m, cosh, false);
}

/* Dips below zero, then follows x: gelu, silu, swish, mish, hardswish. */
static struct lw_interval iv_gelu(struct lw_interval a)
{
    struct lw_interval r = iv_relu(a);
    r.lo = a.lo < 0 ? -0.375 : 0;
    r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_WHOLE | LW_IV_ZERO);
    return r;
}

static struct lw_interval iv_leaky(struct lw_interval a)
{
    struct lw_interval r = a; /* slopes of the negative side are at most 1 */
    r.flags &= (uint8_t)~LW_IV_WHOLE;
    if (r.hi < 0) {
        r.hi = 0;
        r.flags &= (uint8_t)~LW_IV_HI_OPEN;
    }
    return r;
}

static struct lw_interval iv_acos(struct lw_interval a)
{
    double slack = 1e-6; /* of float32 */
    double lo = a.hi > -1 && a.hi < 1 ? acos(a.hi) - slack : 0;
    double hi = a.lo > -1 && a.lo < 1 ? acos(a.lo) + slack : 3.1415926535897931;
    struct lw_interval r = within(a, lo > 0 ? lo : 0, hi);
    if (a.lo < -1 || a.hi > 1)
        r.flags |= LW_IV_NAN;
    return r;
}

static struct lw_interval iv_asin(struct lw_interval a)
{
    struct lw_interval r = within(a, -1.5707963267948966, 1.5707963267948966);
    if (a.lo < -1 || a.hi > 1)
        r.flags |= LW_IV_NAN;
    return r;
}

static double safe_atanh(double x)
{
    return x <= -1 ? -INFINITY : x >= 1 ? INFINITY : atanh(x);
}

static double safe_acosh(double x)
{
    return x <= 1 ? 0 : acosh(x);
}

/* Defined between -1 and 1, infinite at both. */
static struct lw_interval iv_atanh(struct lw_interval a)
{
    struct lw_interval r = iv_monotone(a, safe_atanh, false);
    if (a.lo < -1 || a.hi > 1)
        r.flags |= LW_IV_NAN;
    if (lw_iv_avoids(a, -1) != LW_TRI_YES || lw_iv_avoids(a, 1) != LW_TRI_YES)
        r.flags |= LW_IV_INF;
    return r;
}

static struct lw_interval iv_acosh(struct lw_interval a)
{
    return above(a, 1, false, safe_acosh, false);
}

/* Standardised: unbounded in theory, small in practice; mean 0. */
static struct lw_interval iv_any(struct lw_interval a)
{
    return iv_everything(a);
}

static const struct {
    const char *name;
    lw_iv_function *f;
} functions[] = {
    {"abs", iv_abs},
    {"acos", iv_acos},
    {"acosh", iv_acosh},
    {"any", iv_any},
    {"asin", iv_asin},
    {"asinh", iv_asinh},
    {"atanh", iv_atanh},
    {"atan", iv_atan},
    {"cbrt", iv_cbrt},
    {"ceil", iv_ceil},
    {"cos", iv_sin},
    {"cosh", iv_cosh},
    {"elu", iv_elu},
    {"erf", iv_erf},
    {"exp", iv_exp},
    {"exp2", iv_exp2},
    {"expm1", iv_expm1},
    {"floor", iv_floor},
    {"gelu", iv_gelu},
    {"hard_sigmoid", iv_hard_sigmoid},
    {"hardtanh", iv_hardtanh},
    {"leaky", iv_leaky},
    {"log", iv_log},
    {"log10", iv_log10},
    {"log1p", iv_log1p},
    {"log2", iv_log2},
    {"log_sigmoid", iv_log_sigmoid},
    {"log_softmax", iv_log_softmax},
    {"neg", lw_iv_neg},
    {"reciprocal", iv_reciprocal},
    {"relu", iv_relu},
    {"relu6", iv_relu6},
    {"round", iv_round},
    {"rsqrt", iv_rsqrt},
    {"selu", iv_selu},
    {"sigmoid", iv_sigmoid},
    {"sign", iv_sign},
    {"sin", iv_sin},
    {"sinh", iv_sinh},
    {"softmax", iv_softmax},
    {"softplus", iv_softplus},
    {"softsign", iv_softsign},
    {"sqrt", iv_sqrt},
    {"square", iv_square},
    {"tanh", iv_tanh},
    {"trunc", iv_trunc},
};

lw_iv_function *lw_iv_find(struct lw_str name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (lw_str_eq(name, lw_str(functions[i].name)))
            return functions[i].f;
    return NULL;
}
