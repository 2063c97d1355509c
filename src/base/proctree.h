/*
 * proctree - looking at a tree of processes through /proc.
 *
 * Nothing here allocates, locks or touches errno-sensitive state of others: the functions are
 * async-signal-safe, because the supervisor (supervise.h) uses them between fork and exec of a
 * process with many threads. What they report is a snapshot; processes come and go meanwhile.
 */
#ifndef LW_BASE_PROCTREE_H
#define LW_BASE_PROCTREE_H

#include <sys/types.h>

#include "lacewing.h"

struct lw_proc_stat {
    pid_t parent;
    pid_t session;
    char state;         /* as in proc(5): R, S, D, Z, … */
    uint64_t cpu_ticks; /* its own and that of its waited-for children, in clock ticks */
    uint64_t threads;
    uint64_t vm_bytes; /* mapped, in memory or not */
    uint64_t rss_pages;
};

/* False when the process is gone or /proc is not there. */
bool lw_proc_stat(pid_t pid, struct lw_proc_stat *out);

/* Memory with shared pages divided among those who share them (PSS). */
struct lw_proc_pss {
    uint64_t bytes;
    uint64_t
        shmem_bytes; /* of them in shared memory and tmpfs files; 0 on kernels before 5.14 */
};

/* False when the kernel does not tell. Much slower than `rss_pages`: it walks the page tables.
 */
bool lw_proc_pss(pid_t pid, struct lw_proc_pss *out);

/* The descendants of `root` (without itself), parents before children; at most `room` of them
 * are stored, and the walk ends there. Returns how many were stored. */
size_t lw_proc_tree(pid_t root, pid_t *out, size_t room);

/* The same by reading all of /proc, for kernels without /proc/PID/task/TID/children. */
size_t lw_proc_tree_by_parent(pid_t root, pid_t *out, size_t room);

#endif
