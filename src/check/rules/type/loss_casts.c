/* Rules about the arguments of losses, by the last cast or function that made them. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/roles.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* Methods that keep the dtype. */
static const char *const keeping[] = {"to",      "cuda",       "cpu",       "view",
                                      "reshape", "squeeze",    "unsqueeze", "flatten",
                                      "detach",  "contiguous", "clone"};
enum { KEEPING = sizeof keeping / sizeof *keeping, MOST_LOOKS = 256 };

static bool is_one(struct lw_str name, const char *a, const char *b)
{
    return text_is(name, a) || text_is(name, b);
}

/* y.float(), y.long() at the end of what made the value, whatever y is; empty: no such. */
static struct lw_str cast_of(struct ck *c, struct ck_file *f, uint32_t node)
{
    static const char *const casts[] = {"float", "double", "half", "long", "int"};
    const struct lw_tree *t = &f->tree;
    uint32_t made = trace_through(c, f, node, keeping, KEEPING);
    if (lw_tree_kind(t, made) != LW_NODE_CALL || syntax_owner(t, made) == LW_NO_NODE ||
        lw_tree_count(t, made, LW_ROLE_ARGS) ||
        !text_is_any(syntax_called_name(t, made), casts, sizeof casts / sizeof *casts))
        return (struct lw_str){0};
    return syntax_called_name(t, made);
}

/* Does a to() on the way change the dtype? */
static bool is_cast_later(const struct lw_tree *t, uint32_t target)
{
    static const char *const to[] = {"to"};
    if (!trace_has_call(t, target, to, 1))
        return false;
    for (uint32_t n = target; n != LW_NO_NODE; n = lw_tree_next(t, target, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
             text_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_VALUE)), "torch")) ||
            (lw_tree_kind(t, n) == LW_NODE_KEYWORD && text_is(lw_tree_name(t, n), "dtype")))
            return true;
    return false;
}

/* Class indices as floats for a cross entropy, or integers for a loss of probabilities. */
static void look_at_cast(struct ck *c, struct ck_file *f, uint32_t call, struct lw_str loss)
{
    const struct lw_tree *t = &f->tree;
    uint32_t target = program_argument(t, call, "target", 1);
    bool classes = is_one(loss, "CrossEntropyLoss", "cross_entropy") ||
                   is_one(loss, "NLLLoss", "nll_loss");
    bool odds = is_one(loss, "BCEWithLogitsLoss", "binary_cross_entropy_with_logits") ||
                is_one(loss, "BCELoss", "binary_cross_entropy");
    if (target == LW_NO_NODE || (!classes && !odds))
        return;
    struct lw_str cast = cast_of(c, f, target);
    bool whole = is_one(cast, "long", "int");
    if (!cast.n || classes == whole || is_cast_later(t, trace_value(c, f, target)))
        return;
    uint32_t made = trace_through(c, f, target, keeping, KEEPING);
    uint32_t plain = trace_through(c, f, syntax_owner(t, made), keeping, KEEPING);
    /* floats are right for probabilities of classes */
    if (classes && (lw_tree_kind(t, plain) != LW_NODE_NAME ||
                    !role_is_named(c, lw_tree_name(t, plain), ROLE_LABEL)))
        return;
    if (ck_is_told(c, f, call, "type/target-dtype"))
        return;
    ck_find_at(c, f, made, "type/target-cast", NULL, 0,
               classes
                   ? "%.*s() converts the class indices to floats, but the loss expects "
                     "integers: use long()"
                   : "%.*s() converts the targets to integers, but the loss expects floats: "
                     "use float()",
               LW_F(cast));
}

/* kl_div(log_p, log_q): the target is taken for probabilities. */
static void look_at_divergence(struct ck *c, struct ck_file *f, uint32_t call,
                               struct lw_str loss)
{
    static const char *const logs[] = {"log_softmax", "LogSoftmax", "logsigmoid"};
    const struct lw_tree *t = &f->tree;
    uint32_t target = program_argument(t, call, "target", 1);
    uint32_t func = trace_value(c, f, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (!is_one(loss, "KLDivLoss", "kl_div") || target == LW_NO_NODE ||
        syntax_has_keyword(t, call, "log_target") ||
        (lw_tree_kind(t, func) == LW_NODE_CALL && syntax_has_keyword(t, func, "log_target")))
        return;
    uint32_t made = trace_through(c, f, target, keeping, KEEPING);
    struct lw_str name = lw_tree_kind(t, made) == LW_NODE_CALL ? syntax_called_name(t, made)
                                                               : (struct lw_str){0};
    if (!text_is_any(name, logs, sizeof logs / sizeof *logs))
        return;
    ck_find_at(c, f, call, "type/log-target", NULL, 0,
               "the target holds log-probabilities, but this loss expects probabilities: use "
               "softmax() for the target, or pass log_target=True");
}

/* ---- masks that come too late -------------------------------------------------------------
 */

/* Is the loss one number: made with a reduction other than "none"? */
static bool is_reduced(struct ck *c, struct ck_file *f, uint32_t call)
{
    static const char *const settings[] = {"reduction", "reduce", "size_average"};
    const struct lw_tree *t = &f->tree;
    struct lw_str name = trace_called(c, f, call);
    uint32_t made = trace_value(c, f, lw_tree_get(t, call, LW_ROLE_FUNC));
    bool object = lw_str_has_suffix(name, LW_S("Loss"));
    if ((!object && !lw_str_has_suffix(name, LW_S("_loss")) &&
         !lw_str_has_suffix(name, LW_S("entropy"))) ||
        !lw_str_has_prefix(name, LW_S("torch.nn")))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (syntax_has_keyword(t, object ? made : call, settings[i]))
            return false;
    return !object || lw_tree_kind(t, made) == LW_NODE_CALL;
}

/* loss * mask, where the loss is a mean already. */
static void look_at_product(struct ck *c, struct ck_file *f, uint32_t node)
{
    const struct lw_tree *t = &f->tree;
    if (lw_tree_node(t, node)->op != LW_OP_MULT)
        return;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t mask = lw_tree_get(t, node, side ? LW_ROLE_LEFT : LW_ROLE_RIGHT);
        uint32_t loss = lw_tree_get(t, node, side ? LW_ROLE_RIGHT : LW_ROLE_LEFT);
        uint32_t call = lw_tree_kind(t, mask) == LW_NODE_NAME &&
                                role_is_named(c, lw_tree_name(t, mask), ROLE_MASK)
                            ? trace_value(c, f, loss)
                            : LW_NO_NODE;
        if (lw_tree_kind(t, call) != LW_NODE_CALL || !is_reduced(c, f, call))
            continue;
        ck_find_at(c, f, node, "type/mask-after-mean", NULL, 0,
                   "the loss is already a mean over all positions, so '%.*s' leaves none of "
                   "them out: use reduction=\"none\", then the mask, then the mean",
                   LW_F(lw_tree_name(t, mask)));
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    if (!program_imports(c, "torch"))
        return;
    for (uint32_t n = 0; n < f->tree.nodes.n; n++) {
        if (lw_tree_kind(&f->tree, n) == LW_NODE_BIN_OP)
            look_at_product(c, f, n);
        if (lw_tree_kind(&f->tree, n) != LW_NODE_CALL ||
            lw_tree_count(&f->tree, n, LW_ROLE_ARGS) +
                    lw_tree_count(&f->tree, n, LW_ROLE_KEYWORDS) <
                2)
            continue;
        struct lw_str loss = trace_called(c, f, n);
        if (!lw_str_has_prefix(loss, LW_S("torch.nn")))
            continue;
        look_at_cast(c, f, n, text_tail(loss));
        look_at_divergence(c, f, n, text_tail(loss));
    }
}

const struct ck_rule rules_type_loss_casts[] = {
    {"type/log-target type/mask-after-mean type/target-cast", CK_EV_END, watch_end},
    {0},
};
