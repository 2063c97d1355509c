#include "check.h"

#include <pthread.h>
#include <sched.h>

#include "base/err.h"
#include "base/pool.h"

enum { ITEMS = 500 };

struct job {
    uint64_t results[ITEMS];
    size_t order[ITEMS]; /* as delivered */
    atomic_size_t delivered;
    pthread_t caller;
    atomic_size_t running, most_ahead, worked;
    size_t fail_work, fail_deliver; /* item number, or ITEMS */
    size_t cancel_at;
    atomic_bool cancel;
    bool silent; /* fail without a text */
};

static void prepare(struct job *job)
{
    memset(job, 0, sizeof *job);
    job->caller = pthread_self();
    job->fail_work = job->fail_deliver = job->cancel_at = ITEMS;
}

/* Uneven work: later items often finish before earlier ones. */
static int work(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct job *job = data;
    assert_true(worker < 8);
    size_t ahead = item - job->delivered;
    for (size_t i = 0; i < item * 7919 % 13; i++)
        sched_yield();
    if (ahead > atomic_load(&job->most_ahead))
        atomic_store(&job->most_ahead, ahead);
    job->results[item] = item * item;
    atomic_fetch_add(&job->worked, 1);
    if (item >= job->fail_work)
        return job->silent ? LW_EIO : lw_err_set(err, LW_EIO, "item %zu", item);
    return 0;
}

static int deliver(void *data, size_t item, struct lw_err *err)
{
    struct job *job = data;
    assert_true(pthread_equal(pthread_self(), job->caller));
    assert_int_equal(job->results[item], item * item);
    job->order[job->delivered++] = item;
    if (item == job->cancel_at)
        atomic_store(&job->cancel, true);
    return item == job->fail_deliver ? lw_err_set(err, LW_EINVAL, "delivery %zu", item) : 0;
}

static int run(struct job *job, size_t count, unsigned jobs, size_t window, struct lw_err *err)
{
    struct lw_pool pool = {.count = count,
                           .jobs = jobs,
                           .window = window,
                           .cancel = &job->cancel,
                           .data = job,
                           .work = work,
                           .deliver = deliver};
    int rc = lw_pool_run(&pool, err);
    for (size_t i = 0; i < job->delivered; i++)
        assert_int_equal(job->order[i], i);
    return rc;
}

static const unsigned job_counts[] = {0, 1, 2, 3, 8};

static void results_come_in_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < 5; k++)
        for (size_t count = 0; count <= ITEMS; count = count * 3 + 1) {
            struct job job;
            struct lw_err err = {0};
            prepare(&job);
            assert_int_equal(run(&job, count, job_counts[k], 0, &err), 0);
            assert_int_equal(job.delivered, count);
            assert_int_equal(atomic_load(&job.worked), count);
        }
}

static void the_window_bounds_what_waits(void **state)
{
    (void)state;
    for (size_t window = 1; window <= 9; window += 4) {
        struct job job;
        struct lw_err err = {0};
        prepare(&job);
        assert_int_equal(run(&job, ITEMS, 4, window, &err), 0);
        assert_int_equal(job.delivered, ITEMS);
        assert_in_range(atomic_load(&job.most_ahead), 0, window - 1);
    }
}

/* What was delivered and which failure is told do not depend on the number of threads. */
static void failures_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t round = 0; round < 40; round++)
        for (size_t k = 1; k < 5; k++) {
            struct job job;
            struct lw_err err = {0};
            prepare(&job);
            job.fail_work = 50; /* and all after it */
            assert_int_equal(run(&job, ITEMS, job_counts[k], round % 3 * 7, &err), LW_EIO);
            assert_string_equal(err.text, "item 50");
            assert_int_equal(job.delivered, 50);
            prepare(&job);
            job.fail_work = 50;
            job.fail_deliver = 45;
            assert_int_equal(run(&job, ITEMS, job_counts[k], round % 3 * 7, &err), LW_EINVAL);
            assert_string_equal(err.text, "delivery 45");
            assert_int_equal(job.delivered, 46);
        }
}

static void a_failure_without_words_is_one(void **state)
{
    (void)state;
    for (size_t k = 1; k < 5; k++) {
        struct job job;
        struct lw_err err = {0};
        prepare(&job);
        job.fail_work = 3;
        job.silent = true;
        assert_int_equal(run(&job, ITEMS, job_counts[k], 0, &err), LW_EIO);
        assert_int_equal(job.delivered, 3);
    }
}

static void cancelling_starts_nothing_new(void **state)
{
    (void)state;
    for (size_t k = 1; k < 5; k++) {
        struct job job;
        struct lw_err err = {0};
        prepare(&job);
        job.cancel_at = 10;
        assert_int_equal(run(&job, ITEMS, job_counts[k], 5, &err), LW_ECANCEL);
        assert_string_equal(err.text, "interrupted");
        assert_in_range(job.delivered, 11, 11 + 5);
        assert_int_equal(atomic_load(&job.worked), job.delivered);
    }
}

static void delivery_is_optional(void **state)
{
    (void)state;
    for (size_t k = 0; k < 5; k++) {
        struct job job;
        struct lw_err err = {0};
        prepare(&job);
        struct lw_pool pool = {
            .count = 100, .jobs = job_counts[k], .window = 3, .data = &job, .work = work};
        assert_int_equal(lw_pool_run(&pool, &err), 0);
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(job.results[i], i * i);
    }
}

static void there_is_a_processor(void **state)
{
    (void)state;
    assert_in_range(lw_cpu_count(), 1, 100000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(results_come_in_order),
    cmocka_unit_test(the_window_bounds_what_waits),
    cmocka_unit_test(failures_are_the_same_on_any_number_of_threads),
    cmocka_unit_test(a_failure_without_words_is_one),
    cmocka_unit_test(cancelling_starts_nothing_new),
    cmocka_unit_test(delivery_is_optional),
    cmocka_unit_test(there_is_a_processor),
};
CHECK_MAIN(tests)
