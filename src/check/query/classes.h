/*
 * classes - numbers of classes against the units of the network that is to learn them.
 *
 * Asked at the events of training: FIT of a compiled model, CALL or LAYER of a loss of Keras in
 * a loop of the program's own. Nothing is changed; results are borrowed.
 */
#ifndef LW_CHECK_QUERY_CLASSES_H
#define LW_CHECK_QUERY_CLASSES_H

#include "check/engine/events.h"
#include "check/query/model_view.h"

enum classes_fit {
    CLASSES_FIT,      /* there is a unit for each number, or it is not known */
    CLASSES_FROM_ONE, /* as many as there are units, but counted from 1 */
    CLASSES_TOO_MANY,
};

struct classes {
    struct lw_value target; /* the numbers, */
    double lowest, highest; /* and their range */
    struct mv_output out;
};

/* Does a loss that takes class numbers get some for which the network has no unit? `out` is set
 * unless they fit. */
enum classes_fit classes_of(struct ck *c, const struct ck_event *e, struct classes *out);

/* Does the loss that the model of the event was compiled with take class numbers? */
bool classes_are_numbered(struct ck *c, const struct ck_event *e);

#endif
