/* Any text is read or refused with its line, the same in pieces of any size; what is read can
 * be written and read again. The first byte is the size of the pieces. */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pieces {
    struct lw_str rest;
    size_t size;
};

static ptrdiff_t read_piece(void *source, char *to, size_t n, struct lw_err *err)
{
    (void)err;
    struct pieces *p = source;
    struct lw_str part = lw_str_part(p->rest, 0, p->size < n ? p->size : n);
    if (part.n)
        memcpy(to, part.p, part.n);
    p->rest = lw_str_from(p->rest, part.n);
    return (ptrdiff_t)part.n;
}

/* Writes all rows to `out`; the code of the reader. */
static int copy_rows(struct lw_str text, size_t piece, struct lw_sink *out, struct lw_err *err)
{
    struct lw_csv csv;
    struct pieces pieces = {text, piece};
    int rc = lw_csv_open(&csv, NULL, LW_S("f"), ',', read_piece, &pieces, err);
    while (rc >= 0 && (rc = lw_csv_next(&csv, err)) > 0) {
        if (csv.fields.n == 0)
            abort();
        for (size_t i = 0; i < csv.fields.n; i++)
            lw_csv_put(out, csv.fields.v[i], i == 0);
        lw_csv_end_row(out);
    }
    lw_csv_close(&csv);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct lw_str text = lw_str_n((const char *)data + 1, size - 1);
    struct lw_buf b[3];
    struct lw_err err[3] = {0};
    int rc[2];
    for (int i = 0; i < 3; i++)
        lw_buf_init(&b[i], NULL, 0);
    for (int i = 0; i < 2; i++) {
        struct lw_sink out = lw_sink_buf(&b[i]);
        rc[i] = copy_rows(text, i ? SIZE_MAX : (size_t)data[0] + 1, &out, &err[i]);
    }
    if (rc[0] != rc[1] || strcmp(err[0].text, err[1].text) != 0 ||
        !lw_str_eq(lw_buf_str(&b[0]), lw_buf_str(&b[1])))
        abort();
    struct lw_sink out = lw_sink_buf(&b[2]);
    if (copy_rows(lw_buf_str(&b[0]), SIZE_MAX, &out, &err[2]) < 0 ||
        !lw_str_eq(lw_buf_str(&b[0]), lw_buf_str(&b[2])))
        abort();
    for (int i = 0; i < 3; i++)
        lw_buf_release(&b[i]);
    return 0;
}
