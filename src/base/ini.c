#include "base/ini.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/sink.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"

struct reader {
    struct lw_ini *ini;
    struct lw_arena *arena;
    struct lw_err *err;
    LW_VEC(struct lw_ini_entry) entries;
    struct lw_map seen;    /* "section\nkey" and "section" */
    struct lw_str section; /* empty before the first */
    struct lw_buf value;   /* of the entry being continued */
    bool open;             /* an entry is being continued */
    size_t indent;         /* of its first continuation line */
    size_t blank_lines;    /* seen since its last line */
    uint32_t line;
};

static int at_line(struct reader *r, const char *fmt, ...) LW_PRINTF(2, 3);

static int at_line(struct reader *r, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return lw_err_set(r->err, LW_EINVAL, "%.*s:%u: %s", LW_F(r->ini->name), r->line, text);
}

static int close_entry(struct reader *r)
{
    if (!r->open)
        return 0;
    r->open = false;
    r->blank_lines = 0;
    struct lw_str value = lw_arena_copy(r->arena, lw_str_trim(lw_buf_str(&r->value)));
    if (r->value.failed || !value.p)
        return lw_err_nomem(r->err);
    r->entries.v[r->entries.n - 1].value = value;
    return 0;
}

static int remember(struct reader *r, struct lw_str name, bool *is_new)
{
    return name.p && lw_map_put(&r->seen, name, is_new) ? 0 : lw_err_nomem(r->err);
}

static int read_section(struct reader *r, struct lw_str line)
{
    line = lw_str_trim(line);
    if (line.p[line.n - 1] != ']')
        return at_line(r, "a section must end with ']'");
    struct lw_str name = lw_str_trim(lw_str_part(line, 1, line.n - 2));
    if (name.n == 0)
        return at_line(r, "the section has no name");
    r->section = lw_arena_copy(r->arena, name);
    bool is_new = false;
    int rc = remember(r, r->section, &is_new);
    if (rc == 0 && !is_new)
        rc = at_line(r, "section [%.*s] occurs twice", LW_F(name));
    return rc;
}

static int read_key(struct reader *r, struct lw_str line)
{
    ptrdiff_t equals = lw_str_find_char(line, '=');
    if (equals == LW_NPOS)
        return at_line(r, "expected 'key = value', '[section]' or a comment");
    struct lw_str key = lw_str_part(line, 0, (size_t)equals);
    for (size_t i = 0; i < key.n; i++)
        if ((unsigned char)key.p[i] < 0x20 && key.p[i] != '\t')
            return at_line(r, "the key contains a control character");
    key = lw_str_trim(key);
    if (key.n == 0)
        return at_line(r, "there is no key before '='");
    if (r->section.n == 0)
        return at_line(r, "key '%.*s' comes before any [section]", LW_F(key));
    key = lw_arena_copy(r->arena, key);
    bool is_new = false;
    int rc = remember(r, key.p ? lw_arena_printf(r->arena, "%s\n%s", r->section.p, key.p) : key,
                      &is_new);
    if (rc < 0)
        return rc;
    if (!is_new)
        return at_line(r, "key '%s' occurs twice in [%s]", key.p, r->section.p);
    struct lw_ini_entry e = {.section = r->section, .key = key, .line = r->line};
    if (lw_vec_push(r->arena->mem, &r->entries, e) < 0)
        return lw_err_nomem(r->err);
    lw_buf_clear(&r->value);
    lw_buf_add(&r->value, lw_str_trim(lw_str_from(line, (size_t)equals + 1)));
    r->open = true;
    r->indent = 0;
    return 0;
}

static int continue_value(struct reader *r, struct lw_str line)
{
    if (!r->open)
        return at_line(r, "an indented line continues a value, but no value comes before it");
    size_t blanks = 0;
    while (line.p[blanks] == ' ' || line.p[blanks] == '\t')
        blanks++;
    if (r->indent == 0)
        r->indent = blanks;
    lw_buf_fill(&r->value, '\n', r->blank_lines + 1);
    r->blank_lines = 0;
    line = lw_str_from(line, blanks < r->indent ? blanks : r->indent);
    while (line.n && memchr(" \t\r", line.p[line.n - 1], 3))
        line.n--;
    return lw_buf_add(&r->value, line) < 0 ? lw_err_nomem(r->err) : 0;
}

static int read_line(struct reader *r, struct lw_str line)
{
    r->line++;
    if (line.n && memchr(line.p, '\0', line.n))
        return at_line(r, "the line contains a NUL byte");
    if (lw_utf8_invalid(line) != LW_NPOS)
        return at_line(r, "byte %zu of the line is not UTF-8",
                       (size_t)lw_utf8_invalid(line) + 1);
    if (lw_str_trim(line).n == 0) {
        r->blank_lines++;
        return 0;
    }
    if (line.p[0] == ' ' || line.p[0] == '\t')
        return continue_value(r, line);
    if (line.p[0] == '#' || line.p[0] == ';')
        return 0;
    int rc = close_entry(r);
    if (rc < 0)
        return rc;
    r->blank_lines = 0;
    return line.p[0] == '[' ? read_section(r, line) : read_key(r, line);
}

static int keep_entries(struct reader *r)
{
    struct lw_ini_entry *kept =
        lw_arena_array(r->arena, r->entries.n ? r->entries.n : 1, sizeof *kept);
    if (!kept)
        return lw_err_nomem(r->err);
    if (r->entries.n)
        memcpy(kept, r->entries.v, r->entries.n * sizeof *kept);
    r->ini->entries = kept;
    r->ini->n = r->entries.n;
    return 0;
}

int lw_ini_parse(struct lw_ini *ini, struct lw_arena *arena, struct lw_str name,
                 struct lw_str text, struct lw_err *err)
{
    struct reader r = {.ini = ini, .arena = arena, .err = err};
    *ini = (struct lw_ini){.name = name};
    lw_map_init(&r.seen, arena->mem);
    lw_buf_init(&r.value, arena->mem, 0);
    if (lw_str_has_prefix(text, LW_S("\xef\xbb\xbf")))
        text = lw_str_from(text, 3);
    struct lw_str line;
    int rc = 0;
    while (rc == 0 && lw_str_line(&text, &line))
        rc = read_line(&r, line);
    if (rc == 0)
        rc = close_entry(&r);
    if (rc == 0)
        rc = keep_entries(&r);
    lw_vec_release(arena->mem, &r.entries);
    lw_buf_release(&r.value);
    lw_map_release(&r.seen);
    return rc;
}

const struct lw_ini_entry *lw_ini_find(const struct lw_ini *ini, const char *section,
                                       const char *key)
{
    for (size_t i = 0; i < ini->n; i++)
        if (lw_str_eq(ini->entries[i].section, lw_str(section)) &&
            lw_str_eq(ini->entries[i].key, lw_str(key)))
            return &ini->entries[i];
    return NULL;
}

struct lw_str lw_ini_get(const struct lw_ini *ini, const char *section, const char *key)
{
    const struct lw_ini_entry *e = lw_ini_find(ini, section, key);
    return e ? e->value : LW_S("");
}

int lw_ini_need(const struct lw_ini *ini, const char *section, const char *key,
                struct lw_str *value, struct lw_err *err)
{
    const struct lw_ini_entry *e = lw_ini_find(ini, section, key);
    if (!e)
        return lw_err_set(err, LW_EINVAL, "%.*s: key '%s' is missing in [%s]", LW_F(ini->name),
                          key, section);
    if (e->value.n == 0)
        return lw_ini_error(ini, e, err, "the value is empty");
    *value = e->value;
    return 0;
}

int lw_ini_error(const struct lw_ini *ini, const struct lw_ini_entry *entry, struct lw_err *err,
                 const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return lw_err_set(err, LW_EINVAL, "%.*s:%u: %.*s: %s", LW_F(ini->name), entry->line,
                      LW_F(entry->key), text);
}

/* The reader refuses NUL bytes and what is not UTF-8: U+FFFD stands for them. */
static void put_readable(struct lw_sink *out, struct lw_str text)
{
    while (text.n) {
        size_t n = strnlen(text.p, text.n);
        ptrdiff_t bad = lw_utf8_invalid(lw_str_part(text, 0, n));
        n = bad == LW_NPOS ? n : (size_t)bad;
        lw_put(out, lw_str_part(text, 0, n));
        if (n < text.n)
            lw_putz(out, "\xef\xbf\xbd");
        text = lw_str_from(text, n + 1);
    }
}

void lw_ini_print(struct lw_sink *out, const char *key, struct lw_str value)
{
    struct lw_str line;
    value = lw_str_trim(value);
    if (value.n == 0)
        return;
    /* Several lines all stand below the key: the first one, which begins without blanks, then
     * sets the indentation, and that of the others is kept. */
    bool many = lw_str_find_char(value, '\n') != LW_NPOS;
    lw_putf(out, "%s =%s", key, many ? "\n" : " ");
    while (lw_str_line(&value, &line)) {
        if (many && line.n)
            lw_putz(out, "    ");
        put_readable(out, line);
        lw_put_char(out, '\n');
    }
}
