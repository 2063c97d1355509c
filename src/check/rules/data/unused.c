/* Rules about data that is made and reaches nothing, read from the names of one file. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/uses.h"
#include "check/rules/rules.h"

enum { MAX_HOPS = 4 };

enum { MAX_PARTS = 32 };

/* Looks of one kind in a program. */
enum { MAX_LOOKS = 40 };

/* ---- functions -----------------------------------------------------------------------------
 */

/* A function of the file that is called by its name, and nothing else is done with it. */
static bool is_plain_function(struct ck *c, struct ck_file *f, uint32_t function)
{
    const struct lw_tree *t = &f->tree;
    uint32_t up = lw_tree_parent(t, function), symbol = uses_symbol(f, function);
    if (lw_tree_kind(t, function) != LW_NODE_FUNCTION || symbol == LW_NO_SYMBOL ||
        lw_tree_count(t, function, LW_ROLE_DECORATORS) || !uses_bound_once(f, symbol) ||
        (up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_CLASS))
        return false;
    for (uint32_t n = uses_next(c, f, symbol, t->root); n != LW_NO_NODE;
         n = uses_next(c, f, symbol, n)) {
        uint32_t call = lw_tree_parent(t, n);
        if (lw_tree_kind(t, call) != LW_NODE_CALL || lw_tree_get(t, call, LW_ROLE_FUNC) != n)
            return false;
    }
    return true;
}

/* The parameter that gets the argument of a call of `function`; LW_NO_NODE: not plain. */
static uint32_t parameter_for(const struct lw_tree *t, uint32_t function, uint32_t call,
                              uint32_t argument)
{
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    uint32_t up = lw_tree_parent(t, argument);
    if (params == LW_NO_NODE)
        return LW_NO_NODE;
    uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE);
    if (lw_tree_kind(t, up) == LW_NODE_KEYWORD) {
        while (p != LW_NO_NODE && !lw_str_eq(lw_tree_name(t, p), lw_tree_name(t, up)))
            p = lw_tree_each(t, params, LW_ROLE_ARGS, p);
        return p;
    }
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
         a != LW_NO_NODE && p != LW_NO_NODE; a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (lw_tree_kind(t, a) == LW_NODE_STARRED)
            return LW_NO_NODE;
        if (a == argument)
            return p;
        p = lw_tree_each(t, params, LW_ROLE_ARGS, p);
    }
    return LW_NO_NODE;
}

/* ---- prepared, and the raw data goes on -----------------------------------------------------
 */

/* The variable that a preparing expression is about: x of scaler.transform(x), x / 255 and
 * (x - mean) / std; LW_NO_NODE: it prepares nothing. */
static uint32_t prepared_name(const struct lw_tree *t, uint32_t value)
{
    static const char *const names[] = {"fit_transform", "transform",       "normalize",
                                        "minmax_scale",  "robust_scale",    "to_categorical",
                                        "pad_sequences", "preprocess_input"};
    uint32_t x = value;
    if (lw_tree_kind(t, value) == LW_NODE_CALL) {
        if (!text_is_any(syntax_called_name(t, value), names, sizeof names / sizeof *names))
            return LW_NO_NODE;
        x = lw_tree_each(t, value, LW_ROLE_ARGS, LW_NO_NODE);
    } else {
        bool divides = false;
        while (x != LW_NO_NODE && lw_tree_kind(t, x) == LW_NODE_BIN_OP) {
            enum lw_op op = (enum lw_op)lw_tree_node(t, x)->op;
            if (op != LW_OP_DIV && op != LW_OP_SUB)
                return LW_NO_NODE;
            divides |= op == LW_OP_DIV;
            x = lw_tree_get(t, x, LW_ROLE_LEFT);
        }
        if (!divides)
            return LW_NO_NODE;
    }
    return x != LW_NO_NODE && lw_tree_kind(t, x) == LW_NODE_NAME ? x : LW_NO_NODE;
}

/* Where the variable is split or trained with, behind `after`. */
static uint32_t goes_on(struct ck *c, struct ck_file *f, uint32_t symbol, uint32_t after)
{
    static const char *const takes[] = {"train_test_split", "fit",         "fit_generator",
                                        "predict",          "evaluate",    "TensorDataset",
                                        "DataLoader",       "from_numpy",  "tensor",
                                        "Tensor",           "FloatTensor", "from_tensor_slices",
                                        "train_on_batch",   "flow",        "as_tensor"};
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = uses_next(c, f, symbol, after); n != LW_NO_NODE;
         n = uses_next(c, f, symbol, n)) {
        uint32_t call = uses_call(t, n);
        if (call != LW_NO_NODE &&
            text_is_any(syntax_called_name(t, call), takes, sizeof takes / sizeof *takes))
            return n;
    }
    return LW_NO_NODE;
}

static void check_prepared(struct ck *c, struct ck_file *f, uint32_t assign)
{
    const struct lw_tree *t = &f->tree;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    if (lw_tree_count(t, assign, LW_ROLE_TARGETS) != 1 ||
        lw_tree_kind(t, target) != LW_NODE_NAME || uses_symbol(f, target) == LW_NO_SYMBOL ||
        !uses_never_read(f, uses_symbol(f, target)))
        return;
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t raw = value == LW_NO_NODE ? value : prepared_name(t, value);
    if (raw == LW_NO_NODE || uses_symbol(f, raw) == LW_NO_SYMBOL)
        return;
    uint32_t on = goes_on(c, f, uses_symbol(f, raw), raw);
    if (on != LW_NO_NODE)
        ck_find_at(
            c, f, assign, "data/prepared-unused", NULL, 0,
            "'%.*s' is never used: %.*s continues with the unchanged '%.*s'; use '%.*s' there",
            LW_F(lw_tree_name(t, target)), LW_F(ck_show_place(c, f, ck_file_place(f, on))),
            LW_F(lw_tree_name(t, raw)), LW_F(lw_tree_name(t, target)));
}

/* ---- rows that are given to a function which does not look at them
 * ----------------------------
 */

/* Does the function read any of its parameters? One that reads none is to be written yet. */
static bool reads_a_parameter(const struct ck_file *f, uint32_t function)
{
    const struct lw_tree *t = &f->tree;
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    for (uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE); p != LW_NO_NODE;
         p = lw_tree_each(t, params, LW_ROLE_ARGS, p))
        if (uses_symbol(f, p) != LW_NO_SYMBOL &&
            f->names.symbols.v[uses_symbol(f, p)].flags & LW_SYMBOL_USED)
            return true;
    return false;
}

/* Is the name here only handed to a function of the file that does not read it? */
static bool is_ignored(struct ck *c, struct ck_file *f, uint32_t name, uint32_t *function)
{
    const struct lw_tree *t = &f->tree;
    uint32_t call = uses_call(t, name);
    *function = call == LW_NO_NODE ? LW_NO_NODE : lw_names_callee(&f->names, call);
    if (*function == LW_NO_NODE || !is_plain_function(c, f, *function))
        return false;
    uint32_t p = parameter_for(t, *function, call, name);
    return p != LW_NO_NODE && uses_symbol(f, p) != LW_NO_SYMBOL &&
           uses_never_read(f, uses_symbol(f, p)) && reads_a_parameter(f, *function);
}

/* A function with a gap that somebody is to fill. */
static bool is_exercise(const struct lw_tree *t, uint32_t function)
{
    static const char *const words[] = {"TODO", "FIXME", "YOUR CODE", "Replace th"};
    struct lw_str text = lw_tree_text(t, function);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

static const char looks_key;

/* A computed tensor whose every reader is a function that ignores it. Each look walks the file:
 * there are so many of them and no more. */
static void watch_ignored(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->frame->file;
    const struct lw_tree *t = &f->tree;
    unsigned *looks = ck_state(c, &looks_key, sizeof *looks);
    for (size_t i = 0; i < e->arg_count && f->index == 0; i++) {
        uint32_t name = e->args[i].node, function = LW_NO_NODE;
        if (e->args[i].value.kind != LW_V_TENSOR || e->args[i].star || name == LW_NO_NODE)
            continue;
        if (lw_tree_kind(t, name) == LW_NODE_KEYWORD)
            name = lw_tree_get(t, name, LW_ROLE_VALUE);
        if (lw_tree_kind(t, name) != LW_NODE_NAME || uses_symbol(f, name) == LW_NO_SYMBOL ||
            !uses_bound_once(f, uses_symbol(f, name)) || !looks || ++*looks > MAX_LOOKS ||
            !is_ignored(c, f, name, &function))
            continue;
        uint32_t bound =
            f->names.bindings.v[f->names.symbols.v[uses_symbol(f, name)].first_binding].node;
        bool all = lw_tree_kind(t, bound) == LW_NODE_NAME;
        uint32_t other;
        for (uint32_t n = uses_next(c, f, uses_symbol(f, name), t->root);
             all && n != LW_NO_NODE; n = uses_next(c, f, uses_symbol(f, name), n))
            all = is_ignored(c, f, n, &other);
        if (all && !is_exercise(t, function))
            ck_find_at(c, f, function, "data/part-unused", NULL, 0,
                       "%.*s() never uses its argument '%.*s', and neither does other code: "
                       "use it, or remove it",
                       LW_F(lw_tree_name(t, function)), LW_F(lw_tree_name(t, name)));
    }
}

/* ---- a part of the data that no feature is made of
 * -------------------------------------------
 */

/* The parts of one dict: which of them are read? */
struct parts {
    struct ck *c;
    struct ck_file *file;
    struct lw_str key[MAX_PARTS]; /* as written, with quotes */
    bool read[MAX_PARTS];
    unsigned n;
    bool escapes; /* it goes where its parts cannot be counted */
};

static struct lw_str bare(struct lw_str s)
{
    return s.n >= 2 ? lw_str_part(s, 1, s.n - 2) : s;
}

static bool take_keys(struct parts *p, uint32_t dict)
{
    const struct lw_tree *t = &p->file->tree;
    for (uint32_t k = lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, dict, LW_ROLE_KEYS, k)) {
        if (lw_tree_kind(t, k) != LW_NODE_STRING || p->n == MAX_PARTS)
            return false;
        p->key[p->n++] = bare(lw_tree_text(t, k));
    }
    return p->n >= 2 && lw_tree_count(t, dict, LW_ROLE_UNPACK) == 0;
}

static void follow_symbol(struct parts *p, uint32_t symbol, unsigned hops);

static void follow_value(struct parts *p, uint32_t node, unsigned hops)
{
    const struct lw_tree *t = &p->file->tree;
    uint32_t up = lw_tree_parent(t, node);
    if (lw_tree_kind(t, up) == LW_NODE_SUBSCRIPT && lw_tree_get(t, up, LW_ROLE_VALUE) == node) {
        uint32_t key = lw_tree_get(t, up, LW_ROLE_SLICE);
        if (key == LW_NO_NODE || lw_tree_kind(t, key) != LW_NODE_STRING) {
            p->escapes = true;
            return;
        }
        for (unsigned i = 0; i < p->n; i++)
            p->read[i] |= lw_str_eq(p->key[i], bare(lw_tree_text(t, key)));
        return;
    }
    uint32_t call = uses_call(t, node);
    uint32_t f = call == LW_NO_NODE ? call : lw_names_callee(&p->file->names, call);
    uint32_t param = f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_FUNCTION
                         ? LW_NO_NODE
                         : parameter_for(t, f, call, node);
    if (param == LW_NO_NODE || uses_symbol(p->file, param) == LW_NO_SYMBOL || hops >= MAX_HOPS)
        p->escapes = true;
    else
        follow_symbol(p, uses_symbol(p->file, param), hops + 1);
}

static void follow_symbol(struct parts *p, uint32_t symbol, unsigned hops)
{
    for (uint32_t n = uses_next(p->c, p->file, symbol, p->file->tree.root);
         n != LW_NO_NODE && !p->escapes; n = uses_next(p->c, p->file, symbol, n))
        follow_value(p, n, hops);
}

/* The result of a call of the function: where does the dict go? `place` is its number in the
 * tuple that is returned, or -1. */
static void follow_call(struct parts *p, uint32_t call, int place)
{
    const struct lw_tree *t = &p->file->tree;
    uint32_t up = lw_tree_parent(t, call);
    uint32_t target =
        lw_tree_kind(t, up) == LW_NODE_ASSIGN && lw_tree_count(t, up, LW_ROLE_TARGETS) == 1
            ? lw_tree_get(t, up, LW_ROLE_TARGETS)
            : LW_NO_NODE;
    if (place >= 0 && target != LW_NO_NODE) {
        uint32_t n = lw_tree_kind(t, target) == LW_NODE_TUPLE
                         ? lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE)
                         : LW_NO_NODE;
        while (place-- > 0 && n != LW_NO_NODE)
            n = lw_tree_each(t, target, LW_ROLE_ELTS, n);
        target = n;
    }
    if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_NAME ||
        uses_symbol(p->file, target) == LW_NO_SYMBOL)
        p->escapes = true;
    else
        follow_symbol(p, uses_symbol(p->file, target), 0);
}

/* U, S, V = svd(x): one of several results of one call, which come together. */
static bool is_byproduct(const struct ck_file *f, uint32_t value, uint32_t function)
{
    const struct lw_tree *t = &f->tree;
    if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_NAME ||
        uses_symbol(f, value) == LW_NO_SYMBOL)
        return false;
    const struct lw_symbol *symbol = &f->names.symbols.v[uses_symbol(f, value)];
    if (symbol->first_binding >= f->names.bindings.n)
        return false;
    uint32_t bound = f->names.bindings.v[symbol->first_binding].node;
    return syntax_inside(t, bound, function) &&
           lw_tree_kind(t, lw_tree_parent(t, bound)) == LW_NODE_TUPLE;
}

/* return {"a": a, "b": b}, rest */
static void check_parts(struct ck *c, struct ck_file *f, uint32_t dict)
{
    const struct lw_tree *t = &f->tree;
    uint32_t up = lw_tree_parent(t, dict);
    int place = -1;
    if (lw_tree_kind(t, up) == LW_NODE_TUPLE) {
        place = 0;
        for (uint32_t n = lw_tree_each(t, up, LW_ROLE_ELTS, LW_NO_NODE); n != dict;
             n = lw_tree_each(t, up, LW_ROLE_ELTS, n))
            place++;
        up = lw_tree_parent(t, up);
    }
    uint32_t function = lw_tree_kind(t, up) == LW_NODE_RETURN
                            ? lw_tree_enclosing(t, dict, LW_NODE_FUNCTION)
                            : LW_NO_NODE;
    struct parts p = {.c = c, .file = f};
    if (function == LW_NO_NODE || !is_plain_function(c, f, function) || !take_keys(&p, dict))
        return;
    unsigned calls = 0;
    for (uint32_t n = uses_next(c, f, uses_symbol(f, function), t->root);
         n != LW_NO_NODE && !p.escapes;
         n = uses_next(c, f, uses_symbol(f, function), n), calls++)
        follow_call(&p, lw_tree_parent(t, n), place);
    bool any = false;
    for (unsigned i = 0; i < p.n; i++)
        any |= p.read[i];
    if (p.escapes || !any || !calls)
        return;
    unsigned i = 0;
    uint32_t v = lw_tree_each(t, dict, LW_ROLE_VALUES, LW_NO_NODE);
    for (uint32_t k = lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, dict, LW_ROLE_KEYS, k),
                  v = v == LW_NO_NODE ? v : lw_tree_each(t, dict, LW_ROLE_VALUES, v), i++)
        if (!p.read[i] && !is_byproduct(f, v, function))
            ck_find_at(c, f, k, "data/part-unused", NULL, 0,
                       "'%.*s' is created but never used, although the other parts of the data "
                       "are: use it, or remove it",
                       LW_F(p.key[i]));
}

/* ---- the walk
 * --------------------------------------------------------------------------------
 */

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    (void)e;
    if (!ck_shows(c, "call .fit") && !ck_shows(c, "call backward") &&
        !ck_shows(c, "call minimize"))
        return;
    unsigned dicts = 0;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN)
            check_prepared(c, f, n);
        else if (lw_tree_kind(t, n) == LW_NODE_DICT && dicts++ < MAX_LOOKS)
            check_parts(c, f, n);
    }
}

const struct ck_rule rules_data_unused[] = {
    {"data/part-unused", CK_EV_USER_CALL, watch_ignored},
    {"data/part-unused data/prepared-unused", CK_EV_END, watch_end},
    {0},
};
