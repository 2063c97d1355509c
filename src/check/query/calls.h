/*
 * calls - what a call is named, given and kept in, as the text says it.
 *
 * For rules that read a program whose values are not known. Nothing is changed; texts and nodes
 * are borrowed from the tree.
 */
#ifndef LW_CHECK_QUERY_CALLS_H
#define LW_CHECK_QUERY_CALLS_H

#include "check/engine/engine.h"

/* No longer programs are read call by call: what a rule asks there may take their square. */
enum { CALLS_MOST_TEXT = 100000 };

/* The last part of what is called: `fit` of `scaler.fit(x)`; empty: no call, or of no name. */
struct lw_str calls_name(const struct lw_tree *t, uint32_t call);
/* The text of a keyword argument; empty: not given. */
struct lw_str calls_keyword(const struct lw_tree *t, uint32_t call, const char *name);
/* The name at the bottom of `x`, `x[…]`, `x.y`; LW_NO_NODE when there is none. */
uint32_t calls_root(const struct lw_tree *t, uint32_t n);
/* The name that the statement around gives the result of a call; empty: none. */
struct lw_str calls_result(const struct lw_tree *t, uint32_t call);

/* Gives every node of the first file to `visit`, if the program shows what is asked (see
 * evidence.h) and is not too long. */
typedef void calls_visit(struct ck *c, struct ck_file *file, uint32_t node);
void calls_each_node(struct ck *c, const char *question, calls_visit *visit);

#endif
