/*
 * path - names of files. Purely lexical: nothing here looks at the disk.
 */
#ifndef LW_BASE_PATH_H
#define LW_BASE_PATH_H

#include "base/buf.h"
#include "lacewing.h"

/* The last component ("b" of "a/b", empty for "a/"). */
struct lw_str lw_path_name(struct lw_str path);

/* What comes before the last component, without the slash ("a" of "a/b", "/" of "/b", else
 * "."). */
struct lw_str lw_path_parent(struct lw_str path);

/* ".py" of "a/b.py"; dots at the start of the name begin no extension (".bashrc", ".."). */
struct lw_str lw_path_extension(struct lw_str path);

/*
 * Sets `out` to `root`/`rel` with "." and "x/.." folded. `rel` comes from outside: an absolute
 * path, one that leaves the root, an empty one, or one with a NUL byte is LW_EINVAL. The result
 * is always strictly below `root`; an empty root is the current folder.
 */
int lw_path_join(struct lw_buf *out, struct lw_str root, struct lw_str rel, struct lw_err *err);

/* Sets `out` to "a/b" for trusted parts; an empty or "." first part gives the second alone. */
int lw_path_append(struct lw_buf *out, struct lw_str a, struct lw_str b);

#endif
