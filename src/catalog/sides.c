#include "catalog/sides.h"

#include "base/err.h"
#include "base/str.h"
#include "source/lexer.h"

/* The next character, with every way to end a line as '\n', as Python reads its files. */
static char next_char(struct lw_str *rest)
{
    char c = rest->p[0];
    size_t n = c == '\r' && rest->n > 1 && rest->p[1] == '\n' ? 2 : 1;
    *rest = lw_str_from(*rest, n);
    return c == '\r' ? '\n' : c;
}

static bool same_text(struct lw_str a, struct lw_str b)
{
    while (a.n && b.n)
        if (next_char(&a) != next_char(&b))
            return false;
    return a.n == 0 && b.n == 0;
}

static struct lw_str text_of(const struct lw_lexed *lx, const struct lw_token *t)
{
    /* An indentation counts by what it opens, not by its width. */
    if (t->kind <= LW_TOK_DEDENT)
        return LW_S("");
    return lw_str_part(lx->text, t->start, t->end - t->start);
}

/* Only comments are left out, none of them says how the file is to be read, and all is Python.
 */
static bool is_plain(const struct lw_lexed *lx)
{
    for (size_t i = 0; i < lx->trivia.n; i++) {
        const struct lw_trivia *t = &lx->trivia.v[i];
        struct lw_str text = lw_str_part(lx->text, t->start, t->end - t->start);
        if (t->kind != LW_TRIVIA_COMMENT || lw_str_find(text, LW_S("coding")) != LW_NPOS)
            return false;
    }
    return lx->errors.n == 0;
}

static bool same_tokens(const struct lw_lexed *a, const struct lw_lexed *b)
{
    if (!is_plain(a) || !is_plain(b) || a->tokens.n != b->tokens.n)
        return false;
    for (size_t i = 0; i < a->tokens.n; i++) {
        const struct lw_token *x = &a->tokens.v[i], *y = &b->tokens.v[i];
        if (x->kind != y->kind || !same_text(text_of(a, x), text_of(b, y)))
            return false;
    }
    return true;
}

static int same_python(struct lw_str a, struct lw_str b, struct lw_mem *mem, bool *same,
                       struct lw_err *err)
{
    struct lw_lexed x, y;
    lw_lexed_init(&x, mem);
    lw_lexed_init(&y, mem);
    int rc = lw_lex(&x, a, err);
    if (rc == 0)
        rc = lw_lex(&y, b, err);
    *same = rc == 0 && same_tokens(&x, &y);
    lw_lexed_release(&x);
    lw_lexed_release(&y);
    return rc;
}

static int same_file(const struct lw_file *a, const struct lw_file *b, struct lw_mem *mem,
                     bool *same, struct lw_err *err)
{
    *same = lw_str_eq(a->content, b->content);
    if (*same || !lw_str_has_suffix(a->path, LW_S(".py")))
        return 0;
    return same_python(a->content, b->content, mem, same, err);
}

/* The file of the other side with the same name. */
static const struct lw_file *find_fixed(const lw_file_vec *files, struct lw_str name)
{
    for (size_t i = 0; i < files->n; i++) {
        struct lw_str path = files->v[i].path;
        if (lw_str_has_prefix(path, LW_S("fixed/")) && lw_str_eq(lw_str_from(path, 6), name))
            return &files->v[i];
    }
    return NULL;
}

int lw_sides_same(const lw_file_vec *files, struct lw_mem *mem, bool *same, struct lw_err *err)
{
    size_t buggy = 0, fixed = 0;
    int rc = 0;
    *same = true;
    for (size_t i = 0; rc == 0 && *same && i < files->n; i++) {
        struct lw_str path = files->v[i].path;
        fixed += lw_str_has_prefix(path, LW_S("fixed/"));
        if (!lw_str_has_prefix(path, LW_S("buggy/")))
            continue;
        buggy++;
        const struct lw_file *other = find_fixed(files, lw_str_from(path, 6));
        *same = other != NULL;
        if (other)
            rc = same_file(&files->v[i], other, mem, same, err);
    }
    *same = *same && buggy == fixed && buggy > 0;
    return rc;
}
