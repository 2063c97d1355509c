/* Keras: models of layers, compile, fit. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/rules.h"

bool ck_is_keras_layer(struct ck *c, const struct ck_object *o)
{
    static const char *const bases[] = {"keras.layers.Layer", "keras.Layer",      "keras.Model",
                                        "keras.models.Model", "keras.Sequential", NULL};
    struct lw_value v = {.kind = o->kind, .opaque = o};
    return ck_is_a_any(c, v, bases);
}

bool ck_keras_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                   uint32_t node, struct lw_value *out)
{
    (void)c, (void)o, (void)args, (void)n, (void)node, (void)out;
    return false;
}

const struct ck_handler ck_handlers_keras[] = {
    {NULL, NULL},
};
