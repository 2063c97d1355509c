/* Words in the text of the program. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

enum { WORDS = 1024 }; /* a power of 2, at least twice the words that are asked for */

/* What was found out about a word in the files of the program. */
struct word {
    const char *word; /* static */
    size_t files;     /* that were looked at */
    bool found;
};

struct ck_mentions {
    struct word v[WORDS];
    size_t n;
};

/* Few words are asked for again and again: only files that came since are searched. NULL: too
 * many words. */
static struct word *remembered(struct ck_mentions *m, const char *word)
{
    size_t at = ((uintptr_t)word >> 2) % WORDS;
    while (m->v[at].word && m->v[at].word != word)
        at = (at + 1) % WORDS;
    if (m->v[at].word)
        return &m->v[at];
    if (m->n == WORDS / 2)
        return NULL;
    m->n++;
    m->v[at] = (struct word){.word = word};
    return &m->v[at];
}

bool ck_mentions(const struct ck *c, const char *word)
{
    struct word once = {.word = word}, *w = remembered(c->mentioned, word);
    if (!w)
        w = &once;
    for (; !w->found && w->files < c->files.n; w->files++)
        w->found = lw_str_find(c->files.v[w->files]->code, lw_str(word)) != LW_NPOS;
    return w->found;
}

bool ck_says(const struct ck_file *f, struct ck_said *said, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && !said->searched && !said->yes; i++)
        said->yes = lw_str_find(f->code, lw_str(words[i])) != LW_NPOS;
    said->searched = true;
    return said->yes;
}

int ck_mentions_init(struct ck *c, struct lw_err *err)
{
    c->mentioned = lw_arena_alloc(c->arena, sizeof *c->mentioned);
    return c->mentioned ? 0 : lw_err_nomem(err);
}
