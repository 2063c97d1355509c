/* Calls of a training loop, read off the tree. */
#include "base/err.h"
#include "check/query/protocol.h"

#include "base/str.h"
#include "check/query/look.h"
#include "check/query/places.h"
#include "check/query/roles.h"

static bool has_letters(struct lw_str name, const char *part)
{
    size_t n = lw_str(part).n;
    for (size_t i = 0; i + n <= name.n; i++) {
        size_t k = 0;
        while (k < n && (name.p[i + k] | 0x20) == part[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* optimizer, self.opt_d, optims['g'], solver: what has a step() that changes weights. */
bool protocol_is_optimizer(struct lw_str who)
{
    struct lw_str name = text_tail(who);
    return (has_letters(name, "opt") || has_letters(name, "solver")) &&
           !has_letters(name, "sched") && !has_letters(name, "option");
}

/* scaler.step(optimizer), accelerator.step(optimizer): the argument is meant. */
static struct lw_str stepper(const struct lw_tree *t, uint32_t call, struct lw_str owner)
{
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    struct lw_str given = arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, arg);
    if (has_letters(owner, "scaler") && protocol_is_optimizer(given))
        return given;
    bool plain =
        arg == LW_NO_NODE && lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE) == LW_NO_NODE;
    return plain && protocol_is_optimizer(owner) ? owner : (struct lw_str){0};
}

static bool read_call(const struct lw_tree *t, uint32_t call, struct protocol_call *out)
{
    uint32_t owner = syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    struct lw_str given = arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, arg);
    *out = (struct protocol_call){.node = call, .who = lw_tree_text(t, owner)};
    if (text_is(name, "zero_grad")) {
        out->word = PROTOCOL_ZERO;
    } else if (text_is(name, "backward") || text_is(name, "manual_backward")) {
        out->word = PROTOCOL_BACKWARD;
    } else if (text_is(name, "step")) {
        out->word = PROTOCOL_STEP;
        out->who = stepper(t, call, out->who);
    } else if (text_is(name, "eval") || (text_is(name, "train") && text_is(given, "False"))) {
        out->word = PROTOCOL_EVAL;
        return !given.n || text_is(given, "False");
    } else if (text_is(name, "train")) {
        out->word = PROTOCOL_TRAIN;
        return !given.n || text_is(given, "True");
    } else {
        return false;
    }
    return out->who.n > 0;
}

void protocol_read(const struct lw_tree *t, uint32_t top, struct protocol *out)
{
    LW_BUG_ON(!out);
    struct protocol_call call;
    out->n = 0;
    out->more = false;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !read_call(t, n, &call))
            continue;
        if (out->n == PROTOCOL_MOST) {
            out->more = true;
            return;
        }
        out->calls[out->n++] = call;
    }
}

size_t protocol_find(const struct protocol *p, enum protocol_word word, struct lw_str who,
                     size_t from)
{
    size_t i = from;
    while (i < p->n &&
           (p->calls[i].word != word || (who.n && !lw_str_eq(p->calls[i].who, who))))
        i++;
    return i;
}

static const char program_key;

const struct protocol_program *protocol_of(struct ck *c)
{
    struct protocol_program *r =
        ck_shows(c, "name *torch*") ? ck_state(c, &program_key, sizeof *r) : NULL;
    if (r && !r->file) {
        *r =
            (struct protocol_program){.c = c, .file = c->files.v[0], .t = &c->files.v[0]->tree};
        protocol_read(r->t, r->t->root, &r->all);
    }
    return r;
}

const struct protocol_program *protocol_of_steps(struct ck *c)
{
    struct lw_str text = c->files.v[0]->code;
    if (!text_says(text, "torch") ||
        (!text_says(text, "zero_grad") && !text_says(text, ".backward(")))
        return NULL;
    const struct protocol_program *r = protocol_of(c);
    return r && !r->all.more ? r : NULL;
}

uint32_t protocol_next_training(const struct protocol_program *r, uint32_t after,
                                struct protocol *out)
{
    const struct lw_tree *t = r->t;
    if (protocol_find(&r->all, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) == r->all.n)
        return LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, t->root, after, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false)) {
        if ((lw_tree_kind(t, n) != LW_NODE_FOR && lw_tree_kind(t, n) != LW_NODE_WHILE) ||
            syntax_loop_around(t, n) != LW_NO_NODE)
            continue;
        protocol_read(t, n, out);
        if (!out->more && protocol_find(out, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) < out->n)
            return n;
    }
    return LW_NO_NODE;
}

uint32_t protocol_condition(const struct lw_tree *t, uint32_t node, uint32_t loop)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE && n != loop;
         n = lw_tree_parent(t, n))
        if (lw_tree_kind(t, n) == LW_NODE_IF)
            return n;
    return LW_NO_NODE;
}

uint32_t protocol_pass(const struct lw_tree *t, uint32_t node)
{
    uint32_t loop = syntax_loop_around(t, node);
    return loop != LW_NO_NODE ? loop : lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
}

bool protocol_goes_back(const struct lw_tree *t, uint32_t from, uint32_t node)
{
    uint32_t pass = protocol_pass(t, node), top = pass == LW_NO_NODE ? t->root : pass;
    uint32_t back = syntax_next_call(t, top, from == LW_NO_NODE ? top : from, "backward");
    return back != LW_NO_NODE && lw_tree_start(t, back) < lw_tree_start(t, node);
}

bool protocol_is_same_block(const struct lw_tree *t, uint32_t a, uint32_t b)
{
    uint32_t x = lw_tree_statement(t, a), y = lw_tree_statement(t, b);
    return lw_tree_parent(t, x) == lw_tree_parent(t, y) &&
           lw_tree_node(t, x)->role == lw_tree_node(t, y)->role &&
           lw_tree_kind(t, x) == LW_NODE_EXPR && lw_tree_kind(t, y) == LW_NODE_EXPR;
}

size_t protocol_step_of(const struct protocol *p, size_t zero)
{
    struct lw_str who = p->calls[zero].who, name = text_tail(who);
    if (protocol_is_optimizer(who))
        return protocol_find(p, PROTOCOL_STEP, who, zero);
    size_t step = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, zero);
    if (step == p->n || (name.n > 2 && lw_str_find(p->calls[step].who, name) != LW_NPOS))
        return step;
    for (size_t i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1))
        if (!lw_str_eq(p->calls[i].who, p->calls[step].who))
            return p->n;
    return step;
}

bool protocol_are_steppers_cleared(const struct protocol *p)
{
    for (size_t i = protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, i + 1))
        if (protocol_find(p, PROTOCOL_STEP, p->calls[i].who, 0) == p->n)
            return false;
    return true;
}

bool protocol_clears_gradients(const struct ck *c)
{
    static const char *const ways[] = {"name *zero_grad*", "call grad.zero_",
                                       "attribute grad=None", "call data.zero_",
                                       "call grad.fill_"};
    return ck_shows_any(c, ways, sizeof ways / sizeof *ways);
}

/* The mode may be kept in a name, which says so: data to train with is no mode. */
static bool is_mode(const struct ck *c, const struct lw_tree *t, uint32_t argument)
{
    enum lw_node_kind kind = lw_tree_kind(t, argument);
    struct lw_str name = lw_tree_name(t, argument);
    if (kind == LW_NODE_KEYWORD)
        return text_is(name, "mode");
    return (kind == LW_NODE_CONSTANT && text_is(lw_tree_text(t, argument), "False")) ||
           ((kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE) &&
            (lw_str_has_suffix(name, LW_S("mode")) || lw_str_has_prefix(name, LW_S("is_")) ||
             role_is_named(c, name, ROLE_TRAINING)));
}

bool protocol_sets_mode(struct ck *c)
{
    for (size_t k = 0; k < c->files.n; k++) {
        struct ck_file *f = c->files.v[k];
        struct places_list calls = places_of(c, f, PLACES_CALL, LW_S("train"));
        for (size_t i = 0; i < calls.n; i++) {
            uint32_t first = lw_tree_get(&f->tree, calls.v[i], LW_ROLE_ARGS);
            if (first == LW_NO_NODE)
                first = lw_tree_get(&f->tree, calls.v[i], LW_ROLE_KEYWORDS);
            if (is_mode(c, &f->tree, first))
                return true;
        }
    }
    return false;
}

static bool says_no_grad(struct lw_str text)
{
    return lw_str_find(text, LW_S("no_grad")) != LW_NPOS ||
           lw_str_find(text, LW_S("inference_mode")) != LW_NPOS;
}

bool protocol_is_without_gradient(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        enum lw_role role = kind == LW_NODE_WITH ? LW_ROLE_ITEMS : LW_ROLE_DECORATORS;
        if (kind != LW_NODE_WITH && kind != LW_NODE_FUNCTION)
            continue;
        for (uint32_t i = lw_tree_each(t, n, role, LW_NO_NODE); i != LW_NO_NODE;
             i = lw_tree_each(t, n, role, i))
            if (says_no_grad(lw_tree_text(t, i)))
                return true;
        if (kind == LW_NODE_FUNCTION)
            break;
    }
    return false;
}

/* The only function of that name in the class, or in the module outside of classes. */
static uint32_t only_function(struct ck *c, struct ck_file *f, uint32_t in, struct lw_str name)
{
    struct places_list all = places_of(c, f, PLACES_FUNCTION, name);
    uint32_t found = LW_NO_NODE;
    for (size_t i = 0; i < all.n; i++) {
        if (lw_tree_enclosing(&f->tree, all.v[i], LW_NODE_CLASS) != in)
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = all.v[i];
    }
    return found;
}

struct protocol_function protocol_callee(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    struct protocol_function out = {.file = file, .node = LW_NO_NODE};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f == LW_NO_NODE)
        return out;
    if (lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE) {
        uint32_t in = lw_tree_enclosing(t, call, LW_NODE_CLASS);
        if (in != LW_NO_NODE &&
            text_is(lw_tree_text(t, lw_tree_get(t, f, LW_ROLE_VALUE)), "self"))
            out.node = only_function(c, file, in, lw_tree_name(t, f));
        return out;
    }
    if (lw_tree_kind(t, f) != LW_NODE_NAME)
        return out;
    out.node = only_function(c, file, LW_NO_NODE, lw_tree_name(t, f));
    for (size_t i = 0; out.node == LW_NO_NODE && i < c->files.n; i++)
        if (c->files.v[i] != file) {
            out.file = c->files.v[i];
            out.node = only_function(c, out.file, LW_NO_NODE, lw_tree_name(t, f));
        }
    return out;
}
