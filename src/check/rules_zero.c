/*
 * Weights that begin at 0 in every layer of a kind: `if isinstance(m, nn.Conv2d):
 * m.weight.data.fill_(0)`, in a loop over modules or a function that apply() gets. All units of
 * a layer compute the same then, and nothing comes back through the layer. Read from the text:
 * the module may be anything.
 */
#include <stdio.h>

#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

/* m.weight, m.weight.data */
static bool is_weight(struct lw_str text)
{
    ptrdiff_t dot = lw_str_find_char(text, '.');
    if (dot <= 0 || !look_is_name(lw_str_n(text.p, (size_t)dot)))
        return false;
    struct lw_str rest = lw_str_from(text, (size_t)dot);
    return look_is(rest, ".weight") || look_is(rest, ".weight.data");
}

static bool is_zero(struct lw_str text)
{
    return look_is(text, "0") || look_is(text, "0.") || look_is(text, "0.0");
}

/* w.fill_(0), w.zero_(), init.zeros_(w), init.constant_(w, 0) of a weight */
static bool is_zeroing(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = look_owner(t, call);
    if (owner == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t second = first == LW_NO_NODE ? first : lw_tree_each(t, call, LW_ROLE_ARGS, first);
    struct lw_str none = {0};
    struct lw_str a = first == LW_NO_NODE ? none : lw_tree_text(t, first);
    struct lw_str b = second == LW_NO_NODE ? none : lw_tree_text(t, second);
    if (look_is(name, "zero_"))
        return is_weight(lw_tree_text(t, owner));
    if (look_is(name, "fill_"))
        return is_weight(lw_tree_text(t, owner)) && is_zero(a);
    return (look_is(name, "zeros_") && is_weight(a)) ||
           (look_is(name, "constant_") && is_weight(a) && is_zero(b));
}

/* The condition of the nearest `if` or `elif` whose block the node is in. */
static struct lw_str condition_of(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = node, up = lw_tree_parent(t, n); up != LW_NO_NODE;
         n = up, up = lw_tree_parent(t, up)) {
        enum lw_node_kind kind = lw_tree_kind(t, up);
        if (kind == LW_NODE_FUNCTION)
            break;
        if ((kind == LW_NODE_IF || kind == LW_NODE_ELIF) &&
            (enum lw_role)lw_tree_node(t, n)->role == LW_ROLE_BODY)
            return lw_tree_text(t, lw_tree_get(t, up, LW_ROLE_TEST));
    }
    return (struct lw_str){0};
}

/* nn.Conv2d, classname.find("Conv"): and not ConvNextGRN */
static bool is_kind(struct lw_str test, const char *kind)
{
    static const char *const ways[] = {"nn.%s", "'%s", "\"%s"};
    char word[32];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(word, sizeof word, ways[i], kind);
        if (look_says(test, word))
            return true;
    }
    return false;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    struct lw_str text = file->source.text;
    (void)e;
    if (!look_says(text, "torch") || !look_says(text, ".weight") ||
        (!look_says(text, "fill_(0") && !look_says(text, "zero_(") &&
         !look_says(text, "zeros_(") && !look_says(text, "constant_(")))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !is_zeroing(t, n))
            continue;
        struct lw_str test = condition_of(t, n);
        uint32_t f = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
        struct lw_str whole = lw_tree_text(t, f == LW_NO_NODE ? t->root : f);
        /* the one linear layer of a convolutional network is its last: it may begin at 0 */
        bool all =
            is_kind(test, "Conv") || (is_kind(test, "Linear") && !look_says(whole, "Conv"));
        bool asks = look_says(test, "isinstance") || look_says(test, ".find(") ||
                    look_says(test, "type(") || look_says(test, " in ");
        if (!all || !asks || look_says(test, "Norm") || look_says(whole, "ixup") ||
            look_says(whole, "zero_init"))
            continue;
        ck_find_at(c, file, n, "training/constant-initializer", NULL, 0,
                   "the weights of all these layers begin at 0: their units stay equal, and no "
                   "gradient passes through them; draw them at random");
    }
}

const struct ck_rule ck_rules_zero[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
