/*
 * trace - lines of tracebacks, shared by the readers of Python's and of native ones. Not for
 * other folders.
 */
#ifndef LW_REPORT_TRACE_H
#define LW_REPORT_TRACE_H

#include "report/internal.h"

struct frame_line {
    struct lw_str path, function;
    uint32_t line;
    enum lw_trace_style style;
};

/* A frame of C or C++ as gdb, PyTorch and glog print it. */
bool report_native_frame(struct lw_str line, struct frame_line *f);

/* The length of what a launcher of many processes put before the line: "[rank0]: ",
 * "[1,0]<stderr>:", "(pid=12) ", "0: "; 0 when there is none. */
size_t report_lead(struct lw_str line);

#endif
