/*
 * rows - what can be told about the rows of data that a program makes itself: whether they
 * come class by class, and how rare the rarer of two classes is.
 *
 * Everything is read back from the computation of a value (its origins), from lists as they
 * were built, and from what the rules of rules/data/rows.c keep about lists. Nothing reports
 * here.
 */
#ifndef LW_CHECK_QUERY_ROWS_H
#define LW_CHECK_QUERY_ROWS_H

#include "check/engine/engine.h"
#include "check/query/notes.h"

/* Are these labels (a list, or an array made of one) known to come one class after the other?
 */
bool rows_are_sorted(struct ck *c, struct lw_value labels);

/* An array was brought into another order in place. */
void rows_note_shuffled(struct ck *c, struct lw_value v);

/* a[index] = value: a part of an array was set. */
void rows_note_store(struct ck *c, struct lw_value a, struct lw_value index,
                     struct lw_value value);

/* The part of labels 0 and 1 that is 1; negative when it is not known. */
double rows_share(struct ck *c, struct lw_value labels);

#endif
