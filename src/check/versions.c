#include "check/versions.h"

#include "base/file.h"
#include "base/num.h"
#include "base/path.h"
#include "base/str.h"
#include "check/rules.h"

enum { PARENTS = 3, MAX_REQUIREMENTS = 1 << 16 };

bool ck_version_parse(struct lw_str text, int out[2])
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

/* ---- requirements -------------------------------------------------------------------------
 */

static struct lw_check_version *version_slot(struct lw_check_target *t, struct lw_str name)
{
    static const struct {
        const char *name;
        size_t at;
    } known[] = {{"keras", offsetof(struct lw_check_target, keras)},
                 {"numpy", offsetof(struct lw_check_target, numpy)},
                 {"pytorch", offsetof(struct lw_check_target, torch)},
                 {"tensorflow", offsetof(struct lw_check_target, tensorflow)},
                 {"tensorflow-cpu", offsetof(struct lw_check_target, tensorflow)},
                 {"tensorflow-gpu", offsetof(struct lw_check_target, tensorflow)},
                 {"torch", offsetof(struct lw_check_target, torch)}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq_nocase(name, lw_str(known[i].name)))
            return (struct lw_check_version *)(void *)((char *)t + known[i].at);
    return NULL;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_';
}

/* "==2.6", ">=1.8,<2": the newest version that is allowed; what has no upper end says the least
 * that there is. Nothing for "<1.17" alone: it may be any older one. */
static bool take_constraint(struct lw_str spec, struct lw_check_version *out)
{
    struct lw_str piece;
    int v[2];
    bool any = false;
    while (lw_str_split(&spec, ',', &piece)) {
        piece = lw_str_trim(piece);
        bool exact = lw_str_has_prefix(piece, LW_S("=")) || lw_str_has_prefix(piece, LW_S("~"));
        bool least = lw_str_has_prefix(piece, LW_S(">"));
        while (piece.n && (piece.p[0] == '=' || piece.p[0] == '>' || piece.p[0] == '~'))
            piece = lw_str_from(piece, 1);
        if ((exact || least) && ck_version_parse(lw_str_trim(piece), v)) {
            *out = (struct lw_check_version){v[0], v[1]};
            any = true;
        }
    }
    return any;
}

static void take_line(struct lw_check_target *t, struct lw_str line)
{
    ptrdiff_t hash = lw_str_find_char(line, '#');
    line = lw_str_trim(hash < 0 ? line : lw_str_part(line, 0, (size_t)hash));
    if (lw_str_has_prefix(line, LW_S("- "))) /* environment.yml */
        line = lw_str_trim(lw_str_from(line, 2));
    size_t n = 0;
    while (n < line.n && is_name_char(line.p[n]))
        n++;
    struct lw_check_version *slot = version_slot(t, lw_str_part(line, 0, n));
    struct lw_str rest = lw_str_trim(lw_str_from(line, n));
    ptrdiff_t marker = lw_str_find_char(rest, ';');
    if (marker >= 0)
        rest = lw_str_part(rest, 0, (size_t)marker);
    if (slot)
        take_constraint(rest, slot);
}

static bool read_requirements(struct ck *c, struct lw_str folder, struct lw_check_target *t)
{
    static const char *const names[] = {"requirements.txt", "environment.yml",
                                        "environment.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_str path = ck_text(c, "%.*s/%s", LW_F(folder), names[i]), text, line;
        struct lw_err err = {0};
        if (!path.n || lw_file_kind(path.p) != LW_FILE_REGULAR ||
            lw_file_read(c->arena, path.p, MAX_REQUIREMENTS, &text, &err) < 0)
            continue;
        while (lw_str_split(&text, '\n', &line))
            take_line(t, line);
        return true;
    }
    return false;
}

/* Reads the nearest requirements once, when they are first asked for. */
static const struct lw_check_target *required(struct ck *c)
{
    struct ck_target *t = c->target;
    if (t->searched)
        return &t->required;
    t->searched = true;
    t->required = (struct lw_check_target){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, false};
    struct lw_str path = c->files.v[0]->path;
    if (lw_file_kind(ck_text(c, "%.*s", LW_F(path)).p) != LW_FILE_REGULAR)
        return &t->required;
    struct lw_str folder = lw_path_parent(path);
    for (unsigned i = 0; i < PARENTS && !read_requirements(c, folder, &t->required); i++) {
        if (lw_file_kind(ck_text(c, "%.*s/.git", LW_F(folder)).p) != LW_FILE_NONE)
            break;
        bool relative = lw_str_eq(folder, LW_S(".")) || lw_str_has_suffix(folder, LW_S(".."));
        folder = relative ? ck_text(c, "%.*s/..", LW_F(folder)) : lw_path_parent(folder);
    }
    return &t->required;
}

/* ---- spellings ----------------------------------------------------------------------------
 */

static bool mentions_any(const struct ck *c, const char *const *words)
{
    for (; *words; words++)
        if (ck_mentions(c, *words))
            return true;
    return false;
}

/* TensorFlow 2 where the program uses what only that has. */
static bool tensorflow_by_spelling(const struct ck *c, int out[2])
{
    static const char *const now[] = {"GradientTape", "tf.function", NULL};
    static const char *const then[] = {"compat", "enable_eager", "tf.Session", "disable_v2",
                                       NULL};
    out[0] = 2;
    out[1] = 0;
    return mentions_any(c, now) && !mentions_any(c, then);
}

/* Keras 2 by the names of arguments it brought. */
static bool keras_by_spelling(const struct ck *c, int out[2])
{
    static const char *const now[] = {
        "epochs=",         "inputs=",  "kernel_initializer", "Conv2D(", "kernel_size=",
        "steps_per_epoch", "strides=", "kernel_regularizer", NULL};
    static const char *const then[] = {
        "nb_epoch", "border_mode", "output_dim=", "Convolution2D", "nb_filter", NULL};
    out[0] = 2;
    out[1] = 0;
    return mentions_any(c, now) && !mentions_any(c, then);
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
        out[0] = 999;
        out[1] = 0;
        return true;
    }
    if (stated(c, required(c), package, out))
        return true;
    return keras ? keras_by_spelling(c, out) : tensorflow_by_spelling(c, out);
}

bool ck_is_gone(struct ck *c, struct lw_str package, struct lw_str version)
{
    int gone[2], now[2];
    return ck_version_parse(version, gone) && ck_version_of(c, package, now) &&
           !is_before(now, gone);
}

enum lw_severity ck_gone_severity(struct ck *c, struct lw_str package, struct lw_str version,
                                  struct lw_str spelt)
{
    int gone[2], now[2], first[2] = {2, 1};
    if (!version.n || !ck_version_parse(version, gone))
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
