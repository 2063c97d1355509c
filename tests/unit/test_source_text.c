#include "check.h"

#include "base/buf.h"
#include "source/text.h"
#include "source/units.h"

static void decode(struct lw_source *s, struct lw_arena *arena, const char *path,
                   struct lw_str bytes)
{
    struct lw_err err;
    lw_arena_init(arena, NULL, 0);
    assert_int_equal(lw_source_decode(s, arena, lw_str(path), bytes, &err), 0);
}

static void encodings_become_utf8(void **state)
{
    (void)state;
    static const struct {
        struct lw_str bytes;
        const char *encoding, *text;
    } cases[] = {
        {{"x = 1\n", 6}, "utf-8", "x = 1\n"},
        {{"# -*- coding: latin-1 -*-\n\xe9", 27},
         "latin-1",
         "# -*- coding: latin-1 -*-\n\xc3\xa9"},
        {{"#!x\n# coding=cp1252\n\x80", 21}, "cp1252", "#!x\n# coding=cp1252\n\xe2\x82\xac"},
        {{"\xff\xfe"
          "a\0\x3d\xd8\x00\xde",
          8},
         "utf-16",
         "a\xf0\x9f\x98\x80"},
        {{"\xfe\xff\0a\0b", 6}, "utf-16", "ab"},
        {{"x\ny\n# coding: latin-1\n\xe9", 23}, "utf-8", "x\ny\n# coding: latin-1\n\xe9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_arena arena;
        struct lw_source s;
        decode(&s, &arena, "a.py", cases[i].bytes);
        assert_string_equal(s.encoding, cases[i].encoding);
        assert_str(s.text, cases[i].text);
        lw_arena_release(&arena);
    }
}

static void notebooks_are_their_code_cells(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct lw_source s;
    decode(&s, &arena, "a.ipynb",
           LW_S("{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"a\\n\",\"b\"]},"
                "{\"cell_type\":\"markdown\",\"source\":\"# t\"},"
                "{\"cell_type\":\"code\",\"source\":\"%%bash\\nls\"},"
                "{\"cell_type\":\"code\",\"source\":\"# why\\n\\n  %%bash\\nls\"},"
                "{\"cell_type\":\"code\",\"source\":\"%%time\\nc\\n\"}]}"));
    assert_str(s.text, "a\nb\n%%time\nc\n");
    assert_int_equal(s.notebook.cell_count, 4);
    uint32_t line;
    assert_int_equal(lw_notebook_locate(&s.notebook, 2, &line)->number, 1);
    assert_int_equal(line, 2);
    assert_int_equal(lw_notebook_locate(&s.notebook, 4, &line)->number, 5);
    assert_int_equal(line, 2);
    assert_null(lw_notebook_locate(&s.notebook, 5, &line));
    lw_arena_release(&arena);
}

static void notebooks_may_be_written_in_any_order(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"cells\":[{\"cell_type\":\"code\",\"source\":\"a\"}],\"nbformat\":4}",
        " { \"metadata\" : {\"cells\": []} , \"c\\u0065lls\" : [ {\"source\":\"a\", "
        "\"cell_type\":\"code\"} ] } ",
        "{\"worksheets\":[{\"metadata\":{},\"cells\":[{\"cell_type\":\"code\",\"input\":\"a\"}]"
        "},"
        "{}],\"nbformat\":3}",
        "{\"worksheets\":[],\"cells\":[{\"cell_type\":\"raw\"},1,"
        "{\"cell_type\":\"code\",\"source\":[\"a\"]}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_arena arena;
        struct lw_source s;
        decode(&s, &arena, "a.ipynb", lw_str(texts[i]));
        assert_str(s.text, "a\n");
        assert_int_equal(s.notebook.cell_count, 1);
        lw_arena_release(&arena);
    }
}

static void what_is_no_notebook_is_an_error(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"cells\": 1}",
        "{\"cells\": []",
        "{\"cells\": []} 1",
        "{\"cells\": [{]}",
        "{\"cells\": [], \"cells\": []}",
        "{\"cells\": [], \"a\": tru}",
        "{\"cells\": [], \"a\": {\"b\": 1, \"b\": 2}}",
        "{\"cells\": [{\"a\": 1,}]}",
        "{\"worksheets\": [{}]}",
        "{\"worksheets\": [{\"cells\": []}, x]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_arena arena;
        struct lw_source s;
        struct lw_err err;
        lw_arena_init(&arena, NULL, 0);
        assert_int_equal(lw_source_decode(&s, &arena, LW_S("a.ipynb"), lw_str(texts[i]), &err),
                         LW_EINVAL);
        lw_arena_release(&arena);
    }
}

static void assert_subtokens(const char *text, const char *expected)
{
    struct lw_subtokens s;
    struct lw_str part;
    struct lw_buf out;
    bool whole;
    lw_buf_init(&out, NULL, 0);
    lw_subtokens_init(&s, lw_str(text));
    while (lw_subtokens_next(&s, &part, &whole))
        lw_buf_addf(&out, "%s%.*s%s", out.n ? " " : "", LW_F(part), whole ? "!" : "");
    assert_string_equal(lw_buf_z(&out), expected);
    lw_buf_release(&out);
}

static void words_fall_into_subtokens(void **state)
{
    (void)state;
    assert_subtokens("getHTTPResponse_2", "getHTTPResponse_2! get HTTP Response 2");
    assert_subtokens("max_pooling2d", "max_pooling2d! max pooling 2 d");
    assert_subtokens("the loss, isNaN?", "the loss isNaN! is Na N");
    assert_subtokens("__init__ _x", "init x");
    assert_subtokens("", "");
    assert_subtokens("...", "");
    assert_subtokens("Conv2D", "Conv2D! Conv 2 D");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(encodings_become_utf8),
    cmocka_unit_test(notebooks_are_their_code_cells),
    cmocka_unit_test(notebooks_may_be_written_in_any_order),
    cmocka_unit_test(what_is_no_notebook_is_an_error),
    cmocka_unit_test(words_fall_into_subtokens),
};
CHECK_MAIN(tests)
