#include "catalog/select.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/bug.h"

static void bind(struct select *s, struct lw_str value)
{
    if (lw_vec_push(s->sql.mem, &s->bound, value) < 0)
        s->failed = LW_ENOMEM;
}

void select_columns(struct lw_buf *sql, bool all)
{
    for (size_t i = 0; i < bug_field_count; i++)
        if (all || bug_fields[i].in_list)
            lw_buf_addf(sql, "%s.%s, ", bug_fields[i].table == BUG_IN_BUG ? "b" : "e",
                        bug_fields[i].name);
    lw_buf_addz(sql, "b.support_level, b.trusted");
}

/* More environments than this are looked up in the bug instead of joining the expression. */
enum { MATCHED_ENVIRONMENTS = 64 };

/* Where filters can be words of the text index, the bugs themselves need not be read. */
static bool fits_match(const struct facet_filter *filter)
{
    return !filter->by_environment ||
           (filter->environments.n && filter->environments.n <= MATCHED_ENVIRONMENTS);
}

static void add_environments(struct select *s, const struct facet_filter *filter)
{
    lw_buf_addf(&s->sql, " AND ((b.facets >> %u) & %" PRId64 ") IN (",
                facet_shift(FACET_ENVIRONMENT), facet_mask(FACET_ENVIRONMENT));
    for (size_t i = 0; i < filter->environments.n; i++)
        lw_buf_addf(&s->sql, "%s%" PRId64, i ? "," : "", filter->environments.v[i]);
    lw_buf_addz(&s->sql, ")");
}

static void add_filters(struct select *s, const struct lw_query *q,
                        const struct facet_filter *filter)
{
    bool matched = s->match.n > 0;
    if (filter->mask && !matched)
        lw_buf_addf(&s->sql, " AND (b.facets & %" PRId64 ") = %" PRId64, filter->mask,
                    filter->value);
    for (enum facet i = 0; i < FACETS; i++)
        if (filter->crowded[i]) {
            lw_buf_addf(&s->sql, " AND b.%s = ?", facet_names[i]);
            bind(s, facet_asked(q, i));
        }
    if (filter->by_environment && (!matched || !fits_match(filter)))
        add_environments(s, filter);
    if (q->tool.n) {
        lw_buf_addz(
            &s->sql,
            " AND EXISTS (SELECT 1 FROM bug_tool t WHERE t.bug = b.num AND t.tool = ?)");
        bind(s, q->tool);
    }
}

static void add_phrase(struct lw_buf *match, struct lw_str word, const char *before)
{
    lw_buf_addf(match, "%s\"", match->n ? before : "");
    for (size_t i = 0; i < word.n; i++)
        lw_buf_add(match, word.p[i] == '"' ? LW_S("\"\"") : lw_str_part(word, i, 1));
    lw_buf_addz(match, "\"");
}

static void add_facet_phrase(struct lw_buf *match, enum facet f, int64_t code,
                             const char *before)
{
    struct lw_buf word;
    lw_buf_init(&word, match->mem, 64);
    facet_word(&word, f, code);
    if (word.failed)
        match->failed = word.failed;
    add_phrase(match, lw_buf_str(&word), before);
    lw_buf_release(&word);
}

/* Every word quoted, so that nothing in it is an operator; then the filters. */
static void build_match(struct select *s, struct lw_str words,
                        const struct facet_filter *filter)
{
    struct lw_str word;
    while (lw_str_split(&words, ' ', &word)) {
        word = lw_str_trim(word);
        if (word.n)
            add_phrase(&s->match, word, " AND ");
    }
    if (s->match.n == 0)
        return;
    for (enum facet f = 0; f < FACETS; f++)
        if (filter->mask >> facet_shift(f) & facet_mask(f))
            add_facet_phrase(&s->match, f, filter->value >> facet_shift(f) & facet_mask(f),
                             " AND ");
    if (!filter->by_environment || !fits_match(filter))
        return;
    for (size_t i = 0; i < filter->environments.n; i++)
        add_facet_phrase(&s->match, FACET_ENVIRONMENT, filter->environments.v[i],
                         i ? " OR " : " AND (");
    lw_buf_addz(&s->match, ")");
}

static int add_order(struct select *s, const struct lw_query *q, struct lw_err *err)
{
    if (s->match.n && q->sort.n == 0) {
        /* The text index hands its bugs out in this order, so the first page costs no more
         * than its own length however many there are. */
        lw_buf_addz(&s->sql, " ORDER BY f.rowid");
        return 0;
    }
    struct lw_str field = q->sort.n ? q->sort : LW_S("id");
    bool down = lw_str_has_prefix(field, LW_S("-"));
    if (down)
        field = lw_str_from(field, 1);
    if (s->match.n && lw_str_eq(field, LW_S("relevance"))) {
        lw_buf_addz(&s->sql, " ORDER BY f.rank, b.id");
        return 0;
    }
    const struct bug_field *f = bug_field_find(field);
    bool level = lw_str_eq(field, LW_S("support_level"));
    if (!level && (!f || !f->in_list))
        return lw_err_set(
            err, LW_EINVAL,
            "cannot sort by '%.*s'; use a listed field such as id, title, category, "
            "support_level (or relevance with --text)",
            LW_F(field));
    const char *table = !level && f->table == BUG_IN_ENVIRONMENT ? "e" : "b";
    const char *order = down ? " DESC" : "";
    lw_buf_addf(&s->sql, " ORDER BY %s.%.*s%s", table, LW_F(field), order);
    if (!lw_str_eq(field, LW_S("id")))
        lw_buf_addf(&s->sql, ", b.id%s", order);
    return 0;
}

/* Must the bugs themselves be looked at, beside the text index? */
static bool needs_bugs(const struct lw_query *q, const struct facet_filter *filter)
{
    bool crowded = false;
    for (enum facet f = 0; f < FACETS; f++)
        crowded = crowded || filter->crowded[f];
    return crowded || q->tool.n || !fits_match(filter);
}

/* The text index holds living bugs only: its matches need no look at the bugs themselves. */
static void add_words(struct select *s, const struct lw_query *q,
                      const struct facet_filter *filter, enum select_what what)
{
    bool alone = what == SELECT_COUNT && !needs_bugs(q, filter);
    /* The text index first, then its bugs by number: the planner must not try it the other
     * way. */
    lw_buf_addf(&s->sql, " FROM bug_text f%s",
                alone ? "" : " CROSS JOIN bug b ON b.num = f.rowid");
    if (what == SELECT_BUGS)
        lw_buf_addz(&s->sql, " JOIN environment e ON e.bug = b.num");
    lw_buf_addz(&s->sql, " WHERE bug_text MATCH ?");
    bind(s, lw_buf_str(&s->match));
}

static void add_source(struct select *s, const struct lw_query *q,
                       const struct facet_filter *filter, enum select_what what)
{
    if (s->match.n) {
        add_words(s, q, filter, what);
    } else {
        lw_buf_addz(&s->sql, " FROM bug b");
        if (what == SELECT_BUGS)
            lw_buf_addz(&s->sql, " JOIN environment e ON e.bug = b.num");
        lw_buf_addz(&s->sql, " WHERE b.retracted = ''");
    }
    add_filters(s, q, filter);
}

int select_build(struct select *s, struct lw_mem *mem, const struct lw_query *q,
                 const struct facet_filter *filter, enum select_what what, struct lw_err *err)
{
    *s = (struct select){0};
    lw_buf_init(&s->sql, mem, 0);
    lw_buf_init(&s->match, mem, 0);
    build_match(s, q->text, filter);
    lw_buf_addz(&s->sql, what == SELECT_COUNT ? "SELECT count(*) FROM (SELECT 1" : "SELECT ");
    if (what == SELECT_BUGS)
        select_columns(&s->sql, false);
    add_source(s, q, filter, what);
    int rc = what == SELECT_BUGS ? add_order(s, q, err) : 0;
    /* Behind a filter of the caller's own the rows are counted by hand. */
    bool by_hand = q->accept && !filter->by_environment;
    if (what == SELECT_COUNT)
        lw_buf_addf(&s->sql, " LIMIT %" PRId64 ")", q->limit ? (int64_t)q->limit : -1);
    else if (!by_hand && (q->limit || q->offset))
        lw_buf_addf(&s->sql, " LIMIT %" PRId64 " OFFSET %" PRIu64,
                    q->limit ? (int64_t)q->limit : -1, q->offset);
    if (rc == 0 && (s->sql.failed || s->match.failed || s->failed))
        rc = lw_err_nomem(err);
    return rc;
}

void select_release(struct select *s)
{
    lw_vec_release(s->sql.mem, &s->bound);
    lw_buf_release(&s->match);
    lw_buf_release(&s->sql);
}
