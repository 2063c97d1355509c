/*
 * What happened before: similar reports that were fixed, changes and fixes of the files, and
 * what changes together. Nothing newer than the report is visible here (history.h, case.h).
 */
#include "locate/tech_lacewing_kept.h"

#include <math.h>

#include "base/str.h"

enum { COMMIT_FILES = 40, TOGETHER_FILES = 20 };
static const double day = 86400;

/* ---- Similar reports --------------------------------------------------------------------- */

static int score_similar(struct lacewing_work *w)
{
    const struct lw_case *c = w->c;
    double *cosines = lw_arena_array(c->arena, c->earlier_count + 1, sizeof *cosines);
    struct lw_err err = {0};
    if (!cosines || lw_similar_reports(c, cosines, &err) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < c->earlier_count; i++) {
        const struct lw_fixed *e = &c->earlier[i];
        double files = e->file_count ? (double)e->file_count : 1;
        for (size_t k = 0; k < e->file_count; k++) {
            size_t f = lw_files_find(w->files, e->files[k]);
            if (f == SIZE_MAX)
                continue;
            w->col[COL_SIMILAR][f] += cosines[i] / files;
            w->col[COL_REPORTED][f] += 1 / files;
            double best = cosines[i] / sqrt(files);
            if (best > w->col[COL_SIMILAR_BEST][f])
                w->col[COL_SIMILAR_BEST][f] = best;
        }
    }
    for (size_t i = 0; i < w->files->n; i++)
        w->col[COL_REPORTED][i] = log1p(w->col[COL_REPORTED][i]);
    return 0;
}

/* ---- History ----------------------------------------------------------------------------- */

static bool counts(const struct lw_past_commit *commit)
{
    return !commit->is_merge && commit->changed <= COMMIT_FILES && commit->file_count > 0;
}

/* The moment the report came in; the newest commit where that is not known. */
static int64_t now_of(const struct lw_case *c)
{
    if (c->ticket->open_date != INT64_MAX)
        return c->ticket->open_date;
    return c->past->n ? c->past->v[0].date : 0;
}

static void use_commit(struct lacewing_work *w, const struct lw_past_commit *commit,
                       double overlap)
{
    double age = (double)(now_of(w->c) - commit->date) / day;
    age = age > 0 ? age : 0;
    double last = exp(-age / 60), recent = exp(-age / 90);
    double said = overlap / sqrt((double)commit->changed);
    for (uint32_t k = 0; k < commit->file_count; k++) {
        uint32_t f = commit->files[k];
        w->col[COL_CHANGES][f] += 1;
        w->col[COL_RECENT_CHANGES][f] += recent;
        if (last > w->col[COL_LAST_CHANGE][f])
            w->col[COL_LAST_CHANGE][f] = last;
        if (commit->is_fix) {
            w->col[COL_FIXES][f] += 1;
            w->col[COL_RECENT_FIXES][f] += recent;
        }
        w->col[COL_MESSAGES][f] += said;
    }
}

/* A term of the report among the first lines of messages. */
struct asked {
    uint32_t df; /* commits whose first line has it */
    double weight;
};

/* By vocabulary and word: which of the terms asked for it is, plus 1; 0: none. */
static uint32_t **mark_words(const struct lacewing_work *w)
{
    const struct lw_past *past = w->c->past;
    const struct lw_bag *terms = &w->c->ticket->terms;
    uint32_t **marks = lw_arena_array(w->c->arena, past->vocabulary_count + 1, sizeof *marks);
    for (size_t k = 0; k < past->vocabulary_count && marks; k++) {
        const struct lw_vocabulary *v = &past->vocabularies[k];
        marks[k] = lw_arena_array(w->c->arena, v->n + 1, sizeof **marks);
        if (!marks[k])
            return NULL;
        for (uint32_t i = 0; i < terms->n; i++) {
            uint32_t term = terms->v[i].term;
            uint32_t word = term < w->c->snapshot->terms
                                ? lw_vocabulary_find(v, lw_index_term(w->c->index, term))
                                : UINT32_MAX;
            if (word != UINT32_MAX)
                marks[k][word] = i + 1;
        }
    }
    return marks;
}

/* How much the first line of each commit's message has in common with the report, in rare
 * words. */
static int score_messages(struct lacewing_work *w, double *overlap)
{
    const struct lw_past *past = w->c->past;
    size_t visible = 0;
    uint32_t **marks = mark_words(w);
    struct asked *asked = lw_arena_array(w->c->arena, w->c->ticket->terms.n + 1, sizeof *asked);
    if (!marks || !asked)
        return LW_ENOMEM;
    for (size_t i = 0; i < past->n; i++) {
        const struct lw_past_commit *c = &past->v[i];
        if (!counts(c))
            continue;
        visible++;
        for (uint32_t k = 0; k < c->word_count; k++)
            asked[marks[c->vocabulary][c->words[k]]].df++;
    }
    for (size_t i = 1; i <= w->c->ticket->terms.n; i++)
        asked[i].weight = asked[i].df ? log((double)visible / asked[i].df) : 0;
    for (size_t i = 0; i < past->n; i++) {
        const struct lw_past_commit *c = &past->v[i];
        for (uint32_t k = 0; k < c->word_count && counts(c); k++) {
            uint32_t mark = marks[c->vocabulary][c->words[k]];
            overlap[i] += mark ? asked[mark].weight : 0;
        }
    }
    return 0;
}

/* ---- Commits and reports that are referred to ---------------------------------------------
 */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static void refer_commit(struct lacewing_work *w, const struct lw_past_commit *commit)
{
    for (uint32_t k = 0; k < commit->file_count; k++)
        w->col[COL_REFERRED][commit->files[k]] += 1 / sqrt((double)commit->changed);
}

/* "#123": the earlier report of that number. */
static void refer_report(struct lacewing_work *w, struct lw_str number)
{
    for (size_t i = 0; i < w->c->earlier_count; i++) {
        const struct lw_fixed *e = &w->c->earlier[i];
        for (size_t k = 0; k < e->file_count && lw_str_eq(e->ticket->id, number); k++) {
            size_t f = lw_files_find(w->files, e->files[k]);
            if (f != SIZE_MAX)
                w->col[COL_REFERRED][f] += 1 / sqrt((double)e->file_count);
        }
    }
}

/* The next "#123" of the text from `*at` on: its digits, empty ones too; false at the end. */
static bool next_number(struct lw_str text, size_t *at, struct lw_str *number)
{
    const char *mark = *at < text.n ? memchr(text.p + *at, '#', text.n - *at) : NULL;
    if (!mark)
        return false;
    size_t start = (size_t)(mark - text.p) + 1, end = start;
    while (end < text.n && text.p[end] >= '0' && text.p[end] <= '9')
        end++;
    *number = lw_str_part(text, start, end - start);
    *at = end;
    return true;
}

/* Commits whose messages name numbers of the report, once for each time the report does. */
static void refer_messages(struct lacewing_work *w, const struct lw_map *numbers)
{
    const struct lw_past *past = w->c->past;
    for (size_t i = 0; i < past->n && numbers->n; i++) {
        struct lw_str number;
        if (!counts(&past->v[i]))
            continue;
        struct lw_str message = lw_past_message(past, i);
        for (size_t at = 0; next_number(message, &at, &number);)
            for (uint64_t k = lw_map_get(numbers, number, 0); k > 0; k--)
                refer_commit(w, &past->v[i]);
    }
}

static int refer_numbers(struct lacewing_work *w)
{
    struct lw_str text = lw_report_text(w->report), number;
    struct lw_map numbers;
    int rc = 0;
    lw_map_init(&numbers, w->c->mem);
    for (size_t at = 0; next_number(text, &at, &number) && rc == 0;) {
        if (number.n < 2 || number.n > 14)
            continue;
        struct lw_map_entry *e = lw_map_put(&numbers, number, NULL);
        rc = e ? 0 : LW_ENOMEM;
        if (e)
            e->value++;
        refer_report(w, number);
    }
    if (rc == 0)
        refer_messages(w, &numbers);
    lw_map_release(&numbers);
    return rc;
}

static void refer_hash(struct lacewing_work *w, struct lw_str hash)
{
    for (size_t i = 0; i < w->c->past->n; i++) {
        char text[LW_GIT_ID_TEXT];
        (void)lw_git_id_print(&w->c->past->v[i].id, text);
        if (hash.n <= 40 && memcmp(text, hash.p, hash.n) == 0 && counts(&w->c->past->v[i]))
            refer_commit(w, &w->c->past->v[i]);
    }
}

static int find_references(struct lacewing_work *w)
{
    struct lw_str text = lw_report_text(w->report);
    for (size_t i = 0; i < text.n;) {
        size_t end = i;
        if (is_hex(text.p[i]) &&
            (i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == '/' || text.p[i - 1] == '\n')) {
            bool digit = false, letter = false;
            for (; end < text.n && is_hex(text.p[end]); end++) {
                digit |= text.p[end] <= '9';
                letter |= text.p[end] >= 'a';
            }
            if (end - i >= 7 && end - i <= 40 && digit && letter)
                refer_hash(w, lw_str_part(text, i, end - i));
        }
        i = end > i ? end : i + 1;
    }
    return refer_numbers(w);
}

int lacewing_describe_past(struct lacewing_work *w)
{
    static const int damped[] = {COL_CHANGES, COL_FIXES, COL_RECENT_CHANGES, COL_RECENT_FIXES,
                                 COL_MESSAGES};
    if (score_similar(w) < 0)
        return LW_ENOMEM;
    const struct lw_past *past = w->c->past;
    if (!past)
        return 0;
    double *overlap = lw_arena_array(w->c->arena, past->n + 1, sizeof *overlap);
    if (!overlap || score_messages(w, overlap) < 0)
        return LW_ENOMEM;
    if (find_references(w) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < past->n; i++)
        if (counts(&past->v[i]))
            use_commit(w, &past->v[i], overlap[i]);
    for (size_t k = 0; k < sizeof damped / sizeof *damped; k++)
        for (size_t i = 0; i < w->files->n; i++)
            w->col[damped[k]][i] = log1p(w->col[damped[k]][i]);
    return 0;
}

/* ---- What belongs together --------------------------------------------------------------- */

static bool is_small(const struct lw_past_commit *commit)
{
    return !commit->is_merge && commit->changed <= TOGETHER_FILES && commit->file_count > 0;
}

static int keep_commits(const struct lw_past *past, size_t n, struct lw_arena *arena,
                        struct lacewing_extra *x)
{
    size_t commits = 0, files = 0;
    for (size_t i = 0; past && i < past->n; i++)
        if (is_small(&past->v[i])) {
            commits++;
            files += past->v[i].file_count;
        }
    uint32_t *start = lw_arena_array(arena, commits + 1, sizeof *start);
    uint32_t *changed = lw_arena_array(arena, files + 1, sizeof *changed);
    uint32_t *touch_start = lw_arena_array(arena, n + 2, sizeof *touch_start);
    uint32_t *touches = lw_arena_array(arena, files + 1, sizeof *touches);
    if (!start || !changed || !touch_start || !touches)
        return LW_ENOMEM;
    uint32_t at = 0, number = 0;
    for (size_t i = 0; past && i < past->n; i++) {
        if (!is_small(&past->v[i]))
            continue;
        for (uint32_t k = 0; k < past->v[i].file_count; k++) {
            changed[at++] = past->v[i].files[k];
            touch_start[past->v[i].files[k] + 2]++;
        }
        start[++number] = at;
    }
    for (size_t f = 2; f < n + 2; f++)
        touch_start[f] += touch_start[f - 1];
    for (uint32_t i = 0; i < number; i++)
        for (uint32_t k = start[i]; k < start[i + 1]; k++)
            touches[touch_start[changed[k] + 1]++] = i;
    x->commit_start = start;
    x->commits = changed;
    x->touch_start = touch_start;
    x->touches = touches;
    return 0;
}

/* What decides where an import leads: its texts, as numbers of a segment, and for one with dots
 * the folder. */
struct import_key {
    const struct lw_segment *segment;
    uint32_t module, name, level, folder;
};

/* The file that an import reaches; files of a project import much the same. */
static int follow_import(struct lacewing_work *w, struct lw_map *known, uint32_t file,
                         uint32_t folder, const struct lw_import *import, uint32_t *target)
{
    bool is_new;
    struct import_key key = {w->files->v[file].doc.segment, import->module, import->name,
                             import->level, import->level ? folder : 0};
    struct lw_map_entry *e =
        lw_map_put(known, lw_str_n((const char *)&key, sizeof key), &is_new);
    if (e && is_new) {
        e->key = lw_arena_copy(w->c->arena, e->key);
        e->value = lacewing_tree_import(&w->tree, file, import);
    }
    if (!e || !e->key.p)
        return LW_ENOMEM;
    *target = (uint32_t)e->value;
    return 0;
}

static int find_imports(struct lacewing_work *w, struct lw_map *known, uint32_t *seen,
                        const uint32_t *folder, uint32_t *start, uint32_t *imports)
{
    uint32_t at = 0, target = UINT32_MAX;
    for (uint32_t i = 0; i < w->files->n; i++) {
        struct lw_imports_view view = lw_doc_imports(w->files->v[i].doc);
        for (size_t k = 0; k < view.n; k++) {
            if (follow_import(w, known, i, folder[i], &view.v[k], &target) < 0)
                return LW_ENOMEM;
            if (target == UINT32_MAX || target == i || seen[target] == i + 1)
                continue;
            seen[target] = i + 1;
            imports[at++] = target;
        }
        start[i + 1] = at;
    }
    return 0;
}

static int keep_imports(struct lacewing_work *w, struct lw_arena *arena,
                        struct lacewing_extra *x)
{
    struct lw_map known;
    size_t n = w->files->n, all = 0;
    uint32_t *seen = lw_arena_array(w->c->arena, n + 1, sizeof *seen);
    for (size_t i = 0; i < n; i++)
        all += lw_doc_imports(w->files->v[i].doc).n;
    uint32_t *start = lw_arena_array(arena, n + 1, sizeof *start);
    uint32_t *imports = lw_arena_array(arena, all + 1, sizeof *imports);
    if (!seen || !start || !imports)
        return LW_ENOMEM;
    lw_map_init(&known, w->c->mem);
    int rc = find_imports(w, &known, seen, x->folder, start, imports);
    lw_map_release(&known);
    x->import_start = start;
    x->imports = imports;
    return rc;
}

static int keep_places(struct lacewing_work *w, struct lw_arena *arena,
                       struct lacewing_extra *x)
{
    struct lw_map folders, bases;
    size_t n = w->files->n;
    uint32_t *folder_of = lw_arena_array(arena, n + 1, sizeof *folder_of);
    uint32_t *base_of = lw_arena_array(arena, n + 1, sizeof *base_of);
    if (!folder_of || !base_of)
        return LW_ENOMEM;
    x->folder = folder_of;
    x->base = base_of;
    lw_map_init(&folders, w->c->mem);
    lw_map_init(&bases, w->c->mem);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct lw_str path = w->files->v[i].path;
        ptrdiff_t slash = lw_str_find_last_char(path, '/');
        struct lw_str folder = lw_str_part(path, 0, slash < 0 ? 0 : (size_t)slash);
        struct lw_map_entry *a = lw_map_put(&folders, folder, NULL);
        struct lw_map_entry *b =
            lw_map_put(&bases, lw_str_from(path, (size_t)(slash + 1)), NULL);
        rc = a && b ? 0 : LW_ENOMEM;
        if (rc == 0) {
            folder_of[i] = (uint32_t)(a - folders.entries);
            base_of[i] = lw_str_eq(b->key, LW_S("__init__.py")) ? UINT32_MAX
                                                                : (uint32_t)(b - bases.entries);
        }
    }
    lw_map_release(&bases);
    lw_map_release(&folders);
    return rc;
}

int lacewing_find_places(struct lacewing_work *w, struct lw_arena *arena,
                         struct lacewing_extra *x)
{
    int rc = keep_places(w, arena, x);
    return rc < 0 ? rc : keep_imports(w, arena, x);
}

int lacewing_make_extra(struct lacewing_work *w, struct lw_arena *arena,
                        struct lacewing_extra **out)
{
    struct lacewing_extra *x = lw_arena_alloc(arena, sizeof *x);
    *out = x;
    if (!x)
        return LW_ENOMEM;
    if (w->kept)
        *x = w->kept->extra;
    else if (lacewing_find_places(w, arena, x) < 0)
        return LW_ENOMEM;
    return keep_commits(w->c->past, w->files->n, arena, x);
}
