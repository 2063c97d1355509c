/* Data: tf.data, generators of images. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/rules.h"

const struct ck_handler ck_handlers_data[] = {
    {NULL, NULL},
};
