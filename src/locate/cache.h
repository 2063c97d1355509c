/*
 * cache - the folder where containers are kept between runs.
 *
 * Below the cache folder every repository has a folder of its own. Files are named by kind and
 * checksum. Nothing here is needed: what cannot be read or written is done again, or not kept.
 */
#ifndef LW_LOCATE_CACHE_H
#define LW_LOCATE_CACHE_H

#include "base/ctx.h"
#include "locate/container.h"

struct lw_cache {
    const struct lw_ctx *ctx; /* borrowed */
    struct lw_buf root;       /* "…/lacewing/locate"; empty: no cache */
    struct lw_buf folder;     /* of the repository */
    uint64_t limit;           /* bytes below root */
    bool changed;             /* something was written */
    size_t damaged;           /* files that could not be used and were removed */
};

/* `path` NULL: nothing is kept. `repository` is any text that names it. */
int lw_cache_open(struct lw_cache *c, const struct lw_ctx *ctx, const char *path,
                  struct lw_str repository, uint64_t limit, struct lw_err *err);
/* Drops the oldest files beyond the limit when something was written. */
void lw_cache_close(struct lw_cache *c);

/* Gets each container of the kind, oldest first, and takes it over (NULL `container->p` after
 * that). Negative fails. */
typedef int lw_cache_fn(void *data, struct lw_container *container, struct lw_err *err);

/* Opens all containers of the kind; damaged and outdated ones are removed. */
int lw_cache_each(struct lw_cache *c, uint32_t kind, uint64_t format, lw_cache_fn *fn,
                  void *data, struct lw_err *err);

/* Opens the container of that name; false when there is none that can be used. */
bool lw_cache_find(struct lw_cache *c, uint32_t kind, uint64_t name, uint64_t format,
                   struct lw_container *container);
/* Keeps the finished image under a name that is not its checksum, and no more than `most` of
 * its kind for the repository: the oldest go. */
bool lw_cache_put_as(struct lw_cache *c, uint32_t kind, uint64_t name, size_t most,
                     const struct lw_container_writer *w);

/* Keeps the finished image; is it kept now? Failure is logged, never fatal. */
bool lw_cache_put(struct lw_cache *c, uint32_t kind, const struct lw_container_writer *w);

/* So many small containers of a kind are put together into one. */
enum { LW_CACHE_MERGE = 8 };

/* Removes a container whose content is in another now. Whoever has it open keeps it. */
void lw_cache_drop(struct lw_cache *c, uint32_t kind, uint64_t checksum);

#endif
