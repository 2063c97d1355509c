/* Text to expressions and statements: a recursive-descent parser with a depth bound. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "knowledge/rule.h"

enum { MAX_DEPTH = 40, MAX_ITEMS = 64 };

enum token { T_END, T_NAME, T_NUMBER, T_STRING, T_PUNCT, T_BAD };

struct parser {
    struct lw_arena *arena;
    struct lw_str text;
    size_t at;
    enum token token;
    struct lw_str word; /* of the current token; a string without its quotes */
    size_t begin;       /* of the current token */
    int depth;
    struct lw_err *err;
};

static bool is_name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char char_at(const struct parser *p, size_t at)
{
    return at < p->text.n ? p->text.p[at] : '\0';
}

static void lex_number(struct parser *p)
{
    size_t i = p->at;
    while (is_digit(char_at(p, i)))
        i++;
    if (char_at(p, i) == '.' && char_at(p, i + 1) != '.') {
        i++;
        while (is_digit(char_at(p, i)))
            i++;
    }
    if (char_at(p, i) == 'e') {
        size_t k = i + 1 + (char_at(p, i + 1) == '-' || char_at(p, i + 1) == '+');
        if (is_digit(char_at(p, k)))
            for (i = k; is_digit(char_at(p, i)); i++)
                ;
    }
    p->token = T_NUMBER;
    p->word = lw_str_part(p->text, p->at, i - p->at);
    p->at = i;
}

static void lex_string(struct parser *p)
{
    char quote = char_at(p, p->at);
    size_t i = p->at + 1;
    while (i < p->text.n && p->text.p[i] != quote)
        i++;
    p->token = i < p->text.n ? T_STRING : T_BAD;
    p->word = lw_str_part(p->text, p->at + 1, i - p->at - 1);
    p->at = i + 1;
}

static void lex_punct(struct parser *p)
{
    static const char *const longer[] = {"...", "==", "!=", "<=", ">=", "//"};
    struct lw_str rest = lw_str_from(p->text, p->at);
    size_t n = 1;
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (lw_str_has_prefix(rest, lw_str(longer[i]))) {
            n = strlen(longer[i]);
            break;
        }
    }
    p->token = T_PUNCT;
    p->word = lw_str_part(rest, 0, n);
    p->at += n;
}

static void next(struct parser *p)
{
    while (char_at(p, p->at) == ' ' || char_at(p, p->at) == '\n' || char_at(p, p->at) == '\t')
        p->at++;
    p->begin = p->at;
    char c = char_at(p, p->at);
    if (p->at >= p->text.n) {
        p->token = T_END;
        p->word = lw_str_n("", 0);
    } else if (is_name_char(c, true)) {
        size_t i = p->at;
        while (i < p->text.n && is_name_char(p->text.p[i], false))
            i++;
        p->token = T_NAME;
        p->word = lw_str_part(p->text, p->at, i - p->at);
        p->at = i;
    } else if (is_digit(c)) {
        lex_number(p);
    } else if (c == '\'' || c == '"') {
        lex_string(p);
    } else {
        lex_punct(p);
    }
}

static bool is(const struct parser *p, const char *text)
{
    return (p->token == T_PUNCT || p->token == T_NAME) && lw_str_eq(p->word, lw_str(text));
}

static bool take(struct parser *p, const char *text)
{
    if (!is(p, text))
        return false;
    next(p);
    return true;
}

static struct rule_expr *fail(struct parser *p, const char *what)
{
    if (p->err->code == 0)
        lw_err_set(p->err, LW_EINVAL, "%s at '%.*s'", what,
                   LW_F(lw_str_part(p->text, p->begin, 30)));
    return NULL;
}

static struct rule_expr *make(struct parser *p, enum rule_op op, const struct rule_expr *a,
                              const struct rule_expr *b)
{
    struct rule_expr *e = lw_arena_alloc(p->arena, sizeof *e);
    if (!e) {
        if (p->err->code == 0)
            lw_err_nomem(p->err);
        return NULL;
    }
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

static const struct rule_expr *parse_expr(struct parser *p);

/* Items up to `close`; a trailing comma is allowed and told. */
static bool parse_items(struct parser *p, const char *close, struct rule_expr *into,
                        bool *comma)
{
    const struct rule_expr *items[MAX_ITEMS];
    uint32_t n = 0;
    *comma = false;
    while (!is(p, close)) {
        if (n >= MAX_ITEMS || !(items[n] = parse_expr(p)))
            return fail(p, "too many items"), false;
        n++;
        if (!take(p, ",")) {
            *comma = n > 1;
            break;
        }
        *comma = true;
    }
    if (!take(p, close))
        return fail(p, "missing bracket"), false;
    const struct rule_expr **copy = lw_arena_array(p->arena, n, sizeof *copy);
    if (!copy)
        return lw_err_nomem(p->err), false;
    if (n)
        memcpy(copy, items, n * sizeof *copy);
    into->items = copy;
    into->n = n;
    return true;
}

static const struct rule_expr *parse_number(struct parser *p)
{
    struct rule_expr *e = make(p, RULE_INT, NULL, NULL);
    if (!e)
        return NULL;
    if (!lw_parse_i64(p->word, &e->whole)) {
        e->op = RULE_FLOAT;
        if (!lw_parse_double(p->word, &e->real))
            return fail(p, "not a number");
    }
    next(p);
    return e;
}

static const struct rule_expr *parse_call(struct parser *p, struct lw_str name)
{
    struct rule_expr *e = make(p, RULE_CALL, NULL, NULL);
    bool comma;
    if (!e || !parse_items(p, ")", e, &comma))
        return NULL;
    e->text = name;
    e->function = rule_function_find(name);
    if (!e->function && !(e->interval = lw_iv_find(name)))
        return fail(p, "no such function before");
    if (e->function ? e->n < e->function->least || e->n > e->function->most : e->n != 1)
        return fail(p, "wrong number of arguments before");
    return e;
}

static const struct rule_expr *parse_atom(struct parser *p)
{
    struct rule_expr *e;
    bool comma;
    if (p->token == T_NUMBER)
        return parse_number(p);
    if (p->token == T_STRING) {
        if ((e = make(p, RULE_STR, NULL, NULL)))
            e->text = p->word;
        next(p);
        return e;
    }
    if (take(p, "..."))
        return make(p, RULE_DOTS, NULL, NULL);
    if (take(p, "(")) {
        e = make(p, RULE_TUPLE, NULL, NULL);
        if (!e || !parse_items(p, ")", e, &comma))
            return NULL;
        return e->n == 1 && !comma ? e->items[0] : e;
    }
    if (take(p, "[")) {
        e = make(p, RULE_LIST, NULL, NULL);
        return e && parse_items(p, "]", e, &comma) ? e : NULL;
    }
    if (p->token != T_NAME)
        return fail(p, "expected a value");
    struct lw_str name = p->word;
    next(p);
    if (take(p, "("))
        return parse_call(p, name);
    if ((e = make(p, RULE_NAME, NULL, NULL)))
        e->text = name;
    return e;
}

static const struct rule_expr *parse_subscript(struct parser *p, const struct rule_expr *a)
{
    const struct rule_expr *from = NULL, *to = NULL;
    struct rule_expr *e;
    if (!is(p, ":") && !(from = parse_expr(p)))
        return NULL;
    if (take(p, ":")) {
        if (!is(p, "]") && !(to = parse_expr(p)))
            return NULL;
        if ((e = make(p, RULE_SLICE, a, from)))
            e->c = to;
    } else {
        e = make(p, RULE_INDEX, a, from);
    }
    return take(p, "]") ? e : fail(p, "missing ]");
}

static const struct rule_expr *parse_postfix(struct parser *p)
{
    const struct rule_expr *e = parse_atom(p);
    while (e) {
        if (take(p, ".")) {
            struct rule_expr *attr = make(p, RULE_ATTR, e, NULL);
            if (p->token != T_NAME)
                return fail(p, "expected a name");
            if (attr)
                attr->text = p->word;
            next(p);
            e = attr;
        } else if (take(p, "[")) {
            e = parse_subscript(p, e);
        } else {
            break;
        }
    }
    return e;
}

static const struct rule_expr *parse_unary(struct parser *p)
{
    if (!take(p, "-"))
        return parse_postfix(p);
    if (++p->depth > MAX_DEPTH)
        return fail(p, "nested too deeply");
    const struct rule_expr *a = parse_unary(p);
    p->depth--;
    return a ? make(p, RULE_NEG, a, NULL) : NULL;
}

struct binary {
    const char *text;
    enum rule_op op;
};

static const struct binary products[] = {
    {"*", RULE_MUL}, {"//", RULE_FLOORDIV}, {"/", RULE_DIV}, {"%", RULE_MOD}, {NULL, RULE_MUL}};
static const struct binary sums[] = {{"+", RULE_ADD}, {"-", RULE_SUB}, {NULL, RULE_ADD}};
static const struct binary comparisons[] = {{"==", RULE_EQ}, {"!=", RULE_NE}, {"<=", RULE_LE},
                                            {">=", RULE_GE}, {"<", RULE_LT},  {">", RULE_GT},
                                            {"in", RULE_IN}, {NULL, RULE_EQ}};

static const struct binary *operator_here(struct parser *p, const struct binary *table)
{
    for (; table->text; table++)
        if (is(p, table->text))
            return table;
    return NULL;
}

static const struct rule_expr *parse_chain(struct parser *p, const struct binary *table,
                                           const struct rule_expr *(*operand)(struct parser *))
{
    const struct rule_expr *a = operand(p);
    const struct binary *op;
    while (a && (op = operator_here(p, table))) {
        next(p);
        const struct rule_expr *b = operand(p);
        a = b ? make(p, op->op, a, b) : NULL;
    }
    return a;
}

static const struct rule_expr *parse_product(struct parser *p)
{
    return parse_chain(p, products, parse_unary);
}

static const struct rule_expr *parse_sum(struct parser *p)
{
    return parse_chain(p, sums, parse_product);
}

static const struct rule_expr *parse_comparison(struct parser *p)
{
    if (!take(p, "not"))
        return parse_chain(p, comparisons, parse_sum);
    if (++p->depth > MAX_DEPTH)
        return fail(p, "nested too deeply");
    const struct rule_expr *a = parse_comparison(p);
    p->depth--;
    return a ? make(p, RULE_NOT, a, NULL) : NULL;
}

static const struct rule_expr *parse_and(struct parser *p)
{
    static const struct binary table[] = {{"and", RULE_AND}, {NULL, RULE_AND}};
    return parse_chain(p, table, parse_comparison);
}

static const struct rule_expr *parse_expr(struct parser *p)
{
    static const struct binary table[] = {{"or", RULE_OR}, {NULL, RULE_OR}};
    if (++p->depth > MAX_DEPTH)
        return fail(p, "nested too deeply");
    const struct rule_expr *e = NULL, *a, *b, *c;
    if (take(p, "if")) {
        struct rule_expr *choice;
        if ((a = parse_expr(p)) && (take(p, "then") || fail(p, "expected then")) &&
            (b = parse_expr(p)) && (take(p, "else") || fail(p, "expected else")) &&
            (c = parse_expr(p)) && (choice = make(p, RULE_IF, a, b))) {
            choice->c = c;
            e = choice;
        }
    } else {
        e = parse_chain(p, table, parse_and);
    }
    p->depth--;
    return e;
}

int rule_parse_prefix(struct lw_arena *arena, struct lw_str *text, const struct rule_expr **out,
                      struct lw_err *err)
{
    struct parser p = {.arena = arena, .text = *text, .err = err};
    err->code = 0;
    next(&p);
    *out = parse_expr(&p);
    if (!*out)
        return err->code ? err->code : lw_err_nomem(err);
    *text = lw_str_from(*text, p.begin);
    return 0;
}

int rule_parse(struct lw_arena *arena, struct lw_str text, const struct rule_expr **out,
               struct lw_err *err)
{
    struct lw_str rest = text;
    int rc = rule_parse_prefix(arena, &rest, out, err);
    if (rc == 0 && lw_str_trim(rest).n)
        rc = lw_err_set(err, LW_EINVAL, "unexpected '%.*s'", LW_F(lw_str_part(rest, 0, 30)));
    return rc;
}

/* ---- Statements -------------------------------------------------------------------------- */

static bool take_word(struct lw_str *text, struct lw_str *word)
{
    *text = lw_str_trim(*text);
    size_t n = 0;
    while (n < text->n && text->p[n] != ' ' && text->p[n] != '\n')
        n++;
    *word = lw_str_part(*text, 0, n);
    *text = lw_str_trim(lw_str_from(*text, n));
    return n > 0;
}

/* "… {expr} …" into pieces. */
static int parse_message(struct lw_arena *arena, struct lw_str text, struct rule_statement *out,
                         struct lw_err *err)
{
    struct rule_piece pieces[32];
    uint32_t n = 0;
    while (text.n) {
        if (n + 2 > 32)
            return lw_err_set(err, LW_EINVAL, "too many pieces in a message");
        ptrdiff_t open = lw_str_find_char(text, '{');
        pieces[n++] =
            (struct rule_piece){lw_str_part(text, 0, open < 0 ? text.n : (size_t)open), NULL};
        if (open < 0)
            break;
        text = lw_str_from(text, (size_t)open + 1);
        ptrdiff_t close = lw_str_find_char(text, '}');
        if (close < 0)
            return lw_err_set(err, LW_EINVAL, "'{' without '}' in a message");
        pieces[n] = (struct rule_piece){{NULL, 0}, NULL};
        int rc = rule_parse(arena, lw_str_part(text, 0, (size_t)close), &pieces[n].expr, err);
        if (rc < 0)
            return rc;
        n++;
        text = lw_str_from(text, (size_t)close + 1);
    }
    struct rule_piece *copy = lw_arena_array(arena, n, sizeof *copy);
    if (!copy)
        return lw_err_nomem(err);
    if (n)
        memcpy(copy, pieces, n * sizeof *copy);
    out->message = copy;
    out->piece_count = n;
    return 0;
}

/* need EXPR ! [note|warning|error] id "message" */
static int parse_need(struct lw_arena *arena, struct lw_str text, struct rule_statement *out,
                      struct lw_err *err)
{
    int rc = rule_parse_prefix(arena, &text, &out->expr, err);
    if (rc < 0)
        return rc;
    text = lw_str_trim(text);
    if (!text.n || text.p[0] != '!')
        return lw_err_set(err, LW_EINVAL, "expected '!' and a rule at '%.*s'",
                          LW_F(lw_str_part(text, 0, 30)));
    text = lw_str_from(text, 1);
    struct lw_str word;
    out->severity = LW_SEV_ERROR;
    if (!take_word(&text, &word))
        return lw_err_set(err, LW_EINVAL, "a need must name its rule");
    if (lw_str_eq(word, LW_S("note")) || lw_str_eq(word, LW_S("warning")) ||
        lw_str_eq(word, LW_S("error"))) {
        out->severity = word.p[0] == 'n'   ? LW_SEV_NOTE
                        : word.p[0] == 'w' ? LW_SEV_WARNING
                                           : LW_SEV_ERROR;
        take_word(&text, &word);
    }
    out->id = word;
    if (lw_str_find_char(word, '/') <= 0)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is not a rule 'category/name'", LW_F(word));
    if (text.n < 2 || text.p[0] != '"' || text.p[text.n - 1] != '"')
        return lw_err_set(err, LW_EINVAL, "a need ends with its message in double quotes");
    return parse_message(arena, lw_str_part(text, 1, text.n - 2), out, err);
}

/* is name(args) */
static int parse_is(struct lw_arena *arena, struct lw_str text, struct rule_statement *out,
                    struct lw_err *err)
{
    struct parser p = {.arena = arena, .text = text, .err = err};
    struct rule_expr list = {0};
    bool comma;
    err->code = 0;
    next(&p);
    out->family = p.word;
    if (p.token != T_NAME)
        return lw_err_set(err, LW_EINVAL, "expected the name of a family");
    next(&p);
    if (take(&p, "(") && !parse_items(&p, ")", &list, &comma))
        return err->code ? err->code : lw_err_nomem(err);
    if (p.token != T_END)
        return lw_err_set(err, LW_EINVAL, "unexpected text after the family");
    out->items = list.items;
    out->n = list.n;
    return 0;
}

static const struct {
    const char *word;
    enum rule_kind kind;
} fields[] = {
    {"shape", RULE_SHAPE},   {"dtype", RULE_DTYPE}, {"range", RULE_RANGE},
    {"device", RULE_DEVICE}, {"grad", RULE_GRAD},   {"owner", RULE_OWNER},
    {"return", RULE_RETURN},
};

int rule_parse_statement(struct lw_arena *arena, struct lw_str text, struct rule_statement *out,
                         struct lw_err *err)
{
    struct lw_str word;
    memset(out, 0, sizeof *out);
    if (!take_word(&text, &word))
        return LW_ENOENT;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (lw_str_eq(word, lw_str(fields[i].word))) {
            out->kind = fields[i].kind;
            return rule_parse(arena, text, &out->expr, err);
        }
    }
    if (lw_str_eq(word, LW_S("let"))) {
        out->kind = RULE_LET;
        ptrdiff_t equals = lw_str_find_char(text, '=');
        if (equals <= 0)
            return lw_err_set(err, LW_EINVAL, "expected let NAME = …");
        out->name = lw_str_trim(lw_str_part(text, 0, (size_t)equals));
        return rule_parse(arena, lw_str_from(text, (size_t)equals + 1), &out->expr, err);
    }
    if (lw_str_eq(word, LW_S("relation"))) {
        out->kind = RULE_RELATION;
        take_word(&text, &out->name);
        return rule_parse(arena, text, &out->expr, err);
    }
    if (lw_str_eq(word, LW_S("need"))) {
        out->kind = RULE_NEED;
        return parse_need(arena, text, out, err);
    }
    if (lw_str_eq(word, LW_S("is"))) {
        out->kind = RULE_IS;
        return parse_is(arena, text, out, err);
    }
    return LW_ENOENT;
}
