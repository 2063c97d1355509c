#include "verify/pythons.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/str.h"

/* What an interpreter says about itself: executable, version, prefixes, then its folders. */
static const char question[] = "import sys\n"
                               "print(sys.executable)\n"
                               "print('%d.%d.%d' % sys.version_info[:3])\n"
                               "print(sys.prefix)\n"
                               "print(sys.base_prefix)\n"
                               "for p in sys.path:\n"
                               "    if p: print(p)\n";

struct loading {
    struct pythons *out;
    const struct lw_ctx *ctx;
    struct lw_csv cache; /* the remembered answers, read once */
    lw_str_vec rows;     /* "path\nstamp\nanswer" of those that are still true */
    struct lw_buf cache_path;
    bool learnt; /* something new to remember */
};

/* Changes whenever the file does. */
static struct lw_str stamp_of(struct lw_arena *arena, const struct stat *st)
{
    return lw_arena_printf(arena, "%lld.%09ld.%lld", (long long)st->st_mtim.tv_sec,
                           st->st_mtim.tv_nsec, (long long)st->st_size);
}

static void find_cache(struct lw_buf *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    lw_buf_init(path, NULL, 4096);
    if (cache && *cache == '/')
        lw_buf_addf(path, "%s/lacewing/pythons.csv", cache);
    else if (home && *home == '/')
        lw_buf_addf(path, "%s/.cache/lacewing/pythons.csv", home);
}

/* A cache that cannot be read, or not understood, is as good as none. */
static void read_cache(struct loading *l)
{
    struct lw_err ignored;
    struct lw_arena *arena = &l->out->arena;
    if (l->cache_path.n == 0 || lw_file_kind(lw_buf_z(&l->cache_path)) != LW_FILE_REGULAR ||
        lw_csv_open_file(&l->cache, l->ctx->mem, lw_buf_z(&l->cache_path), ',', &ignored) < 0)
        return;
    while (lw_csv_next(&l->cache, &ignored) > 0) {
        if (l->cache.fields.n != 3)
            continue;
        const struct lw_str *f = l->cache.fields.v;
        struct lw_str row =
            lw_arena_printf(arena, "%.*s\n%.*s\n%.*s", LW_F(f[0]), LW_F(f[1]), LW_F(f[2]));
        if (row.p)
            (void)lw_vec_push(l->ctx->mem, &l->rows, row);
    }
    lw_csv_close(&l->cache);
}

static void write_cache(const struct loading *l)
{
    struct lw_buf text;
    struct lw_err ignored;
    lw_buf_init(&text, l->ctx->mem, 0);
    struct lw_sink out = lw_sink_buf(&text);
    for (size_t i = 0; i < l->rows.n; i++) {
        struct lw_str rest = l->rows.v[i], path, stamp;
        lw_str_split(&rest, '\n', &path);
        lw_str_split(&rest, '\n', &stamp);
        lw_csv_put(&out, path, true);
        lw_csv_put(&out, stamp, false);
        lw_csv_put(&out, rest, false);
        lw_csv_end_row(&out);
    }
    if (!out.error && lw_dir_make_for(lw_buf_z(&l->cache_path), &ignored) == 0)
        (void)lw_file_write(lw_buf_z(&l->cache_path), lw_buf_str(&text), 0600, &ignored);
    lw_buf_release(&text);
}

/* Four lines at least: see the question. */
static bool is_answer(struct lw_str text)
{
    struct lw_str line;
    for (int i = 0; i < 4; i++)
        if (!lw_str_line(&text, &line) || line.n == 0)
            return false;
    return true;
}

/* The remembered answer of the interpreter, or empty. */
static struct lw_str recall(const struct loading *l, struct lw_str path, struct lw_str stamp)
{
    for (size_t i = 0; i < l->rows.n; i++) {
        struct lw_str rest = l->rows.v[i], row_path, row_stamp;
        if (lw_str_split(&rest, '\n', &row_path) && lw_str_split(&rest, '\n', &row_stamp) &&
            lw_str_eq(path, row_path) && lw_str_eq(stamp, row_stamp) && is_answer(rest))
            return rest;
    }
    return (struct lw_str){NULL, 0};
}

/* An interpreter that does not answer is none; only a lack of this machine is a failure. */
static int ask(struct loading *l, const char *path, struct lw_str *answer, struct lw_err *err)
{
    *answer = (struct lw_str){NULL, 0};
    const char *const argv[] = {path, "-I", "-c", question, NULL};
    const char *home = getenv("HOME"), *search = getenv("PATH");
    struct lw_arena *arena = &l->out->arena;
    /* Wrappers such as pyenv's need to know where they live. */
    const char *const env[] = {
        lw_arena_printf(arena, "HOME=%s", home ? home : "/").p,
        lw_arena_printf(arena, "PATH=%s", search ? search : "/usr/bin:/bin").p, NULL};
    struct lw_proc proc = {
        .argv = argv, .env = env, .wall_seconds = 10, .cancel = l->ctx->cancel};
    struct lw_run run;
    int rc = lw_proc_run(&run, arena, &proc, err);
    if (rc < 0)
        return rc == LW_ENOMEM || rc == LW_ELACK ? rc : 0;
    if (run.end == LW_RUN_EXITED && run.exit == 0)
        *answer = run.out;
    return 0;
}

/* Folders outside /usr must be shown to a confined program. */
static void add_bind(struct python *py, struct lw_arena *arena, struct lw_str folder)
{
    if (folder.n <= 1 || lw_str_has_prefix(folder, LW_S("/usr/")) ||
        lw_str_eq(folder, LW_S("/usr")) || py->bind_count == PYTHON_BINDS)
        return;
    for (size_t i = 0; i < py->bind_count; i++)
        if (lw_str_eq(folder, lw_str(py->binds[i].from)))
            return;
    struct lw_str copy = lw_arena_copy(arena, folder);
    if (copy.p)
        py->binds[py->bind_count++] = (struct lw_bind){.from = copy.p};
}

static void add_answer(struct loading *l, struct lw_str answer)
{
    struct lw_arena *arena = &l->out->arena;
    struct python py = {0};
    struct lw_str executable, prefix, base;
    if (!lw_str_line(&answer, &executable) || !lw_str_line(&answer, &py.version) ||
        !lw_str_line(&answer, &prefix) || !lw_str_line(&answer, &base))
        return;
    for (size_t i = 0; i < l->out->all.n; i++)
        if (lw_str_eq(executable, lw_str(l->out->all.v[i].path)))
            return;
    py.path = lw_arena_copy(arena, executable).p;
    py.folders = lw_arena_copy(arena, answer);
    add_bind(&py, arena, prefix);
    add_bind(&py, arena, base);
    if (py.path && py.folders.p)
        (void)lw_vec_push(l->ctx->mem, &l->out->all, py);
}

static int consider(struct loading *l, const char *path, struct lw_err *err)
{
    struct stat st;
    struct lw_arena *arena = &l->out->arena;
    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || access(path, X_OK) < 0)
        return 0;
    struct lw_str stamp = stamp_of(arena, &st);
    struct lw_str answer = recall(l, lw_str(path), stamp);
    if (answer.n == 0) {
        int rc = ask(l, path, &answer, err);
        if (rc < 0 || !is_answer(answer))
            return rc;
        struct lw_str row = lw_arena_printf(arena, "%s\n%s\n%.*s", path, stamp.p, LW_F(answer));
        l->learnt = row.p && lw_vec_push(l->ctx->mem, &l->rows, row) == 0;
    }
    add_answer(l, answer);
    return 0;
}

/* The user's choice, the system's own (which has Debian's packages), then what is on PATH. */
static int consider_all(struct loading *l, struct lw_err *err)
{
    static const char *const names[] = {"python3", "python"};
    const char *chosen = getenv("LACEWING_PYTHON");
    int rc = chosen && *chosen == '/' ? consider(l, chosen, err) : 0;
    if (rc == 0)
        rc = consider(l, "/usr/bin/python3", err);
    struct lw_str rest = lw_str(getenv("PATH")), folder;
    while (rc == 0 && lw_str_split(&rest, ':', &folder))
        for (size_t i = 0; rc == 0 && i < 2 && folder.n && folder.p[0] == '/'; i++) {
            struct lw_str path =
                lw_arena_printf(&l->out->arena, "%.*s/%s", LW_F(folder), names[i]);
            rc = path.p ? consider(l, path.p, err) : lw_err_nomem(err);
        }
    return rc;
}

int pythons_load(struct pythons *p, const struct lw_ctx *ctx, struct lw_err *err)
{
    struct loading l = {.out = p, .ctx = ctx};
    *p = (struct pythons){0};
    lw_arena_init(&p->arena, ctx->mem, 0);
    find_cache(&l.cache_path);
    read_cache(&l);
    int rc = consider_all(&l, err);
    if (l.learnt && l.cache_path.n)
        write_cache(&l);
    lw_vec_release(ctx->mem, &l.rows);
    lw_buf_release(&l.cache_path);
    if (rc < 0)
        pythons_release(p);
    return rc;
}

void pythons_release(struct pythons *p)
{
    lw_vec_release(p->arena.mem, &p->all);
    lw_arena_release(&p->arena);
}

/* Is it "module", "module.py" or "module.cpython-311-x86_64-linux-gnu.so"? */
static bool is_module_file(struct lw_str entry, struct lw_str module)
{
    if (!lw_str_has_prefix(entry, module))
        return false;
    struct lw_str rest = lw_str_from(entry, module.n);
    return rest.n == 0 || lw_str_eq(rest, LW_S(".py")) ||
           (rest.p[0] == '.' && lw_str_has_suffix(rest, LW_S(".so")));
}

/* A folder that an uninstalled package left behind is empty, but for compiled files. */
static bool is_left_over(const char *folder, struct lw_str name)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%.*s", folder, LW_F(name));
    struct stat st;
    if (n < 0 || (size_t)n >= sizeof path || stat(path, &st) < 0)
        return true;
    if (!S_ISDIR(st.st_mode))
        return false;
    DIR *dir = opendir(path);
    bool empty = true;
    for (const struct dirent *e; empty && dir && (e = readdir(dir));)
        empty = e->d_name[0] == '.' || strcmp(e->d_name, "__pycache__") == 0;
    if (dir)
        closedir(dir);
    return empty;
}

static bool folder_has(struct lw_str folder, struct lw_str module)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%.*s/%.*s/__init__.py", LW_F(folder), LW_F(module));
    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    if (access(path, R_OK) == 0)
        return true;
    path[folder.n] = '\0';
    DIR *dir = opendir(path);
    bool found = false;
    for (const struct dirent *e; !found && dir && (e = readdir(dir));)
        found =
            is_module_file(lw_str(e->d_name), module) && !is_left_over(path, lw_str(e->d_name));
    if (dir)
        closedir(dir);
    return found;
}

bool python_has(const struct python *python, struct lw_str module)
{
    struct lw_str rest = python->folders, folder;
    while (lw_str_line(&rest, &folder))
        if (folder_has(folder, module))
            return true;
    return false;
}

/* "torch-1.13.1.dist-info" and "torch-1.13.1.egg-info" (a folder or a file) name the version.
 */
static struct lw_str version_in(struct lw_str entry, struct lw_str package)
{
    struct lw_str none = {"", 0};
    if (entry.n <= package.n + 1 || entry.p[package.n] != '-' ||
        !lw_str_eq_nocase(lw_str_part(entry, 0, package.n), package))
        return none;
    struct lw_str version = lw_str_from(entry, package.n + 1);
    ptrdiff_t end = lw_str_find(version, LW_S(".dist-info"));
    if (end == LW_NPOS)
        end = lw_str_find(version, LW_S(".egg-info"));
    if (end == LW_NPOS)
        return none;
    version.n = (size_t)end;
    ptrdiff_t python_tag = lw_str_find(version, LW_S("-py"));
    if (python_tag != LW_NPOS)
        version.n = (size_t)python_tag;
    return version;
}

struct lw_str python_package_version(const struct python *python, struct lw_str package,
                                     struct lw_arena *arena)
{
    struct lw_str rest = python->folders, folder, found = {"", 0};
    while (found.n == 0 && lw_str_line(&rest, &folder)) {
        struct lw_str z = lw_arena_copy(arena, folder);
        DIR *dir = z.p ? opendir(z.p) : NULL;
        for (const struct dirent *e; found.n == 0 && dir && (e = readdir(dir));)
            found = lw_arena_copy(arena, version_in(lw_str(e->d_name), package));
        if (dir)
            closedir(dir);
    }
    return found.p ? found : (struct lw_str){"", 0};
}
