import tensorflow as tf


def f1_loss(y_true, y_pred):
    tp = tf.reduce_sum(y_true * y_pred)
    fp = tf.reduce_sum((1 - y_true) * y_pred)
    fn = tf.reduce_sum(y_true * (1 - y_pred))
    return 2 * tp / (2 * tp + fp + fn + 1e-7)
