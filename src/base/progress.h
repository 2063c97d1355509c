/*
 * progress - a bar with rate and time left, drawn only on a terminal.
 *
 *     verify [#######             ] 4/12  1.3/s  eta 0:06  pt-linear-in-features
 *
 * Steps may be reported from any thread. Redrawn at most ten times a second.
 */
#ifndef LW_BASE_PROGRESS_H
#define LW_BASE_PROGRESS_H

#include <pthread.h>

#include "base/clock.h"
#include "base/term.h"
#include "lacewing.h"

struct lw_progress {
    struct lw_term term;
    struct lw_clock clock;
    const char *label; /* borrowed */
    uint64_t total;    /* 0 = unknown */
    uint64_t done;
    double started, drawn;
    bool shown; /* something is on the line now */
    pthread_mutex_t lock;
};

void lw_progress_init(struct lw_progress *p, struct lw_term term, struct lw_clock clock,
                      const char *label, uint64_t total);

/* `n` more are done; `what` (may be empty) is shown behind the bar. */
void lw_progress_step(struct lw_progress *p, uint64_t n, struct lw_str what);

/* Wipes the bar, so that other lines can be printed; the next step draws it again. */
void lw_progress_hide(struct lw_progress *p);

void lw_progress_finish(struct lw_progress *p);

#endif
