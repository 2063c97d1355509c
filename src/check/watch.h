/* watch - where findings of one engine go, and which rules may report. Internal to check/. */
#ifndef LW_CHECK_WATCH_H
#define LW_CHECK_WATCH_H

#include "check/check.h"
#include "check/engine.h"
#include "check/rules.h"

enum { WATCH_EVENTS = 32, WATCH_MOST = 96 };

/* Memory of a rule, found by the address of its key. */
struct watch_state {
    const void *key;
    void *memory;
};

struct ck_watch {
    const struct lw_check_rules *rules;     /* borrowed */
    const struct lw_check_options *options; /* borrowed */
    LW_VEC(struct lw_finding) findings;     /* text in the engine's arena */
    struct lw_map seen;                     /* "file:node:rule" */
    LW_VEC(struct lw_check_inferred) inferred;
    LW_VEC(struct watch_state) states;
    uint64_t suppressed;
    /* Who wants an event, by the number of its bit; ends with NULL. */
    void (*by_event[WATCH_EVENTS][WATCH_MOST])(struct ck *c, const struct ck_event *e);
};

void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct lw_check_rules *rules,
                const struct lw_check_options *options);
void watch_release(struct ck_watch *w, struct lw_mem *mem);

/* Is the rule one that was asked for? */
bool watch_wants(const struct ck_watch *w, struct lw_str rule);

#endif
