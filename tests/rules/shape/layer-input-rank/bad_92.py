import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
cell = tf.nn.rnn_cell.GRUCell(16)
out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
