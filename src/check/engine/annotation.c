/* Annotations that say something about tensors: Annotated[Tensor, Shape("B", 3)], "B 3" as a
 * text of sizes, Float[Tensor, "b c"], and the plain types. */
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/syntax.h"

static struct lw_tree *tree_of(struct ck *c)
{
    return &c->frame->file->tree;
}

/* A name that stands for an annotation: what it was assigned. */
static uint32_t follow_alias(struct ck *c, uint32_t node)
{
    const struct lw_names *n = &c->frame->file->names;
    const struct lw_tree *t = tree_of(c);
    for (unsigned i = 0; i < 8 && lw_tree_kind(t, node) == LW_NODE_NAME; i++) {
        uint32_t symbol = n->symbol_of.v[node];
        if (symbol == LW_NO_SYMBOL || n->symbols.v[symbol].first_binding == UINT32_MAX)
            return node;
        const struct lw_binding *b = &n->bindings.v[n->symbols.v[symbol].first_binding];
        uint32_t statement = lw_tree_parent(t, b->node);
        if (statement == LW_NO_NODE ||
            (b->kind != LW_BIND_ASSIGN && b->kind != LW_BIND_ANNOTATE))
            return node;
        uint32_t value = lw_tree_get(t, statement, LW_ROLE_VALUE);
        if (value == LW_NO_NODE)
            return node;
        node = value;
    }
    return node;
}

static lw_dim named_size(struct ck *c, struct ck_symbols *symbols, struct lw_str name)
{
    for (size_t i = 0; symbols && i < symbols->n; i++)
        if (lw_str_eq(symbols->names[i], name))
            return symbols->dims[i];
    struct lw_str kept = lw_arena_copy(c->arena, name);
    lw_dim d = lw_dim_symbol(c->dims, kept, 0, LW_DIM_MOST);
    if (symbols && symbols->n < sizeof symbols->names / sizeof *symbols->names) {
        symbols->names[symbols->n] = kept;
        symbols->dims[symbols->n++] = d;
    }
    return d;
}

/* "B T 64" */
static bool shape_of_text(struct ck *c, struct lw_str text, struct ck_symbols *symbols,
                          struct lw_shape *out)
{
    struct lw_shape s = lw_shape_make(NULL, 0);
    struct lw_str rest = text, word;
    size_t words = 0;
    while (lw_str_split(&rest, ' ', &word)) {
        int64_t n;
        if (word.n == 0)
            continue;
        words++;
        if (lw_parse_i64(word, &n) && n >= 0 && n < 1 << 29)
            lw_shape_push(&s, lw_dim_int((int32_t)n));
        else if (syntax_is_name(word))
            lw_shape_push(&s, lw_str_eq(word, LW_S("_")) ? LW_DIM_UNKNOWN
                                                         : named_size(c, symbols, word));
        else if (lw_str_eq(word, LW_S("...")) || word.p[0] == '*') {
            if (s.gap >= 0)
                return false;
            s.gap = (int8_t)s.n;
        } else
            lw_shape_push(&s, LW_DIM_UNKNOWN);
    }
    *out = s;
    return words > 0;
}

/* Shape("B", 3, 32): each argument a name or a number. */
static bool shape_of_call(struct ck *c, uint32_t call, struct ck_symbols *symbols,
                          struct lw_shape *out)
{
    const struct lw_tree *t = tree_of(c);
    struct lw_shape s = lw_shape_make(NULL, 0);
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        struct lw_value v = ck_eval(c, a);
        if (v.kind == LW_V_INT)
            lw_shape_push(&s, v.dim);
        else if (v.kind == LW_V_STR && v.str.p && syntax_is_name(v.str))
            lw_shape_push(&s, named_size(c, symbols, v.str));
        else if (v.kind == LW_V_ELLIPSIS ||
                 (v.kind == LW_V_STR && v.str.p && lw_str_eq(v.str, LW_S("...")))) {
            if (s.gap >= 0)
                return false;
            s.gap = (int8_t)s.n;
        } else
            lw_shape_push(&s, LW_DIM_UNKNOWN);
    }
    *out = s;
    return true;
}

/* Float[…], Annotated[…]; not Union[np.ndarray, "torch.Tensor"], whose texts are types. */
static bool is_tensor_head(struct lw_str head)
{
    static const char *const others[] = {
        "Literal", "Union",    "Optional", "uple",      "ist",      "ict", "Callable",
        "Mapping", "Sequence", "Iterable", "Generator", "Iterator", "Type"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_str_find(head, lw_str(others[i])) >= 0)
            return false;
    return true;
}

bool ck_annotation_shape(struct ck *c, uint32_t annotation, struct ck_symbols *symbols,
                         struct lw_shape *out)
{
    LW_BUG_ON(!out);
    const struct lw_tree *t = tree_of(c);
    annotation = follow_alias(c, annotation);
    if (lw_tree_kind(t, annotation) != LW_NODE_SUBSCRIPT)
        return false;
    struct lw_str head = lw_tree_text(t, lw_tree_get(t, annotation, LW_ROLE_VALUE));
    uint32_t slice = lw_tree_get(t, annotation, LW_ROLE_SLICE);
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_TUPLE || !is_tensor_head(head))
        return false;
    struct lw_str base = lw_tree_text(t, lw_tree_get(t, slice, LW_ROLE_ELTS));
    if (lw_str_find(base, LW_S("ensor")) == LW_NPOS &&
        lw_str_find(base, LW_S("rray")) == LW_NPOS)
        return false;
    uint32_t first = lw_tree_get(t, slice, LW_ROLE_ELTS);
    for (uint32_t e = lw_tree_each(t, slice, LW_ROLE_ELTS, first); e != LW_NO_NODE;
         e = lw_tree_each(t, slice, LW_ROLE_ELTS, e)) {
        if (lw_tree_kind(t, e) == LW_NODE_STRING) {
            struct lw_value v = ck_eval(c, e);
            return v.kind == LW_V_STR && v.str.p && lw_str_find_char(v.str, '.') < 0 &&
                   shape_of_text(c, v.str, symbols, out);
        }
        if (lw_tree_kind(t, e) == LW_NODE_CALL &&
            lw_str_has_suffix(lw_tree_text(t, lw_tree_get(t, e, LW_ROLE_FUNC)), LW_S("Shape")))
            return shape_of_call(c, e, symbols, out);
    }
    return false;
}

static uint32_t framework_of(struct lw_str text)
{
    if (lw_str_find(text, LW_S("torch")) != LW_NPOS)
        return LW_TORCH;
    if (lw_str_find(text, LW_S("ndarray")) != LW_NPOS)
        return LW_NUMPY;
    if (lw_str_find(text, LW_S("tf.")) != LW_NPOS)
        return LW_TF;
    return lw_str_find(text, LW_S("Tensor")) != LW_NPOS ? LW_TORCH : LW_FRAMEWORK_UNKNOWN;
}

/* int, str, bool, torch.Tensor, np.ndarray. Whole numbers may be passed where `float` is
 * written: it says nothing. */
static struct lw_value plain_type(struct ck *c, uint32_t annotation, struct lw_value v)
{
    struct lw_str text = lw_tree_text(tree_of(c), annotation);
    if (lw_str_eq(text, LW_S("int")))
        return lw_v_dim(lw_dim_symbol(c->dims, LW_S("n"), LW_DIM_LEAST, LW_DIM_MOST));
    if (lw_str_eq(text, LW_S("bool")))
        return lw_v_tri(LW_TRI_MAYBE);
    if (lw_str_eq(text, LW_S("str")))
        return lw_v_str((struct lw_str){0});
    static const char *const tensors[] = {"torch.Tensor",     "Tensor",     "torch.FloatTensor",
                                          "torch.LongTensor", "np.ndarray", "numpy.ndarray",
                                          "tf.Tensor"};
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
        if (lw_str_eq(text, lw_str(tensors[i]))) {
            struct lw_value out = ck_any_tensor(c, framework_of(text), annotation);
            return out;
        }
    return v;
}

struct lw_value ck_annotated(struct ck *c, uint32_t annotation, struct lw_value v,
                             struct ck_symbols *symbols)
{
    struct lw_shape s;
    bool vague = v.kind == LW_V_UNKNOWN ||
                 (v.kind == LW_V_TENSOR && !lw_shape_has_rank(&v.tensor->shape));
    if (annotation == LW_NO_NODE || !vague)
        return v;
    if (!ck_annotation_shape(c, annotation, symbols, &s))
        return v.kind == LW_V_UNKNOWN ? plain_type(c, annotation, v) : v;
    struct lw_str text = lw_tree_text(tree_of(c), follow_alias(c, annotation));
    struct lw_tensor t = lw_tensor_unknown(framework_of(text));
    t.shape = s;
    t.line = ck_place(c, annotation);
    return ck_tensor(c, &t);
}

lw_tri ck_fits(struct ck *c, const struct lw_shape *is, const struct lw_shape *want)
{
    LW_BUG_ON(!is || !want);
    if (!lw_shape_has_rank(is) || !lw_shape_has_rank(want))
        return LW_TRI_MAYBE;
    if (is->n != want->n)
        return LW_TRI_NO;
    lw_tri all = LW_TRI_YES;
    for (uint32_t i = 0; i < is->n; i++) {
        lw_tri same = lw_dim_eq(c->dims, is->d[i], want->d[i]);
        if (same == LW_TRI_MAYBE && !lw_dim_is_literal(want->d[i]))
            same = lw_dim_assume_eq(c->dims, want->d[i], is->d[i]);
        all = lw_tri_and(all, same);
    }
    return all;
}

void ck_check_result(struct ck *c, uint32_t node, struct lw_value v)
{
    struct ck_object *f = c->frame->function;
    struct lw_shape want;
    if (!f || v.kind != LW_V_TENSOR || node == LW_NO_NODE)
        return;
    uint32_t annotation = lw_tree_get(tree_of(c), f->node, LW_ROLE_RETURNS);
    if (annotation == LW_NO_NODE ||
        !ck_annotation_shape(c, annotation, c->frame->symbols, &want))
        return;
    const struct lw_shape *is = &v.tensor->shape;
    bool wrong = lw_shape_has_rank(is) && lw_shape_has_rank(&want) && is->n != want.n;
    for (uint32_t i = 0;
         !wrong && lw_shape_has_rank(is) && lw_shape_has_rank(&want) && i < is->n; i++)
        wrong = lw_dim_eq(c->dims, is->d[i], want.d[i]) == LW_TRI_NO;
    if (wrong)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_RETURN_SHAPE,
                                      .node = node,
                                      .value = v,
                                      .shape = &want,
                                      .object = f});
}
