/* What happens to a loss in a loop, read from the text. */
#include "check/query/losses.h"

#include "base/str.h"
#include "check/query/look.h"

bool losses_goes_back(const struct lw_tree *t, uint32_t loop, struct lw_str term)
{
    for (uint32_t call = syntax_method_call(t, loop, "backward"); call != LW_NO_NODE;
         call = syntax_next_call(t, loop, call, "backward")) {
        uint32_t owner = syntax_owner(t, call);
        if (owner != LW_NO_NODE && lw_str_eq(lw_tree_text(t, owner), term))
            return true;
    }
    return false;
}

bool losses_is_plain(struct ck *c, struct lw_str text, struct lw_str term)
{
    static const char *const ends[] = {".item()", ".detach()", ".data"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (lw_str_find(text, ck_text(c, "%.*s = %.*s%s", LW_F(term), LW_F(term), ends[i])) !=
            LW_NPOS)
            return true;
    return lw_str_find(text, ck_text(c, "%.*s = float(", LW_F(term))) != LW_NPOS;
}
