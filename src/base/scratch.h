/*
 * scratch - a folder for the time of one run, that does not outlive us for long.
 *
 * It lies below $TMPDIR (or /tmp) and is locked while its maker lives, so that a later process
 * can tell what a killed one left behind, whatever process numbers have become, and remove it.
 * The folder handed out is one level deeper: it may be given to another user, and the program
 * that runs in it may do with it what it likes, while the lock and the name stay ours.
 */
#ifndef LW_BASE_SCRATCH_H
#define LW_BASE_SCRATCH_H

#include "base/buf.h"
#include "base/leftover.h"
#include "lacewing.h"

struct lw_scratch {
    struct lw_buf outer; /* "$TMPDIR/lacewing-run-XXXXXX" */
    struct lw_buf path;  /* the folder to use: absolute, empty, mode 0700 */
    int lock;
    struct lw_leftover left;
};

/* Release it in every case. */
int lw_scratch_make(struct lw_scratch *s, struct lw_mem *mem, struct lw_err *err);

/* Removes it and all it holds. */
void lw_scratch_release(struct lw_scratch *s);

/* Removes what killed processes of this user left; returns how many folders. */
size_t lw_scratch_sweep(void);

#endif
