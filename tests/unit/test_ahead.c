#include "check.h"

#include <pthread.h>
#include <sched.h>

#include "base/ahead.h"
#include "base/err.h"

enum { MOST_SLOTS = 4 };

struct job {
    size_t slots, count; /* things to make */
    size_t held[MOST_SLOTS];
    size_t made, used;
    size_t fail_make, fail_use; /* number of the thing, or SIZE_MAX */
    bool silent;                /* fail without a text */
    pthread_t caller;
    bool other_thread;
};

static void dawdle(size_t seed)
{
    for (size_t i = 0; i < seed * 7919 % 5; i++)
        sched_yield();
}

static int refuse(const struct job *job, struct lw_err *err, int code, const char *what,
                  size_t n)
{
    return job->silent ? code : lw_err_set(err, code, "%s %zu", what, n);
}

static int make(void *data, size_t slot, bool *last, struct lw_err *err)
{
    struct job *job = data;
    dawdle(job->made);
    assert_true(slot < job->slots);
    assert_int_equal(job->held[slot], SIZE_MAX); /* it was used before it is filled again */
    job->held[slot] = job->made++;
    *last = job->made == job->count;
    job->other_thread = !pthread_equal(pthread_self(), job->caller);
    return job->made - 1 == job->fail_make ? refuse(job, err, LW_EIO, "making", job->made - 1)
                                           : 0;
}

static int use(void *data, size_t slot, struct lw_err *err)
{
    struct job *job = data;
    dawdle(job->used + 3);
    assert_true(pthread_equal(pthread_self(), job->caller));
    assert_int_equal(job->held[slot], job->used); /* in order */
    job->held[slot] = SIZE_MAX;
    return job->used++ == job->fail_use ? refuse(job, err, LW_EINVAL, "using", job->used - 1)
                                        : 0;
}

static int run(struct job *job, size_t slots, size_t count, struct lw_err *err)
{
    job->slots = slots;
    job->count = count;
    job->made = job->used = 0;
    job->caller = pthread_self();
    for (size_t i = 0; i < MOST_SLOTS; i++)
        job->held[i] = SIZE_MAX;
    const struct lw_ahead ahead = {.slots = slots, .data = job, .make = make, .use = use};
    return lw_ahead_run(&ahead, err);
}

static void everything_made_is_used_in_order(void **state)
{
    (void)state;
    for (size_t slots = 1; slots <= MOST_SLOTS; slots++)
        for (size_t count = 1; count < 400; count = count * 3 + 1) {
            struct job job = {.fail_make = SIZE_MAX, .fail_use = SIZE_MAX};
            struct lw_err err = {0};
            assert_int_equal(run(&job, slots, count, &err), 0);
            assert_int_equal(job.made, count);
            assert_int_equal(job.used, count);
            assert_int_equal(job.other_thread, slots > 1);
        }
}

static void what_a_failing_maker_left_is_used(void **state)
{
    (void)state;
    for (size_t slots = 1; slots <= MOST_SLOTS; slots++) {
        struct job job = {.fail_make = 20, .fail_use = SIZE_MAX};
        struct lw_err err = {0};
        assert_int_equal(run(&job, slots, 100, &err), LW_EIO);
        assert_string_equal(err.text, "making 20");
        assert_int_equal(job.made, 21);
        assert_int_equal(job.used, 21);
    }
}

static void a_failing_user_stops_the_maker(void **state)
{
    (void)state;
    for (size_t slots = 1; slots <= MOST_SLOTS; slots++) {
        struct job job = {.fail_make = SIZE_MAX, .fail_use = 20};
        struct lw_err err = {0};
        assert_int_equal(run(&job, slots, 100, &err), LW_EINVAL);
        assert_string_equal(err.text, "using 20");
        assert_int_equal(job.used, 21);
        assert_in_range(job.made, 21, 21 + slots);
    }
}

static void the_earlier_failure_counts(void **state)
{
    (void)state;
    for (size_t slots = 1; slots <= MOST_SLOTS; slots++) {
        struct job job = {.fail_make = 21, .fail_use = 20};
        struct lw_err err = {0};
        assert_int_equal(run(&job, slots, 100, &err), LW_EINVAL);
        assert_string_equal(err.text, "using 20");
    }
}

static void a_failure_without_words_is_one(void **state)
{
    (void)state;
    for (size_t slots = 1; slots <= 2; slots++) {
        struct job job = {.fail_make = 3, .fail_use = SIZE_MAX, .silent = true};
        struct lw_err err = {0};
        assert_int_equal(run(&job, slots, 10, &err), LW_EIO);
        job.fail_use = 2;
        assert_int_equal(run(&job, slots, 10, &err), LW_EINVAL);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(everything_made_is_used_in_order),
    cmocka_unit_test(what_a_failing_maker_left_is_used),
    cmocka_unit_test(a_failing_user_stops_the_maker),
    cmocka_unit_test(the_earlier_failure_counts),
    cmocka_unit_test(a_failure_without_words_is_one),
};
CHECK_MAIN(tests)
