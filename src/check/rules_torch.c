/* Rules about PyTorch programs: training loops, modules, optimisers. */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/protocol.h"
#include "check/rules.h"

/* ---- the training loop --------------------------------------------------------------------
 */

struct training {
    struct ck_file *file;
    uint32_t step;     /* first step() in a loop */
    uint32_t backward; /* first backward() in a loop */
    uint32_t early_step;
    struct lw_value early_optimizer;
    bool zeroed;
    bool any_backward;
};

static const char training_key;

static struct training *training_of(struct ck *c)
{
    struct training *t = ck_state(c, &training_key, sizeof *t);
    if (t && !t->file) {
        t->file = c->frame->file;
        t->step = t->backward = t->early_step = LW_NO_NODE;
    }
    return t;
}

static void watch_training(struct ck *c, const struct ck_event *e)
{
    struct training *t = training_of(c);
    if (!t)
        return;
    if (e->kind == CK_EV_ZERO_GRAD) {
        t->zeroed = true;
    } else if (e->kind == CK_EV_BACKWARD) {
        if (t->early_step != LW_NO_NODE && !t->any_backward && look_in_loop(c) &&
            t->file == c->frame->file)
            ck_find(
                c, t->early_step, "api/step-before-backward", NULL, 0,
                "step() runs before backward(): it applies the gradients of the step before, "
                "or none");
        t->any_backward = true;
        if (look_in_loop(c) && t->backward == LW_NO_NODE) {
            t->backward = e->node;
            t->file = c->frame->file;
        }
    } else if (e->kind == CK_EV_STEP) {
        if (!t->any_backward && look_in_loop(c) && t->early_step == LW_NO_NODE &&
            ck_arg(e->call, 0, "closure").kind == LW_V_ABSENT)
            t->early_step = e->node;
        if (look_in_loop(c) && t->step == LW_NO_NODE)
            t->step = e->node;
    }
}

/* w.data -= rate * w.grad, w.data.sub_(…): is the target of the statement what has the gradient
 * that it reads? */
static bool updates_by_hand(const struct lw_tree *t, uint32_t statement)
{
    uint32_t grad = LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, statement, statement, false); n != LW_NO_NODE;
         n = lw_tree_next(t, statement, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_name(t, n), LW_S("grad")))
            grad = n;
    if (grad == LW_NO_NODE)
        return false;
    struct lw_str whole = lw_tree_text(t, statement);
    struct lw_str owner = lw_tree_text(t, lw_tree_get(t, grad, LW_ROLE_VALUE));
    if (!owner.n || !lw_str_has_prefix(whole, owner) || owner.n + 5 >= whole.n)
        return false;
    char next = whole.p[owner.n];
    return lw_tree_kind(t, statement) == LW_NODE_AUG_ASSIGN
               ? next == ' ' || next == '-' || next == '.'
               : lw_str_has_prefix(lw_str_from(whole, owner.n), LW_S(".data"));
}

/* The loop around backward() updates weights without an optimizer. A tensor that is made again
 * in each pass begins without a gradient. */
static bool has_own_update(const struct lw_tree *t, uint32_t backward)
{
    uint32_t loop = look_loop_around(t, backward);
    if (loop == LW_NO_NODE || lw_str_find(lw_tree_text(t, loop), LW_S("detach")) != LW_NPOS ||
        lw_str_find(lw_tree_text(t, loop), LW_S("requires_grad")) != LW_NPOS)
        return false;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_AUG_ASSIGN || kind == LW_NODE_ASSIGN || kind == LW_NODE_EXPR) &&
            updates_by_hand(t, n))
            return true;
    }
    return false;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct training *t = training_of(c);
    (void)e;
    if (!t || t->backward == LW_NO_NODE || t->zeroed ||
        (t->step == LW_NO_NODE && !has_own_update(&t->file->tree, t->backward)) ||
        protocol_clears_gradients(c))
        return;
    ck_find_at(c, t->file, t->backward, "api/missing-zero-grad", NULL, 0,
               "gradients are never set to zero: each backward() adds to those of the steps "
               "before; call %s in the loop",
               t->step == LW_NO_NODE ? "grad.zero_()" : "optimizer.zero_grad()");
}

/* ---- checkpoints --------------------------------------------------------------------------
 */

/* A program that only uses a network, on whatever there is: who trained it may have had a GPU,
 * and the file remembers that. */
static void watch_load(struct ck *c, const struct ck_event *e)
{
    static const char *const own[] = {"cuda", "device", "backward(", "map_location",
                                      "weights_only"};
    if (!lw_str_eq(e->call->name, LW_S("torch.load")) || e->call->n != 1 ||
        e->call->args[0].value.kind == LW_V_STR || c->frame->guarded ||
        !ck_mentions(c, "load_state_dict"))
        return;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (ck_mentions(c, own[i]))
            return;
    ck_find(c, e->node, "api/load-without-map", NULL, 0,
            "weights that were saved on a GPU cannot be loaded on a machine without one: pass "
            "map_location='cpu'");
}

/* ---- modes --------------------------------------------------------------------------------
 */

/* model.eval() in a loop that also trains, and no model.train() in it: from the second pass on
 * the model trains in evaluation mode. */
static void watch_loop(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->flag || lw_tree_enclosing(t, e->node, LW_NODE_FOR) != LW_NO_NODE)
        return;
    uint32_t eval = look_method_call(t, e->node, "eval");
    if (eval == LW_NO_NODE || look_method_call(t, e->node, "backward") == LW_NO_NODE ||
        look_method_call(t, e->node, "train") != LW_NO_NODE ||
        look_method_call(t, e->node, "step") == LW_NO_NODE ||
        lw_tree_count(t, eval, LW_ROLE_ARGS) > 0)
        return;
    uint32_t owner = lw_tree_get(t, lw_tree_get(t, eval, LW_ROLE_FUNC), LW_ROLE_VALUE);
    struct lw_value v = ck_eval(c, owner);
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !ck_is_torch_module(c, o) ||
        lw_tree_start(t, look_method_call(t, e->node, "backward")) > lw_tree_start(t, eval))
        return;
    ck_find(c, eval, "api/train-mode-lost", NULL, 0,
            "eval() switches dropout and batch normalisation off and nothing switches them on "
            "again: call train() at the beginning of each epoch");
}

/* ---- modules ------------------------------------------------------------------------------
 */

static bool is_registered(struct ck *c, const struct ck_object *o, struct lw_value module)
{
    struct lw_seq seq;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        if (ck_same(s->value, module))
            return true;
        if (s->value.kind == CK_INSTANCE && ck_sequence(c, s->value, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                if (ck_same(seq.items[i], module))
                    return true;
    }
    return false;
}

enum { MAX_INSIDE = 4 };

/* May there be weights in it? In a module of the program, unless all its parts are known to
 * have none. */
static bool is_weighty_inside(struct ck *c, struct lw_value v, unsigned depth)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !ck_is_torch_module(c, o))
        return false;
    if (o->of) {
        bool any = o->open || depth == MAX_INSIDE || !o->fields.first;
        for (const struct ck_slot *s = o->fields.first; s && !any; s = s->next)
            any = s->value.kind == LW_V_UNKNOWN || s->value.kind == CK_LIST ||
                  (s->value.kind == LW_V_TENSOR && s->value.tensor->grad != LW_TRI_NO) ||
                  is_weighty_inside(c, s->value, depth + 1);
        return any;
    }
    struct lw_str role = lw_api_fact(o->api, "role");
    return lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")) ||
           lw_str_eq(role, LW_S("recurrent")) || lw_str_eq(role, LW_S("embedding"));
}

static bool is_weighty(struct ck *c, struct lw_value v)
{
    return is_weighty_inside(c, v, 0);
}

/* Modules in a plain list are no children: not trained, moved or saved. */
static void watch_instance(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    if (!o->of || o->of->file != c->frame->file || !ck_is_torch_module(c, o) || o->open)
        return;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        struct lw_seq seq;
        struct lw_str name = heap_name(&c->heap, s->name);
        if (s->value.kind != CK_LIST || !ck_sequence(c, s->value, &seq) || seq.n == 0 ||
            name.p[0] == '(') /* our own: the parts of an nn.Sequential */
            continue;
        bool all = true, weighty = false; /* activations may stand between the layers */
        for (uint32_t i = 0; i < seq.n; i++) {
            const struct ck_object *part = ck_as(seq.items[i], CK_INSTANCE);
            all &= part && ck_is_torch_module(c, part) && !is_registered(c, o, seq.items[i]);
            weighty |= is_weighty(c, seq.items[i]);
        }
        struct ck_object *list = ck_object_of(s->value);
        if (!all || !weighty || list->file != c->frame->file || list->node == LW_NO_NODE)
            continue;
        if (lw_str_find(c->frame->file->source.text, LW_S("add_module")) != LW_NPOS ||
            lw_str_find(c->frame->file->source.text, LW_S("setattr")) != LW_NPOS)
            continue;
        ck_find(c, list->node, "api/module-list", NULL, 0,
                "the modules in the plain list 'self.%.*s' are not registered: parameters(), "
                "to() and state_dict() pass over them; use nn.ModuleList",
                LW_F(name));
    }
}

/* ---- optimisers ---------------------------------------------------------------------------
 */

/* A schedule of something that is no optimizer. */
static void watch_scheduler(struct ck *c, const struct ck_event *e)
{
    struct lw_value of = ck_slot_value(e->call, "optimizer");
    const struct ck_object *o = ck_as(of, CK_INSTANCE);
    if (!e->call->api || e->call->api->kind != LW_API_SCHEDULER || !o ||
        !lw_str_has_prefix(e->call->name, LW_S("torch.optim.lr_scheduler.")) ||
        !ck_is_torch_module(c, o))
        return;
    ck_find(c, e->node, "type/argument-kind", &of, 1,
            "the scheduler takes the optimizer, this is a module");
}

static void watch_optimizer(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    if (!e->call->api || e->call->api->kind != LW_API_OPTIMIZER ||
        !lw_str_has_prefix(e->call->name, LW_S("torch.optim.")))
        return;
    struct lw_value params = ck_slot_value(e->call, "params");
    if (params.kind == CK_BOUND || params.kind == CK_METHOD || params.kind == CK_FUNCTION) {
        ck_hint(c, (struct ck_hint){.meant = LW_S("()")});
        ck_find(c, e->node, "type/argument-kind", NULL, 0,
                "the optimizer gets a method, not the parameters it gives: call it, "
                "parameters()");
    } else if (params.kind == LW_V_TENSOR) {
        ck_hint(c, (struct ck_hint){.meant = LW_S("[]")});
        ck_find(c, e->node, "type/argument-kind", &params, 1,
                "the optimizer takes a list of tensors, this is one tensor: write [x]");
    } else if (ck_as(params, CK_INSTANCE) && ck_is_torch_module(c, ck_object_of(params))) {
        ck_hint(c, (struct ck_hint){.meant = LW_S(".parameters()")});
        ck_find(c, e->node, "type/argument-kind", &params, 1,
                "the optimizer takes the parameters of the module: write .parameters()");
    }
    if (params.kind == LW_V_TUPLE && ck_sequence(c, params, &seq) && seq.n == 0 && !seq.open)
        ck_find(
            c, e->node, "api/optimizer-no-parameters", NULL, 0,
            "the optimizer gets an empty list of parameters: the module has none, or keeps its "
            "layers in a plain list or dict, which does not register them");
}

/* ---- views --------------------------------------------------------------------------------
 */

/* a, b = tensor gives several views of it; they may not be changed in place under autograd. */
static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    if (!o || !lw_str_eq(o->op, LW_S("unbind")) || e->a.tensor->framework != LW_TORCH ||
        e->b.kind != LW_V_TENSOR || e->b.tensor->grad != LW_TRI_YES)
        return;
    struct lw_value causes[2] = {e->a, e->b};
    ck_find(c, e->node, "api/inplace-on-view", causes, 2,
            "in-place change of one of several views of a tensor, with a value that needs "
            "gradients; write x = x + … instead");
}

/* total += loss keeps the graph of every step. */
static void watch_total(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_loop *loop = c->frame->loop;
    if (!loop || e->b.kind != LW_V_TENSOR || e->b.tensor->framework != LW_TORCH ||
        e->b.tensor->grad != LW_TRI_YES)
        return;
    uint32_t target = lw_tree_get(t, e->node, LW_ROLE_TARGET);
    uint32_t value = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    uint32_t back = look_method_call(t, loop->node, "backward");
    if (back == LW_NO_NODE || value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_NAME)
        return;
    uint32_t owner = lw_tree_get(t, lw_tree_get(t, back, LW_ROLE_FUNC), LW_ROLE_VALUE);
    if (!lw_str_eq(lw_tree_text(t, owner), lw_tree_text(t, value)))
        return;
    struct lw_str name = lw_tree_text(t, target);
    struct lw_str whole = lw_tree_text(t, lw_tree_enclosing(t, loop->node, LW_NODE_MODULE));
    if (lw_str_find(whole, ck_text(c, "%.*s.backward", LW_F(name))) != LW_NPOS)
        return;
    ck_find(c, e->node, "api/loss-kept", &e->b, 1,
            "'%.*s' keeps the loss with its whole graph of every step; add loss.item()",
            LW_F(name));
}

const struct ck_rule ck_rules_torch[] = {
    {CK_EV_CALL, watch_load},
    {CK_EV_BACKWARD | CK_EV_STEP | CK_EV_ZERO_GRAD, watch_training},
    {CK_EV_END, watch_end},
    {CK_EV_LOOP, watch_loop},
    {CK_EV_INSTANCE, watch_instance},
    {CK_EV_CALL, watch_optimizer},
    {CK_EV_CALL, watch_scheduler},
    {CK_EV_AUGMENTED, watch_augmented},
    {CK_EV_AUGMENTED, watch_total},
    {0, NULL},
};
