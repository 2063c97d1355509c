/* Threads: the function runs at once, and it is remembered that it does so in a thread. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/traits.h"

/* Calls `f` with a mark among the contexts. */
static struct lw_value run_in_thread(struct ck *c, struct lw_value f, const struct lw_arg *args,
                                     size_t n, uint32_t node)
{
    struct ck_object *mark = ck_new(c, CK_INSTANCE, node);
    if (!mark || f.kind == LW_V_UNKNOWN)
        return lw_v_unknown();
    mark->name = LW_S("threading.Thread");
    if (lw_vec_push(c->mem, &c->contexts, (struct ck_context){ck_value(mark), node}) < 0)
        c->stopped = true;
    size_t depth = c->contexts.n;
    struct lw_value v = ck_call(c, f, args, n, node);
    if (c->contexts.n == depth)
        c->contexts.n--;
    return v;
}

static bool is_function(struct lw_value v)
{
    return v.kind == CK_FUNCTION || v.kind == CK_METHOD;
}

/* pool.submit(f, a, b): a future whose result() is f(a, b). */
static void submit(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_unknown();
    if (call->n == 0 || !is_function(call->args[0].value))
        return;
    struct lw_value result =
        run_in_thread(c, call->args[0].value, call->args + 1, call->n - 1, call->node);
    struct ck_object *o = ck_new(c, CK_INSTANCE, call->node);
    if (!o)
        return;
    o->name = LW_S("concurrent.futures.Future");
    o->open = true;
    model_set_trait(c, o, THREAD_RESULT, result);
    *value = ck_value(o);
}

static void future_result(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    const struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value v = o ? model_trait(o, THREAD_RESULT) : lw_v_absent();
    *value = v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

/* Thread(target=f, args=(a, b)): start() calls it. */
static void thread_start(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value f = o ? ck_config(o, "target") : lw_v_absent();
    struct lw_value with = o ? ck_config(o, "args") : lw_v_absent();
    struct lw_arg args[8] = {0};
    struct lw_seq seq = {0};
    *value = lw_v_none();
    if (!o || o->of || !is_function(f))
        return;
    if (with.kind != LW_V_ABSENT && (!ck_sequence(c, with, &seq) || seq.open || seq.n > 8))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        args[i] = (struct lw_arg){.value = seq.items[i], .node = call->node};
    run_in_thread(c, f, args, seq.n, call->node);
}

const struct ck_handler ck_handlers_thread[] = {
    {"concurrent.futures.Future.result", future_result},
    {"concurrent.futures.ThreadPoolExecutor.submit", submit},
    {"threading.Thread.start", thread_start},
    {NULL, NULL},
};
