/*
 * What every unit test includes: cmocka, and a walk through all out-of-memory paths.
 */
#ifndef LW_TESTS_CHECK_H
#define LW_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "lacewing.h"

#define assert_str(actual, expected)                                               \
    do {                                                                           \
        struct lw_str actual_ = (actual), expected_ = lw_str(expected);            \
        assert_int_equal(actual_.n, expected_.n);                                  \
        assert_memory_equal(actual_.n ? actual_.p : "", expected_.p, expected_.n); \
    } while (0)

/*
 * Runs `body(mem, data)` again and again, the n-th time with the n-th allocation failing, until
 * it succeeds (returns 0). Each failing run must return LW_ENOMEM and leave nothing allocated.
 */
static inline void check_every_allocation(int (*body)(struct lw_mem *, void *), void *data)
{
    for (size_t n = 1; n < 100000; n++) {
        struct lw_mem mem;
        lw_mem_init(&mem, 0);
        mem.fail_at = n;
        int rc = body(&mem, data);
        assert_int_equal(atomic_load(&mem.used), 0);
        if (atomic_load(&mem.calls) < n) {
            assert_int_equal(rc, 0);
            assert_true(n > 1); /* a body that never allocates proves nothing */
            return;
        }
        assert_int_equal(rc, LW_ENOMEM);
    }
    fail_msg("the walk does not end");
}

/* Runs a group with TAP output. */
#define CHECK_MAIN(tests)                                 \
    int main(void)                                        \
    {                                                     \
        cmocka_set_message_output(CM_OUTPUT_TAP);         \
        return cmocka_run_group_tests(tests, NULL, NULL); \
    }

#endif
