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

/* step(x, y, i): a number of Python is part of the trace, so that each i makes a new one. */
static void check_traced_call(struct ck *c, struct ck_file *file, uint32_t call,
                              struct lw_str function)
{
    const struct lw_tree *t = tree_of(file);
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (lw_tree_kind(t, a) != LW_NODE_NAME)
            continue;
        for (uint32_t loop = look_loop_around(t, call); loop != LW_NO_NODE;
             loop = look_loop_around(t, loop))
            if (lw_tree_kind(t, loop) == LW_NODE_FOR &&
                is_counter(t, loop, lw_tree_name(t, a))) {
                ck_find_at(c, file, call, "performance/retracing", NULL, 0,
                           "%.*s() is a tf.function and gets '%.*s', a number of Python: it is "
                           "traced anew for each value; pass tf.constant(%.*s)",
                           LW_F(function), LW_F(lw_tree_name(t, a)), LW_F(lw_tree_name(t, a)));
                return;
            }
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
    if (lw_tree_enclosing(t, function, LW_NODE_CLASS) != LW_NO_NODE)
        return; /* self stands before the arguments */
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_FUNC)) == LW_NODE_NAME &&
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
    ck_find_at(c, file, n, "performance/graph-kept", NULL, 0,
               "'%.*s' adds up the losses of all steps with what hangs on them: the memory "
               "grows with every step; add %.*s.item(), or %.*s.detach()",
               LW_F(sum), LW_F(term), LW_F(term));
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

static bool has_any_name(const struct lw_tree *t, uint32_t expr, uint32_t targets)
{
    for (uint32_t n = targets; n != LW_NO_NODE; n = lw_tree_next(t, targets, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && look_has_name(t, expr, lw_tree_name(t, n)))
            return true;
    return false;
}

static void check_predict(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = tree_of(file);
    uint32_t loop = look_loop_around(t, call), what = lw_tree_get(t, call, LW_ROLE_ARGS);
    if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR || what == LW_NO_NODE ||
        look_owner(t, call) == LW_NO_NODE)
        return;
    uint32_t made = lw_tree_kind(t, what) == LW_NODE_NAME ? look_assigned(t, what) : LW_NO_NODE;
    if (made != LW_NO_NODE && !look_inside(t, made, loop))
        made = LW_NO_NODE;
    uint32_t source = made == LW_NO_NODE ? what : made;
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    if (!has_any_name(t, source, target) ||
        (!is_one(lw_tree_text(t, source)) && !is_over_samples(t, loop)))
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
        else if ((kind == LW_NODE_ASSIGN || kind == LW_NODE_AUG_ASSIGN) && torch)
            check_sum(c, file, n);
        else if (kind == LW_NODE_CALL && keras && look_is(callee(t, n), "predict"))
            check_predict(c, file, n);
    }
}

const struct ck_rule ck_rules_repeat[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
