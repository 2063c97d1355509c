/*
 * releases - versions of packages that existed when a report was written and go together.
 *
 * A version that the report states is kept. Else the newest release before the report's date is
 * taken, or without a date the newest that is known; NumPy has to fit the framework
 * (data/reproduce/releases.csv). Packages without a release there stay without a version.
 */
#ifndef LW_REPRODUCE_RELEASES_H
#define LW_REPRODUCE_RELEASES_H

#include "base/arena.h"
#include "lacewing.h"
#include "report/report.h"

/* Fills requirements and python_version of `bug` for a program; texts in `arena`. */
int rp_environment(struct lw_bug *bug, struct lw_str program, const lw_report *report,
                   struct lw_arena *arena, struct lw_err *err);

#endif
