#include "cli/commands.h"

const struct cli_command *const cli_commands[] = {
    &cmd_help,
    &cmd_completion,
    NULL,
};
