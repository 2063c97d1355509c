/*
 * Rules about parameters that are accepted and have no effect: never read, where the body gives
 * a constant for them, or calls something that takes them and is not given them.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/protocol.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_PARAMETERS = 128 }; /* unused ones of a file that are looked at */

static bool is_constant(const struct lw_tree *t, uint32_t node)
{
    enum lw_node_kind kind = lw_tree_kind(t, node);
    return kind == LW_NODE_NUMBER || kind == LW_NODE_STRING || kind == LW_NODE_CONSTANT;
}

/* None stands for "nothing given" everywhere, and is no choice. */
static bool is_choice(const struct lw_tree *t, uint32_t node)
{
    return is_constant(t, node) && !text_is(lw_tree_text(t, node), "None");
}

/* A number or text that is not written everywhere for other reasons. */
static bool is_special(const struct lw_tree *t, uint32_t node)
{
    struct lw_str text = lw_tree_text(t, node);
    return (lw_tree_kind(t, node) == LW_NODE_NUMBER && text.n > 1 &&
            !lw_str_eq(text, LW_S("1.0")) && !lw_str_eq(text, LW_S("0.0")) &&
            !lw_str_eq(text, LW_S("10")) && !lw_str_eq(text, LW_S("0.5"))) ||
           (lw_tree_kind(t, node) == LW_NODE_STRING && text.n > 4);
}

/* ---- which functions and parameters -------------------------------------------------------
 */

/* Is its list of parameters its own choice? A method may have to have those of a base; what
 * tests take is up to the test runner. */
static bool chooses_parameters(const struct lw_tree *t, uint32_t function)
{
    struct lw_str name = lw_tree_name(t, function);
    uint32_t up = lw_tree_parent(t, function);
    if (lw_str_has_prefix(name, LW_S("test")) || lw_tree_count(t, function, LW_ROLE_DECORATORS))
        return false;
    if (lw_tree_kind(t, up) != LW_NODE_CLASS)
        return true;
    return !lw_str_has_prefix(lw_tree_name(t, up), LW_S("Test")) &&
           (text_is(name, "__init__") || !lw_tree_count(t, up, LW_ROLE_BASES));
}

/* A body that does nothing yet, or that others have to fill. */
static bool is_stub(const struct lw_tree *t, uint32_t function)
{
    unsigned statements = 0;
    for (uint32_t s = lw_tree_each(t, function, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, function, LW_ROLE_BODY, s)) {
        enum lw_node_kind kind = lw_tree_kind(t, s);
        if (kind == LW_NODE_RAISE)
            return true;
        statements +=
            kind != LW_NODE_PASS &&
            !(kind == LW_NODE_EXPR && is_constant(t, lw_tree_get(t, s, LW_ROLE_VALUE)));
    }
    return statements == 0;
}

/* locals() and the like read every parameter. */
static bool reads_all(const struct lw_tree *t, uint32_t function)
{
    static const char *const readers[] = {"locals", "vars", "save_hyperparameters", "eval",
                                          "exec"};
    return trace_has_call(t, function, readers, sizeof readers / sizeof *readers);
}

/* The definition that a call of a class or function of the file means, and its name for it:
 * __init__ of a class. */
static struct protocol_function callee_of(struct ck *c, struct ck_file *f, uint32_t call)
{
    struct protocol_function out = protocol_callee(c, f, call);
    if (out.node != LW_NO_NODE)
        return out;
    uint32_t found = lw_names_callee(&f->names, call);
    out = (struct protocol_function){f, found};
    if (found != LW_NO_NODE && lw_tree_kind(&f->tree, found) == LW_NODE_CLASS)
        out.node = lw_names_method(&f->names, found, LW_S("__init__"));
    if (out.node != LW_NO_NODE && lw_tree_kind(&f->tree, out.node) != LW_NODE_FUNCTION)
        out.node = LW_NO_NODE;
    return out;
}

/* The class of another file of the program that the name of the call was imported from. */
static struct protocol_function imported_class(struct ck *c, struct ck_file *f, uint32_t call)
{
    struct protocol_function none = {f, LW_NO_NODE};
    struct lw_str name = syntax_called_name(&f->tree, call);
    if (lw_tree_kind(&f->tree, lw_tree_get(&f->tree, call, LW_ROLE_FUNC)) != LW_NODE_NAME ||
        !name.n)
        return none;
    for (size_t i = 0; i < c->files.n; i++) {
        const struct lw_names *n = &c->files.v[i]->names;
        uint32_t s = lw_names_find(n, 0, name);
        uint32_t class_node = s == LW_NO_SYMBOL ? LW_NO_NODE : n->symbols.v[s].last_definition;
        if (class_node == LW_NO_NODE ||
            lw_tree_kind(&c->files.v[i]->tree, class_node) != LW_NODE_CLASS)
            continue;
        uint32_t init = program_method(&c->files.v[i]->tree, class_node, LW_S("__init__"));
        return (struct protocol_function){c->files.v[i], init};
    }
    return none;
}

/* The position of a parameter without self, and whether it has a default; -1: it is not there.
 */
static int position_of(const struct protocol_function *f, struct lw_str name, bool *optional)
{
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    if (params == LW_NO_NODE)
        return -1;
    const struct lw_node *n = lw_tree_node(t, params);
    int at = 0;
    for (uint32_t p = n->child; p < n->child + n->count; p++) {
        struct lw_str own = lw_tree_name(t, p);
        if (p == n->child && (text_is(own, "self") || text_is(own, "cls")))
            continue;
        if (lw_str_eq(own, name)) {
            *optional = lw_tree_get(t, p, LW_ROLE_DEFAULT) != LW_NO_NODE;
            return at;
        }
        at++;
    }
    return -1;
}

/* ---- what the body does instead -----------------------------------------------------------
 */

/* f(bias=True) where the parameter bias is not read. */
static uint32_t constant_for(const struct lw_tree *t, uint32_t function, uint32_t param)
{
    struct lw_str name = lw_tree_name(t, param);
    uint32_t usual = lw_tree_get(t, param, LW_ROLE_DEFAULT);
    for (uint32_t n = lw_tree_get(t, function, LW_ROLE_BODY); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_KEYWORD && lw_str_eq(lw_tree_name(t, n), name) &&
            is_choice(t, lw_tree_get(t, n, LW_ROLE_VALUE)))
            return n;
        if (usual != LW_NO_NODE && is_special(t, usual) &&
            lw_tree_kind(t, n) == lw_tree_kind(t, usual) &&
            lw_str_eq(lw_tree_text(t, n), lw_tree_text(t, usual)))
            return n;
    }
    return LW_NO_NODE;
}

/* Does the call give what stands at that position, or more than is in sight? */
static bool is_given(const struct lw_tree *t, uint32_t call, struct lw_str name, int position)
{
    int at = 0;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a), at++)
        if (lw_tree_kind(t, a) == LW_NODE_STARRED)
            return true;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (!lw_tree_name(t, k).n || lw_str_eq(lw_tree_name(t, k), name))
            return true;
    return position < at;
}

/* A call in the body of something that takes a parameter of this name, and is not given it. */
static uint32_t call_without(struct ck *c, struct ck_file *f, uint32_t function,
                             struct lw_str name)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = lw_tree_get(t, function, LW_ROLE_BODY); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL)
            continue;
        bool optional = false;
        struct protocol_function callee = callee_of(c, f, n);
        if (callee.node == LW_NO_NODE)
            callee = imported_class(c, f, n);
        int at = callee.node == LW_NO_NODE || callee.node == function
                     ? -1
                     : position_of(&callee, name, &optional);
        if (at >= 0 && optional && !is_given(t, n, name, at))
            return n;
    }
    return LW_NO_NODE;
}

static void look_at_parameter(struct ck *c, struct ck_file *f, uint32_t function,
                              uint32_t param)
{
    const struct lw_tree *t = &f->tree;
    struct lw_str name = lw_tree_name(t, param);
    uint32_t fixed = text_is(name, "name") ? LW_NO_NODE : constant_for(t, function, param);
    if (fixed != LW_NO_NODE) {
        ck_find_at(c, f, fixed, "api/parameter-ignored", NULL, 0,
                   "the parameter '%.*s' is never used, and a constant is used here instead: "
                   "use '%.*s'",
                   LW_F(name), LW_F(name));
        return;
    }
    uint32_t call = call_without(c, f, function, name);
    if (call != LW_NO_NODE)
        ck_find_at(
            c, f, call, "api/parameter-ignored", NULL, 0,
            "the parameter '%.*s' is never used, and this call accepts '%.*s' but does not get "
            "it: pass it on",
            LW_F(name), LW_F(name));
}

/* Parameters that nobody misses. */
static bool is_formal(struct lw_str name)
{
    static const char *const names[] = {"cls", "self", "verbose"};
    return text_is_any(name, names, sizeof names / sizeof *names);
}

static void look_at_function(struct ck *c, struct ck_file *f, uint32_t function)
{
    const struct lw_tree *t = &f->tree;
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    const struct lw_node *all = params == LW_NO_NODE ? NULL : lw_tree_node(t, params);
    int judged = -1; /* is_stub and reads_all walk over the function: once */
    for (uint32_t p = all ? all->child : 0; all && p < all->child + all->count; p++) {
        uint32_t symbol =
            lw_tree_kind(t, p) == LW_NODE_PARAM ? f->names.symbol_of.v[p] : LW_NO_SYMBOL;
        struct lw_str name = lw_tree_name(t, p);
        if (symbol == LW_NO_SYMBOL || !name.n || name.p[0] == '_' || is_formal(name) ||
            (f->names.symbols.v[symbol].flags & LW_SYMBOL_USED) ||
            f->names.symbols.v[symbol].first_binding != f->names.symbols.v[symbol].last_binding)
            continue;
        if (judged < 0)
            judged = chooses_parameters(t, function) && !is_stub(t, function) &&
                     !reads_all(t, function);
        if (judged && look_again(c, look_at_parameter, MOST_PARAMETERS))
            look_at_parameter(c, f, function, p);
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    for (uint32_t n = 0; n < f->tree.nodes.n; n++)
        if (lw_tree_kind(&f->tree, n) == LW_NODE_FUNCTION)
            look_at_function(c, f, n);
}

const struct ck_rule rules_api_passed_on[] = {
    {"api/parameter-ignored", CK_EV_END, watch_end},
    {0},
};
