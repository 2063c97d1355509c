/*
 * writer - appends to a trace file.
 *
 * What is added is gathered in memory and goes to the file in blocks: when a block is full, and
 * when lw_trace_writer_flush is called. Each block is one write(2) to the end of the file, so
 * that a kill loses at most what was gathered since. A write that fails (a full disk) takes
 * back what it wrote, and nothing more is written: the file stays good up to there.
 *
 * After fork() the child's writer does nothing: the file belongs to the process that made it.
 */
#ifndef LW_TRACE_WRITER_H
#define LW_TRACE_WRITER_H

#include "base/mem.h"
#include "lacewing.h"
#include "trace/name.h"
#include "trace/stats.h"

typedef struct lw_trace_writer lw_trace_writer;

/* Makes the file, or empties it; with `only_new` a file that exists is an error. Free with
 * lw_trace_writer_close. */
int lw_trace_writer_open(lw_trace_writer **writer, struct lw_mem *mem, const char *path,
                         bool only_new, struct lw_err *err);

/* Writes what is left. 0, or the first failure since the file was made. `w` may be NULL. */
int lw_trace_writer_close(lw_trace_writer *w, struct lw_err *err);

/* A fact about the run: the members of a JSON object, valid JSON. */
int lw_trace_add_meta(lw_trace_writer *w, struct lw_str json);

/* What an id stands for in points, rows and events; once for each id, before its first use. */
int lw_trace_add_name(lw_trace_writer *w, const struct lw_trace_name *name);

/* A single number at a step; `time` in seconds since the run began. */
int lw_trace_add_point(lw_trace_writer *w, uint32_t id, uint32_t step, float time,
                       double value);
/* Statistics of a tensor at a step. */
int lw_trace_add_row(lw_trace_writer *w, uint32_t id, uint32_t step,
                     const struct lw_tensor_stats *stats);
/* Something was called: about `subject` (an id, 0 = none) with a number. */
int lw_trace_add_event(lw_trace_writer *w, uint32_t id, uint32_t step, uint32_t subject,
                       double value);

/* Writes what was gathered. */
int lw_trace_writer_flush(lw_trace_writer *w);

#endif
