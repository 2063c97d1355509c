/*
 * The tables of words: reading them, finding their words in a text.
 *
 * Entries with the same first word are a short list, so that each place of a text costs one
 * look into the map and a few comparisons.
 */
#include "report/words.h"

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "report/internal.h"

static const char *const kind_names[REPORT_WORD_KINDS] = {
    "library", "os",      "host",    "gpu",    "cpu",       "model",   "device",     "dtype",
    "dataset", "data",    "setting", "choice", "optimizer", "loss",    "activation", "metric",
    "part",    "counter", "skip",    "layer",  "role",      "shaped",  "range",      "between",
    "place",   "typed",   "numeral", "unset",  "error",     "program", "section"};

enum { FIRST_MAX = 40 }; /* longest first word of an entry */

static bool is_alnum(char c)
{
    return report_is_word(c) && c != '_';
}

static char lower(char c)
{
    return (char)(report_is_upper(c) ? c | 32 : c);
}

bool report_word_begins(struct lw_str text, size_t at)
{
    return is_alnum(text.p[at]) && (at == 0 || !is_alnum(text.p[at - 1]));
}

static size_t first_length(struct lw_str s)
{
    size_t n = 0;
    while (n < s.n && is_alnum(s.p[n]))
        n++;
    return n;
}

static bool kind_of(struct lw_str name, enum report_word_kind *kind)
{
    for (int i = 0; i < REPORT_WORD_KINDS; i++)
        if (lw_str_eq(name, lw_str(kind_names[i]))) {
            *kind = (enum report_word_kind)i;
            return true;
        }
    return false;
}

static bool has_upper(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (report_is_upper(s.p[i]))
            return true;
    return false;
}

/* Puts the entry into its list, behind those that are not shorter. */
static int add_entry(struct report_words *w, struct report_word *entry)
{
    struct lw_str words = entry->words;
    char *key = lw_arena_bytes(&w->arena, first_length(words));
    if (!key)
        return LW_ENOMEM;
    size_t n = first_length(words);
    for (size_t i = 0; i < n; i++)
        key[i] = lower(words.p[i]);
    struct lw_map_entry *e = lw_map_put(&w->first, lw_str_n(key, n), NULL);
    if (!e)
        return LW_ENOMEM;
    struct report_word *list = (struct report_word *)(uintptr_t)e->value, **at = &list;
    while (*at && (*at)->words.n >= words.n)
        at = &(*at)->other;
    entry->other = *at;
    *at = entry;
    e->value = (uint64_t)(uintptr_t)list;
    return 0;
}

/* One line of a table; `*kind` is that of the line before and becomes its own. The tables have
 * no quoted fields; a test looks. */
static int add_row(struct report_words *w, struct lw_str path, struct lw_str line,
                   enum report_word_kind *kind, struct lw_err *err)
{
    struct lw_str field[4] = {{0}};
    struct lw_str rest = line;
    for (size_t i = 0; i < 4 && lw_str_split(&rest, ',', &field[i]); i++)
        ;
    struct report_word *entry = lw_arena_alloc(&w->arena, sizeof *entry);
    if (!entry)
        return lw_err_nomem(err);
    size_t first = first_length(field[1]);
    if (!lw_str_eq(field[0], lw_str(kind_names[*kind])) && !kind_of(field[0], kind))
        first = 0;
    entry->kind = *kind;
    if (!first || first > FIRST_MAX)
        return lw_err_set(err, LW_EBUG, "%.*s: bad row: %.*s", LW_F(path), LW_F(line));
    entry->words = field[1];
    entry->name = field[2];
    entry->more = field[3];
    entry->exact = has_upper(field[1]);
    return add_entry(w, entry) < 0 ? lw_err_nomem(err) : 0;
}

int report_words_load(struct report_words *w, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_str path, content, line, prefix = LW_S("data/report/");
    enum report_word_kind kind = REPORT_WORD_LIBRARY; /* rows of a kind stand together */
    lw_arena_init(&w->arena, mem, 0);
    lw_map_init(&w->first, mem);
    for (size_t i = lw_embedded_first(prefix);
         lw_embedded_at(i, &path, &content) && lw_str_has_prefix(path, prefix); i++) {
        (void)lw_str_line(&content, &line); /* the header */
        while (lw_str_line(&content, &line)) {
            int rc = line.n ? add_row(w, path, line, &kind, err) : 0;
            if (rc < 0) {
                report_words_release(w);
                return rc;
            }
        }
    }
    return 0;
}

void report_words_release(struct report_words *w)
{
    lw_map_release(&w->first);
    lw_arena_release(&w->arena);
}

/* The length that the entry takes of `s`, 0 when it does not stand there. */
static size_t match(const struct report_word *e, struct lw_str s)
{
    if (s.n < e->words.n)
        return 0;
    for (size_t i = 0; i < e->words.n; i++) {
        char want = e->words.p[i], is = s.p[i];
        bool same = want == ' ' ? is == ' ' || is == '_' || is == '-' || is == '.' || is == '/'
                                : want == is || (!e->exact && want == lower(is));
        if (!same)
            return 0;
    }
    if (e->words.n < s.n && is_alnum(e->words.p[e->words.n - 1]) && is_alnum(s.p[e->words.n]))
        return 0;
    return e->words.n;
}

static const struct report_word *first_match(const struct report_word *x, struct lw_str s,
                                             uint64_t kinds, size_t *n)
{
    for (; x; x = x->other) {
        *n = kinds & report_word_bit(x->kind) ? match(x, s) : 0;
        if (*n)
            return x;
    }
    return NULL;
}

const struct report_word *report_words_at(const struct report_words *w, struct lw_str text,
                                          size_t at, uint64_t kinds, size_t *n)
{
    char key[FIRST_MAX];
    struct lw_str s = lw_str_from(text, at);
    size_t first = 0;
    while (first < s.n && is_alnum(s.p[first])) {
        if (first == FIRST_MAX)
            return NULL;
        key[first] = lower(s.p[first]);
        first++;
    }
    const struct lw_map_entry *e = first ? lw_map_find(&w->first, lw_str_n(key, first)) : NULL;
    return e ? first_match((const void *)(uintptr_t)e->value, s, kinds, n) : NULL;
}

const struct report_word *report_words_other(const struct report_word *word, struct lw_str text,
                                             size_t at, uint64_t kinds, size_t *n)
{
    return first_match(word->other, lw_str_from(text, at), kinds, n);
}
