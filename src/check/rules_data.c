/*
 * Rules about the data that a network is trained with: its scale on both sides of training, its
 * labels, what leaks from one part into another, and its order.
 */
#include <math.h>

#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"

/* ---- scale --------------------------------------------------------------------------------
 */

enum {
    LARGE = 50,   /* inputs of this size saturate or blow up an ordinary first layer */
    ANOTHER = 20, /* times as large: data of another scale */
};

static double size_of(const struct lw_tensor *t)
{
    return fmax(fabs(t->range.lo), fabs(t->range.hi));
}

static bool is_recurrent(const struct mv_stage *s)
{
    return s->kind == MV_OTHER && look_is(s->role, "recurrent");
}

/* The first learning layer of the chain, with only reshaping before it. */
static const struct mv_stage *first_learner(const struct mv_chain *chain)
{
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_LEARN || is_recurrent(s))
            return s;
        if (s->kind != MV_KEEP)
            return NULL;
    }
    return NULL;
}

static bool may_normalise(const struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_NORM || (s->kind == MV_OTHER && !is_recurrent(s)))
            return true;
    }
    return false;
}

static void check_scale(struct ck *c, uint32_t node, struct lw_value x,
                        const struct mv_chain *chain)
{
    const struct lw_tensor *t = ck_tensor_of(x);
    bool words = look_known_range(t) && (t->range.flags & LW_IV_WHOLE) && t->range.hi > 255 &&
                 ck_mentions(c, "Embedding("); /* behind a layer that is not followed */
    if (!look_known_range(t) || size_of(t) < LARGE || !first_learner(chain) || words ||
        may_normalise(chain))
        return;
    ck_find(c, node, "data/unscaled-input", &x, 1,
            "the inputs reach from %g to %g: scale them to about -1..1 before training",
            t->range.lo, t->range.hi);
}

/* By what the values of pixels are divided to come to about 1; 0: something else. */
static double pixel_scale(struct ck *c, bool divides, struct lw_value by)
{
    static const double ends[] = {127, 127.5, 128, 255, 256};
    double n = 0;
    if (!ck_number_of(c, by, &n) || n <= 0)
        return 0;
    n = divides ? n : 1 / n;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fabs(n - ends[i]) < 0.1)
            return ends[i];
    return 0;
}

/* Have the pixels been scaled before, with only changes of form since? `node` is not the step:
 * a loop may come by twice. What a data set hands out shows it by its range alone. */
static bool is_scaled(struct ck *c, struct lw_value v, uint32_t node)
{
    static const char *const steps[] = {"/", "*", "divide", "multiply", "div", "mul"};
    static const char *const whole[] = {"convert_image_dtype", "to_tensor", "ToTensor"};
    static const char *const forms[] = {
        "reshape", "view",    "astype", "cast",        "float",     "[]",      "resize",
        "array",   "asarray", "tensor", "from_numpy",  "as_tensor", "permute", "transpose",
        "stack",   "squeeze", "copy",   "expand_dims", "unsqueeze", "flatten", "to"};
    for (unsigned i = 0; i < 8; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!o)
            return look_known_range(t) && t->range.lo >= -1 && t->range.hi == 1;
        struct lw_str name = look_tail(o->op);
        if (!o->in_count || (o->file == c->frame->file && o->node == node))
            return false;
        if (look_is_any(name, whole, sizeof whole / sizeof *whole))
            return true;
        if (o->in_count > 1 && look_is_any(name, steps, sizeof steps / sizeof *steps))
            return pixel_scale(c, name.p[0] == '/' || name.p[0] == 'd', o->in[1]) > 0;
        if (!look_is_any(name, forms, sizeof forms / sizeof *forms))
            return false;
        v = o->in[0];
    }
    return false;
}

/* x / 255 of pixels that are between 0 and 1 already. */
static void watch_scaling(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *t = ck_tensor_of(e->a);
    if ((e->op != LW_OP_DIV && e->op != LW_OP_MULT) || !t || c->frame->guarded ||
        ((t->range.flags & LW_IV_KNOWN) && size_of(t) > 1.01))
        return;
    double by = pixel_scale(c, e->op == LW_OP_DIV, e->b);
    if (by > 0 && is_scaled(c, e->a, e->node))
        ck_find(c, e->node, "data/scaled-twice", &e->a, 1,
                "the values were brought to about 1 before, and are divided by %g again: they "
                "end near %.1g, where the network hardly sees them",
                by, 1 / by);
}

static void watch_input(struct ck *c, const struct ck_event *e)
{
    check_scale(c, e->node, e->a, mv_of_model(c, e->object));
}

/* The same where a loop of torch computes its loss. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = mv_loss_input(c, e);
    const struct ck_origin *o = ck_origin_of(c, out);
    if (!o || (out.tensor->framework != LW_TORCH && !ck_mentions(c, "GradientTape")) ||
        !look_in_loop(c))
        return;
    const struct mv_chain *chain = mv_of_tensor(c, out);
    if (chain && chain->n)
        check_scale(c, e->node, chain->stage[0].in, chain);
}

/* Trained on data of one scale, used on data of another. */
static void compare_scale(struct ck *c, const struct ck_event *e, struct lw_value trained,
                          struct lw_value used)
{
    const struct lw_tensor *a = ck_tensor_of(trained), *b = ck_tensor_of(used);
    if (!look_known_range(a) || !look_known_range(b) || size_of(a) == 0 || size_of(b) == 0)
        return;
    double times = size_of(b) / size_of(a);
    if (times < ANOTHER && times > 1.0 / ANOTHER)
        return;
    struct lw_value causes[2] = {trained, used};
    ck_find(c, e->node, "data/scaled-on-one-side", causes, 2,
            "the model is trained on values of %g to %g and gets %g to %g here: do the same to "
            "both",
            a->range.lo, a->range.hi, b->range.lo, b->range.hi);
}

static void watch_training_scale(struct ck *c, const struct ck_event *e)
{
    struct lw_value validation = ck_arg(e->call, 7, "validation_data");
    struct lw_seq seq;
    if (e->a.kind == LW_V_TENSOR)
        ck_set_field(c, e->object, "(trained-on)", e->a);
    if (validation.kind == LW_V_TUPLE && ck_sequence(c, validation, &seq) && seq.n >= 2)
        compare_scale(c, e, e->a, seq.items[0]);
    else
        compare_scale(c, e, e->a, ck_inputs_of(c, validation, e->node));
}

static void watch_use(struct ck *c, const struct ck_event *e)
{
    struct lw_value trained = ck_field(c, e->object, "(trained-on)");
    if (trained.kind == LW_V_TENSOR)
        compare_scale(c, e, trained, e->a);
}

/* ---- labels -------------------------------------------------------------------------------
 */

static const struct lw_api *index_loss(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    return loss && look_is(lw_api_fact(loss, "target"), "index") ? loss : NULL;
}

/* Class numbers that were divided like pixels. */
static void watch_labels(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b);
    if (!index_loss(c, e) || !look_known_range(y) || (y->range.flags & LW_IV_WHOLE) ||
        lw_set_within(y->dtype, LW_FLOATS) != LW_TRI_YES)
        return;
    if (y->range.lo < 0 || y->range.hi > 1 || y->range.lo == y->range.hi)
        return;
    ck_find(c, e->node, "data/labels-scaled", &e->b, 1,
            "the loss takes class numbers, but the labels lie between %g and %g: they were "
            "scaled like inputs; leave them as they are",
            y->range.lo, y->range.hi);
}

/* cat([zeros, ones]): between 0 and 1, but nothing in between. */
static bool is_made_of_whole(struct ck *c, struct lw_value v)
{
    static const char *const joins[] = {"cat",    "concatenate", "concat", "hstack",
                                        "vstack", "stack",       "append"};
    const struct ck_origin *o = look_made_by(c, v, joins, sizeof joins / sizeof *joins);
    struct lw_seq seq;
    if (!o)
        return false;
    if (o->in[0].kind == LW_V_TENSOR)
        seq = (struct lw_seq){.items = o->in, .n = o->in_count < 2 ? o->in_count : 2};
    else if (!ck_sequence(c, o->in[0], &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct lw_tensor *t = ck_tensor_of(seq.items[i]);
        if (!t || t->range.lo != t->range.hi || t->range.lo != floor(t->range.lo))
            return false;
    }
    return seq.n > 0;
}

/* Values between 0 and 1 made whole numbers: all of them become 0. */
static void watch_truncation(struct ck *c, const struct ck_event *e)
{
    static const char *const casts[] = {"astype", "long", "int",  "byte",
                                        "to",     "type", "cast", "short"};
    struct lw_str name = look_tail(e->call->name);
    bool is_cast = false;
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        is_cast |= look_is(name, casts[i]);
    struct lw_value x = look_operand(e->call);
    const struct lw_tensor *from = ck_tensor_of(x), *to = ck_tensor_of(e->value);
    if (!is_cast || !from || !to || !look_known_range(from) ||
        lw_set_within(from->dtype, LW_FLOATS) != LW_TRI_YES ||
        lw_set_within(to->dtype, LW_INTS) != LW_TRI_YES || (from->range.flags & LW_IV_WHOLE) ||
        from->range.lo < 0 || from->range.hi > 1 || from->range.lo == from->range.hi)
        return;
    if (is_made_of_whole(c, x))
        return;
    ck_find(c, e->node, "data/fraction-to-integer", &x, 1,
            "values of %g to %g become whole numbers by cutting: nearly all of them are 0; "
            "compare with a threshold, round, or multiply first",
            from->range.lo, from->range.hi);
}

/* Is it pixels / 255, or of a range between 0 and 1? */
static bool is_fraction(struct ck *c, struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    const struct ck_origin *o = ck_origin_of(c, v);
    double by;
    if (!t || lw_set_within(t->dtype, LW_INTS) == LW_TRI_YES)
        return false;
    if (o && look_is(o->op, "/") && o->in_count == 2 && ck_number_of(c, o->in[1], &by) &&
        by >= 255 && by <= 256)
        return true;
    return lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES && look_known_range(t) &&
           !(t->range.flags & LW_IV_WHOLE) && t->range.lo >= 0 && t->range.hi <= 1 &&
           t->range.lo < t->range.hi;
}

/* data[i] = picture / 255 of an array of whole numbers. */
static void watch_stored_fraction(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *into = ck_tensor_of(e->a);
    if (!into || (into->framework & ~LW_NUMPY) ||
        lw_set_within(into->dtype, LW_INTS) != LW_TRI_YES || !is_fraction(c, e->value) ||
        is_made_of_whole(c, e->value))
        return;
    ck_find(c, e->node, "data/fraction-to-integer", &e->value, 1,
            "the array holds whole numbers, and fractions between 0 and 1 are cut when they "
            "are stored: nearly all of them are 0; make the array of floats");
}

/* Class numbers for which the network has no unit. */
static void check_classes(struct ck *c, uint32_t node, struct lw_value target,
                          struct mv_output out)
{
    const struct lw_tensor *y = ck_tensor_of(target);
    if (!look_known_range(y) || !out.known || out.width < 2 || look_top(y) < (double)out.width)
        return;
    if (y->range.lo == 1 && look_top(y) == (double)out.width)
        ck_find(c, node, "data/class-out-of-range", &target, 1,
                "the classes are numbered from 1 to %g, the loss wants 0 to %lld: subtract 1",
                look_top(y), (long long)out.width - 1);
    else
        ck_find_at(c, out.learner->file, out.learner->node, "architecture/too-few-units",
                   &target, 1,
                   "the classes are numbered from %g to %g, but the network has %lld units: "
                   "give it one for each class",
                   y->range.lo, look_top(y), (long long)out.width);
}

static void watch_classes(struct ck *c, const struct ck_event *e)
{
    if (index_loss(c, e))
        check_classes(c, e->node, e->b, mv_output_of(c, mv_of_model(c, e->object)));
}

/* The same where a loss of Keras is called in a loop of the program's own. */
static void watch_loss_classes(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    struct lw_value out = mv_loss_input(c, e);
    if (out.kind == LW_V_TENSOR && lw_str_has_prefix(api->name, LW_S("keras.")) &&
        look_is(lw_api_fact(api, "target"), "index"))
        check_classes(c, e->node, mv_loss_target(c, e), mv_output_of(c, mv_of_tensor(c, out)));
}

/* ---- leaks --------------------------------------------------------------------------------
 */

static bool is_scaler(const struct lw_api *api)
{
    return api && look_is(lw_api_fact(api, "role"), "scaler");
}

/* What numbers labels anew learns nothing from the values. */
static bool is_encoder(struct lw_str method)
{
    return lw_str_find(method, LW_S("Encoder")) != LW_NPOS ||
           lw_str_find(method, LW_S("Binarizer")) != LW_NPOS;
}

/* How it came to be, before it was cut, wrapped or reshaped. */
static const struct ck_origin *first_form(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]",      "DataFrame", "values",  "to_numpy", "array",
                                        "asarray", "reshape",   "astype",  "iloc",     "drop",
                                        "copy",    "squeeze",   "flatten", "ravel"};
    const struct ck_origin *o = ck_origin_of(c, v);
    for (unsigned i = 0; o && i < 8; i++) {
        if (!look_is_any(look_tail(o->op), forms, sizeof forms / sizeof *forms) || !o->in_count)
            break;
        o = ck_origin_of(c, o->in[0]);
    }
    return o;
}

/* train_test_split(scaler.fit_transform(X)): the scale of the test data is known in training.
 */
static void watch_split(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_has_suffix(e->call->name, LW_S(".train_test_split")))
        return;
    for (size_t i = 0; i < e->call->n && !e->call->args[i].name.n; i++) {
        const struct ck_origin *o = first_form(c, e->call->args[i].value);
        if (!o || !look_is(look_tail(o->op), "fit_transform") || is_encoder(o->op))
            continue;
        ck_find(c, e->call->args[i].node, "data/scaler-leak", &e->call->args[i].value, 1,
                "the scaler was fitted on all data before the split: fit it on the training "
                "part and only transform the test part");
        return;
    }
}

static bool names_test_data(struct lw_str text)
{
    static const char *const words[] = {"test", "val", "Test", "TEST", "Val"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS &&
            lw_str_find(text, LW_S("train")) == LW_NPOS &&
            lw_str_find(text, LW_S("alue")) == LW_NPOS)
            return true;
    return false;
}

/* A scaler that was fitted on the training data is fitted again on the test data. */
static void watch_refit(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    struct lw_str method = look_tail(e->call->name);
    if (!o || o->of || !is_scaler(o->api) || !e->call->n ||
        (!look_is(method, "fit_transform") && !look_is(method, "fit")))
        return;
    bool again = ck_field(c, o, "(fitted)").kind != LW_V_ABSENT;
    uint32_t argument = e->call->args[0].node;
    ck_set_field(c, o, "(fitted)", lw_v_tri(LW_TRI_YES));
    if (!again || argument == LW_NO_NODE || c->frame->loop ||
        !names_test_data(lw_tree_text(t, argument)))
        return;
    ck_hint(c, (struct ck_hint){.was = method});
    ck_find(c, e->node, "data/scaler-refitted", NULL, 0,
            "the scaler is fitted again on the test data, which gets another scale than the "
            "training data: call transform() only");
}

/* ---- order --------------------------------------------------------------------------------
 */

enum { MAX_SHUFFLED = 8 };

/* Names of the arrays that were shuffled in place one after another. */
struct shuffled {
    struct lw_str names[MAX_SHUFFLED];
    uint32_t nodes[MAX_SHUFFLED];
    struct ck_file *file;
    size_t n;
};

static const char shuffled_key;

static bool looks_like(struct lw_str name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(name, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

static bool is_label_name(struct lw_str name)
{
    static const char *const words[] = {"label", "target", "class", "Label", "kind"};
    return look_is(name, "y") || look_is(name, "Y") || lw_str_has_prefix(name, LW_S("y_")) ||
           lw_str_has_prefix(name, LW_S("Y_")) || lw_str_has_suffix(name, LW_S("_y")) ||
           lw_str_has_suffix(name, LW_S("_Y")) ||
           looks_like(name, words, sizeof words / sizeof *words);
}

/* shuffle(x); shuffle(y): the labels belong to other samples now, unless the generator was set
 * back in between. */
static void watch_shuffle(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct shuffled *s = ck_state(c, &shuffled_key, sizeof *s);
    struct lw_str tail = look_tail(e->call->name);
    if (!s || !c->frame)
        return;
    if (look_is(tail, "seed") || look_is(tail, "set_state")) {
        s->n = 0;
        return;
    }
    if (!look_is(tail, "shuffle") || e->call->n != 1 || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, e->call->args[0].node) != LW_NODE_NAME)
        return;
    struct lw_str name = lw_tree_name(t, e->call->args[0].node);
    uint32_t block = lw_tree_parent(t, lw_tree_statement(t, e->node));
    for (size_t i = 0; i < s->n && s->file == c->frame->file; i++)
        if (!lw_str_eq(s->names[i], name) &&
            lw_tree_parent(t, lw_tree_statement(t, s->nodes[i])) == block &&
            is_label_name(name) != is_label_name(s->names[i])) {
            ck_find(c, e->node, "data/shuffled-apart", NULL, 0,
                    "'%.*s' and '%.*s' are shuffled each in its own order: labels no longer "
                    "belong to their samples; draw one permutation and index both with it",
                    LW_F(s->names[i]), LW_F(name));
            return;
        }
    if (s->n >= MAX_SHUFFLED || s->file != c->frame->file)
        s->n = 0;
    s->file = c->frame->file;
    s->names[s->n] = name;
    s->nodes[s->n++] = e->node;
}

/* A folder of classes is read class by class. */
static bool is_sorted_set(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    (void)c;
    return o && !o->of && o->api &&
           (lw_str_has_suffix(o->api->name, LW_S(".ImageFolder")) ||
            lw_str_has_suffix(o->spelt, LW_S(".DatasetFolder")));
}

/* The loader of a loop that trains. */
static void watch_order(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    if (!e->flag || !o || o->of || !o->api ||
        !lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) ||
        look_method_call(t, e->node, "backward") == LW_NO_NODE ||
        look_method_call(t, e->node, "step") == LW_NO_NODE)
        return;
    struct lw_value shuffle = ck_config(o, "shuffle"), sampler = ck_config(o, "sampler");
    struct lw_value batches = ck_config(o, "batch_sampler");
    bool drawn = (sampler.kind != LW_V_ABSENT && sampler.kind != LW_V_NONE) ||
                 (batches.kind != LW_V_ABSENT && batches.kind != LW_V_NONE);
    if (drawn ||
        (shuffle.kind != LW_V_ABSENT && shuffle.kind != LW_V_NONE &&
         ck_truth(c, shuffle) != LW_TRI_NO) ||
        !is_sorted_set(c, ck_config(o, "dataset")))
        return;
    ck_find_at(c, o->file, o->node, "data/not-shuffled", NULL, 0,
               "the training data comes class by class and is not shuffled: the network learns "
               "one class and forgets it with the next; use shuffle=True");
}

/* ---- iterators that are used up -----------------------------------------------------------
 */

static bool is_assigned_in(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name) != LW_NPOS)
            return true;
    return false;
}

static bool has_break(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_BREAK || lw_tree_kind(t, n) == LW_NODE_RETURN)
            return true;
    return false;
}

/* A generator that was made before the outer loop: its second pass finds nothing. */
static void watch_iterator(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->a, CK_LIST);
    bool once = o && ck_field(c, o, "(once)").kind == LW_V_BOOL;
    uint32_t over = e->flag && once && lw_tree_kind(t, e->node) == LW_NODE_FOR
                        ? lw_tree_get(t, e->node, LW_ROLE_ITER)
                        : LW_NO_NODE;
    uint32_t outer = over == LW_NO_NODE ? over : look_loop_around(t, e->node);
    if (outer == LW_NO_NODE || lw_tree_kind(t, over) != LW_NODE_NAME || has_break(t, e->node) ||
        is_assigned_in(t, outer, lw_tree_name(t, over)) ||
        look_has_name(t, lw_tree_get(t, outer, LW_ROLE_TARGET), lw_tree_name(t, over)))
        return;
    ck_find(c, over, "data/iterator-exhausted", NULL, 0,
            "'%.*s' is a generator that the first pass of the outer loop uses up: all later "
            "passes see no data; make it a list, or make a new one in each pass",
            LW_F(lw_tree_name(t, over)));
}

/* ---- generators of images -----------------------------------------------------------------
 */

static const char *const random_settings[] = {
    "rotation_range", "width_shift_range", "height_shift_range", "shear_range",
    "zoom_range",     "horizontal_flip",   "vertical_flip",      "channel_shift_range"};

static bool is_augmenting(struct ck *c, const struct ck_object *generator)
{
    double x;
    for (size_t i = 0; i < sizeof random_settings / sizeof *random_settings; i++) {
        struct lw_value v = ck_config(generator, random_settings[i]);
        if ((v.kind == LW_V_BOOL && v.tri == LW_TRI_YES) ||
            (v.kind != LW_V_BOOL && ck_number_of(c, v, &x) && x > 0))
            return true;
    }
    return false;
}

static void watch_flow(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (o && e->call->self.kind == CK_INSTANCE &&
        lw_str_find(e->call->name, LW_S("ImageDataGenerator.flow")) != LW_NPOS)
        ck_set_field(c, o, "(generator)", e->call->self);
}

static struct ck_object *generator_of(struct ck *c, struct lw_value flow)
{
    struct ck_object *o = ck_as(flow, CK_INSTANCE);
    return o ? ck_as(ck_field(c, o, "(generator)"), CK_INSTANCE) : NULL;
}

/* The generator standardises what the network is trained on, and what it is validated on is as
 * it was read. */
static void watch_standardised(struct ck *c, const struct ck_event *e)
{
    bool old = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct ck_object *generator = generator_of(c, ck_arg(e->call, 0, old ? "generator" : "x"));
    struct lw_value data = ck_arg(e->call, old ? 5 : 7, "validation_data");
    struct lw_seq seq;
    if (!generator || generator->of || data.kind != LW_V_TUPLE || !ck_sequence(c, data, &seq) ||
        seq.n < 2 ||
        (ck_truth(c, ck_config(generator, "featurewise_std_normalization")) != LW_TRI_YES &&
         ck_truth(c, ck_config(generator, "samplewise_std_normalization")) != LW_TRI_YES))
        return;
    const struct lw_tensor *t = ck_tensor_of(seq.items[0]);
    if (!look_known_range(t) || size_of(t) < LARGE)
        return;
    ck_find(c, e->node, "data/scaled-on-one-side", &seq.items[0], 1,
            "the generator standardises the training data, but the validation data goes in "
            "with values of %g to %g: use the same statistics for both",
            t->range.lo, t->range.hi);
}

static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    bool old = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct lw_value data = ck_arg(e->call, old ? 5 : 7, "validation_data");
    struct ck_object *generator = generator_of(c, data);
    struct ck_object *flow = ck_as(data, CK_INSTANCE);
    if (!generator || generator->of || !is_augmenting(c, generator))
        return;
    ck_find_at(c, flow->file, flow->node, "data/augmented-validation", NULL, 0,
               "the validation images are rotated, shifted or flipped at random like those of "
               "training: use a generator that only scales them");
}

/* Is one of the transforms random? */
static bool is_random_transform(struct ck *c, struct lw_value v)
{
    static const char *const names[] = {"ColorJitter", "AutoAugment", "RandAugment",
                                        "TrivialAugmentWide", "AugMix"};
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || o->of)
        return false;
    struct lw_str name = look_tail(o->api ? o->api->name : o->name);
    if (!look_is(name, "Compose"))
        return lw_str_has_prefix(name, LW_S("Random")) ||
               look_is_any(name, names, sizeof names / sizeof *names);
    struct lw_value list = ck_config(o, "transforms");
    if (!ck_sequence(c, list, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct ck_object *one = ck_as(seq.items[i], CK_INSTANCE);
        struct lw_str inner =
            one ? look_tail(one->api ? one->api->name : one->name) : (struct lw_str){0};
        if (lw_str_has_prefix(inner, LW_S("Random")) ||
            look_is_any(inner, names, sizeof names / sizeof *names))
            return true;
    }
    return false;
}

/* The last part of a path. */
static struct lw_str last_part(struct lw_str path)
{
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    ptrdiff_t slash = lw_str_find_last_char(path, '/');
    return slash < 0 ? path : lw_str_part(path, (size_t)slash + 1, path.n);
}

/* CIFAR10(train=False, transform=augment), ImageFolder("data/val", augment) */
static void watch_test_set(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || o->of || !o->api || o->api->kind != LW_API_DATASET)
        return;
    struct lw_value train = ck_config(o, "train"), split = ck_config(o, "split");
    struct lw_value root = ck_config(o, "root");
    bool tests = (train.kind == LW_V_BOOL && train.tri == LW_TRI_NO) ||
                 (split.kind == LW_V_STR && split.str.p && names_test_data(split.str)) ||
                 (root.kind == LW_V_STR && root.str.p && train.kind == LW_V_ABSENT &&
                  names_test_data(last_part(root.str)));
    if (tests && is_random_transform(c, ck_config(o, "transform")))
        ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                "the test pictures are changed at random like those of training: use only "
                "transforms that always do the same");
}

/* The data set that a loader or a part goes back to. */
static struct ck_object *whole_set(const struct ck_object *o)
{
    struct ck_object *set = NULL;
    for (unsigned i = 0; o && !o->of && o->api && i < 4; i++) {
        bool part = lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) ||
                    lw_str_has_suffix(o->api->name, LW_S("data.Subset"));
        if (!part)
            break;
        set = ck_as(ck_config(o, "dataset"), CK_INSTANCE);
        o = set;
    }
    return set;
}

/* val_set = OwnDataset(files, transform=augment) */
static void watch_own_test_set(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || !o->of || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !names_test_data(lw_tree_name(t, e->node)) ||
        !ck_is_a(c, e->value, "torch.utils.data.Dataset"))
        return;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (lw_str_find(heap_name(&c->heap, s->name), LW_S("transform")) != LW_NPOS &&
            is_random_transform(c, s->value)) {
            ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                    "what is validated is changed at random: the figures vary from run to run "
                    "and are worse than they should be; use a transform without random parts");
            return;
        }
}

/* val_transform = train_transform, which has random parts */
static void watch_same_transform(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t s = lw_tree_statement(t, e->node);
    uint32_t value = s != LW_NO_NODE && lw_tree_kind(t, s) == LW_NODE_ASSIGN
                         ? lw_tree_get(t, s, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_NAME ||
        lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !names_test_data(lw_tree_name(t, e->node)) ||
        lw_str_find(lw_tree_name(t, e->node), LW_S("transform")) == LW_NPOS ||
        lw_str_find(lw_tree_name(t, value), LW_S("train")) == LW_NPOS)
        return;
    struct lw_str name = lw_tree_name(t, value);
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name) &&
            lw_str_find(lw_tree_text(t, n), LW_S(".Rand")) != LW_NPOS) {
            ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                    "'%.*s' changes pictures at random, and what is validated gets it too: "
                    "make one without random parts",
                    LW_F(name));
            return;
        }
}

/* valid = DataLoader(train_set, sampler=…), train, valid = random_split(train_set, …): a part
 * of a data set has the transforms of the whole. */
static void watch_test_part(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || o->of || !o->api || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !names_test_data(lw_tree_name(t, e->node)) || ck_mentions(c, ".dataset.") ||
        ck_mentions(c, ".dataset ="))
        return;
    uint32_t statement = lw_tree_statement(t, e->node);
    struct ck_object *set = whole_set(o);
    bool sampled = set && lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) &&
                   ck_config(o, "sampler").kind == CK_INSTANCE;
    bool part = set && ck_as(ck_config(o, "dataset"), CK_INSTANCE) != set;
    bool split = !set && o->api->kind == LW_API_DATASET && statement != LW_NO_NODE &&
                 lw_str_find(lw_tree_text(t, statement), LW_S("random_split(")) != LW_NPOS;
    struct lw_value train = ck_config(split ? o : set ? set : o, "train");
    if ((!sampled && !part && !split) || (train.kind == LW_V_BOOL && train.tri == LW_TRI_NO) ||
        !is_random_transform(c, ck_config(split ? o : set, "transform")))
        return;
    ck_find(c, e->node, "data/augmented-validation", NULL, 0,
            "'%.*s' is a part of the training set and shares its random transforms: read the "
            "data a second time with transforms that always do the same",
            LW_F(lw_tree_name(t, e->node)));
}

const struct ck_rule ck_rules_data[] = {
    {CK_EV_ASSIGN, watch_own_test_set},
    {CK_EV_ASSIGN, watch_same_transform},
    {CK_EV_FIT, watch_input},
    {CK_EV_FIT, watch_training_scale},
    {CK_EV_FIT, watch_labels},
    {CK_EV_FIT, watch_classes},
    {CK_EV_FIT, watch_augmented},
    {CK_EV_FIT, watch_standardised},
    {CK_EV_PREDICT, watch_use},
    {CK_EV_CALL | CK_EV_LAYER, watch_loss},
    {CK_EV_CALL | CK_EV_LAYER, watch_loss_classes},
    {CK_EV_CALL, watch_split},
    {CK_EV_CALL, watch_truncation},
    {CK_EV_STORE, watch_stored_fraction},
    {CK_EV_CALL, watch_refit},
    {CK_EV_CALL, watch_shuffle},
    {CK_EV_CALL, watch_flow},
    {CK_EV_CALL, watch_test_set},
    {CK_EV_ASSIGN, watch_test_part},
    {CK_EV_LOOP, watch_order},
    {CK_EV_LOOP, watch_iterator},
    {CK_EV_OPERATOR, watch_scaling},
    {0, NULL},
};
