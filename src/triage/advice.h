/*
 * advice - what to ask for and what to try, by the type of the bug.
 *
 * Association rules "type -> component information" and "type -> edit action" are mined by
 * Apriori over the transactions of data/triage/transactions.csv, the facts of a study that
 * reproduced 148 bugs by hand (M. B. Shah, M. M. Rahman & F. Khomh, EMSE 2024). A type that has
 * too few transactions for rules of its own gets those of all types together.
 *
 * Everything lives in the memory of the table, which is read-only once loaded.
 */
#ifndef LW_TRIAGE_ADVICE_H
#define LW_TRIAGE_ADVICE_H

#include "base/arena.h"
#include "triage/types.h"

/* A rule: of the `n` transactions of the type, `count` have the item. */
struct lw_advice_rule {
    struct lw_str item; /* "code", "input-data-generation" */
    uint32_t count, n;
    double support;    /* count / transactions of all types */
    double confidence; /* count / n */
    bool weak;         /* confidence below LW_ADVICE_WEAK */
};

#define LW_ADVICE_WEAK 0.3
enum { LW_ADVICE_LEAST = 10 }; /* transactions that rules of a type need */

struct lw_advice {
    struct lw_str type; /* "model", or of a sub-fault: "loss" */
    bool pooled;        /* over all types, because this one has too few transactions */
    uint32_t n;         /* transactions */
    const struct lw_advice_rule *rules; /* the most confident first */
    size_t count;
};

enum lw_advice_kind { LW_ADVICE_INFORMATION, LW_ADVICE_ACTION, LW_ADVICE_SUB_FAULT };

typedef struct lw_advice_table lw_advice_table;

int lw_advice_new(lw_advice_table **out, struct lw_mem *mem, struct lw_err *err);
/* NULL is fine. */
void lw_advice_free(lw_advice_table *t);

/* The rules for a type, never NULL for INFORMATION and ACTION; for a SUB_FAULT ("loss",
 * "layer", "model", "hyperparameters", "optimisation") NULL when there is none of that name. */
const struct lw_advice *lw_advice_find(const lw_advice_table *t, enum lw_advice_kind kind,
                                       struct lw_str type);

#endif
