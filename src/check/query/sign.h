/*
 * sign - with which sign a part stands in what a program minimises.
 *
 * Read from the text, through variables, reductions and functions of the file, so that it also
 * works where values are not known. Nothing is changed; nodes are of the tree.
 */
#ifndef LW_CHECK_QUERY_SIGN_H
#define LW_CHECK_QUERY_SIGN_H

#include "check/engine/engine.h"

/* A part of a formula that is looked for. */
typedef bool sign_part(const struct lw_tree *t, uint32_t node);

struct sign_found {
    uint32_t node; /* LW_NO_NODE: it is not there, or not in sight */
    int sign;      /* 1 or -1 */
    bool alone;    /* nothing is added to it or taken away on the way */
};

/* The first part in the expression. */
struct sign_found sign_of(const struct ck_file *file, uint32_t expression, sign_part *part);

/* Every expression of the file that is minimised is given to `visit`: what backward() is called
 * of, what minimize() and a tape get, what a function returns that compile() gets as loss, or
 * that is called a loss and that nothing in the file calls. */
typedef void sign_visit(struct ck *c, struct ck_file *file, uint32_t expression);
void sign_minimised(struct ck *c, struct ck_file *file, sign_visit *visit);

#endif
