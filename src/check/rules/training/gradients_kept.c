/* Of two optimisers one is set back, the other never: its gradients add up. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/notes.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

enum { MAX_OPTIMIZERS = 8 };

/* Optimisers that step in a loop, and what sets gradients back. */
struct zeroed {
    struct {
        const struct ck_object *optimizer, *module;
        struct ck_file *file;
        uint32_t node;
    } steps[MAX_OPTIMIZERS];
    const struct ck_object *cleared[2 * MAX_OPTIMIZERS];
    size_t n, cleared_count;
    bool vague;
};

static const char zeroed_key;

static void watch_cleared(struct ck *c, const struct ck_event *e)
{
    struct zeroed *z = ck_state(c, &zeroed_key, sizeof *z);
    if (!z)
        return;
    if (e->kind == CK_EV_ZERO_GRAD) {
        z->vague |= !e->object || z->cleared_count == 2 * MAX_OPTIMIZERS;
        if (!z->vague)
            z->cleared[z->cleared_count++] = e->object;
        return;
    }
    for (size_t i = 0; i < z->n; i++)
        if (z->steps[i].optimizer == e->object)
            return;
    z->vague |= !e->object;
    if (!e->object || !ck_in_loop(c) || z->n == MAX_OPTIMIZERS)
        return;
    z->steps[z->n].optimizer = e->object;
    z->steps[z->n].module = ck_as(note_of(e->object, NOTE_MODULE), CK_INSTANCE);
    z->steps[z->n].file = c->frame->file;
    z->steps[z->n++].node = e->node;
}

/* Of two optimisers one is never set back: gradients of all steps add up for its module. */
static void watch_kept(struct ck *c, const struct ck_event *e)
{
    const struct zeroed *z = ck_state(c, &zeroed_key, sizeof *z);
    (void)e;
    if (!z || z->vague || z->n < 2 || !z->cleared_count || ck_shows(c, "attribute grad=None") ||
        ck_shows(c, "call grad.zero_") || ck_shows(c, "call autograd.grad"))
        return;
    for (size_t i = 0; i < z->n; i++) {
        bool cleared = !z->steps[i].module;
        for (size_t k = 0; k < z->cleared_count; k++)
            cleared |= z->cleared[k] == z->steps[i].optimizer ||
                       z->cleared[k] == z->steps[i].module || !z->cleared[k]->api ||
                       z->cleared[k]->of;
        if (!cleared)
            ck_find_at(c, z->steps[i].file, z->steps[i].node, "training/gradients-kept", NULL,
                       0,
                       "the gradients of this optimizer are never set to zero, only those of "
                       "another: each backward() adds to them; call its zero_grad() too");
    }
}

/* Of two optimisers in one loop one is set back, the other never. */
static void check_one_kept(const struct protocol_program *r, const struct protocol *p)
{
    size_t zero = protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, 0);
    if (zero == p->n || !protocol_are_steppers_cleared(&r->all) || r->all.more ||
        ck_shows(r->c, "attribute grad=None") || ck_shows(r->c, "def step*"))
        return;
    for (size_t i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1)) {
        size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0);
        if (back < i && syntax_is_name(p->calls[i].who) &&
            protocol_find(&r->all, PROTOCOL_ZERO, p->calls[i].who, 0) == r->all.n)
            ck_find_at(r->c, r->file, p->calls[i].node, "training/gradients-kept", NULL, 0,
                       "the gradients of '%.*s' are never set to zero, only those of "
                       "'%.*s': each backward() adds to them; call its zero_grad() too",
                       LW_F(p->calls[i].who), LW_F(p->calls[zero].who));
    }
}

/* The same, read from the words of the program. */
static void watch_protocol(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of(c);
    struct protocol p;
    (void)e;
    if (!r)
        return;
    for (uint32_t loop = protocol_next_training(r, r->t->root, &p); loop != LW_NO_NODE;
         loop = protocol_next_training(r, loop, &p))
        check_one_kept(r, &p);
}

const struct ck_rule rules_training_gradients_kept[] = {
    {"training/gradients-kept", CK_EV_ZERO_GRAD | CK_EV_STEP, watch_cleared},
    {"training/gradients-kept", CK_EV_END, watch_protocol},
    {"training/gradients-kept", CK_EV_END, watch_kept},
    {0},
};
