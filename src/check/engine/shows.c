/* What the code of the program shows. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

/* What was found out about a question in the files of the program. */
struct answer {
    uint32_t files; /* that were looked at */
    bool found;
};

struct ck_answers {
    struct answer v[CK_WORDS];
};

bool ck_file_shows(const struct ck *c, const struct ck_file *f, const char *question)
{
    return ck_notes_show(f->notes, f->evidence, ck_modules_word(c->shared, question), question);
}

/* Few questions are asked again and again: only files that came since are looked at, and the
 * answer of a file is kept for all checks that follow it. */
bool ck_shows(const struct ck *c, const char *question)
{
    LW_BUG_ON(!c->answers || !question);
    uint32_t number = ck_modules_word(c->shared, question);
    struct answer once = {0}, *a = number < CK_WORDS ? &c->answers->v[number] : &once;
    for (; !a->found && a->files < c->files.n; a->files++) {
        const struct ck_file *f = c->files.v[a->files];
        a->found = ck_notes_show(f->notes, f->evidence, number, question);
    }
    return a->found;
}

bool ck_shows_any(const struct ck *c, const char *const *questions, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ck_shows(c, questions[i]))
            return true;
    return false;
}

int ck_answers_init(struct ck *c, struct lw_err *err)
{
    c->answers = lw_arena_alloc(c->arena, sizeof *c->answers);
    return c->answers ? 0 : lw_err_nomem(err);
}
