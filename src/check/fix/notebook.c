/*
 * Where the code of a notebook stands in its JSON, byte by byte, so that an edit changes only
 * the bytes it names. A reader of its own: the library gives values, not places.
 */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "check/fix/apply.h"

struct scan {
    struct lw_str json;
    size_t at;
    bool bad;
};

static char look(const struct scan *s)
{
    return s->at < s->json.n ? s->json.p[s->at] : 0;
}

static void skip_blanks(struct scan *s)
{
    while (look(s) == ' ' || look(s) == '\n' || look(s) == '\r' || look(s) == '\t')
        s->at++;
}

/* At a quote; to behind the closing one. */
static void skip_string(struct scan *s)
{
    for (s->at++; s->at < s->json.n && look(s) != '"'; s->at++)
        s->at += look(s) == '\\';
    s->bad |= s->at >= s->json.n;
    s->at++;
}

/* Any value: brackets are counted, so that depth costs nothing. */
static void skip_value(struct scan *s)
{
    size_t depth = 0;
    do {
        skip_blanks(s);
        char ch = look(s);
        if (ch == 0) {
            s->bad = true;
            return;
        }
        if (ch == '"') {
            skip_string(s);
        } else if (ch == '{' || ch == '[') {
            depth++;
            s->at++;
        } else if (ch == '}' || ch == ']') {
            if (!depth) {
                s->bad = true;
                return;
            }
            depth--;
            s->at++;
        } else if (ch == ',' || ch == ':') {
            s->at++;
            if (!depth)
                s->bad = true;
        } else {
            while (look(s) && !strchr(" \n\r\t,:{}[]\"", look(s)))
                s->at++;
        }
    } while (depth && !s->bad);
}

/* Inside an object: the next key (raw), the value being at s->at; false behind the last. */
static bool next_member(struct scan *s, struct lw_str *key)
{
    skip_blanks(s);
    if (look(s) == '{' || look(s) == ',') {
        s->at++;
        skip_blanks(s);
    }
    if (look(s) != '"') {
        s->bad |= look(s) != '}';
        s->at++;
        return false;
    }
    size_t from = s->at + 1;
    skip_string(s);
    if (s->bad)
        return false;
    *key = lw_str_part(s->json, from, s->at - 1 - from);
    skip_blanks(s);
    s->bad |= look(s) != ':';
    s->at++;
    skip_blanks(s);
    return !s->bad;
}

/* Inside a list: true when s->at is at an item. */
static bool next_item(struct scan *s)
{
    skip_blanks(s);
    if (look(s) == '[' || look(s) == ',') {
        s->at++;
        skip_blanks(s);
    }
    if (s->bad || look(s) == 0 || look(s) == ']') {
        s->bad |= look(s) != ']';
        s->at++;
        return false;
    }
    return true;
}

/* The value of a key of the object at s->at, or false; s->at is at the value then. */
static bool find_member(struct scan *s, const char *name)
{
    struct lw_str key;
    if (look(s) != '{')
        return false;
    while (next_member(s, &key)) {
        if (lw_str_eq(key, lw_str(name)))
            return true;
        skip_value(s);
    }
    return false;
}

/* ---- code -------------------------------------------------------------------------------- */

static int push(struct lw_fix_notebook *nb, struct lw_mem *mem, const char *bytes, size_t n,
                size_t at)
{
    for (size_t i = 0; i < n; i++)
        if (lw_vec_push(mem, &nb->text, bytes[i]) < 0 ||
            lw_vec_push(mem, &nb->map, (uint32_t)at) < 0)
            return LW_ENOMEM;
    return 0;
}

static uint32_t hex4(const struct scan *s, size_t at)
{
    uint32_t x = 0;
    for (size_t i = 0; i < 4; i++) {
        char ch = at + i < s->json.n ? s->json.p[at + i] : 0;
        uint32_t digit = ch >= '0' && ch <= '9'   ? (uint32_t)(ch - '0')
                         : ch >= 'a' && ch <= 'f' ? (uint32_t)(ch - 'a' + 10)
                         : ch >= 'A' && ch <= 'F' ? (uint32_t)(ch - 'A' + 10)
                                                  : 0;
        x = x * 16 + digit;
    }
    return x;
}

/* An escape at s->at; moves behind it. */
static int push_escape(struct lw_fix_notebook *nb, struct lw_mem *mem, struct scan *s)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    size_t at = s->at;
    char ch = at + 1 < s->json.n ? s->json.p[at + 1] : 0, utf8[4];
    const char *known = ch ? strchr(from, ch) : NULL;
    s->at += 2;
    if (ch != 'u')
        return push(nb, mem, known ? &to[known - from] : &ch, 1, at);
    uint32_t c = hex4(s, at + 2);
    s->at += 4;
    if (c >= 0xd800 && c < 0xdc00 && look(s) == '\\') {
        c = 0x10000 + ((c - 0xd800) << 10) + (hex4(s, s->at + 2) - 0xdc00);
        s->at += 6;
    }
    return push(nb, mem, utf8, lw_utf8_encode(c, utf8), at);
}

/* The literal at s->at; moves behind it. */
static int push_string(struct lw_fix_notebook *nb, struct lw_mem *mem, struct scan *s,
                       size_t *end)
{
    int rc = 0;
    for (s->at++; rc == 0 && s->at < s->json.n && look(s) != '"';) {
        if (look(s) == '\\') {
            rc = push_escape(nb, mem, s);
        } else {
            rc = push(nb, mem, s->json.p + s->at, 1, s->at);
            s->at++;
        }
    }
    *end = s->at++;
    return rc;
}

static int read_source(struct lw_fix_notebook *nb, struct lw_mem *mem, struct scan *s,
                       uint32_t number)
{
    struct lw_fix_cell cell = {number, nb->map.n, 0};
    size_t end = 0;
    int rc = 0;
    if (look(s) == '"') {
        rc = push_string(nb, mem, s, &end);
    } else if (look(s) == '[') {
        while (rc == 0 && next_item(s)) {
            if (look(s) != '"')
                return LW_EINVAL;
            rc = push_string(nb, mem, s, &end);
        }
    }
    cell.end = nb->map.n;
    char none = 0;
    if (rc == 0) /* the place behind the last byte */
        rc = push(nb, mem, &none, 1, end);
    return rc < 0 ? rc : lw_vec_push(mem, &nb->cells, cell);
}

static int read_cell(struct lw_fix_notebook *nb, struct lw_mem *mem, struct scan *s,
                     uint32_t number)
{
    struct scan kind = *s, code = *s, old = *s;
    skip_value(s);
    if (!find_member(&kind, "cell_type") ||
        !lw_str_has_prefix(lw_str_from(kind.json, kind.at), LW_S("\"code\"")))
        return 0;
    if (find_member(&code, "source"))
        return read_source(nb, mem, &code, number);
    if (find_member(&old, "input"))
        return read_source(nb, mem, &old, number);
    return 0;
}

/* To the list of cells: at the top in format 4, in the first worksheet in format 3. */
static bool find_cells(struct scan *s)
{
    struct scan top = *s;
    if (find_member(s, "cells"))
        return look(s) == '[';
    *s = top;
    return find_member(s, "worksheets") && look(s) == '[' && next_item(s) &&
           find_member(s, "cells") && look(s) == '[';
}

int lw_fix_notebook_read(struct lw_fix_notebook *nb, struct lw_mem *mem, struct lw_str json,
                         struct lw_err *err)
{
    struct scan s = {.json = json};
    uint32_t number = 0;
    int rc = json.n > UINT32_MAX ? LW_EINVAL : 0;
    *nb = (struct lw_fix_notebook){0};
    skip_blanks(&s);
    if (rc == 0 && !find_cells(&s))
        rc = LW_EINVAL;
    while (rc == 0 && next_item(&s))
        rc = read_cell(nb, mem, &s, ++number);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    if (rc < 0 || s.bad)
        return lw_err_set(err, LW_EINVAL,
                          "the notebook cannot be edited: its JSON is not "
                          "what Jupyter writes");
    return 0;
}

void lw_fix_notebook_release(struct lw_fix_notebook *nb, struct lw_mem *mem)
{
    lw_vec_release(mem, &nb->cells);
    lw_vec_release(mem, &nb->map);
    lw_vec_release(mem, &nb->text);
}
