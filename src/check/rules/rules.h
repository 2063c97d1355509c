/*
 * rules - what watches the interpreter.
 *
 * The engine tells what happens as events; a rule is a function that gets the events it asked
 * for and reports findings. What a rule is (title, severity, why, source) is in data/rules/.
 * Preconditions of the API tables report under the same ids without any C.
 *
 * A rule may conclude only from what is known: unknown values, symbolic sizes and "maybe" are
 * never a reason to report.
 */
#ifndef LW_CHECK_RULES_RULES_H
#define LW_CHECK_RULES_RULES_H

#include "check/engine/events.h"
#include "check/fix/fix.h"

/* A rule: what it reports, what it wants to see, and what looks at it. It runs only if one of
 * its ids is asked for, and reports no other; an id belongs to the rules of one file. Without
 * ids it only takes notes for others and always runs; "*" stands for every id of data/api
 * and data/ranges.ini. A row without events only gives the fix of its ids: of an id with
 * several watchers, or one of data/api. A table ends with a row of zeroes. */
struct ck_rule {
    const char *ids; /* "api/loss-kept api/missing-zero-grad" */
    uint64_t events; /* CK_EV_… */
    void (*watch)(struct ck *c, const struct ck_event *e);
    fix_maker *fix; /* of findings of its ids; NULL: none, or in another row of the file */
    bool pure;      /* looks at one event and keeps nothing: may see what is only tried */
    /* Of CK_EV_CALL and CK_EV_LAYER it sees only calls of these names: "torch.load", ".load"
     * (whatever is before the dot), "torch.*", ".clip_*", "*_norm_"; and "@loss" and
     * "@optimizer": of such an entry of the tables. It may look closer. NULL: all. */
    const char *calls;
};

/* Reports at `node` of the file being run. `rule` is "category/name" and must be in
 * data/rules/, which gives the severity. `causes` are values whose origin explains it. The same
 * rule reports at one place once. */
void ck_find(struct ck *c, uint32_t node, const char *rule, const struct lw_value *causes,
             size_t cause_count, const char *fmt, ...) LW_PRINTF(6, 7);
/* The same with a severity other than the table's (never higher than error). */
void ck_find_as(struct ck *c, uint32_t node, struct lw_str rule, enum lw_severity severity,
                const struct lw_value *causes, size_t cause_count, struct lw_str message);
/* At a place that was remembered. */
void ck_find_at(struct ck *c, struct ck_file *file, uint32_t node, const char *rule,
                const struct lw_value *causes, size_t cause_count, const char *fmt, ...)
    LW_PRINTF(7, 8);

/* Can the rule report anything in this program: is it asked for, and not excused by the
 * evidence that data/rules/ lists? Before long searches; findings and CK_EV_END are checked
 * anyway. */
bool ck_may_find(const struct ck *c, const char *rule);

/* The cause of the next finding stands at another place, the one where it has to be mended: the
 * finding is shown there and names the node it is reported at as the place where it shows. A
 * place of another file is left alone; 0: there is none. */
void ck_blame(struct ck *c, uint32_t place);

/* Was one of these rules, by ids with spaces between them, reported in the function around the
 * node? One fault, one report: what reads the text stands back behind what follows the values. */
bool ck_is_told(struct ck *c, struct ck_file *file, uint32_t node, const char *ids);

/* For the next finding, whether it is reported or not. */
void ck_hint(struct ck *c, struct ck_hint hint);

#endif
