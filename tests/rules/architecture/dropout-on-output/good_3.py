import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
h = tf.layers.dense(x, 128, activation=tf.nn.relu)
logits = tf.layers.dense(tf.layers.dropout(h, 0.5, training=True), 10)
loss = tf.losses.softmax_cross_entropy(y, logits)
