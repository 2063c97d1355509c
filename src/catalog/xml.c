#include "catalog/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/sink.h"
#include "base/str.h"
#include "base/utf8.h"

enum { CHUNK = 64 << 10, ENTITY = 12, NAME = 256 };

int xml_open(struct xml *x, struct lw_mem *mem, const char *path, struct lw_err *err)
{
    *x = (struct xml){.mem = mem, .path = path, .line = 1};
    lw_buf_init(&x->name, mem, NAME);
    lw_buf_init(&x->text, mem, XML_TEXT);
    lw_buf_init(&x->open, mem, XML_DEPTH * NAME);
    x->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (x->fd < 0)
        return lw_err_system(err, errno, "cannot open", lw_str(path));
    x->chunk = lw_mem_alloc(mem, CHUNK);
    return x->chunk ? 0 : lw_err_nomem(err);
}

void xml_close(struct xml *x)
{
    if (x->fd >= 0)
        close(x->fd);
    if (x->chunk)
        lw_mem_free(x->mem, x->chunk, CHUNK);
    lw_buf_release(&x->open);
    lw_buf_release(&x->text);
    lw_buf_release(&x->name);
    x->chunk = NULL;
    x->fd = -1;
}

static int fail(struct xml *x, struct lw_err *err, const char *what)
{
    return lw_err_set(err, LW_EINVAL, "%s:%llu: %s", x->path, (unsigned long long)x->line,
                      what);
}

enum { AT_END = -1, FAILED = -2 };

/* The next byte, AT_END or FAILED. */
static int take(struct xml *x, struct lw_err *err)
{
    if (x->chunk_at == x->chunk_n) {
        ssize_t n;
        do
            n = read(x->fd, x->chunk, CHUNK);
        while (n < 0 && errno == EINTR);
        if (n < 0) {
            lw_err_system(err, errno, "cannot read", lw_str(x->path));
            return FAILED;
        }
        if (n == 0)
            return AT_END;
        x->chunk_n = (size_t)n;
        x->chunk_at = 0;
    }
    unsigned char c = (unsigned char)x->chunk[x->chunk_at++];
    x->line += c == '\n';
    return c;
}

/* A byte where the file must not end. */
static int need(struct xml *x, struct lw_err *err)
{
    int c = take(x, err);
    if (c == AT_END) {
        fail(x, err, "the file ends inside a tag, a comment or an entity");
        return FAILED;
    }
    return c;
}

static int add_code(struct xml *x, struct lw_str digits, bool hex, struct lw_err *err)
{
    uint64_t code = 0;
    for (size_t i = 0; i < digits.n; i++) {
        char c = digits.p[i];
        int v = c >= '0' && c <= '9'          ? c - '0'
                : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                              : -1;
        if (v < 0 || code > 0x10ffff)
            return fail(x, err, "not a character reference");
        code = code * (hex ? 16 : 10) + (uint64_t)v;
    }
    bool odd = code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
    if (digits.n == 0 || odd)
        return fail(x, err, "not a character reference");
    char out[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[n] | code);
    lw_buf_add(&x->text, lw_str_n(out, n));
    return 0;
}

static int add_entity(struct xml *x, struct lw_err *err)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    char name[ENTITY];
    size_t n = 0;
    int c;
    while ((c = need(x, err)) != ';') {
        if (c == FAILED)
            return err->code;
        if (n == sizeof name - 1)
            return fail(x, err, "an '&' that begins no entity");
        name[n++] = (char)c;
    }
    name[n] = '\0';
    if (n > 1 && name[0] == '#') {
        bool hex = name[1] == 'x';
        return add_code(x, lw_str_n(name + 1 + hex, n - 1 - hex), hex, err);
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strcmp(name, entities[i].name) == 0)
            return lw_buf_add_char(&x->text, entities[i].c);
    return fail(x, err, "an entity that is not one of XML's own");
}

/* Passes over everything up to `end`; the text goes to `to` where it is not NULL. */
static int pass_to(struct xml *x, const char *end, struct lw_buf *to, struct lw_err *err)
{
    size_t n = strlen(end), seen = 0;
    for (;;) {
        int c = need(x, err);
        if (c == FAILED)
            return err->code;
        if (to)
            lw_buf_add_char(to, (char)c);
        /* "--->" ends a comment as well: of a repeated first sign the last two count. */
        if (c == end[seen])
            seen++;
        else if (!(seen == 2 && c == end[0] && end[0] == end[1]))
            seen = c == end[0];
        if (seen == n) {
            if (to && to->n >= n)
                lw_buf_cut(to, to->n - n);
            return 0;
        }
    }
}

/* After "<!": a comment or CDATA. */
static int pass_declaration(struct xml *x, struct lw_err *err)
{
    char start[8] = {0};
    for (size_t i = 0; i < 7; i++) {
        int c = need(x, err);
        if (c == FAILED)
            return err->code;
        start[i] = (char)c;
        if (i == 1 && strcmp(start, "--") == 0)
            return pass_to(x, "-->", NULL, err);
        if (c == '>')
            break;
    }
    if (strcmp(start, "[CDATA[") == 0)
        return pass_to(x, "]]>", &x->text, err);
    return fail(x, err, "document types and declarations are not read");
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The rest of a tag after its name, quotes respected; `*empty` for "<x/>". */
static int pass_attributes(struct xml *x, int c, bool *empty, struct lw_err *err)
{
    int quote = 0, before = 0;
    while (quote || c != '>') {
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else if (!quote && c == '<')
            return fail(x, err, "a '<' inside a tag");
        before = c;
        c = need(x, err);
        if (c == FAILED)
            return err->code;
    }
    *empty = before == '/';
    return 0;
}

static int open_element(struct xml *x, struct lw_err *err)
{
    if (x->depth == XML_DEPTH)
        return fail(x, err, "elements are nested too deep");
    x->starts[x->depth++] = x->open.n;
    lw_buf_add(&x->open, lw_buf_str(&x->name));
    return XML_OPENED;
}

static int close_element(struct xml *x, struct lw_err *err)
{
    if (x->depth == 0)
        return fail(x, err, "an end tag without a beginning");
    size_t start = x->starts[--x->depth];
    struct lw_str expected = lw_str_from(lw_buf_str(&x->open), start);
    if (!lw_str_eq(expected, lw_buf_str(&x->name)))
        return lw_err_set(err, LW_EINVAL, "%s:%llu: </%s> where </%.*s> is expected", x->path,
                          (unsigned long long)x->line, lw_buf_z(&x->name), LW_F(expected));
    lw_buf_cut(&x->open, start);
    return XML_CLOSED;
}

static bool ends_plain_name(char c)
{
    return c <= ' ' || c == '/' || c == '>' || c == '"' || c == '\'' || c == '<';
}

/* "name>" without attributes, whole in the chunk: what nearly every tag is. */
static bool take_plain_name(struct xml *x)
{
    const char *from = x->chunk + x->chunk_at;
    size_t left = x->chunk_n - x->chunk_at, n = 0;
    while (n < left && n < NAME && !ends_plain_name(from[n]))
        n++;
    if (n == 0 || n == left || from[n] != '>')
        return false;
    lw_buf_add(&x->name, lw_str_n(from, n));
    x->chunk_at += n + 1;
    return true;
}

/* After '<' and the first character of a name, or '/'. */
static int read_tag(struct xml *x, int c, struct lw_err *err)
{
    bool closing = c == '/', empty = false;
    lw_buf_clear(&x->name);
    if (!closing)
        x->chunk_at--; /* the character just taken: it cannot be a line end */
    if (take_plain_name(x) && !x->name.failed)
        return closing ? close_element(x, err) : open_element(x, err);
    if (!closing)
        x->chunk_at++;
    lw_buf_clear(&x->name);
    if (closing)
        c = need(x, err);
    while (c != FAILED && c != '>' && c != '/' && !is_blank(c)) {
        lw_buf_add_char(&x->name, (char)c);
        c = need(x, err);
    }
    if (c == FAILED || pass_attributes(x, c, &empty, err) < 0)
        return err->code;
    if (x->name.failed == LW_ELIMIT || x->name.n == 0)
        return fail(x, err, "a tag without a name, or with a very long one");
    if (x->name.failed)
        return lw_err_nomem(err);
    if (closing)
        return close_element(x, err);
    x->pending_close = empty;
    return open_element(x, err);
}

/* The plain text that is at hand, in one piece. */
static void add_run(struct xml *x)
{
    const char *from = x->chunk + x->chunk_at;
    const char *end = x->chunk + x->chunk_n, *found;
    if ((found = memchr(from, '<', (size_t)(end - from))))
        end = found;
    if ((found = memchr(from, '&', (size_t)(end - from))))
        end = found;
    for (found = from; (found = memchr(found, '\n', (size_t)(end - found))); found++)
        x->line++;
    size_t n = (size_t)(end - from);
    lw_buf_add(&x->text, lw_str_n(from, n));
    x->chunk_at += n;
}

int xml_next(struct xml *x, struct lw_err *err)
{
    lw_buf_clear(&x->text);
    if (x->pending_close) {
        x->pending_close = false;
        return close_element(x, err);
    }
    for (;;) {
        int rc = 0, c = take(x, err);
        if (c == FAILED)
            return err->code;
        if (c == AT_END)
            return x->depth ? fail(x, err, "the file ends inside an element") : XML_AT_END;
        if (c == '<') {
            c = need(x, err);
            if (c == '!')
                rc = pass_declaration(x, err);
            else if (c == '?')
                rc = pass_to(x, "?>", NULL, err);
            else
                return c == FAILED ? err->code : read_tag(x, c, err);
        } else if (c == '&') {
            rc = add_entity(x, err);
        } else {
            lw_buf_add_char(&x->text, (char)c);
            add_run(x);
        }
        if (rc < 0 && !x->text.failed)
            return rc;
        if (x->text.failed)
            return x->text.failed == LW_ELIMIT ? fail(x, err, "a text is longer than 1 MiB")
                                               : lw_err_nomem(err);
    }
}

void xml_put(struct lw_sink *out, struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        switch (c) {
        case '<': lw_putz(out, "&lt;"); break;
        case '>': lw_putz(out, "&gt;"); break;
        case '&': lw_putz(out, "&amp;"); break;
        default:
            if ((unsigned char)c >= 0x20 || c == '\n' || c == '\t')
                lw_put_char(out, c);
        }
    }
}
