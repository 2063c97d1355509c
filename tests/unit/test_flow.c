#include "check.h"

#include "../fuzz/flow_invariants.h"
#include "base/arena.h"
#include "source/cpg.h"

/*
 * Flow is compared with plain references: reaching definitions by iterating over sets until
 * nothing changes, post-dominators by sets, control dependence by its definition.
 */

struct subject {
    struct lw_tree t;
    struct lw_names n;
    struct lw_flow f;
};

static int open_subject(struct subject *s, struct lw_mem *mem, struct lw_str text)
{
    struct lw_err err;
    lw_tree_init(&s->t, mem);
    lw_names_init(&s->n, mem);
    lw_flow_init(&s->f, mem);
    int rc = lw_tree_parse(&s->t, text, &err);
    if (rc == 0)
        rc = lw_names_build(&s->n, &s->t, &err);
    return rc < 0 ? rc : lw_flow_build(&s->f, &s->n, &err);
}

static void close_subject(struct subject *s)
{
    lw_flow_release(&s->f);
    lw_names_release(&s->n);
    lw_tree_release(&s->t);
}

/* ---- Reaching definitions --------------------------------------------------------------- */

static bool is_tracked(const struct lw_flow_event *e)
{
    return !(e->flags & (LW_FLOW_WIDE | LW_FLOW_FREE));
}

/* Runs the events of a block over the set; with `check`, compares uses on the way. */
static void run_block(const struct lw_flow *f, uint32_t block, uint8_t *set, bool check)
{
    const struct lw_flow_block *k = &f->blocks.v[block];
    struct lw_flow_walk w = {0};
    lw_flow_list defs = {0};
    for (uint32_t p = k->first_point; p < k->first_point + k->point_count; p++) {
        const struct lw_flow_point *pt = &f->points.v[p];
        for (uint32_t i = pt->first_event; i < pt->first_event + pt->event_count; i++) {
            const struct lw_flow_event *e = &f->events.v[i];
            if (!is_tracked(e))
                continue;
            if (e->kind == LW_FLOW_USE && check && !(e->flags & LW_FLOW_ELSEWHERE)) {
                size_t count = 0;
                defs.n = 0;
                assert_int_equal(lw_flow_reaching(f, &w, i, &defs), 0);
                for (uint32_t d = 0; d < f->events.n; d++)
                    count += set[d] && f->events.v[d].symbol == e->symbol;
                assert_int_equal(count, defs.n);
                for (size_t d = 0; d < defs.n; d++)
                    assert_true(set[defs.v[d]]);
            }
            if (e->kind == LW_FLOW_USE)
                continue;
            for (uint32_t d = 0; d < f->events.n && !(e->flags & LW_FLOW_WEAK); d++)
                if (f->events.v[d].symbol == e->symbol)
                    set[d] = 0;
            if (e->kind == LW_FLOW_DEF)
                set[i] = 1;
        }
    }
    lw_flow_walk_release(f, &w);
    lw_vec_release(f->mem, &defs);
}

static void check_reaching(const struct lw_flow *f, const struct lw_flow_graph *g)
{
    size_t n = f->events.n;
    uint8_t *in = calloc(g->block_count * n + 1, 1), *out = calloc(n + 1, 1);
    assert_true(in && out);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < g->block_count; b++) {
            const struct lw_flow_block *k = &f->blocks.v[g->first_block + b];
            memcpy(out, in + b * n, n);
            run_block(f, g->first_block + b, out, false);
            for (uint32_t i = 0; i < k->out_count; i++) {
                uint8_t *to = in + (f->edges.v[k->first_out + i].to - g->first_block) * n;
                for (size_t d = 0; d < n; d++) {
                    changed |= out[d] && !to[d];
                    to[d] |= out[d];
                }
            }
        }
    }
    for (uint32_t b = 0; b < g->block_count; b++)
        run_block(f, g->first_block + b, in + b * n, true);
    free(in);
    free(out);
}

/* ---- Control dependence ----------------------------------------------------------------- */

static bool counts(const struct lw_flow *f, const struct lw_flow_graph *g,
                   const struct lw_flow_edge *e)
{
    (void)f;
    return e->kind != LW_FLOW_EXCEPT || e->to != g->first_block + g->block_count - 1;
}

/* post[a * n + b]: b is on every way from a to the exit. False when some block has no way. */
static bool post_dominators(const struct lw_flow *f, const struct lw_flow_graph *g,
                            uint8_t *post)
{
    uint32_t n = g->block_count;
    memset(post, 1, (size_t)n * n);
    memset(post + (size_t)(n - 1) * n, 0, n);
    post[(size_t)(n - 1) * n + n - 1] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = n - 1; a-- > 0;) {
            const struct lw_flow_block *k = &f->blocks.v[g->first_block + a];
            for (uint32_t b = 0; b < n; b++) {
                bool all = true;
                for (uint32_t i = 0; i < k->out_count; i++) {
                    const struct lw_flow_edge *e = &f->edges.v[k->first_out + i];
                    if (counts(f, g, e))
                        all &= post[(size_t)(e->to - g->first_block) * n + b];
                }
                all |= a == b;
                changed |= post[(size_t)a * n + b] != all;
                post[(size_t)a * n + b] = all;
            }
        }
    }
    for (uint32_t a = 0; a + 1 < n; a++) {
        bool odd = true; /* a set that was never cut down belongs to an endless loop */
        for (uint32_t b = 0; b < n; b++)
            odd &= post[(size_t)a * n + b];
        if (odd && n > 2)
            return false;
    }
    return true;
}

static void check_control(const struct lw_flow *f, const struct lw_flow_graph *g)
{
    uint32_t n = g->block_count;
    uint8_t *post = malloc((size_t)n * n), *depends = calloc((size_t)n * n, 1);
    assert_true(post && depends);
    if (post_dominators(f, g, post)) {
        for (uint32_t a = 0; a < n; a++) {
            const struct lw_flow_block *k = &f->blocks.v[g->first_block + a];
            for (uint32_t i = 0; i < k->out_count; i++) {
                const struct lw_flow_edge *e = &f->edges.v[k->first_out + i];
                for (uint32_t b = 0; b < n && counts(f, g, e); b++)
                    if (post[(size_t)(e->to - g->first_block) * n + b] &&
                        (a == b || !post[(size_t)a * n + b]))
                        depends[(size_t)b * n + a] = 1;
            }
        }
        for (uint32_t b = 0; b < n; b++) {
            const struct lw_flow_block *k = &f->blocks.v[g->first_block + b];
            for (uint32_t i = 0; i < k->control_count; i++) {
                uint32_t on = f->controls.v[k->first_control + i].on - g->first_block;
                assert_true(depends[(size_t)b * n + on]);
                depends[(size_t)b * n + on] |= 2;
            }
            for (uint32_t a = 0; a < n; a++)
                assert_int_not_equal(depends[(size_t)b * n + a], 1);
        }
    }
    free(post);
    free(depends);
}

/* ---- Programs --------------------------------------------------------------------------- */

/* Random programs of nested statements over few names. */
struct maker {
    struct lw_buf b;
    uint64_t seed;
};

static uint32_t pick(struct maker *m, uint32_t n)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->seed >> 33) % n;
}

static char name(struct maker *m)
{
    return (char)('a' + pick(m, 4));
}

static void block(struct maker *m, int depth, bool in_loop);

static void line(struct maker *m, int depth, const char *text)
{
    (void)lw_buf_fill(&m->b, ' ', (size_t)depth);
    for (; *text; text++)
        (void)lw_buf_add_char(&m->b, *text == '%' ? name(m) : *text);
    (void)lw_buf_add_char(&m->b, '\n');
}

static void compound(struct maker *m, int depth, bool in_loop)
{
    switch (pick(m, 6)) {
    case 0:
        line(m, depth, "if %:");
        block(m, depth + 1, in_loop);
        if (pick(m, 2)) {
            line(m, depth, "elif (% := %):");
            block(m, depth + 1, in_loop);
        }
        if (pick(m, 2)) {
            line(m, depth, "else:");
            block(m, depth + 1, in_loop);
        }
        return;
    case 1:
        line(m, depth, "while %:");
        block(m, depth + 1, true);
        return;
    case 2:
        line(m, depth, "for % in %:");
        block(m, depth + 1, true);
        if (pick(m, 2)) {
            line(m, depth, "else:");
            block(m, depth + 1, in_loop);
        }
        return;
    case 3:
        line(m, depth, "try:");
        block(m, depth + 1, in_loop);
        line(m, depth, "except E as %:");
        block(m, depth + 1, in_loop);
        if (pick(m, 2)) {
            line(m, depth, "finally:");
            block(m, depth + 1, in_loop);
        }
        return;
    case 4:
        line(m, depth, "with % as %:");
        block(m, depth + 1, in_loop);
        return;
    default:
        line(m, depth, "match %:");
        line(m, depth + 1, "case [%, %]:");
        block(m, depth + 2, in_loop);
        line(m, depth + 1, "case _:");
        block(m, depth + 2, in_loop);
    }
}

static void block(struct maker *m, int depth, bool in_loop)
{
    static const char *const simple[] = {"% = %",    "% += %", "%.x = %", "print(%, %)",
                                         "%[0] = 1", "del %",  "%.f(%)",  "pass"};
    uint32_t n = pick(m, 3) + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (depth < 6 && pick(m, 3) == 0)
            compound(m, depth, in_loop);
        else
            line(m, depth, simple[pick(m, 8)]);
    }
    if (depth > 1 && pick(m, 5) == 0)
        line(m, depth,
             in_loop && pick(m, 2) ? (pick(m, 2) ? "break" : "continue")
             : pick(m, 2)          ? "return %"
                                   : "raise %");
}

static bool all_reachable(const struct lw_flow *f, const struct lw_flow_graph *g)
{
    for (uint32_t b = g->first_block; b < g->first_block + g->block_count; b++)
        if (!f->blocks.v[b].reachable)
            return false;
    return true;
}

static void against_plain_references(void **state)
{
    (void)state;
    struct maker m = {.seed = 7};
    unsigned compared = 0;
    lw_buf_init(&m.b, NULL, 0);
    for (int round = 0; round < 1500; round++) {
        struct subject s;
        lw_buf_clear(&m.b);
        (void)lw_buf_addz(&m.b, "def f(a, b):\n");
        block(&m, 1, false);
        assert_int_equal(open_subject(&s, NULL, lw_buf_str(&m.b)), 0);
        check_flow(&s.f);
        for (size_t g = 0; g < s.f.graphs.n; g++) {
            if (!all_reachable(&s.f, &s.f.graphs.v[g]))
                continue;
            check_reaching(&s.f, &s.f.graphs.v[g]);
            check_control(&s.f, &s.f.graphs.v[g]);
            compared++;
        }
        close_subject(&s);
    }
    assert_true(compared > 1500);
    lw_buf_release(&m.b);
}

static const char sample[] =
    "import os\nclass A:\n    def f(self, x=os):\n        self.n = x\n"
    "        try:\n            for i in self.n:\n                y = i\n"
    "        except E as e:\n            y = [z for z in e]\n"
    "        finally:\n            g = lambda q: q + y\n        return g\n"
    "A().f()\n";

static int build_all(struct lw_mem *mem, void *data)
{
    (void)data;
    struct subject s;
    struct lw_calls c;
    struct lw_cpg g;
    struct lw_slice sl;
    struct lw_view v;
    struct lw_err err;
    lw_calls_init(&c, mem);
    lw_cpg_init(&g, mem);
    lw_slice_init(&sl, mem);
    lw_view_init(&v, mem);
    int rc = open_subject(&s, mem, lw_str(sample));
    /* The line table is made on first use and does not report a failure. */
    if (rc == 0) {
        (void)lw_tree_position(&s.t, 20);
        rc = s.t.lines.n == 0 ? LW_ENOMEM : 0;
    }
    if (rc == 0)
        rc = lw_calls_build(&c, &s.f, &err);
    if (rc == 0)
        rc = lw_cpg_build(&g, &c, &err);
    if (rc == 0)
        rc = lw_slice_build(&sl, &c, &s.t, 12, false, &err);
    if (rc == 0) {
        lw_view_control(&v, &s.f, &s.t);
        rc = v.failed ? LW_ENOMEM : 0;
    }
    lw_view_release(&v);
    lw_slice_release(&sl);
    lw_cpg_release(&g);
    lw_calls_release(&c);
    close_subject(&s);
    return rc;
}

static void every_allocation(void **state)
{
    (void)state;
    check_every_allocation(build_all, NULL);
}

/* Deep nesting and long bodies take neither the stack nor quadratic memory. */
static void large_inputs(void **state)
{
    (void)state;
    struct lw_buf b;
    struct subject s;
    lw_buf_init(&b, NULL, 0);
    for (int i = 0; i < 90; i++) {
        (void)lw_buf_fill(&b, ' ', (size_t)i);
        (void)lw_buf_addz(&b, "if x:\n");
    }
    (void)lw_buf_fill(&b, ' ', 90);
    (void)lw_buf_addz(&b, "y = x\ntry:\n");
    for (int i = 0; i < 20000; i++)
        (void)lw_buf_addf(&b, "    v%d = f(v%d)\n", i % 50, (i + 1) % 50);
    (void)lw_buf_addz(&b, "except E:\n    print(v1, v2)\n");
    for (int i = 0; i < 5000; i++)
        (void)lw_buf_addf(&b, "if a%d: x%d = 1\n", i, i % 100);
    assert_int_equal(open_subject(&s, NULL, lw_buf_str(&b)), 0);
    check_points(&s.f);
    check_graphs(&s.f);
    assert_true(s.f.merges.n < 100000);
    close_subject(&s);
    lw_buf_release(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(against_plain_references),
    cmocka_unit_test(every_allocation),
    cmocka_unit_test(large_inputs),
};

CHECK_MAIN(tests)
