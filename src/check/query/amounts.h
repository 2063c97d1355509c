/*
 * amounts - columns of tables that hold amounts, by the names that programs give them: a price,
 * a salary, a temperature. Nothing reports here.
 */
#ifndef LW_CHECK_QUERY_AMOUNTS_H
#define LW_CHECK_QUERY_AMOUNTS_H

#include "check/engine/engine.h"

/* Is `*v` a column with the name of an amount, as it stands in its table or split in parts?
 * Then `*v` becomes the column and `*name` its name. */
bool amounts_in(struct ck *c, struct lw_value *v, struct lw_str *name);

#endif
