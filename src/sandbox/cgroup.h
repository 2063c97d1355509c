/*
 * cgroup - limits on the memory and the processes of a whole tree, by the kernel.
 *
 * Both versions. A group is made as a child of the one we are in ourselves, so that whatever
 * bounds us bounds the program too. Version 2 lets a group hold either processes or groups with
 * controllers; where that forbids a child, a sibling is made, but only when our own group has
 * no memory limit that the program would escape. Internal to sandbox/.
 */
#ifndef LW_SANDBOX_CGROUP_H
#define LW_SANDBOX_CGROUP_H

#include "base/arena.h"
#include "lacewing.h"

enum { CGROUP_PATH = 512 };

/* Where groups can be made; version 0: nowhere. */
struct cgroup_place {
    int version;
    char memory[CGROUP_PATH]; /* the folder in which to make a child */
    char pids[CGROUP_PATH];   /* the same one in version 2 */
};

/* One group, for one run. */
struct cgroup {
    int version; /* 0: none */
    char memory[CGROUP_PATH];
    char pids[CGROUP_PATH];
    int procs[2]; /* cgroup.procs of both, open for writing; -1 = none */
};

struct cgroup_state {
    uint64_t out_of_memory; /* processes killed for it, or connections that hold too much */
    uint64_t fork_refused;
};

/* Looks for a place, given the text of /proc/self/cgroup and /proc/self/mountinfo. A group is
 * made and removed to see that it works. Stale groups of dead processes are removed. */
void cgroup_find(struct cgroup_place *out, struct lw_str own, struct lw_str mounts);

/* Makes the group lacewing-PID-NUMBER; false (and version 0) when it cannot be had. */
bool cgroup_make(struct cgroup *out, const struct cgroup_place *place, unsigned number,
                 uint64_t memory_bytes, uint64_t processes);

/* Moves the calling process into it; async-signal-safe. 0 or errno. */
int cgroup_join(const struct cgroup *g);

void cgroup_look(const struct cgroup *g, struct cgroup_state *out);

/* Removes the folders; everything in the group must be gone. Async-signal-safe. */
void cgroup_remove(struct cgroup *g);

#endif
