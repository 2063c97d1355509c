#include "triage/focus.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "numeric/sparse.h"
#include "numeric/svd.h"
#include "triage/sentences.h"
#include "triage/words.h"

/* The first sentences are compared; a report tells in them what it is about. */
enum { SENTENCES_MAX = 64, SENTENCE_BYTES = 1000 };

int lw_focus_load(struct lw_focus_tables *t, struct lw_arena *arena, struct lw_err *err)
{
    return triage_table_load(&t->phrases, arena, LW_S("data/triage/keyphrases.csv"), 2, err);
}

/* Sentences as rows of TF-IDF weights, and the topics that they span. */
struct sentences {
    struct lw_arena *arena;
    struct lw_str text[SENTENCES_MAX];
    size_t n;
    struct lw_map columns; /* word to its column */
    LW_VEC(uint32_t) column;
    LW_VEC(double) value;
    size_t start[SENTENCES_MAX + 1];
    double *weight; /* as `value`: TF-IDF, rows of length 1 */
    double *topic;  /* (n, n): rows of length 1 over the sentences, the largest first */
    double *size;   /* (n): eigenvalues, falling */
    size_t topics;  /* that are kept */
};

/* ---- Sentences to numbers -----------------------------------------------------------------
 */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Appends the row of the words: columns that rise, and how often each occurs. */
static int add_row(struct sentences *s, const lw_tokens *words)
{
    struct lw_mem *mem = s->arena->mem;
    uint32_t *at = lw_arena_array(s->arena, words->n + 1, sizeof *at);
    for (size_t k = 0; at && k < words->n; k++) {
        bool is_new;
        struct lw_map_entry *e = lw_map_put(&s->columns, words->v[k].word, &is_new);
        if (!e)
            return LW_ENOMEM;
        if (is_new)
            e->value = s->columns.n - 1;
        at[k] = (uint32_t)e->value;
    }
    if (!at)
        return LW_ENOMEM;
    qsort(at, words->n, sizeof *at, by_number);
    for (size_t k = 0; k < words->n; k++)
        if (k > 0 && at[k] == at[k - 1])
            s->value.v[s->value.n - 1]++;
        else if (lw_vec_push(mem, &s->column, at[k]) < 0 || lw_vec_push(mem, &s->value, 1) < 0)
            return LW_ENOMEM;
    return 0;
}

static int split(struct sentences *s, struct lw_str text)
{
    struct lw_str one;
    int rc = 0;
    while (rc == 0 && s->n < SENTENCES_MAX && lw_sentence_next(&text, &one)) {
        lw_tokens words = {0};
        s->text[s->n++] = one;
        rc = lw_tokens_add(&words, s->arena, lw_str_part(one, 0, SENTENCE_BYTES));
        if (rc == 0)
            rc = add_row(s, &words);
        s->start[s->n] = s->column.n;
        lw_vec_release(s->arena->mem, &words);
    }
    return rc;
}

static int weigh(struct sentences *s)
{
    size_t d = s->columns.n;
    const struct lw_sparse x = {s->n, d, s->start, s->column.v, s->value.v};
    uint32_t *df = lw_arena_array(s->arena, d + 1, sizeof *df);
    double *idf = lw_arena_array(s->arena, d + 1, sizeof *idf);
    s->weight = lw_arena_array(s->arena, s->value.n + 1, sizeof *s->weight);
    if (!df || !idf || !s->weight)
        return LW_ENOMEM;
    lw_document_counts(&x, df);
    lw_idf(df, d, s->n, idf);
    lw_tfidf(&x, idf, false, true, s->weight);
    return 0;
}

/* ---- Topics (latent semantic analysis) ----------------------------------------------------
 *
 * With X the rows, X X' = U S U'. The similarities q = X phrase, seen in the k largest topics,
 * are U_k U_k' q: a sentence that shares no word with the phrases is near them when it shares
 * topics with sentences that do.
 */

static double product(const struct sentences *s, size_t a, size_t b)
{
    double sum = 0;
    size_t i = s->start[a], k = s->start[b];
    while (i < s->start[a + 1] && k < s->start[b + 1]) {
        uint32_t x = s->column.v[i], y = s->column.v[k];
        if (x == y)
            sum += s->weight[i] * s->weight[k];
        i += x <= y;
        k += y <= x;
    }
    return sum;
}

/* Half of the topics are kept. */
static int find_topics(struct sentences *s)
{
    size_t n = s->n;
    double *gram = lw_arena_array(s->arena, n * n + 1, sizeof *gram);
    s->topic = lw_arena_array(s->arena, n * n + 1, sizeof *s->topic);
    s->size = lw_arena_array(s->arena, n + 1, sizeof *s->size);
    if (!gram || !s->topic || !s->size)
        return LW_ENOMEM;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++)
            gram[a * n + b] = gram[b * n + a] = product(s, a, b);
    lw_symmetric_eigen(gram, n, s->size, s->topic);
    s->topics = (n + 1) / 2;
    return 0;
}

/* The cosine of each sentence with the phrases in the topics, up to a factor that all share. */
static void see_in_topics(const struct sentences *s, const double *similar, double *out)
{
    double length[SENTENCES_MAX] = {0};
    memset(out, 0, s->n * sizeof *out);
    for (size_t c = 0; c < s->topics; c++) {
        const double *u = s->topic + c * s->n;
        double along = 0;
        for (size_t i = 0; i < s->n; i++)
            along += u[i] * similar[i];
        for (size_t i = 0; i < s->n; i++) {
            out[i] += u[i] * along;
            length[i] += fmax(s->size[c], 0) * u[i] * u[i];
        }
    }
    for (size_t i = 0; i < s->n; i++)
        out[i] = length[i] > 1e-9 ? out[i] / sqrt(length[i]) : 0;
}

/* ---- Choosing -----------------------------------------------------------------------------
 */

/* similar (n): the weights of the phrases' words, whose own weight is 1. */
static int compare(const struct sentences *s, struct lw_str phrases, double *similar)
{
    struct lw_str word;
    bool *is_key = lw_arena_array(s->arena, s->columns.n + 1, sizeof *is_key);
    if (!is_key)
        return LW_ENOMEM;
    while (lw_str_split(&phrases, ' ', &word)) {
        const struct lw_map_entry *e = lw_map_find(&s->columns, word);
        if (e)
            is_key[e->value] = true;
    }
    for (size_t i = 0; i < s->n; i++) {
        similar[i] = 0;
        for (size_t k = s->start[i]; k < s->start[i + 1]; k++)
            similar[i] += is_key[s->column.v[k]] ? s->weight[k] : 0;
    }
    return 0;
}

/* The best sentence so far over the components. */
struct best {
    double score;
    size_t sentence;
};

static int look(struct best *best, const struct sentences *s, struct lw_str phrases)
{
    double similar[SENTENCES_MAX], topical[SENTENCES_MAX];
    if (compare(s, phrases, similar) < 0)
        return LW_ENOMEM;
    see_in_topics(s, similar, topical);
    for (size_t i = 0; i < s->n; i++) {
        double score = similar[i] + topical[i];
        if (similar[i] > 0 && score > best->score)
            *best = (struct best){score, i};
    }
    return 0;
}

static int choose(struct lw_str *out, const struct lw_focus_tables *t,
                  const struct sentences *s, const enum lw_component *components, size_t count)
{
    struct best best = {0};
    for (size_t c = 0; c < count; c++)
        for (size_t row = 0; row < t->phrases.n; row++) {
            const struct lw_str *f = triage_table_row(&t->phrases, row);
            if (lw_component_find(f[0]) == components[c] && look(&best, s, f[1]) < 0)
                return LW_ENOMEM;
        }
    if (best.score > 0)
        *out = s->text[best.sentence];
    return 0;
}

int lw_focus_find(struct lw_str *out, const struct lw_focus_tables *t, struct lw_str text,
                  const enum lw_component *components, size_t count, struct lw_arena *arena)
{
    struct sentences *s = lw_arena_alloc(arena, sizeof *s);
    *out = (struct lw_str){0};
    if (!s)
        return LW_ENOMEM;
    s->arena = arena;
    lw_map_init(&s->columns, arena->mem);
    int rc = split(s, text);
    if (rc == 0)
        rc = weigh(s);
    if (rc == 0)
        rc = find_topics(s);
    if (rc == 0)
        rc = choose(out, t, s, components, count);
    lw_vec_release(arena->mem, &s->column);
    lw_vec_release(arena->mem, &s->value);
    lw_map_release(&s->columns);
    return rc < 0 ? LW_ENOMEM : 0;
}
