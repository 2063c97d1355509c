/* Which rules run, and which events each of them sees. */
#include "base/err.h"
#include "base/str.h"
#include "check/rules/rule_tables.h"
#include "check/rules/table.h"
#include "check/rules/watch.h"

/* One table per file of rules; the build lists them. Their order is that in which they see an
 * event. */
#define RULE_TABLE(name) extern const struct ck_rule name[];
RULE_TABLES(RULE_TABLE)
#undef RULE_TABLE

static const struct ck_rule *const all_rules[] = {
#define RULE_TABLE(name) name,
    RULE_TABLES(RULE_TABLE)
#undef RULE_TABLE
};

/* Is `id` or its category in the list? */
static bool is_listed(struct lw_str list, struct lw_str id)
{
    struct lw_str piece;
    ptrdiff_t slash = lw_str_find_char(id, '/');
    struct lw_str category = slash < 0 ? id : lw_str_part(id, 0, (size_t)slash);
    while (lw_str_split(&list, ',', &piece)) {
        piece = lw_str_trim(piece);
        if (lw_str_eq(piece, id) || lw_str_eq(piece, category) || lw_str_eq(piece, LW_S("all")))
            return true;
    }
    return false;
}

bool watch_wants(const struct watch_plan *p, struct lw_str id)
{
    const struct lw_check_rule *info = lw_check_rule_find(p->rules, id);
    if (is_listed(p->options->ignore, id))
        return false;
    if (p->options->select.n)
        return is_listed(p->options->select, id);
    return !info || !info->off;
}

/* Does the rule report anything that was asked for, or take notes for others? */
static bool is_needed(const struct watch_plan *p, const struct ck_rule *r)
{
    struct lw_str ids = lw_str(r->ids ? r->ids : "*"), piece;
    while (lw_str_split(&ids, ' ', &piece))
        if (lw_str_eq(piece, LW_S("*")) || watch_wants(p, piece))
            return true;
    return false;
}

/* Rows of a file's table. */
static bool is_row(const struct ck_rule *r)
{
    return r->ids || r->events;
}

static bool has_id(const struct ck_rule *r, struct lw_str id)
{
    struct lw_str ids = lw_str(r->ids ? r->ids : ""), piece;
    while (lw_str_split(&ids, ' ', &piece))
        if (lw_str_eq(piece, id))
            return true;
    return false;
}

fix_maker *watch_fix_of(struct lw_str id)
{
    for (size_t k = 0; k < sizeof all_rules / sizeof *all_rules; k++)
        for (const struct ck_rule *r = all_rules[k]; is_row(r); r++)
            if (r->fix && has_id(r, id))
                return r->fix;
    return NULL;
}

bool lw_check_rule_has_fix(struct lw_str id)
{
    return watch_fix_of(id) != NULL;
}

/* There are far more events than rules that ask for one of them. */
void watch_plan_init(struct watch_plan *p, const struct lw_check_rules *rules,
                     const struct lw_check_options *options)
{
    *p = (struct watch_plan){.rules = rules, .options = options};
    size_t n = 0;
    for (unsigned bit = 0; bit < WATCH_EVENTS; bit++) {
        p->begins[bit] = (uint16_t)n;
        for (size_t k = 0; k < sizeof all_rules / sizeof *all_rules; k++)
            for (const struct ck_rule *r = all_rules[k]; is_row(r); r++)
                if (r->events & UINT64_C(1) << bit && is_needed(p, r)) {
                    LW_BUG_ON(n >= WATCH_MOST);
                    p->watchers[n++] = r;
                }
    }
    p->begins[WATCH_EVENTS] = (uint16_t)n;
    for (unsigned bit = 0; bit < WATCH_EVENTS; bit++)
        LW_BUG_ON(p->begins[bit + 1] - p->begins[bit] > CALLEES_MOST);
}
