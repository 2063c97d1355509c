/* Questions about the program that is being checked. */
#include "check/look.h"

#include <math.h>

#include "base/str.h"
#include "check/lib.h"
#include "check/rules.h"

bool look_again(struct ck *c, const void *key, unsigned most)
{
    unsigned *looks = ck_state(c, key, sizeof *looks);
    return looks && *looks < most && ++*looks;
}

bool look_says_any(struct lw_str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (look_says(text, words[i]))
            return true;
    return false;
}

struct lw_str look_tail(struct lw_str dotted)
{
    ptrdiff_t dot = lw_str_find_last_char(dotted, '.');
    return dot < 0 ? dotted : lw_str_part(dotted, (size_t)dot + 1, dotted.n);
}

/* ---- syntax -------------------------------------------------------------------------------
 */

uint32_t look_owner(const struct lw_tree *t, uint32_t call)
{
    uint32_t f =
        lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC) : LW_NO_NODE;
    return f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE
               ? lw_tree_get(t, f, LW_ROLE_VALUE)
               : LW_NO_NODE;
}

uint32_t look_next_call(const struct lw_tree *t, uint32_t top, uint32_t after, const char *name)
{
    for (uint32_t n = lw_tree_next(t, top, after, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && look_owner(t, n) != LW_NO_NODE &&
            look_is(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_FUNC)), name))
            return n;
    return LW_NO_NODE;
}

uint32_t look_method_call(const struct lw_tree *t, uint32_t top, const char *name)
{
    return look_next_call(t, top, top, name);
}

uint32_t look_loop_around(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_FOR || kind == LW_NODE_WHILE)
            return n;
        if (kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS || kind == LW_NODE_LAMBDA)
            break;
    }
    return LW_NO_NODE;
}

bool look_is_name(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
        if (!letter && !(i > 0 && ch >= '0' && ch <= '9'))
            return false;
    }
    return s.n > 0;
}

bool look_inside(const struct lw_tree *t, uint32_t node, uint32_t top)
{
    return lw_tree_start(t, node) >= lw_tree_start(t, top) &&
           lw_tree_end(t, node) <= lw_tree_end(t, top);
}

bool look_is_never_read(const struct lw_tree *t, uint32_t call)
{
    uint32_t assign = lw_tree_parent(t, call), module = assign;
    if (assign == LW_NO_NODE || lw_tree_kind(t, assign) != LW_NODE_ASSIGN)
        return false;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_NAME)
        return false;
    while (lw_tree_parent(t, module) != LW_NO_NODE)
        module = lw_tree_parent(t, module);
    for (uint32_t n = lw_tree_next(t, module, module, false); n != LW_NO_NODE;
         n = lw_tree_next(t, module, n, false))
        if (n != target && lw_tree_kind(t, n) == LW_NODE_NAME &&
            lw_str_eq(lw_tree_name(t, n), lw_tree_name(t, target)))
            return false;
    return true;
}

bool look_is_first_result(const struct lw_tree *t, uint32_t name, uint32_t call)
{
    if (name == LW_NO_NODE || lw_tree_kind(t, name) != LW_NODE_NAME || call == LW_NO_NODE ||
        lw_tree_enclosing(t, name, LW_NODE_FUNCTION) !=
            lw_tree_enclosing(t, call, LW_NODE_FUNCTION))
        return false;
    uint32_t s = lw_tree_statement(t, call);
    uint32_t target =
        lw_tree_kind(t, s) == LW_NODE_ASSIGN ? lw_tree_get(t, s, LW_ROLE_TARGETS) : LW_NO_NODE;
    return target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_TUPLE &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_ELTS)),
                     lw_tree_name(t, name));
}

bool look_has_name(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

uint32_t look_keyword(const struct lw_tree *t, uint32_t call, struct lw_str name)
{
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (lw_str_eq(lw_tree_name(t, k), name))
            return lw_tree_get(t, k, LW_ROLE_VALUE);
    return LW_NO_NODE;
}

bool look_has_keyword(const struct lw_tree *t, uint32_t call, const char *name)
{
    return look_keyword(t, call, lw_str(name)) != LW_NO_NODE;
}

uint32_t look_holder(const struct lw_tree *t, uint32_t part)
{
    uint32_t n = lw_tree_get(t, part, LW_ROLE_VALUE);
    for (unsigned i = 0; i < 8 && lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT; i++)
        n = lw_tree_get(t, n, LW_ROLE_VALUE);
    return n;
}

bool look_is_of_self(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE &&
           look_is(lw_tree_text(t, lw_tree_get(t, node, LW_ROLE_VALUE)), "self");
}

bool look_speaks_of_counts(struct lw_str text)
{
    static const char *const words[] = {"count", "Count", "number", "how_many", "densit"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* What `target = value` gives the name: of a, b = x, y its own part. LW_NO_NODE: nothing that
 * is written there. */
static uint32_t given_to(const struct lw_tree *t, uint32_t target, uint32_t value,
                         struct lw_str name)
{
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        return lw_str_eq(lw_tree_name(t, target), name) ? value : LW_NO_NODE;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, value) != LW_NODE_TUPLE ||
        lw_tree_count(t, target, LW_ROLE_ELTS) != lw_tree_count(t, value, LW_ROLE_ELTS))
        return LW_NO_NODE;
    uint32_t a = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
    uint32_t b = lw_tree_each(t, value, LW_ROLE_ELTS, LW_NO_NODE);
    while (a != LW_NO_NODE && b != LW_NO_NODE) {
        if (lw_tree_kind(t, a) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, a), name))
            return b;
        a = lw_tree_each(t, target, LW_ROLE_ELTS, a);
        b = lw_tree_each(t, value, LW_ROLE_ELTS, b);
    }
    return LW_NO_NODE;
}

static uint32_t assigned(const struct lw_tree *t, uint32_t name, bool first)
{
    uint32_t top = lw_tree_enclosing(t, name, LW_NODE_FUNCTION), found = LW_NO_NODE;
    uint32_t here = lw_tree_statement(t, name);
    if (top == LW_NO_NODE)
        top = t->root;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, lw_tree_kind(t, n) == LW_NODE_FUNCTION)) {
        if (n == here || lw_tree_start(t, n) >= lw_tree_start(t, name))
            break;
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN || lw_tree_count(t, n, LW_ROLE_TARGETS) != 1)
            continue;
        uint32_t value = given_to(t, lw_tree_get(t, n, LW_ROLE_TARGETS),
                                  lw_tree_get(t, n, LW_ROLE_VALUE), lw_tree_name(t, name));
        if (value == LW_NO_NODE)
            continue;
        found = value;
        if (first)
            break;
    }
    return found;
}

uint32_t look_assigned(const struct lw_tree *t, uint32_t name)
{
    return assigned(t, name, false);
}

uint32_t look_first_assigned(const struct lw_tree *t, uint32_t name)
{
    return assigned(t, name, true);
}

bool look_is_outermost(struct ck *c, const struct ck_object *o)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up) {
        const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
        if (self && ck_is_torch_module(c, self))
            return false;
    }
    return o && ck_is_torch_module(c, o);
}

bool look_in_loop(const struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->loop)
            return true;
    return false;
}

/* ---- values -------------------------------------------------------------------------------
 */

bool look_known_range(const struct lw_tensor *t)
{
    return t && (t->range.flags & LW_IV_KNOWN) && isfinite(t->range.lo) &&
           isfinite(t->range.hi);
}

double look_top(const struct lw_tensor *t)
{
    bool open = t->range.flags & LW_IV_HI_OPEN, whole = t->range.flags & LW_IV_WHOLE;
    return open && whole ? t->range.hi - 1 : t->range.hi;
}

bool look_is_any(struct lw_str name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (look_is(name, names[i]))
            return true;
    return false;
}

const struct ck_origin *look_made_by(struct ck *c, struct lw_value v, const char *const *names,
                                     size_t n)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    return o && o->in_count && look_is_any(look_tail(o->op), names, n) ? o : NULL;
}

struct lw_value look_operand(const struct ck_call *call)
{
    if (call->self.kind == LW_V_TENSOR)
        return call->self;
    return call->n ? call->args[0].value : lw_v_unknown();
}

struct lw_value look_slot(const struct ck_origin *o, const char *name)
{
    const struct lw_api_part *part =
        o->api && !o->layer ? &o->api->side[LW_API_CONSTRUCT] : NULL;
    for (uint32_t i = 0; part && o->bound && i < o->bound->n && i < part->param_count; i++)
        if (look_is(part->params[i].name, name))
            return o->bound->slots[i];
    return lw_v_absent();
}

struct lw_value look_through(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {
        "LongTensor", "Tensor",      "FloatTensor", "array",   "as_tensor",
        "asarray",    "astype",      "cast",        "clone",   "cpu",
        "constant",   "contiguous",  "copy",        "cuda",    "detach",
        "double",     "expand_dims", "flatten",     "float",   "from_numpy",
        "int",        "long",        "numpy",       "ravel",   "reshape",
        "squeeze",    "tensor",      "to",          "type",    "unsqueeze",
        "view",       "values",      "to_numpy",    "to_list", "convert_to_tensor"};
    for (unsigned i = 0; i < 12; i++) {
        const struct ck_origin *o = look_made_by(c, v, forms, sizeof forms / sizeof *forms);
        if (!o || o->layer)
            break;
        v = o->in[0];
    }
    return v;
}

struct lw_value look_whole(struct ck *c, struct lw_value v)
{
    for (unsigned i = 0; i < 6; i++) {
        v = look_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !look_is(o->op, "[]") || o->in[1].kind == LW_V_TUPLE)
            break;
        v = o->in[0];
    }
    return v;
}

bool look_is_one_hot(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]", "train_test_split"};
    static const char *const codes[] = {"to_categorical", "get_dummies", "one_hot"};
    for (unsigned i = 0; i < 6; i++) {
        v = look_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return false;
        if (look_is_any(look_tail(o->op), codes, 3) ||
            lw_str_find(o->op, LW_S(".LabelBinarizer.")) != LW_NPOS)
            return true;
        if (!o->in_count || !look_is_any(look_tail(o->op), forms, 2))
            return false;
        v = o->in[0];
    }
    return false;
}

bool look_squared_error(struct ck *c, struct lw_value loss, struct lw_value *a,
                        struct lw_value *b)
{
    static const char *const reductions[] = {"mean", "sum", "reduce_mean", "reduce_sum", "/"};
    static const char *const squares[] = {"square", "pow", "**", "squared_difference"};
    static const char *const differences[] = {"-", "sub", "subtract"};
    const struct ck_origin *o = NULL;
    for (unsigned i = 0; i < 3; i++) {
        o = look_made_by(c, loss, reductions, sizeof reductions / sizeof *reductions);
        if (!o)
            break;
        loss = o->in[0];
    }
    o = look_made_by(c, loss, squares, sizeof squares / sizeof *squares);
    if (!o)
        return false;
    if (!look_is(look_tail(o->op), "squared_difference"))
        o = look_made_by(c, o->in[0], differences, sizeof differences / sizeof *differences);
    if (!o || o->in_count < 2)
        return false;
    *a = o->in[0];
    *b = o->in[1];
    return true;
}

enum { MAX_VISITED = 512, MAX_WAITING = 256 };

struct walk {
    uint32_t seen[MAX_VISITED]; /* ids */
    struct lw_value waiting[MAX_WAITING];
    size_t seen_count, waiting_count;
    bool complete;
};

static void await(struct ck *c, struct walk *w, struct lw_value v)
{
    struct lw_seq seq;
    if (v.kind == LW_V_UNKNOWN || w->waiting_count >= MAX_WAITING) {
        w->complete = false;
    } else if (v.kind == LW_V_TENSOR) {
        for (size_t i = 0; v.tensor->id && i < w->seen_count; i++)
            if (w->seen[i] == v.tensor->id)
                return;
        if (w->seen_count >= MAX_VISITED) {
            w->complete = false;
            return;
        }
        w->seen[w->seen_count++] = v.tensor->id;
        w->waiting[w->waiting_count++] = v;
    } else if ((v.kind == LW_V_TUPLE || v.kind == LW_V_LIST || v.kind == CK_LIST) &&
               ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR || seq.items[i].kind == LW_V_UNKNOWN)
                await(c, w, seq.items[i]);
    }
}

/* Made of sizes and a generator: nothing behind it is of interest. */
static bool is_drawn(const struct ck_origin *o)
{
    static const char *const sources[] = {"rand",     "randn", "randint", "randperm",
                                          "zeros",    "ones",  "arange",  "eye",
                                          "linspace", "empty", "normal",  "uniform"};
    return look_is_any(look_tail(o->op), sources, sizeof sources / sizeof *sources);
}

static bool is_detached(const struct ck_origin *o)
{
    static const char *const names[] = {"detach", "data", "item", "numpy"};
    return look_is_any(look_tail(o->op), names, sizeof names / sizeof *names);
}

static bool go_back(struct ck *c, struct lw_value v, look_visit *visit, void *data,
                    bool gradients)
{
    static const char key;
    struct walk *w = ck_state(c, &key, sizeof *w);
    if (!w)
        return false;
    w->seen_count = w->waiting_count = 0;
    w->complete = true;
    await(c, w, v);
    while (w->waiting_count > 0) {
        struct lw_value now = w->waiting[--w->waiting_count];
        const struct ck_origin *o = ck_origin_of(c, now);
        if (!visit(data, now, o))
            return false;
        uint32_t follow = o ? o->in_count : 0;
        if (follow && (is_drawn(o) || look_is(o->op, "[]")))
            follow = is_drawn(o) ? 0 : 1; /* sizes and generators; where to look */
        if (follow && gradients && is_detached(o))
            follow = 0;
        for (uint32_t i = 0; i < follow; i++)
            await(c, w, o->in[i]);
    }
    return w->complete;
}

bool look_back(struct ck *c, struct lw_value v, look_visit *visit, void *data)
{
    return go_back(c, v, visit, data, false);
}

bool look_back_gradient(struct ck *c, struct lw_value v, look_visit *visit, void *data)
{
    return go_back(c, v, visit, data, true);
}

/* ---- gradients ----------------------------------------------------------------------------
 */

bool look_cuts_gradient(const struct ck_origin *o, const struct lw_tensor *t)
{
    static const char *const names[] = {"argmax", "argmin", "numpy",         "round", "floor",
                                        "ceil",   "sign",   "stop_gradient", "rint"};
    return look_is_any(look_tail(o->op), names, sizeof names / sizeof *names) ||
           lw_set_within(t->dtype, LW_INTS | LW_BOOL) == LW_TRI_YES;
}

enum { CUT_MAX = 256, CUT_DEPTH = 100 };

struct cut_walk {
    uint32_t on;
    struct {
        uint32_t id;
        bool behind, found;
    } seen[CUT_MAX];
    size_t n;
    const struct ck_origin *cut;
    bool lost; /* something is not known */
};

/* Is there a way from `v` to the tensor, with a gradient all along? */
static bool reaches(struct ck *c, struct cut_walk *w, struct lw_value v, bool behind,
                    unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    bool found = false;
    if (v.kind == LW_V_UNKNOWN)
        w->lost = true;
    if (v.kind != LW_V_TENSOR || !o)
        return false;
    if (v.tensor->id == w->on)
        return true;
    for (size_t i = 0; i < w->n; i++)
        if (w->seen[i].id == v.tensor->id && w->seen[i].behind == behind)
            return w->seen[i].found;
    if (depth > CUT_DEPTH || w->n == CUT_MAX) {
        w->lost = true;
        return false;
    }
    size_t mine = w->n++;
    w->seen[mine].id = v.tensor->id;
    w->seen[mine].behind = behind;
    w->seen[mine].found = false;
    bool cuts = !behind && look_cuts_gradient(o, v.tensor);
    for (uint32_t i = 0; i < o->in_count; i++)
        found |= reaches(c, w, o->in[i], behind || cuts, depth + 1);
    if (cuts && found)
        w->cut = o;
    w->seen[mine].found = found && !cuts;
    return w->seen[mine].found;
}

const struct ck_origin *look_gradient_cut(struct ck *c, struct lw_value v, struct lw_value on)
{
    struct cut_walk *w = lw_arena_alloc(c->arena, sizeof *w);
    if (!w || on.kind != LW_V_TENSOR || !on.tensor->id)
        return NULL;
    *w = (struct cut_walk){.on = on.tensor->id};
    return reaches(c, w, v, false, 0) || w->lost ? NULL : w->cut;
}
