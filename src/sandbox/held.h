/*
 * held - what processes hold that neither their resident memory nor any folder shows.
 *
 * Shared memory without a file stays when it is unmapped from a page table, a deleted file
 * stays while it is open or mapped, and what lies in a socket belongs to the kernel. Where no
 * cgroup counts them they are counted here, through /proc. Never less than is held, apart from
 * what happens during the look; sometimes more: a shared mapping counts whole, touched or not.
 * Internal to sandbox/.
 */
#ifndef LW_SANDBOX_HELD_H
#define LW_SANDBOX_HELD_H

#include <sys/types.h>

#include "lacewing.h"

enum { HELD_SEEN = 4096 }; /* a power of two */

/* A look at a tree, process by process. Everything counts once. */
struct held {
    uint64_t shared_bytes;  /* shared mappings of no file */
    uint64_t deleted_bytes; /* deleted files of the device, open or mapped */
    uint64_t socket_bytes;  /* what the sockets can hold */

    dev_t device;      /* internal, as all below */
    uint64_t capacity; /* of a socket */
    size_t seen_count;
    struct {
        dev_t device;
        ino_t inode; /* 0 = free; no file has this number */
    } seen[HELD_SEEN];
};

/* `device` is the one whose deleted files count; 0: none. Sockets only with `sockets`: those in
 * a network namespace are known better. */
void held_init(struct held *h, dev_t device, bool sockets);
void held_add(struct held *h, pid_t pid);

/* What the sockets of the run's own network namespace can hold, those on their way between two
 * processes included; false when none of them has a network namespace of its own. */
bool held_network(uint64_t *bytes, const pid_t *tree, size_t n);

#endif
