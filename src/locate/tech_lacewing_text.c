/*
 * The words of the report and the words of the files: BM25 for each part of the report and each
 * field of the files, names of files, bridges between users' words and the code's, and string
 * literals that the report quotes.
 */
#include "locate/tech_lacewing.h"

#include <math.h>

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
    uint32_t *marks; /* by term: slot + 1, 0: in no query */
    uint32_t *terms; /* by slot */
    double (*weight)[QUERIES];
    uint32_t n;
    struct lw_bag query[QUERIES];
};

static double inverse_df(double n, double df)
{
    return log(1 + (n - df + 0.5) / (df + 0.5));
}

static int want_terms(struct wanted *q, const struct lw_case *c)
{
    size_t all = 0;
    for (size_t k = 0; k < QUERIES; k++)
        all += q->query[k].n;
    q->marks = lw_arena_array(c->arena, c->snapshot->terms + 1, sizeof *q->marks);
    q->terms = lw_arena_array(c->arena, all + 1, sizeof *q->terms);
    q->weight = lw_arena_array(c->arena, all + 1, sizeof *q->weight);
    if (!q->marks || !q->terms || !q->weight)
        return LW_ENOMEM;
    for (size_t k = 0; k < QUERIES; k++)
        for (size_t i = 0; i < q->query[k].n; i++) {
            uint32_t *mark = &q->marks[q->query[k].v[i].term];
            if (*mark)
                continue;
            q->terms[q->n++] = q->query[k].v[i].term;
            *mark = q->n;
        }
    return 0;
}

static void set_weights(struct wanted *q, const struct lw_case *c, const uint32_t *df)
{
    double n = (double)c->snapshot->files.n;
    for (size_t k = 0; k < QUERIES; k++)
        for (size_t i = 0; i < q->query[k].n; i++) {
            uint32_t term = q->query[k].v[i].term;
            q->weight[q->marks[term] - 1][k] = q->query[k].v[i].count * inverse_df(n, df[term]);
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

/* Sets `scores` (QUERIES, files) to what the field of each file scores. */
static void score_field(struct lacewing_work *w, struct wanted *q, enum lw_field field,
                        double *scores)
{
    const struct lw_snapshot *s = w->c->snapshot;
    size_t n = s->files.n;
    double mean = (double)s->fields[field].length / (n ? (double)n : 1);
    mean = mean > 1e-9 ? mean : 1e-9;
    set_weights(q, w->c, s->fields[field].df);
    for (size_t i = 0; i < n; i++) {
        struct lw_doc doc = s->files.v[i].doc;
        double length = lw_doc_facts(doc)->length[field], sum[QUERIES] = {0};
        score_postings(q, lw_doc_postings(doc, field),
                       bm25_k1 * (1 - bm25_b + bm25_b * length / mean), sum);
        for (size_t j = 0; j < QUERIES; j++)
            scores[j * n + i] = sum[j];
    }
}

static void take_parts(struct lacewing_work *w, const double *scores, int column)
{
    for (int part = 0; part < PARTS; part++)
        memcpy(w->col[column + part], scores + (size_t)part * w->files->n,
               w->files->n * sizeof *scores);
}

static void score_fields(struct lacewing_work *w, struct wanted *q, double *scores)
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
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        score_field(w, q, plan[i].field, scores);
        take_parts(w, scores, plan[i].column);
        if (plan[i].field == LW_FIELD_TEXT) {
            memcpy(w->col[COL_TEXT_ALL], scores + ALL * n, n * sizeof *scores);
            memcpy(w->col[COL_BRIDGE_TEXT], scores + BRIDGE * n, n * sizeof *scores);
        } else if (plan[i].field == LW_FIELD_FUNCTION) {
            memcpy(w->col[COL_BRIDGE_FUNCTION], scores + BRIDGE * n, n * sizeof *scores);
        }
    }
}

/* ---- Paths ------------------------------------------------------------------------------- */

/* The words of the path without its ending. */
static int path_terms(struct lacewing_work *w, struct lw_str path, struct lw_bag *bag)
{
    ptrdiff_t dot = lw_str_find_last_char(path, '.');
    return lacewing_terms(w, lw_str_part(path, 0, dot < 0 ? path.n : (size_t)dot), 16, bag);
}

/* How many of the words of the file's own name the query has; a package goes by its folder. */
static double stem_share(const struct lacewing_work *w, const struct lw_bag *stem,
                         const struct wanted *q, size_t query)
{
    size_t n = 0, hit = 0;
    for (size_t i = 0; i < stem->n; i++) {
        struct lw_str term = lw_index_term(w->c->index, stem->v[i].term);
        uint32_t mark = q->marks[stem->v[i].term];
        if (term.n && term.p[0] == '=')
            continue;
        n++;
        hit += mark && q->weight[mark - 1][query] > 0;
    }
    return n ? (double)hit / (double)n : 0;
}

static struct lw_str own_name(struct lw_str path)
{
    struct lw_str s = path;
    if (lw_str_has_suffix(s, LW_S("/__init__.py")))
        s.n -= 12;
    s = lw_str_from(s, (size_t)(lw_str_find_last_char(s, '/') + 1));
    ptrdiff_t dot = lw_str_find_char(s, '.');
    return lw_str_part(s, 0, dot < 0 ? s.n : (size_t)dot);
}

static void score_path(struct lacewing_work *w, struct wanted *q, const struct lw_bag *paths,
                       double mean, size_t file)
{
    double norm = bm25_k1 * (1 - bm25_b + bm25_b * (double)paths[file].length / mean);
    for (size_t i = 0; i < paths[file].n; i++) {
        double tf = paths[file].v[i].count, gain = tf * (bm25_k1 + 1) / (tf + norm);
        uint32_t mark = q->marks[paths[file].v[i].term];
        if (!mark)
            continue;
        const double *weight = q->weight[mark - 1];
        for (int part = 0; part < PARTS; part++)
            w->col[COL_IN_PATH_SUMMARY + part][file] += weight[part] * gain;
        w->col[COL_BRIDGE_PATH][file] += weight[BRIDGE] * gain;
    }
}

static int score_paths(struct lacewing_work *w, struct wanted *q)
{
    size_t n = w->files->n;
    struct lw_bag *paths = lw_arena_array(w->c->arena, n + 1, sizeof *paths);
    struct lw_bag *stems = lw_arena_array(w->c->arena, n + 1, sizeof *stems);
    uint32_t *df = lw_arena_array(w->c->arena, w->c->snapshot->terms + 1, sizeof *df);
    uint64_t length = 0;
    if (!paths || !stems || !df)
        return LW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (path_terms(w, w->files->v[i].path, &paths[i]) < 0 ||
            lacewing_terms(w, own_name(w->files->v[i].path), 16, &stems[i]) < 0)
            return LW_ENOMEM;
        length += paths[i].length;
        for (size_t k = 0; k < paths[i].n; k++)
            df[paths[i].v[k].term]++;
    }
    double mean = n && length ? (double)length / (double)n : 1;
    set_weights(q, w->c, df);
    for (size_t i = 0; i < n; i++) {
        score_path(w, q, paths, mean, i);
        w->col[COL_STEM_SUMMARY][i] = stem_share(w, &stems[i], q, PART_SUMMARY);
        w->col[COL_STEM_ALL][i] = stem_share(w, &stems[i], q, ALL);
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
static bool next_piece(struct lw_str *rest, struct lw_str *piece)
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

static uint32_t sieve_slot(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return (uint32_t)(v * 0x9e3779b97f4a7c15u >> 48) % SIEVE_BITS;
}

static void sieve_fill(struct sieve *s, struct lw_str text)
{
    for (size_t i = 0; i + PIECE_LEAST <= text.n; i++) {
        uint32_t slot = sieve_slot(text.p + i);
        s->bits[slot / 8] |= (uint8_t)(1u << slot % 8);
    }
}

static bool sieve_has(const struct sieve *s, struct lw_str piece)
{
    uint32_t slot = sieve_slot(piece.p);
    return s->bits[slot / 8] >> slot % 8 & 1;
}

struct quote {
    uint32_t file;
    struct lw_str piece;
};
typedef LW_VEC(struct quote) quotes;

static int find_quotes(struct lacewing_work *w, struct lw_str text, quotes *out,
                       struct lacewing_multi *holders)
{
    struct sieve *sieve = lw_arena_alloc(w->c->arena, sizeof *sieve);
    if (!sieve)
        return LW_ENOMEM;
    sieve_fill(sieve, text);
    for (uint32_t i = 0; i < w->files->n; i++) {
        struct lw_doc doc = w->files->v[i].doc;
        struct lw_names_view strings = lw_doc_strings(doc);
        for (size_t k = 0; k < strings.n; k++) {
            struct lw_str rest = lw_doc_name(doc, strings.v[k]), piece;
            if (lw_str_find_char(rest, ' ') < 0) /* then no piece has one */
                continue;
            while (next_piece(&rest, &piece)) {
                if (!sieve_has(sieve, piece) || lw_str_find(text, piece) < 0)
                    continue;
                if (lw_vec_push(w->c->mem, out, (struct quote){i, piece}) < 0 ||
                    lacewing_multi_add(holders, piece, i, 0) < 0)
                    return LW_ENOMEM;
            }
        }
    }
    return 0;
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

int lacewing_describe_text(struct lacewing_work *w)
{
    struct wanted q = {0};
    double *scores = lw_arena_array(w->c->arena, QUERIES * (w->files->n + 1), sizeof *scores);
    if (!scores)
        return LW_ENOMEM;
    for (int part = 0; part < PARTS; part++)
        if (lacewing_terms(w, w->part[part], REPEATS, &q.query[part]) < 0)
            return LW_ENOMEM;
    if (bridge_terms(w, &q.query[BRIDGE]) < 0 || all_terms(w, &q.query[ALL]) < 0 ||
        want_terms(&q, w->c) < 0)
        return LW_ENOMEM;
    score_fields(w, &q, scores);
    struct lw_err err = {0};
    if (lw_score_rvsm(w->c, &w->c->ticket->terms, (struct lw_length_scale){0, 1},
                      w->col[COL_COSINE], &err) < 0)
        return LW_ENOMEM;
    if (score_paths(w, &q) < 0)
        return LW_ENOMEM;
    return score_literals(w);
}
