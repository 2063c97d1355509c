/*
 * What the report names, found in the tree: frames, links, file names, dotted names, imports of
 * quoted code, and the names of classes, functions, methods and parameters.
 */
#include "locate/tech_lacewing_kept.h"

#include <math.h>

#include "base/str.h"

enum { MATCHES = 8, FRAMES_MOST = 8 };

static void raise_to(double *column, uint32_t file, double value)
{
    if (value > column[file])
        column[file] = value;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* ---- Tracebacks -------------------------------------------------------------------------- */

struct frame_match {
    uint32_t files[MATCHES];
    size_t n;
    size_t number; /* of the frame in its traceback, from 1 */
};

static size_t component_count(struct lw_str path)
{
    size_t n = 0;
    struct lw_str part;
    while (lw_str_split(&path, path.n && lw_str_find_char(path, '/') < 0 ? '\\' : '/', &part))
        n += part.n > 0 && !lw_str_eq(part, LW_S("~")) && !lw_str_eq(part, LW_S("."));
    return n;
}

/* The path behind …/site-packages/, or an empty one. */
static struct lw_str installed_path(struct lw_str path)
{
    static const char *const folders[] = {"site-packages/", "dist-packages/",
                                          "site-packages\\"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        ptrdiff_t at = lw_str_find(path, lw_str(folders[i]));
        if (at >= 0)
            return lw_str_from(path, (size_t)at + strlen(folders[i]));
    }
    return (struct lw_str){0};
}

/* An installed file is ours when its package is; any other path must agree in its folder too,
 * unless it has none. */
static bool may_be_ours(const struct lacewing_work *w, struct lw_str path, uint32_t file,
                        size_t depth)
{
    struct lw_str inside = installed_path(path);
    if (inside.n) {
        size_t end = 0;
        while (end < inside.n && inside.p[end] != '/' && inside.p[end] != '\\')
            end++;
        size_t parts = component_count(inside);
        return lacewing_tree_is_package(&w->tree, lw_str_part(inside, 0, end)) &&
               depth >= (parts < 2 ? parts : 2);
    }
    bool at_top = lw_str_find_char(w->files->v[file].path, '/') < 0;
    return component_count(path) <= 1 || depth >= 2 || at_top;
}

static bool defines_function(const struct lacewing_work *w, uint32_t file, struct lw_str name)
{
    static const enum lacewing_kind kinds[] = {KIND_FUNCTION, KIND_METHOD};
    for (size_t k = 0; k < 2; k++)
        for (const struct lacewing_entry *e = NULL;
             (e = lacewing_tree_defined(&w->tree, kinds[k], name, e));)
            if (e->file == file)
                return true;
    return false;
}

/* Of several files of that name, those that define the frame's function. */
static void keep_defining(const struct lacewing_work *w, struct frame_match *m,
                          struct lw_str function)
{
    size_t kept = 0;
    uint32_t files[MATCHES];
    for (size_t i = 0; i < m->n; i++)
        if (defines_function(w, m->files[i], function))
            files[kept++] = m->files[i];
    if (kept) {
        memcpy(m->files, files, kept * sizeof *files);
        m->n = kept;
    }
}

static bool match_frame(const struct lacewing_work *w, const struct lw_fact *frame,
                        struct frame_match *m)
{
    size_t depth;
    m->n = lacewing_tree_match(&w->tree, frame->text, m->files, MATCHES, &depth);
    if (!m->n || m->n > MATCHES || !may_be_ours(w, frame->text, m->files[0], depth))
        return false;
    if (m->n > 1)
        keep_defining(w, m, frame->frame.function);
    return m->n <= 3;
}

static void use_frame(struct lacewing_work *w, const struct frame_match *m,
                      const struct lw_fact *frame, size_t from_end, size_t frames)
{
    double share = 1.0 / (double)m->n;
    for (size_t i = 0; i < m->n; i++) {
        uint32_t f = m->files[i];
        raise_to(w->col[COL_TRACE_DEEP], f, share / (double)from_end);
        raise_to(w->col[COL_TRACE_PLACE], f, share * (double)m->number / (double)frames);
        if (from_end == 1) {
            raise_to(w->col[COL_TRACE_LAST], f, share);
            raise_to(w->col[COL_TRACE_RAISED], f, m->number == frames ? share : 0);
        }
        w->col[COL_TRACE_COUNT][f] += share;
        if (defines_function(w, f, frame->frame.function))
            raise_to(w->col[COL_TRACE_FUNCTION], f, share / (double)from_end);
    }
}

static void use_trace(struct lacewing_work *w, const struct lw_fact *block)
{
    struct frame_match m;
    size_t ours = 0, seen = 0;
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next_in(w->report, block, LW_FACT_FRAME, f));)
        ours += match_frame(w, f, &m);
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next_in(w->report, block, LW_FACT_FRAME, f));) {
        seen++;
        if (!match_frame(w, f, &m))
            continue;
        m.number = seen;
        use_frame(w, &m, f, ours--, block->trace.frames);
    }
}

/* ---- Links and file names ---------------------------------------------------------------- */

static void use_link(struct lacewing_work *w, const struct lw_fact *link)
{
    uint32_t files[MATCHES];
    size_t depth, parts = component_count(link->link.path);
    if (!parts)
        return;
    size_t n = lacewing_tree_match(&w->tree, link->link.path, files, MATCHES, &depth);
    if (!n || n > 3 || depth < (parts < 2 ? parts : 2))
        return;
    for (size_t i = 0; i < n; i++) {
        raise_to(w->col[COL_LINK], files[i], (double)depth / (double)parts / (double)n);
        raise_to(w->col[COL_LINK_LINE], files[i], link->link.first_line > 0);
    }
}

static void use_file(struct lacewing_work *w, const struct lw_fact *f, enum lacewing_part part)
{
    uint32_t files[MATCHES];
    size_t depth, n = lacewing_tree_match(&w->tree, f->text, files, MATCHES, &depth);
    if (!n || n > 6)
        return;
    for (size_t i = 0; i < n; i++) {
        raise_to(w->col[COL_FILE_SUMMARY + part], files[i], 1.0 / (double)n);
        if (depth >= 2 && part <= PART_PROSE)
            raise_to(w->col[COL_FILE_FOLDER], files[i], 1.0 / (double)n);
    }
}

/* ---- Dotted names ------------------------------------------------------------------------ */

/* "Class.method" anywhere in the dotted name. */
static void use_methods(struct lacewing_work *w, struct lw_str dotted, double *column)
{
    struct lw_str part, before = {0};
    while (lw_str_split(&dotted, '.', &part)) {
        size_t n = 0;
        uint32_t found[MATCHES];
        for (const struct lacewing_entry *e = NULL;
             before.n && (e = lacewing_tree_defined(&w->tree, KIND_METHOD, part, e));) {
            struct lw_doc doc = w->files->v[e->file].doc;
            struct lw_defs_view defs = lw_doc_defs(doc);
            const struct lw_def *owner = &defs.v[defs.v[e->item].parent];
            if (lw_str_eq(lw_doc_name(doc, owner->name), before)) {
                if (n < MATCHES)
                    found[n] = e->file;
                n++;
            }
        }
        for (size_t i = 0; i < n && n <= MATCHES; i++)
            raise_to(column, found[i], 1.0 / (double)n);
        before = part;
    }
}

/* The name without its last part. */
static struct lw_str shorter(struct lw_str dotted)
{
    ptrdiff_t dot = lw_str_find_last_char(dotted, '.');
    dotted.n = dot < 0 ? 0 : (size_t)dot;
    return dotted;
}

/* The longest front of the name that is a module, and what the module calls the rest. Fronts
 * that are too long for any module are not looked up: a name may go on for as long as the
 * report. */
static void use_dotted(struct lacewing_work *w, struct lw_str dotted, enum lacewing_part part)
{
    double *column = w->col[COL_DOTTED_SUMMARY + part];
    struct lw_str front = dotted;
    while (front.n > w->longest_path)
        front = shorter(front);
    for (; front.n; front = shorter(front)) {
        uint32_t file = lacewing_tree_module(&w->tree, front);
        if (file != UINT32_MAX) {
            struct lw_str rest = lw_str_from(dotted, front.n + (front.n < dotted.n)), name;
            uint32_t target = lw_str_split(&rest, '.', &name)
                                  ? lacewing_tree_export(&w->tree, file, name)
                                  : UINT32_MAX;
            if (target != UINT32_MAX)
                raise_to(column, target, 1);
            else if (lw_str_find_char(front, '.') >= 0)
                raise_to(w->col[COL_DOTTED_MODULE], file, 1);
            break;
        }
    }
    use_methods(w, dotted, column);
}

/* ---- Imports of quoted code -------------------------------------------------------------- */

static struct lw_str next_word(struct lw_str *s)
{
    size_t i = 0;
    while (i < s->n && !is_word(s->p[i]) && s->p[i] != '*' && s->p[i] != '.')
        i++;
    size_t start = i;
    while (i < s->n && (is_word(s->p[i]) || s->p[i] == '*' || s->p[i] == '.'))
        i++;
    struct lw_str word = lw_str_part(*s, start, i - start);
    *s = lw_str_from(*s, i);
    return word;
}

/* from MODULE import A, B as C */
static void use_import_line(struct lacewing_work *w, struct lw_str line)
{
    struct lw_str rest = line;
    struct lw_str first = next_word(&rest), module = next_word(&rest), word = next_word(&rest);
    if (!lw_str_eq(first, LW_S("from")) || !lw_str_eq(word, LW_S("import")))
        return;
    ptrdiff_t dot = lw_str_find_char(module, '.');
    struct lw_str top = lw_str_part(module, 0, dot < 0 ? module.n : (size_t)dot);
    uint32_t file = lacewing_tree_module(&w->tree, module);
    if (file == UINT32_MAX || !lacewing_tree_is_package(&w->tree, top))
        return;
    raise_to(w->col[COL_IMPORTED_MODULE], file, 1);
    while ((word = next_word(&rest)).n) {
        if (lw_str_eq(word, LW_S("as"))) {
            (void)next_word(&rest);
            continue;
        }
        uint32_t target = lacewing_tree_export(&w->tree, file, word);
        if (target != UINT32_MAX)
            raise_to(w->col[COL_IMPORTED], target, 1);
    }
}

/* ---- Names of definitions ---------------------------------------------------------------- */

enum { SEEN_CALLED = 1, SEEN_ASSIGNED = 2 };

/* Every identifier of the part once, with how it was seen. */
static int collect_words(struct lw_str text, struct lw_map *words)
{
    for (size_t i = 0; i < text.n;) {
        if (!is_word(text.p[i])) {
            i++;
            continue;
        }
        size_t start = i;
        while (i < text.n && is_word(text.p[i]))
            i++;
        if (i - start < 3 || (text.p[start] >= '0' && text.p[start] <= '9'))
            continue;
        struct lw_map_entry *e = lw_map_put(words, lw_str_part(text, start, i - start), NULL);
        if (!e)
            return LW_ENOMEM;
        size_t k = i;
        while (k < text.n && text.p[k] == ' ')
            k++;
        bool called = (k < text.n && text.p[k] == '(') || (start && text.p[start - 1] == '.');
        bool assigned = k + 1 < text.n && text.p[k] == '=' && text.p[k + 1] != '=';
        e->value |= (called ? SEEN_CALLED : 0u) | (assigned ? SEEN_ASSIGNED : 0u);
    }
    return 0;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* snake_case or CamelCase: no ordinary word. */
static bool is_odd(struct lw_str s)
{
    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i] == '_' && i + 1 < s.n && s.p[i - 1] != '_' && s.p[i + 1] != '_')
            return true;
        if (is_upper(s.p[i]) && is_lower(s.p[i - 1]))
            return true;
        if (is_lower(s.p[i]) && i > 1 && is_upper(s.p[i - 1]) && is_upper(s.p[i - 2]))
            return true;
    }
    return false;
}

/* Each file that defines the name gets a share of 1. */
static void share_out(const struct lacewing_tree *t, enum lacewing_kind kind,
                      struct lw_str name, double weight, double *sum, double *best)
{
    size_t n = lacewing_tree_definers(t, kind, name);
    uint32_t last = UINT32_MAX;
    for (const struct lacewing_entry *e = NULL;
         (e = lacewing_tree_defined(t, kind, name, e));) {
        if (e->file == last)
            continue;
        last = e->file;
        sum[e->file] += weight / (double)n;
        if (best)
            raise_to(best, e->file, weight / (double)n);
    }
}

static void use_name(struct lacewing_work *w, struct lw_str name, bool called,
                     enum lacewing_part part)
{
    bool odd = is_odd(name);
    if (odd || is_upper(name.p[0]))
        share_out(&w->tree, KIND_CLASS, name, odd ? 1 : 0.5, w->col[COL_CLASS_SUMMARY + part],
                  w->col[COL_CLASS_BEST_SUMMARY + part]);
    if (!odd && !called)
        return;
    share_out(&w->tree, KIND_FUNCTION, name, 1, w->col[COL_FUNCTION_SUMMARY + part], NULL);
    if (!lw_str_has_prefix(name, LW_S("__")))
        share_out(&w->tree, KIND_METHOD, name, 1, w->col[COL_METHOD_SUMMARY + part],
                  w->col[COL_METHOD_BEST_SUMMARY + part]);
}

/* The files that have each of the names, wherever in them. */
struct holders {
    uint32_t *start; /* by number of the name asked for: its first in `files` */
    uint32_t *files;
};

/* The names that holders are wanted for, by number. */
static bool *wanted_names(struct lacewing_work *w, const struct lw_map *words)
{
    const struct lw_map *names = &w->tree.defs.names;
    bool *wanted = lw_arena_array(w->c->arena, names->n + 1, sizeof *wanted);
    for (size_t part = 0; part < PARTS && wanted; part++)
        for (size_t i = 0; i < words[part].n; i++) {
            const struct lw_map_entry *e = lw_map_find(names, words[part].entries[i].key);
            if (e && is_odd(e->key))
                wanted[e - names->entries] = true;
        }
    return wanted;
}

/* From the lists of a view. */
static void each_kept_holder(struct lacewing_work *w, const bool *wanted, struct holders *h)
{
    const struct lw_map *names = &w->tree.defs.names;
    for (size_t i = 0; i < names->n; i++) {
        uint32_t name = wanted[i] ? lw_doc_find_name(w->files->v[0].doc, names->entries[i].key)
                                  : LW_NO_TERM;
        if (name == LW_NO_TERM)
            continue;
        struct lw_names_view files = lw_view_holders(w->c->snapshot->view, name);
        for (size_t k = 0; k < files.n; k++) {
            if (h->files)
                h->files[h->start[i + 1]++] = files.v[k];
            else
                h->start[i + 2]++;
        }
    }
}

/* Counts the holders of each name behind it, or puts them at their places. */
static int each_holder(struct lacewing_work *w, const bool *wanted, struct holders *h)
{
    if (w->kept) {
        each_kept_holder(w, wanted, h);
        return 0;
    }
    for (uint32_t i = 0; i < w->files->n; i++) {
        struct lw_doc doc = w->files->v[i].doc;
        struct lw_uses_view idents = lw_doc_idents(doc);
        const uint32_t *marks = idents.n ? lacewing_tree_marks(&w->tree, doc) : NULL;
        if (idents.n && !marks)
            return LW_ENOMEM;
        for (size_t k = 0; k < idents.n; k++) {
            uint32_t mark = marks[idents.v[k].name];
            if (!mark || !wanted[mark - 1])
                continue;
            if (h->files)
                h->files[h->start[mark]++] = i;
            else
                h->start[mark + 1]++;
        }
    }
    return 0;
}

static int find_holders(struct lacewing_work *w, const struct lw_map *words, struct holders *h)
{
    size_t n = w->tree.defs.names.n;
    bool *wanted = wanted_names(w, words);
    *h = (struct holders){.start = lw_arena_array(w->c->arena, n + 2, sizeof *h->start)};
    if (!wanted || !h->start || each_holder(w, wanted, h) < 0)
        return LW_ENOMEM;
    for (size_t i = 1; i < n + 2; i++)
        h->start[i] += h->start[i - 1];
    h->files = lw_arena_array(w->c->arena, h->start[n + 1] + 1, sizeof *h->files);
    return h->files ? each_holder(w, wanted, h) : LW_ENOMEM;
}

/* Identifiers that stand in few files. */
static void use_rare(struct lacewing_work *w, struct lw_str name, const struct holders *h,
                     double *column)
{
    const struct lw_map *names = &w->tree.defs.names;
    const struct lw_map_entry *e = lw_map_find(names, name);
    if (!e)
        return;
    uint32_t first = h->start[e - names->entries], end = h->start[e - names->entries + 1];
    double idf = end > first ? log((double)w->files->n / (double)(end - first)) : 0;
    for (uint32_t i = first; i < end; i++)
        column[h->files[i]] += idf;
}

static void use_parameter(struct lacewing_work *w, struct lw_str name)
{
    if (lw_str_find_char(name, '_') > 0)
        share_out(&w->tree, KIND_PARAMETER, name, 1, w->col[COL_PARAMETER], NULL);
}

static void use_words(struct lacewing_work *w, enum lacewing_part part,
                      const struct lw_map *words, const struct holders *holders)
{
    for (size_t i = 0; i < words->n; i++) {
        struct lw_str name = words->entries[i].key;
        use_name(w, name, words->entries[i].value & SEEN_CALLED, part);
        if (is_odd(name))
            use_rare(w, name, holders, w->col[COL_RARE_SUMMARY + part]);
        if (part <= PART_PROSE ||
            (part == PART_CODE && (words->entries[i].value & SEEN_ASSIGNED)))
            use_parameter(w, name);
    }
}

static int use_all_words(struct lacewing_work *w)
{
    struct lw_map words[PARTS];
    struct holders holders;
    int rc = 0;
    for (int part = 0; part < PARTS; part++)
        lw_map_init(&words[part], w->c->mem);
    for (int part = 0; part < PARTS && rc == 0; part++)
        rc = collect_words(w->part[part], &words[part]);
    if (rc == 0)
        rc = find_holders(w, words, &holders);
    for (int part = 0; part < PARTS; part++) {
        if (rc == 0)
            use_words(w, (enum lacewing_part)part, &words[part], &holders);
        lw_map_release(&words[part]);
    }
    return rc;
}

/* ---- All of it --------------------------------------------------------------------------- */

static void use_block(struct lacewing_work *w, const struct lw_fact *block)
{
    enum lacewing_part part = lacewing_part_of(block);
    if (block->kind == LW_FACT_TRACE)
        use_trace(w, block);
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next_in(w->report, block, LW_FACT_LINK, f));)
        use_link(w, f);
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next_in(w->report, block, LW_FACT_FILE, f));)
        use_file(w, f, part);
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next_in(w->report, block, LW_FACT_MODULE, f));)
        use_dotted(w, f->text, part);
    struct lw_str rest = block->text, line;
    while (block->kind == LW_FACT_CODE && lw_str_line(&rest, &line))
        use_import_line(w, line);
}

static void dampen(double *column, size_t n)
{
    for (size_t i = 0; i < n; i++)
        column[i] = log1p(column[i]);
}

int lacewing_describe_mentions(struct lacewing_work *w)
{
    for (size_t i = 0; i < w->files->n; i++)
        if (w->files->v[i].path.n > w->longest_path)
            w->longest_path = w->files->v[i].path.n;
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(w->report, b));)
        use_block(w, b);
    int rc = use_all_words(w);
    for (int part = 0; part < PARTS; part++) {
        dampen(w->col[COL_CLASS_SUMMARY + part], w->files->n);
        dampen(w->col[COL_FUNCTION_SUMMARY + part], w->files->n);
        dampen(w->col[COL_METHOD_SUMMARY + part], w->files->n);
    }
    for (size_t i = 0; i < w->files->n; i++) /* endless recursion is no stronger a hint */
        if (w->col[COL_TRACE_COUNT][i] > FRAMES_MOST)
            w->col[COL_TRACE_COUNT][i] = FRAMES_MOST;
    dampen(w->col[COL_TRACE_COUNT], w->files->n);
    return rc;
}
