/*
 * folder - writes a reproduction as a folder that somebody else can run: reproduce.py and the
 * files it reads, requirements.txt, environment.yml, Containerfile, ACTIONS.md, expected.json.
 */
#ifndef LW_REPRODUCE_FOLDER_H
#define LW_REPRODUCE_FOLDER_H

#include "base/jsonw.h"
#include "reproduce/reproduce.h"

/* Each file is written whole or not at all; the folder is made if needed. */
int lw_reproduction_write(const struct lw_reproduction *r, const lw_report *report,
                          const char *folder, struct lw_mem *mem, struct lw_err *err);

/* The object of INTERFACE. */
void lw_reproduction_json(struct lw_jsonw *w, const struct lw_reproduction *r);

#endif
