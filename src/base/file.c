#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/leftover.h"
#include "base/path.h"
#include "base/str.h"

enum { STEP = 64 * 1024 };

static ssize_t read_some(int fd, char *to, size_t n)
{
    ssize_t got;
    do
        got = read(fd, to, n);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A descriptor, or a negative LW_E… code. */
static int open_to_read(const char *path, struct stat *st, struct lw_err *err)
{
    if (strcmp(path, "-") == 0) {
        memset(st, 0, sizeof *st);
        int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
        return in < 0 ? lw_err_system(err, errno, "cannot read", LW_S("standard input")) : in;
    }
    /* Without O_NONBLOCK a named pipe would hang before it can be refused. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return lw_err_system(err, errno, "cannot open", lw_str(path));
    if (fstat(fd, st) < 0) {
        int number = errno;
        close(fd);
        return lw_err_system(err, number, "cannot access", lw_str(path));
    }
    if (!S_ISREG(st->st_mode)) {
        bool folder = S_ISDIR(st->st_mode);
        close(fd);
        return lw_err_set(err, LW_EINVAL, "cannot read '%s': it is %s", path,
                          folder ? "a folder, not a file" : "not a regular file");
    }
    return fd;
}

static int read_all(int fd, struct lw_buf *buf, size_t hint)
{
    size_t step = hint + 1 > STEP ? hint + 1 : STEP;
    for (;;) {
        char *to = lw_buf_room(buf, step);
        if (!to && buf->failed == LW_ELIMIT && buf->n < buf->max) {
            buf->failed = 0;
            step = buf->max - buf->n;
            continue;
        }
        if (!to)
            return buf->failed;
        ssize_t got = read_some(fd, to, step);
        if (got < 0)
            return LW_EIO; /* errno says why */
        if (got == 0)
            return 0;
        lw_buf_took(buf, (size_t)got);
        step = STEP;
    }
}

int lw_file_read(struct lw_arena *arena, const char *path, size_t max, struct lw_str *content,
                 struct lw_err *err)
{
    struct stat st = {0};
    int fd = open_to_read(path, &st, err);
    if (fd < 0)
        return fd;
    struct lw_buf buf;
    if (max >= LW_BUF_MAX)
        max = LW_BUF_MAX - 1;
    lw_buf_init(&buf, arena->mem, max + 1);
    size_t hint = st.st_size > 0 && (uint64_t)st.st_size <= max ? (size_t)st.st_size : 0;
    int rc = read_all(fd, &buf, hint);
    int number = errno;
    close(fd);
    if (rc == 0 && buf.n > max)
        rc = LW_ELIMIT;
    if (rc == LW_EIO) {
        rc = lw_err_system(err, number, "cannot read", lw_str(path));
    } else if (rc == LW_ELIMIT) {
        rc = lw_err_set(err, rc, "'%s' is larger than the limit of %zu bytes", path, max);
    } else if (rc == 0) {
        *content = lw_arena_copy(arena, lw_buf_str(&buf));
        rc = content->p ? 0 : LW_ENOMEM;
    }
    lw_buf_release(&buf);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

static int write_all(int fd, struct lw_str content)
{
    while (content.n) {
        ssize_t put = write(fd, content.p, content.n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -1;
        content = lw_str_from(content, (size_t)put);
    }
    return 0;
}

static void sync_folder_of(const char *path)
{
    struct lw_str parent = lw_path_parent(lw_str(path));
    char folder[4096];
    if (parent.n >= sizeof folder)
        return;
    memcpy(folder, parent.p, parent.n);
    folder[parent.n] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd); /* some file systems cannot; the rename itself is still atomic */
    close(fd);
}

enum { FRESH_NAME = 32 };

/* A name that nobody has. */
static void fresh_name(char out[FRESH_NAME])
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) < 0)
        number = (uint64_t)getpid(); /* very old kernels; O_EXCL still guards */
    snprintf(out, FRESH_NAME, ".lacewing-%016llx", (unsigned long long)number);
}

/* Does the file hold just these bytes? */
static bool holds(const char *path, struct lw_str content)
{
    char block[16384];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = 1;
    bool same = fd >= 0;
    while (same && got > 0) {
        got = read_some(fd, block, sizeof block);
        same =
            got >= 0 && (size_t)got <= content.n && memcmp(block, content.p, (size_t)got) == 0;
        content = same ? lw_str_from(content, (size_t)got) : content;
    }
    if (fd >= 0)
        close(fd);
    return same && content.n == 0;
}

/* What is replaced: NULL for whatever is there; else the new file gets its mode, and its owner
 * where that is allowed. */
struct replaced {
    struct stat st;
    struct lw_str content;
};

static int replace_file(const char *path, struct lw_str content, unsigned mode,
                        const struct replaced *old, struct lw_err *err)
{
    char temp[4096 + FRESH_NAME], name[FRESH_NAME];
    struct lw_leftover left;
    if (strlen(path) >= 4096)
        return lw_err_set(err, LW_EINVAL, "path '%.60s...' is too long", path);
    fresh_name(name);
    snprintf(temp, sizeof temp, "%.*s/%s", LW_F(lw_path_parent(lw_str(path))), name);
    /* Not mkstemp, whose files forget the mode and the umask. */
    lw_leftover_begin();
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
    int number = errno;
    lw_leftover_end(&left, fd < 0 ? NULL : temp);
    if (fd < 0)
        return lw_err_system(err, number, "cannot write", lw_str(path));
    if (old && fchown(fd, old->st.st_uid, old->st.st_gid) < 0)
        mode &= 0777u; /* not ours to give away: then no set-user-id either */
    bool ok = (!old || fchmod(fd, (mode_t)mode) == 0) && write_all(fd, content) == 0 &&
              fsync(fd) == 0;
    number = errno;
    if (close(fd) < 0 && ok) {
        ok = false;
        number = errno;
    }
    bool changed = ok && old && !holds(path, old->content);
    if (ok && !changed && rename(temp, path) < 0) {
        ok = false;
        number = errno;
    }
    if (!ok || changed)
        unlink(temp);
    lw_leftover_drop(&left);
    if (changed)
        return lw_err_set(err, LW_EBUSY,
                          "'%s' was changed by somebody else meanwhile; try again", path);
    if (!ok)
        return lw_err_system(err, number, "cannot write", lw_str(path));
    sync_folder_of(path);
    return 0;
}

int lw_file_write(const char *path, struct lw_str content, unsigned mode, struct lw_err *err)
{
    return replace_file(path, content, mode, NULL, err);
}

int lw_file_rewrite(const char *path, struct lw_str was, struct lw_str content,
                    struct lw_err *err)
{
    char real[PATH_MAX];
    struct replaced old = {.content = was};
    if (!realpath(path, real) || stat(real, &old.st) < 0)
        return lw_err_system(err, errno, "cannot write", lw_str(path));
    if (!S_ISREG(old.st.st_mode))
        return lw_err_set(err, LW_EINVAL, "cannot write '%s': it is not a regular file", path);
    /* Root may write anything; who took all write bits away meant it. */
    if (!(old.st.st_mode & 0222) || access(real, W_OK) < 0)
        return lw_err_set(err, LW_EIO, "cannot write '%s': it is read-only", path);
    return replace_file(real, content, old.st.st_mode & 07777, &old, err);
}

int lw_reader_open(struct lw_reader *r, struct lw_mem *mem, const char *path, size_t max_line,
                   struct lw_err *err)
{
    struct stat st;
    *r = (struct lw_reader){.path = path, .max_line = max_line};
    r->fd = open_to_read(path, &st, err);
    if (r->fd < 0)
        return r->fd;
    if (max_line > LW_BUF_MAX)
        r->max_line = LW_BUF_MAX;
    lw_buf_init(&r->buf, mem, r->max_line + 2 * (size_t)STEP);
    return 0;
}

static int too_long(const struct lw_reader *r, struct lw_err *err)
{
    return lw_err_set(err, LW_ELIMIT, "%s:%llu: line is longer than %zu bytes", r->path,
                      (unsigned long long)r->line + 1, r->max_line);
}

/* Reads more behind what is left of the current line. */
static int refill(struct lw_reader *r, struct lw_err *err)
{
    size_t left = r->buf.n - r->start;
    if (r->start) {
        memmove(r->buf.p, r->buf.p + r->start, left);
        lw_buf_cut(&r->buf, left);
        r->start = 0;
    }
    if (left > r->max_line + 1) /* the CR of a line end is not of the line */
        return too_long(r, err);
    char *to = lw_buf_room(&r->buf, STEP);
    if (!to)
        return lw_err_nomem(err);
    ssize_t got = read_some(r->fd, to, STEP);
    if (got < 0)
        return lw_err_system(err, errno, "cannot read", lw_str(r->path));
    lw_buf_took(&r->buf, (size_t)got);
    r->at_end = got == 0;
    return 0;
}

int lw_reader_line(struct lw_reader *r, struct lw_str *line, struct lw_err *err)
{
    size_t looked = 0;
    for (;;) {
        struct lw_str rest = lw_str_from(lw_buf_str(&r->buf), r->start);
        ptrdiff_t end = lw_str_find_char(lw_str_from(rest, looked), '\n');
        if (end != LW_NPOS || (r->at_end && rest.n)) {
            size_t n = end == LW_NPOS ? rest.n : looked + (size_t)end;
            *line = lw_str_part(rest, 0, n);
            r->start += n + (end != LW_NPOS);
            if (line->n && line->p[line->n - 1] == '\r')
                line->n--;
            if (line->n > r->max_line)
                return too_long(r, err);
            r->line++;
            return 1;
        }
        if (r->at_end)
            return 0;
        looked = rest.n;
        int rc = refill(r, err);
        if (rc < 0)
            return rc;
    }
}

void lw_reader_close(struct lw_reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    lw_buf_release(&r->buf);
}

enum lw_file_kind lw_file_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return LW_FILE_NONE;
    if (S_ISREG(st.st_mode))
        return LW_FILE_REGULAR;
    return S_ISDIR(st.st_mode) ? LW_FILE_FOLDER : LW_FILE_OTHER;
}

int lw_dir_make(const char *path, struct lw_err *err)
{
    char part[4096];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof part)
        return lw_err_set(err, LW_EINVAL, "'%.60s' is not a usable folder name", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        struct lw_leftover none;
        lw_leftover_begin(); /* not again what was just removed */
        int number = mkdir(part, 0777) < 0 ? errno : 0;
        lw_leftover_end(&none, NULL);
        if (number && number != EEXIST)
            return lw_err_system(err, number, "cannot create folder", lw_str(part));
    }
    if (lw_file_kind(path) != LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL, "'%s' exists and is not a folder", path);
    return 0;
}

int lw_dir_make_for(const char *path, struct lw_err *err)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return 0;
    if ((size_t)(slash - path) >= sizeof folder)
        return lw_err_set(err, LW_EINVAL, "'%.60s' is not a usable file name", path);
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return lw_dir_make(folder, err);
}

static int by_bytes(const void *a, const void *b)
{
    const struct lw_str *x = a, *y = b;
    return lw_str_cmp(*x, *y);
}

static bool is_dot_name(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* 0 or an errno value. */
static int list_open(struct lw_arena *arena, struct lw_mem *mem, DIR *dir, lw_str_vec *names)
{
    const struct dirent *e;
    while (errno = 0, (e = readdir(dir))) { /* each stream is used by one thread only */
        if (is_dot_name(e->d_name))
            continue;
        struct lw_str name = lw_arena_copy(arena, lw_str(e->d_name));
        if (!name.p || lw_vec_push(mem, names, name) < 0)
            return ENOMEM;
    }
    if (errno)
        return errno;
    if (names->n > 1)
        qsort(names->v, names->n, sizeof *names->v, by_bytes);
    return 0;
}

static int list_error(int number, struct lw_str path, struct lw_err *err)
{
    if (number == ENOMEM)
        return lw_err_nomem(err);
    return number ? lw_err_system(err, number, "cannot list folder", path) : 0;
}

int lw_dir_list(struct lw_arena *arena, struct lw_mem *mem, const char *path, lw_str_vec *names,
                struct lw_err *err)
{
    DIR *dir = opendir(path);
    if (!dir)
        return lw_err_system(err, errno, "cannot open folder", lw_str(path));
    int number = list_open(arena, mem, dir, names);
    closedir(dir);
    return list_error(number, lw_str(path), err);
}

int lw_dir_check_new(struct lw_mem *mem, const char *path, struct lw_err *err)
{
    enum lw_file_kind kind = lw_file_kind(path);
    if (kind == LW_FILE_NONE)
        return 0;
    if (kind != LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL, "'%s' exists and is not a folder", path);
    lw_str_vec names = {0};
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_dir_list(&arena, mem, path, &names, err);
    if (rc == 0 && names.n)
        rc = lw_err_set(err, LW_EINVAL, "folder '%s' is not empty; choose a new one", path);
    lw_vec_release(mem, &names);
    lw_arena_release(&arena);
    return rc;
}

struct tree_walk {
    struct lw_arena *arena;
    struct lw_mem *mem;
    const char *root;
    bool strict;
    size_t max_files;
    lw_str_vec *files;
    struct lw_err *err;
};

enum { MAX_DEPTH = 64 };

static int walk_entry(struct tree_walk *w, int dir_fd, struct lw_str prefix, struct lw_str name,
                      int depth);

static int walk_folder(struct tree_walk *w, int fd, struct lw_str prefix, int depth)
{
    if (depth > MAX_DEPTH) {
        close(fd);
        return lw_err_set(w->err, LW_ELIMIT, "'%s' is more than %d folders deep", w->root,
                          MAX_DEPTH);
    }
    DIR *dir = fdopendir(fd);
    if (!dir) {
        int number = errno;
        close(fd);
        return lw_err_system(w->err, number, "cannot open folder", lw_str(w->root));
    }
    lw_str_vec names = {0};
    int number = list_open(w->arena, w->mem, dir, &names);
    int rc = list_error(number, lw_str(w->root), w->err);
    for (size_t i = 0; rc == 0 && i < names.n; i++)
        rc = walk_entry(w, dirfd(dir), prefix, names.v[i], depth);
    lw_vec_release(w->mem, &names);
    closedir(dir);
    return rc;
}

static int walk_entry(struct tree_walk *w, int dir_fd, struct lw_str prefix, struct lw_str name,
                      int depth)
{
    struct lw_str path = prefix.n ? lw_arena_printf(w->arena, "%s/%s", prefix.p, name.p) : name;
    if (!path.p)
        return lw_err_nomem(w->err);
    struct stat st;
    if (fstatat(dir_fd, name.p, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return lw_err_system(w->err, errno, "cannot access", path);
    if (S_ISDIR(st.st_mode)) {
        int fd = openat(dir_fd, name.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 ? lw_err_system(w->err, errno, "cannot open folder", path)
                      : walk_folder(w, fd, path, depth + 1);
    }
    if (!S_ISREG(st.st_mode))
        return !w->strict ? 0
                          : lw_err_set(w->err, LW_EINVAL, "'%s' in '%s' is not a regular file",
                                       path.p, w->root);
    if (w->files->n >= w->max_files)
        return lw_err_set(w->err, LW_ELIMIT, "'%s' contains more than %zu files", w->root,
                          w->max_files);
    return lw_vec_push(w->mem, w->files, path) < 0 ? lw_err_nomem(w->err) : 0;
}

int lw_dir_walk(struct lw_arena *arena, struct lw_mem *mem, const char *path, bool strict,
                size_t max_files, lw_str_vec *files, struct lw_err *err)
{
    struct tree_walk w = {arena, mem, path, strict, max_files, files, err};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return lw_err_system(err, errno, "cannot open folder", lw_str(path));
    int rc = walk_folder(&w, fd, (struct lw_str){"", 0}, 0);
    if (rc == 0 && files->n > 1)
        qsort(files->v, files->n, sizeof *files->v, by_bytes);
    return rc;
}

/* Removes a file or an empty folder; 0 or an errno value. */
static int remove_entry(int at, const char *name)
{
    if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR)
        return errno;
    return unlinkat(at, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

/* Opens a folder to empty it; a program may have left it locked. -1 with errno. */
static int open_to_empty(int at, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(at, name, flags);
    if (fd < 0 && errno == EACCES) {
        struct stat st;
        if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
            fchmodat(at, name, 0700, 0) == 0)
            fd = openat(at, name, flags);
        else
            errno = EACCES;
    }
    if (fd >= 0 && fchmod(fd, 0700) < 0)
        errno = 0; /* not ours: what cannot be removed will say so */
    return fd;
}

/* Moves the folder `name` in `at` to a new name in `top`; 0 or an errno value. */
static int lift(int at, const char *name, int top)
{
    char fresh[FRESH_NAME];
    int fd = open_to_empty(at, name); /* a folder that is locked cannot be moved */
    if (fd >= 0)
        close(fd);
    fresh_name(fresh);
    return renameat(at, name, top, fresh) == 0 ? 0 : errno;
}

/* Empties the folder behind `fd` (closed here): what is no empty folder goes up to `top`.
 * 0 or an errno value; `*moves` counts what changed. */
static int empty_into(int fd, int top, size_t *moves)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        int number = errno;
        close(fd);
        return number;
    }
    int failed = 0;
    const struct dirent *e;
    while ((e = readdir(dir))) {
        if (is_dot_name(e->d_name))
            continue;
        int rc = remove_entry(dirfd(dir), e->d_name);
        if (rc == ENOTEMPTY || rc == EEXIST)
            rc = lift(dirfd(dir), e->d_name, top);
        if (rc == 0)
            ++*moves;
        else
            failed = rc;
    }
    closedir(dir);
    return failed;
}

/* One pass over the folder `top`; 0 or an errno value. */
static int remove_pass(DIR *top, size_t *moves)
{
    int failed = 0;
    const struct dirent *e;
    rewinddir(top);
    while ((e = readdir(top))) {
        if (is_dot_name(e->d_name))
            continue;
        int rc = remove_entry(dirfd(top), e->d_name);
        if (rc == ENOTEMPTY || rc == EEXIST) {
            int fd = open_to_empty(dirfd(top), e->d_name);
            int inner = fd < 0 ? errno : empty_into(fd, dirfd(top), moves);
            rc = remove_entry(dirfd(top), e->d_name);
            rc = rc && inner ? inner : rc;
        }
        if (rc == 0)
            ++*moves;
        else
            failed = rc;
    }
    return failed;
}

/* Folders inside folders are moved up and emptied there, level by level, so that no depth needs
 * a longer path, more descriptors or more stack. */
int lw_dir_remove(const char *path, struct lw_err *err)
{
    int fd = open_to_empty(AT_FDCWD, path);
    if (fd < 0 && errno == ENOENT)
        return 0;
    DIR *top = fd < 0 ? NULL : fdopendir(fd);
    if (!top) {
        int number = errno;
        if (fd >= 0)
            close(fd);
        return lw_err_system(err, number, "cannot remove", lw_str(path));
    }
    int failed;
    size_t moves;
    do {
        moves = 0;
        failed = remove_pass(top, &moves);
    } while (moves);
    closedir(top);
    if (rmdir(path) < 0 && errno != ENOENT)
        return lw_err_system(err, failed ? failed : errno, "cannot remove", lw_str(path));
    return 0;
}

int lw_temp_dir(struct lw_buf *path, struct lw_err *err)
{
    const char *base = getenv("TMPDIR");
    lw_buf_clear(path);
    lw_buf_addf(path, "%s/lacewing-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (path->failed)
        return lw_err_nomem(err);
    if (!mkdtemp(path->p))
        return lw_err_system(err, errno, "cannot create a temporary folder", lw_buf_str(path));
    return 0;
}
