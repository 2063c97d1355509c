/* Rules about scalers and vocabularies that are fitted on data of the test. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

static bool is_scaler(const struct lw_api *api)
{
    return api && text_is(lw_api_fact(api, "role"), "scaler");
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
        if (!text_is_any(text_tail(o->op), forms, sizeof forms / sizeof *forms) || !o->in_count)
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
        if (!o || !text_is(text_tail(o->op), "fit_transform") || is_encoder(o->op))
            continue;
        ck_find(c, e->call->args[i].node, "data/scaler-leak", &e->call->args[i].value, 1,
                "the scaler was fitted on all data before the split: fit it on the training "
                "part and only transform the test part");
        return;
    }
}

/* A scaler that was fitted on the training data is fitted again on the test data. */
static void watch_refit(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    struct lw_str method = text_tail(e->call->name);
    if (!o || o->of || !is_scaler(o->api) || !e->call->n ||
        (!text_is(method, "fit_transform") && !text_is(method, "fit")))
        return;
    bool again = note_of(o, NOTE_FITTED).kind != LW_V_ABSENT;
    uint32_t argument = e->call->args[0].node;
    note_set(c, o, NOTE_FITTED, lw_v_tri(LW_TRI_YES));
    if (!again || argument == LW_NO_NODE || c->frame->loop ||
        role_of_data(c, c->frame->file, argument) != ROLE_TEST)
        return;
    ck_hint(c, (struct ck_hint){.was = method});
    ck_find(c, e->node, "data/scaler-refitted", NULL, 0,
            "the scaler is fitted again on the test data, which gets another scale than the "
            "training data: only call transform()");
}

/* ---- one that is made anew for the data that the network is tried on -----------------------
 */

enum { MAX_FITS = 24 };

struct fits {
    struct {
        const struct ck_object *object;
        struct ck_file *file;
        uint32_t node;
        struct lw_str argument;
        bool late; /* behind the training of a model */
    } v[MAX_FITS];
    size_t n;
    /* The call of a function of the program with test data that is being run. */
    const struct ck_object *function;
    uint32_t made; /* objects that there were before it */
    bool trained;
};

static const char fits_key;

static bool is_text_model(const struct ck_object *o)
{
    static const char *const names[] = {"Tokenizer", "TextVectorization", "CountVectorizer",
                                        "TfidfVectorizer"};
    return text_is_any(text_tail(o->name), names, sizeof names / sizeof *names);
}

static bool is_fitted_by(struct ck *c, const struct ck_object *o, struct lw_str method)
{
    static const char *const fits[] = {"fit", "fit_transform", "fit_on_texts", "adapt"};
    (void)c;
    return text_is_any(method, fits, sizeof fits / sizeof *fits) &&
           (is_text_model(o) || (o->api && text_is(lw_api_fact(o->api, "role"), "scaler")));
}

/* Are they the same words but for "train" in the one and "test" in the other? */
static bool is_counterpart(struct lw_str test, struct lw_str train)
{
    ptrdiff_t at = lw_str_find(train, LW_S("train"));
    if (at == LW_NPOS)
        return false;
    struct lw_str head = lw_str_part(train, 0, (size_t)at);
    struct lw_str tail = lw_str_part(train, (size_t)at + 5, train.n);
    return lw_str_has_prefix(test, head) && lw_str_has_suffix(test, tail) &&
           test.n >= head.n + tail.n;
}

/* `twin`: the one that was fitted on the training data. */
static void report(struct ck *c, struct ck_file *file, uint32_t node, const struct ck_object *o,
                   const struct ck_object *twin)
{
    ck_hint(c, (struct ck_hint){.object = twin});
    ck_find_at(
        c, file, node, "data/scaler-refitted", NULL, 0,
        is_text_model(o)
            ? "a new vocabulary is built from these texts, so the same word gets another index "
              "than in training: keep the %.*s fitted on the training texts"
            : "this data gets a scale of its own, which differs from that of the training "
              "data: keep the %.*s fitted on the training data, and only call transform()",
        LW_F(text_tail(o->name)));
}

/* By the scaler that was fitted on the training data, be it another one: a new one that was not
 * fitted cannot transform. */
static void make_transform(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    struct lw_str other = fix_name_of(f, f->hint->object);
    if (fix_kind(f, callee) != LW_NODE_ATTRIBUTE || (!f->hint->was.n && !other.n) ||
        !lw_str_eq(fix_name(f, callee), LW_S("fit_transform")))
        return;
    if (!f->hint->was.n) /* else it is the same one */
        fix_node(f, lw_tree_get(f->t, callee, LW_ROLE_VALUE), other);
    fix_say(f, "call transform() on the test data");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("transform"));
}

/* One of the same class that was fitted before, on what this is the counterpart of, or at the
 * same place in a function that now gets test data. */
static const struct ck_object *twin_of(const struct ck *c, const struct fits *s,
                                       const struct ck_object *o, struct lw_str argument)
{
    /* Each part of the data may read all of it and fit the training part. */
    bool inside = s->function && o->id > s->made && !role_is_named(c, argument, ROLE_TRAINING);
    for (size_t i = 0; i < s->n; i++) {
        const struct ck_object *other = s->v[i].object;
        if (other == o || !lw_str_eq(other->name, o->name))
            continue;
        if (inside && other->node == o->node && other->file == o->file)
            return other;
        if (role_is_named(c, argument, ROLE_TEST) && is_counterpart(argument, s->v[i].argument))
            return other;
    }
    return NULL;
}

static void watch_fit_of(struct ck *c, const struct ck_event *e)
{
    struct fits *s = ck_state(c, &fits_key, sizeof *s);
    const struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    const struct lw_tree *t = &c->frame->file->tree;
    if (!s || !o || o->of || !is_fitted_by(c, o, text_tail(e->call->name)) || !e->call->n ||
        e->call->args[0].node == LW_NO_NODE || c->frame->loop)
        return;
    struct lw_str argument = lw_tree_text(t, e->call->args[0].node);
    const struct ck_object *twin = twin_of(c, s, o, argument);
    if (twin)
        report(c, c->frame->file, e->node, o, twin);
    if (s->n == MAX_FITS)
        return;
    s->v[s->n].object = o;
    s->v[s->n].file = c->frame->file;
    s->v[s->n].node = e->node;
    s->v[s->n].argument = argument;
    s->v[s->n++].late = s->trained && !c->frame->function && is_text_model(o);
}

/* prepare(test_texts) */
static void watch_call(struct ck *c, const struct ck_event *e)
{
    struct fits *s = ck_state(c, &fits_key, sizeof *s);
    static const char *const fits[] = {"call .fit", "call .fit_transform", "call .fit_on_texts",
                                       "call .adapt"};
    if (!s || s->function || !c->frame || e->node == LW_NO_NODE ||
        !ck_shows_any(c, fits, sizeof fits / sizeof *fits))
        return;
    for (size_t i = 0; i < e->arg_count; i++)
        if (role_of_data(c, c->frame->file, e->args[i].node) == ROLE_TEST) {
            s->function = e->object;
            s->made = c->objects;
            return;
        }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct fits *s = ck_state(c, &fits_key, sizeof *s);
    if (s && s->function == e->object)
        s->function = NULL;
}

static void watch_training(struct ck *c, const struct ck_event *e)
{
    struct fits *s = ck_state(c, &fits_key, sizeof *s);
    (void)e;
    if (!s)
        return;
    s->trained = true;
    for (size_t i = 0; i < s->n; i++)
        s->v[i].late = false;
}

/* A vocabulary of its own for what is asked of a model that was trained with another one. */
static void watch_predict(struct ck *c, const struct ck_event *e)
{
    struct fits *s = ck_state(c, &fits_key, sizeof *s);
    (void)e;
    for (size_t i = 0; s && i < s->n; i++) {
        const struct ck_object *another = NULL;
        for (size_t k = 0; k < i; k++)
            if (!s->v[k].late && s->v[k].object != s->v[i].object &&
                lw_str_eq(s->v[k].object->name, s->v[i].object->name))
                another = s->v[k].object;
        if (s->v[i].late && another)
            report(c, s->v[i].file, s->v[i].node, s->v[i].object, another);
        s->v[i].late = false;
    }
}

const struct ck_rule rules_data_scaler[] = {
    {"data/scaler-leak", CK_EV_CALL, watch_split, .calls = ".train_test_split"},
    {"data/scaler-refitted", CK_EV_CALL, watch_refit, .calls = ".fit_transform .fit"},
    {"data/scaler-refitted", CK_EV_CALL, watch_fit_of,
     .calls = ".fit .fit_transform .fit_on_texts .adapt"},
    {"data/scaler-refitted", CK_EV_USER_CALL, watch_call},
    {"data/scaler-refitted", CK_EV_FUNCTION_END, watch_end},
    {"data/scaler-refitted", CK_EV_FIT, watch_training},
    {"data/scaler-refitted", CK_EV_PREDICT, watch_predict},
    {"data/scaler-refitted", .fix = make_transform},
    {0},
};
