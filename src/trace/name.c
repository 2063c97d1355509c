#include "trace/name.h"

#include "base/err.h"
#include "base/str.h"

static const char *const role_names[LW_SERIES_ROLES] = {
    "metric",          "setting", "input",    "target", "output",
    "output-gradient", "weight",  "gradient", "update", "event",
};

const char *lw_trace_role_name(enum lw_trace_role role)
{
    LW_BUG_ON(role >= LW_SERIES_ROLES);
    return role_names[role];
}

enum lw_trace_role lw_trace_role_find(struct lw_str name)
{
    enum lw_trace_role role = 0;
    while (role < LW_SERIES_ROLES && !lw_str_eq(name, lw_str(role_names[role])))
        role++;
    return role;
}
