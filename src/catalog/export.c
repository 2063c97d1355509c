/* The formats, export, and the forms that are only written. */
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/jsonw.h"
#include "base/str.h"
#include "catalog/group.h"
#include "catalog/archive.h"
#include "catalog/bug.h"
#include "catalog/exchange.h"

struct lw_format {
    const char *name;
    int (*read)(struct importing *im, struct lw_err *err); /* NULL: cannot be read */
    export_fn write;                                       /* NULL: cannot be written */
    bool folder;                                           /* written into a folder */
    bool planned; /* known by name; reading it is to come */
};

static const struct lw_format formats[] = {
    {"csv", NULL, export_csv, false, false},
    {"json", NULL, export_json, false, false},
    {"gdefects4dl", import_gdefects4dl, export_gdefects4dl, false, false},
    {"defect4ml", import_defect4ml, export_defect4ml, true, false},
    {"lacewing", import_lacewing, export_lacewing, false, false},
    {"bugsinpy", NULL, NULL, true, true},
    {"denchmark", NULL, NULL, false, true},
    {"islam2020", NULL, NULL, false, true},
    {"swebench", NULL, NULL, false, true},
};

const struct lw_format *lw_format_find(struct lw_str name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (lw_str_eq(name, lw_str(formats[i].name)))
            return &formats[i];
    return NULL;
}

bool lw_format_needs_folder(const struct lw_format *format)
{
    return format->folder;
}

static int not_yet(const struct lw_format *format, const char *verb, struct lw_err *err)
{
    return lw_err_set(err, LW_EMISSING,
                      "this version cannot %s %s yet; it knows gdefects4dl, defect4ml and "
                      "lacewing",
                      verb, format->name);
}

/* ---- Import -------------------------------------------------------------------------------
 */

static int import_in_transaction(struct importing *im, const struct lw_format *format,
                                 struct lw_err *err)
{
    struct store *store = im->catalog->store;
    int rc = store->ops->begin(store, err);
    if (rc < 0)
        return rc;
    rc = format->read(im, err);
    if (rc == 0 && im->result->refused)
        rc = lw_err_set(err, LW_EINVAL,
                        "%s: %llu refused, so nothing was imported; fix or remove them",
                        im->path, (unsigned long long)im->result->refused);
    if (rc == 0 && im->result->added && format->read == import_lacewing)
        rc = lw_regroup(im->catalog,
                        err); /* only these bring programs whose fixes are compared */
    if (rc == 0)
        return store->ops->commit(store, err);
    store->ops->rollback(store);
    return rc;
}

int lw_import(lw_catalog *catalog, const struct lw_format *format, const char *path,
              struct lw_imported *result, struct lw_err *err)
{
    struct importing im = {.catalog = catalog, .path = path, .result = result};
    struct store *store = catalog->store;
    *result = (struct lw_imported){0};
    lw_buf_init(&result->report, catalog->ctx.mem, 1 << 20);
    if (!format->read)
        return not_yet(format, "read", err);
    if (lw_file_kind(path) == LW_FILE_NONE)
        return lw_err_set(err, LW_ENOENT, "file or folder '%s' does not exist", path);
    if (lw_vocabulary_load(&im.words, catalog->ctx.mem, err) < 0)
        return err->code;
    lw_arena_init(&im.arena, catalog->ctx.mem, 0);
    lw_progress_init(&im.progress, catalog->ctx.talk, catalog->ctx.clock, "import", 0);
    struct lw_err ignored;
    int rc = store->ops->expect_many(store, true, err);
    if (rc == 0)
        rc = import_in_transaction(&im, format, err);
    store->ops->expect_many(store, false, &ignored);
    lw_progress_finish(&im.progress);
    lw_arena_release(&im.arena);
    lw_vocabulary_release(&im.words);
    return rc;
}

/* ---- Export -------------------------------------------------------------------------------
 */

struct listing {
    struct lw_arena *arena;
    struct lw_mem *mem;
    lw_str_vec ids;
};

static int note_id(void *data, const struct lw_bug *bug)
{
    struct listing *l = data;
    struct lw_str id = lw_arena_copy(l->arena, bug->id);
    return id.p ? lw_vec_push(l->mem, &l->ids, id) : LW_ENOMEM;
}

static int export_one(struct exporting *ex, const struct lw_format *format, struct lw_str id,
                      struct lw_err *err)
{
    struct store *store = ex->catalog->store;
    struct lw_bug bug;
    lw_file_vec files = {0};
    lw_arena_clear(&ex->arena);
    int rc = store->ops->find(store, id, &ex->arena, &bug, err);
    if (rc == 0)
        rc = catalog_files(ex->catalog, id, &ex->arena, &files, err);
    if (rc == 0)
        rc = format->write(ex, &bug, &files, err);
    lw_vec_release(ex->catalog->ctx.mem, &files);
    return rc;
}

static const struct bug_field *field_at(size_t i)
{
    return &bug_fields[i];
}

static void put_head(struct exporting *ex, const struct lw_format *format)
{
    if (format->write == export_csv) {
        for (size_t i = 0; i < bug_field_count; i++)
            lw_csv_put(ex->out, lw_str(field_at(i)->name), i == 0);
        lw_putz(ex->out, ",buggy_commit,fixed_commit,support_level\n");
    }
    if (format->write == export_json)
        lw_json_array(ex->state);
}

static int put_tail(struct exporting *ex, const struct lw_format *format, struct lw_err *err)
{
    if (format->write == export_json)
        lw_json_end(ex->state);
    if (format->write == export_gdefects4dl)
        lw_putz(ex->out, ex->count ? "</root>\n" : "<root>\n</root>\n");
    return format->write == export_lacewing ? lw_archive_finish(ex->state, err) : 0;
}

static int export_ids(struct exporting *ex, const struct lw_format *format,
                      const struct lw_str *ids, size_t count, struct lw_err *err)
{
    struct lw_jsonw json;
    lw_archive_writer *writer = NULL;
    int rc = 0;
    if (format->write == export_json) {
        lw_jsonw_init(&json, ex->out, false);
        ex->state = &json;
    } else if (format->write == export_lacewing) {
        rc = lw_archive_writer_new(&writer, ex->catalog->ctx.mem, ex->out, err);
        ex->state = writer;
    }
    if (rc == 0)
        put_head(ex, format);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = export_one(ex, format, ids[i], err);
    if (rc == 0)
        rc = put_tail(ex, format, err);
    lw_archive_writer_free(writer);
    return rc;
}

int lw_export(lw_catalog *catalog, const struct lw_format *format, const struct lw_str *ids,
              size_t count, struct lw_sink *out, const char *folder, struct lw_err *err)
{
    struct exporting ex = {.catalog = catalog, .out = out, .folder = folder};
    struct lw_arena arena;
    struct lw_mem *mem = catalog->ctx.mem;
    if (!format->write)
        return not_yet(format, "write", err);
    lw_arena_init(&arena, mem, 0);
    lw_arena_init(&ex.arena, mem, 0);
    struct listing l = {.arena = &arena, .mem = mem};
    int rc = 0;
    if (count == 0)
        rc = lw_catalog_list(catalog, &(struct lw_query){0}, note_id, &l, err);
    if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    if (rc == 0)
        rc = export_ids(&ex, format, count ? ids : l.ids.v, count ? count : l.ids.n, err);
    lw_vec_release(mem, &l.ids);
    lw_arena_release(&ex.arena);
    lw_arena_release(&arena);
    return rc;
}

static int join(void *data, struct lw_str name, uint64_t count)
{
    (void)count;
    struct lw_buf *list = data;
    return lw_buf_addf(list, "%s%.*s", list->n ? ", " : "", LW_F(name));
}

int export_names(struct exporting *ex, struct lw_str id, bool similar, struct lw_str *list,
                 struct lw_err *err)
{
    struct store *store = ex->catalog->store;
    struct lw_buf text;
    lw_buf_init(&text, ex->catalog->ctx.mem, 0);
    int rc = similar ? store->ops->similar(store, id, join, &text, err)
                     : store->ops->tools(store, id, join, &text, err);
    *list = rc == 0 ? lw_arena_copy(&ex->arena, lw_buf_str(&text)) : LW_S("");
    lw_buf_release(&text);
    return rc == LW_ENOMEM || !list->p ? lw_err_nomem(err) : rc;
}

int export_csv(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
               struct lw_err *err)
{
    (void)files;
    (void)err;
    for (size_t i = 0; i < bug_field_count; i++)
        lw_csv_put(ex->out, bug_text_of(bug, field_at(i)), i == 0);
    lw_csv_put(ex->out, bug->buggy_commit, false);
    lw_csv_put(ex->out, bug->fixed_commit, false);
    lw_putf(ex->out, ",%lld\n", (long long)bug->support_level);
    return 0;
}

int export_json(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                struct lw_err *err)
{
    struct lw_jsonw *w = ex->state;
    struct lw_str similar, tools;
    if (export_names(ex, bug->id, true, &similar, err) < 0 ||
        export_names(ex, bug->id, false, &tools, err) < 0)
        return err->code;
    lw_json_object(w);
    for (size_t i = 0; i < bug_field_count; i++)
        lw_json_key_text_or_null(w, field_at(i)->name, bug_text_of(bug, field_at(i)));
    lw_json_key_text_or_null(w, "buggy_commit", bug->buggy_commit);
    lw_json_key_text_or_null(w, "fixed_commit", bug->fixed_commit);
    lw_json_key_int(w, "support_level", bug->support_level);
    lw_json_key_text_or_null(w, "similar", similar);
    lw_json_key_text_or_null(w, "tools", tools);
    lw_json_key(w, "files");
    lw_json_array(w);
    for (size_t i = 0; i < files->n; i++)
        lw_json_text(w, files->v[i].path);
    lw_json_end(w);
    lw_json_end(w);
    return 0;
}

/* ---- Our own ------------------------------------------------------------------------------
 */

static void put_range(struct lw_sink *out, struct lw_arena *arena, const struct lw_bug *bug,
                      enum lw_side side)
{
    lw_ini_print(out, lw_side_name(side), lw_range_print(arena, &bug->range[side]));
}

static void put_expectation(struct lw_sink *out, struct lw_arena *arena,
                            const struct lw_bug *bug)
{
    if (bug->expect == LW_EXPECT_NONE)
        return;
    bool explicit = bug->expect == LW_EXPECT_EXPLICIT;
    lw_putf(out, "\n[expect]\nkind = %s\n", explicit ? "explicit" : "metric");
    lw_ini_print(out, "exception", bug->exception);
    lw_ini_print(out, "message", bug->message);
    if (explicit)
        return;
    lw_ini_print(out, "metric", bug->metric);
    lw_putf(out, "seeds = %lld\n", (long long)bug->seeds);
    put_range(out, arena, bug, LW_BUGGY);
    put_range(out, arena, bug, LW_FIXED);
}

static void put_section(struct lw_sink *out, const struct lw_bug *bug, const char *section)
{
    lw_putf(out, "%s[%s]\n", strcmp(section, "bug") == 0 ? "" : "\n", section);
    for (size_t i = 0; i < bug_field_count; i++) {
        const struct bug_field *f = field_at(i);
        if (f->section && strcmp(f->section, section) == 0)
            lw_ini_print(out, f->key, bug_text_of(bug, f));
    }
    if (strcmp(section, "bug") == 0)
        lw_ini_print(out, "source", bug->source);
}

static int make_ini(struct exporting *ex, const struct lw_bug *bug, struct lw_sink *out,
                    struct lw_err *err)
{
    struct lw_str similar, tools;
    if (export_names(ex, bug->id, true, &similar, err) < 0 ||
        export_names(ex, bug->id, false, &tools, err) < 0)
        return err->code;
    put_section(out, bug, "bug");
    put_section(out, bug, "framework");
    if (bug->command.n || bug->test.n) {
        put_section(out, bug, "run");
        lw_putf(out, "seconds = %lld\nmemory_mb = %lld\n", (long long)bug->seconds,
                (long long)bug->memory_mb);
    }
    put_expectation(out, &ex->arena, bug);
    if (bug->git_url.n) {
        put_section(out, bug, "git");
        lw_ini_print(out, "buggy", bug->buggy_commit);
        lw_ini_print(out, "fixed", bug->fixed_commit);
    }
    lw_putf(out, "\n[group]\nsupport_level = %lld\n", (long long)bug->support_level);
    lw_ini_print(out, "similar", similar);
    lw_ini_print(out, "tools", tools);
    return 0;
}

/* Its own words, with where it comes from after the head of the section. */
static void add_source(struct lw_sink *out, struct lw_str ini, struct lw_str source)
{
    ptrdiff_t at = lw_str_find(ini, LW_S("[bug]\n"));
    bool said = lw_str_eq(source, LW_S("submission")) || at < 0 ||
                lw_str_find(ini, LW_S("\nsource =")) >= 0;
    if (said) {
        lw_put(out, ini);
        return;
    }
    size_t head = (size_t)at + 6;
    lw_put(out, lw_str_part(ini, 0, head));
    lw_putf(out, "source = %.*s\n", LW_F(source));
    lw_put(out, lw_str_from(ini, head));
}

int lw_specimen_ini(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                    struct lw_str *text, struct lw_err *err)
{
    const struct lw_file *own = lw_file_find(files, LW_S("bug.ini"));
    struct lw_buf buf;
    lw_buf_init(&buf, ex->catalog->ctx.mem, 0);
    struct lw_sink out = lw_sink_buf(&buf);
    int rc = 0;
    if (own)
        add_source(&out, own->content, bug->source);
    else
        rc = make_ini(ex, bug, &out, err);
    *text = out.error ? (struct lw_str){NULL, 0} : lw_arena_copy(&ex->arena, lw_buf_str(&buf));
    lw_buf_release(&buf);
    return rc < 0 || text->p ? rc : lw_err_nomem(err);
}

int export_lacewing(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                    struct lw_err *err)
{
    struct lw_str ini;
    int rc = lw_specimen_ini(ex, bug, files, &ini, err);
    struct lw_str path = lw_arena_printf(&ex->arena, "%.*s/bug.ini", LW_F(bug->id));
    if (rc == 0)
        rc = path.p ? lw_archive_put(ex->state, path, ini, err) : lw_err_nomem(err);
    for (size_t i = 0; rc == 0 && i < files->n; i++) {
        if (lw_str_eq(files->v[i].path, LW_S("bug.ini")))
            continue;
        path = lw_arena_printf(&ex->arena, "%.*s/%.*s", LW_F(bug->id), LW_F(files->v[i].path));
        rc = path.p ? lw_archive_put(ex->state, path, files->v[i].content, err)
                    : lw_err_nomem(err);
    }
    ex->count++;
    return rc;
}
