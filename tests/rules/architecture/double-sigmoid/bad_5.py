import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.float32, [None, 1])
h = tf.layers.dense(x, 16, activation=tf.nn.relu)
p = tf.layers.dense(h, 1, activation=tf.sigmoid)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=p))
train = tf.train.AdamOptimizer(0.001).minimize(loss)
