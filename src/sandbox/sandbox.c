#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/scratch.h"
#include "base/str.h"
#include "sandbox/bwrap.h"
#include "sandbox/cgroup.h"
#include "sandbox/dir.h"
#include "sandbox/filter.h"
#include "sandbox/room.h"
#include "sandbox/watch.h"

enum {
    LEVEL_TEXT = 64,
    INSIDE_UID = 1000,     /* the user id that the program sees in a user namespace */
    OWN_UIDS = 0x70000000, /* 2^28 user ids that systems do not use */
    BWRAP_TASKS = 2,       /* bubblewrap's own processes */
    TASKS_BEYOND = 64,     /* beyond twice as many as there may be the kernel refuses more */
    WATCH_MS = 25,         /* between looks at the tree */
    WATCH_GROUP_MS = 100,  /* where the kernel bounds memory and processes itself */
    PROC_FILE_MAX = 4 << 20
};

/* What is tried, and once found used: bubblewrap in some mode, with or without the filter, with
 * or without a file system of bounded size. */
struct level {
    enum bwrap_mode mode;
    bool filter;
    bool room;
};

struct lw_sandbox {
    struct lw_mem *mem;
    struct lw_arena arena; /* paths */
    pthread_mutex_t lock;  /* over the probe */
    bool probed;
    unsigned without; /* LW_SANDBOX_… levels left out */
    struct lw_sandbox_ability ability;
    char isolation[LEVEL_TEXT], weak_isolation[LEVEL_TEXT];
    char why[LW_ERR_TEXT];

    struct lw_str bwrap, setpriv; /* paths; empty = not there */
    struct level level, weak_level;
    struct cgroup_place place;
    bool seccomp;                        /* filters can be built and used */
    pthread_mutex_t filter_lock;         /* over the filters, each built when first needed */
    struct filter filters[FILTER_KINDS]; /* by FILTER_… flags */
    atomic_uint runs;                    /* numbers groups and users */
};

/* One run; what its hooks see. */
struct confined {
    struct lw_sandbox *sandbox;
    const struct lw_policy *policy;
    struct level level;
    unsigned number;
    uid_t uid;                 /* the run's own user, when we are root; else 0 */
    const char *dir;           /* the working directory; NULL: bubblewrap makes one */
    struct lw_scratch scratch; /* when the policy has none */
    bool has_scratch;
    const struct filter *filter; /* NULL: none */
    struct cgroup group;
    struct room room;
    struct watch watch;
    uid_t owner; /* of the working directory, to be given back */
    gid_t owner_group;
};

void lw_policy_init(struct lw_policy *policy)
{
    *policy = (struct lw_policy){
        .wall_seconds = 60,
        .cpu_seconds = 60,
        .memory_bytes = UINT64_C(2) << 30,
        .processes = 512,
        .file_bytes = UINT64_C(256) << 20,
        .disk_bytes = UINT64_C(1) << 30,
        .tmp_bytes = UINT64_C(256) << 20,
        .open_files = 1024,
        .output_bytes = UINT64_C(64) << 20,
    };
}

/* ---- Environment
 * ------------------------------------------------------------------------------ */

static bool has_name(const char *const *env, const char *assignment)
{
    size_t n = strcspn(assignment, "=") + 1;
    for (size_t i = 0; env && env[i]; i++)
        if (strncmp(env[i], assignment, n) == 0)
            return true;
    return false;
}

/* The policy's variables, and ours where it has none of that name. */
static const char *const *make_env(struct lw_arena *arena, const struct lw_policy *policy,
                                   const char *home)
{
    static const char *const fixed[] = {
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "LANG=C.UTF-8",
        "USER=bug",
        "LOGNAME=bug",
        "OMP_NUM_THREADS=1",
        "OPENBLAS_NUM_THREADS=1",
        "MKL_NUM_THREADS=1",
        "PYTHONDONTWRITEBYTECODE=1",
        "PYTHONHASHSEED=0",
        "PYTHONNOUSERSITE=1",
        "TF_CPP_MIN_LOG_LEVEL=2",
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    size_t own = 0, n = 0;
    while (policy->env && policy->env[own])
        own++;
    const char **env = lw_arena_array(arena, own + FIXED + 3, sizeof *env);
    const char *made[] = {lw_arena_printf(arena, "HOME=%s", home).p,
                          lw_arena_printf(arena, "TMPDIR=%s", home).p};
    if (!env || !made[0] || !made[1])
        return NULL;
    for (size_t i = 0; i < own; i++)
        env[n++] = policy->env[i];
    for (size_t i = 0; i < FIXED; i++)
        if (!has_name(policy->env, fixed[i]))
            env[n++] = fixed[i];
    for (size_t i = 0; i < 2; i++)
        if (!has_name(policy->env, made[i]))
            env[n++] = made[i];
    return env;
}

/* ---- Between fork and exec (async-signal-safe)
 * ------------------------------------------------- */

/* Raw calls: libc's would try to change other threads too, which do not exist here. */
static int become_user(uid_t uid)
{
    if (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, uid, uid, uid) < 0 ||
        syscall(SYS_setresuid, uid, uid, uid) < 0)
        return errno;
    return 0;
}

static int enter(void *data)
{
    const struct confined *c = data;
    /* What is copied into the room is ours; only what comes after counts. */
    int error = c->room.dir ? room_enter(&c->room) : 0;
    if (error == 0 && c->group.version)
        error = cgroup_join(&c->group);
    if (error || c->level.mode != BWRAP_NONE)
        return error;
    for (int cap = 0; cap < 64; cap++)
        prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
    if (c->uid && (error = become_user(c->uid)) != 0)
        return error;
    if (c->filter)
        return filter_install(c->filter);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? errno : 0;
}

static void leave(void *data)
{
    struct confined *c = data;
    cgroup_remove(&c->group);
}

/* ---- One run
 * ----------------------------------------------------------------------------------- */

static enum lw_run_end look(void *data, pid_t supervisor)
{
    struct confined *c = data;
    return watch_look(&c->watch, supervisor);
}

/* As root each run has a user of its own: no file of the machine belongs to it, RLIMIT_NPROC
 * counts only this run, and it can signal nobody. */
static uid_t own_user(unsigned number)
{
    uint32_t drawn;
    /* From the system, not from the context's seed, which a program may know: a number that
     * follows from the run before, or that anybody can work out, tells a program which side of
     * a bug it is. Two runs at once draw the same one in 1 of 2^28 cases; that they could then
     * signal each other is prevented by their process namespaces. */
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        drawn = (uint32_t)getpid() << 6 ^ number;
    return (uid_t)OWN_UIDS | (drawn & 0x0fffffff);
}

/* The filter for these flags, or NULL: it cannot be had. Borrowed from the handle. */
static const struct filter *filter_for(struct lw_sandbox *s, unsigned flags)
{
    struct lw_err err;
    struct filter *f = &s->filters[flags];
    pthread_mutex_lock(&s->filter_lock);
    bool built = f->code || filter_build(f, s->mem, flags, &err) == 0;
    pthread_mutex_unlock(&s->filter_lock);
    return built ? f : NULL;
}

static int choose_filter(struct confined *c, struct lw_err *err)
{
    unsigned flags = 0;
    if (c->level.mode == BWRAP_NONE)
        flags |= FILTER_NO_INET | FILTER_NO_IPC | FILTER_NO_FALLOCATE;
    if (!c->group.version)
        flags |= FILTER_NO_UNCOUNTED;
    if (!c->room.dir)
        flags |= FILTER_NO_FALLOCATE;
    c->filter = c->level.filter ? filter_for(c->sandbox, flags) : NULL;
    return c->level.filter && !c->filter ? lw_err_nomem(err) : 0;
}

/* A room is mounted over the working directory, so there must be one. */
static int open_room(struct confined *c, struct lw_err *err)
{
    const struct lw_policy *p = c->policy;
    if (!c->level.room || p->disk_bytes == 0)
        return 0;
    if (!c->dir) {
        c->has_scratch = true;
        if (lw_scratch_make(&c->scratch, c->sandbox->mem, err) < 0)
            return err->code;
        c->dir = lw_buf_z(&c->scratch.path);
    }
    bool bare = c->level.mode == BWRAP_NONE;
    bool user = c->level.mode == BWRAP_USER || geteuid() != 0;
    if (room_open(&c->room, c->dir, p->disk_bytes, c->uid, user, bare) < 0)
        return lw_err_set(err, LW_EIO, "cannot use the folder '%s'", c->dir);
    return 0;
}

/* Bubblewrap's own, beside the program's. */
static uint64_t own_tasks(struct level level)
{
    return level.mode == BWRAP_NONE ? 0 : BWRAP_TASKS;
}

/* Sets up a run; unconfine it in every case. */
static int confine(struct confined *c, struct lw_sandbox *s, const struct lw_policy *policy,
                   struct level level, struct lw_err *err)
{
    *c = (struct confined){
        .sandbox = s, .policy = policy, .level = level, .dir = policy->dir, .room = {.fd = -1}};
    c->number = atomic_fetch_add(&s->runs, 1) + 1;
    bool is_root = geteuid() == 0;
    bool drop = level.mode == BWRAP_DROP || (level.mode == BWRAP_NONE && is_root &&
                                             policy->dir && dir_reachable(policy->dir));
    c->uid = drop ? own_user(c->number) : 0;
    uint64_t tasks = policy->processes ? policy->processes + own_tasks(level) : 1 << 20;
    uint64_t memory = policy->memory_bytes ? policy->memory_bytes : UINT64_C(1) << 60;
    cgroup_make(&c->group, &s->place, c->number, memory, tasks);
    int rc = open_room(c, err);
    if (rc == 0)
        rc = choose_filter(c, err);
    c->watch = (struct watch){.group = &c->group,
                              .memory_bytes = policy->memory_bytes,
                              .cpu_seconds = (double)policy->cpu_seconds,
                              .room = &c->room,
                              .dir = c->dir,
                              .disk_bytes = policy->disk_bytes,
                              .inside = level.mode != BWRAP_NONE};
    return rc;
}

static void unconfine(struct confined *c)
{
    room_release(&c->room);
    cgroup_remove(&c->group);
    if (c->has_scratch)
        lw_scratch_release(&c->scratch);
}

/* Without a group the supervisor counts. */
static uint64_t tree_limit(const struct confined *c)
{
    uint64_t processes = c->policy->processes;
    return processes && !c->group.version ? processes + own_tasks(c->level) : 0;
}

/* The kernel's count of a user's tasks is a second line behind the supervisor's: so wide that
 * the supervisor, who can say what happened, comes first. Hundreds of processes that try again
 * and again to do what the kernel refuses keep it so busy that nobody gets his turn. */
static uint64_t task_limit(const struct confined *c)
{
    uint64_t wide = c->policy->processes * 2 + TASKS_BEYOND;
    if (!c->policy->processes || c->group.version || (geteuid() == 0 && !c->uid))
        return 0;
    return c->uid ? wide : watch_user_tasks() + wide;
}

static void set_proc(struct lw_proc *proc, struct confined *c)
{
    const struct lw_policy *p = c->policy;
    int milliseconds = c->group.version ? WATCH_GROUP_MS : WATCH_MS;
    *proc = (struct lw_proc){.input = p->input,
                             .keep_bytes = p->keep_bytes,
                             .output_limit = p->output_bytes,
                             .wall_seconds = p->wall_seconds,
                             .limits = {.cpu_seconds = p->cpu_seconds,
                                        .file_bytes = p->file_bytes,
                                        .open_files = p->open_files,
                                        .processes = task_limit(c),
                                        .tree_tasks = tree_limit(c)},
                             .cancel = p->cancel,
                             .enter = enter,
                             .leave = leave,
                             .watch = look,
                             .watch_seconds = (double)milliseconds / 1000,
                             .data = c};
}

static int hand_over(struct confined *c, struct lw_err *err)
{
    struct stat st;
    const char *dir = c->dir;
    if (!c->uid || !dir || c->room.dir)
        return 0;
    if (stat(dir, &st) < 0)
        return lw_err_system(err, errno, "cannot use", lw_str(dir));
    c->owner = st.st_uid;
    c->owner_group = st.st_gid;
    if (!dir_own(dir, c->uid, c->uid))
        return lw_err_set(err, LW_EIO, "cannot give '%s' to the confined program", dir);
    return 0;
}

static void take_back(const struct confined *c)
{
    if (c->uid && c->dir && !c->room.dir)
        dir_own(c->dir, c->owner, c->owner_group);
}

static void describe(char out[LEVEL_TEXT], struct level level, int cgroup)
{
    char limits[16] = "polling";
    if (cgroup)
        snprintf(limits, sizeof limits, "cgroup%d", cgroup);
    const char *disk = level.room ? "" : "+disk-polling";
    if (level.mode != BWRAP_NONE)
        snprintf(out, LEVEL_TEXT, "bwrap%s+%s%s", level.filter ? "+seccomp" : "", limits, disk);
    else
        snprintf(out, LEVEL_TEXT, "%srlimits+%s%s", level.filter ? "seccomp+" : "", limits,
                 disk);
}

/* What the limits say about a program that seems to have ended by itself. */
static void judge(struct lw_run *run, const struct confined *c)
{
    const struct lw_policy *p = c->policy;
    if (c->watch.peak_bytes > run->peak_bytes)
        run->peak_bytes = c->watch.peak_bytes;
    if (run->end != LW_RUN_EXITED && run->end != LW_RUN_SIGNALED)
        return;
    enum lw_run_end end = watch_group(&c->watch);
    if (end == LW_RUN_NOT_STARTED)
        end = watch_disk(&c->watch);
    bool by_cpu = run->end == LW_RUN_SIGNALED &&
                  (run->signal == SIGXCPU || (run->signal == SIGKILL && p->cpu_seconds > 0 &&
                                              run->cpu_seconds >= (double)p->cpu_seconds));
    if (end == LW_RUN_NOT_STARTED && by_cpu)
        end = LW_RUN_TIME_LIMIT;
    if (end == LW_RUN_NOT_STARTED)
        return;
    run->end = end;
    run->exit = -1;
    run->signal = 0;
}

/* The part that both ways of running share; `proc` lacks only what set_proc does not know. */
static int run_confined(struct lw_run *run, struct lw_arena *arena, struct confined *c,
                        const struct lw_proc *proc, struct lw_err *err)
{
    int rc = hand_over(c, err);
    if (rc == 0)
        rc = lw_proc_run(run, arena, proc, err);
    take_back(c);
    char text[LEVEL_TEXT];
    describe(text, c->level, c->group.version);
    run->isolation = lw_arena_copy(arena, lw_str(text));
    if (rc == 0 && !run->isolation.p)
        rc = lw_err_nomem(err);
    return rc;
}

/* ---- With bubblewrap
 * ---------------------------------------------------------------------------- */

/* A pipe that holds `bytes` and then ends; they fit into its buffer. */
static int pipe_with(const void *bytes, size_t n)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    bool written =
        fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 && write(ends[1], bytes, n) == (ssize_t)n;
    close(ends[1]);
    if (written)
        return ends[0];
    close(ends[0]);
    return -1;
}

struct inside_fds {
    int status; /* our end */
    int fds[4]; /* the program's, in the order of enum bwrap_fd */
    size_t count;
};

static void close_inside(struct inside_fds *f)
{
    for (size_t i = 0; i < 4; i++)
        if (f->fds[i] >= 0)
            close(f->fds[i]);
    if (f->status >= 0)
        close(f->status);
}

static int open_inside(struct inside_fds *f, const struct confined *c, uid_t uid)
{
    *f = (struct inside_fds){.status = -1, .fds = {-1, -1, -1, -1}, .count = 3};
    char passwd[128], group[128];
    int n = snprintf(passwd, sizeof passwd, "bug:x:%lu:%lu:bug:/tmp:/bin/sh\n",
                     (unsigned long)uid, (unsigned long)uid);
    int m = snprintf(group, sizeof group, "bug:x:%lu:\n", (unsigned long)uid);
    int status[2];
    if (pipe2(status, O_CLOEXEC) < 0)
        return LW_EIO;
    f->status = status[0];
    f->fds[0] = status[1];
    f->fds[1] = pipe_with(passwd, (size_t)n);
    f->fds[2] = pipe_with(group, (size_t)m);
    if (c->filter) {
        f->fds[3] = pipe_with(c->filter->code, c->filter->bytes);
        f->count = 4;
    }
    for (size_t i = 0; i < f->count; i++)
        if (f->fds[i] < 0)
            return LW_EIO;
    return 0;
}

static struct lw_str read_status(struct inside_fds *f, char text[1024])
{
    close(f->fds[0]); /* the last writer: everything else is gone */
    f->fds[0] = -1;
    size_t n = 0;
    ssize_t got;
    while (n < 1024 && (got = read(f->status, text + n, 1024 - n)) > 0)
        n += (size_t)got;
    return lw_str_n(text, n);
}

static int not_started(struct lw_run *run, int code, struct lw_err *err)
{
    struct lw_str rest = run->err, line = {0};
    lw_str_line(&rest, &line);
    run->end = LW_RUN_NOT_STARTED;
    run->exit = -1;
    return lw_err_set(err, code, "the program could not be started: %.*s", LW_F(line));
}

/* What bubblewrap's end says about the program's. */
static int judge_inside(struct lw_run *run, const struct confined *c, struct lw_str status,
                        struct lw_err *err)
{
    static const struct lw_str no_exec = {"setpriv: failed to execute", 26};
    if (run->end != LW_RUN_EXITED)
        return 0;
    int code = bwrap_exit_code(status);
    if (code < 0 && watch_group(&c->watch) == LW_RUN_NOT_STARTED)
        return not_started(run, lw_str_find(run->err, LW_S("execvp")) >= 0 ? LW_ENOENT : LW_EIO,
                           err);
    if (c->level.mode == BWRAP_DROP && (code == 126 || code == 127) &&
        lw_str_has_prefix(run->err, no_exec))
        return not_started(run, LW_ENOENT, err);
    if (run->exit > 128 && run->exit <= 128 + 64) {
        run->end = LW_RUN_SIGNALED;
        run->signal = run->exit - 128;
        run->exit = -1;
    }
    return 0;
}

/* A program of a run that has been set up. */
static int run_set_up(struct lw_run *run, struct lw_arena *arena, struct confined *c,
                      const char *const *argv, struct lw_err *err)
{
    struct lw_sandbox *s = c->sandbox;
    struct bwrap_plan plan = {.mode = c->level.mode,
                              .program = s->bwrap.p,
                              .setpriv = s->setpriv.p,
                              .uid = c->uid ? c->uid : INSIDE_UID,
                              .filter = c->filter != NULL,
                              .room = c->room.dir,
                              .policy = c->policy,
                              .argv = argv};
    struct lw_proc proc;
    set_proc(&proc, c);
    proc.argv = bwrap_argv(arena, &plan);
    proc.env = make_env(arena, c->policy, "/tmp");
    struct inside_fds files;
    int rc = open_inside(&files, c, plan.uid);
    if (rc < 0) {
        lw_err_set(err, rc, "no more files can be opened");
    } else if (!proc.argv || !proc.env) {
        rc = lw_err_nomem(err);
    } else {
        char text[1024];
        proc.fds = files.fds;
        proc.fd_count = files.count;
        rc = run_confined(run, arena, c, &proc, err);
        if (rc == 0)
            rc = judge_inside(run, c, read_status(&files, text), err);
        if (rc == 0)
            judge(run, c);
    }
    close_inside(&files);
    return rc;
}

static int run_inside(struct lw_run *run, struct lw_arena *arena, struct lw_sandbox *s,
                      struct level level, const struct lw_policy *policy,
                      const char *const *argv, struct lw_err *err)
{
    struct confined c;
    int rc = confine(&c, s, policy, level, err);
    if (rc == 0)
        rc = run_set_up(run, arena, &c, argv, err);
    unconfine(&c);
    return rc;
}

/* ---- Without bubblewrap
 * -------------------------------------------------------------------------- */

static int run_weakly(struct lw_run *run, struct lw_arena *arena, struct lw_sandbox *s,
                      struct level level, const struct lw_policy *policy,
                      const char *const *argv, struct lw_err *err)
{
    struct confined c;
    struct lw_proc proc;
    int rc = confine(&c, s, policy, level, err);
    if (rc == 0) {
        set_proc(&proc, &c);
        proc.argv = argv;
        proc.cwd = c.dir ? c.dir : "/tmp";
        proc.env = make_env(arena, policy, proc.cwd);
        rc = proc.env ? run_confined(run, arena, &c, &proc, err) : lw_err_nomem(err);
    }
    if (rc == 0)
        judge(run, &c);
    unconfine(&c);
    return rc;
}

/* ---- What works here
 * ------------------------------------------------------------------------------ */

static void find_groups(struct lw_sandbox *s)
{
    struct lw_arena arena;
    struct lw_err err;
    struct lw_str own, mounts;
    lw_arena_init(&arena, s->mem, 0);
    if (lw_file_read(&arena, "/proc/self/cgroup", PROC_FILE_MAX, &own, &err) == 0 &&
        lw_file_read(&arena, "/proc/self/mountinfo", PROC_FILE_MAX, &mounts, &err) == 0)
        cgroup_find(&s->place, own, mounts);
    lw_arena_release(&arena);
}

/* Runs `true` the way programs will be run. */
static bool works(struct lw_sandbox *s, struct level level, struct lw_err *err)
{
    struct lw_arena arena;
    struct lw_run run;
    struct lw_policy policy;
    struct lw_str program;
    lw_arena_init(&arena, s->mem, 0);
    lw_policy_init(&policy);
    policy.wall_seconds = 10;
    bool good = false;
    if (lw_find_program("true", &arena, &program)) {
        const char *const argv[] = {program.p, NULL};
        int rc = level.mode == BWRAP_NONE
                     ? run_weakly(&run, &arena, s, level, &policy, argv, err)
                     : run_inside(&run, &arena, s, level, &policy, argv, err);
        good = rc == 0 && run.end == LW_RUN_EXITED && run.exit == 0;
        if (rc == 0 && !good)
            lw_err_set(err, LW_EIO, "%s", lw_run_end_name(run.end));
    }
    lw_arena_release(&arena);
    return good;
}

static void find_level(struct lw_sandbox *s)
{
    struct lw_err err = {0}, first = {0};
    if (s->without & LW_SANDBOX_BWRAP) {
        snprintf(s->why, sizeof s->why, "bubblewrap is switched off");
        return;
    }
    if (!lw_find_program("bwrap", &s->arena, &s->bwrap)) {
        snprintf(s->why, sizeof s->why,
                 "bubblewrap is not installed; install it with 'apt-get install bubblewrap'");
        return;
    }
    if (!lw_find_program("setpriv", &s->arena, &s->setpriv))
        s->setpriv = (struct lw_str){0};
    static const enum bwrap_mode modes[] = {BWRAP_DROP, BWRAP_USER};
    for (unsigned i = 0; i < 8; i++) { /* the filter is missed most, then the room */
        struct level level = {modes[i & 1], (i & 4) == 0, (i & 2) == 0};
        if (level.mode == BWRAP_DROP && (geteuid() != 0 || !s->setpriv.p))
            continue;
        if ((level.filter && !s->seccomp) || (level.room && (s->without & LW_SANDBOX_ROOM)))
            continue;
        if (works(s, level, &err)) {
            s->level = level;
            return;
        }
        if (first.code == 0)
            first = err;
    }
    const char *own_words = strstr(first.text, "bwrap: ");
    snprintf(s->why, sizeof s->why, "bubblewrap cannot work here (%.300s)",
             own_words ? own_words + 7 : first.text);
}

/* Without bubblewrap: is there at least a file system of bounded size? */
static void find_weak_level(struct lw_sandbox *s)
{
    struct lw_err err = {0};
    s->weak_level = (struct level){BWRAP_NONE, s->seccomp, true};
    if ((s->without & LW_SANDBOX_ROOM) || !works(s, s->weak_level, &err))
        s->weak_level.room = false;
}

static void probe(struct lw_sandbox *s)
{
    bool absent = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0; /* a kernel without it */
    s->seccomp = !absent && !(s->without & LW_SANDBOX_SECCOMP) && filter_for(s, 0) != NULL;
    if (!(s->without & LW_SANDBOX_CGROUP))
        find_groups(s);
    find_level(s);
    bool strong = s->level.mode != BWRAP_NONE;
    if (!strong)
        find_weak_level(s);
    describe(s->isolation, s->level, s->place.version);
    describe(s->weak_isolation, s->weak_level, s->place.version);
    s->ability =
        (struct lw_sandbox_ability){.strong = strong,
                                    .seccomp = strong ? s->level.filter : s->weak_level.filter,
                                    .cgroup = s->place.version,
                                    .isolation = strong ? s->isolation : s->weak_isolation,
                                    .weak_isolation = s->weak_isolation,
                                    .why = s->why};
}

const struct lw_sandbox_ability *lw_sandbox_probe(lw_sandbox *s)
{
    pthread_mutex_lock(&s->lock);
    if (!s->probed)
        probe(s);
    s->probed = true;
    pthread_mutex_unlock(&s->lock);
    return &s->ability;
}

void lw_sandbox_without(lw_sandbox *s, unsigned levels)
{
    s->without = levels;
}

int lw_sandbox_new(lw_sandbox **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_sandbox *s = lw_mem_alloc(mem, sizeof *s);
    if (!s)
        return lw_err_nomem(err);
    s->mem = mem;
    lw_arena_init(&s->arena, mem, 0);
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->filter_lock, NULL);
    *out = s;
    return 0;
}

void lw_sandbox_free(lw_sandbox *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < FILTER_KINDS; i++)
        filter_release(&s->filters[i], s->mem);
    lw_arena_release(&s->arena);
    pthread_mutex_destroy(&s->filter_lock);
    pthread_mutex_destroy(&s->lock);
    lw_mem_free(s->mem, s, sizeof *s);
}

int lw_sandbox_run(struct lw_run *run, struct lw_arena *arena, lw_sandbox *s,
                   const struct lw_policy *policy, const char *const *argv, struct lw_err *err)
{
    *run = (struct lw_run){.exit = -1};
    if (!argv || !argv[0])
        return lw_err_set(err, LW_EINVAL, "no program to run");
    const struct lw_sandbox_ability *ability = lw_sandbox_probe(s);
    if (policy->dir && lw_file_kind(policy->dir) != LW_FILE_FOLDER)
        return lw_err_set(err, LW_ENOENT, "there is no folder '%s'", policy->dir);
    if (ability->strong)
        return run_inside(run, arena, s, s->level, policy, argv, err);
    if (!policy->allow_weak)
        return lw_err_set(err, LW_EMISSING, "untrusted programs run only in the sandbox: %s",
                          ability->why);
    return run_weakly(run, arena, s, s->weak_level, policy, argv, err);
}
