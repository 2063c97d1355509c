/* bugs: the heading of the catalogue's commands, and what they share. */
#include "cli/bugs.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "catalog/bug.h"
#include "catalog/mirror.h"

int bugs_open(struct cli *cli, lw_catalog **catalog, struct lw_err *err)
{
    return catalog_open(catalog, &cli->ctx, cli_value(cli, "catalog"), err);
}

/* "x" may name version b or f of "…" when there is no bug of that very name. */
static int find_version(lw_catalog *catalog, struct lw_str id, const struct lw_bug **bug,
                        enum lw_side *side, struct lw_err *err)
{
    struct lw_err first;
    int rc = lw_catalog_find(catalog, id, bug, &first);
    if (rc == LW_ENOENT && id.n > 1 && (id.p[id.n - 1] == 'b' || id.p[id.n - 1] == 'f') &&
        lw_catalog_find(catalog, lw_str_part(id, 0, id.n - 1), bug, err) == 0) {
        *side = id.p[id.n - 1] == 'b' ? LW_BUGGY : LW_FIXED;
        return 0;
    }
    if (rc < 0)
        *err = first;
    return rc;
}

int bugs_find(struct cli *cli, lw_catalog **catalog, const struct lw_bug **bug,
              enum lw_side *side, struct lw_err *err)
{
    int rc = bugs_open(cli, catalog, err);
    if (rc < 0)
        return rc;
    struct lw_str id = lw_str(cli->args[0]);
    return side ? find_version(*catalog, id, bug, side, err)
                : lw_catalog_find(*catalog, id, bug, err);
}

int bugs_open_mirror(struct cli *cli, const struct lw_bug *bug, lw_git **git,
                     struct lw_err *err)
{
    *git = NULL;
    if (bug->git_url.n == 0)
        return lw_err_set(err, LW_EINVAL,
                          "'%.*s' has no repository: its program is in the catalogue",
                          LW_F(bug->id));
    if (cli_flag(cli, "fetch") && lw_mirror_fetch(&cli->ctx, bug, err) < 0)
        return err->code;
    return lw_mirror_open(git, &cli->ctx, bug, cli_value(cli, "mirror"), err);
}

enum { LABEL = 18 };

/* Moves to a new line under the value. */
static void next_line(struct cli *cli, size_t *column)
{
    lw_put_char(&cli->out, '\n');
    lw_put_fill(&cli->out, ' ', LABEL);
    *column = 0;
}

void bugs_put_text(struct cli *cli, const char *key, struct lw_str value)
{
    size_t width = cli->term.columns > LABEL + 20 ? cli->term.columns - LABEL : 78;
    size_t column = 0;
    struct lw_str line, word;
    if (value.n == 0)
        return;
    lw_putf(&cli->out, "%s%-*s%s", lw_colour(&cli->term, LW_BOLD), LABEL, key,
            lw_colour(&cli->term, LW_PLAIN));
    while (lw_str_line(&value, &line)) {
        if (line.n == 0 && column)
            next_line(cli, &column); /* a paragraph ends */
        while (lw_str_split(&line, ' ', &word)) {
            size_t n = lw_utf8_columns(word);
            if (column && column + 1 + n > width)
                next_line(cli, &column);
            if (column)
                lw_put_char(&cli->out, ' ');
            lw_put_safe(&cli->out, word, false);
            column += n + (column > 0);
        }
    }
    lw_put_char(&cli->out, '\n');
}

void bugs_put_padded(struct cli *cli, struct lw_str text, size_t width)
{
    size_t n = lw_utf8_columns(text);
    lw_put_safe(&cli->out, text, false);
    if (n < width)
        lw_put_fill(&cli->out, ' ', width - n);
}

static const struct cli_example examples[] = {
    {"lacewing bugs list", "all bugs"},
    {"lacewing bugs show pt-linear-in-features", "everything about one"},
    {"lacewing bugs verify --all",
     "run them: buggy must fail for the stated reason, fixed must pass"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs = {
    .name = "bugs",
    .usage = "",
    .summary = "the catalogue of bugs",
    .examples = examples,
};
