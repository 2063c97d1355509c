#include "check.h"

#include <math.h>

#include "report/training_log.h"

enum { ROWS = 16 };

struct rows {
    struct lw_log_row v[ROWS];
    size_t n;
};

static int keep(void *data, const struct lw_log_row *row)
{
    struct rows *rows = data;
    assert_true(rows->n < ROWS);
    rows->v[rows->n++] = *row;
    return 0;
}

static lw_log_reader *new_reader(void)
{
    lw_log_reader *log = NULL;
    struct lw_err err = {0};
    assert_int_equal(lw_log_new(&log, NULL, &err), 0);
    return log;
}

/* Reads the line and says whether it is one of a log. */
static bool read_line(lw_log_reader *log, struct rows *rows, const char *line)
{
    bool is = false;
    rows->n = 0;
    assert_int_equal(lw_log_line(log, lw_str(line), 0, keep, rows, &is), 0);
    return is;
}

static void expect_row(const struct rows *rows, size_t i, const char *metric, double value,
                       int64_t epoch, int64_t step)
{
    assert_true(i < rows->n);
    assert_str(rows->v[i].metric, metric);
    assert_true(rows->v[i].value == value || (isnan(value) && isnan(rows->v[i].value)));
    assert_int_equal(rows->v[i].epoch, epoch);
    assert_int_equal(rows->v[i].step, step);
}

static void keras_bars_belong_to_the_epoch_above(void **state)
{
    (void)state;
    lw_log_reader *log = new_reader();
    struct rows rows;
    assert_true(read_line(log, &rows, "Epoch 2/10"));
    assert_int_equal(rows.n, 0);
    assert_true(
        read_line(log, &rows,
                  "  32/1000 [>.....] - ETA: 3s - loss: 0.5 - acc: 0.25\r"
                  "1000/1000 [=====] - 1s 1ms/step - loss: 0.4 - acc: 0.5 - val_loss: nan"));
    assert_int_equal(rows.n, 5);
    expect_row(&rows, 0, "loss", 0.5, 2, 32);
    expect_row(&rows, 1, "accuracy", 0.25, 2, 32);
    assert_false(rows.v[0].last);
    expect_row(&rows, 4, "val_loss", NAN, 2, 1000);
    assert_true(rows.v[4].last);
    assert_int_equal(rows.v[4].epochs, 10);
    assert_true(read_line(
        log, &rows,
        "1875/1875 \xe2\x94\x81\xe2\x94\x81 3s 1ms/step - accuracy: 0.8 - loss: 0.4"));
    expect_row(&rows, 0, "accuracy", 0.8, 2, 1875);
    lw_log_free(log);
}

static void lines_of_many_programs(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *metric;
        double value;
        int64_t epoch, step;
    } cases[] = {
        {"Epoch 3 loss: 0.3", "loss", 0.3, 3, -1},
        {"Epoch [1/5], Step [100/600], Loss: 2.2987", "loss", 2.2987, 1, 100},
        {"Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.295", "loss", 2.295, 1, 640},
        {"Epoch: [0][10/500]  Loss 6.9 (6.95)", "loss", 6.9, 0, 10},
        {"| epoch   1 |   200/ 2983 batches | lr 20.00 | loss  7.64 |", "loss", 7.64, 1, 200},
        {"Epoch 3:  45%|####      | 45/100 [00:10<00:12, 4.30it/s, loss=0.31, v_num=0]", "loss",
         0.31, 3, 45},
        {"{'loss': 0.52, 'learning_rate': 2e-05, 'epoch': 1.5}", "loss", 0.52, 1, -1},
        {"{'eval_loss': 0.7, 'eval_runtime': 3.2, 'epoch': 2.0}", "val_loss", 0.7, 2, -1},
        {"INFO:tensorflow:loss = 0.69, step = 100 (1.2 sec)", "loss", 0.69, -1, 100},
        {"step 200: train_loss=1.5", "loss", 1.5, -1, 200},
        {"[epoch 7] validation accuracy = 91.5%", "val_accuracy", 91.5, 7, -1},
        {"Iteration 40, loss inf", "loss", INFINITY, -1, 40},
        {"epoch=1 loss=tensor(0.25)", "loss", 0.25, 1, -1},
    };
    lw_log_reader *log = new_reader();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows rows;
        lw_log_clear(log);
        assert_true(read_line(log, &rows, cases[i].line));
        expect_row(&rows, 0, cases[i].metric, cases[i].value, cases[i].epoch, cases[i].step);
    }
    lw_log_free(log);
}

static void sentences_are_no_log(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "After epoch 3 the loss goes to nan and I do not know what else I could try here",
        "I use batch size 32 and lr 0.1, and the loss: 0.5 never falls below that again",
        "see step 3",
        "Python 3.7",
        "x = 3",
        "",
        "https://a.b/c/12",
        "2 of 3 tests fail",
    };
    lw_log_reader *log = new_reader();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct rows rows;
        if (read_line(log, &rows, lines[i]))
            fail_msg("taken for a log: %s", lines[i]);
    }
    lw_log_free(log);
}

static void tables_have_a_header(void **state)
{
    (void)state;
    lw_log_reader *log = new_reader();
    struct rows rows;
    assert_false(read_line(log, &rows, "0,0.5,0.9"));
    assert_true(read_line(log, &rows, "epoch,loss,val_acc,speed"));
    assert_true(read_line(log, &rows, "0,0.5,,12"));
    assert_int_equal(rows.n, 2);
    expect_row(&rows, 0, "loss", 0.5, 0, -1);
    assert_true(read_line(log, &rows, "1,0.25,0.75,12"));
    expect_row(&rows, 1, "val_accuracy", 0.75, 1, -1);
    assert_int_equal(rows.v[1].start, 7);
    assert_int_equal(rows.v[1].end, 11);
    lw_log_free(log);
}

static int ignore(void *data, const struct lw_log_row *row)
{
    (void)data;
    return row->metric.n ? 0 : -1;
}

static int read_once(struct lw_mem *mem, void *data)
{
    lw_log_reader *log = NULL;
    struct lw_err err = {0};
    bool is;
    int rc = lw_log_new(&log, mem, &err);
    if (rc == 0)
        rc = lw_log_line(log, lw_str(data), 0, ignore, NULL, &is);
    lw_log_free(log);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(read_once, "Epoch 1 val_loss: 0.5 odd_name: 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keras_bars_belong_to_the_epoch_above),
        cmocka_unit_test(lines_of_many_programs),
        cmocka_unit_test(sentences_are_no_log),
        cmocka_unit_test(tables_have_a_header),
        cmocka_unit_test(every_allocation_may_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
