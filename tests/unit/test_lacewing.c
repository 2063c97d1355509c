#include "check.h"

#include "base/buf.h"
#include "base/ctx.h"
#include "locate/tech_lacewing.h"

extern const struct lw_technique lw_technique_lacewing;

enum { FILES = 12, REPORTS = 24 };

struct toy {
    struct lw_features f[REPORTS];
    struct lacewing_extra extra;
    uint32_t truth[REPORTS][1];
    struct lw_lesson lessons[REPORTS];
    float rows[REPORTS][FILES * FIRST_COLUMNS];
    uint32_t zeros[FILES + 2], places[FILES + 1];
};

/* The changed file is the one that the traceback ends in; another column only makes noise. */
static struct toy *make_toy(void)
{
    struct toy *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (uint32_t i = 0; i <= FILES; i++)
        t->places[i] = i;
    t->extra = (struct lacewing_extra){t->zeros, t->zeros, t->zeros,  t->zeros,
                                       t->zeros, t->zeros, t->places, t->places};
    uint32_t random = 1;
    for (uint32_t r = 0; r < REPORTS; r++) {
        t->truth[r][0] = (r * 5 + 3) % FILES;
        for (uint32_t i = 0; i < FILES; i++) {
            float *row = &t->rows[r][i * FIRST_COLUMNS];
            random = random * 1664525u + 1013904223u;
            row[COL_TEXT_ALL] = (float)(random >> 16) / 65536.0f;
            row[COL_TRACE_LAST] = i == t->truth[r][0];
        }
        t->f[r].rows = t->rows[r];
        t->f[r].n = FILES;
        t->f[r].extra = &t->extra;
        t->lessons[r] = (struct lw_lesson){&t->f[r], t->truth[r], 1, r % 3};
    }
    return t;
}

static void learn(struct toy *t, struct lw_ctx *ctx, struct lw_setup *setup, void **model)
{
    struct lw_err err = {0};
    lw_setup_init(setup, &lw_technique_lacewing);
    assert_int_equal(lacewing_learn(setup, ctx, t->lessons, REPORTS, model, &err), 0);
}

static void what_decides_is_learnt(void **state)
{
    (void)state;
    struct toy *t = make_toy();
    struct lw_ctx ctx = {0};
    struct lw_setup setup;
    struct lw_err err = {0};
    void *model = NULL;
    learn(t, &ctx, &setup, &model);
    const struct lacewing_model *m = model;
    assert_true(m->first[COL_TRACE_LAST] > 1);
    assert_true(m->first[COL_TRACE_LAST] > 3 * m->first[COL_TEXT_ALL]);
    for (size_t r = 0; r < REPORTS; r++) {
        double scores[FILES];
        assert_int_equal(lacewing_score(&setup, model, &t->f[r], NULL, scores, &err), 0);
        for (uint32_t i = 0; i < FILES; i++)
            assert_true(i == t->truth[r][0] || scores[i] < scores[t->truth[r][0]]);
    }
    lacewing_discard(NULL, model);
    free(t);
}

static void a_group_can_be_left_out(void **state)
{
    (void)state;
    struct toy *t = make_toy();
    struct lw_ctx ctx = {0};
    struct lw_setup setup;
    struct lw_err err = {0};
    void *model = NULL;
    lw_setup_init(&setup, &lw_technique_lacewing);
    assert_int_equal(lw_setup_set(&setup, LW_S("without=1"), &err), 0);
    assert_int_equal(lacewing_learn(&setup, &ctx, t->lessons, REPORTS, &model, &err), 0);
    const struct lacewing_model *m = model;
    assert_true(m->first[COL_TRACE_LAST] == 0 && m->second[COL_TRACE_LAST] == 0);
    lacewing_discard(NULL, model);
    free(t);
}

static void models_read_back(void **state)
{
    (void)state;
    struct toy *t = make_toy();
    struct lw_ctx ctx = {0};
    struct lw_setup setup;
    struct lw_err err = {0};
    struct lw_buf text, again;
    struct lw_str projects[] = {LW_S("a+b"), LW_S("c+d")};
    void *model = NULL, *back = NULL;
    learn(t, &ctx, &setup, &model);
    lw_buf_init(&text, NULL, 0);
    lw_buf_init(&again, NULL, 0);
    assert_int_equal(lacewing_save(model, projects, 2, &text, &err), 0);
    assert_int_equal(lacewing_load(NULL, lw_buf_str(&text), &back, &err), 0);
    assert_true(lacewing_knows(back, LW_S("C+D")));
    assert_false(lacewing_knows(back, LW_S("c")));
    const struct lacewing_model *b = back;
    assert_int_equal(lacewing_save(back, b->projects, b->project_count, &again, &err), 0);
    assert_str(lw_buf_str(&again), lw_buf_z(&text));
    lacewing_discard(NULL, back);
    lacewing_discard(NULL, model);
    lw_buf_release(&again);
    lw_buf_release(&text);
    free(t);
}

static void damaged_models_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "something else\n",
        "lacewing-ranker 1\nTRACE_LAST 1 2\n",
        "lacewing-ranker 1\nNO_SUCH 1 2\n",
        "lacewing-ranker 1\nTRACE_LAST x 2\n",
        "lacewing-ranker 1\nTRACE_LAST 1 2\nTRACE_LAST 1 2\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lw_err err = {0};
        void *model = NULL;
        assert_int_equal(lacewing_load(NULL, lw_str(bad[i]), &model, &err), LW_ECORRUPT);
        assert_null(model);
    }
}

static int learn_once(struct lw_mem *mem, void *data)
{
    struct toy *t = data;
    struct lw_ctx ctx = {.mem = mem};
    struct lw_setup setup;
    struct lw_err err = {0};
    void *model = NULL;
    lw_setup_init(&setup, &lw_technique_lacewing);
    int rc = lacewing_learn(&setup, &ctx, t->lessons, REPORTS, &model, &err);
    lacewing_discard(mem, model);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct toy *t = make_toy();
    check_every_allocation(learn_once, t);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_decides_is_learnt),
        cmocka_unit_test(a_group_can_be_left_out),
        cmocka_unit_test(models_read_back),
        cmocka_unit_test(damaged_models_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
