/*
 * node - what a syntax tree is made of.
 *
 * Kinds, roles and operators have the names of CPython's `ast` where it has one, so that its
 * documentation applies. Differences, chosen so that trees stay flat and ranges nest:
 *   - an `elif` is a child ELIF of its IF (role orelse), not an IF inside an IF;
 *   - a default value is a child of its PARAM;
 *   - a decorated definition begins at its first decorator;
 *   - the operators of a comparison are CMPOP children between the operands;
 *   - names that are not expressions (of functions, attributes, keywords, imports) have no
 *     node: lw_tree_name() reads them from the tokens.
 */
#ifndef LW_SOURCE_NODE_H
#define LW_SOURCE_NODE_H

#include <stdint.h>

/* Statements first, then parts of statements, then expressions, then patterns. */
/* clang-format off */
#define LW_NODE_KINDS(X)                   \
    X(MODULE, "Module")                    \
    X(FUNCTION, "FunctionDef")             \
    X(CLASS, "ClassDef")                   \
    X(RETURN, "Return")                    \
    X(DELETE, "Delete")                    \
    X(ASSIGN, "Assign")                    \
    X(AUG_ASSIGN, "AugAssign")             \
    X(ANN_ASSIGN, "AnnAssign")             \
    X(TYPE_ALIAS, "TypeAlias")             \
    X(FOR, "For")                          \
    X(WHILE, "While")                      \
    X(IF, "If")                            \
    X(WITH, "With")                        \
    X(MATCH, "Match")                      \
    X(RAISE, "Raise")                      \
    X(TRY, "Try")                          \
    X(ASSERT, "Assert")                    \
    X(IMPORT, "Import")                    \
    X(IMPORT_FROM, "ImportFrom")           \
    X(GLOBAL, "Global")                    \
    X(NONLOCAL, "Nonlocal")                \
    X(EXPR, "Expr")                        \
    X(PASS, "Pass")                        \
    X(BREAK, "Break")                      \
    X(CONTINUE, "Continue")                \
    X(PRINT, "Print")                      \
    X(EXEC, "Exec")                        \
    X(ORPHAN, "Orphan")                    \
    X(ERROR, "Error")                      \
    X(ELIF, "Elif")                        \
    X(HANDLER, "ExceptHandler")            \
    X(CASE, "match_case")                  \
    X(ITEM, "withitem")                    \
    X(ALIAS, "alias")                      \
    X(PARAMS, "arguments")                 \
    X(PARAM, "arg")                        \
    X(KEYWORD, "keyword")                  \
    X(COMPREHENSION, "comprehension")      \
    X(CMPOP, "cmpop")                      \
    X(TYPE_PARAM, "type_param")            \
    X(BOOL_OP, "BoolOp")                   \
    X(NAMED, "NamedExpr")                  \
    X(BIN_OP, "BinOp")                     \
    X(UNARY_OP, "UnaryOp")                 \
    X(LAMBDA, "Lambda")                    \
    X(IF_EXP, "IfExp")                     \
    X(DICT, "Dict")                        \
    X(SET, "Set")                          \
    X(LIST_COMP, "ListComp")               \
    X(SET_COMP, "SetComp")                 \
    X(DICT_COMP, "DictComp")               \
    X(GENERATOR, "GeneratorExp")           \
    X(AWAIT, "Await")                      \
    X(YIELD, "Yield")                      \
    X(YIELD_FROM, "YieldFrom")             \
    X(COMPARE, "Compare")                  \
    X(CALL, "Call")                        \
    X(JOINED_STR, "JoinedStr")             \
    X(FORMATTED, "FormattedValue")         \
    X(STRING_PART, "StringPart")           \
    X(FORMAT_SPEC, "FormatSpec")           \
    X(NUMBER, "Number")                    \
    X(STRING, "String")                    \
    X(CONSTANT, "Constant")                \
    X(ATTRIBUTE, "Attribute")              \
    X(SUBSCRIPT, "Subscript")              \
    X(STARRED, "Starred")                  \
    X(NAME, "Name")                        \
    X(LIST, "List")                        \
    X(TUPLE, "Tuple")                      \
    X(SLICE, "Slice")                      \
    X(REPR, "Repr")                        \
    X(MAGIC, "Magic")                      \
    X(MISSING, "Missing")                  \
    X(MATCH_VALUE, "MatchValue")           \
    X(MATCH_SINGLETON, "MatchSingleton")   \
    X(MATCH_SEQUENCE, "MatchSequence")     \
    X(MATCH_MAPPING, "MatchMapping")       \
    X(MATCH_CLASS, "MatchClass")           \
    X(MATCH_STAR, "MatchStar")             \
    X(MATCH_AS, "MatchAs")                 \
    X(MATCH_OR, "MatchOr")                 \
    X(MATCH_KEYWORD, "MatchKeyword")       \
    X(MATCH_REST, "MatchRest")
/* clang-format on */

enum lw_node_kind {
#define X(name, text) LW_NODE_##name,
    LW_NODE_KINDS(X)
#undef X
        LW_NODE_KIND_COUNT
};

/* What a node is to its parent. */
/* clang-format off */
#define LW_ROLES(X)                   \
    X(NONE, "")                       \
    X(BODY, "body")                   \
    X(ORELSE, "orelse")               \
    X(FINALBODY, "finalbody")         \
    X(HANDLERS, "handlers")           \
    X(CASES, "cases")                 \
    X(ITEMS, "items")                 \
    X(DECORATORS, "decorator_list")   \
    X(TYPE_PARAMS, "type_params")     \
    X(ARGS, "args")                   \
    X(RETURNS, "returns")             \
    X(BASES, "bases")                 \
    X(KEYWORDS, "keywords")           \
    X(TARGET, "target")               \
    X(TARGETS, "targets")             \
    X(VALUE, "value")                 \
    X(VALUES, "values")               \
    X(ANNOTATION, "annotation")       \
    X(DEFAULT, "default")             \
    X(TEST, "test")                   \
    X(ITER, "iter")                   \
    X(IFS, "ifs")                     \
    X(GENERATORS, "generators")       \
    X(CONTEXT, "context_expr")        \
    X(VARS, "optional_vars")          \
    X(SUBJECT, "subject")             \
    X(PATTERN, "pattern")             \
    X(PATTERNS, "patterns")           \
    X(GUARD, "guard")                 \
    X(CLS, "cls")                     \
    X(EXC, "exc")                     \
    X(CAUSE, "cause")                 \
    X(TYPE, "type")                   \
    X(NAME, "name")                   \
    X(MSG, "msg")                     \
    X(NAMES, "names")                 \
    X(LEFT, "left")                   \
    X(RIGHT, "right")                 \
    X(OPERAND, "operand")             \
    X(OP, "op")                       \
    X(COMPARATORS, "comparators")     \
    X(KEY, "key")                     \
    X(KEYS, "keys")                   \
    X(UNPACK, "unpack")               \
    X(ELT, "elt")                     \
    X(ELTS, "elts")                   \
    X(FUNC, "func")                   \
    X(SLICE, "slice")                 \
    X(LOWER, "lower")                 \
    X(UPPER, "upper")                 \
    X(STEP, "step")                   \
    X(FORMAT_SPEC, "format_spec")     \
    X(BOUND, "bound")                 \
    X(DEST, "dest")                   \
    X(GLOBALS, "globals")             \
    X(LOCALS, "locals")               \
    X(TRACEBACK, "tback")             \
    X(SKIPPED, "skipped")
/* clang-format on */

enum lw_role {
#define X(name, text) LW_ROLE_##name,
    LW_ROLES(X)
#undef X
        LW_ROLE_COUNT
};

/* lw_node.op: of BIN_OP, AUG_ASSIGN, UNARY_OP, BOOL_OP and CMPOP. */
/* clang-format off */
#define LW_OPS(X)                    \
    X(NONE, "", "")                  \
    X(ADD, "Add", "+")               \
    X(SUB, "Sub", "-")               \
    X(MULT, "Mult", "*")             \
    X(MAT_MULT, "MatMult", "@")      \
    X(DIV, "Div", "/")               \
    X(FLOOR_DIV, "FloorDiv", "//")   \
    X(MOD, "Mod", "%")               \
    X(POW, "Pow", "**")              \
    X(LSHIFT, "LShift", "<<")        \
    X(RSHIFT, "RShift", ">>")        \
    X(BIT_OR, "BitOr", "|")          \
    X(BIT_XOR, "BitXor", "^")        \
    X(BIT_AND, "BitAnd", "&")        \
    X(AND, "And", "and")             \
    X(OR, "Or", "or")                \
    X(NOT, "Not", "not")             \
    X(INVERT, "Invert", "~")         \
    X(UADD, "UAdd", "+")             \
    X(USUB, "USub", "-")             \
    X(EQ, "Eq", "==")                \
    X(NOT_EQ, "NotEq", "!=")         \
    X(LT, "Lt", "<")                 \
    X(LT_E, "LtE", "<=")             \
    X(GT, "Gt", ">")                 \
    X(GT_E, "GtE", ">=")             \
    X(IS, "Is", "is")                \
    X(IS_NOT, "IsNot", "is not")     \
    X(IN, "In", "in")                \
    X(NOT_IN, "NotIn", "not in")
/* clang-format on */

enum lw_op {
#define X(name, ast, text) LW_OP_##name,
    LW_OPS(X)
#undef X
        LW_OP_COUNT
};

/* lw_node.op of a PARAM or TYPE_PARAM. */
enum lw_param_kind {
    LW_PARAM_PLAIN,      /* by position or by name */
    LW_PARAM_POSITIONAL, /* before the `/` */
    LW_PARAM_VARARG,     /* *args */
    LW_PARAM_KEYWORD,    /* after the `*` */
    LW_PARAM_KWARG,      /* **kwargs */
};

/* Bits of lw_node.flags. */
enum {
    LW_NODE_ASYNC = 1, /* async def, for, with, comprehension */
    LW_NODE_PAREN = 2, /* an expression in parentheses of its own, which the range leaves out */
    LW_NODE_PY2 = 4,   /* a form of Python 2 */
    LW_NODE_EMPTY = 8, /* covers no bytes: something was missing here */
    LW_NODE_AT_END =
        16, /* of an EMPTY node: it stands at the end of its token, not the start */
    LW_NODE_BROKEN = 32, /* an error was met while this very node was read */
    LW_NODE_MARK = 64,   /* by kind: TRY with except*; FORMATTED with `=`; AUG_ASSIGN none */
};

struct lw_node {
    uint8_t kind; /* enum lw_node_kind */
    uint8_t role; /* enum lw_role: what it is to its parent */
    uint8_t op;   /* enum lw_op or lw_param_kind; conversion character of FORMATTED */
    uint8_t flags;
    uint32_t first; /* token range, both included */
    uint32_t last;
    uint32_t child; /* children are neighbours: child … child + count - 1 */
    uint32_t count;
    uint32_t parent; /* of the root: itself */
};

#endif
