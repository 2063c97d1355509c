/*
 * backward() of a loss that has no gradient, read from the text of a function: every tensor
 * that goes into the loss was made under no_grad() or behind detach(), whatever the network is.
 * Where values are known, the tables say the same of the tensor.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

enum { MAX_NAMES = 24 };

/* The walk from a loss to what it is made of. */
struct cut {
    const struct lw_tree *t;
    uint32_t top;                   /* the function, or the module */
    uint32_t pass;                  /* the loop around backward(), or `top` */
    struct lw_str names[MAX_NAMES]; /* those seen; the first `done` were followed */
    size_t n, done;
    bool cut;  /* something was computed without a gradient */
    bool open; /* something may have one: nothing can be said */
};

static void follow(struct cut *w, struct lw_str name)
{
    for (size_t i = 0; i < w->n; i++)
        if (lw_str_eq(w->names[i], name))
            return;
    if (w->n == MAX_NAMES)
        w->open = true;
    else
        w->names[w->n++] = name;
}

/* F.l1_loss, but not F.l1_loss(a, b).mean */
static bool is_dotted(const struct lw_tree *t, uint32_t node)
{
    while (node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE)
        node = lw_tree_get(t, node, LW_ROLE_VALUE);
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME;
}

/* criterion(…), F.cross_entropy(…), torch.mean(…), nn.MSELoss()(…): has no weights of its own.
 */
static bool is_weightless(const struct lw_tree *t, uint32_t func)
{
    static const char *const losses[] = {"criterion", "self.criterion", "loss_fn",
                                         "loss_func", "loss_function",  "self.loss_fn"};
    static const char *const plain[] = {"float", "len", "int", "range", "max", "min", "sum"};
    struct lw_str text = lw_tree_text(t, func);
    if (!is_dotted(t, func) ||
        (lw_str_has_prefix(text, LW_S("torch.nn.")) && !text_says(text, "functional")))
        return false;
    return text_is_any(text, losses, sizeof losses / sizeof *losses) ||
           text_is_any(text, plain, sizeof plain / sizeof *plain) ||
           lw_str_has_prefix(text, LW_S("F.")) || lw_str_has_prefix(text, LW_S("torch.")) ||
           lw_str_has_prefix(text, LW_S("nn.functional."));
}

/* x.detach(), x.data, x.item(): where the way to x ends. */
static bool ends_here(const struct lw_tree *t, uint32_t node)
{
    uint32_t attribute =
        lw_tree_kind(t, node) == LW_NODE_CALL ? lw_tree_get(t, node, LW_ROLE_FUNC) : node;
    if (attribute == LW_NO_NODE || lw_tree_kind(t, attribute) != LW_NODE_ATTRIBUTE)
        return false;
    struct lw_str name = lw_tree_name(t, attribute);
    return text_is(name, "detach") || text_is(name, "data") || text_is(name, "item");
}

/* Names of what is no tensor, or of what the network is told to answer. */
static bool is_plain_name(struct lw_str name)
{
    static const char *const parts[] = {"device", "size", "pad",  "num",    "idx",
                                        "class",  "clip", "dim",  "target", "label",
                                        "truth",  "gt",   "mask", "GT",     "batch"};
    static const char *const whole[] = {"args", "opt", "cfg", "config", "opts", "FLAGS", "y"};
    if (text_is_any(name, whole, sizeof whole / sizeof *whole))
        return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (text_says(name, parts[i]))
            return true;
    return false;
}

/* A name or `args.weight` that the expression reads. */
static void read_leaf(struct cut *w, uint32_t node)
{
    const struct lw_tree *t = w->t;
    struct lw_str text = lw_tree_text(t, node), name = lw_tree_name(t, node);
    if (lw_tree_kind(t, node) == LW_NODE_NAME) {
        follow(w, name);
        return;
    }
    ptrdiff_t dot = lw_str_find_char(text, '.');
    struct lw_str root = dot < 0 ? text : lw_str_n(text.p, (size_t)dot);
    bool about = text_is(name, "shape") || text_is(name, "dtype") || text_is(name, "device");
    if (!about && !is_plain_name(root) && !is_plain_name(name))
        w->open = true; /* self.log_vars may be a weight */
}

/* out.view(-1): a method, of a tensor as far as the text can tell; self.net(x) is none. */
static bool is_method(const struct lw_tree *t, uint32_t func)
{
    return lw_tree_kind(t, func) == LW_NODE_ATTRIBUTE && !syntax_is_of_self(t, func) &&
           lw_tree_kind(t, lw_tree_get(t, func, LW_ROLE_VALUE)) != LW_NODE_ATTRIBUTE;
}

static bool is_closed_kind(enum lw_node_kind kind)
{
    return kind == LW_NODE_LAMBDA || kind == LW_NODE_GENERATOR || kind == LW_NODE_LIST_COMP ||
           kind == LW_NODE_AWAIT;
}

/* What the expression is made of. */
static void read_expression(struct cut *w, uint32_t top)
{
    const struct lw_tree *t = w->t;
    uint32_t callee = LW_NO_NODE; /* no operand itself */
    for (uint32_t n = top; n != LW_NO_NODE && !w->open;) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        bool skip = n == callee || (enum lw_role)lw_tree_node(t, n)->role == LW_ROLE_SLICE;
        if (skip) {
            callee = n == callee ? LW_NO_NODE : callee;
        } else if (ends_here(t, n)) {
            w->cut = skip = true;
        } else if (kind == LW_NODE_CALL) {
            uint32_t func = lw_tree_get(t, n, LW_ROLE_FUNC);
            if (func != LW_NO_NODE && is_weightless(t, func))
                callee = func;
            else
                w->open = func == LW_NO_NODE || !is_method(t, func);
        } else if (is_closed_kind(kind)) {
            w->open = true;
        } else if (kind == LW_NODE_NAME ||
                   (kind == LW_NODE_ATTRIBUTE &&
                    (enum lw_role)lw_tree_node(t, n)->role != LW_ROLE_FUNC)) {
            read_leaf(w, n);
            skip = true;
        }
        n = lw_tree_next(t, top, n, skip);
    }
}

/* Is the name among the targets? */
static bool is_target(const struct lw_tree *t, uint32_t target, struct lw_str name)
{
    return target != LW_NO_NODE && syntax_has_name(t, target, name) &&
           (lw_tree_kind(t, target) == LW_NODE_NAME ||
            lw_tree_kind(t, target) == LW_NODE_TUPLE);
}

/* Everything that the name is given inside `top`; false: nothing. */
static bool read_assigned(struct cut *w, struct lw_str name, uint32_t top)
{
    const struct lw_tree *t = w->t;
    bool found = false;
    for (uint32_t n = top; n != LW_NO_NODE && !w->open; n = lw_tree_next(t, top, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        uint32_t value = LW_NO_NODE;
        if (kind == LW_NODE_ASSIGN && is_target(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name))
            value = lw_tree_get(t, n, LW_ROLE_VALUE);
        else if (kind == LW_NODE_AUG_ASSIGN &&
                 is_target(t, lw_tree_get(t, n, LW_ROLE_TARGET), name))
            value = lw_tree_get(t, n, LW_ROLE_VALUE);
        else if ((kind == LW_NODE_FOR || kind == LW_NODE_COMPREHENSION) &&
                 is_target(t, lw_tree_get(t, n, LW_ROLE_TARGET), name))
            found = true; /* a batch */
        if (value == LW_NO_NODE)
            continue;
        found = true;
        if (protocol_is_without_gradient(t, n))
            w->cut |= lw_tree_kind(t, value) == LW_NODE_CALL;
        else
            read_expression(w, value);
    }
    return found;
}

/* What is given in the loop hides what was given before it. */
static void read_name(struct cut *w, struct lw_str name)
{
    if (!read_assigned(w, name, w->pass) &&
        (w->pass == w->top || !read_assigned(w, name, w->top)) && !is_plain_name(name))
        w->open = true; /* a parameter, or a variable of the module */
}

static void check_backward(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t loss = syntax_owner(t, call), f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    uint32_t loop = syntax_loop_around(t, call), top = f == LW_NO_NODE ? t->root : f;
    struct cut w = {.t = t, .top = top, .pass = loop == LW_NO_NODE ? top : loop};
    if (loss == LW_NO_NODE || lw_tree_kind(t, loss) != LW_NODE_NAME ||
        text_says(lw_tree_text(t, w.top), "requires_grad") ||
        protocol_is_without_gradient(t, call))
        return;
    follow(&w, lw_tree_name(t, loss));
    while (w.done < w.n && !w.open)
        read_name(&w, w.names[w.done++]);
    if (w.open || !w.cut)
        return;
    ck_find_at(c, file, call, "api/backward-no-grad", NULL, 0,
               "backward() fails: '%.*s' does not require grad, because all its inputs were "
               "computed under no_grad() or detached",
               LW_F(lw_tree_name(t, loss)));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_file_shows(c, file, "name *torch*") || !ck_file_shows(c, file, "call .backward") ||
        (!ck_file_shows(c, file, "name *no_grad*") &&
         !ck_file_shows(c, file, "call detach()") &&
         !ck_file_shows(c, file, "attribute data*")))
        return;
    for (uint32_t n = syntax_next_call(t, t->root, t->root, "backward"); n != LW_NO_NODE;
         n = syntax_next_call(t, t->root, n, "backward"))
        check_backward(c, file, n);
}

const struct ck_rule rules_api_backward_no_grad[] = {
    {"api/backward-no-grad", CK_EV_END, watch_end},
    {0},
};
