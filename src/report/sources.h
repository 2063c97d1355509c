/*
 * sources - what report files hold before anything is found in them. Not for other folders.
 */
#ifndef LW_REPORT_SOURCES_H
#define LW_REPORT_SOURCES_H

#include "report/internal.h"

/* The parts of a report; the texts are borrowed from the arena or the file. */
struct report_source {
    enum lw_report_format format;
    struct lw_str summary, description, open_date, project;
    LW_VEC(struct lw_str) comments; /* owned: lw_vec_release */
    LW_VEC(struct lw_str) tags;     /* the same */
};

/* Takes a file apart, whatever format it has. What has to be made anew is put into `arena`. */
int report_source_read(struct report_source *source, struct lw_arena *arena, struct lw_mem *mem,
                       struct lw_str name, struct lw_str bytes, struct lw_err *err);

/* Denchmark's XML; a file without a bug is LW_EINVAL. */
bool report_is_denchmark(struct lw_str text);
int report_from_denchmark(struct report_source *source, struct lw_arena *arena,
                          struct lw_mem *mem, struct lw_str name, struct lw_str text,
                          struct lw_err *err);

/* An e-mail with Subject; false when the text is none. 0 or negative through `*rc`. */
bool report_is_email(struct lw_str text);
int report_from_email(struct report_source *source, struct lw_arena *arena, struct lw_mem *mem,
                      struct lw_str text, struct lw_err *err);

/* Appends HTML as Markdown. `*title` is what <title> holds, borrowed from `text`. */
void report_from_html(struct lw_buf *out, struct lw_str text, struct lw_str *title);
/* Does the text begin like a page or the body of a post? */
bool report_is_html(struct lw_str text);
/* HTML as Markdown in the arena. 0 or LW_ENOMEM. */
int report_html(struct lw_arena *arena, struct lw_mem *mem, struct lw_str text,
                struct lw_str *markdown, struct lw_str *title, struct lw_err *err);

#endif
