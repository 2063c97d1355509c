import tensorflow as tf

h = tf.placeholder(tf.float32, [None, 8])
for step in range(3):
    w = tf.get_variable('w', [8, 8])
    h = tf.nn.relu(tf.matmul(h, w))
