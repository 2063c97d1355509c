/*
 * guard - how the test of a bug is run, so that a test that came to its end says so.
 *
 * The test of a bug that did not come with the program is run by a few lines of ours
 * (data/run/test.py), which print a word that nobody knows before, and the exit code, when the
 * test has come to its end. A program that ends its test early, by os._exit() or an exit of its
 * own, or changes the exit code behind it, is found out, and what is printed behind the word is
 * not the test's. Against a program in the process of its test this is a hurdle, no wall.
 */
#ifndef LW_VERIFY_GUARD_H
#define LW_VERIFY_GUARD_H

#include "base/arena.h"
#include "lacewing.h"

enum { GUARD_WORD = 40, GUARD_WORDS = 6 };

struct guard {
    char word[GUARD_WORD];            /* empty: the bug came with the program */
    char assignment[GUARD_WORD + 16]; /* "LACEWING_END=word" */
    const char *env[2];               /* that, and NULL; empty without a word */
    const char *argv[GUARD_WORDS];    /* python, …, test, NULL */
};

/* How to run the test of `bug`; `python` is borrowed, `g` stays where it is. */
int guard_init(struct guard *g, struct lw_arena *arena, const struct lw_bug *bug,
               const char *python, struct lw_err *err);

/* Takes the word off what was printed; a run that lacks it ended by LW_RUN_CUT_SHORT. */
void guard_read(const struct guard *g, struct lw_run *run);

#endif
