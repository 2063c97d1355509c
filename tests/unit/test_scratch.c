/* scratch: folders of one run, and those that killed processes leave. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scratch.h"
#include "check.h"

struct place {
    char folder[64];
};

static int set_up(void **state)
{
    static struct place p;
    snprintf(p.folder, sizeof p.folder, "/tmp/lw-scratch-XXXXXX");
    *state = &p;
    return mkdtemp(p.folder) && setenv("TMPDIR", p.folder, 1) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    struct lw_err err;
    return lw_dir_remove(p->folder, &err);
}

static size_t entries(const char *folder)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void makes_an_empty_private_folder(void **state)
{
    struct place *p = *state;
    struct lw_scratch s;
    struct lw_err err;
    struct stat st;
    assert_int_equal(lw_scratch_make(&s, NULL, &err), 0);
    assert_int_equal(stat(lw_buf_z(&s.path), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    assert_int_equal(entries(lw_buf_z(&s.path)), 0);
    assert_true(lw_str_has_prefix(lw_buf_str(&s.path), lw_str(p->folder)));
    assert_int_equal(entries(p->folder), 1);
    lw_scratch_release(&s);
    assert_int_equal(entries(p->folder), 0);
}

static void sweep_leaves_folders_in_use(void **state)
{
    struct place *p = *state;
    struct lw_scratch s;
    struct lw_err err;
    assert_int_equal(lw_scratch_make(&s, NULL, &err), 0);
    assert_int_equal(lw_scratch_sweep(), 0);
    assert_int_equal(entries(p->folder), 1);
    lw_scratch_release(&s);
}

/* A process of its own makes a folder with something in it and is killed. */
static void leave_one_behind(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct lw_scratch s;
        struct lw_err err;
        if (lw_scratch_make(&s, NULL, &err) == 0 && chdir(lw_buf_z(&s.path)) == 0 &&
            mkdir("closed", 0) == 0)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void sweep_removes_what_a_killed_process_left(void **state)
{
    struct place *p = *state;
    leave_one_behind();
    leave_one_behind();
    assert_int_equal(entries(p->folder), 2);
    assert_int_equal(lw_scratch_sweep(), 2);
    assert_int_equal(entries(p->folder), 0);
}

static void sweep_keeps_what_is_not_ours(void **state)
{
    struct place *p = *state;
    char path[128];
    static const char *const names[] = {"lacewing-run-", "lacewing-run-abcdefg", "lacewing-abc",
                                        "other"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", p->folder, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%s/lacewing-run-linkto", p->folder);
    assert_int_equal(symlink("/etc", path), 0);
    if (geteuid() == 0) { /* of another user */
        snprintf(path, sizeof path, "%s/lacewing-run-abcdef", p->folder);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_int_equal(chown(path, 65534, 65534), 0);
    }
    size_t before = entries(p->folder);
    assert_int_equal(lw_scratch_sweep(), 0);
    assert_int_equal(entries(p->folder), before);
}

static void no_place_is_one_clear_line(void **state)
{
    (void)state;
    struct lw_scratch s;
    struct lw_err err;
    setenv("TMPDIR", "/nowhere at all", 1);
    assert_int_equal(lw_scratch_sweep(), 0);
    assert_int_equal(lw_scratch_make(&s, NULL, &err), LW_ENOENT);
    assert_string_equal(err.text, "cannot create a temporary folder in '/nowhere at all': "
                                  "No such file or directory");
    lw_scratch_release(&s);
}

static int make_and_release(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_scratch s;
    struct lw_err err;
    int rc = lw_scratch_make(&s, mem, &err);
    lw_scratch_release(&s);
    return rc;
}

static void survives_every_failing_allocation(void **state)
{
    struct place *p = *state;
    check_every_allocation(make_and_release, NULL);
    assert_int_equal(entries(p->folder), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(makes_an_empty_private_folder, set_up, tear_down),
    cmocka_unit_test_setup_teardown(sweep_leaves_folders_in_use, set_up, tear_down),
    cmocka_unit_test_setup_teardown(sweep_removes_what_a_killed_process_left, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(sweep_keeps_what_is_not_ours, set_up, tear_down),
    cmocka_unit_test_setup_teardown(no_place_is_one_clear_line, set_up, tear_down),
    cmocka_unit_test_setup_teardown(survives_every_failing_allocation, set_up, tear_down),
};

CHECK_MAIN(tests)
