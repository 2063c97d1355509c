/*
 * clock - time, injected so that tests decide what it is.
 */
#ifndef LW_BASE_CLOCK_H
#define LW_BASE_CLOCK_H

#include "lacewing.h"

struct lw_clock {
    double (*seconds)(void *data); /* monotonic, from an arbitrary start */
    int64_t (*wall)(void *data);   /* seconds since 1970-01-01 UTC */
    void *data;
};

struct lw_clock lw_clock_system(void);
/* Its seconds are those that the processor spent on the calling thread: for limits that do not
 * depend on what else the machine does. */
struct lw_clock lw_clock_thread(void);

enum { LW_TIME_TEXT = 24 };

/* "2026-03-01T12:00:00Z"; returns `out`. Years outside 1..9999 give "unknown". */
const char *lw_print_time(int64_t wall, char out[LW_TIME_TEXT]);

#endif
