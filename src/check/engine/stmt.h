/*
 * stmt - statements (stmt.c), and those that join several ways: conditions (branch.c) and loops
 * (loop.c). What a target gets is in assign.c.
 *
 * Each runs a statement of the file of the frame and says how it ends.
 */
#ifndef LW_CHECK_ENGINE_STMT_H
#define LW_CHECK_ENGINE_STMT_H

#include "check/engine/engine.h"

enum ck_flow stmt_if(struct ck *c, uint32_t node);
enum ck_flow stmt_for(struct ck *c, uint32_t node);
enum ck_flow stmt_while(struct ck *c, uint32_t node);

/* What it says about variables that a test holds, or does not. */
void stmt_learn(struct ck *c, uint32_t test, bool holds);

/* Keeps the state of a branch that leaves its block where it is needed again, before it is
 * taken back. */
void stmt_save_flow(struct ck *c, enum ck_flow flow);

#endif
