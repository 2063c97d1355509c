#include "source/text.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"

/* Unicode of the bytes 0x80 to 0x9f in Windows-1252; 0 where it has none. */
static const uint16_t cp1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

/* The encoding that one of the first two lines declares, or an empty text (PEP 263). */
static struct lw_str declared(struct lw_str bytes)
{
    struct lw_str line;
    for (int i = 0; i < 2 && lw_str_line(&bytes, &line); i++) {
        struct lw_str t = lw_str_trim(line);
        if (t.n > 0 && t.p[0] != '#' && t.p[0] != '\f')
            break;
        ptrdiff_t at = lw_str_find(t, LW_S("coding"));
        if (at < 0)
            continue;
        struct lw_str rest = lw_str_from(t, (size_t)at + 6);
        if (rest.n == 0 || (rest.p[0] != ':' && rest.p[0] != '='))
            continue;
        rest = lw_str_trim(lw_str_from(rest, 1));
        size_t n = 0;
        while (n < rest.n && (rest.p[n] == '-' || rest.p[n] == '_' || rest.p[n] == '.' ||
                              (rest.p[n] >= '0' && rest.p[n] <= '9') ||
                              ((rest.p[n] | 32) >= 'a' && (rest.p[n] | 32) <= 'z')))
            n++;
        return lw_str_part(rest, 0, n);
    }
    return (struct lw_str){"", 0};
}

static bool is_one_of(struct lw_str name, const char *const *list)
{
    for (; *list; list++)
        if (lw_str_eq_nocase(name, lw_str(*list)))
            return true;
    return false;
}

/* One byte, one character. */
static int from_single(struct lw_source *s, struct lw_arena *arena, struct lw_str bytes,
                       const uint16_t *high, struct lw_err *err)
{
    char *out = bytes.n < SIZE_MAX / 3 ? lw_arena_bytes(arena, bytes.n * 3 + 1) : NULL;
    if (!out)
        return lw_err_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        uint32_t c = (unsigned char)bytes.p[i];
        if (high && c >= 0x80 && c < 0xa0 && high[c - 0x80])
            c = high[c - 0x80];
        n += lw_utf8_encode(c, out + n);
    }
    s->text = lw_str_n(out, n);
    s->converted = true;
    return 0;
}

/* Half a surrogate pair and an odd last byte become U+FFFD. */
static int from_utf16(struct lw_source *s, struct lw_arena *arena, struct lw_str bytes,
                      bool big, struct lw_err *err)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    char *out = bytes.n < SIZE_MAX / 2 ? lw_arena_bytes(arena, bytes.n * 2 + 4) : NULL;
    if (!out)
        return lw_err_nomem(err);
    size_t n = 0;
    for (size_t i = 2; i + 1 < bytes.n; i += 2) {
        uint32_t c = big ? (uint32_t)(p[i] << 8 | p[i + 1]) : (uint32_t)(p[i + 1] << 8 | p[i]);
        if (c >= 0xd800 && c < 0xdc00 && i + 3 < bytes.n) {
            uint32_t d = big ? (uint32_t)(p[i + 2] << 8 | p[i + 3])
                             : (uint32_t)(p[i + 3] << 8 | p[i + 2]);
            if (d >= 0xdc00 && d < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
                i += 2;
            }
        }
        n += lw_utf8_encode(c >= 0xd800 && c < 0xe000 ? 0xfffd : c, out + n);
    }
    s->text = lw_str_n(out, n);
    s->converted = true;
    return 0;
}

int lw_source_decode(struct lw_source *s, struct lw_arena *arena, struct lw_str path,
                     struct lw_str bytes, struct lw_err *err)
{
    static const char *const latin[] = {"latin-1",     "latin1",      "iso-8859-1",
                                        "iso8859-1",   "iso-8859-15", "iso_8859_15",
                                        "iso-latin-1", NULL};
    static const char *const windows[] = {"cp1252", "windows-1252", "cp-1252", NULL};
    *s = (struct lw_source){.path = path, .text = bytes, .encoding = "utf-8"};
    if (lw_str_has_suffix(path, LW_S(".ipynb"))) {
        s->converted = true;
        return lw_notebook_read(&s->notebook, &s->text, arena, bytes, err);
    }
    if (bytes.n >= 2 &&
        (memcmp(bytes.p, "\xff\xfe", 2) == 0 || memcmp(bytes.p, "\xfe\xff", 2) == 0)) {
        s->encoding = "utf-16";
        return from_utf16(s, arena, bytes, bytes.p[0] == '\xfe', err);
    }
    struct lw_str name = declared(bytes);
    if (is_one_of(name, latin)) {
        s->encoding = "latin-1";
        return from_single(s, arena, bytes, NULL, err);
    }
    if (is_one_of(name, windows)) {
        s->encoding = "cp1252";
        return from_single(s, arena, bytes, cp1252, err);
    }
    return 0;
}

int lw_source_load(struct lw_source *s, struct lw_arena *arena, const char *path,
                   struct lw_err *err)
{
    struct lw_str bytes;
    int rc = lw_file_read(arena, path, LW_SOURCE_MAX, &bytes, err);
    return rc < 0 ? rc : lw_source_decode(s, arena, lw_str(path), bytes, err);
}
