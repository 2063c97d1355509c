#include "base/table.h"

#include <stdarg.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"

enum { GAP = 2, NARROWEST = 8 };

void lw_table_init(struct lw_table *t, struct lw_mem *mem,
                   const struct lw_table_column *columns, size_t count)
{
    LW_BUG_ON(count == 0 || count > LW_TABLE_COLUMNS);
    *t = (struct lw_table){.columns = columns, .column_count = count};
    lw_arena_init(&t->arena, mem, 0);
}

void lw_table_release(struct lw_table *t)
{
    lw_vec_release(t->arena.mem, &t->cells);
    lw_arena_release(&t->arena);
}

void lw_table_cell_coloured(struct lw_table *t, struct lw_str text, enum lw_colour colour)
{
    struct lw_table_cell cell = {lw_arena_copy(&t->arena, text), colour};
    if (!cell.text.p || lw_vec_push(t->arena.mem, &t->cells, cell) < 0)
        t->failed = true;
}

void lw_table_cell(struct lw_table *t, struct lw_str text)
{
    lw_table_cell_coloured(t, text, LW_PLAIN);
}

void lw_table_cellf(struct lw_table *t, const char *fmt, ...)
{
    struct lw_buf buf;
    lw_buf_init(&buf, t->arena.mem, 0);
    va_list args;
    va_start(args, fmt);
    int rc = lw_buf_vaddf(&buf, fmt, args);
    va_end(args);
    if (rc == 0)
        lw_table_cell(t, lw_buf_str(&buf));
    else
        t->failed = true;
    lw_buf_release(&buf);
}

static void natural_widths(const struct lw_table *t, size_t *widths)
{
    for (size_t c = 0; c < t->column_count; c++)
        widths[c] = lw_utf8_columns(lw_str(t->columns[c].title));
    for (size_t i = 0; i < t->cells.n; i++) {
        size_t n = lw_utf8_columns(t->cells.v[i].text);
        if (n > widths[i % t->column_count])
            widths[i % t->column_count] = n;
    }
}

static size_t total_width(const struct lw_table *t, const size_t *widths)
{
    size_t total = GAP * (t->column_count - 1);
    for (size_t c = 0; c < t->column_count; c++)
        total += widths[c];
    return total;
}

/* Takes from the widest flexible column again and again until the table fits. */
static void narrow(const struct lw_table *t, size_t *widths, size_t limit)
{
    size_t total = total_width(t, widths);
    while (total > limit) {
        size_t widest = t->column_count;
        for (size_t c = 0; c < t->column_count; c++)
            if (t->columns[c].flexible && widths[c] > NARROWEST &&
                (widest == t->column_count || widths[c] > widths[widest]))
                widest = c;
        if (widest == t->column_count)
            return;
        widths[widest]--;
        total--;
    }
}

static void put_cell(const struct lw_table *t, struct lw_sink *out, const struct lw_term *term,
                     size_t column, const size_t *widths, struct lw_table_cell cell)
{
    size_t width = widths[column], need = lw_utf8_columns(cell.text);
    bool cut = need > width;
    struct lw_str shown = cut ? lw_utf8_fit(cell.text, width - 1) : cell.text;
    size_t used = cut ? lw_utf8_columns(shown) + 1 : need;
    bool last = column + 1 == t->column_count;
    if (t->columns[column].right)
        lw_put_fill(out, ' ', width - used);
    if (cell.colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, cell.colour));
    lw_put_safe(out, shown, false);
    if (cut)
        lw_putz(out, "\xe2\x80\xa6");
    if (cell.colour != LW_PLAIN)
        lw_putz(out, lw_colour(term, LW_PLAIN));
    if (!t->columns[column].right && !last)
        lw_put_fill(out, ' ', width - used);
    if (last)
        lw_put_char(out, '\n');
    else
        lw_put_fill(out, ' ', GAP);
}

int lw_table_print(struct lw_table *t, struct lw_sink *out, const struct lw_term *term,
                   struct lw_err *err)
{
    size_t widths[LW_TABLE_COLUMNS];
    if (t->failed)
        return lw_err_nomem(err);
    natural_widths(t, widths);
    if (term->columns)
        narrow(t, widths, term->columns);
    for (size_t c = 0; c < t->column_count; c++)
        put_cell(t, out, term, c, widths,
                 (struct lw_table_cell){lw_str(t->columns[c].title), LW_BOLD});
    size_t whole = t->cells.n - t->cells.n % t->column_count;
    for (size_t i = 0; i < whole; i++)
        put_cell(t, out, term, i % t->column_count, widths, t->cells.v[i]);
    return 0;
}
