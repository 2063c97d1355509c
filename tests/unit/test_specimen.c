/* specimen: reading bug.ini and its files, and every way to refuse them. */
#include "check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "catalog/specimen.h"
#include "knowledge/embedded.h"

static const char *const good[] = {
    "[bug]",                        /* 1 */
    "id = my-bug",                  /* 2 */
    "title = A title",              /* 3 */
    "type = api",                   /* 4 */
    "leaf = Missing dropout layer", /* 5 */
    "category = api",               /* 6 */
    "symptom = crash",              /* 7 */
    "property = correctness",       /* 8 */
    "fix_pattern = API contract",   /* 9 */
    "description = It raises.",     /* 10 */
    "root_cause = It was told to.", /* 11 */
    "generality = Everywhere.",     /* 12 */
    "[framework]",                  /* 13 */
    "name = numpy",                 /* 14 */
    "modules = numpy, json",        /* 15 */
    "[run]",                        /* 16 */
    "command = main.py",            /* 17 */
    "test = test.py",               /* 18 */
    "seconds = 5",                  /* 19 */
    "memory_mb = 64",               /* 20 */
    "[expect]",                     /* 21 */
    "kind = explicit",              /* 22 */
    "exception = ValueError",       /* 23 */
    "message = got 3",              /* 24 */
    "seeds = 3",                    /* 25 */
};
enum { LINES = sizeof good / sizeof *good };

struct reading {
    struct lw_arena arena;
    struct lw_vocabulary words;
    lw_file_vec files;
    struct lw_bug bug;
    struct lw_err err;
};

static void begin(struct reading *r)
{
    memset(r, 0, sizeof *r);
    lw_arena_init(&r->arena, NULL, 0);
    assert_int_equal(lw_vocabulary_load(&r->words, NULL, &r->err), 0);
}

static void end(struct reading *r)
{
    lw_vec_release(NULL, &r->files);
    lw_vocabulary_release(&r->words);
    lw_arena_release(&r->arena);
}

static void add_file(struct reading *r, const char *path, const char *content)
{
    struct lw_file f = {lw_str(path), lw_str(content)};
    assert_int_equal(lw_vec_push(NULL, &r->files, f), 0);
}

/* The good bug.ini with one line replaced (or left out, or more behind it). */
static struct lw_str ini_with(struct reading *r, size_t line, const char *text)
{
    struct lw_buf ini;
    lw_buf_init(&ini, NULL, 0);
    for (size_t i = 0; i < LINES; i++) {
        const char *put = i + 1 == line ? text : good[i];
        if (put)
            lw_buf_addf(&ini, "%s\n", put);
    }
    struct lw_str kept = lw_arena_copy(&r->arena, lw_buf_str(&ini));
    lw_buf_release(&ini);
    return kept;
}

static int read_with(struct reading *r, size_t line, const char *text, const char *without,
                     const char *expected_id)
{
    static const char *const others[] = {"buggy/main.py", "fixed/main.py", "report.md",
                                         "requirements.txt", "test.py"};
    begin(r);
    struct lw_file ini = {LW_S("bug.ini"), ini_with(r, line, text)};
    assert_int_equal(lw_vec_push(NULL, &r->files, ini), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!without || strcmp(without, others[i]) != 0)
            add_file(r, others[i], others[i]);
    return lw_specimen_read(&r->bug, &r->arena, &r->files, LW_S("place"), lw_str(expected_id),
                            &r->words, &r->err);
}

static void a_good_one_is_read_whole(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_with(&r, 0, NULL, NULL, "my-bug"), 0);
    assert_str(r.bug.id, "my-bug");
    assert_str(r.bug.source, "submission");
    assert_str(r.bug.modules, "numpy, json");
    assert_str(r.bug.error_message, "ValueError: got 3");
    assert_str(r.bug.report, "report.md");
    assert_str(r.bug.requirements, "requirements.txt");
    assert_int_equal(r.bug.expect, LW_EXPECT_EXPLICIT);
    assert_int_equal(r.bug.seeds, 3);
    assert_int_equal(r.bug.seconds, 5);
    assert_int_equal(r.bug.memory_mb, 64);
    assert_false(r.bug.trusted);
    assert_int_equal(r.bug.retracted.n, 0);
    end(&r);
}

static void what_is_left_out_has_a_default(void **state)
{
    (void)state;
    static const struct {
        size_t line;
        int64_t seeds, seconds, memory_mb;
    } cases[] = {{25, 5, 5, 64}, {19, 3, 60, 64}, {20, 3, 5, 2048}};
    for (size_t i = 0; i < 3; i++) {
        struct reading r;
        assert_int_equal(read_with(&r, cases[i].line, NULL, NULL, ""), 0);
        assert_int_equal(r.bug.seeds, cases[i].seeds);
        assert_int_equal(r.bug.seconds, cases[i].seconds);
        assert_int_equal(r.bug.memory_mb, cases[i].memory_mb);
        end(&r);
    }
    struct reading r;
    assert_int_equal(read_with(&r, 24, NULL, NULL, ""), 0);
    assert_str(r.bug.error_message, "ValueError");
    end(&r);
}

static void refused_with(size_t line, const char *text, const char *message)
{
    struct reading r;
    int rc = read_with(&r, line, text, NULL, "");
    if (rc != LW_EINVAL || !strstr(r.err.text, message))
        fail_msg("line %zu '%s': %d, '%s' instead of '%s'", line, text ? text : "(none)", rc,
                 rc ? r.err.text : "", message);
    end(&r);
}

static void every_refusal_names_its_line(void **state)
{
    (void)state;
    static const struct {
        size_t line;
        const char *text, *message;
    } cases[] = {
        {1, "[bugs]", "place/bug.ini:2: id: there is no such key in [bugs]"},
        {2, "id = a b", "place/bug.ini:2: id: 'a b' is not an id"},
        {3, "titel = A title", "place/bug.ini:3: titel: there is no such key in [bug]"},
        {4, "type = apy", "place/bug.ini:4: "},
        {5, "leaf = No such leaf", "place/bug.ini:5: "},
        {6, "category = shap", "place/bug.ini:6: "},
        {7, "symptom = crashes", "place/bug.ini:7: "},
        {8, "property = beauty", "place/bug.ini:8: "},
        {9, "fix_pattern = Hope", "place/bug.ini:9: "},
        {14, "name = numpyy", "place/bug.ini:14: "},
        {17, "kommand = main.py", "place/bug.ini:17: kommand: there is no such key in [run]"},
        {19, "seconds = 0",
         "place/bug.ini:19: seconds: '0' is not a whole number from 1 to 3600"},
        {19, "seconds = 3601", "place/bug.ini:19: seconds: '3601' is not a whole number"},
        {20, "memory_mb = -1", "place/bug.ini:20: memory_mb: '-1' is not a whole number"},
        {22, "kind = loud", "place/bug.ini:22: kind: 'loud' is invalid"},
        {25, "seeds = 101",
         "place/bug.ini:25: seeds: '101' is not a whole number from 1 to 100"},
        {3, "no equals", "place/bug.ini:3: "},
        {3, "title = a\ntitle = b", "place/bug.ini:4: "},
        {13, "[bug]", "place/bug.ini:13: "},
        {1, "", "place/bug.ini:2: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused_with(cases[i].line, cases[i].text, cases[i].message);
}

static void every_required_key_is_required(void **state)
{
    (void)state;
    static const size_t lines[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 18, 22, 23};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char key[64], empty[80];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(good[lines[i] - 1], " "),
                 good[lines[i] - 1]);
        snprintf(empty, sizeof empty, "%s =", key);
        refused_with(lines[i], NULL, key);
        refused_with(lines[i], empty, key);
    }
}

static void metric_expectations_are_checked(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_with(&r, 22,
                               "kind = metric\nmetric = loss\nbuggy = 5..inf\nfixed = 0..1",
                               NULL, ""),
                     0);
    assert_int_equal(r.bug.expect, LW_EXPECT_METRIC);
    assert_str(r.bug.error_message, "loss in 5..inf instead of 0..1");
    assert_true(r.bug.range[LW_BUGGY].low == 5 && r.bug.range[LW_FIXED].high == 1);
    end(&r);
    refused_with(22, "kind = metric", "metric");
    refused_with(22, "kind = metric\nmetric = loss", "buggy");
    refused_with(22, "kind = metric\nmetric = loss\nbuggy = 1..2", "fixed");
    refused_with(22, "kind = metric\nmetric = loss\nbuggy = 1..2\nfixed = 2..3",
                 "place/bug.ini:25: fixed: the ranges of buggy and fixed must not overlap");
    refused_with(22, "kind = metric\nmetric = loss\nbuggy = wide\nfixed = 2..3",
                 "place/bug.ini:24: buggy: 'wide' is not a range");
}

static void missing_files_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"buggy/main.py", "fixed/main.py", "report.md",
                                        "requirements.txt", "test.py"};
    for (size_t i = 0; i < 5; i++) {
        struct reading r;
        char message[80];
        snprintf(message, sizeof message, "place: the file '%s' is missing", names[i]);
        assert_int_equal(read_with(&r, 0, NULL, names[i], ""), LW_EINVAL);
        assert_string_equal(r.err.text, message);
        end(&r);
    }
    struct reading r;
    begin(&r);
    assert_int_equal(
        lw_specimen_read(&r.bug, &r.arena, &r.files, LW_S("place"), LW_S(""), &r.words, &r.err),
        LW_EINVAL);
    assert_string_equal(r.err.text, "place: the file 'bug.ini' is missing");
    end(&r);
}

static void paths_that_lead_out_are_no_files(void **state)
{
    (void)state;
    refused_with(17, "command = ../../etc/passwd", "is missing");
    refused_with(18, "test = /etc/passwd", "is missing");
}

static void the_folder_may_state_the_id(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_with(&r, 0, NULL, NULL, "other"), LW_EINVAL);
    assert_string_equal(r.err.text, "place/bug.ini:2: id: 'my-bug' differs from the folder's "
                                    "name 'other'");
    end(&r);
}

static void a_second_test_file_is_refused(void **state)
{
    (void)state;
    struct reading r;
    assert_int_equal(read_with(&r, 0, NULL, NULL, ""), 0);
    add_file(&r, "data/test.py", "may stay");
    assert_int_equal(
        lw_specimen_read(&r.bug, &r.arena, &r.files, LW_S("place"), LW_S(""), &r.words, &r.err),
        0);
    add_file(&r, "fixed/test.py", "would win");
    assert_int_equal(
        lw_specimen_read(&r.bug, &r.arena, &r.files, LW_S("place"), LW_S(""), &r.words, &r.err),
        LW_EINVAL);
    assert_string_equal(r.err.text,
                        "place: 'fixed/test.py' would be hidden by the test of the same name");
    end(&r);
}

static void the_embedded_ones_are_good(void **state)
{
    (void)state;
    struct lw_str path, content, folder = LW_S("specimens/");
    size_t bugs = 0;
    for (size_t i = lw_embedded_first(folder); lw_embedded_at(i, &path, &content); i++) {
        if (!lw_str_has_prefix(path, folder) || !lw_str_has_suffix(path, LW_S("/bug.ini")))
            continue;
        struct reading r;
        begin(&r);
        struct lw_str id = lw_str_part(path, folder.n, path.n - folder.n - 8);
        assert_int_equal(lw_specimen_embedded(&r.files, NULL, id, &r.err), 0);
        if (lw_specimen_read(&r.bug, &r.arena, &r.files, id, id, &r.words, &r.err) < 0)
            fail_msg("%s", r.err.text);
        bugs++;
        end(&r);
    }
    assert_true(bugs >= 96);
}

static int read_embedded(struct lw_mem *mem, void *data)
{
    const struct lw_vocabulary *words = data;
    struct lw_arena arena;
    struct lw_bug bug;
    struct lw_err err;
    lw_file_vec files = {0};
    struct lw_str id = LW_S("np-uint8-wraparound");
    lw_arena_init(&arena, mem, 0);
    int rc = lw_specimen_embedded(&files, mem, id, &err);
    if (rc == 0)
        rc = lw_specimen_read(&bug, &arena, &files, id, id, words, &err);
    lw_vec_release(mem, &files);
    lw_arena_release(&arena);
    return rc;
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    struct lw_vocabulary words;
    struct lw_err err;
    assert_int_equal(lw_vocabulary_load(&words, NULL, &err), 0);
    check_every_allocation(read_embedded, &words);
    lw_vocabulary_release(&words);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_good_one_is_read_whole),
    cmocka_unit_test(what_is_left_out_has_a_default),
    cmocka_unit_test(every_refusal_names_its_line),
    cmocka_unit_test(every_required_key_is_required),
    cmocka_unit_test(metric_expectations_are_checked),
    cmocka_unit_test(missing_files_are_named),
    cmocka_unit_test(paths_that_lead_out_are_no_files),
    cmocka_unit_test(the_folder_may_state_the_id),
    cmocka_unit_test(a_second_test_file_is_refused),
    cmocka_unit_test(the_embedded_ones_are_good),
    cmocka_unit_test(survives_every_failing_allocation),
};

CHECK_MAIN(tests)
