/* Finding the entries: one quick pass over the tables for names, nothing else. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "knowledge/api_internal.h"
#include "knowledge/embedded.h"

static struct lw_str first_word(struct lw_str text, struct lw_str *rest)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != ' ')
        n++;
    *rest = lw_str_trim(lw_str_from(text, n));
    return lw_str_part(text, 0, n);
}

static size_t spelling_length(struct lw_str text)
{
    size_t n = 0;
    while (n < text.n && text.p[n] != '>' && text.p[n] != '~' && text.p[n] != '<')
        n++;
    return n;
}

static int add_name(struct lw_apis *apis, struct lw_str name, size_t index, struct lw_err *err)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&apis->names, name, &is_new);
    if (!e)
        return lw_err_nomem(err);
    if (!is_new)
        return lw_err_set(err, LW_EINVAL, "'%.*s' has two entries", LW_F(name));
    e->value = index;
    return 0;
}

static int add_entry(struct lw_apis *apis, const struct api_entry *entry, struct lw_err *err)
{
    struct lw_str rest = entry->names, word;
    if (lw_vec_push(apis->mem, &apis->entries, *entry) < 0)
        return lw_err_nomem(err);
    while (rest.n) {
        word = first_word(rest, &rest);
        int rc = add_name(apis, lw_str_part(word, 0, spelling_length(word)),
                          apis->entries.n - 1, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int add_family(struct lw_apis *apis, const struct api_entry *entry, struct lw_err *err)
{
    ptrdiff_t open = lw_str_find_char(entry->names, '(');
    if (open <= 0)
        return lw_err_set(err, LW_EINVAL, "expected family NAME(…)");
    struct lw_map_entry *e =
        lw_map_put(&apis->families, lw_str_part(entry->names, 0, (size_t)open), NULL);
    if (!e || lw_vec_push(apis->mem, &apis->family_entries, *entry) < 0)
        return lw_err_nomem(err);
    e->value = apis->family_entries.n - 1;
    return 0;
}

static int add_alias(struct lw_apis *apis, struct lw_str text, struct lw_err *err)
{
    struct api_alias alias;
    alias.from = first_word(text, &alias.to);
    if (!alias.from.n || !alias.to.n)
        return lw_err_set(err, LW_EINVAL, "expected alias FROM TO");
    return lw_vec_push(apis->mem, &apis->aliases, alias) < 0 ? lw_err_nomem(err) : 0;
}

static int add_group(struct lw_apis *apis, const struct api_entry *entry, struct lw_err *err)
{
    struct lw_map_entry *e = lw_map_put(&apis->groups, lw_str_trim(entry->names), NULL);
    if (!e || lw_vec_push(apis->mem, &apis->group_texts, lw_str_trim(entry->body)) < 0)
        return lw_err_nomem(err);
    e->value = apis->group_texts.n - 1;
    return 0;
}

static int add_section(struct lw_apis *apis, struct api_entry *entry, struct lw_err *err)
{
    struct lw_str rest, word = first_word(entry->names, &rest);
    if (lw_str_eq(word, LW_S("alias")))
        return add_alias(apis, rest, err);
    if (lw_str_eq(word, LW_S("family"))) {
        entry->names = rest;
        return add_family(apis, entry, err);
    }
    if (lw_str_eq(word, LW_S("group"))) {
        entry->names = rest;
        return add_group(apis, entry, err);
    }
    return add_entry(apis, entry, err);
}

/* One file: sections begin in column 0, their bodies are indented. */
static int scan(struct lw_apis *apis, struct lw_str file, struct lw_str text,
                struct lw_err *err)
{
    struct lw_str line, rest = text;
    struct api_entry entry = {.file = file};
    const char *body_end = NULL;
    uint32_t number = 0;
    int rc = 0;
    for (bool more = true; more && rc == 0;) {
        more = lw_str_line(&rest, &line);
        number++;
        bool inside = more && line.n && (line.p[0] == ' ' || line.p[0] == '\t');
        if (inside && entry.names.n) {
            if (!entry.body.p)
                entry.body.p = line.p;
            body_end = line.p + line.n;
        }
        if (more && (inside || line.n == 0))
            continue;
        if (entry.names.n) {
            entry.body.n = entry.body.p ? (size_t)(body_end - entry.body.p) : 0;
            if ((rc = add_section(apis, &entry, err)) < 0)
                lw_err_context(err, "%.*s:%u", LW_F(file), entry.line);
        }
        entry = (struct api_entry){.file = file, .line = number};
        if (more && line.p[0] != '#')
            entry.names = lw_str_trim(line);
    }
    return rc;
}

static struct lw_apis *make(struct lw_mem *mem, struct lw_dims *dims)
{
    struct lw_apis *apis = lw_mem_alloc(mem, sizeof *apis);
    if (!apis)
        return NULL;
    apis->mem = mem;
    apis->dims = dims;
    lw_arena_init(&apis->arena, mem, 0);
    lw_arena_init(&apis->scratch, mem, 0);
    lw_map_init(&apis->names, mem);
    lw_map_init(&apis->families, mem);
    lw_map_init(&apis->groups, mem);
    lw_map_init(&apis->members, mem);
    lw_map_init(&apis->modules, mem);
    return apis;
}

void lw_apis_free(struct lw_apis *apis)
{
    if (!apis)
        return;
    lw_map_release(&apis->names);
    lw_map_release(&apis->families);
    lw_map_release(&apis->groups);
    lw_map_release(&apis->members);
    lw_map_release(&apis->modules);
    lw_vec_release(apis->mem, &apis->entries);
    lw_vec_release(apis->mem, &apis->family_entries);
    lw_vec_release(apis->mem, &apis->aliases);
    lw_vec_release(apis->mem, &apis->group_texts);
    lw_arena_release(&apis->arena);
    lw_arena_release(&apis->scratch);
    lw_mem_free(apis->mem, apis, sizeof *apis);
}

static int finish(struct lw_apis **out, struct lw_apis *apis, int rc)
{
    if (rc < 0)
        lw_apis_free(apis);
    else
        *out = apis;
    return rc;
}

int lw_apis_load_text(struct lw_apis **out, struct lw_mem *mem, struct lw_dims *dims,
                      struct lw_str file, struct lw_str text, struct lw_err *err)
{
    struct lw_apis *apis = make(mem, dims);
    if (!apis)
        return lw_err_nomem(err);
    return finish(out, apis, scan(apis, file, text, err));
}

int lw_apis_load(struct lw_apis **out, struct lw_mem *mem, struct lw_dims *dims,
                 struct lw_err *err)
{
    struct lw_str path, content, folder = LW_S("data/api/");
    struct lw_apis *apis = make(mem, dims);
    int rc = 0;
    if (!apis)
        return lw_err_nomem(err);
    for (size_t i = lw_embedded_first(folder);
         rc == 0 && lw_embedded_at(i, &path, &content) && lw_str_has_prefix(path, folder); i++)
        if (lw_str_has_suffix(path, LW_S(".api")))
            rc = scan(apis, path, content, err);
    return finish(out, apis, rc);
}

void lw_apis_restart(struct lw_apis *apis)
{
    lw_arena_clear(&apis->scratch);
    apis->run++;
    for (size_t i = 0; i < apis->entries.n; i++)
        if (apis->entries.v[i].bound)
            apis->entries.v[i].parsed = apis->entries.v[i].bound = false;
}

/* ---- Looking up -------------------------------------------------------------------------- */

static const struct lw_api *entry_named(struct lw_apis *apis, struct lw_str name, size_t *index)
{
    struct lw_map_entry *e = lw_map_find(&apis->names, name);
    if (!e)
        return NULL;
    struct lw_err err = {0};
    *index = (size_t)e->value;
    return api_get(apis, *index, &err);
}

static struct lw_str last_part(struct lw_str name)
{
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    return lw_str_from(name, (size_t)(dot + 1));
}

/* What an old spelling is called now: the name of the entry that ends alike, else the first
 * one; none where that is gone too. Names that only share their rules have entries of their
 * own. */
static struct lw_str present_name(struct lw_str names, struct lw_str spelling)
{
    struct lw_str first = {0}, rest = names, name, added, deprecated, removed;
    bool is_first = true;
    while (rest.n) {
        api_split_versions(first_word(rest, &rest), &name, &added, &deprecated, &removed);
        bool gone = removed.n > 0;
        if (is_first && !gone)
            first = name;
        is_first = false;
        if (!gone && !deprecated.n && lw_str_eq_nocase(last_part(name), last_part(spelling)))
            return name;
    }
    return first;
}

/* Versions of the very spelling that was used. */
static void fill_use(struct lw_apis *apis, const struct lw_api *api, struct lw_str spelling,
                     size_t index, struct lw_api_use *use)
{
    struct lw_str rest = apis->entries.v[index].names, word, name;
    *use = (struct lw_api_use){.api = api,
                               .added = api->added,
                               .deprecated = api->deprecated,
                               .removed = api->removed,
                               .package = api->package,
                               .instead = api->instead};
    while (rest.n) {
        struct lw_str added, deprecated, removed;
        word = first_word(rest, &rest);
        api_split_versions(word, &name, &added, &deprecated, &removed);
        if (!lw_str_eq(name, spelling))
            continue;
        use->added = added.n ? added : use->added;
        use->deprecated = deprecated.n ? deprecated : use->deprecated;
        use->removed = removed.n ? removed : use->removed;
        if ((deprecated.n || removed.n) && !use->instead.n && !lw_str_eq(name, api->name))
            use->instead = present_name(apis->entries.v[index].names, spelling);
    }
    ptrdiff_t dot = lw_str_find_char(spelling, '.');
    if (dot > 0)
        use->package = lw_str_part(spelling, 0, (size_t)dot);
}

enum { MAX_ALIASES = 5 };

/* The longest prefix that has another name. */
static const struct api_alias *alias_for(const struct lw_apis *apis, struct lw_str name)
{
    const struct api_alias *best = NULL;
    for (size_t i = 0; i < apis->aliases.n; i++) {
        const struct api_alias *a = &apis->aliases.v[i];
        bool whole = name.n == a->from.n || (name.n > a->from.n && name.p[a->from.n] == '.');
        if (whole && lw_str_has_prefix(name, a->from) && (!best || a->from.n > best->from.n))
            best = a;
    }
    return best;
}

const struct lw_api *lw_api_find(struct lw_apis *apis, struct lw_str name,
                                 struct lw_api_use *use)
{
    size_t index;
    struct lw_str spelling = name;
    for (int round = 0; round < MAX_ALIASES; round++) {
        const struct lw_api *api = entry_named(apis, spelling, &index);
        if (api) {
            if (use)
                fill_use(apis, api, spelling, index, use);
            return api;
        }
        const struct api_alias *alias = alias_for(apis, spelling);
        if (!alias)
            break;
        spelling = lw_arena_printf(&apis->scratch, "%.*s%.*s", LW_F(alias->to),
                                   LW_F(lw_str_from(spelling, alias->from.n)));
        if (!spelling.p)
            return NULL;
    }
    /* In-place versions of torch's functions and methods follow the plain ones. */
    if (spelling.n > 2 && spelling.p[spelling.n - 1] == '_' &&
        spelling.p[spelling.n - 2] != '_' && lw_str_has_prefix(spelling, LW_S("torch.")))
        return lw_api_find(apis, lw_str_part(spelling, 0, spelling.n - 1), use);
    return NULL;
}

const struct lw_api *lw_api_method(struct lw_apis *apis, const struct lw_api *api,
                                   struct lw_str name, struct lw_api_use *use)
{
    for (int depth = 0; api && depth < 8; depth++) {
        struct lw_str full =
            lw_arena_printf(&apis->scratch, "%.*s.%.*s", LW_F(api->name), LW_F(name));
        const struct lw_api *found = full.p ? lw_api_find(apis, full, use) : NULL;
        if (found || !api->base.n)
            return found;
        api = lw_api_find(apis, api->base, NULL);
    }
    return NULL;
}

const struct lw_api *lw_api_tensor_method(struct lw_apis *apis, uint32_t framework,
                                          struct lw_str name, struct lw_api_use *use)
{
    const char *type = framework & LW_TORCH             ? "torch.Tensor"
                       : framework & (LW_TF | LW_KERAS) ? "tensorflow.Tensor"
                       : framework & LW_PANDAS          ? "pandas.DataFrame"
                                                        : "numpy.ndarray";
    char full[128];
    size_t n = strlen(type);
    if (n + 1 + name.n > sizeof full)
        return NULL;
    memcpy(full, type, n);
    full[n] = '.';
    memcpy(full + n + 1, name.p, name.n);
    struct lw_str text = lw_str_n(full, n + 1 + name.n);
    if (!lw_map_find(&apis->names, text)) { /* keep the spelling only where it is needed */
        text = lw_arena_copy(&apis->scratch, text);
        if (!text.p)
            return NULL;
    } else {
        text = lw_map_find(&apis->names, text)->key;
    }
    return lw_api_find(apis, text, use);
}

static bool derives(struct lw_apis *apis, const struct lw_api *api, struct lw_str base)
{
    const struct lw_api *wanted = lw_api_find(apis, base, NULL);
    for (int depth = 0; api && depth < 8; depth++) {
        if (api == wanted)
            return true;
        api = api->base.n ? lw_api_find(apis, api->base, NULL) : NULL;
    }
    return false;
}

bool lw_api_is_a(struct lw_apis *apis, const struct lw_api *api, struct lw_str base)
{
    uint64_t key = ((uintptr_t)api ^ (uintptr_t)base.p << 7) * UINT64_C(0x9e3779b97f4a7c15);
    struct api_kinship *k = &apis->kinships[(key >> 40) % API_KINSHIPS];
    if (k->api != api || k->base != base.p || k->run != apis->run)
        *k = (struct api_kinship){api, base.p, apis->run, derives(apis, api, base)};
    return k->yes;
}

const struct lw_api *lw_api_find_choice(struct lw_apis *apis, struct lw_str kind,
                                        struct lw_str text)
{
    char key[96];
    size_t index;
    if (kind.n + text.n + 2 > sizeof key || !text.n)
        return NULL;
    key[0] = '@';
    memcpy(key + 1, kind.p, kind.n);
    key[1 + kind.n] = ':';
    memcpy(key + 2 + kind.n, text.p, text.n);
    return entry_named(apis, lw_str_n(key, 2 + kind.n + text.n), &index);
}

/* torch and torch.nn of torch.nn.Linear. */
static bool add_modules(struct lw_apis *apis, struct lw_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '.' && !lw_map_put(&apis->modules, lw_str_part(name, 0, i), NULL))
            return false;
    return true;
}

bool lw_api_is_module(struct lw_apis *apis, struct lw_str name)
{
    const struct api_alias *alias;
    bool whole = true, fill = apis->modules.n == 0;
    for (size_t i = 0; fill && whole && i < apis->names.n; i++)
        whole = add_modules(apis, apis->names.entries[i].key);
    for (size_t i = 0; fill && whole && i < apis->aliases.n; i++)
        whole = add_modules(apis, apis->aliases.v[i].from);
    if (!whole)
        lw_map_clear(&apis->modules); /* without memory nothing is known to be none */
    for (int i = 0; i < MAX_ALIASES && (alias = alias_for(apis, name)); i++)
        name = lw_arena_printf(&apis->scratch, "%.*s%.*s", LW_F(alias->to),
                               LW_F(lw_str_from(name, alias->from.n)));
    return !whole || lw_map_find(&apis->modules, name) != NULL;
}

struct lw_str lw_api_nearest(struct lw_apis *apis, struct lw_str prefix, struct lw_str name)
{
    struct lw_str best = {NULL, 0};
    size_t limit = lw_str_typo_limit(name), best_distance = limit + 1;
    const struct api_alias *alias;
    for (int i = 0; i < MAX_ALIASES && (alias = alias_for(apis, prefix)); i++)
        prefix = lw_arena_printf(&apis->scratch, "%.*s%.*s", LW_F(alias->to),
                                 LW_F(lw_str_from(prefix, alias->from.n)));
    for (size_t i = 0; i < apis->names.n; i++) {
        struct lw_str key = apis->names.entries[i].key;
        if (key.n <= prefix.n + 1 || !lw_str_has_prefix(key, prefix) ||
            (key.p[prefix.n] != '.' && key.p[prefix.n] != ':'))
            continue;
        struct lw_str member = lw_str_from(key, prefix.n + 1);
        /* of a short word hardly anything is left but its first letter: uin is not sin */
        if (lw_str_find_char(member, '.') >= 0 ||
            (name.n <= 4 &&
             !lw_str_eq_nocase(lw_str_part(name, 0, 1), lw_str_part(member, 0, 1))))
            continue;
        size_t d = lw_str_distance(name, member, limit);
        if (d < best_distance) {
            best_distance = d;
            best = member;
        }
    }
    return best;
}

struct lw_str lw_api_fact(const struct lw_api *api, const char *key)
{
    for (uint32_t i = 0; i < api->fact_count; i++)
        if (lw_str_eq(api->facts[i].key, lw_str(key)))
            return api->facts[i].value;
    return (struct lw_str){NULL, 0};
}

const struct lw_api *lw_api_at(struct lw_apis *apis, size_t index)
{
    struct lw_err err = {0};
    return index < apis->entries.n ? api_get(apis, index, &err) : NULL;
}
