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

/* Is what the statement changes used like an array elsewhere in the function? */
static bool is_array_name(struct ck *c, const struct lw_tree *t, uint32_t function,
                          uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_AUG_ASSIGN)
        return lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_TARGET));
    struct lw_str whole = lw_tree_text(t, function);
    return lw_str_find(whole, ck_text(c, "from_numpy(%.*s", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, " %.*s[", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, "%.*s.shape", LW_F(name))) != LW_NPOS ||
           lw_str_find(whole, ck_text(c, "%.*s.transpose", LW_F(name))) != LW_NPOS;
}

/* Is `v` a part of an array that self keeps, and this the method that hands out items? */
static bool is_row_of_self(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct ck_frame *f = c->frame;
    const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!self || !f->function || !look_is(look_tail(f->function->name), "__getitem__") || !o ||
        !look_is(o->op, "[]") || o->in[0].kind != LW_V_TENSOR || !is_view_index(o->in[1]) ||
        !is_field_of(self, o->in[0]))
        return false;
    /* A number taken from a numpy array is a copy. */
    if (v.tensor->framework == LW_TORCH || lw_shape_has_rank(&v.tensor->shape))
        return v.tensor->framework == LW_TORCH || v.tensor->shape.n > 0;
    return is_array_name(c, &f->file->tree, f->function->node, node);
}

static void report_written(struct ck *c, struct lw_value v, uint32_t node)
{
    ck_find(c, node, "data/written-back", &v, 1,
            "this changes the row inside the data set, not a copy of it: the next epoch reads "
            "what this one has written; copy it first, or compute a new value");
}

/* row = self.rows[index]; row -= mean; from_numpy(row), of arrays that are not known. */
static bool is_unknown_row(struct ck *c, uint32_t node)
{
    const struct ck_frame *f = c->frame;
    const struct lw_tree *t = &f->file->tree;
    if (!f->function || !look_is(look_tail(f->function->name), "__getitem__") ||
        lw_tree_kind(t, node) != LW_NODE_AUG_ASSIGN)
        return false;
    uint32_t top = f->function->node;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_TARGET));
    if (lw_str_find(lw_tree_text(t, top), ck_text(c, "from_numpy(%.*s", LW_F(name))) == LW_NPOS)
        return false;
    bool taken = false; /* by the last assignment before */
    for (uint32_t n = lw_tree_next(t, top, top, false);
         n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, node);
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN ||
            !lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            continue;
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        taken = lw_tree_kind(t, value) == LW_NODE_SUBSCRIPT &&
                lw_tree_kind(t, lw_tree_get(t, value, LW_ROLE_SLICE)) == LW_NODE_NAME &&
                lw_str_has_prefix(lw_tree_text(t, value), LW_S("self."));
    }
    return taken;
}

static void watch_row_change(struct ck *c, const struct ck_event *e)
{
    if (e->a.kind == LW_V_TENSOR ? is_row_of_self(c, e->a, e->node)
                                 : e->a.kind == LW_V_UNKNOWN && is_unknown_row(c, e->node))
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
        !look_is(name, "requires_grad_") && is_row_of_self(c, e->call->self, e->node))
        report_written(c, e->call->self, e->node);
}

/* ---- state that is carried from step to step ----------------------------------------------
 */

/* h = h.detach() in the loop, for a name of the state. */
static bool is_detached_in(struct ck *c, const struct lw_tree *t, uint32_t loop, uint32_t state)
{
    for (uint32_t k = state; k != LW_NO_NODE; k = lw_tree_next(t, state, k, false)) {
        if (lw_tree_kind(t, k) != LW_NODE_NAME)
            continue;
        struct lw_str cut = ck_text(c, "%.*s.detach()", LW_F(lw_tree_name(t, k)));
        for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
             n = lw_tree_next(t, loop, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                look_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), lw_tree_name(t, k)) &&
                lw_str_find(lw_tree_text(t, n), cut) != LW_NPOS)
                return true;
    }
    return false;
}

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
    if (loop == LW_NO_NODE || state == LW_NO_NODE ||
        (!mentions(t, state, ".detach()") && !is_detached_in(c, t, loop, state)))
        return;
    uint32_t s = lw_tree_statement(t, e->node), first = LW_NO_NODE;
    if (lw_tree_kind(t, s) != LW_NODE_ASSIGN)
        return;
    uint32_t target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    for (uint32_t n = state; n != LW_NO_NODE && first == LW_NO_NODE;
         n = lw_tree_next(t, state, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && look_has_name(t, target, lw_tree_name(t, n)))
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
            if (lw_tree_kind(t, a) == LW_NODE_NAME &&
                look_has_name(t, target, lw_tree_name(t, a))) {
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

static bool is_made_in(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    if (look_has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), name))
        return true;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            look_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name))
            return true;
    return false;
}

/* The name that `a.b[c].d` begins with, else LW_NO_NODE. */
static uint32_t root_of(const struct lw_tree *t, uint32_t node)
{
    while (node != LW_NO_NODE && (lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE ||
                                  lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT))
        node = lw_tree_get(t, node, LW_ROLE_VALUE);
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME ? node : LW_NO_NODE;
}

/* Is a name among the arguments that the loop around does not make anew? With `owner` what the
 * call is a method of counts too. */
static bool takes_older(const struct lw_tree *t, uint32_t call, uint32_t loop, bool owner)
{
    uint32_t root = owner ? root_of(t, lw_tree_get(t, call, LW_ROLE_FUNC)) : LW_NO_NODE;
    if (root != LW_NO_NODE && !is_made_in(t, loop, lw_tree_name(t, root)))
        return true;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (lw_tree_kind(t, a) != LW_NODE_NAME)
            continue;
        if (!is_made_in(t, loop, lw_tree_name(t, a)))
            return true;
    }
    return false;
}

/* model.layer4.register_forward_hook(…) of a model that the function neither gets nor makes. */
static bool hooks_global(const struct lw_tree *t, uint32_t function, uint32_t hook)
{
    uint32_t root = root_of(t, look_owner(t, hook));
    if (root == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, root);
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    for (uint32_t p = params; p != LW_NO_NODE; p = lw_tree_next(t, params, p, false))
        if (lw_tree_kind(t, p) == LW_NODE_PARAM && lw_str_eq(lw_tree_name(t, p), name))
            return false;
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
             look_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name)) ||
            (lw_tree_kind(t, n) == LW_NODE_FOR &&
             look_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGET), name)))
            return false;
    return true;
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
    const struct lw_tree *there = &e->object->file->tree;
    uint32_t hooked = root_of(there, look_owner(there, hook));
    bool own = hooked != LW_NO_NODE && look_is(lw_tree_name(there, hooked), "self");
    bool global = hooks_global(&e->object->file->tree, e->object->node, hook);
    for (unsigned depth = 0; f && depth < 4; f = f->up, depth++) {
        const struct lw_tree *t = &f->file->tree;
        uint32_t loop = f->loop ? f->loop->node : LW_NO_NODE;
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR)
            continue;
        for (uint32_t n = lw_tree_next(t, f->statement, f->statement, false); n != LW_NO_NODE;
             n = lw_tree_next(t, f->statement, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_CALL &&
                (global || takes_older(t, n, loop, own))) {
                ck_find_at(c, e->object->file, hook, "performance/hooks-pile-up", NULL, 0,
                           "a hook is set in every pass and never removed: each forward pass "
                           "calls all of them; keep the handle and call remove(), or set it "
                           "once before the loop");
                return;
            }
    }
}

/* ---- loops that a network ends ------------------------------------------------------------
 */

/* Leaves the loop other than by the `break` that `but` holds? */
static bool has_exit(const struct lw_tree *t, uint32_t loop, uint32_t but)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_BREAK || kind == LW_NODE_RETURN || kind == LW_NODE_RAISE ||
             kind == LW_NODE_YIELD) &&
            (but == LW_NO_NODE || !look_inside(t, n, but)))
            return true;
    }
    return false;
}

/* `a op b` of one operator: the name it begins with, else LW_NO_NODE. */
static uint32_t compared_name(const struct lw_tree *t, uint32_t test, enum lw_op op)
{
    if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE ||
        lw_tree_count(t, test, LW_ROLE_COMPARATORS) != 1)
        return LW_NO_NODE;
    const struct lw_node *n = lw_tree_node(t, test);
    bool found = false;
    for (uint32_t i = n->child; i < n->child + n->count; i++)
        found |= lw_tree_kind(t, i) == LW_NODE_CMPOP && lw_tree_node(t, i)->op == op;
    uint32_t left = lw_tree_get(t, test, LW_ROLE_LEFT);
    for (uint32_t k = left; found && k != LW_NO_NODE; k = lw_tree_next(t, left, k, false))
        if (lw_tree_kind(t, k) == LW_NODE_NAME)
            return k;
    return LW_NO_NODE;
}

/* Is the name what a network finds most likely? */
static bool is_picked_in(const struct lw_tree *t, uint32_t loop, struct lw_str name,
                         unsigned depth)
{
    static const char *const picks[] = {"argmax", "multinomial", "topk", "max"};
    for (uint32_t k = lw_tree_next(t, loop, loop, false); k != LW_NO_NODE;
         k = lw_tree_next(t, loop, k, false)) {
        if (lw_tree_kind(t, k) != LW_NODE_ASSIGN ||
            !look_has_name(t, lw_tree_get(t, k, LW_ROLE_TARGETS), name))
            continue;
        for (size_t i = 0; i < sizeof picks / sizeof *picks; i++)
            if (look_method_call(t, k, picks[i]) != LW_NO_NODE)
                return true;
        uint32_t value = lw_tree_get(t, k, LW_ROLE_VALUE); /* words[index] */
        for (uint32_t n = value; n != LW_NO_NODE && depth > 0;
             n = lw_tree_next(t, value, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_NAME && !lw_str_eq(lw_tree_name(t, n), name) &&
                is_picked_in(t, loop, lw_tree_name(t, n), depth - 1))
                return true;
    }
    return false;
}

/* while True: … if word == END: break */
static uint32_t only_exit(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t s = lw_tree_each(t, loop, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, loop, LW_ROLE_BODY, s))
        if (lw_tree_kind(t, s) == LW_NODE_IF && !has_exit(t, loop, s) &&
            compared_name(t, lw_tree_get(t, s, LW_ROLE_TEST), LW_OP_EQ) != LW_NO_NODE)
            return lw_tree_get(t, s, LW_ROLE_TEST);
    return LW_NO_NODE;
}

/* while word != END, where the word is what a network finds most likely. */
static void watch_endless(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t test = e->flag && lw_tree_kind(t, e->node) == LW_NODE_WHILE
                        ? lw_tree_get(t, e->node, LW_ROLE_TEST)
                        : LW_NO_NODE;
    enum lw_op op = LW_OP_NOT_EQ;
    if (test == LW_NO_NODE)
        return;
    if (look_is(lw_tree_text(t, test), "True")) {
        test = only_exit(t, e->node);
        op = LW_OP_EQ;
    } else if (has_exit(t, e->node, LW_NO_NODE)) {
        return;
    }
    uint32_t word = compared_name(t, test, op);
    if (word == LW_NO_NODE || !is_picked_in(t, e->node, lw_tree_name(t, word), 1))
        return;
    ck_find(c, test, "training/endless-decoding", NULL, 0,
            "the loop ends only when the network picks '%.*s' to be the end: an untrained one "
            "may never do so; stop after a largest length too",
            LW_F(lw_tree_name(t, word)));
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
            "that is loaded after the loop is missing or old; begin with -inf",
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
