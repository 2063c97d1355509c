/*
 * Lines: indentation, prompts, notebook magic, and brackets that are never closed.
 */
#include "source/lex_internal.h"

#include <string.h>

enum { TAB = 8 };

static bool starts_with(const struct lexer *lx, uint32_t pos, const char *z)
{
    size_t n = strlen(z);
    return lx->n - pos >= n && memcmp(lx->text + pos, z, n) == 0;
}

uint32_t lex_skip_blanks(const struct lexer *lx, uint32_t pos, uint32_t *column)
{
    uint32_t col = *column, joined = UINT32_MAX, n;
    while (pos < lx->n) {
        char c = lx->text[pos];
        if (c == ' ') {
            col++;
            pos++;
        } else if (c == '\t') {
            col = (col / TAB + 1) * TAB;
            pos++;
        } else if (c == '\f') {
            col = 0;
            pos++;
        } else if (c == '\\' && (n = lex_line_end(lx, pos + 1)) > 0) {
            joined = joined == UINT32_MAX ? col : joined;
            pos += 1 + n;
        } else if ((unsigned char)c >= 128 && (n = lex_odd_blank(lx, pos)) > 0) {
            col++;
            pos += n;
        } else {
            break;
        }
    }
    *column = joined == UINT32_MAX ? col : joined;
    return pos;
}

/* Length of "In [3]: " at pos, or 0. */
static uint32_t notebook_prompt(const struct lexer *lx, uint32_t pos)
{
    uint32_t at = pos + 4;
    if (!starts_with(lx, pos, "In ["))
        return 0;
    while (lex_at(lx, at) == ' ' || lex_at(lx, at) == '*' ||
           (lex_at(lx, at) >= '0' && lex_at(lx, at) <= '9'))
        at++;
    if (!starts_with(lx, at, "]:"))
        return 0;
    at += 2;
    return at + (lex_at(lx, at) == ' ') - pos;
}

/* Length of "...: " or "... " at pos, continuing a prompted line, or 0. */
static uint32_t continuation_prompt(const struct lexer *lx, uint32_t pos, bool *notebook)
{
    uint32_t at = pos;
    while (lex_at(lx, at) == '.')
        at++;
    if (at - pos < 3)
        return 0;
    *notebook = lex_at(lx, at) == ':';
    if (*notebook)
        at++;
    else if (at - pos != 3)
        return 0;
    if (lex_at(lx, at) == ' ')
        return at + 1 - pos;
    return at >= lx->n || lex_line_end(lx, at) ? at - pos : 0;
}

bool lex_prompt(struct lexer *lx, uint32_t *column)
{
    uint32_t at = lx->pos, n = 0;
    bool notebook = false;
    char c = lex_at(lx, at);
    if (c == '>' && starts_with(lx, at, ">>>") && lex_at(lx, at + 3) != '=')
        n = 3 + (lex_at(lx, at + 3) == ' ');
    else if (c == 'I' && (n = notebook_prompt(lx, at)) > 0)
        notebook = true;
    else if (c == '.' && lx->prompted)
        n = continuation_prompt(lx, at, &notebook);
    if (n == 0) {
        if (at < lx->n && !lex_line_end(lx, at))
            lx->prompted = false;
        return false;
    }
    lx->prompted = true;
    lex_trivia(lx, LW_TRIVIA_PROMPT, at, at + n);
    *column = notebook ? 0 : *column;
    lx->pos = lex_skip_blanks(lx, at + n, column);
    return true;
}

/* The end of the magic line at pos: backslashes join lines here too. */
static uint32_t magic_end(const struct lexer *lx, uint32_t pos)
{
    uint32_t end = lex_find_line_end(lx, pos);
    while (end < lx->n && end > pos && lx->text[end - 1] == '\\')
        end = lex_find_line_end(lx, end + lex_line_end(lx, end));
    return end;
}

/* Whether the line at pos cannot be Python but is a command to the shell or the notebook, or
 * output that the notebook printed. */
static bool is_magic(const struct lexer *lx, uint32_t pos)
{
    char c = lex_at(lx, pos), d = lex_at(lx, pos + 1);
    if (c == '%' || c == '!' || c == '?')
        return d != '=';
    if (c == '$')
        return d == ' ';
    return c == 'O' && starts_with(lx, pos, "Out[");
}

/* Column of the first line from pos on (where a line begins) that is neither blank nor a
 * comment. */
static uint32_t next_column(const struct lexer *lx, uint32_t pos)
{
    while (pos < lx->n) {
        uint32_t column = 0, at = lex_skip_blanks(lx, pos, &column);
        if (at < lx->n && lx->text[at] != '#' && !lex_line_end(lx, at))
            return column;
        pos = lex_find_line_end(lx, at);
        pos += lex_line_end(lx, pos);
    }
    return UINT32_MAX;
}

static void push_level(struct lexer *lx, uint32_t column, uint8_t flags)
{
    if (lx->level + 1 >= LEX_MAX_LEVELS) {
        lex_error(lx, lx->pos, lx->pos, "too many nested blocks");
        return;
    }
    lx->levels[++lx->level] = column;
    lx->first = false;
    lex_token(lx, LW_TOK_INDENT, lx->pos, lx->pos, flags, 0);
}

static void pop_levels(struct lexer *lx, uint32_t column)
{
    lx->first = false;
    while (lx->level > 0 && lx->levels[lx->level] > column) {
        lx->level--;
        lex_token(lx, LW_TOK_DEDENT, lx->pos, lx->pos, 0, 0);
    }
}

static bool is_level(const struct lexer *lx, uint32_t column)
{
    for (uint32_t i = lx->level + 1; i > 0; i--)
        if (lx->levels[i - 1] <= column)
            return lx->levels[i - 1] == column;
    return false;
}

static void set_indentation(struct lexer *lx, uint32_t column)
{
    uint32_t top = lx->levels[lx->level];
    lx->left = (struct lex_left){0};
    if (column == top)
        return;
    if (column > top) {
        push_level(lx, column, 0);
        return;
    }
    lx->left = (struct lex_left){true, lx->level, (uint32_t)lx->out->tokens.n, 0, 0};
    bool known = is_level(lx, column);
    pop_levels(lx, column);
    if (!known) {
        lex_error(lx, lx->pos, lx->pos, "indentation matches no enclosing block");
        lx->left.lost_level = lx->level + 1;
        lx->left.lost_column = lx->levels[lx->level + 1];
        push_level(lx, column, LW_TOK_BAD);
    }
}

/* Two names side by side at the given place of the line: words, not code. */
static bool names_side_by_side(const struct lexer *lx, uint32_t token)
{
    const struct lw_token *v = lx->out->tokens.v;
    return token + 1 < lx->out->tokens.n && v[token].kind == LW_TOK_NAME &&
           v[token + 1].kind == LW_TOK_NAME && v[token].detail == LW_SOFT_NONE;
}

static bool looks_like_prose(const struct lexer *lx)
{
    return names_side_by_side(lx, lx->line_token) || names_side_by_side(lx, lx->line_token + 1);
}

/* Whether the line is the header of a block. */
static bool begins_block(const struct lexer *lx)
{
    switch (lx->out->tokens.v[lx->line_token].kind) {
    case LW_TOK_DEF:
    case LW_TOK_CLASS:
    case LW_TOK_IF:
    case LW_TOK_ELIF:
    case LW_TOK_ELSE:
    case LW_TOK_FOR:
    case LW_TOK_WHILE:
    case LW_TOK_WITH:
    case LW_TOK_TRY:
    case LW_TOK_EXCEPT:
    case LW_TOK_FINALLY:
    case LW_TOK_ASYNC: return !names_side_by_side(lx, lx->line_token + 1);
    default: return false;
    }
}

/* A line that left a block without beginning one, followed by a line of that very block: the
 * line is misplaced (shifted, or prose), and the block was not left at all. */
void lex_end_line(struct lexer *lx, uint32_t next)
{
    struct lw_lexed *out = lx->out;
    if (!lx->left.any || lex_last_kind(lx) == LW_TOK_COLON || begins_block(lx))
        return;
    struct lex_left left = lx->left;
    lx->left.any = false;
    uint32_t saved = lx->levels[left.lost_level];
    if (left.lost_level)
        lx->levels[left.lost_level] = left.lost_column;
    if (next_column(lx, next) != lx->levels[left.level]) {
        if (left.lost_level)
            lx->levels[left.lost_level] = saved;
        return;
    }
    if (!left.lost_level)
        lex_error(lx, out->tokens.v[lx->line_token].start, out->tokens.v[lx->line_token].start,
                  "the line is indented less than its block");
    size_t count = out->tokens.n - lx->line_token;
    memmove(&out->tokens.v[left.token], &out->tokens.v[lx->line_token],
            count * sizeof *out->tokens.v);
    out->tokens.n = left.token + count;
    lx->line_token = left.token;
    lx->level = left.level;
}

void lex_begin_line(struct lexer *lx)
{
    uint32_t column, n;
    for (;;) {
        column = 0;
        lx->pos = lex_skip_blanks(lx, lx->pos, &column);
        (void)lex_prompt(lx, &column);
        if (lx->pos >= lx->n)
            break;
        char c = lx->text[lx->pos];
        if (c == '#') {
            uint32_t end = lex_find_line_end(lx, lx->pos);
            lex_trivia(lx, LW_TRIVIA_COMMENT, lx->pos, end);
            lx->pos = end;
        } else if (is_magic(lx, lx->pos)) {
            uint32_t end = magic_end(lx, lx->pos);
            lex_trivia(lx, LW_TRIVIA_MAGIC, lx->pos, end);
            lx->pos = end;
        }
        n = lex_line_end(lx, lx->pos);
        if (n == 0)
            break;
        lx->pos += n;
    }
    lx->line_start = false;
    if (lx->pos < lx->n)
        set_indentation(lx, column);
    lx->line_column = column;
    lx->line_token = (uint32_t)lx->out->tokens.n;
    lx->first = true;
}

bool lex_help(struct lexer *lx)
{
    struct lw_lexed *out = lx->out;
    if (lx->open.n > 0 || out->tokens.n <= lx->line_token)
        return false;
    for (size_t i = lx->line_token; i < out->tokens.n; i++) {
        bool name = (i - lx->line_token) % 2 == 0;
        if (out->tokens.v[i].kind != (name ? LW_TOK_NAME : LW_TOK_DOT))
            return false;
    }
    uint32_t end = lx->pos + 1, column = 0;
    end += lex_at(lx, end) == '?';
    uint32_t rest = lex_skip_blanks(lx, end, &column);
    if (rest < lx->n && !lex_line_end(lx, rest))
        return false;
    uint32_t start = out->tokens.v[lx->line_token].start;
    out->tokens.n = lx->line_token;
    lex_trivia(lx, LW_TRIVIA_MAGIC, start, end);
    lx->pos = end;
    return true;
}

/* ---- Brackets that are never closed ------------------------------------------------------ */

static uint32_t line_begin(const struct lexer *lx, uint32_t pos)
{
    while (pos > 0 && lx->text[pos - 1] != '\n' && lx->text[pos - 1] != '\r')
        pos--;
    return pos;
}

static uint32_t column_of(const struct lexer *lx, uint32_t pos)
{
    uint32_t column = 0;
    (void)lex_skip_blanks(lx, line_begin(lx, pos), &column);
    return column;
}

/* Whether a statement may well begin at the token, which is the first of its line. */
static bool looks_like_statement(const struct lw_token *t, const struct lw_token *end)
{
    uint8_t next = t + 1 < end ? t[1].kind : LW_TOK_NEWLINE;
    switch (t->kind) {
    case LW_TOK_NAME:
        return next == LW_TOK_DOT || next == LW_TOK_LPAREN || next == LW_TOK_LBRACKET ||
               next == LW_TOK_NAME || next == LW_TOK_COLON || next == LW_TOK_STRING ||
               (next >= LW_TOK_ASSIGN && next <= LW_TOK_POWER_ASSIGN);
    case LW_TOK_AT: return next == LW_TOK_NAME;
    case LW_TOK_ASYNC:
    case LW_TOK_FOR:
    case LW_TOK_FROM:
    case LW_TOK_IF:
    case LW_TOK_YIELD:
    case LW_TOK_AWAIT: return true;
    default: return false;
    }
}

/* The first token after the outermost open bracket, before `limit`, at which a statement seems
 * to begin again; `limit` when there is none. After prose it may have any indentation, after a
 * header the line that follows a colon is the block. */
static uint32_t restart_token(const struct lexer *lx, uint32_t limit)
{
    const struct lw_token *v = lx->out->tokens.v;
    bool prose = looks_like_prose(lx), header = begins_block(lx);
    for (uint32_t i = lx->open.v[0].token + 1; i < limit; i++) {
        if (!(v[i].flags & LW_TOK_FIRST))
            continue;
        bool block = header && v[i - 1].kind == LW_TOK_COLON;
        if (block && v[i].kind == LW_TOK_STRING)
            return i;
        if (looks_like_statement(&v[i], &v[limit]) &&
            (prose || block || column_of(lx, v[i].start) <= lx->line_column))
            return i;
    }
    return limit;
}

void lex_unclosed(struct lexer *lx, uint32_t token)
{
    struct lw_lexed *out = lx->out;
    const struct lw_token opener = out->tokens.v[lx->open.v[0].token];
    uint32_t from = restart_token(lx, token);
    uint32_t pos = from < out->tokens.n ? line_begin(lx, out->tokens.v[from].start) : lx->n;
    /* A token of the line before may reach into this one: a triple-quoted string. */
    if (from > 0 && pos < out->tokens.v[from - 1].end)
        pos = out->tokens.v[from - 1].end;
    bool back = lex_rewind(lx, from, pos);
    if (!back && token < out->tokens.n) {
        from = token;
        pos = line_begin(lx, out->tokens.v[token].start);
        if (pos < out->tokens.v[token - 1].end)
            pos = out->tokens.v[token - 1].end;
        out->tokens.n = token;
        lx->pos = pos;
        while (out->trivia.n && out->trivia.v[out->trivia.n - 1].start >= pos)
            out->trivia.n--;
    }
    lex_error(lx, opener.start, opener.end, "bracket was never closed");
    lx->open.n = 0;
    lex_end_line(lx, pos);
    lx->first = false;
    uint32_t end = out->tokens.v[out->tokens.n - 1].end;
    lex_token(lx, LW_TOK_NEWLINE, end, end, LW_TOK_FORCED, 0);
    lx->line_start = true;
}
