/*
 * Strings and f-strings.
 *
 * An f-string is FSTRING_START, then FSTRING_MIDDLE texts and replacement fields ({ tokens })
 * in turn, then FSTRING_END, nested quotes as Python 3.12 allows them.
 */
#include "source/lex_internal.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* First byte at or after pos that is the quote, a backslash or (unless `triple`) a line end. */
static uint32_t find_special(const struct lexer *lx, uint32_t pos, char quote, bool triple)
{
#ifdef __SSE2__
    const __m128i q = _mm_set1_epi8(quote), slash = _mm_set1_epi8('\\');
    const __m128i lf = _mm_set1_epi8(triple ? quote : '\n');
    const __m128i cr = _mm_set1_epi8(triple ? quote : '\r');
    for (; lx->n - pos >= 16; pos += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(lx->text + pos));
        __m128i a = _mm_or_si128(_mm_cmpeq_epi8(v, q), _mm_cmpeq_epi8(v, slash));
        __m128i b = _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr));
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_or_si128(a, b));
        if (mask)
            return pos + (uint32_t)__builtin_ctz(mask);
    }
#endif
    for (; pos < lx->n; pos++) {
        char c = lx->text[pos];
        if (c == quote || c == '\\' || (!triple && (c == '\n' || c == '\r')))
            break;
    }
    return pos;
}

static bool at_quotes(const struct lexer *lx, uint32_t pos, char quote, bool triple)
{
    return lex_at(lx, pos) == quote && pos < lx->n &&
           (!triple || (lex_at(lx, pos + 1) == quote && lex_at(lx, pos + 2) == quote));
}

/* The byte after a backslash at pos and what it escapes. */
static uint32_t after_escape(const struct lexer *lx, uint32_t pos)
{
    uint32_t n = lex_line_end(lx, pos + 1);
    uint32_t end = pos + 1 + (n ? n : 1);
    return end < lx->n ? end : lx->n;
}

/* The end of the string whose text begins at pos; `*closed` says whether it has one. */
static uint32_t string_end(const struct lexer *lx, uint32_t pos, char quote, bool triple,
                           bool *closed)
{
    *closed = true;
    for (;;) {
        pos = find_special(lx, pos, quote, triple);
        if (pos >= lx->n)
            break;
        if (lx->text[pos] == '\\')
            pos = after_escape(lx, pos);
        else if (at_quotes(lx, pos, quote, triple))
            return pos + (triple ? 3 : 1);
        else if (lx->text[pos] == quote)
            pos++;
        else
            break;
    }
    *closed = false;
    return pos;
}

/* A triple-quoted string without an end would take the whole rest: it ends with its line as
 * long as reading again is affordable. */
static uint32_t unclosed_end(struct lexer *lx, uint32_t pos, uint32_t end, bool triple)
{
    uint32_t line = lex_find_line_end(lx, pos);
    if (!triple || line >= end || end - line > lx->rereads)
        return end;
    lx->rereads -= end - line;
    return line;
}

static void plain_string(struct lexer *lx, uint32_t start, uint16_t detail, uint8_t flags)
{
    char quote = lx->text[lx->pos];
    bool triple = detail & LW_STRING_TRIPLE, closed;
    uint32_t pos = lx->pos + (triple ? 3 : 1);
    uint32_t end = string_end(lx, pos, quote, triple, &closed);
    if (!closed) {
        end = unclosed_end(lx, pos, end, triple);
        lex_error(lx, start, end, "string was never closed");
        flags |= LW_TOK_BAD;
    }
    lx->pos = end;
    lex_token(lx, LW_TOK_STRING, start, end, flags, detail);
    if (!closed && lx->format_n > 0)
        lex_format_broken(lx);
}

void lex_string(struct lexer *lx, uint32_t start, uint16_t prefix)
{
    char quote = lx->text[lx->pos];
    uint8_t flags = 0;
    bool triple = at_quotes(lx, lx->pos, quote, true);
    uint16_t detail = (uint16_t)(prefix | (triple ? LW_STRING_TRIPLE : 0));
    if ((prefix & LW_STRING_UNICODE) && (prefix & LW_STRING_RAW)) {
        flags = LW_TOK_PY2;
        lex_python2(lx, start, lx->pos, "ur'' string of Python 2");
    }
    if (!(prefix & LW_STRING_FORMAT) || lx->format_n >= LEX_MAX_FORMATS) {
        plain_string(lx, start, detail, flags);
        return;
    }
    lx->formats[lx->format_n++] =
        (struct lex_format){(uint32_t)lx->out->tokens.n, (uint32_t)lx->open.n, quote, triple,
                            (prefix & LW_STRING_RAW) != 0};
    lx->pos += triple ? 3 : 1;
    lex_token(lx, LW_TOK_FSTRING_START, start, lx->pos, flags, detail);
    lex_format_text(lx);
}

void lex_format_broken(struct lexer *lx)
{
    const struct lex_format outer = lx->formats[0];
    const struct lw_token start = lx->out->tokens.v[outer.token];
    lx->format_n = 0;
    lx->open.n = outer.base;
    lx->first = false;
    if (!lex_rewind(lx, outer.token, start.start)) {
        lex_token(lx, LW_TOK_FSTRING_END, lx->pos, lx->pos, LW_TOK_BAD, 0);
        return;
    }
    lex_error(lx, start.start, start.end, "broken replacement field in an f-string");
    lx->pos = start.end - (outer.triple ? 3 : 1);
    lx->first = start.flags & LW_TOK_FIRST;
    plain_string(lx, start.start, start.detail, LW_TOK_BAD);
}

static void middle(struct lexer *lx, uint32_t start, uint32_t end)
{
    uint16_t raw = lx->formats[lx->format_n - 1].raw ? LW_STRING_RAW : 0;
    if (end > start)
        lex_token(lx, LW_TOK_FSTRING_MIDDLE, start, end, 0, raw);
}

/* Past a backslash in the text of an f-string: \N{…} names a character, a brace stays. */
static uint32_t format_escape(const struct lexer *lx, const struct lex_format *f, uint32_t pos)
{
    char c = lex_at(lx, pos + 1);
    if (c == '{' || c == '}')
        return pos + 1;
    if (c == 'N' && !f->raw && lex_at(lx, pos + 2) == '{') {
        uint32_t at = pos + 3;
        while (at < lx->n && lx->text[at] != '}' && lx->text[at] != f->quote &&
               !lex_line_end(lx, at))
            at++;
        return lex_at(lx, at) == '}' ? at + 1 : at;
    }
    return after_escape(lx, pos);
}

static void begin_field(struct lexer *lx)
{
    struct lex_open o = {LEX_FIELD, false, (uint32_t)lx->out->tokens.n};
    lex_token(lx, LW_TOK_LBRACE, lx->pos, lx->pos + 1, 0, 0);
    lx->pos++;
    if (lw_vec_push(lx->out->mem, &lx->open, o) < 0)
        lx->rc = LW_ENOMEM;
}

/* Handles the brace at `pos`; true when it belongs to the text (doubled or stray). */
static bool literal_brace(struct lexer *lx, uint32_t *pos, bool spec)
{
    char c = lx->text[*pos];
    if (!spec && lex_at(lx, *pos + 1) == c) {
        *pos += 2;
        return true;
    }
    if (c == '}' && !spec) {
        lex_error(lx, *pos, *pos + 1, "single '}' in an f-string");
        *pos += 1;
        return true;
    }
    return false;
}

static void end_format(struct lexer *lx, const struct lex_format *f)
{
    uint32_t end = lx->pos + (f->triple ? 3 : 1);
    lex_token(lx, LW_TOK_FSTRING_END, lx->pos, end, 0, 0);
    lx->pos = end;
    lx->format_n--;
}

/* A brace that is not text ends the piece [start, at): a field begins, or the specification
 * that is being read ends. True when text of this f-string follows at once. */
static bool format_brace(struct lexer *lx, uint32_t start, uint32_t at)
{
    middle(lx, start, at);
    lx->pos = at;
    if (lx->text[at] == '{') {
        begin_field(lx);
        return false;
    }
    lex_token(lx, LW_TOK_RBRACE, at, at + 1, 0, 0);
    lx->pos = at + 1;
    lx->open.n--;
    return true;
}

void lex_format_text(struct lexer *lx)
{
    const struct lex_format *f = &lx->formats[lx->format_n - 1];
    uint32_t start = lx->pos, pos = start;
    while (pos < lx->n && lx->rc == 0) {
        bool spec = lx->open.n > f->base;
        char c = lx->text[pos];
        if (c == '{' || c == '}') {
            if (literal_brace(lx, &pos, spec))
                continue;
            if (!format_brace(lx, start, pos))
                return;
            start = pos = lx->pos;
        } else if (c == '\\') {
            pos = format_escape(lx, f, pos);
        } else if (c == f->quote && at_quotes(lx, pos, c, f->triple)) {
            if (spec)
                break;
            middle(lx, start, pos);
            lx->pos = pos;
            end_format(lx, f);
            return;
        } else if (!f->triple && lex_line_end(lx, pos)) {
            break;
        } else {
            pos++;
        }
    }
    lx->pos = pos;
    if (lx->rc == 0) {
        middle(lx, start, pos); /* kept where reading again is no longer affordable */
        lex_format_broken(lx);
    }
}
