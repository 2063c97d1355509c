/*
 * parts - the parts that data is split into, by the names that programs give them. The data
 * mostly comes from files, so that sizes do not tell the parts apart; their names do. Nothing
 * reports here.
 */
#ifndef LW_CHECK_QUERY_PARTS_H
#define LW_CHECK_QUERY_PARTS_H

#include "check/engine/engine.h"

enum part { PART_NONE, PART_TRAINING, PART_TEST };

/* The part that a plain name or a row of it speaks of. */
enum part part_of_node(const struct lw_tree *t, uint32_t node);

/* Is `name` what `other` would be called if it were training data? */
bool part_is_counterpart(struct lw_str name, struct lw_str other);

/* Is the program searched for all names of its parts? One that fits nothing, or is very long,
 * is not. */
bool parts_are_searched(const struct ck *c);

#endif
