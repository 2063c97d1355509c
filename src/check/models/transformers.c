/*
 * Hugging Face transformers: models that are loaded by name, what they give, and tokenizers.
 * data/checkpoints.csv has the sizes of well-known checkpoints; of others only the ranks are
 * known.
 */
#include <string.h>

#include "base/err.h"
#include "base/csv.h"
#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "knowledge/embedded.h"

static const char output_name[] = "transformers.ModelOutput";
static const char encoding_name[] = "transformers.BatchEncoding";
static const char tokenizer_name[] = "transformers.Tokenizer";

enum head { HEAD_NONE, HEAD_BASE, HEAD_SEQUENCE, HEAD_TOKEN, HEAD_WORD, HEAD_SPAN };

struct checkpoint {
    int64_t hidden, vocabulary; /* 0: not known */
    lw_tri pooler, padding;
    bool known;
};

static lw_tri yes_no(struct lw_str s)
{
    return lw_tri_of(lw_str_eq(s, LW_S("yes")));
}

static struct checkpoint find_checkpoint(struct ck *c, struct lw_value name)
{
    struct checkpoint out = {.pooler = LW_TRI_MAYBE, .padding = LW_TRI_MAYBE};
    struct lw_csv csv;
    struct lw_err ignored;
    struct lw_str text, file = LW_S("data/checkpoints.csv");
    if (name.kind != LW_V_STR || !name.str.p || !lw_embedded_find(file, &text) ||
        lw_csv_open_text(&csv, c->mem, file, ',', text, &ignored) < 0)
        return out;
    struct lw_str want = name.str;
    static const char *const owners[] = {"google-bert/", "openai-community/", "FacebookAI/",
                                         "distilbert/",  "google-t5/",        "albert/"};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (lw_str_has_prefix(want, lw_str(owners[i])))
            want = lw_str_from(want, strlen(owners[i]));
    while (!out.known && lw_csv_next(&csv, &ignored) > 0) {
        const struct lw_str *field = csv.fields.v;
        if (csv.fields.n != 5 || !lw_str_eq(field[0], want))
            continue;
        out.known = true;
        (void)lw_parse_i64(field[1], &out.hidden);
        (void)lw_parse_i64(field[2], &out.vocabulary);
        out.pooler = yes_no(field[3]);
        out.padding = yes_no(field[4]);
    }
    lw_csv_close(&csv);
    return out;
}

static struct lw_value keyword(const struct lw_arg *args, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!args[i].star && lw_str_eq(args[i].name, lw_str(name)))
            return args[i].value;
    return lw_v_absent();
}

static bool is_named(const struct ck_object *o, const char *name)
{
    return o && !o->of && lw_str_eq(o->name, lw_str(name));
}

static struct ck_object *new_object(struct ck *c, const char *name, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (o) {
        o->name = lw_str(name);
        o->open = true;
    }
    return o;
}

/* ---- models -------------------------------------------------------------------------------
 */

/* Encoders with decoders take more than one input: they are not followed. */
static bool has_decoder(struct lw_str cls, struct lw_value checkpoint)
{
    static const char *const names[] = {"T5",      "Bart", "bart", "Pegasus",        "pegasus",
                                        "Marian",  "t5",   "opus", "EncoderDecoder", "Seq2Seq",
                                        "Whisper", "M2M",  "Led",  "ProphetNet",     "CLIP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_str_find(cls, lw_str(names[i])) >= 0 ||
            (checkpoint.kind == LW_V_STR && checkpoint.str.p &&
             lw_str_find(checkpoint.str, lw_str(names[i])) >= 0))
            return true;
    return false;
}

static enum head head_of(struct lw_str cls)
{
    static const struct {
        const char *suffix;
        enum head head;
    } heads[] = {{"ForSequenceClassification", HEAD_SEQUENCE},
                 {"ForImageClassification", HEAD_SEQUENCE},
                 {"ForTokenClassification", HEAD_TOKEN},
                 {"ForMaskedLM", HEAD_WORD},
                 {"ForCausalLM", HEAD_WORD},
                 {"LMHeadModel", HEAD_WORD},
                 {"ForQuestionAnswering", HEAD_SPAN}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (lw_str_has_suffix(cls, lw_str(heads[i].suffix)))
            return heads[i].head;
    bool base = lw_str_has_suffix(cls, LW_S("Model")) && lw_str_find(cls, LW_S("For")) < 0 &&
                lw_str_find(cls, LW_S("PreTrained")) < 0 &&
                lw_str_find(cls, LW_S("Double")) < 0;
    return base ? HEAD_BASE : HEAD_NONE;
}

/* What the classes are is not given: two. With a configuration or names of its own: anything.
 */
static struct lw_value label_count(struct ck *c, const struct checkpoint *known,
                                   const struct lw_arg *args, size_t n)
{
    struct lw_value given = keyword(args, n, "num_labels");
    if (given.kind != LW_V_ABSENT)
        return given;
    bool plain = known->known && known->vocabulary > 0 &&
                 keyword(args, n, "config").kind == LW_V_ABSENT &&
                 keyword(args, n, "id2label").kind == LW_V_ABSENT;
    for (size_t i = 0; i < n; i++)
        plain &= !args[i].star;
    return plain ? ck_int(c, 2) : lw_v_unknown();
}

static struct lw_value known_int(struct ck *c, int64_t n)
{
    return n > 0 ? ck_int(c, n) : lw_v_unknown();
}

static void describe(struct ck *c, struct ck_object *o, struct lw_str cls,
                     const struct lw_arg *args, size_t n, uint32_t node)
{
    struct lw_value name = n && !args[0].name.n ? args[0].value : lw_v_absent();
    struct checkpoint known = find_checkpoint(c, name);
    enum head head = has_decoder(cls, name) ? HEAD_NONE : head_of(cls);
    struct ck_object *config = new_object(c, "transformers.Config", node);
    if (!config || head == HEAD_NONE)
        return;
    if (ck_shows(c, "name resize_token_embeddings"))
        known.vocabulary = 0;
    ck_set_field(c, config, "hidden_size", known_int(c, known.hidden));
    ck_set_field(c, config, "vocab_size", known_int(c, known.vocabulary));
    ck_set_field(c, config, "num_labels", label_count(c, &known, args, n));
    ck_set_field(c, o, "config", ck_value(config));
    model_set_trait(c, o, PRETRAINED_HEAD, ck_int(c, head));
    model_set_trait(c, o, PRETRAINED_POOLER, lw_v_tri(known.pooler));
    model_set_trait(c, o, PRETRAINED_WORDS, lw_v_tri(lw_tri_of(known.vocabulary > 0)));
    if (keyword(args, n, "device_map").kind != LW_V_ABSENT)
        model_set_trait(c, o, MODULE_DEVICE, lw_v_unknown());
    if (keyword(args, n, "torch_dtype").kind != LW_V_ABSENT ||
        keyword(args, n, "dtype").kind != LW_V_ABSENT)
        model_set_trait(c, o, MODULE_DTYPE, lw_v_unknown());
    if (keyword(args, n, "return_dict").kind != LW_V_ABSENT)
        model_set_trait(c, o, PRETRAINED_RETURN_DICT, keyword(args, n, "return_dict"));
}

static struct lw_value new_tokenizer(struct ck *c, struct lw_str cls, const struct lw_arg *args,
                                     size_t n, uint32_t node)
{
    struct ck_object *o = new_object(c, tokenizer_name, node);
    struct checkpoint known = find_checkpoint(c, n ? args[0].value : lw_v_absent());
    if (!o)
        return lw_v_unknown();
    lw_tri pads = lw_str_has_prefix(cls, LW_S("GPT2")) ? LW_TRI_NO : known.padding;
    if (keyword(args, n, "pad_token").kind != LW_V_ABSENT)
        pads = LW_TRI_YES;
    model_set_trait(c, o, TOKENIZER_PADS, lw_v_tri(pads));
    return ck_value(o);
}

/* transformers.BertModel.from_pretrained(…) gives a torch module, TFBertModel a Keras model. */
bool ck_pretrained(struct ck *c, const struct ck_object *name, const struct lw_arg *args,
                   size_t n, uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(name->kind != CK_NAME || !out);
    if (!lw_str_has_prefix(name->name, LW_S("transformers.")) ||
        !lw_str_has_suffix(name->name, LW_S(".from_pretrained")))
        return false;
    struct lw_str cls = lw_str_part(name->name, 13, name->name.n - 13 - 16);
    if (lw_str_find_char(cls, '.') >= 0)
        return false;
    if (lw_str_has_suffix(cls, LW_S("Tokenizer")) ||
        lw_str_has_suffix(cls, LW_S("TokenizerFast"))) {
        *out = new_tokenizer(c, cls, args, n, node);
        return true;
    }
    bool model = lw_str_find(cls, LW_S("Model")) >= 0 || lw_str_find(cls, LW_S("For")) >= 0;
    const struct lw_api *api = lw_api_find(c->apis, LW_S("torch.nn.Module"), NULL);
    if (!model || lw_str_has_prefix(cls, LW_S("TF")) || lw_str_has_prefix(cls, LW_S("Flax")) ||
        !api)
        return false;
    *out = ck_new_instance(c, api, NULL, 0, node);
    struct ck_object *o = ck_as(*out, CK_INSTANCE);
    if (o) {
        o->open = true;
        describe(c, o, cls, args, n, node);
    }
    return true;
}

/* ---- what a model gives -------------------------------------------------------------------
 */

struct outcome {
    struct ck *c;
    struct ck_object *object;
    struct lw_tensor like; /* type, device, gradient */
    struct lw_value items[3];
    size_t n;
};

static void add_output(struct outcome *r, const char *name, struct lw_value v)
{
    ck_set_field(r->c, r->object, name, v);
    if (r->n < sizeof r->items / sizeof *r->items)
        r->items[r->n++] = v;
}

static void add_tensor(struct outcome *r, const char *name, const lw_dim *d, uint32_t n)
{
    struct lw_tensor t = r->like;
    t.shape = lw_shape_make(d, n);
    add_output(r, name, ck_tensor(r->c, &t));
}

static lw_dim dim_of(struct ck *c, struct lw_value v)
{
    int64_t n;
    return v.kind == LW_V_INT && ck_int_of(c, v, &n) && n > 0 ? v.dim : LW_DIM_UNKNOWN;
}

/* The ids of the words, or the pictures: the first argument, one with their name, or in
 * **encoding. */
static struct lw_value input_of(struct ck *c, const struct lw_arg *args, size_t n)
{
    static const char *const names[] = {"input_ids", "pixel_values", "inputs_embeds"};
    for (size_t i = 0; i < n; i++) {
        struct ck_object *o = ck_as(args[i].value, CK_INSTANCE);
        if (!args[i].star && !args[i].name.n)
            return args[i].value;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (lw_str_eq(args[i].name, lw_str(names[k])))
                return args[i].value;
            if (args[i].star && is_named(o, encoding_name) &&
                ck_field(c, o, names[k]).kind == LW_V_TENSOR)
                return ck_field(c, o, names[k]);
        }
    }
    return lw_v_unknown();
}

/* model.classifier = nn.Linear(768, 5): the classes are those of another layer now. */
static bool is_rebuilt(struct ck *c, const struct ck_object *o)
{
    static const char *const heads[] = {
        "classifier", "score",      "fc",         "qa_outputs", "lm_head",
        "pooler",     "embeddings", "num_labels", "cls",        "pre_classifier"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (ck_field(c, o, heads[i]).kind != LW_V_ABSENT)
            return true;
    return false;
}

static void check_words(struct ck *c, const struct ck_object *o, struct lw_value in,
                        const struct lw_arg *args, size_t n, uint32_t node)
{
    for (size_t i = 0; i < n; i++) {
        const struct ck_object *e = ck_as(args[i].value, CK_INSTANCE);
        if (args[i].star && is_named(e, encoding_name) &&
            model_trait(e, ENCODING_LISTS).kind != LW_V_ABSENT && !c->frame->guarded)
            ck_emit(c, &(struct ck_event){
                           .kind = CK_EV_FAULT, .fault = CK_FAULT_TOKEN_LISTS, .node = node});
    }
    lw_tri words = ck_truth(c, model_trait(o, PRETRAINED_WORDS));
    if (in.kind == LW_V_TENSOR && words == LW_TRI_YES && lw_shape_has_rank(&in.tensor->shape) &&
        in.tensor->shape.n == 1)
        ck_emit(c,
                &(struct ck_event){
                    .kind = CK_EV_FAULT, .fault = CK_FAULT_TOKEN_RANK, .node = node, .a = in});
}

static void check_place(struct ck *c, struct lw_value in, uint32_t weights, uint32_t node)
{
    bool known = in.kind == LW_V_TENSOR && (weights == LW_CPU || weights == LW_CUDA) &&
                 (in.tensor->device == LW_CPU || in.tensor->device == LW_CUDA);
    if (known && in.tensor->device != weights && !c->frame->guarded)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_TOKEN_DEVICE,
                                      .node = node,
                                      .a = in,
                                      .count = weights});
}

static void add_results(struct outcome *r, const struct ck_object *o, struct lw_value in,
                        bool labels)
{
    struct ck *c = r->c;
    const struct ck_object *config = ck_as(ck_field(c, o, "config"), CK_INSTANCE);
    const struct lw_shape *s = in.kind == LW_V_TENSOR && lw_shape_has_rank(&in.tensor->shape)
                                   ? &in.tensor->shape
                                   : NULL;
    lw_dim rows = s && s->n > 1 ? s->d[0] : LW_DIM_UNKNOWN;
    lw_dim tokens = s && s->n == 2 ? s->d[1] : LW_DIM_UNKNOWN;
    bool rebuilt = !config || is_rebuilt(c, o);
    lw_dim hidden = dim_of(c, config ? ck_field(c, config, "hidden_size") : lw_v_unknown());
    lw_dim words = dim_of(c, rebuilt ? lw_v_unknown() : ck_field(c, config, "vocab_size"));
    lw_dim classes = dim_of(c, rebuilt ? lw_v_unknown() : ck_field(c, config, "num_labels"));
    int64_t head = HEAD_NONE;
    (void)ck_int_of(c, model_trait(o, PRETRAINED_HEAD), &head);
    if (labels && head != HEAD_BASE)
        add_tensor(r, "loss", NULL, 0);
    lw_tri pooler = rebuilt ? LW_TRI_MAYBE : ck_truth(c, model_trait(o, PRETRAINED_POOLER));
    switch ((enum head)head) {
    case HEAD_BASE:
        add_tensor(r, "last_hidden_state", (lw_dim[]){rows, tokens, hidden}, 3);
        if (pooler == LW_TRI_YES)
            add_tensor(r, "pooler_output", (lw_dim[]){rows, hidden}, 2);
        break;
    case HEAD_SEQUENCE: add_tensor(r, "logits", (lw_dim[]){rows, classes}, 2); break;
    case HEAD_TOKEN: add_tensor(r, "logits", (lw_dim[]){rows, tokens, classes}, 3); break;
    case HEAD_WORD: add_tensor(r, "logits", (lw_dim[]){rows, tokens, words}, 3); break;
    case HEAD_SPAN:
        add_tensor(r, "start_logits", (lw_dim[]){rows, tokens}, 2);
        add_tensor(r, "end_logits", (lw_dim[]){rows, tokens}, 2);
        break;
    case HEAD_NONE: break;
    }
}

static bool call_model(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                       uint32_t node, struct lw_value *out)
{
    struct lw_value in = input_of(c, args, n);
    struct outcome r = {.c = c, .object = new_object(c, output_name, node)};
    if (!r.object)
        return false;
    uint32_t device = ck_module_device(c, o);
    check_words(c, o, in, args, n, node);
    check_place(c, in, device, node);
    r.like = lw_tensor_unknown(LW_TORCH);
    r.like.dtype = ck_module_dtype(c, o);
    r.like.device = (uint8_t)device;
    r.like.variable = LW_TRI_NO;
    r.like.grad = ck_grad_off(c) ? LW_TRI_NO : LW_TRI_MAYBE;
    r.like.line = ck_place(c, node);
    struct lw_value labels = keyword(args, n, "labels");
    bool spans = keyword(args, n, "start_positions").kind != LW_V_ABSENT;
    bool certain = labels.kind != LW_V_UNKNOWN && labels.kind != LW_V_NONE;
    add_results(&r, o, in, spans || (labels.kind != LW_V_ABSENT && certain));
    bool added = ck_shows(c, "text labels");
    for (size_t i = 0; i < n; i++)
        certain &= !args[i].star ||
                   (is_named(ck_as(args[i].value, CK_INSTANCE), encoding_name) && !added);
    /* With **batch there may be labels, and then the loss comes first. */
    struct lw_value items =
        certain ? ck_tuple(c, r.items, r.n) : ck_make_seq(c, LW_V_TUPLE, NULL, 0, true);
    model_set_trait(c, r.object, OUTPUT_TUPLE, items);
    struct lw_value dict = keyword(args, n, "return_dict");
    if (dict.kind == LW_V_ABSENT)
        dict = model_trait(o, PRETRAINED_RETURN_DICT);
    *out = dict.kind == LW_V_ABSENT || ck_truth(c, dict) == LW_TRI_YES ? ck_value(r.object)
                                                                       : lw_v_unknown();
    return true;
}

/* ---- tokenizers ---------------------------------------------------------------------------
 */

static lw_dim row_count(struct ck *c, struct lw_value text)
{
    struct lw_seq seq;
    if (text.kind == LW_V_STR)
        return lw_dim_int(1);
    if (ck_sequence(c, text, &seq) && !seq.open && seq.n)
        return dim_of(c, ck_int(c, seq.n));
    return LW_DIM_UNKNOWN;
}

static struct lw_value encode(struct ck *c, const struct ck_object *tokenizer,
                              const struct lw_arg *args, size_t n, uint32_t node)
{
    struct ck_object *o = new_object(c, encoding_name, node);
    struct lw_value pad = keyword(args, n, "padding"),
                    form = keyword(args, n, "return_tensors");
    bool pads = pad.kind == LW_V_STR || (pad.kind == LW_V_BOOL && pad.tri == LW_TRI_YES);
    if (!o)
        return lw_v_unknown();
    if (pads && ck_truth(c, model_trait(tokenizer, TOKENIZER_PADS)) == LW_TRI_NO &&
        !ck_shows(c, "name *pad_token*") && !ck_shows(c, "text pad_token") &&
        !c->frame->guarded)
        ck_emit(c, &(struct ck_event){
                       .kind = CK_EV_FAULT, .fault = CK_FAULT_NO_PAD_TOKEN, .node = node});
    for (size_t i = 0; i < n; i++)
        if (args[i].star)
            return ck_value(o);
    if (form.kind == LW_V_ABSENT || form.kind == LW_V_NONE)
        model_set_trait(c, o, ENCODING_LISTS, lw_v_tri(LW_TRI_YES));
    if (form.kind != LW_V_STR || !form.str.p || !lw_str_eq(form.str, LW_S("pt")))
        return ck_value(o);
    struct lw_value longest = keyword(args, n, "max_length");
    bool filled = pad.kind == LW_V_STR && pad.str.p && lw_str_eq(pad.str, LW_S("max_length"));
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    lw_dim d[2] = {row_count(c, n && !args[0].name.n ? args[0].value : lw_v_unknown()),
                   filled ? dim_of(c, longest) : LW_DIM_UNKNOWN};
    t.shape = lw_shape_make(d, 2);
    t.dtype = LW_I64;
    t.device = LW_CPU;
    t.grad = t.variable = LW_TRI_NO;
    t.line = ck_place(c, node);
    ck_set_field(c, o, "input_ids", ck_tensor(c, &t));
    ck_set_field(c, o, "attention_mask", ck_tensor(c, &t));
    return ck_value(o);
}

static void fn_encode(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    if (o)
        *value = encode(c, o, call->args, call->n, call->node);
}

static void encoding_to(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = call->self; /* it is changed in place, too */
    for (struct ck_slot *s = o ? o->fields.first : NULL; s; s = s->next)
        if (s->value.kind == LW_V_TENSOR) {
            struct lw_value to = ck_get_attr(c, s->value, LW_S("to"), call->node);
            struct lw_value moved = ck_call(c, to, call->args, call->n, call->node);
            heap_set(&c->heap, s, moved.kind == LW_V_TENSOR ? moved : lw_v_unknown());
        }
}

bool ck_transformers_call(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                          size_t n, uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    if (is_named(o, tokenizer_name)) {
        *out = encode(c, o, args, n, node);
        return true;
    }
    if (o->of || model_trait(o, PRETRAINED_HEAD).kind == LW_V_ABSENT)
        return false;
    return call_model(c, o, args, n, node, out);
}

bool ck_is_model_output(const struct ck_object *o)
{
    return is_named(o, output_name);
}

bool ck_transformers_subscript(struct ck *c, struct ck_object *o, struct lw_value index,
                               uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    if (!is_named(o, output_name) && !is_named(o, encoding_name))
        return false;
    *out = lw_v_unknown();
    if (index.kind == LW_V_STR && index.str.p) {
        const struct ck_slot *s = fields_find(&o->fields, heap_intern(&c->heap, index.str));
        if (s && s->value.kind != LW_V_ABSENT)
            *out = s->value;
        return true;
    }
    struct lw_value items = model_trait(o, OUTPUT_TUPLE);
    int64_t at;
    if (items.kind == LW_V_TUPLE && !items.seq.open && ck_int_of(c, index, &at) && at >= 0 &&
        at < items.seq.n)
        *out = ck_subscript(c, items, index, node);
    return true;
}

const struct ck_handler ck_handlers_transformers[] = {
    {"transformers.BatchEncoding.to", encoding_to},
    {"transformers.Tokenizer.batch_encode_plus", fn_encode},
    {"transformers.Tokenizer.encode_plus", fn_encode},
    {NULL, NULL},
};
