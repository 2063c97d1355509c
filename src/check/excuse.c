/*
 * What the tables say about ranges of numbers, weighed: a divisor that the program asks about
 * before it divides, numbers that were just drawn or written down, one fault that shows in two
 * operations, a trained number that stands alone.
 */
#include <math.h>

#include "base/str.h"
#include "check/engine.h"
#include "check/look.h"
#include "check/rules.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* ---- what the program asks before ---------------------------------------------------------
 */

/* Is it a test of numbers, not of shapes or kinds? */
static bool compares_numbers(const struct lw_tree *t, uint32_t node)
{
    static const char *const others[] = {"shape", "ndim", "dim(", "size(",
                                         "len(",  "None", "dtype"};
    enum lw_op op = (enum lw_op)lw_tree_node(t, node)->op;
    if (lw_tree_kind(t, node) != LW_NODE_COMPARE || op == LW_OP_IN || op == LW_OP_NOT_IN)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_str_find(lw_tree_text(t, node), lw_str(others[i])) != LW_NPOS)
            return false;
    return true;
}

/* Does the test compare something that stands in `operand` too? */
static bool asks_about(const struct lw_tree *t, uint32_t test, uint32_t operand)
{
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false)) {
        if (!compares_numbers(t, n))
            continue;
        for (uint32_t x = operand; x != LW_NO_NODE; x = lw_tree_next(t, operand, x, false)) {
            bool attribute = lw_tree_kind(t, x) == LW_NODE_ATTRIBUTE;
            if (attribute && lw_str_find(lw_tree_text(t, n), lw_tree_text(t, x)) != LW_NPOS)
                return true;
            if (lw_tree_kind(t, x) == LW_NODE_NAME && look_has_name(t, n, lw_tree_name(t, x)) &&
                !look_is(lw_tree_name(t, x), "self"))
                return true;
        }
    }
    return false;
}

/* `if n == 0: return …` and the like, which stands before. */
static bool leaves(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = lw_tree_each(t, node, LW_ROLE_BODY, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, node, LW_ROLE_BODY, n)) {
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
           look_has_name(t, call, lw_tree_name(t, x));
}

static bool is_asked_before(const struct lw_tree *t, uint32_t node, uint32_t operand)
{
    for (uint32_t up = lw_tree_parent(t, node); up != LW_NO_NODE; up = lw_tree_parent(t, up)) {
        enum lw_node_kind kind = lw_tree_kind(t, up);
        if (kind == LW_NODE_FUNCTION)
            break;
        if ((kind == LW_NODE_IF || kind == LW_NODE_IF_EXP) &&
            asks_about(t, lw_tree_get(t, up, LW_ROLE_TEST), operand))
            return true;
    }
    uint32_t top = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (lw_tree_start(t, n) >= lw_tree_start(t, node))
            break;
        if (kind == LW_NODE_EXPR && is_bounded_by(t, n, operand))
            return true;
        if (((kind == LW_NODE_IF && leaves(t, n)) || kind == LW_NODE_ASSERT) &&
            asks_about(t, lw_tree_get(t, n, LW_ROLE_TEST), operand))
            return true;
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
        const struct ck_origin *o = look_made_by(c, v, same, sizeof same / sizeof *same);
        if (!o) {
            o = look_made_by(c, v, scales, sizeof scales / sizeof *scales);
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
    return o && look_is_any(look_tail(o->op), draws, sizeof draws / sizeof *draws);
}

/* Numbers of any distribution that were just drawn. */
static bool is_random(struct ck *c, struct lw_value v)
{
    static const char *const draws[] = {
        "rand", "random", "uniform", "rand_like", "random_sample", "random_uniform", "random_"};
    static const char *const same[] = {"abs", "square", "float", "astype"};
    const struct ck_origin *o = look_made_by(c, v, same, sizeof same / sizeof *same);
    v = o ? o->in[0] : v;
    o = ck_origin_of(c, behind_scale(c, v));
    return is_drawn(c, v) ||
           (o && look_is_any(look_tail(o->op), draws, sizeof draws / sizeof *draws));
}

/* The numbers of an array that is written down: their sum and how far they are apart. */
static bool is_written(struct ck *c, struct lw_value v, double *sum, double *apart)
{
    static const char *const arrays[] = {"array", "asarray", "tensor", "constant"};
    const struct ck_origin *array = look_made_by(c, v, arrays, 4);
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
    x = look_through(c, x);
    const struct lw_tensor *t = ck_tensor_of(x);
    return s && lw_shape_has_rank(&s->shape) && s->shape.n == 0 && t && look_known_range(t) &&
           t->range.lo < t->range.hi && !ck_origin_of(c, x);
}

/* A statistic of numbers that are written down, drawn or loaded, which is 0 by no chance: their
 * sum, largest, spread, max - min. */
static bool is_plain_statistic(struct ck *c, struct lw_value v)
{
    static const char *const sums[] = {"sum", "reduce_sum", "mean", "max", "amax", "norm"};
    static const char *const spreads[] = {"std", "ptp", "var"};
    static const char *const tops[] = {"max", "amax"};
    v = behind_scale(c, v);
    const struct ck_origin *sum = look_made_by(c, v, sums, sizeof sums / sizeof *sums);
    const struct ck_origin *spread = look_made_by(c, v, spreads, 3), *o = ck_origin_of(c, v);
    bool minus = !sum && !spread && o && look_is(o->op, "-") && o->in_count == 2;
    if (minus)
        spread = look_made_by(c, o->in[0], tops, 2);
    const struct ck_origin *of = sum ? sum : spread;
    double total, apart;
    if (!of || !of->in_count)
        return false;
    if (is_random(c, of->in[0]) || is_loaded(c, v, of->in[0]))
        return !minus || look_made_by(c, o->in[1], (const char *const[]){"min", "amin"}, 2);
    return is_written(c, of->in[0], &total, &apart) && (sum ? total != 0 : apart != 0);
}

/* How many there are: a sum or mean of values of 0 to 1 (hits, masks, probabilities), or
 * several of them. It is 0 for an empty mask alone. */
static bool is_count(struct ck *c, struct lw_value v)
{
    static const char *const sums[] = {"sum", "reduce_sum", "count_nonzero", "mean"};
    static const char *const adds[] = {"+", "add"};
    const struct ck_origin *add = look_made_by(c, v, adds, 2);
    const struct ck_origin *o = look_made_by(c, look_through(c, add ? add->in[0] : v), sums, 4);
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
    bool row = o && look_is_any(look_tail(o->op), rows, 4);
    bool made = o && look_is_any(look_tail(o->op), plain, 8);
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
    return v.kind == LW_V_TENSOR && look_back(c, v, visit_source, &s) && s.counted && !s.other;
}

/* where(n > 0, x / n, 0): what the test puts aside is not used. */
static bool is_put_aside(const struct lw_tree *t, uint32_t node, uint32_t operand)
{
    for (uint32_t up = lw_tree_parent(t, node); up != LW_NO_NODE; up = lw_tree_parent(t, up)) {
        if (lw_node_is_statement(lw_tree_kind(t, up)))
            return false;
        if (lw_tree_kind(t, up) != LW_NODE_CALL)
            continue;
        uint32_t f = lw_tree_get(t, up, LW_ROLE_FUNC);
        uint32_t test = lw_tree_each(t, up, LW_ROLE_ARGS, LW_NO_NODE);
        if (f != LW_NO_NODE && test != LW_NO_NODE &&
            lw_str_has_suffix(lw_tree_text(t, f), LW_S("where")) &&
            asks_about(t, test, operand))
            return true;
    }
    return false;
}

/* exp(x) of an x without an upper bound: that exp is reported itself. */
static bool is_reported_exp(struct ck *c, struct lw_value v)
{
    static const char *const exps[] = {"exp", "exp_"};
    const struct ck_origin *o = look_made_by(c, v, exps, 2);
    const struct lw_tensor *x = o ? ck_tensor_of(o->in[0]) : NULL;
    return x && isinf(x->range.hi) && isinf(x->range.lo);
}

/* exp() of numbers that were drawn, or their sum: they are not far below 0. */
static bool is_drawn_exp(struct ck *c, struct lw_value v)
{
    static const char *const exps[] = {"exp"};
    static const char *const same[] = {"sum", "@", "expand_dims", "unsqueeze"};
    for (unsigned i = 0; i < 3; i++) {
        const struct ck_origin *o = look_made_by(c, v, same, sizeof same / sizeof *same);
        if (!o)
            break;
        v = o->in_count > 1 && look_is(o->op, "@") ? o->in[1] : o->in[0];
    }
    const struct ck_origin *o = look_made_by(c, v, exps, 1);
    return o && is_drawn(c, o->in[0]);
}

/* w + 1e-10 of a trained w that began away from 0: what can be done was done. */
static bool has_epsilon(struct ck *c, struct lw_value v)
{
    static const char *const sums[] = {"+", "add"};
    const struct ck_origin *sum = look_made_by(c, v, sums, 2);
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

bool ck_is_excused(struct ck *c, struct lw_str rule, uint32_t node, uint32_t operand,
                   struct lw_value v, enum lw_severity *severity)
{
    if (!lw_str_has_prefix(rule, LW_S("numeric/")) || node == LW_NO_NODE ||
        operand == LW_NO_NODE)
        return false;
    bool division = lw_str_eq(rule, LW_S("numeric/division-by-zero"));
    bool exp = lw_str_eq(rule, LW_S("numeric/exp-overflow"));
    if (exp && is_small_logarithm(c, node, v))
        *severity = LW_SEVERITY_NOTE;
    if ((exp && is_drawn(c, v)) || is_schedule(c, v))
        return true;
    if (division && is_union(tree_of(c), operand))
        return true;
    if (division && (is_vessel(v) || is_random(c, v) || is_plain_statistic(c, v) ||
                     is_reported_exp(c, v) || is_drawn_exp(c, v) || has_epsilon(c, v)))
        return true;
    if (is_asked_before(tree_of(c), node, operand))
        return true;
    if (division && (is_count(c, v) || is_put_aside(tree_of(c), node, operand)))
        *severity = LW_SEVERITY_NOTE;
    return false;
}

/* ---- products -----------------------------------------------------------------------------
 */

enum { MAX_FACTORS = 8 };

/* Has the expression the same value wherever it stands in one statement? */
static bool is_pure(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL || lw_tree_kind(t, n) == LW_NODE_NAMED)
            return false;
    return true;
}

/* The factors of a * b * c, in reverse order; `*minus`: an odd number of signs. */
static size_t factors_of(const struct lw_tree *t, uint32_t node, uint32_t out[MAX_FACTORS],
                         bool *minus)
{
    size_t n = 0;
    while (n < MAX_FACTORS && node != LW_NO_NODE) {
        if (lw_tree_kind(t, node) == LW_NODE_UNARY_OP &&
            lw_tree_node(t, node)->op == LW_OP_USUB) {
            *minus = !*minus;
            node = lw_tree_get(t, node, LW_ROLE_OPERAND);
        } else if (lw_tree_kind(t, node) == LW_NODE_BIN_OP &&
                   lw_tree_node(t, node)->op == LW_OP_MULT) {
            out[n] = lw_tree_get(t, node, LW_ROLE_RIGHT);
            if (out[n++] == LW_NO_NODE)
                return 0;
            node = lw_tree_get(t, node, LW_ROLE_LEFT);
        } else {
            out[n++] = node;
            return n;
        }
    }
    return 0;
}

static struct lw_interval range_of(struct ck *c, uint32_t node)
{
    struct lw_tensor t;
    c->quiet++;
    struct lw_value v = ck_eval(c, node);
    c->quiet--;
    return ck_to_tensor(c, v, &t) ? t.range : lw_iv_unknown();
}

bool ck_range_of_squares(struct ck *c, uint32_t node, struct lw_interval *out)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t f[MAX_FACTORS];
    bool minus = false, paired = false, used[MAX_FACTORS] = {false};
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_BIN_OP)
        return false;
    size_t n = factors_of(t, node, f, &minus);
    size_t partner[MAX_FACTORS] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && !used[i]; k++)
            if (!used[k] && lw_tree_kind(t, f[i]) != LW_NODE_NUMBER &&
                lw_str_eq(lw_tree_text(t, f[i]), lw_tree_text(t, f[k])) && is_pure(t, f[i])) {
                used[i] = used[k] = paired = true;
                partner[i] = k;
            }
    if (!paired)
        return false;
    struct lw_interval all = lw_iv_number(minus ? -1 : 1);
    for (size_t i = 0; i < n; i++) {
        if (used[i] && !partner[i])
            continue; /* the second of a pair */
        struct lw_interval x = range_of(c, f[i]);
        all = lw_iv_mul(all, partner[i] ? lw_iv_find(LW_S("square"))(x) : x);
    }
    *out = all;
    return true;
}
