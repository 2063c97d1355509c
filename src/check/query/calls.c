/* What a call is named, given and kept in. */
#include "base/err.h"
#include "check/query/calls.h"

#include "check/query/look.h"

struct lw_str calls_name(const struct lw_tree *t, uint32_t call)
{
    uint32_t f =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    if (f == LW_NO_NODE ||
        (lw_tree_kind(t, f) != LW_NODE_NAME && lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE))
        return (struct lw_str){0};
    return lw_tree_name(t, f);
}

struct lw_str calls_keyword(const struct lw_tree *t, uint32_t call, const char *name)
{
    return lw_tree_text(t, syntax_keyword(t, call, lw_str(name)));
}

enum { MAX_DEPTH = 5 };

uint32_t calls_root(const struct lw_tree *t, uint32_t n)
{
    for (unsigned i = 0; i < MAX_DEPTH && n != LW_NO_NODE; i++) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_NAME)
            return n;
        if (kind != LW_NODE_SUBSCRIPT && kind != LW_NODE_ATTRIBUTE)
            break;
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    }
    return LW_NO_NODE;
}

struct lw_str calls_result(const struct lw_tree *t, uint32_t call)
{
    uint32_t s = lw_tree_statement(t, call);
    uint32_t target = lw_tree_kind(t, s) == LW_NODE_ASSIGN
                          ? calls_root(t, lw_tree_get(t, s, LW_ROLE_TARGETS))
                          : LW_NO_NODE;
    return target == LW_NO_NODE ? (struct lw_str){0} : lw_tree_name(t, target);
}

void calls_each_node(struct ck *c, const char *question, calls_visit *visit)
{
    LW_BUG_ON(!question || !visit);
    struct ck_file *file = c->files.v[0];
    uint32_t root = file->tree.root;
    if (!ck_shows(c, question) || file->source.text.n > CALLS_MOST_TEXT)
        return;
    for (uint32_t n = root; n != LW_NO_NODE; n = lw_tree_next(&file->tree, root, n, false))
        visit(c, file, n);
}
