import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28])
cell = tf.nn.rnn_cell.BasicLSTMCell(64)
outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, 28, 1), dtype=tf.float32)
