/* Data: tf.data, generators of images, gradient tapes. */
#include <math.h>

#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/traits.h"

/* ---- tf.data ------------------------------------------------------------------------------
 */

static void keep_element(struct ck *c, struct lw_value set, struct lw_value element)
{
    struct ck_object *o = ck_as(set, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_ELEMENT, element);
}

static struct lw_value element_of(struct lw_value set)
{
    struct ck_object *o = ck_as(set, CK_INSTANCE);
    struct lw_value v = o ? model_trait(o, DATA_ELEMENT) : lw_v_absent();
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

/* A data set like `self` with another element. */
static struct lw_value derived(struct ck *c, const struct ck_call *call,
                               struct lw_value element)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct ck_object *now = o ? ck_copy(c, o) : NULL;
    if (!now)
        return lw_v_unknown();
    now->node = call->node;
    model_set_trait(c, now, DATA_ELEMENT, element);
    return ck_value(now);
}

/* The slice of arrays: the first dimension taken off; TensorFlow's from now on. */
static struct lw_value slice_of(struct ck *c, struct lw_value v, uint32_t node)
{
    struct lw_seq seq;
    const struct lw_dict *d;
    if (v.kind == LW_V_TENSOR) {
        struct lw_tensor t = *v.tensor;
        if (lw_shape_has_rank(&t.shape) && t.shape.n == 0)
            return lw_v_unknown();
        t.shape = lw_shape_has_rank(&t.shape) ? lw_shape_drop(&t.shape, 0) : lw_shape_unknown();
        t.framework = LW_TF;
        t.id = 0;
        return ck_tensor(c, &t);
    }
    if (v.kind == LW_V_TUPLE && ck_sequence(c, v, &seq) && !seq.open) {
        struct lw_value *items = ck_values(c, seq.n);
        for (uint32_t i = 0; items && i < seq.n; i++)
            items[i] = slice_of(c, seq.items[i], node);
        return items ? ck_make_seq(c, LW_V_TUPLE, items, seq.n, false) : lw_v_unknown();
    }
    if (ck_pairs(v, &d) && !d->open) {
        struct lw_value *values = ck_values(c, d->n);
        struct lw_dict *now = lw_arena_alloc(c->arena, sizeof *now);
        for (uint32_t i = 0; values && i < d->n; i++)
            values[i] = slice_of(c, d->values[i], node);
        if (!values || !now)
            return lw_v_unknown();
        *now = (struct lw_dict){d->keys, values, d->n, false};
        return ck_new_dict(c, now, node);
    }
    struct lw_tensor t;
    if (!ck_to_tensor(c, v, &t))
        return lw_v_unknown();
    struct lw_value tensor = ck_tensor(c, &t);
    return tensor.kind == LW_V_TENSOR ? slice_of(c, tensor, node) : lw_v_unknown();
}

static const struct lw_api *dataset_api(struct ck *c)
{
    return lw_api_find(c->apis, LW_S("tensorflow.data.Dataset"), NULL);
}

static void new_dataset(struct ck *c, const struct ck_call *call, struct lw_value *value,
                        struct lw_value element)
{
    const struct lw_api *api = dataset_api(c);
    if (value->kind != CK_INSTANCE) {
        if (!api)
            return;
        *value = ck_new_instance(c, api, NULL, 0, call->node);
    }
    keep_element(c, *value, element);
}

static void from_slices(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, "tensors");
    new_dataset(c, call, value, slice_of(c, v, call->node));
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_UNBATCHED, lw_v_tri(LW_TRI_YES));
}

static void from_tensors(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    new_dataset(c, call, value, ck_arg(call, 0, "tensors"));
}

static void dataset_range(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TF);
    t.shape = lw_shape_of_rank(0);
    t.dtype = LW_I64;
    new_dataset(c, call, value, ck_tensor(c, &t));
}

static void from_unknown(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    new_dataset(c, call, value, lw_v_unknown());
}

static void dataset_zip(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq seq;
    struct lw_value sets = ck_arg(call, 0, "datasets");
    if (!ck_sequence(c, sets, &seq) || seq.open)
        return;
    struct lw_value *items = ck_values(c, seq.n);
    for (uint32_t i = 0; items && i < seq.n; i++)
        items[i] = element_of(seq.items[i]);
    if (items)
        new_dataset(c, call, value, ck_make_seq(c, LW_V_TUPLE, items, seq.n, false));
}

static void same_dataset(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = derived(c, call, element_of(call->self));
}

/* Samples come in another order in each epoch. */
static void dataset_shuffle(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    same_dataset(c, call, value);
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_REORDERED, lw_v_tri(LW_TRI_YES));
}

/* repeat() without a number, or -1, never ends; take() ends what it is called of. */
static void dataset_repeat(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value count = ck_arg(call, 0, "count");
    int64_t n = 0;
    bool endless = count.kind == LW_V_ABSENT || count.kind == LW_V_NONE ||
                   (ck_int_of(c, count, &n) && n < 0);
    same_dataset(c, call, value);
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o && endless)
        model_set_trait(c, o, DATA_ENDLESS, lw_v_tri(LW_TRI_YES));
}

static void dataset_take(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    same_dataset(c, call, value);
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_ENDLESS, lw_v_tri(LW_TRI_NO));
}

static void dataset_batch(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value size = ck_arg(call, 0, "batch_size");
    struct lw_value drop = ck_arg(call, 1, "drop_remainder");
    lw_dim batch = lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
    if (size.kind == LW_V_INT && drop.kind == LW_V_BOOL && drop.tri == LW_TRI_YES)
        batch = size.dim;
    *value = derived(c, call, ck_batched(c, element_of(call->self), batch, LW_TF));
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_UNBATCHED, lw_v_tri(LW_TRI_NO));
}

/* The function gets the parts of the element as arguments. */
static void dataset_map(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value f = ck_arg(call, 0, "map_func"), element = element_of(call->self);
    struct lw_arg args[8];
    struct lw_seq seq;
    size_t n = 0;
    if (element.kind == LW_V_TUPLE && ck_sequence(c, element, &seq) && seq.n <= 8) {
        for (uint32_t i = 0; i < seq.n; i++)
            args[n++] = (struct lw_arg){.value = seq.items[i], .node = call->node};
    } else
        args[n++] = (struct lw_arg){.value = element, .node = call->node};
    struct lw_value out = lw_v_unknown();
    if (f.kind == CK_FUNCTION || f.kind == CK_METHOD || f.kind == CK_NAME)
        out = element.kind == LW_V_UNKNOWN && f.kind != CK_NAME
                  ? lw_v_unknown()
                  : ck_call(c, f, args, n, call->node);
    *value = derived(c, call, out);
}

static void unknown_element(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = derived(c, call, lw_v_unknown());
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (o)
        model_set_trait(c, o, DATA_UNBATCHED, lw_v_unknown());
}

static void dataset_iterator(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, call->node);
    if (!o)
        return;
    o->name = LW_S("tensorflow.data.Iterator");
    o->open = true;
    model_set_trait(c, o, DATA_ELEMENT, element_of(call->self));
    *value = ck_value(o);
}

static void get_next(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    *value = element_of(call->self);
}

/* ---- Keras' image generators --------------------------------------------------------------
 */

/* Values of `from` as the generator scales them; unknown where it does more. */
static struct lw_interval scaled_range(struct ck *c, const struct ck_object *generator,
                                       struct lw_interval from)
{
    static const char *const more[] = {"featurewise_center", "samplewise_center",
                                       "featurewise_std_normalization",
                                       "samplewise_std_normalization", "zca_whitening"};
    double scale = 1;
    if (!generator || generator->of)
        return lw_iv_unknown();
    struct lw_value rescale = ck_config(generator, "rescale");
    if (ck_config(generator, "preprocessing_function").kind != LW_V_NONE ||
        (rescale.kind != LW_V_NONE && !ck_number_of(c, rescale, &scale)))
        return lw_iv_unknown();
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (ck_truth(c, ck_config(generator, more[i])) != LW_TRI_NO)
            return lw_iv_unknown();
    if (scale == 1)
        return from;
    if (!(from.flags & LW_IV_KNOWN) || !isfinite(from.lo) || !isfinite(from.hi))
        return lw_iv_unknown();
    return lw_iv_between(fmin(from.lo * scale, from.hi * scale),
                         fmax(from.lo * scale, from.hi * scale));
}

static bool is_text(struct lw_value v, const char *text)
{
    return v.kind == LW_V_STR && v.str.p && lw_str_eq(v.str, lw_str(text));
}

/* Images from files, all brought to the size that the argument says. */
static struct lw_tensor image_batch(struct ck *c, const struct ck_call *call, lw_dim batch,
                                    const char *size_name)
{
    struct lw_value size = ck_arg(call, SIZE_MAX, size_name);
    struct lw_value mode = ck_arg(call, SIZE_MAX, "color_mode");
    struct lw_seq seq;
    struct lw_tensor t = lw_tensor_unknown(LW_NUMPY);
    int channels = is_text(mode, "grayscale") ? 1 : is_text(mode, "rgba") ? 4 : 3;
    lw_dim d[4] = {batch, lw_dim_int(256), lw_dim_int(256), lw_dim_int(channels)};
    if (size.kind != LW_V_ABSENT) {
        d[1] = d[2] = LW_DIM_UNKNOWN;
        if (ck_sequence(c, size, &seq) && seq.n == 2 && !seq.open)
            for (int i = 0; i < 2; i++)
                if (seq.items[i].kind == LW_V_INT)
                    d[i + 1] = seq.items[i].dim;
    }
    t.shape = lw_shape_make(d, 4);
    t.dtype = LW_F32;
    t.line = ck_place(c, call->node);
    return t;
}

static struct lw_value generator_of(struct ck *c, struct lw_value element, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (!o)
        return lw_v_unknown();
    o->name = LW_S("keras.preprocessing.image.Iterator");
    o->open = true;
    model_set_trait(c, o, DATA_ELEMENT, element);
    return ck_value(o);
}

/* Whether it hands the samples out in another order than they have. */
static void keep_order(struct ck *c, const struct ck_call *call, struct lw_value generator)
{
    struct ck_object *o = ck_as(generator, CK_INSTANCE);
    struct lw_value shuffle = ck_slot_value(call, "shuffle");
    if (o && shuffle.kind != LW_V_ABSENT)
        model_set_trait(c, o, DATA_SHUFFLES, lw_v_tri(ck_truth(c, shuffle)));
}

static struct lw_shape one_hot_shape(struct ck *c, lw_dim batch)
{
    lw_dim d[2] = {batch, lw_dim_symbol(c->dims, LW_S("classes"), 2, LW_DIM_MOST)};
    return lw_shape_make(d, 2);
}

static void flow_from_directory(struct ck *c, const struct ck_call *call,
                                struct lw_value *value)
{
    lw_dim batch = lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
    struct lw_value mode = ck_arg(call, SIZE_MAX, "class_mode");
    struct lw_tensor t = lw_tensor_unknown(LW_NUMPY);
    struct lw_tensor images = image_batch(c, call, batch, "target_size");
    images.range = scaled_range(c, ck_as(call->self, CK_INSTANCE), lw_iv_between(0, 255));
    t.dtype = LW_F32;
    t.line = ck_place(c, call->node);
    if (is_text(mode, "binary") || is_text(mode, "sparse"))
        t.shape = lw_shape_make(&batch, 1);
    else if (mode.kind == LW_V_ABSENT || is_text(mode, "categorical"))
        t.shape = one_hot_shape(c, batch);
    struct lw_value pair[2] = {ck_tensor(c, &images), ck_tensor(c, &t)};
    struct lw_value element = mode.kind == LW_V_NONE ? pair[0] : ck_tuple(c, pair, 2);
    *value = generator_of(c, element, call->node);
    keep_order(c, call, *value);
}

/* The labels of image_dataset_from_directory(label_mode=...). */
static struct lw_tensor folder_labels(struct ck *c, const struct ck_call *call, lw_dim batch,
                                      struct lw_value mode)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TF);
    lw_dim column[2] = {batch, lw_dim_int(1)};
    t.line = ck_place(c, call->node);
    if (mode.kind == LW_V_ABSENT || is_text(mode, "int")) {
        t.shape = lw_shape_make(&batch, 1);
        t.dtype = LW_I32;
    } else if (is_text(mode, "binary") || is_text(mode, "categorical")) {
        t.shape = is_text(mode, "binary") ? lw_shape_make(column, 2) : one_hot_shape(c, batch);
        t.dtype = LW_F32;
        t.range = lw_iv_between(0, 1);
    }
    return t;
}

/* A data set of the images in the folders of their classes. */
static void images_of_folder(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    lw_dim batch = lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
    struct lw_value mode = ck_arg(call, SIZE_MAX, "label_mode");
    struct lw_value size = ck_arg(call, SIZE_MAX, "batch_size");
    struct lw_value subset = ck_arg(call, SIZE_MAX, "subset");
    struct lw_tensor images = image_batch(c, call, batch, "image_size");
    *value = lw_v_unknown();
    if (size.kind == LW_V_NONE || is_text(subset, "both") ||
        (subset.kind != LW_V_STR && subset.kind != LW_V_NONE && subset.kind != LW_V_ABSENT))
        return;
    images.framework = LW_TF;
    images.range = lw_iv_between(0, 255);
    struct lw_tensor labels = folder_labels(c, call, batch, mode);
    struct lw_value pair[2] = {ck_tensor(c, &images), ck_tensor(c, &labels)};
    new_dataset(c, call, value, mode.kind == LW_V_NONE ? pair[0] : ck_tuple(c, pair, 2));
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    if (!o)
        return;
    o->open = true; /* class_names, file_paths */
    keep_order(c, call, *value);
}

/* Lists of the numbers of words; Tokenizer(num_words=n) gives those below n. */
static void word_numbers(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    int64_t words;
    if (!o || o->of || !ck_int_of(c, ck_config(o, "num_words"), &words) || words < 2)
        return;
    struct lw_value *word = ck_values(c, 1), *text = ck_values(c, 1);
    if (!word || !text)
        return;
    word[0] = lw_v_dim(lw_dim_symbol(c->dims, LW_S("word"), 1, words - 1));
    struct lw_seq words_of_text = {.items = word, .n = 1, .open = true};
    text[0] = ck_new_list(c, CK_LIST, words_of_text, call->node);
    struct lw_seq texts = {.items = text, .n = 1, .open = true};
    *value = ck_new_list(c, CK_LIST, texts, call->node);
}

/* pad_sequences: the numbers are those of the lists, and 0. */
static void pad(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq texts, words;
    int64_t least, most;
    if (value->kind != LW_V_TENSOR || !ck_sequence(c, ck_arg(call, 0, "sequences"), &texts) ||
        !texts.n || !ck_sequence(c, texts.items[0], &words) || !words.n ||
        words.items[0].kind != LW_V_INT || !texts.open)
        return;
    lw_dim_bounds(c->dims, words.items[0].dim, &least, &most);
    if (least < 0 || most == LW_DIM_MOST)
        return;
    struct lw_tensor t = *value->tensor;
    t.range = lw_iv_between(0, (double)most);
    t.range.flags |= LW_IV_WHOLE;
    *value = ck_tensor(c, &t);
}

static void flow(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    lw_dim batch = lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
    struct lw_value parts[2] = {ck_arg(call, 0, "x"), ck_arg(call, 1, "y")};
    for (int i = 0; i < 2; i++)
        if (parts[i].kind == LW_V_TENSOR && lw_shape_has_rank(&parts[i].tensor->shape) &&
            parts[i].tensor->shape.n) {
            struct lw_tensor t = *parts[i].tensor;
            t.shape.d[0] = batch;
            t.id = 0;
            if (i == 0) {
                t.range = scaled_range(c, ck_as(call->self, CK_INSTANCE), t.range);
                t.dtype = LW_F32;
            }
            parts[i] = ck_tensor(c, &t);
        } else if (parts[i].kind != LW_V_ABSENT && parts[i].kind != LW_V_NONE)
            parts[i] = lw_v_unknown();
    bool pair = parts[1].kind != LW_V_ABSENT && parts[1].kind != LW_V_NONE;
    *value = generator_of(c, pair ? ck_tuple(c, parts, 2) : parts[0], call->node);
    keep_order(c, call, *value);
}

/* ---- shuffled rows, tensorflow_datasets ---------------------------------------------------
 */

/* sklearn.utils.shuffle(a, b): the same arrays with their rows in another order. */
static void shuffle_rows(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value *items = ck_values(c, call->n);
    size_t n = 0;
    for (size_t i = 0; items && i < call->n; i++) {
        if (call->args[i].star)
            return;
        if (!call->args[i].name.n)
            items[n++] = call->args[i].value;
    }
    if (n == 1)
        *value = items[0];
    else if (n > 1)
        *value = ck_tuple(c, items, n);
}

struct known_set {
    const char *name;
    int32_t rows, columns, channels; /* 0: texts of any length */
};

static const struct known_set known_sets[] = {
    {"mnist", 28, 28, 1},      {"fashion_mnist", 28, 28, 1}, {"kmnist", 28, 28, 1},
    {"cifar10", 32, 32, 3},    {"cifar100", 32, 32, 3},      {"svhn_cropped", 32, 32, 3},
    {"imdb_reviews", 0, 0, 0},
};

/* (picture, label) or (numbers of words, label) of a data set that everybody uses. */
static struct lw_value known_element(struct ck *c, struct lw_str name, uint32_t node)
{
    ptrdiff_t slash = lw_str_find_char(name, '/');
    bool coded = slash >= 0 && lw_str_find(name, LW_S("subwords")) >= 0;
    if (slash >= 0)
        name = lw_str_part(name, 0, (size_t)slash);
    for (size_t i = 0; i < sizeof known_sets / sizeof *known_sets; i++) {
        const struct known_set *k = &known_sets[i];
        if (!lw_str_eq(name, lw_str(k->name)))
            continue;
        struct lw_tensor x = lw_tensor_unknown(LW_TF), y = x;
        lw_dim d[3] = {lw_dim_int(k->rows), lw_dim_int(k->columns), lw_dim_int(k->channels)};
        lw_dim length = lw_dim_symbol(c->dims, LW_S("length"), 1, LW_DIM_MOST);
        x.shape = k->rows ? lw_shape_make(d, 3) : lw_shape_make(&length, coded ? 1 : 0);
        x.dtype = k->rows ? LW_U8 : coded ? LW_I64 : LW_TEXT;
        y.shape = lw_shape_of_rank(0);
        y.dtype = LW_I64;
        x.line = y.line = ck_place(c, node);
        struct lw_value pair[2] = {ck_tensor(c, &x), ck_tensor(c, &y)};
        return ck_tuple(c, pair, 2);
    }
    return lw_v_unknown();
}

/* tfds.load(name, as_supervised=True): unbatched pairs, as many sets as splits are asked for.
 */
static void load_known(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value name = ck_arg(call, 0, "name"), split = ck_arg(call, SIZE_MAX, "split");
    struct lw_value info = ck_arg(call, SIZE_MAX, "with_info"), set = lw_v_unknown();
    const struct lw_api *api = dataset_api(c);
    struct lw_seq seq;
    *value = lw_v_unknown();
    if (name.kind != LW_V_STR || !name.str.p || !api ||
        ck_truth(c, ck_arg(call, SIZE_MAX, "as_supervised")) != LW_TRI_YES ||
        ck_arg(call, SIZE_MAX, "batch_size").kind != LW_V_ABSENT ||
        (info.kind != LW_V_ABSENT && ck_truth(c, info) == LW_TRI_MAYBE))
        return;
    struct lw_value one = ck_new_instance(c, api, NULL, 0, call->node);
    keep_element(c, one, known_element(c, name.str, call->node));
    if (ck_as(one, CK_INSTANCE))
        model_set_trait(c, ck_as(one, CK_INSTANCE), DATA_UNBATCHED, lw_v_tri(LW_TRI_YES));
    if (split.kind == LW_V_STR)
        set = one;
    else if (split.kind == LW_V_ABSENT) {
        struct lw_value *keys = ck_values(c, 2), *values = ck_values(c, 2);
        struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
        if (!keys || !values || !d)
            return;
        keys[0] = lw_v_str(LW_S("train"));
        keys[1] = lw_v_str(LW_S("test"));
        values[0] = values[1] = one;
        *d = (struct lw_dict){keys, values, 2, true};
        set = ck_new_dict(c, d, call->node);
    } else if (ck_sequence(c, split, &seq) && !seq.open && seq.n > 0) {
        struct lw_value *sets = ck_values(c, seq.n);
        for (uint32_t i = 0; sets && i < seq.n; i++)
            sets[i] = one;
        set = sets ? ck_tuple(c, sets, seq.n) : lw_v_unknown();
    }
    struct lw_value pair[2] = {set, lw_v_unknown()};
    *value = info.kind != LW_V_ABSENT && ck_truth(c, info) == LW_TRI_YES ? ck_tuple(c, pair, 2)
                                                                         : set;
}

/* ---- gradient tapes -----------------------------------------------------------------------
 */

/* Does the value depend on a layer that was called, and was any called since `since`? */
struct tape_walk {
    uint32_t since;
    bool before, after;
    struct lw_str cut; /* an operation on the way that has no gradient, */
    uint32_t cut_at;   /* and its place */
    uint32_t seen[512];
    size_t n;
};

static void walk_back(struct ck *c, struct tape_walk *w, struct lw_value v, unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!o || depth > 100 || w->n >= 512)
        return;
    for (size_t i = 0; i < w->n; i++)
        if (w->seen[i] == v.tensor->id)
            return;
    w->seen[w->n++] = v.tensor->id;
    if (lineage_cuts_gradient(o, v.tensor)) {
        struct tape_walk *behind = lw_arena_alloc(c->arena, sizeof *behind);
        for (uint32_t i = 0; behind && i < o->in_count; i++)
            walk_back(c, behind, o->in[i], depth + 1);
        if (behind && (behind->before || behind->after)) {
            w->cut = text_tail(o->op);
            w->cut_at = o->place;
        }
        return;
    }
    if (o->layer && !(o->layer->api && o->layer->api->kind == LW_API_LOSS))
        *(v.tensor->id > w->since ? &w->after : &w->before) = true;
    for (uint32_t i = 0; i < o->in_count; i++) {
        if (o->in[i].kind == LW_V_UNKNOWN)
            w->after = true;
        walk_back(c, w, o->in[i], depth + 1);
    }
}

static void tape_gradient(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value target = ck_arg(call, 0, "target");
    struct lw_value since = o ? model_trait(o, TAPE_SINCE) : lw_v_absent();
    int64_t n;
    *value = lw_v_unknown();
    if (!o || target.kind != LW_V_TENSOR || !ck_int_of(c, since, &n))
        return;
    struct tape_walk *w = lw_arena_alloc(c->arena, sizeof *w);
    if (!w)
        return;
    w->since = (uint32_t)n;
    walk_back(c, w, target, 0);
    struct ck_event e = {.kind = CK_EV_FAULT, .node = call->node, .a = target};
    if (w->before && !w->after)
        e.fault = CK_FAULT_TAPE_MISSES_MODEL;
    else if (!w->before && !w->after && w->cut.n)
        e.fault = CK_FAULT_GRADIENT_CUT;
    e.name = w->cut;
    e.at = w->cut_at;
    e.flag = true;
    if (e.fault)
        ck_emit(c, &e);
}

#define DATASET(prefix)                                                                     \
    {prefix ".apply", unknown_element}, {prefix ".batch", dataset_batch},                   \
        {prefix ".cache", same_dataset}, {prefix ".filter", same_dataset},                  \
        {prefix ".flat_map", unknown_element}, {prefix ".interleave", unknown_element},     \
        {prefix ".make_initializable_iterator", dataset_iterator},                          \
        {prefix ".make_one_shot_iterator", dataset_iterator}, {prefix ".map", dataset_map}, \
        {prefix ".padded_batch", unknown_element}, {prefix ".prefetch", same_dataset},      \
        {prefix ".repeat", dataset_repeat}, {prefix ".shard", same_dataset},                \
        {prefix ".shuffle", dataset_shuffle}, {prefix ".skip", same_dataset},               \
        {prefix ".take", dataset_take}, {prefix ".unbatch", unknown_element},               \
        {prefix ".window", unknown_element},                                                \
    {                                                                                       \
        prefix ".with_options", same_dataset                                                \
    }

/* clang-format off */
/* ---- sklearn ------------------------------------------------------------------------------
 */

/* A part of an array knows what it was picked from. */
static struct lw_value picked(struct ck *c, const struct ck_call *call, struct lw_value part,
                              struct lw_value whole)
{
    struct ck_origin origin = {.op = call->name, .api = call->api, .node = call->node};
    return ck_made(c, part, &origin, &whole, 1);
}

/* train_test_split(a, b): a_train, a_test, b_train, b_test. Rows are picked, values stay. */
static void split_rows(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    lw_dim rows[2];
    struct lw_value *items = ck_values(c, 2 * call->n);
    size_t n = 0;
    for (size_t k = 0; k < 2; k++)
        rows[k] = lw_dim_symbol(c->dims, k ? LW_S("test") : LW_S("train"), 1, LW_DIM_MOST);
    for (size_t i = 0; items && i < call->n && !call->args[i].name.n; i++) {
        struct lw_tensor t;
        if (call->args[i].star)
            return;
        bool known = ck_to_tensor(c, call->args[i].value, &t) &&
                     lw_shape_has_rank(&t.shape) && t.shape.n > 0;
        for (size_t k = 0; k < 2; k++) {
            items[n] = lw_v_unknown();
            if (known) {
                t.shape.d[0] = rows[k];
                t.id = 0;
                items[n] = picked(c, call, ck_tensor(c, &t), call->args[i].value);
            }
            n++;
        }
    }
    struct lw_value parts =
        items && n ? ck_make_seq(c, LW_V_LIST, items, n, false) : lw_v_unknown();
    if (parts.kind == LW_V_LIST) /* an object: each part keeps the origin of its own */
        *value = ck_new_list(c, CK_LIST, parts.seq, call->node);
}

/* load_iris(): the table gives data and target, which are attributes unless the call asks for
 * the pair. */
static void bunch(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value pair = ck_slot_value(call, "return_X_y");
    struct lw_value frame = ck_slot_value(call, "as_frame");
    struct lw_seq seq;
    if (pair.kind == LW_V_BOOL && pair.tri == LW_TRI_YES)
        return;
    bool known = value->kind == LW_V_TUPLE && ck_sequence(c, *value, &seq) && seq.n == 2 &&
                 ck_truth(c, frame) == LW_TRI_NO && ck_truth(c, pair) == LW_TRI_NO;
    struct ck_object *o = ck_new(c, CK_INSTANCE, call->node);
    *value = lw_v_unknown();
    if (!o)
        return;
    o->name = LW_S("sklearn.utils.Bunch");
    o->open = true;
    if (known) {
        ck_set_field(c, o, "data", seq.items[0]);
        ck_set_field(c, o, "target", seq.items[1]);
    }
    *value = ck_value(o);
}

const struct ck_handler ck_handlers_data[] = {
    DATASET("tensorflow.data.Dataset"),
    {"tensorflow.data.Dataset.from_generator", from_unknown},
    {"tensorflow.data.Dataset.from_tensor_slices", from_slices},
    {"tensorflow.data.Dataset.from_tensors", from_tensors},
    {"tensorflow.data.Dataset.list_files", from_unknown},
    {"tensorflow.data.Dataset.range", dataset_range},
    {"tensorflow.data.Dataset.zip", dataset_zip},
    {"tensorflow.data.Iterator.get_next", get_next},
    {"tensorflow.data.TFRecordDataset", from_unknown},
    {"tensorflow.data.TextLineDataset", from_unknown},
    {"sklearn.datasets.load_boston", bunch},
    {"sklearn.datasets.load_breast_cancer", bunch},
    {"sklearn.datasets.load_diabetes", bunch},
    {"sklearn.datasets.load_digits", bunch},
    {"sklearn.datasets.load_iris", bunch},
    {"sklearn.datasets.load_wine", bunch},
    {"sklearn.model_selection.train_test_split", split_rows},
    {"keras.preprocessing.image_dataset_from_directory", images_of_folder},
    {"keras.utils.image_dataset_from_directory", images_of_folder},
    {"sklearn.utils.shuffle", shuffle_rows},
    {"tensorflow_datasets.load", load_known},
    {"keras.preprocessing.image.ImageDataGenerator.flow", flow},
    {"keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe", flow_from_directory},
    {"keras.preprocessing.image.ImageDataGenerator.flow_from_directory", flow_from_directory},
    {"keras.preprocessing.sequence.pad_sequences", pad},
    {"keras.preprocessing.text.Tokenizer.texts_to_sequences", word_numbers},
    {"keras.utils.pad_sequences", pad},
    {"tensorflow.GradientTape.gradient", tape_gradient},
    {NULL, NULL},
};
/* clang-format on */
