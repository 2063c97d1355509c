/* Rules about losses, optimizers and metrics of Keras that are named by a text. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* A text where a loss, an optimizer or a metric is named. */
static void check_choice(struct ck *c, struct lw_value v, const char *kind, uint32_t node)
{
    if (v.kind != LW_V_STR || !v.str.p || !v.str.n || c->frame->guarded ||
        lw_api_find_choice(c->apis, lw_str(kind), v.str) ||
        ck_shows(c, "name custom_object*") || ck_shows(c, "name register_keras_serializable"))
        return;
    struct lw_str near = lw_api_nearest(c->apis, ck_text(c, "@%s", kind), v.str);
    ck_hint(c, (struct ck_hint){.meant = near, .was = v.str});
    ck_find(c, node, "api/unknown-choice", NULL, 0, "Keras has no %s '%.*s'%s%.*s%s", kind,
            LW_F(v.str), near.n ? "; did you mean '" : "", LW_F(near), near.n ? "'?" : "");
}

static void make_choice(struct fix *f)
{
    struct lw_str was = f->hint->was, meant = f->hint->meant;
    uint32_t arg = fix_problem_argument(f);
    const struct lw_problem *p = f->hint->problem;
    if (p && arg != LW_NO_NODE && f->hint->args[p->arg].value.kind == LW_V_STR)
        was = f->hint->args[p->arg].value.str;
    if (!meant.n || !was.n || !was.p)
        return;
    fix_say(f, "write '%.*s' instead of '%.*s'", LW_F(meant), LW_F(was));
    fix_quoted(f, fix_find_string(f, arg == LW_NO_NODE ? f->node : arg, was), meant);
}

static void watch_choices(struct ck *c, const struct ck_event *e)
{
    struct lw_value metrics = model_trait(e->object, MODEL_METRICS);
    struct lw_seq seq;
    check_choice(c, model_trait(e->object, MODEL_LOSS), "loss", e->node);
    check_choice(c, model_trait(e->object, MODEL_OPTIMIZER), "optimizer", e->node);
    if (metrics.kind == CK_LIST && ck_sequence(c, metrics, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            check_choice(c, seq.items[i], "metric", e->node);
}

const struct ck_rule rules_api_choice[] = {
    {"api/unknown-choice", CK_EV_COMPILE, watch_choices, make_choice},
    {0},
};
