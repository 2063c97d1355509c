#include "locate/language.h"

#include <string.h>

#include "base/err.h"
#include "base/ini.h"
#include "base/path.h"
#include "base/str.h"
#include "knowledge/embedded.h"

/* ---- The table --------------------------------------------------------------------------- */

static int split_words(struct lw_arena *arena, struct lw_str text, struct lw_words_list *out)
{
    struct lw_str rest = text, word;
    size_t n = 0;
    while (lw_str_split(&rest, ' ', &word))
        n += word.n > 0;
    struct lw_str *v = lw_arena_array(arena, n + 1, sizeof *v);
    if (!v)
        return LW_ENOMEM;
    *out = (struct lw_words_list){v, n};
    for (rest = text; lw_str_split(&rest, ' ', &word);)
        if (word.n)
            *v++ = word;
    return 0;
}

/* "/" and "*" marks: open close open close … */
static int split_blocks(struct lw_arena *arena, struct lw_str text, struct lw_language *l)
{
    struct lw_words_list all;
    if (split_words(arena, text, &all) < 0)
        return LW_ENOMEM;
    size_t n = all.n / 2;
    struct lw_str *open = lw_arena_array(arena, n + 1, sizeof *open);
    struct lw_str *close = lw_arena_array(arena, n + 1, sizeof *close);
    if (!open || !close)
        return LW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        open[i] = all.v[2 * i];
        close[i] = all.v[2 * i + 1];
    }
    l->block_open = (struct lw_words_list){open, n};
    l->block_close = (struct lw_words_list){close, n};
    return 0;
}

static int read_entry(struct lw_arena *arena, struct lw_language *l,
                      const struct lw_ini_entry *e)
{
    const struct {
        const char *key;
        struct lw_words_list *list;
    } lists[] = {
        {"extensions", &l->extensions}, {"line-comment", &l->line_comments},
        {"class", &l->class_words},     {"function", &l->function_words},
        {"import", &l->import_words},   {"keywords", &l->keywords},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lw_str_eq(e->key, lw_str(lists[i].key)))
            return split_words(arena, e->value, lists[i].list);
    if (lw_str_eq(e->key, LW_S("block-comment")))
        return split_blocks(arena, e->value, l);
    if (lw_str_eq(e->key, LW_S("quotes")))
        l->quotes = e->value;
    return 0;
}

static int fill(struct lw_languages *l, const struct lw_ini *ini)
{
    struct lw_str section = {0};
    for (size_t i = 0; i < ini->n; i++) {
        const struct lw_ini_entry *e = &ini->entries[i];
        if (!lw_str_eq(section, e->section)) {
            section = e->section;
            l->v[l->n++] = (struct lw_language){
                .name = section, .is_python = lw_str_eq(section, LW_S("python"))};
        }
        if (read_entry(&l->arena, &l->v[l->n - 1], e) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

int lw_languages_load(struct lw_languages *l, struct lw_mem *mem, struct lw_err *err)
{
    static const char path[] = "data/locate/languages.ini";
    struct lw_str text;
    struct lw_ini ini;
    memset(l, 0, sizeof *l);
    lw_arena_init(&l->arena, mem, 0);
    if (!lw_embedded_find(lw_str(path), &text))
        return lw_err_set(err, LW_EBUG, "the table of languages is not in the program");
    int rc = lw_ini_parse(&ini, &l->arena, lw_str(path), text, err);
    if (rc < 0)
        return rc;
    l->v = lw_arena_array(&l->arena, ini.n, sizeof *l->v);
    return !l->v || fill(l, &ini) < 0 ? lw_err_nomem(err) : 0;
}

void lw_languages_release(struct lw_languages *l)
{
    lw_arena_release(&l->arena);
}

const struct lw_language *lw_language_find(const struct lw_languages *l, struct lw_str name)
{
    for (size_t i = 0; i < l->n; i++)
        if (lw_str_eq(l->v[i].name, name))
            return &l->v[i];
    return NULL;
}

static bool is_in(const struct lw_words_list *list, struct lw_str word)
{
    for (size_t i = 0; i < list->n; i++)
        if (lw_str_eq(list->v[i], word))
            return true;
    return false;
}

const struct lw_language *lw_language_of(const struct lw_languages *l, struct lw_str path)
{
    struct lw_str extension = lw_path_extension(path);
    for (size_t i = 0; i < l->n; i++)
        if (is_in(&l->v[i].extensions, extension))
            return &l->v[i];
    return NULL;
}

bool lw_path_is_test(struct lw_str path)
{
    for (size_t i = 0; i + 4 <= path.n; i++)
        if ((path.p[i] | 32) == 't' && lw_str_eq_nocase(lw_str_part(path, i, 4), LW_S("test")))
            return true;
    return false;
}

/* ---- The light scan ---------------------------------------------------------------------- */

void lw_scan_init(struct lw_scan *s, const struct lw_language *language, struct lw_str text)
{
    *s = (struct lw_scan){.language = language, .text = text};
}

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 128;
}

static bool is_word(char c)
{
    return is_word_start(c) || (c >= '0' && c <= '9');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool starts(struct lw_str text, size_t at, struct lw_str with)
{
    return with.n && lw_str_has_prefix(lw_str_from(text, at), with);
}

static size_t line_end(struct lw_str text, size_t at)
{
    ptrdiff_t n = lw_str_find_char(lw_str_from(text, at), '\n');
    return n < 0 ? text.n : at + (size_t)n;
}

static struct lw_scanned piece(struct lw_scan *s, enum lw_scan_kind kind, size_t start,
                               size_t end, struct lw_str text)
{
    s->at = end;
    return (struct lw_scanned){kind, (uint32_t)start, (uint32_t)end, (uint32_t)end, text};
}

/* A comment at `at`, or kind LW_SCAN_END. */
static struct lw_scanned comment_at(struct lw_scan *s, size_t at)
{
    const struct lw_language *l = s->language;
    for (size_t i = 0; i < l->line_comments.n; i++)
        if (starts(s->text, at, l->line_comments.v[i])) {
            size_t from = at + l->line_comments.v[i].n, end = line_end(s->text, at);
            return piece(s, LW_SCAN_COMMENT, at, end, lw_str_part(s->text, from, end - from));
        }
    for (size_t i = 0; i < l->block_open.n; i++)
        if (starts(s->text, at, l->block_open.v[i])) {
            size_t from = at + l->block_open.v[i].n;
            ptrdiff_t n = lw_str_find(lw_str_from(s->text, from), l->block_close.v[i]);
            size_t close = n < 0 ? s->text.n : from + (size_t)n;
            size_t end = n < 0 ? close : close + l->block_close.v[i].n;
            return piece(s, LW_SCAN_COMMENT, at, end, lw_str_part(s->text, from, close - from));
        }
    return (struct lw_scanned){.kind = LW_SCAN_END};
}

/* Behind the string that begins at `at`. One that is not closed ends with its line, unless
 * lines are allowed in it (a back quote). */
static size_t string_end(struct lw_str text, size_t at)
{
    char quote = text.p[at];
    for (at++; at < text.n; at++) {
        if (text.p[at] == '\\')
            at++;
        else if (text.p[at] == quote)
            return at + 1;
        else if (text.p[at] == '\n' && quote != '`')
            return at;
    }
    return text.n;
}

/* Over blanks, comments and strings; `at` of something else. Bounded by `limit` bytes, since
 * what follows a name is looked at for every name. */
static size_t skip_blanks(struct lw_str text, size_t at, size_t limit)
{
    while (at < text.n && limit-- && is_blank(text.p[at]))
        at++;
    return at;
}

/* Behind the bracket that closes the one at `at`; `most` bytes are looked at. */
static size_t closing(const struct lw_scan *s, size_t at, size_t most)
{
    struct lw_scan inner = *s;
    size_t depth = 0, end = s->text.n - at < most ? s->text.n : at + most;
    for (inner.at = at; inner.at < end;) {
        char c = s->text.p[inner.at];
        if (comment_at(&inner, inner.at).kind != LW_SCAN_END)
            continue;
        if (lw_str_find_char(s->language->quotes, c) >= 0) {
            inner.at = string_end(s->text, inner.at);
            continue;
        }
        depth += c == '(' || c == '{' || c == '[';
        if ((c == ')' || c == '}' || c == ']') && --depth == 0)
            return inner.at + 1;
        inner.at++;
    }
    return end;
}

enum { MAX_HEAD = 4000, MAX_BETWEEN = 200 };

/* Where the block of a definition whose name ends at `at` begins: behind parameters, base
 * classes, qualifiers and initialisers, before anything that ends a statement. SIZE_MAX: none.
 */
static size_t block_after(const struct lw_scan *s, size_t at, bool needs_params)
{
    size_t end = at + MAX_HEAD < s->text.n ? at + MAX_HEAD : s->text.n;
    at = skip_blanks(s->text, at, MAX_BETWEEN);
    if (needs_params) {
        if (at >= end || s->text.p[at] != '(')
            return SIZE_MAX;
        at = closing(s, at, MAX_HEAD);
    }
    for (; at < end; at++) {
        char c = s->text.p[at];
        if (c == '{')
            return at;
        if (c == '(' || c == '[')
            at = closing(s, at, MAX_HEAD) - 1;
        else if (!is_word(c) && !is_blank(c) && !strchr(":,<>&*-=.", c))
            return SIZE_MAX;
        else if (needs_params && (c == ',' || c == '.' ||
                                  (c == '=' && s->text.p[at + 1 < end ? at + 1 : at] != '>')))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

enum { MAX_BLOCK = 4 << 20 };

static struct lw_scanned definition(struct lw_scan *s, enum lw_scan_kind kind, size_t start,
                                    size_t end, size_t block)
{
    struct lw_scanned p = piece(s, kind, start, end, lw_str_part(s->text, start, end - start));
    if (block != SIZE_MAX)
        p.block_end = (uint32_t)closing(s, block, MAX_BLOCK);
    return p;
}

static struct lw_scanned import_line(struct lw_scan *s, size_t start, size_t end)
{
    size_t last = line_end(s->text, end);
    struct lw_str text = lw_str_trim(lw_str_part(s->text, end, last - end));
    while (text.n && strchr(";\"'<>", text.p[text.n - 1]))
        text.n--;
    while (text.n && strchr("\"'<>", text.p[0]))
        text = lw_str_from(text, 1);
    return piece(s, LW_SCAN_IMPORT, start, last, text);
}

static struct lw_scanned word_at(struct lw_scan *s, size_t start)
{
    const struct lw_language *l = s->language;
    size_t end = start + 1;
    while (end < s->text.n && is_word(s->text.p[end]))
        end++;
    struct lw_str word = lw_str_part(s->text, start, end - start);
    bool of_class = s->after_class, of_function = s->after_function;
    s->after_class = is_in(&l->class_words, word);
    s->after_function = is_in(&l->function_words, word);
    if (is_in(&l->import_words, word))
        return import_line(s, start, end);
    if (is_in(&l->keywords, word))
        return piece(s, LW_SCAN_END, start, end, word); /* nothing: the caller goes on */
    if (of_class)
        return definition(s, LW_SCAN_CLASS, start, end, block_after(s, end, false));
    size_t block = block_after(s, end, true);
    if (of_function || block != SIZE_MAX)
        return definition(s, LW_SCAN_FUNCTION, start, end, block);
    return piece(s, LW_SCAN_NAME, start, end, word);
}

struct lw_scanned lw_scan_next(struct lw_scan *s)
{
    while (s->at < s->text.n) {
        char c = s->text.p[s->at];
        struct lw_scanned p = comment_at(s, s->at);
        if (p.kind != LW_SCAN_END)
            return p;
        if (lw_str_find_char(s->language->quotes, c) >= 0) {
            size_t end = string_end(s->text, s->at), from = s->at + 1;
            return piece(s, LW_SCAN_STRING, s->at, end,
                         lw_str_part(s->text, from, end > from ? end - from - 1 : 0));
        }
        if (is_word_start(c) || c == '#' || c == '@') {
            p = word_at(s, s->at);
            if (p.kind != LW_SCAN_END)
                return p;
            continue;
        }
        if (c == ';' || c == '{' || c == '}')
            s->after_class = s->after_function = false;
        s->at++;
        while (s->at < s->text.n && c >= '0' && c <= '9' && is_word(s->text.p[s->at]))
            s->at++;
    }
    return (struct lw_scanned){.kind = LW_SCAN_END, .start = (uint32_t)s->text.n};
}
