/* stats - see the header. A tensor is turned into floats chunk by chunk, on the stack. */
#include "trace/stats.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "numeric/describe.h"

enum { CHUNK = 64 * LW_STATS_RUN };

size_t lw_dtype_size(enum lw_dtype dtype)
{
    static const uint8_t sizes[LW_DTYPES] = {4, 8, 2, 2, 8, 4, 2, 1, 1};
    LW_BUG_ON(dtype >= LW_DTYPES);
    return sizes[dtype];
}

static float from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* IEEE half precision: a subnormal one is a whole multiple of 2^-24. */
static float from_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, rest = h & 1023u;
    if (exponent == 0) {
        float f = (float)rest * 0x1p-24f;
        return sign ? -f : f;
    }
    if (exponent == 31)
        return from_bits(sign | 0x7f800000u | rest << 13);
    return from_bits(sign | (exponent + 112u) << 23 | rest << 13);
}

#define CONVERT(type, expression)                  \
    for (size_t i = 0; i < n; i++) {               \
        type v;                                    \
        memcpy(&v, from + i * sizeof v, sizeof v); \
        to[i] = (expression);                      \
    }                                              \
    break

static void convert(float *to, const char *from, size_t n, enum lw_dtype dtype)
{
    switch (dtype) {
    case LW_DTYPE_F32: memcpy(to, from, n * sizeof *to); break;
    case LW_DTYPE_F64: CONVERT(double, (float)v);
    case LW_DTYPE_F16: CONVERT(uint16_t, from_half(v));
    case LW_DTYPE_BF16: CONVERT(uint16_t, from_bits((uint32_t)v << 16));
    case LW_DTYPE_I64: CONVERT(int64_t, (float)v);
    case LW_DTYPE_I32: CONVERT(int32_t, (float)v);
    case LW_DTYPE_I16: CONVERT(int16_t, (float)v);
    case LW_DTYPE_I8: CONVERT(int8_t, (float)v);
    case LW_DTYPE_U8: CONVERT(uint8_t, (float)v);
    case LW_DTYPES: LW_BUG_ON(true);
    }
}

/* Which values of a tensor are looked at: `runs` runs of `run` values. */
struct walk {
    struct lw_tensor tensor;
    uint64_t runs, run, next;
};

static struct walk walk_of(struct lw_tensor t, uint64_t most)
{
    if (most == 0 || t.n <= most)
        return (struct walk){.tensor = t, .runs = (t.n + CHUNK - 1) / CHUNK, .run = CHUNK};
    uint64_t run = most < LW_STATS_RUN ? most : LW_STATS_RUN;
    return (struct walk){.tensor = t, .runs = most / run, .run = run};
}

/* Up to CHUNK more values; 0 at the end. */
static size_t walk_next(struct walk *w, float *to)
{
    const struct lw_tensor *t = &w->tensor;
    size_t size = lw_dtype_size(t->dtype), n = 0;
    bool whole = w->run == CHUNK;
    while (w->next < w->runs && n + w->run <= CHUNK) {
        /* The last run ends where the tensor ends: no value is looked at twice, as there are at
         * least as many values as runs have. */
        uint64_t at = whole         ? w->next * CHUNK
                      : w->runs > 1 ? (t->n - w->run) / (w->runs - 1) * w->next
                                    : 0;
        size_t count = (size_t)(t->n - at < w->run ? t->n - at : w->run);
        convert(to + n, (const char *)t->p + at * size, count, t->dtype);
        n += count;
        w->next++;
    }
    return n;
}

size_t lw_tensor_sample(float *out, struct lw_tensor tensor, size_t most)
{
    LW_BUG_ON(most == 0);
    struct walk w = walk_of(tensor, most);
    float chunk[CHUNK];
    size_t n = 0;
    for (size_t got; (got = walk_next(&w, chunk)) > 0; n += got)
        memcpy(out + n, chunk, got * sizeof *out);
    return n;
}

/* What is gathered while the values go by. */
struct gathering {
    struct lw_moments moments;
    uint64_t seen, nan, inf, near_zero;
    double few[LW_STATS_MEDIAN_OF]; /* for the median */
    size_t few_count;
    uint64_t few_every;
};

static void gather_init(struct gathering *g, uint64_t expected)
{
    lw_moments_init(&g->moments);
    g->seen = g->nan = g->inf = g->near_zero = 0;
    g->few_count = 0;
    g->few_every = (expected + LW_STATS_MEDIAN_OF - 1) / LW_STATS_MEDIAN_OF;
}

/* Moves the finite values of a chunk to its front; how many there are. */
static size_t keep_finite(struct gathering *g, float *v, size_t n)
{
    size_t finite = 0, nan = 0, near = 0;
    for (size_t i = 0; i < n; i++) {
        float x = v[i], size = fabsf(x);
        nan += x != x;
        near += size < LW_STATS_NEAR_ZERO;
        v[finite] = x;
        finite += size < INFINITY;
    }
    g->nan += nan;
    g->inf += n - finite - nan;
    g->near_zero += near;
    return finite;
}

static void gather(struct gathering *g, float *v, size_t n)
{
    uint64_t every = g->few_every ? g->few_every : 1;
    for (uint64_t i = (every - g->seen % every) % every; i < n; i += every)
        if (g->few_count < LW_STATS_MEDIAN_OF && fabsf(v[i]) < INFINITY)
            g->few[g->few_count++] = (double)v[i];
    g->seen += n;
    lw_moments_add_f32(&g->moments, v, keep_finite(g, v, n));
}

static void put_bins(struct lw_tensor_stats *out, const uint64_t *counts, uint64_t all)
{
    for (size_t b = 0; all && b < LW_STATS_BINS; b++)
        out->bins[b] = (uint8_t)((255 * counts[b] + all / 2) / all);
}

static void count_bins(uint64_t *counts, const float *v, size_t n, float min, float max)
{
    double scale = max > min ? LW_STATS_BINS / ((double)max - (double)min) : 0;
    for (size_t i = 0; i < n; i++)
        if (v[i] >= min && v[i] <= max) {
            size_t bin = (size_t)(((double)v[i] - (double)min) * scale);
            counts[bin < LW_STATS_BINS ? bin : LW_STATS_BINS - 1]++;
        }
}

static void put_numbers(struct lw_tensor_stats *out, struct gathering *g, uint64_t n)
{
    const struct lw_moments *m = &g->moments;
    double finite = (double)m->n;
    double squares = m->m2 + finite * m->mean * m->mean;
    *out = (struct lw_tensor_stats){
        .n = n,
        .seen = (uint32_t)(g->seen < UINT32_MAX ? g->seen : UINT32_MAX),
        .nan = (uint32_t)(g->nan < UINT32_MAX ? g->nan : UINT32_MAX),
        .inf = (uint32_t)(g->inf < UINT32_MAX ? g->inf : UINT32_MAX),
        .zeros = (uint32_t)(m->zeros < UINT32_MAX ? m->zeros : UINT32_MAX),
        .min = m->n ? (float)m->min : NAN,
        .max = m->n ? (float)m->max : NAN,
        .mean = m->n ? (float)m->mean : NAN,
        .sd = (float)lw_moments_sd(m, 0),
        .skewness = (float)lw_moments_skewness(m),
        .kurtosis = (float)lw_moments_kurtosis(m),
        .median = (float)lw_median(g->few, g->few_count),
        .norm = m->n ? (float)sqrt(squares * ((double)n / (double)g->seen)) : NAN,
        .sparsity = m->n ? (float)((double)g->near_zero / finite) : NAN,
    };
}

void lw_tensor_describe(struct lw_tensor_stats *out, struct lw_tensor tensor, uint64_t most)
{
    struct gathering g;
    float chunk[CHUNK];
    struct walk w = walk_of(tensor, most);
    gather_init(&g, w.runs * w.run < tensor.n ? w.runs * w.run : tensor.n);
    size_t n, chunks = 0, last = 0;
    for (; (n = walk_next(&w, chunk)) > 0; chunks++) {
        gather(&g, chunk, n);
        last = n;
    }
    put_numbers(out, &g, tensor.n);
    uint64_t counts[LW_STATS_BINS] = {0};
    if (chunks == 1) { /* still there: only its finite values matter, others are out of range */
        count_bins(counts, chunk, g.moments.n < last ? (size_t)g.moments.n : last, out->min,
                   out->max);
    } else if (g.moments.n) {
        for (w = walk_of(tensor, most); (n = walk_next(&w, chunk)) > 0;)
            count_bins(counts, chunk, n, out->min, out->max);
    }
    put_bins(out, counts, g.moments.n);
}

void lw_tensor_describe_change(struct lw_tensor_stats *out, const float *before,
                               const float *after, size_t count, uint64_t n)
{
    struct gathering g;
    float chunk[CHUNK];
    uint64_t counts[LW_STATS_BINS] = {0};
    gather_init(&g, count);
    for (size_t at = 0; at < count; at += CHUNK) {
        size_t here = count - at < CHUNK ? count - at : CHUNK;
        for (size_t i = 0; i < here; i++)
            chunk[i] = after[at + i] - before[at + i];
        gather(&g, chunk, here);
    }
    put_numbers(out, &g, n);
    for (size_t i = 0; i < count; i++) {
        float change = after[i] - before[i];
        count_bins(counts, &change, 1, out->min, out->max);
    }
    put_bins(out, counts, g.moments.n);
}
