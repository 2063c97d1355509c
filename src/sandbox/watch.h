/*
 * watch - looking at a running tree of processes, from outside, again and again.
 *
 * Limits on single processes do not bound what a tree of them uses together. Memory, CPU time
 * and disk are summed up at each look, and the tree is ended when a sum is too large.
 * Where a cgroup already bounds memory and processes, its counters say whether they were hit;
 * where the disk is a room, the room does.
 * Internal to sandbox/.
 */
#ifndef LW_SANDBOX_WATCH_H
#define LW_SANDBOX_WATCH_H

#include <sys/types.h>

#include "lacewing.h"
#include "sandbox/cgroup.h"
#include "sandbox/room.h"

struct watch {
    const struct cgroup *group; /* version 0: no group, sums are all there is */
    uint64_t memory_bytes;      /* 0 = no limit, here and below */
    double cpu_seconds;
    struct room *room; /* without one (dir NULL) the size of `dir` is looked at */
    const char *dir;   /* may be NULL */
    uint64_t disk_bytes;
    bool inside; /* bubblewrap's /tmp and /dev/shm are there */

    uint64_t peak_bytes; /* out: the largest sum of memory seen */
    double next_disk;    /* when to look at the disk again */
    double next_held;    /* when to look again at what is held without a name */
    uint64_t held_at;    /* the size of the tree's mappings at the last such look */
    uint64_t shared_bytes, socket_bytes; /* what that look has found */
};

/* One look; LW_RUN_NOT_STARTED when all is well. */
enum lw_run_end watch_look(struct watch *w, pid_t supervisor);

/* What the group counted, also after everything is gone. */
enum lw_run_end watch_group(const struct watch *w);

/* What the run has written, also after everything is gone. */
enum lw_run_end watch_disk(const struct watch *w);

/* Processes and threads of our own user on this machine. */
uint64_t watch_user_tasks(void);

#endif
