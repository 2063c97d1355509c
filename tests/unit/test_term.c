#include "check.h"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include "base/term.h"

static void clean_environment(void)
{
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
}

static void no_terminal_no_colour_no_limit(void **state)
{
    (void)state;
    clean_environment();
    FILE *file = fopen("/dev/null", "w");
    struct lw_term t = lw_term_of(file, true);
    assert_false(t.is_tty || t.colour);
    assert_int_equal(t.columns, 0);
    assert_string_equal(lw_colour(&t, LW_RED), "");
    setenv("COLUMNS", "60", 1);
    assert_int_equal(lw_term_of(file, true).columns, 60);
    static const char *const useless[] = {"", "x", "-5", "19", "1001", "60 "};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        setenv("COLUMNS", useless[i], 1);
        assert_int_equal(lw_term_of(file, true).columns, 0);
    }
    fclose(file);
}

static void a_terminal_has_both(void **state)
{
    (void)state;
    clean_environment();
    int master, slave;
    struct winsize size = {.ws_row = 30, .ws_col = 123};
    if (openpty(&master, &slave, NULL, NULL, &size) < 0) {
        print_message("# no pseudo-terminal here: not tried\n");
        return;
    }
    FILE *file = fdopen(slave, "w");
    struct lw_term t = lw_term_of(file, true);
    assert_true(t.is_tty && t.colour);
    assert_int_equal(t.columns, 123);
    assert_string_equal(lw_colour(&t, LW_RED), "\033[31m");
    assert_string_equal(lw_colour(&t, LW_PLAIN), "\033[0m");
    assert_false(lw_term_of(file, false).colour);
    setenv("NO_COLOR", "1", 1);
    assert_false(lw_term_of(file, true).colour);
    setenv("NO_COLOR", "", 1); /* empty counts as not set */
    assert_true(lw_term_of(file, true).colour);
    setenv("TERM", "dumb", 1);
    assert_false(lw_term_of(file, true).colour);
    unsetenv("TERM");
    assert_false(lw_term_of(file, true).colour);
    size.ws_col = 0; /* unknown */
    ioctl(slave, TIOCSWINSZ, &size);
    assert_int_equal(lw_term_of(file, true).columns, 80);
    fclose(file);
    close(master);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_terminal_no_colour_no_limit),
    cmocka_unit_test(a_terminal_has_both),
};
CHECK_MAIN(tests)
