#include "check.h"

#include "base/version.h"

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void versions_are_ordered_by_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int order;
    } cases[] = {{"1.2", "1.2", 0},
                 {"1.2", "1.2.0", 0},
                 {"1.9", "1.10", -1},
                 {"2", "1.99.99", 1},
                 {"1.13.0a0", "1.13.0", 0},
                 {"1.13.1+cpu", "1.13.1", 0},
                 {"1.2.", "1.2", 0},
                 {"", "0", 0},
                 {"", "0.0.1", -1},
                 {"x", "1", -1},
                 {"01.02", "1.2", 0},
                 {"1..2", "1.0.2", -1},
                 {"18446744073709551616", "3", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_str a = lw_str(cases[i].a), b = lw_str(cases[i].b);
        assert_int_equal(sign(lw_version_compare(a, b)), cases[i].order);
        assert_int_equal(sign(lw_version_compare(b, a)), -cases[i].order);
    }
}

/* Expected values are those of Python's packaging for final releases. */
static void requirements_are_met_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *version, *constraint;
        bool met;
    } cases[] = {
        {"1.13", "", true},          {"", ">=99", true},
        {"1.13", "1.13.0", true},    {"1.13", "==1.13", true},
        {"1.13", "== 1.14", false},  {"1.13", "!=1.13", false},
        {"1.13", "!=1.12", true},    {"1.13", ">=1.13", true},
        {"1.13", ">1.13", false},    {"1.13.1", ">1.13", true},
        {"1.13", "<=1.13", true},    {"1.13", "<1.13.1", true},
        {"2.0", ">=1.4,<2", false},  {"1.9", " >=1.4 , < 2 ", true},
        {"1.9", ">=1.4,,", true},    {"1.2.9", "==1.2.*", true},
        {"1.3", "==1.2.*", false},   {"1.3", "!=1.2.*", true},
        {"1.2", "==1.2.*", true},    {"1.20", "==1.2.*", false},
        {"1.4.5", "~=1.4.2", true},  {"1.4.1", "~=1.4.2", false},
        {"1.5.0", "~=1.4.2", false}, {"1.9", "~=1.4", true},
        {"2.0", "~=1.4", false},     {"1.13.0a0", ">=1.13", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lw_version_meets(lw_str(cases[i].version), lw_str(cases[i].constraint)) !=
            cases[i].met)
            fail_msg("%s %s", cases[i].version, cases[i].constraint);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(versions_are_ordered_by_their_numbers),
    cmocka_unit_test(requirements_are_met_or_not),
};
CHECK_MAIN(tests)
