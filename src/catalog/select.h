/*
 * select - turns a query into SQL.
 */
#ifndef LW_CATALOG_SELECT_H
#define LW_CATALOG_SELECT_H

#include "base/buf.h"
#include "base/vec.h"
#include "catalog/facets.h"
#include "lacewing.h"

struct select {
    struct lw_buf sql;
    LW_VEC(struct lw_str) bound; /* values of the '?' in order */
    struct lw_buf match;         /* the full-text expression, where there is one */
    int failed;
};

/* What the rows hold. */
enum select_what { SELECT_BUGS, SELECT_COUNT };

/* Builds the statement; `filter` is what the query's filters came to. LW_EINVAL for an unknown
 * sort field. Release it in every case. */
int select_build(struct select *s, struct lw_mem *mem, const struct lw_query *q,
                 const struct facet_filter *filter, enum select_what what, struct lw_err *err);
void select_release(struct select *s);

/* Adds "b.id, b.title, e.modules, …": all text fields, or only those of a listing. */
void select_columns(struct lw_buf *sql, bool all);

#endif
