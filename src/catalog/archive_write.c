/* Writing archives: see archive.h. */
#include "base/err.h"
#include "base/str.h"
#include "catalog/archive.h"
#include "catalog/archive_api.h"

struct lw_archive_writer {
    struct ar_api api;
    struct lw_mem *mem;
    struct lw_sink *out;
    struct archive *archive;
    struct archive_entry *entry;
};

static la_ssize_t take_block(struct archive *a, void *data, const void *block, size_t n)
{
    lw_archive_writer *w = data;
    (void)a;
    lw_put(w->out, lw_str_n(block, n));
    return w->out->error ? -1 : (la_ssize_t)n;
}

static int failed(lw_archive_writer *w, struct lw_err *err)
{
    const char *why = w->api.error_string(w->archive);
    if (!w->out->error && why && ar_is_out_of_memory(why))
        return lw_err_nomem(err);
    return lw_err_set(err, w->out->error ? LW_EIO : LW_EINVAL, "cannot write the archive: %s",
                      why ? why : "the output failed");
}

int lw_archive_writer_new(lw_archive_writer **writer, struct lw_mem *mem, struct lw_sink *out,
                          struct lw_err *err)
{
    lw_archive_writer *w = lw_mem_alloc(mem, sizeof *w);
    if (!w)
        return lw_err_nomem(err);
    w->mem = mem;
    w->out = out;
    int rc = ar_api_load(&w->api, err);
    if (rc == 0) {
        w->archive = w->api.write_new();
        w->entry = w->api.entry_new();
        rc = w->archive && w->entry ? 0 : lw_err_nomem(err);
    }
    if (rc == 0 && (w->api.write_add_filter_zstd(w->archive) != ARCHIVE_OK ||
                    w->api.write_set_format_pax_restricted(w->archive) != ARCHIVE_OK ||
                    w->api.write_set_bytes_in_last_block(w->archive, 1) != ARCHIVE_OK ||
                    w->api.write_open(w->archive, w, NULL, take_block, NULL) != ARCHIVE_OK))
        rc = failed(w, err);
    if (rc < 0) {
        lw_archive_writer_free(w);
        return rc;
    }
    *writer = w;
    return 0;
}

int lw_archive_put(lw_archive_writer *w, struct lw_str path, struct lw_str content,
                   struct lw_err *err)
{
    struct lw_buf name;
    lw_buf_init(&name, w->mem, 0);
    lw_buf_add(&name, path);
    w->api.entry_clear(w->entry);
    w->api.entry_set_pathname(w->entry, lw_buf_z(&name));
    w->api.entry_set_size(w->entry, (la_int64_t)content.n);
    w->api.entry_set_filetype(w->entry, AE_IFREG);
    w->api.entry_set_perm(w->entry, 0644);
    w->api.entry_set_mtime(w->entry, 0, 0);
    int rc = name.failed ? lw_err_nomem(err) : 0;
    if (rc == 0 && (w->api.write_header(w->archive, w->entry) != ARCHIVE_OK ||
                    (content.n && w->api.write_data(w->archive, content.p, content.n) !=
                                      (la_ssize_t)content.n)))
        rc = failed(w, err);
    lw_buf_release(&name);
    return rc;
}

int lw_archive_finish(lw_archive_writer *w, struct lw_err *err)
{
    return w->api.write_close(w->archive) == ARCHIVE_OK ? 0 : failed(w, err);
}

void lw_archive_writer_free(lw_archive_writer *w)
{
    if (!w)
        return;
    if (w->entry)
        w->api.entry_free(w->entry);
    if (w->archive)
        w->api.write_free(w->archive);
    lw_mem_free(w->mem, w, sizeof *w);
}
