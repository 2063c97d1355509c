#include "check.h"

#include <math.h>

#include "source/edit_shape.h"

/* The index against a plain computation over dense vectors. */

enum { SHAPES = 300, WORDS = 120, QUESTIONS = 40 };

static uint32_t pick(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* A few words out of many; small numbers are frequent, as words are. */
static void make_shape(struct lw_edit_shape *s, double *dense, uint64_t *seed)
{
    lw_edit_shape_init(s, NULL);
    memset(dense, 0, WORDS * sizeof *dense);
    uint32_t n = pick(seed, 12);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t word = pick(seed, 1 + pick(seed, WORDS));
        struct lw_edit_feature f = {word * 0x9e3779b97f4a7c15u, 1};
        assert_int_equal(lw_vec_push(NULL, &s->v, f), 0);
    }
    lw_edit_shape_finish(s);
    for (size_t i = 0; i < s->v.n; i++)
        for (uint32_t w = 0; w < WORDS; w++)
            if (w * 0x9e3779b97f4a7c15u == s->v.v[i].hash)
                dense[w] = s->v.v[i].weight;
}

static double cosine(const double *a, const double *b, const double *rarity)
{
    double dot = 0, x = 0, y = 0;
    for (int w = 0; w < WORDS; w++) {
        double r = rarity[w] * rarity[w];
        dot += a[w] * b[w] * r;
        x += a[w] * a[w] * r;
        y += b[w] * b[w] * r;
    }
    return x > 0 && y > 0 ? dot / sqrt(x * y) : 0;
}

struct world {
    struct lw_edit_shape shapes[SHAPES];
    double dense[SHAPES][WORDS];
    double rarity[WORDS];
    struct lw_edit_index x;
};

static void add_shapes(struct world *w, size_t from, size_t to, uint64_t *seed)
{
    struct lw_err err;
    for (size_t i = from; i < to; i++) {
        make_shape(&w->shapes[i], w->dense[i], seed);
        assert_int_equal(lw_edit_index_add(&w->x, &w->shapes[i], &err), 0);
    }
    for (int k = 0; k < WORDS; k++) {
        size_t having = 0;
        for (size_t i = 0; i < to; i++)
            having += w->dense[i][k] > 0;
        w->rarity[k] = log((1 + (double)to) / (1 + (double)having)) + 0.5;
    }
}

/* Every hit has the similarity of the reference, and nothing better was left out. */
static void check_question(struct world *w, size_t n, size_t room, uint64_t *seed)
{
    struct lw_edit_shape s;
    struct lw_edit_hit hits[SHAPES], all[SHAPES];
    struct lw_err err;
    double dense[WORDS];
    size_t count, scanned, better = 0, some = 0;
    make_shape(&s, dense, seed);
    assert_int_equal(lw_edit_index_find(&w->x, &s, hits, room, &count, &err), 0);
    assert_int_equal(lw_edit_index_scan(&w->x, &s, all, room, &scanned, &err), 0);
    assert_int_equal(count, scanned);
    for (size_t i = 0; i < count; i++) {
        double like = cosine(dense, w->dense[hits[i].shape], w->rarity);
        assert_true(fabs(hits[i].similarity - like) < 1e-12);
        assert_int_equal(hits[i].shape, all[i].shape);
        assert_true(hits[i].similarity == all[i].similarity);
        assert_true(i == 0 || hits[i].similarity < hits[i - 1].similarity ||
                    hits[i].shape > hits[i - 1].shape);
    }
    for (size_t i = 0; i < n; i++) {
        double like = cosine(dense, w->dense[i], w->rarity);
        some += like > 0;
        better += count > 0 && like > hits[count - 1].similarity + 1e-12;
    }
    assert_int_equal(count, some < room ? some : room);
    assert_true(better < count || count == 0);
    lw_edit_shape_release(&s);
}

static void agrees_with_a_plain_search(void **state)
{
    (void)state;
    static struct world w;
    uint64_t seed = 17;
    lw_edit_index_init(&w.x, NULL);
    for (size_t n = 0, next; n < SHAPES; n = next) {
        next = n == 0 ? 1 : n < 20 ? 20 : SHAPES;
        add_shapes(&w, n, next, &seed); /* also after questions were asked */
        for (int i = 0; i < QUESTIONS; i++) {
            check_question(&w, next, 1, &seed);
            check_question(&w, next, 7, &seed);
            check_question(&w, next, SHAPES, &seed);
        }
    }
    for (size_t i = 0; i < SHAPES; i++)
        lw_edit_shape_release(&w.shapes[i]);
    lw_edit_index_release(&w.x);
}

static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    struct lw_edit_index x;
    struct lw_edit_shape s;
    struct lw_edit_hit hit;
    struct lw_err err;
    size_t count = 7;
    lw_edit_index_init(&x, NULL);
    lw_edit_shape_init(&s, NULL);
    assert_int_equal(lw_edit_index_find(&x, &s, &hit, 1, &count, &err), 0);
    assert_int_equal(count, 0);
    assert_int_equal(lw_edit_index_add(&x, &s, &err), 0);
    assert_int_equal(lw_edit_index_find(&x, &s, &hit, 1, &count, &err), 0);
    assert_int_equal(count, 0);
    lw_edit_shape_release(&s);
    lw_edit_index_release(&x);
}

static int ask(struct lw_mem *mem, void *data)
{
    const struct lw_edit_shape *s = data;
    struct lw_edit_index x;
    struct lw_edit_hit hits[2];
    struct lw_err err;
    size_t count;
    lw_edit_index_init(&x, mem);
    int rc = lw_edit_index_add(&x, s, &err);
    if (rc == 0)
        rc = lw_edit_index_add(&x, s, &err);
    if (rc == 0)
        rc = lw_edit_index_find(&x, s, hits, 2, &count, &err);
    lw_edit_index_release(&x);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct lw_edit_shape s;
    double dense[WORDS];
    uint64_t seed = 4;
    make_shape(&s, dense, &seed);
    assert_true(s.v.n > 1);
    check_every_allocation(ask, &s);
    lw_edit_shape_release(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_a_plain_search),
    cmocka_unit_test(nothing_is_found_in_nothing),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
