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

struct uses_list {
    const uint32_t *v; /* NAME nodes in the order of the text; of the engine's arena */
    size_t n;
};

/* The places behind node `after` that read or bind the symbol. */
struct uses_list uses_behind(struct ck *c, struct ck_file *f, uint32_t symbol, uint32_t after);
/* The first of them that reads it; LW_NO_NODE: none. */
uint32_t uses_next(struct ck *c, struct ck_file *f, uint32_t symbol, uint32_t after);
bool uses_bound_once(const struct ck_file *f, uint32_t symbol);
/* Bound once, in the module or a function, and read nowhere. */
bool uses_never_read(const struct ck_file *f, uint32_t symbol);
/* The call that the expression is an argument of; LW_NO_NODE: of none. */
uint32_t uses_call(const struct lw_tree *t, uint32_t argument);

#endif
