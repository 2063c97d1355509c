/* Rules about class numbers for which the network has no unit. */
#include "check/query/classes.h"
#include "check/rules/rules.h"

/* Class numbers for which the network has no unit. */
static void watch_units(struct ck *c, const struct ck_event *e)
{
    struct classes found;
    if (classes_of(c, e, &found) == CLASSES_TOO_MANY)
        ck_find_at(c, found.out.learner->file, found.out.learner->node,
                   "architecture/too-few-units", &found.target, 1,
                   "the class indices range from %.4g to %.4g, but the network has only %lld "
                   "output units: use one unit per class",
                   found.lowest, found.highest, (long long)found.out.width);
}

const struct ck_rule rules_architecture_too_few_units[] = {
    {"architecture/too-few-units", CK_EV_FIT | CK_EV_CALL | CK_EV_LAYER, watch_units,
     .calls = "@loss"},
    {0},
};
