/* Words in the text of the program. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

/* What was found out about a word in the files of the program. */
struct word {
    uint32_t files; /* that were looked at */
    bool found;
};

struct ck_mentions {
    struct word v[CK_WORDS];
};

/* Few words are asked for again and again: only files that came since are looked at, and the
 * text of a file is searched once for all checks that follow it. */
bool ck_mentions(const struct ck *c, const char *word)
{
    LW_BUG_ON(!c->mentioned || !word || !*word);
    uint32_t number = ck_modules_word(c->shared, word);
    struct word once = {0}, *w = number < CK_WORDS ? &c->mentioned->v[number] : &once;
    for (; !w->found && w->files < c->files.n; w->files++) {
        const struct ck_file *f = c->files.v[w->files];
        w->found = ck_notes_say(f->notes, f->code, number, word);
    }
    return w->found;
}

bool ck_says(const struct ck_file *f, struct ck_said *said, const char *const *words, size_t n)
{
    LW_BUG_ON(!f || !said || (n && !words));
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
