#include "sandbox/watch.h"

#include <dirent.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/proctree.h"
#include "base/str.h"
#include "sandbox/dir.h"
#include "sandbox/held.h"

enum { TREE_ROOM = 8192, HELD_STEPS = 16 };

/* A look that goes through files or mappings takes at most 1/20 of the time. */
static const double SLOW_SECONDS = 0.05;
static const double SLOW_SHARE = 20;

static const double PATIENCE_SECONDS = 1;

static double now_seconds(void)
{
    struct lw_clock clock = lw_clock_system();
    return clock.seconds(clock.data);
}

/* When to take a slow look again that has begun at `begin` and is over now. */
static double next_time(double begin)
{
    double took = (now_seconds() - begin) * SLOW_SHARE;
    return begin + (took > SLOW_SECONDS ? took : SLOW_SECONDS);
}

struct tree {
    pid_t pids[TREE_ROOM];
    size_t n;
    uint64_t rss_bytes;
    uint64_t vm_bytes;
    uint64_t cpu_ticks;
};

static void add_process(struct tree *t, const struct lw_proc_stat *p)
{
    t->rss_bytes += p->rss_pages * (uint64_t)sysconf(_SC_PAGESIZE);
    t->vm_bytes += p->vm_bytes;
    t->cpu_ticks += p->cpu_ticks;
}

/* Reading a process's mappings waits until it has finished with them itself, which among many
 * busy processes takes long: such a look is left unfinished, and the next one begins anew. The
 * number of processes is the supervisor's to watch, who reads none. */
static bool takes_too_long(double begin)
{
    return now_seconds() - begin > PATIENCE_SECONDS;
}

static void add_held(struct held *h, const struct tree *t)
{
    double begin = now_seconds();
    for (size_t i = 0; i < t->n && !takes_too_long(begin); i++)
        held_add(h, t->pids[i]);
}

/* ---- The group, the disk
 * --------------------------------------------------------------------------------------------
 */

static bool is_counted(const struct watch *w)
{
    return w->group && w->group->version != 0;
}

enum lw_run_end watch_group(const struct watch *w)
{
    if (!is_counted(w))
        return LW_RUN_NOT_STARTED;
    struct cgroup_state state;
    cgroup_look(w->group, &state);
    if (state.out_of_memory)
        return LW_RUN_MEMORY_LIMIT;
    return state.fork_refused ? LW_RUN_PROCESS_LIMIT : LW_RUN_NOT_STARTED;
}

enum lw_run_end watch_disk(const struct watch *w)
{
    struct room_state state = {0};
    if (w->room && w->room->dir)
        room_look(w->room, &state);
    else if (w->dir && w->disk_bytes)
        state.full = dir_usage(w->dir, w->disk_bytes) > w->disk_bytes;
    return state.full ? LW_RUN_DISK_LIMIT : LW_RUN_NOT_STARTED;
}

/* Deleted files are in no folder: those that the tree still holds count too. */
static bool exceeds_disk(const struct watch *w, const struct tree *t)
{
    struct stat st;
    struct held held;
    if (!w->dir || !w->disk_bytes || stat(w->dir, &st) < 0)
        return false;
    held_init(&held, st.st_dev, false);
    add_held(&held, t);
    return held.deleted_bytes > w->disk_bytes ||
           dir_usage(w->dir, w->disk_bytes) > w->disk_bytes - held.deleted_bytes;
}

static enum lw_run_end look_at_disk(struct watch *w, const struct tree *t)
{
    if (w->room && w->room->dir)
        return watch_disk(w);
    double begin = now_seconds();
    if (begin < w->next_disk)
        return LW_RUN_NOT_STARTED;
    bool exceeds = exceeds_disk(w, t);
    w->next_disk = next_time(begin);
    return exceeds ? LW_RUN_DISK_LIMIT : LW_RUN_NOT_STARTED;
}

/* ---- Memory without a group
 * --------------------------------------------------------------------------------------------
 */

/* What is written to bubblewrap's own /tmp and /dev/shm; the last processes of a tree are
 * inside. */
static uint64_t tmp_bytes(const struct tree *t)
{
    static const char *const places[] = {"tmp", "dev/shm"};
    uint64_t sum = 0;
    for (size_t i = 0; t->n > 0 && i < 2; i++) {
        char path[64];
        struct statfs fs;
        snprintf(path, sizeof path, "/proc/%ld/root/%s", (long)t->pids[t->n - 1], places[i]);
        if (statfs(path, &fs) == 0 && fs.f_type == TMPFS_MAGIC)
            sum += (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
    }
    return sum;
}

/* Mappings are looked through when there are more or fewer of them, and now and then. */
static void look_at_held(struct watch *w, const struct tree *t, bool sockets)
{
    double begin = now_seconds();
    uint64_t moved =
        t->vm_bytes > w->held_at ? t->vm_bytes - w->held_at : w->held_at - t->vm_bytes;
    if (begin < w->next_held && moved < w->memory_bytes / HELD_STEPS)
        return;
    struct held held;
    held_init(&held, 0, sockets);
    add_held(&held, t);
    w->shared_bytes = held.shared_bytes;
    w->socket_bytes = held.socket_bytes;
    w->held_at = t->vm_bytes;
    w->next_held = next_time(begin);
}

/* Memory that no process's own figures show, or not all of it. */
static uint64_t unmapped_bytes(struct watch *w, const struct tree *t)
{
    uint64_t files = 0, network;
    if (w->room && w->room->dir) {
        struct room_state state;
        room_look(w->room, &state);
        files = state.written;
    } else if (w->inside) {
        files = tmp_bytes(t);
    }
    bool own_network = held_network(&network, t->pids, t->n);
    look_at_held(w, t, !own_network);
    return files + w->shared_bytes + (own_network ? network : w->socket_bytes);
}

/* Pages that processes share, after a fork or from a library, are in the sum once for each of
 * them; before a tree is killed for its memory they are counted properly. Where all files in
 * memory that it can write are known, its shared memory is in `extra` already. */
static bool exceeds_memory(const struct watch *w, const struct tree *t, uint64_t extra)
{
    uint64_t sum = extra;
    bool known = w->inside || (w->room && w->room->dir);
    double begin = now_seconds();
    for (size_t i = 0; i < t->n && sum <= w->memory_bytes && !takes_too_long(begin); i++) {
        struct lw_proc_pss pss;
        struct lw_proc_stat stat;
        if (lw_proc_pss(t->pids[i], &pss))
            sum +=
                known && pss.shmem_bytes < pss.bytes ? pss.bytes - pss.shmem_bytes : pss.bytes;
        else if (lw_proc_stat(t->pids[i], &stat))
            sum += stat.rss_pages * (uint64_t)sysconf(_SC_PAGESIZE);
    }
    return sum > w->memory_bytes;
}

/* A group's memory is counted by the kernel. Counting it here as well would wait for each
 * process's memory map, which one that waits for memory itself does not give away. */
static enum lw_run_end look_at_memory(struct watch *w, const struct tree *t)
{
    bool counts = !is_counted(w) && w->memory_bytes > 0;
    uint64_t extra = counts ? unmapped_bytes(w, t) : 0;
    if (t->rss_bytes + extra > w->peak_bytes)
        w->peak_bytes = t->rss_bytes + extra;
    if (counts && t->rss_bytes + extra > w->memory_bytes && exceeds_memory(w, t, extra))
        return LW_RUN_MEMORY_LIMIT;
    return LW_RUN_NOT_STARTED;
}

/* ---- The tree
 * --------------------------------------------------------------------------------------------
 */

static enum lw_run_end look_at_tree(struct watch *w, struct tree *t, pid_t supervisor)
{
    struct lw_proc_stat stat;
    t->n = lw_proc_tree(supervisor, t->pids, TREE_ROOM);
    t->rss_bytes = t->vm_bytes = t->cpu_ticks = 0;
    for (size_t i = 0; i < t->n; i++)
        if (lw_proc_stat(t->pids[i], &stat))
            add_process(t, &stat);
    if (lw_proc_stat(supervisor, &stat)) /* what it reaped; its own time is next to nothing */
        t->cpu_ticks += stat.cpu_ticks;
    if (w->cpu_seconds > 0 &&
        (double)t->cpu_ticks / (double)sysconf(_SC_CLK_TCK) > w->cpu_seconds)
        return LW_RUN_TIME_LIMIT;
    return look_at_memory(w, t);
}

enum lw_run_end watch_look(struct watch *w, pid_t supervisor)
{
    struct tree tree;
    enum lw_run_end end = watch_group(w);
    if (end == LW_RUN_NOT_STARTED)
        end = look_at_tree(w, &tree, supervisor);
    if (end == LW_RUN_NOT_STARTED)
        end = look_at_disk(w, &tree);
    return end;
}

uint64_t watch_user_tasks(void)
{
    uint64_t tasks = 0;
    uid_t self = getuid();
    DIR *dir = opendir("/proc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        struct lw_proc_stat stat;
        int64_t pid;
        if (lw_parse_i64(lw_str(e->d_name), &pid) && pid > 0 &&
            fstatat(dirfd(dir), e->d_name, &st, 0) == 0 && st.st_uid == self &&
            lw_proc_stat((pid_t)pid, &stat))
            tasks += stat.threads;
    }
    if (dir)
        closedir(dir);
    return tasks;
}
