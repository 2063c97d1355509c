#include "locate/stem.h"

#include <string.h>

#include "base/str.h"

struct ending {
    const char *from, *to;
    size_t n; /* bytes of `from` */
};

#define ENDING(from, to)          \
    {                             \
        from, to, sizeof from - 1 \
    }

struct stemming {
    char *p;
    size_t n;
};

/* y is a vowel after a consonant. Runs of y are short, so looking back is cheap. */
static bool is_vowel(const char *p, size_t at)
{
    bool turned = false;
    for (; p[at] == 'y' && at > 0; at--)
        turned = !turned;
    bool plain = p[at] == 'a' || p[at] == 'e' || p[at] == 'i' || p[at] == 'o' || p[at] == 'u';
    return plain != turned;
}

static bool has_vowel(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_vowel(p, i))
            return true;
    return false;
}

/* How often a vowel is followed by a consonant: m in the paper. */
static unsigned measure(const char *p, size_t n)
{
    unsigned m = 0;
    bool before = false;
    for (size_t i = 0; i < n; i++) {
        bool vowel = is_vowel(p, i);
        m += before && !vowel;
        before = vowel;
    }
    return m;
}

static bool ends_double(const char *p, size_t n)
{
    return n > 1 && p[n - 1] == p[n - 2] && !is_vowel(p, n - 1);
}

/* *o in the paper: consonant, vowel, consonant other than w, x, y. */
static bool ends_cvc(const char *p, size_t n)
{
    return n > 2 && !is_vowel(p, n - 3) && is_vowel(p, n - 2) && !is_vowel(p, n - 1) &&
           p[n - 1] != 'w' && p[n - 1] != 'x' && p[n - 1] != 'y';
}

static bool ends(const struct stemming *s, const char *end)
{
    return lw_str_has_suffix(lw_str_n(s->p, s->n), lw_str(end));
}

static void put_end(struct stemming *s, size_t root, const char *end)
{
    size_t n = strlen(end);
    memcpy(s->p + root, end, n);
    s->n = root + n;
}

/* Plurals. */
static void step_1a(struct stemming *s)
{
    if (ends(s, "sses") || ends(s, "ies"))
        s->n -= 2;
    else if (ends(s, "s") && !ends(s, "ss"))
        s->n--;
}

/* -ed and -ing. */
static void step_1b(struct stemming *s)
{
    if (ends(s, "eed")) {
        s->n -= measure(s->p, s->n - 3) > 0;
        return;
    }
    size_t cut = ends(s, "ed") ? 2 : ends(s, "ing") ? 3 : 0;
    if (!cut || !has_vowel(s->p, s->n - cut))
        return;
    s->n -= cut;
    char last = s->n ? s->p[s->n - 1] : '\0';
    if (ends(s, "at") || ends(s, "bl") || ends(s, "iz"))
        put_end(s, s->n, "e");
    else if (ends_double(s->p, s->n) && strchr("bdfgmnprt", last))
        s->n--;
    else if (measure(s->p, s->n) == 1 && ends_cvc(s->p, s->n))
        put_end(s, s->n, "e");
}

static void step_1c(struct stemming *s)
{
    if (ends(s, "y") && has_vowel(s->p, s->n - 1))
        s->p[s->n - 1] = 'i';
}

/* The first ending that fits decides (longer ones come first): it is replaced if the root
 * before it has a measure above `least`. */
static void replace(struct stemming *s, const struct ending *endings, unsigned least)
{
    for (const struct ending *e = endings; e->from; e++) {
        if (e->n > s->n || s->p[s->n - 1] != e->from[e->n - 1] ||
            memcmp(s->p + s->n - e->n, e->from, e->n) != 0)
            continue;
        size_t root = s->n - e->n;
        bool dropped = strcmp(e->from, "ion") != 0 ||
                       (root && (s->p[root - 1] == 's' || s->p[root - 1] == 't'));
        if (dropped && measure(s->p, root) > least)
            put_end(s, root, e->to);
        return;
    }
}

static void step_5(struct stemming *s)
{
    if (ends(s, "e")) {
        unsigned m = measure(s->p, s->n - 1);
        if (m > 1 || (m == 1 && !ends_cvc(s->p, s->n - 1)))
            s->n--;
    }
    if (ends_double(s->p, s->n) && s->p[s->n - 1] == 'l' && measure(s->p, s->n - 1) > 1)
        s->n--;
}

size_t lw_stem(char *word, size_t n)
{
    static const struct ending step_2[] = {
        ENDING("ational", "ate"), ENDING("ization", "ize"), ENDING("iveness", "ive"),
        ENDING("fulness", "ful"), ENDING("ousness", "ous"), ENDING("tional", "tion"),
        ENDING("biliti", "ble"),  ENDING("entli", "ent"),   ENDING("ousli", "ous"),
        ENDING("ation", "ate"),   ENDING("alism", "al"),    ENDING("aliti", "al"),
        ENDING("iviti", "ive"),   ENDING("enci", "ence"),   ENDING("anci", "ance"),
        ENDING("izer", "ize"),    ENDING("abli", "able"),   ENDING("alli", "al"),
        ENDING("ator", "ate"),    ENDING("eli", "e"),       {NULL, NULL, 0},
    };
    static const struct ending step_3[] = {
        ENDING("icate", "ic"), ENDING("ative", ""),  ENDING("alize", "al"),
        ENDING("iciti", "ic"), ENDING("ical", "ic"), ENDING("ness", ""),
        ENDING("ful", ""),     {NULL, NULL, 0},
    };
    static const struct ending step_4[] = {
        ENDING("ement", ""), ENDING("ance", ""), ENDING("ence", ""), ENDING("able", ""),
        ENDING("ible", ""),  ENDING("ment", ""), ENDING("ant", ""),  ENDING("ent", ""),
        ENDING("ion", ""),   ENDING("ism", ""),  ENDING("ate", ""),  ENDING("iti", ""),
        ENDING("ous", ""),   ENDING("ive", ""),  ENDING("ize", ""),  ENDING("al", ""),
        ENDING("er", ""),    ENDING("ic", ""),   ENDING("ou", ""),   {NULL, NULL, 0},
    };
    struct stemming s = {word, n};
    step_1a(&s);
    step_1b(&s);
    step_1c(&s);
    replace(&s, step_2, 0);
    replace(&s, step_3, 0);
    replace(&s, step_4, 1);
    step_5(&s);
    return s.n;
}
