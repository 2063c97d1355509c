/* Rules about values that were cut to whole numbers, and labels that were scaled or are counted
 * from 1. */
#include <math.h>

#include "base/str.h"
#include "check/models/module.h"
#include "check/query/classes.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- labels -------------------------------------------------------------------------------
 */

/* Class numbers that were divided like pixels. */
static void watch_labels(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b);
    if (!classes_are_numbered(c, e) || !lineage_known_range(y) ||
        (y->range.flags & LW_IV_WHOLE) || lw_set_within(y->dtype, LW_FLOATS) != LW_TRI_YES)
        return;
    if (y->range.lo < 0 || y->range.hi > 1 || y->range.lo == y->range.hi)
        return;
    ck_find(c, e->node, "data/labels-scaled", &e->b, 1,
            "the loss takes class indices, but the labels lie between %g and %g because they "
            "were scaled like inputs: do not scale the labels",
            y->range.lo, y->range.hi);
}

/* cat([zeros, ones]): between 0 and 1, but nothing in between. */
static bool is_made_of_whole(struct ck *c, struct lw_value v)
{
    static const char *const joins[] = {"cat",    "concatenate", "concat", "hstack",
                                        "vstack", "stack",       "append"};
    const struct ck_origin *o = lineage_made_by(c, v, joins, sizeof joins / sizeof *joins);
    struct lw_seq seq;
    if (!o)
        return false;
    if (o->in[0].kind == LW_V_TENSOR)
        seq = (struct lw_seq){.items = o->in, .n = o->in_count < 2 ? o->in_count : 2};
    else if (!ck_sequence(c, o->in[0], &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct lw_tensor *t = ck_tensor_of(seq.items[i]);
        if (!t || t->range.lo != t->range.hi || t->range.lo != floor(t->range.lo))
            return false;
    }
    return seq.n > 0;
}

/* Values between 0 and 1 made whole numbers: all of them become 0. */
static void watch_truncation(struct ck *c, const struct ck_event *e)
{
    static const char *const casts[] = {"astype", "long", "int",  "byte",
                                        "to",     "type", "cast", "short"};
    struct lw_str name = text_tail(e->call->name);
    bool is_cast = false;
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        is_cast |= text_is(name, casts[i]);
    struct lw_value x = lineage_operand(e->call);
    const struct lw_tensor *from = ck_tensor_of(x), *to = ck_tensor_of(e->value);
    if (!is_cast || !from || !to || !lineage_known_range(from) ||
        lw_set_within(from->dtype, LW_FLOATS) != LW_TRI_YES ||
        lw_set_within(to->dtype, LW_INTS) != LW_TRI_YES || (from->range.flags & LW_IV_WHOLE) ||
        from->range.lo < 0 || from->range.hi > 1 || from->range.lo == from->range.hi)
        return;
    if (is_made_of_whole(c, x))
        return;
    ck_find(c, e->node, "data/fraction-to-integer", &x, 1,
            "values of %g to %g are truncated to integers, so nearly all of them become 0: "
            "compare with a threshold, round, or multiply first",
            from->range.lo, from->range.hi);
}

/* Is it pixels / 255, or of a range between 0 and 1? */
static bool is_fraction(struct ck *c, struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    const struct ck_origin *o = ck_origin_of(c, v);
    double by;
    if (!t || lw_set_within(t->dtype, LW_INTS) == LW_TRI_YES)
        return false;
    if (o && text_is(o->op, "/") && o->in_count == 2 && ck_number_of(c, o->in[1], &by) &&
        by >= 255 && by <= 256)
        return true;
    return lw_set_within(t->dtype, LW_FLOATS) == LW_TRI_YES && lineage_known_range(t) &&
           !(t->range.flags & LW_IV_WHOLE) && t->range.lo >= 0 && t->range.hi <= 1 &&
           t->range.lo < t->range.hi;
}

/* data[i] = picture / 255 of an array of whole numbers. */
static void watch_stored_fraction(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *into = ck_tensor_of(e->a);
    if (!into || (into->framework & ~LW_NUMPY) ||
        lw_set_within(into->dtype, LW_INTS) != LW_TRI_YES || !is_fraction(c, e->value) ||
        is_made_of_whole(c, e->value))
        return;
    ck_find(c, e->node, "data/fraction-to-integer", &e->value, 1,
            "the array holds integers, so fractions between 0 and 1 are truncated when they "
            "are stored, and nearly all become 0: create an array of floats");
}

/* Class numbers that begin with 1. */
static void watch_classes(struct ck *c, const struct ck_event *e)
{
    struct classes found;
    if (classes_of(c, e, &found) == CLASSES_FROM_ONE)
        ck_find(
            c, e->node, "data/class-out-of-range", &found.target, 1,
            "the class indices run from 1 to %g, but the loss expects 0 to %lld: subtract 1",
            found.highest, (long long)found.out.width - 1);
}

/* ---- whole quotients -----------------------------------------------------------------------
 */

/* The division that left only whole numbers, on the way from data to what a network gets; NULL:
 * there is none. */
static const struct ck_origin *floor_division(struct ck *c, struct lw_value x, double *by)
{
    static const char *const forms[] = {"[]", "train_test_split", "transpose", "concatenate"};
    for (unsigned i = 0; i < 12; i++) {
        x = lineage_through(c, x);
        const struct ck_origin *o = ck_origin_of(c, x);
        if (!o || !o->in_count)
            return NULL;
        if (text_is(text_tail(o->op), "//") || text_is(text_tail(o->op), "floor_divide"))
            return o->in_count == 2 && ck_number_of(c, o->in[1], by) ? o : NULL;
        if (!text_is_any(text_tail(o->op), forms, sizeof forms / sizeof *forms))
            return NULL;
        x = o->in[0];
    }
    return NULL;
}

/* x_train // 255: every pixel but the brightest becomes 0. */
static void watch_whole_quotient(struct ck *c, const struct ck_event *e)
{
    double by = 0;
    const struct ck_origin *o = floor_division(c, ck_arg(e->call, 0, "x"), &by);
    const struct lw_tensor *t = o ? ck_tensor_of(o->in[0]) : NULL;
    bool pixels = by == 255 || by == 256;
    bool known = t && lineage_known_range(t) && t->range.lo >= 0 && t->range.lo < t->range.hi;
    if (!o || by < 2 || (known ? t->range.hi > by : !pixels))
        return;
    ck_find_at(c, o->file, o->node, "data/fraction-to-integer", &o->in[0], 1,
               "// %g keeps only the integer part, which is 0 for all values below %g, so the "
               "network sees only zeros: divide by %g with /",
               by, by, by);
}

const struct ck_rule rules_data_range[] = {
    {"data/labels-scaled", CK_EV_FIT, watch_labels},
    {"data/class-out-of-range", CK_EV_FIT | CK_EV_CALL | CK_EV_LAYER, watch_classes,
     .calls = "@loss"},
    {"data/fraction-to-integer", CK_EV_CALL, watch_truncation,
     .calls = ".astype .long .int .byte .to .type .cast .short"},
    {"data/fraction-to-integer", CK_EV_STORE, watch_stored_fraction},
    {"data/fraction-to-integer", CK_EV_FIT | CK_EV_PREDICT, watch_whole_quotient},
    {0},
};
