/*
 * outside - what a program takes from outside that is not here: modules, files.
 */
#ifndef LW_REPRODUCE_OUTSIDE_H
#define LW_REPRODUCE_OUTSIDE_H

#include "reproduce/build.h"

/* Is the module that the statement imports one of those that are absent? */
bool rp_is_absent(const struct rp_candidate *c, struct lw_str statement);
/* The import, with stand-ins for what it binds where the module is missing. */
struct lw_str rp_optional_import(struct rp_program *p, struct lw_str statement);
/* Makes the imports of the body that are absent optional. */
void rp_optional_imports(struct rp_program *p, const struct rp_candidate *c);

/* A file that the program reads: the lines that the report shows of it, else made up. */
struct lw_str rp_file_content(struct rp_program *p, const struct rp_facts *f);

#endif
