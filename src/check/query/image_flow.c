/* Flows of images and their generators. */
#include "base/err.h"
#include "check/query/image_flow.h"
#include "check/query/notes.h"

#include "base/str.h"

void image_flow_note(struct ck *c, const struct ck_event *e)
{
    LW_BUG_ON(!e->call);
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (o && e->call->self.kind == CK_INSTANCE &&
        lw_str_find(e->call->name, LW_S("ImageDataGenerator.flow")) != LW_NPOS)
        note_set(c, o, NOTE_GENERATOR, e->call->self);
}

struct ck_object *image_flow_generator(struct lw_value flow)
{
    struct ck_object *o = ck_as(flow, CK_INSTANCE);
    return o ? ck_as(note_of(o, NOTE_GENERATOR), CK_INSTANCE) : NULL;
}
