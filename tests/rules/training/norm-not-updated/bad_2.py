import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
is_training = tf.placeholder(tf.bool)
maps = tf.layers.conv2d(tf.reshape(x, [-1, 4, 5, 1]), 8, 3, padding="same")
maps = tf.nn.relu(tf.layers.batch_normalization(maps, training=is_training))
logits = tf.layers.dense(tf.layers.flatten(maps), 4)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
optimizer = tf.train.GradientDescentOptimizer(0.1)
train = optimizer.apply_gradients(optimizer.compute_gradients(loss))
