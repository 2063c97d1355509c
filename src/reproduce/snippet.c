#include "reproduce/snippet.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "reproduce/indent.h"

enum {
    SNIPPET_MAX = 64 << 10, /* bytes of each block that are looked at */
    BLOCKS_MAX = 16,
    ROUNDS_MAX = 24, /* of taking out lines that do not parse */
    LINES_MAX = 8192,
};

/* A code block on its way. */
struct block {
    struct lw_str text;
    size_t first, end; /* of its repairs */
};

/* What is wrong with a text. */
static int count_errors(struct rp_program *p, struct lw_str text, size_t *errors,
                        struct lw_err *err)
{
    int rc = lw_tree_parse(&p->tree, text, err);
    *errors = rc < 0 ? 0 : p->tree.lexed.errors.n;
    return rc;
}

/* One step for all lines of a block that were repaired in the same way. */
static void note(struct rp_program *p, const struct block *b, uint32_t line, const char *why)
{
    for (size_t i = b->first; i < p->repairs.n; i++)
        if (lw_str_eq(p->repairs.v[i].why, lw_str(why)))
            return;
    const struct lw_step step = {
        .action = LW_ACTION_COMPILER, .why = lw_str(why), .line = line};
    if (!p->failed)
        p->failed = lw_vec_push(p->mem, &p->repairs, step);
}

static struct lw_str keep(struct rp_program *p, struct lw_buf *b)
{
    struct lw_str copy = lw_arena_copy(p->arena, lw_buf_str(b));
    if (b->failed || !copy.p)
        p->failed = LW_ENOMEM;
    return copy.p ? copy : LW_S("");
}

/* ---- Whole blocks --------------------------------------------------------------------------
 */

static size_t blanks_before(struct lw_str line)
{
    size_t n = 0;
    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
}

/* The blanks that all lines with text begin with. */
static size_t common_indent(struct lw_str text)
{
    size_t least = SIZE_MAX;
    struct lw_str line;
    while (lw_str_line(&text, &line)) {
        size_t n = blanks_before(line);
        if (n < line.n && n < least)
            least = n;
    }
    return least == SIZE_MAX ? 0 : least;
}

/* Line ends become LF, and what no text has (NUL, bytes that are not UTF-8) a blank. */
static void clean(struct lw_buf *out, struct lw_str text)
{
    for (size_t i = 0; i < text.n;) {
        uint32_t point;
        size_t n = lw_utf8_decode(lw_str_from(text, i), &point);
        if (text.p[i] == '\r' && i + 1 < text.n && text.p[i + 1] == '\n')
            n = 1;
        else if (text.p[i] == '\r')
            lw_buf_add_char(out, '\n');
        else if (n == 0 || ((point < ' ' || point == 0x7f) && point != '\n' && point != '\t'))
            lw_buf_add_char(out, ' ');
        else
            lw_buf_add(out, lw_str_part(text, i, n));
        i += n ? n : 1;
    }
}

static void dedent(struct lw_buf *out, struct lw_str text)
{
    size_t n = common_indent(text);
    struct lw_str line;
    while (lw_str_line(&text, &line)) {
        lw_buf_add(out, lw_str_trim(line).n ? lw_str_from(line, n) : LW_S(""));
        lw_buf_add_char(out, '\n');
    }
}

/* ---- Lines ---------------------------------------------------------------------------------
 */

/* Length of ">>> ", "... ", "In [3]: ", "   ...: " at the start; 0: none. */
static size_t prompt_length(struct lw_str line)
{
    size_t i = blanks_before(line);
    struct lw_str s = lw_str_from(line, i);
    if (lw_str_has_prefix(s, LW_S(">>>")) || lw_str_has_prefix(s, LW_S("...:")))
        i += s.p[0] == '>' ? 3 : 4;
    else if (lw_str_has_prefix(s, LW_S("... ")) || lw_str_eq(s, LW_S("...")))
        i += 3;
    else if (lw_str_has_prefix(s, LW_S("In [")) && lw_str_find(s, LW_S("]:")) > 0)
        i += (size_t)lw_str_find(s, LW_S("]:")) + 2;
    else
        return 0;
    return i < line.n && line.p[i] == ' ' ? i + 1 : i;
}

static bool has_prompts(struct lw_str text)
{
    struct lw_str line;
    while (lw_str_line(&text, &line)) {
        struct lw_str s = lw_str_trim(line);
        if (lw_str_has_prefix(s, LW_S(">>> ")) ||
            (lw_str_has_prefix(s, LW_S("In [")) && lw_str_find(s, LW_S("]:")) > 0))
            return true;
    }
    return false;
}

/* "[3]", "In [3]", "# In[3]:" alone on a line: where a cell of a notebook begins. */
static bool is_cell_mark(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    size_t i = 0;
    if (lw_str_has_prefix(s, LW_S("In")))
        s = lw_str_trim(lw_str_from(s, 2));
    if (s.n < 3 || s.p[0] != '[')
        return false;
    for (i = 1; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
        i++;
    return i > 1 && i < s.n && s.p[i] == ']' && (i + 1 == s.n || s.p[i + 1] == ':') &&
           s.n <= i + 2;
}

static bool is_magic(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    return s.n > 1 && (s.p[0] == '%' || s.p[0] == '!' || s.p[0] == '$');
}

static void comment_out(struct lw_buf *out, struct lw_str line)
{
    lw_buf_addz(out, line.n ? "# " : "");
    lw_buf_add(out, line);
}

/* Takes off what a session or a notebook put around the code. */
static struct lw_str strip_session(struct rp_program *p, const struct block *b)
{
    struct lw_buf out;
    struct lw_str line, rest = b->text;
    bool prompts = has_prompts(b->text);
    lw_buf_init(&out, p->mem, 0);
    for (uint32_t n = 1; lw_str_line(&rest, &line); n++) {
        size_t skip = prompts ? prompt_length(line) : 0;
        if (skip > 0) {
            note(p, b, n, "took off the prompts");
            lw_buf_add(&out, lw_str_from(line, skip));
        } else if (prompts && lw_str_trim(line).n > 0) {
            note(p, b, n, "turned what the session printed into a comment");
            comment_out(&out, line);
        } else if (is_cell_mark(line) || is_magic(line)) {
            note(p, b, n, "turned marks of the notebook into comments");
            comment_out(&out, line);
        } else {
            lw_buf_add(&out, line);
        }
        lw_buf_add_char(&out, '\n');
    }
    struct lw_str result = keep(p, &out);
    lw_buf_release(&out);
    return result;
}

static const struct {
    const char *from, *to;
} typography[] = {
    {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""}, {"\xe2\x80\x9e", "\""},
    {"\xe2\x80\x98", "'"},  {"\xe2\x80\x99", "'"},  {"\xe2\x80\x93", "-"},
    {"\xe2\x88\x92", "-"},  {"\xc2\xa0", " "},      {"\xe2\x80\xa6", "..."},
    {"&lt;", "<"},          {"&gt;", ">"},          {"&amp;", "&"},
    {"&quot;", "\""},       {"&#39;", "'"},
};

static bool plain_line(struct lw_buf *out, struct lw_str line)
{
    bool changed = false;
    for (size_t i = 0; i < line.n;) {
        size_t k = 0, count = sizeof typography / sizeof *typography;
        while (k < count &&
               !lw_str_has_prefix(lw_str_from(line, i), lw_str(typography[k].from)))
            k++;
        if (k < count) {
            lw_buf_addz(out, typography[k].to);
            i += strlen(typography[k].from);
            changed = true;
        } else {
            lw_buf_add_char(out, line.p[i++]);
        }
    }
    return changed;
}

/* `print x` and `except E, e:` of Python 2; false: the line is neither. */
static bool modern_line(struct lw_buf *out, struct lw_str line)
{
    size_t n = blanks_before(line);
    struct lw_str s = lw_str_trim(line);
    if (lw_str_has_prefix(s, LW_S("print ")) || lw_str_eq(s, LW_S("print"))) {
        struct lw_str what = lw_str_trim(lw_str_from(s, 5));
        if (what.n && (what.p[0] == '(' || what.p[0] == '=' || what.p[0] == '>'))
            return false;
        if (what.n && what.p[what.n - 1] == ',')
            what.n--;
        lw_buf_add(out, lw_str_part(line, 0, n));
        lw_buf_addf(out, "print(%.*s)", LW_F(what));
        return true;
    }
    ptrdiff_t comma = lw_str_find_last_char(s, ',');
    if (!lw_str_has_prefix(s, LW_S("except ")) || comma < 0 || s.p[s.n - 1] != ':' ||
        lw_str_find_char(s, ')') >= 0)
        return false;
    lw_buf_add(out, lw_str_part(line, 0, n));
    lw_buf_addf(out, "%.*s as %.*s", (int)comma, s.p,
                LW_F(lw_str_trim(lw_str_from(s, (size_t)comma + 1))));
    return true;
}

/* Rewrites the lines that `change` knows how to. */
static struct lw_str change_lines(struct rp_program *p, const struct block *b,
                                  bool (*change)(struct lw_buf *, struct lw_str),
                                  const char *why)
{
    struct lw_buf out;
    struct lw_str line, rest = b->text;
    lw_buf_init(&out, p->mem, 0);
    for (uint32_t n = 1; lw_str_line(&rest, &line); n++) {
        size_t before = out.n;
        if (change(&out, line)) {
            note(p, b, n, why);
        } else {
            lw_buf_cut(&out, before);
            lw_buf_add(&out, line);
        }
        lw_buf_add_char(&out, '\n');
    }
    struct lw_str result = keep(p, &out);
    lw_buf_release(&out);
    return result;
}

/* ---- Indentation ---------------------------------------------------------------------------
 */

/* Notes the lines that differ. */
static void note_changes(struct rp_program *p, const struct block *b, struct lw_str after)
{
    struct lw_str before = b->text, x, y;
    for (uint32_t n = 1; lw_str_line(&before, &x) && lw_str_line(&after, &y); n++)
        if (!lw_str_eq(x, y))
            note(p, b, n, "put the indentation right");
}

static int fix_indent(struct rp_program *p, struct block *b, struct lw_err *err)
{
    size_t before, after;
    struct lw_buf out;
    int rc = count_errors(p, b->text, &before, err);
    if (rc < 0 || before == 0)
        return rc;
    lw_buf_init(&out, p->mem, 0);
    rp_indent(&out, b->text);
    struct lw_str other = keep(p, &out);
    lw_buf_release(&out);
    rc = count_errors(p, other, &after, err);
    if (rc == 0 && after < before) {
        note_changes(p, b, other);
        b->text = other;
    }
    return rc;
}

/* ---- What is no Python ---------------------------------------------------------------------
 */

/* What has become of a line: as it is, a comment, `pass` in its place, and the same one level
 * up with the line before it. */
enum fate { FATE_KEPT, FATE_COMMENT, FATE_PASS, FATE_PASS_UP };

static void write_line(struct lw_buf *out, struct lw_str line, enum fate fate, size_t above)
{
    size_t n = blanks_before(line);
    if (fate == FATE_KEPT) {
        lw_buf_add(out, line);
    } else if (fate == FATE_COMMENT) {
        lw_buf_add(out, lw_str_part(line, 0, n));
        comment_out(out, lw_str_from(line, n));
    } else {
        lw_buf_fill(out, ' ', fate == FATE_PASS ? n : above);
        lw_buf_addf(out, "pass  # %.*s", LW_F(lw_str_from(line, n)));
    }
    lw_buf_add_char(out, '\n');
}

static struct lw_str write_lines(struct rp_program *p, struct lw_str text, const uint8_t *fates)
{
    struct lw_buf out;
    struct lw_str line;
    size_t above = 0;
    lw_buf_init(&out, p->mem, 0);
    for (size_t n = 0; lw_str_line(&text, &line); n++) {
        enum fate fate = (enum fate)fates[n < LINES_MAX ? n : LINES_MAX];
        write_line(&out, line, fate, above);
        if (fate != FATE_COMMENT && fate != FATE_PASS_UP && lw_str_trim(line).n > 0)
            above = blanks_before(line);
    }
    struct lw_str result = keep(p, &out);
    lw_buf_release(&out);
    return result;
}

/* `return` outside a function, `break` outside a loop: they parse, but Python refuses them. */
static bool is_misplaced(const struct lw_tree *t, uint32_t n)
{
    enum lw_node_kind kind = lw_tree_kind(t, n);
    if (kind == LW_NODE_RETURN || kind == LW_NODE_YIELD || kind == LW_NODE_YIELD_FROM)
        return lw_tree_enclosing(t, n, LW_NODE_FUNCTION) == LW_NO_NODE &&
               lw_tree_enclosing(t, n, LW_NODE_LAMBDA) == LW_NO_NODE;
    if (kind != LW_NODE_BREAK && kind != LW_NODE_CONTINUE)
        return false;
    uint32_t function = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
    uint32_t loop = lw_tree_enclosing(t, n, LW_NODE_FOR);
    loop = loop == LW_NO_NODE ? lw_tree_enclosing(t, n, LW_NODE_WHILE) : loop;
    return loop == LW_NO_NODE ||
           (function != LW_NO_NODE && lw_tree_start(t, function) > lw_tree_start(t, loop));
}

/* Lines of what is misplaced become comments; how many there are. */
static size_t condemn_misplaced(struct rp_program *p, uint8_t *fates)
{
    size_t found = 0;
    for (uint32_t n = 0; n < p->tree.nodes.n; n++) {
        if (!is_misplaced(&p->tree, n))
            continue;
        uint32_t line = lw_tree_position(&p->tree, lw_tree_start(&p->tree, n)).line - 1;
        if (line < LINES_MAX)
            fates[line] = FATE_PASS;
        found++;
    }
    return found;
}

/* Each line with an error goes one step further. */
static void condemn(struct rp_program *p, uint8_t *fates)
{
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < p->tree.lexed.errors.n; i++) {
        uint32_t at = p->tree.lexed.errors.v[i].start;
        uint32_t line = lw_tree_position(&p->tree, at).line - 1;
        while (line > 0 && line < LINES_MAX && fates[line] == FATE_PASS_UP)
            line--;
        if (line != last && line < LINES_MAX && fates[line] < FATE_PASS_UP)
            fates[line]++;
        last = line;
    }
}

/* Lines that keep the text from parsing become comments. */
static int drop_errors(struct rp_program *p, struct block *b, struct lw_err *err)
{
    size_t errors = 0;
    uint8_t *fates = lw_arena_alloc(p->arena, LINES_MAX + 1);
    if (!fates)
        return lw_err_nomem(err);
    fates[LINES_MAX] = FATE_COMMENT;
    struct lw_str result = b->text;
    for (int round = 0; round <= ROUNDS_MAX; round++) {
        int rc = count_errors(p, result, &errors, err);
        if (rc < 0 || (errors == 0 && condemn_misplaced(p, fates) == 0))
            break;
        if (round == ROUNDS_MAX)
            memset(fates, FATE_COMMENT, LINES_MAX);
        else
            condemn(p, fates);
        result = write_lines(p, b->text, fates);
    }
    struct lw_str line, rest = b->text;
    for (uint32_t n = 0; lw_str_line(&rest, &line) && n < LINES_MAX; n++)
        if (fates[n] != FATE_KEPT && lw_str_trim(line).n > 0)
            note(p, b, n + 1, "took out lines that are not Python");
    b->text = result;
    return err->code == LW_ENOMEM ? LW_ENOMEM : 0;
}

/* ---- Blocks --------------------------------------------------------------------------------
 */

static int repair(struct rp_program *p, struct block *b, struct lw_err *err)
{
    size_t errors;
    struct lw_buf out;
    lw_buf_init(&out, p->mem, 0);
    b->first = p->repairs.n;
    clean(&out, lw_str_part(b->text, 0, SNIPPET_MAX));
    b->text = keep(p, &out);
    lw_buf_clear(&out);
    dedent(&out, b->text);
    b->text = keep(p, &out);
    lw_buf_release(&out);
    if (!rp_wants(p, LW_ACTION_COMPILER))
        return 0;
    b->text = strip_session(p, b);
    int rc = count_errors(p, b->text, &errors, err);
    if (rc == 0 && errors > 0)
        b->text = change_lines(p, b, plain_line, "replaced typographic characters");
    if (rc == 0 && errors > 0)
        b->text = change_lines(p, b, modern_line, "rewrote Python 2 as Python 3");
    if (rc == 0)
        rc = fix_indent(p, b, err);
    if (rc == 0)
        rc = drop_errors(p, b, err);
    b->end = p->repairs.n;
    return rc;
}

/* Does the module code of `text` use a name that the code of `other` binds? Names that it binds
 * itself do not count. */
static int uses_of(struct rp_program *p, struct lw_str text, struct lw_str other, bool *uses,
                   struct lw_err *err)
{
    struct lw_tree tree;
    struct lw_names names;
    lw_tree_init(&tree, p->mem);
    lw_names_init(&names, p->mem);
    *uses = false;
    int rc = lw_tree_parse(&tree, other, err);
    if (rc == 0)
        rc = lw_names_build(&names, &tree, err);
    if (rc == 0)
        rc = rp_program_parse(p, text, err);
    for (uint32_t n = 0; rc == 0 && n < p->tree.nodes.n && !*uses; n++) {
        struct lw_str name = lw_tree_name(&p->tree, n);
        if (lw_tree_kind(&p->tree, n) != LW_NODE_NAME || name.n == 0)
            continue;
        uint32_t own = lw_names_lookup(&p->names, p->names.scope_of.v[n], name);
        uint32_t theirs = lw_names_find(&names, 0, name);
        bool is_own = own != LW_NO_SYMBOL && (p->names.symbols.v[own].flags & LW_SYMBOL_BOUND);
        bool bound =
            theirs != LW_NO_SYMBOL && (names.symbols.v[theirs].flags & LW_SYMBOL_BOUND);
        *uses = bound && !is_own;
    }
    lw_names_release(&names);
    lw_tree_release(&tree);
    return rc;
}

/* A block that binds what an earlier one uses, and needs nothing of it, goes before it. */
static int order_blocks(struct rp_program *p, struct block *v, size_t n, struct lw_err *err)
{
    for (size_t i = 1; i < n; i++) {
        size_t to = i;
        for (size_t k = 0; k < i && to == i; k++) {
            bool early, late;
            int rc = uses_of(p, v[k].text, v[i].text, &early, err);
            if (rc == 0)
                rc = uses_of(p, v[i].text, v[k].text, &late, err);
            if (rc < 0)
                return rc;
            if (early && !late)
                to = k;
        }
        struct block moved = v[i];
        for (size_t k = i; k > to; k--)
            v[k] = v[k - 1];
        v[to] = moved;
    }
    return 0;
}

static size_t line_count(struct lw_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static struct lw_str join(struct rp_program *p, const struct block *v, size_t n)
{
    struct lw_buf out;
    lw_buf_init(&out, p->mem, 0);
    for (size_t i = 0; i < n; i++) {
        if (out.n > 0)
            lw_buf_add_char(&out, '\n');
        size_t before = line_count(lw_buf_str(&out));
        for (size_t k = v[i].first; k < v[i].end; k++)
            p->repairs.v[k].line += (uint32_t)before;
        lw_buf_add(&out, v[i].text);
    }
    struct lw_str result = keep(p, &out);
    lw_buf_release(&out);
    return result;
}

static int finish(struct rp_program *p, struct block *v, size_t n, struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = repair(p, &v[i], err);
    if (rc == 0)
        rc = order_blocks(p, v, n, err);
    struct block all = {.text = rc == 0 ? join(p, v, n) : LW_S("")};
    if (rc == 0 && rp_wants(p, LW_ACTION_COMPILER)) { /* blocks can break each other */
        all.first = p->repairs.n;
        rc = drop_errors(p, &all, err);
    }
    if (rc == 0)
        rc = rp_program_parse(p, all.text, err);
    return p->failed ? lw_err_nomem(err) : rc;
}

static size_t find_blocks(const struct rp_program *p, struct block *v, bool comments)
{
    size_t n = 0;
    const struct lw_fact *f = NULL;
    while ((f = lw_report_next(p->report, LW_FACT_CODE, f)) && n < BLOCKS_MAX)
        if ((lw_report_comment(p->report, f) > 0) == comments)
            v[n++] = (struct block){.text = f->text};
    return n;
}

int rp_snippet_read(struct rp_program *p, struct lw_err *err)
{
    struct block v[BLOCKS_MAX];
    size_t n = find_blocks(p, v, false);
    if (n == 0)
        n = find_blocks(p, v, true);
    if (n == 0)
        return lw_err_set(err, LW_EINVAL, "the report has no Python code to begin with");
    return finish(p, v, n, err);
}

int rp_snippet_repair(struct rp_program *p, struct lw_str text, struct lw_err *err)
{
    struct block b = {.text = text};
    return finish(p, &b, 1, err);
}
