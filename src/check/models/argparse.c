/* Options of a program, as if it was started without any: argparse, getopt. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/models/models.h"

static void parser_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_new(c, CK_INSTANCE, call->node);
    if (!o)
        return;
    o->name = LW_S("argparse.ArgumentParser");
    *value = ck_value(o);
}

static void parser_add(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value dest = ck_arg(call, SIZE_MAX, "dest");
    struct lw_value initial = ck_arg(call, SIZE_MAX, "default");
    struct lw_value action = ck_arg(call, SIZE_MAX, "action");
    struct lw_value type = ck_arg(call, SIZE_MAX, "type");
    *value = lw_v_unknown();
    for (size_t i = 0; dest.kind != LW_V_STR && i < call->n; i++) {
        struct lw_value v = call->args[i].value;
        if (!call->args[i].name.n && v.kind == LW_V_STR && v.str.p &&
            (lw_str_has_prefix(v.str, LW_S("--")) || !lw_str_has_prefix(v.str, LW_S("-")) ||
             i + 1 == call->n))
            dest = v;
    }
    if (!o || dest.kind != LW_V_STR || !dest.str.p)
        return;
    char name[80];
    size_t n = 0;
    for (size_t i = 0; i < dest.str.n && n + 1 < sizeof name; i++)
        if (n > 0 || dest.str.p[i] != '-')
            name[n++] = dest.str.p[i] == '-' ? '_' : dest.str.p[i];
    name[n] = 0;
    if (initial.kind == LW_V_ABSENT || initial.kind == LW_V_NONE)
        initial = lw_v_unknown();
    if (action.kind == LW_V_STR)
        initial = lw_v_tri(LW_TRI_MAYBE);
    if (initial.kind == LW_V_STR && type.kind != LW_V_ABSENT) /* as if the user had given it */
        initial = ck_call(c, type, &(struct lw_arg){.value = initial, .node = call->node}, 1,
                          call->node);
    ck_set_field(c, o, ck_text(c, "--%s", name).p, initial);
}

static void parser_parse(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct ck_object *args = ck_new(c, CK_INSTANCE, call->node);
    if (!o || !args)
        return;
    args->name = LW_S("argparse.Namespace");
    args->open = true;
    for (struct ck_slot *s = o->fields.first; s; s = s->next) {
        struct lw_str name = heap_name(&c->heap, s->name);
        if (lw_str_has_prefix(name, LW_S("--")))
            ck_set_attr(c, ck_value(args), lw_str_from(name, 2), s->value);
    }
    *value = ck_value(args);
    if (lw_str_has_suffix(call->name, LW_S("parse_known_args"))) {
        struct lw_value pair[2] = {*value, lw_v_unknown()};
        *value = ck_tuple(c, pair, 2);
    }
}

static void parser_group(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    *value = call->self;
}

/* getopt.getopt(): like argparse, as if the program was started without options. */
static void options(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_seq none = {0};
    struct lw_value pair[2] = {ck_new_list(c, CK_LIST, none, call->node), lw_v_unknown()};
    *value = ck_tuple(c, pair, 2);
}

const struct ck_handler ck_handlers_argparse[] = {
    {"argparse.ArgumentParser", parser_new},
    {"argparse.ArgumentParser.add_argument", parser_add},
    {"argparse.ArgumentParser.add_argument_group", parser_group},
    {"argparse.ArgumentParser.add_mutually_exclusive_group", parser_group},
    {"argparse.ArgumentParser.parse_args", parser_parse},
    {"argparse.ArgumentParser.parse_known_args", parser_parse},
    {"getopt.getopt", options},
    {"getopt.gnu_getopt", options},
    {NULL, NULL},
};
