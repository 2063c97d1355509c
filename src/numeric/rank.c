#include "numeric/rank.h"

#include <math.h>
#include <string.h>

/* The bits of a double as an integer that sorts like it; -0 becomes 0, NaN the largest. */
static uint64_t to_key(double x)
{
    if (x == 0)
        x = 0;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        return UINT64_MAX;
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static void insertion_sort(double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double v = x[i];
        size_t j = i;
        for (; j > 0 && to_key(x[j - 1]) > to_key(v); j--)
            x[j] = x[j - 1];
        x[j] = v;
    }
}

static void sift_down(double *x, size_t i, size_t n)
{
    double v = x[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && to_key(x[child + 1]) > to_key(x[child]))
            child++;
        if (to_key(x[child]) <= to_key(v))
            break;
        x[i] = x[child];
    }
    x[i] = v;
}

static void heap_sort(double *x, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(x, i, n);
    for (size_t end = n; end-- > 1;) {
        double t = x[0];
        x[0] = x[end];
        x[end] = t;
        sift_down(x, 0, end);
    }
}

static double middle_of(double a, double b, double c)
{
    uint64_t ka = to_key(a), kb = to_key(b), kc = to_key(c);
    if ((ka <= kb) == (kb <= kc))
        return b;
    return (kb <= ka) == (ka <= kc) ? a : c;
}

/* Quicksort that turns into heapsort when it has split too often (D. Musser 1997); the smaller
 * part goes on the stack's behalf, so the depth is at most log2 n. */
static void intro_sort(double *x, size_t n, int splits)
{
    while (n > 24) {
        if (splits-- == 0) {
            heap_sort(x, n);
            return;
        }
        uint64_t pivot = to_key(middle_of(x[0], x[n / 2], x[n - 1]));
        size_t i = 0, j = n - 1;
        for (;; i++, j--) {
            while (to_key(x[i]) < pivot)
                i++;
            while (to_key(x[j]) > pivot)
                j--;
            if (i >= j)
                break;
            double t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        size_t left = i > 0 ? i : 1;
        if (left < n - left) {
            intro_sort(x, left, splits);
            x += left;
            n -= left;
        } else {
            intro_sort(x + left, n - left, splits);
            n = left;
        }
    }
    insertion_sort(x, n);
}

void lw_sort(double *x, size_t n)
{
    intro_sort(x, n, 64);
}

/* Radix sort, least significant part first, 11 bits a time; parts that are equal in all keys
 * are skipped. `place` (may be NULL) travels along. */
enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS, PASSES = 6 };

struct radix {
    uint64_t *key, *key2;
    uint32_t *place, *place2;
    uint32_t *count; /* (PASSES, RADIX) */
};

static void count_digits(struct radix *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int p = 0; p < PASSES; p++)
            r->count[p * RADIX + (int)(r->key[i] >> (p * RADIX_BITS) & (RADIX - 1))]++;
}

static void radix_pass(struct radix *r, size_t n, int pass)
{
    uint32_t *count = r->count + pass * RADIX, sum = 0;
    int shift = pass * RADIX_BITS;
    if (count[r->key[0] >> shift & (RADIX - 1)] == n)
        return;
    for (int d = 0; d < RADIX; d++) {
        uint32_t c = count[d];
        count[d] = sum;
        sum += c;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t to = count[r->key[i] >> shift & (RADIX - 1)]++;
        r->key2[to] = r->key[i];
        if (r->place)
            r->place2[to] = r->place[i];
    }
    uint64_t *k = r->key;
    uint32_t *q = r->place;
    r->key = r->key2;
    r->key2 = k;
    r->place = r->place2;
    r->place2 = q;
}

static double from_key(uint64_t key)
{
    uint64_t bits = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return key == UINT64_MAX ? NAN : x;
}

/* Sorts by key; writes values to `values` and places to `order` where they are not NULL. */
static int radix_sort(struct lw_mem *mem, const double *x, size_t n, double *values,
                      uint32_t *order)
{
    size_t keys = n * sizeof(uint64_t), places = order ? n * sizeof(uint32_t) : 0;
    size_t counts = (size_t)PASSES * RADIX * sizeof(uint32_t);
    size_t bytes = 2 * keys + 2 * places + counts;
    char *block = lw_mem_alloc(mem, bytes);
    if (!block)
        return LW_ENOMEM;
    struct radix r = {.key = (void *)block, .key2 = (void *)(block + keys)};
    r.count = (void *)(block + 2 * keys);
    if (order) {
        r.place = (void *)(block + 2 * keys + counts);
        r.place2 = r.place + n;
    }
    for (size_t i = 0; i < n; i++) {
        r.key[i] = to_key(x[i]);
        if (order)
            r.place[i] = (uint32_t)i;
    }
    count_digits(&r, n);
    for (int p = 0; p < PASSES; p++)
        radix_pass(&r, n, p);
    for (size_t i = 0; values && i < n; i++)
        values[i] = from_key(r.key[i]);
    if (order)
        memcpy(order, r.place, places);
    lw_mem_free(mem, block, bytes);
    return 0;
}

int lw_sort_fast(struct lw_mem *mem, double *x, size_t n)
{
    if (n < 500 || n >= UINT32_MAX) {
        lw_sort(x, n);
        return 0;
    }
    return radix_sort(mem, x, n, x, NULL);
}

/* Stable, for few values: the counters of the radix sort would cost more. */
static void order_by_insertion(const double *x, size_t n, uint32_t *order)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = i;
        for (; j > 0 && to_key(x[order[j - 1]]) > to_key(x[i]); j--)
            order[j] = order[j - 1];
        order[j] = (uint32_t)i;
    }
}

int lw_sort_order(struct lw_mem *mem, const double *x, size_t n, uint32_t *order)
{
    if (n >= UINT32_MAX)
        return LW_ENOMEM;
    if (n < 64) {
        order_by_insertion(x, n, order);
        return 0;
    }
    return radix_sort(mem, x, n, NULL, order);
}

int lw_ranks(struct lw_mem *mem, const double *x, size_t n, double *ranks, double *ties)
{
    double tie_sum = 0;
    uint32_t *order = lw_mem_alloc(mem, n * sizeof *order);
    int rc = order ? lw_sort_order(mem, x, n, order) : LW_ENOMEM;
    for (size_t i = 0, j; rc == 0 && i < n; i = j) {
        for (j = i + 1; j < n && x[order[j]] == x[order[i]]; j++)
            ;
        double t = (double)(j - i), rank = (double)(i + j + 1) / 2;
        tie_sum += t * t * t - t;
        for (size_t k = i; k < j; k++)
            ranks[order[k]] = rank;
    }
    lw_mem_free(mem, order, n * sizeof *order);
    if (ties)
        *ties = tie_sum;
    return rc;
}
