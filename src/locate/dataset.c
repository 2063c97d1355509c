#include "locate/dataset.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

enum { MAX_REPORT = 16 << 20 };

/* ---- Dates ------------------------------------------------------------------------------- */

/* Days since 1970-01-01 of the Gregorian calendar (H. Hinnant, days_from_civil). */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool digits(struct lw_str text, size_t at, size_t n, int64_t *out)
{
    *out = 0;
    if (at + n > text.n)
        return false;
    for (size_t i = at; i < at + n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        *out = *out * 10 + (text.p[i] - '0');
    }
    return true;
}

/* "", "Z", "+02:00", "-0730": seconds east of Greenwich. */
static bool zone_of(struct lw_str text, int64_t *seconds)
{
    int64_t hours = 0, minutes = 0;
    *seconds = 0;
    if (text.n == 0 || lw_str_eq(text, LW_S("Z")) || lw_str_eq(text, LW_S(" UTC")))
        return true;
    if ((text.p[0] != '+' && text.p[0] != '-') || !digits(text, 1, 2, &hours))
        return false;
    size_t at = text.n > 3 && text.p[3] == ':' ? 4 : 3;
    if (text.n > 3 && (!digits(text, at, 2, &minutes) || text.n != at + 2))
        return false;
    *seconds = (hours * 60 + minutes) * 60 * (text.p[0] == '-' ? -1 : 1);
    return true;
}

bool lw_parse_time(struct lw_str text, int64_t *seconds)
{
    int64_t year, month, day, hour = 0, minute = 0, second = 0, zone = 0;
    text = lw_str_trim(text);
    if (!digits(text, 0, 4, &year) || !digits(text, 5, 2, &month) ||
        !digits(text, 8, 2, &day) || text.p[4] != '-' || text.p[7] != '-' || month < 1 ||
        month > 12 || day < 1 || day > 31)
        return false;
    if (text.n > 10) {
        if ((text.p[10] != 'T' && text.p[10] != ' ') || !digits(text, 11, 2, &hour) ||
            !digits(text, 14, 2, &minute))
            return false;
        size_t at = 16;
        if (text.n > at && text.p[at] == ':') {
            if (!digits(text, at + 1, 2, &second))
                return false;
            at += 3;
        }
        if (text.n > at && text.p[at] == '.')
            for (at++; at < text.n && text.p[at] >= '0' && text.p[at] <= '9';)
                at++;
        if (!zone_of(lw_str_from(text, at), &zone))
            return false;
    }
    *seconds = ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - zone;
    return true;
}

/* ---- Plain text -------------------------------------------------------------------------- */

/* The length of a <denchmark-…> tag at `at`, or 0. */
static size_t tag_at(struct lw_str text, size_t at)
{
    struct lw_str rest = lw_str_from(text, at);
    if (!lw_str_has_prefix(rest, LW_S("<denchmark-")) &&
        !lw_str_has_prefix(rest, LW_S("</denchmark-")))
        return 0;
    ptrdiff_t end = lw_str_find_char(rest, '>');
    return end < 0 ? 0 : (size_t)end + 1;
}

/* &#38; &#x26; : its code point, or 0. */
static uint32_t numeric_reference(struct lw_str name)
{
    bool hex = name.n > 1 && (name.p[1] == 'x' || name.p[1] == 'X');
    uint32_t point = 0;
    size_t at = hex ? 2 : 1;
    if (at >= name.n)
        return 0;
    for (; at < name.n; at++) {
        char c = name.p[at];
        int value = c >= '0' && c <= '9'          ? c - '0'
                    : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (value < 0 || point > 0x10ffff)
            return 0;
        point = point * (hex ? 16 : 10) + (uint32_t)value;
    }
    return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? 0 : point;
}

static uint32_t reference(struct lw_str name)
{
    static const struct {
        const char *name;
        uint32_t point;
    } known[] = {{"amp", '&'},      {"lt", '<'},       {"gt", '>'},        {"quot", '"'},
                 {"apos", '\''},    {"nbsp", 0xa0},    {"hellip", 0x2026}, {"mdash", 0x2014},
                 {"ndash", 0x2013}, {"lsquo", 0x2018}, {"rsquo", 0x2019},  {"ldquo", 0x201c},
                 {"rdquo", 0x201d}, {"times", 0xd7},   {"copy", 0xa9}};
    if (name.n && name.p[0] == '#')
        return numeric_reference(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(name, lw_str(known[i].name)))
            return known[i].point;
    return 0;
}

enum { MAX_REFERENCE = 10 };

/* Writes what the reference at `at` stands for; its length, or 0 when it is none. */
static size_t resolve(struct lw_str text, size_t at, char *out, size_t *written)
{
    ptrdiff_t end = lw_str_find_char(lw_str_part(text, at, MAX_REFERENCE), ';');
    uint32_t point = end < 0 ? 0 : reference(lw_str_part(text, at + 1, (size_t)end - 1));
    if (!point)
        return 0;
    *written = lw_utf8_encode(point, out);
    return (size_t)end + 1;
}

/* One pass; the result is never longer: no reference is shorter than its character. */
static struct lw_str pass(struct lw_arena *arena, struct lw_str text, bool tags)
{
    char *out = lw_arena_bytes(arena, text.n + 1);
    size_t n = 0;
    if (!out)
        return (struct lw_str){0};
    for (size_t at = 0; at < text.n;) {
        size_t written = 1, skip = 0;
        if (tags && text.p[at] == '<')
            skip = tag_at(text, at);
        if (skip)
            out[n] = ' ';
        else if (text.p[at] == '&')
            skip = resolve(text, at, out + n, &written);
        if (!skip) {
            out[n] = text.p[at];
            skip = 1;
        }
        n += written;
        at += skip;
    }
    out[n] = '\0';
    return lw_str_n(out, n);
}

struct lw_str lw_plain_text(struct lw_arena *arena, struct lw_str text)
{
    struct lw_str once = pass(arena, text, true);
    return once.p ? pass(arena, once, false) : once;
}

/* ---- Tickets ----------------------------------------------------------------------------- */

static int copy_member(struct lw_arena *arena, const json_t *object, const char *key,
                       struct lw_str *out, struct lw_err *err)
{
    const json_t *value = json_object_get(object, key);
    char number[32];
    struct lw_str text = lw_json_member(object, key);
    if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        text = lw_str(number);
    }
    *out = lw_arena_copy(arena, text);
    return out->p ? 0 : lw_err_nomem(err);
}

static int fill_ticket(struct lw_ticket *t, struct lw_arena *arena, const json_t *object,
                       struct lw_err *err)
{
    const struct {
        const char *key;
        struct lw_str *text;
    } members[] = {{"project", &t->project},
                   {"id", &t->id},
                   {"summary", &t->raw_summary},
                   {"description", &t->raw_description}};
    int rc = 0;
    for (size_t i = 0; i < sizeof members / sizeof *members && rc == 0; i++)
        rc = copy_member(arena, object, members[i].key, members[i].text, err);
    t->open_date = INT64_MAX;
    (void)lw_parse_time(lw_json_member(object, "open_date"), &t->open_date);
    return rc;
}

/* Of a text over so many bytes, what stands at its beginning and at its end, in whole lines
 * where there are any: a log, whose middle says no more. Trackers take 64 kB. */
enum { LONG_TEXT = 1 << 20 };

static struct lw_str shorten(struct lw_arena *arena, struct lw_str text)
{
    if (text.n <= LONG_TEXT)
        return text;
    struct lw_str head = lw_str_part(text, 0, LONG_TEXT / 2);
    struct lw_str tail = lw_str_from(text, text.n - LONG_TEXT / 2);
    ptrdiff_t last = lw_str_find_last_char(head, '\n'), first = lw_str_find_char(tail, '\n');
    head.n = last > 0 ? (size_t)last : head.n;
    tail = lw_str_from(tail, first < 0 ? 0 : (size_t)first + 1);
    char *p = lw_arena_bytes(arena, head.n + 1 + tail.n);
    if (!p)
        return (struct lw_str){0};
    memcpy(p, head.p, head.n);
    p[head.n] = '\n';
    memcpy(p + head.n + 1, tail.p, tail.n);
    return lw_str_n(p, head.n + 1 + tail.n);
}

static int make_plain(struct lw_ticket *t, struct lw_arena *arena, struct lw_err *err)
{
    t->raw_summary = shorten(arena, t->raw_summary);
    t->raw_description = shorten(arena, t->raw_description);
    if (!t->raw_summary.p || !t->raw_description.p)
        return lw_err_nomem(err);
    t->summary = lw_plain_text(arena, t->raw_summary);
    t->description = lw_plain_text(arena, t->raw_description);
    return t->summary.p && t->description.p ? 0 : lw_err_nomem(err);
}

int lw_ticket_parse(struct lw_ticket *t, struct lw_arena *arena, struct lw_str name,
                    struct lw_str text, struct lw_err *err)
{
    json_t *json = NULL;
    struct lw_err why = {0};
    int rc = 0;
    memset(t, 0, sizeof *t);
    t->open_date = INT64_MAX;
    text = lw_str_trim(text);
    if (text.n && text.p[0] == '{' && lw_json_parse(&json, name, text, &why) == 0 &&
        json_is_object(json)) {
        rc = fill_ticket(t, arena, json, err);
    } else {
        struct lw_str rest = text, line = {0};
        (void)lw_str_line(&rest, &line);
        while (line.n && line.p[0] == '#')
            line = lw_str_from(line, 1);
        t->raw_summary = lw_arena_copy(arena, lw_str_trim(line));
        t->raw_description = lw_arena_copy(arena, lw_str_trim(rest));
        rc = t->raw_summary.p && t->raw_description.p ? 0 : lw_err_nomem(err);
    }
    json_decref(json);
    if (rc == 0 && !lw_str_trim(t->raw_summary).n && !lw_str_trim(t->raw_description).n)
        return lw_err_set(err, LW_EINVAL, "report '%.*s' has no text", LW_F(name));
    return rc < 0 ? rc : make_plain(t, arena, err);
}

int lw_ticket_load(struct lw_ticket *ticket, struct lw_arena *arena, const char *path,
                   struct lw_err *err)
{
    struct lw_str text;
    int rc = lw_file_read(arena, path, MAX_REPORT, &text, err);
    return rc < 0 ? rc : lw_ticket_parse(ticket, arena, lw_str(path), text, err);
}

int lw_ticket_terms(struct lw_ticket *t, lw_index *index, struct lw_arena *arena,
                    struct lw_err *err)
{
    int rc = lw_index_terms(index, arena, t->summary, &t->summary_terms, err);
    if (rc == 0)
        rc = lw_index_terms(index, arena, t->description, &t->description_terms, err);
    return rc < 0 ? rc
                  : lw_bag_join(index, arena, &t->summary_terms, &t->description_terms,
                                &t->terms, err);
}

/* ---- Sets -------------------------------------------------------------------------------- */

static int fill_truth(struct lw_set *set, struct lw_set_line *line, const json_t *object,
                      struct lw_err *err)
{
    const json_t *truth = json_object_get(object, "truth");
    size_t n = json_array_size(truth);
    struct lw_str *v = lw_arena_array(&set->arena, n + 1, sizeof *v);
    if (!v)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const json_t *path = json_array_get(truth, i);
        if (!json_is_string(path))
            return lw_err_set(err, LW_EINVAL, "truth: not a list of paths");
        v[i] = lw_arena_copy(&set->arena,
                             lw_str_n(json_string_value(path), json_string_length(path)));
        if (!v[i].p)
            return lw_err_nomem(err);
    }
    line->truth = v;
    line->truth_count = n;
    return 0;
}

/* Scalars that are not the report's own text. */
static struct lw_str column_text(struct lw_arena *arena, const json_t *value)
{
    if (json_is_string(value))
        return lw_arena_copy(arena,
                             lw_str_n(json_string_value(value), json_string_length(value)));
    if (json_is_integer(value))
        return lw_arena_printf(arena, "%lld", (long long)json_integer_value(value));
    return lw_arena_copy(arena, json_is_true(value) ? LW_S("true") : LW_S("false"));
}

static bool is_column(const char *key, const json_t *value)
{
    return (json_is_string(value) || json_is_integer(value) || json_is_boolean(value)) &&
           strcmp(key, "summary") != 0 && strcmp(key, "description") != 0;
}

static int fill_columns(struct lw_set *set, struct lw_set_line *line, json_t *object,
                        struct lw_err *err)
{
    struct lw_column *v = lw_arena_array(&set->arena, json_object_size(object) + 1, sizeof *v);
    const char *key;
    json_t *value;
    if (!v)
        return lw_err_nomem(err);
    line->columns = v;
    json_object_foreach(object, key, value)
    {
        if (!is_column(key, value))
            continue;
        v->name = lw_arena_copy(&set->arena, lw_str(key));
        v->value = column_text(&set->arena, value);
        if (!v->name.p || !v->value.p)
            return lw_err_nomem(err);
        v++;
        line->column_count++;
    }
    return 0;
}

static int fill_line(struct lw_set *set, struct lw_set_line *line, json_t *object,
                     struct lw_err *err)
{
    int rc = fill_ticket(&line->ticket, &set->arena, object, err);
    if (rc == 0)
        rc = make_plain(&line->ticket, &set->arena, err);
    if (rc == 0)
        rc = copy_member(&set->arena, object, "mirror", &line->mirror, err);
    if (rc == 0)
        rc = copy_member(&set->arena, object, "buggy_commit", &line->buggy_commit, err);
    if (rc == 0)
        rc = copy_member(&set->arena, object, "fix_commit", &line->fix_commit, err);
    line->fix_date = INT64_MAX;
    (void)lw_parse_time(lw_json_member(object, "fix_time"), &line->fix_date);
    if (rc == 0)
        rc = fill_truth(set, line, object, err);
    if (rc == 0)
        rc = fill_columns(set, line, object, err);
    if (rc == 0 && (!line->ticket.project.n || !line->buggy_commit.n))
        rc = lw_err_set(err, LW_EINVAL, "no %s",
                        line->ticket.project.n ? "buggy_commit" : "project");
    return rc;
}

static int add_line(struct lw_set *set, const char *path, uint64_t number, struct lw_str text,
                    struct lw_err *err)
{
    struct lw_set_line line = {0};
    json_t *json = NULL;
    text = lw_str_trim(text);
    if (!text.n)
        return 0;
    char name[600];
    snprintf(name, sizeof name, "%.500s:%llu", path, (unsigned long long)number);
    int rc = lw_json_parse(&json, lw_str(name), text, err);
    if (rc < 0)
        return rc;
    if (json_is_object(json))
        rc = fill_line(set, &line, json, err);
    else
        rc = lw_err_set(err, LW_EINVAL, "not a JSON object");
    json_decref(json);
    if (rc < 0)
        return lw_err_context(err, "%s", name);
    return lw_vec_push(set->mem, &set->lines, line) < 0 ? lw_err_nomem(err) : 0;
}

/* Plain files come through the same reader. */
static int read_lines(struct lw_set *set, gzFile file, const char *path, struct lw_err *err)
{
    enum { CHUNK = 1 << 16 };
    struct lw_buf buf;
    uint64_t number = 0;
    int rc = 0, got = 1;
    lw_buf_init(&buf, set->mem, LW_SET_LINE_MAX);
    while (rc == 0 && got > 0) {
        char *room = lw_buf_room(&buf, CHUNK);
        got = room ? gzread(file, room, CHUNK) : -1;
        if (got < 0)
            rc = buf.failed == LW_ENOMEM ? lw_err_nomem(err)
                 : buf.failed
                     ? lw_err_set(err, LW_ELIMIT, "%s: a line is too long", path)
                     : lw_err_set(err, LW_EIO, "'%s' cannot be read or unpacked", path);
        if (got > 0)
            lw_buf_took(&buf, (size_t)got);
        struct lw_str rest = lw_buf_str(&buf), line;
        size_t used = 0;
        ptrdiff_t end;
        while (rc == 0 && (end = lw_str_find_char(rest, '\n')) >= 0) {
            line = lw_str_part(rest, 0, (size_t)end);
            rest = lw_str_from(rest, (size_t)end + 1);
            used += (size_t)end + 1;
            rc = add_line(set, path, ++number, line, err);
        }
        if (rc == 0 && got == 0)
            rc = add_line(set, path, ++number, rest, err);
        memmove(buf.p, buf.p + used, buf.n - used);
        lw_buf_cut(&buf, buf.n - used);
    }
    lw_buf_release(&buf);
    return rc;
}

int lw_set_load(struct lw_set *set, struct lw_mem *mem, const char *path, struct lw_err *err)
{
    memset(set, 0, sizeof *set);
    set->mem = mem;
    lw_arena_init(&set->arena, mem, 0);
    const char *name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    enum lw_file_kind kind = lw_file_kind(name);
    if (kind == LW_FILE_NONE)
        return lw_err_set(err, LW_ENOENT, "file '%s' does not exist", path);
    if (kind == LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL, "'%s' is a folder", path);
    gzFile file = gzopen(name, "rb");
    if (!file)
        return lw_err_set(err, LW_EIO, "cannot open '%s'", path);
    int rc = read_lines(set, file, path, err);
    gzclose(file);
    if (rc == 0 && set->lines.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "'%s' contains no reports", path);
    return rc;
}

void lw_set_release(struct lw_set *set)
{
    lw_vec_release(set->mem, &set->lines);
    lw_arena_release(&set->arena);
}

struct lw_str lw_set_column(const struct lw_set_line *line, struct lw_str name)
{
    for (size_t i = 0; i < line->column_count; i++)
        if (lw_str_eq(line->columns[i].name, name))
            return line->columns[i].value;
    return LW_S("");
}
