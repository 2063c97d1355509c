/* Rules about the calls of a PyTorch program. */
#include "base/str.h"
#include "check/engine/traits.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- checkpoints --------------------------------------------------------------------------
 */

/* A program that only uses a network, on whatever there is: who trained it may have had a GPU,
 * and the file remembers that. */
static void watch_load(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_eq(e->call->name, LW_S("torch.load")) || e->call->n != 1 ||
        e->call->args[0].value.kind == LW_V_STR || c->frame->guarded)
        return;
    /* A function that others call leaves the choice of the machine to them. */
    ck_find_as(c, e->node, LW_S("api/load-without-map"),
               ck_is_driven(c) ? LW_SEVERITY_NOTE : LW_SEVERITY_WARNING, NULL, 0,
               LW_S("weights saved on a GPU cannot be loaded on a machine without one: pass "
                    "map_location='cpu'"));
}

/* torch.load(path) of what was saved on another device. */
static void make_mapped(struct fix *f)
{
    struct lw_str device = fix_device_name(f);
    if (!text_is(fix_name(f, fix_callee(f, f->node)), "load"))
        return;
    fix_say(f, "pass map_location");
    fix_add_argument(f, f->node,
                     device.n ? ck_text(f->c, "map_location=%.*s", LW_F(device))
                              : LW_S("map_location='cpu'"));
}

/* ---- modules ------------------------------------------------------------------------------
 */

static bool is_registered(struct ck *c, const struct ck_object *o, struct lw_value module)
{
    struct lw_seq seq;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        if (ck_same(s->value, module))
            return true;
        if (s->value.kind == CK_INSTANCE && ck_sequence(c, s->value, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                if (ck_same(seq.items[i], module))
                    return true;
    }
    return false;
}

enum { MAX_INSIDE = 4 };

/* May there be weights in it? In a module of the program, unless all its parts are known to
 * have none. */
static bool is_weighty_inside(struct ck *c, struct lw_value v, unsigned depth)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !ck_is_torch_module(c, o))
        return false;
    if (o->of) {
        bool any = o->open || depth == MAX_INSIDE || (!o->fields.first && !o->traits) ||
                   ck_trait(o, TRAIT_ITEMS).kind == CK_LIST;
        for (const struct ck_slot *s = o->fields.first; s && !any; s = s->next)
            any = s->value.kind == LW_V_UNKNOWN || s->value.kind == CK_LIST ||
                  (s->value.kind == LW_V_TENSOR && s->value.tensor->grad != LW_TRI_NO) ||
                  is_weighty_inside(c, s->value, depth + 1);
        return any;
    }
    struct lw_str role = lw_api_fact(o->api, "role");
    return lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")) ||
           lw_str_eq(role, LW_S("recurrent")) || lw_str_eq(role, LW_S("embedding"));
}

static bool is_weighty(struct ck *c, struct lw_value v)
{
    return is_weighty_inside(c, v, 0);
}

/* Modules in a plain list are no children: not trained, moved or saved. */
static void watch_instance(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    if (!o->of || o->of->file != c->frame->file || !ck_is_torch_module(c, o) || o->open)
        return;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        struct lw_seq seq;
        struct lw_str name = heap_name(&c->heap, s->name);
        if (s->value.kind != CK_LIST || !ck_sequence(c, s->value, &seq) || seq.n == 0)
            continue;
        bool all = true, weighty = false; /* activations may stand between the layers */
        for (uint32_t i = 0; i < seq.n; i++) {
            const struct ck_object *part = ck_as(seq.items[i], CK_INSTANCE);
            all &= part && ck_is_torch_module(c, part) && !is_registered(c, o, seq.items[i]);
            weighty |= is_weighty(c, seq.items[i]);
        }
        struct ck_object *list = ck_object_of(s->value);
        if (!all || !weighty || list->file != c->frame->file || list->node == LW_NO_NODE)
            continue;
        if (ck_file_shows(c, c->frame->file, "name *add_module*") ||
            ck_file_shows(c, c->frame->file, "name *setattr*"))
            continue;
        ck_find(c, list->node, "api/module-list", NULL, 0,
                "the modules in the plain list 'self.%.*s' are not registered, so "
                "parameters(), to() and state_dict() miss them: use nn.ModuleList",
                LW_F(name));
    }
}

static void make_module_list(struct fix *f)
{
    struct lw_str name = fix_spell(f, LW_S("torch.nn.ModuleList"));
    enum lw_node_kind kind = fix_kind(f, f->node);
    if (!name.n || (kind != LW_NODE_LIST && kind != LW_NODE_LIST_COMP))
        return;
    fix_say(f, "use %.*s", LW_F(name));
    if (lw_str_eq(fix_text(f, f->node), LW_S("[]")))
        fix_node(f, f->node, ck_text(f->c, "%.*s()", LW_F(name)));
    else
        fix_around(f, f->node, ck_text(f->c, "%.*s(", LW_F(name)).p, ")");
}

/* ---- optimisers ---------------------------------------------------------------------------
 */

static void watch_optimizer(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    struct lw_value params =
        look_makes_optimizer(e->call) ? ck_slot_value(e->call, "params") : lw_v_absent();
    if (params.kind == LW_V_TUPLE && ck_sequence(c, params, &seq) && seq.n == 0 && !seq.open)
        ck_find(c, e->node, "api/optimizer-no-parameters", NULL, 0,
                "the optimizer gets no parameters: the module has none, or its layers are in a "
                "plain list or dict, which does not register them; use nn.ModuleList or "
                "nn.ModuleDict");
}

/* ---- views --------------------------------------------------------------------------------
 */

/* a, b = tensor gives several views of it; they may not be changed in place under autograd. */
static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    if (!o || !lw_str_eq(o->op, LW_S("unbind")) || e->a.tensor->framework != LW_TORCH ||
        e->b.kind != LW_V_TENSOR || e->b.tensor->grad != LW_TRI_YES)
        return;
    struct lw_value causes[2] = {e->a, e->b};
    ck_find(c, e->node, "api/inplace-on-view", causes, 2,
            "a view from unpacking a tensor is changed in place with a value that requires "
            "grad, which autograd forbids: write x = x + … instead");
}

const struct ck_rule rules_api_torch[] = {
    {"api/load-without-map", CK_EV_CALL, watch_load, make_mapped, .calls = "torch.load"},
    {"api/module-list", CK_EV_INSTANCE, watch_instance, make_module_list},
    {"api/optimizer-no-parameters", CK_EV_CALL, watch_optimizer, .calls = "@optimizer"},
    {"api/inplace-on-view", CK_EV_AUGMENTED, watch_augmented, fix_new_value},
    {0},
};
