/* Every command of the program. */
#ifndef LW_CLI_COMMANDS_H
#define LW_CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command cmd_bugs, cmd_bugs_add, cmd_bugs_checkout, cmd_bugs_diff,
    cmd_bugs_environment, cmd_bugs_list, cmd_bugs_show, cmd_bugs_stats, cmd_bugs_test,
    cmd_bugs_verify, cmd_bugs_words;
extern const struct cli_command cmd_bugs_detect, cmd_bugs_export, cmd_bugs_history,
    cmd_bugs_import, cmd_bugs_retract, cmd_bugs_review, cmd_bugs_similar;
extern const struct cli_command cmd_catalog, cmd_catalog_check, cmd_catalog_info;
extern const struct cli_command cmd_check;
extern const struct cli_command cmd_completion, cmd_demo, cmd_help, cmd_stats;
extern const struct cli_command cmd_trace, cmd_trace_export, cmd_trace_info, cmd_watch;
extern const struct cli_command cmd_locate, cmd_locate_eval;
extern const struct cli_command cmd_hints, cmd_reproduce, cmd_template, cmd_triage,
    cmd_triage_eval;
extern const struct cli_command cmd_source, cmd_source_metrics, cmd_source_names,
    cmd_source_tokens, cmd_source_tree, cmd_source_units;
extern const struct cli_command cmd_source_diff;
extern const struct cli_command cmd_source_graph;
extern const struct cli_command cmd_source_slice;
extern const struct cli_command cmd_source_blame, cmd_source_changes, cmd_source_history,
    cmd_source_log;

#endif
