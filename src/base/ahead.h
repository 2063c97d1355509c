/*
 * ahead - one thread makes things in order, the calling thread uses them meanwhile.
 *
 * For work that has an order of its own on both sides, such as a file that is read from front
 * to back into a store that belongs to one thread. Things live in numbered slots that are used
 * again and again, so memory is bounded. A slot belongs to one side at a time.
 */
#ifndef LW_BASE_AHEAD_H
#define LW_BASE_AHEAD_H

#include "lacewing.h"

struct lw_ahead {
    size_t slots; /* at least 2 for both sides to work at once */
    void *data;
    /* Fills the slot; `*last` when nothing follows. On another thread. 0 or negative. */
    int (*make)(void *data, size_t slot, bool *last, struct lw_err *err);
    /* Uses the slot, on the calling thread. 0, or negative to stop. */
    int (*use)(void *data, size_t slot, struct lw_err *err);
};

/* 0 or the first failure, in the order in which things are made. What a failing `make` left in
 * its slot is used as well. The other thread has ended when it returns; where none can be
 * started both sides take turns. */
int lw_ahead_run(const struct lw_ahead *ahead, struct lw_err *err);

#endif
