/*
 * What a program printed, from arbitrary bytes: the traceback reader, the mask and the judge.
 * The first byte chooses how it ended; "%%" lines separate stdout, stderr and the stated
 * message.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/str.h"
#include "verify/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct lw_str part(struct lw_str *rest)
{
    struct lw_str whole = *rest;
    ptrdiff_t at = lw_str_find(whole, LW_S("%%"));
    *rest = at < 0 ? (struct lw_str){"", 0} : lw_str_from(whole, (size_t)at + 2);
    return at < 0 ? whole : lw_str_part(whole, 0, (size_t)at);
}

static bool is_inside(struct lw_str outer, struct lw_str inner)
{
    return inner.n == 0 || (inner.p >= outer.p && inner.p + inner.n <= outer.p + outer.n);
}

/* A mask is no longer than needed, and what is masked stays as it is. */
static void check_mask(struct lw_arena *arena, struct lw_str text)
{
    struct lw_str once = lw_message_mask(arena, text), twice = lw_message_mask(arena, once);
    if (!once.p || !twice.p || !lw_str_eq(once, twice))
        abort();
}

static void check_exception(struct lw_arena *arena, struct lw_str text, struct lw_str stated)
{
    struct lw_exception e;
    struct lw_err err;
    bool same = false;
    if (!lw_exception_find(text, &e))
        return;
    if (e.type.n == 0 || !is_inside(text, e.type) || !is_inside(text, e.message))
        abort();
    /* Everything matches itself, and an empty statement. */
    if (lw_exception_matches(arena, &e, e.type, e.message, &same, &err) < 0 || !same ||
        lw_exception_matches(arena, &e, e.type, LW_S(""), &same, &err) < 0 || !same ||
        lw_exception_matches(arena, &e, e.type, stated, &same, &err) < 0)
        abort();
}

static void check_side(struct lw_arena *arena, struct lw_bug *bug, enum lw_side side,
                       const struct lw_run *run)
{
    struct lw_side_result result;
    struct lw_err err;
    if (lw_judge(&result, arena, bug, side, run, &err) < 0)
        abort();
    bool failed = run->end != LW_RUN_EXITED || run->exit != 0;
    if (result.as_stated && failed != (side == LW_BUGGY))
        abort(); /* a stated failure fails, a fixed one does not */
    if (!result.as_stated && side == LW_FIXED && result.failure.n == 0 && failed)
        abort(); /* what fails says why */
    if (lw_str_find_char(result.failure, '\n') >= 0)
        abort(); /* in one line */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arena arena;
    if (size == 0)
        return 0;
    lw_arena_init(&arena, NULL, 0);
    struct lw_str rest = lw_str_n((const char *)data + 1, size - 1);
    struct lw_run run = {.end = (enum lw_run_end)(LW_RUN_EXITED + data[0] % 8),
                         .exit = data[0] >> 7};
    if (run.end != LW_RUN_EXITED)
        run.exit = -1;
    run.out = part(&rest);
    run.err = part(&rest);
    struct lw_str stated = part(&rest);
    struct lw_bug bug = {.expect = LW_EXPECT_EXPLICIT,
                         .exception = LW_S("ValueError"),
                         .message = stated,
                         .metric = LW_S("loss"),
                         .seeds = 2,
                         .range = {{.low = 1, .high = 2}, {.low = 3, .high = 4}}};
    check_mask(&arena, run.err);
    check_exception(&arena, run.err, stated);
    for (int expect = LW_EXPECT_EXPLICIT; expect <= LW_EXPECT_METRIC; expect++) {
        bug.expect = (enum lw_expect)expect;
        check_side(&arena, &bug, LW_BUGGY, &run);
        check_side(&arena, &bug, LW_FIXED, &run);
    }
    lw_arena_release(&arena);
    return 0;
}
