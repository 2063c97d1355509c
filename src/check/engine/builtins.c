/* Python's own names and functions, and the arguments of a call. */
#include <math.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/text.h"
#include "check/engine/traits.h"

static const char *const names[] = {"abs",         "all",          "any",
                                    "bool",        "callable",     "chr",
                                    "classmethod", "delattr",      "dict",
                                    "dir",         "divmod",       "enumerate",
                                    "eval",        "exec",         "exit",
                                    "filter",      "float",        "format",
                                    "frozenset",   "getattr",      "globals",
                                    "hasattr",     "hash",         "hex",
                                    "id",          "input",        "int",
                                    "isinstance",  "issubclass",   "iter",
                                    "len",         "list",         "locals",
                                    "map",         "max",          "memoryview",
                                    "min",         "next",         "object",
                                    "open",        "ord",          "pow",
                                    "print",       "property",     "quit",
                                    "range",       "raw_input",    "reload",
                                    "repr",        "reversed",     "round",
                                    "set",         "setattr",      "slice",
                                    "sorted",      "staticmethod", "str",
                                    "sum",         "super",        "tuple",
                                    "type",        "unicode",      "vars",
                                    "xrange",      "zip",          "__import__",
                                    "bytes",       "bytearray",    "complex",
                                    "bin",         "oct",          "breakpoint",
                                    "ascii",       "compile",      "aiter",
                                    "anext",       "help",         "copyright",
                                    "credits",     "license",      "NotImplemented",
                                    "basestring",  "long",         "reduce",
                                    "file",        "cmp",          "unichr",
                                    "execfile",    "intern",       "buffer",
                                    "apply",       "coerce",       "display",
                                    "get_ipython"};

struct lw_value ck_builtin(struct ck *c, struct lw_str name)
{
    bool known =
        lw_str_has_suffix(name, LW_S("Error")) || lw_str_has_suffix(name, LW_S("Exception")) ||
        lw_str_has_suffix(name, LW_S("Warning")) || lw_str_eq(name, LW_S("StopIteration")) ||
        lw_str_eq(name, LW_S("KeyboardInterrupt")) || lw_str_eq(name, LW_S("SystemExit")) ||
        lw_str_has_prefix(name, LW_S("__"));
    if (!known && !text_is_any(name, names, sizeof names / sizeof *names))
        return lw_v_absent();
    return ck_new_name(c, ck_text(c, "builtins.%.*s", LW_F(name)));
}

struct lw_value ck_assumed(struct ck *c, struct lw_str name)
{
    static const char *const modules[][2] = {
        {"np", "numpy"},           {"numpy", "numpy"},
        {"tf", "tensorflow"},      {"torch", "torch"},
        {"nn", "torch.nn"},        {"F", "torch.nn.functional"},
        {"keras", "keras"},        {"K", "keras.backend"},
        {"pd", "pandas"},          {"layers", "keras.layers"},
        {"optim", "torch.optim"},  {"tensorflow", "tensorflow"},
        {"math", "math"},          {"random", "random"},
        {"models", "keras.models"}};
    static const char *const homes[] = {"keras.layers",     "keras.models",
                                        "keras.optimizers", "keras.utils",
                                        "keras.callbacks",  "sklearn.model_selection"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (text_is(name, modules[i][0]))
            return ck_new_name(c, lw_str(modules[i][1]));
    /* fastai and its like have classes of these names too. */
    if (c->frame->file->other_star)
        return lw_v_absent();
    bool word = name.n > 2 && ((name.p[0] >= 'A' && name.p[0] <= 'Z') ||
                               lw_str_eq(name, LW_S("to_categorical")) ||
                               lw_str_eq(name, LW_S("train_test_split")));
    for (size_t i = 0; word && i < sizeof homes / sizeof *homes; i++) {
        struct lw_str dotted = ck_text(c, "%s.%.*s", homes[i], LW_F(name));
        if (lw_api_find(c->apis, dotted, NULL))
            return ck_new_name(c, dotted);
    }
    return lw_v_absent();
}

struct lw_value ck_arg(const struct ck_call *call, size_t position, const char *name)
{
    size_t at = 0;
    for (size_t i = 0; i < call->n; i++) {
        if (call->args[i].star)
            continue;
        if (call->args[i].name.n) {
            if (name && lw_str_eq(call->args[i].name, lw_str(name)))
                return call->args[i].value;
        } else if (at++ == position)
            return call->args[i].value;
    }
    return lw_v_absent();
}

struct lw_value ck_slot_value(const struct ck_call *call, const char *name)
{
    LW_BUG_ON(!name);
    if (call->api && call->r && call->r->bound.slots) {
        for (int side = 0; side < 2; side++) {
            const struct lw_api_part *p = &call->api->side[side];
            if (!p->present || p->param_count != call->r->bound.n)
                continue;
            for (uint32_t i = 0; i < p->param_count; i++)
                if (lw_str_eq(p->params[i].name, lw_str(name)))
                    return call->r->bound.slots[i];
        }
    }
    return ck_arg(call, SIZE_MAX, name);
}

/* ---- functions ----------------------------------------------------------------------------
 */

static struct lw_value length_of(struct ck *c, struct lw_value v, uint32_t node)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    if (v.kind == LW_V_TENSOR)
        return lw_v_dim(lw_shape_at(&v.tensor->shape, 0));
    if (v.kind == LW_V_STR && v.str.p)
        return ck_int(c, (int64_t)v.str.n);
    struct lw_value own = ck_call_method(c, v, "__len__", NULL, 0, node);
    if (own.kind == LW_V_INT)
        return own;
    struct ck_object *o = ck_object_of(v);
    if (v.kind == CK_INSTANCE) {
        struct lw_value kept = ck_trait(o, TRAIT_LENGTH);
        if (kept.kind == LW_V_INT)
            return kept;
    }
    if (ck_sequence(c, v, &seq)) {
        if (!seq.open)
            return ck_int(c, seq.n);
        if (seq.length != LW_DIM_UNKNOWN)
            return lw_v_dim(seq.length);
    } else if (ck_pairs(v, &d) && !d->open) {
        return ck_int(c, d->n);
    }
    struct lw_value n = lw_v_dim(lw_dim_symbol(c->dims, LW_S("len"), 0, LW_DIM_MOST));
    if (v.kind == CK_INSTANCE)
        ck_set_trait(c, o, TRAIT_LENGTH, n);
    return n;
}

static void fn_len(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = length_of(c, ck_arg(call, 0, NULL), call->node);
}

static void fn_range(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value a = ck_arg(call, 0, NULL), b = ck_arg(call, 1, NULL);
    struct lw_value s = ck_arg(call, 2, NULL);
    int64_t from = 0, to = 0, step = 1;
    bool two = b.kind != LW_V_ABSENT;
    bool known = two ? ck_int_of(c, a, &from) && ck_int_of(c, b, &to) : ck_int_of(c, a, &to);
    known = known && (s.kind == LW_V_ABSENT || ck_int_of(c, s, &step)) && step != 0;
    int64_t n =
        known ? (step > 0 ? (to - from + step - 1) / step : (from - to - step - 1) / -step)
              : -1;
    if (known && n < 0)
        n = 0;
    if (known && n <= CK_MAX_UNROLL) {
        struct lw_value *items = ck_values(c, (size_t)n);
        if (!items)
            return;
        for (int64_t i = 0; i < n; i++)
            items[i] = ck_int(c, from + i * step);
        *value =
            (struct lw_value){.kind = LW_V_TUPLE, .seq = {.items = items, .n = (uint32_t)n}};
        return;
    }
    int64_t least = step > 0 ? from : to + 1, most = step > 0 ? to - 1 : from;
    if (!known) {
        least = two ? LW_DIM_LEAST : 0;
        most = LW_DIM_MOST;
    }
    struct lw_value any = lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), least, most));
    *value = ck_make_seq(c, LW_V_TUPLE, &any, 1, true);
    if (value->kind != LW_V_TUPLE)
        return;
    if (known)
        value->seq.length = lw_dim_big(c->dims, n);
    else if (!two && a.kind == LW_V_INT)
        value->seq.length = a.dim;
}

static void fn_enumerate(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, "iterable"), call->node);
    struct lw_value start = ck_arg(call, 1, "start");
    int64_t first = 0;
    if (start.kind != LW_V_ABSENT && !ck_int_of(c, start, &first))
        seq.open = true;
    struct lw_value *items = ck_values(c, seq.n + 1);
    if (!items)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct lw_value pair[2] = {ck_int(c, first + i), seq.items[i]};
        if (seq.open)
            pair[0] = lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), first, LW_DIM_MOST));
        items[i] = ck_tuple(c, pair, 2);
    }
    if (seq.open && seq.n == 0) {
        struct lw_value pair[2] = {
            lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), first, LW_DIM_MOST)), lw_v_unknown()};
        items[seq.n++] = ck_tuple(c, pair, 2);
    }
    *value = ck_make_seq(c, LW_V_TUPLE, items, seq.n, seq.open);
}

/* zip(*rows) of rows whose number is not known: a column for each place of a row. */
static void zip_rows(struct ck *c, struct lw_value rows, uint32_t node, struct lw_value *value)
{
    struct lw_seq all = ck_iterate(c, rows, node), row;
    if (!ck_sequence(c, ck_join_items(c, all), &row) || row.open)
        return;
    struct lw_value *columns = ck_values(c, row.n);
    for (uint32_t i = 0; columns && i < row.n; i++) {
        struct lw_value *any = ck_values(c, 1);
        if (!any)
            return;
        any[0] = row.items[i];
        columns[i] = ck_make_seq(c, LW_V_TUPLE, any, 1, true);
        columns[i].seq.length = all.length;
    }
    if (columns)
        *value = ck_make_seq(c, LW_V_TUPLE, columns, row.n, false);
}

static void fn_zip(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    uint32_t shortest = CK_MAX_ITEMS;
    bool open = false;
    size_t count = 0; /* without strict=… */
    while (count < call->n && !call->args[count].name.n)
        count++;
    if (count == 1 && call->args[0].star)
        zip_rows(c, call->args[0].value, call->node, value);
    if (count == 0 || count > CK_MAX_ITEMS || call->args[0].star)
        return;
    struct lw_seq *seqs = lw_arena_array(c->arena, count, sizeof *seqs);
    struct lw_value *row = ck_values(c, count);
    for (size_t k = 0; seqs && row && k < count; k++) {
        if (call->args[k].star)
            return;
        seqs[k] = ck_iterate(c, call->args[k].value, call->node);
        open |= seqs[k].open;
        shortest = seqs[k].n < shortest ? seqs[k].n : shortest;
    }
    if (open)
        shortest = 1;
    struct lw_value *items = ck_values(c, shortest);
    if (!items || !seqs || !row)
        return;
    for (uint32_t i = 0; i < shortest; i++) {
        for (size_t k = 0; k < count; k++)
            row[k] = open ? ck_join_items(c, seqs[k]) : seqs[k].items[i];
        items[i] = ck_tuple(c, row, count);
    }
    *value = ck_make_seq(c, LW_V_TUPLE, items, shortest, open);
}

static void make_sequence(struct ck *c, const struct ck_call *call, struct lw_value *value,
                          int kind)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    struct lw_seq seq = {0};
    if (v.kind != LW_V_ABSENT)
        seq = ck_iterate(c, v, call->node);
    if (kind == LW_V_TUPLE)
        *value = (struct lw_value){.kind = LW_V_TUPLE, .seq = seq};
    else
        *value = ck_new_list(c, (enum ck_kind)kind, seq, call->node);
}

static void fn_list(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    make_sequence(c, call, value, CK_LIST);
}

static void fn_set(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    make_sequence(c, call, value, CK_SET);
    struct ck_object *o = ck_as(*value, CK_SET);
    if (o && o->contents.value.kind == LW_V_LIST && o->contents.value.seq.n > 1) {
        struct lw_value v = o->contents.value;
        v.seq.open = true; /* doubles fall together */
        o->contents.value = v;
    }
}

static void fn_tuple(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    make_sequence(c, call, value, LW_V_TUPLE);
}

static void fn_dict(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_dict *from = NULL;
    struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
    struct lw_value first = ck_arg(call, 0, NULL);
    struct lw_seq none = {.open = true};
    bool empty = first.kind == CK_LIST && ck_sequence(c, first, &none) && !none.n && !none.open;
    bool open = first.kind != LW_V_ABSENT && !ck_pairs(first, &from) && !empty;
    uint32_t n = from ? from->n : 0;
    struct lw_value *keys = ck_values(c, n + call->n), *values = ck_values(c, n + call->n);
    if (!d || !keys || !values)
        return;
    for (uint32_t i = 0; i < n; i++) {
        keys[d->n] = from->keys[i];
        values[d->n++] = from->values[i];
    }
    for (size_t i = 0; i < call->n; i++) {
        open |= call->args[i].star;
        if (!call->args[i].name.n || call->args[i].star)
            continue;
        keys[d->n] = lw_v_str(call->args[i].name);
        values[d->n++] = call->args[i].value;
    }
    d->keys = keys;
    d->values = values;
    d->open = open || (from && from->open);
    *value = ck_new_dict(c, d, call->node);
}

static void fn_int(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    double x;
    int64_t n;
    *value = lw_v_dim(LW_DIM_UNKNOWN);
    if (v.kind == LW_V_INT)
        *value = v;
    else if (ck_number_of(c, v, &x) && fabs(x) < 9e15)
        *value = ck_int(c, (int64_t)trunc(x));
    else if (v.kind == LW_V_STR && v.str.p && call->n == 1 &&
             lw_parse_i64(lw_str_trim(v.str), &n))
        *value = ck_int(c, n);
    else if (v.kind == LW_V_ABSENT)
        *value = ck_int(c, 0);
}

static void fn_float(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    double x;
    bool known =
        ck_number_of(c, v, &x) || (v.kind == LW_V_STR && v.str.p &&
                                   lw_parse_double(lw_str_trim(v.str), &x) && isfinite(x));
    *value = known ? lw_v_float(x) : lw_v_interval(lw_iv_unknown());
    int64_t least = LW_DIM_LEAST, most = LW_DIM_MOST;
    if (!known && v.kind == LW_V_INT)
        lw_dim_bounds(c->dims, v.dim, &least, &most);
    if (least > LW_DIM_LEAST && most < LW_DIM_MOST) { /* a number that counts */
        struct lw_interval range = lw_iv_between((double)least, (double)most);
        range.flags &= (uint8_t)~LW_IV_KNOWN;
        *value = lw_v_interval(range);
    }
}

static void fn_str(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    int64_t n;
    *value = lw_v_str((struct lw_str){0});
    if (v.kind == LW_V_STR)
        *value = v;
    else if (v.kind == LW_V_INT && ck_int_of(c, v, &n))
        *value = lw_v_str(ck_text(c, "%lld", (long long)n));
}

static void fn_bool(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_tri(ck_truth(c, ck_arg(call, 0, NULL)));
}

/* min, max: of several arguments, or of the items of one. */
static void extreme(struct ck *c, const struct ck_call *call, struct lw_value *value, bool most)
{
    struct lw_seq seq = {0};
    struct lw_value only = ck_arg(call, 0, NULL);
    struct lw_value *args = ck_values(c, call->n);
    if (!args)
        return;
    for (size_t i = 0; i < call->n; i++)
        if (!call->args[i].name.n)
            args[seq.n++] = call->args[i].value;
    seq.items = args;
    if (seq.n == 1) {
        if (!ck_sequence(c, only, &seq) || seq.open)
            return;
    }
    double best = 0;
    bool whole = true;
    for (uint32_t i = 0; i < seq.n; i++) {
        double x;
        if (!ck_number_of(c, seq.items[i], &x)) {
            if (seq.n == 2 && seq.items[0].kind == LW_V_INT && seq.items[1].kind == LW_V_INT)
                *value =
                    lw_v_dim(most ? lw_dim_max(c->dims, seq.items[0].dim, seq.items[1].dim)
                                  : lw_dim_min(c->dims, seq.items[0].dim, seq.items[1].dim));
            return;
        }
        whole &= seq.items[i].kind == LW_V_INT;
        if (i == 0 || (most ? x > best : x < best))
            best = x;
    }
    if (seq.n)
        *value = whole ? ck_int(c, (int64_t)best) : lw_v_float(best);
}

static void fn_min(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    extreme(c, call, value, false);
}

static void fn_max(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    extreme(c, call, value, true);
}

static void fn_sum(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq;
    struct lw_value total = ck_arg(call, 1, "start");
    struct lw_value over = ck_arg(call, 0, NULL);
    if (over.kind == LW_V_TENSOR) {
        seq = ck_iterate(c, over, call->node);
        if (seq.n)
            *value = seq.items[0];
        return;
    }
    if (!ck_sequence(c, over, &seq))
        return;
    if (seq.open) {
        struct lw_value any = ck_join_items(c, seq);
        if (any.kind == LW_V_TENSOR)
            *value = any;
        else if (any.kind == LW_V_INT)
            *value = lw_v_dim(LW_DIM_UNKNOWN);
        return;
    }
    if (total.kind == LW_V_ABSENT)
        total = ck_int(c, 0);
    for (uint32_t i = 0; i < seq.n; i++)
        total = ck_binary(c, LW_OP_ADD, total, seq.items[i], call->node);
    *value = total;
}

static void fn_abs(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    double x;
    struct lw_value v = ck_arg(call, 0, NULL);
    if (v.kind == LW_V_INT && ck_number_of(c, v, &x))
        *value = ck_int(c, (int64_t)fabs(x));
    else if (ck_number_of(c, v, &x))
        *value = lw_v_float(fabs(x));
    else if (v.kind == LW_V_TENSOR) {
        const struct lw_api *m =
            lw_api_find(c->apis,
                        v.tensor->framework == LW_TORCH   ? LW_S("torch.abs")
                        : v.tensor->framework == LW_NUMPY ? LW_S("numpy.abs")
                                                          : LW_S("tensorflow.abs"),
                        NULL);
        struct lw_arg arg = {.value = v, .node = call->node};
        if (m)
            *value = c->models->eval_api(c, m, LW_API_CONSTRUCT, NULL, &arg, 1, call->node);
    }
}

static void fn_round(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    double x;
    struct lw_value v = ck_arg(call, 0, NULL);
    bool digits = ck_arg(call, 1, "ndigits").kind != LW_V_ABSENT;
    if (ck_number_of(c, v, &x) && fabs(x) < 9e15)
        *value = digits ? lw_v_float(x) : ck_int(c, (int64_t)nearbyint(x));
}

static void fn_sorted(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, NULL), call->node);
    struct lw_value any = ck_join_items(c, seq);
    struct lw_value *items = ck_values(c, seq.n);
    if (!items)
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        items[i] = any;
    seq.items = items;
    *value = ck_new_list(c, CK_LIST, seq, call->node);
}

static void fn_reversed(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, NULL), call->node);
    struct lw_value *items = ck_values(c, seq.n);
    if (!items)
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        items[i] = seq.items[seq.n - 1 - i];
    *value = ck_make_seq(c, LW_V_TUPLE, items, seq.n, seq.open);
}

static void fn_map(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value f = ck_arg(call, 0, NULL);
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 1, NULL), call->node);
    if (call->n != 2)
        return;
    uint32_t n = seq.n > CK_MAX_UNROLL ? 1 : seq.n;
    struct lw_value *items = ck_values(c, n);
    if (!items)
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct lw_arg arg = {.value = n < seq.n ? ck_join_items(c, seq) : seq.items[i],
                             .node = LW_NO_NODE};
        items[i] = ck_call(c, f, &arg, 1, call->node);
    }
    *value = ck_make_seq(c, LW_V_TUPLE, items, n, seq.open || n < seq.n);
}

static void fn_filter(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 1, NULL), call->node);
    struct lw_value any = ck_join_items(c, seq);
    *value = ck_make_seq(c, LW_V_TUPLE, &any, seq.n ? 1 : 0, true);
}

static void fn_iter(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, NULL), call->node);
    struct ck_object *o = ck_new(c, CK_ITERATOR, call->node);
    if (!o)
        return;
    o->contents.value = ck_join_items(c, seq);
    *value = ck_value(o);
}

static void fn_next(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = ck_join_items(c, ck_iterate(c, ck_arg(call, 0, NULL), call->node));
}

static void fn_divmod(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value a = ck_arg(call, 0, NULL), b = ck_arg(call, 1, NULL);
    struct lw_value pair[2] = {ck_binary(c, LW_OP_FLOOR_DIV, a, b, call->node),
                               ck_binary(c, LW_OP_MOD, a, b, call->node)};
    *value = ck_tuple(c, pair, 2);
}

static void fn_pow(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = ck_binary(c, LW_OP_POW, ck_arg(call, 0, NULL), ck_arg(call, 1, NULL), call->node);
}

/* any() and all() of known items. */
static void quantify(struct ck *c, const struct ck_call *call, struct lw_value *value, bool all)
{
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, NULL), call->node);
    lw_tri t = lw_tri_of(all);
    for (uint32_t i = 0; i < seq.n; i++) {
        lw_tri item = ck_truth(c, seq.items[i]);
        t = all ? lw_tri_and(t, item) : lw_tri_or(t, item);
    }
    *value = lw_v_tri(seq.open ? LW_TRI_MAYBE : t);
}

static void fn_any(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    quantify(c, call, value, false);
}

static void fn_all(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    quantify(c, call, value, true);
}

const struct ck_handler ck_handlers_python[] = {
    {"builtins.abs", fn_abs},
    {"builtins.all", fn_all},
    {"builtins.any", fn_any},
    {"builtins.bool", fn_bool},
    {"builtins.dict", fn_dict},
    {"builtins.divmod", fn_divmod},
    {"builtins.enumerate", fn_enumerate},
    {"builtins.filter", fn_filter},
    {"builtins.float", fn_float},
    {"builtins.frozenset", fn_set},
    {"builtins.int", fn_int},
    {"builtins.iter", fn_iter},
    {"builtins.len", fn_len},
    {"builtins.list", fn_list},
    {"builtins.map", fn_map},
    {"builtins.max", fn_max},
    {"builtins.min", fn_min},
    {"builtins.next", fn_next},
    {"builtins.pow", fn_pow},
    {"builtins.range", fn_range},
    {"builtins.reversed", fn_reversed},
    {"builtins.round", fn_round},
    {"builtins.set", fn_set},
    {"builtins.sorted", fn_sorted},
    {"builtins.str", fn_str},
    {"builtins.sum", fn_sum},
    {"builtins.tuple", fn_tuple},
    {"builtins.xrange", fn_range},
    {"builtins.zip", fn_zip},
    {"itertools.izip", fn_zip},
    {"collections.OrderedDict", fn_dict},
    {"math.pow", fn_pow},
    {NULL, NULL},
};
