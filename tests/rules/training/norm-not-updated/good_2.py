import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 20])
y = tf.placeholder(tf.int64, [None])
is_training = tf.placeholder(tf.bool)
hidden = tf.layers.batch_normalization(tf.layers.dense(x, 50), training=is_training)
logits = tf.layers.dense(tf.nn.relu(hidden), 4)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
train = tf.group([tf.train.AdamOptimizer(0.001).minimize(loss), update_ops])
