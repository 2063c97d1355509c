/*
 * Rules about work that a loop does again and again for nothing, read from the text of the
 * program: functions of TensorFlow that are traced anew, losses whose graphs are kept in a sum,
 * samples that are predicted one by one.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

enum { MAX_TEXT = 100000 };

static const struct lw_tree *tree_of(const struct ck_file *file)
{
    return &file->tree;
}

static struct lw_str callee(const struct lw_tree *t, uint32_t call)
{
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f == LW_NO_NODE ||
        (lw_tree_kind(t, f) != LW_NODE_NAME && lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE))
        return (struct lw_str){0};
    return lw_tree_name(t, f);
}

/* ---- functions of TensorFlow ----------------------------------------------------------------
 */

/* The decorator @tf.function without anything that limits the tracing; LW_NO_NODE: none. */
static uint32_t tracing(const struct lw_tree *t, uint32_t function)
{
    for (uint32_t d = lw_tree_each(t, function, LW_ROLE_DECORATORS, LW_NO_NODE);
         d != LW_NO_NODE; d = lw_tree_each(t, function, LW_ROLE_DECORATORS, d)) {
        struct lw_str text = lw_tree_text(t, d);
        if (lw_str_find(text, LW_S("tf.function")) != LW_NPOS &&
            lw_str_find(text, LW_S("signature")) == LW_NPOS)
            return d;
    }
    return LW_NO_NODE;
}

/* The loop around, inside the same function. */
static uint32_t loop_around_definition(const struct lw_tree *t, uint32_t function)
{
    uint32_t up = lw_tree_parent(t, function);
    return up == LW_NO_NODE ? up
           : lw_tree_kind(t, up) == LW_NODE_FOR || lw_tree_kind(t, up) == LW_NODE_WHILE
               ? up
               : look_loop_around(t, up);
}

/* Is the name the number that a loop counts with? */
static bool is_counter(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    if (iter == LW_NO_NODE || lw_tree_kind(t, iter) != LW_NODE_CALL ||
        lw_tree_kind(t, lw_tree_get(t, iter, LW_ROLE_FUNC)) != LW_NODE_NAME)
        return false; /* tf.range() gives tensors */
    struct lw_str over = callee(t, iter);
    if (look_is(over, "range") || look_is(over, "trange"))
        return lw_tree_kind(t, target) == LW_NODE_NAME &&
               lw_str_eq(lw_tree_name(t, target), name);
    uint32_t first = lw_tree_kind(t, target) == LW_NODE_TUPLE
                         ? lw_tree_get(t, target, LW_ROLE_ELTS)
                         : LW_NO_NODE;
    return look_is(over, "enumerate") && first != LW_NO_NODE &&
           lw_tree_kind(t, first) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, first), name);
}

/* Is it a number of Python that changes with the loops around: i, i / n, beta = i / n? */
static bool is_changing_number(const struct lw_tree *t, uint32_t expr, uint32_t call,
                               unsigned depth)
{
    if (expr == LW_NO_NODE || depth == 0)
        return false;
    if (lw_tree_kind(t, expr) == LW_NODE_BIN_OP) {
        uint32_t a = lw_tree_get(t, expr, LW_ROLE_LEFT),
                 b = lw_tree_get(t, expr, LW_ROLE_RIGHT);
        return is_changing_number(t, a, call, depth - 1) ||
               (lw_tree_kind(t, a) == LW_NODE_NUMBER &&
                is_changing_number(t, b, call, depth - 1));
    }
    if (lw_tree_kind(t, expr) != LW_NODE_NAME)
        return false;
    for (uint32_t loop = look_loop_around(t, call); loop != LW_NO_NODE;
         loop = look_loop_around(t, loop)) {
        if (lw_tree_kind(t, loop) == LW_NODE_FOR && is_counter(t, loop, lw_tree_name(t, expr)))
            return true;
        uint32_t made = look_assigned(t, expr);
        if (made != LW_NO_NODE && look_inside(t, made, loop) &&
            is_changing_number(t, made, call, depth - 1))
            return true;
    }
    return false;
}

/* step(x, y, i): a number of Python is part of the trace, so that each i makes a new one. */
static void check_traced_call(struct ck *c, struct ck_file *file, uint32_t call,
                              struct lw_str function)
{
    const struct lw_tree *t = tree_of(file);
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (!is_changing_number(t, a, call, 4))
            continue;
        ck_find_at(c, file, call, "performance/retracing", NULL, 0,
                   "%.*s() is a tf.function and gets '%.*s', a number of Python: it is traced "
                   "anew for each value; pass tf.constant(%.*s)",
                   LW_F(function), LW_F(lw_tree_text(t, a)), LW_F(lw_tree_text(t, a)));
        return;
    }
}

static void check_traced(struct ck *c, struct ck_file *file, uint32_t function)
{
    const struct lw_tree *t = tree_of(file);
    uint32_t decorator = tracing(t, function);
    struct lw_str name = lw_tree_name(t, function);
    if (decorator == LW_NO_NODE)
        return;
    if (loop_around_definition(t, function) != LW_NO_NODE) {
        ck_find_at(c, file, decorator, "performance/retracing", NULL, 0,
                   "%.*s() is made a tf.function in each pass of the loop, and traced each "
                   "time: define it before the loop",
                   LW_F(name));
        return;
    }
    bool method = lw_tree_enclosing(t, function, LW_NODE_CLASS) != LW_NO_NODE;
    enum lw_node_kind form = method ? LW_NODE_ATTRIBUTE : LW_NODE_NAME;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_FUNC)) == form &&
            lw_str_eq(callee(t, n), name))
            check_traced_call(c, file, n, name);
}

/* ---- sums of losses -------------------------------------------------------------------------
 */

/* Is `term` what backward() is called of in the loop? */
static bool goes_back(const struct lw_tree *t, uint32_t loop, struct lw_str term)
{
    for (uint32_t call = look_method_call(t, loop, "backward"); call != LW_NO_NODE;
         call = look_next_call(t, loop, call, "backward")) {
        uint32_t owner = look_owner(t, call);
        if (owner != LW_NO_NODE && lw_str_eq(lw_tree_text(t, owner), term))
            return true;
    }
    return false;
}

/* The sum and what is added: total += loss, total = total + loss. */
static bool adds(const struct lw_tree *t, uint32_t n, struct lw_str *sum, struct lw_str *term)
{
    if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN) {
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        *sum = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET));
        *term = lw_tree_text(t, value);
        return lw_tree_node(t, n)->op == LW_OP_ADD &&
               (lw_tree_kind(t, value) == LW_NODE_NAME ||
                lw_tree_kind(t, value) == LW_NODE_ATTRIBUTE);
    }
    uint32_t value =
        lw_tree_kind(t, n) == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_VALUE) : LW_NO_NODE;
    if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_BIN_OP ||
        lw_tree_node(t, value)->op != LW_OP_ADD)
        return false;
    uint32_t right = lw_tree_get(t, value, LW_ROLE_RIGHT);
    *sum = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS));
    *term = lw_tree_text(t, right);
    return lw_str_eq(lw_tree_text(t, lw_tree_get(t, value, LW_ROLE_LEFT)), *sum) &&
           (lw_tree_kind(t, right) == LW_NODE_NAME ||
            lw_tree_kind(t, right) == LW_NODE_ATTRIBUTE);
}

/* The term is made a number before: loss = loss.item(). */
static bool is_plain(struct ck *c, struct lw_str text, struct lw_str term)
{
    static const char *const ends[] = {".item()", ".detach()", ".data"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (lw_str_find(text, ck_text(c, "%.*s = %.*s%s", LW_F(term), LW_F(term), ends[i])) !=
            LW_NPOS)
            return true;
    return lw_str_find(text, ck_text(c, "%.*s = float(", LW_F(term))) != LW_NPOS;
}

static void check_sum(struct ck *c, struct ck_file *file, uint32_t n)
{
    const struct lw_tree *t = tree_of(file);
    struct lw_str sum, term;
    if (!adds(t, n, &sum, &term))
        return;
    uint32_t loop = look_loop_around(t, n),
             function = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, function == LW_NO_NODE ? t->root : function);
    if (loop == LW_NO_NODE || !goes_back(t, loop, term) ||
        lw_str_find(whole, ck_text(c, "%.*s.backward", LW_F(sum))) != LW_NPOS ||
        is_plain(c, whole, term))
        return;
    ck_find_at(c, file, n, "api/loss-kept", NULL, 0,
               "'%.*s' adds up the losses of all steps with what hangs on them: the memory "
               "grows with every step; add %.*s.item(), or %.*s.detach()",
               LW_F(sum), LW_F(term), LW_F(term));
}

/* The place of a parameter that the method adds to or keeps in its object; -1: none. */
static int kept_parameter(const struct lw_tree *t, uint32_t method)
{
    uint32_t params = lw_tree_get(t, method, LW_ROLE_ARGS);
    uint32_t self = params == LW_NO_NODE ? params : lw_tree_get(t, params, LW_ROLE_ARGS);
    int place = 0;
    for (uint32_t p = self == LW_NO_NODE ? self : lw_tree_each(t, params, LW_ROLE_ARGS, self);
         p != LW_NO_NODE; p = lw_tree_each(t, params, LW_ROLE_ARGS, p), place++)
        for (uint32_t n = method; n != LW_NO_NODE; n = lw_tree_next(t, method, n, false)) {
            if (lw_tree_kind(t, n) != LW_NODE_AUG_ASSIGN || lw_tree_node(t, n)->op != LW_OP_ADD)
                continue;
            struct lw_str target = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET));
            uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
            if (lw_str_has_prefix(target, LW_S("self.")) &&
                look_has_name(t, value, lw_tree_name(t, p)) &&
                lw_str_find(lw_tree_text(t, value), LW_S("item()")) == LW_NPOS &&
                lw_str_find(lw_tree_text(t, value), LW_S("detach()")) == LW_NPOS &&
                lw_str_find(lw_tree_text(t, value), LW_S("float(")) == LW_NPOS)
                return place;
        }
    return -1;
}

/* A method of the program of this name that keeps its argument number `place`. */
static bool keeps(const struct lw_tree *t, struct lw_str name, int place)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION && lw_str_eq(lw_tree_name(t, n), name) &&
            lw_tree_enclosing(t, n, LW_NODE_CLASS) != LW_NO_NODE)
            return kept_parameter(t, n) == place;
    return false;
}

/* losses.append(loss), meter.update(loss) after loss.backward() */
static void check_keeping(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = tree_of(file);
    uint32_t loop = look_loop_around(t, call), owner = look_owner(t, call);
    struct lw_str name = callee(t, call);
    int place = 0;
    if (loop == LW_NO_NODE || owner == LW_NO_NODE)
        return;
    uint32_t function = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, function == LW_NO_NODE ? t->root : function);
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a), place++) {
        struct lw_str term = lw_tree_text(t, a);
        if (lw_tree_kind(t, a) != LW_NODE_NAME || !goes_back(t, loop, term) ||
            is_plain(c, whole, term) || (!look_is(name, "append") && !keeps(t, name, place)))
            continue;
        if (look_is(name, "append") && lw_tree_kind(t, owner) == LW_NODE_NAME) {
            uint32_t list = look_assigned(t, owner);
            if (list != LW_NO_NODE && look_inside(t, list, loop))
                return; /* a list of one step */
        }
        ck_find_at(c, file, call, "performance/graph-kept", NULL, 0,
                   "'%.*s' keeps the losses of all steps with what hangs on them: the memory "
                   "grows with every step; give it %.*s.item(), or %.*s.detach()",
                   LW_F(lw_tree_text(t, owner)), LW_F(term), LW_F(term));
        return;
    }
}

/* ---- evaluation -----------------------------------------------------------------------------
 */

/* model.eval() and a loop over data behind it, in a program that knows no no_grad(). */
static void check_evaluation(struct ck *c, struct ck_file *file, uint32_t eval)
{
    static const char *const words[] = {"no_grad",  "inference_mode", "set_grad_enabled",
                                        "volatile", "autograd.grad",  "requires_grad"};
    const struct lw_tree *t = tree_of(file);
    uint32_t owner = look_owner(t, eval), top = lw_tree_enclosing(t, eval, LW_NODE_FUNCTION);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ck_mentions(c, words[i]))
            return;
    if (owner == LW_NO_NODE || top == LW_NO_NODE || lw_tree_count(t, eval, LW_ROLE_ARGS) > 0 ||
        look_method_call(t, top, "backward") != LW_NO_NODE)
        return;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f == LW_NO_NODE || lw_tree_start(t, n) < lw_tree_start(t, eval) ||
            !lw_str_eq(lw_tree_text(t, f), lw_tree_text(t, owner)))
            continue;
        uint32_t loop = look_loop_around(t, n);
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR)
            continue;
        ck_find_at(
            c, file, n, "performance/missing-no-grad", NULL, 0,
            "the model is only evaluated here, but a graph for gradients is recorded with "
            "every batch: put the loop into torch.no_grad()");
        return;
    }
}

/* ---- one number at a time
 * --------------------------------------------------------------------
 */

/* for i …: for j …: out[i][j] = f(a[i], b[j]) of tensors. */
static void check_filling(struct ck *c, struct ck_file *file, uint32_t n)
{
    const struct lw_tree *t = tree_of(file);
    uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGETS), inner = look_loop_around(t, n);
    uint32_t outer = inner == LW_NO_NODE ? inner : look_loop_around(t, inner);
    if (outer == LW_NO_NODE || target == LW_NO_NODE ||
        lw_tree_kind(t, target) != LW_NODE_SUBSCRIPT || lw_tree_kind(t, inner) != LW_NODE_FOR ||
        lw_tree_kind(t, outer) != LW_NODE_FOR)
        return;
    uint32_t row = lw_tree_get(t, target, LW_ROLE_VALUE);
    uint32_t table = row != LW_NO_NODE && lw_tree_kind(t, row) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, row, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (table == LW_NO_NODE || lw_tree_kind(t, table) != LW_NODE_NAME ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_SLICE)),
                   lw_tree_text(t, lw_tree_get(t, inner, LW_ROLE_TARGET))) ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, row, LW_ROLE_SLICE)),
                   lw_tree_text(t, lw_tree_get(t, outer, LW_ROLE_TARGET))))
        return;
    uint32_t made = look_first_assigned(t, table), value = lw_tree_get(t, n, LW_ROLE_VALUE);
    struct lw_str text = made == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, made);
    if (lw_str_has_prefix(text, LW_S("torch.")) && lw_tree_kind(t, value) == LW_NODE_CALL)
        ck_find_at(c, file, target, "performance/python-loop", NULL, 0,
                   "a tensor is filled number by number in two loops: one operation on whole "
                   "tensors (broadcasting, cdist, einsum) is many times faster");
}

/* ---- one sample at a time ------------------------------------------------------------------
 */

/* np.expand_dims(x, 0), x.reshape(1, …), x[None], [x], x[i:i + 1]: made a batch of one. */
static bool is_one(struct lw_str text)
{
    static const char *const signs[] = {"expand_dims(", "newaxis", "[None", "reshape(1,",
                                        "reshape((1,",  "array([", "[["};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (lw_str_find(text, lw_str(signs[i])) != LW_NPOS)
            return true;
    return false;
}

/* for row in random.sample(memory, n): each is a sample. */
static bool is_over_samples(const struct lw_tree *t, uint32_t loop)
{
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    if (iter != LW_NO_NODE && lw_tree_kind(t, iter) == LW_NODE_NAME) {
        uint32_t made = look_assigned(t, iter);
        iter = made == LW_NO_NODE ? iter : made;
    }
    return iter != LW_NO_NODE &&
           lw_str_find(lw_tree_text(t, iter), LW_S(".sample(")) != LW_NPOS;
}

/* Is the name given a new value behind the call, for the next pass: frames that are predicted
 * one from the other? */
static bool is_carried(const struct lw_tree *t, struct lw_str name, uint32_t loop,
                       uint32_t call)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ASSIGN ||
             lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN) &&
            lw_tree_start(t, n) > lw_tree_start(t, call) &&
            look_has_name(t,
                          lw_tree_get(t, n,
                                      lw_tree_kind(t, n) == LW_NODE_ASSIGN ? LW_ROLE_TARGETS
                                                                           : LW_ROLE_TARGET),
                          name))
            return true;
    return false;
}

/* x[i:i + 1] */
static bool is_slice_of_one(const struct lw_tree *t, uint32_t node)
{
    uint32_t from = lw_tree_get(t, node, LW_ROLE_LOWER),
             to = lw_tree_get(t, node, LW_ROLE_UPPER);
    return lw_tree_kind(t, to) == LW_NODE_BIN_OP && lw_tree_node(t, to)->op == LW_OP_ADD &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, to, LW_ROLE_LEFT)),
                     lw_tree_text(t, from)) &&
           look_is(lw_tree_text(t, lw_tree_get(t, to, LW_ROLE_RIGHT)), "1");
}

/* Is the expression made of what the loop goes over, inside it? `one`: made a batch of one on
 * the way. */
static bool comes_from(const struct lw_tree *t, uint32_t expr, uint32_t loop, bool *one,
                       unsigned depth)
{
    uint32_t targets = lw_tree_get(t, loop, LW_ROLE_TARGET);
    *one |= is_one(lw_tree_text(t, expr));
    for (uint32_t n = expr; n != LW_NO_NODE && depth > 0; n = lw_tree_next(t, expr, n, false)) {
        *one |= lw_tree_kind(t, n) == LW_NODE_SLICE && is_slice_of_one(t, n);
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        if (look_has_name(t, targets, lw_tree_name(t, n)))
            return true;
        uint32_t made = look_assigned(t, n);
        if (made != LW_NO_NODE && look_inside(t, made, loop) &&
            comes_from(t, made, loop, one, depth - 1))
            return true;
    }
    return false;
}

static void check_predict(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = tree_of(file);
    uint32_t loop = look_loop_around(t, call), what = lw_tree_get(t, call, LW_ROLE_ARGS);
    if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR || what == LW_NO_NODE ||
        look_owner(t, call) == LW_NO_NODE)
        return;
    bool one = false;
    for (uint32_t n = what; n != LW_NO_NODE; n = lw_tree_next(t, what, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && is_carried(t, lw_tree_name(t, n), loop, call))
            return;
    if (!comes_from(t, what, loop, &one, 5) || (!one && !is_over_samples(t, loop)))
        return;
    ck_find_at(c, file, call, "performance/predict-per-sample", NULL, 0,
               "predict() is called for one sample at a time: give it all samples at once, or "
               "call the model itself");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = tree_of(file);
    bool keras = ck_mentions(c, "keras"), torch = ck_mentions(c, "torch");
    bool traced = ck_mentions(c, "tf.function");
    (void)e;
    if (file->source.text.n > MAX_TEXT)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_FUNCTION && traced)
            check_traced(c, file, n);
        if ((kind == LW_NODE_ASSIGN || kind == LW_NODE_AUG_ASSIGN) && torch)
            check_sum(c, file, n);
        if (kind == LW_NODE_ASSIGN && torch)
            check_filling(c, file, n);
        if (kind == LW_NODE_CALL && keras && look_is(callee(t, n), "predict"))
            check_predict(c, file, n);
        if (kind == LW_NODE_CALL && torch && look_is(callee(t, n), "eval"))
            check_evaluation(c, file, n);
        else if (kind == LW_NODE_CALL && torch)
            check_keeping(c, file, n);
    }
}

const struct ck_rule ck_rules_repeat[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
