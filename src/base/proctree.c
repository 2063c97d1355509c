#include "base/proctree.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 96, TEXT_ROOM = 4096 };

/* snprintf is not async-signal-safe, so paths are put together by hand. */
struct path {
    char z[PATH_ROOM];
    size_t n;
};

static void path_text(struct path *p, const char *z)
{
    while (*z && p->n + 1 < PATH_ROOM)
        p->z[p->n++] = *z++;
    p->z[p->n] = '\0';
}

static void path_number(struct path *p, pid_t number)
{
    char digits[16];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 && n < sizeof digits);
    while (n > 0 && p->n + 1 < PATH_ROOM)
        p->z[p->n++] = digits[--n];
    p->z[p->n] = '\0';
}

/* "/proc/PID/leaf" */
static struct path proc_path(pid_t pid, const char *leaf)
{
    struct path p = {.n = 0};
    path_text(&p, "/proc/");
    path_number(&p, pid);
    path_text(&p, leaf);
    return p;
}

/* The first TEXT_ROOM - 1 bytes of a file, NUL-terminated; 0 when there is nothing. */
static size_t read_text(const char *path, char text[TEXT_ROOM])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    size_t n = 0;
    while (n < TEXT_ROOM - 1) {
        ssize_t got = read(fd, text + n, TEXT_ROOM - 1 - n);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    close(fd);
    text[n] = '\0';
    return n;
}

static uint64_t read_number(const char **at)
{
    uint64_t value = 0;
    while (**at == ' ' || **at == '-')
        (*at)++;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        value = value * 10 + (uint64_t)(**at - '0');
    return value;
}

bool lw_proc_stat(pid_t pid, struct lw_proc_stat *out)
{
    char text[TEXT_ROOM];
    if (read_text(proc_path(pid, "/stat").z, text) == 0)
        return false;
    /* The command name stands in parentheses and may itself hold any of them. */
    const char *at = strrchr(text, ')');
    if (!at || at[1] != ' ')
        return false;
    at += 2;
    out->state = *at++;
    uint64_t field[25] = {0};
    for (size_t i = 4; i < 25; i++)
        field[i] = read_number(&at);
    out->parent = (pid_t)field[4];
    out->session = (pid_t)field[6];
    out->cpu_ticks = field[14] + field[15] + field[16] + field[17];
    out->threads = field[20];
    out->vm_bytes = field[23];
    out->rss_pages = field[24];
    return true;
}

/* The kilobytes of the line that begins with `key`, as bytes; false when there is none. */
static bool read_kilobytes(const char *text, const char *key, uint64_t *bytes)
{
    const char *at = strstr(text, key);
    if (!at)
        return false;
    at += strlen(key);
    *bytes = read_number(&at) * 1024;
    return true;
}

bool lw_proc_pss(pid_t pid, struct lw_proc_pss *out)
{
    char text[TEXT_ROOM];
    *out = (struct lw_proc_pss){0};
    if (read_text(proc_path(pid, "/smaps_rollup").z, text) == 0)
        return false;
    read_kilobytes(text, "\nPss_Shmem:", &out->shmem_bytes);
    return read_kilobytes(text, "\nPss:", &out->bytes);
}

/* Calls `each` for every numeric entry of a /proc directory; false when it cannot be read. */
static bool for_numbers(const char *path, void (*each)(pid_t number, void *data), void *data)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    _Alignas(struct dirent64) char entries[TEXT_ROOM];
    ssize_t got;
    while ((got = getdents64(fd, entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const void *)(entries + at);
            const char *name = entry->d_name;
            if (*name >= '0' && *name <= '9')
                each((pid_t)read_number(&name), data);
            at += entry->d_reclen;
        }
    }
    close(fd);
    return true;
}

struct tree {
    pid_t pid; /* whose children are looked for */
    pid_t *out;
    size_t room;
    size_t n;
    bool grew;
    bool unknown; /* the kernel has no list of children */
};

static bool tree_has(const struct tree *t, pid_t pid)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->out[i] == pid)
            return true;
    return false;
}

static void tree_add(struct tree *t, pid_t pid)
{
    if (pid <= 0 || t->n == t->room)
        return;
    t->out[t->n++] = pid;
    t->grew = true;
}

/* The children of one thread: "12 34 56 ", in pieces as the kernel hands them out. */
static void add_children_of_thread(pid_t tid, void *data)
{
    struct tree *t = data;
    struct path path = proc_path(t->pid, "/task/");
    path_number(&path, tid);
    path_text(&path, "/children");
    int fd = open(path.z, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        if (access(proc_path(t->pid, "/task").z, F_OK) == 0 && tid == t->pid)
            t->unknown = true;
        return;
    }
    char text[TEXT_ROOM];
    ssize_t got;
    pid_t number = 0;
    while ((got = read(fd, text, sizeof text)) > 0)
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                number = number * 10 + (text[i] - '0');
                continue;
            }
            tree_add(t, number);
            number = 0;
        }
    tree_add(t, number);
    close(fd);
}

size_t lw_proc_tree(pid_t root, pid_t *out, size_t room)
{
    struct tree t = {.pid = root, .out = out, .room = room};
    for (size_t next = 0;; next++) {
        for_numbers(proc_path(t.pid, "/task").z, add_children_of_thread, &t);
        if (next == 0 && t.unknown)
            return lw_proc_tree_by_parent(root, out, room);
        if (next >= t.n || t.n == room)
            return t.n;
        t.pid = out[next];
    }
}

static void add_if_child(pid_t pid, void *data)
{
    struct tree *t = data;
    struct lw_proc_stat stat;
    if (!lw_proc_stat(pid, &stat) || tree_has(t, pid))
        return;
    if (stat.parent == t->pid || tree_has(t, stat.parent))
        tree_add(t, pid);
}

size_t lw_proc_tree_by_parent(pid_t root, pid_t *out, size_t room)
{
    struct tree t = {.pid = root, .out = out, .room = room};
    do {
        t.grew = false;
        for_numbers("/proc", add_if_child, &t);
    } while (t.grew);
    return t.n;
}
