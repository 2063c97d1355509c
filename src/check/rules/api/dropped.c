/*
 * Rules about statements that do nothing: a method that is named and not called, a tensor that
 * is computed and dropped.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

/* A cell of a notebook shows the value of its last line; what is tried may be a test of its
 * own.
 */
static bool may_be_meant(const struct ck *c)
{
    return c->frame->guarded || c->frame->file->source.notebook.cell_count;
}

/* Of a value that is not known: nothing but a loss has backward(), nothing but what is trained
 * zero_grad(). */
static bool is_word_of_training(const struct lw_tree *t, uint32_t attribute)
{
    struct lw_str name = lw_tree_name(t, attribute);
    return text_is(name, "backward") || text_is(name, "zero_grad") ||
           (text_is(name, "step") &&
            protocol_is_optimizer(lw_tree_text(t, lw_tree_get(t, attribute, LW_ROLE_VALUE))));
}

/* optimizer.zero_grad without its parentheses. */
static void watch_uncalled(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t value = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    if (may_be_meant(c) || value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_ATTRIBUTE ||
        (e->value.kind != CK_BOUND && e->value.kind != CK_METHOD &&
         !(e->value.kind == LW_V_UNKNOWN && is_word_of_training(t, value))))
        return;
    const struct ck_object *f = e->value.kind == CK_METHOD ? ck_object_of(e->value)->of : NULL;
    /* a decorator may make a property of it */
    if (f && lw_tree_count(&f->file->tree, f->node, LW_ROLE_DECORATORS))
        return;
    ck_find(c, e->node, "api/uncalled-method", NULL, 0,
            "%.*s is not called, so the line does nothing: add ()",
            LW_F(lw_tree_text(t, value)));
}

static void make_called(struct fix *f)
{
    uint32_t value = lw_tree_get(f->t, f->node, LW_ROLE_VALUE);
    fix_say(f, "add parentheses: %.*s()", LW_F(fix_text(f, value)));
    fix_insert(f, lw_tree_end(f->t, value), LW_S("()"));
}

/* Methods that only tensors have, and that change nothing. */
static bool is_pure(struct lw_str method)
{
    static const char *const pure[] = {"clamp",       "contiguous",  "detach",  "expand_as",
                                       "log_softmax", "masked_fill", "permute", "type_as",
                                       "unsqueeze",   "view",        "view_as"};
    return text_is_any(method, pure, sizeof pure / sizeof *pure);
}

/* Is it a batch, not a network, which to() moves in place: what a loop gives, what is named
 * like inputs or labels? */
static bool is_batch(struct ck *c, const struct ck_file *f, uint32_t owner)
{
    uint32_t id = lw_tree_kind(&f->tree, owner) == LW_NODE_NAME ? f->names.symbol_of.v[owner]
                                                                : LW_NO_SYMBOL;
    if (id == LW_NO_SYMBOL)
        return false;
    const struct lw_symbol *s = &f->names.symbols.v[id];
    struct lw_str name = lw_tree_name(&f->tree, owner);
    return s->first_binding == s->last_binding &&
           (role_is_named(c, name, ROLE_INPUT) || role_is_named(c, name, ROLE_LABEL)) &&
           !role_is_named(c, name, ROLE_NETWORK);
}

static bool is_move(struct lw_str method)
{
    return text_is(method, "to") || text_is(method, "cuda") || text_is(method, "cpu");
}

/* Such a method of a value that is not known. */
static void report_pure(struct ck *c, uint32_t statement, uint32_t method)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = lw_tree_name(t, method);
    if (is_pure(name) ||
        (is_move(name) && is_batch(c, c->frame->file, lw_tree_get(t, method, LW_ROLE_VALUE))))
        ck_find_as(c, statement, LW_S("api/result-dropped"), LW_SEVERITY_WARNING, NULL, 0,
                   ck_text(c,
                           "%.*s() does not change its tensor but returns a new one, which is "
                           "discarded: assign the result",
                           LW_F(lw_tree_name(t, method))));
}

/* x.to(device), x.view(-1): a tensor stays what it is, the result is a new one. */
static void watch_dropped(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t call = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    bool unknown = e->value.kind == LW_V_UNKNOWN;
    if ((e->value.kind != LW_V_TENSOR && !unknown) || may_be_meant(c) ||
        lw_tree_kind(t, call) != LW_NODE_CALL || syntax_has_keyword(t, call, "out"))
        return;
    uint32_t method = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (method == LW_NO_NODE || lw_tree_kind(t, method) != LW_NODE_ATTRIBUTE ||
        lw_str_has_suffix(lw_tree_name(t, method), LW_S("_")))
        return;
    uint32_t owner = lw_tree_get(t, method, LW_ROLE_VALUE);
    bool part = lw_tree_kind(t, owner) == LW_NODE_SUBSCRIPT;
    if (unknown || part) {
        report_pure(c, e->node, method);
        return;
    }
    if (lw_tree_kind(t, owner) != LW_NODE_NAME && lw_tree_kind(t, owner) != LW_NODE_ATTRIBUTE)
        return;
    struct lw_value x = ck_eval(c, owner);
    /* TensorFlow's have assign() and eval(), which do something. */
    if (x.kind != LW_V_TENSOR ||
        (x.tensor->framework != LW_TORCH && x.tensor->framework != LW_NUMPY))
        return;
    ck_find(c, e->node, "api/result-dropped", &x, 1,
            "%.*s() does not change '%.*s' but returns a new object, which is discarded: "
            "assign the result",
            LW_F(lw_tree_name(t, method)), LW_F(lw_tree_text(t, owner)));
}

/* Is the name one that a function may assign to without making another variable of it? */
static bool is_own(const struct fix *f, struct lw_str name)
{
    const struct ck_frame *frame = f->c->frame;
    return !frame->function ||
           fields_find(&frame->env->vars, heap_intern(&f->c->heap, name)) != NULL;
}

/* x.to(device) -> x = x.to(device), where the result is the same thing in another form. */
static void make_assigned(struct fix *f)
{
    static const char *const forms[] = {
        "astype",  "bool",  "clamp", "contiguous", "cpu",  "cuda",        "detach",  "double",
        "flatten", "float", "half",  "int",        "long", "masked_fill", "permute", "reshape",
        "squeeze", "t",     "to",    "transpose",  "type", "unsqueeze",   "view"};
    uint32_t method = fix_callee(f, lw_tree_get(f->t, f->node, LW_ROLE_VALUE));
    uint32_t owner =
        method == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(f->t, method, LW_ROLE_VALUE);
    if (owner == LW_NO_NODE ||
        !text_is_any(fix_name(f, method), forms, sizeof forms / sizeof *forms))
        return;
    struct lw_str name = fix_text(f, owner);
    if (fix_kind(f, owner) == LW_NODE_NAME ? !is_own(f, name)
                                           : !lw_str_has_prefix(name, LW_S("self.")))
        return;
    fix_say(f, "assign the result to '%.*s'", LW_F(name));
    fix_insert(f, lw_tree_start(f->t, f->node), ck_text(f->c, "%.*s = ", LW_F(name)));
}

const struct ck_rule rules_api_dropped[] = {
    {"api/uncalled-method", CK_EV_EXPRESSION, watch_uncalled, make_called},
    {"api/result-dropped", CK_EV_EXPRESSION, watch_dropped, make_assigned},
    {0},
};
