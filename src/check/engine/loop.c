/* Loops: run pass by pass where the passes are known, else twice and widened. */
#include "check/engine/events.h"
#include "check/engine/stmt.h"

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* One pass; false when no way leads to another one. */
static bool run_pass(struct ck *c, struct ck_loop *loop, uint32_t target, struct lw_value item,
                     enum ck_flow *flow)
{
    uint32_t node = loop->node;
    loop->pass_mark = heap_mark(&c->heap);
    if (target != LW_NO_NODE)
        ck_assign(c, target, item, lw_tree_get(tree_of(c), node, LW_ROLE_ITER));
    *flow = ck_exec_block(c, node, LW_ROLE_BODY);
    bool live = *flow == CK_NEXT || *flow == CK_CONTINUE;
    loop->pass++;
    if (loop->continues.n == 0) {
        if (*flow == CK_RAISE || *flow == CK_DEAD) {
            heap_undo(&c->heap, loop->pass_mark);
            return false;
        }
        heap_commit(&c->heap);
        return live;
    }
    struct ck_branches b = {0};
    if (*flow == CK_BREAK || *flow == CK_RETURN)
        stmt_save_flow(c, *flow);
    struct ck_changes end = heap_take(&c->heap, loop->pass_mark);
    if (live)
        b.live[b.live_count++] = end;
    for (size_t i = 0; i < loop->continues.n && b.live_count < CK_MAX_BRANCHES; i++)
        b.live[b.live_count++] = loop->continues.v[i];
    loop->continues.n = 0;
    *flow = CK_NEXT;
    ck_branches_join(c, &b);
    return true;
}

static void loop_open(struct ck *c, struct ck_loop *loop, uint32_t node)
{
    *loop = (struct ck_loop){.up = c->frame->loop, .node = node, .born = c->objects};
    c->frame->loop = loop;
    loop->mark = heap_mark(&c->heap);
}

/* The state behind the loop: after its last pass and after each break. */
static enum ck_flow loop_close(struct ck *c, struct ck_loop *loop, struct ck_branches *ends,
                               enum ck_flow last)
{
    c->frame->loop = loop->up;
    bool broke = loop->breaks.n > 0;
    if (ends->live_count == 0 && !broke && (last == CK_NEXT || last == CK_BREAK)) {
        heap_commit(&c->heap); /* the state is the one behind the loop */
    } else {
        if (last == CK_NEXT || last == CK_BREAK)
            if (ends->live_count < CK_MAX_BRANCHES)
                ends->live[ends->live_count++] = heap_snapshot(&c->heap, loop->mark);
        if (last == CK_RETURN)
            stmt_save_flow(c, last);
        heap_undo(&c->heap, loop->mark);
        for (size_t i = 0; i < loop->breaks.n && ends->live_count < CK_MAX_BRANCHES; i++)
            ends->live[ends->live_count++] = loop->breaks.v[i];
        bool was = c->widening;
        c->widening = loop->endless;
        last = ck_branches_join(c, ends);
        c->widening = was;
    }
    lw_vec_release(c->mem, &loop->breaks);
    lw_vec_release(c->mem, &loop->continues);
    return last == CK_BREAK ? CK_NEXT : last;
}

static uint32_t body_size(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    return n->last - n->first;
}

enum ck_flow stmt_for(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t target = lw_tree_get(t, node, LW_ROLE_TARGET);
    struct lw_value over = ck_eval(c, lw_tree_get(t, node, LW_ROLE_ITER));
    struct lw_seq seq = ck_iterate(c, over, node);
    struct ck_loop loop;
    struct ck_branches ends = {0};
    enum ck_flow flow = CK_NEXT;
    bool each =
        !seq.open && seq.n <= CK_MAX_UNROLL && (uint64_t)seq.n * body_size(t, node) <= 20000;
    loop_open(c, &loop, node);
    loop.endless = !each;
    ck_emit(c, &(struct ck_event){.kind = CK_EV_LOOP, .node = node, .a = over, .flag = true});
    if (each) {
        for (uint32_t i = 0; i < seq.n && ck_step(c); i++)
            if (!run_pass(c, &loop, target, seq.items[i], &flow))
                break;
    } else {
        struct lw_value any = seq.n ? ck_join_items(c, seq) : lw_v_unknown();
        c->frame->uncertain++;
        c->frame->looping++;
        /* Two kinds of items (full batches and the last one): a pass with each. */
        bool two = seq.open && seq.n == 2;
        loop.certain = c->frame->uncertain;
        bool again = run_pass(c, &loop, target, two ? seq.items[0] : any, &flow);
        ck_check_grown(&loop);
        if (again && ck_step(c)) {
            ends.live[ends.live_count++] = heap_snapshot(&c->heap, loop.mark);
            run_pass(c, &loop, target, two ? seq.items[1] : any, &flow);
        }
        c->frame->uncertain--;
        c->frame->looping--;
    }
    ck_emit(c, &(struct ck_event){.kind = CK_EV_LOOP, .node = node, .a = over, .flag = false});
    bool left = flow == CK_RETURN || flow == CK_RAISE || flow == CK_DEAD;
    if (!each && left && ends.live_count == 0) /* it may also run not at all */
        ends.live[ends.live_count++] = (struct ck_changes){0};
    bool broke = loop.breaks.n > 0 || flow == CK_BREAK;
    flow = loop_close(c, &loop, &ends, flow == CK_CONTINUE ? CK_NEXT : flow);
    if (flow == CK_NEXT && !broke && !each)
        ck_set_grown(c, &loop, seq.open ? seq.length : lw_dim_int((int32_t)seq.n));
    if (flow == CK_NEXT && !broke)
        return ck_exec_block(c, node, LW_ROLE_ORELSE);
    return flow;
}

enum ck_flow stmt_while(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t test = lw_tree_get(t, node, LW_ROLE_TEST);
    struct ck_loop loop;
    struct ck_branches ends = {0};
    enum ck_flow flow = CK_NEXT;
    bool forever = false;
    loop_open(c, &loop, node);
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_LOOP, .node = node, .a = lw_v_unknown(), .flag = true});
    for (unsigned i = 0; i < CK_MAX_UNROLL && ck_step(c); i++) {
        struct lw_value v = ck_eval(c, test);
        lw_tri truth = ck_truth(c, v);
        forever = lw_tree_kind(t, test) == LW_NODE_CONSTANT ||
                  lw_tree_kind(t, test) == LW_NODE_NUMBER;
        if (truth == LW_TRI_NO)
            break;
        if (truth == LW_TRI_MAYBE || forever)
            loop.endless = true;
        if (loop.endless && i >= 2)
            break;
        if (loop.endless && ends.live_count < CK_MAX_BRANCHES && !forever)
            ends.live[ends.live_count++] = heap_snapshot(&c->heap, loop.mark);
        c->frame->uncertain += loop.endless;
        c->frame->looping += loop.endless;
        bool again = run_pass(c, &loop, LW_NO_NODE, lw_v_unknown(), &flow);
        c->frame->uncertain -= loop.endless;
        c->frame->looping -= loop.endless;
        if (!again)
            break;
    }
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_LOOP, .node = node, .a = lw_v_unknown(), .flag = false});
    if (flow == CK_CONTINUE)
        flow = CK_NEXT;
    /* `while True` is left by break or return only; where none was seen (an exception, a
     * condition that was too hard) going on is better than to give up. */
    if (forever && flow == CK_NEXT && loop.breaks.n > 0)
        flow = CK_DEAD;
    return loop_close(c, &loop, &ends, flow);
}
