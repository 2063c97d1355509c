/*
 * uses - who reads a name, as far as one file tells.
 *
 * For rules about what is made and not used. Nothing is changed; files and nodes are borrowed.
 */
#ifndef LW_CHECK_QUERY_USES_H
#define LW_CHECK_QUERY_USES_H

#include "check/engine/engine.h"

/* The symbol of a name, parameter or definition; LW_NO_SYMBOL: none. */
uint32_t uses_symbol(const struct ck_file *f, uint32_t name);
/* The next place behind node `after` that reads the symbol; LW_NO_NODE: none. */
uint32_t uses_next(const struct ck_file *f, uint32_t symbol, uint32_t after);
bool uses_bound_once(const struct ck_file *f, uint32_t symbol);
/* Bound once, in the module or a function, and read nowhere. */
bool uses_never_read(const struct ck_file *f, uint32_t symbol);
/* The call that the expression is an argument of; LW_NO_NODE: of none. */
uint32_t uses_call(const struct lw_tree *t, uint32_t argument);

#endif
