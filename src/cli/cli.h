/*
 * cli - the command line: tables of commands and options, from which parsing, help, the manual
 * page and shell completion all come.
 *
 * A command is one constant `struct cli_command` in its own file, listed in commands.c. Its
 * `run` reads the parsed arguments from `struct cli`, calls one engine function, and prints.
 */
#ifndef LW_CLI_CLI_H
#define LW_CLI_CLI_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jsonw.h"
#include "base/sink.h"
#include "base/term.h"
#include "lacewing.h"

struct cli;

struct cli_option {
    const char *name;    /* without the dashes */
    char letter;         /* one-letter form, or 0 */
    const char *value;   /* placeholder such as "N" or "FILE"; NULL = a switch */
    const char *choices; /* "text|json", checked and completed; NULL = anything */
    const char *help;    /* one line */
};

struct cli_example {
    const char *line; /* "lacewing bugs list --limit 5" */
    const char *what;
};

struct cli_command {
    const char *name;                 /* "demo", or two words: "bugs list" */
    const char *usage;                /* of the arguments: "[ID...]" */
    const char *summary;              /* one line */
    const char *details;              /* paragraphs, separated by an empty line; may be NULL */
    const struct cli_option *options; /* ends with a NULL name; may be NULL */
    const struct cli_example *examples; /* ends with a NULL line */
    unsigned min_args, max_args;
    /* The exit code (0 or positive), or a negative LW_E… with `err` filled. NULL: only a
     * heading for two-word commands. */
    int (*run)(struct cli *cli, struct lw_err *err);
};

enum { CLI_MANY = 100000, CLI_MAX_OPTIONS = 32 };

struct cli {
    const struct cli_command *command;
    struct lw_arena arena; /* lives as long as the command runs */
    struct lw_ctx ctx;
    struct lw_sink out;  /* standard output */
    struct lw_term term; /* what is behind it */
    const char **args;
    size_t arg_count;
    const char *values[CLI_MAX_OPTIONS]; /* of the command's options then the global ones */
    bool set[CLI_MAX_OPTIONS];
    bool wants_help, wants_version; /* the global switches; commands may have a --version V */
};

/* All commands; ends with NULL. */
extern const struct cli_command *const cli_commands[];
/* Options of every command. */
extern const struct cli_option cli_globals[];

/* Parses argv into `cli` (its arena must be initialised). LW_EINVAL with a suggestion for what
 * is mistyped. */
int cli_parse(struct cli *cli, int argc, char **argv, struct lw_err *err);

/* The value of an option, or NULL. The name must be in a table. */
const char *cli_value(const struct cli *cli, const char *name);
bool cli_flag(const struct cli *cli, const char *name);

/* An unsigned number with bounds; `otherwise` when not given. */
int cli_number(const struct cli *cli, const char *name, uint64_t otherwise, uint64_t least,
               uint64_t most, uint64_t *out, struct lw_err *err);

/* The chosen --format. */
bool cli_wants(const struct cli *cli, const char *format);

/* Help of one command, of a heading, or (NULL) of the program. */
void cli_help(struct lw_sink *out, const struct lw_term *term, const struct cli_command *c);
void cli_man_page(struct lw_sink *out);
/* `shell` is bash, zsh or fish. */
void cli_completion(struct lw_sink *out, struct lw_str shell);

/* The command of that one- or two-word name, or NULL. */
const struct cli_command *cli_find(const char *first, const char *second);
/* "there is no command …; did you mean …?" for a first word, or for a second one below it (else
 * NULL); LW_EINVAL. */
int cli_unknown_command(const char *first, const char *second, struct lw_err *err);
/* Is `c` below the heading `name`? */
bool cli_is_below(const struct cli_command *c, const char *heading);

#endif
