/* Rules about PyTorch modules: what they register, where they are, what they are given. */
#include "base/str.h"
#include "check/lib_module.h"
#include "check/look.h"
#include "check/rules.h"

/* ---- inputs against weights ---------------------------------------------------------------
 */

static bool has_weights(const struct lw_api *api)
{
    static const char *const roles[] = {"dense", "conv", "conv-transpose", "recurrent"};
    struct lw_str role = lw_api_fact(api, "role");
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (lw_str_eq(role, lw_str(roles[i])))
            return true;
    return false;
}

static bool is_array(const struct lw_tensor *t)
{
    return t && t->framework == LW_TORCH;
}

/* "cuda" if there is one: the program runs where there is none. */
static enum lw_severity apart_severity(uint32_t a, uint32_t b)
{
    return (a | b) & LW_CHOSEN_DEVICE ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR;
}

enum { MAX_BACK = 12 };

/* Has it come through another layer on that device? Then that one has met the other device. */
static bool has_met(struct ck *c, struct lw_value v, uint32_t device)
{
    for (unsigned i = 0; i < MAX_BACK; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !o->in_count)
            return false;
        if (o->layer && !o->layer->of && o->layer->api && has_weights(o->layer->api) &&
            ck_module_device(c, o->layer) == device)
            return true;
        v = o->in[0];
    }
    return false;
}

static void watch_weights(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    if (!o || o->of || !o->api || o->api->framework != LW_TORCH || !has_weights(o->api))
        return;
    lw_dtypes dtype = ck_module_dtype(c, o);
    uint32_t device = ck_module_device(c, o);
    struct lw_str name =
        lw_str_from(o->api->name, (size_t)(lw_str_find_last_char(o->api->name, '.') + 1));
    for (size_t i = 0; i < e->call->n; i++) {
        struct lw_value v = e->call->args[i].value;
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!is_array(t))
            continue;
        if (!(t->dtype & dtype) && lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES) {
            ck_find(c, e->node, "type/layer-input-dtype", &v, 1,
                    "the weights of %.*s are %s, its input is %s; convert it with float() or "
                    "the module with double()",
                    LW_F(name), lw_dtype_name(dtype), lw_dtype_name(t->dtype));
            return;
        }
        bool apart = lw_set_is_one(device) && lw_set_is_one(t->device) && device != t->device &&
                     (device | t->device) != (LW_CUDA | LW_CHOSEN_DEVICE);
        if (apart && !has_met(c, v, device)) {
            ck_find_as(c, e->node, LW_S("type/device-mix"), apart_severity(device, t->device),
                       &v, 1,
                       ck_text(c,
                               "the weights of %.*s are on %s, its input is on %s: move both "
                               "to one device with to()",
                               LW_F(name), lw_device_name(device), lw_device_name(t->device)));
            return;
        }
    }
}

/* A state of a recurrent layer that stays on the CPU while the module was moved. */
static void watch_state(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    struct lw_seq seq;
    if (!o || o->of || !o->api || !lw_str_eq(lw_api_fact(o->api, "role"), LW_S("recurrent")) ||
        o->api->framework != LW_TORCH || e->call->n < 2)
        return;
    uint32_t device = ck_module_device(c, o);
    struct lw_value state = e->call->args[1].value;
    if (state.kind == LW_V_TENSOR || !ck_sequence(c, state, &seq) || seq.open)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct lw_tensor *t = ck_tensor_of(seq.items[i]);
        if (!is_array(t) || !lw_set_is_one(device) || !lw_set_is_one(t->device) ||
            t->device == device || (device | t->device) == (LW_CUDA | LW_CHOSEN_DEVICE))
            continue;
        ck_find_as(c, e->node, LW_S("type/device-mix"), apart_severity(device, t->device),
                   &seq.items[i], 1,
                   ck_text(c,
                           "the weights are on %s, the state is on %s: make it with device=…",
                           lw_device_name(device), lw_device_name(t->device)));
        return;
    }
}

/* Batch normalisation of a single value per channel while training. */
static void watch_batch_norm(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    int64_t n;
    if (!o || o->of || !o->api || !e->call->n ||
        !lw_str_has_prefix(o->api->name, LW_S("torch.nn.BatchNorm")) || ck_is_driven(c))
        return;
    struct lw_value x = e->call->args[0].value, mode = ck_field(c, o, "training");
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        (mode.kind != LW_V_ABSENT && ck_truth(c, mode) != LW_TRI_YES))
        return;
    for (uint32_t i = 0; i < t->shape.n; i++)
        if (i != 1 && (!lw_dim_is_int(c->dims, t->shape.d[i], &n) || n != 1))
            return;
    ck_find(c, e->node, "shape/batch-norm-single", &x, 1,
            "batch normalisation of shape %.*s has one value per channel: in training it needs "
            "more; call eval() for single samples",
            LW_F(ck_show_shape(c, &t->shape)));
}

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
        ck_field(c, self, "(initialised)").kind != LW_V_ABSENT)
        return;
    bool torch = ck_is_torch_module(c, self);
    static const char *const models[] = {"keras.Model", "keras.models.Model", NULL};
    if (!torch && !(ck_is_a_any(c, c->frame->self, models) && part))
        return;
    uint32_t owner = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    if (!lw_str_eq(lw_tree_text(t, owner), LW_S("self")) ||
        (part && !(torch ? ck_is_torch_module(c, part) : ck_is_keras_layer(c, part))) ||
        ck_field(c, self, "(complained)").kind != LW_V_ABSENT)
        return;
    ck_set_field(c, self, "(complained)", lw_v_tri(LW_TRI_YES));
    ck_find(c, e->node, "api/super-init-missing", NULL, 0,
            "%.*s assigns a %s before %s.__init__ has run: call super().__init__() first",
            LW_F(self->of->name), torch ? "module" : "layer", torch ? "nn.Module" : "Model");
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

void ck_on_missing_forward(struct ck *c, struct ck_object *o, uint32_t node)
{
    bool torch = o->api && lw_str_eq(o->api->name, LW_S("torch.nn.Module"));
    bool made = o->node != o->of->node; /* by the program; else it may be a base of others */
    if (!torch || !made || o->open || o->of->open || c->stopped ||
        ck_class_member(c, o->of, LW_S("forward"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("__call__"), NULL).kind != LW_V_ABSENT ||
        c->frame->guarded || node == LW_NO_NODE ||
        ck_field(c, o, "forward").kind != LW_V_ABSENT || ck_mentions(c, "forward ="))
        return;
    struct lw_str near = nearest_method(c, o->of, "forward");
    ck_hint(c, (struct ck_hint){.meant = LW_S("forward"), .was = near, .object = o->of});
    ck_find(c, node, "api/missing-forward", NULL, 0,
            "%.*s is called but has no method forward()%s%.*s%s", LW_F(o->of->name),
            near.n ? "; is '" : "", LW_F(near), near.n ? "' meant for it?" : "");
}

/* ---- evaluation ---------------------------------------------------------------------------
 */

static uint32_t grad_off_node(const struct ck *c)
{
    for (size_t i = c->contexts.n; i-- > 0;) {
        const struct ck_object *o = ck_as(c->contexts.v[i].value, CK_INSTANCE);
        if (o && o->api && o->file == c->frame->file &&
            (lw_str_eq(o->api->name, LW_S("torch.no_grad")) ||
             lw_str_eq(o->api->name, LW_S("torch.inference_mode"))))
            return o->node;
    }
    return LW_NO_NODE;
}

/* Dropout or batch normalisation under no_grad(), and nothing ever calls eval(). */
static void watch_eval(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    if (!o || o->of || !o->api || ck_is_driven(c) || !ck_grad_off(c) ||
        ck_field(c, o, "training").kind != LW_V_ABSENT)
        return;
    bool norm = lw_str_has_prefix(o->api->name, LW_S("torch.nn.BatchNorm"));
    if (!norm && !lw_str_has_prefix(o->api->name, LW_S("torch.nn.Dropout")))
        return;
    uint32_t node = grad_off_node(c);
    if (!ck_mentions(c, "backward") || ck_mentions(c, "eval()") ||
        ck_mentions(c, "train(False)") || ck_mentions(c, "train(mode"))
        return;
    ck_find(c, node == LW_NO_NODE ? e->node : node, "api/eval-missing", NULL, 0,
            "the model is evaluated in training mode: %s; call eval() before and train() after",
            norm ? "batch normalisation uses and changes the statistics of the batch"
                 : "dropout goes on removing values");
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
                "DataParallel has no attribute '%.*s'; the wrapped module has: write "
                ".module.%.*s",
                LW_F(e->name), LW_F(e->name));
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
    if (!p || !p->file || p->saved == LW_NO_NODE || p->plain || !p->loaded ||
        ck_mentions(c, "\"module.") || ck_mentions(c, "'module.") ||
        ck_mentions(c, "strict=False"))
        return;
    ck_find_at(c, p->file, p->saved, "api/parallel-state-dict", NULL, 0,
               "the state of a DataParallel is saved and loaded into a module that is not "
               "wrapped: the names begin with 'module.'; save model.module.state_dict()");
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

/* model.to(device) leaves a plain tensor in an attribute where it is. */
static void watch_move(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    bool moves = lw_str_eq(e->call->name, LW_S("torch.nn.Module.to")) ||
                 lw_str_eq(e->call->name, LW_S("torch.nn.Module.cuda"));
    if (!moves || !o || !o->of || o->open || o->of->file != c->frame->file ||
        ck_class_member(c, o->of, LW_S("to"), NULL).kind != LW_V_ABSENT ||
        ck_class_member(c, o->of, LW_S("_apply"), NULL).kind != LW_V_ABSENT)
        return;
    struct lw_value device = ck_field(c, o, "(device)");
    if (device.kind != LW_V_DEVICE || device.device == LW_CPU || !lw_set_is_one(device.device))
        return;
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str text = lw_tree_text(t, o->of->node);
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        struct lw_str name = heap_name(&c->heap, s->name);
        const struct lw_tensor *v = ck_tensor_of(s->value);
        if (!v || v->framework != LW_TORCH || v->device != LW_CPU || v->variable != LW_TRI_NO ||
            !lw_shape_has_rank(&v->shape) || v->shape.n == 0 || !is_used_plainly(c, text, name))
            continue;
        uint32_t at = find_assign(t, o->of->node, name);
        if (at != LW_NO_NODE)
            ck_find(c, at, "api/unregistered-tensor", &s->value, 1,
                    "'self.%.*s' is a plain tensor: to() does not move it with the module; use "
                    "register_buffer('%.*s', …)",
                    LW_F(name), LW_F(name));
    }
}

/* ---- devices ------------------------------------------------------------------------------
 */

/* x.cuda() in a program that elsewhere asks whether there is a GPU. */
static void watch_cuda(struct ck *c, const struct ck_event *e)
{
    bool cuda = lw_str_eq(e->call->name, LW_S("torch.Tensor.cuda")) ||
                lw_str_eq(e->call->name, LW_S("torch.nn.Module.cuda"));
    if (!cuda || c->frame->guarded || e->call->n || c->frame->file->index != 0 ||
        ck_is_driven(c) || !ck_is_certain(c))
        return;
    if (!ck_mentions(c, "if torch.cuda.is_available() else") || ck_mentions(c, "use_cuda") ||
        ck_mentions(c, "if cuda"))
        return;
    ck_find(c, e->node, "api/device-hard-coded", NULL, 0,
            "cuda() fails where there is no GPU, which the program allows for elsewhere: write "
            ".to(device)");
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
            "the class %.*s has no method __len__: a DataLoader needs it", LW_F(o->of->name));
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
            "Dropout takes the share of values to drop, '%.*s' sounds like the share to keep: "
            "write 1 - %.*s",
            LW_F(lw_tree_text(t, node)), LW_F(lw_tree_text(t, node)));
}

/* ---- settings that come too late ----------------------------------------------------------
 */

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
        !ck_mentions(c, "torch") || c->frame->in_class ||
        lw_str_find(c->frame->file->source.text,
                    ck_text(c, "%.*s.weight", LW_F(lw_tree_text(t, owner)))) != LW_NPOS)
        return; /* or its weights are changed too */
    ck_find(c, e->node, "api/setting-too-late", NULL, 0,
            "a layer makes its weights when it is made: setting '%.*s' changes nothing; put a "
            "new layer in its place",
            LW_F(name));
}

/* ---- a copy that is none ------------------------------------------------------------------
 */

/* target.load_state_dict(net.state_dict()), target.set_weights(net.get_weights()): what gives
 * and what takes are one object, made by `target = net`. */
static void watch_copied(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *to = ck_as(e->call->self, CK_INSTANCE);
    struct lw_str name = look_tail(e->call->name);
    bool torch = look_is(name, "load_state_dict");
    if (!to || (!torch && !look_is(name, "set_weights")) || !e->call->n ||
        e->call->args[0].node == LW_NO_NODE)
        return;
    uint32_t from = look_owner(t, e->call->args[0].node), owner = look_owner(t, e->node);
    uint32_t call = e->call->args[0].node;
    if (from == LW_NO_NODE || owner == LW_NO_NODE || lw_tree_kind(t, call) != LW_NODE_CALL ||
        !look_is(lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC)),
                 torch ? "state_dict" : "get_weights") ||
        lw_str_eq(lw_tree_text(t, from), lw_tree_text(t, owner)))
        return;
    if (ck_as(ck_eval(c, from), CK_INSTANCE) == to)
        ck_find(c, e->node, "training/same-network", NULL, 0,
                "'%.*s' and '%.*s' are one network with two names: the copy moves with every "
                "step; make it with copy.deepcopy() or a second constructor",
                LW_F(lw_tree_text(t, owner)), LW_F(lw_tree_text(t, from)));
}

const struct ck_rule ck_rules_module[] = {
    {CK_EV_CALL, watch_copied},
    {CK_EV_ASSIGN, watch_setting},
    {CK_EV_LAYER, watch_weights},
    {CK_EV_LAYER, watch_state},
    {CK_EV_LAYER, watch_batch_norm},
    {CK_EV_LAYER, watch_eval},
    {CK_EV_ASSIGN, watch_assign},
    {CK_EV_ATTRIBUTE, watch_attribute},
    {CK_EV_CALL, watch_parallel_state},
    {CK_EV_END, watch_end},
    {CK_EV_CALL, watch_move},
    {CK_EV_CALL, watch_cuda},
    {CK_EV_CALL, watch_loader},
    {CK_EV_CALL, watch_dropout},
    {0, NULL},
};
