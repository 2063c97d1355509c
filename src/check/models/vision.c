/* torchvision: data sets seen through their transforms, and backbones that can be taken apart.
 */
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/traits.h"

static bool ends(const struct ck_object *o, const char *name)
{
    return o && lw_str_has_suffix(o->name, lw_str(name));
}

/* ---- transforms ---------------------------------------------------------------------------
 */

struct image {
    lw_dim channels, height, width;
    bool tensor; /* ToTensor was there */
    bool known;
};

static void resize(struct ck *c, struct image *im, struct lw_value size)
{
    struct lw_seq seq;
    if (size.kind == LW_V_INT) {
        im->height = im->width = size.dim;
    } else if (ck_sequence(c, size, &seq) && seq.n == 2 && !seq.open &&
               seq.items[0].kind == LW_V_INT && seq.items[1].kind == LW_V_INT) {
        im->height = seq.items[0].dim;
        im->width = seq.items[1].dim;
    } else
        im->height = im->width = LW_DIM_UNKNOWN;
}

static void transform(struct ck *c, struct image *im, struct lw_value v, unsigned depth)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || !o->api || depth > 4) {
        im->known = false;
    } else if (ends(o, ".Compose")) {
        struct lw_value list = ck_config(o, "transforms");
        if (list.kind == LW_V_ABSENT || !ck_sequence(c, list, &seq) || seq.open)
            im->known = false;
        else
            for (uint32_t i = 0; i < seq.n; i++)
                transform(c, im, seq.items[i], depth + 1);
    } else if (ends(o, ".ToTensor")) {
        im->tensor = true;
    } else if (ends(o, ".Resize")) {
        struct lw_value size = ck_config(o, "size");
        bool square = im->height == im->width && im->height != LW_DIM_UNKNOWN;
        if (size.kind == LW_V_INT && !square)
            im->height = im->width = LW_DIM_UNKNOWN; /* only the shorter edge */
        else
            resize(c, im, size);
    } else if (ends(o, "Crop")) {
        resize(c, im, ck_config(o, "size"));
    } else if (ends(o, ".Grayscale")) {
        struct lw_value n = ck_config(o, "num_output_channels");
        im->channels = n.kind == LW_V_INT ? n.dim : lw_dim_int(1);
    } else if (ends(o, ".Normalize")) {
        if (!im->tensor && im->known && o->node != LW_NO_NODE)
            ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                          .fault = CK_FAULT_NORMALIZED_IMAGE,
                                          .file = o->file,
                                          .node = o->node});
    } else if (!ends(o, "Flip") && !ends(o, "Jitter") && !ends(o, "Rotation") &&
               !ends(o, "Affine") && !ends(o, "RandomErasing"))
        im->known = false;
}

/* "fact item (1, 28, 28) uint8 0..255" */
static bool parse_item(struct lw_str fact, struct image *im)
{
    lw_dim *into[3] = {&im->channels, &im->height, &im->width};
    if (fact.n == 0 || fact.p[0] != '(')
        return false;
    ptrdiff_t end = lw_str_find_char(fact, ')');
    struct lw_str list = lw_str_part(fact, 1, end < 0 ? 0 : (size_t)end - 1), piece;
    for (int i = 0; i < 3; i++) {
        int64_t n;
        if (!lw_str_split(&list, ',', &piece) || !lw_parse_i64(lw_str_trim(piece), &n))
            return false;
        *into[i] = lw_dim_int((int32_t)n);
    }
    return true;
}

void ck_vision_dataset(struct ck *c, const struct ck_call *call, struct lw_value value)
{
    LW_BUG_ON(!call->api);
    struct ck_object *o = ck_as(value, CK_INSTANCE);
    if (!o || !lw_str_has_prefix(o->name, LW_S("torchvision.datasets.")))
        return;
    struct image im = {.known = true, .channels = lw_dim_int(3)};
    parse_item(lw_api_fact(o->api, "item"), &im);
    struct lw_value t = ck_arg(call, SIZE_MAX, "transform");
    if (t.kind == LW_V_ABSENT && (ends(o, ".ImageFolder") || ends(o, ".DatasetFolder")))
        t = ck_arg(call, 1, NULL);
    if (t.kind == LW_V_ABSENT || t.kind == LW_V_NONE)
        return;
    transform(c, &im, t, 0);
    struct lw_tensor image = lw_tensor_unknown(LW_TORCH);
    image.device = LW_CPU;
    lw_dim d[3] = {im.channels, im.height, im.width};
    if (im.known && im.tensor) {
        image.shape = lw_shape_make(d, 3);
        image.dtype = LW_F32;
        image.grad = image.variable = LW_TRI_NO;
    }
    image.line = ck_place(c, call->node);
    struct lw_value pair[2] = {im.known && im.tensor ? ck_tensor(c, &image) : lw_v_unknown(),
                               lw_v_dim(lw_dim_symbol(c->dims, LW_S("label"), 0, LW_DIM_MOST))};
    if (ck_arg(call, SIZE_MAX, "target_transform").kind != LW_V_ABSENT)
        pair[1] = lw_v_unknown();
    model_set_trait(c, o, DATA_ELEMENT, ck_tuple(c, pair, 2));
}

/* ---- transforms of one picture ------------------------------------------------------------
 */

/* What is known of a picture or tensor that a transform gets. */
static struct image image_of(struct ck *c, struct lw_value v)
{
    struct image im = {.known = true};
    im.channels = im.height = im.width = LW_DIM_UNKNOWN;
    if (v.kind == LW_V_TENSOR) {
        const struct lw_shape *s = &v.tensor->shape;
        im.tensor = v.tensor->framework == LW_TORCH;
        im.known = lw_shape_has_rank(s) && s->n == 3;
        for (uint32_t i = 0; im.known && i < 3; i++) {
            lw_dim *into[3] = {&im.channels, &im.height, &im.width};
            *into[im.tensor ? i : (i + 1) % 3] = s->d[i];
        }
    } else {
        ck_picture_size(c, v, &im.channels, &im.height, &im.width);
    }
    return im;
}

/* transforms.Compose([…])(picture) */
static bool call_transform(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                           size_t n, uint32_t node, struct lw_value *out)
{
    if (!lw_str_has_prefix(o->name, LW_S("torchvision.transforms.")) || o->of || n != 1 ||
        args[0].star)
        return false;
    struct image im = image_of(c, args[0].value);
    bool known = im.known;
    c->quiet++; /* what is wrong in a chain was said where it was made */
    transform(c, &im, ck_value(o), 0);
    c->quiet--;
    *out = lw_v_unknown();
    if (!known || !im.known || !im.tensor)
        return true;
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    lw_dim d[3] = {im.channels, im.height, im.width};
    t.shape = lw_shape_make(d, 3);
    const struct lw_tensor *array = ck_tensor_of(args[0].value);
    t.dtype = array && array->dtype != LW_U8 ? array->dtype : LW_F32;
    t.device = LW_CPU;
    t.grad = t.variable = LW_TRI_NO;
    t.line = ck_place(c, node);
    *out = ck_tensor(c, &t);
    return true;
}

/* ---- ResNets ------------------------------------------------------------------------------
 */

static const char *const parts[] = {"conv1",  "bn1",    "relu",   "maxpool", "layer1",
                                    "layer2", "layer3", "layer4", "avgpool", "fc"};

static struct lw_value make(struct ck *c, const char *name, const struct lw_arg *args, size_t n,
                            uint32_t node)
{
    struct lw_value f = ck_new_name(c, lw_str(name));
    return ck_call(c, f, args, n, node);
}

static struct lw_value make_conv(struct ck *c, int64_t in, int64_t out, int64_t kernel,
                                 int64_t stride, uint32_t node)
{
    struct lw_arg args[5] = {{.value = ck_int(c, in)},
                             {.value = ck_int(c, out)},
                             {.value = ck_int(c, kernel)},
                             {.value = ck_int(c, stride)},
                             {.value = ck_int(c, kernel / 2)}};
    for (int i = 0; i < 5; i++)
        args[i].node = node;
    return make(c, "torch.nn.Conv2d", args, 5, node);
}

/* The parts of a ResNet; a stage of blocks maps shapes as one strided convolution does. */
static void resnet_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    int64_t features;
    if (!o || !lw_parse_i64(lw_api_fact(o->api, "features"), &features))
        return;
    int64_t wide = features / 512, channels = 64;
    uint32_t node = call->node;
    struct lw_arg one = {.value = ck_int(c, 64), .node = node};
    struct lw_arg pool[3] = {{.value = ck_int(c, 3), .node = node},
                             {.value = ck_int(c, 2), .node = node},
                             {.value = ck_int(c, 1), .node = node}};
    struct lw_arg size = {.value = ck_int(c, 1), .node = node};
    struct lw_value classes = ck_config(o, "num_classes");
    struct lw_arg head[2] = {
        {.value = ck_int(c, features), .node = node},
        {.value = classes.kind == LW_V_INT ? classes : ck_int(c, 1000), .node = node}};
    c->quiet++;
    ck_set_field(c, o, "conv1", make_conv(c, 3, 64, 7, 2, node));
    ck_set_field(c, o, "bn1", make(c, "torch.nn.BatchNorm2d", &one, 1, node));
    ck_set_field(c, o, "relu", make(c, "torch.nn.ReLU", NULL, 0, node));
    ck_set_field(c, o, "maxpool", make(c, "torch.nn.MaxPool2d", pool, 3, node));
    for (int i = 0; i < 4; i++) {
        int64_t out = (64 << i) * wide;
        ck_set_field(c, o, parts[4 + i], make_conv(c, channels, out, 3, i == 0 ? 1 : 2, node));
        channels = out;
    }
    ck_set_field(c, o, "avgpool", make(c, "torch.nn.AdaptiveAvgPool2d", &size, 1, node));
    ck_set_field(c, o, "fc", make(c, "torch.nn.Linear", head, 2, node));
    c->quiet--;
}

static bool is_resnet(const struct ck_object *o)
{
    return o->api && lw_str_has_prefix(o->name, LW_S("torchvision.models.res"));
}

/* Its children in order; false when it is no ResNet of ours. */
bool ck_vision_children(struct ck *c, const struct ck_object *o, struct lw_seq *out)
{
    LW_BUG_ON(!o || !out);
    size_t n = sizeof parts / sizeof *parts;
    struct lw_value *items = is_resnet(o) ? ck_values(c, n) : NULL;
    if (!items)
        return false;
    for (size_t i = 0; i < n; i++) {
        items[i] = ck_field(c, o, parts[i]);
        if (items[i].kind == LW_V_ABSENT)
            return false;
    }
    *out = (struct lw_seq){.items = items, .n = (uint32_t)n};
    return true;
}

bool ck_vision_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                    uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    struct lw_seq seq;
    if (call_transform(c, o, args, n, node, out))
        return true;
    if (n != 1 || !ck_vision_children(c, o, &seq))
        return false;
    struct lw_value v = args[0].value;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (i + 1 == seq.n && v.kind == LW_V_TENSOR) {
            struct lw_tensor t = *v.tensor; /* flatten(x, 1) of what avgpool left */
            lw_dim d[2] = {t.shape.d[0],
                           lw_dim_mul(c->dims, t.shape.d[1],
                                      lw_dim_mul(c->dims, t.shape.d[2], t.shape.d[3]))};
            bool known = lw_shape_has_rank(&t.shape) && t.shape.n == 4;
            t.shape = known ? lw_shape_make(d, 2) : lw_shape_unknown();
            v = ck_tensor(c, &t);
        }
        v = ck_apply(c, seq.items[i], v, node);
    }
    *out = v;
    return true;
}

const struct ck_handler ck_handlers_vision[] = {
    {"torchvision.models.resnet101", resnet_new},
    {"torchvision.models.resnet152", resnet_new},
    {"torchvision.models.resnet18", resnet_new},
    {"torchvision.models.resnet34", resnet_new},
    {"torchvision.models.resnet50", resnet_new},
    {"torchvision.models.resnext101_32x8d", resnet_new},
    {"torchvision.models.resnext50_32x4d", resnet_new},
    {NULL, NULL},
};
