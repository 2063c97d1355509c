/*
 * exchange - bugs from and for other collections.
 *
 * Import reads a file or folder of a known format into the catalogue: all of it or, when
 * anything is refused, nothing, with one line "FILE:LINE: reason" for each refusal. What is
 * there already in the same form is skipped. Imported bugs are not trusted; their evidence
 * is made here, by `bugs verify`. Export writes living bugs in byte order of their ids, so that
 * the same catalogue gives the same bytes.
 */
#ifndef LW_CATALOG_EXCHANGE_H
#define LW_CATALOG_EXCHANGE_H

#include "base/buf.h"
#include "base/progress.h"
#include "base/sink.h"
#include "catalog/catalog.h"
#include "knowledge/vocabulary.h"
#include "lacewing.h"

struct lw_format;

/* The format of that name, or NULL. */
const struct lw_format *lw_format_find(struct lw_str name);
/* Does its export go into a folder rather than a stream? */
bool lw_format_needs_folder(const struct lw_format *format);

struct lw_imported {
    uint64_t added, present, refused;
    struct lw_buf report; /* the refusals, one a line; at most 100 of them */
};

/* Release `report` in every case. LW_EINVAL when something was refused: nothing has changed
 * then. LW_EMISSING: this format cannot be read yet. */
int lw_import(lw_catalog *catalog, const struct lw_format *format, const char *path,
              struct lw_imported *result, struct lw_err *err);

/* Writes the bugs with these ids (all living ones when `count` is 0) to `out`, or into the new
 * folder `folder`. */
int lw_export(lw_catalog *catalog, const struct lw_format *format, const struct lw_str *ids,
              size_t count, struct lw_sink *out, const char *folder, struct lw_err *err);

/* ---- For the formats ---------------------------------------------------------------------
 */

struct importing {
    lw_catalog *catalog;
    struct lw_vocabulary words;
    struct lw_arena arena; /* of one bug; cleared by import_put */
    const char *path;
    struct lw_imported *result;
    struct lw_progress progress;
};

/* Offers a bug. It is stored, found to be there, or refused with `where`:`line` (0 = no line);
 * only trouble with the store itself is an error. Clears the arena. */
int import_put(struct importing *im, struct lw_bug *bug, const lw_file_vec *files,
               struct lw_str where, uint64_t line, struct lw_err *err);

/* The two halves of it, for a format that is read ahead: is the bug complete and made of known
 * words (on any thread; `why` says what is wrong), and the rest for one that is. */
int import_check(const struct importing *im, const struct lw_bug *bug, struct lw_err *why);
int import_checked(struct importing *im, struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_str where, uint64_t line, struct lw_err *err);

/* Notes a refusal whose text is in `why`. */
void import_refuse(struct importing *im, struct lw_str where, uint64_t line, const char *why);

int import_gdefects4dl(struct importing *im, struct lw_err *err);
int import_defect4ml(struct importing *im, struct lw_err *err);
int import_lacewing(struct importing *im, struct lw_err *err);

/* One bug of an export, with its files. */
struct exporting {
    lw_catalog *catalog;
    struct lw_sink *out;
    const char *folder;
    struct lw_arena arena; /* of one bug */
    void *state;           /* of the format */
    uint64_t count;
};

typedef int (*export_fn)(struct exporting *ex, const struct lw_bug *bug,
                         const lw_file_vec *files, struct lw_err *err);

int export_csv(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
               struct lw_err *err);
int export_json(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                struct lw_err *err);
int export_gdefects4dl(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                       struct lw_err *err);
int export_defect4ml(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                     struct lw_err *err);
int export_lacewing(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                    struct lw_err *err);

/* The names of similar bugs, or of tools, with ", " between, in the exporter's arena. */
int export_names(struct exporting *ex, struct lw_str id, bool similar, struct lw_str *list,
                 struct lw_err *err);

/* The bug.ini of a bug, in `arena`: the one among its files, or one made from its fields. */
int lw_specimen_ini(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                    struct lw_str *text, struct lw_err *err);

#endif
