/*
 * Rules about what an evaluation measures: a model that has seen the fold it is judged on, and
 * dropout that is never switched off.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/rules.h"

/* ---- one model over all folds -------------------------------------------------------------
 */

/* The loop over folds that is being run. */
struct folds {
    struct ck_file *file;
    uint32_t node;
    uint32_t made; /* objects that there were before */
};

static const char folds_key;

/* for train, test in KFold(…).split(x), also inside enumerate(). */
static bool goes_over_folds(struct ck *c, uint32_t loop)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t iter =
        lw_tree_kind(t, loop) == LW_NODE_FOR ? lw_tree_get(t, loop, LW_ROLE_ITER) : LW_NO_NODE;
    uint32_t owner = iter == LW_NO_NODE ? iter : look_owner(t, iter);
    if (owner == LW_NO_NODE ||
        !look_is(lw_tree_name(t, lw_tree_get(t, iter, LW_ROLE_FUNC)), "split")) {
        uint32_t call = iter == LW_NO_NODE ? iter : look_method_call(t, iter, "split");
        owner = call == LW_NO_NODE ? call : look_owner(t, call);
    }
    if (owner == LW_NO_NODE)
        return false;
    const struct ck_object *o = ck_as(ck_eval(c, owner), CK_INSTANCE);
    struct lw_str name = o && !o->of && o->api ? look_tail(o->api->name) : (struct lw_str){0};
    return lw_str_has_suffix(name, LW_S("Fold")) ||
           lw_str_has_suffix(name, LW_S("ShuffleSplit"));
}

static void watch_folds(struct ck *c, const struct ck_event *e)
{
    struct folds *f = ck_state(c, &folds_key, sizeof *f);
    if (!f)
        return;
    if (e->flag && !f->file && goes_over_folds(c, e->node))
        *f = (struct folds){c->frame->file, e->node, c->objects};
    else if (!e->flag && f->file == c->frame->file && f->node == e->node)
        f->file = NULL;
}

static bool says(const struct folds *f, const char *const *words, size_t n)
{
    struct lw_str text = lw_tree_text(&f->file->tree, f->node);
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* What was made before the loop is trained in it, and nothing sets it back. */
static void watch_shared(struct ck *c, const struct ck_event *e)
{
    static const char *const back[] = {
        "set_weights", "load_weights",    "clone_model", "load_model", "reset",
        "Reset",       "load_state_dict", ".apply(",     "init",       "deepcopy"};
    static const char *const judged[] = {".evaluate(", ".predict(", "validation_data",
                                         ".eval()",    "no_grad",   "score",
                                         "accuracy"};
    struct folds *f = ck_state(c, &folds_key, sizeof *f);
    if (!f || !f->file || !e->object || e->object->id > f->made || e->object->id == 0 ||
        says(f, back, sizeof back / sizeof *back) ||
        !says(f, judged, sizeof judged / sizeof *judged))
        return;
    ck_find(c, e->node, "training/model-across-folds", NULL, 0,
            "the %s was made before the loop over the folds: from the second fold on it has "
            "been trained on what it is tested with; make a new one for each fold",
            e->kind == CK_EV_STEP          ? "optimizer"
            : e->kind == CK_EV_SESSION_RUN ? "session"
                                           : "model");
}

/* The same for the variables of a session. */
static void watch_session(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    bool trains = ck_as(e->a, CK_INSTANCE) != NULL;
    if (e->a.kind != LW_V_TENSOR && !trains && ck_sequence(c, e->a, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            trains |= ck_as(seq.items[i], CK_INSTANCE) != NULL;
    if (trains && e->object)
        watch_shared(c, e);
}

/* ---- dropout that stays on ----------------------------------------------------------------
 */

static bool has_star(const struct ck_call *call)
{
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].star)
            return true;
    return false;
}

static uint32_t node_of(const struct lw_tree *t, const struct ck_call *call, const char *name)
{
    for (size_t i = 0; i < call->n; i++)
        if (look_is(call->args[i].name, name))
            return lw_tree_kind(t, call->args[i].node) == LW_NODE_KEYWORD
                       ? lw_tree_get(t, call->args[i].node, LW_ROLE_VALUE)
                       : call->args[i].node;
    return LW_NO_NODE;
}

/* Is dropout to be off at some time? Where a file only defines modules, whoever trains them
 * stands elsewhere, and calls eval() there. */
static bool is_judged_without(struct ck *c)
{
    return (ck_mentions(c, ".eval()") || !ck_mentions(c, ".backward(")) &&
           !ck_mentions(c, "onte") && !ck_mentions(c, "uncertain") && !ck_mentions(c, "MC");
}

/* F.dropout(x) drops whatever the mode of the module is, and so does the attention function.
 * Outside of modules there is no mode; where nothing calls eval() it makes no difference. */
static void watch_dropout(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"dropout", "dropout1d", "dropout2d", "dropout3d",
                                        "alpha_dropout"};
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    struct lw_str name = look_tail(e->call->name);
    bool attention = look_is(name, "scaled_dot_product_attention");
    double p = 0;
    if (!lw_str_has_prefix(e->call->name, LW_S("torch.nn.functional.")) ||
        (!attention && !look_is_any(name, names, 5)) || !self || !ck_is_torch_module(c, self) ||
        has_star(e->call) || !is_judged_without(c))
        return;
    if (!attention) {
        struct lw_value rate = ck_arg(e->call, 1, "p");
        if (ck_arg(e->call, 2, "training").kind != LW_V_ABSENT ||
            (ck_number_of(c, rate, &p) && p == 0))
            return;
        ck_find(c, e->node, "training/dropout-always-on", NULL, 0,
                "this dropout does not know the mode of the module: eval() leaves it on, and "
                "answers stay random; pass training=self.training, or use nn.Dropout");
        return;
    }
    uint32_t given = node_of(t, e->call, "dropout_p");
    if (given == LW_NO_NODE || !ck_number_of(c, ck_arg(e->call, 4, "dropout_p"), &p) ||
        p <= 0 || lw_str_find(lw_tree_text(t, given), LW_S("training")) != LW_NPOS)
        return;
    ck_find(c, e->node, "training/dropout-always-on", NULL, 0,
            "the attention drops %g of its weights also after eval(): pass dropout_p only "
            "while self.training",
            p);
}

/* x = nn.Dropout(0.5)(x) in forward(): made anew each time, it is always in training mode. */
static void watch_new_dropout(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object, *self = ck_as(c->frame->self, CK_INSTANCE);
    if (!o || o->of || !o->api || !look_is(lw_api_fact(o->api, "role"), "dropout") || !self ||
        !ck_is_torch_module(c, self) || !c->frame->function || o->file != c->frame->file ||
        look_is(c->frame->function->name, "__init__") ||
        !lw_str_has_prefix(o->api->name, LW_S("torch.nn.Dropout")) ||
        !look_inside(&o->file->tree, o->node, c->frame->function->node) ||
        !is_judged_without(c))
        return;
    struct lw_str text =
        lw_tree_text(&o->file->tree, lw_tree_statement(&o->file->tree, o->node));
    if (lw_str_find(text, LW_S("training")) != LW_NPOS)
        return;
    ck_find(c, e->node, "training/dropout-always-on", NULL, 0,
            "a Dropout that is made where it is used is always in training mode: eval() does "
            "not reach it, and answers stay random; make it in __init__()");
}

/* ---- what a call leaves behind ------------------------------------------------------------
 */

/* torch.set_grad_enabled(False) as a statement in a module: whoever called it goes on without
 * gradients. */
static void watch_switch(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    struct lw_value on = ck_arg(e->call, 0, "mode");
    if (!look_is(e->call->name, "torch.set_grad_enabled") || on.kind != LW_V_BOOL ||
        on.tri != LW_TRI_NO || !self || !ck_is_torch_module(c, self) || !c->frame->function ||
        e->node == LW_NO_NODE || lw_tree_kind(t, lw_tree_parent(t, e->node)) != LW_NODE_EXPR)
        return;
    /* Behind it: True again, or as it was. */
    uint32_t f = c->frame->function->node;
    for (uint32_t n = look_next_call(t, f, e->node, "set_grad_enabled"); n != LW_NO_NODE;
         n = look_next_call(t, f, n, "set_grad_enabled")) {
        uint32_t arg = lw_tree_each(t, n, LW_ROLE_ARGS, LW_NO_NODE);
        if (arg == LW_NO_NODE || !look_is(lw_tree_text(t, arg), "False"))
            return;
    }
    ck_find(c, e->node, "api/gradients-left-off", NULL, 0,
            "gradients are off for the whole program from here on: who calls this trains "
            "nothing any more; use 'with torch.no_grad():'");
}

static bool assigns_attribute(const struct lw_tree *t, uint32_t top, enum lw_role role,
                              struct lw_str name)
{
    for (uint32_t s = lw_tree_each(t, top, role, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, top, role, s))
        for (uint32_t n = s; n != LW_NO_NODE; n = lw_tree_next(t, s, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
                return true;
    return false;
}

/* if self.training: … else: self.rate = 0, and nothing sets it again. */
static void check_settings(struct ck *c, const struct lw_tree *t, uint32_t test, uint32_t f)
{
    for (uint32_t s = lw_tree_each(t, test, LW_ROLE_ORELSE, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, test, LW_ROLE_ORELSE, s)) {
        uint32_t target = lw_tree_kind(t, s) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, s, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_ATTRIBUTE ||
            lw_tree_kind(t, lw_tree_get(t, s, LW_ROLE_VALUE)) != LW_NODE_NUMBER)
            continue;
        struct lw_str name = lw_tree_text(t, target);
        bool again = assigns_attribute(t, test, LW_ROLE_BODY, name);
        for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
             n = lw_tree_next(t, f, n, false))
            again |= n != s && lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                     lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name);
        if (again || !lw_str_has_prefix(name, LW_S("self.")))
            continue;
        ck_find(c, s, "training/setting-lost", NULL, 0,
                "'%.*s' is set for the evaluation and stays so when training goes on: take a "
                "variable of the function",
                LW_F(name));
    }
}

static void watch_class(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->object || e->object->file != c->frame->file || !ck_mentions(c, "self.training"))
        return;
    uint32_t cls = e->object->node;
    for (uint32_t n = lw_tree_next(t, cls, cls, false); n != LW_NO_NODE;
         n = lw_tree_next(t, cls, n, false)) {
        uint32_t f = lw_tree_kind(t, n) == LW_NODE_IF
                         ? lw_tree_enclosing(t, n, LW_NODE_FUNCTION)
                         : LW_NO_NODE;
        if (f != LW_NO_NODE && !look_is(lw_tree_name(t, f), "__init__") &&
            look_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), "self.training"))
            check_settings(c, t, n, f);
    }
}

const struct ck_rule ck_rules_evaluation[] = {
    {CK_EV_LOOP, watch_folds},          {CK_EV_FIT | CK_EV_STEP, watch_shared},
    {CK_EV_SESSION_RUN, watch_session}, {CK_EV_CALL, watch_dropout},
    {CK_EV_LAYER, watch_new_dropout},   {CK_EV_CALL, watch_switch},
    {CK_EV_CLASS, watch_class},         {0, NULL},
};
