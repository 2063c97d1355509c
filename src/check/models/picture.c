/* Pictures of PIL: their size, and the array that numpy makes of them. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/traits.h"

static bool is_picture(const struct ck_object *o)
{
    return o && lw_str_eq(o->name, LW_S("PIL.Image.Image"));
}

/* `size` is (width, height), `channels` a number; both may be unknown. */
static struct lw_value new_picture(struct ck *c, struct lw_value channels, struct lw_value size,
                                   uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (!o)
        return lw_v_unknown();
    o->name = LW_S("PIL.Image.Image");
    o->open = true;
    model_set_trait(c, o, PICTURE_CHANNELS, channels);
    ck_set_field(c, o, "size", size);
    return ck_value(o);
}

static struct lw_value size_of(struct ck *c, struct lw_value picture)
{
    const struct ck_object *o = ck_as(picture, CK_INSTANCE);
    struct lw_value v = o ? ck_field(c, o, "size") : lw_v_unknown();
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

static struct lw_value channels_of(struct lw_value picture)
{
    const struct ck_object *o = ck_as(picture, CK_INSTANCE);
    struct lw_value v = o ? model_trait(o, PICTURE_CHANNELS) : lw_v_unknown();
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

static void picture_open(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value size[2] = {
        lw_v_dim(lw_dim_symbol(c->dims, LW_S("width"), 1, LW_DIM_MOST)),
        lw_v_dim(lw_dim_symbol(c->dims, LW_S("height"), 1, LW_DIM_MOST))};
    *value = new_picture(c, lw_v_unknown(), ck_tuple(c, size, 2), call->node);
}

static void picture_convert(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    static const struct {
        const char *mode;
        int64_t channels;
    } modes[] = {{"RGB", 3}, {"L", 1}, {"RGBA", 4}, {"YCbCr", 3}, {"HSV", 3}, {"LAB", 3}};
    struct lw_value mode = ck_arg(call, 0, "mode"), channels = lw_v_unknown();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (mode.kind == LW_V_STR && mode.str.p && lw_str_eq(mode.str, lw_str(modes[i].mode)))
            channels = ck_int(c, modes[i].channels);
    *value = new_picture(c, channels, size_of(c, call->self), call->node);
}

static void picture_resize(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = new_picture(c, channels_of(call->self), ck_arg(call, 0, "size"), call->node);
}

void ck_picture_size(struct ck *c, struct lw_value v, lw_dim *channels, lw_dim *height,
                     lw_dim *width)
{
    LW_BUG_ON(!channels || !height || !width);
    struct lw_seq seq;
    *channels = *height = *width = LW_DIM_UNKNOWN;
    if (!is_picture(ck_as(v, CK_INSTANCE)))
        return;
    struct lw_value depth = channels_of(v);
    if (depth.kind == LW_V_INT)
        *channels = depth.dim;
    if (ck_sequence(c, size_of(c, v), &seq) && seq.n == 2 && !seq.open &&
        seq.items[0].kind == LW_V_INT && seq.items[1].kind == LW_V_INT) {
        *width = seq.items[0].dim;
        *height = seq.items[1].dim;
    }
}

/* np.array(picture): rows, columns, and channels where there are several. */
static void array_of(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = call->n ? call->args[0].value : lw_v_unknown();
    lw_dim channels, d[3];
    int64_t n;
    if (!is_picture(ck_as(v, CK_INSTANCE)) || value->kind != LW_V_TENSOR)
        return;
    ck_picture_size(c, v, &channels, &d[0], &d[1]);
    struct lw_tensor t = *value->tensor;
    if (lw_dim_is_int(c->dims, channels, &n)) {
        d[2] = channels;
        t.shape = lw_shape_make(d, n == 1 ? 2 : 3);
    }
    if (ck_arg(call, 1, "dtype").kind == LW_V_ABSENT)
        t.dtype = LW_U8;
    t.range = lw_iv_as(lw_iv_between(0, 255), t.dtype);
    *value = ck_tensor(c, &t);
}

/* load_img(path, target_size=(rows, columns)) */
static void picture_load(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value mode = ck_slot_value(call, "color_mode");
    struct lw_value size = ck_slot_value(call, "target_size");
    struct lw_value grey = ck_slot_value(call, "grayscale"), channels = ck_int(c, 3);
    struct lw_seq seq;
    if ((grey.kind == LW_V_BOOL && grey.tri == LW_TRI_YES) ||
        (mode.kind == LW_V_STR && mode.str.p && lw_str_eq(mode.str, LW_S("grayscale"))))
        channels = ck_int(c, 1);
    else if (grey.kind == LW_V_UNKNOWN || mode.kind != LW_V_STR || !mode.str.p ||
             !lw_str_eq(mode.str, LW_S("rgb")))
        channels = lw_v_unknown();
    struct lw_value sides = lw_v_unknown();
    if (ck_sequence(c, size, &seq) && !seq.open && seq.n == 2) {
        struct lw_value turned[2] = {seq.items[1], seq.items[0]};
        sides = ck_tuple(c, turned, 2);
    }
    *value = new_picture(c, channels, sides, call->node);
}

/* img_to_array(picture): a grey one has a colour axis, too. */
static void picture_to_array(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_slot_value(call, "img");
    struct lw_value order = ck_slot_value(call, "data_format");
    if (!is_picture(ck_as(v, CK_INSTANCE)) || value->kind != LW_V_TENSOR ||
        (order.kind != LW_V_NONE && order.kind != LW_V_ABSENT) || ck_shows(c, "text th") ||
        ck_shows(c, "text channels_first"))
        return;
    struct lw_tensor t = *value->tensor;
    lw_dim sides[3];
    ck_picture_size(c, v, &sides[2], &sides[0], &sides[1]);
    t.shape = lw_shape_make(sides, 3);
    t.id = 0;
    *value = ck_tensor(c, &t);
}

const struct ck_handler ck_handlers_picture[] = {
    {"PIL.Image.Image.convert", picture_convert},
    {"PIL.Image.Image.resize", picture_resize},
    {"PIL.Image.open", picture_open},
    {"keras.preprocessing.image.img_to_array", picture_to_array},
    {"keras.preprocessing.image.load_img", picture_load},
    {"numpy.array", array_of},
    {"numpy.asarray", array_of},
    {NULL, NULL},
};
