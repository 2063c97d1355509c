#include "triage/words.h"

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"

/* ---- Concepts -----------------------------------------------------------------------------
 */

static int add_word(struct lw_concepts *c, struct lw_str word, size_t concept)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&c->words, word, &is_new);
    if (!e)
        return LW_ENOMEM;
    if (is_new) {
        e->value = c->of.n;
        if (lw_vec_push(c->arena.mem, &c->of, 0) < 0)
            return LW_ENOMEM;
    }
    c->of.v[e->value] |= (uint64_t)1 << concept;
    return 0;
}

static int add_line(struct lw_concepts *c, struct lw_str line)
{
    struct lw_str name, word;
    if (line.n == 0 || line.p[0] == '#' || !lw_str_split(&line, ':', &name))
        return 0;
    if (c->count == LW_CONCEPTS_MAX)
        return LW_ELIMIT;
    lw_str_split(&name, ' ', &c->name[c->count]);
    c->type[c->count] = name;
    while (lw_str_split(&line, ' ', &word))
        if (word.n > 0 && add_word(c, word, c->count) < 0)
            return LW_ENOMEM;
    c->count++;
    return 0;
}

int lw_concepts_load(struct lw_concepts *c, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_str text = {0}, line;
    int rc = 0;
    *c = (struct lw_concepts){0};
    lw_arena_init(&c->arena, mem, 0);
    lw_map_init(&c->words, mem);
    lw_embedded_find(LW_S("data/triage/concepts.txt"), &text);
    while (rc == 0 && lw_str_line(&text, &line))
        rc = add_line(c, line);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    return rc < 0 ? lw_err_set(err, LW_EBUG, "concepts.txt has too many concepts") : 0;
}

void lw_concepts_release(struct lw_concepts *c)
{
    lw_map_release(&c->words);
    lw_vec_release(c->arena.mem, &c->of);
    lw_arena_release(&c->arena);
}

/* ---- Words --------------------------------------------------------------------------------
 */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_upper(c) || is_lower(c) || is_digit(c) || c == '_';
}

/* Where the part that begins at `at` ends: HTTP|Response, data|_|loader, conv|2|d. */
static size_t part_end(struct lw_str w, size_t at)
{
    size_t i = at;
    if (is_digit(w.p[i])) {
        while (i < w.n && is_digit(w.p[i]))
            i++;
        return i;
    }
    while (i < w.n && is_upper(w.p[i]))
        i++;
    if (i > at + 1 && i < w.n && is_lower(w.p[i]))
        return i - 1;
    while (i < w.n && is_lower(w.p[i]))
        i++;
    return i;
}

static struct lw_str lower(struct lw_arena *arena, struct lw_str s)
{
    char *p = lw_arena_bytes(arena, s.n + 1);
    for (size_t i = 0; p && i < s.n; i++)
        p[i] = is_upper(s.p[i]) ? (char)(s.p[i] + 32) : s.p[i];
    return p ? lw_str_n(p, s.n) : (struct lw_str){0};
}

enum { PARTS_MAX = 12 };

/* The parts of two letters and more; of a word that is one part, none. */
static int split_parts(struct lw_text_token *t, struct lw_arena *arena)
{
    struct lw_str parts[PARTS_MAX];
    size_t n = 0, pieces = 0;
    for (size_t at = 0; at < t->text.n && n < PARTS_MAX;) {
        if (t->text.p[at] == '_') {
            at++;
            continue;
        }
        size_t end = part_end(t->text, at);
        pieces++;
        if (end - at > 1)
            parts[n++] = lw_str_n(t->word.p + at, end - at);
        at = end > at ? end : at + 1;
    }
    if (pieces < 2 || n == 0)
        return 0;
    struct lw_str *copy = lw_arena_array(arena, n, sizeof *copy);
    if (!copy)
        return LW_ENOMEM;
    memcpy(copy, parts, n * sizeof *copy);
    t->parts = copy;
    t->part_count = n;
    return 0;
}

static struct lw_str strip_underscores(struct lw_str s)
{
    while (s.n > 0 && s.p[0] == '_')
        s = lw_str_from(s, 1);
    while (s.n > 0 && s.p[s.n - 1] == '_')
        s.n--;
    return s;
}

/* A word begins with a letter, or is a number with letters behind it. */
static bool begins_word(struct lw_str w)
{
    size_t i = 0;
    while (i < w.n && is_digit(w.p[i]))
        i++;
    return i < w.n && (i == 0 || w.n <= 4);
}

int lw_tokens_add(lw_tokens *out, struct lw_arena *arena, struct lw_str text)
{
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        while (i < text.n && is_word(text.p[i]))
            i++;
        struct lw_text_token t = {.text =
                                      strip_underscores(lw_str_n(text.p + start, i - start))};
        if (i == start)
            i++;
        if (t.text.n == 0 || t.text.n > LW_WORD_MAX || !begins_word(t.text))
            continue;
        t.word = lower(arena, t.text);
        if (!t.word.p || split_parts(&t, arena) < 0 || lw_vec_push(arena->mem, out, t) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* ---- Counting -----------------------------------------------------------------------------
 */

struct counting {
    const struct lw_concepts *concepts;
    struct lw_concept_counts *counts;
    uint8_t *seen; /* by number of the word; NULL: every time counts */
};

static void count_word(struct counting *c, struct lw_str key, struct lw_str shown)
{
    const struct lw_map_entry *e = lw_map_find(&c->concepts->words, key);
    if (!e || (c->seen && c->seen[e->value]))
        return;
    if (c->seen)
        c->seen[e->value] = 1;
    uint64_t of = c->concepts->of.v[e->value];
    for (size_t k = 0; of; k++, of >>= 1)
        if (of & 1 && c->counts->count[k]++ == 0)
            c->counts->word[k] = shown;
}

/* `n` words one after the other; shown as they stand in the text. */
static void count_words(struct counting *c, const struct lw_str *words, size_t n,
                        struct lw_str shown)
{
    char key[3 * LW_WORD_MAX + 3];
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            key[at++] = '_';
        memcpy(key + at, words[i].p, words[i].n);
        at += words[i].n;
    }
    count_word(c, lw_str_n(key, at), shown);
}

/* Do the two stand side by side, with no more than a quote or a blank between them? */
static bool is_behind(const struct lw_text_token *a, const struct lw_text_token *b)
{
    const char *end = a->text.p + a->text.n;
    return b->text.p >= end && b->text.p - end <= 3;
}

static void count_token(struct counting *c, const lw_tokens *tokens, size_t i)
{
    const struct lw_text_token *t = &tokens->v[i];
    struct lw_str words[3];
    count_word(c, t->word, t->text);
    for (size_t k = 0; k < t->part_count; k++) {
        count_word(c, t->parts[k], t->text);
        if (k + 1 < t->part_count)
            count_words(c, t->parts + k, 2, t->text);
    }
    for (size_t n = 1; n <= 3 && i + n <= tokens->n; n++) {
        const struct lw_text_token *last = &tokens->v[i + n - 1];
        if (n > 1 && !is_behind(last - 1, last))
            break;
        words[n - 1] = last->word;
        if (n > 1)
            count_words(c, words, n,
                        lw_str_n(t->text.p, (size_t)(last->text.p + last->text.n - t->text.p)));
    }
}

int lw_concepts_count(const struct lw_concepts *concepts, const lw_tokens *tokens, bool once,
                      struct lw_arena *arena, struct lw_concept_counts *counts)
{
    struct counting c = {.concepts = concepts, .counts = counts};
    struct lw_arena_mark mark = lw_arena_mark(arena);
    if (once && !(c.seen = lw_arena_alloc(arena, concepts->of.n + 1)))
        return LW_ENOMEM;
    for (size_t i = 0; i < tokens->n; i++)
        count_token(&c, tokens, i);
    lw_arena_rewind(arena, mark);
    return 0;
}
