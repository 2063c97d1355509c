#include "check.h"

#include <pthread.h>

static void counts_what_is_handed_out(void **state)
{
    (void)state;
    struct lw_mem m;
    lw_mem_init(&m, 0);
    unsigned char *p = lw_mem_alloc(&m, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    assert_int_equal(atomic_load(&m.used), 100);
    p = lw_mem_realloc(&m, p, 100, 300);
    assert_int_equal(atomic_load(&m.used), 300);
    p = lw_mem_realloc(&m, p, 300, 10);
    assert_int_equal(atomic_load(&m.used), 10);
    assert_int_equal(atomic_load(&m.peak), 300);
    assert_int_equal(atomic_load(&m.calls), 3);
    lw_mem_free(&m, p, 10);
    lw_mem_free(&m, NULL, 0);
    assert_int_equal(atomic_load(&m.used), 0);
}

static void nothing_is_still_a_pointer(void **state)
{
    (void)state;
    struct lw_mem m;
    lw_mem_init(&m, 0);
    void *p = lw_mem_alloc(&m, 0);
    assert_non_null(p);
    p = lw_mem_realloc(&m, p, 0, 8);
    assert_non_null(p);
    p = lw_mem_realloc(&m, p, 8, 0);
    assert_non_null(p);
    assert_int_equal(atomic_load(&m.used), 0);
    lw_mem_free(&m, p, 0);
}

static void the_cap_holds_and_a_refusal_changes_nothing(void **state)
{
    (void)state;
    struct lw_mem m;
    lw_mem_init(&m, 100);
    char *p = lw_mem_alloc(&m, 60);
    memset(p, 'x', 60);
    assert_null(lw_mem_alloc(&m, 41));
    assert_null(lw_mem_realloc(&m, p, 60, 101));
    assert_int_equal(p[59], 'x');
    assert_null(lw_mem_alloc(&m, SIZE_MAX)); /* the sum would wrap */
    assert_null(lw_mem_realloc(&m, p, 60, SIZE_MAX));
    assert_int_equal(atomic_load(&m.used), 60);
    p = lw_mem_realloc(&m, p, 60, 100);
    assert_non_null(p);
    lw_mem_free(&m, p, 100);
}

static void what_the_system_refuses_is_not_counted(void **state)
{
    (void)state;
    struct lw_mem m;
    lw_mem_init(&m, 0);
    size_t volatile huge = SIZE_MAX / 2; /* malloc never gives more than PTRDIFF_MAX */
    assert_null(lw_mem_alloc(&m, huge));
    assert_null(lw_mem_alloc(NULL, huge));
    assert_int_equal(atomic_load(&m.used), 0);
    void *p = lw_mem_alloc(&m, 8);
    assert_null(lw_mem_realloc(&m, p, 8, huge));
    assert_int_equal(atomic_load(&m.used), 8);
    lw_mem_free(&m, p, 8);
}

static void the_nth_call_fails(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct lw_mem m;
        lw_mem_init(&m, 0);
        m.fail_at = 2;
        m.fail_all_after = all;
        void *p = lw_mem_alloc(&m, 1);
        assert_non_null(p);
        assert_null(lw_mem_realloc(&m, p, 1, 2));
        void *q = lw_mem_alloc(&m, 1);
        assert_int_equal(q == NULL, all);
        lw_mem_free(&m, p, 1);
        lw_mem_free(&m, q, 1);
        assert_int_equal(atomic_load(&m.used), 0);
    }
}

static void the_process_heap_needs_no_book(void **state)
{
    (void)state;
    char *p = lw_mem_alloc(NULL, 4);
    memcpy(p, "abc", 4);
    p = lw_mem_realloc(NULL, p, 4, 4000);
    assert_string_equal(p, "abc");
    lw_mem_free(NULL, p, 4000);
}

static void *churn(void *argument)
{
    struct lw_mem *m = argument;
    for (size_t i = 0; i < 2000; i++) {
        void *p = lw_mem_alloc(m, i % 50);
        p = lw_mem_realloc(m, p, i % 50, i % 70);
        lw_mem_free(m, p, i % 70);
    }
    return NULL;
}

static void threads_may_share_it(void **state)
{
    (void)state;
    struct lw_mem m;
    lw_mem_init(&m, 0);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, churn, &m), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&m.used), 0);
    assert_int_equal(atomic_load(&m.calls), 4 * 2000 * 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_what_is_handed_out),
    cmocka_unit_test(nothing_is_still_a_pointer),
    cmocka_unit_test(the_cap_holds_and_a_refusal_changes_nothing),
    cmocka_unit_test(what_the_system_refuses_is_not_counted),
    cmocka_unit_test(the_nth_call_fails),
    cmocka_unit_test(the_process_heap_needs_no_book),
    cmocka_unit_test(threads_may_share_it),
};
CHECK_MAIN(tests)
