#include "triage/focus.h"

#include <math.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "triage/sentences.h"
#include "triage/words.h"

enum { SENTENCES_MAX = 200 };

int lw_focus_load(struct lw_focus_tables *t, struct lw_arena *arena, struct lw_err *err)
{
    return triage_table_load(&t->phrases, arena, LW_S("data/triage/keyphrases.csv"), 2, err);
}

struct sentences {
    struct lw_arena *arena;
    struct lw_str text[SENTENCES_MAX];
    lw_tokens words[SENTENCES_MAX];
    size_t n;
    struct lw_map seen; /* word to the number of sentences that have it */
};

static int count_words(struct sentences *s, size_t i)
{
    for (size_t k = 0; k < s->words[i].n; k++) {
        struct lw_str word = s->words[i].v[k].word;
        bool again = false;
        for (size_t j = 0; j < k && !again; j++)
            again = lw_str_eq(word, s->words[i].v[j].word);
        struct lw_map_entry *e = again ? NULL : lw_map_put(&s->seen, word, NULL);
        if (!again && !e)
            return LW_ENOMEM;
        if (e)
            e->value++;
    }
    return 0;
}

static int split(struct sentences *s, struct lw_str text)
{
    struct lw_str one;
    int rc = 0;
    while (rc == 0 && s->n < SENTENCES_MAX && lw_sentence_next(&text, &one)) {
        s->text[s->n] = one;
        s->n++;
        rc = lw_tokens_add(&s->words[s->n - 1], s->arena, lw_str_part(one, 0, 1000));
        if (rc == 0)
            rc = count_words(s, s->n - 1);
    }
    return rc;
}

static double weight(const struct sentences *s, struct lw_str word)
{
    double df = (double)lw_map_get(&s->seen, word, 0);
    return log((1.0 + (double)s->n) / (1.0 + df)) + 1;
}

static bool has_word(struct lw_str phrases, struct lw_str word)
{
    struct lw_str one;
    while (lw_str_split(&phrases, ' ', &one))
        if (lw_str_eq(one, word))
            return true;
    return false;
}

/* The cosine with the key phrases, whose words weigh the same in every report. */
static double similarity(const struct sentences *s, size_t i, struct lw_str phrases)
{
    double dot = 0, length = 0;
    for (size_t k = 0; k < s->words[i].n; k++) {
        double w = weight(s, s->words[i].v[k].word);
        length += w * w;
        if (has_word(phrases, s->words[i].v[k].word))
            dot += w;
    }
    return length > 0 ? dot / sqrt(length) : 0;
}

static void choose(struct lw_str *out, const struct lw_focus_tables *t,
                   const struct sentences *s, const enum lw_component *components, size_t count)
{
    double best = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t row = 0; row < t->phrases.n; row++) {
            const struct lw_str *f = triage_table_row(&t->phrases, row);
            if (lw_component_find(f[0]) != components[c])
                continue;
            for (size_t i = 0; i < s->n; i++) {
                double x = similarity(s, i, f[1]);
                if (x > best) {
                    best = x;
                    *out = s->text[i];
                }
            }
        }
}

int lw_focus_find(struct lw_str *out, const struct lw_focus_tables *t, struct lw_str text,
                  const enum lw_component *components, size_t count, struct lw_arena *arena)
{
    struct sentences *s = lw_arena_alloc(arena, sizeof *s);
    *out = (struct lw_str){0};
    if (!s)
        return LW_ENOMEM;
    s->arena = arena;
    lw_map_init(&s->seen, arena->mem);
    int rc = split(s, text);
    if (rc == 0)
        choose(out, t, s, components, count);
    for (size_t i = 0; i < s->n; i++)
        lw_vec_release(arena->mem, &s->words[i]);
    lw_map_release(&s->seen);
    return rc < 0 ? LW_ENOMEM : 0;
}
