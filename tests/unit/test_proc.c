#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/proctree.h"

static struct lw_run run;
static struct lw_err err;
static struct lw_arena arena;

static const char *const plain_env[] = {"PATH=/usr/bin:/bin", "LANG=C", NULL};

static int setup(void **state)
{
    (void)state;
    lw_arena_init(&arena, NULL, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    lw_arena_release(&arena);
    return 0;
}

static int shell(struct lw_proc *proc, const char *script)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    proc->argv = argv;
    if (!proc->env)
        proc->env = plain_env;
    return lw_proc_run(&run, &arena, proc, &err);
}

/* Is any process alive that has `marker` in its command line (words joined by blanks)? */
static bool is_running(const char *marker)
{
    DIR *dir = opendir("/proc");
    assert_non_null(dir);
    bool found = false;
    for (struct dirent *e; !found && (e = readdir(dir));) {
        char path[300], line[4096];
        snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
        int fd = open(path, O_RDONLY);
        ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
        if (fd >= 0)
            close(fd);
        for (ssize_t i = 0; i < n; i++)
            line[i] = line[i] ? line[i] : ' ';
        line[n > 0 ? n : 0] = '\0';
        found = strstr(line, marker) != NULL;
    }
    closedir(dir);
    return found;
}

static void output_exit_and_times_are_reported(void **state)
{
    (void)state;
    struct lw_proc proc = {0};
    assert_int_equal(shell(&proc, "echo hello; echo world >&2; exit 7"), 0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    assert_int_equal(run.exit, 7);
    assert_int_equal(run.signal, 0);
    assert_str(run.out, "hello\n");
    assert_str(run.err, "world\n");
    assert_false(run.out_cut || run.err_cut);
    assert_true(run.seconds > 0 && run.seconds < 30);
    assert_int_equal(run.isolation.n, 0);
}

static void cpu_time_and_memory_of_children_count(void **state)
{
    (void)state;
    struct lw_proc proc = {0};
    assert_int_equal(shell(&proc, "(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done) & wait"),
                     0);
    assert_true(run.cpu_seconds > 0.01);
    assert_int_equal(shell(&proc, "x=$(head -c 40000000 /dev/zero | tr '\\0' a); echo ${#x}"),
                     0);
    assert_str(run.out, "40000000\n");
    assert_true(run.peak_bytes > 40000000);
}

static void a_signal_is_not_an_exit_code(void **state)
{
    (void)state;
    struct lw_proc proc = {0};
    assert_int_equal(shell(&proc, "kill -SEGV $$"), 0);
    assert_int_equal(run.end, LW_RUN_SIGNALED);
    assert_int_equal(run.signal, SIGSEGV);
    assert_int_equal(run.exit, -1);
    assert_int_equal(shell(&proc, "exit 139"), 0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    assert_int_equal(run.exit, 139);
}

static void input_cwd_and_environment_are_as_given(void **state)
{
    (void)state;
    struct lw_proc proc = {.input = LW_S("two words\n"), .cwd = "/usr"};
    setenv("LW_TEST_SECRET", "leaked", 1);
    const char *const env[] = {"A=1", "B=two words", NULL};
    proc.env = env;
    assert_int_equal(shell(&proc, "/bin/cat; /bin/pwd; echo \"$A $B $LW_TEST_SECRET\""), 0);
    assert_str(run.out, "two words\n/usr\n1 two words \n");
    proc = (struct lw_proc){0};
    assert_int_equal(shell(&proc, "cat; echo end"), 0);
    assert_str(run.out, "end\n");

    const char *const allowed[] = {"LW_TEST_SECRET", "LW_TEST_ABSENT", NULL};
    const char *const extra[] = {"X=y", NULL};
    const char *const *made = lw_proc_env(&arena, allowed, extra);
    assert_string_equal(made[0], "LW_TEST_SECRET=leaked");
    assert_string_equal(made[1], "X=y");
    assert_null(made[2]);
    unsetenv("LW_TEST_SECRET");
}

static void no_file_leaks_into_the_program(void **state)
{
    (void)state;
    int leaky = open("/dev/null", O_RDONLY); /* without close-on-exec, on purpose */
    int named = open("/etc/hostname", O_RDONLY | O_CLOEXEC);
    struct lw_proc proc = {.fds = &named, .fd_count = named >= 0};
    assert_int_equal(shell(&proc, "for f in /proc/self/fd/*; do echo ${f##*/}; done"), 0);
    /* 0 1 2, the named one, and none beyond except the shell's own for the listing */
    struct lw_str rest = run.out, line;
    size_t seen = 0;
    while (lw_str_line(&rest, &line))
        seen++;
    assert_true(seen <= 4 + (size_t)(named >= 0));
    close(leaky);
    if (named >= 0)
        close(named);
}

static void long_output_keeps_head_and_tail(void **state)
{
    (void)state;
    struct lw_proc proc = {.keep_bytes = 1000};
    assert_int_equal(shell(&proc, "echo first; i=0; while [ $i -lt 5000 ]; do echo line$i; "
                                  "i=$((i+1)); done; echo last"),
                     0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    assert_true(run.out_cut);
    assert_false(run.err_cut);
    assert_true(lw_str_has_prefix(run.out, LW_S("first\nline0\n")));
    assert_true(lw_str_has_suffix(run.out, LW_S("line4998\nline4999\nlast\n")));
    assert_true(lw_str_find(run.out, LW_S("bytes left out")) > 0);
    assert_true(run.out.n < 1100);
}

/* Every length around the border, against the plain definition. */
static void the_cut_is_exact(void **state)
{
    (void)state;
    char text[64];
    for (size_t n = 0; n < 40; n++) {
        for (size_t i = 0; i < n; i++)
            text[i] = (char)('a' + i % 26);
        text[n] = '\0';
        struct lw_proc proc = {.keep_bytes = 11};
        char script[128];
        snprintf(script, sizeof script, "printf %s '%s'", "%s", text);
        assert_int_equal(shell(&proc, script), 0);
        char want[128];
        if (n <= 11)
            snprintf(want, sizeof want, "%s", text);
        else
            snprintf(want, sizeof want, "%.5s\n[... %zu bytes left out ...]\n%s", text, n - 11,
                     text + n - 6);
        assert_str(run.out, want);
        assert_int_equal(run.out_cut, n > 11);
    }
}

static void endless_output_is_ended(void **state)
{
    (void)state;
    struct lw_proc proc = {.keep_bytes = 1000, .output_limit = 100000, .wall_seconds = 30};
    assert_int_equal(shell(&proc, "yes lw_marker_yes"), 0);
    assert_int_equal(run.end, LW_RUN_OUTPUT_LIMIT);
    assert_false(is_running("lw_marker_yes"));
}

static void the_time_limit_ends_the_whole_tree(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "sleep 611.1; echo lw",
        "trap '' TERM INT HUP; sh -c 'trap \"\" TERM INT HUP; sleep 611.1'; sleep 611.1",
        "setsid sh -c 'sleep 611.1 & sleep 611.1' & wait",
        "(setsid setsid sleep 611.1 &) ; (setsid sh -c '(sleep 611.1 &)' &); sleep 611.1",
        "exec >&- 2>&- ; sleep 611.1",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct lw_proc proc = {.wall_seconds = 0.3};
        assert_int_equal(shell(&proc, scripts[i]), 0);
        assert_int_equal(run.end, LW_RUN_TIME_LIMIT);
        assert_true(run.seconds >= 0.29);
        assert_false(is_running("sleep 611.1"));
    }
}

static void daemons_do_not_outlive_the_program(void **state)
{
    (void)state;
    struct lw_proc proc = {0};
    /* The daemon keeps standard output open: the run must not wait for it. */
    assert_int_equal(
        shell(&proc, "(setsid sh -c '(setsid sleep 622.2 &)' &); sleep 0.2; exit 3"), 0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    assert_int_equal(run.exit, 3);
    assert_true(run.seconds < 60);
    assert_false(is_running("sleep 622.2"));
}

static void the_cpu_limit_is_a_time_limit(void **state)
{
    (void)state;
    struct lw_proc proc = {.limits = {.cpu_seconds = 1}, .wall_seconds = 60};
    assert_int_equal(shell(&proc, "while :; do :; done"), 0);
    assert_int_equal(run.end, LW_RUN_TIME_LIMIT);
    assert_true(run.cpu_seconds >= 0.4); /* the kernel counts the limit in coarse ticks */
}

static void the_other_limits_reach_the_program(void **state)
{
    (void)state;
    struct lw_proc proc = {.limits = {.file_bytes = 4096 * 512, .open_files = 77}};
    assert_int_equal(shell(&proc, "ulimit -n; ulimit -c; ulimit -f"), 0);
    assert_str(run.out, "77\n0\n4096\n");
}

static atomic_bool cancel_flag;

static void *cancel_soon(void *unused)
{
    usleep(100000);
    atomic_store(&cancel_flag, true);
    return unused;
}

static void cancel_ends_it(void **state)
{
    (void)state;
    pthread_t thread;
    struct lw_proc proc = {.cancel = &cancel_flag};
    atomic_store(&cancel_flag, false);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
    assert_int_equal(shell(&proc, "echo begun; sleep 633.3"), 0);
    pthread_join(thread, NULL);
    assert_int_equal(run.end, LW_RUN_CANCELED);
    assert_str(run.out, "begun\n");
    assert_false(is_running("sleep 633.3"));
    atomic_store(&cancel_flag, true); /* before the start: nothing runs at all */
    assert_int_equal(shell(&proc, "echo begun"), 0);
    assert_int_equal(run.end, LW_RUN_CANCELED);
    assert_int_equal(run.out.n, 0);
}

static int refuse(void *data)
{
    (void)data;
    return EPERM;
}

static void what_cannot_start_says_why(void **state)
{
    (void)state;
    const char *const absent[] = {"lw-no-such-program", NULL};
    struct lw_proc proc = {.argv = absent};
    assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), LW_EMISSING);
    assert_int_equal(run.end, LW_RUN_NOT_STARTED);
    assert_non_null(strstr(err.text, "lw-no-such-program"));

    const char *const gone[] = {"/nowhere/program", NULL};
    proc.argv = gone;
    assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), LW_ENOENT);
    assert_int_equal(run.end, LW_RUN_NOT_STARTED);
    assert_non_null(strstr(err.text, "/nowhere/program"));

    proc = (struct lw_proc){.cwd = "/nowhere"};
    assert_int_equal(shell(&proc, "echo"), LW_ENOENT);
    assert_non_null(strstr(err.text, "/nowhere"));

    proc = (struct lw_proc){.enter = refuse};
    assert_int_equal(shell(&proc, "echo"), LW_EIO);
    assert_non_null(strstr(err.text, "confine"));

    const char *const none[] = {NULL};
    proc = (struct lw_proc){.argv = none};
    assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), LW_EINVAL);
}

static enum lw_run_end count_and_stop(void *data, pid_t supervisor)
{
    size_t *calls = data;
    struct lw_proc_stat stat;
    assert_true(lw_proc_stat(supervisor, &stat));
    return ++*calls == 5 ? LW_RUN_MEMORY_LIMIT : LW_RUN_NOT_STARTED;
}

static void a_watcher_may_end_it(void **state)
{
    (void)state;
    size_t calls = 0;
    struct lw_proc proc = {.watch = count_and_stop, .watch_seconds = 0.01, .data = &calls};
    assert_int_equal(shell(&proc, "sleep 644.4"), 0);
    assert_int_equal(run.end, LW_RUN_MEMORY_LIMIT);
    assert_int_equal(calls, 5);
    assert_false(is_running("sleep 644.4"));
}

/* A look that is held up until nothing of the tree is left, as reading the memory of a busy
 * process is. */
static enum lw_run_end wait_for_the_end(void *data, pid_t supervisor)
{
    bool *held_up = data;
    pid_t pids[64];
    for (int i = 0; i < 10000 && !*held_up && lw_proc_tree(supervisor, pids, 64) > 0; i++)
        usleep(1000);
    *held_up = true;
    return LW_RUN_NOT_STARTED;
}

static void too_many_are_counted_whatever_the_watcher_does(void **state)
{
    (void)state;
    bool held_up = false;
    struct lw_proc proc = {.watch = wait_for_the_end,
                           .watch_seconds = 0.01,
                           .wall_seconds = 10,
                           .limits = {.tree_tasks = 20},
                           .data = &held_up};
    assert_int_equal(shell(&proc, "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2 & done; wait"),
                     0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    held_up = false;
    assert_int_equal(shell(&proc, "i=0; while [ $i -lt 30 ]; do i=$((i + 1)); sleep 645.5 & "
                                  "done; wait"),
                     0);
    assert_int_equal(run.end, LW_RUN_PROCESS_LIMIT);
    assert_false(is_running("sleep 645.5"));
}

static void both_walks_see_the_same_tree(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 2; i++)
            if (fork() < 0)
                _exit(1);
        for (;;)
            pause();
    }
    usleep(100000);
    pid_t fast[64], slow[64];
    size_t n = lw_proc_tree(child, fast, 64);
    assert_int_equal(n, 3);
    assert_int_equal(lw_proc_tree_by_parent(child, slow, 64), 3);
    for (size_t i = 0; i < 3; i++) {
        bool found = false;
        for (size_t j = 0; j < 3; j++)
            found = found || fast[i] == slow[j];
        assert_true(found);
    }
    assert_int_equal(lw_proc_tree(child, fast, 2), 2);
    for (size_t i = 0; i < 3; i++)
        kill(slow[i], SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(lw_proc_tree(child, fast, 64), 0);
}

/* Many at once, each with its own output, as under the thread pool. */
static void *run_many(void *data)
{
    const char *name = data;
    for (int i = 0; i < 20; i++) {
        struct lw_arena a;
        struct lw_run r;
        struct lw_err e;
        lw_arena_init(&a, NULL, 0);
        char script[64], want[32];
        snprintf(script, sizeof script, "(sleep 655.5 &) ; echo %s %d; exit %d", name, i, i);
        snprintf(want, sizeof want, "%s %d\n", name, i);
        const char *const argv[] = {"/bin/sh", "-c", script, NULL};
        struct lw_proc proc = {.argv = argv, .env = plain_env, .wall_seconds = 60};
        int rc = lw_proc_run(&r, &a, &proc, &e);
        bool good =
            rc == 0 && r.end == LW_RUN_EXITED && r.exit == i && lw_str_eq(r.out, lw_str(want));
        lw_arena_release(&a);
        if (!good)
            return NULL;
    }
    return data;
}

static void threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    pthread_t threads[4];
    char *names[4] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, names[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, names[i]);
    }
    assert_false(is_running("sleep 655.5"));
}

/* A caller that dies by SIGKILL leaves nothing behind. */
static void our_own_death_ends_it(void **state)
{
    (void)state;
    pid_t caller = fork();
    if (caller == 0) {
        struct lw_proc proc = {0};
        shell(&proc, "(setsid sleep 666.6 &); sleep 666.6");
        _exit(0);
    }
    for (int i = 0; i < 100 && !is_running("sleep 666.6"); i++)
        usleep(20000);
    assert_true(is_running("sleep 666.6"));
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    bool running = true;
    for (int i = 0; i < 250 && running; i++) {
        usleep(20000);
        running = is_running("sleep 666.6");
    }
    assert_false(running);
}

static void a_killed_supervisor_is_noticed(void **state)
{
    (void)state;
    struct lw_proc proc = {0};
    assert_int_equal(shell(&proc, "sleep 677.7 & kill -KILL $PPID; sleep 677.7"), LW_EIO);
    assert_int_equal(run.end, LW_RUN_NOT_STARTED);
    bool running = true;
    for (int i = 0; i < 100 && running; i++) {
        usleep(20000);
        running = is_running("sleep 677.7");
    }
    assert_false(running);
}

static int run_with_memory(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_arena a;
    struct lw_run r;
    struct lw_err e;
    lw_arena_init(&a, mem, 0);
    const char *const argv[] = {"/bin/sh", "-c", "echo a; echo b >&2; head -c 9000 /dev/zero",
                                NULL};
    struct lw_proc proc = {.argv = argv, .env = plain_env, .keep_bytes = 6000};
    int rc = lw_proc_run(&r, &a, &proc, &e);
    lw_arena_release(&a);
    /* The look-up of a program cannot tell "no memory" from "not there". */
    return rc == LW_EMISSING ? LW_ENOMEM : rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(run_with_memory, NULL);
}

static void programs_are_found_on_the_path(void **state)
{
    (void)state;
    struct lw_str path;
    char *old = getenv("PATH");
    char *saved = old ? strdup(old) : NULL;
    setenv("PATH", ":relative:/nowhere:/usr/bin:/bin", 1);
    assert_true(lw_find_program("env", &arena, &path));
    assert_str(path, "/usr/bin/env");
    assert_false(lw_find_program("lw-no-such-program", &arena, &path));
    assert_false(lw_find_program("", &arena, &path));
    if (saved)
        setenv("PATH", saved, 1);
    free(saved);
}

static void ends_have_names(void **state)
{
    (void)state;
    assert_string_equal(lw_run_end_name(LW_RUN_TIME_LIMIT), "time-limit");
    assert_string_equal(lw_run_end_name(LW_RUN_CANCELED), "canceled");
    assert_string_equal(lw_run_end_name((enum lw_run_end)99), "unknown");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(output_exit_and_times_are_reported),
    CASE(cpu_time_and_memory_of_children_count),
    CASE(a_signal_is_not_an_exit_code),
    CASE(input_cwd_and_environment_are_as_given),
    CASE(no_file_leaks_into_the_program),
    CASE(long_output_keeps_head_and_tail),
    CASE(the_cut_is_exact),
    CASE(endless_output_is_ended),
    CASE(the_time_limit_ends_the_whole_tree),
    CASE(daemons_do_not_outlive_the_program),
    CASE(the_cpu_limit_is_a_time_limit),
    CASE(the_other_limits_reach_the_program),
    CASE(cancel_ends_it),
    CASE(what_cannot_start_says_why),
    CASE(a_watcher_may_end_it),
    CASE(too_many_are_counted_whatever_the_watcher_does),
    CASE(both_walks_see_the_same_tree),
    CASE(threads_do_not_disturb_each_other),
    CASE(our_own_death_ends_it),
    CASE(a_killed_supervisor_is_noticed),
    CASE(every_allocation_may_fail),
    CASE(programs_are_found_on_the_path),
    CASE(ends_have_names),
};
CHECK_MAIN(tests)
