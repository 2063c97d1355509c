/* What surrounds the statement that is being run. */
#include "base/err.h"
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
    LW_BUG_ON(!key || !size);
    if (!c->states)
        c->states = lw_arena_array(c->arena, CK_STATES, sizeof *c->states);
    if (!c->states)
        return NULL;
    uint32_t at = (uint32_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
    for (unsigned tries = 0; tries < CK_STATES; tries++, at++) {
        struct ck_state *s = &c->states[at % CK_STATES];
        if (s->key == key)
            return s->memory;
        if (!s->key) {
            s->memory = lw_arena_alloc(c->arena, size);
            s->key = s->memory ? key : NULL;
            return s->memory;
        }
    }
    return NULL;
}
