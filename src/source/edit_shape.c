#include "source/edit_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/units.h"

/* Weights: set by judgement, words of APIs before structure before context. */
#define WEIGHT_ACTION  1.0
#define WEIGHT_SIGNED  1.5 /* a word that came, or that went */
#define WEIGHT_WORD    1.5 /* a word, either way */
#define WEIGHT_PART    1.0 /* a sub-word */
#define WEIGHT_FIELD   1.5 /* what it is about */
#define WEIGHT_LOCAL   0.3 /* a name of the file, a literal */
#define WEIGHT_CONTEXT 0.5

void lw_edit_shape_init(struct lw_edit_shape *s, struct lw_mem *mem)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
}

void lw_edit_shape_release(struct lw_edit_shape *s)
{
    lw_vec_release(s->mem, &s->v);
}

/* ---- Features --------------------------------------------------------------------------- */

/* One edit, one side. */
struct side {
    struct lw_edit_shape *s;
    const struct lw_names *n;
    const struct lw_tree *t;
    char sign; /* '+' came, '-' went, '=' context */
    struct lw_buf dotted;
    bool failed;
};

static void put(struct side *x, uint64_t hash, double weight)
{
    struct lw_edit_feature f = {hash, weight};
    if (lw_vec_push(x->s->mem, &x->s->v, f) < 0)
        x->failed = true;
}

static uint64_t hash_of(char type, struct lw_str text)
{
    return lw_str_hash(text) * 0x9e3779b97f4a7c15u ^ (uint64_t)(unsigned char)type << 56;
}

static struct lw_str lower(struct lw_str s, char *room, size_t size)
{
    size_t n = s.n < size ? s.n : size;
    for (size_t i = 0; i < n; i++)
        room[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32 : s.p[i]);
    return lw_str_n(room, n);
}

/* What words of deep-learning APIs are about, so that a cast by astype() and one by .long()
 * have it in common. One letter a field; sub-words, lower case, sorted. */
static const struct {
    const char *word;
    char about; /* Type, Shape, Bound, Device, Mode, Loss, Random, batches (I) */
} fields[] = {
    {"abs", 'B'},         {"arange", 'S'},      {"astype", 'T'},   {"axis", 'S'},
    {"backward", 'M'},    {"batch", 'I'},       {"bool", 'T'},     {"broadcast", 'S'},
    {"bytes", 'T'},       {"cast", 'T'},        {"clamp", 'B'},    {"clip", 'B'},
    {"concat", 'S'},      {"concatenate", 'S'}, {"cpu", 'D'},      {"cuda", 'D'},
    {"detach", 'M'},      {"device", 'D'},      {"dim", 'S'},      {"dims", 'S'},
    {"double", 'T'},      {"dropout", 'M'},     {"dtype", 'T'},    {"entropy", 'L'},
    {"eps", 'B'},         {"epsilon", 'B'},     {"eval", 'M'},     {"exp", 'B'},
    {"expand", 'S'},      {"flatten", 'S'},     {"float", 'T'},    {"gpu", 'D'},
    {"grad", 'M'},        {"half", 'T'},        {"inf", 'B'},      {"init", 'R'},
    {"initializer", 'R'}, {"int", 'T'},         {"isfinite", 'B'}, {"isinf", 'B'},
    {"isnan", 'B'},       {"len", 'S'},         {"loader", 'I'},   {"log", 'B'},
    {"logit", 'L'},       {"logits", 'L'},      {"long", 'T'},     {"loss", 'L'},
    {"max", 'B'},         {"maximum", 'B'},     {"min", 'B'},      {"minimum", 'B'},
    {"nan", 'B'},         {"ndim", 'S'},        {"normal", 'R'},   {"pad", 'S'},
    {"permute", 'S'},     {"rand", 'R'},        {"random", 'R'},   {"repeat", 'S'},
    {"reshape", 'S'},     {"seed", 'R'},        {"shape", 'S'},    {"shuffle", 'I'},
    {"sigmoid", 'L'},     {"size", 'S'},        {"softmax", 'L'},  {"split", 'S'},
    {"sqrt", 'B'},        {"squeeze", 'S'},     {"stack", 'S'},    {"str", 'T'},
    {"tile", 'S'},        {"train", 'M'},       {"training", 'M'}, {"transpose", 'S'},
    {"type", 'T'},        {"uint", 'T'},        {"uniform", 'R'},  {"unsqueeze", 'S'},
    {"view", 'S'},        {"zero", 'M'},
};

static void put_field(struct side *x, struct lw_str part, double weight)
{
    size_t low = 0, high = sizeof fields / sizeof *fields;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = lw_str_cmp(lw_str(fields[mid].word), part);
        if (c == 0) {
            put(x, hash_of('f', lw_str_n(&fields[mid].about, 1)), weight);
            return;
        }
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
}

/* A word that means the same in every project, and its parts. */
static void put_word(struct side *x, struct lw_str word, double scale)
{
    struct lw_subtokens parts;
    struct lw_str part;
    char room[64];
    bool whole, context = x->sign == '=';
    double share = context ? WEIGHT_CONTEXT : 1;
    struct lw_str low = lower(word, room, sizeof room);
    put(x, hash_of(context ? 'c' : x->sign, low), WEIGHT_SIGNED * scale * share);
    put(x, hash_of('w', low), WEIGHT_WORD * scale * share);
    lw_subtokens_init(&parts, word);
    while (lw_subtokens_next(&parts, &part, &whole)) {
        if (whole || part.n < 2)
            continue;
        part = lower(part, room, sizeof room);
        put(x, hash_of('p', part), WEIGHT_PART * scale * share);
        put_field(x, part, WEIGHT_FIELD * scale * share);
    }
}

static void put_local(struct side *x, const char *what)
{
    if (x->sign != '=')
        put(x, hash_of(x->sign, lw_str(what)), WEIGHT_LOCAL);
}

/* A bare name: imported, built in, or local. */
static void put_name(struct side *x, uint32_t node)
{
    uint32_t symbol = x->n->symbol_of.v[node];
    lw_buf_clear(&x->dotted);
    if (lw_names_dotted(x->n, node, &x->dotted)) {
        struct lw_str whole = lw_buf_str(&x->dotted);
        ptrdiff_t dot = lw_str_find_last_char(whole, '.');
        put_word(x, dot < 0 ? whole : lw_str_from(whole, (size_t)dot + 1), 0.5);
    } else if (symbol == LW_NO_SYMBOL) {
        put_word(x, lw_tree_name(x->t, node), 1);
    } else {
        put_local(x, "local");
    }
    x->failed |= x->dotted.failed != 0;
}

static bool is_plain_word(struct lw_str s)
{
    if (s.n < 2 || s.n > 24)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                    (c >= '0' && c <= '9' && i > 0);
        if (!good)
            return false;
    }
    return true;
}

static void put_string(struct side *x, uint32_t node)
{
    struct lw_str s = lw_tree_text(x->t, node);
    while (s.n && s.p[0] != '\'' && s.p[0] != '"')
        s = lw_str_from(s, 1);
    if (s.n >= 2 && is_plain_word(lw_str_part(s, 1, s.n - 2)))
        put_word(x, lw_str_part(s, 1, s.n - 2), 0.5);
    else
        put_local(x, "string");
}

static void put_number(struct side *x, uint32_t node)
{
    const struct lw_token *tok = &x->t->lexed.tokens.v[lw_tree_node(x->t, node)->first];
    put_local(x, tok->detail == LW_NUMBER_INT ? "int" : "float");
}

/* What one node says itself. */
static void put_node(struct side *x, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(x->t, node);
    char kind[4] = {(char)(n->kind + 1), (char)(n->op + 1), 'k', 0};
    switch (n->kind) {
    case LW_NODE_NAME: put_name(x, node); return;
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_KEYWORD: put_word(x, lw_tree_name(x->t, node), 1); return;
    case LW_NODE_NUMBER: put_number(x, node); return;
    case LW_NODE_STRING: put_string(x, node); return;
    case LW_NODE_CONSTANT: put_word(x, lw_tree_text(x->t, node), 0.5); return;
    case LW_NODE_FUNCTION:
    case LW_NODE_PARAM: put_local(x, "definition"); break;
    default: break;
    }
    put(x, hash_of(x->sign, lw_str_n(kind, 2)), n->op ? WEIGHT_ACTION : WEIGHT_LOCAL);
}

/* The action: what happened to which kind of node where. */
static void put_action(struct side *x, const struct lw_edit *e, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(x->t, node);
    uint8_t parent = lw_tree_node(x->t, n->parent)->kind;
    char a[5] = {(char)(e->kind + 1), (char)(n->kind + 1), (char)(n->role + 1),
                 (char)(parent + 1), 0};
    put(x, hash_of('a', lw_str_n(a, 4)), WEIGHT_ACTION);
    put(x, hash_of('b', lw_str_n(a, 2)), WEIGHT_ACTION / 2);
}

/* What is around: the call whose argument it is in, the statement, what encloses that. */
static void put_context(struct side *x, uint32_t node)
{
    int calls = 0;
    x->sign = '=';
    for (uint32_t i = lw_tree_parent(x->t, node); i != LW_NO_NODE;
         i = lw_tree_parent(x->t, i)) {
        enum lw_node_kind kind = lw_tree_kind(x->t, i);
        if (kind == LW_NODE_CALL && calls++ < 2) {
            uint32_t f = lw_tree_get(x->t, i, LW_ROLE_FUNC);
            if (f != LW_NO_NODE)
                put_node(x, f);
        }
        if (kind == LW_NODE_KEYWORD)
            put_node(x, i);
        if (lw_node_is_statement(kind) || kind == LW_NODE_MODULE) {
            char k[2] = {(char)(kind + 1), 's'};
            put(x, hash_of('s', lw_str_n(k, 2)), WEIGHT_CONTEXT / 2);
            return;
        }
    }
}

static void put_side(struct side *x, const struct lw_edit *e, uint32_t node, char sign)
{
    x->sign = sign;
    put_action(x, e, node);
    if (e->kind != LW_EDIT_MOVE) {
        bool below = e->kind != LW_EDIT_UPDATE && e->whole;
        for (uint32_t i = node; i != LW_NO_NODE && !x->failed;
             i = below ? lw_tree_next(x->t, node, i, false) : LW_NO_NODE)
            put_node(x, i);
    }
    put_context(x, node);
}

/* Imports and docstrings follow from the rest; they say little about a fix. */
static bool is_incidental(const struct lw_tree *t, uint32_t node)
{
    uint32_t s = lw_tree_statement(t, node);
    enum lw_node_kind kind = s == LW_NO_NODE ? LW_NODE_MODULE : lw_tree_kind(t, s);
    if (kind == LW_NODE_IMPORT || kind == LW_NODE_IMPORT_FROM)
        return true;
    uint32_t value = kind == LW_NODE_EXPR ? lw_tree_get(t, s, LW_ROLE_VALUE) : LW_NO_NODE;
    return value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_STRING;
}

int lw_edit_shape_add(struct lw_edit_shape *s, const struct lw_treediff *d,
                      const struct lw_names *old_names, const struct lw_names *new_names,
                      struct lw_err *err)
{
    struct side a = {.s = s, .n = old_names, .t = d->old_tree};
    struct side b = {.s = s, .n = new_names, .t = d->new_tree};
    lw_buf_init(&a.dotted, s->mem, 0);
    lw_buf_init(&b.dotted, s->mem, 0);
    for (size_t i = 0; i < d->edits.n && !a.failed && !b.failed; i++) {
        const struct lw_edit *e = &d->edits.v[i];
        if (e->old_node != LW_NO_NODE && e->kind != LW_EDIT_MOVE &&
            !is_incidental(a.t, e->old_node))
            put_side(&a, e, e->old_node, '-');
        if (e->new_node != LW_NO_NODE && !is_incidental(b.t, e->new_node))
            put_side(&b, e, e->new_node, '+');
    }
    lw_buf_release(&a.dotted);
    lw_buf_release(&b.dotted);
    return a.failed || b.failed ? lw_err_nomem(err) : 0;
}

/* ---- Vectors ---------------------------------------------------------------------------- */

static int by_hash(const void *p, const void *q)
{
    const struct lw_edit_feature *x = p, *y = q;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

void lw_edit_shape_finish(struct lw_edit_shape *s)
{
    size_t n = 0;
    double norm = 0;
    if (s->finished)
        return;
    s->finished = true;
    if (s->v.n > 1)
        qsort(s->v.v, s->v.n, sizeof *s->v.v, by_hash);
    for (size_t i = 0, j; i < s->v.n; i = j) {
        double sum = 0;
        for (j = i; j < s->v.n && s->v.v[j].hash == s->v.v[i].hash; j++)
            sum += s->v.v[j].weight;
        /* The k-th repetition adds less and less: w log2(1 + k). */
        double one = sum / (double)(j - i);
        struct lw_edit_feature f = {s->v.v[i].hash, one * log2(1 + (double)(j - i))};
        norm += f.weight * f.weight;
        s->v.v[n++] = f;
    }
    s->v.n = n;
    norm = sqrt(norm);
    for (size_t i = 0; i < n; i++)
        s->v.v[i].weight /= norm;
}

double lw_edit_similarity(const struct lw_edit_shape *a, const struct lw_edit_shape *b)
{
    double dot = 0;
    for (size_t i = 0, j = 0; i < a->v.n && j < b->v.n;) {
        uint64_t x = a->v.v[i].hash, y = b->v.v[j].hash;
        if (x == y)
            dot += a->v.v[i++].weight * b->v.v[j++].weight;
        else if (x < y)
            i++;
        else
            j++;
    }
    return dot > 1 ? 1 : dot;
}
