#include "source/token.h"

#include <string.h>

static const char *const kind_names[] = {
#define X(name, text) #name,
    LW_TOKEN_KINDS(X)
#undef X
};

static const char *const kind_texts[] = {
#define X(name, text) text,
    LW_TOKEN_KINDS(X)
#undef X
};

const char *lw_token_kind_name(enum lw_token_kind kind)
{
    return kind < LW_TOKEN_KIND_COUNT ? kind_names[kind] : "?";
}

const char *lw_token_kind_text(enum lw_token_kind kind)
{
    return kind < LW_TOKEN_KIND_COUNT ? kind_texts[kind] : "?";
}

struct word {
    char text[9];
    uint8_t n;
    uint8_t kind;
    uint8_t soft;
};

enum { LONGEST_WORD = 8, WORD_SLOTS = 128 };

/* A perfect hash: word_slot() sends each of the words to a slot of its own. The factors were
 * found by trying all small ones; test_lexer reads every word back. */
static const struct word words[WORD_SLOTS] = {
    [1] = {"True", 4, LW_TOK_TRUE, LW_SOFT_NONE},
    [5] = {"del", 3, LW_TOK_DEL, LW_SOFT_NONE},
    [7] = {"for", 3, LW_TOK_FOR, LW_SOFT_NONE},
    [8] = {"except", 6, LW_TOK_EXCEPT, LW_SOFT_NONE},
    [12] = {"import", 6, LW_TOK_IMPORT, LW_SOFT_NONE},
    [14] = {"if", 2, LW_TOK_IF, LW_SOFT_NONE},
    [21] = {"type", 4, LW_TOK_NAME, LW_SOFT_TYPE},
    [23] = {"continue", 8, LW_TOK_CONTINUE, LW_SOFT_NONE},
    [25] = {"not", 3, LW_TOK_NOT, LW_SOFT_NONE},
    [32] = {"False", 5, LW_TOK_FALSE, LW_SOFT_NONE},
    [39] = {"as", 2, LW_TOK_AS, LW_SOFT_NONE},
    [42] = {"break", 5, LW_TOK_BREAK, LW_SOFT_NONE},
    [44] = {"async", 5, LW_TOK_ASYNC, LW_SOFT_NONE},
    [45] = {"from", 4, LW_TOK_FROM, LW_SOFT_NONE},
    [52] = {"nonlocal", 8, LW_TOK_NONLOCAL, LW_SOFT_NONE},
    [54] = {"or", 2, LW_TOK_OR, LW_SOFT_NONE},
    [55] = {"is", 2, LW_TOK_IS, LW_SOFT_NONE},
    [56] = {"return", 6, LW_TOK_RETURN, LW_SOFT_NONE},
    [68] = {"assert", 6, LW_TOK_ASSERT, LW_SOFT_NONE},
    [78] = {"try", 3, LW_TOK_TRY, LW_SOFT_NONE},
    [79] = {"print", 5, LW_TOK_NAME, LW_SOFT_PRINT},
    [81] = {"None", 4, LW_TOK_NONE, LW_SOFT_NONE},
    [83] = {"case", 4, LW_TOK_NAME, LW_SOFT_CASE},
    [86] = {"while", 5, LW_TOK_WHILE, LW_SOFT_NONE},
    [91] = {"else", 4, LW_TOK_ELSE, LW_SOFT_NONE},
    [92] = {"elif", 4, LW_TOK_ELIF, LW_SOFT_NONE},
    [94] = {"with", 4, LW_TOK_WITH, LW_SOFT_NONE},
    [98] = {"finally", 7, LW_TOK_FINALLY, LW_SOFT_NONE},
    [99] = {"and", 3, LW_TOK_AND, LW_SOFT_NONE},
    [101] = {"yield", 5, LW_TOK_YIELD, LW_SOFT_NONE},
    [105] = {"exec", 4, LW_TOK_NAME, LW_SOFT_EXEC},
    [108] = {"class", 5, LW_TOK_CLASS, LW_SOFT_NONE},
    [109] = {"await", 5, LW_TOK_AWAIT, LW_SOFT_NONE},
    [111] = {"lambda", 6, LW_TOK_LAMBDA, LW_SOFT_NONE},
    [113] = {"match", 5, LW_TOK_NAME, LW_SOFT_MATCH},
    [116] = {"global", 6, LW_TOK_GLOBAL, LW_SOFT_NONE},
    [118] = {"in", 2, LW_TOK_IN, LW_SOFT_NONE},
    [120] = {"raise", 5, LW_TOK_RAISE, LW_SOFT_NONE},
    [123] = {"pass", 4, LW_TOK_PASS, LW_SOFT_NONE},
    [127] = {"def", 3, LW_TOK_DEF, LW_SOFT_NONE},
};

static inline unsigned word_slot(const unsigned char *p, size_t n)
{
    return (p[0] * 2u + p[1] * 12u + (unsigned)n * 7u + p[n - 1]) % WORD_SLOTS;
}

enum lw_token_kind lw_token_word(const char *p, size_t n, uint16_t *soft)
{
    *soft = LW_SOFT_NONE;
    if (n < 2 || n > LONGEST_WORD)
        return LW_TOK_NAME;
    const struct word *w = &words[word_slot((const unsigned char *)p, n)];
    if (w->n != n || memcmp(w->text, p, n) != 0)
        return LW_TOK_NAME;
    *soft = w->soft;
    return (enum lw_token_kind)w->kind;
}
