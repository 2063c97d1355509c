#include "check.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "sandbox/python.h"

static struct lw_err err;
static char scratch[300];
static char *old_path;

static int setup(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    assert_int_equal(lw_temp_dir(&b, &err), 0);
    snprintf(scratch, sizeof scratch, "%s", lw_buf_z(&b));
    chmod(scratch, 0755);
    lw_buf_release(&b);
    old_path = strdup(getenv("PATH"));
    setenv("PATH", "/usr/bin:/bin", 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unsetenv("LACEWING_PYTHON");
    setenv("PATH", old_path, 1);
    free(old_path);
    lw_tree_remove(scratch, &err);
    return 0;
}

static char *make_program(const char *name, const char *text)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    chmod(path, 0755);
    return path;
}

static int find(lw_pythons *pythons, const char *module, const struct lw_python **out)
{
    struct lw_python_need need = {.module = lw_str(module)};
    return lw_python_find(out, pythons, &need, 1, &err);
}

static void the_systems_python_is_found(void **state)
{
    (void)state;
    lw_pythons *pythons;
    const struct lw_python *python;
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    assert_int_equal(lw_python_find(&python, pythons, NULL, 0, &err), 0);
    assert_string_equal(python->path, "/usr/bin/python3");
    assert_true(lw_str_has_prefix(python->version, LW_S("3.")));
    assert_int_equal(python->bind_count, 0);
    const struct lw_python *again;
    assert_int_equal(find(pythons, "json", &again), 0);
    assert_ptr_equal(python, again);
    assert_int_equal(lw_python_module_version(pythons, python, LW_S("absent")).n, 0);
    lw_pythons_free(pythons);
}

static void what_is_missing_is_named_with_its_remedy(void **state)
{
    (void)state;
    lw_pythons *pythons;
    const struct lw_python *python;
    /* An interpreter that has nothing but itself. */
    setenv("PATH", scratch, 1);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    struct lw_python_need needs[] = {{LW_S("json"), {0}},
                                     {LW_S("lw_absent"), {0}},
                                     {LW_S("mxnet"), LW_S("1.9.1")},
                                     {LW_S("lw_other"), {0}}};
    assert_int_equal(lw_python_find(&python, pythons, needs, 4, &err), LW_EMISSING);
    assert_string_equal(err.text, "no Python here has lw_absent, mxnet, lw_other; install with "
                                  "'pip install lw_absent mxnet==1.9.1 lw_other'");
    assert_int_equal(find(pythons, "os; import sys", &python), LW_EINVAL);
    assert_int_equal(find(pythons, "", &python), LW_EINVAL);
    assert_int_equal(find(pythons, "a.b", &python), LW_EINVAL);
    lw_pythons_free(pythons);
}

static const char torch_only[] = "#!/bin/sh\n"
                                 "echo noise before\n"
                                 "printf 'python\\t/opt/fake/bin/python3\\t3.9.1\\n'\n"
                                 "shift 3\n"
                                 "for a; do case $a in\n"
                                 "lw_special=*) printf 'module\\tlw_special\\t1\\t2.5\\n';;\n"
                                 "*) printf 'module\\t%s\\t0\\t\\n' ${a%%=*};; esac; done\n";

static void the_first_that_has_everything_wins(void **state)
{
    (void)state;
    lw_pythons *pythons;
    const struct lw_python *python;
    char dirs[400];
    make_program("python3.9", torch_only);
    make_program("python3.10", "#!/bin/sh\nexit 1\n");
    make_program("python3.11", "not a program");
    make_program("python3.12",
                 "#!/bin/sh\nprintf 'python\\n\\tmodule\\t\\t\\t\\t\\nprefix\\n\\0\\n'\n");
    snprintf(dirs, sizeof dirs, "%s:/usr/bin", scratch);
    setenv("PATH", dirs, 1);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    assert_int_equal(find(pythons, "lw_special", &python), 0);
    assert_string_equal(python->path, "/opt/fake/bin/python3");
    assert_str(python->version, "3.9.1");
    assert_str(lw_python_module_version(pythons, python, LW_S("lw_special")), "2.5");
    assert_int_equal(find(pythons, "json", &python), 0);
    assert_string_equal(python->path, "/usr/bin/python3");
    lw_pythons_free(pythons);

    setenv("LACEWING_PYTHON", make_program("mine", torch_only), 1);
    setenv("PATH", "/usr/bin", 1);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    assert_int_equal(find(pythons, "lw_special", &python), 0);
    lw_pythons_free(pythons);
}

/* Asked once: the answer stays when the file is gone. */
static void answers_are_remembered(void **state)
{
    (void)state;
    lw_pythons *pythons;
    const struct lw_python *python;
    setenv("LACEWING_PYTHON", make_program("mine", torch_only), 1);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    assert_int_equal(find(pythons, "lw_special", &python), 0);
    unlink(getenv("LACEWING_PYTHON"));
    assert_int_equal(find(pythons, "lw_special", &python), 0);
    assert_string_equal(python->path, "/opt/fake/bin/python3");
    lw_pythons_free(pythons);
}

static void versions_come_without_importing(void **state)
{
    (void)state;
    lw_pythons *pythons;
    const struct lw_python *python;
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    if (find(pythons, "numpy", &python) == 0) {
        struct lw_str version = lw_python_module_version(pythons, python, LW_S("numpy"));
        assert_true(version.n > 2 && version.p[0] >= '1' && version.p[0] <= '9');
    }
    if (find(pythons, "torch", &python) == 0)
        assert_true(lw_python_module_version(pythons, python, LW_S("torch")).n > 2);
    else
        assert_non_null(strstr(err.text, "python3-torch"));
    lw_pythons_free(pythons);
}

/* A virtual environment far from /usr, run inside the sandbox as the finder says. */
static void an_interpreter_elsewhere_works_inside(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct lw_run run;
    lw_pythons *pythons;
    const struct lw_python *python;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    char venv[400], file[600];
    lw_arena_init(&arena, NULL, 0);
    snprintf(venv, sizeof venv, "%s/venv", scratch);
    const char *const make[] = {"/usr/bin/python3", "-m", "venv", "--without-pip", venv, NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    struct lw_proc proc = {.argv = make, .env = env, .cwd = "/"};
    int rc = lw_proc_run(&run, &arena, &proc, &err);
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    if (rc < 0 || run.end != LW_RUN_EXITED || run.exit != 0 ||
        !lw_sandbox_probe(sandbox)->strong)
        goto out; /* no python3-venv, or no bubblewrap: nothing to see here */
    snprintf(file, sizeof file, "%s/bin/python3", venv);
    setenv("LACEWING_PYTHON", file, 1);
    const char *const find_site[] = {
        file, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", NULL};
    proc.argv = find_site;
    assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), 0);
    snprintf(file, sizeof file, "%.*s/lw_here.py", LW_F(lw_str_trim(run.out)));
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs("__version__ = '4.2'\n", f);
    fclose(f);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    if (find(pythons, "lw_here", &python) < 0)
        fail_msg("%s", err.text);
    assert_true(python->bind_count > 0);
    assert_str(lw_python_module_version(pythons, python, LW_S("lw_here")), "4.2");
    lw_policy_init(&policy);
    policy.binds = python->binds;
    policy.bind_count = python->bind_count;
    const char *const argv[] = {python->path, "-c",
                                "import lw_here; print(lw_here.__version__)", NULL};
    assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), 0);
    assert_str(run.out, "4.2\n");
    lw_pythons_free(pythons);
out:
    lw_sandbox_free(sandbox);
    lw_arena_release(&arena);
}

static void torch_works_inside(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct lw_run run;
    lw_pythons *pythons;
    const struct lw_python *python;
    lw_sandbox *sandbox;
    struct lw_policy policy;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    assert_int_equal(lw_sandbox_new(&sandbox, NULL, &err), 0);
    if (find(pythons, "torch", &python) == 0) {
        lw_policy_init(&policy);
        policy.allow_weak = true;
        policy.binds = python->binds;
        policy.bind_count = python->bind_count;
        const char *const argv[] = {python->path, "-c",
                                    "import torch; x = torch.nn.Linear(2, 2)(torch.ones(1, 2));"
                                    "x.sum().backward(); print(tuple(x.shape))",
                                    NULL};
        assert_int_equal(lw_sandbox_run(&run, &arena, sandbox, &policy, argv, &err), 0);
        assert_str(run.out, "(1, 2)\n");
        assert_str(run.err, "");
        assert_true(run.peak_bytes > 50 << 20);
    }
    lw_sandbox_free(sandbox);
    lw_pythons_free(pythons);
    lw_arena_release(&arena);
}

static void *find_in_thread(void *data)
{
    const struct lw_python *python;
    struct lw_err e;
    struct lw_python_need needs[] = {{LW_S("json"), {0}}, {LW_S("os"), {0}}};
    return lw_python_find(&python, data, needs, 2, &e) == 0 ? data : NULL;
}

static void threads_may_share_a_finder(void **state)
{
    (void)state;
    lw_pythons *pythons;
    pthread_t threads[4];
    assert_int_equal(lw_pythons_new(&pythons, NULL, &err), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_in_thread, pythons), 0);
    for (size_t i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, pythons);
    }
    lw_pythons_free(pythons);
}

static int find_with_memory(struct lw_mem *mem, void *data)
{
    (void)data;
    lw_pythons *pythons;
    const struct lw_python *python;
    struct lw_python_need needs[] = {{LW_S("lw_special"), {0}}};
    int rc = lw_pythons_new(&pythons, mem, &err);
    if (rc < 0)
        return rc;
    rc = lw_python_find(&python, pythons, needs, 1, &err);
    lw_pythons_free(pythons);
    return rc == LW_EMISSING ? LW_ENOMEM : rc; /* a failed look-up on PATH finds nothing */
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    setenv("LACEWING_PYTHON", make_program("mine", torch_only), 1);
    setenv("PATH", "/nowhere", 1);
    check_every_allocation(find_with_memory, NULL);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(the_systems_python_is_found),
    CASE(what_is_missing_is_named_with_its_remedy),
    CASE(the_first_that_has_everything_wins),
    CASE(answers_are_remembered),
    CASE(versions_come_without_importing),
    CASE(an_interpreter_elsewhere_works_inside),
    CASE(torch_works_inside),
    CASE(threads_may_share_a_finder),
    CASE(every_allocation_may_fail),
};
CHECK_MAIN(tests)
