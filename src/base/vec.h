/*
 * vec - growing arrays of one type.
 *
 *     LW_VEC(struct lw_str) names = {0};
 *     if (lw_vec_push(mem, &names, name) < 0) …
 *     lw_vec_release(mem, &names);
 *
 * `v`, `n` may be read freely. The memory is owned by the vector; element addresses change when
 * it grows.
 */
#ifndef LW_BASE_VEC_H
#define LW_BASE_VEC_H

#include "base/mem.h"
#include "lacewing.h"

#define LW_VEC(type) \
    struct {         \
        type *v;     \
        size_t n;    \
        size_t cap;  \
    }

/* Room for `extra` more elements; 0 or LW_ENOMEM. */
#define lw_vec_reserve(mem, vec, extra) \
    lw_vec_grow_((mem), (vec), (vec)->n, (vec)->cap, (extra), sizeof *(vec)->v)

/* Appends; 0 or LW_ENOMEM. `item` may not refer to the vector's own elements. */
#define lw_vec_push(mem, vec, ...)                                         \
    ((vec)->n < (vec)->cap || lw_vec_reserve((mem), (vec), (size_t)1) == 0 \
         ? ((vec)->v[(vec)->n++] = (__VA_ARGS__), 0)                       \
         : LW_ENOMEM)

/* Gives back the room behind the last element, for what lives long and grows no more. */
#define lw_vec_trim(mem, vec) lw_vec_trim_((mem), (vec), (vec)->n, (vec)->cap, sizeof *(vec)->v)

#define lw_vec_release(mem, vec) lw_vec_release_((mem), (vec), (vec)->cap, sizeof *(vec)->v)

/* Not for direct use. `vec` points to a LW_VEC. */
int lw_vec_grow_(struct lw_mem *mem, void *vec, size_t n, size_t cap, size_t extra,
                 size_t size);
void lw_vec_trim_(struct lw_mem *mem, void *vec, size_t n, size_t cap, size_t size);
void lw_vec_release_(struct lw_mem *mem, void *vec, size_t cap, size_t size);

#endif
