/*
 * Rules about programs that work, but slowly or with too much memory: graphs that are built
 * again, data that is read or converted in each step.
 */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- graphs of TensorFlow 1 ---------------------------------------------------------------
 */

static bool is_session(struct ck *c, const struct lw_tree *t, uint32_t owner)
{
    if (lw_str_find(lw_tree_text(t, owner), LW_S("sess")) != LW_NPOS)
        return true;
    const struct ck_object *o =
        lw_tree_kind(t, owner) == LW_NODE_NAME ? ck_as(ck_eval(c, owner), CK_INSTANCE) : NULL;
    return o && !o->of && o->api && lw_str_has_suffix(o->api->name, LW_S("Session"));
}

static bool runs_session(struct ck *c, const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t call = syntax_method_call(t, loop, "run"); call != LW_NO_NODE;
         call = syntax_next_call(t, loop, call, "run"))
        if (is_session(c, t, syntax_owner(t, call)))
            return true;
    return false;
}

/* An operation that is made in the loop that runs the session: the graph grows with each pass.
 */
static void watch_graph(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    bool minimizes = lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize"));
    const struct lw_tensor *made = ck_tensor_of(e->value);
    if (!minimizes && (!lw_str_has_prefix(e->call->name, LW_S("tensorflow.")) || !made ||
                       made->framework != LW_TF || e->call->self.kind == LW_V_TENSOR))
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || !ck_shows(c, "call *Session") || !runs_session(c, t, loop))
        return;
    for (uint32_t outer = loop; outer != LW_NO_NODE; outer = syntax_loop_around(t, outer))
        if (lw_str_find(lw_tree_text(t, outer), LW_S("Session(")) != LW_NPOS ||
            lw_str_find(lw_tree_text(t, outer), LW_S("reset_default_graph")) != LW_NPOS)
            return; /* a graph of its own in each pass */
    ck_find(c, e->node, "performance/graph-in-loop", NULL, 0,
            "this creates a new operation in each iteration of the loop that runs the session: "
            "the graph grows and every step is slower; create it before the loop");
}

/* ---- data ---------------------------------------------------------------------------------
 */

static bool trains(struct ck *c, const struct lw_tree *t, uint32_t loop)
{
    static const char *const calls[] = {"backward", "fit", "train_on_batch", "apply_gradients"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (syntax_method_call(t, loop, calls[i]) != LW_NO_NODE)
            return true;
    return runs_session(c, t, loop);
}

/* The same file is read in each pass. */
static void watch_reading(struct ck *c, const struct ck_event *e)
{
    static const char *const readers[] = {"numpy.load",        "numpy.loadtxt",
                                          "numpy.genfromtxt",  "pandas.read_csv",
                                          "pandas.read_excel", "pandas.read_pickle"};
    const struct lw_tree *t = &c->frame->file->tree;
    bool reads = false;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        reads |= text_is(e->call->name, readers[i]);
    reads |= lw_str_has_prefix(e->call->name, LW_S("torchvision.datasets."));
    if (!reads || !e->call->n || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, e->call->args[0].node) != LW_NODE_STRING)
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || !trains(c, t, loop))
        return;
    ck_find(
        c, e->node, "performance/load-in-loop", NULL, 0,
        "the same file is read in each iteration of the training loop: read it once, before "
        "the loop");
}

/* data.to(device)[pick]: everything is moved for one batch. */
static void watch_conversion(struct ck *c, const struct ck_event *e)
{
    static const char *const moves[] = {"to", "cuda", "float", "double", "type", "astype"};
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = text_tail(e->call->name);
    bool moves_all = false;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        moves_all |= text_is(name, moves[i]);
    uint32_t up = lw_tree_parent(t, e->node);
    uint32_t owner = syntax_owner(t, e->node);
    if (!moves_all || owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME ||
        up == LW_NO_NODE || lw_tree_kind(t, up) != LW_NODE_SUBSCRIPT ||
        lw_tree_get(t, up, LW_ROLE_VALUE) != e->node)
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE)
        return;
    struct lw_str text = lw_tree_text(t, owner);
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
             lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), text) !=
                 LW_NPOS) ||
            (lw_tree_kind(t, n) == LW_NODE_FOR &&
             lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET)), text) != LW_NPOS))
            return;
    if (lw_tree_kind(t, loop) == LW_NODE_FOR &&
        lw_str_find(lw_tree_text(t, lw_tree_get(t, loop, LW_ROLE_TARGET)), text) != LW_NPOS)
        return;
    ck_find(c, e->node, "performance/convert-all", NULL, 0,
            "all of '%.*s' is converted in each iteration to use a part of it: select the part "
            "first, or convert once before the loop",
            LW_F(text));
}

/* data.to(device)[part] -> data[part].to(device) */
static void make_part_first(struct fix *f)
{
    uint32_t up = lw_tree_parent(f->t, f->node), owner = syntax_owner(f->t, f->node);
    if (fix_kind(f, up) != LW_NODE_SUBSCRIPT || owner == LW_NO_NODE)
        return;
    uint32_t end = lw_tree_end(f->t, f->node);
    struct lw_str part = lw_str_part(f->t->lexed.text, end, lw_tree_end(f->t, up) - end);
    fix_say(f, "index first, then convert");
    fix_insert(f, lw_tree_end(f->t, owner), part);
    fix_replace(f, end, lw_tree_end(f->t, up), LW_S(""));
}

/* Does the variable live on from pass to pass: not one of a function that the loop calls, nor
 * made anew in the loop? */
static bool lives_on(const struct lw_tree *t, uint32_t statement)
{
    uint32_t target = lw_tree_get(t, statement, LW_ROLE_TARGETS);
    uint32_t loop = syntax_loop_around(t, statement);
    if (lw_tree_kind(t, target) != LW_NODE_NAME)
        return true;
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false))
        if (n != statement && lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)),
                      lw_tree_name(t, target)))
            return false;
    return loop != LW_NO_NODE;
}

/* x = np.append(x, …): a copy of everything for each item. */
static void watch_growth(struct ck *c, const struct ck_event *e)
{
    static const char *const copies[] = {"numpy.append", "numpy.concatenate", "numpy.vstack",
                                         "numpy.hstack", "torch.cat"};
    const struct lw_tree *t = &c->frame->file->tree;
    bool grows = false;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        grows |= text_is(e->call->name, copies[i]);
    uint32_t s = grows ? lw_tree_statement(t, e->node) : LW_NO_NODE;
    if (!grows || !e->call->n || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, s) != LW_NODE_ASSIGN || !ck_in_loop(c))
        return;
    uint32_t first = e->call->args[0].node;
    if (lw_tree_kind(t, first) == LW_NODE_TUPLE || lw_tree_kind(t, first) == LW_NODE_LIST)
        first = lw_tree_get(t, first, LW_ROLE_ELTS);
    if (first == LW_NO_NODE ||
        !lw_str_eq(lw_tree_text(t, first),
                   lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS))) ||
        !lives_on(t, s))
        return;
    ck_find(c, e->node, "performance/growing-array", NULL, 0,
            "'%.*s' is copied as a whole for every added item: collect the items in a list and "
            "create one array at the end",
            LW_F(lw_tree_text(t, first)));
}

/* ---- single numbers -----------------------------------------------------------------------
 */

/* loss.item() and the like wait for the device in each step. */
static void watch_waiting(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = text_tail(e->call->name);
    if (e->call->self.kind != LW_V_TENSOR || e->call->self.tensor->framework != LW_TORCH ||
        (!text_is(name, "item") && !text_is(name, "cpu") && !text_is(name, "tolist")))
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || syntax_loop_around(t, loop) == LW_NO_NODE ||
        syntax_method_call(t, loop, "backward") == LW_NO_NODE)
        return;
    ck_find(c, e->node, "performance/wait-each-step", NULL, 0,
            "%.*s() waits for the device in every step: add up on the device and read the "
            "value once per epoch",
            LW_F(name));
}

/* ---- loading and precision ----------------------------------------------------------------
 */

enum { MANY_TRANSFORMS = 3 };

/* Does an item of the data set come from a file of its own, and is it changed then? */
static bool reads_pictures(const struct ck_object *class)
{
    const struct lw_tree *t = &class->file->tree;
    struct lw_str text = lw_tree_text(t, class->node);
    ptrdiff_t item = lw_str_find(text, LW_S("def __getitem__"));
    if (item < 0)
        return false;
    text = lw_str_from(text, (size_t)item);
    return (lw_str_find(text, LW_S("Image.open(")) != LW_NPOS ||
            lw_str_find(text, LW_S("imread(")) != LW_NPOS) &&
           (lw_str_find(text, LW_S("transform")) != LW_NPOS ||
            lw_str_find(text, LW_S("resize")) != LW_NPOS ||
            lw_str_find(text, LW_S("self.tf(")) != LW_NPOS ||
            lw_str_find(text, LW_S("aug")) != LW_NPOS);
}

/* Pictures are decoded and transformed by the process that trains. */
static void watch_loader(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    struct lw_seq seq;
    int64_t workers = 0;
    if (!o || o->of || !lw_str_has_suffix(e->call->name, LW_S("data.DataLoader")))
        return;
    struct lw_value given = ck_slot_value(e->call, "num_workers");
    struct ck_object *set = ck_as(ck_slot_value(e->call, "dataset"), CK_INSTANCE);
    if ((given.kind != LW_V_ABSENT && !ck_int_of(c, given, &workers)) || workers > 0 || !set)
        return;
    if (set->of && reads_pictures(set->of) &&
        (ck_shows(c, "name *cuda*") || ck_shows(c, "text cuda*")) &&
        ck_shows(c, "call .backward")) {
        ck_find(c, e->node, "performance/single-process-loader", NULL, 0,
                "images are loaded one by one in the training process while the GPU waits: "
                "pass num_workers to load the next batches in other processes");
        return;
    }
    if (set->of || !set->api || !lw_str_has_suffix(set->api->name, LW_S(".ImageFolder")))
        return;
    struct ck_object *transform = ck_as(ck_config(set, "transform"), CK_INSTANCE);
    struct lw_value list = transform ? ck_config(transform, "transforms") : lw_v_absent();
    if (!ck_sequence(c, list, &seq) || seq.n < MANY_TRANSFORMS)
        return;
    ck_find(c, e->node, "performance/single-process-loader", NULL, 0,
            "images are loaded and put through %u transforms in the training process: pass "
            "num_workers to prepare the next batches in other processes",
            (unsigned)seq.n);
}

static void watch_precision(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    struct lw_value v = e->call->n ? e->call->args[0].value : lw_v_absent();
    bool doubled = o && ck_is_torch_module(c, o) && text_is(text_tail(e->call->name), "double");
    bool floatx = text_is(text_tail(e->call->name), "set_floatx") && v.kind == LW_V_STR &&
                  v.str.p && text_is(v.str, "float64");
    bool initial = text_is(e->call->name, "torch.set_default_dtype") && v.kind == LW_V_DTYPE &&
                   v.dtypes == LW_F64;
    if (doubled || floatx || initial)
        ck_find(c, e->node, "performance/double-precision", NULL, 0,
                "the network computes in float64, which is 2 to 32 times slower than float32 "
                "on GPUs: convert the data to float32 instead");
}

/* ---- more than is needed ------------------------------------------------------------------
 */

/* A row or a stretch of a larger tensor; torch.save writes all of the larger one. */
static bool is_small_view(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!o || v.tensor->framework != LW_TORCH || v.tensor->grad == LW_TRI_YES ||
        o->in_count < 1 || o->in[0].kind != LW_V_TENSOR)
        return false;
    if (text_is(o->op, "unbind"))
        return true;
    if (!text_is(o->op, "[]") || o->in_count < 2)
        return false;
    int64_t rows;
    const struct lw_tensor *whole = o->in[0].tensor;
    if (!lw_shape_has_rank(&whole->shape) || whole->shape.n < 2 ||
        (lw_dim_is_int(c->dims, whole->shape.d[0], &rows) && rows < 2))
        return false;
    const struct lw_tree *t = &o->file->tree;
    if (o->in[1].kind == LW_V_SLICE)
        return o->in[1].seq.items[1].kind != LW_V_NONE;
    /* A single name as the index, which is a number: pictures[i]. */
    return o->in[1].kind == LW_V_INT && lw_tree_kind(t, o->node) == LW_NODE_SUBSCRIPT;
}

static bool holds_view(struct ck *c, struct lw_value v, struct lw_value *view, unsigned depth)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    if (v.kind == LW_V_TENSOR) {
        *view = v;
        return is_small_view(c, v);
    }
    if (depth > 3 || v.kind == CK_INSTANCE)
        return false;
    if (ck_pairs(v, &d)) {
        for (uint32_t i = 0; i < d->n; i++)
            if (holds_view(c, d->values[i], view, depth + 1))
                return true;
    } else if (ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (holds_view(c, seq.items[i], view, depth + 1))
                return true;
    }
    return false;
}

static void watch_save(struct ck *c, const struct ck_event *e)
{
    struct lw_value view;
    if (!text_is(e->call->name, "torch.save") || !e->call->n ||
        !holds_view(c, e->call->args[0].value, &view, 0))
        return;
    const struct ck_origin *o = ck_origin_of(c, view);
    ck_find_at(c, o->file, o->node, "performance/saved-view", &view, 1,
               "torch.save() writes the whole tensor of which this is a view: save a clone() "
               "of the view");
}

/* The inverse or determinant of a matrix that has only a diagonal. */
static void watch_diagonal(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"inverse", "inv", "logdet", "slogdet", "det"};
    static const char *const forms[] = {"expand", "expand_as", "unsqueeze", "repeat", "*"};
    static const char *const diagonals[] = {"eye", "diag_embed", "diag"};
    if (!text_is_any(text_tail(e->call->name), names, 5))
        return;
    struct lw_value x = lineage_operand(e->call);
    const struct ck_origin *o = ck_origin_of(c, x);
    for (unsigned i = 0; i < 4 && o && o->in_count && text_is_any(text_tail(o->op), forms, 5);
         i++)
        o = ck_origin_of(c, o->in[0]);
    if (o && text_is_any(text_tail(o->op), diagonals, 3))
        ck_find(c, e->node, "performance/dense-diagonal", &x, 1,
                "the matrix is diagonal: compute its inverse or determinant from the diagonal, "
                "element by element, not with a cubic algorithm");
}

enum { WIDE_WINDOW = 50 };

/* np.array([x[i:i + W] for i in range(…)]): every value is copied W times. */
static void watch_windows(struct ck *c, const struct ck_event *e)
{
    static const char *const makers[] = {"numpy.array", "numpy.asarray", "numpy.stack",
                                         "torch.stack"};
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t list = e->call->n ? e->call->args[0].node : LW_NO_NODE;
    int64_t width;
    if (!text_is_any(e->call->name, makers, 4) || list == LW_NO_NODE ||
        lw_tree_kind(t, list) != LW_NODE_LIST_COMP)
        return;
    uint32_t item = lw_tree_get(t, list, LW_ROLE_ELT);
    uint32_t over = lw_tree_get(t, list, LW_ROLE_GENERATORS);
    uint32_t slice = item != LW_NO_NODE && lw_tree_kind(t, item) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, item, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    if (slice == LW_NO_NODE || lw_tree_kind(t, slice) != LW_NODE_SLICE || over == LW_NO_NODE)
        return;
    uint32_t from = lw_tree_get(t, slice, LW_ROLE_LOWER);
    uint32_t to = lw_tree_get(t, slice, LW_ROLE_UPPER);
    uint32_t range = lw_tree_get(t, over, LW_ROLE_ITER);
    if (from == LW_NO_NODE || to == LW_NO_NODE || lw_tree_kind(t, to) != LW_NODE_BIN_OP ||
        lw_tree_node(t, to)->op != LW_OP_ADD ||
        !lw_str_eq(lw_tree_text(t, from),
                   lw_tree_text(t, lw_tree_get(t, over, LW_ROLE_TARGET))) ||
        !lw_str_eq(lw_tree_text(t, from), lw_tree_text(t, lw_tree_get(t, to, LW_ROLE_LEFT))) ||
        lw_tree_kind(t, range) != LW_NODE_CALL || lw_tree_count(t, range, LW_ROLE_ARGS) > 2 ||
        !lw_str_has_prefix(lw_tree_text(t, range), LW_S("range(")) ||
        !ck_int_of(c, ck_eval(c, lw_tree_get(t, to, LW_ROLE_RIGHT)), &width) ||
        width < WIDE_WINDOW)
        return;
    ck_find(c, e->node, "performance/window-copies", NULL, 0,
            "every value is copied into %lld windows: sliding_window_view of numpy, or unfold "
            "of torch, gives the same windows without copies",
            (long long)width);
}

const struct ck_rule rules_performance_loops[] = {
    {"performance/graph-in-loop", CK_EV_CALL, watch_graph,
     .calls = "tensorflow.* *Optimizer.minimize"},
    {"performance/load-in-loop", CK_EV_CALL, watch_reading,
     .calls = "numpy.* pandas.read_* torchvision.datasets.*"},
    {"performance/convert-all", CK_EV_CALL, watch_conversion, make_part_first,
     .calls = ".to .cuda .float .double .type .astype"},
    {"performance/growing-array", CK_EV_CALL, watch_growth,
     .calls = ".append .concatenate .vstack .hstack .cat"},
    {"performance/wait-each-step", CK_EV_CALL, watch_waiting, .calls = ".item .cpu .tolist"},
    {"performance/single-process-loader", CK_EV_CALL, watch_loader, .calls = ".DataLoader"},
    {"performance/double-precision", CK_EV_CALL, watch_precision,
     .calls = ".double .set_floatx .set_default_dtype"},
    {"performance/saved-view", CK_EV_CALL, watch_save, .calls = "torch.save"},
    {"performance/dense-diagonal", CK_EV_CALL, watch_diagonal,
     .calls = ".inverse .inv .logdet .slogdet .det"},
    {"performance/window-copies", CK_EV_CALL, watch_windows, .calls = ".array .asarray .stack"},
    {0},
};
