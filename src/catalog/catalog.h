/*
 * catalog - a store with the bugs that came with the program, ready to use.
 */
#ifndef LW_CATALOG_CATALOG_H
#define LW_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/ctx.h"
#include "catalog/store.h"
#include "lacewing.h"

struct lw_catalog {
    struct lw_ctx ctx;
    struct store *store;
    const char *path;
    struct lw_arena arena; /* holds the path */
    struct lw_arena found; /* holds the bug of the last lw_catalog_find */
    struct lw_bug bug;
};

/* As lw_catalog_open, with the caller's surroundings. */
int catalog_open(lw_catalog **catalog, const struct lw_ctx *ctx, const char *path,
                 struct lw_err *err);

/* All files of a bug; texts in `arena`, list in the catalogue's memory: lw_vec_release it. */
int catalog_files(lw_catalog *catalog, struct lw_str id, struct lw_arena *arena,
                  lw_file_vec *files, struct lw_err *err);

/* Stores one verdict with its runs, in one transaction. */
int catalog_put_verification(lw_catalog *catalog, const struct store_verification *v,
                             struct lw_err *err);

#endif
