/* Makers for names, arguments and the bookkeeping of modules. */
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/models/versions.h"
#include "check/query/look.h"

/* ---- names ----------------------------------------------------------------------------------
 */

/* "the Python type 'float'" -> "float" */
static struct lw_str plain_type(struct lw_str instead)
{
    ptrdiff_t at = lw_str_find_char(instead, '\'');
    if (!lw_str_has_prefix(instead, LW_S("the Python type '")) || at < 0)
        return (struct lw_str){0};
    struct lw_str s = lw_str_from(instead, (size_t)at + 1);
    return lw_str_part(s, 0, s.n - 1);
}

/* from tensorflow import log -> from tensorflow.math import log */
static void move_import(struct fix *f, struct lw_str name)
{
    uint32_t import = lw_tree_parent(f->t, f->node), first, end;
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (fix_kind(f, import) != LW_NODE_IMPORT_FROM || dot <= 0 ||
        lw_tree_count(f->t, import, LW_ROLE_NAMES) != 1 ||
        lw_tree_import_module(f->t, import, &first, &end) > 0) {
        f->failed = true;
        return;
    }
    fix_replace(f, f->t->lexed.tokens.v[first].start, f->t->lexed.tokens.v[end - 1].end,
                lw_str_part(name, 0, (size_t)dot));
    struct lw_str member = lw_str_from(name, (size_t)dot + 1);
    uint32_t token = fix_last_token(f, f->node);
    if (!lw_str_eq(lw_tree_token_text(f->t, token), member))
        fix_rename_last(f, f->node, (struct lw_str){0}, member);
}

/* model.predict_classes(x): the class of the largest output, or yes from one half on. */
static void replace_predict_classes(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node), owner = syntax_owner(f->t, f->node);
    const struct ck_object *model =
        owner == LW_NO_NODE ? NULL : ck_as(ck_eval(f->c, owner), CK_INSTANCE);
    struct lw_value out = model ? ck_field(f->c, model, "(output)") : lw_v_absent();
    const struct lw_tensor *t = ck_tensor_of(out);
    int64_t n;
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n != 2 ||
        !lw_dim_is_int(f->c->dims, t->shape.d[1], &n))
        return;
    fix_say(f, "compute the class from predict()");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("predict"));
    if (n > 1)
        fix_insert(f, lw_tree_end(f->t, f->node), LW_S(".argmax(axis=-1)"));
    else
        fix_around(f, f->node, "(", " > 0.5).astype('int32')");
}

/* A program of TensorFlow 1: the old names, where the new ones are not used beside them. */
static void import_old(struct fix *f)
{
    static const char *const newer[] = {"GradientTape", "tf.function", "keras", "compat.v1"};
    const struct lw_tree *t = f->t;
    struct lw_str name = f->hint->was;
    if (!lw_str_has_prefix(name, LW_S("tensorflow.")) ||
        lw_api_tensorflow_symbol(
            ck_text(f->c, "tf.compat.v1.%.*s", LW_F(lw_str_from(name, 11)))) <= 0)
        return;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        if (lw_str_find(t->lexed.text, lw_str(newer[i])) >= 0)
            return;
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        if (!lw_str_eq(lw_tree_text(t, s), LW_S("import tensorflow as tf")))
            continue;
        fix_say(f, "import tensorflow.compat.v1 and disable TensorFlow 2 behavior");
        fix_node(f, s, LW_S("import tensorflow.compat.v1 as tf"));
        fix_line_behind(f, s, LW_S("tf.disable_v2_behavior()"));
        return;
    }
}

/* A name that is gone, of which the tables say what it is called today. */
static void make_removed(struct fix *f)
{
    struct lw_str instead = f->hint->meant, plain = plain_type(instead);
    if (lw_str_eq(f->hint->was, LW_S("predict_classes")) && fix_is_call(f, f->node)) {
        replace_predict_classes(f);
        return;
    }
    if (!instead.n) {
        import_old(f);
        return;
    }
    if (plain.n && fix_kind(f, f->node) == LW_NODE_ATTRIBUTE) {
        fix_node(f, f->node, plain);
    } else if (!fix_is_word(instead)) {
        return;
    } else if (fix_is_call(f, f->node)) { /* a method */
        if (!f->hint->was.n || lw_str_find_char(instead, '.') >= 0 ||
            fix_argument(f, f->node, "generator", -1) != LW_NO_NODE)
            return;
        fix_rename_last(f, f->node, f->hint->was, instead);
        return;
    } else if (!f->hint->api || (!lw_str_eq(f->hint->api->name, instead) &&
                                 !lw_str_has_prefix(instead, LW_S("torchvision.")))) {
        return; /* another function, with other arguments */
    } else if (fix_kind(f, f->node) == LW_NODE_ALIAS) {
        move_import(f, instead);
    } else if (fix_kind(f, f->node) == LW_NODE_ATTRIBUTE) {
        struct lw_str text = fix_spell(f, instead);
        if (text.n)
            fix_node(f, f->node, text);
    }
    fix_say(f, "write '%.*s'", LW_F(plain.n ? plain : instead));
}

/* ---- arguments ------------------------------------------------------------------------------
 */

/* The present name of a parameter that an argument names by an old one; empty: none. */
static struct lw_str present_name(const struct fix *f, struct lw_str name)
{
    const struct lw_api_part *part = &f->hint->api->side[f->hint->side];
    for (uint32_t i = 0; i < part->param_count; i++)
        for (uint32_t k = 0; k < part->params[i].old_count; k++) {
            const struct lw_api_old *old = &part->params[i].old[k];
            /* what is only deprecated still works, and the new name not everywhere */
            if (lw_str_eq(old->name, name) &&
                (old->removed.n || (old->deprecated.n &&
                                    ck_is_gone(f->c, f->hint->api->package, old->deprecated))))
                return part->params[i].name;
        }
    return (struct lw_str){0};
}

static void rename_argument(struct fix *f, uint32_t keyword, struct lw_str name)
{
    struct lw_str z = lw_arena_copy(f->c->arena, name);
    if (!z.p || !fix_is_word(name) || fix_argument(f, f->node, z.p, -1) != LW_NO_NODE)
        return;
    if (!f->n)
        fix_say(f, "rename the argument '%.*s' to '%.*s'", LW_F(fix_name(f, keyword)),
                LW_F(name));
    else
        fix_say(f, "rename the arguments");
    fix_token(f, lw_tree_name_token(f->t, keyword), name);
}

/* What the value of a renamed argument has to become, as its meaning changed with the name: the
 * same text where it did not, empty where nothing here can tell. */
static struct lw_str present_value(struct fix *f, struct lw_str name, uint32_t value)
{
    static const char *const counts[] = {"nb_val_samples", "period", "samples_per_epoch",
                                         "val_samples"};
    static const char *const words[][3] = {{"dim_ordering", "th", "'channels_first'"},
                                           {"dim_ordering", "tf", "'channels_last'"},
                                           {"consume_less", "cpu", "0"},
                                           {"consume_less", "mem", "1"},
                                           {"consume_less", "gpu", "2"}};
    bool chosen = false;
    if (text_is(name, "keep_prob"))
        return ck_text(f->c, fix_kind(f, value) == LW_NODE_BIN_OP ? "1 - (%.*s)" : "1 - %.*s",
                       LW_F(fix_text(f, value)));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        chosen |= text_is(name, words[i][0]);
        if (text_is(name, words[i][0]) && fix_is_string(f, value, lw_str(words[i][1])))
            return lw_str(words[i][2]);
    }
    return chosen || text_is_any(name, counts, sizeof counts / sizeof *counts)
               ? (struct lw_str){0}
               : fix_text(f, value);
}

/* All old names of the call at once: it has one finding. */
static void make_renamed_argument(struct fix *f)
{
    uint32_t arg = fix_problem_argument(f);
    if (fix_kind(f, arg) != LW_NODE_KEYWORD || !f->hint->api)
        return;
    if (lw_str_eq(f->rule, LW_S("api/unknown-argument"))) {
        rename_argument(f, arg, f->hint->meant);
        return;
    }
    for (uint32_t k = lw_tree_each(f->t, f->node, LW_ROLE_KEYWORDS, LW_NO_NODE);
         k != LW_NO_NODE; k = lw_tree_each(f->t, f->node, LW_ROLE_KEYWORDS, k)) {
        struct lw_str name = present_name(f, fix_name(f, k));
        uint32_t value = lw_tree_get(f->t, k, LW_ROLE_VALUE);
        struct lw_str now = name.n ? present_value(f, fix_name(f, k), value) : name;
        f->failed |= name.n && !now.n;
        if (name.n && now.n) {
            rename_argument(f, k, name);
            if (!lw_str_eq(now, fix_text(f, value)))
                fix_node(f, value, now);
        }
    }
}

/* Arguments that are gone and that nothing depends on; others mean something, and stay. */
static bool is_idle(struct lw_str name)
{
    static const char *const names[] = {
        "collections",         "max_queue_size", "partition_strategy", "show_accuracy",
        "use_cudnn_on_gpu",    "use_resource",   "verify_shape",       "volatile",
        "use_multiprocessing", "workers"};
    return text_is_any(name, names, sizeof names / sizeof *names);
}

/* False, None, 0: what an argument is when nobody gives it. */
static bool is_nothing(const struct fix *f, uint32_t value)
{
    static const char *const texts[] = {"False", "None", "0", "0.0", "0."};
    return text_is_any(fix_text(f, value), texts, sizeof texts / sizeof *texts);
}

static void make_removed_argument(struct fix *f)
{
    uint32_t arg = fix_problem_argument(f);
    if (fix_kind(f, arg) != LW_NODE_KEYWORD)
        return;
    uint32_t value = lw_tree_get(f->t, arg, LW_ROLE_VALUE);
    enum lw_node_kind kind = fix_kind(f, value);
    struct lw_str name = fix_name(f, arg);
    if (kind != LW_NODE_CONSTANT && kind != LW_NODE_NUMBER && kind != LW_NODE_STRING)
        return;
    if (text_is(name, "normed")) {
        fix_say(f, "rename the argument 'normed' to 'density'");
        fix_token(f, lw_tree_name_token(f->t, arg), LW_S("density"));
    } else if (text_is(name, "grayscale") && text_is(fix_text(f, value), "True")) {
        fix_say(f, "write color_mode='grayscale'");
        fix_node(f, arg, LW_S("color_mode='grayscale'"));
    } else if (is_idle(name) || is_nothing(f, value)) {
        fix_say(f, "remove the argument '%.*s'", LW_F(name));
        fix_remove_argument(f, f->node, arg);
    }
}

static void make_choice(struct fix *f)
{
    struct lw_str was = f->hint->was, meant = f->hint->meant;
    uint32_t arg = fix_problem_argument(f);
    const struct lw_problem *p = f->hint->problem;
    if (p && arg != LW_NO_NODE && f->hint->args[p->arg].value.kind == LW_V_STR)
        was = f->hint->args[p->arg].value.str;
    if (!meant.n || !was.n || !was.p)
        return;
    fix_say(f, "write '%.*s' instead of '%.*s'", LW_F(meant), LW_F(was));
    fix_quoted(f, fix_find_string(f, arg == LW_NO_NODE ? f->node : arg, was), meant);
}

/* softmax_cross_entropy_with_logits(a, b): the first were logits, then labels. */
static void make_named_logits(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (a == LW_NO_NODE || b == LW_NO_NODE || fix_argument(f, f->node, NULL, 2) != LW_NO_NODE)
        return;
    fix_say(f, "pass logits= and labels= by keyword");
    fix_around(f, a, "logits=", "");
    fix_around(f, b, "labels=", "");
}

static void make_tensor_name(struct fix *f)
{
    uint32_t name = fix_argument(f, f->node, "name", 0);
    if (fix_kind(f, name) != LW_NODE_STRING)
        return;
    fix_say(f, "add ':0' for the first output of the operation");
    fix_insert(f, lw_tree_end(f->t, name) - 1, LW_S(":0"));
}

static void make_save_extension(struct fix *f)
{
    uint32_t name = fix_argument(f, f->node, "filepath", 0);
    if (fix_kind(f, name) != LW_NODE_STRING ||
        lw_str_find_char(lw_tree_text(f->t, name), '.') >= 0)
        return;
    fix_say(f, "save to a '.keras' file");
    fix_insert(f, lw_tree_end(f->t, name) - 1, LW_S(".keras"));
}

static void make_share_dropped(struct fix *f)
{
    uint32_t first = fix_argument(f, f->node, NULL, 0);
    if (first == LW_NO_NODE)
        first = lw_tree_get(f->t, lw_tree_get(f->t, f->node, LW_ROLE_KEYWORDS), LW_ROLE_VALUE);
    fix_say(f, "pass the probability to drop: 1 - %.*s", LW_F(fix_text(f, first)));
    fix_around(f, first, "1 - ", "");
}

static uint32_t value_of(const struct fix *f, uint32_t argument)
{
    return fix_kind(f, argument) == LW_NODE_KEYWORD ? lw_tree_get(f->t, argument, LW_ROLE_VALUE)
                                                    : argument;
}

/* np.zeros(3, 4) -> np.zeros((3, 4)); np.concatenate(a, b) -> np.concatenate((a, b)) */
static void join_arguments(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (b == LW_NO_NODE || fix_argument(f, f->node, NULL, 2) != LW_NO_NODE)
        return;
    fix_say(f, "pass them as one tuple");
    fix_insert(f, lw_tree_start(f->t, a), LW_S("("));
    fix_insert(f, lw_tree_end(f->t, b), LW_S(")"));
}

/* An argument of the wrong kind where one spelling is surely meant. */
static void replace_kind(struct fix *f)
{
    static const char *const joined[] = {"zeros",       "ones",   "empty",
                                         "concatenate", "vstack", "hstack"};
    struct lw_str name = fix_name(f, fix_callee(f, f->node));
    uint32_t arg = fix_problem_argument(f), value = value_of(f, arg);
    const struct lw_problem *p = f->hint->problem;
    enum lw_value_kind kind = p->arg >= 0 && (size_t)p->arg < f->hint->arg_count
                                  ? f->hint->args[p->arg].value.kind
                                  : LW_V_UNKNOWN;
    struct lw_str key = fix_kind(f, arg) == LW_NODE_KEYWORD ? fix_name(f, arg) : name;
    if (p->arg == 1 && text_is_any(name, joined, sizeof joined / sizeof *joined)) {
        join_arguments(f);
    } else if (kind == LW_V_INT && (text_is(key, "input_shape") || text_is(key, "shape") ||
                                    text_is(key, "batch_input_shape"))) {
        fix_say(f, "pass a tuple");
        if (lw_tree_node(f->t, value)->flags & LW_NODE_PAREN)
            fix_insert(f, lw_tree_end(f->t, value), LW_S(","));
        else
            fix_around(f, value, "(", ",)");
    } else if (text_is(name, "ReLU") && kind == LW_V_TENSOR) {
        fix_say(f, "create the layer, then call it");
        fix_insert(f, lw_tree_end(f->t, fix_callee(f, f->node)), LW_S("()"));
    } else if (text_is(name, "load_state_dict") && kind == LW_V_STR) {
        struct lw_str load = fix_spell(f, LW_S("torch.load"));
        fix_say(f, "load the file with torch.load() first");
        if (load.n)
            fix_around(f, value, ck_text(f->c, "%.*s(", LW_F(load)).p, ")");
    }
}

/* What an optimizer or the like is given: x -> x.parameters(), x(), [x]. */
static void make_argument_kind(struct fix *f)
{
    uint32_t first = fix_argument(f, f->node, "params", 0);
    struct lw_str how = f->hint->meant;
    if (f->hint->problem) {
        replace_kind(f);
        return;
    }
    if (!how.n || first == LW_NO_NODE)
        return;
    if (lw_str_eq(how, LW_S("[]"))) {
        fix_say(f, "pass a list: [%.*s]", LW_F(fix_text(f, first)));
        fix_around(f, first, "[", "]");
    } else {
        fix_say(f, "write %.*s%.*s", LW_F(fix_text(f, first)), LW_F(how));
        fix_suffix(f, first, how.p);
    }
}

/* ---- modules --------------------------------------------------------------------------------
 */

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

static void make_module_list(struct fix *f)
{
    struct lw_str name = fix_spell(f, LW_S("torch.nn.ModuleList"));
    enum lw_node_kind kind = fix_kind(f, f->node);
    if (!name.n || (kind != LW_NODE_LIST && kind != LW_NODE_LIST_COMP))
        return;
    fix_say(f, "use %.*s", LW_F(name));
    if (lw_str_eq(fix_text(f, f->node), LW_S("[]")))
        fix_node(f, f->node, ck_text(f->c, "%.*s()", LW_F(name)));
    else
        fix_around(f, f->node, ck_text(f->c, "%.*s(", LW_F(name)).p, ")");
}

static void make_special_method(struct fix *f)
{
    if (!f->hint->meant.n)
        return;
    fix_say(f, "rename the method to '%.*s'", LW_F(f->hint->meant));
    fix_token(f, lw_tree_name_token(f->t, f->node), f->hint->meant);
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

static void make_parallel_state(struct fix *f)
{
    uint32_t state = syntax_method_call(f->t, f->node, "state_dict");
    uint32_t owner = state == LW_NO_NODE ? LW_NO_NODE : syntax_owner(f->t, state);
    if (owner == LW_NO_NODE)
        return;
    fix_say(f, "save the state_dict() of the wrapped module");
    fix_insert(f, lw_tree_end(f->t, owner), LW_S(".module"));
}

/* best = model.state_dict() -> copy.deepcopy(…) */
static void make_copy(struct fix *f)
{
    struct lw_str name = fix_spell_import(f, "copy", "deepcopy");
    fix_say(f, "keep a copy of the weights");
    fix_around(f, f->node, ck_text(f->c, "%.*s(", LW_F(name)).p, ")");
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

/* torch.load(path) of what was saved on another device. */
static void make_mapped(struct fix *f)
{
    struct lw_str device = fix_device_name(f);
    if (!text_is(fix_name(f, fix_callee(f, f->node)), "load"))
        return;
    fix_say(f, "pass map_location");
    fix_add_argument(f, f->node,
                     device.n ? ck_text(f->c, "map_location=%.*s", LW_F(device))
                              : LW_S("map_location='cpu'"));
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
    if (fix_kind(f, target) != LW_NODE_ATTRIBUTE ||
        lw_tree_count(f->t, assign, LW_ROLE_TARGETS) != 1)
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

/* ---- keras and tf.keras ---------------------------------------------------------------------
 */

/* Is `keras` the first word of the import's module? */
static uint32_t keras_token(const struct fix *f, uint32_t import)
{
    uint32_t first, end;
    if (fix_kind(f, import) == LW_NODE_IMPORT_FROM) {
        if (lw_tree_import_module(f->t, import, &first, &end) > 0 || first == end)
            return LW_NO_TOKEN;
    } else {
        return LW_NO_TOKEN;
    }
    return lw_str_eq(lw_tree_token_text(f->t, first), LW_S("keras")) ? first : LW_NO_TOKEN;
}

/* Every import of keras becomes one of tensorflow.keras. */
static void make_one_keras(struct fix *f)
{
    const struct lw_tree *t = f->t;
    fix_say(f, "import everything from tensorflow.keras");
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t token = keras_token(f, n);
        if (token != LW_NO_TOKEN)
            fix_insert(f, t->lexed.tokens.v[token].start, LW_S("tensorflow."));
        if (fix_kind(f, n) != LW_NODE_ALIAS ||
            fix_kind(f, lw_tree_parent(t, n)) != LW_NODE_IMPORT ||
            !lw_str_has_prefix(lw_tree_text(t, n), LW_S("keras")))
            continue;
        uint32_t import = lw_tree_parent(t, n);
        bool named = lw_tree_alias_end(t, n) <= lw_tree_node(t, n)->last; /* as K */
        if (named)
            fix_insert(f, lw_tree_start(t, n), LW_S("tensorflow."));
        else if (lw_tree_count(t, import, LW_ROLE_NAMES) == 1)
            fix_node(f, import, LW_S("from tensorflow import keras"));
        else
            f->failed = true;
    }
}

/* ---- statements that do nothing -------------------------------------------------------------
 */

static void make_called(struct fix *f)
{
    uint32_t value = lw_tree_get(f->t, f->node, LW_ROLE_VALUE);
    fix_say(f, "add parentheses: %.*s()", LW_F(fix_text(f, value)));
    fix_insert(f, lw_tree_end(f->t, value), LW_S("()"));
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

const struct fix_rule fix_rules_api[] = {
    {"api/device-hard-coded", make_device},
    {"api/keep-probability", make_share_dropped},
    {"api/load-without-map", make_mapped},
    {"api/missing-forward", make_forward},
    {"api/misspelt-special-method", make_special_method},
    {"api/mixed-keras", make_one_keras},
    {"api/module-list", make_module_list},
    {"api/parallel-attribute", make_parallel},
    {"api/parallel-state-dict", make_parallel_state},
    {"api/positional-logits", make_named_logits},
    {"api/removed-argument", make_removed_argument},
    {"api/removed-name", make_removed},
    {"api/renamed-argument", make_renamed_argument},
    {"api/result-dropped", make_assigned},
    {"api/save-extension", make_save_extension},
    {"api/super-init-missing", make_super_init},
    {"api/tensor-name", make_tensor_name},
    {"api/uncalled-method", make_called},
    {"api/undefined-name", fix_spelling},
    {"api/unknown-argument", make_renamed_argument},
    {"api/unknown-attribute", fix_spelling},
    {"api/unknown-choice", make_choice},
    {"api/unknown-name", fix_spelling},
    {"api/unregistered-tensor", make_buffer},
    {"api/weights-by-reference", make_copy},
    {"type/argument-kind", make_argument_kind},
    {NULL, NULL},
};
