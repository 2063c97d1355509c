/* Keras: where the channels of images stand when a layer does not say it. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"

static const char order_key;

struct order {
    bool set;
    struct lw_value format; /* STR channels_first or channels_last, or unknown */
};

static struct lw_value text(const char *s)
{
    return lw_v_str(lw_str(s));
}

/* "th" and "tf" are the words of Keras 1. */
static struct lw_value as_format(struct lw_value v)
{
    if (v.kind != LW_V_STR)
        return lw_v_unknown();
    if (lw_str_eq(v.str, LW_S("th")) || lw_str_eq(v.str, LW_S("channels_first")))
        return text("channels_first");
    if (lw_str_eq(v.str, LW_S("tf")) || lw_str_eq(v.str, LW_S("channels_last")))
        return text("channels_last");
    return lw_v_unknown();
}

/* Theano's users had channels first, by a file that is not part of the program. */
static struct lw_value current(struct ck *c)
{
    const struct order *o = ck_state(c, &order_key, sizeof *o);
    if (o && o->set)
        return o->format;
    return ck_shows(c, "name *theano*") || ck_shows(c, "text theano") ? lw_v_unknown()
                                                                      : text("channels_last");
}

static void set_order(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct order *o = ck_state(c, &order_key, sizeof *o);
    struct lw_value v = ck_arg(call, 0, "data_format");
    if (v.kind == LW_V_ABSENT)
        v = ck_arg(call, 0, "dim_ordering");
    *value = lw_v_none();
    if (!o)
        return;
    o->set = true;
    o->format = ck_is_certain(c) ? as_format(v) : lw_v_unknown();
}

static void get_format(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)call;
    struct lw_value v = current(c);
    if (v.kind == LW_V_STR)
        *value = v;
}

static void get_ordering(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)call;
    struct lw_value v = current(c);
    if (v.kind == LW_V_STR)
        *value = text(lw_str_eq(v.str, LW_S("channels_first")) ? "th" : "tf");
}

/* The slot of that name; param_count when there is none. */
static uint32_t slot_of(const struct lw_api_part *p, const char *name)
{
    uint32_t i = 0;
    while (i < p->param_count && !lw_str_eq(p->params[i].name, lw_str(name)))
        i++;
    return i;
}

static bool is_open(struct lw_value v)
{
    return v.kind == LW_V_ABSENT || v.kind == LW_V_NONE;
}

const struct lw_value *ck_image_order(struct ck *c, const struct lw_api *api,
                                      const struct lw_value *slots, uint32_t n)
{
    LW_BUG_ON(!api || (n && !slots));
    const struct lw_api_part *p = &api->side[LW_API_CONSTRUCT];
    uint32_t format = slot_of(p, "data_format"), old = slot_of(p, "dim_ordering");
    if (!slots || format >= n || !is_open(slots[format]) ||
        !lw_str_has_prefix(api->name, LW_S("keras.layers.")))
        return slots;
    struct lw_value *now = ck_values(c, n);
    if (!now)
        return slots;
    for (uint32_t i = 0; i < n; i++)
        now[i] = slots[i];
    now[format] = old < n && !is_open(slots[old]) ? as_format(slots[old]) : current(c);
    return now;
}

/* The pictures of a pair of arrays with the channels in front. */
static struct lw_value channels_in_front(struct ck *c, struct lw_value pair)
{
    struct lw_seq seq;
    const struct lw_tensor *t;
    struct lw_value items[2];
    if (!ck_sequence(c, pair, &seq) || seq.n != 2 || !(t = ck_tensor_of(seq.items[0])) ||
        !lw_shape_has_rank(&t->shape) || t->shape.n != 4)
        return pair;
    struct lw_tensor moved = *t;
    moved.shape.d[1] = t->shape.d[3];
    moved.shape.d[2] = t->shape.d[1];
    moved.shape.d[3] = t->shape.d[2];
    items[0] = ck_tensor(c, &moved);
    items[1] = seq.items[1];
    return ck_tuple(c, items, 2);
}

/* The loaders of Keras that have channels put them where layers look for them. */
static void load_pictures(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value format = current(c), items[2];
    struct lw_seq seq;
    (void)call;
    if (format.kind != LW_V_STR || !lw_str_eq(format.str, LW_S("channels_first")) ||
        !ck_sequence(c, *value, &seq) || seq.n != 2)
        return;
    for (uint32_t i = 0; i < 2; i++)
        items[i] = channels_in_front(c, seq.items[i]);
    *value = ck_tuple(c, items, 2);
}

const struct ck_handler ck_handlers_image_order[] = {
    {"keras.backend.image_data_format", get_format},
    {"keras.backend.image_dim_ordering", get_ordering},
    {"keras.backend.set_image_data_format", set_order},
    {"keras.backend.set_image_dim_ordering", set_order},
    {"keras.config.image_data_format", get_format},
    {"keras.config.set_image_data_format", set_order},
    {"keras.datasets.cifar10.load_data", load_pictures},
    {"keras.datasets.cifar100.load_data", load_pictures},
    {NULL, NULL},
};
