/*
 * HTML as Markdown: what pages and posts of Stack Overflow are written in.
 *
 * Only the tags that matter for reading are turned into marks; the others go away and their
 * text stays. Escapes are left as they are: they are undone once for all formats. One pass.
 */
#include "report/sources.h"

struct html {
    struct lw_buf *out;
    struct lw_str text;
    size_t at;
    bool pre;           /* inside <pre> */
    struct lw_str link; /* target of the <a> that is open */
    struct lw_str title;
};

struct tag {
    struct lw_str name; /* of an end tag without the slash */
    struct lw_str inside;
    bool closes;
};

static bool is_tag(const struct tag *t, const char *name)
{
    return lw_str_eq_nocase(t->name, lw_str(name));
}

/* The tag at the start of `s`; its length, 0 when there is none. */
static size_t read_tag(struct lw_str s, struct tag *t)
{
    enum { LONGEST = 2000 };
    ptrdiff_t end = lw_str_find_char(lw_str_part(s, 0, LONGEST), '>');
    size_t i = 1;
    if (end < 2)
        return 0;
    t->closes = s.p[1] == '/';
    i += t->closes;
    size_t from = i;
    while (i < (size_t)end && (report_is_letter(s.p[i]) || report_is_digit(s.p[i])))
        i++;
    t->name = lw_str_part(s, from, i - from);
    t->inside = lw_str_part(s, i, (size_t)end - i);
    return t->name.n ? (size_t)end + 1 : 0;
}

/* The value of name="value" inside a tag. */
static struct lw_str attribute(const struct tag *t, const char *name)
{
    struct lw_str rest = t->inside;
    ptrdiff_t at = lw_str_find(rest, lw_str(name));
    if (at < 0)
        return (struct lw_str){0};
    rest = lw_str_from(rest, (size_t)at + strlen(name));
    if (rest.n < 2 || rest.p[0] != '=' || (rest.p[1] != '"' && rest.p[1] != '\''))
        return (struct lw_str){0};
    ptrdiff_t end = lw_str_find_char(lw_str_from(rest, 2), rest.p[1]);
    return end < 0 ? (struct lw_str){0} : lw_str_part(rest, 2, (size_t)end);
}

/* "python" of class="lang-python s-code-block". */
static struct lw_str language_of(struct lw_str class)
{
    static const char *const leads[] = {"lang-", "language-"};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        ptrdiff_t at = lw_str_find(class, lw_str(leads[i]));
        if (at < 0)
            continue;
        struct lw_str rest = lw_str_from(class, (size_t)at + strlen(leads[i]));
        size_t n = 0;
        while (n < rest.n && report_is_word(rest.p[n]))
            n++;
        return lw_str_part(rest, 0, n);
    }
    return (struct lw_str){0};
}

static void open_pre(struct html *h, const struct tag *t)
{
    struct tag code;
    struct lw_str language = language_of(attribute(t, "class"));
    struct lw_str rest = lw_str_from(h->text, h->at);
    size_t n = rest.n && rest.p[0] == '<' ? read_tag(rest, &code) : 0;
    if (!language.n && n && is_tag(&code, "code"))
        language = language_of(attribute(&code, "class"));
    if (lw_str_eq(language, LW_S("none")))
        language.n = 0;
    (void)lw_buf_addz(h->out, "\n```");
    (void)lw_buf_add(h->out, language);
    (void)lw_buf_add_char(h->out, '\n');
    h->pre = true;
}

static void close_pre(struct html *h)
{
    if (h->pre)
        (void)lw_buf_addz(h->out, "\n```\n");
    h->pre = false;
}

static void see_link(struct html *h, const struct tag *t)
{
    if (!t->closes) {
        h->link = attribute(t, "href");
        if (h->link.n)
            (void)lw_buf_add_char(h->out, '[');
    } else if (h->link.n) {
        (void)lw_buf_addz(h->out, "](");
        (void)lw_buf_add(h->out, h->link);
        (void)lw_buf_add_char(h->out, ')');
        h->link.n = 0;
    }
}

/* Goes behind the end tag of an element whose content is not text; its content. */
static struct lw_str skip_element(struct html *h, const char *end)
{
    struct lw_str rest = lw_str_from(h->text, h->at);
    ptrdiff_t at = lw_str_find(rest, lw_str(end));
    size_t n = at < 0 ? rest.n : (size_t)at;
    h->at += n;
    return lw_str_part(rest, 0, n);
}

static void see_block(struct html *h, const struct tag *t)
{
    static const char *const blocks[] = {"p",     "div",        "br",      "li",
                                         "ul",    "ol",         "tr",      "hr",
                                         "table", "blockquote", "details", "summary"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (is_tag(t, blocks[i])) {
            (void)lw_buf_addz(h->out, i == 3 && !t->closes ? "\n* " : "\n");
            return;
        }
    bool heading = t->name.n == 2 && (t->name.p[0] | 32) == 'h' && t->name.p[1] >= '1' &&
                   t->name.p[1] <= '6';
    if (!heading)
        return;
    (void)lw_buf_add_char(h->out, '\n');
    if (!t->closes) {
        (void)lw_buf_fill(h->out, '#', (size_t)(t->name.p[1] - '0'));
        (void)lw_buf_add_char(h->out, ' ');
    }
}

static void see_tag(struct html *h, const struct tag *t)
{
    if (is_tag(t, "pre")) {
        if (t->closes)
            close_pre(h);
        else if (!h->pre)
            open_pre(h, t);
    } else if (h->pre) {
        if (is_tag(t, "br"))
            (void)lw_buf_add_char(h->out, '\n');
    } else if (is_tag(t, "code")) {
        (void)lw_buf_add_char(h->out, '`');
    } else if (is_tag(t, "strong") || is_tag(t, "b")) {
        (void)lw_buf_addz(h->out, "**");
    } else if (is_tag(t, "a")) {
        see_link(h, t);
    } else if (is_tag(t, "title") && !t->closes) {
        h->title = skip_element(h, "</title");
    } else if (is_tag(t, "script") && !t->closes) {
        (void)skip_element(h, "</script");
    } else if (is_tag(t, "style") && !t->closes) {
        (void)skip_element(h, "</style");
    } else {
        see_block(h, t);
    }
}

void report_from_html(struct lw_buf *out, struct lw_str text, struct lw_str *title)
{
    struct html h = {.out = out, .text = text};
    while (h.at < text.n) {
        struct lw_str rest = lw_str_from(text, h.at);
        struct tag t;
        size_t n = rest.p[0] == '<' ? read_tag(rest, &t) : 0;
        if (n) {
            h.at += n;
            see_tag(&h, &t);
        } else if (lw_str_has_prefix(rest, LW_S("<!"))) {
            bool comment = lw_str_has_prefix(rest, LW_S("<!--"));
            (void)skip_element(&h, comment ? "-->" : ">");
            h.at += comment ? 3 : 1;
        } else {
            (void)lw_buf_add_char(out, rest.p[0]);
            h.at++;
        }
    }
    close_pre(&h);
    *title = h.title;
}

bool report_is_html(struct lw_str text)
{
    static const char *const tags[] = {"html", "p",    "div", "pre", "h1",   "h2",
                                       "body", "head", "ul",  "ol",  "code", "blockquote"};
    struct tag t;
    struct lw_str s = lw_str_trim(text);
    if (s.n > 9 && lw_str_eq_nocase(lw_str_part(s, 0, 9), LW_S("<!doctype")))
        return true;
    if (!s.n || s.p[0] != '<' || !read_tag(s, &t) || t.closes)
        return false;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (is_tag(&t, tags[i]))
            return true;
    return false;
}
