/* Every command of the program, in the order of the help. */
#ifndef LW_CLI_COMMANDS_H
#define LW_CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command cmd_help, cmd_completion;
extern const struct cli_command cmd_source, cmd_source_tokens, cmd_source_tree,
    cmd_source_names, cmd_source_units, cmd_source_metrics;

#endif
