/* Questions about the program that is being checked. */
#include "base/err.h"
#include "check/query/look.h"

#include <math.h>

#include "base/str.h"
#include "check/models/models.h"

bool look_again(struct ck *c, const void *key, unsigned most)
{
    LW_BUG_ON(!key || !most);
    unsigned *looks = ck_state(c, key, sizeof *looks);
    return looks && *looks < most && ++*looks;
}

bool look_speaks_of_counts(struct lw_str text)
{
    static const char *const words[] = {"count", "Count", "number", "how_many", "densit"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

bool look_reads_names(const struct ck *c)
{
    enum { MAX_TEXT = 100000 };
    return ck_shows(c, "call .fit") && c->files.v[0]->source.text.n <= MAX_TEXT;
}

bool look_is_outermost(struct ck *c, const struct ck_object *o)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up) {
        const struct ck_object *self = ck_as(f->self, CK_INSTANCE);
        if (self && ck_is_torch_module(c, self))
            return false;
    }
    return o && ck_is_torch_module(c, o);
}

bool look_makes_optimizer(const struct ck_call *call)
{
    return call->api && call->api->kind == LW_API_OPTIMIZER &&
           lw_str_has_prefix(call->name, LW_S("torch.optim."));
}

bool look_rate_parameter(const struct lw_api *optimizer, char name[LOOK_RATE_NAME])
{
    struct lw_str param = lw_api_fact(optimizer, "lr");
    if (!param.n || param.n >= LOOK_RATE_NAME)
        return false;
    memcpy(name, param.p, param.n);
    name[param.n] = '\0';
    return true;
}

bool look_is_one_hot(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]", "train_test_split"};
    static const char *const codes[] = {"to_categorical", "get_dummies", "one_hot"};
    for (unsigned i = 0; i < 6; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return false;
        if (text_is_any(text_tail(o->op), codes, 3) ||
            lw_str_find(o->op, LW_S(".LabelBinarizer.")) != LW_NPOS)
            return true;
        if (!o->in_count || !text_is_any(text_tail(o->op), forms, 2))
            return false;
        v = o->in[0];
    }
    return false;
}

bool look_squared_error(struct ck *c, struct lw_value loss, struct lw_value *a,
                        struct lw_value *b)
{
    static const char *const reductions[] = {"mean", "sum", "reduce_mean", "reduce_sum", "/"};
    static const char *const squares[] = {"square", "pow", "**", "squared_difference"};
    static const char *const differences[] = {"-", "sub", "subtract"};
    const struct ck_origin *o = NULL;
    for (unsigned i = 0; i < 3; i++) {
        o = lineage_made_by(c, loss, reductions, sizeof reductions / sizeof *reductions);
        if (!o)
            break;
        loss = o->in[0];
    }
    o = lineage_made_by(c, loss, squares, sizeof squares / sizeof *squares);
    if (!o)
        return false;
    if (!text_is(text_tail(o->op), "squared_difference"))
        o = lineage_made_by(c, o->in[0], differences, sizeof differences / sizeof *differences);
    if (!o || o->in_count < 2)
        return false;
    *a = o->in[0];
    *b = o->in[1];
    return true;
}

int64_t look_width(struct ck *c, struct lw_value out)
{
    const struct lw_tensor *t = ck_tensor_of(out);
    int64_t n = 0;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 1)
        (void)lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n);
    return n;
}
