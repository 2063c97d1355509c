#include "base/ahead.h"

#include <pthread.h>

#include "base/err.h"

struct run {
    const struct lw_ahead *ahead;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* one of the counts, or an end, has changed */
    size_t made, used;
    bool stop;             /* the user wants no more */
    bool ended;            /* the maker has made its last one */
    struct lw_err failure; /* of the maker */
};

/* Waits for an empty slot; false when no more are wanted. */
static bool wait_for_room(struct run *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->stop && r->made - r->used == r->ahead->slots)
        pthread_cond_wait(&r->moved, &r->lock);
    bool wanted = !r->stop;
    pthread_mutex_unlock(&r->lock);
    return wanted;
}

static void hand_over(struct run *r, bool last)
{
    pthread_mutex_lock(&r->lock);
    r->made++;
    r->ended = last;
    pthread_cond_signal(&r->moved);
    pthread_mutex_unlock(&r->lock);
}

static void *make_all(void *argument)
{
    struct run *r = argument;
    bool last = false;
    for (size_t i = 0; !last && wait_for_room(r); i++) {
        int rc = r->ahead->make(r->ahead->data, i % r->ahead->slots, &last, &r->failure);
        if (rc < 0)
            r->failure.code = rc;
        last = last || rc < 0;
        hand_over(r, last);
    }
    return NULL;
}

/* Waits for a full slot; false when there will be none. */
static bool wait_for_next(struct run *r)
{
    pthread_mutex_lock(&r->lock);
    while (r->made == r->used && !r->ended)
        pthread_cond_wait(&r->moved, &r->lock);
    bool more = r->made > r->used;
    pthread_mutex_unlock(&r->lock);
    return more;
}

static void give_back(struct run *r, bool stop)
{
    pthread_mutex_lock(&r->lock);
    r->used++;
    r->stop = stop;
    pthread_cond_signal(&r->moved);
    pthread_mutex_unlock(&r->lock);
}

static int use_all(struct run *r, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && wait_for_next(r); i++) {
        rc = r->ahead->use(r->ahead->data, i % r->ahead->slots, err);
        give_back(r, rc < 0);
    }
    return rc;
}

static int take_turns(const struct lw_ahead *ahead, struct lw_err *err)
{
    bool last = false;
    int rc = 0;
    while (rc == 0 && !last) {
        struct lw_err why = {0};
        int made = ahead->make(ahead->data, 0, &last, &why);
        rc = ahead->use(ahead->data, 0, err);
        if (rc == 0 && made < 0) {
            *err = why;
            rc = err->code = made;
        }
    }
    return rc;
}

int lw_ahead_run(const struct lw_ahead *ahead, struct lw_err *err)
{
    struct run r = {.ahead = ahead};
    pthread_t maker;
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.moved, NULL);
    int rc;
    if (ahead->slots < 2 || pthread_create(&maker, NULL, make_all, &r) != 0) {
        rc = take_turns(ahead, err);
    } else {
        rc = use_all(&r, err);
        pthread_join(maker, NULL);
        if (rc == 0 && r.failure.code) {
            *err = r.failure;
            rc = err->code;
        }
    }
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.lock);
    return rc;
}
