/* Rules about what a session of TensorFlow 1 can fetch. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- feeding and fetching -----------------------------------------------------------------
 */

/* loss = sess.run(loss): from the second time on a number is fetched. */
static void check_fetch(struct ck *c, struct lw_value v, uint32_t node, unsigned depth)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR && v.tensor->framework == LW_NUMPY)
        ck_find(c, node, "type/fetch-kind", &v, 1,
                "run() fetches tensors and operations, but this is the array that an earlier "
                "run() returned: store the result under another name");
    else if (depth < 3 && (v.kind == CK_LIST || v.kind == LW_V_TUPLE) &&
             ck_sequence(c, v, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            check_fetch(c, seq.items[i], node, depth + 1);
}

static void watch_fetch(struct ck *c, const struct ck_event *e)
{
    check_fetch(c, e->a, e->node, 0);
}

const struct ck_rule rules_type_fetch[] = {
    {"type/fetch-kind", CK_EV_SESSION_RUN, watch_fetch, .pure = true},
    {0},
};
