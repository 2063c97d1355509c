#include "check.h"

#include <errno.h>

#include "base/sink.h"

static void a_builder_takes_what_is_put(void **state)
{
    (void)state;
    struct lw_buf b;
    struct lw_err err = {0};
    lw_buf_init(&b, NULL, 0);
    struct lw_sink s = lw_sink_buf(&b);
    lw_put(&s, LW_S("a"));
    lw_putz(&s, "b");
    lw_put_char(&s, 'c');
    lw_putf(&s, "%03d", 7);
    lw_put(&s, (struct lw_str){NULL, 0});
    lw_put_fill(&s, '.', 0);
    lw_put_fill(&s, '.', 130);
    assert_int_equal(lw_sink_finish(&s, &err), 0);
    assert_int_equal(b.n, 6 + 130);
    assert_true(lw_str_has_prefix(lw_buf_str(&b), LW_S("abc007...")));
    assert_int_equal(strspn(lw_buf_z(&b) + 6, "."), 130);
    lw_buf_release(&b);
}

static void a_stream_takes_the_same(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    struct lw_err err = {0};
    FILE *file = open_memstream(&text, &n);
    struct lw_sink s = lw_sink_file(file);
    lw_put(&s, LW_S("a\0b"));
    lw_putf(&s, "-%s", "c");
    assert_int_equal(lw_sink_finish(&s, &err), 0);
    assert_int_equal(n, 5);
    assert_memory_equal(text, "a\0b-c", 5);
    fclose(file);
    free(text);
}

static void the_first_failure_sticks(void **state)
{
    (void)state;
    struct lw_buf b;
    struct lw_err err = {0};
    lw_buf_init(&b, NULL, 4);
    struct lw_sink s = lw_sink_buf(&b);
    lw_putz(&s, "123");
    lw_putz(&s, "45");
    lw_buf_clear(&b);
    lw_putz(&s, "6"); /* would fit now, but comes after a hole */
    lw_putf(&s, "%d", 7);
    assert_int_equal(b.n, 0);
    assert_int_equal(lw_sink_finish(&s, &err), LW_EIO);
    s = lw_sink_buf(&b);
    lw_putf(&s, "%d", 12345);
    assert_int_equal(lw_sink_finish(&s, &err), LW_EIO);
    lw_buf_release(&b);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        print_message("# /dev/full is missing: not tried\n");
        return;
    }
    struct lw_err err = {0};
    struct lw_sink s = lw_sink_file(full);
    lw_putz(&s, "text"); /* buffered: only the flush meets the disk */
    assert_int_equal(lw_sink_finish(&s, &err), LW_EIO);
    assert_string_equal(err.text, "cannot write output: No space left on device");
    assert_int_equal(lw_sink_finish(&s, &err), LW_EIO);
    fclose(full);
    full = fopen("/dev/full", "w");
    setvbuf(full, NULL, _IONBF, 0);
    s = lw_sink_file(full);
    lw_putz(&s, "text");
    assert_int_equal(s.error, ENOSPC);
    s = lw_sink_file(full);
    lw_putf(&s, "%d", 1);
    assert_int_equal(s.error, ENOSPC);
    fclose(full);
}

static void check_safe(const char *text, size_t n, bool keep_lines, const char *expected)
{
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    struct lw_sink s = lw_sink_buf(&b);
    lw_put_safe(&s, lw_str_n(text, n), keep_lines);
    assert_string_equal(lw_buf_z(&b), expected);
    lw_buf_release(&b);
}

#define check_safe_z(text, keep, expected) check_safe(text, sizeof(text) - 1, keep, expected)

static void nothing_can_drive_the_terminal(void **state)
{
    (void)state;
    check_safe_z("", false, "");
    check_safe_z("plain \xc3\xa9 \xf0\x9f\x90\x9b", false, "plain \xc3\xa9 \xf0\x9f\x90\x9b");
    check_safe_z("\033[31mred", false, "\\x1B[31mred");
    check_safe_z("a\nb\tc\rd", false, "a\\x0Ab\\x09c\\x0Dd");
    check_safe_z("a\nb\tc\rd", true, "a\nb\tc\\x0Dd");
    check_safe_z("\0\x7f", true, "\\x00\\x7F");
    check_safe_z("\xc2\x9b\x33m", true, "\\xC2\\x9B3m"); /* the one-byte CSI */
    check_safe_z("\xff\xe2\x82", false, "\\xFF\\xE2\\x82");
    check_safe_z("a\xe2\x80\xae"
                 "b",
                 false,
                 "a\\xE2\\x80\\xAE"
                 "b");
    check_safe_z("\xe2\x81\xa6", true, "\\xE2\\x81\\xA6");
}

static int print(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_buf b;
    struct lw_err err = {0};
    lw_buf_init(&b, mem, 0);
    struct lw_sink s = lw_sink_buf(&b);
    for (int i = 0; i < 30; i++) {
        lw_putf(&s, "%d\n", i);
        lw_put_safe(&s, LW_S("a\033b\n"), true);
        lw_put_fill(&s, ' ', 5);
    }
    int rc = lw_sink_finish(&s, &err);
    lw_buf_release(&b);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(print, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_builder_takes_what_is_put),
    cmocka_unit_test(a_stream_takes_the_same),
    cmocka_unit_test(the_first_failure_sticks),
    cmocka_unit_test(a_full_disk_is_told),
    cmocka_unit_test(nothing_can_drive_the_terminal),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
