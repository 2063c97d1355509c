/* bug: ranges, ids and the table of fields. */
#include "check.h"

#include <math.h>

#include "base/arena.h"
#include "catalog/bug.h"

static void ranges_are_read_and_printed_back(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed; /* NULL: refused */
    } cases[] = {
        {"0..1", "0..1"},
        {"  0.5 .. 2 ", "0.5..2"},
        {"-3..-1", "-3..-1"},
        {"3..inf", "3..inf"},
        {"-inf..inf", "-inf..inf"},
        {"1e-3..1e3", "0.001..1000"},
        {"5..5", "5..5"},
        {"nan", "nan"},
        {"NaN", "nan"},
        {"0..0.1", "0..0.1"},
        {"", NULL},
        {"..", NULL},
        {"1..", NULL},
        {"..1", NULL},
        {"1", NULL},
        {"1.2", NULL},
        {"2..1", NULL},
        {"nan..1", NULL},
        {"0..nan", NULL},
        {"a..b", NULL},
        {"0..1..2", NULL},
        {"0-1", NULL},
        {"0..1 x", NULL},
    };
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_range range, again;
        bool read = lw_range_parse(lw_str(cases[i].text), &range);
        if (read != (cases[i].printed != NULL))
            fail_msg("'%s' was %s", cases[i].text, read ? "read" : "refused");
        if (!read)
            continue;
        struct lw_str text = lw_range_print(&arena, &range);
        assert_str(text, cases[i].printed);
        assert_true(lw_range_parse(text, &again));
        assert_true(again.is_nan == range.is_nan && again.low == range.low &&
                    again.high == range.high);
    }
    lw_arena_release(&arena);
}

static struct lw_range range_of(const char *text)
{
    struct lw_range range;
    assert_true(lw_range_parse(lw_str(text), &range));
    return range;
}

static void ranges_hold_their_ends_and_nothing_else(void **state)
{
    (void)state;
    struct lw_range r = range_of("0.5..2"), none = range_of("nan"), up = range_of("3..inf");
    assert_true(lw_range_holds(&r, 0.5) && lw_range_holds(&r, 2) && lw_range_holds(&r, 1));
    assert_false(lw_range_holds(&r, nextafter(0.5, 0)) || lw_range_holds(&r, nextafter(2, 3)));
    assert_false(lw_range_holds(&r, (double)NAN));
    assert_true(lw_range_holds(&none, (double)NAN));
    assert_false(lw_range_holds(&none, 0) || lw_range_holds(&none, (double)INFINITY));
    assert_true(lw_range_holds(&up, (double)INFINITY) && lw_range_holds(&up, 3));
    assert_false(lw_range_holds(&up, (double)-INFINITY));
}

static void ranges_are_apart_when_no_value_is_in_both(void **state)
{
    (void)state;
    static const char *const texts[] = {"0..1",   "1..2", "2..3",      "1.5..1.6", "nan",
                                        "3..inf", "1..1", "-inf..inf", "-5..-4"};
    enum { N = sizeof texts / sizeof *texts };
    static const double samples[] = {-4.5, 0, 0.5, 1, 1.55, 2, 2.5, 3, 4, (double)NAN};
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            struct lw_range a = range_of(texts[i]), b = range_of(texts[j]);
            bool shared = false;
            for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
                shared = shared ||
                         (lw_range_holds(&a, samples[k]) && lw_range_holds(&b, samples[k]));
            if (lw_range_apart(&a, &b) == shared)
                fail_msg("%s and %s", texts[i], texts[j]);
        }
}

static void ids_are_plain(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "A1", "0x", "pt-linear", "a.b_c-d", "9"};
    static const char *const bad[] = {"",    "-a",   ".a",  "_a", "a b",
                                      "a/b", "a\\b", "a\n", "é",  "a:b"};
    char longest[102];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(lw_bug_id_ok(lw_str(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lw_bug_id_ok(lw_str(bad[i])));
    memset(longest, 'x', sizeof longest);
    assert_true(lw_bug_id_ok(lw_str_n(longest, 100)));
    assert_false(lw_bug_id_ok(lw_str_n(longest, 101)));
    assert_false(lw_bug_id_ok(lw_str_n("a\0b", 3)));
}

static void fields_are_found_by_name(void **state)
{
    (void)state;
    struct lw_bug bug = {.title = LW_S("T"), .modules = LW_S("M")};
    assert_str(bug_text_of(&bug, bug_field_find(LW_S("title"))), "T");
    assert_str(bug_text_of(&bug, bug_field_find(LW_S("modules"))), "M");
    assert_null(bug_field_find(LW_S("shoe")));
    assert_null(bug_field_find(LW_S("")));
    for (size_t i = 0; i < bug_field_count; i++)
        assert_ptr_equal(bug_field_find(lw_str(bug_fields[i].name)), &bug_fields[i]);
}

static int print_range(struct lw_mem *mem, void *data)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct lw_str text = lw_range_print(&arena, data);
    lw_arena_release(&arena);
    return text.p ? 0 : LW_ENOMEM;
}

static void printing_survives_failing_allocations(void **state)
{
    (void)state;
    struct lw_range range = range_of("0..1");
    check_every_allocation(print_range, &range);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranges_are_read_and_printed_back),
    cmocka_unit_test(ranges_hold_their_ends_and_nothing_else),
    cmocka_unit_test(ranges_are_apart_when_no_value_is_in_both),
    cmocka_unit_test(ids_are_plain),
    cmocka_unit_test(fields_are_found_by_name),
    cmocka_unit_test(printing_survives_failing_allocations),
};

CHECK_MAIN(tests)
