/*
 * The files of a commit by name: paths, modules, re-exports, definitions.
 */
#include "locate/tech_lacewing.h"

#include "base/str.h"

/* ---- One text, several files ------------------------------------------------------------- */

void lacewing_multi_init(struct lacewing_multi *m, struct lw_mem *mem)
{
    memset(m, 0, sizeof *m);
    lw_map_init(&m->map, mem);
}

void lacewing_multi_release(struct lacewing_multi *m)
{
    struct lw_mem *mem = m->map.mem;
    lw_map_release(&m->map);
    lw_vec_release(mem, &m->entries);
}

int lacewing_multi_add(struct lacewing_multi *m, struct lw_str key, uint32_t file,
                       uint32_t item)
{
    struct lw_map_entry *e = lw_map_put(&m->map, key, NULL);
    struct lacewing_entry entry = {file, item, e ? (uint32_t)e->value : 0};
    if (!e || lw_vec_push(m->map.mem, &m->entries, entry) < 0)
        return LW_ENOMEM;
    e->value = m->entries.n;
    return 0;
}

/* The same for a name of a segment: `*known` remembers where it is, 0: not yet. */
static int add_known(struct lacewing_multi *m, uint32_t *known, struct lw_str key,
                     uint32_t file, uint32_t item)
{
    if (!*known) {
        struct lw_map_entry *e = lw_map_put(&m->map, key, NULL);
        if (!e)
            return LW_ENOMEM;
        *known = (uint32_t)(e - m->map.entries) + 1;
    }
    uint64_t *last = &m->map.entries[*known - 1].value;
    struct lacewing_entry entry = {file, item, (uint32_t)*last};
    if (lw_vec_push(m->map.mem, &m->entries, entry) < 0)
        return LW_ENOMEM;
    *last = m->entries.n;
    return 0;
}

const struct lacewing_entry *lacewing_multi_next(const struct lacewing_multi *m,
                                                 struct lw_str key,
                                                 const struct lacewing_entry *before)
{
    uint64_t at = before ? before->next : lw_map_get(&m->map, key, 0);
    return at ? &m->entries.v[at - 1] : NULL;
}

size_t lacewing_multi_files(const struct lacewing_multi *m, struct lw_str key)
{
    size_t n = 0;
    uint32_t last = UINT32_MAX; /* entries of one file follow each other */
    for (const struct lacewing_entry *e = NULL; (e = lacewing_multi_next(m, key, e));) {
        n += e->file != last;
        last = e->file;
    }
    return n;
}

/* ---- Paths ------------------------------------------------------------------------------- */

static struct lw_str base_of(struct lw_str path)
{
    return lw_str_from(path, (size_t)(lw_str_find_last_char(path, '/') + 1));
}

static struct lw_str folder_of(struct lw_str path)
{
    ptrdiff_t slash = lw_str_find_last_char(path, '/');
    return lw_str_part(path, 0, slash < 0 ? 0 : (size_t)slash);
}

/* Cuts the last component off `*path`; components may be parted by backslashes too. */
static struct lw_str cut_last(struct lw_str *path)
{
    size_t end = path->n;
    while (end && (path->p[end - 1] == '/' || path->p[end - 1] == '\\'))
        end--;
    size_t start = end;
    while (start && path->p[start - 1] != '/' && path->p[start - 1] != '\\')
        start--;
    struct lw_str last = lw_str_part(*path, start, end - start);
    *path = lw_str_part(*path, 0, start);
    return last;
}

/* How many components at the end of the paths agree. */
static size_t common_end(struct lw_str a, struct lw_str b)
{
    size_t n = 0;
    while (a.n && b.n) {
        struct lw_str x = cut_last(&a), y = cut_last(&b);
        if (!x.n || !lw_str_eq(x, y))
            break;
        n++;
    }
    return n;
}

size_t lacewing_tree_match(const struct lacewing_tree *t, struct lw_str path, uint32_t *found,
                           size_t room, size_t *depth)
{
    struct lw_str rest = path;
    struct lw_str base = cut_last(&rest);
    size_t n = 0;
    *depth = 0;
    for (const struct lacewing_entry *e = NULL;
         (e = lacewing_multi_next(&t->bases, base, e));) {
        size_t agree = common_end(t->files->v[e->file].path, path);
        if (agree < *depth)
            continue;
        n = agree > *depth ? 0 : n;
        *depth = agree;
        if (n < room)
            found[n] = e->file;
        n++;
    }
    return n;
}

/* ---- Modules ----------------------------------------------------------------------------- */

/* "pkg/sub/x.py" is pkg.sub.x, "pkg/__init__.py" is pkg. */
static struct lw_str module_of(struct lw_arena *arena, struct lw_str path)
{
    ptrdiff_t dot = lw_str_find_last_char(base_of(path), '.');
    struct lw_str stem = path;
    if (dot >= 0)
        stem.n -= base_of(path).n - (size_t)dot;
    if (lw_str_has_suffix(stem, LW_S("/__init__")))
        stem.n -= 9;
    char *p = lw_arena_bytes(arena, stem.n + 1);
    if (!p)
        return (struct lw_str){0};
    for (size_t i = 0; i < stem.n; i++)
        p[i] = stem.p[i] == '/' ? '.' : stem.p[i];
    return lw_str_n(p, stem.n);
}

static int add_module(struct lacewing_tree *t, uint32_t file)
{
    struct lw_str module = module_of(&t->arena, t->files->v[file].path);
    bool is_new;
    if (!module.p)
        return LW_ENOMEM;
    t->module[file] = module;
    struct lw_map_entry *e = lw_map_put(&t->modules, module, &is_new);
    if (!e)
        return LW_ENOMEM;
    if (is_new)
        e->value = file;
    for (struct lw_str end = module; end.n;) {
        if (lacewing_multi_add(&t->endings, end, file, 0) < 0)
            return LW_ENOMEM;
        ptrdiff_t dot = lw_str_find_char(end, '.');
        end = lw_str_from(end, dot < 0 ? end.n : (size_t)dot + 1);
    }
    return lacewing_multi_add(&t->bases, base_of(t->files->v[file].path), file, 0);
}

/* A package whose folder is in none. */
static int find_packages(struct lacewing_tree *t)
{
    struct lw_map folders;
    int rc = 0;
    const struct lacewing_entry *e = NULL;
    lw_map_init(&folders, t->packages.mem);
    while (rc == 0 && (e = lacewing_multi_next(&t->bases, LW_S("__init__.py"), e)))
        if (!lw_map_put(&folders, folder_of(t->files->v[e->file].path), NULL))
            rc = LW_ENOMEM;
    for (size_t i = 0; i < folders.n && rc == 0; i++) {
        struct lw_str folder = folders.entries[i].key;
        if (folder.n && !lw_map_find(&folders, folder_of(folder)) &&
            !lw_map_put(&t->packages, base_of(folder), NULL))
            rc = LW_ENOMEM;
    }
    lw_map_release(&folders);
    return rc;
}

uint32_t lacewing_tree_module(const struct lacewing_tree *t, struct lw_str dotted)
{
    uint64_t exact = lw_map_get(&t->modules, dotted, UINT32_MAX);
    if (exact != UINT32_MAX || lw_str_find_char(dotted, '.') < 0)
        return (uint32_t)exact;
    const struct lacewing_entry *e = lacewing_multi_next(&t->endings, dotted, NULL);
    return e && !e->next ? e->file : UINT32_MAX;
}

/* The dotted name of what `from ..x import` means in `file`, in `room`; empty when too long. */
static struct lw_str relative(const struct lacewing_tree *t, uint32_t file,
                              const struct lw_import *import, struct lw_str module, char *room,
                              size_t size)
{
    if (!import->level)
        return module;
    struct lw_str package = t->module[file];
    bool init = lw_str_eq(base_of(t->files->v[file].path), LW_S("__init__.py"));
    for (uint32_t up = init ? 1 : 0; up < import->level; up++) {
        ptrdiff_t dot = lw_str_find_last_char(package, '.');
        package = lw_str_part(package, 0, dot < 0 ? 0 : (size_t)dot);
    }
    bool both = package.n && module.n;
    if (package.n + module.n + both > size)
        return (struct lw_str){0};
    if (package.n)
        memcpy(room, package.p, package.n);
    if (both)
        room[package.n] = '.';
    if (module.n)
        memcpy(room + package.n + both, module.p, module.n);
    return lw_str_n(room, package.n + module.n + both);
}

enum { EXPORT_DEPTH = 5, EXPORT_STEPS = 400, DOTTED_MAX = 512 };

static bool defines(const struct lacewing_tree *t, uint32_t file, struct lw_str name)
{
    for (const struct lacewing_entry *e = NULL;
         (e = lacewing_multi_next(&t->classes, name, e));)
        if (e->file == file)
            return true;
    for (const struct lacewing_entry *e = NULL;
         (e = lacewing_multi_next(&t->functions, name, e));)
        if (e->file == file)
            return true;
    return false;
}

/* "module.name" when that is a file of its own. */
static uint32_t submodule(const struct lacewing_tree *t, struct lw_str module,
                          struct lw_str name)
{
    char room[DOTTED_MAX];
    if (module.n + name.n + 1 > sizeof room)
        return UINT32_MAX;
    if (module.n)
        memcpy(room, module.p, module.n);
    room[module.n] = '.';
    memcpy(room + module.n + 1, name.p, name.n);
    struct lw_str whole = lw_str_n(room, module.n + 1 + name.n);
    return lacewing_tree_module(t, module.n ? whole : name);
}

static uint32_t export_of(const struct lacewing_tree *t, uint32_t file, struct lw_str name,
                          int depth, int *steps)
{
    if (defines(t, file, name))
        return file;
    if (depth >= EXPORT_DEPTH)
        return UINT32_MAX;
    struct lw_doc doc = t->files->v[file].doc;
    struct lw_imports_view imports = lw_doc_imports(doc);
    uint32_t vague = UINT32_MAX;
    for (size_t i = 0; i < imports.n && (*steps)-- > 0; i++) {
        struct lw_str imported = lw_doc_name(doc, imports.v[i].name);
        bool star = lw_str_eq(imported, LW_S("*"));
        if (!star && !lw_str_eq(imported, name))
            continue;
        char room[DOTTED_MAX];
        struct lw_str module = relative(
            t, file, &imports.v[i], lw_doc_name(doc, imports.v[i].module), room, sizeof room);
        uint32_t target = module.n ? lacewing_tree_module(t, module) : UINT32_MAX;
        uint32_t found = UINT32_MAX;
        if (target != UINT32_MAX && target != file)
            found = export_of(t, target, name, depth + 1, steps);
        if (found == UINT32_MAX && !star)
            found = submodule(t, module, name);
        if (found != UINT32_MAX)
            return found;
        if (!star && target != UINT32_MAX)
            vague = target;
    }
    return vague;
}

uint32_t lacewing_tree_export(const struct lacewing_tree *t, uint32_t file, struct lw_str name)
{
    int steps = EXPORT_STEPS;
    return export_of(t, file, name, 0, &steps);
}

uint32_t lacewing_tree_import(const struct lacewing_tree *t, uint32_t file,
                              const struct lw_import *import)
{
    struct lw_doc doc = t->files->v[file].doc;
    char room[DOTTED_MAX];
    struct lw_str name = lw_doc_name(doc, import->name);
    struct lw_str module =
        relative(t, file, import, lw_doc_name(doc, import->module), room, sizeof room);
    uint32_t target = (uint32_t)lw_map_get(&t->modules, module, UINT32_MAX);
    if (!name.n || lw_str_eq(name, LW_S("*")))
        return target;
    uint32_t found = submodule(t, module, name);
    if (found == UINT32_MAX && target != UINT32_MAX)
        found = lacewing_tree_export(t, target, name);
    return found != UINT32_MAX ? found : target;
}

/* ---- Definitions ------------------------------------------------------------------------- */

/* Where the names of a segment are in the maps, so that each is hashed once. */
enum { KNOWN_CLASSES, KNOWN_FUNCTIONS, KNOWN_METHODS, KNOWN_PARAMETERS, KNOWN_MAPS };

struct known_names {
    const struct lw_segment *segment;
    uint32_t *v; /* (names, KNOWN_MAPS) */
};

struct defining {
    struct lacewing_tree *t;
    struct lw_arena arena;
    LW_VEC(struct known_names) known;
};

static uint32_t *known_of(struct defining *d, struct lw_doc doc)
{
    for (size_t i = d->known.n; i > 0; i--)
        if (d->known.v[i - 1].segment == doc.segment)
            return d->known.v[i - 1].v;
    struct known_names k = {.segment = doc.segment};
    k.v = lw_arena_array(&d->arena, lw_doc_name_count(doc) * KNOWN_MAPS + 1, sizeof *k.v);
    return k.v && lw_vec_push(d->arena.mem, &d->known, k) == 0 ? k.v : NULL;
}

static bool is_last_file(const struct lacewing_multi *m, uint32_t known, uint32_t file)
{
    uint64_t last = known ? m->map.entries[known - 1].value : 0;
    return last && m->entries.v[last - 1].file == file;
}

static int add_parameters(struct lacewing_tree *t, uint32_t *known, uint32_t file, uint32_t def)
{
    struct lw_doc doc = t->files->v[file].doc;
    struct lw_defs_view defs = lw_doc_defs(doc);
    const struct lw_def *d = &defs.v[def];
    for (uint32_t k = 0; k < d->params; k++) {
        uint32_t name = defs.params[d->param + k];
        uint32_t *at = &known[name * KNOWN_MAPS + KNOWN_PARAMETERS];
        if (!*at || !is_last_file(&t->parameters, *at, file))
            if (add_known(&t->parameters, at, lw_doc_name(doc, name), file, def) < 0)
                return LW_ENOMEM;
    }
    return 0;
}

static int add_definitions(struct defining *g, uint32_t file)
{
    struct lacewing_tree *t = g->t;
    struct lw_doc doc = t->files->v[file].doc;
    struct lw_defs_view defs = lw_doc_defs(doc);
    uint32_t *known = defs.n ? known_of(g, doc) : NULL;
    if (defs.n && !known)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < defs.n; i++) {
        const struct lw_def *d = &defs.v[i];
        bool method = d->parent != UINT32_MAX && defs.v[d->parent].kind == LW_DEF_CLASS;
        int which = d->kind == LW_DEF_CLASS ? KNOWN_CLASSES
                    : method                ? KNOWN_METHODS
                                            : KNOWN_FUNCTIONS;
        struct lacewing_multi *maps[] = {&t->classes, &t->functions, &t->methods};
        if (add_known(maps[which], &known[d->name * KNOWN_MAPS + (uint32_t)which],
                      lw_doc_name(doc, d->name), file, i) < 0 ||
            add_parameters(t, known, file, i) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int add_all_definitions(struct lacewing_tree *t, struct lw_mem *mem)
{
    struct defining g = {.t = t};
    int rc = 0;
    lw_arena_init(&g.arena, mem, 0);
    for (uint32_t i = 0; i < t->files->n && rc == 0; i++)
        rc = add_definitions(&g, i);
    lw_vec_release(mem, &g.known);
    lw_arena_release(&g.arena);
    return rc;
}

int lacewing_tree_init(struct lacewing_tree *t, struct lw_mem *mem,
                       const struct lw_files *files)
{
    memset(t, 0, sizeof *t);
    t->files = files;
    lw_arena_init(&t->arena, mem, 0);
    lw_map_init(&t->modules, mem);
    lw_map_init(&t->packages, mem);
    lacewing_multi_init(&t->bases, mem);
    lacewing_multi_init(&t->endings, mem);
    lacewing_multi_init(&t->classes, mem);
    lacewing_multi_init(&t->functions, mem);
    lacewing_multi_init(&t->methods, mem);
    lacewing_multi_init(&t->parameters, mem);
    t->module = lw_arena_array(&t->arena, files->n + 1, sizeof *t->module);
    int rc = t->module ? 0 : LW_ENOMEM;
    for (uint32_t i = 0; i < files->n && rc == 0; i++)
        rc = add_module(t, i);
    if (rc == 0)
        rc = add_all_definitions(t, mem);
    return rc == 0 ? find_packages(t) : rc;
}

void lacewing_tree_release(struct lacewing_tree *t)
{
    lacewing_multi_release(&t->parameters);
    lacewing_multi_release(&t->methods);
    lacewing_multi_release(&t->functions);
    lacewing_multi_release(&t->classes);
    lacewing_multi_release(&t->endings);
    lacewing_multi_release(&t->bases);
    lw_map_release(&t->packages);
    lw_map_release(&t->modules);
    lw_arena_release(&t->arena);
}
