/*
 * table - the table of rules, data/rules/: what each is called, how bad it is, and why.
 *
 * Everything is borrowed from the table, which lives until it is released.
 */
#ifndef LW_CHECK_RULES_TABLE_H
#define LW_CHECK_RULES_TABLE_H

#include "check/types.h"

/* What docs/rules/ has about it, Markdown; empty: nothing. */
struct lw_str lw_check_rule_page(const struct lw_check_rule *r);
/* Code that the rule reports, or the same mended, as its page has it; empty: there is none. */
struct lw_str lw_check_rule_example(const struct lw_check_rule *r, bool wrong);

/* Do findings of the rule have fixes, some of them at least? */
bool lw_check_rule_has_fix(struct lw_str id);

/* The profile of that name; LW_EINVAL names those that there are. Borrowed. */
int lw_check_profile_find(const struct lw_check_profile **out, const struct lw_check_rules *r,
                          struct lw_str name, struct lw_err *err);

int lw_check_rules_load(struct lw_check_rules *r, struct lw_mem *mem, struct lw_err *err);
void lw_check_rules_release(struct lw_check_rules *r);
const struct lw_check_rule *lw_check_rule_find(const struct lw_check_rules *r,
                                               struct lw_str id);

#endif
