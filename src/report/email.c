/*
 * E-mail: the header, the part with the text, its encoding, and the marks of quoted lines.
 */
#include "report/sources.h"

/* The next header of `*rest` with its continued lines; false at the blank line. */
static bool next_header(struct lw_str *rest, struct lw_str *name, struct lw_str *value)
{
    struct lw_str line, next;
    if (!lw_str_line(rest, &line) || !lw_str_trim(line).n)
        return false;
    ptrdiff_t colon = lw_str_find_char(line, ':');
    *name = colon > 0 ? lw_str_part(line, 0, (size_t)colon) : (struct lw_str){0};
    *value = lw_str_from(line, (size_t)(colon + 1));
    while (rest->n && report_is_blank(rest->p[0]) && lw_str_line(rest, &next))
        value->n = (size_t)(next.p + next.n - value->p);
    *value = lw_str_trim(*value);
    return true;
}

static bool is_header_name(struct lw_str name)
{
    if (!name.n || name.n > 40)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (!report_is_word(name.p[i]) && name.p[i] != '-')
            return false;
    return true;
}

/* Only headers before the first blank line, a Subject and one that only e-mail has. */
bool report_is_email(struct lw_str text)
{
    static const char *const sure[] = {"From",     "To",           "Date",       "Message-ID",
                                       "Received", "MIME-Version", "Return-Path"};
    struct lw_str name, value;
    bool subject = false, mail = false;
    if (lw_str_has_prefix(text, LW_S("From "))) /* of an mbox */
        (void)lw_str_line(&text, &value);
    for (int headers = 0; headers < 200 && next_header(&text, &name, &value); headers++) {
        if (!is_header_name(name))
            return false;
        subject |= lw_str_eq_nocase(name, LW_S("Subject"));
        for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
            mail |= lw_str_eq_nocase(name, lw_str(sure[i]));
    }
    return subject && mail;
}

struct part {
    struct lw_str type, encoding, body;
};

static struct part read_part(struct lw_str text, struct lw_str *subject, struct lw_str *date)
{
    struct part p = {0};
    struct lw_str name, value;
    while (next_header(&text, &name, &value)) {
        if (lw_str_eq_nocase(name, LW_S("Subject")) && subject)
            *subject = value;
        else if (lw_str_eq_nocase(name, LW_S("Date")) && date)
            *date = value;
        else if (lw_str_eq_nocase(name, LW_S("Content-Type")))
            p.type = value;
        else if (lw_str_eq_nocase(name, LW_S("Content-Transfer-Encoding")))
            p.encoding = value;
    }
    p.body = text;
    return p;
}

/* The first part of a multipart body that is text. */
static struct part first_text(struct part whole)
{
    ptrdiff_t at = lw_str_find(whole.type, LW_S("boundary="));
    struct lw_str mark = lw_str_from(whole.type, at < 0 ? whole.type.n : (size_t)at + 9);
    if (mark.n && mark.p[0] == '"') {
        ptrdiff_t end = lw_str_find_char(lw_str_from(mark, 1), '"');
        mark = lw_str_part(mark, 1, end < 0 ? mark.n : (size_t)end);
    }
    ptrdiff_t semicolon = lw_str_find_char(mark, ';');
    mark = lw_str_trim(lw_str_part(mark, 0, semicolon < 0 ? mark.n : (size_t)semicolon));
    ptrdiff_t from = mark.n ? lw_str_find(whole.body, mark) : -1;
    if (from < 0)
        return whole;
    struct lw_str rest = lw_str_from(whole.body, (size_t)from + mark.n), line;
    (void)lw_str_line(&rest, &line);
    struct part p = read_part(rest, NULL, NULL);
    ptrdiff_t end = lw_str_find(p.body, mark);
    if (end >= 2)
        p.body = lw_str_part(p.body, 0, (size_t)end - 2);
    return p;
}

static int hex_value(char c)
{
    return report_is_digit(c)                   ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* "=3D" and "=" at line ends; "> " before quoted lines goes away. */
static void add_body(struct lw_buf *out, struct lw_str body, bool printable)
{
    bool start = true;
    for (size_t i = 0; i < body.n; i++) {
        char c = body.p[i];
        if (start && c == '>') {
            if (i + 1 < body.n && body.p[i + 1] == ' ')
                i++;
            continue;
        }
        start = c == '\n';
        if (!printable || c != '=' || i + 1 >= body.n) {
            (void)lw_buf_add_char(out, c);
            continue;
        }
        size_t cr = body.p[i + 1] == '\r' ? 1 : 0;
        int high = hex_value(body.p[i + 1]);
        int low = i + 2 < body.n ? hex_value(body.p[i + 2]) : -1;
        if (i + 1 + cr < body.n && body.p[i + 1 + cr] == '\n')
            i += 1 + cr;
        else if (high >= 0 && low >= 0) {
            (void)lw_buf_add_char(out, (char)(high * 16 + low));
            i += 2;
        } else {
            (void)lw_buf_add_char(out, c);
        }
    }
}

static struct lw_str without_reply(struct lw_str subject)
{
    static const char *const marks[] = {"Re:", "RE:", "Fwd:", "FW:", "Fw:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (lw_str_has_prefix(subject, lw_str(marks[i])))
            return lw_str_trim(lw_str_from(subject, strlen(marks[i])));
    return subject;
}

int report_from_email(struct report_source *source, struct lw_arena *arena, struct lw_mem *mem,
                      struct lw_str text, struct lw_err *err)
{
    struct lw_str line, title;
    if (lw_str_has_prefix(text, LW_S("From ")))
        (void)lw_str_line(&text, &line);
    struct part p = read_part(text, &source->summary, &source->open_date);
    if (lw_str_has_prefix(p.type, LW_S("multipart/")))
        p = first_text(p);
    source->format = LW_REPORT_EMAIL;
    source->summary = without_reply(source->summary);
    struct lw_buf body;
    lw_buf_init(&body, mem, 0);
    add_body(&body, p.body, lw_str_eq_nocase(p.encoding, LW_S("quoted-printable")));
    source->description = lw_arena_copy(arena, lw_buf_str(&body));
    bool failed = body.failed || !source->description.p;
    lw_buf_release(&body);
    if (failed)
        return lw_err_nomem(err);
    if (lw_str_has_prefix(p.type, LW_S("text/html")))
        return report_html(arena, mem, source->description, &source->description, &title, err);
    return 0;
}
