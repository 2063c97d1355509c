/* Traces: what is written comes back, also from files that were cut short or damaged. */
#include "trace/trace.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "check.h"
#include "trace/block.h"
#include "trace/scan.h"
#include "trace/writer.h"

enum { STEPS = 1500 };

struct place {
    struct lw_buf folder, file;
};

static int setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    struct lw_err err;
    lw_buf_init(&p->folder, NULL, 0);
    lw_buf_init(&p->file, NULL, 0);
    assert_int_equal(lw_temp_dir(&p->folder, &err), 0);
    lw_buf_addf(&p->file, "%s/run.lwt", lw_buf_z(&p->folder));
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    struct lw_err err;
    assert_int_equal(lw_dir_remove(lw_buf_z(&p->folder), &err), 0);
    lw_buf_release(&p->folder);
    lw_buf_release(&p->file);
    free(p);
    return 0;
}

static const char *path_of(void **state)
{
    return lw_buf_z(&((struct place *)*state)->file);
}

static struct lw_tensor_stats stats_at(uint32_t step)
{
    float v[4] = {(float)step, -1, 0, NAN};
    struct lw_tensor_stats s;
    lw_tensor_describe(&s, (struct lw_tensor){v, 4, LW_DTYPE_F32}, 0);
    return s;
}

/* A run of `steps` steps: a loss, a weight, and two events at each. */
static int write_run(struct lw_mem *mem, const char *path, uint32_t steps, uint32_t flush_every)
{
    struct lw_err err;
    lw_trace_writer *w;
    int rc = lw_trace_writer_open(&w, mem, path, false, &err);
    if (rc < 0)
        return rc;
    const struct lw_trace_name names[] = {
        {1, LW_SERIES_METRIC, LW_S("loss"), {0}, {0}, 0},
        {2, LW_SERIES_WEIGHT, LW_S("fc1.weight"), LW_S("fc1"), LW_S("train.py"), 12},
        {3, LW_SERIES_EVENT, LW_S("backward"), {0}, {0}, 0},
        {4, LW_SERIES_EVENT, LW_S("step"), {0}, {0}, 0},
    };
    lw_trace_add_meta(w, LW_S("{\"framework\": \"torch\", \"seed\": 1}"));
    for (size_t i = 0; i < 4; i++)
        lw_trace_add_name(w, &names[i]);
    for (uint32_t s = 0; s < steps; s++) {
        struct lw_tensor_stats stats = stats_at(s);
        lw_trace_add_point(w, 1, s, (float)s / 10, 1.0 / (s + 1));
        lw_trace_add_row(w, 2, s, &stats);
        lw_trace_add_event(w, 3, s, 0, 0);
        lw_trace_add_event(w, 4, s, 2, 0.5);
        if (flush_every && s % flush_every == flush_every - 1)
            lw_trace_writer_flush(w);
    }
    lw_trace_add_meta(w, LW_S("{\"seed\": 7, \"ended\": true}"));
    return lw_trace_writer_close(w, &err);
}

static lw_trace *read_run(const char *path)
{
    lw_trace *t = NULL;
    struct lw_err err;
    assert_int_equal(lw_trace_read(&t, NULL, path, &err), 0);
    return t;
}

/* The first `steps` steps are there and are as they were written. */
static void check_steps(const lw_trace *t, size_t steps)
{
    const struct lw_trace_series *loss = lw_trace_find(t, LW_SERIES_METRIC, LW_S("loss"));
    const struct lw_trace_series *weight =
        lw_trace_find(t, LW_SERIES_WEIGHT, LW_S("fc1.weight"));
    assert_int_equal(loss ? loss->n : 0, steps);
    assert_int_equal(weight ? weight->n : 0, steps);
    for (uint32_t s = 0; s < steps; s++) {
        struct lw_tensor_stats stats = stats_at(s);
        assert_int_equal(loss->points[s].step, s);
        assert_true(loss->points[s].value == 1.0 / (s + 1) &&
                    loss->points[s].time == (float)s / 10);
        assert_int_equal(weight->rows[s].step, s);
        assert_memory_equal(&weight->rows[s].stats, &stats,
                            offsetof(struct lw_tensor_stats, bins) + LW_STATS_BINS);
    }
}

static void a_run_comes_back(void **state)
{
    assert_int_equal(write_run(NULL, path_of(state), STEPS, 0), 0);
    lw_trace *t = read_run(path_of(state));
    assert_str(lw_trace_lost(t), "");
    assert_int_equal(lw_trace_series_count(t), 2);
    check_steps(t, STEPS);
    const struct lw_trace_name *weight = &lw_trace_series_at(t, 1)->name;
    assert_str(weight->layer, "fc1");
    assert_str(weight->path, "train.py");
    assert_int_equal(weight->line, 12);
    assert_int_equal(lw_trace_event_count(t), 2 * STEPS);
    const struct lw_trace_event *last = &lw_trace_events(t)[2 * STEPS - 1];
    assert_str(lw_trace_name_of(t, last->id)->name, "step");
    assert_str(lw_trace_name_of(t, last->subject)->name, "fc1.weight");
    assert_true(last->value == 0.5);
    assert_null(lw_trace_name_of(t, 99));
    assert_int_equal(lw_trace_steps(t), STEPS - 1);
    assert_int_equal(json_integer_value(json_object_get(lw_trace_meta(t), "seed")), 7);
    assert_true(json_is_true(json_object_get(lw_trace_meta(t), "ended")));
    lw_trace_free(t);
}

static struct lw_str content_of(const char *path, struct lw_arena *arena)
{
    struct lw_str text;
    struct lw_err err;
    assert_int_equal(lw_file_read(arena, path, 1 << 24, &text, &err), 0);
    return text;
}

/* Without waiting for the disk, as there are thousands. */
static void put_content(const char *path, struct lw_str text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
    assert_int_equal(fclose(f), 0);
}

/* Cut anywhere, the file holds whole flushes only, and says what is lost. */
static void a_cut_file_is_read_to_its_last_block(void **state)
{
    const char *path = path_of(state);
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(write_run(NULL, path, 30, 10), 0);
    struct lw_str whole = content_of(path, &arena);
    size_t before = 0;
    for (size_t n = LW_TRACE_MAGIC_SIZE; n <= whole.n; n++) {
        put_content(path, lw_str_part(whole, 0, n));
        lw_trace *t = read_run(path);
        const struct lw_trace_series *loss = lw_trace_find(t, LW_SERIES_METRIC, LW_S("loss"));
        size_t steps = loss ? loss->n : 0;
        assert_true(steps >= before && steps % 10 == 0);
        before = steps;
        lw_trace_free(t);
    }
    assert_int_equal(before, 30);
    lw_arena_release(&arena);
}

static void a_damaged_block_is_passed_over(void **state)
{
    const char *path = path_of(state);
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(write_run(NULL, path, 30, 10), 0);
    struct lw_str whole = content_of(path, &arena);
    size_t damaged = 0;
    for (size_t at = LW_TRACE_MAGIC_SIZE; at < whole.n; at += 7) {
        char *copy =
            lw_arena_copy(&arena, whole).p ? (char *)lw_arena_copy(&arena, whole).p : NULL;
        assert_non_null(copy);
        copy[at] ^= 0x20;
        put_content(path, lw_str_n(copy, whole.n));
        lw_trace *t = read_run(path);
        damaged += lw_trace_lost(t).n > 0;
        lw_trace_free(t);
    }
    assert_int_equal(damaged, (whole.n - LW_TRACE_MAGIC_SIZE + 6) / 7);
    lw_arena_release(&arena);
}

static void what_is_no_trace_is_refused(void **state)
{
    struct lw_err err;
    lw_trace *t;
    const char *texts[] = {"", "LWTRACE", "epoch,loss\n1,0.5\n"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(lw_file_write(path_of(state), lw_str(texts[i]), 0600, &err), 0);
        assert_int_equal(lw_trace_read(&t, NULL, path_of(state), &err), LW_EINVAL);
        assert_false(lw_trace_is(path_of(state)));
    }
    assert_int_equal(lw_trace_read(&t, NULL, "/nowhere/x.lwt", &err), LW_ENOENT);
}

/* Heads that all claim the rest of the file would cost its square to check. */
static void many_false_heads_end_the_reading(void **state)
{
    struct lw_buf text;
    struct lw_err err;
    lw_buf_init(&text, NULL, 0);
    lw_buf_add(&text, lw_str_n(LW_TRACE_MAGIC, LW_TRACE_MAGIC_SIZE));
    for (int i = 0; i < 300000; i++)
        lw_buf_add(&text, lw_str_n("LWTB\4\0\0\0\0\0\x40\0\0\0\x40\0\1\2\3\4\5\6\7\10", 24));
    assert_int_equal(lw_file_write(path_of(state), lw_buf_str(&text), 0600, &err), 0);
    lw_trace *t = read_run(path_of(state));
    assert_true(lw_str_find(lw_trace_lost(t), LW_S("the rest was not read")) > 0);
    lw_trace_free(t);
    lw_buf_release(&text);
}

static void a_child_process_writes_nothing(void **state)
{
    struct lw_err err;
    lw_trace_writer *w;
    const struct lw_trace_name loss = {1, LW_SERIES_METRIC, LW_S("loss"), {0}, {0}, 0};
    assert_int_equal(lw_trace_writer_open(&w, NULL, path_of(state), false, &err), 0);
    lw_trace_add_name(w, &loss);
    lw_trace_add_point(w, 1, 1, 0, 1);
    pid_t child = fork();
    if (child == 0) {
        lw_trace_add_point(w, 1, 2, 0, 2);
        lw_trace_writer_close(w, &err);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(lw_trace_writer_close(w, &err), 0);
    lw_trace *t = read_run(path_of(state));
    assert_int_equal(lw_trace_series_at(t, 0)->n, 1);
    lw_trace_free(t);
}

static void a_full_disk_leaves_whole_blocks(void **state)
{
    (void)state;
    struct lw_err err = {0};
    lw_trace_writer *w = NULL;
    assert_int_equal(lw_trace_writer_open(&w, NULL, "/dev/full", false, &err), LW_ELACK);
    assert_true(strstr(err.text, "cannot write") != NULL);
}

static int write_and_read(struct lw_mem *mem, void *data)
{
    struct lw_err err;
    lw_trace *t = NULL;
    int rc = write_run(mem, data, 20, 10);
    if (rc == 0)
        rc = lw_trace_read(&t, mem, data, &err);
    lw_trace_free(t);
    return rc;
}

static void memory_may_run_out(void **state)
{
    check_every_allocation(write_and_read, (void *)path_of(state));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_run_comes_back),
        TEST(a_cut_file_is_read_to_its_last_block),
        TEST(a_damaged_block_is_passed_over),
        TEST(what_is_no_trace_is_refused),
        TEST(many_false_heads_end_the_reading),
        TEST(a_child_process_writes_nothing),
        TEST(a_full_disk_leaves_whole_blocks),
        TEST(memory_may_run_out),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
