#include "check.h"

#include "base/table.h"
#include "base/utf8.h"

static const struct lw_table_column columns[] = {
    {"id", false, false}, {"n", true, false}, {"title", false, true}};

static void fill(struct lw_table *t)
{
    lw_table_cell(t, LW_S("a-1"));
    lw_table_cellf(t, "%d", 12345);
    lw_table_cell(t, LW_S("a title that is rather long"));
    lw_table_cell(t, LW_S("b"));
    lw_table_cellf(t, "%d", 7);
    lw_table_cell_coloured(t, LW_S("\xe6\xbc\xa2\033x"), LW_GREEN);
}

static void check_print(struct lw_term term, const char *expected)
{
    struct lw_table t;
    struct lw_buf b;
    struct lw_err err = {0};
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    lw_table_init(&t, NULL, columns, 3);
    fill(&t);
    lw_table_cell(&t, LW_S("an incomplete row is not printed"));
    t.cells.v[6].text = LW_S("x"); /* and does not widen the first column here */
    assert_int_equal(lw_table_print(&t, &out, &term, &err), 0);
    assert_string_equal(lw_buf_z(&b), expected);
    lw_table_release(&t);
    lw_buf_release(&b);
}

static void columns_line_up(void **state)
{
    (void)state;
    check_print((struct lw_term){0}, "id       n  title\n"
                                     "a-1  12345  a title that is rather long\n"
                                     "b        7  \xe6\xbc\xa2\\x1Bx\n");
}

static void flexible_columns_give_way(void **state)
{
    (void)state;
    check_print((struct lw_term){.columns = 24}, "id       n  title\n"
                                                 "a-1  12345  a title tha\xe2\x80\xa6\n"
                                                 "b        7  \xe6\xbc\xa2\\x1Bx\n");
    /* Not below eight columns, and then the table is too wide after all. */
    check_print((struct lw_term){.columns = 5}, "id       n  title\n"
                                                "a-1  12345  a title\xe2\x80\xa6\n"
                                                "b        7  \xe6\xbc\xa2\\x1Bx\n");
}

static void colours_take_no_room(void **state)
{
    (void)state;
    struct lw_term term = {.colour = true};
    check_print(term, "\033[1mid\033[0m       \033[1mn\033[0m  \033[1mtitle\033[0m\n"
                      "a-1  12345  a title that is rather long\n"
                      "b        7  \033[32m\xe6\xbc\xa2\\x1Bx\033[0m\n");
}

/* No line is wider than the terminal, whatever the cells hold. */
static void every_line_fits(void **state)
{
    (void)state;
    static const struct lw_table_column two[] = {{"a", false, true}, {"b", true, true}};
#define HAN "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2"
    static const char *const texts[] = {
        (HAN HAN), "\xe2\x80\xae\xe2\x80\xae\xe2\x80\xae right to left",
        "\xff\xff\xff\xff\xff\xff\xff\xff", "plain words of text"};
    for (unsigned width = 20; width < 60; width++) {
        struct lw_table t;
        struct lw_buf b;
        struct lw_err err = {0};
        lw_buf_init(&b, NULL, 0);
        struct lw_sink out = lw_sink_buf(&b);
        lw_table_init(&t, NULL, two, 2);
        for (size_t i = 0; i < 16; i++)
            lw_table_cell(&t, lw_str(texts[i % 2 ? i / 2 % 4 : i / 4]));
        assert_int_equal(lw_table_print(&t, &out, &(struct lw_term){.columns = width}, &err),
                         0);
        struct lw_str rest = lw_buf_str(&b), line;
        while (lw_str_line(&rest, &line))
            if (lw_utf8_columns(line) > width)
                fail_msg("%u: %.*s", width, LW_F(line));
        lw_table_release(&t);
        lw_buf_release(&b);
    }
}

static int print(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_table t;
    struct lw_buf b;
    struct lw_err err = {0};
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    lw_table_init(&t, mem, columns, 3);
    for (int i = 0; i < 100; i++)
        fill(&t);
    int rc = lw_table_print(&t, &out, &(struct lw_term){0}, &err);
    if (rc < 0)
        assert_int_equal(b.n, 0);
    lw_table_release(&t);
    lw_buf_release(&b);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(print, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_line_up),           cmocka_unit_test(flexible_columns_give_way),
    cmocka_unit_test(colours_take_no_room),      cmocka_unit_test(every_line_fits),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
