/* Rules: shape. */
#include "base/str.h"
#include "check/rules.h"

const struct ck_rule ck_rules_shape[] = {
    {0, NULL},
};
