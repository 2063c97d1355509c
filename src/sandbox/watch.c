#include "sandbox/watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/proctree.h"
#include "base/str.h"
#include "sandbox/dir.h"

enum { TREE_ROOM = 8192 };

static const double DISK_SECONDS = 0.2;
static const double DISK_SHARE = 20; /* a look at the disk takes at most 1/20 of the time */

static double now_seconds(void)
{
    struct lw_clock clock = lw_clock_system();
    return clock.seconds(clock.data);
}

struct sums {
    uint64_t rss_bytes;
    uint64_t tasks;
    uint64_t cpu_ticks;
};

static void add_process(struct sums *s, const struct lw_proc_stat *p)
{
    s->rss_bytes += p->rss_pages * (uint64_t)sysconf(_SC_PAGESIZE);
    s->tasks += p->threads;
    s->cpu_ticks += p->cpu_ticks;
}

/* Pages that processes share, after a fork or from a library, are in the sum once for each of
 * them; before a tree is killed for its memory they are counted properly. */
static bool exceeds_memory(const pid_t *tree, size_t n, uint64_t limit)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n && sum <= limit; i++) {
        uint64_t bytes = 0;
        struct lw_proc_stat stat;
        if (!lw_proc_pss(tree[i], &bytes) && lw_proc_stat(tree[i], &stat))
            bytes = stat.rss_pages * (uint64_t)sysconf(_SC_PAGESIZE);
        sum += bytes;
    }
    return sum > limit;
}

enum lw_run_end watch_group(const struct watch *w)
{
    if (!w->group || w->group->version == 0)
        return LW_RUN_NOT_STARTED;
    struct cgroup_state state;
    cgroup_look(w->group, &state);
    if (state.out_of_memory)
        return LW_RUN_MEMORY_LIMIT;
    return state.fork_refused ? LW_RUN_PROCESS_LIMIT : LW_RUN_NOT_STARTED;
}

enum lw_run_end watch_disk(const struct watch *w)
{
    if (!w->dir || !w->disk_bytes || dir_usage(w->dir, w->disk_bytes) <= w->disk_bytes)
        return LW_RUN_NOT_STARTED;
    return LW_RUN_DISK_LIMIT;
}

static enum lw_run_end look_at_disk(struct watch *w)
{
    double begin = now_seconds();
    if (begin < w->next_disk)
        return LW_RUN_NOT_STARTED;
    enum lw_run_end end = watch_disk(w);
    double took = now_seconds() - begin;
    w->next_disk =
        begin + (took * DISK_SHARE > DISK_SECONDS ? took * DISK_SHARE : DISK_SECONDS);
    return end;
}

static enum lw_run_end look_at_tree(struct watch *w, pid_t supervisor)
{
    pid_t tree[TREE_ROOM];
    size_t n = lw_proc_tree(supervisor, tree, TREE_ROOM);
    struct sums sums = {0};
    struct lw_proc_stat stat;
    for (size_t i = 0; i < n; i++)
        if (lw_proc_stat(tree[i], &stat))
            add_process(&sums, &stat);
    if (lw_proc_stat(supervisor, &stat)) /* what it reaped; its own time is next to nothing */
        sums.cpu_ticks += stat.cpu_ticks;
    if (sums.rss_bytes > w->peak_bytes)
        w->peak_bytes = sums.rss_bytes;
    if (w->processes && sums.tasks > w->processes)
        return LW_RUN_PROCESS_LIMIT;
    if (w->cpu_seconds > 0 &&
        (double)sums.cpu_ticks / (double)sysconf(_SC_CLK_TCK) > w->cpu_seconds)
        return LW_RUN_TIME_LIMIT;
    /* A group's memory is counted by the kernel. Counting it here as well would wait for each
     * process's memory map, which one that waits for memory itself does not give away. */
    bool counted = w->group && w->group->version != 0;
    if (!counted && w->memory_bytes && sums.rss_bytes > w->memory_bytes &&
        exceeds_memory(tree, n, w->memory_bytes))
        return LW_RUN_MEMORY_LIMIT;
    return LW_RUN_NOT_STARTED;
}

enum lw_run_end watch_look(struct watch *w, pid_t supervisor)
{
    enum lw_run_end end = watch_group(w);
    if (end == LW_RUN_NOT_STARTED)
        end = look_at_tree(w, supervisor);
    if (end == LW_RUN_NOT_STARTED)
        end = look_at_disk(w);
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
