#include "base/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

enum { CHUNK = 64 * 1024, MAX_ROW = 16 << 20, END = -1, FAILED = -2 };

int lw_csv_open(struct lw_csv *csv, struct lw_mem *mem, struct lw_str name, char separator,
                lw_read_fn read, void *source, struct lw_err *err)
{
    *csv = (struct lw_csv){.mem = mem, .read = read, .source = source, .name = name};
    csv->separator = separator;
    csv->max_row = MAX_ROW;
    csv->next_line = 1;
    csv->fd = -1;
    lw_buf_init(&csv->row, mem, MAX_ROW);
    csv->chunk = lw_mem_alloc(mem, CHUNK);
    return csv->chunk ? 0 : lw_err_nomem(err);
}

static ptrdiff_t read_text(void *source, char *to, size_t n, struct lw_err *err)
{
    (void)err;
    struct lw_csv *csv = source;
    struct lw_str part = lw_str_part(csv->text, 0, n);
    if (part.n)
        memcpy(to, part.p, part.n);
    csv->text = lw_str_from(csv->text, part.n);
    return (ptrdiff_t)part.n;
}

int lw_csv_open_text(struct lw_csv *csv, struct lw_mem *mem, struct lw_str name, char separator,
                     struct lw_str text, struct lw_err *err)
{
    int rc = lw_csv_open(csv, mem, name, separator, read_text, csv, err);
    csv->text = text;
    return rc;
}

static ptrdiff_t read_fd(void *source, char *to, size_t n, struct lw_err *err)
{
    const struct lw_csv *csv = source;
    for (;;) {
        ssize_t got = read(csv->fd, to, n);
        if (got >= 0)
            return got;
        if (errno != EINTR)
            return lw_err_system(err, errno, "cannot read", csv->name);
    }
}

int lw_csv_open_file(struct lw_csv *csv, struct lw_mem *mem, const char *path, char separator,
                     struct lw_err *err)
{
    int rc = lw_csv_open(csv, mem, lw_str(path), separator, read_fd, csv, err);
    if (rc < 0)
        return rc;
    csv->fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                     : open(path, O_RDONLY | O_CLOEXEC);
    if (csv->fd < 0) {
        rc = lw_err_system(err, errno, "cannot open", lw_str(path));
        lw_csv_close(csv);
    }
    return rc;
}

void lw_csv_close(struct lw_csv *csv)
{
    if (csv->fd >= 0)
        close(csv->fd);
    csv->fd = -1;
    lw_mem_free(csv->mem, csv->chunk, CHUNK);
    csv->chunk = NULL;
    lw_buf_release(&csv->row);
    lw_vec_release(csv->mem, &csv->ends);
    lw_vec_release(csv->mem, &csv->fields);
}

static bool refill(struct lw_csv *csv, struct lw_err *err)
{
    if (csv->at_end)
        return true;
    ptrdiff_t got = csv->read(csv->source, csv->chunk, CHUNK, err);
    csv->chunk_at = 0;
    csv->chunk_n = got > 0 ? (size_t)got : 0;
    csv->at_end = got == 0;
    return got >= 0;
}

/* The next byte without taking it, END, or FAILED. */
static int peek(struct lw_csv *csv, struct lw_err *err)
{
    if (csv->chunk_at == csv->chunk_n && !refill(csv, err))
        return FAILED;
    return csv->chunk_at == csv->chunk_n ? END : (unsigned char)csv->chunk[csv->chunk_at];
}

static int row_error(struct lw_csv *csv, struct lw_err *err, const char *what)
{
    return lw_err_set(err, LW_EINVAL, "%.*s:%llu: %s", LW_F(csv->name),
                      (unsigned long long)csv->next_line, what);
}

static int failed_row(struct lw_csv *csv, struct lw_err *err)
{
    return csv->row.failed != LW_ENOMEM
               ? lw_err_set(err, LW_ELIMIT, "%.*s:%llu: the row is longer than %zu bytes",
                            LW_F(csv->name), (unsigned long long)csv->line, csv->max_row)
               : lw_err_nomem(err);
}

/* Takes the line end at the front: LF, CR or CRLF. */
static int take_line_end(struct lw_csv *csv, struct lw_err *err)
{
    char c = csv->chunk[csv->chunk_at++];
    csv->next_line++;
    if (c != '\r')
        return 0;
    int next = peek(csv, err);
    if (next == '\n')
        csv->chunk_at++;
    return next == FAILED ? LW_EIO : 0;
}

/* The inside of a quoted field; the opening quote is taken already. */
static int read_quoted(struct lw_csv *csv, struct lw_err *err)
{
    uint64_t opened = csv->next_line;
    for (int before = 0;;) {
        int c = peek(csv, err);
        if (c == FAILED)
            return err->code;
        if (c == END) {
            csv->next_line = opened;
            return row_error(csv, err, "the quote opened here is never closed");
        }
        csv->chunk_at++;
        if (c == '"') {
            c = peek(csv, err);
            if (c != '"')
                return c == FAILED ? err->code : 0;
            csv->chunk_at++;
        } else if (c == '\r' || (c == '\n' && before != '\r')) {
            csv->next_line++;
        }
        before = c;
        if (lw_buf_add_char(&csv->row, (char)c) < 0)
            return failed_row(csv, err);
    }
}

/* Bytes up to the next separator, quote or line end. */
static int read_plain(struct lw_csv *csv, struct lw_err *err)
{
    for (;;) {
        int c = peek(csv, err);
        if (c == FAILED)
            return err->code;
        if (c == END || c == '\n' || c == '\r' || (char)c == csv->separator)
            return 0;
        if (c == '"')
            return row_error(csv, err, "an unquoted field contains a quote");
        size_t from = csv->chunk_at;
        while (csv->chunk_at < csv->chunk_n) {
            char x = csv->chunk[csv->chunk_at];
            if (x == '\n' || x == '\r' || x == '"' || x == csv->separator)
                break;
            csv->chunk_at++;
        }
        if (lw_buf_add(&csv->row, lw_str_n(csv->chunk + from, csv->chunk_at - from)) < 0)
            return failed_row(csv, err);
    }
}

static int read_field(struct lw_csv *csv, struct lw_err *err)
{
    int c = peek(csv, err);
    if (c == FAILED)
        return err->code;
    if (c != '"')
        return read_plain(csv, err);
    csv->chunk_at++;
    int rc = read_quoted(csv, err);
    if (rc < 0)
        return rc;
    c = peek(csv, err);
    if (c == FAILED)
        return err->code;
    if (c != END && c != '\n' && c != '\r' && (char)c != csv->separator)
        return row_error(csv, err, "there is text after a closing quote");
    return 0;
}

/* Where fields begin is known only now: the row's text may have moved while it grew. */
static int hand_out(struct lw_csv *csv, struct lw_err *err)
{
    size_t from = 0;
    csv->fields.n = 0;
    for (size_t i = 0; i < csv->ends.n; i++) {
        struct lw_str f = lw_str_part(lw_buf_str(&csv->row), from, csv->ends.v[i] - from);
        if (lw_vec_push(csv->mem, &csv->fields, f) < 0)
            return lw_err_nomem(err);
        from = csv->ends.v[i];
    }
    return 1;
}

/* A pipe may hand out the mark in pieces. */
static int skip_mark(struct lw_csv *csv, struct lw_err *err)
{
    const struct lw_str mark = LW_S("\xef\xbb\xbf");
    while (csv->chunk_n < mark.n &&
           lw_str_has_prefix(mark, lw_str_n(csv->chunk, csv->chunk_n))) {
        ptrdiff_t got =
            csv->read(csv->source, csv->chunk + csv->chunk_n, CHUNK - csv->chunk_n, err);
        if (got < 0)
            return err->code;
        csv->at_end = got == 0;
        if (csv->at_end)
            break;
        csv->chunk_n += (size_t)got;
    }
    if (lw_str_has_prefix(lw_str_n(csv->chunk, csv->chunk_n), mark))
        csv->chunk_at = mark.n;
    return 0;
}

int lw_csv_next(struct lw_csv *csv, struct lw_err *err)
{
    if (csv->next_line == 1 && csv->chunk_n == 0 && !csv->at_end) {
        int rc = skip_mark(csv, err);
        if (rc < 0)
            return rc;
    }
    int c = peek(csv, err);
    if (c == FAILED)
        return err->code;
    if (c == END)
        return 0;
    csv->line = csv->next_line;
    lw_buf_clear(&csv->row);
    csv->ends.n = 0;
    for (;;) {
        int rc = read_field(csv, err);
        if (rc < 0)
            return rc;
        /* Separators count as well: a row of nothing else needs memory too. */
        if (csv->row.n + csv->ends.n >= csv->max_row)
            return failed_row(csv, err);
        if (lw_vec_push(csv->mem, &csv->ends, csv->row.n) < 0)
            return lw_err_nomem(err);
        c = peek(csv, err);
        if (c == FAILED)
            return err->code;
        if (c == END)
            break;
        if (c == '\n' || c == '\r') {
            if (take_line_end(csv, err) < 0)
                return err->code;
            break;
        }
        csv->chunk_at++; /* the separator */
    }
    return hand_out(csv, err);
}

void lw_csv_put(struct lw_sink *out, struct lw_str field, bool first)
{
    if (!first)
        lw_put_char(out, ',');
    bool quote = false;
    for (size_t i = 0; i < field.n && !quote; i++)
        quote = memchr(",\"\r\n", field.p[i], 4) != NULL;
    /* Blanks at the ends would be lost by some readers, and a byte-order mark by all. */
    quote =
        quote ||
        (field.n && (field.p[0] == ' ' || field.p[field.n - 1] == ' ' || field.p[0] == '\xef'));
    if (!quote) {
        lw_put(out, field);
        return;
    }
    lw_put_char(out, '"');
    ptrdiff_t at;
    while ((at = lw_str_find_char(field, '"')) != LW_NPOS) {
        lw_put(out, lw_str_part(field, 0, (size_t)at + 1));
        lw_put_char(out, '"');
        field = lw_str_from(field, (size_t)at + 1);
    }
    lw_put(out, field);
    lw_put_char(out, '"');
}

void lw_csv_end_row(struct lw_sink *out)
{
    lw_put_char(out, '\n');
}
