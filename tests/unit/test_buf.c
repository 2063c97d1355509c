#include "check.h"

#include <wchar.h>

#include "base/buf.h"

static void pieces_become_one_text(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    assert_string_equal(lw_buf_z(&b), "");
    assert_non_null(lw_buf_str(&b).p);
    lw_buf_add(&b, lw_str_n("abcdef", 3));
    lw_buf_addz(&b, "-");
    lw_buf_add_char(&b, 'x');
    lw_buf_addf(&b, " %d %s", 42, "y");
    lw_buf_fill(&b, '.', 3);
    lw_buf_add(&b, (struct lw_str){NULL, 0});
    assert_string_equal(lw_buf_z(&b), "abc-x 42 y...");
    lw_buf_cut(&b, 99);
    assert_int_equal(b.n, 13);
    lw_buf_cut(&b, 5);
    assert_string_equal(lw_buf_z(&b), "abc-x");
    lw_buf_clear(&b);
    assert_str(lw_buf_str(&b), "");
    lw_buf_release(&b);
    lw_buf_clear(&b); /* released is as new */
    assert_int_equal(lw_buf_addz(&b, "again"), 0);
    lw_buf_release(&b);
}

static void room_is_for_foreign_writers(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 10);
    char *p = lw_buf_room(&b, 10);
    memcpy(p, "0123456789", 10);
    lw_buf_took(&b, 4);
    assert_string_equal(lw_buf_z(&b), "0123");
    assert_null(lw_buf_room(&b, 7));
    assert_int_equal(b.failed, LW_ELIMIT);
    lw_buf_release(&b);
}

/* The first failure sticks until clear. */
static void the_maximum_holds(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 5);
    assert_int_equal(lw_buf_addz(&b, "12345"), 0);
    assert_int_equal(lw_buf_add_char(&b, '6'), LW_ELIMIT);
    assert_int_equal(lw_buf_addz(&b, ""), LW_ELIMIT);
    assert_int_equal(lw_buf_addf(&b, "%d", 1), LW_ELIMIT);
    assert_int_equal(lw_buf_fill(&b, 'x', 0), LW_ELIMIT);
    assert_string_equal(lw_buf_z(&b), "12345");
    lw_buf_clear(&b);
    assert_int_equal(lw_buf_addf(&b, "%d", 54321), 0);
    assert_int_equal(lw_buf_fill(&b, 'x', SIZE_MAX), LW_ELIMIT);
    lw_buf_release(&b);
}

static void what_cannot_be_formatted_sticks_too(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    lw_buf_addz(&b, "a");
    /* No such character in the C locale: vsnprintf fails. */
    assert_true(lw_buf_addf(&b, "%lc", (wint_t)0x20ac) < 0);
    assert_true(b.failed < 0);
    assert_true(lw_buf_addz(&b, "b") < 0);
    assert_string_equal(lw_buf_z(&b), "a");
    lw_buf_release(&b);
}

static void a_huge_maximum_is_no_trap(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, SIZE_MAX);
    assert_int_equal(lw_buf_addz(&b, "abc"), 0);
    assert_int_equal(lw_buf_fill(&b, 'x', SIZE_MAX - 3), LW_ENOMEM);
    lw_buf_clear(&b);
    assert_int_equal(lw_buf_fill(&b, 'x', SIZE_MAX / 2), LW_ENOMEM);
    lw_buf_release(&b);
}

static int build(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_buf b;
    lw_buf_init(&b, mem, 0);
    for (int i = 0; i < 100; i++) {
        lw_buf_addf(&b, "%d,", i);
        lw_buf_fill(&b, ' ', 9);
        lw_buf_addz(&b, "words");
    }
    int rc = b.failed;
    assert_int_equal(strlen(lw_buf_z(&b)), b.n);
    lw_buf_release(&b);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(build, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pieces_become_one_text),
    cmocka_unit_test(room_is_for_foreign_writers),
    cmocka_unit_test(the_maximum_holds),
    cmocka_unit_test(what_cannot_be_formatted_sticks_too),
    cmocka_unit_test(a_huge_maximum_is_no_trap),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
