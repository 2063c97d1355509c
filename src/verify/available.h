/*
 * available - can a bug run on this machine, and with which interpreter?
 *
 * Answers come from the interpreters' module folders and are remembered per kind of
 * environment; no Python is started for a listing (pythons.h).
 */
#ifndef LW_VERIFY_AVAILABLE_H
#define LW_VERIFY_AVAILABLE_H

#include "base/ctx.h"
#include "lacewing.h"
#include "verify/pythons.h"

typedef struct lw_available lw_available;

int lw_available_new(lw_available **available, const struct lw_ctx *ctx, struct lw_err *err);
void lw_available_free(lw_available *available); /* NULL is fine */

/* The interpreter that has the modules and versions the bug needs, borrowed from the handle.
 * LW_EMISSING says in one line what is missing and how to get it. Any thread may call it. */
int lw_available_python(lw_available *available, const struct lw_bug *bug,
                        const struct python **python, struct lw_err *err);

/* Is there one? Has the form of a query's filter: `available` is a lw_available. */
bool lw_available_bug(void *available, const struct lw_bug *bug);
/* 0, or why lw_available_bug could not find out for some bug and said no. */
int lw_available_failure(const lw_available *available, struct lw_err *err);

#endif
