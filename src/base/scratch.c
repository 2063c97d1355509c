#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

#define PREFIX "lacewing-run-"
enum { RANDOM = 6, TRIES = 20 };

static const char *base_folder(void)
{
    const char *base = getenv("TMPDIR");
    return base && *base == '/' ? base : "/tmp";
}

/* A descriptor that holds the lock; -1 with errno: ENOENT when somebody else has it, or the
 * folder is gone. */
static int lock_folder(int at, const char *name)
{
    struct stat st;
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int number = ENOENT;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0) {
        if (st.st_nlink > 0)
            return fd;
    } else if (errno != EWOULDBLOCK)
        number = errno;
    close(fd);
    errno = number;
    return -1;
}

/* Between its making and its locking another process may take the folder for a left one and
 * remove it: then another is made. */
static int make_outer(struct lw_scratch *s, struct lw_err *err)
{
    for (int i = 0; i < TRIES; i++) {
        lw_buf_clear(&s->outer);
        lw_buf_addf(&s->outer, "%s/" PREFIX "XXXXXX", base_folder());
        if (s->outer.failed)
            return lw_err_nomem(err);
        lw_leftover_begin();
        bool made = mkdtemp(s->outer.p);
        int number = errno;
        lw_leftover_end(&s->left, made ? s->outer.p : NULL);
        if (!made) {
            lw_buf_clear(&s->outer); /* nothing to remove */
            return lw_err_system(err, number, "cannot create a temporary folder in",
                                 lw_str(base_folder()));
        }
        s->lock = lock_folder(AT_FDCWD, s->outer.p);
        if (s->lock >= 0)
            return 0;
        if (errno != ENOENT) /* the caller removes the folder */
            return lw_err_system(err, errno, "cannot lock", lw_buf_str(&s->outer));
        lw_leftover_drop(&s->left);
    }
    return lw_err_set(err, LW_EIO,
                      "cannot create a temporary folder in '%s': new folders there disappear",
                      base_folder());
}

int lw_scratch_make(struct lw_scratch *s, struct lw_mem *mem, struct lw_err *err)
{
    s->lock = -1;
    s->left = (struct lw_leftover){0};
    lw_buf_init(&s->outer, mem, 4096);
    lw_buf_init(&s->path, mem, 4096);
    if (make_outer(s, err) < 0)
        return err->code;
    lw_buf_addf(&s->path, "%s/bug", lw_buf_z(&s->outer));
    if (s->path.failed)
        return lw_err_nomem(err);
    /* Another user may pass through, but not look around. */
    if (fchmod(s->lock, 0711) < 0 || mkdir(lw_buf_z(&s->path), 0700) < 0)
        return lw_err_system(err, errno, "cannot create", lw_buf_str(&s->path));
    return 0;
}

void lw_scratch_release(struct lw_scratch *s)
{
    struct lw_err ignored;
    if (s->outer.n)
        lw_dir_remove(lw_buf_z(&s->outer), &ignored);
    lw_leftover_drop(&s->left);
    if (s->lock >= 0)
        close(s->lock);
    s->lock = -1;
    lw_buf_release(&s->path);
    lw_buf_release(&s->outer);
}

/* Ours by name and owner, and locked by nobody? Then it is removed. */
static bool sweep_one(int folder, const char *name)
{
    struct stat st;
    struct lw_err ignored;
    char path[4096];
    struct lw_str text = lw_str(name);
    if (!lw_str_has_prefix(text, LW_S(PREFIX)) || text.n != sizeof PREFIX - 1 + RANDOM ||
        fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_uid != geteuid())
        return false;
    int n = snprintf(path, sizeof path, "%s/%s", base_folder(), name);
    int lock = n > 0 && (size_t)n < sizeof path ? lock_folder(folder, name) : -1;
    if (lock < 0)
        return false;
    bool removed = lw_dir_remove(path, &ignored) == 0;
    close(lock);
    return removed;
}

size_t lw_scratch_sweep(void)
{
    size_t removed = 0;
    DIR *dir = opendir(base_folder());
    for (const struct dirent *e; dir && (e = readdir(dir));)
        removed += sweep_one(dirfd(dir), e->d_name);
    if (dir)
        closedir(dir);
    return removed;
}
