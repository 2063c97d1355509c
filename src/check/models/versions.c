#include "check/models/versions.h"

#include "base/num.h"
#include "base/str.h"
#include "check/engine/events.h"

/* "2.11" as two numbers; false when it is no version. */
static bool parse_version(struct lw_str text, int out[2])
{
    struct lw_str part;
    uint64_t n;
    out[0] = out[1] = 0;
    for (int i = 0; i < 2 && lw_str_split(&text, '.', &part); i++) {
        size_t digits = 0;
        while (digits < part.n && part.p[digits] >= '0' && part.p[digits] <= '9')
            digits++;
        if (digits == 0)
            return i > 0;
        if (!lw_parse_u64(lw_str_part(part, 0, digits), &n) || n > 9999)
            return false;
        out[i] = (int)n;
    }
    return out[0] + out[1] > 0;
}

static bool is_before(const int a[2], const int b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* ---- spellings ----------------------------------------------------------------------------
 */

static bool shows_any(const struct ck *c, const char *const *words)
{
    for (; *words; words++)
        if (ck_shows(c, *words))
            return true;
    return false;
}

/* TensorFlow 2 where the program uses what only that has. */
static bool tensorflow_by_spelling(const struct ck *c, int out[2])
{
    static const char *const now[] = {"name GradientTape", "attribute tf.function", NULL};
    static const char *const then[] = {"name *compat*", "name *enable_eager*",
                                       "attribute tf.Session", "name disable_v2*", NULL};
    out[0] = 2;
    out[1] = 0;
    return shows_any(c, now) && !shows_any(c, then);
}

/* Keras 2 by the names of arguments it brought. */
static bool keras_by_spelling(const struct ck *c, int out[2])
{
    static const char *const now[] = {
        "keyword epochs",  "keyword inputs",          "name kernel_initializer",
        "call Conv2D",     "keyword kernel_size",     "name steps_per_epoch",
        "keyword strides", "name kernel_regularizer", NULL};
    static const char *const then[] = {"name nb_epoch",      "name border_mode",
                                       "keyword output_dim", "name Convolution2D",
                                       "name nb_filter",     NULL};
    out[0] = 2;
    out[1] = 0;
    return shows_any(c, now) && !shows_any(c, then);
}

/* PyTorch 0.3, where the program has what was gone with 0.4 and nothing that came with it. */
static bool torch_by_spelling(const struct ck *c, int out[2])
{
    static const char *const now[] = {"name *no_grad*", "call .item", "name torch.device*",
                                      "name *inference_mode*", NULL};
    static const char *const then[] = {"keyword volatile", "keyword async=True", NULL};
    out[0] = 0;
    out[1] = 3;
    return shows_any(c, then) && !shows_any(c, now);
}

/* TensorFlow 1 and PyTorch before 1.4 run with Python 3.7 at most, which has numpy 1.21. */
static bool numpy_by_others(const struct ck *c, int out[2])
{
    static const char *const then[] = {"call tf.placeholder",       "call tf.Session",
                                       "call tf.get_variable",      "attribute tf.contrib",
                                       "import tensorflow.contrib", NULL};
    static const char *const now[] = {"name compat.v1", "name disable_v2*", NULL};
    const struct lw_check_target *t = &c->target->given;
    int other[2];
    bool stated =
        t->given && (t->tensorflow.major == 1 || t->torch.major == 0 ||
                     (t->torch.major == 1 && t->torch.minor >= 0 && t->torch.minor < 4));
    bool spelt = (shows_any(c, then) && !shows_any(c, now)) || torch_by_spelling(c, other);
    out[0] = 1;
    out[1] = 21;
    return stated || spelt;
}

/* The Keras that came with a TensorFlow. */
static void keras_of_tensorflow(int v[2])
{
    if (v[0] == 2 && v[1] >= 16) {
        v[0] = 3;
        v[1] = 0;
    } else if (v[0] == 1) {
        v[0] = 2;
        v[1] = v[1] >= 13 ? 2 : 1;
    }
}

static bool is_set(const struct lw_check_version *v, int out[2])
{
    out[0] = v->major;
    out[1] = v->minor < 0 ? 0 : v->minor;
    return v->major > 0 || (v->major == 0 && v->minor > 0);
}

static bool stated(struct ck *c, const struct lw_check_target *t, struct lw_str package,
                   int out[2])
{
    if (lw_str_eq(package, LW_S("keras"))) {
        if (is_set(&t->keras, out))
            return true;
        if (!is_set(&t->tensorflow, out))
            return false;
        keras_of_tensorflow(out);
        return true;
    }
    (void)c;
    if (lw_str_eq(package, LW_S("tensorflow")))
        return is_set(&t->tensorflow, out);
    if (lw_str_eq(package, LW_S("torch")))
        return is_set(&t->torch, out);
    return lw_str_eq(package, LW_S("numpy")) && is_set(&t->numpy, out);
}

bool ck_version_of(struct ck *c, struct lw_str package, int out[2])
{
    if (c->target->given.given && stated(c, &c->target->given, package, out))
        return true;
    bool keras = lw_str_eq(package, LW_S("keras"));
    bool tensorflow = lw_str_eq(package, LW_S("tensorflow"));
    if (!keras && !tensorflow) {
        if ((lw_str_eq(package, LW_S("torch")) && torch_by_spelling(c, out)) ||
            (lw_str_eq(package, LW_S("numpy")) && numpy_by_others(c, out)))
            return true;
        out[0] = 999;
        out[1] = 0;
        return true;
    }
    return keras ? keras_by_spelling(c, out) : tensorflow_by_spelling(c, out);
}

bool ck_is_gone(struct ck *c, struct lw_str package, struct lw_str version)
{
    int gone[2], now[2];
    return parse_version(version, gone) && ck_version_of(c, package, now) &&
           !is_before(now, gone);
}

enum lw_severity ck_gone_severity(struct ck *c, struct lw_str package, struct lw_str version,
                                  struct lw_str spelt)
{
    int gone[2], now[2], first[2] = {2, 1};
    if (!version.n || !parse_version(version, gone))
        return LW_SEVERITY_NOTE;
    /* tf.keras began as Keras 2 and never took the names of Keras 1. */
    bool inside = lw_str_has_prefix(spelt, LW_S("tensorflow."));
    if (lw_str_eq(package, LW_S("keras")) && inside && is_before(gone, first))
        return LW_SEVERITY_ERROR;
    if (!lw_str_eq(package, LW_S("keras")))
        return ck_is_gone(c, package, version) ? LW_SEVERITY_ERROR : LW_SEVERITY_NOTE;
    /* Keras 2.0 to 2.3 translate the names of Keras 1. */
    int kept[2] = {2, 4};
    bool known = ck_version_of(c, package, now) && !is_before(now, gone);
    return known && !(is_before(gone, first) && is_before(now, kept)) ? LW_SEVERITY_ERROR
                                                                      : LW_SEVERITY_NOTE;
}
