#include "verify/available.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/version.h"
#include "knowledge/embedded.h"

struct lw_available {
    struct lw_ctx ctx;
    pthread_mutex_t lock; /* protects what follows */
    bool loaded;
    struct lw_err failure; /* code 0 unless lw_available_bug could not find out */
    struct pythons pythons;
    struct lw_arena arena;
    struct lw_map known; /* environment -> index of the interpreter + 1, 0 = none */
};

int lw_available_new(lw_available **available, const struct lw_ctx *ctx, struct lw_err *err)
{
    lw_available *a = lw_mem_alloc(ctx->mem, sizeof *a);
    if (!a)
        return lw_err_nomem(err);
    a->ctx = *ctx;
    pthread_mutex_init(&a->lock, NULL);
    lw_arena_init(&a->arena, ctx->mem, 0);
    lw_map_init(&a->known, ctx->mem);
    *available = a;
    return 0;
}

void lw_available_free(lw_available *a)
{
    if (!a)
        return;
    if (a->loaded)
        pythons_release(&a->pythons);
    lw_map_release(&a->known);
    lw_arena_release(&a->arena);
    pthread_mutex_destroy(&a->lock);
    lw_mem_free(a->ctx.mem, a, sizeof *a);
}

/* A row of data/python_modules.csv by one of its columns; false when there is none. */
static bool find_row(lw_available *a, size_t column, struct lw_str value, struct lw_str row[4])
{
    struct lw_csv csv;
    struct lw_err ignored;
    struct lw_str text, name = LW_S("data/python_modules.csv");
    bool found = false;
    LW_BUG_ON(!lw_embedded_find(name, &text));
    if (lw_csv_open_text(&csv, a->ctx.mem, name, ',', text, &ignored) < 0)
        return false;
    while (!found && lw_csv_next(&csv, &ignored) > 0) {
        found = csv.fields.n == 4 && lw_str_eq(csv.fields.v[column], value);
        for (size_t i = 0; found && i < 4; i++)
            row[i] = lw_arena_copy(&a->arena, csv.fields.v[i]);
    }
    lw_csv_close(&csv);
    return found && row[0].p && row[1].p && row[2].p && row[3].p;
}

/* The first module of the list that the interpreter lacks; empty when it has all. */
static struct lw_str missing_module(const struct python *py, struct lw_str modules)
{
    struct lw_str module;
    while (lw_str_split(&modules, ',', &module)) {
        module = lw_str_trim(module);
        if (module.n && !python_has(py, module))
            return module;
    }
    return (struct lw_str){"", 0};
}

/* The installed version of the bug's framework; empty when unknown. */
static struct lw_str framework_version(lw_available *a, const struct python *py,
                                       const struct lw_bug *bug)
{
    struct lw_str row[4];
    if (bug->framework_version.n == 0 || !find_row(a, 1, bug->framework, row))
        return LW_S("");
    return python_package_version(py, row[3], &a->arena);
}

static bool is_suitable(lw_available *a, const struct python *py, const struct lw_bug *bug)
{
    return missing_module(py, bug->modules).n == 0 &&
           lw_version_meets(py->version, bug->python_version) &&
           lw_version_meets(framework_version(a, py, bug), bug->framework_version);
}

static int load(lw_available *a, struct lw_err *err)
{
    if (a->loaded)
        return 0;
    int rc = pythons_load(&a->pythons, &a->ctx, err);
    a->loaded = rc == 0;
    return rc;
}

/* Modules are looked for in two folders at a time; where those cannot be opened, none is found.
 */
static int can_look(struct lw_err *err)
{
    int outer = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int inner = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int number = errno;
    bool lack = inner < 0 && lw_errno_is_lack(number);
    if (inner >= 0)
        close(inner);
    if (outer >= 0)
        close(outer);
    return lack ? lw_err_system(err, number, "cannot look for Python modules in", LW_S("/"))
                : 0;
}

/* Index + 1 of the first suitable interpreter, 0 = none, negative on failure. Holds the lock.
 */
static int64_t choose(lw_available *a, const struct lw_bug *bug, struct lw_err *err)
{
    char key[512];
    int n =
        snprintf(key, sizeof key, "%.*s\n%.*s\n%.*s\n%.*s", LW_F(bug->modules),
                 LW_F(bug->framework), LW_F(bug->framework_version), LW_F(bug->python_version));
    bool fits = n > 0 && (size_t)n < sizeof key;
    struct lw_str text = lw_str_n(key, fits ? (size_t)n : 0);
    const struct lw_map_entry *known = fits ? lw_map_find(&a->known, text) : NULL;
    if (known)
        return (int64_t)known->value;
    if (load(a, err) < 0)
        return err->code;
    int64_t chosen = 0;
    for (size_t i = 0; chosen == 0 && bug->modules.n && i < a->pythons.all.n; i++)
        if (is_suitable(a, &a->pythons.all.v[i], bug))
            chosen = (int64_t)i + 1;
    if (chosen == 0 && can_look(err) < 0)
        return err->code;
    struct lw_str copy = fits ? lw_arena_copy(&a->arena, text) : (struct lw_str){NULL, 0};
    struct lw_map_entry *e = copy.p ? lw_map_put(&a->known, copy, NULL) : NULL;
    if (e)
        e->value = (uint64_t)chosen;
    return chosen;
}

/* One line: what is missing, and how to get it. Holds the lock. */
static int explain(lw_available *a, const struct lw_bug *bug, struct lw_err *err)
{
    struct lw_str row[4];
    if (a->pythons.all.n == 0)
        return lw_err_set(
            err, LW_EMISSING,
            "no Python was found; install it, for example 'apt-get install python3'");
    const struct python *py = &a->pythons.all.v[0];
    struct lw_str module = missing_module(py, bug->modules);
    if (module.n == 0) {
        struct lw_str version = framework_version(a, py, bug);
        return lw_err_set(
            err, LW_EMISSING,
            "it needs %.*s %.*s with Python %.*s, and %s has %.*s with Python %.*s",
            LW_F(bug->framework), LW_F(bug->framework_version), LW_F(bug->python_version),
            py->path, LW_F(version.n ? version : LW_S("another")), LW_F(py->version));
    }
    bool known = find_row(a, 0, module, row);
    if (known && row[2].n)
        return lw_err_set(err, LW_EMISSING,
                          "Python module '%.*s' is missing; install it, for example 'apt-get "
                          "install %.*s'",
                          LW_F(module), LW_F(row[2]));
    /* The version is one of the framework, not of whatever else is missing; and quoted, since
     * a shell takes '>' for its own. */
    bool is_framework = known && lw_str_eq(row[1], bug->framework);
    return lw_err_set(
        err, LW_EMISSING,
        "Python module '%.*s' is missing; install it, for example with pip install "
        "\"%.*s%.*s\", and point LACEWING_PYTHON to that Python",
        LW_F(module), LW_F(known ? row[3] : module),
        LW_F(is_framework ? bug->framework_version : LW_S("")));
}

int lw_available_python(lw_available *a, const struct lw_bug *bug, const struct python **python,
                        struct lw_err *err)
{
    pthread_mutex_lock(&a->lock);
    int64_t chosen = choose(a, bug, err);
    int rc = 0;
    if (chosen < 0)
        rc = err->code;
    else if (chosen == 0)
        rc = explain(a, bug, err);
    else
        *python = &a->pythons.all.v[chosen - 1];
    pthread_mutex_unlock(&a->lock);
    return rc;
}

bool lw_available_bug(void *available, const struct lw_bug *bug)
{
    lw_available *a = available;
    pthread_mutex_lock(&a->lock);
    int64_t chosen = a->failure.code == 0 ? choose(a, bug, &a->failure) : 0;
    pthread_mutex_unlock(&a->lock);
    return chosen > 0;
}

int lw_available_failure(const lw_available *a, struct lw_err *err)
{
    if (a->failure.code < 0)
        *err = a->failure;
    return a->failure.code;
}
