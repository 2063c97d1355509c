#include "driver.h"

#include <math.h>
#include <string.h>

#include "numeric/assoc.h"
#include "numeric/boost.h"
#include "numeric/fold.h"
#include "numeric/kmeans.h"
#include "numeric/knn.h"
#include "numeric/metrics.h"
#include "numeric/model.h"
#include "numeric/tsne.h"

static uint32_t *labels(struct call *c, size_t i)
{
    uint32_t *out = lw_arena_array(c->arena, c->arg[i].n + 1, sizeof *out);
    for (size_t k = 0; k < c->arg[i].n; k++)
        out[k] = (uint32_t)c->arg[i].v[k];
    return out;
}

static uint8_t *flags(struct call *c, size_t i)
{
    uint8_t *out = lw_arena_array(c->arena, c->arg[i].n + 1, 1);
    for (size_t k = 0; k < c->arg[i].n; k++)
        out[k] = c->arg[i].v[k] != 0;
    return out;
}

/* start, column, value in arguments i, i+1, i+2; d in i+3 */
static struct lw_sparse sparse_of(struct call *c, size_t i)
{
    size_t *start = lw_arena_array(c->arena, c->arg[i].n, sizeof *start);
    for (size_t k = 0; k < c->arg[i].n; k++)
        start[k] = (size_t)c->arg[i].v[k];
    return (struct lw_sparse){c->arg[i].n - 1, call_count(c, i + 3), start, labels(c, i + 1),
                              c->arg[i + 2].v};
}

/* metrics SCORE POSITIVE -> auc, average precision */
static int score_metrics(struct call *c)
{
    double auc, ap;
    lw_auc(NULL, c->arg[0].v, flags(c, 1), c->arg[0].n, &auc);
    lw_average_precision(NULL, c->arg[0].v, flags(c, 1), c->arg[0].n, &ap);
    put_all((double[]){auc, ap}, 2);
    return 0;
}

/* labels TRUTH GUESS CLASSES -> accuracy, macro F1 */
static int label_metrics(struct call *c)
{
    double f1;
    uint32_t *truth = labels(c, 0), *guess = labels(c, 1);
    lw_macro_f1(NULL, truth, guess, c->arg[0].n, call_count(c, 2), &f1);
    put_all((double[]){lw_accuracy(truth, guess, c->arg[0].n), f1}, 2);
    return 0;
}

/* ranking RELEVANT K -> reciprocal rank, top k, average precision */
static int ranking_metrics(struct call *c)
{
    uint8_t *r = flags(c, 0);
    size_t n = c->arg[0].n, all = 0;
    for (size_t i = 0; i < n; i++)
        all += r[i];
    put_all((double[]){lw_reciprocal_rank(r, n), lw_top_k(r, n, call_count(c, 1)),
                       lw_ranking_ap(r, n, all)},
            3);
    return 0;
}

static int ndcg(struct call *c)
{
    put(lw_ndcg(c->arg[0].v, c->arg[1].v, c->arg[0].n, call_count(c, 2), false));
    return 0;
}

/* tfidf START COLUMN VALUE D SUBLINEAR UNIT; bm25 START COLUMN VALUE D K1 B */
static int weights(struct call *c, bool bm25)
{
    struct lw_sparse x = sparse_of(c, 0);
    uint32_t *df = lw_arena_array(c->arena, x.d, sizeof *df);
    double *idf = lw_arena_array(c->arena, x.d, sizeof *idf);
    double *out = lw_arena_array(c->arena, x.start[x.n], sizeof *out);
    lw_document_counts(&x, df);
    lw_idf(df, x.d, x.n, idf);
    if (bm25)
        lw_bm25(&x, df, call_num(c, 4), call_num(c, 5), out);
    else
        lw_tfidf(&x, idf, call_num(c, 4) == 1, call_num(c, 5) == 1, out);
    put_all(out, x.start[x.n]);
    return 0;
}

static int tfidf(struct call *c)
{
    return weights(c, false);
}

static int bm25(struct call *c)
{
    return weights(c, true);
}

/* knn X D Q K JOBS -> seconds, then rows and squared distances of all queries */
static int knn(struct call *c)
{
    size_t d = call_count(c, 1), n = c->arg[0].n / d, m = c->arg[2].n / d, k = call_count(c, 3);
    uint32_t *near = lw_arena_array(c->arena, m * k, sizeof *near);
    double *dist = lw_arena_array(c->arena, m * k, sizeof *dist);
    struct lw_knn *index = NULL;
    double start = cpu_seconds();
    int rc = lw_knn_new(&index, NULL, c->arg[0].v, n, d, &c->err);
    if (rc == 0)
        rc = lw_knn_search(index, c->arg[2].v, m, k, (unsigned)call_count(c, 4), near, dist,
                           &c->err);
    double seconds = cpu_seconds() - start;
    lw_knn_free(index);
    if (rc < 0)
        return rc;
    put(seconds);
    if (call_num(c, 5) == 1) { /* only a checksum */
        double sum = 0;
        for (size_t i = 0; i < m * k; i++)
            sum += dist[i];
        put(sum);
        return 0;
    }
    for (size_t i = 0; i < m * k; i++)
        put(near[i]);
    put_all(dist, m * k);
    return 0;
}

/* Trains, saves, loads, predicts on QX: seconds of fit and of predict, then the outputs. */
static int finish_trees(struct call *c, struct lw_trees *t, double fit, size_t d, size_t qarg)
{
    struct lw_buf text;
    struct lw_trees again;
    size_t m = c->arg[qarg].n / d;
    double *out = lw_arena_array(c->arena, m * t->outputs + 1, sizeof *out);
    lw_buf_init(&text, NULL, 0);
    double predict = INFINITY; /* the best of three, as the peer is measured */
    for (int round = 0; round < 3; round++) {
        double start = cpu_seconds();
        lw_trees_predict(t, c->arg[qarg].v, m, out);
        predict = fmin(predict, cpu_seconds() - start);
    }
    int rc = lw_trees_save(&text, c->arena, t, &c->err);
    if (rc == 0)
        rc = lw_trees_load(&again, NULL, lw_buf_str(&text), &c->err);
    if (rc == 0) {
        double *second = lw_arena_array(c->arena, m * t->outputs + 1, sizeof *second);
        lw_trees_predict(&again, c->arg[qarg].v, m, second);
        if (memcmp(out, second, m * t->outputs * sizeof *out) != 0)
            rc = lw_err_set(&c->err, LW_EBUG, "the saved model predicts otherwise");
        lw_trees_release(&again);
    }
    if (rc == 0) {
        put_all((double[]){fit, predict}, 2);
        put_all(out, m * t->outputs);
    }
    lw_buf_release(&text);
    lw_trees_release(t);
    return rc;
}

/* forest X Y D CLASSES QX TREES FEATURES SEED JOBS [NOBOOTSTRAP DEPTH]; CLASSES 0: regression
 */
static int forest(struct call *c)
{
    size_t d = call_count(c, 2), classes = call_count(c, 3), n = c->arg[1].n;
    struct lw_forest_options o = {.trees = call_count(c, 5),
                                  .features = call_count(c, 6),
                                  .seed = call_count(c, 7),
                                  .jobs = (unsigned)call_count(c, 8),
                                  .no_bootstrap = call_num(c, 9) == 1,
                                  .max_depth = call_count(c, 10)};
    struct lw_trees t;
    uint32_t *y = labels(c, 1);
    double start = cpu_seconds();
    int rc = classes ? lw_forest_classify(&t, NULL, c->arg[0].v, y, n, d, classes, &o, &c->err)
                     : lw_forest_regress(&t, NULL, c->arg[0].v, c->arg[1].v, n, d, &o, &c->err);
    return rc < 0 ? rc : finish_trees(c, &t, cpu_seconds() - start, d, 4);
}

/* boost X Y D LOSS CLASSES QX ROUNDS [GROUPS] */
static int boost(struct call *c)
{
    size_t d = call_count(c, 2), n = c->arg[1].n;
    struct lw_str loss = call_word(c, 3);
    struct lw_boost_options o = {.classes = call_count(c, 4), .rounds = call_count(c, 6)};
    o.loss = lw_str_eq(loss, LW_S("squared"))    ? LW_BOOST_SQUARED
             : lw_str_eq(loss, LW_S("logistic")) ? LW_BOOST_LOGISTIC
             : lw_str_eq(loss, LW_S("softmax"))  ? LW_BOOST_SOFTMAX
                                                 : LW_BOOST_LAMBDA;
    if (c->n > 7) {
        size_t *groups = lw_arena_array(c->arena, c->arg[7].n, sizeof *groups);
        for (size_t i = 0; i < c->arg[7].n; i++)
            groups[i] = (size_t)c->arg[7].v[i];
        o.groups = groups;
        o.group_count = c->arg[7].n - 1;
    }
    struct lw_trees t;
    double start = cpu_seconds();
    int rc = lw_boost_fit(&t, NULL, c->arg[0].v, c->arg[1].v, n, d, &o, &c->err);
    return rc < 0 ? rc : finish_trees(c, &t, cpu_seconds() - start, d, 5);
}

/* linear logistic|svm START COLUMN VALUE D LABEL CLASSES C TOLERANCE -> seconds, bias, weights
 */
static int linear(struct call *c)
{
    struct lw_sparse x = sparse_of(c, 1);
    uint32_t *label = labels(c, 5);
    struct lw_linear_options o = {
        .c = call_num(c, 7), .tolerance = call_num(c, 8), .max_iterations = 5000};
    struct lw_linear m, again;
    double start = cpu_seconds();
    int rc = lw_str_eq(call_word(c, 0), LW_S("svm"))
                 ? lw_svm_fit(&m, c->arena, &x, label, call_count(c, 6), &o, &c->err)
                 : lw_logistic_fit(&m, c->arena, &x, label, call_count(c, 6), &o, &c->err);
    double seconds = cpu_seconds() - start;
    struct lw_buf text;
    lw_buf_init(&text, NULL, 0);
    if (rc == 0)
        rc = lw_linear_save(&text, &m, &c->err);
    if (rc == 0)
        rc = lw_linear_load(&again, c->arena, lw_buf_str(&text), &c->err);
    lw_buf_release(&text);
    if (rc < 0)
        return rc;
    if (memcmp(again.weight, m.weight, m.outputs * m.features * sizeof *m.weight) != 0)
        return lw_err_set(&c->err, LW_EBUG, "the saved model differs");
    put(seconds);
    put_all(m.bias, m.outputs);
    put_all(m.weight, m.outputs * m.features);
    return 0;
}

static int kmeans(struct call *c)
{
    struct lw_kmeans k;
    size_t d = call_count(c, 1);
    int rc = lw_kmeans(&k, c->arena, c->arg[0].v, c->arg[0].n / d, d, call_count(c, 2), 0, 0,
                       call_count(c, 3), &c->err);
    if (rc == 0)
        put(k.inertia);
    return rc;
}

/* pca X D K -> variances, total, components */
static int pca(struct call *c)
{
    struct lw_svd s;
    size_t d = call_count(c, 1), k = call_count(c, 2);
    int rc = lw_pca(&s, c->arena, c->arg[0].v, c->arg[0].n / d, d, k, 1, &c->err);
    if (rc == 0) {
        put_all(s.variance, k);
        put(s.total_variance);
        put_all(s.component, k * d);
    }
    return rc;
}

static int truncated(struct call *c)
{
    struct lw_sparse x = sparse_of(c, 0);
    struct lw_svd s;
    size_t k = call_count(c, 4);
    int rc = lw_truncated_svd(&s, c->arena, &x, k, 1, &c->err);
    if (rc == 0)
        put_all(s.singular, k);
    return rc;
}

/* tsne X D PERPLEXITY ITERATIONS EXACT JOBS -> seconds, kl, places */
static int tsne(struct call *c)
{
    size_t d = call_count(c, 1), n = c->arg[0].n / d;
    struct lw_tsne_options o = {.perplexity = call_num(c, 2),
                                .iterations = call_count(c, 3),
                                .exact = call_num(c, 4) == 1,
                                .jobs = (unsigned)call_count(c, 5)};
    double *y = lw_arena_array(c->arena, 2 * n, sizeof *y), kl;
    double start = cpu_seconds();
    int rc = lw_tsne(y, &kl, NULL, c->arg[0].v, n, d, &o, &c->err);
    if (rc == 0) {
        put_all((double[]){cpu_seconds() - start, kl}, 2);
        put_all(y, 2 * n);
    }
    return rc;
}

static int folds(struct call *c)
{
    uint32_t *group = labels(c, 0);
    size_t n = c->arg[0].n, groups = 0;
    uint32_t *fold = lw_arena_array(c->arena, n, sizeof *fold);
    for (size_t i = 0; i < n; i++)
        groups = group[i] + 1 > groups ? group[i] + 1 : groups;
    int rc = lw_folds_by_group(NULL, group, n, groups, call_count(c, 1), fold, &c->err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        put(fold[i]);
    return rc;
}

static int time_folds(struct call *c)
{
    size_t k = call_count(c, 1);
    for (size_t i = 0; i < k; i++) {
        struct lw_time_fold f;
        int rc = lw_fold_by_time(&f, call_count(c, 0), k, i, &c->err);
        if (rc < 0)
            return rc;
        put_all((double[]){(double)f.train_end, (double)f.test_end}, 2);
    }
    return 0;
}

/* assoc apriori|fp START ITEM ITEMS SUPPORT LENGTH [1: only count] -> seconds, sets as
 * "n item… count" */
static int assoc(struct call *c)
{
    size_t *start = lw_arena_array(c->arena, c->arg[1].n, sizeof *start);
    for (size_t i = 0; i < c->arg[1].n; i++)
        start[i] = (size_t)c->arg[1].v[i];
    struct lw_transactions t = {c->arg[1].n - 1, call_count(c, 3), start, labels(c, 2)};
    struct lw_assoc_options o = {.min_support = call_num(c, 4), .max_length = call_count(c, 5)};
    struct lw_itemsets sets;
    double begin = cpu_seconds();
    int rc = lw_str_eq(call_word(c, 0), LW_S("fp")) ? lw_fp_growth(&sets, NULL, &t, &o, &c->err)
                                                    : lw_apriori(&sets, NULL, &t, &o, &c->err);
    if (rc < 0)
        return rc;
    put_all((double[]){cpu_seconds() - begin, (double)sets.set.n}, 2);
    for (size_t i = 0; call_num(c, 6) != 1 && i < sets.set.n; i++) {
        put(sets.set.v[i].n);
        for (size_t j = 0; j < sets.set.v[i].n; j++)
            put(sets.item.v[sets.set.v[i].at + j]);
        put(sets.set.v[i].count);
    }
    lw_itemsets_release(&sets);
    return 0;
}

const struct command learner_commands[] = {{"score-metrics", score_metrics},
                                           {"label-metrics", label_metrics},
                                           {"ranking", ranking_metrics},
                                           {"ndcg", ndcg},
                                           {"tfidf", tfidf},
                                           {"bm25", bm25},
                                           {"knn", knn},
                                           {"forest", forest},
                                           {"boost", boost},
                                           {"linear", linear},
                                           {"kmeans", kmeans},
                                           {"pca", pca},
                                           {"svd", truncated},
                                           {"tsne", tsne},
                                           {"folds", folds},
                                           {"time-folds", time_folds},
                                           {"assoc", assoc},
                                           {0}};
