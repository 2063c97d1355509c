#include "check.h"

#include "base/json.h"

static void documents_are_read(void **state)
{
    (void)state;
    struct lw_err err = {0};
    json_t *v;
    assert_int_equal(
        lw_json_parse(&v, LW_S("x"), LW_S("{\"a\": \"t\\u0000u\", \"n\": 1}"), &err), 0);
    assert_str(lw_str_from(lw_json_member(v, "a"), 2), "u");
    assert_int_equal(lw_json_member(v, "a").n, 3);
    assert_str(lw_json_member(v, "n"), "");
    assert_str(lw_json_member(v, "missing"), "");
    json_decref(v);
    assert_int_equal(lw_json_parse(&v, LW_S("x"), LW_S(" 12 "), &err), 0);
    assert_int_equal(json_integer_value(v), 12);
    assert_str(lw_json_member(v, "no object"), "");
    json_decref(v);
}

static void errors_name_line_and_column(void **state)
{
    (void)state;
    struct lw_err err = {0};
    json_t *v;
    static const char *const bad[] = {
        "", "{", "[1,]", "{\"a\":1 \"b\":2}", "nul", "{\"a\":1,\"a\":2}", "1 2", "\"\xff\""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lw_json_parse(&v, LW_S("f.json"), lw_str(bad[i]), &err), LW_EINVAL);
        assert_null(v);
        assert_true(lw_str_has_prefix(lw_str(err.text), LW_S("f.json:")));
    }
    assert_int_equal(lw_json_parse(&v, LW_S("f"), (struct lw_str){NULL, 0}, &err), LW_EINVAL);
    assert_int_equal(lw_json_parse(&v, LW_S("f"), LW_S("{\n\"a\": x}"), &err), LW_EINVAL);
    assert_true(lw_str_has_prefix(lw_str(err.text), LW_S("f:2:")));
}

static void parts_are_found(void **state)
{
    (void)state;
    struct lw_json_parts p;
    struct lw_str key, value;
    assert_true(
        lw_json_parts_init(&p, LW_S(" { \"a\\\"]\" : [1, {\"b\": \"}\"}] , \"c\":2 } "), '{'));
    assert_true(lw_json_parts_next(&p, &key, &value));
    assert_str(key, "a\\\"]");
    assert_str(value, "[1, {\"b\": \"}\"}]");
    assert_true(lw_json_parts_next(&p, &key, &value));
    assert_str(key, "c");
    assert_str(lw_str_trim(value), "2");
    assert_false(lw_json_parts_next(&p, &key, &value));
    assert_false(lw_json_parts_next(&p, &key, &value));
    assert_false(p.failed);
    assert_false(lw_json_parts_init(&p, LW_S("[1]"), '{'));
    static const char *const bad[] = {"[",      "[1",    "[,1]", "[1,]", "[\"a]",
                                      "[\"a\\", "[1] 2", "[{]",  "[1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(lw_json_parts_init(&p, lw_str(bad[i]), '['));
        while (lw_json_parts_next(&p, &key, &value))
            continue;
        assert_true(p.failed);
    }
}

static void errors_in_parts_have_their_place_in_the_whole(void **state)
{
    (void)state;
    struct lw_err err = {0};
    struct lw_str whole = LW_S("[1,\n \"\xc3\xa9\", tru]");
    json_t *v;
    assert_int_equal(lw_json_parse_part(&v, LW_S("f"), whole, lw_str_part(whole, 11, 3), &err),
                     LW_EINVAL);
    assert_true(lw_str_has_prefix(lw_str(err.text), LW_S("f:2:9: ")));
    assert_int_equal(lw_json_parse(&v, LW_S("f"), whole, &err), LW_EINVAL);
    assert_true(lw_str_has_prefix(lw_str(err.text), LW_S("f:2:9: ")));
}

static void depth_is_limited(void **state)
{
    (void)state;
    struct lw_err err = {0};
    json_t *v;
    char *deep = malloc(1000000);
    memset(deep, '[', 1000000);
    assert_int_equal(lw_json_parse(&v, LW_S("f"), lw_str_n(deep, 1000000), &err), LW_EINVAL);
    free(deep);
}

static void *no_memory(size_t n)
{
    (void)n;
    return NULL;
}

static void out_of_memory_is_not_bad_input(void **state)
{
    (void)state;
    struct lw_err err = {0};
    json_t *v;
    json_malloc_t old_malloc;
    json_free_t old_free;
    json_get_alloc_funcs(&old_malloc, &old_free);
    json_set_alloc_funcs(no_memory, old_free);
    int rc = lw_json_parse(&v, LW_S("f"), LW_S("[1, \"a\"]"), &err);
    json_set_alloc_funcs(old_malloc, old_free);
    assert_int_equal(rc, LW_ENOMEM);
    assert_string_equal(err.text, "out of memory");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(documents_are_read),
    cmocka_unit_test(errors_name_line_and_column),
    cmocka_unit_test(parts_are_found),
    cmocka_unit_test(errors_in_parts_have_their_place_in_the_whole),
    cmocka_unit_test(depth_is_limited),
    cmocka_unit_test(out_of_memory_is_not_bad_input),
};
CHECK_MAIN(tests)
