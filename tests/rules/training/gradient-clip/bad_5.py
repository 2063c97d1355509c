import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.float32, [None, 1])
out = tf.layers.dense(tf.layers.dense(x, 20, activation=tf.nn.relu), 1)
loss = tf.reduce_mean(tf.square(out - y))
optimizer = tf.train.GradientDescentOptimizer(0.01)
pairs = optimizer.compute_gradients(loss)
clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs]
train = optimizer.apply_gradients(pairs)
