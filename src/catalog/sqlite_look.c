/* Whose a file is, found out without SQLite: opening a database may undo a journal, take over
 * a log or make files beside it, and what is not ours is not ours to change. The format is
 * stable and public: https://www.sqlite.org/fileformat.html, sections 1.3 and 4. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/sqlite_internal.h"

enum {
    HEAD = 108,       /* the header, and that of the first page behind it */
    LOG_HEAD = 32,    /* of a log */
    FRAME_HEAD = 24,  /* of each page in it */
    LEAF = 0x0d,      /* a page with rows, here of the schema */
    PATH_ROOM = 4096, /* more than the system takes */
};

struct head {
    unsigned char b[HEAD];
};

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* As many of the `n` bytes at `at` as there are. */
static size_t read_at(int fd, uint64_t at, void *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, (char *)to + done, n - done, (off_t)(at + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

/* The first page as the last finished transaction in the log has it; false: not in there. A
 * frame belongs to the log as it is now when it has the log's two salts. */
static bool head_in_log(int fd, struct head *head)
{
    unsigned char log[LOG_HEAD], frame[FRAME_HEAD];
    struct head open;
    bool in_open = false, found = false;
    if (read_at(fd, 0, log, sizeof log) < sizeof log || number_at(log) >> 1 != 0x377f0682 >> 1)
        return false;
    uint64_t page = number_at(log + 8), at = LOG_HEAD;
    if (page < 512 || page > 65536)
        return false;
    for (; read_at(fd, at, frame, sizeof frame) == sizeof frame; at += FRAME_HEAD + page) {
        if (memcmp(frame + 8, log + 16, 8) != 0)
            break;
        if (number_at(frame) == 1)
            in_open = read_at(fd, at + FRAME_HEAD, open.b, HEAD) == HEAD;
        if (number_at(frame + 4) != 0 && in_open) { /* the last frame of a transaction */
            *head = open;
            found = true;
            in_open = false;
        }
    }
    return found;
}

static bool log_has_head(const char *path, struct head *head)
{
    char name[PATH_ROOM];
    if ((size_t)snprintf(name, sizeof name, "%s-wal", path) >= sizeof name)
        return false;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool found = fd >= 0 && head_in_log(fd, head);
    if (fd >= 0)
        close(fd);
    return found;
}

static int damaged(const char *path, struct lw_err *err)
{
    return lw_err_set(
        err, LW_ECORRUPT,
        "catalogue '%s' is damaged or not a catalogue; move it away to have a new one created",
        path);
}

/* What every file of SQLite has, whoever made it. */
static bool is_data_base(const struct head *h)
{
    unsigned page = (unsigned)h->b[16] << 8 | h->b[17];
    bool size_ok = page == 1 || (page >= 512 && (page & (page - 1)) == 0);
    return memcmp(h->b, "SQLite format 3", 16) == 0 && size_ok && h->b[18] >= 1 &&
           h->b[18] <= 2 && h->b[19] >= 1 && h->b[19] <= 2;
}

static int judge_head(const char *path, const struct head *h, struct lw_err *err)
{
    if (!is_data_base(h))
        return damaged(path, err);
    int64_t version = (int32_t)number_at(h->b + 60);
    uint32_t application = number_at(h->b + 68);
    bool is_empty = h->b[100] == LEAF && h->b[103] == 0 && h->b[104] == 0;
    /* We were killed just after we had made the file, or are making it in another process. */
    if (application == 0 && version == 0 && is_empty)
        return 0;
    if (application != STORE_APPLICATION)
        return lw_err_set(err, LW_EINVAL,
                          "'%s' is a database of another program; use --catalog PATH", path);
    if (version > STORE_FORMAT)
        return lw_err_set(
            err, LW_ECORRUPT,
            "catalogue '%s' was made by a newer lacewing (format %lld, this program "
            "knows %d); update lacewing, or use --catalog PATH",
            path, (long long)version, STORE_FORMAT);
    return version < 1 || is_empty ? damaged(path, err) : 0;
}

/* The first bytes of the file, through SQLite's own hands: were we to close it, the locks that
 * another handle of this process has on it would be gone, as POSIX has it. */
static int read_head(const char *path, struct lw_mem *mem, struct head *head, bool *is_there)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    size_t n = strlen(path), room = (size_t)vfs->szOsFile;
    sqlite3_file *file = lw_mem_alloc(mem, room);
    char *name = lw_mem_alloc(mem, n + 2); /* it wants two NULs */
    int rc = file && name ? SQLITE_OK : SQLITE_NOMEM;
    if (rc == SQLITE_OK) {
        memset(file, 0, room);
        memcpy(name, path, n + 1);
        name[n + 1] = '\0';
        rc = vfs->xOpen(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL);
    }
    *is_there = rc == SQLITE_OK;
    if (rc == SQLITE_OK) /* a short file is filled up with zeros */
        file->pMethods->xRead(file, head->b, HEAD, 0);
    if (file && file->pMethods)
        file->pMethods->xClose(file);
    lw_mem_free(mem, name, n + 2);
    lw_mem_free(mem, file, room);
    return rc == SQLITE_NOMEM ? LW_ENOMEM : 0;
}

int sqlite_look(const char *path, struct lw_mem *mem, struct lw_err *err)
{
    struct stat st;
    struct head head = {{0}};
    bool is_there;
    if (stat(path, &st) < 0)
        return 0; /* a new one, or SQLite says why not */
    if (!S_ISREG(st.st_mode))
        return lw_err_set(err, LW_EINVAL, "catalogue '%s' is not a regular file", path);
    if (log_has_head(path, &head))
        return judge_head(path, &head, err);
    if (st.st_size == 0)
        return 0; /* somebody made room for a new one */
    if (st.st_size < HEAD)
        return damaged(path, err);
    if (read_head(path, mem, &head, &is_there) < 0)
        return lw_err_nomem(err);
    return is_there ? judge_head(path, &head, err) : 0;
}
