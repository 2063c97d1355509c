#include "check.h"

#include <time.h>

#include "base/clock.h"

static void times_are_iso_8601(void **state)
{
    (void)state;
    static const struct {
        int64_t wall;
        const char *text;
    } cases[] = {{0, "1970-01-01T00:00:00Z"},
                 {1772366400, "2026-03-01T12:00:00Z"},
                 {-1, "1969-12-31T23:59:59Z"},
                 {951782400, "2000-02-29T00:00:00Z"},
                 {253402300799, "9999-12-31T23:59:59Z"},
                 {-62135596800, "0001-01-01T00:00:00Z"},
                 {-30610224000, "1000-01-01T00:00:00Z"},
                 {-30610224001, "0999-12-31T23:59:59Z"},
                 {253402300800, "unknown"},
                 {-62135596801, "unknown"},
                 {INT64_MAX, "unknown"},
                 {INT64_MIN, "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[LW_TIME_TEXT];
        assert_string_equal(lw_print_time(cases[i].wall, text), cases[i].text);
    }
}

static void sleep_is_no_work(void **state)
{
    (void)state;
    struct lw_clock c = lw_clock_thread();
    double before = c.seconds(c.data);
    struct timespec nap = {0, 30000000};
    nanosleep(&nap, NULL);
    assert_true(c.seconds(c.data) - before < 0.02);
    volatile unsigned n = 0;
    double start = c.seconds(c.data);
    while (c.seconds(c.data) <= start)
        n++;
    assert_true(c.seconds(c.data) > start);
}

static void the_system_clock_moves_forward(void **state)
{
    (void)state;
    struct lw_clock c = lw_clock_system();
    double before = c.seconds(c.data);
    for (int i = 0; i < 1000; i++) {
        double now = c.seconds(c.data);
        assert_true(now >= before);
        before = now;
    }
    int64_t wall = (int64_t)time(NULL);
    assert_in_range(c.wall(c.data) - wall, 0, 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(times_are_iso_8601),
    cmocka_unit_test(sleep_is_no_work),
    cmocka_unit_test(the_system_clock_moves_forward),
};
CHECK_MAIN(tests)
