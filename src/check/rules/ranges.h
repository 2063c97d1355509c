/*
 * ranges - the table of settings of training and the bounds beyond which they are of no use.
 *
 * In: an INI file, data/ranges.ini, whose comment is its format. Out: rows in the order of the
 * file, in the arena of the table of rules, which they name and with which they are shared by
 * all engines; read only.
 */
#ifndef LW_CHECK_RULES_RANGES_H
#define LW_CHECK_RULES_RANGES_H

#include "check/types.h"
#include "knowledge/api.h"

/* Texts are NUL-terminated; those that are not given are empty. */
struct lw_check_range {
    int kind;                   /* enum lw_api_kind; -1: any */
    struct lw_str role;         /* a fact of the entry */
    struct lw_str begins, ends; /* of the entry's name */
    struct lw_str setting;
    bool below;   /* wrong above 0 and below the bound; else from the bound up */
    double bound; /* finite */
    struct lw_str rule, effect, source;
};

struct lw_check_ranges {
    struct lw_check_range *v;
    size_t n;
};

/* Reads a table for the rules, which are loaded. LW_ENOMEM; LW_EINVAL names file and line. */
int lw_check_ranges_parse(struct lw_check_ranges *out, struct lw_check_rules *rules,
                          struct lw_str name, struct lw_str text, struct lw_err *err);

/* Does the setting belong to what the entry describes? */
bool lw_check_range_is_of(const struct lw_check_range *r, const struct lw_api *api);
/* Is the value beyond the bound? */
bool lw_check_range_excludes(const struct lw_check_range *r, double x);

#endif
