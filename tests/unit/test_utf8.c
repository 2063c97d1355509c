#include "check.h"

#include "base/sink.h"
#include "base/utf8.h"

/* Straight from the table of well-formed byte sequences (Unicode 3.9, table 3-7). */
static size_t plain_length(const unsigned char *p, size_t n)
{
    static const struct {
        unsigned first, last, second_first, second_last;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (p[0] < rows[i].first || p[0] > rows[i].last)
            continue;
        if (n < rows[i].length)
            return 0;
        if (rows[i].length > 1 && (p[1] < rows[i].second_first || p[1] > rows[i].second_last))
            return 0;
        for (size_t k = 2; k < rows[i].length; k++)
            if (p[k] < 0x80 || p[k] > 0xbf)
                return 0;
        return rows[i].length;
    }
    return 0;
}

static void decoding_follows_the_table_of_unicode(void **state)
{
    (void)state;
    static const unsigned char tails[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
                                          0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xff};
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t k = 0; k < sizeof tails * sizeof tails; k++) {
                unsigned char p[4] = {(unsigned char)first, (unsigned char)second,
                                      tails[k / sizeof tails], tails[k % sizeof tails]};
                for (size_t n = 1; n <= 4; n++) {
                    uint32_t point;
                    if (lw_utf8_decode(lw_str_n((char *)p, n), &point) != plain_length(p, n))
                        fail_msg("%02x %02x %02x %02x", p[0], p[1], p[2], p[3]);
                }
            }
}

static void every_code_point_comes_back(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        if (point == 0xd800)
            point = 0xe000;
        char text[4];
        uint32_t back = 0;
        size_t n = lw_utf8_encode(point, text);
        if (lw_utf8_decode(lw_str_n(text, n), &back) != n || back != point)
            fail_msg("U+%04X", point);
    }
}

static void the_first_bad_byte_is_named(void **state)
{
    (void)state;
    assert_int_equal(lw_utf8_invalid(LW_S("")), LW_NPOS);
    assert_int_equal(lw_utf8_invalid(LW_S("a\xc3\xa9\xf0\x9f\x90\x9b")), LW_NPOS);
    assert_int_equal(lw_utf8_invalid(LW_S("a\xc3\xa9\xff")), 3);
    assert_int_equal(lw_utf8_invalid(LW_S("ab\xe2\x82")), 2);
    assert_int_equal(lw_utf8_invalid(LW_S("\x80")), 0);
}

static void columns_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
    } cases[] = {{"", 0},
                 {"abc", 3},
                 {"\xc3\xa9", 1},
                 {"e\xcc\x81", 1},                /* with a combining accent */
                 {"\xe6\xbc\xa2\xe5\xad\x97", 4}, /* two Han characters */
                 {"\xf0\x9f\x90\x9b", 2},         /* a bug */
                 {"\xe2\x9c\x85", 2},             /* a white check mark */
                 {"\t", 4},
                 {"\x7f", 4},
                 {"\xff", 4},
                 {"\xc2\x85", 8},
                 {"\xe2\x80\xae", 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lw_utf8_columns(lw_str(cases[i].text)) != cases[i].columns)
            fail_msg("case %zu: %zu columns", i, lw_utf8_columns(lw_str(cases[i].text)));
}

/* What lw_put_safe writes for something is as wide as lw_utf8_columns says. */
static void columns_agree_with_safe_printing(void **state)
{
    (void)state;
    struct lw_buf b;
    lw_buf_init(&b, NULL, 0);
    for (uint32_t point = 0; point <= 0x3000; point++) {
        char text[4];
        struct lw_str s = lw_str_n(text, lw_utf8_encode(point, text));
        lw_buf_clear(&b);
        struct lw_sink out = lw_sink_buf(&b);
        lw_put_safe(&out, s, false);
        if (lw_utf8_columns(s) != lw_utf8_columns(lw_buf_str(&b)))
            fail_msg("U+%04X is shown as '%s'", point, lw_buf_z(&b));
    }
    lw_buf_release(&b);
}

static void fitting_keeps_whole_characters(void **state)
{
    (void)state;
    struct lw_str s = LW_S("a\xe6\xbc\xa2"
                           "b\xcc\x81\xff");
    assert_str(lw_utf8_fit(s, 0), "");
    assert_str(lw_utf8_fit(s, 1), "a");
    assert_str(lw_utf8_fit(s, 2), "a");
    assert_str(lw_utf8_fit(s, 3), "a\xe6\xbc\xa2");
    assert_str(lw_utf8_fit(s, 4), "a\xe6\xbc\xa2"
                                  "b\xcc\x81");
    assert_str(lw_utf8_fit(s, 7), "a\xe6\xbc\xa2"
                                  "b\xcc\x81");
    assert_int_equal(lw_utf8_fit(s, 8).n, s.n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(decoding_follows_the_table_of_unicode),
    cmocka_unit_test(every_code_point_comes_back),
    cmocka_unit_test(the_first_bad_byte_is_named),
    cmocka_unit_test(columns_of_a_terminal),
    cmocka_unit_test(columns_agree_with_safe_printing),
    cmocka_unit_test(fitting_keeps_whole_characters),
};
CHECK_MAIN(tests)
