/*
 * lexer - Python text to tokens.
 *
 * In: UTF-8 text of at most 2 GB (text.h turns other encodings into it). Out: the token array,
 * the recorded trivia and the errors met, owned by `struct lw_lexed` until release; the text
 * stays borrowed. Any bytes are accepted: what cannot be a token becomes one of kind ERROR, and
 * an error record says why. INDENT and DEDENT always balance, the last token is EOF.
 *
 * The lexer repairs what would otherwise make the rest of the file unreadable:
 *   - a bracket that is never closed ends at the first later line that looks like a statement
 * at the indentation of the line that opened it, at the latest before a keyword that can only
 *     begin a statement; a NEWLINE of no length with LW_TOK_FORCED stands there;
 *   - a string that is not closed ends with its line;
 *   - an f-string whose replacement fields are broken is read as a plain string;
 *   - a line indented like no enclosing block stays in the block when the next line does.
 * Going back costs at most a constant times the size of the text, so time is linear.
 */
#ifndef LW_SOURCE_LEXER_H
#define LW_SOURCE_LEXER_H

#include "base/mem.h"
#include "base/vec.h"
#include "source/token.h"

enum lw_syntax_severity {
    LW_SYNTAX_ERROR,   /* not Python of any version */
    LW_SYNTAX_PYTHON2, /* Python 2 only */
};

struct lw_syntax_error {
    uint32_t start; /* byte range the error is about; may be empty */
    uint32_t end;
    uint32_t severity;   /* enum lw_syntax_severity */
    const char *message; /* static */
};

struct lw_lexed {
    struct lw_mem *mem; /* borrowed */
    struct lw_str text; /* borrowed */
    LW_VEC(struct lw_token) tokens;
    LW_VEC(struct lw_trivia) trivia;
    LW_VEC(struct lw_syntax_error) errors; /* in text order once lexing is done */
};

void lw_lexed_init(struct lw_lexed *lx, struct lw_mem *mem);
void lw_lexed_release(struct lw_lexed *lx);

/* Replaces the contents by the tokens of `text`, keeping the memory. LW_ENOMEM or LW_ELIMIT
 * (text too long) are the only failures. */
int lw_lex(struct lw_lexed *lx, struct lw_str text, struct lw_err *err);

/* Adds an error record. Beyond some thousand more tell nobody anything: they are dropped.
 * LW_ENOMEM possible. */
int lw_lexed_add_error(struct lw_lexed *lx, struct lw_syntax_error error);
/* Puts the records in text order; those of one place stay in theirs. */
void lw_lexed_sort_errors(struct lw_lexed *lx);

/* ---- Every byte, once ------------------------------------------------------------------- */

enum lw_piece_kind { LW_PIECE_TOKEN, LW_PIECE_TRIVIA, LW_PIECE_BLANK };

struct lw_piece {
    enum lw_piece_kind kind;
    uint32_t index; /* of the token or trivia */
    uint32_t start;
    uint32_t end;
};

struct lw_piece_walk {
    uint32_t token;
    uint32_t trivia;
    uint32_t at;
};

/* The next piece of the text in order, starting from a zeroed walk; false at the end. BLANK
 * pieces hold only blanks, tabs, form feeds, line ends, line joinings and a byte order mark.
 * Tokens of no length are pieces too. */
bool lw_lexed_piece(const struct lw_lexed *lx, struct lw_piece_walk *walk,
                    struct lw_piece *out);

#endif
