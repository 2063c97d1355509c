#include "source/project.h"

#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"

/* ---- Modules ---------------------------------------------------------------------------- */

/* "a/b/c.py" as "a.b.c", "a/__init__.py" as "a"; in the arena. */
static struct lw_str dotted_path(struct lw_project *p, struct lw_str path)
{
    struct lw_str stem = lw_str_part(path, 0, path.n - 3);
    if (lw_str_eq(stem, LW_S("__init__")))
        stem.n = 0;
    else if (lw_str_has_suffix(stem, LW_S("/__init__")))
        stem.n -= 9;
    char *out = lw_arena_bytes(&p->arena, stem.n + 1);
    if (!out)
        return (struct lw_str){NULL, 0};
    for (size_t i = 0; i < stem.n; i++)
        out[i] = stem.p[i];
    for (size_t i = 0; i < stem.n; i++)
        if (out[i] == '/')
            out[i] = '.';
    out[stem.n] = '\0';
    return lw_str_n(out, stem.n);
}

/* Where the package name begins in the path: after the last folder without an __init__.py. */
static size_t package_begin(const struct lw_project *p, struct lw_str path,
                            struct lw_map *inits)
{
    (void)p;
    size_t begin = 0;
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '/' && !lw_map_find(inits, lw_str_part(path, 0, i)))
            begin = i + 1;
    return begin;
}

static int add_name(struct lw_project *p, struct lw_str name, size_t index)
{
    bool is_new;
    if (name.n == 0)
        return 0;
    struct lw_map_entry *e = lw_map_put(&p->by_name, name, &is_new);
    if (!e)
        return LW_ENOMEM;
    if (is_new)
        e->value = index;
    return 0;
}

static int name_modules(struct lw_project *p, struct lw_map *inits)
{
    for (size_t i = 0; i < p->module_count; i++) {
        struct lw_module *m = &p->modules[i];
        struct lw_str full = dotted_path(p, m->path);
        size_t begin = package_begin(p, m->path, inits);
        if (!full.p)
            return LW_ENOMEM;
        m->name = begin < full.n ? lw_str_from(full, begin) : full;
        if (add_name(p, m->name, i) < 0 || add_name(p, full, i) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int collect(struct lw_project *p, const lw_str_vec *files, struct lw_map *inits)
{
    p->modules = lw_arena_array(&p->arena, files->n, sizeof *p->modules);
    if (!p->modules)
        return LW_ENOMEM;
    for (size_t i = 0; i < files->n; i++) {
        struct lw_str path = files->v[i];
        if (!lw_str_has_suffix(path, LW_S(".py")))
            continue;
        struct lw_module *m = &p->modules[p->module_count++];
        m->path = path;
        m->is_package = lw_str_has_suffix(path, LW_S("/__init__.py")) ||
                        lw_str_eq(path, LW_S("__init__.py"));
        if (m->is_package && path.n > 12 &&
            !lw_map_put(inits, lw_str_part(path, 0, path.n - 12), NULL))
            return LW_ENOMEM;
    }
    return name_modules(p, inits);
}

int lw_project_open(struct lw_project *p, struct lw_mem *mem, const char *root,
                    struct lw_err *err)
{
    lw_str_vec files = {0};
    struct lw_map inits;
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->root = root;
    lw_arena_init(&p->arena, mem, 0);
    lw_map_init(&p->by_name, mem);
    lw_map_init(&inits, mem);
    int rc = lw_dir_walk(&p->arena, mem, root, false, LW_PROJECT_MAX_FILES, &files, err);
    if (rc == 0 && collect(p, &files, &inits) < 0)
        rc = lw_err_nomem(err);
    lw_map_release(&inits);
    lw_vec_release(mem, &files);
    if (rc < 0)
        lw_project_close(p);
    return rc;
}

void lw_project_close(struct lw_project *p)
{
    for (size_t i = 0; i < p->module_count; i++) {
        if (!p->modules[i].loaded)
            continue;
        lw_names_release(&p->modules[i].names);
        lw_tree_release(&p->modules[i].tree);
    }
    lw_map_release(&p->by_name);
    lw_arena_release(&p->arena);
    memset(p, 0, sizeof *p);
}

int lw_project_load(struct lw_project *p, struct lw_module *m, struct lw_err *err)
{
    if (m->loaded)
        return 0;
    struct lw_str path = lw_arena_printf(&p->arena, "%s/%.*s", p->root, LW_F(m->path));
    if (!path.p)
        return lw_err_nomem(err);
    lw_tree_init(&m->tree, p->mem);
    lw_names_init(&m->names, p->mem);
    m->loaded = true;
    int rc = lw_source_load(&m->source, &p->arena, path.p, err);
    if (rc < 0 && rc != LW_ENOMEM)
        m->source.text = (struct lw_str){"", 0}; /* an unreadable file defines nothing */
    else if (rc < 0)
        return rc;
    rc = lw_tree_parse(&m->tree, m->source.text, err);
    return rc < 0 ? rc : lw_names_build(&m->names, &m->tree, err);
}

struct lw_module *lw_project_at(struct lw_project *p, struct lw_str path)
{
    size_t low = 0, high = p->module_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (lw_str_cmp(p->modules[mid].path, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->module_count && lw_str_eq(p->modules[low].path, path) ? &p->modules[low]
                                                                          : NULL;
}

struct lw_module *lw_project_of(struct lw_project *p, struct lw_str path)
{
    if (!p)
        return NULL;
    struct lw_str root = lw_str(p->root);
    while (root.n > 1 && root.p[root.n - 1] == '/')
        root.n--;
    if (path.n > root.n && lw_str_has_prefix(path, root) && path.p[root.n] == '/')
        path = lw_str_from(path, root.n + 1);
    while (lw_str_has_prefix(path, LW_S("./")))
        path = lw_str_from(path, 2);
    return lw_project_at(p, path);
}

/* ---- Definitions ------------------------------------------------------------------------ */

enum { MOST_HOPS = 32 }; /* modules that one name may lead through */

struct search {
    struct lw_project *project;
    struct lw_err *err;
    int hops;
};

static int find_dotted(struct search *s, const struct lw_module *from, struct lw_str dotted,
                       struct lw_definition *out);

/* Leading dots replaced by the package that they mean; in the arena. */
static struct lw_str absolute(struct lw_project *p, const struct lw_module *from,
                              struct lw_str dotted)
{
    size_t dots = 0;
    while (dots < dotted.n && dotted.p[dots] == '.')
        dots++;
    if (dots == 0 || !from)
        return dotted;
    struct lw_str package = from->name;
    for (size_t up = from->is_package ? 1 : 0; up < dots; up++) {
        ptrdiff_t at = lw_str_find_last_char(package, '.');
        package.n = at < 0 ? 0 : (size_t)at;
    }
    struct lw_str rest = lw_str_from(dotted, dots);
    return lw_arena_printf(&p->arena, "%.*s%s%.*s", LW_F(package),
                           package.n && rest.n ? "." : "", LW_F(rest));
}

/* The module of the longest prefix of the dotted name; `*rest` is what follows it. */
static struct lw_module *longest_module(struct lw_project *p, struct lw_str dotted,
                                        struct lw_str *rest)
{
    struct lw_str prefix = dotted;
    for (;;) {
        struct lw_map_entry *e = lw_map_find(&p->by_name, prefix);
        if (e) {
            *rest = prefix.n < dotted.n ? lw_str_from(dotted, prefix.n + 1)
                                        : (struct lw_str){"", 0};
            return &p->modules[e->value];
        }
        ptrdiff_t at = lw_str_find_last_char(prefix, '.');
        if (at < 0)
            return NULL;
        prefix.n = (size_t)at;
    }
}

/* Goes on with what an import of the module names, followed by `rest`. */
static int follow_import(struct search *s, struct lw_module *m, uint32_t alias,
                         struct lw_str rest, struct lw_definition *out)
{
    struct lw_buf target;
    lw_buf_init(&target, s->project->mem, 0);
    lw_names_import_target(&m->tree, alias, &target);
    if (rest.n) {
        (void)lw_buf_add_char(&target, '.');
        (void)lw_buf_add(&target, rest);
    }
    int rc = target.failed ? lw_err_nomem(s->err) : find_dotted(s, m, lw_buf_str(&target), out);
    lw_buf_release(&target);
    return rc;
}

/* The last definition of the symbol that has `rest`, or LW_NO_NODE. */
static uint32_t definition_with(const struct lw_names *n, uint32_t symbol, struct lw_str rest)
{
    uint32_t last = n->symbols.v[symbol].last_definition, found = LW_NO_NODE;
    if (last == LW_NO_NODE || rest.n == 0 || lw_tree_kind(n->tree, last) == LW_NODE_FUNCTION)
        return last;
    found = lw_names_method(n, last, rest);
    if (found != LW_NO_NODE)
        return found;
    for (uint32_t b = n->symbols.v[symbol].first_binding; b != LW_NO_SYMBOL;
         b = n->bindings.v[b].next) {
        const struct lw_binding *at = &n->bindings.v[b];
        uint32_t node = at->kind == LW_BIND_FUNCTION ? at->node : LW_NO_NODE;
        if (at->kind == LW_BIND_CLASS)
            node = lw_names_method(n, at->node, rest);
        if (node != LW_NO_NODE)
            found = node;
    }
    return found;
}

/* What the last definition of the symbol leads to, or the first import. */
static int follow_symbol(struct search *s, struct lw_module *m, uint32_t symbol,
                         struct lw_str rest, struct lw_definition *out)
{
    uint32_t node = definition_with(&m->names, symbol, rest);
    uint32_t import = m->names.symbols.v[symbol].first_import;
    if (node != LW_NO_NODE)
        *out = (struct lw_definition){m, node};
    if (node != LW_NO_NODE || import == LW_NO_NODE)
        return 0;
    return follow_import(s, m, import, rest, out);
}

static int find_in_module(struct search *s, struct lw_module *m, struct lw_str rest,
                          struct lw_definition *out)
{
    int rc = lw_project_load(s->project, m, s->err);
    if (rc < 0)
        return rc;
    if (rest.n == 0) {
        *out = (struct lw_definition){m, m->tree.root};
        return 0;
    }
    ptrdiff_t dot = lw_str_find_char(rest, '.');
    struct lw_str head = lw_str_part(rest, 0, dot < 0 ? rest.n : (size_t)dot);
    struct lw_str tail = dot < 0 ? (struct lw_str){"", 0} : lw_str_from(rest, (size_t)dot + 1);
    uint32_t symbol = lw_names_find(&m->names, 0, head);
    if (symbol != LW_NO_SYMBOL)
        return follow_symbol(s, m, symbol, tail, out);
    for (size_t i = 0; i < m->names.stars.n && rc == 0 && !out->module; i++)
        rc = follow_import(s, m, m->names.stars.v[i], rest, out);
    return rc;
}

static int find_dotted(struct search *s, const struct lw_module *from, struct lw_str dotted,
                       struct lw_definition *out)
{
    struct lw_str rest, whole = absolute(s->project, from, dotted);
    if (!whole.p && dotted.n)
        return lw_err_nomem(s->err);
    if (whole.n == 0 || s->hops-- <= 0)
        return 0;
    struct lw_module *m = longest_module(s->project, whole, &rest);
    return m ? find_in_module(s, m, rest, out) : 0;
}

int lw_project_find(struct lw_project *p, const struct lw_module *from, struct lw_str dotted,
                    struct lw_definition *out, struct lw_err *err)
{
    struct search s = {p, err, MOST_HOPS};
    *out = (struct lw_definition){NULL, LW_NO_NODE};
    return find_dotted(&s, from, dotted, out);
}
