/* The CSV-to-columns reader: any bytes give a frame or an error, and a frame is sound. */
#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/str.h"
#include "numeric/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_mem mem;
    struct lw_arena arena;
    struct lw_csv csv;
    struct lw_frame frame;
    struct lw_err err;
    lw_mem_init(&mem, (size_t)256 << 20);
    lw_arena_init(&arena, &mem, 0);
    struct lw_str text = lw_str_n((const char *)data, size);
    if (lw_csv_open_text(&csv, &mem, LW_S("fuzz"), ',', text, &err) == 0) {
        if (lw_frame_read(&frame, &arena, &csv, 100000, &err) == 0)
            for (size_t c = 0; c < frame.columns; c++) {
                const struct lw_column *col = &frame.column[c];
                size_t missing = 0;
                for (size_t r = 0; r < frame.rows; r++) {
                    if (!col->numeric && col->code[r] != LW_MISSING &&
                        col->code[r] >= col->level_count)
                        abort();
                    if (col->numeric ? isnan(col->num[r]) : col->code[r] == LW_MISSING)
                        missing++;
                }
                if (missing < col->missing)
                    abort();
            }
        lw_csv_close(&csv);
    }
    lw_arena_release(&arena);
    if (atomic_load(&mem.used) != 0)
        abort();
    return 0;
}
