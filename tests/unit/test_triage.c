/* Triage: association rules against the published tables, words, origin, versions, the model.
 */
#include "check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "triage/focus.h"
#include "triage/form.h"
#include "triage/sentences.h"
#include "triage/similar.h"

/* ---- Association rules --------------------------------------------------------------------
 */

/* Counted over the same transactions by another program. */
static const struct {
    enum lw_advice_kind kind;
    const char *type, *item;
    unsigned count, n;
} published[] = {
    /* Table 4.7, all twelve, and what the table leaves out */
    {LW_ADVICE_INFORMATION, "training", "code", 43, 50},
    {LW_ADVICE_INFORMATION, "training", "data", 41, 50},
    {LW_ADVICE_INFORMATION, "training", "logs", 38, 50},
    {LW_ADVICE_INFORMATION, "training", "hyperparameters", 36, 50},
    {LW_ADVICE_INFORMATION, "training", "model", 29, 50},
    {LW_ADVICE_INFORMATION, "model", "logs", 33, 42},
    {LW_ADVICE_INFORMATION, "model", "code", 30, 42},
    {LW_ADVICE_INFORMATION, "model", "hyperparameters", 27, 42},
    {LW_ADVICE_INFORMATION, "model", "model", 27, 42},
    {LW_ADVICE_INFORMATION, "model", "data", 23, 42},
    {LW_ADVICE_INFORMATION, "tensor", "data", 28, 29},
    {LW_ADVICE_INFORMATION, "tensor", "logs", 27, 29},
    {LW_ADVICE_INFORMATION, "tensor", "code", 21, 29},
    {LW_ADVICE_INFORMATION, "tensor", "model", 15, 29},
    {LW_ADVICE_INFORMATION, "tensor", "hyperparameters", 12, 29},
    {LW_ADVICE_INFORMATION, "api", "logs", 17, 20},
    {LW_ADVICE_INFORMATION, "api", "code", 15, 20},
    {LW_ADVICE_INFORMATION, "api", "model", 14, 20},
    {LW_ADVICE_INFORMATION, "api", "data", 11, 20},
    {LW_ADVICE_INFORMATION, "api", "hyperparameters", 5, 20},
    /* Table 4.8 as the data has it */
    {LW_ADVICE_ACTION, "training", "input-data-generation", 27, 48},
    {LW_ADVICE_ACTION, "training", "import-addition", 22, 48},
    {LW_ADVICE_ACTION, "training", "compiler-error-resolution", 18, 48},
    {LW_ADVICE_ACTION, "training", "dataset-procurement", 17, 48},
    {LW_ADVICE_ACTION, "training", "hyperparameter-initialization", 16, 48},
    {LW_ADVICE_ACTION, "training", "obsolete-parameter-removal", 11, 48},
    {LW_ADVICE_ACTION, "training", "logging", 7, 48},
    {LW_ADVICE_ACTION, "training", "neural-network-construction", 3, 48},
    {LW_ADVICE_ACTION, "model", "hyperparameter-initialization", 21, 41},
    {LW_ADVICE_ACTION, "model", "dataset-procurement", 18, 41},
    {LW_ADVICE_ACTION, "model", "compiler-error-resolution", 17, 41},
    {LW_ADVICE_ACTION, "model", "import-addition", 17, 41},
    {LW_ADVICE_ACTION, "model", "neural-network-construction", 15, 41},
    {LW_ADVICE_ACTION, "model", "input-data-generation", 13, 41},
    {LW_ADVICE_ACTION, "model", "logging", 9, 41},
    {LW_ADVICE_ACTION, "model", "obsolete-parameter-removal", 8, 41},
    {LW_ADVICE_ACTION, "model", "model-download", 2, 41},
    {LW_ADVICE_ACTION, "tensor", "hyperparameter-initialization", 16, 29},
    {LW_ADVICE_ACTION, "tensor", "input-data-generation", 15, 29},
    {LW_ADVICE_ACTION, "tensor", "import-addition", 15, 29},
    {LW_ADVICE_ACTION, "tensor", "compiler-error-resolution", 12, 29},
    {LW_ADVICE_ACTION, "tensor", "obsolete-parameter-removal", 10, 29},
    {LW_ADVICE_ACTION, "tensor", "logging", 9, 29},
    {LW_ADVICE_ACTION, "tensor", "dataset-procurement", 8, 29},
    {LW_ADVICE_ACTION, "tensor", "neural-network-construction", 2, 29},
    {LW_ADVICE_ACTION, "api", "import-addition", 11, 20},
    {LW_ADVICE_ACTION, "api", "input-data-generation", 8, 20},
    {LW_ADVICE_ACTION, "api", "hyperparameter-initialization", 8, 20},
    {LW_ADVICE_ACTION, "api", "dataset-procurement", 7, 20},
    {LW_ADVICE_ACTION, "api", "compiler-error-resolution", 5, 20},
    {LW_ADVICE_ACTION, "api", "obsolete-parameter-removal", 3, 20},
    {LW_ADVICE_ACTION, "api", "logging", 2, 20},
    {LW_ADVICE_ACTION, "api", "neural-network-construction", 2, 20},
    {LW_ADVICE_ACTION, "api", "model-download", 1, 20},
    /* sub-faults, section 4.4.2 */
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "hyperparameter-initialization", 9, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "input-data-generation", 7, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "import-addition", 6, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "compiler-error-resolution", 5, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "logging", 5, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "dataset-procurement", 3, 14},
    {LW_ADVICE_SUB_FAULT, "hyperparameters", "obsolete-parameter-removal", 3, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "neural-network-construction", 11, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "hyperparameter-initialization", 8, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "dataset-procurement", 6, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "input-data-generation", 6, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "compiler-error-resolution", 5, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "logging", 4, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "import-addition", 3, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "model-download", 2, 14},
    {LW_ADVICE_SUB_FAULT, "layer", "obsolete-parameter-removal", 2, 14},
    {LW_ADVICE_SUB_FAULT, "loss", "hyperparameter-initialization", 8, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "logging", 7, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "import-addition", 5, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "neural-network-construction", 5, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "input-data-generation", 4, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "compiler-error-resolution", 3, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "dataset-procurement", 3, 12},
    {LW_ADVICE_SUB_FAULT, "loss", "model-download", 3, 12},
    {LW_ADVICE_SUB_FAULT, "model", "neural-network-construction", 10, 14},
    {LW_ADVICE_SUB_FAULT, "model", "hyperparameter-initialization", 6, 14},
    {LW_ADVICE_SUB_FAULT, "model", "import-addition", 5, 14},
    {LW_ADVICE_SUB_FAULT, "model", "compiler-error-resolution", 4, 14},
    {LW_ADVICE_SUB_FAULT, "model", "dataset-procurement", 4, 14},
    {LW_ADVICE_SUB_FAULT, "model", "obsolete-parameter-removal", 4, 14},
    {LW_ADVICE_SUB_FAULT, "model", "input-data-generation", 3, 14},
    {LW_ADVICE_SUB_FAULT, "model", "logging", 2, 14},
    {LW_ADVICE_SUB_FAULT, "model", "model-download", 1, 14},
    {LW_ADVICE_SUB_FAULT, "optimisation", "hyperparameter-initialization", 3, 5},
    {LW_ADVICE_SUB_FAULT, "optimisation", "input-data-generation", 3, 5},
    {LW_ADVICE_SUB_FAULT, "optimisation", "logging", 2, 5},
    {LW_ADVICE_SUB_FAULT, "optimisation", "neural-network-construction", 2, 5},
    {LW_ADVICE_SUB_FAULT, "optimisation", "compiler-error-resolution", 1, 5},
    {LW_ADVICE_SUB_FAULT, "optimisation", "import-addition", 1, 5},
};

static const struct lw_advice_rule *find_rule(const struct lw_advice *a, const char *item)
{
    for (size_t i = 0; a && i < a->count; i++)
        if (lw_str_eq(a->rules[i].item, lw_str(item)))
            return &a->rules[i];
    return NULL;
}

static void test_published_rules(void **state)
{
    (void)state;
    lw_advice_table *t;
    struct lw_err err;
    assert_int_equal(lw_advice_new(&t, NULL, &err), 0);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct lw_advice *a =
            lw_advice_find(t, published[i].kind, lw_str(published[i].type));
        const struct lw_advice_rule *r = find_rule(a, published[i].item);
        if (!r || r->count != published[i].count || r->n != published[i].n)
            fail_msg("%s -> %s: %u of %u is expected, not %u of %u", published[i].type,
                     published[i].item, published[i].count, published[i].n, r ? r->count : 0,
                     r ? r->n : 0);
        assert_true(r->weak == (10 * r->count < 3 * r->n));
    }
    lw_advice_free(t);
}

/* The order of Table 4.7. */
static void test_best_information(void **state)
{
    (void)state;
    static const char *const best[][4] = {{"training", "code", "data", "logs"},
                                          {"model", "logs", "code", "model"},
                                          {"tensor", "data", "logs", "code"},
                                          {"api", "logs", "code", "model"}};
    lw_advice_table *t;
    struct lw_err err;
    assert_int_equal(lw_advice_new(&t, NULL, &err), 0);
    for (size_t i = 0; i < 4; i++) {
        const struct lw_advice *a =
            lw_advice_find(t, LW_ADVICE_INFORMATION, lw_str(best[i][0]));
        assert_false(a->pooled);
        for (size_t k = 0; k < 3; k++)
            assert_str(a->rules[k].item, best[i][k + 1]);
    }
    lw_advice_free(t);
}

static void test_pooled_rules(void **state)
{
    (void)state;
    static const char *const few[] = {"gpu", "mixed", "data", "other", "unknown"};
    lw_advice_table *t;
    struct lw_err err;
    assert_int_equal(lw_advice_new(&t, NULL, &err), 0);
    for (size_t i = 0; i < 5; i++) {
        const struct lw_advice *a = lw_advice_find(t, LW_ADVICE_ACTION, lw_str(few[i]));
        assert_true(a->pooled);
        assert_int_equal(a->n, 145);
        assert_true(a->rules[0].confidence >= a->rules[1].confidence);
    }
    assert_int_equal(lw_advice_find(t, LW_ADVICE_INFORMATION, LW_S("gpu"))->n, 148);
    assert_null(lw_advice_find(t, LW_ADVICE_SUB_FAULT, LW_S("gpu")));
    lw_advice_free(t);
}

static int make_advice(struct lw_mem *mem, void *data)
{
    lw_advice_table *t;
    struct lw_err err;
    (void)data;
    int rc = lw_advice_new(&t, mem, &err);
    lw_advice_free(t);
    return rc;
}

static void test_advice_without_memory(void **state)
{
    (void)state;
    check_every_allocation(make_advice, NULL);
}

/* ---- Words --------------------------------------------------------------------------------
 */

static void test_words(void **state)
{
    (void)state;
    struct lw_arena arena;
    lw_tokens t = {0};
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(
        lw_tokens_add(&t, &arena, LW_S("__My DataLoader: learning_rate 2D 17 HTTPError")), 0);
    assert_int_equal(t.n, 5);
    assert_str(t.v[0].word, "my");
    assert_str(t.v[1].word, "dataloader");
    assert_int_equal(t.v[1].part_count, 2);
    assert_str(t.v[1].parts[1], "loader");
    assert_str(t.v[2].parts[0], "learning");
    assert_str(t.v[3].word, "2d");
    assert_str(t.v[4].parts[0], "http");
    lw_vec_release(NULL, &t);
    lw_arena_release(&arena);
}

static void test_concepts(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct lw_concepts c;
    struct lw_err err;
    struct lw_concept_counts counts = {0};
    lw_tokens t = {0};
    size_t device = 0, memory = 0;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_concepts_load(&c, NULL, &err), 0);
    assert_int_equal(
        lw_tokens_add(&t, &arena, LW_S("CUDA out of memory. out, of memory on cuda")), 0);
    assert_int_equal(lw_concepts_count(&c, &t, false, &arena, &counts), 0);
    for (size_t k = 0; k < c.count; k++) {
        device = lw_str_eq(c.name[k], LW_S("device")) ? k : device;
        memory = lw_str_eq(c.name[k], LW_S("out-of-memory")) ? k : memory;
    }
    assert_int_equal(counts.count[device], 2);
    assert_str(counts.word[device], "CUDA");
    assert_true(counts.count[memory] >= 1);
    assert_str(counts.word[memory], "CUDA out");
    lw_vec_release(NULL, &t);
    lw_concepts_release(&c);
    lw_arena_release(&arena);
}

static void test_sentences(void **state)
{
    (void)state;
    struct lw_str rest = LW_S("It fails with v1.2.3 here. Why?\n\nLine one\nline two! ");
    struct lw_str s;
    assert_true(lw_sentence_next(&rest, &s));
    assert_str(s, "It fails with v1.2.3 here");
    assert_true(lw_sentence_next(&rest, &s));
    assert_str(s, "Why");
    assert_true(lw_sentence_next(&rest, &s));
    assert_str(s, "Line one\nline two");
    assert_false(lw_sentence_next(&rest, &s));
    assert_int_equal(lw_find_phrase(LW_S("losses, Loss"), LW_S("loss")), 8);
    assert_int_equal(lw_find_phrase(LW_S("losses"), LW_S("loss")), -1);
}

/* ---- The model ----------------------------------------------------------------------------
 */

static lw_features features_of(struct lw_feature_tables *t, struct lw_arena *arena,
                               const char *title)
{
    lw_report *r;
    lw_features f = {0};
    struct lw_err err;
    assert_int_equal(lw_report_parse(&r, NULL, NULL, lw_str(title), LW_S(""), &err), 0);
    assert_int_equal(lw_features_read(&f, t, r, false, arena), 0);
    for (size_t i = 0; i < f.n; i++)
        f.v[i].word = f.v[i].name;
    lw_report_free(r);
    return f;
}

static void test_learnt_model(void **state)
{
    (void)state;
    static const struct {
        const char *title;
        uint32_t type;
    } posts[] = {{"CUDA out of memory on my GPU", LW_TYPE_GPU},
                 {"nvidia driver not found by torch.cuda", LW_TYPE_GPU},
                 {"loss is nan after one epoch", LW_TYPE_TRAINING},
                 {"optimizer does not reduce the loss", LW_TYPE_TRAINING},
                 {"reshape a tensor along an axis", LW_TYPE_TENSOR},
                 {"gather rows of a tensor by index", LW_TYPE_TENSOR}};
    enum { N = sizeof posts / sizeof *posts };
    struct lw_feature_tables tables;
    struct lw_type_row rows[N];
    struct lw_type_model m, again;
    struct lw_type_verdict v, w;
    struct lw_arena arena;
    struct lw_err err;
    struct lw_buf text;
    lw_arena_init(&arena, NULL, 0);
    lw_buf_init(&text, NULL, 0);
    assert_int_equal(lw_feature_tables_load(&tables, NULL, &err), 0);
    for (size_t i = 0; i < N; i++)
        rows[i] = (struct lw_type_row){features_of(&tables, &arena, posts[i].title),
                                       posts[i].type, 1, 0};
    assert_int_equal(lw_type_model_fit(&m, NULL, rows, N, UINT32_MAX, &err), 0);
    lw_features f = features_of(&tables, &arena, "GPU is not found, CUDA error");
    assert_int_equal(lw_type_model_judge(&v, &m, &f, &arena), 0);
    assert_int_equal(v.type, LW_TYPE_GPU);
    assert_true(v.reason_count > 0 && v.reason[0].weight > 0);
    double sum = 0;
    for (size_t k = 0; k < LW_TYPES; k++)
        sum += v.score[k];
    assert_true(sum > 0.999999 && sum < 1.000001);

    lw_type_model_print(&text, &m);
    assert_int_equal(lw_type_model_parse(&again, NULL, lw_buf_str(&text), &err), 0);
    assert_int_equal(lw_type_model_judge(&w, &again, &f, &arena), 0);
    assert_int_equal(w.type, v.type);
    for (size_t k = 0; k < LW_TYPES; k++)
        assert_true(w.score[k] - v.score[k] < 0.05 && v.score[k] - w.score[k] < 0.05);

    for (size_t i = 0; i < N; i++)
        lw_vec_release(NULL, &rows[i].features);
    lw_vec_release(NULL, &f);
    lw_type_model_release(&m);
    lw_type_model_release(&again);
    lw_feature_tables_release(&tables);
    lw_buf_release(&text);
    lw_arena_release(&arena);
}

static void test_damaged_model(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "lacewing-model 1\n",
        "lacewing-triage 1\nbias 1 2\n",
        "lacewing-triage 1\ntemperature 0\n",
        "lacewing-triage 1\nfeature a\t1 2 3\n",
        "lacewing-triage 1\nfeature a\t1 1 1 1 1 1 1 1\nfeature a\t1 1 1 1 1 1 1 1\n",
        "lacewing-triage 1\nfeature a\t1 nan 1 1 1 1 1 1\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lw_type_model m;
        struct lw_err err;
        assert_int_equal(lw_type_model_parse(&m, NULL, lw_str(bad[i]), &err), LW_ECORRUPT);
        lw_type_model_release(&m);
    }
}

/* ---- Reports ------------------------------------------------------------------------------
 */

struct triaged {
    lw_triager *triager;
    lw_report *report;
    struct lw_arena arena;
    struct lw_triage t;
};

static void triage(struct triaged *x, const char *summary, const char *description)
{
    struct lw_err err;
    lw_arena_init(&x->arena, NULL, 0);
    assert_int_equal(lw_triager_new(&x->triager, NULL, &err), 0);
    assert_int_equal(
        lw_report_parse(&x->report, NULL, NULL, lw_str(summary), lw_str(description), &err), 0);
    assert_int_equal(lw_triage_report(&x->t, x->triager, x->report, &x->arena, &err), 0);
}

static void release(struct triaged *x)
{
    lw_report_free(x->report);
    lw_triager_free(x->triager);
    lw_arena_release(&x->arena);
}

static void test_focus(void **state)
{
    (void)state;
    static const struct {
        const char *text, *focus;
    } cases[] = {
        {"It fails on Mondays. The dataset has ten columns and no labels. Thank you.",
         "The dataset has ten columns and no labels"},
        /* Of two that name the data alike, the one whose topic nothing else shares. */
        {"The cat ate my dataset today. We load the dataset from disk. From disk we load it.",
         "The cat ate my dataset today"},
        {"Thank you very much.", ""},
    };
    const enum lw_component data = LW_COMPONENT_DATA;
    struct lw_focus_tables tables;
    struct lw_arena arena;
    struct lw_err err;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_focus_load(&tables, &arena, &err), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_str focus;
        assert_int_equal(
            lw_focus_find(&focus, &tables, lw_str(cases[i].text), &data, 1, &arena), 0);
        assert_str(focus, cases[i].focus);
    }
    lw_arena_release(&arena);
}

static void test_origin(void **state)
{
    (void)state;
    static const struct {
        const char *summary, *description, *suspect, *name;
    } cases[] = {
        {"Training stops", "It works with numpy 1.19.4 but fails with 1.20.", "third-party",
         "numpy"},
        {"Not compatible with TensorFlow 2.4", "It raises a TypeError.", "third-party",
         "tensorflow"},
        {"Path is cut on Windows", "The last folder is missing.", "environment", NULL},
        {"Loss is nan", "The optimizer divides by zero.", NULL, NULL},
        {"Loss is nan", "### Environment\n- torch: 1.7.0\n- numpy: 1.19\n", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct triaged x;
        triage(&x, cases[i].summary, cases[i].description);
        assert_true(x.t.origin.extrinsic == (cases[i].suspect != NULL));
        if (cases[i].suspect)
            assert_str(x.t.origin.suspect, cases[i].suspect);
        if (cases[i].name)
            assert_str(x.t.origin.name, cases[i].name);
        release(&x);
    }
}

/* Issues of a project: a title with a version of another library, and its missing names. */
static void test_origin_of_issue(void **state)
{
    (void)state;
    static const struct {
        const char *json, *suspect, *name;
    } cases[] = {
        {"{\"project\": \"me/net\", \"summary\": \"Progress bar fails for tqdm < 4.41\"}",
         "third-party", "tqdm"},
        {"{\"html_url\": \"https://github.com/me/net/issues/3\", \"title\": \"Fit fails in "
         "python3.6\"}",
         "environment", "python"},
        {"{\"project\": \"tqdm+tqdm\", \"summary\": \"Wrong total in tqdm 4.41\"}", NULL, NULL},
        {"{\"project\": \"me/net\", \"summary\": \"Tensors on cuda:0 and cpu\"}", NULL, NULL},
        {"{\"project\": \"me/net\", \"summary\": \"Import fails\", \"description\": "
         "\"ModuleNotFoundError: No module named 'tensorflow.contrib'\"}",
         "third-party", "tensorflow"},
        {"{\"project\": \"me/net\", \"summary\": \"Import fails\", \"description\": "
         "\"AttributeError: module 'net.data' has no attribute 'Loader'\"}",
         NULL, NULL},
        {"{\"project\": \"me/net\", \"summary\": \"Import fails\", \"description\": "
         "\"ImportError: a/b.so: undefined symbol: _ZN5torch\"}",
         "environment", NULL},
        {"{\"summary\": \"TensorFlow 2.1: fit is slow\"}", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct triaged x;
        struct lw_err err;
        lw_arena_init(&x.arena, NULL, 0);
        assert_int_equal(lw_triager_new(&x.triager, NULL, &err), 0);
        assert_int_equal(
            lw_report_read(&x.report, NULL, NULL, LW_S("case"), lw_str(cases[i].json), &err),
            0);
        assert_int_equal(lw_triage_report(&x.t, x.triager, x.report, &x.arena, &err), 0);
        assert_true(x.t.origin.extrinsic == (cases[i].suspect != NULL));
        if (cases[i].suspect)
            assert_str(x.t.origin.suspect, cases[i].suspect);
        if (cases[i].name)
            assert_str(x.t.origin.name, cases[i].name);
        release(&x);
    }
}

static void test_conflict(void **state)
{
    (void)state;
    struct triaged x;
    triage(&x, "GPU is not found", "I have tensorflow 1.13.1 with CUDA 10.2 and Python 3.7.");
    assert_int_equal(x.t.versions.conflict_count, 1);
    assert_str(x.t.versions.conflict[0].with, "cuda");
    assert_str(x.t.versions.conflict[0].needs, "==10.0.*");
    release(&x);
    triage(&x, "GPU is not found", "I have tensorflow 1.13.1 with CUDA 10.0 and Python 3.7.");
    assert_int_equal(x.t.versions.conflict_count, 0);
    release(&x);
}

static void test_inferred_version(void **state)
{
    (void)state;
    struct triaged x;
    triage(
        &x, "Model does not learn",
        "```python\nfrom keras.models import Sequential\nmodel.fit(x, y, nb_epoch=10)\n```\n");
    const struct lw_framework *keras = NULL;
    for (size_t i = 0; i < x.t.versions.framework_count; i++)
        if (lw_str_eq(x.t.versions.framework[i].name, LW_S("keras")))
            keras = &x.t.versions.framework[i];
    assert_non_null(keras);
    assert_str(keras->version, "<2");
    assert_str(keras->inferred, "nb_epoch");
    release(&x);
}

static void test_explicit(void **state)
{
    (void)state;
    struct triaged x;
    triage(&x, "Accuracy stays at 0.1", "The model predicts the same class for all images.");
    assert_false(x.t.is_explicit);
    release(&x);
    triage(&x, "Wrong shapes", "ValueError: Shapes (None, 1) and (None, 5) are incompatible\n");
    assert_true(x.t.is_explicit);
    assert_non_null(x.t.error);
    release(&x);
}

static void test_form(void **state)
{
    (void)state;
    struct triaged x;
    struct lw_form form;
    struct lw_err err;
    triage(&x, "Loss is nan", "It should fall. I use torch 1.7.0.");
    assert_int_equal(lw_form_make(&form, x.triager, LW_TYPE_TRAINING, &x.arena, &err), 0);
    assert_int_equal(form.count, 8);
    assert_str(form.field[2].key, "code");
    assert_str(form.field[3].key, "data");
    for (size_t i = 0; i < form.count; i++) {
        bool answered = lw_form_is_answered(&form.field[i], &x.t, x.report);
        struct lw_str key = form.field[i].key;
        assert_true(answered ==
                    (lw_str_eq(key, LW_S("happens")) || lw_str_eq(key, LW_S("expected")) ||
                     lw_str_eq(key, LW_S("versions"))));
    }
    release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_rules), cmocka_unit_test(test_best_information),
        cmocka_unit_test(test_pooled_rules),    cmocka_unit_test(test_advice_without_memory),
        cmocka_unit_test(test_words),           cmocka_unit_test(test_concepts),
        cmocka_unit_test(test_sentences),       cmocka_unit_test(test_learnt_model),
        cmocka_unit_test(test_damaged_model),   cmocka_unit_test(test_origin),
        cmocka_unit_test(test_origin_of_issue), cmocka_unit_test(test_focus),
        cmocka_unit_test(test_conflict),        cmocka_unit_test(test_inferred_version),
        cmocka_unit_test(test_explicit),        cmocka_unit_test(test_form),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
