/*
 * The words of the report and the words of the files: BM25 for each part of the report and each
 * field of the files, names of files, bridges between users' words and the code's, and string
 * literals that the report quotes.
 */
#include "locate/tech_lacewing_kept.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/str.h"
#include "knowledge/embedded.h"

/* BM25 with k1, b as in the literature; what is repeated in a report counts at most thrice. */
static const double bm25_k1 = 1.2, bm25_b = 0.75;
enum { REPEATS = 3, BRIDGE = PARTS, ALL = PARTS + 1, QUERIES = PARTS + 2 };

/* Looks up the index's numbers of terms that the work's words have not met before. */
static int number_terms(struct lacewing_work *w)
{
    while (w->term_of.n < w->words.terms.n) {
        struct lw_str text = lw_words_term(&w->words, (uint32_t)w->term_of.n);
        if (lw_vec_push(w->c->mem, &w->term_of, lw_index_find_term(w->c->index, text)) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

int lacewing_terms(struct lacewing_work *w, struct lw_str text, uint32_t cap,
                   struct lw_bag *bag)
{
    lw_counts counts = {0};
    uint64_t length;
    lw_words_add_text(&w->words, text);
    int rc = lw_words_take(&w->words, w->c->mem, &counts, &length);
    if (rc == 0)
        rc = number_terms(w);
    struct lw_count *v = lw_arena_array(w->c->arena, counts.n + 1, sizeof *v);
    *bag = (struct lw_bag){v, 0, 0};
    for (size_t i = 0; i < counts.n && v && rc == 0; i++) {
        uint32_t number = w->term_of.v[counts.v[i].term];
        if (number == LW_NO_TERM || number >= w->c->snapshot->terms)
            continue;
        uint32_t count = counts.v[i].count < cap ? counts.v[i].count : cap;
        v[bag->n++] = (struct lw_count){number, count};
        bag->length += count;
    }
    lw_vec_release(w->c->mem, &counts);
    return rc < 0 || !v ? LW_ENOMEM : 0;
}

/* ---- BM25 of several queries at once ----------------------------------------------------- */

/* The terms of the queries. Most terms of a file are in none of them, so a file's terms are
 * looked up among the marks, which are small, and weights are touched only for those asked. */
struct wanted {
    uint32_t *marks; /* by term: slot + 1, 0: in no query; the snapshot's */
    uint32_t *terms; /* by slot, ascending */
    uint32_t *df;    /* by slot, of the field that is scored */
    double (*weight)[QUERIES];
    uint32_t n;
    struct lw_bag query[QUERIES];
};

static double inverse_df(double n, double df)
{
    return log(1 + (n - df + 0.5) / (df + 0.5));
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int want_terms(struct wanted *q, const struct lw_case *c)
{
    size_t all = 0;
    for (size_t k = 0; k < QUERIES; k++)
        all += q->query[k].n;
    q->marks = c->snapshot->marks;
    q->terms = lw_arena_array(c->arena, all + 1, sizeof *q->terms);
    q->df = lw_arena_array(c->arena, all + 1, sizeof *q->df);
    q->weight = lw_arena_array(c->arena, all + 1, sizeof *q->weight);
    if (!q->terms || !q->df || !q->weight)
        return LW_ENOMEM;
    for (size_t k = 0; k < QUERIES; k++)
        for (size_t i = 0; i < q->query[k].n; i++) {
            uint32_t *mark = &q->marks[q->query[k].v[i].term];
            if (*mark)
                continue;
            q->terms[q->n++] = q->query[k].v[i].term;
            *mark = q->n;
        }
    if (q->n > 1)
        qsort(q->terms, q->n, sizeof *q->terms, by_number);
    for (uint32_t i = 0; i < q->n; i++)
        q->marks[q->terms[i]] = i + 1;
    return 0;
}

static void unmark(const struct wanted *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        q->marks[q->terms[i]] = 0;
}

/* By the document frequencies in `df`. */
static void set_weights(struct wanted *q, const struct lw_case *c)
{
    double n = (double)c->snapshot->files.n;
    for (size_t k = 0; k < QUERIES; k++)
        for (size_t i = 0; i < q->query[k].n; i++) {
            uint32_t slot = q->marks[q->query[k].v[i].term] - 1;
            q->weight[slot][k] = q->query[k].v[i].count * inverse_df(n, q->df[slot]);
        }
}

static void score_postings(const struct wanted *q, struct lw_postings p, double norm,
                           double sum[QUERIES])
{
    for (uint32_t k = 0; k < p.n; k++) {
        uint32_t mark = q->marks[p.to_index[p.terms[k]]];
        if (!mark)
            continue;
        double tf = p.counts[k] * (bm25_k1 + 1) / (p.counts[k] + norm);
        for (size_t j = 0; j < QUERIES; j++)
            sum[j] += q->weight[mark - 1][j] * tf;
    }
}

/* The same from the lists of a view, with `norms` by file and `sums` (files, QUERIES). Terms
 * rise as in a document, so sums are made in the same order. */
static void score_lists(const struct wanted *q, struct lw_view *view, enum lw_field field,
                        const double *norms, double *sums)
{
    for (uint32_t i = 0; i < q->n; i++) {
        struct lw_places p = lw_view_places(view, field, q->terms[i]);
        const double *weight = q->weight[i];
        for (uint32_t k = 0; k < p.n; k++) {
            double tf = p.counts[k] * (bm25_k1 + 1) / (p.counts[k] + norms[p.files[k]]);
            double *sum = sums + (size_t)p.files[k] * QUERIES;
            for (size_t j = 0; j < QUERIES; j++)
                sum[j] += weight[j] * tf;
        }
    }
}

/* Sets `sums` (files, QUERIES) to what the field of each file scores; `norms` is room. */
static void score_field(struct lacewing_work *w, struct wanted *q, enum lw_field field,
                        double *norms, double *sums)
{
    const struct lw_snapshot *s = w->c->snapshot;
    size_t n = s->files.n;
    double mean = (double)s->fields[field].length / (n ? (double)n : 1);
    mean = mean > 1e-9 ? mean : 1e-9;
    for (uint32_t i = 0; i < q->n; i++)
        q->df[i] = lw_snapshot_df(s, field, q->terms[i]);
    set_weights(q, w->c);
    memset(sums, 0, n * QUERIES * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        double length = lw_doc_facts(s->files.v[i].doc)->length[field];
        norms[i] = bm25_k1 * (1 - bm25_b + bm25_b * length / mean);
    }
    if (s->view)
        score_lists(q, s->view, field, norms, sums);
    for (size_t i = 0; i < n && !s->view; i++)
        score_postings(q, lw_doc_postings(s->files.v[i].doc, field), norms[i],
                       sums + i * QUERIES);
}

static void take_query(const struct lacewing_work *w, const double *sums, size_t query,
                       int column)
{
    for (size_t i = 0; i < w->files->n; i++)
        w->col[column][i] = sums[i * QUERIES + query];
}

static int score_fields(struct lacewing_work *w, struct wanted *q)
{
    static const struct {
        enum lw_field field;
        int column;
    } plan[] = {
        {LW_FIELD_TEXT, COL_TEXT_SUMMARY},
        {LW_FIELD_CLASS, COL_IN_CLASS_SUMMARY},
        {LW_FIELD_FUNCTION, COL_IN_FUNCTION_SUMMARY},
        {LW_FIELD_NAME, COL_IN_NAME_SUMMARY},
        {LW_FIELD_COMMENT, COL_IN_COMMENT_SUMMARY},
        {LW_FIELD_STRING, COL_IN_STRING_SUMMARY},
        {LW_FIELD_API, COL_IN_API_SUMMARY},
    };
    size_t n = w->files->n;
    double *sums = lw_arena_array(w->c->arena, n * QUERIES + 1, sizeof *sums);
    double *norms = lw_arena_array(w->c->arena, n + 1, sizeof *norms);
    if (!sums || !norms)
        return LW_ENOMEM;
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        score_field(w, q, plan[i].field, norms, sums);
        for (size_t part = 0; part < PARTS; part++)
            take_query(w, sums, part, plan[i].column + (int)part);
        if (plan[i].field == LW_FIELD_TEXT) {
            take_query(w, sums, ALL, COL_TEXT_ALL);
            take_query(w, sums, BRIDGE, COL_BRIDGE_TEXT);
        } else if (plan[i].field == LW_FIELD_FUNCTION) {
            take_query(w, sums, BRIDGE, COL_BRIDGE_FUNCTION);
        }
    }
    return 0;
}

/* ---- Paths ------------------------------------------------------------------------------- */

enum { PATH_REPEATS = 16 };

/* A path without its ending. */
static struct lw_str without_ending(struct lw_str path)
{
    ptrdiff_t dot = lw_str_find_last_char(path, '.');
    return lw_str_part(path, 0, dot < 0 ? path.n : (size_t)dot);
}

/* A package goes by its folder. */
static struct lw_str own_name(struct lw_str path)
{
    struct lw_str s = path;
    if (lw_str_has_suffix(s, LW_S("/__init__.py")))
        s.n -= 12;
    s = lw_str_from(s, (size_t)(lw_str_find_last_char(s, '/') + 1));
    ptrdiff_t dot = lw_str_find_char(s, '.');
    return lw_str_part(s, 0, dot < 0 ? s.n : (size_t)dot);
}

static int lay_path_words(const struct lw_words *words, struct lw_arena *arena,
                          struct lacewing_paths *out)
{
    size_t n = words->terms.n, bytes = 0;
    struct lacewing_path_word *v = lw_arena_array(arena, n + 1, sizeof *v);
    for (uint32_t i = 0; i < n && v; i++) {
        v[i] = (struct lacewing_path_word){LW_NO_TERM, (uint32_t)bytes,
                                           (uint32_t)lw_words_term(words, i).n};
        bytes += v[i].n;
    }
    char *text = lw_arena_bytes(arena, bytes + 1);
    for (uint32_t i = 0; i < n && v && text; i++)
        memcpy(text + v[i].start, lw_words_term(words, i).p, v[i].n);
    out->words = v;
    out->word_count = n;
    out->text = text;
    return v && text ? 0 : LW_ENOMEM;
}

int lacewing_read_paths(struct lw_mem *mem, struct lw_arena *arena,
                        const struct lw_stopwords *stop, const struct lw_files *files,
                        struct lacewing_paths *out)
{
    struct lw_words words;
    lw_counts counts = {0};
    uint64_t length;
    uint32_t *start = lw_arena_array(arena, 2 * files->n + 1, sizeof *start);
    int rc = start ? 0 : LW_ENOMEM;
    lw_words_init(&words, mem, stop);
    for (size_t i = 0; i < 2 * files->n && rc == 0; i++) {
        struct lw_str path = files->v[i / 2].path;
        lw_words_add_text(&words, i % 2 ? own_name(path) : without_ending(path));
        rc = lw_words_take(&words, mem, &counts, &length);
        start[i + 1] = (uint32_t)counts.n;
    }
    struct lw_count *v = lw_arena_array(arena, counts.n + 1, sizeof *v);
    if (counts.n && v)
        memcpy(v, counts.v, counts.n * sizeof *v);
    *out = (struct lacewing_paths){.start = start, .counts = v};
    if (rc == 0)
        rc = v ? lay_path_words(&words, arena, out) : LW_ENOMEM;
    lw_vec_release(mem, &counts);
    lw_words_release(&words);
    return rc;
}

/* By word of the paths: slot of the query + 1, 0: it is in no query. */
static uint32_t *mark_path_words(const struct lacewing_work *w, const struct wanted *q,
                                 const struct lacewing_paths *p)
{
    uint32_t *marks = lw_arena_array(w->c->arena, p->word_count + 1, sizeof *marks);
    for (size_t i = 0; i < p->word_count && marks; i++) {
        uint32_t term = p->words[i].term;
        if (term == LW_NO_TERM)
            term = lw_index_find_term(w->c->index,
                                      lw_str_n(p->text + p->words[i].start, p->words[i].n));
        marks[i] = term < w->c->snapshot->terms ? q->marks[term] : 0;
    }
    return marks;
}

/* How many of the words of the file's own name the query has. */
static double stem_share(const struct lacewing_paths *p, size_t file, const uint32_t *marks,
                         const struct wanted *q, size_t query)
{
    size_t n = 0, hit = 0;
    for (uint32_t i = p->start[2 * file + 1]; i < p->start[2 * file + 2]; i++) {
        uint32_t word = p->counts[i].term, mark = marks[word];
        if (p->text[p->words[word].start] == '=')
            continue;
        n++;
        hit += mark && q->weight[mark - 1][query] > 0;
    }
    return n ? (double)hit / (double)n : 0;
}

static uint32_t path_count(const struct lacewing_paths *p, uint32_t i)
{
    return p->counts[i].count < PATH_REPEATS ? p->counts[i].count : PATH_REPEATS;
}

static void score_path(struct lacewing_work *w, const struct wanted *q,
                       const struct lacewing_paths *p, const uint32_t *marks, double norm,
                       size_t file)
{
    for (uint32_t i = p->start[2 * file]; i < p->start[2 * file + 1]; i++) {
        uint32_t mark = marks[p->counts[i].term];
        if (!mark)
            continue;
        double tf = path_count(p, i), gain = tf * (bm25_k1 + 1) / (tf + norm);
        const double *weight = q->weight[mark - 1];
        for (int part = 0; part < PARTS; part++)
            w->col[COL_IN_PATH_SUMMARY + part][file] += weight[part] * gain;
        w->col[COL_BRIDGE_PATH][file] += weight[BRIDGE] * gain;
    }
}

/* Counts the words of the whole paths; `lengths` gets how many each has. Their sum. */
static uint64_t count_paths(const struct lacewing_paths *p, const uint32_t *marks, size_t n,
                            struct wanted *q, uint32_t *lengths)
{
    uint64_t length = 0;
    for (uint32_t i = 0; i < q->n; i++)
        q->df[i] = 0;
    for (size_t file = 0; file < n; file++) {
        for (uint32_t i = p->start[2 * file]; i < p->start[2 * file + 1]; i++) {
            uint32_t mark = marks[p->counts[i].term];
            lengths[file] += path_count(p, i);
            if (mark)
                q->df[mark - 1]++;
        }
        length += lengths[file];
    }
    return length;
}

static int score_paths(struct lacewing_work *w, struct wanted *q)
{
    size_t n = w->files->n;
    struct lacewing_paths p = {0};
    if (w->kept)
        p = w->kept->paths;
    else if (lacewing_read_paths(w->c->mem, w->c->arena, lw_index_stopwords(w->c->index),
                                 w->files, &p) < 0)
        return LW_ENOMEM;
    const uint32_t *marks = mark_path_words(w, q, &p);
    uint32_t *lengths = lw_arena_array(w->c->arena, n + 1, sizeof *lengths);
    if (!marks || !lengths)
        return LW_ENOMEM;
    uint64_t length = count_paths(&p, marks, n, q, lengths);
    double mean = n && length ? (double)length / (double)n : 1;
    set_weights(q, w->c);
    for (size_t i = 0; i < n; i++) {
        double norm = bm25_k1 * (1 - bm25_b + bm25_b * (double)lengths[i] / mean);
        score_path(w, q, &p, marks, norm, i);
        w->col[COL_STEM_SUMMARY][i] = stem_share(&p, i, marks, q, PART_SUMMARY);
        w->col[COL_STEM_ALL][i] = stem_share(&p, i, marks, q, ALL);
    }
    return 0;
}

/* ---- Bridges ----------------------------------------------------------------------------- */

static bool says(struct lw_str text, struct lw_str phrase)
{
    char first = phrase.n ? phrase.p[0] | 32 : 0; /* most places are refused by one look */
    for (size_t i = 0; i + phrase.n <= text.n; i++) {
        if ((text.p[i] | 32) != first ||
            !lw_str_eq_nocase(lw_str_part(text, i, phrase.n), phrase))
            continue;
        bool starts = i == 0 || !((text.p[i - 1] | 32) >= 'a' && (text.p[i - 1] | 32) <= 'z');
        size_t end = i + phrase.n;
        bool ends = end == text.n || !((text.p[end] | 32) >= 'a' && (text.p[end] | 32) <= 'z');
        if (starts && ends)
            return true;
    }
    return false;
}

/* The code's words for what the summary and the prose say. */
static int bridge_terms(struct lacewing_work *w, struct lw_bag *bag)
{
    struct lw_str table = {0}, line, said, code;
    struct lw_buf text;
    if (!lw_embedded_find(LW_S("data/locate/bridges.csv"), &table))
        table = (struct lw_str){0};
    (void)lw_str_line(&table, &line); /* the header */
    lw_buf_init(&text, w->c->mem, 0);
    while (lw_str_line(&table, &line)) {
        if (!lw_str_split(&line, ',', &said) || !lw_str_split(&line, ',', &code))
            continue;
        if (says(w->part[PART_SUMMARY], said) || says(w->part[PART_PROSE], said)) {
            (void)lw_buf_add(&text, code);
            (void)lw_buf_add_char(&text, ' ');
        }
    }
    int rc = text.failed ? LW_ENOMEM : lacewing_terms(w, lw_buf_str(&text), 1, bag);
    lw_buf_release(&text);
    return rc;
}

/* ---- Literals ---------------------------------------------------------------------------- */

enum { PIECE_LEAST = 8, PIECE_FULL = 60 };

/* Runs of blanks and line ends as one blank. */
static struct lw_str squeeze(struct lw_arena *arena, struct lw_str s)
{
    char *p = lw_arena_bytes(arena, s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n && p; i++) {
        bool blank = s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r';
        if (!blank)
            p[n++] = s.p[i];
        else if (n && p[n - 1] != ' ')
            p[n++] = ' ';
    }
    return lw_str_n(p, p ? n : 0);
}

/* The next piece of a literal between placeholders: %s, %(x)d, {}, {0.y}, and escapes. */
bool lacewing_next_piece(struct lw_str *rest, struct lw_str *piece)
{
    static const bool stops[256] = {['%'] = true, ['{'] = true, ['\\'] = true, ['\n'] = true};
    while (rest->n) {
        size_t end = 0;
        while (end < rest->n && !stops[(unsigned char)rest->p[end]])
            end++;
        size_t skip = end;
        if (end < rest->n && rest->p[end] == '{') {
            ptrdiff_t close = lw_str_find_char(lw_str_from(*rest, end), '}');
            skip += close < 0 ? 1 : (size_t)close + 1;
        } else if (end < rest->n && rest->p[end] == '%') {
            skip++;
            while (skip < rest->n && strchr("-+#.0123456789()", rest->p[skip]))
                skip++;
            skip += skip < rest->n;
        } else if (end < rest->n) {
            skip += rest->p[end] == '\\' && end + 1 < rest->n ? 2 : 1;
        }
        *piece = lw_str_trim(lw_str_part(*rest, 0, end));
        *rest = lw_str_from(*rest, skip);
        if (piece->n >= PIECE_LEAST && lw_str_find_char(*piece, ' ') >= 0)
            return true;
    }
    return false;
}

/* Which starts of pieces the text can hold at all: most literals are refused by one look. */
enum { SIEVE_BITS = 1 << 16 };

struct sieve {
    uint8_t bits[SIEVE_BITS / 8];
};

uint16_t lacewing_sieve_slot(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return (uint16_t)(v * 0x9e3779b97f4a7c15u >> 48);
}

static void sieve_fill(struct sieve *s, struct lw_str text)
{
    for (size_t i = 0; i + PIECE_LEAST <= text.n; i++) {
        uint32_t slot = lacewing_sieve_slot(text.p + i);
        s->bits[slot / 8] |= (uint8_t)(1u << slot % 8);
    }
}

static bool sieve_has(const struct sieve *s, uint32_t slot)
{
    return s->bits[slot / 8] >> slot % 8 & 1;
}

struct quote {
    uint32_t file;
    struct lw_str piece;
};
typedef LW_VEC(struct quote) quotes;

static int add_quote(struct lacewing_work *w, uint32_t file, struct lw_str piece,
                     struct lw_str text, quotes *out, struct lacewing_multi *holders)
{
    if (lw_str_find(text, piece) < 0)
        return 0;
    if (lw_vec_push(w->c->mem, out, (struct quote){file, piece}) < 0)
        return LW_ENOMEM;
    return lacewing_multi_add(holders, piece, file, 0);
}

static int find_kept_quotes(struct lacewing_work *w, const struct sieve *sieve,
                            struct lw_str text, quotes *out, struct lacewing_multi *holders)
{
    const char *names = w->c->snapshot->view->segment.name_text;
    int rc = 0;
    for (size_t i = 0; i < w->kept->piece_count && rc == 0; i++) {
        const struct lacewing_piece *p = &w->kept->pieces[i];
        if (sieve_has(sieve, p->slot))
            rc = add_quote(w, p->file, lw_str_n(names + p->start, p->n), text, out, holders);
    }
    return rc;
}

static int find_file_quotes(struct lacewing_work *w, const struct sieve *sieve, uint32_t file,
                            struct lw_str text, quotes *out, struct lacewing_multi *holders)
{
    struct lw_doc doc = w->files->v[file].doc;
    struct lw_names_view strings = lw_doc_strings(doc);
    int rc = 0;
    for (size_t k = 0; k < strings.n; k++) {
        struct lw_str rest = lw_doc_name(doc, strings.v[k]), piece;
        if (lw_str_find_char(rest, ' ') < 0) /* then no piece has one */
            continue;
        while (rc == 0 && lacewing_next_piece(&rest, &piece))
            if (sieve_has(sieve, lacewing_sieve_slot(piece.p)))
                rc = add_quote(w, file, piece, text, out, holders);
    }
    return rc;
}

static int find_quotes(struct lacewing_work *w, struct lw_str text, quotes *out,
                       struct lacewing_multi *holders)
{
    struct sieve *sieve = lw_arena_alloc(w->c->arena, sizeof *sieve);
    if (!sieve)
        return LW_ENOMEM;
    sieve_fill(sieve, text);
    if (w->kept)
        return find_kept_quotes(w, sieve, text, out, holders);
    int rc = 0;
    for (uint32_t i = 0; i < w->files->n && rc == 0; i++)
        rc = find_file_quotes(w, sieve, i, text, out, holders);
    return rc;
}

/* The report, of a very long one (logs) what stands at its beginning and at its end. */
static struct lw_str searched(struct lacewing_work *w)
{
    enum { END = 128 << 10 };
    struct lw_str text = lw_report_text(w->report);
    if (text.n > 2 * END)
        text = lw_arena_printf(w->c->arena, "%.*s\n%.*s", LW_F(lw_str_part(text, 0, END)),
                               LW_F(lw_str_from(text, text.n - END)));
    return squeeze(w->c->arena, text);
}

static int score_literals(struct lacewing_work *w)
{
    struct lw_buf errors;
    quotes found = {0};
    struct lacewing_multi holders;
    lacewing_multi_init(&holders, w->c->mem);
    lw_buf_init(&errors, w->c->mem, 0);
    for (const struct lw_fact *f = NULL;
         (f = lw_report_next(w->report, LW_FACT_EXCEPTION, f));) {
        (void)lw_buf_add(&errors, f->exception.message);
        (void)lw_buf_add_char(&errors, '\n');
    }
    struct lw_str text = searched(w);
    int rc = errors.failed ? LW_ENOMEM : find_quotes(w, text, &found, &holders);
    for (size_t i = 0; i < found.n && rc == 0; i++) {
        struct lw_str piece = found.v[i].piece;
        double length = piece.n < PIECE_FULL ? (double)piece.n : PIECE_FULL;
        double value = length / PIECE_FULL / (double)lacewing_multi_files(&holders, piece);
        uint32_t file = found.v[i].file;
        if (value > w->col[COL_LITERAL][file])
            w->col[COL_LITERAL][file] = value;
        if (value > w->col[COL_LITERAL_ERROR][file] &&
            lw_str_find(lw_buf_str(&errors), piece) >= 0)
            w->col[COL_LITERAL_ERROR][file] = value;
    }
    lacewing_multi_release(&holders);
    lw_vec_release(w->c->mem, &found);
    lw_buf_release(&errors);
    return rc;
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Of the whole report, repeats cut. */
static int all_terms(struct lacewing_work *w, struct lw_bag *bag)
{
    const struct lw_bag *all = &w->c->ticket->terms;
    struct lw_count *v = lw_arena_array(w->c->arena, all->n + 1, sizeof *v);
    *bag = (struct lw_bag){v, 0, 0};
    for (size_t i = 0; i < all->n && v; i++) {
        if (all->v[i].term >= w->c->snapshot->terms)
            continue;
        v[bag->n] = all->v[i];
        if (v[bag->n].count > REPEATS)
            v[bag->n].count = REPEATS;
        bag->length += v[bag->n++].count;
    }
    return v ? 0 : LW_ENOMEM;
}

static int describe_terms(struct lacewing_work *w, struct wanted *q)
{
    struct lw_err err = {0};
    int rc = score_fields(w, q);
    if (rc == 0)
        rc = score_paths(w, q);
    unmark(q);
    return rc < 0 ? rc
                  : lw_score_rvsm(w->c, &w->c->ticket->terms, (struct lw_length_scale){0, 1},
                                  w->col[COL_COSINE], &err);
}

int lacewing_describe_text(struct lacewing_work *w)
{
    struct wanted q = {0};
    for (int part = 0; part < PARTS; part++)
        if (lacewing_terms(w, w->part[part], REPEATS, &q.query[part]) < 0)
            return LW_ENOMEM;
    if (bridge_terms(w, &q.query[BRIDGE]) < 0 || all_terms(w, &q.query[ALL]) < 0 ||
        want_terms(&q, w->c) < 0 || describe_terms(w, &q) < 0)
        return LW_ENOMEM;
    return score_literals(w);
}
