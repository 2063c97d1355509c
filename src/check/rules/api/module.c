/* Rules about classes derived from nn.Module, and how they are used. */
#include "base/str.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

/* ---- super().__init__() -------------------------------------------------------------------
 */

/* self.layer = nn.Linear(…) before nn.Module.__init__ has run. */
static void watch_assign(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    const struct ck_object *part = ck_as(e->value, CK_INSTANCE);
    bool weight = e->value.kind == LW_V_TENSOR && e->value.tensor->variable == LW_TRI_YES;
    if (!self || !self->of || self->open || (!part && !weight) || !c->frame->function ||
        !lw_str_eq(c->frame->function->name, LW_S("__init__")) ||
        lw_tree_kind(t, e->node) != LW_NODE_ATTRIBUTE ||
        model_trait(self, MODULE_INITIALISED).kind != LW_V_ABSENT)
        return;
    bool torch = ck_is_torch_module(c, self);
    static const char *const models[] = {"keras.Model", "keras.models.Model", NULL};
    if (!torch && !(ck_is_a_any(c, c->frame->self, models) && part))
        return;
    uint32_t owner = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    if (!lw_str_eq(lw_tree_text(t, owner), LW_S("self")) ||
        (part && !(torch ? ck_is_torch_module(c, part) : ck_is_keras_layer(c, part))) ||
        note_of(self, NOTE_COMPLAINED).kind != LW_V_ABSENT)
        return;
    note_set(c, self, NOTE_COMPLAINED, lw_v_tri(LW_TRI_YES));
    ck_find(c, e->node, "api/super-init-missing", NULL, 0,
            "%.*s assigns a %s before %s.__init__() has run: call super().__init__() first",
            LW_F(self->of->name), torch ? "module" : "layer", torch ? "nn.Module" : "Model");
}

/* Is it a parameter of the function, beside the object itself? */
static bool is_given(const struct fix *f, uint32_t function, struct lw_str name)
{
    for (uint32_t p = function; p != LW_NO_NODE; p = lw_tree_next(f->t, function, p, false))
        if (fix_kind(f, p) == LW_NODE_PARAM && lw_str_eq(fix_name(f, p), name))
            return !text_is(name, "self");
    return false;
}

/* Does the call take only what __init__() was given? Then nothing has to be done before it. */
static bool is_self_sufficient(const struct fix *f, uint32_t init, uint32_t call)
{
    uint32_t func = lw_tree_get(f->t, call, LW_ROLE_FUNC);
    for (uint32_t n = call; n != LW_NO_NODE; n = lw_tree_next(f->t, call, n, n == func))
        if (fix_kind(f, n) == LW_NODE_NAME && !is_given(f, init, fix_name(f, n)))
            return false;
    return true;
}

/* super().__init__() at the beginning of __init__; one that comes too late moves there. */
static void make_super_init(struct fix *f)
{
    uint32_t init = lw_tree_enclosing(f->t, f->node, LW_NODE_FUNCTION);
    uint32_t late =
        init == LW_NO_NODE ? LW_NO_NODE : syntax_method_call(f->t, init, "__init__");
    uint32_t cls =
        init == LW_NO_NODE ? LW_NO_NODE : lw_tree_enclosing(f->t, init, LW_NODE_CLASS);
    struct lw_str line = LW_S("super().__init__()");
    if (cls == LW_NO_NODE || !lw_str_eq(fix_name(f, init), LW_S("__init__")))
        return;
    if (lw_str_find(f->t->lexed.text, LW_S("super(")) >= 0 &&
        lw_str_find(f->t->lexed.text, LW_S("super()")) < 0)
        line = ck_text(f->c, "super(%.*s, self).__init__()", LW_F(fix_name(f, cls)));
    fix_say(f, "call %.*s first", LW_F(line));
    if (late != LW_NO_NODE) {
        uint32_t statement = lw_tree_statement(f->t, late);
        if (lw_tree_parent(f->t, statement) != init || !is_self_sufficient(f, init, late))
            return;
        line = lw_tree_text(f->t, statement);
        fix_remove_statement(f, statement);
    }
    fix_line_first(f, init, line);
}

/* ---- forward ------------------------------------------------------------------------------
 */

/* The method of the class whose name is nearest to `want`. */
static struct lw_str nearest_method(struct ck *c, const struct ck_object *cls, const char *want)
{
    struct lw_str best = {0};
    size_t least = 3;
    for (const struct ck_slot *s = cls->fields.first; s; s = s->next) {
        struct lw_str name = heap_name(&c->heap, s->name);
        size_t d =
            s->value.kind == CK_FUNCTION ? lw_str_distance(name, lw_str(want), least) : 3;
        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}

static void watch_missing_forward(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    uint32_t node = e->node;
    if (e->fault != CK_FAULT_NO_FORWARD)
        return;
    bool torch = o->api && lw_str_eq(o->api->name, LW_S("torch.nn.Module"));
    bool made = o->node != o->of->node; /* by the program; else it may be a base of others */
    if (!torch || !made || o->open || o->of->open || c->stopped ||
        ck_class_member(c, o->of, LW_S("forward"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("__call__"), NULL).kind != LW_V_ABSENT ||
        c->frame->guarded || node == LW_NO_NODE ||
        ck_field(c, o, "forward").kind != LW_V_ABSENT)
        return;
    struct lw_str near = nearest_method(c, o->of, "forward");
    ck_hint(c, (struct ck_hint){.meant = LW_S("forward"), .was = near, .object = o->of});
    ck_find(c, node, "api/missing-forward", NULL, 0,
            "%.*s is called, but it has no forward() method%s%.*s%s", LW_F(o->of->name),
            near.n ? "; should '" : "", LW_F(near), near.n ? "' be named forward()?" : "");
}

/* The method that is meant for forward() gets its name. */
static void make_forward(struct fix *f)
{
    const struct ck_object *cls = f->hint->object;
    struct lw_str was = f->hint->was;
    if (!cls || cls->file != f->file || !was.n)
        return;
    for (uint32_t s = lw_tree_each(f->t, cls->node, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(f->t, cls->node, LW_ROLE_BODY, s))
        if (fix_kind(f, s) == LW_NODE_FUNCTION && lw_str_eq(fix_name(f, s), was)) {
            fix_say(f, "rename the method to 'forward'");
            fix_token(f, lw_tree_name_token(f->t, s), f->hint->meant);
        }
}

/* ---- DataParallel -------------------------------------------------------------------------
 */

static void watch_attribute(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    const struct ck_object *inner = o ? ck_wrapped_module(c, o) : NULL;
    if (!inner || c->frame->guarded || !inner->of)
        return;
    const struct ck_slot *s = ck_field_slot(c, inner, e->name);
    bool has = (s && s->value.kind != LW_V_ABSENT) ||
               ck_class_member(c, inner->of, e->name, NULL).kind != LW_V_ABSENT;
    if (has)
        ck_find(c, e->node, "api/parallel-attribute", &e->a, 1,
                "DataParallel has no attribute '%.*s', only the wrapped module has it: write "
                ".module.%.*s",
                LW_F(e->name), LW_F(e->name));
}

/* model.x of a DataParallel -> model.module.x */
static void make_parallel(struct fix *f)
{
    uint32_t owner = fix_kind(f, f->node) == LW_NODE_ATTRIBUTE
                         ? lw_tree_get(f->t, f->node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (owner == LW_NO_NODE)
        return;
    fix_say(f, "use the wrapped module (.module)");
    fix_insert(f, lw_tree_end(f->t, owner), LW_S(".module"));
}

struct parallel {
    struct ck_file *file;
    uint32_t saved; /* torch.save(parallel.state_dict(), …) */
    bool plain;     /* another state was saved too */
    bool loaded;    /* into a module that is not wrapped */
};

static const char parallel_key;

static const struct ck_object *receiver(struct ck *c, uint32_t call)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (call == LW_NO_NODE || lw_tree_kind(t, call) != LW_NODE_CALL)
        return NULL;
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE ||
        !lw_str_eq(lw_tree_name(t, f), LW_S("state_dict")))
        return NULL;
    uint32_t owner = lw_tree_get(t, f, LW_ROLE_VALUE);
    return lw_tree_kind(t, owner) == LW_NODE_NAME ? ck_as(ck_eval(c, owner), CK_INSTANCE)
                                                  : NULL;
}

/* Weights saved from a DataParallel have names that begin with "module.". */
static void watch_parallel_state(struct ck *c, const struct ck_event *e)
{
    struct parallel *p = ck_state(c, &parallel_key, sizeof *p);
    if (!p)
        return;
    if (!p->file) {
        p->file = c->frame->file;
        p->saved = LW_NO_NODE;
    }
    if (lw_str_eq(e->call->name, LW_S("torch.save")) && e->call->n) {
        const struct ck_object *o = receiver(c, e->call->args[0].node);
        if (o && ck_wrapped_module(c, o)) {
            p->saved = e->node;
            p->file = c->frame->file;
        } else
            p->plain = true;
    }
    struct ck_object *self = ck_as(e->call->self, CK_INSTANCE);
    if (self && lw_str_has_suffix(e->call->name, LW_S(".load_state_dict")) && self->of &&
        ck_is_torch_module(c, self))
        p->loaded = true;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct parallel *p = ck_state(c, &parallel_key, sizeof *p);
    (void)e;
    if (!p || !p->file || p->saved == LW_NO_NODE || p->plain || !p->loaded)
        return;
    ck_find_at(c, p->file, p->saved, "api/parallel-state-dict", NULL, 0,
               "the state_dict of a DataParallel is loaded into a plain module, but its keys "
               "begin with 'module.': save model.module.state_dict()");
}

static void make_parallel_state(struct fix *f)
{
    uint32_t state = syntax_method_call(f->t, f->node, "state_dict");
    uint32_t owner = state == LW_NO_NODE ? LW_NO_NODE : syntax_owner(f->t, state);
    if (owner == LW_NO_NODE)
        return;
    fix_say(f, "save the state_dict() of the wrapped module");
    fix_insert(f, lw_tree_end(f->t, owner), LW_S(".module"));
}

/* ---- tensors that are not registered ------------------------------------------------------
 */

/* `self.name = …` in the class; LW_NO_NODE when there is none. */
static uint32_t find_assign(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGETS);
        if (target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_name(t, target), name))
            return target;
    }
    return LW_NO_NODE;
}

/* Is self.name used in the class other than with .to(…), .cuda() or on its own device? */
static bool is_used_plainly(struct ck *c, struct lw_str text, struct lw_str name)
{
    struct lw_str word = ck_text(c, "self.%.*s", LW_F(name));
    bool used = false;
    ptrdiff_t at;
    for (struct lw_str rest = text; (at = lw_str_find(rest, word)) >= 0;) {
        rest = lw_str_from(rest, (size_t)at + word.n);
        char next = rest.n ? rest.p[0] : ' ';
        bool whole = !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                       (next >= '0' && next <= '9') || next == '_');
        if (!whole)
            continue;
        struct lw_str line = rest;
        ptrdiff_t end = lw_str_find_char(line, '\n');
        if (end >= 0)
            line = lw_str_part(line, 0, (size_t)end);
        if (lw_str_find(line, LW_S(".to(")) >= 0 || lw_str_find(line, LW_S(".cuda(")) >= 0 ||
            lw_str_find(line, LW_S("type_as")) >= 0 || lw_str_find(line, LW_S("device")) >= 0)
            return false;
        used |= !lw_str_has_prefix(lw_str_trim(line), LW_S("=")) ||
                lw_str_has_prefix(lw_str_trim(line), LW_S("=="));
    }
    return used;
}

/* A tensor on the CPU that no weight is, or a list that begins with one. */
static bool is_left_behind(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    const struct lw_tensor *t = v.kind == CK_LIST && ck_sequence(c, v, &seq) && seq.n
                                    ? ck_tensor_of(seq.items[0])
                                    : ck_tensor_of(v);
    return t && t->framework == LW_TORCH && t->device == LW_CPU && t->variable == LW_TRI_NO &&
           (t->shape.n > 0 || !lw_shape_has_rank(&t->shape));
}

static bool reads(const struct lw_tree *t, uint32_t function, struct lw_str name)
{
    for (uint32_t n = function; n != LW_NO_NODE; n = lw_tree_next(t, function, n, false))
        if (syntax_is_of_self(t, n) && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

/* Is self.name read where data goes through: in forward(), a step, or what they call? */
static bool is_read_in_step(const struct lw_tree *t, uint32_t class_node, struct lw_str name)
{
    for (uint32_t f = lw_tree_each(t, class_node, LW_ROLE_BODY, LW_NO_NODE); f != LW_NO_NODE;
         f = lw_tree_each(t, class_node, LW_ROLE_BODY, f)) {
        struct lw_str own = lw_tree_name(t, f);
        if (lw_tree_kind(t, f) != LW_NODE_FUNCTION ||
            (!text_is(own, "forward") && !lw_str_has_suffix(own, LW_S("_step"))))
            continue;
        if (reads(t, f, name))
            return true;
        for (uint32_t n = f; n != LW_NO_NODE; n = lw_tree_next(t, f, n, false)) {
            uint32_t method = lw_tree_kind(t, n) == LW_NODE_CALL &&
                                      syntax_is_of_self(t, lw_tree_get(t, n, LW_ROLE_FUNC))
                                  ? program_method(t, class_node, syntax_called_name(t, n))
                                  : LW_NO_NODE;
            if (method != LW_NO_NODE && reads(t, method, name))
                return true;
        }
    }
    return false;
}

static void report_left(struct ck *c, const struct ck_object *o, const struct ck_slot *s)
{
    struct lw_str name = heap_name(&c->heap, s->name);
    const struct lw_tree *t = &o->of->file->tree;
    uint32_t at = find_assign(t, o->of->node, name);
    if (at == LW_NO_NODE || !is_used_plainly(c, lw_tree_text(t, o->of->node), name) ||
        !is_read_in_step(t, o->of->node, name))
        return;
    bool list = s->value.kind == CK_LIST;
    ck_find_at(c, o->of->file, at, "api/unregistered-tensor", &s->value, 1,
               "'self.%.*s' is a plain %s, so to() does not move it with the module: use "
               "register_buffer('%.*s'%s, …)",
               LW_F(name), list ? "list of tensors" : "tensor", LW_F(name),
               list ? " + str(i)" : "");
}

enum { MAX_NESTED = 4 };

/* The attributes of the module and of those in it that moving it leaves where they are. */
static void check_left(struct ck *c, const struct ck_object *o, unsigned depth)
{
    static const char *const defaults[] = {"set_default_tensor_type", "set_default_device"};
    struct lw_seq seq;
    if (!o || !o->of || o->open || depth > MAX_NESTED || program_calls(c, defaults, 2) ||
        !ck_is_torch_module(c, o) ||
        ck_class_member(c, o->of, LW_S("to"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("_apply"), NULL).kind != LW_V_ABSENT)
        return;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        if (o->of->file == c->files.v[0] && is_left_behind(c, s->value))
            report_left(c, o, s);
        const struct ck_object *inner = ck_as(s->value, CK_INSTANCE);
        check_left(c, inner, depth + 1);
        if (inner && ck_sequence(c, ck_trait(inner, TRAIT_ITEMS), &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                check_left(c, ck_as(seq.items[i], CK_INSTANCE), depth + 1);
    }
}

/* model.to(device) leaves a plain tensor in an attribute where it is. */
static void watch_move(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    bool moves = lw_str_eq(e->call->name, LW_S("torch.nn.Module.to")) ||
                 lw_str_eq(e->call->name, LW_S("torch.nn.Module.cuda"));
    struct lw_value device = moves && o ? model_trait(o, MODULE_DEVICE) : lw_v_absent();
    if (device.kind == LW_V_DEVICE && device.device != LW_CPU && lw_set_is_one(device.device))
        check_left(c, o, 0);
}

/* Lightning moves the module itself, unless it is told to stay on the CPU. */
static void watch_lightning(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"pytorch_lightning.LightningModule",
                                        "lightning.pytorch.LightningModule"};
    static const char *const fits[] = {"fit"};
    static const char *const cpu[] = {"cpu"};
    (void)e;
    if (!program_calls_of(c, "Trainer").n || !program_calls(c, fits, 1) ||
        program_has_text(c, cpu, 1))
        return;
    for (size_t i = 0; i < c->instances.n; i++)
        for (size_t k = 0; k < 2; k++)
            if (ck_is_a(c, ck_value(c->instances.v[i]), names[k]))
                check_left(c, c->instances.v[i], 0);
}

/* self.x = torch.zeros(…) -> self.register_buffer('x', torch.zeros(…)) */
static void make_buffer(struct fix *f)
{
    uint32_t assign = lw_tree_statement(f->t, f->node);
    uint32_t value = fix_kind(f, assign) == LW_NODE_ASSIGN
                         ? lw_tree_get(f->t, assign, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    uint32_t target =
        value == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(f->t, assign, LW_ROLE_TARGETS);
    if (fix_kind(f, target) != LW_NODE_ATTRIBUTE || !f->cause_count ||
        f->causes[0].kind != LW_V_TENSOR || lw_tree_count(f->t, assign, LW_ROLE_TARGETS) != 1)
        return;
    struct lw_str owner = fix_text(f, lw_tree_get(f->t, target, LW_ROLE_VALUE));
    struct lw_str name = fix_name(f, target);
    if (!lw_str_eq(owner, LW_S("self")))
        return;
    fix_say(f, "register '%.*s' as a buffer", LW_F(name));
    fix_replace(f, lw_tree_start(f->t, assign), lw_tree_start(f->t, value),
                ck_text(f->c, "self.register_buffer('%.*s', ", LW_F(name)));
    fix_insert(f, lw_tree_end(f->t, value), LW_S(")"));
}

/* ---- devices ------------------------------------------------------------------------------
 */

/* Does the program choose: "cuda" if torch.cuda.is_available() else "cpu"? */
static bool chooses_device(const struct ck_file *f)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_IF_EXP &&
            text_says(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), "is_available"))
            return true;
    return false;
}

/* x.cuda() in a program that elsewhere asks whether there is a GPU. */
static void watch_cuda(struct ck *c, const struct ck_event *e)
{
    bool cuda = lw_str_eq(e->call->name, LW_S("torch.Tensor.cuda")) ||
                lw_str_eq(e->call->name, LW_S("torch.nn.Module.cuda"));
    if (!cuda || c->frame->guarded || e->call->n || c->frame->file->index != 0 ||
        ck_is_driven(c) || !ck_is_certain(c))
        return;
    if (!ck_may_find(c, "api/device-hard-coded") || !chooses_device(c->frame->file))
        return;
    ck_find(c, e->node, "api/device-hard-coded", NULL, 0,
            "cuda() fails without a GPU, although other lines of the program check for one: "
            "write .to(device)");
}

/* x.cuda() -> x.to(device), where the program has a device of its own. */
static void make_device(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node), owner = syntax_owner(f->t, f->node);
    struct lw_str device = fix_device_name(f);
    if (!device.n || owner == LW_NO_NODE || fix_kind(f, callee) != LW_NODE_ATTRIBUTE)
        return;
    fix_say(f, "write .to(%.*s)", LW_F(device));
    fix_replace(f, f->t->lexed.tokens.v[lw_tree_name_token(f->t, callee)].start,
                lw_tree_end(f->t, f->node), ck_text(f->c, "to(%.*s)", LW_F(device)));
}

/* ---- data sets ----------------------------------------------------------------------------
 */

static void watch_loader(struct ck *c, const struct ck_event *e)
{
    struct lw_value set = ck_slot_value(e->call, "dataset");
    const struct ck_object *o = ck_as(set, CK_INSTANCE);
    struct lw_value sampler = ck_slot_value(e->call, "sampler");
    struct lw_value batches = ck_slot_value(e->call, "batch_sampler");
    if (!lw_str_eq(e->call->name, LW_S("torch.utils.data.DataLoader")) || !o || !o->of ||
        o->open || !o->api || !lw_str_eq(o->api->name, LW_S("torch.utils.data.Dataset")) ||
        (sampler.kind != LW_V_NONE && sampler.kind != LW_V_ABSENT) ||
        (batches.kind != LW_V_NONE && batches.kind != LW_V_ABSENT) ||
        ck_class_member(c, o->of, LW_S("__len__"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("__iter__"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("__getitem__"), NULL).kind == LW_V_ABSENT)
        return;
    ck_find(c, e->node, "api/dataset-without-length", &set, 1,
            "the class %.*s has no __len__() method, which DataLoader calls: add it",
            LW_F(o->of->name));
}

/* ---- arguments by their names -------------------------------------------------------------
 */

/* Dropout(keep_prob): the share that is dropped is asked for. */
static void watch_dropout(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->call->api || !lw_str_eq(lw_api_fact(e->call->api, "role"), LW_S("dropout")) ||
        !e->call->n || e->call->args[0].node == LW_NO_NODE ||
        lw_str_eq(e->call->args[0].name, LW_S("keep_prob")) ||
        lw_str_has_prefix(e->call->name, LW_S("tensorflow.")))
        return;
    uint32_t node = e->call->args[0].node;
    enum lw_node_kind kind = (enum lw_node_kind)lw_tree_kind(t, node);
    if (kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE)
        return;
    if (lw_str_find(lw_tree_name(t, node), LW_S("keep")) < 0)
        return;
    ck_find(c, e->node, "api/keep-probability", NULL, 0,
            "Dropout takes the probability to drop a value, but '%.*s' looks like the "
            "probability to keep it: write 1 - %.*s",
            LW_F(lw_tree_text(t, node)), LW_F(lw_tree_text(t, node)));
}

static void make_share_dropped(struct fix *f)
{
    uint32_t first = fix_argument(f, f->node, NULL, 0);
    if (first == LW_NO_NODE)
        first = lw_tree_get(f->t, lw_tree_get(f->t, f->node, LW_ROLE_KEYWORDS), LW_ROLE_VALUE);
    fix_say(f, "pass the probability to drop: 1 - %.*s", LW_F(fix_text(f, first)));
    fix_around(f, first, "1 - ", "");
}

/* ---- settings that come too late ----------------------------------------------------------
 */

/* net.fc = nn.Identity(); net.fc.in_features = n: what replaces a layer keeps its sizes. */
static bool is_replaced(const struct lw_tree *t, uint32_t setting, uint32_t owner)
{
    uint32_t f = lw_tree_enclosing(t, setting, LW_NODE_FUNCTION);
    uint32_t top = f == LW_NO_NODE ? t->root : f;
    for (uint32_t n = top; n != LW_NO_NODE && n != setting;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t value = lw_tree_kind(t, n) == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        if (value != LW_NO_NODE && text_is(syntax_called_name(t, value), "Identity") &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)),
                      lw_tree_text(t, owner)))
            return true;
    }
    return false;
}

/* layer.out_features = 10: the weights were made when the layer was. */
static void watch_setting(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->node == LW_NO_NODE || lw_tree_kind(t, e->node) != LW_NODE_ATTRIBUTE)
        return;
    struct lw_str name = lw_tree_name(t, e->node);
    uint32_t owner = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    if ((!lw_str_eq(name, LW_S("out_features")) && !lw_str_eq(name, LW_S("in_features"))) ||
        owner == LW_NO_NODE || lw_str_eq(lw_tree_text(t, owner), LW_S("self")) ||
        c->frame->in_class || is_replaced(t, e->node, owner) ||
        lw_str_find(c->frame->file->code,
                    ck_text(c, "%.*s.weight", LW_F(lw_tree_text(t, owner)))) != LW_NPOS)
        return; /* or its weights are changed too */
    ck_find(c, e->node, "api/setting-too-late", NULL, 0,
            "setting '%.*s' does not change the layer, because its weights already exist: "
            "replace it with a new layer",
            LW_F(name));
}

const struct ck_rule rules_api_module[] = {
    {"api/setting-too-late", CK_EV_ASSIGN, watch_setting},
    {"api/super-init-missing", CK_EV_ASSIGN, watch_assign},
    {"api/parallel-attribute", CK_EV_ATTRIBUTE, watch_attribute},
    {"api/dataset-without-length api/device-hard-coded "
     "api/keep-probability api/missing-forward api/parallel-attribute "
     "api/parallel-state-dict api/setting-too-late api/super-init-missing "
     "api/unregistered-tensor",
     CK_EV_CALL, watch_parallel_state},
    {"api/parallel-state-dict", CK_EV_END, watch_end},
    {"api/unregistered-tensor", CK_EV_CALL, watch_move,
     .calls = "torch.nn.Module.to torch.nn.Module.cuda"},
    {"api/unregistered-tensor", CK_EV_END, watch_lightning},
    {"api/device-hard-coded", CK_EV_CALL, watch_cuda,
     .calls = "torch.Tensor.cuda torch.nn.Module.cuda"},
    {"api/dataset-without-length", CK_EV_CALL, watch_loader,
     .calls = "torch.utils.data.DataLoader"},
    {"api/keep-probability", CK_EV_CALL, watch_dropout},
    {"api/missing-forward", CK_EV_FAULT, watch_missing_forward, .pure = true},
    {"api/device-hard-coded", .fix = make_device},
    {"api/keep-probability", .fix = make_share_dropped},
    {"api/missing-forward", .fix = make_forward},
    {"api/parallel-attribute", .fix = make_parallel},
    {"api/parallel-state-dict", .fix = make_parallel_state},
    {"api/super-init-missing", .fix = make_super_init},
    {"api/unregistered-tensor", .fix = make_buffer},
    {0},
};
