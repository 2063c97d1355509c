import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
h = tf.nn.relu(tf.matmul(x, tf.Variable(tf.truncated_normal([6, 8], stddev=0.5))))
scores = tf.matmul(h, tf.Variable(tf.truncated_normal([8, 1], stddev=0.5)))
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(scores, y))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
init = tf.initialize_all_variables()
