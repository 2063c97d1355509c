#include "sandbox/bwrap.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "sandbox/room.h"

enum { ARGS_ROOM = 256, LINK_ROOM = 256 };

struct args {
    struct lw_arena *arena;
    const char **v;
    size_t n, room;
    bool failed;
};

/* Room for one more word and the closing NULL. */
static bool grow(struct args *a)
{
    if (a->n + 2 <= a->room)
        return true;
    size_t room = a->room ? 2 * a->room : ARGS_ROOM;
    const char **v = lw_arena_array(a->arena, room, sizeof *v);
    if (!v)
        return false;
    if (a->n)
        memcpy(v, a->v, a->n * sizeof *v);
    a->v = v;
    a->room = room;
    return true;
}

/* The first failure sticks; a word is NULL where memory ran out. */
static void add(struct args *a, const char *word)
{
    if (a->failed || !word || !grow(a))
        a->failed = true;
    else
        a->v[a->n++] = word;
}

static void add2(struct args *a, const char *x, const char *y)
{
    add(a, x);
    add(a, y);
}

static void add3(struct args *a, const char *x, const char *y, const char *z)
{
    add2(a, x, y);
    add(a, z);
}

static const char *number(struct args *a, uint64_t value)
{
    return lw_arena_printf(a->arena, "%llu", (unsigned long long)value).p;
}

static void add_namespaces(struct args *a, const struct bwrap_plan *plan)
{
    add3(a, "--unshare-ipc", "--unshare-pid", "--unshare-net");
    add3(a, "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent");
    add3(a, "--new-session", "--hostname", "bug");
    add2(a, "--cap-drop", "ALL");
    if (plan->mode == BWRAP_USER) {
        add(a, "--unshare-user");
        add2(a, "--uid", number(a, plan->uid));
        add2(a, "--gid", number(a, plan->uid));
    } else { /* to change the user and to empty the bounding set, which takes all four away,
              * and to enter /bug before */
        add2(a, "--cap-add", "CAP_DAC_READ_SEARCH");
        add2(a, "--cap-add", "CAP_SETUID");
        add2(a, "--cap-add", "CAP_SETGID");
        add2(a, "--cap-add", "CAP_SETPCAP");
    }
}

/* The folders above `path`. Those bubblewrap makes by itself above what it binds are for root
 * only, and the program runs as somebody else. */
static void add_parents(struct args *a, const char *path)
{
    if (*path != '/')
        return;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        struct lw_str parent = lw_str_n(path, (size_t)(slash - path));
        add2(a, "--dir", lw_arena_copy(a->arena, parent).p);
    }
}

static void add_shown(struct args *a, const char *path)
{
    if (!path || access(path, F_OK) < 0)
        return;
    add_parents(a, path);
    add3(a, "--ro-bind", path, path);
}

/* /bin, /lib, … are links into /usr nowadays, folders on older systems. */
static void add_system_folder(struct args *a, const char *path)
{
    struct stat st;
    char target[LINK_ROOM];
    if (lstat(path, &st) < 0)
        return;
    if (!S_ISLNK(st.st_mode)) {
        add3(a, "--ro-bind", path, path);
        return;
    }
    ssize_t n = readlink(path, target, sizeof target);
    if (n > 0 && n < LINK_ROOM)
        add3(a, "--symlink", lw_arena_copy(a->arena, lw_str_n(target, (size_t)n)).p, path);
}

/* Python's own folders in /etc carry the version in their names. */
static void add_python_folders(struct args *a)
{
    DIR *dir = opendir("/etc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, "python", 6) != 0)
            continue;
        const char *path = lw_arena_printf(a->arena, "/etc/%s", e->d_name).p;
        add_shown(a, path);
    }
    if (dir)
        closedir(dir);
}

static void add_system(struct args *a)
{
    static const char *const folders[] = {"/bin",   "/sbin",  "/lib",
                                          "/lib32", "/lib64", "/libx32"};
    /* No list of users, no secrets: what the linker, Python and numeric libraries look up.
     * Without alternatives BLAS is not found; without the CPU folders torch complains. */
    static const char *const shown[] = {
        "/etc/alternatives", "/etc/ld.so.cache",        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d", "/etc/localtime",          "/etc/timezone",
        "/etc/mime.types",   "/etc/nsswitch.conf",      "/etc/protocols",
        "/etc/services",     "/etc/os-release",         "/etc/fonts",
        "/etc/matplotlibrc", "/sys/devices/system/cpu", "/sys/devices/system/node",
    };
    add3(a, "--ro-bind", "/usr", "/usr");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add_system_folder(a, folders[i]);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        add_shown(a, shown[i]);
    add_python_folders(a);
}

/* An empty folder in memory for everybody, of bounded size. */
static void add_memory_folder(struct args *a, const char *path, uint64_t bytes)
{
    add2(a, "--perms", "1777");
    if (bytes)
        add2(a, "--size", number(a, bytes));
    add2(a, "--tmpfs", path);
}

/* Bubblewrap's own process, which the program could else read and, being the same user, write
 * to: its command line has paths of the machine, its memory is a way past the filter. */
static void hide_first_process(struct args *a)
{
    add2(a, "--perms", "0555");
    add2(a, "--size", "4096");
    add2(a, "--tmpfs", "/proc/1");
    add2(a, "--remount-ro", "/proc/1");
}

/* A folder of the room, or one of its own. */
static void add_writable(struct args *a, const struct bwrap_plan *plan, const char *name,
                         const char *path)
{
    if (plan->room)
        add3(a, "--bind", lw_arena_printf(a->arena, "%s/%s", plan->room, name).p, path);
    else
        add_memory_folder(a, path, plan->policy->tmp_bytes);
}

static void add_data_file(struct args *a, unsigned fd, const char *path)
{
    add2(a, "--perms", "0444");
    add3(a, "--ro-bind-data", number(a, fd), path);
}

/* What lies in the working directory is now in the room that covers it. */
static const char *bind_source(struct args *a, const struct bwrap_plan *plan, const char *from)
{
    size_t n = plan->room ? strlen(plan->room) : 0;
    if (n == 0 || strncmp(from, plan->room, n) != 0 || from[n] != '/')
        return from;
    return lw_arena_printf(a->arena, "%s/" ROOM_WORK "%s", plan->room, from + n).p;
}

/* Those within the working directory come after it, the others before. */
static void add_binds(struct args *a, const struct bwrap_plan *plan, bool within)
{
    static const char front[] = LW_SANDBOX_DIR "/";
    for (size_t i = 0; i < plan->policy->bind_count; i++) {
        const struct lw_bind *b = &plan->policy->binds[i];
        const char *to = b->to ? b->to : b->from;
        if ((strncmp(to, front, sizeof front - 1) == 0) != within)
            continue;
        if (!within)
            add_parents(a, to);
        add3(a, "--ro-bind", bind_source(a, plan, b->from), to);
    }
}

static void add_files(struct args *a, const struct bwrap_plan *plan)
{
    const struct lw_policy *p = plan->policy;
    add_system(a);
    add_data_file(a, BWRAP_PASSWD_FD, "/etc/passwd");
    add_data_file(a, BWRAP_GROUP_FD, "/etc/group");
    add2(a, "--proc", "/proc");
    hide_first_process(a);
    add2(a, "--dev", "/dev");
    add_writable(a, plan, ROOM_SHM, "/dev/shm");
    add2(a, "--remount-ro", "/dev");
    add_writable(a, plan, ROOM_TMP, "/tmp");
    add_binds(a, plan, false);
    if (plan->room)
        add_writable(a, plan, ROOM_WORK, LW_SANDBOX_DIR);
    else if (p->dir)
        add3(a, "--bind", p->dir, LW_SANDBOX_DIR);
    else
        add_memory_folder(a, LW_SANDBOX_DIR, p->disk_bytes);
    add_binds(a, plan, true);
    add2(a, "--remount-ro", "/");
    add2(a, "--chdir", LW_SANDBOX_DIR);
}

static void add_program(struct args *a, const struct bwrap_plan *plan)
{
    add2(a, "--json-status-fd", number(a, BWRAP_STATUS_FD));
    if (plan->filter)
        add2(a, "--seccomp", number(a, BWRAP_FILTER_FD));
    add(a, "--");
    if (plan->mode == BWRAP_DROP) {
        add3(a, plan->setpriv, "--reuid", number(a, plan->uid));
        add2(a, "--regid", number(a, plan->uid));
        add3(a, "--clear-groups", "--bounding-set", "-all");
        add3(a, "--inh-caps", "-all", "--");
    }
    for (size_t i = 0; plan->argv[i]; i++)
        add(a, plan->argv[i]);
}

const char *const *bwrap_argv(struct lw_arena *arena, const struct bwrap_plan *plan)
{
    struct args a = {.arena = arena};
    add(&a, plan->program);
    add_namespaces(&a, plan);
    add_files(&a, plan);
    add_program(&a, plan);
    return a.failed ? NULL : a.v;
}

int bwrap_exit_code(struct lw_str status)
{
    static const struct lw_str key = {"\"exit-code\": ", 13};
    ptrdiff_t at = lw_str_find(status, key);
    if (at < 0)
        return -1;
    struct lw_str rest = lw_str_from(status, (size_t)at + key.n);
    size_t n = 0;
    while (n < rest.n && rest.p[n] >= '0' && rest.p[n] <= '9')
        n++;
    int64_t code;
    return lw_parse_i64(lw_str_part(rest, 0, n), &code) && code >= 0 && code < 256 ? (int)code
                                                                                   : -1;
}
