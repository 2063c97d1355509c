/* available: interpreters that are found, asked, remembered; and bugs they can run.
 * Interpreters are shell scripts that answer as Python would, and count how often they are
 * asked. */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "verify/available.h"
#include "verify/pythons.h"

struct place {
    struct lw_ctx ctx;
    struct lw_err err;
    char folder[64];
    struct lw_arena arena;
};

static const char *below(struct place *p, const char *name)
{
    return lw_arena_printf(&p->arena, "%s/%s", p->folder, name).p;
}

static void write_file(struct place *p, const char *name, const char *content, unsigned mode)
{
    const char *path = below(p, name);
    struct lw_str parent = lw_str_part(lw_str(path), 0, strlen(path));
    parent.n = (size_t)(strrchr(path, '/') - path);
    assert_int_equal(lw_dir_make(lw_arena_copy(&p->arena, parent).p, &p->err), 0);
    assert_int_equal(lw_file_write(path, lw_str(content), mode, &p->err), 0);
}

/* An interpreter in `name` of that version, whose modules lie in the folder `modules`. */
static void make_python(struct place *p, const char *name, const char *version,
                        const char *modules)
{
    struct lw_str text = lw_arena_printf(
        &p->arena,
        "#!/bin/sh\necho x >>%s/asked\nprintf '%%s\\n' %s/%s %s %s/prefix %s/prefix %s/%s\n",
        p->folder, p->folder, name, version, p->folder, p->folder, p->folder, modules);
    write_file(p, name, text.p, 0755);
}

static size_t times_asked(struct place *p)
{
    struct lw_str content;
    if (lw_file_read(&p->arena, below(p, "asked"), 10000, &content, &p->err) < 0)
        return 0;
    return content.n / 2;
}

static int set_up(void **state)
{
    static struct place p;
    memset(&p, 0, sizeof p);
    p.ctx.clock = lw_clock_system();
    lw_arena_init(&p.arena, NULL, 0);
    snprintf(p.folder, sizeof p.folder, "/tmp/lw-python-XXXXXX");
    *state = &p;
    if (!mkdtemp(p.folder))
        return -1;
    setenv("XDG_CACHE_HOME", below(&p, "cache"), 1);
    setenv("PATH", lw_arena_printf(&p.arena, "%s/bin:/usr/bin:/bin", p.folder).p, 1);
    setenv("LACEWING_PYTHON", below(&p, "own/python"), 1);
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    int rc = lw_dir_remove(p->folder, &p->err);
    lw_arena_release(&p->arena);
    return rc;
}

/* How many of our own interpreters are found; /usr/bin/python3 may be there as well. */
static size_t count_own(struct place *p, const struct pythons *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->all.n; i++)
        n += lw_str_has_prefix(lw_str(all->all.v[i].path), lw_str(p->folder));
    return n;
}

static size_t load_and_count(struct place *p)
{
    struct pythons all;
    assert_int_equal(pythons_load(&all, &p->ctx, &p->err), 0);
    size_t n = count_own(p, &all);
    pythons_release(&all);
    return n;
}

static void the_users_choice_comes_first(void **state)
{
    struct place *p = *state;
    struct pythons all;
    make_python(p, "bin/python3", "3.9.1", "site");
    make_python(p, "own/python", "3.8.0", "site");
    assert_int_equal(pythons_load(&all, &p->ctx, &p->err), 0);
    assert_int_equal(count_own(p, &all), 2);
    assert_string_equal(all.all.v[0].path, below(p, "own/python"));
    assert_str(all.all.v[0].version, "3.8.0");
    assert_int_equal(all.all.v[0].bind_count, 1); /* both prefixes are one folder */
    pythons_release(&all);
}

static void answers_are_remembered_until_the_file_changes(void **state)
{
    struct place *p = *state;
    make_python(p, "own/python", "3.8.0", "site");
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(times_asked(p), 1);
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(times_asked(p), 1);
    make_python(p, "own/python", "3.8.10", "site"); /* another size */
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(times_asked(p), 2);
}

static void a_damaged_cache_is_as_good_as_none(void **state)
{
    struct place *p = *state;
    static const char *const damage[] = {"",
                                         "\n\n\n",
                                         "a,b\n",
                                         "\"open quote, never closed",
                                         "\xff\xfe\x01,1,2\n",
                                         "x,y,z\nx,y,z\n",
                                         ",,\n"};
    make_python(p, "own/python", "3.8.0", "site");
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        write_file(p, "cache/lacewing/pythons.csv", damage[i], 0600);
        assert_int_equal(load_and_count(p), 1);
        assert_int_equal(times_asked(p), i + 1);
    }
    assert_int_equal(load_and_count(p), 1); /* and was mended by the last */
    assert_int_equal(times_asked(p), sizeof damage / sizeof *damage);
}

static void a_lying_cache_does_not_last(void **state)
{
    struct place *p = *state;
    make_python(p, "own/python", "3.8.0", "site");
    struct stat st;
    assert_int_equal(stat(below(p, "own/python"), &st), 0);
    /* The right interpreter and stamp, but an answer that is none. */
    struct lw_str row = lw_arena_printf(&p->arena, "%s,%lld.%09ld.%lld,garbage\n",
                                        below(p, "own/python"), (long long)st.st_mtim.tv_sec,
                                        st.st_mtim.tv_nsec, (long long)st.st_size);
    write_file(p, "cache/lacewing/pythons.csv", row.p, 0600);
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(times_asked(p), 1);
}

static void an_unwritable_cache_is_no_trouble(void **state)
{
    struct place *p = *state;
    make_python(p, "own/python", "3.8.0", "site");
    write_file(p, "cache", "a file where a folder should be", 0600);
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(load_and_count(p), 1);
    assert_int_equal(times_asked(p), 2);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "", 1);
    assert_int_equal(load_and_count(p), 1);
}

static void programs_that_are_no_python_are_passed_over(void **state)
{
    struct place *p = *state;
    static const char *const wrong[] = {
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\n",
        "#!/bin/sh\necho only one line\n",
        "#!/nonexistent/interpreter\n",
        "#!/bin/sh\nkill -9 $$\n",
        "\177ELF nonsense",
    };
    setenv("LACEWING_PYTHON", "relative/python", 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file(p, "bin/python3", wrong[i], 0755);
        assert_int_equal(load_and_count(p), 0);
    }
    write_file(p, "bin/python3", "#!/bin/sh\n", 0644); /* not executable */
    assert_int_equal(load_and_count(p), 0);
    assert_int_equal(unlink(below(p, "bin/python3")), 0);
    assert_int_equal(mkdir(below(p, "bin/python3"), 0755), 0);
    assert_int_equal(load_and_count(p), 0);
}

static void modules_are_looked_up_in_the_folders(void **state)
{
    struct place *p = *state;
    struct pythons all;
    make_python(p, "own/python", "3.8.0", "site");
    write_file(p, "site/pack/__init__.py", "", 0644);
    write_file(p, "site/single.py", "", 0644);
    write_file(p, "site/native.cpython-38-x86_64-linux-gnu.so", "", 0644);
    write_file(p, "site/native2.so", "", 0644);
    write_file(p, "site/folder/inner.py", "", 0644);
    write_file(p, "site/pack-2.5.1.dist-info/METADATA", "", 0644);
    write_file(p, "site/other-1.0-py3.8.egg-info", "", 0644);
    assert_int_equal(pythons_load(&all, &p->ctx, &p->err), 0);
    const struct python *py = &all.all.v[0];
    assert_true(python_has(py, LW_S("pack")));
    assert_true(python_has(py, LW_S("single")));
    assert_true(python_has(py, LW_S("native")));
    assert_true(python_has(py, LW_S("native2")));
    assert_false(python_has(py, LW_S("nat")));
    assert_false(python_has(py, LW_S("none")));
    assert_false(python_has(py, LW_S("")));
    assert_str(python_package_version(py, LW_S("pack"), &p->arena), "2.5.1");
    assert_str(python_package_version(py, LW_S("PACK"), &p->arena), "2.5.1");
    assert_str(python_package_version(py, LW_S("other"), &p->arena), "1.0");
    assert_str(python_package_version(py, LW_S("pac"), &p->arena), "");
    assert_str(python_package_version(py, LW_S("none"), &p->arena), "");
    pythons_release(&all);
}

static void says_missing(struct place *p, lw_available *a, struct lw_bug bug, const char *text)
{
    const struct python *py;
    int rc = lw_available_python(a, &bug, &py, &p->err);
    if (rc != LW_EMISSING || !strstr(p->err.text, text))
        fail_msg("%d '%s' instead of '%s'", rc, rc ? p->err.text : "", text);
    assert_false(lw_available_bug(a, &bug));
}

static void a_bug_gets_the_first_python_that_suits_it(void **state)
{
    struct place *p = *state;
    lw_available *a;
    const struct python *py;
    make_python(p, "own/python", "3.8.0", "site1");
    make_python(p, "bin/python3", "3.6.5", "site2");
    write_file(p, "site1/lw_one.py", "", 0644);
    write_file(p, "site2/lw_one.py", "", 0644);
    write_file(p, "site2/lw_two.py", "", 0644);
    write_file(p, "site2/torch/__init__.py", "", 0644);
    write_file(p, "site2/torch-1.4.0.dist-info/METADATA", "", 0644);
    assert_int_equal(lw_available_new(&a, &p->ctx, &p->err), 0);
    struct lw_bug bug = {.modules = LW_S("lw_one"), .framework = LW_S("pytorch")};
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(lw_available_python(a, &bug, &py, &p->err), 0);
        assert_string_equal(py->path, below(p, "own/python"));
    }
    bug.modules = LW_S(" lw_one ,lw_two");
    assert_int_equal(lw_available_python(a, &bug, &py, &p->err), 0);
    assert_string_equal(py->path, below(p, "bin/python3"));
    bug.python_version = LW_S(">=3.7");
    says_missing(p, a, bug, "lw_two");
    bug = (struct lw_bug){.modules = LW_S("lw_one, torch"),
                          .framework = LW_S("pytorch"),
                          .framework_version = LW_S(">=1.3,<1.5"),
                          .python_version = LW_S("<3.7")};
    assert_int_equal(lw_available_python(a, &bug, &py, &p->err), 0);
    assert_string_equal(py->path, below(p, "bin/python3"));
    bug.framework_version = LW_S("==1.3.*");
    says_missing(p, a, bug, "torch");
    says_missing(
        p, a, (struct lw_bug){.modules = LW_S("lw_nowhere")},
        "Python module 'lw_nowhere' is missing; install it, for example with pip install "
        "\"lw_nowhere\", and point");
    says_missing(p, a,
                 (struct lw_bug){.modules = LW_S("tensorflow"),
                                 .framework = LW_S("tensorflow"),
                                 .framework_version = LW_S(">=1.15,<2")},
                 "pip install \"tensorflow>=1.15,<2\"");
    says_missing(p, a, (struct lw_bug){.modules = LW_S("../../etc/x")}, "is missing");
    lw_available_free(a);
    lw_available_free(NULL);
}

/* Constraints longer than any buffer must not be mistaken for one another. */
static void long_requirements_are_told_apart(void **state)
{
    struct place *p = *state;
    lw_available *a;
    const struct python *py;
    char many[2000];
    make_python(p, "own/python", "3.8.0", "site");
    write_file(p, "site/lw_one.py", "", 0644);
    for (size_t i = 0; i + 8 <= sizeof many; i += 8)
        memcpy(many + i, "lw_one, ", 8);
    assert_int_equal(lw_available_new(&a, &p->ctx, &p->err), 0);
    struct lw_bug bug = {.modules = lw_str_n(many, sizeof many)};
    assert_int_equal(lw_available_python(a, &bug, &py, &p->err), 0);
    memcpy(many + sizeof many - 8, "lw_none ", 8);
    says_missing(p, a, bug, "lw_none");
    lw_available_free(a);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    TEST(the_users_choice_comes_first),
    TEST(answers_are_remembered_until_the_file_changes),
    TEST(a_damaged_cache_is_as_good_as_none),
    TEST(a_lying_cache_does_not_last),
    TEST(an_unwritable_cache_is_no_trouble),
    TEST(programs_that_are_no_python_are_passed_over),
    TEST(modules_are_looked_up_in_the_folders),
    TEST(a_bug_gets_the_first_python_that_suits_it),
    TEST(long_requirements_are_told_apart),
};

CHECK_MAIN(tests)
