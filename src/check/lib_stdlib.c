/* Containers and chance of Python's library: deque, namedtuple, random. What replay buffers,
 * shuffled lists and rows with names are made of. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"

/* A list; one with a largest length forgets its first items. */
static void deque(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value from = ck_arg(call, 0, "iterable"), most = ck_arg(call, 1, "maxlen");
    struct lw_seq seq = {0};
    if (from.kind != LW_V_ABSENT && from.kind != LW_V_NONE)
        seq = ck_iterate(c, from, call->node);
    seq.open |= most.kind != LW_V_ABSENT && most.kind != LW_V_NONE;
    *value = ck_new_list(c, CK_LIST, seq, call->node);
}

/* `count` items of what a sequence holds, in any order. */
static struct lw_value draw(struct ck *c, struct lw_value from, struct lw_value count,
                            uint32_t node)
{
    struct lw_seq drawn = {.n = 1, .open = true};
    struct lw_value any = ck_join_items(c, ck_iterate(c, from, node));
    int64_t n;
    if (ck_int_of(c, count, &n) && n >= 0 && n <= CK_MAX_ITEMS)
        drawn = (struct lw_seq){.n = (uint32_t)n};
    struct lw_value *items = ck_values(c, drawn.n ? drawn.n : 1);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < drawn.n; i++)
        items[i] = any;
    drawn.items = items;
    if (drawn.open && count.kind == LW_V_INT)
        drawn.length = count.dim;
    return ck_new_list(c, CK_LIST, drawn, node);
}

static void random_sample(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = draw(c, ck_arg(call, 0, "population"), ck_arg(call, 1, "k"), call->node);
}

static void random_choices(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value count = ck_arg(call, SIZE_MAX, "k");
    *value = draw(c, ck_arg(call, 0, "population"),
                  count.kind == LW_V_ABSENT ? ck_int(c, 1) : count, call->node);
}

static void random_range(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    int64_t least = 0, most = LW_DIM_MOST;
    struct lw_value end = ck_arg(call, 1, "stop");
    if (end.kind == LW_V_ABSENT)
        end = ck_arg(call, 0, "start");
    else if (!ck_int_of(c, ck_arg(call, 0, "start"), &least))
        least = LW_DIM_LEAST;
    if (ck_int_of(c, end, &most))
        most--;
    if (least > most)
        return;
    *value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("random"), least, most));
}

/* namedtuple('Step', 'state action'), namedtuple('Step', ('state', 'action')): a class whose
 * instances are rows; record.c makes them. */
static void named_tuple(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value names = ck_arg(call, 1, "field_names");
    struct lw_seq seq;
    LW_VEC(struct lw_value) found = {0};
    bool known = names.kind == LW_V_STR && names.str.p;
    struct lw_str text = known ? names.str : LW_S("");
    if (known) {
        for (size_t i = 0, start = 0; i <= text.n; i++)
            if (i == text.n || text.p[i] == ' ' || text.p[i] == ',' || text.p[i] == '\n') {
                struct lw_value name = lw_v_str(lw_str_part(text, start, i - start));
                if (i > start && lw_vec_push(c->mem, &found, name) < 0)
                    known = false;
                start = i + 1;
            }
    } else if (ck_sequence(c, names, &seq) && !seq.open) {
        known = true;
        for (uint32_t i = 0; i < seq.n; i++)
            known &= seq.items[i].kind == LW_V_STR && seq.items[i].str.p &&
                     lw_vec_push(c->mem, &found, seq.items[i]) == 0;
    }
    struct ck_object *cls = known && found.n ? ck_new(c, CK_CLASS, call->node) : NULL;
    if (cls) {
        cls->file = c->frame->file;
        cls->open = true;
        cls->name = LW_S("namedtuple");
        ck_set_field(c, cls, "(fields)", ck_tuple(c, found.v, found.n));
        *value = ck_value(cls);
    }
    lw_vec_release(c->mem, &found);
}

const struct ck_handler ck_handlers_stdlib[] = {
    {"collections.deque", deque},       {"collections.namedtuple", named_tuple},
    {"random.choices", random_choices}, {"random.randrange", random_range},
    {"random.sample", random_sample},   {NULL, NULL},
};
