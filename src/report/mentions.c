/*
 * What blocks mention: links, files, dotted names, identifiers.
 *
 * One scan over the bytes of a block. At each place the longest thing that can begin there is
 * taken, so that the parts of a path or a link are not mentioned again.
 */
#include "report/internal.h"

struct scan {
    struct lw_report *r;
    uint32_t block;
    struct lw_str text; /* of the block */
    size_t at;
    bool names; /* identifiers are looked for too */
    bool files; /* file names too; those of a traceback are its frames */
};

static struct lw_str rest_of(const struct scan *s)
{
    return lw_str_from(s->text, s->at);
}

/* ---- Links ------------------------------------------------------------------------------- */

static bool ends_link(char c)
{
    return (unsigned char)c <= ' ' || c == ')' || c == '>' || c == '"' || c == ']' ||
           c == '<' || c == '`';
}

static struct lw_str cut_segment(struct lw_str *path)
{
    ptrdiff_t slash = lw_str_find_char(*path, '/');
    size_t n = slash < 0 ? path->n : (size_t)slash;
    struct lw_str piece = lw_str_part(*path, 0, n);
    *path = lw_str_from(*path, slash < 0 ? n : n + 1);
    return piece;
}

static uint32_t line_number(struct lw_str s, size_t *used)
{
    uint32_t v = 0;
    size_t i = 0;
    while (i < s.n && report_is_digit(s.p[i]) && v < 100000000)
        v = v * 10 + (uint32_t)(s.p[i++] - '0');
    *used = i;
    return v;
}

/* "#L12-L20" at the end of `path` is cut off and read. */
static void cut_lines(struct lw_fact *f, struct lw_str *path)
{
    ptrdiff_t hash = lw_str_find_char(*path, '#');
    if (hash < 0)
        return;
    struct lw_str mark = lw_str_from(*path, (size_t)hash + 1);
    *path = lw_str_part(*path, 0, (size_t)hash);
    if (!mark.n || mark.p[0] != 'L')
        return;
    size_t used;
    f->link.first_line = line_number(lw_str_from(mark, 1), &used);
    f->link.last_line = f->link.first_line;
    mark = lw_str_from(mark, 1 + used);
    if (lw_str_has_prefix(mark, LW_S("-")))
        mark = lw_str_from(mark, mark.n > 1 && mark.p[1] == 'L' ? 2 : 1);
    uint32_t last = line_number(mark, &used);
    if (used && last >= f->link.first_line)
        f->link.last_line = last;
}

/* https://host/owner/name/blob/rev/path#L1 of GitHub and GitLab; raw.githubusercontent.com has
 * no word before the revision. */
static void read_repository(struct lw_fact *f, struct lw_str url)
{
    ptrdiff_t at = lw_str_find(url, LW_S("://"));
    struct lw_str path = lw_str_from(url, (size_t)(at + 3));
    struct lw_str host = cut_segment(&path);
    bool raw = lw_str_eq(host, LW_S("raw.githubusercontent.com"));
    if (!raw && lw_str_find(host, LW_S("github.com")) < 0 &&
        lw_str_find(host, LW_S("gitlab.com")) < 0)
        return;
    const char *repo = path.p;
    struct lw_str owner = cut_segment(&path), name = cut_segment(&path);
    if (!owner.n || !name.n)
        return;
    f->link.repo = lw_str_n(repo, (size_t)(name.p + name.n - repo));
    if (lw_str_has_prefix(path, LW_S("-/")))
        path = lw_str_from(path, 2);
    if (!raw) {
        struct lw_str word = cut_segment(&path);
        if (!lw_str_eq(word, LW_S("blob")) && !lw_str_eq(word, LW_S("tree")) &&
            !lw_str_eq(word, LW_S("raw")) && !lw_str_eq(word, LW_S("blame")))
            return;
    }
    f->link.rev = cut_segment(&path);
    cut_lines(f, &path);
    f->link.path = path;
}

/* The label of [label](… when `at` is the target's first byte. */
static struct lw_str label_before(struct lw_str text, size_t at)
{
    if (at < 3 || text.p[at - 1] != '(' || text.p[at - 2] != ']')
        return (struct lw_str){0};
    size_t end = at - 2, start = end;
    while (start > 0 && text.p[start - 1] != '[' && text.p[start - 1] != '\n')
        start--;
    if (start == 0 || text.p[start - 1] != '[')
        return (struct lw_str){0};
    return lw_str_part(text, start, end - start);
}

static int take_link(struct scan *s, bool *taken)
{
    struct lw_str rest = rest_of(s);
    *taken =
        lw_str_has_prefix(rest, LW_S("https://")) || lw_str_has_prefix(rest, LW_S("http://"));
    if (!*taken)
        return 0;
    size_t n = 0;
    while (n < rest.n && !ends_link(rest.p[n]))
        n++;
    while (n > 8 && (rest.p[n - 1] == '.' || rest.p[n - 1] == ',' || rest.p[n - 1] == ':'))
        n--;
    struct lw_fact f = report_fact(s->r, LW_FACT_LINK, s->block, lw_str_part(rest, 0, n));
    f.link.label = label_before(s->text, s->at);
    read_repository(&f, f.text);
    s->at += n;
    return report_add(s->r, f);
}

/* ---- Files and dotted names -------------------------------------------------------------- */

static bool is_path_char(char c)
{
    return report_is_word(c) || c == '/' || c == '.' || c == '-' || c == '~' || c == '\\' ||
           c == '@' || c == '+';
}

static bool is_source_file(struct lw_str path)
{
    static const char *const endings[] = {
        "py",   "ipynb", "pyx",  "cc",  "cpp",  "cu",  "h",  "hpp", "java", "js",  "ts",
        "yaml", "yml",   "json", "cfg", "toml", "ini", "sh", "txt", "md",   "rst", "jsonnet"};
    size_t dot = path.n;
    while (dot > 0 && path.p[dot - 1] != '.')
        dot--;
    struct lw_str ending = lw_str_from(path, dot);
    if (dot < 2 || ending.n == 0 || !report_is_lower(ending.p[0]) ||
        !report_is_word(path.p[dot - 2]))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (endings[i][0] == ending.p[0] && lw_str_eq(ending, lw_str(endings[i])))
            return true;
    return false;
}

/* A file name above its quoted lines, as pages show links into a repository:
 *
 *     owner/name/path.py
 *              Line 177
 */
static uint32_t line_below(struct lw_str s)
{
    static const char *const leads[] = {"Line ", "Lines "};
    size_t i = 0, used;
    while (i < s.n && i < 60 && (report_is_blank(s.p[i]) || s.p[i] == '\n'))
        i++;
    s = lw_str_from(s, i);
    for (size_t k = 0; i > 0 && k < sizeof leads / sizeof *leads; k++)
        if (lw_str_has_prefix(s, lw_str(leads[k])))
            return line_number(lw_str_from(s, strlen(leads[k])), &used);
    return 0;
}

/* The line number behind a file name: ":12" or ", line 12" or "#L12". */
static uint32_t line_behind(struct lw_str s)
{
    static const char *const leads[] = {":", "#L", ", line ", " line ", " (line "};
    size_t used;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (lw_str_has_prefix(s, lw_str(leads[i])))
            return line_number(lw_str_from(s, strlen(leads[i])), &used);
    return line_below(s);
}

/* identifier(.identifier)+, none of them a single letter alone with a single letter (e.g.). */
static bool is_dotted(struct lw_str s)
{
    size_t parts = 0, longest = 0;
    struct lw_str part;
    while (lw_str_split(&s, '.', &part)) {
        if (!part.n || !report_is_letter(part.p[0]))
            return false;
        for (size_t i = 0; i < part.n; i++)
            if (!report_is_word(part.p[i]))
                return false;
        parts++;
        longest = part.n > longest ? part.n : longest;
    }
    return parts >= 2 && longest >= 3;
}

/* A path or dotted name at the place; 0 bytes taken when there is none. */
static int take_path(struct scan *s, size_t *taken)
{
    struct lw_str rest = rest_of(s);
    size_t n = 0;
    *taken = 0;
    while (n < rest.n && is_path_char(rest.p[n]))
        n++;
    while (n && (rest.p[n - 1] == '.' || rest.p[n - 1] == '-' || rest.p[n - 1] == '/' ||
                 rest.p[n - 1] == '~' || rest.p[n - 1] == '+'))
        n--;
    struct lw_str part = lw_str_part(rest, 0, n);
    if (n < 3 || lw_str_find_char(part, '.') < 0)
        return 0;
    struct lw_fact f;
    if (is_source_file(part)) {
        *taken = n;
        if (!s->files)
            return 0;
        f = report_fact(s->r, LW_FACT_FILE, s->block, part);
        f.file.line = line_behind(lw_str_from(rest, n));
    } else if (is_dotted(part)) {
        f = report_fact(s->r, LW_FACT_MODULE, s->block, part);
    } else {
        return 0;
    }
    *taken = n;
    return report_add(s->r, f);
}

/* ---- Identifiers ------------------------------------------------------------------------- */

static bool is_camel(struct lw_str w)
{
    for (size_t i = 1; i < w.n; i++)
        if (report_is_upper(w.p[i]) && report_is_lower(w.p[i - 1]))
            return true;
    return w.n > 3 && report_is_upper(w.p[0]) && report_is_upper(w.p[1]) &&
           report_is_lower(w.p[w.n - 1]) && report_is_lower(w.p[w.n - 2]);
}

static bool is_snake(struct lw_str w)
{
    for (size_t i = 1; i + 1 < w.n; i++)
        if (w.p[i] == '_' && report_is_word(w.p[i - 1]) && report_is_word(w.p[i + 1]))
            return true;
    return w.n > 4 && w.p[0] == '_' && w.p[1] == '_';
}

static int take_name(struct scan *s, size_t *taken)
{
    struct lw_str rest = rest_of(s);
    size_t n = 0;
    while (n < rest.n && report_is_word(rest.p[n]))
        n++;
    *taken = n;
    struct lw_str w = lw_str_part(rest, 0, n);
    if (!s->names || n < 2)
        return 0;
    bool quoted = s->at > 0 && s->text.p[s->at - 1] == '`' && n < rest.n &&
                  (rest.p[n] == '`' || rest.p[n] == '(');
    bool called = n + 1 < rest.n && rest.p[n] == '(';
    struct lw_fact f = report_fact(s->r, LW_FACT_NAME, s->block, w);
    f.word.quoted = quoted;
    if (is_snake(w))
        f.word.shape = LW_NAME_SNAKE;
    else if (is_camel(w))
        f.word.shape = LW_NAME_CLASS;
    else if (called)
        f.word.shape = LW_NAME_CALLED;
    else if (quoted)
        f.word.shape = LW_NAME_WORD;
    else
        return 0;
    return report_add(s->r, f);
}

int report_mentions(struct lw_report *r, uint32_t block)
{
    const struct lw_fact *b = &r->blocks.v[block];
    struct scan s = {.r = r, .block = block, .text = b->text};
    s.names =
        b->kind == LW_FACT_SUMMARY || b->kind == LW_FACT_HEADING || b->kind == LW_FACT_PROSE;
    s.files = b->kind != LW_FACT_TRACE;
    while (s.at < s.text.n) {
        char c = s.text.p[s.at];
        if (!is_path_char(c)) {
            s.at++;
            continue;
        }
        bool link = false;
        size_t taken = 0;
        int rc = take_link(&s, &link);
        if (rc == 0 && !link)
            rc = take_path(&s, &taken);
        if (rc == 0 && !link && !taken && report_is_word(c))
            rc = take_name(&s, &taken);
        if (rc < 0)
            return rc;
        s.at += link ? 0 : taken ? taken : 1;
    }
    return 0;
}
