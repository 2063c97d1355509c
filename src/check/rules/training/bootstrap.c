/* Rules about targets that a network computes for itself: r + gamma * Q(s'). */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/protocol.h"
#include "check/query/roles.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_LOOKS = 64, MOST_PARTS = 24, MOST_NODES = 256 /* of one expression */ };

/* The parts of an expression, names replaced by what they were given. */
struct parts {
    uint32_t v[MOST_PARTS];
    size_t n;
};

static void add_part(struct ck *c, struct ck_file *f, struct parts *p, uint32_t node)
{
    uint32_t value = trace_value(c, f, node);
    if (value != LW_NO_NODE && p->n < MOST_PARTS)
        p->v[p->n++] = value;
}

/* All that the value is computed from, as far as the function shows. */
static void collect(struct ck *c, struct ck_file *f, uint32_t node, struct parts *p)
{
    const struct lw_tree *t = &f->tree;
    *p = (struct parts){0};
    add_part(c, f, p, node);
    for (size_t i = 0; i < p->n; i++) {
        uint32_t top = p->v[i], seen = 0;
        for (uint32_t n = top; n != LW_NO_NODE && seen++ < MOST_NODES;
             n = lw_tree_next(t, top, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_NAME && n != top && trace_value(c, f, n) != n &&
                lw_tree_node(t, n)->role != LW_ROLE_FUNC)
                add_part(c, f, p, n);
    }
}

/* Is the gradient cut anywhere on the way? `again` is the call of the network. */
static bool is_cut(const struct lw_tree *t, const struct parts *p, uint32_t again)
{
    static const char *const cuts[] = {"detach", "detach_", "item", "numpy", "tolist"};
    static const char *const makers[] = {"tensor", "Variable", "FloatTensor", "as_tensor"};
    for (size_t i = 0; i < p->n; i++) {
        bool own = syntax_inside(t, again, p->v[i]);
        if (trace_has_call(t, p->v[i], cuts, sizeof cuts / sizeof *cuts) ||
            (own && (protocol_is_without_gradient(t, p->v[i]) ||
                     trace_has_call(t, p->v[i], makers, sizeof makers / sizeof *makers))))
            return true;
        for (uint32_t n = p->v[i]; n != LW_NO_NODE; n = lw_tree_next(t, p->v[i], n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, n), "data"))
                return true;
    }
    return false;
}

/* r + gamma * value in one of the parts. */
static bool is_discounted(const struct ck *c, const struct lw_tree *t, const struct parts *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t n = p->v[i]; n != LW_NO_NODE; n = lw_tree_next(t, p->v[i], n, false))
            if (lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_ADD &&
                role_is_within(c, t, lw_tree_get(t, n, LW_ROLE_LEFT), ROLE_REWARD) &&
                role_is_within(c, t, lw_tree_get(t, n, LW_ROLE_RIGHT), ROLE_DISCOUNT))
                return true;
    return false;
}

/* The call of a network in the parts: self.q(x), net(x); LW_NO_NODE: none. */
static uint32_t network_call(struct ck *c, const struct ck_file *f, const struct parts *p,
                             struct lw_str called)
{
    const struct lw_tree *t = &f->tree;
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t n = p->v[i]; n != LW_NO_NODE; n = lw_tree_next(t, p->v[i], n, false)) {
            uint32_t func = lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC)
                                                               : LW_NO_NODE;
            bool plain = lw_tree_kind(t, func) == LW_NODE_NAME || syntax_is_of_self(t, func);
            if (plain && (called.n ? lw_str_eq(lw_tree_text(t, func), called)
                                   : role_is_named(c, lw_tree_name(t, func), ROLE_NETWORK) &&
                                         !trace_library(c, f, func).n))
                return n;
        }
    return LW_NO_NODE;
}

/* loss(q, target), where both come from the same network and the target has its gradient. */
static void look_at_loss(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    struct parts q, target;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t one = program_argument(t, call, side ? "target" : "input", side);
        uint32_t other = program_argument(t, call, side ? "input" : "target", 1 - side);
        if (one == LW_NO_NODE || other == LW_NO_NODE)
            return;
        collect(c, f, one, &target);
        collect(c, f, other, &q);
        uint32_t net = network_call(c, f, &q, (struct lw_str){0});
        if (net == LW_NO_NODE || !is_discounted(c, t, &target) || is_discounted(c, t, &q))
            continue;
        uint32_t again =
            network_call(c, f, &target, lw_tree_text(t, lw_tree_get(t, net, LW_ROLE_FUNC)));
        if (again == LW_NO_NODE || again == net || is_cut(t, &target, again))
            continue;
        ck_find_at(c, f, again, "training/target-not-detached", NULL, 0,
                   "the target is computed with gradients by the network that it trains, so "
                   "the loss also moves the target: use detach() or no_grad()");
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    static const char *const losses[] = {"mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss",
                                         "MSELoss",  "SmoothL1Loss",   "HuberLoss",  "L1Loss"};
    (void)e;
    struct ck_file *f = c->files.v[0];
    if (!program_imports(c, "torch"))
        return;
    for (uint32_t n = 0; n < f->tree.nodes.n; n++) {
        if (lw_tree_kind(&f->tree, n) != LW_NODE_CALL ||
            lw_tree_count(&f->tree, n, LW_ROLE_ARGS) < 2 ||
            !text_is_any(trace_called_last(c, f, n), losses, sizeof losses / sizeof *losses) ||
            !look_again(c, losses, MOST_LOOKS))
            continue;
        look_at_loss(c, f, n);
    }
}

const struct ck_rule rules_training_bootstrap[] = {
    {"training/target-not-detached", CK_EV_END, watch_end},
    {0},
};
