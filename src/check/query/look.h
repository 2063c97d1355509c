/*
 * look - small questions that several files of rules ask about the program: what stands in a
 * part of it, which loop is being run, which data a tensor was computed from.
 *
 * Nothing here reports or changes anything; all results are borrowed.
 */
#ifndef LW_CHECK_QUERY_LOOK_H
#define LW_CHECK_QUERY_LOOK_H

#include "check/engine/engine.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"

/* Rules that walk a whole function or file for each call they see would take the square of a
 * long program: of one kind, told by the key, there are so many looks and no more. */
bool look_again(struct ck *c, const void *key, unsigned most);

/* Does the text speak of how many there are? */
bool look_speaks_of_counts(struct lw_str text);

/* Is the program read for names of its data? One that fits nothing, or is very long, is not. */
bool look_reads_names(const struct ck *c);

/* Is a module of torch called from outside of all modules? */
bool look_is_outermost(struct ck *c, const struct ck_object *o);

/* Is it the constructor of an optimizer of PyTorch? */
bool look_makes_optimizer(const struct ck_call *call);

enum { LOOK_RATE_NAME = 32 };

/* What the optimizer of the entry calls its learning rate; false: it says none. */
bool look_rate_parameter(const struct lw_api *optimizer, char name[LOOK_RATE_NAME]);

/* Classes of which a row has just one, as columns of 0 and 1: to_categorical(), get_dummies()
 * and the like. */
bool look_is_one_hot(struct ck *c, struct lw_value v);

/* A squared error that is written out: mean((a - b) ** 2), in any of its spellings. */
bool look_squared_error(struct ck *c, struct lw_value loss, struct lw_value *a,
                        struct lw_value *b);

/* The size of the last of several axes; 0: not known. */
int64_t look_width(struct ck *c, struct lw_value out);

#endif
