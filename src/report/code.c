/*
 * Code that nothing marks as such: lines that our parser reads as Python statements.
 *
 * Prose almost never parses: two words beside each other are an error. What does parse and is
 * still prose ("OS: Linux", "Thanks", "torch (1.2)") is told apart by the kind of statement.
 */
#include "report/internal.h"

enum { UNIT_LINES = 60 }; /* longest statement that is tried, so that cost stays linear */

/* What the statements of a parsed text look like. */
struct verdict {
    size_t code;  /* statements that prose does not make */
    size_t other; /* expressions, annotations, magic */
    size_t errors;
};

/* A call whose parenthesis follows its name without a blank. */
static bool is_tight_call(const struct lw_tree *t, uint32_t call)
{
    uint32_t func = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (func == LW_NO_NODE)
        return false;
    uint32_t end = lw_tree_end(t, func);
    return end < t->lexed.text.n && t->lexed.text.p[end] == '(';
}

static bool is_code_statement(const struct lw_tree *t, uint32_t node)
{
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_EXPR: {
        uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE);
        if (value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_AWAIT)
            return true;
        return value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL &&
               is_tight_call(t, value);
    }
    case LW_NODE_ANN_ASSIGN: return lw_tree_get(t, node, LW_ROLE_VALUE) != LW_NO_NODE;
    case LW_NODE_FUNCTION:
    case LW_NODE_CLASS:
    case LW_NODE_RETURN:
    case LW_NODE_DELETE:
    case LW_NODE_ASSIGN:
    case LW_NODE_AUG_ASSIGN:
    case LW_NODE_FOR:
    case LW_NODE_WHILE:
    case LW_NODE_IF:
    case LW_NODE_WITH:
    case LW_NODE_RAISE:
    case LW_NODE_TRY:
    case LW_NODE_ASSERT:
    case LW_NODE_IMPORT:
    case LW_NODE_IMPORT_FROM:
    case LW_NODE_ORPHAN: return true;
    default: return false;
    }
}

static struct verdict judge(const struct lw_tree *t)
{
    struct verdict v = {0};
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        if (is_code_statement(t, s))
            v.code++;
        else
            v.other++;
        v.errors += lw_tree_kind(t, s) == LW_NODE_ERROR;
    }
    for (size_t i = 0; i < t->lexed.errors.n; i++)
        v.errors += t->lexed.errors.v[i].severity == LW_SYNTAX_ERROR;
    return v;
}

/* The statement without what is known to be missing: a header line gets a body, `else:` and
 * its like the error of standing alone is forgiven. */
static int judge_unit(struct lw_tree *t, struct lw_buf *unit, struct lw_str text, bool *is,
                      struct lw_err *err)
{
    static const char *const middles[] = {"else", "elif", "except", "finally"};
    text = lw_str_trim(text);
    *is = false;
    if (!text.n || text.p[0] == '#' || text.p[0] == '-' || text.p[0] == '*')
        return 0;
    lw_buf_clear(unit);
    (void)lw_buf_add(unit, text);
    if (text.p[text.n - 1] == ':')
        (void)lw_buf_addz(unit, " pass");
    if (text.p[0] == '@')
        (void)lw_buf_addz(unit, "\ndef f(): pass");
    if (unit->failed)
        return lw_err_nomem(err);
    int rc = lw_tree_parse(t, lw_buf_str(unit), err);
    if (rc < 0)
        return rc;
    struct verdict v = judge(t);
    bool middle = false;
    for (size_t i = 0; i < sizeof middles / sizeof *middles; i++)
        middle |= text.p[text.n - 1] == ':' && lw_str_has_prefix(text, lw_str(middles[i]));
    *is = v.code > 0 && v.other == 0 && (v.errors == 0 || (middle && v.errors == 1));
    return 0;
}

static int balance_of(struct lw_lexed *lx, struct lw_str line, int *balance, struct lw_err *err)
{
    int rc = lw_lex(lx, line, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < lx->tokens.n; i++) {
        uint8_t kind = lx->tokens.v[i].kind;
        *balance += kind == LW_TOK_LPAREN || kind == LW_TOK_LBRACKET || kind == LW_TOK_LBRACE;
        *balance -= kind == LW_TOK_RPAREN || kind == LW_TOK_RBRACKET || kind == LW_TOK_RBRACE;
    }
    return 0;
}

/* Behind the last line of the statement that begins at line `i`. */
static int unit_end(struct lw_report *r, report_lines *lines, struct lw_lexed *lx, size_t i,
                    size_t *end, struct lw_err *err)
{
    int balance = 0;
    size_t k = i;
    while (k < lines->n && k - i < UNIT_LINES &&
           (lines->v[k].kind == REPORT_LINE_PROSE || lines->v[k].kind == REPORT_LINE_BLANK)) {
        int rc = balance_of(lx, report_line_text(r, &lines->v[k]), &balance, err);
        if (rc < 0)
            return rc;
        k++;
        if (balance <= 0)
            break;
    }
    *end = balance <= 0 ? k : i + 1;
    return 0;
}

static int find_statements(struct lw_report *r, report_lines *lines, struct lw_tree *tree,
                           struct lw_lexed *lx, struct lw_buf *unit, struct lw_err *err)
{
    for (size_t i = 1; i < lines->n;) {
        struct report_line *l = &lines->v[i];
        size_t end = i + 1;
        bool is = false;
        int rc = 0;
        if (l->kind == REPORT_LINE_PROSE) {
            rc = unit_end(r, lines, lx, i, &end, err);
            struct lw_str text =
                lw_str_n(r->text.p + l->start, lines->v[end - 1].end - l->start);
            if (rc == 0)
                rc = judge_unit(tree, unit, text, &is, err);
            if (rc < 0)
                return rc;
        }
        end = is ? end : i + 1;
        for (size_t k = i; is && k < end; k++)
            if (lines->v[k].kind == REPORT_LINE_PROSE)
                lines->v[k].kind = REPORT_LINE_CODE;
        i = end;
    }
    return 0;
}

static size_t indent_of(struct lw_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n && report_is_blank(s.p[i]); i++)
        n += s.p[i] == '\t' ? 8 : 1;
    return n;
}

static bool is_comment(struct lw_str s)
{
    s = lw_str_trim(s);
    return s.n > 0 && s.p[0] == '#' && !(s.n > 1 && s.p[1] == '#');
}

static bool is_bare_code(const struct report_line *l)
{
    return l->kind == REPORT_LINE_CODE && !l->fenced;
}

/* Lines that belong to code because of what stands around them: deeper lines below a
 * statement, comments beside one. */
static void extend_code(struct lw_report *r, report_lines *lines)
{
    size_t last = 0; /* number of the last code line + 1 */
    for (size_t i = 1; i < lines->n; i++) {
        struct report_line *l = &lines->v[i];
        struct lw_str s = report_line_text(r, l);
        bool open = l->kind == REPORT_LINE_PROSE || l->kind == REPORT_LINE_HEADING;
        bool next = i + 1 < lines->n && is_bare_code(&lines->v[i + 1]);
        if (open && is_comment(s) && (next || (last && last == i)))
            l->kind = REPORT_LINE_CODE;
        else if (l->kind == REPORT_LINE_PROSE && last && i - last <= 2 && indent_of(s) >= 2)
            l->kind = REPORT_LINE_CODE;
        if (is_bare_code(l))
            last = i + 1;
        else if (l->kind != REPORT_LINE_BLANK)
            last = 0;
    }
}

int report_find_code(struct lw_report *r, report_lines *lines, struct lw_err *err)
{
    struct lw_tree tree;
    struct lw_lexed lexed;
    struct lw_buf unit;
    lw_tree_init(&tree, r->mem);
    lw_lexed_init(&lexed, r->mem);
    lw_buf_init(&unit, r->mem, 0);
    int rc = find_statements(r, lines, &tree, &lexed, &unit, err);
    if (rc == 0)
        extend_code(r, lines);
    lw_buf_release(&unit);
    lw_lexed_release(&lexed);
    lw_tree_release(&tree);
    return rc;
}

/* A session: a line has ">>>" or "In [3]:" before it. */
static bool has_prompt(struct lw_str text)
{
    struct lw_str line;
    while (lw_str_line(&text, &line))
        if (report_prompt(line) && line.p[report_prompt(line) - 1] != '.' &&
            !lw_str_has_prefix(lw_str_trim(line), LW_S("... ")))
            return true;
    return false;
}

/* Text whose first line only code begins with may have more errors: reports leave out parts. */
static bool begins_like_code(struct lw_str text)
{
    static const char *const heads[] = {"import ", "from ", "def ", "class ", "with ", "@"};
    text = lw_str_trim(text);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (lw_str_has_prefix(text, lw_str(heads[i])))
            return true;
    return false;
}

int report_is_python(struct lw_report *r, struct lw_str text, bool *is, struct lw_err *err)
{
    struct lw_tree tree;
    if (has_prompt(text)) {
        *is = true;
        return 0;
    }
    lw_tree_init(&tree, r->mem);
    int rc = lw_tree_parse(&tree, text, err);
    if (rc == 0) {
        struct verdict v = judge(&tree);
        *is = v.code > v.other && (v.errors * 3 <= v.code || begins_like_code(text));
    }
    lw_tree_release(&tree);
    return rc;
}
