/*
 * member - which names the files of a specimen may have, wherever they come from.
 *
 * Folders, tar and zip archives are held to the same names, so that what one command takes
 * another takes too, on every system: relative, no "." or "..", printable ASCII, no two that
 * differ only in case, no file that is also a folder.
 *
 * Internal to src/catalog.
 */
#ifndef LW_CATALOG_MEMBER_H
#define LW_CATALOG_MEMBER_H

#include "base/arena.h"
#include "base/map.h"
#include "lacewing.h"

struct member_names {
    struct lw_arena arena;
    struct lw_map seen; /* name in small letters -> how it was written, and what it is */
};

void member_names_init(struct member_names *names, struct lw_mem *mem);
void member_names_release(struct member_names *names);

/* Takes a name. `*why` says what is wrong with it (static text), or is NULL. LW_ENOMEM. */
int member_names_claim(struct member_names *names, struct lw_str path, bool is_folder,
                       const char **why, struct lw_err *err);

/* What is wrong with the name by itself (static text), or NULL. */
const char *member_name_trouble(struct lw_str path);

/* Python runs what it compiled before instead of the source that everybody reads: such files
 * are left out. */
bool member_is_left_out(struct lw_str path);

/* "NAME: member 'PATH' is refused: why", with odd bytes of the path as \xNN. LW_EINVAL. */
int member_refuse(struct lw_str name, struct lw_str path, const char *why, struct lw_err *err);

#endif
