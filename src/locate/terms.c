#include "locate/terms.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/stem.h"

enum { MAX_IDENT = 256 }; /* longer ones (encoded data) are cut */

/* ---- Stop words -------------------------------------------------------------------------- */

int lw_stopwords_load(struct lw_stopwords *s, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_str text, line, word;
    lw_map_init(&s->words, mem);
    if (!lw_embedded_find(LW_S("data/locate/stopwords.txt"), &text))
        return lw_err_set(err, LW_EBUG, "the table of stop words is not in the program");
    while (lw_str_line(&text, &line)) {
        if (line.n && line.p[0] == '#')
            continue;
        while (lw_str_split(&line, ' ', &word))
            if (word.n && !lw_map_put(&s->words, word, NULL))
                return lw_err_nomem(err);
    }
    return 0;
}

void lw_stopwords_release(struct lw_stopwords *s)
{
    lw_map_release(&s->words);
}

bool lw_is_stopword(const struct lw_stopwords *s, struct lw_str lower)
{
    return lw_map_find(&s->words, lower) != NULL;
}

/* ---- Letters ----------------------------------------------------------------------------- */

enum {
    SMALL = 1,
    CAPITAL = 2,
    DIGIT = 4,
    UNDERSCORE = 8,
    START = SMALL | CAPITAL | UNDERSCORE
};

static const uint8_t letters[256] = {
    ['a' ... 'z'] = SMALL, ['A' ... 'Z'] = CAPITAL, ['0' ... '9'] = DIGIT, ['_'] = UNDERSCORE};

static uint8_t letter(char c)
{
    return letters[(unsigned char)c];
}

static char lower(char c)
{
    return letter(c) == CAPITAL ? (char)(c - 'A' + 'a') : c;
}

static size_t run_of(struct lw_str word, size_t at, uint8_t kind)
{
    size_t n = 0;
    while (at + n < word.n && letter(word.p[at + n]) == kind)
        n++;
    return n;
}

/* The length of the part that begins at `at`, 0 when none does: capitals up to the one that
 * begins the next word, or small letters with at most one capital before them. */
static size_t part_at(struct lw_str word, size_t at)
{
    size_t capitals = run_of(word, at, CAPITAL);
    size_t small = run_of(word, at + capitals, SMALL);
    if (capitals > 1 && small > 0)
        return capitals - 1;
    return capitals + small;
}

/* ---- Words ------------------------------------------------------------------------------- */

void lw_words_init(struct lw_words *w, struct lw_mem *mem, const struct lw_stopwords *stop)
{
    memset(w, 0, sizeof *w);
    w->mem = mem;
    w->stop = stop;
    lw_arena_init(&w->arena, mem, 0);
    lw_map_init(&w->idents, mem);
    lw_map_init(&w->terms, mem);
}

void lw_words_release(struct lw_words *w)
{
    lw_map_release(&w->idents);
    lw_map_release(&w->terms);
    lw_vec_release(w->mem, &w->expansion);
    lw_vec_release(w->mem, &w->expansion_end);
    lw_vec_release(w->mem, &w->ident_count);
    lw_vec_release(w->mem, &w->touched);
    lw_vec_release(w->mem, &w->term_count);
    lw_arena_release(&w->arena);
}

static void fail(struct lw_words *w)
{
    w->failed = LW_ENOMEM;
}

/* The number of `key`, with a copy of its text when it is new. */
static struct lw_map_entry *intern(struct lw_words *w, struct lw_map *map, struct lw_str key,
                                   bool *is_new)
{
    struct lw_map_entry *e = lw_map_put(map, key, is_new);
    if (e && *is_new) {
        e->key = lw_arena_copy(&w->arena, key);
        e->value = map->n - 1;
        if (!e->key.p)
            return NULL;
    }
    return e;
}

static void add_term(struct lw_words *w, const char *text, size_t n)
{
    bool is_new;
    struct lw_map_entry *e = intern(w, &w->terms, lw_str_n(text, n), &is_new);
    if (!e || (is_new && lw_vec_push(w->mem, &w->term_count, 0) < 0) ||
        lw_vec_push(w->mem, &w->expansion, (uint32_t)e->value) < 0)
        fail(w);
}

/* Adds the terms of the identifier to `expansion`. */
static void expand(struct lw_words *w, struct lw_str word)
{
    char text[MAX_IDENT + 2];
    size_t parts = 0;
    for (size_t at = 0; at < word.n;) {
        size_t n = part_at(word, at);
        for (size_t i = 0; i < n; i++)
            text[i] = lower(word.p[at + i]);
        parts += n > 0;
        if (n > 1 && !lw_is_stopword(w->stop, lw_str_n(text, n)))
            add_term(w, text, lw_stem(text, n));
        at += n ? n : 1;
    }
    for (size_t i = 0; i < word.n; i++)
        text[i + 1] = lower(word.p[i]);
    if (parts < 2 || lw_is_stopword(w->stop, lw_str_n(text + 1, word.n)))
        return;
    size_t first = 1, end = word.n + 1;
    while (first < end && text[first] == '_')
        first++;
    while (end > first && text[end - 1] == '_')
        end--;
    text[first - 1] = '=';
    add_term(w, text + first - 1, end - first + 1);
}

void lw_words_add(struct lw_words *w, struct lw_str ident)
{
    bool is_new;
    if (w->failed)
        return;
    ident = lw_str_part(ident, 0, MAX_IDENT);
    struct lw_map_entry *e = intern(w, &w->idents, ident, &is_new);
    if (!e) {
        fail(w);
        return;
    }
    uint32_t number = (uint32_t)e->value;
    if (is_new) {
        expand(w, ident);
        if (lw_vec_push(w->mem, &w->expansion_end, (uint32_t)w->expansion.n) < 0 ||
            lw_vec_push(w->mem, &w->ident_count, 0) < 0)
            fail(w);
    }
    if (w->failed)
        return;
    if (w->ident_count.v[number]++ == 0 && lw_vec_push(w->mem, &w->touched, number) < 0)
        fail(w);
}

void lw_words_add_text(struct lw_words *w, struct lw_str text)
{
    size_t at = 0;
    while (at < text.n && !w->failed) {
        while (at < text.n && !(letter(text.p[at]) & START))
            at++;
        size_t start = at;
        while (at < text.n && letter(text.p[at]))
            at++;
        if (at > start)
            lw_words_add(w, lw_str_n(text.p + start, at - start));
    }
}

int lw_words_peek_idents(struct lw_words *w, struct lw_mem *mem, lw_counts *out)
{
    for (size_t i = 0; i < w->touched.n; i++) {
        struct lw_count c = {w->touched.v[i], w->ident_count.v[w->touched.v[i]]};
        if (lw_vec_push(mem, out, c) < 0)
            return LW_ENOMEM;
    }
    return w->failed;
}

static int count_term(struct lw_words *w, struct lw_mem *mem, lw_counts *out, uint32_t term,
                      uint32_t n)
{
    struct lw_count first = {term, 0};
    if (w->term_count.v[term] == 0 && lw_vec_push(mem, out, first) < 0)
        return LW_ENOMEM;
    w->term_count.v[term] += n;
    return 0;
}

int lw_words_take(struct lw_words *w, struct lw_mem *mem, lw_counts *out, uint64_t *length)
{
    size_t from = out->n;
    int rc = w->failed;
    for (size_t i = 0; i < w->touched.n && rc == 0; i++) {
        uint32_t ident = w->touched.v[i];
        uint32_t at = ident ? w->expansion_end.v[ident - 1] : 0;
        for (; at < w->expansion_end.v[ident] && rc == 0; at++)
            rc = count_term(w, mem, out, w->expansion.v[at], w->ident_count.v[ident]);
        w->ident_count.v[ident] = 0;
    }
    w->touched.n = 0;
    *length = 0;
    for (size_t i = from; i < out->n; i++) {
        uint32_t *count = &w->term_count.v[out->v[i].term];
        out->v[i].count = *count;
        *length += *count;
        *count = 0;
    }
    if (rc < 0)
        w->failed = rc;
    return rc;
}
