/*
 * What the `bugs` commands share.
 */
#ifndef LW_CLI_BUGS_H
#define LW_CLI_BUGS_H

#include "catalog/catalog.h"
#include "cli/cli.h"
#include "source/git_repo.h"

/* Opens the catalogue of --catalog. */
int bugs_open(struct cli *cli, lw_catalog **catalog, struct lw_err *err);

/* Opens it and finds the bug named by the first argument; with `side` not NULL the id may end
 * in 'b' or 'f' for its version, which --version overrides. Close the catalogue in every case.
 */
int bugs_find(struct cli *cli, lw_catalog **catalog, const struct lw_bug **bug,
              enum lw_side *side, struct lw_err *err);

/* Options of commands that read a bug's repository: --mirror and --fetch. */
#define BUGS_MIRROR_OPTIONS                                                    \
    {"mirror", 0, "DIR", NULL,                                                 \
     "folder with clones of the bugs' repositories, or one of them"},          \
    {                                                                          \
        "fetch", 0, NULL, NULL, "clone the repository first, over the network" \
    }

/* Opens the bug's repository as these options say; LW_EINVAL when it has none. */
int bugs_open_mirror(struct cli *cli, const struct lw_bug *bug, lw_git **git,
                     struct lw_err *err);

/* The key and its value, words filled into lines that fit the terminal; nothing when empty. */
void bugs_put_text(struct cli *cli, const char *key, struct lw_str value);

/* The text, terminal-safe, filled with blanks to `width` columns. */
void bugs_put_padded(struct cli *cli, struct lw_str text, size_t width);

#endif
