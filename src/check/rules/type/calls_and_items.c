/* Rules about values that cannot be called, indexed or unpacked, or have no attributes. */
#include <string.h>

#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void not_callable(struct ck *c, struct lw_value f, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t func = node == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(t, node, LW_ROLE_FUNC);
    bool vague = f.kind == LW_V_NONE && (c->frame->function || c->frame->uncertain);
    if (f.kind == LW_V_TENSOR && f.tensor->framework == LW_NUMPY)
        vague |= (f.tensor->dtype & LW_OBJECT) != 0; /* an item of an array of functions */
    if (f.kind == LW_V_TENSOR && !lw_shape_has_rank(&f.tensor->shape) && !ck_origin_of(c, f))
        vague = true; /* a parameter that was only taken for a tensor */
    if (func == LW_NO_NODE || vague || c->frame->guarded)
        return;
    struct lw_str text = lw_tree_text(t, func);
    if (text.n > 60)
        text.n = 60;
    const char *kind = ck_kind_name(c, f);
    const char *article = f.kind == LW_V_NONE ? "" : strchr("aeiou", kind[0]) ? "an " : "a ";
    ck_find(c, node, "type/not-callable", &f, 1, "'%.*s' is called, but it is %s%s here",
            LW_F(text), article, kind);
}

static void watch_callable(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_NOT_CALLABLE)
        not_callable(c, e->a, e->node);
    else if (e->fault == CK_FAULT_LIST_CALLED)
        ck_find(c, e->node, "type/not-callable", NULL, 0,
                "a ModuleList cannot be called: loop over its modules, or use nn.Sequential");
}

static void watch_item(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_ITEM_RANGE && e->a.kind == LW_V_TUPLE && e->count > 0)
        ck_find(c, e->node, "type/index-out-of-range", &e->a, 1,
                "index %lld is out of range: the tuple has %u item%s", (long long)e->at,
                e->count, e->count == 1 ? "" : "s");
}

/* ---- unpacking ----------------------------------------------------------------------------
 */

/* Only in the straight code of the module is it sure that nothing else was assigned. */
static void watch_none(struct ck *c, const struct ck_event *e)
{
    if (e->a.kind == LW_V_NONE && !c->frame->guarded && !c->frame->uncertain &&
        !c->frame->function && c->frame->file->index == 0)
        ck_find(c, e->node, "type/none-attribute", &e->a, 1,
                "the value is None here, which has no attribute '%.*s'", LW_F(e->name));
}

static void watch_unpack(struct ck *c, const struct ck_event *e)
{
    if (e->seq.open || e->seq.n == e->count ||
        (e->value.kind != LW_V_TUPLE && e->value.kind != LW_V_TENSOR &&
         e->value.kind != CK_LIST) ||
        (e->value.kind == LW_V_TENSOR && e->seq.n == 0))
        return;
    ck_find(c, e->node, "type/unpack-count", &e->value, 1, "%u values are unpacked into %u %s",
            e->seq.n, e->count, e->count == 1 ? "name" : "names");
}

/* ---- modules -------------------------------------------------------------------------------
 */

/* torch.optim.adam(…): the module of that name, not the class. */
static void watch_module_call(struct ck *c, const struct ck_event *e)
{
    static const char *const classes[] = {"Adam",  "AdamW", "Adadelta", "Adagrad", "Adamax",
                                          "LBFGS", "NAdam", "RMSprop",  "SGD"};
    struct lw_str name = e->call->name;
    if (e->call->api || !lw_str_has_prefix(name, LW_S("torch.optim.")))
        return;
    name = lw_str_from(name, 12);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (lw_str_eq_nocase(name, lw_str(classes[i])) &&
            !lw_str_eq(name, lw_str(classes[i]))) {
            ck_hint(c, (struct ck_hint){.meant = lw_str(classes[i]), .was = name});
            ck_find(c, e->node, "type/not-callable", NULL, 0,
                    "torch.optim.%.*s is a Python module, not the optimizer: write "
                    "torch.optim.%s",
                    LW_F(name), classes[i]);
        }
}

static void make_class_call(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!f->hint->meant.n || fix_kind(f, callee) != LW_NODE_ATTRIBUTE ||
        !lw_str_eq(fix_name(f, callee), f->hint->was))
        return;
    fix_say(f, "write '%.*s'", LW_F(f->hint->meant));
    fix_token(f, lw_tree_name_token(f->t, callee), f->hint->meant);
}

const struct ck_rule rules_type_calls_and_items[] = {
    {"type/not-callable", CK_EV_FAULT, watch_callable, .pure = true},
    {"type/index-out-of-range", CK_EV_FAULT, watch_item, .pure = true},
    {"type/none-attribute", CK_EV_ATTRIBUTE, watch_none},
    {"type/unpack-count", CK_EV_UNPACK, watch_unpack},
    {"type/not-callable", CK_EV_CALL, watch_module_call, .pure = true,
     .calls = "torch.optim.*"},
    {"type/not-callable", .fix = make_class_call},
    {0},
};
