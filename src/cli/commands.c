#include "cli/commands.h"

/* In the order of the help; one a line. */
/* clang-format off */
const struct cli_command *const cli_commands[] = {
    &cmd_demo,
    &cmd_bugs,
    &cmd_bugs_list,
    &cmd_bugs_show,
    &cmd_bugs_diff,
    &cmd_bugs_test,
    &cmd_bugs_verify,
    &cmd_bugs_checkout,
    &cmd_bugs_environment,
    &cmd_bugs_add,
    &cmd_bugs_stats,
    &cmd_bugs_words,
    &cmd_source,
    &cmd_source_tokens,
    &cmd_source_tree,
    &cmd_source_names,
    &cmd_source_units,
    &cmd_source_metrics,
    &cmd_source_graph,
    &cmd_source_slice,
    &cmd_source_diff,
    &cmd_source_history,
    &cmd_source_blame,
    &cmd_source_changes,
    &cmd_source_log,
    &cmd_stats,
    &cmd_catalog,
    &cmd_catalog_info,
    &cmd_catalog_check,
    &cmd_help,
    &cmd_completion,
    NULL,
};
/* clang-format on */
