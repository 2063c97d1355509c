/*
 * filter - the system calls a confined program may not make.
 *
 * A list of what is dangerous, not of what is allowed: numeric frameworks use too many calls,
 * and new ones with every release. What is denied fails with EPERM, so that programs see an
 * ordinary error. Internal to sandbox/.
 */
#ifndef LW_SANDBOX_FILTER_H
#define LW_SANDBOX_FILTER_H

#include "base/mem.h"
#include "lacewing.h"

/* The BPF program, an array of struct sock_filter; owned, freed by filter_release. */
struct filter {
    void *code;
    size_t bytes;
};

/* What is denied beside what always is, because nothing else would bound it. */
enum {
    FILTER_NO_INET = 1,      /* internet sockets: there is no network namespace */
    FILTER_NO_IPC = 2,       /* System V and POSIX queues, semaphores and shared memory, which
                              * outlive a run: there is no IPC namespace */
    FILTER_NO_UNCOUNTED = 4, /* memory that no process's figures show: there is no cgroup */
    FILTER_NO_FALLOCATE = 8, /* space taken without being written: the disk is only watched */
    FILTER_KINDS = 16
};

int filter_build(struct filter *out, struct lw_mem *mem, unsigned flags, struct lw_err *err);
void filter_release(struct filter *f, struct lw_mem *mem);

/* Binds the calling process and all it starts, for good; async-signal-safe. 0 or errno. */
int filter_install(const struct filter *f);

#endif
