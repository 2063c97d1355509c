#include "check/engine/events.h"

#include "base/err.h"

void ck_emit(struct ck *c, const struct ck_event *e)
{
    LW_BUG_ON(!e->kind || (e->kind & (e->kind - 1)));
    LW_BUG_ON((e->kind == CK_EV_FAULT) != (e->fault != CK_FAULT_NONE));
    if (!c->stopped && c->emit)
        c->emit(c, e);
}
