/*
 * The readable text: escapes undone, Denchmark's tags as Markdown.
 *
 * Denchmark keeps the rendered page with some tags of its own: <denchmark-code> around blocks,
 * <denchmark-h:h2> around headings, <denchmark-link:URL> around links. Every line but the first
 * begins with one blank that nobody wrote.
 */
#include "report/internal.h"

enum { ESCAPE_LEVELS = 3, ENTITY_MAX = 10 };

struct entity {
    const char *name;
    const char *text;
};

static const struct entity entities[] = {
    {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "},
};

static void add_code_point(struct lw_buf *out, uint32_t c)
{
    if (c == 0 || c > 0x10ffff)
        c = ' ';
    if (c < 0x80) {
        (void)lw_buf_add_char(out, (char)c);
    } else if (c < 0x800) {
        (void)lw_buf_add_char(out, (char)(0xc0 | c >> 6));
        (void)lw_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        (void)lw_buf_add_char(out, (char)(0xe0 | c >> 12));
        (void)lw_buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        (void)lw_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    } else {
        (void)lw_buf_add_char(out, (char)(0xf0 | c >> 18));
        (void)lw_buf_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
        (void)lw_buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        (void)lw_buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    }
}

/* "#39" or "#x27"; false when it is no number. */
static bool number_entity(struct lw_str name, uint32_t *c)
{
    bool hex = name.n > 2 && (name.p[1] == 'x' || name.p[1] == 'X');
    size_t i = hex ? 2 : 1;
    *c = 0;
    for (size_t from = i; i < name.n; i++) {
        char d = name.p[i];
        uint32_t v = report_is_digit(d) ? (uint32_t)(d - '0')
                     : hex && (d | 32) >= 'a' && (d | 32) <= 'f'
                         ? (uint32_t)((d | 32) - 'a' + 10)
                         : 99;
        if (v == 99 || i - from > 6)
            return false;
        *c = *c * (hex ? 16 : 10) + v;
    }
    return name.n > (hex ? 2u : 1u);
}

/* Writes what the entity at the start of `s` (behind an ampersand that was itself perhaps
 * escaped) stands for and returns its length; 0 when there is none. */
static size_t add_entity(struct lw_buf *out, struct lw_str s, int level)
{
    struct lw_str head = lw_str_part(s, 0, ENTITY_MAX);
    ptrdiff_t semicolon = lw_str_find_char(head, ';');
    if (semicolon < 1)
        return 0;
    struct lw_str name = lw_str_part(head, 0, (size_t)semicolon);
    size_t used = (size_t)semicolon + 1;
    uint32_t c = 0;
    if (name.p[0] == '#' && number_entity(name, &c)) {
        add_code_point(out, c);
        return used;
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (!lw_str_eq(name, lw_str(entities[i].name)))
            continue;
        if (i == 0 && level < ESCAPE_LEVELS) { /* &amp;lt; */
            size_t more = add_entity(out, lw_str_from(s, used), level + 1);
            if (more)
                return used + more;
        }
        (void)lw_buf_addz(out, entities[i].text);
        return used;
    }
    return 0;
}

/* Text without tags: escapes undone, CR dropped, NUL bytes blanked. */
static void add_text(struct lw_buf *out, struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t used = c == '&' ? add_entity(out, lw_str_from(s, i + 1), 1) : 0;
        if (used)
            i += used;
        else if (c == '\r')
            (void)lw_buf_addz(out, i + 1 < s.n && s.p[i + 1] == '\n' ? "" : "\n");
        else
            (void)lw_buf_add_char(out, c ? c : ' ');
    }
}

void report_unescape(struct lw_buf *out, struct lw_str s)
{
    add_text(out, s);
}

/* A Denchmark tag at the start of `s`: its length and what stands between "denchmark-" and ">",
 * with a slash in front when it closes. */
static size_t tag_at(struct lw_str s, struct lw_str *name, bool *closes)
{
    *closes = lw_str_has_prefix(s, LW_S("</denchmark-"));
    if (!*closes && !lw_str_has_prefix(s, LW_S("<denchmark-")))
        return 0;
    size_t head = *closes ? 12 : 11;
    ptrdiff_t end = lw_str_find_char(s, '>');
    if (end < (ptrdiff_t)head)
        return 0;
    *name = lw_str_part(s, head, (size_t)end - head);
    return (size_t)end + 1;
}

static void open_tag(struct lw_buf *out, struct lw_str name, struct lw_str *link)
{
    if (lw_str_has_prefix(name, LW_S("link:"))) {
        *link = lw_str_from(name, 5);
        (void)lw_buf_add_char(out, '[');
    } else if (lw_str_eq(name, LW_S("code"))) {
        (void)lw_buf_addz(out, "\n```\n");
    } else if (lw_str_eq(name, LW_S("h:hr"))) {
        (void)lw_buf_addz(out, "\n---\n");
    } else if (lw_str_has_prefix(name, LW_S("h:h")) && name.n == 4 && name.p[3] >= '1' &&
               name.p[3] <= '6') {
        (void)lw_buf_add_char(out, '\n');
        (void)lw_buf_fill(out, '#', (size_t)(name.p[3] - '0'));
        (void)lw_buf_add_char(out, ' ');
    }
}

static void close_tag(struct lw_buf *out, struct lw_str name, struct lw_str *link)
{
    if (lw_str_eq(name, LW_S("link")) && link->p) {
        (void)lw_buf_addz(out, "](");
        add_text(out, *link);
        (void)lw_buf_add_char(out, ')');
        *link = (struct lw_str){0};
    } else if (lw_str_eq(name, LW_S("code"))) {
        (void)lw_buf_addz(out, "\n```\n");
    } else if (lw_str_eq(name, LW_S("h"))) {
        (void)lw_buf_add_char(out, '\n');
    }
}

/* Do nearly all lines after the first begin with a blank? Then somebody else put it there. */
static bool is_shifted(struct lw_str raw)
{
    struct lw_str rest = raw, line;
    size_t lines = 0, shifted = 0;
    (void)lw_str_line(&rest, &line);
    while (lw_str_line(&rest, &line)) {
        if (!line.n)
            continue;
        lines++;
        shifted += line.p[0] == ' ';
    }
    return lines > 0 && shifted * 20 >= lines * 19;
}

void report_readable(struct lw_buf *out, struct lw_str raw)
{
    bool shifted = is_shifted(raw);
    struct lw_str link = {0};
    size_t from = 0;
    for (size_t i = 0; i < raw.n;) {
        struct lw_str name;
        bool closes;
        size_t tag = raw.p[i] == '<' ? tag_at(lw_str_from(raw, i), &name, &closes) : 0;
        bool cut = shifted && raw.p[i] == ' ' && i > 0 && raw.p[i - 1] == '\n';
        if (!tag && !cut) {
            i++;
            continue;
        }
        add_text(out, lw_str_part(raw, from, i - from));
        if (tag && closes)
            close_tag(out, name, &link);
        else if (tag)
            open_tag(out, name, &link);
        i += tag ? tag : 1;
        from = i;
    }
    add_text(out, lw_str_from(raw, from));
    if (link.p) /* never closed */
        close_tag(out, LW_S("link"), &link);
}
