#include "base/vec.h"

#include <string.h>

#include "base/num.h"

/* Every LW_VEC has this layout; it is copied in and out because the element types differ. */
typedef LW_VEC(void) any_vec;

int lw_vec_grow_(struct lw_mem *mem, void *vec, size_t n, size_t cap, size_t extra, size_t size)
{
    size_t want, bytes;
    if (!lw_add_size(n, extra, &want))
        return LW_ENOMEM;
    if (want <= cap)
        return 0;
    size_t grown = cap < 8 ? 8 : cap;
    while (grown < want)
        if (!lw_mul_size(grown, 2, &grown))
            return LW_ENOMEM;
    if (!lw_mul_size(grown, size, &bytes))
        return LW_ENOMEM;
    any_vec now;
    memcpy(&now, vec, sizeof now);
    void *p = lw_mem_realloc(mem, now.v, cap * size, bytes);
    if (!p)
        return LW_ENOMEM;
    now.v = p;
    now.cap = grown;
    memcpy(vec, &now, sizeof now);
    return 0;
}

void lw_vec_trim_(struct lw_mem *mem, void *vec, size_t n, size_t cap, size_t size)
{
    if (n == cap)
        return;
    if (n == 0) {
        lw_vec_release_(mem, vec, cap, size);
        return;
    }
    any_vec now;
    memcpy(&now, vec, sizeof now);
    void *p = lw_mem_realloc(mem, now.v, cap * size, n * size);
    if (!p)
        return; /* it just stays larger */
    now.v = p;
    now.cap = n;
    memcpy(vec, &now, sizeof now);
}

void lw_vec_release_(struct lw_mem *mem, void *vec, size_t cap, size_t size)
{
    any_vec now;
    memcpy(&now, vec, sizeof now);
    lw_mem_free(mem, now.v, cap * size);
    memset(vec, 0, sizeof now);
}
