#include "check.h"

#include "base/linediff.h"

/* Random texts are compared with a plain reference in tests/scripts/test_properties_text. */

static void check_diff(const char *old_text, const char *new_text, bool colour,
                       const char *expected)
{
    struct lw_buf b;
    struct lw_err err = {0};
    struct lw_term term = {.colour = colour};
    bool changed = true;
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    assert_int_equal(lw_linediff_print(&out, &term, NULL, LW_S("a/\033x"), lw_str(old_text),
                                       LW_S("b/x"), lw_str(new_text), 1, &changed, &err),
                     0);
    assert_string_equal(lw_buf_z(&b), expected);
    assert_int_equal(changed, *expected != '\0');
    lw_buf_release(&b);
}

static void the_unified_form(void **state)
{
    (void)state;
    check_diff("1\n2\n3\n", "1\n2\n3\n", false, "");
    check_diff("", "", false, "");
    check_diff(
        "1\n2\n3\n4\n5\n6\n7\n", "1\n2\nx\n4\n5\n6\n", false,
        "--- a/\\x1Bx\n+++ b/x\n@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n@@ -6,2 +6,1 @@\n 6\n-7\n");
    check_diff("", "new\n", false, "--- a/\\x1Bx\n+++ b/x\n@@ -0,0 +1,1 @@\n+new\n");
    check_diff("old\n", "", false, "--- a/\\x1Bx\n+++ b/x\n@@ -1,1 +0,0 @@\n-old\n");
    check_diff("a\033\t\n", "a", false,
               "--- a/\\x1Bx\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\\x1B\t\n+a\n"
               "\\ No newline at end of file\n");
}

static void colours(void **state)
{
    (void)state;
    check_diff("1\n2\n", "1\n3\n", true,
               "\033[1m--- a/\\x1Bx\n+++ b/x\033[0m\n\033[36m@@ -1,2 +1,2 @@\033[0m\n 1\n"
               "\033[31m-2\033[0m\n\033[32m+3\033[0m\n");
}

static int print(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_buf b;
    struct lw_err err = {0};
    bool changed;
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    int rc = lw_linediff_print(&out, &(struct lw_term){0}, mem, LW_S("a"),
                               LW_S("1\n2\n3\n4\n5\n6\n7\n8\n9\na\n"), LW_S("b"),
                               LW_S("1\n3\n4\n5\nx\n6\n7\n8\n9\nb\n"), 3, &changed, &err);
    if (rc < 0)
        assert_int_equal(b.n, 0);
    lw_buf_release(&b);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(print, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_unified_form),
    cmocka_unit_test(colours),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
