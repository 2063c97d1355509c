#include "sandbox/held.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"

enum {
    PATH_ROOM = 96,
    READ_ROOM = 16384,
    SOCKET_SLACK = 64 << 10,  /* the last message may go beyond the buffer */
    SOCKET_USUAL = 208 << 10, /* the kernel's own default */
    TCP_OVERHEAD = 2          /* bytes of memory for each byte in a queue */
};

/* ---- Files of /proc, line by line
 * --------------------------------------------------------------------------------------------
 */

struct lines {
    int fd;
    size_t at, end;
    char text[READ_ROOM];
};

static bool lines_open(struct lines *l, const char *path)
{
    l->fd = open(path, O_RDONLY | O_CLOEXEC);
    l->at = l->end = 0;
    return l->fd >= 0;
}

/* The next line without its end; one that is longer than the room comes in pieces. */
static bool lines_next(struct lines *l, struct lw_str *line)
{
    for (;;) {
        char *from = l->text + l->at;
        char *stop = memchr(from, '\n', l->end - l->at);
        if (stop) {
            *line = lw_str_n(from, (size_t)(stop - from));
            l->at += line->n + 1;
            return true;
        }
        memmove(l->text, from, l->end - l->at);
        l->end -= l->at;
        l->at = 0;
        ssize_t got =
            l->end < READ_ROOM ? read(l->fd, l->text + l->end, READ_ROOM - l->end) : 0;
        if (got > 0) {
            l->end += (size_t)got;
            continue;
        }
        if (l->end == 0)
            return false;
        *line = lw_str_n(l->text, l->end);
        l->at = l->end;
        return true;
    }
}

/* A number in the given base at the beginning of `s`, which then begins behind it. */
static uint64_t take_number(struct lw_str *s, unsigned base)
{
    uint64_t value = 0;
    while (s->n > 0) {
        char c = s->p[0];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                : base;
        if (digit >= base)
            break;
        value = value * base + digit;
        *s = lw_str_from(*s, 1);
    }
    return value;
}

static void skip(struct lw_str *s, char c)
{
    while (s->n > 0 && s->p[0] == c)
        *s = lw_str_from(*s, 1);
}

/* ---- Each thing once
 * --------------------------------------------------------------------------------------------
 */

/* False when it was there already. A full table lets everything count: too much, not too
 * little. */
static bool is_new(struct held *h, dev_t device, ino_t inode)
{
    if (inode == 0 || h->seen_count >= HELD_SEEN / 2)
        return true;
    uint64_t hash = ((uint64_t)inode ^ (uint64_t)device << 32) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = (size_t)(hash >> 40);; i++) {
        size_t at = i & (HELD_SEEN - 1);
        if (h->seen[at].inode == inode && h->seen[at].device == device)
            return false;
        if (h->seen[at].inode == 0) {
            h->seen[at].inode = inode;
            h->seen[at].device = device;
            h->seen_count++;
            return true;
        }
    }
}

/* ---- Mappings
 * --------------------------------------------------------------------------------------------
 */

struct mapping {
    uint64_t bytes;
    bool shared;
    dev_t device;
    ino_t inode;
    struct lw_str path;
};

/* "start-end perms offset major:minor inode    path" */
static void parse_mapping(struct mapping *m, struct lw_str line)
{
    uint64_t start = take_number(&line, 16);
    skip(&line, '-');
    m->bytes = take_number(&line, 16) - start;
    skip(&line, ' ');
    m->shared = line.n > 3 && line.p[3] == 's';
    line = lw_str_from(line, line.n > 5 ? 5 : line.n);
    take_number(&line, 16);
    skip(&line, ' ');
    unsigned major_number = (unsigned)take_number(&line, 16);
    skip(&line, ':');
    unsigned minor_number = (unsigned)take_number(&line, 16);
    skip(&line, ' ');
    m->device = makedev(major_number, minor_number);
    m->inode = (ino_t)take_number(&line, 10);
    skip(&line, ' ');
    m->path = line;
}

/* Shared memory without a file appears as a deleted file of one of these names. */
static bool is_of_no_file(struct lw_str path)
{
    return lw_str_has_prefix(path, LW_S("/dev/zero")) ||
           lw_str_has_prefix(path, LW_S("/memfd:")) || lw_str_has_prefix(path, LW_S("/SYSV"));
}

static void add_mappings(struct held *h, pid_t pid)
{
    static const struct lw_str deleted = {" (deleted)", 10};
    char path[PATH_ROOM];
    struct lines lines;
    struct lw_str line;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    if (!lines_open(&lines, path))
        return;
    while (lines_next(&lines, &line)) {
        struct mapping m;
        if (!lw_str_has_suffix(line, deleted))
            continue;
        parse_mapping(&m, line);
        bool memory = m.shared && is_of_no_file(m.path);
        if ((memory || m.device == h->device) && is_new(h, m.device, m.inode))
            *(memory ? &h->shared_bytes : &h->deleted_bytes) += m.bytes;
    }
    close(lines.fd);
}

/* ---- Open files
 * --------------------------------------------------------------------------------------------
 */

static uint64_t setting(const char *path, uint64_t usual)
{
    struct lines lines;
    struct lw_str line;
    uint64_t value = usual;
    if (!lines_open(&lines, path))
        return usual;
    if (lines_next(&lines, &line))
        value = take_number(&line, 10);
    close(lines.fd);
    return value;
}

/* What one socket may hold, when nobody may ask for more. */
static uint64_t socket_capacity(void)
{
    uint64_t out = setting("/proc/sys/net/core/wmem_default", SOCKET_USUAL);
    uint64_t in = setting("/proc/sys/net/core/rmem_default", SOCKET_USUAL);
    return (out > in ? out : in) + SOCKET_SLACK;
}

static void add_files(struct held *h, pid_t pid)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        if (fstatat(dirfd(dir), e->d_name, &st, 0) < 0)
            continue;
        bool is_socket = S_ISSOCK(st.st_mode) && h->capacity > 0;
        bool is_deleted =
            S_ISREG(st.st_mode) && st.st_nlink == 0 && st.st_dev == h->device && h->device != 0;
        if ((!is_socket && !is_deleted) || !is_new(h, st.st_dev, st.st_ino))
            continue;
        if (is_socket)
            h->socket_bytes += h->capacity;
        else
            h->deleted_bytes += (uint64_t)st.st_blocks * 512;
    }
    if (dir)
        closedir(dir);
}

void held_init(struct held *h, dev_t device, bool sockets)
{
    *h = (struct held){.device = device, .capacity = sockets ? socket_capacity() : 0};
}

void held_add(struct held *h, pid_t pid)
{
    if (h->capacity || h->device) /* first: a file's blocks say more than a mapping of it */
        add_files(h, pid);
    add_mappings(h, pid);
}

/* ---- A network namespace
 * --------------------------------------------------------------------------------------------
 */

static bool network_of(const char *process, ino_t *inode)
{
    struct stat st;
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/proc/%s/ns/net", process);
    if (stat(path, &st) < 0)
        return false;
    *inode = st.st_ino;
    return true;
}

/* The process of the tree that is inside; 0: none. */
static pid_t inside(const pid_t *tree, size_t n)
{
    ino_t ours, its;
    if (!network_of("self", &ours))
        return 0;
    for (size_t i = n; i > 0; i--) {
        char number[24];
        snprintf(number, sizeof number, "%ld", (long)tree[i - 1]);
        if (network_of(number, &its))
            return its == ours ? 0 : tree[i - 1];
    }
    return 0;
}

/* A number of "sockstat" or "sockstat6": lines "PROTOCOL: inuse N …". */
static uint64_t in_use(pid_t pid, const char *leaf, struct lw_str key)
{
    char path[PATH_ROOM];
    struct lines lines;
    struct lw_str line;
    uint64_t value = 0;
    snprintf(path, sizeof path, "/proc/%ld/net/%s", (long)pid, leaf);
    if (!lines_open(&lines, path))
        return 0;
    while (lines_next(&lines, &line))
        if (lw_str_has_prefix(line, key)) {
            line = lw_str_from(line, key.n);
            value = take_number(&line, 10);
        }
    close(lines.fd);
    return value;
}

/* Bytes in the queues of "sl local remote st tx_queue:rx_queue …" lines. */
static uint64_t queued(pid_t pid, const char *leaf)
{
    char path[PATH_ROOM];
    struct lines lines;
    struct lw_str line, word = {0};
    uint64_t sum = 0;
    snprintf(path, sizeof path, "/proc/%ld/net/%s", (long)pid, leaf);
    if (!lines_open(&lines, path))
        return 0;
    lines_next(&lines, &line); /* the heading */
    while (lines_next(&lines, &line)) {
        for (int i = 0; i < 5; i++) {
            skip(&line, ' ');
            if (!lw_str_split(&line, ' ', &word))
                break;
        }
        sum += take_number(&word, 16);
        skip(&word, ':');
        sum += take_number(&word, 16);
    }
    close(lines.fd);
    return sum;
}

bool held_network(uint64_t *bytes, const pid_t *tree, size_t n)
{
    pid_t pid = inside(tree, n);
    *bytes = 0;
    if (pid == 0)
        return false;
    uint64_t used = in_use(pid, "sockstat", LW_S("sockets: used "));
    *bytes = used * socket_capacity();
    if (used > 1 && in_use(pid, "sockstat", LW_S("TCP: inuse ")) > 0)
        *bytes += TCP_OVERHEAD * queued(pid, "tcp");
    if (used > 1 && in_use(pid, "sockstat6", LW_S("TCP6: inuse ")) > 0)
        *bytes += TCP_OVERHEAD * queued(pid, "tcp6");
    return true;
}
