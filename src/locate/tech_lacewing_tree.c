/*
 * The files of a commit by name: paths, modules, re-exports, definitions.
 */
#include "locate/tech_lacewing_kept.h"

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

const struct lacewing_entry *lacewing_multi_next(const struct lacewing_multi *m,
                                                 struct lw_str key,
                                                 const struct lacewing_entry *before)
{
    if (m->kept) {
        uint32_t kept = before ? before->next : lacewing_keys_find(m->kept, m->table, key, 0);
        return kept ? &m->kept->entries[kept - 1] : NULL;
    }
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
    ptrdiff_t dot;
    for (struct lw_str end = module; (dot = lw_str_find_char(end, '.')) >= 0;) {
        if (lacewing_multi_add(&t->endings, end, file, 0) < 0)
            return LW_ENOMEM;
        end = lw_str_from(end, (size_t)dot + 1);
    }
    return lacewing_multi_add(&t->bases, base_of(t->files->v[file].path), file, 0);
}

/* "pkg.sub.x" of src/pkg/sub/x.py. */
static int add_rooted(struct lacewing_tree *t, const struct lw_map *folders, uint32_t file)
{
    struct lw_str path = t->files->v[file].path, root = folder_of(path);
    if (!lw_map_find(folders, root))
        return 0;
    while (root.n && lw_map_find(folders, root))
        root = folder_of(root);
    return root.n ? lacewing_multi_add(&t->rooted, lw_str_from(t->module[file], root.n + 1),
                                       file, 0)
                  : 0;
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
    for (uint32_t i = 0; i < t->files->n && rc == 0; i++)
        rc = add_rooted(t, &folders, i);
    lw_map_release(&folders);
    return rc;
}

static uint32_t only_file(const struct lacewing_multi *m, struct lw_str key)
{
    const struct lacewing_entry *e = lacewing_multi_next(m, key, NULL);
    return e && !e->next ? e->file : UINT32_MAX;
}

/* What an import of that name reaches. */
static uint32_t imported_module(const struct lacewing_tree *t, struct lw_str dotted)
{
    uint32_t file = t->kept
                        ? lacewing_keys_find(&t->kept->keys, TABLE_MODULES, dotted, UINT32_MAX)
                        : (uint32_t)lw_map_get(&t->modules, dotted, UINT32_MAX);
    return file != UINT32_MAX ? file : only_file(&t->rooted, dotted);
}

uint32_t lacewing_tree_module(const struct lacewing_tree *t, struct lw_str dotted)
{
    uint32_t file = imported_module(t, dotted);
    if (file != UINT32_MAX || lw_str_find_char(dotted, '.') < 0)
        return file;
    return only_file(&t->endings, dotted);
}

bool lacewing_tree_is_package(const struct lacewing_tree *t, struct lw_str name)
{
    return t->kept ? lacewing_keys_find(&t->kept->keys, TABLE_PACKAGES, name, UINT32_MAX) !=
                         UINT32_MAX
                   : lw_map_find(&t->packages, name) != NULL;
}

static struct lw_str module_name(const struct lacewing_tree *t, uint32_t file)
{
    if (!t->kept)
        return t->module[file];
    uint32_t start = file ? t->kept->module_ends[file - 1] : 0;
    return lw_str_n(t->kept->module_text + start, t->kept->module_ends[file] - start);
}

/* The dotted name of what `from ..x import` means in `file`, in `room`; empty when too long. */
static struct lw_str relative(const struct lacewing_tree *t, uint32_t file,
                              const struct lw_import *import, struct lw_str module, char *room,
                              size_t size)
{
    if (!import->level)
        return module;
    struct lw_str package = module_name(t, file);
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

/* A name, and its number in the segment where it was looked up last. */
struct name {
    struct lw_str text;
    const struct lw_segment *segment;
    uint32_t number;
};

static uint32_t number_in(struct name *name, struct lw_doc doc)
{
    if (name->segment != doc.segment) {
        name->number = lw_doc_find_name(doc, name->text);
        name->segment = doc.segment;
    }
    return name->number;
}

static bool is_method(const struct lw_defs_view *defs, const struct lw_def *d)
{
    return d->kind != LW_DEF_CLASS && d->parent != UINT32_MAX &&
           defs->v[d->parent].kind == LW_DEF_CLASS;
}

enum lacewing_kind lacewing_kind_of(const struct lw_defs_view *defs, const struct lw_def *d)
{
    return d->kind == LW_DEF_CLASS ? KIND_CLASS
           : is_method(defs, d)    ? KIND_METHOD
                                   : KIND_FUNCTION;
}

static bool defines(const struct lacewing_tree *t, uint32_t file, struct name *name)
{
    struct lw_doc doc = t->files->v[file].doc;
    struct lw_defs_view defs = lw_doc_defs(doc);
    uint32_t number = defs.n ? number_in(name, doc) : LW_NO_TERM;
    for (size_t i = 0; i < defs.n && number != LW_NO_TERM; i++)
        if (defs.v[i].name == number && !is_method(&defs, &defs.v[i]))
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

static uint32_t export_of(const struct lacewing_tree *t, uint32_t file, struct name *name,
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
        bool star = lw_str_eq(lw_doc_name(doc, imports.v[i].name), LW_S("*"));
        if (!star && imports.v[i].name != number_in(name, doc))
            continue;
        char room[DOTTED_MAX];
        struct lw_str module = relative(
            t, file, &imports.v[i], lw_doc_name(doc, imports.v[i].module), room, sizeof room);
        uint32_t target = module.n ? lacewing_tree_module(t, module) : UINT32_MAX;
        uint32_t found = UINT32_MAX;
        if (target != UINT32_MAX && target != file)
            found = export_of(t, target, name, depth + 1, steps);
        if (found == UINT32_MAX && !star)
            found = submodule(t, module, name->text);
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
    struct name asked = {.text = name};
    return export_of(t, file, &asked, 0, &steps);
}

uint32_t lacewing_tree_import(const struct lacewing_tree *t, uint32_t file,
                              const struct lw_import *import)
{
    struct lw_doc doc = t->files->v[file].doc;
    char room[DOTTED_MAX];
    struct lw_str name = lw_doc_name(doc, import->name);
    struct lw_str module =
        relative(t, file, import, lw_doc_name(doc, import->module), room, sizeof room);
    uint32_t target = imported_module(t, module);
    if (!name.n || lw_str_eq(name, LW_S("*")))
        return target;
    uint32_t found = submodule(t, module, name);
    int steps = EXPORT_STEPS;
    struct name asked = {name, doc.segment, import->name};
    if (found == UINT32_MAX && target != UINT32_MAX)
        found = export_of(t, target, &asked, 0, &steps);
    return found != UINT32_MAX ? found : target;
}

/* ---- Definitions ------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

int lacewing_tree_ask(struct lacewing_tree *t, struct lw_str name)
{
    return lw_map_put(&t->defs.names, name, NULL) ? 0 : LW_ENOMEM;
}

int lacewing_tree_ask_words(struct lacewing_tree *t, struct lw_str text)
{
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        while (i < text.n && is_word(text.p[i]))
            i++;
        if (i > start && lacewing_tree_ask(t, lw_str_part(text, start, i - start)) < 0)
            return LW_ENOMEM;
        i += i == start;
    }
    return 0;
}

/* Names of a segment are sorted, so a few are looked for in it; many are found by going
 * through it. */
static void mark_names(const struct lacewing_tree *t, struct lw_doc doc, uint32_t *of_name)
{
    const struct lw_map *names = &t->defs.names;
    size_t count = lw_doc_name_count(doc);
    bool few = names->n < count / 32;
    for (size_t i = 0; i < names->n && few; i++) {
        uint32_t name = lw_doc_find_name(doc, names->entries[i].key);
        if (name != LW_NO_TERM)
            of_name[name] = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < count && !few; i++) {
        const struct lw_map_entry *e = lw_map_find(names, lw_doc_name(doc, i));
        of_name[i] = e ? (uint32_t)(e - names->entries) + 1 : 0;
    }
}

const uint32_t *lacewing_tree_marks(struct lacewing_tree *t, struct lw_doc doc)
{
    struct lacewing_defs *d = &t->defs;
    for (size_t i = d->marks.n; i > 0; i--)
        if (d->marks.v[i - 1].segment == doc.segment)
            return d->marks.v[i - 1].of_name;
    struct lacewing_marks m = {.segment = doc.segment};
    m.of_name = lw_arena_array(&t->arena, lw_doc_name_count(doc) + 1, sizeof *m.of_name);
    if (!m.of_name || lw_vec_push(t->modules.mem, &d->marks, m) < 0)
        return NULL;
    mark_names(t, doc, m.of_name);
    return m.of_name;
}

static int add_definition(struct lacewing_tree *t, enum lacewing_kind kind, uint32_t mark,
                          uint32_t file, uint32_t def)
{
    uint32_t *last = &t->defs.last[mark - 1][kind];
    struct lacewing_entry entry = {file, def, *last};
    if (kind == KIND_PARAMETER && *last && t->defs.entries.v[*last - 1].file == file)
        return 0; /* files are what counts there */
    if (lw_vec_push(t->modules.mem, &t->defs.entries, entry) < 0)
        return LW_ENOMEM;
    *last = (uint32_t)t->defs.entries.n;
    return 0;
}

static int add_definitions(struct lacewing_tree *t, uint32_t file)
{
    struct lw_doc doc = t->files->v[file].doc;
    struct lw_defs_view defs = lw_doc_defs(doc);
    const uint32_t *marks = defs.n ? lacewing_tree_marks(t, doc) : NULL;
    int rc = defs.n && !marks ? LW_ENOMEM : 0;
    for (uint32_t i = 0; i < defs.n && rc == 0; i++) {
        const struct lw_def *d = &defs.v[i];
        if (marks[d->name])
            rc = add_definition(t, lacewing_kind_of(&defs, d), marks[d->name], file, i);
        for (uint32_t k = d->param; k < d->param + d->params && rc == 0; k++)
            if (marks[defs.params[k]])
                rc = add_definition(t, KIND_PARAMETER, marks[defs.params[k]], file, i);
    }
    return rc;
}

/* Of a name, from the lists of a view: in the same order. */
static int add_kept_definitions(struct lacewing_tree *t, uint32_t name)
{
    const struct lacewing_kept *k = t->kept;
    uint32_t number = lw_doc_find_name(t->files->v[0].doc, t->defs.names.entries[name].key);
    int rc = 0;
    if (number == LW_NO_TERM)
        return 0;
    for (uint32_t i = k->def_start[number]; i < k->def_start[number + 1] && rc == 0; i++)
        rc = add_definition(t, (enum lacewing_kind)k->defs[i].kind, name + 1, k->defs[i].file,
                            k->defs[i].def);
    return rc;
}

static int add_all_definitions(struct lacewing_tree *t)
{
    t->defs.last = lw_arena_array(&t->arena, t->defs.names.n + 1, sizeof *t->defs.last);
    int rc = t->defs.last ? 0 : LW_ENOMEM;
    for (uint32_t i = 0; t->kept && i < t->defs.names.n && rc == 0; i++)
        rc = add_kept_definitions(t, i);
    for (uint32_t i = 0; !t->kept && i < t->files->n && rc == 0; i++)
        rc = add_definitions(t, i);
    return rc;
}

const struct lacewing_entry *lacewing_tree_defined(const struct lacewing_tree *t,
                                                   enum lacewing_kind kind, struct lw_str name,
                                                   const struct lacewing_entry *before)
{
    const struct lw_map_entry *e = before ? NULL : lw_map_find(&t->defs.names, name);
    uint32_t at = before ? before->next : e ? t->defs.last[e - t->defs.names.entries][kind] : 0;
    return at ? &t->defs.entries.v[at - 1] : NULL;
}

size_t lacewing_tree_definers(const struct lacewing_tree *t, enum lacewing_kind kind,
                              struct lw_str name)
{
    size_t n = 0;
    uint32_t last = UINT32_MAX;
    for (const struct lacewing_entry *e = NULL;
         (e = lacewing_tree_defined(t, kind, name, e));) {
        n += e->file != last;
        last = e->file;
    }
    return n;
}

/* ---- The tree ---------------------------------------------------------------------------- */

static void multi_begin(struct lacewing_tree *t, struct lacewing_multi *m, char table)
{
    lacewing_multi_init(m, t->modules.mem);
    m->table = table;
    m->kept = t->kept ? &t->kept->keys : NULL;
}

void lacewing_tree_init(struct lacewing_tree *t, struct lw_mem *mem,
                        const struct lw_files *files, const struct lacewing_kept *kept)
{
    memset(t, 0, sizeof *t);
    t->files = files;
    t->kept = kept;
    lw_arena_init(&t->arena, mem, 0);
    lw_map_init(&t->modules, mem);
    lw_map_init(&t->packages, mem);
    lw_map_init(&t->defs.names, mem);
    multi_begin(t, &t->bases, TABLE_BASES);
    multi_begin(t, &t->endings, TABLE_ENDINGS);
    multi_begin(t, &t->rooted, TABLE_ROOTED);
}

int lacewing_tree_fill(struct lacewing_tree *t)
{
    if (t->kept)
        return add_all_definitions(t);
    t->module = lw_arena_array(&t->arena, t->files->n + 1, sizeof *t->module);
    int rc = t->module ? 0 : LW_ENOMEM;
    for (uint32_t i = 0; i < t->files->n && rc == 0; i++)
        rc = add_module(t, i);
    if (rc == 0)
        rc = add_all_definitions(t);
    return rc == 0 ? find_packages(t) : rc;
}

void lacewing_tree_release(struct lacewing_tree *t)
{
    struct lw_mem *mem = t->modules.mem;
    lw_vec_release(mem, &t->defs.marks);
    lw_vec_release(mem, &t->defs.entries);
    lw_map_release(&t->defs.names);
    lacewing_multi_release(&t->rooted);
    lacewing_multi_release(&t->endings);
    lacewing_multi_release(&t->bases);
    lw_map_release(&t->packages);
    lw_map_release(&t->modules);
    lw_arena_release(&t->arena);
}
