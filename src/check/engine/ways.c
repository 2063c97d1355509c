#include "check/engine/ways.h"

#include "base/str.h"
#include "check/engine/engine.h"

static struct lw_tree *tree_of(struct ck *c)
{
    return &c->frame->file->tree;
}

static struct lw_value value_of(const struct lw_tensor *t)
{
    return (struct lw_value){.kind = LW_V_TENSOR, .tensor = t, .line = t->line};
}

static void forget(struct ck *c)
{
    struct ck_way_state *w = &c->ways;
    w->next = w->live = w->name_count = 0;
}

void ways_reset(struct ck *c)
{
    forget(c);
    c->ways.off = 0;
    c->ways.probing = c->ways.blind = c->ways.given_up = false;
    c->ways.steps = 0;
}

/* ---- what is kept -------------------------------------------------------------------------
 */

static const struct ck_ways *ways_of(const struct ck *c, struct lw_value v)
{
    if (v.kind != LW_V_TENSOR)
        return NULL;
    for (uint32_t i = 0; i < c->ways.live; i++)
        if (c->ways.kept[i].of == v.tensor)
            return &c->ways.kept[i];
    return NULL;
}

static void keep(struct ck *c, const struct ck_ways *ways)
{
    struct ck_way_state *w = &c->ways;
    w->kept[w->next] = *ways;
    w->next = (w->next + 1) % WAYS_KEPT;
    if (w->live < WAYS_KEPT)
        w->live++;
}

static bool is_known(const struct lw_tensor *t)
{
    return lw_shape_has_rank(&t->shape);
}

/* Would one of them be wrong where the other is right? */
static bool differ(struct ck *c, const struct lw_tensor *a, const struct lw_tensor *b)
{
    return lw_shape_eq(c->dims, &a->shape, &b->shape) == LW_TRI_NO ||
           (a->dtype & b->dtype) == 0 || (a->framework & b->framework) == 0;
}

static uint32_t made_at(const struct ck *c, const struct lw_tensor *t)
{
    const struct ck_origin *o = ck_origin_of(c, value_of(t));
    return o ? o->place : t->line;
}

/* The tensors that `v`, their join, stands for. `from` may be NULL: made where they meet. */
static void attach(struct ck *c, struct lw_value v, const struct lw_value *each,
                   const uint32_t *from, uint32_t n, uint32_t site, unsigned depth)
{
    if (n < 2 || n > WAYS_MOST || depth > 2)
        return;
    if (v.kind == LW_V_TUPLE && !v.seq.open) {
        for (uint32_t k = 0; k < v.seq.n; k++) {
            struct lw_value inside[WAYS_MOST];
            for (uint32_t i = 0; i < n; i++) {
                if (each[i].kind != LW_V_TUPLE || each[i].seq.n != v.seq.n)
                    return;
                inside[i] = each[i].seq.items[k];
            }
            attach(c, v.seq.items[k], inside, from, n, site, depth + 1);
        }
        return;
    }
    struct ck_ways ways = {.of = ck_tensor_of(v), .site = site, .n = n};
    bool apart = false;
    if (!ways.of || ways_of(c, v))
        return;
    for (uint32_t i = 0; i < n; i++) {
        ways.way[i] = ck_tensor_of(each[i]);
        if (!ways.way[i] || !is_known(ways.way[i]) || ways.way[i] == ways.of ||
            ways_of(c, each[i]))
            return;
        ways.from[i] = from ? from[i] : made_at(c, ways.way[i]);
        apart |= i > 0 && differ(c, ways.way[0], ways.way[i]);
    }
    if (apart)
        keep(c, &ways);
}

static bool may_keep(const struct ck *c)
{
    const struct ck_way_state *w = &c->ways;
    return !w->probing && w->off == 0 && !w->given_up && !c->widening && !c->stopped &&
           c->quiet == 0 && c->frame->guarded == 0;
}

/* ---- names that conditions read -----------------------------------------------------------
 */

/* The name that the node reads: a variable that is no module or function, or an attribute; 0:
 * none. */
static uint32_t read_name(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    enum lw_node_kind kind = lw_tree_kind(t, node);
    if ((kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE) ||
        lw_tree_node(t, node)->role == LW_ROLE_FUNC)
        return 0;
    struct lw_str name = lw_tree_name(t, node);
    if (kind == LW_NODE_NAME) {
        const struct ck_slot *s = ck_bound_slot(c, node);
        if (lw_str_eq(name, LW_S("self")) ||
            (s && (s->value.kind == CK_NAME || s->value.kind == CK_FUNCTION ||
                   s->value.kind == CK_CLASS || s->value.kind == CK_MODULE)))
            return 0;
    }
    return heap_intern(&c->heap, name);
}

static bool is_listed(const struct ck_way_state *w, uint32_t name)
{
    for (uint32_t i = 0; i < w->name_count; i++)
        if (w->names[i] == name)
            return true;
    return false;
}

static void add_name(struct ck *c, uint32_t name)
{
    struct ck_way_state *w = &c->ways;
    if (!name || is_listed(w, name))
        return;
    if (w->name_count == WAYS_NAMES)
        forget(c);
    else
        w->names[w->name_count++] = name;
}

static void add_names(struct ck *c, uint32_t test)
{
    const struct lw_tree *t = tree_of(c);
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(t, test, n, false))
        add_name(c, read_name(c, n));
}

static bool reads_listed(struct ck *c, uint32_t expr)
{
    const struct lw_tree *t = tree_of(c);
    if (c->ways.name_count == 0)
        return false;
    for (uint32_t n = expr; n != LW_NO_NODE; n = lw_tree_next(t, expr, n, false)) {
        uint32_t name = read_name(c, n);
        if (name && is_listed(&c->ways, name))
            return true;
    }
    return false;
}

void ways_assigned(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t value = lw_tree_get(t, node, LW_ROLE_VALUE);
    if (c->ways.live == 0 || c->ways.probing || value == LW_NO_NODE || !reads_listed(c, value))
        return;
    for (uint32_t k = lw_tree_each(t, node, LW_ROLE_TARGETS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, node, LW_ROLE_TARGETS, k))
        for (uint32_t n = k; n != LW_NO_NODE; n = lw_tree_next(t, k, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_NAME || lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE)
                add_name(c, heap_intern(&c->heap, lw_tree_name(t, n)));
}

/* ---- a trial ------------------------------------------------------------------------------
 */

enum { MOST_SLOTS = 8 };

/* Variables that an expression reads whose ways come from one join. */
struct reads {
    struct ck_slot *slot[MOST_SLOTS];
    struct ck_ways ways[MOST_SLOTS]; /* copies: the kept ones may be overwritten */
    uint32_t n;
};

static void add_read(struct ck *c, struct reads *r, struct ck_slot *s)
{
    const struct ck_ways *w = s ? ways_of(c, s->value) : NULL;
    if (!w || r->n == MOST_SLOTS || (r->n && w->site != r->ways[0].site))
        return;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->slot[i] == s)
            return;
    r->slot[r->n] = s;
    r->ways[r->n++] = *w;
}

static bool find_reads(struct ck *c, uint32_t node, struct reads *r)
{
    const struct lw_tree *t = tree_of(c);
    r->n = 0;
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_YIELD || kind == LW_NODE_YIELD_FROM || kind == LW_NODE_LAMBDA) {
            r->n = 0;
            break;
        }
        if (kind == LW_NODE_NAME)
            add_read(c, r, ck_bound_slot(c, n));
    }
    return r->n > 0;
}

/* What a trial changes besides the heap. */
struct before {
    size_t mark, facts, instances, defined, contexts;
    struct lw_value result, yielded;
    struct ck_statistics statistics;
    uint64_t steps, limit;
};

static struct before begin_trial(struct ck *c, const struct reads *r, uint32_t i)
{
    struct ck_way_state *w = &c->ways;
    struct before b = {.mark = heap_mark(&c->heap),
                       .facts = lw_dims_mark(c->dims),
                       .instances = c->instances.n,
                       .defined = c->defined.n,
                       .contexts = c->contexts.n,
                       .result = c->frame->result,
                       .yielded = c->frame->yielded,
                       .statistics = c->statistics,
                       .steps = c->steps,
                       .limit = c->step_limit};
    for (uint32_t k = 0; k < r->n; k++)
        if (i < r->ways[k].n && r->ways[k].way[i])
            heap_set(&c->heap, r->slot[k], value_of(r->ways[k].way[i]));
    if (c->steps + WAYS_STEPS < c->step_limit)
        c->step_limit = c->steps + WAYS_STEPS;
    w->probing = true;
    w->blind = w->found = false;
    w->base = c->frame;
    w->base_uncertain = c->frame->uncertain;
    return b;
}

static struct ck_changes end_trial(struct ck *c, const struct before *b)
{
    struct ck_way_state *w = &c->ways;
    if (c->stopped && c->steps < b->limit && !c->heap.failed) {
        w->given_up = true; /* the trial, not the program */
        c->stopped = false;
        forget(c);
    }
    w->steps += c->steps - b->steps;
    w->given_up |= w->steps > 10 * WAYS_STEPS;
    c->step_limit = b->limit;
    c->instances.n = b->instances;
    c->defined.n = b->defined;
    c->contexts.n = b->contexts;
    c->frame->result = b->result;
    c->frame->yielded = b->yielded;
    c->statistics = b->statistics;
    w->probing = false;
    lw_dims_rewind(c->dims, b->facts);
    return heap_take(&c->heap, b->mark);
}

static struct lw_str note(struct ck *c, const struct reads *r, uint32_t i)
{
    const struct lw_tensor *t = r->ways[0].way[i];
    uint32_t place = r->ways[0].from[i];
    struct lw_str name = heap_name(&c->heap, r->slot[0]->name);
    struct lw_str shape = ck_show_shape(c, &t->shape);
    if (!place || place >> 24 != c->frame->file->index)
        return ck_text(c, "; '%.*s' is %.*s on one of the paths to here", LW_F(name),
                       LW_F(shape));
    return ck_text(c, "; '%.*s' is %.*s on the path through %.*s", LW_F(name), LW_F(shape),
                   LW_F(ck_show_place(c, c->frame->file, place)));
}

bool ways_may_report(struct ck *c, struct lw_str rule, enum lw_severity severity)
{
    struct ck_way_state *w = &c->ways;
    if (!lw_str_has_prefix(rule, LW_S("shape/")) && !lw_str_has_prefix(rule, LW_S("type/")))
        return false;
    if (severity != LW_SEVERITY_ERROR)
        return false;
    w->found = true;
    if (w->blind || c->frame->guarded)
        return false;
    const struct ck_frame *f = c->frame;
    for (; f && f != w->base; f = f->up)
        if (f->uncertain > f->looping)
            return false;
    return f && f->uncertain == w->base_uncertain;
}

/* ---- tests --------------------------------------------------------------------------------
 */

enum verdict { UNRELATED, DECIDED, RELATED };

/* What each way says about the test. */
static enum verdict judge(struct ck *c, uint32_t test, struct reads *r, lw_tri *truth)
{
    if (!find_reads(c, test, r))
        return reads_listed(c, test) ? RELATED : UNRELATED;
    enum verdict verdict = DECIDED;
    for (uint32_t i = 0; i < r->ways[0].n; i++) {
        truth[i] = LW_TRI_MAYBE;
        if (!r->ways[0].way[i])
            continue;
        struct before b = begin_trial(c, r, i);
        c->quiet++;
        truth[i] = ck_truth(c, ck_eval(c, test));
        c->quiet--;
        end_trial(c, &b);
        if (truth[i] == LW_TRI_MAYBE)
            verdict = RELATED;
    }
    return verdict;
}

static bool is_idle(const struct ck *c)
{
    return c->ways.live == 0 || c->ways.probing || c->ways.off > 0 || c->stopped;
}

void ways_fork(struct ck *c, struct ck_fork *f, uint32_t test)
{
    struct reads r;
    lw_tri truth[WAYS_MOST];
    if (f->n == 0) {
        f->up = c->frame->fork;
        c->frame->fork = f;
    }
    if (f->n < WAYS_TESTS)
        f->tests[f->n++] = test;
    else
        f->over = true;
    if (c->ways.probing || c->ways.off > 0)
        return;
    enum verdict verdict = is_idle(c) ? UNRELATED : judge(c, test, &r, truth);
    f->decided |= verdict == DECIDED;
    if (verdict == RELATED && !f->related) {
        f->related = true;
        c->ways.off++;
    }
}

/* The tensor of the variable with the ways that a test leaves. */
static struct lw_value filtered(struct ck *c, const struct ck_ways *w, const lw_tri *truth,
                                lw_tri want)
{
    struct ck_ways now = *w;
    uint32_t left = 0, one = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (truth[i] != want)
            now.way[i] = NULL;
        if (now.way[i]) {
            left++;
            one = i;
        }
    }
    if (left == 1)
        return value_of(now.way[one]);
    if (left == 0 || left == w->n)
        return lw_v_absent();
    struct lw_value v = lw_v_tensor(c->arena, w->of);
    now.of = ck_tensor_of(v);
    if (now.of)
        keep(c, &now);
    return v;
}

void ways_learn(struct ck *c, uint32_t test, bool holds)
{
    struct reads r;
    lw_tri truth[WAYS_MOST];
    if (is_idle(c) || judge(c, test, &r, truth) != DECIDED)
        return;
    uint32_t site = r.ways[0].site;
    for (struct ck_slot *s = c->frame->env->vars.first; s; s = s->next) {
        const struct ck_ways *found = ways_of(c, s->value);
        if (!found || found->site != site || found->n != r.ways[0].n)
            continue;
        struct ck_ways w = *found;
        struct lw_value v = filtered(c, &w, truth, holds ? LW_TRI_YES : LW_TRI_NO);
        if (v.kind == LW_V_TENSOR)
            heap_set(&c->heap, s, v);
    }
}

void ways_assert(struct ck *c, uint32_t test)
{
    struct reads r;
    lw_tri truth[WAYS_MOST];
    if (!is_idle(c) && judge(c, test, &r, truth) == RELATED)
        forget(c);
}

/* ---- joins --------------------------------------------------------------------------------
 */

/* A slot that the branches leave with different tensors. */
struct meeting {
    struct ck_slot *slot;
    struct lw_value each[WAYS_MOST];
};

enum { MOST_MEETINGS = 8 };

static uint32_t meetings(struct ck *c, const struct ck_changes *live, uint32_t n,
                         struct meeting *out)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0; k < live[b].n && count < MOST_MEETINGS; k++) {
            struct ck_slot *s = live[b].v[k].slot;
            if (live[b].v[k].value.kind != LW_V_TENSOR)
                continue;
            bool again = false, apart = false;
            for (uint32_t i = 0; i < count; i++)
                again |= out[i].slot == s;
            struct meeting m = {.slot = s};
            const struct lw_tensor *first = NULL;
            for (uint32_t i = 0; i < n && !again; i++) {
                m.each[i] = heap_value_in(&live[i], s);
                const struct lw_tensor *t = ck_tensor_of(m.each[i]);
                again = !t || !is_known(t);
                apart |= !again && first && differ(c, first, t);
                first = t;
            }
            if (!again && apart)
                out[count++] = m;
        }
    return count;
}

/* A question about the form of a tensor that we could not answer: what its branches make of the
 * tensor is not what they make of the one we know. */
static bool asks_form(struct ck *c, uint32_t test)
{
    static const char *const words[] = {"shape", "dim",        "size", "rank",
                                        "len(",  "isinstance", "type"};
    const struct lw_tree *t = tree_of(c);
    struct lw_str text = lw_tree_text(t, test);
    bool form = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        form |= lw_str_find(text, lw_str(words[i])) != LW_NPOS;
    for (uint32_t n = test; form && n != LW_NO_NODE; n = lw_tree_next(t, test, n, false)) {
        const struct ck_slot *s =
            lw_tree_kind(t, n) == LW_NODE_NAME ? ck_bound_slot(c, n) : NULL;
        if (s && (s->value.kind == LW_V_TENSOR || s->value.kind == LW_V_SHAPE))
            return true;
    }
    return false;
}

static bool ask_form(struct ck *c, const uint32_t *tests, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (asks_form(c, tests[i]))
            return true;
    return false;
}

/* Ends the fork; true: its branches may be told apart from now on. */
static bool leave(struct ck *c, struct ck_fork *f)
{
    if (f->n)
        c->frame->fork = f->up;
    if (c->ways.probing) {
        c->ways.blind |= f->left;
        return false;
    }
    if (!f->related)
        return may_keep(c) && !f->over && f->n > 0;
    c->ways.off--;
    if (f->left)
        forget(c);
    return false;
}

static void add_tests(struct ck *c, const uint32_t *tests, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add_names(c, tests[i]);
}

bool ways_join_branches(struct ck *c, struct ck_fork *f, struct ck_branches *b, uint32_t node)
{
    struct meeting met[MOST_MEETINGS];
    uint32_t count = 0, n = (uint32_t)b->live_count;
    if (leave(c, f) && n >= 2 && n <= WAYS_MOST)
        count = meetings(c, b->live, n, met);
    if (count && !f->decided && ask_form(c, f->tests, f->n))
        count = 0;
    bool live = ck_branches_join(c, b) == CK_NEXT;
    if (count == 0)
        return live;
    add_tests(c, f->tests, f->n);
    for (uint32_t i = 0; i < count; i++)
        attach(c, met[i].slot->value, met[i].each, NULL, n, ck_place(c, node), 0);
    return live;
}

struct lw_value ways_join_values(struct ck *c, struct ck_fork *f, struct lw_value a,
                                 struct lw_value b, uint32_t node)
{
    struct lw_value v = ck_join(c, a, b), each[2] = {a, b};
    uint32_t before = c->ways.live ? c->ways.next : UINT32_MAX;
    if (!leave(c, f) || a.kind != b.kind || (a.kind != LW_V_TENSOR && a.kind != LW_V_TUPLE) ||
        (!f->decided && ask_form(c, f->tests, f->n)))
        return v;
    attach(c, v, each, NULL, 2, ck_place(c, node), 0);
    if (c->ways.live && c->ways.next != before)
        add_tests(c, f->tests, f->n);
    return v;
}

/* `all` is the join of `before` and `v`: the ways of both. What does not differ from an earlier
 * way is none of its own. */
static void accumulate(struct ck *c, struct lw_value all, struct lw_value before,
                       struct lw_value v, uint32_t site, unsigned depth)
{
    if (all.kind == LW_V_TUPLE && before.kind == LW_V_TUPLE && v.kind == LW_V_TUPLE &&
        before.seq.n == v.seq.n && all.seq.n == v.seq.n && depth < 2) {
        for (uint32_t i = 0; i < v.seq.n; i++)
            accumulate(c, all.seq.items[i], before.seq.items[i], v.seq.items[i], site,
                       depth + 1);
        return;
    }
    const struct ck_ways *w = ways_of(c, before);
    struct ck_ways now = {.n = 1};
    if (all.kind != LW_V_TENSOR || before.kind != LW_V_TENSOR || v.kind != LW_V_TENSOR ||
        ways_of(c, v) || ways_of(c, all) || (w && w->site != site))
        return;
    now.way[0] = before.tensor;
    now.from[0] = made_at(c, before.tensor);
    if (w)
        now = *w;
    bool again = false;
    for (uint32_t i = 0; i < now.n && !again; i++)
        again = now.way[i] && is_known(now.way[i]) && !differ(c, now.way[i], v.tensor);
    if (!again && now.n < WAYS_MOST) {
        now.way[now.n] = v.tensor;
        now.from[now.n++] = made_at(c, v.tensor);
    } else if (!again)
        return;
    struct lw_value each[WAYS_MOST];
    for (uint32_t i = 0; i < now.n; i++)
        each[i] = now.way[i] ? value_of(now.way[i]) : lw_v_unknown();
    attach(c, all, each, now.from, now.n, site, 0);
}

/* The function is left here: its tests say which result it has. */
static void note_exit(struct ck_frame *f)
{
    for (const struct ck_fork *k = f->fork; k; k = k->up)
        for (uint32_t i = 0; i < k->n; i++) {
            if (k->over)
                f->exit_count = WAYS_TESTS + 1;
            if (f->exit_count < WAYS_TESTS)
                f->exits[f->exit_count] = k->tests[i];
            if (f->exit_count <= WAYS_TESTS)
                f->exit_count++;
        }
}

struct lw_value ways_join_results(struct ck *c, struct lw_value before, struct lw_value v)
{
    struct ck_frame *f = c->frame;
    struct lw_value all = ck_join(c, before, v);
    note_exit(f);
    bool whole = before.kind == v.kind && (v.kind == LW_V_TENSOR || v.kind == LW_V_TUPLE);
    if (!whole || !may_keep(c) || !f->function || f->exit_count > WAYS_TESTS ||
        ask_form(c, f->exits, f->exit_count))
        return all;
    accumulate(c, all, before, v, ck_file_place(f->file, f->function->node), 0);
    add_tests(c, f->exits, f->exit_count);
    return all;
}

void ways_join_tensors(struct ck *c, struct lw_value a, struct lw_value b, struct lw_value v)
{
    const struct ck_ways *x = ways_of(c, a), *y = ways_of(c, b);
    if (!x || !y || x->site != y->site || x->n != y->n || c->widening || c->ways.probing)
        return;
    struct ck_ways ways = {.of = ck_tensor_of(v), .site = x->site, .n = x->n};
    for (uint32_t i = 0; i < x->n; i++) {
        if (!x->way[i] || !y->way[i])
            return;
        struct lw_tensor t = lw_tensor_join(c->dims, x->way[i], y->way[i]);
        ways.way[i] = ck_tensor_of(lw_v_tensor(c->arena, &t));
        ways.from[i] = x->from[i];
        if (!ways.way[i] || !is_known(ways.way[i]))
            return;
    }
    if (ways.of)
        keep(c, &ways);
}

void ways_map(struct ck *c, struct lw_value v, struct lw_value now, ways_make *make,
              const void *data)
{
    const struct ck_ways *found = ways_of(c, v);
    if (!found || !may_keep(c))
        return;
    struct ck_ways w = *found;
    struct lw_value each[WAYS_MOST];
    for (uint32_t i = 0; i < w.n; i++)
        each[i] = w.way[i] ? make(c, value_of(w.way[i]), data) : lw_v_unknown();
    attach(c, now, each, w.from, w.n, w.site, 0);
}

/* ---- statements ---------------------------------------------------------------------------
 */

bool ways_wanted(struct ck *c, uint32_t node)
{
    struct reads r;
    return !is_idle(c) && !c->ways.given_up && c->quiet == 0 && c->frame->guarded == 0 &&
           node != LW_NO_NODE && find_reads(c, node, &r);
}

/* What the ways made of the variables that the statement changed. */
static void keep_changes(struct ck *c, const struct ck_changes *joined,
                         const struct ck_changes *each, const struct ck_ways *w)
{
    for (uint32_t k = 0; k < joined->n; k++) {
        struct ck_slot *s = joined->v[k].slot;
        struct lw_value values[WAYS_MOST];
        for (uint32_t i = 0; i < w->n; i++)
            values[i] = heap_value_in(&each[i], s);
        attach(c, joined->v[k].value, values, w->from, w->n, w->site, 0);
    }
}

struct lw_value ways_exec(struct ck *c, uint32_t node, ways_run *run)
{
    struct reads r;
    struct ck_changes each[WAYS_MOST];
    struct lw_value values[WAYS_MOST];
    bool whole = find_reads(c, node, &r);
    size_t mark = heap_mark(&c->heap);
    c->ways.off++;
    struct lw_value v = run(c, node);
    c->ways.off--;
    struct ck_changes joined = heap_take(&c->heap, mark);
    for (uint32_t i = 0; whole && i < r.ways[0].n; i++) {
        if (!r.ways[0].way[i] || c->stopped || c->ways.given_up) {
            whole = false;
            break;
        }
        struct before b = begin_trial(c, &r, i);
        c->ways.note = note(c, &r, i);
        values[i] = run(c, node);
        each[i] = end_trial(c, &b);
        whole &= !c->ways.found && !c->ways.blind;
    }
    heap_redo(&c->heap, joined);
    if (whole && !c->stopped) {
        attach(c, v, values, r.ways[0].from, r.ways[0].n, r.ways[0].site, 0);
        keep_changes(c, &joined, each, &r.ways[0]);
    }
    return v;
}
