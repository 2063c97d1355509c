import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 30])
y = tf.placeholder(tf.float32, [None, 1])
training = tf.placeholder(tf.bool)
h = tf.layers.dense(x, 64)
h = tf.nn.relu(tf.layers.batch_normalization(h, training=training))
out = tf.layers.dense(h, 1)
loss = tf.losses.mean_squared_error(y, out)
step = tf.train.AdamOptimizer(0.001).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for a, b in batches:
        sess.run(step, feed_dict={x: a, y: b, training: True})
