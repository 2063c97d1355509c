/* TensorFlow 1: graphs and sessions. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/rules.h"

const struct ck_handler ck_handlers_tf1[] = {
    {NULL, NULL},
};
