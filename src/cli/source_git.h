/*
 * What the `source` commands that read git repositories share.
 */
#ifndef LW_CLI_SOURCE_GIT_H
#define LW_CLI_SOURCE_GIT_H

#include "cli/cli.h"
#include "source/git_commit.h"
#include "source/git_diff.h"

enum { SOURCE_DATE = 11 };

/* Opens the repository of the first argument. */
int source_git_open(struct cli *cli, lw_git **git, struct lw_err *err);

/* Resolves `rev`, or HEAD when it is NULL. */
int source_git_rev(lw_git *git, const char *rev, struct lw_git_id *commit, struct lw_err *err);

/* Says on standard error what had to be skipped, and closes. */
void source_git_close(struct cli *cli, lw_git *git);

/* "2026-03-01" of the person's own day; returns `out`. */
const char *source_git_day(const struct lw_git_person *person, char out[SOURCE_DATE]);

/* The keys of a commit in the object that is open: commit, author, email, date, subject; nulls
 * but the first when it cannot be read. */
void source_git_json_commit(struct lw_jsonw *w, const struct lw_git_id *id,
                            const struct lw_git_commit *commit);

/* The keys of a change: status, similarity, path, old_path, modes and ids. */
void source_git_json_change(struct lw_jsonw *w, const struct lw_git_change *change);

/* "R 95  old => new" without a line end. */
void source_git_put_change(struct cli *cli, const struct lw_git_change *change);

#endif
