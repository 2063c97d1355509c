/* Calls of a training loop, read off the tree. */
#include "check/protocol.h"

#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

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
    struct lw_str name = look_tail(who);
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
    uint32_t owner = look_owner(t, call);
    if (owner == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    uint32_t arg = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    struct lw_str given = arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, arg);
    *out = (struct protocol_call){.node = call, .who = lw_tree_text(t, owner)};
    if (look_is(name, "zero_grad")) {
        out->word = PROTOCOL_ZERO;
    } else if (look_is(name, "backward") || look_is(name, "manual_backward")) {
        out->word = PROTOCOL_BACKWARD;
    } else if (look_is(name, "step")) {
        out->word = PROTOCOL_STEP;
        out->who = stepper(t, call, out->who);
    } else if (look_is(name, "eval") || (look_is(name, "train") && look_is(given, "False"))) {
        out->word = PROTOCOL_EVAL;
        return !given.n || look_is(given, "False");
    } else if (look_is(name, "train")) {
        out->word = PROTOCOL_TRAIN;
        return !given.n || look_is(given, "True");
    } else {
        return false;
    }
    return out->who.n > 0;
}

void protocol_read(const struct lw_tree *t, uint32_t top, struct protocol *out)
{
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

bool protocol_clears_gradients(const struct ck *c)
{
    static const char *const ways[] = {"zero_grad",     ".grad.zero_",     ".grad = None",
                                       ".grad=None",    "grad.data.zero_", "grad.fill_(0",
                                       "zero_gradients"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ck_mentions(c, ways[i]))
            return true;
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

/* Can there be a function inside? Expressions and plain statements are most of a file. */
static bool has_blocks(enum lw_node_kind kind)
{
    return kind == LW_NODE_MODULE || kind == LW_NODE_FUNCTION || kind == LW_NODE_CLASS ||
           kind == LW_NODE_IF || kind == LW_NODE_FOR || kind == LW_NODE_WHILE ||
           kind == LW_NODE_WITH || kind == LW_NODE_TRY || kind == LW_NODE_HANDLER ||
           kind == LW_NODE_MATCH || kind == LW_NODE_CASE;
}

/* The only function of that name in the class, or in the module outside of classes. */
static uint32_t only_function(const struct lw_tree *t, uint32_t in, struct lw_str name)
{
    uint32_t found = LW_NO_NODE, top = in == LW_NO_NODE ? t->root : in;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, !has_blocks(lw_tree_kind(t, n)))) {
        if (lw_tree_kind(t, n) != LW_NODE_FUNCTION || !lw_str_eq(lw_tree_name(t, n), name) ||
            lw_tree_enclosing(t, n, LW_NODE_CLASS) != in)
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = n;
    }
    return found;
}

struct protocol_function protocol_callee(const struct ck *c, struct ck_file *file,
                                         uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    struct protocol_function out = {.file = file, .node = LW_NO_NODE};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f == LW_NO_NODE)
        return out;
    if (lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE) {
        uint32_t in = lw_tree_enclosing(t, call, LW_NODE_CLASS);
        if (in != LW_NO_NODE &&
            look_is(lw_tree_text(t, lw_tree_get(t, f, LW_ROLE_VALUE)), "self"))
            out.node = only_function(t, in, lw_tree_name(t, f));
        return out;
    }
    if (lw_tree_kind(t, f) != LW_NODE_NAME)
        return out;
    out.node = only_function(t, LW_NO_NODE, lw_tree_name(t, f));
    for (size_t i = 0; out.node == LW_NO_NODE && i < c->files.n; i++)
        if (c->files.v[i] != file) {
            out.file = c->files.v[i];
            out.node = only_function(&out.file->tree, LW_NO_NODE, lw_tree_name(t, f));
        }
    return out;
}
