/* Makers for training loops: calls that are missing, or in the wrong place. */
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/models/models.h"
#include "check/query/look.h"

uint32_t fix_statement(const struct fix *f, uint32_t node)
{
    return node == LW_NO_NODE ? LW_NO_NODE : lw_tree_statement(f->t, node);
}

uint32_t fix_outer_loop(const struct fix *f, uint32_t node)
{
    uint32_t loop = syntax_loop_around(f->t, node), up = loop;
    while (up != LW_NO_NODE) {
        loop = up;
        up = syntax_loop_around(f->t, loop);
    }
    return loop;
}

uint32_t fix_in_block_of(const struct fix *f, uint32_t node, uint32_t beside)
{
    uint32_t block = lw_tree_parent(f->t, beside);
    while (node != LW_NO_NODE && lw_tree_parent(f->t, node) != block)
        node = lw_tree_parent(f->t, node);
    return node != LW_NO_NODE &&
                   lw_tree_node(f->t, node)->role == lw_tree_node(f->t, beside)->role
               ? node
               : LW_NO_NODE;
}

struct lw_str fix_owner_of_call(const struct fix *f, uint32_t node, const char *name)
{
    uint32_t top = fix_outer_loop(f, node);
    if (top == LW_NO_NODE)
        return (struct lw_str){0};
    for (uint32_t call = syntax_method_call(f->t, top, name); call != LW_NO_NODE;
         call = syntax_next_call(f->t, top, call, name)) {
        struct lw_str owner = fix_text(f, syntax_owner(f->t, call));
        if (lw_str_find(owner, LW_S("sched")) < 0 && lw_str_find(owner, LW_S("scaler")) < 0 &&
            lw_str_find_char(owner, '\n') < 0)
            return owner;
    }
    return (struct lw_str){0};
}

static void make_zero_grad(struct fix *f)
{
    struct lw_str owner = fix_owner_of_call(f, f->node, "step");
    if (!owner.n)
        return;
    fix_say(f, "call %.*s.zero_grad() before backward()", LW_F(owner));
    fix_line_before(f, fix_statement(f, f->node),
                    ck_text(f->c, "%.*s.zero_grad()", LW_F(owner)));
}

static void make_step(struct fix *f)
{
    struct lw_str owner = fix_owner_of_call(f, f->node, "zero_grad");
    if (!owner.n)
        return;
    fix_say(f, "call %.*s.step() after backward()", LW_F(owner));
    fix_line_behind(f, fix_statement(f, f->node), ck_text(f->c, "%.*s.step()", LW_F(owner)));
}

/* The variable that a statement before sets and that is called a loss. */
static struct lw_str loss_before(const struct fix *f, uint32_t statement)
{
    for (uint32_t s = fix_neighbour(f, statement, false); s != LW_NO_NODE;
         s = fix_neighbour(f, s, false)) {
        uint32_t target = fix_kind(f, s) == LW_NODE_ASSIGN
                              ? lw_tree_get(f->t, s, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (fix_kind(f, target) == LW_NODE_NAME &&
            lw_str_find(fix_text(f, target), LW_S("loss")) >= 0)
            return fix_text(f, target);
    }
    return (struct lw_str){0};
}

static void make_backward(struct fix *f)
{
    uint32_t step = fix_statement(f, f->node);
    struct lw_str loss = loss_before(f, step);
    if (!loss.n)
        return;
    fix_say(f, "call %.*s.backward() before the step", LW_F(loss));
    fix_line_before(f, step, ck_text(f->c, "%.*s.backward()", LW_F(loss)));
}

/* ---- order ----------------------------------------------------------------------------------
 */

static void make_step_behind(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), step = fix_statement(f, f->node);
    uint32_t back =
        loop == LW_NO_NODE ? LW_NO_NODE : syntax_next_call(f->t, loop, f->node, "backward");
    uint32_t place = fix_in_block_of(f, fix_statement(f, back), step);
    if (back == LW_NO_NODE || place == LW_NO_NODE || fix_kind(f, step) != LW_NODE_EXPR)
        return;
    fix_say(f, "step after backward()");
    fix_move_behind(f, step, place);
}

static void make_clip_before(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), clip = fix_statement(f, f->node);
    uint32_t step = loop == LW_NO_NODE ? LW_NO_NODE : syntax_method_call(f->t, loop, "step");
    uint32_t place = fix_in_block_of(f, fix_statement(f, step), clip);
    if (place == LW_NO_NODE || fix_kind(f, clip) != LW_NODE_EXPR)
        return;
    fix_say(f, "clip before the step");
    fix_move_before(f, clip, place);
}

/* The last step() of the loop that is not the schedule's own. */
static void make_schedule_behind(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), own = fix_statement(f, f->node);
    uint32_t last = LW_NO_NODE;
    for (uint32_t call = f->node; loop != LW_NO_NODE && call != LW_NO_NODE;
         call = syntax_next_call(f->t, loop, call, "step"))
        if (call != f->node)
            last = call;
    uint32_t place =
        last == LW_NO_NODE ? last : fix_in_block_of(f, fix_statement(f, last), own);
    if (place == LW_NO_NODE || fix_kind(f, own) != LW_NODE_EXPR)
        return;
    fix_say(f, "step the schedule after the optimizer");
    fix_move_behind(f, own, place);
}

static void make_schedule_out(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node), loop = syntax_loop_around(f->t, f->node);
    if (loop == LW_NO_NODE || lw_tree_parent(f->t, own) != loop ||
        fix_kind(f, own) != LW_NODE_EXPR)
        return;
    fix_say(f, "step the schedule once in an epoch");
    fix_move_behind(f, own, loop);
}

void fix_once_before_loop(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node), loop = fix_outer_loop(f, f->node);
    if (loop == LW_NO_NODE || fix_kind(f, own) != LW_NODE_EXPR ||
        fix_kind(f, lw_tree_parent(f->t, own)) == LW_NODE_IF)
        return;
    fix_say(f, "do it once, before the loop");
    fix_move_before(f, own, loop);
}

/* ---- modes ----------------------------------------------------------------------------------
 */

static void make_train_first(struct fix *f)
{
    struct lw_str owner = fix_text(f, syntax_owner(f->t, f->node));
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!owner.n || loop == LW_NO_NODE)
        return;
    fix_say(f, "call %.*s.train() at the beginning of each pass", LW_F(owner));
    fix_line_first(f, loop, ck_text(f->c, "%.*s.train()", LW_F(owner)));
}

static void make_train_mode(struct fix *f)
{
    struct lw_str name = fix_name_of(f, f->hint->object);
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!name.n || loop == LW_NO_NODE)
        return;
    fix_say(f, "call %.*s.train() at the beginning of each pass", LW_F(name));
    fix_line_first(f, loop, ck_text(f->c, "%.*s.train()", LW_F(name)));
}

/* The module that the block calls by its name; empty: none, or several. */
static struct lw_str called_module(struct fix *f, uint32_t block)
{
    struct lw_str found = {0};
    for (uint32_t n = block; n != LW_NO_NODE; n = lw_tree_next(f->t, block, n, false)) {
        uint32_t callee = fix_callee(f, n);
        if (fix_kind(f, callee) != LW_NODE_NAME)
            continue;
        struct ck_object *o = ck_as(fix_variable(f, fix_name(f, callee)), CK_INSTANCE);
        if (!o || !ck_is_torch_module(f->c, o) || (o->api && o->api->kind == LW_API_LOSS) ||
            lw_str_eq(found, fix_name(f, callee)))
            continue;
        if (found.n)
            return (struct lw_str){0};
        found = fix_name(f, callee);
    }
    return found;
}

static void make_eval(struct fix *f)
{
    uint32_t with = lw_tree_enclosing(f->t, f->node, LW_NODE_WITH);
    struct lw_str name = with == LW_NO_NODE ? (struct lw_str){0} : called_module(f, with);
    if (!name.n)
        return;
    uint32_t loop = fix_outer_loop(f, with);
    fix_say(f, "call %.*s.eval() before", LW_F(name));
    fix_line_before(f, with, ck_text(f->c, "%.*s.eval()", LW_F(name)));
    if (loop != LW_NO_NODE && syntax_method_call(f->t, loop, "backward") != LW_NO_NODE)
        fix_line_behind(f, with, ck_text(f->c, "%.*s.train()", LW_F(name)));
}

void fix_without_gradients(struct fix *f, uint32_t statement)
{
    struct lw_str name = fix_spell(f, LW_S("torch.no_grad"));
    if (!name.n)
        return;
    fix_say(f, "put it into %.*s()", LW_F(name));
    fix_enclose(f, statement, statement, ck_text(f->c, "with %.*s():", LW_F(name)));
}

static void make_no_grad_loop(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node);
    if (loop != LW_NO_NODE)
        fix_without_gradients(f, loop);
}

static void make_no_grad(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node);
    if (lw_tree_get(f->t, own, LW_ROLE_BODY) == LW_NO_NODE)
        fix_without_gradients(f, own);
}

/* ---- values that are kept or changed
 * ----------------------------------------------------------
 */

/* x.mul_(y) -> x = x.mul(y) */
static void renew_by_method(struct fix *f, uint32_t own)
{
    uint32_t callee = fix_callee(f, f->node), owner = syntax_owner(f->t, f->node);
    struct lw_str name = fix_name(f, callee);
    if (fix_kind(f, own) != LW_NODE_EXPR || lw_tree_get(f->t, own, LW_ROLE_VALUE) != f->node ||
        fix_kind(f, owner) != LW_NODE_NAME || !lw_str_has_suffix(name, LW_S("_")))
        return;
    fix_say(f, "make a new tensor");
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

/* The counter is set back where the best value is renewed. */
static void make_reset(struct fix *f)
{
    bool plain = fix_kind(f, f->node) == LW_NODE_AUG_ASSIGN;
    uint32_t target = lw_tree_get(f->t, f->node, plain ? LW_ROLE_TARGET : LW_ROLE_TARGETS);
    uint32_t up = lw_tree_parent(f->t, f->node);
    if (fix_kind(f, up) == LW_NODE_ELIF)
        up = lw_tree_parent(f->t, up);
    uint32_t test =
        fix_kind(f, up) == LW_NODE_IF ? lw_tree_get(f->t, up, LW_ROLE_TEST) : LW_NO_NODE;
    if (fix_kind(f, test) != LW_NODE_COMPARE || target == LW_NO_NODE)
        return;
    struct lw_str sides[2] = {fix_text(f, lw_tree_get(f->t, test, LW_ROLE_LEFT)),
                              fix_text(f, lw_tree_get(f->t, test, LW_ROLE_COMPARATORS))};
    for (uint32_t n = up; n != LW_NO_NODE; n = lw_tree_next(f->t, up, n, false)) {
        if (n == f->node || fix_kind(f, n) != LW_NODE_ASSIGN)
            continue;
        struct lw_str to = fix_text(f, lw_tree_get(f->t, n, LW_ROLE_TARGETS));
        if (!lw_str_eq(to, sides[0]) && !lw_str_eq(to, sides[1]))
            continue;
        fix_say(f, "set '%.*s' back to 0 when the best value is renewed",
                LW_F(fix_text(f, target)));
        fix_line_behind(f, n, ck_text(f->c, "%.*s = 0", LW_F(fix_text(f, target))));
        return;
    }
}

/* ---- data -----------------------------------------------------------------------------------
 */

/* By the scaler that was fitted on the training data, be it another one: a new one that was not
 * fitted cannot transform. */
static void make_transform(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    struct lw_str other = fix_name_of(f, f->hint->object);
    if (fix_kind(f, callee) != LW_NODE_ATTRIBUTE || (!f->hint->was.n && !other.n) ||
        !lw_str_eq(fix_name(f, callee), LW_S("fit_transform")))
        return;
    if (!f->hint->was.n) /* else it is the same one */
        fix_node(f, lw_tree_get(f->t, callee, LW_ROLE_VALUE), other);
    fix_say(f, "only transform the test data");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("transform"));
}

/* A loader is told to; a data set of TensorFlow has a method for it, before batch(). */
static void make_shuffled(struct fix *f)
{
    struct lw_str name = fix_name(f, fix_callee(f, f->node));
    const struct lw_tensor *y = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    int64_t rows = 10000;
    if (text_is(name, "DataLoader") || fix_argument(f, f->node, "shuffle", -1) != LW_NO_NODE) {
        fix_say(f, "make it with shuffle=True");
        fix_set_argument(f, f->node, "shuffle", "True");
    } else if (text_is(name, "batch")) {
        /* a buffer that is smaller than the data leaves it nearly in order */
        if (y && lw_shape_has_rank(&y->shape) && y->shape.n)
            (void)lw_dim_is_int(f->c->dims, y->shape.d[0], &rows);
        fix_say(f, "shuffle before batch()");
        fix_suffix(f, syntax_owner(f->t, f->node),
                   ck_text(f->c, ".shuffle(%lld)", (long long)rows).p);
    }
}

static void make_unshuffled(struct fix *f)
{
    const struct ck_object *o = f->hint->object;
    if (!o || o->file != f->file || !fix_is_call(f, o->node))
        return;
    fix_say(f, "make it with shuffle=False");
    fix_set_argument(f, o->node, "shuffle", "False");
}

/* ---- TensorFlow 1
 * -----------------------------------------------------------------------------
 */

static void make_initialised(struct fix *f)
{
    struct lw_str owner = fix_text(f, syntax_owner(f->t, f->node));
    struct lw_str name = fix_spell(f, LW_S("tensorflow.global_variables_initializer"));
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!owner.n || !name.n || lw_str_find(f->t->lexed.text, LW_S(".initializer")) >= 0)
        return;
    fix_say(f, "run %.*s() first", LW_F(name));
    fix_line_before(f, loop == LW_NO_NODE ? fix_statement(f, f->node) : loop,
                    ck_text(f->c, "%.*s.run(%.*s())", LW_F(owner), LW_F(name)));
}

/* Graphs as in TensorFlow 1, from the line behind the import on. */
static void make_graph_mode(struct fix *f)
{
    const struct lw_tree *t = f->t;
    struct lw_str name = fix_spell(f, LW_S("tensorflow"));
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        uint32_t alias =
            fix_kind(f, s) == LW_NODE_IMPORT ? lw_tree_get(t, s, LW_ROLE_NAMES) : LW_NO_NODE;
        if (!name.n || !lw_str_eq(fix_name(f, alias), name))
            continue;
        fix_say(f, "switch eager execution off");
        fix_line_behind(f, s,
                        ck_text(f->c, "%.*s.compat.v1.disable_eager_execution()", LW_F(name)));
        return;
    }
}

const struct fix_rule fix_rules_loop[] = {
    {"api/eval-missing", make_eval},
    {"api/init-in-loop", fix_once_before_loop},
    {"api/inplace-on-saved", make_own_copy},
    {"api/inplace-on-view", fix_new_value},
    {"api/leaf-inplace", make_no_grad},
    {"api/loss-kept", fix_add_number},
    {"api/missing-zero-grad", make_zero_grad},
    {"api/placeholder-eager", make_graph_mode},
    {"api/predict-shuffled", make_unshuffled},
    {"api/step-before-backward", make_step_behind},
    {"api/train-mode-lost", make_train_first},
    {"api/variables-not-initialised", make_initialised},
    {"data/not-shuffled", make_shuffled},
    {"data/scaler-refitted", make_transform},
    {"performance/graph-kept", fix_add_number},
    {"performance/missing-no-grad", make_no_grad_loop},
    {"training/clip-after-step", make_clip_before},
    {"training/eval-mode", make_train_mode},
    {"training/missing-backward", make_backward},
    {"training/missing-step", make_step},
    {"training/patience-not-reset", make_reset},
    {"training/scheduler-every-batch", make_schedule_out},
    {"training/scheduler-order", make_schedule_behind},
    {"training/seed-in-loop", fix_once_before_loop},
    {NULL, NULL},
};
