/* Expressions. */
#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/traits.h"

static struct lw_tree *tree_of(struct ck *c)
{
    return &c->frame->file->tree;
}

/* ---- literals -----------------------------------------------------------------------------
 */

/* Digits of another base after "0x", "0o", "0b", or the "0" of Python 2. */
static bool parse_based(struct lw_str s, int64_t *out)
{
    int base = 0;
    if (s.n > 2 && s.p[0] == '0')
        base = (s.p[1] | 32) == 'x'   ? 16
               : (s.p[1] | 32) == 'o' ? 8
               : (s.p[1] | 32) == 'b' ? 2
                                      : 0;
    if (!base)
        return false;
    int64_t n = 0;
    for (size_t i = 2; i < s.n; i++) {
        int ch = s.p[i] | 32;
        int digit = ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : s.p[i] - '0';
        if (digit < 0 || digit >= base || !lw_mul_i64(n, base, &n) || !lw_add_i64(n, digit, &n))
            return false;
    }
    *out = n;
    return true;
}

static struct lw_value eval_number(struct ck *c, uint32_t node)
{
    struct lw_str text = lw_tree_text(tree_of(c), node);
    char digits[64];
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < sizeof digits; i++)
        if (text.p[i] != '_')
            digits[n++] = text.p[i];
    while (n > 1 && (digits[n - 1] == 'L' || digits[n - 1] == 'l'))
        n--;
    struct lw_str s = lw_str_n(digits, n);
    int64_t whole;
    double x;
    struct lw_value v = lw_v_unknown();
    if (lw_parse_i64(s, &whole) || parse_based(s, &whole))
        v = ck_int(c, whole);
    else if (lw_parse_double(s, &x))
        v = lw_v_float(x);
    else if (n > 1 && digits[n - 1] == '.' && lw_parse_double(lw_str_n(digits, n - 1), &x))
        v = lw_v_float(x);
    v.line = ck_place(c, node);
    return v;
}

/* The characters of one string token, its escapes left as they are but the common ones. */
static void add_string(struct lw_buf *out, struct lw_str token)
{
    size_t at = 0;
    bool raw = false;
    while (at < token.n && token.p[at] != '"' && token.p[at] != '\'')
        raw |= (token.p[at++] | 32) == 'r';
    struct lw_str s = lw_str_from(token, at);
    size_t quote = s.n >= 6 && s.p[0] == s.p[1] && s.p[1] == s.p[2] ? 3 : 1;
    if (s.n < 2 * quote)
        return;
    s = lw_str_part(s, quote, s.n - 2 * quote);
    for (size_t i = 0; i < s.n; i++) {
        ptrdiff_t plain = raw ? LW_NPOS : lw_str_find_char(lw_str_from(s, i), '\\');
        size_t run = plain < 0 || i + (size_t)plain + 1 >= s.n ? s.n - i : (size_t)plain;
        lw_buf_add(out, lw_str_part(s, i, run));
        i += run;
        if (i >= s.n)
            break;
        char next = s.p[++i];
        if (next == 'n')
            lw_buf_add_char(out, '\n');
        else if (next == 't')
            lw_buf_add_char(out, '\t');
        else if (next == '\\' || next == '\'' || next == '"')
            lw_buf_add_char(out, next);
        else if (next != '\n') {
            lw_buf_add_char(out, '\\');
            lw_buf_add_char(out, next);
        }
    }
}

static struct lw_value eval_string(struct ck *c, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(tree_of(c), node);
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 0);
    for (uint32_t t = n->first; t <= n->last; t++)
        if (tree_of(c)->lexed.tokens.v[t].kind == LW_TOK_STRING)
            add_string(&b, lw_tree_token_text(tree_of(c), t));
    struct lw_str text = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    struct lw_value v = lw_v_str(text);
    v.line = ck_place(c, node);
    return v;
}

static struct lw_value eval_constant(struct ck *c, uint32_t node)
{
    struct lw_str text = lw_tree_text(tree_of(c), node);
    struct lw_value v = lw_v_none();
    if (lw_str_eq(text, LW_S("True")))
        v = lw_v_tri(LW_TRI_YES);
    else if (lw_str_eq(text, LW_S("False")))
        v = lw_v_tri(LW_TRI_NO);
    else if (lw_str_eq(text, LW_S("...")))
        v.kind = LW_V_ELLIPSIS;
    v.line = ck_place(c, node);
    return v;
}

/* Adds a value as str() writes it; false when that is not known. */
static bool add_text(struct ck *c, struct lw_buf *b, struct lw_value v)
{
    int64_t n;
    if (v.kind == LW_V_STR && v.str.p)
        lw_buf_add(b, v.str);
    else if (v.kind == LW_V_INT && ck_int_of(c, v, &n))
        lw_buf_addf(b, "%lld", (long long)n);
    else
        return false;
    return true;
}

/* f"{name}/b": the text where all its parts are known. */
static struct lw_value eval_parts(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    bool known = true;
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 0);
    for (uint32_t n = lw_tree_next(t, node, node, false); n != LW_NO_NODE;
         n = lw_tree_next(t, node, n, lw_tree_kind(t, n) == LW_NODE_FORMATTED)) {
        if (lw_tree_kind(t, n) == LW_NODE_FORMATTED) {
            uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
            struct lw_value v = value == LW_NO_NODE ? lw_v_unknown() : ck_eval(c, value);
            known &= lw_tree_node(t, n)->op == 0 && add_text(c, &b, v) &&
                     lw_tree_get(t, n, LW_ROLE_FORMAT_SPEC) == LW_NO_NODE;
        } else if (lw_tree_kind(t, n) == LW_NODE_STRING_PART) {
            struct lw_str text = lw_tree_text(t, n);
            known &= lw_str_find_char(text, '\\') < 0 && lw_str_find_char(text, '{') < 0;
            lw_buf_add(&b, text);
        } else
            known = false;
    }
    struct lw_str text = known ? lw_arena_copy(c->arena, lw_buf_str(&b)) : (struct lw_str){0};
    lw_buf_release(&b);
    return lw_v_str(text);
}

/* ---- names --------------------------------------------------------------------------------
 */

/* The scope a name node means, or LW_NO_NODE when it is nobody's. */
static uint32_t scope_of_name(const struct lw_names *n, uint32_t node)
{
    uint32_t symbol = n->symbol_of.v[node];
    if (symbol == LW_NO_SYMBOL)
        return LW_NO_NODE;
    const struct lw_symbol *s = &n->symbols.v[symbol];
    if (s->scope != 0 && (s->flags & (LW_SYMBOL_GLOBAL | LW_SYMBOL_NONLOCAL))) {
        uint32_t real = lw_names_lookup(n, n->scope_of.v[node], s->name);
        return real == LW_NO_SYMBOL ? 0 : n->symbols.v[real].scope;
    }
    return s->scope;
}

static uint32_t id_of(struct ck *c, struct ck_file *f, uint32_t node)
{
    if (!f->ids)
        return heap_intern(&c->heap, lw_tree_name(&f->tree, node));
    if (!f->ids[node])
        f->ids[node] = heap_intern(&c->heap, lw_tree_name(&f->tree, node));
    return f->ids[node];
}

static struct ck_slot *put_slot(struct ck *c, uint32_t node, uint32_t id)
{
    struct ck_file *f = c->frame->file;
    uint32_t scope = scope_of_name(&f->names, node);
    struct ck_env *env = c->frame->env;
    while (env && (env->scope != scope || env->file != f))
        env = env->parent;
    if (!env)
        env = f->env;
    return env ? fields_put(&c->heap, &env->vars, id) : NULL;
}

struct ck_slot *ck_slot_of(struct ck *c, uint32_t node)
{
    return put_slot(c, node, id_of(c, c->frame->file, node));
}

struct ck_slot *ck_slot_called(struct ck *c, uint32_t node, struct lw_str name)
{
    return put_slot(c, node, heap_intern(&c->heap, name));
}

struct ck_slot *ck_bound_slot(struct ck *c, uint32_t node)
{
    struct ck_file *f = c->frame->file;
    uint32_t scope = scope_of_name(&f->names, node);
    struct ck_env *env = c->frame->env;
    while (env && (env->scope != scope || env->file != f))
        env = env->parent;
    return env ? fields_find(&env->vars, id_of(c, f, node)) : NULL;
}

struct lw_value ck_lookup(struct ck *c, uint32_t node)
{
    struct ck_file *f = c->frame->file;
    uint32_t scope = scope_of_name(&f->names, node);
    if (scope != LW_NO_NODE) {
        struct ck_env *env = c->frame->env;
        while (env && (env->scope != scope || env->file != f))
            env = env->parent;
        struct ck_slot *s = env ? fields_find(&env->vars, id_of(c, f, node)) : NULL;
        if (s && s->value.kind == CK_LAZY) {
            struct lw_value lazy = s->value;
            s->value = lw_v_unknown(); /* modules that import each other */
            s->value = ck_force(c, lazy);
        }
        return s && s->value.kind != LW_V_ABSENT ? s->value : lw_v_unknown();
    }
    /* A star import binds names that the front end does not see. */
    const struct ck_slot *s = fields_find(&f->env->vars, id_of(c, f, node));
    if (s && s->value.kind != LW_V_ABSENT)
        return ck_force(c, s->value);
    struct lw_str name = lw_tree_name(&f->tree, node);
    struct lw_value v = ck_builtin(c, name);
    for (size_t i = 0; v.kind == LW_V_ABSENT && i < f->stars.n; i++) {
        struct lw_str dotted = ck_text(c, "%.*s.%.*s", LW_F(f->stars.v[i]), LW_F(name));
        if (lw_api_find(c->apis, dotted, NULL))
            v = ck_new_name(c, dotted);
    }
    if (v.kind == LW_V_ABSENT && f->index == 0)
        v = ck_assumed(c, name);
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

/* ---- displays -----------------------------------------------------------------------------
 */

/* Items of a list, tuple or set display, or positional arguments: `*x` expanded. */
static struct lw_seq eval_items(struct ck *c, uint32_t node, enum lw_role role)
{
    const struct lw_tree *t = tree_of(c);
    LW_VEC(struct lw_value) items = {0};
    bool open = false;
    for (uint32_t n = lw_tree_each(t, node, role, LW_NO_NODE); n != LW_NO_NODE && !c->stopped;
         n = lw_tree_each(t, node, role, n)) {
        struct lw_seq seq;
        if (lw_tree_kind(t, n) != LW_NODE_STARRED) {
            if (lw_vec_push(c->mem, &items, ck_eval(c, n)) < 0)
                c->stopped = true;
            continue;
        }
        struct lw_value v = ck_eval(c, lw_tree_get(t, n, LW_ROLE_VALUE));
        seq = ck_iterate(c, v, n);
        open |= seq.open;
        for (uint32_t i = 0; i < seq.n; i++)
            if (lw_vec_push(c->mem, &items, seq.items[i]) < 0)
                c->stopped = true;
    }
    struct lw_value v = ck_make_seq(c, LW_V_LIST, items.v, items.n, open);
    lw_vec_release(c->mem, &items);
    return v.kind == LW_V_LIST ? v.seq : (struct lw_seq){.open = true};
}

struct pairs {
    LW_VEC(struct lw_value) keys;
    LW_VEC(struct lw_value) values;
    bool open;
};

static void add_pair(struct ck *c, struct pairs *p, struct lw_value key, struct lw_value value)
{
    if (key.kind == LW_V_UNKNOWN || (key.kind == LW_V_STR && !key.str.p))
        p->open = true;
    if (lw_vec_push(c->mem, &p->keys, key) < 0 || lw_vec_push(c->mem, &p->values, value) < 0)
        c->stopped = true;
}

static struct lw_value close_pairs(struct ck *c, struct pairs *p, uint32_t node)
{
    struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
    size_t n = p->keys.n < p->values.n ? p->keys.n : p->values.n;
    struct lw_value k = ck_make_seq(c, LW_V_LIST, p->keys.v, n, false);
    struct lw_value v = ck_make_seq(c, LW_V_LIST, p->values.v, n, false);
    lw_vec_release(c->mem, &p->keys);
    lw_vec_release(c->mem, &p->values);
    if (!d || k.kind != LW_V_LIST || v.kind != LW_V_LIST)
        return lw_v_unknown();
    *d = (struct lw_dict){k.seq.items, v.seq.items, (uint32_t)n, p->open};
    return ck_new_dict(c, d, node);
}

static struct lw_value eval_dict(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct pairs p = {0};
    const struct lw_node *n = lw_tree_node(t, node);
    struct lw_value key = lw_v_unknown();
    for (uint32_t i = n->child; i < n->child + n->count && !c->stopped; i++) {
        enum lw_role role = (enum lw_role)lw_tree_node(t, i)->role;
        struct lw_value v = ck_eval(c, i);
        const struct lw_dict *d;
        if (role == LW_ROLE_KEYS)
            key = v;
        else if (role == LW_ROLE_VALUES)
            add_pair(c, &p, key, v);
        else if (role == LW_ROLE_UNPACK && ck_pairs(v, &d)) {
            p.open |= d->open;
            for (uint32_t k = 0; k < d->n; k++)
                add_pair(c, &p, d->keys[k], d->values[k]);
        } else
            p.open = true;
    }
    return close_pairs(c, &p, node);
}

/* ---- comprehensions -----------------------------------------------------------------------
 */

struct comp {
    uint32_t node;
    LW_VEC(struct lw_value) items;
    struct pairs pairs;
    bool open;
    bool is_dict;
};

static void comp_element(struct ck *c, struct comp *k)
{
    const struct lw_tree *t = tree_of(c);
    if (k->is_dict) {
        struct lw_value key = ck_eval(c, lw_tree_get(t, k->node, LW_ROLE_KEYS));
        add_pair(c, &k->pairs, key, ck_eval(c, lw_tree_get(t, k->node, LW_ROLE_VALUES)));
        return;
    }
    struct lw_value v = ck_eval(c, lw_tree_get(t, k->node, LW_ROLE_ELT));
    if (lw_vec_push(c->mem, &k->items, v) < 0)
        c->stopped = true;
}

/* NO: left out; MAYBE: perhaps there. */
static lw_tri comp_conditions(struct ck *c, uint32_t generator)
{
    const struct lw_tree *t = tree_of(c);
    lw_tri all = LW_TRI_YES;
    for (uint32_t n = lw_tree_each(t, generator, LW_ROLE_IFS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, generator, LW_ROLE_IFS, n))
        all = lw_tri_and(all, ck_truth(c, ck_eval(c, n)));
    return all;
}

static void comp_generator(struct ck *c, struct comp *k, uint32_t generator, struct lw_seq seq)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t next = lw_tree_each(t, k->node, LW_ROLE_GENERATORS, generator);
    uint32_t target = lw_tree_get(t, generator, LW_ROLE_TARGET);
    bool each = !seq.open && seq.n <= CK_MAX_UNROLL * 4;
    struct lw_value any = each ? lw_v_unknown() : ck_join_items(c, seq);
    uint32_t passes = each ? seq.n : 1;
    k->open |= !each;
    for (uint32_t i = 0; i < passes && ck_step(c); i++) {
        ck_assign(c, target, each ? seq.items[i] : any, generator);
        lw_tri use = comp_conditions(c, generator);
        if (use == LW_TRI_NO)
            continue;
        k->open |= use == LW_TRI_MAYBE;
        if (next == LW_NO_NODE) {
            comp_element(c, k);
            continue;
        }
        struct lw_value inner = ck_eval(c, lw_tree_get(t, next, LW_ROLE_ITER));
        comp_generator(c, k, next, ck_iterate(c, inner, next));
    }
}

static struct lw_value eval_comprehension(struct ck *c, uint32_t node)
{
    struct lw_tree *t = tree_of(c);
    enum lw_node_kind kind = lw_tree_kind(t, node);
    uint32_t first = lw_tree_get(t, node, LW_ROLE_GENERATORS);
    if (first == LW_NO_NODE)
        return lw_v_unknown();
    struct comp k = {.node = node, .is_dict = kind == LW_NODE_DICT_COMP};
    struct lw_value over = ck_eval(c, lw_tree_get(t, first, LW_ROLE_ITER));
    struct lw_seq seq = ck_iterate(c, over, first);
    struct ck_env *env = lw_arena_alloc(c->arena, sizeof *env);
    if (!env)
        return lw_v_unknown();
    uint32_t target = lw_tree_get(t, first, LW_ROLE_TARGET);
    *env = (struct ck_env){.parent = c->frame->env,
                           .file = c->frame->file,
                           .scope = c->frame->file->names.scope_of.v[target]};
    c->frame->env = env;
    comp_generator(c, &k, first, seq);
    c->frame->env = env->parent;
    k.pairs.open |= k.open;
    if (k.is_dict)
        return close_pairs(c, &k.pairs, node);
    struct lw_value v = ck_make_seq(c, LW_V_LIST, k.items.v, k.items.n, k.open);
    lw_vec_release(c->mem, &k.items);
    if (v.kind != LW_V_LIST)
        return v;
    if (k.open && seq.open && lw_tree_count(t, node, LW_ROLE_GENERATORS) == 1 &&
        lw_tree_count(t, first, LW_ROLE_IFS) == 0)
        v.seq.length = seq.length; /* an item for each that was gone over */
    struct lw_value made =
        ck_new_list(c, kind == LW_NODE_SET_COMP ? CK_SET : CK_LIST, v.seq, node);
    struct ck_object *once = kind == LW_NODE_GENERATOR ? ck_as(made, CK_LIST) : NULL;
    if (once)
        ck_set_trait(c, once, TRAIT_ONCE, lw_v_tri(LW_TRI_YES));
    return made;
}

/* ---- operators ----------------------------------------------------------------------------
 */

static struct lw_value eval_bool_op(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    lw_tri stops = lw_tree_node(t, node)->op == LW_OP_OR ? LW_TRI_YES : LW_TRI_NO;
    struct lw_value result = lw_v_absent();
    struct ck_doubts doubts = {0};
    unsigned open = 0; /* operands that may have ended it */
    for (uint32_t n = lw_tree_each(t, node, LW_ROLE_VALUES, LW_NO_NODE); n != LW_NO_NODE;) {
        uint32_t next = lw_tree_each(t, node, LW_ROLE_VALUES, n);
        struct lw_value v = ck_eval(c, n);
        lw_tri truth = ck_truth(c, v);
        if (truth == stops || next == LW_NO_NODE) {
            /* Whichever operand it is, its truth is the same: that of the last one. */
            bool plain = result.kind == LW_V_ABSENT || (truth == stops && v.kind == LW_V_BOOL);
            result = plain ? v : ck_join(c, result, v);
            break;
        }
        if (truth == LW_TRI_MAYBE) {
            result = result.kind == LW_V_ABSENT ? v : ck_join(c, result, v);
            ck_doubt(c, &doubts, n);
            open++;
            c->frame->uncertain++;
        }
        n = next;
    }
    c->frame->uncertain -= open;
    ck_doubt_end(c, &doubts);
    return result.kind == LW_V_ABSENT ? lw_v_unknown() : result;
}

static struct lw_value eval_if_exp(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    lw_tri test = ck_test(c, lw_tree_get(t, node, LW_ROLE_TEST));
    if (test == LW_TRI_YES)
        return ck_eval(c, lw_tree_get(t, node, LW_ROLE_BODY));
    if (test == LW_TRI_NO)
        return ck_eval(c, lw_tree_get(t, node, LW_ROLE_ORELSE));
    struct ck_fork fork = {0};
    ways_fork(c, &fork, lw_tree_get(t, node, LW_ROLE_TEST));
    struct ck_doubts doubts = {0};
    c->frame->uncertain++;
    ck_doubt(c, &doubts, lw_tree_get(t, node, LW_ROLE_TEST));
    struct lw_value a = ck_eval(c, lw_tree_get(t, node, LW_ROLE_BODY));
    struct lw_value b = ck_eval(c, lw_tree_get(t, node, LW_ROLE_ORELSE));
    ck_doubt_end(c, &doubts);
    c->frame->uncertain--;
    return ways_join_values(c, &fork, a, b, node);
}

static bool is_array(struct lw_value v)
{
    return v.kind == LW_V_TENSOR;
}

static struct lw_value eval_compare(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    const struct lw_node *n = lw_tree_node(t, node);
    struct lw_value left = ck_eval(c, n->child), result = lw_v_tri(LW_TRI_YES);
    enum lw_op op = LW_OP_NONE;
    for (uint32_t i = n->child + 1; i < n->child + n->count; i++) {
        if (lw_tree_kind(t, i) == LW_NODE_CMPOP) {
            op = (enum lw_op)lw_tree_node(t, i)->op;
            continue;
        }
        struct lw_value right = ck_eval(c, i);
        bool identity =
            op == LW_OP_IS || op == LW_OP_IS_NOT || op == LW_OP_IN || op == LW_OP_NOT_IN;
        if (!identity && (is_array(left) || is_array(right)))
            result = ck_binary(c, op, left, right, node);
        else if (!identity && (left.kind == LW_V_UNKNOWN || right.kind == LW_V_UNKNOWN))
            result = lw_v_unknown(); /* perhaps arrays */
        else if (result.kind == LW_V_BOOL)
            result = lw_v_tri(lw_tri_and(result.tri, ck_compare(c, op, left, right)));
        left = right;
    }
    result.line = ck_place(c, node);
    return result;
}

static struct lw_value eval_slice(struct ck *c, uint32_t node)
{
    static const enum lw_role roles[] = {LW_ROLE_LOWER, LW_ROLE_UPPER, LW_ROLE_STEP};
    struct lw_value parts[3];
    for (size_t i = 0; i < 3; i++) {
        uint32_t n = lw_tree_get(tree_of(c), node, roles[i]);
        parts[i] = n == LW_NO_NODE ? lw_v_none() : ck_eval(c, n);
    }
    return ck_make_seq(c, LW_V_SLICE, parts, 3, false);
}

/* ---- calls --------------------------------------------------------------------------------
 */

struct arguments {
    LW_VEC(struct lw_arg) v;
};

static void add_arg(struct ck *c, struct arguments *a, struct lw_arg arg)
{
    if (lw_vec_push(c->mem, &a->v, arg) < 0)
        c->stopped = true;
}

static void add_starred(struct ck *c, struct arguments *a, uint32_t node)
{
    struct lw_value v = ck_eval(c, lw_tree_get(tree_of(c), node, LW_ROLE_VALUE));
    struct lw_seq seq;
    if (!ck_sequence(c, v, &seq)) {
        add_arg(c, a, (struct lw_arg){.value = lw_v_unknown(), .node = node, .star = true});
        return;
    }
    for (uint32_t i = 0; i < seq.n && !seq.open; i++)
        add_arg(c, a, (struct lw_arg){.value = seq.items[i], .node = node});
    if (seq.open)
        add_arg(c, a, (struct lw_arg){.value = v, .node = node, .star = true});
}

static void add_keyword(struct ck *c, struct arguments *a, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_str name = lw_tree_name(t, node);
    struct lw_value v = ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE));
    if (name.n) {
        add_arg(c, a, (struct lw_arg){.name = name, .value = v, .node = node});
        return;
    }
    const struct lw_dict *d;
    bool open = true;
    if (ck_pairs(v, &d)) {
        open = d->open;
        for (uint32_t i = 0; i < d->n; i++)
            if (d->keys[i].kind == LW_V_STR && d->keys[i].str.p)
                add_arg(c, a,
                        (struct lw_arg){
                            .name = d->keys[i].str, .value = d->values[i], .node = node});
    }
    if (open)
        add_arg(c, a,
                (struct lw_arg){.name = LW_S("**"), .value = v, .node = node, .star = true});
}

static struct lw_value eval_call(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_value f = ck_eval(c, lw_tree_get(t, node, LW_ROLE_FUNC));
    struct arguments a = {0};
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t i = n->child; i < n->child + n->count && !c->stopped; i++) {
        enum lw_role role = (enum lw_role)lw_tree_node(t, i)->role;
        if (role == LW_ROLE_KEYWORDS)
            add_keyword(c, &a, i);
        else if (role == LW_ROLE_ARGS && lw_tree_kind(t, i) == LW_NODE_STARRED)
            add_starred(c, &a, i);
        else if (role == LW_ROLE_ARGS)
            add_arg(c, &a, (struct lw_arg){.value = ck_eval(c, i), .node = i});
    }
    struct lw_value v = c->stopped ? lw_v_unknown() : ck_call(c, f, a.v.v, a.v.n, node);
    lw_vec_release(c->mem, &a.v);
    return v;
}

static struct lw_value eval_lambda(struct ck *c, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_FUNCTION, node);
    if (!o)
        return lw_v_unknown();
    o->env = ck_capture(c->frame->env);
    o->name = LW_S("lambda");
    o->of = c->frame->in_class;
    o->called = true;
    ck_function_defaults(c, o);
    return ck_value(o);
}

static struct lw_value eval_yield(struct ck *c, uint32_t node)
{
    uint32_t n = lw_tree_get(tree_of(c), node, LW_ROLE_VALUE);
    struct lw_value v = n == LW_NO_NODE ? lw_v_none() : ck_eval(c, n);
    if (lw_tree_kind(tree_of(c), node) == LW_NODE_YIELD_FROM)
        v = ck_join_items(c, ck_iterate(c, v, node));
    c->frame->yielded = ways_join_results(c, c->frame->yielded, v);
    return lw_v_unknown();
}

static struct lw_value eval_sequence(struct ck *c, uint32_t node)
{
    struct lw_seq seq = eval_items(c, node, LW_ROLE_ELTS);
    struct lw_value v = {.line = ck_place(c, node), .seq = seq};
    switch (lw_tree_kind(tree_of(c), node)) {
    case LW_NODE_TUPLE: v.kind = LW_V_TUPLE; return v;
    case LW_NODE_SET: return ck_new_list(c, CK_SET, seq, node);
    default: return ck_new_list(c, CK_LIST, seq, node);
    }
}

static struct lw_value eval_attribute(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t owner = lw_tree_get(t, node, LW_ROLE_VALUE);
    struct lw_value v = ck_eval(c, owner);
    /* What has a shape is an array: from here on the name stands for one. */
    uint32_t up = lw_tree_parent(t, node);
    bool called = up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_CALL &&
                  lw_tree_node(t, node)->role == LW_ROLE_FUNC;
    if (!called && v.kind == LW_V_UNKNOWN && lw_tree_kind(t, owner) == LW_NODE_NAME &&
        lw_str_eq(lw_tree_name(t, node), LW_S("shape"))) {
        v = ck_any_tensor(c, LW_FRAMEWORK_UNKNOWN & ~(uint32_t)LW_PYTHON, node);
        heap_set(&c->heap, ck_slot_of(c, owner), v);
    }
    return ck_get_attr(c, v, lw_tree_name(t, node), node);
}

static struct lw_value eval_binary(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_value a = ck_eval(c, lw_tree_get(t, node, LW_ROLE_LEFT));
    struct lw_value b = ck_eval(c, lw_tree_get(t, node, LW_ROLE_RIGHT));
    return ck_binary(c, (enum lw_op)lw_tree_node(t, node)->op, a, b, node);
}

static struct lw_value eval_by_kind(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_NUMBER: return eval_number(c, node);
    case LW_NODE_STRING: return eval_string(c, node);
    case LW_NODE_CONSTANT: return eval_constant(c, node);
    case LW_NODE_JOINED_STR: return eval_parts(c, node);
    case LW_NODE_NAME: return ck_lookup(c, node);
    case LW_NODE_ATTRIBUTE: return eval_attribute(c, node);
    case LW_NODE_CALL: return eval_call(c, node);
    case LW_NODE_SUBSCRIPT: {
        struct lw_value v = ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE));
        return ck_subscript(c, v, ck_eval(c, lw_tree_get(t, node, LW_ROLE_SLICE)), node);
    }
    case LW_NODE_SLICE: return eval_slice(c, node);
    case LW_NODE_LIST:
    case LW_NODE_TUPLE:
    case LW_NODE_SET: return eval_sequence(c, node);
    case LW_NODE_DICT: return eval_dict(c, node);
    case LW_NODE_LIST_COMP:
    case LW_NODE_SET_COMP:
    case LW_NODE_DICT_COMP:
    case LW_NODE_GENERATOR: return eval_comprehension(c, node);
    case LW_NODE_BIN_OP: return eval_binary(c, node);
    case LW_NODE_UNARY_OP:
        return ck_unary(c, (enum lw_op)lw_tree_node(t, node)->op,
                        ck_eval(c, lw_tree_get(t, node, LW_ROLE_OPERAND)), node);
    case LW_NODE_BOOL_OP: return eval_bool_op(c, node);
    case LW_NODE_COMPARE: return eval_compare(c, node);
    case LW_NODE_IF_EXP: return eval_if_exp(c, node);
    case LW_NODE_LAMBDA: return eval_lambda(c, node);
    case LW_NODE_NAMED: {
        struct lw_value v = ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE));
        ck_assign(c, lw_tree_get(t, node, LW_ROLE_TARGET), v, node);
        return v;
    }
    case LW_NODE_YIELD:
    case LW_NODE_YIELD_FROM: return eval_yield(c, node);
    case LW_NODE_AWAIT:
    case LW_NODE_STARRED:
        ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE));
        return lw_v_unknown();
    default: return lw_v_unknown();
    }
}

struct lw_value ck_eval(struct ck *c, uint32_t node)
{
    if (node == LW_NO_NODE || !ck_step(c) || c->depth >= CK_MAX_DEPTH)
        return lw_v_unknown();
    c->depth++;
    struct lw_value v = eval_by_kind(c, node);
    c->depth--;
    return c->stopped ? lw_v_unknown() : v;
}

lw_tri ck_test(struct ck *c, uint32_t node)
{
    struct lw_value v = ck_eval(c, node);
    if (v.kind == LW_V_TENSOR)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_TRUTH, .node = node, .a = v});
    return ck_truth(c, v);
}
