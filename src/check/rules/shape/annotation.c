/* Rules about shapes that annotations of the program state. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void watch_annotation(struct ck *c, const struct ck_event *e)
{
    if (e->fault != CK_FAULT_RETURN_SHAPE && e->fault != CK_FAULT_ARGUMENT_SHAPE)
        return;
    struct lw_str is = ck_show_shape(c, &e->value.tensor->shape);
    struct lw_str want = ck_show_shape(c, e->shape);
    if (e->fault == CK_FAULT_RETURN_SHAPE)
        ck_find(c, e->node, "shape/annotated-shape", &e->value, 1,
                "%.*s() returns shape %.*s, but its annotation says %.*s",
                LW_F(e->object->name), LW_F(is), LW_F(want));
    else
        ck_find(c, e->node, "shape/annotated-shape", &e->value, 1,
                "argument '%.*s' of %.*s() has shape %.*s, but its annotation says %.*s",
                LW_F(e->name), LW_F(e->object->name), LW_F(is), LW_F(want));
}

const struct ck_rule rules_shape_annotation[] = {
    {"shape/annotated-shape", CK_EV_FAULT, watch_annotation, .pure = true},
    {0},
};
