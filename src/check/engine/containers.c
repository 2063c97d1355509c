/* Methods of lists, dicts, text, tuples and shapes. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

static bool is(const struct ck_call *call, const char *name)
{
    return lw_str_eq(call->name, lw_str(name));
}

static void set_items(struct ck *c, struct ck_object *o, struct lw_seq seq)
{
    heap_set(&c->heap, &o->contents, (struct lw_value){.kind = LW_V_LIST, .seq = seq});
}

static void add_items(struct ck *c, struct ck_object *o, struct lw_seq more)
{
    struct lw_value old = o->contents.value;
    if (old.kind != LW_V_LIST)
        return;
    struct lw_seq s = old.seq;
    size_t n = (size_t)s.n + more.n;
    if (s.open || more.open || n > CK_MAX_ITEMS) {
        struct lw_value any = s.n ? ck_join_items(c, s) : ck_join_items(c, more);
        if (s.n && more.n)
            any = ck_join(c, any, ck_join_items(c, more));
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &any, s.n || more.n, true);
        if (one.kind == LW_V_LIST)
            set_items(c, o, one.seq);
        return;
    }
    struct lw_value *items = ck_values(c, n);
    if (!items)
        return;
    for (uint32_t i = 0; i < s.n; i++)
        items[i] = s.items[i];
    for (uint32_t i = 0; i < more.n; i++)
        items[s.n + i] = more.items[i];
    set_items(c, o, (struct lw_seq){.items = items, .n = (uint32_t)n});
}

static void list_insert(struct ck *c, struct ck_object *o, struct lw_value at,
                        struct lw_value v)
{
    int64_t i;
    struct lw_value old = o->contents.value;
    if (old.kind != LW_V_LIST)
        return;
    if (old.seq.open || !ck_int_of(c, at, &i) || i < 0 || i > old.seq.n) {
        struct lw_seq more = {.items = &v, .n = 1, .open = true};
        add_items(c, o, more);
        return;
    }
    struct lw_value *items = ck_values(c, (size_t)old.seq.n + 1);
    if (!items)
        return;
    for (uint32_t k = 0; k < old.seq.n; k++)
        items[k + (k >= i)] = old.seq.items[k];
    items[i] = v;
    set_items(c, o, (struct lw_seq){.items = items, .n = old.seq.n + 1});
}

static struct lw_value list_pop(struct ck *c, struct ck_object *o, struct lw_value at)
{
    int64_t i;
    struct lw_value old = o->contents.value;
    if (old.kind != LW_V_LIST)
        return lw_v_unknown();
    struct lw_seq s = old.seq;
    if (at.kind == LW_V_ABSENT)
        i = (int64_t)s.n - 1;
    else if (!ck_int_of(c, at, &i))
        i = -1;
    else if (i < 0)
        i += s.n;
    if (s.open || i < 0 || i >= s.n) {
        struct lw_value any = ck_join_items(c, s);
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &any, s.n ? 1 : 0, true);
        if (one.kind == LW_V_LIST)
            set_items(c, o, one.seq);
        return any;
    }
    struct lw_value *items = ck_values(c, s.n);
    if (!items)
        return lw_v_unknown();
    uint32_t n = 0;
    for (uint32_t k = 0; k < s.n; k++)
        if (k != i)
            items[n++] = s.items[k];
    set_items(c, o, (struct lw_seq){.items = items, .n = n});
    return s.items[i];
}

static struct lw_value count_of(struct ck *c)
{
    return lw_v_dim(lw_dim_symbol(c->dims, LW_S("count"), 0, LW_DIM_MOST));
}

/* ---- lists that grow in loops -------------------------------------------------------------
 */

static void note_growth(struct ck *c, struct ck_object *o)
{
    struct ck_loop *loop = c->frame ? c->frame->loop : NULL;
    struct lw_value now = o->contents.value;
    if (!loop || !loop->endless || loop->pass > 0 || now.kind != LW_V_LIST || c->ways.probing)
        return;
    struct ck_growth *g = NULL;
    for (unsigned i = 0; i < loop->grown_count && !g; i++)
        g = loop->grown[i].list == o ? &loop->grown[i] : NULL;
    if (!g && loop->grown_count < CK_MAX_GROWN) {
        g = &loop->grown[loop->grown_count++];
        *g = (struct ck_growth){.list = o, .before = now.seq.n, .sure = !now.seq.open};
    }
    if (!g)
        return;
    g->added++;
    g->sure &= c->frame->uncertain == loop->certain;
}

void ck_check_grown(struct ck_loop *loop)
{
    LW_BUG_ON(loop->grown_count > CK_MAX_GROWN);
    for (unsigned i = 0; i < loop->grown_count; i++) {
        struct ck_growth *g = &loop->grown[i];
        struct lw_value now = g->list->contents.value;
        g->sure &= now.kind == LW_V_LIST && !now.seq.open && now.seq.n == g->before + g->added;
    }
}

void ck_set_grown(struct ck *c, const struct ck_loop *loop, lw_dim passes)
{
    LW_BUG_ON(loop->grown_count > CK_MAX_GROWN);
    int64_t n;
    if (!lw_dim_is_int(c->dims, passes, &n))
        return;
    for (unsigned i = 0; i < loop->grown_count; i++) {
        const struct ck_growth *g = &loop->grown[i];
        struct lw_value v = g->list->contents.value;
        if (!g->sure || v.kind != LW_V_LIST || !v.seq.open || n > INT32_MAX / (1 + g->added))
            continue;
        v.seq.length = lw_dim_big(c->dims, g->before + g->added * n);
        heap_set(&c->heap, &g->list->contents, v);
    }
}

bool ck_list_method(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    struct ck_object *o = ck_object_of(call->self);
    struct lw_value a = ck_arg(call, 0, NULL);
    *out = lw_v_none();
    if (is(call, "append"))
        note_growth(c, o);
    if (is(call, "append") || is(call, "add") || is(call, "appendleft"))
        add_items(c, o, (struct lw_seq){.items = &a, .n = a.kind != LW_V_ABSENT});
    else if (is(call, "extend") || is(call, "update"))
        add_items(c, o, ck_iterate(c, a, call->node));
    else if (is(call, "insert"))
        list_insert(c, o, a, ck_arg(call, 1, NULL));
    else if (is(call, "pop"))
        *out = list_pop(c, o, a);
    else if (is(call, "popleft"))
        *out = list_pop(c, o, ck_int(c, 0));
    else if (is(call, "copy")) {
        struct lw_seq seq;
        *out = lw_v_unknown();
        if (ck_sequence(c, call->self, &seq))
            *out = ck_new_list(c, (enum ck_kind)o->kind, seq, call->node);
    } else if (is(call, "clear"))
        set_items(c, o, (struct lw_seq){0});
    else if (is(call, "index") || is(call, "count"))
        *out = count_of(c);
    else if (is(call, "reverse") || is(call, "sort")) {
        struct lw_seq seq;
        if (ck_sequence(c, call->self, &seq) && seq.n > 1) {
            struct lw_value any = ck_join_items(c, seq);
            struct lw_value *items = ck_values(c, seq.n);
            for (uint32_t i = 0; items && i < seq.n; i++)
                items[i] = any;
            if (items) {
                seq.items = items;
                set_items(c, o, seq);
            }
        }
    } else if (is(call, "remove")) {
        struct lw_seq seq;
        if (ck_sequence(c, call->self, &seq)) {
            seq.open = true;
            set_items(c, o, seq);
        }
    } else {
        *out = lw_v_unknown();
        return false;
    }
    return true;
}

/* ---- dicts --------------------------------------------------------------------------------
 */

static struct lw_value dict_list(struct ck *c, const struct lw_dict *d, int what)
{
    struct lw_value *items = ck_values(c, d->n);
    if (!items)
        return lw_v_unknown();
    for (uint32_t i = 0; i < d->n; i++) {
        struct lw_value pair[2] = {d->keys[i], d->values[i]};
        items[i] = what == 0 ? d->keys[i] : what == 1 ? d->values[i] : ck_tuple(c, pair, 2);
    }
    return ck_make_seq(c, LW_V_TUPLE, items, d->n, d->open);
}

static void dict_update(struct ck *c, struct ck_object *o, const struct lw_dict *with,
                        const struct ck_call *call)
{
    if (o->contents.value.kind != LW_V_DICT)
        return;
    const struct lw_dict *d = o->contents.value.dict;
    uint32_t more = (with ? with->n : 0) + (uint32_t)call->n;
    struct lw_dict *now = lw_arena_alloc(c->arena, sizeof *now);
    struct lw_value *keys = ck_values(c, d->n + more), *values = ck_values(c, d->n + more);
    if (!now || !keys || !values)
        return;
    *now = (struct lw_dict){keys, values, d->n, d->open || (with && with->open)};
    struct lw_value news = {.kind = LW_V_DICT, .dict = with}, same;
    now->n = 0;
    for (uint32_t i = 0; i < d->n; i++) { /* later ones win: lookups go backwards */
        if (with && ck_dict_get(c, news, d->keys[i], &same))
            continue;
        keys[now->n] = d->keys[i];
        values[now->n++] = d->values[i];
    }
    for (uint32_t i = 0; with && i < with->n && now->n < CK_MAX_ITEMS; i++) {
        keys[now->n] = with->keys[i];
        values[now->n++] = with->values[i];
    }
    now->open |= now->n >= CK_MAX_ITEMS;
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].name.n && !call->args[i].star) {
            struct lw_value key = lw_v_str(call->args[i].name);
            uint32_t at = 0;
            while (at < now->n && ck_equal(c, keys[at], key) != LW_TRI_YES)
                at++;
            keys[at] = key;
            values[at] = call->args[i].value;
            now->n += at == now->n;
        } else if (call->args[i].star)
            now->open = true;
    heap_set(&c->heap, &o->contents, (struct lw_value){.kind = LW_V_DICT, .dict = now});
}

/* d.setdefault(key, v): what is there stays. */
static void dict_default(struct ck *c, struct ck_object *o, struct lw_value key,
                         struct lw_value v)
{
    struct lw_value there;
    if (o->contents.value.kind != LW_V_DICT || ck_dict_get(c, o->contents.value, key, &there))
        return;
    struct lw_value given = v.kind == LW_V_ABSENT ? lw_v_none() : v;
    struct lw_dict with = {&key, &given, 1, o->contents.value.dict->open};
    struct ck_call none = {0};
    dict_update(c, o, &with, &none);
}

bool ck_dict_method(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    struct ck_object *o = ck_object_of(call->self);
    const struct lw_dict *d = NULL, *with = NULL;
    struct lw_value key = ck_arg(call, 0, NULL);
    ck_pairs(call->self, &d);
    *out = lw_v_unknown();
    if (is(call, "keys") || is(call, "values") || is(call, "items") || is(call, "iteritems") ||
        is(call, "itervalues")) {
        if (d)
            *out = dict_list(c, d,
                             is(call, "keys")                               ? 0
                             : is(call, "values") || is(call, "itervalues") ? 1
                                                                            : 2);
    } else if (is(call, "get") || is(call, "pop") || is(call, "setdefault")) {
        if (!ck_dict_get(c, call->self, key, out)) {
            struct lw_value otherwise = ck_arg(call, 1, NULL);
            bool absent = d && !d->open && d->n == 0;
            *out = absent && otherwise.kind != LW_V_ABSENT ? otherwise : lw_v_unknown();
        }
        if (is(call, "pop") && o)
            heap_set(&c->heap, &o->contents, lw_v_unknown());
        if (is(call, "setdefault") && o)
            dict_default(c, o, key, ck_arg(call, 1, NULL));
    } else if (is(call, "update") && o) {
        if (key.kind != LW_V_ABSENT && !ck_pairs(key, &with))
            heap_set(&c->heap, &o->contents, lw_v_unknown());
        else
            dict_update(c, o, with, call);
        *out = lw_v_none();
    } else if (is(call, "copy")) {
        if (d)
            *out = ck_new_dict(c, d, call->node);
    } else
        return false;
    return true;
}

/* ---- text, tuples, shapes -----------------------------------------------------------------
 */

static bool gives_text(struct lw_str name)
{
    static const char *const all[] = {"format",  "join",   "strip",  "lower", "upper",
                                      "replace", "lstrip", "rstrip", "title", "capitalize",
                                      "decode",  "zfill",  "ljust",  "rjust", "expandtabs"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lw_str_eq(name, lw_str(all[i])))
            return true;
    return false;
}

static struct lw_value change_case(struct ck *c, struct lw_str s, bool lower)
{
    char *p = lw_arena_bytes(c->arena, s.n + 1);
    if (!p)
        return lw_v_unknown();
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        p[i] = lower && ch >= 'A' && ch <= 'Z'    ? (char)(ch + 32)
               : !lower && ch >= 'a' && ch <= 'z' ? (char)(ch - 32)
                                                  : ch;
    }
    p[s.n] = 0;
    return lw_v_str(lw_str_n(p, s.n));
}

/* "a b".split(), "a,b".split(","); false when there are too many pieces. */
static bool split_text(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    struct lw_str text = call->self.str, sep = {0};
    struct lw_value items[CK_MAX_ITEMS];
    uint32_t n = 0;
    if (call->n == 1)
        sep = call->args[0].value.str;
    if (text.n > 4096 || (call->n == 1 && sep.n == 0))
        return false;
    while (text.n || (sep.n && n == 0)) {
        ptrdiff_t at = -1;
        if (sep.n)
            at = lw_str_find(text, sep);
        else {
            text = lw_str_trim(text);
            for (size_t i = 0; i < text.n && at < 0; i++)
                if (text.p[i] == ' ' || text.p[i] == '\t' || text.p[i] == '\n')
                    at = (ptrdiff_t)i;
            if (text.n == 0)
                break;
        }
        if (n == CK_MAX_ITEMS)
            return false;
        items[n++] = lw_v_str(at < 0 ? text : lw_str_part(text, 0, (size_t)at));
        if (at < 0)
            break;
        text = lw_str_from(text, (size_t)at + (sep.n ? sep.n : 1));
        if (sep.n && text.n == 0 && n < CK_MAX_ITEMS) {
            items[n++] = lw_v_str(LW_S(""));
            break;
        }
    }
    struct lw_value seq = ck_make_seq(c, LW_V_LIST, items, n, false);
    if (seq.kind != LW_V_LIST)
        return false;
    *out = ck_new_list(c, CK_LIST, seq.seq, call->node);
    return true;
}

bool ck_str_method(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    struct lw_value self = call->self, a = ck_arg(call, 0, NULL);
    bool both = self.kind == LW_V_STR && self.str.p && a.kind == LW_V_STR && a.str.p;
    *out = lw_v_unknown();
    if (is(call, "startswith"))
        *out = lw_v_tri(both ? lw_tri_of(lw_str_has_prefix(self.str, a.str)) : LW_TRI_MAYBE);
    else if (is(call, "endswith"))
        *out = lw_v_tri(both ? lw_tri_of(lw_str_has_suffix(self.str, a.str)) : LW_TRI_MAYBE);
    else if ((is(call, "lower") || is(call, "upper")) && self.str.p)
        *out = change_case(c, self.str, is(call, "lower"));
    else if (gives_text(call->name))
        *out = lw_v_str((struct lw_str){0});
    else if (is(call, "split") && self.str.p && call->n <= 1 &&
             (a.kind == LW_V_ABSENT || both) && split_text(c, call, out))
        return true;
    else if (is(call, "split") || is(call, "splitlines") || is(call, "rsplit")) {
        struct lw_value text = lw_v_str((struct lw_str){0});
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &text, 1, true);
        if (one.kind == LW_V_LIST)
            *out = ck_new_list(c, CK_LIST, one.seq, call->node);
    } else
        return false;
    return true;
}

/* torch.Size, tf.TensorShape, tuples. */
bool ck_tuple_method(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    struct lw_seq seq;
    *out = lw_v_unknown();
    if (is(call, "as_list") && ck_sequence(c, call->self, &seq))
        *out = ck_new_list(c, CK_LIST, seq, call->node);
    else if (is(call, "numel") || is(call, "num_elements")) {
        if (call->self.kind == LW_V_SHAPE)
            *out = lw_v_dim(lw_shape_count(c->dims, call->self.shape));
    } else if (is(call, "index") || is(call, "count"))
        *out = count_of(c);
    else
        return false;
    return true;
}

/* ---- Emptiness ----------------------------------------------------------------------------
 */

/* [], and [[], []] to be filled. */
static bool holds_nothing(struct lw_seq seq)
{
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *o = ck_as(seq.items[i], CK_LIST);
        if (!o || o->contents.value.kind != LW_V_LIST || o->contents.value.seq.n)
            return false;
    }
    return true;
}

bool ck_is_vacant(struct lw_value v)
{
    const struct ck_object *o = ck_object_of(v);
    if (v.kind == CK_DICT)
        return o->contents.value.kind == LW_V_DICT && o->contents.value.dict->n == 0;
    if (v.kind == CK_LIST || v.kind == CK_SET)
        return o->contents.value.kind == LW_V_LIST && holds_nothing(o->contents.value.seq);
    return v.kind == LW_V_NONE;
}
