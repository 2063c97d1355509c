/*
 * set - many reports at once.
 *
 * A set is a folder (each regular file in it is a report) or a file of JSON lines, perhaps
 * gzip-compressed. Reports are triaged on several threads and delivered in their order.
 */
#ifndef LW_TRIAGE_SET_H
#define LW_TRIAGE_SET_H

#include "base/ctx.h"
#include "triage/triage.h"

struct lw_report_item {
    struct lw_str id;    /* path in the folder; "project#id" or the number of the line */
    struct lw_str name;  /* for messages */
    struct lw_str bytes; /* of a line; p NULL: the file `name` */
};

struct lw_report_set {
    struct lw_arena arena;
    LW_VEC(struct lw_report_item) items;
};

/* Is the path a set: a folder, "*.jsonl" or "*.jsonl.gz"? */
bool lw_is_report_set(const char *path);

int lw_report_set_load(struct lw_report_set *set, struct lw_mem *mem, const char *path,
                       struct lw_err *err);
void lw_report_set_release(struct lw_report_set *set);

/* Reads an item. */
int lw_report_item_read(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                        const struct lw_report_item *item, struct lw_err *err);

/* A triaged report, valid while it is being delivered. */
struct lw_triaged {
    const struct lw_report_item *item;
    const lw_report *report; /* NULL: it could not be read, see `err` */
    const struct lw_triage *triage;
    struct lw_err err;
};

/* Calls `deliver` for each item in order, on the calling thread. A report that is no report is
 * delivered with its message; other failures end it. */
int lw_triage_set(const struct lw_ctx *ctx, const lw_triager *t,
                  const struct lw_report_set *set,
                  int (*deliver)(void *data, const struct lw_triaged *one, struct lw_err *err),
                  void *data, struct lw_err *err);

#endif
