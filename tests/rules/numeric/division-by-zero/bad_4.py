import tensorflow as tf
w = tf.Variable(tf.random.normal([10, 4]))
x = tf.random.normal([32, 10])
h = tf.nn.relu(x @ w)
h = h / tf.reduce_sum(h, axis=1, keepdims=True)
