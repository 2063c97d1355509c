#include "check.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jsonw.h"

struct fixture {
    struct lw_buf buf;
    struct lw_sink out;
    struct lw_jsonw w;
};

static void begin(struct fixture *f, bool compact)
{
    lw_buf_init(&f->buf, NULL, 0);
    f->out = lw_sink_buf(&f->buf);
    lw_jsonw_init(&f->w, &f->out, compact);
}

static void finish(struct fixture *f, const char *expected)
{
    assert_string_equal(lw_buf_z(&f->buf), expected);
    lw_buf_release(&f->buf);
}

static void write_sample(struct lw_jsonw *w)
{
    lw_json_object(w);
    lw_json_key_text(w, "name", LW_S("x"));
    lw_json_key_text(w, "none", LW_S(""));
    lw_json_key_text_or_null(w, "null", LW_S(""));
    lw_json_key_text_or_null(w, "text", LW_S("t"));
    lw_json_key_int(w, "n", INT64_MIN);
    lw_json_key_double(w, "d", 0.5);
    lw_json_key_bool(w, "b", true);
    lw_json_key(w, "list");
    lw_json_array(w);
    lw_json_bool(w, false);
    lw_json_null(w);
    lw_json_array(w);
    lw_json_end(w);
    lw_json_object(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

static void both_layouts(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true);
    write_sample(&f.w);
    finish(&f, "{\"name\":\"x\",\"none\":\"\",\"null\":null,\"text\":\"t\","
               "\"n\":-9223372036854775808,\"d\":0.5,\"b\":true,"
               "\"list\":[false,null,[],{}]}\n");
    begin(&f, false);
    write_sample(&f.w);
    finish(&f, "{\n  \"name\": \"x\",\n  \"none\": \"\",\n  \"null\": null,\n"
               "  \"text\": \"t\",\n  \"n\": -9223372036854775808,\n  \"d\": 0.5,\n"
               "  \"b\": true,\n  \"list\": [\n    false,\n    null,\n    [],\n    {}\n"
               "  ]\n}\n");
}

static void any_value_may_stand_alone(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true);
    lw_json_int(&f.w, 1);
    lw_json_text(&f.w, LW_S("a"));
    lw_json_array(&f.w);
    lw_json_end(&f.w);
    finish(&f, "1\n\"a\"\n[]\n");
}

static void numbers_json_has_not_become_null(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true);
    lw_json_array(&f.w);
    lw_json_double(&f.w, (double)NAN);
    lw_json_double(&f.w, -(double)INFINITY);
    lw_json_double(&f.w, 1e300);
    lw_json_double(&f.w, 100);
    lw_json_double(&f.w, -0.0);
    lw_json_end(&f.w);
    finish(&f, "[null,null,1e+300,100,-0]\n");
}

static void text_is_always_valid(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, true);
    lw_json_text(&f.w,
                 LW_S("q\" b\\ \n\t\r \b\f\0\x1f\x7f/ \xc3\xa9 \xff\xe2\x82 \xed\xa0\x80"));
    finish(&f, "\"q\\\" b\\\\ \\n\\t\\r \\u0008\\u000c\\u0000\\u001f\\u007f/ \xc3\xa9 "
               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n");
}

enum misuse { VALUE_WITHOUT_KEY, KEY_IN_ARRAY, END_OF_NOTHING, END_AFTER_KEY, TOO_DEEP };

static void misuse(struct lw_jsonw *w, enum misuse how)
{
    switch (how) {
    case VALUE_WITHOUT_KEY:
        lw_json_object(w);
        lw_json_int(w, 1);
        break;
    case KEY_IN_ARRAY:
        lw_json_array(w);
        lw_json_key(w, "k");
        break;
    case END_OF_NOTHING: lw_json_end(w); break;
    case END_AFTER_KEY:
        lw_json_object(w);
        lw_json_key(w, "k");
        lw_json_end(w);
        break;
    case TOO_DEEP:
        for (int i = 0; i <= LW_JSON_DEPTH; i++)
            lw_json_array(w);
    }
}

static void misuse_is_a_fault_of_ours(void **state)
{
    (void)state;
    for (int how = VALUE_WITHOUT_KEY; how <= TOO_DEEP; how++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            struct fixture f;
            close(STDERR_FILENO);
            begin(&f, true);
            misuse(&f.w, (enum misuse)how);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    }
}

static int write_all(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_buf b;
    struct lw_err err = {0};
    struct lw_jsonw w;
    lw_buf_init(&b, mem, 0);
    struct lw_sink out = lw_sink_buf(&b);
    lw_jsonw_init(&w, &out, false);
    write_sample(&w);
    int rc = lw_sink_finish(&out, &err);
    lw_buf_release(&b);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(write_all, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_layouts),
    cmocka_unit_test(any_value_may_stand_alone),
    cmocka_unit_test(numbers_json_has_not_become_null),
    cmocka_unit_test(text_is_always_valid),
    cmocka_unit_test(misuse_is_a_fault_of_ours),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
