import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20, 5])
cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(16), tf.nn.rnn_cell.GRUCell(8)])
out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
last = out[:, -1, :]
w = tf.Variable(tf.zeros([8, 2]))
logits = tf.matmul(last, w)
