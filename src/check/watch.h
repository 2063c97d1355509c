/* watch - where findings of one engine go, and which rules may report. Internal to check/. */
#ifndef LW_CHECK_WATCH_H
#define LW_CHECK_WATCH_H

#include "check/check.h"
#include "check/engine.h"
#include "check/rules.h"

struct ck_watch {
    const struct lw_check_rules *rules;     /* borrowed */
    const struct lw_check_options *options; /* borrowed */
    LW_VEC(struct lw_finding) findings;     /* text in the engine's arena */
    struct lw_map seen;                     /* "file:node:rule" */
    LW_VEC(struct lw_check_inferred) inferred;
    struct lw_map states; /* address of the key as text -> memory */
    uint64_t suppressed;
};

void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct lw_check_rules *rules,
                const struct lw_check_options *options);
void watch_release(struct ck_watch *w, struct lw_mem *mem);

/* Is the rule one that was asked for? */
bool watch_wants(const struct ck_watch *w, struct lw_str rule);

#endif
