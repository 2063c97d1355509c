/*
 * The test driver of src/numeric: reads one command per line, prints its results with 17
 * digits.
 *
 *     name ARG…      ARG is a number, a word, [1,2,3], or file:PATH (raw doubles)
 *
 * tests/scripts/test_numeric_* drive it and compare with SciPy and scikit-learn; bench/ uses
 * its "seconds" lines. A command answers with exactly one line: the results, or "error CODE
 * text".
 */
#ifndef LW_TESTS_NUMERIC_DRIVER_H
#define LW_TESTS_NUMERIC_DRIVER_H

#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct arg {
    struct lw_str word; /* as written */
    double *v;          /* the numbers, when it is numeric */
    size_t n;
};

enum { MAX_ARGS = 64 };

struct call {
    struct arg arg[MAX_ARGS];
    size_t n;
    struct lw_arena *arena; /* cleared after each command */
    struct lw_err err;
};

/* A command prints its answer and returns 0, or fills `call->err` and returns its code. */
struct command {
    const char *name;
    int (*run)(struct call *c);
};

extern const struct command distribution_commands[];
extern const struct command test_commands[];
extern const struct command learner_commands[];

/* Argument `i` as a number (NaN when absent), as a count, as a word. */
double call_num(const struct call *c, size_t i);
size_t call_count(const struct call *c, size_t i);
struct lw_str call_word(const struct call *c, size_t i);

/* Prints numbers after each other, with 17 digits. */
void put(double x);
void put_all(const double *v, size_t n);

/* Seconds of processor time of this thread. */
double cpu_seconds(void);

#endif
