#include "check/engine/lineage.h"

#include <math.h>

#include "base/str.h"
#include "check/engine/text.h"

bool lineage_known_range(const struct lw_tensor *t)
{
    return t && (t->range.flags & LW_IV_KNOWN) && isfinite(t->range.lo) &&
           isfinite(t->range.hi);
}

double lineage_top(const struct lw_tensor *t)
{
    bool open = t->range.flags & LW_IV_HI_OPEN, whole = t->range.flags & LW_IV_WHOLE;
    return open && whole ? t->range.hi - 1 : t->range.hi;
}

const struct ck_origin *lineage_made_by(struct ck *c, struct lw_value v,
                                        const char *const *names, size_t n)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    return o && o->in_count && text_is_any(text_tail(o->op), names, n) ? o : NULL;
}

struct lw_value lineage_operand(const struct ck_call *call)
{
    if (call->self.kind == LW_V_TENSOR)
        return call->self;
    return call->n ? call->args[0].value : lw_v_unknown();
}

struct lw_value lineage_slot(const struct ck_origin *o, const char *name)
{
    const struct lw_api_part *part =
        o->api && !o->layer ? &o->api->side[LW_API_CONSTRUCT] : NULL;
    for (uint32_t i = 0; part && o->bound && i < o->bound->n && i < part->param_count; i++)
        if (text_is(part->params[i].name, name))
            return o->bound->slots[i];
    return lw_v_absent();
}

struct lw_value lineage_through(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {
        "LongTensor", "Tensor",      "FloatTensor", "array",   "as_tensor",
        "asarray",    "astype",      "cast",        "clone",   "cpu",
        "constant",   "contiguous",  "copy",        "cuda",    "detach",
        "double",     "expand_dims", "flatten",     "float",   "from_numpy",
        "int",        "long",        "numpy",       "ravel",   "reshape",
        "squeeze",    "tensor",      "to",          "type",    "unsqueeze",
        "view",       "values",      "to_numpy",    "to_list", "convert_to_tensor"};
    for (unsigned i = 0; i < 12; i++) {
        const struct ck_origin *o = lineage_made_by(c, v, forms, sizeof forms / sizeof *forms);
        if (!o || o->layer)
            break;
        v = o->in[0];
    }
    return v;
}

uint32_t lineage_typed_at(struct ck *c, struct lw_value v)
{
    uint32_t place = 0;
    for (unsigned i = 0; i < 16 && v.kind == LW_V_TENSOR; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        const struct lw_tensor *from = o && o->in_count ? ck_tensor_of(o->in[0]) : NULL;
        place = o ? o->place : v.tensor->line;
        if (!from || o->layer || from->framework != v.tensor->framework ||
            from->dtype != v.tensor->dtype)
            break;
        v = o->in[0];
    }
    return place;
}

struct lw_value lineage_whole(struct ck *c, struct lw_value v)
{
    for (unsigned i = 0; i < 6; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !text_is(o->op, "[]") || o->in[1].kind == LW_V_TUPLE)
            break;
        v = o->in[0];
    }
    return v;
}

enum { MAX_VISITED = 512, MAX_WAITING = 256 };

struct walk {
    uint32_t seen[MAX_VISITED]; /* ids */
    struct lw_value waiting[MAX_WAITING];
    size_t seen_count, waiting_count;
    bool complete;
};

static void await(struct ck *c, struct walk *w, struct lw_value v)
{
    struct lw_seq seq;
    if (v.kind == LW_V_UNKNOWN || w->waiting_count >= MAX_WAITING) {
        w->complete = false;
    } else if (v.kind == LW_V_TENSOR) {
        for (size_t i = 0; v.tensor->id && i < w->seen_count; i++)
            if (w->seen[i] == v.tensor->id)
                return;
        if (w->seen_count >= MAX_VISITED) {
            w->complete = false;
            return;
        }
        w->seen[w->seen_count++] = v.tensor->id;
        w->waiting[w->waiting_count++] = v;
    } else if ((v.kind == LW_V_TUPLE || v.kind == LW_V_LIST || v.kind == CK_LIST) &&
               ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR || seq.items[i].kind == LW_V_UNKNOWN)
                await(c, w, seq.items[i]);
    }
}

/* Made of sizes and a generator: nothing behind it is of interest. */
static bool is_drawn(const struct ck_origin *o)
{
    static const char *const sources[] = {"rand",     "randn", "randint", "randperm",
                                          "zeros",    "ones",  "arange",  "eye",
                                          "linspace", "empty", "normal",  "uniform"};
    return text_is_any(text_tail(o->op), sources, sizeof sources / sizeof *sources);
}

static bool is_detached(const struct ck_origin *o)
{
    static const char *const names[] = {"detach", "data", "item", "numpy"};
    return text_is_any(text_tail(o->op), names, sizeof names / sizeof *names);
}

static bool go_back(struct ck *c, struct lw_value v, lineage_visit *visit, void *data,
                    bool gradients)
{
    static const char key;
    struct walk *w = ck_state(c, &key, sizeof *w);
    if (!w)
        return false;
    w->seen_count = w->waiting_count = 0;
    w->complete = true;
    await(c, w, v);
    while (w->waiting_count > 0) {
        struct lw_value now = w->waiting[--w->waiting_count];
        const struct ck_origin *o = ck_origin_of(c, now);
        if (!visit(data, now, o))
            return false;
        uint32_t follow = o ? o->in_count : 0;
        if (follow && (is_drawn(o) || text_is(o->op, "[]")))
            follow = is_drawn(o) ? 0 : 1; /* sizes and generators; where to look */
        if (follow && gradients && is_detached(o))
            follow = 0;
        for (uint32_t i = 0; i < follow; i++)
            await(c, w, o->in[i]);
    }
    return w->complete;
}

bool lineage_walk(struct ck *c, struct lw_value v, lineage_visit *visit, void *data)
{
    return go_back(c, v, visit, data, false);
}

bool lineage_walk_gradient(struct ck *c, struct lw_value v, lineage_visit *visit, void *data)
{
    return go_back(c, v, visit, data, true);
}

/* ---- gradients ----------------------------------------------------------------------------
 */

bool lineage_cuts_gradient(const struct ck_origin *o, const struct lw_tensor *t)
{
    static const char *const names[] = {"argmax", "argmin", "numpy",         "round", "floor",
                                        "ceil",   "sign",   "stop_gradient", "rint"};
    return text_is_any(text_tail(o->op), names, sizeof names / sizeof *names) ||
           lw_set_within(t->dtype, LW_INTS | LW_BOOL) == LW_TRI_YES;
}

enum { CUT_MAX = 256, CUT_DEPTH = 100 };

struct cut_walk {
    uint32_t on;
    struct {
        uint32_t id;
        bool behind, found;
    } seen[CUT_MAX];
    size_t n;
    const struct ck_origin *cut;
    bool lost; /* something is not known */
};

/* Is there a way from `v` to the tensor, with a gradient all along? */
static bool reaches(struct ck *c, struct cut_walk *w, struct lw_value v, bool behind,
                    unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    bool found = false;
    if (v.kind == LW_V_UNKNOWN)
        w->lost = true;
    if (v.kind != LW_V_TENSOR || !o)
        return false;
    if (v.tensor->id == w->on)
        return true;
    for (size_t i = 0; i < w->n; i++)
        if (w->seen[i].id == v.tensor->id && w->seen[i].behind == behind)
            return w->seen[i].found;
    if (depth > CUT_DEPTH || w->n == CUT_MAX) {
        w->lost = true;
        return false;
    }
    size_t mine = w->n++;
    w->seen[mine].id = v.tensor->id;
    w->seen[mine].behind = behind;
    w->seen[mine].found = false;
    bool cuts = !behind && lineage_cuts_gradient(o, v.tensor);
    for (uint32_t i = 0; i < o->in_count; i++)
        found |= reaches(c, w, o->in[i], behind || cuts, depth + 1);
    if (cuts && found)
        w->cut = o;
    w->seen[mine].found = found && !cuts;
    return w->seen[mine].found;
}

const struct ck_origin *lineage_gradient_cut(struct ck *c, struct lw_value v,
                                             struct lw_value on)
{
    struct cut_walk *w = lw_arena_alloc(c->arena, sizeof *w);
    if (!w || on.kind != LW_V_TENSOR || !on.tensor->id)
        return NULL;
    *w = (struct cut_walk){.on = on.tensor->id};
    return reaches(c, w, v, false, 0) || w->lost ? NULL : w->cut;
}
