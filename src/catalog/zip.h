/*
 * zip - the directory at the end of a zip archive.
 *
 * A zip says twice what it holds: before each member, and in a directory at its end, which
 * alone says whether a member is a link. Programs differ in which of the two they believe. We
 * read the members as a stream and take the archive only where its directory says the same.
 *
 * Internal to src/catalog/archive*.
 */
#ifndef LW_CATALOG_ZIP_H
#define LW_CATALOG_ZIP_H

#include "base/arena.h"
#include "base/map.h"
#include "lacewing.h"

/* Bytes at any place of the archive: in memory, or in a file. */
struct zip_source {
    struct lw_str bytes; /* when fd < 0 */
    int fd;
};

struct zip_directory {
    struct lw_arena arena;
    struct lw_map names; /* as written, without a '/' at the end -> kind, 0 once it was met */
    uint64_t left;       /* names not met yet */
};

/* Release it in every case. LW_EINVAL: no directory, or a name twice in it; `*why` is then a
 * static text about the archive. */
int zip_directory_load(struct zip_directory *d, struct lw_mem *mem,
                       const struct zip_source *source, const char **why, struct lw_err *err);
void zip_directory_release(struct zip_directory *d);

/* A member of the stream was met: what the directory has against it (static text), or NULL. */
const char *zip_directory_meet(struct zip_directory *d, struct lw_str name, bool is_folder);

#endif
