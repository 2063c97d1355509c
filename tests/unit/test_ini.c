#include "check.h"

#include "base/err.h"
#include "base/ini.h"
#include "base/sink.h"

struct fixture {
    struct lw_arena arena;
    struct lw_ini ini;
    struct lw_err err;
};

static int parse(struct fixture *f, struct lw_str text)
{
    *f = (struct fixture){0};
    lw_arena_init(&f->arena, NULL, 0);
    return lw_ini_parse(&f->ini, &f->arena, LW_S("bug.ini"), text, &f->err);
}

static void values_and_their_places(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(parse(&f, LW_S("# comment\n; another\n\n[bug]\nid = x-1  \n"
                                    "title=a = b ; not a comment # nor this\r\n"
                                    "empty =\n[ other  one ]\nid = y")),
                     0);
    assert_int_equal(f.ini.n, 4);
    assert_str(lw_ini_get(&f.ini, "bug", "id"), "x-1");
    assert_str(lw_ini_get(&f.ini, "bug", "title"), "a = b ; not a comment # nor this");
    assert_str(lw_ini_get(&f.ini, "bug", "empty"), "");
    assert_str(lw_ini_get(&f.ini, "other  one", "id"), "y");
    assert_str(lw_ini_get(&f.ini, "bug", "missing"), "");
    assert_null(lw_ini_find(&f.ini, "missing", "id"));
    const struct lw_ini_entry *e = lw_ini_find(&f.ini, "bug", "title");
    assert_int_equal(e->line, 6);
    assert_int_equal(e->value.p[e->value.n], '\0');
    struct lw_str value;
    assert_int_equal(lw_ini_need(&f.ini, "bug", "id", &value, &f.err), 0);
    assert_str(value, "x-1");
    assert_int_equal(lw_ini_need(&f.ini, "bug", "missing", &value, &f.err), LW_EINVAL);
    assert_string_equal(f.err.text, "bug.ini: key 'missing' is missing in [bug]");
    assert_int_equal(lw_ini_need(&f.ini, "bug", "empty", &value, &f.err), LW_EINVAL);
    assert_string_equal(f.err.text, "bug.ini:7: empty: the value is empty");
    assert_int_equal(lw_ini_error(&f.ini, e, &f.err, "not %d", 5), LW_EINVAL);
    assert_string_equal(f.err.text, "bug.ini:6: title: not 5");
    lw_arena_release(&f.arena);
}

static void continued_values(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(parse(&f, LW_S("\xef\xbb\xbf[a]\n"
                                    "one = first\n    second\n      deeper  \n\n"
                                    "    after a blank\n  less\n\n\n"
                                    "two =\n\tx = 1\n\t# no comment\n\t[no section]\n"
                                    "# a comment between\n\tlast\n"
                                    "three =\n\n\n    down here\n")),
                     0);
    assert_str(lw_ini_get(&f.ini, "a", "one"),
               "first\nsecond\n  deeper\n\nafter a blank\nless");
    assert_str(lw_ini_get(&f.ini, "a", "two"), "x = 1\n# no comment\n[no section]\nlast");
    assert_str(lw_ini_get(&f.ini, "a", "three"), "down here");
    lw_arena_release(&f.arena);
}

static void nothing_is_a_document_too(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n\n", "# only\n", "\xef\xbb\xbf", "[a]", "   \n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture f;
        assert_int_equal(parse(&f, lw_str(texts[i])), 0);
        assert_int_equal(f.ini.n, 0);
        assert_null(lw_ini_find(&f.ini, "a", "b"));
        lw_arena_release(&f.arena);
    }
}

static void long_values_are_whole(void **state)
{
    (void)state;
    struct lw_buf b;
    struct fixture f;
    lw_buf_init(&b, NULL, 0);
    lw_buf_addz(&b, "[a]\nk = ");
    lw_buf_fill(&b, 'x', 3000000);
    assert_int_equal(parse(&f, lw_buf_str(&b)), 0);
    assert_int_equal(lw_ini_get(&f.ini, "a", "k").n, 3000000);
    lw_arena_release(&f.arena);
    lw_buf_release(&b);
}

static void errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        struct lw_str text;
        const char *error;
    } cases[] = {
        {{"[a]\nk=1\nk = 2", 13}, "bug.ini:3: key 'k' occurs twice in [a]"},
        {{"[a]\n[b]\n[ a ]\n", 13}, "bug.ini:3: section [a] occurs twice"},
        {{"k = 1", 5}, "bug.ini:1: key 'k' comes before any [section]"},
        {{"[a]\nword\n", 9}, "bug.ini:2: expected 'key = value', '[section]' or a comment"},
        {{"[a]\n= 1\n", 8}, "bug.ini:2: there is no key before '='"},
        {{"[a]\n\r# = 1\n", 11}, "bug.ini:2: the key contains a control character"},
        {{"[a\n", 3}, "bug.ini:1: a section must end with ']'"},
        {{"[", 1}, "bug.ini:1: a section must end with ']'"},
        {{"[]\n", 3}, "bug.ini:1: the section has no name"},
        {{"[ \t]\n", 5}, "bug.ini:1: the section has no name"},
        {{"  k = 1\n", 8},
         "bug.ini:1: an indented line continues a value, but no value comes before it"},
        {{"[a]\n  k = 1\n", 12},
         "bug.ini:2: an indented line continues a value, but no value comes before it"},
        {{"[a]\nk = \0\n", 10}, "bug.ini:2: the line contains a NUL byte"},
        {{"[a]\nk = x\xff\n", 11}, "bug.ini:2: byte 6 of the line is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        assert_int_equal(parse(&f, cases[i].text), LW_EINVAL);
        assert_string_equal(f.err.text, cases[i].error);
        lw_arena_release(&f.arena);
    }
}

/* What is printed reads back as the same value. */
static void check_print(struct lw_str value, const char *expected)
{
    struct lw_buf b;
    struct fixture f;
    lw_buf_init(&b, NULL, 0);
    struct lw_sink out = lw_sink_buf(&b);
    lw_putz(&out, "[s]\n");
    lw_ini_print(&out, "k", value);
    lw_ini_print(&out, "empty", LW_S(""));
    lw_ini_print(&out, "after", LW_S("z"));
    if (parse(&f, lw_buf_str(&b)) < 0)
        fail_msg("%s", f.err.text);
    assert_str(lw_ini_get(&f.ini, "s", "k"), expected);
    assert_null(lw_ini_find(&f.ini, "s", "empty"));
    assert_str(lw_ini_get(&f.ini, "s", "after"), "z");
    lw_arena_release(&f.arena);
    lw_buf_release(&b);
}

static void printing_is_the_inverse(void **state)
{
    (void)state;
    static const char *const values[] = {
        "word",
        "a = b",
        "# not a comment",
        "one\ntwo\n\nthree",
        "[x]\n[y]",
        /* An indented second line, as every traceback has it. */
        "Traceback (most recent call last):\n  File \"t.py\", line 3\n    f(x)\nValueError: no",
        "a\n        deep\n    less\nnone",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_print(lw_str(values[i]), values[i]);
    check_print(LW_S("a\r\nb  \n   \nc\n"), "a\nb\n\nc");
    check_print(LW_S("bad \xff byte and \0 NUL"), "bad \xef\xbf\xbd byte and \xef\xbf\xbd NUL");
}

static int parse_and_print(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_arena a;
    struct lw_ini ini;
    struct lw_err err = {0};
    lw_arena_init(&a, mem, 0);
    int rc = lw_ini_parse(&ini, &a, LW_S("x"),
                          LW_S("[one]\na = 1\nb = 2\n   3\nc =\n\n  some longer text, so that "
                               "the builder of values has to grow at least once\n[two]\nd = 4\n"
                               "e = 1\nf = 1\ng = 1\nh = 1\ni = 1\nj = 1\nk = 1\n"),
                          &err);
    assert_int_equal(rc, err.code);
    lw_arena_release(&a);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(parse_and_print, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_and_their_places),   cmocka_unit_test(continued_values),
    cmocka_unit_test(nothing_is_a_document_too), cmocka_unit_test(long_values_are_whole),
    cmocka_unit_test(errors_name_the_line),      cmocka_unit_test(printing_is_the_inverse),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
