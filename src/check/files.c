/* Which files to check: those below a folder that .gitignore does not name. */
#include "base/err.h"
#include "base/path.h"
#include "base/str.h"
#include "check/check.h"

enum { MAX_DEPTH = 64, MAX_FILES = 200000, MAX_IGNORE = 1 << 20 };

struct pattern {
    struct lw_str text; /* without the marks below */
    struct lw_str base; /* folder of the .gitignore, relative to the top */
    bool negated;       /* !x */
    bool folders;       /* x/ */
    bool anchored;      /* has a slash inside or in front */
};

struct walk {
    lw_str_vec *out;
    struct lw_arena *arena;
    struct lw_mem *mem;
    LW_VEC(struct pattern) patterns;
    struct lw_err *err;
};

/* ---- gitignore ----------------------------------------------------------------------------
 */

/* Shell patterns: * and ? stop at a slash, ** does not. */
static bool matches(struct lw_str p, struct lw_str s, unsigned depth)
{
    while (p.n > 0) {
        if (p.p[0] == '*') {
            bool deep = p.n > 1 && p.p[1] == '*';
            struct lw_str rest = lw_str_from(p, deep ? 2 : 1);
            if (deep && rest.n > 0 && rest.p[0] == '/' && depth < MAX_DEPTH &&
                matches(lw_str_from(rest, 1), s, depth + 1))
                return true;
            for (size_t i = 0;; i++) {
                if (depth < MAX_DEPTH && matches(rest, lw_str_from(s, i), depth + 1))
                    return true;
                if (i >= s.n || (!deep && s.p[i] == '/'))
                    return false;
            }
        }
        if (s.n == 0 || (p.p[0] != '?' && p.p[0] != s.p[0]) || (p.p[0] == '?' && s.p[0] == '/'))
            return false;
        p = lw_str_from(p, 1);
        s = lw_str_from(s, 1);
    }
    return s.n == 0;
}

static int read_ignore(struct walk *w, struct lw_str folder, struct lw_str base)
{
    struct lw_buf path;
    struct lw_str text, line;
    struct lw_err none;
    lw_buf_init(&path, w->mem, 4096);
    int rc = lw_path_append(&path, folder, LW_S(".gitignore"));
    bool there = rc == 0 && lw_file_kind(lw_buf_z(&path)) == LW_FILE_REGULAR;
    rc = there ? lw_file_read(w->arena, lw_buf_z(&path), MAX_IGNORE, &text, &none) : -1;
    lw_buf_release(&path);
    if (rc < 0)
        return rc == LW_ENOMEM ? rc : 0;
    while (lw_str_line(&text, &line)) {
        struct pattern p = {.text = lw_str_trim(line), .base = base};
        if (p.text.n == 0 || p.text.p[0] == '#')
            continue;
        p.negated = p.text.p[0] == '!';
        p.text = lw_str_from(p.text, p.negated);
        p.folders = p.text.n > 0 && p.text.p[p.text.n - 1] == '/';
        p.text = lw_str_part(p.text, 0, p.text.n - p.folders);
        p.anchored = lw_str_find_char(p.text, '/') >= 0;
        if (p.text.n && p.text.p[0] == '/')
            p.text = lw_str_from(p.text, 1);
        if (p.text.n && lw_vec_push(w->mem, &w->patterns, p) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static bool is_ignored(const struct walk *w, struct lw_str path, bool folder)
{
    bool ignored = false;
    for (size_t i = 0; i < w->patterns.n; i++) {
        const struct pattern *p = &w->patterns.v[i];
        struct lw_str rest = path;
        if (p->base.n) {
            if (!lw_str_has_prefix(path, p->base) || path.n <= p->base.n)
                continue;
            rest = lw_str_from(path, p->base.n + 1);
        }
        if (p->folders && !folder)
            continue;
        struct lw_str what = p->anchored ? rest : lw_path_name(rest);
        if (matches(p->text, what, 0))
            ignored = !p->negated;
    }
    return ignored;
}

/* ---- folders ------------------------------------------------------------------------------
 */

static bool is_program(struct lw_str name)
{
    return lw_str_has_suffix(name, LW_S(".py")) || lw_str_has_suffix(name, LW_S(".ipynb"));
}

static int walk_folder(struct walk *w, struct lw_str folder, struct lw_str base,
                       unsigned depth);

static int walk_entry(struct walk *w, struct lw_str folder, struct lw_str base,
                      struct lw_str name, unsigned depth)
{
    struct lw_str path =
        lw_str_eq(folder, LW_S("."))
            ? lw_arena_copy(w->arena, name)
            : lw_arena_printf(w->arena, "%.*s%s%.*s", LW_F(folder),
                              lw_str_has_suffix(folder, LW_S("/")) ? "" : "/", LW_F(name));
    struct lw_str below =
        base.n ? lw_arena_printf(w->arena, "%.*s/%.*s", LW_F(base), LW_F(name)) : name;
    if (!path.p || !below.p)
        return lw_err_nomem(w->err);
    enum lw_file_kind kind = lw_file_kind(path.p);
    if (is_ignored(w, below, kind == LW_FILE_FOLDER))
        return 0;
    if (kind == LW_FILE_FOLDER)
        return walk_folder(w, path, below, depth + 1);
    if (kind != LW_FILE_REGULAR || !is_program(name))
        return 0;
    if (w->out->n >= MAX_FILES)
        return lw_err_set(w->err, LW_ELIMIT, "more than %d files", MAX_FILES);
    return lw_vec_push(w->mem, w->out, path) < 0 ? lw_err_nomem(w->err) : 0;
}

static int walk_folder(struct walk *w, struct lw_str folder, struct lw_str base, unsigned depth)
{
    lw_str_vec names = {0};
    if (depth > MAX_DEPTH)
        return 0;
    size_t before = w->patterns.n;
    int rc = read_ignore(w, folder, base);
    if (rc == 0)
        rc = lw_dir_list(w->arena, w->mem, folder.p, &names, w->err);
    else
        lw_err_nomem(w->err);
    for (size_t i = 0; rc == 0 && i < names.n; i++)
        if (names.v[i].p[0] != '.' && !lw_str_eq(names.v[i], LW_S("__pycache__")) &&
            !lw_str_eq(names.v[i], LW_S("node_modules")))
            rc = walk_entry(w, folder, base, names.v[i], depth);
    lw_vec_release(w->mem, &names);
    w->patterns.n = before;
    return rc;
}

int lw_check_files(lw_str_vec *out, struct lw_arena *arena, struct lw_mem *mem,
                   const char *path, struct lw_err *err)
{
    struct lw_str copy = lw_arena_copy(arena, lw_str(path));
    if (!copy.p)
        return lw_err_nomem(err);
    if (lw_str_eq(copy, LW_S("-")) || lw_file_kind(path) != LW_FILE_FOLDER)
        return lw_vec_push(mem, out, copy) < 0 ? lw_err_nomem(err) : 0;
    struct walk w = {.out = out, .arena = arena, .mem = mem, .err = err};
    int rc = walk_folder(&w, copy, (struct lw_str){0}, 0);
    lw_vec_release(mem, &w.patterns);
    return rc;
}
