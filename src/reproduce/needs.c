#include "reproduce/needs.h"

#include "base/str.h"

enum { FOLLOW_MAX = 3, OUTER_MAX = 8 };

struct walk {
    const struct rp_program *p;
    struct rp_uses *out;
    size_t all, attributes; /* uses, and those that are attributes */
    int depth;
};

struct lw_str rp_callee(const struct lw_tree *t, uint32_t call)
{
    return lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
}

uint32_t rp_symbol(const struct rp_program *p, uint32_t node)
{
    uint32_t s =
        lw_names_lookup(&p->names, p->names.scope_of.v[node], lw_tree_name(&p->tree, node));
    bool bound = s != LW_NO_SYMBOL && (p->names.symbols.v[s].flags & LW_SYMBOL_BOUND);
    return bound ? s : LW_NO_SYMBOL;
}

static enum lw_role role_in(const struct lw_tree *t, uint32_t node)
{
    return (enum lw_role)lw_tree_node(t, node)->role;
}

/* ---- One use -------------------------------------------------------------------------------
 */

/* Where the value of an expression goes: the target of an assignment or of a loop. */
static void look_at_result(struct walk *w, uint32_t node)
{
    const struct lw_tree *t = &w->p->tree;
    uint32_t parent = lw_tree_parent(t, node);
    enum lw_node_kind kind = lw_tree_kind(t, parent);
    if (kind == LW_NODE_STARRED && w->out->starred == LW_NO_NODE)
        w->out->starred = lw_tree_parent(t, parent);
    if (w->out->target != LW_NO_NODE)
        return;
    if (kind == LW_NODE_ASSIGN && role_in(t, node) == LW_ROLE_VALUE)
        w->out->target = lw_tree_get(t, parent, LW_ROLE_TARGETS);
    if ((kind == LW_NODE_FOR || kind == LW_NODE_COMPREHENSION) &&
        role_in(t, node) == LW_ROLE_ITER) {
        w->out->target = lw_tree_get(t, parent, LW_ROLE_TARGET);
        w->out->iterated = true;
    }
}

static uint32_t argument_number(const struct lw_tree *t, uint32_t call, uint32_t node)
{
    uint32_t n = 0, a = LW_NO_NODE;
    while ((a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) != LW_NO_NODE && a != node)
        n++;
    return n;
}

static void walk_symbol(struct walk *w, uint32_t symbol, struct lw_str name);

/* The uses of the parameter that the argument is bound to. */
static void follow(struct walk *w, uint32_t call, uint32_t number, struct lw_str keyword)
{
    const struct rp_program *p = w->p;
    const struct lw_tree *t = &p->tree;
    uint32_t def = lw_names_callee(&p->names, call), param = LW_NO_NODE;
    if (def == LW_NO_NODE || w->depth == FOLLOW_MAX)
        return;
    if (lw_tree_kind(t, def) == LW_NODE_CLASS) {
        def = lw_names_method(&p->names, def, LW_S("__init__"));
        number++;
    } else if (lw_tree_kind(t, lw_tree_get(t, call, LW_ROLE_FUNC)) == LW_NODE_ATTRIBUTE) {
        number++; /* self */
    }
    uint32_t params = lw_tree_get(t, def, LW_ROLE_ARGS);
    while ((param = lw_tree_each(t, params, LW_ROLE_ARGS, param)) != LW_NO_NODE) {
        struct lw_str name = lw_tree_name(t, param);
        if (keyword.n ? lw_str_eq(name, keyword) : number-- == 0)
            break;
    }
    if (param == LW_NO_NODE)
        return;
    uint32_t symbol = p->names.symbol_of.v[param];
    if (symbol == LW_NO_SYMBOL)
        return;
    w->depth++;
    walk_symbol(w, symbol, lw_tree_name(t, param));
    w->depth--;
}

static bool is_loss(const struct rp_program *p, uint32_t call)
{
    struct rp_known_name known;
    struct lw_str name = rp_callee(&p->tree, call);
    if (rp_loss_target(p->tables, name) != RP_TARGET_NONE || lw_str_eq(name, LW_S("loss")))
        return true;
    if (rp_known_name(p->tables, name, &known) && known.role == RP_ROLE_CRITERION)
        return true;
    /* nn.CrossEntropyLoss()(output, target) */
    uint32_t func = lw_tree_get(&p->tree, call, LW_ROLE_FUNC);
    return lw_tree_kind(&p->tree, func) == LW_NODE_CALL && is_loss(p, func);
}

static bool is_model(const struct rp_program *p, uint32_t call)
{
    struct rp_known_name known;
    struct lw_str name = rp_callee(&p->tree, call);
    if (rp_known_name(p->tables, name, &known) && known.role == RP_ROLE_MODEL)
        return true;
    return lw_str_eq(name, LW_S("forward"));
}

static void look_at_argument(struct walk *w, uint32_t call, uint32_t number,
                             struct lw_str keyword)
{
    const struct rp_program *p = w->p;
    struct lw_str callee = rp_callee(&p->tree, call);
    if (w->out->keyword.n == 0)
        w->out->keyword = keyword;
    if (is_loss(p, call)) {
        w->out->to_loss |= number == 1;
        w->out->to_model |= number == 0;
    } else if (is_model(p, call)) {
        w->out->to_model = true;
    } else if (lw_str_eq(callee, LW_S("range"))) {
        w->out->to_range = true;
    } else if (number == 0 && (lw_str_eq(callee, LW_S("DataLoader")) ||
                               lw_str_eq(callee, LW_S("random_split")))) {
        w->out->to_loader = true;
    } else if (number == 0 &&
               (lw_str_eq(callee, LW_S("enumerate")) || lw_str_eq(callee, LW_S("tqdm")) ||
                lw_str_eq(callee, LW_S("iter")))) {
        uint32_t parent = lw_tree_parent(&p->tree, call);
        if (lw_tree_kind(&p->tree, parent) != LW_NODE_FOR)
            return;
        w->out->iterated = true;
        uint32_t target = lw_tree_get(&p->tree, parent, LW_ROLE_TARGET);
        if (lw_str_eq(callee, LW_S("enumerate")))
            target = lw_tree_each(&p->tree, target, LW_ROLE_ELTS,
                                  lw_tree_get(&p->tree, target, LW_ROLE_ELTS));
        w->out->target = target;
    } else {
        follow(w, call, number, keyword);
    }
}

static void look_at_attribute(struct walk *w, uint32_t attribute)
{
    struct rp_uses *out = w->out;
    struct lw_str name = lw_tree_name(&w->p->tree, attribute);
    enum rp_role hint = rp_attribute_role(w->p->tables, name);
    w->attributes++;
    if (hint != RP_ROLE_UNKNOWN && out->hint == RP_ROLE_UNKNOWN)
        out->hint = hint;
    for (size_t i = 0; i < out->attribute_count; i++)
        if (lw_str_eq(out->attributes[i], name))
            return;
    if (out->attribute_count < RP_ATTRIBUTES_MAX)
        out->attributes[out->attribute_count++] = name;
}

/* `y[rows].float()` is used as y is: the call that it is an argument of. */
static void look_at_outer(struct walk *w, uint32_t node)
{
    const struct lw_tree *t = &w->p->tree;
    for (int steps = 0; steps < OUTER_MAX; steps++) {
        uint32_t parent = lw_tree_parent(t, node);
        enum lw_node_kind kind = lw_tree_kind(t, parent);
        enum lw_role role = role_in(t, node);
        if (kind == LW_NODE_CALL && role == LW_ROLE_ARGS &&
            lw_tree_kind(t, node) != LW_NODE_ATTRIBUTE) {
            look_at_argument(w, parent, argument_number(t, parent, node), LW_S(""));
            return;
        }
        bool inside = (kind == LW_NODE_CALL && role == LW_ROLE_FUNC) ||
                      (kind == LW_NODE_SUBSCRIPT && role == LW_ROLE_VALUE) ||
                      kind == LW_NODE_ATTRIBUTE;
        if (!inside)
            return;
        node = parent;
    }
}

static void look_at(struct walk *w, uint32_t node)
{
    const struct lw_tree *t = &w->p->tree;
    uint32_t parent = lw_tree_parent(t, node);
    enum lw_role role = role_in(t, node);
    w->all++;
    switch (lw_tree_kind(t, parent)) {
    case LW_NODE_CALL:
        if (role == LW_ROLE_FUNC) {
            w->out->called = true;
            look_at_result(w, parent);
        } else {
            look_at_argument(w, parent, argument_number(t, parent, node), LW_S(""));
        }
        break;
    case LW_NODE_KEYWORD:
        look_at_argument(w, lw_tree_parent(t, parent), UINT32_MAX, lw_tree_name(t, parent));
        break;
    case LW_NODE_ATTRIBUTE:
        look_at_attribute(w, parent);
        look_at_outer(w, parent);
        break;
    case LW_NODE_CLASS: w->out->based = true; break;
    case LW_NODE_COMPARE: w->out->compared = true; break;
    case LW_NODE_BIN_OP: w->out->calculated = true; break;
    case LW_NODE_SUBSCRIPT:
        w->out->indexed |= role == LW_ROLE_VALUE;
        if (role == LW_ROLE_VALUE)
            look_at_outer(w, parent);
        break;
    default: look_at_result(w, node); break;
    }
}

/* ---- All uses ------------------------------------------------------------------------------
 */

static void walk_symbol(struct walk *w, uint32_t symbol, struct lw_str name)
{
    const struct rp_program *p = w->p;
    for (uint32_t n = 0; n < p->tree.nodes.n; n++) {
        if (lw_tree_kind(&p->tree, n) != LW_NODE_NAME ||
            !lw_str_eq(lw_tree_name(&p->tree, n), name) || rp_symbol(p, n) != symbol)
            continue;
        enum lw_role role = role_in(&p->tree, n);
        if (role != LW_ROLE_TARGET && role != LW_ROLE_TARGETS)
            look_at(w, n);
    }
}

void rp_uses_of(const struct rp_program *p, struct rp_uses *out, uint32_t symbol,
                struct lw_str name)
{
    struct walk w = {.p = p, .out = out};
    *out = (struct rp_uses){.target = LW_NO_NODE, .starred = LW_NO_NODE};
    walk_symbol(&w, symbol, name);
    out->only_module = w.all > 0 && w.all == w.attributes;
}

static bool is_capital(struct lw_str name)
{
    return name.n > 1 && name.p[0] >= 'A' && name.p[0] <= 'Z' && name.p[1] >= 'a' &&
           name.p[1] <= 'z';
}

enum rp_role rp_role_of(const struct rp_program *p, const struct rp_uses *uses,
                        struct lw_str name, struct rp_known_name *known)
{
    struct rp_known_name other;
    known = known ? known : &other;
    bool is_known = rp_known_name(p->tables, name, known);
    if (uses->based || (uses->called && is_capital(name)))
        return RP_ROLE_CLASS;
    if (uses->hint == RP_ROLE_MODEL ||
        (is_known && known->role == RP_ROLE_MODEL && uses->called))
        return RP_ROLE_MODEL;
    if (is_known && known->role == RP_ROLE_CRITERION && uses->called)
        return RP_ROLE_CRITERION;
    if (uses->called)
        return RP_ROLE_FUNCTION;
    if (uses->hint != RP_ROLE_UNKNOWN && !(is_known && known->role == RP_ROLE_TARGET))
        return is_known && uses->hint != RP_ROLE_MODEL ? known->role : uses->hint;
    if (uses->to_loader)
        return RP_ROLE_DATASET;
    if (uses->iterated && uses->target != LW_NO_NODE &&
        lw_tree_kind(&p->tree, uses->target) == LW_NODE_TUPLE)
        return RP_ROLE_LOADER;
    if (uses->to_loss)
        return RP_ROLE_TARGET;
    if (is_known)
        return known->role;
    if (uses->to_model)
        return RP_ROLE_INPUT;
    if (uses->to_range)
        return RP_ROLE_NUMBER;
    /* lr=learn_rate: what the argument is called tells what the name is */
    if (uses->keyword.n > 0 && rp_known_name(p->tables, uses->keyword, known) &&
        known->role == RP_ROLE_NUMBER)
        return RP_ROLE_NUMBER;
    if (uses->compared)
        return RP_ROLE_TARGET;
    return uses->indexed ? RP_ROLE_INPUT : RP_ROLE_UNKNOWN;
}

/* What the parts of a result are: `x, y = make_batch(32)`. */
static void find_parts(const struct rp_program *p, struct rp_need *need)
{
    const struct lw_tree *t = &p->tree;
    uint32_t e = LW_NO_NODE;
    if (need->uses.target == LW_NO_NODE || lw_tree_kind(t, need->uses.target) != LW_NODE_TUPLE)
        return;
    while (need->part_count < RP_PARTS_MAX &&
           (e = lw_tree_each(t, need->uses.target, LW_ROLE_ELTS, e)) != LW_NO_NODE) {
        struct rp_uses uses;
        struct lw_str name = lw_tree_name(t, e);
        uint32_t symbol = lw_tree_kind(t, e) == LW_NODE_NAME ? rp_symbol(p, e) : LW_NO_SYMBOL;
        rp_uses_of(p, &uses, symbol, name);
        need->part_names[need->part_count] = name;
        need->parts[need->part_count++] =
            symbol == LW_NO_SYMBOL ? RP_ROLE_UNKNOWN : rp_role_of(p, &uses, name, NULL);
    }
}

static bool is_listed(const struct rp_need *v, size_t n, struct lw_str name)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_eq(v[i].name, name))
            return true;
    return false;
}

size_t rp_needs_find(const struct rp_program *p, struct rp_need *out, size_t max)
{
    const struct lw_tree *t = &p->tree;
    size_t n = 0;
    for (uint32_t node = lw_tree_next(t, t->root, t->root, false);
         node != LW_NO_NODE && n < max; node = lw_tree_next(t, t->root, node, false)) {
        struct lw_str name = lw_tree_name(t, node);
        if (lw_tree_kind(t, node) != LW_NODE_NAME || rp_symbol(p, node) != LW_NO_SYMBOL ||
            rp_is_builtin(p->tables, name) || is_listed(out, n, name))
            continue;
        out[n] = (struct rp_need){.name = name, .node = node};
        rp_uses_of(p, &out[n].uses, LW_NO_SYMBOL, name);
        out[n].role = rp_role_of(p, &out[n].uses, name, &out[n].known);
        find_parts(p, &out[n]);
        n++;
    }
    return n;
}
