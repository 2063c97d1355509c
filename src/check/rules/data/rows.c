/*
 * Rules about the rows that a network is trained with, where the program itself shows how they
 * are made: rows that come class by class, classes that are rare, and data sets that are
 * changed by those who read them.
 */
#include <math.h>

#include "base/str.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/query/rows.h"
#include "check/rules/rules.h"

/* ---- lists that are filled class by class -------------------------------------------------
 */

static bool is_target_of(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    return syntax_has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), name);
}

static bool is_bound_in(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    if (lw_tree_kind(t, loop) == LW_NODE_FOR && is_target_of(t, loop, name))
        return true;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_FOR && is_target_of(t, n, name))
            return true;
        uint32_t target = kind == LW_NODE_ASSIGN       ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                          : kind == LW_NODE_AUG_ASSIGN ? lw_tree_get(t, n, LW_ROLE_TARGET)
                                                       : LW_NO_NODE;
        if (target != LW_NO_NODE && lw_str_find(lw_tree_text(t, target), name) != LW_NPOS)
            return true;
    }
    return false;
}

/* Does the loop draw what it goes over, or the rows it makes? */
static bool is_drawn_loop(const struct lw_tree *t, uint32_t loop)
{
    struct lw_str over = lw_tree_text(t, lw_tree_get(t, loop, LW_ROLE_ITER));
    return lw_str_find(over, LW_S("shuffle")) != LW_NPOS ||
           lw_str_find(over, LW_S("rand")) != LW_NPOS ||
           lw_str_find(over, LW_S("sample")) != LW_NPOS ||
           lw_str_find(over, LW_S("perm")) != LW_NPOS;
}

/* Is each pass of the loop about another class? What is counted is; so is what goes over a
 * written list, a folder, or something that is called classes. */
static bool is_over_classes(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    static const char *const words[] = {"class",  "Class",   "CLASS",  "label",
                                        "LABEL",  "categor", "CATEG",  "listdir",
                                        "range(", "folders", "subdirs"};
    uint32_t over = lw_tree_get(t, loop, LW_ROLE_ITER);
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    if (over == LW_NO_NODE || target == LW_NO_NODE)
        return false;
    struct lw_str text = lw_tree_text(t, over);
    if (lw_str_has_prefix(text, LW_S("zip(")))
        return false;
    if (lw_str_has_prefix(text, LW_S("enumerate(")) &&
        lw_tree_kind(t, target) == LW_NODE_TUPLE &&
        lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_ELTS)), name))
        return true;
    if (lw_tree_kind(t, over) == LW_NODE_LIST || lw_tree_kind(t, over) == LW_NODE_TUPLE)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* The same name is added by every pass of the loops inside of the one that gives it a value:
 *     for label, folder in enumerate(folders):
 *         for path in os.listdir(folder):
 *             labels.append(label)
 * `inside` loops have to lie between. */
static bool is_class_name(const struct lw_tree *t, uint32_t node, struct lw_str name,
                          unsigned inside)
{
    uint32_t loop = syntax_loop_around(t, node);
    for (; loop != LW_NO_NODE; loop = syntax_loop_around(t, loop)) {
        if (lw_tree_kind(t, loop) != LW_NODE_FOR || is_drawn_loop(t, loop))
            return false;
        if (is_bound_in(t, loop, name))
            return inside == 0 && is_over_classes(t, loop, name);
        inside -= inside > 0;
    }
    return false;
}

/* The same for an expression: label, labels[folder], names.index(folder). */
static bool is_class_item(const struct lw_tree *t, uint32_t node, uint32_t item)
{
    uint32_t inner = syntax_loop_around(t, node);
    bool found = false;
    enum lw_node_kind kind = lw_tree_kind(t, item);
    if (inner == LW_NO_NODE ||
        (kind != LW_NODE_NAME && kind != LW_NODE_SUBSCRIPT && kind != LW_NODE_CALL))
        return false;
    for (uint32_t n = item; n != LW_NO_NODE; n = lw_tree_next(t, item, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        if (is_bound_in(t, inner, lw_tree_name(t, n)))
            return false;
        found |= is_class_name(t, node, lw_tree_name(t, n), 1);
    }
    return found;
}

static void note_blocks(struct ck *c, struct lw_value list)
{
    struct ck_object *o = ck_as(list, CK_LIST);
    if (o)
        note_set(c, o, NOTE_BLOCKS, lw_v_tri(LW_TRI_YES));
}

/* [name] * n: the name. */
static bool repeated_name(const struct lw_tree *t, uint32_t node, struct lw_str *name)
{
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_BIN_OP ||
        lw_tree_node(t, node)->op != LW_OP_MULT)
        return false;
    uint32_t list = lw_tree_get(t, node, LW_ROLE_LEFT);
    if (lw_tree_kind(t, list) != LW_NODE_LIST)
        list = lw_tree_get(t, node, LW_ROLE_RIGHT);
    uint32_t item =
        lw_tree_kind(t, list) == LW_NODE_LIST ? lw_tree_get(t, list, LW_ROLE_ELTS) : LW_NO_NODE;
    if (item == LW_NO_NODE || lw_tree_kind(t, item) != LW_NODE_NAME ||
        lw_tree_count(t, list, LW_ROLE_ELTS) != 1)
        return false;
    *name = lw_tree_name(t, item);
    return true;
}

/* One loop that only adds 0, then one that only adds 1. */
static bool is_filled_in_turn(const struct lw_tree *t, uint32_t call)
{
    uint32_t function = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    uint32_t top = function == LW_NO_NODE ? t->root : function;
    struct lw_str owner = lw_tree_text(t, syntax_owner(t, call)), last = {0};
    uint32_t loop = LW_NO_NODE;
    unsigned runs = 0;
    for (uint32_t n = syntax_method_call(t, top, "append"); n != LW_NO_NODE;
         n = syntax_next_call(t, top, n, "append")) {
        if (!lw_str_eq(lw_tree_text(t, syntax_owner(t, n)), owner))
            continue;
        uint32_t item = lw_tree_get(t, n, LW_ROLE_ARGS), around = syntax_loop_around(t, n);
        if (item == LW_NO_NODE || around == LW_NO_NODE || around == loop ||
            lw_tree_kind(t, around) != LW_NODE_FOR ||
            (lw_tree_kind(t, item) != LW_NODE_NUMBER &&
             lw_tree_kind(t, item) != LW_NODE_STRING) ||
            syntax_loop_around(t, around) != LW_NO_NODE ||
            lw_str_eq(lw_tree_text(t, item), last))
            return false;
        loop = around;
        last = lw_tree_text(t, item);
        runs++;
    }
    return runs > 1;
}

static void watch_append(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = {0};
    uint32_t item = e->call->n == 1 ? e->call->args[0].node : LW_NO_NODE;
    if (item == LW_NO_NODE || syntax_loop_around(t, e->node) == LW_NO_NODE)
        return;
    if (text_is(e->call->name, "extend")) {
        if (repeated_name(t, item, &name) && is_class_name(t, e->node, name, 0))
            note_blocks(c, e->a);
        return;
    }
    if (is_class_item(t, e->node, item) ||
        ((lw_tree_kind(t, item) == LW_NODE_NUMBER || lw_tree_kind(t, item) == LW_NODE_STRING) &&
         syntax_owner(t, e->node) != LW_NO_NODE && is_filled_in_turn(t, e->node)))
        note_blocks(c, e->a);
    if (lw_tree_kind(t, item) != LW_NODE_TUPLE && lw_tree_kind(t, item) != LW_NODE_LIST)
        return;
    /* samples.append((path, label)) */
    for (uint32_t n = lw_tree_each(t, item, LW_ROLE_ELTS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, item, LW_ROLE_ELTS, n))
        if (is_class_item(t, e->node, n))
            note_blocks(c, e->a);
}

/* labels += [number] * count */
static void watch_augmented_list(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = {0};
    if (e->a.kind == CK_LIST && lw_tree_kind(t, e->node) == LW_NODE_AUG_ASSIGN &&
        repeated_name(t, lw_tree_get(t, e->node, LW_ROLE_VALUE), &name) &&
        is_class_name(t, e->node, name, 0))
        note_blocks(c, e->a);
}

static void watch_shuffle(struct ck *c, const struct ck_event *e)
{
    if (e->call->n && text_is(text_tail(e->call->name), "shuffle"))
        rows_note_shuffled(c, e->call->args[0].value);
}

static void watch_store(struct ck *c, const struct ck_event *e)
{
    rows_note_store(c, e->a, e->b, e->value);
}

/* ---- order --------------------------------------------------------------------------------
 */

/* Dataset.from_tensor_slices((x, y)) keeps what it was made of, shuffle() that it was called.
 */
static void watch_dataset(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || !lw_str_has_prefix(e->call->name, LW_S("tensorflow.data.Dataset.")))
        return;
    if (text_is(text_tail(e->call->name), "from_tensor_slices"))
        note_set(c, o, NOTE_ROWS, ck_arg(e->call, 0, "tensors"));
    else if (text_is(text_tail(e->call->name), "shuffle"))
        note_set(c, o, NOTE_ROWS, lw_v_none());
}

/* fit(dataset) of rows in their order. */
static void check_dataset(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *set = ck_as(ck_arg(e->call, 0, "x"), CK_INSTANCE);
    struct lw_seq seq;
    if (!set || set->of || !ck_sequence(c, note_of(set, NOTE_ROWS), &seq) || seq.n != 2 ||
        !rows_are_sorted(c, seq.items[1]))
        return;
    ck_find_at(c, set->file, set->node, "data/not-shuffled", &seq.items[1], 1,
               "the rows are sorted by class, and fit() does not shuffle a tf.data.Dataset: "
               "call shuffle() on it before batch()");
}

/* validation_split takes the last rows as they are, before anything is shuffled. */
static void watch_fit(struct ck *c, const struct ck_event *e)
{
    struct lw_value y = ck_arg(e->call, 1, "y");
    struct lw_value share = ck_arg(e->call, SIZE_MAX, "validation_split");
    struct lw_value shuffle = ck_arg(e->call, SIZE_MAX, "shuffle");
    double part = 0;
    if (!text_is(text_tail(e->call->name), "fit"))
        return;
    check_dataset(c, e);
    if (!rows_are_sorted(c, y))
        return;
    if (ck_number_of(c, share, &part) && part > 0 && part < 1)
        ck_find(
            c, e->node, "data/split-of-sorted", &y, 1,
            "the rows are sorted by class, and validation_split takes the last %g %%, so the "
            "validation part holds only the last classes: shuffle inputs and labels together "
            "first",
            100 * part);
    else if (shuffle.kind == LW_V_BOOL && shuffle.tri == LW_TRI_NO)
        ck_find(c, e->node, "data/not-shuffled", &y, 1,
                "the rows are sorted by class, and shuffle=False keeps this order: the network "
                "learns one class and forgets it with the next; use shuffle=True");
}

/* self.labels[index] in __getitem__, where the labels come class by class. */
static bool is_sorted_own_set(struct ck *c, const struct ck_object *set)
{
    struct lw_value get = ck_class_member(c, set->of, LW_S("__getitem__"), NULL);
    const struct ck_object *f = ck_as(get, CK_FUNCTION);
    if (!f)
        return false;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    uint32_t self = params == LW_NO_NODE ? params : lw_tree_get(t, params, LW_ROLE_ARGS);
    uint32_t index = self == LW_NO_NODE ? self : lw_tree_each(t, params, LW_ROLE_ARGS, self);
    if (index == LW_NO_NODE)
        return false;
    for (const struct ck_slot *s = set->fields.first; s; s = s->next) {
        struct lw_str item = ck_text(c, "self.%.*s[%.*s]", LW_F(heap_name(&c->heap, s->name)),
                                     LW_F(lw_tree_name(t, index)));
        if (lw_str_find(lw_tree_text(t, f->node), item) != LW_NPOS &&
            rows_are_sorted(c, s->value))
            return true;
    }
    return false;
}

static bool is_sorted_set(struct ck *c, struct lw_value v)
{
    const struct ck_object *set = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (!set)
        return false;
    if (set->of)
        return is_sorted_own_set(c, set);
    if (!ck_sequence(c, ck_field(c, set, "tensors"), &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (rows_are_sorted(c, seq.items[i]))
            return true;
    return false;
}

static bool is_given(struct lw_value v)
{
    return v.kind != LW_V_ABSENT && v.kind != LW_V_NONE;
}

/* The loader that a training loop goes over; NULL when the loop is none. */
static struct ck_object *training_loader(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    if (!o && e->flag && lw_tree_kind(t, e->node) == LW_NODE_FOR) { /* enumerate(loader) */
        uint32_t over = lw_tree_get(t, e->node, LW_ROLE_ITER);
        uint32_t inner = over != LW_NO_NODE && lw_tree_kind(t, over) == LW_NODE_CALL
                             ? lw_tree_get(t, over, LW_ROLE_ARGS)
                             : LW_NO_NODE;
        if (inner != LW_NO_NODE && lw_tree_kind(t, inner) == LW_NODE_NAME)
            o = ck_as(ck_lookup(c, inner), CK_INSTANCE);
    }
    if (!e->flag || !o || o->of || !o->api ||
        !lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) ||
        syntax_method_call(t, e->node, "backward") == LW_NO_NODE ||
        syntax_method_call(t, e->node, "step") == LW_NO_NODE)
        return NULL;
    return o;
}

static void watch_loop_order(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = training_loader(c, e);
    struct lw_value shuffle = o ? ck_config(o, "shuffle") : lw_v_absent();
    if (!o || is_given(ck_config(o, "sampler")) || is_given(ck_config(o, "batch_sampler")) ||
        (is_given(shuffle) && ck_truth(c, shuffle) != LW_TRI_NO) ||
        ck_shows(c, "name random_split") || !is_sorted_set(c, ck_config(o, "dataset")))
        return;
    ck_find_at(c, o->file, o->node, "data/not-shuffled", NULL, 0,
               "the training data is sorted by class, and the loader keeps this order: the "
               "network learns one class and forgets it with the next; use shuffle=True");
}

/* ---- rare classes -------------------------------------------------------------------------
 */

static const double RARE = 0.1;

static bool is_balanced_somehow(const struct ck *c)
{
    static const char *const words[] = {
        "keyword *weight",   "name *class_weight*", "name *sample_weight*", "name *Weighted*",
        "name *pos_weight*", "name *focal*",        "name *Focal*",         "name *SMOTE*",
        "name *alance*",     "name *resample*"};
    return ck_shows_any(c, words, sizeof words / sizeof *words);
}

static void report_rare(struct ck *c, struct ck_file *file, uint32_t node, struct lw_value y)
{
    double share = rows_share(c, y);
    if (share <= 0 || share >= 1 || (share >= RARE && share <= 1 - RARE) ||
        is_balanced_somehow(c))
        return;
    ck_find_at(
        c, file, node, "data/rare-class", &y, 1,
        "only %g %% of the labels belong to one class: a network that never predicts it is "
        "right in %g %% of the cases; use class weights, or sample the classes evenly",
        100 * fmin(share, 1 - share), 100 * fmax(share, 1 - share));
}

static void watch_fit_share(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_str task = loss ? lw_api_fact(loss, "task") : (struct lw_str){0};
    if (text_is(text_tail(e->call->name), "fit") &&
        (text_is(task, "binary") || text_is(task, "multiclass")))
        report_rare(c, c->frame->file, e->node, ck_arg(e->call, 1, "y"));
}

static bool is_classification(const struct ck *c)
{
    return ck_shows(c, "name *BCE*") || ck_shows(c, "name *cross_entropy*") ||
           ck_shows(c, "name *CrossEntropyLoss");
}

static void watch_loop_share(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = training_loader(c, e);
    const struct ck_object *set = o ? ck_as(ck_config(o, "dataset"), CK_INSTANCE) : NULL;
    struct lw_seq seq;
    if (!set || set->of || is_given(ck_config(o, "sampler")) ||
        is_given(ck_config(o, "batch_sampler")) || !is_classification(c) ||
        !ck_sequence(c, ck_field(c, set, "tensors"), &seq) || !seq.n)
        return;
    report_rare(c, o->file, o->node, seq.items[seq.n - 1]);
}

/* ---- losses -------------------------------------------------------------------------------
 */

static const struct lw_api *loss_api(const struct ck_event *e)
{
    return e->call->api ? e->call->api : e->object ? e->object->api : NULL;
}

/* y[i:i + size] of rows that come class by class. */
static void watch_loss_order(struct ck *c, const struct ck_event *e)
{
    struct lw_value y = mv_loss_target(c, e);
    if (y.kind != LW_V_TENSOR || !ck_in_loop(c) || ck_grad_off(c))
        return;
    const struct ck_origin *o = ck_origin_of(c, lineage_through(c, y));
    struct lw_str task = lw_api_fact(loss_api(e), "task");
    if (!o || !text_is(o->op, "[]") || o->in[1].kind != LW_V_SLICE ||
        o->in[1].seq.items[0].kind == LW_V_NONE ||
        (!text_is(task, "binary") && !text_is(task, "multiclass")) ||
        !rows_are_sorted(c, o->in[0]))
        return;
    ck_find_at(c, o->file, o->node, "data/not-shuffled", &y, 1,
               "the rows are sorted by class, and so are the batches: the network learns one "
               "class and forgets it with the next; draw a permutation in each epoch");
}

static void watch_loss_share(struct ck *c, const struct ck_event *e)
{
    struct lw_value y = mv_loss_target(c, e);
    if (y.kind != LW_V_TENSOR || !ck_in_loop(c) || !ck_origin_of(c, y))
        return;
    struct lw_str task = lw_api_fact(loss_api(e), "task");
    if (text_is(task, "binary") || text_is(task, "multiclass"))
        report_rare(c, c->frame->file, e->node, y);
}

/* ---- slices that were left over -----------------------------------------------------------
 */

/* `parameter[:20]`: the slice, else LW_NO_NODE. */
static uint32_t short_slice(const struct lw_tree *t, uint32_t value, uint32_t params)
{
    uint32_t slice = lw_tree_kind(t, value) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, value, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    uint32_t owner = slice == LW_NO_NODE ? slice : lw_tree_get(t, value, LW_ROLE_VALUE);
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_SLICE ||
        lw_tree_kind(t, owner) != LW_NODE_NAME ||
        lw_tree_get(t, slice, LW_ROLE_LOWER) != LW_NO_NODE ||
        lw_tree_get(t, slice, LW_ROLE_STEP) != LW_NO_NODE)
        return LW_NO_NODE;
    uint32_t upper = lw_tree_get(t, slice, LW_ROLE_UPPER);
    if (upper == LW_NO_NODE || lw_tree_kind(t, upper) != LW_NODE_NUMBER)
        return LW_NO_NODE;
    for (uint32_t p = lw_tree_next(t, params, params, false); p != LW_NO_NODE;
         p = lw_tree_next(t, params, p, false))
        if (lw_tree_kind(t, p) == LW_NODE_PARAM &&
            lw_str_eq(lw_tree_name(t, p), lw_tree_name(t, owner)))
            return slice;
    return LW_NO_NODE;
}

/* A data set that keeps a written number of the rows it is given, whatever they are. */
static void watch_data_set(struct ck *c, const struct ck_event *e)
{
    static const char *const bases[] = {"torch.utils.data.Dataset", "keras.utils.Sequence",
                                        NULL};
    struct lw_value init = ck_class_member(c, e->object, LW_S("__init__"), NULL);
    const struct ck_object *f = ck_as(init, CK_FUNCTION);
    if (!f || !ck_is_a_any(c, ck_value(e->object), bases))
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    for (uint32_t n = lw_tree_next(t, f->node, f->node, false);
         n != LW_NO_NODE && params != LW_NO_NODE; n = lw_tree_next(t, f->node, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN ||
            !lw_str_has_prefix(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)),
                               LW_S("self.")))
            continue;
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        uint32_t slice = short_slice(t, value, params);
        if (slice == LW_NO_NODE)
            continue;
        struct lw_str number = lw_tree_text(t, lw_tree_get(t, slice, LW_ROLE_UPPER));
        struct lw_str rest = ck_text(c, "[%.*s:", LW_F(number));
        if (lw_str_find(lw_tree_text(t, f->node), rest) != LW_NPOS)
            continue;
        ck_find_at(c, f->file, value, "data/debug-slice", NULL, 0,
                   "the dataset keeps only %.*s of its rows, probably left from a trial run: "
                   "keep all rows, or make the number a parameter",
                   LW_F(number));
        return;
    }
}

/* ---- folders of classes --------------------------------------------------------------------
 */

/* A folder of classes is read class by class. */
static bool is_folder_set(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    (void)c;
    return o && !o->of && o->api &&
           (lw_str_has_suffix(o->api->name, LW_S(".ImageFolder")) ||
            lw_str_has_suffix(o->spelt, LW_S(".DatasetFolder")));
}

/* The loader of a loop that trains. */
static void watch_folder_order(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    if (!e->flag || !o || o->of || !o->api ||
        !lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) ||
        syntax_method_call(t, e->node, "backward") == LW_NO_NODE ||
        syntax_method_call(t, e->node, "step") == LW_NO_NODE)
        return;
    struct lw_value shuffle = ck_config(o, "shuffle"), sampler = ck_config(o, "sampler");
    struct lw_value batches = ck_config(o, "batch_sampler");
    bool drawn = (sampler.kind != LW_V_ABSENT && sampler.kind != LW_V_NONE) ||
                 (batches.kind != LW_V_ABSENT && batches.kind != LW_V_NONE);
    if (drawn ||
        (shuffle.kind != LW_V_ABSENT && shuffle.kind != LW_V_NONE &&
         ck_truth(c, shuffle) != LW_TRI_NO) ||
        !is_folder_set(c, ck_config(o, "dataset")))
        return;
    ck_find_at(c, o->file, o->node, "data/not-shuffled", NULL, 0,
               "the training data is sorted by class and is not shuffled: the network learns "
               "one class and forgets it with the next; use shuffle=True");
}

/* A loader is told to; a data set of TensorFlow has a method for it, before batch(). */
static void make_shuffled(struct fix *f)
{
    struct lw_str name = fix_name(f, fix_callee(f, f->node));
    const struct lw_tensor *y = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    int64_t rows = 10000;
    if (text_is(name, "DataLoader") || fix_argument(f, f->node, "shuffle", -1) != LW_NO_NODE) {
        fix_say(f, "pass shuffle=True");
        fix_set_argument(f, f->node, "shuffle", "True");
    } else if (text_is(name, "batch")) {
        /* a buffer that is smaller than the data leaves it nearly in order */
        if (y && lw_shape_has_rank(&y->shape) && y->shape.n)
            (void)lw_dim_is_int(f->c->dims, y->shape.d[0], &rows);
        fix_say(f, "shuffle before batch()");
        fix_suffix(f, syntax_owner(f->t, f->node),
                   ck_text(f->c, ".shuffle(%lld)", (long long)rows).p);
    }
}

const struct ck_rule rules_data_rows[] = {
    {NULL, CK_EV_APPEND, watch_append},
    {NULL, CK_EV_AUGMENTED, watch_augmented_list},
    {NULL, CK_EV_CALL, watch_shuffle, .calls = ".shuffle"},
    {NULL, CK_EV_STORE, watch_store},
    {"data/not-shuffled", CK_EV_CALL, watch_dataset, .calls = "tensorflow.data.Dataset.*"},
    {"data/not-shuffled data/split-of-sorted", CK_EV_FIT, watch_fit},
    {"data/rare-class", CK_EV_FIT, watch_fit_share},
    {"data/not-shuffled", CK_EV_LOOP, watch_loop_order},
    {"data/rare-class", CK_EV_LOOP, watch_loop_share},
    {"data/not-shuffled", CK_EV_CALL | CK_EV_LAYER, watch_loss_order, .calls = "@loss"},
    {"data/rare-class", CK_EV_CALL | CK_EV_LAYER, watch_loss_share, .calls = "@loss"},
    {"data/debug-slice", CK_EV_CLASS, watch_data_set},
    {"data/not-shuffled", CK_EV_LOOP, watch_folder_order},
    {"data/not-shuffled", .fix = make_shuffled},
    {0},
};
