#include "locate/tech_lacewing_kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* ---- Using ------------------------------------------------------------------------------- */

void lacewing_kept_use(struct lacewing_kept *k, const struct lw_view *view)
{
    size_t n;
    k->keys.ends = lw_view_own(view, KEPT_KEY_ENDS, sizeof *k->keys.ends, &k->keys.n);
    k->keys.text = lw_view_own(view, KEPT_KEY_TEXT, 1, &n);
    k->keys.values = lw_view_own(view, KEPT_KEY_VALUES, sizeof *k->keys.values, &n);
    k->keys.entries = lw_view_own(view, KEPT_ENTRIES, sizeof *k->keys.entries, &n);
    k->module_ends = lw_view_own(view, KEPT_MODULE_ENDS, sizeof *k->module_ends, &n);
    k->module_text = lw_view_own(view, KEPT_MODULE_TEXT, 1, &n);
    k->def_start = lw_view_own(view, KEPT_DEF_START, sizeof *k->def_start, &n);
    k->defs = lw_view_own(view, KEPT_DEFS, sizeof *k->defs, &n);
    k->shape = lw_view_own(view, KEPT_SHAPE, sizeof *k->shape, &n);
    struct lacewing_extra *x = &k->extra;
    x->import_start = lw_view_own(view, KEPT_IMPORT_START, sizeof *x->import_start, &n);
    x->imports = lw_view_own(view, KEPT_IMPORTS, sizeof *x->imports, &n);
    x->folder = lw_view_own(view, KEPT_FOLDERS, sizeof *x->folder, &n);
    x->base = lw_view_own(view, KEPT_BASES, sizeof *x->base, &n);
    struct lacewing_paths *p = &k->paths;
    p->words = lw_view_own(view, KEPT_PATH_WORDS, sizeof *p->words, &p->word_count);
    p->text = lw_view_own(view, KEPT_PATH_WORD_TEXT, 1, &n);
    p->start = lw_view_own(view, KEPT_PATH_START, sizeof *p->start, &n);
    p->counts = lw_view_own(view, KEPT_PATH_COUNTS, sizeof *p->counts, &n);
    k->pieces = lw_view_own(view, KEPT_PIECES, sizeof *k->pieces, &k->piece_count);
}

static int compare(struct lw_str key, char table, struct lw_str text)
{
    if (key.p[0] != table)
        return key.p[0] < table ? -1 : 1;
    return lw_str_cmp(lw_str_from(key, 1), text);
}

uint32_t lacewing_keys_find(const struct lacewing_keys *k, char table, struct lw_str text,
                            uint32_t otherwise)
{
    size_t low = 0, high = k->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        uint32_t start = mid ? k->ends[mid - 1] : 0;
        int order = compare(lw_str_n(k->text + start, k->ends[mid] - start), table, text);
        if (order == 0)
            return k->values[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return otherwise;
}

/* ---- Keys -------------------------------------------------------------------------------- */

struct key {
    char table;
    struct lw_str text;
    uint32_t value;
};

struct making {
    const struct lw_view_source *source;
    struct lw_container_writer *w;
    struct lacewing_work work;
    struct lw_case c;
    struct key *keys;
    size_t key_count;
    struct lacewing_entry *entries;
    size_t entry_count;
};

static void *array(struct making *m, size_t n, size_t size)
{
    return lw_arena_array(m->source->arena, n + 1, size);
}

static void add_map(struct making *m, char table, const struct lw_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        m->keys[m->key_count++] =
            (struct key){table, map->entries[i].key, (uint32_t)map->entries[i].value};
}

/* Entries of several tables lie behind each other. */
static void add_multi(struct making *m, const struct lacewing_multi *multi)
{
    uint32_t base = (uint32_t)m->entry_count;
    size_t first = m->key_count;
    add_map(m, multi->table, &multi->map);
    for (size_t i = first; i < m->key_count; i++)
        m->keys[i].value += base;
    for (size_t i = 0; i < multi->entries.n; i++) {
        struct lacewing_entry e = multi->entries.v[i];
        e.next += e.next ? base : 0;
        m->entries[m->entry_count++] = e;
    }
}

static int by_text(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return lw_str_cmp(x->text, y->text);
}

static int lay_keys(struct making *m)
{
    uint32_t *ends = array(m, m->key_count, sizeof *ends);
    uint32_t *values = array(m, m->key_count, sizeof *values);
    struct lw_buf text;
    if (!ends || !values)
        return LW_ENOMEM;
    qsort(m->keys, m->key_count, sizeof *m->keys, by_text);
    lw_buf_init(&text, m->source->mem, 0);
    for (size_t i = 0; i < m->key_count; i++) {
        lw_buf_add_char(&text, m->keys[i].table);
        lw_buf_add(&text, m->keys[i].text);
        ends[i] = (uint32_t)text.n;
        values[i] = m->keys[i].value;
    }
    lw_container_add(m->w, ends, m->key_count * sizeof *ends);
    lw_container_add(m->w, text.p, text.n);
    lw_container_add(m->w, values, m->key_count * sizeof *values);
    lw_container_add(m->w, m->entries, m->entry_count * sizeof *m->entries);
    int rc = text.failed ? LW_ENOMEM : 0;
    lw_buf_release(&text);
    return rc;
}

static int keep_keys(struct making *m)
{
    const struct lacewing_tree *t = &m->work.tree;
    const struct lacewing_multi *multis[] = {&t->bases, &t->endings, &t->rooted};
    size_t keys = t->modules.n + t->packages.n, entries = 0;
    for (size_t i = 0; i < 3; i++) {
        keys += multis[i]->map.n;
        entries += multis[i]->entries.n;
    }
    m->keys = array(m, keys, sizeof *m->keys);
    m->entries = array(m, entries, sizeof *m->entries);
    if (!m->keys || !m->entries)
        return LW_ENOMEM;
    for (size_t i = 0; i < 3; i++)
        add_multi(m, multis[i]);
    add_map(m, TABLE_MODULES, &t->modules);
    add_map(m, TABLE_PACKAGES, &t->packages);
    return lay_keys(m);
}

static int keep_modules(struct making *m)
{
    const struct lacewing_tree *t = &m->work.tree;
    uint32_t *ends = array(m, t->files->n, sizeof *ends);
    struct lw_buf text;
    if (!ends)
        return LW_ENOMEM;
    lw_buf_init(&text, m->source->mem, 0);
    for (size_t i = 0; i < t->files->n; i++) {
        lw_buf_add(&text, t->module[i]);
        ends[i] = (uint32_t)text.n;
    }
    lw_container_add(m->w, ends, t->files->n * sizeof *ends);
    lw_container_add(m->w, text.p, text.n);
    int rc = text.failed ? LW_ENOMEM : 0;
    lw_buf_release(&text);
    return rc;
}

/* ---- Definitions ------------------------------------------------------------------------- */

/* Counts the definitions of each name behind it, or puts them at their places. */
static void each_definition(const struct lw_files *files, uint32_t *start,
                            struct lacewing_kept_def *out)
{
    for (uint32_t i = 0; i < files->n; i++) {
        struct lw_defs_view defs = lw_doc_defs(files->v[i].doc);
        for (uint32_t k = 0; k < defs.n; k++) {
            const struct lw_def *d = &defs.v[k];
            struct lacewing_kept_def def = {i, k, lacewing_kind_of(&defs, d)};
            if (out)
                out[start[d->name + 1]++] = def;
            else
                start[d->name + 2]++;
            def.kind = KIND_PARAMETER;
            for (uint32_t p = d->param; p < d->param + d->params; p++) {
                if (out)
                    out[start[defs.params[p] + 1]++] = def;
                else
                    start[defs.params[p] + 2]++;
            }
        }
    }
}

static int keep_definitions(struct making *m)
{
    size_t names = m->source->segment->name_count;
    uint32_t *start = array(m, names + 2, sizeof *start);
    if (!start)
        return LW_ENOMEM;
    each_definition(m->source->files, start, NULL);
    for (size_t i = 2; i < names + 2; i++)
        start[i] += start[i - 1];
    size_t total = start[names + 1];
    struct lacewing_kept_def *defs = array(m, total, sizeof *defs);
    if (!defs)
        return LW_ENOMEM;
    each_definition(m->source->files, start, defs);
    lw_container_add(m->w, start, (names + 1) * sizeof *start);
    lw_container_add(m->w, defs, total * sizeof *defs);
    return 0;
}

/* ---- Shape, imports ---------------------------------------------------------------------- */

static int keep_shape(struct making *m)
{
    size_t n = m->source->files->n;
    double *shape = array(m, n * SHAPE_COLUMNS, sizeof *shape);
    if (!shape)
        return LW_ENOMEM;
    for (size_t k = 0; k < SHAPE_COLUMNS; k++)
        m->work.col[SHAPE_FIRST + k] = shape + k * n;
    (void)lacewing_describe_shape(&m->work);
    lw_container_add(m->w, shape, n * SHAPE_COLUMNS * sizeof *shape);
    return 0;
}

static int keep_extra(struct making *m)
{
    struct lacewing_extra x = {0};
    size_t n = m->source->files->n;
    if (lacewing_find_places(&m->work, m->source->arena, &x) < 0)
        return LW_ENOMEM;
    lw_container_add(m->w, x.import_start, (n + 1) * sizeof *x.import_start);
    lw_container_add(m->w, x.imports, x.import_start[n] * sizeof *x.imports);
    lw_container_add(m->w, x.folder, n * sizeof *x.folder);
    lw_container_add(m->w, x.base, n * sizeof *x.base);
    return 0;
}

/* ---- Paths ------------------------------------------------------------------------------- */

static int keep_paths(struct making *m)
{
    struct lacewing_paths p;
    const struct lw_view_source *s = m->source;
    if (lacewing_read_paths(s->mem, s->arena, s->stopwords, s->files, &p) < 0)
        return LW_ENOMEM;
    struct lacewing_path_word *words = array(m, p.word_count, sizeof *words);
    if (!words)
        return LW_ENOMEM;
    size_t bytes = 0;
    for (size_t i = 0; i < p.word_count; i++) {
        words[i] = p.words[i];
        words[i].term =
            lw_segment_find_term(s->segment, lw_str_n(p.text + words[i].start, words[i].n));
        bytes += words[i].n;
    }
    lw_container_add(m->w, words, p.word_count * sizeof *words);
    lw_container_add(m->w, p.text, bytes);
    lw_container_add(m->w, p.start, (2 * s->files->n + 1) * sizeof *p.start);
    lw_container_add(m->w, p.counts, p.start[2 * s->files->n] * sizeof *p.counts);
    return 0;
}

/* ---- Literals ---------------------------------------------------------------------------- */

typedef LW_VEC(struct lacewing_piece) pieces;

static int add_pieces(struct making *m, uint32_t file, struct lw_str literal, pieces *out)
{
    struct lw_str piece;
    while (lacewing_next_piece(&literal, &piece)) {
        struct lacewing_piece p = {file, (uint32_t)(piece.p - m->source->segment->name_text),
                                   (uint16_t)piece.n, lacewing_sieve_slot(piece.p)};
        if (lw_vec_push(m->source->mem, out, p) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int keep_pieces(struct making *m)
{
    pieces all = {0};
    int rc = 0;
    const struct lw_files *files = m->source->files;
    for (uint32_t i = 0; i < files->n && rc == 0; i++) {
        struct lw_names_view strings = lw_doc_strings(files->v[i].doc);
        for (size_t k = 0; k < strings.n && rc == 0; k++)
            rc = add_pieces(m, i, lw_doc_name(files->v[i].doc, strings.v[k]), &all);
    }
    lw_container_add(m->w, all.v, all.n * sizeof *all.v);
    lw_vec_release(m->source->mem, &all);
    return rc;
}

/* ---- All of it --------------------------------------------------------------------------- */

static int keep_all(struct making *m)
{
    int (*const steps[])(struct making *) = {keep_keys,  keep_modules, keep_definitions,
                                             keep_shape, keep_extra,   keep_paths,
                                             keep_pieces};
    int rc = lacewing_tree_fill(&m->work.tree);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && rc == 0; i++)
        rc = steps[i](m);
    return rc;
}

int lacewing_keep(const struct lw_view_source *source, struct lw_container_writer *w)
{
    struct making m = {.source = source, .w = w};
    m.c = (struct lw_case){.mem = source->mem, .arena = source->arena};
    m.work = (struct lacewing_work){.c = &m.c, .files = source->files};
    lacewing_tree_init(&m.work.tree, source->mem, source->files, NULL);
    int rc = keep_all(&m);
    lacewing_tree_release(&m.work.tree);
    return rc;
}
