/*
 * token - the words of Python text.
 *
 * A token is a kind and a byte range of the text it was read from; it owns nothing. What lies
 * between tokens is trivia: comments, prompts and notebook magic are recorded, blanks, line
 * ends inside brackets and line joinings are the gaps that remain. Tokens and trivia together
 * cover every byte exactly once (lexer.h has the walk that shows it).
 */
#ifndef LW_SOURCE_TOKEN_H
#define LW_SOURCE_TOKEN_H

#include "lacewing.h"

/* name, text shown to people. Order matters: keywords and operators are contiguous ranges. */
#define LW_TOKEN_KINDS(X)              \
    X(EOF, "end of file")              \
    X(NEWLINE, "end of line")          \
    X(INDENT, "indent")                \
    X(DEDENT, "dedent")                \
    X(NAME, "name")                    \
    X(NUMBER, "number")                \
    X(STRING, "string")                \
    X(FSTRING_START, "f-string start") \
    X(FSTRING_MIDDLE, "f-string text") \
    X(FSTRING_END, "f-string end")     \
    X(MAGIC, "magic")                  \
    X(ERROR, "stray character")        \
    X(FALSE, "False")                  \
    X(NONE, "None")                    \
    X(TRUE, "True")                    \
    X(AND, "and")                      \
    X(AS, "as")                        \
    X(ASSERT, "assert")                \
    X(ASYNC, "async")                  \
    X(AWAIT, "await")                  \
    X(BREAK, "break")                  \
    X(CLASS, "class")                  \
    X(CONTINUE, "continue")            \
    X(DEF, "def")                      \
    X(DEL, "del")                      \
    X(ELIF, "elif")                    \
    X(ELSE, "else")                    \
    X(EXCEPT, "except")                \
    X(FINALLY, "finally")              \
    X(FOR, "for")                      \
    X(FROM, "from")                    \
    X(GLOBAL, "global")                \
    X(IF, "if")                        \
    X(IMPORT, "import")                \
    X(IN, "in")                        \
    X(IS, "is")                        \
    X(LAMBDA, "lambda")                \
    X(NONLOCAL, "nonlocal")            \
    X(NOT, "not")                      \
    X(OR, "or")                        \
    X(PASS, "pass")                    \
    X(RAISE, "raise")                  \
    X(RETURN, "return")                \
    X(TRY, "try")                      \
    X(WHILE, "while")                  \
    X(WITH, "with")                    \
    X(YIELD, "yield")                  \
    X(LPAREN, "(")                     \
    X(LBRACKET, "[")                   \
    X(LBRACE, "{")                     \
    X(RPAREN, ")")                     \
    X(RBRACKET, "]")                   \
    X(RBRACE, "}")                     \
    X(COLON, ":")                      \
    X(COMMA, ",")                      \
    X(SEMI, ";")                       \
    X(DOT, ".")                        \
    X(ELLIPSIS, "...")                 \
    X(ARROW, "->")                     \
    X(WALRUS, ":=")                    \
    X(BANG, "!")                       \
    X(BACKTICK, "`")                   \
    X(ASSIGN, "=")                     \
    X(PLUS_ASSIGN, "+=")               \
    X(MINUS_ASSIGN, "-=")              \
    X(STAR_ASSIGN, "*=")               \
    X(SLASH_ASSIGN, "/=")              \
    X(FLOOR_ASSIGN, "//=")             \
    X(PERCENT_ASSIGN, "%=")            \
    X(AT_ASSIGN, "@=")                 \
    X(AMP_ASSIGN, "&=")                \
    X(BAR_ASSIGN, "|=")                \
    X(CARET_ASSIGN, "^=")              \
    X(LSHIFT_ASSIGN, "<<=")            \
    X(RSHIFT_ASSIGN, ">>=")            \
    X(POWER_ASSIGN, "**=")             \
    X(PLUS, "+")                       \
    X(MINUS, "-")                      \
    X(STAR, "*")                       \
    X(SLASH, "/")                      \
    X(FLOOR, "//")                     \
    X(PERCENT, "%")                    \
    X(AT, "@")                         \
    X(AMP, "&")                        \
    X(BAR, "|")                        \
    X(CARET, "^")                      \
    X(LSHIFT, "<<")                    \
    X(RSHIFT, ">>")                    \
    X(POWER, "**")                     \
    X(TILDE, "~")                      \
    X(EQ, "==")                        \
    X(NE, "!=")                        \
    X(LT, "<")                         \
    X(LE, "<=")                        \
    X(GT, ">")                         \
    X(GE, ">=")

enum lw_token_kind {
#define X(name, text) LW_TOK_##name,
    LW_TOKEN_KINDS(X)
#undef X
        LW_TOKEN_KIND_COUNT
};

/* Bits of lw_token.flags. */
enum {
    LW_TOK_FIRST = 1,  /* first token of its physical line */
    LW_TOK_BAD = 2,    /* malformed; a syntax error says how */
    LW_TOK_PY2 = 4,    /* spelt as only Python 2 allows */
    LW_TOK_FORCED = 8, /* a NEWLINE that ends a line whose brackets were never closed */
};

/* lw_token.detail of a STRING, FSTRING_START or (RAW only) FSTRING_MIDDLE. */
enum {
    LW_STRING_RAW = 1,
    LW_STRING_BYTES = 2,
    LW_STRING_UNICODE = 4,
    LW_STRING_FORMAT = 8,
    LW_STRING_TRIPLE = 16,
};

/* lw_token.detail of a NUMBER. */
enum { LW_NUMBER_INT, LW_NUMBER_FLOAT, LW_NUMBER_IMAGINARY };

/* lw_token.detail of a NAME that is a keyword in some places only. */
enum lw_soft_word {
    LW_SOFT_NONE,
    LW_SOFT_MATCH,
    LW_SOFT_CASE,
    LW_SOFT_TYPE,
    LW_SOFT_PRINT,
    LW_SOFT_EXEC,
};

struct lw_token {
    uint32_t start; /* byte offsets into the text; end is one past the last byte */
    uint32_t end;
    uint8_t kind; /* enum lw_token_kind */
    uint8_t flags;
    uint16_t detail;
};

enum lw_trivia_kind {
    LW_TRIVIA_COMMENT, /* from # to before the line end */
    LW_TRIVIA_PROMPT,  /* ">>> ", "... ", "In [3]: " and the like */
    LW_TRIVIA_MAGIC,   /* a %magic, !shell, $ shell or help? line, without its line end */
};

struct lw_trivia {
    uint32_t start;
    uint32_t end;
    uint8_t kind; /* enum lw_trivia_kind */
};

/* "NAME", "PLUS_ASSIGN"; static. */
const char *lw_token_kind_name(enum lw_token_kind kind);
/* "name", "+="; static, for messages. */
const char *lw_token_kind_text(enum lw_token_kind kind);

/* The keyword that the text spells, or LW_TOK_NAME; `*soft` gets an enum lw_soft_word. */
enum lw_token_kind lw_token_word(const char *p, size_t n, uint16_t *soft);

static inline bool lw_token_is_keyword(enum lw_token_kind kind)
{
    return kind >= LW_TOK_FALSE && kind <= LW_TOK_YIELD;
}

#endif
