/* What a program expects to go wrong: try blocks, and tests that ask for an exception. */
#include "base/str.h"
#include "check/engine/engine.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

static bool catches(const struct ck *c, uint32_t handler, const char *word)
{
    uint32_t type = lw_tree_get(tree_of(c), handler, LW_ROLE_TYPE);
    return type == LW_NO_NODE ||
           lw_str_find(lw_tree_text(tree_of(c), type), lw_str(word)) != LW_NPOS;
}

/* Does the try block expect that names or modules are missing, or that anything goes wrong? */
bool ck_is_guarded_try(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    for (uint32_t h = lw_tree_each(t, node, LW_ROLE_HANDLERS, LW_NO_NODE); h != LW_NO_NODE;
         h = lw_tree_each(t, node, LW_ROLE_HANDLERS, h))
        if (catches(c, h, "Import") || catches(c, h, "Attribute") ||
            catches(c, h, "Exception") || catches(c, h, "Type") || catches(c, h, "Value") ||
            catches(c, h, "Runtime") || catches(c, h, "Module"))
            return true;
    return false;
}

/* try: a + b; except ValueError as e: print(e). What is wrong is wrong on purpose, or taken
 * care of, where just its kind of error is caught. */
bool ck_shows_failure(const struct ck *c, uint32_t node)
{
    static const char *const kinds[] = {"ValueError", "TypeError",      "RuntimeError",
                                        "IndexError", "AttributeError", "InvalidArgument"};
    const struct lw_tree *t = tree_of(c);
    for (uint32_t h = lw_tree_each(t, node, LW_ROLE_HANDLERS, LW_NO_NODE); h != LW_NO_NODE;
         h = lw_tree_each(t, node, LW_ROLE_HANDLERS, h)) {
        if (lw_tree_get(t, h, LW_ROLE_TYPE) == LW_NO_NODE)
            continue;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (catches(c, h, kinds[i]))
                return true;
        if (catches(c, h, "Exception") && lw_tree_count(t, node, LW_ROLE_BODY) == 1 &&
            lw_tree_count(t, h, LW_ROLE_BODY) == 1 &&
            lw_str_has_prefix(lw_tree_text(t, lw_tree_get(t, h, LW_ROLE_BODY)), LW_S("print")))
            return true;
    }
    return false;
}

/* with pytest.raises(ValueError): what follows is wrong on purpose. */
bool ck_expects_failure(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    for (uint32_t i = lw_tree_each(t, node, LW_ROLE_ITEMS, LW_NO_NODE); i != LW_NO_NODE;
         i = lw_tree_each(t, node, LW_ROLE_ITEMS, i)) {
        struct lw_str text = lw_tree_text(t, i);
        if (lw_str_find(text, LW_S("assertRaises")) >= 0 ||
            lw_str_find(text, LW_S("raises(")) >= 0 ||
            lw_str_find(text, LW_S("suppress(")) >= 0)
            return true;
    }
    return false;
}
