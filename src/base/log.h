/*
 * log - talk to the user beside the results: warnings, notes, and detail on request.
 *
 * Lines go to one stream (standard error) as "lacewing: warning: …". May be called from any
 * thread; a line is written whole.
 */
#ifndef LW_BASE_LOG_H
#define LW_BASE_LOG_H

#include <stdio.h>

#include "lacewing.h"

enum lw_log_level { LW_LOG_ERROR, LW_LOG_WARNING, LW_LOG_INFO, LW_LOG_DEBUG };

struct lw_log {
    FILE *file;              /* borrowed; NULL = silent */
    enum lw_log_level level; /* lines above it are dropped */
};

void lw_log(const struct lw_log *log, enum lw_log_level level, const char *fmt, ...)
    LW_PRINTF(3, 4);

#endif
