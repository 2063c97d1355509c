#include "source/lexer.h"

#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "source/lex_internal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What a byte can begin. Bytes above 127 are decided by their code point. */
enum byte_class {
    B_BAD,
    B_WORD,
    B_DIGIT,
    B_BLANK,
    B_LINE,
    B_HASH,
    B_QUOTE,
    B_SLASH,
    B_OP,
    B_HIGH
};

static const uint8_t byte_class[256] = {
    [' '] = B_BLANK,         ['\t'] = B_BLANK,       ['\f'] = B_BLANK,
    ['\n'] = B_LINE,         ['\r'] = B_LINE,        ['#'] = B_HASH,
    ['"'] = B_QUOTE,         ['\''] = B_QUOTE,       ['\\'] = B_SLASH,
    ['a' ... 'z'] = B_WORD,  ['A' ... 'Z'] = B_WORD, ['_'] = B_WORD,
    ['0' ... '9'] = B_DIGIT, ['!'] = B_OP,           ['%' ... '&'] = B_OP,
    ['(' ... '/'] = B_OP,    [':' ... '@'] = B_OP,   ['['] = B_OP,
    [']' ... '^'] = B_OP,    ['`'] = B_OP,           ['{' ... '~'] = B_OP,
    [128 ... 255] = B_HIGH,
};

static const bool in_word[256] = {
    ['a' ... 'z'] = true,
    ['A' ... 'Z'] = true,
    ['0' ... '9'] = true,
    ['_'] = true,
};

/* Keywords that cannot stand inside an expression: in brackets, at the start of a line, they
 * show that a bracket was not closed. */
static const bool only_statement[LW_TOKEN_KIND_COUNT] = {
    [LW_TOK_ASSERT] = true,   [LW_TOK_BREAK] = true,  [LW_TOK_CLASS] = true,
    [LW_TOK_CONTINUE] = true, [LW_TOK_DEF] = true,    [LW_TOK_DEL] = true,
    [LW_TOK_ELIF] = true,     [LW_TOK_EXCEPT] = true, [LW_TOK_FINALLY] = true,
    [LW_TOK_GLOBAL] = true,   [LW_TOK_IMPORT] = true, [LW_TOK_NONLOCAL] = true,
    [LW_TOK_PASS] = true,     [LW_TOK_RAISE] = true,  [LW_TOK_RETURN] = true,
    [LW_TOK_TRY] = true,      [LW_TOK_WHILE] = true,  [LW_TOK_WITH] = true,
};

enum { MOST_ERRORS = 10000 }; /* also keeps sorting them cheap */

int lw_lexed_add_error(struct lw_lexed *lx, struct lw_syntax_error error)
{
    return lx->errors.n < MOST_ERRORS ? lw_vec_push(lx->mem, &lx->errors, error) : 0;
}

static void add_error(struct lexer *lx, struct lw_syntax_error e)
{
    if (lw_lexed_add_error(lx->out, e) < 0)
        lx->rc = LW_ENOMEM;
}

void lex_error(struct lexer *lx, uint32_t start, uint32_t end, const char *message)
{
    add_error(lx, (struct lw_syntax_error){start, end, LW_SYNTAX_ERROR, message});
}

void lex_python2(struct lexer *lx, uint32_t start, uint32_t end, const char *message)
{
    add_error(lx, (struct lw_syntax_error){start, end, LW_SYNTAX_PYTHON2, message});
}

void lex_trivia(struct lexer *lx, enum lw_trivia_kind kind, uint32_t start, uint32_t end)
{
    struct lw_trivia t = {start, end, (uint8_t)kind};
    if (lw_vec_push(lx->out->mem, &lx->out->trivia, t) < 0)
        lx->rc = LW_ENOMEM;
}

bool lex_rewind(struct lexer *lx, uint32_t token, uint32_t pos)
{
    uint32_t cost = lx->pos - pos + 16;
    if (cost > lx->rereads)
        return false;
    lx->rereads -= cost;
    struct lw_lexed *out = lx->out;
    out->tokens.n = token;
    while (out->trivia.n && out->trivia.v[out->trivia.n - 1].start >= pos)
        out->trivia.n--;
    while (out->errors.n && out->errors.v[out->errors.n - 1].start >= pos)
        out->errors.n--;
    lx->pos = pos;
    return true;
}

/* Code points from 128 on that cannot be part of a name: the blocks of punctuation, symbols and
 * pictures. Everything else counts as a letter; exact tables would not help anyone here. */
static bool is_symbol(uint32_t c)
{
    if (c < 0xc0)
        return c != 0xaa && c != 0xb5 && c != 0xba && c != 0xb7;
    return c == 0xd7 || c == 0xf7 ||
           (c >= 0x2000 && c <= 0x206f && c != 0x203f && c != 0x2040) ||
           (c >= 0x20a0 && c <= 0x20cf) || (c >= 0x2190 && c <= 0x2bff) ||
           (c >= 0x3000 && c <= 0x3004) || (c >= 0x3008 && c <= 0x3020) || c == 0x3030 ||
           (c >= 0xe000 && c <= 0xf8ff) || c == 0xfeff || (c >= 0xff01 && c <= 0xff0f) ||
           (c >= 0xff1a && c <= 0xff20) || (c >= 0xff3b && c <= 0xff40 && c != 0xff3f) ||
           (c >= 0xff5b && c <= 0xff65) || (c >= 0xfff0 && c <= 0xffff) ||
           (c >= 0x1f000 && c <= 0x1faff) || c >= 0xe0000;
}

uint32_t lex_odd_blank(const struct lexer *lx, uint32_t pos)
{
    uint32_t c = 0;
    size_t n = lw_utf8_decode((struct lw_str){lx->text + pos, lx->n - pos}, &c);
    bool blank = c == 0xa0 || (c >= 0x2000 && c <= 0x200b) || c == 0x202f || c == 0x205f ||
                 c == 0x2060 || c == 0x3000 || c == 0xfeff;
    return n && blank ? (uint32_t)n : 0;
}

uint32_t lex_find_line_end(const struct lexer *lx, uint32_t pos)
{
    pos = pos < lx->n ? pos : lx->n;
#ifdef __SSE2__
    const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (; lx->n - pos >= 16; pos += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(lx->text + pos));
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit);
        if (mask)
            return pos + (uint32_t)__builtin_ctz(mask);
    }
#endif
    while (pos < lx->n && lx->text[pos] != '\n' && lx->text[pos] != '\r')
        pos++;
    return pos;
}

/* The end of the name that continues at pos with a byte above 127, or pos. */
static uint32_t high_word_end(const struct lexer *lx, uint32_t pos)
{
    while (pos < lx->n) {
        unsigned char b = (unsigned char)lx->text[pos];
        if (in_word[b]) {
            pos++;
            continue;
        }
        uint32_t c;
        if (b < 128)
            break;
        size_t n = lw_utf8_decode((struct lw_str){lx->text + pos, lx->n - pos}, &c);
        if (n == 0 || is_symbol(c))
            break;
        pos += (uint32_t)n;
    }
    return pos;
}

/* Bits of the string prefix that the word spells, or -1. */
static int string_prefix(const char *p, uint32_t n)
{
    int bits = 0;
    for (uint32_t i = 0; i < n; i++) {
        int bit = 0;
        switch (p[i] | 32) {
        case 'r': bit = LW_STRING_RAW; break;
        case 'b': bit = LW_STRING_BYTES; break;
        case 'u': bit = LW_STRING_UNICODE; break;
        case 'f': bit = LW_STRING_FORMAT; break;
        default: return -1;
        }
        if (bits & bit)
            return -1;
        bits |= bit;
    }
    int kind = bits & (LW_STRING_BYTES | LW_STRING_UNICODE | LW_STRING_FORMAT);
    return (kind & (kind - 1)) ? -1 : bits;
}

/* `from` can follow `yield` on a new line; only an import shows a forgotten bracket. */
static bool is_import_line(const struct lexer *lx, uint32_t pos)
{
    uint32_t end = lex_find_line_end(lx, pos);
    struct lw_str line = {lx->text + pos, end - pos};
    return memmem(line.p, line.n, " import ", 8) != NULL;
}

/* Whether the keyword just read, first on its line inside brackets, must begin a statement. */
static bool shows_unclosed(const struct lexer *lx, uint8_t kind)
{
    const struct lw_lexed *out = lx->out;
    const struct lw_token *t = &out->tokens.v[out->tokens.n - 1];
    if (kind == LW_TOK_DEF && !(t->flags & LW_TOK_FIRST) && out->tokens.n > 1 &&
        t[-1].kind == LW_TOK_ASYNC)
        t--;
    if (!(t->flags & LW_TOK_FIRST))
        return false;
    if (kind == LW_TOK_FROM)
        return is_import_line(lx, lx->pos);
    if (!only_statement[kind])
        return false;
    uint32_t at = lx->pos;
    while (lex_at(lx, at) == ' ')
        at++;
    char c = lex_at(lx, at);
    return !(c == ',' || c == ')' || (c == '=' && lex_at(lx, at + 1) != '='));
}

static void keyword_in_brackets(struct lexer *lx, uint8_t kind)
{
    if (!shows_unclosed(lx, kind))
        return;
    if (lx->format_n > 0) {
        lex_format_broken(lx);
        return;
    }
    uint32_t token = (uint32_t)lx->out->tokens.n - 1;
    if (!(lx->out->tokens.v[token].flags & LW_TOK_FIRST))
        token--;
    lex_unclosed(lx, token);
}

static void lex_word(struct lexer *lx)
{
    uint32_t start = lx->pos, end = start;
    const char *text = lx->text;
    while (end < lx->n && in_word[(unsigned char)text[end]])
        end++;
    if (end < lx->n && (unsigned char)text[end] >= 128)
        end = high_word_end(lx, end);
    lx->pos = end;
    if (end - start <= 3 && end < lx->n && (text[end] == '"' || text[end] == '\'')) {
        int prefix = string_prefix(text + start, end - start);
        if (prefix >= 0) {
            lex_string(lx, start, (uint16_t)prefix);
            return;
        }
    }
    uint16_t soft;
    uint8_t kind = (uint8_t)lw_token_word(text + start, end - start, &soft);
    lex_token(lx, kind, start, end, 0, soft);
    if (kind != LW_TOK_NAME && lx->open.n > 0 && lx->rc == 0)
        keyword_in_brackets(lx, kind);
}

static uint32_t digits_end(const struct lexer *lx, uint32_t pos)
{
    while (pos < lx->n &&
           ((lx->text[pos] >= '0' && lx->text[pos] <= '9') || lx->text[pos] == '_'))
        pos++;
    return pos;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f') || c == '_';
}

/* The end of 0x…, 0o…, 0b… at pos, or 0. */
static uint32_t radix_end(const struct lexer *lx, uint32_t pos)
{
    char c = (char)(lex_at(lx, pos + 1) | 32);
    if (lx->text[pos] != '0' || (c != 'x' && c != 'o' && c != 'b'))
        return 0;
    uint32_t end = pos + 2;
    if (c != 'x')
        end = digits_end(lx, end);
    while (c == 'x' && end < lx->n && is_hex(lx->text[end]))
        end++;
    return end > pos + 2 ? end : 0;
}

/* Past the fraction and the exponent of a number whose digits end at pos. */
static uint32_t fraction_end(const struct lexer *lx, uint32_t pos)
{
    if (lex_at(lx, pos) == '.')
        pos = digits_end(lx, pos + 1);
    if ((lex_at(lx, pos) | 32) == 'e') {
        uint32_t at = pos + 1;
        if (lex_at(lx, at) == '+' || lex_at(lx, at) == '-')
            at++;
        char c = lex_at(lx, at);
        if (c >= '0' && c <= '9')
            pos = digits_end(lx, at);
    }
    return pos;
}

/* 0777: only Python 2 reads it, as octal. */
static bool is_old_octal(const char *p, uint32_t n)
{
    if (n < 2 || p[0] != '0')
        return false;
    for (uint32_t i = 1; i < n; i++)
        if (p[i] != '0' && p[i] != '_')
            return true;
    return false;
}

static void lex_number(struct lexer *lx)
{
    uint32_t start = lx->pos, end = radix_end(lx, start);
    uint16_t detail = LW_NUMBER_INT;
    uint8_t flags = 0;
    if (!end) {
        uint32_t whole = digits_end(lx, start);
        end = fraction_end(lx, whole);
        if (end > whole)
            detail = LW_NUMBER_FLOAT;
        if ((lex_at(lx, end) | 32) == 'j') {
            detail = LW_NUMBER_IMAGINARY;
            end++;
        } else if (end == whole && is_old_octal(lx->text + start, end - start)) {
            flags = LW_TOK_PY2;
        }
    }
    if (detail == LW_NUMBER_INT && (lex_at(lx, end) | 32) == 'l') {
        end++;
        flags = LW_TOK_PY2;
    }
    if (flags)
        lex_python2(lx, start, end, "integer literal of Python 2");
    lx->pos = end;
    lex_token(lx, LW_TOK_NUMBER, start, end, flags, detail);
}

static void open_bracket(struct lexer *lx, uint8_t kind)
{
    struct lex_open o = {kind, false, (uint32_t)lx->out->tokens.n};
    lex_token(lx, kind, lx->pos, lx->pos + 1, 0, 0);
    lx->pos++;
    if (lw_vec_push(lx->out->mem, &lx->open, o) < 0)
        lx->rc = LW_ENOMEM;
}

enum { CLOSER_REACH = 64 }; /* how far down a closer looks for its opener: keeps time linear */

/* The number of brackets that stay open when one of `kind` closes, or the present number when
 * none is near. */
static size_t matching_open(const struct lexer *lx, uint8_t kind)
{
    size_t low = lx->open.n > CLOSER_REACH ? lx->open.n - CLOSER_REACH : 0;
    for (size_t i = lx->open.n; i > low; i--) {
        if (lx->open.v[i - 1].kind == kind)
            return i - 1;
        if (lx->open.v[i - 1].kind == LEX_FIELD)
            break;
    }
    return lx->open.n;
}

static void close_bracket(struct lexer *lx, uint8_t kind)
{
    uint8_t opener = (uint8_t)(kind - LW_TOK_RPAREN + LW_TOK_LPAREN);
    uint32_t at = lx->pos;
    uint8_t flags = 0;
    if (lx->open.n > 0 && lx->open.v[lx->open.n - 1].kind == opener) {
        lx->open.n--;
    } else if (lx->open.n > 0 && lx->open.v[lx->open.n - 1].kind == LEX_FIELD) {
        if (kind != LW_TOK_RBRACE) {
            lex_format_broken(lx);
            return;
        }
        lx->open.n--;
        lx->pos++;
        lex_token(lx, kind, at, at + 1, 0, 0);
        lex_format_text(lx);
        return;
    } else {
        size_t left = matching_open(lx, opener);
        flags = LW_TOK_BAD;
        if (left < lx->open.n) {
            const struct lw_token *t = &lx->out->tokens.v[lx->open.v[lx->open.n - 1].token];
            lex_error(lx, t->start, t->end, "bracket was never closed");
            lx->open.n = left;
        } else {
            lex_error(lx, at, at + 1, "closing bracket without an opening bracket");
        }
    }
    lx->pos++;
    lex_token(lx, kind, at, at + 1, flags, 0);
}

static bool in_field(const struct lexer *lx)
{
    return lx->open.n > 0 && lx->open.v[lx->open.n - 1].kind == LEX_FIELD;
}

static void lex_colon(struct lexer *lx)
{
    uint32_t at = lx->pos;
    if (in_field(lx)) {
        lex_token(lx, LW_TOK_COLON, at, at + 1, 0, 0);
        lx->pos++;
        lx->open.v[lx->open.n - 1].spec = true;
        lex_format_text(lx);
        return;
    }
    bool walrus = lex_at(lx, at + 1) == '=';
    lx->pos += walrus ? 2 : 1;
    lex_token(lx, walrus ? LW_TOK_WALRUS : LW_TOK_COLON, at, lx->pos, 0, 0);
}

static void lex_stray(struct lexer *lx, uint32_t n)
{
    lex_error(lx, lx->pos, lx->pos + n, "invalid character");
    lex_token(lx, LW_TOK_ERROR, lx->pos, lx->pos + n, LW_TOK_BAD, 0);
    lx->pos += n;
}

/* `x = !ls` and `x = %magic`: the rest of the line is one token. */
static bool lex_assigned_magic(struct lexer *lx)
{
    if (lx->open.n > 0 || lex_last_kind(lx) != LW_TOK_ASSIGN)
        return false;
    uint32_t end = lex_find_line_end(lx, lx->pos);
    lex_token(lx, LW_TOK_MAGIC, lx->pos, end, 0, 0);
    lx->pos = end;
    return true;
}

/* One operator character and what may follow it. */
static uint8_t operator_at(const struct lexer *lx, uint32_t *length)
{
    char c = lx->text[lx->pos], d = lex_at(lx, lx->pos + 1), e = lex_at(lx, lx->pos + 2);
    *length = d == '=' ? 2 : 1;
    switch (c) {
    case '+': return d == '=' ? LW_TOK_PLUS_ASSIGN : LW_TOK_PLUS;
    case '-':
        if (d == '>') {
            *length = 2;
            return LW_TOK_ARROW;
        }
        return d == '=' ? LW_TOK_MINUS_ASSIGN : LW_TOK_MINUS;
    case '*':
        if (d == '*') {
            *length = e == '=' ? 3 : 2;
            return e == '=' ? LW_TOK_POWER_ASSIGN : LW_TOK_POWER;
        }
        return d == '=' ? LW_TOK_STAR_ASSIGN : LW_TOK_STAR;
    case '/':
        if (d == '/') {
            *length = e == '=' ? 3 : 2;
            return e == '=' ? LW_TOK_FLOOR_ASSIGN : LW_TOK_FLOOR;
        }
        return d == '=' ? LW_TOK_SLASH_ASSIGN : LW_TOK_SLASH;
    case '%': return d == '=' ? LW_TOK_PERCENT_ASSIGN : LW_TOK_PERCENT;
    case '@': return d == '=' ? LW_TOK_AT_ASSIGN : LW_TOK_AT;
    case '&': return d == '=' ? LW_TOK_AMP_ASSIGN : LW_TOK_AMP;
    case '|': return d == '=' ? LW_TOK_BAR_ASSIGN : LW_TOK_BAR;
    case '^': return d == '=' ? LW_TOK_CARET_ASSIGN : LW_TOK_CARET;
    case '=': return d == '=' ? LW_TOK_EQ : LW_TOK_ASSIGN;
    case '<':
        if (d == '<') {
            *length = e == '=' ? 3 : 2;
            return e == '=' ? LW_TOK_LSHIFT_ASSIGN : LW_TOK_LSHIFT;
        }
        if (d == '>') {
            *length = 2;
            return LW_TOK_NE;
        }
        return d == '=' ? LW_TOK_LE : LW_TOK_LT;
    case '>':
        if (d == '>') {
            *length = e == '=' ? 3 : 2;
            return e == '=' ? LW_TOK_RSHIFT_ASSIGN : LW_TOK_RSHIFT;
        }
        return d == '=' ? LW_TOK_GE : LW_TOK_GT;
    case '!': return d == '=' ? LW_TOK_NE : LW_TOK_BANG;
    case '.':
        *length = d == '.' && e == '.' ? 3 : 1;
        return *length == 3 ? LW_TOK_ELLIPSIS : LW_TOK_DOT;
    default: break;
    }
    *length = 1;
    switch (c) {
    case ',': return LW_TOK_COMMA;
    case ';': return LW_TOK_SEMI;
    case '~': return LW_TOK_TILDE;
    case '`': return LW_TOK_BACKTICK;
    default: return LW_TOK_ERROR;
    }
}

static void lex_operator(struct lexer *lx)
{
    uint32_t at = lx->pos, length;
    char c = lx->text[at];
    switch (c) {
    case '(': open_bracket(lx, LW_TOK_LPAREN); return;
    case '[': open_bracket(lx, LW_TOK_LBRACKET); return;
    case '{': open_bracket(lx, LW_TOK_LBRACE); return;
    case ')': close_bracket(lx, LW_TOK_RPAREN); return;
    case ']': close_bracket(lx, LW_TOK_RBRACKET); return;
    case '}': close_bracket(lx, LW_TOK_RBRACE); return;
    case ':': lex_colon(lx); return;
    case '.':
        if (byte_class[(unsigned char)lex_at(lx, at + 1)] == B_DIGIT) {
            lex_number(lx);
            return;
        }
        break;
    case '?':
        if (!lex_help(lx))
            lex_stray(lx, 1);
        return;
    case '!':
    case '%':
        if (lex_assigned_magic(lx))
            return;
        break;
    default: break;
    }
    uint8_t kind = operator_at(lx, &length), flags = 0;
    if (kind == LW_TOK_ERROR) {
        lex_stray(lx, 1);
        return;
    }
    if (kind == LW_TOK_BACKTICK || (kind == LW_TOK_NE && c == '<')) {
        flags = LW_TOK_PY2;
        lex_python2(lx, at, at + length,
                    c == '<' ? "'<>' of Python 2" : "backticks of Python 2");
    }
    lx->pos += length;
    lex_token(lx, kind, at, at + length, flags, 0);
}

/* A line end or the backslash before one, inside a logical line. */
static void lex_line_break(struct lexer *lx)
{
    uint32_t at = lx->pos, n = lex_line_end(lx, at);
    if (lx->open.n > 0) {
        lx->pos += n;
        lx->first = true;
        uint32_t column = 0;
        lx->pos = lex_skip_blanks(lx, lx->pos, &column);
        (void)lex_prompt(lx, &column);
        return;
    }
    if (lx->out->tokens.n > lx->line_token) {
        lex_end_line(lx, at + n);
        lx->first = false;
        lex_token(lx, LW_TOK_NEWLINE, at, at + n, 0, 0);
    }
    lx->pos += n;
    lx->line_start = true;
}

static void lex_backslash(struct lexer *lx)
{
    uint32_t n = lex_line_end(lx, lx->pos + 1);
    if (n == 0 && lx->pos + 1 < lx->n) {
        lex_stray(lx, 1);
        return;
    }
    if (n == 0)
        lex_error(lx, lx->pos, lx->pos + 1, "end of file after a line continuation");
    lx->pos += 1 + n;
    lx->first = true;
}

static void lex_high(struct lexer *lx)
{
    uint32_t blank = lex_odd_blank(lx, lx->pos), c;
    if (blank) {
        lex_error(lx, lx->pos, lx->pos + blank, "invalid whitespace");
        lx->pos += blank;
        return;
    }
    if (high_word_end(lx, lx->pos) > lx->pos) {
        lex_word(lx);
        return;
    }
    size_t n = lw_utf8_decode((struct lw_str){lx->text + lx->pos, lx->n - lx->pos}, &c);
    lex_stray(lx, n ? (uint32_t)n : 1);
}

/* The text is used up: closes what is open. False when reading goes on at an earlier place. */
static bool end_of_text(struct lexer *lx)
{
    if (lx->format_n > 0) {
        lex_format_broken(lx);
        return false;
    }
    if (lx->open.n > 0) {
        lex_unclosed(lx, (uint32_t)lx->out->tokens.n);
        return false;
    }
    lx->first = false;
    if (lx->out->tokens.n > lx->line_token)
        lex_token(lx, LW_TOK_NEWLINE, lx->n, lx->n, 0, 0);
    while (lx->level > 0) {
        lx->level--;
        lex_token(lx, LW_TOK_DEDENT, lx->n, lx->n, 0, 0);
    }
    lex_token(lx, LW_TOK_EOF, lx->n, lx->n, 0, 0);
    return true;
}

static void lex_comment(struct lexer *lx)
{
    uint32_t end = lex_find_line_end(lx, lx->pos);
    lex_trivia(lx, LW_TRIVIA_COMMENT, lx->pos, end);
    lx->pos = end;
}

static void lex_all(struct lexer *lx)
{
    while (lx->rc == 0) {
        if (lx->line_start)
            lex_begin_line(lx);
        if (lx->pos >= lx->n) {
            if (end_of_text(lx))
                return;
            continue;
        }
        switch (byte_class[(unsigned char)lx->text[lx->pos]]) {
        case B_BLANK: lx->pos++; break;
        case B_WORD: lex_word(lx); break;
        case B_OP: lex_operator(lx); break;
        case B_DIGIT: lex_number(lx); break;
        case B_QUOTE: lex_string(lx, lx->pos, 0); break;
        case B_LINE: lex_line_break(lx); break;
        case B_HASH: lex_comment(lx); break;
        case B_SLASH: lex_backslash(lx); break;
        case B_HIGH: lex_high(lx); break;
        default: lex_stray(lx, 1); break;
        }
    }
}

void lw_lexed_init(struct lw_lexed *lx, struct lw_mem *mem)
{
    memset(lx, 0, sizeof *lx);
    lx->mem = mem;
}

void lw_lexed_release(struct lw_lexed *lx)
{
    lw_vec_release(lx->mem, &lx->tokens);
    lw_vec_release(lx->mem, &lx->trivia);
    lw_vec_release(lx->mem, &lx->errors);
}

/* By insertion, which takes no memory. */
static void insert_errors(struct lw_syntax_error *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct lw_syntax_error e = v[i];
        size_t k = i;
        for (; k > 0 && v[k - 1].start > e.start; k--)
            v[k] = v[k - 1];
        v[k] = e;
    }
}

/* Two runs that are in order become one; the first of equals stays the first. */
static void merge_errors(struct lw_syntax_error *to, const struct lw_syntax_error *a, size_t n,
                         const struct lw_syntax_error *b, size_t m)
{
    while (n || m) {
        bool first = n && (!m || a->start <= b->start);
        *to++ = first ? *a++ : *b++;
        *(first ? &n : &m) -= 1;
    }
}

/* The runs, twice as long each time, go back and forth between the list and the room behind it.
 */
static void merge_runs(struct lw_syntax_error *v, size_t n)
{
    enum { RUN = 16 };
    struct lw_syntax_error *from = v, *to = v + n;
    for (size_t i = 0; i < n; i += RUN)
        insert_errors(v + i, n - i < RUN ? n - i : RUN);
    for (size_t run = RUN; run < n; run *= 2) {
        for (size_t i = 0; i < n; i += 2 * run) {
            size_t a = n - i < run ? n - i : run, b = n - i - a < run ? n - i - a : run;
            merge_errors(to + i, from + i, a, from + i + a, b);
        }
        struct lw_syntax_error *done = to;
        to = from;
        from = done;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
}

void lw_lexed_sort_errors(struct lw_lexed *lx)
{
    size_t n = lx->errors.n, sorted = 1;
    while (sorted < n && lx->errors.v[sorted - 1].start <= lx->errors.v[sorted].start)
        sorted++;
    if (sorted >= n)
        return;
    if (lw_vec_reserve(lx->mem, &lx->errors, n) == 0)
        merge_runs(lx->errors.v, n);
    else
        insert_errors(lx->errors.v, n);
}

enum {
    LONGEST_TEXT = 0x7fffffff,
    REREAD_FACTOR = 8, /* how often the text may be read again in all, see lex_rewind */
    REREAD_FLOOR = 1 << 16,
    BYTES_PER_TOKEN = 4 /* measured: 4.2 to 5 on real code */
};

int lw_lex(struct lw_lexed *out, struct lw_str text, struct lw_err *err)
{
    if (text.n > LONGEST_TEXT)
        return lw_err_set(err, LW_ELIMIT, "the text is longer than 2 GB");
    out->text = text;
    out->tokens.n = out->trivia.n = out->errors.n = 0;
    if (lw_vec_reserve(out->mem, &out->tokens, text.n / BYTES_PER_TOKEN + 16) < 0)
        return lw_err_nomem(err);
    struct lexer lx;
    memset(&lx, 0, offsetof(struct lexer, formats));
    lx.out = out;
    lx.text = text.p;
    lx.n = (uint32_t)text.n;
    lx.line_start = true;
    lx.rereads = (uint64_t)text.n * REREAD_FACTOR + REREAD_FLOOR;
    if (lx.n >= 3 && memcmp(lx.text, "\xef\xbb\xbf", 3) == 0)
        lx.pos = 3;
    lex_all(&lx);
    lw_vec_release(out->mem, &lx.open);
    if (lx.rc < 0)
        return lw_err_nomem(err);
    lw_lexed_sort_errors(out);
    return 0;
}

/* ---- Pieces ----------------------------------------------------------------------------- */

bool lw_lexed_piece(const struct lw_lexed *lx, struct lw_piece_walk *walk, struct lw_piece *out)
{
    const struct lw_token *t = walk->token < lx->tokens.n ? &lx->tokens.v[walk->token] : NULL;
    const struct lw_trivia *v =
        walk->trivia < lx->trivia.n ? &lx->trivia.v[walk->trivia] : NULL;
    bool token_next =
        t && (!v || t->start < v->start || (t->start == v->start && t->end == t->start));
    uint32_t next = token_next ? t->start : v ? v->start : (uint32_t)lx->text.n;
    if (next > walk->at) {
        *out = (struct lw_piece){LW_PIECE_BLANK, 0, walk->at, next};
    } else if (token_next) {
        *out = (struct lw_piece){LW_PIECE_TOKEN, walk->token++, t->start, t->end};
    } else if (v) {
        *out = (struct lw_piece){LW_PIECE_TRIVIA, walk->trivia++, v->start, v->end};
    } else {
        return false;
    }
    walk->at = out->end;
    return true;
}
