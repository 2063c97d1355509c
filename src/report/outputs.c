/*
 * What machines print: which lines are a training log, a shell session, a list of versions, a
 * patch or a model's layers, and what shell lines and imports they hold.
 */
#include "report/log_reader.h"
#include "report/terms.h"

/* ---- Marks at the start of a line -------------------------------------------------------- */

/* "In [3]: ", "In[3]:", "   ...: " */
static size_t notebook_prompt(struct lw_str s)
{
    size_t i = 0;
    if (lw_str_has_prefix(s, LW_S("...:")))
        return 4;
    if (!lw_str_has_prefix(s, LW_S("In")))
        return 0;
    i = report_skip_blanks(s, 2);
    if (i >= s.n || s.p[i++] != '[')
        return 0;
    while (i < s.n && (report_is_digit(s.p[i]) || s.p[i] == ' ' || s.p[i] == '*'))
        i++;
    return lw_str_has_prefix(lw_str_from(s, i), LW_S("]:")) ? i + 2 : 0;
}

size_t report_prompt(struct lw_str line)
{
    size_t from = report_skip_blanks(line, 0);
    struct lw_str s = lw_str_from(line, from);
    size_t n = lw_str_has_prefix(s, LW_S(">>>")) ? 3 : notebook_prompt(s);
    if (!n && lw_str_has_prefix(s, LW_S("... ")))
        n = 3;
    return n ? report_skip_blanks(line, from + n) : 0;
}

/* "$ ", "% ", "user@host:~$ ", "(env) $ ", "C:\x>": the length of a shell's prompt, else 0. */
static size_t shell_prompt(struct lw_str line)
{
    enum { LONGEST = 60 };
    size_t from = report_skip_blanks(line, 0);
    struct lw_str s = lw_str_part(line, 0, LONGEST);
    if (lw_str_has_prefix(lw_str_from(s, from), LW_S("$ ")))
        return from + 2;
    if (from < s.n && s.p[from] == '!' && from + 1 < s.n && report_is_letter(s.p[from + 1]))
        return from + 1; /* of a notebook */
    ptrdiff_t dollar = lw_str_find(s, LW_S("$ "));
    if (dollar < 1)
        dollar = lw_str_find(s, LW_S("# "));
    bool host = dollar > 0 && (lw_str_find_char(lw_str_part(s, 0, (size_t)dollar), '@') > 0 ||
                               (s.p[dollar] == '$' && s.p[from] == '('));
    if (host)
        return (size_t)dollar + 2;
    ptrdiff_t angle = lw_str_find_char(s, '>');
    bool drive = angle > 2 && s.n > from + 2 && report_is_letter(s.p[from]) &&
                 s.p[from + 1] == ':' && s.p[from + 2] == '\\';
    return drive ? report_skip_blanks(line, (size_t)angle + 1) : 0;
}

static size_t token(struct lw_str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.n && !report_is_blank(s.p[at + n]))
        n++;
    return n;
}

/* The program that a shell line begins with, behind "NAME=value" and sudo; NULL when the first
 * word is none that the tables have. */
static const struct report_word *program_of(const struct report_words *words, struct lw_str s)
{
    size_t at = report_skip_blanks(s, 0), n;
    for (int skipped = 0; skipped < 4 && at < s.n; skipped++) {
        size_t length = token(s, at);
        struct lw_str word = lw_str_part(s, at, length);
        bool assigned = report_is_upper(s.p[at]) && lw_str_find_char(word, '=') > 0;
        if (!assigned && !lw_str_eq(word, LW_S("sudo")))
            break;
        at = report_skip_blanks(s, at + length);
    }
    if (at >= s.n || !report_word_begins(s, at))
        return NULL;
    const struct report_word *w =
        report_words_at(words, s, at, report_word_bit(REPORT_WORD_PROGRAM), &n);
    return w && (at + n == s.n || report_is_blank(s.p[at + n])) && report_is_lower(s.p[at])
               ? w
               : NULL;
}

/* Is it more than a sentence that begins with the name of a program? An option, a path or a
 * word that such programs take follows. */
static bool looks_called(const struct report_words *words, struct lw_str s)
{
    static const char *const actions[] = {"install", "clone",    "run",     "create",
                                          "list",    "checkout", "build",   "update",
                                          "-m",      "train",    "setup.py"};
    if (!program_of(words, s))
        return false;
    if (s.n && report_is_upper(lw_str_trim(s).p[0]) && lw_str_find(s, LW_S("=")) > 0)
        return true;
    size_t at = report_skip_blanks(s, 0);
    at = report_skip_blanks(s, at + token(s, at));
    struct lw_str second = lw_str_part(s, at, token(s, at));
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (lw_str_eq(second, lw_str(actions[i])))
            return true;
    return second.n > 1 && (second.p[0] == '-' || lw_str_has_suffix(second, LW_S(".py")) ||
                            lw_str_has_suffix(second, LW_S(".sh")));
}

/* ---- Sorts of lines ---------------------------------------------------------------------- */

/* "numpy==1.18", "numpy    1.18.1    py37_0" */
static bool is_version_line(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    size_t n = 0, gap;
    if (lw_str_has_prefix(s, LW_S("[pip")) || lw_str_has_prefix(s, LW_S("[conda]")))
        return true;
    while (n < s.n && (report_is_word(s.p[n]) || s.p[n] == '-' || s.p[n] == '.'))
        n++;
    if (n < 2 || !report_is_letter(s.p[0]))
        return false;
    struct lw_str rest = lw_str_from(s, n);
    if (lw_str_has_prefix(rest, LW_S("==")))
        return rest.n > 2 && report_is_digit(rest.p[2]);
    gap = report_skip_blanks(rest, 0);
    if (gap < 2 || gap >= rest.n || !report_is_digit(rest.p[gap]))
        return false;
    size_t length = token(rest, gap);
    return lw_str_find_char(lw_str_part(rest, gap, length), '.') > 0;
}

/* The lines of torch's collect_env that have no library's name in the tables. */
static bool is_environment_line(struct lw_str line)
{
    static const char *const heads[] = {"Collecting environment information",
                                        "PyTorch version:",
                                        "Is debug build",
                                        "CUDA used to build PyTorch",
                                        "GCC version:",
                                        "CMake version:",
                                        "Is CUDA available",
                                        "CUDA runtime version:",
                                        "GPU models and configuration",
                                        "Nvidia driver version:",
                                        "cuDNN version:",
                                        "Versions of relevant libraries",
                                        "ROCM used to build PyTorch",
                                        "Python version:",
                                        "HIP runtime version"};
    struct lw_str s = lw_str_trim(line);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (lw_str_has_prefix(s, lw_str(heads[i])))
            return true;
    return false;
}

static bool is_diff_line(struct lw_str s)
{
    return lw_str_has_prefix(s, LW_S("diff --git ")) || lw_str_has_prefix(s, LW_S("@@ -")) ||
           lw_str_has_prefix(s, LW_S("--- a/")) || lw_str_has_prefix(s, LW_S("+++ b/"));
}

/* "dense_1 (Dense)   (None, 10)", "(fc): Linear(in_features=…)", the rules of a summary */
static bool is_model_line(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    if (lw_str_has_prefix(s, LW_S("Layer (type)")) ||
        lw_str_has_prefix(s, LW_S("Total params:")) ||
        lw_str_has_prefix(s, LW_S("Trainable params:")) ||
        lw_str_has_prefix(s, LW_S("Non-trainable params:")))
        return true;
    ptrdiff_t shape = lw_str_find(s, LW_S("(None, "));
    if (shape > 0 && lw_str_find(lw_str_part(s, 0, (size_t)shape), LW_S(" (")) > 0)
        return true;
    ptrdiff_t colon = lw_str_find(s, LW_S("): "));
    return s.n > 4 && s.p[0] == '(' && colon > 1 && colon < 40 &&
           lw_str_find_char(s, '(') == 0 && report_is_upper(s.p[colon + 3]);
}

/* "2019-10-01 12:00:00.123456: I tensorflow/core/…" */
static bool is_runtime_line(struct lw_str s)
{
    static const char *const levels[] = {": I ", ": W ", ": E ", ": F "};
    bool date = s.n > 24 && report_is_digit(s.p[0]) && s.p[4] == '-' && s.p[7] == '-';
    for (size_t i = 0; date && i < sizeof levels / sizeof *levels; i++)
        if (lw_str_find(lw_str_part(s, 0, 40), lw_str(levels[i])) > 0)
            return true;
    return false;
}

static int sort_of(struct lw_report *r, struct lw_str line, enum lw_output_sort *sort)
{
    bool is = false;
    int rc = 0;
    *sort = LW_OUTPUT_PLAIN;
    if (is_diff_line(line))
        *sort = LW_OUTPUT_DIFF;
    else if (shell_prompt(line))
        *sort = LW_OUTPUT_SHELL;
    else if (is_environment_line(line) || is_version_line(line))
        *sort = LW_OUTPUT_VERSIONS;
    else if (is_model_line(line))
        *sort = LW_OUTPUT_MODEL;
    else if ((rc = lw_log_line(&r->log, line, 0, NULL, NULL, &is)) == 0 && is)
        *sort = LW_OUTPUT_LOG;
    return rc;
}

/* ---- Lines that nothing fences ----------------------------------------------------------- */

static bool is_bare(const struct report_line *l)
{
    return !l->fenced && l->kind == REPORT_LINE_PROSE;
}

/* A patch goes on as long as its lines have marks. */
static bool goes_on_diff(struct lw_str s, const struct report_line *before)
{
    return before->kind == REPORT_LINE_OUTPUT && before->sort == LW_OUTPUT_DIFF && s.n &&
           (s.p[0] == '+' || s.p[0] == '-' || s.p[0] == ' ' ||
            lw_str_has_prefix(s, LW_S("index ")));
}

/* Does a sort need company? One "name 1.2" in a text is no list. */
static bool has_company(const struct lw_report *r, const report_lines *lines, size_t i)
{
    size_t same = 0;
    for (size_t k = i > 2 ? i - 2 : 1; k < lines->n && k <= i + 2; k++)
        if (k != i && !lines->v[k].fenced && lines->v[k].kind != REPORT_LINE_BLANK)
            same += is_version_line(report_line_text(r, &lines->v[k])) ||
                    is_environment_line(report_line_text(r, &lines->v[k]));
    return same >= 2;
}

static int judge_bare(struct lw_report *r, report_lines *lines, size_t i)
{
    struct report_line *l = &lines->v[i];
    struct lw_str s = report_line_text(r, l);
    enum lw_output_sort sort;
    if (goes_on_diff(s, &lines->v[i - 1])) {
        l->kind = REPORT_LINE_OUTPUT;
        l->sort = LW_OUTPUT_DIFF;
        return 0;
    }
    int rc = sort_of(r, s, &sort);
    bool is = sort != LW_OUTPUT_PLAIN;
    if (sort == LW_OUTPUT_VERSIONS)
        is = has_company(r, lines, i);
    if (sort == LW_OUTPUT_PLAIN && looks_called(r->words, s)) {
        is = true;
        sort = LW_OUTPUT_SHELL;
    }
    if (is || is_runtime_line(s)) {
        l->kind = REPORT_LINE_OUTPUT;
        l->sort = (uint8_t)sort;
    }
    return rc;
}

/* Lines with a Python prompt are code, what follows them is what they printed. */
static void mark_prompts(struct lw_report *r, report_lines *lines)
{
    bool after = false;
    for (size_t i = 1; i < lines->n; i++) {
        struct report_line *l = &lines->v[i];
        bool bare = !l->fenced && (l->kind == REPORT_LINE_PROSE || l->kind == REPORT_LINE_CODE);
        struct lw_str s = report_line_text(r, l);
        bool prompt = bare && report_prompt(s) && (s.p[0] != '.' || after);
        if (prompt)
            l->kind = REPORT_LINE_CODE;
        else if (bare && after && l->kind == REPORT_LINE_PROSE)
            l->kind = REPORT_LINE_OUTPUT;
        after = prompt || (after && bare);
    }
}

int report_find_outputs(struct lw_report *r, report_lines *lines, struct lw_err *err)
{
    mark_prompts(r, lines);
    lw_log_clear(&r->log);
    for (size_t i = 1; i < lines->n; i++)
        if (is_bare(&lines->v[i]) && judge_bare(r, lines, i) < 0)
            return lw_err_nomem(err);
    return 0;
}

/* ---- The sort of a block ----------------------------------------------------------------- */

static enum lw_output_sort sort_of_language(struct lw_str language)
{
    static const char *const shells[] = {"bash",     "sh",  "shell",      "console",      "zsh",
                                         "terminal", "cmd", "powershell", "shell-session"};
    if (lw_str_eq_nocase(language, LW_S("diff")) || lw_str_eq_nocase(language, LW_S("patch")))
        return LW_OUTPUT_DIFF;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (lw_str_eq_nocase(language, lw_str(shells[i])))
            return LW_OUTPUT_SHELL;
    return LW_OUTPUT_PLAIN;
}

/* The sort that most lines have which have one. A patch needs only its head. */
int report_sort_output(struct lw_report *r, struct lw_fact *b)
{
    size_t count[LW_OUTPUT_MODEL + 1] = {0};
    struct lw_str rest = b->text, line;
    lw_log_clear(&r->log);
    while (lw_str_line(&rest, &line)) {
        enum lw_output_sort sort;
        int rc = sort_of(r, line, &sort);
        if (rc < 0)
            return rc;
        if (sort == LW_OUTPUT_PLAIN && looks_called(r->words, line))
            sort = LW_OUTPUT_SHELL;
        count[sort]++;
    }
    enum lw_output_sort best = LW_OUTPUT_PLAIN;
    for (int i = LW_OUTPUT_LOG; i <= LW_OUTPUT_MODEL; i++)
        if (count[i] > (best ? count[best] : 0))
            best = (enum lw_output_sort)i;
    if (count[LW_OUTPUT_DIFF])
        best = LW_OUTPUT_DIFF;
    if (best == LW_OUTPUT_VERSIONS && count[best] < 2)
        best = LW_OUTPUT_PLAIN;
    enum lw_output_sort said = sort_of_language(b->code.language);
    b->code.sort = best ? best : said;
    return 0;
}

/* ---- Metrics of a log -------------------------------------------------------------------- */

struct metric_sink {
    struct lw_report *r;
    uint32_t block;
    bool any;
};

static int add_row(void *data, const struct lw_log_row *row)
{
    struct metric_sink *m = data;
    struct lw_str part = lw_str_n(m->r->text.p + row->start, row->end - row->start);
    struct lw_fact f = report_fact(m->r, LW_FACT_METRIC, m->block, part);
    f.name = row->metric;
    f.text = row->text;
    f.metric.value = row->value;
    f.metric.epoch = row->epoch;
    f.metric.step = row->step;
    f.metric.logged = true;
    m->any = true;
    return report_add(m->r, f);
}

int report_log_metrics(struct lw_report *r, uint32_t block, bool *any)
{
    struct metric_sink m = {.r = r, .block = block};
    struct lw_str rest = r->blocks.v[block].text, line;
    *any = false;
    if (r->blocks.v[block].kind != LW_FACT_OUTPUT)
        return 0;
    lw_log_clear(&r->log);
    while (lw_str_line(&rest, &line)) {
        bool is;
        int rc = lw_log_line(&r->log, line, (uint32_t)(line.p - r->text.p), add_row, &m, &is);
        if (rc < 0)
            return rc;
    }
    *any = m.any;
    return 0;
}

/* ---- Shell lines ------------------------------------------------------------------------- */

static int add_command(struct lw_report *r, uint32_t block, struct lw_str command)
{
    command = lw_str_trim(command);
    const struct report_word *w = program_of(r->words, command);
    struct lw_fact f = report_fact(r, LW_FACT_COMMAND, block, command);
    f.name = w ? w->name : lw_str_part(command, 0, token(command, 0));
    return command.n ? report_add(r, f) : 0;
}

/* `line` and those behind it that a backslash at the end joins; `*rest` is what follows. */
static struct lw_str joined(struct lw_str line, struct lw_str *rest)
{
    struct lw_str whole = line, next;
    while (lw_str_has_suffix(lw_str_trim(whole), LW_S("\\")) && lw_str_line(rest, &next))
        whole.n = (size_t)(next.p + next.n - whole.p);
    return whole;
}

static int block_commands(struct lw_report *r, uint32_t block)
{
    const struct lw_fact *b = &r->blocks.v[block];
    bool shell = b->kind == LW_FACT_OUTPUT && b->code.sort == LW_OUTPUT_SHELL;
    struct lw_str rest = b->text, line;
    while (lw_str_line(&rest, &line)) {
        size_t prompt = shell_prompt(line);
        bool is = prompt && !(b->kind == LW_FACT_CODE && line.p[prompt - 1] != '!');
        if (shell && !prompt)
            is = program_of(r->words, line) != NULL;
        else if (b->kind == LW_FACT_OUTPUT && !prompt)
            is = looks_called(r->words, line);
        if (!is)
            continue;
        int rc = add_command(r, block, lw_str_from(joined(line, &rest), prompt));
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* `pip install x` inside a sentence. */
static int quoted_commands(struct lw_report *r, uint32_t block)
{
    struct lw_str text = r->blocks.v[block].text;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '`')
            continue;
        struct lw_str rest = lw_str_part(text, i + 1, 200);
        size_t n = 0;
        while (n < rest.n && rest.p[n] != '`' && rest.p[n] != '\n')
            n++;
        struct lw_str span = lw_str_part(rest, 0, n);
        size_t prompt = shell_prompt(span);
        struct lw_str command = lw_str_from(span, prompt);
        if (n == rest.n || rest.p[n] != '`')
            continue;
        if (program_of(r->words, command) && lw_str_find_char(lw_str_trim(command), ' ') > 0) {
            int rc = add_command(r, block, command);
            if (rc < 0)
                return rc;
        }
        i += n + 1;
    }
    return 0;
}

int report_commands(struct lw_report *r, uint32_t block)
{
    enum lw_fact_kind kind = r->blocks.v[block].kind;
    if (kind == LW_FACT_TRACE)
        return 0;
    return kind == LW_FACT_CODE || kind == LW_FACT_OUTPUT ? block_commands(r, block)
                                                          : quoted_commands(r, block);
}

/* ---- Imports ----------------------------------------------------------------------------- */

static size_t module_length(struct lw_str s)
{
    size_t n = 0;
    while (n < s.n && (report_is_word(s.p[n]) || s.p[n] == '.'))
        n++;
    return n && (report_is_letter(s.p[0]) || s.p[0] == '.') ? n : 0;
}

static int add_import(struct lw_report *r, uint32_t block, struct lw_str module)
{
    struct lw_fact f = report_fact(r, LW_FACT_IMPORT, block, module);
    struct lw_str top = module, rest = module;
    size_t n;
    (void)lw_str_split(&rest, '.', &top);
    const struct report_word *w =
        top.n ? report_words_at(r->words, top, 0, report_word_bit(REPORT_WORD_LIBRARY), &n)
              : NULL; /* from .x import y */
    f.name = w && n == top.n ? w->name : top;
    return report_add(r, f);
}

/* import a.b as c, d */
static int plain_import(struct lw_report *r, uint32_t block, struct lw_str s)
{
    struct lw_str piece;
    while (lw_str_split(&s, ',', &piece)) {
        piece = lw_str_trim(piece);
        size_t n = module_length(piece);
        struct lw_str after = lw_str_trim(lw_str_from(piece, n));
        if (!n || (after.n && after.p[0] != '#' && after.p[0] != ';' &&
                   !lw_str_has_prefix(after, LW_S("as "))))
            return 0;
        int rc = add_import(r, block, lw_str_part(piece, 0, n));
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int import_line(struct lw_report *r, uint32_t block, struct lw_str line)
{
    struct lw_str s = lw_str_trim(lw_str_from(line, report_prompt(line)));
    if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
        s = lw_str_trim(lw_str_from(s, 1));
    if (lw_str_has_prefix(s, LW_S("import ")))
        return plain_import(r, block, lw_str_from(s, 7));
    if (!lw_str_has_prefix(s, LW_S("from ")))
        return 0;
    s = lw_str_trim(lw_str_from(s, 5));
    size_t n = module_length(s);
    bool imports = lw_str_has_prefix(lw_str_trim(lw_str_from(s, n)), LW_S("import"));
    return n && imports ? add_import(r, block, lw_str_part(s, 0, n)) : 0;
}

int report_imports(struct lw_report *r, uint32_t block)
{
    const struct lw_fact *b = &r->blocks.v[block];
    struct lw_str rest = b->text, line;
    if (b->kind != LW_FACT_CODE && b->kind != LW_FACT_OUTPUT)
        return 0;
    while (lw_str_line(&rest, &line)) {
        int rc = import_line(r, block, line);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- Sections ---------------------------------------------------------------------------- */

struct lw_str report_section(const struct report_words *words, struct lw_str heading)
{
    size_t n;
    for (size_t i = 0; i < heading.n; i++) {
        if (!report_word_begins(heading, i) || report_is_digit(heading.p[i]))
            continue;
        const struct report_word *w =
            report_words_at(words, heading, i, report_word_bit(REPORT_WORD_SECTION), &n);
        return w ? w->name : (struct lw_str){0};
    }
    return (struct lw_str){0};
}

bool report_is_section(const struct report_words *words, struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    size_t n, from = 0, end = s.n;
    if (lw_str_has_prefix(s, LW_S("* "))) /* of a list */
        return false;
    while (end > from && strchr(":*_ ", s.p[end - 1]))
        end--;
    while (from < end && strchr("*_ ", s.p[from]))
        from++;
    s = lw_str_part(s, from, end - from);
    if (!s.n || s.n > 60 || !report_word_begins(s, 0))
        return false;
    const struct report_word *w =
        report_words_at(words, s, 0, report_word_bit(REPORT_WORD_SECTION), &n);
    return w && n == s.n;
}
