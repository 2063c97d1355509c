#include "check.h"

#include "base/vec.h"

struct wide {
    char pad[40];
    int value;
};

static void elements_keep_order_and_value(void **state)
{
    (void)state;
    struct lw_mem mem;
    lw_mem_init(&mem, 0);
    LW_VEC(struct wide) v = {0};
    for (int i = 0; i < 1000; i++) {
        struct wide w = {.value = i};
        assert_int_equal(lw_vec_push(&mem, &v, w), 0);
    }
    assert_int_equal(v.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.v[i].value, i);
    assert_int_equal(atomic_load(&mem.used), v.cap * sizeof *v.v);
    lw_vec_release(&mem, &v);
    assert_null(v.v);
    assert_int_equal(v.n + v.cap, 0);
    assert_int_equal(atomic_load(&mem.used), 0);
    lw_vec_release(&mem, &v);
}

static void reserve_grows_once(void **state)
{
    (void)state;
    struct lw_mem mem;
    lw_mem_init(&mem, 0);
    LW_VEC(int) v = {0};
    assert_int_equal(lw_vec_reserve(&mem, &v, 100), 0);
    size_t calls = atomic_load(&mem.calls);
    for (int i = 0; i < 100; i++)
        lw_vec_push(&mem, &v, i);
    assert_int_equal(lw_vec_reserve(&mem, &v, 0), 0);
    assert_int_equal(atomic_load(&mem.calls), calls);
    lw_vec_release(&mem, &v);
}

static void trim_keeps_the_elements(void **state)
{
    (void)state;
    struct lw_mem mem;
    lw_mem_init(&mem, 0);
    LW_VEC(int) v = {0};
    lw_vec_trim(&mem, &v);
    assert_int_equal(lw_vec_reserve(&mem, &v, 100), 0);
    for (int i = 0; i < 3; i++)
        lw_vec_push(&mem, &v, i);
    lw_vec_trim(&mem, &v);
    assert_int_equal(v.cap, 3);
    assert_int_equal(atomic_load(&mem.used), 3 * sizeof(int));
    assert_int_equal(lw_vec_push(&mem, &v, 3), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(v.v[i], i);
    v.n = 0;
    lw_vec_trim(&mem, &v);
    assert_null(v.v);
    assert_int_equal(atomic_load(&mem.used), 0);
}

static void sizes_that_wrap_are_refused(void **state)
{
    (void)state;
    LW_VEC(struct wide) v = {0};
    assert_int_equal(lw_vec_reserve(NULL, &v, SIZE_MAX / 8), LW_ENOMEM); /* product */
    assert_int_equal(lw_vec_reserve(NULL, &v, SIZE_MAX), LW_ENOMEM);     /* doubling */
    struct wide w = {.value = 1};
    assert_int_equal(lw_vec_push(NULL, &v, w), 0);
    assert_int_equal(lw_vec_reserve(NULL, &v, SIZE_MAX), LW_ENOMEM); /* sum */
    assert_int_equal(v.n, 1);
    assert_int_equal(v.v[0].value, 1);
    lw_vec_release(NULL, &v);
}

static int fill(struct lw_mem *mem, void *data)
{
    (void)data;
    LW_VEC(uint64_t) v = {0};
    int rc = 0;
    for (uint64_t i = 0; i < 500 && rc == 0; i++)
        rc = lw_vec_push(mem, &v, i);
    for (size_t i = 0; i < v.n; i++)
        assert_int_equal(v.v[i], i);
    lw_vec_release(mem, &v);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(fill, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(elements_keep_order_and_value),
    cmocka_unit_test(reserve_grows_once),
    cmocka_unit_test(trim_keeps_the_elements),
    cmocka_unit_test(sizes_that_wrap_are_refused),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
