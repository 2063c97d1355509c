/*
 * image_flow - which ImageDataGenerator of Keras a flow of images comes from.
 *
 * Rules note the calls that make flows; the notes belong to the engine.
 */
#ifndef LW_CHECK_QUERY_IMAGE_FLOW_H
#define LW_CHECK_QUERY_IMAGE_FLOW_H

#include "check/engine/events.h"

/* At each CALL: is it generator.flow…()? */
void image_flow_note(struct ck *c, const struct ck_event *e);

/* The generator that the flow was made by; NULL: not known. Borrowed. */
struct ck_object *image_flow_generator(struct lw_value flow);

#endif
