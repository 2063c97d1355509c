/*
 * flow_graph - what happens inside functions: blocks, edges, definitions, uses, dependences.
 *
 * In: the names of a file (names.h), borrowed, which must outlive the flow. Out: one graph for
 * the module and one per function, all in the same arrays, 32-bit indices, owned until release.
 * Time and memory are linear in the size of the file in practice; bounds are stated below.
 *
 * Points. A statement is one point, of part STATEMENT, in exactly one block; so is each ELIF,
 * HANDLER, CASE and, in the first block of a function, each PARAM. Some statements do more:
 *   FOR      BEFORE evaluates the iterable once, in the block before the loop; STATEMENT asks
 *            for the next item; BIND binds the target, at the start of the body
 *   HANDLER  STATEMENT compares the exception; BIND binds its name, at the start of its body
 *   CLASS    STATEMENT evaluates bases and decorators; its body follows in the same graph, as
 *            it is run there; BIND binds the name after it
 * Comprehensions and lambdas have no blocks: they belong to the point they are written in.
 *
 * Edges.
 *
 *   next        falls through
 *
 *   true,       outcome of a test; `true` of a FOR means that there is another item
 *   false
 *
 *   back        end of a loop body to its test
 *
 *   break, continue, return, raise
 *               what they say; through `finally` where one is
 *
 *   except      an exception that any statement of the block may raise, to the first handler,
 *               or the `finally`, around it
 *
 * An exception is raised before a statement's own definitions take effect: inside `try` a block
 * therefore ends before each statement that defines something. Outside every `try` exceptions
 * have no edge. A handler that does not fit goes `false` to the next one, the last one
 * outwards. A `finally` exists once; after it control goes on to wherever the ways into it were
 * bound for. `while True` has no `false`. A `raise` directly below a `with` may be swallowed by
 * the context manager: it also has an edge behind the `with`.
 *
 * Events are the uses and definitions of names in a point, in order of evaluation. Definitions:
 *   strong   the name is bound anew                kill   `del`
 *   weak     the object is changed or the binding may not happen: `x.a = …`, `x[i] = …`,
 *            a method called for its effect (`x.append(1)` as a statement), `:=` behind `and`,
 *            `or`, `if`, in a comprehension. What was there before still reaches.
 * `self.name` in a method is also a field: one symbol a class and name, defined and used in
 * all its methods.
 *
 * What reaches a use:
 *   - of a local name (or a name of the module in the module): the definitions on some path, in
 *     the form of values: a definition, or a merge of the values of the edges into a block
 *     (static single assignment with phi functions, so chains stay linear);
 *   - wide: every definition of the symbol, in any order: names of enclosing functions and of
 *     the module seen from a function, everything in a lambda, targets of comprehensions,
 *     fields, names declared global or nonlocal;
 *   - elsewhere: besides what its paths bring, what other graphs define (`global`, `nonlocal`,
 *     objects of the module changed in functions);
 *   - free: no definition in this file: builtins and names from `from x import *`;
 *   - unbound: local, but no definition reaches: it fails when run, or is never run.
 * A symbol is also taken as wide in a graph where merges would exceed LW_FLOW_MERGES a block
 * and event, which bounds memory.
 *
 * Control dependence is that of Ferrante, Ottenstein and Warren: block B depends on A when one
 * way out of A always leads to B and another need not. A loop without exit is given an edge
 * `never` to the exit of the graph, for this purpose only; exceptions that leave the graph
 * without a `raise` in it do not count, or everything behind a `try` would depend on it.
 */
#ifndef LW_SOURCE_FLOW_GRAPH_H
#define LW_SOURCE_FLOW_GRAPH_H

#include "base/map.h"
#include "source/names.h"

enum {
    LW_FLOW_NONE = UINT32_MAX,
    LW_FLOW_MERGES = 8,
    LW_FLOW_REACH = 64,   /* definitions listed for one use */
    LW_FLOW_STEPS = 2048, /* operands of merges looked at for one use */
};

enum lw_flow_edge_kind {
    LW_FLOW_NEXT,
    LW_FLOW_TRUE,
    LW_FLOW_FALSE,
    LW_FLOW_BACK,
    LW_FLOW_BREAK,
    LW_FLOW_CONTINUE,
    LW_FLOW_RETURN,
    LW_FLOW_RAISE,
    LW_FLOW_EXCEPT,
    LW_FLOW_NEVER,
};

struct lw_flow_edge {
    uint32_t from;
    uint32_t to;
    uint32_t kind; /* enum lw_flow_edge_kind */
};

struct lw_flow_block {
    uint32_t graph;
    uint32_t first_point;
    uint32_t point_count;
    uint32_t first_out; /* in `edges`: neighbours, in order of their making */
    uint32_t out_count;
    uint32_t first_in; /* in `ins`: indices of edges */
    uint32_t in_count;
    uint32_t dominator; /* block, of the entry: itself */
    uint32_t post_dominator;
    uint32_t first_control; /* in `controls` */
    uint32_t control_count;
    uint32_t first_merge; /* list through lw_flow_merge.next */
    bool reachable;
};

enum lw_flow_part { LW_FLOW_STATEMENT, LW_FLOW_BEFORE, LW_FLOW_BIND };

struct lw_flow_point {
    uint32_t node;
    uint32_t block;
    uint32_t first_event;
    uint32_t event_count;
    uint8_t part; /* enum lw_flow_part */
};

enum lw_flow_event_kind { LW_FLOW_USE, LW_FLOW_DEF, LW_FLOW_KILL };

/* Bits of lw_flow_event.flags. */
enum {
    LW_FLOW_WEAK = 1,       /* of a definition */
    LW_FLOW_WIDE = 2,       /* of a use: every definition of the symbol reaches */
    LW_FLOW_FREE = 4,       /* of a use: none in this file */
    LW_FLOW_UNBOUND = 8,    /* of a use: none on any path */
    LW_FLOW_FIELD = 16,     /* the symbol is a field: node is the ATTRIBUTE */
    LW_FLOW_ELSEWHERE = 32, /* of a use: definitions in other graphs reach as well */
};

struct lw_flow_event {
    uint32_t node;   /* NAME, PARAM, ALIAS, … ; the definition for functions and classes */
    uint32_t symbol; /* of names.h, from there on a field; LW_NO_SYMBOL when free */
    uint32_t point;
    uint32_t value; /* what reaches a use; what a weak definition adds to */
    uint32_t next;  /* the next definition of the symbol in the file */
    uint8_t kind;   /* enum lw_flow_event_kind */
    uint8_t flags;
};

/* A value is LW_FLOW_NONE, an event, or a merge with the highest bit set. */
static inline bool lw_flow_is_merge(uint32_t value)
{
    return value != LW_FLOW_NONE && (value & 0x80000000u);
}
static inline uint32_t lw_flow_merge_of(uint32_t value)
{
    return value & 0x7fffffffu;
}

struct lw_flow_merge {
    uint32_t block;
    uint32_t symbol;
    uint32_t first_operand; /* in `operands`: a value for each edge into the block */
    uint32_t count;
    uint32_t next; /* merge of the same block */
    bool bound;    /* a definition reaches it */
};

struct lw_flow_control {
    uint32_t on;   /* block whose last point decides */
    uint32_t kind; /* of the edge that leads here */
};

struct lw_flow_graph {
    uint32_t node;        /* MODULE or FUNCTION */
    uint32_t first_block; /* the entry */
    uint32_t block_count; /* the last one is the exit, without points */
    uint32_t first_point;
    uint32_t point_count;
};

struct lw_flow {
    struct lw_mem *mem;                  /* borrowed */
    const struct lw_names *names;        /* borrowed */
    LW_VEC(struct lw_flow_graph) graphs; /* the module's first, then functions in text order */
    LW_VEC(struct lw_flow_block) blocks;
    LW_VEC(struct lw_flow_edge) edges;
    LW_VEC(uint32_t) ins;
    LW_VEC(struct lw_flow_point) points;
    LW_VEC(struct lw_flow_event) events;
    LW_VEC(struct lw_flow_merge) merges;
    LW_VEC(uint32_t) operands;
    LW_VEC(struct lw_flow_control) controls;
    LW_VEC(uint32_t) graph_of;  /* by scope of names: the graph its code runs in */
    LW_VEC(uint32_t) first_def; /* by symbol: first definition event, then through `next` */
    LW_VEC(uint32_t) point_of;  /* by node: its STATEMENT point, or LW_FLOW_NONE */
    uint32_t symbol_count;      /* names and fields */
    struct lw_map fields;       /* "class-node.name" to symbol */
    struct lw_arena arena;      /* of the keys of `fields` */
};

void lw_flow_init(struct lw_flow *f, struct lw_mem *mem);
void lw_flow_release(struct lw_flow *f);

/* Replaces the contents by the flow of the file. LW_ENOMEM and LW_ELIMIT (more than 2^31 of
 * something) are the only failures. */
int lw_flow_build(struct lw_flow *f, const struct lw_names *names, struct lw_err *err);

typedef LW_VEC(uint32_t) lw_flow_list;

/* What a walk over values has seen; starts zeroed, serves many questions about one flow. */
struct lw_flow_walk {
    LW_VEC(uint32_t) stamp;
    LW_VEC(uint32_t) work;
    uint32_t round;
    uint32_t steps; /* left for this question */
    bool more;      /* the last answer has not all: a bound was met */
};
void lw_flow_walk_release(const struct lw_flow *f, struct lw_flow_walk *w);

/* Appends the definition events that reach the use (or that the weak definition adds to),
 * ascending, each once. When n definitions reach n uses, all pairs would be n squared: at most
 * LW_FLOW_REACH are listed, those that fewest merges and weak definitions lie between, after at
 * most LW_FLOW_STEPS; `w->more` says that there may be others. 0 or LW_ENOMEM. */
int lw_flow_reaching(const struct lw_flow *f, struct lw_flow_walk *w, uint32_t event,
                     lw_flow_list *out);

/* The name that the event is about: "x", of a field "self.x". */
struct lw_str lw_flow_event_name(const struct lw_flow *f, uint32_t event);

const char *lw_flow_edge_name(enum lw_flow_edge_kind kind); /* "true"; static */

#endif
