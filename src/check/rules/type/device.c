/*
 * Rules about the device and the element type of a network and of what it gets. Where values
 * are known they tell; else the words of the program do: what a loop over batches moves, and
 * what it hands to the network.
 */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

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
            ck_blame(c, lineage_typed_at(c, v));
            ck_find(c, e->node, "type/layer-input-dtype", &v, 1,
                    "the weights of %.*s are %s, but its input is %s: convert the input with "
                    "float(), or the module with double()",
                    LW_F(name), lw_dtype_name(dtype), lw_dtype_name(t->dtype));
            return;
        }
        bool apart = lw_set_is_one(device) && lw_set_is_one(t->device) && device != t->device &&
                     (device | t->device) != (LW_CUDA | LW_CHOSEN_DEVICE);
        if (apart && !has_met(c, v, device)) {
            ck_find_as(c, e->node, LW_S("type/device-mix"), apart_severity(device, t->device),
                       &v, 1,
                       ck_text(c,
                               "the weights of %.*s are on %s, but its input is on %s: move "
                               "both to one device with to()",
                               LW_F(name), lw_device_name(device), lw_device_name(t->device)));
            return;
        }
    }
}

/* CrossEntropyLoss(weight=…) of a tensor that stays on the CPU, and outputs on a GPU. */
static void watch_class_weights(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"weight", "pos_weight"};
    const struct ck_object *o = e->object;
    const struct lw_tensor *out = e->call->n ? ck_tensor_of(e->call->args[0].value) : NULL;
    if (!o || o->of || !o->api || o->api->kind != LW_API_LOSS || !out ||
        o->api->framework != LW_TORCH || !lw_set_is_one(out->device) || out->device == LW_CPU ||
        ck_module_device(c, o) == out->device)
        return;
    for (size_t i = 0; i < 2; i++) {
        struct lw_value v = ck_config(o, names[i]);
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!t || t->framework != LW_TORCH || t->device != LW_CPU || !is_array(t))
            continue;
        ck_blame(c, o->place);
        ck_find_as(c, e->node, LW_S("type/device-mix"), LW_SEVERITY_WARNING, &v, 1,
                   ck_text(c,
                           "the %s of the loss is on the CPU, but its input is on %s: move the "
                           "loss with to(), or create the tensor on that device",
                           names[i], lw_device_name(out->device)));
        return;
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
                           "the weights are on %s, but the initial state is on %s: create the "
                           "state with device=…",
                           lw_device_name(device), lw_device_name(t->device)));
        return;
    }
}

/* ---- what a program moves ------------------------------------------------------------------
 */

/* x.cuda(), x.to(device): the owner; LW_NO_NODE for other calls. */
static uint32_t moved_by(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = lw_tree_kind(t, call) == LW_NODE_CALL ? syntax_owner(t, call) : LW_NO_NODE;
    if (owner == LW_NO_NODE)
        return owner;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    struct lw_str given = arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, arg);
    bool to = text_is(name, "to") && given.n &&
              !lw_str_has_prefix(given, LW_S("torch.float")) &&
              !lw_str_has_prefix(given, LW_S("torch.long")) && !text_says(given, "dtype");
    return text_is(name, "cuda") || to ? owner : LW_NO_NODE;
}

/* x of x[0].float(), Variable(x): what the expression is about. */
static struct lw_str root_of(const struct lw_tree *t, uint32_t node)
{
    for (unsigned depth = 0; node != LW_NO_NODE && depth < 8; depth++) {
        enum lw_node_kind kind = lw_tree_kind(t, node);
        if (kind == LW_NODE_NAME)
            return lw_tree_name(t, node);
        if (kind == LW_NODE_CALL) {
            uint32_t owner = syntax_owner(t, node);
            uint32_t func = lw_tree_get(t, node, LW_ROLE_FUNC);
            bool wraps = func != LW_NO_NODE && text_is(lw_tree_text(t, func), "Variable");
            node = wraps ? lw_tree_each(t, node, LW_ROLE_ARGS, LW_NO_NODE) : owner;
        } else if (kind == LW_NODE_SUBSCRIPT || kind == LW_NODE_ATTRIBUTE) {
            node = lw_tree_get(t, node, LW_ROLE_VALUE);
        } else {
            break;
        }
    }
    return (struct lw_str){0};
}

/* What the assignment gives to the name; LW_NO_NODE: nothing. */
static uint32_t given_to(const struct lw_tree *t, uint32_t assign, struct lw_str name)
{
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    if (target == LW_NO_NODE || value == LW_NO_NODE || !syntax_has_name(t, target, name))
        return LW_NO_NODE;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, value) != LW_NODE_TUPLE)
        return value;
    uint32_t v = lw_tree_each(t, value, LW_ROLE_ELTS, LW_NO_NODE);
    for (uint32_t e = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); e != LW_NO_NODE;
         e = lw_tree_each(t, target, LW_ROLE_ELTS, e)) {
        if (lw_str_eq(lw_tree_text(t, e), name))
            return v;
        v = v == LW_NO_NODE ? v : lw_tree_each(t, value, LW_ROLE_ELTS, v);
    }
    return value;
}

static bool is_loop_target(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    return target != LW_NO_NODE && name.n && syntax_has_name(t, target, name);
}

/* `img, label = data`, `x = x`: the batch as it came. */
static bool is_as_it_came(struct ck *c, const struct lw_tree *t, uint32_t loop, uint32_t value)
{
    enum lw_node_kind kind = lw_tree_kind(t, value);
    struct lw_str root = root_of(t, value);
    if ((kind != LW_NODE_NAME && kind != LW_NODE_SUBSCRIPT) || !is_loop_target(t, loop, root))
        return false;
    /* batch = batch.to(device); y = batch["y"] */
    struct lw_str moved = ck_text(c, "%.*s = %.*s.", LW_F(root), LW_F(root));
    return lw_str_find(lw_tree_text(t, loop), moved) == LW_NPOS;
}

/* Is the name a target of the loop, or taken out of one? `*set`: is it also given something
 * else? */
static bool is_batch_part(struct ck *c, const struct lw_tree *t, uint32_t loop,
                          struct lw_str name, bool *set)
{
    bool part = is_loop_target(t, loop, name);
    *set = false;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        uint32_t value =
            lw_tree_kind(t, n) == LW_NODE_ASSIGN ? given_to(t, n, name) : LW_NO_NODE;
        bool inner = lw_tree_kind(t, n) == LW_NODE_FOR && n != loop;
        *set |= inner && is_loop_target(t, n, name);
        if (value == LW_NO_NODE)
            continue;
        if (is_as_it_came(c, t, loop, value))
            part = true;
        else if (!lw_str_eq(lw_tree_text(t, value), name))
            *set = true;
    }
    return part;
}

enum { MAX_LOOKS = 300 }; /* of a kind, in a program */

/* By its name, or by what else it is asked for. */
static bool is_network(struct ck *c, const struct ck_file *file, struct lw_str name)
{
    static const char looks_key;
    static const char *const parts[] = {"model", "net", "Net", "classifier", "encoder", "cnn"};
    struct lw_str text = file->code;
    return text_says_any(text_tail(name), parts, sizeof parts / sizeof *parts) ||
           (look_again(c, &looks_key, MAX_LOOKS) &&
            (lw_str_find(text, ck_text(c, "%.*s.parameters()", LW_F(name))) != LW_NPOS ||
             lw_str_find(text, ck_text(c, "%.*s.train()", LW_F(name))) != LW_NPOS));
}

/* ---- one half of a batch --------------------------------------------------------------------
 */

/* y.to(out.device): to where another tensor is, which need not be the network. */
static bool follows_another(const struct lw_tree *t, uint32_t call)
{
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    struct lw_str given = arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, arg);
    return lw_str_has_suffix(given, LW_S(".device")) && !text_says(given, "self.") &&
           !text_says(given, "arg") && !text_says(given, "opt") && !text_says(given, "cfg") &&
           !text_says(given, "config");
}

/* y = y.to(device) in the loop, of a part of the batch; an empty text: none. */
static struct lw_str moved_part(struct ck *c, const struct lw_tree *t, uint32_t loop)
{
    static const char looks_key;
    struct lw_str part = {0}, none = {0};
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        uint32_t owner = moved_by(t, n);
        bool set;
        if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME ||
            syntax_loop_around(t, n) != loop || follows_another(t, n))
            continue;
        struct lw_str name = lw_tree_name(t, owner);
        if (!look_again(c, &looks_key, MAX_LOOKS) || !is_batch_part(c, t, loop, name, &set))
            return none; /* answers are moved as well: the network may be elsewhere */
        if (set && !part.n)
            part = name;
    }
    return part;
}

/* The part of the batch that the call gets first, as it came. */
static struct lw_str raw_argument(struct ck *c, const struct lw_tree *t, uint32_t loop,
                                  uint32_t call, bool second)
{
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    if (second && arg != LW_NO_NODE)
        arg = lw_tree_each(t, call, LW_ROLE_ARGS, arg);
    struct lw_str none = {0};
    if (arg == LW_NO_NODE || lw_tree_kind(t, arg) != LW_NODE_NAME)
        return none;
    struct lw_str name = lw_tree_name(t, arg);
    bool set;
    return is_batch_part(c, t, loop, name, &set) && !set ? name : none;
}

/* for x, y in loader: y = y.to(device); net(x) */
static void check_half(struct ck *c, struct ck_file *file, uint32_t loop)
{
    static const char *const losses[] = {"criterion", "loss_fn", "F.cross_entropy",
                                         "F.nll_loss"};
    const struct lw_tree *t = &file->tree;
    struct lw_str moved = moved_part(c, t, loop);
    for (uint32_t n = moved.n ? lw_tree_next(t, loop, loop, false) : LW_NO_NODE;
         n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func == LW_NO_NODE || syntax_loop_around(t, n) != loop)
            continue;
        struct lw_str callee = lw_tree_text(t, func), part = {0};
        if ((lw_tree_kind(t, func) == LW_NODE_NAME ||
             lw_str_eq(callee, ck_text(c, "self.%.*s", LW_F(text_tail(callee))))) &&
            syntax_is_name(text_tail(callee)) && is_network(c, file, callee))
            part = raw_argument(c, t, loop, n, false);
        else if (text_is_any(callee, losses, sizeof losses / sizeof *losses))
            part = raw_argument(c, t, loop, n, true);
        if (!part.n)
            continue;
        ck_find_as(c, n, LW_S("type/device-mix"), LW_SEVERITY_WARNING, NULL, 0,
                   ck_text(c,
                           "'%.*s' is moved to the device, but '%.*s' of the same batch is "
                           "not, which fails with a GPU: move both",
                           LW_F(moved), LW_F(part)));
        return;
    }
}

/* ---- a network that stays -------------------------------------------------------------------
 */

static bool has_other_ways(const struct ck *c)
{
    static const char *const words[] = {
        "name *DataParallel", "name *ccelerator*", "name *deepspeed*", "name *abric*",
        "call *Trainer",      "name set_default*", "name device_map"};
    return ck_shows_any(c, words, sizeof words / sizeof *words);
}

/* What a file moves: parts of batches, and others, which may be the network. */
static void look_at_moves(struct ck *c, const struct ck_file *file, bool *batch, bool *other)
{
    const struct lw_tree *t = &file->tree;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t owner = moved_by(t, n);
        if (owner == LW_NO_NODE)
            continue;
        uint32_t loop = syntax_loop_around(t, n);
        struct lw_str name = root_of(t, owner);
        bool part = false, set;
        for (; loop != LW_NO_NODE && name.n && !part; loop = syntax_loop_around(t, loop))
            part = is_batch_part(c, t, loop, name, &set);
        *(part && !is_network(c, file, name) ? batch : other) = true;
    }
}

/* X of Adam(X.parameters()), where the file makes X by a call; LW_NO_NODE: none. */
static uint32_t network_made(const struct lw_tree *t)
{
    for (uint32_t n = syntax_next_call(t, t->root, t->root, "parameters"); n != LW_NO_NODE;
         n = syntax_next_call(t, t->root, n, "parameters")) {
        uint32_t owner = syntax_owner(t, n);
        if (owner == LW_NO_NODE)
            continue;
        struct lw_str who = lw_tree_text(t, owner);
        for (uint32_t a = t->root; a != LW_NO_NODE; a = lw_tree_next(t, t->root, a, false)) {
            uint32_t value =
                lw_tree_kind(t, a) == LW_NODE_ASSIGN &&
                        lw_str_eq(lw_tree_text(t, lw_tree_get(t, a, LW_ROLE_TARGETS)), who)
                    ? lw_tree_get(t, a, LW_ROLE_VALUE)
                    : LW_NO_NODE;
            if (value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL)
                return value;
        }
    }
    return LW_NO_NODE;
}

/* Batches are moved, nothing else is. */
static void check_stays(struct ck *c)
{
    bool batch = false, other = false;
    uint32_t network = network_made(&c->files.v[0]->tree);
    for (size_t i = 0; network != LW_NO_NODE && i < c->files.n && !other; i++)
        look_at_moves(c, c->files.v[i], &batch, &other);
    if (!batch || other || has_other_ways(c))
        return;
    ck_find_as(c, network, LW_S("type/device-mix"), LW_SEVERITY_WARNING, NULL, 0,
               LW_S("the batches are moved to the device, but the network is not, which fails "
                    "with a GPU: call its to(device) before the optimizer is created"));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_shows(c, "name *torch*") ||
        (!ck_shows(c, "call .cuda") && !ck_shows(c, "call .to")))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FOR)
            check_half(c, file, n);
    check_stays(c);
}

/* ---- what the models meet ------------------------------------------------------------------
 */

static void watch_state_dtype(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_STATE_DTYPE)
        ck_find(c, e->node, "type/layer-input-dtype", &e->a, 1,
                "the inputs are %s, but the initial state is %s: both must have the same type",
                lw_dtype_name(e->a.tensor->dtype), lw_dtype_name(e->b.dtypes));
}

/* Where the tensor was made of an array, in this file; LW_NO_NODE. */
static uint32_t array_call(struct fix *f, struct lw_value v)
{
    static const char *const makers[] = {"from_numpy", "as_tensor", "tensor"};
    for (unsigned i = 0; i < 16 && fix_is_torch(v); i++) {
        const struct ck_origin *o = ck_origin_of(f->c, v);
        if (!o || !o->in_count)
            return LW_NO_NODE;
        if (text_is_any(text_tail(o->op), makers, sizeof makers / sizeof *makers))
            return o->file == f->file && fix_is_call(f, o->node) ? o->node : LW_NO_NODE;
        v = o->in[0];
    }
    return LW_NO_NODE;
}

/* The input of a layer, in the type of its weights: where it was made of an array of numpy,
 * whose numbers are of 64 bits, so that everything made of it fits; else where it goes in. */
static void make_weight_type(struct fix *f)
{
    uint32_t made = f->cause_count ? array_call(f, f->causes[0]) : LW_NO_NODE;
    if (made != LW_NO_NODE && f->causes[0].tensor->dtype == LW_F64)
        fix_convert(f, made, ".float()");
    else if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_argument(f, f->node, NULL, 0),
                    f->causes[0].tensor->dtype == LW_F32 ? ".double()" : ".float()");
}

static void watch_token_device(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_TOKEN_DEVICE)
        ck_find(c, e->node, "type/device-mix", &e->a, 1,
                "the weights of the model are on %s, but its input is on %s: move the input "
                "with to(model.device)",
                e->count == LW_CUDA ? "cuda" : "cpu", e->count == LW_CUDA ? "cpu" : "cuda");
}

const struct ck_rule rules_type_device[] = {
    {"type/device-mix type/layer-input-dtype", CK_EV_LAYER, watch_weights},
    {"type/device-mix", CK_EV_LAYER, watch_class_weights},
    {"type/device-mix", CK_EV_LAYER, watch_state},
    {"type/device-mix", CK_EV_END, watch_end},
    {"type/layer-input-dtype", CK_EV_FAULT, watch_state_dtype, .pure = true},
    {"type/device-mix", CK_EV_FAULT, watch_token_device, .pure = true},
    {"type/layer-input-dtype", .fix = make_weight_type},
    {0},
};
