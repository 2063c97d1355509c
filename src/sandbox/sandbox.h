/*
 * sandbox - running untrusted programs.
 *
 * A program runs without network, sees the system's folders read-only, an empty /tmp, a copy of
 * its working directory at /bug, and nothing else; it has no capabilities and an environment of
 * its own, and everything it starts is bounded together in time, memory, processes, disk and
 * output, and gone afterwards. What was really enforced on this machine is recorded in
 * `run.isolation`: bwrap (namespaces), seccomp, cgroup1 or cgroup2 (else polling: the tree's
 * sums are looked at many times a second), rlimits; disk-polling where the run could not be
 * given a file system of bounded size and the folder itself is watched. Without "bwrap" in it
 * the isolation is weak: the program sees and may write what its user may. docs/threats.md says
 * what each of them bounds.
 *
 * A handle finds out once what works here; it may be used from any thread at the same time.
 */
#ifndef LW_SANDBOX_SANDBOX_H
#define LW_SANDBOX_SANDBOX_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/mem.h"
#include "lacewing.h"

typedef struct lw_sandbox lw_sandbox;

/* Where the working directory is, as the program sees it. */
#define LW_SANDBOX_DIR "/bug"

/* A folder or file shown read-only; `to` NULL: at the same place. Absolute paths. Within the
 * working directory it covers what is there. */
struct lw_bind {
    const char *from;
    const char *to;
};

/* Everything is borrowed for the time of a run. 0 = no limit, unless said otherwise. */
struct lw_policy {
    /* The working directory: absolute. The program works in a copy; where that cannot be had
     * (disk-polling, or no limit on the disk), in the folder itself, which it may change as it
     * likes and which, when we are root, belongs to another user during the run. So nothing of
     * it may be counted on afterwards. NULL: an empty one. */
    const char *dir;
    const struct lw_bind *binds;
    size_t bind_count;
    const char *const *env; /* more "NAME=value", ends with NULL; replaces ours; may be NULL */
    struct lw_str input;    /* standard input */

    double wall_seconds;
    uint64_t cpu_seconds;  /* of all processes together */
    uint64_t memory_bytes; /* of all processes together */
    uint64_t processes;    /* processes and threads together */
    uint64_t file_bytes;   /* each file */
    uint64_t disk_bytes;   /* written to the working directory, /tmp and /dev/shm together;
                            * being memory it counts as such too */
    uint64_t tmp_bytes;    /* /tmp and /dev/shm, each, with disk-polling */
    uint64_t open_files;   /* per process */
    size_t keep_bytes;     /* of each output stream (0: 1 MiB) */
    uint64_t output_bytes; /* more than this ends the program */

    const atomic_bool *cancel; /* may be NULL */
    bool allow_weak;           /* run it under limits alone where bubblewrap cannot work */
};

/* Sensible limits for a small program: 60 s, 2 GiB, 512 tasks, 256 MiB files, 1 GiB disk,
 * 256 MiB of /tmp, 64 MiB of output. */
void lw_policy_init(struct lw_policy *policy);

int lw_sandbox_new(lw_sandbox **out, struct lw_mem *mem, struct lw_err *err);
void lw_sandbox_free(lw_sandbox *sandbox);

/* Levels not to be used, for tests and to find out what one of them costs. Before the first
 * run. */
enum {
    LW_SANDBOX_BWRAP = 1,
    LW_SANDBOX_SECCOMP = 2,
    LW_SANDBOX_CGROUP = 4,
    LW_SANDBOX_ROOM = 8 /* a file system of bounded size */
};
void lw_sandbox_without(lw_sandbox *sandbox, unsigned levels);

/* What works here; found out by trying, once per handle (about 30 ms). */
struct lw_sandbox_ability {
    bool strong; /* bubblewrap works */
    bool seccomp;
    int cgroup;                 /* 1, 2, or 0: sums are polled */
    const char *isolation;      /* what run.isolation will say, e.g. "bwrap+seccomp+cgroup2" */
    const char *weak_isolation; /* and without bubblewrap */
    const char *why;            /* when not strong: one line, what to do about it */
};

/* Borrowed from the handle. */
const struct lw_sandbox_ability *lw_sandbox_probe(lw_sandbox *sandbox);

/*
 * Runs `argv` (ends with NULL; argv[0] a path inside, or a name on the PATH inside) to its end.
 * 0 when it was started, however it ended. LW_EMISSING: only weak isolation is possible here
 * and the policy does not allow it; `err` says why and how to fix it. A program killed by a
 * signal inside bubblewrap is known by its exit code 128 + n, as shells have it.
 */
int lw_sandbox_run(struct lw_run *run, struct lw_arena *arena, lw_sandbox *sandbox,
                   const struct lw_policy *policy, const char *const *argv, struct lw_err *err);

#endif
