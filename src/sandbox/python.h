/*
 * python - finding the interpreter that can run a program.
 *
 * A machine has several: the system's, others on PATH, virtual environments. The first one that
 * has all modules a program needs is taken, in this order: $LACEWING_PYTHON, /usr/bin/python3,
 * python3 and python3.N on PATH, the same in /usr/local/bin. Modules are looked for, not
 * imported (data/python_probe.py). Each interpreter is asked at most once about each module.
 *
 * Everything handed out lives as long as the finder, which may be used from any thread.
 */
#ifndef LW_SANDBOX_PYTHON_H
#define LW_SANDBOX_PYTHON_H

#include "base/mem.h"
#include "lacewing.h"
#include "sandbox/sandbox.h"

typedef struct lw_pythons lw_pythons;

struct lw_python {
    const char *path;            /* to execute, also inside the sandbox */
    struct lw_str version;       /* "3.11.2" */
    const struct lw_bind *binds; /* folders the sandbox must show for it to work */
    size_t bind_count;
};

/* A top-level module. The version is not required, only named in the advice how to get it. */
struct lw_python_need {
    struct lw_str module;
    struct lw_str version; /* may be empty */
};

int lw_pythons_new(lw_pythons **out, struct lw_mem *mem, struct lw_err *err);
void lw_pythons_free(lw_pythons *pythons);

/* The first interpreter that has all `needs`. LW_EMISSING: none has; `err` names what is
 * missing and how to install it. LW_EINVAL: a need is not the name of a module. */
int lw_python_find(const struct lw_python **out, lw_pythons *pythons,
                   const struct lw_python_need *needs, size_t count, struct lw_err *err);

/* The version of a module that was among the needs of a find which gave `python`; empty when it
 * is not known. */
struct lw_str lw_python_module_version(lw_pythons *pythons, const struct lw_python *python,
                                       struct lw_str module);

#endif
