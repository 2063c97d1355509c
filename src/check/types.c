#include "check/types.h"

void lw_check_result_init(struct lw_check_result *r, struct lw_mem *mem)
{
    *r = (struct lw_check_result){.mem = mem};
    lw_arena_init(&r->arena, mem, 0);
}

void lw_check_result_release(struct lw_check_result *r)
{
    lw_vec_release(r->mem, &r->findings);
    lw_vec_release(r->mem, &r->errors);
    lw_vec_release(r->mem, &r->broken);
    lw_vec_release(r->mem, &r->incomplete);
    lw_vec_release(r->mem, &r->unknown);
    lw_vec_release(r->mem, &r->inferred);
    lw_arena_release(&r->arena);
}
