#include "reproduce/indent.h"

#include "base/str.h"

enum { DEPTH_MAX = 32, STEP = 4 };

/* A header whose block is open. */
struct opener {
    size_t indent; /* as written */
    size_t depth;  /* as it should be */
    bool flat;     /* its block stands level with it, or before it */
    struct lw_str line;
};

struct state {
    struct opener open[DEPTH_MAX];
    size_t n;
    int brackets; /* open at the end of the line before */
    bool triple;  /* inside a string of several lines */
    char quote;   /* its quote */
    size_t moved; /* columns by which the line before moved, for what continues it */
    size_t from;
    bool blank;         /* the line before was blank */
    struct lw_str last; /* line that is not blank */
};

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

static bool begins(struct lw_str line, const char *word)
{
    struct lw_str w = lw_str(word);
    return lw_str_has_prefix(line, w) && (line.n == w.n || !is_word_char(line.p[w.n]));
}

static bool begins_any(struct lw_str line, const char *const *words)
{
    for (; *words; words++)
        if (begins(line, *words))
            return true;
    return false;
}

static size_t columns(struct lw_str line, size_t *bytes)
{
    size_t n = 0, i = 0;
    for (; i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'); i++)
        n = line.p[i] == '\t' ? (n / 8 + 1) * 8 : n + 1;
    *bytes = i;
    return n;
}

/* Counts brackets and strings of the line; returns the last byte that is code, or 0. */
static char scan(struct state *s, struct lw_str line)
{
    char last = 0;
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        bool three = i + 2 < line.n && line.p[i + 1] == c && line.p[i + 2] == c;
        if (s->triple) {
            if (c == s->quote && three)
                s->triple = false, i += 2;
            last = c;
            continue;
        }
        if (c == '#')
            break;
        if ((c == '"' || c == '\'') && three) {
            s->triple = true, s->quote = c, i += 2;
        } else if (c == '"' || c == '\'') {
            for (i++; i < line.n && line.p[i] != c; i++)
                i += line.p[i] == '\\';
        } else if (c == '(' || c == '[' || c == '{') {
            s->brackets++;
        } else if ((c == ')' || c == ']' || c == '}') && s->brackets > 0) {
            s->brackets--;
        }
        if (c != ' ' && c != '\t')
            last = c;
    }
    return last;
}

static bool opens_block(struct lw_str line, char last)
{
    static const char *const words[] = {"def",   "class",  "for", "while", "if",
                                        "elif",  "else",   "try", "with",  "finally",
                                        "async", "except", NULL};
    return last == ':' && begins_any(line, words);
}

/* Is the name that the header binds in the line? "for x, y in loader:" binds x and y. */
static bool mentions_target(struct lw_str header, struct lw_str line)
{
    struct lw_str rest = lw_str_from(header, sizeof "for " - 1);
    ptrdiff_t in = lw_str_find(rest, LW_S(" in "));
    if (in < 0)
        return true;
    rest.n = (size_t)in;
    struct lw_str name;
    while (lw_str_split(&rest, ',', &name)) {
        name = lw_str_trim(name);
        for (size_t i = 0; name.n && i + name.n <= line.n; i++)
            if (lw_str_eq(lw_str_part(line, i, name.n), name) &&
                (i == 0 || !is_word_char(line.p[i - 1])) &&
                (i + name.n == line.n || !is_word_char(line.p[i + name.n])))
                return true;
    }
    return false;
}

static bool has_self(struct lw_str line)
{
    return lw_str_find(line, LW_S("(self")) >= 0 || lw_str_find(line, LW_S("(cls")) >= 0;
}

/* Does the header belong to the clause, as `if` does to `else`? */
static bool takes_clause(struct lw_str header, struct lw_str line)
{
    static const char *const looping[] = {"if", "elif", "for", "while", "try", "except", NULL};
    if (begins(line, "except") || begins(line, "finally"))
        return begins(header, "try") || begins(header, "except");
    return begins_any(header, looping);
}

static bool is_clause(struct lw_str line)
{
    static const char *const words[] = {"else", "elif", "except", "finally", NULL};
    return begins_any(line, words);
}

static bool ends_block(struct lw_str line)
{
    static const char *const words[] = {"return", "break", "continue", "raise", NULL};
    return begins_any(line, words);
}

/* Of a flat block: does the line stand behind it? */
static bool closes_flat(const struct state *s, const struct opener *o, struct lw_str line)
{
    bool in_class = begins(o->line, "class");
    if (is_clause(line))
        return takes_clause(o->line, line);
    if (begins(line, "class"))
        return true;
    if (begins(line, "def") || begins(line, "async def") || line.p[0] == '@')
        return !in_class || (line.p[0] != '@' && !has_self(line));
    if (s->blank && lw_str_find(line, LW_S("self.")) < 0)
        return true;
    if (in_class)
        return begins(s->open[s->n - 1].line, "class") && ends_block(s->last);
    if (ends_block(s->last))
        return true;
    return begins(o->line, "for") && begins(line, "print") && s->n > 1 &&
           begins(s->open[s->n - 2].line, "for") && !mentions_target(o->line, line);
}

static bool closes(const struct state *s, const struct opener *o, size_t indent,
                   struct lw_str line)
{
    if (!o->flat)
        return indent <= o->indent;
    return indent < o->indent || (indent == o->indent && closes_flat(s, o, line));
}

/* Closes the blocks that the line stands behind; the depth that it has. */
static size_t depth_of(struct state *s, size_t indent, struct lw_str line)
{
    bool popped = false;
    while (s->n > 0 && closes(s, &s->open[s->n - 1], indent, line)) {
        size_t depth = s->open[--s->n].depth;
        bool own = is_clause(line) && takes_clause(s->open[s->n].line, line);
        if (own)
            return depth;
        /* One `return` ends one block; what holds that block goes on, unless it is a class. */
        if (s->open[s->n].flat && ends_block(s->last) && !popped && !s->blank &&
            !begins(line, "class") && !begins(line, "def"))
            s->last = LW_S("");
        popped = true;
    }
    if (s->n > 0 && begins(s->open[s->n - 1].line, "class") && s->open[s->n - 1].flat &&
        popped && !begins(line, "def") && !begins(line, "async def") && line.p[0] != '@')
        s->n = 0; /* a statement behind the last method of a flattened class */
    return s->n > 0 ? s->open[s->n - 1].depth + STEP : 0;
}

/* The indentation of the next line that has any text. */
static size_t next_indent(struct lw_str rest, bool *is_def)
{
    struct lw_str line;
    size_t bytes;
    while (lw_str_line(&rest, &line)) {
        size_t n = columns(line, &bytes);
        if (bytes < line.n && line.p[bytes] != '#') {
            struct lw_str code = lw_str_from(line, bytes);
            *is_def = begins(code, "def") || begins(code, "class");
            return n;
        }
    }
    *is_def = false;
    return 0;
}

static void push(struct state *s, size_t indent, size_t depth, struct lw_str line,
                 struct lw_str rest)
{
    bool is_def;
    if (s->n == DEPTH_MAX)
        return;
    bool flat = next_indent(rest, &is_def) <= indent;
    s->open[s->n++] = (struct opener){indent, depth, flat, line};
}

void rp_indent(struct lw_buf *out, struct lw_str text)
{
    struct state s = {0};
    struct lw_str line, rest = text;
    while (lw_str_line(&rest, &line)) {
        size_t bytes, indent = columns(line, &bytes);
        struct lw_str code = lw_str_from(line, bytes);
        if (s.brackets > 0 || s.triple) { /* moves with the line that it continues */
            size_t at = indent + s.moved > s.from ? indent + s.moved - s.from : 0;
            lw_buf_fill(out, ' ', s.triple ? indent : at);
            scan(&s, code);
        } else if (code.n == 0) {
            s.blank = true;
        } else {
            size_t depth = depth_of(&s, indent, code);
            lw_buf_fill(out, ' ', depth);
            s.moved = depth, s.from = indent;
            if (code.p[0] != '#')
                s.blank = false, s.last = code;
            if (opens_block(code, scan(&s, code)) && s.brackets == 0)
                push(&s, indent, depth, code, rest);
        }
        lw_buf_add(out, code);
        lw_buf_add_char(out, '\n');
    }
}
