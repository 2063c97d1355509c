#include "locate/case.h"

#include "locate/segment.h"

int lw_case_text(const struct lw_case *c, struct lw_arena *arena, struct lw_doc doc,
                 struct lw_str *text, struct lw_err *err)
{
    struct lw_texts *t = c->texts;
    int rc = t->git ? 0 : lw_git_open(&t->git, t->ctx, t->folder.p, err);
    return rc < 0 ? rc
                  : lw_git_blob(t->git, arena, &doc.record->facts.id, LW_DOC_MAX, text, err);
}

void lw_texts_release(struct lw_texts *texts)
{
    lw_git_close(texts->git);
    texts->git = NULL;
}
