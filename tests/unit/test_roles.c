#include "check.h"

#include "base/err.h"
#include "check/query/roles.h"

struct fixture {
    struct lw_arena arena;
    struct roles roles;
    struct ck c;
};

static int load(void **state)
{
    static struct fixture f;
    struct lw_err err;
    lw_arena_init(&f.arena, NULL, 0);
    assert_int_equal(roles_load(&f.roles, &f.arena, NULL, &err), 0);
    f.c.roles = &f.roles;
    *state = &f;
    return 0;
}

static int release(void **state)
{
    struct fixture *f = *state;
    roles_release(&f->roles, NULL);
    lw_arena_release(&f->arena);
    return 0;
}

static bool is(void **state, const char *name, enum role role)
{
    struct fixture *f = *state;
    return role_is_named(&f->c, lw_str(name), role);
}

static void words_begin_parts_of_names(void **state)
{
    static const char *const tests[] = {"x_test",   "xtest",         "dataTest",
                                        "TEST_X",   "valLoader",     "loaders['val']",
                                        "evaluate", "self.test_set", "dev"};
    static const char *const others[] = {"latest",    "values",     "interval", "device",
                                         "retrieval", "train_test", "x",        ""};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        assert_true(is(state, tests[i], ROLE_TEST));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is(state, others[i], ROLE_TEST));
}

static void other_words_are_no_role(void **state)
{
    assert_true(is(state, "X_train", ROLE_TRAINING));
    assert_true(is(state, "trainLoader", ROLE_TRAINING));
    assert_false(is(state, "trainable", ROLE_TRAINING));
    assert_false(is(state, "constrain", ROLE_TRAINING));
    assert_true(is(state, "y_true", ROLE_LABEL));
    assert_true(is(state, "imageLabels", ROLE_LABEL));
    assert_false(is(state, "y_pred", ROLE_LABEL));
    assert_true(is(state, "y_pred", ROLE_PREDICTION));
    assert_false(is(state, "classifier", ROLE_LABEL));
}

static void training_data_has_the_other_name(void **state)
{
    (void)state;
    assert_true(role_is_counterpart(LW_S("x_train"), LW_S("x_test")));
    assert_true(role_is_counterpart(LW_S("TRAIN_X"), LW_S("TEST_X")));
    assert_false(role_is_counterpart(LW_S("y_train"), LW_S("x_test")));
    assert_false(role_is_counterpart(LW_S("x_Train"), LW_S("x_test")));
    assert_false(role_is_counterpart(LW_S("latrain"), LW_S("latest")));
}

static int load_once(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_arena arena;
    struct roles roles;
    struct lw_err err;
    lw_arena_init(&arena, mem, 0);
    int rc = roles_load(&roles, &arena, mem, &err);
    roles_release(&roles, mem);
    lw_arena_release(&arena);
    return rc;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(load_once, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(words_begin_parts_of_names, load, release),
    cmocka_unit_test_setup_teardown(other_words_are_no_role, load, release),
    cmocka_unit_test(training_data_has_the_other_name),
    cmocka_unit_test(memory_may_run_out),
};

CHECK_MAIN(tests)
