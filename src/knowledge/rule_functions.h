/* The functions of the rule language, by file; only the table in rule_func.c names them all. */
#ifndef LW_KNOWLEDGE_RULE_FUNCTIONS_H
#define LW_KNOWLEDGE_RULE_FUNCTIONS_H

#include "knowledge/rule.h"

/* A known integer out of a value. */
bool rule_int(struct rule_env *env, struct lw_value v, int64_t *out);

static inline bool is_shapely_value(struct lw_value v)
{
    return v.kind == LW_V_SHAPE || lw_v_is_seq(v);
}

typedef struct lw_value rule_call(struct rule_env *env, const struct lw_value *args, size_t n);

rule_call rule_broadcast, rule_broadcasts, rule_matmul, rule_matmuls, rule_reshape,
    rule_reshapes, rule_expands, rule_expand, rule_reduce, rule_has_axes, rule_axis, rule_drop,
    rule_insert, rule_set, rule_permute, rule_permutes, rule_reverse, rule_swap, rule_moveaxis,
    rule_cat, rule_cats, rule_same, rule_common, rule_einsum, rule_einsums, rule_einsum_letter,
    rule_window, rule_tconv, rule_positive, rule_flat, rule_times, rule_scale, rule_squeeze,
    rule_ntuple, rule_of_rank, rule_padded, rule_pad_pairs;

#endif
