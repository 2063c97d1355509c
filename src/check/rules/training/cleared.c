/* Rules about gradients that are cleared before they are used. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

/* ---- order --------------------------------------------------------------------------------
 */

/* What happened last to the gradients of an optimizer, in the order of the program. */
struct order {
    const struct ck_object *optimizer; /* whose zero_grad() came behind backward() */
    uint32_t zero;
    bool backward;
};

static const char order_key, looks_key;
enum { MAX_LOOKS = 50 }; /* over a loop, for a backward() that makes no event */

/* backward(), zero_grad(), step(): the gradients are gone before they are used. */
static void watch_order(struct ck *c, const struct ck_event *e)
{
    struct order *s = ck_state(c, &order_key, sizeof *s);
    if (!s)
        return;
    if (e->kind == CK_EV_BACKWARD) {
        s->backward = true;
        s->optimizer = NULL;
    } else if (e->kind == CK_EV_ZERO_GRAD) {
        s->optimizer = s->backward && ck_is_certain(c) ? e->object : NULL;
        s->zero = e->node;
    } else {
        if (s->optimizer && s->optimizer == e->object && s->backward && ck_is_certain(c) &&
            ck_arg(e->call, 0, "closure").kind == LW_V_ABSENT &&
            look_again(c, &looks_key, MAX_LOOKS) &&
            !protocol_goes_back(&c->frame->file->tree, s->zero, e->node))
            ck_find(c, s->zero, "training/gradients-cleared", NULL, 0,
                    "zero_grad() between backward() and step() discards the gradients: call it "
                    "before backward()");
        s->backward = false;
        s->optimizer = NULL;
    }
}

/* ---- read from the words of the program ----------------------------------------------------
 */

/* The `if step % n == 0` around the node. */
static uint32_t every_nth(const struct lw_tree *t, uint32_t node, uint32_t loop)
{
    uint32_t n = protocol_condition(t, node, loop);
    while (n != LW_NO_NODE &&
           lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), LW_S("%")) == LW_NPOS)
        n = protocol_condition(t, n, loop);
    return n;
}

/* who.zero_grad() in each pass of the loop. */
static size_t always_cleared(const struct lw_tree *t, const struct protocol *p,
                             struct lw_str who, uint32_t loop)
{
    size_t i = protocol_find(p, PROTOCOL_ZERO, who, 0);
    while (i < p->n && (protocol_pass(t, p->calls[i].node) != loop ||
                        protocol_condition(t, p->calls[i].node, loop) != LW_NO_NODE))
        i = protocol_find(p, PROTOCOL_ZERO, who, i + 1);
    return i;
}

/* Gradients are cleared in each pass and used in every n-th: those of the others are lost. */
static void check_accumulation(const struct protocol_program *r, const struct protocol *p)
{
    for (size_t i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1)) {
        uint32_t loop = protocol_pass(r->t, p->calls[i].node);
        uint32_t nth = loop == LW_NO_NODE ? loop : every_nth(r->t, p->calls[i].node, loop);
        size_t zero = nth == LW_NO_NODE ? p->n : always_cleared(r->t, p, p->calls[i].who, loop);
        if (zero == p->n)
            continue;
        bool always = false, inside = false;
        for (size_t k = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0); k < p->n;
             k = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, k + 1)) {
            always |= protocol_pass(r->t, p->calls[k].node) == loop;
            inside |= syntax_inside(r->t, p->calls[k].node, nth);
        }
        if (always && !inside)
            ck_find_at(
                r->c, r->file, p->calls[zero].node, "training/gradients-cleared", NULL, 0,
                "the gradients are set to zero in every iteration, but the optimizer steps "
                "only in some: the other gradients are lost; clear them after step()");
    }
}

/* backward(), zero_grad(), step() in one block. */
static void check_cleared(const struct protocol_program *r, size_t zero)
{
    const struct protocol *p = &r->all;
    const struct protocol_call *z = &p->calls[zero];
    size_t step = protocol_step_of(&r->all, zero);
    size_t between = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, zero);
    if (zero == 0 || step == p->n || between < step ||
        p->calls[zero - 1].word != PROTOCOL_BACKWARD ||
        !protocol_is_same_block(r->t, p->calls[zero - 1].node, z->node) ||
        !protocol_is_same_block(r->t, z->node, p->calls[step].node))
        return;
    ck_find_at(r->c, r->file, z->node, "training/gradients-cleared", NULL, 0,
               "zero_grad() between backward() and step() discards the gradients: call it "
               "before backward()");
}

/* Functions that are one step of a loop elsewhere. */
static void check_single_steps(const struct protocol_program *r)
{
    uint32_t last = LW_NO_NODE;
    struct protocol p;
    for (size_t i = protocol_find(&r->all, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0); i < r->all.n;
         i = protocol_find(&r->all, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1)) {
        uint32_t node = r->all.calls[i].node;
        uint32_t f = lw_tree_enclosing(r->t, node, LW_NODE_FUNCTION);
        if (syntax_loop_around(r->t, node) != LW_NO_NODE || f == LW_NO_NODE || f == last)
            continue;
        last = f;
        protocol_read(r->t, f, &p);
        if (!p.more)
            check_accumulation(r, &p);
    }
}

static void watch_accumulation(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of(c);
    struct protocol p;
    (void)e;
    if (!r || protocol_find(&r->all, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) == r->all.n)
        return;
    for (uint32_t loop = protocol_next_training(r, r->t->root, &p); loop != LW_NO_NODE;
         loop = protocol_next_training(r, loop, &p))
        check_accumulation(r, &p);
    check_single_steps(r);
}

static void watch_steps(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of_steps(c);
    (void)e;
    for (size_t i = 0; r && i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_ZERO)
            check_cleared(r, i);
}

const struct ck_rule rules_training_cleared[] = {
    {"training/gradients-cleared", CK_EV_BACKWARD | CK_EV_ZERO_GRAD | CK_EV_STEP, watch_order},
    {"training/gradients-cleared", CK_EV_END, watch_accumulation},
    {"training/gradients-cleared", CK_EV_END, watch_steps},
    {0},
};
