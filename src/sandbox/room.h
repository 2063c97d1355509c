/*
 * room - a file system of bounded size for all that one run may write to.
 *
 * The working directory, /tmp and /dev/shm of a run lie on one tmpfs of its own, so the kernel
 * counts them together, deleted files that are still open as well, and never gives more than
 * the limit. The content of the working directory is copied in; nothing comes out again, and
 * the folder itself is only read. The tmpfs is mounted in a mount namespace of the run (without
 * root in a user namespace too) and goes away with its last process.
 *
 * What is written is memory: it counts against the memory limit of the run, what is copied in
 * does not. Internal to sandbox/.
 */
#ifndef LW_SANDBOX_ROOM_H
#define LW_SANDBOX_ROOM_H

#include <sys/types.h>

#include "lacewing.h"

enum { ROOM_TEXT = 96 };

/* Folders in the tmpfs, which is mounted over the working directory; a run without bubblewrap
 * has its working directory at the top instead. */
#define ROOM_WORK "bug"
#define ROOM_TMP  "tmp"
#define ROOM_SHM  "shm"

struct room {
    const char *dir; /* borrowed; where it is mounted, and whose content is copied */
    bool bare;       /* the working directory is the top */
    bool user;       /* in a user namespace */
    uid_t uid;       /* whose everything shall be */
    char options[ROOM_TEXT];
    char map[ROOM_TEXT], group_map[ROOM_TEXT];
    uint64_t given; /* bytes copied in */
    int ends[2];    /* how the tmpfs comes to us: our end, the run's end */
    int fd;         /* the tmpfs, once it has come; -1 before */
};

/* How full it is. */
struct room_state {
    uint64_t written; /* bytes beyond what was given */
    bool full;
};

/* Prepares for a run; `disk_bytes` is what the program may write. Release it in every case.
 * 0 or LW_EIO. */
int room_open(struct room *r, const char *dir, uint64_t disk_bytes, uid_t uid, bool user,
              bool bare);

/* Makes it, in the process that becomes the program; async-signal-safe. 0 or errno. */
int room_enter(const struct room *r);

/* From outside, at any time after the start of the run; zero while it is not there. */
void room_look(struct room *r, struct room_state *out);

void room_release(struct room *r);

#endif
