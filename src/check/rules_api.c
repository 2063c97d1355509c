/* Rules: api. */
#include "base/str.h"
#include "check/rules.h"

const struct ck_rule ck_rules_api[] = {
    {0, NULL},
};
