#include "sandbox/python.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/embedded.h"

enum { NAME_MAX_BYTES = 100, MAX_NEEDS = 200, MAX_BINDS = 8 };

static const double PROBE_SECONDS = 30; /* a cold import of a large framework may be in it */

/* What an interpreter said about a module. */
struct module {
    struct lw_str name;
    struct lw_str version;
    bool present;
};

/* A file that may be an interpreter; nothing is known before it was asked. */
struct candidate {
    const char *path;
    bool asked, usable;
    struct lw_python python;
    struct lw_bind binds[MAX_BINDS];
    LW_VEC(struct module) modules;
};

/* A row of data/python_modules.csv. */
struct package {
    struct lw_str module, debian, pip;
};

struct lw_pythons {
    struct lw_mem *mem;
    struct lw_arena arena; /* all text, and the candidates themselves */
    pthread_mutex_t lock;  /* over everything */
    LW_VEC(struct candidate *) candidates;
    LW_VEC(struct package) packages;
    struct lw_str script;
};

/* ---- Candidates
 * -------------------------------------------------------------------------------- */

static int add_candidate(struct lw_pythons *p, struct lw_str path)
{
    for (size_t i = 0; i < p->candidates.n; i++)
        if (lw_str_eq(lw_str(p->candidates.v[i]->path), path))
            return 0;
    struct candidate *c = lw_arena_alloc(&p->arena, sizeof *c);
    struct lw_str copy = lw_arena_copy(&p->arena, path);
    if (!c || !copy.p)
        return LW_ENOMEM;
    c->path = copy.p;
    return lw_vec_push(p->mem, &p->candidates, c);
}

static int compare_newest_first(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* python3 and then python3.N of one folder, the newest first. */
static int add_folder(struct lw_pythons *p, struct lw_str folder)
{
    enum { MAX_MINORS = 64 };
    int minors[MAX_MINORS];
    size_t n = 0;
    char path[1024];
    if (folder.n == 0 || folder.p[0] != '/' || folder.n > sizeof path - 40)
        return 0;
    snprintf(path, sizeof path, "%.*s", LW_F(folder));
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && n < MAX_MINORS && (e = readdir(dir));) {
        struct lw_str name = lw_str(e->d_name);
        int64_t minor;
        if (lw_str_has_prefix(name, LW_S("python3.")) &&
            lw_parse_i64(lw_str_from(name, 8), &minor) && minor >= 0 && minor < 1000)
            minors[n++] = (int)minor;
    }
    if (dir)
        closedir(dir);
    qsort(minors, n, sizeof *minors, compare_newest_first);
    for (size_t i = 0; i <= n; i++) {
        if (i == 0)
            snprintf(path, sizeof path, "%.*s/python3", LW_F(folder));
        else
            snprintf(path, sizeof path, "%.*s/python3.%d", LW_F(folder), minors[i - 1]);
        if (access(path, X_OK) == 0 && add_candidate(p, lw_str(path)) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int find_candidates(struct lw_pythons *p)
{
    const char *chosen = getenv("LACEWING_PYTHON"), *dirs = getenv("PATH");
    struct lw_str path;
    if (chosen && *chosen && lw_find_program(chosen, &p->arena, &path) &&
        add_candidate(p, path) < 0)
        return LW_ENOMEM;
    if (access("/usr/bin/python3", X_OK) == 0 && add_candidate(p, LW_S("/usr/bin/python3")) < 0)
        return LW_ENOMEM;
    struct lw_str rest = lw_str(dirs ? dirs : ""), folder;
    while (lw_str_split(&rest, ':', &folder))
        if (add_folder(p, folder) < 0)
            return LW_ENOMEM;
    return add_folder(p, LW_S("/usr/local/bin"));
}

/* ---- Packages
 * ---------------------------------------------------------------------------------- */

static int load_packages(struct lw_pythons *p, struct lw_err *err)
{
    static const struct lw_str name = {"data/python_modules.csv", 23};
    struct lw_str text;
    struct lw_csv csv;
    LW_BUG_ON(!lw_embedded_find(name, &text));
    int rc = lw_csv_open_text(&csv, p->mem, name, ',', text, err);
    if (rc < 0)
        return rc;
    bool header = true;
    while ((rc = lw_csv_next(&csv, err)) > 0) {
        if (!header && csv.fields.n == 3) {
            struct package row = {lw_arena_copy(&p->arena, csv.fields.v[0]),
                                  lw_arena_copy(&p->arena, csv.fields.v[1]),
                                  lw_arena_copy(&p->arena, csv.fields.v[2])};
            if (!row.module.p || !row.debian.p || !row.pip.p ||
                lw_vec_push(p->mem, &p->packages, row) < 0) {
                rc = lw_err_nomem(err);
                break;
            }
        }
        header = false;
    }
    lw_csv_close(&csv);
    return rc;
}

static const struct package *find_package(const struct lw_pythons *p, struct lw_str module)
{
    for (size_t i = 0; i < p->packages.n; i++)
        if (lw_str_eq(p->packages.v[i].module, module))
            return &p->packages.v[i];
    return NULL;
}

/* ---- Asking an interpreter
 * ----------------------------------------------------------------------- */

static struct module *find_module(const struct candidate *c, struct lw_str name)
{
    for (size_t i = 0; i < c->modules.n; i++)
        if (lw_str_eq(c->modules.v[i].name, name))
            return &c->modules.v[i];
    return NULL;
}

static bool is_below(struct lw_str path, struct lw_str folder)
{
    return lw_str_has_prefix(path, folder) && (path.n == folder.n || path.p[folder.n] == '/');
}

/* A folder the sandbox does not show anyway. An interpreter installed right into a home folder
 * or a top-level one does not open all of it: only its bin and lib are shown. */
static int add_prefix(struct lw_pythons *p, struct candidate *c, struct lw_str prefix)
{
    const char *home = getenv("HOME");
    if (prefix.n < 2 || prefix.p[0] != '/' || is_below(prefix, LW_S("/usr")))
        return 0;
    bool whole = lw_str_find_char(lw_str_from(prefix, 1), '/') >= 0 &&
                 !(home && lw_str_eq(prefix, lw_str(home)));
    const char *const parts[] = {whole ? "" : "/bin", whole ? NULL : "/lib"};
    for (size_t i = 0; i < 2 && parts[i] && c->python.bind_count < MAX_BINDS; i++) {
        const char *path = lw_arena_printf(&p->arena, "%.*s%s", LW_F(prefix), parts[i]).p;
        if (!path)
            return LW_ENOMEM;
        if (access(path, F_OK) == 0)
            c->binds[c->python.bind_count++] = (struct lw_bind){path, NULL};
    }
    return 0;
}

static int take_python(struct lw_pythons *p, struct candidate *c, const struct lw_str *field)
{
    struct lw_str path = lw_arena_copy(&p->arena, field[1]);
    c->python.path = path.p;
    c->python.version = lw_arena_copy(&p->arena, field[2]);
    c->python.binds = c->binds;
    c->python.bind_count = 0;
    c->usable = path.n > 0;
    return path.p && c->python.version.p ? 0 : LW_ENOMEM;
}

static int take_module(struct lw_pythons *p, struct candidate *c, const struct lw_str *field)
{
    if (find_module(c, field[1]))
        return 0;
    struct module m = {.name = lw_arena_copy(&p->arena, field[1]),
                       .present = lw_str_eq(field[2], LW_S("1")),
                       .version = lw_arena_copy(&p->arena, field[3])};
    if (!m.name.p || !m.version.p)
        return LW_ENOMEM;
    return lw_vec_push(p->mem, &c->modules, m);
}

/* The probe's lines; what else an interpreter prints is passed over. */
static int take_answer(struct lw_pythons *p, struct candidate *c, struct lw_str text)
{
    struct lw_str line;
    while (lw_str_line(&text, &line)) {
        struct lw_str field[4] = {{0}}, rest = line;
        size_t n = 0;
        while (n < 4 && lw_str_split(&rest, '\t', &field[n]))
            n++;
        int rc = 0;
        if (n == 3 && lw_str_eq(field[0], LW_S("python")) && !c->usable)
            rc = take_python(p, c, field);
        else if (n == 2 && lw_str_eq(field[0], LW_S("prefix")) && !c->asked)
            rc = add_prefix(p, c, field[1]);
        else if (n >= 3 && lw_str_eq(field[0], LW_S("module")))
            rc = take_module(p, c, field);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* The arguments for what is not known yet; NULL when memory ran out, `*count` 0 when all is. */
static const char **make_arguments(struct lw_pythons *p, struct lw_arena *scratch,
                                   const struct candidate *c,
                                   const struct lw_python_need *needs, size_t n, size_t *count)
{
    const char **argv = lw_arena_array(scratch, n + 5, sizeof *argv);
    if (!argv)
        return NULL;
    *count = 0;
    argv[0] = c->usable ? c->python.path : c->path;
    argv[1] = "-I";
    argv[2] = "-c";
    argv[3] = p->script.p;
    for (size_t i = 0; i < n; i++) {
        if (find_module(c, needs[i].module))
            continue;
        const struct package *package = find_package(p, needs[i].module);
        struct lw_str pip = package ? package->pip : (struct lw_str){0};
        const char *word =
            lw_arena_printf(scratch, "%.*s=%.*s", LW_F(needs[i].module), LW_F(pip)).p;
        if (!word)
            return NULL;
        argv[4 + (*count)++] = word;
    }
    return argv;
}

/* An interpreter that cannot be run, or does not answer, is not usable; only lack of memory is
 * a failure of ours. */
static int ask(struct lw_pythons *p, struct candidate *c, const struct lw_python_need *needs,
               size_t n)
{
    /* What pyenv's stand-ins and relocated interpreters need; -I ignores PYTHON* anyway. */
    static const char *const allowed[] = {
        "PATH", "HOME", "LANG", "PYENV_ROOT", "PYENV_VERSION", "LD_LIBRARY_PATH", NULL};
    struct lw_arena scratch;
    struct lw_run run;
    struct lw_err err = {0};
    size_t count;
    if (c->asked && !c->usable)
        return 0;
    lw_arena_init(&scratch, p->mem, 0);
    const char **argv = make_arguments(p, &scratch, c, needs, n, &count);
    struct lw_proc proc = {.argv = argv,
                           .env = lw_proc_env(&scratch, allowed, NULL),
                           .cwd = "/",
                           .wall_seconds = PROBE_SECONDS};
    int rc = argv && proc.env ? 0 : LW_ENOMEM;
    if (rc == 0 && (count > 0 || !c->asked)) {
        rc = lw_proc_run(&run, &scratch, &proc, &err);
        if (rc == 0)
            rc = take_answer(p, c, run.out);
        else if (rc != LW_ENOMEM)
            rc = 0;
        c->asked = true;
    }
    lw_arena_release(&scratch);
    return rc;
}

/* ---- Finding
 * ------------------------------------------------------------------------------------- */

static bool is_module_name(struct lw_str name)
{
    if (name.n == 0 || name.n > NAME_MAX_BYTES || (name.p[0] >= '0' && name.p[0] <= '9'))
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c != '_' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
            !(c >= 'A' && c <= 'Z'))
            return false;
    }
    return true;
}

static size_t count_missing(const struct candidate *c, const struct lw_python_need *needs,
                            size_t n)
{
    size_t missing = 0;
    for (size_t i = 0; i < n; i++) {
        const struct module *m = find_module(c, needs[i].module);
        missing += !m || !m->present;
    }
    return missing;
}

/* "apt-get install python3-torch" or "pip install tensorflow==2.4.0", for all that is missing.
 */
static int say_missing(const struct lw_pythons *p, const struct candidate *c,
                       const struct lw_python_need *needs, size_t n, struct lw_err *err)
{
    struct lw_buf names, debian, pip;
    lw_buf_init(&names, p->mem, 300);
    lw_buf_init(&debian, p->mem, 300);
    lw_buf_init(&pip, p->mem, 300);
    for (size_t i = 0; i < n; i++) {
        const struct module *m = find_module(c, needs[i].module);
        const struct package *package = find_package(p, needs[i].module);
        struct lw_str version = needs[i].version;
        if (m && m->present)
            continue;
        lw_buf_addf(&names, "%s%.*s", names.n ? ", " : "", LW_F(needs[i].module));
        if (package && package->debian.n)
            lw_buf_addf(&debian, " %.*s", LW_F(package->debian));
        else
            lw_buf_addf(&pip, " %.*s%s%.*s", LW_F(package ? package->pip : needs[i].module),
                        version.n ? "==" : "", LW_F(version));
    }
    lw_err_set(err, LW_EMISSING, "no Python here has %s; install with '%s%s%s%s%s'",
               lw_buf_z(&names), debian.n ? "apt-get install" : "", lw_buf_z(&debian),
               debian.n && pip.n ? "' and '" : "", pip.n ? "pip install" : "", lw_buf_z(&pip));
    lw_buf_release(&names);
    lw_buf_release(&debian);
    lw_buf_release(&pip);
    return LW_EMISSING;
}

static int find_locked(const struct lw_python **out, struct lw_pythons *p,
                       const struct lw_python_need *needs, size_t n, struct lw_err *err)
{
    const struct candidate *nearest = NULL;
    for (size_t i = 0; i < p->candidates.n; i++) {
        struct candidate *c = p->candidates.v[i];
        if (ask(p, c, needs, n) < 0)
            return lw_err_nomem(err);
        if (!c->usable)
            continue;
        size_t missing = count_missing(c, needs, n);
        if (missing == 0) {
            *out = &c->python;
            return 0;
        }
        if (!nearest || missing < count_missing(nearest, needs, n))
            nearest = c;
    }
    if (!nearest)
        return lw_err_set(err, LW_EMISSING,
                          "there is no Python 3; install it with 'apt-get install python3'");
    return say_missing(p, nearest, needs, n, err);
}

int lw_python_find(const struct lw_python **out, lw_pythons *p,
                   const struct lw_python_need *needs, size_t count, struct lw_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (!is_module_name(needs[i].module))
            return lw_err_set(err, LW_EINVAL, "'%.*s' is not the name of a Python module",
                              LW_F(lw_str_part(needs[i].module, 0, NAME_MAX_BYTES)));
    if (count > MAX_NEEDS)
        return lw_err_set(err, LW_ELIMIT, "more than %d Python modules are needed", MAX_NEEDS);
    pthread_mutex_lock(&p->lock);
    int rc = find_locked(out, p, needs, count, err);
    pthread_mutex_unlock(&p->lock);
    return rc;
}

struct lw_str lw_python_module_version(lw_pythons *p, const struct lw_python *python,
                                       struct lw_str module)
{
    struct lw_str version = {0};
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->candidates.n; i++) {
        const struct module *m = find_module(p->candidates.v[i], module);
        if (&p->candidates.v[i]->python == python && m)
            version = m->version;
    }
    pthread_mutex_unlock(&p->lock);
    return version;
}

int lw_pythons_new(lw_pythons **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_pythons *p = lw_mem_alloc(mem, sizeof *p);
    if (!p)
        return lw_err_nomem(err);
    p->mem = mem;
    lw_arena_init(&p->arena, mem, 0);
    pthread_mutex_init(&p->lock, NULL);
    LW_BUG_ON(!lw_embedded_find(LW_S("data/python_probe.py"), &p->script));
    int rc = load_packages(p, err);
    if (rc == 0 && find_candidates(p) < 0)
        rc = lw_err_nomem(err);
    if (rc < 0) {
        lw_pythons_free(p);
        return rc;
    }
    *out = p;
    return 0;
}

void lw_pythons_free(lw_pythons *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->candidates.n; i++)
        lw_vec_release(p->mem, &p->candidates.v[i]->modules);
    lw_vec_release(p->mem, &p->candidates);
    lw_vec_release(p->mem, &p->packages);
    lw_arena_release(&p->arena);
    pthread_mutex_destroy(&p->lock);
    lw_mem_free(p->mem, p, sizeof *p);
}
