#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "cli/cli.h"

const struct cli_option cli_globals[] = {
    {"catalog", 0, "PATH", NULL,
     "catalogue to use (default: $XDG_DATA_HOME/lacewing/catalog.db)"},
    {"format", 0, "F", NULL, "output format: text, json, or another that the command has"},
    {"jobs", 'j', "N", NULL, "number of parallel jobs (default: one per processor)"},
    {"seed", 0, "N", NULL, "seed of all random numbers (default: 0)"},
    {"quiet", 'q', NULL, NULL, "print only results and errors: no progress, no notes"},
    {"no-color", 0, NULL, NULL, "no colours, even on a terminal"},
    {"help", 'h', NULL, NULL, "this help"},
    {"version", 0, NULL, NULL, "print the version"},
    {NULL, 0, NULL, NULL, NULL},
};

static bool first_word_is(const char *name, const char *word)
{
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && (name[n] == '\0' || name[n] == ' ');
}

bool cli_is_below(const struct cli_command *c, const char *heading)
{
    return first_word_is(c->name, heading) && strchr(c->name, ' ');
}

const struct cli_command *cli_find(const char *first, const char *second)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name, *space = strchr(name, ' ');
        if (second ? space && first_word_is(name, first) && strcmp(space + 1, second) == 0
                   : strcmp(name, first) == 0)
            return cli_commands[i];
    }
    return NULL;
}

/* Keeps the candidate nearest to what was typed. */
struct guess {
    struct lw_str typed;
    struct lw_str best;
    size_t distance;
};

static void consider(struct guess *g, struct lw_str candidate)
{
    size_t limit = lw_str_typo_limit(g->typed);
    size_t d = lw_str_distance(g->typed, candidate, limit);
    if (d <= limit && d < g->distance) {
        g->distance = d;
        g->best = candidate;
    }
}

int cli_unknown_command(const char *first, const char *second, struct lw_err *err)
{
    struct guess g = {lw_str(second ? second : first), {0}, SIZE_MAX};
    for (size_t i = 0; cli_commands[i]; i++) {
        struct lw_str name = lw_str(cli_commands[i]->name), word;
        lw_str_split(&name, ' ', &word);
        if (!second)
            consider(&g, word);
        else if (name.n && lw_str_eq(word, lw_str(first)))
            consider(&g, name);
    }
    const char *lead = second ? first : "", *gap = second ? " " : "";
    if (g.best.n)
        return lw_err_set(err, LW_EINVAL,
                          "there is no command '%s%s%s'; did you mean '%s%s%.*s'?", lead, gap,
                          g.typed.p, lead, gap, LW_F(g.best));
    return lw_err_set(err, LW_EINVAL, "there is no command '%s%s%s'; see 'lacewing %s%s--help'",
                      lead, gap, g.typed.p, lead, gap);
}

static size_t option_count(const struct cli_option *options)
{
    size_t n = 0;
    while (options && options[n].name)
        n++;
    return n;
}

/* The option with number `i`: those of the command first, then the global ones. */
static const struct cli_option *option_at(const struct cli_command *c, size_t i)
{
    size_t own = c ? option_count(c->options) : 0;
    if (i < own)
        return &c->options[i];
    return i - own < option_count(cli_globals) ? &cli_globals[i - own] : NULL;
}

static size_t index_of(const struct cli *cli, const char *name)
{
    const struct cli_option *o;
    for (size_t i = 0; (o = option_at(cli->command, i)); i++)
        if (strcmp(o->name, name) == 0)
            return i;
    lw_bug(__FILE__, __LINE__, name);
}

static int unknown_option(const struct cli *cli, struct lw_str typed, struct lw_err *err)
{
    struct guess g = {typed, {0}, SIZE_MAX};
    const struct cli_option *o;
    for (size_t i = 0; (o = option_at(cli->command, i)); i++)
        consider(&g, lw_str(o->name));
    const char *command = cli->command ? cli->command->name : "";
    const char *gap = cli->command ? " " : "";
    if (g.best.n)
        return lw_err_set(err, LW_EINVAL, "unknown option '%s%s--%.*s'; did you mean '--%.*s'?",
                          command, gap, LW_F(typed), LW_F(g.best));
    return lw_err_set(err, LW_EINVAL, "unknown option '%s%s--%.*s'; see 'lacewing %s%s--help'",
                      command, gap, LW_F(typed), command, gap);
}

static bool is_choice(const char *choices, struct lw_str value)
{
    struct lw_str rest = lw_str(choices), choice;
    while (lw_str_split(&rest, '|', &choice))
        if (lw_str_eq(choice, value))
            return true;
    return false;
}

/* A list such as "ACTION,..." may also be given piece by piece. */
static int add_to_list(struct cli *cli, size_t i, const char *value, struct lw_err *err)
{
    struct lw_str list = lw_arena_printf(&cli->arena, "%s,%s", cli->values[i], value);
    cli->values[i] = list.p;
    return list.p ? 0 : lw_err_nomem(err);
}

static int store_option(struct cli *cli, size_t i, const char *value, struct lw_err *err)
{
    const struct cli_option *o = option_at(cli->command, i);
    if (cli->set[i] && o->value && strcmp(o->value, "ACTION,...") == 0)
        return add_to_list(cli, i, value, err);
    if (cli->set[i] && o->value)
        return lw_err_set(err, LW_EINVAL, "'--%s' is given twice", o->name);
    if (o->choices && value && !is_choice(o->choices, lw_str(value)))
        return lw_err_set(err, LW_EINVAL, "'--%s %s' is invalid; use one of %s", o->name, value,
                          o->choices);
    cli->set[i] = true;
    cli->values[i] = value;
    return 0;
}

/* argv[*at] is an option; moves *at past it and its value. */
static int parse_option(struct cli *cli, int argc, char **argv, int *at, struct lw_err *err)
{
    const char *word = argv[(*at)++];
    bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    struct lw_str name = is_long ? lw_str(word + 2) : lw_str(word + 1);
    if (equals)
        name.n = (size_t)(equals - word) - 2;
    const struct cli_option *o;
    size_t i = 0;
    for (; (o = option_at(cli->command, i)); i++)
        if (is_long ? lw_str_eq(name, lw_str(o->name)) : o->letter == name.p[0])
            break;
    if (!o)
        return is_long ? unknown_option(cli, name, err)
                       : lw_err_set(err, LW_EINVAL, "unknown option '%s'", word);
    const char *value = equals ? equals + 1 : NULL;
    if (!is_long && name.n > 1)
        value = name.p + 1;
    if (!o->value && value)
        return lw_err_set(err, LW_EINVAL, "'--%s' takes no value", o->name);
    if (o->value && !value) {
        if (*at >= argc)
            return lw_err_set(err, LW_EINVAL, "'--%s' needs a value (%s)", o->name, o->value);
        value = argv[(*at)++];
    }
    return store_option(cli, i, value, err);
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* Behind a heading: global options may stand before the second word, or there is none. */
static int parse_second_word(struct cli *cli, int argc, char **argv, int *at,
                             struct lw_err *err)
{
    const char *heading = cli->command->name;
    while (*at < argc && is_option(argv[*at]) && strcmp(argv[*at], "--") != 0)
        if (parse_option(cli, argc, argv, at, err) < 0)
            return err->code;
    if (*at >= argc)
        return 0;
    const struct cli_command *two = cli_find(heading, argv[*at]);
    if (!two)
        return cli_unknown_command(heading, argv[*at], err);
    cli->command = two;
    *at += 1;
    return 0;
}

/* Takes one or two words from the front as the command; global switches may stand before. */
static int parse_command(struct cli *cli, int argc, char **argv, int *at, struct lw_err *err)
{
    const char *first = argv[*at], *second = *at + 1 < argc ? argv[*at + 1] : NULL;
    const struct cli_command *two = second ? cli_find(first, second) : NULL;
    const struct cli_command *one = cli_find(first, NULL);
    if (two) {
        cli->command = two;
        *at += 2;
        return 0;
    }
    if (!one)
        return cli_unknown_command(first, NULL, err);
    cli->command = one;
    *at += 1;
    return one->run ? 0 : parse_second_word(cli, argc, argv, at, err);
}

static int check_arguments(const struct cli *cli, struct lw_err *err)
{
    const struct cli_command *c = cli->command;
    if (!c->run)
        return lw_err_set(err, LW_EINVAL, "'%s' needs a sub-command; see 'lacewing %s --help'",
                          c->name, c->name);
    if (cli->arg_count < c->min_args)
        return lw_err_set(err, LW_EINVAL, "'%s' needs %s; see 'lacewing %s --help'", c->name,
                          c->usage, c->name);
    if (cli->arg_count > c->max_args)
        return lw_err_set(err, LW_EINVAL,
                          "'%s' does not take the argument '%s'; see 'lacewing %s --help'",
                          c->name, cli->args[c->max_args], c->name);
    return 0;
}

static int parse_rest(struct cli *cli, int argc, char **argv, int at, struct lw_err *err)
{
    bool only_arguments = false;
    while (at < argc) {
        const char *word = argv[at];
        if (!only_arguments && strcmp(word, "--") == 0) {
            only_arguments = true;
            at++;
        } else if (!only_arguments && word[0] == '-' && word[1] != '\0') {
            int rc = parse_option(cli, argc, argv, &at, err);
            if (rc < 0)
                return rc;
        } else {
            cli->args[cli->arg_count++] = word;
            at++;
        }
    }
    return 0;
}

/* Global options that stood before the command were stored without it: move them behind the
 * command's own, or onto the one of the same name that the command has instead. */
static int shift_globals(struct cli *cli, struct lw_err *err)
{
    size_t own = option_count(cli->command->options), n = option_count(cli_globals);
    LW_BUG_ON(own + n > CLI_MAX_OPTIONS);
    memmove(cli->set + own, cli->set, n * sizeof *cli->set);
    memmove(cli->values + own, cli->values, n * sizeof *cli->values);
    for (size_t i = 0; i < own; i++) {
        cli->set[i] = false;
        cli->values[i] = NULL;
    }
    for (size_t i = own; i < own + n; i++) {
        size_t same = index_of(cli, cli_globals[i - own].name);
        if (cli->set[i] && same < own && store_option(cli, same, cli->values[i], err) < 0)
            return err->code;
    }
    return 0;
}

/* A global switch, also where the command has an option of the same name. */
static bool global_flag(const struct cli *cli, const char *name)
{
    size_t i = cli->command ? option_count(cli->command->options) : 0;
    for (const struct cli_option *o = cli_globals; o->name; o++, i++)
        if (strcmp(o->name, name) == 0)
            return cli->set[i];
    return false;
}

int cli_parse(struct cli *cli, int argc, char **argv, struct lw_err *err)
{
    int at = 1, rc = 0;
    cli->args = lw_arena_array(&cli->arena, (size_t)argc + 1, sizeof *cli->args);
    if (!cli->args)
        return lw_err_nomem(err);
    while (at < argc && argv[at][0] == '-' && argv[at][1] != '\0' && rc == 0)
        rc = parse_option(cli, argc, argv, &at, err);
    if (rc == 0 && at < argc) {
        rc = parse_command(cli, argc, argv, &at, err);
        if (rc == 0) {
            rc = shift_globals(cli, err);
        }
        if (rc == 0) {
            rc = parse_rest(cli, argc, argv, at, err);
        }
    }
    if (rc < 0)
        return rc;
    cli->wants_help = global_flag(cli, "help");
    cli->wants_version = global_flag(cli, "version");
    if (cli->wants_help || cli->wants_version || !cli->command)
        return 0;
    return check_arguments(cli, err);
}

const char *cli_value(const struct cli *cli, const char *name)
{
    return cli->values[index_of(cli, name)];
}

bool cli_flag(const struct cli *cli, const char *name)
{
    return cli->set[index_of(cli, name)];
}

int cli_number(const struct cli *cli, const char *name, uint64_t otherwise, uint64_t least,
               uint64_t most, uint64_t *out, struct lw_err *err)
{
    const char *value = cli_value(cli, name);
    *out = otherwise;
    if (!value)
        return 0;
    if (lw_parse_u64(lw_str(value), out) && *out >= least && *out <= most)
        return 0;
    return lw_err_set(err, LW_EINVAL,
                      "'--%s %s' is invalid; use a whole number from %llu to %llu", name, value,
                      (unsigned long long)least, (unsigned long long)most);
}

bool cli_wants(const struct cli *cli, const char *format)
{
    const char *value = cli_value(cli, "format");
    return strcmp(value ? value : "text", format) == 0;
}
