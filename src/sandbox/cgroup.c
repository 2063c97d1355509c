#include "sandbox/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"

static const char PREFIX[] = "lacewing-";

/* ---- Small files
 * ----------------------------------------------------------------------------- */

static bool path_of(char out[CGROUP_PATH], const char *folder, const char *name)
{
    int n = snprintf(out, CGROUP_PATH, "%s/%s", folder, name);
    return n > 0 && n < CGROUP_PATH;
}

static bool write_to(const char *folder, const char *name, const char *text)
{
    char path[CGROUP_PATH];
    int fd = path_of(path, folder, name) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    size_t n = strlen(text);
    bool done = write(fd, text, n) == (ssize_t)n;
    close(fd);
    return done;
}

static bool write_number(const char *folder, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return write_to(folder, name, text);
}

static struct lw_str read_from(const char *folder, const char *name, char text[1024])
{
    char path[CGROUP_PATH];
    int fd = path_of(path, folder, name) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? 0 : read(fd, text, 1024);
    if (fd >= 0)
        close(fd);
    return lw_str_n(text, n > 0 ? (size_t)n : 0);
}

/* The number after `key` in lines "key number"; 0 when there is none. */
static uint64_t read_counter(const char *folder, const char *name, struct lw_str key)
{
    char text[1024];
    struct lw_str rest = read_from(folder, name, text), line;
    while (lw_str_line(&rest, &line)) {
        uint64_t value;
        if (lw_str_has_prefix(line, key) && line.n > key.n && line.p[key.n] == ' ' &&
            lw_parse_u64(lw_str_from(line, key.n + 1), &value))
            return value;
    }
    return 0;
}

/* The number that a file holds; 0 when there is none. */
static uint64_t read_number(const char *folder, const char *name)
{
    char text[1024];
    uint64_t value = 0;
    return lw_parse_u64(lw_str_trim(read_from(folder, name, text)), &value) ? value : 0;
}

static bool has_word(struct lw_str text, char separator, struct lw_str word)
{
    struct lw_str piece;
    while (lw_str_split(&text, separator, &piece))
        if (lw_str_eq(lw_str_trim(piece), word))
            return true;
    return false;
}

/* ---- Finding the place
 * ----------------------------------------------------------------------- */

/* The path of our own group: the line "N:controllers:path" of /proc/self/cgroup; version 2 has
 * "0::path". */
static bool own_path(struct lw_str own, struct lw_str controller, struct lw_str *path)
{
    struct lw_str line, number, controllers;
    while (lw_str_line(&own, &line)) {
        struct lw_str rest = line;
        if (!lw_str_split(&rest, ':', &number) || !lw_str_split(&rest, ':', &controllers))
            continue;
        bool found = controller.n ? has_word(controllers, ',', controller)
                                  : controllers.n == 0 && lw_str_eq(number, LW_S("0"));
        if (found) {
            *path = rest;
            return true;
        }
    }
    return false;
}

/* The folder of our own group for a controller (empty: version 2). A mountinfo line is
 * "id parent dev root mountpoint options … - type source superoptions". */
static bool own_folder(char out[CGROUP_PATH], struct lw_str own, struct lw_str mounts,
                       struct lw_str controller)
{
    struct lw_str path, line;
    if (!own_path(own, controller, &path))
        return false;
    while (lw_str_line(&mounts, &line)) {
        struct lw_str before[5], type = {0}, source, options = {0}, rest = line;
        ptrdiff_t dash = lw_str_find(line, LW_S(" - "));
        size_t n = 0;
        while (n < 5 && lw_str_split(&rest, ' ', &before[n]))
            n++;
        if (n < 5 || dash < 0)
            continue;
        rest = lw_str_from(line, (size_t)dash + 3);
        if (!lw_str_split(&rest, ' ', &type) || !lw_str_split(&rest, ' ', &source))
            continue;
        options = rest;
        if (controller.n
                ? !lw_str_eq(type, LW_S("cgroup")) || !has_word(options, ',', controller)
                : !lw_str_eq(type, LW_S("cgroup2")))
            continue;
        /* In a container the mount may show only the part below `root`. */
        struct lw_str root = before[3];
        if (root.n > 1 && lw_str_has_prefix(path, root))
            path = lw_str_from(path, root.n);
        while (path.n > 0 && path.p[path.n - 1] == '/')
            path.n--;
        int length = snprintf(out, CGROUP_PATH, "%.*s%.*s", LW_F(before[4]), LW_F(path));
        return length > 0 && length < CGROUP_PATH && access(out, W_OK) == 0;
    }
    return false;
}

static bool offers_controllers(const char *folder)
{
    char text[1024];
    struct lw_str enabled = lw_str_trim(read_from(folder, "cgroup.subtree_control", text));
    return has_word(enabled, ' ', LW_S("memory")) && has_word(enabled, ' ', LW_S("pids"));
}

/* A folder of version 2 in which a child gets the memory and pids controllers. */
static bool find_v2(struct cgroup_place *out, struct lw_str own, struct lw_str mounts)
{
    char folder[CGROUP_PATH], text[1024];
    if (!own_folder(folder, own, mounts, (struct lw_str){0}))
        return false;
    if (!offers_controllers(folder)) /* works in the root group, and where nobody is inside */
        write_to(folder, "cgroup.subtree_control", "+memory +pids");
    if (!offers_controllers(folder)) {
        struct lw_str limit = lw_str_trim(read_from(folder, "memory.max", text));
        char *slash = strrchr(folder, '/');
        if (!lw_str_eq(limit, LW_S("max")) || !slash || slash == folder)
            return false;
        *slash = '\0';
        if (access(folder, W_OK) < 0 || !offers_controllers(folder))
            return false;
    }
    out->version = 2;
    memcpy(out->memory, folder, sizeof folder);
    memcpy(out->pids, folder, sizeof folder);
    return true;
}

static bool find_v1(struct cgroup_place *out, struct lw_str own, struct lw_str mounts)
{
    if (!own_folder(out->memory, own, mounts, LW_S("memory")) ||
        !own_folder(out->pids, own, mounts, LW_S("pids")))
        return false;
    out->version = 1;
    return true;
}

/* Groups of processes that died without cleaning up; only empty ones can be removed. */
static void remove_stale(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct lw_str rest = lw_str(e->d_name), pid;
        int64_t number;
        if (!lw_str_has_prefix(rest, lw_str(PREFIX)))
            continue;
        rest = lw_str_from(rest, sizeof PREFIX - 1);
        if (!lw_str_split(&rest, '-', &pid) || !lw_parse_i64(pid, &number) || number <= 0)
            continue;
        if (kill((pid_t)number, 0) < 0 && errno == ESRCH)
            unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
    }
    if (dir)
        closedir(dir);
}

void cgroup_find(struct cgroup_place *out, struct lw_str own, struct lw_str mounts)
{
    *out = (struct cgroup_place){0};
    if (!find_v2(out, own, mounts) && !find_v1(out, own, mounts)) {
        out->version = 0;
        return;
    }
    remove_stale(out->memory);
    remove_stale(out->pids);
    struct cgroup trial;
    if (!cgroup_make(&trial, out, 0, UINT64_C(1) << 30, 100))
        out->version = 0;
    cgroup_remove(&trial);
}

/* ---- One group
 * -------------------------------------------------------------------------------- */

static bool set_limits(const struct cgroup *g, uint64_t memory_bytes, uint64_t processes)
{
    bool set = write_number(g->pids, "pids.max", processes);
    if (g->version == 2) {
        set = set && write_number(g->memory, "memory.max", memory_bytes);
        write_to(g->memory, "memory.swap.max", "0"); /* absent where there is no swap */
        write_to(g->memory, "memory.oom.group", "1");
    } else {
        set = set && write_number(g->memory, "memory.limit_in_bytes", memory_bytes);
        write_number(g->memory, "memory.memsw.limit_in_bytes", memory_bytes);
        /* Version 1 counts what lies in connections apart. */
        write_number(g->memory, "memory.kmem.tcp.limit_in_bytes", memory_bytes);
    }
    return set;
}

static int open_procs(const char *folder)
{
    char path[CGROUP_PATH];
    return path_of(path, folder, "cgroup.procs") ? open(path, O_WRONLY | O_CLOEXEC) : -1;
}

bool cgroup_make(struct cgroup *out, const struct cgroup_place *place, unsigned number,
                 uint64_t memory_bytes, uint64_t processes)
{
    *out = (struct cgroup){.version = place->version, .procs = {-1, -1}};
    if (place->version == 0)
        return false;
    char name[64];
    snprintf(name, sizeof name, "%s%ld-%u", PREFIX, (long)getpid(), number);
    bool made =
        path_of(out->memory, place->memory, name) && path_of(out->pids, place->pids, name);
    made = made && mkdir(out->memory, 0755) == 0;
    bool shared = strcmp(out->memory, out->pids) == 0;
    made = made && (shared || mkdir(out->pids, 0755) == 0);
    made = made && set_limits(out, memory_bytes, processes);
    if (made)
        out->procs[0] = open_procs(out->memory);
    if (made && !shared)
        out->procs[1] = open_procs(out->pids);
    if (made && out->procs[0] >= 0 && (shared || out->procs[1] >= 0))
        return true;
    cgroup_remove(out);
    return false;
}

int cgroup_join(const struct cgroup *g)
{
    for (size_t i = 0; i < 2; i++)
        if (g->procs[i] >= 0 && write(g->procs[i], "0", 1) != 1)
            return errno;
    return 0;
}

void cgroup_look(const struct cgroup *g, struct cgroup_state *out)
{
    const char *memory_events = g->version == 2 ? "memory.events" : "memory.oom_control";
    out->out_of_memory = read_counter(g->memory, memory_events, LW_S("oom_kill"));
    out->fork_refused = read_counter(g->pids, "pids.events", LW_S("max"));
    if (g->version != 1)
        return;
    uint64_t connections = read_number(g->memory, "memory.kmem.tcp.usage_in_bytes");
    if (connections > 0 && connections + read_number(g->memory, "memory.usage_in_bytes") >
                               read_number(g->memory, "memory.limit_in_bytes"))
        out->out_of_memory++;
}

void cgroup_remove(struct cgroup *g)
{
    for (size_t i = 0; i < 2; i++)
        if (g->procs[i] >= 0)
            close(g->procs[i]);
    g->procs[0] = g->procs[1] = -1;
    if (g->version == 0)
        return;
    /* The kernel may need a moment to see that the last process is gone. */
    for (int i = 0; i < 50 && rmdir(g->memory) < 0 && errno == EBUSY; i++)
        usleep(2000);
    for (int i = 0; i < 50 && rmdir(g->pids) < 0 && errno == EBUSY; i++)
        usleep(2000);
    g->version = 0;
}
