/* Any bytes are lines of a log or not; rows lie in their line, in order, with a name; a reader
 * says the same again after it was cleared. */
#include "report/training_log.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    struct lw_str line;
    uint32_t at, last;
    size_t rows;
};

static int see_row(void *data, const struct lw_log_row *row)
{
    struct seen *s = data;
    INVARIANT(row->start >= s->at && row->start < row->end);
    INVARIANT(row->end <= s->at + s->line.n && row->start >= s->last);
    INVARIANT(row->metric.n > 0 && row->text.n > 0);
    INVARIANT(row->text.p >= s->line.p && row->text.p + row->text.n <= s->line.p + s->line.n);
    s->last = row->start;
    s->rows++;
    return 0;
}

static size_t read_all(lw_log_reader *log, struct lw_str text)
{
    struct lw_str rest = text, line;
    size_t rows = 0;
    lw_log_clear(log);
    while (lw_str_line(&rest, &line)) {
        struct seen s = {.line = line, .at = (uint32_t)(line.p - text.p)};
        bool is = false;
        INVARIANT(lw_log_line(log, line, s.at, see_row, &s, &is) == 0);
        INVARIANT(is || s.rows == 0);
        rows += s.rows;
    }
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_err err = {0};
    lw_log_reader *log = NULL;
    struct lw_str text = lw_str_n((const char *)data, size);
    if (lw_log_new(&log, NULL, &err) < 0)
        return 0;
    size_t rows = read_all(log, text);
    INVARIANT(read_all(log, text) == rows);
    lw_log_free(log);
    return 0;
}
