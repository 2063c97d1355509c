#include "check.h"

#include "base/path.h"

static void parts_of_a_path(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name, *parent, *extension;
    } cases[] = {
        {"a/b.py", "b.py", "a", ".py"},
        {"b", "b", ".", ""},
        {"/b", "b", "/", ""},
        {"a/", "", "a", ""},
        {"a//b", "b", "a", ""},
        {"//b", "b", "/", ""},
        {"/", "", "/", ""},
        {"", "", ".", ""},
        {".bashrc", ".bashrc", ".", ""},
        {"a/.b.c", ".b.c", "a", ".c"},
        {"a.b/c", "c", "a.b", ""},
        {"a/..", "..", "a", ""},
        {"x.tar.gz", "x.tar.gz", ".", ".gz"},
        {"a.", "a.", ".", "."},
        {"...py", "...py", ".", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_str(lw_path_name(lw_str(cases[i].path)), cases[i].name);
        assert_str(lw_path_parent(lw_str(cases[i].path)), cases[i].parent);
        assert_str(lw_path_extension(lw_str(cases[i].path)), cases[i].extension);
    }
}

static void joins_stay_below_the_root(void **state)
{
    (void)state;
    static const struct {
        const char *root, *rel, *expected; /* NULL: refused */
    } cases[] = {
        {"/r", "a", "/r/a"},
        {"/r/", "a//b/", "/r/a/b"},
        {"/r", "./a/./b", "/r/a/b"},
        {"/r", "a/../b", "/r/b"},
        {"/r", "a/b/../../c", "/r/c"},
        {"/r", "a/..b", "/r/a/..b"},
        {"/r", "...", "/r/..."},
        {"/", "a/b", "/a/b"},
        {"//", "a", "/a"},
        {"r", "a", "r/a"},
        {".", "a", "./a"},
        {"", "a", "./a"}, /* below the current folder, never below the file system's root */
        {"../r", "a", "../r/a"},
        {"/r", "", NULL},
        {"/r", "/a", NULL},
        {"/r", "..", NULL},
        {"/r", "a/../..", NULL},
        {"/r", "a/../../r/b", NULL},
        {"/r/s", "../s/a", NULL}, /* would end below, but leaves on the way */
        {"/r", ".", NULL},
        {"/r", "a/..", NULL},
        {"/r", "./", NULL},
        {"/", "..", NULL},
        {"", "../a", NULL},
    };
    struct lw_buf out;
    lw_buf_init(&out, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_err err = {0};
        int rc = lw_path_join(&out, lw_str(cases[i].root), lw_str(cases[i].rel), &err);
        assert_int_equal(rc, cases[i].expected ? 0 : LW_EINVAL);
        if (cases[i].expected)
            assert_string_equal(lw_buf_z(&out), cases[i].expected);
        else
            assert_non_null(strstr(err.text, "is refused: "));
    }
    struct lw_err err = {0};
    assert_int_equal(lw_path_join(&out, LW_S("/r"), LW_S("a\0b"), &err), LW_EINVAL);
    lw_buf_release(&out);
}

/* The message must not read beyond the text, which has no NUL (the sanitizer looks). */
static void a_path_that_is_too_long_is_told(void **state)
{
    (void)state;
    struct lw_buf out;
    struct lw_err err = {0};
    lw_buf_init(&out, NULL, 8);
    char *rel = malloc(6);
    memcpy(rel, "folder", 6);
    assert_int_equal(lw_path_join(&out, LW_S("/root"), lw_str_n(rel, 6), &err), LW_ELIMIT);
    assert_non_null(strstr(err.text, "folder"));
    assert_null(strstr(err.text, "folder\xbe"));
    free(rel);
    lw_buf_release(&out);
}

static void appending_trusted_parts(void **state)
{
    (void)state;
    static const char *const cases[][3] = {{"a", "b", "a/b"},
                                           {"a/", "b", "a/b"},
                                           {"/", "b", "/b"},
                                           {"", "b", "b"},
                                           {".", "b", "b"}};
    struct lw_buf out;
    lw_buf_init(&out, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lw_path_append(&out, lw_str(cases[i][0]), lw_str(cases[i][1])), 0);
        assert_string_equal(lw_buf_z(&out), cases[i][2]);
    }
    lw_buf_release(&out);
}

static int join(struct lw_mem *mem, void *data)
{
    struct lw_buf out;
    struct lw_err err = {0};
    lw_buf_init(&out, mem, 0);
    int rc = lw_path_join(&out, LW_S("/root"), lw_str(data), &err);
    if (rc == 0)
        rc = lw_path_append(&out, LW_S("abc"), LW_S("def"));
    lw_buf_release(&out);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(join,
                           "a/b/../a-name-longer-than-the-sixty-four-bytes-that-come-first/x");
    check_every_allocation(join, "a/../b");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_of_a_path),
    cmocka_unit_test(joins_stay_below_the_root),
    cmocka_unit_test(a_path_that_is_too_long_is_told),
    cmocka_unit_test(appending_trusted_parts),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
