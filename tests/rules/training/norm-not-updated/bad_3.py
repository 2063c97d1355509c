import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def network(x, training):
    for width in (64, 32):
        x = tf.layers.dense(x, width)
        x = tf.nn.relu(tf.layers.batch_normalization(x, training=training))
    return tf.layers.dense(x, 1)


inputs = tf.placeholder(tf.float32, [None, 12])
target = tf.placeholder(tf.float32, [None, 1])
training = tf.placeholder_with_default(False, [])
loss = tf.reduce_mean(tf.square(network(inputs, training) - target))
step = tf.train.AdamOptimizer(0.001).minimize(loss)
