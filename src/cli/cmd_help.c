/* help and completion: what the tables of commands know about themselves. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"

static int run_help(struct cli *cli, struct lw_err *err)
{
    if (cli_wants(cli, "man")) {
        cli_man_page(&cli->out);
        return 0;
    }
    const char *first = cli->arg_count > 0 ? cli->args[0] : NULL;
    const char *second = cli->arg_count > 1 ? cli->args[1] : NULL;
    const struct cli_command *c = first ? cli_find(first, second) : NULL;
    if (first && !c)
        return cli_unknown_command(first, cli_find(first, NULL) ? second : NULL, err);
    cli_help(&cli->out, &cli->term, c);
    return 0;
}

static const struct cli_option help_options[] = {
    {"format", 0, "F", "text|man", "text for people, or the whole manual page as roff"},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct cli_example help_examples[] = {
    {"lacewing help bugs verify", "help of one command"},
    {"lacewing help --format man", "the manual page"},
    {NULL, NULL},
};

const struct cli_command cmd_help = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = "explain a command",
    .options = help_options,
    .examples = help_examples,
    .max_args = 2,
    .run = run_help,
};

static int run_completion(struct cli *cli, struct lw_err *err)
{
    struct lw_str shell = lw_str(cli->args[0]);
    if (!lw_str_eq(shell, LW_S("bash")) && !lw_str_eq(shell, LW_S("zsh")) &&
        !lw_str_eq(shell, LW_S("fish")))
        return lw_err_set(err, LW_EINVAL, "no completion for '%s'; use bash, zsh or fish",
                          cli->args[0]);
    cli_completion(&cli->out, shell);
    return 0;
}

static const struct cli_example completion_examples[] = {
    {"lacewing completion bash",
     "completion rules for bash, to be saved where bash reads them"},
    {NULL, NULL},
};

const struct cli_command cmd_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "print completion rules for a shell",
    .examples = completion_examples,
    .min_args = 1,
    .max_args = 1,
    .run = run_completion,
};
