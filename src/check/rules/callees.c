/* Which rules look at which calls. */
#include "check/rules/callees.h"

#include "base/str.h"
#include "check/engine/text.h"

enum { MOST_NAMES = 1 << 14 }; /* remembered; a large corpus has some thousand */

void callees_init(struct watch_callees *w, struct lw_mem *mem)
{
    *w = (struct watch_callees){.mem = mem};
    for (int k = 0; k < 2 * CALLEES_KINDS; k++)
        lw_map_init(&w->names[k / CALLEES_KINDS][k % CALLEES_KINDS], mem);
    lw_arena_init(&w->arena, mem, 0);
}

void callees_release(struct watch_callees *w)
{
    for (int k = 0; k < 2 * CALLEES_KINDS; k++)
        lw_map_release(&w->names[k / CALLEES_KINDS][k % CALLEES_KINDS]);
    lw_vec_release(w->mem, &w->sets);
    lw_arena_release(&w->arena);
}

static void forget(struct watch_callees *w)
{
    for (int k = 0; k < 2 * CALLEES_KINDS; k++)
        lw_map_clear(&w->names[k / CALLEES_KINDS][k % CALLEES_KINDS]);
    w->sets.n = 0;
    lw_arena_clear(&w->arena);
}

/* "torch.load" is that name, ".load" any whose last part it is; where a star stands, more may
 * stand. */
static bool is_named(struct lw_str pattern, struct lw_str name)
{
    bool before = lw_str_has_prefix(pattern, LW_S("*"));
    bool behind = lw_str_has_suffix(pattern, LW_S("*"));
    struct lw_str text = lw_str_part(pattern, before, pattern.n - before - behind);
    if (text.n && text.p[0] == '.') {
        text = lw_str_from(text, 1);
        name = text_tail(name);
    }
    return before   ? lw_str_has_suffix(name, text)
           : behind ? lw_str_has_prefix(name, text)
                    : lw_str_eq(name, text);
}

static enum callees_kind kind_of(const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    if (!api)
        return CALLEES_OTHER;
    return api->kind == LW_API_LOSS        ? CALLEES_LOSS
           : api->kind == LW_API_OPTIMIZER ? CALLEES_OPTIMIZER
                                           : CALLEES_OTHER;
}

static bool is_wanted(const char *calls, struct lw_str name, enum callees_kind kind)
{
    static const char *const kinds[CALLEES_KINDS] = {[CALLEES_OTHER] = "@other",
                                                     [CALLEES_LOSS] = "@loss",
                                                     [CALLEES_OPTIMIZER] = "@optimizer"};
    struct lw_str all = lw_str(calls), pattern;
    if (!calls)
        return true;
    while (lw_str_split(&all, ' ', &pattern))
        if (text_is(pattern, kinds[kind]) || is_named(pattern, name))
            return true;
    return false;
}

static struct callees_set find_set(const struct ck_rule *const *rules, size_t n,
                                   struct lw_str name, enum callees_kind kind)
{
    struct callees_set set = {{0}};
    for (size_t i = 0; i < n; i++)
        if (is_wanted(rules[i]->calls, name, kind))
            set.bits[i / 64] |= UINT64_C(1) << i % 64;
    return set;
}

/* Without memory it is found out anew each time. */
static void remember(struct watch_callees *w, struct lw_map *names, struct lw_str name,
                     struct callees_set set)
{
    if (w->sets.n >= MOST_NAMES)
        forget(w);
    struct lw_str key = lw_arena_copy(&w->arena, name);
    struct lw_map_entry *e =
        key.p && lw_vec_push(w->mem, &w->sets, set) == 0 ? lw_map_put(names, key, NULL) : NULL;
    if (e)
        e->value = w->sets.n;
}

struct callees_set callees_wanted(struct watch_callees *w, const struct ck_rule *const *rules,
                                  size_t n, const struct ck_event *e)
{
    enum callees_kind kind = kind_of(e);
    struct lw_map *names = &w->names[e->kind == CK_EV_LAYER][kind];
    size_t known = (size_t)lw_map_get(names, e->call->name, 0);
    if (known)
        return w->sets.v[known - 1];
    struct callees_set set = find_set(rules, n, e->call->name, kind);
    remember(w, names, e->call->name, set);
    return set;
}
