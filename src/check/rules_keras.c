/* Rules: keras. */
#include "base/str.h"
#include "check/rules.h"

const struct ck_rule ck_rules_keras[] = {
    {0, NULL},
};
