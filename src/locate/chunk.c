#include "locate/chunk.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

void lw_chunk_reader_init(struct lw_chunk_reader *r, struct lw_mem *mem,
                          const struct lw_stopwords *stop)
{
    memset(r, 0, sizeof *r);
    r->mem = mem;
    lw_words_init(&r->words, mem, stop);
    lw_map_init(&r->texts, mem);
    lw_arena_init(&r->kept, mem, 0);
    lw_tree_init(&r->tree, mem);
    lw_names_init(&r->names, mem);
    lw_units_init(&r->units, mem);
    lw_buf_init(&r->padded, mem, 0);
    lw_buf_init(&r->joined, mem, 1 << 16);
}

void lw_chunk_reader_release(struct lw_chunk_reader *r)
{
    lw_buf_release(&r->padded);
    lw_buf_release(&r->joined);
    lw_vec_release(r->mem, &r->spots);
    lw_vec_release(r->mem, &r->of_token);
    lw_vec_release(r->mem, &r->counts);
    lw_vec_release(r->mem, &r->uses);
    lw_vec_release(r->mem, &r->chains);
    lw_vec_release(r->mem, &r->defs);
    lw_vec_release(r->mem, &r->params);
    lw_vec_release(r->mem, &r->strings);
    lw_vec_release(r->mem, &r->imports);
    lw_vec_release(r->mem, &r->aliases);
    lw_vec_release(r->mem, &r->places);
    lw_units_release(&r->units);
    lw_names_release(&r->names);
    lw_tree_release(&r->tree);
    lw_map_release(&r->texts);
    lw_arena_release(&r->kept);
    lw_words_release(&r->words);
}

void lw_chunk_reader_clear(struct lw_chunk_reader *r)
{
    const struct lw_stopwords *stop = r->words.stop;
    lw_words_release(&r->words);
    lw_words_init(&r->words, r->mem, stop);
    lw_map_clear(&r->texts);
    lw_arena_release(&r->kept);
    r->places.n = 0;
    r->stamp = 0;
}

static void note(struct lw_chunk_reader *r, int rc)
{
    if (rc < 0)
        r->rc = rc;
}

uint32_t lw_chunk_text(struct lw_chunk_reader *r, struct lw_str text)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&r->texts, text, &is_new);
    if (e && is_new) {
        e->key = lw_arena_copy(&r->kept, text);
        e->value = r->texts.n - 1;
    }
    if (!e || !e->key.p) {
        note(r, LW_ENOMEM);
        return UINT32_MAX;
    }
    return (uint32_t)e->value;
}

/* ---- Facts --------------------------------------------------------------------------------
 */

/* A copy of a draft; NULL for an empty one. */
static const void *keep(struct lw_chunk_reader *r, const void *v, size_t n, size_t size)
{
    void *copy = n ? lw_arena_array(&r->kept, n, size) : NULL;
    if (n && !copy)
        note(r, LW_ENOMEM);
    else if (n)
        memcpy(copy, v, n * size);
    return copy;
}

#define KEEP(r, list, draft)                                           \
    do {                                                               \
        (list).v = keep((r), (draft).v, (draft).n, sizeof *(draft).v); \
        (list).n = (draft).n;                                          \
    } while (0)

/* What was counted goes into the field. */
static void take(struct lw_chunk_reader *r, struct lw_facts *facts, enum lw_field field)
{
    uint64_t length;
    r->counts.n = 0;
    note(r, lw_words_take(&r->words, r->mem, &r->counts, &length));
    if (r->rc == 0)
        KEEP(r, facts->fields[field], r->counts);
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

/* Of Python, where a carriage return alone ends a line too. */
static uint32_t count_python_lines(struct lw_str text)
{
    uint32_t lines = count_lines(text);
    const char *p = text.p, *end = text.p + text.n;
    while (p < end && (p = memchr(p, '\r', (size_t)(end - p)))) {
        p++;
        lines += p < end && *p != '\n'; /* the last one is counted as what it ends */
    }
    return lines;
}

static void read_whole(struct lw_chunk_reader *r, struct lw_facts *facts, struct lw_str text)
{
    lw_words_scan(&r->words, text, &r->spots);
    for (size_t i = 0; i < r->spots.n; i++)
        r->spots.v[i].start += r->padding;
    r->counts.n = 0;
    note(r, lw_words_peek_idents(&r->words, r->mem, &r->counts));
    struct lw_use *uses = lw_arena_array(&r->kept, r->counts.n + 1, sizeof *uses);
    if (!uses)
        note(r, LW_ENOMEM);
    for (size_t i = 0; i < r->counts.n && r->rc == 0; i++)
        uses[i] = (struct lw_use){r->counts.v[i].term, r->counts.v[i].count};
    facts->idents.v = uses;
    facts->idents.n = r->counts.n;
    take(r, facts, LW_FIELD_TEXT);
}

static void add_string(struct lw_chunk_reader *r, struct lw_str text)
{
    if (text.n < LW_DOC_STRING_LEAST || r->rc < 0)
        return;
    uint32_t number = lw_chunk_text(r, lw_str_part(text, 0, LW_DOC_STRING_MOST));
    if (r->rc == 0)
        note(r, lw_vec_push(r->mem, &r->strings, number));
}

/* The place of a text; NULL when memory ran out. */
static struct lw_text_place *place_of(struct lw_chunk_reader *r, uint32_t text)
{
    size_t n = r->places.n, more = r->texts.n - n;
    if (text < n)
        return &r->places.v[text];
    if (lw_vec_reserve(r->mem, &r->places, more) < 0) {
        note(r, LW_ENOMEM);
        return NULL;
    }
    memset(r->places.v + n, 0, more * sizeof *r->places.v);
    r->places.n += more;
    return &r->places.v[text];
}

/* Counts a dotted name among the API names, each once. */
static void add_use(struct lw_chunk_reader *r, struct lw_str dotted)
{
    struct lw_use use = {lw_chunk_text(r, dotted), 1};
    struct lw_text_place *place = r->rc < 0 ? NULL : place_of(r, use.name);
    if (!place)
        return;
    if (place->use_of == r->stamp) {
        r->uses.v[place->use].count++;
        return;
    }
    place->use_of = r->stamp;
    place->use = (uint32_t)r->uses.n;
    note(r, lw_vec_push(r->mem, &r->uses, use));
}

/* The same among the names that the chunk does not bind. */
static void add_unbound(struct lw_chunk_reader *r, struct lw_str dotted)
{
    struct lw_use use = {lw_chunk_text(r, dotted), 1};
    struct lw_text_place *place = r->rc < 0 ? NULL : place_of(r, use.name);
    if (!place)
        return;
    if (place->chain_of == r->stamp) {
        r->chains.v[place->chain].count++;
        return;
    }
    place->chain_of = r->stamp;
    place->chain = (uint32_t)r->chains.n;
    note(r, lw_vec_push(r->mem, &r->chains, use));
}

static void count_defs(struct lw_chunk_reader *r, struct lw_facts *facts, enum lw_def_kind kind,
                       enum lw_field field)
{
    for (size_t i = 0; i < r->defs.n && r->rc == 0; i++)
        if (r->defs.v[i].kind == kind)
            lw_words_add_text(&r->words, r->texts.entries[r->defs.v[i].name].key);
    take(r, facts, field);
}

/* ---- Python ------------------------------------------------------------------------------ */

static uint32_t line_of(struct lw_chunk_reader *r, uint32_t offset)
{
    return lw_tree_position(&r->tree, offset).line - (r->padding > 0);
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

static void add_def(struct lw_chunk_reader *r, struct nesting *around, uint32_t node)
{
    const struct lw_tree *t = &r->tree;
    uint32_t start = lw_tree_start(t, node), end = lw_tree_end(t, node);
    struct lw_def def = {
        .kind = lw_tree_kind(t, node) == LW_NODE_CLASS ? LW_DEF_CLASS : LW_DEF_FUNCTION,
        .parent = around->n ? around->v[around->n - 1].def : UINT32_MAX,
        .first = line_of(r, start),
        .last = line_of(r, end > start ? end - 1 : end),
        .param = (uint32_t)r->params.n,
    };
    def.name = lw_chunk_text(r, lw_tree_name(t, node));
    if (around->n < MAX_NESTING)
        around->v[around->n++] =
            (struct open_def){(uint32_t)r->defs.n, node, lw_tree_node(t, node)->last};
    note(r, lw_vec_push(r->mem, &r->defs, def));
}

/* A parameter of the innermost definition itself, not of a lambda in its defaults. */
static void add_param(struct lw_chunk_reader *r, const struct nesting *around, uint32_t node)
{
    const struct lw_tree *t = &r->tree;
    uint32_t owner = lw_tree_node(t, lw_tree_node(t, node)->parent)->parent;
    if (!around->n || around->v[around->n - 1].node != owner)
        return;
    uint32_t name = lw_chunk_text(r, lw_tree_name(t, node));
    if (r->rc == 0)
        note(r, lw_vec_push(r->mem, &r->params, name));
    if (r->rc == 0)
        r->defs.v[around->v[around->n - 1].def].params++;
}

/* The tokens' texts without what stands between them: a part of the text where nothing does,
 * else made in `joined`. */
static struct lw_str join_tokens(struct lw_chunk_reader *r, uint32_t first, uint32_t end)
{
    enum { MOST = 1 << 16 };
    if (first >= end)
        return LW_S("");
    struct lw_str a = lw_tree_token_text(&r->tree, first), b;
    size_t n = 0;
    for (uint32_t i = first; i < end; i++)
        n += (b = lw_tree_token_text(&r->tree, i)).n;
    if (first + 1 == end || (b.p + b.n == a.p + n && n < MOST))
        return lw_str_n(a.p, n);
    lw_buf_clear(&r->joined);
    for (uint32_t i = first; i < end; i++)
        lw_buf_add(&r->joined, lw_tree_token_text(&r->tree, i));
    if (r->joined.failed == LW_ENOMEM)
        note(r, LW_ENOMEM);
    return lw_buf_str(&r->joined);
}

/* What the import binds: `import a.b` binds a, to itself. */
static void add_alias(struct lw_chunk_reader *r, uint32_t node)
{
    struct lw_buf target;
    struct lw_str name = lw_tree_name(&r->tree, node);
    lw_buf_init(&target, r->mem, 1 << 16);
    lw_names_import_target(&r->tree, node, &target);
    struct lw_alias alias = {lw_chunk_text(r, name), lw_chunk_text(r, lw_buf_str(&target))};
    if (target.failed == LW_ENOMEM)
        note(r, LW_ENOMEM);
    if (r->rc == 0 && name.n)
        note(r, lw_vec_push(r->mem, &r->aliases, alias));
    lw_buf_release(&target);
}

static void add_import(struct lw_chunk_reader *r, uint32_t node)
{
    const struct lw_tree *t = &r->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    struct lw_import import = {.line = line_of(r, lw_tree_start(t, node))};
    if (n->flags & LW_NODE_EMPTY)
        return;
    uint32_t dotted = lw_chunk_text(r, join_tokens(r, n->first, lw_tree_alias_end(t, node)));
    if (lw_tree_kind(t, n->parent) == LW_NODE_IMPORT_FROM) {
        uint32_t first, end;
        import.level = lw_tree_import_module(t, n->parent, &first, &end);
        import.module = lw_chunk_text(r, join_tokens(r, first, end));
        import.name = dotted;
    } else {
        import.module = dotted;
        import.name = lw_chunk_text(r, LW_S(""));
    }
    if (r->rc == 0)
        note(r, lw_vec_push(r->mem, &r->imports, import));
    add_alias(r, node);
}

/* Which identifier each token is, so that none is looked up twice. */
static void match_tokens(struct lw_chunk_reader *r)
{
    const struct lw_lexed *lx = &r->tree.lexed;
    size_t spot = 0;
    r->of_token.n = 0;
    if (lw_vec_reserve(r->mem, &r->of_token, lx->tokens.n) < 0) {
        note(r, LW_ENOMEM);
        return;
    }
    for (size_t i = 0; i < lx->tokens.n; i++) {
        uint32_t start = lx->tokens.v[i].start, ident = UINT32_MAX;
        while (spot < r->spots.n && r->spots.v[spot].start < start)
            spot++;
        if (spot < r->spots.n && r->spots.v[spot].start == start)
            ident = r->spots.v[spot].ident;
        r->of_token.v[r->of_token.n++] = ident;
    }
}

static void count_name(struct lw_chunk_reader *r, uint32_t node)
{
    uint32_t token = lw_tree_name_token(&r->tree, node);
    if (token == LW_NO_TOKEN)
        return;
    if (r->of_token.v[token] != UINT32_MAX)
        lw_words_add_number(&r->words, r->of_token.v[token]);
    else
        lw_words_add_text(&r->words, lw_tree_token_text(&r->tree, token));
}

/* A name that the chunk does not bind, with the attributes behind it. */
static void add_chain(struct lw_chunk_reader *r, uint32_t node)
{
    const struct lw_tree *t = &r->tree;
    uint32_t symbol = r->names.symbol_of.v[node], chain = node;
    if (symbol != LW_NO_SYMBOL && r->names.symbols.v[symbol].first_binding != LW_NO_SYMBOL)
        return;
    for (;;) {
        const struct lw_node *n = lw_tree_node(t, chain);
        if (lw_tree_kind(t, n->parent) != LW_NODE_ATTRIBUTE || n->role != LW_ROLE_VALUE)
            break;
        chain = n->parent;
    }
    uint32_t first = lw_tree_node(t, node)->first, last = lw_tree_node(t, chain)->last;
    add_unbound(r, join_tokens(r, first, last + 1));
}

/* Classes and functions are counted from `defs` afterwards, all other names here. */
static void read_node(struct lw_chunk_reader *r, struct nesting *around, uint32_t node)
{
    switch (lw_tree_kind(&r->tree, node)) {
    case LW_NODE_CLASS:
    case LW_NODE_FUNCTION: add_def(r, around, node); break;
    case LW_NODE_PARAM:
        add_param(r, around, node);
        count_name(r, node);
        break;
    case LW_NODE_NAME:
        count_name(r, node);
        add_chain(r, node);
        break;
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_KEYWORD: count_name(r, node); break;
    case LW_NODE_ALIAS: add_import(r, node); break;
    default: break;
    }
}

static void read_nodes(struct lw_chunk_reader *r, struct lw_facts *facts)
{
    const struct lw_tree *t = &r->tree;
    struct nesting around = {.n = 0};
    for (uint32_t n = t->root; r->rc == 0 && n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false)) {
        while (around.n && lw_tree_node(t, n)->first > around.v[around.n - 1].last)
            around.n--;
        read_node(r, &around, n);
    }
    take(r, facts, LW_FIELD_NAME);
}

/* The identifiers between two bytes of the text. */
static void count_range(struct lw_chunk_reader *r, uint32_t start, uint32_t end)
{
    const lw_spots *spots = &r->spots;
    size_t low = 0, high = spots->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (spots->v[mid].start < start)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < spots->n && spots->v[low].start < end; low++)
        lw_words_add_number(&r->words, spots->v[low].ident);
}

/* Comments and strings are parts of the text. */
static void count_units(struct lw_chunk_reader *r, struct lw_facts *facts, unsigned kinds,
                        enum lw_field field)
{
    const char *text = r->tree.lexed.text.p;
    for (size_t i = 0; i < r->units.units.n; i++) {
        const struct lw_unit *u = &r->units.units.v[i];
        if (!(kinds >> u->kind & 1) || !u->text.n)
            continue;
        uint32_t start = (uint32_t)(u->text.p - text);
        count_range(r, start, start + (uint32_t)u->text.n);
    }
    take(r, facts, field);
}

static void read_units(struct lw_chunk_reader *r, struct lw_facts *facts)
{
    for (size_t i = 0; i < r->units.units.n && r->rc == 0; i++) {
        const struct lw_unit *u = &r->units.units.v[i];
        if (u->kind == LW_UNIT_STRING)
            add_string(r, u->text);
        else if (u->kind == LW_UNIT_API)
            add_use(r, u->text);
    }
    count_units(r, facts, 1u << LW_UNIT_COMMENT | 1u << LW_UNIT_DOCSTRING, LW_FIELD_COMMENT);
    count_units(r, facts, 1u << LW_UNIT_STRING, LW_FIELD_STRING);
}

/* Methods are statements of something; what it is does not matter. */
static struct lw_str pad(struct lw_chunk_reader *r, struct lw_str text)
{
    static const char around[] = "if 1:\n";
    if (!text.n || (text.p[0] != ' ' && text.p[0] != '\t'))
        return text;
    lw_buf_clear(&r->padded);
    lw_buf_addz(&r->padded, around);
    lw_buf_add(&r->padded, text);
    note(r, r->padded.failed ? LW_ENOMEM : 0);
    r->padding = (uint32_t)strlen(around);
    return lw_buf_str(&r->padded);
}

static int read_python(struct lw_chunk_reader *r, struct lw_facts *facts, struct lw_str text,
                       struct lw_err *err)
{
    struct lw_str padded = pad(r, text);
    if (r->rc < 0)
        return lw_err_nomem(err);
    int rc = lw_tree_parse(&r->tree, padded, err);
    if (rc == 0)
        rc = lw_names_build(&r->names, &r->tree, err);
    if (rc == 0)
        rc = lw_units_build(&r->units, &r->names, err);
    if (rc < 0)
        return rc;
    (void)lw_tree_position(&r->tree, 0);
    if (!r->tree.lines.n) /* without the table of lines every line would be 1 */
        return lw_err_nomem(err);
    facts->flags |= r->tree.lexed.errors.n ? LW_DOC_BROKEN : 0;
    read_whole(r, facts, text);
    match_tokens(r);
    if (r->rc < 0)
        return lw_err_nomem(err);
    read_nodes(r, facts);
    read_units(r, facts);
    return r->rc < 0 ? lw_err_nomem(err) : 0;
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

static void add_scanned_def(struct lw_chunk_reader *r, struct nesting *around,
                            struct line_counter *lines, struct lw_str text,
                            const struct lw_scanned *s)
{
    while (around->n && s->start >= around->v[around->n - 1].last)
        around->n--;
    struct lw_def def = {
        .kind = s->kind == LW_SCAN_CLASS ? LW_DEF_CLASS : LW_DEF_FUNCTION,
        .parent = around->n ? around->v[around->n - 1].def : UINT32_MAX,
        .first = line_at(lines, text, s->start),
        .param = (uint32_t)r->params.n,
    };
    def.last = def.first + count_lines(lw_str_part(text, s->start, s->block_end - s->start));
    def.last -= def.last > def.first;
    def.name = lw_chunk_text(r, s->text);
    if (around->n < MAX_NESTING)
        around->v[around->n++] = (struct open_def){(uint32_t)r->defs.n, 0, s->block_end};
    note(r, lw_vec_push(r->mem, &r->defs, def));
}

static void add_scanned_import(struct lw_chunk_reader *r, struct line_counter *lines,
                               struct lw_str text, const struct lw_scanned *s)
{
    struct lw_import import = {.line = line_at(lines, text, s->start)};
    import.module = lw_chunk_text(r, s->text);
    import.name = lw_chunk_text(r, LW_S(""));
    note(r, lw_vec_push(r->mem, &r->imports, import));
    add_use(r, s->text);
}

static void scan_field(struct lw_chunk_reader *r, struct lw_facts *facts,
                       const struct lw_language *language, struct lw_str text,
                       enum lw_scan_kind kind, enum lw_field field)
{
    struct lw_scan scan;
    struct lw_scanned s;
    lw_scan_init(&scan, language, text);
    while ((s = lw_scan_next(&scan)).kind != LW_SCAN_END)
        if (s.kind == kind)
            lw_words_add_text(&r->words, s.text);
    take(r, facts, field);
}

/* One pass for the facts; then one for each field of text. */
static int read_scanned(struct lw_chunk_reader *r, struct lw_facts *facts,
                        const struct lw_language *language, struct lw_str text,
                        struct lw_err *err)
{
    struct nesting around = {.n = 0};
    struct line_counter lines = {0, 1};
    struct lw_scan scan;
    struct lw_scanned s;
    read_whole(r, facts, text);
    lw_scan_init(&scan, language, text);
    while (r->rc == 0 && (s = lw_scan_next(&scan)).kind != LW_SCAN_END) {
        if (s.kind == LW_SCAN_CLASS || s.kind == LW_SCAN_FUNCTION)
            add_scanned_def(r, &around, &lines, text, &s);
        else if (s.kind == LW_SCAN_IMPORT)
            add_scanned_import(r, &lines, text, &s);
        else if (s.kind == LW_SCAN_STRING)
            add_string(r, s.text);
    }
    scan_field(r, facts, language, text, LW_SCAN_NAME, LW_FIELD_NAME);
    scan_field(r, facts, language, text, LW_SCAN_COMMENT, LW_FIELD_COMMENT);
    scan_field(r, facts, language, text, LW_SCAN_STRING, LW_FIELD_STRING);
    return r->rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- All together ------------------------------------------------------------------------ */

static void start(struct lw_chunk_reader *r)
{
    r->uses.n = r->chains.n = r->defs.n = r->params.n = 0;
    r->strings.n = r->imports.n = r->aliases.n = 0;
    r->padding = 0;
    r->stamp++;
}

static void keep_drafts(struct lw_chunk_reader *r, struct lw_facts *facts)
{
    KEEP(r, facts->apis, r->uses);
    KEEP(r, facts->chains, r->chains);
    KEEP(r, facts->defs, r->defs);
    KEEP(r, facts->params, r->params);
    KEEP(r, facts->strings, r->strings);
    KEEP(r, facts->imports, r->imports);
    KEEP(r, facts->aliases, r->aliases);
}

int lw_chunk_read(struct lw_chunk_reader *r, const struct lw_language *language,
                  struct lw_str text, struct lw_facts *facts, struct lw_err *err)
{
    memset(facts, 0, sizeof *facts);
    start(r);
    facts->lines = language->is_python ? count_python_lines(text) : count_lines(text);
    int rc = language->is_python ? read_python(r, facts, text, err)
                                 : read_scanned(r, facts, language, text, err);
    if (rc < 0)
        return rc;
    count_defs(r, facts, LW_DEF_CLASS, LW_FIELD_CLASS);
    count_defs(r, facts, LW_DEF_FUNCTION, LW_FIELD_FUNCTION);
    keep_drafts(r, facts);
    return r->rc < 0 ? lw_err_nomem(err) : 0;
}
