#include "check/rules/ranges.h"

#include <math.h>

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "check/rules/table.h"

static const double NEVER = 1e6; /* who sets more turns the thing off */

static int take_kind(struct lw_check_range *r, const struct lw_ini *ini,
                     const struct lw_ini_entry *e, struct lw_err *err)
{
    for (int i = 0; i < LW_API_KIND_COUNT; i++)
        if (lw_str_eq(e->value, lw_str(lw_api_kind_name((enum lw_api_kind)i)))) {
            r->kind = i;
            return 0;
        }
    return lw_ini_error(ini, e, err, "'%.*s' is not a kind of entry", LW_F(e->value));
}

/* "keras.*" and the like. */
static int take_name(struct lw_check_range *r, const struct lw_ini *ini,
                     const struct lw_ini_entry *e, struct lw_err *err)
{
    ptrdiff_t star = lw_str_find_char(e->value, '*');
    if (star < 0)
        return lw_ini_error(ini, e, err, "a name needs a '*'");
    r->begins = lw_str_part(e->value, 0, (size_t)star);
    r->ends = lw_str_from(e->value, (size_t)star + 1);
    return 0;
}

static int take_bound(struct lw_check_range *r, const struct lw_ini *ini,
                      const struct lw_ini_entry *e, struct lw_err *err)
{
    if (!isnan(r->bound))
        return lw_ini_error(ini, e, err, "there is a bound already");
    if (!lw_parse_double(e->value, &r->bound) || !isfinite(r->bound))
        return lw_ini_error(ini, e, err, "'%.*s' is not a number", LW_F(e->value));
    r->below = lw_str_eq(e->key, LW_S("wrong-below"));
    return 0;
}

static int take_key(struct lw_check_range *r, const struct lw_ini *ini,
                    const struct lw_ini_entry *e, struct lw_err *err)
{
    const struct {
        const char *key;
        struct lw_str *text;
    } texts[] = {{"role", &r->role},
                 {"setting", &r->setting},
                 {"rule", &r->rule},
                 {"effect", &r->effect},
                 {"source", &r->source}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lw_str_eq(e->key, lw_str(texts[i].key))) {
            *texts[i].text = e->value;
            return 0;
        }
    if (lw_str_eq(e->key, LW_S("kind")))
        return take_kind(r, ini, e, err);
    if (lw_str_eq(e->key, LW_S("name")))
        return take_name(r, ini, e, err);
    if (lw_str_eq(e->key, LW_S("wrong-from")) || lw_str_eq(e->key, LW_S("wrong-below")))
        return take_bound(r, ini, e, err);
    return lw_ini_error(ini, e, err, "not a key of a range");
}

/* Is everything there? `e` is the last entry of its section. */
static int check_whole(const struct lw_check_range *r, const struct lw_check_rules *rules,
                       const struct lw_ini *ini, const struct lw_ini_entry *e,
                       struct lw_err *err)
{
    const char *what = r->kind < 0 && !r->role.n && !r->begins.n && !r->ends.n
                           ? "kind, role or name"
                       : !r->setting.n   ? "setting"
                       : isnan(r->bound) ? "wrong-from or wrong-below"
                       : !r->rule.n      ? "rule"
                       : !r->effect.n    ? "effect"
                       : !r->source.n    ? "source"
                                         : NULL;
    if (what)
        return lw_ini_error(ini, e, err, "[%.*s] ends without %s", LW_F(e->section), what);
    if (!lw_check_rule_find(rules, r->rule))
        return lw_ini_error(ini, e, err, "[%.*s]: there is no rule '%.*s'", LW_F(e->section),
                            LW_F(r->rule));
    return 0;
}

int lw_check_ranges_parse(struct lw_check_ranges *out, struct lw_check_rules *rules,
                          struct lw_str name, struct lw_str text, struct lw_err *err)
{
    struct lw_ini ini;
    int rc = lw_ini_parse(&ini, &rules->arena, name, text, err);
    *out = (struct lw_check_ranges){0};
    if (rc < 0 || ini.n == 0)
        return rc;
    out->v = lw_arena_array(&rules->arena, ini.n, sizeof *out->v);
    if (!out->v)
        return lw_err_nomem(err);
    for (size_t i = 0; rc == 0 && i < ini.n; i++) {
        const struct lw_ini_entry *e = &ini.entries[i];
        if (i == 0 || !lw_str_eq(e->section, e[-1].section))
            out->v[out->n++] = (struct lw_check_range){.kind = -1, .bound = NAN};
        rc = take_key(&out->v[out->n - 1], &ini, e, err);
        if (rc == 0 && (i + 1 == ini.n || !lw_str_eq(e->section, e[1].section)))
            rc = check_whole(&out->v[out->n - 1], rules, &ini, e, err);
    }
    return rc;
}

bool lw_check_range_is_of(const struct lw_check_range *r, const struct lw_api *api)
{
    return (r->kind < 0 || (int)api->kind == r->kind) &&
           lw_str_has_prefix(api->name, r->begins) && lw_str_has_suffix(api->name, r->ends) &&
           (!r->role.n || lw_str_eq(lw_api_fact(api, "role"), r->role));
}

bool lw_check_range_excludes(const struct lw_check_range *r, double x)
{
    return r->below ? x > 0 && x < r->bound : x >= r->bound && x <= NEVER;
}
