/* Rules about optimizers that are made and that nobody gets. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum { MAX_COMPILED = 16 };

struct compiled {
    struct lw_value used[MAX_COMPILED]; /* optimizers that were passed on */
    size_t used_count;
    struct ck_file *file;
    uint32_t named; /* first compile() that names an optimizer by a text */
    const struct lw_api *api;
    struct lw_str text;
};

static const char compiled_key;

static void watch_optimizer(struct ck *c, const struct ck_event *e)
{
    struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    struct lw_value v = model_trait(e->object, MODEL_OPTIMIZER);
    if (!s)
        return;
    if (v.kind == LW_V_STR && v.str.n && !s->file && c->frame->file) {
        s->file = c->frame->file;
        s->named = e->node;
        s->api = lw_api_find_choice(c->apis, LW_S("optimizer"), v.str);
        s->text = v.str;
    } else if (v.kind != LW_V_STR && s->used_count < MAX_COMPILED) {
        s->used[s->used_count++] = v;
    }
}

static bool is_used(const struct compiled *s, const struct ck_object *o)
{
    bool used = s->used_count == MAX_COMPILED;
    for (size_t i = 0; i < s->used_count && !used; i++)
        used = s->used[i].kind != CK_INSTANCE || ck_object_of(s->used[i]) == o;
    return used;
}

/* sgd = SGD(lr=0.1), and compile(optimizer='sgd'): the settings are lost. */
static void watch_unused(struct ck *c, const struct ck_event *e)
{
    const struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    (void)e;
    if (!s || !s->file || !s->api)
        return;
    for (size_t i = 0; i < c->instances.n; i++) {
        const struct ck_object *o = c->instances.v[i];
        if (o->of || o->api != s->api || o->file != s->file || o->node == LW_NO_NODE ||
            lw_tree_kind(&s->file->tree, o->node) != LW_NODE_CALL || is_used(s, o) ||
            lw_tree_start(&s->file->tree, o->node) > lw_tree_start(&s->file->tree, s->named) ||
            !syntax_is_never_read(&s->file->tree, o->node) ||
            (!lw_tree_count(&s->file->tree, o->node, LW_ROLE_ARGS) &&
             !lw_tree_count(&s->file->tree, o->node, LW_ROLE_KEYWORDS)))
            continue;
        ck_find_at(c, s->file, s->named, "training/optimizer-unused", NULL, 0,
                   "compile() gets '%.*s', which has default settings: the optimizer created "
                   "on %.*s is not used; pass the object",
                   LW_F(s->text), LW_F(ck_show_place(c, s->file, o->place)));
        return;
    }
}

const struct ck_rule rules_training_optimizer_unused[] = {
    {"training/optimizer-unused", CK_EV_COMPILE, watch_optimizer},
    {"training/optimizer-unused", CK_EV_END, watch_unused},
    {0},
};
