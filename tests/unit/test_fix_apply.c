/* Fixes put into files: what no edit names stays as it is, byte by byte. */
#include "check.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "check/check.h"
#include "check/fix/apply.h"

/* ---- random edits --------------------------------------------------------------------------
 */

/* xorshift: the same on every machine. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state % below);
}

enum { LINES = 30, FINDINGS = 12, EDITS = 3 };

struct sample {
    char text[LINES * 24];
    size_t n;
    size_t line[LINES + 1]; /* where each begins */
    struct lw_finding findings[FINDINGS];
    struct lw_finding_edit edits[FINDINGS][EDITS];
    size_t from[FINDINGS][EDITS], to[FINDINGS][EDITS];
};

static void place(const struct sample *s, size_t at, uint32_t *line, uint32_t *column)
{
    uint32_t k = 0;
    while (k + 1 < LINES && s->line[k + 1] <= at)
        k++;
    *line = k + 1;
    *column = (uint32_t)(at - s->line[k]);
}

/* Edits of one finding are apart and in order; those of several may overlap. */
static void draw_finding(struct sample *s, size_t i, uint64_t *state)
{
    static const char *const texts[] = {"", "x", "long\nlines\n", "\xc3\xa9"};
    size_t at = draw(state, (uint32_t)s->n);
    size_t n = 1 + draw(state, EDITS);
    size_t count = 0;
    for (size_t k = 0; k < n && at < s->n; k++) {
        struct lw_finding_edit *e = &s->edits[i][count];
        size_t to = at + draw(state, 9);
        to = to > s->n ? s->n : to;
        s->from[i][count] = at;
        s->to[i][count] = to;
        place(s, at, &e->line, &e->column);
        place(s, to, &e->end_line, &e->end_column);
        e->text = lw_str(texts[draw(state, 4)]);
        count++;
        at = to + 1 + draw(state, 20);
    }
    s->findings[i] = (struct lw_finding){.path = LW_S("a.py"), .line = 1, .end_line = 1};
    s->findings[i].fix = (struct lw_finding_fix){LW_S("a fix"), s->edits[i], count};
}

static void draw_sample(struct sample *s, uint64_t *state)
{
    static const char letters[] = "ab c=\t(#";
    s->n = 0;
    for (uint32_t k = 0; k < LINES; k++) {
        s->line[k] = s->n;
        uint32_t width = draw(state, 20);
        for (uint32_t i = 0; i < width; i++)
            s->text[s->n++] = letters[draw(state, 8)];
        if (draw(state, 4) == 0)
            s->text[s->n++] = '\r';
        s->text[s->n++] = '\n';
    }
    for (size_t i = 0; i < FINDINGS; i++)
        draw_finding(s, i, state);
}

/* The plain way: which edit, if any, covers each byte. */
static void expect(const struct sample *s, const bool *applied, struct lw_buf *out)
{
    for (size_t at = 0; at <= s->n; at++) {
        bool gone = false;
        for (size_t i = 0; i < FINDINGS; i++)
            for (size_t k = 0; applied[i] && k < s->findings[i].fix.edit_count; k++) {
                if (s->from[i][k] == at)
                    lw_buf_add(out, s->edits[i][k].text);
                gone |= s->from[i][k] <= at && at < s->to[i][k];
            }
        if (!gone && at < s->n)
            lw_buf_add_char(out, s->text[at]);
    }
}

static bool overlap(const struct sample *s, size_t a, size_t b)
{
    for (size_t i = 0; i < s->findings[a].fix.edit_count; i++)
        for (size_t k = 0; k < s->findings[b].fix.edit_count; k++) {
            bool inside = s->from[a][i] < s->to[b][k] && s->from[b][k] < s->to[a][i];
            if (inside || s->from[a][i] == s->from[b][k])
                return true;
        }
    return false;
}

static void random_edits_keep_the_rest(void **unused)
{
    static struct sample s;
    uint64_t state = 88172645463325252u;
    struct lw_err err = {0};
    (void)unused;
    for (unsigned round = 0; round < 3000; round++) {
        struct lw_buf got, want;
        bool applied[FINDINGS];
        draw_sample(&s, &state);
        lw_buf_init(&got, NULL, 0);
        lw_buf_init(&want, NULL, 0);
        int n = lw_fix_apply(&got, NULL, LW_S("a.py"), lw_str_n(s.text, s.n), s.findings,
                             FINDINGS, NULL, applied, &err);
        assert_true(n >= 1);
        expect(&s, applied, &want);
        assert_int_equal(got.n, want.n);
        assert_memory_equal(got.p, want.p, got.n);
        for (size_t i = 0; i < FINDINGS; i++) { /* the first of those that overlap */
            bool blocked = false;
            for (size_t k = 0; k < i; k++)
                blocked |= applied[k] && overlap(&s, k, i);
            assert_int_equal(applied[i], !blocked);
        }
        lw_buf_release(&got);
        lw_buf_release(&want);
    }
}

/* ---- places --------------------------------------------------------------------------------
 */

static int apply_one(struct lw_buf *out, struct lw_mem *mem, const char *path,
                     struct lw_str bytes, uint32_t cell, struct lw_finding_edit edit)
{
    struct lw_err err = {0};
    struct lw_finding f = {.path = lw_str(path), .cell = cell};
    f.fix = (struct lw_finding_fix){LW_S("a fix"), &edit, 1};
    lw_buf_init(out, mem, 0);
    return lw_fix_apply(out, mem, lw_str(path), bytes, &f, 1, NULL, NULL, &err);
}

static void places_outside_are_refused(void **unused)
{
    struct lw_buf out;
    (void)unused;
    static const struct lw_finding_edit wrong[] = {
        {5, 0, 5, 0, {"x", 1}}, {1, 90, 1, 91, {"x", 1}}, {2, 1, 1, 0, {"x", 1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(apply_one(&out, NULL, "a.py", LW_S("a = 1\nb = 2\n"), 0, wrong[i]), 0);
        assert_str(lw_buf_str(&out), "a = 1\nb = 2\n");
        lw_buf_release(&out);
    }
}

static void one_byte_encodings(void **unused)
{
    struct lw_buf out;
    (void)unused;
    /* the text has two bytes for the one of the file */
    struct lw_str latin = LW_S("# coding: latin-1\ns = '\xe9\xe9'; n = 1\n");
    assert_int_equal(apply_one(&out, NULL, "a.py", latin, 0,
                               (struct lw_finding_edit){2, 16, 2, 17, LW_S("22")}),
                     1);
    assert_str(lw_buf_str(&out), "# coding: latin-1\ns = '\xe9\xe9'; n = 22\n");
    lw_buf_release(&out);
    assert_int_equal(apply_one(&out, NULL, "a.py", latin, 0,
                               (struct lw_finding_edit){2, 16, 2, 17, LW_S("\xc3\xa9")}),
                     0);
    lw_buf_release(&out);
    assert_int_equal(apply_one(&out, NULL, "a.py",
                               LW_S("\xff\xfe"
                                    "a\0"),
                               0, (struct lw_finding_edit){1, 0, 1, 1, LW_S("b")}),
                     LW_EINVAL);
    lw_buf_release(&out);
}

/* ---- notebooks -----------------------------------------------------------------------------
 */

#define BOOK(source)                                                                 \
    "{\"metadata\": {\"cells\": [1, {\"a\": \"]}\"}]},\n \"cells\": [ {\"source\": " \
    "[\"no\\n\"], \"cell_type\": \"markdown\"},\n  {\"cell_type\": \"code\", "       \
    "\"outputs\": [{\"source\": \"no\"}], \"source\": " source "}], \"nbformat\": 4}"

static void notebooks_keep_their_json(void **unused)
{
    static const struct {
        const char *before, *after;
        struct lw_finding_edit edit;
    } cases[] = {
        /* a list of lines */
        {BOOK("[\"a = 1\\n\", \"b = 2\"]"),
         BOOK("[\"a = 1\\n\", \"b = 33\"]"),
         {2, 4, 2, 5, {"33", 2}}},
        /* escapes before the place, and in what is put in */
        {BOOK("[\"s = '\\u00e9\\ud83d\\ude00\\t'; n = 1\\n\"]"),
         BOOK("[\"s = '\\u00e9\\ud83d\\ude00\\t'; n = \\\"\\\\\\n\\\"\\n\"]"),
         {1, 19, 1, 20, {"\"\\\n\"", 4}}},
        /* one text */
        {BOOK("\"a = 1\\nb = 2\\n\""),
         BOOK("\"a = 1\\nc = 3\\nb = 2\\n\""),
         {2, 0, 2, 0, {"c = 3\n", 6}}},
        /* a line goes: the items before and behind it become one */
        {BOOK("[\"a\\n\", \"b\\n\", \"c\"]"), BOOK("[\"a\\n\", \"c\"]"), {2, 0, 3, 0, {"", 0}}},
        /* at the very end */
        {BOOK("[\"a\\n\", \"b\"]"), BOOK("[\"a\\n\", \"b\\nc\"]"), {2, 1, 2, 1, {"\nc", 2}}},
    };
    struct lw_buf out;
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            apply_one(&out, NULL, "a.ipynb", lw_str(cases[i].before), 2, cases[i].edit), 1);
        assert_str(lw_buf_str(&out), cases[i].after);
        lw_buf_release(&out);
    }
}

static void broken_notebooks_are_refused(void **unused)
{
    static const char *const books[] = {
        "",
        "{",
        "[]",
        "{\"cells\": 1}",
        "{\"cells\": [",
        "{\"cells\": [{\"cell_type\": \"code\"",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [1]}]}",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a"};
    struct lw_buf out;
    (void)unused;
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        int rc = apply_one(&out, NULL, "a.ipynb", lw_str(books[i]), 1,
                           (struct lw_finding_edit){1, 0, 1, 1, LW_S("b")});
        assert_true(rc == LW_EINVAL || rc == 0);
        lw_buf_release(&out);
    }
}

/* ---- memory --------------------------------------------------------------------------------
 */

static int apply_body(struct lw_mem *mem, void *data)
{
    const char *const *names = data;
    struct lw_buf out;
    int rc = apply_one(&out, mem, names[0], lw_str(names[1]), 2,
                       (struct lw_finding_edit){1, 0, 1, 1, LW_S("bb")});
    lw_buf_release(&out);
    return rc < 0 ? rc : rc == 1 ? 0 : LW_EBUG;
}

static void no_memory(void **unused)
{
    const char *book[] = {"a.ipynb", BOOK("[\"a\\n\", \"b\"]")};
    const char *plain[] = {"a.py", "# coding: latin-1\n"};
    (void)unused;
    check_every_allocation(apply_body, book);
    check_every_allocation(apply_body, plain);
}

/* ---- a whole file --------------------------------------------------------------------------
 */

static const char PROGRAM[] = "import torch\n"
                              "import torch.nn as nn\n"
                              "a = nn.Linear(4, 8)\n"
                              "b = nn.Linear(9, 3)\n"
                              "c = nn.Linear(5, 2)\n"
                              "x = c(b(a(torch.zeros(2, 4))))\n";

static int fix_body(struct lw_mem *mem, void *data)
{
    const char **want = data;
    struct lw_ctx ctx = {.mem = mem, .clock = lw_clock_system(), .jobs = 1};
    struct lw_check_rules rules;
    struct lw_check_options options = {0};
    struct lw_fixed fixed = {0};
    struct lw_arena arena;
    struct lw_err err = {0};
    lw_arena_init(&arena, mem, 0);
    int rc = lw_check_rules_load(&rules, mem, &err);
    if (rc == 0) {
        rc = lw_check_fix_file(&fixed, &arena, &ctx, &rules, &options, LW_S("a.py"),
                               lw_str(want[0]), NULL, 0, &err);
        if (rc == 0)
            assert_str(fixed.after, want[1]);
        lw_fixed_release(&fixed, mem);
        lw_check_rules_release(&rules);
    }
    lw_arena_release(&arena);
    return rc;
}

/* The second width comes to light when the first is mended. */
static void fixes_go_on(void **unused)
{
    const char *want[2] = {PROGRAM, "import torch\n"
                                    "import torch.nn as nn\n"
                                    "a = nn.Linear(4, 8)\n"
                                    "b = nn.Linear(8, 3)\n"
                                    "c = nn.Linear(3, 2)\n"
                                    "x = c(b(a(torch.zeros(2, 4))))\n"};
    const char *same[2] = {"x = 1\n", "x = 1\n"};
    struct lw_mem mem;
    (void)unused;
    lw_mem_init(&mem, 0);
    assert_int_equal(fix_body(&mem, want), 0);
    assert_int_equal(fix_body(&mem, same), 0);
    assert_int_equal(atomic_load(&mem.used), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits_keep_the_rest),
        cmocka_unit_test(places_outside_are_refused),
        cmocka_unit_test(one_byte_encodings),
        cmocka_unit_test(notebooks_keep_their_json),
        cmocka_unit_test(broken_notebooks_are_refused),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(fixes_go_on),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
