/*
 * Lines of a training log.
 *
 * A line is read from left to right as counters ("Epoch 3/10", "step: 200"), pairs of a name
 * and a number, bars, and words that are neither. What was found decides whether the line is
 * one of a log; only then are its pairs handed out. Each byte is looked at a bounded number of
 * times.
 */
#include "report/training_log.h"

#include "base/num.h"
#include "report/internal.h"
#include "report/log_reader.h"
#include "report/values.h"

enum { PAIRS = 48, NAME_LENGTH = 64, PLAIN_WORDS = 6 };

struct pair {
    struct lw_str prefix; /* "val" */
    struct lw_str name;   /* ours, or as written */
    size_t start, end;
    struct lw_str text;
    double value;
};

/* What one line was found to hold. */
struct log_line {
    struct lw_str text;
    struct pair pairs[PAIRS];
    size_t n;
    size_t known; /* pairs whose metric is in the tables */
    size_t plain; /* words that are part of nothing */
    int64_t epoch, epochs, step, steps;
    bool bar;
};

static char at(const struct log_line *l, size_t i)
{
    return i < l->text.n ? l->text.p[i] : '\n';
}

static size_t skip(const struct log_line *l, size_t i, const char *what)
{
    while (i < l->text.n && strchr(what, l->text.p[i]))
        i++;
    return i;
}

static size_t whole_number(const struct log_line *l, size_t i, int64_t *value)
{
    size_t n = 0;
    while (report_is_digit(at(l, i + n)))
        n++;
    return n && n < 16 && lw_parse_i64(lw_str_part(l->text, i, n), value) ? n : 0;
}

/* ---- Counters ---------------------------------------------------------------------------- */

static void set_counter(struct log_line *l, bool epoch, int64_t value, int64_t of)
{
    if (epoch) {
        l->epoch = value;
        l->epochs = of;
    } else {
        l->step = value;
        l->steps = of;
    }
}

/* "/ 10" or " of 10" behind a counter. */
static size_t counter_total(const struct log_line *l, size_t i, int64_t *of)
{
    size_t k = skip(l, i, " ");
    if (at(l, k) == '/')
        k = skip(l, k + 1, " ");
    else if (lw_str_has_prefix(lw_str_from(l->text, k), LW_S("of ")))
        k += 3;
    else
        return i;
    size_t n = whole_number(l, k, of);
    return n ? k + n : i;
}

/* The number behind the name of a counter that ends at `i`; 0 when there is none. */
static size_t counter(struct log_line *l, size_t i, bool epoch)
{
    int64_t value, of = -1;
    size_t k = skip(l, i, " \t:=#[('\"`*");
    size_t n = whole_number(l, k, &value);
    if (!n || (k == i && !epoch))
        return 0;
    k += n;
    if (at(l, k) == '.' && report_is_digit(at(l, k + 1))) /* 'epoch': 1.5 */
        while (at(l, k) == '.' || report_is_digit(at(l, k)))
            k++;
    else
        k = counter_total(l, k, &of);
    if (report_is_letter(at(l, k)))
        return 0;
    set_counter(l, epoch, value, of);
    if (epoch && at(l, k) == ']' && at(l, k + 1) == '[') { /* Epoch: [0][10/500] */
        size_t m = skip(l, k + 2, " ");
        n = whole_number(l, m, &value);
        of = -1;
        if (n) {
            k = counter_total(l, m + n, &of);
            set_counter(l, false, value, of);
        }
    }
    return k;
}

static bool is_bar_mark(struct lw_str s)
{
    return s.n && (s.p[0] == '[' || s.p[0] == '|' || lw_str_has_prefix(s, LW_S("\xe2\x94")) ||
                   lw_str_has_prefix(s, LW_S("\xe2\x96")));
}

/* "32/60000 [=>...]", "45%|####   | 45/100 [00:10<": bars, and the steps beside them. */
static size_t bare_number(struct log_line *l, size_t i)
{
    int64_t value, of;
    size_t n = whole_number(l, i, &value);
    if (!n)
        return i + 1;
    if (at(l, i + n) == '%') {
        l->bar |= is_bar_mark(lw_str_from(l->text, skip(l, i + n + 1, " ")));
        return i + n + 1;
    }
    size_t end = counter_total(l, i + n, &of);
    bool steps = end > i + n && !report_is_letter(at(l, end)) && at(l, end) != '/';
    if (!steps) {
        while (report_is_word(at(l, i + n)) || at(l, i + n) == '.')
            n++;
        return i + n;
    }
    struct lw_str rest = lw_str_from(l->text, skip(l, end, " \t"));
    bool bar = is_bar_mark(rest) && rest.p[0] != '|';
    if (l->step < 0 && (l->bar || bar || i == skip(l, 0, " \t[(|") || l->epoch >= 0))
        set_counter(l, false, value, of);
    l->bar |= bar;
    return end;
}

/* ---- Pairs ------------------------------------------------------------------------------- */

/* Where the value of a name that ends at `i` may begin, 0 when nothing leads there. */
static size_t value_at(const struct log_line *l, size_t i, bool known)
{
    size_t k = skip(l, i, "'\"`*)]");
    k = skip(l, k, " \t");
    bool sign = at(l, k) == ':' || at(l, k) == '=';
    if (!sign && (!known || k == i))
        return 0;
    k = skip(l, k, ":= \t'\"*|");
    if (lw_str_has_prefix(lw_str_from(l->text, k), LW_S("tensor(")))
        k += 7;
    return skip(l, k, "[(");
}

/* The pair whose name is [start, i); where to go on, 0 when it is none. */
static size_t take_pair(struct log_line *l, size_t start, size_t i, struct lw_str prefix,
                        struct lw_str name, bool known)
{
    double value;
    size_t k = value_at(l, i, known);
    size_t n = k ? report_number(lw_str_from(l->text, k), &value) : 0;
    if (!n || at(l, k + n) == '/')
        return 0;
    if (l->n < PAIRS) {
        l->pairs[l->n++] = (struct pair){.prefix = prefix,
                                         .name = name,
                                         .start = start,
                                         .end = k + n,
                                         .text = lw_str_part(l->text, k, n),
                                         .value = value};
        l->known += known;
    }
    return k + n;
}

static size_t word_end(const struct log_line *l, size_t i)
{
    while (report_is_word(at(l, i)) ||
           ((at(l, i) == '/' || at(l, i) == '.' || at(l, i) == '-') &&
            report_is_letter(at(l, i + 1))))
        i++;
    return i;
}

/* "loss: 0.3", "val_acc 0.9", "Train Loss = 1.2" */
static size_t known_pair(const struct report_words *words, struct log_line *l, size_t i)
{
    struct lw_str prefix = {0};
    size_t n, start = i;
    const struct report_word *w =
        report_words_at(words, l->text, i, report_word_bit(REPORT_WORD_PART), &n);
    if (w) {
        size_t next = skip(l, i + n, " _-/.:");
        if (next > i + n && next < l->text.n) {
            prefix = w->name;
            i = next;
        }
    }
    w = report_words_at(words, l->text, i, report_word_bit(REPORT_WORD_METRIC), &n);
    if (!w || report_is_word(at(l, i + n)))
        return 0;
    return take_pair(l, start, i + n, prefix, w->name, true);
}

/* A number that is no metric, or of a name that no table has. */
static size_t other_pair(const struct report_words *words, struct log_line *l, size_t i)
{
    size_t n, end = word_end(l, i), pairs = l->n;
    const struct report_word *w =
        report_words_at(words, l->text, i, report_word_bit(REPORT_WORD_SKIP), &n);
    if (w && i + n >= end) {
        size_t after = take_pair(l, i, i + n, (struct lw_str){0}, w->words, false);
        l->n = pairs;
        l->bar |= lw_str_eq(w->words, LW_S("eta")) && at(l, i + n) == ':';
        return after ? after : i + n;
    }
    struct lw_str name = lw_str_part(l->text, i, end - i);
    return name.n < NAME_LENGTH ? take_pair(l, i, end, (struct lw_str){0}, name, false) : 0;
}

/* The word at `i`; where to go on. */
static size_t see_word(const struct report_words *words, struct log_line *l, size_t i)
{
    size_t n, next;
    const struct report_word *w =
        report_words_at(words, l->text, i, report_word_bit(REPORT_WORD_COUNTER), &n);
    bool part = i > 0 && (l->text.p[i - 1] == '/' || l->text.p[i - 1] == '.');
    if (w && !part && !report_is_letter(at(l, i + n)) &&
        (next = counter(l, i + n, lw_str_eq(w->name, LW_S("epoch")))) > 0)
        return next;
    if ((next = known_pair(words, l, i)) > 0 || (next = other_pair(words, l, i)) > 0)
        return next;
    l->plain++;
    return word_end(l, i) > i ? word_end(l, i) : i + 1;
}

static void see_line(const struct report_words *words, struct log_line *l)
{
    for (size_t i = 0; i < l->text.n;) {
        char c = l->text.p[i];
        if (report_is_digit(c))
            i = bare_number(l, i);
        else if (report_is_letter(c) && c != '_')
            i = see_word(words, l, i);
        else
            i++;
    }
}

/* ---- Verdict ----------------------------------------------------------------------------- */

static bool is_log(const struct log_line *l)
{
    bool counted = l->epoch >= 0 || l->step >= 0;
    if (l->bar && (counted || l->known) && l->plain <= 2 * PLAIN_WORDS)
        return true;
    if (l->known && counted && l->plain <= PLAIN_WORDS)
        return true;
    if (l->known >= 2 && l->plain <= PLAIN_WORDS - 2)
        return true;
    if (l->known && l->plain == 0)
        return true;
    return l->epoch >= 0 && l->plain <= (l->epochs >= 0 ? 1 : 0) && l->n == 0;
}

static int hand_out(lw_log_reader *log, const struct log_line *l, uint32_t offset,
                    lw_log_sink sink, void *data)
{
    bool last = l->steps < 0 || l->step == l->steps;
    for (size_t i = 0; i < l->n && sink; i++) {
        const struct pair *p = &l->pairs[i];
        struct lw_log_row row = {.epoch = log->epoch,
                                 .step = l->step,
                                 .epochs = log->epochs,
                                 .steps = l->steps,
                                 .value = p->value,
                                 .start = offset + (uint32_t)p->start,
                                 .end = offset + (uint32_t)p->end,
                                 .text = p->text,
                                 .last = last};
        row.metric = report_log_name(log, p->prefix, p->name);
        if (!row.metric.p)
            return LW_ENOMEM;
        int rc = sink(data, &row);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- CSV --------------------------------------------------------------------------------- */

/* Names separated by commas or tabs, one of them a metric or a counter: a header. */
static bool read_header(lw_log_reader *log, struct lw_str line)
{
    char separator = lw_str_find_char(line, ',') >= 0 ? ',' : '\t';
    size_t columns = 0, known = 0, n;
    struct lw_str rest = line, field;
    while (lw_str_split(&rest, separator, &field)) {
        field = lw_str_trim(field);
        if (!field.n || columns == LOG_COLUMNS || field.n >= NAME_LENGTH ||
            !report_is_letter(field.p[0]))
            return false;
        for (size_t i = 0; i < field.n; i++)
            if (!report_is_word(field.p[i]) && field.p[i] != '/' && field.p[i] != '-')
                return false;
        uint64_t kinds = report_word_bit(REPORT_WORD_METRIC) |
                         report_word_bit(REPORT_WORD_COUNTER) |
                         report_word_bit(REPORT_WORD_PART);
        const struct report_word *w = report_words_at(log->words, field, 0, kinds, &n);
        known += w && (n == field.n || w->kind == REPORT_WORD_PART);
        struct lw_str name = report_log_name(log, (struct lw_str){0}, field);
        if (!name.p)
            return false;
        log->columns[columns++] = name;
    }
    if (columns < 2 || known < 2)
        return false;
    log->column_count = columns;
    log->separator = separator;
    return true;
}

/* A cell under a header: a counter, a metric, or something else. */
static void csv_cell(const lw_log_reader *log, struct log_line *l, struct lw_str column,
                     struct lw_str cell, double value)
{
    size_t n, start = (size_t)(cell.p - l->text.p);
    const struct report_word *w =
        report_words_at(log->words, column, 0, report_word_bit(REPORT_WORD_COUNTER), &n);
    if (w && n == column.n) {
        set_counter(l, lw_str_eq(w->name, LW_S("epoch")), (int64_t)value, -1);
        return;
    }
    struct lw_str prefix = {0}, name = column;
    w = report_words_at(log->words, column, 0, report_word_bit(REPORT_WORD_PART), &n);
    if (w && n + 1 < column.n) {
        prefix = w->name;
        name = lw_str_from(column, n + 1);
    }
    w = report_words_at(log->words, name, 0, report_word_bit(REPORT_WORD_METRIC), &n);
    bool known = w && n == name.n;
    if (l->n < PAIRS)
        l->pairs[l->n++] = (struct pair){.prefix = known ? prefix : (struct lw_str){0},
                                         .name = known ? w->name : column,
                                         .start = start,
                                         .end = start + cell.n,
                                         .text = cell,
                                         .value = value};
}

static bool read_csv(const lw_log_reader *log, struct log_line *l)
{
    struct lw_str rest = l->text, field;
    size_t column = 0;
    for (; lw_str_split(&rest, log->separator, &field); column++) {
        double value;
        field = lw_str_trim(field);
        if (column == log->column_count || (field.n && report_number(field, &value) != field.n))
            return false;
        if (field.n)
            csv_cell(log, l, log->columns[column], field, value);
    }
    bool open = l->text.n && l->text.p[l->text.n - 1] == log->separator; /* last one empty */
    return column + open == log->column_count && (l->n || l->epoch >= 0);
}

/* ---- Face -------------------------------------------------------------------------------- */

static int one_line(lw_log_reader *log, struct lw_str line, uint32_t offset, lw_log_sink sink,
                    void *data, bool *is)
{
    struct log_line l = {.text = line, .epoch = -1, .epochs = -1, .step = -1, .steps = -1};
    *is = false;
    if (lw_str_find_char(line, ',') >= 0 || lw_str_find_char(line, '\t') >= 0) {
        *is = log->column_count && read_csv(log, &l);
        if (!*is && read_header(log, line)) {
            *is = true;
            return 0;
        }
    }
    if (!*is) {
        l.n = 0;
        l.epoch = l.step = l.steps = l.epochs = -1;
        see_line(log->words, &l);
        *is = is_log(&l);
    }
    if (!*is)
        return 0;
    if (l.epoch >= 0) {
        log->epoch = l.epoch;
        if (l.epochs >= 0)
            log->epochs = l.epochs;
    }
    return hand_out(log, &l, offset, sink, data);
}

int lw_log_line(lw_log_reader *log, struct lw_str line, uint32_t offset, lw_log_sink sink,
                void *data, bool *is)
{
    struct lw_str rest = line, piece;
    *is = false;
    while (lw_str_split(&rest, '\r', &piece)) {
        bool one;
        int rc = one_line(log, piece, offset + (uint32_t)(piece.p - line.p), sink, data, &one);
        *is |= one;
        if (rc < 0)
            return rc;
    }
    return 0;
}

void lw_log_clear(lw_log_reader *log)
{
    log->epoch = log->epochs = -1;
    log->column_count = 0;
}

void report_log_init(lw_log_reader *log, struct lw_mem *mem, const struct report_words *words)
{
    *log = (lw_log_reader){.mem = mem, .words = words};
    lw_arena_init(&log->arena, mem, 0);
    lw_map_init(&log->names, mem);
    lw_log_clear(log);
}

void report_log_release(lw_log_reader *log)
{
    lw_map_release(&log->names);
    lw_arena_release(&log->arena);
}

int lw_log_new(lw_log_reader **out, struct lw_mem *mem, struct lw_err *err)
{
    *out = NULL;
    lw_log_reader *log = lw_mem_alloc(mem, sizeof *log);
    if (!log)
        return lw_err_nomem(err);
    report_log_init(log, mem, &log->own);
    int rc = report_words_load(&log->own, mem, err);
    if (rc < 0) {
        report_log_release(log);
        lw_mem_free(mem, log, sizeof *log);
        return rc;
    }
    *out = log;
    return 0;
}

void lw_log_free(lw_log_reader *log)
{
    if (!log)
        return;
    struct lw_mem *mem = log->mem;
    report_words_release(&log->own);
    report_log_release(log);
    lw_mem_free(mem, log, sizeof *log);
}

/* "val" and "loss" to "val_loss"; of the training part the name alone. */
struct lw_str report_log_name(lw_log_reader *log, struct lw_str prefix, struct lw_str name)
{
    char joined[2 * NAME_LENGTH];
    size_t n = 0;
    if (prefix.n && !lw_str_eq(prefix, LW_S("train")) && prefix.n < NAME_LENGTH - 1) {
        memcpy(joined, prefix.p, prefix.n);
        joined[prefix.n] = '_';
        n = prefix.n + 1;
    }
    size_t rest = name.n < NAME_LENGTH ? name.n : NAME_LENGTH;
    memcpy(joined + n, name.p, rest);
    struct lw_str key = lw_str_n(joined, n + rest);
    const struct lw_map_entry *known = lw_map_find(&log->names, key);
    if (known)
        return known->key;
    key = lw_arena_copy(&log->arena, key);
    return key.p && lw_map_put(&log->names, key, NULL) ? key : (struct lw_str){0};
}
