/* The program: parse, run one command, print what went wrong, end with the right code. */
#include <stdatomic.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/ending.h"

static int make_context(struct cli *cli, const atomic_bool *cancel, struct lw_err *err)
{
    bool quiet = cli_flag(cli, "quiet"), colour = !cli_flag(cli, "no-color");
    uint64_t jobs, seed;
    if (cli_number(cli, "jobs", lw_cpu_count(), 1, 256, &jobs, err) < 0 ||
        cli_number(cli, "seed", 0, 0, UINT64_MAX, &seed, err) < 0)
        return err->code;
    cli->term = lw_term_of(stdout, colour);
    cli->ctx = (struct lw_ctx){
        .log = {stderr, quiet ? LW_LOG_ERROR : LW_LOG_INFO},
        .clock = lw_clock_system(),
        .talk = lw_term_of(stderr, colour),
        .seed = seed,
        .jobs = (unsigned)jobs,
        .cancel = cancel,
    };
    if (quiet)
        cli->ctx.talk.is_tty = false;
    return 0;
}

/* Commands that name no formats of their own print text and JSON. */
static int check_format(const struct cli *cli, struct lw_err *err)
{
    for (const struct cli_option *o = cli->command->options; o && o->name; o++)
        if (strcmp(o->name, "format") == 0)
            return 0;
    if (cli_wants(cli, "text") || cli_wants(cli, "json"))
        return 0;
    return lw_err_set(err, LW_EINVAL, "'--format %s' is invalid; use one of text|json",
                      cli_value(cli, "format"));
}

static int run(struct cli *cli, int argc, char **argv, const atomic_bool *cancel,
               struct lw_err *err)
{
    int rc = cli_parse(cli, argc, argv, err);
    if (rc < 0)
        return rc;
    if (cli->wants_version) {
        lw_putf(&cli->out, "lacewing %s\n", lw_version());
        return 0;
    }
    rc = make_context(cli, cancel, err);
    if (rc < 0)
        return rc;
    if (cli->wants_help || !cli->command) {
        cli_help(&cli->out, &cli->term, cli->command);
        return cli->wants_help ? 0 : 2;
    }
    rc = check_format(cli, err);
    return rc < 0 ? rc : cli->command->run(cli, err);
}

int main(int argc, char **argv)
{
    struct cli cli = {.out = lw_sink_file(stdout)};
    struct lw_err err = {0}, write_err = {0};
    lw_arena_init(&cli.arena, NULL, 0);
    int code = run(&cli, argc, argv, ending_listen(), &err);
    if (code < 0)
        fflush(stdout); /* what was printed stands before the complaint */
    code = ending_code(code, &err);
    if (lw_sink_finish(&cli.out, &write_err) < 0 && code <= 1)
        code = ending_code(LW_EIO, &write_err);
    lw_arena_release(&cli.arena);
    return code;
}
