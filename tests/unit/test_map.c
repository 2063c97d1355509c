#include "check.h"

#include "base/arena.h"
#include "base/map.h"

static void what_is_put_is_found_in_order(void **state)
{
    (void)state;
    struct lw_arena a;
    struct lw_map m;
    lw_arena_init(&a, NULL, 0);
    lw_map_init(&m, NULL);
    assert_null(lw_map_find(&m, LW_S("x")));
    for (uint64_t i = 0; i < 5000; i++) {
        bool is_new = false;
        struct lw_map_entry *e =
            lw_map_put(&m, lw_arena_printf(&a, "k%d", (int)(i * 7919 % 5000)), &is_new);
        assert_true(e && is_new && e->value == 0);
        e->value = i;
    }
    for (uint64_t i = 0; i < 5000; i++) {
        struct lw_str key = lw_arena_printf(&a, "k%d", (int)(i * 7919 % 5000));
        assert_int_equal(lw_map_get(&m, key, UINT64_MAX), i);
        assert_true(lw_str_eq(m.entries[i].key, key));
        bool is_new = true;
        assert_ptr_equal(lw_map_put(&m, key, &is_new), lw_map_find(&m, key));
        assert_false(is_new);
    }
    assert_int_equal(m.n, 5000);
    assert_int_equal(lw_map_get(&m, LW_S("k5000"), 77), 77);
    lw_map_release(&m);
    lw_arena_release(&a);
}

static void clear_forgets_and_can_be_filled_again(void **state)
{
    (void)state;
    struct lw_map m;
    lw_map_init(&m, NULL);
    lw_map_clear(&m);
    lw_map_put(&m, LW_S("a"), NULL)->value = 1;
    lw_map_clear(&m);
    assert_null(lw_map_find(&m, LW_S("a")));
    lw_map_put(&m, LW_S("b"), NULL);
    assert_null(lw_map_find(&m, LW_S("a")));
    assert_int_equal(m.n, 1);
    lw_map_put(&m, LW_S(""), NULL)->value = 9; /* the empty key is a key */
    assert_int_equal(lw_map_get(&m, (struct lw_str){NULL, 0}, 0), 9);
    lw_map_release(&m);
}

static void sorted_is_byte_order(void **state)
{
    (void)state;
    struct lw_map m;
    lw_map_init(&m, NULL);
    uint32_t order[5];
    lw_map_sorted(&m, order);
    static const char *const keys[] = {"b", "\xc3\xa9", "a", "", "ab"};
    for (size_t i = 0; i < 5; i++)
        lw_map_put(&m, lw_str(keys[i]), NULL);
    lw_map_sorted(&m, order);
    static const uint32_t expected[] = {3, 2, 4, 0, 1};
    assert_memory_equal(order, expected, sizeof expected);
    lw_map_release(&m);
}

static int fill(struct lw_mem *mem, void *data)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    (void)data;
    struct lw_map m;
    lw_map_init(&m, mem);
    int rc = 0;
    for (size_t i = 0; i < 52 && rc == 0; i++) {
        struct lw_map_entry *e = lw_map_put(&m, lw_str_n(letters + i, 1), NULL);
        if (e)
            e->value = i;
        else
            rc = LW_ENOMEM;
    }
    for (size_t i = 0; i < m.n; i++) /* a failed put leaves the others alone */
        assert_int_equal(lw_map_get(&m, lw_str_n(letters + i, 1), 99), i);
    lw_map_release(&m);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(fill, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_put_is_found_in_order),
    cmocka_unit_test(clear_forgets_and_can_be_filled_again),
    cmocka_unit_test(sorted_is_byte_order),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
