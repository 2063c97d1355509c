/*
 * leftover - what must be gone when the program is ended in the middle of its work.
 *
 * A signal can end the program at any point, also where no function returns for a while. Files
 * and folders with a temporary name are therefore listed here as long as they have it, and so
 * is every program that runs under a supervisor. Whoever ends the process (cli/ending.c) waits
 * for the runs and removes the rest. The list belongs to the process, not to a context: it
 * holds what the process would leave behind on the machine.
 *
 * Entries are owned by their makers, who take them out again; nothing here allocates. All
 * functions may be called from any thread, none from a signal handler.
 */
#ifndef LW_BASE_LEFTOVER_H
#define LW_BASE_LEFTOVER_H

#include <stdbool.h>

struct lw_leftover {
    const char *path; /* borrowed until it is dropped; NULL: a run */
    struct lw_leftover *next, **at;
};

/* Around the call that makes the file or folder, so that it never exists unlisted: `end` lists
 * it under `path`, or nothing when `path` is NULL. Nothing that may block long in between. */
void lw_leftover_begin(void);
void lw_leftover_end(struct lw_leftover *l, const char *path);

/* A program runs, and its end must be waited for. */
void lw_leftover_add_run(struct lw_leftover *l);

/* It has its final name, or is gone. Fine for one that is all zero. */
void lw_leftover_drop(struct lw_leftover *l);

bool lw_leftover_has_runs(void);

/* Removes all that is listed. From then on nothing new can be made: who tries waits for ever,
 * so the caller ends the process next. Waits at most `seconds` (below 1) for somebody between
 * begin and end, which a busy disk can make long. */
void lw_leftover_remove_all(double seconds);

#endif
