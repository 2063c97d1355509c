/*
 * dataset - sets of bug reports with the files their fixes changed, and single reports.
 *
 * A set is a file of JSON lines, perhaps gzip-compressed: {project, id, open_date, summary,
 * description, buggy_commit, fix_commit, truth: [paths]} and optionally mirror, fix_time and
 * any other members, by which results can be grouped. Everything lives in the set's arena.
 */
#ifndef LW_LOCATE_DATASET_H
#define LW_LOCATE_DATASET_H

#include "locate/case.h"

struct lw_column {
    struct lw_str name, value;
};

struct lw_set_line {
    struct lw_ticket ticket; /* its bags are empty until they are made */
    struct lw_str mirror;    /* empty: none */
    struct lw_str buggy_commit, fix_commit;
    int64_t fix_date; /* as the line says; INT64_MAX: it does not */
    const struct lw_str *truth;
    size_t truth_count;
    const struct lw_column *columns; /* other members that are text, numbers or truth values */
    size_t column_count;
};

struct lw_set {
    struct lw_mem *mem;
    struct lw_arena arena;
    LW_VEC(struct lw_set_line) lines; /* in the order of the file */
};

enum { LW_SET_LINE_MAX = 64 << 20 };

/* Reads the file; "-" is standard input. Messages name the line. */
int lw_set_load(struct lw_set *set, struct lw_mem *mem, const char *path, struct lw_err *err);
void lw_set_release(struct lw_set *set);

/* The value of a column (also `project`), or the empty text. */
struct lw_str lw_set_column(const struct lw_set_line *line, struct lw_str name);

/* Reads one report: JSON with summary, description and open_date, or plain text and Markdown
 * whose first line is the summary. LW_EINVAL when it holds no text. In `arena`. */
int lw_ticket_load(struct lw_ticket *ticket, struct lw_arena *arena, const char *path,
                   struct lw_err *err);
int lw_ticket_parse(struct lw_ticket *ticket, struct lw_arena *arena, struct lw_str name,
                    struct lw_str text, struct lw_err *err);

/* Fills the bags. */
int lw_ticket_terms(struct lw_ticket *ticket, lw_index *index, struct lw_arena *arena,
                    struct lw_err *err);

/* "2017-09-11T22:05:47Z", with a zone, a fraction, without a time; false when it is none. */
bool lw_parse_time(struct lw_str text, int64_t *seconds);

/* Markup of the set (<denchmark-…> tags) replaced by blanks, HTML character references resolved
 * (summaries are escaped twice, so twice). In `arena`; p NULL when memory ran out. */
struct lw_str lw_plain_text(struct lw_arena *arena, struct lw_str text);

#endif
