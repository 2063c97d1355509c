#include "base/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/proctree.h"

enum {
    TREE_ROOM = 16384,
    FREEZE_ROUNDS = 50,
    FIRST_FDS = 3,
    COUNT_MS = 20,     /* between counts of the tree, where it has a limit */
    COUNT_SOON_MS = 1, /* when there are many already: a fork bomb doubles in less than 20 ms */
    IDLE_MS = 1000
};

struct supervisor {
    const struct supervise_plan *plan;
    pid_t self;
    pid_t caller;
    pid_t program;
    bool ended;    /* the program itself, not yet what it left behind */
    bool too_many; /* the tree had more tasks than it may */
    int status;
    int child_fd;      /* signalfd for SIGCHLD, or -1 */
    uint64_t cpu_usec; /* of everything reaped */
    uint64_t peak_kib; /* largest process reaped */
    double stop;       /* of the program; monotonic clock */
};

/* Neither exec nor _exit writes the counts of a coverage build. */
#ifdef LW_COVERAGE
extern void __gcov_dump(void);
static void keep_counts(void)
{
    __gcov_dump();
}
#else
static void keep_counts(void)
{
}
#endif

double supervise_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void send_report(int fd, const struct supervise_report *report)
{
    ssize_t sent;
    do
        sent = write(fd, report, sizeof *report);
    while (sent < 0 && errno == EINTR);
}

static _Noreturn void fail(int fd, enum supervise_stage stage, int error)
{
    struct supervise_report report = {
        .kind = SUPERVISE_FAILED, .stage = (int)stage, .error = error};
    send_report(fd, &report);
    _exit(127);
}

/* ---- The program's side, from fork to exec ------------------------------------------------
 */

static void limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) < 0)
        return;
    struct rlimit next = {.rlim_cur = soft, .rlim_max = hard};
    if (now.rlim_max != RLIM_INFINITY && next.rlim_max > now.rlim_max)
        next.rlim_max = now.rlim_max;
    if (next.rlim_cur > next.rlim_max)
        next.rlim_cur = next.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &next);
}

static void set_limits(const struct lw_proc_limits *l)
{
    limit(RLIMIT_CORE, 0, 0);
    if (l->cpu_seconds) /* SIGXCPU at the soft limit, SIGKILL a second later */
        limit(RLIMIT_CPU, l->cpu_seconds, l->cpu_seconds + 1);
    if (l->address_bytes)
        limit(RLIMIT_AS, l->address_bytes, l->address_bytes);
    if (l->file_bytes)
        limit(RLIMIT_FSIZE, l->file_bytes, l->file_bytes);
    if (l->open_files)
        limit(RLIMIT_NOFILE, l->open_files, l->open_files);
    if (l->processes)
        limit(RLIMIT_NPROC, l->processes, l->processes);
}

/* When memory runs short on the machine the kernel shall take the program, not us. */
static void offer_to_oom_killer(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t ignored = write(fd, "1000", 4);
    (void)ignored;
    close(fd);
}

static void reset_signals(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int s = 1; s < NSIG; s++)
        sigaction(s, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Puts the files at 0, 1, 2, 3, …; all are moved out of the way first, because a source may
 * have the number of another one's target. Returns the moved report descriptor. */
static int place_files(const struct supervise_plan *plan, int report)
{
    int from[FIRST_FDS + LW_PROC_MAX_FDS] = {plan->in, plan->out, plan->err};
    int count = FIRST_FDS;
    for (size_t i = 0; i < plan->proc->fd_count; i++)
        from[count++] = plan->proc->fds[i];
    int moved = fcntl(report, F_DUPFD_CLOEXEC, count);
    if (moved < 0)
        fail(report, STAGE_FILES, errno);
    for (int i = 0; i < count; i++)
        if ((from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, count)) < 0)
            fail(moved, STAGE_FILES, errno);
    for (int i = 0; i < count; i++)
        if (dup2(from[i], i) < 0)
            fail(moved, STAGE_FILES, errno);
    /* A program that embeds us may have opened files without close-on-exec. */
    syscall(SYS_close_range, (unsigned)count, ~0u, CLOSE_RANGE_CLOEXEC);
    return moved;
}

static _Noreturn void become_program(const struct supervise_plan *plan, pid_t supervisor)
{
    const struct lw_proc *proc = plan->proc;
    int report = plan->report;
    setsid();
    reset_signals();
    offer_to_oom_killer();
    if (proc->cwd && chdir(proc->cwd) < 0)
        fail(report, STAGE_CWD, errno);
    int error = proc->enter ? proc->enter(proc->data) : 0;
    if (error)
        fail(report, STAGE_ENTER, error);
    set_limits(&proc->limits); /* the program's, not those of what prepares it */
    report = place_files(plan, report);
    /* After `enter`, since a change of user forgets it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(127);
    static char *const no_env[] = {NULL};
    keep_counts();
    execve(plan->path, (char *const *)(uintptr_t)proc->argv,
           proc->env ? (char *const *)(uintptr_t)proc->env : no_env);
    fail(report, STAGE_EXEC, errno);
}

/* ---- The supervisor's side ----------------------------------------------------------------
 */

static void close_from_to(unsigned from, unsigned to)
{
    if (from > to || syscall(SYS_close_range, from, to, 0) == 0)
        return;
    for (unsigned fd = from; fd <= to && fd < 65536; fd++)
        close((int)fd);
}

/* Descriptors of the program and of other threads' runs must not stay open here: their readers
 * would never see the end. */
static void close_all_but(int a, int b)
{
    unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);
    if (low > 0)
        close_from_to(0, low - 1);
    close_from_to(low + 1, high - 1);
    close_from_to(high + 1, ~0u);
}

/* Reaps what has ended. False when no child is left. */
static bool reap(struct supervisor *s)
{
    for (;;) {
        int status;
        struct rusage usage;
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &usage);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid <= 0)
            return pid == 0;
        s->cpu_usec += (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        if ((uint64_t)usage.ru_maxrss > s->peak_kib)
            s->peak_kib = (uint64_t)usage.ru_maxrss;
        if (pid == s->program) {
            s->ended = true;
            s->status = status;
            s->stop = supervise_clock();
        }
    }
}

/* Waits for a child to end or, if asked, for the control pipe to close (then true). */
static bool wait_for_news(struct supervisor *s, bool with_control, int milliseconds)
{
    struct pollfd fds[2] = {{.fd = s->child_fd, .events = POLLIN},
                            {.fd = with_control ? s->plan->control : -1, .events = POLLIN}};
    if (s->child_fd < 0 && milliseconds > 10)
        milliseconds = 10;
    if (poll(fds, 2, milliseconds) <= 0)
        return false;
    struct signalfd_siginfo news;
    if (fds[0].revents && read(s->child_fd, &news, sizeof news) < 0)
        s->child_fd = -1;
    return fds[1].revents != 0;
}

/* Signals `pid` if it still is a descendant: between the walk and now its number may have gone
 * to somebody else. The pidfd holds on to the process that was checked. */
static void signal_descendant(const struct supervisor *s, pid_t pid, const pid_t *tree,
                              size_t n, int number)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct lw_proc_stat stat = {0};
    bool ours = lw_proc_stat(pid, &stat) && stat.parent == s->self;
    for (size_t i = 0; i < n && !ours; i++)
        ours = stat.parent > 0 && tree[i] == stat.parent;
    if (ours) {
        if (fd < 0 || syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) < 0)
            kill(pid, number);
    }
    if (fd >= 0)
        close(fd);
}

/*
 * Stops the tree, again and again until nobody in it moves. A process killed at once would make
 * room below the limit on processes for another one's child: two million were killed in four
 * minutes, and a thousand were still there. A stopped one keeps its place and leaves the
 * processor to us. Returns the number of processes in `tree`.
 */
static size_t freeze(const struct supervisor *s, pid_t *tree)
{
    size_t n = 0, moving = 1;
    for (int round = 0; round < FREEZE_ROUNDS && moving > 0; round++) {
        n = lw_proc_tree(s->self, tree, TREE_ROOM);
        moving = 0;
        for (size_t i = 0; i < n; i++) {
            struct lw_proc_stat stat;
            if (!lw_proc_stat(tree[i], &stat) || strchr("TtZX", stat.state))
                continue;
            signal_descendant(s, tree[i], tree, n, SIGSTOP);
            moving++;
        }
    }
    return n;
}

/*
 * Until no child is left. Killing a process makes its children ours, and a killed one cannot
 * fork any more. It takes as long as it takes: only a process stuck in the kernel can make it
 * last, and the caller does not wait for that for ever.
 */
static void kill_all(struct supervisor *s)
{
    pid_t tree[TREE_ROOM];
    if (!reap(s))
        return;
    /* Against a thousand busy processes; needs root, helps only then. */
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
    do {
        if (!s->ended)
            kill(-s->program, SIGKILL);
        size_t n = freeze(s, tree);
        for (size_t i = 0; i < n; i++)
            signal_descendant(s, tree[i], tree, n, SIGKILL);
        if (!reap(s))
            return;
        wait_for_news(s, false, 20);
    } while (reap(s));
}

/* The program starts as a copy of us, so the kernel's figure never lies below our own size:
 * only a figure above it says something about the program. */
static uint64_t believable_peak(const struct supervisor *s)
{
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    return s->peak_kib > (uint64_t)own.ru_maxrss ? s->peak_kib * 1024 : 0;
}

/* Tasks of the tree, up to one more than there may be: a larger tree would only take longer to
 * look through, and it shares the processor with us. Nothing is read that waits for a process
 * of the tree. */
static uint64_t count_tasks(const struct supervisor *s, uint64_t limit)
{
    pid_t tree[TREE_ROOM];
    size_t n = lw_proc_tree(s->self, tree, limit < TREE_ROOM ? limit + 1 : TREE_ROOM);
    uint64_t tasks = n > limit ? n : 0;
    struct lw_proc_stat stat;
    for (size_t i = 0; i < n && tasks <= limit; i++)
        if (lw_proc_stat(tree[i], &stat))
            tasks += stat.threads;
    return tasks;
}

static void watch_over(struct supervisor *s)
{
    uint64_t limit = s->plan->proc->limits.tree_tasks, tasks = 0;
    while (!s->ended && !s->too_many) {
        int pause = limit == 0 ? IDLE_MS : tasks > limit / 4 ? COUNT_SOON_MS : COUNT_MS;
        if (wait_for_news(s, true, pause))
            break;
        if (!reap(s))
            break;
        tasks = s->ended || limit == 0 ? 0 : count_tasks(s, limit);
        s->too_many = limit > 0 && tasks > limit;
    }
    kill_all(s);
    if (s->plan->proc->leave && getppid() != s->caller)
        s->plan->proc->leave(s->plan->proc->data);
    if (s->stop == 0)
        s->stop = supervise_clock();
    struct supervise_report report = {.kind = SUPERVISE_ENDED,
                                      .pid = s->program,
                                      .status = s->status,
                                      .too_many = s->too_many,
                                      .stop = s->stop,
                                      .cpu_seconds = (double)s->cpu_usec / 1e6,
                                      .peak_bytes = believable_peak(s)};
    send_report(s->plan->report, &report);
}

_Noreturn void supervise_run(const struct supervise_plan *plan)
{
    struct supervisor s = {
        .plan = plan, .self = getpid(), .caller = plan->caller, .child_fd = -1};
    setsid(); /* the terminal's Ctrl-C is for the caller, who then closes the control pipe */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* An ignored SIGCHLD would make the kernel reap in our place. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    s.program = _Fork();
    if (s.program == 0)
        become_program(plan, s.self);
    if (s.program < 0)
        fail(plan->report, STAGE_FORK, errno);
    struct supervise_report begun = {.kind = SUPERVISE_BEGUN, .pid = s.program};
    send_report(plan->report, &begun);
    close_all_but(plan->control, plan->report);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    s.child_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    watch_over(&s);
    keep_counts();
    _exit(0);
}
