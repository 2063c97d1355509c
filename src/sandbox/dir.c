#include "sandbox/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Called for each entry below the root; false ends the walk. */
typedef bool (*dir_visit)(int folder, const char *name, const struct stat *st, void *data);

struct walk {
    DIR *open[DIR_DEPTH];
    size_t depth;
    size_t entries;
    dir_visit visit;
    void *data;
};

static bool walk_enter(struct walk *w, int folder, const char *name)
{
    if (w->depth == DIR_DEPTH)
        return false;
    int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0)
        close(fd);
    if (dir)
        w->open[w->depth++] = dir;
    return true; /* what vanished or may not be read is skipped */
}

static bool walk_entry(struct walk *w, DIR *dir, const char *name)
{
    struct stat st;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (++w->entries > DIR_ENTRIES)
        return false;
    if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return true;
    if (!w->visit(dirfd(dir), name, &st, w->data))
        return false;
    return !S_ISDIR(st.st_mode) || walk_enter(w, dirfd(dir), name);
}

/* False when the walk was ended early. */
static bool walk_run(struct walk *w, const char *path)
{
    bool whole = walk_enter(w, AT_FDCWD, path);
    while (whole && w->depth > 0) {
        DIR *dir = w->open[w->depth - 1];
        struct dirent *entry = readdir(dir);
        if (entry) {
            whole = walk_entry(w, dir, entry->d_name);
        } else {
            closedir(dir);
            w->depth--;
        }
    }
    while (w->depth > 0)
        closedir(w->open[--w->depth]);
    return whole;
}

struct usage {
    uint64_t bytes, enough;
};

static bool add_usage(int folder, const char *name, const struct stat *st, void *data)
{
    (void)folder, (void)name;
    struct usage *u = data;
    /* A file with several names counts once for each: an upper bound, and no table to keep. */
    u->bytes += (uint64_t)st->st_blocks * 512;
    return u->bytes <= u->enough;
}

uint64_t dir_usage(const char *path, uint64_t enough)
{
    struct usage u = {.enough = enough};
    struct walk w = {.visit = add_usage, .data = &u};
    if (walk_run(&w, path) || u.bytes > enough)
        return u.bytes;
    return UINT64_MAX;
}

static bool add_size(int folder, const char *name, const struct stat *st, void *data)
{
    (void)folder, (void)name;
    struct dir_size *size = data;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    size->entries++;
    if (S_ISREG(st->st_mode))
        size->bytes += ((uint64_t)st->st_size + page - 1) / page * page;
    else if (S_ISLNK(st->st_mode)) /* a long target takes a page, a short one none */
        size->bytes += page;
    return true;
}

bool dir_measure(const char *path, struct dir_size *out)
{
    *out = (struct dir_size){0};
    struct walk w = {.visit = add_size, .data = out};
    return access(path, R_OK | X_OK) == 0 && walk_run(&w, path);
}

struct owner {
    uid_t uid;
    gid_t gid;
    bool all;
};

static bool change_owner(int folder, const char *name, const struct stat *st, void *data)
{
    (void)st;
    struct owner *o = data;
    if (fchownat(folder, name, o->uid, o->gid, AT_SYMLINK_NOFOLLOW) < 0)
        o->all = false;
    return true;
}

bool dir_own(const char *path, uid_t uid, gid_t gid)
{
    struct owner o = {.uid = uid, .gid = gid, .all = true};
    struct walk w = {.visit = change_owner, .data = &o};
    bool whole = walk_run(&w, path);
    return lchown(path, uid, gid) == 0 && whole && o.all;
}

bool dir_reachable(const char *path)
{
    char whole[PATH_MAX];
    if (!realpath(path, whole))
        return false;
    for (char *slash = strrchr(whole, '/'); slash; slash = strrchr(whole, '/')) {
        *slash = '\0';
        struct stat st;
        if (stat(slash == whole ? "/" : whole, &st) < 0 || !(st.st_mode & S_IXOTH))
            return false;
    }
    return true;
}
