/*
 * archive - bugs as archives, read with suspicion and written the same way every time.
 *
 * Read are tar (plain, gzip, zstd) and zip, as a stream, nothing is written to disk. Refused,
 * with the name of the member and the reason, before its content is looked at: absolute names,
 * "..", names that some system cannot have or would take for another (control characters,
 * backslashes, other than ASCII, two that differ only in case, a file that is also a folder),
 * links, devices, sparse and encrypted members (names: member.h; a zip has to say the same in
 * both its places: zip.h); and while reading: too many members, too many bytes, or more than
 * RATIO times the bytes that came in.
 *
 * Written is .tar.zst: same files, same bytes.
 */
#ifndef LW_CATALOG_ARCHIVE_H
#define LW_CATALOG_ARCHIVE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/sink.h"
#include "catalog/specimen.h"
#include "lacewing.h"

struct lw_archive_limits {
    uint64_t members;    /* files and folders */
    uint64_t bytes;      /* of all files together */
    uint64_t file_bytes; /* of one file */
};

/* Of one specimen, and of an export of a whole catalogue. */
extern const struct lw_archive_limits lw_archive_one, lw_archive_many;

/* Gets each regular file in the order of the archive; both texts live during the call. 0, or
 * negative with `err` set to stop. */
typedef int (*lw_archive_fn)(void *data, struct lw_str path, struct lw_str content,
                             struct lw_err *err);

/* Reads an archive in memory, or the file `path`. LW_EINVAL: refused or damaged; LW_ELIMIT:
 * too large. Messages begin with `name` or the path. */
int lw_archive_read_bytes(struct lw_mem *mem, struct lw_str name, struct lw_str bytes,
                          const struct lw_archive_limits *limits, lw_archive_fn each,
                          void *data, struct lw_err *err);
int lw_archive_read_file(struct lw_mem *mem, const char *path,
                         const struct lw_archive_limits *limits, lw_archive_fn each, void *data,
                         struct lw_err *err);

/* The files of one specimen, which lies at the top of the archive or in its only folder. Texts
 * in `arena`, list in `mem`, to be released also after a failure. Just one of `path` and
 * `bytes` is looked at: the path, unless it is NULL. */
int lw_archive_specimen(lw_file_vec *files, struct lw_arena *arena, struct lw_mem *mem,
                        const char *path, struct lw_str bytes, struct lw_err *err);

typedef struct lw_archive_writer lw_archive_writer;

/* Writes to `out`, which must outlive the writer. */
int lw_archive_writer_new(lw_archive_writer **writer, struct lw_mem *mem, struct lw_sink *out,
                          struct lw_err *err);
int lw_archive_put(lw_archive_writer *writer, struct lw_str path, struct lw_str content,
                   struct lw_err *err);
/* Ends the archive; an earlier failure is reported here too. */
int lw_archive_finish(lw_archive_writer *writer, struct lw_err *err);
void lw_archive_writer_free(lw_archive_writer *writer); /* NULL is fine */

#endif
