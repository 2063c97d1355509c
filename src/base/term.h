/*
 * term - what we know about the terminal behind a stream, and colours for it.
 */
#ifndef LW_BASE_TERM_H
#define LW_BASE_TERM_H

#include <stdio.h>

#include "lacewing.h"

struct lw_term {
    FILE *file;       /* borrowed */
    bool is_tty;      /* a person looks at it */
    bool colour;      /* and wants colours */
    unsigned columns; /* width to fit tables into; 0 = no limit (not a terminal) */
};

enum lw_colour { LW_PLAIN, LW_BOLD, LW_DIM, LW_RED, LW_GREEN, LW_YELLOW, LW_BLUE, LW_CYAN };

/* `allow_colour` is the user's option; NO_COLOR and TERM=dumb switch it off as well. The width
 * comes from the terminal, or from COLUMNS where set (also when it is no terminal). */
struct lw_term lw_term_of(FILE *file, bool allow_colour);

/* The escape sequence that starts a colour (LW_PLAIN ends it), or "" where colour is off. */
const char *lw_colour(const struct lw_term *term, enum lw_colour colour);

#endif
