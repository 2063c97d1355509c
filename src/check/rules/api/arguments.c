/* Rules about calls of functions of the program: arguments that are missing, too many or
 * unknown. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* Where the way to the call is not sure the function may be another one. */
static void report_arguments(struct ck *c, const struct ck_event *e, const char *rule,
                             struct lw_str message)
{
    const struct ck_frame *f = c->frame;
    bool unsure = f->uncertain || (f->function && f->call_place == 0);
    ck_find_as(c, e->node, lw_str(rule), unsure ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR, NULL,
               0, message);
}

static void watch_arguments(struct ck *c, const struct ck_event *e)
{
    struct lw_str f = e->object ? e->object->name : (struct lw_str){0};
    if (e->fault == CK_FAULT_MANY_ARGUMENTS)
        report_arguments(c, e, "api/too-many-arguments",
                         ck_text(c, "%.*s() takes %u positional argument%s but %u were given",
                                 LW_F(f), e->count, e->count == 1 ? "" : "s", e->given));
    else if (e->fault == CK_FAULT_UNKNOWN_KEYWORD)
        report_arguments(c, e, "api/unknown-argument",
                         ck_text(c, "%.*s() has no parameter '%.*s'", LW_F(f), LW_F(e->name)));
    else if (e->fault == CK_FAULT_MISSING_ARGUMENT)
        report_arguments(c, e, "api/missing-argument",
                         ck_text(c, "%.*s() is called without its required argument '%.*s'",
                                 LW_F(f), LW_F(e->name)));
    else if (e->fault == CK_FAULT_SEQUENTIAL_INPUTS)
        ck_find(c, e->node, "api/too-many-arguments", NULL, 0,
                "nn.Sequential takes one input, but it is called with %u", e->given);
}

const struct ck_rule rules_api_arguments[] = {
    {"api/missing-argument api/too-many-arguments api/unknown-argument", CK_EV_FAULT,
     watch_arguments, .pure = true},
    {0},
};
