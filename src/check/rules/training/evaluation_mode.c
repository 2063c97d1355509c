/* Rules about settings of an evaluation that stay in training. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- what a call leaves behind ------------------------------------------------------------
 */

static bool assigns_attribute(const struct lw_tree *t, uint32_t top, enum lw_role role,
                              struct lw_str name)
{
    for (uint32_t s = lw_tree_each(t, top, role, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, top, role, s))
        for (uint32_t n = s; n != LW_NO_NODE; n = lw_tree_next(t, s, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
                return true;
    return false;
}

/* if self.training: … else: self.rate = 0, and nothing sets it again. */
static void check_settings(struct ck *c, const struct lw_tree *t, uint32_t test, uint32_t f)
{
    for (uint32_t s = lw_tree_each(t, test, LW_ROLE_ORELSE, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, test, LW_ROLE_ORELSE, s)) {
        uint32_t target = lw_tree_kind(t, s) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, s, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_ATTRIBUTE ||
            lw_tree_kind(t, lw_tree_get(t, s, LW_ROLE_VALUE)) != LW_NODE_NUMBER)
            continue;
        struct lw_str name = lw_tree_text(t, target);
        bool again = assigns_attribute(t, test, LW_ROLE_BODY, name);
        for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
             n = lw_tree_next(t, f, n, false))
            again |= n != s && lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                     lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name);
        if (again || !lw_str_has_prefix(name, LW_S("self.")))
            continue;
        ck_find(c, s, "training/setting-lost", NULL, 0,
                "'%.*s' is changed for the evaluation and keeps that value when training "
                "continues: use a local variable",
                LW_F(name));
    }
}

static void watch_class(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->object || e->object->file != c->frame->file || !ck_shows(c, "attribute training"))
        return;
    uint32_t cls = e->object->node;
    for (uint32_t n = lw_tree_next(t, cls, cls, false); n != LW_NO_NODE;
         n = lw_tree_next(t, cls, n, false)) {
        uint32_t f = lw_tree_kind(t, n) == LW_NODE_IF
                         ? lw_tree_enclosing(t, n, LW_NODE_FUNCTION)
                         : LW_NO_NODE;
        if (f != LW_NO_NODE && !text_is(lw_tree_name(t, f), "__init__") &&
            text_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), "self.training"))
            check_settings(c, t, n, f);
    }
}

const struct ck_rule rules_training_evaluation_mode[] = {
    {"training/setting-lost", CK_EV_CLASS, watch_class},
    {0},
};
