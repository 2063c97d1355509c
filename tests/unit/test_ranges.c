/* The table of settings and their bounds: the one that comes with the program, and bad ones. */
#include "check.h"

#include "check/check.h"
#include "check/rules/ranges.h"

/* Everything of the table is in the arena of the rules. */
static int parse(const char *text, struct lw_check_rules *rules, struct lw_check_ranges *out,
                 struct lw_err *err)
{
    *err = (struct lw_err){0};
    assert_int_equal(lw_check_rules_load(rules, NULL, err), 0);
    return lw_check_ranges_parse(out, rules, LW_S("t.ini"), lw_str(text), err);
}

/* ---- the table of the program -------------------------------------------------------------
 */

static void every_range_has_a_source(void **state)
{
    struct lw_check_rules rules;
    struct lw_err err = {0};
    (void)state;
    assert_int_equal(lw_check_rules_load(&rules, NULL, &err), 0);
    assert_true(rules.ranges->n >= 12);
    for (size_t i = 0; i < rules.ranges->n; i++) {
        const struct lw_check_range *r = &rules.ranges->v[i];
        assert_true(r->source.n >= 10);
        assert_non_null(lw_check_rule_find(&rules, r->rule));
    }
    lw_check_rules_release(&rules);
}

static int load(struct lw_mem *mem, void *data)
{
    struct lw_check_rules rules;
    struct lw_err err = {0};
    (void)data;
    int rc = lw_check_rules_load(&rules, mem, &err);
    if (rc == 0)
        lw_check_rules_release(&rules);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(load, NULL);
}

/* ---- what a row says ----------------------------------------------------------------------
 */

#define REST "rule = training/momentum\neffect = e\nsource = s\n"

static void a_row_fits_what_it_names(void **state)
{
    struct lw_check_rules rules;
    struct lw_check_ranges t;
    struct lw_err err;
    struct lw_api_fact role = {.key = LW_S("role"), .value = LW_S("dropout")};
    struct lw_api sgd = {.kind = LW_API_OPTIMIZER, .name = LW_S("keras.optimizers.SGD")};
    struct lw_api drop = {.kind = LW_API_LAYER,
                          .name = LW_S("torch.nn.Dropout"),
                          .facts = &role,
                          .fact_count = 1};
    (void)state;
    assert_int_equal(
        parse("[a]\nkind = optimizer\nname = keras.*\nsetting = m\nwrong-from = 1\n" REST
              "[b]\nname = *.SGD\nsetting = m\nwrong-below = 0.5\n" REST
              "[c]\nrole = dropout\nsetting = p\nwrong-from = 0.9\n" REST,
              &rules, &t, &err),
        0);
    assert_int_equal(t.n, 3);
    assert_true(lw_check_range_is_of(&t.v[0], &sgd) && !lw_check_range_is_of(&t.v[0], &drop));
    assert_true(lw_check_range_is_of(&t.v[1], &sgd) && !lw_check_range_is_of(&t.v[1], &drop));
    assert_true(lw_check_range_is_of(&t.v[2], &drop) && !lw_check_range_is_of(&t.v[2], &sgd));
    sgd.name = LW_S("torch.optim.SGD");
    assert_false(lw_check_range_is_of(&t.v[0], &sgd));
    lw_check_rules_release(&rules);
}

static void bounds_are_of_one_side(void **state)
{
    struct lw_check_range from = {.bound = 1}, below = {.bound = 0.5, .below = true};
    (void)state;
    assert_true(lw_check_range_excludes(&from, 1) && lw_check_range_excludes(&from, 1e6));
    assert_false(lw_check_range_excludes(&from, 0.99) || lw_check_range_excludes(&from, 1e7));
    assert_true(lw_check_range_excludes(&below, 0.49));
    assert_false(lw_check_range_excludes(&below, 0.5) || lw_check_range_excludes(&below, 0));
}

/* ---- bad tables ---------------------------------------------------------------------------
 */

static void bad_tables_are_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"[a]\nsetting = m\nwrong-from = 1\n" REST, "t.ini:6: source: [a] ends without kind"},
        {"[a]\nkind = optimiser\n", "t.ini:2: kind: 'optimiser' is not a kind of entry"},
        {"[a]\nname = keras\n", "t.ini:2: name: a name needs a '*'"},
        {"[a]\nkind = layer\nwrong-from = 1\n" REST, "ends without setting"},
        {"[a]\nkind = layer\nsetting = m\n" REST, "ends without wrong-from or wrong-below"},
        {"[a]\nwrong-from = much\n", "t.ini:2: wrong-from: 'much' is not a number"},
        {"[a]\nwrong-from = inf\n", "'inf' is not a number"},
        {"[a]\nwrong-from = 1\nwrong-below = 2\n", "t.ini:3: wrong-below: there is a bound"},
        {"[a]\nkind = layer\nsetting = m\nwrong-from = 1\neffect = e\nsource = s\n",
         "ends without rule"},
        {"[a]\nkind = layer\nsetting = m\nwrong-from = 1\nrule = training/none\neffect = e\n"
         "source = s\n",
         "there is no rule 'training/none'"},
        {"[a]\nkind = layer\nsetting = m\nwrong-from = 1\nrule = training/momentum\nsource = "
         "s\n",
         "ends without effect"},
        {"[a]\nkind = layer\nsetting = m\nwrong-from = 1\nrule = training/momentum\neffect = "
         "e\n"
         "[b]\nkind = layer\n",
         "[a] ends without source"},
        {"[a]\nsetings = m\n", "t.ini:2: setings: not a key of a range"},
        {"kind = layer\n", "t.ini:1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lw_check_rules rules;
        struct lw_check_ranges t;
        struct lw_err err;
        assert_int_equal(parse(bad[i].text, &rules, &t, &err), LW_EINVAL);
        if (!strstr(err.text, bad[i].says))
            fail_msg("'%s' does not say '%s'", err.text, bad[i].says);
        lw_check_rules_release(&rules);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_range_has_a_source), cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(a_row_fits_what_it_names), cmocka_unit_test(bounds_are_of_one_side),
    cmocka_unit_test(bad_tables_are_refused),
};
CHECK_MAIN(tests)
