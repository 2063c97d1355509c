/* Rules about 'accuracy', which Keras picks by the shape of the output. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- yes and no for each class ------------------------------------------------------------
 */

enum { MAX_COMPILED = 16 };

/* Models that were compiled with binary cross-entropy and 'accuracy', and where. */
struct compiled {
    struct {
        const struct ck_object *model;
        struct ck_file *file;
        uint32_t node;
    } v[MAX_COMPILED];
    size_t n;
};

static const char compiled_key;

static bool asks_accuracy(struct ck *c, const struct ck_object *model)
{
    struct lw_seq seq;
    if (!ck_sequence(c, model_trait(model, MODEL_METRICS), &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind == LW_V_STR && seq.items[i].str.p &&
            (text_is(seq.items[i].str, "accuracy") || text_is(seq.items[i].str, "acc")))
            return true;
    return false;
}

static void watch_binary(struct ck *c, const struct ck_event *e)
{
    struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    if (!s || s->n == MAX_COMPILED || !loss || !text_is(lw_api_fact(loss, "task"), "binary") ||
        !asks_accuracy(c, e->object))
        return;
    s->v[s->n].model = e->object;
    s->v[s->n].file = c->frame->file;
    s->v[s->n++].node = e->node;
}

static void watch_one_hot(struct ck *c, const struct ck_event *e)
{
    struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    struct lw_value y = ck_arg(e->call, 1, "y");
    size_t i = 0;
    while (s && i < s->n && s->v[i].model != e->object)
        i++;
    if (!s || i == s->n || !look_is_one_hot(c, y))
        return;
    int64_t width = look_width(c, model_trait(e->object, MODEL_OUTPUT));
    if (!width)
        width = look_width(c, y);
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    bool several = width > 2 || (!width && text_is(out.activation, "softmax"));
    if (several)
        ck_find_at(
            c, s->v[i].file, s->v[i].node, "api/binary-accuracy", &y, 1,
            "with binary_crossentropy, 'accuracy' counts each column as a yes/no answer, but "
            "each sample has one class of several: use softmax and categorical_crossentropy");
}

/* ---- a softmax that is judged column by column ---------------------------------------------
 */

/* metrics=['accuracy'] with binary_crossentropy on several classes counts every column. */
static void watch_accuracy(struct ck *c, const struct ck_event *e)
{
    struct lw_value loss = model_trait(e->object, MODEL_LOSS);
    struct lw_value metrics = model_trait(e->object, MODEL_METRICS);
    struct lw_value out = model_trait(e->object, MODEL_OUTPUT);
    struct lw_seq seq;
    int64_t n;
    bool accuracy = false;
    if (loss.kind != LW_V_STR || !lw_str_eq(loss.str, LW_S("binary_crossentropy")) ||
        out.kind != LW_V_TENSOR || !lw_shape_has_rank(&out.tensor->shape) ||
        out.tensor->shape.n < 2 || !ck_sequence(c, metrics, &seq) ||
        !lw_dim_is_int(c->dims, out.tensor->shape.d[out.tensor->shape.n - 1], &n) || n < 3 ||
        !lw_str_eq(mv_last_activation(c, out), LW_S("softmax")))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        accuracy |=
            seq.items[i].kind == LW_V_STR && (lw_str_eq(seq.items[i].str, LW_S("accuracy")) ||
                                              lw_str_eq(seq.items[i].str, LW_S("acc")));
    if (accuracy)
        ck_find(c, e->node, "api/binary-accuracy", &out, 1,
                "with binary_crossentropy, 'accuracy' counts each of the %lld columns as a "
                "yes/no answer and is far too high: use categorical_crossentropy",
                (long long)n);
}

/* binary_crossentropy on several classes. */
static void make_categorical(struct fix *f)
{
    uint32_t loss = fix_find_string(f, f->node, LW_S("binary_crossentropy"));
    if (loss == LW_NO_NODE)
        return;
    fix_say(f, "use categorical_crossentropy");
    fix_quoted(f, loss, LW_S("categorical_crossentropy"));
}

const struct ck_rule rules_api_metric[] = {
    {"api/binary-accuracy", CK_EV_COMPILE, watch_binary},
    {"api/binary-accuracy", CK_EV_FIT, watch_one_hot},
    {"api/binary-accuracy", CK_EV_COMPILE, watch_accuracy},
    {"api/binary-accuracy", .fix = make_categorical},
    {0},
};
