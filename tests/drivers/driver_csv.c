/* "write ROWS" gives the CSV text of them, "read xHEX" the rows of a CSV text or "error
 * MESSAGE". Rows are separated by ';', fields by ','. */
#include "lines.h"

#include "base/csv.h"

static void write_rows(struct lw_arena *arena, struct lw_str rows, struct lw_sink *out)
{
    struct lw_buf text;
    lw_buf_init(&text, NULL, 0);
    struct lw_sink to = lw_sink_buf(&text);
    struct lw_str row, field;
    while (lw_str_split(&rows, ';', &row)) {
        for (bool first = true; lw_str_split(&row, ',', &field); first = false)
            lw_csv_put(&to, from_hex(arena, field), first);
        lw_csv_end_row(&to);
    }
    put_hex(out, lw_buf_str(&text));
    lw_buf_release(&text);
}

static void read_rows(struct lw_str text, struct lw_sink *out)
{
    struct lw_csv csv;
    struct lw_err err = {0};
    struct lw_buf rows;
    lw_buf_init(&rows, NULL, 0);
    struct lw_sink to = lw_sink_buf(&rows);
    int rc = lw_csv_open_text(&csv, NULL, LW_S("csv"), ',', text, &err);
    for (size_t n = 0; rc == 0; n++, rc = 0) {
        rc = lw_csv_next(&csv, &err);
        if (rc <= 0)
            break;
        if (n)
            lw_put_char(&to, ';');
        for (size_t i = 0; i < csv.fields.n; i++) {
            if (i)
                lw_put_char(&to, ',');
            put_hex(&to, csv.fields.v[i]);
        }
    }
    if (rc < 0)
        lw_putf(out, "error %s", err.text);
    else
        lw_put(out, lw_buf_str(&rows));
    lw_csv_close(&csv);
    lw_buf_release(&rows);
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str word;
    lw_str_split(&line, ' ', &word);
    if (lw_str_eq(word, LW_S("write")))
        write_rows(arena, line, out);
    else
        read_rows(from_hex(arena, line), out);
}

int main(void)
{
    return each_line(handle);
}
