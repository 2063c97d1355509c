#include "check/query/bindings.h"

#include "check/engine/syntax.h"
#include "check/engine/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- builtins -----------------------------------------------------------------------------
 */

/* Sorted, for a binary search. */
const char *const bindings_builtins[] = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "get_ipython",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reveal_type",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
};
const size_t bindings_builtin_count = COUNT(bindings_builtins);

bool bindings_is_builtin(struct lw_str name)
{
    size_t low = 0, high = bindings_builtin_count;
    if (lw_str_has_prefix(name, LW_S("__")) && lw_str_has_suffix(name, LW_S("__")))
        return true; /* __file__, __class__; misspelt ones are another matter */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = lw_str_cmp(name, lw_str(bindings_builtins[middle]));
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static bool is_builtin_of_python2(struct lw_str name)
{
    static const char *const gone[] = {"StandardError", "apply",  "basestring", "buffer",
                                       "cmp",           "coerce", "execfile",   "file",
                                       "intern",        "long",   "raw_input",  "reduce",
                                       "reload",        "unichr", "unicode",    "xrange"};
    return text_is_any(name, gone, COUNT(gone));
}

/* ---- versions of Python -------------------------------------------------------------------
 */

/* print(x, end=''), super().f(), an annotation, an f-string, … */
static bool is_of_python3(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    switch (n->kind) {
    case LW_NODE_JOINED_STR:
    case LW_NODE_NONLOCAL:
    case LW_NODE_ANN_ASSIGN:
    case LW_NODE_NAMED:
    case LW_NODE_AWAIT:
    case LW_NODE_YIELD_FROM: return true;
    case LW_NODE_BIN_OP: return n->op == LW_OP_MAT_MULT;
    case LW_NODE_PARAM: return lw_tree_get(t, node, LW_ROLE_ANNOTATION) != LW_NO_NODE;
    case LW_NODE_FUNCTION:
        return lw_tree_get(t, node, LW_ROLE_RETURNS) != LW_NO_NODE ||
               (n->flags & LW_NODE_ASYNC);
    case LW_NODE_RAISE: return lw_tree_get(t, node, LW_ROLE_CAUSE) != LW_NO_NODE;
    case LW_NODE_CALL: return n->count == 1 && text_is(lw_tree_text(t, n->child), "super");
    default: return false;
    }
}

bool bindings_is_python3(struct ck_file *f)
{
    for (uint32_t n = 0; !f->python3.searched && !f->python3.yes && n < f->tree.nodes.n; n++)
        f->python3.yes = is_of_python3(&f->tree, n);
    f->python3.searched = true;
    return f->python3.yes;
}

/* ---- names that the text does not show ----------------------------------------------------
 */

/* A call of globals(), locals() or vars() that only looks. */
static bool only_reads(const struct lw_tree *t, uint32_t call)
{
    static const char *const looks[] = {"get", "keys", "items", "values", "copy"};
    uint32_t up = lw_tree_parent(t, call);
    switch (lw_tree_kind(t, up)) {
    case LW_NODE_SUBSCRIPT: {
        enum lw_role role = (enum lw_role)lw_tree_node(t, up)->role;
        return role != LW_ROLE_TARGETS && role != LW_ROLE_TARGET;
    }
    case LW_NODE_ATTRIBUTE: return text_is_any(lw_tree_name(t, up), looks, COUNT(looks));
    case LW_NODE_COMPARE:
    case LW_NODE_BIN_OP:
    case LW_NODE_FOR:
    case LW_NODE_KEYWORD: return true;
    default: return false;
    }
}

/* What a function does to locals() binds nothing. */
static bool hides(const struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (text_is(name, "exec") || text_is(name, "execfile"))
        return true;
    bool local = text_is(name, "locals") || text_is(name, "vars");
    if (!text_is(name, "globals") && !(local && f->names.scope_of.v[call] == 0))
        return false;
    return lw_tree_node(t, call)->count == 1 && !only_reads(t, call);
}

static bool search_hidden(const struct ck_file *f)
{
    static const char *const sure[] = {"__builtins__", "builtins.", "__builtin__.",
                                       "sys.modules[__name__]"};
    static const char *const perhaps[] = {"exec", "globals(", "locals(", "vars()"};
    const struct lw_tree *t = &f->tree;
    if (text_says_any(f->code, sure, COUNT(sure)))
        return true;
    if (!text_says_any(f->code, perhaps, COUNT(perhaps)))
        return false;
    for (uint32_t n = 0; n < t->nodes.n; n++)
        if (lw_tree_kind(t, n) == LW_NODE_EXEC ||
            (lw_tree_kind(t, n) == LW_NODE_CALL && hides(f, n)))
            return true;
    return false;
}

/* %run other.ipynb, %pylab, %load, %store -r */
static bool has_loading_magic(const struct lw_lexed *l)
{
    static const char *const words[] = {"%run", "%pylab", "%load", "%store", "%cython"};
    for (size_t i = 0; i < l->trivia.n; i++) {
        const struct lw_trivia *m = &l->trivia.v[i];
        struct lw_str text = lw_str_part(l->text, m->start, m->end - m->start);
        if (m->kind == LW_TRIVIA_MAGIC && text_says_any(text, words, COUNT(words)))
            return true;
    }
    return false;
}

bool bindings_are_hidden(struct ck_file *f)
{
    if (!f->hides_names.searched) {
        f->hides_names.searched = true;
        f->hides_names.yes = search_hidden(f) || has_loading_magic(&f->tree.lexed);
    }
    return f->hides_names.yes;
}

/* ---- modules ------------------------------------------------------------------------------
 */

/* What could not be read may have bound anything. Python 2 was read. */
static bool is_broken(const struct ck_file *f)
{
    for (size_t i = 0; i < f->tree.lexed.errors.n; i++)
        if (f->tree.lexed.errors.v[i].severity == LW_SYNTAX_ERROR)
            return true;
    return false;
}

static void add_star(struct bindings *b, struct ck_file *f)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i] == f)
            return;
    b->v[b->n++] = f;
}

void bindings_init(struct bindings *b, struct ck *c, struct ck_file *f)
{
    *b = (struct bindings){.c = c, .v = {f}, .n = 1};
    for (size_t i = 0; i < b->n; i++) {
        const struct lw_names *names = &b->v[i]->names;
        b->open |= bindings_are_hidden(b->v[i]) || is_broken(b->v[i]) ||
                   lw_names_find(names, 0, LW_S("__getattr__")) != LW_NO_SYMBOL;
        for (size_t s = 0; s < names->stars.n && !b->open; s++) {
            uint32_t import = lw_tree_parent(&b->v[i]->tree, names->stars.v[s]);
            struct ck_file *from = ck_imported_file(c, b->v[i], import);
            b->open = !from;
            if (from)
                add_star(b, from);
        }
    }
}

lw_tri bindings_has(const struct bindings *b, struct lw_str name)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct lw_names *n = &b->v[i]->names;
        uint32_t s = lw_names_find(n, 0, name);
        if ((s != LW_NO_SYMBOL && (n->symbols.v[s].flags & LW_SYMBOL_BOUND)) ||
            ck_is_submodule(b->c, b->v[i], name))
            return LW_TRI_YES;
    }
    return b->open ? LW_TRI_MAYBE : LW_TRI_NO;
}

/* ---- what excuses a use -------------------------------------------------------------------
 */

/* try: unicode; except NameError: … */
static bool expects_absence(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t try = lw_tree_enclosing(t, node, LW_NODE_TRY); try != LW_NO_NODE;
         try = lw_tree_enclosing(t, try, LW_NODE_TRY))
        for (uint32_t h = lw_tree_each(t, try, LW_ROLE_HANDLERS, LW_NO_NODE); h != LW_NO_NODE;
             h = lw_tree_each(t, try, LW_ROLE_HANDLERS, h)) {
            uint32_t type = lw_tree_get(t, h, LW_ROLE_TYPE);
            if (type == LW_NO_NODE || text_says(lw_tree_text(t, type), "NameError"))
                return true;
        }
    return false;
}

static bool is_annotation(const struct lw_tree *t, uint32_t node)
{
    for (; node != LW_NO_NODE; node = lw_tree_parent(t, node)) {
        enum lw_role role = (enum lw_role)lw_tree_node(t, node)->role;
        if (role == LW_ROLE_ANNOTATION || role == LW_ROLE_RETURNS)
            return true;
        if (lw_node_is_statement(lw_tree_kind(t, node)))
            return false;
    }
    return false;
}

static bool mentions_any(const struct ck *c, const struct ck_file *f, const char *const *words,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ck_file_mentions(c, f, words[i]))
            return true;
    return false;
}

/* if 'name' in globals(): the program asks whether there is one. */
static bool is_asked_for(struct ck_file *f, struct ck *c, struct lw_str name)
{
    static const char *const lists[] = {"globals()", "locals()", "dir()", "vars()"};
    return mentions_any(c, f, lists, COUNT(lists)) &&
           (ck_file_has(c, f, CK_QUOTED, ck_text(c, "'%.*s'", LW_F(name))) ||
            ck_file_has(c, f, CK_QUOTED, ck_text(c, "\"%.*s\"", LW_F(name))));
}

/* Names that notebooks have: display(x), Out[3], _3. */
static bool is_of_notebook(const struct ck *c, const struct ck_file *f, struct lw_str name)
{
    static const char *const given[] = {"display", "In", "Out"};
    bool notebook =
        f->source.notebook.cell_count > 0 || ck_file_mentions(c, f, "get_ipython()");
    return notebook && (name.p[0] == '_' || text_is_any(name, given, 3));
}

/* A builtin of Python 2 in a program that may be run with it, or that asks what it runs with.
 */
static bool is_of_python2(const struct ck *c, struct ck_file *f, struct lw_str name)
{
    static const char *const asks[] = {"version_info", "six",     "PY2",
                                       "PY3",          "py2",     "py3",
                                       "sys.version",  "_compat", "python_version"};
    return is_builtin_of_python2(name) &&
           (!bindings_is_python3(f) || mentions_any(c, f, asks, COUNT(asks)));
}

/* Behind a raise or return of the same block, as exercises have it until they are solved. */
static bool is_unreachable(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t s = lw_tree_statement(t, node); s != LW_NO_NODE && s != t->root;
         s = lw_tree_parent(t, s)) {
        const struct lw_node *n = lw_tree_node(t, s);
        uint32_t first = lw_tree_node(t, n->parent)->child;
        for (uint32_t b = first; b < s; b++) {
            enum lw_node_kind kind = lw_tree_kind(t, b);
            if (lw_tree_node(t, b)->role == n->role && n->role != LW_ROLE_NONE &&
                (kind == LW_NODE_RAISE || kind == LW_NODE_RETURN))
                return true;
        }
    }
    return false;
}

/* Uses of one function, or of one file, are asked about one after the other. */
struct exercise {
    const struct ck_file *file;
    uint32_t top;
    bool yes;
};

static const char exercise_key;

/* An exercise that is still to be solved: the names are bound in the gap. */
bool bindings_is_exercise(struct ck *c, const struct ck_file *f, uint32_t node)
{
    static const char *const marks[] = {"YOUR CODE",       "YOUR_CODE",       "Your code here",
                                        "your code here",  "START CODE HERE", "Start code here",
                                        "Insert code here"};
    const struct lw_tree *t = &f->tree;
    uint32_t top = node;
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_parent(t, n))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION)
            top = n;
    if (f->source.notebook.cell_count && f->gaps.n)
        return true;
    if (f->source.notebook.cell_count || top == node)
        top = t->root;
    struct exercise *known = ck_state(c, &exercise_key, sizeof *known);
    if (!known || (known->file == f && known->top == top))
        return !known || known->yes;
    struct lw_str text = top == t->root ? f->source.text : lw_tree_text(t, top);
    *known = (struct exercise){f, top, text_says_any(text, marks, COUNT(marks))};
    return known->yes;
}

bool bindings_excuse(struct ck *c, struct ck_file *f, uint32_t node)
{
    struct lw_str name = lw_tree_name(&f->tree, node);
    return expects_absence(&f->tree, node) || is_unreachable(&f->tree, node) ||
           bindings_is_exercise(c, f, node) || is_of_notebook(c, f, name) ||
           ck_file_has(c, f, CK_MAGIC, name) || is_of_python2(c, f, name) ||
           is_asked_for(f, c, name) ||
           (ck_file_mentions(c, f, "import annotations") && is_annotation(&f->tree, node));
}
