/*
 * locate - what `lacewing locate` and `lacewing locate eval` share.
 */
#ifndef LW_CLI_LOCATE_H
#define LW_CLI_LOCATE_H

#include "cli/cli.h"
#include "locate/evaluate.h"

/* Fills `options` from --cache, --no-cache, --cache-limit, --languages; texts live in the
 * command's arena. */
int locate_index_options(struct cli *cli, struct lw_index_options *options, struct lw_err *err);

/* The techniques of --technique (a list, or "all"; `otherwise` when it is not given) with the
 * parameters of --set. */
int locate_setups(struct cli *cli, const char *otherwise, struct lw_setup **setups, size_t *n,
                  struct lw_err *err);

/* Says on standard error what was skipped. */
void locate_say_passed_over(struct cli *cli, const struct lw_index_figures *f);

/* ---- Results of an evaluation (locate_print.c) --------------------------------------------
 */

struct locate_result {
    struct lw_eval *eval;
    const char *dataset;
    const struct lw_comparison *comparisons;
    size_t comparison_count;
    const struct lw_eval_interval *intervals; /* by technique */
    struct lw_str by; /* columns to group by, with commas; may be empty */
};

int locate_print(struct cli *cli, const struct locate_result *result, struct lw_err *err);

#endif
