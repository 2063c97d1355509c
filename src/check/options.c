/* Options of a check: versions and lists of rules. */
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "check/check.h"

static bool parse_version(struct lw_str text, struct lw_check_version *v)
{
    struct lw_str part;
    uint64_t n;
    *v = (struct lw_check_version){-1, -1};
    for (int i = 0; i < 2 && lw_str_split(&text, '.', &part); i++) {
        if (!lw_parse_u64(part, &n) || n > 9999)
            return false;
        *(i == 0 ? &v->major : &v->minor) = (int)n;
    }
    return v->major >= 0;
}

int lw_check_target_parse(struct lw_check_target *t, struct lw_str text, struct lw_err *err)
{
    struct lw_str piece, rest = text;
    while (lw_str_split(&rest, ',', &piece)) {
        piece = lw_str_trim(piece);
        ptrdiff_t eq = lw_str_find_char(piece, '=');
        struct lw_str name = lw_str_part(piece, 0, eq < 0 ? 0 : (size_t)eq);
        struct lw_check_version *v = lw_str_eq(name, LW_S("tensorflow")) ? &t->tensorflow
                                     : lw_str_eq(name, LW_S("keras"))    ? &t->keras
                                     : lw_str_eq(name, LW_S("torch"))    ? &t->torch
                                     : lw_str_eq(name, LW_S("numpy"))    ? &t->numpy
                                                                         : NULL;
        struct lw_str version = lw_str_from(piece, (size_t)eq + 1);
        if (lw_str_has_prefix(version, LW_S("="))) /* as pip writes it */
            version = lw_str_from(version, 1);
        if (!v || !parse_version(version, v))
            return lw_err_set(err, LW_EINVAL,
                              "'%.*s' is not a target; write it like tensorflow=2.0,torch=1.13 "
                              "(tensorflow, keras, torch, numpy)",
                              LW_F(piece));
        t->given = true;
    }
    return 0;
}

/* A rule that is named without its category, or whose name only begins so. */
static struct lw_str find_part(const struct lw_check_rules *r, struct lw_str piece)
{
    struct lw_str begins = {0};
    for (size_t i = 0; i < r->v.n && piece.n > 2; i++) {
        struct lw_str id = r->v.v[i].id;
        struct lw_str name = lw_str_from(id, r->v.v[i].category.n + 1);
        if (lw_str_eq(name, piece))
            return id;
        if (!begins.n && (lw_str_has_prefix(id, piece) || lw_str_has_prefix(name, piece)))
            begins = id;
    }
    return begins;
}

static int check_list(struct lw_str list, const struct lw_check_rules *r, struct lw_err *err)
{
    struct lw_str piece;
    while (lw_str_split(&list, ',', &piece)) {
        piece = lw_str_trim(piece);
        if (piece.n == 0 || lw_str_eq(piece, LW_S("all")) || lw_check_rule_find(r, piece))
            continue;
        bool category = false;
        struct lw_str near = {0};
        size_t best = lw_str_typo_limit(piece) + 1;
        for (size_t i = 0; i < r->v.n; i++) {
            category |= lw_str_eq(r->v.v[i].category, piece);
            struct lw_str names[] = {r->v.v[i].category, r->v.v[i].id};
            for (size_t k = 0; k < 2; k++) {
                size_t d = lw_str_distance(piece, names[k], best);
                if (d >= best)
                    continue;
                best = d;
                near = names[k];
            }
        }
        if (category)
            continue;
        if (!near.n)
            near = find_part(r, piece);
        if (near.n)
            return lw_err_set(err, LW_EINVAL,
                              "there is no rule or category '%.*s'; did you mean '%.*s'?",
                              LW_F(piece), LW_F(near));
        return lw_err_set(err, LW_EINVAL,
                          "there is no rule or category '%.*s'; see --list-rules", LW_F(piece));
    }
    return 0;
}

int lw_check_options_check(const struct lw_check_options *o, const struct lw_check_rules *r,
                           struct lw_err *err)
{
    int rc = check_list(o->select, r, err);
    return rc < 0 ? rc : check_list(o->ignore, r, err);
}
