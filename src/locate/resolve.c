#include "locate/resolve.h"

#include <string.h>

#include "base/path.h"
#include "base/str.h"

static bool same_letter(char a, char b)
{
    return a == b || (a == '/' && b == '\\') || (a == '\\' && b == '/');
}

/* How many whole components at the end of both are the same; all of the shorter one counts. */
static size_t common_tail(struct lw_str a, struct lw_str b)
{
    size_t parts = 0, i = 0;
    while (i < a.n && i < b.n && same_letter(a.p[a.n - 1 - i], b.p[b.n - 1 - i])) {
        i++;
        bool a_ends = i == a.n || a.p[a.n - 1 - i] == '/' || a.p[a.n - 1 - i] == '\\';
        bool b_ends = i == b.n || b.p[b.n - 1 - i] == '/' || b.p[b.n - 1 - i] == '\\';
        parts += a_ends && b_ends && a.p[a.n - i] != '/' && a.p[a.n - i] != '\\';
    }
    return parts;
}

static size_t components(struct lw_str path)
{
    size_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < path.n; i++) {
        bool slash = path.p[i] == '/' || path.p[i] == '\\';
        n += !slash && !inside;
        inside = !slash;
    }
    return n;
}

size_t lw_resolve_path(const struct lw_files *files, struct lw_str path)
{
    size_t best = SIZE_MAX, most = 0, ties = 0;
    for (size_t i = 0; i < files->n; i++) {
        size_t parts = common_tail(files->v[i].path, path);
        if (parts == 0 || parts < most)
            continue;
        bool shorter = best == SIZE_MAX || files->v[i].path.n < files->v[best].path.n;
        ties = parts == most ? ties + 1 : 0;
        if (parts > most || shorter)
            best = i;
        most = parts;
    }
    if (most >= 2)
        return best;
    /* Only the file name agrees: fine for a bare name that is the only one, or for a file at
     * the top of the repository. */
    bool bare = components(path) == 1;
    bool top = most == 1 && best != SIZE_MAX && components(files->v[best].path) == 1;
    return most == 1 && ((bare && ties == 0) || top) ? best : SIZE_MAX;
}

/* "a.b.c" after `folder`, as a/b/c.py or a/b/c/__init__.py. */
static size_t find_module(const struct lw_case *c, struct lw_str folder, struct lw_str dotted)
{
    static const char *const ends[] = {".py", "/__init__.py"};
    const struct lw_files *files = &c->snapshot->files;
    for (size_t i = 0; i < 2; i++) {
        struct lw_str path =
            lw_arena_printf(c->arena, "%.*s%s%.*s%s", LW_F(folder),
                            folder.n && dotted.n ? "/" : "", LW_F(dotted), ends[i]);
        if (!path.p)
            return SIZE_MAX;
        char *p = (char *)(uintptr_t)path.p;
        for (size_t k = 0; k < dotted.n; k++)
            if (dotted.p[k] == '.')
                p[folder.n + (folder.n > 0) + k] = '/';
        size_t found = lw_files_find(files, path);
        if (found != SIZE_MAX)
            return found;
    }
    return SIZE_MAX;
}

/* A module, or the module that holds the name: "a.b.Name" is in a/b.py. */
static size_t find_name(const struct lw_case *c, struct lw_str folder, struct lw_str module,
                        struct lw_str name)
{
    if (name.n && !lw_str_eq(name, LW_S("*"))) {
        struct lw_str both =
            module.n ? lw_arena_printf(c->arena, "%.*s.%.*s", LW_F(module), LW_F(name)) : name;
        size_t found = find_module(c, folder, both);
        if (found != SIZE_MAX)
            return found;
    }
    return module.n || folder.n ? find_module(c, folder, module) : SIZE_MAX;
}

size_t lw_resolve_import(const struct lw_case *c, size_t file, const struct lw_import *import)
{
    struct lw_doc doc = c->snapshot->files.v[file].doc;
    struct lw_str folder = lw_path_parent(c->snapshot->files.v[file].path);
    struct lw_str module = lw_doc_name(doc, import->module),
                  name = lw_doc_name(doc, import->name);
    if (lw_str_eq(folder, LW_S(".")))
        folder = LW_S("");
    for (uint32_t level = 1; level < import->level && folder.n; level++) {
        folder = lw_path_parent(folder);
        if (lw_str_eq(folder, LW_S(".")))
            folder = LW_S("");
    }
    if (import->level)
        return find_name(c, folder, module, name);
    /* Absolute: from the top, or from any folder above the file (src/, lib/, scripts). */
    for (;;) {
        size_t found = find_name(c, folder, module, name);
        if (found != SIZE_MAX || !folder.n)
            return found;
        folder = lw_path_parent(folder);
        if (lw_str_eq(folder, LW_S(".")))
            folder = LW_S("");
    }
}
