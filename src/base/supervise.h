/*
 * supervise - the process that stands between us and a program we run.
 *
 * Each run has a supervisor of its own: a fork of the calling process that never execs. It is
 * the subreaper of the program, so whatever the program starts, also what detaches itself by
 * double fork and setsid, ends as the supervisor's child and is found, killed and reaped. It
 * kills the whole tree when the program itself has ended, when there are too many processes in
 * it, when the control pipe is closed, and therefore also when we die by SIGKILL. Being one
 * process per run it needs no process-wide setting, no signal handler and no lock in the
 * caller, which may have many threads.
 *
 * After the fork only async-signal-safe calls are made; nothing allocates. Internal to base/.
 */
#ifndef LW_BASE_SUPERVISE_H
#define LW_BASE_SUPERVISE_H

#include "base/proc.h"

struct supervise_plan {
    const char *path; /* what to execute */
    const struct lw_proc *proc;
    pid_t caller;
    int in, out, err; /* what becomes 0, 1, 2 of the program */
    int control;      /* read end: closed by the caller to have the tree killed */
    int report;       /* write end: struct supervise_report records */
};

enum supervise_kind {
    SUPERVISE_BEGUN = 1, /* pid */
    SUPERVISE_FAILED,    /* stage, error: the program was not started */
    SUPERVISE_ENDED      /* everything else; the tree is gone */
};

enum supervise_stage {
    STAGE_FORK = 1,
    STAGE_LIMITS,
    STAGE_CWD,
    STAGE_FILES,
    STAGE_ENTER,
    STAGE_EXEC
};

/* Small enough that a pipe takes each record whole. */
struct supervise_report {
    int kind;
    int stage;
    int error;
    int status; /* of wait(2) */
    pid_t pid;
    bool too_many; /* processes and threads: the tree was killed for it */
    double stop;   /* when the program ended, by supervise_clock */
    double cpu_seconds;
    uint64_t peak_bytes; /* largest single process; 0 when it cannot be told */
};

/* Seconds of the monotonic clock, the same in both processes. */
double supervise_clock(void);

/* Becomes the supervisor; called in the child of a fork with all signals blocked. */
_Noreturn void supervise_run(const struct supervise_plan *plan);

#endif
