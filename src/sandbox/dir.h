/*
 * dir - the working directory of an untrusted program, looked at from outside.
 *
 * Walks hold descriptors, follow no links and stop at a depth and a number of entries that no
 * honest program reaches, so they are safe while the program goes on changing the tree.
 * Internal to sandbox/.
 */
#ifndef LW_SANDBOX_DIR_H
#define LW_SANDBOX_DIR_H

#include <sys/types.h>

#include "lacewing.h"

enum { DIR_DEPTH = 64, DIR_ENTRIES = 500000 };

/* Bytes of disk used below `path`; UINT64_MAX when the tree is too deep or has too many
 * entries. The walk ends early once `enough` is exceeded. */
uint64_t dir_usage(const char *path, uint64_t enough);

/* What a copy of everything below `path` takes: whole pages of each file, and entries. */
struct dir_size {
    uint64_t bytes;
    uint64_t entries;
};

/* False when the tree is too deep, has too many entries, or cannot be read. */
bool dir_measure(const char *path, struct dir_size *out);

/* Gives `path` and everything below to another owner; false when some entry was refused or
 * skipped. */
bool dir_own(const char *path, uid_t uid, gid_t gid);

/* May a stranger (neither owner nor group) reach `path` through all its parents? */
bool dir_reachable(const char *path);

#endif
