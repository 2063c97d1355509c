/*
 * assoc - association rules: which items occur together, and what follows from them.
 *
 * Transactions are sets of items, numbered from 0. Frequent item sets come from Apriori
 * (R. Agrawal & R. Srikant 1994; level by level, counted on bit sets) or FP-growth (J. Han, J.
 * Pei & Y. Yin 2000; on a prefix tree); both give the same sets in the same order: by size,
 * then by the numbers of their items. Rules have one item on the right-hand side.
 */
#ifndef LW_NUMERIC_ASSOC_H
#define LW_NUMERIC_ASSOC_H

#include "base/vec.h"
#include "lacewing.h"

struct lw_transactions {
    size_t n;             /* transactions */
    size_t items;         /* different items */
    const size_t *start;  /* (n + 1) */
    const uint32_t *item; /* item[start[t]…start[t+1]): ascending, without repetition */
};

struct lw_itemset {
    size_t at; /* of its first item in lw_itemsets.item; ascending */
    uint32_t n;
    uint32_t count; /* transactions that hold all of them */
};

struct lw_itemsets {
    struct lw_mem *mem; /* borrowed */
    LW_VEC(struct lw_itemset) set;
    LW_VEC(uint32_t) item;
};

struct lw_assoc_options {
    double min_support; /* share of transactions, 0…1 */
    size_t max_length;  /* items in a set; 0 = no limit */
    size_t max_sets;    /* LW_ELIMIT beyond; 0 = 10 million */
};

int lw_apriori(struct lw_itemsets *out, struct lw_mem *mem, const struct lw_transactions *t,
               const struct lw_assoc_options *options, struct lw_err *err);
int lw_fp_growth(struct lw_itemsets *out, struct lw_mem *mem, const struct lw_transactions *t,
                 const struct lw_assoc_options *options, struct lw_err *err);
void lw_itemsets_release(struct lw_itemsets *sets);

/* The count of a set (ascending items), or 0 when it is not among the sets. */
uint32_t lw_itemsets_count(const struct lw_itemsets *sets, const uint32_t *item, size_t n);

struct lw_rule {
    size_t set;     /* the whole set */
    uint32_t right; /* the item that follows; the others are the antecedent */
    uint32_t count, left_count;
    double support, confidence, lift;
};

typedef LW_VEC(struct lw_rule) lw_rule_vec;

/* Rules of at least `min_confidence`. `allowed` (one flag an item, may be NULL): only rules
 * whose antecedent consists of allowed items. Order: confidence and support falling, then as
 * the sets. */
int lw_rules(lw_rule_vec *out, const struct lw_itemsets *sets, const struct lw_transactions *t,
             double min_confidence, const bool *allowed, struct lw_err *err);

#endif
