#include "check.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"

/* Rows as "a|b;c;" so that a case is one string. */
static int flatten(struct lw_csv *csv, struct lw_buf *flat, struct lw_err *err)
{
    int rc;
    while ((rc = lw_csv_next(csv, err)) > 0)
        for (size_t i = 0; i < csv->fields.n; i++) {
            lw_buf_add(flat, csv->fields.v[i]);
            lw_buf_add_char(flat, i + 1 < csv->fields.n ? '|' : ';');
        }
    return rc;
}

static void check_rows(struct lw_str text, char separator, const char *expected)
{
    struct lw_csv csv;
    struct lw_err err = {0};
    struct lw_buf flat;
    lw_buf_init(&flat, NULL, 0);
    assert_int_equal(lw_csv_open_text(&csv, NULL, LW_S("t.csv"), separator, text, &err), 0);
    if (flatten(&csv, &flat, &err) < 0)
        fail_msg("%s", err.text);
    assert_str(lw_buf_str(&flat), expected);
    lw_csv_close(&csv);
    lw_csv_close(&csv); /* twice does no harm */
    lw_buf_release(&flat);
}

static void rows_and_fields(void **state)
{
    (void)state;
    check_rows(LW_S(""), ',', "");
    check_rows(LW_S("a,b\n1,2\n"), ',', "a|b;1|2;");
    check_rows(LW_S("a,b\r\n1,2"), ',', "a|b;1|2;");
    check_rows(LW_S("a\rb\r"), ',', "a;b;");
    check_rows(LW_S("\n\n"), ',', ";;");
    check_rows(LW_S(",\n,"), ',', "|;|;");
    check_rows(LW_S("a\tb,c"), '\t', "a|b,c;");
    check_rows(LW_S("\"a,b\",\"c\"\"d\"\n\"\",x"), ',', "a,b|c\"d;|x;");
    check_rows(LW_S("\"x\ny\r\nz\"\n"), ',', "x\ny\r\nz;");
    check_rows(LW_S("\xef\xbb\xbf"
                    "a,b"),
               ',', "a|b;");
    check_rows(LW_S("\xef\xbb\xbf"), ',', "");
    check_rows(LW_S("\xef\xbb"), ',', "\xef\xbb;");
    check_rows(LW_S("a\n\xef\xbb\xbf"
                    "b"),
               ',',
               "a;\xef\xbb\xbf"
               "b;");
    check_rows(LW_S(" a , b "), ',', " a | b ;");
}

static void errors_name_the_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a\nb\"c", "t.csv:2: an unquoted field contains a quote"},
        {"a\n\n\"b\nc", "t.csv:3: the quote opened here is never closed"},
        {"\"a\nb\"c", "t.csv:2: there is text after a closing quote"},
        {"a\r\"b\"c", "t.csv:2: there is text after a closing quote"},
        {"\"a\rb\r\nc\"\r\nx\"", "t.csv:4: an unquoted field contains a quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_csv csv;
        struct lw_err err = {0};
        struct lw_buf flat;
        lw_buf_init(&flat, NULL, 0);
        lw_csv_open_text(&csv, NULL, LW_S("t.csv"), ',', lw_str(cases[i][0]), &err);
        assert_int_equal(flatten(&csv, &flat, &err), LW_EINVAL);
        assert_string_equal(err.text, cases[i][1]);
        lw_csv_close(&csv);
        lw_buf_release(&flat);
    }
}

/* Hands out its text `step` bytes at a time, then fails if told so. */
struct drip {
    struct lw_str rest;
    size_t step;
    bool fails;
};

static ptrdiff_t read_drip(void *source, char *to, size_t n, struct lw_err *err)
{
    struct drip *d = source;
    struct lw_str part = lw_str_part(d->rest, 0, d->step < n ? d->step : n);
    if (part.n == 0 && d->fails)
        return lw_err_set(err, LW_EIO, "the line is dead");
    memcpy(to, part.p, part.n);
    d->rest = lw_str_from(d->rest, part.n);
    return (ptrdiff_t)part.n;
}

static void pieces_of_any_size_give_the_same(void **state)
{
    (void)state;
    for (size_t step = 1; step < 12; step++) {
        struct drip d = {LW_S("\xef\xbb\xbf\"a\"\"b\",c\r\n\"x\r\ny\",\r\rz"), step, false};
        struct lw_csv csv;
        struct lw_err err = {0};
        struct lw_buf flat;
        lw_buf_init(&flat, NULL, 0);
        assert_int_equal(lw_csv_open(&csv, NULL, LW_S("d"), ',', read_drip, &d, &err), 0);
        assert_int_equal(flatten(&csv, &flat, &err), 0);
        assert_str(lw_buf_str(&flat), "a\"b|c;x\r\ny|;;z;");
        lw_csv_close(&csv);
        lw_buf_release(&flat);
    }
}

static void a_source_that_fails_is_heard(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "\xef",  "a",       "a,",  "a\r",
                                        "\"a", "\"a\"", "\"a\"\"", "a\n", "a\nb,c"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct drip d = {lw_str(texts[i]), 1, true};
        struct lw_csv csv;
        struct lw_err err = {0};
        struct lw_buf flat;
        lw_buf_init(&flat, NULL, 0);
        lw_csv_open(&csv, NULL, LW_S("d"), ',', read_drip, &d, &err);
        assert_int_equal(flatten(&csv, &flat, &err), LW_EIO);
        assert_string_equal(err.text, "the line is dead");
        lw_csv_close(&csv);
        lw_buf_release(&flat);
    }
}

static ptrdiff_t read_for_ever(void *source, char *to, size_t n, struct lw_err *err)
{
    (void)err;
    memset(to, *(char *)source, n);
    return (ptrdiff_t)n;
}

/* A row without end is refused, also when it is made of separators only. */
static void memory_is_bounded(void **state)
{
    (void)state;
    static char kinds[] = {'x', ',', '"'};
    for (size_t i = 0; i < sizeof kinds; i++) {
        struct lw_mem mem;
        lw_mem_init(&mem, (size_t)1 << 30);
        struct lw_csv csv;
        struct lw_err err = {0};
        assert_int_equal(
            lw_csv_open(&csv, &mem, LW_S("d"), ',', read_for_ever, &kinds[i], &err), 0);
        assert_int_equal(lw_csv_next(&csv, &err), LW_ELIMIT);
        assert_string_equal(err.text, "d:1: the row is longer than 16777216 bytes");
        lw_csv_close(&csv);
        assert_int_equal(atomic_load(&mem.used), 0);
    }
}

static void files_and_standard_input(void **state)
{
    (void)state;
    char path[] = "/tmp/lacewing-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a,b\n", 4), 4);
    struct lw_csv csv;
    struct lw_err err = {0};
    assert_int_equal(lw_csv_open_file(&csv, NULL, path, ',', &err), 0);
    assert_int_equal(lw_csv_next(&csv, &err), 1);
    assert_int_equal(csv.fields.n, 2);
    assert_int_equal(lw_csv_next(&csv, &err), 0);
    assert_int_equal(lw_csv_next(&csv, &err), 0);
    lw_csv_close(&csv);
    int old = dup(STDIN_FILENO);
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    assert_int_equal(lw_csv_open_file(&csv, NULL, "-", ',', &err), 0);
    assert_int_equal(lw_csv_next(&csv, &err), 1);
    assert_str(csv.fields.v[1], "b");
    lw_csv_close(&csv);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* only our copy was closed */
    dup2(old, STDIN_FILENO);
    close(old);
    close(fd);
    unlink(path);
    assert_int_equal(lw_csv_open_file(&csv, NULL, path, ',', &err), LW_ENOENT);
    assert_int_equal(lw_csv_open_file(&csv, NULL, "/", ',', &err), 0);
    assert_int_equal(lw_csv_next(&csv, &err), LW_EIO); /* a folder */
    assert_non_null(strstr(err.text, "cannot read '/'"));
    lw_csv_close(&csv);
}

static void check_put(struct lw_str field, const char *expected)
{
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    lw_csv_put(&out, field, true);
    lw_csv_put(&out, LW_S("z"), false);
    lw_csv_end_row(&out);
    assert_str(lw_buf_str(&b), expected);
    lw_buf_release(&b);
}

static void fields_are_quoted_where_needed(void **state)
{
    (void)state;
    check_put(LW_S("plain text"), "plain text,z\n");
    check_put(LW_S(""), ",z\n");
    check_put(LW_S("a,b"), "\"a,b\",z\n");
    check_put(LW_S("a\"b\""), "\"a\"\"b\"\"\",z\n");
    check_put(LW_S("a\nb"), "\"a\nb\",z\n");
    check_put(LW_S("a\r"), "\"a\r\",z\n");
    check_put(LW_S(" a"), "\" a\",z\n");
    check_put(LW_S("a "), "\"a \",z\n");
    check_put(LW_S("\xef\xbb\xbf"), "\"\xef\xbb\xbf\",z\n");
}

static int read_all(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_csv csv;
    struct lw_err err = {0};
    int rc = lw_csv_open_text(&csv, mem, LW_S("x"), ',',
                              LW_S("1,2,3,4,5,6,7,8,9,10\n\"a long field, which makes the row "
                                   "grow beyond its first sixty-four bytes\",b\n"),
                              &err);
    if (rc == 0) {
        while ((rc = lw_csv_next(&csv, &err)) > 0)
            ;
        lw_csv_close(&csv);
    }
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(read_all, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_and_fields),
    cmocka_unit_test(errors_name_the_line),
    cmocka_unit_test(pieces_of_any_size_give_the_same),
    cmocka_unit_test(a_source_that_fails_is_heard),
    cmocka_unit_test(memory_is_bounded),
    cmocka_unit_test(files_and_standard_input),
    cmocka_unit_test(fields_are_quoted_where_needed),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
