#include "check.h"

#include <math.h>

#include "base/csv.h"
#include "numeric/assoc.h"
#include "numeric/boost.h"
#include "numeric/fit.h"
#include "numeric/frame.h"
#include "numeric/glm.h"
#include "numeric/kmeans.h"
#include "numeric/knn.h"
#include "numeric/linear.h"
#include "numeric/means.h"
#include "numeric/model.h"
#include "numeric/ranktest.h"
#include "numeric/resample.h"
#include "numeric/rng.h"
#include "numeric/sketch.h"
#include "numeric/tsne.h"

/* ---- Every allocation fails once
 * --------------------------------------------------------------- */

enum { ROWS = 90, COLUMNS = 3 };

static void points(double *x, size_t n)
{
    struct lw_rng rng;
    lw_rng_init(&rng, 7, 0);
    for (size_t i = 0; i < n; i++)
        x[i] = lw_rng_normal(&rng);
}

static int rank_tests(struct lw_mem *mem, void *data)
{
    (void)data;
    double x[ROWS];
    points(x, ROWS);
    struct lw_sample a = {x, ROWS / 2}, b = {x + ROWS / 2, ROWS / 2};
    struct lw_sample short_a = {x, 8}, short_b = {x + 8, 8};
    struct lw_test t;
    struct lw_cliff c;
    struct lw_rm_anova rm;
    struct lw_err err;
    int rc = lw_mann_whitney(&t, mem, a, b, LW_TAIL_TWO, LW_EXACT_NO, &err);
    if (rc == 0)
        rc = lw_mann_whitney(&t, mem, short_a, short_b, LW_TAIL_TWO, LW_EXACT_YES, &err);
    if (rc == 0)
        rc = lw_wilcoxon(&t, mem, short_a, short_b, LW_TAIL_TWO, LW_EXACT_YES, false, &err);
    if (rc == 0)
        rc = lw_kruskal(&t, mem, (struct lw_sample[]){a, b}, 2, &err);
    if (rc == 0)
        rc = lw_cliff(&c, mem, a, b, &err);
    if (rc == 0)
        rc = lw_shapiro(&t, mem, a, &err);
    if (rc == 0)
        rc = lw_ks_normal(&t, mem, short_a, 0, 1, LW_TAIL_TWO, &err);
    if (rc == 0)
        rc = lw_ks_two(&t, mem, a, b, LW_EXACT_AUTO, &err);
    if (rc == 0)
        rc = lw_rm_anova(&rm, mem, (struct lw_sample[]){a, b}, 2, &err);
    return rc;
}

static int sampling(struct lw_mem *mem, void *data)
{
    (void)data;
    double x[20], adjusted[3];
    uint32_t stratum[20], chosen[10];
    points(x, 20);
    for (uint32_t i = 0; i < 20; i++)
        stratum[i] = i % 3;
    struct lw_bootstrap how = {.replicates = 100, .statistic = lw_statistic_mean, .jobs = 2};
    struct lw_interval interval;
    struct lw_err err;
    int rc = lw_bootstrap(&interval, mem, (struct lw_sample){x, 20}, &how, &err);
    if (rc == 0)
        rc = lw_holm(mem, (double[]){0.1, 0.01, 0.5}, 3, adjusted, &err);
    if (rc == 0)
        rc = lw_sample_stratified(mem, stratum, 20, 3, 10, 1, chosen, &err);
    return rc;
}

static int sketching(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_sketch a, b;
    double q = 0;
    lw_sketch_init(&a, mem);
    lw_sketch_init(&b, mem);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < 20000; i++)
        rc = lw_sketch_add(&a, &(double){(double)(i * 7919 % 20000)}, 1);
    if (rc == 0)
        rc = lw_sketch_merge(&b, &a);
    if (rc == 0)
        rc = lw_sketch_quantile(&b, 0.5, &q);
    if (rc == 0)
        assert_true(fabs(q - 10000) < 200);
    lw_sketch_release(&a);
    lw_sketch_release(&b);
    return rc;
}

static int learners(struct lw_mem *mem, void *data)
{
    (void)data;
    double x[ROWS * COLUMNS], y[ROWS];
    uint32_t label[ROWS];
    points(x, ROWS * COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = x[i * COLUMNS] + x[i * COLUMNS + 1] > 0;
        y[i] = label[i];
    }
    struct lw_trees t;
    struct lw_err err;
    struct lw_forest_options forest = {.trees = 3, .jobs = 1};
    int rc = lw_forest_classify(&t, mem, x, label, ROWS, COLUMNS, 2, &forest, &err);
    if (rc < 0)
        return rc;
    struct lw_arena arena;
    struct lw_buf text;
    struct lw_trees again;
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&text, mem, 0);
    rc = lw_trees_save(&text, &arena, &t, &err);
    if (rc == 0)
        rc = lw_trees_load(&again, mem, lw_buf_str(&text), &err);
    if (rc == 0) {
        assert_int_equal(again.node.n, t.node.n);
        lw_trees_release(&again);
    }
    lw_buf_release(&text);
    lw_trees_release(&t);
    struct lw_boost_options boost = {.loss = LW_BOOST_LOGISTIC, .rounds = 2};
    if (rc == 0)
        rc = lw_boost_fit(&t, mem, x, y, ROWS, COLUMNS, &boost, &err);
    if (rc == 0)
        lw_trees_release(&t);
    struct lw_kmeans k;
    if (rc == 0)
        rc = lw_kmeans(&k, &arena, x, ROWS, COLUMNS, 3, 2, 0, 1, &err);
    struct lw_glm glm;
    if (rc == 0)
        rc = lw_glm_logit(&glm, &arena, x, y, ROWS, COLUMNS, &err);
    lw_arena_release(&arena);
    return rc;
}

static int views(struct lw_mem *mem, void *data)
{
    (void)data;
    double x[ROWS * 14], y[2 * ROWS], kl, dist[ROWS * 3];
    uint32_t near[ROWS * 3];
    points(x, ROWS * 14);
    struct lw_knn *k;
    struct lw_err err;
    int rc = lw_knn_new(&k, mem, x, ROWS, 14, &err);
    if (rc < 0)
        return rc;
    rc = lw_knn_search(k, x, ROWS, 3, 1, near, dist, &err);
    lw_knn_free(k);
    if (rc == 0)
        rc = lw_knn_new(&k, mem, x, ROWS, 3, &err);
    if (rc == 0)
        lw_knn_free(k);
    struct lw_tsne_options o = {.perplexity = 10, .iterations = 5, .jobs = 1};
    if (rc == 0)
        rc = lw_tsne(y, &kl, mem, x, ROWS, 14, &o, &err);
    return rc;
}

static int rules(struct lw_mem *mem, void *data)
{
    (void)data;
    size_t start[] = {0, 2, 5, 7, 9};
    uint32_t item[] = {0, 1, 0, 1, 2, 1, 2, 0, 1};
    struct lw_transactions t = {4, 3, start, item};
    struct lw_assoc_options o = {.min_support = 0.25};
    struct lw_itemsets a, b;
    lw_rule_vec found = {0};
    struct lw_err err;
    int rc = lw_apriori(&a, mem, &t, &o, &err);
    if (rc < 0)
        return rc;
    rc = lw_fp_growth(&b, mem, &t, &o, &err);
    if (rc == 0) {
        assert_int_equal(a.set.n, 7);
        assert_int_equal(b.set.n, 7);
        rc = lw_rules(&found, &a, &t, 0.5, NULL, &err);
        lw_itemsets_release(&b);
    }
    lw_vec_release(mem, &found);
    lw_itemsets_release(&a);
    return rc;
}

static int reading(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_arena arena;
    struct lw_csv csv;
    struct lw_frame f;
    struct lw_err err;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_csv_open_text(&csv, mem, LW_S("t"), ',', LW_S("a,b\n1,x\n?,y\n3,\n"), &err);
    if (rc == 0) {
        rc = lw_frame_read(&f, &arena, &csv, 0, &err);
        lw_csv_close(&csv);
    }
    if (rc == 0) {
        assert_int_equal(f.rows, 3);
        assert_true(f.column[0].numeric && isnan(f.column[0].num[1]));
        assert_int_equal(f.column[1].code[2], LW_MISSING);
        assert_str(lw_frame_text(&f, 1, 1), "y");
    }
    lw_arena_release(&arena);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(rank_tests, NULL);
    check_every_allocation(sampling, NULL);
    check_every_allocation(learners, NULL);
    check_every_allocation(views, NULL);
    check_every_allocation(rules, NULL);
    check_every_allocation(reading, NULL);
}

static void a_sketch_survives_missing_memory(void **state)
{
    (void)state;
    check_every_allocation(sketching, NULL);
}

/* ---- Small certainties
 * --------------------------------------------------------------------------- */

static void a_damaged_model_is_refused(void **state)
{
    (void)state;
    const char *bad[] = {
        "",
        "lacewing-model 2 trees\nend\n",
        "lacewing-model 1 trees\nshape 4\n1 1 1\n",
        "lacewing-model 1 trees\nshape 99999999999999999999\nend\n",
        /* a node that is its own child */
        "lacewing-model 1 trees shape 4 1 1 1 0 base 1 0 root 1 0 feature 3 0 -1 -1 threshold "
        "3 "
        "0 0 0 left 3 0 0 0 value 1 0 end",
        /* a feature that does not exist */
        "lacewing-model 1 trees shape 4 1 1 1 0 base 1 0 root 1 0 feature 3 5 -1 -1 threshold "
        "3 "
        "0 0 0 left 3 1 0 0 value 1 0 end",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lw_trees t;
        struct lw_err err;
        assert_int_equal(lw_trees_load(&t, NULL, lw_str(bad[i]), &err), LW_ECORRUPT);
    }
}

static void random_numbers_are_reproducible(void **state)
{
    (void)state;
    struct lw_rng a, b, c;
    lw_rng_init(&a, 1, 2);
    lw_rng_init(&b, 1, 2);
    lw_rng_init(&c, 1, 3);
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(lw_rng_next(&a), lw_rng_next(&b));
        double z = lw_rng_normal(&c);
        sum += z;
        squares += z * z;
        assert_true(lw_rng_below(&c, 7) < 7);
    }
    assert_true(fabs(sum / 100000) < 0.02);
    assert_true(fabs(squares / 100000 - 1) < 0.03);
}

/* A row of weight 2 counts as the same row twice. */
static void test_logistic_weights(void **state)
{
    (void)state;
    static const size_t start[] = {0, 1, 2, 3, 4, 5};
    static const uint32_t column[] = {0, 0, 0, 0, 0};
    static const double value[] = {-1, 0.5, 1, -0.5, 1};
    static const uint32_t label[] = {0, 1, 1, 1, 1};
    static const double weight[] = {1, 1, 2, 1};
    const struct lw_sparse twice = {5, 1, start, column, value},
                           once = {4, 1, start, column, value};
    const struct lw_linear_options plain = {.tolerance = 1e-10};
    const struct lw_linear_options weighted = {.tolerance = 1e-10, .weight = weight};
    struct lw_linear a, b;
    struct lw_arena arena;
    struct lw_err err;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_logistic_fit(&a, &arena, &twice, label, 2, &plain, &err), 0);
    assert_int_equal(lw_logistic_fit(&b, &arena, &once, label, 2, &weighted, &err), 0);
    assert_true(fabs(a.weight[0] - b.weight[0]) < 1e-8 && fabs(a.bias[0] - b.bias[0]) < 1e-8);
    lw_arena_release(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_logistic_weights),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(a_sketch_survives_missing_memory),
    cmocka_unit_test(a_damaged_model_is_refused),
    cmocka_unit_test(random_numbers_are_reproducible),
};
CHECK_MAIN(tests)
