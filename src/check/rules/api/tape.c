/* Rules about GradientTape, read off the text: what it records, and how often it can be asked.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* ---- the tape of a call -------------------------------------------------------------------
 */

struct tape {
    struct ck_file *file;
    uint32_t symbol;
    uint32_t with; /* the statement */
    uint32_t made; /* the call GradientTape(…) */
};

/* `with tf.GradientTape() as tape` of the name. */
static bool find_tape(struct ck *c, struct ck_file *f, uint32_t name, struct tape *out)
{
    const struct lw_tree *t = &f->tree;
    uint32_t id =
        lw_tree_kind(t, name) == LW_NODE_NAME ? f->names.symbol_of.v[name] : LW_NO_SYMBOL;
    if (id == LW_NO_SYMBOL)
        return false;
    const struct lw_binding *last = NULL;
    for (uint32_t i = f->names.symbols.v[id].first_binding; i != LW_NO_SYMBOL;
         i = f->names.bindings.v[i].next)
        if (lw_tree_start(t, f->names.bindings.v[i].node) < lw_tree_start(t, name))
            last = &f->names.bindings.v[i];
    if (!last || last->kind != LW_BIND_WITH)
        return false;
    uint32_t item = lw_tree_enclosing(t, last->node, LW_NODE_ITEM);
    uint32_t made = item == LW_NO_NODE ? item : lw_tree_get(t, item, LW_ROLE_CONTEXT);
    *out = (struct tape){f, id, lw_tree_statement(t, last->node), made};
    return lw_tree_kind(t, made) == LW_NODE_CALL &&
           text_is(text_tail(trace_called(c, f, made)), "GradientTape");
}

/* ---- a loss that the tape has not seen ----------------------------------------------------
 */

/* Is something computed there, by which a gradient would have to go back? */
static bool computes(const struct lw_tree *t, uint32_t value)
{
    enum lw_node_kind kind = lw_tree_kind(t, value);
    return kind == LW_NODE_CALL || kind == LW_NODE_BIN_OP || kind == LW_NODE_UNARY_OP;
}

/* loss = f(y, p) behind the block of the tape, all bindings of the loss being there. */
static void look_at_loss(struct ck *c, const struct tape *tape, uint32_t call)
{
    const struct lw_tree *t = &tape->file->tree;
    uint32_t loss = program_argument(t, call, "target", 0);
    if (lw_tree_kind(t, loss) != LW_NODE_NAME || syntax_inside(t, call, tape->with))
        return;
    struct trace_source s = trace_name(tape->file, loss);
    if (s.value == LW_NO_NODE || s.part != TRACE_WHOLE || !computes(t, s.value) ||
        lw_tree_start(t, s.value) < lw_tree_end(t, tape->with) ||
        ck_is_told(c, tape->file, call, "api/tape-misses-forward api/gradient-cut"))
        return;
    ck_find_at(c, tape->file, lw_tree_statement(t, s.value), "api/tape-misses-loss", NULL, 0,
               "'%.*s' is computed after the with block of the tape, so gradient() returns "
               "None: compute it inside the block",
               LW_F(lw_tree_name(t, loss)));
}

/* ---- a tape that is used up ---------------------------------------------------------------
 */

/* Do both stand in branches of which only one is run? */
static bool are_apart(const struct lw_tree *t, uint32_t a, uint32_t b)
{
    uint32_t n = lw_tree_enclosing(t, a, LW_NODE_IF);
    while (n != LW_NO_NODE && !syntax_inside(t, b, n))
        n = lw_tree_enclosing(t, n, LW_NODE_IF);
    return n != LW_NO_NODE;
}

static void look_at_second(struct ck *c, const struct tape *tape, uint32_t call,
                           struct places_list all, size_t at)
{
    const struct lw_tree *t = &tape->file->tree;
    if (syntax_has_keyword(t, tape->made, "persistent") ||
        lw_tree_count(t, tape->made, LW_ROLE_ARGS) || syntax_inside(t, call, tape->with))
        return;
    for (size_t i = at; i-- > 0 && lw_tree_start(t, all.v[i]) > lw_tree_start(t, tape->with);) {
        uint32_t owner = syntax_owner(t, all.v[i]);
        if (lw_tree_kind(t, owner) != LW_NODE_NAME ||
            tape->file->names.symbol_of.v[owner] != tape->symbol ||
            syntax_inside(t, all.v[i], tape->with) || are_apart(t, all.v[i], call))
            continue;
        ck_find_at(c, tape->file, call, "api/tape-used-twice", NULL, 0,
                   "gradient() was already called on this tape, which is not persistent: use "
                   "GradientTape(persistent=True), or one tape for each loss");
        return;
    }
}

/* ---- an input that is not watched ---------------------------------------------------------
 */

/* Is the value a tensor that the tape does not watch by itself? */
static bool is_constant(struct ck *c, struct ck_file *f, uint32_t value)
{
    static const char *const makers[] = {
        "cast",  "constant", "convert_to_tensor", "decode_image", "decode_jpeg", "expand_dims",
        "image", "normal",   "reshape",           "resize",       "uniform"};
    struct lw_str name = lw_tree_kind(&f->tree, value) == LW_NODE_CALL
                             ? trace_called(c, f, value)
                             : (struct lw_str){0};
    return lw_str_has_prefix(name, LW_S("tensorflow.")) &&
           text_is_any(text_tail(name), makers, sizeof makers / sizeof *makers);
}

/* Is the name given to a call in the block, as the input of a network is and weights are not?
 */
static bool is_input(const struct tape *tape, uint32_t symbol)
{
    const struct lw_tree *t = &tape->file->tree;
    for (uint32_t use = trace_next_use(tape->file, tape->with, tape->with, symbol);
         use != LW_NO_NODE; use = trace_next_use(tape->file, tape->with, use, symbol))
        if (lw_tree_kind(t, lw_tree_parent(t, use)) == LW_NODE_CALL &&
            lw_tree_node(t, use)->role == LW_ROLE_ARGS)
            return true;
    return false;
}

/* An argument of the function in a program that makes no variables and watches nothing. */
static bool is_plain_argument(struct ck *c, const struct tape *tape, uint32_t name)
{
    static const char *const makers[] = {"Variable", "watch"};
    const struct lw_names *n = &tape->file->names;
    const struct lw_symbol *s = &n->symbols.v[n->symbol_of.v[name]];
    return s->first_binding == s->last_binding &&
           n->bindings.v[s->first_binding].kind == LW_BIND_PARAM &&
           !program_calls(c, makers, 2) && is_input(tape, n->symbol_of.v[name]);
}

static bool is_watched(const struct tape *tape, struct places_list watches, struct lw_str name)
{
    const struct lw_tree *t = &tape->file->tree;
    for (size_t i = 0; i < watches.n; i++) {
        uint32_t owner = syntax_owner(t, watches.v[i]);
        if (owner != LW_NO_NODE && syntax_has_name(t, watches.v[i], name) &&
            syntax_inside(t, watches.v[i], tape->with))
            return true;
    }
    return false;
}

static void look_at_sources(struct ck *c, const struct tape *tape, uint32_t call)
{
    const struct lw_tree *t = &tape->file->tree;
    uint32_t source = program_argument(t, call, "sources", 1);
    if (lw_tree_kind(t, source) != LW_NODE_NAME ||
        tape->file->names.symbol_of.v[source] == LW_NO_SYMBOL)
        return;
    struct trace_source s = trace_name(tape->file, source);
    bool fixed =
        s.value != LW_NO_NODE && s.part == TRACE_WHOLE
            ? is_constant(c, tape->file, s.value) && !syntax_inside(t, s.value, tape->with)
            : is_plain_argument(c, tape, source);
    struct lw_str name = lw_tree_name(t, source);
    if (!fixed || is_watched(tape, program_calls_of(c, "watch"), name))
        return;
    ck_find_at(c, tape->file, call, "api/tape-not-watching", NULL, 0,
               "the tape does not watch '%.*s', which is a tensor and not a variable, so "
               "gradient() returns None: call watch(%.*s) at the start of the with block",
               LW_F(name), LW_F(name));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    enum { MOST_CALLS = 64 };
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct places_list calls = program_calls_of(c, "gradient");
    for (size_t i = 0; i < calls.n && i < MOST_CALLS; i++) {
        struct tape tape;
        uint32_t owner = syntax_owner(&f->tree, calls.v[i]);
        if (owner == LW_NO_NODE || !find_tape(c, f, owner, &tape))
            continue;
        look_at_loss(c, &tape, calls.v[i]);
        look_at_second(c, &tape, calls.v[i], calls, i);
        look_at_sources(c, &tape, calls.v[i]);
    }
}

const struct ck_rule rules_api_tape[] = {
    {"api/tape-misses-loss api/tape-not-watching api/tape-used-twice", CK_EV_END, watch_end},
    {0},
};
