/* Edits of whole statements: lines that are added, removed, moved and indented. */
#include "base/str.h"
#include "check/fix/fix.h"

static struct lw_str whole(const struct fix *f)
{
    return f->t->lexed.text;
}

static struct lw_str line_end(const struct fix *f)
{
    ptrdiff_t at = lw_str_find_char(whole(f), '\n');
    return at > 0 && whole(f).p[at - 1] == '\r' ? LW_S("\r\n") : LW_S("\n");
}

static uint32_t line_start(const struct fix *f, uint32_t at)
{
    struct lw_str s = whole(f);
    while (at > 0 && s.p[at - 1] != '\n')
        at--;
    return at;
}

/* Behind the line end, or the end of the text. */
static uint32_t next_line(const struct fix *f, uint32_t at)
{
    struct lw_str s = whole(f);
    while (at < s.n && s.p[at] != '\n')
        at++;
    return at < s.n ? at + 1 : at;
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\f';
}

/* What stands before the statement on its line, when that is nothing but blanks. */
static bool indent_of(const struct fix *f, uint32_t statement, struct lw_str *indent)
{
    uint32_t at = lw_tree_start(f->t, statement), from = line_start(f, at);
    *indent = lw_str_part(whole(f), from, at - from);
    for (size_t i = 0; i < indent->n; i++)
        if (!is_blank(indent->p[i]))
            return false;
    return true;
}

/* Is the rest of the line behind the statement empty but for a comment? */
static bool ends_line(const struct fix *f, uint32_t statement)
{
    struct lw_str s = whole(f);
    uint32_t at = lw_tree_end(f->t, statement);
    while (at < s.n && (is_blank(s.p[at]) || s.p[at] == ';' || s.p[at] == '\r'))
        at++;
    return at == s.n || s.p[at] == '\n' || s.p[at] == '#';
}

static bool is_compound(const struct fix *f, uint32_t statement)
{
    return lw_tree_get(f->t, statement, LW_ROLE_BODY) != LW_NO_NODE;
}

void fix_line_before(struct fix *f, uint32_t statement, struct lw_str line)
{
    struct lw_str indent;
    if (statement == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    uint32_t at = lw_tree_start(f->t, statement);
    if (indent_of(f, statement, &indent)) {
        fix_insert(f, line_start(f, at),
                   ck_text(f->c, "%.*s%.*s%.*s", LW_F(indent), LW_F(line), LW_F(line_end(f))));
        return;
    }
    uint32_t before = at;
    while (before > 0 && is_blank(whole(f).p[before - 1]))
        before--;
    char last = before > 0 ? whole(f).p[before - 1] : 0;
    if (last == ';' || last == ':')
        fix_insert(f, at, ck_text(f->c, "%.*s; ", LW_F(line)));
    else
        f->failed = true; /* a prompt, or something that is not understood */
}

/* The bytes before the statement that indent it or, on a shared line, the line. */
static struct lw_str indent_or_line(const struct fix *f, uint32_t statement)
{
    struct lw_str indent;
    if (indent_of(f, statement, &indent))
        return indent;
    size_t n = 0;
    while (n < indent.n && is_blank(indent.p[n]))
        n++;
    return lw_str_part(indent, 0, n);
}

void fix_line_behind(struct fix *f, uint32_t statement, struct lw_str line)
{
    if (statement == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    uint32_t end = lw_tree_end(f->t, statement);
    struct lw_str s = whole(f), indent;
    bool own = indent_of(f, statement, &indent);
    if (!ends_line(f, statement) || (!own && !is_compound(f, statement))) {
        /* a; b on one line */
        fix_insert(f, end, ck_text(f->c, "; %.*s", LW_F(line)));
        return;
    }
    indent = indent_or_line(f, statement);
    uint32_t at = next_line(f, end);
    bool ended = at > 0 && s.p[at - 1] == '\n';
    if (ended)
        fix_insert(f, at,
                   ck_text(f->c, "%.*s%.*s%.*s", LW_F(indent), LW_F(line), LW_F(line_end(f))));
    else
        fix_insert(f, at,
                   ck_text(f->c, "%.*s%.*s%.*s", LW_F(line_end(f)), LW_F(indent), LW_F(line)));
}

void fix_line_first(struct fix *f, uint32_t block, struct lw_str line)
{
    uint32_t s =
        block == LW_NO_NODE ? LW_NO_NODE : lw_tree_each(f->t, block, LW_ROLE_BODY, LW_NO_NODE);
    if (s == LW_NO_NODE) {
        f->failed = true;
        return;
    }
    uint32_t text =
        fix_kind(f, s) == LW_NODE_EXPR ? lw_tree_get(f->t, s, LW_ROLE_VALUE) : LW_NO_NODE;
    if (fix_kind(f, text) != LW_NODE_STRING) {
        fix_line_before(f, s, line);
        return;
    }
    uint32_t next = lw_tree_each(f->t, block, LW_ROLE_BODY, s);
    if (next == LW_NO_NODE)
        fix_line_behind(f, s, line);
    else
        fix_line_before(f, next, line);
}

uint32_t fix_neighbour(const struct fix *f, uint32_t statement, bool behind)
{
    uint32_t up = lw_tree_parent(f->t, statement);
    enum lw_role role = (enum lw_role)lw_tree_node(f->t, statement)->role;
    uint32_t before = LW_NO_NODE;
    if (up == LW_NO_NODE)
        return LW_NO_NODE;
    for (uint32_t s = lw_tree_each(f->t, up, role, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(f->t, up, role, s)) {
        if (s == statement)
            return behind ? lw_tree_each(f->t, up, role, s) : before;
        before = s;
    }
    return LW_NO_NODE;
}

void fix_remove_statement(struct fix *f, uint32_t statement)
{
    struct lw_str indent;
    if (statement == LW_NO_NODE || !indent_of(f, statement, &indent) ||
        !ends_line(f, statement)) {
        f->failed = true;
        return;
    }
    bool alone = fix_neighbour(f, statement, true) == LW_NO_NODE &&
                 fix_neighbour(f, statement, false) == LW_NO_NODE;
    if (alone && fix_kind(f, lw_tree_parent(f->t, statement)) != LW_NODE_MODULE)
        fix_node(f, statement, LW_S("pass"));
    else
        fix_replace(f, line_start(f, lw_tree_start(f->t, statement)),
                    next_line(f, lw_tree_end(f->t, statement)), LW_S(""));
}

static bool is_one_line(const struct fix *f, uint32_t statement)
{
    return statement != LW_NO_NODE && lw_str_find_char(lw_tree_text(f->t, statement), '\n') < 0;
}

void fix_move_before(struct fix *f, uint32_t statement, uint32_t place)
{
    if (!is_one_line(f, statement)) {
        f->failed = true;
        return;
    }
    fix_remove_statement(f, statement);
    fix_line_before(f, place, lw_tree_text(f->t, statement));
}

void fix_move_behind(struct fix *f, uint32_t statement, uint32_t place)
{
    if (!is_one_line(f, statement)) {
        f->failed = true;
        return;
    }
    fix_remove_statement(f, statement);
    fix_line_behind(f, place, lw_tree_text(f->t, statement));
}

/* Does a token (a text over several lines) reach over the beginning of this line? */
static bool is_inside_token(const struct fix *f, uint32_t first, uint32_t last, uint32_t at)
{
    for (uint32_t k = first; k <= last; k++) {
        const struct lw_token *t = &f->t->lexed.tokens.v[k];
        if (t->start < at && t->end > at && t->kind != LW_TOK_NEWLINE)
            return true;
    }
    return false;
}

/* One step of indentation as the file has it. */
static const char *step_of(const struct fix *f)
{
    return lw_str_find(whole(f), LW_S("\n\t")) >= 0 ? "\t" : "    ";
}

void fix_enclose(struct fix *f, uint32_t first, uint32_t last, struct lw_str line)
{
    struct lw_str indent;
    if (first == LW_NO_NODE || last == LW_NO_NODE || !indent_of(f, first, &indent) ||
        !ends_line(f, last)) {
        f->failed = true;
        return;
    }
    uint32_t at = line_start(f, lw_tree_start(f->t, first)), end = lw_tree_end(f->t, last);
    uint32_t from = lw_tree_node(f->t, first)->first, to = lw_tree_node(f->t, last)->last;
    const char *step = step_of(f);
    fix_insert(
        f, at,
        ck_text(f->c, "%.*s%.*s%.*s%s", LW_F(indent), LW_F(line), LW_F(line_end(f)), step));
    for (at = next_line(f, at); at < end && !f->failed; at = next_line(f, at)) {
        char ch = whole(f).p[at];
        if (ch != '\n' && ch != '\r' && !is_inside_token(f, from, to, at))
            fix_insert(f, at, lw_str(step));
    }
}
