/*
 * csv - comma-separated values as RFC 4180 has them, read and written as a stream.
 *
 * Reading takes rows of any file size in bounded memory; LF, CRLF and CR end a row, fields may
 * be quoted and then hold separators, quotes (doubled) and line ends. Errors name the line.
 */
#ifndef LW_BASE_CSV_H
#define LW_BASE_CSV_H

#include "base/arena.h"
#include "base/sink.h"
#include "base/vec.h"
#include "lacewing.h"

/* Fills `to` with at most `n` bytes; the number read, 0 at the end, or negative with `err` set.
 */
typedef ptrdiff_t (*lw_read_fn)(void *source, char *to, size_t n, struct lw_err *err);

struct lw_csv {
    struct lw_mem *mem;
    lw_read_fn read;
    void *source;
    struct lw_str name; /* for messages; borrowed */
    char separator;
    size_t max_row;               /* bytes of one row */
    struct lw_buf row;            /* the fields' text, one after another */
    LW_VEC(size_t) ends;          /* where each field ends in `row` */
    LW_VEC(struct lw_str) fields; /* of the row handed out last */
    char *chunk;                  /* read ahead */
    size_t chunk_n, chunk_at;
    struct lw_str text; /* what lw_csv_open_text has left */
    int fd;             /* of lw_csv_open_file, else -1 */
    uint64_t line;      /* where the current row began, from 1 */
    uint64_t next_line;
    bool at_end;
};

/* `separator` is usually ','. A row over 16 MiB is refused. */
int lw_csv_open(struct lw_csv *csv, struct lw_mem *mem, struct lw_str name, char separator,
                lw_read_fn read, void *source, struct lw_err *err);
/* Over text in memory (borrowed). */
int lw_csv_open_text(struct lw_csv *csv, struct lw_mem *mem, struct lw_str name, char separator,
                     struct lw_str text, struct lw_err *err);
/* Over a file; `path` borrowed, "-" is standard input. */
int lw_csv_open_file(struct lw_csv *csv, struct lw_mem *mem, const char *path, char separator,
                     struct lw_err *err);

/* 1 and the row in csv->fields (borrowed until the next call), 0 at the end, or negative. An
 * empty line is a row of one empty field; a UTF-8 byte-order mark at the start is skipped. */
int lw_csv_next(struct lw_csv *csv, struct lw_err *err);

void lw_csv_close(struct lw_csv *csv);

/* One field, quoted where needed; `first` says that no separator goes before it. */
void lw_csv_put(struct lw_sink *out, struct lw_str field, bool first);
/* The end of the row (CRLF would be RFC 4180's; everybody reads LF). */
void lw_csv_end_row(struct lw_sink *out);

#endif
