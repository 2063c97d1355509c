/* watch - where findings of one engine go, and which rules may report. Internal to check/. */
#ifndef LW_CHECK_RULES_WATCH_H
#define LW_CHECK_RULES_WATCH_H

#include "check/types.h"
#include "check/engine/engine.h"
#include "check/rules/callees.h"
#include "check/rules/rules.h"

enum { WATCH_EVENTS = 64, WATCH_MOST = 1024 };

/* Which rules see which events, for all files of a check; see plan.c. Read only. */
struct watch_plan {
    const struct lw_check_rules *rules;         /* borrowed */
    const struct lw_check_options *options;     /* borrowed */
    const struct ck_rule *watchers[WATCH_MOST]; /* by event, in the order of the tables */
    uint16_t begins[WATCH_EVENTS + 1];          /* of each event's */
};

void watch_plan_init(struct watch_plan *p, const struct lw_check_rules *rules,
                     const struct lw_check_options *options);
/* Is the rule one that was asked for? */
bool watch_wants(const struct watch_plan *p, struct lw_str id);
/* What makes the fix of the rule's findings; NULL: they have none. */
fix_maker *watch_fix_of(struct lw_str id);

struct ck_watch {
    const struct watch_plan *plan;      /* borrowed */
    struct watch_callees *callees;      /* borrowed */
    const struct ck_rule *running;      /* NULL: none */
    LW_VEC(struct lw_finding) findings; /* text in the engine's arena */
    struct lw_map seen;                 /* "file:node:rule" */
    LW_VEC(struct lw_check_inferred) inferred;
    uint64_t suppressed;
    struct ck_hint hint; /* for the next finding */
    uint32_t blamed;     /* place of its cause; 0: where it is reported */
};

/* `plan` and `callees` are borrowed. */
void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct watch_plan *plan,
                struct watch_callees *callees);
void watch_release(struct ck_watch *w, struct lw_mem *mem);
/* For `emit` of the engine. */
void watch_emit(struct ck *c, const struct ck_event *e);

#endif
