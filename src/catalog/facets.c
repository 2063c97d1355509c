#include "catalog/facets.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/str.h"

const char *const facet_names[FACETS] = {"source",  "type",     "leaf",      "category",
                                         "symptom", "property", "framework", "environment"};

/* Bits of each code: room for several times the words there are. Together 63 at most. */
static const unsigned bits[FACETS] = {6, 5, 11, 6, 6, 6, 7, 14};

unsigned facet_shift(enum facet f)
{
    unsigned shift = 0;
    for (int i = 0; i < (int)f; i++)
        shift += bits[i];
    return shift;
}

int64_t facet_mask(enum facet f)
{
    return (INT64_C(1) << bits[f]) - 1;
}

void facets_init(struct facets *f, struct lw_mem *mem)
{
    lw_arena_init(&f->arena, mem, 0);
    lw_map_init(&f->known, mem);
}

void facets_release(struct facets *f)
{
    lw_map_release(&f->known);
    lw_arena_release(&f->arena);
}

void facets_forget(struct facets *f)
{
    lw_map_clear(&f->known);
    lw_arena_clear(&f->arena);
}

void facet_word(struct lw_buf *to, enum facet f, int64_t code)
{
    /* U+E000 and following, which the tokenizer takes for letters. Without printf: an import
     * writes eight of them a bug. */
    char word[32];
    size_t at = sizeof word;
    do
        word[--at] = (char)('0' + code % 10);
    while ((code /= 10) > 0);
    word[--at] = (char)(0x80 + (int)f);
    word[--at] = (char)0x80;
    word[--at] = (char)0xee;
    if (to->n)
        word[--at] = ' ';
    lw_buf_add(to, lw_str_n(word + at, sizeof word - at));
}

static struct lw_str of_bug(const struct lw_bug *bug, enum facet f)
{
    const struct lw_str texts[] = {bug->source,  bug->type,     bug->leaf,     bug->category,
                                   bug->symptom, bug->property, bug->framework};
    return texts[f];
}

struct lw_str facet_asked(const struct lw_query *q, enum facet f)
{
    const struct lw_str texts[] = {q->source,  q->type,     q->leaf,     q->category,
                                   q->symptom, q->property, q->framework};
    return f == FACET_ENVIRONMENT ? LW_S("") : texts[f];
}

/* The code of a stored value; -1 when no bug ever had it. */
static int look_up(struct sql *sql, enum facet f, struct lw_str name, int64_t *code,
                   struct lw_err *err)
{
    sqlite3_stmt *stmt;
    *code = -1;
    if (sql_prepare(sql, "SELECT code FROM word WHERE kind = ? AND name = ?", &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(facet_names[f]));
    sql_bind_text(stmt, 2, name);
    int rc = sql_step(sql, stmt, err);
    if (rc > 0)
        *code = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return rc < 0 ? rc : 0;
}

/* Gives the value the next code, or all that are too many the last one. */
static int add_word(struct sql *sql, enum facet f, struct lw_str name, int64_t *code,
                    struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(sql,
                    "INSERT INTO word(kind, name, code) SELECT ?1, ?2, n FROM "
                    "(SELECT coalesce(max(code) + 1, 0) AS n FROM word WHERE kind = ?1) "
                    "WHERE n < ?3",
                    &stmt, err) < 0)
        return err->code;
    sql_bind_text(stmt, 1, lw_str(facet_names[f]));
    sql_bind_text(stmt, 2, name);
    sqlite3_bind_int64(stmt, 3, facet_mask(f));
    if (sql_done(sql, stmt, err) < 0 || look_up(sql, f, name, code, err) < 0)
        return err->code;
    if (*code < 0)
        *code = facet_mask(f);
    return 0;
}

static int remember(struct facets *f, struct lw_str key, int64_t code, struct lw_err *err)
{
    struct lw_str copy = lw_arena_copy(&f->arena, key);
    struct lw_map_entry *e = copy.p ? lw_map_put(&f->known, copy, NULL) : NULL;
    if (!e)
        return lw_err_nomem(err);
    e->value = (uint64_t)code;
    return 0;
}

/* `key` is "kind\nname". */
static int code_of(struct facets *f, struct sql *sql, enum facet facet, struct lw_str key,
                   int64_t *code, struct lw_err *err)
{
    const struct lw_map_entry *e = lw_map_find(&f->known, key);
    if (e) {
        *code = (int64_t)e->value;
        return 0;
    }
    struct lw_str name = lw_str_from(key, (size_t)lw_str_find_char(key, '\n') + 1);
    if (look_up(sql, facet, name, code, err) < 0 ||
        (*code < 0 && add_word(sql, facet, name, code, err) < 0))
        return err->code;
    return remember(f, key, *code, err);
}

int facets_of(struct facets *f, struct sql *sql, const struct lw_bug *bug, int64_t *number,
              struct lw_buf *words, struct lw_err *err)
{
    struct lw_buf key;
    int rc = 0;
    *number = 0;
    lw_buf_init(&key, f->arena.mem, 0);
    for (enum facet i = 0; rc == 0 && i < FACETS; i++) {
        int64_t code = 0;
        lw_buf_clear(&key);
        lw_buf_addz(&key, facet_names[i]);
        lw_buf_add_char(&key, '\n');
        if (i == FACET_ENVIRONMENT) {
            const struct lw_str parts[] = {bug->modules, bug->framework, bug->framework_version,
                                           bug->python_version};
            for (size_t p = 0; p < 4; p++) {
                lw_buf_add(&key, parts[p]);
                lw_buf_add_char(&key, '\n');
            }
        } else {
            lw_buf_add(&key, of_bug(bug, i));
        }
        rc = key.failed ? lw_err_nomem(err) : code_of(f, sql, i, lw_buf_str(&key), &code, err);
        *number |= code << facet_shift(i);
        facet_word(words, i, code);
    }
    lw_buf_release(&key);
    return rc == 0 && words->failed ? lw_err_nomem(err) : rc;
}

/* Asks the query's own filter about every environment; `*whole` false when one of them stands
 * for several, so that the bugs must be looked at one by one. */
static int ask_environments(struct facet_filter *out, struct sql *sql, const struct lw_query *q,
                            struct lw_mem *mem, bool *whole, struct lw_err *err)
{
    sqlite3_stmt *stmt;
    if (sql_prepare(sql, "SELECT name, code FROM word WHERE kind = 'environment'", &stmt, err) <
        0)
        return err->code;
    int rc;
    uint64_t seen = 0;
    while ((rc = sql_step(sql, stmt, err)) > 0) {
        struct lw_bug bug = {0};
        struct lw_str rest = sql_text(stmt, 0);
        struct lw_str *const parts[] = {&bug.modules, &bug.framework, &bug.framework_version,
                                        &bug.python_version};
        for (size_t p = 0; p < 4; p++)
            lw_str_split(&rest, '\n', parts[p]);
        seen++;
        if (q->accept(q->accept_data, &bug) &&
            lw_vec_push(mem, &out->environments, sqlite3_column_int64(stmt, 1)) < 0) {
            rc = lw_err_nomem(err);
            break;
        }
    }
    sqlite3_reset(stmt);
    *whole = seen < (uint64_t)facet_mask(FACET_ENVIRONMENT);
    return rc;
}

int facet_filter(struct facet_filter *out, struct sql *sql, const struct lw_query *q,
                 struct lw_mem *mem, struct lw_err *err)
{
    *out = (struct facet_filter){0};
    for (enum facet i = 0; i < FACET_ENVIRONMENT; i++) {
        int64_t code;
        struct lw_str asked = facet_asked(q, i);
        if (asked.n == 0)
            continue;
        if (look_up(sql, i, asked, &code, err) < 0)
            return err->code;
        if (code < 0) {
            /* Unknown, or one of too many: the last code stands for all of these. */
            code = facet_mask(i);
            out->crowded[i] = true;
        }
        out->mask |= facet_mask(i) << facet_shift(i);
        out->value |= code << facet_shift(i);
    }
    if (!q->accept || !q->accept_by_environment)
        return 0;
    return ask_environments(out, sql, q, mem, &out->by_environment, err);
}
