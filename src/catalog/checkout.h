/*
 * checkout - the program of a bug as files a person can work with.
 */
#ifndef LW_CATALOG_CHECKOUT_H
#define LW_CATALOG_CHECKOUT_H

#include "catalog/catalog.h"
#include "source/git_repo.h"

/*
 * Writes one side of the bug into the new folder `into`: the program, its test, data, report
 * and requirements. All or nothing: a folder with content is refused, and after a failure
 * nothing is left. `*count` is the number of files.
 */
int lw_checkout(lw_catalog *catalog, const struct lw_bug *bug, enum lw_side side,
                const char *into, size_t *count, struct lw_err *err);

/* The same for a bug that lives in a repository: its whole tree. `*passed_over` counts what the
 * mirror lacks, links and submodules. */
int lw_checkout_git(lw_catalog *catalog, lw_git *git, const struct lw_bug *bug,
                    enum lw_side side, const char *into, size_t *count, size_t *passed_over,
                    struct lw_err *err);

/* Writes what a run needs (program, test, data) of already loaded files into an existing
 * folder. */
int lw_checkout_for_run(const lw_file_vec *files, const struct lw_bug *bug, enum lw_side side,
                        const char *folder, struct lw_mem *mem, struct lw_err *err);

#endif
