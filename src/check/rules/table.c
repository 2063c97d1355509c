/* The tables of rules: data/rules/, one section per rule, and data/ranges.ini. */
#include "check/rules/table.h"

#include <stdio.h>

#include "base/err.h"
#include "base/ini.h"
#include "base/str.h"
#include "check/engine/evidence.h"
#include "check/query/roles.h"
#include "check/rules/ranges.h"
#include "check/types.h"
#include "knowledge/embedded.h"

enum { MAX_EVIDENCE = 64 };

/* Cuts the next question off "call a, call b and call c"; `and_next`: "and" stood behind it. */
static struct lw_str next_question(struct lw_str *rest, bool *and_next)
{
    ptrdiff_t comma = lw_str_find_char(*rest, ','), and = lw_str_find(*rest, LW_S(" and "));
    *and_next = and >= 0 && (comma < 0 || and < comma);
    size_t end = *and_next ? (size_t) and : comma < 0 ? rest->n : (size_t)comma;
    struct lw_str question = lw_str_trim(lw_str_part(*rest, 0, end));
    *rest = lw_str_from(*rest, end + (*and_next ? 5 : 1));
    return question;
}

/* A list that ends with a question that is NULL; in the arena. */
static int take_evidence(const struct lw_check_evidence **out, struct lw_arena *arena,
                         const struct lw_ini *ini, const struct lw_ini_entry *e,
                         struct lw_err *err)
{
    struct lw_check_evidence list[MAX_EVIDENCE + 1] = {0};
    struct lw_str rest = e->value;
    size_t n = 0;
    while (rest.n) {
        struct lw_str question = next_question(&rest, &list[n].and_next);
        if (n == MAX_EVIDENCE || !evidence_is_question(question))
            return lw_ini_error(ini, e, err, "'%.*s' is not evidence, or there is too much",
                                LW_F(question));
        struct lw_str own = lw_arena_copy(arena, question);
        if (!own.p)
            return lw_err_nomem(err);
        list[n++].question = own.p;
    }
    struct lw_check_evidence *kept = lw_arena_array(arena, n + 1, sizeof *kept);
    if (!kept)
        return lw_err_nomem(err);
    memcpy(kept, list, (n + 1) * sizeof *kept);
    *out = kept;
    return 0;
}

static int take_key(struct lw_check_rules *rules, struct lw_check_rule *r,
                    const struct lw_ini *ini, const struct lw_ini_entry *e, struct lw_err *err)
{
    static const struct {
        const char *key;
        size_t at;
    } texts[] = {{"title", offsetof(struct lw_check_rule, title)},
                 {"why", offsetof(struct lw_check_rule, why)},
                 {"source", offsetof(struct lw_check_rule, source)}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lw_str_eq(e->key, lw_str(texts[i].key))) {
            memcpy((char *)r + texts[i].at, &e->value, sizeof e->value);
            return 0;
        }
    if (lw_str_eq(e->key, LW_S("excused by")))
        return take_evidence(&r->excused_by, &rules->arena, ini, e, err);
    if (lw_str_eq(e->key, LW_S("only with")))
        return take_evidence(&r->only_with, &rules->arena, ini, e, err);
    if (lw_str_eq(e->key, LW_S("bad")) || lw_str_eq(e->key, LW_S("good")))
        return 0; /* of its page */
    if (lw_str_eq(e->key, LW_S("severity"))) {
        if (lw_severity_parse(e->value, &r->severity))
            return 0;
    } else if (lw_str_eq(e->key, LW_S("default"))) {
        r->off = lw_str_eq(e->value, LW_S("off"));
        return 0;
    }
    return lw_ini_error(ini, e, err, "not a key of a rule, or not one of its values");
}

static int load_file(struct lw_check_rules *r, struct lw_str name, struct lw_str text,
                     struct lw_err *err)
{
    struct lw_ini ini;
    int rc = lw_ini_parse(&ini, &r->arena, name, text, err);
    for (size_t i = 0; rc == 0 && i < ini.n; i++) {
        const struct lw_ini_entry *e = &ini.entries[i];
        bool is_new;
        struct lw_map_entry *m = lw_map_put(&r->by_id, e->section, &is_new);
        if (!m)
            return lw_err_nomem(err);
        if (is_new) {
            ptrdiff_t slash = lw_str_find_char(e->section, '/');
            struct lw_check_rule rule = {.id = e->section};
            if (slash < 0)
                return lw_ini_error(&ini, e, err, "a rule is named category/name");
            rule.category = lw_str_part(e->section, 0, (size_t)slash);
            m->value = r->v.n;
            if (lw_vec_push(r->mem, &r->v, rule) < 0)
                return lw_err_nomem(err);
        }
        rc = take_key(r, &r->v.v[m->value], &ini, e, err);
    }
    return rc;
}

static int load_ranges(struct lw_check_rules *r, struct lw_err *err)
{
    static const struct lw_str path = {"data/ranges.ini", 15};
    struct lw_str text;
    r->ranges = lw_arena_alloc(&r->arena, sizeof *r->ranges);
    if (!r->ranges)
        return lw_err_nomem(err);
    if (!lw_embedded_find(path, &text))
        return lw_err_set(err, LW_EINVAL, "%s is not there", path.p);
    return lw_check_ranges_parse(r->ranges, r, path, text, err);
}

static int load_roles(struct lw_check_rules *r, struct lw_err *err)
{
    r->roles = lw_arena_alloc(&r->arena, sizeof *r->roles);
    return r->roles ? roles_load(r->roles, &r->arena, r->mem, err) : lw_err_nomem(err);
}

static int take_profile(struct lw_check_rules *r, const struct lw_ini *ini,
                        const struct lw_ini_entry *e, struct lw_err *err)
{
    struct lw_check_profile one = {.name = e->section};
    if (!r->profiles.n || !lw_str_eq(r->profiles.v[r->profiles.n - 1].name, e->section))
        if (lw_vec_push(r->mem, &r->profiles, one) < 0)
            return lw_err_nomem(err);
    struct lw_check_profile *p = &r->profiles.v[r->profiles.n - 1];
    if (lw_str_eq(e->key, LW_S("title")))
        p->title = e->value;
    else if (lw_str_eq(e->key, LW_S("rules")))
        p->rules = e->value;
    else
        return lw_ini_error(ini, e, err, "not a key of a profile: title, rules");
    return 0;
}

static int load_profiles(struct lw_check_rules *r, struct lw_err *err)
{
    static const struct lw_str path = {"data/profiles.ini", 17};
    struct lw_str text;
    struct lw_ini ini;
    if (!lw_embedded_find(path, &text))
        return lw_err_set(err, LW_EINVAL, "%s is not there", path.p);
    int rc = lw_ini_parse(&ini, &r->arena, path, text, err);
    for (size_t i = 0; rc == 0 && i < ini.n; i++)
        rc = take_profile(r, &ini, &ini.entries[i], err);
    return rc;
}

int lw_check_profile_find(const struct lw_check_profile **out, const struct lw_check_rules *r,
                          struct lw_str name, struct lw_err *err)
{
    char names[256];
    size_t n = 0;
    for (size_t i = 0; i < r->profiles.n; i++) {
        const struct lw_check_profile *p = &r->profiles.v[i];
        if (lw_str_eq(p->name, name)) {
            *out = p;
            return 0;
        }
        int more =
            snprintf(names + n, sizeof names - n, "%s%.*s", n ? ", " : "", LW_F(p->name));
        n = more > 0 && n + (size_t)more < sizeof names ? n + (size_t)more : n;
    }
    return lw_err_set(err, LW_EINVAL, "no profile '%.*s'; choose one of: %s", LW_F(name),
                      names);
}

int lw_check_rules_load(struct lw_check_rules *r, struct lw_mem *mem, struct lw_err *err)
{
    static const struct lw_str folder = {"data/rules/", 11};
    struct lw_str path, content;
    *r = (struct lw_check_rules){.mem = mem};
    lw_arena_init(&r->arena, mem, 0);
    lw_map_init(&r->by_id, mem);
    int rc = 0;
    for (size_t i = lw_embedded_first(folder);
         rc == 0 && lw_embedded_at(i, &path, &content) && lw_str_has_prefix(path, folder); i++)
        rc = load_file(r, path, content, err);
    if (rc == 0)
        rc = load_ranges(r, err);
    if (rc == 0)
        rc = load_roles(r, err);
    if (rc == 0)
        rc = load_profiles(r, err);
    if (rc < 0)
        lw_check_rules_release(r);
    return rc;
}

struct lw_str lw_check_rule_page(const struct lw_check_rule *r)
{
    char path[128];
    struct lw_str page, name = {path, 0};
    int n = snprintf(path, sizeof path, "docs/rules/%.*s.md", LW_F(r->id));
    name.n = n > 0 && (size_t)n < sizeof path ? (size_t)n : 0;
    return lw_embedded_find(name, &page) ? page : (struct lw_str){0};
}

struct lw_str lw_check_rule_example(const struct lw_check_rule *r, bool wrong)
{
    static const struct lw_str fence = {"```", 3};
    struct lw_str page = lw_check_rule_page(r);
    ptrdiff_t at = lw_str_find(page, wrong ? LW_S("\nWrong:\n") : LW_S("\nRight:\n"));
    page = at < 0 ? (struct lw_str){0} : lw_str_from(page, (size_t)at);
    at = lw_str_find(page, fence);
    page = at < 0 ? (struct lw_str){0} : lw_str_from(page, (size_t)at);
    struct lw_str line; /* the fence and its language */
    if (!lw_str_line(&page, &line))
        return (struct lw_str){0};
    at = lw_str_find(page, fence);
    return at < 0 ? (struct lw_str){0} : lw_str_part(page, 0, (size_t)at);
}

void lw_check_rules_release(struct lw_check_rules *r)
{
    if (r->roles)
        roles_release(r->roles, r->mem);
    lw_vec_release(r->mem, &r->profiles);
    lw_vec_release(r->mem, &r->v);
    lw_map_release(&r->by_id);
    lw_arena_release(&r->arena);
}

const struct lw_check_rule *lw_check_rule_find(const struct lw_check_rules *r, struct lw_str id)
{
    const struct lw_map_entry *e = lw_map_find(&r->by_id, id);
    return e ? &r->v.v[e->value] : NULL;
}
