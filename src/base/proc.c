#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/leftover.h"
#include "base/mem.h"
#include "base/proctree.h"
#include "base/str.h"
#include "base/supervise.h"

static const double CANCEL_SECONDS = 0.02;       /* how often the cancel flag is looked at */
static const double FIRST_WATCH_SECONDS = 0.002; /* then doubling up to watch_seconds */
static const double STUCK_SECONDS = 30;          /* a killed tree that is not gone by then */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- A stream of output: its first and last bytes are kept ----------------------------------
 */

struct stream {
    struct lw_mem *mem;
    int fd;      /* -1 at its end */
    char *p;     /* up to `keep` bytes: the first half stays, the second one is a ring */
    size_t room; /* bytes allocated */
    size_t keep;
    uint64_t total; /* bytes seen */
};

static size_t stream_head(const struct stream *s)
{
    return s->keep / 2;
}

/* The byte number `at` of the stream goes here, overwriting an older one of the tail. */
static size_t stream_place(const struct stream *s, uint64_t at)
{
    size_t head = stream_head(s);
    return at < head ? (size_t)at : head + (size_t)((at - head) % (s->keep - head));
}

static int stream_grow(struct stream *s, uint64_t want)
{
    if (want > s->keep)
        want = s->keep;
    if (want <= s->room)
        return 0;
    size_t room = s->room ? s->room : 4096;
    while (room < want)
        room *= 2;
    if (room > s->keep)
        room = s->keep;
    char *p = lw_mem_realloc(s->mem, s->p, s->room, room);
    if (!p)
        return LW_ENOMEM;
    s->p = p;
    s->room = room;
    return 0;
}

static int stream_add(struct stream *s, const char *text, size_t n)
{
    if (stream_grow(s, s->total + n) < 0)
        return LW_ENOMEM;
    while (n > 0) {
        size_t at = stream_place(s, s->total);
        size_t end = s->total < stream_head(s) ? stream_head(s) : s->keep;
        size_t part = n < end - at ? n : end - at;
        memcpy(s->p + at, text, part);
        s->total += part;
        text += part;
        n -= part;
    }
    return 0;
}

/* Reads what is there; at most a few blocks, so that time limits are looked at in between. */
static int stream_read(struct stream *s)
{
    char block[16384];
    for (int i = 0; i < 8 && s->fd >= 0; i++) {
        ssize_t n = read(s->fd, block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return 0;
        if (n <= 0) {
            close_fd(&s->fd);
            return 0;
        }
        if (stream_add(s, block, (size_t)n) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int stream_text(const struct stream *s, struct lw_arena *arena, struct lw_str *out,
                       bool *cut)
{
    *cut = s->total > s->keep;
    if (!*cut) {
        *out = lw_arena_copy(arena, lw_str_n(s->p, (size_t)s->total));
        return out->p ? 0 : LW_ENOMEM;
    }
    size_t head = stream_head(s), oldest = stream_place(s, s->total);
    struct lw_str middle = lw_arena_printf(arena, "\n[... %llu bytes left out ...]\n",
                                           (unsigned long long)(s->total - s->keep));
    char *p = middle.p ? lw_arena_bytes(arena, s->keep + middle.n + 1) : NULL;
    if (!p)
        return LW_ENOMEM;
    size_t n = 0;
    memcpy(p + n, s->p, head), n += head;
    memcpy(p + n, middle.p, middle.n), n += middle.n;
    memcpy(p + n, s->p + oldest, s->keep - oldest), n += s->keep - oldest;
    memcpy(p + n, s->p + head, oldest - head), n += oldest - head;
    p[n] = '\0';
    *out = lw_str_n(p, n);
    return 0;
}

static void stream_release(struct stream *s)
{
    close_fd(&s->fd);
    lw_mem_free(s->mem, s->p, s->room);
}

/* ---- Starting -------------------------------------------------------------------------------
 */

struct job {
    const struct lw_proc *proc;
    struct lw_run *run;
    struct stream out, err;
    int control; /* write end; closing it kills the tree */
    int report;  /* read end */
    pid_t supervisor;
    pid_t program;
    struct supervise_report failed; /* kind 0 unless the start failed */
    struct supervise_report ended;  /* kind 0 while it runs */
    enum lw_run_end reason;         /* why we killed it; NOT_STARTED: we did not */
    double start, next_watch, watch_step, stuck;
};

static int open_input(struct lw_str text, struct lw_err *err)
{
    if (text.n == 0) {
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return null >= 0 ? null : lw_err_system(err, errno, "cannot open", LW_S("/dev/null"));
    }
    /* A file in memory instead of a pipe: nothing to feed, no SIGPIPE. */
    int fd = memfd_create("input", MFD_CLOEXEC);
    for (size_t n = 0; fd >= 0 && n < text.n;) {
        ssize_t wrote = write(fd, text.p + n, text.n - n);
        if (wrote < 0 && errno != EINTR)
            close_fd(&fd);
        else if (wrote > 0)
            n += (size_t)wrote;
    }
    if (fd < 0)
        return lw_err_system(err, errno, "cannot pass on", LW_S("standard input"));
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static int fork_supervisor(struct job *job, const struct supervise_plan *plan)
{
    /* No handler of ours may run in the child. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    /* _Fork runs no atfork handlers: those of numeric libraries stop their threads. */
    job->supervisor = _Fork();
    if (job->supervisor == 0)
        supervise_run(plan);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return job->supervisor < 0 ? error : 0;
}

static int start(struct job *job, const char *path, struct lw_err *err)
{
    enum { OUT, ERR, CONTROL, REPORT, PIPES };
    int pipes[PIPES][2];
    int made = 0, error = 0;
    int in = open_input(job->proc->input, err);
    if (in < 0)
        return in;
    while (made < PIPES && pipe2(pipes[made], O_CLOEXEC) == 0)
        made++;
    if (made < PIPES) {
        error = errno;
    } else {
        struct supervise_plan plan = {.path = path,
                                      .proc = job->proc,
                                      .caller = getpid(),
                                      .in = in,
                                      .out = pipes[OUT][1],
                                      .err = pipes[ERR][1],
                                      .control = pipes[CONTROL][0],
                                      .report = pipes[REPORT][1]};
        job->start = supervise_clock();
        error = fork_supervisor(job, &plan);
    }
    close(in);
    for (int i = 0; i < made; i++) {
        int ours = i == CONTROL ? 1 : 0;
        close(pipes[i][!ours]);
        if (error)
            close(pipes[i][ours]);
    }
    if (error)
        return lw_err_system(err, error, "cannot start", lw_str(path));
    job->out.fd = pipes[OUT][0];
    job->err.fd = pipes[ERR][0];
    job->control = pipes[CONTROL][1];
    job->report = pipes[REPORT][0];
    int flags[] = {job->out.fd, job->err.fd, job->report};
    for (size_t i = 0; i < 3; i++)
        fcntl(flags[i], F_SETFL, O_NONBLOCK);
    return 0;
}

/* ---- While it runs --------------------------------------------------------------------------
 */

static void end_it(struct job *job, enum lw_run_end reason)
{
    if (job->reason != LW_RUN_NOT_STARTED)
        return;
    job->reason = reason;
    job->stuck = supervise_clock() + STUCK_SECONDS;
    close_fd(&job->control);
}

static void check_limits(struct job *job)
{
    const struct lw_proc *p = job->proc;
    double now = supervise_clock();
    if (p->cancel && atomic_load(p->cancel))
        end_it(job, LW_RUN_CANCELED);
    if (p->wall_seconds > 0 && now - job->start >= p->wall_seconds)
        end_it(job, LW_RUN_TIME_LIMIT);
    if (p->output_limit &&
        (job->out.total > p->output_limit || job->err.total > p->output_limit))
        end_it(job, LW_RUN_OUTPUT_LIMIT);
    if (!p->watch || job->reason != LW_RUN_NOT_STARTED || now < job->next_watch)
        return;
    enum lw_run_end end = p->watch(p->data, job->supervisor);
    if (end != LW_RUN_NOT_STARTED)
        end_it(job, end);
    /* Short runs are seen too: the first looks come quickly one after the other. */
    job->next_watch = supervise_clock() + job->watch_step;
    job->watch_step =
        job->watch_step * 2 < p->watch_seconds ? job->watch_step * 2 : p->watch_seconds;
}

static int poll_milliseconds(const struct job *job)
{
    const struct lw_proc *p = job->proc;
    double now = supervise_clock(), wait = 1;
    if (job->reason == LW_RUN_NOT_STARTED) {
        if (p->cancel && wait > CANCEL_SECONDS)
            wait = CANCEL_SECONDS;
        if (p->wall_seconds > 0 && wait > job->start + p->wall_seconds - now)
            wait = job->start + p->wall_seconds - now;
        if (p->watch && wait > job->next_watch - now)
            wait = job->next_watch - now;
    }
    return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

/* Takes the supervisor's records; closes the pipe at its end. */
static void read_reports(struct job *job)
{
    struct supervise_report report;
    for (;;) {
        ssize_t n = read(job->report, &report, sizeof report);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n != (ssize_t)sizeof report) {
            close_fd(&job->report);
            return;
        }
        if (report.kind == SUPERVISE_BEGUN)
            job->program = report.pid;
        else if (report.kind == SUPERVISE_FAILED)
            job->failed = report;
        else
            job->ended = report;
    }
}

/* Until the supervisor says that everything is gone, or is gone itself. */
static int follow(struct job *job)
{
    job->watch_step = FIRST_WATCH_SECONDS;
    job->next_watch = job->start + job->watch_step;
    while (job->ended.kind == 0 && job->report >= 0) {
        struct pollfd fds[3] = {{.fd = job->out.fd, .events = POLLIN},
                                {.fd = job->err.fd, .events = POLLIN},
                                {.fd = job->report, .events = POLLIN}};
        poll(fds, 3, poll_milliseconds(job));
        if (stream_read(&job->out) < 0 || stream_read(&job->err) < 0)
            return LW_ENOMEM;
        read_reports(job);
        check_limits(job);
        if (job->reason != LW_RUN_NOT_STARTED && supervise_clock() > job->stuck)
            return LW_EIO;
    }
    /* Nobody can write any more: what is left in the pipes is finite. */
    while (job->out.fd >= 0 || job->err.fd >= 0) {
        uint64_t before = job->out.total + job->err.total;
        if (stream_read(&job->out) < 0 || stream_read(&job->err) < 0)
            return LW_ENOMEM;
        if (job->out.total + job->err.total == before)
            break;
    }
    return 0;
}

/* The supervisor was killed, by the kernel or by a program that may signal it. What it guarded
 * is looked for by the session the program was given. */
static void sweep_session(pid_t session)
{
    enum { ROOM = 4096 };
    if (session <= 0)
        return;
    pid_t pids[ROOM];
    kill(-session, SIGKILL);
    size_t n = lw_proc_tree_by_parent(1, pids, ROOM);
    for (size_t i = 0; i < n; i++) {
        struct lw_proc_stat stat;
        if (lw_proc_stat(pids[i], &stat) && stat.session == session)
            kill(pids[i], SIGKILL);
    }
}

/* Leaves nothing running whatever happened before. */
static void finish(struct job *job)
{
    close_fd(&job->control);
    if (job->supervisor > 0) {
        if (job->ended.kind == 0 && job->report < 0)
            sweep_session(job->program);
        bool stuck = job->stuck > 0 && supervise_clock() > job->stuck;
        while (waitpid(job->supervisor, NULL, stuck ? WNOHANG : 0) < 0 && errno == EINTR)
            ;
    }
    close_fd(&job->report);
}

/* ---- The result
 * ------------------------------------------------------------------------------ */

static int start_failure(const struct job *job, const char *path, struct lw_err *err)
{
    const struct supervise_report *f = &job->failed;
    struct lw_str program = lw_str(path);
    switch (f->stage) {
    case STAGE_CWD: return lw_err_system(err, f->error, "cannot enter", lw_str(job->proc->cwd));
    case STAGE_ENTER: return lw_err_system(err, f->error, "cannot confine", program);
    default: return lw_err_system(err, f->error, "cannot start", program);
    }
}

static void judge(struct job *job)
{
    struct lw_run *run = job->run;
    int status = job->ended.status;
    run->seconds = job->ended.stop - job->start;
    run->cpu_seconds = job->ended.cpu_seconds;
    run->peak_bytes = job->ended.peak_bytes;
    if (job->ended.too_many) {
        run->end = LW_RUN_PROCESS_LIMIT;
    } else if (job->reason != LW_RUN_NOT_STARTED) {
        run->end = job->reason;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        run->end = LW_RUN_TIME_LIMIT;
    } else if (WIFSIGNALED(status)) {
        run->end = LW_RUN_SIGNALED;
        run->signal = WTERMSIG(status);
    } else {
        run->end = LW_RUN_EXITED;
        run->exit = WEXITSTATUS(status);
    }
}

static int conclude(struct job *job, int rc, struct lw_arena *arena, const char *path,
                    struct lw_err *err)
{
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    if (rc < 0)
        return lw_err_set(err, rc, "'%s' was killed but does not end", path);
    if (job->failed.kind)
        return start_failure(job, path, err);
    if (job->ended.kind == 0)
        return lw_err_set(err, LW_EIO, "the supervisor of '%s' was killed", path);
    struct lw_run *run = job->run;
    if (stream_text(&job->out, arena, &run->out, &run->out_cut) < 0 ||
        stream_text(&job->err, arena, &run->err, &run->err_cut) < 0)
        return lw_err_nomem(err);
    judge(job);
    return 0;
}

int lw_proc_run(struct lw_run *run, struct lw_arena *arena, const struct lw_proc *proc,
                struct lw_err *err)
{
    *run = (struct lw_run){.exit = -1};
    if (!proc->argv || !proc->argv[0] || proc->fd_count > LW_PROC_MAX_FDS)
        return lw_err_set(err, LW_EINVAL, "no program to run");
    struct lw_str path;
    if (!lw_find_program(proc->argv[0], arena, &path))
        return lw_err_set(err, LW_EMISSING, "program '%s' not found", proc->argv[0]);
    if (proc->cancel && atomic_load(proc->cancel)) {
        run->end = LW_RUN_CANCELED;
        return 0;
    }
    size_t keep = proc->keep_bytes ? proc->keep_bytes : LW_PROC_KEEP;
    if (keep < 2)
        keep = 2;
    struct job job = {.proc = proc,
                      .run = run,
                      .out = {.mem = arena->mem, .fd = -1, .keep = keep},
                      .err = {.mem = arena->mem, .fd = -1, .keep = keep},
                      .control = -1,
                      .report = -1};
    struct lw_leftover left;
    lw_leftover_add_run(&left);
    int rc = start(&job, path.p, err);
    if (rc == 0) {
        rc = follow(&job);
        finish(&job);
        rc = conclude(&job, rc, arena, path.p, err);
    }
    lw_leftover_drop(&left);
    stream_release(&job.out);
    stream_release(&job.err);
    return rc;
}

/* ---- Helpers
 * --------------------------------------------------------------------------------- */

static bool is_executable_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool lw_find_program(const char *name, struct lw_arena *arena, struct lw_str *path)
{
    if (*name == '\0')
        return false;
    if (strchr(name, '/')) {
        *path = lw_arena_copy(arena, lw_str(name));
        return path->p != NULL;
    }
    const char *dirs = getenv("PATH");
    struct lw_str rest = lw_str(dirs ? dirs : "/usr/local/bin:/usr/bin:/bin"), dir;
    while (lw_str_split(&rest, ':', &dir)) {
        if (dir.n == 0 || dir.p[0] != '/')
            continue; /* what lies in the current directory is not run by accident */
        *path = lw_arena_printf(arena, "%.*s/%s", LW_F(dir), name);
        if (!path->p)
            return false;
        if (is_executable_file(path->p))
            return true;
    }
    return false;
}

const char *const *lw_proc_env(struct lw_arena *arena, const char *const *allowed,
                               const char *const *extra)
{
    size_t n = 0;
    for (size_t i = 0; allowed && allowed[i]; i++)
        n++;
    for (size_t i = 0; extra && extra[i]; i++)
        n++;
    const char **env = lw_arena_array(arena, n + 1, sizeof *env);
    if (!env)
        return NULL;
    n = 0;
    for (size_t i = 0; allowed && allowed[i]; i++) {
        const char *value = getenv(allowed[i]);
        if (!value)
            continue;
        env[n] = lw_arena_printf(arena, "%s=%s", allowed[i], value).p;
        if (!env[n++])
            return NULL;
    }
    for (size_t i = 0; extra && extra[i]; i++)
        env[n++] = extra[i];
    return env;
}

const char *lw_run_end_name(enum lw_run_end end)
{
    static const char *const names[] = {
        [LW_RUN_NOT_STARTED] = "not-started",     [LW_RUN_EXITED] = "exited",
        [LW_RUN_SIGNALED] = "signaled",           [LW_RUN_TIME_LIMIT] = "time-limit",
        [LW_RUN_OUTPUT_LIMIT] = "output-limit",   [LW_RUN_MEMORY_LIMIT] = "memory-limit",
        [LW_RUN_PROCESS_LIMIT] = "process-limit", [LW_RUN_DISK_LIMIT] = "disk-limit",
        [LW_RUN_CANCELED] = "canceled",           [LW_RUN_CUT_SHORT] = "cut-short",
    };
    return (unsigned)end < sizeof names / sizeof *names ? names[end] : "unknown";
}
