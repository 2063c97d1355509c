import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.float32, [None, 3])
h = tf.layers.dense(x, 64, activation=tf.nn.relu)
h = tf.nn.dropout(h, 0.5)
scores = tf.layers.dense(h, 3)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=scores))
step = tf.train.AdamOptimizer(0.001).minimize(loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(scores, 1), tf.argmax(y, 1)), tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(1000):
        a, b = next_batch()
        sess.run(step, feed_dict={x: a, y: b})
    print(sess.run(accuracy, feed_dict={x: x_test, y: y_test}))
