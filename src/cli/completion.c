#include <string.h>

#include "base/str.h"
#include "cli/cli.h"

static void put_choices(struct lw_sink *out, const char *choices)
{
    for (; choices && *choices; choices++)
        lw_put_char(out, *choices == '|' ? ' ' : *choices);
}

/* Has the command an option of its own in place of this global one? */
static bool is_replaced(const struct cli_command *c, const struct cli_option *global)
{
    for (const struct cli_option *o = c->options; o && o->name; o++)
        if (strcmp(o->name, global->name) == 0)
            return true;
    return false;
}

/* "--a --b": the options of the command and the global ones. */
static void put_option_words(struct lw_sink *out, const struct cli_command *c)
{
    for (const struct cli_option *o = c->options; o && o->name; o++)
        lw_putf(out, "--%s ", o->name);
    for (const struct cli_option *o = cli_globals; o->name; o++)
        if (!is_replaced(c, o))
            lw_putf(out, "--%s ", o->name);
}

/* Is the argument one of some words, its usage a list of them? "bash|zsh|fish" */
static bool takes_words(const struct cli_command *c)
{
    return strchr(c->usage, '|') && !strpbrk(c->usage, " []");
}

static void put_top_words(struct lw_sink *out)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strchr(cli_commands[i]->name, ' '))
            lw_putf(out, "%s ", cli_commands[i]->name);
}

static void put_words_below(struct lw_sink *out, const char *heading)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_is_below(cli_commands[i], heading))
            lw_putf(out, "%s ", strchr(cli_commands[i]->name, ' ') + 1);
}

static void bash_words(struct lw_sink *out, const struct cli_command *c, const char *rest)
{
    lw_putf(out, "        \"%s\"%s) words=\"", c->name, rest);
    put_option_words(out, c);
    if (takes_words(c)) {
        put_choices(out, c->usage);
        lw_put_char(out, ' ');
    }
    if (*rest)
        put_words_below(out, c->name);
    lw_putz(out, "\" ;;\n");
}

static void bash_completion(struct lw_sink *out)
{
    lw_putz(out, "_lacewing() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                 "    local one=${COMP_WORDS[1]} both=\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" "
                 "words=\"\"\n    case \"$both $before\" in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        for (const struct cli_option *o = cli_commands[i]->options; o && o->name; o++)
            if (o->choices) {
                lw_putf(out, "        \"%s\"*\" --%s\") COMPREPLY=($(compgen -W \"",
                        cli_commands[i]->name, o->name);
                put_choices(out, o->choices);
                lw_putz(out, "\" -- \"$word\")); return ;;\n");
            }
    lw_putz(out, "    esac\n    if [ \"$COMP_CWORD\" = 1 ]; then words=\"");
    put_top_words(out);
    lw_putz(out, "\"\n    else case \"$both\" in\n");
    /* The first pattern that fits is taken, so "bugs list" stands before "bugs"*. */
    for (size_t i = 0; cli_commands[i]; i++)
        if (strchr(cli_commands[i]->name, ' '))
            bash_words(out, cli_commands[i], "");
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strchr(cli_commands[i]->name, ' '))
            bash_words(out, cli_commands[i], "*");
    lw_putz(out, "    esac; fi\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                 "    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
                 "}\ncomplete -o filenames -F _lacewing lacewing\n");
}

/* Text between single quotes, as zsh and fish read it. */
static void put_quoted(struct lw_sink *out, const char *text, const char *quote_escape)
{
    for (; *text; text++) {
        if (*text == '\'')
            lw_putz(out, quote_escape);
        else if (*text == '[' || *text == ']' || *text == ':')
            lw_put_char(out, ' '); /* special inside zsh's descriptions */
        else
            lw_put_char(out, *text);
    }
}

static void zsh_option(struct lw_sink *out, const struct cli_option *o)
{
    lw_putf(out, "                '--%s[", o->name);
    put_quoted(out, o->help, "");
    lw_putz(out, "]");
    if (o->value)
        lw_putf(out, ":%s:%s", o->value, o->choices ? "(" : "_files");
    if (o->choices) {
        put_choices(out, o->choices);
        lw_put_char(out, ')');
    }
    lw_putz(out, "' \\\n");
}

static void zsh_completion(struct lw_sink *out)
{
    lw_putz(out, "#compdef lacewing\n_lacewing() {\n    local both=\"$words[2] $words[3]\"\n"
                 "    if (( CURRENT == 2 )); then compadd -- ");
    put_top_words(out);
    lw_putz(out, "; return; fi\n    if (( CURRENT == 3 )); then case $words[2] in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->run) {
            lw_putf(out, "        %s) compadd -- ", cli_commands[i]->name);
            put_words_below(out, cli_commands[i]->name);
            lw_putz(out, "; return ;;\n");
        }
    lw_putz(out, "    esac; fi\n    case \"$both\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!cli_commands[i]->run)
            continue;
        lw_putf(out, "        \"%s\"%s) _arguments \\\n", cli_commands[i]->name,
                strchr(cli_commands[i]->name, ' ') ? "" : "*");
        for (const struct cli_option *o = cli_commands[i]->options; o && o->name; o++)
            zsh_option(out, o);
        for (const struct cli_option *o = cli_globals; o->name; o++)
            if (!is_replaced(cli_commands[i], o))
                zsh_option(out, o);
        if (takes_words(cli_commands[i])) {
            lw_putz(out, "                '*:word:(");
            put_choices(out, cli_commands[i]->usage);
            lw_putz(out, ")' ;;\n");
        } else {
            lw_putz(out, "                '*:file:_files' ;;\n");
        }
    }
    lw_putz(out, "    esac\n}\n_lacewing \"$@\"\n");
}

static void fish_option(struct lw_sink *out, const struct cli_option *o, const char *condition)
{
    lw_putf(out, "complete -c lacewing %s -l %s", condition, o->name);
    if (o->letter)
        lw_putf(out, " -s %c", o->letter);
    if (o->value)
        lw_putz(out, o->choices ? " -x -a '" : " -r");
    if (o->choices) {
        put_choices(out, o->choices);
        lw_put_char(out, '\'');
    }
    lw_putz(out, " -d '");
    put_quoted(out, o->help, "\\'");
    lw_putz(out, "'\n");
}

static void fish_completion(struct lw_sink *out)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        const char *space = strchr(c->name, ' ');
        char condition[160];
        if (space) {
            struct lw_str first = lw_str_n(c->name, (size_t)(space - c->name));
            lw_putf(out,
                    "complete -c lacewing -n '__fish_seen_subcommand_from %.*s' -f -a %s -d '",
                    LW_F(first), space + 1);
            snprintf(
                condition, sizeof condition,
                "-n '__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s'",
                LW_F(first), space + 1);
        } else {
            lw_putf(out, "complete -c lacewing -n __fish_use_subcommand -f -a %s -d '",
                    c->name);
            snprintf(condition, sizeof condition, "-n '__fish_seen_subcommand_from %s'",
                     c->name);
        }
        put_quoted(out, c->summary, "\\'");
        lw_putz(out, "'\n");
        for (const struct cli_option *o = c->options; o && o->name; o++)
            fish_option(out, o, condition);
        if (takes_words(c)) {
            lw_putf(out, "complete -c lacewing %s -f -a '", condition);
            put_choices(out, c->usage);
            lw_putz(out, "'\n");
        }
    }
    for (const struct cli_option *o = cli_globals; o->name; o++)
        fish_option(out, o, "");
}

void cli_completion(struct lw_sink *out, struct lw_str shell)
{
    if (lw_str_eq(shell, LW_S("bash")))
        bash_completion(out);
    else if (lw_str_eq(shell, LW_S("zsh")))
        zsh_completion(out);
    else
        fish_completion(out);
}
