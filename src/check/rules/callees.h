/*
 * callees - which rules look at which library calls.
 *
 * A rule may name the calls it looks at (`calls` of struct ck_rule). There are far more calls
 * than names, so it is remembered by name which rules want it, from one file to the next. None
 * of this changes a result.
 */
#ifndef LW_CHECK_RULES_CALLEES_H
#define LW_CHECK_RULES_CALLEES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/rules/rules.h"

enum callees_kind { CALLEES_OTHER, CALLEES_LOSS, CALLEES_OPTIMIZER, CALLEES_KINDS };
enum { CALLEES_MOST = 256 }; /* rules that see one kind of event */

/* Rules by number, one bit each. */
struct callees_set {
    uint64_t bits[CALLEES_MOST / 64];
};

/* Of one thread. */
struct watch_callees {
    struct lw_mem *mem;    /* borrowed */
    struct lw_arena arena; /* names */
    struct lw_map names[2]
                       [CALLEES_KINDS]; /* of CK_EV_CALL, of CK_EV_LAYER -> number of the set */
    LW_VEC(struct callees_set) sets;
};

void callees_init(struct watch_callees *w, struct lw_mem *mem);
void callees_release(struct watch_callees *w);

/* Which of the `n` rules that see such events want this CK_EV_CALL or CK_EV_LAYER. */
struct callees_set callees_wanted(struct watch_callees *w, const struct ck_rule *const *rules,
                                  size_t n, const struct ck_event *e);

#endif
