import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
h = tf.layers.dense(x, 128, activation=tf.nn.relu)
h = tf.layers.dropout(h, rate=0.9, training=True)
logits = tf.layers.dense(h, 10)
