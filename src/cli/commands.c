#include "cli/commands.h"

const struct cli_command *const cli_commands[] = {
    &cmd_help,
    &cmd_completion,
    &cmd_source,
    &cmd_source_tokens,
    &cmd_source_tree,
    &cmd_source_names,
    &cmd_source_units,
    &cmd_source_metrics,
    NULL,
};
