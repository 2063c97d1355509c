/*
 * project - the Python files below a folder, and definitions across them.
 *
 * In: a folder. Out: its modules by dotted name, parsed when first needed; everything is owned
 * by the project until release. A package's name begins at the topmost folder that has an
 * __init__.py; files outside packages are named by their path, and also without it.
 */
#ifndef LW_SOURCE_PROJECT_H
#define LW_SOURCE_PROJECT_H

#include "base/map.h"
#include "source/names.h"
#include "source/text.h"

struct lw_module {
    struct lw_str path; /* relative to the folder */
    struct lw_str name; /* "pkg.sub.mod"; of an __init__.py: "pkg.sub" */
    bool is_package;    /* an __init__.py */
    bool loaded;
    struct lw_source source;
    struct lw_tree tree;
    struct lw_names names;
};

struct lw_project {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    const char *root; /* borrowed */
    struct lw_module *modules;
    size_t module_count;
    struct lw_map by_name; /* name -> index */
};

enum { LW_PROJECT_MAX_FILES = 200000 };

/* Lists the files; reads none of them. */
int lw_project_open(struct lw_project *p, struct lw_mem *mem, const char *root,
                    struct lw_err *err);
void lw_project_close(struct lw_project *p);

/* Parses the module unless it has been. */
int lw_project_load(struct lw_project *p, struct lw_module *m, struct lw_err *err);

/* The module of that path below the folder, or NULL. */
struct lw_module *lw_project_at(struct lw_project *p, struct lw_str path);
/* The same for a path as a user gives it, with the root's name or "./" in front; NULL also when
 * there is no project (`p` NULL). */
struct lw_module *lw_project_of(struct lw_project *p, struct lw_str path);

struct lw_definition {
    struct lw_module *module; /* NULL: not in this project */
    uint32_t node;            /* FUNCTION, CLASS, or the MODULE itself */
};

/* Follows a dotted name as used in `from` (which resolves leading dots; may be NULL) through
 * modules, re-exports and star imports to a definition. LW_ENOMEM is the only failure; files
 * that cannot be read count as absent. */
int lw_project_find(struct lw_project *p, const struct lw_module *from, struct lw_str dotted,
                    struct lw_definition *out, struct lw_err *err);

#endif
