#include "base/log.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/sink.h"
#include "base/str.h"

void lw_log(const struct lw_log *log, enum lw_log_level level, const char *fmt, ...)
{
    static const char *const names[] = {"error: ", "warning: ", "", "debug: "};
    if (!log->file || level > log->level)
        return;
    char text[2048];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    struct lw_buf line;
    lw_buf_init(&line, NULL, 0);
    struct lw_sink out = lw_sink_buf(&line);
    lw_putf(&out, "lacewing: %s", names[level]);
    lw_put_safe(&out, lw_str(text), false);
    lw_put_char(&out, '\n');
    /* One call per line: stdio locks the stream for its duration. */
    fputs(line.failed ? "lacewing: out of memory\n" : lw_buf_z(&line), log->file);
    fflush(log->file);
    lw_buf_release(&line);
}
