#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

enum state { WAITING, DONE };

struct run {
    const struct lw_pool *pool;
    pthread_mutex_t lock;
    pthread_cond_t finished; /* an item is done, or a worker ended */
    pthread_cond_t room;     /* delivery has moved on */
    unsigned char *states;   /* per item */
    size_t next;             /* first item not started */
    size_t delivered;        /* items handed to deliver */
    size_t running;          /* workers alive */
    bool stop;
    size_t failed_item;
    struct lw_err failure;
};

struct worker {
    struct run *run;
    unsigned number;
    pthread_t thread;
};

static bool is_canceled(const struct lw_pool *pool)
{
    return pool->cancel && atomic_load(pool->cancel);
}

static void note_failure(struct run *r, size_t item, int code, const struct lw_err *err)
{
    if (r->failure.code == 0 || item < r->failed_item) {
        r->failed_item = item;
        r->failure = *err;
        r->failure.code = code;
    }
    r->stop = true;
}

/* Takes the next item; false when there is none for this worker any more. Holds the lock. */
static bool take_item(struct run *r, size_t *item)
{
    const struct lw_pool *pool = r->pool;
    while (!r->stop && r->next < pool->count && pool->window != 0 &&
           r->next >= r->delivered + pool->window)
        pthread_cond_wait(&r->room, &r->lock);
    if (r->stop || r->next >= pool->count || is_canceled(pool))
        return false;
    *item = r->next++;
    return true;
}

static void *work_loop(void *argument)
{
    struct worker *w = argument;
    struct run *r = w->run;
    size_t item;
    pthread_mutex_lock(&r->lock);
    while (take_item(r, &item)) {
        pthread_mutex_unlock(&r->lock);
        struct lw_err err = {0};
        int rc = r->pool->work(r->pool->data, item, w->number, &err);
        pthread_mutex_lock(&r->lock);
        if (rc < 0)
            note_failure(r, item, rc, &err);
        r->states[item] = DONE;
        pthread_cond_signal(&r->finished);
    }
    r->running--;
    pthread_cond_signal(&r->finished);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* Can the next item be handed over? Those before a failed one are, as they would be on a single
 * thread: all of them have been started. */
static bool is_next_ready(const struct run *r)
{
    return r->delivered < r->next && r->states[r->delivered] == DONE &&
           (r->failure.code == 0 || r->delivered < r->failed_item);
}

/* Hands finished items over in order until the workers have ended. Holds the lock. */
static void deliver_loop(struct run *r)
{
    const struct lw_pool *pool = r->pool;
    for (;;) {
        while (is_next_ready(r)) {
            size_t item = r->delivered;
            pthread_mutex_unlock(&r->lock);
            struct lw_err err = {0};
            int rc = pool->deliver ? pool->deliver(pool->data, item, &err) : 0;
            pthread_mutex_lock(&r->lock);
            if (rc < 0)
                note_failure(r, item, rc, &err);
            r->delivered++;
            pthread_cond_broadcast(&r->room);
        }
        if (r->stop)
            pthread_cond_broadcast(&r->room);
        if (r->running == 0) /* all that was started is done, and so handed over */
            return;
        pthread_cond_wait(&r->finished, &r->lock);
    }
}

static int run_alone(const struct lw_pool *pool, struct lw_err *err)
{
    for (size_t item = 0; item < pool->count; item++) {
        if (is_canceled(pool))
            return lw_err_set(err, LW_ECANCEL, "interrupted");
        int rc = pool->work(pool->data, item, 0, err);
        if (rc == 0 && pool->deliver)
            rc = pool->deliver(pool->data, item, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static unsigned start_workers(struct run *r, struct worker *workers, unsigned jobs)
{
    unsigned started = 0;
    r->running = jobs;
    while (started < jobs) {
        workers[started] = (struct worker){.run = r, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work_loop, &workers[started]) != 0)
            break;
        started++;
    }
    pthread_mutex_lock(&r->lock);
    r->running -= jobs - started;
    pthread_mutex_unlock(&r->lock);
    return started;
}

static int outcome(const struct run *r, struct lw_err *err)
{
    if (r->failure.code) {
        *err = r->failure;
        return err->code;
    }
    if (r->delivered < r->pool->count)
        return lw_err_set(err, LW_ECANCEL, "interrupted");
    return 0;
}

int lw_pool_run(const struct lw_pool *pool, struct lw_err *err)
{
    enum { MAX_JOBS = 256 };
    unsigned jobs = pool->jobs > MAX_JOBS ? MAX_JOBS : pool->jobs;
    if (jobs > pool->count)
        jobs = (unsigned)pool->count;
    if (jobs <= 1)
        return run_alone(pool, err);
    struct run r = {.pool = pool};
    struct worker workers[MAX_JOBS];
    r.states = lw_mem_alloc(NULL, pool->count);
    if (!r.states)
        return lw_err_nomem(err);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.finished, NULL);
    pthread_cond_init(&r.room, NULL);
    unsigned started = start_workers(&r, workers, jobs);
    int rc;
    if (started == 0) {
        rc = run_alone(pool, err);
    } else {
        pthread_mutex_lock(&r.lock);
        deliver_loop(&r);
        pthread_mutex_unlock(&r.lock);
        for (unsigned i = 0; i < started; i++)
            pthread_join(workers[i].thread, NULL);
        rc = outcome(&r, err);
    }
    pthread_cond_destroy(&r.room);
    pthread_cond_destroy(&r.finished);
    pthread_mutex_destroy(&r.lock);
    lw_mem_free(NULL, r.states, pool->count);
    return rc;
}

unsigned lw_cpu_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than the set can hold */
    return n > 0 ? (unsigned)n : 1;
}
