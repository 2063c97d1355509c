#include "source/notebook.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"

/* Cell magics whose cell is still Python. All others name a language or a file. */
static bool is_python_magic(struct lw_str line)
{
    static const char *const names[] = {"time",   "timeit",  "capture", "prun",
                                        "python", "python3", "memit",   NULL};
    struct lw_str word = lw_str_from(line, 2);
    size_t n = 0;
    while (n < word.n && word.p[n] != ' ' && word.p[n] != '\n' && word.p[n] != '\r')
        n++;
    word.n = n;
    for (const char *const *name = names; *name; name++)
        if (lw_str_eq(word, lw_str(*name)))
            return true;
    return false;
}

static struct lw_str text_of(const json_t *value)
{
    return lw_str_n(json_string_value(value), json_string_length(value));
}

/* The source of a cell: one text, or a list of lines with their line ends. */
static void add_source(struct lw_buf *out, const json_t *source)
{
    size_t i;
    json_t *line;
    if (json_is_string(source))
        (void)lw_buf_add(out, text_of(source));
    json_array_foreach(source, i, line)
    {
        if (json_is_string(line))
            (void)lw_buf_add(out, text_of(line));
    }
}

static uint32_t count_lines(struct lw_str s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n' || (s.p[i] == '\r' && (i + 1 == s.n || s.p[i + 1] != '\n'));
    return n;
}

/* The text from the first line on that is neither blank nor a comment: some notebooks let these
 * stand above `%%bash`. */
static struct lw_str skip_comments(struct lw_str code)
{
    for (size_t at = 0; at < code.n;) {
        size_t from = at;
        while (from < code.n && (code.p[from] == ' ' || code.p[from] == '\t'))
            from++;
        if (from < code.n && !strchr("#\r\n", code.p[from]))
            return lw_str_from(code, from);
        while (from < code.n && code.p[from] != '\n')
            from++;
        at = from + 1;
    }
    return lw_str_from(code, code.n);
}

/* Appends the cell's code and a line end; returns its number of lines. */
static uint32_t add_cell(struct lw_buf *out, const json_t *cell)
{
    size_t before = out->n;
    const json_t *source = json_object_get(cell, "source");
    add_source(out, source ? source : json_object_get(cell, "input"));
    struct lw_str code = lw_str_from(lw_buf_str(out), before);
    struct lw_str start = skip_comments(code);
    if (lw_str_has_prefix(start, LW_S("%%")) && !is_python_magic(start)) {
        lw_buf_cut(out, before);
        return 0;
    }
    bool ended = code.n > 0 && code.p[code.n - 1] == '\n';
    if (!ended)
        (void)lw_buf_add_char(out, '\n');
    return count_lines(lw_str_from(lw_buf_str(out), before));
}

/* The list of cells: at the top in format 4, in the first worksheet in format 3. */
static const json_t *cell_list(const json_t *top)
{
    const json_t *cells = json_object_get(top, "cells");
    if (cells)
        return cells;
    return json_object_get(json_array_get(json_object_get(top, "worksheets"), 0), "cells");
}

static int read_cells(struct lw_notebook *nb, struct lw_arena *arena, struct lw_buf *out,
                      const json_t *cells, struct lw_err *err)
{
    nb->cells = lw_arena_array(arena, json_array_size(cells), sizeof *nb->cells);
    if (!nb->cells)
        return lw_err_nomem(err);
    size_t i;
    json_t *cell;
    uint32_t line = 1;
    json_array_foreach(cells, i, cell)
    {
        if (!lw_str_eq(lw_json_member(cell, "cell_type"), LW_S("code")))
            continue;
        struct lw_cell *c = &nb->cells[nb->cell_count++];
        *c = (struct lw_cell){(uint32_t)i + 1, line, add_cell(out, cell)};
        line += c->line_count;
    }
    return out->failed ? lw_err_set(err, out->failed, "the notebook is too large") : 0;
}

int lw_notebook_read(struct lw_notebook *nb, struct lw_str *text, struct lw_arena *arena,
                     struct lw_str json, struct lw_err *err)
{
    json_t *top;
    *nb = (struct lw_notebook){0};
    *text = (struct lw_str){"", 0};
    int rc = lw_json_parse(&top, LW_S("notebook"), json, err);
    if (rc < 0)
        return rc;
    struct lw_buf out;
    lw_buf_init(&out, arena->mem, 0);
    const json_t *cells = cell_list(top);
    if (!json_is_array(cells))
        rc = lw_err_set(err, LW_EINVAL, "not a notebook: it has no list of cells");
    else
        rc = read_cells(nb, arena, &out, cells, err);
    if (rc == 0 && out.n > 0) {
        *text = lw_arena_copy(arena, lw_buf_str(&out));
        if (!text->p)
            rc = lw_err_nomem(err);
    }
    lw_buf_release(&out);
    json_decref(top);
    return rc;
}

const struct lw_cell *lw_notebook_locate(const struct lw_notebook *nb, uint32_t line,
                                         uint32_t *line_in_cell)
{
    uint32_t low = 0, high = nb->cell_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (nb->cells[mid].first_line + nb->cells[mid].line_count <= line)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == nb->cell_count || line < nb->cells[low].first_line)
        return NULL;
    *line_in_cell = line - nb->cells[low].first_line + 1;
    return &nb->cells[low];
}
