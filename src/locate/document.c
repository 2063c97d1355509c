#include "locate/document.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/text.h"

const char *lw_field_name(enum lw_field field)
{
    static const char *const names[LW_FIELDS] = {"text",    "class",  "function", "name",
                                                 "comment", "string", "api"};
    return names[field];
}

void lw_document_release(struct lw_document *d, struct lw_mem *mem)
{
    for (int f = 0; f < LW_FIELDS; f++)
        lw_vec_release(mem, &d->fields[f]);
    lw_vec_release(mem, &d->names);
    lw_vec_release(mem, &d->idents);
    lw_vec_release(mem, &d->defs);
    lw_vec_release(mem, &d->params);
    lw_vec_release(mem, &d->imports);
    lw_vec_release(mem, &d->apis);
    lw_vec_release(mem, &d->strings);
}

void lw_document_reader_init(struct lw_document_reader *r, struct lw_mem *mem,
                             const struct lw_stopwords *stop)
{
    r->mem = mem;
    lw_words_init(&r->words, mem, stop);
    lw_tree_init(&r->tree, mem);
    lw_names_init(&r->names, mem);
    lw_units_init(&r->units, mem);
    lw_arena_init(&r->scratch, mem, 0);
    lw_map_init(&r->seen, mem);
    memset(&r->spots, 0, sizeof r->spots);
    memset(&r->of_token, 0, sizeof r->of_token);
}

void lw_document_reader_release(struct lw_document_reader *r)
{
    lw_vec_release(r->mem, &r->spots);
    lw_vec_release(r->mem, &r->of_token);
    lw_map_release(&r->seen);
    lw_arena_release(&r->scratch);
    lw_units_release(&r->units);
    lw_names_release(&r->names);
    lw_tree_release(&r->tree);
    lw_words_release(&r->words);
}

/* One blob being read. */
struct reading {
    struct lw_document_reader *r;
    struct lw_document *d;
    struct lw_arena *arena;
    int rc; /* 0 or LW_ENOMEM; sticks */
};

static void note(struct reading *g, int rc)
{
    if (rc < 0)
        g->rc = rc;
}

static uint32_t add_name(struct reading *g, struct lw_str text)
{
    struct lw_str copy = lw_arena_copy(g->arena, text);
    note(g, copy.p ? lw_vec_push(g->r->mem, &g->d->names, copy) : LW_ENOMEM);
    return (uint32_t)(g->d->names.n ? g->d->names.n - 1 : 0);
}

/* What was counted goes into the field. */
static void take(struct reading *g, enum lw_field field)
{
    note(g, lw_words_take(&g->r->words, g->r->mem, &g->d->fields[field], &g->d->length[field]));
}

static uint32_t count_lines(struct lw_str text)
{
    uint32_t lines = text.n && text.p[text.n - 1] != '\n';
    const char *p = text.p, *end = text.p + text.n;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        lines++;
        p++;
    }
    return lines;
}

static void read_whole(struct reading *g, struct lw_str text)
{
    lw_counts idents = {0};
    lw_words_scan(&g->r->words, text, &g->r->spots);
    note(g, lw_words_peek_idents(&g->r->words, g->r->mem, &idents));
    for (size_t i = 0; i < idents.n && g->rc == 0; i++) {
        struct lw_use use = {idents.v[i].term, idents.v[i].count};
        note(g, lw_vec_push(g->r->mem, &g->d->idents, use));
    }
    lw_vec_release(g->r->mem, &idents);
    take(g, LW_FIELD_TEXT);
}

static void add_string(struct reading *g, struct lw_str text)
{
    if (text.n < LW_DOC_STRING_LEAST || g->rc < 0)
        return;
    uint32_t name = add_name(g, lw_str_part(text, 0, LW_DOC_STRING_MOST));
    if (g->rc == 0)
        note(g, lw_vec_push(g->r->mem, &g->d->strings, name));
}

static void add_api(struct reading *g, struct lw_str dotted)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&g->r->seen, dotted, &is_new);
    if (!e || g->rc < 0) {
        note(g, LW_ENOMEM);
        return;
    }
    if (is_new) {
        struct lw_use use = {add_name(g, dotted), 0};
        e->value = g->d->apis.n;
        note(g, lw_vec_push(g->r->mem, &g->d->apis, use));
    }
    if (g->rc == 0)
        g->d->apis.v[e->value].count++;
}

/* ---- Python ------------------------------------------------------------------------------ */

static uint32_t line_of(struct reading *g, uint32_t offset)
{
    return lw_tree_position(&g->r->tree, offset).line;
}

struct open_def {
    uint32_t def;
    uint32_t node;
    uint32_t last; /* token */
};

/* Definitions around the node being looked at, outermost first. Deeper ones than this belong to
 * the last. */
enum { MAX_NESTING = 64 };

struct nesting {
    struct open_def v[MAX_NESTING];
    size_t n;
};

static void add_def(struct reading *g, struct nesting *around, uint32_t node)
{
    const struct lw_tree *t = &g->r->tree;
    uint32_t start = lw_tree_start(t, node), end = lw_tree_end(t, node);
    struct lw_def def = {
        .kind = lw_tree_kind(t, node) == LW_NODE_CLASS ? LW_DEF_CLASS : LW_DEF_FUNCTION,
        .parent = around->n ? around->v[around->n - 1].def : UINT32_MAX,
        .first = line_of(g, start),
        .last = line_of(g, end > start ? end - 1 : end),
        .param = (uint32_t)g->d->params.n,
    };
    def.name = add_name(g, lw_tree_name(t, node));
    if (around->n < MAX_NESTING)
        around->v[around->n++] =
            (struct open_def){(uint32_t)g->d->defs.n, node, lw_tree_node(t, node)->last};
    note(g, lw_vec_push(g->r->mem, &g->d->defs, def));
}

/* A parameter of the innermost definition itself, not of a lambda in its defaults. */
static void add_param(struct reading *g, const struct nesting *around, uint32_t node)
{
    const struct lw_tree *t = &g->r->tree;
    uint32_t owner = lw_tree_node(t, lw_tree_node(t, node)->parent)->parent;
    if (!around->n || around->v[around->n - 1].node != owner)
        return;
    uint32_t name = add_name(g, lw_tree_name(t, node));
    if (g->rc == 0)
        note(g, lw_vec_push(g->r->mem, &g->d->params, name));
    if (g->rc == 0)
        g->d->defs.v[around->v[around->n - 1].def].params++;
}

static struct lw_str join_tokens(struct reading *g, uint32_t first, uint32_t end)
{
    const struct lw_tree *t = &g->r->tree;
    struct lw_buf text;
    lw_buf_init(&text, g->r->mem, 1 << 16);
    for (uint32_t i = first; i < end; i++)
        lw_buf_add(&text, lw_tree_token_text(t, i));
    struct lw_str copy = lw_arena_copy(&g->r->scratch, lw_buf_str(&text));
    note(g, copy.p && text.failed != LW_ENOMEM ? 0 : LW_ENOMEM);
    lw_buf_release(&text);
    return copy;
}

static void add_import(struct reading *g, uint32_t alias)
{
    const struct lw_tree *t = &g->r->tree;
    const struct lw_node *n = lw_tree_node(t, alias);
    struct lw_import import = {.line = line_of(g, lw_tree_start(t, alias))};
    struct lw_str module = {0}, name = {0};
    if (n->flags & LW_NODE_EMPTY)
        return;
    struct lw_str dotted = join_tokens(g, n->first, lw_tree_alias_end(t, alias));
    if (lw_tree_kind(t, n->parent) == LW_NODE_IMPORT_FROM) {
        uint32_t first, end;
        import.level = lw_tree_import_module(t, n->parent, &first, &end);
        module = join_tokens(g, first, end);
        name = dotted;
    } else {
        module = dotted;
    }
    if (g->rc < 0)
        return;
    import.module = add_name(g, module);
    import.name = add_name(g, name);
    note(g, lw_vec_push(g->r->mem, &g->d->imports, import));
}

/* Which identifier each token is, so that none is looked up twice. */
static void match_tokens(struct reading *g)
{
    const struct lw_lexed *lx = &g->r->tree.lexed;
    size_t spot = 0;
    g->r->of_token.n = 0;
    if (lw_vec_reserve(g->r->mem, &g->r->of_token, lx->tokens.n) < 0) {
        note(g, LW_ENOMEM);
        return;
    }
    for (size_t i = 0; i < lx->tokens.n; i++) {
        uint32_t start = lx->tokens.v[i].start, ident = UINT32_MAX;
        while (spot < g->r->spots.n && g->r->spots.v[spot].start < start)
            spot++;
        if (spot < g->r->spots.n && g->r->spots.v[spot].start == start)
            ident = g->r->spots.v[spot].ident;
        g->r->of_token.v[g->r->of_token.n++] = ident;
    }
}

static void count_name(struct reading *g, uint32_t node)
{
    const struct lw_tree *t = &g->r->tree;
    uint32_t token = lw_tree_name_token(t, node);
    if (token == LW_NO_TOKEN)
        return;
    if (g->r->of_token.v[token] != UINT32_MAX)
        lw_words_add_number(&g->r->words, g->r->of_token.v[token]);
    else
        lw_words_add_text(&g->r->words, lw_tree_token_text(t, token));
}

/* Classes and functions are counted from `defs` afterwards, all other names here. */
static void read_node(struct reading *g, struct nesting *around, uint32_t node)
{
    switch (lw_tree_kind(&g->r->tree, node)) {
    case LW_NODE_CLASS:
    case LW_NODE_FUNCTION: add_def(g, around, node); break;
    case LW_NODE_PARAM:
        add_param(g, around, node);
        count_name(g, node);
        break;
    case LW_NODE_NAME:
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_KEYWORD: count_name(g, node); break;
    case LW_NODE_ALIAS: add_import(g, node); break;
    default: break;
    }
}

static void read_nodes(struct reading *g)
{
    const struct lw_tree *t = &g->r->tree;
    struct nesting around = {.n = 0};
    for (uint32_t n = t->root; g->rc == 0 && n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false)) {
        while (around.n && lw_tree_node(t, n)->first > around.v[around.n - 1].last)
            around.n--;
        read_node(g, &around, n);
    }
    take(g, LW_FIELD_NAME);
}

static void count_defs(struct reading *g, enum lw_def_kind kind, enum lw_field field)
{
    for (size_t i = 0; i < g->d->defs.n && g->rc == 0; i++)
        if (g->d->defs.v[i].kind == kind)
            lw_words_add_text(&g->r->words, g->d->names.v[g->d->defs.v[i].name]);
    take(g, field);
}

/* The identifiers between two bytes of the text. */
static void count_range(struct reading *g, uint32_t start, uint32_t end)
{
    const lw_spots *spots = &g->r->spots;
    size_t low = 0, high = spots->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (spots->v[mid].start < start)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < spots->n && spots->v[low].start < end; low++)
        lw_words_add_number(&g->r->words, spots->v[low].ident);
}

/* Comments and strings are parts of the text, API names are not. */
static void count_units(struct reading *g, unsigned kinds, enum lw_field field)
{
    const char *text = g->r->tree.lexed.text.p;
    for (size_t i = 0; i < g->r->units.units.n; i++) {
        const struct lw_unit *u = &g->r->units.units.v[i];
        if (!(kinds >> u->kind & 1) || !u->text.n)
            continue;
        uint32_t start = u->kind == LW_UNIT_API ? 0 : (uint32_t)(u->text.p - text);
        if (u->kind == LW_UNIT_API)
            lw_words_add_text(&g->r->words, u->text);
        else
            count_range(g, start, start + (uint32_t)u->text.n);
    }
    take(g, field);
}

static void read_units(struct reading *g)
{
    for (size_t i = 0; i < g->r->units.units.n && g->rc == 0; i++) {
        const struct lw_unit *u = &g->r->units.units.v[i];
        if (u->kind == LW_UNIT_STRING)
            add_string(g, u->text);
        else if (u->kind == LW_UNIT_API)
            add_api(g, u->text);
    }
    count_units(g, 1u << LW_UNIT_COMMENT | 1u << LW_UNIT_DOCSTRING, LW_FIELD_COMMENT);
    count_units(g, 1u << LW_UNIT_STRING, LW_FIELD_STRING);
    count_units(g, 1u << LW_UNIT_API, LW_FIELD_API);
}

static int read_python(struct reading *g, struct lw_str bytes, struct lw_err *err)
{
    struct lw_document_reader *r = g->r;
    struct lw_source source = {0};
    int rc = lw_source_decode(&source, &r->scratch, LW_S("x.py"), bytes, err);
    if (rc == 0)
        rc = lw_tree_parse(&r->tree, source.text, err);
    if (rc == 0)
        rc = lw_names_build(&r->names, &r->tree, err);
    if (rc == 0)
        rc = lw_units_build(&r->units, &r->names, err);
    if (rc < 0)
        return rc;
    (void)lw_tree_position(&r->tree, 0);
    if (!r->tree.lines.n) /* without the table of lines every line would be 1 */
        return lw_err_nomem(err);
    g->d->flags |= r->tree.lexed.errors.n ? LW_DOC_BROKEN : 0;
    g->d->lines = count_lines(source.text);
    read_whole(g, source.text);
    match_tokens(g);
    if (g->rc < 0)
        return lw_err_nomem(err);
    read_nodes(g);
    read_units(g);
    count_defs(g, LW_DEF_CLASS, LW_FIELD_CLASS);
    count_defs(g, LW_DEF_FUNCTION, LW_FIELD_FUNCTION);
    return g->rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Other languages --------------------------------------------------------------------- */

struct line_counter {
    size_t at;
    uint32_t line;
};

/* The line of a byte; bytes are asked for in rising order. */
static uint32_t line_at(struct line_counter *c, struct lw_str text, size_t offset)
{
    for (; c->at < offset && c->at < text.n; c->at++)
        c->line += text.p[c->at] == '\n';
    return c->line;
}

static void add_scanned_def(struct reading *g, struct nesting *around,
                            struct line_counter *lines, struct lw_str text,
                            const struct lw_scanned *s)
{
    while (around->n && s->start >= around->v[around->n - 1].last)
        around->n--;
    struct lw_def def = {
        .kind = s->kind == LW_SCAN_CLASS ? LW_DEF_CLASS : LW_DEF_FUNCTION,
        .parent = around->n ? around->v[around->n - 1].def : UINT32_MAX,
        .first = line_at(lines, text, s->start),
        .param = (uint32_t)g->d->params.n,
    };
    def.last = def.first + count_lines(lw_str_part(text, s->start, s->block_end - s->start));
    def.last -= def.last > def.first;
    def.name = add_name(g, s->text);
    if (around->n < MAX_NESTING)
        around->v[around->n++] = (struct open_def){(uint32_t)g->d->defs.n, 0, s->block_end};
    note(g, lw_vec_push(g->r->mem, &g->d->defs, def));
}

static void add_scanned_import(struct reading *g, struct line_counter *lines,
                               struct lw_str text, const struct lw_scanned *s)
{
    struct lw_import import = {.line = line_at(lines, text, s->start)};
    import.module = add_name(g, s->text);
    import.name = add_name(g, LW_S(""));
    note(g, lw_vec_push(g->r->mem, &g->d->imports, import));
    add_api(g, s->text);
}

/* One pass for the facts and the names; then one for each field of text. */
static void scan_field(struct reading *g, const struct lw_language *language,
                       struct lw_str text, enum lw_scan_kind kind, enum lw_field field)
{
    struct lw_scan scan;
    struct lw_scanned s;
    lw_scan_init(&scan, language, text);
    while ((s = lw_scan_next(&scan)).kind != LW_SCAN_END)
        if (s.kind == kind)
            lw_words_add_text(&g->r->words, s.text);
    take(g, field);
}

static int read_scanned(struct reading *g, const struct lw_language *language,
                        struct lw_str text, struct lw_err *err)
{
    struct nesting around = {.n = 0};
    struct line_counter lines = {0, 1};
    struct lw_scan scan;
    struct lw_scanned s;
    g->d->lines = count_lines(text);
    read_whole(g, text);
    lw_scan_init(&scan, language, text);
    while (g->rc == 0 && (s = lw_scan_next(&scan)).kind != LW_SCAN_END) {
        if (s.kind == LW_SCAN_CLASS || s.kind == LW_SCAN_FUNCTION)
            add_scanned_def(g, &around, &lines, text, &s);
        else if (s.kind == LW_SCAN_IMPORT)
            add_scanned_import(g, &lines, text, &s);
        else if (s.kind == LW_SCAN_STRING)
            add_string(g, s.text);
    }
    scan_field(g, language, text, LW_SCAN_NAME, LW_FIELD_NAME);
    scan_field(g, language, text, LW_SCAN_COMMENT, LW_FIELD_COMMENT);
    scan_field(g, language, text, LW_SCAN_STRING, LW_FIELD_STRING);
    scan_field(g, language, text, LW_SCAN_IMPORT, LW_FIELD_API);
    count_defs(g, LW_DEF_CLASS, LW_FIELD_CLASS);
    count_defs(g, LW_DEF_FUNCTION, LW_FIELD_FUNCTION);
    return g->rc < 0 ? lw_err_nomem(err) : 0;
}

int lw_document_read(struct lw_document_reader *r, struct lw_document *d,
                     struct lw_arena *arena, const struct lw_language *language,
                     struct lw_str bytes, struct lw_err *err)
{
    struct reading g = {r, d, arena, 0};
    d->bytes = (uint32_t)(bytes.n < UINT32_MAX ? bytes.n : UINT32_MAX);
    lw_arena_clear(&r->scratch);
    lw_map_clear(&r->seen);
    if (bytes.n > LW_DOC_MAX || lw_git_is_binary(bytes)) {
        d->flags |= bytes.n > LW_DOC_MAX ? LW_DOC_LARGE : LW_DOC_BINARY;
        return 0;
    }
    return language->is_python ? read_python(&g, bytes, err)
                               : read_scanned(&g, language, bytes, err);
}
