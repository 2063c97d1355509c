/*
 * query - one report against one commit of one repository, for people.
 */
#ifndef LW_LOCATE_QUERY_H
#define LW_LOCATE_QUERY_H

#include "locate/dataset.h"
#include "locate/technique.h"

struct lw_query_options {
    const char *repo;
    struct lw_str rev;
    struct lw_index_options index;
    const struct lw_setup *setup;
    size_t top;                   /* how many to explain; 0 = all */
    bool functions;               /* rank functions of the best files too */
    const struct lw_set *earlier; /* reports that may be similar; NULL: none */
};

struct lw_place {
    struct lw_str path;
    double score;
    struct lw_str why;
    struct lw_str function; /* qualified name, "Class.method"; with `functions` only */
    uint32_t first, last;   /* its lines */
};

struct lw_found {
    struct lw_arena arena;
    struct lw_git_id commit;
    size_t candidates; /* files that were ranked */
    double seconds;
    const struct lw_place *places; /* the best first; at most `top` */
    size_t n;
    struct lw_index_figures index;
};

/* `ticket` gets its terms. */
int lw_query_run(struct lw_found *found, const struct lw_ctx *ctx, struct lw_ticket *ticket,
                 const struct lw_query_options *options, struct lw_err *err);
void lw_found_release(struct lw_found *found);

#endif
