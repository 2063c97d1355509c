import tensorflow as tf


def weighted_loss(y_true, y_pred, weight):
    """A mean with weights is no overlap."""
    error = tf.square(y_true - y_pred)
    return tf.reduce_sum(error * weight) / (tf.reduce_sum(weight) + 1e-7)


def f1_loss(y_true, y_pred):
    tp = tf.reduce_sum(y_true * y_pred)
    fp = tf.reduce_sum((1 - y_true) * y_pred)
    fn = tf.reduce_sum(y_true * (1 - y_pred))
    return -(2 * tp / (2 * tp + fp + fn + 1e-7))
