/* Which files to check: those below a folder that .gitignore does not name. */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

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

/* "[a-z]", "[!x]" at the head of `p`: does it take `ch`? Its length goes to `n`, 0 when it is
 * no such thing. */
static bool in_class(struct lw_str p, char ch, size_t *n)
{
    size_t i = 1;
    bool negated = i < p.n && (p.p[i] == '!' || p.p[i] == '^'), found = false;
    i += negated;
    for (size_t first = i; i < p.n && (p.p[i] != ']' || i == first); i++) {
        bool range = i + 2 < p.n && p.p[i + 1] == '-' && p.p[i + 2] != ']';
        found |= range ? ch >= p.p[i] && ch <= p.p[i + 2] : ch == p.p[i];
        i += range ? 2 : 0;
    }
    *n = i < p.n ? i + 1 : 0;
    return found != negated;
}

/* One character of the text against the head of the pattern; how much of the pattern it took,
 * 0 when it does not fit. */
static size_t fits_one(struct lw_str p, char ch)
{
    size_t n;
    if (p.p[0] == '?')
        return ch != '/';
    if (p.p[0] == '[') {
        bool in = in_class(p, ch, &n);
        if (n > 0)
            return in && ch != '/' ? n : 0;
    }
    if (p.p[0] == '\\' && p.n > 1)
        return p.p[1] == ch ? 2 : 0;
    return p.p[0] == ch;
}

/* Where to go on when the pattern does not fit: a star that may take more. */
struct star {
    struct lw_str p, s;
    bool set, folders;
};

static bool take_more(struct star *deep, struct star *flat, struct lw_str *p, struct lw_str *s)
{
    if (flat->set && flat->s.n && flat->s.p[0] != '/') {
        flat->s = lw_str_from(flat->s, 1);
        *p = flat->p;
        *s = flat->s;
        return true;
    }
    flat->set = false;
    if (!deep->set || deep->s.n == 0)
        return false;
    ptrdiff_t slash = deep->folders ? lw_str_find_char(deep->s, '/') : 0;
    if (slash < 0)
        return false;
    deep->s = lw_str_from(deep->s, (size_t)slash + 1);
    *p = deep->p;
    *s = deep->s;
    return true;
}

/* Shell patterns: * and ? stop at a slash, ** does not. Only the last star of each kind is ever
 * taken back, so that a pattern of many stars costs no more than its length times the text. */
static bool matches(struct lw_str p, struct lw_str s)
{
    struct star deep = {.set = false}, flat = {.set = false};
    for (;;) {
        if (p.n > 1 && p.p[0] == '*' && p.p[1] == '*') {
            bool folders = p.n > 2 && p.p[2] == '/';
            p = lw_str_from(p, folders ? 3 : 2);
            deep = (struct star){.p = p, .s = s, .set = true, .folders = folders};
            flat.set = false;
            continue;
        }
        if (p.n > 0 && p.p[0] == '*') {
            p = lw_str_from(p, 1);
            flat = (struct star){.p = p, .s = s, .set = true};
            continue;
        }
        if (p.n == 0 && s.n == 0)
            return true;
        size_t took = p.n && s.n ? fits_one(p, s.p[0]) : 0;
        if (took) {
            p = lw_str_from(p, took);
            s = lw_str_from(s, 1);
        } else if (!take_more(&deep, &flat, &p, &s))
            return false;
    }
}

static int read_ignore(struct walk *w, struct lw_str folder, struct lw_str base)
{
    struct lw_buf path;
    struct lw_str text, line;
    lw_buf_init(&path, w->mem, 4096);
    int rc = lw_path_append(&path, folder, LW_S(".gitignore"));
    bool there = rc == 0 && lw_file_kind(lw_buf_z(&path)) == LW_FILE_REGULAR;
    rc = there ? lw_file_read(w->arena, lw_buf_z(&path), MAX_IGNORE, &text, w->err) : -1;
    lw_buf_release(&path);
    if (rc < 0)
        return rc == LW_ENOMEM || rc == LW_ELACK ? rc : 0;
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
            return lw_err_nomem(w->err);
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
        if (matches(p->text, what))
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

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
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
    if (kind == LW_FILE_FOLDER) /* links may lead in circles */
        return is_link(path.p) ? 0 : walk_folder(w, path, below, depth + 1);
    if (kind != LW_FILE_REGULAR || !is_program(name))
        return 0;
    if (w->out->n >= MAX_FILES)
        return lw_err_set(w->err, LW_ELIMIT, "more than %d files", MAX_FILES);
    return lw_vec_push(w->mem, w->out, path) < 0 ? lw_err_nomem(w->err) : 0;
}

/* Folders that hold what others wrote. */
static bool is_foreign(struct lw_str name)
{
    static const char *const names[] = {"__pycache__", "node_modules", "site-packages",
                                        "dist-packages"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lw_str_eq(name, lw_str(names[i])))
            return true;
    return name.p[0] == '.';
}

/* A virtual environment, of venv or conda. */
static bool is_environment(const lw_str_vec *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (lw_str_eq(names->v[i], LW_S("pyvenv.cfg")) ||
            lw_str_eq(names->v[i], LW_S("conda-meta")))
            return true;
    return false;
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
    if (rc < 0 && rc != LW_ENOMEM &&
        rc != LW_ELACK) { /* reading it as a file says why, and the others go on */
        *w->err = (struct lw_err){0};
        rc = lw_vec_push(w->mem, w->out, folder) < 0 ? lw_err_nomem(w->err) : 0;
    }
    bool foreign = depth > 0 && is_environment(&names);
    for (size_t i = 0; rc == 0 && !foreign && i < names.n; i++)
        if (!is_foreign(names.v[i]))
            rc = walk_entry(w, folder, base, names.v[i], depth);
    lw_vec_release(w->mem, &names);
    w->patterns.n = before;
    return rc;
}

/* The .gitignore files of the folders above, from the top of the repository. `base` becomes the
 * path of `folder` below it; both stay empty outside of a repository. */
static int read_above(struct walk *w, const char *folder, struct lw_str *base)
{
    char whole[PATH_MAX];
    struct lw_buf mark;
    *base = (struct lw_str){0};
    if (!realpath(folder, whole))
        return 0;
    struct lw_str here = lw_arena_copy(w->arena, lw_str(whole)), top = here;
    if (!here.p)
        return lw_err_nomem(w->err);
    lw_buf_init(&mark, w->mem, 2 * PATH_MAX);
    bool found = false;
    for (;;) {
        found = lw_path_append(&mark, top, LW_S(".git")) == 0 &&
                lw_file_kind(lw_buf_z(&mark)) != LW_FILE_NONE;
        struct lw_str parent = lw_path_parent(top);
        if (found || lw_str_eq(parent, top))
            break;
        top = parent;
    }
    lw_buf_release(&mark);
    if (!found || top.n >= here.n)
        return 0;
    *base = lw_str_from(here, top.n + (top.p[top.n - 1] != '/'));
    int rc = read_ignore(w, lw_arena_copy(w->arena, top), (struct lw_str){0});
    for (size_t i = 0; rc == 0 && i < base->n; i++)
        if (base->p[i] == '/')
            rc = read_ignore(w,
                             lw_arena_printf(w->arena, "%.*s/%.*s", LW_F(top), (int)i, base->p),
                             lw_str_part(*base, 0, i));
    return rc;
}

int lw_check_files(lw_str_vec *out, struct lw_arena *arena, struct lw_mem *mem,
                   const char *path, struct lw_err *err)
{
    struct lw_str copy = lw_arena_copy(arena, lw_str(path)), base;
    if (!copy.p)
        return lw_err_nomem(err);
    if (lw_str_eq(copy, LW_S("-")) || lw_file_kind(path) != LW_FILE_FOLDER)
        return lw_vec_push(mem, out, copy) < 0 ? lw_err_nomem(err) : 0;
    struct walk w = {.out = out, .arena = arena, .mem = mem, .err = err};
    int rc = read_above(&w, path, &base);
    if (rc == 0)
        rc = walk_folder(&w, copy, base, 0);
    lw_vec_release(mem, &w.patterns);
    return rc;
}
