import tensorflow as tf
learning_rate = 0.01
x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 2])
h = tf.layers.dense(x, 64, tf.nn.relu)
logits = tf.layers.dense(h, 2)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
opt = tf.train.GradientDescentOptimizer(learning_rate=learning_rate).minimize(loss)
