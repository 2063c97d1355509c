#include "verify/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/str.h"
#include "catalog/environment.h"

enum { SETUP_SECONDS = 3600, REMOVE_SECONDS = 20, MAX_WORDS = 64 };

static const char *const names[LW_BACKENDS] = {"host", "venv", "conda", "podman", "docker"};

const char *lw_backend_name(enum lw_backend backend)
{
    return names[backend];
}

bool lw_backend_parse(struct lw_str name, enum lw_backend *backend)
{
    for (int i = 0; i < LW_BACKENDS; i++)
        if (lw_str_eq(name, lw_str(names[i]))) {
            *backend = (enum lw_backend)i;
            return true;
        }
    return false;
}

/* ---- Running what makes environments -------------------------------------------------------
 */

/* Tools of the user: they get the user's environment, unlike the bugs. */
static int run_tool(const struct lw_ctx *ctx, struct lw_arena *arena, const char *const *argv,
                    const char *cwd, struct lw_run *run, struct lw_err *err)
{
    static const char *const allowed[] = {"PATH",
                                          "HOME",
                                          "USER",
                                          "LANG",
                                          "TMPDIR",
                                          "http_proxy",
                                          "https_proxy",
                                          "HTTP_PROXY",
                                          "HTTPS_PROXY",
                                          "no_proxy",
                                          "NO_PROXY",
                                          "XDG_CACHE_HOME",
                                          "XDG_DATA_HOME",
                                          "XDG_CONFIG_HOME",
                                          "XDG_RUNTIME_DIR",
                                          "DOCKER_HOST",
                                          "CONTAINER_HOST",
                                          "PIP_INDEX_URL",
                                          "PIP_CONFIG_FILE",
                                          "MAMBA_ROOT_PREFIX",
                                          "CONDA_PKGS_DIRS",
                                          NULL};
    static const char *const extra[] = {"LC_ALL=C.UTF-8", "PIP_DISABLE_PIP_VERSION_CHECK=1",
                                        NULL};
    struct lw_proc proc = {.argv = argv,
                           .env = lw_proc_env(arena, allowed, extra),
                           .cwd = cwd,
                           .wall_seconds = SETUP_SECONDS,
                           .cancel = ctx->cancel};
    if (!proc.env)
        return lw_err_nomem(err);
    int rc = lw_proc_run(run, arena, &proc, err);
    if (rc == 0 && run->end == LW_RUN_CANCELED)
        rc = lw_err_set(err, LW_ECANCEL, "interrupted");
    return rc;
}

/* The last line it printed, which usually says what went wrong. */
static struct lw_str last_line(const struct lw_run *run)
{
    struct lw_str rest = lw_str_trim(run->err.n ? run->err : run->out), line, last = LW_S("");
    while (lw_str_line(&rest, &line))
        if (lw_str_trim(line).n)
            last = lw_str_trim(line);
    return last;
}

/* As run_tool; anything but success is LW_EMISSING with its last line. */
static int need_tool(const struct lw_ctx *ctx, struct lw_arena *arena, const char *const *argv,
                     const char *cwd, const char *what, struct lw_err *err)
{
    struct lw_run run;
    int rc = run_tool(ctx, arena, argv, cwd, &run, err);
    if (rc < 0)
        return rc;
    if (run.end == LW_RUN_EXITED && run.exit == 0)
        return 0;
    return lw_err_set(err, LW_EMISSING, "%s failed: %.*s", what, LW_F(last_line(&run)));
}

/* ---- Folders named by what they are made from ----------------------------------------------
 */

struct hashing {
    uint64_t a, b;
};

/* Two runs of the same 64-bit hash over differently led texts: a name, not a proof. */
static void add_text(struct hashing *h, struct lw_arena *arena, struct lw_str text)
{
    struct lw_str x =
        lw_arena_printf(arena, "%016llx\n%.*s", (unsigned long long)h->a, LW_F(text));
    struct lw_str y =
        lw_arena_printf(arena, "%016llx\t%.*s", (unsigned long long)h->b, LW_F(text));
    h->a = lw_str_hash(x);
    h->b = lw_str_hash(y);
}

static int cache_folder(struct lw_arena *arena, struct lw_str *folder, struct lw_err *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        *folder = lw_arena_printf(arena, "%s/lacewing/environments", cache);
    else if (home && *home == '/')
        *folder = lw_arena_printf(arena, "%s/.cache/lacewing/environments", home);
    else
        return lw_err_set(err, LW_EINVAL,
                          "no folder for environments: set HOME or XDG_CACHE_HOME");
    return folder->p ? lw_dir_make(folder->p, err) : lw_err_nomem(err);
}

/* Held while an environment is made, against other processes. */
static int lock_folder(struct lw_arena *arena, const char *folder, int *fd, struct lw_err *err)
{
    struct lw_str path = lw_arena_printf(arena, "%s.lock", folder);
    if (!path.p)
        return lw_err_nomem(err);
    *fd = open(path.p, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return lw_err_system(err, errno, "cannot create", path);
    while (flock(*fd, LOCK_EX) < 0)
        if (errno != EINTR)
            return lw_err_system(err, errno, "cannot lock", path);
    return 0;
}

struct making {
    const struct lw_ctx *ctx;
    const struct lw_backend_options *options;
    const struct lw_bug *bug;
    const struct python *base;
    struct lw_arena *arena;
    const char *folder;
    struct lw_err *err;
};

static const char *below(const struct making *m, const char *name)
{
    struct lw_str path = lw_arena_printf(m->arena, "%s/%s", m->folder, name);
    return path.p;
}

/* Makes the environment unless it is whole: a mark is written last. */
static int ensure(struct making *m, int (*make)(struct making *m))
{
    int fd = -1;
    struct lw_err ignored;
    const char *mark = below(m, ".lacewing-complete");
    if (!mark)
        return lw_err_nomem(m->err);
    if (lw_file_kind(mark) == LW_FILE_REGULAR)
        return 0;
    int rc = lock_folder(m->arena, m->folder, &fd, m->err);
    if (rc == 0 && lw_file_kind(mark) != LW_FILE_REGULAR) {
        struct lw_leftover left;
        rc = lw_dir_remove(m->folder, m->err);
        lw_leftover_begin();
        lw_leftover_end(&left, m->folder); /* the tool makes it */
        if (rc == 0)
            rc = make(m);
        if (rc == 0)
            rc = lw_file_write(mark, LW_S("\n"), 0644, m->err);
        if (rc < 0)
            lw_dir_remove(m->folder, &ignored);
        lw_leftover_drop(&left);
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

static int write_input(struct making *m, enum lw_environment_kind kind, const char **path)
{
    struct lw_str text;
    struct lw_str name =
        lw_arena_printf(m->arena, "%s.%s", m->folder, lw_environment_file(kind));
    if (!name.p)
        return lw_err_nomem(m->err);
    *path = name.p;
    int rc = lw_environment_text(&text, m->arena, m->bug, kind, m->err);
    return rc < 0 ? rc : lw_file_write(*path, text, 0644, m->err);
}

/* ---- venv ----------------------------------------------------------------------------------
 */

static int make_venv(struct making *m)
{
    const char *wheels = m->options->wheels;
    const char *const create[] = {m->base->path, "-m",
                                  "venv",        wheels ? "--clear" : "--system-site-packages",
                                  m->folder,     NULL};
    int rc = need_tool(m->ctx, m->arena, create, NULL, "python -m venv", m->err);
    if (rc == LW_EMISSING)
        return lw_err_context(m->err,
                              "no virtual environment can be created (Debian: apt-get install "
                              "python3-venv)");
    if (rc < 0 || !wheels)
        return rc;
    const char *requirements, *python = below(m, "bin/python");
    rc = write_input(m, LW_ENV_PIP, &requirements);
    const char *const install[] = {python,         "-m",   "pip", "install",    "--no-index",
                                   "--find-links", wheels, "-r",  requirements, NULL};
    if (rc == 0)
        rc = need_tool(m->ctx, m->arena, install, NULL, "pip install from the wheels", m->err);
    return rc;
}

/* ---- conda ---------------------------------------------------------------------------------
 */

static int find_conda(struct lw_arena *arena, struct lw_str *program, struct lw_err *err)
{
    static const char *const candidates[] = {"micromamba", "mamba", "conda"};
    for (size_t i = 0; i < 3; i++)
        if (lw_find_program(candidates[i], arena, program))
            return 0;
    return lw_err_set(err, LW_EMISSING,
                      "neither micromamba, mamba nor conda was found; install one of them, for "
                      "example micromamba, which is a single file");
}

static int make_conda(struct making *m)
{
    struct lw_str program;
    const char *file;
    int rc = find_conda(m->arena, &program, m->err);
    if (rc == 0)
        rc = write_input(m, LW_ENV_CONDA, &file);
    if (rc < 0)
        return rc;
    bool micro = lw_str_has_suffix(program, LW_S("micromamba"));
    const char *const classic[] = {program.p, "env",    "create", "--yes", "--prefix",
                                   m->folder, "--file", file,     NULL};
    const char *const single[] = {program.p, "create", "--yes", "--prefix",
                                  m->folder, "--file", file,    NULL};
    return need_tool(m->ctx, m->arena, micro ? single : classic, NULL, "conda", m->err);
}

int lw_backend_python(const struct lw_ctx *ctx, enum lw_backend backend,
                      const struct lw_backend_options *options, const struct lw_bug *bug,
                      const struct python *base, struct lw_arena *arena, struct python *python,
                      struct lw_err *err)
{
    struct lw_str cache = {0}, ignored;
    struct hashing h = {0};
    bool venv = backend == LW_BACKEND_VENV;
    LW_BUG_ON(backend != LW_BACKEND_VENV && backend != LW_BACKEND_CONDA);
    if (!venv && find_conda(arena, &ignored, err) < 0)
        return err->code;
    if (cache_folder(arena, &cache, err) < 0)
        return err->code;
    add_text(&h, arena, lw_str(names[backend]));
    add_text(&h, arena, venv ? lw_str(base->path) : bug->python_version);
    add_text(&h, arena, venv ? base->version : LW_S(""));
    /* With the machine's packages the requirements play no part. */
    add_text(&h, arena, venv && !options->wheels ? LW_S("") : bug->requirements);
    add_text(&h, arena, lw_str(options->wheels));
    struct lw_str folder =
        lw_arena_printf(arena, "%s/%s-%016llx%016llx", cache.p, names[backend],
                        (unsigned long long)h.a, (unsigned long long)h.b);
    if (!folder.p)
        return lw_err_nomem(err);
    struct making m = {ctx, options, bug, base, arena, folder.p, err};
    int rc = ensure(&m, venv ? make_venv : make_conda);
    if (rc < 0)
        return rc;
    *python = venv ? *base : (struct python){0};
    python->path = below(&m, "bin/python");
    if (!python->path)
        return lw_err_nomem(err);
    if (python->bind_count < PYTHON_BINDS)
        python->binds[python->bind_count++] = (struct lw_bind){folder.p, NULL};
    if (access(python->path, X_OK) != 0)
        return lw_err_set(err, LW_EMISSING, "the environment '%s' has no bin/python; remove it",
                          folder.p);
    return 0;
}

/* ---- Containers ----------------------------------------------------------------------------
 */

static int find_engine(enum lw_backend backend, struct lw_arena *arena, struct lw_str *engine,
                       struct lw_err *err)
{
    if (lw_find_program(names[backend], arena, engine))
        return 0;
    return lw_err_set(err, LW_EMISSING,
                      "%s was not found; install it, for example 'apt-get install %s'",
                      names[backend], backend == LW_BACKEND_DOCKER ? "docker.io" : "podman");
}

/* The engine's words, then what $LACEWING_ENGINE_ARGS adds after the verb (a runtime, limits
 * that a machine needs), then the rest. */
struct words {
    const char *v[MAX_WORDS];
    size_t n;
};

static void add_word(struct words *w, const char *word)
{
    if (w->n + 1 < MAX_WORDS)
        w->v[w->n++] = word;
}

static int add_extra(struct words *w, struct lw_arena *arena, struct lw_err *err)
{
    const char *extra = getenv("LACEWING_ENGINE_ARGS");
    struct lw_str rest = extra ? lw_str(extra) : LW_S(""), word;
    while (lw_str_split(&rest, ' ', &word)) {
        struct lw_str copy = lw_arena_copy(arena, word);
        if (!copy.p)
            return lw_err_nomem(err);
        if (copy.n)
            add_word(w, copy.p);
    }
    return 0;
}

static int has_image(const struct lw_ctx *ctx, struct lw_arena *arena, const char *engine,
                     const char *image, struct lw_err *err)
{
    const char *const argv[] = {engine, "image", "inspect", image, NULL};
    struct lw_run run;
    int rc = run_tool(ctx, arena, argv, NULL, &run, err);
    return rc < 0 ? rc : run.end == LW_RUN_EXITED && run.exit == 0;
}

static int build_image(const struct lw_ctx *ctx, const struct lw_bug *bug, const char *engine,
                       const char *image, struct lw_str recipe, struct lw_arena *arena,
                       struct lw_err *err)
{
    struct lw_buf folder;
    struct lw_err ignored;
    lw_buf_init(&folder, ctx->mem, 4096);
    struct lw_leftover left;
    lw_leftover_begin();
    int rc = lw_temp_dir(&folder, err);
    lw_leftover_end(&left, rc < 0 ? NULL : lw_buf_z(&folder));
    struct lw_str file = lw_arena_printf(arena, "%s/Containerfile", lw_buf_z(&folder));
    struct lw_str requirements =
        lw_arena_printf(arena, "%s/requirements.txt", lw_buf_z(&folder));
    if (rc == 0)
        rc = file.p && requirements.p ? lw_file_write(file.p, recipe, 0644, err)
                                      : lw_err_nomem(err);
    if (rc == 0)
        rc = lw_file_write(requirements.p, bug->requirements, 0644, err);
    const char *const argv[] = {engine, "build",           "-t", image, "-f",
                                file.p, lw_buf_z(&folder), NULL};
    if (rc == 0)
        rc = need_tool(ctx, arena, argv, NULL, "building the image", err);
    if (folder.n)
        lw_dir_remove(lw_buf_z(&folder), &ignored);
    lw_leftover_drop(&left);
    lw_buf_release(&folder);
    return rc;
}

int lw_backend_image(const struct lw_ctx *ctx, enum lw_backend backend,
                     const struct lw_backend_options *options, const struct lw_bug *bug,
                     struct lw_arena *arena, struct lw_str *image, struct lw_err *err)
{
    struct lw_str engine, recipe;
    struct hashing h = {0};
    if (find_engine(backend, arena, &engine, err) < 0)
        return err->code;
    if (options->image) {
        *image = lw_str(options->image);
        return 0;
    }
    if (lw_environment_recipe(&recipe, arena, bug, err) < 0)
        return err->code;
    add_text(&h, arena, recipe);
    add_text(&h, arena, bug->requirements);
    *image = lw_arena_printf(arena, "localhost/lacewing:%016llx%016llx",
                             (unsigned long long)h.a, (unsigned long long)h.b);
    if (!image->p)
        return lw_err_nomem(err);
    int rc = has_image(ctx, arena, engine.p, image->p, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    return build_image(ctx, bug, engine.p, image->p, recipe, arena, err);
}

/* `name` of the working directory is not the program's to change. */
static int add_read_only(struct words *w, struct lw_arena *arena, const char *folder,
                         struct lw_str name, struct lw_err *err)
{
    struct lw_str from = lw_arena_printf(arena, "%s/%.*s", folder, LW_F(name));
    struct lw_str volume =
        lw_arena_printf(arena, "%s:" LW_SANDBOX_DIR "/%.*s:ro", from.p, LW_F(name));
    if (!from.p || !volume.p)
        return lw_err_nomem(err);
    if (lw_file_kind(from.p) == LW_FILE_NONE)
        return 0;
    add_word(w, "--volume");
    add_word(w, volume.p);
    return 0;
}

/* Killing the engine's command leaves the container to the engine, running. */
static void remove_container(struct lw_arena *arena, const char *engine, const char *name,
                             const char *const *env)
{
    const char *const argv[] = {engine, "rm", "--force", name, NULL};
    struct lw_proc proc = {.argv = argv, .env = env, .wall_seconds = REMOVE_SECONDS};
    struct lw_run run;
    struct lw_err err;
    lw_proc_run(&run, arena, &proc, &err); /* nothing can be done about a failure */
}

int lw_backend_container(const struct lw_ctx *ctx, enum lw_backend backend, struct lw_str image,
                         const struct lw_bug *bug, const char *folder,
                         const struct guard *guard, struct lw_arena *arena, struct lw_run *run,
                         struct lw_err *err)
{
    /* The folder is copied into memory of bounded size; all that can be written, with /tmp and
     * /dev/shm, is 1 GiB together, and counts against the memory as well. What is read-only is
     * there already and cannot be copied over. */
    static const char copy_and_run[] =
        "ulimit -t \"$0\"; cp -R /given/. " LW_SANDBOX_DIR " 2>/dev/null; exec \"$@\"";
    struct hashing h = {0};
    struct lw_str engine;
    struct lw_str volume = lw_arena_printf(arena, "%s:/given:ro", folder);
    struct lw_str memory = lw_arena_printf(arena, "--memory=%lldm", (long long)bug->memory_mb);
    struct lw_str swap =
        lw_arena_printf(arena, "--memory-swap=%lldm", (long long)bug->memory_mb);
    struct lw_str seconds = lw_arena_printf(arena, "%lld", (long long)bug->seconds * 2);
    add_text(&h, arena, lw_str(folder)); /* no two runs have the same one */
    struct lw_str container =
        lw_arena_printf(arena, "lacewing-%ld-%016llx", (long)getpid(), (unsigned long long)h.a);
    struct lw_str name = lw_arena_copy(arena, image);
    struct words w = {0};
    if (!volume.p || !memory.p || !swap.p || !seconds.p || !container.p || !name.p)
        return lw_err_nomem(err);
    if (find_engine(backend, arena, &engine, err) < 0)
        return err->code;
    const char *const before[] = {engine.p, "run", "--rm", "--name", container.p};
    const char *const after[] = {"--network=none",
                                 "--cap-drop=all",
                                 "--security-opt=no-new-privileges",
                                 "--pids-limit=512",
                                 "--read-only",
                                 "--tmpfs=/tmp:rw,size=256m",
                                 "--tmpfs=" LW_SANDBOX_DIR ":rw,exec,size=704m",
                                 "--shm-size=64m",
                                 memory.p,
                                 swap.p,
                                 "--env=OMP_NUM_THREADS=1",
                                 "--env=PYTHONHASHSEED=0",
                                 "--volume",
                                 volume.p,
                                 "--workdir",
                                 LW_SANDBOX_DIR};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        add_word(&w, before[i]);
    if (add_extra(&w, arena, err) < 0)
        return err->code;
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        add_word(&w, after[i]);
    if (add_read_only(&w, arena, folder, bug->test, err) < 0 ||
        add_read_only(&w, arena, folder, LW_S("data"), err) < 0)
        return err->code;
    if (guard->env[0]) {
        add_word(&w, "--env");
        add_word(&w, guard->env[0]);
    }
    const char *const inside[] = {name.p, "sh", "-c", copy_and_run, seconds.p};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        add_word(&w, inside[i]);
    for (size_t i = 0; guard->argv[i]; i++)
        add_word(&w, guard->argv[i]);
    static const char *const allowed[] = {
        "PATH",           "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "DOCKER_HOST",
        "CONTAINER_HOST", NULL};
    struct lw_proc proc = {.argv = w.v,
                           .env = lw_proc_env(arena, allowed, NULL),
                           /* The engine itself needs a moment as well. */
                           .wall_seconds = (double)bug->seconds + 30,
                           .output_limit = 64 << 20,
                           .cancel = ctx->cancel};
    if (!proc.env)
        return lw_err_nomem(err);
    int rc = lw_proc_run(run, arena, &proc, err);
    run->isolation = lw_str(names[backend]);
    if (rc < 0 || run->end != LW_RUN_EXITED)
        remove_container(arena, engine.p, container.p, proc.env);
    /* 125: the engine could not do it, not the program. */
    if (rc == 0 && run->end == LW_RUN_EXITED && run->exit == 125)
        rc = lw_err_set(err, LW_EMISSING, "%s cannot run here: %.*s", names[backend],
                        LW_F(last_line(run)));
    return rc;
}
