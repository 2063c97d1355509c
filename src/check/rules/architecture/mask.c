/*
 * Rules about masks of attention, whose meaning differs from place to place: the function
 * takes True where something may be looked at, the layers take True where it may not.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum sense { SENSE_UNKNOWN, SENSE_KEPT, SENSE_DROPPED }; /* what True marks */

/* The expression that the name was given last before the node, in the same function. */
static uint32_t value_before(const struct lw_tree *t, uint32_t node, struct lw_str name)
{
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION), found = LW_NO_NODE;
    uint32_t top = f == LW_NO_NODE ? t->root : f;
    for (uint32_t n = lw_tree_next(t, top, top, false);
         n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, node);
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_tree_end(t, n) < lw_tree_start(t, node) &&
            lw_tree_enclosing(t, n, LW_NODE_FUNCTION) == f &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            found = lw_tree_get(t, n, LW_ROLE_VALUE);
    return found;
}

/* attention_mask == 0, tokens != pad: what True means in it. */
static enum sense sense_of_test(const struct lw_tree *t, uint32_t node)
{
    struct lw_str text = lw_tree_text(t, node);
    bool equal = text_says(text, "=="), unequal = text_says(text, "!=");
    struct lw_str left = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_LEFT));
    struct lw_str right = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_COMPARATORS));
    if (equal == unequal)
        return SENSE_UNKNOWN;
    if (text_says(right, "pad") || text_says(right, "PAD"))
        return equal ? SENSE_DROPPED : SENSE_KEPT;
    if (!text_says(left, "attention_mask") || (!text_is(right, "0") && !text_is(right, "1")))
        return SENSE_UNKNOWN;
    return equal == text_is(right, "0") ? SENSE_DROPPED : SENSE_KEPT; /* 1 for tokens */
}

/* What True marks in the expression, seen through changes of form, names and ~. */
static enum sense sense_of(const struct lw_tree *t, uint32_t node)
{
    bool turned = false;
    for (unsigned i = 0; node != LW_NO_NODE && i < 8; i++) {
        enum lw_node_kind kind = lw_tree_kind(t, node);
        uint32_t owner = syntax_owner(t, node);
        if (kind == LW_NODE_COMPARE) {
            enum sense s = sense_of_test(t, node);
            return !turned || s == SENSE_UNKNOWN ? s
                   : s == SENSE_KEPT             ? SENSE_DROPPED
                                                 : SENSE_KEPT;
        }
        if (kind == LW_NODE_UNARY_OP && lw_tree_node(t, node)->op == LW_OP_INVERT) {
            turned = !turned;
            node = lw_tree_get(t, node, LW_ROLE_OPERAND);
        } else if (kind == LW_NODE_NAME) {
            node = value_before(t, node, lw_tree_name(t, node));
        } else if (kind == LW_NODE_SUBSCRIPT) {
            node = lw_tree_get(t, node, LW_ROLE_VALUE);
        } else if (owner != LW_NO_NODE) {
            static const char *const forms[] = {"unsqueeze", "expand",  "view",   "to",
                                                "bool",      "reshape", "repeat", "squeeze"};
            if (!text_is_any(lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_FUNC)), forms, 8))
                return SENSE_UNKNOWN;
            node = owner;
        } else {
            return SENSE_UNKNOWN;
        }
    }
    return SENSE_UNKNOWN;
}

static void check_call(struct ck *c, struct ck_file *file, uint32_t call)
{
    static const char *const layers[] = {"key_padding_mask", "src_key_padding_mask",
                                         "tgt_key_padding_mask", "memory_key_padding_mask"};
    const struct lw_tree *t = &file->tree;
    struct lw_str callee = text_tail(lw_tree_text(t, lw_tree_get(t, call, LW_ROLE_FUNC)));
    if (text_is(callee, "scaled_dot_product_attention")) {
        uint32_t mask = syntax_keyword(t, call, LW_S("attn_mask"));
        if (mask != LW_NO_NODE && sense_of(t, mask) == SENSE_DROPPED)
            ck_find_at(c, file, mask, "architecture/mask-inverted", NULL, 0,
                       "the mask is inverted: it is True at the padding, but the function "
                       "attends where the mask is True; negate it");
        return;
    }
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        uint32_t mask = syntax_keyword(t, call, lw_str(layers[i]));
        if (mask != LW_NO_NODE && sense_of(t, mask) == SENSE_KEPT)
            ck_find_at(c, file, mask, "architecture/mask-inverted", NULL, 0,
                       "the mask is inverted: it is True at the tokens, but the layer ignores "
                       "positions where the mask is True; negate it");
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_shows(c, "name *torch*") || (!ck_shows(c, "name *scaled_dot_product_attention*") &&
                                         !ck_shows(c, "name *key_padding_mask")))
        return;
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL)
            check_call(c, file, n);
}

const struct ck_rule rules_architecture_mask[] = {
    {"architecture/mask-inverted", CK_EV_END, watch_end},
    {0},
};
