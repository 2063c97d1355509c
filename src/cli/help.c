#include <string.h>

#include "base/str.h"
#include "cli/cli.h"

static void heading(struct lw_sink *out, const struct lw_term *term, const char *text)
{
    lw_putf(out, "\n%s%s%s\n", lw_colour(term, LW_BOLD), text, lw_colour(term, LW_PLAIN));
}

/* Words of a paragraph, broken at `width`, each line behind `indent` blanks. */
static void put_wrapped(struct lw_sink *out, struct lw_str text, size_t indent, size_t width)
{
    struct lw_str word;
    size_t column = 0;
    while (lw_str_split(&text, ' ', &word)) {
        if (column != 0 && column + 1 + word.n > width) {
            lw_put_char(out, '\n');
            column = 0;
        }
        if (column == 0) {
            lw_put_fill(out, ' ', indent);
            column = indent;
        } else {
            lw_put_char(out, ' ');
            column++;
        }
        lw_put(out, word);
        column += word.n;
    }
    lw_put_char(out, '\n');
}

static size_t help_width(const struct lw_term *term)
{
    return term->columns && term->columns < 90 ? term->columns : 90;
}

static void put_option(struct lw_sink *out, const struct cli_option *o, size_t width)
{
    char left[80];
    char letter[5] = "";
    if (o->letter)
        memcpy(letter, (char[]){'-', o->letter, ',', ' ', 0}, 5);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    lw_putf(out, "  %-24s", left);
    if (strlen(left) > 23) {
        lw_putz(out, "\n");
        lw_put_fill(out, ' ', 26);
    }
    struct lw_buf help;
    lw_buf_init(&help, NULL, 0);
    lw_buf_addz(&help, o->help);
    if (o->choices) {
        lw_buf_addz(&help, ": ");
        for (const char *c = o->choices; *c; c++)
            lw_buf_add(&help, *c == '|' ? LW_S(", ") : lw_str_n(c, 1));
    }
    struct lw_buf wrapped;
    lw_buf_init(&wrapped, NULL, 0);
    struct lw_sink to = lw_sink_buf(&wrapped);
    put_wrapped(&to, lw_buf_str(&help), 26, width);
    lw_put(out, lw_str_from(lw_buf_str(&wrapped), 26));
    lw_buf_release(&wrapped);
    lw_buf_release(&help);
}

static bool has_option(const struct cli_option *options, const char *name)
{
    for (; options && options->name; options++)
        if (strcmp(options->name, name) == 0)
            return true;
    return false;
}

/* Without those of the same name in `shown`. */
static void put_options(struct lw_sink *out, const struct cli_option *options,
                        const struct cli_option *shown, size_t width)
{
    for (; options && options->name; options++)
        if (!has_option(shown, options->name))
            put_option(out, options, width);
}

static void put_commands(struct lw_sink *out, const char *below)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        if (below ? cli_is_below(c, below) : !strchr(c->name, ' '))
            lw_putf(out, "  %-18s %s\n", c->name, c->summary);
    }
}

static void put_details(struct lw_sink *out, const char *details, size_t width)
{
    struct lw_str rest = lw_str(details), line;
    while (lw_str_line(&rest, &line)) {
        if (line.n == 0)
            lw_put_char(out, '\n');
        else if (line.p[0] == ' ')
            lw_putf(out, "%.*s\n", LW_F(line)); /* as it is */
        else
            put_wrapped(out, line, 0, width);
    }
}

static void put_examples(struct lw_sink *out, const struct lw_term *term,
                         const struct cli_example *examples)
{
    if (!examples)
        return;
    heading(out, term, "Examples");
    for (; examples->line; examples++)
        lw_putf(out, "  %s\n      %s\n", examples->line, examples->what);
}

static const struct cli_example program_examples[] = {
    {"lacewing demo", "verify the embedded bugs and show a scoreboard"},
    {"lacewing bugs list --category shape", "the shape bugs of the catalogue"},
    {"lacewing help bugs verify", "help of one command"},
    {NULL, NULL},
};

static void program_help(struct lw_sink *out, const struct lw_term *term)
{
    lw_putf(out,
            "lacewing %s - a workbench for deep-learning bugs\n\n"
            "usage: lacewing COMMAND [ARGUMENTS] [OPTIONS]\n",
            lw_version());
    heading(out, term, "Commands");
    put_commands(out, NULL);
    heading(out, term, "Options of every command");
    put_options(out, cli_globals, NULL, help_width(term));
    put_examples(out, term, program_examples);
    lw_putz(
        out,
        "\nExit codes: 0 success, 1 something was found or a verification failed, 2 bad usage "
        "or\ninput, 3 something needed is not installed, 4 an internal error in Lacewing, "
        "130\ninterrupted, 141 the output was a pipe that its reader closed.\n");
}

void cli_help(struct lw_sink *out, const struct lw_term *term, const struct cli_command *c)
{
    size_t width = help_width(term);
    if (!c) {
        program_help(out, term);
        return;
    }
    lw_putf(out, "lacewing %s - %s\n", c->name, c->summary);
    if (c->run)
        lw_putf(out, "\nusage: lacewing %s %s%s[OPTIONS]\n", c->name, c->usage,
                *c->usage ? " " : "");
    else
        lw_putf(out, "\nusage: lacewing %s COMMAND [ARGUMENTS] [OPTIONS]\n", c->name);
    if (c->details) {
        lw_put_char(out, '\n');
        put_details(out, c->details, width);
    }
    if (!strchr(c->name, ' ')) {
        bool any = false;
        for (size_t i = 0; cli_commands[i]; i++)
            any = any || cli_is_below(cli_commands[i], c->name);
        if (any) {
            heading(out, term, "Commands");
            put_commands(out, c->name);
        }
    }
    if (c->options) {
        heading(out, term, "Options");
        put_options(out, c->options, NULL, width);
    }
    heading(out, term, "Options of every command");
    put_options(out, cli_globals, c->options, width);
    put_examples(out, term, c->examples);
}

/* ---- The manual page ----------------------------------------------------------------------
 */

/* roff treats backslashes, and dots and quotes at line starts, in its own way. */
static void put_roff(struct lw_sink *out, struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        bool at_start = i == 0 || text.p[i - 1] == '\n';
        if (c == '\\')
            lw_putz(out, "\\e");
        else if (c == '-')
            lw_putz(out, "\\-");
        else if (at_start && (c == '.' || c == '\''))
            lw_putf(out, "\\&%c", c);
        else
            lw_put_char(out, c);
    }
}

static void man_options(struct lw_sink *out, const struct cli_option *o)
{
    for (; o && o->name; o++) {
        lw_putz(out, ".TP\n.B ");
        if (o->letter)
            lw_putf(out, "\\-%c, ", o->letter);
        lw_putz(out, "\\-\\-");
        put_roff(out, lw_str(o->name));
        if (o->value)
            lw_putf(out, " \\fI%s\\fR", o->value);
        lw_put_char(out, '\n');
        put_roff(out, lw_str(o->help));
        if (o->choices) {
            lw_putz(out, ": ");
            put_roff(out, lw_str(o->choices));
        }
        lw_put_char(out, '\n');
    }
}

static void man_command(struct lw_sink *out, const struct cli_command *c)
{
    lw_putz(out, ".SS \"lacewing ");
    put_roff(out, lw_str(c->name));
    lw_putf(out, "%s", *c->usage ? " " : "");
    put_roff(out, lw_str(c->usage));
    lw_putz(out, "\"\n");
    put_roff(out, lw_str(c->summary));
    lw_putz(out, ".\n");
    if (c->details) {
        lw_putz(out, ".PP\n");
        put_roff(out, lw_str(c->details));
        lw_putz(out, "\n");
    }
    man_options(out, c->options);
    for (const struct cli_example *e = c->examples; e && e->line; e++) {
        lw_putz(out, ".PP\nExample: \\fB");
        put_roff(out, lw_str(e->line));
        lw_putz(out, "\\fR\n.br\n");
        put_roff(out, lw_str(e->what));
        lw_putz(out, "\n");
    }
}

void cli_man_page(struct lw_sink *out)
{
    lw_putf(out,
            ".TH LACEWING 1 \"\" \"lacewing %s\" \"User Commands\"\n"
            ".SH NAME\nlacewing \\- a workbench for deep\\-learning bugs\n"
            ".SH SYNOPSIS\n.B lacewing\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n"
            ".SH DESCRIPTION\nLacewing follows a deep\\-learning bug from the report to a "
            "verified fix, and is a benchmark of such bugs.\n"
            ".SH OPTIONS OF EVERY COMMAND\n",
            lw_version());
    man_options(out, cli_globals);
    lw_putz(out, ".SH COMMANDS\n");
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->run)
            man_command(out, cli_commands[i]);
    lw_putz(
        out,
        ".SH EXIT STATUS\n"
        "0 fine; 1 something was found, or a verification failed; 2 bad usage or input; "
        "3 something needed is not installed; 4 an internal error in Lacewing; 130 interrupted "
        "by SIGINT, SIGTERM or SIGHUP; 141 the reader of the output went away.\n"
        ".SH FILES\n.TP\n.I $XDG_DATA_HOME/lacewing/catalog.db\nThe catalogue "
        "(default: ~/.local/share/lacewing/catalog.db).\n"
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set, no colours.\n.TP\n.B COLUMNS\n"
        "The width of tables.\n.TP\n.B LACEWING_PYTHON\nThe Python "
        "interpreter to try first.\n");
}
