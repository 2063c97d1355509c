/*
 * pool - the same work on many items, on several threads, with results in order.
 *
 * Items are numbered; `work` runs them on any thread, `deliver` sees them on the calling thread
 * in the order of their numbers, so output does not depend on the number of threads.
 */
#ifndef LW_BASE_POOL_H
#define LW_BASE_POOL_H

#include <stdatomic.h>

#include "lacewing.h"

struct lw_pool {
    size_t count;  /* items */
    unsigned jobs; /* threads, at least 1; with 1 everything runs on the calling thread */
    size_t window; /* items may run this far ahead of delivery (bounds memory); 0 = no bound */
    const atomic_bool *cancel; /* borrowed, may be NULL: when true no new item is started */
    void *data;
    /* Works on `item`; stores its result where `deliver` finds it. 0, or negative to stop. */
    int (*work)(void *data, size_t item, unsigned worker, struct lw_err *err);
    /* May be NULL. 0, or negative to stop. */
    int (*deliver)(void *data, size_t item, struct lw_err *err);
};

/* 0; LW_ECANCEL; or the failure of the item with the lowest number. All items before that one
 * have been delivered and none after it, on any number of threads; all threads have ended when
 * it returns. */
int lw_pool_run(const struct lw_pool *pool, struct lw_err *err);

/* Processors this process may use. */
unsigned lw_cpu_count(void);

#endif
