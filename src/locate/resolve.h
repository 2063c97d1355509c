/*
 * resolve - from names in reports and imports to candidates.
 */
#ifndef LW_LOCATE_RESOLVE_H
#define LW_LOCATE_RESOLVE_H

#include "locate/case.h"

/*
 * The candidate that a path seen elsewhere means ("/usr/lib/python3/site-packages/pkg/a/b.py",
 * "pkg\\a\\b.py"): the one that has the most of its last components; more than the file name
 * itself must agree, unless only one candidate has that name and the path is nothing else. Of
 * equal ones the shortest path, then the first. SIZE_MAX: none.
 */
size_t lw_resolve_path(const struct lw_files *files, struct lw_str path);

/* The candidate that holds what the import of `file` names; SIZE_MAX: none of the project. */
size_t lw_resolve_import(const struct lw_case *c, size_t file, const struct lw_import *import);

#endif
