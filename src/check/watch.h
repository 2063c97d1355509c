/* watch - where findings of one engine go, and which rules may report. Internal to check/. */
#ifndef LW_CHECK_WATCH_H
#define LW_CHECK_WATCH_H

#include "check/check.h"
#include "check/engine.h"
#include "check/rules.h"

typedef void (*ck_watcher)(struct ck *c, const struct ck_event *e);

enum { WATCH_EVENTS = 32, WATCH_MOST = 1024, WATCH_WORDS = 1024 };

/* What was found out about a word in the files of the program. */
struct watch_word {
    const char *word; /* static */
    size_t files;     /* that were looked at */
    bool found;
};

/* Memory of a rule, by the address it names it with. */
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
    LW_VEC(struct watch_state) states; /* few */
    uint64_t suppressed;
    ck_watcher watchers[WATCH_MOST];   /* by event, in the order of the tables */
    bool pure[WATCH_MOST];             /* of each */
    uint16_t begins[WATCH_EVENTS + 1]; /* of each event's */
    struct ck_hint hint;               /* for the next finding */
    struct watch_word words[WATCH_WORDS];
    size_t word_count;
};

void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct lw_check_rules *rules,
                const struct lw_check_options *options);
void watch_release(struct ck_watch *w, struct lw_mem *mem);

#endif
