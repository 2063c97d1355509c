/* The functions of the rule language, by file; only the table in rule_func.c names them all. */
#ifndef LW_KNOWLEDGE_RULE_FUNCTIONS_H
#define LW_KNOWLEDGE_RULE_FUNCTIONS_H

#include "knowledge/rule.h"

/* A known integer out of a value. */
bool rule_int(struct rule_env *env, struct lw_value v, int64_t *out);

/* None, or not given. */
static inline bool rule_is_none(struct lw_value v)
{
    return v.kind == LW_V_NONE || v.kind == LW_V_ABSENT;
}

/* The element type of a type, a tensor or what stands for one. */
lw_dtypes rule_dtype(struct rule_env *env, struct lw_value v);

static inline bool is_shapely_value(struct lw_value v)
{
    return v.kind == LW_V_SHAPE || lw_v_is_seq(v);
}

typedef struct lw_value rule_call(struct rule_env *env, const struct lw_value *args, size_t n);

rule_call rule_broadcast, rule_broadcasts, rule_matmul, rule_matmuls, rule_reshape,
    rule_reshapes, rule_expands, rule_expand, rule_reduce, rule_has_axes, rule_axis, rule_drop,
    rule_insert, rule_set, rule_permute, rule_permutes, rule_reverse, rule_swap, rule_moveaxis,
    rule_cat, rule_cats, rule_parts, rule_rows, rule_same, rule_common, rule_einsum,
    rule_einsums, rule_einsum_letter, rule_window, rule_tconv, rule_positive, rule_flat,
    rule_times, rule_scale, rule_squeeze, rule_ntuple, rule_of_rank, rule_padded,
    rule_pad_pairs;

rule_call rule_above, rule_activated, rule_apply, rule_as_device, rule_as_dtype, rule_as_type,
    rule_avoids, rule_batch_symbol, rule_below, rule_between, rule_chunks, rule_class_symbol,
    rule_clip, rule_default, rule_div_dtype, rule_div_range, rule_dtypes, rule_exp_limit,
    rule_exp_shift, rule_first, rule_flat_keep, rule_given, rule_is_a, rule_isnone,
    rule_value_join, rule_known, rule_len, rule_like, rule_list, rule_matmul_range, rule_max,
    rule_min, rule_mixes, rule_mul_range, rule_none_sizes, rule_pieces, rule_pow, rule_promote,
    rule_ragged, rule_ranges, rule_related, rule_repeat, rule_same_dtype, rule_shapes,
    rule_sub_range, rule_sub_shift, rule_prefix_range, rule_prod_range, rule_sum_dtype,
    rule_sum_range, rule_value_tensor, rule_tf_default, rule_to_float, rule_torch_default,
    rule_total, rule_unbounded, rule_whole, rule_with;

#endif
