#include "locate/terms.h"

#include <endian.h>
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
    lw_map_init(&w->terms, mem);
    lw_map_init(&w->parts, mem);
}

void lw_words_release(struct lw_words *w)
{
    lw_mem_free(w->mem, w->slots, w->slot_count * sizeof *w->slots);
    lw_vec_release(w->mem, &w->idents);
    lw_map_release(&w->terms);
    lw_map_release(&w->parts);
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

/* The number of a term; UINT32_MAX when memory ran out. */
static uint32_t term_number(struct lw_words *w, const char *text, size_t n)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&w->terms, lw_str_n(text, n), &is_new);
    if (e && is_new) {
        e->key = lw_arena_copy(&w->arena, e->key);
        e->value = w->terms.n - 1;
    }
    if (!e || !e->key.p || (is_new && lw_vec_push(w->mem, &w->term_count, 0) < 0)) {
        fail(w);
        return UINT32_MAX;
    }
    return (uint32_t)e->value;
}

static void add_term(struct lw_words *w, uint32_t term)
{
    if (term != UINT32_MAX && lw_vec_push(w->mem, &w->expansion, term) < 0)
        fail(w);
}

/* The term of a part in small letters; stemming and looking for stop words is done once. */
static uint32_t part_term(struct lw_words *w, char *part, size_t n)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&w->parts, lw_str_n(part, n), &is_new);
    if (e && is_new) {
        e->key = lw_arena_copy(&w->arena, e->key);
        e->value = UINT32_MAX;
        if (e->key.p && !lw_is_stopword(w->stop, e->key))
            e->value = term_number(w, part, lw_stem(part, n));
    }
    if (!e || !e->key.p) {
        fail(w);
        return UINT32_MAX;
    }
    return (uint32_t)e->value;
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
        if (n > 1)
            add_term(w, part_term(w, text, n));
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
    add_term(w, term_number(w, text + first - 1, end - first + 1));
}

/* ---- The table of identifiers ------------------------------------------------------------ */

static uint64_t eight(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return le64toh(x);
}

/* The slot that an identifier belongs into, without its number. `roomy`: 16 bytes can be read
 * wherever it ends. */
static struct lw_word_slot slot_for(struct lw_str text, bool roomy)
{
    struct lw_word_slot s = {.size = (uint32_t)text.n};
    if (text.n > 16) {
        s.first = eight(text.p);
        s.last = eight(text.p + text.n - 8);
        return s;
    }
    char copy[16] = {0};
    if (!roomy) {
        memcpy(copy, text.p, text.n);
        text.p = copy;
    }
    /* Bytes behind the identifier are the high ones of little-endian words. */
    size_t first = text.n < 8 ? text.n : 8, last = text.n - first;
    s.first = eight(text.p) << (64 - 8 * first);
    s.last = last ? eight(text.p + 8) << (64 - 8 * last) : 0;
    return s;
}

static size_t hash_of(const struct lw_word_slot *s)
{
    uint64_t h = (s->first ^ 0xa0761d6478bd642fU) * 0xe7037ed1a0b428dbU;
    h ^= (s->last + s->size) * 0x8ebc6af09c88c6e3U;
    return (size_t)(h ^ h >> 32 ^ h >> 17);
}

/* At most half full. */
static bool grow_slots(struct lw_words *w)
{
    size_t count = w->slot_count ? w->slot_count * 2 : 4096;
    struct lw_word_slot *slots = lw_mem_alloc(w->mem, count * sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < w->slot_count; i++) {
        size_t at = hash_of(&w->slots[i]) & (count - 1);
        if (!w->slots[i].ident)
            continue;
        while (slots[at].ident)
            at = (at + 1) & (count - 1);
        slots[at] = w->slots[i];
    }
    lw_mem_free(w->mem, w->slots, w->slot_count * sizeof *w->slots);
    w->slots = slots;
    w->slot_count = count;
    return true;
}

/* The number of a new identifier, which the slot gets. */
static uint32_t add_ident(struct lw_words *w, struct lw_word_slot *slot,
                          const struct lw_word_slot *filled, struct lw_str text)
{
    uint32_t number = (uint32_t)w->idents.n;
    struct lw_str copy = lw_arena_copy(&w->arena, text);
    expand(w, text);
    if (!copy.p || w->failed || lw_vec_push(w->mem, &w->idents, copy) < 0 ||
        lw_vec_push(w->mem, &w->expansion_end, (uint32_t)w->expansion.n) < 0 ||
        lw_vec_push(w->mem, &w->ident_count, 0) < 0) {
        fail(w);
        return UINT32_MAX;
    }
    *slot = *filled;
    slot->ident = number + 1;
    return number;
}

static uint32_t ident_number(struct lw_words *w, struct lw_str text, bool roomy)
{
    if (w->idents.n * 2 >= w->slot_count && !grow_slots(w)) {
        fail(w);
        return UINT32_MAX;
    }
    struct lw_word_slot wanted = slot_for(text, roomy);
    size_t at = hash_of(&wanted) & (w->slot_count - 1);
    for (; w->slots[at].ident; at = (at + 1) & (w->slot_count - 1)) {
        const struct lw_word_slot *s = &w->slots[at];
        if (s->first == wanted.first && s->last == wanted.last && s->size == wanted.size &&
            (text.n <= 16 || memcmp(w->idents.v[s->ident - 1].p, text.p, text.n) == 0))
            return s->ident - 1;
    }
    return add_ident(w, &w->slots[at], &wanted, text);
}

void lw_words_add_number(struct lw_words *w, uint32_t ident)
{
    if (w->ident_count.v[ident]++ == 0 && lw_vec_push(w->mem, &w->touched, ident) < 0)
        fail(w);
}

void lw_words_add(struct lw_words *w, struct lw_str ident)
{
    if (w->failed || !ident.n)
        return;
    uint32_t number = ident_number(w, lw_str_part(ident, 0, MAX_IDENT), false);
    if (number != UINT32_MAX)
        lw_words_add_number(w, number);
}

/* The next identifier from `*at` on; false at the end. */
static bool next_ident(struct lw_str text, size_t *at, struct lw_str *ident)
{
    const char *p = text.p + *at, *end = text.p + text.n;
    while (p < end && !(letter(*p) & START))
        p++;
    const char *start = p;
    while (p < end && letter(*p))
        p++;
    *at = (size_t)(p - text.p);
    *ident = lw_str_n(start, (size_t)(p - start));
    return p > start;
}

void lw_words_add_text(struct lw_words *w, struct lw_str text)
{
    struct lw_str ident;
    for (size_t at = 0; text.n && next_ident(text, &at, &ident) && !w->failed;)
        lw_words_add(w, ident);
}

void lw_words_scan(struct lw_words *w, struct lw_str text, lw_spots *spots)
{
    struct lw_str ident;
    spots->n = 0;
    for (size_t at = 0; text.n && next_ident(text, &at, &ident) && !w->failed;) {
        bool roomy = text.n - (size_t)(ident.p - text.p) >= 16;
        uint32_t number = ident_number(w, lw_str_part(ident, 0, MAX_IDENT), roomy);
        struct lw_spot spot = {(uint32_t)(ident.p - text.p), number};
        if (number == UINT32_MAX)
            return;
        lw_words_add_number(w, number);
        if (lw_vec_push(w->mem, spots, spot) < 0)
            fail(w);
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
