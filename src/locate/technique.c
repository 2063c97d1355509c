#include "locate/technique.h"

#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"

extern const struct lw_technique lw_technique_blia;
extern const struct lw_technique lw_technique_bluir;
extern const struct lw_technique lw_technique_bm25;
extern const struct lw_technique lw_technique_buglocator;
extern const struct lw_technique lw_technique_lacewing;

const struct lw_technique *const lw_techniques[] = {
    &lw_technique_bm25, &lw_technique_buglocator, &lw_technique_bluir,
    &lw_technique_blia, &lw_technique_lacewing,   NULL,
};

const struct lw_technique *lw_technique_find(struct lw_str name)
{
    for (size_t i = 0; lw_techniques[i]; i++)
        if (lw_str_eq(lw_str(lw_techniques[i]->name), name))
            return lw_techniques[i];
    return NULL;
}

void lw_setup_init(struct lw_setup *setup, const struct lw_technique *technique)
{
    memset(setup, 0, sizeof *setup);
    setup->technique = technique;
    for (size_t i = 0; technique->parameters && technique->parameters[i].name; i++)
        setup->values[i] = technique->parameters[i].value;
}

static size_t parameter_of(const struct lw_technique *t, struct lw_str name)
{
    for (size_t i = 0; t->parameters && t->parameters[i].name; i++)
        if (lw_str_eq(lw_str(t->parameters[i].name), name))
            return i;
    return SIZE_MAX;
}

int lw_setup_set(struct lw_setup *setup, struct lw_str assignment, struct lw_err *err)
{
    const struct lw_technique *t = setup->technique;
    ptrdiff_t equals = lw_str_find_char(assignment, '=');
    struct lw_str name = lw_str_part(assignment, 0, equals < 0 ? assignment.n : (size_t)equals);
    size_t i = parameter_of(t, name);
    double value;
    if (i == SIZE_MAX)
        return lw_err_set(err, LW_EINVAL, "technique %s has no parameter '%.*s'", t->name,
                          LW_F(name));
    const struct lw_parameter *p = &t->parameters[i];
    if (equals < 0 || !lw_parse_double(lw_str_from(assignment, (size_t)equals + 1), &value) ||
        !(value >= p->least && value <= p->most))
        return lw_err_set(err, LW_EINVAL, "%s of %s must be a number from %g to %g", p->name,
                          t->name, p->least, p->most);
    setup->values[i] = value;
    return 0;
}

double lw_setup_value(const struct lw_setup *setup, const char *name)
{
    size_t i = parameter_of(setup->technique, lw_str(name));
    LW_BUG_ON(i == SIZE_MAX);
    return setup->values[i];
}
