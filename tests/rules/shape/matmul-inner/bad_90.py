import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20, 5])
cell = tf.contrib.rnn.DropoutWrapper(tf.contrib.rnn.BasicLSTMCell(32), output_keep_prob=0.8)
out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
w = tf.Variable(tf.zeros([64, 2]))
logits = tf.matmul(out[:, -1, :], w)
