#include "reproduce/guide.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { NUMBERS_MAX = 12, ODD_SIDE = 37 };

/* The numbers of a message, in order. */
static size_t read_numbers(struct lw_str s, int64_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n && n < NUMBERS_MAX; i++) {
        size_t start = i;
        int64_t v = 0;
        for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v < 1 << 24; i++)
            v = v * 10 + (s.p[i] - '0');
        if (i > start)
            out[n++] = v;
    }
    return n;
}

/* The text between the first two single quotes. */
static struct lw_str quoted(struct lw_str s)
{
    ptrdiff_t a = lw_str_find_char(s, '\'');
    s = lw_str_from(s, a < 0 ? s.n : (size_t)a + 1);
    ptrdiff_t b = lw_str_find_char(s, '\'');
    return lw_str_part(s, 0, b < 0 ? 0 : (size_t)b);
}

/* ---- One thing at a time -------------------------------------------------------------------
 */

static bool missing_module(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    struct lw_str name = quoted(message);
    ptrdiff_t dot = lw_str_find_char(name, '.');
    name.n = dot > 0 ? (size_t)dot : name.n;
    if (name.n == 0 || lw_str_find(c->absent, name) >= 0)
        return false;
    c->absent = rp_printf(p, "%.*s %.*s", LW_F(c->absent), LW_F(name));
    return true;
}

static bool missing_file(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    struct lw_str name = quoted(message), rest = message, word;
    while (name.n == 0 && lw_str_split(&rest, ' ', &word))
        if (lw_str_find_char(word, '.') > 0)
            name = word;
    /* Only a plain name beside the program, and never the program itself. */
    if (name.n == 0 || name.n > 80 || lw_str_find_char(name, '/') >= 0 || name.p[0] == '.' ||
        lw_str_has_suffix(name, LW_S(".py")) || c->file.n > 0)
        return false;
    c->file = rp_printf(p, "%.*s", LW_F(name));
    return true;
}

static bool more_values(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    int64_t v[NUMBERS_MAX];
    (void)p;
    unsigned wanted = read_numbers(message, v) > 0 && v[0] > 1 && v[0] < 8 ? (unsigned)v[0] : 2;
    if (c->class_results == wanted)
        return false;
    c->class_results = wanted;
    return true;
}

/* "mat1 and mat2 shapes cannot be multiplied (32x10 and 40x32)" */
static bool other_features(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    int64_t v[NUMBERS_MAX];
    struct rp_facts *f = &c->facts;
    ptrdiff_t at = lw_str_find_char(message, '(');
    (void)p;
    if (at < 0 || read_numbers(lw_str_from(message, (size_t)at), v) < 4 || v[2] < 1)
        return false;
    if (f->input.rank == 1 && f->input.dims[0] == v[1]) {
        f->input.dims[0] = v[2];
        return true;
    }
    /* Images: the area of the maps behind the convolutions goes with that of the image. */
    for (int64_t side = f->input.rank >= 3 ? f->input.dims[f->input.rank - 1] : 0; side > 0;) {
        int64_t step = v[2] > v[1] ? side + 1 : side - 1;
        if (step < 4 || step > 256)
            return false;
        for (size_t i = 1; i < f->input.rank; i++)
            f->input.dims[i] = step;
        return true;
    }
    return false;
}

/* "Target size (torch.Size([32])) must be the same as input size (torch.Size([32, 1]))" */
static bool other_target_rank(struct rp_program *p, struct rp_candidate *c,
                              struct lw_str message)
{
    (void)p, (void)message;
    if (c->flipped)
        return false;
    c->facts.flat_target = !c->facts.flat_target;
    if (c->facts.target == RP_TARGET_BINARY && c->facts.classes == 2 && !c->facts.flat_target)
        c->facts.classes = 1;
    c->flipped = true;
    return true;
}

static bool integer_inputs(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    (void)p, (void)message;
    if (c->facts.integers)
        return false;
    c->facts.integers = true;
    c->facts.vocabulary = c->facts.vocabulary ? c->facts.vocabulary : 4;
    return true;
}

static bool fewer_classes(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    int64_t v[NUMBERS_MAX];
    (void)p;
    if (read_numbers(message, v) < 1 || v[0] < 1 || v[0] >= c->facts.classes)
        return false;
    c->facts.classes = v[0];
    return true;
}

static bool smaller_numbers(struct rp_program *p, struct rp_candidate *c, struct lw_str message)
{
    (void)p, (void)message;
    if (!c->facts.integers || c->facts.vocabulary <= 2)
        return false;
    c->facts.vocabulary = 2;
    return true;
}

/* ---- What the reported message tells
 * ---------------------------------------------------------
 */

/* "[4, 3, 28, 28]" behind `mark`: the shape of a batch of inputs. */
static bool batch_shape(struct rp_facts *f, struct lw_str message, const char *mark)
{
    int64_t v[NUMBERS_MAX];
    ptrdiff_t at = lw_str_find(message, lw_str(mark));
    struct lw_str rest = lw_str_from(message, at < 0 ? message.n : (size_t)at + strlen(mark));
    ptrdiff_t end = lw_str_find_char(rest, ']');
    size_t n = end < 0 ? 0 : read_numbers(lw_str_part(rest, 0, (size_t)end), v);
    if (n < 2 || n > RP_RANK_MAX)
        return false;
    f->input.rank = n - 1;
    for (size_t i = 1; i < n; i++)
        f->input.dims[i - 1] = v[i] > 0 ? v[i] : 1;
    return true;
}

static bool told_channels(struct rp_candidate *c, struct lw_str message)
{
    return batch_shape(&c->facts, message, "input[") ||
           batch_shape(&c->facts, message, "input of size: [");
}

static bool told_features(struct rp_candidate *c, struct lw_str message)
{
    int64_t v[NUMBERS_MAX];
    ptrdiff_t at = lw_str_find_char(message, '(');
    if (at < 0 || read_numbers(lw_str_from(message, (size_t)at), v) < 4 || v[1] < 1 ||
        c->facts.input.rank != 1)
        return false;
    c->facts.input.dims[0] = v[1];
    return true;
}

static bool told_double(struct rp_candidate *c, struct lw_str message)
{
    (void)message;
    c->facts.dtype = LW_S("float64");
    return true;
}

static bool told_whole(struct rp_candidate *c, struct lw_str message)
{
    (void)message;
    c->facts.whole_target = true;
    return true;
}

static bool told_beyond(struct rp_candidate *c, struct lw_str message)
{
    (void)message;
    c->facts.vocabulary += c->facts.vocabulary / 2 + 1;
    return c->facts.integers;
}

static bool told_class(struct rp_candidate *c, struct lw_str message)
{
    int64_t v[NUMBERS_MAX];
    if (read_numbers(message, v) < 1)
        return false;
    c->facts.classes = v[0] + 1;
    return true;
}

/* "Target size (torch.Size([32])) must be the same as input size (torch.Size([32, 1]))" */
static bool told_rank(struct rp_candidate *c, struct lw_str message)
{
    ptrdiff_t end = lw_str_find_char(message, ']');
    c->facts.flat_target =
        end > 0 && lw_str_find_char(lw_str_part(message, 0, (size_t)end), ',') < 0;
    return true;
}

static const struct {
    const char *part;
    bool (*change)(struct rp_candidate *, struct lw_str message);
} tellings[] = {
    {"but got input of size", told_channels},
    {"channels, but got", told_channels},
    {"shapes cannot be multiplied", told_features},
    {"Double", told_double},
    {"double", told_double},
    {"must have the same dtype", told_double},
    {"desired output type Long", told_whole},
    {"but found Long", told_whole},
    {"but got Long", told_whole},
    {"index out of range in self", told_beyond},
    {"is out of bounds", told_class},
    {"must be the same as input size", told_rank},
};

/* The data that the reported error speaks of. Once. */
static bool guide_by_report(struct rp_candidate *c)
{
    if (c->told)
        return false;
    c->told = true;
    for (size_t i = 0; i < sizeof tellings / sizeof *tellings; i++)
        if (lw_str_find(c->message, lw_str(tellings[i].part)) >= 0 &&
            tellings[i].change(c, c->message))
            return true;
    return false;
}

/* ---- What a run tells
 * -------------------------------------------------------------------------
 */

static const struct {
    const char *type; /* NULL: any */
    const char *part; /* of the message */
    bool (*change)(struct rp_program *, struct rp_candidate *, struct lw_str message);
} clues[] = {
    {"ModuleNotFoundError", "No module named", missing_module},
    {"FileNotFoundError", "", missing_file},
    {"OSError", "not found", missing_file},
    {NULL, "values to unpack", more_values},
    {NULL, "cannot unpack non-iterable", more_values},
    {NULL, "shapes cannot be multiplied", other_features},
    {NULL, "must be the same as input size", other_target_rank},
    {NULL, "to have one of the following scalar types: Long", integer_inputs},
    {NULL, "is out of bounds", fewer_classes},
    {NULL, "index out of range", smaller_numbers},
};

bool rp_guide_error(struct rp_program *p, struct rp_candidate *c,
                    const struct lw_exception *seen)
{
    for (size_t i = 0; i < sizeof clues / sizeof *clues; i++)
        if ((!clues[i].type || lw_str_eq(seen->type, lw_str(clues[i].type))) &&
            lw_str_find(seen->message, lw_str(clues[i].part)) >= 0 &&
            clues[i].change(p, c, seen->message))
            return true;
    return guide_by_report(c);
}

bool rp_guide_success(const struct rp_program *p, struct rp_candidate *c)
{
    if (guide_by_report(c))
        return true;
    if (!c->call_all) {
        c->call_all = true;
        return true;
    }
    if (!c->odd && c->facts.input.rank >= 3) {
        for (size_t i = 1; i < c->facts.input.rank; i++)
            c->facts.input.dims[i] = ODD_SIDE;
        c->odd = true;
        return true;
    }
    if (c->train || p->framework != RP_TORCH)
        return false;
    c->train = true;
    return true;
}
