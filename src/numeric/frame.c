#include "numeric/frame.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"

/* While reading, a column is numbers until a field is not one; then its earlier fields, kept as
 * text, become categories. */
struct reading {
    LW_VEC(struct lw_str) text; /* of every field; shared pointers to the arena */
    bool numeric;
};

static bool is_missing(struct lw_str s)
{
    return s.n == 0 || lw_str_eq_nocase(s, LW_S("na")) || lw_str_eq_nocase(s, LW_S("nan")) ||
           lw_str_eq_nocase(s, LW_S("null")) || lw_str_eq(s, LW_S("?"));
}

static int read_header(struct lw_frame *out, struct lw_arena *arena, struct lw_csv *csv,
                       struct lw_err *err)
{
    int got = lw_csv_next(csv, err);
    if (got < 0)
        return got;
    if (got == 0)
        return lw_err_set(err, LW_EINVAL, "%.*s: the file is empty", LW_F(csv->name));
    if (csv->fields.n > LW_FRAME_COLUMNS)
        return lw_err_set(err, LW_ELIMIT, "%.*s: more than %d columns", LW_F(csv->name),
                          LW_FRAME_COLUMNS);
    out->columns = csv->fields.n;
    out->column = lw_arena_array(arena, out->columns, sizeof *out->column);
    if (!out->column)
        return lw_err_nomem(err);
    for (size_t c = 0; c < out->columns; c++) {
        out->column[c].name = lw_arena_copy(arena, lw_str_trim(csv->fields.v[c]));
        if (!out->column[c].name.p)
            return lw_err_nomem(err);
    }
    return 0;
}

static int read_row(struct lw_frame *out, struct lw_arena *arena, struct lw_csv *csv,
                    struct reading *r, struct lw_err *err)
{
    if (csv->fields.n != out->columns)
        return lw_err_set(err, LW_EINVAL, "%.*s:%llu: %zu fields, the header has %zu",
                          LW_F(csv->name), (unsigned long long)csv->line, csv->fields.n,
                          out->columns);
    for (size_t c = 0; c < out->columns; c++) {
        struct lw_str s = lw_str_trim(csv->fields.v[c]);
        double x;
        if (is_missing(s))
            s = (struct lw_str){"", 0};
        else if (r[c].numeric && !lw_parse_double(s, &x))
            r[c].numeric = false;
        struct lw_str kept = s.n ? lw_arena_copy(arena, s) : s;
        if (!kept.p || lw_vec_push(csv->mem, &r[c].text, kept) < 0)
            return lw_err_nomem(err);
    }
    out->rows++;
    return 0;
}

static int finish_numbers(struct lw_column *col, struct lw_arena *arena,
                          const struct reading *r, size_t rows)
{
    col->numeric = true;
    col->num = lw_arena_array(arena, rows, sizeof *col->num);
    if (!col->num)
        return LW_ENOMEM;
    for (size_t i = 0; i < rows; i++) {
        col->num[i] = NAN;
        if (r->text.v[i].n == 0)
            col->missing++;
        else
            lw_parse_double(r->text.v[i], &col->num[i]);
    }
    return 0;
}

static int finish_categories(struct lw_column *col, struct lw_arena *arena, struct lw_mem *mem,
                             const struct reading *r, size_t rows)
{
    struct lw_map map;
    lw_map_init(&map, mem);
    int rc = LW_ENOMEM;
    col->code = lw_arena_array(arena, rows, sizeof *col->code);
    for (size_t i = 0; col->code && i < rows; i++) {
        bool is_new;
        if (r->text.v[i].n == 0) {
            col->code[i] = LW_MISSING;
            col->missing++;
            continue;
        }
        struct lw_map_entry *e = lw_map_put(&map, r->text.v[i], &is_new);
        if (!e)
            goto out;
        if (is_new)
            e->value = map.n - 1;
        col->code[i] = (uint32_t)e->value;
    }
    col->level_count = map.n;
    col->levels = lw_arena_array(arena, map.n, sizeof *col->levels);
    for (size_t l = 0; col->levels && l < map.n; l++)
        col->levels[l] = map.entries[l].key;
    rc = col->code && col->levels ? 0 : LW_ENOMEM;
out:
    lw_map_release(&map);
    return rc;
}

int lw_frame_read(struct lw_frame *out, struct lw_arena *arena, struct lw_csv *csv,
                  size_t max_rows, struct lw_err *err)
{
    *out = (struct lw_frame){0};
    size_t most = max_rows ? max_rows : 50000000;
    if (read_header(out, arena, csv, err) < 0)
        return err->code;
    size_t bytes = out->columns * sizeof(struct reading);
    struct reading *r = lw_mem_alloc(csv->mem, bytes);
    if (!r)
        return lw_err_nomem(err);
    for (size_t c = 0; c < out->columns; c++)
        r[c].numeric = true;
    int rc;
    while ((rc = lw_csv_next(csv, err)) > 0) {
        bool blank = csv->fields.n == 1 && csv->fields.v[0].n == 0 && out->columns > 1;
        if (!blank && out->rows == most)
            rc = lw_err_set(err, LW_ELIMIT, "%.*s: more than %zu rows", LW_F(csv->name), most);
        if (rc > 0 && !blank)
            rc = read_row(out, arena, csv, r, err);
        if (rc < 0)
            break;
    }
    for (size_t c = 0; rc == 0 && c < out->columns; c++) {
        rc = r[c].numeric
                 ? finish_numbers(&out->column[c], arena, &r[c], out->rows)
                 : finish_categories(&out->column[c], arena, csv->mem, &r[c], out->rows);
        if (rc < 0)
            lw_err_nomem(err);
    }
    for (size_t c = 0; c < out->columns; c++)
        lw_vec_release(csv->mem, &r[c].text);
    lw_mem_free(csv->mem, r, bytes);
    return rc;
}

int lw_frame_find(const struct lw_frame *f, struct lw_str name, size_t *column,
                  struct lw_err *err)
{
    for (size_t c = 0; c < f->columns; c++)
        if (lw_str_eq(f->column[c].name, name)) {
            *column = c;
            return 0;
        }
    uint64_t number;
    if (lw_parse_u64(name, &number) && number >= 1 && number <= f->columns) {
        *column = (size_t)number - 1;
        return 0;
    }
    char list[400];
    size_t n = 0;
    list[0] = '\0';
    for (size_t c = 0; c < f->columns && n + f->column[c].name.n + 8 < sizeof list; c++) {
        memcpy(list + n, c ? ", " : "", c ? 2 : 0);
        n += c ? 2 : 0;
        memcpy(list + n, f->column[c].name.p, f->column[c].name.n);
        n += f->column[c].name.n;
        list[n] = '\0';
    }
    return lw_err_set(err, LW_ENOENT, "there is no column '%.*s'; the columns are %s",
                      LW_F(name), list);
}

struct lw_str lw_frame_text(const struct lw_frame *f, size_t column, size_t row)
{
    const struct lw_column *c = &f->column[column];
    if (c->numeric || c->code[row] == LW_MISSING)
        return (struct lw_str){"", 0};
    return c->levels[c->code[row]];
}
