/*
 * metrics - how large and how branched code is, per function and for the file.
 *
 * In: a parsed tree, borrowed. Out: one row for the file, then one per function in text order,
 * owned until release. A function's row leaves out the functions and classes defined inside it,
 * which have rows of their own; its lines are all lines from its first decorator to its end.
 *
 *   cyclomatic   1 + if, elif, for, while, except, assert, case, conditional expression, each
 *                `for` and `if` of a comprehension, each `and`/`or` between two operands
 *   Halstead     operators: arithmetic, bitwise, boolean, comparison and augmented ones;
 *                operands: what they are applied to, the same if the same name, attribute or
 *                literal, different if compound
 *   maintainability  171 - 5.2 ln V - 0.23 G - 16.2 ln L + 50 sin sqrt(2.46 C), scaled to
 * 0..100, with L code lines and C the comment lines per code line as an angle of percent
 *                degrees; 100 where V is 0. This is the index that `radon` prints.
 */
#ifndef LW_SOURCE_METRICS_H
#define LW_SOURCE_METRICS_H

#include "source/tree.h"

struct lw_metrics {
    uint32_t node; /* FUNCTION, or the MODULE */
    uint32_t lines;
    uint32_t code_lines;    /* touched by a token */
    uint32_t comment_lines; /* touched by a comment, also beside code */
    uint32_t blank_lines;   /* touched by neither */
    uint32_t cyclomatic;
    uint32_t operators; /* N1 */
    uint32_t operands;  /* N2 */
    uint32_t distinct_operators;
    uint32_t distinct_operands;
    double volume;     /* (N1 + N2) log2(n1 + n2) */
    double difficulty; /* n1/2 * N2/n2 */
    double effort;
    double maintainability;
};

typedef LW_VEC(struct lw_metrics) lw_metrics_vec;

/* Appends the rows to `out` (released with lw_vec_release). LW_ENOMEM is the only failure. */
int lw_metrics_build(lw_metrics_vec *out, struct lw_mem *mem, struct lw_tree *tree,
                     struct lw_err *err);

#endif
