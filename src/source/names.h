/*
 * names - scopes, what binds a name, what uses it, and which API it stands for.
 *
 * In: a parsed tree, borrowed, which must outlive the names. Out: scopes, symbols, bindings and
 * the symbol of each name node, owned until release; dotted targets live in an arena inside.
 *
 * Scopes are Python's: module, class, function, lambda, comprehension. A class scope is not
 * seen from the functions in it; the first iterable of a comprehension, decorators, defaults,
 * annotations and base classes belong to the scope around; `:=` in a comprehension binds
 * around it; `global` and `nonlocal` redirect. Type parameters count as local to what they
 * parametrize.
 */
#ifndef LW_SOURCE_NAMES_H
#define LW_SOURCE_NAMES_H

#include "base/arena.h"
#include "base/buf.h"
#include "source/tree.h"

enum { LW_NO_SYMBOL = UINT32_MAX };

enum lw_scope_kind {
    LW_SCOPE_MODULE,
    LW_SCOPE_CLASS,
    LW_SCOPE_FUNCTION,
    LW_SCOPE_LAMBDA,
    LW_SCOPE_COMPREHENSION,
};

struct lw_scope {
    uint8_t kind; /* enum lw_scope_kind */
    uint32_t node;
    uint32_t parent;       /* scope; of the module's: itself */
    uint32_t first_symbol; /* list through lw_symbol.next, in order of appearance */
    uint32_t last_symbol;
};

enum lw_binding_kind {
    LW_BIND_ASSIGN,
    LW_BIND_AUGMENT,
    LW_BIND_ANNOTATE,
    LW_BIND_FOR,
    LW_BIND_WITH,
    LW_BIND_EXCEPT,
    LW_BIND_WALRUS,
    LW_BIND_DELETE,
    LW_BIND_PARAM,
    LW_BIND_FUNCTION,
    LW_BIND_CLASS,
    LW_BIND_IMPORT,
    LW_BIND_PATTERN,
    LW_BIND_TYPE,
};

/* Bits of lw_symbol.flags. */
enum {
    LW_SYMBOL_BOUND = 1,    /* bound in its scope */
    LW_SYMBOL_GLOBAL = 2,   /* declared global there: means the module's symbol */
    LW_SYMBOL_NONLOCAL = 4, /* declared nonlocal there */
    LW_SYMBOL_USED = 8,     /* read somewhere */
    LW_SYMBOL_IMPORTED = 16,
};

struct lw_symbol {
    struct lw_str name; /* borrowed from the text */
    uint32_t scope;
    uint32_t flags;
    uint32_t next;          /* in the scope */
    uint32_t first_binding; /* list through lw_binding.next, in order */
    uint32_t last_binding;
    uint32_t first_import;    /* the ALIAS that binds it first, or LW_NO_NODE */
    uint32_t last_definition; /* the FUNCTION or CLASS that binds it last, or LW_NO_NODE */
};

struct lw_binding {
    uint32_t symbol;
    uint32_t node;  /* NAME, FUNCTION, CLASS, PARAM, ALIAS, HANDLER, MATCH_…, TYPE_PARAM */
    uint32_t token; /* the name itself */
    uint8_t kind;   /* enum lw_binding_kind */
    uint32_t next;
};

struct lw_names {
    struct lw_mem *mem;             /* borrowed */
    const struct lw_tree *tree;     /* borrowed */
    LW_VEC(struct lw_scope) scopes; /* 0 is the module's */
    LW_VEC(struct lw_symbol) symbols;
    LW_VEC(struct lw_binding) bindings;
    LW_VEC(uint32_t) scope_of;  /* by node: the scope it is evaluated in */
    LW_VEC(uint32_t) symbol_of; /* by node: of a name or definition, else LW_NO_SYMBOL */
    LW_VEC(uint32_t) stars;     /* ALIAS nodes of `from x import *` */
    LW_VEC(uint32_t) slots;     /* hash table over symbols: index + 1 */
};

void lw_names_init(struct lw_names *n, struct lw_mem *mem);
void lw_names_release(struct lw_names *n);

/* Replaces the contents by the names of `tree`. LW_ENOMEM is the only failure. */
int lw_names_build(struct lw_names *n, const struct lw_tree *tree, struct lw_err *err);

/* Gives back memory that was taken ahead. */
void lw_names_trim(struct lw_names *n);
/* Bytes that they take, once they are trimmed. */
size_t lw_names_bytes(const struct lw_names *n);

/* The symbol of that name in the scope itself, or LW_NO_SYMBOL. */
uint32_t lw_names_find(const struct lw_names *n, uint32_t scope, struct lw_str name);
/* The symbol that the name means when used in the scope, or LW_NO_SYMBOL (a builtin, or from
 * elsewhere). */
uint32_t lw_names_lookup(const struct lw_names *n, uint32_t scope, struct lw_str name);

/* Appends the dotted name of what a NAME or an ATTRIBUTE chain stands for: with
 * `import tensorflow.keras.layers as L`, `L.Dense` is "tensorflow.keras.layers.Dense". Names
 * assigned once from such a chain (`L = tf.keras.layers`) are followed. A relative import keeps
 * its dots. False, and nothing added, when it does not come from an import. */
bool lw_names_dotted(const struct lw_names *n, uint32_t node, struct lw_buf *out);

/* The dotted name that an ALIAS binds its name to. */
void lw_names_import_target(const struct lw_tree *t, uint32_t alias, struct lw_buf *out);

/* The FUNCTION or CLASS in this file that a CALL reaches: by name, through `self`, `cls`,
 * `super()` and `Class.method` with base classes of this file; or LW_NO_NODE. */
uint32_t lw_names_callee(const struct lw_names *n, uint32_t call);
/* The same for the expression that is called. */
uint32_t lw_names_definition(const struct lw_names *n, uint32_t expression);

/* Whether a definition is decorated with the plain name ("staticmethod"). */
bool lw_names_decorated(const struct lw_names *n, uint32_t definition, struct lw_str name);

/* The method of a class of this file, or of its base classes in this file; or LW_NO_NODE. */
uint32_t lw_names_method(const struct lw_names *n, uint32_t class_node, struct lw_str name);

/* "module", "function"; "assign", "import"; static. */
const char *lw_scope_kind_name(enum lw_scope_kind kind);
const char *lw_binding_kind_name(enum lw_binding_kind kind);

#endif
