/* Text that Python cannot read. */
#include "check/query/bindings.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* The first error that no version of Python accepts; where there is none, the first one. */
static const struct lw_syntax_error *first_error(const struct lw_lexed *l)
{
    for (size_t i = 0; i < l->errors.n; i++)
        if (l->errors.v[i].severity == LW_SYNTAX_ERROR)
            return &l->errors.v[i];
    return l->errors.n ? &l->errors.v[0] : NULL;
}

/* <<<<<<< HEAD: what git leaves in a file when two changes meet. */
static bool is_conflict(struct lw_str text, uint32_t at)
{
    while (at > 0 && text.p[at - 1] != '\n')
        at--;
    struct lw_str line = lw_str_from(text, at);
    return lw_str_has_prefix(line, LW_S("<<<<<<<")) ||
           lw_str_has_prefix(line, LW_S(">>>>>>>")) || lw_str_has_prefix(line, LW_S("======="));
}

/* Notebooks hold cells that are not meant to run: gaps of exercises, output, commands. */
static enum lw_severity severity_of(struct ck_file *f, const struct lw_syntax_error *e)
{
    bool python2 = e->severity == LW_SYNTAX_PYTHON2 && !bindings_is_python3(f);
    if (python2 || f->source.notebook.cell_count)
        return LW_SEVERITY_NOTE;
    return LW_SEVERITY_ERROR;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_syntax_error *first = first_error(&f->tree.lexed);
    size_t more = f->tree.lexed.errors.n - 1;
    if (!first || bindings_is_exercise(c, f, f->tree.root))
        return;
    bool conflict = is_conflict(f->source.text, first->start);
    ck_hint(c,
            (struct ck_hint){.from = first->start,
                             .to = first->end > first->start ? first->end : first->start + 1});
    ck_find_as(c, e->node, LW_S("syntax/error"), severity_of(f, first), NULL, 0,
               more && !conflict ? ck_text(c, "%s (and %zu more)", first->message, more)
                                 : lw_str(conflict ? "a merge conflict was left in the file"
                                                   : first->message));
}

const struct ck_rule rules_syntax_error[] = {
    {"syntax/error", CK_EV_END, watch_end},
    {0},
};
