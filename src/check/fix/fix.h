/*
 * fix - mechanical remedies of findings, as edits of the program's text.
 *
 * When a finding is reported, the maker that its rule names (rules.h) looks at the tree and at
 * what the engine knows and writes edits with the calls below, which know no rule. A maker that
 * cannot be sure writes none: then the finding has no fix. Edits replace only what has to
 * change, and what is kept keeps its bytes. Everything is in the engine's arena. Internal to
 * check/; applying fixes is apply.h.
 */
#ifndef LW_CHECK_FIX_FIX_H
#define LW_CHECK_FIX_FIX_H

#include "check/engine/engine.h"
#include "check/fix/hint.h"

enum { FIX_MOST = 96 }; /* edits of one fix */

struct fix_edit {
    uint32_t from, to; /* bytes of the file's text */
    struct lw_str text;
};

struct fix {
    struct ck *c;
    struct ck_file *file;
    struct lw_tree *t; /* of the file */
    uint32_t node;     /* the finding's */
    struct lw_str rule;
    const struct ck_hint *hint;
    const struct lw_value *causes;
    size_t cause_count;
    struct lw_str description;
    struct fix_edit edits[FIX_MOST];
    size_t n;
    bool failed; /* something is not as it has to be: no fix */
};

typedef void fix_maker(struct fix *f);

/* The fix of a finding at `node`; its description is empty when there is none. */
struct lw_finding_fix fix_make(fix_maker *make, struct ck *c, struct ck_file *file,
                               uint32_t node, struct lw_str rule, const struct lw_value *causes,
                               size_t cause_count, const struct ck_hint *hint);

/* ---- edits ----------------------------------------------------------------------------------
 */

void fix_say(struct fix *f, const char *fmt, ...) LW_PRINTF(2, 3);
void fix_replace(struct fix *f, uint32_t from, uint32_t to, struct lw_str text);
void fix_insert(struct fix *f, uint32_t at, struct lw_str text);
/* Replaces the text of a node or token. */
void fix_node(struct fix *f, uint32_t node, struct lw_str text);
void fix_token(struct fix *f, uint32_t token, struct lw_str text);
/* Leaves of the node only what its descendant `inner` is. */
void fix_only(struct fix *f, uint32_t node, uint32_t inner);
/* Puts text around the node, with parentheses of its own included. */
void fix_around(struct fix *f, uint32_t node, const char *before, const char *behind);
/* x -> x.item(); anything but a simple expression gets parentheses. */
void fix_suffix(struct fix *f, uint32_t node, const char *suffix);

/* ---- statements ---------------------------------------------------------------------------
 */

/* A line of its own, indented as the statement is; on a shared line separated by ';'. */
void fix_line_before(struct fix *f, uint32_t statement, struct lw_str line);
void fix_line_behind(struct fix *f, uint32_t statement, struct lw_str line);
/* As the first statement of a function, loop or class body, behind its documentation. */
void fix_line_first(struct fix *f, uint32_t block, struct lw_str line);
/* With its line; a block that would be left empty gets `pass`. */
void fix_remove_statement(struct fix *f, uint32_t statement);
/* A statement of one line to another place. */
void fix_move_before(struct fix *f, uint32_t statement, uint32_t place);
void fix_move_behind(struct fix *f, uint32_t statement, uint32_t place);
/* Puts statements of one block, from `first` to `last`, below a line such as "with x:". */
void fix_enclose(struct fix *f, uint32_t first, uint32_t last, struct lw_str line);
/* The statement before or behind in the same block, or LW_NO_NODE. */
uint32_t fix_neighbour(const struct fix *f, uint32_t statement, bool behind);

/* ---- loops --------------------------------------------------------------------------------
 */

/* The statement that holds the node; LW_NO_NODE of LW_NO_NODE. */
uint32_t fix_statement(const struct fix *f, uint32_t node);
/* The outermost loop around, in the same function. */
uint32_t fix_outer_loop(const struct fix *f, uint32_t node);
/* The part of the block of `beside` that holds `node`: itself or a statement around it. */
uint32_t fix_in_block_of(const struct fix *f, uint32_t node, uint32_t beside);
/* The owner of a call `x.name()` in the loop around, or in the function; a schedule is no
 * optimizer. Empty: none. */
struct lw_str fix_owner_of_call(const struct fix *f, uint32_t node, const char *name);
/* Puts the statement into torch.no_grad(). */
void fix_without_gradients(struct fix *f, uint32_t statement);
/* A maker: a statement of the loop's own block goes to before the outermost loop. */
void fix_once_before_loop(struct fix *f);

/* ---- calls --------------------------------------------------------------------------------
 */

/* The value of an argument by name (NULL: none) or position (-1: none); LW_NO_NODE. */
uint32_t fix_argument(const struct fix *f, uint32_t call, const char *name, int position);
/* The argument of a call that holds `node`: the KEYWORD or the expression itself. */
uint32_t fix_argument_of(const struct fix *f, uint32_t call, uint32_t node);
void fix_remove_argument(struct fix *f, uint32_t call, uint32_t argument);
void fix_add_argument(struct fix *f, uint32_t call, struct lw_str text);
/* name=value, whether the call has such an argument or not. */
void fix_set_argument(struct fix *f, uint32_t call, const char *name, const char *value);
/* Of what the tables complain about: the KEYWORD or expression in the call, and the expression
 * alone, which may be the object of a method. LW_NO_NODE. */
uint32_t fix_problem_argument(const struct fix *f);
uint32_t fix_problem_value(const struct fix *f);
/* The item of a list or tuple, with its comma. */
void fix_remove_item(struct fix *f, uint32_t list, uint32_t item);
bool fix_is_call(const struct fix *f, uint32_t node);
/* What is called; LW_NO_NODE when the node is no call. */
uint32_t fix_callee(const struct fix *f, uint32_t call);
/* The last word of it; empty when the node is no call. */
struct lw_str fix_callee_name(const struct fix *f, uint32_t call);

/* ---- names ----------------------------------------------------------------------------------
 */

/* How the file writes a dotted name of a library with what it imports; empty: not at all. */
struct lw_str fix_spell(struct fix *f, struct lw_str dotted);
/* The same; an `import` line is added where nothing is imported yet. */
struct lw_str fix_spell_import(struct fix *f, const char *module, const char *member);
/* Another member of the module that `callee` is a member of, as the file would write it; may
 * add it to the import. Empty: not known. */
struct lw_str fix_sibling(struct fix *f, uint32_t callee, struct lw_str member);
/* The variable of the file or of the functions being run that holds the object; or empty. */
struct lw_str fix_name_of(struct fix *f, const struct ck_object *o);
/* Is the expression a name of a library: np, tf.nn? */
bool fix_is_module(const struct fix *f, uint32_t node);
/* The value of a variable where the engine is, or in the file; ABSENT. */
struct lw_value fix_variable(const struct fix *f, struct lw_str name);
/* Renames every use of a name in the file. */
void fix_rename(struct fix *f, struct lw_str from, struct lw_str to);
/* Letters, digits, underscores and dots, at least one? */
bool fix_is_word(struct lw_str s);
/* The token of the last part of a name: of a.b.c, of an import, of a definition. */
uint32_t fix_last_token(const struct fix *f, uint32_t node);
/* Another last part. What an import binds is renamed wherever it is used. */
void fix_rename_last(struct fix *f, uint32_t node, struct lw_str was, struct lw_str name);
/* A maker: the hint says what is meant. */
void fix_spelling(struct fix *f);
/* The variable of the file that holds the device the program has chosen; or empty. */
struct lw_str fix_device_name(const struct fix *f);

/* ---- values ---------------------------------------------------------------------------------
 */

/* The tensor of a cause, if its number of axes is known; NULL. */
const struct lw_tensor *fix_cause(const struct fix *f, size_t i);
/* What a rule of a table looks at: the last cause, else the argument `otherwise`. */
struct lw_value fix_subject(const struct fix *f, size_t otherwise);
/* What a function or method is applied to. */
uint32_t fix_operand(struct fix *f, uint32_t call);
bool fix_is_torch(struct lw_value v);
/* Is the size of the axis a known number above 0? */
bool fix_size_at(struct fix *f, const struct lw_tensor *t, uint32_t axis, int64_t *n);
/* x -> x + 1e-8, in parentheses where something binds closer; of the operand of a call. */
void fix_add_epsilon(struct fix *f, uint32_t node, bool tight, const char *epsilon);
void fix_add_epsilon_to(struct fix *f, uint32_t call, const char *epsilon);
/* By a method such as ".long()". */
void fix_convert(struct fix *f, uint32_t node, const char *how);
/* Makers: what the tables complain about becomes whole numbers; total += x.item(); x += y
 * becomes x = x + y. */
void fix_to_integers(struct fix *f);
void fix_add_number(struct fix *f);
void fix_new_value(struct fix *f);

/* ---- text -----------------------------------------------------------------------------------
 */

struct lw_str fix_text(const struct fix *f, uint32_t node);
struct lw_str fix_name(const struct fix *f, uint32_t node);
enum lw_node_kind fix_kind(const struct fix *f, uint32_t node);
/* A literal text that says exactly `content`. */
bool fix_is_string(const struct fix *f, uint32_t node, struct lw_str content);
/* The quoted text inside `top` whose content is `content`; LW_NO_NODE. */
uint32_t fix_find_string(const struct fix *f, uint32_t top, struct lw_str content);
/* Puts other content between the quotes of a literal. */
void fix_quoted(struct fix *f, uint32_t string, struct lw_str content);

#endif
