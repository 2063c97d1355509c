/* What surrounds the statement that is being run. */
#include "check/engine/engine.h"

bool ck_is_certain(const struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->uncertain > f->looping)
            return false;
    return true;
}

bool ck_is_driven(const struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->function && f->call_place == 0)
            return true;
    return false;
}

bool ck_in_loop(const struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->loop)
            return true;
    return false;
}

void *ck_state(struct ck *c, const void *key, size_t size)
{
    for (size_t i = 0; i < c->states.n; i++)
        if (c->states.v[i].key == key)
            return c->states.v[i].memory;
    struct ck_state s = {.key = key, .memory = lw_arena_alloc(c->arena, size)};
    if (!s.memory || lw_vec_push(c->mem, &c->states, s) < 0)
        return NULL;
    return s.memory;
}
