/*
 * stores - which attributes the files of a run write, by their text.
 *
 * In: the paths of all files that are checked together. Out: for a name, whether some file has
 * `model.name = …`, or derives from a class and has `self.name = …` or `def name`. A class does
 * not know who writes to its objects: a training script may, or a class of another file that
 * derives from it. Read when first asked for; the answer does not depend on threads. What
 * cannot be read has no names.
 */
#ifndef LW_CHECK_ENGINE_STORES_H
#define LW_CHECK_ENGINE_STORES_H

#include <pthread.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/* A file in which a class defines or writes an attribute of its own. */
struct ck_store {
    uint32_t path;
    uint32_t next; /* of the same name, + 1; 0: none */
};

struct ck_stores {
    struct lw_mem *mem;         /* borrowed */
    const struct lw_str *paths; /* borrowed */
    size_t path_count;
    struct lw_arena arena; /* keys */
    struct lw_map outside; /* names in model.name = …, also self.part.name = … */
    struct lw_map inside;  /* names in self.name = … and def name -> the last store, + 1 */
    LW_VEC(struct ck_store) stores;
    bool ready;
    pthread_mutex_t lock;
};

void ck_stores_init(struct ck_stores *s, struct lw_mem *mem);
void ck_stores_release(struct ck_stores *s);

/* Does some file write the attribute to an object that is not `self`? */
bool ck_stores_outside(struct ck_stores *s, struct lw_str name);
/* Does a file that derives a class from `cls` define the attribute, or write it to `self`? */
bool ck_stores_derived(struct ck_stores *s, struct lw_str cls, struct lw_str name);

#endif
