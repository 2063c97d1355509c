#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

int lw_exit_code(int code)
{
    switch (code) {
    case LW_OK: return 0;
    case LW_EMISSING: return 3;
    case LW_EBUG: return 4;
    case LW_ECANCEL: return 130;
    default: return 2;
    }
}

/* A cut line ends in "..." so that nobody takes it for the whole. */
static void mark_cut(char *text, size_t size, int wanted)
{
    if (wanted < 0 || (size_t)wanted < size)
        return;
    size_t at = size - 4;
    for (int i = 0; i < 3 && ((unsigned char)text[at] & 0xc0) == 0x80; i++)
        at--; /* not inside a character */
    memcpy(text + at, "...", 4);
}

int lw_err_set(struct lw_err *err, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    mark_cut(err->text, sizeof err->text, n);
    err->code = code;
    return code;
}

int lw_err_context(struct lw_err *err, const char *fmt, ...)
{
    char context[LW_ERR_TEXT / 2], inner[LW_ERR_TEXT];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(context, sizeof context, fmt, args);
    va_end(args);
    mark_cut(context, sizeof context, n);
    memcpy(inner, err->text, sizeof inner);
    n = snprintf(err->text, sizeof err->text, "%s: %s", context, inner);
    mark_cut(err->text, sizeof err->text, n);
    return err->code;
}

int lw_err_nomem(struct lw_err *err)
{
    return lw_err_set(err, LW_ENOMEM, "out of memory");
}

static const int lacks[] = {ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO};

bool lw_errno_is_lack(int number)
{
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (number == lacks[i])
            return true;
    return false;
}

int lw_errno_of_lack(const char *message)
{
    char reason[128];
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (lw_str_has_suffix(lw_str(message),
                              lw_str(strerror_r(lacks[i], reason, sizeof reason))))
            return lacks[i];
    return 0;
}

int lw_err_system(struct lw_err *err, int number, const char *what, struct lw_str path)
{
    int code = LW_EIO;
    if (number == ENOENT || number == ENOTDIR)
        code = LW_ENOENT;
    else if (number == ENOMEM)
        code = LW_ENOMEM;
    else if (lw_errno_is_lack(number))
        code = LW_ELACK;
    char reason[128];
    const char *text = strerror_r(number, reason, sizeof reason); /* the GNU one */
    return lw_err_set(err, code, "%s '%.*s': %s", what, LW_F(path), text);
}

_Noreturn void lw_bug(const char *file, int line, const char *condition)
{
    fprintf(stderr, "lacewing: internal fault at %s:%d (%s); please report this\n", file, line,
            condition);
    _Exit(4);
}
