/*
 * environment - what a bug needs, written in the form other tools understand.
 */
#ifndef LW_CATALOG_ENVIRONMENT_H
#define LW_CATALOG_ENVIRONMENT_H

#include "base/arena.h"
#include "lacewing.h"

enum lw_environment_kind { LW_ENV_CONDA, LW_ENV_PIP, LW_ENV_CONTAINER, LW_ENV_SCRIPT };

/* "conda", "pip", "container", "script"; false for anything else. */
bool lw_environment_parse(struct lw_str name, enum lw_environment_kind *kind);

/* The name of the file: environment.yml, requirements.txt, Containerfile, setup.sh. */
const char *lw_environment_file(enum lw_environment_kind kind);

/* Its text, in `arena`. */
int lw_environment_text(struct lw_str *text, struct lw_arena *arena, const struct lw_bug *bug,
                        enum lw_environment_kind kind, struct lw_err *err);

/* A Containerfile that holds the bug's requirements but not its program, in `arena`: what an
 * image is built from that serves all bugs of the same needs. */
int lw_environment_recipe(struct lw_str *text, struct lw_arena *arena, const struct lw_bug *bug,
                          struct lw_err *err);

#endif
