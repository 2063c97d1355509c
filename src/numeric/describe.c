#include "numeric/describe.h"

#include <math.h>

#include "numeric/rng.h"
#include "numeric/simd.h"

/*
 * Values are taken in blocks. A block's powers are summed about a guess of its mean, the mean
 * so far, in the one pass that also finds minimum, maximum and zeros; where the guess turns out
 * to be many deviations off, the block, still in the first-level cache, is summed again about
 * its own mean. That avoids the cancellation of raw power sums at no cost in bandwidth. Blocks
 * are merged by the formulae of P. Pébay, "Formulas for robust, one-pass parallel computation
 * of covariances and arbitrary-order statistical moments" (Sandia 2008), equations 2.1, 3.1
 * and 3.2.
 */
enum { BLOCK = 2048, LANES = 4 };

/* Of one block: sums of the powers of x - centre, extremes, zeros. */
struct powers {
    double s1, s2, s3, s4;
    double min, max;
    uint64_t zeros;
};

void lw_moments_init(struct lw_moments *m)
{
    *m = (struct lw_moments){.min = INFINITY, .max = -INFINITY};
}

LW_SIMD_BODY void power_body(const double *x, size_t n, double centre, struct powers *out)
{
    lw_v4d c = {centre, centre, centre, centre};
    lw_v4d s1 = {0}, s2 = {0}, s3 = {0}, s4 = {0}, r1 = {0}, r2 = {0}, r3 = {0}, r4 = {0};
    lw_v2d low = {INFINITY, INFINITY}, high = -low;
    lw_v4i zeros = {0};
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        lw_v4d a, b;
        LW_LOAD4D(a, x + i);
        LW_LOAD4D(b, x + i + LANES);
        zeros -= (lw_v4i)(a == 0) + (lw_v4i)(b == 0);
        for (size_t half = 0; half < 4; half++) {
            lw_v2d v;
            LW_LOAD2D(v, x + i + 2 * half);
            low = LW_MIN2D(v, low);
            high = LW_MAX2D(v, high);
        }
        a -= c;
        b -= c;
        lw_v4d a2 = a * a, b2 = b * b;
        s1 += a;
        r1 += b;
        s2 += a2;
        r2 += b2;
        s3 += a2 * a;
        r3 += b2 * b;
        s4 += a2 * a2;
        r4 += b2 * b2;
    }
    s1 += r1;
    s2 += r2;
    s3 += r3;
    s4 += r4;
    *out = (struct powers){s1[0],
                           s2[0],
                           s3[0],
                           s4[0],
                           fmin(low[0], low[1]),
                           fmax(high[0], high[1]),
                           (uint64_t)zeros[0]};
    for (int l = 1; l < LANES; l++) {
        out->s1 += s1[l];
        out->s2 += s2[l];
        out->s3 += s3[l];
        out->s4 += s4[l];
        out->zeros += (uint64_t)zeros[l];
    }
    for (; i < n; i++) {
        double d = x[i] - centre, d2 = d * d;
        out->s1 += d;
        out->s2 += d2;
        out->s3 += d2 * d;
        out->s4 += d2 * d2;
        out->min = fmin(out->min, x[i]);
        out->max = fmax(out->max, x[i]);
        out->zeros += x[i] == 0;
    }
}
LW_SIMD(power, (const double *x, size_t n, double centre, struct powers *out),
        (x, n, centre, out))

/* mean += step, what does not fit kept in mean_low: the third moment of values around 1e9 needs
 * the mean to more digits than a double has. */
static void move_mean(struct lw_moments *m, double step)
{
    double low = m->mean_low + step, sum = m->mean + low;
    m->mean_low = isfinite(sum) ? low - (sum - m->mean) : 0;
    m->mean = sum;
}

/* A block without NaN, its powers about `centre`. */
static void add_block(struct lw_moments *m, size_t n, double centre, const struct powers *p)
{
    double e = p->s1 / (double)n; /* the mean is centre + e: shift the sums by e */
    struct lw_moments block = {
        .n = n,
        .zeros = p->zeros,
        .min = p->min,
        .max = p->max,
        .mean = centre,
        .m2 = p->s2 - e * p->s1,
        .m3 = p->s3 - 3 * e * p->s2 + 2 * e * e * p->s1,
        .m4 = p->s4 - 4 * e * p->s3 + 6 * e * e * p->s2 - 3 * e * e * e * p->s1,
    };
    move_mean(&block, e);
    lw_moments_merge(m, &block);
}

/* Is the guess of the mean so many deviations off that digits were lost? */
static int is_far(const struct powers *p, size_t n)
{
    double e = p->s1 / (double)n;
    return !(e * p->s1 <= 0.5 * p->s2);
}

/* The values that are numbers, infinities among them. */
static size_t without_nan(const double *x, size_t n, double *kept)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            kept[left++] = x[i];
    return left;
}

static void add_checked(struct lw_moments *m, const double *x, size_t n)
{
    double kept[BLOCK], centre = isfinite(m->mean) ? m->mean : 0;
    struct powers p;
    power(x, n, centre, &p);
    if (!isfinite(p.s1)) { /* a NaN, an infinity, or values whose sum overflows */
        size_t left = without_nan(x, n, kept);
        m->nan += n - left;
        n = left;
        x = kept;
        if (n == 0)
            return;
        power(x, n, centre, &p);
    }
    if (is_far(&p, n) && isfinite(p.s1)) {
        centre += p.s1 / (double)n;
        power(x, n, centre, &p);
    }
    add_block(m, n, centre, &p);
}

void lw_moments_add(struct lw_moments *m, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK)
        add_checked(m, x + i, n - i < BLOCK ? n - i : BLOCK);
}

void lw_moments_add_f32(struct lw_moments *m, const float *x, size_t n)
{
    double wide[BLOCK];
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t k = n - i < BLOCK ? n - i : BLOCK;
        for (size_t j = 0; j < k; j++)
            wide[j] = (double)x[i + j];
        add_checked(m, wide, k);
    }
}

void lw_moments_merge(struct lw_moments *m, const struct lw_moments *o)
{
    m->nan += o->nan;
    if (o->n == 0)
        return;
    if (m->n == 0) {
        uint64_t nan = m->nan;
        *m = *o;
        m->nan = nan;
        return;
    }
    double na = (double)m->n, nb = (double)o->n, n = na + nb;
    double d = (o->mean - m->mean) + (o->mean_low - m->mean_low), dn = d / n, ab = na * nb;
    double m4 = m->m4 + o->m4 + d * dn * dn * dn * ab * (na * na - ab + nb * nb) +
                6 * dn * dn * (na * na * o->m2 + nb * nb * m->m2) +
                4 * dn * (na * o->m3 - nb * m->m3);
    double m3 =
        m->m3 + o->m3 + d * dn * dn * ab * (na - nb) + 3 * dn * (na * o->m2 - nb * m->m2);
    m->m2 += o->m2 + d * dn * ab;
    m->m3 = m3;
    m->m4 = m4;
    move_mean(m, nb * dn);
    m->n += o->n;
    m->zeros += o->zeros;
    m->min = fmin(m->min, o->min);
    m->max = fmax(m->max, o->max);
}

double lw_moments_variance(const struct lw_moments *m, unsigned ddof)
{
    return m->n > ddof ? m->m2 / (double)(m->n - ddof) : NAN;
}

double lw_moments_sd(const struct lw_moments *m, unsigned ddof)
{
    return sqrt(lw_moments_variance(m, ddof));
}

double lw_moments_skewness(const struct lw_moments *m)
{
    if (m->n == 0 || m->min == m->max)
        return NAN;
    return sqrt((double)m->n) * m->m3 / (m->m2 * sqrt(m->m2));
}

double lw_moments_kurtosis(const struct lw_moments *m)
{
    if (m->n == 0 || m->min == m->max)
        return NAN;
    return (double)m->n * m->m4 / (m->m2 * m->m2) - 3;
}

double lw_moments_sparsity(const struct lw_moments *m)
{
    return m->n ? (double)m->zeros / (double)m->n : NAN;
}

/* The k-th smallest to its place, smaller ones before it, larger ones after: Hoare's FIND with
 * three parts, so that many equal values do no harm. The pivot is the median of three places
 * drawn without a pattern: of fixed places, values that a call before has half sorted take the
 * square of their number. Values are not NaN. */
static double select_kth(double *x, size_t n, size_t k)
{
    size_t low = 0, high = n;
    struct lw_rng rng;
    lw_rng_init(&rng, n, k);
    while (high - low > 1) {
        double a = x[low + lw_rng_below(&rng, high - low)];
        double b = x[low + lw_rng_below(&rng, high - low)];
        double c = x[low + lw_rng_below(&rng, high - low)];
        double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
        size_t less = low, i = low, more = high;
        while (i < more) {
            double v = x[i];
            if (v < pivot) {
                x[i++] = x[less];
                x[less++] = v;
            } else if (v > pivot) {
                x[i] = x[--more];
                x[more] = v;
            } else {
                i++;
            }
        }
        if (k < less)
            high = less;
        else if (k >= more)
            low = more;
        else
            break;
    }
    return x[k];
}

static int has_nan(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]))
            return 1;
    return 0;
}

double lw_quantile(double *x, size_t n, double p)
{
    if (n == 0 || !(p >= 0 && p <= 1) || has_nan(x, n))
        return NAN;
    double at = p * (double)(n - 1);
    size_t k = (size_t)at;
    double low = select_kth(x, n, k), part = at - (double)k;
    if (part == 0 || k + 1 == n)
        return low;
    double high = x[k + 1];
    for (size_t i = k + 2; i < n; i++)
        high = x[i] < high ? x[i] : high;
    return low + part * (high - low);
}

double lw_median(double *x, size_t n)
{
    return lw_quantile(x, n, 0.5);
}
