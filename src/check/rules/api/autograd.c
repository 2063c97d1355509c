/* Rules about what autograd keeps: leaves, views, saved values. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum { MAX_FREED = 512, MAX_WALK = 400, MAX_SEEN = 2000 };

/* ---- backward -----------------------------------------------------------------------------
 */

/* Tensors whose graph was used up. */
struct freed {
    uint32_t ids[MAX_FREED];
    size_t n;
};

static const char freed_key;

struct graph_walk {
    uint32_t ids[MAX_WALK]; /* that keep tensors for their backward pass */
    size_t n;
    uint32_t seen[MAX_SEEN]; /* all: skip connections have many ways through a graph */
    size_t seen_count;
};

/* Does the operation keep tensors for its backward pass? */
static bool keeps_tensors(const struct ck_origin *o)
{
    static const char *const kept[] = {"*",      "/",    "**",      "@",       "sigmoid",
                                       "tanh",   "exp",  "log",     "softmax", "relu",
                                       "matmul", "bmm",  "pow",     "loss",    "entropy",
                                       "conv",   "norm", "dropout", "linear",  "einsum"};
    if (o->layer)
        return true;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (lw_str_find(o->op, lw_str(kept[i])) >= 0)
            return true;
    return false;
}

static bool stops_gradients(struct lw_str op)
{
    return lw_str_has_suffix(op, LW_S(".detach")) || lw_str_has_suffix(op, LW_S(".data")) ||
           lw_str_has_suffix(op, LW_S(".item")) || lw_str_has_suffix(op, LW_S(".grad"));
}

/* The tensors a loss was computed from, as far as gradients flow. */
static void walk_graph(struct ck *c, struct graph_walk *w, struct lw_value v, unsigned depth)
{
    struct lw_seq seq;
    if (depth > 60 || w->n >= MAX_WALK)
        return;
    if (v.kind != LW_V_TENSOR) {
        if (v.kind != CK_INSTANCE && ck_sequence(c, v, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                walk_graph(c, w, seq.items[i], depth + 1);
        return;
    }
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!o || v.tensor->grad != LW_TRI_YES || v.tensor->variable == LW_TRI_YES ||
        stops_gradients(o->op))
        return;
    for (size_t i = 0; i < w->seen_count; i++)
        if (w->seen[i] == v.tensor->id)
            return;
    if (w->seen_count == MAX_SEEN)
        return;
    w->seen[w->seen_count++] = v.tensor->id;
    if (keeps_tensors(o))
        w->ids[w->n++] = v.tensor->id;
    for (uint32_t i = 0; i < o->in_count; i++)
        walk_graph(c, w, o->in[i], depth + 1);
}

/* for r, p in steps: loss = -log(p) * r: is `name` made of the item of the loop? Batches of a
 * loader are no such items: what is computed from them goes through the model. */
static bool is_made_of(const struct lw_tree *t, uint32_t loop, struct lw_str name,
                       uint32_t item)
{
    uint32_t over = lw_tree_get(t, loop, LW_ROLE_ITER);
    if (item == LW_NO_NODE || over == LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, over), LW_S("self.")) == LW_NPOS)
        return false;
    for (uint32_t n = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, loop, LW_ROLE_BODY, n)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN ||
            !lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            continue;
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        for (uint32_t x = item; x != LW_NO_NODE; x = lw_tree_next(t, item, x, false))
            if (lw_tree_kind(t, x) == LW_NODE_NAME &&
                syntax_has_name(t, value, lw_tree_name(t, x)))
                return true;
    }
    return false;
}

/* for l in losses: l.backward(): another one each time. */
static bool is_item_of_loop(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = call == LW_NO_NODE ? LW_NO_NODE : syntax_owner(t, call);
    if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME)
        return false;
    for (uint32_t loop = syntax_loop_around(t, call); loop != LW_NO_NODE;
         loop = syntax_loop_around(t, loop)) {
        uint32_t item = lw_tree_get(t, loop, LW_ROLE_TARGET);
        if (syntax_has_name(t, item, lw_tree_name(t, owner)) ||
            is_made_of(t, loop, lw_tree_name(t, owner), item))
            return true;
    }
    return false;
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    struct freed *f = ck_state(c, &freed_key, sizeof *f);
    struct graph_walk *w = lw_arena_alloc(c->arena, sizeof *w);
    struct lw_value keep = ck_arg(e->call, 1, "retain_graph");
    if (keep.kind == LW_V_ABSENT) /* before PyTorch 0.2 */
        keep = ck_arg(e->call, 1, "retain_variables");
    if (!f || !w || e->a.kind != LW_V_TENSOR || e->a.tensor->id == 0)
        return;
    bool kept =
        keep.kind != LW_V_ABSENT && keep.kind != LW_V_NONE && ck_truth(c, keep) != LW_TRI_NO;
    if (is_item_of_loop(&c->frame->file->tree, e->node))
        return;
    walk_graph(c, w, e->a, 0);
    if (w->n == 0 && ck_origin_of(c, e->a))
        w->ids[w->n++] = e->a.tensor->id;
    for (size_t k = 0; k < w->n; k++)
        for (size_t i = 0; i < f->n; i++)
            if (f->ids[i] == w->ids[k]) {
                ck_find(c, e->node, "api/backward-twice", &e->a, 1,
                        "backward() runs twice through the same graph: add the losses and call "
                        "backward() once, or compute the loss again in each step");
                return;
            }
    if (kept || !ck_is_certain(c))
        return;
    for (size_t k = 0; k < w->n && f->n < MAX_FREED; k++)
        f->ids[f->n++] = w->ids[k];
}

/* ---- in place -----------------------------------------------------------------------------
 */

/* Operations whose backward pass reads their own result. */
static bool reads_result(struct lw_str op)
{
    static const char *const known[] = {"torch.sigmoid",
                                        "torch.tanh",
                                        "torch.exp",
                                        "torch.softmax",
                                        "torch.relu",
                                        "torch.sqrt",
                                        "torch.nn.Sigmoid",
                                        "torch.nn.Tanh",
                                        "torch.nn.ReLU",
                                        "torch.nn.Softmax",
                                        "torch.nn.functional.relu",
                                        "torch.nn.functional.softmax",
                                        "torch.nn.functional.sigmoid",
                                        "torch.nn.functional.tanh",
                                        "torch.log_softmax",
                                        "torch.nn.functional.log_softmax"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(op, lw_str(known[i])))
            return true;
    return false;
}

static bool is_trained(const struct lw_tensor *t)
{
    return t->framework == LW_TORCH && t->grad == LW_TRI_YES;
}

/* Is the tensor a trained leaf that the program made with requires_grad, or a parameter? */
static bool is_leaf(const struct lw_tensor *t)
{
    return is_trained(t) && t->variable == LW_TRI_YES;
}

/* Is it done only when nothing is trained: under `if not self.training`? */
static bool is_inference(const struct lw_tree *t, uint32_t node)
{
    uint32_t s = lw_tree_statement(t, node);
    for (uint32_t n = lw_tree_enclosing(t, s, LW_NODE_IF); n != LW_NO_NODE;
         n = lw_tree_enclosing(t, n, LW_NODE_IF)) {
        uint32_t test = lw_tree_get(t, n, LW_ROLE_TEST);
        uint32_t mode = lw_tree_kind(t, test) == LW_NODE_UNARY_OP
                            ? lw_tree_get(t, test, LW_ROLE_OPERAND)
                            : LW_NO_NODE;
        if (text_is(lw_tree_name(t, mode), "training") &&
            lw_tree_node(t, test)->op == LW_OP_NOT)
            return true;
    }
    return false;
}

/* Results that were changed in place, until a backward() goes through them. */
enum { MAX_SPOILT = 64 };
struct spoilt {
    struct {
        uint32_t id, node;
        struct ck_file *file;
        struct lw_str by; /* the operation that saved the result */
    } v[MAX_SPOILT];
    size_t n;
};

static const char spoilt_key;

#define SPOILT                                                                           \
    "the output of %.*s is changed in place, but backward() needs the original values; " \
    "create a new tensor (x = x * …, masked_fill, where)"

static void spoil(struct ck *c, struct lw_value v, uint32_t node, struct lw_str by)
{
    struct spoilt *s = ck_state(c, &spoilt_key, sizeof *s);
    if (!s || s->n == MAX_SPOILT)
        return;
    s->v[s->n].id = v.tensor->id;
    s->v[s->n].node = node;
    s->v[s->n].file = c->frame->file;
    s->v[s->n++].by = by;
}

static void watch_spoilt(struct ck *c, const struct ck_event *e)
{
    struct spoilt *s = ck_state(c, &spoilt_key, sizeof *s);
    struct graph_walk *w = s && s->n ? lw_arena_alloc(c->arena, sizeof *w) : NULL;
    if (!w)
        return;
    walk_graph(c, w, e->a, 0);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < w->seen_count; k++)
            if (w->seen[k] == s->v[i].id)
                ck_find_at(c, s->v[i].file, s->v[i].node, "api/inplace-on-saved", NULL, 0,
                           SPOILT, LW_F(s->v[i].by));
}

/* A function that nothing calls is believed to be trained; else backward() has to be seen. */
static void changed(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    if (v.kind != LW_V_TENSOR || ck_grad_off(c))
        return;
    if (is_leaf(v.tensor)) {
        ck_find(c, node, "api/leaf-inplace", &v, 1,
                "a leaf tensor that requires grad is changed in place: do it inside "
                "torch.no_grad()");
        return;
    }
    if (!is_trained(v.tensor) || !o || !reads_result(o->op) ||
        is_inference(&c->frame->file->tree, node))
        return;
    struct lw_str by = text_tail(o->op);
    if (!ck_is_driven(c))
        spoil(c, v, node, by);
    else
        ck_find_as(c, node, LW_S("api/inplace-on-saved"), LW_SEVERITY_WARNING, &v, 1,
                   ck_text(c, SPOILT, LW_F(by)));
}

static void make_no_grad(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node);
    if (lw_tree_get(f->t, own, LW_ROLE_BODY) == LW_NO_NODE)
        fix_without_gradients(f, own);
}

/* x.mul_(y) -> x = x.mul(y) */
static void renew_by_method(struct fix *f, uint32_t own)
{
    uint32_t callee = fix_callee(f, f->node), owner = syntax_owner(f->t, f->node);
    struct lw_str name = fix_name(f, callee);
    if (fix_kind(f, own) != LW_NODE_EXPR || lw_tree_get(f->t, own, LW_ROLE_VALUE) != f->node ||
        fix_kind(f, owner) != LW_NODE_NAME || !lw_str_has_suffix(name, LW_S("_")))
        return;
    fix_say(f, "create a new tensor");
    fix_insert(f, lw_tree_start(f->t, own), ck_text(f->c, "%.*s = ", LW_F(fix_text(f, owner))));
    fix_token(f, lw_tree_name_token(f->t, callee), lw_str_part(name, 0, name.n - 1));
}

/* What the backward pass needs is left alone, a copy is changed. */
static void make_own_copy(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node);
    uint32_t owner = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(f->t, f->node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (fix_kind(f, own) == LW_NODE_AUG_ASSIGN) {
        fix_new_value(f);
    } else if (fix_is_call(f, f->node)) {
        renew_by_method(f, own);
    } else if (fix_kind(f, owner) == LW_NODE_NAME) {
        struct lw_str name = fix_text(f, owner);
        fix_say(f, "change a copy of '%.*s'", LW_F(name));
        fix_line_before(f, own, ck_text(f->c, "%.*s = %.*s.clone()", LW_F(name), LW_F(name)));
    }
}

static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    changed(c, e->a, e->node);
}

static void watch_store(struct ck *c, const struct ck_event *e)
{
    changed(c, e->a, e->node);
}

/* w = w - rate * w.grad in a loop: the new w is a result, or needs no gradient, and the next
 * backward() leaves nothing in its grad. */
static void watch_replaced(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (e->value.kind != LW_V_TENSOR || !o || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        e->value.tensor->variable == LW_TRI_YES || !ck_in_loop(c))
        return;
    bool leaf = false;
    for (uint32_t i = 0; i < o->in_count; i++)
        leaf |= o->in[i].kind == LW_V_TENSOR && is_leaf(o->in[i].tensor);
    struct lw_str name = lw_tree_name(t, e->node);
    uint32_t statement = lw_tree_parent(t, e->node), loop = syntax_loop_around(t, e->node);
    if (!leaf || lw_tree_kind(t, statement) != LW_NODE_ASSIGN || loop == LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, statement), ck_text(c, "%.*s.grad", LW_F(name))) < 0)
        return;
    struct lw_str around = lw_tree_text(t, loop);
    /* made a leaf again, or kept as a result on purpose */
    if (lw_str_find(around, LW_S("requires_grad")) >= 0 ||
        lw_str_find(around, LW_S("retain_grad")) >= 0 ||
        lw_str_find(around, LW_S("Parameter(")) >= 0 ||
        lw_str_find(around, LW_S("Variable(")) >= 0)
        return;
    ck_find(c, e->node, "api/leaf-replaced", &o->in[0], 1,
            "'%.*s' is replaced by a new tensor, for which backward() keeps no gradient: "
            "'%.*s.grad' becomes None; update it in place inside torch.no_grad(), or use an "
            "optimizer",
            LW_F(name), LW_F(name));
}

/* x.add_(…), x.zero_(): the methods whose names end with an underscore. */
static void watch_method(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->call->self.kind != LW_V_TENSOR || e->node == LW_NO_NODE ||
        lw_tree_kind(t, e->node) != LW_NODE_CALL)
        return;
    uint32_t f =
        lw_tree_get(t, e->node, LW_ROLE_FUNC); /* the tables keep add() and add_() as one */
    if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE)
        return;
    struct lw_str name = lw_tree_name(t, f);
    if (name.n < 2 || name.p[name.n - 1] != '_' || lw_str_has_suffix(name, LW_S("__")) ||
        lw_str_eq(name, LW_S("requires_grad_")) || lw_str_eq(name, LW_S("detach_")) ||
        lw_str_eq(name, LW_S("share_memory_")))
        return;
    changed(c, e->call->self, e->node);
}

/* ---- gradients that add up ----------------------------------------------------------------
 */

/* self.x.grad is read after backward() in a method, and nothing of the class sets it back. */
static void watch_kept_gradient(struct ck *c, const struct ck_event *e)
{
    const struct ck_frame *f = c->frame;
    const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
    (void)e;
    if (!f->function || !f->in_class || !self || !ck_shows(c, "attribute grad"))
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t top = f->function->node;
    struct lw_str text = lw_tree_text(t, f->in_class->node);
    if (f->function->file != f->file || lw_str_find(text, LW_S("zero_")) >= 0)
        return;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ATTRIBUTE ||
            !lw_str_eq(lw_tree_name(t, n), LW_S("grad")))
            continue;
        uint32_t owner = lw_tree_get(t, n, LW_ROLE_VALUE);
        if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_ATTRIBUTE ||
            !lw_str_has_prefix(lw_tree_text(t, owner), LW_S("self.")))
            continue;
        const struct ck_slot *s = ck_field_slot(c, self, lw_tree_name(t, owner));
        struct lw_str reset = ck_text(c, "%.*s.grad =", LW_F(lw_tree_text(t, owner)));
        if (!s || s->value.kind != LW_V_TENSOR || !is_leaf(s->value.tensor) ||
            lw_str_find(text, reset) >= 0)
            continue;
        ck_hint(c, (struct ck_hint){.was = lw_tree_text(t, n)});
        ck_find(c, e->node, "api/gradient-adds-up", &s->value, 1,
                "each backward() adds to '%.*s', and nothing resets it: the second call "
                "returns the sum of two gradients; set it to None first",
                LW_F(lw_tree_text(t, n)));
        return;
    }
}

/* self.x.grad adds up: it begins anew before backward(). */
static void make_fresh_gradient(struct fix *f)
{
    if (!f->hint->was.n || lw_str_find_char(f->hint->was, '\n') >= 0)
        return;
    fix_say(f, "set %.*s to None before backward()", LW_F(f->hint->was));
    fix_line_before(f, lw_tree_statement(f->t, f->node),
                    ck_text(f->c, "%.*s = None", LW_F(f->hint->was)));
}

/* ---- order --------------------------------------------------------------------------------
 */

static bool has_word(const struct lw_tree *t, uint32_t node, const char *word)
{
    return lw_str_find(lw_tree_text(t, node), lw_str(word)) != LW_NPOS;
}

/* Is the name among the targets of the assignment? */
static bool assigns(const struct lw_tree *t, uint32_t assign, struct lw_str name)
{
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    if (target == LW_NO_NODE)
        return false;
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        return lw_str_eq(lw_tree_name(t, target), name);
    for (uint32_t k = lw_tree_next(t, target, target, false); k != LW_NO_NODE;
         k = lw_tree_next(t, target, k, false))
        if (lw_tree_kind(t, k) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, k), name))
            return true;
    return false;
}

/* Assignments to the name inside `top`. */
static size_t assigned(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    size_t count = 0;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        count += lw_tree_kind(t, n) == LW_NODE_ASSIGN && assigns(t, n, name);
    return count;
}

/* out, h = rnn(x, h) in a loop with backward(): each step goes through all those before it. */
static void watch_carried(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->object || !ck_is_torch_module(c, e->object) || e->node == LW_NO_NODE ||
        lw_tree_kind(t, e->node) != LW_NODE_CALL || ck_grad_off(c))
        return;
    uint32_t assign = lw_tree_parent(t, e->node), loop = syntax_loop_around(t, e->node);
    uint32_t first = lw_tree_each(t, e->node, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t state =
        first == LW_NO_NODE ? LW_NO_NODE : lw_tree_each(t, e->node, LW_ROLE_ARGS, first);
    if (assign == LW_NO_NODE || loop == LW_NO_NODE || state == LW_NO_NODE ||
        lw_tree_kind(t, assign) != LW_NODE_ASSIGN || lw_tree_kind(t, state) != LW_NODE_NAME)
        return;
    struct lw_str name = lw_tree_name(t, state);
    uint32_t backward = syntax_method_call(t, loop, "backward");
    if (!assigns(t, assign, name) || assigned(t, loop, name) != 1 || backward == LW_NO_NODE ||
        syntax_loop_around(t, backward) != loop || has_word(t, loop, "detach") ||
        has_word(t, loop, "retain_graph") || has_word(t, loop, ".data") ||
        has_word(t, loop, "repackage") || has_word(t, loop, "init"))
        return;
    ck_find(c, backward, "api/backward-twice", NULL, 0,
            "'%.*s' keeps the graph of the previous step, and backward() runs through it a "
            "second time: call detach() on it in each step",
            LW_F(name));
}

const struct ck_rule rules_api_autograd[] = {
    {"api/backward-twice api/leaf-replaced", CK_EV_BACKWARD, watch_backward},
    {"api/gradient-adds-up api/leaf-replaced", CK_EV_BACKWARD, watch_kept_gradient},
    {"api/inplace-on-saved api/leaf-inplace api/leaf-replaced", CK_EV_AUGMENTED,
     watch_augmented},
    {"api/inplace-on-saved api/leaf-inplace api/leaf-replaced", CK_EV_STORE, watch_store},
    {"api/inplace-on-saved", CK_EV_BACKWARD, watch_spoilt},
    {"api/backward-twice api/gradient-adds-up api/inplace-on-saved "
     "api/leaf-inplace api/leaf-replaced",
     CK_EV_ASSIGN, watch_replaced},
    {"api/inplace-on-saved api/leaf-inplace api/leaf-replaced", CK_EV_CALL, watch_method},
    {"api/backward-twice api/leaf-replaced", CK_EV_LAYER, watch_carried},
    {"api/inplace-on-saved", .fix = make_own_copy},
    {"api/leaf-inplace", .fix = make_no_grad},
    {"api/gradient-adds-up", .fix = make_fresh_gradient},
    {0},
};
