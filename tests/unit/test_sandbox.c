#include "check.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/proc.h"
#include "sandbox/bwrap.h"
#include "sandbox/cgroup.h"
#include "sandbox/dir.h"
#include "sandbox/sandbox.h"

static struct lw_arena arena;
static struct lw_run run;
static struct lw_err err;
static char scratch[300];

static int setup(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_arena_init(&arena, NULL, 0);
    lw_buf_init(&b, NULL, 0);
    assert_int_equal(lw_temp_dir(&b, &err), 0);
    snprintf(scratch, sizeof scratch, "%s", lw_buf_z(&b));
    lw_buf_release(&b);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    lw_dir_remove(scratch, &err);
    lw_arena_release(&arena);
    return 0;
}

/* scratch/name, its folders made, with `text` in it */
static const char *make_file(const char *name, const char *text)
{
    const char *path = lw_arena_printf(&arena, "%s/%s", scratch, name).p;
    struct lw_str folder = lw_str_n(path, (size_t)(strrchr(path, '/') - path));
    assert_int_equal(lw_dir_make(lw_arena_copy(&arena, folder).p, &err), 0);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static bool has_words(const char *const *argv, const char *first, const char *second)
{
    for (size_t i = 0; argv[i] && argv[i + 1]; i++)
        if (strcmp(argv[i], first) == 0 && (!second || strcmp(argv[i + 1], second) == 0))
            return true;
    return false;
}

static void bwrap_gets_the_whole_policy(void **state)
{
    (void)state;
    struct lw_policy policy;
    lw_policy_init(&policy);
    struct lw_bind binds[200];
    for (size_t i = 0; i < 200; i++)
        binds[i] = (struct lw_bind){"/opt/a/b", "/opt/x/y"};
    policy.dir = "/some/dir";
    policy.binds = binds;
    policy.bind_count = 200;
    policy.tmp_bytes = 12345;
    const char *const program[] = {"/bin/prog", "one", "two", NULL};
    struct bwrap_plan plan = {.mode = BWRAP_USER,
                              .program = "/usr/bin/bwrap",
                              .uid = 1000,
                              .filter = true,
                              .policy = &policy,
                              .argv = program};
    const char *const *argv = bwrap_argv(&arena, &plan);
    assert_non_null(argv);
    assert_string_equal(argv[0], "/usr/bin/bwrap");
    assert_true(has_words(argv, "--unshare-net", NULL));
    assert_true(has_words(argv, "--unshare-user", NULL));
    assert_true(has_words(argv, "--cap-drop", "ALL"));
    assert_true(has_words(argv, "--bind", "/some/dir"));
    assert_true(has_words(argv, "--size", "12345"));
    assert_true(has_words(argv, "--dir", "/opt/x"));
    assert_true(has_words(argv, "--seccomp", "6"));
    assert_true(has_words(argv, "--", "/bin/prog"));
    assert_false(has_words(argv, "--cap-add", NULL));
    /* In a room, what lies in the working directory is in the room's. */
    plan.room = policy.dir;
    binds[199] = (struct lw_bind){"/some/dir/test.py", "/bug/test.py"};
    binds[198] = (struct lw_bind){"/some/directory", NULL};
    argv = bwrap_argv(&arena, &plan);
    assert_true(has_words(argv, "--bind", "/some/dir/bug"));
    assert_true(has_words(argv, "/some/dir/tmp", "/tmp"));
    assert_true(has_words(argv, "/some/dir/shm", "/dev/shm"));
    assert_true(has_words(argv, "/some/dir/bug/test.py", "/bug/test.py"));
    assert_true(has_words(argv, "/some/directory", "/some/directory"));
    plan.room = NULL;
    plan.mode = BWRAP_DROP;
    plan.setpriv = "/usr/bin/setpriv";
    plan.filter = false;
    policy.dir = NULL;
    argv = bwrap_argv(&arena, &plan);
    assert_true(has_words(argv, "--", "/usr/bin/setpriv"));
    assert_true(has_words(argv, "--", "/bin/prog"));
    assert_true(has_words(argv, "--tmpfs", "/bug"));
    assert_false(has_words(argv, "--unshare-user", NULL));
    assert_false(has_words(argv, "--seccomp", NULL));
}

static void bwrap_status_is_understood(void **state)
{
    (void)state;
    assert_int_equal(bwrap_exit_code(LW_S("{ \"child-pid\": 4 }\n{ \"exit-code\": 139 }\n")),
                     139);
    assert_int_equal(bwrap_exit_code(LW_S("{ \"exit-code\": 0 }")), 0);
    assert_int_equal(bwrap_exit_code(LW_S("{ \"child-pid\": 4 }\n")), -1);
    assert_int_equal(bwrap_exit_code(LW_S("{ \"exit-code\": x }")), -1);
    assert_int_equal(bwrap_exit_code(LW_S("{ \"exit-code\": 999999999999999999999 }")), -1);
    assert_int_equal(bwrap_exit_code(LW_S("")), -1);
}

/* A folder that looks like a version 2 hierarchy with us in a/b. */
static struct lw_str fake_v2(const char *limit, const char *parent_offers,
                             const char *own_offers)
{
    make_file("cg/cgroup.subtree_control", "cpu memory pids\n");
    make_file("cg/a/cgroup.subtree_control", parent_offers);
    make_file("cg/a/b/cgroup.subtree_control", own_offers);
    make_file("cg/a/b/memory.max", limit);
    return lw_arena_printf(&arena,
                           "22 1 0:20 / /proc rw - proc proc rw\n"
                           "30 1 0:26 / %s/cg rw,nosuid - cgroup2 cgroup2 rw\n",
                           scratch);
}

/* The trial group cannot work on ordinary files, so only the choice of the folder is looked at:
 * version 0, and the folder that was tried. */
static void v2_groups_are_made_in_the_right_place(void **state)
{
    (void)state;
    struct lw_str own = LW_S("1:name=systemd:/x\n0::/a/b\n");
    struct cgroup_place place;
    char want[400];
    cgroup_find(&place, own, fake_v2("max\n", "memory pids\n", "\n"));
    snprintf(want, sizeof want, "%s/cg/a", scratch); /* beside us: we hold processes */
    assert_string_equal(place.memory, want);
    assert_string_equal(place.pids, want);
    cgroup_find(&place, own, fake_v2("max\n", "memory pids\n", "memory pids\n"));
    snprintf(want, sizeof want, "%s/cg/a/b", scratch); /* below us */
    assert_string_equal(place.memory, want);
    cgroup_find(&place, own, fake_v2("1000000\n", "memory pids\n", "\n"));
    assert_string_equal(place.memory, ""); /* would escape our own limit */
    cgroup_find(&place, own, fake_v2("max\n", "cpu\n", "\n"));
    assert_string_equal(place.memory, ""); /* no controllers to be had */
    assert_int_equal(place.version, 0);
}

static void broken_cgroup_tables_are_harmless(void **state)
{
    (void)state;
    struct cgroup_place place;
    const char *const texts[] = {
        "", "\n", "::\n", "0::\n", "4:memory:/x\n5:pids:/x\n", ":::::", "0::/../.."};
    const char *const mounts[] = {"",
                                  "\n",
                                  " - \n",
                                  "a b c d e - cgroup2\n",
                                  "1 2 3 / /nowhere - cgroup x memory\n",
                                  "1 2 3 / /nowhere rw - cgroup2 x rw\n",
                                  "1 2 3 4 5 6 7 8"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof mounts / sizeof *mounts; j++) {
            cgroup_find(&place, lw_str(texts[i]), lw_str(mounts[j]));
            assert_int_equal(place.version, 0);
        }
}

static void folders_are_measured_and_handed_over(void **state)
{
    (void)state;
    make_file("d/one", "x");
    make_file("d/e/two", "x");
    char path[400];
    snprintf(path, sizeof path, "%s/d/link", scratch);
    assert_int_equal(symlink("/usr", path), 0); /* must not be followed */
    snprintf(path, sizeof path, "%s/d", scratch);
    uint64_t used = dir_usage(path, UINT64_MAX - 1);
    assert_true(used > 0 && used < 100000);
    assert_true(dir_usage(path, 1000) > 1000);
    assert_int_equal(dir_usage("/nowhere", 10), 0);
    if (getuid() == 0) {
        struct stat before, after;
        stat("/usr", &before);
        assert_true(dir_own(path, 12345, 12346));
        stat("/usr", &after);
        assert_int_equal(before.st_uid, after.st_uid);
        snprintf(path, sizeof path, "%s/d/e/two", scratch);
        stat(path, &after);
        assert_int_equal(after.st_uid, 12345);
        assert_int_equal(after.st_gid, 12346);
    }
    assert_false(dir_reachable(path)); /* scratch itself is private */
    assert_true(dir_reachable("/usr/bin"));
    assert_false(dir_reachable("/nowhere/x"));
}

static void without_bwrap_it_is_refused_unless_allowed(void **state)
{
    (void)state;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    const char *const argv[] = {"/bin/sh", "-c", "echo ran; pwd", NULL};
    lw_policy_init(&policy);
    policy.dir = scratch;
    char *old = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    assert_false(lw_sandbox_probe(sandbox)->strong);
    setenv("PATH", old, 1);
    free(old);
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), LW_EMISSING);
    assert_int_equal(run.end, LW_RUN_NOT_STARTED);
    assert_non_null(strstr(err.text, "apt-get install bubblewrap"));
    assert_null(strchr(err.text, '\n'));
    policy.allow_weak = true;
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), 0);
    assert_int_equal(run.end, LW_RUN_EXITED);
    assert_true(lw_str_has_prefix(run.out, LW_S("ran\n")));
    assert_true(lw_str_find(run.isolation, LW_S("rlimits")) >= 0);
    assert_true(lw_str_find(run.isolation, LW_S("bwrap")) < 0);
    lw_sandbox_free(sandbox);
}

static void what_cannot_start_says_why(void **state)
{
    (void)state;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    lw_policy_init(&policy);
    policy.allow_weak = true;
    const char *const absent[] = {"/usr/bin/lw-no-such-program", NULL};
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, absent, &err), LW_ENOENT);
    assert_int_equal(run.end, LW_RUN_NOT_STARTED);
    assert_non_null(strstr(err.text, "lw-no-such-program"));
    const char *const none[] = {NULL};
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, none, &err), LW_EINVAL);
    const char *const fine[] = {"/bin/true", NULL};
    policy.dir = "/nowhere/at/all";
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, fine, &err), LW_ENOENT);
    assert_non_null(strstr(err.text, "/nowhere/at/all"));
    lw_sandbox_free(sandbox);
}

static void policy_reaches_the_program(void **state)
{
    (void)state;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    if (!lw_sandbox_probe(sandbox)->strong) {
        lw_sandbox_free(sandbox);
        return;
    }
    make_file("shown/file", "shown\n");
    chmod(scratch, 0755);
    struct lw_bind bind = {lw_arena_printf(&arena, "%s/shown", scratch).p, "/opt/deep/shown"};
    const char *const env[] = {"PYTHONHASHSEED=5", "MORE=1", NULL};
    lw_policy_init(&policy);
    policy.binds = &bind;
    policy.bind_count = 1;
    policy.env = env;
    policy.input = LW_S("typed\n");
    const char *const argv[] = {
        "sh", "-c",
        "cat; cat /opt/deep/shown/file; echo $PYTHONHASHSEED $MORE $HOME; "
        "echo x 2>/dev/null >/opt/deep/shown/new || echo refused; echo x >here; cat here",
        NULL};
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), 0);
    assert_str(run.out, "typed\nshown\n5 1 /tmp\nrefused\nx\n");
    assert_true(lw_str_has_prefix(run.isolation, LW_S("bwrap")));
    atomic_bool cancel;
    atomic_init(&cancel, true);
    policy.cancel = &cancel;
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), 0);
    assert_int_equal(run.end, LW_RUN_CANCELED);
    lw_sandbox_free(sandbox);
}

/* Waits until the program runs: on a busy machine that takes its time. */
static void await_program(const char *pattern)
{
    const char *const argv[] = {"/usr/bin/pgrep", "-f", pattern, NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct lw_proc proc = {.argv = argv, .env = env};
    for (int tries = 0; tries < 300; tries++) {
        usleep(100000);
        assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), 0);
        if (run.out.n)
            return;
    }
    fail_msg("'%s' does not begin", pattern);
}

/* Killed in the middle of a run we leave neither processes nor groups behind. */
static void our_own_death_leaves_no_group(void **state)
{
    (void)state;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    pid_t child = fork();
    if (child == 0) {
        lw_policy_init(&policy);
        policy.allow_weak = true;
        const char *const argv[] = {"/bin/sleep", "688.8", NULL};
        lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err);
        _exit(0);
    }
    await_program("^/bin/slee[p] 688.8");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    lw_sandbox_free(sandbox);
    char name[128];
    snprintf(name, sizeof name,
             "find /sys/fs/cgroup -name 'lacewing-%ld-*' 2>/dev/null; pgrep -f 'slee[p] 688.8'",
             (long)child);
    const char *const argv[] = {"/bin/sh", "-c", name, NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct lw_proc proc = {.argv = argv, .env = env};
    /* Those who clear up after us need their time on a busy machine, so they are waited for. */
    for (int tries = 0; tries < 200; tries++) {
        usleep(100000);
        assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), 0);
        if (run.out.n == 0)
            return;
    }
    fail_msg("left behind: %.*s", LW_F(run.out));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(bwrap_gets_the_whole_policy),
    CASE(bwrap_status_is_understood),
    CASE(v2_groups_are_made_in_the_right_place),
    CASE(broken_cgroup_tables_are_harmless),
    CASE(folders_are_measured_and_handed_over),
    CASE(without_bwrap_it_is_refused_unless_allowed),
    CASE(what_cannot_start_says_why),
    CASE(policy_reaches_the_program),
    CASE(our_own_death_leaves_no_group),
};
CHECK_MAIN(tests)
