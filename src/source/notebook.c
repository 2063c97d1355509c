#include "source/notebook.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/map.h"
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

/* ---- The document ----------------------------------------------------------------------- */

/* A notebook is read cell by cell: as one JSON value it takes some twenty times the memory of
 * its text. `LW_ENOENT` stands for a document whose parts cannot be told apart. */
struct reader {
    struct lw_notebook *nb;
    struct lw_arena *arena;
    struct lw_str json; /* the whole */
    struct lw_buf out;
    struct lw_buf light; /* a cell without its pictures */
    struct lw_err *err;
};

static int parse(struct reader *r, struct lw_str part, json_t **value)
{
    return lw_json_parse_part(value, LW_S("notebook"), r->json, part, r->err);
}

/* Reads a part only for what may be wrong with it. */
static int pass_over(struct reader *r, struct lw_str part)
{
    json_t *parsed;
    int rc = parse(r, part, &parsed);
    if (rc == 0)
        json_decref(parsed);
    return rc;
}

/* A picture or the like: nothing but letters of base 64 and line ends, as they are written in
 * JSON. */
static bool is_encoded(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i], low = (char)(c | 32);
        if (c == '\\' && i + 1 < s.n && s.p[i + 1] == 'n')
            i++;
        else if (!((low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
                   c == '/' || c == '='))
            return false;
    }
    return true;
}

/* The cell with empty texts for its pictures, which are most of many a notebook; the cell
 * itself when it has none. */
static struct lw_str without_pictures(struct reader *r, struct lw_str text)
{
    enum { LONG = 4096 };
    size_t kept = 0; /* up to here the text is in `light`, or left out */
    if (text.n < LONG)
        return text;
    lw_buf_clear(&r->light);
    for (size_t at = 0; at < text.n; at++) {
        const char *quote = memchr(text.p + at, '"', text.n - at);
        size_t begin = quote ? (size_t)(quote - text.p) + 1 : text.n;
        at = lw_json_string_end(text, begin);
        if (at - begin < LONG || !is_encoded(lw_str_part(text, begin, at - begin)))
            continue;
        (void)lw_buf_add(&r->light, lw_str_part(text, kept, begin - kept));
        kept = at;
    }
    (void)lw_buf_add(&r->light, lw_str_from(text, kept));
    return kept && !r->light.failed ? lw_buf_str(&r->light) : text;
}

static int parse_cell(struct reader *r, struct lw_str text, json_t **cell)
{
    struct lw_err why = {0};
    struct lw_str light = without_pictures(r, text);
    if (light.p != text.p &&
        lw_json_parse_part(cell, LW_S("notebook"), light, light, &why) == 0)
        return 0;
    return parse(r, text, cell); /* also where the light one is wrong, to say where */
}

static int read_cell(struct reader *r, struct lw_str text, uint32_t number, uint32_t *line)
{
    json_t *cell;
    int rc = parse_cell(r, text, &cell);
    if (rc < 0)
        return rc;
    if (lw_str_eq(lw_json_member(cell, "cell_type"), LW_S("code"))) {
        struct lw_cell *c = &r->nb->cells[r->nb->cell_count++];
        *c = (struct lw_cell){number, *line, add_cell(&r->out, cell)};
        *line += c->line_count;
    }
    json_decref(cell);
    return r->out.failed ? lw_err_set(r->err, r->out.failed, "the notebook is too large") : 0;
}

static int read_cells(struct reader *r, struct lw_str list)
{
    struct lw_json_parts parts;
    struct lw_str none, text;
    size_t count = 0;
    if (!lw_json_parts_init(&parts, list, '['))
        return lw_err_set(r->err, LW_EINVAL, "not a notebook: it has no list of cells");
    while (lw_json_parts_next(&parts, &none, &text))
        count++;
    if (parts.failed)
        return LW_ENOENT;
    r->nb->cells = lw_arena_array(r->arena, count, sizeof *r->nb->cells);
    if (!r->nb->cells)
        return lw_err_nomem(r->err);
    uint32_t line = 1, number = 1;
    int rc = 0;
    (void)lw_json_parts_init(&parts, list, '[');
    while (rc == 0 && lw_json_parts_next(&parts, &none, &text))
        rc = read_cell(r, text, number++, &line);
    return rc;
}

/* The key as it is meant: without escapes. */
static int read_key(struct reader *r, struct lw_str *key)
{
    json_t *value;
    if (lw_str_find_char(*key, '\\') < 0)
        return 0;
    int rc = parse(r, lw_str_n(key->p - 1, key->n + 2), &value);
    if (rc < 0)
        return rc;
    *key = lw_arena_copy(r->arena, text_of(value));
    json_decref(value);
    return key->p ? 0 : lw_err_nomem(r->err);
}

/* The members of an object: cells and worksheets are returned, the others passed over. Two of
 * one name are left to the parser of the whole. */
static int split(struct reader *r, struct lw_str text, struct lw_str *cells,
                 struct lw_str *sheets)
{
    struct lw_json_parts parts;
    struct lw_map seen;
    struct lw_str key, value;
    int rc = lw_json_parts_init(&parts, text, '{') ? 0 : LW_ENOENT;
    *cells = *sheets = (struct lw_str){0};
    lw_map_init(&seen, r->arena->mem);
    while (rc == 0 && lw_json_parts_next(&parts, &key, &value)) {
        bool is_new;
        rc = read_key(r, &key);
        if (rc == 0 && !lw_map_put(&seen, key, &is_new))
            rc = lw_err_nomem(r->err);
        if (rc < 0)
            break;
        if (!is_new)
            rc = LW_ENOENT;
        else if (lw_str_eq(key, LW_S("cells")))
            *cells = value;
        else if (lw_str_eq(key, LW_S("worksheets")))
            *sheets = value;
        else
            rc = pass_over(r, value);
    }
    lw_map_release(&seen);
    return rc < 0 ? rc : parts.failed ? LW_ENOENT : 0;
}

/* Format 3 has the cells in its first worksheet. */
static int read_sheets(struct reader *r, struct lw_str list)
{
    struct lw_json_parts parts;
    struct lw_str none, sheet, cells, sheets;
    if (!lw_json_parts_init(&parts, list, '[') || !lw_json_parts_next(&parts, &none, &sheet))
        return LW_ENOENT;
    int rc = split(r, sheet, &cells, &sheets);
    if (rc == 0 && (!cells.p || sheets.p))
        rc = LW_ENOENT;
    if (rc == 0)
        rc = read_cells(r, cells);
    while (rc == 0 && lw_json_parts_next(&parts, &none, &sheet))
        rc = pass_over(r, sheet);
    return rc < 0 ? rc : parts.failed ? LW_ENOENT : 0;
}

/* The list of cells: at the top in format 4. */
static int read_document(struct reader *r, struct lw_str json)
{
    struct lw_str cells, sheets;
    int rc = split(r, json, &cells, &sheets);
    if (rc < 0)
        return rc;
    if (!cells.p)
        return sheets.p ? read_sheets(r, sheets) : LW_ENOENT;
    rc = sheets.p ? pass_over(r, sheets) : 0;
    return rc < 0 ? rc : read_cells(r, cells);
}

/* What is wrong with a document that has no such parts: the parser of the whole says it. */
static int refuse(struct reader *r)
{
    int rc = pass_over(r, r->json);
    return rc < 0 ? rc
                  : lw_err_set(r->err, LW_EINVAL, "not a notebook: it has no list of cells");
}

int lw_notebook_read(struct lw_notebook *nb, struct lw_str *text, struct lw_arena *arena,
                     struct lw_str json, struct lw_err *err)
{
    struct reader r = {.nb = nb, .arena = arena, .json = json, .err = err};
    *nb = (struct lw_notebook){0};
    *text = (struct lw_str){"", 0};
    lw_buf_init(&r.out, arena->mem, 0);
    lw_buf_init(&r.light, arena->mem, 0);
    int rc = read_document(&r, json);
    if (rc == LW_ENOENT)
        rc = refuse(&r);
    if (rc == 0 && r.out.n > 0) {
        *text = lw_arena_copy(arena, lw_buf_str(&r.out));
        if (!text->p)
            rc = lw_err_nomem(err);
    }
    lw_buf_release(&r.out);
    lw_buf_release(&r.light);
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
