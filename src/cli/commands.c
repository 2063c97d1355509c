#include "cli/commands.h"

/* In the order of the help. */
const struct cli_command *const cli_commands[] = {
    &cmd_demo,        &cmd_bugs,          &cmd_bugs_list,
    &cmd_bugs_show,   &cmd_bugs_diff,     &cmd_bugs_test,
    &cmd_bugs_verify, &cmd_bugs_checkout, &cmd_bugs_environment,
    &cmd_bugs_add,    &cmd_bugs_stats,    &cmd_bugs_words,
    &cmd_catalog,     &cmd_catalog_info,  &cmd_catalog_check,
    &cmd_stats,       &cmd_help,          &cmd_completion,
    NULL,
};
