#include "check/engine/gaps.h"

#include "base/str.h"

#include <stdlib.h>

/* ---- what is a gap ------------------------------------------------------------------------
 */

static char lower(char ch)
{
    return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* Is `word`, in small letters, in the text, in letters of any size? */
static bool has_word(struct lw_str text, struct lw_str word)
{
    for (size_t i = 0; i + word.n <= text.n; i++) {
        size_t k = 0;
        while (k < word.n && lower(text.p[i + k]) == word.p[k])
            k++;
        if (k == word.n)
            return true;
    }
    return false;
}

/* What course material writes where its readers have to. */
static bool asks_reader(struct lw_str text)
{
    static const char *const words[] = {"your code",   "your solution", "your answer",
                                        "code here",   "your turn",     "implement me",
                                        "insert code", "your implement"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, lw_str(words[i])))
            return true;
    return false;
}

/* x = None  # TODO, pass  # to do */
static bool is_left_for_later(const struct lw_lexed *lx, struct lw_str comment, size_t start)
{
    size_t from = start;
    if (!has_word(comment, LW_S("todo")))
        return false;
    while (from > 0 && lx->text.p[from - 1] != '\n')
        from--;
    struct lw_str before = lw_str_trim(lw_str_part(lx->text, from, start - from));
    return lw_str_has_suffix(before, LW_S("= None")) || lw_str_eq(before, LW_S("pass")) ||
           lw_str_eq(before, LW_S("return None")) || lw_str_eq(before, LW_S("return"));
}

/* The line around `at`, without what it is indented by, which goes to `*column`. */
static struct lw_str line_at(struct lw_str text, size_t at, size_t *column)
{
    size_t from = at, to = at;
    while (from > 0 && text.p[from - 1] != '\n')
        from--;
    while (to < text.n && text.p[to] != '\n')
        to++;
    struct lw_str line = lw_str_part(text, from, to - from), code = lw_str_trim(line);
    *column = (size_t)(code.p - line.p);
    return code;
}

enum { GAP_LINES = 12 }; /* blank ones and comments around one */

/* super().__init__() and then only comments: the layers are left to the reader. */
static bool is_unfinished_init(struct lw_str text, size_t comment)
{
    size_t own, column, at = comment;
    struct lw_str line = line_at(text, at, &own);
    for (unsigned i = 0; i < GAP_LINES && at > own; i++) {
        line = line_at(text, at, &column);
        if (line.n && line.p[0] != '#')
            break;
        size_t begin = (size_t)(line.p - text.p) - column;
        at = begin > 0 ? begin - 1 : 0;
    }
    if (!lw_str_has_prefix(line, LW_S("super(")) ||
        lw_str_find(line, LW_S("__init__")) == LW_NPOS || column != own)
        return false;
    at = comment;
    for (unsigned i = 0; i < GAP_LINES && at < text.n; i++) {
        line = line_at(text, at, &column);
        if (line.n && line.p[0] != '#')
            return column < own;
        at = (size_t)(line.p - text.p) + line.n;
        while (at < text.n && text.p[at] != '\n')
            at++;
        at++;
    }
    return false;
}

static bool is_gap_comment(const struct lw_lexed *lx, const struct lw_trivia *t, bool notebook)
{
    struct lw_str text = lw_str_part(lx->text, t->start, t->end - t->start);
    return t->kind == LW_TRIVIA_COMMENT &&
           (asks_reader(text) || (notebook && has_word(text, LW_S("todo"))) ||
            is_left_for_later(lx, text, t->start) ||
            (notebook && is_unfinished_init(lx->text, t->start)));
}

static uint8_t kind_at(const struct lw_lexed *lx, size_t i)
{
    return i < lx->tokens.n ? lx->tokens.v[i].kind : (uint8_t)LW_TOK_EOF;
}

/* f(...), x = ..., return ..., or ... alone; not x[..., 0], and not a default in a stub. */
static bool is_gap_token(const struct lw_lexed *lx, size_t i)
{
    const struct lw_token *t = &lx->tokens.v[i];
    uint8_t before = i > 0 ? kind_at(lx, i - 1) : (uint8_t)LW_TOK_NEWLINE;
    uint8_t after = kind_at(lx, i + 1);
    if (t->kind == LW_TOK_ELLIPSIS) {
        if (after == LW_TOK_NEWLINE || after == LW_TOK_EOF)
            return before <= LW_TOK_DEDENT || before == LW_TOK_COLON ||
                   before == LW_TOK_ASSIGN || before == LW_TOK_RETURN;
        return before == LW_TOK_LPAREN && (after == LW_TOK_RPAREN || after == LW_TOK_COMMA);
    }
    struct lw_str text = lw_str_part(lx->text, t->start, t->end - t->start);
    return t->kind == LW_TOK_STRING && text.n < 40 && has_word(text, LW_S("your code")) &&
           (before == LW_TOK_LPAREN || before == LW_TOK_ASSIGN || before == LW_TOK_COMMA);
}

/* Writes the places to `at`, unless that is NULL; how many there are. */
static size_t collect(const struct lw_lexed *lx, bool notebook, uint32_t *at)
{
    size_t n = 0;
    for (size_t i = 0; i < lx->errors.n; i++)
        if (lx->errors.v[i].severity == LW_SYNTAX_ERROR) {
            if (at)
                at[n] = lx->errors.v[i].start;
            n++;
        }
    for (size_t i = 0; i < lx->trivia.n; i++)
        if (is_gap_comment(lx, &lx->trivia.v[i], notebook)) {
            if (at)
                at[n] = lx->trivia.v[i].start;
            n++;
        }
    for (size_t i = 0; i < lx->tokens.n; i++)
        if ((lx->tokens.v[i].kind == LW_TOK_ELLIPSIS ||
             lx->tokens.v[i].kind == LW_TOK_STRING) &&
            is_gap_token(lx, i)) {
            if (at)
                at[n] = lx->tokens.v[i].start;
            n++;
        }
    return n;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool ck_gaps_find(struct ck_gaps *out, struct lw_arena *arena, const struct lw_lexed *lx,
                  bool notebook)
{
    size_t n = collect(lx, notebook, NULL);
    *out = (struct ck_gaps){0};
    if (n == 0)
        return true;
    uint32_t *at = lw_arena_array(arena, n, sizeof *at);
    if (!at)
        return false;
    collect(lx, notebook, at);
    qsort(at, n, sizeof *at, by_place);
    *out = (struct ck_gaps){at, n};
    return true;
}

/* ---- whose gap it is ----------------------------------------------------------------------
 */

static size_t column_of(struct lw_str text, size_t offset)
{
    size_t from = offset;
    while (from > 0 && text.p[from - 1] != '\n')
        from--;
    return offset - from;
}

/* Where the next statement begins, or the text ends. */
static size_t next_statement(const struct lw_lexed *lx, size_t offset)
{
    size_t low = 0, high = lx->tokens.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lx->tokens.v[middle].start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < lx->tokens.n && lx->tokens.v[low].kind <= LW_TOK_DEDENT &&
           lx->tokens.v[low].kind != LW_TOK_EOF)
        low++;
    return low < lx->tokens.n ? lx->tokens.v[low].start : lx->text.n;
}

/* The first gap at `offset` or behind it. */
static size_t first_from(const struct ck_gaps *g, size_t offset)
{
    size_t low = 0, high = g->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->at[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ck_gaps_within(const struct ck_gaps *g, const struct lw_tree *t, uint32_t node)
{
    if (g->n == 0)
        return false;
    const struct lw_lexed *lx = &t->lexed;
    struct lw_str text = lw_tree_text(t, node);
    size_t start = (size_t)(text.p - lx->text.p), end = start + text.n;
    size_t next = next_statement(lx, end), column = column_of(lx->text, start);
    for (size_t i = first_from(g, start); i < g->n && g->at[i] < next; i++)
        if ((g->at[i] < end || column_of(lx->text, g->at[i]) > column))
            return true;
    return false;
}
