#include "reproduce/outside.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { LINES_LEAST = 2, ROWS = 60 };

/* ---- Modules -------------------------------------------------------------------------------
 */

/* "torchvision" of "from torchvision.utils import x" */
static struct lw_str module_of(struct lw_str statement)
{
    struct lw_str word = {0};
    lw_str_split(&statement, ' ', &word);
    lw_str_split(&statement, ' ', &word);
    ptrdiff_t dot = lw_str_find_char(word, '.');
    return lw_str_part(word, 0, dot > 0 ? (size_t)dot : word.n);
}

bool rp_is_absent(const struct rp_candidate *c, struct lw_str statement)
{
    struct lw_str rest = c->absent, name, module = module_of(statement);
    while (lw_str_split(&rest, ' ', &name))
        if (name.n && lw_str_eq(name, module))
            return true;
    return false;
}

static struct lw_str tokenizer_text(struct rp_program *p, struct lw_str name)
{
    return rp_printf(
        p,
        "    class %.*s:\n"
        "        \"\"\"Stand-in: one number a word.\"\"\"\n"
        "        vocab_size, pad_token_id, model_max_length = 1000, 0, 512\n\n"
        "        @classmethod\n"
        "        def from_pretrained(cls, *args, **kwargs):\n"
        "            return cls()\n\n"
        "        def tokenize(self, text):\n"
        "            return text.split()\n\n"
        "        def encode(self, text, *args, **kwargs):\n"
        "            return [sum(map(ord, word)) %% 1000 for word in text.split()]\n\n"
        "        def __len__(self):\n"
        "            return 1000\n\n",
        LW_F(name));
}

/* What takes the place of a name of the module. */
static struct lw_str stand_in_text(struct rp_program *p, struct lw_str name)
{
    if (lw_str_has_suffix(name, LW_S("Tokenizer")) ||
        lw_str_has_suffix(name, LW_S("TokenizerFast")))
        return tokenizer_text(p, name);
    if (lw_str_eq(name, LW_S("tqdm")))
        return LW_S("    def tqdm(items, *args, **kwargs):\n        return items\n\n");
    return rp_printf(p, "    from unittest.mock import MagicMock\n    %.*s = MagicMock()\n",
                     LW_F(name));
}

struct lw_str rp_optional_import(struct rp_program *p, struct lw_str statement)
{
    bool from = lw_str_has_prefix(statement, LW_S("from "));
    ptrdiff_t import = lw_str_find(statement, LW_S(" import "));
    struct lw_str text = rp_printf(p, "try:\n    %.*s\nexcept ImportError:\n", LW_F(statement));
    struct lw_str names = from && import > 0 ? lw_str_from(statement, (size_t)import + 8)
                                             : lw_str_from(statement, 7),
                  part;
    while (lw_str_split(&names, ',', &part)) {
        ptrdiff_t as = lw_str_find(part, LW_S(" as "));
        struct lw_str name = lw_str_trim(as > 0 ? lw_str_from(part, (size_t)as + 4) : part);
        ptrdiff_t dot = lw_str_find_char(name, '.');
        name.n = dot > 0 ? (size_t)dot : name.n;
        text = rp_printf(p, "%.*s%.*s", LW_F(text), LW_F(stand_in_text(p, name)));
    }
    return text;
}

void rp_optional_imports(struct rp_program *p, const struct rp_candidate *c)
{
    const struct lw_tree *t = &p->tree;
    uint32_t s = LW_NO_NODE;
    while ((s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) != LW_NO_NODE) {
        struct lw_str statement = lw_tree_text(t, s);
        bool import =
            lw_tree_kind(t, s) == LW_NODE_IMPORT || lw_tree_kind(t, s) == LW_NODE_IMPORT_FROM;
        if (!import || !rp_is_absent(c, statement) || lw_str_find_char(statement, '(') >= 0 ||
            lw_str_find_char(statement, '*') >= 0 || lw_str_find_char(statement, '\n') >= 0)
            continue;
        bool model = lw_str_find(statement, LW_S("okenizer")) > 0;
        rp_replace(p, rp_statement_start(t, s), rp_statement_end(p, s),
                   rp_optional_import(p, statement),
                   (struct lw_step){.action = model ? LW_ACTION_MODEL : LW_ACTION_IMPORT,
                                    .basis = LW_STEP_STAND_IN,
                                    .why = rp_printf(p,
                                                     "'%.*s' is not installed; stand-ins take "
                                                     "the place of its names",
                                                     LW_F(module_of(statement)))});
    }
}

/* ---- Files ---------------------------------------------------------------------------------
 */

static size_t commas(struct lw_str line)
{
    size_t n = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == ',')
            n++;
        else if (line.p[i] == ' ' && i + 1 < line.n && i > 0 && line.p[i - 1] != ',')
            return 0; /* a sentence */
    }
    return n;
}

static bool is_numbers(struct lw_str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (!memchr("0123456789.,-+eE ", line.p[i], 17))
            return false;
    return line.n > 0;
}

/* The first rows of comma-separated numbers in the report, with the header before them. */
static struct lw_str shown_rows(struct lw_str text)
{
    struct lw_str line, rest = text, before = {0}, start = {0};
    size_t columns = 0, rows = 0;
    while (lw_str_line(&rest, &line)) {
        size_t n = commas(line);
        if (rows > 0 && n == columns && is_numbers(line)) {
            rows++;
        } else if (rows >= LINES_LEAST) {
            break;
        } else if (n > 0 && is_numbers(line)) {
            start = commas(before) == n ? before : line;
            columns = n, rows = 1;
        } else {
            rows = 0;
        }
        before = line;
    }
    if (rows < LINES_LEAST)
        return LW_S("");
    return lw_str_n(start.p, (size_t)(before.p + before.n - start.p) <= text.n
                                 ? (size_t)(line.p - start.p)
                                 : 0);
}

/* A table of numbers with a column a feature and the class at the end. */
static void put_rows(struct lw_buf *out, const struct rp_facts *f)
{
    long long columns = f->input.dims[0] < 64 ? f->input.dims[0] : 64;
    long long classes = f->classes > 1 ? f->classes : 2;
    for (int row = 0; row <= ROWS; row++) {
        for (long long i = 0; i < columns; i++) {
            if (row == 0)
                lw_buf_addf(out, "x%lld,", i);
            else
                lw_buf_addf(out, "%lld.%lld,", (row + i) % 5, (row * 7 + i * 3) % 10);
        }
        if (row == 0)
            lw_buf_addz(out, "label\n");
        else
            lw_buf_addf(out, "%lld\n", row % classes);
    }
}

struct lw_str rp_file_content(struct rp_program *p, const struct rp_facts *f)
{
    struct lw_str shown = lw_str_trim(shown_rows(lw_report_text(p->report)));
    struct lw_buf text;
    lw_buf_init(&text, p->mem, 0);
    if (shown.n == 0)
        put_rows(&text, f);
    struct lw_str content =
        rp_printf(p, "%.*s%s", LW_F(shown), shown.n ? "\n" : lw_buf_z(&text));
    if (text.failed)
        p->failed = LW_ENOMEM;
    lw_buf_release(&text);
    return content;
}
