#include "check.h"

#include "knowledge/vocabulary.h"

static void words_are_known_by_kind(void **state)
{
    (void)state;
    struct lw_vocabulary v;
    struct lw_err err = {0};
    assert_int_equal(lw_vocabulary_load(&v, NULL, &err), 0);
    static const char *const known[][2] = {{"type", "gpu"},
                                           {"category", "shape"},
                                           {"symptom", "no-learning"},
                                           {"leaf", "Wrong weights initialisation"},
                                           {"fix_pattern", "Activation"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(lw_vocabulary_has(&v, known[i][0], lw_str(known[i][1])));
    static const char *const unknown[][2] = {{"type", "shape"}, {"type", "GPU"},  {"type", ""},
                                             {"kind", "name"},  {"leaf", "leaf"}, {"", "gpu"},
                                             {"typ", "e\ngpu"}, {"none", "x"}};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_false(lw_vocabulary_has(&v, unknown[i][0], lw_str(unknown[i][1])));
    char big[1000];
    memset(big, 'x', sizeof big);
    assert_false(lw_vocabulary_has(&v, "type", lw_str_n(big, sizeof big)));
    lw_vocabulary_release(&v);
}

/* Every word that the design names is in the tables. */
static void the_words_of_the_design_are_all_there(void **state)
{
    (void)state;
    static const char *const words[] = {
        "type model tensor training gpu api data other",
        "category shape type numeric api architecture training data performance",
        "symptom crash nan diverging no-learning low-accuracy overfitting slow memory hang "
        "wrong-output data-corruption",
        "property correctness model-relevance robustness-security efficiency fairness "
        "interpretability privacy",
    };
    struct lw_vocabulary v;
    struct lw_err err = {0};
    assert_int_equal(lw_vocabulary_load(&v, NULL, &err), 0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct lw_str rest = lw_str(words[i]), kind, word;
        char name[32];
        lw_str_split(&rest, ' ', &kind);
        snprintf(name, sizeof name, "%.*s", LW_F(kind));
        while (lw_str_split(&rest, ' ', &word))
            if (!lw_vocabulary_has(&v, name, word))
                fail_msg("%s '%.*s' is missing", name, LW_F(word));
    }
    lw_vocabulary_release(&v);
}

static void a_wrong_word_gets_advice(void **state)
{
    (void)state;
    struct lw_vocabulary v;
    struct lw_err err = {0};
    assert_int_equal(lw_vocabulary_load(&v, NULL, &err), 0);
    assert_int_equal(lw_vocabulary_refuse(&v, "category", LW_S("shpae"), &err), LW_EINVAL);
    assert_string_equal(err.text, "'shpae' is not a known category; did you mean 'shape'?");
    /* Three letters that share none with any word are no typing mistake. */
    lw_vocabulary_refuse(&v, "type", LW_S("xyz"), &err);
    assert_string_equal(err.text, "'xyz' is not a known type; use one of model, tensor, "
                                  "training, gpu, api, data, other");
    lw_vocabulary_refuse(&v, "leaf", LW_S("nothing like it at all"), &err);
    assert_true(lw_str_has_prefix(lw_str(err.text),
                                  LW_S("'nothing like it at all' is not a known leaf; see ")));
    lw_vocabulary_release(&v);
}

static int load(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_vocabulary v;
    struct lw_err err = {0};
    int rc = lw_vocabulary_load(&v, mem, &err);
    if (rc == 0)
        lw_vocabulary_release(&v);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(load, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_are_known_by_kind),
    cmocka_unit_test(the_words_of_the_design_are_all_there),
    cmocka_unit_test(a_wrong_word_gets_advice),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
