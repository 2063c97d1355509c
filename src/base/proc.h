/*
 * proc - running programs, without a shell.
 *
 * A program gets an explicit environment, its own session, no open file but those named, and
 * limits. However it ends, the whole tree of processes it started is gone when lw_proc_run
 * returns (supervise.h says how). Any number of threads may run programs at the same time.
 *
 * Texts of the result live in the caller's arena. Everything in `struct lw_proc` is borrowed
 * for the call.
 */
#ifndef LW_BASE_PROC_H
#define LW_BASE_PROC_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/arena.h"
#include "lacewing.h"

enum {
    LW_PROC_MAX_FDS = 8,
    LW_PROC_KEEP = 1 << 20 /* bytes kept of each stream unless told otherwise */
};

/* Per process, as setrlimit(2), but the last; 0 leaves what we have ourselves. Core dumps are
 * always off. */
struct lw_proc_limits {
    uint64_t cpu_seconds;
    uint64_t address_bytes;
    uint64_t file_bytes;
    uint64_t open_files;
    uint64_t processes;  /* of the user, not of the tree; does not bind root */
    uint64_t tree_tasks; /* processes and threads of the tree; more of them end it with
                          * LW_RUN_PROCESS_LIMIT */
};

struct lw_proc {
    const char *const *argv; /* ends with NULL; a name without '/' is looked up on PATH */
    const char *const *env;  /* "NAME=value", ends with NULL; NULL stands for none at all */
    const char *cwd;         /* NULL: ours */
    struct lw_str input;     /* standard input; empty = /dev/null */

    size_t keep_bytes;     /* of each output stream; 0 = LW_PROC_KEEP */
    uint64_t output_limit; /* kill when a stream gets longer; 0 = read on and drop */
    double wall_seconds;   /* 0 = no limit */
    struct lw_proc_limits limits;
    const atomic_bool *cancel; /* looked at every 20 ms; may be NULL */

    const int *fds; /* become 3, 4, … of the program */
    size_t fd_count;

    /* Called in the child right before exec; async-signal-safe calls only. Returns 0 or an
     * errno value, which makes the start fail. */
    int (*enter)(void *data);

    /* Called in the supervisor when the tree is gone and so are we: what would otherwise be
     * left behind on the machine. Async-signal-safe calls only. */
    void (*leave)(void *data);

    /* Called here every `watch_seconds` (at first more often) while the program runs.
     * `supervisor` is the root of the tree to look at. A result other than LW_RUN_NOT_STARTED
     * kills the tree and becomes the end of the run. */
    enum lw_run_end (*watch)(void *data, pid_t supervisor);
    double watch_seconds;
    void *data; /* for all three */
};

/*
 * Runs the program to its end and fills `run` (also when it fails). 0 when it was started,
 * however it ended then. LW_EMISSING: no such program on PATH; LW_ENOENT, LW_EIO: it could not
 * be started; `run->end` is LW_RUN_NOT_STARTED then.
 *
 * Of a stream longer than `keep_bytes` the first and the last half are kept, with a line in
 * between that says how much is missing.
 */
int lw_proc_run(struct lw_run *run, struct lw_arena *arena, const struct lw_proc *proc,
                struct lw_err *err);

/* The first executable file `name` in the directories of PATH (or `name` itself when it holds a
 * '/'); false when there is none or memory ran out. */
bool lw_find_program(const char *name, struct lw_arena *arena, struct lw_str *path);

/* An environment for lw_proc: those of our own variables that `allowed` (ends with NULL) names,
 * then `extra` ("NAME=value", ends with NULL; may be NULL). NULL: out of memory. */
const char *const *lw_proc_env(struct lw_arena *arena, const char *const *allowed,
                               const char *const *extra);

#endif
