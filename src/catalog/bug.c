#include "catalog/bug.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

#define AT(member) #member, offsetof(struct lw_bug, member)

const struct bug_field bug_fields[] = {
    {AT(id), BUG_IN_BUG, true, NULL, "bug", "id", true},
    {AT(title), BUG_IN_BUG, true, NULL, "bug", "title", true},
    {AT(source), BUG_IN_BUG, true, "source", NULL, NULL, false},
    {AT(type), BUG_IN_BUG, true, "type", "bug", "type", true},
    {AT(leaf), BUG_IN_BUG, true, "leaf", "bug", "leaf", true},
    {AT(category), BUG_IN_BUG, true, "category", "bug", "category", true},
    {AT(symptom), BUG_IN_BUG, true, "symptom", "bug", "symptom", true},
    {AT(property), BUG_IN_BUG, true, "property", "bug", "property", true},
    {AT(framework), BUG_IN_BUG, true, "framework", "framework", "name", true},
    {AT(framework_version), BUG_IN_ENVIRONMENT, true, NULL, "framework", "version", false},
    {AT(python_version), BUG_IN_ENVIRONMENT, true, NULL, "framework", "python", false},
    {AT(modules), BUG_IN_ENVIRONMENT, true, NULL, "framework", "modules", true},
    {AT(origin_url), BUG_IN_BUG, true, NULL, "bug", "origin_url", false},
    {AT(fix_url), BUG_IN_BUG, true, NULL, "bug", "fix_url", false},
    {AT(description), BUG_IN_BUG, false, NULL, "bug", "description", true},
    {AT(root_cause), BUG_IN_BUG, false, NULL, "bug", "root_cause", true},
    {AT(generality), BUG_IN_BUG, false, NULL, "bug", "generality", true},
    {AT(fix_pattern), BUG_IN_BUG, false, "fix_pattern", "bug", "fix_pattern", true},
    {AT(error_message), BUG_IN_BUG, false, NULL, "bug", "error", false},
    {AT(report), BUG_IN_BUG, false, NULL, NULL, NULL, false},
    {AT(requirements), BUG_IN_ENVIRONMENT, false, NULL, NULL, NULL, false},
    {AT(command), BUG_IN_ENVIRONMENT, false, NULL, "run", "command", true},
    {AT(test), BUG_IN_ENVIRONMENT, false, NULL, "run", "test", true},
    {AT(exception), BUG_IN_BUG, false, NULL, "expect", "exception", false},
    {AT(message), BUG_IN_BUG, false, NULL, "expect", "message", false},
    {AT(metric), BUG_IN_BUG, false, NULL, "expect", "metric", false},
    {AT(git_url), BUG_IN_BUG, false, NULL, "git", "url", false},
    {AT(retracted), BUG_IN_BUG, false, NULL, NULL, NULL, false},
};
const size_t bug_field_count = sizeof bug_fields / sizeof *bug_fields;

const struct bug_field *bug_field_find(struct lw_str name)
{
    for (size_t i = 0; i < bug_field_count; i++)
        if (lw_str_eq(name, lw_str(bug_fields[i].name)))
            return &bug_fields[i];
    return NULL;
}

const char *lw_side_name(enum lw_side side)
{
    return side == LW_BUGGY ? "buggy" : "fixed";
}

bool lw_range_parse(struct lw_str text, struct lw_range *range)
{
    text = lw_str_trim(text);
    *range = (struct lw_range){0};
    if (lw_str_eq_nocase(text, LW_S("nan"))) {
        range->is_nan = true;
        return true;
    }
    ptrdiff_t dots = lw_str_find(text, LW_S(".."));
    if (dots == LW_NPOS)
        return false;
    /* "0...5" means 0. to .5; the later pair of dots would too, so any reading agrees. */
    struct lw_str low = lw_str_trim(lw_str_part(text, 0, (size_t)dots));
    struct lw_str high = lw_str_trim(lw_str_from(text, (size_t)dots + 2));
    return lw_parse_double(low, &range->low) && lw_parse_double(high, &range->high) &&
           range->low <= range->high;
}

bool lw_range_holds(const struct lw_range *range, double value)
{
    if (range->is_nan || isnan(value))
        return range->is_nan && isnan(value);
    return value >= range->low && value <= range->high;
}

bool lw_range_apart(const struct lw_range *a, const struct lw_range *b)
{
    if (a->is_nan || b->is_nan)
        return a->is_nan != b->is_nan;
    return a->high < b->low || b->high < a->low;
}

struct lw_str lw_range_print(struct lw_arena *arena, const struct lw_range *range)
{
    char low[LW_DOUBLE_TEXT], high[LW_DOUBLE_TEXT];
    if (range->is_nan)
        return LW_S("nan");
    return lw_arena_printf(arena, "%s..%s", lw_print_double(range->low, low),
                           lw_print_double(range->high, high));
}

static bool is_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool lw_bug_id_ok(struct lw_str id)
{
    if (id.n == 0 || id.n > 100 || !is_alnum(id.p[0]))
        return false;
    for (size_t i = 0; i < id.n; i++)
        if (!is_alnum(id.p[i]) && !memchr("._-", id.p[i], 3))
            return false;
    return true;
}
