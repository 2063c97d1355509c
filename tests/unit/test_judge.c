/* judge: tracebacks, masks, metrics, and what they make of a run. */
#include "check.h"

#include "base/arena.h"
#include "base/buf.h"
#include "verify/judge.h"

#define HEADER "Traceback (most recent call last):\n"
#define FRAME  "  File \"/bug/main.py\", line 3, in <module>\n    f()\n"

/* ---- Tracebacks -------------------------------------------------------------------------- */

static const struct {
    const char *text, *type, *message; /* type NULL: none is found */
} tracebacks[] = {
    {HEADER FRAME "ValueError: bad value\n", "ValueError", "bad value"},
    {HEADER FRAME "KeyboardInterrupt\n", "KeyboardInterrupt", ""},
    {HEADER FRAME "AssertionError\n", "AssertionError", ""},
    {HEADER FRAME "ValueError: no line end", "ValueError", "no line end"},
    {HEADER FRAME "ValueError: \n", "ValueError", ""},
    {HEADER FRAME "torch.cuda.OutOfMemoryError: CUDA out of memory.\n",
     "torch.cuda.OutOfMemoryError", "CUDA out of memory."},
    {HEADER FRAME "_pickle.PicklingError: x\n", "_pickle.PicklingError", "x"},
    /* the last traceback counts, chained or not */
    {HEADER FRAME "KeyError: 'a'\n\nDuring handling of the above exception, another exception "
                  "occurred:\n\n" HEADER FRAME "TypeError: second\n",
     "TypeError", "second"},
    {HEADER FRAME "KeyError: 'a'\n\nThe above exception was the direct cause of the following "
                  "exception:\n\n" HEADER FRAME "RuntimeError: third\n",
     "RuntimeError", "third"},
    {"warning: something\n" HEADER FRAME "ValueError: x\nException ignored in: <f>\n",
     "ValueError", "x\nException ignored in: <f>"},
    /* messages of several lines, with lines that look like others */
    {HEADER FRAME "RuntimeError: first\n  second: indented\nthird\n", "RuntimeError",
     "first\n  second: indented\nthird"},
    {HEADER FRAME "RuntimeError: Caught ValueError in DataLoader worker process 0.\nOriginal "
                  "Traceback (most recent call last):\n  File \"x\"\nValueError: inner\n",
     "RuntimeError",
     "Caught ValueError in DataLoader worker process 0.\nOriginal Traceback (most recent call "
     "last):\n  File \"x\"\nValueError: inner"},
    {"  File \"main.py\", line 1\n    f(\n     ^\nSyntaxError: '(' was never closed\n",
     "SyntaxError", "'(' was never closed"},
    {"  File \"main.py\", line 2\n    x\n    ^\nIndentationError: expected an indented block\n",
     "IndentationError", "expected an indented block"},
    {HEADER FRAME "ValueError: caf\xc3\xa9\r\n", "ValueError", "caf\xc3\xa9"},
    /* no exception */
    {"", NULL, NULL},
    {"all is well\n", NULL, NULL},
    {HEADER, NULL, NULL},
    {HEADER FRAME, NULL, NULL},
    {HEADER "    1: x\n", NULL, NULL},
    {"FAIL: accuracy too low\n", NULL, NULL},
    {"Error\n", "Error", ""},
};

static void tracebacks_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tracebacks / sizeof *tracebacks; i++) {
        struct lw_exception e;
        bool found = lw_exception_find(lw_str(tracebacks[i].text), &e);
        if (found != (tracebacks[i].type != NULL))
            fail_msg("case %zu: %s", i, tracebacks[i].text);
        if (!found)
            continue;
        assert_str(e.type, tracebacks[i].type);
        assert_str(e.message, tracebacks[i].message);
    }
}

/* ---- Masks ------------------------------------------------------------------------------- */

static const struct {
    const char *text, *masked;
} masks[] = {
    {"", ""},
    {"mat1 and mat2 shapes cannot be multiplied (32x800 and 400x10)",
     "mat1 and mat2 shapes cannot be multiplied (#x# and #x#)"},
    {"got Float and float32, conv2d", "got Float and float32, conv2d"},
    {"1.5 2e-3 1E+10 0x7ffd00ab .5 3.", "# # # # .# #."},
    {"at /usr/lib/python3.11/x.py line 7", "at <path> line #"},
    {"'./a/b-c.txt' and ~/x", "'<path>' and <path>"},
    {"a / b", "a / b"},
    {"and/or", "and/or"},
    {"<f at 0x7f12ab>", "<f at #>"},
    {"[2, 3] -> [6]", "[#, #] -> [#]"},
    {"1x2x3", "#x#x#"},
    {"index 10 is out of bounds", "index # is out of bounds"},
    {"x2 2x", "x2 #x"},
    {"1e 1e+ 1.e5", "#e #e+ #.e5"},
    {"\xc3\xa9"
     "5",
     "\xc3\xa9"
     "5"},
};

static void numbers_paths_and_addresses_are_masked(void **state)
{
    (void)state;
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct lw_str got = lw_message_mask(&arena, lw_str(masks[i].text));
        if (!lw_str_eq(got, lw_str(masks[i].masked)))
            fail_msg("'%s' became '%.*s'", masks[i].text, (int)got.n, got.p);
        /* What is masked already stays as it is. */
        assert_str(lw_message_mask(&arena, got), masks[i].masked);
    }
    lw_arena_release(&arena);
}

static bool matches(const char *seen_type, const char *seen, const char *type,
                    const char *message)
{
    struct lw_arena arena;
    struct lw_err err;
    bool answer = false;
    struct lw_exception e = {lw_str(seen_type), lw_str(seen)};
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(
        lw_exception_matches(&arena, &e, lw_str(type), lw_str(message), &answer, &err), 0);
    lw_arena_release(&arena);
    return answer;
}

static void exceptions_match_by_type_and_masked_message(void **state)
{
    (void)state;
    assert_true(matches("ValueError", "got 3", "ValueError", "got 17"));
    assert_true(matches("ValueError", "got 3", "ValueError", ""));
    assert_true(matches("ValueError", "a\nb\nc", "ValueError", "a\nb"));
    assert_true(matches("ValueError", " a  \n b", "ValueError", "a\nb"));
    assert_true(matches("torch.cuda.OutOfMemoryError", "x", "OutOfMemoryError", "x"));
    assert_true(matches("OutOfMemoryError", "x", "torch.cuda.OutOfMemoryError", "x"));
    assert_false(matches("ValueError", "got 3", "TypeError", "got 3"));
    assert_false(matches("ValueError", "got 3", "ValueError", "got three"));
    assert_false(matches("ValueError", "a", "ValueError", "a\nb"));
    assert_false(matches("ValueError", "", "ValueError", "a"));
    assert_false(matches("a.Error", "x", "b.Error", "x")); /* both say where: they must agree */
    assert_false(matches("MyValueError", "x", "ValueError", "x"));
    assert_false(matches("ValueError", "got 3 more", "ValueError", "got 3"));
}

/* ---- Sides ------------------------------------------------------------------------------- */

static const struct lw_bug explicit_bug = {
    .expect = LW_EXPECT_EXPLICIT,
    .exception = {"ValueError", 10},
    .message = {"got 3", 5},
    .seconds = 7,
    .memory_mb = 9,
};

static struct lw_run exited(int code, const char *out, const char *err)
{
    return (struct lw_run){
        .end = LW_RUN_EXITED, .exit = code, .out = lw_str(out), .err = lw_str(err)};
}

static void judged(const struct lw_bug *bug, enum lw_side side, struct lw_run run,
                   bool as_stated, const char *failure)
{
    struct lw_arena arena;
    struct lw_err err;
    struct lw_side_result result;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_judge(&result, &arena, bug, side, &run, &err), 0);
    if (!lw_str_eq(result.failure, lw_str(failure)))
        fail_msg("failure is '%.*s', not '%s'", (int)result.failure.n, result.failure.p,
                 failure);
    assert_int_equal(result.as_stated, as_stated);
    assert_true(result.ran);
    lw_arena_release(&arena);
}

static void the_stated_exception_is_what_counts(void **state)
{
    (void)state;
    const struct lw_bug *b = &explicit_bug;
    judged(b, LW_BUGGY, exited(1, "", HEADER FRAME "ValueError: got 3\n"), true,
           "ValueError: got 3");
    judged(b, LW_BUGGY, exited(1, "", HEADER FRAME "ValueError: got 88\nmore\n"), true,
           "ValueError: got 88");
    judged(b, LW_BUGGY, exited(1, "", HEADER FRAME "TypeError: got 3\n"), false,
           "TypeError: got 3");
    judged(b, LW_BUGGY, exited(1, "", HEADER FRAME "AssertionError\n"), false,
           "AssertionError");
    judged(b, LW_BUGGY, exited(0, "", ""), false, "");
    /* printed, but survived */
    judged(b, LW_BUGGY, exited(0, "", HEADER FRAME "ValueError: got 3\n"), false, "");
    judged(b, LW_BUGGY, exited(3, "first\nFAIL: why\n\n", ""), false, "FAIL: why");
    judged(b, LW_BUGGY, exited(3, "", ""), false, "ended with exit code 3");
    judged(b, LW_FIXED, exited(0, "PASS\n", "a warning\n"), true, "");
    judged(b, LW_FIXED, exited(1, "", HEADER FRAME "ValueError: got 3\n"), false,
           "ValueError: got 3");
}

static void a_skipped_test_is_no_pass(void **state)
{
    (void)state;
    const struct lw_bug *b = &explicit_bug;
    judged(b, LW_FIXED, exited(0, "SKIP: no GPU\n", ""), false, "the test was skipped");
    judged(b, LW_FIXED, exited(0, "", "Ran 1 test in 0.1s\n\nOK (skipped=1)\n"), false,
           "the test was skipped");
    judged(b, LW_FIXED, exited(0, "SKIP of a layer\nPASS\n", ""), true, "");
    judged(b, LW_BUGGY, exited(0, "SKIP\n", ""), false, "the test was skipped");
}

static void other_ends_are_no_stated_failure(void **state)
{
    (void)state;
    static const struct {
        struct lw_run run;
        const char *failure;
    } ends[] = {
        {{.end = LW_RUN_TIME_LIMIT, .exit = -1}, "did not end within 7 s"},
        {{.end = LW_RUN_MEMORY_LIMIT, .exit = -1}, "needed more than 9 MB of memory"},
        {{.end = LW_RUN_SIGNALED, .exit = -1, .signal = 11}, "was ended by signal 11"},
        {{.end = LW_RUN_OUTPUT_LIMIT, .exit = -1}, "was stopped: output-limit"},
        {{.end = LW_RUN_PROCESS_LIMIT, .exit = -1}, "was stopped: process-limit"},
        {{.end = LW_RUN_DISK_LIMIT, .exit = -1}, "was stopped: disk-limit"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct lw_run run = ends[i].run;
        run.err = LW_S(HEADER FRAME "ValueError: got 3\n"); /* before it was stopped */
        judged(&explicit_bug, LW_BUGGY, run, false, ends[i].failure);
        judged(&explicit_bug, LW_FIXED, run, false, ends[i].failure);
    }
}

/* ---- Metrics ----------------------------------------------------------------------------- */

static const struct lw_bug metric_bug = {
    .expect = LW_EXPECT_METRIC,
    .metric = {"loss", 4},
    .seeds = 2,
    .range = {{.low = 5, .high = 9}, {.low = 0, .high = 1}},
    .seconds = 7,
};

static void every_seed_must_lie_in_the_range(void **state)
{
    (void)state;
    const struct lw_bug *b = &metric_bug;
    judged(b, LW_BUGGY, exited(1, "metric loss 0 5\nmetric loss 1 9\nFAIL\n", ""), true,
           "loss 5 with seed 0");
    judged(b, LW_FIXED, exited(0, "metric loss 0 0.5\nmetric loss 1 1\n", ""), true, "");
    judged(b, LW_BUGGY, exited(1, "metric loss 0 5\nmetric loss 1 9.5\n", ""), false,
           "loss 9.5 with seed 1");
    judged(b, LW_BUGGY, exited(1, "metric loss 0 5\n", ""), false,
           "loss was not printed for seed 1");
    judged(b, LW_BUGGY, exited(1, "metric other 0 5\nmetric other 1 5\n", ""), false,
           "loss was not printed for seed 0");
    judged(b, LW_BUGGY, exited(1, "metric loss 0 five\nmetric loss 1 5 x\n", ""), false,
           "loss was not printed for seed 0");
    judged(b, LW_BUGGY, exited(1, "metric loss 0 nan\nmetric loss 1 5\n", ""), false,
           "loss nan with seed 0");
    /* a seed printed twice must hold twice, also one that was not asked for */
    judged(b, LW_BUGGY, exited(1, "metric loss 0 5\nmetric loss 1 5\nmetric loss 0 99\n", ""),
           false, "loss 99 with seed 0");
    judged(b, LW_BUGGY, exited(1, "metric loss 0 5\nmetric loss 1 5\nmetric loss 7 1\n", ""),
           false, "loss 1 with seed 7");
}

static void the_exit_code_must_agree_with_the_metric(void **state)
{
    (void)state;
    const struct lw_bug *b = &metric_bug;
    judged(b, LW_BUGGY, exited(0, "metric loss 0 5\nmetric loss 1 5\n", ""), false,
           "loss 5 with seed 0");
    judged(b, LW_FIXED, exited(1, "metric loss 0 1\nmetric loss 1 1\n", ""), false,
           "loss 1 with seed 0");
    judged(b, LW_BUGGY,
           exited(1, "metric loss 0 5\nmetric loss 1 5\n", HEADER FRAME "KeyError: 1\n"), false,
           "KeyError: 1");
    struct lw_run stopped = {.end = LW_RUN_TIME_LIMIT,
                             .exit = -1,
                             .out = LW_S("metric loss 0 5\nmetric loss 1 5\n")};
    judged(b, LW_BUGGY, stopped, false, "did not end within 7 s");
    judged(b, LW_FIXED, exited(0, "SKIP\n", ""), false, "loss was not printed for seed 0");
}

static void not_a_number_is_a_range_of_its_own(void **state)
{
    (void)state;
    struct lw_bug bug = metric_bug;
    bug.range[LW_BUGGY] = (struct lw_range){.is_nan = true};
    judged(&bug, LW_BUGGY, exited(1, "metric loss 0 nan\nmetric loss 1 nan\n", ""), true,
           "loss nan with seed 0");
    judged(&bug, LW_BUGGY, exited(1, "metric loss 0 nan\nmetric loss 1 inf\n", ""), false,
           "loss inf with seed 1");
}

static int judge_one(struct lw_mem *mem, void *data)
{
    const struct lw_bug *bug = data;
    struct lw_arena arena;
    struct lw_err err;
    struct lw_side_result result;
    struct lw_run run = exited(1, "metric loss 0 5\nmetric loss 1 5\n", "");
    if (bug->expect == LW_EXPECT_EXPLICIT)
        run.err = LW_S(HEADER FRAME "ValueError: got 4711 at /some/path\n");
    lw_arena_init(&arena, mem, 0);
    int rc = lw_judge(&result, &arena, bug, LW_BUGGY, &run, &err);
    lw_arena_release(&arena);
    return rc;
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    struct lw_bug a = explicit_bug, b = metric_bug;
    check_every_allocation(judge_one, &a);
    check_every_allocation(judge_one, &b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tracebacks_are_found),
    cmocka_unit_test(numbers_paths_and_addresses_are_masked),
    cmocka_unit_test(exceptions_match_by_type_and_masked_message),
    cmocka_unit_test(the_stated_exception_is_what_counts),
    cmocka_unit_test(a_skipped_test_is_no_pass),
    cmocka_unit_test(other_ends_are_no_stated_failure),
    cmocka_unit_test(every_seed_must_lie_in_the_range),
    cmocka_unit_test(the_exit_code_must_agree_with_the_metric),
    cmocka_unit_test(not_a_number_is_a_range_of_its_own),
    cmocka_unit_test(survives_every_failing_allocation),
};

CHECK_MAIN(tests)
