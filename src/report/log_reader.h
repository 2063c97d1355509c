/*
 * log_reader - the state of a training log's reader, for the report reader that shares its
 * tables with it. Not for other folders.
 */
#ifndef LW_REPORT_LOG_READER_H
#define LW_REPORT_LOG_READER_H

#include "report/training_log.h"
#include "report/words.h"

enum { LOG_COLUMNS = 32 };

struct lw_log_reader {
    struct lw_mem *mem;               /* borrowed */
    struct report_words own;          /* of a reader that came from lw_log_new */
    const struct report_words *words; /* borrowed, or `own` */
    struct lw_arena arena;
    struct lw_map names; /* of metrics, each kept once in `arena` */
    int64_t epoch, epochs;
    struct lw_str columns[LOG_COLUMNS];
    size_t column_count; /* 0: no header was seen */
    char separator;
};

/* A reader that borrows the tables. */
void report_log_init(lw_log_reader *log, struct lw_mem *mem, const struct report_words *words);
void report_log_release(lw_log_reader *log);

/* Our name of a metric on a part of the data ("val"); lives as long as the reader. p == NULL
 * when memory ran out. */
struct lw_str report_log_name(lw_log_reader *log, struct lw_str prefix, struct lw_str name);

#endif
