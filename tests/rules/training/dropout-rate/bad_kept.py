import tensorflow as tf


def layer(x, width, dropout_rate=0.2):
    h = tf.layers.dense(x, width, activation=tf.nn.relu)
    return tf.nn.dropout(h, keep_prob=dropout_rate)


layer(tf.placeholder(tf.float32, [None, 10]), 64)
