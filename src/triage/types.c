#include "triage/types.h"

#include "base/str.h"

static const char *const type_names[] = {"model", "tensor", "training", "gpu",
                                         "api",   "data",   "other",    "unknown"};
static const char *const component_names[] = {"data", "model", "hyperparameters", "code",
                                              "logs"};

static unsigned find(const char *const *names, unsigned n, struct lw_str name)
{
    unsigned i = 0;
    while (i < n && !lw_str_eq(lw_str(names[i]), name))
        i++;
    return i;
}

const char *lw_bug_type_name(enum lw_bug_type type)
{
    return type_names[type];
}

enum lw_bug_type lw_bug_type_find(struct lw_str name)
{
    return (enum lw_bug_type)find(type_names, LW_TYPES + 1, name);
}

const char *lw_component_name(enum lw_component component)
{
    return component_names[component];
}

enum lw_component lw_component_find(struct lw_str name)
{
    return (enum lw_component)find(component_names, LW_COMPONENTS, name);
}
