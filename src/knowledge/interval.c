#include "knowledge/interval_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

struct lw_interval lw_iv_unknown(void)
{
    return (struct lw_interval){-INFINITY, INFINITY,   LW_IV_LO_OPEN | LW_IV_HI_OPEN,
                                0,         LW_PREC_32, 0};
}

struct lw_interval lw_iv_number(double x)
{
    uint8_t flags = LW_IV_KNOWN;
    if (isnan(x)) {
        struct lw_interval nan = lw_iv_unknown();
        nan.flags |= LW_IV_NAN;
        return nan;
    }
    if (x == floor(x) && isfinite(x))
        flags |= LW_IV_WHOLE;
    if (isinf(x))
        flags |= LW_IV_INF;
    return (struct lw_interval){x, x, flags, 0, LW_PREC_WEAK, 0};
}

struct lw_interval lw_iv_between(double lo, double hi)
{
    struct lw_interval r = {lo, hi, LW_IV_KNOWN, 0, LW_PREC_32, 0};
    if (isinf(lo))
        r.flags |= LW_IV_LO_OPEN;
    if (isinf(hi))
        r.flags |= LW_IV_HI_OPEN;
    return r;
}

struct lw_interval lw_iv_unbounded(enum lw_iv_why why, uint32_t line)
{
    struct lw_interval r = lw_iv_between(-INFINITY, INFINITY);
    r.why = (uint8_t)why;
    r.line = line;
    return r;
}

/* ---- Rounding -------------------------------------------------------------------------------
 */

/* To `bits` of mantissa with the smallest and largest magnitudes of the format. */
static double round_to(double x, int bits, double tiny, double largest)
{
    int e;
    if (x == 0 || !isfinite(x))
        return x;
    double m = frexp(x, &e);
    double r = ldexp(nearbyint(ldexp(m, bits)), e - bits);
    if (fabs(r) < tiny) /* subnormals lose bits: step of the smallest number */
        r = nearbyint(x / tiny) * tiny;
    return fabs(r) > largest ? copysign(INFINITY, r) : r;
}

static double as_precision(double x, uint8_t precision)
{
    switch (precision) {
    case LW_PREC_16: return round_to(x, 11, 5.960464477539063e-08, 65504);
    case LW_PREC_BF16: return round_to(x, 8, 9.183549615799121e-41, 3.3895313892515355e38);
    case LW_PREC_64: return x;
    default: /* plain numbers meet float32 sooner or later; what is below its normal range is
                flushed to 0 by TensorFlow, XLA and GPUs */
        return fabs(x) < FLT_MIN ? 0 * x : (double)(float)x;
    }
}

static bool is_int(struct lw_interval a)
{
    return (a.flags & LW_IV_WHOLE) && a.precision == LW_PREC_WEAK;
}

bool iv_reaches_zero(struct lw_interval a)
{
    if (a.flags & LW_IV_ZERO)
        return true;
    bool at_end = (a.lo == 0 && !iv_lo_open(a)) || (a.hi == 0 && !iv_hi_open(a));
    return (a.flags & LW_IV_KNOWN) && at_end && a.lo < a.hi; /* zeros() are filled later */
}

/* Notes that 0 is reached, where being known does not say so already. */
static struct lw_interval with_zero(struct lw_interval r, bool reached)
{
    if (reached && !(r.flags & LW_IV_KNOWN))
        r.flags |= LW_IV_ZERO;
    return r;
}

/* Rounds the ends; an end that leaves the format may be infinite. */
struct lw_interval iv_settle(struct lw_interval r)
{
    if (isnan(r.lo) || isnan(r.hi)) {
        r.flags |= LW_IV_NAN;
        r.lo = isnan(r.lo) ? -INFINITY : r.lo;
        r.hi = isnan(r.hi) ? INFINITY : r.hi;
    }
    if (r.precision != LW_PREC_WEAK) {
        double lo = as_precision(r.lo, r.precision), hi = as_precision(r.hi, r.precision);
        if ((isinf(lo) && !isinf(r.lo)) || (isinf(hi) && !isinf(r.hi))) {
            r.flags |= LW_IV_INF;
            if (r.why == LW_WHY_NONE)
                r.why = LW_WHY_OVERFLOW;
        }
        /* An open end that rounds onto a number is reached: sigmoid(20) is 1. */
        if (lo != r.lo)
            r.flags &= (uint8_t)~LW_IV_LO_OPEN;
        if (hi != r.hi)
            r.flags &= (uint8_t)~LW_IV_HI_OPEN;
        r.lo = lo;
        r.hi = hi;
    }
    if (isinf(r.lo) && r.lo < 0)
        r.flags |= LW_IV_LO_OPEN;
    if (isinf(r.hi) && r.hi > 0)
        r.flags |= LW_IV_HI_OPEN;
    bool at_end = (r.lo == 0 && !iv_lo_open(r)) || (r.hi == 0 && !iv_hi_open(r));
    if (!at_end) /* inside it is one number of many */
        r.flags &= (uint8_t)~LW_IV_ZERO;
    return r;
}

struct lw_interval lw_iv_as(struct lw_interval a, lw_dtypes dtypes)
{
    if (!dtypes || dtypes == LW_DTYPE_UNKNOWN)
        a.precision = LW_PREC_32;
    else if (!(dtypes & ~(lw_dtypes)(LW_INTS | LW_BOOL))) {
        double least, most;
        a.flags |= LW_IV_WHOLE;
        a.precision = LW_PREC_64;
        a.lo = floor(a.lo);
        a.hi = ceil(a.hi);
        if (lw_dtype_limits(dtypes, &least, &most)) {
            if ((isfinite(a.lo) && a.lo < least) || (isfinite(a.hi) && a.hi > most)) {
                a.lo = least; /* it may wrap around */
                a.hi = most;
                a.flags &= (uint8_t)~LW_IV_KNOWN;
            }
            if (isinf(a.lo) || isinf(a.hi)) /* the type's limits need not be reached */
                a.flags &= (uint8_t)~LW_IV_KNOWN;
            a.lo = isinf(a.lo) && least > -2e9 ? least : a.lo;
            a.hi = isinf(a.hi) && most < 5e9 ? most : a.hi;
            if (isfinite(a.lo))
                a.flags &= (uint8_t)~LW_IV_LO_OPEN;
            if (isfinite(a.hi))
                a.flags &= (uint8_t)~LW_IV_HI_OPEN;
        }
    } else if (dtypes & LW_F16)
        a.precision = LW_PREC_16;
    else if (dtypes & LW_BF16)
        a.precision = LW_PREC_BF16;
    else
        a.precision = dtypes == LW_F64 ? LW_PREC_64 : LW_PREC_32;
    return iv_settle(a);
}

static uint8_t common_precision(struct lw_interval a, struct lw_interval b)
{
    if (a.precision == LW_PREC_WEAK || b.precision == LW_PREC_WEAK)
        return a.precision > b.precision ? a.precision : b.precision;
    return a.precision > b.precision ? a.precision : b.precision;
}

/* A plain number beside a tensor takes its precision before anything else happens. */
static void meet_precision(struct lw_interval *a, struct lw_interval *b)
{
    struct lw_interval *weak = a->precision == LW_PREC_WEAK ? a : b;
    const struct lw_interval *strong = weak == a ? b : a;
    if (weak->precision != LW_PREC_WEAK || strong->precision == LW_PREC_WEAK ||
        (strong->flags & LW_IV_WHOLE))
        return;
    bool finite = isfinite(weak->lo) && isfinite(weak->hi);
    weak->lo = as_precision(weak->lo, strong->precision);
    weak->hi = as_precision(weak->hi, strong->precision);
    if (finite && (isinf(weak->lo) || isinf(weak->hi)))
        weak->flags |= LW_IV_INF; /* 1e7 beside float16 */
}

/* What two operands leave to their result: precision, origin, NaN, and being known. */
static struct lw_interval heir(struct lw_interval a, struct lw_interval b)
{
    struct lw_interval r = {0};
    r.flags = (uint8_t)((a.flags | b.flags) & (LW_IV_NAN | LW_IV_INF));
    r.flags |= (uint8_t)(a.flags & b.flags & LW_IV_KNOWN);
    r.precision = common_precision(a, b);
    r.why = a.why ? a.why : b.why;
    r.line = a.why ? a.line : b.line;
    return r;
}

/* Whole numbers of both leave whole numbers, also where one is a single number of a tensor
 * (zeros, ones). */
static uint8_t both_whole(struct lw_interval a, struct lw_interval b)
{
    bool strong = a.precision != LW_PREC_WEAK || b.precision != LW_PREC_WEAK;
    bool x = (a.flags & LW_IV_WHOLE) || (strong && a.lo == a.hi && a.lo == floor(a.lo));
    bool y = (b.flags & LW_IV_WHOLE) || (strong && b.lo == b.hi && b.lo == floor(b.lo));
    return x && y ? LW_IV_WHOLE : 0;
}

/* ---- Sets -------------------------------------------------------------------------------- */

struct lw_interval lw_iv_join(struct lw_interval a, struct lw_interval b)
{
    struct lw_interval r = heir(a, b);
    r.lo = fmin(a.lo, b.lo);
    r.hi = fmax(a.hi, b.hi);
    if ((a.lo > r.lo || iv_lo_open(a)) && (b.lo > r.lo || iv_lo_open(b)))
        r.flags |= LW_IV_LO_OPEN;
    if ((a.hi < r.hi || iv_hi_open(a)) && (b.hi < r.hi || iv_hi_open(b)))
        r.flags |= LW_IV_HI_OPEN;
    r.flags |= both_whole(a, b);
    return with_zero(r, iv_reaches_zero(a) && iv_reaches_zero(b));
}

struct lw_interval lw_iv_widen(struct lw_interval old, struct lw_interval now)
{
    struct lw_interval r = lw_iv_join(old, now);
    if (r.lo < old.lo) {
        r.lo = r.lo < 0 ? -INFINITY : 0;
        r.flags &= (uint8_t)~LW_IV_KNOWN;
    }
    if (r.hi > old.hi) {
        r.hi = INFINITY;
        r.flags &= (uint8_t)~LW_IV_KNOWN;
    }
    return iv_settle(r);
}

struct lw_interval lw_iv_meet(struct lw_interval a, struct lw_interval b)
{
    struct lw_interval r = a;
    if (b.lo > r.lo || (b.lo == r.lo && iv_lo_open(b))) {
        r.lo = b.lo;
        r.flags = (uint8_t)((r.flags & ~LW_IV_LO_OPEN) | (b.flags & LW_IV_LO_OPEN));
    }
    if (b.hi < r.hi || (b.hi == r.hi && iv_hi_open(b))) {
        r.hi = b.hi;
        r.flags = (uint8_t)((r.flags & ~LW_IV_HI_OPEN) | (b.flags & LW_IV_HI_OPEN));
    }
    return r.lo > r.hi ? b : iv_settle(r);
}

/* ---- Arithmetic -------------------------------------------------------------------------- */

/* Known to reach everything, as a trained weight does. */
static bool is_free(struct lw_interval a)
{
    return (a.flags & LW_IV_KNOWN) && a.lo == -INFINITY && a.hi == INFINITY;
}

struct lw_interval lw_iv_add(struct lw_interval a, struct lw_interval b)
{
    meet_precision(&a, &b);
    struct lw_interval r = heir(a, b);
    r.lo = a.lo + b.lo;
    r.hi = a.hi + b.hi;
    if (iv_lo_open(a) || iv_lo_open(b))
        r.flags |= LW_IV_LO_OPEN;
    if (iv_hi_open(a) || iv_hi_open(b))
        r.flags |= LW_IV_HI_OPEN;
    r.flags |= both_whole(a, b);
    if (is_free(a) || is_free(b)) /* whatever is added to what can be anything */
        r.flags |= LW_IV_KNOWN;
    return iv_settle(with_zero(r, iv_reaches_zero(a) && iv_reaches_zero(b)));
}

struct lw_interval lw_iv_neg(struct lw_interval a)
{
    struct lw_interval r = a;
    r.lo = -a.hi;
    r.hi = -a.lo;
    r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN);
    if (iv_hi_open(a))
        r.flags |= LW_IV_LO_OPEN;
    if (iv_lo_open(a))
        r.flags |= LW_IV_HI_OPEN;
    return r;
}

struct lw_interval lw_iv_sub(struct lw_interval a, struct lw_interval b)
{
    return lw_iv_add(a, lw_iv_neg(b));
}

static double product(double x, double y)
{
    return x == 0 || y == 0 ? 0 : x * y; /* 0 times an unreached infinity is 0 */
}

struct lw_interval lw_iv_mul(struct lw_interval a, struct lw_interval b)
{
    meet_precision(&a, &b);
    struct lw_interval r = heir(a, b);
    double x[2] = {a.lo, a.hi}, y[2] = {b.lo, b.hi};
    bool open_x[2] = {iv_lo_open(a), iv_hi_open(a)}, open_y[2] = {iv_lo_open(b), iv_hi_open(b)};
    bool lo_is_open = true, hi_is_open = true;
    r.lo = INFINITY;
    r.hi = -INFINITY;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            double p = product(x[i], y[j]);
            bool zero_reached = (x[i] == 0 && !open_x[i]) || (y[j] == 0 && !open_y[j]);
            bool open = (open_x[i] || open_y[j]) && !zero_reached;
            if (p < r.lo || (p == r.lo && !open)) {
                lo_is_open = open;
                r.lo = p;
            }
            if (p > r.hi || (p == r.hi && !open)) {
                hi_is_open = open;
                r.hi = p;
            }
        }
    }
    r.flags |= (uint8_t)((lo_is_open ? LW_IV_LO_OPEN : 0) | (hi_is_open ? LW_IV_HI_OPEN : 0));
    r.flags |= both_whole(a, b);
    /* Tiny positive factors may vanish. */
    if (r.lo > 0 && as_precision(r.lo, r.precision) == 0)
        r.flags &= (uint8_t)~LW_IV_LO_OPEN;
    return iv_settle(with_zero(r, iv_reaches_zero(a) || iv_reaches_zero(b)));
}

struct lw_interval iv_everything(struct lw_interval r)
{
    r.lo = -INFINITY;
    r.hi = INFINITY;
    r.flags &= (uint8_t)~LW_IV_WHOLE;
    return iv_settle(r);
}

struct lw_interval lw_iv_div(struct lw_interval a, struct lw_interval b)
{
    meet_precision(&a, &b);
    struct lw_interval r = with_zero(heir(a, b), iv_reaches_zero(a));
    bool reaches_zero = lw_iv_avoids(b, 0) != LW_TRI_YES;
    if (reaches_zero && b.lo <= 0 && b.hi >= 0) {
        r.flags |= LW_IV_INF;
        if (a.lo <= 0 && a.hi >= 0)
            r.flags |= LW_IV_NAN;
        if (b.lo == 0 && a.lo >= 0) { /* signs are still known */
            r.lo = isinf(b.hi) ? 0 : a.lo / b.hi;
            r.hi = INFINITY;
            r.flags |= isinf(b.hi) && a.lo > 0 ? LW_IV_LO_OPEN : 0;
            return iv_settle(r);
        }
        return iv_everything(r);
    }
    if (b.lo < 0 && b.hi > 0)
        return iv_everything(r);
    struct lw_interval inverse = b;
    inverse.lo = b.hi == 0 ? -INFINITY : 1 / b.hi;
    inverse.hi = b.lo == 0 ? INFINITY : 1 / b.lo;
    inverse.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN | LW_IV_WHOLE);
    inverse.flags |=
        (uint8_t)((iv_hi_open(b) ? LW_IV_LO_OPEN : 0) | (iv_lo_open(b) ? LW_IV_HI_OPEN : 0));
    inverse.flags &= (uint8_t)~LW_IV_ZERO;
    if (inverse.precision == LW_PREC_WEAK) /* it is not rounded on its own */
        inverse.precision = a.precision;
    r = lw_iv_mul(a, inverse);
    r.flags &= (uint8_t)~LW_IV_WHOLE;
    return r;
}

struct lw_interval lw_iv_floordiv(struct lw_interval a, struct lw_interval b)
{
    struct lw_interval r = lw_iv_div(a, b);
    r.lo = floor(r.lo);
    r.hi = floor(r.hi);
    r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN);
    r.flags |= LW_IV_WHOLE;
    return iv_settle(r);
}

struct lw_interval lw_iv_mod(struct lw_interval a, struct lw_interval b)
{
    struct lw_interval r = heir(a, b);
    r.flags |= (uint8_t)(a.flags & b.flags & LW_IV_WHOLE);
    r.lo = fmin(b.lo, 0);
    r.hi = fmax(b.hi, 0);
    if (is_int(b) && lw_iv_is_number(b) && b.lo > 0 && (r.flags & LW_IV_WHOLE)) {
        r.hi = b.hi - 1;
    } else if (b.hi > 0) {
        r.flags |= LW_IV_HI_OPEN;
    }
    return iv_settle(r);
}

/* Value and openness at both ends of a rising (falling) function. */
struct lw_interval iv_monotone(struct lw_interval a, double (*f)(double), bool falling)
{
    struct lw_interval r = a;
    if (f(0) != 0)
        r.flags &= (uint8_t)~LW_IV_ZERO;
    if (r.precision == LW_PREC_WEAK)
        r.precision = LW_PREC_64; /* math.exp of a plain number */
    r.flags &= (uint8_t)~LW_IV_WHOLE;
    r.lo = f(falling ? a.hi : a.lo);
    r.hi = f(falling ? a.lo : a.hi);
    if ((isinf(r.lo) && isfinite(falling ? a.hi : a.lo)) ||
        (isinf(r.hi) && isfinite(falling ? a.lo : a.hi)))
        r.flags |= LW_IV_INF;
    if (falling) {
        r.flags &= (uint8_t) ~(LW_IV_LO_OPEN | LW_IV_HI_OPEN);
        r.flags |= (uint8_t)((iv_hi_open(a) ? LW_IV_LO_OPEN : 0) |
                             (iv_lo_open(a) ? LW_IV_HI_OPEN : 0));
    }
    if (isinf(a.lo) || isinf(a.hi)) { /* a finite limit at infinity is reached by rounding */
        if (isfinite(r.lo) && isinf(falling ? a.hi : a.lo))
            r.flags &= (uint8_t)~LW_IV_LO_OPEN;
        if (isfinite(r.hi) && isinf(falling ? a.lo : a.hi))
            r.flags &= (uint8_t)~LW_IV_HI_OPEN;
    }
    return iv_settle(r);
}

static double sign_power(double x, double y)
{
    return pow(x, y);
}

struct lw_interval lw_iv_pow(struct lw_interval a, struct lw_interval b)
{
    meet_precision(&a, &b);
    struct lw_interval r = heir(a, b);
    if (!lw_iv_is_number(b)) {
        if (a.lo > 0 || (a.lo == 0 && iv_lo_open(a))) { /* exp(b * log(a)) */
            double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi)};
            r.lo = p[0], r.hi = p[0];
            for (int i = 0; i < 4; i++) {
                r.lo = isnan(p[i]) ? 0 : fmin(r.lo, p[i]);
                r.hi = isnan(p[i]) ? INFINITY : fmax(r.hi, p[i]);
            }
            return iv_settle(r);
        }
        return iv_everything(r);
    }
    double n = b.lo;
    bool whole = n == floor(n), even = whole && fmod(n, 2) == 0;
    if (!whole && a.lo < 0)
        r.flags |= LW_IV_NAN;
    if (n < 0 && lw_iv_avoids(a, 0) != LW_TRI_YES)
        r.flags |= LW_IV_INF;
    double low = !whole && a.lo < 0 ? 0 : a.lo;
    if (n < 0 && low <= 0 && a.hi >= 0) {
        r.lo = even || low == 0 ? 0 : -INFINITY;
        r.hi = INFINITY;
        if (low == 0 && isfinite(a.hi))
            r.lo = sign_power(a.hi, n);
        return iv_settle(r);
    }
    double x = sign_power(low, n), y = sign_power(a.hi, n);
    r.lo = fmin(x, y);
    r.hi = fmax(x, y);
    if (even && low < 0 && a.hi > 0)
        r.lo = 0;
    else if (iv_lo_open(a) && !even && n > 0)
        r.flags |= LW_IV_LO_OPEN;
    else if (even && low >= 0 && iv_lo_open(a) && n > 0)
        r.flags |= LW_IV_LO_OPEN;
    r.flags |= (uint8_t)(n >= 0 ? a.flags & b.flags & LW_IV_WHOLE : 0);
    return iv_settle(with_zero(r, n > 0 && iv_reaches_zero(a)));
}

struct lw_interval lw_iv_min(struct lw_interval a, struct lw_interval b)
{
    meet_precision(&a, &b);
    struct lw_interval r = heir(a, b);
    r.lo = fmin(a.lo, b.lo);
    r.hi = fmin(a.hi, b.hi);
    if ((r.lo == a.lo && iv_lo_open(a) && (r.lo < b.lo || iv_lo_open(b))) ||
        (r.lo == b.lo && iv_lo_open(b) && r.lo < a.lo))
        r.flags |= LW_IV_LO_OPEN;
    if ((r.hi == a.hi && iv_hi_open(a)) || (r.hi == b.hi && iv_hi_open(b)))
        r.flags |= LW_IV_HI_OPEN;
    r.flags |= (uint8_t)(a.flags & b.flags & LW_IV_WHOLE);
    /* min(x, 5) is known to stay below 5 whatever x is, but what x reaches is not known; who
     * cuts off at 0 has values there. */
    bool zero_a = a.lo == 0 && a.hi == 0, zero_b = b.lo == 0 && b.hi == 0;
    bool cut = (zero_b && (a.hi > 0 || iv_reaches_zero(a))) ||
               (zero_a && (b.hi > 0 || iv_reaches_zero(b)));
    return iv_settle(with_zero(r, cut || (iv_reaches_zero(a) && iv_reaches_zero(b))));
}

struct lw_interval lw_iv_max(struct lw_interval a, struct lw_interval b)
{
    return lw_iv_neg(lw_iv_min(lw_iv_neg(a), lw_iv_neg(b)));
}

struct lw_interval lw_iv_sum(struct lw_interval a, double least, double most)
{
    struct lw_interval n = lw_iv_between(least, most);
    n.precision = LW_PREC_WEAK;
    n.flags |= LW_IV_WHOLE;
    return lw_iv_mul(a, n);
}

/* ---- Questions --------------------------------------------------------------------------- */

lw_tri lw_iv_above(struct lw_interval a, double x, bool or_equal)
{
    if (a.lo > x || (a.lo == x && (or_equal || iv_lo_open(a))))
        return LW_TRI_YES;
    bool broken =
        (a.flags & LW_IV_KNOWN) || ((a.flags & LW_IV_ZERO) && (x > 0 || (x == 0 && !or_equal)));
    return broken ? LW_TRI_NO : LW_TRI_MAYBE;
}

lw_tri lw_iv_below(struct lw_interval a, double x, bool or_equal)
{
    return lw_iv_above(lw_iv_neg(a), -x, or_equal);
}

lw_tri lw_iv_avoids(struct lw_interval a, double x)
{
    bool outside =
        a.lo > x || a.hi < x || (a.lo == x && iv_lo_open(a)) || (a.hi == x && iv_hi_open(a));
    if (outside || ((a.flags & LW_IV_WHOLE) && x != floor(x)))
        return LW_TRI_YES;
    bool reached = (a.flags & LW_IV_KNOWN) || (x == 0 && (a.flags & LW_IV_ZERO));
    return reached ? LW_TRI_NO : LW_TRI_MAYBE;
}

void lw_iv_print(struct lw_interval a, struct lw_buf *out)
{
    char lo[LW_DOUBLE_TEXT], hi[LW_DOUBLE_TEXT];
    if (a.lo == a.hi)
        lw_buf_addz(out, lw_print_rounded(a.lo, lo));
    else
        lw_buf_addf(out, "%c%s, %s%c", iv_lo_open(a) ? '(' : '[', lw_print_rounded(a.lo, lo),
                    lw_print_rounded(a.hi, hi), iv_hi_open(a) ? ')' : ']');
}
