/*
 * training_log - what a training prints, as rows of numbers.
 *
 * In: lines of text, one at a time as they come (a report, or the output of a running
 * program). Out: one row for each metric that a line states, with the epoch and the step it
 * belongs to and the bytes it stands in. Known: the progress bars of Keras (also when a
 * carriage return rewrites them), "Epoch 3 loss: 0.3" in its many forms, tqdm, Lightning,
 * the dictionaries of Hugging Face, and CSV with a header line.
 *
 * A reader remembers the epoch that was named last and the header of a CSV, and belongs to one
 * stretch of output. Names of metrics and counters are in data/report/.
 */
#ifndef LW_REPORT_TRAINING_LOG_H
#define LW_REPORT_TRAINING_LOG_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_log_row {
    int64_t epoch, step;   /* -1: not known */
    int64_t epochs, steps; /* how many there will be; -1: not known */
    struct lw_str metric;  /* as ours: "loss", "val_accuracy"; an unknown one as written */
    double value;          /* may be no number or infinite */
    uint32_t start, end;   /* bytes of the text: from the metric's name to its value's end */
    struct lw_str text;    /* the value as written; borrowed from the line */
    bool last;             /* of its epoch: later lines do not rewrite it */
};

typedef struct lw_log_reader lw_log_reader;

/* Who gets the rows of a line. Negative ends the reading. */
typedef int (*lw_log_sink)(void *data, const struct lw_log_row *row);

int lw_log_new(lw_log_reader **out, struct lw_mem *mem, struct lw_err *err);
/* NULL is fine. */
void lw_log_free(lw_log_reader *log);
/* A new stretch of output begins: epoch and header are forgotten. */
void lw_log_clear(lw_log_reader *log);

/* Reads a line (without its line end; a carriage return inside begins the line anew) that
 * stands at byte `at` of the text. `*is` says whether it is a line of a training log, also when
 * it states no metric ("Epoch 1/10"). Returns 0, or what `sink` returned. `sink` may be NULL.
 */
int lw_log_line(lw_log_reader *log, struct lw_str line, uint32_t at, lw_log_sink sink,
                void *data, bool *is);

#endif
