import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 28, 28])
cell = tf.nn.rnn_cell.BasicLSTMCell(64)
outputs, state = tf.nn.static_rnn(cell, x, dtype=tf.float32)
