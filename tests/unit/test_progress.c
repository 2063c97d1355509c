#include "check.h"

#include "base/progress.h"

struct fixture {
    struct lw_progress p;
    double now;
    char *text;
    size_t n, seen;
    FILE *file;
};

static double fake_seconds(void *data)
{
    return *(double *)data;
}

static void begin(struct fixture *f, bool is_tty, unsigned columns, uint64_t total)
{
    memset(f, 0, sizeof *f);
    f->file = open_memstream(&f->text, &f->n);
    struct lw_term term = {.file = f->file, .is_tty = is_tty, .columns = columns};
    lw_progress_init(&f->p, term, (struct lw_clock){fake_seconds, NULL, &f->now}, "verify",
                     total);
}

/* What was written since the last look. */
static void expect(struct fixture *f, const char *expected)
{
    fflush(f->file);
    assert_string_equal(f->text + f->seen, expected);
    f->seen = f->n;
}

static void finish(struct fixture *f, const char *expected)
{
    lw_progress_finish(&f->p);
    expect(f, expected);
    fclose(f->file);
    free(f->text);
}

static void a_bar_with_rate_and_time_left(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true, 100, 12);
    f.now = 2;
    lw_progress_step(&f.p, 4, LW_S("pt-\033x"));
    expect(&f, "\r\033[Kverify [########                ] 4/12  2.0/s  eta 0:04  pt-\\x1Bx");
    f.now = 2.05;
    lw_progress_step(&f.p, 1, LW_S("x"));
    expect(&f, ""); /* at most ten times a second */
    f.now = 400;
    lw_progress_step(&f.p, 1, LW_S(""));
    expect(&f, "\r\033[Kverify [############            ] 6/12  0.0/s  eta 6:40");
    lw_progress_hide(&f.p);
    expect(&f, "\r\033[K");
    lw_progress_hide(&f.p);
    expect(&f, "");
    f.now = 400.01;
    lw_progress_step(&f.p, 5, LW_S("")); /* hidden: drawn again at once */
    expect(&f, "\r\033[Kverify [######################  ] 11/12  0.0/s  eta 0:36");
    f.now = 400.02;
    lw_progress_step(&f.p, 1, LW_S("")); /* the last is always drawn */
    expect(&f, "\r\033[Kverify [########################] 12/12  0.0/s  eta 0:00");
    f.now = 401;
    lw_progress_step(&f.p, 3, LW_S("")); /* more than was foreseen */
    expect(&f, "\r\033[Kverify [########################] 15/12  0.0/s");
    finish(&f, "\r\033[K");
}

static void without_a_total_only_the_count(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true, 0, 0);
    lw_progress_step(&f.p, 5, LW_S("w"));
    expect(&f, "\r\033[Kverify 5  0.0/s  w");
    f.now = 0.1;
    lw_progress_step(&f.p, 95, LW_S(""));
    expect(&f, "\r\033[Kverify 100  1000/s");
    finish(&f, "\r\033[K");
}

static void it_fits_the_line(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true, 30, 3);
    lw_progress_step(&f.p, 1, LW_S("a long name that has no room"));
    expect(&f, "\r\033[Kverify [########             ");
    finish(&f, "\r\033[K");
}

static void a_time_without_end_is_no_trap(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true, 200, UINT64_MAX);
    f.now = 1e9;
    lw_progress_step(&f.p, 1, LW_S("")); /* 5e20 years: the sanitizer looks at the conversion */
    fflush(f.file);
    assert_non_null(strstr(f.text, "1/18446744073709551615"));
    f.seen = f.n;
    finish(&f, "\r\033[K");
}

static void no_terminal_no_bar(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, false, 80, 2);
    f.now = 1;
    lw_progress_step(&f.p, 1, LW_S("x"));
    lw_progress_step(&f.p, 1, LW_S("x"));
    lw_progress_hide(&f.p);
    assert_int_equal(f.p.done, 2);
    finish(&f, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_bar_with_rate_and_time_left),
    cmocka_unit_test(without_a_total_only_the_count),
    cmocka_unit_test(it_fits_the_line),
    cmocka_unit_test(a_time_without_end_is_no_trap),
    cmocka_unit_test(no_terminal_no_bar),
};
CHECK_MAIN(tests)
