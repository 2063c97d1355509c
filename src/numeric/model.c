#include "numeric/model.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"

/* ---- Text
 * -------------------------------------------------------------------------------------- */

struct scan {
    struct lw_str rest;
    size_t line;
};

/* The next word, or an empty one at the end. */
static struct lw_str next_word(struct scan *s)
{
    size_t i = 0;
    while (i < s->rest.n && (s->rest.p[i] == ' ' || s->rest.p[i] == '\n' ||
                             s->rest.p[i] == '\r' || s->rest.p[i] == '\t')) {
        s->line += s->rest.p[i] == '\n';
        i++;
    }
    size_t from = i;
    while (i < s->rest.n && s->rest.p[i] != ' ' && s->rest.p[i] != '\n' &&
           s->rest.p[i] != '\r' && s->rest.p[i] != '\t')
        i++;
    struct lw_str word = lw_str_part(s->rest, from, i - from);
    s->rest = lw_str_from(s->rest, i);
    return word;
}

static int damaged(const struct scan *s, const char *what, struct lw_err *err)
{
    return lw_err_set(err, LW_ECORRUPT, "model, line %zu: %s", s->line, what);
}

static int parse_array(struct lw_array *a, struct scan *s, struct lw_arena *arena,
                       struct lw_err *err)
{
    uint64_t count;
    if (!lw_parse_u64(next_word(s), &count))
        return damaged(s, "an array has no length", err);
    /* A number takes at least two bytes, the last one at least one. */
    if (count > s->rest.n / 2 + 1)
        return damaged(s, "an array longer than the file", err);
    a->n = (size_t)count;
    a->v = lw_arena_array(arena, a->n, sizeof *a->v);
    if (!a->v)
        return lw_err_nomem(err);
    for (size_t i = 0; i < a->n; i++)
        if (!lw_parse_double(next_word(s), &a->v[i]))
            return damaged(s, "a number was expected", err);
    return 0;
}

int lw_model_parse(struct lw_model *out, struct lw_arena *arena, struct lw_str text,
                   struct lw_err *err)
{
    memset(out, 0, sizeof *out);
    struct scan s = {text, 1};
    if (!lw_str_eq(next_word(&s), LW_S("lacewing-model")))
        return damaged(&s, "this is not a model of Lacewing", err);
    if (!lw_str_eq(next_word(&s), LW_S("1")))
        return damaged(&s, "unknown version", err);
    out->kind = next_word(&s);
    for (;;) {
        struct lw_str name = next_word(&s);
        if (lw_str_eq(name, LW_S("end")))
            return 0;
        if (name.n == 0)
            return damaged(&s, "the file ends too early", err);
        if (out->count == LW_MODEL_ARRAYS)
            return damaged(&s, "too many arrays", err);
        struct lw_array *a = &out->array[out->count++];
        a->name = name;
        if (parse_array(a, &s, arena, err) < 0)
            return err->code;
    }
}

int lw_model_print(struct lw_buf *out, const struct lw_model *m)
{
    lw_buf_addf(out, "lacewing-model 1 %.*s\n", LW_F(m->kind));
    for (size_t a = 0; a < m->count; a++) {
        lw_buf_addf(out, "%.*s %zu\n", LW_F(m->array[a].name), m->array[a].n);
        for (size_t i = 0; i < m->array[a].n; i++) {
            char number[LW_DOUBLE_TEXT];
            lw_buf_addz(out, lw_print_double(m->array[a].v[i], number));
            lw_buf_add_char(out, i % 16 == 15 || i + 1 == m->array[a].n ? '\n' : ' ');
        }
    }
    return lw_buf_addz(out, "end\n");
}

const struct lw_array *lw_model_find(const struct lw_model *m, const char *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (lw_str_eq(m->array[i].name, lw_str(name)))
            return &m->array[i];
    return NULL;
}

/* ---- Numbers out of a model
 * ------------------------------------------------------------------------ */

static int need_array(const struct lw_model *m, const char *name, const struct lw_array **out,
                      struct lw_err *err)
{
    *out = lw_model_find(m, name);
    return *out ? 0 : lw_err_set(err, LW_ECORRUPT, "the model has no '%s'", name);
}

/* A whole number of 0…most. */
static int whole(double x, double most, uint32_t *out, struct lw_err *err)
{
    if (!(x >= 0 && x <= most && x == floor(x)))
        return lw_err_set(err, LW_ECORRUPT, "the model has %g where a count is expected", x);
    *out = (uint32_t)x;
    return 0;
}

static void add(struct lw_model *m, const char *name, double *v, size_t n)
{
    m->array[m->count++] = (struct lw_array){lw_str(name), v, n};
}

static int finish(struct lw_buf *out, const struct lw_model *m, struct lw_err *err)
{
    int rc = lw_model_print(out, m);
    return rc == 0           ? 0
           : rc == LW_ELIMIT ? lw_err_set(err, rc, "the model is too large to save")
                             : lw_err_nomem(err);
}

/* ---- Trees
 * --------------------------------------------------------------------------------------------
 */

int lw_trees_save(struct lw_buf *out, struct lw_arena *arena, const struct lw_trees *t,
                  struct lw_err *err)
{
    size_t n = t->node.n;
    double *threshold = lw_arena_array(arena, n, sizeof *threshold);
    double *feature = lw_arena_array(arena, n, sizeof *feature);
    double *left = lw_arena_array(arena, n, sizeof *left);
    double *root = lw_arena_array(arena, t->root.n, sizeof *root);
    if (!threshold || !feature || !left || !root)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        threshold[i] = t->node.v[i].threshold;
        feature[i] = t->node.v[i].feature;
        left[i] = t->node.v[i].left;
    }
    for (size_t i = 0; i < t->root.n; i++)
        root[i] = t->root.v[i];
    double shape[] = {(double)t->features, (double)t->outputs, t->average, t->single};
    struct lw_model m = {.kind = LW_S("trees")};
    add(&m, "shape", shape, 4);
    add(&m, "base", t->base, t->outputs);
    add(&m, "root", root, t->root.n);
    add(&m, "feature", feature, n);
    add(&m, "threshold", threshold, n);
    add(&m, "left", left, n);
    add(&m, "value", t->value.v, t->value.n);
    return finish(out, &m, err);
}

static int read_nodes(struct lw_trees *out, const struct lw_model *m, struct lw_err *err)
{
    const struct lw_array *feature, *threshold, *left, *root;
    if (need_array(m, "feature", &feature, err) < 0 ||
        need_array(m, "threshold", &threshold, err) < 0 ||
        need_array(m, "left", &left, err) < 0 || need_array(m, "root", &root, err) < 0)
        return err->code;
    if (feature->n != threshold->n || feature->n != left->n)
        return lw_err_set(err, LW_ECORRUPT, "the model's nodes differ in number");
    for (size_t i = 0; i < feature->n; i++) {
        struct lw_tree_node node = {threshold->v[i], -1, 0};
        uint32_t f = 0;
        if (whole(left->v[i], UINT32_MAX - 1.0, &node.left, err) < 0)
            return err->code;
        if (feature->v[i] != -1) {
            if (whole(feature->v[i], INT32_MAX, &f, err) < 0)
                return err->code;
            node.feature = (int32_t)f;
        }
        if (lw_vec_push(out->mem, &out->node, node) < 0)
            return lw_err_nomem(err);
    }
    for (size_t i = 0; i < root->n; i++) {
        uint32_t r = 0;
        if (whole(root->v[i], UINT32_MAX - 1.0, &r, err) < 0)
            return err->code;
        if (lw_vec_push(out->mem, &out->root, r) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

static int read_trees(struct lw_trees *out, const struct lw_model *m, struct lw_err *err)
{
    const struct lw_array *shape, *base, *value;
    uint32_t features = 0, outputs = 0;
    if (need_array(m, "shape", &shape, err) < 0 || need_array(m, "base", &base, err) < 0 ||
        need_array(m, "value", &value, err) < 0)
        return err->code;
    if (shape->n != 4 || whole(shape->v[0], INT32_MAX, &features, err) < 0 ||
        whole(shape->v[1], 100000, &outputs, err) < 0 || base->n != outputs || outputs == 0)
        return lw_err_set(err, LW_ECORRUPT, "the model's shape is damaged");
    out->features = features;
    out->average = shape->v[2] != 0;
    out->single = shape->v[3] != 0;
    out->base = lw_mem_alloc(out->mem, outputs * sizeof *out->base);
    if (!out->base)
        return lw_err_nomem(err);
    out->outputs = outputs;
    memcpy(out->base, base->v, outputs * sizeof *out->base);
    if (lw_vec_reserve(out->mem, &out->value, value->n) < 0)
        return lw_err_nomem(err);
    memcpy(out->value.v, value->v, value->n * sizeof *value->v);
    out->value.n = value->n;
    if (read_nodes(out, m, err) < 0)
        return err->code;
    return lw_trees_check(out, err);
}

int lw_trees_load(struct lw_trees *out, struct lw_mem *mem, struct lw_str text,
                  struct lw_err *err)
{
    lw_trees_init(out, mem);
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct lw_model m;
    int rc = lw_model_parse(&m, &arena, text, err);
    if (rc == 0 && !lw_str_eq(m.kind, LW_S("trees")))
        rc = lw_err_set(err, LW_ECORRUPT, "the model is not one of trees");
    if (rc == 0)
        rc = read_trees(out, &m, err);
    lw_arena_release(&arena);
    if (rc < 0)
        lw_trees_release(out);
    return rc;
}

/* ---- Linear
 * ---------------------------------------------------------------------------------------------
 */

int lw_linear_save(struct lw_buf *out, const struct lw_linear *l, struct lw_err *err)
{
    double shape[] = {(double)l->features, (double)l->outputs};
    struct lw_model m = {.kind = LW_S("linear")};
    add(&m, "shape", shape, 2);
    add(&m, "bias", l->bias, l->outputs);
    add(&m, "weight", l->weight, l->outputs * l->features);
    return finish(out, &m, err);
}

int lw_linear_load(struct lw_linear *out, struct lw_arena *arena, struct lw_str text,
                   struct lw_err *err)
{
    *out = (struct lw_linear){0};
    struct lw_model m;
    const struct lw_array *shape, *bias, *weight;
    if (lw_model_parse(&m, arena, text, err) < 0)
        return err->code;
    if (!lw_str_eq(m.kind, LW_S("linear")))
        return lw_err_set(err, LW_ECORRUPT, "the model is not a linear one");
    if (need_array(&m, "shape", &shape, err) < 0 || need_array(&m, "bias", &bias, err) < 0 ||
        need_array(&m, "weight", &weight, err) < 0)
        return err->code;
    uint32_t features = 0, outputs = 0;
    size_t all;
    if (shape->n != 2 || whole(shape->v[0], UINT32_MAX, &features, err) < 0 ||
        whole(shape->v[1], UINT32_MAX, &outputs, err) < 0 || outputs == 0 ||
        bias->n != outputs || !lw_mul_size(features, outputs, &all) || weight->n != all)
        return lw_err_set(err, LW_ECORRUPT, "the model's shape is damaged");
    for (size_t i = 0; i < all; i++)
        if (!isfinite(weight->v[i]))
            return lw_err_set(err, LW_ECORRUPT, "weight %zu is not a finite number", i);
    *out = (struct lw_linear){features, outputs, weight->v, bias->v};
    return 0;
}
