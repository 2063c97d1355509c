/*
 * lex_internal - what the files of the lexer share. Not for other modules.
 */
#ifndef LW_SOURCE_LEX_INTERNAL_H
#define LW_SOURCE_LEX_INTERNAL_H

#include "source/lexer.h"

enum {
    LEX_MAX_LEVELS = 256,  /* nested blocks; CPython stops at 100 */
    LEX_MAX_FORMATS = 128, /* f-strings inside f-strings; CPython stops at 150 */
    LEX_FIELD = 'F',       /* an open replacement field, in struct lex_open */
};

/* A bracket that waits for its closer. */
struct lex_open {
    uint8_t kind; /* LW_TOK_LPAREN, LW_TOK_LBRACKET, LW_TOK_LBRACE or LEX_FIELD */
    bool spec;    /* of a field: its format specification has begun */
    uint32_t token;
};

/* An f-string that has begun. */
struct lex_format {
    uint32_t token; /* its FSTRING_START */
    uint32_t base;  /* brackets that were open before it */
    char quote;
    bool triple;
    bool raw;
};

/* How the present logical line left blocks, to take it back; see lex_end_line. */
struct lex_left {
    bool any;
    uint32_t level;       /* before */
    uint32_t token;       /* first DEDENT */
    uint32_t lost_level;  /* index of the level that was overwritten, 0 = none */
    uint32_t lost_column; /* what it was */
};

struct lexer {
    struct lw_lexed *out;
    const char *text;
    uint32_t n;
    uint32_t pos;
    int rc;               /* first failure; everything stops */
    bool line_start;      /* a logical line begins at pos */
    bool first;           /* the next token is the first of its physical line */
    bool prompted;        /* the line before this one had a prompt */
    uint32_t line_token;  /* first token of the logical line */
    uint32_t line_column; /* its indentation */
    struct lex_left left;
    uint32_t levels[LEX_MAX_LEVELS];
    uint32_t level;    /* index of the current block's indentation */
    uint64_t rereads;  /* bytes that may still be read again */
    uint32_t format_n; /* open f-strings */
    LW_VEC(struct lex_open) open;
    struct lex_format formats[LEX_MAX_FORMATS];
};

static inline void lex_token(struct lexer *lx, uint8_t kind, uint32_t start, uint32_t end,
                             uint8_t flags, uint16_t detail)
{
    struct lw_token t = {start, end, kind, flags, detail};
    if (lx->first)
        t.flags |= LW_TOK_FIRST;
    lx->first = false;
    if (lw_vec_push(lx->out->mem, &lx->out->tokens, t) < 0)
        lx->rc = LW_ENOMEM;
}

static inline uint8_t lex_last_kind(const struct lexer *lx)
{
    size_t n = lx->out->tokens.n;
    return n > lx->line_token ? lx->out->tokens.v[n - 1].kind : LW_TOK_NEWLINE;
}

static inline char lex_at(const struct lexer *lx, uint32_t pos)
{
    return pos < lx->n ? lx->text[pos] : '\0';
}

void lex_error(struct lexer *lx, uint32_t start, uint32_t end, const char *message);
void lex_python2(struct lexer *lx, uint32_t start, uint32_t end, const char *message);
void lex_trivia(struct lexer *lx, enum lw_trivia_kind kind, uint32_t start, uint32_t end);

/* Forgets everything read from byte `pos` (token `token`) on and continues there. False, and
 * nothing done, when too much has been read again already. */
bool lex_rewind(struct lexer *lx, uint32_t token, uint32_t pos);

/* Length of the blank that is not ASCII (no-break, zero-width, ideographic) at pos, or 0. */
uint32_t lex_odd_blank(const struct lexer *lx, uint32_t pos);
/* Length of the line end at pos (1 or 2), or 0. */
static inline uint32_t lex_line_end(const struct lexer *lx, uint32_t pos)
{
    if (pos >= lx->n)
        return 0;
    if (lx->text[pos] == '\n')
        return 1;
    if (lx->text[pos] == '\r')
        return lex_at(lx, pos + 1) == '\n' ? 2 : 1;
    return 0;
}

/* First byte at or after pos that ends the physical line (its LF or CR, or the end of text). */
uint32_t lex_find_line_end(const struct lexer *lx, uint32_t pos);

/* ---- lex_line.c ---- */

/* Reads blank lines, prompts, magic lines and the indentation of the next logical line. */
void lex_begin_line(struct lexer *lx);
/* Past blanks from pos; `*column` counts as Python does: tabs to multiples of 8, a form feed
 * starts again. A line joining among them goes on with the next line's blanks but keeps the
 * column of the first. */
uint32_t lex_skip_blanks(const struct lexer *lx, uint32_t pos, uint32_t *column);
/* A prompt at pos, the first byte of a physical line that is not blank: consumed as trivia with
 * the blanks after it, and true. */
bool lex_prompt(struct lexer *lx, uint32_t *column);
/* The logical line is complete; the next one begins at byte `next`. */
void lex_end_line(struct lexer *lx, uint32_t next);
/* `name?` was read up to the question mark: turns the line into magic, or returns false. */
bool lex_help(struct lexer *lx);
/* Open brackets cannot be closed any more: ends the logical line at the likeliest place.
 * `token` is the first one that cannot be in brackets (or the token count at the end). */
void lex_unclosed(struct lexer *lx, uint32_t token);

/* ---- lex_string.c ---- */

/* A string whose prefix begins at `start` and whose quote is at pos. */
void lex_string(struct lexer *lx, uint32_t start, uint16_t prefix);
/* Goes on with the text of the innermost f-string (or of its format specification). */
void lex_format_text(struct lexer *lx);
/* The innermost f-string cannot be read: the outermost becomes a plain string. */
void lex_format_broken(struct lexer *lx);

#endif
