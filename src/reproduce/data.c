#include "reproduce/data.h"

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"

struct lw_str rp_shape_text(struct rp_program *p, const struct rp_shape *s)
{
    struct lw_str text = LW_S("");
    for (size_t i = 0; i < s->rank; i++)
        text = rp_printf(p, "%.*s%s%lld", LW_F(text), i ? ", " : "", (long long)s->dims[i]);
    return text;
}

/* ---- Samples -------------------------------------------------------------------------------
 */

static struct lw_str torch_inputs(struct rp_program *p, const struct rp_facts *f)
{
    struct lw_str shape = rp_shape_text(p, &f->input);
    if (f->integers)
        return rp_printf(p,
                         "    inputs = torch.randint(0, %lld, (count, %.*s))\n"
                         "    inputs[:, 0] = label %% %lld\n",
                         (long long)f->vocabulary, LW_F(shape), (long long)f->vocabulary);
    struct lw_str text = rp_printf(
        p,
        "    centers = torch.randn(%lld, %.*s, generator=torch.Generator().manual_seed(0))\n"
        "    inputs = centers[label] + 0.5 * torch.randn(count, %.*s)\n",
        (long long)(f->classes > 1 ? f->classes : 2), LW_F(shape), LW_F(shape));
    if (lw_str_eq(f->dtype, LW_S("float64")))
        return rp_printf(p, "%.*s    inputs = inputs.double()\n", LW_F(text));
    if (lw_str_eq(f->dtype, LW_S("uint8")))
        return rp_printf(p,
                         "%.*s    inputs = (inputs * 40 + 128).clamp(0, 255).to(torch.uint8)\n",
                         LW_F(text));
    return text;
}

static struct lw_str torch_targets(struct rp_program *p, const struct rp_facts *f)
{
    long long width = f->classes;
    if (f->whole_target)
        return f->flat_target || f->target == RP_TARGET_CLASS ? LW_S("label")
                                                              : LW_S("label.unsqueeze(1)");
    if (f->target == RP_TARGET_BINARY && (f->flat_target || f->classes == 2))
        return LW_S("label.float()");
    if (f->target == RP_TARGET_BINARY)
        return rp_printf(p, "label.float().unsqueeze(1).repeat(1, %lld)", width);
    if (f->target == RP_TARGET_REAL && f->flat_target)
        return LW_S("inputs.flatten(1).float().sum(1)");
    if (f->target == RP_TARGET_REAL)
        return rp_printf(p, "inputs.flatten(1).float().sum(1, keepdim=True).repeat(1, %lld)",
                         width);
    return LW_S("label");
}

static struct lw_str numpy_samples(struct rp_program *p, const struct rp_facts *f,
                                   long long classes)
{
    struct lw_str shape = rp_shape_text(p, &f->input);
    struct lw_str target = f->target == RP_TARGET_ONE_HOT
                               ? rp_printf(p, "np.eye(%lld)[label]", classes)
                               : LW_S("label");
    if (f->integers)
        return rp_printf(p,
                         "    inputs = rng.integers(0, %lld, (count, %.*s))\n"
                         "    return inputs, %.*s\n",
                         (long long)f->vocabulary, LW_F(shape), LW_F(target));
    return rp_printf(p,
                     "    centers = np.random.default_rng(1).standard_normal((%lld, %.*s))\n"
                     "    inputs = centers[label] + 0.5 * rng.standard_normal((count, %.*s))\n"
                     "    return inputs, %.*s\n",
                     classes, LW_F(shape), LW_F(shape), LW_F(target));
}

struct lw_str rp_samples_text(struct rp_program *p, const struct rp_facts *f)
{
    bool two = f->target == RP_TARGET_BINARY || f->classes < 2;
    long long classes = two ? 2 : f->classes;
    if (p->framework != RP_TORCH)
        return rp_printf(p,
                         "\ndef stand_in_samples(count):\n"
                         "    \"\"\"Inputs, and targets that can be learnt from them.\"\"\"\n"
                         "    rng = np.random.default_rng(0)\n"
                         "    label = rng.integers(0, %lld, count)\n%.*s\n",
                         classes, LW_F(numpy_samples(p, f, classes)));
    struct rp_facts g = *f;
    g.classes = f->target == RP_TARGET_BINARY ? f->classes : classes;
    struct rp_facts inputs = g;
    inputs.classes = classes;
    return rp_printf(p,
                     "\ndef stand_in_samples(count):\n"
                     "    \"\"\"Inputs, and targets that can be learnt from them.\"\"\"\n"
                     "    label = torch.randint(0, %lld, (count,))\n"
                     "%.*s    return inputs, %.*s\n\n",
                     classes, LW_F(torch_inputs(p, &inputs)), LW_F(torch_targets(p, &g)));
}

/* ---- Well-known data -----------------------------------------------------------------------
 */

struct lw_str rp_dataset_text(struct rp_program *p, const struct lw_str *row,
                              struct lw_str import)
{
    struct lw_str shape = row[RP_SET_SHAPE], part;
    struct rp_shape dims = {0};
    while (lw_str_split(&shape, ' ', &part) && dims.rank < RP_RANK_MAX)
        if (lw_parse_i64(part, &dims.dims[dims.rank]))
            dims.rank++;
    bool classes = !lw_str_eq(row[RP_SET_CLASSES], LW_S("0"));
    struct lw_str target =
        classes ? rp_printf(p, "np.arange(%.*s) %% %.*s", LW_F(row[RP_SET_SAMPLES]),
                            LW_F(row[RP_SET_CLASSES]))
                : rp_printf(p, "rng.uniform(0, 1, %.*s)", LW_F(row[RP_SET_SAMPLES]));
    return rp_printf(
        p,
        "try:\n"
        "    %.*s\n"
        "except ImportError:\n"
        "    def %.*s(*args, return_X_y=False, **kwargs):\n"
        "        \"\"\"Stand-in: shapes, range and classes of the real data.\"\"\"\n"
        "        from types import SimpleNamespace\n"
        "        rng = np.random.default_rng(0)\n"
        "        target = %.*s\n"
        "        images = rng.uniform(%.*s, %.*s, (%.*s, %.*s))\n"
        "        data = images.reshape(len(images), -1)\n"
        "        if return_X_y:\n"
        "            return data, target\n"
        "        return SimpleNamespace(data=data, images=images, target=target)\n\n",
        LW_F(import), LW_F(row[RP_SET_FUNCTION]), LW_F(target), LW_F(row[RP_SET_LOW]),
        LW_F(row[RP_SET_HIGH]), LW_F(row[RP_SET_SAMPLES]), LW_F(rp_shape_text(p, &dims)));
}

/* ---- Single values -------------------------------------------------------------------------
 */

static bool is_integer_type(struct lw_str dtype)
{
    return lw_str_has_prefix(dtype, LW_S("int")) || lw_str_has_prefix(dtype, LW_S("uint"));
}

struct lw_str rp_array_text(struct rp_program *p, const struct rp_shape *shape,
                            struct lw_str dtype, int64_t high)
{
    struct lw_str dims = rp_shape_text(p, shape);
    const char *comma = shape->rank == 1 ? "," : "";
    if (is_integer_type(dtype) && high <= 0)
        high = lw_str_eq(dtype, LW_S("uint8")) ? 256 : 2;
    if (high > 0 && p->framework == RP_TORCH) {
        struct lw_str text = rp_printf(p, "torch.randint(0, %lld, (%.*s%s))", (long long)high,
                                       LW_F(dims), comma);
        return is_integer_type(dtype) && !lw_str_eq(dtype, LW_S("int64"))
                   ? rp_printf(p, "%.*s.to(torch.%.*s)", LW_F(text), LW_F(dtype))
                   : text;
    }
    if (high > 0)
        return rp_printf(p, "np.random.default_rng(0).integers(0, %lld, (%.*s%s))",
                         (long long)high, LW_F(dims), comma);
    if (p->framework == RP_TORCH)
        return rp_printf(p, "torch.randn(%.*s)", LW_F(dims));
    return rp_printf(p, "np.random.default_rng(0).standard_normal((%.*s%s))", LW_F(dims),
                     comma);
}

struct lw_str rp_model_text(struct rp_program *p, const struct rp_facts *f)
{
    long long inputs = rp_shape_size(&f->input), outputs = f->classes;
    if (p->framework != RP_TORCH)
        return rp_printf(p,
                         "keras.Sequential([keras.layers.Dense(32, activation='relu'), "
                         "keras.layers.Dense(%lld)])",
                         outputs);
    if (f->integers)
        return rp_printf(p,
                         "torch.nn.Sequential(torch.nn.Embedding(%lld, 8), torch.nn.Flatten(), "
                         "torch.nn.Linear(8 * %lld, %lld))",
                         (long long)f->vocabulary, inputs, outputs);
    return rp_printf(p,
                     "torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(%lld, 32), "
                     "torch.nn.ReLU(), torch.nn.Linear(32, %lld))",
                     inputs, outputs);
}
