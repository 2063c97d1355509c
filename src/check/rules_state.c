/*
 * Rules about what lives longer than one step: the state of a recurrent network, hooks, the
 * rows of a data set that somebody changes, files that are written on a condition, loops that
 * end when a network says so.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/rules.h"

static bool mentions(const struct lw_tree *t, uint32_t top, const char *word)
{
    return lw_str_find(lw_tree_text(t, top), lw_str(word)) != LW_NPOS;
}

static bool has_name(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

/* ---- data sets that are changed by reading ------------------------------------------------
 */

/* x[i], x[a:b]: the same memory. */
static bool is_view_index(struct lw_value index)
{
    if (index.kind == LW_V_TUPLE) {
        for (uint32_t i = 0; i < index.seq.n; i++)
            if (index.seq.items[i].kind != LW_V_SLICE && index.seq.items[i].kind != LW_V_INT)
                return false;
        return index.seq.n > 0;
    }
    return index.kind == LW_V_SLICE || index.kind == LW_V_INT;
}

static bool is_field_of(const struct ck_object *o, struct lw_value v)
{
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (s->value.kind == LW_V_TENSOR && s->value.tensor->id &&
            s->value.tensor->id == v.tensor->id)
            return true;
    return false;
}

/* Is `v` a part of an array that self keeps, and this the method that hands out items? */
static bool is_row_of_self(struct ck *c, struct lw_value v)
{
    const struct ck_frame *f = c->frame;
    const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!self || !f->function || !look_is(look_tail(f->function->name), "__getitem__") || !o ||
        !look_is(o->op, "[]") || o->in[0].kind != LW_V_TENSOR || !is_view_index(o->in[1]) ||
        !is_field_of(self, o->in[0]))
        return false;
    /* A number taken from a numpy array is a copy. */
    return v.tensor->framework == LW_TORCH ||
           (lw_shape_has_rank(&v.tensor->shape) && v.tensor->shape.n > 0);
}

static void report_written(struct ck *c, struct lw_value v, uint32_t node)
{
    ck_find(c, node, "data/written-back", &v, 1,
            "this changes the row inside the data set, not a copy of it: the next epoch reads "
            "what this one has written; copy it first, or compute a new value");
}

static void watch_row_change(struct ck *c, const struct ck_event *e)
{
    if (e->a.kind == LW_V_TENSOR && is_row_of_self(c, e->a))
        report_written(c, e->a, e->node);
}

/* row.mul_(…) */
static void watch_row_method(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->call->self.kind != LW_V_TENSOR || e->node == LW_NO_NODE ||
        look_owner(t, e->node) == LW_NO_NODE)
        return;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, e->node, LW_ROLE_FUNC));
    if (name.n > 1 && name.p[name.n - 1] == '_' && name.p[0] != '_' &&
        !look_is(name, "requires_grad_") && is_row_of_self(c, e->call->self))
        report_written(c, e->call->self, e->node);
}

/* ---- state that is carried from step to step ----------------------------------------------
 */

/* state = cell(x, state.detach()) in a loop over time. */
static void watch_cell(struct ck *c, const struct ck_event *e)
{
    static const char *const cells[] = {"GRUCell", "LSTMCell", "RNNCell"};
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_frame *f = c->frame;
    if (!e->object || !e->object->api || e->object->of || e->call->n < 2 ||
        !look_is_any(look_tail(e->object->api->name), cells, 3) || !f->function ||
        !look_is(look_tail(f->function->name), "forward"))
        return;
    uint32_t loop = look_loop_around(t, e->node), state = e->call->args[1].node;
    if (loop == LW_NO_NODE || state == LW_NO_NODE || !mentions(t, state, ".detach()"))
        return;
    uint32_t s = lw_tree_statement(t, e->node), first = LW_NO_NODE;
    if (lw_tree_kind(t, s) != LW_NODE_ASSIGN)
        return;
    uint32_t target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    for (uint32_t n = state; n != LW_NO_NODE && first == LW_NO_NODE;
         n = lw_tree_next(t, state, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && has_name(t, target, lw_tree_name(t, n)))
            first = n;
    if (first == LW_NO_NODE)
        return;
    ck_find(c, state, "training/state-detached", NULL, 0,
            "the state is detached in every step: gradients never reach an earlier one, and "
            "the network cannot learn what lies further back; detach between batches only");
}

/* `x, state = model(inputs, state)`: the name that goes in and comes out. */
static bool is_carried(const struct lw_tree *t, uint32_t loop, struct lw_str *name)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        uint32_t value = lw_tree_kind(t, n) == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        uint32_t target = value == LW_NO_NODE ? value : lw_tree_get(t, n, LW_ROLE_TARGETS);
        if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_CALL ||
            lw_tree_kind(t, target) != LW_NODE_TUPLE)
            continue;
        for (uint32_t a = lw_tree_each(t, value, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
             a = lw_tree_each(t, value, LW_ROLE_ARGS, a))
            if (lw_tree_kind(t, a) == LW_NODE_NAME && has_name(t, target, lw_tree_name(t, a))) {
                *name = lw_tree_name(t, a);
                return true;
            }
    }
    return false;
}

/* torch.autograd.grad(…, retain_graph=True) with a state that is never cut off. */
static void watch_kept_history(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name;
    if (!look_is(e->call->name, "torch.autograd.grad"))
        return;
    struct lw_value keep = ck_slot_value(e->call, "retain_graph");
    uint32_t loop = look_loop_around(t, e->node);
    if (loop == LW_NO_NODE || keep.kind != LW_V_BOOL || keep.tri != LW_TRI_YES ||
        mentions(t, loop, "detach") || mentions(t, loop, "repackage") ||
        !is_carried(t, loop, &name))
        return;
    ck_find(c, e->node, "performance/retain-graph", NULL, 0,
            "'%.*s' goes from step to step with its graph, and retain_graph=True keeps all of "
            "it: every step is slower and needs more memory; detach it where it goes in",
            LW_F(name));
}

/* ---- hooks --------------------------------------------------------------------------------
 */

static const char *const hook_names[] = {"register_forward_hook", "register_forward_pre_hook",
                                         "register_full_backward_hook",
                                         "register_backward_hook"};

static uint32_t hook_call(const struct lw_tree *t, uint32_t top)
{
    uint32_t found = LW_NO_NODE;
    for (size_t i = 0; found == LW_NO_NODE && i < sizeof hook_names / sizeof *hook_names; i++)
        found = look_method_call(t, top, hook_names[i]);
    return found;
}

/* Is a name among the arguments that the loop around does not make anew? */
static bool takes_older(const struct lw_tree *t, uint32_t call, uint32_t loop)
{
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (lw_tree_kind(t, a) != LW_NODE_NAME)
            continue;
        bool made = has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), lw_tree_name(t, a));
        for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE && !made;
             n = lw_tree_next(t, loop, n, false))
            made = lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                   has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), lw_tree_name(t, a));
        if (!made)
            return true;
    }
    return false;
}

/* A function that sets hooks ends, and a loop around one of its calls goes on. */
static void watch_hooks(struct ck *c, const struct ck_event *e)
{
    const struct ck_frame *f = c->frame;
    if (!e->object->file || ck_mentions(c, ".remove()") || !ck_mentions(c, "_hook("))
        return;
    uint32_t hook = hook_call(&e->object->file->tree, e->object->node);
    if (hook == LW_NO_NODE || look_is(look_tail(e->object->name), "__init__"))
        return;
    for (unsigned depth = 0; f && depth < 4; f = f->up, depth++) {
        const struct lw_tree *t = &f->file->tree;
        uint32_t loop = f->loop ? f->loop->node : LW_NO_NODE;
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR)
            continue;
        for (uint32_t n = lw_tree_next(t, f->statement, f->statement, false); n != LW_NO_NODE;
             n = lw_tree_next(t, f->statement, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_CALL && takes_older(t, n, loop)) {
                ck_find_at(c, e->object->file, hook, "performance/hooks-pile-up", NULL, 0,
                           "a hook is set in every pass of a loop and never removed: each "
                           "forward pass calls all of them, and they are never freed; keep "
                           "the handle and call remove(), or set them once before the loop");
                return;
            }
    }
}

/* ---- loops that a network ends ------------------------------------------------------------
 */

static bool has_exit(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_BREAK || kind == LW_NODE_RETURN || kind == LW_NODE_RAISE ||
            kind == LW_NODE_YIELD)
            return true;
    }
    return false;
}

/* while word != END, where the word is what a network finds most likely. */
static void watch_endless(struct ck *c, const struct ck_event *e)
{
    static const char *const picks[] = {"argmax", "multinomial", "topk", "max"};
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t test = e->flag && lw_tree_kind(t, e->node) == LW_NODE_WHILE
                        ? lw_tree_get(t, e->node, LW_ROLE_TEST)
                        : LW_NO_NODE;
    if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE ||
        lw_tree_count(t, test, LW_ROLE_COMPARATORS) != 1 || has_exit(t, e->node))
        return;
    const struct lw_node *n = lw_tree_node(t, test);
    bool differs = false;
    for (uint32_t i = n->child; i < n->child + n->count; i++)
        differs |=
            lw_tree_kind(t, i) == LW_NODE_CMPOP && lw_tree_node(t, i)->op == LW_OP_NOT_EQ;
    uint32_t left = lw_tree_get(t, test, LW_ROLE_LEFT), word = LW_NO_NODE;
    for (uint32_t k = left; k != LW_NO_NODE && word == LW_NO_NODE;
         k = lw_tree_next(t, left, k, false))
        if (lw_tree_kind(t, k) == LW_NODE_NAME)
            word = k;
    if (!differs || word == LW_NO_NODE)
        return;
    for (uint32_t k = lw_tree_next(t, e->node, e->node, false); k != LW_NO_NODE;
         k = lw_tree_next(t, e->node, k, false)) {
        uint32_t value = lw_tree_kind(t, k) == LW_NODE_ASSIGN ? lw_tree_get(t, k, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        if (value == LW_NO_NODE ||
            !has_name(t, lw_tree_get(t, k, LW_ROLE_TARGETS), lw_tree_name(t, word)))
            continue;
        for (size_t i = 0; i < sizeof picks / sizeof *picks; i++)
            if (look_method_call(t, k, picks[i]) != LW_NO_NODE) {
                ck_find(c, test, "training/endless-decoding", NULL, 0,
                        "the loop ends only when the network picks '%.*s' to be the end: an "
                        "untrained one may never do so; stop after a largest length too",
                        LW_F(lw_tree_name(t, word)));
                return;
            }
    }
}

static bool is_appended_in(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    for (uint32_t call = look_method_call(t, loop, "append"); call != LW_NO_NODE;
         call = look_next_call(t, loop, call, "append"))
        if (lw_str_eq(lw_tree_text(t, look_owner(t, call)), name))
            return true;
    return false;
}

static bool is_recurrent(struct ck *c, const struct ck_object *model)
{
    for (const struct ck_slot *s = model->fields.first; s; s = s->next) {
        const struct ck_object *o = ck_as(s->value, CK_INSTANCE);
        if (o && !o->of && o->api && look_is(lw_api_fact(o->api, "role"), "recurrent"))
            return true;
    }
    (void)c;
    return false;
}

/* logits, _ = model(tensor([ids])); ids.append(…): the state that is thrown away has all that
 * was read before. */
static void watch_prefix(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = look_loop_around(t, e->node), s = lw_tree_statement(t, e->node);
    if (loop == LW_NO_NODE || !e->object || !e->object->of ||
        lw_tree_kind(t, s) != LW_NODE_ASSIGN || lw_tree_get(t, s, LW_ROLE_VALUE) != e->node ||
        e->call->n != 1 || e->call->args[0].node == LW_NO_NODE || !is_recurrent(c, e->object))
        return;
    uint32_t target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    uint32_t last = LW_NO_NODE;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE)
        return;
    for (uint32_t n = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, target, LW_ROLE_ELTS, n))
        last = n;
    if (last == LW_NO_NODE || !look_is(lw_tree_text(t, last), "_"))
        return;
    uint32_t given = e->call->args[0].node;
    for (uint32_t n = given; n != LW_NO_NODE; n = lw_tree_next(t, given, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME &&
            lw_tree_kind(t, lw_tree_parent(t, n)) != LW_NODE_SUBSCRIPT &&
            is_appended_in(t, loop, lw_tree_name(t, n))) {
            ck_find(c, e->node, "performance/whole-prefix", NULL, 0,
                    "every step reads '%.*s' from its beginning, although the recurrent state "
                    "has it: keep the state and give only what is new",
                    LW_F(lw_tree_name(t, n)));
            return;
        }
}

/* ---- a best value that is never beaten ----------------------------------------------------
 */

/* Inside `top`: `if x > best: … save(…)`, where `best` is set again. The test, or LW_NO_NODE.
 */
static uint32_t saving_test(const struct lw_tree *t, uint32_t top, uint32_t *best)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t test =
            lw_tree_kind(t, n) == LW_NODE_IF ? lw_tree_get(t, n, LW_ROLE_TEST) : LW_NO_NODE;
        if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE ||
            look_method_call(t, n, "save") == LW_NO_NODE ||
            lw_tree_get(t, n, LW_ROLE_ORELSE) != LW_NO_NODE)
            continue;
        const struct lw_node *cmp = lw_tree_node(t, test);
        uint32_t right = lw_tree_get(t, test, LW_ROLE_COMPARATORS);
        bool above = false, renewed = false;
        for (uint32_t i = cmp->child; i < cmp->child + cmp->count; i++)
            above |=
                lw_tree_kind(t, i) == LW_NODE_CMPOP &&
                (lw_tree_node(t, i)->op == LW_OP_GT || lw_tree_node(t, i)->op == LW_OP_GT_E);
        for (uint32_t s = lw_tree_each(t, n, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
             s = lw_tree_each(t, n, LW_ROLE_BODY, s))
            renewed |= lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
                       lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS)),
                                 lw_tree_text(t, right));
        if (above && renewed) {
            *best = right;
            return test;
        }
    }
    return LW_NO_NODE;
}

/* for …: if accuracy > best: save(…)   behind it: load(…), whether anything was saved or not.
 */
static void watch_best(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t best = LW_NO_NODE;
    double start;
    if (!e->flag || lw_tree_kind(t, e->node) != LW_NODE_FOR ||
        look_loop_around(t, e->node) != LW_NO_NODE || !ck_mentions(c, "load_state_dict"))
        return;
    uint32_t test = saving_test(t, e->node, &best);
    if (test == LW_NO_NODE || !ck_number_of(c, ck_eval(c, best), &start) || start <= 0)
        return;
    uint32_t block = lw_tree_parent(t, e->node), load = LW_NO_NODE;
    for (uint32_t s = lw_tree_each(t, block, LW_ROLE_BODY, e->node); s != LW_NO_NODE;
         s = lw_tree_each(t, block, LW_ROLE_BODY, s))
        if (lw_tree_kind(t, s) == LW_NODE_EXPR && load == LW_NO_NODE)
            load = look_method_call(t, s, "load_state_dict");
    if (load == LW_NO_NODE || mentions(t, block, "exists("))
        return;
    ck_find(c, test, "training/best-not-reached", NULL, 0,
            "the best value begins with %g: a run that stays below saves nothing, and the file "
            "that is loaded behind the loop is missing or of another run; begin with -inf",
            start);
}

const struct ck_rule ck_rules_state[] = {
    {CK_EV_AUGMENTED | CK_EV_STORE, watch_row_change},
    {CK_EV_CALL, watch_row_method},
    {CK_EV_LAYER, watch_cell},
    {CK_EV_CALL, watch_kept_history},
    {CK_EV_FUNCTION_END, watch_hooks},
    {CK_EV_LOOP, watch_endless},
    {CK_EV_LAYER, watch_prefix},
    {CK_EV_LOOP, watch_best},
    {0, NULL},
};
