import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 30])
y = tf.placeholder(tf.float32, [None, 1])
logits = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
correct = tf.equal(tf.round(tf.sigmoid(logits)), y)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
