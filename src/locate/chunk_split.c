/* Where the statements of a Python module begin, found without parsing it. */
#include <string.h>

#include "base/str.h"
#include "locate/chunk.h"

enum { PLAIN, HASH, QUOTE, OPEN, CLOSE, LINE, BACKSLASH };

static const uint8_t kinds[256] = {
    ['#'] = HASH,  ['"'] = QUOTE, ['\''] = QUOTE,     ['('] = OPEN,
    ['['] = OPEN,  ['{'] = OPEN,  [')'] = CLOSE,      [']'] = CLOSE,
    ['}'] = CLOSE, ['\n'] = LINE, ['\\'] = BACKSLASH,
};

/* Is the byte at `at` escaped by the backslashes before it, not looking before `from`? */
static bool is_escaped(struct lw_str text, size_t from, size_t at)
{
    size_t n = 0;
    while (at - n > from && text.p[at - n - 1] == '\\')
        n++;
    return n % 2;
}

/* Behind the three quotes that end the string whose text begins at `at`. */
static size_t triple_end(struct lw_str text, size_t at, char quote)
{
    size_t from = at;
    const char *p;
    while (at + 2 < text.n && (p = memchr(text.p + at, quote, text.n - 2 - at))) {
        at = (size_t)(p - text.p);
        if (p[1] == quote && p[2] == quote && !is_escaped(text, from, at))
            return at + 3;
        at++;
    }
    return text.n;
}

/* Behind the string that begins at `at`; one that is not closed ends with its line, a triple
 * one with the text. */
static size_t string_end(struct lw_str text, size_t at)
{
    char quote = text.p[at];
    if (at + 2 < text.n && text.p[at + 1] == quote && text.p[at + 2] == quote)
        return triple_end(text, at + 3, quote);
    for (at++; at < text.n; at++) {
        char c = text.p[at];
        if (c == '\\')
            at++;
        else if (c == '\n')
            return at;
        else if (c == quote)
            return at + 1;
    }
    return text.n;
}

/* Does the line at `at` belong to the statement before? */
static bool goes_on(struct lw_str text, size_t at)
{
    static const struct lw_str words[] = {LW_S("else"), LW_S("elif"), LW_S("except"),
                                          LW_S("finally")};
    char c = text.p[at];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@'))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words && (c == 'e' || c == 'f'); i++)
        if (lw_str_has_prefix(lw_str_from(text, at), words[i]))
            return true;
    return false;
}

struct splitting {
    size_t depth;   /* of brackets */
    bool decorated; /* a decorator waits for its definition */
    bool in_class;
    size_t width; /* of the blanks before what stands in the class; 0: not yet known */
};

static size_t blanks_at(struct lw_str text, size_t at)
{
    size_t n = 0;
    while (at + n < text.n && (text.p[at + n] == ' ' || text.p[at + n] == '\t'))
        n++;
    return n;
}

static bool is_class(struct lw_str text, size_t at)
{
    return lw_str_has_prefix(lw_str_from(text, at), LW_S("class "));
}

/* A line of a class: a method begins a chunk, unless it is the first thing of the class,
 * without which the class would be no class. */
static bool is_method_cut(struct lw_str text, size_t at, size_t width, struct splitting *s)
{
    struct lw_str rest = lw_str_from(text, at + width);
    if (!rest.n || strchr("\r\n#", rest.p[0]))
        return false;
    bool starts = rest.p[0] == '@' || lw_str_has_prefix(rest, LW_S("def ")) ||
                  lw_str_has_prefix(rest, LW_S("async def "));
    if (s->width == 0) {
        s->width = width;
        s->decorated = rest.p[0] == '@';
        return false;
    }
    if (width != s->width || !starts)
        return false;
    if (!s->decorated)
        return true;
    s->decorated = rest.p[0] == '@';
    return false;
}

/* The line end at `at`: is the next line the first of another chunk? */
static bool is_cut(struct lw_str text, size_t at, struct splitting *s)
{
    if (s->depth || ++at >= text.n)
        return false;
    size_t width = blanks_at(text, at);
    if (width)
        return s->in_class && is_method_cut(text, at, width, s);
    if (goes_on(text, at))
        return false;
    if (!s->decorated || s->in_class)
        return true;
    s->decorated = text.p[at] == '@';
    s->in_class = is_class(text, at);
    return false;
}

static struct splitting begin(struct lw_str text, size_t start)
{
    size_t width = blanks_at(text, start);
    return (struct splitting){
        .decorated = start + width < text.n && text.p[start + width] == '@',
        .in_class = width || is_class(text, start),
        .width = width,
    };
}

size_t lw_chunk_end(struct lw_str text, size_t start)
{
    struct splitting s = begin(text, start);
    size_t at = start;
    while (at < text.n) {
        while (at < text.n && kinds[(unsigned char)text.p[at]] == PLAIN)
            at++;
        if (at >= text.n)
            break;
        switch (kinds[(unsigned char)text.p[at]]) {
        case HASH: {
            const char *end = memchr(text.p + at, '\n', text.n - at);
            at = end ? (size_t)(end - text.p) : text.n;
            break;
        }
        case QUOTE: at = string_end(text, at); break;
        case BACKSLASH: at += 2; break;
        case OPEN: s.depth++, at++; break;
        case CLOSE: s.depth -= s.depth > 0, at++; break;
        case LINE:
            if (is_cut(text, at, &s))
                return at + 1;
            at++;
            break;
        default: at++;
        }
    }
    return text.n;
}
