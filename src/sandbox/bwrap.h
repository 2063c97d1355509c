/*
 * bwrap - the command line that makes bubblewrap confine a program.
 *
 * Inside there are: /usr and what a linker and Python need of /etc, read-only; empty /tmp and
 * /dev/shm of bounded size; /proc of its own processes, without the first one, which is
 * bubblewrap; the working directory, read-write, at /bug; the extra folders of the policy,
 * read-only. Nothing else of the machine can be seen.
 * Internal to sandbox/.
 */
#ifndef LW_SANDBOX_BWRAP_H
#define LW_SANDBOX_BWRAP_H

#include <sys/types.h>

#include "base/arena.h"
#include "lacewing.h"
#include "sandbox/sandbox.h"

/* How bubblewrap is used. */
enum bwrap_mode {
    BWRAP_NONE,
    BWRAP_DROP, /* by root, without a user namespace; setpriv then changes to a user of ours */
    BWRAP_USER  /* with a user namespace, by anybody */
};

/* Which descriptors the program gets (lw_proc.fds hands them over in this order). */
enum bwrap_fd { BWRAP_STATUS_FD = 3, BWRAP_PASSWD_FD, BWRAP_GROUP_FD, BWRAP_FILTER_FD };

struct bwrap_plan {
    enum bwrap_mode mode;
    const char *program; /* path of bwrap */
    const char *setpriv; /* path of setpriv, for BWRAP_DROP */
    uid_t uid;           /* user and group of the program, as it sees itself */
    bool filter;         /* BWRAP_FILTER_FD is there */
    const char *room;    /* where a room (room.h) is mounted, or NULL: the policy's folder */
    const struct lw_policy *policy;
    const char *const *argv; /* the program's */
};

/* The whole argument list, ending with NULL, in `arena`; NULL when memory ran out. */
const char *const *bwrap_argv(struct lw_arena *arena, const struct bwrap_plan *plan);

/* "exit-code" of the text bubblewrap wrote to BWRAP_STATUS_FD, or -1 when there is none: then
 * the program was never started. */
int bwrap_exit_code(struct lw_str status);

#endif
