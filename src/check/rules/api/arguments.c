/* Rules about calls of functions of the program: arguments that are missing, too many or
 * unknown. */
#include "base/str.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* Does the call itself name the function and list all arguments? */
static bool is_spelt_out(const struct lw_tree *t, uint32_t call, const struct ck_object *callee)
{
    uint32_t f =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    if (f == LW_NO_NODE || !callee)
        return false;
    struct lw_str name = text_tail(lw_tree_text(t, f));
    bool named =
        lw_str_eq(name, callee->name) || (callee->of && lw_str_eq(name, callee->of->name));
    return named && !syntax_has_star(t, call);
}

/* A constructor that a base class may have wrapped: def __init_subclass__(cls). */
static bool is_wrapped(struct ck *c, const struct ck_object *callee)
{
    return callee && callee->of && lw_str_eq(callee->name, LW_S("__init__")) &&
           ck_class_member(c, callee->of, LW_S("__init_subclass__"), NULL).kind != LW_V_ABSENT;
}

/* Where the way to the call is not sure the function may be another one: an object or a **dict
 * that comes from elsewhere may have been chosen by the test that leads here. */
static void report_arguments(struct ck *c, const struct ck_event *e, const char *rule,
                             struct lw_str message)
{
    const struct ck_frame *f = c->frame;
    if ((f->uncertain > f->looping && !is_spelt_out(&f->file->tree, e->node, e->object)) ||
        is_wrapped(c, e->object))
        return;
    bool unsure = f->uncertain || (f->function && f->call_place == 0);
    ck_find_as(c, e->node, lw_str(rule), unsure ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR, NULL,
               0, message);
}

static void watch_arguments(struct ck *c, const struct ck_event *e)
{
    struct lw_str f = e->object ? e->object->name : (struct lw_str){0};
    if (e->fault == CK_FAULT_MANY_ARGUMENTS)
        report_arguments(c, e, "api/too-many-arguments",
                         ck_text(c, "%.*s() takes %u positional argument%s but %u were given",
                                 LW_F(f), e->count, e->count == 1 ? "" : "s", e->given));
    else if (e->fault == CK_FAULT_UNKNOWN_KEYWORD)
        report_arguments(c, e, "api/unknown-argument",
                         ck_text(c, "%.*s() has no parameter '%.*s'", LW_F(f), LW_F(e->name)));
    else if (e->fault == CK_FAULT_MISSING_ARGUMENT)
        report_arguments(c, e, "api/missing-argument",
                         ck_text(c, "%.*s() is called without its required argument '%.*s'",
                                 LW_F(f), LW_F(e->name)));
    else if (e->fault == CK_FAULT_SEQUENTIAL_INPUTS)
        ck_find(c, e->node, "api/too-many-arguments", NULL, 0,
                "nn.Sequential takes one input, but it is called with %u", e->given);
}

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

static void make_known_argument(struct fix *f)
{
    uint32_t arg = fix_problem_argument(f);
    if (fix_kind(f, arg) == LW_NODE_KEYWORD && f->hint->api)
        rename_argument(f, arg, f->hint->meant);
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

/* f(axis, values) -> f(values, axis) */
static void make_swapped(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (b == LW_NO_NODE || !f->hint->problem || !text_is(fix_callee_name(f, f->node), "concat"))
        return;
    fix_say(f, "pass the tensors first, then the axis");
    fix_node(f, a, fix_text(f, b));
    fix_node(f, b, fix_text(f, a));
}

const struct ck_rule rules_api_arguments[] = {
    {"api/missing-argument api/too-many-arguments api/unknown-argument", CK_EV_FAULT,
     watch_arguments, .pure = true},
    {"api/renamed-argument", .fix = make_renamed_argument},
    {"api/unknown-argument", .fix = make_known_argument},
    {"api/removed-argument", .fix = make_removed_argument},
    {"api/argument-order", .fix = make_swapped},
    {0},
};
