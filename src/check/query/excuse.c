#include "base/err.h"
#include "check/query/excuse.h"

#include <math.h>

#include "base/str.h"
#include "check/query/look.h"

static const char *const sums[] = {"sum", "reduce_sum"};
static const char *const adds[] = {"+", "add"};

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

static bool is_division(const struct ck_alarm *a)
{
    return lw_str_eq(a->rule, LW_S("numeric/division-by-zero"));
}

/* ---- values that belong together ----------------------------------------------------------
 */

enum { MAX_PICKS = 12 };

/* Was it picked from the results of one of these, without any change? */
static bool is_picked_from(struct ck *c, struct lw_value v, const char *const *names, size_t n)
{
    static const char *const picks[] = {"topk",   "top_k", "gather", "[]",   "sort", "max",
                                        "values", "view",  "to",     "amax", "cast", "type"};
    for (unsigned i = 0; i < MAX_PICKS; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *made = ck_origin_of(c, v);
        struct lw_value curve = made && made->layer && !made->layer->of
                                    ? ck_config(made->layer, "activation")
                                    : lw_v_absent();
        if (lineage_made_by(c, v, names, n) ||
            (curve.kind == LW_V_STR && curve.str.p && text_is_any(curve.str, names, n)))
            return true;
        const struct ck_origin *o = lineage_made_by(c, v, picks, sizeof picks / sizeof *picks);
        if (!o || o->in_count == 0)
            return false;
        v = o->in[0];
    }
    return false;
}

/* p / sum(p) of some of the largest probabilities, or by the largest of such sums: they are
 * never all 0. The same is taken for x / sum(x) of an x of which little is known. */
static bool is_share(struct ck *c, struct lw_value x, struct lw_value divisor)
{
    static const char *const positive[] = {"softmax", "sigmoid", "Softmax", "softplus"};
    static const char *const largest[] = {"max", "amax", "reduce_max"};
    const struct ck_origin *top = lineage_made_by(c, lineage_through(c, divisor), largest, 3);
    struct lw_value whole = top && top->in_count ? top->in[0] : divisor;
    const struct ck_origin *sum = lineage_made_by(c, lineage_through(c, whole), sums, 2);
    if (!sum || sum->in_count == 0)
        return false;
    const struct lw_tensor *t = ck_tensor_of(divisor), *of = ck_tensor_of(sum->in[0]);
    const struct lw_tensor *by = ck_tensor_of(x);
    bool own = t && of && by && of->id && of->id == by->id && !(t->range.flags & LW_IV_KNOWN);
    return own || is_picked_from(c, sum->in[0], positive, 4);
}

/* x / sqrt(sum(x * x)), where the values of x lie on both sides of 0: that all of a vector are
 * 0 at once does not come up, as it does behind relu. */
static bool is_length(struct ck *c, struct lw_value x, struct lw_value divisor)
{
    static const char *const roots[] = {"sqrt", "norm", "vector_norm", "**", "pow"};
    static const char *const squares[] = {"square", "pow", "**", "*", "multiply"};
    const struct ck_origin *root = lineage_made_by(c, lineage_through(c, divisor), roots, 5);
    const struct ck_origin *sum =
        root && root->in_count ? lineage_made_by(c, root->in[0], sums, 2) : NULL;
    const struct ck_origin *square =
        sum && sum->in_count ? lineage_made_by(c, sum->in[0], squares, 5) : NULL;
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!t || !t->id || !square || square->in_count == 0)
        return false;
    const struct lw_tensor *of = ck_tensor_of(square->in[0]);
    return of && of->id == t->id && of->range.lo < 0;
}

/* x + (x == 0) * epsilon */
static bool is_mended(struct ck *c, struct lw_value v)
{
    static const char *const factors[] = {"*", "multiply", "mul"};
    static const char *const tests[] = {"==", "equal", "eq", "<=", "less_equal", "<", "less"};
    const struct ck_origin *o = lineage_made_by(c, v, adds, 2);
    for (uint32_t i = 0; o && i < 2 && o->in_count == 2; i++) {
        struct lw_value term = lineage_through(c, o->in[1 - i]);
        const struct ck_origin *product = lineage_made_by(c, term, factors, 3);
        const struct lw_tensor *x = ck_tensor_of(o->in[i]);
        for (uint32_t k = 0; product && x && x->id && k < product->in_count; k++) {
            static const char *const forms[] = {"to_float", "cast", "float"};
            struct lw_value factor = lineage_through(c, product->in[k]);
            const struct ck_origin *form = lineage_made_by(c, factor, forms, 3);
            factor = form && form->in_count ? form->in[0] : factor;
            const struct ck_origin *test = lineage_made_by(c, factor, tests, 7);
            const struct lw_tensor *of = test ? ck_tensor_of(test->in[0]) : NULL;
            if (of && of->id == x->id)
                return true;
        }
    }
    return false;
}

/* ---- where the numbers come from ----------------------------------------------------------
 */

enum { MAX_STEPS = 6 };

/* The tensor behind changes of form and type, and behind factors that are numbers. */
static struct lw_value behind_scale(struct ck *c, struct lw_value v)
{
    static const char *const same[] = {"[]",        "expand_dims", "expand",  "expand_as",
                                       "unsqueeze", "squeeze",     "view",    "clone",
                                       "float",     "to",          "reshape", "detach",
                                       "repeat",    "neg",         "cast",    "contiguous"};
    static const char *const scales[] = {"*",   "/",   "+",        "-",
                                         "mul", "div", "multiply", "divide"};
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        const struct ck_origin *o = lineage_made_by(c, v, same, sizeof same / sizeof *same);
        if (!o) {
            o = lineage_made_by(c, v, scales, sizeof scales / sizeof *scales);
            double x;
            bool first = o && o->in_count && ck_number_of(c, o->in[0], &x);
            bool second = o && o->in_count > 1 && ck_number_of(c, o->in[1], &x);
            if (!o || (o->in_count > 1 && first == second))
                return v;
            v = first ? o->in[1] : o->in[0];
        } else
            v = o->in[0];
    }
    return v;
}

/* Drawn from a normal distribution: beyond ten deviations nothing ever comes. */
static bool is_drawn(struct ck *c, struct lw_value v)
{
    static const char *const draws[] = {"normal", "randn", "standard_normal", "randn_like",
                                        "random_normal"};
    const struct ck_origin *o = ck_origin_of(c, behind_scale(c, v));
    return o && text_is_any(text_tail(o->op), draws, sizeof draws / sizeof *draws);
}

/* Numbers of any distribution that were just drawn. */
static bool is_random(struct ck *c, struct lw_value v)
{
    static const char *const draws[] = {
        "rand", "random", "uniform", "rand_like", "random_sample", "random_uniform", "random_"};
    static const char *const same[] = {"abs", "square", "float", "astype"};
    const struct ck_origin *o = lineage_made_by(c, v, same, sizeof same / sizeof *same);
    v = o ? o->in[0] : v;
    o = ck_origin_of(c, behind_scale(c, v));
    return is_drawn(c, v) ||
           (o && text_is_any(text_tail(o->op), draws, sizeof draws / sizeof *draws));
}

/* The numbers of an array that is written down: their sum and how far they are apart. */
static bool is_written(struct ck *c, struct lw_value v, double *sum, double *apart)
{
    static const char *const arrays[] = {"array", "asarray", "tensor", "constant"};
    const struct ck_origin *array = lineage_made_by(c, v, arrays, 4);
    struct lw_seq seq;
    double x, low = INFINITY, high = -INFINITY;
    if (!array || !array->in_count || !ck_sequence(c, array->in[0], &seq) || seq.open)
        return false;
    *sum = 0;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (!ck_number_of(c, seq.items[i], &x))
            return false;
        *sum += x;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    *apart = high - low;
    return true;
}

/* The whole of a data set that comes with a library: its values are known to differ. */
static bool is_loaded(struct ck *c, struct lw_value statistic, struct lw_value x)
{
    const struct lw_tensor *s = ck_tensor_of(statistic);
    x = lineage_through(c, x);
    const struct lw_tensor *t = ck_tensor_of(x);
    return s && lw_shape_has_rank(&s->shape) && s->shape.n == 0 && t &&
           lineage_known_range(t) && t->range.lo < t->range.hi && !ck_origin_of(c, x);
}

/* A statistic of numbers that are written down, drawn or loaded, which is 0 by no chance: their
 * sum, largest, spread, max - min. */
static bool is_plain_statistic(struct ck *c, struct lw_value v)
{
    static const char *const sizes[] = {"sum", "reduce_sum", "mean", "max", "amax", "norm"};
    static const char *const spreads[] = {"std", "ptp", "var"};
    static const char *const tops[] = {"max", "amax"};
    v = behind_scale(c, v);
    const struct ck_origin *sum = lineage_made_by(c, v, sizes, sizeof sizes / sizeof *sizes);
    const struct ck_origin *spread = lineage_made_by(c, v, spreads, 3), *o = ck_origin_of(c, v);
    bool minus = !sum && !spread && o && text_is(o->op, "-") && o->in_count == 2;
    if (minus)
        spread = lineage_made_by(c, o->in[0], tops, 2);
    const struct ck_origin *of = sum ? sum : spread;
    double total, apart;
    if (!of || !of->in_count)
        return false;
    if (is_random(c, of->in[0]) || is_loaded(c, v, of->in[0]))
        return !minus || lineage_made_by(c, o->in[1], (const char *const[]){"min", "amin"}, 2);
    return is_written(c, of->in[0], &total, &apart) && (sum ? total != 0 : apart != 0);
}

/* How many there are: a sum or mean of values of 0 to 1 (hits, masks, probabilities), or
 * several of them. It is 0 for an empty mask alone. */
static bool is_count(struct ck *c, struct lw_value v)
{
    static const char *const counts[] = {"sum", "reduce_sum", "count_nonzero", "mean"};
    const struct ck_origin *add = lineage_made_by(c, v, adds, 2);
    const struct ck_origin *o =
        lineage_made_by(c, lineage_through(c, add ? add->in[0] : v), counts, 4);
    const struct lw_tensor *t = o ? ck_tensor_of(o->in[0]) : NULL;
    return t && (lw_set_within(t->dtype, LW_BOOL) == LW_TRI_YES ||
                 (t->range.lo == 0 && t->range.hi <= 1 && t->range.hi > 0));
}

/* Nobody divides by an array of zeros: it was filled in a way that is not followed. */
static bool is_vessel(struct lw_value v)
{
    return v.kind == LW_V_TENSOR && v.tensor->range.lo == 0 && v.tensor->range.hi == 0;
}

/* area1 + area2 - intersection: what two boxes have in common is in both. */
static bool is_union(const struct lw_tree *t, uint32_t operand)
{
    struct lw_str text = lw_tree_text(t, operand);
    return lw_str_find(text, LW_S("union")) != LW_NPOS ||
           (lw_str_find(text, LW_S("inter")) != LW_NPOS &&
            lw_str_find(text, LW_S("-")) != LW_NPOS);
}

struct sources {
    bool counted; /* a row of numbers is among them */
    bool other;
};

static bool visit_source(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const rows[] = {"linspace", "arange", "range", "logspace"};
    static const char *const plain[] = {"tensor", "array", "constant", "ones",
                                        "zeros",  "full",  "eye",      "asarray"};
    struct sources *s = data;
    bool row = o && text_is_any(text_tail(o->op), rows, 4);
    bool made = o && text_is_any(text_tail(o->op), plain, 8);
    bool tensors = false;
    for (uint32_t i = 0; o && i < o->in_count; i++)
        tensors |= o->in[i].kind == LW_V_TENSOR;
    s->counted |= row;
    s->other |= v.tensor->variable == LW_TRI_YES || (!row && !made && !tensors);
    return !s->other;
}

/* Computed from rows of numbers and nothing else: a schedule, a basis. It is the same in each
 * run, and who wrote it has seen it. */
static bool is_schedule(struct ck *c, struct lw_value v)
{
    struct sources s = {0};
    return v.kind == LW_V_TENSOR && lineage_walk(c, v, visit_source, &s) && s.counted &&
           !s.other;
}

/* exp(x) of an x without an upper bound: that exp is reported itself. */
static bool is_reported_exp(struct ck *c, struct lw_value v)
{
    static const char *const exps[] = {"exp", "exp_"};
    const struct ck_origin *o = lineage_made_by(c, v, exps, 2);
    const struct lw_tensor *x = o ? ck_tensor_of(o->in[0]) : NULL;
    return x && isinf(x->range.hi) && isinf(x->range.lo);
}

/* exp() of numbers that were drawn, or their sum: they are not far below 0. */
static bool is_drawn_exp(struct ck *c, struct lw_value v)
{
    static const char *const exps[] = {"exp"};
    static const char *const same[] = {"sum", "@", "expand_dims", "unsqueeze"};
    for (unsigned i = 0; i < 3; i++) {
        const struct ck_origin *o = lineage_made_by(c, v, same, sizeof same / sizeof *same);
        if (!o)
            break;
        v = o->in_count > 1 && text_is(o->op, "@") ? o->in[1] : o->in[0];
    }
    const struct ck_origin *o = lineage_made_by(c, v, exps, 1);
    return o && is_drawn(c, o->in[0]);
}

/* w + 1e-10 of a trained w that began away from 0: what can be done was done. */
static bool has_epsilon(struct ck *c, struct lw_value v)
{
    const struct ck_origin *sum = lineage_made_by(c, v, adds, 2);
    const struct lw_tensor *w = sum ? ck_tensor_of(sum->in[0]) : NULL;
    const struct ck_origin *o = w ? ck_origin_of(c, sum->in[0]) : NULL;
    const struct lw_tensor *first = o && o->in_count ? ck_tensor_of(o->in[0]) : NULL;
    double eps;
    return first && w->variable == LW_TRI_YES && sum->in_count == 2 &&
           ck_number_of(c, sum->in[1], &eps) && eps > 0 && eps < 1e-2 &&
           lw_iv_avoids(first->range, 0) == LW_TRI_YES;
}

/* log_std.exp() of a trained number, exp(0.5 * log_var): a logarithm by its name, which takes
 * a long way to 88 or 177. */
static bool is_small_logarithm(struct ck *c, uint32_t node, struct lw_value v)
{
    static const char *const halves[] = {"0.5", "/ 2", "/2", ".5 *", "mul(0.5", "div(2"};
    struct lw_value x = behind_scale(c, v);
    if (x.kind == LW_V_TENSOR && x.tensor->variable == LW_TRI_YES)
        return true;
    struct lw_str text = lw_tree_text(tree_of(c), node);
    if (lw_str_find(text, LW_S(".data.")) != LW_NPOS ||
        lw_str_find(text, LW_S("detach().")) != LW_NPOS)
        return true; /* weights for a draw: nothing is trained through it */
    bool halved = false;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        halved |= lw_str_find(text, lw_str(halves[i])) != LW_NPOS;
    return halved && (lw_str_find(text, LW_S("log")) != LW_NPOS ||
                      lw_str_find(text, LW_S("lv")) != LW_NPOS);
}

/* 1 / (1 + exp(-x)) of numpy: where exp overflows the quotient is 0, which is right. Nothing is
 * differentiated through it; in the other libraries the gradient would be inf / inf. */
static bool is_saturated(const struct ck *c, const struct ck_alarm *a)
{
    const struct lw_tree *t = tree_of(c);
    if (!a->api || !lw_str_eq(a->api->name, LW_S("numpy.exp")))
        return false;
    uint32_t sum = lw_tree_parent(t, a->node);
    uint32_t whole = sum == LW_NO_NODE ? sum : lw_tree_parent(t, sum);
    if (whole == LW_NO_NODE || lw_tree_kind(t, sum) != LW_NODE_BIN_OP ||
        lw_tree_node(t, sum)->op != LW_OP_ADD || lw_tree_kind(t, whole) != LW_NODE_BIN_OP)
        return false;
    if (lw_tree_node(t, whole)->op == LW_OP_DIV) /* of a number: inf / inf is none */
        return lw_tree_get(t, whole, LW_ROLE_RIGHT) == sum &&
               lw_tree_kind(t, lw_tree_get(t, whole, LW_ROLE_LEFT)) == LW_NODE_NUMBER;
    uint32_t power = lw_tree_get(t, whole, LW_ROLE_RIGHT);
    return lw_tree_node(t, whole)->op == LW_OP_POW && power != sum &&
           lw_tree_kind(t, power) == LW_NODE_UNARY_OP &&
           lw_tree_node(t, power)->op == LW_OP_USUB;
}

/* ---- what the program asks before ---------------------------------------------------------
 */

/* Does the text speak of numbers? That something is there, of which kind or how long, says
 * nothing about them. */
static bool is_of_numbers(struct lw_str text)
{
    static const char *const others[] = {"None", "isinstance", "hasattr", "shape", "ndim",
                                         "dim(", "size(",      "len(",    "dtype"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_str_find(text, lw_str(others[i])) != LW_NPOS)
            return false;
    return true;
}

/* Does a name or attribute of the operand stand in it? */
static bool speaks_of(const struct lw_tree *t, uint32_t node, uint32_t operand)
{
    for (uint32_t x = operand; x != LW_NO_NODE; x = lw_tree_next(t, operand, x, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, x);
        if (kind == LW_NODE_ATTRIBUTE &&
            lw_str_find(lw_tree_text(t, node), lw_tree_text(t, x)) != LW_NPOS)
            return true;
        if (kind == LW_NODE_NAME && !text_is(lw_tree_name(t, x), "self") &&
            syntax_has_name(t, node, lw_tree_name(t, x)))
            return true;
    }
    return false;
}

/* Does the test ask about the numbers of the operand? `if n:` asks whether it is 0; whether it
 * is large or negative takes a comparison. */
static bool asks_about(const struct lw_tree *t, uint32_t test, const struct ck_alarm *a)
{
    bool zero = is_division(a);
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false))
        if (((zero && n == test) || lw_tree_kind(t, n) == LW_NODE_COMPARE) &&
            is_of_numbers(lw_tree_text(t, n)) && speaks_of(t, n, a->operand))
            return true;
    return false;
}

/* `if n == 0: return …` and the like. */
static bool leaves(const struct lw_tree *t, uint32_t statement)
{
    for (uint32_t n = lw_tree_each(t, statement, LW_ROLE_BODY, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, statement, LW_ROLE_BODY, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_RETURN || kind == LW_NODE_RAISE || kind == LW_NODE_CONTINUE ||
            kind == LW_NODE_BREAK)
            return true;
    }
    return false;
}

/* x.data.clamp_(0.01, 0.99) */
static bool is_bounded_by(const struct lw_tree *t, uint32_t statement, uint32_t operand)
{
    struct lw_str text = lw_tree_text(t, statement);
    uint32_t call = lw_tree_get(t, statement, LW_ROLE_VALUE);
    uint32_t x = operand;
    while (x != LW_NO_NODE && lw_tree_kind(t, x) != LW_NODE_NAME)
        x = lw_tree_next(t, operand, x, false);
    return x != LW_NO_NODE && call != LW_NO_NODE &&
           (lw_str_find(text, LW_S("clamp_(")) != LW_NPOS ||
            lw_str_find(text, LW_S("clip_(")) != LW_NPOS) &&
           syntax_has_name(t, call, lw_tree_name(t, x));
}

/* The condition of where(n > 0, x / n, 0) when `inner` is one of the values to choose from. */
static uint32_t condition_of(const struct lw_tree *t, uint32_t call, uint32_t inner)
{
    static const char *const choices[] = {"where", "cond", "select", "switch", "where_v2"};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    uint32_t condition = lw_tree_get(t, call, LW_ROLE_ARGS);
    return f != LW_NO_NODE && condition != inner &&
                   text_is_any(text_tail(lw_tree_text(t, f)), choices, 5)
               ? condition
               : LW_NO_NODE;
}

/* if n > 0: x / n; x / n if n else 0; where(n > 0, x / n, 0), which still computes all of
 * log(n) or exp(n). MAYBE: it chooses by a part of the divisor. */
static lw_tri is_asked_around(const struct lw_tree *t, const struct ck_alarm *a)
{
    uint32_t inner = a->node;
    lw_tri asked = LW_TRI_NO;
    for (uint32_t up = lw_tree_parent(t, inner); up != LW_NO_NODE; up = lw_tree_parent(t, up)) {
        enum lw_node_kind kind = lw_tree_kind(t, up);
        if (kind == LW_NODE_FUNCTION)
            break;
        bool branch = kind == LW_NODE_IF || kind == LW_NODE_ELIF || kind == LW_NODE_IF_EXP ||
                      kind == LW_NODE_WHILE;
        if (branch && asks_about(t, lw_tree_get(t, up, LW_ROLE_TEST), a))
            return LW_TRI_YES;
        if (kind == LW_NODE_CALL && is_division(a) &&
            asks_about(t, condition_of(t, up, inner), a)) {
            if (lw_tree_kind(t, a->operand) != LW_NODE_BIN_OP)
                return LW_TRI_YES;
            asked = LW_TRI_MAYBE;
        }
        inner = up;
    }
    return asked;
}

/* A statement before it in the same function that leaves, fails or sets a bound. In a module
 * only those of the blocks around: what other loops and cells ask is about other values. */
static bool is_asked_before(const struct lw_tree *t, const struct ck_alarm *a)
{
    uint32_t function = lw_tree_enclosing(t, a->node, LW_NODE_FUNCTION);
    uint32_t top = function == LW_NO_NODE ? t->root : function;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (lw_tree_start(t, n) >= lw_tree_start(t, a->node))
            break;
        if (kind == LW_NODE_EXPR && is_bounded_by(t, n, a->operand))
            return true;
        if (((kind == LW_NODE_IF && leaves(t, n)) || kind == LW_NODE_ASSERT) &&
            (top == function || syntax_inside(t, a->node, lw_tree_parent(t, n))) &&
            asks_about(t, lw_tree_get(t, n, LW_ROLE_TEST), a))
            return true;
    }
    return false;
}

/* ---- the alarm ----------------------------------------------------------------------------
 */

static bool is_division_excused(struct ck *c, const struct ck_alarm *a)
{
    return is_union(tree_of(c), a->operand) || is_vessel(a->value) || is_random(c, a->value) ||
           is_plain_statistic(c, a->value) || is_reported_exp(c, a->value) ||
           is_drawn_exp(c, a->value) || has_epsilon(c, a->value);
}

/* -log(-log(u)) of random numbers, which draws from a distribution: u is 0 once in a lifetime.
 */
static bool is_log_of_draw(struct ck *c, struct lw_value v)
{
    static const char *const logs[] = {"log"};
    const struct ck_origin *log = lineage_made_by(c, behind_scale(c, v), logs, 1);
    return is_random(c, v) || (log && log->in_count && is_random(c, log->in[0]));
}

/* log(1 + exp(x)): it is finite for every x, and so is not what was meant. */
static bool is_inside_log(const struct lw_tree *t, uint32_t node)
{
    static const char *const logs[] = {"log", "log1p"};
    for (uint32_t up = lw_tree_parent(t, node); up != LW_NO_NODE; up = lw_tree_parent(t, up)) {
        if (lw_tree_kind(t, up) == LW_NODE_FUNCTION || lw_tree_kind(t, up) == LW_NODE_ASSIGN)
            return false;
        uint32_t f =
            lw_tree_kind(t, up) == LW_NODE_CALL ? lw_tree_get(t, up, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f != LW_NO_NODE && text_is_any(text_tail(lw_tree_text(t, f)), logs, 2))
            return true;
    }
    return false;
}

/* counts * watched: what a mask leaves out is 0. */
static bool is_masked(struct ck *c, struct lw_value v)
{
    static const char *const products[] = {"*", "mul", "multiply"};
    const struct ck_origin *product = lineage_made_by(c, lineage_through(c, v), products, 3);
    for (uint32_t i = 0; product && i < product->in_count; i++) {
        const struct lw_tensor *t = ck_tensor_of(product->in[i]);
        if (t && lw_set_within(t->dtype, LW_BOOL) == LW_TRI_YES)
            return true;
    }
    return false;
}

/* A weight, perhaps with a small number added: training takes it through 0. */
static bool is_weight(struct ck *c, struct lw_value v)
{
    const struct ck_origin *add = lineage_made_by(c, v, adds, 2);
    const struct lw_tensor *t = ck_tensor_of(add && add->in_count ? add->in[0] : v);
    return t && t->variable == LW_TRI_YES;
}

/* softmax(x), 1 - sigmoid(x), exp(x) / sum: they saturate, and come to 0 in float32. */
static bool is_probability(struct ck *c, struct lw_value v)
{
    static const char *const known[] = {"softmax", "sigmoid", "Softmax", "Sigmoid", "tanh"};
    static const char *const shares[] = {"/", "div", "divide", "truediv"};
    static const char *const kept[] = {"-", "sub", "subtract", "rsub", "abs"};
    for (unsigned i = 0; i < 3; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *share = lineage_made_by(c, v, shares, 4);
        if (lineage_made_by(c, v, known, sizeof known / sizeof *known) ||
            (share && share->in_count > 1 &&
             lineage_made_by(c, lineage_through(c, share->in[1]), sums, 2)))
            return true;
        const struct ck_origin *o = lineage_made_by(c, v, kept, sizeof kept / sizeof *kept);
        if (!o || !o->in_count)
            return false;
        v = o->in[o->in_count > 1 && o->in[0].kind != LW_V_TENSOR];
    }
    return false;
}

/* sqrt(((x[:, None] - x[None]) ** 2).sum(-1)): the distances of rows to themselves are 0. */
static bool is_own_distance(struct ck *c, struct lw_value v)
{
    static const char *const powers[] = {"pow", "**", "square", "*", "mul"};
    static const char *const minus[] = {"-", "sub", "subtract"};
    static const char *const parts[] = {"[]", "unsqueeze"};
    const struct ck_origin *sum = lineage_made_by(c, lineage_through(c, v), sums, 2);
    const struct ck_origin *power =
        sum && sum->in_count ? lineage_made_by(c, sum->in[0], powers, 5) : NULL;
    const struct ck_origin *o =
        power && power->in_count ? lineage_made_by(c, power->in[0], minus, 3) : NULL;
    if (!o || o->in_count < 2)
        return false;
    const struct ck_origin *x = lineage_made_by(c, o->in[0], parts, 2);
    const struct ck_origin *y = lineage_made_by(c, o->in[1], parts, 2);
    const struct lw_tensor *a = x && x->in_count ? ck_tensor_of(x->in[0]) : NULL;
    const struct lw_tensor *b = y && y->in_count ? ck_tensor_of(y->in[0]) : NULL;
    return a && b && a->id && a->id == b->id;
}

/* Inside a function the range is what its callers make of it, and its ends are seldom reached:
 * only weights, what saturates, distances of rows to themselves, and a sum or mask that may
 * leave nothing are known to come to 0. */
static bool is_unproven(struct ck *c, const struct ck_alarm *a)
{
    static const char *const domains[] = {"numeric/exp-overflow", "numeric/log-of-zero",
                                          "numeric/division-by-zero", "numeric/sqrt-negative",
                                          "numeric/sqrt-gradient"};
    if (!c->frame->function || !text_is_any(a->rule, domains, sizeof domains / sizeof *domains))
        return false;
    if (is_division(a))
        return !is_weight(c, a->value) && !is_masked(c, a->value) &&
               !lineage_made_by(c, lineage_through(c, a->value), sums, 2);
    if (lw_str_eq(a->rule, LW_S("numeric/sqrt-gradient")))
        return !is_own_distance(c, a->value);
    if (lw_str_eq(a->rule, LW_S("numeric/log-of-zero")))
        return !is_probability(c, a->value);
    if (!lw_str_eq(a->rule, LW_S("numeric/exp-overflow")))
        return true;
    const struct lw_tensor *t = ck_tensor_of(a->value);
    bool output = t && t->range.why == LW_WHY_NETWORK && isfinite(t->range.lo);
    return !output && !is_inside_log(tree_of(c), a->node);
}

enum { MAX_LOOKS = 200 }; /* back over the statements before an alarm */
static const char looks_key;

bool ck_is_excused(struct ck *c, const struct ck_alarm *a, enum lw_severity *severity)
{
    LW_BUG_ON(!a->rule.n || !severity);
    if (!lw_str_has_prefix(a->rule, LW_S("numeric/")))
        return false;
    bool division = is_division(a);
    bool exp = lw_str_eq(a->rule, LW_S("numeric/exp-overflow"));
    if (is_mended(c, a->value) ||
        (division && (is_share(c, a->first, a->value) || is_length(c, a->first, a->value))))
        return true;
    if (a->node == LW_NO_NODE || a->operand == LW_NO_NODE)
        return false;
    lw_tri asked = is_asked_around(tree_of(c), a);
    if (asked == LW_TRI_YES ||
        (look_again(c, &looks_key, MAX_LOOKS) && is_asked_before(tree_of(c), a)) ||
        is_schedule(c, a->value) || (exp && (is_saturated(c, a) || is_drawn(c, a->value))) ||
        (division && is_division_excused(c, a)))
        return true;
    bool log = lw_str_eq(a->rule, LW_S("numeric/log-of-zero"));
    if ((exp && is_small_logarithm(c, a->node, a->value)) || is_unproven(c, a) ||
        (log && is_log_of_draw(c, a->value)) ||
        (division && (asked == LW_TRI_MAYBE || is_count(c, a->value))))
        *severity = LW_SEVERITY_NOTE;
    return false;
}
