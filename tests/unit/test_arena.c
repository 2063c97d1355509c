#include "check.h"

#include "base/arena.h"

static void allocations_are_zeroed_and_aligned(void **state)
{
    (void)state;
    struct lw_arena a;
    lw_arena_init(&a, NULL, 0);
    for (size_t round = 0; round < 3; round++) {
        for (size_t n = 0; n < 3000; n += 7) {
            unsigned char *p = lw_arena_alloc(&a, n);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, n);
            char *text = lw_arena_bytes(&a, 3);
            memcpy(text, "abc", 3);
        }
        lw_arena_clear(&a);
    }
    lw_arena_release(&a);
}

static void what_was_handed_out_never_moves(void **state)
{
    (void)state;
    struct lw_arena a;
    lw_arena_init(&a, NULL, 0);
    uint32_t *kept[500];
    for (uint32_t i = 0; i < 500; i++) {
        kept[i] = lw_arena_alloc(&a, 64 + i * 3);
        *kept[i] = i;
    }
    for (uint32_t i = 0; i < 500; i++)
        assert_int_equal(*kept[i], i);
    lw_arena_release(&a);
}

static void the_cap_holds(void **state)
{
    (void)state;
    struct lw_arena a;
    lw_arena_init(&a, NULL, 1000);
    assert_non_null(lw_arena_bytes(&a, 900));
    assert_null(lw_arena_bytes(&a, 101));
    assert_non_null(lw_arena_bytes(&a, 100));
    assert_null(lw_arena_bytes(&a, 1));
    assert_null(lw_arena_array(&a, SIZE_MAX / 2, 4));
    lw_arena_clear(&a);
    assert_non_null(lw_arena_bytes(&a, 1000));
    lw_arena_release(&a);
}

/* Refused requests leave nothing behind, however often they come. */
static void a_refused_request_takes_no_memory(void **state)
{
    (void)state;
    struct lw_mem mem;
    struct lw_arena a;
    lw_mem_init(&mem, 0);
    lw_arena_init(&a, &mem, 100000);
    assert_null(lw_arena_alloc(&a, 100001));
    assert_int_equal(atomic_load(&mem.used), 0);
    assert_non_null(lw_arena_bytes(&a, 1));
    size_t used = atomic_load(&mem.used);
    for (int i = 0; i < 10; i++) {
        assert_null(lw_arena_alloc(&a, 100000));
        assert_null(lw_arena_alloc(&a, SIZE_MAX));
    }
    assert_int_equal(atomic_load(&mem.used), used);
    lw_arena_release(&a);
}

static void rewind_frees_what_came_after_the_mark(void **state)
{
    (void)state;
    struct lw_mem mem;
    struct lw_arena a;
    lw_mem_init(&mem, 0);
    lw_arena_init(&a, &mem, 0);
    struct lw_arena_mark empty = lw_arena_mark(&a);
    char *first = lw_arena_bytes(&a, 10);
    memcpy(first, "0123456789", 10);
    struct lw_arena_mark mark = lw_arena_mark(&a);
    size_t used = atomic_load(&mem.used);
    for (int i = 0; i < 100; i++)
        assert_non_null(lw_arena_alloc(&a, 1000));
    assert_true(atomic_load(&mem.used) > used);
    lw_arena_rewind(&a, mark);
    assert_int_equal(atomic_load(&mem.used), used);
    assert_memory_equal(first, "0123456789", 10);
    lw_arena_rewind(&a, empty);
    assert_int_equal(atomic_load(&mem.used), 0);
}

static int copy_and_print(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_arena a;
    lw_arena_init(&a, mem, 0);
    int rc = LW_ENOMEM;
    for (int i = 0; i < 200; i++) {
        struct lw_str s = lw_arena_printf(&a, "number %d of %s", i, "many words");
        struct lw_str copy = s.p ? lw_arena_copy(&a, s) : s;
        if (!copy.p)
            goto out;
        assert_true(lw_str_eq(s, copy));
        assert_int_equal(copy.p[copy.n], '\0');
    }
    rc = 0;
out:
    lw_arena_release(&a);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(copy_and_print, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(allocations_are_zeroed_and_aligned),
    cmocka_unit_test(what_was_handed_out_never_moves),
    cmocka_unit_test(the_cap_holds),
    cmocka_unit_test(a_refused_request_takes_no_memory),
    cmocka_unit_test(rewind_frees_what_came_after_the_mark),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
