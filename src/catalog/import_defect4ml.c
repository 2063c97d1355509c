/* defect4ML's artefacts: a folder with conf.ini, requirements.txt, buggy/ and fixed/, or a
 * folder of such folders. The names of keys vary, so that several are understood. */
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/path.h"
#include "base/sink.h"
#include "base/str.h"
#include "catalog/exchange.h"
#include "catalog/sides.h"
#include "knowledge/embedded.h"

struct artefact {
    struct importing *im;
    struct lw_ini ini;
    lw_file_vec files;
    struct lw_str conf; /* path of conf.ini, for messages */
    struct lw_bug bug;
};

/* A key is the same whatever its letter case and with '-', '_' or blanks between words. */
static bool same_key(struct lw_str a, const char *b)
{
    size_t i = 0;
    for (; i < a.n && b[i]; i++) {
        char c = a.p[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c == '-' || c == ' ' ? '_' : c;
        if (c != b[i])
            return false;
    }
    return i == a.n && !b[i];
}

/* The value of the first key that is there, in any section. */
static struct lw_str value_of(const struct artefact *a, const char *const *keys, uint64_t *line)
{
    for (; *keys; keys++)
        for (size_t i = 0; i < a->ini.n; i++)
            if (same_key(a->ini.entries[i].key, *keys)) {
                if (line)
                    *line = a->ini.entries[i].line;
                return a->ini.entries[i].value;
            }
    return LW_S("");
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct lw_str lower(struct lw_arena *arena, struct lw_str text, char blank)
{
    struct lw_str copy = lw_arena_copy(arena, text);
    for (char *p = (char *)(uintptr_t)copy.p; p && *p; p++)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p == ' ' || *p == '_' ? blank : *p;
    return copy.p ? copy : LW_S("");
}

/* "Wrong API usage" of the paper's Table 5 is a type and a leaf of ours; so is the name of a
 * leaf itself. 1 = found. */
static int look_up_type(struct artefact *a, const char *table, struct lw_str name,
                        struct lw_err *err)
{
    struct lw_csv csv;
    struct lw_str text, path = lw_str(table);
    int rc, found = 0;
    bool is_mapping = lw_str_eq(path, LW_S("data/defect4ml_types.csv"));
    LW_BUG_ON(!lw_embedded_find(path, &text));
    if (lw_csv_open_text(&csv, a->im->catalog->ctx.mem, path, ',', text, err) < 0)
        return err->code;
    while (!found && (rc = lw_csv_next(&csv, err)) > 0)
        if (csv.fields.n >= 3 && lw_str_eq_nocase(csv.fields.v[0], name)) {
            a->bug.type = lw_arena_copy(&a->im->arena, csv.fields.v[1]);
            a->bug.leaf = lw_arena_copy(&a->im->arena, csv.fields.v[is_mapping ? 2 : 0]);
            found = a->bug.type.p && a->bug.leaf.p ? 1 : lw_err_nomem(err);
        }
    lw_csv_close(&csv);
    return found;
}

static int read_type(struct artefact *a, struct lw_err *err)
{
    uint64_t line = 0;
    struct lw_str name = lw_str_trim(
        value_of(a, KEYS("bug_type", "type_of_bug", "type", "leaf", "taxonomy"), &line));
    int rc = name.n ? look_up_type(a, "data/defect4ml_types.csv", name, err) : 0;
    if (rc == 0 && name.n)
        rc = look_up_type(a, "data/taxonomy.csv", name, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    if (name.n == 0)
        import_refuse(a->im, a->conf, 0, "no type of bug (a key such as bug_type)");
    else
        import_refuse(a->im, a->conf, line,
                      "the type of bug is neither in data/defect4ml_types.csv nor a leaf of "
                      "the taxonomy");
    return 1;
}

static struct lw_str category_of(struct lw_str type, struct lw_str leaf)
{
    if (lw_str_eq(type, LW_S("tensor")))
        return lw_str_find(leaf, LW_S("type")) >= 0 ? LW_S("type") : LW_S("shape");
    if (lw_str_eq(type, LW_S("model")))
        return LW_S("architecture");
    if (lw_str_eq(type, LW_S("training")))
        return LW_S("training");
    return lw_str_eq(type, LW_S("data")) ? LW_S("data") : LW_S("api");
}

static struct lw_str content_of(const struct artefact *a, const char *path)
{
    const struct lw_file *f = lw_file_find(&a->files, lw_str(path));
    return f ? f->content : LW_S("");
}

/* Files of other names for the same thing come under ours. */
static void rename_files(struct artefact *a)
{
    static const struct {
        const char *from, *to;
    } folders[] = {{"Buggy/", "buggy/"}, {"bug/", "buggy/"}, {"Fixed/", "fixed/"},
                   {"fix/", "fixed/"},   {"Fix/", "fixed/"}, {"dataset/", "data/"}};
    for (size_t i = 0; i < a->files.n; i++)
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
            struct lw_str from = lw_str(folders[k].from), path = a->files.v[i].path;
            if (!lw_str_has_prefix(path, from))
                continue;
            struct lw_str to = lw_arena_printf(&a->im->arena, "%s%.*s", folders[k].to,
                                               LW_F(lw_str_from(path, from.n)));
            if (to.p)
                a->files.v[i].path = to;
        }
}

static bool has_folder(const struct artefact *a, const char *folder)
{
    for (size_t i = 0; i < a->files.n; i++)
        if (lw_str_has_prefix(a->files.v[i].path, lw_str(folder)))
            return true;
    return false;
}

static void read_texts(struct artefact *a, struct lw_str folder)
{
    struct lw_bug *b = &a->bug;
    struct lw_arena *arena = &a->im->arena;
    b->id = value_of(a, KEYS("bug_id", "id"), NULL);
    if (b->id.n == 0)
        b->id = folder;
    b->source = LW_S("defect4ml");
    b->title = value_of(a, KEYS("title", "name", "summary"), NULL);
    b->description = value_of(a, KEYS("description", "bug_description"), NULL);
    if (b->title.n == 0)
        b->title = b->description.n ? b->description : b->leaf;
    ptrdiff_t line = lw_str_find_char(b->title, '\n');
    b->title.n = line > 0 ? (size_t)line : b->title.n;
    b->category = value_of(a, KEYS("category"), NULL);
    if (b->category.n == 0)
        b->category = category_of(b->type, b->leaf);
    b->symptom = lower(arena, value_of(a, KEYS("symptom"), NULL), '-');
    b->property = lower(
        arena, value_of(a, KEYS("property", "testing_property", "violated_property"), NULL),
        '-');
    b->framework = lower(arena, value_of(a, KEYS("framework", "ml_framework"), NULL), '-');
    b->framework_version = value_of(a, KEYS("framework_version", "ml_framework_version"), NULL);
    b->python_version = value_of(a, KEYS("python_version", "python"), NULL);
    b->origin_url = value_of(a, KEYS("origin_url", "link", "url", "source_link"), NULL);
    b->fix_url = value_of(a, KEYS("fix_url", "fix_link", "commit"), NULL);
    b->root_cause = value_of(a, KEYS("root_cause"), NULL);
    b->generality = value_of(a, KEYS("generality"), NULL);
    b->fix_pattern = value_of(a, KEYS("fix_pattern"), NULL);
    b->error_message = value_of(a, KEYS("error", "error_message"), NULL);
    b->command = value_of(a, KEYS("command", "run", "main"), NULL);
    b->test = value_of(a, KEYS("test", "test_case"), NULL);
    b->modules = value_of(a, KEYS("modules"), NULL);
    b->requirements = content_of(a, "requirements.txt");
    b->report = content_of(a, "report.md");
}

static int put_artefact(struct artefact *a, struct lw_str folder, struct lw_err *err)
{
    struct importing *im = a->im;
    const struct lw_file *conf = lw_file_find(&a->files, LW_S("conf.ini"));
    struct lw_err why;
    rename_files(a);
    if (lw_ini_parse(&a->ini, &im->arena, a->conf, conf->content, &why) < 0) {
        import_refuse(im, LW_S("refused"), 0, why.text);
        return 0;
    }
    if (!has_folder(a, "buggy/") || !has_folder(a, "fixed/")) {
        import_refuse(im, a->conf, 0,
                      "there is no folder buggy/ or no folder fixed/ beside it");
        return 0;
    }
    bool same;
    int rc = lw_sides_same(&a->files, im->catalog->ctx.mem, &same, err);
    if (rc < 0)
        return rc;
    if (same) {
        import_refuse(im, a->conf, 0, "buggy and fixed are the same program");
        return 0;
    }
    rc = read_type(a, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    read_texts(a, folder);
    return import_put(im, &a->bug, &a->files, a->conf, 0, err);
}

/* The folder at `path`, when it has a conf.ini. `*found` says so. */
static int import_folder(struct importing *im, const char *path, struct lw_str name,
                         bool *found, struct lw_err *err)
{
    struct artefact a = {.im = im};
    struct lw_mem *mem = im->catalog->ctx.mem;
    struct lw_err why;
    a.conf = lw_arena_printf(&im->arena, "%s/conf.ini", path);
    if (!a.conf.p)
        return lw_err_nomem(err);
    *found = lw_file_kind(a.conf.p) == LW_FILE_REGULAR;
    if (!*found)
        return 0;
    int rc = lw_specimen_load(&a.files, &im->arena, mem, path, &why);
    if (rc == 0)
        rc = put_artefact(&a, name, err);
    else if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    else {
        import_refuse(im, lw_str(path), 0, why.text);
        rc = 0;
    }
    lw_vec_release(mem, &a.files);
    lw_arena_clear(&im->arena);
    return rc;
}

int import_defect4ml(struct importing *im, struct lw_err *err)
{
    struct lw_mem *mem = im->catalog->ctx.mem;
    struct lw_arena arena;
    struct lw_buf path;
    lw_str_vec names = {0};
    bool found = false, any = false;
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&path, mem, 4096);
    int rc = lw_file_kind(im->path) == LW_FILE_FOLDER
                 ? import_folder(im, im->path, lw_path_name(lw_str(im->path)), &any, err)
                 : lw_err_set(err, LW_EINVAL, "'%s' is not a folder of defect4ML artefacts",
                              im->path);
    if (rc == 0 && !any)
        rc = lw_dir_list(&arena, mem, im->path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        lw_path_append(&path, lw_str(im->path), names.v[i]);
        rc = path.failed ? lw_err_nomem(err)
                         : import_folder(im, lw_buf_z(&path), names.v[i], &found, err);
        any = any || found;
    }
    if (rc == 0 && !any)
        rc = lw_err_set(err, LW_EINVAL, "'%s' contains no folder with a conf.ini", im->path);
    lw_vec_release(mem, &names);
    lw_buf_release(&path);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Export -------------------------------------------------------------------------------
 */

static void put_conf(struct lw_sink *out, const struct lw_bug *bug)
{
    lw_putz(out, "[bug]\n");
    lw_ini_print(out, "id", bug->id);
    lw_ini_print(out, "title", bug->title);
    lw_ini_print(out, "type", bug->leaf);
    lw_ini_print(out, "category", bug->category);
    lw_ini_print(out, "symptom", bug->symptom);
    lw_ini_print(out, "property", bug->property);
    lw_ini_print(out, "link", bug->origin_url);
    lw_ini_print(out, "fix_url", bug->fix_url);
    lw_ini_print(out, "description", bug->description);
    lw_ini_print(out, "root_cause", bug->root_cause);
    lw_ini_print(out, "generality", bug->generality);
    lw_ini_print(out, "fix_pattern", bug->fix_pattern);
    lw_ini_print(out, "error", bug->error_message);
    lw_putz(out, "\n[environment]\n");
    lw_ini_print(out, "framework", bug->framework);
    lw_ini_print(out, "framework_version", bug->framework_version);
    lw_ini_print(out, "python_version", bug->python_version);
    lw_ini_print(out, "modules", bug->modules);
    lw_putz(out, "\n[run]\n");
    lw_ini_print(out, "command", bug->command);
    lw_ini_print(out, "test", bug->test);
}

static int write_file(struct exporting *ex, struct lw_buf *path, struct lw_str id,
                      struct lw_str name, struct lw_str content, struct lw_err *err)
{
    struct lw_str rel = lw_arena_printf(&ex->arena, "%.*s/%.*s", LW_F(id), LW_F(name));
    if (!rel.p)
        return lw_err_nomem(err);
    if (lw_path_join(path, lw_str(ex->folder), rel, err) < 0)
        return err->code;
    int rc = lw_dir_make_for(path->p, err);
    return rc < 0 ? rc : lw_file_write(path->p, content, 0644, err);
}

int export_defect4ml(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                     struct lw_err *err)
{
    struct lw_buf conf, path;
    if (bug->git_url.n || files->n == 0)
        return 0; /* the format is of programs at hand */
    lw_buf_init(&conf, ex->catalog->ctx.mem, 0);
    lw_buf_init(&path, ex->catalog->ctx.mem, 8192);
    struct lw_sink out = lw_sink_buf(&conf);
    put_conf(&out, bug);
    int rc = out.error ? lw_err_nomem(err) : 0;
    if (rc == 0)
        rc = write_file(ex, &path, bug->id, LW_S("conf.ini"), lw_buf_str(&conf), err);
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        if (!lw_str_eq(files->v[i].path, LW_S("conf.ini")) &&
            !lw_str_eq(files->v[i].path, LW_S("bug.ini")))
            rc = write_file(ex, &path, bug->id, files->v[i].path, files->v[i].content, err);
    ex->count += rc == 0;
    lw_buf_release(&path);
    lw_buf_release(&conf);
    return rc;
}
