/* Rules: torch. */
#include "base/str.h"
#include "check/rules.h"

const struct ck_rule ck_rules_torch[] = {
    {0, NULL},
};
