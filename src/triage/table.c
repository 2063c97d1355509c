#include "triage/table.h"

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"

size_t triage_count_lines(struct lw_str text)
{
    size_t n = 0;
    struct lw_str line;
    while (lw_str_line(&text, &line))
        n++;
    return n;
}

static int add_row(struct triage_table *t, struct lw_arena *arena, const struct lw_csv *csv,
                   struct lw_err *err)
{
    if (csv->fields.n != t->columns)
        return lw_err_set(err, LW_EBUG, "%.*s:%llu: %zu columns are needed", LW_F(csv->name),
                          (unsigned long long)csv->line, t->columns);
    for (size_t i = 0; i < t->columns; i++) {
        struct lw_str *to = &t->fields[t->n * t->columns + i];
        *to = lw_arena_copy(arena, csv->fields.v[i]);
        if (!to->p)
            return lw_err_nomem(err);
    }
    t->n++;
    return 0;
}

int triage_table_load(struct triage_table *t, struct lw_arena *arena, struct lw_str name,
                      size_t columns, struct lw_err *err)
{
    struct lw_str text = {0};
    struct lw_csv csv;
    lw_embedded_find(name, &text);
    *t = (struct triage_table){.columns = columns};
    t->fields =
        lw_arena_array(arena, triage_count_lines(text) + 1, columns * sizeof *t->fields);
    if (!t->fields)
        return lw_err_nomem(err);
    int rc = lw_csv_open_text(&csv, arena->mem, name, ',', text, err);
    if (rc == 0 && (rc = lw_csv_next(&csv, err)) > 0)
        rc = 0; /* the header */
    while (rc == 0 && (rc = lw_csv_next(&csv, err)) > 0)
        rc = add_row(t, arena, &csv, err);
    lw_csv_close(&csv);
    return rc;
}
