/* Showing entries to people, counting them, and checking that all can be understood. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"

static void print_versions(struct lw_sink *out, struct lw_str added, struct lw_str deprecated,
                           struct lw_str removed)
{
    if (added.n)
        lw_putf(out, ", since %.*s", LW_F(added));
    if (deprecated.n)
        lw_putf(out, ", deprecated in %.*s", LW_F(deprecated));
    if (removed.n)
        lw_putf(out, ", removed in %.*s", LW_F(removed));
}

static void print_params(struct lw_apis *apis, const struct lw_api_part *part,
                         struct lw_sink *out)
{
    struct lw_buf b;
    for (uint32_t i = 0; i < part->param_count; i++) {
        const struct lw_api_param *p = &part->params[i];
        lw_putf(out, "    %s%.*s", p->variadic ? "*" : p->keywords ? "**" : "", LW_F(p->name));
        if (!p->required && !p->variadic && !p->keywords) {
            lw_buf_init(&b, apis->mem, 0);
            lw_v_print(apis->dims, p->initial, &b);
            lw_putf(out, " = %s", lw_buf_z(&b));
            lw_buf_release(&b);
        }
        for (uint32_t k = 0; k < p->choice_count; k++)
            lw_putf(out, "%s%.*s", k ? " | " : "  one of ", LW_F(p->choices[k]));
        if (p->choice_kind.n)
            lw_putf(out, "  (%.*s)", LW_F(p->choice_kind));
        for (uint32_t k = 0; k < p->old_count; k++) {
            lw_putf(out, "  [also %.*s", LW_F(p->old[k].name));
            print_versions(out, (struct lw_str){NULL, 0}, p->old[k].deprecated,
                           p->old[k].removed);
            lw_put_char(out, ']');
        }
        print_versions(out, p->added, p->deprecated, p->removed);
        lw_put_char(out, '\n');
    }
}

static void print_names(const struct lw_api *api, struct lw_sink *out)
{
    struct lw_str rest = api->names, word, name, added, deprecated, removed;
    bool first = true;
    while (lw_str_split(&rest, ' ', &word)) {
        api_split_versions(word, &name, &added, &deprecated, &removed);
        if (!name.n)
            continue;
        if (!first) {
            if (name.p[0] == '@')
                lw_putf(out, "  as text: %.*s", LW_F(lw_str_from(name, 1)));
            else
                lw_putf(out, "  also %.*s", LW_F(name));
            print_versions(out, added, deprecated, removed);
            lw_put_char(out, '\n');
        }
        first = false;
    }
}

static void print_entry(struct lw_apis *apis, const struct lw_api *api, struct lw_str body,
                        struct lw_sink *out)
{
    lw_putf(out, "%.*s (%s)", LW_F(api->name), lw_api_kind_name(api->kind));
    print_versions(out, api->added, api->deprecated, api->removed);
    lw_put_char(out, '\n');
    print_names(api, out);
    if (api->base.n)
        lw_putf(out, "  derived from %.*s\n", LW_F(api->base));
    if (api->instead.n)
        lw_putf(out, "  use instead: %.*s\n", LW_F(api->instead));
    static const char *const titles[2] = {"parameters", "when called"};
    for (int side = 0; side < 2; side++) {
        if (!api->side[side].present)
            continue;
        lw_putf(out, "  %s\n", titles[side]);
        print_params(apis, &api->side[side], out);
    }
    lw_putf(out, "  rules (%.*s:%u)\n", LW_F(api->file), api->line);
    struct lw_str text;
    uint32_t line = 0;
    while (api_next_statement(&body, &text, &line))
        if (text.p[0] != '(')
            lw_putf(out, "    %.*s\n", LW_F(text));
}

int lw_api_print(struct lw_apis *apis, struct lw_str name, struct lw_sink *out,
                 struct lw_err *err)
{
    const struct lw_api *api = lw_api_find(apis, name, NULL);
    if (api) {
        struct lw_map_entry *e = lw_map_find(&apis->names, api->name);
        print_entry(apis, api, apis->entries.v[e->value].body, out);
        return 0;
    }
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    struct lw_str member = dot < 0 ? name : lw_str_from(name, (size_t)dot + 1);
    struct lw_str near = {NULL, 0}, prefix = lw_str_part(name, 0, dot < 0 ? 0 : (size_t)dot);
    if (dot > 0)
        near = lw_api_nearest(apis, prefix, member);
    if (near.n)
        return lw_err_set(err, LW_ENOENT, "no entry '%.*s'; did you mean '%.*s.%.*s'?",
                          LW_F(name), LW_F(prefix), LW_F(near));
    for (size_t i = 0; i < apis->names.n; i++) { /* the same last part elsewhere */
        struct lw_str key = apis->names.entries[i].key;
        if (key.n > member.n && key.p[0] != '@' && lw_str_has_suffix(key, member) &&
            key.p[key.n - member.n - 1] == '.')
            return lw_err_set(err, LW_ENOENT, "no entry '%.*s'; did you mean '%.*s'?",
                              LW_F(name), LW_F(key));
    }
    return lw_err_set(err, LW_ENOENT, "no entry '%.*s'", LW_F(name));
}

/* ---- Coverage ---------------------------------------------------------------------------- */

struct tally {
    struct lw_str package;
    uint32_t kinds[LW_API_KIND_COUNT], names, rules;
};

static bool has_rules(const struct lw_api *api)
{
    return api->side[0].rules->n || api->side[1].rules->n || api->value.n;
}

static struct tally *tally_of(struct tally *all, size_t *n, struct lw_str package)
{
    for (size_t i = 0; i < *n; i++)
        if (lw_str_eq(all[i].package, package))
            return &all[i];
    if (*n >= 32)
        return &all[31];
    all[*n].package = package;
    return &all[(*n)++];
}

int lw_api_print_coverage(struct lw_apis *apis, struct lw_sink *out, struct lw_err *err)
{
    struct tally all[32] = {0};
    size_t n = 0;
    for (size_t i = 0; i < apis->entries.n; i++) {
        const struct lw_api *api = api_get(apis, i, err);
        if (!api)
            return err->code;
        struct tally *t = tally_of(all, &n, api->package);
        t->kinds[api->kind]++;
        t->rules += has_rules(api);
        struct lw_str rest = api->names, word;
        while (lw_str_split(&rest, ' ', &word))
            t->names += word.n && word.p[0] != '@';
    }
    lw_putf(out, "%zu entries, %zu names, %zu families, %zu prefixes\n", apis->entries.n,
            apis->names.n, apis->family_entries.n, apis->aliases.n);
    for (size_t i = 0; i < n; i++) {
        lw_putf(out, "%.*s: %u names, %u entries with rules;", LW_F(all[i].package),
                all[i].names, all[i].rules);
        for (int k = 0; k < LW_API_KIND_COUNT; k++)
            if (all[i].kinds[k])
                lw_putf(out, " %s %u", lw_api_kind_name((enum lw_api_kind)k), all[i].kinds[k]);
        lw_put_char(out, '\n');
    }
    return 0;
}

/* ---- Checking the tables ----------------------------------------------------------------- */

/* Names that the expressions of an entry may use. */
struct known {
    struct lw_str v[RULE_MAX_NAMES];
    size_t n;
};

static void know(struct known *k, struct lw_str name)
{
    if (k->n < RULE_MAX_NAMES)
        k->v[k->n++] = name;
}

static bool resolves(const struct known *k, const struct rule_expr *e, struct lw_str *missing)
{
    struct lw_value v;
    if (!e)
        return true;
    if (e->op == RULE_NAME) {
        for (size_t i = 0; i < k->n; i++)
            if (lw_str_eq(k->v[i], e->text))
                return true;
        *missing = e->text;
        return rule_constant(e->text, &v);
    }
    if (!resolves(k, e->a, missing) || !resolves(k, e->b, missing) ||
        !resolves(k, e->c, missing))
        return false;
    for (uint32_t i = 0; i < e->n; i++)
        if (!resolves(k, e->items[i], missing))
            return false;
    return true;
}

static int check_part(struct lw_apis *apis, struct known *k, const struct lw_rule_part *part,
                      int depth, struct lw_err *err)
{
    struct lw_str missing = {NULL, 0};
    for (uint32_t i = 0; i < part->n; i++) {
        const struct rule_statement *s = &part->statements[i];
        bool ok = resolves(k, s->expr, &missing);
        for (uint32_t m = 0; ok && m < s->piece_count; m++)
            ok = resolves(k, s->message[m].expr, &missing);
        for (uint32_t m = 0; ok && m < s->n; m++)
            ok = resolves(k, s->items[m], &missing);
        if (!ok)
            return lw_err_set(err, LW_EINVAL, "line %u: '%.*s' is not defined", s->line,
                              LW_F(missing));
        if (s->kind == RULE_LET)
            know(k, s->name);
        if (s->kind != RULE_IS)
            continue;
        const struct rule_family *f = api_family(apis, s->family, err);
        if (!f)
            return err->code ? err->code : LW_EINVAL;
        if (f->formal_count != s->n)
            return lw_err_set(err, LW_EINVAL, "line %u: family '%.*s' takes %u arguments",
                              s->line, LW_F(s->family), f->formal_count);
        for (uint32_t m = 0; m < f->formal_count; m++)
            know(k, f->formals[m]);
        int rc = depth > 0 ? check_part(apis, k, &f->part, depth - 1, err) : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int check_entry(struct lw_apis *apis, const struct lw_api *api, struct lw_err *err)
{
    struct known k = {.n = 0};
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < api->side[side].param_count; i++)
            know(&k, api->side[side].params[i].name);
        int rc = check_part(apis, &k, api->side[side].rules, 8, err);
        if (rc < 0)
            return rc;
    }
    if (api->base.n && !lw_api_find(apis, api->base, NULL))
        return lw_err_set(err, LW_EINVAL, "base '%.*s' has no entry", LW_F(api->base));
    return 0;
}

int lw_apis_check(struct lw_apis *apis, struct lw_err *err)
{
    for (size_t i = 0; i < apis->entries.n; i++) {
        const struct lw_api *api = api_get(apis, i, err);
        int rc = api ? check_entry(apis, api, err) : err->code;
        if (rc < 0)
            return api ? lw_err_context(err, "%.*s:%u: %.*s", LW_F(api->file), api->line,
                                        LW_F(api->name))
                       : rc;
    }
    return 0;
}
