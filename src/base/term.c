#include "base/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"

static unsigned width_of(int fd, bool is_tty)
{
    const char *columns = getenv("COLUMNS");
    uint64_t n;
    if (columns && lw_parse_u64(lw_str(columns), &n) && n >= 20 && n <= 1000)
        return (unsigned)n;
    struct winsize w;
    if (is_tty && ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20)
        return w.ws_col;
    return is_tty ? 80 : 0;
}

struct lw_term lw_term_of(FILE *file, bool allow_colour)
{
    int fd = fileno(file);
    bool is_tty = isatty(fd) == 1;
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    bool dumb = !kind || strcmp(kind, "dumb") == 0;
    return (struct lw_term){
        .file = file,
        .is_tty = is_tty,
        .colour = is_tty && allow_colour && !(no_colour && *no_colour) && !dumb,
        .columns = width_of(fd, is_tty),
    };
}

const char *lw_colour(const struct lw_term *term, enum lw_colour colour)
{
    static const char *const codes[] = {
        [LW_PLAIN] = "\033[0m", [LW_BOLD] = "\033[1m",   [LW_DIM] = "\033[2m",
        [LW_RED] = "\033[31m",  [LW_GREEN] = "\033[32m", [LW_YELLOW] = "\033[33m",
        [LW_BLUE] = "\033[34m", [LW_CYAN] = "\033[36m",
    };
    return term->colour ? codes[colour] : "";
}
