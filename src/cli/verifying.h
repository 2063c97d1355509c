/*
 * What the commands that run bugs share.
 */
#ifndef LW_CLI_VERIFYING_H
#define LW_CLI_VERIFYING_H

#include "cli/bugs.h"
#include "verify/verify.h"

/* The ids of all bugs that match, in the cli's arena. */
int verifying_all(struct cli *cli, lw_catalog *catalog, const struct lw_query *query,
                  struct lw_str **ids, size_t *count, struct lw_err *err);

/* The ids named on the command line, checked, or all. */
int verifying_ids(struct cli *cli, lw_catalog *catalog, bool all, struct lw_str **ids,
                  size_t *count, struct lw_err *err);

/* One warning line where programs cannot be really confined. */
void verifying_warn(struct cli *cli, const struct lw_verifier *v);

#endif
