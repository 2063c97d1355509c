/* Rules about programs that work, but slowly. */
#include "check/rules.h"
const struct ck_rule ck_rules_performance[] = {{0, NULL}};
