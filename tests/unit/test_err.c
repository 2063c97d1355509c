#include "check.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/utf8.h"

static void a_line_and_its_contexts(void **state)
{
    (void)state;
    struct lw_err err = {0};
    assert_int_equal(lw_err_set(&err, LW_EINVAL, "line %d of %s", 3, "x"), LW_EINVAL);
    assert_int_equal(err.code, LW_EINVAL);
    assert_string_equal(err.text, "line 3 of x");
    assert_int_equal(lw_err_context(&err, "reading '%s'", "y"), LW_EINVAL);
    assert_string_equal(err.text, "reading 'y': line 3 of x");
    assert_int_equal(lw_err_nomem(&err), LW_ENOMEM);
    assert_string_equal(err.text, "out of memory");
}

static void system_errors_name_what_and_why(void **state)
{
    (void)state;
    struct lw_err err = {0};
    struct lw_str x = lw_str_n("xyz", 1);
    assert_int_equal(lw_err_system(&err, ENOENT, "cannot open", x), LW_ENOENT);
    assert_string_equal(err.text, "cannot open 'x': No such file or directory");
    assert_int_equal(lw_err_system(&err, ENOTDIR, "cannot open", x), LW_ENOENT);
    assert_int_equal(lw_err_system(&err, ENOMEM, "cannot open", x), LW_ENOMEM);
    assert_int_equal(lw_err_system(&err, EACCES, "cannot open", x), LW_EIO);
    assert_int_equal(lw_err_system(&err, EMFILE, "cannot open", x), LW_ELACK);
    assert_int_equal(lw_err_system(&err, ENOSPC, "cannot write", x), LW_ELACK);
    assert_int_equal(lw_errno_of_lack("could not open x: Too many open files"), EMFILE);
    assert_int_equal(lw_errno_of_lack("could not map: Cannot allocate memory"), ENOMEM);
    assert_int_equal(lw_errno_of_lack("could not open x: No such file or directory"), 0);
    assert_int_equal(lw_errno_of_lack(""), 0);
}

/* A cut line says so, and is not cut inside a character. */
static void long_lines_are_cut_with_dots(void **state)
{
    (void)state;
    struct lw_err err = {0};
    for (int shift = 0; shift < 4; shift++) {
        char text[3000];
        size_t n = (size_t)shift;
        memset(text, 'a', n);
        for (; n + 3 < sizeof text; n += 3)
            memcpy(text + n, "\xe2\x82\xac", 3);
        text[n] = '\0';
        lw_err_set(&err, LW_EINVAL, "%s", text);
        assert_in_range(strlen(err.text), LW_ERR_TEXT - 4, LW_ERR_TEXT - 1);
        assert_true(lw_str_has_suffix(lw_str(err.text), LW_S("...")));
        assert_int_equal(lw_utf8_invalid(lw_str(err.text)), LW_NPOS);
        lw_err_context(&err, "%s", text);
        assert_true(lw_str_has_suffix(lw_str(err.text), LW_S("...")));
        assert_int_equal(lw_utf8_invalid(lw_str(err.text)), LW_NPOS);
        assert_true(lw_str_find(lw_str(err.text), LW_S("...: a")) > 0 || shift == 0);
    }
}

static void exit_codes(void **state)
{
    (void)state;
    static const struct {
        int code, exit;
    } cases[] = {{LW_OK, 0},       {LW_EINVAL, 2}, {LW_ENOMEM, 2},   {LW_EIO, 2},
                 {LW_ENOENT, 2},   {LW_ELIMIT, 2}, {LW_EMISSING, 3}, {LW_ECANCEL, 130},
                 {LW_ECORRUPT, 2}, {LW_EBUSY, 2},  {LW_EBUG, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(lw_exit_code(cases[i].code), cases[i].exit);
}

static void a_fault_ends_with_code_4(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        LW_BUG_ON(1 + 1 == 2);
        _exit(0);
    }
    close(ends[1]);
    char text[500];
    ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    assert_true(n > 0);
    text[n] = '\0';
    assert_non_null(strstr(text, "1 + 1 == 2"));
    LW_BUG_ON(false);
}

static void the_version_is_three_numbers(void **state)
{
    (void)state;
    int a, b, c;
    char end;
    assert_int_equal(sscanf(lw_version(), "%d.%d.%d%c", &a, &b, &c, &end), 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_line_and_its_contexts),
    cmocka_unit_test(system_errors_name_what_and_why),
    cmocka_unit_test(long_lines_are_cut_with_dots),
    cmocka_unit_test(exit_codes),
    cmocka_unit_test(a_fault_ends_with_code_4),
    cmocka_unit_test(the_version_is_three_numbers),
};
CHECK_MAIN(tests)
