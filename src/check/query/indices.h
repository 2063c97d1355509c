/*
 * indices - tensors that were used to look something up: their numbers name things.
 *
 * Rules note what they see; the notes belong to the engine.
 */
#ifndef LW_CHECK_QUERY_INDICES_H
#define LW_CHECK_QUERY_INDICES_H

#include "check/engine/engine.h"

enum { INDICES_MOST = 64 };

struct indices {
    uint32_t ids[INDICES_MOST];
    bool unordered[INDICES_MOST]; /* what they look up is drawn or learnt: no order in it */
    size_t n;
};

/* table[index] was read. */
void indices_note(struct ck *c, struct lw_value table, struct lw_value index);

/* What was noted so far; NULL when memory ran out. */
const struct indices *indices_of(struct ck *c);

#endif
